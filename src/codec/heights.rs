//! Formats that rasters read: the facts of a format, and the numbers of a file on a grid.

use super::{ABSENT_FEATURES, HEIGHTS};
use crate::limits::EDGE;
use crate::params::choice;
use serde::{Deserialize, Serialize};

/// Numbers on a grid, as a file holds them.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Numbers in rows, beginning with the first row. NaN is a cell without a height.
    pub values: Vec<f32>,
    /// The position of the samples; `None` if the file does not state it.
    pub place: Option<Georeference>,
}

/// The position of a file's samples in the units of its coordinate system. A sample is the middle of its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Georeference {
    /// x and y of the first sample.
    pub position: [f64; 2],
    /// Distance between samples along x and y. If north is at the top, the second is negative.
    pub spacing: [f64; 2],
}

/// The numbers of a file, or the reason why it has no heights.
pub(crate) type Decoded = Result<Grid, String>;

choice! {
    /// The channel of a picture, or the storage of numbers in a file that does not state it.
    HeightEncoding {
        /// The encoding of the format.
        #[default]
        File = "file",
        /// PNG: heights in metres as in Terrarium tiles, red · 256 + green + blue / 256 − 32768.
        Terrarium = "terrarium",
        /// PNG: heights in metres as in Mapbox Terrain-RGB, −10000 + (red · 65536 + green · 256 + blue) · 0.1.
        MapboxRgb = "mapbox_rgb",
        /// PNG, JPEG, OpenEXR: the red of colours in linear light, as 0 to 1. The colours of PNG and JPEG files are sRGB.
        Red = "red",
        /// The same, green.
        Green = "green",
        /// The same, blue.
        Blue = "blue",
        /// PNG, JPEG, OpenEXR: the opacity, as 0 to 1. JPEG files are opaque.
        Opacity = "opacity",
        /// PNG, JPEG, OpenEXR: the lightness of colours in Ottosson's OKLab, 0 for black and 1 for white.
        Lightness = "lightness",
        /// The same, OKLab's a: negative for green, positive for red, 0 for greys.
        GreenRed = "green_red",
        /// The same, OKLab's b: negative for blue, positive for yellow, 0 for greys.
        BlueYellow = "blue_yellow",
        /// Raw: unsigned integers of 8 bits, as 0 to 1.
        Uint8 = "uint8",
        /// Raw: signed integers of 8 bits, as they are.
        Int8 = "int8",
        /// Raw: unsigned integers of 16 bits, little endian, as 0 to 1.
        Uint16Le = "uint16_le",
        /// The same, big endian.
        Uint16Be = "uint16_be",
        /// Raw: signed integers of 16 bits, little endian, as they are.
        Int16Le = "int16_le",
        /// The same, big endian.
        Int16Be = "int16_be",
        /// Raw: unsigned integers of 32 bits, little endian, as they are.
        Uint32Le = "uint32_le",
        /// The same, big endian.
        Uint32Be = "uint32_be",
        /// Raw: signed integers of 32 bits, little endian, as they are.
        Int32Le = "int32_le",
        /// The same, big endian.
        Int32Be = "int32_be",
        /// Raw: floats of 32 bits, little endian.
        Float32Le = "float32_le",
        /// The same, big endian.
        Float32Be = "float32_be",
        /// Raw: floats of 64 bits, little endian.
        Float64Le = "float64_le",
        /// The same, big endian.
        Float64Be = "float64_be",
    }
}

/// Declared properties that the file does not store itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Declared {
    pub encoding: HeightEncoding,
    /// Samples in a row of a file without a header; `None` for a square.
    pub columns: Option<u32>,
}

/// The facts of a format that rasters read.
pub(crate) struct HeightsFacts {
    /// The endings of file names, in lower case.
    pub endings: &'static [&'static str],
    /// Whether an encoding may be declared.
    pub allows: fn(HeightEncoding) -> bool,
    /// Whether files state their size. If not, `columns` may be declared.
    pub has_size: bool,
    /// Reads a file, after [`check`](HeightsFacts::check) has allowed its declaration.
    pub decode: fn(&Source<'_>) -> Decoded,
}

/// A file to read.
pub(crate) struct Source<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    pub declared: Declared,
}

/// [`HeightsFacts::allows`] of formats with one way to store numbers.
pub(super) fn nothing_declared(encoding: HeightEncoding) -> bool {
    encoding == HeightEncoding::File
}

impl HeightsFacts {
    /// The format of a name's ending.
    pub fn of(name: &str) -> Result<&'static Self, String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let found = HEIGHTS.iter().find(|format| format.endings.contains(&ending.as_str()));
        found.ok_or_else(|| format!("'{name}' ends in no known format; allowed: {}", endings()))
    }

    /// Refuses declarations that do not apply to this format.
    pub fn check(&self, declared: Declared) -> Result<(), String> {
        let Declared { encoding, columns } = declared;
        if !(self.allows)(encoding) {
            let allowed = HeightEncoding::ALL.iter().filter(|encoding| (self.allows)(**encoding));
            let allowed = allowed.map(|encoding| encoding.name()).collect::<Vec<_>>().join(", ");
            return Err(format!("encoding = \"{encoding}\" is not allowed for a file of this ending; allowed: {allowed}"));
        }
        match columns {
            Some(columns) if self.has_size => {
                let without = HEIGHTS.iter().filter(|format| !format.has_size).flat_map(|format| format.endings).copied();
                let allowed = without.collect::<Vec<_>>().join(", ");
                Err(format!("columns = {columns} is not allowed for a file that has a size; allowed: with {allowed}"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Reads the numbers of a file.
    pub fn decode(&self, source: &Source<'_>) -> Decoded {
        self.check(source.declared)?;
        (self.decode)(source)
    }
}

/// The endings that this build reads.
fn endings() -> String {
    let all: Vec<&str> = HEIGHTS.iter().flat_map(|format| format.endings).copied().collect();
    let features = match ABSENT_FEATURES {
        [] => String::new(),
        absent => format!(" (this build is without {})", absent.join(", ")),
    };
    all.join(", ") + &features
}

/// An unsigned integer as a number from 0 to 1.
pub(super) fn unit(step: f64, largest: f64) -> f32 {
    (step / largest) as f32
}

/// Checks that samples of this size may be allocated.
pub(super) fn sized([columns, rows]: [u64; 2]) -> Result<[u32; 2], String> {
    match [columns, rows].map(u32::try_from) {
        [Ok(columns), Ok(rows)] if (1..=EDGE).contains(&columns) && (1..=EDGE).contains(&rows) => Ok([columns, rows]),
        _ => Err(format!("{columns} × {rows} samples are not allowed; allowed: 1 to {EDGE} along an edge")),
    }
}
