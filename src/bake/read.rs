//! Reads a bake back: its tiles as layers, each compared with its record first. The bake is in a folder, or a world of shards.

use crate::bake::hash::hex;
use crate::bake::layout::{mirror, turn};
use crate::bake::manifest::Manifest;
use crate::bake::names::MANIFEST;
use crate::bake::place::{BakeFolder, RecordText};
use crate::bake::{BakeError, Plan, Store, Tiles};
use crate::codec::Shape;
use crate::field::Layer;
use crate::recipe::Recipe;
use crate::stage::Pipeline;
use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A finished bake, opened for reading. Its folder is locked while this value lives, so no process bakes into it.
///
/// ```no_run
/// let baked = orogen::bake::read::Baked::open("world".as_ref())?;
/// let heights = baked.tile((0, 0), 0)?;
/// println!("{} samples of '{}'", heights.values.len(), heights.name);
/// # Ok::<(), orogen::bake::BakeError>(())
/// ```
#[derive(Debug)]
pub struct Baked {
    source: TileSource,
    manifest: Manifest,
    /// The channels of each product.
    channels: Vec<usize>,
    /// The index of a tile's record in the manifest.
    records: HashMap<(i64, i64), usize>,
}

/// The place of the files.
enum TileSource {
    /// A locked folder.
    Place(BakeFolder),
    /// The store of a world of shards.
    Store(Arc<dyn Store>),
}

impl std::fmt::Debug for TileSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path("").display())
    }
}

impl TileSource {
    fn path(&self, name: &str) -> PathBuf {
        match self {
            TileSource::Place(place) => place.folder().join(name),
            TileSource::Store(store) => store.path().join(name),
        }
    }

    fn failed(&self, name: &str, error: Error) -> BakeError {
        BakeError::file(&self.path(name), error)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, BakeError> {
        match self {
            TileSource::Place(place) => place.read(name),
            TileSource::Store(store) => {
                let found = store.read(name).map_err(|error| self.failed(name, error))?;
                found.ok_or_else(|| self.failed(name, Error::from(ErrorKind::NotFound)))
            }
        }
    }
}

impl Baked {
    /// A world whose manifest contains all tiles, with file names as in the store.
    pub(super) fn of(store: Arc<dyn Store>, manifest: Manifest, pipeline: &Pipeline) -> Result<Self, BakeError> {
        Self::new(TileSource::Store(store), manifest, pipeline)
    }

    fn new(source: TileSource, manifest: Manifest, pipeline: &Pipeline) -> Result<Self, BakeError> {
        let channels = manifest.setting.products.iter().map(|product| product.channels(pipeline)).collect::<Result<_, _>>()?;
        let records = manifest.tiles.iter().enumerate().map(|(i, tile)| ((tile.x, tile.y), i)).collect();
        Ok(Baked { source, manifest, channels, records })
    }

    /// Locks the folder and reads its manifest.
    ///
    /// # Errors
    /// Returns an error if the folder holds no finished bake, another process works there, or the recipe is invalid. I/O errors
    /// are returned, too.
    pub fn open(folder: &Path) -> Result<Self, BakeError> {
        let place = BakeFolder::reading(folder)?;
        let text = match place.record(MANIFEST)? {
            RecordText::Text(text) => text,
            RecordText::Nothing => return Err(BakeError::NoBake { path: folder.to_owned() }),
        };
        let wrong = |error| place.failed(MANIFEST, Error::new(ErrorKind::InvalidData, error));
        let manifest = Manifest::read(&text).ok_or_else(|| wrong("is damaged; orogen bake makes it again".to_owned()))?;
        let recipe = Recipe::from_json(&manifest.recipe.to_string(), MANIFEST).map_err(|error| wrong(error.to_string()))?;
        Self::new(TileSource::Place(place), manifest, &recipe.pipeline)
    }

    /// The bake's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The smallest rectangle that contains its tiles; `None` if there are none.
    pub fn tiles(&self) -> Option<Tiles> {
        Tiles::around(self.manifest.tiles.iter().map(|tile| (tile.x, tile.y)))
    }

    /// Channels of the k-th product: 1 for a value, 3 for a normal, 4 for a colour, 2 to 4 for weights. 0 if there is no such
    /// product.
    pub fn channels(&self, k: usize) -> usize {
        self.channels.get(k).copied().unwrap_or(0)
    }

    /// The plan of this bake, for a rectangle of tiles.
    pub fn plan(&self, tiles: Tiles) -> Plan {
        let setting = &self.manifest.setting;
        Plan { tile: setting.tile, tiles, overlap: setting.overlap, level: setting.level, spacing: setting.spacing, z: setting.z }
    }

    /// The k-th product of a tile, as its file stores it, with the samples that it shares with its neighbours.
    ///
    /// # Errors
    /// Returns an error if there is no such tile or product, or a file differs from its record. I/O errors are returned, too.
    pub fn tile(&self, (x, y): (i64, i64), k: usize) -> Result<Layer, BakeError> {
        let record = self.records.get(&(x, y)).and_then(|&i| self.manifest.tiles[i].files.get(k));
        let none = || self.source.failed(&format!("x{x}_y{y}"), Error::new(ErrorKind::NotFound, "there is no such tile"));
        let (record, product) = record.zip(self.manifest.setting.products.get(k)).ok_or_else(none)?;
        let name = &record.is.file;
        let bytes = self.source.read(name)?;
        let wrong = |error: Error| self.source.failed(name, error);
        if bytes.len() as u64 != record.is.size || hex(&bytes) != record.is.sha256 {
            return Err(wrong(Error::new(ErrorKind::InvalidData, "differs from its record; orogen bake makes it again")));
        }
        let region = self.plan(Tiles { x: x..x + 1, y: y..y + 1 }).region((x, y));
        let (channels, size) = (self.channels[k], [region.size[0], region.size[1]]);
        let range = product.quantisation()?;
        let mut values = product.format.decode(&bytes, Shape { size, channels }, range).map_err(wrong)?;
        let layout = self.manifest.setting.layout;
        if layout.turns(product.format) {
            values = turn(&values, size[0] as usize * channels);
        }
        if layout.mirrors(product.format, channels) {
            mirror(&mut values);
        }
        Ok(Layer { name: product.layer.clone(), region, channels, values })
    }
}
