//! NumPy's format, versions 1 to 3: an array of two dimensions, in rows or in columns.

use super::{Decoded, Grid, HeightEncoding, raw, sized, unit};
use half::f16;

pub fn decode(bytes: &[u8]) -> Decoded {
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

/// The numbers of a type as NumPy writes it: byte order, kind, bytes.
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
        "u1" => raw::numbers(data, HeightEncoding::Uint8),
        "u2" => each(data, big, |two| unit(f64::from(u16::from_le_bytes(two)), 65535.0)),
        "u4" => each(data, big, |four| u32::from_le_bytes(four) as f32),
        "u8" => each(data, big, |eight| u64::from_le_bytes(eight) as f32),
        "i1" => raw::numbers(data, HeightEncoding::Int8),
        "i2" => each(data, big, |two| f32::from(i16::from_le_bytes(two))),
        "i4" => each(data, big, |four| i32::from_le_bytes(four) as f32),
        "i8" => each(data, big, |eight| i64::from_le_bytes(eight) as f32),
        "b1" => each(data, big, |[byte]| f32::from(u8::from(byte != 0))),
        _ => return Err(format!("an array of '{word}' is not allowed; allowed: floats (f2, f4, f8), integers (u1 to u8, i1 to i8), b1")),
    })
}
