// The example with three.js in headless Chromium: it shows a landscape, and moves. PICTURES names a folder for pictures, if any.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse } from "../../studio/tests/studio.mjs";
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
