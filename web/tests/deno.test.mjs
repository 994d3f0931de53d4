// The package in Deno gives the bits that it gives in Node, also from a pool.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const NOISE = `
const noise = simplex({ wavelength: 300, seed: 7 }).fractal({ octaves: 5 });
const region = { x: -3, y: 5, width: 60, height: 40, spacing: 2 };
const bits = (field) => [...new Uint32Array(field.slice().buffer)];
`;

// One process loads one of the modules.
const PROGRAMS = {
  "core.mjs": `
import { init, simplex } from "orogen/core";
await init();
${NOISE}
console.log(JSON.stringify(bits(noise.field(region))));
`,
  "all.mjs": `
import { init, Pool, simplex } from "orogen";
import { exportNoise } from "orogen/export";
await init();
${NOISE}
const pool = new Pool(2);
const fields = [noise.field(region), await pool.field(noise, region)];
pool.close();
console.log(JSON.stringify([...fields.map(bits), await exportNoise(noise, { language: "js" })]));
`,
};

test("Deno", () => {
  const folder = mkdtempSync(join(tmpdir(), "orogen-deno-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(here(".."), join(folder, "node_modules/orogen"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "dependencies": { "orogen": "*" } }');
    Object.entries(PROGRAMS).forEach(([name, text]) => writeFileSync(join(folder, name), text));
    const run = (program, ...args) => JSON.parse(execFileSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 }));
    const deno = (name) => run(here("bundlers/node_modules/.bin/deno"), "run", "--allow-read", name);
    const [field, pooled, text] = deno("all.mjs");
    assert.equal(field.length, 2400);
    assert.deepEqual(pooled, field);
    assert.deepEqual(deno("core.mjs"), field);
    assert.deepEqual([field, pooled, text], run(process.execPath, "all.mjs"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
