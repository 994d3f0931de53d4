//! Zarr version 3 (*Zarr core specification, version 3.0*; codec *sharding-indexed*): one array for each layer and level of detail, in groups
//! that xarray opens as datasets.
//!
//! ```text
//! world.zarr/            the recipe, and which levels there are
//!   0/                   the samples themselves: level k has every 2ᵏth of them, from the first one on
//!     x  y               where they lie, in world units
//!     LAYER/c/ROW/COLUMN shards, files of 8 × 8 chunks, each compressed by itself
//! ```
//!
//! The first row is the one of the smallest y, as in tiles. What a shard has beyond the world's edge is not a number and takes no room.

use crate::bake::{BakeError, Baked, PlanError, Progress, Tiles, as_name};
use crate::map::record::Draft;
use crate::map::samples::Samples;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::io::Error;
use std::path::Path;
use std::sync::Arc;
use zarrs::array::codec::array_to_bytes::sharding::ShardingCodecBuilder;
use zarrs::array::codec::{Crc32cCodec, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, DataType, FillValue};
use zarrs::group::GroupBuilder;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ListableStorageTraits, ReadableStorageTraits, WritableStorageTraits};

/// The folder of it.
pub(super) const FOLDER: &str = "world.zarr";
/// Chunks along the edge of a shard.
const CHUNKS: u32 = 8;
/// Shards that are compressed at once.
const BATCH: usize = 16;
/// Positions to a chunk of a coordinate.
const POSITIONS: u64 = 1 << 16;
/// Zstandard's own middle: a tenth of the time of its highest levels, nearly their size.
const COMPRESSION: i32 = 3;

/// Zarr arrays of all layers, with levels of detail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zarr {
    /// Samples along the edge of a chunk, the smallest part that is read by itself: from 16 to 1024.
    pub pixels: u32,
}

/// What is written, through a store in memory.
struct Writer<'a, 'b> {
    store: Arc<MemoryStore>,
    draft: &'a mut Draft<'b>,
}

impl Writer<'_, '_> {
    /// The store's files, to disk.
    fn flush(&mut self) -> Result<(), BakeError> {
        let path = self.draft.path(FOLDER);
        let keys = self.store.list().map_err(|error| failed(&path, error))?;
        let mut files = Vec::new();
        for key in &keys {
            let bytes = self.store.get(key).map_err(|error| failed(&path, error))?;
            files.extend(bytes.map(|bytes| (format!("{FOLDER}/{key}"), bytes)));
            self.store.erase(key).map_err(|error| failed(&path, error))?;
        }
        let files: Vec<(String, &[u8])> = files.iter().map(|(name, bytes)| (name.clone(), &bytes[..])).collect();
        self.draft.write(&files)
    }

    fn group(&mut self, path: &str, attributes: Value) -> Result<(), BakeError> {
        let attributes = if let Value::Object(attributes) = attributes { attributes } else { Map::new() };
        let group = GroupBuilder::new().attributes(attributes).build(Arc::clone(&self.store), path);
        let at = self.draft.path(FOLDER);
        group.map_err(|error| failed(&at, error))?.store_metadata().map_err(|error| failed(&at, error))
    }

    fn array(&mut self, builder: &ArrayBuilder, path: &str) -> Result<Array<MemoryStore>, BakeError> {
        let at = self.draft.path(FOLDER);
        let array = builder.build(Arc::clone(&self.store), path).map_err(|error| failed(&at, error))?;
        array.store_metadata().map_err(|error| failed(&at, error))?;
        Ok(array)
    }

    /// Where the samples of a level lie along an axis.
    fn positions(&mut self, path: &str, axis: &str, count: u64, at: impl Fn(u64) -> f64) -> Result<(), BakeError> {
        let attributes =
            if let Value::Object(all) = json!({ "units": "world units", "axis": axis.to_uppercase() }) { all } else { Map::new() };
        let mut builder = ArrayBuilder::new(vec![count], vec![POSITIONS.min(count)], DataType::Float64, f64::NAN);
        builder.dimension_names([axis].into()).attributes(attributes);
        let array = self.array(&builder, &format!("{path}/{axis}"))?;
        for chunk in 0..count.div_ceil(POSITIONS) {
            let from = chunk * POSITIONS;
            let mut all: Vec<f64> = (from..count.min(from + POSITIONS)).map(&at).collect();
            all.resize(POSITIONS.min(count) as usize, f64::NAN);
            array.store_chunk_elements(&[chunk], &all).map_err(|error| failed(&self.draft.path(FOLDER), error))?;
        }
        self.flush()
    }
}

fn failed(path: &Path, error: impl std::error::Error + Send + Sync + 'static) -> BakeError {
    BakeError::file(path, Error::other(error))
}

impl Zarr {
    pub(super) fn check(&self) -> Result<(), BakeError> {
        let refuse = |what, value: String, allowed: &str| Err(PlanError::Map { what, value, allowed: allowed.to_owned() }.into());
        if !(16..=1024).contains(&self.pixels) {
            return refuse("pixels", self.pixels.to_string(), "16 to 1024");
        }
        Ok(())
    }

    pub(super) fn write(&self, baked: &Baked, tiles: &Tiles, draft: &mut Draft<'_>, progress: &dyn Progress) -> Result<(), BakeError> {
        let plan = baked.plan(tiles.clone());
        let manifest = baked.manifest();
        let corner = [&plan.tiles.x, &plan.tiles.y].map(|range| range.start * i64::from(plan.tile));
        let size = plan.samples();
        // The smallest level is one chunk.
        let levels = (0..).find(|&level| size[0].max(size[1]).div_ceil(1 << level) <= u64::from(self.pixels)).unwrap_or(0);
        let step = plan.region((plan.tiles.x.start, plan.tiles.y.start)).step();
        let scratch = draft.scratch();
        let mut writer = Writer { store: Arc::new(MemoryStore::new()), draft };
        let datasets: Vec<Value> =
            (0..=levels).map(|level| json!({ "path": level.to_string(), "spacing": step * f64::from(1 << level) })).collect();
        let multiscales = json!([{ "datasets": datasets, "type": "every second sample of the level before, from the first on" }]);
        let made = json!({
            "orogen": manifest.orogen, "bits": manifest.setting.bits, "parity": manifest.setting.parity,
            "recipe_sha256": manifest.setting.recipe_sha256, "recipe": manifest.recipe,
        });
        writer.group("/", json!({ "multiscales": multiscales, "orogen": made }))?;
        for level in 0..=levels {
            let path = format!("/{level}");
            let step = step * f64::from(1 << level);
            writer.group(&path, json!({ "level": level, "spacing": step, "z": plan.z }))?;
            for (axis, name) in ["x", "y"].into_iter().enumerate() {
                let first = (corner[axis] as f64) * plan.region((plan.tiles.x.start, plan.tiles.y.start)).step();
                writer.positions(&path, name, size[axis].div_ceil(1 << level), |index| first + index as f64 * step)?;
            }
        }
        writer.flush()?;
        let shards = |level: u32| size.map(|edge| edge.div_ceil(1 << level).div_ceil(u64::from(self.pixels * CHUNKS)));
        let layers = manifest.setting.products.len() as u64;
        let total = layers * (0..=levels).map(|level| shards(level).iter().product::<u64>()).sum::<u64>();
        let mut done = 0;
        for (k, product) in manifest.setting.products.iter().enumerate() {
            let samples = Samples::new(baked, k, tiles, corner, levels, &scratch, progress)?;
            let range = manifest.tiles.iter().filter(|tile| tiles.holds((tile.x, tile.y))).filter_map(|tile| tile.files.get(k));
            let range = range.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], file| [lo.min(file.min), hi.max(file.max)]);
            for level in 0..=levels {
                let array = writer.array(&self.layer(&samples, level, range), &format!("/{level}/{}", as_name(&product.layer)))?;
                let [columns, rows] = shards(level);
                let all: Vec<[u64; 2]> = (0..rows).flat_map(|row| (0..columns).map(move |column| [row, column])).collect();
                for batch in all.chunks(BATCH) {
                    if progress.stops() {
                        return Err(BakeError::Stopped);
                    }
                    batch.par_iter().try_for_each(|&shard| self.shard(&samples, level, shard, &array))?;
                    writer.flush()?;
                    done += batch.len() as u64;
                    progress.tile(done, total);
                }
            }
        }
        Ok(())
    }

    /// The array of a layer's level.
    fn layer(&self, samples: &Samples<'_>, level: u32, range: [f32; 2]) -> ArrayBuilder {
        let [columns, rows] = samples.level(level).size;
        let channels = samples.channels as u64;
        let [chunk, shard] = [self.pixels, self.pixels * CHUNKS].map(u64::from);
        // A single channel is no axis.
        let deep = |mut shape: Vec<u64>| {
            shape.extend((channels > 1).then_some(channels));
            shape
        };
        let names = [Some("y"), Some("x"), (channels > 1).then_some("channel")];
        let inner = deep(vec![chunk, chunk]).into_iter().map(|edge| edge.try_into().expect("invariant: chunks are not empty"));
        let mut sharding = ShardingCodecBuilder::new(inner.collect::<Vec<_>>().into());
        sharding.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(COMPRESSION, false)), Arc::new(Crc32cCodec::new())]);
        let mut builder =
            ArrayBuilder::new(deep(vec![rows, columns]), deep(vec![shard, shard]), DataType::Float32, FillValue::from(f32::NAN));
        let attributes = json!({ "range": range, "units": "world units" });
        let attributes = if let Value::Object(all) = attributes { all } else { Map::new() };
        builder.array_to_bytes_codec(Arc::new(sharding.build())).dimension_names(Some(names.into_iter().flatten())).attributes(attributes);
        builder
    }

    /// Writes a shard into the store.
    fn shard(&self, samples: &Samples<'_>, level: u32, [row, column]: [u64; 2], array: &Array<MemoryStore>) -> Result<(), BakeError> {
        let edge = self.pixels * CHUNKS;
        let of = samples.level(level);
        let [x, y] = [column, row].map(|index| (index * u64::from(edge)) as i64);
        let mut values = samples.window(level, [of.first[0] + x, of.first[1] + y], [edge; 2])?;
        // What lies beyond the edge.
        let inside = [0, 1].map(|axis| (of.size[axis] as i64 - [x, y][axis]).clamp(0, i64::from(edge)) as usize);
        let width = edge as usize * samples.channels;
        for (index, line) in values.chunks_exact_mut(width).enumerate() {
            let from = if index < inside[1] { inside[0] * samples.channels } else { 0 };
            line[from..].fill(f32::NAN);
        }
        let mut at = vec![row, column];
        at.extend((samples.channels > 1).then_some(0));
        array.store_chunk_elements(&at, &values).map_err(|error| failed(Path::new(FOLDER), error))
    }
}
