//! The world that a bake writes, and its checks.

use crate::bake::hash::hash;
use crate::bake::names::OVERVIEW;
use crate::bake::object::Object;
use crate::bake::product::Product;
use crate::bake::weights::layers_of;
use crate::bake::{BakeError, Layout, NoteFile, Plan, PlanError};
use crate::codec::Quantisation;
use crate::engine::Engine;
use crate::engine::measured::Measured;
use crate::error::{EngineError, LayersError};
use crate::graph::Noise;
use crate::program::Program;
use crate::stage::Pipeline;
use crate::world::one::Checkpoint;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The default of [`World::patience`].
const PATIENCE: Duration = Duration::from_millis(500);

/// A world to bake.
#[derive(Clone, Debug)]
pub struct World<'a> {
    /// The noise and its stages.
    pub pipeline: &'a Pipeline,
    /// The tiles.
    pub plan: &'a Plan,
    /// The products of each tile, one file for each.
    pub products: &'a [Product],
    /// File names and orientation.
    pub layout: Layout,
    /// Files written next to the tiles: none, or the notes of a [preset](crate::bake::Preset). Worlds of shards have none.
    pub notes: &'a [NoteFile],
    /// Whether `overview.png` is drawn: the whole world, shaded, from the samples in its tiles.
    pub overview: bool,
    /// The answers about the whole world that the pipeline contains and its recipe does not. `None`: it contains no others, and
    /// missing ones are measured over the plan's tiles.
    pub answered: Option<Answered<'a>>,
    /// The longest time that a finished tile waits to be synced together with others. A kill loses at most this much work. It
    /// should be long compared with a sync.
    pub patience: Duration,
}

/// A pipeline as its author wrote it, and the answers about the whole world that its stages and ranges need.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The pipeline without the answers.
    pub recipe: &'a Pipeline,
    /// The answers, as the folder stores them.
    pub answers: &'a [Object],
}

impl<'a> World<'a> {
    /// A world with an overview, and the layout without a destination.
    pub fn new(pipeline: &'a Pipeline, plan: &'a Plan, products: &'a [Product]) -> Self {
        World {
            pipeline,
            plan,
            products,
            layout: Layout::of(plan, products),
            notes: &[],
            overview: true,
            answered: None,
            patience: PATIENCE,
        }
    }

    /// Checks everything that can be refused before a folder is touched.
    ///
    /// # Errors
    /// Returns an error if the plan, the pipeline or a range is invalid, or a noise cannot be evaluated there. Layers whose files
    /// would have the same name are an error, too.
    pub fn check(&self) -> Result<(), BakeError> {
        self.checked().map(|_| ())
    }

    /// [`check`](Self::check), and the declared range of each product that has one.
    pub(super) fn checked(&self) -> Result<Vec<Option<Quantisation>>, BakeError> {
        self.plan.check()?;
        self.pipeline.check().map_err(LayersError::from)?;
        if self.products.is_empty() {
            return Err(PlanError::not_allowed("layers", "none", "one or more").into());
        }
        #[cfg(feature = "zarr")]
        if self.layout.is_array() || self.products.iter().any(|product| product.format.is_array()) {
            crate::bake::arrays::check(self.plan, self.products)?;
        }
        let mut names: HashMap<String, &str> = HashMap::new();
        for (k, product) in self.products.iter().enumerate() {
            let file = self.layout.file_name((0, 0), product, k);
            if let Some(other) = names.get(file.as_str()) {
                let value = format!("'{other}' and '{}', whose files would both be called {file},", product.layer);
                return Err(PlanError::not_allowed("layers", value, "layers whose files have different names").into());
            }
            names.insert(file, &product.layer);
        }
        self.products.iter().enumerate().try_for_each(|(k, product)| product.check(self.pipeline, k))?;
        let quantise = ranges(self.pipeline, self.products)?;
        if let Some(noise) = self.noise() {
            let program = Program::new(noise.graph()).map_err(EngineError::from)?;
            for corner in self.plan.corners() {
                program.grids(&corner).map_err(EngineError::from)?;
            }
        }
        Ok(quantise)
    }

    /// [`checked`](Self::checked), for a bake in a single folder.
    pub(super) fn checked_alone(&self) -> Result<Vec<Option<Quantisation>>, BakeError> {
        if let Some(product) = self.products.iter().find(|product| product.format.is_array()) {
            let allowed = "formats with a file for each tile; arrays as a world of shards, one shard included";
            return Err(PlanError::not_allowed("format", product.format.name(), allowed).into());
        }
        self.plan.check_alone("at most 16777216 tiles in all; more as a world of shards")?;
        self.checked()
    }

    /// The noise, if the only product is one: it is evaluated tile by tile, everything else in blocks.
    pub(super) fn noise(&self) -> Option<Noise> {
        let [product] = self.products else { return None };
        self.pipeline.is_noise(&product.layer).then(|| self.pipeline.noise(&product.layer))
    }

    /// The pipeline with its answers about the world; `None` for a noise, which needs none.
    pub(super) fn ready(&self, engine: &Engine, checkpoint: &mut dyn Checkpoint) -> Result<Option<Measured>, BakeError> {
        match self.noise() {
            Some(_) => Ok(None),
            None => Ok(Some(engine.measured_noting(self.pipeline, &self.layers(), &self.plan.world(), checkpoint)?)),
        }
    }

    /// Identifies the answers about the plan's tiles.
    pub(super) fn key(&self) -> String {
        format!("{} {:?}", hash(self.pipeline), self.plan)
    }

    pub(super) fn layers(&self) -> Vec<&'a str> {
        layers_of(self.products)
    }

    /// The parts of its file names besides the tile.
    pub(super) fn names(&self) -> HashSet<String> {
        self.layout.beside_tiles(self.products).chain(self.overview.then(|| OVERVIEW.to_owned())).collect()
    }
}

/// The declared range of each product that has one.
///
/// # Errors
/// Returns an error if a range is invalid, or an integer format of values has none.
fn ranges(pipeline: &Pipeline, products: &[Product]) -> Result<Vec<Option<Quantisation>>, BakeError> {
    let mut quantise = Vec::new();
    for product in products {
        quantise.push(product.quantisation()?);
        let channels = product.channels(pipeline)?;
        if product.range.is_none() && product.format.is_integer() && channels == 1 {
            let value = format!("none for '{}'", product.layer);
            return Err(PlanError::not_allowed("range", value, "a range, for values as integers").into());
        }
    }
    Ok(quantise)
}
