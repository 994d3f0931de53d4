//! Worlds as Zarr arrays, version 3 (*Zarr core specification, version 3.0*; codec *sharding-indexed*). There is one array for
//! each layer and level of detail, in groups that xarray opens as datasets.
//!
//! ```text
//! world.zarr/            the recipe, and the list of levels
//!   0/                   the samples: level k has every 2ᵏth of them, from the first one on
//!     x  y               their positions, in world units
//!     LAYER/c/ROW/COLUMN files of 8 × 8 chunks (Zarr calls them shards), each chunk compressed by itself
//! ```
//!
//! The first row is the one of the smallest y, as in tiles. Samples of a file beyond the world's edge are not a number and take no
//! space. This module writes the descriptions and positions, which each world has once; [`FileCodec`] encodes the samples.

use crate::bake::manifest::BakeIdentity;
use crate::bake::names::ARRAYS;
use crate::bake::{BakeError, Plan, PlanError, Product, as_name};
use crate::codec::zarr::{CHUNKS, FileCodec};
use serde_json::{Map, Value, json};
use std::io::Error;
use std::path::Path;
use std::sync::Arc;
use zarrs::array::{Array, ArrayBuilder, ArrayMetadataOptions, DataType, FillValue};
use zarrs::group::GroupBuilder;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ListableStorageTraits, ReadableStorageTraits, WritableStorageTraits};

/// The file name of a group's or array's description.
const DESCRIPTION: &str = "zarr.json";
/// Positions per chunk of a coordinate.
const POSITIONS: u64 = 1 << 16;
/// Most samples along an axis: positions of levels stay exact, and file numbers small.
const MOST: u64 = 1 << 30;

/// One layer of a world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArrayLayer {
    /// The name of its folder.
    pub name: String,
    pub channels: usize,
}

/// The arrays of a world: their positions, shapes and layers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrays {
    /// The position of the first sample in the world, and the distance to the next.
    corner: [f64; 2],
    step: f64,
    z: f64,
    /// Samples along x and y.
    size: [u64; 2],
    /// Samples along the edge of a file.
    pub edge: u32,
    pub layers: Vec<ArrayLayer>,
}

/// The expected content of a folder of arrays.
pub(crate) struct Listed {
    pub folder: String,
    names: Vec<String>,
    /// The folder also holds names that are whole numbers below this one.
    numbers: u64,
}

/// Called with the path and the bytes of each file of descriptions or positions.
pub(crate) type Put<'a> = dyn FnMut(String, Vec<u8>) -> Result<(), BakeError> + 'a;

/// The file of a tile in its layer's array. `at` is its column and row, counted from the world's first tile.
pub(crate) fn tile_file(layer: &str, channels: usize, at: [i64; 2]) -> String {
    file_of(0, &as_name(layer), channels, at)
}

fn file_of(level: u32, layer: &str, channels: usize, [column, row]: [i64; 2]) -> String {
    // Several channels are an axis of their own, which is not cut into chunks.
    let deeper = if channels > 1 { "/0" } else { "" };
    format!("{ARRAYS}/{level}/{layer}/c/{row}/{column}{deeper}")
}

/// Whether a name is that of a tile's file in some array. Such a name never points outside the folder.
pub(crate) fn is_tile_file(name: &str, [column, row]: [i64; 2]) -> bool {
    let Some((layer, at)) = name.strip_prefix(&format!("{ARRAYS}/0/")).and_then(|rest| rest.split_once("/c/")) else { return false };
    is_name(layer)
        && !layer.contains(['/', '\\'])
        && at.strip_suffix("/0").into_iter().chain([at]).any(|at| at == format!("{row}/{column}"))
}

/// Whether an array may have this name: it is allowed by the specification, and not that of another object in the level's group.
fn is_name(name: &str) -> bool {
    !(["x", "y", DESCRIPTION].contains(&name) || name.starts_with("__") || name.chars().all(|c| c == '.'))
}

/// Refuses plans and products that arrays cannot hold, before a tile is baked.
///
/// # Errors
/// Returns an error if a tile cannot be cut into 8 × 8 chunks or shares samples with others. The same holds if a product has
/// another format, an axis has more than 2³⁰ samples, or a layer's name is not allowed for an array.
pub(crate) fn check(plan: &Plan, products: &[Product]) -> Result<(), PlanError> {
    let refuse = |what, value: String, allowed: &'static str| Err(PlanError::not_allowed(what, value, allowed));
    if !plan.tile.is_multiple_of(CHUNKS) {
        return refuse("tile", format!("{} for arrays", plan.tile), "a multiple of 8 samples, since a tile is a file of 8 × 8 chunks");
    }
    if plan.overlap != 0 {
        return refuse("overlap", format!("{} for arrays", plan.overlap), "0: every sample of an array is there once");
    }
    if plan.samples().iter().any(|&samples| samples > MOST) {
        return refuse("tiles", format!("{} for arrays", plan.tiles), "at most 2^30 samples along each axis");
    }
    if let Some(other) = products.iter().find(|product| !product.format.is_array()) {
        return refuse("format", format!("{} of '{}' with zarr", other.format.name(), other.layer), "zarr for all layers, or for none");
    }
    check_names(products.iter().map(|product| product.layer.as_str()))
}

/// Checks the names of layers alone.
///
/// # Errors
/// Returns an error if a name is not allowed for an array.
pub(crate) fn check_names<'a>(mut layers: impl Iterator<Item = &'a str>) -> Result<(), PlanError> {
    let allowed = "names other than x, y and zarr.json, not only of dots, that do not begin with __";
    let refuse = |layer: &str| Err(PlanError::not_allowed("layers", format!("'{layer}' for arrays"), allowed));
    layers.find(|layer| !is_name(&as_name(layer))).map_or(Ok(()), refuse)
}

/// The provenance of a world, as its attributes record it.
pub(crate) fn made(orogen: &str, setting: &BakeIdentity, recipe: &Value) -> Value {
    json!({
        "orogen": orogen, "bits": setting.bits, "parity": setting.parity, "recipe_sha256": setting.recipe_sha256, "recipe": recipe,
    })
}

impl Arrays {
    /// The arrays of a plan's tiles, in files of `edge` × `edge` samples, with the name and the channels of each layer.
    pub fn new<'a>(plan: &Plan, edge: u32, layers: impl Iterator<Item = (&'a str, usize)>) -> Self {
        let step = plan.step();
        let corner = [&plan.tiles.x, &plan.tiles.y].map(|range| (range.start * i64::from(plan.tile)) as f64 * step);
        let layers = layers.map(|(name, channels)| ArrayLayer { name: as_name(name), channels }).collect();
        Arrays { corner, step, z: plan.z, size: plan.samples(), edge, layers }
    }

    /// The coarsest level, which fits a single chunk.
    pub fn levels(&self) -> u32 {
        let chunk = u64::from(self.edge / CHUNKS).max(1);
        (0..).find(|&level| self.size_of(level).iter().all(|&size| size <= chunk)).unwrap_or(0)
    }

    /// Samples of a level along x and y.
    pub fn size_of(&self, level: u32) -> [u64; 2] {
        self.size.map(|size| size.div_ceil(1 << level))
    }

    /// Columns and rows of a level's files.
    pub fn files_of(&self, level: u32) -> [u64; 2] {
        self.size_of(level).map(|size| size.div_ceil(u64::from(self.edge)))
    }

    /// The path of a file, by its column and row.
    pub fn file(&self, level: u32, layer: &ArrayLayer, at: [u64; 2]) -> String {
        file_of(level, &layer.name, layer.channels, at.map(|number| number as i64))
    }

    /// The codec of a layer's files.
    pub fn codec(&self, layer: &ArrayLayer) -> Result<FileCodec, BakeError> {
        FileCodec::new(self.edge, layer.channels).map_err(|error| BakeError::file(Path::new(ARRAYS), error))
    }

    /// Writes groups, the descriptions of arrays with the range of each layer's values, and positions. Memory: one file.
    pub fn describe(&self, made: &Value, ranges: &[[f32; 2]], put: &mut Put<'_>) -> Result<(), BakeError> {
        let step = |level: u32| self.step * f64::from(1 << level);
        let datasets: Vec<Value> = (0..=self.levels()).map(|level| json!({ "path": level.to_string(), "spacing": step(level) })).collect();
        let multiscales = json!([{ "datasets": datasets, "type": "every second sample of the level before, from the first on" }]);
        group("/", json!({ "multiscales": multiscales, "orogen": made }), put)?;
        for level in 0..=self.levels() {
            group(&format!("/{level}"), json!({ "level": level, "spacing": step(level), "z": self.z }), put)?;
            for (axis, name) in ["x", "y"].into_iter().enumerate() {
                let at = |index: u64| self.corner[axis] + index as f64 * step(level);
                positions(&format!("/{level}"), name, self.size_of(level)[axis], at, put)?;
            }
            for (layer, range) in self.layers.iter().zip(ranges) {
                let store = Arc::new(MemoryStore::new());
                array(&self.builder(layer, level, step(level), *range)?, &store, &format!("/{level}/{}", layer.name))?;
                drain(&store, put)?;
            }
        }
        Ok(())
    }

    /// The array of a layer's level.
    fn builder(&self, layer: &ArrayLayer, level: u32, step: f64, range: [f32; 2]) -> Result<ArrayBuilder, BakeError> {
        let [columns, rows] = self.size_of(level);
        let (edge, channels) = (u64::from(self.edge), layer.channels as u64);
        // A single channel gets no axis.
        let deep = |mut shape: Vec<u64>| {
            shape.extend((channels > 1).then_some(channels));
            shape
        };
        let names = [Some("y"), Some("x"), (channels > 1).then_some("channel")];
        // Heights have world units; components of directions and colours are dimensionless.
        let units = if channels > 1 { "1" } else { "world units" };
        let mut builder =
            ArrayBuilder::new(deep(vec![rows, columns]), deep(vec![edge, edge]), DataType::Float32, FillValue::from(f32::NAN));
        builder
            .array_to_bytes_codec(Arc::new(self.codec(layer)?.sharding()))
            .dimension_names(Some(names.into_iter().flatten()))
            .attributes(object(json!({ "range": range, "units": units, "spacing": step })));
        Ok(builder)
    }

    /// Every folder, with its expected content.
    pub fn folders(&self) -> impl Iterator<Item = Listed> + '_ {
        let named =
            |folder: String, names: &[&str]| Listed { folder, names: names.iter().map(|&name| name.to_owned()).collect(), numbers: 0 };
        let numbered = |folder: String, numbers: u64| Listed { folder, names: Vec::new(), numbers };
        let top = Listed { folder: ARRAYS.to_owned(), names: vec![DESCRIPTION.to_owned()], numbers: u64::from(self.levels()) + 1 };
        std::iter::once(top).chain((0..=self.levels()).flat_map(move |level| {
            let within = format!("{ARRAYS}/{level}");
            let names: Vec<&str> = [DESCRIPTION, "x", "y"].into_iter().chain(self.layers.iter().map(|layer| layer.name.as_str())).collect();
            let group = named(within.clone(), &names);
            let axes = ["x", "y"].into_iter().zip(self.size_of(level)).flat_map({
                let within = within.clone();
                move |(axis, size)| {
                    let array = format!("{within}/{axis}");
                    [numbered(format!("{array}/c"), size.div_ceil(POSITIONS)), named(array, &[DESCRIPTION, "c"])]
                }
            });
            let [columns, rows] = self.files_of(level);
            let layers = self.layers.iter().flat_map(move |layer| {
                let array = format!("{within}/{}", layer.name);
                let all = [named(array.clone(), &[DESCRIPTION, "c"]), numbered(format!("{array}/c"), rows)];
                let each = (0..rows).flat_map(move |row| {
                    let folder = format!("{array}/c/{row}");
                    let deep = if layer.channels > 1 { columns } else { 0 };
                    let below = (0..deep).map({
                        let folder = folder.clone();
                        move |column| numbered(format!("{folder}/{column}"), 1)
                    });
                    std::iter::once(numbered(folder, columns)).chain(below)
                });
                all.into_iter().chain(each)
            });
            std::iter::once(group).chain(axes).chain(layers)
        }))
    }
}

impl Listed {
    /// Whether a name belongs into the folder.
    pub fn holds(&self, name: &str) -> bool {
        let number = name.parse::<u64>().ok().filter(|number| number.to_string() == name);
        self.names.iter().any(|own| own == name) || number.is_some_and(|number| number < self.numbers)
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> BakeError {
    BakeError::file(Path::new(ARRAYS), Error::other(error))
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(all) = value { all } else { Map::new() }
}

/// Moves all files of a store in memory to `put`.
fn drain(store: &MemoryStore, put: &mut Put<'_>) -> Result<(), BakeError> {
    for key in store.list().map_err(failed)? {
        let bytes = store.get(&key).map_err(failed)?.unwrap_or_default();
        store.erase(&key).map_err(failed)?;
        put(format!("{ARRAYS}/{key}"), bytes.to_vec())?;
    }
    Ok(())
}

fn group(path: &str, attributes: Value, put: &mut Put<'_>) -> Result<(), BakeError> {
    let store = Arc::new(MemoryStore::new());
    let group = GroupBuilder::new().attributes(object(attributes)).build(Arc::clone(&store), path).map_err(failed)?;
    group.store_metadata().map_err(failed)?;
    drain(&store, put)
}

fn array(builder: &ArrayBuilder, store: &Arc<MemoryStore>, path: &str) -> Result<Array<MemoryStore>, BakeError> {
    let array = builder.build(Arc::clone(store), path).map_err(failed)?;
    // Without the crate's own version, so that any release of it writes the same bytes.
    array.store_metadata_opt(&ArrayMetadataOptions::default().with_include_zarrs_metadata(false)).map_err(failed)?;
    Ok(array)
}

/// Writes the positions of a level's samples along an axis.
fn positions(path: &str, axis: &str, count: u64, at: impl Fn(u64) -> f64, put: &mut Put<'_>) -> Result<(), BakeError> {
    let store = Arc::new(MemoryStore::new());
    let chunk = POSITIONS.min(count);
    let mut builder = ArrayBuilder::new(vec![count], vec![chunk], DataType::Float64, f64::NAN);
    builder.dimension_names([axis].into()).attributes(object(json!({ "units": "world units", "axis": axis.to_uppercase() })));
    let array = array(&builder, &store, &format!("{path}/{axis}"))?;
    for number in 0..count.div_ceil(chunk) {
        let from = number * chunk;
        let mut all: Vec<f64> = (from..count.min(from + chunk)).map(&at).collect();
        all.resize(chunk as usize, f64::NAN);
        array.store_chunk_elements(&[number], &all).map_err(failed)?;
        drain(&store, put)?;
    }
    Ok(())
}
