//! Rules of places: where each kind may lie, and the room that kinds keep for one another.

use crate::engine::Engine;
use crate::error::LayersError;
use crate::not_allowed::NotAllowed;
use crate::program::Seed;
use crate::region::Region;
use crate::scatter::{Point, Poisson, PoissonError};
use crate::stage::{Pipeline, Stage, StageError};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Kinds of places by name. Earlier kinds take their room first: a later kind has no place where an earlier one is too near.
///
/// ```
/// use orogen::scatter::PlaceRules;
/// let rules = PlaceRules::from_toml("
///     [oak]
///     density = 'forest'
///     distance = 8.0
///     radius = 3.0
///     scale = [0.8, 1.3]
///     limits = { slope = [0.0, 0.6, 0.1], ground = [2.0, 180.0, 20.0] }
///
///     [stone]
///     distance = 5.0
///     radius = 1.0
/// ")?;
/// assert_eq!(rules.kinds.keys().collect::<Vec<_>>(), ["oak", "stone"]);
/// # Ok::<(), orogen::scatter::PlaceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlaceRules {
    /// The kinds, the most important first.
    pub kinds: IndexMap<String, PlaceKind>,
}

/// The rules of one kind of places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlaceKind {
    /// Layer whose value is the density, from 0 (no places) to 1; `None` for 1 everywhere.
    pub density: Option<String>,
    /// Minimum distance between two places of this kind, in world units.
    pub distance: f64,
    /// Distance from a place of this kind to one of another kind less the radius of that one, in world units.
    pub radius: f64,
    /// Layers and their allowed values: the least, the greatest, and optionally the width over which the density falls to 0 outside of
    /// them.
    pub limits: IndexMap<String, Vec<f64>>,
    /// The smallest and the largest scale.
    pub scale: [f64; 2],
    /// Seed of the places. Kinds with the same seed have different places.
    pub seed: u64,
    /// Steps of relaxation, as of [`Poisson::relax`].
    pub relax: u32,
}

/// A place of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Index of its kind in the rules.
    pub kind: usize,
    /// A number of its own, which depends on the kind's name and seed and on the position alone.
    pub id: u64,
    /// Position in world units.
    pub position: [f64; 2],
    /// Value of the layer of heights.
    pub height: f64,
    /// Rotation in degrees, clockwise seen from above, 0 to 360.
    pub rotation: f64,
    /// Scale within the limits of its kind.
    pub scale: f64,
}

/// The reason why places cannot be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The text of the rules cannot be read.
    #[error("rules of places: {0}")]
    Text(String),
    /// A value of a kind is not allowed.
    #[error("place kind '{kind}': {wrong}")]
    Kind {
        /// The kind.
        kind: String,
        /// The value.
        wrong: NotAllowed,
    },
    /// The points of a kind cannot be found.
    #[error("place kind '{kind}': {error}")]
    Points {
        /// The kind.
        kind: String,
        /// The error.
        error: Box<PoissonError>,
    },
    /// A layer of a kind is unknown.
    #[error("place kind '{kind}': {error}")]
    Layer {
        /// The kind.
        kind: String,
        /// The error.
        error: StageError,
    },
    /// A layer cannot be evaluated.
    #[error(transparent)]
    Layers(#[from] LayersError),
}

impl Default for PlaceKind {
    fn default() -> Self {
        PlaceKind { density: None, distance: 10.0, radius: 0.0, limits: IndexMap::new(), scale: [1.0; 2], seed: 0, relax: 0 }
    }
}

/// Edge of the squares of samples in which layers are evaluated.
const EDGE: i64 = 256;
/// The largest number of kinds.
const MOST_KINDS: usize = 256;

impl PlaceRules {
    /// Reads rules: a table for each kind, in the order of their importance.
    ///
    /// # Errors
    /// Returns an error for text that is not TOML, for unknown fields, and for values that [`check`](Self::check) refuses.
    pub fn from_toml(text: &str) -> Result<Self, PlaceError> {
        let rules: PlaceRules = toml::from_str(text).map_err(|error| PlaceError::Text(error.to_string()))?;
        rules.check()?;
        Ok(rules)
    }

    /// Checks every number.
    ///
    /// # Errors
    /// Returns an error for the first value that is not allowed.
    pub fn check(&self) -> Result<(), PlaceError> {
        if self.kinds.is_empty() || self.kinds.len() > MOST_KINDS {
            return Err(PlaceError::Text(format!("{} kinds are not allowed; allowed: 1 to {MOST_KINDS}", self.kinds.len())));
        }
        for (name, kind) in &self.kinds {
            kind.check().map_err(|wrong| PlaceError::Kind { kind: name.clone(), wrong })?;
            let poisson = kind.poisson(name);
            poisson.check([0.0; 2], [0.0; 2]).map_err(|error| PlaceError::Points { kind: name.clone(), error: error.into() })?;
        }
        Ok(())
    }

    /// The layers that the rules read.
    pub fn layers(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for name in self.kinds.values().flat_map(PlaceKind::layers) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// Number of points that the search for the places of a rectangle covers, including its border. The cost is proportional to it.
    pub fn candidates(&self, low: [f64; 2], high: [f64; 2]) -> f64 {
        // Maximal Poisson discs: one point per 0.7 squares of the distance.
        self.kinds.iter().map(|(name, kind)| kind.poisson(name).squares(low, high) / 0.7).sum()
    }

    /// All places of a half-open rectangle: `[x, y]` of its lowest corner, `[x, y]` of its highest. Adjacent rectangles contain every place
    /// once, and the places do not depend on the rectangle. They are ordered by kind.
    ///
    /// Layers have values at the samples of `world`, and in between by linear interpolation. Stages that depend on the whole world must
    /// have been [measured](Engine::measure) over it. The origin and the size of `world` only matter for pipelines with a stage of kind
    /// `drainage`: beyond the world's edge, the nearest sample is repeated. `heights` is the layer of the places' heights.
    ///
    /// # Errors
    /// Returns an error if the rules, the rectangle or a layer are invalid, or if a layer cannot be evaluated.
    pub fn places(
        &self,
        engine: &Engine,
        pipeline: &Pipeline,
        world: &Region,
        heights: &str,
        low: [f64; 2],
        high: [f64; 2],
    ) -> Result<Vec<Place>, PlaceError> {
        self.check()?;
        let kinds: Vec<(&String, &PlaceKind)> = self.kinds.iter().collect();
        for (name, kind) in &kinds {
            for layer in kind.layers().into_iter().chain([heights]) {
                one_channel(pipeline, name, layer)?;
            }
        }
        // A place of a later kind depends on earlier kinds beyond the rectangle, and these on still earlier ones.
        let mut margins = vec![0.0_f64; kinds.len()];
        for k in (0..kinds.len()).rev() {
            let beyond = |j: usize| margins[j] + kinds[k].1.radius + kinds[j].1.radius;
            margins[k] = (k + 1..kinds.len()).map(beyond).fold(0.0, f64::max);
        }
        let mut kept: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut all = Vec::new();
        for (k, (name, kind)) in kinds.iter().enumerate() {
            let poisson = kind.poisson(name);
            let [low_here, high_here] = [low.map(|x| x - margins[k]), high.map(|x| x + margins[k])];
            let failed = |error: PoissonError| PlaceError::Points { kind: (*name).clone(), error: error.into() };
            let mut points = poisson.points_until(low_here, high_here, engine.stop()).map_err(failed)?;
            for (j, others) in kept.iter().enumerate() {
                let room = kind.radius + kinds[j].1.radius;
                if room > 0.0 {
                    let near = Near::new(others, room);
                    points.retain(|point| !near.any(point.position));
                }
            }
            // Heights of places that are not kept cost little: the layers of the rules mostly read them anyway.
            let mut names = kind.layers();
            names.push(heights);
            let values = sampled(engine, pipeline, world, &names, &points)?;
            let mut here = Vec::new();
            for (point, values) in points.iter().zip(values) {
                if point.threshold < kind.share(&values) {
                    here.push(point.position);
                    if (0..2).all(|a| point.position[a] >= low[a] && point.position[a] < high[a]) {
                        all.push(kind.place(k, name, point, values[values.len() - 1]));
                    }
                }
            }
            kept.push(here);
        }
        Ok(all)
    }
}

impl PlaceKind {
    fn check(&self) -> Result<(), NotAllowed> {
        let refuse = |what, value: String, allowed: &'static str| Err(NotAllowed::new(what, value, allowed));
        if !(0.0..=1e6).contains(&self.radius) {
            return refuse("radius", self.radius.to_string(), "0 to 1000000 world units");
        }
        let [least, most] = self.scale;
        if !(1e-6..=1e6).contains(&least) || !(1e-6..=1e6).contains(&most) || least > most {
            return refuse("scale", format!("{:?}", self.scale), "[LEAST, MOST], each 1e-6 to 1e6");
        }
        for (layer, limit) in &self.limits {
            let valid = limit.iter().all(|x| x.is_finite()) && (2..=3).contains(&limit.len()) && limit[0] <= limit[1];
            if !valid || limit.get(2).is_some_and(|soft| *soft < 0.0) {
                let allowed = "[LEAST, MOST] or [LEAST, MOST, SOFT]: finite numbers, LEAST at most MOST, SOFT at least 0";
                return refuse("limits", format!("{layer} = {limit:?}"), allowed);
            }
        }
        Ok(())
    }

    /// The layers that decide where places lie, the density first.
    fn layers(&self) -> Vec<&str> {
        self.density.iter().chain(self.limits.keys()).map(String::as_str).collect()
    }

    fn poisson(&self, name: &str) -> Poisson {
        Poisson { distance: self.distance, seed: u64::from(self.named(name).bits()), relax: self.relax }
    }

    /// A seed from that of the kind and its name.
    fn named(&self, name: &str) -> Seed {
        name.bytes().fold(Seed::default().with(self.seed), |seed, byte| seed.with(u64::from(byte)))
    }

    /// The density times the shares of all limits, from the values of [`layers`](Self::layers).
    fn share(&self, values: &[f64]) -> f64 {
        let (density, limited) = if self.density.is_some() { (values[0], &values[1..]) } else { (1.0, values) };
        self.limits.values().zip(limited).fold(density, |share, (limit, value)| {
            let outside = (limit[0] - value).max(value - limit[1]).max(0.0);
            let soft = limit.get(2).copied().unwrap_or(0.0);
            // Just outside of a limit without a width the share is 0.
            let t = if outside == 0.0 { 0.0 } else { (outside / soft).min(1.0) };
            share * (1.0 - t * t * (3.0 - 2.0 * t))
        })
    }

    fn place(&self, kind: usize, name: &str, point: &Point, height: f64) -> Place {
        let [x, y] = point.position.map(f64::to_bits);
        let random = |salt: u64| self.named(name).with(salt).with(x).with(y).bits();
        let id = u64::from(random(1)) << 32 | u64::from(random(2));
        let rotation = f64::from(random(3)) / 4_294_967_296.0 * 360.0;
        let [least, most] = self.scale;
        Place { kind, id, position: point.position, height, rotation, scale: least + (most - least) * point.random }
    }
}

/// Refuses a layer that is unknown or has several channels.
fn one_channel(pipeline: &Pipeline, kind: &str, layer: &str) -> Result<(), PlaceError> {
    let channels = pipeline.channels(layer).map_err(|error| PlaceError::Layer { kind: kind.to_owned(), error })?;
    if channels != 1 {
        let wrong = NotAllowed::new("layer", format!("{layer}, which has {channels} channels"), "layers of one channel");
        return Err(PlaceError::Kind { kind: kind.to_owned(), wrong });
    }
    Ok(())
}

/// The values of layers at points, for each point in the order of the layers, between four samples.
fn sampled(engine: &Engine, pipeline: &Pipeline, world: &Region, names: &[&str], points: &[Point]) -> Result<Vec<Vec<f64>>, LayersError> {
    let place = |point: &Point| [0, 1].map(|a| (point.position[a] - world.anchor[a]) / world.step());
    let is_bounded = pipeline.stage.values().any(|stage| matches!(stage, Stage::Drainage(_)));
    let mut squares: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (i, point) in points.iter().enumerate() {
        let [x, y] = place(point).map(|x| (x.floor() as i64).div_euclid(EDGE));
        squares.entry([y, x]).or_default().push(i);
    }
    let mut all = vec![Vec::new(); points.len()];
    for ([y, x], inside) in squares {
        let size = EDGE as u32 + 1;
        let square = Region { origin: [x * EDGE, y * EDGE, 0], size: [size, size, 1], ..*world };
        let region = if is_bounded { inside_of(&square, world) } else { square };
        let layers = engine.layers(pipeline, names, &region)?;
        for i in inside {
            let at = place(&points[i]);
            let first = at.map(f64::floor);
            let [u, v] = [0, 1].map(|a| at[a] - first[a]);
            let along = |a: usize, d: i64| (first[a] as i64 + d - region.origin[a]).clamp(0, i64::from(region.size[a]) - 1) as usize;
            all[i] = layers
                .iter()
                .map(|layer| {
                    let value = |dx, dy| f64::from(layer.values[along(1, dy) * region.size[0] as usize + along(0, dx)]);
                    let mean = |dy| value(0, dy) * (1.0 - u) + value(1, dy) * u;
                    mean(0) * (1.0 - v) + mean(1) * v
                })
                .collect();
        }
    }
    Ok(all)
}

/// The part of a region inside a world, or the nearest samples of the world.
fn inside_of(region: &Region, world: &Region) -> Region {
    let mut inside = *region;
    for a in 0..2 {
        let end = |part: &Region| part.origin[a].saturating_add(i64::from(part.size[a].max(1)) - 1);
        let first = region.origin[a].clamp(world.origin[a], end(world));
        let last = end(region).clamp(first, end(world));
        (inside.origin[a], inside.size[a]) = (first, (last - first + 1) as u32);
    }
    inside
}

/// Places by squares, to find those nearer than a distance.
struct Near<'a> {
    places: &'a [[f64; 2]],
    room: f64,
    squares: HashMap<[i64; 2], Vec<usize>>,
}

impl<'a> Near<'a> {
    fn new(places: &'a [[f64; 2]], room: f64) -> Self {
        let mut squares: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
        for (i, place) in places.iter().enumerate() {
            squares.entry(place.map(|x| (x / room).floor() as i64)).or_default().push(i);
        }
        Near { places, room, squares }
    }

    /// Whether a place is nearer to a position than the room.
    fn any(&self, at: [f64; 2]) -> bool {
        let [x, y] = at.map(|x| (x / self.room).floor() as i64);
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [x.saturating_add(dx), y.saturating_add(dy)]));
        let mut near = around.filter_map(|square| self.squares.get(&square)).flatten();
        near.any(|&i| libm::hypot(self.places[i][0] - at[0], self.places[i][1] - at[1]) < self.room)
    }
}
