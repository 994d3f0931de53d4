//! Twin of `shaders/lib/interpolate.wgsl`: the weight of the upper lattice point and its slope, for a fraction t in [0, 1].

use crate::cpu::simd::number::{Transcendental, max, min};
use crate::cpu::simd::unrolled;
use crate::program::Interpolation;

/// A weight and its slope.
#[derive(Clone, Copy)]
pub struct Weight<R> {
    pub u: R,
    pub slope: R,
}

/// The weight at t. The kind is the same for a whole block, so the compiler moves the match out of its loop.
#[inline(always)]
pub fn interpolate<R: Transcendental>(kind: Interpolation, t: R) -> Weight<R> {
    let (u, slope) = match kind {
        Interpolation::Truncated => (t.constant(0.0), t.constant(0.0)),
        Interpolation::Linear => (t, t.constant(1.0)),
        Interpolation::Cubic => (t * t * (t.constant(3.0) - t.constant(2.0) * t), t.constant(6.0) * t * (t.constant(1.0) - t)),
        Interpolation::Quintic => {
            let q = t * (t - t.constant(1.0));
            (t * t * t * (t * (t * t.constant(6.0) - t.constant(15.0)) + t.constant(10.0)), t.constant(30.0) * (q * q))
        }
        Interpolation::Cosine => {
            let (s, c) = (t - t.constant(0.5)).sin_cos_pi();
            (min(max(t.constant(0.5) + t.constant(0.5) * s, t.constant(0.0)), t.constant(1.0)), t.constant(std::f64::consts::FRAC_PI_2) * c)
        }
    };
    Weight { u, slope }
}

/// The weights along each axis.
#[inline(always)]
pub fn interpolated<R: Transcendental, const DIMENSIONS: usize>(kind: Interpolation, f: [R; DIMENSIONS]) -> [Weight<R>; DIMENSIONS] {
    let mut all = [Weight { u: f[0], slope: f[0] }; DIMENSIONS];
    unrolled!(axis in 0..DIMENSIONS => {
        all[axis] = interpolate(kind, f[axis]);
    });
    all
}
