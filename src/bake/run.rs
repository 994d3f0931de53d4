//! The bake itself: one producer, a bounded queue, an encoder per processor.

use crate::bake::manifest::{FileRecord, Ledger, Product, Setting, TileRecord, hex};
use crate::bake::overview::{Gathered, Pixels};
use crate::bake::plan::Group;
use crate::bake::{BakeError, Format, Manifest, Plan, PlanError, Quantise, write_whole};
use crate::engine::layers::{LayersError, Measured};
use crate::engine::texture::KernelKind;
use crate::engine::{Engine, EngineError};
use crate::field::{Gradient, Layer};
use crate::graph::{Interval, Noise};
use crate::program::Program;
use crate::stage::Pipeline;
use std::collections::BTreeSet;
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
    /// What stages took beyond the tiles themselves; `None` without stages.
    pub halo: Option<Halo>,
    /// The samples of this run, as an overview shows them.
    pub(super) gathered: Gathered,
}

/// What the halos of a bake's blocks cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halo {
    /// Samples around what is wanted.
    pub samples: u32,
    /// Blocks that were computed.
    pub blocks: u64,
    /// Share of their samples that belongs to no tile of theirs: an upper bound for the share of the work, as later passes compute
    /// less and less of the halo.
    pub share: f64,
}

/// Smallest and largest number of each of these layers in all tiles of a plan: one pass over them for all that need stages, one for each
/// node.
///
/// # Errors
/// A layer cannot be evaluated there.
pub fn measure_ranges(engine: &Engine, pipeline: &Pipeline, layers: &[impl AsRef<str>], plan: &Plan) -> Result<Vec<Interval>, BakeError> {
    plan.check()?;
    let mut found = vec![Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY }; layers.len()];
    let add = |total: &mut Interval, [lo, hi]: [f32; 2]| {
        *total = Interval { lo: total.lo.min(f64::from(lo)), hi: total.hi.max(f64::from(hi)) };
    };
    let (nodes, stages): (Vec<usize>, Vec<usize>) = (0..layers.len()).partition(|&i| pipeline.node.contains_key(layers[i].as_ref()));
    for i in nodes {
        let regions = (0..plan.count()).map(|index| plan.region(plan.tile_at(index)));
        engine.fields(&pipeline.noise(layers[i].as_ref()), regions, Gradient::Without, |_, field| {
            add(&mut found[i], field.extent());
            Ok::<(), BakeError>(())
        })?;
    }
    if !stages.is_empty() {
        let names: Vec<&str> = stages.iter().map(|&i| layers[i].as_ref()).collect();
        let ready = engine.measured(pipeline, &names, &plan.world())?;
        let cut = engine.cut(&ready, &names, &plan.region((plan.tiles.x.start, plan.tiles.y.start)))?;
        for group in plan.groups(cut.edge) {
            for (&i, layer) in stages.iter().zip(engine.layers_in_blocks(&ready, &names, &group.region, cut)?) {
                add(&mut found[i], layer.extent());
            }
        }
    }
    Ok(found)
}

/// Bakes every tile of a plan that is not there yet, as many files for each as there are products.
///
/// Stages that read the whole world take the plan's tiles for it, unless they have been measured
/// ([`Engine::measure`]) before.
///
/// Memory: 8 MiB of sums for each channel of an overview, a byte for each tile, at most `3 + encoders` tiles of values (one being evaluated, two waiting, one in each encoder; one encoder
/// per processor), an encoded copy in each encoder, on a GPU three blocks of at most 16 MiB in flight and read back
/// (see [`Engine::fields`]), and some 200 bytes of record per tile; with stages, a block of
/// [`EngineOptions::memory`](crate::EngineOptions::memory) besides.
///
/// # Errors
/// Before anything is written: a plan, pipeline or range that is not allowed, a directory that holds another bake. Later:
/// the device's errors and the file system's; whole tiles stay, and the same call resumes.
pub fn bake(
    engine: &Engine,
    pipeline: &Pipeline,
    plan: &Plan,
    products: &[Product],
    directory: &Path,
    progress: &dyn Progress,
) -> Result<Report, BakeError> {
    plan.check()?;
    let names: Vec<&str> = products.iter().map(|product| product.layer.as_str()).collect();
    let Some((first, besides)) = products.split_first() else {
        return Err(PlanError::Number { what: "layers", value: "none".to_owned(), allowed: "one or more" }.into());
    };
    let quantise = ranges(pipeline, products)?;
    // A single noise comes tile by tile; all else in blocks.
    let noise = (products.len() == 1 && pipeline.node.contains_key(&first.layer)).then(|| pipeline.noise(&first.layer));
    let ready = match &noise {
        Some(noise) => {
            let program = Program::new(noise.graph()).map_err(EngineError::from)?;
            for corner in plan.corners() {
                program.grids(&corner).map_err(EngineError::from)?;
            }
            None
        }
        None => Some(engine.measured(pipeline, &names, &plan.world())?),
    };
    let engine_is = engine.describe();
    let pipeline_measured = ready.as_ref().map_or(pipeline, |ready| &ready.pipeline);
    let setting = Setting::new(pipeline_measured, plan, first, besides, &engine_is);
    let ledger = Ledger::open(directory, &setting)?;
    let todo: Vec<u32> = (0..plan.count()).filter(|&index| !ledger.is_done(plan.tile_at(index))).map(|index| index as u32).collect();
    let (total, left) = (plan.count(), todo.len() as u64);
    let encoders = std::thread::available_parallelism().map_or(1, usize::from);
    let pixels = Pixels::new(plan, pipeline.channels(&first.layer).map_err(LayersError::from)?);
    let job = Encoding {
        plan,
        products,
        quantise: &quantise,
        directory,
        ledger: Mutex::new(ledger),
        failure: Mutex::new(None),
        encode: AtomicU64::new(0),
        write: AtomicU64::new(0),
        done: AtomicU64::new(total - left),
        gathered: Mutex::new(Gathered::new(pixels.clone())),
        pixels,
        progress,
    };
    let start = Instant::now();
    let mut waiting = Duration::ZERO;
    let mut halo = None;
    let (sender, receiver) = sync_channel::<Tile>(QUEUE);
    let receiver = Mutex::new(receiver);
    let evaluated = std::thread::scope(|scope| {
        // Moved in, so that the encoders see the queue end when the producer does, however it ends.
        let sender = sender;
        let (job, receiver) = (&job, &receiver);
        for _ in 0..encoders {
            scope.spawn(move || job.run(receiver));
        }
        let mut hand = |at: (i64, i64), layers: Vec<Layer>| {
            let before = Instant::now();
            if job.failed() || sender.send(Tile { at, layers }).is_err() {
                return Err(job.failure());
            }
            waiting += before.elapsed();
            Ok(())
        };
        let tile_at = |index: &u32| plan.tile_at(u64::from(*index));
        let result = match (&noise, &ready) {
            (Some(noise), _) => noise_tiles(engine, noise, plan, &first.layer, &todo, &mut hand),
            (None, Some(ready)) => {
                let todo: BTreeSet<(i64, i64)> = todo.iter().map(tile_at).collect();
                blocks(engine, ready, plan, &names, &todo, &mut hand).map(|cost| halo = Some(cost))
            }
            (None, None) => Ok(()),
        };
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
        halo,
        gathered: job.gathered.into_inner().unwrap_or_else(PoisonError::into_inner),
    })
}

/// The declared range of each product that has one.
///
/// # Errors
/// A range that is none, or none where values become integers.
fn ranges(pipeline: &Pipeline, products: &[Product]) -> Result<Vec<Option<Quantise>>, BakeError> {
    let mut quantise = Vec::new();
    for product in products {
        quantise.push(product.range.map(|range| Quantise::new(range.lo, range.hi)).transpose()?);
        let channels = pipeline.channels(&product.layer).map_err(LayersError::from)?;
        if product.range.is_none() && product.format.is_integer() && channels == 1 {
            let value = format!("none for '{}'", product.layer);
            return Err(PlanError::Number { what: "range", value, allowed: "a range, for values as integers" }.into());
        }
    }
    Ok(quantise)
}

/// Evaluates a noise tile by tile; `tiles` are their numbers in the plan, a few bytes for each of what may be millions.
fn noise_tiles(
    engine: &Engine,
    noise: &Noise,
    plan: &Plan,
    layer: &str,
    tiles: &[u32],
    hand: &mut dyn FnMut((i64, i64), Vec<Layer>) -> Result<(), BakeError>,
) -> Result<(), BakeError> {
    let at = |index: &u32| plan.tile_at(u64::from(*index));
    let samples = tiles.first().map_or(0, |first| plan.region(at(first)).samples() * tiles.len() as u64);
    if samples >= MANY_SAMPLES {
        engine.specialise(noise, KernelKind::field(Gradient::Without))?;
    }
    let regions = tiles.iter().map(|index| plan.region(at(index)));
    engine.fields(noise, regions, Gradient::Without, |index, field| hand(at(&tiles[index]), vec![Layer::new(layer, field)]))
}

/// Computes the blocks that tiles are to be had from.
fn blocks(
    engine: &Engine,
    ready: &Measured,
    plan: &Plan,
    names: &[&str],
    todo: &BTreeSet<(i64, i64)>,
    hand: &mut dyn FnMut((i64, i64), Vec<Layer>) -> Result<(), BakeError>,
) -> Result<Halo, BakeError> {
    let cut = engine.cut(ready, names, &plan.region((plan.tiles.x.start, plan.tiles.y.start)))?;
    let (mut blocks, mut wanted, mut computed) = (0, 0, 0);
    for Group { tiles, region } in plan.groups(cut.edge) {
        if !tiles.iter().any(|at| todo.contains(at)) {
            continue;
        }
        let layers = engine.layers_in_blocks(ready, names, &region, cut)?;
        blocks += region.split(cut.edge).count() as u64;
        wanted += region.samples();
        let around = |size: u32| u64::from(size) + 2 * u64::from(cut.halo);
        computed += region.split(cut.edge).map(|(part, _)| around(part.size[0]) * around(part.size[1])).sum::<u64>();
        for at in tiles.into_iter().filter(|at| todo.contains(at)) {
            hand(at, layers.iter().map(|layer| layer.part(&plan.region(at))).collect())?;
        }
    }
    let share = if computed > 0 { 1.0 - wanted as f64 / computed as f64 } else { 0.0 };
    Ok(Halo { samples: cut.halo, blocks, share })
}

/// A tile on its way to an encoder.
struct Tile {
    at: (i64, i64),
    /// One for each product.
    layers: Vec<Layer>,
}

/// What the encoders share.
struct Encoding<'a> {
    plan: &'a Plan,
    products: &'a [Product],
    quantise: &'a [Option<Quantise>],
    directory: &'a Path,
    ledger: Mutex<Ledger>,
    failure: Mutex<Option<BakeError>>,
    encode: AtomicU64,
    write: AtomicU64,
    done: AtomicU64,
    pixels: Pixels,
    gathered: Mutex<Gathered>,
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
    fn run(&self, tiles: &Mutex<Receiver<Tile>>) {
        loop {
            let next = tiles.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(tile) = next else { return };
            if self.failed() {
                continue;
            }
            if let Err(error) = self.tile(&tile) {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }

    fn tile(&self, tile: &Tile) -> Result<(), BakeError> {
        let mut files = Vec::new();
        for (k, layer) in tile.layers.iter().enumerate() {
            files.push(self.file(tile.at, k, layer)?);
        }
        if let (Some(first), Some(product)) = (tile.layers.first(), self.products.first()) {
            let part = self.pixels.part(tile.at, &product.format.held(first, self.quantise[0]));
            self.gathered.lock().unwrap_or_else(PoisonError::into_inner).add(tile.at, &part);
        }
        let mut files = files.into_iter();
        if let Some(FileRecord { layer: _, file, sha256, min, max, clipped }) = files.next() {
            let (x, y) = tile.at;
            let record = TileRecord { x, y, file, sha256, min, max, clipped, besides: files.collect() };
            self.ledger.lock().unwrap_or_else(PoisonError::into_inner).add(record)?;
        }
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.progress.tile(done, self.plan.count());
        Ok(())
    }

    /// Writes one file of a tile.
    fn file(&self, (x, y): (i64, i64), product: usize, layer: &Layer) -> Result<FileRecord, BakeError> {
        let start = Instant::now();
        let format = self.products[product].format;
        // Names of nodes are free text, those of files are not.
        let safe = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let besides = if product == 0 { String::new() } else { format!(".{}", layer.name.chars().map(safe).collect::<String>()) };
        let file = format!("x{x}_y{y}{besides}.{}", format.extension());
        let path = self.directory.join(&file);
        let encoded = format.encode(layer, self.quantise[product]).map_err(|error| BakeError::file(&path, error))?;
        let [min, max] = layer.extent();
        let record = FileRecord { layer: layer.name.clone(), file, sha256: hex(&encoded.bytes), min, max, clipped: encoded.clipped };
        let encoded_at = Instant::now();
        self.encode.fetch_add((encoded_at - start).as_nanos() as u64, Ordering::Relaxed);
        if format.has_sidecar() {
            let sidecar = self.directory.join(format!("{}.json", record.file));
            write_whole(&sidecar, self.sidecar(format, product, &record, layer).as_bytes())?;
        }
        write_whole(&path, &encoded.bytes)?;
        self.write.fetch_add(encoded_at.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(record)
    }

    fn sidecar(&self, format: Format, product: usize, record: &FileRecord, layer: &Layer) -> String {
        let [width, height, _] = layer.region.size;
        let kind = if format.is_integer() { "u16" } else { "f32" };
        let range = match self.quantise[product] {
            Some(quantise) if format.is_integer() && layer.channels == 1 => {
                let (lo, hi) = quantise.range();
                serde_json::json!({ "lo": lo, "hi": hi })
            }
            _ => serde_json::Value::Null,
        };
        let text = serde_json::json!({
            "file": record.file, "layer": record.layer, "type": kind, "byte_order": "little", "width": width, "height": height,
            "channels": layer.channels, "row_order": "first row is the smallest y", "range": range, "min": record.min, "max": record.max,
        });
        format!("{text:#}\n")
    }
}
