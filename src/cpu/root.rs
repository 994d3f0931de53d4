//! Twin of `shaders/lib/root.wgsl`: square roots by Newton's method.

use super::real::{Real, max, select};

/// Below this a number counts as 0: 2⁻¹⁰⁰.
const SMALLEST: f64 = 7.888_609_052_210_118e-31;

/// `1 / √x` for normal x; x below 2⁻¹⁰⁰ gives 2⁵⁰.
#[inline(always)]
pub fn inverse<R: Real>(x: R) -> R {
    max(x, R::of(SMALLEST)).inverse_root()
}

/// The same for f32 numbers of 2⁻¹⁰⁰ and more.
#[inline(always)]
pub fn newton(held: f32) -> f32 {
    let half = 0.5 * held;
    let mut y = f32::from_bits(0x5f37_59df - (held.to_bits() >> 1));
    y = y * (1.5 - (half * y) * y);
    y = y * (1.5 - (half * y) * y);
    y = y * (1.5 - (half * y) * y);
    y
}

/// `√x` for x of 0 or more; x below 2⁻¹⁰⁰ gives 0.
#[inline(always)]
pub fn sqrt<R: Real>(x: R) -> R {
    let y = inverse(x);
    let s = x * y;
    select(s + (R::of(0.5) * y) * (x - s * s), R::of(0.0), x < R::of(SMALLEST))
}
