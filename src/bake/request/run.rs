//! A request carried out: into a folder by one process, or as a world of shards.

use super::super::progress::Watched;
use super::{Cost, FileRange, Request, Resolved};
use crate::bake::names::MANIFEST;
use crate::bake::{
    Address, Answered, BakeError, BakeFolder, Note, PlanError, Product, Progress, RangeKind, RangeRecord, Report, Sealed, Sharded, Step,
    Unmeasured, World, bake_in, root, stopped,
};
use crate::engine::Engine;
use crate::engine::sources::Blocks;
use crate::stage::Pipeline;
use crate::world::one::{Checkpoint, answer_all};
use std::path::Path;

/// Tiles per shard if one process bakes all shards: it holds the records of one shard at a time.
const TILES_ALONE: u64 = 4096;

/// The result of a bake.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The hash of all tiles, which does not depend on the machine or on the shards. `None` for a folder whose tiles, including
    /// those of earlier calls, do not form a rectangle.
    pub root: Option<String>,
    /// Tiles in the world.
    pub tiles: u64,
    /// Tiles that this call wrote; the others existed already.
    pub written: u64,
    /// The files of each tile, with their ranges.
    pub products: Vec<Product>,
    /// The report of a bake into a folder; `None` for arrays and object storage.
    pub report: Option<Report>,
    /// The seal of arrays and of a world in object storage; `None` for a folder.
    pub sealed: Option<Sealed>,
}

/// A planned world of shards.
#[derive(Debug)]
pub struct PlannedWorld {
    /// The world.
    pub sharded: Sharded,
    /// Its tiles and their files.
    pub resolved: Resolved,
    /// The predicted cost of all tiles, without measurements.
    pub cost: Cost,
}

impl Request {
    /// Bakes every missing tile. The same call continues an interrupted one.
    ///
    /// `out` is a folder, or with feature `cloud` a URL of object storage. Arrays and worlds in object storage are baked as all
    /// shards of a world in sequence, and sealed. [`bake`](crate::bake::folder::bake) states the memory.
    ///
    /// # Errors
    /// Returns the errors of [`resolve`](Self::resolve) and [`Cost::check`]. It also fails if `out` holds another bake, a map or
    /// foreign files, or if the device or the file system fails. Finished tiles stay.
    pub fn bake(&self, engine: &Engine, out: &Path, progress: &dyn Progress) -> Result<Outcome, BakeError> {
        let resolved = self.resolve()?;
        let address = Address::of(out);
        let arrays = resolved.files.iter().any(|file| file.format.is_array());
        if arrays || !matches!(address, Address::Folder(_)) {
            return self.bake_alone(engine, &address, resolved, progress);
        }
        if address.is_planned() {
            let why = "holds the plan of a world of shards; allowed: baking one of its shards, or another folder".to_owned();
            return Err(address.refuse(why));
        }
        refuse_map(&address)?;
        self.predict(engine, &resolved, progress)?;
        self.bake_resolved(engine, &BakeFolder::open(out)?, &resolved, progress)
    }

    /// [`bake`](Self::bake) in a folder that is already locked, which may lie on another [`Disk`](crate::bake::folder::Disk).
    ///
    /// # Errors
    /// Those of [`bake`](Self::bake), and an error for arrays, which are worlds of shards.
    pub fn bake_in(&self, engine: &Engine, place: &BakeFolder, progress: &dyn Progress) -> Result<Outcome, BakeError> {
        let resolved = self.resolve()?;
        self.predict(engine, &resolved, progress)?;
        self.bake_resolved(engine, place, &resolved, progress)
    }

    /// Writes the plan of a world in `shards` pieces. Processes on one or many machines then [measure](Sharded::measure) and
    /// [bake](Sharded::bake) them, and one process [seals](Sharded::seal) the world. The same plan may exist already.
    ///
    /// # Errors
    /// Returns the errors of [`resolve`](Self::resolve). It also fails if the request has a destination, if `out` holds another
    /// plan, a bake or a map, or if the file system fails.
    pub fn plan(&self, engine: &Engine, out: &Path, shards: u32) -> Result<PlannedWorld, BakeError> {
        self.plan_resolved(engine, &Address::of(out), self.resolve()?, Some(shards), &())
    }

    /// Bakes into a folder, by one process.
    fn bake_resolved(
        &self,
        engine: &Engine,
        place: &BakeFolder,
        resolved: &Resolved,
        progress: &dyn Progress,
    ) -> Result<Outcome, BakeError> {
        let Resolved { plan, preset, .. } = resolved;
        // The memory decides the size of blocks, and a stored state counts blocks.
        let by = format!("{:?} {:?}", engine.memory(), engine.describe());
        let mut checkpoint = place.checkpoint(&resolved.key(engine, self), &by);
        let (pipeline, products) = self.measure(engine, resolved, &mut checkpoint, progress).map_err(stopped)?;
        let answers = checkpoint.into_answers();
        progress.step(&Step::Baking { tiles: plan.count(), edge: plan.tile + plan.overlap });
        let layout = preset.as_ref().map(|preset| preset.layout).unwrap_or_default();
        let note = preset.as_ref().map(|preset| Note::new(preset, &products));
        let notes = note.as_ref().map_or(&[][..], Note::files);
        let overview = self.options.overview;
        let world = World {
            layout,
            notes,
            overview,
            answered: Some(Answered { recipe: &self.recipe.pipeline, answers: &answers }),
            ..World::new(&pipeline, plan, &products)
        };
        let report = bake_in(engine, &world, place, progress)?;
        let root = root(&report.manifest);
        Ok(Outcome { root, tiles: plan.count(), written: report.written, products, report: Some(report), sealed: None })
    }

    /// The pipeline with the answers about the whole world, and the products with their ranges. Both are read from the checkpoint
    /// or measured.
    fn measure(
        &self,
        engine: &Engine,
        resolved: &Resolved,
        checkpoint: &mut dyn Checkpoint,
        progress: &dyn Progress,
    ) -> Result<(Pipeline, Vec<Product>), BakeError> {
        let names: Vec<&str> = resolved.files.iter().filter(|file| file.is_measured()).map(|file| file.layer.as_str()).collect();
        let mut questions = engine.questions(self.recipe.pipeline.clone(), &resolved.layers(), &names);
        let tiles = if names.is_empty() { Vec::new() } else { resolved.plan.squares() };
        let world = resolved.world_regions();
        questions.set_world(&world);
        answer_all(&engine.pool, &mut questions, &mut Blocks::new(engine, &world, &tiles), checkpoint, &Watched(progress))?;
        engine.keep_drained(&questions.drained);
        let mut found = questions.ranges.into_iter().flatten();
        let mut products = Vec::new();
        for (k, file) in resolved.files.iter().enumerate() {
            let range = if file.is_measured() { found.next() } else { None };
            let range = range.map(|[lo, hi]| RangeRecord { lo, hi, kind: RangeKind::Measured });
            // The destination rounds the range of heights.
            let range = match (range, &resolved.preset) {
                (Some(range), Some(preset)) if k == 0 => Some(preset.range(range)?),
                (range, _) => range,
            };
            products.push(file.clone().product(range));
        }
        Ok((questions.pipeline, products))
    }

    /// Bakes all shards of a world by one process: arrays, and worlds in object storage.
    fn bake_alone(
        &self,
        engine: &Engine,
        address: &Address<'_>,
        resolved: Resolved,
        progress: &dyn Progress,
    ) -> Result<Outcome, BakeError> {
        let PlannedWorld { sharded, resolved, .. } = self.plan_resolved(engine, address, resolved, None, progress)?;
        sharded.measure_all(engine, progress)?;
        let mut written = 0;
        for shard in 0..sharded.shards() {
            progress.step(&Step::Baking { tiles: sharded.tiles_of(shard), edge: sharded.edge() });
            written += sharded.bake(engine, shard, progress)?.written;
        }
        progress.step(&Step::Sealing);
        let sealed = sharded.seal(progress)?;
        let products = resolved.files.into_iter().map(|file| file.product(None)).collect();
        Ok(Outcome { root: Some(sealed.root.clone()), tiles: sealed.tiles, written, products, report: None, sealed: Some(sealed) })
    }

    fn plan_resolved(
        &self,
        engine: &Engine,
        address: &Address<'_>,
        resolved: Resolved,
        shards: Option<u32>,
        progress: &dyn Progress,
    ) -> Result<PlannedWorld, BakeError> {
        if let Some(preset) = &resolved.preset {
            let allowed = "a bake into a folder by one process; a world of shards has its files in many folders";
            return Err(PlanError::not_allowed("for", preset.destination, allowed).into());
        }
        refuse_map(address)?;
        if address.folder().is_some_and(|folder| folder.join(MANIFEST).exists()) && !address.is_planned() {
            return Err(address.refuse("holds the bake of one process; allowed: an empty folder".to_owned()));
        }
        // Many machines may bake for hours, so only a bake by this process is limited.
        let cost = match shards {
            None => self.predict(engine, &resolved, progress)?,
            Some(_) => resolved.cost(engine, &self.recipe.pipeline)?,
        };
        let measured = resolved.files.iter().filter(|file| matches!(file.range, FileRange::Measured));
        let unmeasured = Unmeasured { size: resolved.world(), ranges: measured.map(|file| file.layer.clone()).collect() };
        let products: Vec<Product> = resolved.files.iter().map(|file| file.clone().product(None)).collect();
        let world = World { overview: self.options.overview, ..World::new(&self.recipe.pipeline, &resolved.plan, &products) };
        let shards = shards.unwrap_or_else(|| u32::try_from(resolved.plan.count().div_ceil(TILES_ALONE)).unwrap_or(u32::MAX));
        let sharded = Sharded::plan_unmeasured(address.store()?, engine, &world, shards, unmeasured)?;
        Ok(PlannedWorld { sharded, resolved, cost })
    }

    /// The predicted cost; an error if it exceeds the limits.
    fn predict(&self, engine: &Engine, resolved: &Resolved, progress: &dyn Progress) -> Result<Cost, BakeError> {
        let cost = resolved.cost(engine, &self.recipe.pipeline)?;
        progress.step(&Step::Predicted(cost.clone()));
        if !self.options.force {
            cost.check()?;
        }
        Ok(cost)
    }
}

/// Refuses a folder that holds a map.
fn refuse_map(address: &Address<'_>) -> Result<(), BakeError> {
    match address.folder() {
        Some(folder) if folder.join("map.json").is_file() => {
            let why = "it holds a map; allowed: an empty folder, or the format of that map";
            Err(BakeError::Place { place: folder.display().to_string(), why: why.to_owned() })
        }
        Some(_) | None => Ok(()),
    }
}
