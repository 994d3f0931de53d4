//! Rivers and lakes of a recipe's world, as lines over the picture.

use crate::open_recipe::OpenRecipe;
use crate::refusal::{Ended, Refusal};
use crate::samples::{allow_world, measured};
use crate::waits::Waits;
use orogen::Engine;
use orogen::rivers::{RiverOptions, RiversError};
use serde::Deserialize;

/// The smallest rivers.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Asked {
    /// Their drainage area in world units²; by default a thousandth of the world's.
    area: Option<f64>,
}

/// The rivers and lakes of a stage, as GeoJSON.
pub(crate) fn rivers(engine: &Engine, known: &OpenRecipe, stage: &str, asked: Asked, waits: &Waits) -> Result<String, Ended> {
    let world = known.world(0);
    let pipeline = measured(engine, known, 0, waits)?;
    allow_world(engine, &pipeline, &[stage], &world)?;
    let [width, height] = [0, 1].map(|axis| f64::from(world.size[axis]) * world.step());
    let area = asked.area.unwrap_or(width * height / 1000.0);
    // Only lines and lakes are drawn.
    let options = RiverOptions { basin: f64::INFINITY, ..RiverOptions::new(area) };
    match engine.stopped_by(waits.stop()).rivers(&pipeline, stage, &world, &options) {
        Ok(found) => Ok(found.geojson()),
        Err(RiversError::Layers(error)) => Err(error.into()),
        Err(error) => Err(Refusal::bad(error).into()),
    }
}
