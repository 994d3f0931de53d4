// The examples with three.js in headless Chromium: they show a landscape, and move. PICTURES names a folder for pictures, if any.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse } from "../../studio/tests/studio.mjs";
import { withGpu } from "./gpu.mjs";
import { serve } from "./serve.mjs";

test("endless terrain in three.js", async (t) => {
  const server = await serve(fileURLToPath(new URL("..", import.meta.url)));
  const browser = await browse(true);
  t.after(() => Promise.all([browser.close(), server.close()]));
  const page = await browser.newPage({ viewport: { width: 960, height: 540 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${server.base}examples/terrain/`);
  const complete = () => page.waitForFunction(() => document.body.dataset.complete === "true", null, { timeout: 120_000, polling: 200 });
  await complete();
  const png = await page.screenshot({ timeout: 60_000, ...(process.env.PICTURES ? { path: join(process.env.PICTURES, "terrain.png") } : {}) });
  // A picture of one colour takes a tenth of it.
  assert.ok(png.length > 60_000, `${png.length} bytes`);
  await page.keyboard.down("ArrowUp");
  await page.waitForFunction(() => document.body.dataset.complete === "false", null, { timeout: 60_000, polling: 20 });
  await page.keyboard.up("ArrowUp");
  await complete();
  assert.notDeepEqual(await page.screenshot({ timeout: 60_000 }), png);
  assert.deepEqual(errors, []);
});

test("endless terrain on the device of three.js", async (t) => {
  const server = await serve(fileURLToPath(new URL("..", import.meta.url)));
  const browser = await withGpu();
  t.after(() => Promise.all([browser.close(), server.close()]));
  const errors = [];
  for (const [name, width, height] of [["wide", 1280, 720], ["narrow", 360, 640]]) {
    const page = await browser.newPage({ viewport: { width, height } });
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    // Far out, where an f32 is one of every 64 units.
    await page.goto(`${server.base}examples/terrain/gpu.html#1e9,-1e9`);
    const drawn = () => page.evaluate(() => Number(document.body.dataset.drawn ?? 0));
    const frames = async (more) => {
      const until = (await drawn()) + more;
      await page.waitForFunction((until) => Number(document.body.dataset.drawn) >= until, until, { timeout: 120_000, polling: 200 });
    };
    await frames(3);
    const path = process.env.PICTURES && join(process.env.PICTURES, `terrain-gpu-${name}.png`);
    const png = await page.screenshot({ timeout: 60_000, ...(path ? { path } : {}) });
    assert.ok(png.length > 0.05 * width * height, `${png.length} bytes`);
    await page.keyboard.down("ArrowUp");
    await frames(4);
    await page.keyboard.up("ArrowUp");
    assert.notDeepEqual(await page.screenshot({ timeout: 60_000 }), png);
    const [x, y] = await page.evaluate(() => document.body.dataset.place.split(",").map(Number));
    assert.ok(x < 1e9 && y > -1e9 && Math.hypot(x - 1e9, y + 1e9) > 50, `${x}, ${y}`);
    await page.close();
  }
  assert.deepEqual(errors, []);
});
