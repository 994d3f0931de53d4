//! The GPU backend: one fused WGSL kernel per program structure, through wgpu.
//!
//! | object | lives as long as | costs |
//! |---|---|---|
//! | [`Context`] | the engine | opening a device, a canary dispatch |
//! | `Kernel` | the context, one per structure, gradient or not | a pipeline compilation |
//! | `Stream` | one call of the engine | uploading the tables, a ring of buffers |

mod emit;
mod kernel;
mod layout;
mod library;
mod passthrough;
mod spirv;
mod stream;

pub(crate) use emit::kernel as emit_kernel;
pub(crate) use stream::{points, regions};

use crate::cpu;
use crate::graph::{Fractal, Noise, Simplex};
use crate::program::{Program, ProgramError, Structure};
use crate::region::Region;
use kernel::Kernel;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How kernels round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Every operation rounds by itself: the same bits as the CPU. Vulkan only.
    Exact,
    /// The driver may contract and reassociate: a few ulp off.
    Fast,
}

/// What a backend's bits are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// The same bits as the CPU's f32, as a dispatch at start-up has shown.
    Exact,
    /// Within the bounds stated in ARCHITECTURE.md of the CPU's f32.
    Bounded,
}

/// Why the GPU could not do it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// No adapter that fits.
    #[error("no adapter{}; found: {found}; a software adapter: apt-get install mesa-vulkan-drivers libvulkan1", wanted.as_ref().map_or(String::new(), |w| format!(" with '{w}' in its name")))]
    NoAdapter {
        /// Part of a name that was asked for.
        wanted: Option<String>,
        /// The adapters there are.
        found: String,
    },
    /// The adapter gave no device.
    #[error("adapter '{adapter}' gives no device: {message}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What it said.
        message: String,
    },
    /// The device is gone; everything on it must be made anew.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// Not enough memory on the device.
    #[error("the device is out of memory: {0}")]
    OutOfMemory(String),
    /// wgpu, naga or the driver refused a kernel or a command.
    #[error("the device refused a command: {0}")]
    Refused(String),
    /// A kernel left samples unwritten or wrote no numbers.
    #[error("{count} of {of} numbers came back from the GPU unwritten or not a number")]
    Unwritten {
        /// How many.
        count: usize,
        /// Of how many.
        of: usize,
    },
    /// The program or the region cannot be evaluated.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// What `orogen info` lists of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Its name.
    pub name: String,
    /// The graphics interface it is reached through.
    pub interface: String,
    /// Driver and version.
    pub driver: String,
    /// Discrete, integrated, virtual or software.
    pub kind: &'static str,
}

/// Kernels by structure, and by whether they write gradients.
type Kernels = HashMap<(Arc<Structure>, bool), Arc<Kernel>>;

/// An open device with its kernels.
pub struct Context {
    device: wgpu::Device,
    queue: wgpu::Queue,
    summary: AdapterSummary,
    arithmetic: Arithmetic,
    parity: Parity,
    layout: wgpu::BindGroupLayout,
    kernels: Mutex<Kernels>,
    compiled: AtomicUsize,
    fault: Arc<Mutex<Option<GpuError>>>,
    /// Replaces text of kernels before they are compiled: how tests prove that a wrong kernel is caught.
    sabotage: Mutex<Option<(String, String)>>,
}

fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle())
}

fn adapters() -> Vec<wgpu::Adapter> {
    let mut all = pollster::block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
    all.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    all
}

fn summary(adapter: &wgpu::Adapter) -> AdapterSummary {
    let info = adapter.get_info();
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::Other => "other",
    };
    AdapterSummary { name: info.name, interface: info.backend.to_string(), driver: format!("{} {}", info.driver, info.driver_info), kind }
}

/// Every adapter of this machine, the best first.
pub fn list_adapters() -> Vec<AdapterSummary> {
    adapters().iter().map(summary).collect()
}

/// Locks without regard to a panic elsewhere: what the mutexes hold is valid at any moment.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    /// Opens the best adapter whose name contains `name` (ignoring case); software adapters only if `software` allows.
    ///
    /// # Errors
    /// No such adapter, or it gives no device.
    pub fn open(name: Option<&str>, software: bool, arithmetic: Option<Arithmetic>) -> Result<Context, GpuError> {
        let all = adapters();
        let fits = |adapter: &&wgpu::Adapter| {
            let info = adapter.get_info();
            let named = name.is_none_or(|name| info.name.to_lowercase().contains(&name.to_lowercase()));
            named && (software || info.device_type != wgpu::DeviceType::Cpu)
        };
        let Some(adapter) = all.iter().find(fits) else {
            let found: Vec<String> = all.iter().map(|a| a.get_info().name).collect();
            let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
            return Err(GpuError::NoAdapter { wanted: name.map(str::to_owned), found });
        };
        let mut context = Context::from_adapter(adapter, arithmetic)?;
        let canary = context.canary();
        if arithmetic.is_some() || context.arithmetic == Arithmetic::Fast {
            // Nothing to fall back to.
            canary.clone()?;
        }
        if canary == Ok(true) {
            context.parity = Parity::Exact;
        } else if context.arithmetic == Arithmetic::Exact && arithmetic.is_none() {
            // The driver refuses the decorated kernel, or takes it and rounds as it likes: exactness would give nothing.
            context = Context::from_adapter(adapter, Some(Arithmetic::Fast))?;
        }
        context.compiled.store(0, Ordering::Relaxed);
        Ok(context)
    }

    fn from_adapter(adapter: &wgpu::Adapter, wanted: Option<Arithmetic>) -> Result<Context, GpuError> {
        let summary = summary(adapter);
        let refuse = |message: String| GpuError::NoDevice { adapter: summary.name.clone(), message };
        let vulkan = adapter.get_info().backend == wgpu::Backend::Vulkan;
        let can_pass = vulkan && adapter.features().contains(wgpu::Features::PASSTHROUGH_SHADERS);
        let arithmetic = match wanted {
            Some(Arithmetic::Exact) if !can_pass => return Err(refuse("it offers no exact arithmetic".to_owned())),
            Some(arithmetic) => arithmetic,
            None if can_pass => Arithmetic::Exact,
            None => Arithmetic::Fast,
        };
        let exact = arithmetic == Arithmetic::Exact;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("orogen"),
            required_features: if exact { wgpu::Features::PASSTHROUGH_SHADERS } else { wgpu::Features::empty() },
            required_limits: adapter.limits(),
            experimental_features: if exact { passthrough::experimental_features() } else { wgpu::ExperimentalFeatures::disabled() },
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| refuse(error.to_string()))?;
        let fault = Arc::new(Mutex::new(None));
        let store = Arc::clone(&fault);
        device.set_device_lost_callback(move |reason, message| *lock(&store) = Some(GpuError::Lost(format!("{reason:?}: {message}"))));
        let store = Arc::clone(&fault);
        device.on_uncaptured_error(Arc::new(move |error| {
            lock(&store).get_or_insert_with(|| refused(error));
        }));
        let layout = kernel::layout(&device);
        Ok(Context {
            device,
            queue,
            summary,
            arithmetic,
            parity: Parity::Bounded,
            layout,
            kernels: Mutex::default(),
            compiled: AtomicUsize::new(0),
            fault,
            sabotage: Mutex::default(),
        })
    }

    /// Whether this device's bits are the CPU's: value and gradient of 8 octaves, 48² samples.
    fn canary(&self) -> Result<bool, GpuError> {
        let noise = Noise::simplex(Simplex { wavelength: 37.0, dimensions: 3, ..Simplex::default() })
            .fractal(Fractal { octaves: 8, rotation: 30.0, ..Fractal::default() })
            .power(1.7);
        let program = Program::new(noise.graph())?;
        let region = Region::plane(48, 48);
        let expected = cpu::field::<f32>(&program, &region, true)?;
        let mut got = None;
        stream::regions(self, &program, std::iter::once(region), true, |_, samples| {
            got = Some(samples);
            Ok::<(), GpuError>(())
        })?;
        let bits = |s: &cpu::Samples<f32>| -> Vec<u32> {
            let gradients = s.gradients.iter().flatten().flatten();
            s.values.iter().chain(gradients).map(|x| x.to_bits()).collect()
        };
        Ok(got.is_some_and(|got| bits(&got) == bits(&expected)))
    }

    /// What is open.
    pub fn summary(&self) -> &AdapterSummary {
        &self.summary
    }

    /// How kernels round.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// What the bits are worth, as the canary found.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// How many kernels have been compiled since the device was opened.
    pub fn compilations(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    /// From now on kernels are compiled with `from` replaced by `to`, so that tests can see a wrong kernel caught.
    #[doc(hidden)]
    pub fn sabotage(&self, from: &str, to: &str) {
        *lock(&self.sabotage) = Some((from.to_owned(), to.to_owned()));
        lock(&self.kernels).clear();
    }

    /// Destroys the device, so that tests can see what follows.
    #[doc(hidden)]
    pub fn lose(&self) {
        self.device.destroy();
    }

    /// The first thing that went wrong on the device since it was last asked; a lost device stays lost.
    fn check(&self) -> Result<(), GpuError> {
        if lock(&self.fault).is_none() {
            return Ok(());
        }
        // What is refused on a lost device is refused because it is lost: hear what the device has to say first.
        let _ = self.device.poll(wgpu::PollType::Poll);
        let mut fault = lock(&self.fault);
        match &*fault {
            None => Ok(()),
            Some(GpuError::Lost(message)) => Err(GpuError::Lost(message.clone())),
            Some(_) => fault.take().map_or(Ok(()), Err),
        }
    }
}

fn refused(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory(source.to_string()),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => GpuError::Refused(description),
    }
}
