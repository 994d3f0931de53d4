//! JPEG: photographs. Heights are greys from 0 to 1, or the luminance or a channel of colours.

use super::channels::channel;
use super::heights::{Decoded, Grid, HeightEncoding, HeightsFacts, Source, sized, unit};
use crate::limits::EDGE;
use image::{DynamicImage, RgbImage};
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

pub const HEIGHTS: HeightsFacts = HeightsFacts {
    endings: &["jpg", "jpeg"],
    allows: |encoding| encoding == HeightEncoding::File || channel(encoding).is_some(),
    has_size: true,
    decode,
};

fn decode(&Source { bytes, declared, .. }: &Source<'_>) -> Decoded {
    // Strict: a file that ends early is an error. Scalar: the same pixels on every machine.
    let options = DecoderOptions::default().set_strict_mode(true).set_use_unsafe(false).jpeg_set_out_colorspace(ColorSpace::RGB);
    let options = options.set_max_width(EDGE as usize).set_max_height(EDGE as usize);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let failed = |error: DecodeErrors| format!("this is not a whole JPEG file ({error})");
    decoder.decode_headers().map_err(failed)?;
    let (columns, rows) = decoder.dimensions().ok_or("no size is given")?;
    let size = sized([columns as u64, rows as u64])?;
    let pixels = decoder.decode().map_err(failed)?;
    let picture = RgbImage::from_raw(size[0], size[1], pixels).ok_or("the number of pixels differs from the size")?;
    let picture = DynamicImage::ImageRgb8(picture);
    let values = match channel(declared.encoding) {
        Some(channel) => channel.numbers(&picture.into_rgba8().into_raw(), 255),
        None => picture.into_luma8().into_raw().into_iter().map(|step| unit(f64::from(step), 255.0)).collect(),
    };
    Ok(Grid { size, values, place: None })
}
