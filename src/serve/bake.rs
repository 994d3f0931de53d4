//! Baking from the page: what `orogen bake` does, with the same words, in a folder of the output folder.

use super::Studio;
use super::known::lock;
use super::live::Live;
use super::refusal::{Reason, Refusal};
use crate::cli::{Args, BakeArgs, Verb, bake, signal};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use clap::{Parser, ValueEnum};
use orogen::Destination;
use orogen::bake::{Format, Preset, Progress, RangeRecord, Rows, root};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often pages hear of progress.
const OFTEN: Duration = Duration::from_millis(100);

/// What is asked for; what is not given is as the recipe or the command has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
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

/// What is going to be written.
#[derive(Debug, Serialize)]
pub struct Told {
    r#for: Option<Destination>,
    tiles: u64,
    edge: u32,
    overlap: u32,
    rows: Rows,
    files: Vec<File>,
}

/// What is written of a layer for each tile.
#[derive(Debug, Serialize)]
struct File {
    layer: String,
    format: Format,
    range: Option<Range>,
}

/// The range that it declares: one that is known, or the word for one that is not.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Range {
    Known(RangeRecord),
    Measured(&'static str),
}

/// The programs that a bake can be for.
pub fn destinations() -> Vec<Value> {
    let told = |destination: &Destination| {
        let doc = destination.to_possible_value()?.get_help()?.to_string();
        Some(json!({ "name": destination.name(), "doc": doc, "formats": Preset::formats(*destination) }))
    };
    Destination::value_variants().iter().filter_map(told).collect()
}

/// Tells pages how far it is.
struct Teller {
    live: Arc<Live>,
    stop: Arc<AtomicBool>,
    last: Mutex<Option<Instant>>,
}

impl Progress for Teller {
    fn tile(&self, done: u64, total: u64) {
        let mut last = lock(&self.last);
        if done == total || last.is_none_or(|last| last.elapsed() >= OFTEN) {
            *last = Some(Instant::now());
            self.live.send(&json!({ "bake": { "done": done, "total": total } }));
        }
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || signal::stops()
    }
}

/// A folder in the output folder, and nowhere else.
fn folder(out: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let refuse = |why: &str| {
        Refusal::bad(format!(
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
        return Err(refuse(": there is something else of this name"));
    }
    Ok(path)
}

/// The arguments that `orogen bake` would be given.
fn arguments(wanted: &Wanted, out: &Path) -> Result<BakeArgs, Refusal> {
    let Wanted { text: _, folder: _, r#for, layers, format, range, tiles, tile, overlap } = wanted;
    let words = [("--for", r#for), ("--layers", layers), ("--format", format), ("--range", range), ("--tiles", tiles)];
    let words = words.into_iter().filter_map(|(flag, value)| value.as_ref().map(|value| format!("{flag}={value}")));
    let numbers = [("--tile", tile), ("--overlap", overlap)];
    let numbers = numbers.into_iter().filter_map(|(flag, value)| value.map(|value| format!("{flag}={value}")));
    let words = ["orogen", "bake", "recipe"].map(str::to_owned).into_iter().chain(words).chain(numbers);
    let mut words: Vec<std::ffi::OsString> = words.map(Into::into).collect();
    words.extend(["--out".into(), out.into()]);
    match Args::try_parse_from(words).map_err(|error| Refusal::bad(error.to_string().trim()))?.verb {
        Verb::Bake(args) => match args.tile_format() {
            Ok(Some(format)) if format.is_array() => Err(Refusal::bad(format!(
                "--format {} is not allowed in the studio; allowed: formats of which a tile is a file by itself",
                format.name()
            ))),
            Ok(_) => Ok(args),
            Err(failure) => Err(Refusal::bad(failure)),
        },
        _ => Err(Refusal::bad("no bake")),
    }
}

/// `POST /api/bake/plan`.
pub async fn plan(State(studio): State<Arc<Studio>>, Json(wanted): Json<Wanted>) -> Result<Json<Told>, Refusal> {
    // Nothing is written: which folder it is does not matter yet.
    let args = arguments(&wanted, Path::new("plan"))?;
    let thought = studio.thought(move |studio, waits| {
        let known = studio.read(&wanted.text, waits)?;
        let bake::Planned { plan, preset, wanted } = bake::planned(&known.recipe, &args).map_err(Refusal::bad)?;
        let files = wanted.iter().map(|wanted| File {
            layer: wanted.layer().to_owned(),
            format: wanted.format(),
            range: if wanted.is_measured() { Some(Range::Measured("measured")) } else { wanted.range().map(Range::Known) },
        });
        Ok(Json(Told {
            r#for: preset.as_ref().map(|preset| preset.destination),
            tiles: plan.count(),
            edge: plan.tile + plan.overlap,
            overlap: plan.overlap,
            rows: preset.map(|preset| preset.layout.rows).unwrap_or_default(),
            files: files.collect(),
        }))
    });
    thought.await
}

/// `POST /api/bake`.
pub async fn start(State(studio): State<Arc<Studio>>, Json(wanted): Json<Wanted>) -> Result<StatusCode, Refusal> {
    let Some(out) = &studio.out else {
        return Err(Refusal::bad(
            "there is no folder to bake to; allowed: a server that was started with --out DIR, or with a recipe's name",
        ));
    };
    let path = folder(out, &wanted.folder)?;
    let args = arguments(&wanted, &path)?;
    let Wanted { text, folder, .. } = wanted;
    let known = studio.thought(move |studio, waits| Ok(studio.read(&text, waits)?)).await?;
    let stop = Arc::new(AtomicBool::new(false));
    {
        let mut bake = lock(&studio.bake);
        if bake.is_some() {
            return Err(Refusal::new(StatusCode::CONFLICT, "a bake is going on; allowed: one at a time"));
        }
        *bake = Some(Arc::clone(&stop));
    }
    tokio::task::spawn_blocking(move || {
        let teller = Teller { live: Arc::clone(&studio.live), stop, last: Mutex::default() };
        let result = bake::world(&studio.compute.engine(), &known.recipe, &args, &teller);
        let told = match result {
            Ok((report, products)) => json!({ "bake": {
                "root": root(&report.manifest), "folder": folder, "files": report.manifest.tiles.len() * products.len(),
            } }),
            Err(failure) => json!({ "bake": { "error": Reason::new(failure) } }),
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
