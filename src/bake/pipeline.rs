//! The bake itself: one producer, a bounded queue, an encoder per processor.

use super::manifest::{Ledger, RangeRecord, Setting, TileRecord, hex};
use super::{BakeError, Format, Manifest, Plan, Quantise, write_whole};
use crate::engine::{Engine, EngineError, Field};
use crate::graph::{Interval, Noise};
use crate::program::Program;
use crate::textures::Use;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tiles that wait between evaluation and encoding.
const QUEUE: usize = 2;

/// Samples from which a kernel for a noise's own counts is worth its compilation.
const MANY_SAMPLES: u64 = 1 << 24;

/// Told about every tile that is whole.
pub trait Progress: Sync {
    /// `done` of `total` tiles are written.
    fn tile(&self, done: u64, total: u64);
}

impl Progress for () {
    fn tile(&self, _: u64, _: u64) {}
}

/// What a bake did and where its time went.
#[derive(Clone, Debug)]
pub struct Report {
    /// What `manifest.json` holds.
    pub manifest: Manifest,
    /// Tiles written by this run.
    pub written: u64,
    /// Tiles that were there already.
    pub resumed: u64,
    /// From the first tile to the last.
    pub wall: Duration,
    /// Evaluating, on the producer's side, waiting for encoders not counted.
    pub evaluate: Duration,
    /// Encoding and hashing, summed over the encoders.
    pub encode: Duration,
    /// Writing, summed over the encoders.
    pub write: Duration,
    /// Number of encoders.
    pub encoders: usize,
}

/// Smallest and largest value of all tiles of a plan: a whole pass over them.
///
/// # Errors
/// The noise cannot be evaluated there.
pub fn measure(engine: &Engine, noise: &Noise, plan: &Plan) -> Result<Interval, BakeError> {
    plan.check()?;
    let regions = (0..plan.count()).map(|index| plan.region(plan.tile_at(index)));
    let mut total: Option<Interval> = None;
    engine.fields(noise, regions, false, |_, field| {
        let [lo, hi] = field.extent().map(f64::from);
        total = Some(total.map_or(Interval { lo, hi }, |t| Interval { lo: t.lo.min(lo), hi: t.hi.max(hi) }));
        Ok::<(), BakeError>(())
    })?;
    Ok(total.unwrap_or(Interval { lo: 0.0, hi: 0.0 }))
}

/// Bakes every tile of a plan that is not there yet.
///
/// Memory: at most `3 + encoders` tiles of values (one being evaluated, two waiting, one in each encoder; one encoder
/// per processor), an encoded copy in each encoder, on a GPU three blocks of at most 16 MiB in flight and read back
/// (see [`Engine::fields`]), and some 200 bytes of record per tile.
///
/// # Errors
/// Before anything is written: a plan, noise or range that is not allowed, a directory that holds another bake. Later:
/// the device's errors and the file system's; whole tiles stay, and the same call resumes.
pub fn bake(
    engine: &Engine,
    noise: &Noise,
    plan: &Plan,
    format: Format,
    range: RangeRecord,
    directory: &Path,
    progress: &dyn Progress,
) -> Result<Report, BakeError> {
    plan.check()?;
    let quantise = Quantise::new(range.lo, range.hi)?;
    let program = Program::new(noise.graph()).map_err(EngineError::from)?;
    for corner in plan.corners() {
        program.grids(&corner).map_err(EngineError::from)?;
    }
    let engine_is = engine.describe();
    let setting = Setting::new(noise.graph(), plan, format, range, &engine_is);
    let ledger = Ledger::open(directory, &setting)?;
    let todo: Vec<u32> = (0..plan.count()).filter(|&index| !ledger.is_done(plan.tile_at(index))).map(|index| index as u32).collect();
    let (total, left) = (plan.count(), todo.len() as u64);
    let encoders = std::thread::available_parallelism().map_or(1, usize::from);
    let job = Encoding {
        plan,
        format,
        quantise,
        directory,
        todo: &todo,
        ledger: Mutex::new(ledger),
        failure: Mutex::new(None),
        encode: AtomicU64::new(0),
        write: AtomicU64::new(0),
        done: AtomicU64::new(total - left),
        progress,
    };
    let start = Instant::now();
    let samples = todo.first().map_or(0, |&index| plan.region(plan.tile_at(u64::from(index))).samples() * left);
    if samples >= MANY_SAMPLES {
        engine.specialise(noise, Use::field(false))?;
    }
    let mut waiting = Duration::ZERO;
    let (sender, receiver) = sync_channel::<(usize, Field)>(QUEUE);
    let receiver = Mutex::new(receiver);
    let evaluated = std::thread::scope(|scope| {
        // Moved in, so that the encoders see the queue end when the producer does, however it ends.
        let sender = sender;
        let (job, receiver) = (&job, &receiver);
        for _ in 0..encoders {
            scope.spawn(move || job.run(receiver));
        }
        let regions = todo.iter().map(|&index| plan.region(plan.tile_at(u64::from(index))));
        let result = engine.fields(noise, regions, false, |index, field| {
            let before = Instant::now();
            if job.failed() || sender.send((index, field)).is_err() {
                return Err(job.failure());
            }
            waiting += before.elapsed();
            Ok(())
        });
        drop(sender);
        result
    });
    let wall = start.elapsed();
    if job.failed() {
        return Err(job.failure());
    }
    evaluated?;
    let ledger = job.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
    let manifest = ledger.close(setting, &engine_is)?;
    let nanoseconds = |n: &AtomicU64| Duration::from_nanos(n.load(Ordering::Relaxed));
    Ok(Report {
        manifest,
        written: left,
        resumed: total - left,
        wall,
        evaluate: wall.saturating_sub(waiting),
        encode: nanoseconds(&job.encode),
        write: nanoseconds(&job.write),
        encoders,
    })
}

/// What the encoders share.
struct Encoding<'a> {
    plan: &'a Plan,
    format: Format,
    quantise: Quantise,
    directory: &'a Path,
    todo: &'a [u32],
    ledger: Mutex<Ledger>,
    failure: Mutex<Option<BakeError>>,
    encode: AtomicU64,
    write: AtomicU64,
    done: AtomicU64,
    progress: &'a dyn Progress,
}

impl Encoding<'_> {
    fn failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn failure(&self) -> BakeError {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.unwrap_or_else(|| BakeError::file(self.directory, std::io::Error::other("the encoders stopped")))
    }

    /// Encodes and writes tiles until there are no more. After a failure tiles are only drained, so that the producer,
    /// which may be waiting for room in the queue, sees it.
    fn run(&self, tiles: &Mutex<Receiver<(usize, Field)>>) {
        loop {
            let next = tiles.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((index, field)) = next else { return };
            if self.failed() {
                continue;
            }
            if let Err(error) = self.tile(index, &field) {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }

    fn tile(&self, index: usize, field: &Field) -> Result<(), BakeError> {
        let start = Instant::now();
        let (x, y) = self.plan.tile_at(u64::from(self.todo[index]));
        let file = format!("x{x}_y{y}.{}", self.format.extension());
        let path = self.directory.join(&file);
        let encoded = self.format.encode(field, self.quantise).map_err(|error| BakeError::file(&path, error))?;
        let [min, max] = field.extent();
        let record = TileRecord { x, y, file, sha256: hex(&encoded.bytes), min, max, clipped: encoded.clipped };
        let encoded_at = Instant::now();
        self.encode.fetch_add((encoded_at - start).as_nanos() as u64, Ordering::Relaxed);
        if self.format.has_sidecar() {
            let sidecar = self.directory.join(format!("{}.json", record.file));
            write_whole(&sidecar, self.sidecar(&record, field).as_bytes())?;
        }
        write_whole(&path, &encoded.bytes)?;
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).add(record)?;
        self.write.fetch_add(encoded_at.elapsed().as_nanos() as u64, Ordering::Relaxed);
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.progress.tile(done, self.plan.count());
        Ok(())
    }

    fn sidecar(&self, record: &TileRecord, field: &Field) -> String {
        let [width, height, _] = field.region.size;
        let kind = if self.format.is_integer() { "u16" } else { "f32" };
        let (lo, hi) = self.quantise.range();
        let range = if self.format.is_integer() { serde_json::json!({ "lo": lo, "hi": hi }) } else { serde_json::Value::Null };
        let text = serde_json::json!({
            "file": record.file, "type": kind, "byte_order": "little", "width": width, "height": height,
            "row_order": "first row is the smallest y", "range": range, "min": record.min, "max": record.max,
        });
        format!("{text:#}\n")
    }
}
