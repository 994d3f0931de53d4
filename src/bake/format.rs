//! File formats of tiles. A new format is a variant and an arm in each match.

#[cfg(feature = "zarr")]
use crate::bake::arrays::FileCodec;
use crate::bake::plan::PlanError;
use crate::bake::weights;
use crate::draw::{linear, srgb};
use crate::field::{Field, Layer};
pub use crate::raster::npy;
use crate::raster::npy_header;
use image::ImageEncoder;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// The file format of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// 16-bit PNG: grey over the declared range, normals over −1 to 1, or colours in sRGB with opacity.
    #[default]
    Png16,
    /// 8-bit PNG, with the same meaning.
    Png8,
    /// With feature `exr`: OpenEXR, uncompressed 32-bit float channels. They are `Y` for values, `R`, `G`, `B` for normals, and
    /// `R`, `G`, `B`, `A` for colours in linear light.
    #[cfg(feature = "exr")]
    Exr,
    /// NumPy array of 32-bit floats, shape (rows, columns), or (rows, columns, channels).
    Npy,
    /// Headerless 16-bit little-endian integers, with the same values as 16-bit PNG, and a JSON file that describes them.
    R16,
    /// Headerless 32-bit little-endian floats, channels interleaved, and a JSON file that describes them.
    R32,
    /// 8-bit PNG with red, green, blue and alpha. It holds two to four layers of one channel, named `a+b+c`, as weights that sum
    /// to 255.
    #[cfg_attr(feature = "clap", value(skip))]
    Weights,
    /// With feature `zarr`: Zarr version 3, arrays of 32-bit floats at every level of detail, for NumPy, xarray and Dask. A tile
    /// is a file of its layer's array.
    #[cfg(feature = "zarr")]
    Zarr,
}

/// The declared range of integer formats: `lo` becomes 0, `hi` 65535.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantisation {
    lo: f64,
    hi: f64,
    scale: f64,
}

impl Quantisation {
    /// The range `lo..=hi`.
    ///
    /// # Errors
    /// Returns an error if a bound is not finite, or `hi` is below `lo`.
    pub fn new(lo: f64, hi: f64) -> Result<Self, PlanError> {
        if !(lo.is_finite() && hi.is_finite() && lo <= hi) {
            let allowed = "LO,HI with finite LO not above HI";
            return Err(PlanError::not_allowed("range", format!("{lo},{hi}"), allowed));
        }
        Ok(Quantisation { lo, hi, scale: if hi > lo { 65535.0 / (hi - lo) } else { 0.0 } })
    }

    /// `(lo, hi)`.
    pub fn range(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }

    /// The nearest of the 65536 steps, and whether the value lay outside the range.
    pub fn step(&self, value: f32) -> (u16, bool) {
        let exact = (f64::from(value) - self.lo) * self.scale;
        // `as` saturates: a value outside is clipped to the nearer end and counted. Half a step is rounding, not clipping.
        ((exact + 0.5) as u16, !(-0.5..=65535.5).contains(&exact))
    }
}

/// An encoded tile.
pub(super) struct Encoded {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Samples outside the declared range, which were clipped to its ends.
    pub clipped: u64,
}

impl Format {
    /// The formats that a request can name. [`Format::Weights`] is not among them: a layer's name `a+b` selects it.
    pub const ALL: &[Format] = &[
        Format::Png16,
        Format::Png8,
        #[cfg(feature = "exr")]
        Format::Exr,
        Format::Npy,
        Format::R16,
        Format::R32,
        #[cfg(feature = "zarr")]
        Format::Zarr,
    ];

    /// The format's word on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Format::Png16 => "png16",
            Format::Png8 => "png8",
            #[cfg(feature = "exr")]
            Format::Exr => "exr",
            Format::Npy => "npy",
            Format::R16 => "r16",
            Format::R32 => "r32",
            Format::Weights => "weights",
            #[cfg(feature = "zarr")]
            Format::Zarr => "zarr",
        }
    }

    /// Whether tiles are files of an array. Only [`Sharded`](crate::bake::Sharded) bakes such formats.
    pub fn is_array(self) -> bool {
        #[cfg(feature = "zarr")]
        return self == Format::Zarr;
        #[cfg(not(feature = "zarr"))]
        false
    }

    /// File name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Png16 | Format::Png8 | Format::Weights => "png",
            #[cfg(feature = "exr")]
            Format::Exr => "exr",
            Format::Npy => "npy",
            Format::R16 => "r16",
            Format::R32 => "r32",
            #[cfg(feature = "zarr")]
            Format::Zarr => "zarr",
        }
    }

    /// Whether values are quantised over a declared range.
    pub fn is_integer(self) -> bool {
        matches!(self, Format::Png16 | Format::Png8 | Format::R16)
    }

    /// Whether a JSON file next to it describes the layout.
    pub(super) fn has_sidecar(self) -> bool {
        matches!(self, Format::R16 | Format::R32)
    }

    /// The integers of a layer, each one of 65536 steps.
    pub(super) fn words(self, layer: &Layer, range: Option<Quantisation>) -> Vec<u16> {
        let words = steps(layer, range, &mut 0);
        if self == Format::Png8 { words.into_iter().map(|word| u16::from(small(word)) * 257).collect() } else { words }
    }

    /// The values of stored integers.
    pub(super) fn numbers(self, words: &[u16], channels: usize, range: Option<Quantisation>) -> Vec<f32> {
        let unit = |word: u16| f32::from(word) / 65535.0;
        match channels {
            4 => {
                static LIGHT: LazyLock<Vec<f32>> = LazyLock::new(|| (0..=u16::MAX).map(|word| linear(f32::from(word) / 65535.0)).collect());
                words.iter().enumerate().map(|(i, &word)| if i % 4 == 3 { unit(word) } else { LIGHT[usize::from(word)] }).collect()
            }
            3 => words.iter().map(|&word| 2.0 * unit(word) - 1.0).collect(),
            _ => {
                let (lo, hi) = range.map_or((0.0, 0.0), |range| range.range());
                words.iter().map(|&word| (lo + (hi - lo) * (f64::from(word) / 65535.0)) as f32).collect()
            }
        }
    }

    /// Decodes a file of this format. `size` is the samples along x and y.
    ///
    /// # Errors
    /// Returns an error if the file has another format or size.
    pub(super) fn decode(
        self,
        bytes: &[u8],
        size: [u32; 2],
        channels: usize,
        range: Option<Quantisation>,
    ) -> Result<Vec<f32>, std::io::Error> {
        use image::DynamicImage as Image;
        let wrong = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_owned());
        let floats = |bytes: &[u8]| bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let picture = || image::load_from_memory_with_format(bytes, image::ImageFormat::Png).map_err(std::io::Error::other);
        let wide = |small: Vec<u8>| small.into_iter().map(|step| u16::from(step) * 257).collect();
        let integers = |words: &[u16]| self.numbers(words, channels, range);
        let values: Vec<f32> = match self {
            Format::Png16 | Format::Png8 => integers(&match picture()? {
                Image::ImageLuma16(image) => image.into_raw(),
                Image::ImageRgb16(image) => image.into_raw(),
                Image::ImageRgba16(image) => image.into_raw(),
                Image::ImageLuma8(image) => wide(image.into_raw()),
                Image::ImageRgb8(image) => wide(image.into_raw()),
                Image::ImageRgba8(image) => wide(image.into_raw()),
                _ => return Err(wrong("a PNG file of another kind")),
            }),
            #[cfg(feature = "exr")]
            Format::Exr => unexr(bytes, channels)?,
            Format::Npy => {
                let header = bytes.get(8..10).map_or(0, |length| 10 + usize::from(u16::from_le_bytes([length[0], length[1]])));
                floats(bytes.get(header..).unwrap_or_default())
            }
            Format::R16 => integers(&bytes.as_chunks::<2>().0.iter().map(|two| u16::from_le_bytes(*two)).collect::<Vec<_>>()),
            Format::R32 => floats(bytes),
            Format::Weights => weights::decode(bytes, channels)?,
            #[cfg(feature = "zarr")]
            Format::Zarr => FileCodec::new(size[0], channels)?.decode(bytes)?,
        };
        let expected = size[0] as usize * size[1] as usize * channels;
        if values.len() == expected { Ok(values) } else { Err(wrong(&format!("{} numbers; allowed: {expected}", values.len()))) }
    }

    /// Encodes a layer. Only integer formats of one channel need a range.
    pub(super) fn encode(self, layer: &Layer, range: Option<Quantisation>) -> Result<Encoded, std::io::Error> {
        use image::ExtendedColorType as Colour;
        let [width, height, _] = layer.region.size;
        let mut clipped = 0;
        let floats = || layer.values.iter().flat_map(|value| value.to_le_bytes());
        let bytes = match self {
            Format::Png16 => {
                let colour = [Colour::L16, Colour::Rgb16, Colour::Rgba16][channel_kind(layer)];
                png(bytemuck::cast_slice(&steps(layer, range, &mut clipped)), width, height, colour)?
            }
            Format::Png8 => {
                let small: Vec<u8> = steps(layer, range, &mut clipped).into_iter().map(small).collect();
                png(&small, width, height, [Colour::L8, Colour::Rgb8, Colour::Rgba8][channel_kind(layer)])?
            }
            #[cfg(feature = "exr")]
            Format::Exr => exr(layer)?,
            Format::Npy => {
                let (rows, columns, channels) = (height as usize, width as usize, layer.channels);
                let shape = if channels == 1 { vec![rows, columns] } else { vec![rows, columns, channels] };
                npy_header(&shape).into_iter().chain(floats()).collect()
            }
            Format::R16 => steps(layer, range, &mut clipped).into_iter().flat_map(u16::to_le_bytes).collect(),
            Format::R32 => floats().collect(),
            Format::Weights => weights::encode(layer)?,
            #[cfg(feature = "zarr")]
            Format::Zarr => FileCodec::new(width, layer.channels)?.encode(&layer.values)?,
        };
        Ok(Encoded { bytes, clipped })
    }
}

/// Rounds one of 65536 steps to one of 256: 65535 = 255 · 257.
fn small(step: u16) -> u8 {
    ((u32::from(step) + 128) / 257) as u8
}

/// 0 for values, 1 for normals, 2 for colours.
fn channel_kind(layer: &Layer) -> usize {
    match layer.channels {
        3 => 1,
        4 => 2,
        _ => 0,
    }
}

/// Quantises every number to 65536 steps, and counts the clipped ones.
fn steps(layer: &Layer, range: Option<Quantisation>, clipped: &mut u64) -> Vec<u16> {
    let unit = |x: f32| (x.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16;
    match layer.channels {
        4 => layer
            .values
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|[r, g, b, a]| [unit(srgb(*r)), unit(srgb(*g)), unit(srgb(*b)), unit(*a)])
            .collect(),
        3 => layer.values.iter().map(|x| unit(0.5 * x + 0.5)).collect(),
        _ => {
            let range = range.unwrap_or(Quantisation { lo: 0.0, hi: 0.0, scale: 0.0 });
            let step = |&value: &f32| {
                let (step, outside) = range.step(value);
                *clipped += u64::from(outside);
                step
            };
            layer.values.iter().map(step).collect()
        }
    }
}

fn png(bytes: &[u8], width: u32, height: u32, colour: image::ExtendedColorType) -> Result<Vec<u8>, std::io::Error> {
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
        .write_image(bytes, width, height, colour)
        .map_err(std::io::Error::other)?;
    Ok(out)
}

#[cfg(feature = "exr")]
fn exr(layer: &Layer) -> Result<Vec<u8>, std::io::Error> {
    use exr::prelude::*;
    use std::io::Cursor;
    let size = (layer.region.size[0] as usize, layer.region.size[1] as usize);
    let names: &[&str] = [&["Y"][..], &["R", "G", "B"], &["R", "G", "B", "A"]][channel_kind(layer)];
    let channel = |(k, name): (usize, &&str)| {
        let values = layer.values.iter().skip(k).step_by(layer.channels).copied().collect();
        AnyChannel::new(*name, FlatSamples::F32(values))
    };
    let channels = AnyChannels::sort(names.iter().enumerate().map(channel).collect());
    let encoding = Encoding { compression: Compression::Uncompressed, ..Encoding::UNCOMPRESSED };
    let layer = exr::prelude::Layer::new(size, LayerAttributes::default(), encoding, channels);
    let mut out = Cursor::new(Vec::new());
    Image::from_layer(layer).write().to_buffered(&mut out).map_err(std::io::Error::other)?;
    Ok(out.into_inner())
}

#[cfg(feature = "exr")]
fn unexr(bytes: &[u8], channels: usize) -> Result<Vec<f32>, std::io::Error> {
    use exr::prelude::*;
    let reader = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = reader.from_buffered(std::io::Cursor::new(bytes)).map_err(std::io::Error::other)?;
    let names: &[&str] = if channels == 1 { &["Y"] } else { &["R", "G", "B", "A"] };
    let planes = names.iter().take(channels).map(|name| {
        let channel = image.layer_data.channel_data.list.iter().find(|channel| channel.name.eq_case_insensitive(name))?;
        Some(channel.sample_data.values_as_f32().collect::<Vec<f32>>())
    });
    let planes = planes.collect::<Option<Vec<_>>>().ok_or_else(|| std::io::Error::other("an EXR file of other channels"))?;
    let count = planes.first().map_or(0, Vec::len);
    Ok((0..count).flat_map(|i| planes.iter().map(move |plane| plane[i])).collect())
}

/// Encodes a field, plane or volume, as 32-bit floats with x fastest: a NumPy array of shape (z, y, x), or without a header.
pub fn volume(field: &Field, npy: bool) -> Vec<u8> {
    let [x, y, z] = field.region.size.map(|n| n as usize);
    if npy { self::npy(&[z, y, x], &field.values) } else { field.values.iter().flat_map(|value| value.to_le_bytes()).collect() }
}
