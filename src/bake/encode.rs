//! The encoders: turn tiles into files and records, and sync them in batches.

use crate::bake::format::samples;
use crate::bake::hash::FileHash;
use crate::bake::ledger::Ledger;
use crate::bake::manifest::{FileRecord, TileRecord};
use crate::bake::overview::{Gathered, Pixels};
use crate::bake::place::BakeFolder;
use crate::bake::product::Product;
use crate::bake::progress::Progress;
use crate::bake::world::World;
use crate::bake::{BakeError, Format, Layout};
use crate::clock::Instant;
use crate::codec::{Encoded, Quantisation};
use crate::field::Layer;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// The shortest wait for a tile before an encoder checks for files to sync.
const SHORT: Duration = Duration::from_millis(10);
/// Sync immediately at this number of tiles.
const MANY: usize = 4096;

/// A tile that waits for an encoder.
pub(super) struct LayeredTile {
    pub at: (i64, i64),
    /// One layer for each product.
    pub layers: Vec<Layer>,
}

/// Tiles whose files are written and not yet synced.
struct Waiting {
    tiles: Vec<TileRecord>,
    since: Instant,
}

/// State that the encoders share.
pub(super) struct TileEncoding<'a> {
    world: &'a World<'a>,
    place: &'a BakeFolder,
    quantise: &'a [Option<Quantisation>],
    ledger: Mutex<Ledger<'a>>,
    /// Existing files without a record.
    unrecorded: HashSet<String>,
    waiting: Mutex<Waiting>,
    failure: Mutex<Option<BakeError>>,
    encode: AtomicU64,
    write: AtomicU64,
    done: AtomicU64,
    total: u64,
    pixels: Option<Pixels>,
    gathered: Mutex<Option<Gathered>>,
    progress: &'a dyn Progress,
}

/// The result of encoding.
pub(super) struct EncodedTiles<'a> {
    pub ledger: Ledger<'a>,
    pub gathered: Option<Gathered>,
    pub encode: Duration,
    pub write: Duration,
}

/// Locks a mutex, also after a panic of another thread: every failure is stored and ends the bake.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> TileEncoding<'a> {
    pub fn new(
        world: &'a World<'a>,
        place: &'a BakeFolder,
        quantise: &'a [Option<Quantisation>],
        ledger: Ledger<'a>,
        pixels: Option<Pixels>,
        [done, total]: [u64; 2],
        progress: &'a dyn Progress,
    ) -> Self {
        TileEncoding {
            world,
            place,
            quantise,
            unrecorded: ledger.unrecorded.clone(),
            ledger: Mutex::new(ledger),
            waiting: Mutex::new(Waiting { tiles: Vec::new(), since: Instant::now() }),
            failure: Mutex::new(None),
            encode: AtomicU64::new(0),
            write: AtomicU64::new(0),
            done: AtomicU64::new(done),
            total,
            gathered: Mutex::new(pixels.clone().map(Gathered::new)),
            pixels,
            progress,
        }
    }

    pub fn failed(&self) -> bool {
        lock(&self.failure).is_some()
    }

    pub fn failure(&self) -> BakeError {
        let stopped = || BakeError::file(self.place.folder(), std::io::Error::other("the encoders stopped"));
        lock(&self.failure).take().unwrap_or_else(stopped)
    }

    /// Encodes and writes tiles until the queue is closed. After a failure it only drains the queue, so that a producer that waits
    /// for space continues and sees the failure.
    pub fn run(&self, tiles: &Mutex<Receiver<LayeredTile>>) {
        loop {
            // If no tile arrives for a while, as during the computation of a block, the waiting ones are synced.
            let next = lock(tiles).recv_timeout(self.world.patience.max(SHORT));
            match next {
                Err(RecvTimeoutError::Disconnected) => return,
                _ if self.failed() => (),
                Err(RecvTimeoutError::Timeout) => self.note(|| self.settle()),
                Ok(tile) => self.encode(&tile),
            }
        }
    }

    /// Encodes and writes a tile, and syncs waiting ones if it is time.
    pub fn encode(&self, tile: &LayeredTile) {
        self.note(|| self.tile(tile));
    }

    /// Syncs and records the tiles that still wait, also after a failure: their files are complete.
    pub fn flush(&self) {
        let tiles = std::mem::take(&mut lock(&self.waiting).tiles);
        self.note(|| self.add(&mut lock(&self.ledger), tiles));
    }

    /// Returns the ledger, the overview's sums and the times.
    ///
    /// # Errors
    /// Returns the first failure.
    pub fn end(self) -> Result<EncodedTiles<'a>, BakeError> {
        if self.failed() {
            return Err(self.failure());
        }
        let nanoseconds = |n: &AtomicU64| Duration::from_nanos(n.load(Ordering::Relaxed));
        let (encode, write) = (nanoseconds(&self.encode), nanoseconds(&self.write));
        let ledger = self.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        let gathered = self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(EncodedTiles { ledger, gathered, encode, write })
    }

    /// Stores the failure of a step, if there is one. A panic counts as a failure.
    fn note(&self, step: impl FnOnce() -> Result<(), BakeError>) {
        let result = catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
            Err(BakeError::Panicked { message: said.unwrap_or_default() })
        });
        if let Err(error) = result {
            lock(&self.failure).get_or_insert(error);
        }
    }

    fn tile(&self, tile: &LayeredTile) -> Result<(), BakeError> {
        let files: Result<Vec<FileRecord>, BakeError> =
            tile.layers.iter().enumerate().map(|(k, layer)| self.file(tile.at, k, layer)).collect();
        if files.is_err() {
            (0..tile.layers.len()).for_each(|k| self.place.abandon(&self.file_name(tile.at, k)));
        }
        let files = files?;
        if let Some(pixels) = &self.pixels {
            let held = self.world.products[0].format.held(samples(&tile.layers[0]), self.quantise[0]);
            let held = held.map_err(|error| self.place.failed(&self.file_name(tile.at, 0), error))?;
            let part = pixels.part(tile.at, &held);
            if let Some(gathered) = &mut *lock(&self.gathered) {
                gathered.add(tile.at, &part);
            }
        }
        let (x, y) = tile.at;
        lock(&self.waiting).tiles.push(TileRecord { x, y, files });
        self.settle()
    }

    /// Syncs and records waiting tiles if they have waited long enough or are many. One encoder does this while the others
    /// continue.
    fn settle(&self) -> Result<(), BakeError> {
        let start = Instant::now();
        let waiting = lock(&self.waiting);
        let many = waiting.tiles.len() >= MANY;
        if waiting.tiles.is_empty() || (!many && waiting.since.elapsed() < self.world.patience) {
            return Ok(());
        }
        drop(waiting);
        let mut ledger = match self.ledger.try_lock() {
            Ok(ledger) => ledger,
            Err(TryLockError::WouldBlock) if !many => return Ok(()),
            Err(TryLockError::WouldBlock) => lock(&self.ledger),
            Err(TryLockError::Poisoned(ledger)) => ledger.into_inner(),
        };
        let mut waiting = lock(&self.waiting);
        let tiles = std::mem::take(&mut waiting.tiles);
        waiting.since = Instant::now();
        drop(waiting);
        let result = self.add(&mut ledger, tiles);
        self.write.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    fn add(&self, ledger: &mut Ledger<'_>, tiles: Vec<TileRecord>) -> Result<(), BakeError> {
        let count = tiles.len() as u64;
        ledger.add(tiles)?;
        for _ in 0..count {
            self.progress.tile(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.total);
        }
        Ok(())
    }

    fn file_name(&self, at: (i64, i64), k: usize) -> String {
        self.world.layout.file_name(at, &self.world.products[k], k)
    }

    /// Writes one file of a tile.
    fn file(&self, at: (i64, i64), k: usize, layer: &Layer) -> Result<FileRecord, BakeError> {
        let start = Instant::now();
        let encoded = encoded(&self.world.products[k], k, self.world.layout, self.quantise[k], at, layer);
        let EncodedFile { record, bytes, sidecar } = encoded.map_err(|error| self.place.failed(&self.file_name(at, k), error))?;
        let encoded_at = Instant::now();
        self.encode.fetch_add((encoded_at - start).as_nanos() as u64, Ordering::Relaxed);
        let write = |name: &str, bytes: &[u8]| {
            if self.unrecorded.contains(name) {
                lock(&self.ledger).take_over(name, bytes)?;
            }
            self.place.write(name, bytes)
        };
        write(&record.is.file, &bytes)?;
        if let (Some(is), Some(text)) = (&record.sidecar, sidecar) {
            write(&is.file, text.as_bytes())?;
        }
        self.write.fetch_add(encoded_at.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(record)
    }
}

/// The file of a tile's layer, encoded.
pub(super) struct EncodedFile {
    pub record: FileRecord,
    pub bytes: Vec<u8>,
    pub sidecar: Option<String>,
}

/// Encodes the k-th product of a tile.
pub(super) fn encoded(
    product: &Product,
    k: usize,
    layout: Layout,
    range: Option<Quantisation>,
    at: (i64, i64),
    layer: &Layer,
) -> std::io::Result<EncodedFile> {
    let turns = layout.turns(product.format);
    let laid = layout.laid(product.format, layer);
    let Encoded { bytes, clipped } = product.format.encode(samples(laid.as_ref().unwrap_or(layer)), range)?;
    let [min, max] = layer.extent();
    let is = FileHash::of(layout.file_of(at, product, k, layer.channels), &bytes);
    let mut record = FileRecord { layer: layer.name.clone(), is, min, max, clipped, sidecar: None };
    let sidecar = product.format.has_sidecar().then(|| sidecar(product.format, turns, range, &record, layer));
    record.sidecar = sidecar.as_ref().map(|text| FileHash::of(format!("{}.json", record.is.file), text.as_bytes()));
    Ok(EncodedFile { record, bytes, sidecar })
}

/// The JSON text that describes a file without a header.
fn sidecar(format: Format, turns: bool, range: Option<Quantisation>, record: &FileRecord, layer: &Layer) -> String {
    let [width, height, _] = layer.region.size;
    let row_order = if turns { "first row is the largest y" } else { "first row is the smallest y" };
    let range = range.filter(|_| format.is_integer() && layer.channels == 1).map(|range| {
        let (lo, hi) = range.range();
        serde_json::json!({ "lo": lo, "hi": hi })
    });
    let text = serde_json::json!({
        "file": record.is.file, "layer": record.layer, "type": format.number_type(), "byte_order": "little", "width": width, "height": height,
        "channels": layer.channels, "row_order": row_order, "range": range, "min": record.min, "max": record.max,
    });
    format!("{text:#}\n")
}
