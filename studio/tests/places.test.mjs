// Places of several kinds by rules: on the map, and as files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, OROGEN, SMALL, studio as opened, until } from "./studio.mjs";

let browser;
before(async () => {
  browser = await browse();
});
after(() => browser.close());

const studio = (t, text, options) => opened(t, browser, text, options);

test("rules of places: written, opened, drawn by kind, and saved in every form as the command writes them", async (t) => {
  const { page, server, errors } = await studio(t, SMALL);
  await page.click("#tab-panel-places");
  const rules = page.getByLabel("Rules of places");
  const near = (r, g, b) => page.evaluate((colour) => {
    const canvas = document.querySelector("canvas.marks");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 250 && colour.every((c, k) => Math.abs(data[i + k] - c) < 8)) count++;
    return count;
  }, [r, g, b]);
  const [first, second] = [() => near(0xf0, 0xe4, 0x42), () => near(0xd5, 0x5e, 0x00)];
  await page.click("text=Begin with an example");
  await until(async () => (await first()) > 200 && (await second()) > 200, "trees and stones");
  const counts = async () => (await page.locator(".kinds li .dim").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(await page.locator(".kinds li span:not(.dim)").allTextContents(), ["tree", "stone"]);
  assert.ok((await counts()).every((count) => count > 10), `${await counts()}`);
  // A mistake is shown, and the last places are gone.
  const good = await rules.inputValue();
  await rules.fill(`${good}size = 3.0\n`);
  await page.waitForSelector(".placerules [role=alert]:has-text('unknown field `size`')");
  assert.equal(await page.locator(".kinds").count(), 0);
  const text = "[oak]\ndistance = 12.0\nradius = 4.0\nlimits = { hills = [0.0, 1.0, 0.2] }\n[stone]\ndistance = 7.0\n";
  await page.locator(".placerules input[type=file]").setInputFiles({ name: "wood.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.waitForSelector(".kinds li:has-text('oak')");
  await writeFile(join(server.folder, "wood.toml"), text);
  for (const [form, ending] of [["csv", "csv"], ["geojson", "geojson"], ["unreal", "csv"], ["unity", "json"], ["godot", "json"]]) {
    await page.getByLabel("Form of the places").selectOption(form);
    const saved = page.waitForEvent("download");
    await page.click("text=Save places");
    const download = await saved;
    assert.equal(download.suggestedFilename(), `places.${ending}`);
    const out = join(server.folder, `theirs.${ending}`);
    const list = form === "csv" || form === "geojson" ? [] : ["--for", form];
    execFileSync(OROGEN, ["places", server.file, "--rules", join(server.folder, "wood.toml"), "-o", out, "--backend", "cpu", ...list]);
    assert.equal(await readFile(await download.path(), "utf8"), await readFile(out, "utf8"), form);
  }
  await page.getByLabel("On the map").uncheck();
  await until(async () => (await first()) + (await second()) === 0, "no places");
  // They are kept for the file.
  await page.reload();
  await page.click("#tab-panel-places");
  await until(async () => (await rules.inputValue()) === text, "the rules");
  // The browser reports the answer to the mistake.
  assert.deepEqual(errors.filter((error) => !error.includes("400 (Bad Request)")), []);
});

test("the panel of places fits a screen 360 pixels wide", async (t) => {
  const { page } = await studio(t, SMALL, { viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.click("#tab-panel");
  await page.click("#tab-panel-places");
  await page.click("text=Begin with an example");
  await page.waitForSelector(".kinds");
  await page.locator(".panelbody").evaluate((body) => body.scrollTo(0, 0));
  const boxes = await page.locator(".panel .tabs button, .placerules button, .placerules label, .placerules textarea, .kinds li").evaluateAll((all) =>
    all.filter((one) => one.offsetParent).map((one) => ({ said: one.textContent.slice(0, 20), ...one.getBoundingClientRect().toJSON() })));
  assert.ok(boxes.length >= 12, `${boxes.length}`);
  for (const [i, a] of boxes.entries()) {
    assert.ok(a.left >= 0 && a.right <= 360, JSON.stringify(a));
    for (const b of boxes.slice(0, i)) {
      const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      assert.ok(!over, `${JSON.stringify(a)} over ${JSON.stringify(b)}`);
    }
  }
});
