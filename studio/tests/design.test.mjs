// People design terrain: by mouse, by keys, as text; nothing of theirs is lost on the way.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, card, drag, pixels, SMALL, studio as opened, text, until, whole } from "./studio.mjs";

let browser;
before(async () => {
  browser = await browse();
});
after(() => browser.close());

const studio = (t, recipe, options) => opened(t, browser, recipe, { waits: false, ...options });

async function add(page, kind) {
  await page.keyboard.press("Space");
  await page.waitForSelector(".palette input");
  await page.keyboard.type(kind);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.parameters .tag:text-is("${kind}")`);
}

test("the palette finds kinds by their names in other libraries", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await whole(page);
  await page.click(".graph");
  await page.keyboard.press("Space");
  await page.waitForSelector(".palette input");
  for (const [typed, kind] of [
    ["perlin fractal", "fractal"], ["Voronoi", "worley"], ["fbm", "fractal"], ["ridged", "fractal"], ["domain warp", "warp"],
    ["erosion droplets", "erosion"], ["hydraulic erosion", "hydraulic"], ["blur", "gaussian"], ["frequency", "frequency"], ["perlin", "perlin"],
  ]) {
    await page.fill(".palette input", typed);
    assert.equal(await page.locator(".palette li strong").first().textContent(), kind, typed);
  }
  assert.deepEqual(errors, []);
});

test("a terrain from an empty page, by keys and mouse", async (t) => {
  const { page, errors } = await studio(t, null);
  await whole(page);
  // A new file begins with a hill; it is taken away first.
  await page.click(".graph");
  await page.keyboard.press("Control+a");
  const begun = await page.locator(".react-flow__node-card").count();
  await add(page, "perlin");
  await add(page, "fractal");
  await add(page, "scale_offset");
  await page.click(card("scale_offset"));
  await page.keyboard.press("o");
  await page.waitForSelector(`${card("scale_offset")} em`);
  await add(page, "thermal");
  assert.equal(await page.locator(".react-flow__node-card").count(), begun + 4);
  await whole(page);
  const recipe = await text(page);
  assert.match(recipe, /output = "scale_offset"/);
  assert.match(recipe, /\[node\.fractal\][^[]*of = "perlin"/);
  assert.match(recipe, /\[stage\.thermal\][^[]*of = "scale_offset"/);
  assert.ok((await pixels(page)).colours > 100);
  assert.deepEqual(errors, []);
});

test("a wire by mouse; what does not fit is refused in words", async (t) => {
  const { page } = await studio(t, `${SMALL}\n[stage.soft]\nkind = "gaussian"\nof = "hills"\n\n[node.flat]\nkind = "abs"\nof = 0.0\n`);
  await whole(page);
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await page.keyboard.press("f");
  await page.waitForTimeout(300);
  const wire = async (from, to) => {
    await page.locator(from).hover();
    await page.mouse.down();
    const box = await page.locator(to).boundingBox();
    await page.mouse.move(box.x + box.width / 2 + 6, box.y + 6, { steps: 4 });
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
  };
  await wire(`${card("bumps")} .react-flow__handle.source`, `${card("flat")} .react-flow__handle.target`);
  await until(async () => /\[node\.flat\][^[]*of = "bumps"/.test(await text(page)), "the wire");
  await wire(`${card("soft", "stage")} .react-flow__handle.source`, `${card("flat")} .react-flow__handle.target`);
  await until(async () => /\[node\.flat\][^[]*of = "soft"/.test(await text(page)), "the wire from a stage");
  await wire(`${card("soft", "stage")} .react-flow__handle.source`, `${card("hills")} .react-flow__handle.target[data-handleid="of"]`);
  await page.waitForSelector(".toasts p.bad:has-text('away from the sample')");
});

test("a slider changes the picture and is one step of undo", async (t) => {
  const { page, errors } = await studio(t, SMALL);
  await whole(page);
  await page.click(card("hills"));
  const first = await whole(page);
  const before = await pixels(page);
  await drag(page, "hills gain", 0.8);
  const second = await whole(page, first);
  const after = await pixels(page);
  assert.notEqual(before.sum, after.sum);
  assert.match(await text(page), /gain = /);
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await page.keyboard.press("Control+z");
  await page.click(card("hills"));
  assert.equal(await whole(page, second), first);
  assert.equal(await text(page), SMALL);
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await page.keyboard.press("Control+Shift+Z");
  await until(async () => /gain = /.test(await text(page)), "redo");
  assert.deepEqual(errors, []);
});

test("a mistake in the text has its line and its node, and the picture stays", async (t) => {
  const { page } = await studio(t, SMALL);
  await whole(page);
  const before = await pixels(page);
  await page.click("#tab-text");
  await page.click(".cm-line:has-text('octaves = 5')");
  await page.keyboard.press("End");
  await page.keyboard.type("99");
  await page.waitForSelector(".cm-lint-marker-error");
  await page.waitForSelector(".text .fault:has-text('octaves')");
  assert.equal(await page.locator(".banner").count(), 1);
  assert.deepEqual(await pixels(page), before);
  await page.click("#tab-graph");
  await page.waitForSelector(`${card("hills")} .card.faulty`);
  await page.click("#tab-text");
  await page.click(".cm-line:has-text('octaves = 599')");
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.waitForSelector(".banner", { state: "detached" });
  assert.equal(await text(page), SMALL);
});

test("rename, duplicate and delete keep comments and order", async (t) => {
  const { page } = await studio(t, SMALL);
  await whole(page);
  await page.click(card("bumps"));
  await page.keyboard.press("F2");
  await page.keyboard.type("waves");
  await page.keyboard.press("Enter");
  await page.waitForSelector(card("waves"));
  let recipe = await text(page);
  assert.equal(recipe, SMALL.replaceAll("bumps", "waves"));
  await page.click(card("waves"));
  await page.keyboard.press("Control+d");
  await page.waitForSelector(card("waves_2"));
  recipe = await text(page);
  assert.ok(recipe.includes("# What the hills are made of.") && recipe.includes("# wide") && recipe.includes("[node.waves_2]"));
  await page.click(`${card("waves_2")} header`);
  await page.keyboard.press("Delete");
  await page.waitForSelector(card("waves_2"), { state: "detached" });
  recipe = await text(page);
  for (const comment of SMALL.match(/#.*/g)) assert.ok(recipe.includes(comment), comment);
});

test("before and after share the picture", async (t) => {
  const { page } = await studio(t, SMALL);
  await whole(page);
  await page.click(card("hills"));
  const first = await whole(page);
  await page.click('button[aria-label="Compare with the current state"]');
  await page.waitForSelector(".wiper");
  await drag(page, "hills gain", 0.95);
  await whole(page, first);
  const both = await pixels(page);
  await page.locator(".wiper").focus();
  for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(200);
  assert.notEqual((await pixels(page)).sum, both.sum);
});

test("a table that nodes share: no picture is asked of it, wires by hand, and what it gave stays when it goes", async (t) => {
  const { page, errors } = await studio(t, `${SMALL}\n[node.curve]\nkind = "spline"\nof = "hills"\npoints = [{ at = -1.0, value = 0.0 }, { at = 1.0, value = 9.0 }]\n`);
  const asked = [];
  page.on("request", (request) => /\/api\/(layers|samples|measure)\//.test(request.url()) && asked.push(decodeURIComponent(request.url())));
  const failed = [];
  page.on("response", (answer) => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`));
  await whole(page);
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await add(page, "octave_table");
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await add(page, "point_table");
  for (const name of ["octave_table", "point_table"]) {
    assert.equal(await page.locator(`${card(name)} canvas.thumb`).count(), 0);
    assert.equal(await page.locator(`${card(name)} .react-flow__handle.source.table`).count(), 1);
  }
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await page.keyboard.press("f");
  await page.waitForTimeout(300);
  const wire = async (from, to, param) => {
    await page.locator(`${card(from)} .react-flow__handle.source`).hover();
    await page.mouse.down();
    const box = await page.locator(`${card(to)} .react-flow__handle[data-handleid="${param}"]`).boundingBox();
    await page.mouse.move(box.x + box.width / 2 + 6, box.y + 6, { steps: 4 });
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
  };
  const edge = (from, to, param) => page.waitForSelector(`.react-flow__edge.wire.table[aria-label="${from} to node.${to}.${param}"]`, { state: "attached" });
  await wire("octave_table", "hills", "table");
  await edge("octave_table", "hills", "table");
  await wire("point_table", "curve", "table");
  await edge("point_table", "curve", "table");
  const wired = await text(page);
  assert.match(wired, /\[node\.hills\][^[]*table = "octave_table"/);
  assert.match(wired, /\[node\.curve\][^[]*table = "point_table"/);
  assert.doesNotMatch(wired, /\[node\.curve\][^[]*points =/);
  // At the end of a wire out of a table's input there are tables of its kind, and nothing else.
  const port = await page.locator(`${card("hills")} .react-flow__handle[data-handleid="table"]`).boundingBox();
  await page.mouse.move(port.x + port.width / 2, port.y + port.height / 2);
  await page.mouse.down();
  await page.mouse.move(port.x - 40, port.y + 120, { steps: 5 });
  await page.mouse.up();
  await page.waitForSelector(".palette");
  assert.deepEqual(await page.locator(".palette li strong").allTextContents(), ["octave_table"]);
  await page.keyboard.press("Escape");
  // A table cannot be wired to an input of values, nor values to an input of a table.
  await wire("point_table", "hills", "of");
  await page.waitForSelector(".toasts p.bad:has-text('of takes one value; this is a table.')");
  // The main picture of a table that is chosen is what is shown otherwise.
  await page.click(card("octave_table"));
  await page.waitForSelector('.parameters .tag:text-is("octave_table")');
  await whole(page);
  await page.waitForTimeout(800);
  await page.click(".graph", { position: { x: 5, y: 5 } });
  await page.click(card("point_table"));
  await page.keyboard.press("Delete");
  await until(async () => /\[node\.curve\][^[]*points = \[/.test(await text(page)), "the spline's own points");
  assert.doesNotMatch(await text(page), /point_table/);
  assert.equal(await page.locator(".card.faulty").count(), 0);
  assert.ok(asked.length > 0 && !asked.some((url) => /_table/.test(url)), String(asked.filter((url) => /_table/.test(url))));
  assert.deepEqual(failed, []);
  assert.deepEqual(errors, []);
});
