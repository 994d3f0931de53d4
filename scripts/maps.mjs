// Opens the page of a map in Chromium, wide and as on a phone: node maps.mjs MAP PICTURES. The page must show a landscape with
// the heights of the tiles, send no other requests, and log no errors.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [folder, pictures] = process.argv.slice(2);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".png": "image/png", ".webp": "image/webp" };
const server = createServer(async (question, answer) => {
  const name = decodeURIComponent(new URL(question.url, "http://host").pathname);
  try {
    const bytes = await readFile(join(folder, name.endsWith("/") ? `${name}index.html` : name));
    answer.writeHead(200, { "content-type": types[extname(name)] ?? "text/html" }).end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((ready) => server.once("listening", ready));
const url = `http://127.0.0.1:${server.address().port}/`;
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
const args = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...quiet];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
try {
  for (const [name, viewport] of [["wide", { width: 1280, height: 800 }], ["phone", { width: 390, height: 844 }]]) {
    const page = await browser.newPage({ viewport });
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("response", (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`));
    page.on("request", (request) => {
      if (![url, "blob:", "data:"].some((own) => request.url().startsWith(own))) wrong.push(`asked ${request.url()}`);
    });
    await page.goto(url);
    await page.waitForFunction(() => window.viewer?.getTerrain() && window.viewer.loaded() && window.viewer.areTilesLoaded(), null, { timeout: 120_000 });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(pictures, `map-${name}.png`) });
    const { spread, range, stretch } = await page.evaluate(async () => {
      const json = await (await fetch("tiles.json")).json();
      const [west, south, east, north] = json.bounds;
      const heights = [];
      for (let i = 1; i < 10; i++) {
        for (let j = 1; j < 10; j++) {
          const at = [west + ((east - west) * i) / 10, south + ((north - south) * j) / 10];
          heights.push(window.viewer.queryTerrainElevation(at));
        }
      }
      return { spread: Math.max(...heights) - Math.min(...heights), range: json.orogen.range, stretch: json.orogen.stretch * Number(document.getElementById("relief").value) };
    });
    const whole = (range[1] - range[0]) * stretch;
    assert(spread > 0.3 * whole && spread <= whole * 1.001, `the landscape spreads over ${spread} m of ${whole}`);
    const layers = await page.$$eval("#layer option", (all) => all.map((option) => option.value));
    for (const layer of layers) {
      await page.selectOption("#layer", layer);
      await page.waitForFunction(() => window.viewer.areTilesLoaded());
    }
    assert(await page.isHidden("#problem"));
    assert.deepEqual(wrong, []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert(wide, "nothing is cut off");
    console.log(`${name}: a landscape over ${spread.toFixed(0)} m of ${whole.toFixed(0)}, layers ${layers.join(", ")}, nothing asked of others`);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
