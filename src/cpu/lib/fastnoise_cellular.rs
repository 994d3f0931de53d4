//! Twin of `shaders/lib/fastnoise_cellular.wgsl`: FastNoiseLite's cellular noise.

use crate::cpu::lib::exact::Exact;
use crate::cpu::lib::fastnoise::{hash_2, hash_3, primed, round, vector_2, vector_3};
use crate::cpu::lib::jet::{Jet, add, constant, each_axis, pick, through};
use crate::cpu::simd::number::{Bits, Number, Transcendental};
use crate::cpu::simd::permute::Lookup;
use crate::program::{FastnoiseDistance, FastnoiseReturn};

/// The structural part of the noise.
#[derive(Clone, Copy)]
pub struct Cellular {
    pub dimensions: u32,
    pub distance: FastnoiseDistance,
    pub output: FastnoiseReturn,
    /// Whether square roots are one step of Newton's method.
    pub rough: bool,
}

/// A distance that is larger than all others.
const FARTHEST: f64 = f32::MAX as f64;

/// The sum of squares, and its gradient: the point stays, the sample moves.
#[inline(always)]
fn squares<R: Number>([x, y, z]: [R; 3], flat: bool) -> Jet<R> {
    let minus_two = x.constant(-2.0);
    let plane = x * x + y * y;
    Jet { value: if flat { plane } else { plane + z * z }, gradient: [minus_two * x, minus_two * y, minus_two * z] }
}

/// The sum of magnitudes, and its gradient.
#[inline(always)]
fn magnitudes<R: Number>([x, y, z]: [R; 3], flat: bool) -> Jet<R> {
    let plane = x.abs() + y.abs();
    Jet { value: if flat { plane } else { plane + z.abs() }, gradient: [towards(x), towards(y), towards(z)] }
}

/// The opposite of the sign of an offset; −1 for 0.
#[inline(always)]
fn towards<R: Number>(a: R) -> R {
    R::select(a.constant(-1.0), a.constant(1.0), a.less_than(a.constant(0.0)))
}

/// The distance along an offset, and its gradient.
#[inline(always)]
fn length<R: Number>(shape: Cellular, v: [R; 3]) -> Jet<R> {
    let flat = shape.dimensions == 2;
    match shape.distance {
        FastnoiseDistance::Euclidean | FastnoiseDistance::EuclideanSquared => squares(v, flat),
        FastnoiseDistance::Manhattan => magnitudes(v, flat),
        FastnoiseDistance::Hybrid => add(magnitudes(v, flat), squares(v, flat)),
    }
}

/// A root's jet.
#[inline(always)]
fn root<R: Exact + Transcendental>(shape: Cellular, square: Jet<R>) -> Jet<R> {
    let value = if shape.rough { square.value.rough_root() } else { square.value.exact_root() };
    through(value, value.constant(0.5) * square.value.inverse_root(), square)
}

/// Cellular noise: the nine or 27 points around a sample.
#[inline(always)]
pub fn cellular<R: Exact + Lookup + Transcendental>(seed: R::Bits, at: [R; 3], shape: Cellular, jitter: R, vectors: &[R::Entry]) -> Jet<R> {
    let flat = shape.dimensions == 2;
    let middle = each_axis!(i => round(at[i]));
    let farthest = constant(jitter.constant(FARTHEST));
    let (mut nearest, mut second, mut closest) = (farthest, farthest, seed.constant(0));
    let deep = if flat { 1 } else { 3 };
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..deep {
                let point = each_axis!(axis => middle[axis].plus(seed.constant([i, j, k][axis])).minus(seed.constant(1)));
                let primed = primed(point);
                let (hash, vector) = if flat {
                    let hash = hash_2(seed, [primed[0], primed[1]]);
                    (hash, vector_2::<R>(vectors, hash >> 1))
                } else {
                    let hash = hash_3(seed, primed);
                    (hash, vector_3::<R>(vectors, hash >> 2))
                };
                let found = length(shape, each_axis!(axis => R::of_signed(point[axis]) - at[axis] + vector[axis] * jitter));
                let smaller = pick(found, second, second.value.less_than(found.value));
                second = pick(nearest, smaller, nearest.value.less_than(smaller.value));
                let closer = found.value.less_than(nearest.value);
                nearest = pick(nearest, found, closer);
                closest = R::Bits::select(closest, hash, closer);
            }
        }
    }
    if shape.distance == FastnoiseDistance::Euclidean && shape.output != FastnoiseReturn::CellValue {
        nearest = root(shape, nearest);
        second = root(shape, second);
    }
    let (a, b) = (nearest, second);
    let (half, one) = (jitter.constant(0.5), jitter.constant(1.0));
    match shape.output {
        FastnoiseReturn::CellValue => constant(R::of_signed(closest) * jitter.constant(4.656_612_873_077_393e-10)),
        FastnoiseReturn::Distance => Jet { value: a.value - one, gradient: a.gradient },
        FastnoiseReturn::Distance2 => Jet { value: b.value - one, gradient: b.gradient },
        FastnoiseReturn::Distance2Add => {
            Jet { value: (b.value + a.value) * half - one, gradient: each_axis!(i => (b.gradient[i] + a.gradient[i]) * half) }
        }
        FastnoiseReturn::Distance2Sub => Jet { value: b.value - a.value - one, gradient: each_axis!(i => b.gradient[i] - a.gradient[i]) },
        FastnoiseReturn::Distance2Mul => Jet {
            value: b.value * a.value * half - one,
            gradient: each_axis!(i => (b.gradient[i] * a.value + b.value * a.gradient[i]) * half),
        },
        FastnoiseReturn::Distance2Div => {
            let quotient = a.value.exact_quotient(b.value);
            let inverse = b.value.inverse_root();
            let inverse = inverse * inverse;
            Jet { value: quotient - one, gradient: each_axis!(i => (a.gradient[i] - quotient * b.gradient[i]) * inverse) }
        }
    }
}
