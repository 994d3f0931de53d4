//! Cache of the recipes that pages have asked about, by content.

use crate::clock::Instant;
use crate::lock::lock;
use crate::recent::Recent;
use crate::refusal::{Reason, Refusal};
use crate::written::Written;
use orogen::stage::{Pipeline, Stage};
use orogen::{Engine, Noise, Prepared, Recipe, RecipeReader, Region};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Number of cached recipes: revisions of the last minutes, so that versions can be compared.
const KEPT: usize = 256;
/// Time limit for describing layers.
const PATIENCE: Duration = Duration::from_millis(200);
/// Edge of the block, in samples, for which the cost of a stage is estimated.
const ESTIMATED: u32 = 256;

/// A recipe with its cached results.
pub struct OpenRecipe {
    /// Its identifier: a hash of everything that affects the result.
    pub id: String,
    /// The recipe.
    pub recipe: Recipe,
    handles: Arc<Recent<Prepared>>,
    /// The range and the slope with which a layer's tiles are drawn.
    looks: Mutex<HashMap<String, Look>>,
    /// By level: the pipeline with whole-world measurements of its stages, or the reason why they are unavailable.
    pub measured: Mutex<BTreeMap<u32, Result<Pipeline, Reason>>>,
}

/// A range of values and a median slope.
type Look = ([f32; 2], f32);

/// Description of a layer of a recipe.
#[derive(Clone, Debug, Serialize)]
pub struct LayerInfo {
    layer: String,
    table: &'static str,
    name: String,
    /// Whether it has a value at every position, not at samples only.
    noise: bool,
    channels: usize,
    range: Option<[f64; 2]>,
    cost: Option<f64>,
}

impl LayerInfo {
    /// The node or stage that it belongs to.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The layer, listed with those of nodes.
    #[must_use]
    pub(crate) fn of_node(self) -> Self {
        LayerInfo { table: "node", ..self }
    }
}

impl OpenRecipe {
    fn new(recipe: Recipe, id: String, handles: Arc<Recent<Prepared>>) -> Self {
        OpenRecipe { id, recipe, handles, looks: Mutex::default(), measured: Mutex::default() }
    }

    /// A node's noise, prepared once for successive requests.
    ///
    /// # Errors
    /// Returns an error if there is no such node, or if it cannot be evaluated.
    pub fn prepared(&self, engine: &Engine, layer: &str) -> Result<Prepared, Refusal> {
        // Handles of a lost device are not valid on the engine that replaced it.
        let key = format!("{} {:?} {layer}", self.id, engine.describe().backend);
        if let Some(prepared) = self.handles.get(&key) {
            return Ok(prepared);
        }
        let noise: Noise = self.recipe.pipeline.noise_of(layer).map_err(Refusal::missing)?;
        let prepared = engine.prepare(&noise).map_err(|error| Refusal::from(Reason::new(error)))?;
        self.handles.insert(key, prepared.clone());
        Ok(prepared)
    }

    /// The drawing parameters of a layer's tiles, computed once.
    pub fn look<E>(&self, layer: &str, find: impl FnOnce() -> Result<Look, E>) -> Result<Look, E> {
        if let Some(look) = lock(&self.looks).get(layer) {
            return Ok(*look);
        }
        let look = find()?;
        lock(&self.looks).insert(layer.to_owned(), look);
        Ok(look)
    }

    /// The samples of the recipe's world at a level.
    pub fn world(&self, level: u32) -> Region {
        let bake = &self.recipe.bake;
        let [width, height] = bake.tiles.map(|tiles| (tiles.saturating_mul(bake.tile) >> level.min(31)).max(1));
        Region { level, spacing: bake.spacing, anchor: [0.0, 0.0, bake.z], ..Region::plane(width, height) }
    }

    /// Whether its stages exist inside the recipe's world only: one of them traces the water of that world.
    pub fn is_bounded(&self) -> bool {
        self.recipe.pipeline.stage.values().any(|stage| matches!(stage, Stage::Drainage(_)))
    }

    /// Whether a layer is a noise instead of a stage's output.
    pub fn is_noise(&self, layer: &str) -> bool {
        self.recipe.pipeline.is_noise(layer)
    }

    /// Describes all layers. Ranges and costs are included as far as time allows, so a recipe of thousands of nodes is still
    /// answered.
    pub fn layers(&self, engine: &Engine) -> Vec<LayerInfo> {
        let pipeline = &self.recipe.pipeline;
        let start = Instant::now();
        let in_time = || start.elapsed() < PATIENCE;
        let pair = |range: orogen::Interval| Some([range.lo, range.hi]).filter(|range| range.iter().all(|x| x.is_finite()));
        // Not by `prepared`, which would cache every layer instead of those in use.
        let lowered = |name: &String| engine.prepare(&pipeline.noise_of(name).ok()?).ok();
        let region = Region { spacing: self.recipe.bake.spacing, ..Region::plane(ESTIMATED, ESTIMATED) };
        let sampled = |table, name: &String, layer: String, channels| {
            let estimate = in_time().then(|| engine.estimate(pipeline, &[&layer], &region).ok()).flatten();
            LayerInfo {
                table,
                name: name.clone(),
                noise: false,
                channels,
                range: in_time().then(|| pipeline.range(&layer)).flatten().and_then(pair),
                cost: estimate.map(|estimate| estimate.terms as f64 / region.samples() as f64),
                layer,
            }
        };
        let nodes = pipeline.node.iter().map(|(name, node)| {
            // Tables have no range.
            let channels = node.info().outputs.len();
            if !pipeline.is_noise(name) {
                return sampled("node", name, name.clone(), channels);
            }
            let lowered = (channels > 0 && in_time()).then(|| lowered(name)).flatten();
            LayerInfo {
                layer: name.clone(),
                table: "node",
                name: name.clone(),
                noise: true,
                channels,
                range: lowered.as_ref().map(Prepared::range).and_then(pair),
                cost: lowered.as_ref().map(|lowered| lowered.terms() as f64),
            }
        });
        let stages = pipeline.stage.iter().flat_map(|(name, stage)| {
            stage.outputs().iter().map(move |output| {
                let layer = if output.name.is_empty() { name.clone() } else { format!("{name}.{}", output.name) };
                let channels = pipeline.channels(&layer).unwrap_or(output.channels);
                sampled("stage", name, layer, channels)
            })
        });
        nodes.chain(stages).collect()
    }
}

/// Number of cached prepared noises, each up to some 200 KB.
const HANDLES: usize = 64;

/// The cached recipes, and their recently prepared noises by recipe, engine and layer.
pub struct Shelf {
    recipes: Recent<Arc<OpenRecipe>>,
    handles: Arc<Recent<Prepared>>,
}

impl Default for Shelf {
    fn default() -> Self {
        Shelf { recipes: Recent::new(KEPT, |_| 1), handles: Arc::new(Recent::new(HANDLES, |_| 1)) }
    }
}

impl Shelf {
    /// Parses a recipe's text and caches the result. `file` is the name in messages; `reader` reads the files that it names.
    ///
    /// # Errors
    /// Returns the errors of the recipe with their positions.
    pub fn read(&self, text: &str, file: &str, reader: RecipeReader<'_>) -> Result<(Arc<OpenRecipe>, Written), Reason> {
        let (recipe, written) = Written::of(reader.toml(text, file).map_err(Reason::from)?);
        let meaning = recipe.to_json().map_err(Reason::from)?;
        let id = hash(&meaning)[..24].to_owned();
        if let Some(known) = self.recipes.get(&id) {
            return Ok((known, written));
        }
        let known = Arc::new(OpenRecipe::new(recipe, id.clone(), Arc::clone(&self.handles)));
        self.recipes.insert(id, Arc::clone(&known));
        Ok((known, written))
    }

    /// Finds a recipe by its identifier.
    ///
    /// # Errors
    /// Returns an error if the recipe is no longer cached.
    pub fn get(&self, id: &str) -> Result<Arc<OpenRecipe>, Refusal> {
        let gone = || Refusal::new(Refusal::GONE, format!("recipe {id} is no longer cached; check its text again"));
        self.recipes.get(id).ok_or_else(gone)
    }
}

/// SHA-256, in hexadecimal digits.
pub fn hash(text: &str) -> String {
    hex(&Sha256::digest(text))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
