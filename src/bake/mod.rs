//! Bakes: worlds as tiles on disk.
//!
//! A [`Request`] states a bake: a recipe, which tiles, which layers in which formats or for which program. [`Request::bake`] carries it out in a
//! folder, or [`Request::plan`] divides it into shards that any number of processes bake ([`Sharded`]). Memory is bounded whatever the number of
//! tiles. After a kill, a full disk or a power cut every finished tile is whole, and the same call continues.
//!
//! ```text
//! Request → plan (tiles), layers → folder (one process) or shard (many) → ledger (what is safe) → files, manifest.json
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
//! | module | holds |
//! |---|---|
//! | [`request`] | what is wanted, its defaults and checks, its predicted cost |
//! | [`plan`], [`format`](mod@format), [`layout`], [`preset`] | which tiles; how one becomes bytes; how files are named; what programs take |
//! | [`folder`] | bakes into a folder by one process, below requests |
//! | [`shard`] | worlds that many processes bake, in folders or object storage |
//! | [`manifest`], [`read`], [`check`](mod@check) | records; a bake that is done, tile by tile; files compared with their records |

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
pub mod layout;
mod ledger;
pub mod manifest;
mod overview;
mod place;
pub mod plan;
pub mod preset;
mod progress;
pub mod read;
mod records;
pub mod request;
mod run;
pub mod shard;
mod weights;

pub use address::Address;
pub use plan::Tiles;
pub use progress::{Progress, Step};
pub use request::{Options, Outcome, RangeChoice, Request};
pub use shard::Sharded;

pub use crate::codec::Format;

// Names that many files of this room and of maps use.
pub(crate) use self::{
    check::{CheckReport, Finding, Recompute, Wrong, check},
    layout::{Green, Layout},
    manifest::{BITS, Product, RangeKind, RangeRecord, TileRecord},
    place::BakeFolder,
    plan::{Plan, PlanError},
    preset::{Note, NoteFile, Preset},
    request::Cost,
    run::{Answered, Report, World, bake_in},
    shard::{Phase, Sealed, Store, Unmeasured, check_world, root},
};
#[cfg(feature = "maps")]
pub(crate) use self::{
    layout::as_name,
    manifest::{closed_json, open_json},
    place::{CHANGED, DAMAGED},
    read::Baked,
    request::LayerOptions,
    run::measure_ranges,
};

use crate::draw::DrawError;
use crate::engine::EngineError;
use crate::engine::layers::LayersError;
use crate::graph::RangeError;
use std::path::{Path, PathBuf};

/// Why a bake failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    /// No range is proven for a noise.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A layer of the request does not exist.
    #[error("'{layer}' names no stage or node; {known}")]
    UnknownLayer {
        /// The layer.
        layer: String,
        /// The allowed names, or the one that is close.
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
    /// The request does not fit the place it is to be written to.
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
        /// What the system said.
        error: std::io::Error,
    },
    /// Another process bakes into the directory.
    #[error("{}: another bake is writing here; allowed: one at a time", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// There is nothing to check.
    #[error("{}: holds no bake; allowed: a directory that orogen has baked into", path.display())]
    NoBake {
        /// The directory.
        path: PathBuf,
    },
    /// A release with other bits has baked there.
    #[error("{}: was baked by orogen {found}, and this is {this}, whose bits are others; allowed: an empty directory, or the same release", path.display())]
    OtherVersion {
        /// The directory.
        path: PathBuf,
        /// Its version.
        found: String,
        /// This one.
        this: String,
    },
    /// Something is in the way.
    #[error("{}: is not this bake's, and would be overwritten; allowed: another directory, or to move it away", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// There is no plan.
    #[error("{}: holds no plan; allowed: a place that orogen plan has written to", path.display())]
    NoPlan {
        /// The place.
        path: PathBuf,
    },
    /// Two machines have made different files of the same plan. Nothing is overwritten: one of the machines, or the file, is at fault.
    #[error("{}: {one}, and {other}; the same plan gives the same bits everywhere: remove what is wrong, and bake its shard again", path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// The hash of one, and who says so.
        one: String,
        /// That of the other.
        other: String,
    },
    /// Shards are not done.
    #[error("{}: {count} shards lack tiles: {shards}; allowed: to seal what is whole", path.display())]
    Missing {
        /// The place.
        path: PathBuf,
        /// How many.
        count: usize,
        /// Which ones, as schedulers take them.
        shards: String,
    },
    /// Something has to be found out of the whole world first.
    #[error("{}: phase {} of {of}, which comes first, is not done by shards {shards}; allowed: orogen measure", path.display(), phase + 1)]
    Unmeasured {
        /// The place.
        path: PathBuf,
        /// The phase, from 0 on.
        phase: u32,
        /// How many there are.
        of: u32,
        /// Which shards are missing, as schedulers take them.
        shards: String,
    },
    /// [`Progress::stops`] said so.
    #[error("stopped before the end; what is done is kept")]
    Stopped,
    /// A thread of the bake panicked.
    #[error("the bake ended by a panic: {message}")]
    Panicked {
        /// What it said.
        message: String,
    },
    /// The directory holds something else.
    #[error("{}: holds the bake of another recipe or other settings: {what}; allowed: an empty directory, or the same bake to be resumed", path.display())]
    OtherBake {
        /// The directory.
        path: PathBuf,
        /// The difference, with both values.
        what: String,
    },
}

impl BakeError {
    /// Of a bake by this release, whose bits have that version.
    pub(crate) fn other_version(path: &Path, orogen: &str, bits: u32) -> Self {
        let of = |orogen: &str, bits: u32| format!("{orogen} (bits {bits})");
        BakeError::OtherVersion { path: path.to_owned(), found: of(orogen, bits), this: of(env!("CARGO_PKG_VERSION"), BITS) }
    }

    pub(crate) fn file(path: &Path, error: impl Into<std::io::Error>) -> Self {
        BakeError::File { path: path.to_owned(), error: error.into() }
    }
}

/// The error of an engine that was stopped, as that of a bake that was stopped.
pub(crate) fn stopped(error: BakeError) -> BakeError {
    match error {
        BakeError::Engine(EngineError::Stopped) | BakeError::Layers(LayersError::Engine(EngineError::Stopped)) => BakeError::Stopped,
        error => error,
    }
}
