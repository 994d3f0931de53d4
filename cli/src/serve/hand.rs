//! Shaders, and all answers that need nothing of this server.

use super::Studio;
use super::refusal::ErrorResponse;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use clap::ValueEnum;
use orogen::export::{ExportOptions, Language, export};
use orogen_studio::{Answer, Question, Reason};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;

/// Languages with text files.
pub fn targets() -> Vec<String> {
    let languages = Language::value_variants().iter().filter(|language| **language != Language::Spirv);
    languages.filter_map(|language| Some(language.to_possible_value()?.get_name().to_owned())).collect()
}

#[derive(Debug, Deserialize)]
pub struct Target {
    target: String,
}

/// `GET /api/export/{id}/{layer}`.
pub async fn shader(
    State(studio): State<Arc<Studio>>,
    Path((id, name)): Path<(String, String)>,
    Query(Target { target }): Query<Target>,
) -> Result<String, ErrorResponse> {
    let known = studio.shelf.get(&id)?;
    let language = Language::from_str(&target, false).ok().filter(|language| *language != Language::Spirv);
    let allowed = || format!("target '{target}' is not allowed; allowed: {}", targets().join(", "));
    let language = language.ok_or_else(|| ErrorResponse::bad(allowed()))?;
    studio
        .blocking(move |_, _| {
            let noise = known.recipe.pipeline.noise_of(&name).map_err(ErrorResponse::bad)?;
            let options = ExportOptions { language, name, ..ExportOptions::default() };
            let exported = export(&noise, &options).map_err(|error| ErrorResponse::from(Reason::new(error)))?;
            Ok(exported.text().expect("invariant: every language except SPIR-V is text").to_owned())
        })
        .await
}

/// Number of channels per sample.
const CHANNELS: HeaderName = HeaderName::from_static("x-orogen-channels");

/// Every `GET` of the protocol that is a question.
pub async fn answer(State(studio): State<Arc<Studio>>, method: Method, uri: Uri) -> Result<Response, ErrorResponse> {
    if method != Method::GET {
        return Err(missing());
    }
    answered(studio, Question::read(uri.path(), uri.query().unwrap_or_default())?.ok_or_else(missing)?, uri).await
}

/// Every `POST` of the protocol that is a question.
pub async fn posted(State(studio): State<Arc<Studio>>, uri: Uri, body: String) -> Result<Response, ErrorResponse> {
    answered(studio, Question::posted(uri.path(), &body)?.ok_or_else(missing)?, uri).await
}

fn missing() -> ErrorResponse {
    ErrorResponse::missing("there is nothing here")
}

async fn answered(studio: Arc<Studio>, question: Question, uri: Uri) -> Result<Response, ErrorResponse> {
    // Without waiting for a place.
    question.recipe().map(|id| studio.shelf.get(id)).transpose()?;
    let start = Instant::now();
    let asked = Arc::clone(&studio);
    let Answer { kind, channels, bytes } =
        studio.compute(question.priority(), move |engine, waits| question.answer(&asked.shelf, engine, waits)).await?;
    let content = ([(header::CONTENT_TYPE, kind)], bytes);
    let Some(channels) = channels else { return Ok(content.into_response()) };
    if studio.timings {
        crate::out::say(format_args!("{:8.2} ms {uri}", start.elapsed().as_secs_f64() * 1e3));
    }
    Ok(([(CHANNELS, channels)], content).into_response())
}
