//! Arguments for maps: formats and positions.

use super::finite;
use crate::exit::{Failure, USAGE};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use orogen::bake::{Format, RangeChoice, Tiles};
#[cfg(feature = "zarr")]
use orogen::map::Zarr;
use orogen::map::{Cog, Encoding, HeightStorage, Map, MeshFormat, Meshes, Pyramid, TileFormat};
use std::path::PathBuf;
use std::sync::LazyLock;

/// A format of tiles, or of a map that is made from them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyFormat {
    Tiles(Format),
    Map(MapFormat),
}

/// Formats of maps.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum MapFormat {
    /// A map for the browser: pyramids of tiles with Terrarium heights, as folders and as PMTiles, and a page that shows them.
    Terrarium,
    /// As terrarium, with Mapbox Terrain-RGB heights in steps of 0.1 m.
    MapboxRgb,
    /// Cloud-optimised GeoTIFF of 32-bit floats, one file for the world.
    Cog,
    /// As cog, with 16-bit integers, scale and offset, over --range LO,HI or the measured heights.
    Cog16,
    /// The heights as an adaptive triangle mesh: binary glTF, one mesh per chunk.
    Glb,
    /// As glb, in binary PLY.
    Ply,
    /// Zarr version 3: arrays of 32-bit floats for every level of detail, for NumPy, xarray and Dask.
    #[cfg(feature = "zarr")]
    Zarr,
}

impl ValueEnum for AnyFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<AnyFormat>> = LazyLock::new(|| {
            // A word that names both is the format of tiles: arrays can be baked directly, or made from a bake.
            let tiles = Format::value_variants().iter().map(|&format| AnyFormat::Tiles(format));
            let names: Vec<_> = Format::value_variants().iter().map(|format| format.name()).collect();
            let only = |format: &&MapFormat| format.to_possible_value().is_some_and(|value| !names.contains(&value.get_name()));
            tiles.chain(MapFormat::value_variants().iter().filter(only).map(|&format| AnyFormat::Map(format))).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            AnyFormat::Tiles(format) => format.to_possible_value(),
            AnyFormat::Map(format) => format.to_possible_value(),
        }
    }
}

/// Two numbers, `X,Y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair(pub [f64; 2]);

impl std::str::FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let pair = text.split_once(',').and_then(|(x, y)| Some(Pair([number(x)?, number(y)?])));
        pair.ok_or_else(|| format!("'{text}' is not X,Y: two finite numbers"))
    }
}

/// A coordinate reference system, `EPSG:n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crs(pub u16);

impl std::str::FromStr for Crs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let code =
            text.split_once(':').filter(|(authority, _)| authority.eq_ignore_ascii_case("EPSG")).and_then(|(_, code)| code.parse().ok());
        code.map(Crs).ok_or_else(|| format!("'{text}' is not EPSG:n with n from 1 to 65535"))
    }
}

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Maps")]
pub struct MapArgs {
    /// Pixels along the edge of a map's tile: 256 or 512 for pyramids, a multiple of 16 from 64 to 4096 for GeoTIFF, 16 to 1024
    /// for a chunk of a Zarr array (orogen map only) [default: 256, or 512 for GeoTIFF].
    #[arg(long, value_name = "N")]
    pub pixels: Option<u32>,
    /// Zoom level at full resolution [default: the zoom whose pixel size, in metres, is closest to the sample spacing].
    #[arg(long, value_name = "Z")]
    pub zoom: Option<u32>,
    /// Add a pyramid of the shaded relief, for viewers that do not shade.
    #[arg(long)]
    pub relief: bool,
    /// Lossless format of a pyramid's tiles [default: png].
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub tile_format: Option<TileFormat>,
    /// Projected coordinate reference system of a GeoTIFF [default: none].
    #[arg(long, value_name = "EPSG:n")]
    pub crs: Option<Crs>,
    /// Map coordinates of the world position 0,0: coordinates in the GeoTIFF's system, or degrees east and north for a pyramid,
    /// rounded to its pixels [default: 0,0].
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub origin: Option<Pair>,
    /// Units of a GeoTIFF's coordinates per sample [default: world units per sample].
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite)]
    pub step: Option<f64>,
    /// Cells along the edge of a mesh [default: 256].
    #[arg(long, value_name = "N")]
    pub cells: Option<u32>,
    /// Number of levels of detail of meshes. Each has half as many samples along an edge as the previous one [default: 1].
    #[arg(long, value_name = "N")]
    pub levels: Option<u32>,
    /// Maximum vertical error of a mesh, in world units; with 0 every sample is a vertex [default: a tenth of the sample
    /// spacing].
    #[arg(long, value_name = "E", allow_hyphen_values = true, value_parser = finite)]
    pub error: Option<f64>,
    /// Depth of the walls around a mesh that hide gaps between levels, in world units [default: 0, no walls].
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = finite)]
    pub skirt: Option<f64>,
}

const PYRAMIDS: &str = "--format terrarium or mapbox-rgb";
const GEOTIFF: &str = "--format cog or cog16";
const MESHES: &str = "--format glb or ply";

impl MapArgs {
    /// The map to make in a format, for samples of this spacing; `range` is the declared range of integers.
    ///
    /// # Errors
    /// Returns an error if a flag belongs to another format.
    pub fn map(&self, format: MapFormat, spacing: f64, range: Option<[f64; 2]>) -> Result<Map, Failure> {
        let origin = self.origin.map_or([0.0; 2], |origin| origin.0);
        let pyramid = |encoding| {
            self.allow(&["--pixels", "--zoom", "--relief", "--tile-format", "--origin"])?;
            let (pixels, format) = (self.pixels.unwrap_or(256), self.tile_format.unwrap_or_default());
            Ok::<_, Failure>(Map::Pyramid(Pyramid { encoding, pixels, zoom: self.zoom, relief: self.relief, format, origin }))
        };
        let cog = |numbers| {
            self.allow(&["--pixels", "--crs", "--origin", "--step"])?;
            let pixels = self.pixels.unwrap_or(512);
            Ok::<_, Failure>(Map::Cog(Cog { numbers, pixels, crs: self.crs.map(|crs| crs.0), origin, step: self.step }))
        };
        let meshes = |format| {
            self.allow(&["--cells", "--levels", "--error", "--skirt"])?;
            Ok::<_, Failure>(Map::Meshes(Meshes {
                format,
                cells: self.cells.unwrap_or(256),
                levels: self.levels.unwrap_or(1),
                error: self.error.unwrap_or(spacing / 10.0),
                skirt: self.skirt.unwrap_or(0.0),
            }))
        };
        Ok(match format {
            MapFormat::Terrarium => pyramid(Encoding::Terrarium)?,
            MapFormat::MapboxRgb => pyramid(Encoding::MapboxRgb)?,
            MapFormat::Cog => cog(HeightStorage::Float)?,
            MapFormat::Cog16 => cog(HeightStorage::Integer(range))?,
            MapFormat::Glb => meshes(MeshFormat::Glb)?,
            MapFormat::Ply => meshes(MeshFormat::Ply)?,
            #[cfg(feature = "zarr")]
            MapFormat::Zarr => {
                self.allow(&["--pixels"])?;
                Map::Zarr(Zarr { pixels: self.pixels.unwrap_or(256) })
            }
        })
    }

    /// Refuses all flags of maps except these.
    ///
    /// # Errors
    /// Returns an error if another flag is set.
    pub fn allow(&self, flags: &[&str]) -> Result<(), Failure> {
        let all = [
            ("--pixels", self.pixels.is_some(), "--format terrarium, mapbox-rgb, cog or cog16, or orogen map --format zarr"),
            ("--zoom", self.zoom.is_some(), PYRAMIDS),
            ("--relief", self.relief, PYRAMIDS),
            ("--tile-format", self.tile_format.is_some(), PYRAMIDS),
            ("--crs", self.crs.is_some(), GEOTIFF),
            ("--origin", self.origin.is_some(), "--format cog, cog16, terrarium or mapbox-rgb"),
            ("--step", self.step.is_some(), GEOTIFF),
            ("--cells", self.cells.is_some(), MESHES),
            ("--levels", self.levels.is_some(), MESHES),
            ("--error", self.error.is_some(), MESHES),
            ("--skirt", self.skirt.is_some(), MESHES),
        ];
        match all.iter().find(|(flag, given, _)| *given && !flags.contains(flag)) {
            Some((flag, _, allowed)) => Err(Failure::message(USAGE, format!("{flag} is not allowed here; allowed: with {allowed}"))),
            None => Ok(()),
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct MapVerbArgs {
    /// The directory of a bake, or the directory or URL of a planned world that is sealed.
    #[arg(value_name = "BAKE")]
    pub bake: PathBuf,
    /// An empty directory, or one that contains this map.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Format of the map.
    #[arg(long)]
    pub format: MapFormat,
    /// Tiles to include, half-open ranges [default: all tiles of the bake].
    #[arg(long, value_name = "X0..X1,Y0..Y1", allow_hyphen_values = true)]
    pub tiles: Option<Tiles>,
    /// With --format cog16: the heights that become 0 and 65535 [default: the lowest and the highest].
    #[arg(long, value_name = "LO,HI|measured", allow_hyphen_values = true)]
    pub range: Option<RangeChoice>,
    #[command(flatten)]
    pub map: MapArgs,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}
