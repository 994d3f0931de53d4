//! Error answers.

use orogen::{EngineError, GpuError, LayersError, RecipeError, RequestError};
use serde::Serialize;
use std::error::Error;
use std::ops::Deref;

/// The reason for an error, as text and position in the recipe.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Reason(Box<Fault>);

/// An error's text and position, as far as they are known.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Fault {
    /// The text; further errors are on their own lines.
    pub message: String,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// `node` or `stage`.
    pub table: Option<String>,
    /// The name of the node or stage.
    pub name: Option<String>,
    /// The parameter.
    pub param: Option<String>,
}

impl Deref for Reason {
    type Target = Fault;

    fn deref(&self) -> &Fault {
        &self.0
    }
}

impl Reason {
    /// A reason without a position.
    #[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` expects")]
    pub fn new(message: impl ToString) -> Self {
        Reason(Box::new(Fault { message: message.to_string(), ..Fault::default() }))
    }
}

impl From<RecipeError> for Reason {
    /// The position of the first error; further ones are on their own lines.
    fn from(error: RecipeError) -> Self {
        let Some(at) = error.location() else { return Reason::new(error) };
        let (line, column) = (Some(at.line), Some(at.column));
        let mut path = at.path.iter().cloned();
        // `["output"]` and the like stand in no row of a table.
        let (table, name, param) = if path.len() > 2 { (path.next(), path.next(), path.next()) } else { (path.next(), None, path.next()) };
        // The position is sent separately from the message.
        let told = |mistake: &RecipeError| {
            let message = mistake.to_string();
            let place = mistake.location().map(|at| format!("{at}: ")).unwrap_or_default();
            message.strip_prefix(&place).map_or(message.clone(), str::to_owned)
        };
        let mut message = String::new();
        for mistake in error.mistakes() {
            match mistake.location().filter(|_| !message.is_empty()) {
                Some(at) => message += &format!("\nline {}: {}", at.line, told(mistake)),
                None => message += &told(mistake),
            }
        }
        Reason(Box::new(Fault { message, line, column, table, name, param }))
    }
}

/// A reason and its status, one of HTTP's.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// The reason.
    pub reason: Reason,
}

impl Refusal {
    /// The request is invalid.
    pub const BAD: u16 = 400;
    /// The requested item does not exist.
    pub const MISSING: u16 = 404;
    /// The client has disconnected.
    pub const TIMEOUT: u16 = 408;
    /// The recipe is no longer cached.
    pub const GONE: u16 = 410;
    /// The request takes too much work.
    pub const TOO_MUCH: u16 = 413;
    /// The recipe is invalid.
    pub const INVALID: u16 = 422;
    /// A bug.
    pub const UNEXPECTED: u16 = 500;
    /// The device is not available.
    pub const UNAVAILABLE: u16 = 503;

    /// A refusal with a reason without a position.
    pub fn new(status: u16, message: impl ToString) -> Self {
        Refusal { status, reason: Reason::new(message) }
    }

    /// The requested item does not exist.
    pub fn missing(message: impl ToString) -> Self {
        Refusal::new(Refusal::MISSING, message)
    }

    /// The request is invalid.
    pub fn bad(message: impl ToString) -> Self {
        Refusal::new(Refusal::BAD, message)
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Refusal { status: Refusal::INVALID, reason }
    }
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        let status = match &error {
            EngineError::Program(_) | EngineError::Point { .. } | EngineError::Region(_) | EngineError::Threads(_) => Refusal::INVALID,
            EngineError::Gpu(
                GpuError::NoAdapter { .. }
                | GpuError::OnlySoftware { .. }
                | GpuError::NoDevice { .. }
                | GpuError::NotBuilt
                | GpuError::Browser
                | GpuError::Lost(_)
                | GpuError::OutOfMemory(_),
            )
            | EngineError::Request(RequestError::None(_))
            | EngineError::Stopped => Refusal::UNAVAILABLE,
            EngineError::Request(_) => Refusal::INVALID,
            // Here and below: errors that later versions of the library may add.
            _ => Refusal::UNEXPECTED,
        };
        Refusal::new(status, chain(&error))
    }
}

impl From<LayersError> for Refusal {
    fn from(error: LayersError) -> Self {
        let status = match error {
            LayersError::Engine(error) => return error.into(),
            LayersError::Memory { .. }
            | LayersError::Device { .. }
            | LayersError::Square { .. }
            | LayersError::Nothing { .. }
            | LayersError::Stage(_)
            | LayersError::Noise { .. }
            | LayersError::NotFinite { .. }
            | LayersError::Given { .. }
            | LayersError::World { .. } => Refusal::INVALID,
            _ => Refusal::UNEXPECTED,
        };
        Refusal::new(status, chain(&error))
    }
}

/// The reason why an evaluation ended.
#[derive(Debug)]
pub enum Ended {
    /// The device is lost; another engine may succeed.
    Lost(String),
    /// The answer is an error.
    Refused(Refusal),
}

impl From<Refusal> for Ended {
    fn from(refusal: Refusal) -> Self {
        Ended::Refused(refusal)
    }
}

impl From<EngineError> for Ended {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Gpu(GpuError::Lost(why)) => Ended::Lost(why),
            error => Ended::Refused(error.into()),
        }
    }
}

impl From<LayersError> for Ended {
    fn from(error: LayersError) -> Self {
        match error {
            LayersError::Engine(error) => error.into(),
            error => Ended::Refused(error.into()),
        }
    }
}
