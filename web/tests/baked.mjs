// Tiles as the command bakes them.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lowest, SIZE } from "./tile.mjs";

const root = new URL("../../", import.meta.url).pathname;
const command = process.env.OROGEN ?? join(root, "target/debug/orogen");

const pictures = readdirSync(join(root, "recipes")).filter((file) => file.endsWith(".png"));

/** The files that recipes of the gallery name. */
export const files = Object.fromEntries(pictures.map((file) => [file, readFileSync(join(root, "recipes", file))]));

/** The names of all recipes of the gallery. */
export const gallery = readdirSync(join(root, "recipes")).filter((file) => file.endsWith(".toml")).sort();

const path = (file) => join(root, "recipes", file);

/** Whether water is traced over the recipe's world. */
export const isTraced = (file) => lowest(readFileSync(path(file), "utf8")) === 0;

/** A recipe's text, and the numbers of a tile of its world. */
export function baked(file) {
  const text = readFileSync(path(file), "utf8");
  const low = lowest(text);
  const out = mkdtempSync(join(tmpdir(), "orogen-tile-"));
  try {
    const tiles = low === 0 ? "0..1,0..1" : "-1..1,0..1";
    const args = ["bake", path(file), "--out", join(out, "tile"), "--tile", `${SIZE}`, `--tiles=${tiles}`, "--format", "r32", "--backend", "cpu"];
    execFileSync(command, args, { stdio: "ignore" });
    return { text, expected: new Float32Array(new Uint8Array(readFileSync(join(out, "tile", `x${low}_y0.r32`))).buffer) };
  } finally {
    rmSync(out, { recursive: true });
  }
}
