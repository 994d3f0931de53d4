//! Rivers and lakes of a recipe's world, as lines over the picture.

use super::Studio;
use super::compute::{Ended, Priority};
use super::refusal::ErrorResponse;
use super::samples::{allow_world, measured};
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use orogen::rivers::{RiverOptions, RiversError};
use serde::Deserialize;
use std::sync::Arc;

/// The smallest rivers.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Asked {
    /// Their drainage area in world units²; by default a thousandth of the world's.
    area: Option<f64>,
}

/// `GET /api/rivers/{id}/{stage}`.
pub async fn rivers(
    State(studio): State<Arc<Studio>>,
    Path((id, stage)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let known = studio.shelf.get(&id)?;
    let found = studio
        .compute(Priority::Low, move |engine, waits| {
            let world = known.world(0);
            let pipeline = measured(engine, &known, 0, waits)?;
            allow_world(engine, &pipeline, &[&stage], &world)?;
            let [width, height] = [0, 1].map(|axis| f64::from(world.size[axis]) * world.step());
            let area = asked.area.unwrap_or(width * height / 1000.0);
            // Only lines and lakes are drawn.
            let options = RiverOptions { basin: f64::INFINITY, ..RiverOptions::new(area) };
            match engine.stopped_by(waits.stop()).rivers(&pipeline, &stage, &world, &options) {
                Ok(found) => Ok(found.geojson()),
                Err(RiversError::Layers(error)) => Err(error.into()),
                Err(error) => Err(Ended::Refused(ErrorResponse::bad(error))),
            }
        })
        .await?;
    Ok(([(header::CONTENT_TYPE, "application/geo+json")], found))
}
