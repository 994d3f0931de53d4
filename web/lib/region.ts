/**
 * A box of samples. Sample (i, j, k) lies at `anchor + (x + i, y + j, z + k) · spacing · 2^level` in world units; x runs fastest.
 * Regions with the same spacing and anchor share samples bit for bit.
 */
export interface Region {
  /** Index of the first sample along x, by default 0. */
  x?: number;
  /** Index of the first sample along y, by default 0. */
  y?: number;
  /** Index of the first sample along z, by default 0. */
  z?: number;
  /** Number of samples along x. */
  width: number;
  /** Number of samples along y. */
  height: number;
  /** Number of samples along z, by default 1. */
  depth?: number;
  /** World units between samples at level 0, by default 1. */
  spacing?: number;
  /** Level of detail: every level doubles the spacing. By default 0. */
  level?: number;
  /** World position of sample 0, 0, 0, by default the origin. */
  anchor?: readonly [number, number, number];
}

/** A region as the module takes it. */
export function numbers({ x = 0, y = 0, z = 0, width, height, depth = 1, spacing = 1, level = 0, anchor = [0, 0, 0] }: Region): Float64Array {
  return Float64Array.of(x, y, z, width, height, depth, level, spacing, ...anchor);
}

/** A region from the module's numbers. */
export function named(all: Float64Array): Region {
  const [x = 0, y = 0, z = 0, width = 0, height = 0, depth = 1, level = 0, spacing = 1, a = 0, b = 0, c = 0] = all;
  return { x, y, z, width, height, depth, spacing, level, anchor: [a, b, c] };
}
