//! The rules of drainage over a recipe's world.

use super::Studio;
use super::compute::Priority;
use super::refusal::ErrorResponse;
use super::samples::{allow_world, measured};
use axum::Json;
use axum::extract::{Path, State};
use orogen::DrainageCheck;
use orogen::stage::Stage;
use serde::Serialize;
use std::sync::Arc;

/// The check of one stage.
#[derive(Debug, Serialize)]
pub struct Checked {
    stage: String,
    samples: u64,
    outlets: u64,
    broken: Option<String>,
    at: Option<[i64; 2]>,
}

impl From<DrainageCheck> for Checked {
    fn from(DrainageCheck { stage, samples, outlets, broken, at }: DrainageCheck) -> Self {
        Checked { stage, samples, outlets, broken, at }
    }
}

/// `GET /api/drainage/{id}`.
pub async fn drainage(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Result<Json<Vec<Checked>>, ErrorResponse> {
    let known = studio.shelf.get(&id)?;
    studio
        .compute(Priority::Low, move |engine, waits| {
            let stages = known.recipe.pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::Drainage(_)));
            let names: Vec<&str> = stages.map(|(name, _)| name.as_str()).collect();
            if names.is_empty() {
                return Ok(Json(Vec::new()));
            }
            let pipeline = measured(engine, &known, 0, waits)?;
            allow_world(engine, &pipeline, &names, &known.world(0))?;
            // Each stage is checked over the world that it was measured for.
            let checks = engine.stopped_by(waits.stop()).check_drainage(&pipeline, None)?;
            Ok(Json(checks.into_iter().map(Checked::from).collect()))
        })
        .await
}
