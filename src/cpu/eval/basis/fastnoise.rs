//! FastNoiseLite's noise over a block, each sample by itself: its position, its domain warp and its octaves.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::fastnoise::{Space, add_folded, add_plain, add_ridged, into_space, out_of_space, sum, within};
use crate::cpu::lib::fastnoise_cellular::{Cellular, cellular};
use crate::cpu::lib::fastnoise_lattice::{cubic_2, cubic_3, perlin_2, perlin_3, value_2, value_3};
use crate::cpu::lib::fastnoise_simplex::{simplex_2, simplex_3, smooth_2, smooth_3};
use crate::cpu::lib::fastnoise_warp::{Warp, displaced};
use crate::cpu::lib::frame::{number, world};
use crate::cpu::lib::jet::{Jet, axes, composed};
use crate::cpu::simd::Real;
use crate::program::{
    FASTNOISE_CELLS, FastnoiseFractal, FastnoiseNumber as N, FastnoiseRotation, FastnoiseShape, FastnoiseType, FastnoiseVersion,
    FastnoiseWarp, FastnoiseWarpFractal,
};

/// The numbers of a node, in the order of [`FastnoiseNumber`](N), and the tables of random vectors.
#[derive(Clone, Copy)]
pub struct Numbers<'a, R> {
    pub scalars: &'a [R],
    pub vectors: &'a [R],
}

impl<R: Real> Numbers<'_, R> {
    #[inline(always)]
    fn of(&self, number: N) -> R {
        self.scalars[number as usize]
    }

    /// An integer in two halves.
    #[inline(always)]
    fn warp_seed(&self) -> i32 {
        (self.of(N::WarpSeedUpper).to_i32() << 16) | self.of(N::WarpSeedLower).to_i32()
    }
}

/// Computes the noise for every sample. There is one copy of this code, without vectors: it is long, and samples branch.
pub fn block<R: Real, const GRADIENT: bool>(on: OnLattice<'_, R>, shape: FastnoiseShape, numbers: Numbers<'_, R>, out: &mut JetBlock<R>) {
    for lane in 0..on.simd.lanes {
        let (columns, seed) = on.constants.of_lane(lane);
        let found = noise(shape, seed as i32, numbers, on.coordinates.cell(lane), on.coordinates.fraction(lane));
        out.set::<GRADIENT>(lane, world::<_, GRADIENT>(&columns, found));
    }
}

/// The space of a noise's coordinates.
fn space(shape: FastnoiseShape) -> Space {
    in_dimensions(shape, matches!(shape.noise, FastnoiseType::OpenSimplex2 | FastnoiseType::OpenSimplex2s))
}

/// The space of a warp's coordinates.
fn warp_space(shape: FastnoiseShape) -> Space {
    in_dimensions(shape, shape.warp != FastnoiseWarp::BasicGrid)
}

fn in_dimensions(shape: FastnoiseShape, simplex: bool) -> Space {
    match (shape.dimensions, shape.rotation) {
        (2, _) if simplex => Space::Skewed,
        (2, _) => Space::Same,
        (_, FastnoiseRotation::ImproveXy) => Space::Xy,
        (_, FastnoiseRotation::ImproveXz) => Space::Xz,
        (_, FastnoiseRotation::None) if simplex => Space::Mirrored,
        (_, FastnoiseRotation::None) => Space::Same,
    }
}

/// The noise at a position in cells of the frame, with its gradient per cell.
#[inline(always)]
pub fn noise<R: Real>(shape: FastnoiseShape, seed: i32, n: Numbers<'_, R>, cell: [u32; 3], fraction: [R; 3]) -> Jet<R> {
    let unit = R::of(1.0 / FASTNOISE_CELLS);
    let read = |i: usize| i < shape.dimensions as usize;
    let mut at = [0, 1, 2].map(|i| Jet {
        value: if read(i) { number(cell[i] as i32, fraction[i]) * unit } else { R::of(0.0) },
        gradient: axes(|k| if k == i && read(i) { unit } else { R::of(0.0) }),
    });
    if shape.warp != FastnoiseWarp::None {
        at = warped(shape, n, at);
    }
    let frequency = n.of(N::Frequency);
    let space = space(shape);
    let x = into_space(space, at.map(|jet| jet.value * frequency));
    let found = out_of_space(space, octaves(shape, seed, n, x));
    composed(Jet { value: found.value, gradient: found.gradient.map(|g| g * frequency) }, at)
}

/// The position after the warp.
#[inline(always)]
fn warped<R: Real>(shape: FastnoiseShape, n: Numbers<'_, R>, at: [Jet<R>; 3]) -> [Jet<R>; 3] {
    let by_distance = matches!(shape.version, FastnoiseVersion::Csharp | FastnoiseVersion::Rust);
    let warp = Warp { dimensions: shape.dimensions, kind: shape.warp, space: warp_space(shape), by_distance };
    let (mut seed, mut amplitude, mut frequency) = (n.warp_seed(), n.of(N::WarpAmplitude), n.of(N::WarpFrequency));
    let count = if shape.warp_fractal == FastnoiseWarpFractal::None { 1 } else { n.of(N::WarpOctaves).to_i32() };
    let mut to = at;
    for _ in 0..count {
        let from = if shape.warp_fractal == FastnoiseWarpFractal::Independent { at } else { to };
        to = displaced(warp, seed, [amplitude, frequency], from, to, n.vectors);
        seed = seed.wrapping_add(1);
        amplitude = amplitude * n.of(N::WarpGain);
        frequency = frequency * n.of(N::WarpLacunarity);
    }
    to
}

/// The sum of octaves at a position in the noise's space.
#[inline(always)]
fn octaves<R: Real>(shape: FastnoiseShape, mut seed: i32, n: Numbers<'_, R>, mut x: [R; 3]) -> Jet<R> {
    if shape.fractal == FastnoiseFractal::None {
        return single(shape, n, seed, x);
    }
    let (lacunarity, gain, strength) = (n.of(N::Lacunarity), n.of(N::Gain), n.of(N::WeightedStrength));
    let mut scale = R::of(1.0);
    let mut s = sum(n.of(N::Bounding));
    for _ in 0..n.of(N::Octaves).to_i32() {
        let own = single(shape, n, seed, x);
        let own = Jet { value: own.value, gradient: own.gradient.map(|g| g * scale) };
        s = match shape.fractal {
            FastnoiseFractal::None | FastnoiseFractal::Fbm => add_plain(s, own, shape.dimensions == 2, strength, gain),
            FastnoiseFractal::Ridged => add_ridged(s, own, strength, gain),
            FastnoiseFractal::PingPong => add_folded(s, own, n.of(N::PingPongStrength), strength, gain),
        };
        seed = seed.wrapping_add(1);
        x = x.map(|x| x * lacunarity);
        scale = scale * lacunarity;
    }
    s.total
}

/// One octave.
#[inline(always)]
fn single<R: Real>(shape: FastnoiseShape, n: Numbers<'_, R>, seed: i32, x: [R; 3]) -> Jet<R> {
    let flat = shape.dimensions == 2;
    let x = within(x);
    match shape.noise {
        FastnoiseType::OpenSimplex2 if flat => simplex_2(seed, x),
        FastnoiseType::OpenSimplex2 => {
            let by_distance = matches!(shape.version, FastnoiseVersion::Csharp | FastnoiseVersion::Rust);
            simplex_3(seed, x, by_distance, shape.version == FastnoiseVersion::Rust)
        }
        FastnoiseType::OpenSimplex2s if flat => smooth_2(seed, x),
        FastnoiseType::OpenSimplex2s => smooth_3(seed, x),
        FastnoiseType::Cellular => {
            let rough = shape.version == FastnoiseVersion::C;
            let cells = Cellular { dimensions: shape.dimensions, distance: shape.distance, output: shape.output, rough };
            cellular(seed, x, cells, n.of(N::Jitter), n.vectors)
        }
        FastnoiseType::Perlin if flat => perlin_2(seed, x),
        FastnoiseType::Perlin => perlin_3(seed, x),
        FastnoiseType::ValueCubic if flat => cubic_2(seed, x, n.of(N::CubicScale)),
        FastnoiseType::ValueCubic => cubic_3(seed, x, n.of(N::CubicScale)),
        FastnoiseType::Value if flat => value_2(seed, x),
        FastnoiseType::Value => value_3(seed, x),
    }
}
