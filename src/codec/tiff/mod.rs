//! TIFF, BigTIFF and GeoTIFF.
//!
//! | file | contents |
//! |---|---|
//! | `heights` | reading: samples as heights |
//! | `directory` | reading: entries by their tags |
//! | `chunks` | reading: strips and tiles, decompressed |
//! | `geo` | reading: the tags of GeoTIFF and GDAL |
//! | `write` | writing: directories |
//! | `pixel` | writing: the numbers of a tile, and the directory that describes them |

#[cfg(feature = "tiff")]
mod chunks;
#[cfg(feature = "tiff")]
mod directory;
#[cfg(feature = "tiff")]
mod geo;
#[cfg(feature = "tiff")]
mod heights;
#[cfg(feature = "maps")]
mod pixel;
#[cfg(feature = "maps")]
mod write;

#[cfg(feature = "tiff")]
pub(super) use heights::HEIGHTS;
#[cfg(feature = "maps")]
pub(crate) use {
    pixel::{Part, Pixel},
    write::{Big, Field, Value, beginning},
};
