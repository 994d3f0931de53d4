//! Errors of the device, and of requests to it.

use crate::not_allowed::NotAllowed;
use crate::program::ProgramError;
#[cfg(feature = "gpu")]
use crate::texel::{FormatError, TexelError};
use std::borrow::Cow;

/// A failure of the device or its driver.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The library was built without the feature `gpu`.
    #[error("no GPU: this build evaluates on the CPU only; allowed: Backend::Cpu, Backend::Oracle, Backend::Auto")]
    NotBuilt,
    /// A thread of a browser cannot wait for a GPU.
    #[error("no GPU: a thread of a browser cannot wait for one; allowed: Backend::Cpu, Backend::Oracle, Backend::Auto")]
    Browser,
    /// No adapter fits.
    #[error("no adapter{}; found: {}", wanted.as_ref().map_or(String::new(), |w| format!(" with '{w}' in its name")), found_or_advice(found))]
    NoAdapter {
        /// The requested part of a name.
        wanted: Option<String>,
        /// The names of the available adapters, separated by commas; may be empty.
        found: String,
    },
    /// There are only software adapters, which are used on request only.
    #[error(
        "no hardware GPU; found: {found}, a software adapter, which is used on request only: Backend::Gpu, --backend gpu, or OROGEN_ADAPTER with a part of its name"
    )]
    OnlySoftware {
        /// The names of the available adapters, separated by commas.
        found: String,
    },
    /// The adapter provides no device.
    #[error("adapter '{adapter}' provides no device: {message}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// Its error message.
        message: String,
    },
    /// The device is lost; everything on it must be created again.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// Not enough memory on the device.
    #[error("the device is out of memory: {0}")]
    OutOfMemory(String),
    /// wgpu, naga or the driver refused a kernel or a command.
    #[error("the device refused a command: {0}")]
    Refused(String),
    /// A kernel left samples unwritten, or wrote values that are not numbers.
    #[error("{count} of {of} numbers came back from the GPU unwritten or not a number")]
    Unwritten {
        /// Number of such values.
        count: usize,
        /// Number of all values.
        of: usize,
    },
}

/// The available adapters, or advice for installing one.
fn found_or_advice(found: &str) -> &str {
    if found.is_empty() { "none; a software adapter: apt-get install mesa-vulkan-drivers libvulkan1" } else { found }
}

/// A request that cannot be fulfilled; the device itself is unaffected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The engine has no GPU.
    #[error("this engine runs on the {0}; textures and encoders need one on a GPU (Engine::from_device, or Backend::Gpu)")]
    None(&'static str),
    /// An object belongs to another device.
    #[error("it belongs to another device: {0}")]
    Foreign(String),
    /// A texture's format is unsuitable.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A number of the texel encoding is invalid.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    TexelEncoding(#[from] TexelError),
    /// A texture or buffer lacks a required usage.
    #[error("the {what} lacks the usage {usage}, which kernels require")]
    Usage {
        /// Texture, buffer or positions.
        what: &'static str,
        /// The usage.
        usage: &'static str,
    },
    /// A size or number exceeds its limit.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
}

impl RequestError {
    pub(crate) fn not_allowed(what: &'static str, value: impl ToString, allowed: impl Into<Cow<'static, str>>) -> Self {
        RequestError::NotAllowed(NotAllowed::new(what, value, allowed))
    }
}

/// All errors between a program and its results, for functions where all can occur. Callers see the wrapped errors, in an
/// [`EngineError`](crate::EngineError).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    Device(GpuError),
    Request(RequestError),
    Program(ProgramError),
}

impl From<GpuError> for Failure {
    fn from(error: GpuError) -> Self {
        Failure::Device(error)
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Failure::Request(error)
    }
}

#[cfg(feature = "gpu")]
impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Failure::Request(error.into())
    }
}

#[cfg(feature = "gpu")]
impl From<TexelError> for Failure {
    fn from(error: TexelError) -> Self {
        Failure::Request(error.into())
    }
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Self {
        Failure::Program(error)
    }
}

/// An error reported by wgpu, as an error of the device.
#[cfg(feature = "gpu")]
pub(super) fn refused(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory(source.to_string()),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => GpuError::Refused(description),
    }
}

/// An error reported by wgpu for objects of a caller, which may belong to another device.
#[cfg(feature = "gpu")]
pub(super) fn foreign(error: GpuError) -> Failure {
    match error {
        // wgpu distinguishes validation errors only by their text.
        GpuError::Refused(description) if description.contains("doesn't match Device") => RequestError::Foreign(description).into(),
        error => error.into(),
    }
}
