//! Baking: a world of tiles on disk, from one noise.
//!
//! `Plan (which tiles) → fields (engine) → encoders (threads) → files + manifest`. Memory is bounded whatever the number
//! of tiles; see [`bake`].

mod format;
mod manifest;
mod pipeline;
mod plan;

pub use format::{Format, Quantise};
pub use manifest::{Manifest, RangeKind, RangeRecord, TileRecord};
pub use pipeline::{Progress, Report, bake, measure};
pub use plan::{Plan, PlanError, Tiles};

use crate::engine::{Engine, EngineError};
use crate::graph::Noise;
use crate::render::shade;
use std::path::{Path, PathBuf};

/// Why a bake failed.
#[derive(Debug, thiserror::Error)]
pub enum BakeError {
    /// The plan is none.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The noise could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Another process bakes into the directory.
    #[error("{}: another bake is writing here; allowed: one at a time", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds something else.
    #[error("{}: holds the bake of another recipe or other settings ({what} differs); allowed: an empty directory, or the same bake to be resumed", path.display())]
    OtherBake {
        /// The directory.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
}

impl BakeError {
    pub(crate) fn file(path: &Path, error: impl Into<std::io::Error>) -> Self {
        BakeError::File { path: path.to_owned(), error: error.into() }
    }
}

/// Longer side of the overview picture, in pixels, and samples along each edge of one.
const OVERVIEW: u32 = 1024;
const SUPERSAMPLE: u32 = 2;

/// Draws the whole world of a plan, shaded, into `overview.png`.
///
/// # Errors
/// The noise cannot be evaluated, or the file cannot be written.
pub fn overview(engine: &Engine, noise: &Noise, plan: &Plan, directory: &Path) -> Result<(), BakeError> {
    let field = engine.field_with_gradient(noise, &plan.overview(OVERVIEW, SUPERSAMPLE))?;
    let path = directory.join("overview.png");
    let png = shade(&field, SUPERSAMPLE).to_png().map_err(|error| BakeError::file(&path, error))?;
    write_whole(&path, &png)
}

/// Writes a file under another name and renames it when it is whole: a killed process leaves no half file under `path`.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BakeError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let partial = path.with_file_name(format!(".{name}.partial"));
    let result = std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path));
    result.map_err(|error| {
        // The first error is the one to report; the partial file may not even exist.
        let _ = std::fs::remove_file(&partial);
        BakeError::file(path, error)
    })
}
