//! What went wrong, as a number and as text.

use engine::export::ExportError;
use engine::stage::StageError;
use engine::{EngineError, LayersError, PreparedSetError, ProgramError, RecipeError, RegionError, SetError};
use std::ffi::c_char;

/// What became of a call. 0 is success; the numbers of the others stay what they are.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrogenStatus {
    /// All is well.
    Ok = 0,
    /// A pointer is NULL that must not be.
    Null = 1,
    /// A handle has been freed, is of another kind, or is none.
    Handle = 2,
    /// Text is not UTF-8.
    Utf8 = 3,
    /// A number or word is not one of those that are allowed, or a pointer is not aligned as its type asks for.
    Argument = 4,
    /// A buffer is too small, or does not hold as many numbers as there are samples.
    Size = 5,
    /// The text is no recipe, or its stages mean nothing.
    Recipe = 6,
    /// A file cannot be read.
    File = 7,
    /// The noise cannot be evaluated, or not there.
    Noise = 8,
    /// No such parameter, or not with that value.
    Parameter = 9,
    /// The region is none, or a position is none.
    Region = 10,
    /// Stages need more memory than the engine may use.
    Memory = 11,
    /// No adapter fits, or the GPU failed.
    Device = 12,
    /// A bug of Orogen's, caught before it reached the caller. Handles that the call used may be freed and nothing else.
    Panic = 13,
}

/// Bytes of `OrogenError.message`, the closing 0 among them.
pub const OROGEN_MESSAGE_SIZE: usize = 1016;

/// What a call had to say: memory of the caller's, on the stack as a rule. Nothing has to be set before, and nothing freed after.
///
/// Every function that can fail takes one as its last argument, which may be NULL.
#[repr(C)]
pub struct OrogenError {
    /// What the function returned.
    pub status: OrogenStatus,
    /// Bytes of the whole message without the closing 0; where that is `OROGEN_MESSAGE_SIZE` or more, the end was cut off.
    pub length: u32,
    /// What is wrong, with the value and what is allowed: UTF-8 that ends in 0, empty after success.
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

/// Puts the outcome of a call where the caller wants it.
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
    // SAFETY: the caller vouches for the memory, of which no more is written than the structure has. It may not have been set yet: it is
    // written by pointers alone.
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
            EngineError::Stopped => unreachable!("invariant: nothing here stops an engine"),
        };
        Fault::new(status, error.to_string())
    }
}

impl From<LayersError> for Fault {
    fn from(error: LayersError) -> Self {
        let status = match error {
            LayersError::Engine(error) => return error.into(),
            LayersError::Stage(_) | LayersError::Nothing { .. } | LayersError::Given { .. } => OrogenStatus::Recipe,
            LayersError::Noise { .. } | LayersError::NotFinite { .. } => OrogenStatus::Noise,
            LayersError::Memory { .. } | LayersError::Device { .. } | LayersError::Square { .. } => OrogenStatus::Memory,
        };
        Fault::new(status, error.to_string())
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

impl From<PreparedSetError> for Fault {
    fn from(error: PreparedSetError) -> Self {
        let status = match &error {
            PreparedSetError::Program(_) => OrogenStatus::Noise,
            _ => OrogenStatus::Parameter,
        };
        Fault::new(status, error.to_string())
    }
}

impl From<ExportError> for Fault {
    fn from(error: ExportError) -> Self {
        let status = match &error {
            ExportError::Program(_) => OrogenStatus::Noise,
            ExportError::Anchor(_) => OrogenStatus::Region,
            ExportError::Prefix(_) | ExportError::Language { .. } => OrogenStatus::Argument,
            ExportError::Rasters { .. } => OrogenStatus::Size,
            ExportError::Translation { .. } => OrogenStatus::Panic,
        };
        Fault::new(status, error.to_string())
    }
}

/// Errors that mean one thing wherever they come from.
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
    StageError => Recipe,
    SetError => Parameter,
    RegionError => Region,
    ProgramError => Noise,
}
