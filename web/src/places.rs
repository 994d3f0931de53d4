//! Points with a minimum distance.

use crate::engine::Engine;
use crate::error::raised;
use crate::noise::Noise;
use orogen::scatter::Poisson;
use wasm_bindgen::prelude::*;

/// The points of a half-open rectangle, thinned by a density if there is one: x, y, threshold and random number of each.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "numbers of JavaScript")]
pub fn places(
    engine: &Engine,
    density: Option<Noise>,
    distance: f64,
    seed: &str,
    relax: u32,
    x0: f64,
    y0: f64,
    x1: f64,
    y1: f64,
) -> Result<Vec<f64>, JsError> {
    let poisson = Poisson { distance, seed: orogen::seed(seed).map_err(raised)?, relax };
    let (low, high) = ([x0, y0], [x1, y1]);
    let points = match &density {
        None => poisson.points(low, high),
        Some(Noise(density)) => poisson.scatter(&engine.0, density, low, high, 0.0),
    };
    let points = points.map_err(raised)?;
    Ok(points.iter().flat_map(|point| [point.position[0], point.position[1], point.threshold, point.random]).collect())
}
