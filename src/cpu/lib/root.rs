//! Twin of `shaders/lib/root.wgsl`: square roots by exponent bits and Newton's method.

use crate::cpu::simd::real::select;

/// Below this, 2⁻¹⁰⁰, roots are 0: no step of theirs may meet a number too small for f32 to be normal.
const SMALLEST: f32 = 7.888_609e-31;

/// An estimate of 1/√x for positive normal x: halving the bits halves the exponent, two steps of Newton's method leave an
/// error of 5e-6.
#[inline(always)]
fn estimate(x: f32) -> f32 {
    let half = 0.5 * x;
    let a = f32::from_bits(0x5f37_59df_u32.wrapping_sub(x.to_bits() >> 1));
    let b = a * (1.5 - (half * a) * a);
    b * (1.5 - (half * b) * b)
}

/// √x within 1 ulp; 0 below 2⁻¹⁰⁰.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    let y = estimate(x);
    let s = x * y;
    select(s + (0.5 * y) * (x - s * s), 0.0, x < SMALLEST)
}

/// 1/√x, relative error below 2e-7; 0 below 2⁻¹⁰⁰.
#[inline(always)]
pub fn inverse(x: f32) -> f32 {
    let y = estimate(x);
    select(y * (1.5 - ((0.5 * x) * y) * y), 0.0, x < SMALLEST)
}

#[cfg(test)]
mod tests {
    use crate::cpu::lib::root::*;

    #[test]
    fn roots_are_within_their_bounds_over_two_octaves_and_at_the_ends() {
        let octaves = (0x3f80_0000..0x4080_0000u32).step_by(3);
        let ends = (0x0d80_0000..0x7f00_0000u32).step_by(9973);
        let (mut worst_root, mut worst_inverse) = (0.0f64, 0.0f64);
        for x in octaves.chain(ends).map(f32::from_bits) {
            let exact = f64::from(x).sqrt();
            let ulp = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            worst_root = worst_root.max((f64::from(sqrt(x)) - exact).abs() / ulp);
            worst_inverse = worst_inverse.max((f64::from(inverse(x)) * exact - 1.0).abs());
        }
        println!("root {worst_root} ulp, inverse {worst_inverse:e}");
        assert!(worst_root <= 1.0 && worst_inverse <= 2e-7);
        for small in [0.0, 1e-45, 1e-38, 7.8e-31] {
            assert_eq!((sqrt(small), inverse(small)), (0.0, 0.0));
        }
        for n in 0..4096u16 {
            assert_eq!(sqrt(f32::from(n) * f32::from(n)), f32::from(n), "squares of integers have exact roots");
        }
    }
}
