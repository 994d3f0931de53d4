// Grids of samples around the view's middle: the inner one fine, each further one twice as coarse and twice as wide.

import { layers, type Samples } from "../server";
import type { Source } from "../map/field";
import { atLevel, type View } from "../map/view";

export interface Ring {
  level: number;
  /** Vertices along an edge. */
  edge: number;
  /** The first vertex, in samples of its level. */
  x: bigint;
  y: bigint;
  heights: Samples;
  tints: Samples | null;
}

/** Vertices along an edge of a ring: a multiple of eight and one, so that rings fit into one another. */
export const EDGE = 161;
export const RINGS = 4;
/** Of stages a single grid: their levels are fields of their own, and would not meet. */
export const LONE_EDGE = 369;

/** Asks for one ring; `tints` is another layer whose colours lie over the heights. */
export async function askRing(
  heights: Source, tints: Source | null, view: View, level: number, edge: number, signal: AbortSignal,
): Promise<Ring> {
  // Corners lie on every second sample of the next level, so that the ring around this one has a hole that fits.
  const corner = (c: View["x"]) => ((atLevel(c, level).i - BigInt((edge - 1) / 2)) >> 2n) << 2n;
  const [x, y] = [corner(view.x), corner(view.y)];
  const fetch = (source: Source, names: string[]) =>
    layers(names, {
      id: source.id, x: x - 1n, y: y - 1n, width: edge + 2, height: edge + 2, z: source.z,
      spacing: source.noise ? source.spacing * 2 ** level : source.spacing, level: source.noise ? 0 : level,
    }, signal);
  if (tints && tints.key !== heights.key) {
    const [h, t] = heights.noise === tints.noise
      ? await fetch(heights, [heights.layer, tints.layer])
      : (await Promise.all([fetch(heights, [heights.layer]), fetch(tints, [tints.layer])])).flat();
    return { level, edge, x, y, heights: h!, tints: t! };
  }
  const [h] = await fetch(heights, [heights.layer]);
  return { level, edge, x, y, heights: h!, tints: null };
}

/** Triangles of a grid without those inside the hole, whose corners are vertices; odd vertices of the outer edge are moved elsewhere. */
export function triangles(edge: number, hole: { x: number; y: number; size: number } | null): Uint32Array {
  const list: number[] = [];
  for (let j = 0; j < edge - 1; j++) {
    for (let i = 0; i < edge - 1; i++) {
      if (hole && i >= hole.x && i < hole.x + hole.size && j >= hole.y && j < hole.y + hole.size) continue;
      const k = j * edge + i;
      // Diagonals alternate, so that ridges have no preferred direction.
      if ((i + j) % 2 === 0) list.push(k, k + edge, k + 1, k + 1, k + edge, k + edge + 1);
      else list.push(k, k + edge, k + edge + 1, k, k + edge + 1, k + 1);
    }
  }
  return new Uint32Array(list);
}
