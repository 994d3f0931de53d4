//! File formats of tiles. A new one is one more variant and one more arm.

use super::plan::PlanError;
use crate::engine::Field;
use image::ImageEncoder;
use serde::{Deserialize, Serialize};
use std::io::Cursor;

/// How a tile is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// 16-bit grey PNG over the declared range.
    #[default]
    Png16,
    /// OpenEXR, one uncompressed 32-bit float channel `Y`.
    Exr,
    /// NumPy array of 32-bit floats, shape (rows, columns).
    Npy,
    /// Headerless 16-bit little-endian integers over the declared range, with a JSON file that describes them.
    R16,
    /// Headerless 32-bit little-endian floats, with a JSON file that describes them.
    R32,
}

/// The declared range of integer formats: `lo` becomes 0, `hi` 65535.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantise {
    lo: f64,
    hi: f64,
    scale: f64,
}

impl Quantise {
    /// Over `lo..=hi`.
    ///
    /// # Errors
    /// Numbers that are not finite, or `hi` below `lo`.
    pub fn new(lo: f64, hi: f64) -> Result<Self, PlanError> {
        if !(lo.is_finite() && hi.is_finite() && lo <= hi) {
            let allowed = "LO,HI with finite LO not above HI";
            return Err(PlanError::Number { what: "range", value: format!("{lo},{hi}"), allowed });
        }
        Ok(Quantise { lo, hi, scale: if hi > lo { 65535.0 / (hi - lo) } else { 0.0 } })
    }

    /// `(lo, hi)`.
    pub fn range(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    /// The nearest of the 65536 steps, and whether the value lay outside the range.
    pub fn step(&self, value: f32) -> (u16, bool) {
        let exact = (f64::from(value) - self.lo) * self.scale;
        // `as` saturates: what lies outside is clipped to the nearer end, and counted. Half a step is rounding, not clipping.
        ((exact + 0.5) as u16, !(-0.5..=65535.5).contains(&exact))
    }
}

/// A tile as bytes.
pub(super) struct Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// Samples outside the declared range, clipped to its ends.
    pub clipped: u64,
}

impl Format {
    /// File name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Png16 => "png",
            Format::Exr => "exr",
            Format::Npy => "npy",
            Format::R16 => "r16",
            Format::R32 => "r32",
        }
    }

    /// Whether values are quantised over a declared range.
    pub fn is_integer(self) -> bool {
        matches!(self, Format::Png16 | Format::R16)
    }

    /// Whether a JSON file beside it describes the layout.
    pub(super) fn has_sidecar(self) -> bool {
        matches!(self, Format::R16 | Format::R32)
    }

    pub(super) fn encode(self, field: &Field, range: Quantise) -> Result<Encoded, std::io::Error> {
        let [width, height, _] = field.region.size;
        let mut clipped = 0;
        let mut steps = || -> Vec<u16> {
            let step = |&value: &f32| {
                let (step, outside) = range.step(value);
                clipped += u64::from(outside);
                step
            };
            field.values.iter().map(step).collect()
        };
        let floats = || field.values.iter().flat_map(|value| value.to_le_bytes());
        let bytes = match self {
            Format::Png16 => {
                let mut out = Vec::new();
                let (speed, filter) = (image::codecs::png::CompressionType::Fast, image::codecs::png::FilterType::Adaptive);
                image::codecs::png::PngEncoder::new_with_quality(&mut out, speed, filter)
                    .write_image(bytemuck::cast_slice(&steps()), width, height, image::ExtendedColorType::L16)
                    .map_err(std::io::Error::other)?;
                out
            }
            Format::Exr => exr(field)?,
            Format::Npy => npy_header(width, height).into_iter().chain(floats()).collect(),
            Format::R16 => steps().into_iter().flat_map(u16::to_le_bytes).collect(),
            Format::R32 => floats().collect(),
        };
        Ok(Encoded { bytes, clipped })
    }
}

fn exr(field: &Field) -> Result<Vec<u8>, std::io::Error> {
    use exr::prelude::*;
    let size = (field.region.size[0] as usize, field.region.size[1] as usize);
    let channel = AnyChannel::new("Y", FlatSamples::F32(field.values.clone()));
    let channels = AnyChannels::sort([channel].into_iter().collect());
    let encoding = Encoding { compression: Compression::Uncompressed, ..Encoding::UNCOMPRESSED };
    let layer = Layer::new(size, LayerAttributes::default(), encoding, channels);
    let mut out = Cursor::new(Vec::new());
    Image::from_layer(layer).write().to_buffered(&mut out).map_err(std::io::Error::other)?;
    Ok(out.into_inner())
}

/// Version 1.0 header of NumPy's format, padded so that the data starts at a multiple of 64 bytes.
fn npy_header(width: u32, height: u32) -> Vec<u8> {
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.bytes());
    header
}
