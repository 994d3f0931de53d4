// Shared helpers of the tests: a server with a temporary folder, a browser, and queries on the page.

import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const OROGEN = process.env.OROGEN;
if (!OROGEN) throw new Error("set OROGEN to the path of the orogen binary");

const recipes = join(dirname(fileURLToPath(import.meta.url)), "../../recipes");

export async function recipe(name) {
  return readFile(join(recipes, `${name}.toml`), "utf8");
}

/** A small recipe with comments, which edits must keep. */
export const SMALL = `# The one comment at the top.
output = "hills"

# What the hills are made of.
[node.bumps]
kind = "simplex"
wavelength = 300.0 # wide
seed = 1

# --- The hills. ---
[node.hills]
kind = "fractal"
of = "bumps"
octaves = 5

[bake]
tile = 128
tiles = [2, 2]
spacing = 1.0
`;

/** Serves a text (null: no file yet) from a folder that `stop` removes. `again` ends the server and starts another at the same port. */
export async function serve(text) {
  const folder = await mkdtemp(join(tmpdir(), "orogen-studio-"));
  const file = join(folder, "land.toml");
  if (text !== null) await writeFile(file, text);
  const server = { folder, file, read: () => readFile(file, "utf8") };
  const start = async (port) => {
    const child = spawn(OROGEN, ["serve", file, "--port", port, "--backend", "cpu", "--out", join(folder, "out")], {
      env: { ...process.env, XDG_RUNTIME_DIR: folder }, stdio: ["ignore", "pipe", "pipe"],
    });
    const url = await address(child);
    Object.assign(server, { child, url, origin: new URL(url).origin, token: new URL(url).searchParams.get("token") });
  };
  const end = async () => {
    const ended = new Promise((resolve) => server.child.once("exit", resolve));
    server.child.kill("SIGINT");
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))]);
    server.child.kill("SIGKILL");
    await ended;
  };
  server.again = async () => {
    await end();
    await start(new URL(server.url).port);
  };
  server.stop = async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  };
  await start("0");
  return server;
}

/** The URL that a server prints when it listens. */
function address(child) {
  let said = "";
  return new Promise((resolve, reject) => {
    const hear = (bytes) => {
      said += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
}

/** `mesh`: with WebGL, in software. Everything else is faster without. */
export async function browse(mesh = false) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      ...(mesh ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu"]),
    ],
  });
}

/** A page in a profile of its own; `errors` collects what it complains of. */
export async function open(browser, url, options = {}, within = null) {
  const context = within ?? await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark", ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  return { page, context, errors };
}

/** Waits until every tile of the picture is there; `other` than a picture seen before, if given. */
export async function whole(page, other = null) {
  await page.waitForFunction(
    (before) => {
      const canvas = document.querySelector("canvas.pixels");
      return canvas?.dataset.whole === "true" && canvas.dataset.key !== "" && canvas.dataset.key !== before;
    },
    other, { timeout: 20_000, polling: 20 },
  );
  return shown(page);
}

export function shown(page) {
  return page.evaluate(() => document.querySelector("canvas.pixels").dataset.key);
}

/** A number that changes with the pixels of a canvas, and how many colours there are. */
export function pixels(page, selector = "canvas.pixels") {
  return page.evaluate((which) => {
    const canvas = document.querySelector(which);
    const small = document.createElement("canvas");
    [small.width, small.height] = [96, 96];
    const context = small.getContext("2d");
    context.drawImage(canvas, 0, 0, 96, 96);
    const { data } = context.getImageData(0, 0, 96, 96);
    const colours = new Set();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) % 4294967291;
    }
    return { sum, colours: colours.size };
  }, selector);
}

/** The text of the recipe, as the editor shows it. */
export async function text(page) {
  await page.click("#tab-text");
  await page.waitForSelector(".cm-content");
  const all = await page.evaluate(() => {
    // Lines outside the view are not in the document; the editor's own state has all of them.
    const tile = document.querySelector(".cm-content").cmTile ?? document.querySelector(".cm-content").cmView;
    return (tile.view ?? tile.rootView?.view ?? tile.root?.view).state.doc.toString();
  });
  await page.click("#tab-graph");
  return all;
}

export function card(name, table = "node") {
  return `.react-flow__node[data-id="${table}.${name}"]`;
}

/** Drags a slider from where it is to a share of its length. */
export async function drag(page, label, to, steps = 6) {
  const slider = page.locator(`input[type=range][aria-label="${label}"]`);
  const box = await slider.boundingBox();
  const at = Number(await slider.inputValue()) / Number(await slider.getAttribute("max"));
  const x = (share) => box.x + 6 + share * (box.width - 12);
  await page.mouse.move(x(at), box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(x(at + ((to - at) * i) / steps), box.y + box.height / 2);
    await page.waitForTimeout(25);
  }
  await page.mouse.up();
}

export async function until(check, what, limit = 8000) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** A server and a page for one test, gone with it; by default once the picture is whole. */
export async function studio(t, browser, text, { waits = true, ...options } = {}) {
  const server = await serve(text);
  const { page, context, errors } = await open(browser, server.url, options);
  t.after(async () => {
    await context.close();
    await server.stop();
  });
  if (waits) await whole(page);
  return { server, page, context, errors };
}

/**
 * Gives a page a `hand`. `slide(value)` moves a slider of alps, and returns the time of the frame after the next painted picture.
 * `whole()` waits until the picture is complete.
 */
export async function hand(page) {
  await page.evaluate(async () => {
    const canvas = document.querySelector("canvas.pixels");
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const until = (check) => new Promise((resolve) => {
      const look = () => (check() ? resolve() : requestAnimationFrame(look));
      look();
    });
    document.querySelector('.react-flow__node[data-id="node.bent"] header').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const find = () => document.querySelector('input[aria-label="bent strength"]');
    await until(find);
    window.hand = {
      slider: find(),
      whole: () => until(() => canvas.dataset.whole === "true"),
      slide: async (value) => {
        const before = canvas.dataset.key;
        const another = () => canvas.dataset.key !== before && canvas.dataset.key !== "";
        let painted = null;
        const watcher = new MutationObserver(() => {
          if (another()) painted ??= performance.now();
        });
        watcher.observe(canvas, { attributes: true });
        set.call(find(), String(value));
        find().dispatchEvent(new Event("input", { bubbles: true }));
        await until(another);
        watcher.disconnect();
        return painted ?? performance.now();
      },
    };
  });
}
