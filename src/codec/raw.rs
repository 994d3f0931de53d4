//! Numbers in rows, without a header.

use super::heights::{Decoded, Grid, HeightEncoding, HeightsFacts, Source, sized, unit};
#[cfg(feature = "bake")]
use super::{
    tile::{ANY_LAYER, Coder, Placement, Storage, TileFacts},
    volume::VolumeFacts,
};

/// Squares of 16-bit integers by default.
pub const R16_HEIGHTS: HeightsFacts = HeightsFacts {
    endings: &["r16"],
    allows: |encoding| encoding == HeightEncoding::File || bytes(encoding) == Some(2),
    has_size: false,
    decode: |source| decode(source, HeightEncoding::Uint16Le),
};

/// Squares of 32-bit floats by default.
pub const R32_HEIGHTS: HeightsFacts = HeightsFacts {
    endings: &["r32"],
    allows: |encoding| encoding == HeightEncoding::File || bytes(encoding) == Some(4),
    has_size: false,
    decode: |source| decode(source, HeightEncoding::Float32Le),
};

/// Numbers of a declared encoding.
pub const RAW_HEIGHTS: HeightsFacts = HeightsFacts {
    endings: &["raw"],
    allows: |encoding| bytes(encoding).is_some(),
    has_size: false,
    decode: |source| decode(source, source.declared.encoding),
};

#[cfg(feature = "bake")]
pub const R16_TILE: TileFacts = TileFacts {
    ending: "r16",
    storage: Storage::Steps16(Coder {
        encode: |steps, _| Ok(steps.iter().flat_map(|step| step.to_le_bytes()).collect()),
        decode: |bytes, _| Ok(bytes.as_chunks::<2>().0.iter().map(|two| u16::from_le_bytes(*two)).collect()),
    }),
    channels: ANY_LAYER,
    placement: Placement::Described,
};

#[cfg(feature = "bake")]
pub const R32_TILE: TileFacts = TileFacts {
    ending: "r32",
    storage: Storage::Floats(Coder { encode: |values, _| Ok(encode(values)), decode: |bytes, _| Ok(floats(bytes)) }),
    channels: ANY_LAYER,
    placement: Placement::Described,
};

#[cfg(feature = "bake")]
pub const VOLUME: VolumeFacts = |_, values| encode(values);

#[cfg(feature = "bake")]
fn encode(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Little-endian floats.
#[cfg(feature = "bake")]
pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
}

/// An encoding of plain numbers.
struct Plain {
    /// Bytes per number.
    bytes: usize,
    /// Reads all numbers.
    read: fn(&[u8]) -> Vec<f32>,
}

/// `None` for an encoding that is not one of plain numbers.
fn plain(encoding: HeightEncoding) -> Option<Plain> {
    fn each<const N: usize>(data: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
        data.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)).collect()
    }
    let of = |bytes, read| Some(Plain { bytes, read });
    match encoding {
        HeightEncoding::File
        | HeightEncoding::Terrarium
        | HeightEncoding::MapboxRgb
        | HeightEncoding::Red
        | HeightEncoding::Green
        | HeightEncoding::Blue
        | HeightEncoding::Opacity
        | HeightEncoding::Lightness
        | HeightEncoding::GreenRed
        | HeightEncoding::BlueYellow => None,
        HeightEncoding::Uint8 => of(1, |data| each(data, |[byte]| unit(f64::from(byte), 255.0))),
        HeightEncoding::Int8 => of(1, |data| each(data, |byte| f32::from(i8::from_le_bytes(byte)))),
        HeightEncoding::Uint16Le => of(2, |data| each(data, |two| unit(f64::from(u16::from_le_bytes(two)), 65535.0))),
        HeightEncoding::Uint16Be => of(2, |data| each(data, |two| unit(f64::from(u16::from_be_bytes(two)), 65535.0))),
        HeightEncoding::Int16Le => of(2, |data| each(data, |two| f32::from(i16::from_le_bytes(two)))),
        HeightEncoding::Int16Be => of(2, |data| each(data, |two| f32::from(i16::from_be_bytes(two)))),
        HeightEncoding::Uint32Le => of(4, |data| each(data, |four| u32::from_le_bytes(four) as f32)),
        HeightEncoding::Uint32Be => of(4, |data| each(data, |four| u32::from_be_bytes(four) as f32)),
        HeightEncoding::Int32Le => of(4, |data| each(data, |four| i32::from_le_bytes(four) as f32)),
        HeightEncoding::Int32Be => of(4, |data| each(data, |four| i32::from_be_bytes(four) as f32)),
        HeightEncoding::Float32Le => of(4, |data| each(data, f32::from_le_bytes)),
        HeightEncoding::Float32Be => of(4, |data| each(data, f32::from_be_bytes)),
        HeightEncoding::Float64Le => of(8, |data| each(data, |eight| f64::from_le_bytes(eight) as f32)),
        HeightEncoding::Float64Be => of(8, |data| each(data, |eight| f64::from_be_bytes(eight) as f32)),
    }
}

fn bytes(encoding: HeightEncoding) -> Option<usize> {
    plain(encoding).map(|plain| plain.bytes)
}

/// Reads rows in the declared encoding, or in the usual one if none is declared. The number of rows follows from the size of the file.
fn decode(&Source { bytes: data, declared, .. }: &Source<'_>, usual: HeightEncoding) -> Decoded {
    let encoding = if declared.encoding == HeightEncoding::File { usual } else { declared.encoding };
    let Plain { bytes: each, read } = plain(encoding).ok_or_else(|| format!("encoding = \"{encoding}\" is not one of plain numbers"))?;
    let count = data.len() / each;
    let columns = declared.columns.map_or(count.isqrt(), |columns| columns as usize);
    if columns == 0
        || !count.is_multiple_of(columns)
        || count * each != data.len()
        || (declared.columns.is_none() && columns * columns != count)
    {
        let rows = declared.columns.map_or("a square".to_owned(), |columns| format!("rows of {columns} numbers"));
        let help = if declared.columns.is_none() { "; columns gives the length of a row" } else { "" };
        return Err(format!("{} bytes are not {rows} of {each} byte(s) each{help}", data.len()));
    }
    let size = sized([columns as u64, (count / columns) as u64])?;
    Ok(Grid { size, values: read(data), place: None })
}
