//! Files of heights → numbers on a grid: one file for each format. A decoder gets all of a file's bytes and allocates no more than
//! [`limits`](crate::limits) allow.

mod ascii;
#[cfg(feature = "png")]
pub(crate) mod colours;
#[cfg(feature = "exr")]
mod exr;
mod hgt;
mod npy;
#[cfg(feature = "png")]
mod png;
mod raw;
#[cfg(feature = "tiff")]
mod tiff;

use crate::limits::EDGE;
use crate::params::choice;
use serde::{Deserialize, Serialize};

/// Numbers on a grid, as a file holds them.
#[derive(Debug)]
pub(crate) struct Grid {
    /// Columns and rows.
    pub size: [u32; 2],
    /// In rows, the first row first. NaN is a cell without a height.
    pub values: Vec<f32>,
    /// Where the file says that they lie.
    pub place: Option<Georeference>,
}

/// Where a file says that its samples lie, in the units of its coordinate system. A sample stands in the middle of its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Georeference {
    /// x and y of the first sample.
    pub position: [f64; 2],
    /// From one sample to the next along x and y. Of a file with north at the top the second is negative.
    pub spacing: [f64; 2],
}

/// A file's numbers, or what is wrong with it.
pub(crate) type Decoded = Result<Grid, String>;

choice! {
    /// How the numbers of a file of heights are stored, where the file does not say so itself.
    HeightEncoding {
        /// As the format has it.
        #[default]
        File = "file",
        /// PNG: heights in metres as Terrarium tiles have them, red · 256 + green + blue / 256 − 32768.
        Terrarium = "terrarium",
        /// PNG: heights in metres as Mapbox Terrain-RGB has them, −10000 + (red · 65536 + green · 256 + blue) · 0.1.
        MapboxRgb = "mapbox_rgb",
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

/// A format that this build reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    #[cfg(feature = "png")]
    Png,
    #[cfg(feature = "exr")]
    Exr,
    #[cfg(feature = "tiff")]
    Tiff,
    Npy,
    R16,
    R32,
    Raw,
    Hgt,
    Ascii,
}

impl Format {
    /// The format that a name's ending stands for.
    pub fn of(name: &str) -> Result<Self, String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        match ending.as_str() {
            #[cfg(feature = "png")]
            "png" => Ok(Format::Png),
            #[cfg(feature = "exr")]
            "exr" => Ok(Format::Exr),
            #[cfg(feature = "tiff")]
            "tif" | "tiff" => Ok(Format::Tiff),
            "npy" => Ok(Format::Npy),
            "r16" => Ok(Format::R16),
            "r32" => Ok(Format::R32),
            "raw" => Ok(Format::Raw),
            "hgt" => Ok(Format::Hgt),
            "asc" => Ok(Format::Ascii),
            _ => Err(format!("'{name}' ends in no known format; allowed: {}", endings())),
        }
    }

    /// Refuses declarations that mean nothing for this format.
    pub fn check(self, declared: Declared) -> Result<(), String> {
        let Declared { encoding, columns } = declared;
        let all = HeightEncoding::ALL;
        let (allowed, raw): (Vec<HeightEncoding>, bool) = match self {
            #[cfg(feature = "png")]
            Format::Png => (vec![HeightEncoding::File, HeightEncoding::Terrarium, HeightEncoding::MapboxRgb], false),
            #[cfg(feature = "exr")]
            Format::Exr => (vec![HeightEncoding::File], false),
            #[cfg(feature = "tiff")]
            Format::Tiff => (vec![HeightEncoding::File], false),
            Format::Npy | Format::Hgt | Format::Ascii => (vec![HeightEncoding::File], false),
            Format::R16 => (all.iter().copied().filter(|e| *e == HeightEncoding::File || raw::bytes(*e) == Some(2)).collect(), true),
            Format::R32 => (all.iter().copied().filter(|e| *e == HeightEncoding::File || raw::bytes(*e) == Some(4)).collect(), true),
            Format::Raw => (all.iter().copied().filter(|e| raw::bytes(*e).is_some()).collect(), true),
        };
        if !allowed.contains(&encoding) {
            let allowed = allowed.iter().map(|encoding| encoding.name()).collect::<Vec<_>>().join(", ");
            return Err(format!("encoding = \"{encoding}\" is not allowed for a file of this ending; allowed: {allowed}"));
        }
        match columns {
            Some(columns) if !raw => {
                Err(format!("columns = {columns} is not allowed for a file that has a size; allowed: with raw, r16, r32"))
            }
            _ => Ok(()),
        }
    }

    /// The numbers in a file's bytes.
    pub fn decode(self, name: &str, bytes: &[u8], declared: Declared) -> Decoded {
        self.check(declared)?;
        match self {
            #[cfg(feature = "png")]
            Format::Png => png::decode(bytes, declared.encoding),
            #[cfg(feature = "exr")]
            Format::Exr => exr::decode(bytes),
            #[cfg(feature = "tiff")]
            Format::Tiff => tiff::decode(bytes),
            Format::Npy => npy::decode(bytes),
            Format::R16 => raw::decode(bytes, declared, HeightEncoding::Uint16Le),
            Format::R32 => raw::decode(bytes, declared, HeightEncoding::Float32Le),
            Format::Raw => raw::decode(bytes, declared, declared.encoding),
            Format::Hgt => hgt::decode(name, bytes),
            Format::Ascii => ascii::decode(bytes),
        }
    }
}

/// The endings that this build reads.
fn endings() -> String {
    let mut all = vec!["npy", "r16", "r32", "raw", "hgt", "asc"];
    let with = [("png", cfg!(feature = "png")), ("exr", cfg!(feature = "exr")), ("tif, tiff", cfg!(feature = "tiff"))];
    all.extend(with.iter().filter(|(_, there)| *there).map(|(ending, _)| *ending));
    let absent: Vec<&str> = with.iter().filter(|(_, there)| !there).map(|(ending, _)| *ending).collect();
    let features = if absent.is_empty() { String::new() } else { format!(" (this build is without {})", absent.join(", ")) };
    all.join(", ") + &features
}

/// An unsigned integer as a number from 0 to 1.
fn unit(step: f64, largest: f64) -> f32 {
    (step / largest) as f32
}

/// A size that may be allocated.
fn sized([columns, rows]: [u64; 2]) -> Result<[u32; 2], String> {
    match [columns, rows].map(u32::try_from) {
        [Ok(columns), Ok(rows)] if (1..=EDGE).contains(&columns) && (1..=EDGE).contains(&rows) => Ok([columns, rows]),
        _ => Err(format!("{columns} × {rows} samples are not allowed; allowed: 1 to {EDGE} along an edge")),
    }
}
