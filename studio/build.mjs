// Bundles the page into cli/src/serve/assets. The same sources and versions give the same bytes.

import { build } from "esbuild";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { licences } from "./licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(here, "../cli/src/serve/assets");

const common = {
  absWorkingDir: here, bundle: true, minify: true, format: "esm", target: "es2022", outdir: out, legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' }, metafile: true, charset: "utf8", jsx: "automatic", write: false,
};

// Two bundles that share nothing: the relief's is fetched when it is first looked at.
const page = await build({ ...common, entryPoints: { studio: "src/main.tsx" } });
const relief = await build({ ...common, entryPoints: { relief: "src/relief/scene.ts" } });
const files = new Map([...page.outputFiles, ...relief.outputFiles].map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
files.set("index.html", await readFile(join(here, "src/index.html")));
files.set("licences.txt", Buffer.from(await licences([page.metafile, relief.metafile])));

await mkdir(out, { recursive: true });
for (const old of await readdir(out)) if (!files.has(old)) await rm(join(out, old), { recursive: true });
let packed = 0;
for (const [name, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
  // Files that have not changed are not written, so that the crates that embed them are not compiled again.
  const old = await readFile(join(out, name)).catch(() => null);
  if (!old?.equals(bytes)) await writeFile(join(out, name), bytes);
  const small = gzipSync(bytes, { level: 9 }).length;
  packed += small;
  console.log(`${name.padEnd(14)} ${String(bytes.length).padStart(9)} bytes, ${String(small).padStart(7)} gzipped`);
}
console.log(`${packed} bytes gzipped in all`);
