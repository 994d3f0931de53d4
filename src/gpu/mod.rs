//! The GPU backend: one fused WGSL kernel per program structure, through wgpu.
//!
//! | object | lifetime | cost of creation |
//! |---|---|---|
//! | [`Context`] | the engine's | opening a device, a canary dispatch |
//! | `Kernel` | the context's; one per structure, with or without gradients | a pipeline compilation |
//! | `Stream` | one call of the engine that returns numbers | uploading the tables |
//! | `Spare` | the context's, 256 MiB at most | buffers of finished streams and stages, kept for reuse |
//! | [`Target`] | the owner's choice | a bind group |
//! | `Slot` | the context's, one per recorded dispatch in flight | two small buffers |
//! | `Rasters` | the rasters' | uploading them |

mod drainage;
mod error;
mod kernel;
mod layout;
mod lock;
mod open;
mod parity;
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

pub use drainage::water_kernels;
pub(crate) use error::Failure;
pub use error::{GpuError, RequestError};
#[cfg(feature = "export")]
pub(crate) use layout::GpuDispatch;
pub(crate) use lock::lock;
pub use open::{AdapterSummary, list_adapters, required_features, required_limits};
pub(crate) use open::{DeviceOptions, experimental_features};
pub use parity::{Arithmetic, Parity};
pub use passes::pass_kernels;
pub use record::target::{PointsTarget, Target, TargetOptions};
pub(crate) use run::{GpuRun, PASSES};
pub(crate) use spirv::{FloatControls, exact};
pub(crate) use store::LayerStore;
pub(crate) use stream::{PendingRegion, points, regions};
#[cfg(feature = "export")]
pub(crate) use tables::{TABLES, TableBinding, TableSource, arrays};
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
use std::sync::{Arc, Mutex, OnceLock};

/// A kernel, or the error of compiling it; empty until the first call has compiled it.
type Compiled = Arc<OnceLock<Result<Arc<Kernel>, Failure>>>;

/// An open device with its kernels.
pub struct Context {
    device: wgpu::Device,
    queue: wgpu::Queue,
    summary: AdapterSummary,
    arithmetic: Arithmetic,
    /// The float controls that exact arithmetic also requests.
    controls: spirv::FloatControls,
    /// The number of samples per call that kernels are printed for; see [`testing`](crate::testing).
    rows: Mutex<SamplesPerCall>,
    parity: Parity,
    bounded_because: Option<&'static str>,
    kernels: Mutex<HashMap<kernel::KernelKey, Compiled>>,
    passes: Mutex<HashMap<passes::PassKey, passes::CompiledPass>>,
    water: Mutex<HashMap<drainage::WaterKernel, passes::CompiledPass>>,
    /// Whether any kernel is specialised.
    specialised: AtomicBool,
    cache: Option<wgpu::PipelineCache>,
    slots: Slots,
    rasters: rasters::DeviceRasters,
    spare: spare::SpareBuffers,
    /// Filled on first use.
    poison: OnceLock<wgpu::Buffer>,
    compiled: AtomicUsize,
    created: AtomicUsize,
    fault: Arc<Mutex<Option<GpuError>>>,
    /// A replacement in the text of kernels before compilation; see [`testing`](crate::testing).
    sabotage: Mutex<Option<(String, String)>>,
}

impl Context {
    /// The description of the open adapter.
    pub fn summary(&self) -> &AdapterSummary {
        &self.summary
    }

    /// The rounding of kernels.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The reason why the bits may differ from the CPU's, if they may.
    pub fn bounded_because(&self) -> Option<&'static str> {
        self.bounded_because
    }

    /// The agreement with the CPU's bits, as the canary found it.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// The number of kernels compiled since the device was opened.
    pub fn compilations(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    /// The number of bind groups and pairs of buffers created for recorded dispatches since the device was opened.
    pub(crate) fn created(&self) -> usize {
        self.created.load(Ordering::Relaxed)
    }

    /// Replaces `from` by `to` in all kernels that are compiled from now on.
    pub(crate) fn sabotage(&self, from: &str, to: &str) {
        *lock(&self.sabotage) = Some((from.to_owned(), to.to_owned()));
        lock(&self.kernels).clear();
        lock(&self.passes).clear();
        lock(&self.water).clear();
    }

    /// Prints kernels as for a GPU from now on, on any device.
    pub(crate) fn as_on_a_gpu(&self) {
        *lock(&self.rows) = SamplesPerCall::GPU;
        lock(&self.kernels).clear();
    }

    /// Destroys the device.
    pub(crate) fn lose(&self) {
        self.device.destroy();
    }

    /// The first error of the device since the last call; a lost device stays lost.
    fn check(&self) -> Result<(), GpuError> {
        if lock(&self.fault).is_none() {
            return Ok(());
        }
        // On a lost device other calls fail, too. The poll lets the device report its loss first.
        let _ = self.device.poll(wgpu::PollType::Poll);
        let mut fault = lock(&self.fault);
        match &*fault {
            None => Ok(()),
            Some(GpuError::Lost(message)) => Err(GpuError::Lost(message.clone())),
            Some(_) => fault.take().map_or(Ok(()), Err),
        }
    }
}
