//! Files of heights → numbers and their size. A new format is one more arm.

use super::HeightsError;
use crate::limits::EDGE;

/// A format that this build reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    #[cfg(feature = "png")]
    Png,
    #[cfg(feature = "exr")]
    Exr,
    #[cfg(feature = "tiff")]
    Tiff,
    Npy,
    R16,
    R32,
}

impl Format {
    /// The format that a name's ending stands for.
    pub fn of(name: &str) -> Result<Self, HeightsError> {
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
            _ => wrong(format!("'{name}' ends in no known format; allowed: {}", endings())),
        }
    }

    /// The numbers in a file's bytes, with columns and rows.
    pub fn read(self, bytes: &[u8]) -> Result<(Vec<f32>, [u32; 2]), HeightsError> {
        match self {
            #[cfg(feature = "png")]
            Format::Png => png(bytes),
            #[cfg(feature = "exr")]
            Format::Exr => exr(bytes),
            #[cfg(feature = "tiff")]
            Format::Tiff => tiff(bytes),
            Format::Npy => npy(bytes),
            Format::R16 => {
                square(bytes.as_chunks::<2>().0.iter().map(|two| unit(f64::from(u16::from_le_bytes(*two)), 65535.0)).collect(), bytes, 2)
            }
            Format::R32 => square(bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(), bytes, 4),
        }
    }
}

/// The formats that this build reads.
fn endings() -> String {
    let mut all = vec!["npy", "r16", "r32"];
    let with = [("png", cfg!(feature = "png")), ("exr", cfg!(feature = "exr")), ("tif, tiff", cfg!(feature = "tiff"))];
    all.extend(with.iter().filter(|(_, there)| *there).map(|(ending, _)| *ending));
    let absent: Vec<&str> = with.iter().filter(|(_, there)| !there).map(|(ending, _)| *ending).collect();
    let features = if absent.is_empty() { String::new() } else { format!(" (this build is without {})", absent.join(", ")) };
    all.join(", ") + &features
}

fn wrong<T>(message: impl Into<String>) -> Result<T, HeightsError> {
    Err(HeightsError::Format(message.into()))
}

/// An integer as a number from 0 to 1.
fn unit(step: f64, largest: f64) -> f32 {
    (step / largest) as f32
}

/// Numbers without a header are those of a square.
fn square(values: Vec<f32>, bytes: &[u8], each: usize) -> Result<(Vec<f32>, [u32; 2]), HeightsError> {
    let edge = values.len().isqrt();
    if values.is_empty() || edge * edge != values.len() || values.len() * each != bytes.len() {
        let message =
            format!("{} bytes are no square of numbers of {each} bytes; allowed: as many columns as rows, 1 to {EDGE}", bytes.len());
        return wrong(message);
    }
    Ok((values, [edge as u32; 2]))
}

/// A size that may be allocated.
fn sized([columns, rows]: [u64; 2]) -> Result<[u32; 2], HeightsError> {
    match [columns, rows].map(u32::try_from) {
        [Ok(columns), Ok(rows)] if columns <= EDGE && rows <= EDGE => Ok([columns, rows]),
        _ => wrong(format!("{columns} × {rows} samples are too many; allowed: up to {EDGE} along an edge")),
    }
}

#[cfg(feature = "png")]
fn png(bytes: &[u8]) -> Result<(Vec<f32>, [u32; 2]), HeightsError> {
    use image::{DynamicImage, ImageDecoder, codecs::png::PngDecoder};
    let failed = |error: image::ImageError| HeightsError::Format(error.to_string());
    // Of the picture itself the decoder holds two rows at a time; the rest is what metadata unpacks to.
    let mut limits = image::Limits::no_limits();
    limits.max_alloc = Some(crate::limits::DECODER as u64);
    let decoder = PngDecoder::with_limits(std::io::Cursor::new(bytes), limits).map_err(failed)?;
    let (columns, rows) = decoder.dimensions();
    let size = sized([columns.into(), rows.into()])?;
    let narrow =
        matches!(decoder.color_type(), image::ColorType::L8 | image::ColorType::La8 | image::ColorType::Rgb8 | image::ColorType::Rgba8);
    let picture = DynamicImage::from_decoder(decoder).map_err(failed)?;
    let values = if narrow {
        picture.into_luma8().into_raw().into_iter().map(|step| unit(f64::from(step), 255.0)).collect()
    } else {
        picture.into_luma16().into_raw().into_iter().map(|step| unit(f64::from(step), 65535.0)).collect()
    };
    Ok((values, size))
}

#[cfg(feature = "exr")]
fn exr(bytes: &[u8]) -> Result<(Vec<f32>, [u32; 2]), HeightsError> {
    use exr::prelude::{ReadChannels, ReadLayers, f16, read};
    let failed = |error: exr::error::Error| HeightsError::Format(error.to_string());
    let meta = exr::meta::MetaData::read_from_buffered(std::io::Cursor::new(bytes), false).map_err(failed)?;
    let first = meta.headers.first().map(|header| header.layer_size);
    let size = first.map_or_else(|| wrong("a file without a layer"), |size| sized([size.width() as u64, size.height() as u64]))?;
    let reader = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let picture = reader.from_buffered(std::io::Cursor::new(bytes)).map_err(failed)?;
    let channels = &picture.layer_data.channel_data.list;
    let Some(channel) = channels.iter().find(|channel| channel.name.eq("Y")).or_else(|| channels.first()) else {
        return wrong("a layer without channels");
    };
    let values = match &channel.sample_data {
        exr::prelude::FlatSamples::F16(values) => values.iter().map(|value: &f16| value.to_f32()).collect(),
        exr::prelude::FlatSamples::F32(values) => values.clone(),
        exr::prelude::FlatSamples::U32(values) => values.iter().map(|&value| value as f32).collect(),
    };
    Ok((values, size))
}

#[cfg(feature = "tiff")]
fn tiff(bytes: &[u8]) -> Result<(Vec<f32>, [u32; 2]), HeightsError> {
    use tiff::decoder::{Decoder, DecodingResult as Pixels, Limits};
    let failed = |error: tiff::TiffError| HeightsError::Format(error.to_string());
    let mut limits = Limits::default();
    let most = usize::try_from(crate::limits::HEIGHTS).unwrap_or(usize::MAX);
    (limits.decoding_buffer_size, limits.intermediate_buffer_size) = (most, most);
    limits.ifd_value_size = crate::limits::DECODER;
    let mut decoder = Decoder::new(std::io::Cursor::new(bytes)).map_err(failed)?.with_limits(limits);
    let (columns, rows) = decoder.dimensions().map_err(failed)?;
    let size = sized([columns.into(), rows.into()])?;
    let all: Vec<f32> = match decoder.read_image().map_err(failed)? {
        Pixels::U8(values) => values.into_iter().map(|step| unit(f64::from(step), 255.0)).collect(),
        Pixels::U16(values) => values.into_iter().map(|step| unit(f64::from(step), 65535.0)).collect(),
        Pixels::I16(values) => values.into_iter().map(f32::from).collect(),
        Pixels::I32(values) => values.into_iter().map(|value| value as f32).collect(),
        Pixels::U32(values) => values.into_iter().map(|value| value as f32).collect(),
        Pixels::F32(values) => values,
        Pixels::F64(values) => values.into_iter().map(|value| value as f32).collect(),
        _ => return wrong("a TIFF file of other numbers; allowed: integers of 8, 16 and 32 bits, floats of 32 and 64"),
    };
    let samples = columns as usize * rows as usize;
    let channels = all.len() / samples.max(1);
    Ok((if channels > 1 { all.into_iter().step_by(channels).collect() } else { all }, size))
}

/// A NumPy array of two dimensions (the format's versions 1 to 3), its rows one after the other.
fn npy(bytes: &[u8]) -> Result<(Vec<f32>, [u32; 2]), HeightsError> {
    let none = || HeightsError::Format("no NumPy array".to_owned());
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
    let word = after("'descr'").and_then(|rest| rest.split('\'').nth(1)).ok_or_else(none)?;
    if !after("'fortran_order'").is_some_and(|rest| rest.starts_with("False")) {
        return wrong("an array in columns is not allowed; allowed: rows one after the other (order 'C')");
    }
    let shape = after("'shape'").and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.split_once(')')).ok_or_else(none)?.0;
    let shape: Vec<u64> =
        shape.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().map_err(|_| none())).collect::<Result<_, _>>()?;
    let &[rows, columns] = &shape[..] else {
        return wrong(format!("an array of shape {shape:?} is not allowed; allowed: (rows, columns)"));
    };
    let size = sized([columns, rows])?;
    let values: Vec<f32> = match word {
        "<f4" => data.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
        "<f8" => data.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight) as f32).collect(),
        "<u2" => data.as_chunks::<2>().0.iter().map(|two| unit(f64::from(u16::from_le_bytes(*two)), 65535.0)).collect(),
        "|u1" => data.iter().map(|&step| unit(f64::from(step), 255.0)).collect(),
        _ => return wrong(format!("an array of '{word}' is not allowed; allowed: <f4, <f8, <u2, |u1")),
    };
    Ok((values, size))
}
