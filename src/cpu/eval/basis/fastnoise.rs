//! FastNoiseLite's noise over a block, each vector by itself: its position, its domain warp and its octaves.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::eval::route::ONE_VERSION;
use crate::cpu::lib::exact::Exact;
use crate::cpu::lib::fastnoise::{Space, Sum, add_folded, add_plain, add_ridged, into_space, out_of_space, sum, within};
use crate::cpu::lib::fastnoise_cellular::{Cellular, cellular};
use crate::cpu::lib::fastnoise_lattice::{cubic_2, cubic_3, perlin_2, perlin_3, value_2, value_3};
use crate::cpu::lib::fastnoise_simplex::{simplex_2, simplex_3, smooth_2, smooth_3};
use crate::cpu::lib::fastnoise_warp::{Warp, displaced};
use crate::cpu::lib::frame::{number, world};
use crate::cpu::lib::jet::{Jet, composed, each_axis};
use crate::cpu::simd::number::{Bits, Transcendental};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::vector::{ScalarToken, SimdVector, Token};
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
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

/// The numbers of a node as vectors, with one number in all lanes.
struct LaneNumbers<'a, V: Lookup> {
    all: [V; N::COUNT],
    octaves: i32,
    warp_octaves: i32,
    warp_seed: V::Bits,
    vectors: &'a [V::Entry],
}

impl<V: Lookup> LaneNumbers<'_, V> {
    #[inline(always)]
    fn of(&self, number: N) -> V {
        self.all[number as usize]
    }
}

impl<R: Real> Numbers<'_, R> {
    #[inline(always)]
    fn lanes<T: Token>(&self, token: T) -> LaneNumbers<'_, R::Vector<T>> {
        let integer = |number: N| self.scalars[number as usize].to_i32();
        // An integer in two halves.
        let warp_seed = (integer(N::WarpSeedUpper) << 16) | integer(N::WarpSeedLower);
        let mut all = [R::Vector::splat(token, R::default()); N::COUNT];
        for (all, one) in all.iter_mut().zip(self.scalars) {
            *all = R::Vector::splat(token, *one);
        }
        LaneNumbers {
            all,
            octaves: integer(N::Octaves),
            warp_octaves: integer(N::WarpOctaves),
            warp_seed: R::Vector::<T>::splat_bits(token, warp_seed as u32),
            vectors: self.vectors,
        }
    }
}

/// Computes the noise for every vector. All types are one piece of code, in which whole vectors branch: compared with the noise of
/// sixteen samples, the choice costs little. The noise has no periods. So where there is more than one version, the general one
/// computes one number at a time.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    shape: FastnoiseShape,
    numbers: Numbers<'_, R>,
    out: &mut JetBlock<R>,
) {
    if const { PERIODIC && !ONE_VERSION } {
        vectors::<R, _, GRADIENT>(ScalarToken { lanes: on.simd.lanes }, on, shape, numbers, out);
    } else {
        vectorised!(R, on.simd, plain: PERIODIC, wide: WIDE, token => vectors::<R, _, GRADIENT>(token, on, shape, numbers, out));
    }
}

#[inline(always)]
fn vectors<R: Real, T: Token, const GRADIENT: bool>(
    token: T,
    on: OnLattice<'_, R>,
    shape: FastnoiseShape,
    numbers: Numbers<'_, R>,
    out: &mut JetBlock<R>,
) {
    let (columns, seed) = (on.constants.columns(token), on.constants.key::<_, false>(token).seed);
    let numbers = numbers.lanes(token);
    for_vectors!(R, token, at => {
        let (cell, fraction) = on.coordinates.vectors::<_, 3>(token, at);
        out.store::<_, GRADIENT>(token, at, world::<_, GRADIENT>(&columns, noise(shape, seed, &numbers, cell, fraction)));
    });
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
fn noise<V: Exact + Lookup + Transcendental>(
    shape: FastnoiseShape,
    seed: V::Bits,
    n: &LaneNumbers<'_, V>,
    cell: [V::Bits; 3],
    fraction: [V; 3],
) -> Jet<V> {
    let frequency = n.of(N::Frequency);
    let (zero, unit) = (frequency.constant(0.0), frequency.constant(1.0 / FASTNOISE_CELLS));
    let mut at = each_axis!(i => {
        let read = i < shape.dimensions as usize;
        let value = if read { number(cell[i], fraction[i]) * unit } else { zero };
        Jet { value, gradient: each_axis!(k => if k == i && read { unit } else { zero }) }
    });
    if shape.warp != FastnoiseWarp::None {
        at = warped(shape, n, at);
    }
    let space = space(shape);
    let x = into_space(space, each_axis!(i => at[i].value * frequency));
    let found = out_of_space(space, octaves(shape, seed, n, x));
    composed(Jet { value: found.value, gradient: each_axis!(i => found.gradient[i] * frequency) }, at)
}

/// The position after the warp.
#[inline(always)]
fn warped<V: Lookup>(shape: FastnoiseShape, n: &LaneNumbers<'_, V>, at: [Jet<V>; 3]) -> [Jet<V>; 3] {
    let by_distance = matches!(shape.version, FastnoiseVersion::Csharp | FastnoiseVersion::Rust);
    let warp = Warp { dimensions: shape.dimensions, kind: shape.warp, space: warp_space(shape), by_distance };
    let (mut seed, mut amplitude, mut frequency) = (n.warp_seed, n.of(N::WarpAmplitude), n.of(N::WarpFrequency));
    let count = if shape.warp_fractal == FastnoiseWarpFractal::None { 1 } else { n.warp_octaves };
    let mut to = at;
    for _ in 0..count {
        let from = if shape.warp_fractal == FastnoiseWarpFractal::Independent { at } else { to };
        to = displaced(warp, seed, [amplitude, frequency], from, to, n.vectors);
        seed = seed.plus(seed.constant(1));
        amplitude = amplitude * n.of(N::WarpGain);
        frequency = frequency * n.of(N::WarpLacunarity);
    }
    to
}

/// The sum of octaves at a position in the noise's space.
#[inline(always)]
fn octaves<V: Exact + Lookup + Transcendental>(shape: FastnoiseShape, mut seed: V::Bits, n: &LaneNumbers<'_, V>, mut x: [V; 3]) -> Jet<V> {
    let (lacunarity, gain, strength) = (n.of(N::Lacunarity), n.of(N::Gain), n.of(N::WeightedStrength));
    let mut scale = gain.constant(1.0);
    let mut s = sum(n.of(N::Bounding));
    let count = if shape.fractal == FastnoiseFractal::None { 1 } else { n.octaves };
    for _ in 0..count {
        let own = single(shape, n, seed, x);
        let own = Jet { value: own.value, gradient: each_axis!(i => own.gradient[i] * scale) };
        s = match shape.fractal {
            FastnoiseFractal::None => Sum { total: own, ..s },
            FastnoiseFractal::Fbm => add_plain(s, own, shape.dimensions == 2, strength, gain),
            FastnoiseFractal::Ridged => add_ridged(s, own, strength, gain),
            FastnoiseFractal::PingPong => add_folded(s, own, n.of(N::PingPongStrength), strength, gain),
        };
        seed = seed.plus(seed.constant(1));
        x = each_axis!(i => x[i] * lacunarity);
        scale = scale * lacunarity;
    }
    s.total
}

/// One octave.
#[inline(always)]
fn single<V: Exact + Lookup + Transcendental>(shape: FastnoiseShape, n: &LaneNumbers<'_, V>, seed: V::Bits, x: [V; 3]) -> Jet<V> {
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
