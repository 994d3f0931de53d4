//! PNG. Heights are greys from 0 to 1, the luminance or a channel of colours, or colours that encode heights.
//! Tiles are steps of 8 and 16 bits.

use super::channels::channel;
use super::colours::{Colours, MAPBOX_RGB, TERRARIUM};
use super::heights::{Decoded, Grid, HeightEncoding, HeightsFacts, Source, sized, unit};
#[cfg(feature = "maps")]
use super::picture::PictureFacts;
#[cfg(feature = "bake")]
use super::tile::{ANY_LAYER, Coder, Placement, Shape, Storage, TileFacts, invalid};
use crate::limits::DECODER;
use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::{ColorType, DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, Limits};
use std::io::{Error, Result as IoResult};

pub const HEIGHTS: HeightsFacts = HeightsFacts {
    endings: &["png"],
    allows: |encoding| encoding == HeightEncoding::File || formula(encoding).is_some() || channel(encoding).is_some(),
    has_size: true,
    decode,
};

#[cfg(feature = "bake")]
pub const TILE_8: TileFacts =
    TileFacts { ending: "png", storage: Storage::Steps8(CODER_8), channels: ANY_LAYER, placement: Placement::File };

#[cfg(feature = "bake")]
pub const TILE_16: TileFacts =
    TileFacts { ending: "png", storage: Storage::Steps16(CODER_16), channels: ANY_LAYER, placement: Placement::File };

#[cfg(feature = "bake")]
pub const CODER_8: Coder<u8> = Coder {
    encode: |steps, shape| encode_fast(steps, shape, [ExtendedColorType::L8, ExtendedColorType::Rgb8, ExtendedColorType::Rgba8]),
    decode: |bytes, _| match picture(bytes)? {
        DynamicImage::ImageLuma8(image) => Ok(image.into_raw()),
        DynamicImage::ImageRgb8(image) => Ok(image.into_raw()),
        DynamicImage::ImageRgba8(image) => Ok(image.into_raw()),
        _ => Err(invalid("a PNG file of another kind")),
    },
};

#[cfg(feature = "bake")]
const CODER_16: Coder<u16> = Coder {
    encode: |steps, shape| {
        encode_fast(bytemuck::cast_slice(steps), shape, [ExtendedColorType::L16, ExtendedColorType::Rgb16, ExtendedColorType::Rgba16])
    },
    decode: |bytes, _| match picture(bytes)? {
        DynamicImage::ImageLuma16(image) => Ok(image.into_raw()),
        DynamicImage::ImageRgb16(image) => Ok(image.into_raw()),
        DynamicImage::ImageRgba16(image) => Ok(image.into_raw()),
        _ => Err(invalid("a PNG file of another kind")),
    },
};

#[cfg(feature = "maps")]
pub const PICTURE: PictureFacts = PictureFacts {
    encode: |pixels, size, channels| encode(pixels, size, channels.colour(), CompressionType::Fast),
    archived: pmtiles::TileType::Png,
};

/// Writes a picture as a file. Numbers of 16 bits have the byte order of the machine.
pub fn encode(bytes: &[u8], [width, height]: [u32; 2], colour: ExtendedColorType, compression: CompressionType) -> IoResult<Vec<u8>> {
    let mut out = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut out, compression, FilterType::Adaptive);
    encoder.write_image(bytes, width, height, colour).map_err(Error::other)?;
    Ok(out)
}

/// Writes a tile as a grey, RGB or RGBA picture, for one, three or four channels.
#[cfg(feature = "bake")]
fn encode_fast(bytes: &[u8], Shape { size, channels }: Shape, [grey, rgb, rgba]: [ExtendedColorType; 3]) -> IoResult<Vec<u8>> {
    let colour = match channels {
        1 => grey,
        3 => rgb,
        4 => rgba,
        channels => return Err(invalid(format!("{channels} channels in a PNG file; allowed: 1, 3, 4"))),
    };
    encode(bytes, size, colour, CompressionType::Fast)
}

#[cfg(feature = "bake")]
fn picture(bytes: &[u8]) -> IoResult<DynamicImage> {
    image::load_from_memory_with_format(bytes, image::ImageFormat::Png).map_err(Error::other)
}

/// Formulas of encodings of heights as colours.
const FORMULAS: [(HeightEncoding, Colours); 2] = [(HeightEncoding::Terrarium, TERRARIUM), (HeightEncoding::MapboxRgb, MAPBOX_RGB)];

/// The formula of an encoding; `None` for any other encoding.
fn formula(encoding: HeightEncoding) -> Option<Colours> {
    FORMULAS.iter().find(|(of, _)| *of == encoding).map(|(_, formula)| *formula)
}

fn decode(&Source { bytes, declared, .. }: &Source<'_>) -> Decoded {
    // The decoder holds two rows of the picture at a time. The limit is for metadata, which it unpacks.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODER as u64);
    let decoder = PngDecoder::with_limits(std::io::Cursor::new(bytes), limits).map_err(|error| error.to_string())?;
    let (columns, rows) = decoder.dimensions();
    let size = sized([columns.into(), rows.into()])?;
    let colour = decoder.color_type();
    let picture = || DynamicImage::from_decoder(decoder).map_err(|error| error.to_string());
    let narrow = matches!(colour, ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8);
    let values = match (formula(declared.encoding), channel(declared.encoding)) {
        (Some(formula), _) => colours(picture()?, colour, formula)?,
        (None, Some(channel)) if narrow => channel.numbers(&picture()?.into_rgba8().into_raw(), 255),
        (None, Some(channel)) => channel.numbers(&picture()?.into_rgba16().into_raw(), 65535),
        (None, None) if narrow => picture()?.into_luma8().into_raw().into_iter().map(|step| unit(f64::from(step), 255.0)).collect(),
        (None, None) => picture()?.into_luma16().into_raw().into_iter().map(|step| unit(f64::from(step), 65535.0)).collect(),
    };
    Ok(Grid { size, values, place: None })
}

fn colours(picture: DynamicImage, colour: ColorType, formula: Colours) -> Result<Vec<f32>, String> {
    if !matches!(colour, ColorType::Rgb8 | ColorType::Rgba8) {
        return Err(format!("a picture of {colour:?} holds no heights as colours; allowed: red, green and blue of 8 bits"));
    }
    Ok(picture.into_rgb8().pixels().map(|pixel| formula.decode(pixel.0) as f32).collect())
}
