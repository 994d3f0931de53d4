//! The GPU backend: one fused WGSL kernel per program structure, through wgpu.
//!
//! | object | lives as long as | costs |
//! |---|---|---|
//! | [`Context`] | the engine | opening a device, a canary dispatch |
//! | `Kernel` | the context, one per structure, gradient or not | a pipeline compilation |
//! | `Stream` | one call of the engine that gives numbers back | uploading the tables |
//! | `Spare` | the context, 256 MiB at most | what streams and stages have done with: making it anew |
//! | [`Target`] | as long as its owner wants | a bind group |
//! | `Slot` | the context, as many as are in flight | two small buffers |
//! | `Rasters` | as long as somebody has the rasters | uploading them |

mod error;
mod kernel;
mod layout;
mod open;
mod passes;
mod passthrough;
mod rasters;
mod record;
mod run;
mod spare;
mod spirv;
mod store;
mod stream;
mod tables;
mod wgsl;

pub(crate) use error::Failure;
pub use error::{GpuError, RequestError};
pub use open::{AdapterSummary, list_adapters, required_features, required_limits};
pub(crate) use open::{DeviceOptions, experimental_features};
pub use passes::pass_kernels;
pub use record::target::{PointsTarget, Target, TargetOptions};
pub(crate) use run::{GpuRun, PASSES};
pub(crate) use spirv::{FloatControls, exact};
pub(crate) use store::LayerStore;
pub(crate) use stream::{points, regions};
#[cfg(feature = "export")]
pub(crate) use tables::arrays;
pub(crate) use wgsl::emit::SamplesPerCall;
#[cfg(feature = "export")]
pub(crate) use wgsl::emit::{anchored_call, program as emit_program};
pub(crate) use wgsl::entry::kernel as emit_kernel;
pub(crate) use wgsl::library::closure as library;
pub(crate) use wgsl::memory::KernelMemory;
#[cfg(feature = "export")]
pub(crate) use wgsl::memory::TableMemory;
pub(crate) use wgsl::output::Output;

use error::{foreign, refused};
use kernel::Kernel;
use record::slot::Slots;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

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
    /// Within the bounds stated in docs/design/exactness.md of the CPU's f32.
    Bounded,
}

/// A kernel or why there is none, empty until whoever asks first has compiled it.
type Compiled = Arc<OnceLock<Result<Arc<Kernel>, Failure>>>;

/// An open device with its kernels.
pub struct Context {
    device: wgpu::Device,
    queue: wgpu::Queue,
    summary: AdapterSummary,
    arithmetic: Arithmetic,
    /// What exact arithmetic asks for besides.
    controls: spirv::FloatControls,
    /// Which rows kernels are printed for; see [`testing`](crate::testing).
    rows: Mutex<SamplesPerCall>,
    parity: Parity,
    bounded_because: Option<&'static str>,
    kernels: Mutex<HashMap<kernel::KernelKey, Compiled>>,
    passes: Mutex<HashMap<passes::PassKey, passes::CompiledPass>>,
    /// Whether any of them is specialised.
    specialised: AtomicBool,
    cache: Option<wgpu::PipelineCache>,
    slots: Slots,
    rasters: rasters::DeviceRasters,
    spare: spare::SpareBuffers,
    /// Filled when it is needed first.
    poison: OnceLock<wgpu::Buffer>,
    compiled: AtomicUsize,
    created: AtomicUsize,
    fault: Arc<Mutex<Option<GpuError>>>,
    /// What to replace in kernels before they are compiled, and by what; see [`testing`](crate::testing).
    sabotage: Mutex<Option<(String, String)>>,
}

/// Locks without regard to a panic elsewhere: what the mutexes hold is valid at any moment.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    /// What is open.
    pub fn summary(&self) -> &AdapterSummary {
        &self.summary
    }

    /// How kernels round.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Why the bits are not the CPU's, if they are not.
    pub fn bounded_because(&self) -> Option<&'static str> {
        self.bounded_because
    }

    /// What the bits are worth, as the canary found.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// How many kernels have been compiled since the device was opened.
    pub fn compilations(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    /// How many bind groups and pairs of buffers have been created for recorded dispatches since the device was opened.
    pub(crate) fn created(&self) -> usize {
        self.created.load(Ordering::Relaxed)
    }

    /// From now on kernels are compiled with `from` replaced by `to`.
    pub(crate) fn sabotage(&self, from: &str, to: &str) {
        *lock(&self.sabotage) = Some((from.to_owned(), to.to_owned()));
        lock(&self.kernels).clear();
        lock(&self.passes).clear();
    }

    /// From now on kernels are those of a GPU, on whatever device.
    pub(crate) fn as_on_a_gpu(&self) {
        *lock(&self.rows) = SamplesPerCall::GPU;
        lock(&self.kernels).clear();
    }

    /// Destroys the device.
    pub(crate) fn lose(&self) {
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
