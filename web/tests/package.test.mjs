// The package in Node.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import * as orogen from "../dist/node.js";

test("calls before init are refused", () => {
  assert.throws(() => orogen.simplex(), /orogen is not loaded; await init\(\) first/);
});

const { init, Noise, Pipeline, Pool, Recipe, Engine, simplex, stage } = orogen;
const hills = () => simplex({ wavelength: 300, seed: 7 }).fractal({ octaves: 5 }).named("hills");

test("a field, its points and its view agree, within the proven range", async () => {
  await init();
  const noise = hills();
  const field = noise.field({ x: -3, y: 5, width: 40, height: 30, spacing: 2 });
  assert.equal(field.length, 1200);
  assert.deepEqual(noise.fieldView({ x: -3, y: 5, width: 40, height: 30, spacing: 2 }).slice(), field);
  const [low, high] = noise.range();
  assert.ok(field.every((value) => value >= low && value <= high));
  assert.ok(new Set(field).size > 1000);
  assert.equal(noise.value(-6, 10), field[0]);
  assert.deepEqual(noise.sample([-6, 10, 0, -4, 10, 0]), field.slice(0, 2));
  const out = new Float32Array(1200);
  assert.equal(noise.field({ x: -3, y: 5, width: 40, height: 30, spacing: 2 }, out), out);
  assert.deepEqual(out, field);
  const { values, gradients } = noise.fieldWithGradient({ width: 8, height: 8 });
  assert.equal(gradients.length, 192);
  const slope = (noise.value(0.01, 0) - noise.value(-0.01, 0)) / 0.02;
  assert.ok(Math.abs(gradients[0] - slope) < 1e-3 && values[0] === noise.value(0, 0));
});

test("live numbers change the noise, and only then", () => {
  const noise = hills();
  const before = noise.field({ width: 8, height: 8 });
  noise.set("hills.gain", 0.7);
  assert.equal(noise.get("hills.gain"), 0.7);
  assert.notDeepEqual(noise.field({ width: 8, height: 8 }), before);
  noise.set("hills.gain", 0.5);
  assert.deepEqual(noise.field({ width: 8, height: 8 }), before);
  assert.equal(hills().set("simplex.seed", 2n ** 60n).get("simplex.seed"), 2 ** 60);
});

test("errors are the engine's, with what is allowed", () => {
  const noise = hills();
  assert.throws(() => simplex({ wavelength: -1 }), /wavelength = -1.*allowed: /);
  assert.throws(() => simplex({ wavelength: Number.NaN }), /wavelength = NaN is not allowed; allowed: finite numbers/);
  assert.throws(() => simplex({ wavelenght: 1 }), /wavelenght/);
  assert.throws(() => noise.set("hills.octavs", 3), /octav/);
  assert.throws(() => noise.field({ width: 0, height: 4 }), /region: .* allowed: /);
  assert.throws(() => noise.field({ x: 0.5, width: 4, height: 4 }), /region: x = 0.5 is not allowed; allowed: whole numbers/);
  assert.throws(() => noise.field({ width: 65535, height: 65535 }), /not enough memory for 4294836225 samples/);
  assert.throws(() => noise.field({ width: 4, height: 4 }, new Float32Array(3)), /out: length = 3 is not allowed; allowed: 16/);
  assert.throws(() => noise.value(Number.NaN, 0), /point 0: .* allowed: finite numbers/);
  assert.throws(() => new Engine({ backend: "gpu" }), /this backend is not available here; allowed: cpu, oracle/);
  assert.throws(() => Recipe.parse("output = 3", { name: "mine.toml" }), /mine\.toml:1/);
  assert.throws(() => Recipe.parse('output = "r"\n[node.r]\nkind = "raster"\nheights = "no.png"\n'), /no\.png/);
  // The module still works.
  assert.equal(noise.field({ width: 4, height: 4 }).length, 16);
});

test("stages, recipes and JSON", () => {
  const eroded = Pipeline.of(hills().scaleOffset({ scale: 60 })).hydraulic({ iterations: 10 }).slope({ name: "steep" });
  const region = { width: 24, height: 16 };
  const { steep, "hydraulic.water": water } = eroded.layers(["steep", "hydraulic.water"], region);
  assert.equal(steep.values.length, 384);
  assert.equal(water.channels, 1);
  assert.deepEqual(Pipeline.parse(eroded.toString()).field(region), steep.values);
  assert.deepEqual(Noise.parse(hills().toString()).field(region), hills().field(region));
  const recipe = Recipe.parse(`output = "n"\n[node.n]\nkind = "perlin"\n[bake]\ntile = 16\nspacing = 4.0\n`);
  assert.deepEqual(Recipe.parse(recipe.toToml()).noise.field(recipe.tile(1, 2)), recipe.field(recipe.tile(1, 2)));
  assert.equal(recipe.tile(1, 2).x, 16);
  assert.equal(stage.diamondSquare().output, "diamond_square");
});

test("the oracle is close to f32, and not equal", () => {
  const region = { width: 16, height: 16 };
  const exact = new Engine({ backend: "oracle" }).layers(Pipeline.of(hills()), [Pipeline.of(hills()).output], region).hills.values;
  const single = hills().field(region);
  assert.ok(single.every((value, i) => Math.abs(value - exact[i]) < 1e-5) && single.some((value, i) => value !== exact[i]));
});

test("meshes and places", () => {
  const chunk = orogen.terrainChunk(1, 0, 16);
  const mesh = orogen.terrain(hills().field(chunk), chunk);
  assert.equal(mesh.positions.length, 3 * 17 * 17);
  assert.equal(mesh.triangles.length, 3 * 2 * 16 * 16);
  assert.ok(mesh.triangles.every((index) => index < 289));
  const ball = orogen.surface(hills(), { x: -8, y: -8, z: -8, width: 16, height: 16, depth: 16, spacing: 40 });
  assert.ok(ball.triangles.length > 0 && ball.normals.length === ball.positions.length);
  const points = orogen.places({ distance: 10, seed: 3 }, [0, 0], [100, 100]);
  assert.ok(points.length > 50 && points.every(({ x, y }) => x >= 0 && x < 100 && y >= 0 && y < 100));
  const some = orogen.places({ distance: 10, seed: 3, density: hills().scaleOffset({ scale: 0.5, offset: 0.5 }) }, [0, 0], [100, 100]);
  assert.ok(some.length > 0 && some.length < points.length);
});

test("a pool computes the same elsewhere, and cancels", async () => {
  const pool = new Pool(2);
  const region = { width: 64, height: 64 };
  const fields = await Promise.all([0, 1, 2, 3].map((x) => pool.field(hills(), { ...region, x: 64 * x })));
  fields.forEach((field, x) => assert.deepEqual(field, hills().field({ ...region, x: 64 * x })));
  await assert.rejects(pool.field(hills(), { width: 0, height: 1 }), /region/);
  const stop = new AbortController();
  const long = pool.field(hills().fractal({ octaves: 30 }), { width: 8192, height: 8192 }, { signal: stop.signal });
  const begun = performance.now();
  setTimeout(() => stop.abort(new Error("enough")), 100);
  await assert.rejects(long, /enough/);
  assert.ok(performance.now() - begun < 5000);
  assert.deepEqual((await pool.fieldWithGradient(hills(), region)).gradients.length, 3 * 4096);
  pool.close();
  await assert.rejects(pool.field(hills(), region), /the pool is closed/);
});

/** A noise that reads a file of heights: 4 × 3 numbers as NumPy stores them. */
function relief() {
  const heights = Float32Array.of(0, 1, 0.25, 0.5, 1, 0, 0.75, 0.125, 0.5, 0.25, 1, 0);
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".padEnd(117) + "\n";
  const head = Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), Buffer.of(header.length, 0), Buffer.from(header)]);
  const text = 'output = "relief"\n[node.relief]\nkind = "raster"\nheights = "relief.npy"\nspacing = [10.0, 10.0]\noutside = "repeat"\n';
  return Recipe.parse(text, { files: { "relief.npy": Buffer.concat([head, Buffer.from(heights.buffer)]) } }).noise;
}

test("noises with files of heights, in other workers and by other calls", async () => {
  const noise = relief();
  const region = { width: 48, height: 40 };
  const field = noise.field(region);
  assert.ok(new Set(field).size > 500);
  const { json, files } = noise.portable();
  assert.deepEqual(Noise.parse(json, files).field(region), field);
  assert.throws(() => Noise.parse(json).field(region), /heights-.*read without its files/);
  const pool = new Pool(1);
  assert.deepEqual(await pool.field(noise, region), field);
  // More noises than a worker keeps, and an error after which it keeps none.
  for (let k = 1; k < 12; k++) assert.deepEqual(await pool.field(noise.scaleOffset({ scale: k }), region), noise.scaleOffset({ scale: k }).field(region));
  assert.deepEqual(await pool.field(noise, region), field);
  await assert.rejects(pool.field(noise, { width: 0, height: 1 }), /region/);
  assert.deepEqual(await pool.field(noise, region), field);
  const steep = Pipeline.of(noise).slope();
  assert.deepEqual((await pool.layers(steep, [steep.output], region))[steep.output].values, steep.field(region));
  const moved = Pipeline.parse(steep.portable().json, steep.portable().files);
  assert.deepEqual(moved.field(region), steep.field(region));
  pool.close();
  const [low, high] = [[0, 0], [400, 400]];
  const thin = orogen.places({ distance: 5, density: noise }, low, high);
  assert.ok(thin.length > 100 && thin.length < orogen.places({ distance: 5 }, low, high).length);
});

test("the core gives the same numbers, in a process of its own", () => {
  const script = `import assert from "node:assert/strict";
    import { init, Noise, simplex } from "orogen/core";
    await init();
    const hills = simplex({ wavelength: 300, seed: 7 }).fractal({ octaves: 5 }).named("hills");
    hills.set("hills.gain", 0.6);
    const all = [...hills.field({ width: 16, height: 16 }), hills.value(1.5, 2), ...hills.sample([3, 4, 5]), ...hills.range()];
    let refused;
    try { simplex({ wavelength: -1 }); } catch (error) { refused = error.message; }
    console.log(JSON.stringify([all, [...hills.fieldWithGradient({ width: 4, height: 4 }).gradients], refused]));
    if (!("Recipe" in await import("./dist/core/orogen.js"))) {
      for (const call of [() => Noise.parse("{}"), () => String(hills)]) assert.throws(call, /orogen\\/core neither reads nor writes JSON/);
    }`;
  // The package finds itself by its name.
  const cwd = new URL("..", import.meta.url).pathname;
  const [all, gradients, refused] = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd, encoding: "utf8" }));
  const noise = hills().set("hills.gain", 0.6);
  const own = [...noise.field({ width: 16, height: 16 }), noise.value(1.5, 2), ...noise.sample([3, 4, 5]), ...noise.range()];
  assert.deepEqual(all, own);
  assert.deepEqual(gradients, [...noise.fieldWithGradient({ width: 4, height: 4 }).gradients]);
  assert.match(refused, /wavelength = -1.*allowed: /);
});

test("exports are the command's, in every language", async () => {
  const { exportNoise, languages } = await import("orogen/export");
  const told = execFileSync(process.env.OROGEN, ["export", "--help"], { encoding: "utf8" });
  for (const language of languages) assert.match(told, new RegExp(`\\b${language}\\b`));
  const root = new URL("../../recipes/", import.meta.url);
  const files = { "painted.png": readFileSync(new URL("painted.png", root)) };
  const large = ["glsl-es", "godot"];
  for (const [name, all] of [["highlands.toml", languages], ["caves.toml", ["wgsl", "glsl", "js"]], ["painted.toml", ["wgsl", "js", ...large]]]) {
    const { noise } = Recipe.parse(readFileSync(new URL(name, root), "utf8"), { name, files });
    for (const language of all) {
      const made = exportNoise(noise, { language, name, prefix: "land", anchor: [1e6, -40, 0.5] });
      if (name === "painted.toml" && large.includes(language)) {
        await assert.rejects(made, /samples of rasters in the source are not allowed; allowed: up to 4096/);
        continue;
      }
      const args = ["export", new URL(name, root).pathname, "--lang", language, "--prefix", "land", "--anchor=1000000,-40,0.5"];
      assert.equal(await made, execFileSync(process.env.OROGEN, args, { encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "ignore"] }), `${name} in ${language}`);
    }
  }
  for (const [options, why] of [
    [{ language: "cobol" }, /language = cobol is not allowed; allowed: wgsl, hlsl/], [{ language: "js", prefix: "3" }, /prefix = '3' is not allowed/],
    [{ language: "js", anchor: [1, 2] }, /anchor = 2 numbers is not allowed; allowed: 3 numbers/], [{ language: "wgsl", anchor: [NaN, 0, 0] }, /anchor = .* allowed: finite/],
  ]) await assert.rejects(exportNoise(hills(), options), why);
});

test("the example bakes the command's files", () => {
  const work = mkdtempSync(join(tmpdir(), "orogen-bake-"));
  const recipe = join(work, "land.toml");
  const text = `output = "worn"\n[node.n]\nkind = "perlin"\nwavelength = 40.0\n[node.land]\nkind = "scale_offset"\nof = "n"\nscale = 20.0
[stage.worn]\nkind = "hydraulic"\nof = "land"\niterations = 6\n[bake]\ntile = 24\ntiles = [3, 2]\n`;
  writeFileSync(recipe, text);
  const [ours, theirs] = ["ours", "theirs"].map((name) => join(work, name));
  execFileSync(process.execPath, [new URL("../examples/bake.mjs", import.meta.url).pathname, recipe, ours]);
  execFileSync(process.env.OROGEN, ["bake", recipe, "--out", theirs, "--format", "r32", "--backend", "cpu"], { stdio: "ignore" });
  const files = readdirSync(ours).sort();
  assert.equal(files.length, 6);
  for (const file of files) assert.ok(readFileSync(join(ours, file)).equals(readFileSync(join(theirs, file))), file);
  rmSync(work, { recursive: true });
});
