//! FastNoiseLite's noise as data: the structural part of a node and the order of its numbers.

use crate::program::{
    FastnoiseDistance, FastnoiseFractal, FastnoiseReturn, FastnoiseRotation, FastnoiseType, FastnoiseVersion, FastnoiseWarp,
    FastnoiseWarpFractal,
};

/// Cells of the frame per unit of FastNoiseLite's coordinates. A fraction of 24 bits then resolves every f32 from 2⁻⁷ on.
pub const FASTNOISE_CELLS: f64 = 64.0;

/// The structural part: each variant has its own kernel. Parameters without an effect have their default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FastnoiseShape {
    /// 2 or 3.
    pub dimensions: u32,
    /// The noise of one octave.
    pub noise: FastnoiseType,
    /// The sum of octaves.
    pub fractal: FastnoiseFractal,
    /// The turn of 3D coordinates, of noise and warp alike.
    pub rotation: FastnoiseRotation,
    /// For cellular noise.
    pub distance: FastnoiseDistance,
    /// For cellular noise.
    pub output: FastnoiseReturn,
    /// The domain warp.
    pub warp: FastnoiseWarp,
    /// The sum of its octaves.
    pub warp_fractal: FastnoiseWarpFractal,
    /// The source that the numbers follow.
    pub version: FastnoiseVersion,
}

impl FastnoiseShape {
    /// Whether it reads the tables of random vectors.
    pub fn reads_vectors(self) -> bool {
        self.noise == FastnoiseType::Cellular || self.warp != FastnoiseWarp::None
    }
}

/// The numbers of a node, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastnoiseNumber {
    Frequency,
    Octaves,
    Lacunarity,
    Gain,
    WeightedStrength,
    PingPongStrength,
    /// The amplitude of the first octave.
    Bounding,
    /// The displacement of points in cells.
    Jitter,
    /// The factor of cubic value noise.
    CubicScale,
    WarpFrequency,
    WarpAmplitude,
    WarpOctaves,
    WarpLacunarity,
    WarpGain,
    /// The warp's seed, in two halves that f32 holds.
    WarpSeedUpper,
    WarpSeedLower,
}

impl FastnoiseNumber {
    /// Their count.
    pub const COUNT: usize = 16;
}
