//! Lowers stages to passes.

use crate::frame::fixed_product;
use crate::graph::Noise;
use crate::graph::lower::check_gradients;
use crate::params::Input;
use crate::program::{Program, ProgramError, Seed};
use crate::region::Region;
use crate::schedule::pass::{Fill, Gradient, PassCall, Scale, made};
use crate::schedule::{CoarserSource, PlaneId, PlaneSource, SampleBlock, Schedule};
use crate::stage::{Drained, LandscapeTables, Pipeline, StageError, order, stem};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Data that is computed once per pipeline, for any block and outputs.
#[derive(Clone, Debug, Default)]
pub struct PreparedPipeline {
    /// Periodic squares of [`Frequency`](crate::stage::Frequency), by the stage's name.
    pub tiles: HashMap<String, Arc<Vec<f64>>>,
    /// Landscapes of [`StreamPower`](crate::stage::StreamPower), by the stage's name.
    pub landscapes: HashMap<String, Arc<LandscapeTables>>,
    /// Worlds of [`Drainage`](crate::stage::Drainage) and [`Grade`](crate::stage::Grade), by the stage's name.
    pub drained: HashMap<String, Arc<Drained>>,
    /// Noises prepared for evaluation, by the name of the node, or of the stage with a noise of its own. They are added on first
    /// use.
    programs: Arc<Mutex<HashMap<String, Arc<Program>>>>,
}

/// The reason why a pipeline cannot be lowered to a schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// The pipeline is invalid, or a stage has not been measured.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A noise cannot be evaluated.
    #[error("'{node}': {error}")]
    Noise {
        /// The node, or the stage with a noise of its own.
        node: String,
        /// The error of the noise.
        error: Box<ProgramError>,
    },
}

/// The passes that compute outputs of a pipeline on a block of samples. `prepared` belongs to the same pipeline.
///
/// # Errors
/// Returns an error if the pipeline is invalid, if a noise cannot be evaluated, or if a stage needs a measurement of the whole
/// world that is missing.
pub fn lower(
    pipeline: &Pipeline,
    outputs: &[impl AsRef<str>],
    block: &Region,
    prepared: &PreparedPipeline,
) -> Result<Schedule, ScheduleError> {
    let mut lowering = ScheduleLowering::new(pipeline, prepared, block, true);
    for output in outputs {
        lowering.stages(&order(pipeline, output.as_ref())?)?;
        let planes = lowering.named("", "output", output.as_ref())?;
        lowering.schedule.outputs.push(planes);
    }
    lowering.schedule.prune();
    Ok(lowering.schedule)
}

/// The planes of each output of a stage, one per channel.
pub(crate) type Outputs = Vec<Vec<PlaneId>>;

/// Outputs of one channel each.
pub fn single<const N: usize>(planes: [PlaneId; N]) -> Outputs {
    planes.map(|plane| vec![plane]).to_vec()
}

/// A schedule during lowering. Each kind of stage adds to it, in its own file in `src/stage`.
pub(crate) struct ScheduleLowering<'a> {
    pub pipeline: &'a Pipeline,
    pub prepared: &'a PreparedPipeline,
    pub block: &'a Region,
    /// World units between samples.
    pub step: f64,
    pub schedule: Schedule,
    /// Whether blocks of coarser grids have their halos. If not, only margins of the schedule are of use.
    is_placed: bool,
    /// Planes of nodes, and of all outputs of a stage, by name.
    planes: HashMap<String, Outputs>,
    /// Constant planes, by the bits of their value.
    fills: HashMap<u64, PlaneId>,
}

/// A 32-bit number as two that f32 can represent.
pub fn halves(bits: u32) -> [f64; 2] {
    [f64::from(bits & 0xffff), f64::from(bits >> 16)]
}

/// The seed of a stage's random numbers, lower half first.
pub fn seed(seed: u64) -> [f64; 2] {
    halves(Seed::default().with(seed).bits())
}

/// A boolean as a number of a pass.
pub fn flag(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// `x` to an integer power, by repeated squaring. The standard library's result differs between platforms.
pub fn power(x: f64, exponent: u32) -> f64 {
    let (mut all, mut square, mut rest) = (1.0, x, exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            all *= square;
        }
        square *= square;
        rest /= 2;
    }
    all
}

/// The upper half of a lattice coordinate, Q32.32.
pub fn q32(a: f64, b: f64) -> u64 {
    (fixed_product(a, b) >> 32) as u64
}

/// A 64-bit number as four that f32 can represent.
pub fn limbs(q: u64) -> [f64; 4] {
    [0, 16, 32, 48].map(|shift| ((q >> shift) & 0xffff) as f64)
}

impl<'a> ScheduleLowering<'a> {
    fn new(pipeline: &'a Pipeline, prepared: &'a PreparedPipeline, block: &'a Region, is_placed: bool) -> Self {
        let (planes, fills) = (HashMap::new(), HashMap::new());
        ScheduleLowering { pipeline, prepared, block, step: block.step(), schedule: Schedule::default(), is_placed, planes, fills }
    }

    /// Lowers stages, and nodes over stages, in this order.
    fn stages(&mut self, names: &[&str]) -> Result<(), ScheduleError> {
        for &name in names {
            if !self.planes.contains_key(name) {
                let planes = match self.pipeline.stage.get(name) {
                    Some(stage) => stage.as_kind().lower(name, self)?,
                    None => self.node(name)?,
                };
                self.planes.insert(name.to_owned(), planes);
            }
        }
        Ok(())
    }
}

impl ScheduleLowering<'_> {
    /// Planes that `lower` makes on the grid of twice the step, where the inputs of the stage with this name are lowered again. Each
    /// sample here has the value of the coarser sample at or before it along both axes.
    pub fn coarser(
        &mut self,
        name: &str,
        lower: &dyn Fn(&mut ScheduleLowering<'_>) -> Result<Vec<PlaneId>, ScheduleError>,
    ) -> Result<Vec<PlaneId>, ScheduleError> {
        let mut inputs = order(self.pipeline, name)?;
        inputs.retain(|stage| *stage != name);
        let lowered = |block: &Region, is_placed| {
            let mut lowering = ScheduleLowering::new(self.pipeline, self.prepared, block, is_placed);
            lowering.stages(&inputs)?;
            lowering.schedule.outputs = lower(&mut lowering)?.into_iter().map(|plane| vec![plane]).collect();
            lowering.schedule.prune();
            Ok::<Schedule, ScheduleError>(lowering.schedule)
        };
        let mut block = SampleBlock::coarser(self.block, 0);
        let mut schedule = lowered(&block.region, false)?;
        if self.is_placed {
            block = SampleBlock::coarser(self.block, schedule.halo());
            schedule = lowered(&block.region, true)?;
        }
        let planes: Vec<PlaneId> = schedule.outputs.iter().map(|_| self.schedule.plane()).collect();
        // Before other sources, which then need no memory while it runs.
        let source = CoarserSource { schedule: Arc::new(schedule), block, planes: planes.clone() };
        self.schedule.sources.insert(0, PlaneSource::Coarser(source));
        Ok(planes)
    }

    /// Adds a pass.
    pub fn run<C: PassCall>(&mut self, call: C) -> C::Made {
        self.schedule.run(call)
    }

    /// A constant plane, shared by all readers.
    pub fn fill(&mut self, value: f64) -> PlaneId {
        if let Some(&plane) = self.fills.get(&value.to_bits()) {
            return plane;
        }
        let plane = self.run(Fill { value }).value;
        self.fills.insert(value.to_bits(), plane);
        plane
    }

    /// Multiplied by a number.
    pub fn scaled(&mut self, value: PlaneId, scale: f64) -> PlaneId {
        self.run(Scale { value, scale, offset: 0.0, low: f64::MIN, high: f64::MAX }).value
    }

    /// Numbers below 0 become 0.
    pub fn at_least_zero(&mut self, value: PlaneId) -> PlaneId {
        self.run(Scale { value, scale: 1.0, offset: 0.0, low: 0.0, high: f64::MAX }).value
    }

    /// The noise of the node or stage with that name.
    fn program(&self, node: &str, noise: impl FnOnce() -> Noise) -> Result<Arc<Program>, ScheduleError> {
        let mut programs = self.prepared.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = programs.get(node) {
            return Ok(Arc::clone(program));
        }
        let program =
            Program::new(noise().graph()).map_err(|error| ScheduleError::Noise { node: node.to_owned(), error: Box::new(error) })?;
        Ok(Arc::clone(programs.entry(node.to_owned()).or_insert(Arc::new(program))))
    }

    /// Refuses a node whose gradients f32 cannot hold.
    fn check_gradients(&self, node: &str) -> Result<(), ScheduleError> {
        let refused = |error| ScheduleError::Noise { node: node.to_owned(), error: Box::new(error) };
        check_gradients(self.pipeline.noise(node).graph()).map_err(refused)
    }

    /// The values of the noise of the node or stage with that name.
    pub fn noise(&mut self, node: &str, noise: impl FnOnce() -> Noise) -> Result<PlaneId, ScheduleError> {
        let program = self.program(node, noise)?;
        let plane = self.schedule.plane();
        self.schedule.sources.push(PlaneSource::Values { program, plane });
        Ok(plane)
    }

    /// The planes of the node, stage or output with that name.
    pub fn named(&mut self, by: &str, param: &'static str, name: &str) -> Result<Vec<PlaneId>, ScheduleError> {
        match self.pipeline.find(by, param, name)? {
            Some((_, index)) => Ok(self.planes[stem(name)][index].clone()),
            None => {
                if !self.planes.contains_key(name) {
                    let pipeline = self.pipeline;
                    let plane = self.noise(name, || pipeline.noise(name))?;
                    self.planes.insert(name.to_owned(), single([plane]));
                }
                Ok(self.planes[name][0].clone())
            }
        }
    }

    /// The plane of a scalar input.
    pub fn plane(&mut self, by: &str, param: &'static str, input: &Input) -> Result<PlaneId, ScheduleError> {
        match input {
            Input::Missing => Err(StageError::MissingInput { stage: by.to_owned(), param }.into()),
            Input::Value(x) => Ok(self.fill(*x)),
            Input::Node(name) => Ok(self.named(by, param, name)?[0]),
        }
    }

    /// 1 / (2 · distance between samples).
    pub fn per_two_steps(&self) -> f64 {
        0.5 / self.step
    }

    /// Heights and their slopes along x and y: exact gradients for a node, differences for a field.
    pub fn slopes(&mut self, name: &str, of: &Input) -> Result<[PlaneId; 3], ScheduleError> {
        match of {
            Input::Node(node) if self.pipeline.is_noise(node) => {
                let program = self.program(node, || self.pipeline.noise(node))?;
                self.check_gradients(node)?;
                let planes = [(); 3].map(|()| self.schedule.plane());
                self.schedule.sources.push(PlaneSource::Jets { program, planes });
                Ok(planes)
            }
            of => {
                let height = self.plane(name, "of", of)?;
                let made::Gradient { x, y } = self.run(Gradient { height, per_two_steps: self.per_two_steps() });
                Ok([height, x, y])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::node::{Fractal, Perlin};
    use crate::stage::{Gully, Slope};

    #[test]
    fn whole_powers_are_products() {
        for x in [0.5, 0.7, 1.9, 2.0] {
            let products: [f64; 5] = [1.0, x, x * x, x * (x * x), (x * x) * (x * x)];
            assert_eq!([0, 1, 2, 3, 4].map(|k| super::power(x, k)), products);
        }
        assert!((super::power(0.7, 11) - libm::pow(0.7, 11.0)).abs() < 1e-17);
    }

    #[test]
    fn noises_are_lowered_once_whatever_is_asked_for() {
        let pipeline = Pipeline::from(Noise::perlin(Perlin::default()).named("hills")).then(Slope::default());
        let of = Input::Node("hills".to_owned());
        let pipeline = pipeline.then(Gully { of, ..Default::default() });
        let prepared = PreparedPipeline::default();
        let programs = ["slope", "gully"].map(|output| {
            let schedule = lower(&pipeline, &[output], &Region::plane(8, 8), &prepared).expect("a schedule");
            match &schedule.sources[..] {
                [PlaneSource::Values { program, .. } | PlaneSource::Jets { program, .. }] => Arc::clone(program),
                other => panic!("{other:?}"),
            }
        });
        assert!(Arc::ptr_eq(&programs[0], &programs[1]));
    }

    #[test]
    fn a_noise_that_cannot_be_evaluated_is_named() {
        let octaves = |noise: Noise| noise.fractal(Fractal { octaves: 16, ..Default::default() });
        let huge = (0..6).fold(Noise::perlin(Perlin::default()), |noise, _| octaves(noise));
        let pipeline = Pipeline::from(huge.named("hills")).then(Slope::default());
        let error = lower(&pipeline, &["slope"], &Region::plane(8, 8), &PreparedPipeline::default()).expect_err("too large");
        assert!(matches!(&error, ScheduleError::Noise { node, .. } if node == "hills"), "{error}");
        assert!(error.to_string().starts_with("'hills': "), "{error}");
    }
}
