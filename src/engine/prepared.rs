//! A noise prepared once, for many calls.

use super::pending::PendingField;
use super::{Engine, EngineError, Inner, check_anchor, check_position};
use crate::cpu::Evaluation;
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::LANES;
use crate::cpu::threads::Pool;
use crate::field::{Field, Gradient, Sample, Samples};
#[cfg(feature = "gpu")]
use crate::gpu::{PointsTarget, Target};
use crate::graph::Noise;
use crate::graph::lower::check_gradients;
use crate::interval::Interval;
use crate::params::{SetError, Setting};
use crate::program::{Program, ProgramError};
use crate::region::{Region, RegionError};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// A noise on an engine, prepared once: keep it as long as you query that noise. Clones share everything; every method may be
/// called from any thread.
///
/// Preparation would otherwise dominate a small call. After warm-up on every thread that calls at the same time, the calls that
/// end in `_into`, [`value`](Self::value) and [`value_with_gradient`](Self::value_with_gradient) allocate nothing on the CPU.
/// Calls shorter than the time to wake other threads stay on the calling thread; longer ones use the engine's
/// [`Threads`](crate::Threads).
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
    pub(super) engine: Engine,
    noise: Noise,
    pub(super) lowered: Arc<Lowered>,
}

/// The forms of a lowered noise, each created on first use.
#[derive(Debug)]
pub(super) struct Lowered {
    pub program: Arc<Program>,
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
        Ok(Lowered::of(Program::new(noise.graph())?, pool))
    }

    pub fn of(program: Program, pool: &Pool) -> Arc<Self> {
        let (program, pool) = (Arc::new(program), pool.clone());
        Arc::new(Lowered {
            program,
            pool,
            single: OnceLock::new(),
            double: OnceLock::new(),
            anchored: OnceLock::new(),
            gradients: OnceLock::new(),
        })
    }

    pub fn single(&self) -> &Evaluation<f32> {
        self.single.get_or_init(|| Evaluation::new(Arc::clone(&self.program), self.pool.clone()))
    }

    pub fn double(&self) -> &Evaluation<f64> {
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
    /// Prepares a noise for many calls.
    ///
    /// # Errors
    /// Returns an error if the noise is invalid.
    pub fn prepare(&self, noise: &Noise) -> Result<Prepared, EngineError> {
        Ok(self.lowered(noise)?)
    }

    pub(super) fn lowered(&self, noise: &Noise) -> Result<Prepared, ProgramError> {
        Ok(Prepared { engine: self.clone(), noise: noise.clone(), lowered: Lowered::new(noise, &self.pool)? })
    }
}

impl Prepared {
    /// A copy of the current noise.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// The engine that evaluates it.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Proven bounds of the values; see [`Noise::range`].
    pub fn range(&self) -> Interval {
        self.lowered.program.range
    }

    /// The cost of a sample as a number of lattices: each is multiplied by its octaves or calls, and each sine or other wave
    /// counts as well; at least 1.
    pub fn terms(&self) -> u64 {
        self.lowered.program.terms()
    }

    /// Changes a live parameter by its path, `node.parameter`, as [`Noise::set`] does. Compiles nothing, but lowers the noise
    /// again, which takes a few microseconds per node. To change several parameters use [`set_all`](Self::set_all), for time use
    /// [`at`](Self::at). Clones of this handle are unchanged.
    ///
    /// # Errors
    /// Returns the errors of [`Noise::set`], and an error if the graph cannot be evaluated with that value. The noise is then
    /// unchanged.
    pub fn set(&mut self, path: &str, value: impl Into<Setting>) -> Result<(), PreparedSetError> {
        self.set_all([(path, value)])
    }

    /// Changes several live parameters in order, as [`set`](Self::set) does, and lowers the noise once. Values of different types
    /// are [`Setting`]s.
    ///
    /// ```
    /// use orogen::prelude::*;
    /// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
    /// let mut hills = engine.prepare(&Noise::simplex(Simplex::default()).fractal(Fractal::default()).named("hills"))?;
    /// hills.set_all([("hills.gain", 0.6), ("hills.lacunarity", 2.1), ("simplex.wavelength", 250.0)])?;
    /// hills.set_all([("hills.octaves", orogen::Setting::from(5)), ("hills.normalise", false.into())])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`set`](Self::set), for the first change that is refused. The noise is then unchanged.
    pub fn set_all<P: AsRef<str>, V: Into<Setting>>(&mut self, changes: impl IntoIterator<Item = (P, V)>) -> Result<(), PreparedSetError> {
        let mut noise = self.noise.clone();
        for (path, value) in changes {
            noise.set(path.as_ref(), value)?;
        }
        self.lowered = Lowered::new(&noise, &self.engine.pool)?;
        self.noise = noise;
        Ok(())
    }

    /// The value at a position. The oracle's engine computes it in f64; all other engines compute it on the CPU in f32, because a
    /// round trip to the device would take longer. For many points use [`sample`](Self::sample).
    ///
    /// # Errors
    /// Returns an error if the position is out of range for the noise.
    pub fn value(&self, position: [f64; 3]) -> Result<f64, EngineError> {
        self.at(0.0).value(position)
    }

    /// Value and gradient (per world unit) at a position, such as height and slope under a foot. Computed on the CPU, like
    /// [`value`](Self::value).
    ///
    /// # Errors
    /// Returns the errors of [`value`](Self::value).
    pub fn value_with_gradient(&self, position: [f64; 3]) -> Result<(f64, [f64; 3]), EngineError> {
        self.at(0.0).value_with_gradient(position)
    }

    /// Refuses gradients that f32 cannot hold, if gradients are requested.
    pub(super) fn check_gradients(&self, gradient: Gradient) -> Result<(), EngineError> {
        if !gradient.is_wanted() {
            return Ok(());
        }
        self.lowered.gradients.get_or_init(|| check_gradients(self.noise.graph())).clone().map_err(EngineError::from)
    }

    /// Values at any positions, in order.
    ///
    /// # Errors
    /// Returns an error if a position is out of range for the noise, or if the device failed.
    pub fn sample(&self, positions: &[[f64; 3]], gradient: Gradient) -> Result<Vec<Sample>, EngineError> {
        self.at(0.0).sample(positions, gradient)
    }

    /// Values at any positions, in f32, into a slice of the same length.
    ///
    /// # Errors
    /// Returns the errors of [`sample`](Self::sample), and an error for a slice of another length.
    pub fn sample_into(&self, positions: &[[f64; 3]], values: &mut [f32]) -> Result<(), EngineError> {
        self.at(0.0).sample_into(positions, values)
    }

    /// Values and gradients (per world unit) at any positions, in f32, into slices of the same length.
    ///
    /// # Errors
    /// Returns the errors of [`sample_into`](Self::sample_into).
    pub fn sample_with_gradient_into(
        &self,
        positions: &[[f64; 3]],
        values: &mut [f32],
        gradients: &mut [[f32; 3]],
    ) -> Result<(), EngineError> {
        self.at(0.0).sample_with_gradient_into(positions, values, gradients)
    }

    /// Values at positions that each have their own fourth coordinate, as in [`at`](Self::at), in f32, into a slice of the same
    /// length. Neighbours with the same fourth coordinate are computed together, so sort by it if possible.
    ///
    /// # Errors
    /// Returns the errors of [`sample_into`](Self::sample_into), and an error if a fourth coordinate is out of range.
    pub fn sample_4d_into(&self, positions: &[[f64; 4]], values: &mut [f32]) -> Result<(), EngineError> {
        check_length("positions", positions.len() as u64, values.len())?;
        // On the stack: one block of the CPU.
        let mut block = [[0.0; 3]; LANES];
        let mut done = 0;
        while let Some(&[_, _, _, w]) = positions.get(done) {
            let alike = positions[done..].iter().take(LANES).take_while(|position| position[3] == w).count().max(1);
            for (to, [x, y, z, _]) in block.iter_mut().zip(&positions[done..done + alike]) {
                *to = [*x, *y, *z];
            }
            self.at(w).sample_into(&block[..alike], &mut values[done..done + alike]).map_err(|error| error.after(done))?;
            done += alike;
        }
        Ok(())
    }

    /// Values at positions near an anchor, given as displacements from it; see [`Engine::sample_near`].
    ///
    /// # Errors
    /// Returns an error if the anchor is out of range for the noise, or if a displacement is not finite.
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
            Inner::Oracle(_) => {
                let evaluation = double.get_or_init(|| Evaluation::new(Arc::clone(program), self.engine.pool.clone()));
                widen(&evaluation.anchored(anchor, displacements, gradient.is_wanted())?)
            }
        })
    }

    /// Values on a region.
    ///
    /// # Errors
    /// Returns an error if the region is out of range for the noise, or if the device failed.
    pub fn field(&self, region: &Region) -> Result<Field, EngineError> {
        self.at(0.0).field(region)
    }

    /// Values and gradients on a region.
    ///
    /// # Errors
    /// Returns the errors of [`field`](Self::field), and an error if gradients may exceed 10³⁰ per world unit, which f32 cannot
    /// hold.
    pub fn field_with_gradient(&self, region: &Region) -> Result<Field, EngineError> {
        self.at(0.0).field_with_gradient(region)
    }

    /// Values on a region, into a slice with an element per sample, x fastest, then y, then z.
    ///
    /// # Errors
    /// Returns the errors of [`field`](Self::field), and an error for a slice of another length.
    pub fn field_into(&self, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        self.at(0.0).field_into(region, values)
    }

    /// Values and gradients (per world unit) on a region, into slices with an element per sample.
    ///
    /// # Errors
    /// Returns the errors of [`field_into`](Self::field_into).
    pub fn field_with_gradient_into(&self, region: &Region, values: &mut [f32], gradients: &mut [[f32; 3]]) -> Result<(), EngineError> {
        self.at(0.0).field_with_gradient_into(region, values, gradients)
    }

    /// Starts the evaluation on a region, and returns while it continues, so that a host can render meanwhile: see [`PendingField`].
    ///
    /// On a GPU, up to three blocks of at most 2048² samples are dispatched, and nothing waits for the device. The first use of a
    /// noise's shape compiles its kernel here; [`compile_async`](Engine::compile_async) does that beforehand. On the CPU, a thread
    /// of its own prepares and evaluates the noise with the engine's threads.
    ///
    /// # Errors
    /// Returns an error if the region is invalid, if gradients are wanted that f32 cannot hold, if the device failed, or if the
    /// system starts no thread.
    pub fn start_field(&self, region: &Region, gradient: Gradient) -> Result<PendingField, EngineError> {
        self.at(0.0).start_field(region, gradient)
    }

    /// The result, if it was computed completely.
    pub(super) fn whole<T>(&self, found: T) -> Result<T, EngineError> {
        self.engine.go_on().map(|()| found)
    }

    /// Records the evaluation of a region into an encoder; see [`Engine::encode`].
    ///
    /// # Errors
    /// Returns the errors of [`Engine::encode`].
    #[cfg(feature = "gpu")]
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, region: &Region, target: &Target) -> Result<(), EngineError> {
        self.at(0.0).encode(encoder, region, target)
    }

    /// Records the evaluation of points around an anchor into an encoder; see [`Engine::encode_points`].
    ///
    /// # Errors
    /// Returns the errors of [`Engine::encode_points`].
    #[cfg(feature = "gpu")]
    pub fn encode_points(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        anchor: [f64; 3],
        target: &PointsTarget,
        count: u32,
    ) -> Result<(), EngineError> {
        let context = self.engine.context()?;
        check_anchor(anchor)?;
        self.check_gradients(target.output().gradient())?;
        let program = &self.lowered.anchored(&self.noise)?.program;
        Ok(context.encode_points(encoder, program, anchor, target, count)?)
    }
}

/// The reason why a parameter of a prepared noise was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreparedSetError {
    /// The name or the value is invalid.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The noise cannot be evaluated with that value.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

pub(super) fn in_turn<R: Real>(
    evaluation: &Evaluation<R>,
    w: f64,
    regions: &mut dyn Iterator<Item = Region>,
    gradient: Gradient,
    done: &mut dyn FnMut(usize, Field) -> ControlFlow<()>,
) -> Result<(), EngineError> {
    for (index, region) in regions.enumerate() {
        let Samples { values, gradients } = evaluation.field_at(&region, w, gradient.is_wanted())?;
        // `into_iter` instead of `iter`: for f32 the standard library then reuses the allocation.
        let values = values.into_iter().map(R::single).collect();
        let gradients = gradients.map(|all| all.into_iter().map(|g| g.map(R::single)).collect());
        if done(index, Field { region, values, gradients }).is_break() {
            break;
        }
    }
    Ok(())
}

pub(super) fn check_positions(positions: &[[f64; 3]]) -> Result<(), EngineError> {
    positions.iter().enumerate().try_for_each(|(index, &position)| check_position(index, position))
}

pub(super) fn check_length(what: &'static str, samples: u64, slice: usize) -> Result<(), EngineError> {
    if slice as u64 == samples {
        return Ok(());
    }
    let value = format!("{samples} samples in a slice of {slice}");
    Err(RegionError::new(what, value, "a slice of the same length").into())
}

pub(super) fn widen<R: Real>(samples: &Samples<R>) -> Vec<Sample> {
    let gradient = |i: usize| samples.gradients.as_ref().map(|g| g[i].map(R::wide));
    samples.values.iter().enumerate().map(|(i, value)| Sample { value: value.wide(), gradient: gradient(i) }).collect()
}
