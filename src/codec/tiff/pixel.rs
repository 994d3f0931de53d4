//! The pixels of a cloud-optimised GeoTIFF: compression of a tile's samples, and the directory that describes them.

use super::write::{Field, Value};
use crate::codec::Quantisation;
use crate::codec::srgb::srgb;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{Error, Write};

/// The numbers of a pixel.
#[derive(Clone, Copy)]
pub(crate) enum Pixel {
    /// A 32-bit float.
    Float,
    /// A 16-bit integer over a range.
    Integer(Quantisation),
    /// The three numbers of a normal, 8 bits each over −1 to 1.
    Normal,
    /// Red, green and blue in sRGB, and opacity, 8 bits each.
    Colour,
}

/// The picture that a directory describes.
pub(crate) struct Part<'a> {
    /// Columns and rows.
    pub size: [u64; 2],
    /// Pixels along the edge of a tile.
    pub pixels: u32,
    /// Offset and length of each tile in the file.
    pub offsets: &'a [u64],
    pub counts: &'a [u32],
}

impl Pixel {
    /// Bytes of a pixel.
    pub fn size(self) -> usize {
        match self {
            Pixel::Float => 4,
            Pixel::Integer(_) => 2,
            Pixel::Normal => 3,
            Pixel::Colour => 4,
        }
    }

    /// A directory; `more` are fields with tags above 340, in their order.
    pub fn directory(self, part: &Part<'_>, more: &[Field]) -> Vec<Field> {
        let (samples, bits, format, photometric) = match self {
            Pixel::Float => (1, 32, 3, 1),
            Pixel::Integer(_) => (1, 16, 1, 1),
            Pixel::Normal => (3, 8, 1, 2),
            Pixel::Colour => (4, 8, 1, 2),
        };
        let short = |tag, value: u16| Field { tag, value: Value::Short(vec![value]) };
        let long = |tag, value: u32| Field { tag, value: Value::Long(vec![value]) };
        let main = !more.is_empty();
        let mut fields = vec![
            // 1 marks an overview.
            long(254, u32::from(!main)),
            long(256, part.size[0] as u32),
            long(257, part.size[1] as u32),
            Field { tag: 258, value: Value::Short(vec![bits; samples]) },
            // Deflate.
            short(259, 8),
            short(262, photometric),
            short(277, samples as u16),
            short(284, 1),
            // Differences of integers, or of the bytes of floats.
            short(317, if matches!(self, Pixel::Float) { 3 } else { 2 }),
            long(322, part.pixels),
            long(323, part.pixels),
            Field { tag: 324, value: Value::Offset(part.offsets.to_vec()) },
            Field { tag: 325, value: Value::Long(part.counts.to_vec()) },
        ];
        if matches!(self, Pixel::Colour) {
            // Opacity that colours are not multiplied by.
            fields.push(short(338, 2));
        }
        fields.push(Field { tag: 339, value: Value::Short(vec![format; samples]) });
        fields.extend_from_slice(more);
        fields
    }

    /// GDAL's field of scale and offset: value = offset + scale · integer.
    pub fn metadata(self) -> Option<Field> {
        let Pixel::Integer(range) = self else { return None };
        let (lo, hi) = range.range();
        let item = |name: &str, role: &str, value: f64| format!("<Item name=\"{name}\" sample=\"0\" role=\"{role}\">{value}</Item>");
        let items = item("OFFSET", "offset", lo) + &item("SCALE", "scale", (hi - lo) / 65535.0);
        Some(Field { tag: 42112, value: Value::Text(format!("<GDALMetadata>{items}</GDALMetadata>")) })
    }

    /// Compresses a tile. Samples begin with the smallest y, rows of the file with the largest.
    pub fn packed(self, values: &[f32], pixels: usize) -> Result<Vec<u8>, Error> {
        let channels = values.len() / (pixels * pixels).max(1);
        let rows = values.chunks_exact(pixels * channels).rev();
        let mut bytes = Vec::with_capacity(pixels * pixels * self.size());
        for row in rows {
            match self {
                Pixel::Float => bytes.extend(float_differences(row)),
                Pixel::Integer(range) => {
                    let mut before = 0_u16;
                    for value in row {
                        let (step, _) = range.step(*value);
                        bytes.extend(step.wrapping_sub(before).to_le_bytes());
                        before = step;
                    }
                }
                Pixel::Normal => bytes.extend(byte_differences(row, |normal: [f32; 3]| normal.map(|x| unit(0.5 * x + 0.5)))),
                Pixel::Colour => bytes.extend(byte_differences(row, |[r, g, b, a]| {
                    let [r, g, b] = [r, g, b].map(|light| unit(srgb(light.clamp(0.0, 1.0))));
                    [r, g, b, unit(a)]
                })),
            }
        }
        let mut out = ZlibEncoder::new(Vec::new(), Compression::default());
        out.write_all(&bytes)?;
        out.finish()
    }
}

/// A number from 0 to 1 as 8 bits.
fn unit(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// The horizontal predictor for pixels of bytes: each byte is stored as the difference from the same channel of the pixel before.
fn byte_differences<const N: usize>(row: &[f32], pixel: impl Fn([f32; N]) -> [u8; N]) -> impl Iterator<Item = u8> {
    let pixels = row.as_chunks::<N>().0.iter().map(move |numbers| pixel(*numbers));
    pixels
        .scan([0_u8; N], |before, pixel| {
            let difference = std::array::from_fn::<u8, N, _>(|k| pixel[k].wrapping_sub(before[k]));
            *before = pixel;
            Some(difference)
        })
        .flatten()
}

/// Adobe's predictor for floats (*TIFF Technical Note 3*): the highest bytes of a row first, then the next ones. Each byte is stored
/// as the difference from its predecessor.
fn float_differences(row: &[f32]) -> impl Iterator<Item = u8> + use<'_> {
    let bytes = (0..4).flat_map(move |plane| row.iter().map(move |x| x.to_be_bytes()[plane]));
    bytes.scan(0_u8, |before, byte| {
        let difference = byte.wrapping_sub(*before);
        *before = byte;
        Some(difference)
    })
}
