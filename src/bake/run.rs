//! The bake itself: one producer, a bounded queue, an encoder per processor.

use crate::bake::answers::Collected;
use crate::bake::encode::{EncodedTiles, LayeredTile, TileEncoding};
use crate::bake::ledger::{Beside, Ledger};
use crate::bake::manifest::{BakeIdentity, Manifest, Product, hash};
use crate::bake::overview::{Pixels, overview};
use crate::bake::place::{BakeFolder, NOTES, OVERVIEW};
use crate::bake::plan::Group;
use crate::bake::shard::Object;
use crate::bake::weights::{joined, layers_of};
use crate::bake::{BakeError, Layout, NoteFile, Plan, PlanError, Progress, Quantisation};
use crate::engine::drained::check_inside;
use crate::engine::layers::{LayersError, Measured};
use crate::engine::texture::KernelKind;
use crate::engine::{Engine, EngineError};
use crate::field::{Gradient, Layer};
use crate::graph::{Interval, Noise};
use crate::program::Program;
use crate::region::Region;
use crate::stage::Pipeline;
use crate::world::one::Checkpoint;
use crate::world::questions::Questions;
use crate::world::source::Blocks;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// Tiles that wait between evaluation and encoding.
const QUEUE: usize = 2;

/// What [`World::patience`] is unless told otherwise.
const PATIENCE: Duration = Duration::from_millis(500);

/// Samples from which a kernel for a noise's own counts is worth its compilation.
const MANY_SAMPLES: u64 = 1 << 24;

/// What is to be baked.
#[derive(Clone, Debug)]
pub struct World<'a> {
    /// The noise and its stages.
    pub pipeline: &'a Pipeline,
    /// Which tiles.
    pub plan: &'a Plan,
    /// What is written of each, as many files as there are products.
    pub products: &'a [Product],
    /// How files are named and turned.
    pub layout: Layout,
    /// Files written beside the tiles: none, or the notes of a [preset](crate::bake::Preset). Worlds of shards have none.
    pub notes: &'a [NoteFile],
    /// Whether `overview.png` is drawn: the whole world, shaded, from the samples in its tiles.
    pub overview: bool,
    /// The answers about the whole world that the pipeline has and its recipe does not. `None`: it has no others, and those that it lacks are measured over
    /// the plan's tiles.
    pub answered: Option<Answered<'a>>,
    /// How long a tile waits for others before it is made safe with them: what a kill costs at most, and long beside what syncing takes.
    pub patience: Duration,
}

/// A pipeline as its author wrote it, and the answers about the whole world that its stages and ranges need.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// Without the answers.
    pub recipe: &'a Pipeline,
    /// The answers, as the folder holds them.
    pub answers: &'a [Object],
}

impl<'a> World<'a> {
    /// With an overview, and the layout of a world for nobody in particular.
    pub fn new(pipeline: &'a Pipeline, plan: &'a Plan, products: &'a [Product]) -> Self {
        World {
            pipeline,
            plan,
            products,
            layout: Layout::of(plan, products),
            notes: &[],
            overview: true,
            answered: None,
            patience: PATIENCE,
        }
    }

    /// Checks everything that can be refused before a folder is touched.
    ///
    /// # Errors
    /// A plan, pipeline or range that is not allowed, a noise that cannot be evaluated there, or layers whose files would have one name.
    pub fn check(&self) -> Result<(), BakeError> {
        self.checked().map(|_| ())
    }

    /// The same; gives the declared range of each product that has one.
    pub(super) fn checked(&self) -> Result<Vec<Option<Quantisation>>, BakeError> {
        self.plan.check()?;
        self.pipeline.check().map_err(LayersError::from)?;
        if self.products.is_empty() {
            return Err(PlanError::not_allowed("layers", "none", "one or more").into());
        }
        #[cfg(feature = "zarr")]
        if self.layout.is_array() || self.products.iter().any(|product| product.format.is_array()) {
            crate::bake::arrays::check(self.plan, self.products)?;
        }
        let mut names: HashMap<String, &str> = HashMap::new();
        for (k, product) in self.products.iter().enumerate() {
            let file = self.layout.file_name((0, 0), product, k);
            if let Some(other) = names.get(file.as_str()) {
                let value = format!("'{other}' and '{}', whose files would both be called {file},", product.layer);
                return Err(PlanError::not_allowed("layers", value, "layers whose files have different names").into());
            }
            names.insert(file, &product.layer);
        }
        self.products.iter().enumerate().try_for_each(|(k, product)| product.check(self.pipeline, k))?;
        let quantise = ranges(self.pipeline, self.products)?;
        if let Some(noise) = self.noise() {
            let program = Program::new(noise.graph()).map_err(EngineError::from)?;
            for corner in self.plan.corners() {
                program.grids(&corner).map_err(EngineError::from)?;
            }
        }
        Ok(quantise)
    }

    /// The same of a bake in a single folder.
    fn checked_alone(&self) -> Result<Vec<Option<Quantisation>>, BakeError> {
        if let Some(product) = self.products.iter().find(|product| product.format.is_array()) {
            let allowed = "formats of which a tile is a file by itself; arrays as a world of shards, of which there may be one";
            return Err(PlanError::not_allowed("format", product.format.name(), allowed).into());
        }
        self.plan.check_alone("at most 16777216 tiles in all; more as a world of shards")?;
        self.checked()
    }

    /// The noise, where a single one is all there is: it comes tile by tile, all else in blocks.
    fn noise(&self) -> Option<Noise> {
        let [product] = self.products else { return None };
        self.pipeline.node.contains_key(&product.layer).then(|| self.pipeline.noise(&product.layer))
    }

    /// The pipeline with all it needs of the world; `None` for a noise, which needs nothing.
    pub(super) fn ready(&self, engine: &Engine, checkpoint: &mut dyn Checkpoint) -> Result<Option<Measured>, BakeError> {
        match self.noise() {
            Some(_) => Ok(None),
            None => Ok(Some(engine.measured_noting(self.pipeline, &self.layers(), &self.plan.world(), checkpoint)?)),
        }
    }

    /// Stands for the answers about the plan's tiles.
    fn key(&self) -> String {
        format!("{} {:?}", hash(self.pipeline), self.plan)
    }

    fn layers(&self) -> Vec<&'a str> {
        layers_of(self.products)
    }

    /// What the names of its files are beside the tile.
    fn names(&self) -> HashSet<String> {
        self.layout.beside_tiles(self.products).chain(self.overview.then(|| OVERVIEW.to_owned())).collect()
    }
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
    /// Files that were not what their records say: made anew where they belong to the plan's tiles.
    pub damaged: Vec<String>,
    /// From the first tile to the last.
    pub wall: Duration,
    /// Evaluating, on the producer's side, waiting for encoders not counted.
    pub evaluate: Duration,
    /// Encoding and hashing, summed over the encoders.
    pub encode: Duration,
    /// Writing and syncing, summed over the encoders.
    pub write: Duration,
    /// Drawing the overview.
    pub overview: Duration,
    /// Number of encoders.
    pub encoders: usize,
    /// What stages took beyond the tiles themselves; `None` without stages.
    pub halo: Option<Halo>,
}

/// Below this share of the declared range used, half of an integer format's bits are idle.
const LITTLE: f64 = 1.0 / 256.0;

impl Report {
    /// What integer formats have lost: samples outside the declared range, and ranges of which hardly anything is used. A line for each layer.
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
                warnings.push(format!(
                    "{clipped} samples of '{layer}' lay outside the declared range {},{} and were clipped to it",
                    range.lo, range.hi
                ));
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

/// Smallest and largest number of each of these layers in all tiles of a plan, in one pass. Stages that read the whole world, and are not measured, are
/// measured over the plan's tiles before. A state that was stored is valid for the same call on an engine with the same backend and memory.
///
/// # Errors
/// A layer cannot be evaluated there.
pub fn measure_ranges(
    engine: &Engine,
    pipeline: &Pipeline,
    layers: &[impl AsRef<str>],
    plan: &Plan,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Vec<Interval>, BakeError> {
    plan.check()?;
    let mut questions = Questions::new(pipeline.clone(), layers, layers);
    let (world, tiles) = (plan.world(), plan.squares());
    questions.set_world(&world);
    engine.answer_all(&mut questions, &mut Blocks::new(engine, &world, &tiles), checkpoint, &())?;
    Ok(questions.ranges.into_iter().flatten().map(|[lo, hi]| Interval { lo, hi }).collect())
}

/// Bakes every tile of a plan that is not there yet, as many files for each as there are products, the picture of the whole, and last of all
/// the manifest. When this returns, all of it survives a power cut.
///
/// A file that is there is believed for its size and hash; within an interrupted bake also for not having been written since it was
/// recorded. What is damaged is made anew.
///
/// Stages that read the whole world take the plan's tiles for it, unless they have been measured
/// ([`Engine::measure`]) before.
///
/// Memory: 8 MiB of sums for each channel of an overview, a byte for each tile, at most `3 + encoders` tiles of values (one being evaluated, two waiting, one in each encoder; one encoder
/// per processor), an encoded copy in each encoder, on a GPU three blocks of at most 16 MiB in flight and read back
/// (see [`Engine::fields`]), and some 1.4 KB of records for each tile; with stages, a block of
/// [`EngineOptions::memory`](crate::EngineOptions::memory) besides.
///
/// # Errors
/// Before the folder is touched: what [`World::check`] refuses, and [arrays](crate::bake::Format::is_array), which [`Sharded`](crate::bake::Sharded) bakes. Before a tile is written: a folder that holds another bake or somebody
/// else's files. Later: the device's errors and the file system's; whole tiles stay, and the same call resumes.
pub fn bake(engine: &Engine, world: &World<'_>, folder: &Path, progress: &dyn Progress) -> Result<Report, BakeError> {
    let quantise = world.checked_alone()?;
    run(engine, world, &quantise, &BakeFolder::open(folder)?, progress)
}

/// [`bake`] in a folder that is locked already.
///
/// # Errors
/// As [`bake`].
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
    // Tiles are recorded once their answers are files.
    answers.into_iter().try_for_each(|answer| ledger.add_beside(answer))?;
    place.forget_measuring();
    if !world.overview && (left > 0 || ledger.overview().is_none()) {
        ledger.erase();
    }
    let pixels = draws.then(|| pipeline.channels(&first.layer).map(|channels| Pixels::new(plan, channels)));
    let pixels = pixels.transpose().map_err(LayersError::from)?;
    let encoders = std::thread::available_parallelism().map_or(1, usize::from);
    let job = TileEncoding::new(world, place, quantise, ledger, pixels.clone(), [total - left, total], progress);
    let start = Instant::now();
    let mut waiting = Duration::ZERO;
    let mut halo = None;
    let (sender, receiver) = sync_channel::<LayeredTile>(QUEUE);
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
            if job.failed() || sender.send(LayeredTile { at, layers }).is_err() {
                return Err(job.failure());
            }
            waiting += before.elapsed();
            if progress.stops() { Err(BakeError::Stopped) } else { Ok(()) }
        };
        let result = evaluate(engine, world, ready.as_ref(), &todo, &mut hand).map(|cost| halo = cost);
        drop(sender);
        result
    });
    job.flush();
    let wall = start.elapsed();
    let EncodedTiles { mut ledger, gathered, encode, write } = job.end()?;
    evaluated?;
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

/// The declared range of each product that has one.
///
/// # Errors
/// A range that is none, or none where values become integers.
fn ranges(pipeline: &Pipeline, products: &[Product]) -> Result<Vec<Option<Quantisation>>, BakeError> {
    let mut quantise = Vec::new();
    for product in products {
        quantise.push(product.range.map(|range| Quantisation::new(range.lo, range.hi)).transpose()?);
        let channels = product.channels(pipeline)?;
        if product.range.is_none() && product.format.is_integer() && channels == 1 {
            let value = format!("none for '{}'", product.layer);
            return Err(PlanError::not_allowed("range", value, "a range, for values as integers").into());
        }
    }
    Ok(quantise)
}

/// What is called with each tile's layers, one for each product.
pub(super) type HandLayers<'a> = dyn FnMut((i64, i64), Vec<Layer>) -> Result<(), BakeError> + 'a;

/// Evaluates tiles of a world that is [`ready`](World::ready), by their numbers in the plan.
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

/// Evaluates a noise tile by tile; `tiles` are their numbers in the plan, a few bytes for each of what may be millions.
fn noise_tiles(
    engine: &Engine,
    noise: &Noise,
    plan: &Plan,
    layer: &str,
    tiles: &[u32],
    hand: &mut HandLayers<'_>,
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
    hand: &mut HandLayers<'_>,
) -> Result<Halo, BakeError> {
    let cut = engine.cut(ready, names, &plan.region((plan.tiles.x.start, plan.tiles.y.start)))?;
    let (mut blocks, mut wanted, mut computed) = (0, 0, 0);
    for Group { tiles, region } in plan.groups(cut.edge) {
        if !tiles.iter().any(|at| todo.contains(at)) {
            continue;
        }
        // Of a block that a kill has cut short, what is missing.
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
