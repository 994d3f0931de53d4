//! Jobs: pipelines evaluated in small steps, for example between the frames of a game.

use super::Engine;
use super::join::{blank, check_finite, check_plane, paste};
use super::measured::{Cut, Measured, as_if_prepared, check_inside};
use super::run::{BlockRun, LayerTarget, Supplied};
use crate::clock::Instant;
use crate::error::LayersError;
use crate::field::Layer;
use crate::region::Region;
use crate::schedule::{CoarserSource, PlaneSource, SampleBlock, Schedule};
use crate::stage::{Pipeline, lower};
use std::collections::VecDeque;
use std::time::Duration;

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
        if !current.part.advance(&self.engine, &current.schedule, Supplied::prepared(&self.engine, &self.measured.prepared))? {
            let Current { wanted, at, schedule, part } = self.current.take().expect("invariant: it is at work");
            #[cfg(feature = "gpu")]
            if !self.destinations.is_empty() {
                let mut part = part;
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
