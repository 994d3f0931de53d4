// The answers of `orogen serve` and of the module in a page are the same, byte for byte: MODULES names the folder that scripts/site has
// built. Requests about files and events, which only a server has, are left out. Files of bakes are compared with those of the command.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { OROGEN, serve } from "../../studio/tests/studio.mjs";

const modules = resolve(process.env.MODULES);

const RECIPE = `# A comment.
output = "eroded"

[node.bumps]
kind = "simplex"
wavelength = 90.0
seed = "18446744073709551615"

[node.hills]
kind = "fractal"
of = "bumps"
octaves = 4

[node.land]
kind = "scale_offset"
of = "hills"
scale = 30.0

[stage.eroded]
kind = "hydraulic"
of = "land"
iterations = 4

[stage.water]
kind = "drainage"
of = "land"

[stage.way]
kind = "normal"
of = "eroded"

[bake]
tile = 32
tiles = [2, 2]
spacing = 2.0
`;

let server, studio, id;

/** An answer as both give it. */
async function asked(method, address, body) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(`${server.origin}${address}`, { method, ...sent, headers: { ...sent.headers, authorization: `Bearer ${server.token}` } });
  return { status: answer.status, channels: answer.headers.get("x-orogen-channels"), bytes: new Uint8Array(await answer.arrayBuffer()) };
}

function computed(method, address, body) {
  const [path, query = ""] = address.split("?", 2);
  const found = studio.answer(method, path, query, body === undefined ? "" : JSON.stringify(body));
  return { status: found.status(), channels: found.channels() ?? null, bytes: found.take() };
}

const parsed = ({ bytes }) => JSON.parse(new TextDecoder().decode(bytes));

/** Both answers, once they are found to be the same. */
async function both(method, address, body) {
  const [theirs, ours] = [await asked(method, address, body), computed(method, address, body)];
  const said = (answer) => (answer.channels === null && answer.bytes.length < 4000 ? new TextDecoder().decode(answer.bytes) : `${answer.bytes.length} bytes`);
  assert.equal(ours.status, theirs.status, `${method} ${address}: ${said(ours)}, the server: ${said(theirs)}`);
  assert.equal(ours.channels, theirs.channels, address);
  assert.ok(Buffer.from(ours.bytes).equals(theirs.bytes), `${method} ${address}:\n${said(ours)}\nthe server:\n${said(theirs)}`);
  return theirs;
}

/** The same structure, with numbers that differ by rounding. */
function close(ours, theirs) {
  if (typeof theirs !== "number") {
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    for (const key of Object.keys(theirs)) close(ours[key], theirs[key]);
  } else {
    assert.ok(Math.abs(ours - theirs) <= 1e-9 * Math.abs(theirs), `${ours}, the server: ${theirs}`);
  }
}

before(async () => {
  const load = async (script, name) => {
    const glue = await import(pathToFileURL(join(modules, script)).href);
    glue.initSync({ module: new WebAssembly.Module(await readFile(join(modules, name))) });
    return glue;
  };
  const [{ Studio }, { exported }] = [await load("orogen.js", "scalar.wasm"), await load("export.js", "export.wasm")];
  const painted = await readFile(new URL("../../recipes/painted.png", import.meta.url));
  const translate = (noise, files, target, name) => exported(noise, (file) => files.get(file), target, name, "orogen", new Float64Array(3));
  studio = new Studio((file) => (file === "painted.png" ? painted : undefined), translate);
  server = await serve(RECIPE);
  await writeFile(join(server.folder, "painted.png"), painted);
  const checked = parsed(await both("POST", "/api/check", { text: RECIPE }));
  assert.ok(checked.ok, JSON.stringify(checked));
  ({ id } = checked);
});

after(() => server?.stop());

test("about: the same kinds, and what a page lacks is left out", async () => {
  const [theirs, ours] = [parsed(await asked("GET", "/api/about")), parsed(computed("GET", "/api/about"))];
  assert.deepEqual(ours.kinds, theirs.kinds);
  assert.equal(ours.version, theirs.version);
  for (const key of ["formats", "destinations", "targets"]) assert.deepEqual(ours[key], theirs[key], key);
  assert.deepEqual([ours.file, ours.out], [null, null]);
  assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
});

test("texts: their meaning and their mistakes", async () => {
  for (const text of ["", "output = 3", RECIPE.replace("octaves = 4", "octaves = 99"), RECIPE.replace('of = "hills"', 'of = "hils"'), "[[["]) {
    assert.equal(parsed(await both("POST", "/api/check", { text })).ok, false);
  }
  const answer = computed("POST", "/api/check", { txt: "" });
  assert.equal(answer.status, 400);
  assert.match(parsed(answer).error.message, /missing field `text`/);
});

test("edits", async () => {
  const edit = (edits, text = RECIPE) => both("POST", "/api/edit", { text, edits, preview: true });
  const set = { op: "set", table: "node", name: "hills", param: "gain", value: 0.25 };
  assert.match(parsed(await edit([set])).text, /gain = 0\.25/);
  await edit([{ op: "rename", table: "node", name: "land", to: "ground" }, { op: "output", name: "ground" }]);
  await edit([{ op: "add", table: "stage", name: "steep", kind: "slope", params: { of: "land" } }, { op: "remove", table: "stage", name: "way" }]);
  await edit([{ op: "vary", by: 3 }], `\uFEFF${RECIPE.replaceAll("\n", "\r\n")}`);
  await edit([{ op: "bake", param: "tile", value: 64 }]);
  assert.equal((await edit([{ ...set, name: "nothing" }])).status, 400);
});

test("samples, and what is derived from them", async () => {
  const block = "x=-5&y=3&width=24&height=17&spacing=2";
  assert.equal((await both("GET", `/api/samples/${id}/hills?${block}`)).bytes.length, 4 * 24 * 17);
  await both("GET", `/api/samples/${id}/hills?x=0&y=0&width=8&height=8&spacing=0.37&level=3&z=11.5`);
  assert.equal((await both("GET", `/api/layers/${id}?layers=eroded,way,eroded.water,land&${block}&priority=low`)).channels, "1,3,1,1");
  for (const layer of ["hills", "eroded", "way", "water"]) await both("GET", `/api/probe/${id}/${layer}?x=12.5&y=-3`);
  assert.equal(parsed(await both("GET", `/api/seams/${id}/eroded?${block}`)).different, 0);
  assert.ok((await both("GET", `/api/surface/${id}/hills?x=0&y=0&z=0&size=17&spacing=9&at=0`)).bytes.length > 1000);
  await both("GET", `/api/rivers/${id}/water?area=200`);
  assert.equal(parsed(await both("GET", `/api/drainage/${id}`))[0].broken, null);
  const measure = `/api/measure/${id}/land?x=0&y=0&width=64&height=64&spacing=2`;
  const [theirs, ours] = [parsed(await asked("GET", measure)), parsed(computed("GET", measure))];
  const { spectrum, directions, milliseconds, ...values } = ours;
  for (const key of Object.keys(values)) assert.deepEqual(values[key], theirs[key], key);
  assert.deepEqual(Object.keys(ours), Object.keys(theirs));
  // The Fourier transform takes sines from the platform.
  close(spectrum, theirs.spectrum);
  close(directions, theirs.directions);
  assert.ok(milliseconds >= 0);
  await both("GET", "/api/places?x0=0&y0=0&x1=90&y1=50&distance=7&seed=12");
  const rules = "[tree]\ndistance = 6.0\nradius = 2.0\nlimits = { eroded = [-5.0, 20.0, 3.0] }\n[stone]\ndistance = 4.0\n";
  const placed = parsed(await both("POST", `/api/places/${id}`, { rules, area: [-9, 3, 60, 50] }));
  assert.deepEqual(placed.kinds, ["tree", "stone"]);
  assert.deepEqual([...new Set(placed.places.map(([kind]) => kind))], [0, 1]);
  for (const list of ["csv", "geojson", "unreal", "unity", "godot"]) await both("POST", `/api/places/${id}`, { rules, list });
  for (const language of ["toml", "json", "python", "rust"]) await both("GET", `/api/code/${id}?as=${language}`);
});

test("exports in every language", async () => {
  const { targets } = parsed(await asked("GET", "/api/about"));
  assert.ok(targets.includes("wgsl") && targets.includes("js"), targets.join(", "));
  for (const target of targets) {
    for (const layer of ["land", "bumps"]) {
      const { status, bytes } = await both("GET", `/api/export/${id}/${layer}?target=${target}`);
      assert.equal(status, 200);
      assert.match(new TextDecoder().decode(bytes), /orogen_value/);
    }
  }
  // Its heights are a file, and too many for the source in some languages.
  const painted = await readFile(new URL("../../recipes/painted.toml", import.meta.url), "utf8");
  const checked = parsed(await both("POST", "/api/check", { text: painted }));
  assert.ok(checked.ok, JSON.stringify(checked.error));
  for (const target of ["wgsl", "js"]) assert.equal((await both("GET", `/api/export/${checked.id}/height?target=${target}`)).status, 200);
  const refused = await both("GET", `/api/export/${checked.id}/height?target=glsl-es`);
  assert.equal(refused.status, 422);
  assert.match(parsed(refused).error.message, /samples of rasters .* allowed: up to 4096/);
});

test("refusals", async () => {
  for (const [status, address] of [
    [410, `/api/samples/${"0".repeat(24)}/hills?x=0&y=0&width=8&height=8&spacing=2`],
    [400, `/api/samples/${id}/hills?x=0&y=0&width=8`],
    [413, `/api/samples/${id}/hills?x=0&y=0&width=8000&height=8000&spacing=2`],
    [422, `/api/samples/${id}/hills?x=0&y=0&width=0&height=8&spacing=2`],
    [422, `/api/samples/${id}/nothing?x=0&y=0&width=8&height=8&spacing=2`],
    [400, `/api/samples/${id}/eroded?x=0&y=0&width=8&height=8&spacing=3`],
    [400, `/api/measure/${id}/land?x=0&y=0&width=64&height=32&spacing=2`],
    [400, `/api/surface/${id}/hills?x=0&y=0&z=0&size=500&spacing=9&at=0`],
    [400, "/api/places?x0=0&y0=0&x1=90000&y1=50000&distance=1&seed=12"],
    [400, `/api/code/${id}?as=cobol`],
    [400, `/api/export/${id}/land?target=cobol`],
    [400, `/api/export/${id}/land?target=spirv`],
    [400, `/api/export/${id}/land`],
    [400, `/api/export/${id}/eroded?target=wgsl`],
    [410, `/api/export/${"0".repeat(24)}/land?target=wgsl`],
  ]) {
    const answer = await both("GET", address);
    assert.equal(answer.status, status, `${address}: ${new TextDecoder().decode(answer.bytes)}`);
    assert.ok(parsed(answer).error.message.length > 5);
  }
});

test("rules of places that are refused", async () => {
  const area = [0, 0, 90, 50];
  for (const [status, told, body] of [
    [400, "missing field `rules`", {}],
    [400, "unknown field `are`", { rules: "[a]", are: area }],
    [400, "rules of places: TOML parse error", { rules: "[[" }],
    [400, "place kind 'a': distance = 0", { rules: "[a]\ndistance = 0.0" }],
    [400, "lend", { rules: "[a]\ndensity = 'lend'" }],
    [400, "layers of one channel", { rules: "[a]\ndensity = 'way'" }],
    [413, "more than 2e5 places", { rules: "[a]\ndistance = 0.01", area }],
    [400, "unknown variant `cobol`", { rules: "[a]", list: "cobol" }],
  ]) {
    const answer = await both("POST", `/api/places/${id}`, body);
    const { message } = parsed(answer).error;
    assert.equal(answer.status, status, message);
    assert.ok(message.includes(told), message);
  }
  assert.equal((await both("POST", `/api/places/${"0".repeat(24)}`, { rules: "[a]" })).status, 410);
});

test("plans of bakes", async () => {
  const plan = (choices, text = RECIPE) => both("POST", "/api/bake/plan", { text, folder: "out", ...choices });
  assert.equal(parsed(await plan({})).tiles, 4);
  for (const format of ["png8", "exr", "npy", "r16", "r32"]) assert.equal(parsed(await plan({ format })).files[0].format, format);
  assert.equal(parsed(await plan({ layers: "hills,way,eroded.water", tiles: "0..3,-1..2", tile: 16, overlap: 1 })).edge, 17);
  assert.equal(parsed(await plan({ layers: "land", range: "-40,40" })).files[0].range.kind, "declared");
  assert.equal(parsed(await plan({ for: "unreal", tile: 127, tiles: "0..1,0..1" })).rows, "down");
  for (const choices of [
    { format: "cobol" }, { for: "cobol" }, { for: "unreal", format: "npy" }, { layers: "nothing" }, { range: "4,3" }, { tiles: "1..0,0..1" }, { tile: 99999 },
    { format: "zarr" }, { layers: "land+hills" },
  ]) {
    const answer = await plan(choices);
    assert.equal(answer.status, 400, JSON.stringify(choices));
    assert.match(parsed(answer).error.message, /allowed/);
  }
  assert.equal((await plan({}, "output = 3")).status, 422);
});

/** The files of a bake by the module, and the last message about it. */
function bakedHere(choices, text = RECIPE) {
  const [files, messages] = [new Map(), []];
  const take = (name, bytes) => (bytes ? files.set(name, bytes) : files.delete(name));
  const refused = studio.bake(JSON.stringify({ text, folder: "out", ...choices }), take, (message) => messages.push(JSON.parse(message).bake));
  return { files, messages, last: messages.at(-1), refused: refused && parsed({ bytes: refused.take() }).error.message };
}

/** The lines of a manifest that do not depend on the machine. */
const ofTiles = (text) => text.split("\n").filter((line) => !/^ {2}"(backend|adapter|check)"/.test(line)).join("\n");

test("bakes write the command's files", async (t) => {
  const work = await mkdtemp(join(tmpdir(), "orogen-baked-"));
  t.after(() => rm(work, { recursive: true }));
  const recipe = join(work, "land.toml");
  await writeFile(recipe, RECIPE);
  for (const [k, choices] of [
    {}, { layers: "land,way,eroded.water", overlap: 1 }, { format: "exr", layers: "hills" }, { format: "r16", range: "measured" },
    { format: "npy", layers: "water.depth,land" }, { tiles: "-1..2,0..1", tile: 24, layers: "land,hills" }, { for: "unreal", tile: 127, tiles: "0..1,0..1", layers: "land" },
    { for: "godot", layers: "land,way", tile: 64 },
  ].entries()) {
    const folder = join(work, `theirs${k}`);
    const flags = Object.entries(choices).flatMap(([name, value]) => [`--${name}=${value}`]);
    const said = execFileSync(OROGEN, ["bake", recipe, "--out", folder, "--backend", "cpu", ...flags], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const { files, messages, last } = bakedHere(choices);
    assert.ok("root" in last, JSON.stringify(last));
    assert.match(said, new RegExp(`root ${last.root}`));
    const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
    assert.deepEqual([...files.keys()].sort(), names.sort());
    for (const name of names) {
      const theirs = await readFile(join(folder, name));
      if (name === "manifest.json") assert.equal(ofTiles(Buffer.from(files.get(name)).toString()), ofTiles(theirs.toString()));
      else assert.ok(theirs.equals(files.get(name)), `${JSON.stringify(choices)}: ${name}`);
    }
    assert.deepEqual(messages[0], { done: 0, total: 0, step: null });
    assert.ok(messages.some(({ done, total }) => done === total && total > 0));
  }
});

test("bakes that are refused, and one that fails", () => {
  assert.match(bakedHere({ format: "cobol" }).refused, /format = cobol is not allowed; allowed: png16/);
  assert.match(bakedHere({ folder: "../up" }).refused, /folder '..\/up' is not allowed; allowed: a name/);
  assert.match(bakedHere({}, "output = 3").refused, /output/);
  const { last, files } = bakedHere({ tile: 16384, tiles: "0..4096,0..4096" });
  assert.match(last.error.message, /this takes .* evaluations; allowed without force/);
  assert.equal(files.size, 0);
});

test("requests that need a server are refused in words", () => {
  for (const [method, address] of [["GET", "/tiles/hills/0/0/0.png"], ["PUT", "/api/draft"]]) {
    const answer = computed(method, address, {});
    assert.equal(answer.status, 404);
    assert.match(parsed(answer).error.message, /not available in a page without a server; run `orogen serve`/);
  }
});
