// Variables, expressions, and recipes used as nodes of others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, card, studio as opened, text, until } from "./studio.mjs";

let browser;
before(async () => {
  browser = await browse();
});
after(() => browser.close());

const NESTED = `output = "sum"

[variables]
high = { value = 90.0, range = [0.0, 900.0], description = "Height" }

[node.peak] # stays
kind = "recipe"
preset = "mountain"
height = "high * 2"

[node.sum]
kind = "scale_offset"
of = "peak"
offset = 5.0

[bake]
tile = 128
tiles = [2, 2]
spacing = 32.0
`;

test("a recipe in a recipe is one card with its variables, and expressions are kept", async (t) => {
  const { server, page, errors } = await opened(t, browser, NESTED);
  await page.click(card("peak"));
  const height = page.getByLabel("peak height, expression");
  assert.equal(await height.inputValue(), "high * 2");
  assert.ok(await page.getByLabel("peak roughness, number").isVisible());
  await height.fill("high * 3");
  await height.press("Enter");
  await until(async () => (await text(page)) === NESTED.replace("high * 2", "high * 3"), "the new expression");

  // A number becomes an expression where it names a variable.
  await page.click(card("sum"));
  const offset = page.getByLabel("sum offset, number");
  await offset.fill("high / 3");
  await offset.press("Enter");
  await until(async () => (await text(page)).includes('offset = "high / 3"'), "an expression");

  // Variables are with the recipe's settings.
  await page.locator(".react-flow__pane").click({ position: { x: 5, y: 5 } });
  const variable = page.getByLabel("Variable high");
  await variable.fill("120");
  await variable.press("Enter");
  await until(async () => (await text(page)).includes("value = 120.0"), "the variable");
  await page.keyboard.press("Control+s");
  await until(async () => (await server.read()).includes("value = 120.0"), "the file");
  assert.ok((await server.read()).includes("[node.peak] # stays"));
  assert.deepEqual(errors ?? [], []);
});

test("presets are in the palette", async (t) => {
  const { page } = await opened(t, browser, NESTED);
  await page.click(card("sum"));
  await page.keyboard.press("Space");
  await page.getByLabel("Search kinds").fill("volcano");
  await page.keyboard.press("Enter");
  await page.waitForSelector(card("volcano"));
  await until(async () => (await text(page)).includes('[node.volcano]\nkind = "recipe"\npreset = "volcano"'), "the node");
});
