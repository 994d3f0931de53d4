// Compares every recipe of the gallery with the command's bits: parity.mjs MODULE...

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../../", import.meta.url).pathname;
const command = process.env.OROGEN ?? join(root, "target/debug/orogen");
const SIZE = 32;
const [module, ...others] = process.argv.slice(2);
// A module cannot be loaded twice into one process.
if (others.length > 0) {
  for (const one of [module, ...others]) execFileSync(process.execPath, [import.meta.filename, one], { stdio: "inherit" });
  process.exit();
}

const { init, Engine, Recipe } = await import("../dist/index.js");
await init({ simd: module === "simd" });
const work = mkdtempSync(join(tmpdir(), "orogen-parity-"));
const files = { "painted.png": readFileSync(join(root, "recipes/painted.png")) };
let [recipes, total] = [0, 0];
const wrong = [];
for (const file of readdirSync(join(root, "recipes")).filter((file) => file.endsWith(".toml")).sort()) {
  const text = readFileSync(join(root, "recipes", file), "utf8");
  recipes++;
  // Water is traced in the recipe's world, to which tile −1 does not belong.
  const traced = text.includes('kind = "drainage"');
  const low = traced ? 0 : -1;
  const tiles = traced ? "0..1,0..1" : "-1..1,0..1";
  execFileSync(command, ["bake", join(root, "recipes", file), "--out", join(work, file), "--tile", `${SIZE}`, `--tiles=${tiles}`, "--format", "r32", "--backend", "cpu"], { stdio: "ignore" });
  const expected = new Uint32Array(new Uint8Array(readFileSync(join(work, file, `x${low}_y0.r32`))).buffer);

  const recipe = Recipe.parse(text, { name: file, files });
  const wanted = recipe.tile(low, 0, { size: SIZE });
  const [columns, rows] = recipe.bake.tiles;
  const world = traced
    ? Array.from({ length: columns * rows }, (_, k) => recipe.tile(k % columns, Math.floor(k / columns)))
    : [wanted, recipe.tile(low + 1, 0, { size: SIZE })];
  const { output } = recipe.pipeline;
  const measured = Engine.shared().measure(recipe.pipeline, [output], world);
  const found = [measured.field(wanted)];
  // If the output is a node, the noise itself has the same bits.
  let noise;
  try { ({ noise } = recipe); } catch {}
  if (noise) found.push(noise.field(wanted));
  let differ = 0;
  for (const values of found) {
    const bits = new Uint32Array(values.buffer);
    if (bits.length !== expected.length) differ += expected.length;
    else for (let i = 0; i < bits.length; i++) differ += bits[i] === expected[i] ? 0 : 1;
  }
  total += expected.length;
  if (differ) wrong.push(`${file}: ${differ} of ${expected.length}`);
}
rmSync(work, { recursive: true });
console.log(`${module} (${Engine.shared().adapter}): ${wrong.length} of ${recipes} recipes differ; ${total} numbers compared`);
for (const line of wrong) console.log(`  ${line}`);
process.exit(wrong.length || recipes < 20 ? 1 : 0);
