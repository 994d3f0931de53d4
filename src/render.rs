//! A field as a picture: hypsometric tints under hill shading, for previews and overviews.

use crate::engine::Field;

/// 8-bit RGB, rows from the first on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green and blue of every pixel.
    pub rgb: Vec<u8>,
}

/// Tints by share of the height range, in sRGB: meadow, forest, heath, scree and snow.
const TINTS: [(f32, [f32; 3]); 7] = [
    (0.0, [0.46, 0.55, 0.36]),
    (0.15, [0.53, 0.60, 0.39]),
    (0.35, [0.63, 0.63, 0.44]),
    (0.55, [0.62, 0.56, 0.46]),
    (0.72, [0.60, 0.57, 0.55]),
    (0.84, [0.88, 0.89, 0.91]),
    (1.0, [0.98, 0.98, 1.0]),
];
/// Bare rock, which shows where neither grass nor snow holds.
const ROCK: [f32; 3] = [0.44, 0.40, 0.38];
/// Slopes (relief stretched) between which rock takes over.
const STEEP: [f32; 2] = [0.65, 1.35];
/// Shares of the samples below and above which the tints end, so that one peak does not darken a whole picture.
const ENDS: [f64; 2] = [0.005, 0.998];
/// Towards the light: from the north-west, 40 degrees above the horizon (y runs down the picture).
const LIGHT: [f32; 3] = [-0.541_675_2, -0.541_675_2, 0.642_787_6];
/// Towards the weak light of the sky, from above and slightly opposite.
const SKY: [f32; 3] = [0.30, 0.25, 0.920_597_6];
/// The mean slope to which relief is stretched, so that a noise of any amplitude and wavelength reads as relief.
const RELIEF: f32 = 0.5;

fn linear(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

fn srgb(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Bright light is compressed instead of cut off, so that sunlit snow keeps its shape.
fn shoulder(light: f32) -> f32 {
    const KNEE: f32 = 0.7;
    if light <= KNEE { light } else { KNEE + (1.0 - KNEE) * (1.0 - (-(light - KNEE) / (1.0 - KNEE)).exp()) }
}

fn tint(share: f32) -> [f32; 3] {
    let upper = TINTS.iter().position(|(at, _)| *at >= share).unwrap_or(TINTS.len() - 1).max(1);
    let ((a, from), (b, to)) = (TINTS[upper - 1], TINTS[upper]);
    let t = ((share - a) / (b - a)).clamp(0.0, 1.0);
    std::array::from_fn(|i| linear(from[i]) * (1.0 - t) + linear(to[i]) * t)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The values at both [`ENDS`].
fn ends(values: &[f32]) -> [f32; 2] {
    let mut sorted: Vec<f32> = values.iter().copied().step_by(1 + values.len() / 65536).collect();
    sorted.sort_by(f32::total_cmp);
    ENDS.map(|share| sorted[((sorted.len() - 1) as f64 * share) as usize])
}

/// Shades a plane field with gradients; `supersample`² samples make one pixel.
pub fn shade(field: &Field, supersample: u32) -> Picture {
    let [samples_x, samples_y, _] = field.region.size;
    let (width, height) = ((samples_x / supersample).max(1), (samples_y / supersample).max(1));
    let none = Vec::new();
    let gradients = field.gradients.as_ref().unwrap_or(&none);
    let slope_sum: f64 = gradients.iter().map(|g| f64::from(g[0].hypot(g[1]))).sum();
    let mean_slope = (slope_sum / gradients.len().max(1) as f64) as f32;
    let relief = if mean_slope > 0.0 { RELIEF / mean_slope } else { 0.0 };
    let [lo, hi] = ends(&field.values);
    let per_height = if hi > lo { 1.0 / (hi - lo) } else { 0.0 };
    let sample = |x: u32, y: u32| -> [f32; 3] {
        let at = y as usize * samples_x as usize + x as usize;
        let g = gradients.get(at).copied().unwrap_or_default();
        let normal = [-g[0] * relief, -g[1] * relief, 1.0];
        let length = dot(normal, normal).sqrt();
        let light = (dot(normal, LIGHT) / length).max(0.0) * 1.2;
        let sky = (dot(normal, SKY) / length).max(0.0) * 0.32;
        let rock = (((length * length - 1.0).sqrt() - STEEP[0]) / (STEEP[1] - STEEP[0])).clamp(0.0, 1.0) * 0.8;
        let ground = tint((field.values[at] - lo) * per_height);
        std::array::from_fn(|i| (ground[i] + rock * (linear(ROCK[i]) - ground[i])) * (light + sky))
    };
    let mut rgb = Vec::with_capacity(3 * width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let mut total = [0.0; 3];
            for (dy, dx) in (0..supersample).flat_map(|dy| (0..supersample).map(move |dx| (dy, dx))) {
                let (sx, sy) = ((x * supersample + dx).min(samples_x - 1), (y * supersample + dy).min(samples_y - 1));
                let colour = sample(sx, sy);
                total = std::array::from_fn(|i| total[i] + colour[i]);
            }
            let share = 1.0 / (supersample * supersample) as f32;
            rgb.extend(total.map(|c| (srgb(shoulder(c * share)) * 255.0 + 0.5) as u8));
        }
    }
    Picture { width, height, rgb }
}

impl Picture {
    /// The picture as a PNG file.
    ///
    /// # Errors
    /// The encoder's, which memory alone can cause.
    pub fn to_png(&self) -> Result<Vec<u8>, std::io::Error> {
        use image::ImageEncoder;
        let mut out = Vec::new();
        image::codecs::png::PngEncoder::new(&mut out)
            .write_image(&self.rgb, self.width, self.height, image::ExtendedColorType::Rgb8)
            .map_err(std::io::Error::other)?;
        Ok(out)
    }
}
