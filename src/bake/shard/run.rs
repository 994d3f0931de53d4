//! Bakes a shard: tiles become files that are created or compared, and then a record lists them.

use super::record::{self, Maker, Recorded};
use super::{Sharded, order};
use crate::bake::encode::{EncodedFile, encoded};
use crate::bake::hash::hex;
use crate::bake::manifest::TileRecord;
use crate::bake::object::Object;
use crate::bake::product::Product;
use crate::bake::progress::Progress;
use crate::bake::run::evaluate;
use crate::bake::{BakeError, Tiles, World};
use crate::codec::Quantisation;
use crate::engine::Engine;
use crate::field::Layer;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The longest time that a tile waits to be written together with others. A kill loses at most this much work.
const PATIENCE: Duration = Duration::from_secs(1);
/// Bytes that are written immediately.
const MANY: usize = 64 << 20;

/// The result of baking a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardReport {
    /// Tiles that it computed.
    pub written: u64,
    /// Tiles that were recorded already.
    pub resumed: u64,
    /// Files that another process wrote in the meantime, with the same bits.
    pub met: u64,
    /// Files and records that were damaged and are made again.
    pub mended: u64,
    /// From the first tile to the last.
    pub wall: Duration,
}

/// Tiles that wait to be written to the store.
struct Writer<'a> {
    sharded: &'a Sharded,
    products: &'a [Product],
    shard: u32,
    quantise: Vec<Option<Quantisation>>,
    maker: Maker,
    attempt: String,
    values: Vec<((i64, i64), Vec<Layer>)>,
    tiles: Vec<TileRecord>,
    objects: Vec<Object>,
    bytes: usize,
    since: Instant,
    /// Recorded hashes of files whose content differs.
    damaged: HashMap<String, String>,
    mended: u64,
    met: u64,
    done: u64,
    total: u64,
    progress: &'a dyn Progress,
}

/// The files of a shard, compared with its records.
struct Confirmed {
    /// Tiles whose files all match their records.
    there: HashSet<(i64, i64)>,
    /// Recorded hashes of files whose content differs.
    damaged: HashMap<String, String>,
}

impl Sharded {
    /// Bakes a shard; numbers begin at 0. It computes the tiles that are not recorded yet, or whose files are missing or damaged.
    /// A recorded file is read and counts if its hash matches. A damaged file is replaced if its tile, computed again, matches the
    /// record. Damaged records are written again.
    ///
    /// Memory: [`EngineOptions::memory`](crate::EngineOptions::memory) for a block, the layers of a group of tiles and tables; some tiles
    /// for each processor, and 64 MiB of files.
    ///
    /// # Errors
    /// - There is no such shard, or the engine has another parity.
    /// - [`BakeError::Unmeasured`] while a measurement is missing.
    /// - A file with other bits than the computed ones exists. It is not overwritten unless a record confirms that it is damaged.
    /// - Errors of the device and of the store. Recorded tiles stay, and the same call continues.
    pub fn bake(&self, engine: &Engine, shard: u32, progress: &dyn Progress) -> Result<ShardReport, BakeError> {
        self.check_shard(shard)?;
        self.check_engine(engine)?;
        let start = Instant::now();
        let recorded = self.recorded(shard)?;
        let Confirmed { there, damaged } = self.confirmed(&recorded)?;
        let mut todo = Vec::new();
        for (group, tiles) in order::shard(&self.tiles(), shard, self.shards()) {
            let missing: Vec<(i64, i64)> = tiles.into_iter().filter(|at| !there.contains(at)).collect();
            if !missing.is_empty() {
                todo.push((group, missing));
            }
        }
        let (total, left) = (self.tiles_of(shard), todo.iter().map(|(_, tiles)| tiles.len() as u64).sum::<u64>());
        let is = engine.describe();
        let maker = Maker {
            machine: record::machine(),
            backend: is.backend.name().to_owned(),
            adapter: is.adapter.clone(),
            began: record::now(),
            ended: 0,
        };
        let settled = self.settled()?;
        let (pipeline, products) = (&settled.pipeline, &settled.setting.products);
        let all = self.part(self.tiles());
        let whole = World { layout: settled.setting.layout, ..World::new(pipeline, &all, products) };
        let mut writer = Writer {
            sharded: self,
            products,
            shard,
            quantise: whole.checked()?,
            maker,
            attempt: record::attempt(),
            values: Vec::new(),
            tiles: Vec::new(),
            objects: Vec::new(),
            bytes: 0,
            since: Instant::now(),
            damaged,
            mended: 0,
            met: 0,
            done: total - left,
            total,
            progress,
        };
        engine.keep_drained(&settled.drained);
        let ready = whole.ready(engine, &mut ())?;
        for (group, tiles) in todo {
            let plan = self.part(Tiles::around(tiles.iter().copied()).unwrap_or(group));
            let numbers: Vec<u32> = tiles.iter().map(|at| plan.number(*at) as u32).collect();
            let world = World::new(pipeline, &plan, products);
            evaluate(engine, &world, ready.as_ref(), &numbers, &mut |at, layers| writer.add(at, layers))?;
            writer.encode()?;
        }
        writer.flush()?;
        self.mend_records(shard, &recorded, &there)?;
        let mended = writer.mended + recorded.damaged.len() as u64;
        Ok(ShardReport { written: left, resumed: total - left, met: writer.met, mended, wall: start.elapsed() })
    }

    /// Compares the files of a shard with its records.
    fn confirmed(&self, recorded: &Recorded) -> Result<Confirmed, BakeError> {
        let wrong = |(tile, _): &(TileRecord, usize)| {
            let mut damaged = Vec::new();
            let mut whole = true;
            for is in tile.hashes() {
                let name = self.file(tile, &is.file);
                let found = self.read(&name)?.map(|bytes| hex(&bytes));
                whole &= found.as_ref() == Some(&is.sha256);
                damaged.extend(found.filter(|found| *found != is.sha256).map(|_| (name, is.sha256.clone())));
            }
            Ok((whole.then_some((tile.x, tile.y)), damaged))
        };
        let looked: Result<Vec<_>, BakeError> = recorded.tiles.par_iter().map(|(_, tile)| wrong(tile)).collect();
        let (there, damaged): (Vec<_>, Vec<_>) = looked?.into_iter().unzip();
        Ok(Confirmed { there: there.into_iter().flatten().collect(), damaged: damaged.into_iter().flatten().collect() })
    }

    /// Whether every file of a tile exists with the recorded size.
    pub(super) fn is_there(&self, tile: &TileRecord) -> Result<bool, BakeError> {
        for is in tile.hashes() {
            let name = self.file(tile, &is.file);
            match self.store.size(&name).map_err(|error| self.failed(&name, error))? {
                Some(size) if size == is.size => (),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

impl Writer<'_> {
    fn add(&mut self, at: (i64, i64), layers: Vec<Layer>) -> Result<(), BakeError> {
        self.values.push((at, layers));
        if self.values.len() >= 2 * rayon::current_num_threads() {
            self.encode()?;
        }
        if self.progress.stops() {
            self.encode()?;
            self.flush()?;
            return Err(BakeError::Stopped);
        }
        Ok(())
    }

    /// Encodes the tiles that were added.
    fn encode(&mut self) -> Result<(), BakeError> {
        let sharded = self.sharded;
        let (products, layout, quantise) = (self.products, sharded.plan.setting.layout, &self.quantise);
        let tile = |((x, y), layers): ((i64, i64), Vec<Layer>)| {
            let mut tile = TileRecord { x, y, files: Vec::new() };
            let mut objects = Vec::new();
            for (k, layer) in layers.iter().enumerate() {
                let EncodedFile { record, bytes, sidecar } = encoded(&products[k], k, layout, quantise[k], (x, y), layer)
                    .map_err(|error| sharded.failed(&sharded.place_of((x, y)), error))?;
                objects.push(Object { name: sharded.file(&tile, &record.is.file), bytes });
                if let (Some(is), Some(text)) = (&record.sidecar, sidecar) {
                    objects.push(Object { name: sharded.file(&tile, &is.file), bytes: text.into_bytes() });
                }
                tile.files.push(record);
            }
            Ok((tile, objects))
        };
        let made: Result<Vec<(TileRecord, Vec<Object>)>, BakeError> = std::mem::take(&mut self.values).into_par_iter().map(tile).collect();
        for (tile, objects) in made? {
            self.bytes += objects.iter().map(|object| object.bytes.len()).sum::<usize>();
            self.tiles.push(tile);
            self.objects.extend(objects);
        }
        if self.bytes >= MANY || self.since.elapsed() >= PATIENCE { self.flush() } else { Ok(()) }
    }

    /// Writes the waiting files, and records their tiles.
    fn flush(&mut self) -> Result<(), BakeError> {
        let (objects, tiles) = (std::mem::take(&mut self.objects), std::mem::take(&mut self.tiles));
        (self.bytes, self.since) = (0, Instant::now());
        if tiles.is_empty() {
            return Ok(());
        }
        let made = self.sharded.make(&objects)?;
        for (object, _) in objects.iter().zip(made).filter(|(_, made)| !made) {
            if self.compare(object)? {
                self.met += 1;
            } else {
                self.sharded.replace(object)?;
                self.mended += 1;
            }
        }
        // Later than the previous record, since the time is part of the name.
        self.maker.ended = record::now().max(self.maker.ended + 1);
        let record = record::record(&self.sharded.key, self.shard, &self.maker, &self.attempt, &tiles);
        // A request may have created the record though its answer was lost. Then it exists with the same bytes.
        self.sharded.keep(&record, &|_, _| true)?;
        for _ in tiles {
            self.done += 1;
            self.progress.tile(self.done, self.total);
        }
        Ok(())
    }

    /// Whether the existing file equals the computed one; false if it is damaged, that is if the record agrees with the computed
    /// one.
    fn compare(&self, object: &Object) -> Result<bool, BakeError> {
        let there = self.sharded.read(&object.name)?.unwrap_or_default();
        if there == object.bytes {
            return Ok(true);
        }
        if self.damaged.get(&object.name) == Some(&hex(&object.bytes)) {
            return Ok(false);
        }
        Err(self.sharded.different(&object.name, &there, &object.bytes, &format!("by {}", self.maker.machine)))
    }
}
