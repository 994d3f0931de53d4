// The file, drafts, other pages and programs, links, bakes: what is kept where, and who may ask for it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { browse, card, drag, open, OROGEN, serve, SMALL, studio as opened, text, until } from "./studio.mjs";

let browser;
before(async () => {
  browser = await browse();
});
after(() => browser.close());

const studio = (t, recipe, options) => opened(t, browser, recipe, options);

test("saved; a change by another program is never written over silently", async (t) => {
  const { server, page } = await studio(t, SMALL);
  await page.click(card("hills"));
  await drag(page, "hills octaves", 0.05);
  await page.waitForSelector(".savestate.changed");
  await page.keyboard.press("Control+s");
  await page.waitForSelector(".savestate:has-text('saved'):not(.changed)");
  const saved = await server.read();
  assert.notEqual(saved, SMALL);
  assert.ok(saved.includes("# What the hills are made of."));

  // Clean: the new text is taken. Dirty: it is asked.
  const theirs = saved.replace("seed = 1", "seed = 77");
  await writeFile(server.file, theirs);
  await until(async () => (await text(page)) === theirs, "the file's new text");
  await page.click(card("hills"));
  await drag(page, "hills gain", 0.9);
  await page.waitForSelector(".savestate.changed");
  const third = theirs.replace("seed = 77", "seed = 78");
  await writeFile(server.file, third);
  await page.waitForSelector("dialog:has-text('changed elsewhere')");
  await page.click("dialog >> text=See both");
  await page.waitForSelector("dialog .other:has-text('seed = 78')");
  assert.equal(await server.read(), third);
  await page.click("dialog >> text=Keep mine");
  await page.waitForSelector(".savestate:has-text('saved'):not(.changed)");
  assert.match(await server.read(), /seed = 77/);
});

test("unsaved work comes back after a reload", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click(card("hills"));
  await drag(page, "hills gain", 0.9);
  await page.waitForSelector(".savestate.changed");
  const mine = await text(page);
  await page.waitForTimeout(1500);
  await page.reload();
  await page.waitForSelector(".offer");
  await page.click(".offer >> text=Take it up");
  await until(async () => (await text(page)) === mine, "the draft");
});

test("a frame around cards comes back after a reload", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click(card("hills"));
  await page.keyboard.press("Control+g");
  await page.locator(".frame input").fill("Hills");
  await page.keyboard.press("Enter");
  await page.reload();
  await page.waitForSelector(".frame", { timeout: 5000 });
  assert.equal(await page.locator(".frame input").inputValue(), "Hills");
});

test("only who has the token, from the page's own address, is answered", async (t) => {
  const server = await serve(SMALL);
  t.after(() => server.stop());
  const { host, port } = new URL(server.url);
  const status = (path, headers) => new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { host, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on("error", reject).end();
  });
  const path = `/api/document?token=${server.token}`;
  assert.equal(await status(path, {}), 200);
  assert.equal(await status("/api/document", {}), 403);
  assert.equal(await status("/api/document?token=0123456789abcdef0123456789abcdef", {}), 403);
  assert.equal(await status(path, { host: "example.org" }), 403);
  assert.equal(await status(path, { origin: "http://example.org" }), 403);
  assert.equal(await status(path, { origin: server.origin }), 200);
});

test("a bake shows its root, which equals the command's", async (t) => {
  const { server, page } = await studio(t, SMALL);
  await page.click('button[aria-label="Bake"]');
  await page.locator("dialog input").first().fill("page");
  await page.click("dialog footer button.main");
  const root = await page.waitForSelector("dialog .root code", { timeout: 20_000 }).then((e) => e.textContent());
  const { stdout } = await promisify(execFile)(OROGEN, ["bake", server.file, "--out", join(server.folder, "command"), "--backend", "cpu", "--json"]);
  assert.ok(stdout.includes(root), `${root} is not in ${stdout}`);
});

test("a bake for a program shows its sizes first, names allowed ones in refusals, and equals the command's", async (t) => {
  const { server, page, errors } = await studio(t, SMALL);
  await page.click('button[aria-label="Bake"]');
  const dialog = page.locator("dialog[open]");
  await until(async () => (await dialog.locator(".plan p").first().textContent()).startsWith("4 tiles of 128² samples."), "the plan");
  await dialog.getByLabel("For", { exact: true }).selectOption("unity");
  await until(async () => /4 tiles of 129² samples, overlapping the next tile by 1; rows from the largest y/.test(await dialog.locator(".plan").textContent()), "Unity's");
  assert.equal(await dialog.getByLabel("Format", { exact: true }).inputValue(), "r16");
  assert.deepEqual(await dialog.getByLabel("Format", { exact: true }).locator("option").allTextContents(), ["r16"]);
  // A size that it does not take, and the nearest that it does.
  await dialog.getByLabel("Tile").fill("200");
  await dialog.getByLabel("Tile").press("Enter");
  const refusal = await until(() => dialog.locator("[role=alert]").textContent({ timeout: 5000 }), "the refusal");
  assert.match(refusal, /for unity: tile = 200 .* is not allowed; allowed: 129 samples \(--tile 128\), 257 samples \(--tile 256\)/);
  assert.ok(await dialog.locator("footer button.main").isDisabled());
  await dialog.getByLabel("Tile").fill("64");
  await dialog.getByLabel("Tile").press("Enter");
  await dialog.getByLabel("Folder").fill("unity");
  await until(async () => (await dialog.locator("[role=alert]").count()) === 0 && dialog.locator("footer button.main").isEnabled(), "an allowed size");
  await dialog.locator("footer button.main").click();
  const root = await page.waitForSelector("dialog .root code", { timeout: 20_000 }).then((e) => e.textContent());
  const alone = join(server.folder, "command");
  await promisify(execFile)(OROGEN, ["bake", server.file, "--out", alone, "--backend", "cpu", "--for", "unity", "--tile", "64"]);
  const made = async (folder, name) => readFile(join(folder, name), "utf8");
  const tiles = async (folder) => JSON.parse(await made(folder, "manifest.json")).tiles;
  assert.match(root, /^[0-9a-f]{64}$/);
  assert.deepEqual(await tiles(join(server.folder, "out/unity")), await tiles(alone));
  for (const name of ["IMPORT.md", "import.json"]) assert.equal(await made(join(server.folder, "out/unity"), name), await made(alone, name));
  // Refusals are answers, which the browser notes as failed requests.
  assert.deepEqual(errors.filter((error) => !/400/.test(error)), []);
});

test("the recipe can be had as a Python program", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click('button[aria-label="Export"]');
  await page.click("dialog [role=radio]:has-text('Python')");
  const program = await until(() => page.locator("pre.code:has-text('import orogen')").textContent(), "the program");
  assert.ok(program.includes('bumps = og.simplex(wavelength=300.0, seed=1).named("bumps")\nhills = bumps.fractal(octaves=5).named("hills")'), program);
});

test("a link holds the recipe", async (t) => {
  const { page, context, server } = await studio(t, SMALL);
  const changed = SMALL.replace("octaves = 5", "octaves = 3");
  await page.click("#tab-text");
  await page.click(".cm-line:has-text('octaves = 5')");
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("3");
  await page.click('button[aria-label="Share"]');
  const link = await until(() => page.locator(".sharelink").inputValue(), "the link");
  await page.close();
  const { page: other } = await open(browser, link, {}, context);
  await other.waitForSelector(".savestate.changed");
  assert.equal(await text(other), changed);
  assert.equal(await server.read(), SMALL);
});
