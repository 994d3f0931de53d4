//! The GPU backend: one fused WGSL kernel per program structure, through wgpu.
//!
//! | object | lives as long as | costs |
//! |---|---|---|
//! | [`Context`] | the engine | opening a device, a canary dispatch |
//! | `Kernel` | the context, one per structure, gradient or not | a pipeline compilation |
//! | `Stream` | one call of the engine that gives numbers back | uploading the tables, a ring of buffers |
//! | [`Target`] | as long as its owner wants | a bind group |
//! | `Slot` | the context, as many as are in flight | two small buffers |

mod kernel;
mod layout;
mod open;
mod passes;
mod passthrough;
mod record;
mod spirv;
mod stream;
mod wgsl;

#[cfg(feature = "export")]
pub(crate) use layout::tables;
pub use open::{AdapterSummary, list_adapters, required_features, required_limits};
pub(crate) use open::{Wanted, experimental_features};
#[doc(hidden)]
pub use passes::pass_kernels;
pub use record::target::{PointsTarget, Target, TargetOptions};
#[cfg(feature = "export")]
pub(crate) use spirv::exact;
pub(crate) use stream::{points, regions};
#[cfg(feature = "export")]
pub(crate) use wgsl::emit::{anchored_call, program as emit_program};
pub(crate) use wgsl::entry::{Output, kernel as emit_kernel};
pub(crate) use wgsl::tables::Memory;

use crate::program::ProgramError;
use crate::texel::{FormatError, TexelError};
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
    /// The engine has no GPU.
    #[error("this engine runs on the {0}; textures and encoders need one on a GPU (Engine::from_device, or Backend::Gpu)")]
    None(&'static str),
    /// Something belongs to another device.
    #[error("it belongs to another device: {0}")]
    Foreign(String),
    /// A texture's format does not do.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A number that no texel can be made with.
    #[error(transparent)]
    TexelEncoding(#[from] TexelError),
    /// A texture or buffer was made without a usage that is needed.
    #[error("the {what} lacks the usage {usage}, without which no kernel can use it")]
    Usage {
        /// Texture, buffer or positions.
        what: &'static str,
        /// The usage.
        usage: &'static str,
    },
    /// What is to be written does not fit where it is to go.
    #[error("{what}: {value} does not fit; allowed: {allowed}")]
    Size {
        /// What does not fit.
        what: &'static str,
        /// How large it is.
        value: String,
        /// How large it may be.
        allowed: String,
    },
    /// The program or the region cannot be evaluated.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// A kernel, or why there is none; compiled by whoever asks first.
type Compiled = Arc<OnceLock<Result<Arc<Kernel>, GpuError>>>;

/// An open device with its kernels.
pub struct Context {
    device: wgpu::Device,
    queue: wgpu::Queue,
    summary: AdapterSummary,
    arithmetic: Arithmetic,
    parity: Parity,
    kernels: Mutex<HashMap<kernel::KernelKey, Compiled>>,
    passes: Mutex<HashMap<passes::PassKey, passes::CompiledPass>>,
    /// Whether any of them is specialised.
    specialised: AtomicBool,
    cache: Option<wgpu::PipelineCache>,
    slots: Slots,
    compiled: AtomicUsize,
    created: AtomicUsize,
    fault: Arc<Mutex<Option<GpuError>>>,
    /// Replaces text of kernels before they are compiled: how tests prove that a wrong kernel is caught.
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

    /// What the bits are worth, as the canary found.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// How many kernels have been compiled since the device was opened.
    pub fn compilations(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    /// How many bind groups and pairs of buffers have been created for recorded dispatches since the device was opened.
    #[doc(hidden)]
    pub fn created(&self) -> usize {
        self.created.load(Ordering::Relaxed)
    }

    /// From now on kernels are compiled with `from` replaced by `to`, so that tests can see a wrong kernel caught.
    #[doc(hidden)]
    pub fn sabotage(&self, from: &str, to: &str) {
        *lock(&self.sabotage) = Some((from.to_owned(), to.to_owned()));
        lock(&self.kernels).clear();
        lock(&self.passes).clear();
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
        // wgpu gives no kinds of validation errors, only their text.
        wgpu::Error::Validation { description, .. } if description.contains("doesn't match Device") => GpuError::Foreign(description),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => GpuError::Refused(description),
    }
}
