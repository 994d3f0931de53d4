//! Requests: a bake as a value, with its defaults, checks and refusals.
//!
//! `Request (recipe, options) → Resolved (plan, files of a tile) → Cost → a folder, or a world of shards`. The command, the
//! studio, Python and C each fill in a request and leave the rest to it, so all four write the same files.
//!
//! ```
//! use orogen::bake::{Format, Outcome, Request};
//! use orogen::{Engine, Noise, Recipe};
//!
//! let hills = Recipe::new(Noise::simplex(Default::default()).named("hills"));
//! let folder = std::env::temp_dir().join(format!("orogen-request-{}", std::process::id()));
//! let request = Request::new(hills).tiles("0..2,0..1".parse()?).tile(64).format(Format::Npy);
//! let Outcome { written, root, .. } = request.bake(&Engine::new()?, &folder, &())?;
//! assert_eq!(written, 2);
//! println!("{root:?}");
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cost;
mod options;
mod resolve;
mod run;

pub use cost::Cost;
pub use options::{LayerOptions, Options, RangeChoice};
pub use resolve::{FileRange, LayerFile, Resolved};
pub use run::{Outcome, PlannedWorld};

use crate::bake::{Format, Tiles};
use crate::recipe::{Destination, Recipe};
use serde::{Deserialize, Serialize};

/// A bake: a recipe, and the choices that differ from its defaults.
///
/// [`resolve`](Self::resolve) and every bake check a request that was read as text. Memory and threads are properties of the
/// [`Engine`](crate::Engine) that evaluates it, and change no bit of the files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The noise, its stages, and most defaults.
    pub recipe: Recipe,
    /// The choices that differ from the defaults.
    #[serde(default)]
    pub options: Options,
}

impl Request {
    /// A bake of a recipe with all defaults.
    pub fn new(recipe: Recipe) -> Self {
        Request { recipe, options: Options::default() }
    }

    /// The tiles, in place of all tiles of the recipe.
    #[must_use]
    pub fn tiles(mut self, tiles: Tiles) -> Self {
        self.options.tiles = Some(tiles);
        self
    }

    /// Samples along each edge of a tile, 1 to 16384.
    #[must_use]
    pub fn tile(mut self, samples: u32) -> Self {
        self.options.tile = Some(samples);
        self
    }

    /// Level of detail; each level doubles the distance between samples.
    #[must_use]
    pub fn level(mut self, level: u32) -> Self {
        self.options.level = level;
        self
    }

    /// Samples that each tile shares with its neighbours.
    #[must_use]
    pub fn overlap(mut self, samples: u32) -> Self {
        self.options.overlap = Some(samples);
        self
    }

    /// World height of the plane.
    #[must_use]
    pub fn z(mut self, z: f64) -> Self {
        self.options.z = Some(z);
        self
    }

    /// The program that the files are for.
    #[must_use]
    pub fn destination(mut self, destination: Destination) -> Self {
        self.options.destination = Some(destination);
        self
    }

    /// The layers to write, heights first.
    #[must_use]
    pub fn layers(mut self, layers: impl IntoIterator<Item = impl Into<LayerOptions>>) -> Self {
        self.options.layers = layers.into_iter().map(Into::into).collect();
        self
    }

    /// The format of layers that have none of their own.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.options.format = Some(format);
        self
    }

    /// The range of integer formats.
    #[must_use]
    pub fn range(mut self, range: RangeChoice) -> Self {
        self.options.range = Some(range);
        self
    }

    /// Whether `overview.png` is drawn.
    #[must_use]
    pub fn overview(mut self, overview: bool) -> Self {
        self.options.overview = overview;
        self
    }

    /// Whether to exceed the limits of [`Cost::check`].
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.options.force = force;
        self
    }
}
