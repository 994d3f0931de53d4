//! All answers that need nothing of this server.

use super::Studio;
use super::refusal::ErrorResponse;
use axum::extract::State;
use axum::http::{HeaderName, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use clap::ValueEnum;
use orogen::Noise;
use orogen::export::{ExportOptions, Language, export};
use orogen_studio::{Answer, Question};
use std::sync::Arc;
use std::time::Instant;

/// Writes a noise in a language.
fn translate(noise: &Noise, target: &str, name: &str) -> Result<String, String> {
    let language = Language::from_str(target, false)?;
    let exported =
        export(noise, &ExportOptions { language, name: name.to_owned(), ..Default::default() }).map_err(|error| error.to_string())?;
    exported.text().map(str::to_owned).ok_or_else(|| format!("{target} is not text"))
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
        studio.compute(question.priority(), move |engine, waits| question.answer(&asked.shelf, engine, &translate, waits)).await?;
    let content = ([(header::CONTENT_TYPE, kind)], bytes);
    let Some(channels) = channels else { return Ok(content.into_response()) };
    if studio.timings {
        crate::out::say(format_args!("{:8.2} ms {uri}", start.elapsed().as_secs_f64() * 1e3));
    }
    Ok(([(CHANNELS, channels)], content).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use orogen_studio::TARGETS;

    #[test]
    fn every_language_of_the_command_that_is_text_can_be_exported() {
        let named = Language::value_variants().iter().filter_map(|language| Some(language.to_possible_value()?.get_name().to_owned()));
        let mut text: Vec<String> = named.collect();
        text.retain(|name| translate(&Noise::constant(1.0), name, "one").is_ok());
        assert_eq!(text, TARGETS);
    }
}
