//! The engine: one program, whichever backend.

mod equalise;
pub(crate) mod layers;
pub(crate) mod texture;
mod world;

use crate::engine::layers::MEMORY;
use crate::field::{Field, Sample, Samples};
use crate::gpu::{Arithmetic, Failure, GpuError, Parity, RequestError, Wanted};
use crate::graph::{Node, Noise};
use crate::program::{Program, ProgramError};
use crate::region::{Region, RegionError};
use crate::{cpu, gpu};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Where noise is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// given: 1 GiB.
    pub memory: Option<u64>,
}

/// What an engine runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// `gpu`, `cpu` or `oracle`.
    pub backend: &'static str,
    /// The adapter's name, or the CPU's instruction set.
    pub adapter: String,
    /// What its bits are worth against the CPU's f32; `None` for the oracle, which is in f64.
    pub parity: Option<Parity>,
}

/// Why a field could not be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
    /// A point is no position.
    #[error("point {index}: {value:?} is not allowed; allowed: finite numbers of magnitude up to 2^53 world units")]
    Point {
        /// Which one, from 0.
        index: usize,
        /// What it is.
        value: [f64; 3],
    },
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
/// displaced noise is steep. Does not hold where a gradient has no bound, as that of a power below 1 at 0.
pub fn fast_bounds(noise: &Noise) -> [f64; 2] {
    let displaces = |node: &Node| matches!(node, Node::Warp(_) | Node::Turbulence(_) | Node::Domain(_) | Node::Polar(_));
    if noise.graph().node.values().any(displaces) { [1e-4, 1e-3] } else { [2e-5, 2e-4] }
}

pub(crate) enum Inner {
    Gpu(Box<gpu::Context>),
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
    /// No adapter that fits, or it gives no device.
    pub fn open(options: &EngineOptions) -> Result<Engine, EngineError> {
        let variable = std::env::var("OROGEN_ADAPTER").ok().filter(|name| !name.is_empty());
        let named = options.adapter.clone().or(variable);
        let wanted = Wanted { arithmetic: options.arithmetic, cache: options.cache.clone() };
        let gpu = |software| gpu::Context::open(named.as_deref(), software, &wanted).map(|c| Inner::Gpu(Box::new(c)));
        let inner = match options.backend {
            Backend::Cpu => Inner::Cpu,
            Backend::Oracle => Inner::Oracle,
            Backend::Gpu => gpu(true)?,
            // Asked for by name: then it may be a software one, and its absence is an error.
            Backend::Auto if named.is_some() => gpu(true)?,
            // A GPU that cannot be opened is as good as none.
            Backend::Auto => gpu(false).unwrap_or(Inner::Cpu),
        };
        Ok(Engine { inner: Arc::new(inner), cache: options.cache.clone(), memory: options.memory.unwrap_or(MEMORY) })
    }

    /// An engine on a device that is yours: textures then need no copy, and commands go into your encoders.
    ///
    /// Ask for [`required_features`](Self::required_features) and [`required_limits`](Self::required_limits) when you open the
    /// device, or take [`device_descriptor`](Self::device_descriptor) as it is. Opening runs a small dispatch and waits for it, to
    /// find out what the device's bits are worth; of the options, `backend` and `adapter` mean nothing here. The device's callbacks
    /// stay yours: that it is lost, they hear first.
    ///
    /// # Errors
    /// Exact arithmetic is asked for and not to be had, the device is lost, or one of its limits is too low.
    pub fn from_device(device: &wgpu::Device, queue: &wgpu::Queue, options: &EngineOptions) -> Result<Engine, EngineError> {
        let wanted = Wanted { arithmetic: options.arithmetic, cache: options.cache.clone() };
        let context = gpu::Context::foreign(device, queue, &wanted)?;
        Ok(Engine {
            inner: Arc::new(Inner::Gpu(Box::new(context))),
            cache: options.cache.clone(),
            memory: options.memory.unwrap_or(MEMORY),
        })
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
        match &*self.inner {
            Inner::Gpu(context) => Description { backend: "gpu", adapter: context.summary().name.clone(), parity: Some(context.parity()) },
            Inner::Cpu => Description { backend: "cpu", adapter: cpu::instruction_set(), parity: Some(Parity::Exact) },
            Inner::Oracle => Description { backend: "oracle", adapter: "f64".to_owned(), parity: None },
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

    /// Values of a noise on a region.
    ///
    /// # Errors
    /// An invalid noise or region, or the device's.
    pub fn field(&self, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
        self.one(noise, region, false)
    }

    /// Values and gradients of a noise on a region.
    ///
    /// # Errors
    /// An invalid noise or region, or the device's.
    pub fn field_with_gradient(&self, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
        self.one(noise, region, true)
    }

    /// Values of a noise on a region, written into a slice of yours: as [`field`](Self::field), without an allocation on the CPU.
    ///
    /// # Errors
    /// An invalid noise or region, a slice that does not hold as many samples, or the device's.
    pub fn field_into(&self, noise: &Noise, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        region.check()?;
        if values.len() as u64 != region.samples() {
            let value = format!("{:?} in a slice of {}", region.size, values.len());
            return Err(RegionError { what: "size", value, allowed: "a slice of as many samples" }.into());
        }
        match &*self.inner {
            Inner::Cpu => Ok(cpu::field_into::<f32>(&Program::new(noise.graph())?, region, values, None)?),
            Inner::Gpu(_) | Inner::Oracle => {
                values.copy_from_slice(&self.field(noise, region)?.values);
                Ok(())
            }
        }
    }

    fn one(&self, noise: &Noise, region: &Region, gradient: bool) -> Result<Field, EngineError> {
        let mut field = None;
        self.fields(noise, std::iter::once(*region), gradient, |_, got| {
            field = Some(got);
            Ok::<(), EngineError>(())
        })?;
        Ok(field.unwrap_or_else(|| Field { region: *region, values: Vec::new(), gradients: None }))
    }

    /// Evaluates many regions of the same spacing and level, in order, and hands each over as soon as it is complete. On
    /// a GPU the next ones are computed meanwhile: three blocks of at most 2048² samples are in flight.
    ///
    /// # Errors
    /// An invalid noise or region, the device's, or the first that `done` returns.
    pub fn fields<E: From<EngineError>>(
        &self,
        noise: &Noise,
        regions: impl Iterator<Item = Region> + Clone,
        gradient: bool,
        mut done: impl FnMut(usize, Field) -> Result<(), E>,
    ) -> Result<(), E> {
        let program = Program::new(noise.graph()).map_err(EngineError::from)?;
        check_alike(regions.clone()).map_err(EngineError::from)?;
        match &*self.inner {
            Inner::Gpu(context) => {
                let end = gpu::regions(context, &program, regions, gradient, |index, region, samples| {
                    let Samples { values, gradients } = samples;
                    match done(index, Field { region, values, gradients }) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(error) => ControlFlow::Break(error),
                    }
                });
                match end.map_err(EngineError::from)? {
                    ControlFlow::Continue(()) => Ok(()),
                    ControlFlow::Break(error) => Err(error),
                }
            }
            Inner::Cpu => self.in_turn::<f32, E>(&program, regions, gradient, done),
            Inner::Oracle => self.in_turn::<f64, E>(&program, regions, gradient, done),
        }
    }

    fn in_turn<R: cpu::simd::Real, E: From<EngineError>>(
        &self,
        program: &Program,
        regions: impl Iterator<Item = Region>,
        gradient: bool,
        mut done: impl FnMut(usize, Field) -> Result<(), E>,
    ) -> Result<(), E> {
        for (index, region) in regions.enumerate() {
            let samples = cpu::field::<R>(program, &region, gradient).map_err(EngineError::from)?;
            // `into_iter` and not `iter`: for f32 the standard library then keeps the allocation.
            let values = samples.values.into_iter().map(R::single).collect();
            let gradients = samples.gradients.map(|all| all.into_iter().map(|g| g.map(R::single)).collect());
            done(index, Field { region, values, gradients })?;
        }
        Ok(())
    }

    /// Values at any positions, in order.
    ///
    /// # Errors
    /// An invalid noise, a position that is none, or the device's.
    pub fn sample(&self, noise: &Noise, positions: &[[f64; 3]], gradient: bool) -> Result<Vec<Sample>, EngineError> {
        let program = Program::new(noise.graph())?;
        if let Some(index) = positions.iter().position(|p| !is_position(p)) {
            return Err(EngineError::Point { index, value: positions[index] });
        }
        Ok(match &*self.inner {
            Inner::Gpu(context) => widen(&gpu::points(context, &program, positions, gradient)?),
            Inner::Cpu => widen(&cpu::points::<f32>(&program, positions, gradient)?),
            Inner::Oracle => widen(&cpu::points::<f64>(&program, positions, gradient)?),
        })
    }

    /// Values at positions near an anchor, given as displacements from it in world units: what
    /// [`encode_points`](Self::encode_points) computes on the GPU, here on the CPU (in f64 from the oracle), bit by bit where the
    /// adapter is exact. As positions are f32, they are off by up to 2⁻²⁴ of their distance from the anchor.
    ///
    /// # Errors
    /// An invalid noise, or an anchor that is no position.
    pub fn sample_near(
        &self,
        noise: &Noise,
        anchor: [f64; 3],
        displacements: &[[f32; 3]],
        gradient: bool,
    ) -> Result<Vec<Sample>, EngineError> {
        let program = Program::anchored(noise.graph())?;
        check_anchor(anchor)?;
        Ok(match &*self.inner {
            Inner::Gpu(_) | Inner::Cpu => widen(&cpu::anchored::<f32>(&program, anchor, displacements, gradient)?),
            Inner::Oracle => widen(&cpu::anchored::<f64>(&program, anchor, displacements, gradient)?),
        })
    }
}

fn is_position(p: &[f64; 3]) -> bool {
    p.iter().all(|x| x.abs() <= crate::region::FARTHEST)
}

/// An anchor is point 0.
pub(crate) fn check_anchor(anchor: [f64; 3]) -> Result<(), EngineError> {
    if is_position(&anchor) { Ok(()) } else { Err(EngineError::Point { index: 0, value: anchor }) }
}

/// Every region by itself, and that they can share one upload of lattice steps.
fn check_alike(mut regions: impl Iterator<Item = Region>) -> Result<(), RegionError> {
    let Some(first) = regions.next() else { return Ok(()) };
    first.check()?;
    for region in regions {
        region.check()?;
        if (region.spacing, region.level) != (first.spacing, first.level) {
            let value = format!("spacing {}, level {}", region.spacing, region.level);
            return Err(RegionError { what: "regions", value, allowed: "one spacing and one level in one call" });
        }
    }
    Ok(())
}

fn widen<R: cpu::simd::Real>(samples: &Samples<R>) -> Vec<Sample> {
    let gradient = |i: usize| samples.gradients.as_ref().map(|g| g[i].map(R::wide));
    samples.values.iter().enumerate().map(|(i, value)| Sample { value: value.wide(), gradient: gradient(i) }).collect()
}
