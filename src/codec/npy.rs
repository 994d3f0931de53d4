//! NumPy's format, versions 1 to 3. Heights are an array of two dimensions, in row-major or column-major order.

use super::heights::{Decoded, Grid, HeightsFacts, Source, nothing_declared, sized, unit};
#[cfg(feature = "bake")]
use super::{
    raw,
    tile::{ANY_LAYER, Coder, Placement, Shape, Storage, TileFacts},
    volume::VolumeFacts,
};
use half::f16;
#[cfg(feature = "bake")]
use std::io::Result as IoResult;

pub const HEIGHTS: HeightsFacts = HeightsFacts { endings: &["npy"], allows: nothing_declared, has_size: true, decode };

#[cfg(feature = "bake")]
pub const TILE: TileFacts = TileFacts {
    ending: "npy",
    storage: Storage::Floats(Coder { encode: encode_tile, decode: decode_tile }),
    channels: ANY_LAYER,
    placement: Placement::File,
};

#[cfg(feature = "bake")]
pub const VOLUME: VolumeFacts = encode;

fn decode(&Source { bytes, .. }: &Source<'_>) -> Decoded {
    let none = || "is not a NumPy array".to_owned();
    let (&[_, _, _, _, _, _, version, _], rest) =
        bytes.split_first_chunk::<8>().filter(|(magic, _)| magic.starts_with(b"\x93NUMPY")).ok_or_else(none)?;
    let (length, rest) = if version == 1 {
        rest.split_first_chunk::<2>().map(|(length, rest)| (usize::from(u16::from_le_bytes(*length)), rest)).ok_or_else(none)?
    } else {
        rest.split_first_chunk::<4>().map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest)).ok_or_else(none)?
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(none)?;
    let header = std::str::from_utf8(header).map_err(|_| none())?;
    let after = |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let word = after("'descr'").and_then(|rest| rest.strip_prefix('\'')?.split('\'').next());
    let word = word.ok_or("an array of several fields is not allowed; allowed: one number in each place")?;
    let in_columns = after("'fortran_order'").is_some_and(|rest| rest.starts_with("True"));
    let shape = after("'shape'").and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.split_once(')')).ok_or_else(none)?.0;
    let shape: Vec<u64> =
        shape.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().map_err(|_| none())).collect::<Result<_, _>>()?;
    // One band of a picture, before or after the rows and columns.
    let &([rows, columns] | [1, rows, columns] | [rows, columns, 1]) = &shape[..] else {
        return Err(format!("an array of shape {shape:?} is not allowed; allowed: (rows, columns)"));
    };
    let size = sized([columns, rows])?;
    let values = numbers(word, data)?;
    let count = rows as usize * columns as usize;
    if values.len() != count {
        return Err(format!("{} numbers for {columns} × {rows} samples", values.len()));
    }
    let (columns, rows) = (columns as usize, rows as usize);
    let values = if in_columns { (0..count).map(|i| values[i % columns * rows + i / columns]).collect() } else { values };
    Ok(Grid { size, values, place: None })
}

/// The numbers of a type, as in NumPy: byte order, kind, bytes.
fn numbers(word: &str, data: &[u8]) -> Result<Vec<f32>, String> {
    fn each<const N: usize>(data: &[u8], big: bool, number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
        let order = |mut bytes: [u8; N]| {
            if big {
                bytes.reverse();
            }
            bytes
        };
        data.as_chunks::<N>().0.iter().map(|bytes| number(order(*bytes))).collect()
    }
    let big = word.starts_with('>');
    Ok(match word.trim_start_matches(['<', '>', '|', '=']) {
        "f2" => each(data, big, |two| f16::from_le_bytes(two).to_f32()),
        "f4" => each(data, big, f32::from_le_bytes),
        "f8" => each(data, big, |eight| f64::from_le_bytes(eight) as f32),
        "u1" => each(data, big, |[byte]| unit(f64::from(byte), 255.0)),
        "u2" => each(data, big, |two| unit(f64::from(u16::from_le_bytes(two)), 65535.0)),
        "u4" => each(data, big, |four| u32::from_le_bytes(four) as f32),
        "u8" => each(data, big, |eight| u64::from_le_bytes(eight) as f32),
        "i1" => each(data, big, |byte| f32::from(i8::from_le_bytes(byte))),
        "i2" => each(data, big, |two| f32::from(i16::from_le_bytes(two))),
        "i4" => each(data, big, |four| i32::from_le_bytes(four) as f32),
        "i8" => each(data, big, |eight| i64::from_le_bytes(eight) as f32),
        "b1" => each(data, big, |[byte]| f32::from(u8::from(byte != 0))),
        _ => return Err(format!("an array of '{word}' is not allowed; allowed: floats (f2, f4, f8), integers (u1 to u8, i1 to i8), b1")),
    })
}

/// The header of version 1.0 for little-endian f32 of a shape. Spaces pad it so that the numbers begin at a multiple of 64 bytes.
fn header(shape: &[usize]) -> Vec<u8> {
    let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.bytes());
    header
}

/// Writes numbers as a NumPy file of a shape. The last axis is fastest.
pub fn encode(shape: &[usize], values: &[f32]) -> Vec<u8> {
    let mut bytes = header(shape);
    bytes.reserve_exact(4 * values.len());
    values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    bytes
}

#[cfg(feature = "bake")]
fn encode_tile(values: &[f32], Shape { size, channels }: Shape) -> IoResult<Vec<u8>> {
    let [columns, rows] = size.map(|edge| edge as usize);
    Ok(if channels == 1 { encode(&[rows, columns], values) } else { encode(&[rows, columns, channels], values) })
}

/// Reads what [`encode_tile`] wrote.
#[cfg(feature = "bake")]
fn decode_tile(bytes: &[u8], _: Shape) -> IoResult<Vec<f32>> {
    let header = bytes.get(8..10).map_or(0, |length| 10 + usize::from(u16::from_le_bytes([length[0], length[1]])));
    Ok(raw::floats(bytes.get(header..).unwrap_or_default()))
}
