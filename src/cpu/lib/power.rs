//! Twin of `shaders/lib/power.wgsl`: powers by exponent bits and a polynomial each way.

use crate::cpu::lib::jet::{Jet, through};
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min, select};

/// log2 of a positive normal number: exponent + polynomial of the mantissa in [√½, √2), error below 6e-8.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    // 0x3f3504f3 is √½: subtracting it moves the mantissa's range so that 1 lies inside and log2(1) is exactly 0.
    let bits = x.to_bits() as i32 - 0x3f35_04f3;
    let exponent = bits >> 23;
    let m = f32::from_bits(((bits & 0x007f_ffff) + 0x3f35_04f3) as u32) - 1.0;
    let mut p = 0.094_818_644_f32;
    p = p * m - 0.167_650_52;
    p = p * m + 0.172_342_6;
    p = p * m - 0.179_194_57;
    p = p * m + 0.205_040_02;
    p = p * m - 0.240_447_57;
    p = p * m + 0.288_575_6;
    p = p * m - 0.360_674_65;
    p = p * m + 0.480_897_9;
    p = p * m - 0.721_347_5;
    p = p * m + std::f32::consts::LOG2_E;
    exponent as f32 + p * m
}

/// 2^x for x in [−126, 126]; beyond, the result of the nearer end. Relative error below 2e-7.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let held = min(max(x, -126.0), 126.0);
    let whole = (held + 0.5).floor();
    let f = held - whole;
    let mut p = 1.530_37e-5_f32;
    p = p * f + 0.000_154_697_29;
    p = p * f + 0.001_333_347_9;
    p = p * f + 0.009_618_025;
    p = p * f + 0.055_504_11;
    p = p * f + 0.240_226_5;
    p = p * f + std::f32::consts::LN_2;
    p = p * f + 1.0;
    p * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

/// (x^exponent, its slope) for x of 0 or more; below 2⁻⁴⁰ both are 0.
#[inline(always)]
pub fn positive<R: Real>(x: R, exponent: R) -> (R, R) {
    let smallest = R::of(9.094_947_017_729_282e-13);
    let zero = R::of(0.0);
    let l = max(x, smallest).log2();
    let value = (exponent * l).exp2();
    let slope = exponent * ((exponent - R::of(1.0)) * l).exp2();
    let nothing = x < smallest;
    (select(value, zero, nothing), select(slope, zero, nothing))
}

/// sign(x) · |x|^exponent.
#[inline(always)]
pub fn signed<R: Real>(x: Jet<R>, exponent: R) -> Jet<R> {
    let (value, slope) = positive(x.value.abs(), exponent);
    through(select(value, -value, x.value < R::of(0.0)), slope, x)
}
