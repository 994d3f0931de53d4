//! `orogen serve`: a studio in the browser. The page is in `studio/`; `studio/PROTOCOL.md` describes the protocol between the
//! page and this server.
//!
//! `connection → listen → request → guard (access) → a route → compute (when a place is free) → answer`; `live` sends events in
//! the meantime.

mod assets;
mod bake;
mod check;
mod compute;
mod document;
mod guard;
mod hand;
mod heights;
mod listen;
mod live;
mod refusal;
mod tiles;

use crate::exit::{Failure, UNAVAILABLE, UNEXPECTED, USAGE};
use crate::out::{print, say};
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use check::Work;
use compute::{Compute, Gone};
use document::DocumentFile;
use guard::Token;
use live::Live;
use orogen::Engine;
use orogen_studio::{Shelf, Waits, destinations, formats, kinds, lock, presets};
use refusal::ErrorResponse;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// Options of the studio.
pub struct Options {
    /// The recipe's file, which need not exist yet.
    pub recipe: Option<PathBuf>,
    /// The port; 0 chooses a free one.
    pub port: u16,
    /// The folder for bakes; `None` for the recipe's folder.
    pub out: Option<PathBuf>,
    /// Whether to open a browser.
    pub open: bool,
    /// Whether to report how long each block of samples took.
    pub timings: bool,
}

/// State shared by all requests.
pub struct Studio {
    port: u16,
    token: Token,
    file: DocumentFile,
    out: Option<PathBuf>,
    compute: Compute,
    shelf: Shelf,
    heights: heights::Cache,
    /// The recipe that pages edit.
    work: Mutex<Option<Work>>,
    live: Arc<Live>,
    /// Stops the running bake.
    bake: Mutex<Option<Arc<AtomicBool>>>,
    tiles: tiles::Cache,
    timings: bool,
}

impl Studio {
    fn new(engine: Engine, port: u16, options: Options) -> Result<Arc<Self>, Failure> {
        let Options { recipe, port: _, out, open: _, timings } = options;
        Ok(Arc::new(Studio {
            port,
            token: Token::random(port).map_err(|error| Failure::message(UNEXPECTED, error))?,
            out: out.or_else(|| Some(recipe.as_ref()?.parent()?.to_owned())),
            file: DocumentFile::new(recipe),
            compute: Compute::new(engine),
            shelf: Shelf::default(),
            heights: heights::cache(),
            work: Mutex::default(),
            live: Arc::new(Live::new()),
            bake: Mutex::default(),
            tiles: tiles::cache(),
            timings,
        }))
    }

    /// Runs work of a few milliseconds, without samples, on a separate thread. It is cancelled when the request ends; [`Waits`]
    /// reports that.
    async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Studio, &Waits) -> Result<T, ErrorResponse> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let studio = Arc::clone(self);
        let gone = Gone::default();
        let waits = gone.waits();
        let done = tokio::task::spawn_blocking(move || work(&studio, &waits)).await;
        done.unwrap_or_else(|error| {
            Err(ErrorResponse::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, format!("a bug in Orogen: {error}")))
        })
    }
}

/// Serves until it is stopped.
///
/// # Errors
/// Returns an error if the port is taken, or if the system provides no threads or randomness.
pub fn run(engine: Engine, options: Options) -> Result<(), Failure> {
    let unexpected = |error: std::io::Error| Failure::new(UNEXPECTED, error);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(unexpected)?;
    runtime.block_on(serve(engine, options))
}

async fn serve(engine: Engine, options: Options) -> Result<(), Failure> {
    let (port, open) = (options.port, options.open);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = tokio::net::TcpListener::bind(address).await.map_err(|error| {
        let what = format!("port {port}: {error}; allowed: a free one, or --port 0 for any");
        Failure::message(if error.kind() == std::io::ErrorKind::AddrInUse { UNAVAILABLE } else { USAGE }, what)
    })?;
    let port = listener.local_addr().map_err(|error| Failure::new(UNEXPECTED, error))?.port();
    let studio = Studio::new(engine, port, options)?;
    let url = format!("http://127.0.0.1:{port}/?token={}", studio.token.text());
    // Errors in the file are reported at once; the page shows them too, where they can be corrected.
    let document = studio.file.document().map_err(|refusal| Failure::message(crate::exit::IO, &refusal.reason.message))?;
    match studio.read(&document.text, &Waits::default()) {
        Ok(known) => *lock(&studio.work) = Some(Work::new(known, &document.text)),
        Err(reason) => {
            let (file, line) = (studio.file.name().unwrap_or_default(), reason.line.unwrap_or(1));
            say(format_args!("warning: {file}:{line}: {}", reason.message));
        }
    }
    tokio::spawn(document::watch(Arc::clone(&studio)));
    print(format_args!("{url}"))?;
    say("serving; press Ctrl-C to stop");
    if open && !browser(&url) {
        say("warning: no browser could be opened; open the URL by hand");
    }
    listen::serve(&listener, router(studio)).await;
    Ok(())
}

fn router(studio: Arc<Studio>) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/about", get(about))
        .route("/api/document", get(document::get).put(document::save))
        .route("/api/draft", axum::routing::put(document::save_draft).delete(document::delete_draft))
        .route("/api/check", post(check::check))
        .route("/api/edit", post(check::edit))
        .route("/api/places/{id}", post(hand::posted))
        .route("/api/bake/plan", post(bake::plan))
        .route("/api/bake", post(bake::start).delete(bake::stop))
        .route("/tiles/{layer}/{z}/{x}/{y}", get(tiles::tile))
        .route("/live", get(live::live))
        .fallback(hand::answer)
        // The guard has read the body, within its limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&studio), guard::guard))
        .with_state(studio)
}

/// `GET /api/about`.
async fn about(State(studio): State<Arc<Studio>>) -> Json<serde_json::Value> {
    let file = studio.file.name().zip(studio.file.id());
    let file = file.map(|(name, id)| serde_json::json!({ "name": name, "id": id, "writable": studio.file.is_writable() }));
    Json(serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "engine": studio.compute.describe(),
        "file": file,
        "out": studio.out.as_ref().map(|out| out.display().to_string()),
        "kinds": kinds(),
        "presets": presets(),
        "targets": orogen_studio::TARGETS,
        "formats": formats(),
        "destinations": destinations(),
    }))
}

/// Opens a URL with the desktop's default program; returns whether one was started.
fn browser(url: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = std::process::Command::new(opener);
    crate::display::restored(&mut command).arg(url).stdin(std::process::Stdio::null()).spawn().is_ok()
}
