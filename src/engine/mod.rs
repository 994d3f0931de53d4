//! The engine: one program, whichever backend.

pub(crate) mod accuracy;
pub(crate) mod at;
mod equalise;
pub(crate) mod job;
mod layer_textures;
pub(crate) mod layers;
pub(crate) mod prepared;
pub(crate) mod several;
mod squares;
mod summary;
pub(crate) mod texture;
pub(crate) mod widest;

use crate::cpu::passes::SparePlanes;
use crate::cpu::threads::{Pool, Threads, ThreadsError};
use crate::engine::layers::MEMORY;
use crate::field::{Field, Gradient, Sample};
use crate::gpu::{Arithmetic, DeviceOptions, Failure, GpuError, Parity, RequestError};
use crate::graph::Noise;
use crate::node::precision::fast;
use crate::program::ProgramError;
use crate::region::{Region, RegionBatch, RegionError};
use crate::stop::{Stop, Stopped};
use crate::{cpu, gpu};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Where noise is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// The best hardware GPU; without one, the CPU. Never a software adapter unless it is asked for by name.
    #[default]
    Auto,
    /// The best adapter, software ones included.
    Gpu,
    /// The CPU in f32, SIMD, all threads.
    Cpu,
    /// The CPU in f64: slow, and what the others are measured against.
    Oracle,
}

impl Backend {
    /// The word that the command line and manifests use.
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

/// How to open an [`Engine`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineOptions {
    /// Where to evaluate.
    pub backend: Backend,
    /// Part of the name of the adapter to use. Without it the variable `OROGEN_ADAPTER` is taken, then the best one.
    pub adapter: Option<String>,
    /// How GPU kernels round. Not given: exact where the adapter offers it.
    pub arithmetic: Option<Arithmetic>,
    /// A folder for compiled GPU pipelines, from which the next run takes them; see [`Engine::save_cache`]. Not given: none.
    pub cache: Option<PathBuf>,
    /// Bytes that the stages of a [pipeline](crate::stage::Pipeline) may take at a time: how large its blocks are, not their bits. Not
    /// given: 1 GiB. On the CPU the engine keeps up to 32 MiB between calls, so that the next block need not ask the system for memory, on a GPU
    /// up to 256 MiB of buffers, those that fields come back in included; of [frequency syntheses](crate::stage::Frequency) the latest squares,
    /// up to half as much as blocks may take.
    pub memory: Option<u64>,
    /// The threads that long calls take on the CPU.
    pub threads: Threads,
}

/// What an engine runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Where it evaluates: never [`Backend::Auto`].
    pub backend: Backend,
    /// The adapter's name, or the CPU's instruction set.
    pub adapter: String,
    /// What its bits are worth against the CPU's f32; `None` for the oracle, which is in f64.
    pub parity: Option<Parity>,
    /// With [`Backend::Auto`] on the CPU: why no GPU was taken.
    pub gpu_refused: Option<String>,
    /// With [`Parity::Bounded`]: why the bits are not those of the CPU. A device that was opened without
    /// [`Engine::required_features`] is one reason.
    pub bounded_because: Option<String>,
}

/// Why a field could not be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The graph cannot be evaluated, or not there.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The region is no region.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The GPU failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// What was asked of the GPU cannot be done as it was asked.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The threads that were asked for are not to be had.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A point is no position.
    #[error("point {index}: {value:?} is not allowed; allowed: finite numbers of magnitude up to 2^53 world units")]
    Point {
        /// Which one, from 0.
        index: usize,
        /// What it is.
        value: [f64; 3],
    },
    /// A [`Stop`] was called.
    #[error("stopped before it was done")]
    Stopped,
}

impl From<Stopped> for EngineError {
    fn from(_: Stopped) -> Self {
        EngineError::Stopped
    }
}

impl EngineError {
    /// The error of a point that is one of a part: numbers count from the first of all.
    fn after(self, first: usize) -> Self {
        match self {
            EngineError::Point { index, value } => EngineError::Point { index: first + index, value },
            error => error,
        }
    }
}

impl From<Failure> for EngineError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Device(error) => EngineError::Gpu(error),
            Failure::Request(error) => EngineError::Request(error),
            Failure::Program(error) => EngineError::Program(error),
        }
    }
}

/// How far the values and the gradients of an adapter of parity [`Parity::Bounded`] may be from the CPU's, relative to the
/// largest magnitude in the region. Where positions are displaced by values, what those are off by counts as often as the
/// displaced noise is steep; along a circle positions are f32 themselves. Does not hold where a gradient has no bound, as that of a power below 1 at 0.
///
/// Infinite where white noise is hashed by sines: a sine's last digit, times 43758.5, is most of what comes behind the point. Such noise is
/// another one on every driver, unless its arithmetic is exact.
pub fn fast_bounds(noise: &Noise) -> [f64; 2] {
    let largest = |[value, gradient]: [f64; 2], [v, g]: [f64; 2]| [value.max(v), gradient.max(g)];
    noise.graph().node.values().map(|node| node.as_kind().precision().fast).fold(fast::PLAIN, largest)
}

pub(crate) enum Inner {
    Gpu(Arc<gpu::Context>),
    Cpu,
    Oracle,
}

/// Evaluates noise. Opening one costs a device; keep it, and share it: clones are the same engine, and every method may be
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
    /// Memory of planes, for the next block.
    pub(crate) spare: SparePlanes<f32>,
    squares: squares::SquareCache,
    gpu_refused: Option<String>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("is", &self.describe()).field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl Engine {
    /// The best there is: a hardware GPU, else the CPU.
    ///
    /// # Errors
    /// The variable `OROGEN_ADAPTER` names an adapter that does not exist.
    pub fn new() -> Result<Engine, EngineError> {
        Engine::open(&EngineOptions::default())
    }

    /// What the options ask for.
    ///
    /// # Errors
    /// No adapter that fits, it gives no device, or the system gives no threads.
    pub fn open(options: &EngineOptions) -> Result<Engine, EngineError> {
        let variable = std::env::var("OROGEN_ADAPTER").ok().filter(|name| !name.is_empty());
        let named = options.adapter.clone().or(variable);
        let wanted = DeviceOptions { arithmetic: options.arithmetic, cache: options.cache.clone() };
        let gpu = |software| gpu::Context::open(named.as_deref(), software, &wanted).map(|c| Inner::Gpu(Arc::new(c)));
        let mut gpu_refused = None;
        let inner = match options.backend {
            Backend::Cpu => Inner::Cpu,
            Backend::Oracle => Inner::Oracle,
            Backend::Gpu => gpu(true)?,
            // Asked for by name: then it may be a software one, and its absence is an error.
            Backend::Auto if named.is_some() => gpu(true)?,
            // A GPU that cannot be opened is as good as none; `describe` says why.
            Backend::Auto => gpu(false).unwrap_or_else(|error| {
                gpu_refused = Some(EngineError::from(error).to_string());
                Inner::Cpu
            }),
        };
        Engine::over(inner, options, gpu_refused)
    }

    /// An engine on a device that is yours: textures then need no copy, and commands go into your encoders.
    ///
    /// Ask for [`required_features`](Self::required_features) and [`required_limits`](Self::required_limits) when you open the
    /// device, or take [`device_descriptor`](Self::device_descriptor) as it is. Opening runs a small dispatch and waits for it, to
    /// find out what the device's bits are worth, which [`describe`](Self::describe) tells; of the options, `backend` and `adapter` mean nothing here. The device's callbacks
    /// stay yours: that it is lost, they hear first.
    ///
    /// # Errors
    /// Exact arithmetic is asked for and not to be had, the device is lost, or one of its limits is too low.
    pub fn from_device(device: &wgpu::Device, queue: &wgpu::Queue, options: &EngineOptions) -> Result<Engine, EngineError> {
        let wanted = DeviceOptions { arithmetic: options.arithmetic, cache: options.cache.clone() };
        let context = gpu::Context::foreign(device, queue, &wanted)?;
        Engine::over(Inner::Gpu(Arc::new(context)), options, None)
    }

    fn over(inner: Inner, options: &EngineOptions, gpu_refused: Option<String>) -> Result<Engine, EngineError> {
        Ok(Engine {
            inner: Arc::new(inner),
            cache: options.cache.clone(),
            memory: options.memory.unwrap_or(MEMORY),
            spare: SparePlanes::default(),
            squares: squares::SquareCache::default(),
            pool: Pool::open(options.threads)?,
            gpu_refused,
        })
    }

    /// The same engine, whose long work ends with [`EngineError::Stopped`] after `stop` has been called: on the CPU wherever it is, within some
    /// milliseconds; on a GPU between regions, and between the passes of stages. What was written until then means nothing. So do noises that are prepared on
    /// it.
    pub fn stopped_by(&self, stop: &Stop) -> Engine {
        Engine { pool: self.pool.stopped_by(stop), ..self.clone() }
    }

    /// Bytes that the stages of a pipeline may take at a time: [`EngineOptions::memory`].
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Keeps the memory of planes for the next block, where it is the CPU that takes them.
    pub(crate) fn keep(&self, planes: impl Iterator<Item = Vec<f32>>) {
        if matches!(&*self.inner, Inner::Cpu) {
            self.spare.keep(planes);
        }
    }

    /// The handle that ends long work of this engine.
    pub(crate) fn stop(&self) -> &Stop {
        self.pool.stop()
    }

    /// Ends what is long here.
    ///
    /// # Errors
    /// It was stopped.
    pub(crate) fn go_on(&self) -> Result<(), EngineError> {
        Ok(self.stop().check()?)
    }

    /// The features that let Orogen do all that an adapter can: exact arithmetic, 16-bit formats, a pipeline cache. A device
    /// without them does what it can, and says what it lacks when that is asked for.
    pub fn required_features(adapter: &wgpu::Adapter) -> wgpu::Features {
        gpu::required_features(adapter)
    }

    /// The limits below which a device is of no use: those that WebGPU guarantees.
    pub fn required_limits() -> wgpu::Limits {
        gpu::required_limits()
    }

    /// What to open a device with: the required features and limits, and the token that exact arithmetic needs, which wgpu
    /// has marked experimental. Add your own features and limits to it.
    pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("orogen"),
            required_features: gpu::required_features(adapter),
            required_limits: gpu::required_limits(),
            experimental_features: gpu::experimental_features(adapter),
            ..Default::default()
        }
    }

    /// Writes the compiled pipelines to the folder that the options named, if there is one and the adapter keeps any.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save_cache(&self) -> std::io::Result<()> {
        match (&*self.inner, &self.cache) {
            (Inner::Gpu(context), Some(folder)) => context.save_cache(folder),
            _ => Ok(()),
        }
    }

    /// What this engine runs on.
    pub fn describe(&self) -> Description {
        let gpu_refused = self.gpu_refused.clone();
        let bounded_because = self.gpu().and_then(gpu::Context::bounded_because).map(str::to_owned);
        let is = |backend, adapter, parity| Description { backend, adapter, parity, gpu_refused, bounded_because };
        match &*self.inner {
            Inner::Gpu(context) => is(Backend::Gpu, context.summary().name.clone(), Some(context.parity())),
            Inner::Cpu => is(Backend::Cpu, cpu::instruction_set(), Some(Parity::Exact)),
            Inner::Oracle => is(Backend::Oracle, "f64".to_owned(), None),
        }
    }

    /// How this engine's GPU kernels round; `None` on the CPU.
    pub fn arithmetic(&self) -> Option<Arithmetic> {
        self.gpu().map(gpu::Context::arithmetic)
    }

    /// How many kernels this engine has compiled. Changing a number of a noise compiles none.
    pub fn compilations(&self) -> usize {
        self.gpu().map_or(0, gpu::Context::compilations)
    }

    /// The GPU behind this engine, if there is one.
    #[doc(hidden)]
    pub fn gpu(&self) -> Option<&gpu::Context> {
        match &*self.inner {
            Inner::Gpu(context) => Some(context),
            Inner::Cpu | Inner::Oracle => None,
        }
    }

    /// Values of a noise on a region. For many calls with one noise, [`prepare`](Self::prepare) it.
    ///
    /// # Errors
    /// An invalid noise or region, or the device's.
    pub fn field(&self, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
        self.prepare(noise)?.field(region)
    }

    /// Values and gradients of a noise on a region.
    ///
    /// # Errors
    /// An invalid noise or region, gradients that may be longer than 10³⁰ per world unit, which f32 cannot hold, or the device's.
    pub fn field_with_gradient(&self, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
        self.prepare(noise)?.field_with_gradient(region)
    }

    /// Values of a noise on a region, written into a slice of yours.
    ///
    /// # Errors
    /// An invalid noise or region, a slice that does not hold as many samples, or the device's.
    pub fn field_into(&self, noise: &Noise, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        self.prepare(noise)?.field_into(region, values)
    }

    /// Evaluates many regions of the same spacing and level, in order, and hands each over as soon as it is complete. On
    /// a GPU the next ones are computed meanwhile: three blocks of at most 2048² samples are in flight.
    ///
    /// # Errors
    /// An invalid noise or region, the device's, or the first that `done` returns.
    pub fn fields<E: From<EngineError>>(
        &self,
        noise: &Noise,
        regions: impl IntoIterator<Item = Region, IntoIter: Clone>,
        gradient: Gradient,
        mut done: impl FnMut(usize, Field) -> Result<(), E>,
    ) -> Result<(), E> {
        // All that is generic: what is behind would be compiled in every crate that calls this.
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
    /// An invalid noise, a position that is none, or the device's.
    pub fn sample(&self, noise: &Noise, positions: &[[f64; 3]], gradient: Gradient) -> Result<Vec<Sample>, EngineError> {
        self.prepare(noise)?.sample(positions, gradient)
    }

    /// Values at positions near an anchor, given as displacements from it in world units: what
    /// [`encode_points`](Self::encode_points) computes on the GPU, here on the CPU (in f64 from the oracle), bit by bit where the
    /// adapter is exact. As positions are f32, they are off by up to 2⁻²⁴ of their distance from the anchor.
    ///
    /// # Errors
    /// An invalid noise, an anchor that is no position, or a displacement that is none.
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

/// A position that an engine can evaluate.
fn check_position(index: usize, value: [f64; 3]) -> Result<(), EngineError> {
    let allowed = value.iter().all(|x| x.abs() <= crate::region::FARTHEST);
    if allowed { Ok(()) } else { Err(EngineError::Point { index, value }) }
}

/// An anchor is point 0.
fn check_anchor(anchor: [f64; 3]) -> Result<(), EngineError> {
    check_position(0, anchor)
}
