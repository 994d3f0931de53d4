// The built site in headless Chromium, from a folder of a static server: SITE names it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse, card, drag, open, OROGEN, pixels, recipe, text, until, whole } from "../../studio/tests/studio.mjs";
import { serve } from "./serve.mjs";

const site = resolve(process.env.SITE);
/** A folder for pictures of the pages, if any. */
const pictures = process.env.PICTURES;
let browser, server, base, asked;

before(async () => {
  browser = await browse();
  server = await serve(site);
  ({ base, asked } = server);
  if (pictures) await mkdir(pictures, { recursive: true });
});

after(async () => {
  await browser.close();
  await server.close();
});

/** A page of the site in a profile of its own. */
async function opened(t, path, options = {}) {
  const { page, context, errors } = await open(browser, base + path, { serviceWorkers: "block", ...options });
  t.after(() => context.close());
  page.setDefaultTimeout(20_000);
  return { page, context, errors };
}

async function shoot(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

test("a recipe of the gallery is drawn by workers of the page, and edited there", async (t) => {
  const { page, errors } = await opened(t, "");
  await shoot(page, "gallery");
  assert.ok((await page.locator("main a").count()) >= 30);
  await page.click('main a[href="studio/#gallery=alps"]');
  await whole(page);
  assert.ok((await pixels(page)).colours > 50);
  await shoot(page, "studio");
  assert.equal(await text(page), await recipe("alps"));
  const before = await pixels(page);
  const key = await page.evaluate(() => document.querySelector("canvas.pixels").dataset.key);
  await page.click(card("bent"));
  await drag(page, "bent strength", 0.9);
  await whole(page, key);
  assert.notEqual((await pixels(page)).sum, before.sum);
  assert.notEqual(await text(page), await recipe("alps"));
  // Statistics.
  await page.click("#tab-panel-statistics");
  await page.waitForSelector("text=deviation");
  await shoot(page, "statistics");
  // A saved text is there again, in this browser.
  await page.keyboard.press("Control+s");
  await page.waitForSelector("text=Saved in this browser");
  const saved = await text(page);
  await page.reload();
  await whole(page);
  assert.equal(await text(page), saved);
  assert.deepEqual(errors, []);
  assert.ok(!asked.some((path) => path.startsWith("api/") || path.includes("/api/") || path.endsWith("live")), "the page asked a server");
});

test("exports, by a module that is fetched for the first of them", async (t) => {
  const { page, errors } = await opened(t, "studio/#gallery=alps");
  await whole(page);
  const before = asked.length;
  assert.ok(!asked.includes("studio/export.wasm"), "it was fetched before it was needed");
  await page.click('button[aria-label="Export"]');
  const languages = await page.locator(".exportform button").allTextContents();
  assert.ok(["WGSL", "GLSL", "JS"].every((name) => languages.includes(name)), languages.join(", "));
  const shown = async (language) => {
    await page.click(`.exportform button:text-is("${language}")`);
    await page.waitForFunction((name) => document.querySelector(`pre.code[aria-label="The recipe as ${name}"]`)?.textContent, language.toLowerCase());
    return page.textContent("pre.code");
  };
  // The first line names the recipe, here the layer.
  const rest = (text) => text.slice(text.indexOf("\n"));
  for (const language of ["WGSL", "GLSL", "JS"]) {
    const file = fileURLToPath(new URL("../../recipes/alps.toml", import.meta.url));
    const theirs = execFileSync(OROGEN, ["export", file, "--lang", language.toLowerCase()], { encoding: "utf8", maxBuffer: 1e8 });
    assert.equal(rest(await shown(language)), rest(theirs), language);
  }
  await shoot(page, "export");
  assert.ok(asked.slice(before).includes("studio/export.wasm"));
  await page.click('.exportform button:text-is("TOML")');
  await page.waitForSelector('pre.code[aria-label="The recipe as toml"]');
  assert.equal(await page.textContent("pre.code"), await recipe("alps"));
  assert.deepEqual(errors, []);
});

test("a recipe from a file, a link with a recipe, and one with a mistake", async (t) => {
  const { page, context, errors } = await opened(t, "studio/#gallery=alps");
  await whole(page);
  const own = `${await recipe("alps")}\n# My own.\n`;
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click('button[aria-label="Open"]')]);
  const moved = page.waitForEvent("load");
  await chooser.setFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(own) });
  await moved;
  await whole(page);
  assert.equal(await page.textContent("h1"), "mine.toml");
  assert.equal(await text(page), own);
  await page.click('button[aria-label="Share"]');
  const link = await page.inputValue("textarea.sharelink");
  assert.ok(link.startsWith(`${base}studio/#recipe=`), link);
  const other = await context.newPage();
  await other.goto(link);
  await whole(other);
  assert.equal(await text(other), own);
  const wrong = await context.newPage();
  await wrong.goto(`${base}studio/#gallery=nothing`);
  await wrong.waitForSelector("text=the gallery has no recipe 'nothing'");
  assert.deepEqual(errors, []);
});

const SMALL = `output = "worn"\n[node.n]\nkind = "perlin"\nwavelength = 40.0\n[node.land]\nkind = "scale_offset"\nof = "n"\nscale = 20.0
[stage.worn]\nkind = "hydraulic"\nof = "land"\niterations = 6\n[bake]\ntile = 24\ntiles = [3, 2]\n`;

/** Opens a recipe as a file of the user. */
async function chosen(page, name, text) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click('button[aria-label="Open"]')]);
  const moved = page.waitForEvent("load");
  await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await moved;
  await whole(page);
}

/** The command's files of a bake, and its root. */
async function command(t, text, ...flags) {
  const work = await mkdtemp(join(tmpdir(), "orogen-site-"));
  t.after(() => rm(work, { recursive: true }));
  await writeFile(join(work, "land.toml"), text);
  const args = ["bake", join(work, "land.toml"), "--out", join(work, "land"), "--backend", "cpu", ...flags];
  const said = execFileSync(OROGEN, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const names = (await readdir(join(work, "land"))).filter((name) => !name.startsWith(".")).sort();
  return { work, names, root: /root (\w{64})/.exec(said)[1], read: (name) => readFile(join(work, "land", name)) };
}

test("bakes to a zip file: the command's tiles and root", async (t) => {
  const { page, errors } = await opened(t, "studio/#gallery=alps");
  await whole(page);
  await chosen(page, "land.toml", SMALL);
  const theirs = await command(t, SMALL, "--layers=worn,worn.water", "--format=r16");
  await page.click('button[aria-label="Bake"]');
  await page.check('input[aria-label="Write worn.water"]');
  await page.selectOption('select[aria-label="Format"]', "r16");
  await page.waitForSelector("text=6 tiles of 24² samples");
  await shoot(page, "bake");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Bake to a zip file")]);
  assert.equal(file.suggestedFilename(), "land.zip");
  await page.waitForSelector(`text=${theirs.root}`);
  await shoot(page, "baked");
  const out = join(theirs.work, "unpacked");
  await file.saveAs(`${out}.zip`);
  execFileSync("python3", ["-m", "zipfile", "-e", `${out}.zip`, out]);
  assert.deepEqual((await readdir(out)).sort(), theirs.names);
  for (const name of theirs.names.filter((name) => name !== "manifest.json")) {
    assert.ok((await readFile(join(out, name))).equals(await theirs.read(name)), name);
  }
  assert.deepEqual(errors, []);
});

test("bakes to a folder, and stops", async (t) => {
  const { page, errors } = await opened(t, "studio/#gallery=alps");
  await whole(page);
  await chosen(page, "land.toml", SMALL);
  const theirs = await command(t, SMALL);
  // The page's own folder stands for one that a user chooses.
  await page.evaluate(() => { window.showDirectoryPicker = () => navigator.storage.getDirectory(); });
  await page.click('button[aria-label="Bake"]');
  await page.click("text=Bake to a folder…");
  await page.waitForSelector(`text=${theirs.root}`);
  const files = await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("land");
    const all = {};
    for await (const [name, file] of folder.entries()) all[name] = [...new Uint8Array(await (await file.getFile()).arrayBuffer())];
    return all;
  });
  assert.deepEqual(Object.keys(files).sort(), theirs.names);
  for (const name of theirs.names.filter((name) => name !== "manifest.json")) assert.ok((await theirs.read(name)).equals(Buffer.from(files[name])), name);
  // Not into the same folder again.
  await page.click("text=Bake to a folder…");
  await page.waitForSelector("text=/folder 'land' already contains .*; allowed: a new or empty folder/");
  // A long bake is stopped, and leaves nothing.
  await page.fill('.form input[spellcheck="false"]', "long");
  await page.fill('input[aria-label="Tile"]', "2048");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=6 tiles of 2048² samples");
  await page.click("text=Bake to a folder…");
  await page.click("text=Stop");
  await page.waitForSelector("text=stopped before the end; its files were removed");
  const names = await page.evaluate(async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()));
  assert.deepEqual(names, ["land"]);
  assert.deepEqual(errors, []);
});

test("the relief", async (t) => {
  const deep = await browse(true);
  t.after(() => deep.close());
  const { page, errors } = await open(deep, `${base}studio/#gallery=alps`, { serviceWorkers: "block" });
  await page.click('button:has-text("3D")', { timeout: 20_000 });
  await page.waitForSelector("canvas[data-drawn=true]", { timeout: 60_000 });
  await page.waitForTimeout(500);
  await shoot(page, "relief");
  assert.deepEqual(errors, []);
});

test("on a phone", async (t) => {
  const { page, errors } = await opened(t, "studio/#gallery=alps", { viewport: { width: 360, height: 740 } });
  await whole(page);
  await shoot(page, "phone");
  await page.click('button[aria-label="Bake"]');
  await page.waitForSelector("text=Bake to a zip file");
  await page.waitForSelector("text=samples.");
  await shoot(page, "phone-bake");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window");
  await page.goto(base);
  await shoot(page, "phone-gallery");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the gallery is wider than the window");
  assert.deepEqual(errors, []);
});

test("after the first visit it works without a network", async (t) => {
  const { page, context } = await opened(t, "studio/#gallery=alps", { serviceWorkers: "allow" });
  await whole(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => new Promise((resolve) => {
    if (active.state === "activated") resolve();
    else active.addEventListener("statechange", () => active.state === "activated" && resolve());
  })));
  await context.setOffline(true);
  const seen = asked.length;
  await page.goto(`${base}studio/#gallery=dunes`);
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "dunes.toml");
  await whole(page);
  // The browser itself looks for another version of the worker.
  assert.deepEqual(asked.slice(seen).filter((path) => path !== "offline.js"), []);
  await until(async () => (await pixels(page)).colours > 20, "the picture without a network");
});
