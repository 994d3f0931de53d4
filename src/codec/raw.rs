//! Numbers without a header, row after row.

use super::{Declared, Decoded, Grid, HeightEncoding, sized, unit};

/// Bytes of a number; `None` for what is not an encoding of plain numbers.
pub fn bytes(encoding: HeightEncoding) -> Option<usize> {
    match encoding {
        HeightEncoding::File | HeightEncoding::Terrarium | HeightEncoding::MapboxRgb => None,
        HeightEncoding::Uint8 | HeightEncoding::Int8 => Some(1),
        HeightEncoding::Uint16Le | HeightEncoding::Uint16Be | HeightEncoding::Int16Le | HeightEncoding::Int16Be => Some(2),
        HeightEncoding::Uint32Le
        | HeightEncoding::Uint32Be
        | HeightEncoding::Int32Le
        | HeightEncoding::Int32Be
        | HeightEncoding::Float32Le
        | HeightEncoding::Float32Be => Some(4),
        HeightEncoding::Float64Le | HeightEncoding::Float64Be => Some(8),
    }
}

/// Reads as many rows as there are, in the declared encoding, else in this one.
pub fn decode(data: &[u8], declared: Declared, usual: HeightEncoding) -> Decoded {
    let encoding = if declared.encoding == HeightEncoding::File { usual } else { declared.encoding };
    let each = bytes(encoding).ok_or_else(|| format!("encoding = \"{encoding}\" is not one of plain numbers"))?;
    let count = data.len() / each;
    let columns = declared.columns.map_or(count.isqrt(), |columns| columns as usize);
    if columns == 0
        || !count.is_multiple_of(columns)
        || count * each != data.len()
        || (declared.columns.is_none() && columns * columns != count)
    {
        let rows = declared.columns.map_or("a square".to_owned(), |columns| format!("rows of {columns} numbers"));
        let help = if declared.columns.is_none() { "; columns says how many there are in a row" } else { "" };
        return Err(format!("{} bytes are not {rows} of {each} byte(s) each{help}", data.len()));
    }
    let size = sized([columns as u64, (count / columns) as u64])?;
    Ok(Grid { size, values: numbers(data, encoding), place: None })
}

/// All numbers, one after the other.
pub fn numbers(data: &[u8], encoding: HeightEncoding) -> Vec<f32> {
    fn each<const N: usize>(data: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
        data.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)).collect()
    }
    match encoding {
        HeightEncoding::File | HeightEncoding::Terrarium | HeightEncoding::MapboxRgb => Vec::new(),
        HeightEncoding::Uint8 => each(data, |[byte]| unit(f64::from(byte), 255.0)),
        HeightEncoding::Int8 => each(data, |byte| f32::from(i8::from_le_bytes(byte))),
        HeightEncoding::Uint16Le => each(data, |two| unit(f64::from(u16::from_le_bytes(two)), 65535.0)),
        HeightEncoding::Uint16Be => each(data, |two| unit(f64::from(u16::from_be_bytes(two)), 65535.0)),
        HeightEncoding::Int16Le => each(data, |two| f32::from(i16::from_le_bytes(two))),
        HeightEncoding::Int16Be => each(data, |two| f32::from(i16::from_be_bytes(two))),
        HeightEncoding::Uint32Le => each(data, |four| u32::from_le_bytes(four) as f32),
        HeightEncoding::Uint32Be => each(data, |four| u32::from_be_bytes(four) as f32),
        HeightEncoding::Int32Le => each(data, |four| i32::from_le_bytes(four) as f32),
        HeightEncoding::Int32Be => each(data, |four| i32::from_be_bytes(four) as f32),
        HeightEncoding::Float32Le => each(data, f32::from_le_bytes),
        HeightEncoding::Float32Be => each(data, f32::from_be_bytes),
        HeightEncoding::Float64Le => each(data, |eight| f64::from_le_bytes(eight) as f32),
        HeightEncoding::Float64Be => each(data, |eight| f64::from_be_bytes(eight) as f32),
    }
}
