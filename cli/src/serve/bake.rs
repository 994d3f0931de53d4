//! Bakes from the page: the options of `orogen bake`, into a subfolder of the output folder.

use super::Studio;
use super::refusal::ErrorResponse;
use crate::exit::Failure;
use crate::signal;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use orogen_studio::{BakeForm, BakePreview, Reason, Teller, lock};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A subfolder of the output folder.
fn folder(out: &Path, form: &BakeForm) -> Result<PathBuf, ErrorResponse> {
    form.check_folder()?;
    let path = out.join(&form.folder);
    // A link could lead anywhere.
    if path.symlink_metadata().is_ok_and(|is| !is.is_dir()) {
        return Err(form.refuse_folder(": this name exists and is not a folder").into());
    }
    Ok(path)
}

/// `POST /api/bake/plan`.
pub async fn plan(State(studio): State<Arc<Studio>>, Json(form): Json<BakeForm>) -> Result<Json<BakePreview>, ErrorResponse> {
    let answer = studio.blocking(move |studio, waits| {
        let known = studio.read(&form.text, waits)?;
        Ok(Json(form.plan(&known.recipe)?))
    });
    answer.await
}

/// `POST /api/bake`.
pub async fn start(State(studio): State<Arc<Studio>>, Json(form): Json<BakeForm>) -> Result<StatusCode, ErrorResponse> {
    let Some(out) = &studio.out else {
        return Err(ErrorResponse::bad("there is no output folder; start the server with --out DIR, or with a recipe"));
    };
    let path = folder(out, &form)?;
    let (form, request) = studio
        .blocking(move |studio, waits| {
            let known = studio.read(&form.text, waits)?;
            let request = form.request(&known.recipe)?;
            Ok((form, request))
        })
        .await?;
    let stop = Arc::new(AtomicBool::new(false));
    {
        let mut bake = lock(&studio.bake);
        if bake.is_some() {
            return Err(ErrorResponse::new(StatusCode::CONFLICT, "a bake is running; allowed: one at a time"));
        }
        *bake = Some(Arc::clone(&stop));
    }
    tokio::task::spawn_blocking(move || {
        let stops = || stop.load(Ordering::Relaxed) || signal::stops();
        let teller = Teller::new(|message| studio.live.send(message), stops);
        let outcome = request.bake(&studio.compute.engine(), &path, &teller);
        *lock(&studio.bake) = None;
        teller.end(&form.folder, outcome.map_err(|error| Reason::new(Failure::from(error))));
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
