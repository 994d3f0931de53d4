//! The number of whole periods in the lanes of a vector. No instruction set has a vector division of integers. f64 is wide enough
//! to divide 32-bit integers exactly.

use fearless_simd::{Bytes, ExtractToken, Simd, SimdBase, f64x8, u64x8};

/// 2⁵² as bits: with a 32-bit integer in the lower half, they are the bits of the sum.
const UPON: u64 = 0x4330_0000_0000_0000;
/// 2⁵² + 2³¹: subtracting it gives a signed integer whose highest bit was flipped.
const ABOVE: f64 = 4_503_601_774_854_144.0;
/// 2⁵² + 2⁵¹: adding it rounds to an integer, which is then in the lower half of the bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// The number of whole periods below each integer: a signed number in the lower half of a lane, as is the result. Periods are not
/// negative; 0 means no period, and gives 0.
///
/// For x = q·p + r with 0 ≤ r < p, the number x / p + (1 / p − 1) / 2 differs from q by at most 1/2 − (1 / p) / 2. Rounding
/// changes it by at most |x| / p · 2⁻⁵¹ + 2⁻⁵², less than 2⁻¹⁹ / p if x has 32 bits. So the nearest integer is q.
#[inline(always)]
pub fn whole_periods<S: Simd>(lanes: u64x8<S>, period: i32) -> u64x8<S> {
    let (per, middle) = if period == 0 { (0.0, 0.0) } else { (1.0 / f64::from(period), 0.5 / f64::from(period) - 0.5) };
    let set = lanes.token();
    let upon: f64x8<S> = (lanes ^ u64x8::splat(set, UPON ^ 0x8000_0000)).bitcast();
    let laps = (upon - f64x8::splat(set, ABOVE)) * f64x8::splat(set, per) + f64x8::splat(set, middle);
    (laps + f64x8::splat(set, TO_INTEGER)).bitcast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::simd::lanes::CHUNK;
    use crate::cpu::simd::level;
    use crate::cpu::simd::number::Bits;
    use fearless_simd::{SimdFrom, SimdNarrow, SimdWiden, dispatch, u32x16};
    use proptest::prelude::*;

    fn in_lanes(x: [u32; CHUNK], period: i32) -> [u32; CHUNK] {
        dispatch!(level(), set => {
            let (low, high) = u32x16::simd_from(set, x).widen();
            whole_periods(low, period).narrow(whole_periods(high, period)).into()
        })
    }

    proptest! {
        /// Values at which rounding errors would show: multiples of a period and their neighbours, up to the ends of 32 bits.
        #[test]
        fn laps_are_those_of_whole_division(laps in any::<i32>(), period in 0..i32::MAX, few in 0..200_i32) {
            for period in [period, few] {
                let near = laps.wrapping_mul(period);
                let x: [u32; CHUNK] = std::array::from_fn(|i| match i {
                    0 => laps as u32,
                    1 => i32::MIN as u32,
                    2 => i32::MAX as u32,
                    3 => 0,
                    _ => near.wrapping_add(i as i32 - 9) as u32,
                });
                prop_assert_eq!(in_lanes(x, period), x.map(|x| x.laps(period)));
            }
        }
    }
}
