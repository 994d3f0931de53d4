//! A noise lowered once, for many calls.

use super::{Engine, EngineError, Inner, check_anchor, check_position};
use crate::cpu::simd::Real;
use crate::cpu::threads::Pool;
use crate::cpu::{Evaluation, Out};
use crate::field::{Field, Gradient, Sample, Samples};
use crate::gpu::{self, PointsTarget, Target};
use crate::graph::{Interval, Noise};
use crate::params::{SetError, Setting};
use crate::program::{Program, ProgramError, check_gradients};
use crate::region::{Batch, Region, RegionError};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// A noise on an engine, lowered once: what a game keeps for as long as it asks about that noise. Clones are the same noise and share
/// everything; every method may be called from any thread.
///
/// Lowering is what most of a small call costs otherwise. Once as many threads as ever call at the same time have done so, the calls
/// that end in `_into`, [`value`](Self::value) and [`encode`](Self::encode) allocate nothing on the CPU. Calls that are shorter than
/// waking other threads stay on the caller's; longer ones use the engine's [`Threads`](crate::Threads).
///
/// ```
/// use orogen::prelude::*;
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() }).fractal(Fractal::default()).named("hills");
/// let mut hills = engine.prepare(&hills)?;
/// let height = hills.value([10.0, 20.0, 0.0])?;
/// let mut chunk = vec![0.0; 33 * 33];
/// hills.field_into(&Region::plane(33, 33), &mut chunk)?;
/// assert_eq!(f64::from(chunk[20 * 33 + 10]), height);
/// hills.set("hills.gain", 0.6)?; // this handle only; its clones stay as they are
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prepared {
    engine: Engine,
    noise: Noise,
    lowered: Arc<Lowered>,
}

/// What a noise has been lowered to, each form when it is first needed.
#[derive(Debug)]
struct Lowered {
    program: Arc<Program>,
    pool: Pool,
    single: OnceLock<Evaluation<f32>>,
    double: OnceLock<Evaluation<f64>>,
    /// For displacements from an anchor.
    anchored: OnceLock<Result<Anchored, ProgramError>>,
    /// Whether f32 can hold its gradients.
    gradients: OnceLock<Result<(), ProgramError>>,
}

#[derive(Debug)]
struct Anchored {
    program: Arc<Program>,
    single: OnceLock<Evaluation<f32>>,
    double: OnceLock<Evaluation<f64>>,
}

impl Lowered {
    fn new(noise: &Noise, pool: &Pool) -> Result<Arc<Self>, ProgramError> {
        let (program, pool) = (Arc::new(Program::new(noise.graph())?), pool.clone());
        Ok(Arc::new(Lowered {
            program,
            pool,
            single: OnceLock::new(),
            double: OnceLock::new(),
            anchored: OnceLock::new(),
            gradients: OnceLock::new(),
        }))
    }

    fn single(&self) -> &Evaluation<f32> {
        self.single.get_or_init(|| Evaluation::new(Arc::clone(&self.program), self.pool.clone()))
    }

    fn double(&self) -> &Evaluation<f64> {
        self.double.get_or_init(|| Evaluation::new(Arc::clone(&self.program), self.pool.clone()))
    }

    fn anchored(&self, noise: &Noise) -> Result<&Anchored, EngineError> {
        let anchored = self.anchored.get_or_init(|| {
            let program = Arc::new(Program::anchored(noise.graph())?);
            Ok(Anchored { program, single: OnceLock::new(), double: OnceLock::new() })
        });
        anchored.as_ref().map_err(|error| error.clone().into())
    }
}

impl Engine {
    /// Lowers a noise once, for many calls.
    ///
    /// # Errors
    /// An invalid noise.
    pub fn prepare(&self, noise: &Noise) -> Result<Prepared, EngineError> {
        Ok(Prepared { engine: self.clone(), noise: noise.clone(), lowered: Lowered::new(noise, &self.pool)? })
    }
}

impl Prepared {
    /// The noise as it stands.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// The engine that evaluates it.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What no value leaves; see [`Noise::range`].
    pub fn range(&self) -> Interval {
        self.lowered.program.range
    }

    /// What a sample costs, in lattices: each as often as it has octaves or is called, and each sine or other wave; 1 at least.
    pub fn terms(&self) -> u64 {
        self.lowered.program.terms()
    }

    /// Changes a live parameter by its name, `node.parameter`, as [`Noise::set`] does. Compiles nothing; lowers the noise anew, some
    /// microseconds for each node. Clones of this handle stay as they are.
    ///
    /// # Errors
    /// As [`Noise::set`], or a graph that cannot be evaluated with that value. The noise then stays as it was.
    pub fn set(&mut self, path: &str, value: impl Into<Setting>) -> Result<(), PreparedSetError> {
        let mut noise = self.noise.clone();
        noise.set(path, value)?;
        self.lowered = Lowered::new(&noise, &self.engine.pool)?;
        self.noise = noise;
        Ok(())
    }

    /// The value at a position, from the oracle in f64. On a GPU's engine it is the CPU that answers, in f32: for one point the device
    /// is too far away. For many points use [`sample`](Self::sample).
    ///
    /// # Errors
    /// No position, or one that does not suit the noise.
    pub fn value(&self, position: [f64; 3]) -> Result<f64, EngineError> {
        check_position(0, position)?;
        if matches!(&*self.engine.inner, Inner::Oracle) {
            let mut value = [0.0];
            self.lowered.double().points_into(&[position], Out { values: &mut value, gradients: None })?;
            return self.whole(value[0]);
        }
        let mut value = [0.0];
        self.lowered.single().points_into(&[position], Out { values: &mut value, gradients: None })?;
        self.whole(f64::from(value[0]))
    }

    /// Refuses gradients that f32 cannot hold, where gradients are asked for.
    fn check_gradients(&self, gradient: Gradient) -> Result<(), EngineError> {
        if !gradient.is_wanted() {
            return Ok(());
        }
        self.lowered.gradients.get_or_init(|| check_gradients(self.noise.graph())).clone().map_err(EngineError::from)
    }

    /// Values at any positions, in order.
    ///
    /// # Errors
    /// A position that is none or does not suit the noise, or the device's.
    pub fn sample(&self, positions: &[[f64; 3]], gradient: Gradient) -> Result<Vec<Sample>, EngineError> {
        check_positions(positions)?;
        self.check_gradients(gradient)?;
        self.whole(match &*self.engine.inner {
            Inner::Gpu(context) => widen(&gpu::points(context, &self.lowered.program, positions, gradient.is_wanted())?),
            Inner::Cpu => widen(&self.lowered.single().points(positions, gradient.is_wanted())?),
            Inner::Oracle => widen(&self.lowered.double().points(positions, gradient.is_wanted())?),
        })
    }

    /// Values at any positions, in f32, into a slice of as many.
    ///
    /// # Errors
    /// As [`sample`](Self::sample), or a slice of another length.
    pub fn sample_into(&self, positions: &[[f64; 3]], values: &mut [f32]) -> Result<(), EngineError> {
        check_positions(positions)?;
        check_length("positions", positions.len() as u64, values.len())?;
        match &*self.engine.inner {
            Inner::Cpu => self.lowered.single().points_into(positions, Out { values, gradients: None })?,
            Inner::Gpu(context) => values.copy_from_slice(&gpu::points(context, &self.lowered.program, positions, false)?.values),
            Inner::Oracle => {
                let found = self.lowered.double().points(positions, false)?;
                values.iter_mut().zip(found.values).for_each(|(to, value)| *to = value.single());
            }
        }
        self.engine.go_on()
    }

    /// Values and gradients (per world unit) at any positions, in f32, into slices of as many.
    ///
    /// # Errors
    /// As [`sample_into`](Self::sample_into).
    pub fn sample_with_gradient_into(
        &self,
        positions: &[[f64; 3]],
        values: &mut [f32],
        gradients: &mut [[f32; 3]],
    ) -> Result<(), EngineError> {
        check_positions(positions)?;
        check_length("positions", positions.len() as u64, values.len())?;
        check_length("positions", positions.len() as u64, gradients.len())?;
        match &*self.engine.inner {
            Inner::Cpu => self.lowered.single().points_into(positions, Out { values, gradients: Some(gradients) })?,
            Inner::Gpu(context) => copy(&gpu::points(context, &self.lowered.program, positions, true)?, values, gradients),
            Inner::Oracle => copy(&self.lowered.double().points(positions, true)?, values, gradients),
        }
        self.engine.go_on()
    }

    /// Values at positions near an anchor, given as displacements from it; see [`Engine::sample_near`].
    ///
    /// # Errors
    /// An anchor that is no position or does not suit the noise, or a displacement that is no position.
    pub fn sample_near(&self, anchor: [f64; 3], displacements: &[[f32; 3]], gradient: Gradient) -> Result<Vec<Sample>, EngineError> {
        check_anchor(anchor)?;
        displacements.iter().enumerate().try_for_each(|(index, by)| check_position(index, by.map(f64::from)))?;
        self.check_gradients(gradient)?;
        let Anchored { program, single, double } = self.lowered.anchored(&self.noise)?;
        self.whole(match &*self.engine.inner {
            Inner::Gpu(_) | Inner::Cpu => {
                let evaluation = single.get_or_init(|| Evaluation::new(Arc::clone(program), self.engine.pool.clone()));
                widen(&evaluation.anchored(anchor, displacements, gradient.is_wanted())?)
            }
            Inner::Oracle => {
                let evaluation = double.get_or_init(|| Evaluation::new(Arc::clone(program), self.engine.pool.clone()));
                widen(&evaluation.anchored(anchor, displacements, gradient.is_wanted())?)
            }
        })
    }

    /// Values on a region.
    ///
    /// # Errors
    /// A region that is none or does not suit the noise, or the device's.
    pub fn field(&self, region: &Region) -> Result<Field, EngineError> {
        self.one(region, Gradient::Without)
    }

    /// Values and gradients on a region.
    ///
    /// # Errors
    /// As [`field`](Self::field); a noise whose gradients may be longer than 10³⁰ per world unit, which f32 cannot hold.
    pub fn field_with_gradient(&self, region: &Region) -> Result<Field, EngineError> {
        self.one(region, Gradient::With)
    }

    /// Values on a region, into a slice of as many samples, x fastest, then y, then z.
    ///
    /// # Errors
    /// As [`field`](Self::field), or a slice of another length.
    pub fn field_into(&self, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        region.check()?;
        check_length("size", region.samples(), values.len())?;
        match &*self.engine.inner {
            Inner::Cpu => self.whole(self.lowered.single().field_into(region, Out { values, gradients: None })?),
            Inner::Gpu(_) | Inner::Oracle => {
                values.copy_from_slice(&self.field(region)?.values);
                Ok(())
            }
        }
    }

    /// Values and gradients (per world unit) on a region, into slices of as many samples.
    ///
    /// # Errors
    /// As [`field_into`](Self::field_into).
    pub fn field_with_gradient_into(&self, region: &Region, values: &mut [f32], gradients: &mut [[f32; 3]]) -> Result<(), EngineError> {
        region.check()?;
        check_length("size", region.samples(), values.len())?;
        check_length("size", region.samples(), gradients.len())?;
        self.check_gradients(Gradient::With)?;
        match &*self.engine.inner {
            Inner::Cpu => self.whole(self.lowered.single().field_into(region, Out { values, gradients: Some(gradients) })?),
            Inner::Gpu(_) | Inner::Oracle => {
                let found = self.field_with_gradient(region)?;
                values.copy_from_slice(&found.values);
                gradients.copy_from_slice(&found.gradients.expect("invariant: gradients were asked for"));
                Ok(())
            }
        }
    }

    fn one(&self, region: &Region, gradient: Gradient) -> Result<Field, EngineError> {
        let mut field = None;
        region.check()?;
        let batch = Batch { first: *region, largest: region.samples() };
        self.fields(batch, &mut std::iter::once(*region), gradient, &mut |_, found| {
            field = Some(found);
            ControlFlow::Continue(())
        })?;
        Ok(field.expect("invariant: every region is handed over"))
    }

    /// Evaluates the regions of a batch in order, and hands each over until it is told to stop.
    pub(crate) fn fields(
        &self,
        batch: Batch,
        regions: &mut dyn Iterator<Item = Region>,
        gradient: Gradient,
        done: &mut dyn FnMut(usize, Field) -> ControlFlow<()>,
    ) -> Result<(), EngineError> {
        self.check_gradients(gradient)?;
        // What was not computed to its end is not handed over.
        let mut done = |index, field| if self.engine.go_on().is_ok() { done(index, field) } else { ControlFlow::Break(()) };
        match &*self.engine.inner {
            Inner::Gpu(context) => {
                let mut take =
                    |index, region, Samples { values, gradients }: Samples<f32>| done(index, Field { region, values, gradients });
                gpu::regions(context, &self.lowered.program, batch, regions, gradient.is_wanted(), &mut take)?;
            }
            Inner::Cpu => in_turn(self.lowered.single(), regions, gradient, &mut done)?,
            Inner::Oracle => in_turn(self.lowered.double(), regions, gradient, &mut done)?,
        }
        self.engine.go_on()
    }

    /// What was computed, if it was computed to its end.
    fn whole<T>(&self, found: T) -> Result<T, EngineError> {
        self.engine.go_on().map(|()| found)
    }

    /// Records the evaluation of a region into an encoder; see [`Engine::encode`].
    ///
    /// # Errors
    /// As [`Engine::encode`].
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, region: &Region, target: &Target) -> Result<(), EngineError> {
        let context = self.engine.context()?;
        region.check()?;
        self.check_gradients(target.output().gradient())?;
        Ok(context.encode(encoder, &self.lowered.program, region, target)?)
    }

    /// Records the evaluation of points around an anchor into an encoder; see [`Engine::encode_points`].
    ///
    /// # Errors
    /// As [`Engine::encode_points`].
    pub fn encode_points(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        anchor: [f64; 3],
        target: &PointsTarget,
        count: u32,
    ) -> Result<(), EngineError> {
        let context = self.engine.context()?;
        check_anchor(anchor)?;
        let program = &self.lowered.anchored(&self.noise)?.program;
        self.check_gradients(target.output().gradient())?;
        Ok(context.encode_points(encoder, program, anchor, target, count)?)
    }
}

/// Why a parameter of a prepared noise was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreparedSetError {
    /// The name or the value is not one of the parameter's.
    #[error(transparent)]
    Set(#[from] SetError),
    /// With that value the noise cannot be evaluated.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

fn in_turn<R: Real>(
    evaluation: &Evaluation<R>,
    regions: &mut dyn Iterator<Item = Region>,
    gradient: Gradient,
    done: &mut dyn FnMut(usize, Field) -> ControlFlow<()>,
) -> Result<(), EngineError> {
    for (index, region) in regions.enumerate() {
        let Samples { values, gradients } = evaluation.field(&region, gradient.is_wanted())?;
        // `into_iter` and not `iter`: for f32 the standard library then keeps the allocation.
        let values = values.into_iter().map(R::single).collect();
        let gradients = gradients.map(|all| all.into_iter().map(|g| g.map(R::single)).collect());
        if done(index, Field { region, values, gradients }).is_break() {
            break;
        }
    }
    Ok(())
}

fn check_positions(positions: &[[f64; 3]]) -> Result<(), EngineError> {
    positions.iter().enumerate().try_for_each(|(index, &position)| check_position(index, position))
}

fn check_length(what: &'static str, samples: u64, slice: usize) -> Result<(), EngineError> {
    if slice as u64 == samples {
        return Ok(());
    }
    let value = format!("{samples} samples in a slice of {slice}");
    Err(RegionError { what, value, allowed: "a slice of as many samples" }.into())
}

fn copy<R: Real>(samples: &Samples<R>, values: &mut [f32], gradients: &mut [[f32; 3]]) {
    values.iter_mut().zip(&samples.values).for_each(|(to, value)| *to = value.single());
    let found = samples.gradients.as_ref().expect("invariant: gradients were asked for");
    gradients.iter_mut().zip(found).for_each(|(to, gradient)| *to = gradient.map(R::single));
}

fn widen<R: Real>(samples: &Samples<R>) -> Vec<Sample> {
    let gradient = |i: usize| samples.gradients.as_ref().map(|g| g[i].map(R::wide));
    samples.values.iter().enumerate().map(|(i, value)| Sample { value: value.wide(), gradient: gradient(i) }).collect()
}
