//! Twin of `shaders/lib/interpolate.wgsl`: the weight of the upper lattice point and its slope, for a fraction t in [0, 1].

use super::real::{Real, max, min};
use crate::graph::Interpolation;

/// A weight and its slope.
#[derive(Clone, Copy)]
pub struct Weight<R> {
    pub u: R,
    pub slope: R,
}

/// The weight at t. The kind is the same for a whole block, so the compiler hoists the choice out of its loop.
#[inline(always)]
pub fn interpolate<R: Real>(kind: Interpolation, t: R) -> Weight<R> {
    let (u, slope) = match kind {
        Interpolation::Truncated => (R::of(0.0), R::of(0.0)),
        Interpolation::Linear => (t, R::of(1.0)),
        Interpolation::Cubic => (t * t * (R::of(3.0) - R::of(2.0) * t), R::of(6.0) * t * (R::of(1.0) - t)),
        Interpolation::Quintic => {
            let q = t * (t - R::of(1.0));
            (t * t * t * (t * (t * R::of(6.0) - R::of(15.0)) + R::of(10.0)), R::of(30.0) * (q * q))
        }
        Interpolation::Cosine => {
            let (s, c) = (t - R::of(0.5)).half_turns();
            (min(max(R::of(0.5) + R::of(0.5) * s, R::of(0.0)), R::of(1.0)), R::of(std::f64::consts::FRAC_PI_2) * c)
        }
    };
    Weight { u, slope }
}
