// A cube of a noise around the view's middle, and the surface of what is solid in it.

import { surface } from "../server";
import type { Source } from "../map/field";
import { atLevel, offset, type View } from "../map/view";
import type { Grid } from "./scene";

/** Cells along an edge of the cube: a coarse surface at once, then the one that stays. */
export const CELLS = [32, 128];
/** Colours of what faces down and of what faces up. */
const DOWN = [0.36, 0.3, 0.27];
const UP = [0.85, 0.77, 0.64];

/** The visible part of a volume: its triangles, and the cube's edge in world units. */
export interface Solid { grid: Grid; size: number }

/** Asks for the surface at a level of a cube about `wide` samples wide. */
export async function askSolid(source: Source, view: View, wide: number, cells: number, at: number, signal: AbortSignal): Promise<Solid> {
  const finest = Math.round(Math.log2(wide / CELLS[CELLS.length - 1]!));
  const level = finest + Math.log2(CELLS[CELLS.length - 1]! / cells);
  const step = source.spacing * 2 ** level;
  const half = BigInt(cells / 2);
  const [x, y] = [atLevel(view.x, level).i - half, atLevel(view.y, level).i - half];
  const z = BigInt(Math.round(source.z / step)) - half;
  const found = await surface(source.id, source.layer, { x, y, z, size: cells + 1, spacing: step, at }, signal);
  const corner = [offset(view.x, x, level, 1) * source.spacing, Number(z) * step - source.z, offset(view.y, y, level, 1) * source.spacing];
  const colours = new Float32Array(found.positions.length);
  for (let i = 0; i < colours.length; i += 3) {
    const up = (found.normals[i + 1]! + 1) / 2;
    for (let c = 0; c < 3; c++) {
      found.positions[i + c]! += corner[c]!;
      colours[i + c] = DOWN[c]! + up * (UP[c]! - DOWN[c]!);
    }
  }
  return { grid: { key: "solid", ...found, colours }, size: cells * step };
}
