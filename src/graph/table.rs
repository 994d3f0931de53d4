//! The table of nodes: every kind with its parameters, their meaning, defaults, allowed values and units. A new node is one more row
//! here; [`crate::params::kinds`] says what is made of it.

use super::{
    Accumulate, Axis, Distribution, Hash, HexHash, Interpolation, Metric, OctaveSeeds, Outside, PolarForm, Sampling, Uniform, ValueHash,
    WhiteHash, WorleyOutput,
};
use crate::codec::HeightEncoding;
use crate::params::{
    Change, ControlPoint, FieldError, Fields, Input, KindInfo, Kinds, OutputInfo, Param, ParamInfo, QuantilePoint, Refusal, SetError,
    Setting, Unit, Unset, allowed, assign, kinds, stated, unknown_parameter,
};
use crate::raster::{Digest, Heights};
use serde::{Deserialize, Serialize};

kinds! {
    /// One node of a graph: its kind and its parameters.
    Node;

    /// The same number everywhere.
    Constant = "constant" {
        /// The number.
        value: f64 = 0.0, [FINITE], Value;
    }

    /// The position along one world axis: `position / unit`. The one basis without a bound of 1.
    ///
    /// As a number it is off by up to 2⁻²⁴ of itself in f32, and ends at 2³⁰ units. Sums of several are exact before they become a number; under
    /// a `sine` or `domain`, through sums and multiples, the position is taken exactly, at any distance, so that stripes 10¹² units out are
    /// stripes.
    Coordinate = "coordinate" {
        /// Which axis.
        axis: Axis = Axis::X;
        /// World units per 1.0. As a number, positions beyond 2³⁰ units are an error, so far worlds want a large unit.
        unit: f64 = 1.0, [WAVELENGTH], WorldPerOne;
    }

    /// Simplex noise (Perlin 2001; Gustavson 2005), signed.
    ///
    /// With the integer hash: unit gradients (any slope in 1D, 16 in 2D, 48 in 3D, 32 in 4D), the continuous falloff `(1/2 − r²)⁴`, in 1D
    /// `(1 − r²)⁴`, scaled so that values fill but never leave [−1, 1]. The diagonal of the lattice's cubes lies along the last axis that is read, so that in 3D slices
    /// across z, which may be time, look alike; where nothing turns or displaces the lattice, rows of samples along x share most of the work
    /// on a CPU, and a rotation costs two to three times as much. With `permutation289`: the 3D noise of McEwan and Gustavson as the terrain
    /// shader lists it, falloff `(0.6 − r²)⁴` times 42, which reaches past its simplex: it jumps by up to 0.003 at
    /// simplex borders and its values lie within ±1.04 (proven; ±1.0384 is the largest found, by climbing from samples of every cell).
    Simplex = "simplex" {
        /// 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, in world units: time, say.
        w: f64 = 0.0, [COORDINATE], World;
        /// How cells become gradients; `permutation289` is 3D only.
        hash: Hash = Hash::Integer, [structural];
        /// World units per lattice cell, an edge of the cubes that are skewed to simplexes.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset. Not given: 0 for the integer hash, no lattice offset for `permutation289`.
        seed: Option<u64> = None, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }

    /// Value noise: a number per point of the cubic lattice, interpolated; signed, within [−1, 1].
    ///
    /// `truncated` makes it white noise, one number per cell; `linear` is the "blurry" and `cosine` the smooth noise of the
    /// articles on the subject. With `table` it is the one of the article on hill noise, 1D only: lattice point i has number
    /// `i mod 256` of a table, so it repeats after 256 cells, and octaves are the same noise, each with an offset of its own.
    Value = "value" {
        /// 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, in world units: time, say.
        w: f64 = 0.0, [COORDINATE], World;
        /// From one lattice point to the next.
        interpolation: Interpolation = Interpolation::Quintic, [structural];
        /// How lattice points become numbers; `table` is 1D only.
        hash: ValueHash = ValueHash::Integer, [structural];
        /// World units per lattice cell.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset, and of a table that is not given.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
        /// For `table`: its 256 numbers. The noise keeps to their range.
        values: Option<Vec<f64>> = None, [list 256 of -1e15 to 1e15], Value;
    }

    /// White noise: a number per cell, signed, within [−1, 1], without gradient.
    ///
    /// The others are the shaders' one-liners, of whole cells; use `integer` unless a picture has to look like that. They have no seed: a seed
    /// acts through the offset only. `sine` and `nested_sine` give something else on every GPU, here the same on all of them: f32's grain,
    /// 44,000 times larger, decides (one number in the plane is within 0.01 of what f64 gives; a nested one has nothing to do with it).
    /// Neighbours far from the origin are related. `nested_integer` is exact, and nearly the same along diagonals, as sums of products are.
    White = "white" {
        /// 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// How cells become numbers.
        hash: WhiteHash = WhiteHash::Integer, [structural];
        /// World units per cell.
        wavelength: f64 = 1.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }

    /// Perlin noise: a gradient per point of the cubic lattice, the offsets' products with them interpolated; signed.
    ///
    /// Unit gradients (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D), scaled by 2/√dimensions: proven within [−1, 1], and
    /// within ±2 when `truncated`. Unlike most implementations it is not 0 at integer positions: the seed moves the lattice.
    Perlin = "perlin" {
        /// 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 1 to 4], Unitless;
        /// Position along the fourth axis, in world units: time, say.
        w: f64 = 0.0, [COORDINATE], World;
        /// From one lattice point to the next.
        interpolation: Interpolation = Interpolation::Quintic, [structural];
        /// World units per lattice cell.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }

    /// Cellular noise (Worley 1996): every cell holds one random point, and the value says how far the nearest points are.
    ///
    /// Distances are in cells and exact: no point that could be nearer is missed, whatever the metric. What they can reach is
    /// proven for every metric and jitter; with the defaults it is 0 to √2.
    Worley = "worley" {
        /// 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// How distances are measured; `edge` is Euclidean only. In 1D all but `squared` are the same.
        metric: Metric = Metric::Euclidean, [structural];
        /// Distances, the nearest point's cell as a value, or the distance to that cell's border.
        output: WorleyOutput = WorleyOutput::Distance, [structural];
        /// Factors of the distances F1, F2, F3, F4 to the nearest points, as many as are to be looked for: `[1]` is F1, `[-1, 1]`
        /// is F2 − F1. Only `distance` reads them. How many there are is structural, the numbers are live.
        weights: Vec<f64> = vec![1.0], [terms 4 of -1e15 to 1e15], Unitless;
        /// How far points stray from the middle of their cell: 0 a regular grid, 1 anywhere in the cell.
        jitter: f64 = 1.0, [SHARE], Unitless;
        /// World units per cell.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of hash and lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, instead of the offset that the seed gives.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }

    /// Noise of a hexagonal map: one value per hexagon, from the gradients of its six neighbours,
    /// `Σ gradient(neighbour) · (hexagon − neighbour) / 7` in cubic coordinates (q, r, s). Signed: the article's value is half
    /// of this plus 1/2. Hexagons stand on a corner; (0, 0, 0) has its centre at the origin.
    ///
    /// `integer`: 48 hashed unit gradients, proven within ±1.1544. `tables`: the article's 256-entry permutation, prime 521 and
    /// 32 unit gradients, given or from the seed, within ±1.2122; its `abs` mirrors the map at every axis.
    Hexagonal = "hexagonal" {
        /// How hexagons become gradients.
        hash: HexHash = HexHash::Integer, [structural];
        /// World units between the centres of neighbours.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash, or of the tables that are not given.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position.
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// For `tables`: the numbers 0 to 255 in any order.
        permutation: Option<Vec<f64>> = None, [list 256 of 0 to 255], Unitless;
        /// For `tables`: 32 gradients in (q, r, s).
        gradients: Option<Vec<[f64; 3]>> = None, [each -1 to 1], Unitless;
    }

    /// Octaves of any sub-graph: octave k samples it at `rotationᵏ · (position + offsetₖ) · lacunarityᵏ` with amplitude `gainᵏ`.
    Fractal = "fractal" {
        /// The sub-graph that is repeated.
        of: Input;
        /// How many octaves.
        octaves: u32 = 6, [1 to 32], Unitless;
        /// Frequency ratio of one octave to the one before.
        lacunarity: f64 = 2.0, [0.015625 to 64], Unitless;
        /// Amplitude ratio of one octave to the one before (`persistence`).
        gain: f64 = 0.5, [-16 to 16], Unitless;
        /// How octaves add up.
        accumulate: Accumulate = Accumulate::Sum, [structural];
        /// For `sum`, `weighted`, `billow`, `ridged` and `pingpong`: divide by the sum of the amplitudes' magnitudes, so that the
        /// range does not depend on the number of octaves.
        normalise: bool = true;
        /// Musgrave's `offset`: added to the body's values by `multifractal`, `hybrid` and `heterogeneous`; what `ridged` takes
        /// their magnitude from.
        level: f64 = 1.0, [-16 to 16], Value;
        /// Musgrave's `gain` of `ridged`: how much an octave is let through where the one before is high.
        sharpness: f64 = 2.0, [0 to 16], Unitless;
        /// For `weighted`, `billow` and `pingpong`: how much an octave is held back where the one before is low, from 0 (not at
        /// all) to 1.
        weight: f64 = 0.5, [SHARE], Unitless;
        /// For `pingpong`: how often the values are folded.
        folds: f64 = 2.0, [0 to 64], Unitless;
        /// Whether octaves are noises of their own.
        seeds: OctaveSeeds = OctaveSeeds::Own;
        /// Seed of the octaves' own seeds and default offsets.
        seed: u64 = 0, [seed], Unitless;
        /// World units added to the position, one per octave, instead of what the seed gives. More than `octaves` is allowed.
        offsets: Option<Vec<[f64; 3]>> = None, [POSITION], World;
        /// An `octave_table` with the offsets, which fractals may share.
        table: Option<Input> = None, [structural];
        /// The table's entry for the first octave; the others follow.
        start: u32 = 0, [ENTRY], Unitless;
        /// World units added to the position of every octave (the shader's sample offset).
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Degrees by which each octave is turned against the one before.
        rotation: f64 = 0.0, [-360 to 360], Degrees;
        /// The axis of that turn; its length does not matter.
        axis: [f64; 3] = [0.0, 0.0, 1.0], [each -1000000 to 1000000], Unitless;
    }

    /// A curve through control points: between two of them the quadratic Bézier whose middle anchor is the mean of the
    /// points' tangents, as in the terrain shader's `interpolateValue`. Inputs beyond the ends give the end values.
    Spline = "spline" {
        /// The value that is remapped.
        of: Input;
        /// The control points.
        points: Vec<ControlPoint> = Vec::new(), [increasing];
        /// A `point_table` with the control points instead, which splines may share.
        table: Option<Input> = None, [structural];
        /// The table's entry that is the first control point.
        start: u32 = 0, [ENTRY], Unitless;
        /// The table's entry after the last control point. Not given: the end of the table.
        end: Option<u32> = None, [ENTRY], Unitless;
    }

    /// The offsets of octaves, a table for any number of fractals: each takes as many entries as it has octaves, from its `start` on.
    ///
    /// It has no values: nothing but a fractal's `table` can read it.
    OctaveTable = "octave_table" -> &[], {
        /// World units added to the position, one entry per octave.
        offsets: Vec<[f64; 3]> = Vec::new(), [POSITION], World;
    }

    /// Control points, a table for any number of splines: each takes the entries from its `start` up to its `end`. They lie once on the device,
    /// however many splines read them.
    ///
    /// It has no values: nothing but a spline's `table` can read it.
    PointTable = "point_table" -> &[], {
        /// The control points of one curve after the other; `at` increases within what a spline takes.
        points: Vec<ControlPoint> = Vec::new();
    }

    /// `of · scale + offset`.
    ScaleOffset = "scale_offset" {
        /// The value.
        of: Input;
        /// Factor.
        scale: f64 = 1.0, [FINITE], Unitless;
        /// Added after scaling.
        offset: f64 = 0.0, [FINITE], Value;
    }

    /// `of`, held between two numbers. Where it is held the gradient is 0.
    Clamp = "clamp" {
        /// The value.
        of: Input;
        /// Lower bound.
        low: f64 = -1.0, [FINITE], Value;
        /// Upper bound, at least `low`.
        high: f64 = 1.0, [FINITE], Value;
    }

    /// The magnitude of `of`.
    Abs = "abs" {
        /// The value.
        of: Input;
    }

    /// The power that keeps the sign: `sign(of) · |of|^exponent`. Magnitudes below 2⁻⁴⁰ give 0.
    Power = "power" {
        /// The value.
        of: Input;
        /// Exponent.
        exponent: f64 = 2.0, [0.0625 to 32], Unitless;
    }

    /// `a + b`.
    Add = "add" {
        /// First term.
        a: Input;
        /// Second term.
        b: Input;
    }

    /// `a · b`.
    Multiply = "multiply" {
        /// First factor.
        a: Input;
        /// Second factor.
        b: Input;
    }

    /// The smaller of `a` and `b`, with its gradient.
    Min = "min" {
        /// One value.
        a: Input;
        /// The other.
        b: Input;
    }

    /// The larger of `a` and `b`, with its gradient.
    Max = "max" {
        /// One value.
        a: Input;
        /// The other.
        b: Input;
    }

    /// `a + mask · (b − a)`, the mask held between 0 and 1.
    Blend = "blend" {
        /// The value where the mask is 0.
        a: Input;
        /// The value where the mask is 1.
        b: Input;
        /// How much of `b`.
        mask: Input;
    }

    /// `of`, sampled at `position + strength · (x, y, z)`.
    ///
    /// Positions are exact at any distance, displacements are f32: one of 2¹⁶ cells of the finest lattice under the warp still
    /// resolves 2⁻⁸ of a cell, one of 2²⁴ nothing.
    Warp = "warp" {
        /// The sub-graph that is displaced.
        of: Input;
        /// Displacement along x before `strength`.
        x: Input = Input::Value(0.0);
        /// Displacement along y before `strength`.
        y: Input = Input::Value(0.0);
        /// Displacement along z before `strength`.
        z: Input = Input::Value(0.0);
        /// World units per 1.0 of displacement.
        strength: f64 = 1.0, [-1000000000 to 1000000000], WorldPerOne;
    }

    /// Hill noise: a sum of sines whose heights are as large as they are long, made uniform. `uniform = "none"` gives the plain
    /// sum over the sum of sizes.
    ///
    /// Each sine is `size · sin(x / size + offset)`; in 2D a pair along two axes turned by the golden ratio's multiples, in 3D a
    /// triple along an orthonormal basis whose direction follows the golden ratio over the sphere, with sizes shuffled as the
    /// article on hill noise shuffles them. The article's sigma is off and its 3D angles change places: built here is what it means. Uniform by the exact distribution of a sum of sines with independent phases
    /// (its characteristic function is a product of Bessel functions J0). Signed: `2u − 1` where the article has u in [0, 1].
    /// Never repeats in practice.
    ///
    /// Phases are independent if no two sines move together: in 1D sizes that are in the ratio of small whole numbers do, and then
    /// values are uniform over all seeds, not over one line.
    Hill = "hill" {
        /// 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// How many sines (pairs, triples), where `sizes` does not say.
        sines: u32 = 30, [1 to 1024], Unitless;
        /// How sizes are spread: sine i of N has size `((i + 1/2) / (N + 1))^(−ln smoothness)`. At 1 all are equal, near 0 there are
        /// few large and many small ones.
        smoothness: f64 = 0.5, [0.001 to 1], Unitless;
        /// The sizes themselves, instead of what `sines` and `smoothness` give.
        sizes: Option<Vec<f64>> = None, [each 0.000001 to 1000000], Unitless;
        /// Phases in radians, `dimensions` for each sine, instead of what the seed gives.
        offsets: Option<Vec<f64>> = None, [each -1000000 to 1000000], Radians;
        /// 2D: degrees over which the golden ratio's multiples turn the pairs. A pair looks the same after 90, so that spreads its
        /// directions evenly; the article's code has 360, after which every second pair nearly shares its axes.
        spread: f64 = 90.0, [1 to 360], Degrees;
        /// World units for a size of 1: such a hill repeats after 2π of them.
        unit: f64 = 50.0, [WAVELENGTH], World;
        /// How values are spread over [−1, 1].
        uniform: Uniform = Uniform::Exact, [structural];
        /// Seed of the phases. Hills of the same sizes are the same waves with other phases, so their values correlate: by some 0.16 in
        /// 1D, 0.1 in 2D and 0.07 in 3D at 30 sines. Where that matters, give them other sizes, by another `smoothness` say.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Noise with a spectrum of choice: a weighted sum of sines along x, `Σ aₖ · sin(2π fₖ x / length + phaseₖ)`, with amplitudes
    /// `f^exponent` or given one by one.
    ///
    /// Exponent −2 is red noise, −1 pink, 0 white, +1 blue, +2 violet.
    Spectral = "spectral" {
        /// How many frequencies, 1 to this many per `length`, where `frequencies` does not say.
        count: u32 = 30, [1 to 4096], Unitless;
        /// Exponent of the amplitudes.
        exponent: f64 = -1.0, [-8 to 8], Unitless;
        /// Frequencies, in sines per `length`.
        frequencies: Option<Vec<f64>> = None, [each 0.000001 to 1000000], CyclesPerLength;
        /// Amplitudes, one per frequency, instead of what `exponent` gives.
        amplitudes: Option<Vec<f64>> = None, [each -1000000 to 1000000], Value;
        /// Phases in radians, one per frequency, instead of what the seed gives.
        phases: Option<Vec<f64>> = None, [each -1000000 to 1000000], Radians;
        /// World units after which whole frequencies repeat.
        length: f64 = 1000.0, [WAVELENGTH], World;
        /// Divide by the sum of the amplitudes' magnitudes, so that values stay within [−1, 1].
        normalise: bool = true;
        /// Seed of the phases.
        seed: u64 = 0, [seed], Unitless;
    }

    /// The distance from a point, in units; along the axes whose `axes` are not 0.
    Radius = "radius" {
        /// The point, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// How much the distance along each axis counts: (1, 1, 0) measures in the plane.
        axes: [f64; 3] = [1.0, 1.0, 0.0], [each -1000 to 1000], Unitless;
        /// World units per 1.0.
        unit: f64 = 1.0, [WAVELENGTH], WorldPerOne;
    }

    /// A raster: heights, a mask or any other numbers from a file, or from memory, on a grid along x and y. The same for every z.
    ///
    /// Levels of detail sample the same surface further apart, so that they share samples with the finest one; nothing is averaged.
    /// Positions are exact at any distance. Values never leave the range of the samples; with
    /// cubic sampling that of the surface, which is a little wider. Unsigned integers of 16 bits and less are 0 to 1: `scale_offset` makes
    /// heights of them.
    Raster = "raster" {
        /// A file beside the recipe (PNG, OpenEXR, TIFF, NumPy array, SRTM, ASCII grid, raw, r16, r32), up to 16384 samples along an edge.
        heights: Heights = Heights::default(), [structural];
        /// How the file's numbers are stored, where it does not say so itself: PNG tiles whose colours are heights, and raw numbers.
        encoding: HeightEncoding = HeightEncoding::File, [structural];
        /// Samples in a row of a file without a header (raw, r16, r32). Not given: as many as it has rows.
        columns: Option<u32> = None, [dimensions 1 to 16384], Unitless;
        /// The height of cells that have none: NaN, and what the file declares as such (GDAL_NODATA, a mask, voids of SRTM). Not given: heights
        /// with such cells are refused.
        holes: Option<f64> = None, [FINITE], Value;
        /// The hash of the file, with which another one is refused. Not given: that of the file as it is found.
        sha256: Option<Digest> = None, [told "64 hexadecimal digits"];
        /// World x and y of the first sample.
        position: [f64; 2] = [0.0; 2], [POSITION], World;
        /// World units from one sample to the next along x and y; not 0. Pictures with north at the top have a negative second one.
        spacing: [f64; 2] = [1.0; 2], [each -1000000000 to 1000000000], World;
        /// From one sample to the next.
        sampling: Sampling = Sampling::Cubic, [structural];
        /// Beyond the edges.
        outside: Outside = Outside::Clamp, [structural];
        /// What lies beyond the edges where `outside` is `constant`.
        fill: f64 = 0.0, [FINITE], Value;
    }

    /// `of` in polar form around a point of the plane: the same along every ray (`circle`), or with the angle for x and the
    /// distance for y, both measured from that point (`strip`). So other centres have other noise. Positions more than 2³⁰ times `size` from the centre are an error.
    Polar = "polar" {
        /// The sub-graph.
        of: Input;
        /// The point, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Which position `of` is sampled at.
        form: PolarForm = PolarForm::Circle, [structural];
        /// World units: the radius of the circle, or the length of the strip that goes around once.
        size: f64 = 100.0, [WAVELENGTH], World;
    }

    /// `of`, sampled at `scale · rotation · (position + offset)`.
    Transform = "transform" {
        /// The sub-graph.
        of: Input;
        /// World units added to the position.
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Degrees by which the position is turned.
        rotation: f64 = 0.0, [-360 to 360], Degrees;
        /// The axis of that turn; its length does not matter.
        axis: [f64; 3] = [0.0, 0.0, 1.0], [each -1000000 to 1000000], Unitless;
        /// Factors along x, y and z; 2 makes details half as large.
        scale: [f64; 3] = [1.0; 3], [each -1000000 to 1000000], Unitless;
    }

    /// `of` in a plane: one coordinate is the same everywhere. A moving `at` is time.
    Slice = "slice" {
        /// The sub-graph.
        of: Input;
        /// The axis across the plane.
        axis: Axis = Axis::Z;
        /// World position along it.
        at: f64 = 0.0, [COORDINATE], World;
    }

    /// `of` on the far side of a plane, and its mirror image on the near side.
    Mirror = "mirror" {
        /// The sub-graph.
        of: Input;
        /// The axis across the plane.
        axis: Axis = Axis::X;
        /// World position of the plane along it.
        at: f64 = 0.0, [COORDINATE], World;
    }

    /// `of` at the centre of the cell in which the position lies: blocks of one value each, gradient 0.
    Quantise = "quantise" {
        /// The sub-graph.
        of: Input;
        /// World units per cell along x, y and z.
        size: [f64; 3] = [8.0; 3], [each 0.000001 to 1e12], World;
    }

    /// `of`, repeated exactly after a period: sample 0 and the sample a period further are the same bits.
    ///
    /// Simplex in 2D and 3D takes any period from one wavelength on, in 3D from two: the lattice is stretched to the nearest whole number of
    /// its units, by less the longer the period is. Every other basis keeps its wavelength, which the period must be a multiple of in every
    /// octave (so lacunarities are whole numbers): simplex in 4D and `permutation289` of three wavelengths along each axis, hexagons of √3
    /// along y. Simplex in 4D is stretched by 4 %. Sines move to the nearest waves that repeat. Nothing repeats along the fourth axis.
    Periodic = "periodic" {
        /// The sub-graph.
        of: Input;
        /// World units after which it repeats along x, y and z; 0 for never. A period spans up to 2²⁴ − 1 cells of each lattice under it.
        period: [f64; 3] = [0.0; 3], [each 0 to 1e12], World;
    }

    /// `of`, sampled at the position whose coordinates are the values of three nodes, in world units. Those are f32: the
    /// position is exact to 2⁻²⁴ of its magnitude only.
    Domain = "domain" {
        /// The sub-graph.
        of: Input;
        /// World position along x.
        x: Input = Input::Value(0.0);
        /// World position along y.
        y: Input = Input::Value(0.0);
        /// World position along z.
        z: Input = Input::Value(0.0);
    }

    /// `of`, displaced along every axis by another sub-graph, which has a seed of its own for each axis; with more than one octave
    /// the displacement grows octave by octave, each sampled where the ones before have led (a progressive domain warp).
    Turbulence = "turbulence" {
        /// The sub-graph that is displaced.
        of: Input;
        /// What displaces it.
        by: Input;
        /// World units per 1.0 of displacement.
        strength: f64 = 50.0, [-1000000000 to 1000000000], WorldPerOne;
        /// How often the position is displaced.
        octaves: u32 = 1, [1 to 32], Unitless;
        /// Frequency ratio of one octave of `by` to the one before.
        lacunarity: f64 = 2.0, [0.015625 to 64], Unitless;
        /// Strength ratio of one octave to the one before.
        gain: f64 = 0.5, [-16 to 16], Unitless;
        /// Seed of the axes and octaves.
        seed: u64 = 0, [seed], Unitless;
    }

    /// 0 below an edge, 1 above another, and `6t⁵ − 15t⁴ + 10t³` between.
    Smoothstep = "smoothstep" {
        /// The value.
        of: Input;
        /// Where it leaves 0.
        low: f64 = 0.0, [FINITE], Value;
        /// Where it reaches 1, above `low`.
        high: f64 = 1.0, [FINITE], Value;
    }

    /// Steps: flat for a share of each, then a smooth rise to the next.
    Terrace = "terrace" {
        /// The value.
        of: Input;
        /// Height of a step.
        height: f64 = 0.25, [0.000001 to 1e15], Value;
        /// Share of each step that rises.
        slope: f64 = 0.3, [0.001 to 1], Unitless;
    }

    /// `below` where the value is less than `at`, else `above`. A jump: the gradient is 0.
    Threshold = "threshold" {
        /// The value.
        of: Input;
        /// Where it jumps.
        at: f64 = 0.0, [FINITE], Value;
        /// Value below.
        below: f64 = 0.0, [FINITE], Value;
        /// Value from there on.
        above: f64 = 1.0, [FINITE], Value;
    }

    /// Perlin's bias (Perlin and Hoffert 1989): a power that moves 1/2 to `bias` and keeps 0 and 1. The value is held between 0
    /// and 1.
    Bias = "bias" {
        /// The value, 0 to 1.
        of: Input;
        /// What 1/2 becomes.
        bias: f64 = 0.5, [0.001 to 0.9375], Unitless;
    }

    /// Perlin's gain (Perlin and Hoffert 1989): away from 1/2 (above 1/2) or towards it (below), keeping 0, 1/2 and 1. The value is
    /// held between 0 and 1.
    Gain = "gain" {
        /// The value, 0 to 1.
        of: Input;
        /// 1/4 becomes `(1 − gain) / 2`: 1/2 changes nothing.
        gain: f64 = 0.5, [0.0625 to 0.999], Unitless;
    }

    /// `sin(2π · (frequency · of + phase))`.
    Sine = "sine" {
        /// The value.
        of: Input;
        /// Turns per 1.0.
        frequency: f64 = 1.0, [-1000000 to 1000000], TurnsPerOne;
        /// Turns at 0.
        phase: f64 = 0.0, [-1000000 to 1000000], Turns;
    }

    /// Inverse-transform sampling: gives a uniform noise in [−1, 1] (hill, equalise) another distribution. Input v stands for the
    /// probability `(v + 1) / 2`, held 2⁻²⁰ away from 0 and 1.
    Quantile = "quantile" {
        /// The uniform noise.
        of: Input;
        /// Which distribution.
        distribution: Distribution = Distribution::Normal, [structural];
        /// Weibull: its scale, the article's alpha. Exponential: the mean. Normal: the standard deviation.
        scale: f64 = 1.0, [0.000001 to 1e12], Value;
        /// Weibull: its shape, the article's beta.
        shape: f64 = 2.0, [0.25 to 16], Unitless;
        /// Normal: the mean. Weibull and exponential: the smallest value.
        location: f64 = 0.0, [FINITE], Value;
        /// Table: probabilities, from 0 to 1, and the values up to which they reach, joined by lines.
        table: Vec<QuantilePoint> = Vec::new(), [quantiles];
    }

    /// Any sub-graph made uniform over [−1, 1] through its measured distribution. `orogen equalise` measures it once and writes it
    /// into the recipe; in the library, `Engine::equalise`.
    Equalise = "equalise" {
        /// The sub-graph.
        of: Input;
        /// Its values at evenly spaced probabilities from 0 to 1, not decreasing.
        quantiles: Vec<f64> = Vec::new(), [ascending], Value;
    }

    /// `a` where a mask is low, `b` where it is high, with a smooth border.
    Select = "select" {
        /// The value where the mask is low.
        a: Input;
        /// The value where the mask is high.
        b: Input;
        /// The mask.
        mask: Input;
        /// Where a and b are worth the same.
        at: f64 = 0.0, [FINITE], Value;
        /// How far on either side of that both take part.
        falloff: f64 = 0.1, [0 to 1e15], Value;
    }
}
