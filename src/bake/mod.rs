//! Bakes: worlds as tiles on disk.
//!
//! A [`Request`] describes a bake: a recipe, the tiles, and the layers with their formats or destination. [`Request::bake`]
//! carries it out in a folder. [`Request::plan`] divides it into shards that any number of processes bake ([`Sharded`]). Memory is
//! bounded for any number of tiles. After a kill, a full disk or a power cut every finished tile is complete, and the same call
//! continues.
//!
//! ```text
//! Request → plan (tiles), layers → folder (one process) or shard (many) → ledger (synced records) → files, manifest.json
//! ```
//!
//! ```
//! use orogen::bake::{Format, Request};
//! use orogen::node::{Fractal, Simplex};
//! use orogen::{Engine, Noise, Recipe};
//!
//! let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() }).fractal(Fractal::default()).named("hills");
//! let request = Request::new(Recipe::new(hills)).tile(32).tiles("0..2,0..2".parse()?).overlap(1).format(Format::R32);
//! let world = std::env::temp_dir().join(format!("orogen-example-{}", std::process::id()));
//! let outcome = request.bake(&Engine::new()?, &world, &())?;
//! assert_eq!(outcome.written, 4);
//! assert_eq!(std::fs::metadata(world.join("x0_y0.r32"))?.len(), 33 * 33 * 4);
//! # std::fs::remove_dir_all(world)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`request`] | options, their defaults and checks, and the predicted cost |
//! | [`plan`], [`format`](mod@format), [`layout`], [`preset`] | tiles, file formats, file names, and the demands of destinations |
//! | [`folder`] | bakes into a folder by one process, below requests |
//! | [`shard`] | worlds that many processes bake, in folders or object storage |
//! | [`manifest`], [`read`], [`check`](mod@check) | records, reading a finished bake by tile, comparing files with records |

mod address;
mod answers;
#[cfg(feature = "zarr")]
pub(crate) mod arrays;
pub mod check;
mod difference;
mod disk;
mod encode;
pub mod folder;
pub mod format;
mod hash;
pub mod layout;
mod ledger;
pub mod manifest;
pub(crate) mod names;
mod object;
mod overview;
pub(crate) mod place;
pub mod plan;
pub mod preset;
mod product;
mod progress;
pub mod read;
mod records;
pub mod request;
mod run;
pub mod shard;
mod weights;
mod world;

pub use address::Address;
pub use plan::Tiles;
pub use progress::{Progress, Step};
pub use request::{Options, Outcome, RangeChoice, Request};
pub use shard::Sharded;

pub use crate::codec::Format;

// Names that many files of this room and the room of maps use.
pub(crate) use self::{
    check::{CheckReport, Finding, Recompute, Wrong, check},
    layout::{Green, Layout},
    manifest::{BITS, TileRecord},
    place::BakeFolder,
    plan::{Plan, PlanError},
    preset::{Note, NoteFile, Preset},
    product::{Product, RangeKind, RangeRecord},
    request::Cost,
    run::{Report, bake_in},
    shard::{Phase, Sealed, Store, Unmeasured, check_world, root},
    world::{Answered, World},
};
#[cfg(feature = "maps")]
pub(crate) use self::{
    layout::as_name,
    manifest::{closed_json, open_json},
    names::{CHANGED, DAMAGED},
    read::Baked,
    request::LayerOptions,
    run::measure_ranges,
};

use crate::draw::DrawError;
use crate::error::{EngineError, LayersError};
use crate::program::RangeError;
use std::path::{Path, PathBuf};

/// The error of a bake.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The plan is invalid.
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
    /// The range of a noise cannot be proven.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A layer of the request does not exist.
    #[error("'{layer}' names no stage or node; {known}")]
    UnknownLayer {
        /// The layer.
        layer: String,
        /// The allowed names, or the closest one.
        known: String,
    },
    /// The request exceeds a limit of [`Cost::check`].
    #[error("this takes {takes}; allowed without force: {allowed}")]
    TooMuch {
        /// The predicted cost.
        takes: String,
        /// The limit.
        allowed: String,
    },
    /// The request does not fit the place to write to.
    #[error("{place}: {why}")]
    Place {
        /// A folder or a URL.
        place: String,
        /// The reason, and what is allowed.
        why: String,
    },
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Another process bakes into the directory.
    #[error("{}: another bake is writing here; allowed: one at a time", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds no bake.
    #[error("{}: holds no bake; allowed: a directory that orogen has baked into", path.display())]
    NoBake {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds a bake by a release with other bits.
    #[error("{}: was baked by orogen {found}, and this is {this}, whose bits are others; allowed: an empty directory, or the same release", path.display())]
    OtherVersion {
        /// The directory.
        path: PathBuf,
        /// The version of the bake.
        found: String,
        /// The version of this release.
        this: String,
    },
    /// A file is in the way that the bake did not write.
    #[error("{}: is not this bake's, and would be overwritten; allowed: another directory, or to move it away", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The place holds no plan.
    #[error("{}: holds no plan; allowed: a place that orogen plan has written to", path.display())]
    NoPlan {
        /// The place.
        path: PathBuf,
    },
    /// Two machines made different files from the same plan. Nothing is overwritten: one of the machines, or the file, is faulty.
    #[error("{}: {one}, and {other}; the same plan gives the same bits everywhere: remove what is wrong, and bake its shard again", path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// The hash of one file, and its source.
        one: String,
        /// The hash of the other file.
        other: String,
    },
    /// Shards are not finished.
    #[error("{}: shards that lack tiles ({count} in all): {shards}; allowed: to seal what is whole", path.display())]
    Missing {
        /// The place.
        path: PathBuf,
        /// The number of missing shards.
        count: usize,
        /// The missing shards, in the notation of schedulers.
        shards: String,
    },
    /// A property of the whole world must be measured first.
    #[error("{}: phase {} of {of}, which comes first, is not done by shards {shards}; allowed: orogen measure", path.display(), phase + 1)]
    Unmeasured {
        /// The place.
        path: PathBuf,
        /// The phase, from 0 on.
        phase: u32,
        /// The number of phases.
        of: u32,
        /// The missing shards, in the notation of schedulers.
        shards: String,
    },
    /// [`Progress::stops`] returned true.
    #[error("stopped before the end; what is done is kept")]
    Stopped,
    /// A thread of the bake panicked.
    #[error("the bake ended by a panic: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The directory holds another bake.
    #[error("{}: holds the bake of another recipe or other settings: {what}; allowed: an empty directory, or the same bake to be resumed", path.display())]
    OtherBake {
        /// The directory.
        path: PathBuf,
        /// The difference, with both values.
        what: String,
    },
}

impl BakeError {
    /// The error for a bake by the release `orogen`, whose bits have version `bits`.
    pub(crate) fn other_version(path: &Path, orogen: &str, bits: u32) -> Self {
        let of = |orogen: &str, bits: u32| format!("{orogen} (bits {bits})");
        BakeError::OtherVersion { path: path.to_owned(), found: of(orogen, bits), this: of(env!("CARGO_PKG_VERSION"), BITS) }
    }

    pub(crate) fn file(path: &Path, error: impl Into<std::io::Error>) -> Self {
        BakeError::File { path: path.to_owned(), error: error.into() }
    }
}

/// Turns the error of a stopped engine into that of a stopped bake.
pub(crate) fn stopped(error: BakeError) -> BakeError {
    match error {
        BakeError::Engine(EngineError::Stopped) | BakeError::Layers(LayersError::Engine(EngineError::Stopped)) => BakeError::Stopped,
        error => error,
    }
}
