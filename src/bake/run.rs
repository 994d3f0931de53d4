//! The bake itself: one producer, a bounded queue, and an encoder per processor.

use crate::bake::answers::Collected;
use crate::bake::encode::{EncodedTiles, LayeredTile, TileEncoding};
use crate::bake::ledger::{Beside, Ledger};
use crate::bake::manifest::{BakeIdentity, Manifest};
use crate::bake::names::NOTES;
use crate::bake::overview::{Pixels, overview};
use crate::bake::place::BakeFolder;
use crate::bake::plan::Group;
use crate::bake::weights::joined;
use crate::bake::world::{Answered, World};
use crate::bake::{BakeError, Plan, Progress};
use crate::clock::Instant;
use crate::codec::Quantisation;
use crate::engine::Engine;
use crate::engine::measured::{Measured, check_inside};
use crate::engine::sources::Blocks;
#[cfg(feature = "gpu")]
use crate::engine::texture::KernelKind;
use crate::error::LayersError;
use crate::field::{Gradient, Layer};
use crate::graph::Noise;
use crate::interval::Interval;
use crate::region::Region;
use crate::stage::Pipeline;
use crate::world::one::{Checkpoint, answer_all};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// Tiles that may wait between evaluation and encoding.
const QUEUE: usize = 2;

/// From this number of samples on, a kernel that is specialised for the noise is worth its compilation.
#[cfg(feature = "gpu")]
const MANY_SAMPLES: u64 = 1 << 24;

/// The result of a bake, with the time of each step.
#[derive(Clone, Debug)]
pub struct Report {
    /// The content of `manifest.json`.
    pub manifest: Manifest,
    /// Tiles written by this run.
    pub written: u64,
    /// Tiles that existed already.
    pub resumed: u64,
    /// Files that differed from their records. Those of the plan's tiles were made again.
    pub damaged: Vec<String>,
    /// From the first tile to the last.
    pub wall: Duration,
    /// Evaluation in the producer, without waiting for encoders.
    pub evaluate: Duration,
    /// Encoding and hashing, summed over the encoders.
    pub encode: Duration,
    /// Writing and syncing, summed over the encoders.
    pub write: Duration,
    /// Drawing the overview.
    pub overview: Duration,
    /// Number of encoders.
    pub encoders: usize,
    /// The cost of the stages' halos; `None` without stages.
    pub halo: Option<Halo>,
}

/// Below this share of the declared range, half of an integer format's bits are unused.
const LITTLE: f64 = 1.0 / 256.0;

impl Report {
    /// Losses of integer formats, a line for each layer: samples outside the declared range, and ranges that are hardly used.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (k, product) in self.manifest.setting.products.iter().enumerate() {
            let Some(range) = product.range.filter(|_| product.format.is_integer()) else { continue };
            let files = self.manifest.tiles.iter().filter_map(|tile| tile.files.get(k));
            let (lo, hi, clipped) = files.fold((f32::INFINITY, f32::NEG_INFINITY, 0), |(lo, hi, clipped), file| {
                (lo.min(file.min), hi.max(file.max), clipped + file.clipped)
            });
            let layer = &product.layer;
            if clipped > 0 {
                warnings
                    .push(format!("samples of '{layer}' outside the declared range {},{}, clipped to it: {clipped}", range.lo, range.hi));
            }
            let used = f64::from(hi - lo) / (range.hi - range.lo);
            if hi > lo && used < LITTLE {
                warnings.push(format!(
                    "values {lo} to {hi} of '{layer}' use {:.3} % of the declared range {},{}; consider a measured range",
                    used * 100.0,
                    range.lo,
                    range.hi
                ));
            }
        }
        warnings
    }
}

/// The cost of the halos of a bake's blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halo {
    /// Width of the halo around a block, in samples.
    pub samples: u32,
    /// Blocks that were computed.
    pub blocks: u64,
    /// Share of the computed samples that belongs to no tile of their block. It is an upper bound for the share of the work, since
    /// later passes compute less of the halo.
    pub share: f64,
}

/// The smallest and largest value of each of these layers in all tiles of a plan, in one pass. Stages that read the whole world
/// and are not measured yet are measured over the plan's tiles before. A stored state is valid for the same call on an engine with
/// the same backend and memory.
///
/// # Errors
/// Returns an error if a layer cannot be evaluated there.
pub fn measure_ranges(
    engine: &Engine,
    pipeline: &Pipeline,
    layers: &[impl AsRef<str>],
    plan: &Plan,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Vec<Interval>, BakeError> {
    plan.check()?;
    let mut questions = engine.questions(pipeline.clone(), layers, layers);
    let (world, tiles) = (plan.world(), plan.squares());
    questions.set_world(&world);
    answer_all(&engine.pool, &mut questions, &mut Blocks::new(engine, &world, &tiles), checkpoint, &())?;
    Ok(questions.ranges.into_iter().flatten().map(|[lo, hi]| Interval { lo, hi }).collect())
}

/// Bakes every missing tile of a plan, with a file for each product, then the picture of the whole, and last the manifest. Once
/// this returns, all files survive a power cut.
///
/// An existing file counts as intact if its size and hash match. In an interrupted bake, a file that was not modified since it was
/// recorded counts, too. A damaged file is made again.
///
/// Stages that read the whole world use the plan's tiles as that world, unless they were [measured](Engine::measure) before.
///
/// Memory:
///
/// | component | memory |
/// |---|---|
/// | values of tiles | at most `3 + encoders` tiles: one being evaluated, two waiting, one in each encoder; one encoder per processor |
/// | with [`Threads::Caller`](crate::Threads::Caller) | one tile, which the caller's thread evaluates and encodes |
/// | encoded files | one in each encoder |
/// | overview | 8 MiB of sums for each channel, and a byte for each tile |
/// | records | some 1.4 KB for each tile |
/// | on a GPU | three blocks of at most 16 MiB in flight and read back (see [`Engine::fields`]) |
/// | with stages | [`EngineOptions::memory`](crate::EngineOptions::memory), for a block, the layers of a group of tiles, and tables |
///
/// # Errors
/// - Before the folder is modified: the errors of [`World::check`], and an error for [arrays](crate::bake::Format::is_array),
///   which [`Sharded`](crate::bake::Sharded) bakes.
/// - Before a tile is written: an error if the folder holds another bake or foreign files.
/// - Later: errors of the device and I/O errors. Finished tiles stay, and the same call continues.
pub fn bake(engine: &Engine, world: &World<'_>, folder: &Path, progress: &dyn Progress) -> Result<Report, BakeError> {
    let quantise = world.checked_alone()?;
    run(engine, world, &quantise, &BakeFolder::open(folder)?, progress)
}

/// [`bake`] in a folder that is already locked.
///
/// # Errors
/// The errors of [`bake`].
pub fn bake_in(engine: &Engine, world: &World<'_>, place: &BakeFolder, progress: &dyn Progress) -> Result<Report, BakeError> {
    run(engine, world, &world.checked_alone()?, place, progress)
}

fn run(
    engine: &Engine,
    world: &World<'_>,
    quantise: &[Option<Quantisation>],
    place: &BakeFolder,
    progress: &dyn Progress,
) -> Result<Report, BakeError> {
    let World { pipeline, plan, products, layout, .. } = *world;
    let first = &products[0];
    let mut collected = Collected::new(&world.key());
    let ready = world.ready(engine, &mut collected)?;
    let Answered { recipe, answers } = world.answered.unwrap_or(Answered { recipe: pipeline, answers: &collected.answers });
    let engine_is = engine.describe();
    let pipeline_measured = ready.as_ref().map_or(pipeline, |ready| &ready.pipeline);
    let setting = BakeIdentity::new(pipeline_measured, plan, products, layout, &engine_is);
    let head = Manifest::begin(setting, recipe, &engine_is);
    let answers = answers.iter().map(|answer| Beside { name: &answer.name, bytes: &answer.bytes });
    let notes = world.notes.iter().map(|(name, text)| Beside { name, bytes: text.as_bytes() });
    let files: Vec<Beside<'_>> = answers.chain(notes).collect();
    let mut ledger = Ledger::open(place, head, plan, &world.names(), &files)?;
    let damaged = std::mem::take(&mut ledger.damaged);
    let todo: Vec<u32> = (0..plan.count()).filter(|&index| !ledger.is_done(plan.tile_at(index))).map(|index| index as u32).collect();
    let (total, left) = (plan.count(), todo.len() as u64);
    let draws = world.overview && (left > 0 || ledger.overview().is_none());
    let (notes, answers): (Vec<Beside<'_>>, Vec<_>) =
        files.into_iter().filter(|file| ledger.lacks(file)).partition(|file| NOTES.contains(&file.name));
    if left > 0 || draws || !damaged.is_empty() || !notes.is_empty() || !answers.is_empty() {
        ledger.begin()?;
    }
    // Answers must be files before tiles are recorded.
    answers.into_iter().try_for_each(|answer| ledger.add_beside(answer))?;
    place.forget_measuring();
    if !world.overview && (left > 0 || ledger.overview().is_none()) {
        ledger.erase();
    }
    let pixels = draws.then(|| pipeline.channels(&first.layer).map(|channels| Pixels::new(plan, channels)));
    let pixels = pixels.transpose().map_err(LayersError::from)?;
    let job = TileEncoding::new(world, place, quantise, ledger, pixels.clone(), [total - left, total], progress);
    let start = Instant::now();
    let mut waiting = Duration::ZERO;
    let mut produce = |give: &dyn Fn(LayeredTile) -> bool| {
        let mut hand = |at: (i64, i64), layers: Vec<Layer>| {
            let before = Instant::now();
            if job.failed() || !give(LayeredTile { at, layers }) {
                return Err(job.failure());
            }
            waiting += before.elapsed();
            if progress.stops() { Err(BakeError::Stopped) } else { Ok(()) }
        };
        evaluate(engine, world, ready.as_ref(), &todo, &mut hand)
    };
    let (evaluated, encoders) = if engine.pool.is_caller() {
        let encode = |tile: LayeredTile| {
            job.encode(&tile);
            !job.failed()
        };
        (produce(&encode), 1)
    } else {
        beside_encoders(&job, produce)
    };
    job.flush();
    let wall = start.elapsed();
    let EncodedTiles { mut ledger, gathered, encode, write } = job.end()?;
    let halo = evaluated?;
    let start = Instant::now();
    if let (Some(pixels), Some(gathered)) = (pixels, gathered) {
        let png = overview(place, first, layout, pixels, gathered, ledger.tiles().filter(|tile| plan.holds((tile.x, tile.y))))?;
        ledger.draw(&png)?;
    }
    notes.into_iter().try_for_each(|note| ledger.add_beside(note))?;
    let manifest = ledger.close()?;
    let overview = start.elapsed();
    let evaluate = wall.saturating_sub(waiting);
    Ok(Report { manifest, written: left, resumed: total - left, damaged, wall, evaluate, encode, write, overview, encoders, halo })
}

/// Runs a producer of tiles next to an encoder for each processor. Returns its result and the number of encoders.
fn beside_encoders<T>(job: &TileEncoding<'_>, produce: impl FnOnce(&dyn Fn(LayeredTile) -> bool) -> T) -> (T, usize) {
    let encoders = std::thread::available_parallelism().map_or(1, usize::from);
    let (sender, receiver) = sync_channel::<LayeredTile>(QUEUE);
    let receiver = Mutex::new(receiver);
    let produced = std::thread::scope(|scope| {
        // Moved in, so that the queue ends for the encoders when the producer ends, also after a panic.
        let sender = sender;
        let receiver = &receiver;
        for _ in 0..encoders {
            scope.spawn(move || job.run(receiver));
        }
        produce(&|tile| sender.send(tile).is_ok())
    });
    (produced, encoders)
}

/// Called with the layers of each tile, one for each product.
pub(super) type HandLayers<'a> = dyn FnMut((i64, i64), Vec<Layer>) -> Result<(), BakeError> + 'a;

/// Evaluates tiles of a world that is [`ready`](World::ready), given by their numbers in the plan.
pub(super) fn evaluate(
    engine: &Engine,
    world: &World<'_>,
    ready: Option<&Measured>,
    tiles: &[u32],
    hand: &mut HandLayers<'_>,
) -> Result<Option<Halo>, BakeError> {
    let Some(ready) = ready else {
        let layer = &world.products[0].layer;
        noise_tiles(engine, &world.pipeline.noise(layer), world.plan, layer, tiles, hand)?;
        return Ok(None);
    };
    let todo: BTreeSet<(i64, i64)> = tiles.iter().map(|index| world.plan.tile_at(u64::from(*index))).collect();
    let mut hand = |at: (i64, i64), layers: Vec<Layer>| hand(at, joined(world.products, layers));
    blocks(engine, ready, world.plan, &world.layers(), &todo, &mut hand).map(Some)
}

/// Evaluates a noise tile by tile. `tiles` are their numbers in the plan: a few bytes each, since there may be millions.
fn noise_tiles(
    engine: &Engine,
    noise: &Noise,
    plan: &Plan,
    layer: &str,
    tiles: &[u32],
    hand: &mut HandLayers<'_>,
) -> Result<(), BakeError> {
    let at = |index: &u32| plan.tile_at(u64::from(*index));
    #[cfg(feature = "gpu")]
    if tiles.first().map_or(0, |first| plan.region(at(first)).samples() * tiles.len() as u64) >= MANY_SAMPLES {
        engine.specialise(noise, KernelKind::field(Gradient::Without))?;
    }
    let regions = tiles.iter().map(|index| plan.region(at(index)));
    engine.fields(noise, regions, Gradient::Without, |index, field| hand(at(&tiles[index]), vec![Layer::new(layer, field)]))
}

/// Computes the blocks that contain the tiles of `todo`, and passes on the layers of each tile.
fn blocks(
    engine: &Engine,
    ready: &Measured,
    plan: &Plan,
    names: &[&str],
    todo: &BTreeSet<(i64, i64)>,
    hand: &mut HandLayers<'_>,
) -> Result<Halo, BakeError> {
    let cut = engine.group_cut(ready, names, &plan.region((plan.tiles.x.start, plan.tiles.y.start)))?;
    let (mut blocks, mut wanted, mut computed) = (0, 0, 0);
    for Group { tiles, region } in plan.groups(cut.edge) {
        if !tiles.iter().any(|at| todo.contains(at)) {
            continue;
        }
        // Of a block that a kill interrupted, only the missing tiles.
        let missing: Vec<(i64, i64)> = tiles.into_iter().filter(|at| todo.contains(at)).collect();
        let region = plan.around(&missing).unwrap_or(region);
        // Samples that neighbouring tiles share may lie beyond the edge of a world whose water is traced.
        let [width, height, depth] = region.size;
        check_inside(&ready.prepared, &Region { size: [width - plan.overlap, height - plan.overlap, depth], ..region })?;
        let layers = engine.layers_in_blocks(ready, names, &region, cut)?;
        blocks += region.split(cut.edge).count() as u64;
        wanted += region.samples();
        let around = |size: u32| u64::from(size) + 2 * u64::from(cut.halo);
        computed += region.split(cut.edge).map(|(part, _)| around(part.size[0]) * around(part.size[1])).sum::<u64>();
        for at in missing {
            hand(at, layers.iter().map(|layer| layer.part(&plan.region(at))).collect())?;
        }
    }
    let share = if computed > 0 { 1.0 - wanted as f64 / computed as f64 } else { 0.0 };
    Ok(Halo { samples: cut.halo, blocks, share })
}
