//! A schedule in execution on a block, on any backend.

use super::{Engine, Inner};
use crate::cpu::passes::{self, SparePlanes};
use crate::cpu::simd::Real;
use crate::cpu::{Evaluation, Out};
use crate::error::{EngineError, LayersError};
use crate::field::Field;
use crate::gpu;
#[cfg(feature = "gpu")]
use crate::gpu::Target;
use crate::region::Region;
use crate::schedule::{CoarserSource, DrainedPlane, PassStep, PlaneSource, SampleBlock, Schedule};
use crate::stage::{Drained, PreparedPipeline};
use crate::stop::PIECE;
#[cfg(feature = "gpu")]
use crate::texel::Mapping;
use std::borrow::Cow;
use std::sync::Arc;

/// Destination of a layer on the device, and the conversion of its numbers to texels.
#[cfg(feature = "gpu")]
#[derive(Clone, Debug)]
pub(super) struct LayerTarget {
    pub target: Target,
    pub mapping: Mapping,
}

/// No layer has a destination without a GPU.
#[cfg(not(feature = "gpu"))]
#[derive(Clone, Copy, Debug)]
pub(super) enum LayerTarget {}

/// The data behind a schedule's sources, besides its programs.
#[derive(Clone, Copy)]
pub(super) struct Supplied<'a> {
    /// The caller's field.
    pub given: Option<&'a Field>,
    /// The tables with which the schedule was lowered.
    pub prepared: &'a PreparedPipeline,
    pub traced: &'a dyn TracedPlanes,
}

/// Gives the planes of traced worlds. Blocks need them, and they are computed from blocks of other stages.
pub(super) trait TracedPlanes: Sync {
    /// Planes of a region, in the order of `holds`. Beyond the edge of the world, the nearest sample is repeated.
    ///
    /// # Errors
    /// A region with other samples than the world's; those of the heights.
    fn planes(&self, drained: &Drained, holds: &[DrainedPlane], region: &Region) -> Result<Vec<Vec<f32>>, LayersError>;
}

impl<'a> Supplied<'a> {
    /// Without a field.
    pub fn prepared(engine: &'a Engine, prepared: &'a PreparedPipeline) -> Self {
        Supplied { given: None, prepared, traced: engine }
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

    /// Planes of the traced world of a stage, on a region.
    fn drained(self, stage: &str, holds: &[DrainedPlane], region: &Region) -> Result<Vec<Vec<f32>>, LayersError> {
        let drained = self.prepared.drained.get(stage).expect("invariant: a stage is lowered once its world is traced");
        self.traced.planes(drained, holds, region)
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
            Inner::Oracle(_) => BackendRun::Oracle(passes::CpuRun::new(&engine.pool, &SparePlanes::default(), schedule, block, often)),
        };
        Ok(BlockRun { block: *block, next: 0, run, coarser: None })
    }

    /// Records into a caller's encoder.
    #[cfg(feature = "gpu")]
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
                        let found = supplied.drained(stage, holds, &block.region)?;
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
    #[cfg(feature = "gpu")]
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

    pub fn progress(&self, schedule: &Schedule) -> f64 {
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

    pub fn is_busy(&self) -> Result<bool, LayersError> {
        if let Some(coarser) = &self.coarser {
            return coarser.is_busy();
        }
        match &self.run {
            BackendRun::Gpu(run) => Ok(run.is_busy().map_err(EngineError::from)?),
            BackendRun::Cpu(_) | BackendRun::Oracle(_) => Ok(false),
        }
    }

    pub fn wait(&self) -> Result<(), LayersError> {
        match &self.run {
            BackendRun::Gpu(run) => Ok(run.wait().map_err(EngineError::from)?),
            BackendRun::Cpu(_) | BackendRun::Oracle(_) => Ok(()),
        }
    }

    pub fn flush(&mut self) -> Result<(), LayersError> {
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

/// The planes of a source, on the CPU, in memory from `plane`.
fn planes<R: Real>(
    engine: &Engine,
    source: &PlaneSource,
    block: &SampleBlock,
    supplied: Supplied<'_>,
    plane: impl Fn() -> Vec<R>,
) -> Result<Vec<Vec<R>>, LayersError> {
    let pool = &engine.pool;
    match source {
        PlaneSource::Given { .. } => {
            let given = supplied.given(engine, &block.region)?;
            let mut values = plane();
            for (values, given) in values.chunks_mut(PIECE).zip(given.chunks(PIECE)) {
                engine.go_on()?;
                values.iter_mut().zip(given).for_each(|(to, &x)| *to = R::exactly(x));
            }
            Ok(vec![values])
        }
        PlaneSource::Values { program, .. } => {
            let mut values = plane();
            let out = Out { values: &mut values, gradients: None };
            Evaluation::new(Arc::clone(program), pool.clone()).field_into(&block.region, 0.0, out)?;
            Ok(vec![values])
        }
        PlaneSource::Jets { program, .. } => {
            let mut values = plane();
            let mut gradients = vec![[R::default(); 3]; values.len()];
            let out = Out { values: &mut values, gradients: Some(&mut gradients) };
            Evaluation::new(Arc::clone(program), pool.clone()).field_into(&block.region, 0.0, out)?;
            let along = |axis: usize| {
                let mut along = plane();
                along.iter_mut().zip(&gradients).for_each(|(to, gradient)| *to = gradient[axis]);
                along
            };
            Ok(vec![values, along(0), along(1)])
        }
        PlaneSource::Coarser(_) => unreachable!("invariant: a schedule on the coarser grid is a run of its own"),
        PlaneSource::Drained { stage, holds, .. } => {
            let widened = |found: Vec<f32>| {
                let mut values = plane();
                values.iter_mut().zip(&found).for_each(|(to, &x)| *to = R::exactly(x));
                values
            };
            Ok(supplied.drained(stage, holds, &block.region)?.into_iter().map(widened).collect())
        }
    }
}
