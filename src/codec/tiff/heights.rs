//! The first channel of the first picture as heights. This module reads chunks itself, because decoders of pictures do not
//! expect omitted chunks, numbers of few bits, floats in pictures whose white is 0, or little-endian bit streams.

use super::chunks::Chunks;
use super::directory::{Directory, File};
use super::geo;
use crate::codec::heights::{Decoded, Grid, HeightsFacts, Source, nothing_declared, sized, unit};
use half::f16;

pub const HEIGHTS: HeightsFacts = HeightsFacts { endings: &["tif", "tiff"], allows: nothing_declared, has_size: true, decode };

/// The type of a sample.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
}

/// A stored number, without loss.
#[derive(Clone, Copy)]
enum Stored {
    Whole(i128),
    Single(f32),
    Double(f64),
}

/// The largest number of directories that a search for a mask reads.
const DIRECTORIES: usize = 64;

fn decode(&Source { bytes, .. }: &Source<'_>) -> Decoded {
    let (file, first) = File::open(bytes)?;
    let directory = file.directory(first)?;
    let size = size(&directory)?;
    let heights = Heights::of(&directory)?;
    let mut values = vec![0.0; size[0] as usize * size[1] as usize];
    samples(file, &directory, size, |at, sample| values[at] = heights.height(sample))?;
    if let Some(mask) = mask(file, &directory, size)? {
        samples(file, &mask, size, |at, sample| {
            if matches!(sample, Some(Stored::Whole(0)) | None) {
                values[at] = f32::NAN;
            }
        })?;
    }
    Ok(Grid { size, values, place: geo::place(&directory)? })
}

fn size(directory: &Directory<'_>) -> Result<[u32; 2], String> {
    let edge = |tag| directory.whole(tag)?.ok_or_else(|| "a picture without a size".to_owned());
    sized([edge(256)?, edge(257)?])
}

/// The mask of the first picture: a directory of the same size that marks samples with a height.
fn mask<'a>(file: File<'a>, first: &Directory<'_>, size: [u32; 2]) -> Result<Option<Directory<'a>>, String> {
    let mut next = first.next;
    for _ in 0..DIRECTORIES {
        if next == 0 {
            break;
        }
        let directory = file.directory(next)?;
        let is_mask = directory.whole(254)?.is_some_and(|kind| kind & 4 != 0);
        if is_mask && [directory.whole(256)?, directory.whole(257)?] == size.map(|edge| Some(u64::from(edge))) {
            return Ok(Some(directory));
        }
        next = directory.next;
    }
    Ok(None)
}

/// Converts the stored numbers of a picture to heights.
struct Heights {
    kind: Kind,
    bits: u64,
    /// 0 is white. This inverts pictures, but not heights.
    white_is_zero: bool,
    nodata: Option<f64>,
    scale: Option<geo::Scale>,
}

impl Heights {
    fn of(directory: &Directory<'_>) -> Result<Self, String> {
        let (kind, bits) = kind(directory)?;
        let (nodata, scale) = (geo::nodata(directory)?, geo::scale(directory)?);
        Ok(Heights { kind, bits, white_is_zero: directory.whole(262)? == Some(0), nodata, scale })
    }

    /// The height of a stored number, or of an omitted one. NaN if there is no height.
    fn height(&self, stored: Option<Stored>) -> f32 {
        let Some(stored) = stored else {
            // An omitted chunk holds the nodata value, or 0 if the file has none.
            let zero = if self.kind == Kind::Float { Stored::Double(0.0) } else { Stored::Whole(0) };
            return if self.nodata.is_some() { f32::NAN } else { self.height(Some(zero)) };
        };
        let is_nodata = self.nodata.is_some_and(|nodata| match stored {
            Stored::Whole(x) => x as f64 == nodata,
            Stored::Single(x) => x == nodata as f32,
            Stored::Double(x) => x == nodata,
        });
        if is_nodata {
            return f32::NAN;
        }
        if let Some(geo::Scale { scale, offset }) = self.scale {
            let number = match stored {
                Stored::Whole(x) => x as f64,
                Stored::Single(x) => f64::from(x),
                Stored::Double(x) => x,
            };
            return (number * scale + offset) as f32;
        }
        match stored {
            Stored::Whole(x) if self.kind == Kind::Unsigned && self.bits <= 16 => {
                let largest = (1 << self.bits) - 1;
                unit(if self.white_is_zero { largest - x } else { x } as f64, largest as f64)
            }
            Stored::Whole(x) => x as f32,
            Stored::Single(x) => x,
            Stored::Double(x) => x as f32,
        }
    }
}

/// The type of the samples, and their bits.
fn kind(directory: &Directory<'_>) -> Result<(Kind, u64), String> {
    let bits = directory.wholes(258)?.unwrap_or_default();
    let first = bits.first().copied().unwrap_or(1);
    if bits.iter().any(|bits| *bits != first) {
        return Err(format!("samples of {bits:?} bits; allowed: the same number in each channel"));
    }
    let kind = match directory.whole(339)?.unwrap_or(1) {
        // 4: undefined.
        1 | 4 if (1..=32).contains(&first) || first == 64 => Kind::Unsigned,
        2 if matches!(first, 8 | 16 | 32 | 64) => Kind::Signed,
        3 if matches!(first, 16 | 32 | 64) => Kind::Float,
        format => {
            let allowed = "unsigned integers of 1 to 32 and 64 bits, signed ones of 8, 16, 32 and 64, floats of 16, 32 and 64";
            return Err(format!("samples of format {format} and {first} bits are not allowed; allowed: {allowed}"));
        }
    };
    Ok((kind, first))
}

/// Passes the first channel of a picture to `take`: the index of each sample and its number, `None` in omitted chunks.
fn samples(file: File<'_>, directory: &Directory<'_>, size: [u32; 2], mut take: impl FnMut(usize, Option<Stored>)) -> Result<(), String> {
    let (kind, bits) = kind(directory)?;
    let channels = directory.whole(277)?.unwrap_or(1).max(1);
    let chunks = Chunks::of(file, directory, size, bits, channels)?;
    let [columns, rows] = size.map(u64::from);
    let [width, height] = chunks.size;
    for chunk in 0..chunks.across * rows.div_ceil(height) {
        let [left, top] = [chunk % chunks.across * width, chunk / chunks.across * height];
        let [wide, high] = [width.min(columns - left), height.min(rows - top)];
        let at = |row: u64, column: u64| ((top + row) * columns + left + column) as usize;
        let there = chunks.rows(chunk, high, |row, bytes| {
            for column in 0..wide {
                take(at(row, column), Some(stored(bytes, column * chunks.samples, kind, bits)));
            }
        })?;
        if !there {
            (0..high).for_each(|row| (0..wide).for_each(|column| take(at(row, column), None)));
        }
    }
    Ok(())
}

/// A sample of a row of little-endian numbers. Numbers of few bits begin with their highest bit.
fn stored(row: &[u8], index: u64, kind: Kind, bits: u64) -> Stored {
    if !bits.is_multiple_of(8) {
        let first = index * bits;
        let bit = |at: u64| i128::from(row[(at / 8) as usize] >> (7 - at % 8) & 1);
        return Stored::Whole((first..first + bits).fold(0, |number, at| number << 1 | bit(at)));
    }
    let each = (bits / 8) as usize;
    let bytes = &row[index as usize * each..][..each];
    let number = bytes.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    match (kind, bits) {
        (Kind::Float, 16) => Stored::Single(f16::from_bits(number as u16).to_f32()),
        (Kind::Float, 32) => Stored::Single(f32::from_bits(number as u32)),
        (Kind::Float, _) => Stored::Double(f64::from_bits(number)),
        (Kind::Signed, bits) => Stored::Whole(i128::from((number << (64 - bits)) as i64 >> (64 - bits))),
        (Kind::Unsigned, _) => Stored::Whole(i128::from(number)),
    }
}
