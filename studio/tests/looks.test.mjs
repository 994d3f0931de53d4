// Visible behaviour: the relief, the overlays, small screens, distant places, and accessibility.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { browse, card, open, pixels, recipe, serve, SMALL, studio as opened, until, whole } from "./studio.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await browse(true);
});
after(() => browser.close());

const studio = (t, text, options) => opened(t, browser, text, options);

test("the relief is drawn", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await page.click('button[aria-label="3D relief"]');
  await until(async () => (await page.locator("canvas.mesh[data-drawn]").count()) > 0 && (await pixels(page, "canvas.mesh")).colours > 200, "the relief", 20_000);
  await page.click('button[aria-label="3D relief"]');
  await whole(page);
  assert.deepEqual(errors, []);
});

test("a volume is shown as the surface of what is solid, at the level of a slider; what is stale is given up", async (t) => {
  const { page, errors } = await studio(t, SMALL.replace('kind = "simplex"', 'kind = "simplex"\ndimensions = 3').replace("wavelength = 300.0", "wavelength = 90.0"));
  const asked = [];
  const gone = [];
  page.on("request", (request) => request.url().includes("/api/surface/") && asked.push(request.url()));
  page.on("requestfailed", (request) => request.url().includes("/api/surface/") && gone.push(request.url()));
  await page.click('button[aria-label="3D relief"]');
  await page.waitForSelector("canvas.mesh[data-drawn]");
  const heights = (await pixels(page, "canvas.mesh")).sum;
  await page.click(".liftbar [role=radio]:has-text('Volume')");
  const seen = async () => pixels(page, "canvas.mesh");
  await until(async () => asked.some((url) => url.includes("size=129")) && (await seen()).sum !== heights && (await seen()).colours > 200, "the volume", 20_000);
  const middle = (await seen()).sum;
  const slider = page.getByLabel("Level", { exact: true });
  // Every surface takes longer than a step of the slider, on any machine: all but the last are given up.
  await page.route("**/api/surface/**", async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    // A request that was given up is gone.
    await route.continue().catch(() => {});
  });
  asked.length = 0;
  for (const at of [0.1, 0.15, 0.2, 0.25, 0.3]) {
    await slider.fill(String(at));
    await page.waitForTimeout(75);
  }
  await until(async () => asked.some((url) => url.includes("size=129") && Math.abs(Number(new URL(url).searchParams.get("at")) - 0.3) < 0.02), "the last level", 20_000);
  await until(async () => (await seen()).sum !== middle, "another surface");
  assert.ok(gone.length > 0 && asked.filter((url) => url.includes("size=129")).length < 5, `${gone.length} of ${asked.length} given up`);
  await page.unroute("**/api/surface/**");
  await slider.fill(await slider.getAttribute("max"));
  await page.waitForSelector(".liftbar output:text-is('no surface')", { timeout: 20_000 });
  await until(async () => (await seen()).colours < 5, "nothing but sky");
  await page.click(".liftbar [role=radio]:has-text('Heights')");
  await until(async () => (await seen()).colours > 200, "the heights again", 20_000);
  assert.deepEqual(errors, []);
});

test("the relief has a layer of heights, a sea and shadows", async (t) => {
  const { page, errors } = await studio(t, `${SMALL}
[node.flat]
kind = "scale_offset"
of = "hills"
scale = 0.01
`);
  const drawn = async (before) => {
    let now;
    await until(async () => (now = await pixels(page, "canvas.mesh")).colours > 20 && now.sum !== before, "another relief", 20_000);
    return now.sum;
  };
  await page.click('button[aria-label="3D relief"]');
  await until(async () => (await page.locator("canvas.mesh[data-drawn]").count()) > 0 && (await pixels(page, "canvas.mesh")).colours > 200, "the relief", 20_000);
  const first = await drawn(null);
  await page.uncheck('input[aria-label="Shadows"]');
  const even = await drawn(first);
  await page.check('input[aria-label="Sea"]');
  const wet = await drawn(even);
  await page.locator('input[aria-label="Level of the sea"]').fill("0.2");
  await page.locator('input[aria-label="Level of the sea"]').press("Enter");
  const deeper = await drawn(wet);
  await page.uncheck('input[aria-label="Sea"]');
  const dry = await drawn(deeper);
  await page.selectOption('select[aria-label="Heights of the relief"]', "flat");
  await drawn(dry);
  assert.deepEqual(errors, []);
});

test("the relief moves by keys, and the map is where the relief was", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  const where = () => page.locator(".probe .where").textContent();
  const before = await where();
  await page.click('button[aria-label="3D relief"]');
  await until(async () => (await page.locator("canvas.mesh[data-drawn]").count()) > 0 && (await pixels(page, "canvas.mesh")).colours > 200, "the relief", 20_000);
  const first = (await pixels(page, "canvas.mesh")).sum;
  await page.locator("canvas.mesh").focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
  await until(async () => (await pixels(page, "canvas.mesh")).sum !== first, "another place");
  await page.click('button[aria-label="3D relief"]');
  await whole(page);
  await until(async () => (await where()) !== before, "the place has moved");
  await page.locator(".map").focus();
  await page.keyboard.press("ArrowLeft");
  await whole(page);
  assert.ok((await pixels(page)).colours > 100);
  assert.deepEqual(errors, []);
});

test("colours that have their light are not lit a second time", async (t) => {
  // Evenly lit paint: every place of the mesh is the paint itself, however steep.
  const paint = `${SMALL.replace('output = "hills"', 'output = "paint"')}
[node.high]
kind = "scale_offset"
of = "hills"
scale = 60.0

[stage.light]
kind = "hillshade"
of = "high"

[stage.even]
kind = "combine"
a = "light"
b = 0.0
by = "multiply"

[stage.full]
kind = "combine"
a = "even"
b = 1.0

[stage.paint]
kind = "colour"
by = "high"
light = "full"
stops = [{ at = 0.0, colour = "#b06030" }]
`;
  const { page, errors } = await studio(t, paint);
  await page.click('button[aria-label="3D relief"]');
  const middle = () => page.evaluate(() => {
    const canvas = document.querySelector("canvas.mesh");
    const small = document.createElement("canvas");
    [small.width, small.height] = [64, 64];
    const context = small.getContext("2d");
    context.drawImage(canvas, canvas.width / 2 - 32, canvas.height / 2 - 32, 64, 64, 0, 0, 64, 64);
    return [...context.getImageData(0, 0, 64, 64).data];
  });
  const isPaint = (data) => data.every((v, i) => Math.abs(v - [0xb0, 0x60, 0x30, 255][i % 4]) <= 4);
  await until(async () => isPaint(await middle()), "the paint as it is", 20_000);
  // The same heights as values have light and shadow.
  await page.locator("select.layer").selectOption("=high");
  await until(async () => !isPaint(await middle()) && (await pixels(page, "canvas.mesh")).colours > 200, "the light", 20_000);
  assert.deepEqual(errors, []);
});

test("octaves under the pointer when it rests", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.locator("select.layer").selectOption("=hills");
  const shown = await whole(page);
  const box = await page.locator(".map").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 150);
  await page.waitForSelector(".probe .octaves rect");
  assert.equal(await page.locator(".probe .octaves rect").count(), 5);
  // They sum up to the value.
  const told = await page.locator(".probe .octaves svg").getAttribute("aria-label");
  const sum = [...told.matchAll(/: (−|-)?([\d.]+(?:e-?\d+)?)/g)].reduce((all, [, sign, size]) => all + (sign ? -1 : 1) * Number(size), 0);
  const value = Number((await page.locator(".probe .value").textContent()).replace("−", "-"));
  assert.ok(Math.abs(sum - value) < 0.01, `${told} sum up to ${sum}, not ${value}`);
  // Not of what has no octaves.
  await page.locator("select.layer").selectOption("=bumps");
  await whole(page, shown);
  await page.mouse.move(box.x + 210, box.y + 150);
  await page.waitForTimeout(600);
  assert.equal(await page.locator(".probe .octaves").count(), 0);
});

test("without WebGL the page shows a message", async (t) => {
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

test("rivers and lakes of the recipe's world lie over the picture", async (t) => {
  const { page, errors } = await studio(t, `${SMALL}\n[stage.water]\nkind = "drainage"\nof = "hills"\n`);
  const asked = [];
  page.on("request", (request) => request.url().includes("/api/rivers/") && asked.push(request.url()));
  const wet = () => page.evaluate(() => {
    const canvas = document.querySelector("canvas.marks");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + 2] > data[i] + 60) count++;
    return count;
  });
  assert.equal(await wet(), 0);
  await page.click('button[aria-label="Overlays"]');
  await page.click("text=Rivers and lakes");
  await until(async () => (await wet()) > 500, "rivers");
  assert.equal(asked.length, 1);
  await page.click("text=Rivers and lakes");
  await until(async () => (await wet()) === 0, "no rivers");
  assert.deepEqual(errors, []);
});

test("the tile borders come with a check of the rules of drainage, which shows where one is broken", async (t) => {
  const { page, errors } = await studio(t, `${SMALL}\n[stage.water]\nkind = "drainage"\nof = "hills"\n`);
  await page.click('button[aria-label="Overlays"]');
  const box = page.locator(".sheet input[type=checkbox]").first();
  const red = () => page.evaluate(() => {
    const canvas = document.querySelector("canvas.marks");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 180 && data[i + 1] < 60 && data[i + 3] > 200) count++;
    return count;
  });
  await box.check();
  await page.waitForSelector(".seams p:text-matches(\"'water': [0-9,]+ samples drain to [0-9,]+ outlets, and no water rises\")");
  assert.equal(await page.locator(".seams .broken").count(), 0);
  assert.equal(await red(), 0);
  await box.uncheck();
  assert.equal(await page.locator(".seams").count(), 0);
  // No recipe breaks a rule, so the server's answer is replaced.
  await page.route("**/api/drainage/**", async (route) => {
    const answer = await route.fetch();
    const [check] = await answer.json();
    await route.fulfill({ json: [{ ...check, broken: "stage 'water', sample 100, 60: its water rises, from 1 to 2", at: [100, 60] }] });
  });
  await box.check();
  await page.waitForSelector(".seams .broken:text-is(\"stage 'water', sample 100, 60: its water rises, from 1 to 2\")");
  await until(async () => (await red()) > 50, "a ring around the sample");
  await box.uncheck();
  await until(async () => (await red()) === 0, "no ring");
  assert.deepEqual(errors, []);
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

test("stages with colours, and every card its picture; those of stages come by one request", async (t) => {
  const server = await serve(await recipe("atoll"));
  const context = await browser.newContext();
  t.after(async () => {
    await context.close();
    await server.stop();
  });
  const asked = [];
  context.on("request", (request) => {
    if (/priority=low/.test(request.url())) asked.push(new URL(request.url()));
  });
  const { page, errors } = await open(browser, server.url, {}, context);
  await until(async () => {
    const cards = await page.locator("canvas.thumb").count();
    return cards > 10 && (await page.locator("canvas.thumb[data-drawn]").count()) === cards;
  }, "the small pictures", 30_000);
  const recipeOf = await page.evaluate(async () => (await fetch("/api/document")).json());
  const stages = (recipeOf.text.match(/^\[stage\./gm) ?? []).length;
  const names = asked.map((url) => url.searchParams.get("layers").split(","));
  assert.ok(asked.every((url) => url.pathname.startsWith("/api/layers/")));
  assert.ok(names.some((list) => list.length >= stages), `${stages} stages by ${names.map((list) => list.length)}`);
  // A change of a stage asks for it and what reads it, and for nothing else.
  asked.length = 0;
  await page.click(card("land", "stage"));
  await page.keyboard.press("Delete");
  await until(() => asked.length > 0, "new small pictures");
  await page.waitForTimeout(800);
  assert.ok(asked.flatMap((url) => url.searchParams.get("layers").split(",")).every((name) => name === "map"), String(asked));
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
    await page.click("#tab-panel-places");
    await page.click("text=Begin with an example");
    await page.waitForSelector(".kinds");
    await judge("places");
    await page.click('button[aria-label="Overlays"]');
    await judge("overlays");
    await page.keyboard.press("Escape");
    await page.click('button[aria-label="Export"]');
    await page.waitForSelector("pre.code:not(:empty)");
    await judge("export");
  });
}
