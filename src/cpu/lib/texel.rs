//! Twin of `shaders/lib/texel.wgsl`: a jet as four numbers, rounded to a texture's format.

use crate::cpu::simd::number::Transcendental;
use crate::cpu::simd::real::{max, min, unsigned_zero};

/// The value in the first channel, or as grey in three.
pub fn value(value: f32, scale: f32, offset: f32) -> [f32; 4] {
    let value = value * scale + offset;
    [value, value, value, 1.0]
}

/// Up to four values, one in each channel. The fourth channel is 1 without a value, others are 0.
pub fn several(values: &[f32], scale: f32, offset: f32) -> [f32; 4] {
    let mut texel = [0.0, 0.0, 0.0, 1.0];
    texel.iter_mut().zip(values).for_each(|(channel, value)| *channel = value * scale + offset);
    texel
}

pub fn gradient(g: [f32; 3], scale: f32) -> [f32; 4] {
    [g[0] * scale, g[1] * scale, g[2] * scale, 0.0]
}

pub fn jet(value: f32, g: [f32; 3], scale: f32, offset: f32) -> [f32; 4] {
    [value * scale + offset, g[0] * scale, g[1] * scale, g[2] * scale]
}

/// The unit normal of the surface whose height over the x-y plane is the value times `strength`.
pub fn normal(g: [f32; 3], strength: f32) -> [f32; 4] {
    let slope = [g[0] * strength, g[1] * strength];
    let inverse = (1.0 + (slope[0] * slope[0] + slope[1] * slope[1])).inverse_root();
    [-slope[0] * inverse, -slope[1] * inverse, inverse, 1.0]
}

/// The channels of a layer; the last stays unchanged.
pub fn channels([x, y, z, w]: [f32; 4], scale: f32, offset: f32) -> [f32; 4] {
    let map = |x: f32| x * scale + offset;
    [map(x), map(y), map(z), w]
}

/// Maps numbers from −1 to 1 to 0 to 1, except the last.
pub fn biased([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    let bias = |x: f32| x * 0.5 + 0.5;
    [bias(x), bias(y), bias(z), w]
}

pub fn single(x: [f32; 4]) -> [f32; 4] {
    x.map(unsigned_zero)
}

/// The nearest of the numbers k / levels, from 0 to 1.
pub fn unorm(x: [f32; 4], levels: f32, inverse: f32) -> [f32; 4] {
    x.map(|x| (min(max(x, 0.0), 1.0) * levels + 0.5).floor() * inverse)
}

/// The nearest half-precision numbers, at most 65504 in magnitude. Ties go to even, or below 2⁻¹⁴, where half precision has
/// multiples of 2⁻²⁴, to the larger.
pub fn half(x: [f32; 4]) -> [f32; 4] {
    x.map(|x| {
        let held = min(max(x, -65504.0), 65504.0);
        let bits = held.to_bits();
        let rounded = f32::from_bits((bits + 0xfff + ((bits >> 13) & 1)) & 0xffff_e000);
        let small = (held * 16_777_216.0 + 0.5).floor() * 5.960_464_5e-8;
        unsigned_zero(if held.abs() < 6.103_515_6e-5 { small } else { rounded })
    })
}

/// The 16 bits of a number that half precision represents exactly.
pub fn half_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = x.abs();
    // Below 2⁻¹⁴ they count multiples of 2⁻²⁴. Above, exponent and mantissa are f32's, re-biased and truncated.
    let low =
        if magnitude < 6.103_515_6e-5 { (magnitude * 16_777_216.0) as u16 } else { (((bits & 0x7fff_ffff) >> 13) - (112 << 10)) as u16 };
    sign | low
}

#[cfg(test)]
mod tests {
    use crate::cpu::lib::texel::*;

    /// The value of a half-precision float, by its definition in IEEE 754.
    fn half_value(bits: u16) -> f64 {
        let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
        let magnitude = if exponent == 0 { libm::ldexp(mantissa, -24) } else { libm::ldexp(1024.0 + mantissa, exponent - 25) };
        if bits >> 15 == 1 { -magnitude } else { magnitude }
    }

    #[test]
    fn halves_are_the_nearest_there_are() {
        for bits in (0..0x7c00u16).chain(0x8001..0xfc00) {
            let x = half_value(bits) as f32;
            assert_eq!(half([x; 4])[0].to_bits(), x.to_bits(), "{bits:#x} is one already");
            assert_eq!(half_bits(x), bits);
            if bits & 0x7fff < 0x7bff {
                let (next, this) = (half_value(bits + 1), half_value(bits));
                for t in [0.01, 0.3, 0.49, 0.51, 0.7, 0.99] {
                    let between = this + t * (next - this);
                    let nearest = if t < 0.5 { this } else { next };
                    assert_eq!(f64::from(half([between as f32; 4])[0]), nearest, "{between:e}");
                }
            }
        }
        assert_eq!(half([1e9, -1e9, 0.0, -0.0]).map(f32::to_bits), [65504.0, -65504.0, 0.0, 0.0f32].map(f32::to_bits));
    }

    #[test]
    fn unorms_are_whole_steps() {
        for levels in [255u16, 65535] {
            let f = f32::from(levels);
            for k in 0..=levels {
                let x = f32::from(k) * (1.0 / f);
                let [stored, ..] = unorm([x; 4], f, 1.0 / f);
                assert_eq!((stored * f).round(), f32::from(k));
            }
            assert_eq!(unorm([-1.0, 2.0, 0.5 / f, 0.49 / f], f, 1.0 / f).map(|x| (x * f).round()), [0.0, f, 1.0, 0.0]);
        }
    }

    #[test]
    fn normals_have_length_1() {
        for g in [[0.0, 0.0, 0.0], [1.0, -2.0, 5.0], [-300.0, 40.0, 0.0]] {
            let [x, y, z, _] = normal(g, 0.7);
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-6 && z > 0.0);
            assert!((x + 0.7 * g[0] * z).abs() < 1e-6);
        }
    }
}
