//! Jobs: pipelines evaluated in small steps, for example between the frames of a game.

use super::drained::check_inside;
use super::layers::{Cut, Measured, blank, check_finite, check_plane, paste, planes};
use super::sources::as_if_prepared;
use super::{Engine, Inner};
use crate::cpu::passes::{self, SparePlanes};
use crate::cpu::simd::Real;
use crate::error::{EngineError, LayersError};
use crate::field::{Field, Layer};
use crate::gpu::{self, Target};
use crate::region::Region;
use crate::schedule::{CoarserSource, PassStep, PlaneSource, SampleBlock, Schedule};
use crate::stage::{Drained, Pipeline, PreparedPipeline, lower};
use crate::texel::Mapping;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of passes submitted to the device at a time: few, so that frames can be scheduled in between.
const PASSES: usize = 8;

/// The evaluation of layers of a region in steps: each call of [`advance`](Self::advance) works for a time budget. Dropping it
/// cancels the remaining work. The bits are those of [`Engine::layers`].
///
/// ```
/// use orogen::stage::{Hydraulic, Pipeline};
/// use orogen::{Backend, Engine, EngineOptions, Noise, Region};
/// use std::time::Duration;
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let hills = Noise::simplex(Default::default()).fractal(Default::default());
/// let eroded = Pipeline::from(&hills).then(Hydraulic { iterations: 20, ..Default::default() });
/// let mut job = engine.job(&eroded, &[&eroded.output], &Region::chunk(3, -2, 64))?;
/// while !job.advance(Duration::from_millis(2))? {
///     // A frame.
/// }
/// assert_eq!(job.finish()?[0].values.len(), 65 * 65);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Job {
    engine: Engine,
    outputs: Vec<String>,
    measured: Measured,
    region: Region,
    cut: Cut,
    /// Blocks that have not started, with their offsets in the region.
    waiting: VecDeque<(Region, [u32; 3])>,
    blocks: usize,
    current: Option<Current>,
    layers: Vec<Layer>,
    /// Destinations of the layers, one per output; empty if they are returned.
    destinations: Vec<LayerTarget>,
    /// The previous block, on which the device may still work: at most two use its memory at a time.
    handed_over: Option<BlockRun<'static>>,
}

/// Destination of a layer on the device, and the conversion of its numbers to texels.
#[derive(Clone, Debug)]
pub(super) struct LayerTarget {
    pub target: Target,
    pub mapping: Mapping,
}

/// The current block.
struct Current {
    wanted: Region,
    at: [u32; 3],
    schedule: Schedule,
    part: BlockRun<'static>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("outputs", &self.outputs).field("region", &self.region).field("progress", &self.progress()).finish()
    }
}

impl Engine {
    /// Starts a job for layers of a region, evaluated in steps. Whole-world stages of the pipeline must be
    /// [measured](Self::measure) first, because a job considers only its region with the halo. The squares of `frequency` stages
    /// are computed here, once per engine.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers), and an error for a stage that reads the whole world and is not measured.
    pub fn job(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], region: &Region) -> Result<Job, LayersError> {
        check_plane(region)?;
        let names: Vec<String> = outputs.iter().map(|name| name.as_ref().to_owned()).collect();
        let measured = self.measured(pipeline, outputs, &[])?;
        self.job_of(measured, names, region, Vec::new())
    }

    /// A job with destinations for its layers, if there are any.
    pub(super) fn job_of(
        &self,
        measured: Measured,
        outputs: Vec<String>,
        region: &Region,
        destinations: Vec<LayerTarget>,
    ) -> Result<Job, LayersError> {
        check_inside(&measured.prepared, region)?;
        let cut = self.cut(&measured, &outputs, region)?;
        let waiting: VecDeque<_> = region.split(cut.edge).collect();
        let (engine, region, blocks) = (self.clone(), *region, waiting.len());
        Ok(Job {
            engine,
            outputs,
            measured,
            region,
            cut,
            waiting,
            blocks,
            current: None,
            layers: Vec::new(),
            destinations,
            handed_over: None,
        })
    }

    /// The cost of layers of a region, without computing any. Use it to plan a budget, and to make chunks large enough for their
    /// halo.
    ///
    /// # Errors
    /// Returns the errors of [`job`](Self::job).
    pub fn estimate(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], region: &Region) -> Result<Estimate, LayersError> {
        check_plane(region)?;
        pipeline.check()?;
        let measured = as_if_prepared(pipeline);
        let cut = self.cut(&measured, outputs, region)?;
        let mut estimate = Estimate { halo: cut.halo, blocks: 0, work: 0, terms: 0, memory: 0 };
        for (part, _) in region.split(cut.edge) {
            let block = SampleBlock::around(&part, cut.halo);
            block.region.check()?;
            let schedule = lower(&measured.pipeline, outputs, &block.region, &measured.prepared)?;
            estimate.blocks += 1;
            estimate.add(&schedule, &block);
            estimate.memory = estimate.memory.max(self.bytes(&schedule, block.region.size));
        }
        Ok(estimate)
    }
}

impl Estimate {
    /// Adds the work of a schedule on a block, and of those that it reads.
    fn add(&mut self, schedule: &Schedule, block: &SampleBlock) {
        let samples = block.region.samples();
        let passes = schedule.step_margins().into_iter().map(|margin| {
            let (_, [width, height]) = block.needed(margin);
            u64::from(width) * u64::from(height)
        });
        let passes = passes.sum::<u64>();
        let terms = schedule.sources.iter().map(|source| match source {
            PlaneSource::Given { .. } | PlaneSource::Drained { .. } | PlaneSource::Coarser(_) => 1,
            PlaneSource::Values { program, .. } | PlaneSource::Jets { program, .. } => program.terms(),
        });
        self.work += schedule.sources.len() as u64 * samples + passes;
        self.terms += terms.sum::<u64>() * samples + passes;
        for CoarserSource { schedule, block, .. } in schedule.coarser() {
            self.add(schedule, block);
        }
    }
}

/// The cost of layers of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Estimate {
    /// Width of the halo of a block in samples: the total reach of the stages.
    pub halo: u32,
    /// Number of blocks in the region.
    pub blocks: u64,
    /// Number of samples that noises and passes compute in all blocks, including halos. Divided by the region's samples, it is
    /// the cost of a sample; a processor computes some hundred million samples of a pass per second.
    pub work: u64,
    /// As above, with each sample of a noise multiplied by its octaves, sines and other
    /// [`Prepared::terms`](crate::Prepared::terms).
    pub terms: u64,
    /// Memory of the largest block in bytes.
    pub memory: u64,
}

impl Job {
    /// Works for the time budget, by at least one pass over one block (on the CPU a few passes over a row of tiles), and returns
    /// whether everything is done. On a GPU it submits passes and returns while the device works; it only waits for the copy of a
    /// completed block.
    ///
    /// # Errors
    /// Returns the errors of the device, and an error for a noise that cannot be evaluated there. The job has then ended.
    pub fn advance(&mut self, budget: Duration) -> Result<bool, LayersError> {
        let (start, pool) = (Instant::now(), self.engine.pool.clone());
        // The engine's own threads are woken once instead of for each pass.
        pool.install(|| {
            loop {
                if self.is_busy()? {
                    return Ok(false);
                }
                if !self.step()? {
                    return Ok(true);
                }
                if start.elapsed() >= budget {
                    self.flush()?;
                    return Ok(self.is_done());
                }
            }
        })
    }

    /// The completed share of the work, 0 to 1, counted in passes.
    pub fn progress(&self) -> f64 {
        let begun = self.current.as_ref().map_or(0.0, |current| current.part.progress(&current.schedule));
        let whole = self.blocks - self.waiting.len() - usize::from(self.current.is_some());
        (whole as f64 + begun) / self.blocks.max(1) as f64
    }

    /// Whether the work is complete.
    pub fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.current.is_none()
    }

    /// Completes the work and returns the layers. With [targets](Engine::job_into) it returns none, and does not wait for the
    /// device.
    ///
    /// # Errors
    /// Returns the errors of [`advance`](Self::advance).
    pub fn finish(mut self) -> Result<Vec<Layer>, LayersError> {
        let pool = self.engine.pool.clone();
        pool.install(|| {
            while self.step()? {}
            check_finite(&self.layers, &self.engine.pool)?;
            Ok(self.layers)
        })
    }

    fn is_busy(&self) -> Result<bool, LayersError> {
        let at_work = self.current.as_ref().map(|current| &current.part);
        let before = self.handed_over.as_ref().filter(|_| !self.waiting.is_empty());
        at_work.or(before).map_or(Ok(false), BlockRun::is_busy)
    }

    fn flush(&mut self) -> Result<(), LayersError> {
        self.current.as_mut().map_or(Ok(()), |current| current.part.flush())
    }

    /// Performs one step; false if there is none.
    fn step(&mut self) -> Result<bool, LayersError> {
        let Some(current) = &mut self.current else {
            let Some((wanted, at)) = self.waiting.pop_front() else { return Ok(false) };
            if let Some(before) = self.handed_over.take() {
                before.wait()?;
            }
            let block = SampleBlock::around(&wanted, self.cut.halo);
            block.region.check()?;
            let schedule = lower(&self.measured.pipeline, &self.outputs, &block.region, &self.measured.prepared)?;
            let part = BlockRun::new(&self.engine, &schedule, &block, None, PASSES)?;
            self.current = Some(Current { wanted, at, schedule, part });
            return Ok(true);
        };
        if !current.part.advance(&self.engine, &current.schedule, Supplied::prepared(&self.measured.prepared))? {
            let Current { wanted, at, schedule, mut part } = self.current.take().expect("invariant: it is at work");
            if !self.destinations.is_empty() {
                part.store(&schedule, &self.destinations, &self.region, at)?;
                self.handed_over = Some(part);
                return Ok(true);
            }
            let found = part.outputs(&schedule)?;
            if self.layers.is_empty() {
                self.layers = blank(&self.outputs, &self.region, &found);
            }
            for (layer, channels) in self.layers.iter_mut().zip(&found) {
                paste(layer, &wanted, at, channels);
            }
            self.engine.keep(found.into_iter().flatten());
        }
        Ok(true)
    }
}

/// The data behind a schedule's sources, besides its programs.
#[derive(Clone, Copy)]
pub(super) struct Supplied<'a> {
    /// The caller's field.
    pub given: Option<&'a Field>,
    /// The tables with which the schedule was lowered.
    pub prepared: &'a PreparedPipeline,
}

impl<'a> Supplied<'a> {
    /// Without a field.
    pub fn prepared(prepared: &'a PreparedPipeline) -> Self {
        Supplied { given: None, prepared }
    }

    /// The caller's field on a region: its own samples, or every second one of them, or every fourth, and so on. Beyond its edges, they
    /// continue.
    pub fn given(self, engine: &Engine, region: &Region) -> Result<Cow<'a, [f32]>, LayersError> {
        let Field { region: own, values, .. } = self.given.expect("invariant: Engine::block refuses a schedule that lacks its field");
        if region == own {
            return Ok(Cow::Borrowed(values));
        }
        let [columns, rows] = [0, 1].map(|a| {
            let levels = region.level.saturating_sub(own.level);
            let index = |i: u32| ((i128::from(region.origin[a]) + i128::from(i)) << levels) - i128::from(own.origin[a]);
            let last = i128::from(own.size[a]) - 1;
            (0..region.size[a]).map(|i| index(i).clamp(0, last) as usize).collect::<Vec<usize>>()
        });
        let mut found = Vec::with_capacity(columns.len() * rows.len());
        for row in rows {
            engine.go_on()?;
            let row = &values[row * own.size[0] as usize..][..own.size[0] as usize];
            found.extend(columns.iter().map(|column| row[*column]));
        }
        Ok(Cow::Owned(found))
    }

    /// The traced world of a stage.
    pub fn drained(self, stage: &str) -> &'a Drained {
        self.prepared.drained.get(stage).expect("invariant: a stage is lowered once its world is traced")
    }
}

/// A schedule in execution on a block, on either backend.
pub(super) struct BlockRun<'e> {
    block: SampleBlock,
    /// Number of sources and steps that have run.
    next: usize,
    run: BackendRun<'e>,
    /// The schedule on the coarser grid that runs at the moment.
    coarser: Option<Box<BlockRun<'e>>>,
}

enum BackendRun<'e> {
    Gpu(Box<gpu::GpuRun<'e>>),
    Cpu(passes::CpuRun<f32>),
    Oracle(passes::CpuRun<f64>),
}

impl<'e> BlockRun<'e> {
    /// Starts a schedule. `given` is the caller's field, `passes` the number of passes submitted to the device at a time.
    pub fn new(
        engine: &Engine,
        schedule: &Schedule,
        block: &SampleBlock,
        given: Option<&Field>,
        passes: usize,
    ) -> Result<Self, LayersError> {
        if given.is_none() {
            refuse_given(schedule)?;
        }
        let often = passes < gpu::PASSES;
        let run = match &*engine.inner {
            Inner::Gpu(context) => BackendRun::Gpu(Box::new(
                gpu::GpuRun::new(context, schedule, block, passes).map_err(|error| EngineError::from(gpu::Failure::from(error)))?,
            )),
            Inner::Cpu => BackendRun::Cpu(passes::CpuRun::new(&engine.pool, &engine.spare, schedule, block, often)),
            Inner::Oracle => BackendRun::Oracle(passes::CpuRun::new(&engine.pool, &SparePlanes::default(), schedule, block, often)),
        };
        Ok(BlockRun { block: *block, next: 0, run, coarser: None })
    }

    /// Records into a caller's encoder.
    pub fn recording(
        context: &Arc<gpu::Context>,
        schedule: &Schedule,
        block: &SampleBlock,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> Result<Self, LayersError> {
        refuse_given(schedule)?;
        let run =
            gpu::GpuRun::recording(context, schedule, block, encoder).map_err(|error| EngineError::from(gpu::Failure::from(error)))?;
        Ok(BlockRun { block: *block, next: 0, run: BackendRun::Gpu(Box::new(run)), coarser: None })
    }

    /// Starts the schedule of a source on the coarser grid.
    fn begin_coarser(&mut self, engine: &Engine, source: &CoarserSource) -> Result<Self, LayersError> {
        let CoarserSource { schedule, block, .. } = source;
        block.region.check()?;
        let run = match &mut self.run {
            BackendRun::Gpu(run) => {
                BackendRun::Gpu(Box::new(run.begin_coarser(schedule, block).map_err(|error| EngineError::from(gpu::Failure::from(error)))?))
            }
            BackendRun::Cpu(run) => BackendRun::Cpu(run.begin_coarser(&engine.pool, schedule, block)),
            BackendRun::Oracle(run) => BackendRun::Oracle(run.begin_coarser(&engine.pool, schedule, block)),
        };
        Ok(BlockRun { block: *block, next: 0, run, coarser: None })
    }

    /// Runs a part of a source on the coarser grid, or spreads its results over this grid.
    fn advance_coarser(&mut self, engine: &Engine, source: &CoarserSource, supplied: Supplied<'_>) -> Result<(), LayersError> {
        let mut coarser = match self.coarser.take() {
            Some(coarser) => coarser,
            None => Box::new(self.begin_coarser(engine, source)?),
        };
        if coarser.advance(engine, &source.schedule, supplied)? {
            self.coarser = Some(coarser);
            return Ok(());
        }
        match (&mut self.run, coarser.run) {
            (BackendRun::Gpu(run), BackendRun::Gpu(from)) => run.spread(*from, source).map_err(EngineError::from)?,
            (BackendRun::Cpu(run), BackendRun::Cpu(from)) => run.spread(from, source),
            (BackendRun::Oracle(run), BackendRun::Oracle(from)) => run.spread(from, source),
            (BackendRun::Gpu(_) | BackendRun::Cpu(_) | BackendRun::Oracle(_), _) => {
                unreachable!("invariant: the coarser grid is on the same backend")
            }
        }
        self.next += 1;
        Ok(())
    }

    /// Runs one source or step, or on the CPU some steps over some tiles, on the threads chosen by `Pool::install`; false if all
    /// have run.
    pub fn advance(&mut self, engine: &Engine, schedule: &Schedule, supplied: Supplied<'_>) -> Result<bool, LayersError> {
        let i = self.next;
        let Some(task) = Task::of(schedule, i) else { return Ok(false) };
        if let Task::Source(PlaneSource::Coarser(source)) = task {
            self.advance_coarser(engine, source, supplied)?;
            return Ok(true);
        }
        let block = &self.block;
        self.next = match &mut self.run {
            BackendRun::Gpu(run) => {
                let done = match task {
                    Task::Source(PlaneSource::Drained { stage, holds, planes }) => {
                        let found = engine.drained_planes(supplied.drained(stage), holds, &block.region)?;
                        planes.iter().zip(&found).try_for_each(|(plane, values)| run.upload(*plane, values))
                    }
                    Task::Source(PlaneSource::Given { plane, .. }) => run.upload(*plane, &supplied.given(engine, &block.region)?),
                    Task::Source(source) => run.source(source),
                    Task::Step(i, step) => run.step(i, step),
                };
                done.map_err(EngineError::from)?;
                i + 1
            }
            BackendRun::Cpu(run) => on_cpu(engine, run, schedule, i, block, supplied)?,
            BackendRun::Oracle(run) => on_cpu(engine, run, schedule, i, block, supplied)?,
        };
        engine.go_on()?;
        if Task::of(schedule, self.next).is_none() {
            // Submits the last passes, so that the device has finished them when the outputs are read later.
            self.flush()?;
        }
        Ok(true)
    }

    /// Writes the wanted part of each output to its destination, when all has run. That part of the block lies at `at` in a
    /// region.
    pub fn store(&mut self, schedule: &Schedule, destinations: &[LayerTarget], region: &Region, at: [u32; 3]) -> Result<(), LayersError> {
        let BackendRun::Gpu(run) = &mut self.run else { unreachable!("invariant: only an engine with a device takes destinations") };
        for (output, LayerTarget { target, mapping }) in destinations.iter().enumerate() {
            let first = target.fitted(region).map_err(EngineError::from)?;
            let at = [0, 1, 2].map(|a| first[a] + at[a]);
            let stored = gpu::LayerStore { target, mapping: *mapping, at, width: region.size[0] };
            run.store(schedule, output, &stored).map_err(EngineError::from)?;
        }
        run.flush().map_err(EngineError::from)?;
        Ok(())
    }

    /// The wanted samples of each channel of each output, when all has run.
    pub fn outputs(self, schedule: &Schedule) -> Result<Vec<Vec<Vec<f32>>>, LayersError> {
        Ok(match self.run {
            BackendRun::Gpu(mut run) => run.outputs(schedule).map_err(EngineError::from)?,
            BackendRun::Cpu(run) => run.outputs(schedule),
            BackendRun::Oracle(run) => {
                let narrow = |channel: Vec<f64>| channel.into_iter().map(Real::single).collect();
                run.outputs(schedule).into_iter().map(|channels| channels.into_iter().map(narrow).collect()).collect()
            }
        })
    }

    fn progress(&self, schedule: &Schedule) -> f64 {
        self.done(schedule) as f64 / schedule.tasks().max(1) as f64
    }

    /// The number of sources and steps that have run, those on coarser grids included.
    fn done(&self, schedule: &Schedule) -> usize {
        let coarser = schedule.sources.iter().enumerate().filter_map(|(i, source)| match source {
            PlaneSource::Coarser(coarser) if i < self.next => Some(coarser.schedule.tasks()),
            PlaneSource::Coarser(coarser) if i == self.next => self.coarser.as_ref().map(|run| run.done(&coarser.schedule)),
            PlaneSource::Coarser(_)
            | PlaneSource::Given { .. }
            | PlaneSource::Values { .. }
            | PlaneSource::Jets { .. }
            | PlaneSource::Drained { .. } => None,
        });
        self.next + coarser.sum::<usize>()
    }

    fn is_busy(&self) -> Result<bool, LayersError> {
        if let Some(coarser) = &self.coarser {
            return coarser.is_busy();
        }
        match &self.run {
            BackendRun::Gpu(run) => Ok(run.is_busy().map_err(EngineError::from)?),
            BackendRun::Cpu(_) | BackendRun::Oracle(_) => Ok(false),
        }
    }

    fn wait(&self) -> Result<(), LayersError> {
        match &self.run {
            BackendRun::Gpu(run) => Ok(run.wait().map_err(EngineError::from)?),
            BackendRun::Cpu(_) | BackendRun::Oracle(_) => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), LayersError> {
        if let Some(coarser) = &mut self.coarser {
            return coarser.flush();
        }
        match &mut self.run {
            BackendRun::Gpu(run) => Ok(run.flush().map_err(EngineError::from)?),
            BackendRun::Cpu(_) | BackendRun::Oracle(_) => Ok(()),
        }
    }
}

/// Fails for a schedule that needs a caller's field.
fn refuse_given(schedule: &Schedule) -> Result<(), LayersError> {
    schedule.given().map_or(Ok(()), |stage| Err(LayersError::Given { stage: stage.to_owned() }))
}

/// The parts of a schedule, in order.
#[derive(Clone, Copy)]
enum Task<'a> {
    Source(&'a PlaneSource),
    Step(usize, &'a PassStep),
}

impl<'a> Task<'a> {
    fn of(schedule: &'a Schedule, i: usize) -> Option<Self> {
        let sources = schedule.sources.len();
        let step = || schedule.steps.get(i - sources).map(|step| Task::Step(i - sources, step));
        schedule.sources.get(i).map_or_else(step, |source| Some(Task::Source(source)))
    }
}

/// Runs the parts that follow a number of sources and steps; returns the new number.
fn on_cpu<R: Real>(
    engine: &Engine,
    run: &mut passes::CpuRun<R>,
    schedule: &Schedule,
    done: usize,
    block: &SampleBlock,
    supplied: Supplied<'_>,
) -> Result<usize, LayersError> {
    if let Some(source) = schedule.sources.get(done) {
        let planes = planes(engine, source, block, supplied, || run.plane())?;
        run.source(source, planes);
        return Ok(done + 1);
    }
    run.advance(engine.stop()).map_err(EngineError::from)?;
    Ok(schedule.sources.len() + run.steps())
}
