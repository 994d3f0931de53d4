// Builds the studio as a static page, and the pages around it: `node site.mjs MODULES OUT`. MODULES holds orogen.js, simd.wasm and
// scalar.wasm with the feature `studio`, and export.js and export.wasm, as scripts/site has built them.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { licences } from "./licences.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "..");
const [modules, out] = process.argv.slice(2, 4).map((path) => resolve(path));
const studio = join(out, "studio");
await mkdir(studio, { recursive: true });

const common = {
  absWorkingDir: here, bundle: true, minify: true, format: "esm", target: "es2022", outdir: studio, legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' }, charset: "utf8", jsx: "automatic", metafile: true, alias: { "#module": join(modules, "orogen.js"), "#export": join(modules, "export.js") },
};
const page = await build({ ...common, entryPoints: { studio: "src/alone/main.tsx" } });
const rest = await build({ ...common, entryPoints: { relief: "src/relief/scene.ts", worker: "src/alone/worker.ts" } });
for (const name of ["simd.wasm", "scalar.wasm", "export.wasm"]) await cp(join(modules, name), join(studio, name));
await writeFile(join(studio, "licences.txt"), await licences([page.metafile, rest.metafile]));
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:";
const html = (await readFile(join(here, "src/index.html"), "utf8"))
  .replaceAll("/assets/", "./")
  .replace('<meta charset="utf-8" />', `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
await writeFile(join(studio, "index.html"), html);

// The gallery: every recipe, and its picture where there is one.
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const recipes = (await readdir(join(root, "recipes"))).filter((name) => name.endsWith(".toml")).sort();
const pictures = new Set(await readdir(join(root, "docs/reference/gallery")));
await cp(join(root, "recipes"), join(out, "recipes"), { recursive: true });
// A page cannot list a folder.
const read = (await readdir(join(root, "recipes"))).filter((name) => name.endsWith(".png")).sort();
await writeFile(join(out, "recipes/pictures.json"), JSON.stringify(read));
await cp(join(root, "docs/reference/gallery"), join(out, "pictures"), { recursive: true });
const cards = await Promise.all(recipes.map(async (file) => {
  const name = file.replace(/\.toml$/, "");
  const [, caption = ""] = /^# (.*)/.exec(await readFile(join(root, "recipes", file), "utf8")) ?? [];
  const picture = pictures.has(`${name}.png`) ? `<img src="pictures/${name}.png" width="576" height="384" loading="lazy" alt="">` : "";
  return `      <a href="studio/#gallery=${name}">${picture}<b>${name}</b><span>${escaped(caption)}</span></a>`;
}));
const guide = (await readdir(out)).includes("guide") ? '<a href="guide/index.html">Guide</a>' : "";
const index = (await readFile(join(here, "src/alone/site.html"), "utf8")).replace("<!-- cards -->", cards.join("\n")).replace("<!-- guide -->", guide);
await writeFile(join(out, "index.html"), index);

// Offline: the page, the studio and the recipes are kept when the first page has been opened. Few browsers need the scalar module.
const files = [];
const collect = async (folder) => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) files.push(path);
    else if (path !== join(out, "guide")) await collect(path);
  }
};
await collect(out);
files.sort();
const hash = createHash("sha256");
for (const file of files) hash.update(await readFile(file));
const first = files.map((file) => relative(out, file)).filter((name) => !/^(pictures|offline)|scalar\.wasm$/.test(name));
const names = first.map((name) => name.replace(/index\.html$/, "") || "./");
const offline = (await readFile(join(here, "src/alone/offline.js"), "utf8")).replace("VERSION", hash.digest("hex").slice(0, 16)).replace('["FILES"]', JSON.stringify(names));
await writeFile(join(out, "offline.js"), offline);
console.log(`${files.length} files, ${recipes.length} recipes`);
