// Written by tests/kinds.rs from the library's tables. Do not edit.
import { makeNoise } from "./make.js";
import type { Noise } from "./noise.js";
import type { ControlPoint, QuantilePoint } from "./points.js";

/**
 * Parameters of `constant`.
 */
export interface Constant {
  /**
   * The number.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  value?: number;
}

/**
 * Parameters of `coordinate`.
 */
export interface Coordinate {
  /**
   * The axis.
   *
   * Default: "x".
   */
  axis?: "x" | "y" | "z";
  /**
   * World units per 1.0. As a value, positions beyond 2³⁰ units are an error, so far worlds need a large unit.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units per 1.0. Default: 1.0.
   */
  unit?: number;
}

/**
 * Parameters of `simplex`.
 */
export interface Simplex {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
   *
   * Allowed: 1 to 4. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * Position along the fourth axis, such as time, in world units. Read in 4D, and by turning gradients.
   *
   * Allowed: -1e12 to 1e12. Unit: world units. Default: 0.0.
   */
  w?: number;
  /**
   * Whether gradients turn along the fourth axis (2D and 3D).
   *
   * Default: "still".
   */
  gradients?: "still" | "turning";
  /**
   * World units along the fourth axis in which turning gradients turn once. With 1, `w` counts turns. In octaves of a fractal
   * they turn `lacunarityᵏ` times, rounded to a whole number of at least 1.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 1.0.
   */
  wPeriod?: number;
  /**
   * Hash from cells to gradients; `permutation289` is 3D only.
   *
   * Default: "integer".
   */
  hash?: "integer" | "permutation289";
  /**
   * Size of a lattice cell in world units: the edge of the cubes that are skewed into simplexes.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset. If omitted, it is 0 for the integer hash; `permutation289` then has no
   * lattice offset.
   *
   * Allowed: 0 to 18446744073709551615.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `open_simplex2`.
 */
export interface OpenSimplex2 {
  /**
   * Number of dimensions: 2 (reads x and y), 3, or 4 (also `w`).
   *
   * Allowed: 2 to 4. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * The variant.
   *
   * Default: "fast".
   */
  variant?: "fast" | "smooth";
  /**
   * The turn of the lattice. In 2D, `improve_xz` is for worlds seen from the side: the diagonal lies along y. The others
   * are the same in 2D.
   *
   * Default: "improve_xy".
   */
  orientation?: "classic" | "improve_xy" | "improve_xz";
  /**
   * Position along the fourth axis, such as time, in world units. Read in 4D.
   *
   * Allowed: -1e12 to 1e12. Unit: world units. Default: 0.0.
   */
  w?: number;
  /**
   * Size of a lattice cell in world units, as for `simplex`: 1 / frequency.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `value`.
 */
export interface Value {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
   *
   * Allowed: 1 to 4. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * Position along the fourth axis, such as time, in world units.
   *
   * Allowed: -1e12 to 1e12. Unit: world units. Default: 0.0.
   */
  w?: number;
  /**
   * Interpolation between lattice points.
   *
   * Default: "quintic".
   */
  interpolation?: "truncated" | "linear" | "cubic" | "quintic" | "cosine";
  /**
   * Source of the lattice points' numbers; `table` is 1D only.
   *
   * Default: "integer".
   */
  hash?: "integer" | "table";
  /**
   * Edge of a lattice cell, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset, and of the table if `values` is omitted.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
  /**
   * The 256 numbers of `table`. Values of the noise stay within their range.
   *
   * Allowed: a list of 1 to 256 numbers, each -1e15 to 1e15. Unit: that of the values.
   */
  values?: readonly number[];
}

/**
 * Parameters of `white`.
 */
export interface White {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y) or 3.
   *
   * Allowed: 1 to 3. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * Hash from cells to numbers.
   *
   * Default: "integer".
   */
  hash?: "integer" | "sine" | "nested_sine" | "nested_integer";
  /**
   * Edge of a cell, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 1.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `perlin`.
 */
export interface Perlin {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
   *
   * Allowed: 1 to 4. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * Position along the fourth axis, such as time, in world units. Read in 4D, and by turning gradients.
   *
   * Allowed: -1e12 to 1e12. Unit: world units. Default: 0.0.
   */
  w?: number;
  /**
   * Whether gradients turn along the fourth axis (2D and 3D).
   *
   * Default: "still".
   */
  gradients?: "still" | "turning";
  /**
   * World units along the fourth axis in which turning gradients turn once. With 1, `w` counts turns. In octaves of a fractal
   * they turn `lacunarityᵏ` times, rounded to a whole number of at least 1.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 1.0.
   */
  wPeriod?: number;
  /**
   * Interpolation between lattice points.
   *
   * Default: "quintic".
   */
  interpolation?: "truncated" | "linear" | "cubic" | "quintic" | "cosine";
  /**
   * Edge of a lattice cell, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `worley`.
 */
export interface Worley {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y) or 3.
   *
   * Allowed: 1 to 3. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * The metric, also of distances to borders. (These are Euclidean for `squared`.) In 1D all except `squared` are the same.
   *
   * Default: "euclidean".
   */
  metric?: "euclidean" | "squared" | "manhattan" | "chebyshev";
  /**
   * The quantity: distances, their ratio, a value per nearest point, or the distance to the border of its cell.
   *
   * Default: "distance".
   */
  output?: "distance" | "cell" | "edge" | "ratio" | "border";
  /**
   * Factors of the distances F1, F2, F3, F4 to the nearest points: `[1]` gives F1, `[-1, 1]` gives F2 − F1. Only
   * `distance` reads them. The numbers are live; their count is structural.
   *
   * Allowed: a list of 1 to 4 numbers, each -1e15 to 1e15. Default: [1.0].
   */
  weights?: readonly number[];
  /**
   * Maximum displacement of points from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
   *
   * Allowed: 0 to 1. Default: 1.0.
   */
  jitter?: number;
  /**
   * Width of a border, in world units. Only `border` reads it.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 4.0.
   */
  width?: number;
  /**
   * Width of the slope on each side of a border, in world units; 0.000001 is sharp. Only `border` reads it.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 4.0.
   */
  bevel?: number;
  /**
   * Edge of a cell, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `smooth_cells`.
 */
export interface SmoothCells {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y) or 3.
   *
   * Allowed: 1 to 3. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * The metric. In 1D all except `squared` are the same.
   *
   * Default: "euclidean".
   */
  metric?: "euclidean" | "squared" | "manhattan" | "chebyshev";
  /**
   * The quantity that is mixed: the distances to the points, or a value per point.
   *
   * Default: "distance".
   */
  output?: "distance" | "cell";
  /**
   * The width of the transition between cells, from sharp (0) to soft (1).
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  softness?: number;
  /**
   * Maximum displacement of points from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
   *
   * Allowed: 0 to 1. Default: 1.0.
   */
  jitter?: number;
  /**
   * Differences in size: distances to a point are multiplied by a random factor, from 1 to `1 + variation`. (For the
   * Euclidean metric, their squares are.) Points with a large factor have small, rounded cells.
   *
   * Allowed: 0 to 1. Default: 0.0.
   */
  variation?: number;
  /**
   * Edge of a cell, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `hexagonal`.
 */
export interface Hexagonal {
  /**
   * Source of the hexagons' gradients.
   *
   * Default: "integer".
   */
  hash?: "integer" | "tables";
  /**
   * Distance between the centres of neighbouring hexagons, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash, or of the tables that are omitted.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  offset?: readonly [number, number, number];
  /**
   * For `tables`: a permutation of the numbers 0 to 255.
   *
   * Allowed: a list of 1 to 256 numbers, each 0 to 255.
   */
  permutation?: readonly number[];
  /**
   * For `tables`: 32 gradients in (q, r, s).
   *
   * Allowed: every number -1 to 1.
   */
  gradients?: readonly (readonly [number, number, number])[];
}

/**
 * Parameters of `phasor`.
 */
export interface Phasor {
  /**
   * Number of dimensions: 2 (reads x and y) or 3.
   *
   * Allowed: 2 to 3. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * The shape of the waves.
   *
   * Default: "sine".
   */
  profile?: "sine" | "square" | "saw" | "gabor";
  /**
   * Length of a wave, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 20.0.
   */
  wavelength?: number;
  /**
   * Edge of a lattice cell, in world units. Crests are about as long; at most 64 waves lie in a cell.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 60.0.
   */
  size?: number;
  /**
   * Steepness of the profiles `square` and `saw`: 0 gives a sine and a triangle. At 1, a saw falls within 1 % of a wave.
   *
   * Allowed: 0 to 1. Default: 0.75.
   */
  sharpness?: number;
  /**
   * Direction of the waves: degrees from the plane of x and y towards z. Read in 3D, without `along`.
   *
   * Default: 0.0.
   */
  elevation?: Noise | number;
  /**
   * Factor of the number of waves, limited to 0 to 16.
   *
   * Default: 1.0.
   */
  frequency?: Noise | number;
  /**
   * If a node: waves run along its gradient, up and down its slopes, turned by `rotation`. Requires a gradient; the noise
   * itself then has none.
   *
   * Default: 0.0.
   */
  along?: Noise | number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `craters`.
 */
export interface Craters {
  /**
   * The quantity: heights, or how young the surface is, for colours.
   *
   * Default: "height".
   */
  output?: "height" | "youth";
  /**
   * Number of classes of size. Each next class has half the radii and depths of the previous one. The cost grows with it.
   *
   * Allowed: 1 to 7. Default: 5.
   */
  classes?: number | bigint;
  /**
   * Share of cells with a crater in the class of the largest.
   *
   * Allowed: 0 to 1. Default: 0.7.
   */
  density?: number;
  /**
   * Exponent of the law of sizes: 2 covers the same area in each class, more gives more small craters. No class has more than one
   * crater in a cell.
   *
   * Allowed: 0 to 6. Default: 1.8.
   */
  exponent?: number;
  /**
   * Depth of the largest and youngest craters, below the ground.
   *
   * Allowed: 0 to 1e12. Unit: that of the values. Default: 1.0.
   */
  depth?: number;
  /**
   * Height of rims above the ground, as a share of the depth.
   *
   * Allowed: 0 to 1. Default: 0.25.
   */
  rim?: number;
  /**
   * Distance from the middle of a crater at which its ejecta end, in radii. The largest radius is `wavelength / ejecta`.
   *
   * Allowed: 1.2 to 4. Default: 2.2.
   */
  ejecta?: number;
  /**
   * Differences between ages: with 0 all craters are fresh, with 1 the oldest are flat.
   *
   * Allowed: 0 to 1. Default: 0.8.
   */
  degradation?: number;
  /**
   * Height of the peaks in the middle of the largest craters, as a share of the depth; 0 at half the largest radius.
   *
   * Allowed: 0 to 1. Default: 0.3.
   */
  peak?: number;
  /**
   * Edge of the largest cells, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `beds`.
 */
export interface Beds {
  /**
   * Height by which the beds are raised, in world units, for example a noise with long waves that folds them.
   *
   * Default: 0.0.
   */
  fold?: Noise | number;
  /**
   * The quantity: a random number of each bed, or its hardness.
   *
   * Default: "layer".
   */
  output?: "layer" | "hardness";
  /**
   * Mean thickness of a bed, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 20.0.
   */
  thickness?: number;
  /**
   * Differences between thicknesses: with 0 all beds are equal, with 1 the thinnest vanish and the thickest are double.
   *
   * Allowed: 0 to 1. Default: 0.6.
   */
  irregular?: number;
  /**
   * Height over which two beds blend, as a share of `thickness`.
   *
   * Allowed: 0.001 to 1. Default: 0.15.
   */
  blend?: number;
  /**
   * Differences between hard beds, and between soft ones: with 0 the hardness is 0 or 1, with 1 it reaches 1/2. Only `hardness`
   * reads it.
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  variation?: number;
  /**
   * Slope of the beds, as height per distance.
   *
   * Allowed: 0 to 1000. Default: 0.0.
   */
  dip?: number;
  /**
   * Direction in which the beds descend, in degrees clockwise from north (y points down in a picture).
   *
   * Allowed: -360 to 360. Unit: degrees. Default: 90.0.
   */
  direction?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `fastnoise_lite`.
 */
export interface FastnoiseLite {
  /**
   * Number of dimensions: 2 (reads x and y) or 3. The original has one function for each.
   *
   * Allowed: 2 to 3. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * The type of noise.
   *
   * Default: "open_simplex2".
   */
  noise?: "open_simplex2" | "open_simplex2s" | "cellular" | "perlin" | "value_cubic" | "value";
  /**
   * The source whose numbers are given, where the sources differ.
   *
   * Default: "cpp".
   */
  version?: "cpp" | "c" | "csharp" | "rust";
  /**
   * The original's seed. Negative seeds are written as `seed + 2³²`: 4294967295 is −1. Of larger numbers, both halves count.
   *
   * Allowed: 0 to 18446744073709551615. Default: 1337.
   */
  seed?: number | bigint;
  /**
   * Cells per unit of the original's coordinates.
   *
   * Allowed: -1000 to 1000. Default: 0.01.
   */
  frequency?: number;
  /**
   * World units per unit of the original's coordinates.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units per 1.0. Default: 1.0.
   */
  unit?: number;
  /**
   * The turn of 3D coordinates.
   *
   * Default: "none".
   */
  rotation?: "none" | "improve_xy" | "improve_xz";
  /**
   * The sum of octaves.
   *
   * Default: "none".
   */
  fractal?: "none" | "fbm" | "ridged" | "ping_pong";
  /**
   * Number of octaves, if there is a fractal.
   *
   * Allowed: 1 to 16. Default: 3.
   */
  octaves?: number | bigint;
  /**
   * Frequency of an octave relative to the previous one.
   *
   * Allowed: -8 to 8. Default: 2.0.
   */
  lacunarity?: number;
  /**
   * Amplitude of an octave relative to the previous one.
   *
   * Allowed: -8 to 8. Default: 0.5.
   */
  gain?: number;
  /**
   * The influence of an octave's value on the amplitude of the next ones.
   *
   * Allowed: 0 to 1. Default: 0.0.
   */
  weightedStrength?: number;
  /**
   * The factor by which octaves are stretched before they are folded, for `fractal = "ping_pong"`.
   *
   * Allowed: 0 to 100. Default: 2.0.
   */
  pingPongStrength?: number;
  /**
   * The distance function of cellular noise.
   *
   * Default: "euclidean_squared".
   */
  distance?: "euclidean" | "euclidean_squared" | "manhattan" | "hybrid";
  /**
   * The return type of cellular noise.
   *
   * Default: "distance".
   */
  cellularReturn?: "cell_value" | "distance" | "distance2" | "distance2_add" | "distance2_sub" | "distance2_mul" | "distance2_div";
  /**
   * Maximum displacement of the points of cellular noise, relative to the original's default. Above 1, nearest points may be
   * missed.
   *
   * Allowed: 0 to 4. Default: 1.0.
   */
  jitter?: number;
  /**
   * The domain warp.
   *
   * Default: "none".
   */
  warp?: "none" | "open_simplex2" | "open_simplex2_reduced" | "basic_grid";
  /**
   * The sum of the warp's octaves.
   *
   * Default: "none".
   */
  warpFractal?: "none" | "progressive" | "independent";
  /**
   * The warp's seed. Negative seeds are written as `seed + 2³²`.
   *
   * Allowed: 0 to 4294967295. Default: 1337.
   */
  warpSeed?: number | bigint;
  /**
   * The largest displacement, in units of the original's coordinates. As in the original, without a fractal it is divided by
   * the sum of amplitudes all the same.
   *
   * Allowed: -1000000 to 1000000. Default: 1.0.
   */
  warpAmplitude?: number;
  /**
   * Cells of the warp per unit of the original's coordinates.
   *
   * Allowed: -1000 to 1000. Default: 0.01.
   */
  warpFrequency?: number;
  /**
   * Number of octaves of the warp.
   *
   * Allowed: 1 to 16. Default: 3.
   */
  warpOctaves?: number | bigint;
  /**
   * Frequency of an octave of the warp relative to the previous one.
   *
   * Allowed: -8 to 8. Default: 2.0.
   */
  warpLacunarity?: number;
  /**
   * Amplitude of an octave of the warp relative to the previous one.
   *
   * Allowed: -8 to 8. Default: 0.5.
   */
  warpGain?: number;
}

/**
 * Parameters of `fractal`.
 */
export interface Fractal {
  /**
   * Number of octaves.
   *
   * Allowed: 1 to 32. Default: 6.
   */
  octaves?: number | bigint;
  /**
   * Frequency ratio of an octave to the previous one.
   *
   * Allowed: 0.015625 to 64. Default: 2.0.
   */
  lacunarity?: number;
  /**
   * Amplitude ratio of an octave to the previous one; also called persistence.
   *
   * Allowed: -16 to 16. Default: 0.5.
   */
  gain?: number;
  /**
   * Formula that combines the octaves.
   *
   * Default: "sum".
   */
  accumulate?: "sum" | "lerp" | "weighted" | "billow" | "ridged" | "pingpong" | "multifractal" | "hybrid" | "heterogeneous";
  /**
   * Whether to divide by the sum of the amplitudes' magnitudes, so that the range does not depend on the number of
   * octaves. Applies to `sum`, `weighted`, `billow`, `ridged` and `pingpong`.
   *
   * Default: true.
   */
  normalise?: boolean;
  /**
   * Musgrave's `offset`. `multifractal`, `hybrid` and `heterogeneous` add it to the values of an octave; `ridged`
   * subtracts their magnitude from it.
   *
   * Allowed: -16 to 16. Unit: that of the values. Default: 1.0.
   */
  level?: number;
  /**
   * Musgrave's `gain` of `ridged`, a factor: how strongly a high octave lets the next one through.
   *
   * Allowed: 0 to 16. Default: 2.0.
   */
  sharpness?: number;
  /**
   * For `weighted`, `billow` and `pingpong`: how strongly a low octave suppresses the next one, from 0 (not at all) to
   * 1.
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  weight?: number;
  /**
   * For `pingpong`: the factor by which values are stretched before they are folded.
   *
   * Allowed: 0 to 64. Default: 2.0.
   */
  folds?: number;
  /**
   * Whether each octave is a noise of its own.
   *
   * Default: "own".
   */
  seeds?: "own" | "same";
  /**
   * Seed from which the octaves' seeds and offsets are derived.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offsets added to the position, one per octave, in world units, instead of those derived from the seed. There may be
   * more than `octaves`.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offsets?: readonly (readonly [number, number, number])[];
  /**
   * An `octave_table` that holds the offsets, which several fractals may share.
   */
  table?: Noise | number;
  /**
   * Index of the table's entry for the first octave. The next octaves take the next entries.
   *
   * Allowed: 0 to 65535. Default: 0.
   */
  start?: number | bigint;
  /**
   * Offset added to the position of every octave, in world units (the shader's sample offset).
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  offset?: readonly [number, number, number];
  /**
   * Rotation of each octave's position relative to the previous one, in degrees: around z from the x axis towards y. The
   * picture turns the other way.
   *
   * Allowed: -360 to 360. Unit: degrees. Default: 0.0.
   */
  rotation?: number;
  /**
   * Axis of the rotation. Its length is ignored.
   *
   * Allowed: every number -1000000 to 1000000. Default: [0.0,0.0,1.0].
   */
  axis?: readonly [number, number, number];
}

/**
 * Parameters of `spline`.
 */
export interface Spline {
  /**
   * The control points.
   *
   * Allowed: at least two points, `at` strictly increasing, every number finite and at most 1e15. Default: [].
   */
  points?: readonly ControlPoint[];
  /**
   * A `point_table` that holds the control points instead, which several splines may share.
   */
  table?: Noise | number;
  /**
   * Index of the table's entry that is the first control point.
   *
   * Allowed: 0 to 65535. Default: 0.
   */
  start?: number | bigint;
  /**
   * Index of the table's entry after the last control point. If omitted, the end of the table.
   *
   * Allowed: 0 to 65535.
   */
  end?: number | bigint;
}

/**
 * Parameters of `octave_table`.
 */
export interface OctaveTable {
  /**
   * Offsets added to the position, one entry per octave, in world units.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [].
   */
  offsets?: readonly (readonly [number, number, number])[];
}

/**
 * Parameters of `point_table`.
 */
export interface PointTable {
  /**
   * The control points, one curve after another; `at` increases within the entries of a spline.
   *
   * Default: [].
   */
  points?: readonly ControlPoint[];
}

/**
 * Parameters of `scale_offset`.
 */
export interface ScaleOffset {
  /**
   * Factor.
   *
   * Allowed: -1e15 to 1e15. Default: 1.0.
   */
  scale?: number;
  /**
   * Number added after scaling.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  offset?: number;
}

/**
 * Parameters of `clamp`.
 */
export interface Clamp {
  /**
   * Lower bound.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: -1.0.
   */
  low?: number;
  /**
   * Upper bound, at least `low`.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 1.0.
   */
  high?: number;
}

/**
 * Parameters of `abs`.
 */
export interface Abs {
}

/**
 * Parameters of `power`.
 */
export interface Power {
  /**
   * Exponent.
   *
   * Allowed: 0.0625 to 32. Default: 2.0.
   */
  exponent?: number;
}

/**
 * Parameters of `add`.
 */
export interface Add {
  /**
   * Second term.
   */
  b: Noise | number;
}

/**
 * Parameters of `multiply`.
 */
export interface Multiply {
  /**
   * Second factor.
   */
  b: Noise | number;
}

/**
 * Parameters of `min`.
 */
export interface Min {
  /**
   * The other.
   */
  b: Noise | number;
}

/**
 * Parameters of `max`.
 */
export interface Max {
  /**
   * The other.
   */
  b: Noise | number;
}

/**
 * Parameters of `blend`.
 */
export interface Blend {
  /**
   * The value where the mask is 1.
   */
  b: Noise | number;
  /**
   * The share of `b`, from 0 to 1.
   */
  mask: Noise | number;
}

/**
 * Parameters of `warp`.
 */
export interface Warp {
  /**
   * Displacement along x before `strength`.
   *
   * Default: 0.0.
   */
  x?: Noise | number;
  /**
   * Displacement along y before `strength`.
   *
   * Default: 0.0.
   */
  y?: Noise | number;
  /**
   * Displacement along z before `strength`.
   *
   * Default: 0.0.
   */
  z?: Noise | number;
  /**
   * World units per 1.0 of displacement.
   *
   * Allowed: -1000000000 to 1000000000. Unit: world units per 1.0. Default: 1.0.
   */
  strength?: number;
}

/**
 * Parameters of `hill`.
 */
export interface Hill {
  /**
   * Number of dimensions: 1 (reads x), 2 (x and y) or 3.
   *
   * Allowed: 1 to 3. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * Number of sines (pairs, triples), if `sizes` is omitted.
   *
   * Allowed: 1 to 1024. Default: 30.
   */
  sines?: number | bigint;
  /**
   * Spread of the sizes: sine i of N has size `((i + 1/2) / (N + 1))^(−ln smoothness)`. At 1 all sizes are equal; near 0
   * there are few large and many small ones.
   *
   * Allowed: 0.001 to 1. Default: 0.5.
   */
  smoothness?: number;
  /**
   * The sizes, instead of those derived from `sines` and `smoothness`.
   *
   * Allowed: every number 0.000001 to 1000000.
   */
  sizes?: readonly number[];
  /**
   * Phases in radians, `dimensions` for each sine, instead of those derived from the seed.
   *
   * Allowed: every number -1000000 to 1000000. Unit: radians.
   */
  offsets?: readonly number[];
  /**
   * For 2D: degrees over which the multiples of the golden ratio turn the pairs. A pair looks the same after 90 degrees,
   * so 90 spreads its directions evenly. The article's code has 360, where every second pair nearly shares its axes.
   *
   * Allowed: 1 to 360. Unit: degrees. Default: 90.0.
   */
  spread?: number;
  /**
   * World units per 1.0 of size. A hill of size 1 repeats after 2π times this.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 50.0.
   */
  unit?: number;
  /**
   * Distribution of the values over [−1, 1].
   *
   * Default: "exact".
   */
  uniform?: "exact" | "normal" | "none";
  /**
   * Seed of the phases. Noises of the same sizes are the same waves with other phases, so their values correlate: by
   * about 0.16 in 1D, 0.1 in 2D and 0.07 in 3D at 30 sines. To avoid that, give them different sizes, for example by
   * another `smoothness`.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
}

/**
 * Parameters of `spectral`.
 */
export interface Spectral {
  /**
   * Number of frequencies, 1 to this many per `length`, if `frequencies` is omitted.
   *
   * Allowed: 1 to 4096. Default: 30.
   */
  count?: number | bigint;
  /**
   * Exponent of the amplitudes.
   *
   * Allowed: -8 to 8. Default: -1.0.
   */
  exponent?: number;
  /**
   * Frequencies, in sines per `length`.
   *
   * Allowed: every number 0.000001 to 1000000. Unit: cycles per `length`.
   */
  frequencies?: readonly number[];
  /**
   * Amplitudes, one per frequency, instead of those derived from `exponent`.
   *
   * Allowed: every number -1000000 to 1000000. Unit: that of the values.
   */
  amplitudes?: readonly number[];
  /**
   * Phases in radians, one per frequency, instead of those derived from the seed.
   *
   * Allowed: every number -1000000 to 1000000. Unit: radians.
   */
  phases?: readonly number[];
  /**
   * World units after which integer frequencies repeat.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 1000.0.
   */
  length?: number;
  /**
   * Whether to divide by the sum of the amplitudes' magnitudes, so that values stay within [−1, 1].
   *
   * Default: true.
   */
  normalise?: boolean;
  /**
   * Seed of the phases.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
}

/**
 * Parameters of `radius`.
 */
export interface Radius {
  /**
   * The point, in world units.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  centre?: readonly [number, number, number];
  /**
   * Weight of the distance along each axis: (1, 1, 0) measures in the plane.
   *
   * Allowed: every number -1000 to 1000. Default: [1.0,1.0,0.0].
   */
  axes?: readonly [number, number, number];
  /**
   * World units per 1.0.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units per 1.0. Default: 1.0.
   */
  unit?: number;
}

/**
 * Parameters of `raster`.
 */
export interface Raster {
  /**
   * A file relative to the recipe (PNG, JPEG, OpenEXR, TIFF, NumPy array, SRTM, ASCII grid, raw, r16, r32), with up to 16384
   * samples along an edge.
   */
  heights: string;
  /**
   * The channel of a picture's colours, or the encoding of numbers that the file does not specify: PNG tiles with heights
   * as colours, and raw numbers.
   *
   * Default: "file".
   */
  encoding?: "file" | "terrarium" | "mapbox_rgb" | "red" | "green" | "blue" | "opacity" | "lightness" | "green_red" | "blue_yellow" | "uint8" | "int8" | "uint16_le" | "uint16_be" | "int16_le" | "int16_be" | "uint32_le" | "uint32_be" | "int32_le" | "int32_be" | "float32_le" | "float32_be" | "float64_le" | "float64_be";
  /**
   * Samples per row of a file without a header (raw, r16, r32). If omitted, the raster is square.
   *
   * Allowed: 1 to 16384.
   */
  columns?: number | bigint;
  /**
   * Height of cells that have no height: NaN, and the values that the file declares as missing (GDAL_NODATA, a mask,
   * voids of SRTM). If omitted, a file with such cells is an error.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values.
   */
  holes?: number;
  /**
   * The SHA-256 hash that the file must have. If omitted, that of the file found is taken.
   *
   * Allowed: 64 hexadecimal digits.
   */
  sha256?: string;
  /**
   * World x and y of the first sample.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0].
   */
  position?: readonly [number, number];
  /**
   * World units between samples along x and y; not 0. For pictures with north at the top, the second number is negative.
   *
   * Allowed: every number -1000000000 to 1000000000. Unit: world units. Default: [1.0,1.0].
   */
  spacing?: readonly [number, number];
  /**
   * Interpolation between samples.
   *
   * Default: "cubic".
   */
  sampling?: "nearest" | "linear" | "cubic";
  /**
   * The values beyond the edges.
   *
   * Default: "clamp".
   */
  outside?: "clamp" | "repeat" | "mirror" | "constant";
  /**
   * Value beyond the edges if `outside` is `constant`.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  fill?: number;
}

/**
 * Parameters of `by_example`.
 */
export interface ByExample {
  /**
   * Edge of a triangle, in world units. At most half the shorter side of the raster. If omitted, a quarter of that side.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units.
   */
  tile?: number;
  /**
   * Parts are turned by up to this angle to both sides, in degrees.
   *
   * Allowed: 0 to 180. Unit: degrees. Default: 0.0.
   */
  rotation?: number;
  /**
   * Narrowness of the borders between parts, as an exponent of their weights: 1 blends over whole triangles.
   *
   * Allowed: 1 to 8. Default: 2.0.
   */
  sharpness?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `polar`.
 */
export interface Polar {
  /**
   * The centre, in world units.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  centre?: readonly [number, number, number];
  /**
   * The position at which `of` is sampled.
   *
   * Default: "circle".
   */
  form?: "circle" | "strip";
  /**
   * The radius of the circle, or the length of the strip that covers one turn, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  size?: number;
}

/**
 * Parameters of `transform`.
 */
export interface Transform {
  /**
   * Offset added to the position, in world units.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  offset?: readonly [number, number, number];
  /**
   * Rotation of the position, in degrees: around z from the x axis towards y. The picture turns the other way.
   *
   * Allowed: -360 to 360. Unit: degrees. Default: 0.0.
   */
  rotation?: number;
  /**
   * Axis of the rotation. Its length is ignored.
   *
   * Allowed: every number -1000000 to 1000000. Default: [0.0,0.0,1.0].
   */
  axis?: readonly [number, number, number];
  /**
   * Factors along x, y and z. A factor of 2 halves the size of details.
   *
   * Allowed: every number -1000000 to 1000000. Default: [1.0,1.0,1.0].
   */
  scale?: readonly [number, number, number];
}

/**
 * Parameters of `slice`.
 */
export interface Slice {
  /**
   * The axis perpendicular to the plane.
   *
   * Default: "z".
   */
  axis?: "x" | "y" | "z";
  /**
   * World position of the plane along the axis.
   *
   * Allowed: -1e12 to 1e12. Unit: world units. Default: 0.0.
   */
  at?: number;
}

/**
 * Parameters of `mirror`.
 */
export interface Mirror {
  /**
   * The axis perpendicular to the plane.
   *
   * Default: "x".
   */
  axis?: "x" | "y" | "z";
  /**
   * World position of the plane along the axis.
   *
   * Allowed: -1e12 to 1e12. Unit: world units. Default: 0.0.
   */
  at?: number;
}

/**
 * Parameters of `quantise`.
 */
export interface Quantise {
  /**
   * Size of a cell along x, y and z, in world units.
   *
   * Allowed: every number 0.000001 to 1e12. Unit: world units. Default: [8.0,8.0,8.0].
   */
  size?: readonly [number, number, number];
}

/**
 * Parameters of `periodic`.
 */
export interface Periodic {
  /**
   * Period along x, y and z in world units; 0 for no repetition. A period spans up to 2²⁴ − 1 cells of each lattice
   * under it.
   *
   * Allowed: every number 0 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  period?: readonly [number, number, number];
  /**
   * Period along the fourth axis, such as time, in world units; 0 for no repetition. It is a multiple of the wavelength of
   * every 4D octave under it (of three wavelengths for simplex noise), and of the period of turning gradients.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 0.0.
   */
  wPeriod?: number;
}

/**
 * Parameters of `domain`.
 */
export interface Domain {
  /**
   * World position along x.
   *
   * Default: 0.0.
   */
  x?: Noise | number;
  /**
   * World position along y.
   *
   * Default: 0.0.
   */
  y?: Noise | number;
  /**
   * World position along z.
   *
   * Default: 0.0.
   */
  z?: Noise | number;
}

/**
 * Parameters of `turbulence`.
 */
export interface Turbulence {
  /**
   * The sub-graph that displaces it.
   */
  by: Noise | number;
  /**
   * World units per 1.0 of displacement.
   *
   * Allowed: -1000000000 to 1000000000. Unit: world units per 1.0. Default: 50.0.
   */
  strength?: number;
  /**
   * Number of displacements, one after the other.
   *
   * Allowed: 1 to 32. Default: 1.
   */
  octaves?: number | bigint;
  /**
   * Frequency ratio of an octave of `by` to the previous one.
   *
   * Allowed: 0.015625 to 64. Default: 2.0.
   */
  lacunarity?: number;
  /**
   * Strength ratio of an octave to the previous one.
   *
   * Allowed: -16 to 16. Default: 0.5.
   */
  gain?: number;
  /**
   * Seed from which the seeds of the axes and octaves are derived.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
}

/**
 * Parameters of `stamps`.
 */
export interface Stamps {
  /**
   * The way in which overlapping stamps combine. A maximum begins at 0, so stamps that are never above it, such as pits, are an
   * error: they need `add` or `cover`.
   *
   * Default: "max".
   */
  combine?: "max" | "add" | "cover";
  /**
   * Stamps that lie on top with `cover`, and that stay where points are too near to each other.
   *
   * Default: "random".
   */
  priority?: "random" | "largest" | "smallest";
  /**
   * Radius of the disc, in world units; at most `wavelength`.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 40.0.
   */
  radius?: number;
  /**
   * Extent of `of` along z, in world units; at most `wavelength`. Each stamp is a slice at a random z from 0 to this. So a noise
   * in 3D gives each another shape.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 0.0.
   */
  thickness?: number;
  /**
   * Share of the radius in which a stamp fades to 0.
   *
   * Allowed: 0.001 to 1. Default: 0.3.
   */
  fade?: number;
  /**
   * Differences in size: scales are from `1 − variation` to 1.
   *
   * Allowed: 0 to 0.9. Default: 0.5.
   */
  variation?: number;
  /**
   * Share of a scale that heights have as well: with 0 small stamps are as high as large ones, with 1 they have the same slopes.
   *
   * Allowed: 0 to 1. Default: 1.0.
   */
  lift?: number;
  /**
   * Maximum of the random rotation from the x axis towards y, in turns: 0 turns no stamp, 1 turns them in all directions.
   *
   * Allowed: 0 to 1. Default: 1.0.
   */
  rotation?: number;
  /**
   * Share of cells with a stamp.
   *
   * Allowed: 0 to 1. Default: 1.0.
   */
  density?: number;
  /**
   * Maximum displacement of stamps from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
   *
   * Allowed: 0 to 1. Default: 1.0.
   */
  jitter?: number;
  /**
   * Number of lattices on top of each other, so of stamps per cell. Without jitter they coincide.
   *
   * Allowed: 1 to 4. Default: 1.
   */
  lattices?: number | bigint;
  /**
   * Minimum distance between points, in world units; at most `wavelength`. Of two points that are nearer, the one with priority
   * stays. If a third one displaces it, the other may stay. With twice the radius, no discs overlap. With one wavelength, 0.44
   * points per cell stay of one lattice, and 0.50 of four. Points up to 1/5000 of a wavelength farther count as too near.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 0.0.
   */
  separation?: number;
  /**
   * Edge of a cell, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Seed of the hash and the lattice offset.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * Offset added to the position, in world units, instead of the offset derived from the seed.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units.
   */
  offset?: readonly [number, number, number];
}

/**
 * Parameters of `smoothstep`.
 */
export interface Smoothstep {
  /**
   * Input at which the curve leaves 0.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  low?: number;
  /**
   * Input at which the curve reaches 1; above `low`.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 1.0.
   */
  high?: number;
}

/**
 * Parameters of `terrace`.
 */
export interface Terrace {
  /**
   * Height of a step.
   *
   * Allowed: 0.000001 to 1e15. Unit: that of the values. Default: 0.25.
   */
  height?: number;
  /**
   * Share of each step that rises.
   *
   * Allowed: 0.001 to 1. Default: 0.3.
   */
  slope?: number;
}

/**
 * Parameters of `threshold`.
 */
export interface Threshold {
  /**
   * Input at which the value jumps.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  at?: number;
  /**
   * Value for inputs below `at`.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  below?: number;
  /**
   * Value for inputs of `at` and more.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 1.0.
   */
  above?: number;
}

/**
 * Parameters of `bias`.
 */
export interface Bias {
  /**
   * The value that 1/2 is mapped to.
   *
   * Allowed: 0.001 to 0.9375. Default: 0.5.
   */
  bias?: number;
}

/**
 * Parameters of `gain`.
 */
export interface Gain {
  /**
   * Strength: 1/4 is mapped to `(1 − gain) / 2`, so 1/2 changes nothing.
   *
   * Allowed: 0.0625 to 0.999. Default: 0.5.
   */
  gain?: number;
}

/**
 * Parameters of `sine`.
 */
export interface Sine {
  /**
   * Turns per 1.0 of the input.
   *
   * Allowed: -1000000 to 1000000. Unit: turns per 1.0. Default: 1.0.
   */
  frequency?: number;
  /**
   * Phase at input 0, in turns.
   *
   * Allowed: -1000000 to 1000000. Unit: turns. Default: 0.0.
   */
  phase?: number;
}

/**
 * Parameters of `quantile`.
 */
export interface Quantile {
  /**
   * The distribution.
   *
   * Default: "normal".
   */
  distribution?: "normal" | "weibull" | "exponential" | "table";
  /**
   * For `weibull` the scale (the article's alpha), for `exponential` the mean, for `normal` the standard deviation.
   *
   * Allowed: 0.000001 to 1e12. Unit: that of the values. Default: 1.0.
   */
  scale?: number;
  /**
   * For `weibull`: the shape (the article's beta).
   *
   * Allowed: 0.25 to 16. Default: 2.0.
   */
  shape?: number;
  /**
   * For `normal` the mean; for `weibull` and `exponential` the smallest value.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  location?: number;
  /**
   * For `table`: probabilities from 0 to 1, each with the value below which that share of the values lies. Joined by
   * straight lines.
   *
   * Allowed: empty, or two or more points: `probability` strictly increasing from 0 to 1, `value` not decreasing, of magnitude at most 1e15. Default: [].
   */
  table?: readonly QuantilePoint[];
}

/**
 * Parameters of `equalise`.
 */
export interface Equalise {
  /**
   * Quantiles of the sub-graph at evenly spaced probabilities from 0 to 1, in ascending order.
   *
   * Allowed: empty, or 2 to 65536 numbers of magnitude at most 1e15 that do not decrease, with the last above the first. Unit: that of the values. Default: [].
   */
  quantiles?: readonly number[];
}

/**
 * Parameters of `select`.
 */
export interface Select {
  /**
   * The value where the mask is high.
   */
  b: Noise | number;
  /**
   * The mask.
   */
  mask: Noise | number;
  /**
   * Value of the mask at which `a` and `b` count equally.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  at?: number;
  /**
   * Half the width of the transition, in values of the mask.
   *
   * Allowed: 0 to 1e15. Unit: that of the values. Default: 0.1.
   */
  falloff?: number;
}

/**
 * Parameters of `curl`.
 */
export interface Curl {
  /**
   * First component of the potential in 3D. Requires a gradient.
   *
   * Default: 0.0.
   */
  x?: Noise | number;
  /**
   * Second component of the potential in 3D. Requires a gradient.
   *
   * Default: 0.0.
   */
  y?: Noise | number;
  /**
   * The component of the velocity.
   *
   * Default: "x".
   */
  axis?: "x" | "y" | "z";
}

/**
 * Parameters of `cross_gradients`.
 */
export interface CrossGradients {
  /**
   * The second potential. Requires a gradient.
   */
  b: Noise | number;
  /**
   * The component of the velocity.
   *
   * Default: "x".
   */
  axis?: "x" | "y" | "z";
}

/**
 * Parameters of `advect`.
 */
export interface Advect {
  /**
   * The potential in the plane; its third component in space. Requires a gradient.
   */
  by: Noise | number;
  /**
   * First component of the potential in space. Requires a gradient.
   *
   * Default: 0.0.
   */
  x?: Noise | number;
  /**
   * Second component of the potential in space. Requires a gradient.
   *
   * Default: 0.0.
   */
  y?: Noise | number;
  /**
   * World units per 1.0 of velocity, of all steps together.
   *
   * Allowed: -1000000000 to 1000000000. Unit: world units per 1.0. Default: 1.0.
   */
  strength?: number;
  /**
   * Number of steps.
   *
   * Allowed: 1 to 16. Default: 4.
   */
  steps?: number | bigint;
}

/** One method for every kind with an input. */
export abstract class NodeSteps {
  /**
   * Phasor noise: waves with a direction and a length that vary from place to place, all of the same height. For dunes, ripples,
   * wood, strata and cloth; signed.
   *
   * The points of a lattice each contribute a wave with a phase of its own; the noise is a profile of the phase of their sum.
   * Direction and frequency may be other noises. Their gradients bend the waves around each point, so crests curve without
   * breaks if directions change by less than a third of a turn over a cell. The noise itself then has no gradient. Waves along
   * a gradient do not bend so: there, directions should change little over a cell. Crests end and fork where the phases of
   * neighbours differ; there the waves become 0. With the profile `gabor`, the noise is the sum of the waves instead, and its
   * height varies; few values are beyond ±0.7.
   *
   * Sources: Tricard et al., "Procedural phasor noise", 2019; Lagae et al., "Procedural noise using sparse Gabor convolution",
   * 2009.
   *
   * The cost is that of nine points with a sine each in 2D, of 27 in 3D.
   */
  phasor(params: Phasor = {}): Noise {
    return makeNoise("phasor", params, "rotation", this as unknown as Noise);
  }

  /**
   * Beds of rock that lie on each other along z, tilted and folded: a number for the bed at the height `of`.
   *
   * In a map, `of` is the height of the ground. In a volume, `of` is 0 and the height is z; otherwise both add up. Beds are the
   * same along their strike at any distance. The stage `strata` has such layers for erosion, which meets them as it cuts down.
   */
  beds(params: Beds = {}): Noise {
    return makeNoise("beds", params, "of", this as unknown as Noise);
  }

  /**
   * Octaves of any sub-graph: octave k samples it at `rotationᵏ · (position + offsetₖ) · lacunarityᵏ` with amplitude
   * `gainᵏ`.
   */
  fractal(params: Fractal = {}): Noise {
    return makeNoise("fractal", params, "of", this as unknown as Noise);
  }

  /**
   * A curve through control points: between two of them, the quadratic Bézier curve whose middle anchor is the mean of the
   * points' tangents, as in the terrain shader's `interpolateValue`. Inputs beyond the ends give the end values.
   */
  spline(params: Spline = {}): Noise {
    return makeNoise("spline", params, "of", this as unknown as Noise);
  }

  /**
   * `of · scale + offset`.
   */
  scaleOffset(params: ScaleOffset = {}): Noise {
    return makeNoise("scale_offset", params, "of", this as unknown as Noise);
  }

  /**
   * Clamps `of` to the range from `low` to `high`. The gradient is 0 where it clamps.
   */
  clamp(params: Clamp = {}): Noise {
    return makeNoise("clamp", params, "of", this as unknown as Noise);
  }

  /**
   * The absolute value of `of`.
   */
  abs(params: Abs = {}): Noise {
    return makeNoise("abs", params, "of", this as unknown as Noise);
  }

  /**
   * A power that keeps the sign: `sign(of) · |of|^exponent`. Magnitudes below 2⁻⁴⁰ give 0.
   */
  power(params: Power = {}): Noise {
    return makeNoise("power", params, "of", this as unknown as Noise);
  }

  /**
   * `a + b`.
   */
  add(params: Add): Noise {
    return makeNoise("add", params, "a", this as unknown as Noise);
  }

  /**
   * `a · b`.
   */
  multiply(params: Multiply): Noise {
    return makeNoise("multiply", params, "a", this as unknown as Noise);
  }

  /**
   * The smaller of `a` and `b`, with its gradient.
   */
  min(params: Min): Noise {
    return makeNoise("min", params, "a", this as unknown as Noise);
  }

  /**
   * The larger of `a` and `b`, with its gradient.
   */
  max(params: Max): Noise {
    return makeNoise("max", params, "a", this as unknown as Noise);
  }

  /**
   * Linear blend: `a + mask · (b − a)`, with the mask clamped to 0 to 1.
   */
  blend(params: Blend): Noise {
    return makeNoise("blend", params, "a", this as unknown as Noise);
  }

  /**
   * `of`, sampled at `position + strength · (x, y, z)`.
   *
   * Positions are exact at any distance; displacements are f32. A displacement of 2¹⁶ cells of the finest lattice under the
   * warp still resolves 2⁻⁸ of a cell; one of 2²⁴ cells resolves nothing.
   */
  warp(params: Warp = {}): Noise {
    return makeNoise("warp", params, "of", this as unknown as Noise);
  }

  /**
   * An endless surface that looks like a raster, without seams and without repetition.
   *
   * Around each corner of a grid of triangles lies a part of the raster from a random place. A sample blends three parts so
   * that the distribution of values remains that of the raster. It suits rock, grass, sand, bark and other surfaces without
   * large shapes. Features should be smaller than `tile`; the raster need not repeat. Nodes with the same seed, `tile` and size
   * of raster take the same parts: use three of them for the channels of a colour.
   *
   * Sources: Heitz and Neyret, "High-performance by-example noise using a histogram-preserving blending operator", 2018;
   * Mikkelsen, "Practical real-time hex-tiling", 2022.
   *
   * The cost is that of three lookups in a raster.
   */
  byExample(params: ByExample = {}): Noise {
    return makeNoise("by_example", params, "of", this as unknown as Noise);
  }

  /**
   * `of` in polar coordinates around a point of the plane. `circle`: the same value along every ray. `strip`: the angle
   * replaces x and the distance replaces y.
   *
   * Both are measured from the centre, so another centre gives another noise. Positions farther than 2³⁰ · `size` from the
   * centre are an error.
   */
  polar(params: Polar = {}): Noise {
    return makeNoise("polar", params, "of", this as unknown as Noise);
  }

  /**
   * `of`, sampled at `scale · rotation · (position + offset)`.
   */
  transform(params: Transform = {}): Noise {
    return makeNoise("transform", params, "of", this as unknown as Noise);
  }

  /**
   * `of` in a plane: one coordinate is constant.
   *
   * To animate a noise along z, move the region's `anchor` instead of slicing it: the values are the same, and nothing is
   * prepared again.
   */
  slice(params: Slice = {}): Noise {
    return makeNoise("slice", params, "of", this as unknown as Noise);
  }

  /**
   * Mirrors `of` in a plane: positions below the plane take the values of those above.
   */
  mirror(params: Mirror = {}): Noise {
    return makeNoise("mirror", params, "of", this as unknown as Noise);
  }

  /**
   * `of` at the centre of the cell that contains the position: blocks of constant value, with gradient 0.
   */
  quantise(params: Quantise = {}): Noise {
    return makeNoise("quantise", params, "of", this as unknown as Noise);
  }

  /**
   * `of`, repeated exactly after a period: samples one period apart have the same bits.
   *
   * Simplex noise in 2D allows any period from one wavelength on, in 3D from two: the lattice is stretched to the nearest
   * whole number of its units, which changes less the longer the period is. Sines move to the nearest waves that repeat.
   *
   * Every other basis keeps its wavelength. In every octave the period must be a multiple of that wavelength, so
   * lacunarities must be whole numbers. In 4D and with `permutation289`, simplex noise needs a multiple of three wavelengths
   * along each axis (4D is stretched by 4 %). Hexagons need a multiple of √3 wavelengths along y.
   */
  periodic(params: Periodic = {}): Noise {
    return makeNoise("periodic", params, "of", this as unknown as Noise);
  }

  /**
   * `of`, sampled at the position whose coordinates are the values of three nodes, in world units. Values are f32, so the
   * position has a relative error of up to 2⁻²⁴.
   */
  domain(params: Domain = {}): Noise {
    return makeNoise("domain", params, "of", this as unknown as Noise);
  }

  /**
   * Displaces `of` along every axis by another sub-graph, with a separate seed for each axis. With more than one octave the
   * displacements add up: each octave is sampled at the position displaced so far (a progressive domain warp).
   */
  turbulence(params: Turbulence): Noise {
    return makeNoise("turbulence", params, "of", this as unknown as Noise);
  }

  /**
   * Copies of a disc of `of` at random points, each turned and scaled: one stone, dune or tree becomes a field of them. The disc
   * lies around the origin. `of` may be any sub-graph, such as a `raster` whose middle is there: its `position` is minus half its
   * width and height, and `outside` is `constant`.
   *
   * The points lie in the cells of square lattices, one in each. With `separation`, only points at a minimum distance stay. Between
   * the discs the value is 0. Stamps fade to 0 at the edges of their discs, so there are no seams. With `cover`, a disc hides those
   * under it, also where its stamp is 0. Positions are exact at any distance.
   *
   * The cost is that of `of` for every disc around a sample: up to nine times per lattice. With `separation`, a GPU also tests the
   * points around each disc.
   */
  stamps(params: Stamps = {}): Noise {
    return makeNoise("stamps", params, "of", this as unknown as Noise);
  }

  /**
   * 0 below one edge, 1 above another, and `6t⁵ − 15t⁴ + 10t³` in between.
   */
  smoothstep(params: Smoothstep = {}): Noise {
    return makeNoise("smoothstep", params, "of", this as unknown as Noise);
  }

  /**
   * Steps: each is flat, then rises smoothly to the next.
   */
  terrace(params: Terrace = {}): Noise {
    return makeNoise("terrace", params, "of", this as unknown as Noise);
  }

  /**
   * `below` where the input is less than `at`, else `above`. The gradient is 0.
   */
  threshold(params: Threshold = {}): Noise {
    return makeNoise("threshold", params, "of", this as unknown as Noise);
  }

  /**
   * Perlin's bias (Perlin and Hoffert 1989): a power that maps 1/2 to `bias` and keeps 0 and 1. The input is clamped to 0 to
   * 1.
   */
  bias(params: Bias = {}): Noise {
    return makeNoise("bias", params, "of", this as unknown as Noise);
  }

  /**
   * Perlin's gain (Perlin and Hoffert 1989): moves values away from 1/2 if `gain` is above 1/2, or towards it if below, and
   * keeps 0, 1/2 and 1. The input is clamped to 0 to 1.
   */
  gain(params: Gain = {}): Noise {
    return makeNoise("gain", params, "of", this as unknown as Noise);
  }

  /**
   * `sin(2π · (frequency · of + phase))`.
   */
  sine(params: Sine = {}): Noise {
    return makeNoise("sine", params, "of", this as unknown as Noise);
  }

  /**
   * Inverse-transform sampling: gives a uniform noise in [−1, 1] (`hill`, `equalise`) another distribution. An input v
   * stands for the probability `(v + 1) / 2`, clamped to 2⁻²⁰ from 0 and 1.
   */
  quantile(params: Quantile = {}): Noise {
    return makeNoise("quantile", params, "of", this as unknown as Noise);
  }

  /**
   * Makes the values of any sub-graph uniform over [−1, 1], by its measured distribution. The command `orogen equalise`
   * measures it once and writes the quantiles into the recipe; in Rust, `Engine::equalise` does.
   */
  equalise(params: Equalise = {}): Noise {
    return makeNoise("equalise", params, "of", this as unknown as Noise);
  }

  /**
   * `a` where a mask is low, `b` where it is high, with a smooth transition.
   */
  select(params: Select): Noise {
    return makeNoise("select", params, "a", this as unknown as Noise);
  }

  /**
   * One component of the curl of a potential: a flow that turns but neither gathers nor spreads (Bridson, Hourihan, Nordenstam,
   * "Curl-noise for procedural fluid flow", 2007).
   *
   * In 2D the potential is `of`: the velocity `(∂of/∂y, −∂of/∂x)` follows its contours, faster where they are closer. In 3D the
   * potential is the vector `(x, y, of)`, of three different noises, and the velocity is `∇ × (x, y, of)`. Its divergence is 0
   * apart from rounding.
   *
   * Values are in units of the potential per world unit. Their magnitude is at most the steepest gradient of `of` in 2D, and
   * the sum of those of the two potentials that a component reads in 3D. Nodes for other components of the same
   * potentials compute them only once. A component has no gradient of its own. To keep the flow out of an obstacle, multiply
   * the potential by a curve that is 0 at its border.
   */
  curl(params: Curl = {}): Noise {
    return makeNoise("curl", params, "of", this as unknown as Noise);
  }

  /**
   * One component of `∇a × ∇b`, the cross product of two gradients: a flow in 3D along the lines on which both `a` and `b` are
   * constant (DeWolf, "Divergence-free noise", 2005). It reads two potentials, where `curl` in 3D reads three.
   *
   * Its divergence is 0 apart from rounding. Values are in units of `a` times units of `b` per square of a world unit; their
   * magnitude is at most the product of the steepest gradients. Nodes for other components of the same potentials compute them
   * only once. A component has no gradient of its own. Flow stays on the surfaces `b` = constant, so with the distance from
   * an obstacle as `b`, it goes around it.
   */
  crossGradients(params: CrossGradients): Noise {
    return makeNoise("cross_gradients", params, "a", this as unknown as Noise);
  }

  /**
   * `of`, carried along by the flow that `curl` computes from potentials: smoke, marble or clouds that eddies draw out.
   *
   * A sample traces the flow backwards in equal steps of Euler's method, and reads `of` where it ends. (Semi-Lagrangian
   * advection: Stam, "Stable fluids", 1999.) In the plane, the flow follows the contours of `by`. With `x` and `y` as well, the
   * potential is the vector `(x, y, by)`, and the flow is one in space. One step is the same as `warp` by the components of
   * `curl`, with `-strength`. More steps follow the contours closer, and the pattern tears less.
   *
   * Velocities are slopes of the potential. Those of a noise from −1 to 1 are about 2 / `wavelength`. So if the potential is a
   * noise times half its wavelength, samples move by about `strength`, in world units.
   *
   * Values stay in the range of `of`. The node has no gradient. Each step costs the potentials with their gradients.
   */
  advect(params: Advect): Noise {
    return makeNoise("advect", params, "of", this as unknown as Noise);
  }
}

/**
 * The same number everywhere.
 */
export function constant(params: Constant = {}): Noise {
  return makeNoise("constant", params);
}

/**
 * The position along one world axis: `position / unit`. It is the one basis whose values are not within ±1.
 *
 * As a value it has a relative error of up to 2⁻²⁴ in f32, and positions beyond 2³⁰ units are an error. Sums of several
 * coordinates are exact until they become a value. Under a `sine` or `domain`, also through sums and multiples, the
 * position is exact at any distance, so stripes stay regular 10¹² units from the origin.
 */
export function coordinate(params: Coordinate = {}): Noise {
  return makeNoise("coordinate", params);
}

/**
 * Simplex noise (Perlin 2001; Gustavson 2005), signed.
 *
 * With the integer hash it uses unit gradients (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D) and the
 * continuous falloff `(1/2 − r²)⁴`, or `(1 − r²)⁴` in 1D. Values are scaled to fill [−1, 1] and never leave it. The
 * diagonal of the lattice's cubes lies along the last axis, so in 3D all slices across z (which may be time) look alike.
 * On a CPU, rows of samples along x share most of the work; a rotation or displacement of the lattice disables that and
 * costs two to three times as much.
 *
 * With `gradients = "turning"` it is flow noise (Perlin and Neyret 2001; Gustavson and McEwan 2022): all gradients turn
 * along the fourth axis, in 3D each in a plane of its own. The noise moves without drifting, and has the same bits after
 * `w_period`. The noise is negated after half of it.
 *
 * With `permutation289` it is the 3D noise of McEwan and Gustavson as listed in the terrain shader, with falloff `(0.6 −
 * r²)⁴` times 42. That falloff reaches beyond its simplex, so the noise jumps by up to 0.003 at simplex borders. Its
 * values are proven to lie within ±1.04; the largest found, by climbing from samples of every cell, is ±1.0384.
 */
export function simplex(params: Simplex = {}): Noise {
  return makeNoise("simplex", params);
}

/**
 * OpenSimplex2, and the smoother OpenSimplex2S or SuperSimplex (K.jpg, 2020); signed.
 *
 * The sum over all lattice points within a reach `r` of `(r² − d²)⁴` times the gradient and the offset. `r²` is 1/2 in 2D and
 * 0.6 in 3D and 4D; for OpenSimplex2S 2/3, 3/4 and 4/5. Values are scaled to fill [−1, 1] and never leave it. The numbers
 * are not those of other libraries, which have other hashes. The original of OpenSimplex2 leaves out some points near the end
 * of the reach in 3D and 4D, and jumps a little there. This node includes them.
 *
 * In 2D it looks like `simplex`. In 3D and 4D its reach is longer than that of `simplex`, so it is smoother.
 *
 * `periodic` turns the lattice until its rows lie along the axes, and stretches it to the nearest whole number of units. The
 * classic orientation in 3D and 4D has no period.
 */
export function openSimplex2(params: OpenSimplex2 = {}): Noise {
  return makeNoise("open_simplex2", params);
}

/**
 * Value noise: interpolates a random number per point of the cubic lattice. Signed, within [−1, 1].
 *
 * With `interpolation = "truncated"` it is white noise with one number per cell. `linear` and `cosine` are the "blurry"
 * and the smooth noise of the articles on the subject. With `hash = "table"` (1D only) it is the noise of the article on
 * hill noise: lattice point i has number `i mod 256` of a table, so the noise repeats after 256 cells. Octaves then share
 * the table and differ by their offsets.
 */
export function value(params: Value = {}): Noise {
  return makeNoise("value", params);
}

/**
 * White noise: a random number per cell. Signed, within [−1, 1], with gradient 0.
 *
 * Use `integer`. The other hashes reproduce one-line functions of shaders, applied to whole cells. They have no seed:
 * `seed` determines only the offset. On GPUs `sine` and `nested_sine` usually differ from device to device; here they are
 * the same everywhere. The rounding of f32, multiplied by 44,000, dominates them: one number in the plane is within 0.01
 * of its f64 value, and a nested one is unrelated to it. Neighbours far from the origin correlate. `nested_integer` is
 * exact, but nearly constant along diagonals, as sums of products are.
 */
export function white(params: White = {}): Noise {
  return makeNoise("white", params);
}

/**
 * Perlin noise: interpolates the dot products of offsets with a gradient per point of the cubic lattice. Signed.
 *
 * Gradients have unit length (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D) and are scaled by 2/√dimensions.
 * Values are proven to lie within [−1, 1], or ±2 when `truncated`. Unlike most implementations, the noise is not 0 at
 * integer positions, because the seed moves the lattice.
 *
 * With `gradients = "turning"` it is flow noise (Perlin and Neyret 2001; Gustavson and McEwan 2022): all gradients turn
 * along the fourth axis, in 3D each in a plane of its own. The noise moves without drifting, and has the same bits after
 * `w_period`. The noise is negated after half of it.
 */
export function perlin(params: Perlin = {}): Noise {
  return makeNoise("perlin", params);
}

/**
 * Cellular noise (Worley 1996): the distances to the nearest of a set of random points, one in each cell.
 *
 * Distances are exact, in cells: no nearer point is missed, for any metric. The range is proven for every metric and
 * jitter; with the defaults it is 0 to √2.
 */
export function worley(params: Worley = {}): Noise {
  return makeNoise("worley", params);
}

/**
 * Cellular noise without creases: a weighted mean over the points around a sample (Quilez, "Voronoise", 2014). It is the mean of
 * their distances, which is a smooth minimum, or of their values.
 *
 * The points are those of `worley` with the same seed, jitter and wavelength. A point has the weight
 * `((r − d) / (r − F1))^e`, with its distance `d`, the distance `F1` to the nearest point, a reach `r` and an exponent `e`.
 * For the Euclidean and squared metrics, `r`, `d` and `F1` are squares. The weight falls to 0 at the reach, and every point
 * within the reach is found, so there are no seams between cells. `r` is 1 more than `F1` can be, in cells.
 *
 * `softness` gives the exponent `e = 2 + 62 · (1 − softness)⁴`: 64 is close to `worley`, 2 is the softest. Slopes are
 * continuous except at the points themselves, and for the Manhattan and Chebyshev metrics along lines through the points.
 * Some 27 times the cost of `worley` in 2D and 33 times in 3D; less with little jitter, most in 3D with the Manhattan metric.
 */
export function smoothCells(params: SmoothCells = {}): Noise {
  return makeNoise("smooth_cells", params);
}

/**
 * Noise on a map of hexagons: one value per hexagon, `Σ gradient(neighbour) · (hexagon − neighbour) / 7` over its six
 * neighbours in cubic coordinates (q, r, s). Signed: the article's value is half of this plus 1/2. Hexagons have corners
 * at the top and bottom; the centre of (0, 0, 0) is at the origin.
 *
 * `integer` uses 48 hashed unit gradients; values are proven to lie within ±1.1544. `tables` uses the article's 256-entry
 * permutation, its prime 521 and 32 unit gradients, given or derived from the seed; values lie within ±1.2122, and its
 * `abs` mirrors the map at every axis.
 */
export function hexagonal(params: Hexagonal = {}): Noise {
  return makeNoise("hexagonal", params);
}

/**
 * Craters of all sizes, each a bowl with a raised rim and a blanket of ejecta: a surface like the Moon's.
 *
 * Each class of size has a lattice of its own, with a crater in some of its cells. The radii of a class vary by a factor of 2, and
 * continue in the next class. So the number of craters larger than `r` grows with `r^-exponent`. Depths are proportional to radii.
 *
 * Every crater has an age. Of the craters of a class, the younger ones lie over the older ones: a bowl hides what is below it, and
 * ejecta thin out. A crater also buries older ones of finer classes. Younger ones of finer classes are added to it. Older craters are
 * shallower, with flat floors and worn rims. Slopes are continuous everywhere.
 *
 * Heights are relative to the ground, and 0 between craters. To cover ground with craters, add them to its heights. A `warp` or
 * `turbulence` makes the rims irregular.
 */
export function craters(params: Craters = {}): Noise {
  return makeNoise("craters", params);
}

/**
 * The noise of FastNoiseLite (Jordan Peck), for worlds that exist already: the same numbers, bit for bit.
 *
 * It computes in f32 as its sources do, in the same order, from the position rounded to f32. So it is not exact far from the
 * origin: at a distance `d`, positions are rounded to about `d / 10⁷`. Positions beyond 2²⁴ times `unit` are an error. For
 * distant worlds, choose a larger `unit`, or another noise. Noise is constant beyond 2³⁰ cells.
 *
 * The defaults are those of the C++ class. There, a domain warp is a second object with the same type of settings. Here its
 * parameters begin with `warp`; both share `rotation`. A warp moves positions before the noise reads them.
 *
 * Fractals of this node repeat the same seed in every octave: its own octaves have separate ones. It has no period.
 */
export function fastnoiseLite(params: FastnoiseLite = {}): Noise {
  return makeNoise("fastnoise_lite", params);
}

/**
 * A table of octave offsets for any number of fractals. Each fractal reads one entry per octave, beginning with its
 * `start`.
 *
 * A table has no values: only the `table` parameter of a fractal can refer to it.
 */
export function octaveTable(params: OctaveTable = {}): Noise {
  return makeNoise("octave_table", params);
}

/**
 * A table of control points for any number of splines. Each spline reads the entries from its `start` up to its `end`. The
 * device holds the table once, however many splines read it.
 *
 * A table has no values: only the `table` parameter of a spline can refer to it.
 */
export function pointTable(params: PointTable = {}): Noise {
  return makeNoise("point_table", params);
}

/**
 * Hill noise: a sum of sines whose heights are proportional to their lengths, remapped to a uniform distribution. `uniform
 * = "none"` gives the plain sum divided by the sum of sizes.
 *
 * Each sine is `size · sin(x / size + offset)`. In 2D it is a pair along two axes, turned by multiples of the golden
 * ratio. In 3D it is a triple along an orthonormal basis whose direction follows the golden ratio over the sphere, with
 * sizes shuffled as in the article on hill noise. The article's sigma is wrong and its 3D angles are exchanged; this node
 * implements its intended formulas.
 *
 * Uniform by the exact distribution of a sum of sines with independent phases (its characteristic function is a product of
 * Bessel functions J0). Signed: `2u − 1` for the article's u in [0, 1]. The noise does not repeat in practice.
 *
 * Phases are independent if no two sines move together. In 1D, sizes in the ratio of small whole numbers do; values are
 * then uniform over all seeds, not along one line.
 */
export function hill(params: Hill = {}): Noise {
  return makeNoise("hill", params);
}

/**
 * Noise with a given spectrum: a weighted sum of sines along x, `Σ aₖ · sin(2π fₖ x / length + phaseₖ)`, with amplitudes
 * `f^exponent` or from a list.
 *
 * Exponent −2 is called red noise, −1 pink, 0 white, +1 blue, +2 violet. Physics names colours by power instead: red is −1.
 */
export function spectral(params: Spectral = {}): Noise {
  return makeNoise("spectral", params);
}

/**
 * The distance from a point, along the axes whose weight in `axes` is not 0.
 */
export function radius(params: Radius = {}): Noise {
  return makeNoise("radius", params);
}

/**
 * A raster: heights, a mask or any other samples on a grid along x and y, from a file or from memory. Values do not depend
 * on z.
 *
 * Coarser levels of detail sample the same surface farther apart, so they share samples with the finest level; nothing is
 * averaged. Positions are exact at any distance. Values stay within the range of the samples, or with cubic sampling
 * within that of the spline, which is slightly wider. Unsigned integers of 16 bits and less are mapped to 0 to 1; use
 * `scale_offset` to turn them into heights.
 */
export function raster(params: Raster): Noise {
  return makeNoise("raster", params);
}
