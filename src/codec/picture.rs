//! Formats of the pictures of a map's pyramid.

use super::TileFormat;
use image::ExtendedColorType;
use std::io::Result;

/// Writes pixels in rows, of a number of columns and rows, as a file.
type Encode = fn(pixels: &[u8], size: [u32; 2], channels: Channels) -> Result<Vec<u8>>;

/// The facts of a format of a map's pictures. Every such format is lossless.
pub(crate) struct PictureFacts {
    pub encode: Encode,
    /// Its type in a PMTiles archive.
    pub archived: pmtiles::TileType,
}

/// The bytes of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Channels {
    Rgb,
    Rgba,
}

impl Channels {
    pub(super) fn colour(self) -> ExtendedColorType {
        match self {
            Channels::Rgb => ExtendedColorType::Rgb8,
            Channels::Rgba => ExtendedColorType::Rgba8,
        }
    }
}

impl TileFormat {
    /// Writes a picture as a file.
    pub(crate) fn encode(self, pixels: &[u8], size: [u32; 2], channels: Channels) -> Result<Vec<u8>> {
        (self.facts().encode)(pixels, size, channels)
    }

    /// Its type in a PMTiles archive.
    pub(crate) fn archived(self) -> pmtiles::TileType {
        self.facts().archived
    }
}
