//! Bakes from the page: the options of `orogen bake`, into a subfolder of the output folder.

use super::Studio;
use super::live::Live;
use super::lock::lock;
use super::refusal::{ErrorResponse, Reason};
use crate::exit::Failure;
use crate::signal;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use clap::ValueEnum;
use orogen::Destination;
use orogen::bake::layout::RowOrder;
use orogen::bake::manifest::RangeRecord;
use orogen::bake::preset::Preset;
use orogen::bake::request::{LayerFile, LayerOptions, Resolved};
use orogen::bake::{Format, Options, Outcome, Progress, Request, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Interval between progress reports to pages.
const OFTEN: Duration = Duration::from_millis(100);

/// A request for a bake. Omitted fields take the defaults of the recipe or the command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BakeForm {
    text: String,
    folder: String,
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

/// The destinations of a bake.
pub fn destinations() -> Vec<Value> {
    let told = |destination: &Destination| {
        let doc = destination.to_possible_value()?.get_help()?.to_string();
        Some(json!({ "name": destination.name(), "doc": doc, "formats": Preset::formats(*destination) }))
    };
    Destination::value_variants().iter().filter_map(told).collect()
}

/// Reports progress to pages.
struct Teller {
    live: Arc<Live>,
    stop: Arc<AtomicBool>,
    last: Mutex<Option<Instant>>,
    /// The current step, in words.
    step: Mutex<Option<String>>,
}

impl Teller {
    fn tell(&self, done: u64, total: u64) {
        let step = lock(&self.step).clone();
        self.live.send(&json!({ "bake": { "done": done, "total": total, "step": step } }));
    }
}

impl Progress for Teller {
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
        self.stop.load(Ordering::Relaxed) || signal::stops()
    }
}

/// A subfolder of the output folder.
fn folder(out: &Path, name: &str) -> Result<PathBuf, ErrorResponse> {
    let refuse = |why: &str| {
        ErrorResponse::bad(format!(
            "folder '{name}' is not allowed{why}; allowed: a name without '/', '\\' or ':', beginning with a letter or digit"
        ))
    };
    let one = Path::new(name).components().collect::<Vec<_>>();
    let plain =
        matches!(one[..], [Component::Normal(_)]) && !name.contains(['/', '\\', ':', '\0']) && name.starts_with(char::is_alphanumeric);
    if !plain {
        return Err(refuse(""));
    }
    let path = out.join(name);
    // A link could lead anywhere.
    if path.symlink_metadata().is_ok_and(|is| !is.is_dir()) {
        return Err(refuse(": this name exists and is not a folder"));
    }
    Ok(path)
}

impl BakeForm {
    /// The choices of the dialogue; empty fields keep their defaults.
    fn options(&self) -> Result<Options, ErrorResponse> {
        let BakeForm { text: _, folder: _, r#for, layers, format, range, tiles, tile, overlap } = self;
        let options = Options {
            destination: choice("for", r#for.as_deref())?,
            layers: layers.iter().flat_map(|layers| layers.split(',')).map(LayerOptions::from).collect(),
            format: choice("format", format.as_deref())?,
            range: parsed("range", range.as_deref())?,
            tiles: parsed("tiles", tiles.as_deref())?,
            tile: *tile,
            overlap: *overlap,
            ..Options::default()
        };
        match options.format {
            Some(format) if format.is_array() => Err(ErrorResponse::bad(format!(
                "format {} is not allowed in the studio; allowed: formats with one file for each tile",
                format.name()
            ))),
            _ => Ok(options),
        }
    }
}

/// Looks up a choice by its name.
fn choice<T: ValueEnum>(what: &str, name: Option<&str>) -> Result<Option<T>, ErrorResponse> {
    let Some(name) = name else { return Ok(None) };
    T::from_str(name, false).map(Some).map_err(|_| {
        let names = T::value_variants().iter().filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()));
        ErrorResponse::bad(format!("{what} = {name} is not allowed; allowed: {}", names.collect::<Vec<_>>().join(", ")))
    })
}

/// Parses a choice that is text.
fn parsed<T: FromStr<Err = String>>(what: &str, text: Option<&str>) -> Result<Option<T>, ErrorResponse> {
    text.map(|text| text.parse().map_err(|error| ErrorResponse::bad(format!("{what}: {error}")))).transpose()
}

/// `POST /api/bake/plan`.
pub async fn plan(State(studio): State<Arc<Studio>>, Json(wanted): Json<BakeForm>) -> Result<Json<BakePreview>, ErrorResponse> {
    let options = wanted.options()?;
    let answer = studio.blocking(move |studio, waits| {
        let known = studio.read(&wanted.text, waits)?;
        let request = Request { recipe: known.recipe.clone(), options };
        let Resolved { plan, preset, files, .. } = request.resolve().map_err(|error| ErrorResponse::bad(Failure::from(error)))?;
        let file = |file: LayerFile| PlannedFile {
            range: if file.is_measured() { Some(Range::Measured("measured")) } else { file.declared().map(Range::Known) },
            layer: file.layer,
            format: file.format,
        };
        Ok(Json(BakePreview {
            r#for: preset.as_ref().map(|preset| preset.destination),
            tiles: plan.count(),
            edge: plan.tile + plan.overlap,
            overlap: plan.overlap,
            rows: preset.map(|preset| preset.layout.rows).unwrap_or_default(),
            files: files.into_iter().map(file).collect(),
        }))
    });
    answer.await
}

/// `POST /api/bake`.
pub async fn start(State(studio): State<Arc<Studio>>, Json(wanted): Json<BakeForm>) -> Result<StatusCode, ErrorResponse> {
    let Some(out) = &studio.out else {
        return Err(ErrorResponse::bad("there is no output folder; start the server with --out DIR, or with a recipe"));
    };
    let path = folder(out, &wanted.folder)?;
    let options = wanted.options()?;
    let BakeForm { text, folder, .. } = wanted;
    let known = studio.blocking(move |studio, waits| Ok(studio.read(&text, waits)?)).await?;
    let stop = Arc::new(AtomicBool::new(false));
    {
        let mut bake = lock(&studio.bake);
        if bake.is_some() {
            return Err(ErrorResponse::new(StatusCode::CONFLICT, "a bake is running; allowed: one at a time"));
        }
        *bake = Some(Arc::clone(&stop));
    }
    tokio::task::spawn_blocking(move || {
        let teller = Teller { live: Arc::clone(&studio.live), stop, last: Mutex::default(), step: Mutex::default() };
        // Pages learn at once that a bake runs, before anything is measured.
        teller.tell(0, 0);
        let request = Request { recipe: known.recipe.clone(), options };
        let told = match request.bake(&studio.compute.engine(), &path, &teller) {
            Ok(Outcome { root, tiles, products, .. }) => json!({ "bake": {
                "root": root, "folder": folder, "files": tiles * products.len() as u64,
            } }),
            Err(error) => json!({ "bake": { "error": Reason::new(Failure::from(error)) } }),
        };
        *lock(&studio.bake) = None;
        studio.live.send(&told);
        if signal::stops() {
            std::process::exit(0);
        }
    });
    Ok(StatusCode::ACCEPTED)
}

/// `DELETE /api/bake`.
pub async fn stop(State(studio): State<Arc<Studio>>) -> StatusCode {
    if let Some(stop) = &*lock(&studio.bake) {
        stop.store(true, Ordering::Relaxed);
    }
    StatusCode::NO_CONTENT
}
