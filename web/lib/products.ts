import { Engine } from "./engine.js";
import { loaded } from "./load.js";
import type * as glue from "./module/orogen.js";
import type { Noise } from "./noise.js";
import { named, numbers, type Region } from "./region.js";

/** A point of `places`. */
export interface Place {
  x: number;
  y: number;
  /** The density above which this point appears, 0 to 1. */
  threshold: number;
  /** A random number from 0 to 1 for a size, a rotation or a kind. */
  random: number;
}

/** Options of `places`. */
export interface PlacesOptions {
  /** Minimum distance between any two points, in world units. */
  distance: number;
  /** Seed of the points, by default 0. */
  seed?: number | bigint;
  /** Steps of Lloyd's relaxation, 0 to 64, by default 0. */
  relax?: number;
  /** Thins the points out: a noise of values from 0 to 1. */
  density?: Noise;
}

/** All points of a half-open rectangle, in no particular order. Adjacent rectangles contain every point once. */
export function places(options: PlacesOptions, low: readonly [number, number], high: readonly [number, number]): Place[] {
  const { distance, seed = 0, relax = 0, density } = options;
  // The module takes the copy over.
  const all = loaded().places(Engine.shared().raw, density?.raw.copy(), distance, String(seed), relax, ...low, ...high);
  const place = (i: number): Place => {
    const [x = 0, y = 0, threshold = 0, random = 0] = all.subarray(4 * i, 4 * i + 4);
    return { x, y, threshold, random };
  };
  return Array.from({ length: all.length / 4 }, (_, i) => place(i));
}

/** A triangle mesh with y up, as in glTF and three.js: east, up, south. */
export interface Mesh {
  /** Three numbers for each vertex, in world units, relative to the anchor. */
  positions: Float32Array;
  /** Three numbers for each vertex, of length 1. */
  normals: Float32Array;
  /** Three indices for each triangle, anticlockwise seen from outside. */
  triangles: Uint32Array;
  /** The origin of positions in world units: east, up, south. */
  anchor: [number, number, number];
}

function arrays(mesh: glue.Mesh): Mesh {
  const [a = 0, b = 0, c = 0] = mesh.anchor();
  const found: Mesh = { positions: mesh.positions(), normals: mesh.normals(), triangles: mesh.triangles(), anchor: [a, b, c] };
  mesh.free();
  return found;
}

/** Options of `terrain`. */
export interface TerrainOptions {
  /** Largest error of heights in world units; 0 keeps every sample. By default 0. */
  error?: number;
  /** Depth of the skirt that hides cracks between levels of detail, in world units. By default 0. */
  skirt?: number;
}

/** Heights of a region as triangles. The outermost values only determine the normals at the border; see `terrainChunk`. */
export function terrain(heights: Float32Array, region: Region, { error = 0, skirt = 0 }: TerrainOptions = {}): Mesh {
  return arrays(loaded().terrain(heights, numbers(region), error, skirt));
}

/** The region of a chunk of `cells`² cells, for `terrain`; at a level of detail k, its cells are 2ᵏ times as large. */
export function terrainChunk(x: number, y: number, cells: number, level = 0): Region {
  return named(loaded().terrain_chunk(x, y, cells, level));
}

/** Options of `surface`. */
export interface SurfaceOptions {
  /** The density from which on the volume is solid, by default 0. */
  at?: number;
  /** Whether the surface is closed at the borders of the region, by default false. */
  walls?: boolean;
}

/** The surface of the solid part of a volume. */
export function surface(density: Noise, region: Region, { at = 0, walls = false }: SurfaceOptions = {}): Mesh {
  return arrays(loaded().surface(Engine.shared().raw, density.raw, numbers(region), at, walls));
}
