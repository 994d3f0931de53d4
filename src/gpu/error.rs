//! What may go wrong: on the device, or in what was asked of it.

use crate::not_allowed::NotAllowed;
use crate::program::ProgramError;
use crate::texel::{FormatError, TexelError};
use std::borrow::Cow;

/// What the device, or the driver behind it, did not do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter that fits.
    #[error("no adapter{}; found: {}", wanted.as_ref().map_or(String::new(), |w| format!(" with '{w}' in its name")), found_or_advice(found))]
    NoAdapter {
        /// Part of a name that was asked for.
        wanted: Option<String>,
        /// The names of the adapters there are, with commas between them; may be empty.
        found: String,
    },
    /// There are software adapters only, which are used if they are asked for.
    #[error(
        "no hardware GPU; found: {found}, a software adapter, which is used if asked for: Backend::Gpu, --backend gpu, or OROGEN_ADAPTER with a part of its name"
    )]
    OnlySoftware {
        /// The names of the adapters there are, with commas between them.
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
}

/// The adapters there are, or how to get one.
fn found_or_advice(found: &str) -> &str {
    if found.is_empty() { "none; a software adapter: apt-get install mesa-vulkan-drivers libvulkan1" } else { found }
}

/// What was asked of the GPU and cannot be done as it was asked: the device is as good as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
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
    /// What is to be written does not fit where it is to go, or a device's limit is too low.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
}

impl RequestError {
    pub(crate) fn not_allowed(what: &'static str, value: impl ToString, allowed: impl Into<Cow<'static, str>>) -> Self {
        RequestError::NotAllowed(NotAllowed::new(what, value, allowed))
    }
}

/// Everything that may go wrong between a program and its numbers, for functions in which all of it may: callers see what it
/// wraps, in an [`EngineError`](crate::EngineError).
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

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Failure::Request(error.into())
    }
}

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

/// What wgpu reports, as an error of the device's.
pub(super) fn refused(error: wgpu::Error) -> GpuError {
    match error {
        wgpu::Error::OutOfMemory { source } => GpuError::OutOfMemory(source.to_string()),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => GpuError::Refused(description),
    }
}

/// What wgpu said, where objects of a caller's are used, which may belong to another device.
pub(super) fn foreign(error: GpuError) -> Failure {
    match error {
        // wgpu gives no kinds of validation errors, only their text.
        GpuError::Refused(description) if description.contains("doesn't match Device") => RequestError::Foreign(description).into(),
        error => error.into(),
    }
}
