//! Maps for map viewers and geographic information systems, made from a finished bake.
//!
//! `bake → Samples (any window, any level) → pyramid or cog → Draft (unfinished files) → finished map with its record`. A draft has a
//! folder of its own. Its files get their names after they are synced, so a map is complete or absent. [`make`] keeps a map whose
//! files all have the recorded hash, and makes any other map anew.
//!
//! On maps x grows to the east and y to the north, so positions are the same as in the world, in `orogen sample`, contours and
//! places. Pictures begin with the smallest y, so a map shows them upside down.
//!
//! ```no_run
//! use orogen::bake::read::Baked;
//! use orogen::map::{Encoding, Map, Pyramid, TileFormat, make};
//!
//! let baked = Baked::open("world/samples".as_ref())?;
//! let tiles = orogen::bake::Tiles { x: 0..4, y: 0..4 };
//! let (format, origin) = (TileFormat::Webp, [7.66, 45.98]);
//! let map = Map::Pyramid(Pyramid { encoding: Encoding::Terrarium, pixels: 256, zoom: None, relief: false, format, origin });
//! let made = make(&map, &baked, &tiles, "world".as_ref(), &())?;
//! println!("{} files of {} bytes", made.files, made.bytes);
//! # Ok::<(), orogen::bake::BakeError>(())
//! ```

mod bake;
mod cog;
mod mercator;
#[cfg(feature = "mesh")]
mod meshes;
mod names;
mod page;
mod pyramid;
mod record;
mod samples;
#[cfg(feature = "zarr")]
mod zarr;

pub use bake::bake;
pub use cog::{Cog, HeightStorage};
#[cfg(feature = "mesh")]
pub use meshes::{MeshFormat, Meshes};
pub use pyramid::Pyramid;
pub use record::is_map;
pub use record::{MAP, check};
#[cfg(feature = "zarr")]
pub use zarr::Zarr;

pub use crate::codec::{Encoding, TileFormat};

#[cfg(feature = "zarr")]
use crate::bake::names::ARRAYS;
use crate::bake::{BakeError, BakeFolder, Baked, Plan, PlanError, Progress, Tiles};
use record::{Draft, MapRecord};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};

/// The folder inside a map's folder with the bake that the map is made from.
pub const SAMPLES: &str = "samples";

/// The format of a map, and its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
#[non_exhaustive]
pub enum Map {
    /// Tiles of every zoom for viewers in the browser, and a page that shows them.
    Pyramid(Pyramid),
    /// Cloud-optimised GeoTIFF.
    Cog(Cog),
    /// With feature `mesh`: the heights as triangles, in chunks.
    #[cfg(feature = "mesh")]
    Meshes(Meshes),
    /// With feature `zarr`: arrays of every level of detail, for NumPy, xarray and Dask.
    #[cfg(feature = "zarr")]
    Zarr(Zarr),
}

/// The result of [`make`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapReport {
    /// Number of files of the map.
    pub files: u64,
    /// Size of these files in bytes.
    pub bytes: u64,
    /// Whether the complete map existed before.
    pub found: bool,
    /// Lowest and highest height.
    pub range: [f64; 2],
    /// The position of a pyramid; `None` for other maps.
    pub placed: Option<Placed>,
    /// Wall-clock time.
    pub wall: Duration,
    /// New names of a damaged record, and of files that a damaged or lost record covered and that differ from the map.
    pub aside: Vec<String>,
}

/// The position of a pyramid on the maps of the web.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Placed {
    /// The shallowest and the deepest zoom.
    pub zooms: [u32; 2],
    /// The scale of the world on the map at its origin, as a multiple of its true size.
    pub stretch: f64,
    /// Degrees east and north of the world's position (0, 0).
    pub origin: [f64; 2],
}

impl Map {
    /// Checks everything that can be checked before a bake: the position of the world, sizes, the layers and the folder. The first
    /// layer is the heights. The folder must not contain foreign files with names of the map.
    ///
    /// # Errors
    /// Returns an error for the first value that is not allowed.
    pub fn check(&self, plan: &Plan, layers: &[(&str, usize)], folder: &Path) -> Result<(), BakeError> {
        let refuse = |what, value: String, allowed: &str| Err(PlanError::map(what, value, allowed.to_owned()).into());
        plan.check()?;
        if plan.overlap != 0 {
            return refuse("overlap", plan.overlap.to_string(), "0");
        }
        // The extent of the web's maps limits pyramids.
        if !matches!(self, Map::Pyramid(_)) && plan.samples().iter().any(|&samples| samples > 1 << 30) {
            return refuse("tiles", plan.tiles.to_string(), "at most 2^30 samples along each axis");
        }
        match layers.first() {
            Some((_, 1)) => (),
            #[cfg(feature = "zarr")]
            Some(_) if matches!(self, Map::Zarr(_)) => (),
            Some((layer, channels)) => {
                return refuse("layers", format!("'{layer}', of {channels} channels"), "heights first, a layer of one channel");
            }
            None => return refuse("layers", "none".to_owned(), "one or more"),
        }
        match self {
            Map::Pyramid(pyramid) => pyramid.check(plan)?,
            Map::Cog(cog) => cog.check()?,
            #[cfg(feature = "mesh")]
            Map::Meshes(meshes) => meshes.check(plan)?,
            #[cfg(feature = "zarr")]
            Map::Zarr(zarr) => zarr.check(layers)?,
        }
        let names: Vec<&str> = layers.iter().map(|(layer, _)| *layer).collect();
        let names = self.names(&names);
        if let Some(twice) = names.iter().enumerate().find_map(|(i, name)| names[..i].contains(name).then_some(name)) {
            return refuse("layers", format!("two that give '{twice}'"), "names that are different as names of files");
        }
        record::refuse_foreign(folder, self, &plan.tiles, &names)
    }

    /// The range of heights that the format can hold; `None` for any height.
    pub fn holds(&self) -> Option<[f64; 2]> {
        match self {
            Map::Pyramid(pyramid) => Some(pyramid.encoding.range()),
            Map::Cog(_) => None,
            #[cfg(feature = "mesh")]
            Map::Meshes(_) => None,
            #[cfg(feature = "zarr")]
            Map::Zarr(_) => None,
        }
    }

    /// Refuses heights that the format cannot hold.
    ///
    /// # Errors
    /// Returns an error if the range exceeds [`holds`](Self::holds).
    pub fn check_heights(&self, [lo, hi]: [f64; 2]) -> Result<(), BakeError> {
        let Some([least, most]) = self.holds() else { return Ok(()) };
        if lo >= least && hi <= most {
            return Ok(());
        }
        let allowed = format!("{least} to {most} m, the range of its pixels");
        Err(PlanError::map("heights", format!("{lo} to {hi} m"), allowed).into())
    }

    /// Names of the files and folders of a map of these layers.
    fn names(&self, layers: &[&str]) -> Vec<String> {
        match self {
            Map::Pyramid(pyramid) => pyramid.names(layers),
            Map::Cog(_) => (0..layers.len()).map(|k| cog::file(layers, k)).collect(),
            #[cfg(feature = "mesh")]
            Map::Meshes(_) => vec![names::MESHES.to_owned()],
            #[cfg(feature = "zarr")]
            Map::Zarr(_) => vec![ARRAYS.to_owned()],
        }
    }
}

/// Makes a map of a rectangle of a bake's tiles in a folder. The first product of the bake is the heights. After this function
/// returns, the map survives a power cut. It reports tiles of pyramids and blocks of files to [`Progress`].
///
/// | resource | amount |
/// |---|---|
/// | memory | some tiles per processor, 64 MiB of the bake's tiles or four of them, 100 bytes per file |
/// | disk, temporarily | a third of the bake |
///
/// # Errors
/// Returns an error if:
/// - [`Map::check`] refuses the map, or the map cannot hold the heights
/// - a tile is missing or damaged
/// - the folder contains another map
/// - reading or writing a file fails
pub fn make(map: &Map, baked: &Baked, tiles: &Tiles, folder: &Path, progress: &dyn Progress) -> Result<MapReport, BakeError> {
    let start = Instant::now();
    let plan = baked.plan(tiles.clone());
    let products = &baked.manifest().setting.products;
    let layers: Vec<&str> = products.iter().map(|product| product.layer.as_str()).collect();
    let channels: Vec<(&str, usize)> = layers.iter().enumerate().map(|(k, layer)| (*layer, baked.channels(k))).collect();
    if let Some(weights) = products.iter().find(|product| product.format.is_weights()) {
        let (value, allowed) = (format!("'{}', weights", weights.layer), "values, normals and colours".to_owned());
        return Err(PlanError::map("layers", value, allowed).into());
    }
    map.check(&plan, &channels, folder)?;
    let there = baked.tiles();
    if there.as_ref().is_none_or(|there| tiles.count() == 0 || !there.holds_all(tiles)) {
        let allowed = there.map_or("none: the bake has no tiles".to_owned(), |there| format!("tiles of the bake, {there}"));
        return Err(PlanError::map("tiles", tiles, allowed).into());
    }
    let range = heights(baked, tiles);
    map.check_heights(range)?;
    let lost = record::is_lost(folder)?;
    let place = BakeFolder::open(folder)?;
    let placed = match map {
        Map::Pyramid(pyramid) => Some(pyramid.placed(&plan)?),
        Map::Cog(_) => None,
        #[cfg(feature = "mesh")]
        Map::Meshes(_) => None,
        #[cfg(feature = "zarr")]
        Map::Zarr(_) => None,
    };
    let record = MapRecord::new(map, baked, tiles);
    if let Some(whole) = record.find(&place)? {
        return Ok(MapReport {
            files: whole.files.len() as u64,
            bytes: whole.bytes(),
            found: true,
            range,
            placed,
            wall: start.elapsed(),
            aside: Vec::new(),
        });
    }
    let mut draft = Draft::begin(&place)?;
    match map {
        Map::Pyramid(pyramid) => pyramid.write(baked, tiles, range, &mut draft, progress)?,
        Map::Cog(cog) => cog.write(baked, tiles, range, &mut draft, progress)?,
        #[cfg(feature = "mesh")]
        Map::Meshes(meshes) => meshes.write(baked, tiles, &mut draft, progress)?,
        #[cfg(feature = "zarr")]
        Map::Zarr(zarr) => zarr.write(baked, tiles, &mut draft, progress)?,
    }
    let mut aside = Vec::new();
    let whole = draft.publish(record, &map.names(&layers), lost, &mut aside)?;
    Ok(MapReport { files: whole.files.len() as u64, bytes: whole.bytes(), found: false, range, placed, wall: start.elapsed(), aside })
}

/// The lowest and the highest height of these tiles.
fn heights(baked: &Baked, tiles: &Tiles) -> [f64; 2] {
    let of = baked.manifest().tiles.iter().filter(|tile| tiles.holds((tile.x, tile.y))).filter_map(|tile| tile.files.first());
    of.fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], file| [lo.min(f64::from(file.min)), hi.max(f64::from(file.max))])
}
