// Bakes a recipe's tiles on all cores, into raw 32-bit numbers: node bake.mjs RECIPE FOLDER. The files are those of
// `orogen bake RECIPE --out FOLDER --format r32`, bit for bit.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Engine, init, Pool, Recipe } from "orogen";

const [file, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node bake.mjs RECIPE FOLDER");
await init();
const recipe = Recipe.parse(await readFile(file, "utf8"), { name: basename(file) });
const { pipeline } = recipe;
const [columns, rows] = recipe.bake.tiles;
const tiles = Array.from({ length: columns * rows }, (_, k) => ({ x: k % columns, y: Math.floor(k / columns) }));

// Stages may ask about the whole world, its lowest height say. They are answered once, for all tiles.
const world = tiles.map(({ x, y }) => recipe.tile(x, y));
const measured = Engine.shared().measure(pipeline, [pipeline.output], world);

await mkdir(folder, { recursive: true });
const pool = new Pool();
await Promise.all(tiles.map(async ({ x, y }) => {
  const found = await pool.layers(measured, [pipeline.output], recipe.tile(x, y));
  await writeFile(join(folder, `x${x}_y${y}.r32`), found[pipeline.output].values);
}));
pool.close();
console.log(`${tiles.length} tiles of ${recipe.bake.tile}² samples`);
