//! FastNoiseLite's noise, with the numbers of its sources.

use crate::frame::Frame;
use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::interval::Interval;
use crate::params::row;
use crate::program::instance::Instance;
use crate::program::{
    Basis, FASTNOISE_CELLS, FastnoiseDistance, FastnoiseFractal, FastnoiseNumber as N, FastnoiseReturn, FastnoiseRotation, FastnoiseShape,
    FastnoiseType, FastnoiseVersion, FastnoiseWarp, FastnoiseWarpFractal, GraphError, Op, Pointwise, ProgramError, narrow,
};
use glam::{DMat3, DVec3};
use std::sync::LazyLock;

row! {
    /// The noise of FastNoiseLite (Jordan Peck), for worlds that exist already: the same numbers, bit for bit.
    ///
    /// It computes in f32 as its sources do, in the same order, from the position rounded to f32. So it is not exact far from the
    /// origin: at a distance `d`, positions are rounded to about `d / 10⁷`. Positions beyond 2²⁴ times `unit` are an error. For
    /// distant worlds, choose a larger `unit`, or another noise. Noise is constant beyond 2³⁰ cells.
    ///
    /// The defaults are those of the C++ class. There, a domain warp is a second object with the same type of settings. Here its
    /// parameters begin with `warp`; both share `rotation`. A warp moves positions before the noise reads them.
    ///
    /// Fractals of this node repeat the same seed in every octave: its own octaves have separate ones. It has no period.
    FastnoiseLite {
        /// Number of dimensions: 2 (reads x and y) or 3. The original has one function for each.
        dimensions: u32 = 2, [dimensions 2 to 3], Unitless;
        /// The type of noise.
        noise: FastnoiseType = FastnoiseType::OpenSimplex2, [structural];
        /// The source whose numbers are given, where the sources differ.
        version: FastnoiseVersion = FastnoiseVersion::Cpp, [structural];
        /// The original's seed. Negative seeds are written as `seed + 2³²`: 4294967295 is −1. Of larger numbers, both halves count.
        seed: u64 = 1337, [seed], Unitless;
        /// Cells per unit of the original's coordinates.
        frequency: f64 = 0.01, [-1000 to 1000], Unitless;
        /// World units per unit of the original's coordinates.
        unit: f64 = 1.0, [WAVELENGTH], WorldPerOne;
        /// The turn of 3D coordinates.
        rotation: FastnoiseRotation = FastnoiseRotation::None, [structural];
        /// The sum of octaves.
        fractal: FastnoiseFractal = FastnoiseFractal::None, [structural];
        /// Number of octaves, if there is a fractal.
        octaves: u32 = 3, [1 to 16], Unitless;
        /// Frequency of an octave relative to the previous one.
        lacunarity: f64 = 2.0, [-8 to 8], Unitless;
        /// Amplitude of an octave relative to the previous one.
        gain: f64 = 0.5, [-8 to 8], Unitless;
        /// The influence of an octave's value on the amplitude of the next ones.
        weighted_strength: f64 = 0.0, [SHARE], Unitless;
        /// The factor by which octaves are stretched before they are folded, for `fractal = "ping_pong"`.
        ping_pong_strength: f64 = 2.0, [0 to 100], Unitless;
        /// The distance function of cellular noise.
        distance: FastnoiseDistance = FastnoiseDistance::EuclideanSquared, [structural];
        /// The return type of cellular noise.
        cellular_return: FastnoiseReturn = FastnoiseReturn::Distance, [structural];
        /// Maximum displacement of the points of cellular noise, relative to the original's default. Above 1, nearest points may be
        /// missed.
        jitter: f64 = 1.0, [0 to 4], Unitless;
        /// The domain warp.
        warp: FastnoiseWarp = FastnoiseWarp::None, [structural];
        /// The sum of the warp's octaves.
        warp_fractal: FastnoiseWarpFractal = FastnoiseWarpFractal::None, [structural];
        /// The warp's seed. Negative seeds are written as `seed + 2³²`.
        warp_seed: u32 = 1337, [0 to 4294967295.0], Unitless;
        /// The largest displacement, in units of the original's coordinates. As in the original, without a fractal it is divided by
        /// the sum of amplitudes all the same.
        warp_amplitude: f64 = 1.0, [-1e6 to 1e6], Unitless;
        /// Cells of the warp per unit of the original's coordinates.
        warp_frequency: f64 = 0.01, [-1000 to 1000], Unitless;
        /// Number of octaves of the warp.
        warp_octaves: u32 = 3, [1 to 16], Unitless;
        /// Frequency of an octave of the warp relative to the previous one.
        warp_lacunarity: f64 = 2.0, [-8 to 8], Unitless;
        /// Amplitude of an octave of the warp relative to the previous one.
        warp_gain: f64 = 0.5, [-8 to 8], Unitless;
    }
}

impl Noise {
    /// The noise of FastNoiseLite.
    pub fn fastnoise_lite(params: FastnoiseLite) -> Self {
        Self::source(params)
    }
}

/// The random vectors: 256 in 2D, then 256 in 3D.
static VECTORS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let lines = include_str!("fastnoise_vectors.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).map(|number| number.parse().expect("invariant: the table holds numbers")).collect()
});

/// The bound of noises that their author normalised by the directions that are worst at each point, with a margin for rounding.
const UNIT: f64 = 1.0001;
/// The factors of the displacement of cellular noise's points, in 2D and 3D.
const JITTER: [f32; 2] = [0.437_015_95, 0.396_143_53];

impl NodeKind for FastnoiseLite {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    /// An octave's bounds, times the sum of amplitudes.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        let own = self.single_range();
        let magnitude = own.magnitude();
        let strength = self.weighted_strength;
        // Bounds of a term, and of the factor by which a weight multiplies further amplitudes.
        let factor = |lo: f64, hi: f64| [lo, hi].map(|w| (1.0 + strength * (w - 1.0)).abs()).into_iter().fold(0.0, f64::max);
        let (term, factor) = match self.fractal {
            FastnoiseFractal::None => return own.widened(8.0),
            FastnoiseFractal::Fbm => {
                let most = if self.dimensions == 2 { 1.0 } else { f64::midpoint(own.hi, 1.0) };
                (own, factor(f64::midpoint(own.lo, 1.0), most))
            }
            FastnoiseFractal::Ridged => (Interval::new(1.0 - 2.0 * magnitude, 1.0), factor(1.0 - magnitude, 1.0)),
            FastnoiseFractal::PingPong => {
                let least = ((own.lo + 1.0) * self.ping_pong_strength).clamp(-2.0, 0.0);
                (Interval::new(2.0 * least - 1.0, 1.0), factor(least, 1.0))
            }
        };
        let sum: f64 = self.amplitudes(factor).sum();
        // Signs alternate if the gain or a weight is negative.
        let signed = self.gain < 0.0 || factor > 1.0 || own.lo < -1.0 || own.hi > 1.0;
        let term = if signed && self.octaves > 1 { Interval::new(-term.magnitude(), term.magnitude()) } else { term };
        Interval::new(term.lo * sum, term.hi * sum).widened(64.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(self.slope() * self.warp_slope() / self.unit)
    }

    /// Positions are rounded as f32, and in each octave once more. [`Bounds`](crate::graph::lower::Bounds) states how large they are.
    /// Positions are f32, so the error of fast arithmetic grows with the distance from the origin.
    fn precision(&self) -> Precision {
        let folds = if self.fractal == FastnoiseFractal::PingPong { 1.0 + 2.0 * self.ping_pong_strength } else { 1.0 };
        let long = (self.noise, self.dimensions) == (FastnoiseType::ValueCubic, 3) || self.warp != FastnoiseWarp::None;
        let terms = if long { 4.0 } else { 1.0 };
        let steps = 2.0 + f64::from(self.octaves) / 2.0;
        let cell = self.unit / FASTNOISE_CELLS * steps * self.warp_slope();
        let depth = if self.dimensions == 2 { 0.0 } else { cell };
        Precision { cell: [cell, cell, depth], fast: fast::UNBOUNDED, ..Precision::of_values(1e-5 * folds * terms) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.never_repeats()?;
        let shape = self.shape();
        let numbers = self.numbers().map(|x| site.scalar(x));
        let vectors = if shape.reads_vectors() { VECTORS.clone() } else { Vec::new() };
        let vectors = site.series(vectors);
        // As coordinates, which have a largest magnitude.
        let frames = site.frames(true, |instance| [self.frame(instance)])?;
        Ok(Op::Lattice(Basis::Pointwise(Pointwise::Fastnoise(shape, numbers[0], vectors)), frames))
    }
}

/// The lower 32 bits of a seed, mixed with the upper ones if there are any.
fn bits(seed: u64) -> u32 {
    let (upper, lower) = ((seed >> 32) as u32, seed as u32);
    let mixed = upper.wrapping_mul(0x9e37_79b1);
    lower ^ mixed ^ (mixed >> 15)
}

impl FastnoiseLite {
    /// Cells of the frame by which a warp may displace positions, four times because its own rounding is that much larger.
    pub(crate) fn displaced_cells(&self) -> f64 {
        if self.warp == FastnoiseWarp::None { 0.0 } else { 4.0 * self.warp_amplitude.abs() * FASTNOISE_CELLS }
    }

    /// The frame of its coordinates, with the seed.
    fn frame(&self, instance: &Instance) -> Frame {
        let axes = DVec3::new(1.0, 1.0, if self.dimensions == 2 { 0.0 } else { 1.0 });
        Frame { seed: bits(self.seed), ..instance.frame(DMat3::from_diagonal(axes * (FASTNOISE_CELLS / self.unit)), DVec3::ZERO, 0) }
    }

    /// The structural part, without parameters that have no effect.
    fn shape(&self) -> FastnoiseShape {
        let cellular = self.noise == FastnoiseType::Cellular;
        let deep = self.dimensions == 3;
        let version = match (self.version, self.noise) {
            (FastnoiseVersion::C, FastnoiseType::Cellular) => FastnoiseVersion::C,
            (FastnoiseVersion::Csharp | FastnoiseVersion::Rust, _) if deep && self.warp != FastnoiseWarp::None => self.version,
            (FastnoiseVersion::Csharp | FastnoiseVersion::Rust, FastnoiseType::OpenSimplex2) if deep => self.version,
            _ => FastnoiseVersion::Cpp,
        };
        FastnoiseShape {
            dimensions: self.dimensions,
            noise: self.noise,
            fractal: self.fractal,
            rotation: if deep { self.rotation } else { FastnoiseRotation::None },
            distance: if cellular { self.distance } else { FastnoiseDistance::EuclideanSquared },
            output: if cellular { self.cellular_return } else { FastnoiseReturn::Distance },
            warp: self.warp,
            warp_fractal: if self.warp == FastnoiseWarp::None { FastnoiseWarpFractal::None } else { self.warp_fractal },
            version,
        }
    }

    /// The numbers in their order, rounded to f32 as the sources hold them.
    fn numbers(&self) -> [f64; N::COUNT] {
        let mut all = [0.0; N::COUNT];
        let seed = self.warp_seed as i32;
        let single = [
            (N::Frequency, narrow(self.frequency)),
            (N::Octaves, self.octaves as f32),
            (N::Lacunarity, narrow(self.lacunarity)),
            (N::Gain, narrow(self.gain)),
            (N::WeightedStrength, narrow(self.weighted_strength)),
            (N::PingPongStrength, narrow(self.ping_pong_strength)),
            (N::Bounding, bounding(self.octaves, narrow(self.gain))),
            (N::Jitter, JITTER[self.dimensions as usize - 2] * narrow(self.jitter)),
            (N::CubicScale, self.cubic_scale()),
            (N::WarpFrequency, narrow(self.warp_frequency)),
            (N::WarpAmplitude, narrow(self.warp_amplitude) * bounding(self.warp_octaves, narrow(self.warp_gain))),
            (N::WarpOctaves, self.warp_octaves as f32),
            (N::WarpLacunarity, narrow(self.warp_lacunarity)),
            (N::WarpGain, narrow(self.warp_gain)),
            (N::WarpSeedUpper, (seed >> 16) as f32),
            (N::WarpSeedLower, (seed & 0xffff) as f32),
        ];
        for (number, value) in single {
            all[number as usize] = f64::from(value);
        }
        all
    }

    /// The factor of cubic value noise. In 3D, the C source divides only by the first of its three factors.
    fn cubic_scale(&self) -> f32 {
        match (self.dimensions, self.version) {
            (2, _) => 1.0 / (1.5 * 1.5),
            (_, FastnoiseVersion::C) => 1.0 / 1.5 * 1.5 * 1.5,
            _ => 1.0 / (1.5 * 1.5 * 1.5),
        }
    }

    /// Bounds of the amplitude of each octave.
    fn amplitudes(&self, factor: f64) -> impl Iterator<Item = f64> {
        let (gain, first) = (self.gain.abs(), f64::from(bounding(self.octaves, narrow(self.gain))));
        (0..self.octaves).scan(first, move |next, _| {
            let own = *next;
            *next *= gain * factor;
            Some(own)
        })
    }

    /// Bounds of one octave.
    fn single_range(&self) -> Interval {
        match self.noise {
            FastnoiseType::OpenSimplex2 | FastnoiseType::OpenSimplex2s | FastnoiseType::Perlin => Interval::new(-UNIT, UNIT),
            FastnoiseType::Value => Interval::new(-1.0, 1.0).widened(8.0),
            FastnoiseType::ValueCubic => {
                // The magnitudes of the four weights along an axis add up to at most 1.5.
                let most = f64::from(self.cubic_scale()) * libm::pow(1.5, f64::from(self.dimensions));
                Interval::new(-most, most).widened(64.0)
            }
            FastnoiseType::Cellular => self.cellular_range(),
        }
    }

    /// The largest distances to the nearest two points.
    fn distances(&self) -> [f64; 2] {
        let n = f64::from(self.dimensions);
        let jitter = f64::from(JITTER[self.dimensions as usize - 2]) * self.jitter;
        // The sample is at most half a cell from the middle of its cell along each axis, and so at most one cell from that of the next.
        let euclidean = [n.sqrt() / 2.0 + jitter, 1.0 + jitter];
        let manhattan = [n / 2.0 + n.sqrt() * jitter, n / 2.0 + n.sqrt() * jitter];
        let squared = euclidean.map(|d| d * d);
        let [a, b] = match self.distance {
            FastnoiseDistance::Euclidean => euclidean,
            FastnoiseDistance::EuclideanSquared => squared,
            FastnoiseDistance::Manhattan => manhattan,
            FastnoiseDistance::Hybrid => [manhattan[0] + squared[0], manhattan[1] + squared[1]],
        };
        [a, a.max(b)]
    }

    fn cellular_range(&self) -> Interval {
        let [a, b] = self.distances();
        // Estimated roots are up to a fifth of a percent too small.
        let rough = self.version == FastnoiseVersion::C && self.distance == FastnoiseDistance::Euclidean;
        let slack = 1e-5 * (1.0 + b) + if rough { 2e-3 * b } else { 0.0 };
        let (lo, hi) = match self.cellular_return {
            FastnoiseReturn::CellValue => (-1.0, 1.0),
            FastnoiseReturn::Distance => (-1.0, a - 1.0),
            FastnoiseReturn::Distance2 | FastnoiseReturn::Distance2Sub => (-1.0, b - 1.0),
            FastnoiseReturn::Distance2Add => (-1.0, f64::midpoint(a, b) - 1.0),
            FastnoiseReturn::Distance2Mul => (-1.0, a * b / 2.0 - 1.0),
            FastnoiseReturn::Distance2Div => (-1.0, 0.0),
        };
        Interval::new(lo - slack, hi + slack)
    }

    /// The steepest gradient of an octave, per cell.
    fn single_slope(&self) -> f64 {
        let n = f64::from(self.dimensions);
        match (self.noise, self.dimensions) {
            // Largest sums over the points around, each with its steepest direction, and a margin.
            (FastnoiseType::OpenSimplex2, 2) => 9.7,
            (FastnoiseType::OpenSimplex2, _) => 9.5,
            (FastnoiseType::OpenSimplex2s, 2) => 6.5,
            (FastnoiseType::OpenSimplex2s, _) => 8.7,
            (FastnoiseType::Perlin, 2) => 4.0,
            (FastnoiseType::Perlin, _) => 5.5,
            (FastnoiseType::Value, _) => 3.0 * n.sqrt(),
            // The magnitudes of the slopes of weights add up to at most 3.
            (FastnoiseType::ValueCubic, _) => f64::from(self.cubic_scale()) * 3.0 * libm::pow(1.5, n - 1.0) * n.sqrt(),
            (FastnoiseType::Cellular, _) => self.cellular_slope(),
        }
    }

    fn cellular_slope(&self) -> f64 {
        let n = f64::from(self.dimensions);
        let jitter = f64::from(JITTER[self.dimensions as usize - 2]) * self.jitter;
        let [a, b] = self.distances();
        let longest = 1.0 + jitter;
        let own = match self.distance {
            FastnoiseDistance::Euclidean => 1.0,
            FastnoiseDistance::EuclideanSquared => 2.0 * longest,
            FastnoiseDistance::Manhattan => n.sqrt(),
            FastnoiseDistance::Hybrid => n.sqrt() + 2.0 * longest,
        };
        match self.cellular_return {
            FastnoiseReturn::CellValue => 0.0,
            FastnoiseReturn::Distance | FastnoiseReturn::Distance2 | FastnoiseReturn::Distance2Add => own,
            FastnoiseReturn::Distance2Sub => 2.0 * own,
            FastnoiseReturn::Distance2Mul => own * (a + b) / 2.0,
            // The second distance is at least half of that between two points.
            FastnoiseReturn::Distance2Div => {
                let apart = (0.5 - jitter).max(0.0);
                let least = if self.distance == FastnoiseDistance::EuclideanSquared { apart * apart } else { apart };
                2.0 * own / least
            }
        }
    }

    /// The steepest gradient of the noise, per unit of the original's coordinates.
    fn slope(&self) -> f64 {
        let own = self.single_slope() * self.frequency.abs();
        let (term, weight) = match self.fractal {
            FastnoiseFractal::None => return own,
            FastnoiseFractal::Fbm => (1.0, 0.5),
            FastnoiseFractal::Ridged => (2.0, 1.0),
            FastnoiseFractal::PingPong => (2.0 * self.ping_pong_strength, self.ping_pong_strength),
        };
        // An octave's own slope, and that of its amplitude through the weights of the octaves before.
        let most = 1.0 + 2.0 * self.single_range().magnitude();
        let (mut scale, mut weights, mut sum) = (1.0, 0.0, 0.0);
        for amplitude in self.amplitudes(most.max(1.0).min(1.0 + self.weighted_strength * most)) {
            sum += amplitude * (term * scale + most * weights);
            weights += self.weighted_strength * weight * scale;
            scale *= self.lacunarity.abs();
        }
        own * sum
    }

    /// A bound of the change of warped positions per change of positions.
    fn warp_slope(&self) -> f64 {
        let n = f64::from(self.dimensions);
        let own = match (self.warp, self.dimensions) {
            (FastnoiseWarp::None, _) => return 1.0,
            (FastnoiseWarp::OpenSimplex2, 2) => 9.7 * 38.29 / 99.83,
            (FastnoiseWarp::OpenSimplex2, _) => 9.5,
            (FastnoiseWarp::OpenSimplex2Reduced, 2) => 16.0 * 0.25,
            (FastnoiseWarp::OpenSimplex2Reduced, _) => 7.72 * 0.5,
            (FastnoiseWarp::BasicGrid, _) => 3.0 * n.sqrt(),
        };
        let first =
            (self.warp_amplitude * self.warp_frequency).abs() * f64::from(bounding(self.warp_octaves, narrow(self.warp_gain))) * own;
        let ratio = (self.warp_gain * self.warp_lacunarity).abs();
        let count = if self.warp_fractal == FastnoiseWarpFractal::None { 1 } else { self.warp_octaves };
        let octaves = (0..count).scan(first, |next, _| {
            let slope = *next;
            *next *= ratio;
            Some(slope)
        });
        match self.warp_fractal {
            FastnoiseWarpFractal::None | FastnoiseWarpFractal::Independent => 1.0 + octaves.sum::<f64>(),
            FastnoiseWarpFractal::Progressive => octaves.map(|slope| 1.0 + slope).product(),
        }
    }
}

/// The amplitude of the first octave: amplitudes then add up to 1. As in the sources, in f32.
fn bounding(octaves: u32, gain: f32) -> f32 {
    let gain = gain.abs();
    let (mut amplitude, mut sum) = (gain, 1.0f32);
    for _ in 1..octaves {
        sum += amplitude;
        amplitude *= gain;
    }
    1.0 / sum
}
