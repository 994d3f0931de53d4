// Written by tests/kinds.rs from the library's tables. Do not edit.
import { makePipeline } from "./make.js";
import type { Noise } from "./noise.js";
import type { Pipeline } from "./pipeline.js";
import type { ColourStop, ControlPoint, RadialPoint } from "./points.js";

/**
 * Parameters of `given`.
 */
export interface Given {
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `normalise`.
 */
export interface Normalise {
  /**
   * The value that the minimum is mapped to.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  low?: number;
  /**
   * The value that the maximum is mapped to.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 1.0.
   */
  high?: number;
  /**
   * Share of the samples to cut off at either end, so that a few peaks do not flatten the rest.
   *
   * Allowed: 0 to 0.49. Default: 0.0.
   */
  clip?: number;
  /**
   * Minimum and maximum, as measured. If omitted, they are measured over the requested world.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values.
   */
  measured?: readonly [number, number];
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `equalise`.
 */
export interface EqualiseWorld {
  /**
   * The value that the minimum is mapped to.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  low?: number;
  /**
   * The value that the maximum is mapped to.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 1.0.
   */
  high?: number;
  /**
   * Quantiles at evenly spaced probabilities, as measured. If omitted, they are measured over the requested world.
   *
   * Allowed: empty, or 2 to 65536 finite numbers that do not decrease. Unit: that of the values. Default: [].
   */
  measured?: readonly number[];
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `ocean`.
 */
export interface Ocean {
  /**
   * The sea level.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  level?: number;
  /**
   * Share of the world to cover, instead of a level, which is then measured in a pass over the world.
   *
   * Allowed: 0 to 1.
   */
  share?: number;
  /**
   * Height above and depth below the sea level over which `shore` falls to 0.
   *
   * Allowed: 0.000000001 to 1e15. Unit: that of the values. Default: 10.0.
   */
  width?: number;
  /**
   * The sea level for `share`, as measured.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values.
   */
  measured?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `dropoff`.
 */
export interface Dropoff {
  /**
   * The centre, in world units.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0,0.0].
   */
  centre?: readonly [number, number, number];
  /**
   * Distance from the centre to the beginning of the transition, in world units.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 100.0.
   */
  radius?: number;
  /**
   * Width of the transition, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  width?: number;
  /**
   * Weight of distances along each axis: (1, 0.5, 0) makes the island twice as long along y.
   *
   * Allowed: every number -1000 to 1000. Default: [1.0,1.0,0.0].
   */
  axes?: readonly [number, number, number];
  /**
   * The value far from the centre.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  floor?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `mask`.
 */
export interface Mask {
  /**
   * Value at which the mask is 0.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  from?: number;
  /**
   * Value at which the mask is 1.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 1.0.
   */
  to?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `curve`.
 */
export interface Curve {
  /**
   * The control points.
   *
   * Allowed: at least two points, `at` strictly increasing, every number finite and at most 1e15. Default: [].
   */
  points?: readonly ControlPoint[];
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `combine`.
 */
export interface Combine {
  /**
   * The second field.
   */
  b: Pipeline | Noise | number | string;
  /**
   * The operation.
   *
   * Default: "add".
   */
  by?: "add" | "subtract" | "multiply" | "minimum" | "maximum" | "blend";
  /**
   * For `blend`: 0 gives `a`, 1 gives `b`.
   *
   * Default: 0.5.
   */
  mask?: Pipeline | Noise | number | string;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `adjacent`.
 */
export interface AdjacentFilter {
  /**
   * The operation on neighbours.
   *
   * Default: "mean".
   */
  filter?: "minimum" | "maximum" | "mean" | "difference";
  /**
   * Number of repetitions.
   *
   * Allowed: 1 to 4096. Default: 1.
   */
  times?: number | bigint;
  /**
   * Axes of the filter; a single axis makes it the article's filter of sequences.
   *
   * Default: "both".
   */
  axes?: "x" | "y" | "both";
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `gaussian`.
 */
export interface Gaussian {
  /**
   * Standard deviation in samples.
   *
   * Allowed: 0.1 to 256. Unit: samples. Default: 2.0.
   */
  sigma?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `median`.
 */
export interface Median {
  /**
   * Samples to either side: 1 gives a square of 3 × 3, 7 the largest, of 15 × 15.
   *
   * Allowed: 1 to 7. Unit: samples. Default: 1.
   */
  radius?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `distance`.
 */
export interface Distance {
  /**
   * The level.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values. Default: 0.5.
   */
  level?: number;
  /**
   * The largest distance, in world units. Farther samples have this one.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 32.0.
   */
  reach?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `beach`.
 */
export interface Beach {
  /**
   * Height of the sea.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values. Default: 0.0.
   */
  level?: number;
  /**
   * Distance from the shore to either end of the beach, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 24.0.
   */
  width?: number;
  /**
   * Slope of the beach, as height per distance.
   *
   * Allowed: 0 to 1000000. Default: 0.06.
   */
  slope?: number;
  /**
   * Steepest slope of the ground that has a whole beach, as height per distance. From twice this slope on, the ground does not
   * change.
   *
   * Allowed: 0.000001 to 1000000. Default: 0.5.
   */
  steep?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `cliff`.
 */
export interface Cliff {
  /**
   * Height of the sea.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values. Default: 0.0.
   */
  level?: number;
  /**
   * Distance from the shore to the foot of the cliff, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 16.0.
   */
  retreat?: number;
  /**
   * Slope of the platform, as height per distance.
   *
   * Allowed: 0 to 1000000. Default: 0.04.
   */
  slope?: number;
  /**
   * Slope of the face, as height per distance.
   *
   * Allowed: 0.000001 to 1000000. Default: 3.0.
   */
  face?: number;
  /**
   * Largest height of the cliff. The upper half of a higher face is less steep.
   *
   * Allowed: 0.000001 to 1e12. Unit: that of the values. Default: 40.0.
   */
  height?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `line`.
 */
export interface Line {
  /**
   * The points of the lines: x and y in world units, and a height for `by = "level"`. A point that is repeated ends its line, and
   * the next point begins another.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [].
   */
  points?: readonly (readonly [number, number, number])[];
  /**
   * Rounds of cutting corners (Chaikin 1974), which turn straight parts into a curve inside of them. Each doubles the points.
   *
   * Allowed: 0 to 8. Default: 0.
   */
  smoothing?: number | bigint;
  /**
   * The height of the bed.
   *
   * Default: "offset".
   */
  by?: "offset" | "level" | "ground";
  /**
   * Height that is added to the bed: negative for ditches.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: -4.0.
   */
  height?: number;
  /**
   * Width of the bed, in world units.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 8.0.
   */
  width?: number;
  /**
   * Width of each bank, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 16.0.
   */
  bank?: number;
  /**
   * The shape of the banks.
   *
   * Default: "smooth".
   */
  profile?: "smooth" | "straight" | "round";
  /**
   * For `by = "ground"`: the distance along which the ground is evened out, in world units. 0 takes the ground as it is.
   *
   * Allowed: 0 to 1e12. Unit: world units. Default: 0.0.
   */
  even?: number;
  /**
   * The largest height that is filled up or cut off.
   *
   * Allowed: 0 to 1e12. Unit: that of the values. Default: 1000000000000.0.
   */
  limit?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `displace`.
 */
export interface Displace {
  /**
   * The displacement along x, in world units.
   *
   * Default: 0.0.
   */
  x?: Pipeline | Noise | number | string;
  /**
   * The displacement along y, in world units.
   *
   * Default: 0.0.
   */
  y?: Pipeline | Noise | number | string;
  /**
   * The largest displacement along an axis, in world units. The halo is as wide.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 32.0.
   */
  reach?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `slope`.
 */
export interface Slope {
  /**
   * The unit of the result.
   *
   * Default: "ratio".
   */
  unit?: "ratio" | "degrees";
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `curvature`.
 */
export interface Curvature {
  /**
   * The direction of the curvature.
   *
   * Default: "mean".
   */
  form?: "mean" | "plan" | "profile";
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `normal`.
 */
export interface Normal {
  /**
   * Factor applied to heights first.
   *
   * Allowed: -1000000 to 1000000. Default: 1.0.
   */
  exaggeration?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `occlusion`.
 */
export interface Occlusion {
  /**
   * Distance within which horizons are searched, in samples.
   *
   * Allowed: 1 to 256. Unit: samples. Default: 16.
   */
  radius?: number | bigint;
  /**
   * Factor applied to heights first.
   *
   * Allowed: -1000000 to 1000000. Default: 1.0.
   */
  exaggeration?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `hillshade`.
 */
export interface Hillshade {
  /**
   * Direction of the light, in degrees clockwise from north (y points down in a picture).
   *
   * Allowed: -360 to 360. Unit: degrees. Default: 315.0.
   */
  azimuth?: number;
  /**
   * Elevation of the light above the horizon, in degrees.
   *
   * Allowed: 0 to 90. Unit: degrees. Default: 45.0.
   */
  altitude?: number;
  /**
   * Factor applied to heights first.
   *
   * Allowed: -1000000 to 1000000. Default: 1.0.
   */
  exaggeration?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `thermal`.
 */
export interface Thermal {
  /**
   * Steepest stable slope, as height per distance.
   *
   * Allowed: 0 to 1000000. Default: 0.7.
   */
  talus?: number;
  /**
   * Number of iterations; in each, material slides by one sample.
   *
   * Allowed: 1 to 4096. Default: 50.
   */
  iterations?: number | bigint;
  /**
   * Share of the excess material that slides in one iteration.
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  rate?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `hydraulic`.
 */
export interface Hydraulic {
  /**
   * Number of time steps.
   *
   * Allowed: 1 to 4096. Default: 200.
   */
  iterations?: number | bigint;
  /**
   * Depth of the rain in one iteration, as a share of the distance between samples.
   *
   * Allowed: 0 to 1. Default: 0.004.
   */
  rain?: number;
  /**
   * Share of the rain that falls at a sample, from 0 to 1.
   *
   * Default: 1.0.
   */
  rainOn?: Pipeline | Noise | number | string;
  /**
   * Share of the water that evaporates in one iteration.
   *
   * Allowed: 0 to 1. Default: 0.015.
   */
  evaporation?: number;
  /**
   * Acceleration in a pipe: the share of a difference in level that one iteration adds to the flow.
   *
   * Allowed: 0 to 0.25. Default: 0.1.
   */
  gravity?: number;
  /**
   * Share of a pipe's flow that friction removes in one iteration.
   *
   * Allowed: 0 to 1. Default: 0.05.
   */
  friction?: number;
  /**
   * Capacity for sediment per unit of steepness and of speed (in samples per iteration), as a share of the distance
   * between samples.
   *
   * Allowed: 0 to 100. Default: 3.0.
   */
  capacity?: number;
  /**
   * Share of the unused capacity that is dissolved in one iteration.
   *
   * Allowed: 0 to 1. Default: 0.01.
   */
  dissolve?: number;
  /**
   * Share of the excess that is deposited in one iteration.
   *
   * Allowed: 0 to 1. Default: 0.1.
   */
  deposit?: number;
  /**
   * Steepness below which the capacity does not decrease, so that rivers on plains keep moving their load.
   *
   * Allowed: 0 to 1. Default: 0.03.
   */
  leastSlope?: number;
  /**
   * Resistance of the soil, from 0 to 1: 1 is rock that does not dissolve. A `strata` stage of the same heights is found anew in
   * every iteration.
   *
   * Default: 0.0.
   */
  hardness?: Pipeline | Noise | number | string;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `erosion`.
 */
export interface Erosion {
  /**
   * Length of the largest valleys, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 1000.0.
   */
  size?: number;
  /**
   * Depth of the valleys: 0.1 scratches slopes, 2 wears mountains down.
   *
   * Allowed: 0 to 100. Default: 0.6.
   */
  strength?: number;
  /**
   * Strength of each size of valleys as a share of that of the next larger size.
   *
   * Allowed: 0 to 1. Default: 0.7.
   */
  detail?: number;
  /**
   * Inclination of rivers to lay down their load: 0 carries all away, 10 fills valley floors.
   *
   * Allowed: 0 to 1000. Default: 2.0.
   */
  deposition?: number;
  /**
   * Steepest stable slope, as height per distance. What is steeper slides.
   *
   * Allowed: 0 to 1000000. Default: 1.2.
   */
  talus?: number;
  /**
   * Rain relative to 1, at least 0. More rain cuts deeper.
   *
   * Default: 1.0.
   */
  rain?: Pipeline | Noise | number | string;
  /**
   * Resistance of the ground to rivers, from 0 to 1: 1 is rock that they do not cut. A `strata` stage of the same heights is found
   * anew in every iteration.
   *
   * Default: 0.0.
   */
  hardness?: Pipeline | Noise | number | string;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `gully`.
 */
export interface Gully {
  /**
   * Distance between the largest gullies, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  wavelength?: number;
  /**
   * Number of sizes, each `lacunarity` times finer than the previous one.
   *
   * Allowed: 1 to 12. Default: 4.
   */
  octaves?: number | bigint;
  /**
   * Frequency ratio of a size to the previous one.
   *
   * Allowed: 1 to 4. Default: 2.0.
   */
  lacunarity?: number;
  /**
   * Depth ratio of a size to the previous one.
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  gain?: number;
  /**
   * Depth of the largest gullies, as a share of `wavelength`.
   *
   * Allowed: 0 to 10. Default: 0.1.
   */
  strength?: number;
  /**
   * Slope at which gullies reach half their full depth.
   *
   * Allowed: 0.000001 to 1000000. Default: 0.3.
   */
  onset?: number;
  /**
   * Seed of the gullies' positions.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `debris`.
 */
export interface Debris {
  /**
   * Slope, as height per distance, at which rock begins to break. From twice this slope on, all of `wear` breaks.
   *
   * Allowed: 0.000001 to 1000000. Default: 1.2.
   */
  cliff?: number;
  /**
   * Height of the rock that breaks off a cliff.
   *
   * Allowed: 0 to 1000000. Unit: that of the values. Default: 4.0.
   */
  wear?: number;
  /**
   * Slope at which debris comes to rest, as height per distance.
   *
   * Allowed: 0 to 1000000. Default: 0.7.
   */
  talus?: number;
  /**
   * Largest distance that debris falls, in world units. Most of it falls a third as far.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 64.0.
   */
  reach?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `snow`.
 */
export interface Snow {
  /**
   * Height of the snow far above the snow line.
   *
   * Allowed: 0 to 1000000. Unit: that of the values. Default: 2.0.
   */
  fall?: number;
  /**
   * The snow line: the height at which half of the snow remains.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: 0.0.
   */
  line?: number;
  /**
   * Heights over which the snow becomes less, half of them below the line.
   *
   * Allowed: 0.000001 to 1e12. Unit: that of the values. Default: 50.0.
   */
  band?: number;
  /**
   * Share of the snow that melts where the sun stands at a right angle to the ground.
   *
   * Allowed: 0 to 1. Default: 0.4.
   */
  melt?: number;
  /**
   * Direction of the sun, in degrees clockwise from north (y points down in a picture).
   *
   * Allowed: -360 to 360. Unit: degrees. Default: 180.0.
   */
  azimuth?: number;
  /**
   * Elevation of the sun above the horizon, in degrees.
   *
   * Allowed: 0 to 90. Unit: degrees. Default: 35.0.
   */
  altitude?: number;
  /**
   * Steepest slope on which all snow lies, as height per distance. From twice this slope on, none falls.
   *
   * Allowed: 0.000001 to 1000000. Default: 0.8.
   */
  talus?: number;
  /**
   * Largest distance that snow slides, in world units. Most of it slides a third as far on steep ground.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 32.0.
   */
  reach?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `strata`.
 */
export interface Strata {
  /**
   * Mean thickness of a layer.
   *
   * Allowed: 0.000001 to 1e12. Unit: that of the values. Default: 20.0.
   */
  thickness?: number;
  /**
   * Differences between thicknesses: with 0 all layers are equal, with 1 the thinnest vanish and the thickest are double.
   *
   * Allowed: 0 to 1. Default: 0.6.
   */
  irregular?: number;
  /**
   * Hardness of the softest layers.
   *
   * Allowed: 0 to 1. Default: 0.1.
   */
  soft?: number;
  /**
   * Hardness of the hardest layers.
   *
   * Allowed: 0 to 1. Default: 0.95.
   */
  hard?: number;
  /**
   * Differences between layers of a kind: with 0 all hard layers are equally hard, with 1 some are as hard as the mean.
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  variation?: number;
  /**
   * Height over which two layers blend, as a share of `thickness`.
   *
   * Allowed: 0.001 to 1. Default: 0.15.
   */
  blend?: number;
  /**
   * Slope of the layers, as height per distance.
   *
   * Allowed: 0 to 1000. Default: 0.0.
   */
  dip?: number;
  /**
   * Direction in which the layers descend, in degrees clockwise from north (y points down in a picture).
   *
   * Allowed: -360 to 360. Unit: degrees. Default: 90.0.
   */
  direction?: number;
  /**
   * Height by which the layers are raised, for example a noise with long waves that folds them.
   *
   * Default: 0.0.
   */
  fold?: Pipeline | Noise | number | string;
  /**
   * Seed of the layers.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `stream_power`.
 */
export interface StreamPower {
  /**
   * Removal by rivers at an area of 1 and a slope of 1, in world units per time. Slopes are at their limit in cells where it is 0
   * or below.
   *
   * Default: 2.0.
   */
  erodibility?: Pipeline | Noise | number | string;
  /**
   * Heights of outlets, from −1e9 to 1e9. In the sea, heights above `sea` count as `sea`. On land at the edge, heights below it do.
   *
   * Default: 0.0.
   */
  base?: Pipeline | Noise | number | string;
  /**
   * The height of the sea, where rivers end.
   *
   * Allowed: -1000000000 to 1000000000. Unit: that of the values. Default: 0.0.
   */
  sea?: number;
  /**
   * The exponent of the area: the larger it is, the flatter large rivers are.
   *
   * Allowed: 0 to 1. Default: 0.45.
   */
  concavity?: number;
  /**
   * The largest slope, as height per distance. Ground that rivers do not reach has this slope.
   *
   * Allowed: 0.001 to 1000. Default: 0.8.
   */
  slope?: number;
  /**
   * Distance over which crests are rounded, in world units; at most 4 cells.
   *
   * Allowed: 0 to 1000000000. Unit: world units. Default: 0.0.
   */
  crest?: number;
  /**
   * Displacement of rivers by chance, in cells. 0 leaves rivers in the eight directions of the grid.
   *
   * Allowed: 0 to 4. Default: 1.0.
   */
  meander?: number;
  /**
   * World x and y of the first cell.
   *
   * Allowed: every number -1e12 to 1e12. Unit: world units. Default: [0.0,0.0].
   */
  position?: readonly [number, number];
  /**
   * World units between cells.
   *
   * Allowed: 0.000001 to 3000. Unit: world units. Default: 10.0.
   */
  spacing?: number;
  /**
   * Cells along x.
   *
   * Allowed: 2 to 8192. Default: 1024.
   */
  columns?: number | bigint;
  /**
   * Cells along y.
   *
   * Allowed: 2 to 8192. Default: 1024.
   */
  rows?: number | bigint;
  /**
   * Interpolation of heights between cells. `cubic` is smooth, but its rounding and overshoot may leave shallow pits.
   *
   * Default: "linear".
   */
  sampling?: "nearest" | "linear" | "cubic";
  /**
   * Seed of the random parts.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `drainage`.
 */
export interface Drainage {
  /**
   * Whether water leaves the world at its edge.
   *
   * Default: true.
   */
  edge?: boolean;
  /**
   * The sea level: samples at or below it are outlets. If omitted, there is no sea.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values.
   */
  sea?: number;
  /**
   * Water that is shallower than this drains: its pass is cut down to the bottom of the depression. Lakes that are at least as
   * deep stay. With 0, nothing is cut.
   *
   * Allowed: 0 to 1e15. Unit: that of the values. Default: 0.0.
   */
  breach?: number;
  /**
   * Further outlets: samples where this is above 0.5.
   *
   * Default: 0.0.
   */
  outlets?: Pipeline | Noise | number | string;
  /**
   * The water that falls on a sample, per area. Values below 0 count as 0, values above 65535 as 65535. It is rounded to
   * 1/65536, so that sums are exact.
   *
   * Default: 1.0.
   */
  rain?: Pipeline | Noise | number | string;
  /**
   * Seed of the order of samples of the same height.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /**
   * The world, as measured: its first sample (x, y), its size (x, y), level, spacing, and the position of sample 0 (x, y,
   * z). If omitted, the requested world is traced.
   *
   * Allowed: a list of 1 to 9 numbers, each -1e15 to 1e15.
   */
  measured?: readonly number[];
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `grade`.
 */
export interface Grade {
  /**
   * The slope where an area of 1 drains, as height per distance. Values below 0 count as 0.
   *
   * Default: 1.0.
   */
  steepness?: Pipeline | Noise | number | string;
  /**
   * The exponent of the area: the larger it is, the flatter large rivers are.
   *
   * Allowed: 0 to 1. Default: 0.45.
   */
  concavity?: number;
  /**
   * A limit that slopes approach: a slope `s` becomes `s / √(1 + (s / slope)²)`. If omitted, there is no limit.
   *
   * Allowed: 0.001 to 1000.
   */
  slope?: number;
  /**
   * The world of the drainage, as measured. If omitted, the requested world is measured.
   *
   * Allowed: a list of 1 to 9 numbers, each -1e15 to 1e15.
   */
  measured?: readonly number[];
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `incise`.
 */
export interface Incise {
  /**
   * The area that drains through a sample, in world units²: the output `area` of `drainage` or `stream_power`.
   */
  area: Pipeline | Noise | number | string;
  /**
   * Removal by rivers at an area of 1 and a slope of 1, in world units per time. Below 0 counts as 0.
   *
   * Default: 2.0.
   */
  erodibility?: Pipeline | Noise | number | string;
  /**
   * Uplift, in world units per time.
   *
   * Default: 0.0.
   */
  uplift?: Pipeline | Noise | number | string;
  /**
   * The exponent of the area: the larger it is, the more large rivers cut.
   *
   * Allowed: 0 to 1. Default: 0.45.
   */
  concavity?: number;
  /**
   * Inclination of rivers to lay down their load: 0 carries all away, 1 is usual in nature.
   *
   * Allowed: 0 to 1000. Default: 1.0.
   */
  deposition?: number;
  /**
   * Creep of slopes, in world units² per time. It rounds crests, and limits how fine valleys are.
   *
   * Allowed: 0 to 1e12. Default: 5.0.
   */
  diffusion?: number;
  /**
   * Steepest stable slope, as height per distance. Steeper ground slides.
   *
   * Allowed: 0 to 1000000. Default: 1.0.
   */
  talus?: number;
  /**
   * Duration. With the defaults, the unit is a million years if world units are metres.
   *
   * Allowed: 0 to 1000000. Default: 0.5.
   */
  time?: number;
  /**
   * Largest distance that sediment and the heads of valleys move, in world units.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 100.0.
   */
  reach?: number;
  /**
   * The sea level. Rivers do not cut ground below it, and their sediment fills the sea up to it. If omitted, there is no sea.
   *
   * Allowed: -3.4028234663852886e38 to 3.4028234663852886e38. Unit: that of the values.
   */
  sea?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `channel`.
 */
export interface Channel {
  /**
   * The surface of the water: the main output of a `drainage` stage.
   */
  surface: Pipeline | Noise | number | string;
  /**
   * The area that drains through a sample, in world units²: the output `area` of a `drainage` stage.
   */
  area: Pipeline | Noise | number | string;
  /**
   * The area at which rivers begin, in world units².
   *
   * Allowed: 0.000001 to 1e15. Default: 10000.0.
   */
  from?: number;
  /**
   * Width of a river where it begins, in world units. It is limited to `reach`.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 2.0.
   */
  width?: number;
  /**
   * Depth of a river where it begins.
   *
   * Allowed: 0 to 1e15. Unit: that of the values. Default: 0.5.
   */
  depth?: number;
  /**
   * Exponent of the area in the width.
   *
   * Allowed: 0 to 2. Default: 0.5.
   */
  widthExponent?: number;
  /**
   * Exponent of the area in the depth.
   *
   * Allowed: 0 to 2. Default: 0.4.
   */
  depthExponent?: number;
  /**
   * Height of the banks above the water where they end. 0 gives flat ground along the river. Banks that are less steep than
   * the ground cut into it.
   *
   * Allowed: 0 to 1e15. Unit: that of the values. Default: 20.0.
   */
  bank?: number;
  /**
   * Distance from a narrow river at which its banks end, in world units. They fade out over its farther half.
   *
   * Allowed: 0.000001 to 1e12. Unit: world units. Default: 20.0.
   */
  reach?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `wetness`.
 */
export interface Wetness {
  /**
   * The area that drains through a sample, in world units²: the output `area` of a `drainage` stage.
   */
  area: Pipeline | Noise | number | string;
  /**
   * Smaller slopes count as this one, so that plains have a finite index.
   *
   * Allowed: 0.000001 to 1000. Default: 0.001.
   */
  leastSlope?: number;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `colour`.
 */
export interface Colour {
  /**
   * Colours, each with the value at which it applies, in ascending order. The same value twice makes a hard edge.
   *
   * Allowed: at most 256 stops, `at` never decreasing, colours as "#RRGGBB" or "#RRGGBBAA". Default: [].
   */
  stops?: readonly ColourStop[];
  /**
   * A named colour map over the values in `range`, instead of stops.
   */
  map?: "viridis" | "magma" | "inferno" | "plasma" | "cividis" | "turbo" | "cubehelix" | "spectral" | "rdbu" | "greys" | "blues" | "greens";
  /**
   * The values at which `map` begins and ends.
   *
   * Allowed: -1e15 to 1e15. Unit: that of the values. Default: [0.0,1.0].
   */
  range?: readonly [number, number];
  /**
   * The colour space in which colours between two stops are mixed.
   *
   * Default: "oklab".
   */
  space?: "oklab" | "linear";
  /**
   * Another colour stage, which lies under this one.
   *
   * Allowed: the name of a stage whose output has 4 channels, or a number. Default: 0.0.
   */
  under?: Pipeline | Noise | number | string;
  /**
   * Opacity of this stage over the one under it, from 0 to 1.
   *
   * Default: 1.0.
   */
  mask?: Pipeline | Noise | number | string;
  /**
   * Factor for the brightness, such as a hillshade.
   *
   * Default: 1.0.
   */
  light?: Pipeline | Noise | number | string;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `colour_channels`.
 */
export interface ColourChannels {
  /**
   * OKLab's a, from green to red; 0 is grey. In linear light: green.
   */
  second: Pipeline | Noise | number | string;
  /**
   * OKLab's b, from blue to yellow; 0 is grey. In linear light: blue.
   */
  third: Pipeline | Noise | number | string;
  /**
   * Opacity, from 0 to 1.
   *
   * Default: 1.0.
   */
  opacity?: Pipeline | Noise | number | string;
  /**
   * The colour space of the three channels.
   *
   * Default: "oklab".
   */
  space?: "oklab" | "linear";
  /**
   * Another stage of colours, which lies under this one.
   *
   * Allowed: the name of a stage whose output has 4 channels, or a number. Default: 0.0.
   */
  under?: Pipeline | Noise | number | string;
  /**
   * Opacity of this stage over the one under it, from 0 to 1.
   *
   * Default: 1.0.
   */
  mask?: Pipeline | Noise | number | string;
  /**
   * Factor for the brightness, such as a hillshade.
   *
   * Default: 1.0.
   */
  light?: Pipeline | Noise | number | string;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `frequency`.
 */
export interface Frequency {
  /**
   * Period along x and y in samples, a power of two.
   *
   * Allowed: 2 to 8192. Unit: samples. Default: 512.
   */
  size?: number | bigint;
  /**
   * Exponent of the amplitude: −2 red, −1 pink, 0 white, 1 blue, 2 violet. By power, as in physics, red is −1.
   *
   * Allowed: -16 to 16. Default: -2.0.
   */
  exponent?: number;
  /**
   * Amplitudes by frequency (cycles per sample, 0 to 0.71), interpolated linearly; instead of `exponent`.
   *
   * Allowed: points with `frequency` increasing from 0 to 1, amplitudes of magnitude up to 1e15. Default: [].
   */
  radial?: readonly RadialPoint[];
  /**
   * Seed of the white noise.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `diamond_square`.
 */
export interface DiamondSquare {
  /**
   * Edge of the first cells in samples of level 0, a power of two.
   *
   * Allowed: 2 to 1024. Unit: samples. Default: 128.
   */
  cell?: number | bigint;
  /**
   * Ratio of the random part of a halving to that of the previous one: 0.5 smooth, 1 rough.
   *
   * Allowed: 0 to 1. Default: 0.55.
   */
  roughness?: number;
  /**
   * Seed of the random values.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `midpoint`.
 */
export interface Midpoint {
  /**
   * Number of dimensions: 1 (a line along x, the same in every row) or 2.
   *
   * Allowed: 1 to 2. Default: 2.
   */
  dimensions?: number | bigint;
  /**
   * Edge of the first cells in samples of level 0, a power of two.
   *
   * Allowed: 2 to 1024. Unit: samples. Default: 128.
   */
  cell?: number | bigint;
  /**
   * Ratio of the random part of a halving to that of the previous one: 0.5 smooth, 1 rough.
   *
   * Allowed: 0 to 1. Default: 0.5.
   */
  roughness?: number;
  /**
   * Seed of the random values.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/**
 * Parameters of `voss`.
 */
export interface Voss {
  /**
   * Number of dimensions: 1 (a sequence along x, the same in every row) or 2.
   *
   * Allowed: 1 to 2. Default: 1.
   */
  dimensions?: number | bigint;
  /**
   * Number of random numbers in the sum.
   *
   * Allowed: 1 to 24. Default: 12.
   */
  rows?: number | bigint;
  /**
   * Seed of the random numbers.
   *
   * Allowed: 0 to 18446744073709551615. Default: 0.
   */
  seed?: number | bigint;
  /** Name by which other stages refer to it; by default its kind. */
  name?: string;
}

/** One method for every kind with an input. */
export abstract class StageSteps {
  /**
   * Stretches values linearly, so that the whole world ranges from `low` to `high`.
   *
   * The minimum and maximum of the whole world are measured in a separate pass. Values outside of them (in a world that was
   * not measured) are clamped.
   */
  normalise(params: Normalise = {}): Pipeline {
    return makePipeline("normalise", params, "of", this as unknown as Pipeline);
  }

  /**
   * Redistributes values uniformly from `low` to `high`, by the distribution of the whole world's values.
   */
  equalise(params: EqualiseWorld = {}): Pipeline {
    return makePipeline("equalise", params, "of", this as unknown as Pipeline);
  }

  /**
   * The sea: `of` with everything below the sea level raised to it.
   *
   * Further outputs: `depth` (0 on land), `mask` (1 in water, 0 on land) and `shore` (1 at the waterline, falling to 0
   * within `width` on both sides).
   */
  ocean(params: Ocean = {}): Pipeline {
    return makePipeline("ocean", params, "of", this as unknown as Pipeline);
  }

  /**
   * An island: `of` near a point and `floor` far from it, with a smooth transition. A further output is `mask`: 1 near, 0
   * far.
   */
  dropoff(params: Dropoff = {}): Pipeline {
    return makePipeline("dropoff", params, "of", this as unknown as Pipeline);
  }

  /**
   * A mask: 0 at `from`, 1 at `to`, smooth in between and constant beyond. `from` may be above `to`.
   */
  mask(params: Mask = {}): Pipeline {
    return makePipeline("mask", params, "of", this as unknown as Pipeline);
  }

  /**
   * A curve through control points: heights after erosion, or any other values, remapped as by the node `spline`. Values beyond
   * the ends give the end values.
   */
  curve(params: Curve = {}): Pipeline {
    return makePipeline("curve", params, "of", this as unknown as Pipeline);
  }

  /**
   * Combines two fields, sample by sample.
   */
  combine(params: Combine): Pipeline {
    return makePipeline("combine", params, "a", this as unknown as Pipeline);
  }

  /**
   * The minimum, maximum, mean or half the difference of neighbouring samples, repeated (the article's `adjacent_min`,
   * `smoother` and `rougher`). Each repetition looks one sample ahead along each axis, so it shifts the result by half a
   * sample.
   */
  adjacent(params: AdjacentFilter = {}): Pipeline {
    return makePipeline("adjacent", params, "of", this as unknown as Pipeline);
  }

  /**
   * Gaussian blur, cut off at three standard deviations.
   */
  gaussian(params: Gaussian = {}): Pipeline {
    return makePipeline("gaussian", params, "of", this as unknown as Pipeline);
  }

  /**
   * The median of a square around each sample: removes specks and keeps edges.
   */
  median(params: Median = {}): Pipeline {
    return makePipeline("median", params, "of", this as unknown as Pipeline);
  }

  /**
   * The distance to the line where values have a level, such as a coast or the edge of a mask. It is negative where values are
   * above the level.
   *
   * The line is known where it crosses the rows and columns of samples, by linear interpolation. The result is the Euclidean
   * distance to the nearest crossing. Farther than one sample from the line, it is at most 0.12 samples larger than the
   * distance to the line that connects the crossings. The method is the separable lower envelope of Felzenszwalb and
   * Huttenlocher (2012), first along columns, then along rows, and once the other way.
   *
   * The cost grows with the smaller of `reach` and the distance.
   */
  distance(params: Distance = {}): Pipeline {
    return makePipeline("distance", params, "of", this as unknown as Pipeline);
  }

  /**
   * A beach along a sea: where the ground is gentle, it becomes a plane that rises evenly from the water, with a smooth transition.
   *
   * The shore is the line where the ground has the height of the sea; distances to it are those of the stage `distance`. Sand fills
   * hollows and covers low rocks. A further output is `sand`: 1 at the shore, 0 away from the beach.
   */
  beach(params: Beach = {}): Pipeline {
    return makePipeline("beach", params, "of", this as unknown as Pipeline);
  }

  /**
   * A cliff along a sea: waves cut a platform into the land, and behind it the ground rises steeply.
   *
   * The land within `retreat` of the shore is not higher than the platform, and behind it not higher than the face of the cliff. Land
   * higher than the cliff is cut less, so that a slope remains above it. The sea bed does not change. A further output is `cut`, the
   * height of the rock that is gone.
   */
  cliff(params: Cliff = {}): Pipeline {
    return makePipeline("cliff", params, "of", this as unknown as Pipeline);
  }

  /**
   * Lines on the ground, such as roads, dikes, ditches and canals: a bed along each line, and banks on both sides of it.
   *
   * The distance is the Euclidean distance to the nearest point of the lines, whose points are rounded to 1/64 of the distance between
   * samples. Further outputs: `distance`, at most that to the end of the banks, and `share`: 1 on the bed, 0 beyond the banks. A curve
   * of `distance` gives banks of any other shape.
   *
   * The cost grows with the number of pieces of the lines near a sample. Channels of rivers are the stage `channel`, and the distance to
   * a coast is the stage `distance`.
   */
  line(params: Line = {}): Pipeline {
    return makePipeline("line", params, "of", this as unknown as Pipeline);
  }

  /**
   * Values from displaced positions, such as heights after erosion that a noise bends: the node `warp` for stages.
   *
   * The value at a position is that of `of` at the position plus (`x`, `y`), between four samples. Displacements along an axis larger
   * than `reach` count as that.
   */
  displace(params: Displace = {}): Pipeline {
    return makePipeline("displace", params, "of", this as unknown as Pipeline);
  }

  /**
   * The steepness of heights, from the samples on either side.
   */
  slope(params: Slope = {}): Pipeline {
    return makePipeline("slope", params, "of", this as unknown as Pipeline);
  }

  /**
   * The curvature of heights, per world unit: positive on ridges, negative in valleys.
   */
  curvature(params: Curvature = {}): Pipeline {
    return makePipeline("curvature", params, "of", this as unknown as Pipeline);
  }

  /**
   * The unit normal of heights, in three channels.
   */
  normal(params: Normal = {}): Pipeline {
    return makePipeline("normal", params, "of", this as unknown as Pipeline);
  }

  /**
   * The visible share of the sky: 1 on summits and plains, less in valleys and at the foot of cliffs. It is the mean of `1 −
   * sin(horizon)` over sixteen directions.
   */
  occlusion(params: Occlusion = {}): Pipeline {
    return makePipeline("occlusion", params, "of", this as unknown as Pipeline);
  }

  /**
   * Light on heights: the cosine between the normal and the direction of the light, 0 on slopes that face away from it.
   */
  hillshade(params: Hillshade = {}): Pipeline {
    return makePipeline("hillshade", params, "of", this as unknown as Pipeline);
  }

  /**
   * Thermal erosion (Musgrave, Kolb and Mace 1989): material steeper than the talus slides to the lower ones of the eight
   * neighbours, until the slopes are even screes. Material is conserved. It counts in samples.
   */
  thermal(params: Thermal = {}): Pipeline {
    return makePipeline("thermal", params, "of", this as unknown as Pipeline);
  }

  /**
   * Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): rain flows through pipes between neighbours, dissolves
   * soil where it is fast and steep, and deposits it where it slows down.
   *
   * Further outputs: `water` (depth), `sediment` (height of dissolved soil) and `flow` (mean discharge, in samples times
   * depth per iteration).
   *
   * It counts in samples: at another spacing or level the result is another world. The stage `erosion` counts in world units.
   *
   * Sediment moves with the water of the pipes, which conserves it. In the paper it follows the velocity, which does not.
   */
  hydraulic(params: Hydraulic = {}): Pipeline {
    return makePipeline("hydraulic", params, "of", this as unknown as Pipeline);
  }

  /**
   * Erosion by rivers and by slides, in world units. Valleys branch at every size, from `size` down to the distance between samples.
   * Rivers lay down their load where they slow down, and fill pits.
   *
   * Further outputs: `wear` and `deposit` (the height that was removed or added) and `flow` (the area in square world units whose rain
   * flows through a sample).
   *
   * Large valleys are carved first, on a grid whose step is at most 1/16 of `size`. The finer grids continue, each with half the step,
   * down to the samples. All grids are parts of one ladder, so spacings and levels that differ by powers of two give the same world:
   * only the finest valleys are missing. Other spacings give similar worlds. `of`, `rain` and `hardness` are evaluated on every grid.
   * Stages before this one that count in samples, such as `median`, change with the grid.
   *
   * A river cuts by its discharge to the power 0.5 times its slope (the stream power law; Schott et al. 2024 use several scales, too).
   * It lays down a share of its load (Davy and Lague 2009). The cost is about that of 40 passes over the samples, at any `size`.
   */
  erosion(params: Erosion = {}): Pipeline {
    return makePipeline("erosion", params, "of", this as unknown as Pipeline);
  }

  /**
   * Gullies without iterations: octaves of stripes that run down the slope, carved where it is steep.
   *
   * A sample depends only on its own height and gradient (exact if `of` is a node), so there is no halo. A further output is
   * `ridge`: 1 on the crests between gullies, −1 at their bottoms.
   */
  gully(params: Gully = {}): Pipeline {
    return makePipeline("gully", params, "of", this as unknown as Pipeline);
  }

  /**
   * Debris: rock that breaks off steep slopes, falls, and piles up in screes below them. Its volume is that of the rock.
   *
   * A further output is `depth`, the height of the debris.
   */
  debris(params: Debris = {}): Pipeline {
    return makePipeline("debris", params, "of", this as unknown as Pipeline);
  }

  /**
   * Snow that falls above a height, melts in the sun, and slides off steep slopes. It gathers in hollows and at the foot of slopes.
   *
   * A further output is `depth`, the height of the snow.
   */
  snow(params: Snow = {}): Pipeline {
    return makePipeline("snow", params, "of", this as unknown as Pipeline);
  }

  /**
   * Layers of rock, alternately hard and soft, tilted and folded. The main output is the hardness of the layer that lies at the height
   * `of`.
   *
   * They can be the `hardness` of `hydraulic` or `erosion`. If `of` is the same in both stages, every iteration meets the layer at the
   * height that the ground has then. So hard layers stand out as benches and scarps. Strata that reach the erosion through another node
   * or stage have the hardness of the ground before the erosion.
   *
   * A further output is `layer`: a random number of each layer from 0 to 1, for colours. The layers of the eroded ground are those of a
   * second stage with the same parameters, whose `of` is the eroded ground.
   */
  strata(params: Strata = {}): Pipeline {
    return makePipeline("strata", params, "of", this as unknown as Pipeline);
  }

  /**
   * Mountains and valleys in which rivers remove as much ground as uplift adds, by the stream power law. Valleys
   * branch at every size. There are no pits: the water of every cell reaches an outlet downhill.
   *
   * The landscape has a grid of its own, `columns` × `rows` cells from `position` on. Its edge, and cells without uplift, are
   * outlets. The CPU computes it once before the first sample, in about 0.7 µs per cell, and keeps it. The bits are the same for
   * all devices, tiles and levels. Samples on cells have their values, and samples between cells are interpolated. Beyond the
   * edge, the nearest cell continues.
   *
   * A further output is `area`: the area in square world units that drains through a cell.
   *
   * A river's slope is `uplift / (erodibility · area^concavity)`, but not above `slope` (Steer 2021; Tzathas et al. 2024).
   * Doubling `uplift` or halving `erodibility` doubles heights, as far as slopes are below the limit. The defaults suit metres
   * and millions of years.
   */
  streamPower(params: StreamPower = {}): Pipeline {
    return makePipeline("stream_power", params, "uplift", this as unknown as Pipeline);
  }

  /**
   * Drainage of a finite world: the surface of its lakes, and how much water flows through each sample. Every sample drains
   * to an outlet, which is the edge of the world or the sea.
   *
   * The main output is the surface of the water: `of` with its depressions filled to the level at which they overflow. It never
   * rises along the water. Further outputs: `depth` (of lakes, 0 on land), `area` (that drains through a sample, in world
   * units²) and `order` (of the stream, after Strahler 1957).
   * `basin` is a number from 0 to 1 for each outlet, and `distance` the length along the water to the outlet. `flow_x` and
   * `flow_y` are the direction of the water, a unit vector, and 0 at outlets. `bed` is `of` with the passes that `breach` cuts.
   * `discharge` is the rain on the area that drains through a sample: `area` if `rain` is 1.
   *
   * Water flows to the steepest of the eight neighbours (O'Callaghan and Mark 1984). It leaves a depression by its lowest
   * pass, and crosses the lake on the way from the deepest sample to there (Cordonnier, Bovy and Braun 2019). `seed` orders
   * samples of the same height.
   *
   * The whole world is evaluated twice before any sample is known. Beyond its edge, the nearest sample is repeated.
   */
  drainage(params: Drainage = {}): Pipeline {
    return makePipeline("drainage", params, "of", this as unknown as Pipeline);
  }

  /**
   * Land graded along the water: each sample is above the sample that its water flows to by its slope times the distance. So land
   * never falls along the way upstream, and no water stands.
   *
   * The slope is `steepness / area^concavity` (Flint 1974), with the area in world units² that drains through the sample. With a
   * steepness of uplift over erodibility, rivers remove as much as uplift adds: the stream power law in steady state. With a
   * steepness of 1 and a concavity of 0, land is above its outlet by the length along the water.
   *
   * Outlets keep their heights. Land begins to rise from there, or from the sea level of the drainage if an outlet is below it.
   * The other heights of the drainage only decide where water flows. Drainage of the result has other areas, so a second `grade` comes
   * closer to the balance. A first grade of land with few valleys makes them, at all sizes.
   *
   * Rises are rounded to 1/1048576 and added up as integers, so the bits do not depend on tiles, shards, memory or device. The
   * heights of outlets are from −1e9 to 1e9, and those of land at most 8.7e12. The whole world is evaluated once before any sample
   * is known, after its water was traced. Beyond its edge, the nearest sample is repeated.
   */
  grade(params: Grade = {}): Pipeline {
    return makePipeline("grade", params, "of", this as unknown as Pipeline);
  }

  /**
   * Incision by rivers whose drainage area is known: fine valleys in any landscape, however large. `area` is an output of `drainage`
   * or `stream_power`.
   *
   * Each step removes `erodibility · area^concavity · slope` per time, where the slope is that to the steepest of the eight neighbours
   * (the stream power law; Schott et al. 2024). Rivers carry what they remove, and lay down `deposition` times the load over the area
   * (Davy and Lague 2009). Slopes creep by `diffusion` times their curvature, and slide where they are steeper than
   * `talus`. Pits and the sea keep their load and are filled.
   *
   * Further outputs: `wear` (rock that was removed), `sediment` (that lies on the rock) and `load` (that rivers carry at the end, as a
   * height). The change of a height is `uplift · time` − `wear` + `sediment`.
   *
   * Sediment and the heads of valleys move by at most one sample in a step, and by `reach` in all. So the number of steps is `reach`
   * over the distance between samples, or `diffusion · time / 0.15` over its square if that is more. The halo is one sample for each
   * step. A sample never sinks below its lowest neighbour in a step. Rivers for which `erodibility · area^concavity` exceeds
   * `reach / time` cut more slowly.
   */
  incise(params: Incise): Pipeline {
    return makePipeline("incise", params, "of", this as unknown as Pipeline);
  }

  /**
   * Channels that rivers carve into heights. `surface` and `area` are outputs of a `drainage` stage: its main output and its
   * `area`.
   *
   * Samples with an area of at least `from` are rivers. Width and depth grow with a power of the area, as measured in nature
   * (Leopold and Maddock 1953: 0.5 and 0.4). A sample belongs to the river to which its power is smallest: the square of the
   * distance less the square of half the width. Power, level and flow determine the profile, a parabola each for the bed and the
   * banks. Levels and flows are smoothed over a tenth of `reach`. Channels begin gradually, and are complete where the area is
   * twice `from`.
   *
   * Since `surface` never rises along the water, and the depth never decreases, the bed falls from the spring to the mouth.
   *
   * The main output is `of` with channels. A further output is `depth` (of rivers and lakes, 0 on land).
   */
  channel(params: Channel): Pipeline {
    return makePipeline("channel", params, "of", this as unknown as Pipeline);
  }

  /**
   * The topographic wetness index: the natural logarithm of the area that drains through a sample, per width of a sample, over
   * the slope (Beven and Kirkby 1979). Large in flat valleys, small on ridges and cliffs.
   */
  wetness(params: Wetness): Pipeline {
    return makePipeline("wetness", params, "of", this as unknown as Pipeline);
  }

  /**
   * Maps values to colours: four channels with red, green, blue and opacity in linear light.
   */
  colour(params: Colour = {}): Pipeline {
    return makePipeline("colour", params, "by", this as unknown as Pipeline);
  }

  /**
   * Joins three channels into colours: four channels with red, green, blue and opacity in linear light. The channels may come
   * from a picture by way of `by_example`, whose nodes with one seed take the same parts of it.
   *
   * A raster reads a channel of a picture with `encoding = "lightness"`, `"green_red"` or `"blue_yellow"` for OKLab, and with
   * `"red"`, `"green"` or `"blue"` for linear light. OKLab keeps lightness apart from hue, so curves can change either.
   */
  colourChannels(params: ColourChannels): Pipeline {
    return makePipeline("colour_channels", params, "first", this as unknown as Pipeline);
  }
}

/**
 * A field supplied by the caller: `Engine::apply` runs the following stages on the caller's own samples. Not allowed in
 * recipes.
 */
export function given(params: Given = {}): Pipeline {
  return makePipeline("given", params);
}

/**
 * Noise by frequency synthesis: white noise is transformed, its amplitudes are shaped by `f^exponent` (or a table), and it
 * is transformed back. It repeats every `size` samples of level 0, with a mean of 0 and a mean square of 1.
 */
export function frequency(params: Frequency = {}): Pipeline {
  return makePipeline("frequency", params);
}

/**
 * The diamond-square algorithm (Fournier, Fussell and Carpenter 1982) on an infinite plane: random values at the corners
 * of cells, which are halved repeatedly. The amplitudes of the random parts sum to 1; the middles of edges may get half as
 * much again, except in the first halving.
 */
export function diamondSquare(params: DiamondSquare = {}): Pipeline {
  return makePipeline("diamond_square", params);
}

/**
 * Midpoint displacement: the middle of an edge is the mean of its ends plus a random part, the middle of a cell that of
 * its corners.
 */
export function midpoint(params: Midpoint = {}): Pipeline {
  return makePipeline("midpoint", params);
}

/**
 * Pink noise by Voss's algorithm, with McCartney's even distribution of changes: a sum of random numbers, where the k-th
 * changes every 2ᵏ samples. Within [−1, 1].
 */
export function voss(params: Voss = {}): Pipeline {
  return makePipeline("voss", params);
}
