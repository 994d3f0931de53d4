//! The table of stages: every kind with its parameters, their meaning, defaults, allowed values and units. A new stage is one more row
//! here; [`crate::params::kinds`] says what is made of it.

use crate::params::{ColourStop, Input, OutputInfo, RadialPoint, row};
use crate::stage::choices::{Adjacent, AngleUnit, Axes, ColourMap, ColourSpace, CombineBy, CurvatureForm};

row! {
    /// A field that is brought along: `Engine::apply` runs the stages after it on the caller's own samples. Not for recipes.
    Given {
    }

    /// Stretched linearly so that the whole world reaches from `low` to `high`.
    ///
    /// Reads smallest and largest value of the whole world, in a pass of their own; values outside (of a world that was not
    /// measured) are held.
    Normalise {
        /// The values.
        of: Input;
        /// What the smallest becomes.
        low: f64 = 0.0, [FINITE], Value;
        /// What the largest becomes.
        high: f64 = 1.0, [FINITE], Value;
        /// Share of the samples that is cut off at either end, so that a few peaks do not flatten the rest.
        clip: f64 = 0.0, [0 to 0.49], Unitless;
        /// Smallest and largest value, as measured. Not given: measured over the world that is asked for.
        measured: Option<[f64; 2]> = None, [SAMPLE], Value;
    }

    /// Redistributed evenly from `low` to `high`, by the whole world's distribution of values.
    Equalise {
        /// The values.
        of: Input;
        /// What the smallest becomes.
        low: f64 = 0.0, [FINITE], Value;
        /// What the largest becomes.
        high: f64 = 1.0, [FINITE], Value;
        /// Quantiles at even steps of probability, as measured. None: measured over the world that is asked for.
        measured: Vec<f64> = Vec::new(), [sorted], Value;
    }

    /// The sea: `of` with everything below the sea's level raised to it. Also `depth` (0 on land), `mask` (1 in water, 0 on land) and
    /// `shore` (1 at the waterline, falling to 0 within `width`, on both sides).
    Ocean -> &[OutputInfo::main(1), OutputInfo::further("depth"), OutputInfo::further("mask"), OutputInfo::further("shore")], {
        /// The heights.
        of: Input;
        /// The level.
        level: f64 = 0.0, [FINITE], Value;
        /// The share of the world that is to be covered, instead of a level: a pass over the world finds that.
        share: Option<f64> = None, [SHARE], Unitless;
        /// Height above and depth below the level over which `shore` falls off.
        width: f64 = 10.0, [0.000000001 to 1e15], Value;
        /// The level for `share`, as measured.
        measured: Option<f64> = None, [SAMPLE], Value;
    }

    /// An island: `of` near a point, `floor` far from it, smoothly. Also `mask`: 1 near, 0 far.
    Dropoff -> &[OutputInfo::main(1), OutputInfo::further("mask")], {
        /// The heights.
        of: Input;
        /// The point, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// World units from the point to where the fall begins.
        radius: f64 = 100.0, [0 to 1e12], World;
        /// World units over which it falls.
        width: f64 = 100.0, [WAVELENGTH], World;
        /// How much distances along each axis count: (1, 0.5, 0) makes the island twice as long along y.
        axes: [f64; 3] = [1.0, 1.0, 0.0], [each -1000 to 1000], Unitless;
        /// The value far from it.
        floor: f64 = 0.0, [FINITE], Value;
    }

    /// A mask: 0 at `from`, 1 at `to`, smooth between, held beyond. `from` may be above `to`.
    Mask {
        /// The values.
        of: Input;
        /// Where the mask is 0.
        from: f64 = 0.0, [FINITE], Value;
        /// Where the mask is 1.
        to: f64 = 1.0, [FINITE], Value;
    }

    /// Two fields made one, sample by sample.
    Combine {
        /// One.
        a: Input;
        /// The other.
        b: Input;
        /// How.
        by: CombineBy = CombineBy::Add;
        /// For `blend`: 0 is `a`, 1 is `b`.
        mask: Input = Input::Value(0.5);
    }

    /// The smallest, largest or mean of neighbours, or half their difference, any number of times (the article's `adjacent_min`,
    /// `smoother` and `rougher`). Each time looks one sample ahead along each axis: the result lies half a sample further on.
    AdjacentFilter {
        /// The values.
        of: Input;
        /// What of neighbours.
        filter: Adjacent = Adjacent::Mean;
        /// How many times.
        times: u32 = 1, [ITERATIONS], Unitless;
        /// Along which axes: one makes it the article's filter of sequences.
        axes: Axes = Axes::Both;
    }

    /// Blurred by a Gaussian, cut off at three standard deviations.
    Gaussian {
        /// The values.
        of: Input;
        /// Standard deviation in samples.
        sigma: f64 = 2.0, [0.1 to 256], Samples;
    }

    /// The middle value of a square around each sample: removes specks, keeps edges.
    Median {
        /// The values.
        of: Input;
        /// Samples to either side: 1 is a square of 3, the largest is one of 15.
        radius: u32 = 1, [1 to 7], Samples;
    }

    /// How steep heights are, from the samples to either side.
    Slope {
        /// The heights.
        of: Input;
        /// In which unit.
        unit: AngleUnit = AngleUnit::Ratio;
    }

    /// How heights bend, per world unit: positive on ridges, negative in valleys.
    Curvature {
        /// The heights.
        of: Input;
        /// Along which direction.
        form: CurvatureForm = CurvatureForm::Mean;
    }

    /// The unit vector that stands upright on heights, in three channels.
    Normal -> &[OutputInfo::main(3)], {
        /// The heights.
        of: Input;
        /// Heights are multiplied by this first.
        exaggeration: f64 = 1.0, [-1000000 to 1000000], Unitless;
    }

    /// How much of the sky is seen: 1 on summits and plains, less in valleys and at the foot of cliffs. The mean over sixteen directions
    /// of `1 − sin(horizon)`.
    Occlusion {
        /// The heights.
        of: Input;
        /// Samples as far as which horizons are looked for.
        radius: u32 = 16, [1 to 256], Samples;
        /// Heights are multiplied by this first.
        exaggeration: f64 = 1.0, [-1000000 to 1000000], Unitless;
    }

    /// Light on heights: the cosine between the normal and the direction of the light, 0 in its lee.
    Hillshade {
        /// The heights.
        of: Input;
        /// Where the light comes from, in degrees clockwise from north (y runs down a picture).
        azimuth: f64 = 315.0, [-360 to 360], Degrees;
        /// Degrees of the light above the horizon.
        altitude: f64 = 45.0, [0 to 90], Degrees;
        /// Heights are multiplied by this first.
        exaggeration: f64 = 1.0, [-1000000 to 1000000], Unitless;
    }

    /// Thermal erosion (Musgrave, Kolb and Mace 1989): what is steeper than the talus slides to the lower ones of the eight
    /// neighbours, until slopes are even screes. Material is conserved.
    Thermal {
        /// The heights.
        of: Input;
        /// Height per distance that holds.
        talus: f64 = 0.7, [0 to 1000000], Unitless;
        /// How many times material slides, each time by one sample.
        iterations: u32 = 50, [ITERATIONS], Unitless;
        /// Share of what is too steep that slides at a time.
        rate: f64 = 0.5, [SHARE], Unitless;
    }

    /// Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): rain runs off through pipes between neighbours, dissolves
    /// soil where it is fast and steep, and leaves it where it slows down. Also `water` (depth), `sediment` (height of what is
    /// dissolved) and `flow` (mean discharge, samples times depth per iteration).
    ///
    /// Sediment travels with the water of the pipes and not along its velocity as in the paper, where it is not conserved.
    Hydraulic -> &[OutputInfo::main(1), OutputInfo::further("water"), OutputInfo::further("sediment"), OutputInfo::further("flow")], {
        /// The heights.
        of: Input;
        /// How many steps of time.
        iterations: u32 = 200, [ITERATIONS], Unitless;
        /// Depth of the rain of one iteration, as a share of the distance between samples.
        rain: f64 = 0.004, [SHARE], Unitless;
        /// How much of it falls where, 0 to 1.
        rain_on: Input = Input::Value(1.0);
        /// Share of the water that evaporates in one iteration.
        evaporation: f64 = 0.015, [SHARE], Unitless;
        /// How fast water gains speed in a pipe: the share of a difference in level that one iteration adds to the flow.
        gravity: f64 = 0.1, [0 to 0.25], Unitless;
        /// Share of a pipe's flow that friction takes in one iteration.
        friction: f64 = 0.05, [SHARE], Unitless;
        /// How much sediment water carries: per unit of steepness and of speed (samples per iteration), as a share of the distance
        /// between samples.
        capacity: f64 = 3.0, [0 to 100], Unitless;
        /// Share of the capacity left over that is dissolved in one iteration.
        dissolve: f64 = 0.01, [SHARE], Unitless;
        /// Share of the excess that is deposited in one iteration.
        deposit: f64 = 0.1, [SHARE], Unitless;
        /// Steepness below which capacity does not fall: keeps rivers on plains moving their load.
        least_slope: f64 = 0.03, [SHARE], Unitless;
        /// How much soil resists, 0 to 1: 1 is rock that nothing dissolves.
        hardness: Input = Input::Value(0.0);
    }

    /// Gullies without iterations: octaves of stripes that run down the slope, carved where it is steep. What a sample becomes depends on
    /// its own height and gradient only (exact where `of` is a node), so there is no halo. Also `ridge`: 1 on the crests between
    /// gullies, −1 at their bottoms.
    Gully -> &[OutputInfo::main(1), OutputInfo::further("ridge")], {
        /// The heights.
        of: Input;
        /// World units between the largest gullies.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// How many sizes of them, each `lacunarity` times finer.
        octaves: u32 = 4, [1 to 12], Unitless;
        /// Frequency ratio of one size to the one before.
        lacunarity: f64 = 2.0, [1 to 4], Unitless;
        /// Depth ratio of one size to the one before.
        gain: f64 = 0.5, [SHARE], Unitless;
        /// Depth of the largest, as a share of `wavelength`.
        strength: f64 = 0.1, [0 to 10], Unitless;
        /// Slope at which gullies are half as deep as they get.
        onset: f64 = 0.3, [0.000001 to 1000000], Unitless;
        /// Seed of where they lie.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Colours: red, green, blue and opacity in linear light, four channels.
    Colour -> &[OutputInfo::main(4)], {
        /// The value that picks the colour.
        by: Input;
        /// Colours and the values at which they stand, in order; the same value twice makes a hard edge.
        stops: Vec<ColourStop> = Vec::new(), [STOPS];
        /// A map by name, from the value 0 to 1, instead of stops.
        map: Option<ColourMap> = None;
        /// The values at which `map` begins and ends.
        range: [f64; 2] = [0.0, 1.0], [FINITE], Value;
        /// How colours between two stops are mixed.
        space: ColourSpace = ColourSpace::Oklab;
        /// Another colour stage that lies under this one.
        under: Input = Input::Value(0.0), [channels 4];
        /// How much this one covers it, 0 to 1.
        mask: Input = Input::Value(1.0);
        /// A factor for the light: a hillshade, say.
        light: Input = Input::Value(1.0);
    }

    /// Noise by frequency synthesis: white noise, transformed, its amplitudes shaped by `f^exponent` (or a table), transformed back. It
    /// repeats every `size` samples of level 0 and has a mean of 0 and a mean square of 1.
    Frequency {
        /// Samples after which it repeats along x and y, a power of two.
        size: u32 = 512, [2 to 8192], Samples;
        /// Of the amplitude: −2 red, −1 pink, 0 white, 1 blue, 2 violet.
        exponent: f64 = -2.0, [-16 to 16], Unitless;
        /// Amplitudes by frequency (cycles per sample, 0 to 0.71), linear between; instead of the exponent.
        radial: Vec<RadialPoint> = Vec::new(), [RADIAL];
        /// Seed of the white noise.
        seed: u64 = 0, [seed], Unitless;
    }

    /// The diamond-square algorithm (Fournier, Fussell and Carpenter 1982) on a plane without end: random values at the corners of
    /// cells, halved again and again. The random parts add up to 1; the middles of edges may get half as much again of all but the first.
    DiamondSquare {
        /// Samples of level 0 along each edge of the first cells, a power of two.
        cell: u32 = 128, [2 to 1024], Samples;
        /// Ratio of the random part of one halving to the one before: 0.5 smooth, 1 rough.
        roughness: f64 = 0.55, [SHARE], Unitless;
        /// Seed of the random values.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Midpoint displacement: the middle of an edge is the mean of its ends and a random part, the middle of a cell that of its corners.
    Midpoint {
        /// 1 (a line along x, the same in every row) or 2.
        dimensions: u32 = 2, [dimensions 1 to 2], Unitless;
        /// Samples of level 0 along each edge of the first cells, a power of two.
        cell: u32 = 128, [2 to 1024], Samples;
        /// Ratio of the random part of one halving to the one before: 0.5 smooth, 1 rough.
        roughness: f64 = 0.5, [SHARE], Unitless;
        /// Seed of the random values.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Pink noise by Voss's algorithm, with McCartney's even spread of changes: a sum of random numbers, the k-th of which changes
    /// every 2ᵏ samples. Within [−1, 1].
    Voss {
        /// 1 (a sequence along x, the same in every row) or 2.
        dimensions: u32 = 1, [dimensions 1 to 2], Unitless;
        /// How many random numbers.
        rows: u32 = 12, [1 to 24], Unitless;
        /// Seed of the random numbers.
        seed: u64 = 0, [seed], Unitless;
    }
}
