// Cards, numbers, places, variations and bakes do as an artist expects.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, card, pixels, SMALL, studio as opened, text, until, whole } from "./studio.mjs";

let browser;
before(async () => (browser = await browse()));
after(() => browser.close());
const studio = (t, text, options) => opened(t, browser, text, options);

/** A recipe with a stage around a centre, a mask and a colour. */
const LAND = `${SMALL.replace('output = "hills"', 'output = "painted"').replace("octaves = 5", "octaves = 5\n")}
[node.high]
kind = "smoothstep"
of = "hills"
low = 0.0
high = 0.5

[stage.island]
kind = "dropoff"
of = "hills"
centre = [64.0, 64.0, 0.0]
radius = 60.0
width = 40.0

[stage.painted]
kind = "colour"
by = "island"
map = "viridis"
`;

async function add(page, typed, kind) {
  await page.keyboard.press("Space");
  await page.waitForSelector(".palette input");
  await page.keyboard.type(typed);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.parameters .tag:text-is("${kind}")`);
}

const field = (page, label) => page.locator(`input.number[aria-label="${label}"]`);
const toast = (page, part) => page.waitForSelector(`.toasts p:has-text("${part}")`);
const selected = (page) => page.locator(".react-flow__node-card .card.selected").count();

test("cards added one after another form a chain, lie in view, and only the new one is selected", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await page.click(card("hills"));
  for (const kind of ["gaussian", "median", "normalise"]) await add(page, kind, kind);
  const recipe = await text(page);
  for (const [name, of] of [["gaussian", "hills"], ["median", "gaussian"], ["normalise", "median"]]) {
    assert.match(recipe, new RegExp(`\\[stage\\.${name}\\]\\nkind = "${name}"\\nof = "${of}"`));
  }
  await until(async () => (await selected(page)) === 1, "one selected card");
  const box = await page.locator(card("normalise", "stage")).boundingBox();
  const graph = await page.locator(".graph").boundingBox();
  assert.ok(box.x >= graph.x && box.x + box.width <= graph.x + graph.width && box.y >= graph.y && box.y + box.height <= graph.y + graph.height);
  assert.deepEqual(errors, []);
});

test("a plain click leaves one card selected, Escape none", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click(card("hills"));
  await page.click(card("bumps"), { modifiers: ["Shift"] });
  await until(async () => (await selected(page)) === 2, "two selected cards");
  await page.click(card("bumps"));
  await until(async () => (await selected(page)) === 1, "one selected card");
  await page.keyboard.press("Escape");
  await until(async () => (await selected(page)) === 0, "no selected card");
  assert.equal(await page.locator(".react-flow__node-card").count(), 2);
});

test("all cards can be deleted, and work goes on from the empty graph", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await page.click(".graph .react-flow__pane", { position: { x: 8, y: 8 } });
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await until(async () => (await page.locator(".react-flow__node-card").count()) === 0, "no cards");
  await add(page, "perlin", "perlin");
  await whole(page);
  assert.match(await text(page), /output = "perlin"/);
  await page.click(".graph .react-flow__pane", { position: { x: 8, y: 8 } });
  for (let n = 0; n < 2; n++) await page.keyboard.press("Control+z");
  await until(async () => (await page.locator(".react-flow__node-card").count()) === 2, "the old cards");
  assert.deepEqual(errors, []);
});

test("deleting a card in the middle joins its neighbours; an input that reads nothing is named", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click(card("hills"));
  for (const kind of ["gaussian", "median"]) await add(page, kind, kind);
  await page.click(card("gaussian", "stage"));
  await page.keyboard.press("Delete");
  await until(async () => /\[stage\.median\]\nkind = "median"\nof = "hills"/.test(await text(page)), "median of hills");
  await page.locator(".graph").focus();
  await page.keyboard.press("f");
  await page.click(card("bumps"));
  await page.keyboard.press("Delete");
  await toast(page, "hills.of reads 0 now");
});

test("numbers: calculations and commas are understood, what is not allowed is refused with the reason", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click(card("hills"));
  const octaves = field(page, "hills octaves, number");
  for (const typed of ["1e9", "banana", "60.5", "2*"]) {
    await octaves.fill(typed);
    await octaves.press("Enter");
    await toast(page, `${typed} is not allowed; allowed: whole numbers from 1 to 32`);
    assert.equal(await octaves.inputValue(), typed);
    assert.equal(await octaves.getAttribute("aria-invalid"), "true");
  }
  await octaves.press("Escape");
  assert.equal(await octaves.inputValue(), "5");
  for (const [typed, value] of [["2*3", "6"], ["(1+2)^2 − 1", "8"]]) {
    await octaves.fill(typed);
    await octaves.press("Enter");
    await until(async () => (await octaves.inputValue()) === value, `${typed} = ${value}`);
  }
  const gain = field(page, "hills gain, number");
  await gain.fill("0,25");
  await gain.press("Enter");
  await until(async () => /gain = 0.25/.test(await text(page)), "a decimal comma");
});

test("a centre and a radius are set by clicks on the map", async (t) => {
  const { page } = await studio(t, LAND);
  await page.click(card("island", "stage"));
  const before = await pixels(page, "canvas.marks");
  await page.click('button[aria-label="Set island centre on the map"]');
  const map = await page.locator(".map").boundingBox();
  await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2);
  const perPixel = Number((await page.locator(".probe .far").textContent()).split(" ")[0]);
  await until(async () => {
    const [x, y, z] = /centre = \[(.*)\]/.exec(await text(page))[1].split(",").map(Number);
    return Math.abs(x - 128) <= perPixel && Math.abs(y - 128) <= perPixel && z === 0;
  }, "the centre in the middle of the world");
  await until(async () => (await pixels(page, "canvas.marks")).sum !== before.sum, "the mark moved");
  await page.click('button[aria-label="Set island radius on the map"]');
  await page.mouse.click(map.x + map.width / 2 + 50, map.y + map.height / 2);
  await until(async () => {
    const radius = Number(/radius = ([\d.]+)/.exec(await text(page))[1]);
    return Math.abs(radius - 50 * perPixel) <= 2 * perPixel;
  }, "the radius");
  // Escape gives it up.
  await page.click('button[aria-label="Set island radius on the map"]');
  await page.locator(".map").focus();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".banner").count(), 0);
});

test("masks are grey, and a colour is shown with its height", async (t) => {
  const { page } = await studio(t, LAND);
  const grey = () => page.evaluate(() => {
    const { data } = document.querySelector("canvas.pixels").getContext("2d").getImageData(40, 40, 200, 200);
    let even = 0;
    for (let i = 0; i < data.length; i += 4) even += data[i] === data[i + 1] && data[i + 1] === data[i + 2] ? 1 : 0;
    return even / (data.length / 4);
  });
  await page.selectOption("select.layer", "=hills");
  await until(async () => (await grey()) < 0.1, "landscape colours");
  await page.selectOption("select.layer", "=high");
  await until(async () => (await grey()) === 1, "greys");
  await page.selectOption("select.layer", "=painted");
  await whole(page);
  const map = await page.locator(".map").boundingBox();
  await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2, { steps: 3 });
  await until(async () => /#[0-9a-f]{6}.*island [−-]?[\d.]+/.test(await page.locator(".probe").textContent()), "colour and height");
});

test("the palette finds kinds by what they are for", async (t) => {
  const { page } = await studio(t, SMALL);
  await page.click(".graph");
  await page.keyboard.press("Space");
  await page.waitForSelector(".palette input");
  for (const [typed, kinds] of [
    ["mountain", ["fractal", "stream_power"]], ["snow", ["snow"]], ["lake", ["drainage"]], ["river", ["drainage", "channel"]],
    ["invert", ["scale_offset", "curve"]], ["levels", ["smoothstep", "curve", "mask"]], ["beach", ["beach"]], ["shore", ["distance", "beach"]],
  ]) {
    await page.fill(".palette input", typed);
    const found = (await page.locator(".palette li strong").allTextContents()).slice(0, kinds.length + 1);
    for (const kind of kinds) assert.ok(found.includes(kind), `${typed}: ${kind} in ${found}`);
  }
});

test("nine variations next to each other; a click takes one, undo brings the recipe back", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  const before = await text(page);
  await page.click('button[aria-label="Variations"]');
  await until(async () => (await page.locator(".variations canvas[data-drawn]").count()) === 9, "nine pictures", 20_000);
  const sums = await page.evaluate(() => [...document.querySelectorAll(".variations canvas")].map((c) => c.getContext("2d").getImageData(0, 0, 64, 64).data.join()));
  assert.equal(new Set(sums).size, 9);
  assert.equal(await page.evaluate(() => document.querySelectorAll(".react-flow__node-card").length), 2);
  await page.click('button[aria-label="Variation 3"]');
  await until(async () => /seed = [0-9"]{3,}/.test(await text(page)), "another seed");
  assert.ok((await text(page)).includes("# What the hills are made of."));
  await page.click(".graph .react-flow__pane", { position: { x: 8, y: 8 } });
  await page.keyboard.press("Control+z");
  await until(async () => (await text(page)) === before, "the old seeds");
  await page.click(card("bumps"));
  await page.click('button[aria-label="Pictures of seed"]');
  await until(async () => (await page.locator(".variations canvas[data-drawn]").count()) === 9, "nine seeds", 20_000);
  await page.click('button[aria-label="Seed plus 4"]');
  await until(async () => /seed = 5\n/.test(await text(page)), "seed 1 + 4");
  assert.deepEqual(errors, []);
});

test("layers and weights of a bake are chosen in its dialogue", async (t) => {
  const { page, server } = await studio(t, LAND);
  await page.click('button[aria-label="Bake"]');
  await page.locator('.form > label input').first().fill("out1");
  await page.check('input[aria-label="Write hills"]');
  await page.check('input[aria-label="Write high"]');
  await page.check('input[aria-label="Write island"]');
  await page.check('input[aria-label="high is a weight"]');
  await page.check('input[aria-label="island is a weight"]');
  await page.waitForSelector('.plan code:text-is("high+island")');
  await page.click("dialog footer .main");
  await page.waitForSelector("dialog .root code", { timeout: 30_000 });
  const folders = await readdir(join(server.folder, "out", "out1"));
  assert.ok(folders.some((name) => name.includes("high_island")), folders.join());
});
