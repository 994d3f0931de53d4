// What is seen: the relief, the overlays, small screens, far places, and that nobody is left out.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { browse, card, open, pixels, recipe, serve, SMALL, until, whole } from "./studio.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await browse(true);
});
after(() => browser.close());

async function studio(t, text, options) {
  const server = await serve(text);
  const { page, context, errors } = await open(browser, server.url, options);
  t.after(async () => {
    await context.close();
    await server.stop();
  });
  await whole(page);
  return { server, page, errors };
}

test("the relief is drawn", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await page.click('button[aria-label="3D relief"]');
  await until(async () => (await page.locator("canvas.mesh[data-drawn]").count()) > 0 && (await pixels(page, "canvas.mesh")).colours > 200, "the relief", 20_000);
  await page.click('button[aria-label="3D relief"]');
  await whole(page);
  assert.deepEqual(errors, []);
});

test("without WebGL the page says so", async (t) => {
  const server = await serve(SMALL);
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
    };
  });
  t.after(async () => {
    await context.close();
    await server.stop();
  });
  const { page } = await open(browser, server.url, {}, context);
  await whole(page);
  await page.click('button[aria-label="3D relief"]');
  await page.waitForSelector(".relief .empty:has-text('no WebGL')");
});

test("tile borders, and that they cannot be seen", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click('button[aria-label="Overlays"]');
  await page.locator(".sheet input[type=checkbox]").first().check();
  await page.waitForSelector(".seams:has-text('0 of 65,536 samples differ')");
});

test("far out and close up", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await page.locator(".map").focus();
  for (let i = 0; i < 48; i++) await page.keyboard.press("-");
  await whole(page);
  assert.match(await page.locator(".probe .far").textContent(), /e\d+ \/ px|\d,\d{3} \/ px/);
  for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 60; i++) await page.keyboard.press("+");
  await whole(page);
  assert.ok((await pixels(page)).colours > 20);
  assert.deepEqual(errors, []);
});

test("statistics of what is seen", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click("#tab-panel-statistics");
  await page.waitForSelector(".statistics svg[aria-label^='Histogram']");
  await page.waitForSelector(".statistics svg[aria-label^='Power spectrum']");
});

test("stages with colours, and every card its picture", async (t) => {
  const { page, errors } = await studio(t, await recipe("atoll"));
  await until(async () => {
    const cards = await page.locator("canvas.thumb").count();
    return cards > 10 && (await page.locator("canvas.thumb[data-drawn]").count()) === cards;
  }, "the small pictures", 30_000);
  assert.ok((await pixels(page)).colours > 300);
  assert.deepEqual(errors, []);
});

test("a screen 360 pixels wide", async (t) => {
  const { page } = await studio(t, SMALL, { viewport: { width: 360, height: 740 }, hasTouch: true });
  assert.ok((await pixels(page)).colours > 100);
  const picture = await page.locator(".picture").boundingBox();
  assert.ok(picture.y < 120 && picture.width === 360 && picture.height > 300);
  for (const tab of ["text", "panel", "graph"]) await page.click(`#tab-${tab}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
});

for (const theme of ["dark", "light"]) {
  test(`axe finds nothing serious, ${theme}`, async (t) => {
    const { page } = await studio(t, SMALL, { colorScheme: theme });
    const judge = async (where) => {
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const bad = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
      assert.deepEqual(bad.map((v) => `${where}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target).join(" | ")}`), []);
    };
    await judge("start");
    await page.click(card("hills"));
    await page.waitForSelector(".parameters .fields");
    await judge("parameters");
    await page.click("#tab-text");
    await judge("text");
    await page.click("#tab-panel-statistics");
    await page.waitForSelector(".statistics svg");
    await judge("statistics");
    await page.click('button[aria-label="Overlays"]');
    await judge("overlays");
    await page.keyboard.press("Escape");
    await page.click('button[aria-label="Export"]');
    await page.waitForSelector("pre.code:not(:empty)");
    await judge("export");
  });
}
