//! Places in the picture: those of a distance, and those of several kinds by rules, also as files for other programs.

use crate::open_recipe::OpenRecipe;
use crate::question::Answer;
use crate::refusal::{Ended, Refusal};
use crate::samples::{allow_world, measured};
use crate::waits::Waits;
use orogen::scatter::{PlaceError, PlaceList, PlaceRules, Poisson};
use orogen::{Engine, Region};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

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

/// Rules, and the area of their places. Without an area: the recipe's tiles.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruled {
    rules: String,
    area: Option<[f64; 4]>,
    /// The form of a file; without one the places are for the picture.
    list: Option<PlaceList>,
}

/// Places of several kinds, for the picture.
#[derive(Debug, Serialize)]
struct Placed<'a> {
    kinds: Vec<&'a String>,
    /// The index of the kind, x and y.
    places: Vec<(usize, f64, f64)>,
}

/// Maximum number of places in an answer for the picture.
const MOST: f64 = 2e5;
/// Maximum number of places in a file.
const MOST_LISTED: f64 = 2e6;

pub(crate) fn spread(spread: &Spread) -> Result<Vec<[f64; 2]>, Refusal> {
    let Spread { x0, y0, x1, y1, distance, seed } = *spread;
    let poisson = Poisson { distance, seed, ..Default::default() };
    let places = (x1 - x0) * (y1 - y0) / (distance * distance);
    // In a narrow strip, the surroundings, which determine its points, take longer than the strip itself.
    if places > MOST || poisson.squares([x0, y0], [x1, y1]) > 2.0 * MOST {
        let message = format!("distance {distance} is not allowed here; allowed: a distance that gives at most 2e5 places");
        return Err(Refusal::bad(message));
    }
    let found = poisson.points([x0, y0], [x1, y1]).map_err(Refusal::bad)?;
    Ok(found.into_iter().map(|place| place.position).collect())
}

/// Places by rules, over the heights of the recipe's output.
pub(crate) fn ruled(engine: &Engine, known: &OpenRecipe, asked: &Ruled, waits: &Waits) -> Result<Answer, Ended> {
    let rules = PlaceRules::from_toml(&asked.rules).map_err(Refusal::bad)?;
    let world = known.world(0);
    let end = [0, 1].map(|a| f64::from(world.size[a]) * world.step());
    let [x0, y0, x1, y1] = asked.area.unwrap_or([0.0, 0.0, end[0], end[1]]);
    let (mut low, mut high) = ([x0, y0], [x1, y1]);
    if known.is_bounded() {
        // Nothing is outside the world.
        low = [0, 1].map(|a| low[a].clamp(0.0, end[a]));
        high = [0, 1].map(|a| high[a].clamp(0.0, end[a]));
    }
    let most = if asked.list.is_some() { MOST_LISTED } else { MOST };
    if rules.candidates(low, high) > most {
        let message = format!("there are more than {most:e} places; allowed: a smaller area, or larger distances");
        return Err(Refusal::new(Refusal::TOO_MUCH, message).into());
    }
    let heights = &known.recipe.pipeline.output;
    let mut layers = rules.layers();
    layers.push(heights);
    for layer in &layers {
        known.recipe.pipeline.channels(layer).map_err(Refusal::bad)?;
    }
    let pipeline = measured(engine, known, 0, waits)?;
    allow_world(engine, &pipeline, &layers, &covered(&world, low, high))?;
    let found = rules.places(&engine.stopped_by(waits.stop()), &pipeline, &world, heights, low, high);
    let places = found.map_err(|error| match error {
        PlaceError::Layers(error) => Ended::from(error),
        error => Refusal::bad(error).into(),
    })?;
    let Some(list) = asked.list else {
        let places = places.iter().map(|place| (place.kind, place.position[0], place.position[1])).collect();
        return Answer::json(&Placed { kinds: rules.kinds.keys().collect(), places });
    };
    let kind = match list.ending() {
        "csv" => "text/csv; charset=utf-8",
        "geojson" => "application/geo+json",
        _ => "application/json",
    };
    Ok(Answer::of(kind, rules.list(&places, list)))
}

/// The samples in a rectangle, within the limits of a region.
fn covered(world: &Region, low: [f64; 2], high: [f64; 2]) -> Region {
    let edge = |a: usize| ((high[a] - low[a]) / world.step()).clamp(1.0, f64::from(u32::MAX)) as u32;
    Region { size: [edge(0), edge(1), 1], ..*world }
}
