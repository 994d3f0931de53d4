//! Colours as numbers of a world: linear light and OKLab, in f64 with the same bits on every machine.

/// Converts sRGB to linear light (IEC 61966-2-1), for numbers from 0 to 1.
pub(crate) fn linear(srgb: f64) -> f64 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { libm::pow((srgb + 0.055) / 1.055, 2.4) }
}

/// Converts linear light to OKLab (Ottosson 2020).
pub(crate) fn oklab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let l = libm::cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
    let m = libm::cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
    let s = libm::cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
    [
        0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
    ]
}
