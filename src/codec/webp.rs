//! Lossless WebP.

use super::picture::PictureFacts;
use image::ImageEncoder;
use image::codecs::webp::WebPEncoder;
use std::io::Error;

pub const PICTURE: PictureFacts = PictureFacts {
    encode: |pixels, [width, height], channels| {
        let mut out = Vec::new();
        WebPEncoder::new_lossless(&mut out).write_image(pixels, width, height, channels.colour()).map_err(Error::other)?;
        Ok(out)
    },
    archived: pmtiles::TileType::Webp,
};
