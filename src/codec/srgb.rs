//! The transfer function of sRGB (IEC 61966-2-1), for numbers from 0 to 1.
#![expect(clippy::disallowed_methods, reason = "colours are for display and reach no world")]

/// Converts sRGB to linear light.
pub(crate) fn linear(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

/// Converts linear light to sRGB.
pub(crate) fn srgb(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}
