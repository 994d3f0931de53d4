//! The record of a bake: what was baked, with what, and every tile's hash. Written last; a journal keeps the tiles that
//! are done until then, so that a bake that was killed resumes.

use crate::bake::plan::Plan;
use crate::bake::{BakeError, Format, write_whole};
use crate::engine::Description;
use crate::gpu::Parity;
use crate::stage::Pipeline;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "manifest.json";
const JOURNAL: &str = "tiles.jsonl";

/// Where the declared range comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RangeKind {
    /// Given by hand.
    Declared,
    /// The graph's proven bounds.
    Proven,
    /// Smallest and largest value of this bake's tiles.
    Measured,
}

/// The declared range of a bake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeRecord {
    /// The value that integer formats write as 0.
    pub lo: f64,
    /// The value that integer formats write as 65535.
    pub hi: f64,
    /// Where it comes from.
    pub kind: RangeKind,
}

/// What a bake writes for every tile: a layer of the pipeline and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// A stage, one of its outputs (`stage.water`) or a node.
    pub layer: String,
    /// File format.
    pub format: Format,
    /// The declared range; values as integers need one.
    pub range: Option<RangeRecord>,
}

/// A file beside a tile's first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// What it holds.
    pub layer: String,
    /// File name.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Smallest number.
    pub min: f32,
    /// Largest number.
    pub max: f32,
    /// Samples that lay outside the declared range and were clipped to its ends.
    pub clipped: u64,
}

/// One tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileRecord {
    /// Column.
    pub x: i64,
    /// Row.
    pub y: i64,
    /// File name.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// Samples that lay outside the declared range and were clipped to its ends.
    pub clipped: u64,
    /// The other layers' files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<FileRecord>,
}

/// What decides the bits of a tile: a directory holds tiles of one such setting only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// SHA-256 of the nodes and stages, with what has been measured, in a form that neither the order of nodes nor the file's layout changes.
    pub recipe_sha256: String,
    /// Samples from tile to tile.
    pub tile: u32,
    /// Samples beyond that in every tile.
    pub overlap: u32,
    /// Level of detail.
    pub level: u32,
    /// World units from sample to sample at level 0.
    pub spacing: f64,
    /// World height of the plane.
    pub z: f64,
    /// File format.
    pub format: Format,
    /// Declared range; `null` where no integers are written and none is known.
    pub range: Option<RangeRecord>,
    /// The layer of the first files.
    pub layer: String,
    /// What else is written for every tile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<Product>,
    /// `exact` (f32, the same bits on every such backend), `bounded` (f32 on this adapter) or `oracle` (f64).
    pub parity: String,
}

/// `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this crate.
    pub orogen: String,
    /// What decides the bits.
    #[serde(flatten)]
    pub setting: Setting,
    /// Backend of the last run.
    pub backend: String,
    /// Its adapter.
    pub adapter: String,
    /// The tiles, by row and column.
    pub tiles: Vec<TileRecord>,
}

impl Setting {
    pub(super) fn new(pipeline: &Pipeline, plan: &Plan, first: &Product, besides: &[Product], engine: &Description) -> Self {
        let parity = match engine.parity {
            Some(Parity::Exact) => "exact",
            Some(Parity::Bounded) => "bounded",
            None => "oracle",
        };
        let Plan { tile, tiles: _, overlap, level, spacing, z } = *plan;
        let Product { layer, format, range } = first.clone();
        let (recipe_sha256, parity, besides) = (hash(pipeline), parity.to_owned(), besides.to_vec());
        Setting { recipe_sha256, tile, overlap, level, spacing, z, format, range, layer, besides, parity }
    }

    /// The first thing in which two settings differ.
    fn difference(&self, other: &Setting) -> Option<&'static str> {
        let Setting { recipe_sha256, tile, overlap, level, spacing, z, format, range, layer, besides, parity } = self;
        let same = [
            ("the recipe", *recipe_sha256 == other.recipe_sha256),
            ("the tile size", *tile == other.tile),
            ("the overlap", *overlap == other.overlap),
            ("the level", *level == other.level),
            ("the spacing", *spacing == other.spacing),
            ("z", *z == other.z),
            ("the format", *format == other.format),
            ("the range", *range == other.range),
            ("the layer", *layer == other.layer),
            ("what else is written", *besides == other.besides),
            ("the backend's parity", *parity == other.parity),
        ];
        same.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
    }
}

/// SHA-256 of nodes and stages, sorted by name, numbers in full.
fn hash(pipeline: &Pipeline) -> String {
    let nodes: BTreeMap<_, _> = pipeline.node.iter().collect();
    let stages: BTreeMap<_, _> = pipeline.stage.iter().collect();
    let text = if stages.is_empty() {
        serde_json::to_string(&(&pipeline.output, nodes))
    } else {
        serde_json::to_string(&(&pipeline.output, nodes, stages))
    };
    hex(text.unwrap_or_default().as_bytes())
}

pub(super) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The directory of a bake: what is done, and the journal to which more is added.
pub(super) struct Ledger {
    directory: PathBuf,
    journal: File,
    done: BTreeMap<(i64, i64), TileRecord>,
}

impl Ledger {
    /// Opens a directory, or makes it; removes what a killed bake left unfinished.
    pub fn open(directory: &Path, setting: &Setting) -> Result<Self, BakeError> {
        std::fs::create_dir_all(directory).map_err(|error| BakeError::file(directory, error))?;
        let mut done = BTreeMap::new();
        let (manifest, journal) = (directory.join(MANIFEST), directory.join(JOURNAL));
        if let Some(text) = read(&manifest)? {
            let old: Manifest = serde_json::from_str(&text).map_err(|error| BakeError::file(&manifest, error))?;
            same(directory, &old.setting, setting)?;
            done.extend(old.tiles.into_iter().map(|tile| ((tile.y, tile.x), tile)));
        }
        let mut file = open_locked(directory, &journal)?;
        let mut lines = BufReader::new(&file).lines();
        let first = lines.next().transpose().map_err(|error| BakeError::file(&journal, error))?;
        if let Some(old) = first.and_then(|line| serde_json::from_str::<Setting>(&line).ok()) {
            same(directory, &old, setting)?;
            // A last line cut short by a kill does not parse, and its tile is baked again.
            let tiles = lines.map_while(Result::ok).filter_map(|line| serde_json::from_str::<TileRecord>(&line).ok());
            done.extend(tiles.map(|tile| ((tile.y, tile.x), tile)));
        }
        let there = |file: &String| directory.join(file).is_file();
        done.retain(|_, tile| there(&tile.file) && tile.besides.iter().all(|besides| there(&besides.file)));
        remove_partial(directory)?;
        file.set_len(0).and_then(|()| file.rewind()).map_err(|error| BakeError::file(&journal, error))?;
        let mut ledger = Ledger { directory: directory.to_owned(), journal: file, done };
        let kept: Vec<String> = ledger.done.values().filter_map(|tile| serde_json::to_string(tile).ok()).collect();
        ledger.line(&serde_json::to_string(setting).unwrap_or_default())?;
        kept.iter().try_for_each(|line| ledger.line(line))?;
        Ok(ledger)
    }

    pub fn is_done(&self, (x, y): (i64, i64)) -> bool {
        self.done.contains_key(&(y, x))
    }

    /// Notes a tile whose file is whole.
    pub fn add(&mut self, tile: TileRecord) -> Result<(), BakeError> {
        self.line(&serde_json::to_string(&tile).unwrap_or_default())?;
        self.done.insert((tile.y, tile.x), tile);
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), BakeError> {
        writeln!(self.journal, "{line}").map_err(|error| BakeError::file(&self.directory.join(JOURNAL), error))
    }

    /// Writes the manifest; the journal has done its work.
    pub fn close(self, setting: Setting, engine: &Description) -> Result<Manifest, BakeError> {
        let manifest = Manifest {
            orogen: env!("CARGO_PKG_VERSION").to_owned(),
            setting,
            backend: engine.backend.name().to_owned(),
            adapter: engine.adapter.clone(),
            tiles: self.done.into_values().collect(),
        };
        let path = self.directory.join(MANIFEST);
        let text = serde_json::to_string_pretty(&manifest).map_err(|error| BakeError::file(&path, error))?;
        write_whole(&path, text.as_bytes())?;
        let journal = self.directory.join(JOURNAL);
        std::fs::remove_file(&journal).map_err(|error| BakeError::file(&journal, error))?;
        Ok(manifest)
    }
}

/// The journal, locked against a second bake into the same directory; the lock ends with the process, however it ends.
fn open_locked(directory: &Path, journal: &Path) -> Result<File, BakeError> {
    let file = File::options().create(true).read(true).write(true).truncate(false).open(journal);
    let file = file.map_err(|error| BakeError::file(journal, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BakeError::Busy { path: directory.to_owned() }),
        Err(TryLockError::Error(error)) => Err(BakeError::file(journal, error)),
    }
}

fn read(path: &Path) -> Result<Option<String>, BakeError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BakeError::file(path, error)),
    }
}

fn same(directory: &Path, old: &Setting, new: &Setting) -> Result<(), BakeError> {
    match new.difference(old) {
        Some(what) => Err(BakeError::OtherBake { path: directory.to_owned(), what }),
        None => Ok(()),
    }
}

fn remove_partial(directory: &Path) -> Result<(), BakeError> {
    let entries = std::fs::read_dir(directory).map_err(|error| BakeError::file(directory, error))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(".partial") {
            std::fs::remove_file(entry.path()).map_err(|error| BakeError::file(&entry.path(), error))?;
        }
    }
    Ok(())
}
