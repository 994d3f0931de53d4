//! A field as a picture: hypsometric tints under hill shading, or colours by value, for previews and overviews.

use crate::codec::srgb::{linear, srgb};
use crate::field::{Field, Layer};
use crate::not_allowed::NotAllowed;
use crate::region::Region;
use rayon::prelude::*;

/// 8-bit RGB, beginning with the first row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Red, green and blue of every pixel.
    pub rgb: Vec<u8>,
}

/// The style of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Light from the north-west, as on a landscape; without it, the colour shows the value only.
    pub relief: bool,
    /// sRGB colours, evenly spaced from the lowest value to the highest. If empty: landscape tints, or greys without relief.
    pub colours: Vec<[u8; 3]>,
    /// Values below this one are water.
    pub sea: Option<f32>,
    /// The range of values that the colours cover, so that adjacent pictures match. `None`: that of the field, without a few
    /// outliers at either end.
    pub range: Option<[f32; 2]>,
    /// The slope (values per world unit) that is drawn as an average one. `None`: the mean slope of the field.
    pub slope: Option<f32>,
}

impl Default for Style {
    fn default() -> Self {
        Style { relief: true, colours: Vec::new(), sea: None, range: None, slope: None }
    }
}

/// A colour and its share of the range.
type GradientStop = (f32, [f32; 3]);

/// Tints by share of the height range, in sRGB: meadow, forest, heath, scree and snow.
const TINTS: [GradientStop; 7] = [
    (0.0, [0.46, 0.55, 0.36]),
    (0.15, [0.53, 0.60, 0.39]),
    (0.35, [0.63, 0.63, 0.44]),
    (0.55, [0.62, 0.56, 0.46]),
    (0.72, [0.60, 0.57, 0.55]),
    (0.84, [0.88, 0.89, 0.91]),
    (1.0, [0.98, 0.98, 1.0]),
];
/// Values by share of their range, over a relief.
const GREYS: [GradientStop; 2] = [(0.0, [0.30; 3]), (1.0, [0.95; 3])];
/// Water by share of the depth.
const WATER: [GradientStop; 3] = [(0.0, [0.10, 0.20, 0.33]), (0.5, [0.18, 0.35, 0.48]), (1.0, [0.40, 0.62, 0.65])];
/// Visibility of the sea floor's relief through the water.
const CLEAR: f32 = 0.35;
/// Bare rock, on slopes too steep for grass and snow.
const ROCK: [f32; 3] = [0.44, 0.40, 0.38];
/// Slopes (of the stretched relief) between which rock takes over.
const STEEP: [f32; 2] = [0.65, 1.35];
/// Quantiles at which the tints end, so that a single peak does not darken the whole picture.
const ENDS: [f64; 2] = [0.005, 0.998];
/// Towards the light: from the north-west, 40 degrees above the horizon (y runs down the picture).
const LIGHT: [f32; 3] = [-0.541_675_2, -0.541_675_2, 0.642_787_6];
/// Towards the weak light of the sky, from above and slightly opposite.
const SKY: [f32; 3] = [0.30, 0.25, 0.920_597_6];
/// The mean slope to which relief is stretched, so that a noise of any amplitude and wavelength is recognisable as relief.
pub(super) const RELIEF: f32 = 0.5;

/// Compresses bright light instead of clipping it, so that sunlit snow keeps its shape.
pub(super) fn shoulder(light: f32) -> f32 {
    const KNEE: f32 = 0.7;
    if light <= KNEE { light } else { KNEE + (1.0 - KNEE) * (1.0 - (-(light - KNEE) / (1.0 - KNEE)).exp()) }
}

fn ramp(stops: &[GradientStop]) -> Vec<GradientStop> {
    stops.iter().map(|&(at, colour)| (at, colour.map(linear))).collect()
}

fn tint(stops: &[GradientStop], share: f32) -> [f32; 3] {
    let upper = stops.iter().position(|(at, _)| *at >= share).unwrap_or(stops.len() - 1).max(1);
    let ((a, from), (b, to)) = (stops[upper - 1], stops[upper]);
    let t = ((share - a) / (b - a)).clamp(0.0, 1.0);
    std::array::from_fn(|i| from[i] * (1.0 - t) + to[i] * t)
}

/// Share of bare rock on a slope of the stretched relief.
fn steep(slope: f32) -> f32 {
    ((slope - STEEP[0]) / (STEEP[1] - STEEP[0])).clamp(0.0, 1.0)
}

/// The colour of ground by height and slope, in linear light, without shading.
pub(super) struct GroundColours {
    stops: Vec<GradientStop>,
    range: [f32; 2],
    rocky: f32,
}

impl GroundColours {
    /// The colours of a style for a layer of heights.
    pub(super) fn new(style: &Style, heights: &[f32]) -> Self {
        let sea = style.sea.unwrap_or(f32::NEG_INFINITY);
        let range = style.range.unwrap_or_else(|| ends(heights, |height| height >= sea));
        GroundColours { stops: style.ground(), range, rocky: style.rocky() }
    }

    /// The colours of a style for a layer of other values, which a slope does not change. Without colours: greys that leave the relief
    /// visible.
    pub(super) fn of_values(style: &Style, values: &[f32]) -> Self {
        let stops = if style.colours.is_empty() { ramp(&GREYS) } else { style.ground() };
        GroundColours { stops, range: style.range.unwrap_or_else(|| ends(values, |_| true)), rocky: 0.0 }
    }

    /// The colour at a height or another value, on a slope (rise by run) as it is drawn.
    pub(super) fn at(&self, height: f32, slope: f32) -> [f32; 3] {
        let [lo, hi] = self.range;
        let colour = tint(&self.stops, if hi > lo { (height - lo) / (hi - lo) } else { 0.0 });
        let rock = steep(slope) * self.rocky;
        std::array::from_fn(|i| colour[i] + rock * (linear(ROCK[i]) - colour[i]))
    }
}

impl Style {
    /// Share of rock on steep slopes.
    fn rocky(&self) -> f32 {
        if self.colours.is_empty() { 0.8 } else { 0.0 }
    }

    /// The colours of land.
    fn ground(&self) -> Vec<GradientStop> {
        let colours: Vec<[f32; 3]> = match (&self.colours[..], self.relief) {
            ([], true) => return ramp(&TINTS),
            ([], false) => vec![[0.0; 3], [1.0; 3]],
            ([one], _) => vec![one.map(|c| f32::from(c) / 255.0); 2],
            (all, _) => all.iter().map(|colour| colour.map(|c| f32::from(c) / 255.0)).collect(),
        };
        let last = (colours.len() - 1) as f32;
        ramp(&colours.iter().enumerate().map(|(i, &colour)| (i as f32 / last, colour)).collect::<Vec<_>>())
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The values at both [`ENDS`] of the selected values. The extremes if they are equal, as for a mask with few places. 0 and 0 if no
/// value is selected.
fn ends(values: &[f32], wanted: impl Fn(f32) -> bool) -> [f32; 2] {
    let mut found: Vec<f32> = values.iter().copied().filter(|value| wanted(*value)).collect();
    let Some(last) = found.len().checked_sub(1) else { return [0.0; 2] };
    let [low, high] = ENDS.map(|share| *found.select_nth_unstable_by((last as f64 * share) as usize, f32::total_cmp).1);
    if low < high { [low, high] } else { found.iter().fold([low, high], |[low, high], value| [low.min(*value), high.max(*value)]) }
}

/// The mean slope of land.
pub(super) fn mean_slope(gradients: &[[f32; 3]], values: &[f32], sea: f32) -> f32 {
    let slopes = gradients.iter().zip(values).filter(|(_, value)| **value >= sea).map(|(g, _)| f64::from(g[0].hypot(g[1])));
    let (sum, count) = slopes.fold((0.0, 0_usize), |(sum, count), slope| (sum + slope, count + 1));
    (sum / count.max(1) as f64) as f32
}

/// The range and the slope with which a layer of values is drawn, so that other layers can be drawn alike.
///
/// # Errors
/// Returns an error if the layer is not a plane with one value per sample.
pub fn look_of(layer: &Layer) -> Result<([f32; 2], f32), DrawError> {
    check(layer.region.size, layer.values.len(), 1)?;
    let values = &layer.values[..];
    Ok((ends(values, |_| true), mean_slope(&slopes(&layer.region, values), values, f32::NEG_INFINITY)))
}

/// An error: the input cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a picture: {0}")]
pub struct DrawError(pub NotAllowed);

impl DrawError {
    pub(super) fn new(what: &'static str, value: impl ToString, allowed: &'static str) -> Self {
        DrawError(NotAllowed::new(what, value, allowed))
    }
}

/// Refuses a field without pixels, or with a different number of values than samples.
pub(super) fn check(size: [u32; 3], numbers: usize, channels: usize) -> Result<(), DrawError> {
    let [width, height, depth] = size;
    if width == 0 || height == 0 || depth != 1 {
        return Err(DrawError::new("size", format!("{size:?}"), "1 or more samples along x and y, 1 along z"));
    }
    let samples = width as usize * height as usize;
    if numbers != samples * channels {
        let value = format!("{numbers} for {samples} samples of {channels}");
        return Err(DrawError::new("numbers", value, "one for each sample and channel"));
    }
    Ok(())
}

/// Shades a plane field with gradients as a landscape; `supersample`² samples make one pixel.
///
/// # Errors
/// Returns the errors of [`draw`].
pub fn shade(field: &Field, supersample: u32) -> Result<Picture, DrawError> {
    draw(field, supersample, &Style::default())
}

/// Draws a plane field; `supersample`² samples make one pixel. If the style has relief, slopes are the field's gradients or, without
/// them, the differences between samples.
///
/// # Errors
/// Returns an error if the field has no samples or several along z, or if `supersample` is 0. The number of values (or gradients)
/// must equal that of the samples.
pub fn draw(field: &Field, supersample: u32, style: &Style) -> Result<Picture, DrawError> {
    let [samples_x, samples_y, _] = field.region.size;
    check(field.region.size, field.values.len(), 1)?;
    if let Some(gradients) = &field.gradients {
        check(field.region.size, gradients.len(), 1)?;
    }
    if !(1..=256).contains(&supersample) {
        return Err(DrawError::new("supersample", supersample, "1 to 256"));
    }
    let (width, height) = ((samples_x / supersample).max(1), (samples_y / supersample).max(1));
    let gradients = match &field.gradients {
        _ if !style.relief => &[][..],
        Some(gradients) => gradients,
        None => &slopes(&field.region, &field.values),
    };
    let sea = style.sea.unwrap_or(f32::NEG_INFINITY);
    let mean_slope = style.slope.unwrap_or_else(|| mean_slope(gradients, &field.values, sea));
    let relief = if mean_slope > 0.0 { RELIEF / mean_slope } else { 0.0 };
    let [lo, hi] = style.range.unwrap_or_else(|| ends(&field.values, |value| value >= sea));
    let [deepest, _] = ends(&field.values, |value| value < sea);
    let share = |value: f32, lo: f32, hi: f32| if hi > lo { (value - lo) / (hi - lo) } else { 0.0 };
    let (ground, water) = (style.ground(), ramp(&WATER));
    let rocky = style.rocky();
    let sample = |x: u32, y: u32| -> [f32; 3] {
        let at = y as usize * samples_x as usize + x as usize;
        let value = field.values[at];
        let wet = value < sea;
        let colour = if wet { tint(&water, share(value, deepest, sea)) } else { tint(&ground, share(value, lo, hi)) };
        if !style.relief {
            return colour;
        }
        let g = gradients.get(at).copied().unwrap_or_default();
        let stretch = if wet { relief * CLEAR } else { relief };
        let normal = [-g[0] * stretch, -g[1] * stretch, 1.0];
        let length = dot(normal, normal).sqrt();
        let light = (dot(normal, LIGHT) / length).max(0.0) * 1.2;
        let sky = (dot(normal, SKY) / length).max(0.0) * 0.32;
        let rock = if wet { 0.0 } else { steep((length * length - 1.0).sqrt()) * rocky };
        std::array::from_fn(|i| (colour[i] + rock * (linear(ROCK[i]) - colour[i])) * (light + sky))
    };
    let tone = if style.relief { shoulder } else { |light| light };
    let pixel = |x: u32, y: u32| -> [u8; 3] {
        let mut total = [0.0; 3];
        for (dy, dx) in (0..supersample).flat_map(|dy| (0..supersample).map(move |dx| (dy, dx))) {
            let (sx, sy) = ((x * supersample + dx).min(samples_x - 1), (y * supersample + dy).min(samples_y - 1));
            let colour = sample(sx, sy);
            total = std::array::from_fn(|i| total[i] + colour[i]);
        }
        let share = 1.0 / (supersample * supersample) as f32;
        total.map(|c| (srgb(tone(c * share)) * 255.0 + 0.5) as u8)
    };
    let mut rgb = vec![0; 3 * width as usize * height as usize];
    rgb.par_chunks_exact_mut(3 * width as usize).zip(0..height).for_each(|(row, y)| {
        for (to, x) in row.as_chunks_mut::<3>().0.iter_mut().zip(0..width) {
            *to = pixel(x, y);
        }
    });
    Ok(Picture { width, height, rgb })
}

/// Draws a layer: colours unchanged, normals in the usual encoding (128 is 0), values in a style, with relief from the slopes
/// between samples.
///
/// # Errors
/// Returns an error if the layer has no samples or several along z, or if the number of values differs from samples times
/// channels.
pub fn draw_layer(layer: &Layer, style: &Style) -> Result<Picture, DrawError> {
    let [width, height, _] = layer.region.size;
    check(layer.region.size, layer.values.len(), layer.channels)?;
    let byte = |x: f32| (x * 255.0 + 0.5) as u8;
    let rgb: Vec<u8> = match layer.channels {
        4 => {
            // Transparent colours are drawn on black.
            let pixel = |c: &[f32; 4]| [c[0], c[1], c[2]].map(|x| byte(srgb((x * c[3]).clamp(0.0, 1.0))));
            layer.values.as_chunks::<4>().0.iter().flat_map(pixel).collect()
        }
        3 => layer.values.iter().map(|x| byte(0.5 * x + 0.5)).collect(),
        1 => {
            return draw(&Field { region: layer.region, values: layer.values.clone(), gradients: None }, 1, style);
        }
        channels => {
            return Err(DrawError::new("channels", channels, "1 of values, 3 of normals, 4 of colours"));
        }
    };
    Ok(Picture { width, height, rgb })
}

/// Slopes from the samples on either side; one-sided at the edges.
pub(super) fn slopes(region: &Region, values: &[f32]) -> Vec<[f32; 3]> {
    let [width, height] = [0, 1].map(|a| region.size[a] as usize);
    let step = region.step() as f32;
    let value = |x: usize, y: usize| values[y * width + x];
    let across = |a: usize, last: usize| (a.saturating_sub(1), (a + 1).min(last));
    let per = |(a, b): (usize, usize)| if b > a { 1.0 / ((b - a) as f32 * step) } else { 0.0 };
    let slope = |x: usize, y: usize| {
        let (columns, rows) = (across(x, width - 1), across(y, height - 1));
        let along_x = (value(columns.1, y) - value(columns.0, y)) * per(columns);
        [along_x, (value(x, rows.1) - value(x, rows.0)) * per(rows), 0.0]
    };
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| slope(x, y)).collect()
}

#[cfg(feature = "png")]
impl Picture {
    /// The picture at another size: pixels are averaged where it becomes smaller, and interpolated where it becomes larger.
    ///
    /// The result is empty if the number of bytes does not match the size.
    #[must_use]
    pub fn resized(self, [width, height]: [u32; 2]) -> Picture {
        if [self.width, self.height] == [width, height] {
            return self;
        }
        let Some(image) = image::RgbImage::from_raw(self.width, self.height, self.rgb) else {
            return Picture { width: 0, height: 0, rgb: Vec::new() };
        };
        let rgb = image::imageops::resize(&image, width, height, image::imageops::FilterType::Triangle).into_raw();
        Picture { width, height, rgb }
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// Returns the errors of the encoder, which occur only if memory runs out.
    pub fn to_png(&self) -> Result<Vec<u8>, std::io::Error> {
        self.png(image::codecs::png::CompressionType::Default)
    }

    /// The same in a tenth of the time, with a larger file.
    #[cfg(feature = "bake")]
    pub(crate) fn to_png_fast(&self) -> Result<Vec<u8>, std::io::Error> {
        self.png(image::codecs::png::CompressionType::Fast)
    }

    fn png(&self, compression: image::codecs::png::CompressionType) -> Result<Vec<u8>, std::io::Error> {
        crate::codec::png::encode(&self.rgb, [self.width, self.height], image::ExtendedColorType::Rgb8, compression)
    }
}
