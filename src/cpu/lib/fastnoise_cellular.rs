//! Twin of `shaders/lib/fastnoise_cellular.wgsl`: FastNoiseLite's cellular noise.

use crate::cpu::lib::fastnoise::{PRIMES, hash_2, hash_3, number, round};
use crate::cpu::lib::jet::{Jet, axes, constant, through};
use crate::cpu::simd::Real;
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
const FARTHEST: f32 = f32::MAX;

/// The distance along an offset, and its gradient: the point stays, the sample moves.
#[inline(always)]
fn length<R: Real>(shape: Cellular, v: [R; 3]) -> Jet<R> {
    let flat = shape.dimensions == 2;
    let zero = R::of(0.0);
    let sum = |[x, y, z]: [R; 3]| if flat { x + y } else { x + y + z };
    let squares = || Jet { value: sum(v.map(|a| a * a)), gradient: v.map(|a| R::of(-2.0) * a) };
    let magnitudes = || Jet { value: sum(v.map(R::abs)), gradient: v.map(|a| R::of(if a < zero { 1.0 } else { -1.0 })) };
    match shape.distance {
        FastnoiseDistance::Euclidean | FastnoiseDistance::EuclideanSquared => squares(),
        FastnoiseDistance::Manhattan => magnitudes(),
        FastnoiseDistance::Hybrid => {
            let (a, b) = (magnitudes(), squares());
            Jet { value: a.value + b.value, gradient: axes(|i| a.gradient[i] + b.gradient[i]) }
        }
    }
}

/// A root's jet.
#[inline(always)]
fn root<R: Real>(shape: Cellular, square: Jet<R>) -> Jet<R> {
    let value = if shape.rough { square.value.rough_root() } else { square.value.exact_root() };
    through(value, R::of(0.5) * square.value.inverse_root(), square)
}

/// Cellular noise: the nine or 27 points around a sample. `first` is the index of the dimension's vectors among the tables.
#[inline(always)]
pub fn cellular<R: Real>(seed: i32, at: [R; 3], shape: Cellular, jitter: R, vectors: &[R]) -> Jet<R> {
    let flat = shape.dimensions == 2;
    let middle = at.map(round);
    let [x, y, z] = [0, 1, 2].map(|i| middle[i].wrapping_sub(1));
    let (mut nearest, mut second) = (constant(R::exactly(FARTHEST)), constant(R::exactly(FARTHEST)));
    let mut closest = 0;
    let deep = if flat { 1 } else { 3 };
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..deep {
                let point = [x.wrapping_add(i), y.wrapping_add(j), z.wrapping_add(k)];
                let primed = [0, 1, 2].map(|axis| point[axis].wrapping_mul(PRIMES[axis]));
                let (hash, vector) = if flat {
                    let hash = hash_2(seed, primed[0], primed[1]);
                    let index = (hash & 0x1fe) as usize;
                    (hash, [vectors[index], vectors[index + 1], R::of(0.0)])
                } else {
                    let hash = hash_3(seed, primed[0], primed[1], primed[2]);
                    let index = 512 + ((hash >> 2) & 0xff) as usize * 3;
                    (hash, [vectors[index], vectors[index + 1], vectors[index + 2]])
                };
                let off = [0, 1, 2].map(|axis| number::<R>(point[axis]) - at[axis] + vector[axis] * jitter);
                let found = length(shape, off);
                let smaller = if second.value < found.value { second } else { found };
                second = if smaller.value > nearest.value { smaller } else { nearest };
                if found.value < nearest.value {
                    (nearest, closest) = (found, hash);
                }
            }
        }
    }
    if shape.distance == FastnoiseDistance::Euclidean && shape.output != FastnoiseReturn::CellValue {
        nearest = root(shape, nearest);
        second = root(shape, second);
    }
    let (a, b) = (nearest, second);
    let (half, one) = (R::of(0.5), R::of(1.0));
    match shape.output {
        FastnoiseReturn::CellValue => constant(number::<R>(closest) * R::of(4.656_612_873_077_393e-10)),
        FastnoiseReturn::Distance => Jet { value: a.value - one, gradient: a.gradient },
        FastnoiseReturn::Distance2 => Jet { value: b.value - one, gradient: b.gradient },
        FastnoiseReturn::Distance2Add => {
            Jet { value: (b.value + a.value) * half - one, gradient: axes(|i| (b.gradient[i] + a.gradient[i]) * half) }
        }
        FastnoiseReturn::Distance2Sub => Jet { value: b.value - a.value - one, gradient: axes(|i| b.gradient[i] - a.gradient[i]) },
        FastnoiseReturn::Distance2Mul => {
            Jet { value: b.value * a.value * half - one, gradient: axes(|i| (b.gradient[i] * a.value + b.value * a.gradient[i]) * half) }
        }
        FastnoiseReturn::Distance2Div => {
            let quotient = a.value.exact_quotient(b.value);
            let inverse = b.value.inverse_root();
            let inverse = inverse * inverse;
            Jet { value: quotient - one, gradient: axes(|i| (a.gradient[i] - quotient * b.gradient[i]) * inverse) }
        }
    }
}
