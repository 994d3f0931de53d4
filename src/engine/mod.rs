//! The engine: evaluates programs on any backend.

pub(crate) mod accuracy;
pub(crate) mod at;
mod blocks;
pub(crate) mod drainage_rules;
pub(crate) mod drained;
mod equalise;
mod graded;
pub(crate) mod job;
mod join;
mod landscapes;
mod latest;
#[cfg(feature = "gpu")]
mod layer_textures;
pub(crate) mod layers;
pub(crate) mod measured;
pub(crate) mod pending;
pub(crate) mod prepared;
mod run;
pub(crate) mod several;
#[cfg(feature = "gpu")]
mod several_textures;
pub(crate) mod sources;
mod squares;
mod summary;
#[cfg(feature = "gpu")]
pub(crate) mod texture;
mod tracer;
pub(crate) mod widest;

use crate::cpu::passes::SparePlanes;
use crate::cpu::threads::{Pool, Threads};
use crate::error::EngineError;
use crate::field::{Field, Gradient, Sample};
#[cfg(not(feature = "oracle"))]
use crate::gpu::RequestError;
use crate::gpu::{Arithmetic, DeviceOptions, Parity};
use crate::graph::Noise;
use crate::graph::node::precision::fast;
use crate::region::{Region, RegionBatch};
use crate::stop::Stop;
use crate::{cpu, gpu};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Default memory limit for blocks: 1 GiB.
const MEMORY: u64 = 1 << 30;

/// The device that evaluates noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// The best hardware GPU; without one, the CPU. Uses a software adapter only if it is requested by name.
    #[default]
    Auto,
    /// The best adapter, including software adapters.
    Gpu,
    /// The CPU in f32, with SIMD and all threads.
    Cpu,
    /// The CPU in f64: slow, and the reference for the others.
    Oracle,
}

impl Backend {
    /// Its name on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Auto => "auto",
            Backend::Gpu => "gpu",
            Backend::Cpu => "cpu",
            Backend::Oracle => "oracle",
        }
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The device that traces water over squares of a world, for the stage [`Drainage`](crate::stage::Drainage). No bit depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Water {
    /// The CPU, also if a GPU evaluates everything else.
    #[default]
    Cpu,
    /// The engine's GPU. Its bits must equal the CPU's ([`Parity::Exact`]).
    Gpu,
}

/// Options of an [`Engine`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineOptions {
    /// The device to use.
    pub backend: Backend,
    /// Part of the name of the adapter to use. By default the environment variable `OROGEN_ADAPTER`, or else the best adapter.
    pub adapter: Option<String>,
    /// Arithmetic of GPU kernels. `None`: exact if the adapter supports it.
    pub arithmetic: Option<Arithmetic>,
    /// A folder for compiled GPU pipelines, which later runs reuse; see [`Engine::save_cache`]. `None`: no folder.
    pub cache: Option<PathBuf>,
    /// Memory limit in bytes for the stages of a [pipeline](crate::stage::Pipeline). It determines the size of blocks, but not
    /// their bits. `None`: 1 GiB.
    ///
    /// Between calls, the engine keeps up to 32 MiB on the CPU, which saves allocations. On a GPU it keeps up to 256 MiB of
    /// buffers, including those for reading back. It also keeps the latest squares of
    /// [frequency syntheses](crate::stage::Frequency), up to half of this limit.
    ///
    /// With the feature `bake`, records of traced water that exceed a sixteenth of this limit are in temporary files, in the system's
    /// folder for them.
    pub memory: Option<u64>,
    /// The CPU threads for long calls.
    pub threads: Threads,
    /// The device that traces water.
    pub water: Water,
}

/// The description of an engine's device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The device that evaluates: never [`Backend::Auto`].
    pub backend: Backend,
    /// The adapter's name, or the CPU's instruction set.
    pub adapter: String,
    /// The agreement of its bits with the CPU's f32; `None` for the oracle, which uses f64.
    pub parity: Option<Parity>,
    /// With [`Backend::Auto`] on the CPU: the reason why no GPU is used.
    pub gpu_refused: Option<String>,
    /// With [`Parity::Bounded`]: the reason why the bits differ from the CPU's. One reason is a device opened without
    /// [`Engine::required_features`].
    pub bounded_because: Option<String>,
}

/// Bounds of the differences between an adapter of parity [`Parity::Bounded`] and the CPU, for values and gradients, relative to
/// the largest magnitude in the region. If positions are displaced by values, the errors of those values are multiplied by the
/// slope of the displaced noise; along a circle, positions themselves are f32. The bounds do not hold where a gradient is
/// unbounded, as for a power below 1 at 0.
///
/// They are infinite for white noise hashed by sines. The last digit of a sine, times 43758.5, dominates the fraction. So such a
/// noise differs between drivers unless its arithmetic is exact.
pub fn fast_bounds(noise: &Noise) -> [f64; 2] {
    let largest = |[value, gradient]: [f64; 2], [v, g]: [f64; 2]| [value.max(v), gradient.max(g)];
    noise.graph().node.values().map(|node| node.as_kind().precision().fast).fold(fast::PLAIN, largest)
}

pub(crate) enum Inner {
    Gpu(Arc<gpu::Context>),
    Cpu,
    Oracle(Double),
}

/// The part of an engine that evaluates in f64. Without the feature `oracle` it has no values, so no code is generated for it.
#[derive(Clone, Copy)]
pub(crate) enum Double {
    #[cfg(feature = "oracle")]
    Built,
}

impl Double {
    fn open() -> Result<Double, EngineError> {
        #[cfg(feature = "oracle")]
        return Ok(Double::Built);
        #[cfg(not(feature = "oracle"))]
        Err(RequestError::not_allowed("backend", "oracle", "cpu, or a build with the feature oracle").into())
    }
}

/// Evaluates noise. Opening an engine opens a device, so keep and share it: clones are the same engine, and every method may be
/// called from any thread.
///
/// ```
/// use orogen::{Backend, Engine, EngineOptions, Noise, Region};
/// use orogen::node::Simplex;
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let noise = Noise::simplex(Simplex { wavelength: 64.0, ..Default::default() });
/// let field = engine.field(&noise, &Region::tile(0, 0, 256))?;
/// assert_eq!(field.values.len(), 256 * 256);
/// # Ok::<(), orogen::EngineError>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
    cache: Option<PathBuf>,
    pub(crate) memory: u64,
    pub(crate) pool: Pool,
    /// Memory of planes, reused by the next block.
    pub(crate) spare: SparePlanes<f32>,
    squares: squares::SquareCache,
    landscapes: landscapes::LandscapeCache,
    drained: drained::DrainedCache,
    drained_squares: drained::DrainedSquares,
    graded_squares: graded::GradedSquares,
    water: Water,
    gpu_refused: Option<String>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("is", &self.describe()).field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl Engine {
    /// Opens the best device: a hardware GPU, else the CPU.
    ///
    /// # Errors
    /// Returns an error if the adapter in the environment variable `OROGEN_ADAPTER` does not exist.
    pub fn new() -> Result<Engine, EngineError> {
        Engine::open(&EngineOptions::default())
    }

    /// Opens an engine with these options.
    ///
    /// # Errors
    /// Returns an error if no adapter fits, if the adapter provides no device, or if the system provides no threads. Returns an
    /// error if the GPU is to trace water, but the engine has none, or one whose bits may differ from the CPU's.
    pub fn open(options: &EngineOptions) -> Result<Engine, EngineError> {
        let variable = std::env::var("OROGEN_ADAPTER").ok().filter(|name| !name.is_empty());
        let named = options.adapter.clone().or(variable);
        let wanted = DeviceOptions { arithmetic: options.arithmetic, cache: options.cache.clone() };
        let gpu = |software| gpu::Context::open(named.as_deref(), software, &wanted).map(|c| Inner::Gpu(Arc::new(c)));
        let mut gpu_refused = None;
        let inner = match options.backend {
            Backend::Cpu => Inner::Cpu,
            Backend::Oracle => Inner::Oracle(Double::open()?),
            Backend::Gpu => gpu(true)?,
            // A requested adapter may be a software adapter, and it is an error if it does not exist.
            Backend::Auto if named.is_some() => gpu(true)?,
            // A GPU that cannot be opened is ignored; `describe` reports the reason.
            Backend::Auto => gpu(false).unwrap_or_else(|error| {
                gpu_refused = Some(EngineError::from(error).to_string());
                Inner::Cpu
            }),
        };
        Engine::over(inner, options, gpu_refused)
    }

    /// Opens an engine on your own device: textures then need no copy, and commands go into your encoders.
    ///
    /// Request [`required_features`](Self::required_features) and [`required_limits`](Self::required_limits) when you open the
    /// device, or use [`device_descriptor`](Self::device_descriptor). Opening runs a small dispatch and waits for it, to
    /// determine the parity of the device's bits, which [`describe`](Self::describe) returns. The options `backend` and `adapter`
    /// are ignored. The device's callbacks remain yours: they are informed first if the device is lost.
    ///
    /// # Errors
    /// Returns an error if exact arithmetic is requested but not supported, if the device is lost, or if one of its limits is too
    /// low.
    #[cfg(feature = "gpu")]
    pub fn from_device(device: &wgpu::Device, queue: &wgpu::Queue, options: &EngineOptions) -> Result<Engine, EngineError> {
        let wanted = DeviceOptions { arithmetic: options.arithmetic, cache: options.cache.clone() };
        let context = gpu::Context::foreign(device, queue, &wanted)?;
        Engine::over(Inner::Gpu(Arc::new(context)), options, None)
    }

    fn over(inner: Inner, options: &EngineOptions, gpu_refused: Option<String>) -> Result<Engine, EngineError> {
        tracer::check(&inner, options.water, gpu_refused.as_deref())?;
        Ok(Engine {
            inner: Arc::new(inner),
            water: options.water,
            cache: options.cache.clone(),
            memory: options.memory.unwrap_or(MEMORY),
            spare: SparePlanes::default(),
            squares: squares::SquareCache::default(),
            landscapes: landscapes::LandscapeCache::default(),
            drained: drained::DrainedCache::default(),
            drained_squares: drained::DrainedSquares::default(),
            graded_squares: graded::GradedSquares::default(),
            pool: Pool::open(options.threads)?,
            gpu_refused,
        })
    }

    /// The same engine with cancellation: after `stop` has been called, its long work ends with [`EngineError::Stopped`]. On the
    /// CPU this takes a few milliseconds; on a GPU it happens between regions, and between the passes of stages. Output written
    /// before that is incomplete and must not be used. Noises prepared on this engine are cancelled as well.
    pub fn stopped_by(&self, stop: &Stop) -> Engine {
        Engine { pool: self.pool.stopped_by(stop), ..self.clone() }
    }

    /// Memory limit in bytes for the stages of a pipeline: [`EngineOptions::memory`].
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Keeps the memory of planes for the next block, if the CPU computes them.
    pub(crate) fn keep(&self, planes: impl Iterator<Item = Vec<f32>>) {
        if matches!(&*self.inner, Inner::Cpu) {
            self.spare.keep(planes);
        }
    }

    /// The handle that cancels long work of this engine.
    pub(crate) fn stop(&self) -> &Stop {
        self.pool.stop()
    }

    /// Checks for cancellation.
    ///
    /// # Errors
    /// Returns an error if it was stopped.
    pub(crate) fn go_on(&self) -> Result<(), EngineError> {
        Ok(self.stop().check()?)
    }

    /// The optional features that Orogen uses: exact arithmetic, 16-bit formats, a pipeline cache. A device without them works,
    /// and reports a missing feature when it is needed.
    #[cfg(feature = "gpu")]
    pub fn required_features(adapter: &wgpu::Adapter) -> wgpu::Features {
        gpu::required_features(adapter)
    }

    /// The required minimum limits of a device: those that WebGPU guarantees.
    #[cfg(feature = "gpu")]
    pub fn required_limits() -> wgpu::Limits {
        gpu::required_limits()
    }

    /// A descriptor for opening a device, with the required features and limits, and the token for exact arithmetic, which wgpu
    /// marks as experimental. Add your own features and limits to it.
    #[cfg(feature = "gpu")]
    pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("orogen"),
            required_features: gpu::required_features(adapter),
            required_limits: gpu::required_limits(),
            experimental_features: gpu::experimental_features(adapter),
            ..Default::default()
        }
    }

    /// Writes the compiled pipelines to the folder in the options, if there is one and the adapter supports it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save_cache(&self) -> std::io::Result<()> {
        match (&*self.inner, &self.cache) {
            (Inner::Gpu(context), Some(folder)) => context.save_cache(folder),
            _ => Ok(()),
        }
    }

    /// Describes the device of this engine.
    pub fn describe(&self) -> Description {
        let gpu_refused = self.gpu_refused.clone();
        let bounded_because = self.gpu().and_then(gpu::Context::bounded_because).map(str::to_owned);
        let is = |backend, adapter, parity| Description { backend, adapter, parity, gpu_refused, bounded_because };
        match &*self.inner {
            Inner::Gpu(context) => is(Backend::Gpu, context.summary().name.clone(), Some(context.parity())),
            Inner::Cpu => is(Backend::Cpu, cpu::instruction_set(), Some(Parity::Exact)),
            Inner::Oracle(_) => is(Backend::Oracle, "f64".to_owned(), None),
        }
    }

    /// The arithmetic of this engine's GPU kernels; `None` on the CPU.
    pub fn arithmetic(&self) -> Option<Arithmetic> {
        self.gpu().map(gpu::Context::arithmetic)
    }

    /// The number of kernels that this engine has compiled. Changing a number of a noise compiles none.
    pub fn compilations(&self) -> usize {
        self.gpu().map_or(0, gpu::Context::compilations)
    }

    /// The GPU behind this engine, if there is one.
    #[doc(hidden)]
    pub fn gpu(&self) -> Option<&gpu::Context> {
        match &*self.inner {
            Inner::Gpu(context) => Some(context),
            Inner::Cpu | Inner::Oracle(_) => None,
        }
    }

    /// Values of a noise on a region. For many calls with one noise, [`prepare`](Self::prepare) it.
    ///
    /// # Errors
    /// Returns an error if the noise or the region is invalid, or if the device failed.
    pub fn field(&self, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
        self.prepare(noise)?.field(region)
    }

    /// Values and gradients of a noise on a region.
    ///
    /// # Errors
    /// Returns an error if the noise or the region is invalid, if gradients may exceed 10³⁰ per world unit, which f32 cannot
    /// hold, or if the device failed.
    pub fn field_with_gradient(&self, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
        self.prepare(noise)?.field_with_gradient(region)
    }

    /// Values of a noise on a region, written to your slice.
    ///
    /// # Errors
    /// Returns an error if the noise or the region is invalid, if the length of the slice differs from the number of samples, or
    /// if the device failed.
    pub fn field_into(&self, noise: &Noise, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        self.prepare(noise)?.field_into(region, values)
    }

    /// Evaluates many regions of the same spacing and level, in order, and passes each to `done` as soon as it is complete. On a
    /// GPU the next ones are computed in the meantime: three blocks of at most 2048² samples are in flight.
    ///
    /// # Errors
    /// Returns an error if the noise or a region is invalid, if the device failed, or the first error that `done` returns.
    pub fn fields<E: From<EngineError>>(
        &self,
        noise: &Noise,
        regions: impl IntoIterator<Item = Region, IntoIter: Clone>,
        gradient: Gradient,
        mut done: impl FnMut(usize, Field) -> Result<(), E>,
    ) -> Result<(), E> {
        // Only this part is generic, because generic code is compiled in every crate that calls it.
        let mut failed = None;
        let mut hand = |index, field| match done(index, field) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        };
        let (noise, mut regions) = (self.prepare(noise)?, regions.into_iter());
        let batch = RegionBatch::of(&mut regions.clone()).map_err(EngineError::from)?;
        let Some(batch) = batch else { return Ok(()) };
        let result = noise.at(0.0).fields(batch, &mut regions, gradient, &mut hand);
        failed.map_or_else(|| Ok(result?), Err)
    }

    /// Values at any positions, in order.
    ///
    /// # Errors
    /// Returns an error if the noise or a position is invalid, or if the device failed.
    pub fn sample(&self, noise: &Noise, positions: &[[f64; 3]], gradient: Gradient) -> Result<Vec<Sample>, EngineError> {
        self.prepare(noise)?.sample(positions, gradient)
    }

    /// Values at positions near an anchor, given as displacements from it in world units. [`encode_points`](Self::encode_points)
    /// computes the same on the GPU; this call uses the CPU (the oracle's engine uses f64), with equal bits if the adapter is
    /// exact. Displacements are f32, so their error is up to 2⁻²⁴ of their distance from the anchor.
    ///
    /// # Errors
    /// Returns an error if the noise, the anchor or a displacement is invalid.
    pub fn sample_near(
        &self,
        noise: &Noise,
        anchor: [f64; 3],
        displacements: &[[f32; 3]],
        gradient: Gradient,
    ) -> Result<Vec<Sample>, EngineError> {
        self.prepare(noise)?.sample_near(anchor, displacements, gradient)
    }
}

/// Checks that an engine can evaluate a position.
fn check_position(index: usize, value: [f64; 3]) -> Result<(), EngineError> {
    let allowed = value.iter().all(|x| x.abs() <= crate::region::FARTHEST);
    if allowed { Ok(()) } else { Err(EngineError::Point { index, value }) }
}

/// An anchor is reported as point 0.
fn check_anchor(anchor: [f64; 3]) -> Result<(), EngineError> {
    check_position(0, anchor)
}
