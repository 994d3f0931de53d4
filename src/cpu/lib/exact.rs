//! Twin of `shaders/lib/exact.wgsl`: correctly rounded square roots and quotients.
//!
//! Processors have them. Devices do not, so the shader computes them from estimates that integers correct. The tests here have
//! its formulas.

use crate::cpu::lib::root::SMALLEST;
use crate::cpu::simd::number::{Bits, Number, Single};
#[allow(unused_imports, reason = "numbers have a root of their own")]
use fearless_simd::SimdFloat;
use fearless_simd::{Simd, f32x16};

/// Correctly rounded functions, for formulas that must give the numbers of other programs.
pub trait Exact: Number {
    /// √x, correctly rounded; 0 below 2⁻¹⁰⁰.
    fn exact_root(self) -> Self;
    /// `self / by` for numbers that are not negative, correctly rounded; 0 if `by` is 0 or the quotient is below 2⁻¹⁰⁰.
    fn exact_quotient(self, by: Self) -> Self;
    /// `x / √x` by one step of Newton's method from the estimate by exponent bits, as the C library computes it; 0 for 0.
    fn rough_root(self) -> Self;
}

macro_rules! exact {
    ($($set:ident)?, $number:ty, $estimate:expr) => {
        impl$(<$set: Simd>)? Exact for $number {
            #[inline(always)]
            fn exact_root(self) -> Self {
                Number::select(self.sqrt(), self.constant(0.0), self.less_than(self.constant(SMALLEST)))
            }

            #[inline(always)]
            fn exact_quotient(self, by: Self) -> Self {
                let (zero, quotient) = (self.constant(0.0), self / by);
                let some = <Self as Number>::Bits::both(zero.less_than(by), quotient.at_least(self.constant(SMALLEST)));
                Number::select(zero, quotient, some)
            }

            #[inline(always)]
            fn rough_root(self) -> Self {
                let a = $estimate(self);
                let half = self.constant(0.5) * self;
                self * (a * (self.constant(1.5) - half * a * a))
            }
        }
    };
}
exact!(, f32, estimate);
exact!(S, f32x16<S>, estimate);
#[cfg(target_arch = "x86_64")]
exact!(S, fearless_simd::f32x8<S>, estimate);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
exact!(S, fearless_simd::f32x4<S>, estimate);
exact!(, f64, estimate_in_f64);

/// An estimate of 1 / √x.
#[inline(always)]
fn estimate<R: Single>(x: R) -> R {
    let bits = x.bits();
    R::of_bits(bits.constant(0x5f37_59df).minus(bits >> 1))
}

/// The estimate is linear between powers of two, here with the fraction of an f64.
#[inline(always)]
fn estimate_in_f64(x: f64) -> f64 {
    let magic = (0x5f37_59df_u64 << 29) + (1344 << 52);
    f64::from_bits(magic - (x.to_bits() >> 1))
}

#[cfg(test)]
mod tests {
    use crate::cpu::lib::exact::Exact;
    use crate::cpu::lib::root;

    /// The bits of an f32's fraction, and of 1.
    const FRACTION: u32 = 0x007f_ffff;
    const ONE: u32 = 0x3f80_0000;

    /// The 24 bits of a normal number's significand.
    fn significand(x: f32) -> u32 {
        x.to_bits() & FRACTION | 0x0080_0000
    }

    /// A significand from 2²³ to 2²⁴ as an integer, with an exponent in the upper bits: numbers of the same sign.
    fn packed(exponent: u32, significand: u32) -> f32 {
        // A carry out of the significand moves into the exponent.
        f32::from_bits((exponent << 23).wrapping_add(significand).wrapping_sub(0x0080_0000))
    }

    /// The shader's `exact_root`.
    fn root_by_integers(x: f32) -> f32 {
        let bits = x.to_bits();
        let exponent = bits >> 23;
        // x = f · 4ᵉ with f from 1 to 4.
        let odd = (exponent & 1) ^ 1;
        let f = f32::from_bits((bits & FRACTION | ONE) + (odd << 23));
        let m = (root::sqrt(f) * 8_388_608.0) as i32 as u32;
        let r = (significand(x) << (23 + odd)).wrapping_sub(m.wrapping_mul(m)) as i32;
        // √x rounds to m while (m − ½)² < x < (m + ½)².
        let up = u32::from(r > m as i32);
        let down = u32::from(r <= -(m as i32));
        let found = packed((exponent + 127 - odd) >> 1, m + up - down);
        if x < root::SMALLEST as f32 { 0.0 } else { found }
    }

    /// The shader's `exact_quotient`.
    fn quotient_by_integers(x: f32, by: f32) -> f32 {
        let (a, b) = (f32::from_bits(x.to_bits() & FRACTION | ONE), f32::from_bits(by.to_bits() & FRACTION | ONE));
        let (ma, mb) = (significand(x), significand(by));
        // From 1 to 2 by one more bit if a is smaller than b.
        let more = u32::from(ma < mb);
        let inverse = root::inverse(b);
        let inverse = inverse * inverse;
        let estimate = ((a * inverse) * (8_388_608.0 * (1 << more) as f32)) as i32 as u32;
        let r = (ma << (23 + more)).wrapping_sub(estimate.wrapping_mul(mb)) as i32;
        let off = (r as f32 * (inverse * 1.192_092_9e-7)).floor() as i32;
        let m = estimate.wrapping_add(off as u32);
        let rest = r.wrapping_sub(off.wrapping_mul(mb as i32));
        // Half-way cases do not occur: they would need a quotient of 25 bits times a significand.
        let (m, rest) = if rest < 0 { (m - 1, rest + mb as i32) } else { (m, rest) };
        let (m, rest) = if rest >= mb as i32 { (m + 1, rest - mb as i32) } else { (m, rest) };
        let m = m + u32::from(2 * rest > mb as i32);
        let exponent = (x.to_bits() >> 23) as i32 - (by.to_bits() >> 23) as i32 + 127 - more as i32;
        let none = x == 0.0 || by == 0.0 || exponent < 27;
        if none { 0.0 } else { packed(exponent as u32, m) }
    }

    /// Numbers with every exponent from 2⁻⁹⁰ on, with simple and with random fractions.
    fn numbers() -> impl Iterator<Item = f32> {
        let simple = (37..200u32).flat_map(|exponent| {
            let ends = (0..64u32).chain(0x7f_ffc0..0x80_0000).chain([0x35_04f3, 0x35_04f4, 0x40_0000]);
            ends.map(move |fraction| f32::from_bits(exponent << 23 | fraction))
        });
        let mut word = 1u32;
        let random = (0..400_000).map(move |_| {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits((37 + word % 163) << 23 | (word.rotate_left(11) >> 9))
        });
        simple.chain(random)
    }

    #[test]
    fn roots_are_those_of_ieee_arithmetic() {
        for x in numbers() {
            assert_eq!([x.exact_root(), root_by_integers(x)].map(f32::to_bits), [x.sqrt().to_bits(); 2], "{x:e}");
        }
        for small in [0.0f32, 1e-45, 7e-31] {
            assert_eq!([small.exact_root(), root_by_integers(small)], [0.0; 2]);
        }
    }

    #[test]
    fn quotients_are_those_of_ieee_arithmetic() {
        let all: Vec<f32> = numbers().collect();
        for (i, &a) in all.iter().enumerate() {
            let b = all[(i * 7919 + 13) % all.len()];
            let quotient = a / b;
            if quotient > 1e-29 && quotient < 1e38 {
                assert_eq!([a.exact_quotient(b), quotient_by_integers(a, b)].map(f32::to_bits), [quotient.to_bits(); 2], "{a:e} / {b:e}");
            }
        }
        for (a, b) in [(0.0f32, 1.0f32), (1.0, 0.0), (0.0, 0.0), (1e-20, 1e20)] {
            assert_eq!([a.exact_quotient(b), quotient_by_integers(a, b)], [0.0; 2]);
        }
    }

    #[test]
    fn rough_roots_are_within_a_fifth_of_a_percent() {
        for x in numbers() {
            let exact = f64::from(x).sqrt();
            let (single, double) = (f64::from(x.rough_root()), f64::from(x).rough_root());
            assert!((single / exact - 1.0).abs() < 2e-3 && (double / single - 1.0).abs() < 1e-6, "{x:e}");
        }
        assert_eq!(0.0f32.rough_root(), 0.0);
    }
}
