//! The records of a bake: the recipe, the settings, and the hash of every file. Each record ends with a check that detects damage.

use crate::bake::Layout;
use crate::bake::difference;
pub use crate::bake::hash::FileHash;
use crate::bake::hash::{hash, hex};
use crate::bake::names::OVERVIEW;
use crate::bake::plan::Plan;
pub use crate::bake::product::{Product, RangeKind, RangeRecord};
use crate::engine::Description;
use crate::gpu::Parity;
use crate::stage::Pipeline;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the output's bits. It changes whenever a frozen value does, and tiles of another version are never reused.
pub const BITS: u32 = 4;

/// One file of a tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The layer it holds.
    pub layer: String,
    /// The file.
    #[serde(flatten)]
    pub is: FileHash,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// Samples that lay outside the declared range and were clipped to its ends.
    pub clipped: u64,
    /// The JSON file that describes it, for formats that have no header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sidecar: Option<FileHash>,
}

/// One tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TileRecord {
    /// Column.
    pub x: i64,
    /// Row.
    pub y: i64,
    /// Its files, one for each product.
    pub files: Vec<FileRecord>,
}

impl TileRecord {
    /// Whether its files have names of this tile. Such a record never points outside the folder.
    pub(super) fn is_own(&self) -> bool {
        self.is_own_in(Layout::default())
    }

    /// Whether its files have names of this tile in a world with a layout.
    pub(super) fn is_own_in(&self, layout: Layout) -> bool {
        self.hashes().all(|is| layout.is_of((self.x, self.y), &is.file))
    }

    /// Every file of the tile.
    pub fn hashes(&self) -> impl Iterator<Item = &FileHash> {
        self.files.iter().flat_map(|file| std::iter::once(&file.is).chain(&file.sidecar))
    }
}

/// The identity of a bake: everything that decides the bits of its tiles. A directory holds tiles of one identity only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BakeIdentity {
    /// The release's [`BITS`].
    pub bits: u32,
    /// SHA-256 of nodes and stages, with the answers about the whole world that stages need. Neither the order of nodes nor the
    /// formatting of the file changes it, and parameters with their default are omitted.
    pub recipe_sha256: String,
    /// Samples from one tile's origin to the next.
    pub tile: u32,
    /// Additional samples that every tile holds along x and y.
    pub overlap: u32,
    /// Level of detail.
    pub level: u32,
    /// World units between samples at level 0.
    pub spacing: f64,
    /// World height of the plane.
    pub z: f64,
    /// The products of every tile.
    pub products: Vec<Product>,
    /// File names and orientation.
    #[serde(default, skip_serializing_if = "Layout::is_plain")]
    pub layout: Layout,
    /// `exact` (f32, the same bits on every such backend), `bounded` (f32 on this adapter) or `oracle` (f64).
    pub parity: String,
}

/// The content of `manifest.json`, and of the first line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this crate.
    pub orogen: String,
    /// The identity of the bake.
    #[serde(flatten)]
    pub setting: BakeIdentity,
    /// Nodes, stages and output, as their author wrote them. Answers about the whole world are separate files.
    pub recipe: serde_json::Value,
    /// Backend of the last run.
    pub backend: String,
    /// The adapter of the last run.
    pub adapter: String,
    /// The picture of the whole world.
    pub overview: Option<FileHash>,
    /// The other files: notes for the tiles' destination, and answers about the whole world.
    #[serde(default, alias = "notes", skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<FileHash>,
    /// The tiles, by row and column.
    pub tiles: Vec<TileRecord>,
}

/// [`BakeIdentity::parity`] of an engine.
pub(super) fn parity_of(engine: &Description) -> &'static str {
    match engine.parity {
        Some(Parity::Exact) => "exact",
        Some(Parity::Bounded) => "bounded",
        None => "oracle",
    }
}

impl BakeIdentity {
    pub(super) fn new(pipeline: &Pipeline, plan: &Plan, products: &[Product], layout: Layout, engine: &Description) -> Self {
        let Plan { tile, tiles: _, overlap, level, spacing, z } = *plan;
        let (recipe_sha256, parity, products) = (hash(pipeline), parity_of(engine).to_owned(), products.to_vec());
        BakeIdentity { bits: BITS, recipe_sha256, tile, overlap, level, spacing, z, products, layout, parity }
    }

    /// The first difference to another identity, in words; `recipes` are those of both.
    pub(super) fn difference(&self, other: &BakeIdentity, recipes: [&serde_json::Value; 2]) -> Option<String> {
        let BakeIdentity { bits, recipe_sha256, tile, overlap, level, spacing, z, products, layout, parity } = self;
        if *recipe_sha256 != other.recipe_sha256 && *bits == other.bits {
            return Some(difference::of_recipes(recipes[0], recipes[1]));
        }
        let part = |what, of: fn(&Product) -> Value| {
            let mut pairs = products.iter().zip(&other.products).map(|(a, b)| (what, of(a), of(b)));
            pairs.find(|(_, a, b)| a != b)
        };
        let all = [
            Some(("the version of the output's bits", value(bits), value(&other.bits))),
            Some(("the tile size", value(tile), value(&other.tile))),
            Some(("the overlap", value(overlap), value(&other.overlap))),
            Some(("the level", value(level), value(&other.level))),
            Some(("the spacing", value(spacing), value(&other.spacing))),
            Some(("z", value(z), value(&other.z))),
            Some(("the number of layers", value(&products.len()), value(&other.products.len()))),
            part("a layer", |product| value(&product.layer)),
            part("a format", |product| value(&product.format)),
            part("a range", |product| value(&product.range.map(|range| [range.lo, range.hi]))),
            part("the origin of a range", |product| value(&product.range.map(|range| range.kind))),
            Some(("the destination", value(layout), value(&other.layout))),
            Some(("the backend's parity", value(parity), value(&other.parity))),
        ];
        let found = all.into_iter().flatten().find(|(_, a, b)| a != b);
        found.map(|(what, here, there)| difference::between(what, &here, &there))
    }

    /// The prefix of the checks of a bake's records: records of another bake do not pass.
    pub(super) fn key(&self) -> String {
        hex(json(self).as_bytes())
    }
}

impl Manifest {
    /// The manifest of a new bake, without tiles.
    pub(super) fn begin(setting: BakeIdentity, recipe: &Pipeline, engine: &Description) -> Self {
        Manifest {
            orogen: env!("CARGO_PKG_VERSION").to_owned(),
            setting,
            recipe: serde_json::to_value(recipe).expect("invariant: a checked pipeline has finite numbers and names as keys"),
            backend: engine.backend.name().to_owned(),
            adapter: engine.adapter.clone(),
            overview: None,
            beside: Vec::new(),
            tiles: Vec::new(),
        }
    }

    /// The text of the file: readable lines for the settings, a line for each tile, and a check over everything.
    pub(super) fn text(&self) -> String {
        let head = serde_json::to_string_pretty(&self.head()).expect("invariant: numbers are finite and keys are text");
        let mut text = head.strip_suffix("]\n}").expect("invariant: the tiles come last").to_owned();
        let key = self.setting.key();
        for (i, tile) in self.tiles.iter().enumerate() {
            text += if i == 0 { "\n    " } else { ",\n    " };
            text += &line(&key, tile);
        }
        text += "\n  ]";
        closed(text)
    }

    /// The manifest without tiles.
    pub(super) fn head(&self) -> Self {
        let Manifest { orogen, setting, recipe, backend, adapter, overview, beside, tiles: _ } = self;
        Manifest {
            orogen: orogen.clone(),
            setting: setting.clone(),
            recipe: recipe.clone(),
            backend: backend.clone(),
            adapter: adapter.clone(),
            overview: overview.clone(),
            beside: beside.clone(),
            tiles: Vec::new(),
        }
    }

    /// Reads a manifest; `None` if its check fails.
    pub(super) fn read(text: &str) -> Option<Self> {
        let read: Self = open_json(text)?;
        let own = read.tiles.iter().all(TileRecord::is_own) && read.overview.as_ref().is_none_or(|is| is.file == OVERVIEW);
        (own && read.beside.iter().all(FileHash::is_beside)).then_some(read)
    }

    /// The settings in the text of a damaged manifest, without its tiles. No check covers them.
    pub(super) fn read_head(text: &str) -> Option<Self> {
        let (head, _) = text.split_once("\n  \"tiles\": [")?;
        serde_json::from_str(&format!("{head}\n  \"tiles\": []}}")).ok()
    }

    /// The intact tile records in the text of a damaged manifest.
    pub(super) fn salvage(text: &str, key: &str) -> Vec<TileRecord> {
        let tile = |text: &str| read_line(key, text.trim().trim_end_matches(',')).filter(TileRecord::is_own);
        text.lines().filter_map(tile).collect()
    }
}

/// Ends the readable text of an object with its check.
fn closed(mut text: String) -> String {
    let check = check("", &text);
    text += &format!(",\n  \"check\": \"{check}\"\n}}\n");
    text
}

/// The text of a file that holds one object with its check.
pub(crate) fn closed_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("invariant: numbers are finite and keys are text");
    closed(text.strip_suffix("\n}").expect("invariant: a struct with named fields").to_owned())
}

/// Reads such a file; `None` if its check fails.
pub(crate) fn open_json<T: for<'de> Deserialize<'de>>(text: &str) -> Option<T> {
    let (body, end) = text.rsplit_once(",\n  \"check\": \"")?;
    let holds = end == format!("{}\"\n}}\n", check("", body));
    holds.then(|| serde_json::from_str(text).ok()).flatten()
}

/// A record as a line of JSON that ends with its check.
pub(super) fn line(key: &str, record: &impl Serialize) -> String {
    let text = json(record);
    let body = text.strip_suffix('}').expect("invariant: a struct with named fields");
    format!("{body},\"check\":\"{}\"}}", check(key, body))
}

/// Reads such a line; `None` if its check fails.
pub(super) fn read_line<T: for<'de> Deserialize<'de>>(key: &str, line: &str) -> Option<T> {
    let (body, end) = line.rsplit_once(",\"check\":\"")?;
    let holds = end == format!("{}\"}}", check(key, body));
    holds.then(|| serde_json::from_str(line).ok()).flatten()
}

/// The check: sixteen hexadecimal digits. It detects damage, not forgery.
fn check(key: &str, body: &str) -> String {
    let mut check = hex([key, body].concat().as_bytes());
    check.truncate(16);
    check
}

fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("invariant: numbers are finite and keys are text")
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: numbers are finite and keys are text")
}
