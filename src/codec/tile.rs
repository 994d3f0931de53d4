//! Formats of a bake's tiles: the facts of a format, and the conversion of samples to the numbers of a file.

use super::Format;
use super::quantisation::Quantisation;
use super::shares;
use super::srgb::{linear, srgb};
use std::io::{Error, ErrorKind, Result};
use std::sync::LazyLock;

/// The facts of a format of tiles.
pub(crate) struct TileFacts {
    /// The ending of file names.
    pub ending: &'static str,
    pub storage: Storage,
    /// The allowed numbers of channels: 1 for values, 3 for normals, 4 for colours, or the number of masks.
    pub channels: &'static [usize],
    pub placement: Placement,
}

/// [`TileFacts::channels`] of formats of values, normals and colours.
pub(crate) const ANY_LAYER: &[usize] = &[1, 3, 4];

/// The numbers in a file, and their coder.
pub(crate) enum Storage {
    /// 8-bit steps: the 65536 steps of [`Steps16`](Self::Steps16), rounded to 256 steps.
    Steps8(Coder<u8>),
    /// 16-bit steps: values over their declared range, normals over −1 to 1, colours in sRGB, opacity over 0 to 1.
    Steps16(Coder<u16>),
    /// 8-bit shares of masks, [`shares::MOST`] for each sample. Their sum is 255.
    Shares(Coder<u8>),
    /// The samples themselves, as 32-bit floats.
    Floats(Coder<f32>),
}

/// Writes and reads files of numbers of one type. Numbers are in rows, with the channels of a sample next to each other.
pub(crate) struct Coder<T: 'static> {
    pub encode: fn(&[T], Shape) -> Result<Vec<u8>>,
    pub decode: fn(&[u8], Shape) -> Result<Vec<T>>,
}

/// The files of a tile on disk.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Placement {
    /// One file.
    File,
    /// A file without a header, and a JSON file that describes it.
    Described,
    /// Part of its layer's array.
    Array,
}

/// The size of a tile in columns and rows, and the numbers of each sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub size: [u32; 2],
    pub channels: usize,
}

/// The samples of a tile in rows, with the channels of a sample next to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples<'a> {
    pub shape: Shape,
    pub values: &'a [f32],
}

/// A tile as bytes.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// Samples outside the declared range, clipped to its ends.
    pub clipped: u64,
}

impl Format {
    /// The formats that a caller can request: all except weights, which follow from the name of a layer.
    pub fn choices() -> impl Iterator<Item = Format> {
        Format::ALL.iter().copied().filter(|format| !format.is_weights())
    }

    /// File name extension.
    pub fn extension(self) -> &'static str {
        self.facts().ending
    }

    /// Whether tiles are parts of an array, which has its own file names. [`Sharded`](crate::bake::Sharded) bakes these formats.
    pub fn is_array(self) -> bool {
        self.facts().placement == Placement::Array
    }

    /// Whether values are quantised over a declared range.
    pub fn is_integer(self) -> bool {
        self.largest_step().is_some()
    }

    /// Whether a tile holds shares of several layers.
    pub(crate) fn is_weights(self) -> bool {
        matches!(self.facts().storage, Storage::Shares(_))
    }

    /// Whether a JSON file describes each tile.
    pub(crate) fn has_sidecar(self) -> bool {
        self.facts().placement == Placement::Described
    }

    /// The allowed numbers of channels.
    pub(crate) fn channels(self) -> &'static [usize] {
        self.facts().channels
    }

    /// Bytes per sample before compression, for a number of channels.
    pub(crate) fn bytes(self, channels: usize) -> usize {
        match &self.facts().storage {
            Storage::Steps8(_) => channels,
            Storage::Steps16(_) => 2 * channels,
            Storage::Shares(_) => shares::MOST,
            Storage::Floats(_) => 4 * channels,
        }
    }

    /// The integer at the upper end of the declared range; `None` for formats without integers.
    pub(crate) fn largest_step(self) -> Option<u16> {
        match &self.facts().storage {
            Storage::Steps8(_) => Some(255),
            Storage::Steps16(_) => Some(65535),
            Storage::Shares(_) | Storage::Floats(_) => None,
        }
    }

    /// The type of a number in a file.
    pub(crate) fn number_type(self) -> &'static str {
        match &self.facts().storage {
            Storage::Steps8(_) | Storage::Shares(_) => "u8",
            Storage::Steps16(_) => "u16",
            Storage::Floats(_) => "f32",
        }
    }

    /// Writes a tile as a file. Integer formats need a range for values.
    ///
    /// # Errors
    /// Returns an error if the range is missing, if the number of channels is not allowed, or if the encoder fails.
    pub(crate) fn encode(self, tile: Samples<'_>, range: Option<Quantisation>) -> Result<Encoded> {
        let Samples { shape, values } = tile;
        if !self.channels().contains(&shape.channels) {
            return Err(invalid(format!("{} channels in {}; allowed: {:?}", shape.channels, self.name(), self.channels())));
        }
        let mut clipped = 0;
        let bytes = match &self.facts().storage {
            Storage::Steps8(coder) => {
                let steps = SampleKind::of(shape.channels, range)?.steps(values, &mut clipped);
                (coder.encode)(&steps.into_iter().map(small).collect::<Vec<u8>>(), shape)?
            }
            Storage::Steps16(coder) => (coder.encode)(&SampleKind::of(shape.channels, range)?.steps(values, &mut clipped), shape)?,
            Storage::Shares(coder) => (coder.encode)(&shares::shares(values, shape.channels), four(shape))?,
            Storage::Floats(coder) => (coder.encode)(values, shape)?,
        };
        Ok(Encoded { bytes, clipped })
    }

    /// Reads the numbers of a tile's file.
    ///
    /// # Errors
    /// Returns an error if the range is missing, if the file has another format or size, or if the decoder fails.
    pub(crate) fn decode(self, bytes: &[u8], shape: Shape, range: Option<Quantisation>) -> Result<Vec<f32>> {
        let values = match &self.facts().storage {
            Storage::Steps8(coder) => {
                let steps = (coder.decode)(bytes, shape)?.into_iter().map(wide).collect::<Vec<u16>>();
                SampleKind::of(shape.channels, range)?.values(&steps)
            }
            Storage::Steps16(coder) => SampleKind::of(shape.channels, range)?.values(&(coder.decode)(bytes, shape)?),
            Storage::Shares(coder) => shares::masks(&(coder.decode)(bytes, four(shape))?, shape.channels),
            Storage::Floats(coder) => (coder.decode)(bytes, shape)?,
        };
        let expected = shape.size[0] as usize * shape.size[1] as usize * shape.channels;
        if values.len() == expected { Ok(values) } else { Err(invalid(format!("{} numbers; allowed: {expected}", values.len()))) }
    }

    /// The numbers of a tile after encoding and decoding.
    ///
    /// # Errors
    /// Returns an error if the range is missing, or if the number of channels is not allowed.
    pub(crate) fn held(self, tile: Samples<'_>, range: Option<Quantisation>) -> Result<Vec<f32>> {
        let Samples { shape, values } = tile;
        let steps = |rounded: fn(u16) -> u16| {
            let kind = SampleKind::of(shape.channels, range)?;
            let steps: Vec<u16> = kind.steps(values, &mut 0).into_iter().map(rounded).collect();
            Ok(kind.values(&steps))
        };
        match &self.facts().storage {
            Storage::Steps8(_) => steps(|step| wide(small(step))),
            Storage::Steps16(_) => steps(|step| step),
            Storage::Shares(_) => Ok(shares::masks(&shares::shares(values, shape.channels), shape.channels)),
            Storage::Floats(_) => Ok(values.to_vec()),
        }
    }
}

pub(super) fn invalid(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidData, what.into())
}

/// The shape of the picture of a layer of masks.
fn four(masks: Shape) -> Shape {
    Shape { channels: shares::MOST, ..masks }
}

/// The nearest of 256 steps to one of 65536: 65535 = 255 · 257.
fn small(step: u16) -> u8 {
    ((u32::from(step) + 128) / 257) as u8
}

/// The step of 65536 that equals one of 256.
fn wide(step: u8) -> u16 {
    u16::from(step) * 257
}

/// The kind of a sample, which decides how its numbers become steps.
enum SampleKind {
    /// A value over a declared range.
    Value(Quantisation),
    /// A vector of unit length.
    Normal,
    /// Linear red, green and blue, and opacity.
    Colour,
}

impl SampleKind {
    fn of(channels: usize, range: Option<Quantisation>) -> Result<Self> {
        match channels {
            1 => range.map(SampleKind::Value).ok_or_else(|| invalid("no range; allowed: a range, for values as integers")),
            3 => Ok(SampleKind::Normal),
            4 => Ok(SampleKind::Colour),
            channels => Err(invalid(format!("{channels} channels as integers; allowed: 1, 3, 4"))),
        }
    }

    /// Converts each number to one of 65536 steps, and counts clipped values.
    fn steps(&self, values: &[f32], clipped: &mut u64) -> Vec<u16> {
        let unit = |x: f32| (x.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16;
        match self {
            SampleKind::Value(range) => {
                let step = |&value: &f32| {
                    let (step, outside) = range.step(value);
                    *clipped += u64::from(outside);
                    step
                };
                values.iter().map(step).collect()
            }
            SampleKind::Normal => values.iter().map(|x| unit(0.5 * x + 0.5)).collect(),
            SampleKind::Colour => {
                let pixels = values.as_chunks::<4>().0.iter();
                pixels.flat_map(|[r, g, b, a]| [unit(srgb(*r)), unit(srgb(*g)), unit(srgb(*b)), unit(*a)]).collect()
            }
        }
    }

    /// Converts steps to numbers.
    fn values(&self, steps: &[u16]) -> Vec<f32> {
        let unit = |step: u16| f32::from(step) / 65535.0;
        match self {
            SampleKind::Value(range) => steps.iter().map(|&step| range.value(step)).collect(),
            SampleKind::Normal => steps.iter().map(|&step| 2.0 * unit(step) - 1.0).collect(),
            SampleKind::Colour => {
                static LIGHT: LazyLock<Vec<f32>> = LazyLock::new(|| (0..=u16::MAX).map(|step| linear(f32::from(step) / 65535.0)).collect());
                steps.iter().enumerate().map(|(i, &step)| if i % 4 == 3 { unit(step) } else { LIGHT[usize::from(step)] }).collect()
            }
        }
    }
}
