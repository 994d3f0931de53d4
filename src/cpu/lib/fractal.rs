//! Twin of `shaders/lib/fractal.wgsl`: sums of octaves that are more than a plain sum.

use crate::cpu::lib::jet::{Jet, abs, accumulate_lerp, accumulate_sum, add, clamp, constant, min_jet, multiply, scale_offset, through};
use crate::cpu::simd::Real;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::program::Accumulate;

/// A sum in progress.
#[derive(Clone, Copy)]
pub struct Accumulator<R> {
    pub total: Jet<R>,
    /// The factor for the next octave, from the octaves so far.
    pub weight: Jet<R>,
}

impl<R: Number> Accumulator<R> {
    /// The state before the first octave.
    #[inline(always)]
    pub fn start(zero: R) -> Self {
        Accumulator { total: constant(zero), weight: constant(zero.constant(1.0)) }
    }
}

/// Whether octaves change the weight. With a share of 0 the weight stays 1.
pub fn weighted<R: Real>(kind: Accumulate, share: R) -> bool {
    match kind {
        Accumulate::Sum | Accumulate::Lerp => false,
        Accumulate::Weighted | Accumulate::Billow | Accumulate::Pingpong => share != R::default(),
        _ => true,
    }
}

/// The parameters of every kind.
#[derive(Clone, Copy)]
pub struct FractalNumbers<R> {
    pub level: R,
    pub sharpness: R,
    pub weight: R,
    pub folds: R,
}

impl<R: Real> FractalNumbers<R> {
    /// These numbers, copied to every lane.
    #[inline(always)]
    pub fn splat<T: Token>(self, token: T) -> FractalNumbers<R::Vector<T>> {
        let all = |x: R| R::Vector::splat(token, x);
        FractalNumbers { level: all(self.level), sharpness: all(self.sharpness), weight: all(self.weight), folds: all(self.folds) }
    }
}

/// The weight after an octave whose value, mapped to 0 to 1, is `unit`. Low values reduce the weight by `share`.
#[inline(always)]
fn held_back<R: Number>(weight: Jet<R>, unit: Jet<R>, share: R) -> Jet<R> {
    let (zero, one) = (share.constant(0.0), share.constant(1.0));
    let held = clamp(unit, zero, one);
    multiply(weight, through(one + share * (held.value - one), share, held))
}

#[inline(always)]
fn plus<R: Number>(sum: Accumulator<R>, octave: Jet<R>, amplitude: R) -> Jet<R> {
    add(sum.total, multiply(scale_offset(sum.weight, amplitude, amplitude.constant(0.0)), octave))
}

/// Adds an octave.
#[inline(always)]
pub fn accumulate<R: Number>(kind: Accumulate, sum: Accumulator<R>, octave: Jet<R>, amplitude: R, p: FractalNumbers<R>) -> Accumulator<R> {
    let [zero, one, two, half] = [0.0, 1.0, 2.0, 0.5].map(|x| amplitude.constant(x));
    match kind {
        Accumulate::Weighted => {
            Accumulator { total: plus(sum, octave, amplitude), weight: held_back(sum.weight, scale_offset(octave, half, half), p.weight) }
        }
        Accumulate::Billow => {
            let height = abs(octave);
            Accumulator { total: plus(sum, scale_offset(height, two, -one), amplitude), weight: held_back(sum.weight, height, p.weight) }
        }
        Accumulate::Pingpong => {
            let t = (octave.value + one) * p.folds;
            let r = t - two * (half * t).floor();
            let back = r.at_least(one);
            let fold = through(R::select(r, two - r, back), R::select(p.folds, -p.folds, back), octave);
            Accumulator { total: plus(sum, scale_offset(fold, two, -one), amplitude), weight: held_back(sum.weight, fold, p.weight) }
        }
        Accumulate::Ridged => {
            let distance = scale_offset(abs(octave), -one, p.level);
            let ridge = multiply(multiply(distance, distance), sum.weight);
            let total = add(sum.total, scale_offset(ridge, amplitude, zero));
            Accumulator { total, weight: clamp(scale_offset(ridge, p.sharpness, zero), zero, one) }
        }
        Accumulate::Multifractal => {
            let product = multiply(sum.weight, scale_offset(octave, amplitude, p.level));
            Accumulator { total: product, weight: product }
        }
        Accumulate::Heterogeneous => {
            let signal = scale_offset(scale_offset(octave, one, p.level), amplitude, zero);
            let total = add(sum.total, multiply(signal, sum.weight));
            Accumulator { total, weight: total }
        }
        Accumulate::Hybrid => {
            let signal = multiply(scale_offset(scale_offset(octave, one, p.level), amplitude, zero), sum.weight);
            Accumulator { total: add(sum.total, signal), weight: min_jet(signal, constant(one)) }
        }
        Accumulate::Sum => Accumulator { total: accumulate_sum(sum.total, octave, amplitude), ..sum },
        Accumulate::Lerp => Accumulator { total: accumulate_lerp(sum.total, octave, amplitude), ..sum },
    }
}
