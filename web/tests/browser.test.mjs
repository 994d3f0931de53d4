// The packed package in headless Chromium: as files of a static server, and out of bundlers. The server's content-security policy
// allows WebAssembly, and no code made of text.
//
//     OROGEN_BUNDLERS=esbuild node --test tests/browser.test.mjs     by default all three

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { baked, files } from "./baked.mjs";
import { serve } from "./serve.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const { chromium } = createRequire(join(here, "../../studio/package.json"))("playwright-core");
/** A package of tests/bundlers; only the tests that use it need it. */
const bundler = async (name) => import(pathToFileURL(createRequire(join(here, "bundlers/package.json")).resolve(name)).href);
const wanted = (process.env.OROGEN_BUNDLERS ?? "esbuild,vite,webpack").split(",");

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";
const html = (attributes = "", script = "page.js") =>
  `<!doctype html><html lang="en"${attributes}><title>orogen</title><link rel="icon" href="data:,"><script type="module" src="./${script}"></script></html>`;

let browser, work, packed;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  work = await mkdtemp(join(tmpdir(), "orogen-browser-"));
  // As npm installs it.
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", work], { cwd: join(here, ".."), encoding: "utf8" }));
  packed = join(work, "node_modules/orogen");
  await mkdir(packed, { recursive: true });
  execFileSync("tar", ["xf", join(work, filename), "--strip-components", "1", "-C", packed]);
  for (const file of ["page.js", "tile.mjs"]) await cp(join(here, file), join(work, file));
});

after(async () => {
  await browser.close();
  await rm(work, { recursive: true });
});

/** Serves a folder, and opens its page. */
async function opened(t, folder) {
  const { base, asked, close } = await serve(folder, { "content-security-policy": POLICY });
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  t.after(async () => {
    await context.close();
    await close();
  });
  await page.goto(base);
  await page.waitForFunction(() => globalThis.result, null, { timeout: 30_000 }).catch(() => assert.fail(`the page did not start: ${complaints.join("; ")}; asked for ${asked.join(", ")}`));
  const result = await page.evaluate(() => globalThis.result);
  return { page, result, complaints, asked };
}

/** Checks that hold for every page. */
function complete({ result, complaints, asked }) {
  assert.equal(result.failed, undefined);
  assert.equal(result.count, 4096);
  assert.ok(result.colours > 1000);
  assert.deepEqual([...result.pool, result.shifted], [0, 0, 0]);
  assert.equal(result.cancelled, "enough");
  assert.ok(result.waited < 5000, `cancelled after ${result.waited} ms`);
  assert.match(result.wrong, /wavelength = -1.*allowed: /);
  assert.ok(result.strict, "the policy did not refuse code made of text");
  // The policy's own refusal of that code is reported, and nothing else.
  assert.deepEqual(complaints.filter((text) => !/unsafe-eval/.test(text)), []);
  // One module, once: workers receive it from the page.
  assert.equal(asked.filter((path) => path.endsWith(".wasm")).length, 1, asked.join(", "));
}

test("files of a static server, and the command's bits", async (t) => {
  const folder = join(work, "static");
  await mkdir(folder);
  await cp(packed, join(folder, "orogen"), { recursive: true });
  await cp(join(work, "tile.mjs"), join(folder, "tile.mjs"));
  // A browser needs an address in place of the package's name.
  await writeFile(join(folder, "page.js"), (await readFile(join(work, "page.js"), "utf8")).replace('"orogen"', '"./orogen/dist/web.js"'));
  await writeFile(join(folder, "index.html"), html());
  const seen = await opened(t, folder);
  complete(seen);
  assert.ok(seen.asked.includes("orogen/dist/module/simd.wasm"));
  for (const file of ["alps.toml", "caves.toml", "painted.toml", "watershed.toml"]) {
    const { text, expected } = baked(file);
    const bytes = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, [...bytes]]));
    const differ = await seen.page.evaluate((one) => globalThis.compare(one), { name: file, text, files: bytes, expected: [...expected] });
    assert.ok(differ.length > 0 && differ.every((count) => count === 0), `${file}: ${differ} of ${expected.length} numbers differ`);
  }
});

test("esbuild", { skip: !wanted.includes("esbuild") }, async (t) => {
  // It emits neither workers nor modules by their addresses: the worker is an entry point, and the page names the module.
  const { build } = createRequire(join(here, "../../studio/package.json"))("esbuild");
  const out = join(work, "esbuild");
  const entryPoints = { page: join(work, "page.js"), "worker.web": "orogen/worker" };
  await build({ absWorkingDir: work, entryPoints, outdir: out, bundle: true, minify: true, format: "esm", logLevel: "error" });
  await cp(join(packed, "dist/module/simd.wasm"), join(out, "orogen.wasm"));
  await writeFile(join(out, "index.html"), html(' data-module="./orogen.wasm"'));
  complete(await opened(t, out));
});

test("Vite", { skip: !wanted.includes("vite") }, async (t) => {
  const { build } = await bundler("vite");
  await writeFile(join(work, "index.html"), html());
  const out = join(work, "vite");
  await build({ root: work, base: "./", configFile: false, logLevel: "error", build: { outDir: out, modulePreload: false, assetsInlineLimit: 0 } });
  complete(await opened(t, out));
});

test("webpack", { skip: !wanted.includes("webpack") }, async (t) => {
  const { default: webpack } = await bundler("webpack");
  const out = join(work, "webpack");
  const options = { mode: "production", context: work, entry: "./page.js", output: { path: out, filename: "page.js" }, performance: { hints: false } };
  const stats = await new Promise((resolve, reject) => webpack(options, (error, stats) => (error ? reject(error) : resolve(stats))));
  assert.deepEqual(stats.toJson({ errors: true }).errors.map(({ message }) => message), []);
  await writeFile(join(out, "index.html"), html());
  complete(await opened(t, out));
});
