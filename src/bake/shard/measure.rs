//! What the whole world is needed for, found out by shards: *phases*, of each of which every shard does a part. Parts are extremes and counts,
//! so they add up to the same in whatever order, and to what one process finds.
//!
//! A stage takes two phases, the extremes of its input's values and how many there are of each size, or only the first of them where extremes
//! are all it asks for; declared ranges that are to be measured take one for all layers. What a phase finds is part of the next one's recipe.

use super::found::Found;
use super::{Sharded, order};
use crate::bake::manifest::{RangeKind, RangeRecord, Setting, hash};
use crate::bake::{BakeError, Plan, Progress, Tiles};
use crate::cpu::threads::Pool;
use crate::engine::Engine;
use crate::engine::layers::{LayersError, Measured};
use crate::engine::world::{Counts, Extremes, Histogram, next_unmeasured, only_ends, settle};
use crate::params::Input;
use crate::region::Region;
use crate::stage::Pipeline;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What has to be found out of the whole world before its tiles can be baked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unmeasured {
    /// Samples along x and y, from sample 0 on, over which stages are measured.
    pub size: [u64; 2],
    /// Layers whose declared range is that of the values in their tiles.
    pub ranges: Vec<String>,
}

/// What is being found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// From 0 on.
    pub number: u32,
    /// How many there are, before tiles are baked.
    pub of: u32,
    /// In words.
    pub what: String,
    /// Shards that have not done their part.
    pub missing: Vec<u32>,
}

/// A world with all that has been found out of it.
#[derive(Clone)]
pub(super) struct Settled {
    pub pipeline: Pipeline,
    pub setting: Setting,
}

/// What a phase asks for.
enum Subject {
    Extremes { stage: String, of: String },
    Counts { stage: String, of: String, extremes: Extremes },
    Ranges,
}

impl Subject {
    fn what(&self) -> String {
        match self {
            Subject::Extremes { stage, of } => format!("the extremes of '{of}', for '{stage}'"),
            Subject::Counts { stage, of, .. } => format!("the distribution of '{of}', for '{stage}'"),
            Subject::Ranges => "the ranges of layers".to_owned(),
        }
    }
}

/// Samples along an edge of the squares that a part is done in: one and the same for all machines, so that each may go on where another stopped.
const SQUARE: u32 = 4096;
/// How long a part goes on before what it has found is kept: what a kill costs at most, if a square takes no longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How far the phases are.
struct State {
    number: u32,
    settled: Settled,
    /// Of the stage whose values are to be counted.
    extremes: Option<Extremes>,
    ranges_known: bool,
}

impl State {
    /// What is asked for next; inputs that are plain numbers are settled at once.
    fn subject(&mut self, layers: &[&str], ranges: &[String]) -> Result<Option<Subject>, BakeError> {
        while let Some((stage, of)) = next_unmeasured(&self.settled.pipeline, layers)? {
            match (of, self.extremes) {
                (Input::Node(of), None) => return Ok(Some(Subject::Extremes { stage, of })),
                (Input::Node(of), Some(extremes)) => return Ok(Some(Subject::Counts { stage, of, extremes })),
                (Input::Value(x), _) => {
                    let mut extremes = Extremes::default();
                    extremes.add(&[x as f32], &Pool::caller());
                    let mut counts = Counts::new(&extremes);
                    counts.add(&[x as f32], &Pool::caller());
                    self.count(&stage, &extremes, counts.bins)?;
                }
                (Input::Missing, _) => return Err(LayersError::Nothing { stage }.into()),
            }
        }
        Ok((!ranges.is_empty() && !self.ranges_known).then_some(Subject::Ranges))
    }

    fn count(&mut self, stage: &str, extremes: &Extremes, bins: Vec<u64>) -> Result<(), BakeError> {
        let histogram = Histogram::new(extremes, bins).ok_or_else(|| LayersError::Nothing { stage: stage.to_owned() })?;
        settle(&mut self.settled.pipeline, stage, &histogram);
        self.extremes = None;
        Ok(())
    }

    /// Takes what all shards have found.
    fn take(&mut self, subject: &Subject, found: &Found, ranges: &[String]) -> Result<(), BakeError> {
        self.number += 1;
        match subject {
            Subject::Extremes { stage, .. } => {
                let nothing = || LayersError::Nothing { stage: stage.clone() };
                let [lo, hi] = found.extremes.first().copied().flatten().ok_or_else(nothing)?;
                let extremes = Extremes { lo, hi, count: found.count };
                if only_ends(&self.settled.pipeline.stage[stage]) {
                    return self.count(stage, &extremes, Vec::new());
                }
                self.extremes = Some(extremes);
                Ok(())
            }
            Subject::Counts { stage, extremes, .. } => {
                let mut counts = Counts::new(extremes);
                for &(bin, count) in &found.bins {
                    if let Some(own) = counts.bins.get_mut(bin as usize) {
                        *own = count;
                    }
                }
                self.count(stage, extremes, counts.bins)
            }
            Subject::Ranges => {
                self.ranges_known = true;
                for (layer, extremes) in ranges.iter().zip(&found.extremes) {
                    let [lo, hi] = extremes.unwrap_or_default().map(f64::from);
                    let products = &mut self.settled.setting.products;
                    for product in products.iter_mut().filter(|product| product.layer == *layer) {
                        product.range = Some(RangeRecord { lo, hi, kind: RangeKind::Measured });
                    }
                }
                Ok(())
            }
        }
    }
}

impl Unmeasured {
    /// How many phases a world has.
    pub(super) fn phases(&self, pipeline: &Pipeline, layers: &[&str]) -> Result<u32, BakeError> {
        let (mut pipeline, mut phases) = (pipeline.clone(), u32::from(!self.ranges.is_empty()));
        let mut any = Extremes::default();
        any.add(&[0.0, 1.0], &Pool::caller());
        let anything = Histogram::new(&any, vec![2]).expect("invariant: two values are some");
        while let Some((stage, of)) = next_unmeasured(&pipeline, layers)? {
            phases += match of {
                Input::Node(_) => 1 + u32::from(!only_ends(&pipeline.stage[&stage])),
                _ => 0,
            };
            settle(&mut pipeline, &stage, &anything);
        }
        Ok(phases)
    }
}

impl Sharded {
    /// What is to be found out next, and by which shards; `None` once tiles can be baked.
    ///
    /// # Errors
    /// I/O errors of the store.
    pub fn phase(&self) -> Result<Option<Phase>, BakeError> {
        let (mut state, unmeasured) = (self.state()?, self.unmeasured());
        let Some(subject) = state.subject(&self.layers(), &unmeasured.ranges)? else { return Ok(None) };
        let missing = self.parts_missing(state.number)?;
        Ok(Some(Phase { number: state.number, of: self.phases()?, what: subject.what(), missing }))
    }

    /// How many phases come before tiles.
    ///
    /// # Errors
    /// None where the plan was written by [`plan_unmeasured`](Self::plan_unmeasured).
    pub fn phases(&self) -> Result<u32, BakeError> {
        self.unmeasured().phases(&self.pipeline, &self.layers())
    }

    fn unmeasured(&self) -> Unmeasured {
        self.plan.unmeasured.clone().unwrap_or_default()
    }

    /// The world as tiles are baked of it.
    ///
    /// # Errors
    /// [`BakeError::Unmeasured`] while a phase is not done; the store's.
    pub(super) fn settled(&self) -> Result<&Settled, BakeError> {
        if let Some(settled) = self.settled.get() {
            return Ok(settled);
        }
        match self.phase()? {
            Some(Phase { number, of, missing, .. }) => {
                Err(BakeError::Unmeasured { path: self.store.path(), phase: number, of, shards: super::seal::array(&missing) })
            }
            None => {
                let mut settled = self.state()?.settled;
                settled.setting.recipe_sha256 = hash(&settled.pipeline);
                Ok(self.settled.get_or_init(|| settled))
            }
        }
    }

    /// As far as phases are done.
    fn state(&self) -> Result<State, BakeError> {
        self.state_before(u32::MAX)
    }

    /// As far as phases are done, and before this one.
    fn state_before(&self, phase: u32) -> Result<State, BakeError> {
        let settled = Settled { pipeline: self.pipeline.clone(), setting: self.plan.setting.clone() };
        let mut state = State { number: 0, settled, extremes: None, ranges_known: false };
        let (layers, unmeasured) = (self.layers(), self.unmeasured());
        while let Some(subject) = state.subject(&layers, &unmeasured.ranges)? {
            let found = if state.number < phase { self.found(state.number)? } else { None };
            match found {
                Some(found) => state.take(&subject, &found, &unmeasured.ranges)?,
                None => break,
            }
        }
        Ok(state)
    }

    /// Does a shard's part of a phase: of the one that is not done, or of the one that is said. A damaged part is made anew. Whether there was anything to
    /// do.
    ///
    /// Memory: a block of [`EngineOptions::memory`](crate::EngineOptions::memory), and half a megabyte. A process that is killed loses a few seconds of work,
    /// or one square of 4096² samples if that takes longer: the same call goes on with the next.
    ///
    /// # Errors
    /// A shard that there is not; an engine of another parity; [`BakeError::Unmeasured`] where a phase before the one that is said is not done; a part that
    /// is there with other numbers; the device's and the store's.
    pub fn measure(&self, engine: &Engine, shard: u32, phase: Option<u32>, progress: &dyn Progress) -> Result<bool, BakeError> {
        self.check_shard(shard)?;
        self.check_engine(engine)?;
        let (mut state, unmeasured) = (self.state_before(phase.unwrap_or(u32::MAX))?, self.unmeasured());
        let Some(subject) = state.subject(&self.layers(), &unmeasured.ranges)? else { return Ok(false) };
        let number = state.number;
        match phase {
            Some(phase) if phase > number => {
                let Some(Phase { number, of, missing, .. }) = self.phase()? else { return Ok(false) };
                let shards = super::seal::array(&missing);
                return Err(BakeError::Unmeasured { path: self.store.path(), phase: number, of, shards });
            }
            _ => (),
        }
        if self.has_part(number, shard)? {
            return Ok(false);
        }
        let found = self.find_out(engine, &state, &subject, shard, progress)?;
        self.keep_part(&found, shard)?;
        // The last one puts all together.
        self.found(number)?;
        Ok(true)
    }

    /// What a shard finds out: of its squares, one after the other, from the first that no process before this one has kept.
    fn find_out(&self, engine: &Engine, state: &State, subject: &Subject, shard: u32, progress: &dyn Progress) -> Result<Found, BakeError> {
        let unmeasured = self.unmeasured();
        let names: Vec<&str> = match subject {
            Subject::Extremes { of, .. } | Subject::Counts { of, .. } => vec![of],
            Subject::Ranges => unmeasured.ranges.iter().map(String::as_str).collect(),
        };
        let regions = match subject {
            Subject::Ranges => self.pieces(&self.part(self.tiles()), shard),
            _ => self.cropped(unmeasured.size, shard),
        };
        let squares: Vec<Region> = regions.iter().flat_map(|region| region.split(SQUARE).map(|(square, _)| square)).collect();
        let (first, mut found) = self.begun(state.number, shard)?;
        let ready = engine.measured(&state.settled.pipeline, &names, &[])?;
        let (mut kept, mut since) = (first, Instant::now());
        for (done, square) in (0..).zip(&squares).skip(first as usize) {
            let one = find_in(engine, &ready, &names, subject, square, progress)?;
            let done: u32 = done + u32::from(one.is_some());
            one.iter().for_each(|one| found.join(one));
            progress.tile(done.into(), squares.len() as u64);
            let stops = one.is_none() || progress.stops();
            if kept < done && (stops || since.elapsed() >= PATIENCE) {
                self.keep_begun(&found, shard, done)?;
                (kept, since) = (done, Instant::now());
            }
            if stops {
                return Err(BakeError::Stopped);
            }
        }
        Ok(found)
    }

    /// A shard's part of some tiles, in as few regions as it takes.
    fn pieces(&self, plan: &Plan, shard: u32) -> Vec<Region> {
        let mut regions = Vec::new();
        for (group, tiles) in order::shard(&plan.tiles, shard, self.shards()) {
            if tiles.len() as u64 == group.count() {
                regions.extend(plan.around(&tiles));
            } else {
                // Cut off within a row, rows are whole but for the first and the last.
                regions.extend(tiles.chunk_by(|a, b| a.1 == b.1).filter_map(|row| plan.around(row)));
            }
        }
        regions
    }

    /// A shard's part of a world of so many samples.
    fn cropped(&self, size: [u64; 2], shard: u32) -> Vec<Region> {
        let tile = u64::from(self.plan.setting.tile);
        let [columns, rows] = size.map(|samples| samples.div_ceil(tile) as i64);
        let plan = Plan { overlap: 0, ..self.part(Tiles { x: 0..columns, y: 0..rows }) };
        let crop = |mut region: Region| {
            for (axis, &samples) in size.iter().enumerate() {
                let left = samples.saturating_sub(region.origin[axis].unsigned_abs());
                region.size[axis] = region.size[axis].min(left.min(u64::from(u32::MAX)) as u32);
            }
            region
        };
        self.pieces(&plan, shard).into_iter().map(crop).collect()
    }
}

/// What is in a region; `None` where the caller stops.
fn find_in(
    engine: &Engine,
    ready: &Measured,
    names: &[&str],
    subject: &Subject,
    region: &Region,
    progress: &dyn Progress,
) -> Result<Option<Found>, BakeError> {
    let mut extremes = vec![Extremes::default(); names.len()];
    let mut counts = if let Subject::Counts { extremes, .. } = subject { Some(Counts::new(extremes)) } else { None };
    let cut = engine.cut(ready, names, region)?;
    for (part, _) in region.split(cut.edge) {
        if progress.stops() {
            return Ok(None);
        }
        let layers = engine.layers_in_blocks(ready, names, &part, cut)?;
        match &mut counts {
            Some(counts) => layers.iter().for_each(|layer| counts.add(&layer.values, &engine.pool)),
            None => extremes.iter_mut().zip(&layers).for_each(|(own, layer)| own.add(&layer.values, &engine.pool)),
        }
    }
    Ok(Some(match counts {
        Some(counts) => Found::of_counts(&counts),
        None => Found::of_extremes(&extremes),
    }))
}
