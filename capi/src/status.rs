//! Errors as a number and as text.

use engine::export::ExportError;
use engine::node::HeightsError;
use engine::stage::StageError;
use engine::{EngineError, LayersError, PreparedSetError, ProgramError, RecipeError, RegionError, SetError};
use std::ffi::c_char;

/// The outcome of a call. 0 is success. The numbers of the others never change.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenStatus {
    /// The call succeeded.
    Ok = 0,
    /// A pointer that is required is NULL.
    Null = 1,
    /// A handle was freed, is of another kind, or is not a handle.
    Handle = 2,
    /// A text is not valid UTF-8.
    Utf8 = 3,
    /// A number or option is not allowed, or a pointer is not aligned for its type.
    Argument = 4,
    /// A buffer is too small, or its element count is not the required one.
    Size = 5,
    /// The recipe or its stages are invalid, or it has no node, stage or layer of that name.
    Recipe = 6,
    /// A file cannot be read or written.
    File = 7,
    /// The noise cannot be evaluated, or not in this region.
    Noise = 8,
    /// There is no such parameter, or the value is not allowed for it.
    Parameter = 9,
    /// The region or a position is invalid.
    Region = 10,
    /// The call needs more memory than the engine may use.
    Memory = 11,
    /// No GPU adapter matches, or the GPU failed.
    Device = 12,
    /// A bug in Orogen, caught before it reached the caller. Free the handles that the call used; do not use them otherwise.
    Panic = 13,
    /// The caller's progress function stopped the call. Finished work is kept; the same call continues.
    Stopped = 14,
    /// A folder contains another bake, a map, foreign files or no bake at all; shards are missing or wrote different files; or
    /// another process is using the folder.
    Bake = 15,
}

/// Size of `OrogenError.message` in bytes, including the terminating 0.
pub const OROGEN_MESSAGE_SIZE: usize = 1016;

/// The outcome of a call with its message. The caller provides the memory, usually on the stack; it needs no initialisation and no freeing.
///
/// Every function that can fail takes a pointer to one as its last argument. The pointer may be NULL.
#[repr(C)]
pub struct OrogenError {
    /// The status that the function returned.
    pub status: OrogenStatus,
    /// Length of the whole message in bytes, without the terminating 0. If it is `OROGEN_MESSAGE_SIZE` or more, `message` was cut.
    pub length: u32,
    /// The error with the value and the allowed values: UTF-8 that ends in 0. Empty after success.
    pub message: [c_char; OROGEN_MESSAGE_SIZE],
}

/// Why a call failed, on its way to the caller.
#[derive(Debug)]
pub(crate) struct Fault {
    pub status: OrogenStatus,
    pub message: String,
}

impl Fault {
    pub fn new(status: OrogenStatus, message: impl Into<String>) -> Self {
        Fault { status, message: message.into() }
    }
}

/// Writes the outcome of a call to the caller's memory.
///
/// # Safety
/// `error` is NULL, or memory that may be written, of an [`OrogenError`].
pub(crate) unsafe fn report(error: *mut OrogenError, status: OrogenStatus, message: &str) {
    if error.is_null() || !error.is_aligned() {
        return;
    }
    let mut kept = message.len().min(OROGEN_MESSAGE_SIZE - 1);
    while !message.is_char_boundary(kept) {
        kept -= 1;
    }
    // SAFETY: the caller guarantees the memory; only bytes of the structure are written. It may be uninitialised, so it is written through
    // pointers only.
    unsafe {
        (&raw mut (*error).status).write(status);
        (&raw mut (*error).length).write(u32::try_from(message.len()).unwrap_or(u32::MAX));
        let text = (&raw mut (*error).message).cast::<u8>();
        text.copy_from_nonoverlapping(message.as_ptr(), kept);
        text.add(kept).write(0);
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        let status = match &error {
            EngineError::Program(_) => OrogenStatus::Noise,
            EngineError::Region(_) | EngineError::Point { .. } => OrogenStatus::Region,
            EngineError::Gpu(_) | EngineError::Request(_) => OrogenStatus::Device,
            EngineError::Threads(_) => OrogenStatus::Argument,
            EngineError::Stopped => OrogenStatus::Stopped,
            // Errors that later versions of the library may add.
            _ => OrogenStatus::Panic,
        };
        Fault::new(status, error.to_string())
    }
}

// If the library's message names items of Rust or of the command, C gets the same message with its own names.

impl From<LayersError> for Fault {
    fn from(error: LayersError) -> Self {
        let mib = |bytes: u64| bytes as f64 / 1_048_576.0;
        let (status, message) = match error {
            LayersError::Engine(error) => return error.into(),
            LayersError::Memory { halo, edge, needed, allowed, widest } => (
                OrogenStatus::Memory,
                format!(
                    "{}a halo of {halo} samples needs a block of at least {edge}² samples and {:.1} MiB; allowed: {:.1} MiB (use fewer iterations, \
                     smaller radii, or a higher OrogenEngineOptions.memory)",
                    widest.map_or_else(String::new, |widest| format!("{widest}: ")),
                    mib(needed),
                    mib(allowed)
                ),
            ),
            LayersError::Square { stage, size, allowed } => (
                OrogenStatus::Memory,
                format!(
                    "stage '{stage}': size = {size} is not allowed, as it is computed in one block; allowed: powers of two up to {}, limited \
                     by OrogenEngineOptions.memory and the device",
                    1_u64 << allowed
                ),
            ),
            LayersError::Given { stage } => (
                OrogenStatus::Recipe,
                format!("stage '{stage}' is of kind 'given', which the C interface does not support; allowed: every other kind"),
            ),
            LayersError::Device { .. } => (OrogenStatus::Memory, error.to_string()),
            LayersError::Noise { .. } | LayersError::NotFinite { .. } => (OrogenStatus::Noise, error.to_string()),
            LayersError::Stage(_) | LayersError::Nothing { .. } | LayersError::World { .. } => (OrogenStatus::Recipe, error.to_string()),
            LayersError::Storage { .. } => (OrogenStatus::File, error.to_string()),
            _ => (OrogenStatus::Panic, error.to_string()),
        };
        Fault::new(status, message)
    }
}

impl From<RecipeError> for Fault {
    fn from(error: RecipeError) -> Self {
        let status = match &error {
            RecipeError::Read { .. } => OrogenStatus::File,
            _ => OrogenStatus::Recipe,
        };
        Fault::new(status, error.to_string())
    }
}

impl From<SetError> for Fault {
    fn from(error: SetError) -> Self {
        let message = match &error {
            SetError::Shape { what, node, param, .. } => {
                format!("{what} '{node}': {param} shapes the kernel and cannot be changed here; allowed: another recipe's text")
            }
            _ => error.to_string(),
        };
        Fault::new(OrogenStatus::Parameter, message)
    }
}

impl From<PreparedSetError> for Fault {
    fn from(error: PreparedSetError) -> Self {
        match error {
            PreparedSetError::Set(error) => error.into(),
            PreparedSetError::Program(error) => error.into(),
            error => Fault::new(OrogenStatus::Parameter, error.to_string()),
        }
    }
}

impl From<ExportError> for Fault {
    fn from(error: ExportError) -> Self {
        let (status, message) = match &error {
            ExportError::Program(_) => (OrogenStatus::Noise, error.to_string()),
            ExportError::Anchor(_) => (OrogenStatus::Region, error.to_string()),
            ExportError::Prefix(_) | ExportError::Language { .. } => (OrogenStatus::Argument, error.to_string()),
            ExportError::Rasters { samples, most } => (
                OrogenStatus::Size,
                format!(
                    "{samples} samples of rasters in the source are not allowed; allowed: up to {most}, or OROGEN_STORAGE_BUFFER in a language \
                     that has buffers"
                ),
            ),
            ExportError::Translation { .. } => (OrogenStatus::Panic, error.to_string()),
            _ => (OrogenStatus::Panic, error.to_string()),
        };
        Fault::new(status, message)
    }
}

/// Errors with one status, whose messages fit C as they are.
macro_rules! faults {
    ($($error:ty => $status:ident,)*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Fault::new(OrogenStatus::$status, error.to_string())
            }
        })*
    };
}

faults! {
    HeightsError => Argument,
    StageError => Recipe,
    RegionError => Region,
    ProgramError => Noise,
}
