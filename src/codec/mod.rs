//! File formats of numbers on a grid. Each format is one file, with its decoder, its encoder and its facts, and one row in
//! the tables below.
//!
//! | file | contents |
//! |---|---|
//! | here | the tables of formats: of rasters, of the tiles of bakes, of volumes, of the pictures of maps |
//! | `heights` | the facts of a format that rasters read |
//! | `tile`, `quantisation` | the facts of a format of a bake's tiles, and samples as the numbers of a file |
//! | `volume` | the facts of a format of volumes |
//! | `picture`, `colours` | the facts of a format of a map's pictures, and heights as colours |
//! | `channels` | channels of a picture as numbers |
//! | `oklab`, `srgb` | linear light and OKLab; the transfer function of sRGB |
//! | the others | one format each |
//!
//! A decoder takes all bytes of a file and allocates no more than [`limits`](crate::limits) allow.
//!
//! To add a format, write its file, and add its module and its row here.

mod ascii;
#[cfg(any(feature = "exr", feature = "png"))]
mod channels;
#[cfg(feature = "png")]
mod colours;
#[cfg(feature = "exr")]
mod exr;
#[cfg(all(test, feature = "jpeg", feature = "maps", feature = "tiff"))]
mod formats;
mod heights;
mod hgt;
#[cfg(feature = "jpeg")]
mod jpeg;
pub(crate) mod npy;
pub(crate) mod oklab;
#[cfg(feature = "maps")]
mod picture;
#[cfg(feature = "png")]
pub(crate) mod png;
#[cfg(feature = "bake")]
mod quantisation;
mod raw;
#[cfg(feature = "bake")]
mod shares;
pub(crate) mod srgb;
#[cfg(any(feature = "tiff", feature = "maps"))]
pub(crate) mod tiff;
#[cfg(feature = "bake")]
mod tile;
#[cfg(feature = "bake")]
mod volume;
#[cfg(feature = "maps")]
mod webp;
#[cfg(feature = "bake")]
mod weights;
#[cfg(feature = "zarr")]
pub(crate) mod zarr;

pub(crate) use heights::{Declared, Grid, HeightsFacts, Source};
pub use heights::{Georeference, HeightEncoding};
#[cfg(feature = "maps")]
pub(crate) use picture::Channels;
#[cfg(feature = "bake")]
pub(crate) use {
    quantisation::Quantisation,
    tile::{Encoded, Samples, Shape},
};

#[cfg(feature = "maps")]
use self::{colours::Colours, picture::PictureFacts};
#[cfg(feature = "bake")]
use self::{tile::TileFacts, volume::VolumeFacts};
#[cfg(feature = "bake")]
use serde::{Deserialize, Serialize};

/// The table of formats that a raster reads. A row names the feature that it needs, if any.
macro_rules! heights {
    ($($format:ident :: $row:ident $(if $feature:literal)?),+ $(,)?) => {
        /// Formats that a raster reads, in this build.
        const HEIGHTS: &[HeightsFacts] = &[$($(#[cfg(feature = $feature)])? $format::$row),+];

        /// Features of this crate without which it reads fewer formats, and that this build lacks.
        const ABSENT_FEATURES: &[&str] = &[$($(#[cfg(not(feature = $feature))] $feature,)?)+];
    };
}

heights! {
    npy::HEIGHTS,
    raw::R16_HEIGHTS,
    raw::R32_HEIGHTS,
    raw::RAW_HEIGHTS,
    hgt::HEIGHTS,
    ascii::HEIGHTS,
    png::HEIGHTS if "png",
    jpeg::HEIGHTS if "jpeg",
    exr::HEIGHTS if "exr",
    tiff::HEIGHTS if "tiff",
}

/// Defines an enum of formats. Each row has a variant, its word and its facts, and the feature that it needs, if any.
#[cfg(feature = "bake")]
macro_rules! formats {
    (
        $(#[$about:meta])*
        $name:ident: $facts:ty { $($(#[$doc:meta])* $variant:ident $word:literal $(if $feature:literal)? = $row:expr),+ $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum $name { $($(#[$doc])* $(#[cfg(feature = $feature)])? #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// All formats, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($(#[cfg(feature = $feature)])? $name::$variant),+];

            /// Its word on the command line and in records.
            pub const fn name(self) -> &'static str {
                match self { $($(#[cfg(feature = $feature)])? $name::$variant => $word),+ }
            }

            const fn facts(self) -> &'static $facts {
                match self { $($(#[cfg(feature = $feature)])? $name::$variant => &$row),+ }
            }
        }
    };
}

#[cfg(feature = "bake")]
formats! {
    /// A file format of a bake's tiles.
    #[derive(Default)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    Format: TileFacts {
        /// 16-bit PNG: greys over the declared range, normals over −1 to 1, colours in sRGB with opacity.
        #[default]
        Png16 "png16" = png::TILE_16,
        /// 8-bit PNG, the same way.
        Png8 "png8" = png::TILE_8,
        /// OpenEXR, uncompressed 32-bit floats: `Y`, or `R`, `G`, `B` for normals, or these and `A` for colours in linear light.
        Exr "exr" = exr::TILE,
        /// NumPy array of 32-bit floats, shape (rows, columns), or (rows, columns, channels).
        Npy "npy" = npy::TILE,
        /// Headerless 16-bit little-endian integers, the same as in 16-bit PNG, with a JSON file that describes them.
        R16 "r16" = raw::R16_TILE,
        /// Headerless 32-bit little-endian floats, channels side by side, with a JSON file that describes them.
        R32 "r32" = raw::R32_TILE,
        /// 8-bit PNG with red, green, blue and alpha: two to four layers of one channel, named `a+b+c`, as shares that add up to 255.
        #[cfg_attr(feature = "clap", value(skip))]
        Weights "weights" = weights::TILE,
        /// With feature `zarr`: Zarr version 3, arrays of 32-bit floats of every level of detail, for NumPy, xarray and Dask. A tile is a
        /// file of its layer's array.
        Zarr "zarr" if "zarr" = zarr::TILE,
    }
}

#[cfg(feature = "bake")]
formats! {
    /// A file format of a volume of samples: 32-bit little-endian floats.
    VolumeFormat: VolumeFacts {
        /// NumPy array of shape (z, y, x).
        Npy "npy" = npy::VOLUME,
        /// Without a header, x fastest.
        Raw "raw" = raw::VOLUME,
    }
}

#[cfg(feature = "maps")]
formats! {
    /// A file format of a pyramid's tiles. Every format is lossless.
    #[derive(Default)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    TileFormat: PictureFacts {
        /// PNG, which every viewer reads.
        #[default]
        Png "png" = png::PICTURE,
        /// Lossless WebP.
        Webp "webp" = webp::PICTURE,
    }
}

#[cfg(feature = "maps")]
formats! {
    /// An encoding of a height in metres as a pixel's red, green and blue.
    Encoding: Colours {
        /// Mapzen's Terrarium tiles: red · 256 + green + blue / 256 − 32768, in steps of 1/256 m.
        Terrarium "terrarium" = colours::TERRARIUM,
        /// Mapbox Terrain-RGB: −10000 + (red · 65536 + green · 256 + blue) · 0.1, in steps of 0.1 m.
        MapboxRgb "mapbox-rgb" = colours::MAPBOX_RGB,
    }
}
