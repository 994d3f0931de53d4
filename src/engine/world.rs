//! What stages need of the whole world: gathered before anything else, the same whatever the order of tiles.

use crate::cpu::threads::Pool;
use crate::engine::Engine;
use crate::engine::layers::{LayersError, Measured};
use crate::params::Input;
use crate::schedule::Prepared;
use crate::stage::{Pipeline, Stage, order};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Bins of a histogram.
const BINS: usize = 1 << 16;
/// Quantiles that are kept of one.
const QUANTILES: usize = 1025;

/// Where a measurement that takes long notes how far it is, so that it goes on from there after a kill. `()` notes nothing.
pub trait Checkpoint {
    /// What was noted last, of this name.
    fn load(&mut self, name: &str) -> Option<serde_json::Value>;

    /// Told after each block; asks for the state when it is time to note it.
    fn save(&mut self, name: &str, state: &dyn Fn() -> serde_json::Value);
}

impl Checkpoint for () {
    fn load(&mut self, _: &str) -> Option<serde_json::Value> {
        None
    }

    fn save(&mut self, _: &str, _: &dyn Fn() -> serde_json::Value) {}
}

/// Smallest and largest of some values, and how many there are: the same in whatever order they come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extremes {
    pub lo: f32,
    pub hi: f32,
    pub count: u64,
}

impl Default for Extremes {
    fn default() -> Self {
        Extremes { lo: f32::INFINITY, hi: f32::NEG_INFINITY, count: 0 }
    }
}

impl Extremes {
    /// Looks through these, many on all threads of a pool.
    pub fn add(&mut self, values: &[f32], pool: &Pool) {
        for [lo, hi] in pool.parts(values, ends) {
            (self.lo, self.hi) = (self.lo.min(lo), self.hi.max(hi));
        }
        self.count += values.len() as u64;
    }

    /// Both ends; of the two zeros always the same.
    pub fn ends(&self) -> [f64; 2] {
        [self.lo, self.hi].map(|end| f64::from(end) + 0.0)
    }
}

/// The lowest and the highest of some values.
fn ends(values: &[f32]) -> [f32; 2] {
    // Sixteen at a time: each waits for the one before it.
    let (mut lo, mut hi) = ([f32::INFINITY; 16], [f32::NEG_INFINITY; 16]);
    for values in values.chunks(16) {
        for ((lo, hi), &x) in lo.iter_mut().zip(&mut hi).zip(values) {
            (*lo, *hi) = (lo.min(x), hi.max(x));
        }
    }
    [lo.into_iter().fold(f32::INFINITY, f32::min), hi.into_iter().fold(f32::NEG_INFINITY, f32::max)]
}

/// How many of some values lie in each bin between their extremes.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    lo: f64,
    scale: f64,
    pub bins: Vec<u64>,
}

impl Counts {
    /// None yet.
    #[cfg(feature = "bake")]
    pub fn new(extremes: &Extremes) -> Self {
        Counts::with(extremes, vec![0; BINS])
    }

    fn with(extremes: &Extremes, bins: Vec<u64>) -> Self {
        let [lo, hi] = extremes.ends();
        Counts { lo, scale: if hi > lo { BINS as f64 / (hi - lo) } else { 0.0 }, bins }
    }

    /// Counts, many values on all threads of a pool.
    pub fn add(&mut self, values: &[f32], pool: &Pool) {
        let (lo, scale) = (self.lo, self.scale);
        if values.len() <= BINS || !pool.is_parallel() {
            return each_bin(values, lo, scale, |bin| self.bins[bin] += 1);
        }
        let counted = |values: &[f32]| {
            let mut bins = vec![0_u32; BINS];
            each_bin(values, lo, scale, |bin| bins[bin] += 1);
            bins
        };
        for part in pool.parts(values, counted) {
            self.bins.iter_mut().zip(part).for_each(|(own, more)| *own += u64::from(more));
        }
    }
}

/// The bin of each value: so many at a time, by vectors; then the bins, which are anywhere. No value is below the lowest.
fn each_bin(values: &[f32], lo: f64, scale: f64, mut count: impl FnMut(usize)) {
    let mut bins = [0_i32; 64];
    for values in values.chunks(64) {
        for (bin, &x) in bins.iter_mut().zip(values) {
            *bin = ((f64::from(x) - lo) * scale).min((BINS - 1) as f64) as i32;
        }
        bins[..values.len()].iter().for_each(|bin| count(*bin as usize % BINS));
    }
}

/// How far the counting of a stage's input is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tally {
    /// The pass over the world: 0 for the extremes, 1 for the counts.
    sweep: u8,
    /// Blocks of it that are done.
    blocks: u64,
    #[serde(flatten)]
    extremes: Extremes,
    bins: Vec<u64>,
}

/// A measurement of a pipeline on its way.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    /// With what has been measured of it.
    pipeline: Pipeline,
    /// What is being measured.
    stage: String,
    tally: Tally,
}

/// What the state of a measurement is called where it is noted.
const STATE: &str = "stages";

/// Values by size: counts, so that the order in which they come does not matter.
pub(crate) struct Histogram {
    lo: f64,
    hi: f64,
    /// How many values lie below the end of each bin.
    below: Vec<u64>,
}

impl Histogram {
    /// `None` of no values.
    pub fn new(extremes: &Extremes, mut bins: Vec<u64>) -> Option<Self> {
        let [lo, hi] = extremes.ends();
        let mut sum = 0;
        // In place: half a megabyte of new memory would take longer than the sums.
        for bin in &mut bins {
            sum += *bin;
            *bin = sum;
        }
        (extremes.count > 0).then_some(Histogram { lo, hi, below: bins })
    }

    /// Of all values that `sweep` hands over, a block at a time, which is called a second time if there are more than `kept` of them or if it
    /// began in the middle. Where `ends` is all that is wanted, nothing is counted, and once is enough.
    fn gather(
        kept: usize,
        ends: bool,
        mut tally: Tally,
        sweep: &mut Sweep<'_>,
        notes: &mut Notes<'_>,
        pool: &Pool,
    ) -> Result<Option<Self>, LayersError> {
        let mut all: Vec<Vec<f32>> = Vec::new();
        if tally.sweep == 0 {
            let whole = tally.blocks == 0 && !ends;
            sweep(tally.blocks, &mut |values| {
                tally.extremes.add(&values, pool);
                tally.blocks += 1;
                if whole && tally.extremes.count <= kept as u64 {
                    all.push(values);
                } else {
                    (notes.done)(all.drain(..).chain([values]).collect());
                }
                (notes.save)(&tally);
            })?;
            if ends {
                return Ok(Histogram::new(&tally.extremes, Vec::new()));
            }
            (tally.sweep, tally.blocks, tally.bins) = (1, 0, vec![0; BINS]);
        }
        if tally.extremes.count == 0 {
            return Ok(None);
        }
        let mut counts = Counts::with(&tally.extremes, std::mem::take(&mut tally.bins));
        if all.iter().map(|values| values.len() as u64).sum::<u64>() == tally.extremes.count {
            all.iter().for_each(|values| counts.add(values, pool));
            (notes.done)(all);
        } else {
            sweep(tally.blocks, &mut |values| {
                counts.add(&values, pool);
                tally.blocks += 1;
                // What is noted is the tally, so the counts are in it for that long.
                std::mem::swap(&mut tally.bins, &mut counts.bins);
                (notes.save)(&tally);
                std::mem::swap(&mut tally.bins, &mut counts.bins);
                (notes.done)(vec![values]);
            })?;
        }
        Ok(Histogram::new(&tally.extremes, counts.bins))
    }

    /// The value below which a share of them lies, on a straight line through its bin.
    fn quantile(&self, share: f64) -> f64 {
        let total = self.below.last().copied().unwrap_or(0) as f64;
        let wanted = share.clamp(0.0, 1.0) * total;
        let bin = self.below.partition_point(|&below| (below as f64) < wanted);
        if share <= 0.0 {
            return self.lo;
        }
        if share >= 1.0 || bin >= BINS {
            return self.hi;
        }
        let before = if bin == 0 { 0 } else { self.below[bin - 1] } as f64;
        let inside = (wanted - before) / (self.below[bin] as f64 - before).max(1.0);
        self.lo + (bin as f64 + inside) * (self.hi - self.lo) / BINS as f64
    }
}

/// What is told on the way.
struct Notes<'a> {
    /// How far it is, after each block.
    save: &'a mut dyn FnMut(&Tally),
    /// Blocks whose values are not needed any more.
    done: &'a mut dyn FnMut(Vec<Vec<f32>>),
}

/// What takes values, a block at a time.
type Hand<'a> = dyn FnMut(Vec<f32>) + 'a;
/// What hands over all values but those of the first blocks, always in the same order.
type Sweep<'a> = dyn FnMut(u64, &mut Hand<'_>) -> Result<(), LayersError> + 'a;
/// The same of an output of a pipeline that is measured that far.
type Gather<'a> = dyn FnMut(&Measured, &str, u64, &mut Hand<'_>) -> Result<(), LayersError> + 'a;

/// A pipeline with something in the place of what has not been made yet: what it costs does not depend on it.
pub(crate) fn as_if_prepared(pipeline: &Pipeline) -> Measured {
    let mut prepared = Prepared::default();
    let squares = pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::Frequency(_)));
    prepared.tiles.extend(squares.map(|(name, _)| (name.clone(), Arc::default())));
    Measured { pipeline: as_if_measured(pipeline), prepared }
}

/// A pipeline with something in the place of what has not been measured yet.
pub(crate) fn as_if_measured(pipeline: &Pipeline) -> Pipeline {
    let mut pipeline = pipeline.clone();
    for stage in pipeline.stage.values_mut() {
        match stage {
            Stage::Normalise(n) if n.measured.is_none() => n.measured = Some([0.0, 1.0]),
            Stage::Equalise(n) if n.measured.is_empty() => n.measured = vec![0.0, 1.0],
            Stage::Ocean(n) if n.share.is_some() && n.measured.is_none() => n.measured = Some(0.0),
            _ => (),
        }
    }
    pipeline
}

/// What a stage has to know of the whole world: the values of this input.
fn unmeasured(stage: &Stage) -> Option<&Input> {
    match stage {
        Stage::Normalise(n) if n.measured.is_none() => Some(&n.of),
        Stage::Equalise(n) if n.measured.is_empty() => Some(&n.of),
        Stage::Ocean(n) if n.share.is_some() && n.measured.is_none() => Some(&n.of),
        _ => None,
    }
}

/// Whether the lowest and the highest of these values are all of it.
pub(crate) fn only_ends(stage: &Stage) -> bool {
    matches!(stage, Stage::Normalise(n) if n.clip == 0.0)
}

/// What is to be found out next: of which stage, and the values of which input. Stages come before their users.
#[cfg(feature = "bake")]
pub(crate) fn next_unmeasured(pipeline: &Pipeline, outputs: &[impl AsRef<str>]) -> Result<Option<(String, Input)>, LayersError> {
    for output in outputs {
        for name in order(pipeline, output.as_ref())? {
            if let Some(of) = unmeasured(&pipeline.stage[name]) {
                return Ok(Some((name.to_owned(), of.clone())));
            }
        }
    }
    Ok(None)
}

/// Gives a stage what it needs of all values of its input.
pub(crate) fn settle(pipeline: &mut Pipeline, stage: &str, histogram: &Histogram) {
    match &mut pipeline.stage[stage] {
        Stage::Normalise(n) => n.measured = Some([histogram.quantile(n.clip), histogram.quantile(1.0 - n.clip)]),
        Stage::Equalise(n) => {
            n.measured = (0..QUANTILES).map(|i| histogram.quantile(i as f64 / (QUANTILES - 1) as f64)).collect();
        }
        Stage::Ocean(n) => n.measured = n.share.map(|share| histogram.quantile(share)),
        _ => (),
    }
}

impl Pipeline {
    /// The stages that have to know the whole world and do not yet: what [`Engine::measure`] finds out.
    pub fn unmeasured(&self) -> Vec<&str> {
        self.stage.iter().filter(|(_, stage)| unmeasured(stage).is_some()).map(|(name, _)| name.as_str()).collect()
    }
}

impl Engine {
    /// Measures what outputs of a pipeline need, stages before their users.
    pub(crate) fn measure_world(
        &self,
        pipeline: &Pipeline,
        outputs: &[impl AsRef<str>],
        checkpoint: &mut dyn Checkpoint,
        gather: &mut Gather<'_>,
    ) -> Result<Measured, LayersError> {
        let mut measured = Measured { pipeline: pipeline.clone(), prepared: Prepared::default() };
        let mut noted: Option<State> = checkpoint.load(STATE).and_then(|state| serde_json::from_value(state).ok());
        if let Some(state) = &noted {
            measured.pipeline.clone_from(&state.pipeline);
        }
        for output in outputs {
            for name in order(pipeline, output.as_ref())? {
                if measured.prepared.tiles.contains_key(name) {
                    continue;
                }
                if let Stage::Frequency(n) = &pipeline.stage[name] {
                    measured.prepared.tiles.insert(name.to_owned(), self.square(name, n)?);
                    continue;
                }
                let Some(of) = unmeasured(&measured.pipeline.stage[name]).cloned() else { continue };
                let kept = (self.memory / 16) as usize;
                let tally = noted.take_if(|state| state.stage == name).map_or_else(Tally::default, |state| state.tally);
                let mut sweep = |skip: u64, hand: &mut Hand<'_>| match &of {
                    Input::Value(x) if skip == 0 => {
                        hand(vec![*x as f32]);
                        Ok(())
                    }
                    Input::Node(of) => gather(&measured, of, skip, hand),
                    Input::Value(_) | Input::Missing => Ok(()),
                };
                let mut save = |tally: &Tally| {
                    let state = || State { pipeline: measured.pipeline.clone(), stage: name.to_owned(), tally: tally.clone() };
                    checkpoint.save(STATE, &|| serde_json::to_value(state()).unwrap_or_default());
                };
                let mut done = |blocks: Vec<Vec<f32>>| self.keep(blocks.into_iter());
                let notes = &mut Notes { save: &mut save, done: &mut done };
                let found = Histogram::gather(kept, only_ends(&pipeline.stage[name]), tally, &mut sweep, notes, &self.pool)?;
                let histogram = found.ok_or_else(|| LayersError::Nothing { stage: name.to_owned() })?;
                settle(&mut measured.pipeline, name, &histogram);
            }
        }
        Ok(measured)
    }
}
