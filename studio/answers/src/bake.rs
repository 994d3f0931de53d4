//! Bakes from the page: the choices of its dialogue, their plan, and the messages while a bake runs.

use crate::clock::Instant;
use crate::lock;
use crate::refusal::{Reason, Refusal, chain};
use orogen::bake::layout::RowOrder;
use orogen::bake::manifest::RangeRecord;
use orogen::bake::preset::Preset;
use orogen::bake::request::{LayerFile, LayerOptions, Resolved};
use orogen::bake::{BakeError, Format, Options, Outcome, Progress, Request, Step};
use orogen::{Destination, Recipe};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::str::FromStr;
use std::sync::Mutex;
use std::time::Duration;

/// Interval between messages about progress.
const OFTEN: Duration = Duration::from_millis(100);

/// A request for a bake. Omitted fields take the defaults of the recipe or the command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BakeForm {
    /// The recipe's text.
    pub text: String,
    /// The name of the folder.
    pub folder: String,
    r#for: Option<String>,
    layers: Option<String>,
    format: Option<String>,
    range: Option<String>,
    tiles: Option<String>,
    tile: Option<u32>,
    overlap: Option<u32>,
}

/// The planned output.
#[derive(Debug, Serialize)]
pub struct BakePreview {
    r#for: Option<Destination>,
    tiles: u64,
    edge: u32,
    overlap: u32,
    rows: RowOrder,
    files: Vec<PlannedFile>,
}

/// The files per layer and tile.
#[derive(Debug, Serialize)]
struct PlannedFile {
    layer: String,
    format: Format,
    range: Option<Range>,
}

/// The declared range, or a word for a range that is not yet known.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Range {
    Known(RangeRecord),
    Measured(&'static str),
}

/// The destinations of a bake, as in `About`.
pub fn destinations() -> Vec<Value> {
    let told = |destination: &Destination| {
        let doc = destination.doc().trim_end_matches('.');
        json!({ "name": destination.name(), "doc": doc, "formats": Preset::formats(*destination) })
    };
    Destination::ALL.iter().map(told).collect()
}

/// The formats of a bake, as in `About`.
pub fn formats() -> Vec<&'static str> {
    offered().into_iter().map(Format::name).collect()
}

/// Arrays need worlds of shards, which the studio does not bake.
fn offered() -> Vec<Format> {
    Format::choices().filter(|format| !format.is_array()).collect()
}

impl BakeForm {
    /// The bake of its recipe; empty fields keep their defaults.
    ///
    /// # Errors
    /// Status 400, with the field, its value, and what is allowed.
    pub fn request(&self, recipe: &Recipe) -> Result<Request, Refusal> {
        Ok(Request { recipe: recipe.clone(), options: self.options()? })
    }

    /// Checks the name of its folder.
    ///
    /// # Errors
    /// Status 400 if it could lead elsewhere.
    pub fn check_folder(&self) -> Result<(), Refusal> {
        let plain = !self.folder.contains(['/', '\\', ':', '\0']) && self.folder.starts_with(char::is_alphanumeric);
        if plain { Ok(()) } else { Err(self.refuse_folder("")) }
    }

    /// The refusal of its folder, with a reason that begins with a colon.
    pub fn refuse_folder(&self, why: &str) -> Refusal {
        let allowed = "a name without '/', '\\' or ':', beginning with a letter or digit";
        Refusal::bad(format!("folder '{}' is not allowed{why}; allowed: {allowed}", self.folder))
    }

    fn options(&self) -> Result<Options, Refusal> {
        let BakeForm { text: _, folder: _, r#for, layers, format, range, tiles, tile, overlap } = self;
        Ok(Options {
            destination: choice("for", r#for.as_deref(), Destination::ALL, Destination::name)?,
            layers: layers.iter().flat_map(|layers| layers.split(',')).map(LayerOptions::from).collect(),
            format: choice("format", format.as_deref(), &offered(), Format::name)?,
            range: parsed("range", range.as_deref())?,
            tiles: parsed("tiles", tiles.as_deref())?,
            tile: *tile,
            overlap: *overlap,
            ..Options::default()
        })
    }

    /// The files that it writes.
    ///
    /// # Errors
    /// Status 400, with the reason.
    pub fn plan(&self, recipe: &Recipe) -> Result<BakePreview, Refusal> {
        let resolved = self.request(recipe)?.resolve();
        let Resolved { plan, preset, files, .. } = resolved.map_err(|error| Refusal::bad(chain(&error)))?;
        let file = |file: LayerFile| PlannedFile {
            range: if file.is_measured() { Some(Range::Measured("measured")) } else { file.declared().map(Range::Known) },
            layer: file.layer,
            format: file.format,
        };
        Ok(BakePreview {
            r#for: preset.as_ref().map(|preset| preset.destination),
            tiles: plan.count(),
            edge: plan.tile + plan.overlap,
            overlap: plan.overlap,
            rows: preset.map(|preset| preset.layout.rows).unwrap_or_default(),
            files: files.into_iter().map(file).collect(),
        })
    }
}

/// Looks up a choice by its name.
fn choice<T: Copy>(what: &str, name: Option<&str>, all: &[T], named: fn(T) -> &'static str) -> Result<Option<T>, Refusal> {
    let Some(name) = name else { return Ok(None) };
    all.iter().find(|one| named(**one) == name).map(|one| Some(*one)).ok_or_else(|| {
        let names = all.iter().map(|one| named(*one)).collect::<Vec<_>>().join(", ");
        Refusal::bad(format!("{what} = {name} is not allowed; allowed: {names}"))
    })
}

/// Parses a choice that is text.
fn parsed<T: FromStr<Err = String>>(what: &str, text: Option<&str>) -> Result<Option<T>, Refusal> {
    text.map(|text| text.parse().map_err(|error| Refusal::bad(format!("{what}: {error}")))).transpose()
}

/// The progress of a bake as messages of the protocol, at most ten a second.
pub struct Teller<Send, Stops> {
    send: Send,
    stops: Stops,
    last: Mutex<Option<Instant>>,
    /// The current step, in words.
    step: Mutex<Option<String>>,
}

impl<Send: Fn(&Value) + Sync, Stops: Fn() -> bool + Sync> Teller<Send, Stops> {
    /// Reports at once that a bake runs, before anything is measured.
    pub fn new(send: Send, stops: Stops) -> Self {
        let teller = Teller { send, stops, last: Mutex::default(), step: Mutex::default() };
        teller.tell(0, 0);
        teller
    }

    fn tell(&self, done: u64, total: u64) {
        let step = lock(&self.step).clone();
        (self.send)(&json!({ "bake": { "done": done, "total": total, "step": step } }));
    }

    /// Reports the end of the bake.
    pub fn end(&self, folder: &str, outcome: Result<Outcome, Reason>) {
        (self.send)(&match outcome {
            Ok(Outcome { root, tiles, products, .. }) => {
                json!({ "bake": { "root": root, "folder": folder, "files": tiles * products.len() as u64 } })
            }
            Err(reason) => json!({ "bake": { "error": reason } }),
        });
    }
}

impl<Send: Fn(&Value) + Sync, Stops: Fn() -> bool + Sync> Progress for Teller<Send, Stops> {
    fn tile(&self, done: u64, total: u64) {
        let mut last = lock(&self.last);
        if done == total || last.is_none_or(|last| last.elapsed() >= OFTEN) {
            *last = Some(Instant::now());
            self.tell(done, total);
        }
    }

    fn step(&self, step: &Step) {
        let total = if let Step::Baking { tiles, .. } = step { *tiles } else { 0 };
        *lock(&self.step) = Some(step.to_string());
        *lock(&self.last) = None;
        self.tell(0, total);
    }

    fn stops(&self) -> bool {
        (self.stops)()
    }
}

impl From<BakeError> for Reason {
    fn from(error: BakeError) -> Self {
        Reason::new(chain(&error))
    }
}
