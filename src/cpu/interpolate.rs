//! Twin of `shaders/lib/interpolate.wgsl`: the weight of the upper lattice point and its slope, for a fraction t in [0, 1].

use super::number::{Number, max, min};
use crate::graph::Interpolation;

/// A weight and its slope.
#[derive(Clone, Copy)]
pub struct Weight<R> {
    pub u: R,
    pub slope: R,
}

/// The weight at t. The kind is the same for a whole block, so the compiler hoists the choice out of its loop.
#[inline(always)]
pub fn interpolate<R: Number>(kind: Interpolation, t: R) -> Weight<R> {
    let (u, slope) = match kind {
        Interpolation::Truncated => (t.like(0.0), t.like(0.0)),
        Interpolation::Linear => (t, t.like(1.0)),
        Interpolation::Cubic => (t * t * (t.like(3.0) - t.like(2.0) * t), t.like(6.0) * t * (t.like(1.0) - t)),
        Interpolation::Quintic => {
            let q = t * (t - t.like(1.0));
            (t * t * t * (t * (t * t.like(6.0) - t.like(15.0)) + t.like(10.0)), t.like(30.0) * (q * q))
        }
        Interpolation::Cosine => {
            let (s, c) = (t - t.like(0.5)).half_turns();
            (min(max(t.like(0.5) + t.like(0.5) * s, t.like(0.0)), t.like(1.0)), t.like(std::f64::consts::FRAC_PI_2) * c)
        }
    };
    Weight { u, slope }
}

/// The weights along every axis.
#[inline(always)]
pub fn interpolated<R: Number, const N: usize>(kind: Interpolation, f: [R; N]) -> [Weight<R>; N] {
    let mut all = [Weight { u: f[0], slope: f[0] }; N];
    for axis in 0..N {
        all[axis] = interpolate(kind, f[axis]);
    }
    all
}
