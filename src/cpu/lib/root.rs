//! Twin of `shaders/lib/root.wgsl`: square roots by exponent bits and Newton's method.

use crate::cpu::simd::number::{Bits, Single};

/// Below this, 2⁻¹⁰⁰, roots are 0, so that no intermediate result is subnormal in f32.
pub const SMALLEST: f64 = 7.888_609_052_210_118e-31;

/// Subtracting half of x's bits from this halves and negates the exponent, which gives a first estimate of 1/√x.
const FIRST: u32 = 0x5f37_59df;

/// An estimate of 1/√x for positive normal x: two steps of Newton's method leave an error of 5e-6.
#[inline(always)]
fn estimate<R: Single>(x: R) -> R {
    let bits = x.bits();
    let first = R::of_bits(bits.constant(FIRST).minus(bits >> 1));
    let (half, three) = (x.constant(0.5) * x, x.constant(1.5));
    let b = first * (three - (half * first) * first);
    b * (three - (half * b) * b)
}

/// √x within 1 ulp; 0 below 2⁻¹⁰⁰.
#[inline(always)]
pub fn sqrt<R: Single>(x: R) -> R {
    let y = estimate(x);
    let s = x * y;
    R::select(s + (x.constant(0.5) * y) * (x - s * s), x.constant(0.0), x.less_than(x.constant(SMALLEST)))
}

/// 1/√x, relative error below 2e-7; 0 below 2⁻¹⁰⁰.
#[inline(always)]
pub fn inverse<R: Single>(x: R) -> R {
    let y = estimate(x);
    let found = y * (x.constant(1.5) - ((x.constant(0.5) * x) * y) * y);
    R::select(found, x.constant(0.0), x.less_than(x.constant(SMALLEST)))
}

#[cfg(test)]
mod tests {
    use crate::cpu::simd::number::Transcendental;

    #[test]
    fn roots_are_within_their_bounds_over_two_octaves_and_at_the_ends() {
        let octaves = (0x3f80_0000..0x4080_0000u32).step_by(3);
        let ends = (0x0d80_0000..0x7f00_0000u32).step_by(9973);
        let (mut worst_root, mut worst_inverse) = (0.0f64, 0.0f64);
        for x in octaves.chain(ends).map(f32::from_bits) {
            let exact = f64::from(x).sqrt();
            let ulp = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            worst_root = worst_root.max((f64::from(x.root()) - exact).abs() / ulp);
            worst_inverse = worst_inverse.max((f64::from(x.inverse_root()) * exact - 1.0).abs());
        }
        println!("root {worst_root} ulp, inverse {worst_inverse:e}");
        assert!(worst_root <= 1.0 && worst_inverse <= 2e-7);
        for small in [0.0f32, 1e-45, 1e-38, 7.8e-31] {
            assert_eq!((small.root(), small.inverse_root()), (0.0, 0.0));
        }
        for n in 0..4096u16 {
            assert_eq!((f32::from(n) * f32::from(n)).root(), f32::from(n), "squares of integers have exact roots");
        }
    }
}
