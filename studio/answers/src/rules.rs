//! The rules of drainage over a recipe's world.

use crate::open_recipe::OpenRecipe;
use crate::refusal::Ended;
use crate::samples::{allow_world, measured};
use crate::waits::Waits;
use orogen::stage::Stage;
use orogen::{DrainageCheck, Engine};
use serde::Serialize;

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

/// Checks every stage of kind `drainage`, each over the world that it was measured for.
pub(crate) fn drainage(engine: &Engine, known: &OpenRecipe, waits: &Waits) -> Result<Vec<Checked>, Ended> {
    let stages = known.recipe.pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::Drainage(_)));
    let names: Vec<&str> = stages.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let pipeline = measured(engine, known, 0, waits)?;
    allow_world(engine, &pipeline, &names, &known.world(0))?;
    let checks = engine.stopped_by(waits.stop()).check_drainage(&pipeline, None)?;
    Ok(checks.into_iter().map(Checked::from).collect())
}
