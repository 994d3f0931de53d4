// The notebook in headless Chromium: cells run in order, and again when a slider or code above them changes. PICTURES names a folder
// for pictures, if any.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse } from "../../studio/tests/studio.mjs";
import { serve } from "./serve.mjs";

test("a notebook of noises", async (t) => {
  const server = await serve(fileURLToPath(new URL("..", import.meta.url)));
  const browser = await browse(true);
  t.after(() => Promise.all([browser.close(), server.close()]));
  const errors = [];
  for (const [name, width, height] of [["wide", 1280, 800], ["narrow", 360, 640]]) {
    const page = await browser.newPage({ viewport: { width, height } });
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${server.base}examples/notebook/`);
    const complete = () => page.waitForFunction(() => document.body.dataset.complete === "true", null, { timeout: 120_000, polling: 100 });
    const output = (cell) => page.locator(`section[data-name=${cell}] output`);
    const picture = (cell) => output(cell).locator("canvas").evaluate((canvas) => canvas.toDataURL());
    await complete();
    assert.equal(await page.locator("output.failed").count(), 0);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `notebook-${name}.png`), fullPage: true });
    const { here, far } = JSON.parse(await output("far").innerText());
    assert.ok(Math.abs(here) <= 1 && Math.abs(far) <= 1 && here !== far);
    assert.match(await output("speed").innerText(), /^[\d.]+ million samples per second$/);

    // A slider runs the cells below it, and only those.
    const [before, noise] = [await picture("heights"), await output("hills").innerHTML()];
    await output("gain").locator("input").fill("0.6");
    await complete();
    assert.notEqual(await picture("heights"), before);
    assert.equal(await output("hills").innerHTML(), noise);

    // An error is shown where it is; the cells below wait.
    await page.locator("section[data-name=hills] textarea").fill("return simplex({ wavelength: -1, seed });");
    await page.waitForSelector("output.failed");
    await complete();
    assert.match(await output("hills").innerText(), /wavelength = -1/);
    assert.equal(await output("light").innerText(), "waits for hills");
    await page.locator("section[data-name=hills] textarea").fill('return perlin({ wavelength: 90, seed }).fractal().named("hills");');
    await page.waitForFunction(() => !document.querySelector("output.failed"), null, { timeout: 60_000 });
    await complete();
    assert.notEqual(await picture("heights"), before);
    await page.close();
  }
  assert.deepEqual(errors, []);
});
