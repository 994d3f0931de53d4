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

/// Sine and cosine of πx for x in [−1/2, 1/2]: the polynomials of `interpolate_cosine`.
#[inline(always)]
pub fn half_turns(x: f32) -> (f32, f32) {
    let z = x * x;
    let mut s = -0.007_028_386_5_f32;
    s = s * z + 0.082_050_405;
    s = s * z - 0.599_252_2;
    s = s * z + 2.550_163_3;
    s = s * z - 5.167_712_7;
    s = s * z + std::f32::consts::PI;
    let mut c = -0.024_396_325_f32;
    c = c * z + 0.234_937_31;
    c = c * z - 1.335_212;
    c = c * z + 4.058_709;
    c = c * z - 4.934_802;
    c = c * z + 1.0;
    (s * x, c)
}
