// Opens the page in Chromium, wide and as on a phone: node check.mjs PICTURES. The page must show a landscape, move when it is
// dragged, send no other requests, and log no errors.

import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const pictures = process.argv[2];
const { server, url } = await serve();
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
const args = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...quiet];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });

/** The number of different colours in a picture's middle, out of 32 × 32 places, and their mean brightness. */
async function look(page) {
  const png = (await page.screenshot({ timeout: 120_000 })).toString("base64");
  return page.evaluate(async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(32, 32);
    const context = canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(image, image.width / 4, image.height / 4, image.width / 2, image.height / 2, 0, 0, 32, 32);
    const words = new Uint32Array(context.getImageData(0, 0, 32, 32).data.buffer);
    return { colours: new Set(words).size, words: [...words] };
  }, png);
}

try {
  for (const [name, viewport] of [["wide", { width: 1280, height: 800 }], ["phone", { width: 360, height: 740 }]]) {
    const page = await browser.newPage({ viewport });
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text()) && wrong.push(message.text()));
    page.on("response", (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`));
    page.on("request", (request) => [url, "data:"].some((own) => request.url().startsWith(own)) || wrong.push(`asked ${request.url()}`));
    // Fewer cells: there is no graphics card here.
    await page.goto(`${url}?cells=300`);
    await page.waitForFunction(() => Number(document.documentElement.dataset.frames) > 0, null, { timeout: 180_000 });
    const before = await look(page);
    await page.screenshot({ timeout: 120_000, path: join(pictures, `three-${name}.png`) });
    assert(before.colours > 300, `${name}: ${before.colours} colours in 1024 places`);
    const told = await page.textContent("#told");
    for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowUp");
    await page.waitForFunction((told) => document.getElementById("told").textContent !== told, told, { timeout: 60_000 });
    await page.waitForTimeout(2000);
    const after = await look(page);
    const changed = after.words.filter((word, i) => word !== before.words[i]).length;
    assert(changed > 500 && after.colours > 300, `${name}: ${changed} of 1024 places changed, ${after.colours} colours`);
    await page.screenshot({ timeout: 120_000, path: join(pictures, `three-${name}-moved.png`) });
    assert.deepEqual(wrong, []);
    console.log(`${name}: ${before.colours} and, moved, ${after.colours} colours in 1024 places`);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
