// Prints the size of each module as it is, and as a server sends it.

import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const kb = (bytes) => Math.round(bytes / 1000).toString();
console.log("module               KB  gzip KB  brotli KB");
for (const name of ["core/scalar", "core/simd", "module/scalar", "module/simd", "export/export"]) {
  const bytes = readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url));
  const all = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  console.log(name.padEnd(15) + all.map((size, i) => kb(size).padStart([8, 9, 11][i])).join(""));
}
