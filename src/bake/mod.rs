//! Baking: a world of tiles on disk, from one pipeline.
//!
//! `Plan (which tiles) → layers (engine) → encoders (threads) → files + manifest`. Memory is bounded whatever the number
//! of tiles; see [`bake`].
//!
//! ```
//! use orogen::bake::{Format, Plan, Product, Tiles, bake};
//! use orogen::node::{Fractal, Simplex};
//! use orogen::{Engine, Noise, Pipeline};
//!
//! let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() }).fractal(Fractal::default()).named("hills");
//! let plan = Plan { tile: 32, tiles: Tiles { x: 0..2, y: 0..2 }, overlap: 1, level: 0, spacing: 1.0, z: 0.0 };
//! let heights = Product { layer: "hills".into(), format: Format::R32, range: None };
//! let world = std::env::temp_dir().join(format!("orogen-example-{}", std::process::id()));
//! let report = bake(&Engine::new()?, &Pipeline::from(hills), &plan, &[heights], &world, &())?;
//! assert_eq!(report.written, 4);
//! assert_eq!(std::fs::metadata(world.join("x0_y0.r32"))?.len(), 33 * 33 * 4);
//! # std::fs::remove_dir_all(world)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod format;
mod manifest;
mod overview;
mod plan;
mod run;

pub use format::{Format, Quantise, volume};
pub use manifest::{FileRecord, Manifest, Product, RangeKind, RangeRecord, TileRecord};
pub use overview::overview;
pub use plan::{Plan, PlanError, Tiles};
pub use run::{Halo, Progress, Report, bake, measure_ranges};

use crate::draw::DrawError;
use crate::engine::EngineError;
use crate::engine::layers::LayersError;
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
    /// The pipeline could not be evaluated.
    #[error(transparent)]
    Layers(#[from] LayersError),
    /// The overview cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
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
