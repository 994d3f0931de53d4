//! Twin of `shaders/lib/power.wgsl`: powers from exponent bits and two polynomials.

use crate::cpu::lib::jet::{Jet, through};
use crate::cpu::simd::number::{Bits, Number, Single, Transcendental, max, min};

/// Coefficients of log2(1 + m) / m, highest power of m first.
const LOG2: [f64; 11] = [
    0.094_818_644_225_597_38,
    -0.167_650_520_801_544_2,
    0.172_342_598_438_262_94,
    -0.179_194_569_587_707_52,
    0.205_040_022_730_827_33,
    -0.240_447_565_913_200_38,
    0.288_575_589_656_829_83,
    -0.360_674_649_477_005,
    0.480_897_903_442_382_8,
    -0.721_347_510_814_666_7,
    1.442_695_021_629_333_5,
];
/// Coefficients of 2^f, highest power first.
const EXP2: [f64; 8] = [
    1.530_369_991_087_354_7e-5,
    0.000_154_697_292_600_758_37,
    0.001_333_347_870_968_282_2,
    0.009_618_025_273_084_64,
    0.055_504_110_157_489_78,
    0.240_226_507_186_889_65,
    0.693_147_182_464_599_6,
    1.0,
];
/// The bits of √½. Subtracting them shifts the mantissa's range so that 1 lies inside and log2(1) is exactly 0.
const HALF_ROOT: u32 = 0x3f35_04f3;

#[inline(always)]
fn polynomial<R: Number, const N: usize>(coefficients: &[f64; N], x: R) -> R {
    let mut p = x.constant(coefficients[0]);
    for k in 1..N {
        p = p * x + x.constant(coefficients[k]);
    }
    p
}

/// log2 of a positive normal number: exponent + polynomial of the mantissa in [√½, √2), error below 6e-8.
#[inline(always)]
pub fn log2<R: Single>(x: R) -> R {
    let bits = x.bits();
    let moved = bits.minus(bits.constant(HALF_ROOT));
    let exponent = R::of_signed(moved.signed_down(23));
    let m = R::of_bits((moved & bits.constant(0x007f_ffff)).plus(bits.constant(HALF_ROOT))) - x.constant(1.0);
    exponent + polynomial(&LOG2, m) * m
}

/// 2^x for x in [−126, 126]; outside, the result at the nearer end. Relative error below 2e-7.
#[inline(always)]
pub fn exp2<R: Single>(x: R) -> R {
    let held = min(max(x, x.constant(-126.0)), x.constant(126.0));
    let whole = (held + x.constant(0.5)).floor();
    let exponent = whole.small_to_signed();
    polynomial(&EXP2, held - whole) * R::of_bits(exponent.plus(exponent.constant(127)) << 23)
}

/// x^exponent and its slope, for x ≥ 0. Below 2⁻⁴⁰ both are 0.
#[inline(always)]
pub fn positive<R: Transcendental>(x: R, exponent: R) -> (R, R) {
    let smallest = x.constant(9.094_947_017_729_282e-13);
    let zero = x.constant(0.0);
    let l = max(x, smallest).log2();
    let value = (exponent * l).exp2();
    let slope = exponent * ((exponent - x.constant(1.0)) * l).exp2();
    let nothing = x.less_than(smallest);
    (R::select(value, zero, nothing), R::select(slope, zero, nothing))
}

/// sign(x) · |x|^exponent.
#[inline(always)]
pub fn signed<R: Transcendental>(x: Jet<R>, exponent: R) -> Jet<R> {
    let (value, slope) = positive(x.value.abs(), exponent);
    through(R::select(value, -value, x.value.less_than(exponent.constant(0.0))), slope, x)
}
