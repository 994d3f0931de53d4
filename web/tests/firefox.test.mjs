// The built site in Firefox: SITE names its folder, PICTURES one for pictures, if any.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { firefox } from "./firefox.mjs";
import { serve } from "./serve.mjs";

const alps = fileURLToPath(new URL("../../recipes/alps.toml", import.meta.url));
const element = (selector) => `document.querySelector(${JSON.stringify(selector)})`;
const WHOLE = `${element("canvas.pixels")}?.dataset.whole === "true" && document.querySelector("canvas.pixels").dataset.key !== ""`;
/** The number of different colours of the picture. */
const COLOURS = `(() => {
  const canvas = document.querySelector("canvas.pixels");
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  return new Set(new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)).size;
})()`;

test("the studio of the site in Firefox: a picture, statistics, an export, without a network", async (t) => {
  const server = await serve(resolve(process.env.SITE));
  const page = await firefox();
  t.after(() => Promise.all([page.close(), server.close()]));
  const shoot = async (name) => {
    if (!process.env.PICTURES) return;
    await mkdir(process.env.PICTURES, { recursive: true });
    await writeFile(join(process.env.PICTURES, `firefox-${name}.png`), await page.picture());
  };
  await page.open(server.base);
  assert.ok((await page.evaluate('document.querySelectorAll("main a").length')) >= 30);
  await page.open(`${server.base}studio/#gallery=alps`);
  await page.until(WHOLE);
  assert.ok((await page.evaluate(COLOURS)) > 50);
  await shoot("studio");
  await page.evaluate(`${element("#tab-panel-statistics")}.click()`);
  await page.until('document.body.textContent.includes("deviation")');
  await page.evaluate(`${element('button[aria-label="Export"]')}.click()`);
  await page.until(element(".exportform button") + " !== null");
  await page.evaluate('[...document.querySelectorAll(".exportform button")].find((button) => button.textContent === "WGSL").click()');
  const found = await page.until(`${element('pre.code[aria-label="The recipe as wgsl"]')}?.textContent`);
  const theirs = execFileSync(process.env.OROGEN, ["export", alps, "--lang", "wgsl"], { encoding: "utf8", maxBuffer: 1e8 });
  // The first line names the recipe, here the layer.
  const rest = (text) => text.slice(text.indexOf("\n"));
  assert.equal(rest(found), rest(theirs));
  await shoot("export");
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.until('navigator.serviceWorker.ready.then(({ active }) => active.state === "activated")');
  await server.close();
  await page.open(`${server.base}studio/#gallery=dunes`);
  await page.evaluate("location.reload()").catch(() => {});
  await page.until('document.querySelector("h1")?.textContent === "dunes.toml"');
  await page.until(WHOLE);
  await shoot("offline");
  assert.deepEqual(page.errors, []);
});
