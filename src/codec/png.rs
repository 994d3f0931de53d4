//! PNG: pictures as 0 to 1, colours as their luminance; tiles whose colours are heights.

use super::colours::{Colours, MAPBOX_RGB, TERRARIUM};
use super::{Decoded, Grid, HeightEncoding, sized, unit};
use crate::limits::DECODER;
use image::{ColorType, DynamicImage, ImageDecoder, Limits, codecs::png::PngDecoder};

pub fn decode(bytes: &[u8], encoding: HeightEncoding) -> Decoded {
    // Of the picture itself the decoder holds two rows at a time; the rest is what metadata unpacks to.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODER as u64);
    let decoder = PngDecoder::with_limits(std::io::Cursor::new(bytes), limits).map_err(|error| error.to_string())?;
    let (columns, rows) = decoder.dimensions();
    let size = sized([columns.into(), rows.into()])?;
    let colour = decoder.color_type();
    let picture = || DynamicImage::from_decoder(decoder).map_err(|error| error.to_string());
    let narrow = matches!(colour, ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8);
    let values = match encoding {
        HeightEncoding::Terrarium => colours(picture()?, colour, TERRARIUM)?,
        HeightEncoding::MapboxRgb => colours(picture()?, colour, MAPBOX_RGB)?,
        _ if narrow => picture()?.into_luma8().into_raw().into_iter().map(|step| unit(f64::from(step), 255.0)).collect(),
        _ => picture()?.into_luma16().into_raw().into_iter().map(|step| unit(f64::from(step), 65535.0)).collect(),
    };
    Ok(Grid { size, values, place: None })
}

fn colours(picture: DynamicImage, colour: ColorType, formula: Colours) -> Result<Vec<f32>, String> {
    if !matches!(colour, ColorType::Rgb8 | ColorType::Rgba8) {
        return Err(format!("a picture of {colour:?} holds no heights as colours; allowed: red, green and blue of 8 bits"));
    }
    Ok(picture.into_rgb8().pixels().map(|pixel| formula.decode(pixel.0) as f32).collect())
}
