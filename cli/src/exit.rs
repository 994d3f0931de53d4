//! Exit codes, and the errors that map to each. Scripts rely on them.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | ok |
//! | 1 | unexpected |
//! | 2 | usage, or a folder that holds another bake, files of others, or no bake |
//! | 4 | verification or check failed |
//! | 65 | invalid recipe or points |
//! | 69 | no adapter |
//! | 74 | I/O |
//! | 75 | stopped by a signal, out of memory or device lost: safe to retry, and a bake resumes |

use orogen::bake::BakeError;
use orogen::bake::plan::PlanError;
use orogen::draw::DrawError;
use orogen::export::ExportError;
use orogen::mesh::MeshError;
use orogen::scatter::PoissonError;
use orogen::{EngineError, GpuError, GraphError, LayersError, ProgramError, RangeError, Recipe, RecipeError, RequestError};
use std::fmt;
use std::path::Path;

/// An unexpected error.
pub const UNEXPECTED: u8 = 1;
/// A flag or its value is invalid, or the folder that it names holds something else.
pub const USAGE: u8 = 2;
/// `verify` found a difference, or `check` a file that differs from its record.
pub const MISMATCH: u8 = 4;
/// The recipe or the points are invalid.
pub const DATA: u8 = 65;
/// No adapter, or the adapter provides no device.
pub const UNAVAILABLE: u8 = 69;
/// A file could not be read or written.
pub const IO: u8 = 74;
/// Device lost, out of memory, stopped by a signal, or another bake works in the folder: the same command may succeed later.
pub const TRANSIENT: u8 = 75;

/// The reason why the command failed, and its exit code.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    error: anyhow::Error,
}

impl Failure {
    pub fn new(code: u8, error: impl Into<anyhow::Error>) -> Self {
        Failure { code, error: error.into() }
    }

    pub fn message(code: u8, message: impl fmt::Display) -> Self {
        Failure { code, error: anyhow::anyhow!("{message}") }
    }

    /// Adds the line of the recipe that contains the node that cannot be evaluated.
    #[must_use]
    pub fn located(self, recipe: Option<&Path>) -> Self {
        let (Some(recipe), Some(error)) = (recipe, self.program_error()) else { return self };
        let (node, param) = error.site();
        let Some(at) = Recipe::locate(recipe, &["node", node, param]) else { return self };
        Failure { error: anyhow::anyhow!("{at}: {self}"), ..self }
    }

    /// The error in a noise, if that was the reason.
    fn program_error(&self) -> Option<&ProgramError> {
        let layers = self.error.downcast_ref::<LayersError>();
        let engine = match layers {
            Some(LayersError::Noise { error, .. }) => return Some(error),
            Some(LayersError::Engine(error)) => Some(error),
            _ => self.error.downcast_ref::<EngineError>(),
        };
        match engine {
            Some(EngineError::Program(error)) => Some(error),
            _ => self.error.downcast_ref::<ProgramError>(),
        }
    }

    /// Output pipe closed; exit quietly with 0.
    pub fn done() -> Self {
        Failure::message(0, "")
    }

    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Failure::message(IO, format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

impl From<RecipeError> for Failure {
    fn from(error: RecipeError) -> Self {
        let code = match &error {
            RecipeError::Read { .. } => IO,
            // All other errors of a recipe are errors in its text.
            _ => DATA,
        };
        Failure::new(code, error)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let code = match &error {
            EngineError::Program(_) | EngineError::Point { .. } => DATA,
            EngineError::Region(_) | EngineError::Threads(_) => USAGE,
            EngineError::Gpu(error) => match error {
                GpuError::NoAdapter { .. }
                | GpuError::OnlySoftware { .. }
                | GpuError::NoDevice { .. }
                | GpuError::NotBuilt
                | GpuError::Browser => UNAVAILABLE,
                GpuError::Lost(_) | GpuError::OutOfMemory(_) => TRANSIENT,
                GpuError::Unwritten { .. } => MISMATCH,
                // Refused requests, and errors that later versions of the library may add.
                _ => 1,
            },
            EngineError::Request(RequestError::None(_)) => UNAVAILABLE,
            EngineError::Request(_) => USAGE,
            EngineError::Stopped => TRANSIENT,
            // Here and below: errors that later versions of the library may add.
            _ => UNEXPECTED,
        };
        Failure::new(code, error)
    }
}

impl From<LayersError> for Failure {
    fn from(error: LayersError) -> Self {
        match error {
            LayersError::Engine(error) => error.into(),
            error
            @ (LayersError::Memory { .. } | LayersError::Device { .. } | LayersError::Square { .. } | LayersError::Nothing { .. }) => {
                Failure::new(USAGE, error)
            }
            error @ (LayersError::Stage(_)
            | LayersError::Noise { .. }
            | LayersError::NotFinite { .. }
            | LayersError::Given { .. }
            | LayersError::World { .. }) => Failure::new(DATA, error),
            error @ LayersError::Storage { .. } => Failure::new(IO, error),
            error => Failure::new(UNEXPECTED, error),
        }
    }
}

impl From<PoissonError> for Failure {
    fn from(error: PoissonError) -> Self {
        match error {
            PoissonError::Engine(error) => error.into(),
            error @ PoissonError::NotAllowed(_) => Failure::new(USAGE, error),
            error => Failure::new(UNEXPECTED, error),
        }
    }
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        match error {
            MeshError::Engine(error) => error.into(),
            error @ (MeshError::Region(_) | MeshError::Level(_)) => Failure::new(USAGE, error),
            error @ (MeshError::Empty | MeshError::Large { .. } | MeshError::Samples(_) | MeshError::Terrain(_)) => {
                Failure::new(DATA, error)
            }
            error @ MeshError::Text(_) => Failure::new(1, error),
            error => Failure::new(UNEXPECTED, error),
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Failure::new(USAGE, error)
    }
}

impl From<DrawError> for Failure {
    fn from(error: DrawError) -> Self {
        Failure::new(UNEXPECTED, error)
    }
}

impl From<BakeError> for Failure {
    fn from(error: BakeError) -> Self {
        match error {
            BakeError::Plan(error) => error.into(),
            BakeError::Engine(error) => error.into(),
            BakeError::Layers(error) => error.into(),
            BakeError::Draw(error) => error.into(),
            BakeError::Range(error) => error.into(),
            BakeError::TooMuch { takes, allowed } => {
                Failure::message(USAGE, format_args!("this takes {takes}; allowed without --force: {allowed}"))
            }
            error @ (BakeError::UnknownLayer { .. }
            | BakeError::Place { .. }
            | BakeError::OtherBake { .. }
            | BakeError::OtherVersion { .. }
            | BakeError::NotOurs { .. }
            | BakeError::NoPlan { .. }
            | BakeError::NoBake { .. }) => Failure::new(USAGE, error),
            error @ (BakeError::Busy { .. } | BakeError::Stopped | BakeError::Unmeasured { .. }) => Failure::new(TRANSIENT, error),
            error @ (BakeError::Different { .. } | BakeError::Missing { .. }) => Failure::new(MISMATCH, error),
            error @ BakeError::Panicked { .. } => Failure::new(UNEXPECTED, error),
            error @ BakeError::File { .. } => Failure::new(IO, error),
            error => Failure::new(UNEXPECTED, error),
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        let code = match &error {
            ExportError::Program(_) => DATA,
            ExportError::Anchor(_) | ExportError::Prefix(_) | ExportError::Rasters { .. } | ExportError::Language { .. } => USAGE,
            ExportError::Translation { .. } => 1,
            _ => UNEXPECTED,
        };
        Failure::new(code, error)
    }
}

macro_rules! data {
    ($($error:ty),+) => {
        $( impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::new(DATA, error)
            }
        } )+
    };
}
data!(GraphError, RangeError, ProgramError);
