// Rings of samples become grids of positions, normals and colours.

import { ramp, srgb, STEPS } from "../map/ramp";
import type { Samples } from "../server";
import { offset, type View } from "../map/view";
import type { Scale, Style } from "../state/style";
import { triangles, type Ring } from "./rings";
import type { Grid } from "./scene";

/**
 * `world`: width and height in samples of a layer that exists inside it only. Vertices outside lie on its border. `sea`: heights below
 * it are drawn as the surface of water at this level.
 */
export function gridsOf(
  rings: Ring[], view: View, spacing: number, style: Style, scale: Scale, world: [number, number] | null, sea: number | null,
): Grid[] {
  return rings.map((ring, k) => grid(ring, rings[k - 1] ?? null, view, spacing, style, scale, world, sea ?? -Infinity));
}

function grid(
  ring: Ring, inner: Ring | null, view: View, spacing: number, style: Style, scale: Scale, world: [number, number] | null, sea: number,
): Grid {
  const step = spacing * 2 ** ring.level;
  const left = offset(view.x, ring.x, ring.level, 1) * spacing;
  const top = offset(view.y, ring.y, ring.level, 1) * spacing;
  const inside = [view.x, view.y].map((middle, axis) => {
    if (world === null) return (at: number) => at;
    const first = offset(middle, 0n, ring.level, 1) * spacing;
    const last = first + (Math.max(1, Math.floor(world[axis]! / 2 ** ring.level)) - 1) * step;
    return (at: number) => Math.min(last, Math.max(first, at));
  }) as [(at: number) => number, (at: number) => number];
  const { edge } = ring;
  const count = edge * edge;
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  const colours = new Float32Array(3 * count);
  const { values, width } = ring.heights;
  const v = sea === -Infinity ? values : values.map((value) => Math.max(value, sea));
  const last = edge - 1;
  for (let j = 0; j < edge; j++) {
    for (let i = 0; i < edge; i++) {
      const s = (j + 1) * width + i + 1;
      const o = 3 * (j * edge + i);
      let height = v[s]!;
      // The next ring has no vertex here: the edge follows its line, so that no gap opens.
      if ((j === 0 || j === last) && i % 2 === 1) height = (v[s - 1]! + v[s + 1]!) / 2;
      else if ((i === 0 || i === last) && j % 2 === 1) height = (v[s - width]! + v[s + width]!) / 2;
      positions[o] = inside[0](left + i * step);
      positions[o + 1] = height;
      positions[o + 2] = inside[1](top + j * step);
      // The mesh's scale raises heights and bends normals the other way; the renderer's normal matrix takes care of that.
      const gx = (v[s + 1]! - v[s - 1]!) / (2 * step);
      const gy = (v[s + width]! - v[s - width]!) / (2 * step);
      const n = 1 / Math.sqrt(1 + gx * gx + gy * gy);
      normals[o] = -gx * n;
      normals[o + 1] = n;
      normals[o + 2] = -gy * n;
      if (values[s]! < sea && !ring.tints) water(colours, o, (sea - values[s]!) / (scale.hi - scale.lo || 1));
      else tint(colours, o, ring.tints ?? ring.heights, s, style, scale);
    }
  }
  return { key: `${ring.level}`, positions, normals, colours, triangles: triangles(edge, inner && holeIn(ring, inner)) };
}

/** Position of the inner ring in this one: its corners are vertices of this one too. */
function holeIn(ring: Ring, inner: Ring): { x: number; y: number; size: number } {
  return { x: Number(inner.x / 2n - ring.x), y: Number(inner.y / 2n - ring.y), size: (inner.edge - 1) / 2 };
}

/** Water over ground at a depth, as a share of the range of heights. */
function water(out: Float32Array, o: number, depth: number): void {
  const deep = 1 - Math.exp(-6 * depth);
  for (let c = 0; c < 3; c++) out[o + c] = SHALLOW[c]! + (DEEP[c]! - SHALLOW[c]!) * deep;
}

const SHALLOW = [0.42, 0.68, 0.7];
const DEEP = [0.1, 0.26, 0.42];

function tint(out: Float32Array, o: number, from: Samples, s: number, style: Style, scale: Scale): void {
  const { values: v, channels } = from;
  if (channels === 1) {
    const at = (v[s]! - scale.lo) / (scale.hi - scale.lo || 1);
    const k = 3 * Math.min(STEPS - 1, Math.max(0, Math.floor(at * (STEPS - 1)) || 0));
    const table = ramp(style.ramp);
    for (let c = 0; c < 3; c++) out[o + c] = table[k + c]! / 255;
  } else {
    for (let c = 0; c < 3; c++) {
      const value = v[s * channels + c]!;
      out[o + c] = channels === 4 ? srgb(value) / 255 : (value + 1) / 2;
    }
  }
}
