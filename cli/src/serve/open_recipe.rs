//! Recipes that pages have asked about, by what they mean.

use super::compute::Waits;
use super::recent::Recent;
use super::refusal::{ErrorResponse, Reason};
use orogen::node::{Heights, HeightsError, HeightsFile};
use orogen::stage::Pipeline;
use orogen::{Engine, Noise, Prepared, Recipe, Region, limits};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Recipes that are kept: revisions of the last minutes, so that before and after can be compared.
const KEPT: usize = 256;
/// How long what is said of layers may take.
const PATIENCE: Duration = Duration::from_millis(200);
/// Samples along each edge of the block that a stage's cost is estimated of.
const ESTIMATED: u32 = 256;

/// A recipe and what has been made of it so far.
pub struct OpenRecipe {
    /// Its name: a hash of all that decides what is seen.
    pub id: String,
    pub recipe: Recipe,
    handles: Arc<Recent<Prepared>>,
    /// The range and the slope that tiles of a layer are drawn with.
    looks: Mutex<HashMap<String, Look>>,
    /// With what stages need of the whole world; or why that is not to be had.
    pub measured: Mutex<Option<Result<Pipeline, Reason>>>,
}

/// A range of values and a middling slope.
type Look = ([f32; 2], f32);

/// What is said of a layer of a recipe.
#[derive(Clone, Debug, Serialize)]
pub struct LayerInfo {
    layer: String,
    table: &'static str,
    name: String,
    channels: usize,
    range: Option<[f64; 2]>,
    cost: Option<f64>,
}

impl OpenRecipe {
    fn new(recipe: Recipe, id: String, handles: Arc<Recent<Prepared>>) -> Self {
        OpenRecipe { id, recipe, handles, looks: Mutex::default(), measured: Mutex::default() }
    }

    /// A node's noise, lowered once for requests that follow each other.
    ///
    /// # Errors
    /// No node, or none that can be evaluated.
    pub fn prepared(&self, engine: &Engine, layer: &str) -> Result<Prepared, ErrorResponse> {
        // A lost device's handles are of no use to the engine that took its place.
        let key = format!("{} {:?} {layer}", self.id, engine.describe().backend);
        if let Some(prepared) = self.handles.get(&key) {
            return Ok(prepared);
        }
        let noise: Noise = self.recipe.pipeline.noise_of(layer).map_err(ErrorResponse::missing)?;
        let prepared = engine.prepare(&noise).map_err(|error| ErrorResponse::from(Reason::new(error)))?;
        self.handles.insert(key, prepared.clone());
        Ok(prepared)
    }

    /// How a layer's tiles are drawn, found out once.
    pub fn look<E>(&self, layer: &str, find: impl FnOnce() -> Result<Look, E>) -> Result<Look, E> {
        if let Some(look) = lock(&self.looks).get(layer) {
            return Ok(*look);
        }
        let look = find()?;
        lock(&self.looks).insert(layer.to_owned(), look);
        Ok(look)
    }

    /// Whether a layer is a noise, and not made by stages.
    pub fn is_noise(&self, layer: &str) -> bool {
        self.recipe.pipeline.node.contains_key(layer)
    }

    /// All that there is to see. Ranges and costs are told as far as there is time: a recipe of thousands of nodes still answers.
    pub fn layers(&self, engine: &Engine) -> Vec<LayerInfo> {
        let pipeline = &self.recipe.pipeline;
        let start = Instant::now();
        let in_time = || start.elapsed() < PATIENCE;
        let pair = |range: orogen::Interval| Some([range.lo, range.hi]).filter(|range| range.iter().all(|x| x.is_finite()));
        // Not by `prepared`: what is looked at is kept, and not all that there is.
        let lowered = |name: &String| engine.prepare(&pipeline.noise_of(name).ok()?).ok();
        let nodes = pipeline.node.iter().map(|(name, node)| {
            // Tables have none.
            let channels = node.info().outputs.len();
            let lowered = (channels > 0 && in_time()).then(|| lowered(name)).flatten();
            LayerInfo {
                layer: name.clone(),
                table: "node",
                name: name.clone(),
                channels,
                range: lowered.as_ref().map(Prepared::range).and_then(pair),
                cost: lowered.as_ref().map(|lowered| lowered.terms() as f64),
            }
        });
        let region = Region { spacing: self.recipe.bake.spacing, ..Region::plane(ESTIMATED, ESTIMATED) };
        let stages = pipeline.stage.iter().flat_map(|(name, stage)| {
            stage.outputs().iter().map(move |output| {
                let layer = if output.name.is_empty() { name.clone() } else { format!("{name}.{}", output.name) };
                let estimate = in_time().then(|| engine.estimate(pipeline, &[&layer], &region).ok()).flatten();
                LayerInfo {
                    table: "stage",
                    name: name.clone(),
                    channels: pipeline.channels(&layer).unwrap_or(output.channels),
                    range: in_time().then(|| pipeline.range(&layer)).flatten().and_then(pair),
                    cost: estimate.map(|estimate| estimate.terms as f64 / region.samples() as f64),
                    layer,
                }
            })
        });
        nodes.chain(stages).collect()
    }
}

/// Lowered noises that are kept: each may hold some 200 KB.
const HANDLES: usize = 64;

/// The recipes, and the noises of theirs that were lowered lately, by recipe, engine and layer.
pub struct Shelf {
    recipes: Recent<Arc<OpenRecipe>>,
    handles: Arc<Recent<Prepared>>,
    /// Files that recipes name.
    files: Recent<Heights>,
}

/// Samples of files that are kept: 1 GiB.
const FILES: usize = 1 << 28;

fn samples(heights: &Heights) -> usize {
    heights.values().map_or(0, <[f32]>::len)
}

impl Default for Shelf {
    fn default() -> Self {
        Shelf { recipes: Recent::new(KEPT, |_| 1), handles: Arc::new(Recent::new(HANDLES, |_| 1)), files: Recent::new(FILES, samples) }
    }
}

impl Shelf {
    /// Reads a recipe's text and keeps what it means.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(&self, text: &str, file: &str, folder: &Path, waits: &Waits) -> Result<Arc<OpenRecipe>, Reason> {
        let recipe = Recipe::from_toml_with(text, file, |file| self.heights(folder, file, waits)).map_err(Reason::from)?;
        let meaning = recipe.to_json().map_err(Reason::from)?;
        let id = hash(&meaning)[..24].to_owned();
        if let Some(known) = self.recipes.get(&id) {
            return Ok(known);
        }
        let known = Arc::new(OpenRecipe::new(recipe, id.clone(), Arc::clone(&self.handles)));
        self.recipes.insert(id, Arc::clone(&known));
        Ok(known)
    }

    /// The heights in a file within the recipe's folder, read anew only where it has changed, and for as long as someone waits for it.
    fn heights(&self, folder: &Path, file: &HeightsFile, waits: &Waits) -> Result<Heights, HeightsError> {
        let path = &within(folder, &file.name)?;
        file.check()?;
        let about = std::fs::metadata(path)?;
        let key = format!("{} {} {:?} {} {:?}", path.display(), about.len(), about.modified().ok(), file.encoding, file.columns);
        if let Some(heights) = self.files.get(&key) {
            return Ok(heights);
        }
        let bytes = read(path, waits)?;
        let heights = file.decode(&bytes)?;
        self.files.insert(key, heights.clone());
        Ok(heights)
    }

    /// The recipe of a name.
    ///
    /// # Errors
    /// It is not kept, or not any more.
    pub fn get(&self, id: &str) -> Result<Arc<OpenRecipe>, ErrorResponse> {
        let gone = || ErrorResponse::new(axum::http::StatusCode::GONE, format!("recipe {id} is not known any more; check its text again"));
        self.recipes.get(id).ok_or_else(gone)
    }
}

/// The path of a file that a recipe names, links resolved. The recipe may be anyone's: a shared link has a text, and opening it must not make
/// the server read other files of the user.
fn within(folder: &Path, name: &str) -> Result<PathBuf, HeightsError> {
    let outside = || HeightsError::Format("the studio reads files within the recipe's folder only".to_owned());
    if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.canonicalize()?;
    let path = folder.join(name).canonicalize()?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside()) }
}

/// Bytes read between two looks whether someone still waits.
const PIECE: u64 = 1 << 20;

/// A file's bytes.
fn read(path: &Path, waits: &Waits) -> std::io::Result<Vec<u8>> {
    let mut file = limits::open(path, limits::HEIGHTS)?;
    let mut bytes = Vec::new();
    loop {
        waits.check().map_err(|refusal| std::io::Error::other(refusal.reason.message.clone()))?;
        if file.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
}

/// SHA-256, in hexadecimal digits.
pub fn hash(text: &str) -> String {
    hex(&Sha256::digest(text))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a thread that panicked left is whole: nothing is changed step by step under these locks.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
