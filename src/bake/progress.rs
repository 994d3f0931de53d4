//! Progress reports of long work, and requests to stop it.

use super::Cost;
use crate::world::driver::Watch;
use crate::world::questions::Question;
use std::fmt;

/// Receives the progress of a bake, from any thread, and can stop it. `()` ignores progress.
pub trait Progress: Sync {
    /// `done` of `total` pieces of the current step are finished. During a bake the pieces are tiles that survive a power cut.
    fn tile(&self, done: u64, total: u64);

    /// A step begins.
    fn step(&self, _: &Step) {}

    /// Whether to stop early. Finished work is kept, and the same call continues from there.
    fn stops(&self) -> bool {
        false
    }
}

impl Progress for () {
    fn tile(&self, _: u64, _: u64) {}
}

/// A step in carrying out a [request](super::Request). `Display` gives a line for a person.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// The cost was predicted; nothing is evaluated yet.
    Predicted(Cost),
    /// A property of the whole world is measured.
    Measuring {
        /// The property, in words.
        what: String,
    },
    /// Tiles are being baked.
    Baking {
        /// Number of tiles, including existing ones.
        tiles: u64,
        /// Samples along each edge of a tile's files.
        edge: u32,
    },
    /// A world of shards is being sealed.
    Sealing,
    /// A map is being made.
    Mapping,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Predicted(cost) => write!(f, "predicted: {:.1e} evaluations, {:.0} MiB of memory", cost.evaluations, cost.mebibytes()),
            Step::Measuring { what } => write!(f, "measuring {what}"),
            Step::Baking { tiles, edge } => write!(f, "baking {tiles} {} of {edge}² samples", if *tiles == 1 { "tile" } else { "tiles" }),
            Step::Sealing => f.write_str("sealing"),
            Step::Mapping => f.write_str("making the map"),
        }
    }
}

/// Forwards the progress of questions about a whole world.
pub(super) struct Watched<'a>(pub &'a dyn Progress);

impl Watch for Watched<'_> {
    fn begins(&self, question: &Question, kept: bool) {
        let values = match (question.repeats_values(), kept) {
            (false, _) => "",
            (true, true) => ", with values kept in memory",
            (true, false) => ", with values evaluated again",
        };
        self.0.step(&Step::Measuring { what: format!("{question}{values}") });
    }

    fn done(&self, done: u64, total: u64) {
        self.0.tile(done, total);
    }

    fn stops(&self) -> bool {
        self.0.stops()
    }
}
