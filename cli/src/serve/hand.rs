//! Downloads: shaders, code, places.

use super::Studio;
use super::compute::Priority;
use super::refusal::{ErrorResponse, Reason};
use axum::Json;
use axum::extract::{Path, Query, State};
use clap::ValueEnum;
use orogen::export::{ExportOptions, Language, export};
use orogen::scatter::Poisson;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::sync::Arc;

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

#[derive(Debug, Deserialize)]
pub struct As {
    r#as: String,
}

/// `GET /api/code/{id}`.
pub async fn code(
    State(studio): State<Arc<Studio>>,
    Path(id): Path<String>,
    Query(As { r#as }): Query<As>,
) -> Result<String, ErrorResponse> {
    let known = studio.shelf.get(&id)?;
    match r#as.as_str() {
        "json" => known.recipe.to_json().map_err(|error| Reason::from(error).into()),
        "python" => Ok(known.recipe.to_python()),
        "rust" => Ok(known.recipe.to_rust()),
        "toml" => known.recipe.to_toml().map_err(|error| Reason::from(error).into()),
        other => Err(ErrorResponse::bad(format!("'{other}' is not allowed; allowed: python, rust, json, toml"))),
    }
}

/// An area and a minimum distance.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Spread {
    x0: f64,
    y0: f64,
    x1: f64,
    y1: f64,
    distance: f64,
    #[serde(default, deserialize_with = "seed")]
    seed: u64,
}

/// A seed in a URL.
fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    orogen::seed(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Maximum number of places in an answer.
const MOST_PLACES: f64 = 2e5;

/// `GET /api/places`.
pub async fn places(State(studio): State<Arc<Studio>>, Query(spread): Query<Spread>) -> Result<Json<Vec<[f64; 2]>>, ErrorResponse> {
    let Spread { x0, y0, x1, y1, distance, seed } = spread;
    let poisson = Poisson { distance, seed, ..Default::default() };
    let places = (x1 - x0) * (y1 - y0) / (distance * distance);
    // In a narrow strip, the surroundings, which determine its points, take longer than the strip itself.
    if places > MOST_PLACES || poisson.squares([x0, y0], [x1, y1]) > 2.0 * MOST_PLACES {
        return Err(ErrorResponse::bad(format!(
            "distance {distance} is not allowed here; allowed: a distance that gives at most 2e5 places"
        )));
    }
    let places = studio.compute(Priority::Low, move |_, _| {
        let found = poisson.points([x0, y0], [x1, y1]).map_err(ErrorResponse::bad)?;
        Ok(Json(found.into_iter().map(|place| place.position).collect()))
    });
    places.await
}
