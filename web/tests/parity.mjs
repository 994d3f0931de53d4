// Compares every recipe of the gallery with the command's bits: parity.mjs MODULE... With SHORT=yes, one of those in which water is traced
// over the whole world, which take most of the time.

import { execFileSync } from "node:child_process";
import { baked, files, gallery, isTraced } from "./baked.mjs";
import { different, values } from "./tile.mjs";

const [module, ...others] = process.argv.slice(2);
// A module cannot be loaded twice into one process.
if (others.length > 0) {
  for (const one of [module, ...others]) execFileSync(process.execPath, [import.meta.filename, one], { stdio: "inherit" });
  process.exit();
}

const orogen = await import("../dist/node.js");
await orogen.init({ simd: module === "simd" });
let [count, total] = [0, 0];
const wrong = [];
for (const file of gallery) {
  if (process.env.SHORT && isTraced(file) && file !== "lakeland.toml") continue;
  count++;
  const { text, expected } = baked(file);
  const differ = values(orogen, file, text, files).reduce((sum, found) => sum + different(found, expected), 0);
  total += expected.length;
  if (differ) wrong.push(`${file}: ${differ} of ${expected.length}`);
}
console.log(`${module} (${orogen.Engine.shared().adapter}): ${wrong.length} of ${count} recipes differ; ${total} numbers compared`);
for (const line of wrong) console.log(`  ${line}`);
process.exit(wrong.length || count < 20 ? 1 : 0);
