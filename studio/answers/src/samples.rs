//! Values of a layer: on a block of samples, or at a point; and a comparison of blocks.

use crate::open_recipe::OpenRecipe;
use crate::refusal::{Ended, Reason, Refusal};
use crate::waits::{Priority, Waits};
use orogen::stage::Pipeline;
use orogen::{Engine, EngineError, Gradient, Layer, LayersError, Region};
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::sync::TryLockError;
use std::time::Duration;

/// Maximum number of evaluations per request: a few seconds on two processors.
const MOST_EVALUATIONS: f64 = 8e9;
/// Maximum number of samples in an answer.
const MOST_SAMPLES: u64 = 1 << 22;
/// Maximum number of layers in an answer.
const MOST_LAYERS: usize = 64;
/// Evaluations between checks whether the client still waits.
const PIECE: f64 = 2e6;
/// The same limit for stages.
const LOOK: Duration = Duration::from_millis(20);
/// Maximum number of evaluations for measuring a world for its stages.
const MOST_MEASURED: f64 = 4e10;

/// A requested block of samples.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Block {
    x: i64,
    y: i64,
    /// Number of samples along x.
    pub width: u32,
    /// Number of samples along y.
    pub height: u32,
    spacing: f64,
    #[serde(default)]
    level: u32,
    z: Option<f64>,
    #[serde(default)]
    /// Its priority.
    pub priority: Priority,
}

impl Block {
    /// The region of the samples in a recipe.
    pub fn region(&self, known: &OpenRecipe) -> Region {
        let Block { x, y, width, height, spacing, level, z, .. } = *self;
        let z = z.unwrap_or(known.recipe.bake.z);
        Region { origin: [x, y, 0], size: [width, height, 1], level, spacing, anchor: [0.0, 0.0, z] }
    }
}

fn too_much(what: &str, allowed: &str) -> Refusal {
    Refusal::new(Refusal::TOO_MUCH, format!("this takes {what}; allowed: {allowed}"))
}

/// Evaluates a layer of a region in pieces, so that abandoned work ends early.
pub fn layer(engine: &Engine, known: &OpenRecipe, layer: &str, region: &Region, waits: &Waits) -> Result<Layer, Ended> {
    let found = layers(engine, known, &[layer], region, waits)?;
    Ok(found.into_iter().next().expect("invariant: one result per requested layer"))
}

/// Evaluates several layers of a region, in order; stages that they share are computed once.
fn layers(engine: &Engine, known: &OpenRecipe, names: &[&str], region: &Region, waits: &Waits) -> Result<Vec<Layer>, Ended> {
    let samples = region.samples().saturating_mul(names.len() as u64);
    if samples > MOST_SAMPLES {
        return Err(too_much(&format!("{samples} samples"), &format!("{MOST_SAMPLES} at a time")).into());
    }
    region.check().map_err(orogen::EngineError::from)?;
    let staged: Vec<&str> = names.iter().copied().filter(|name| !known.is_noise(name)).collect();
    let mut staged = if staged.is_empty() { Vec::new() } else { stages(engine, known, &staged, region, waits)? }.into_iter();
    let of = |name: &&str| match known.is_noise(name) {
        true => noise(engine, known, name, region, waits),
        false => Ok(staged.next().expect("invariant: one result per requested stage")),
    };
    names.iter().map(of).collect()
}

fn noise(engine: &Engine, known: &OpenRecipe, layer: &str, region: &Region, waits: &Waits) -> Result<Layer, Ended> {
    let noise = known.prepared(engine, layer)?;
    let [width, height, _] = region.size;
    let row = f64::from(width) * noise.terms() as f64;
    allow(row * f64::from(height))?;
    let mut values = vec![0.0; region.samples() as usize];
    let rows = ((PIECE / row) as u32).clamp(1, height);
    for (piece, first) in values.chunks_mut((rows * width) as usize).zip((0..height).step_by(rows as usize)) {
        waits.check()?;
        let [x, y, z] = region.origin;
        let part = Region { origin: [x, y + i64::from(first), z], size: [width, rows.min(height - first), 1], ..*region };
        noise.field_into(&part, piece)?;
    }
    Ok(Layer { name: layer.to_owned(), region: *region, values, channels: 1 })
}

fn stages(engine: &Engine, known: &OpenRecipe, names: &[&str], region: &Region, waits: &Waits) -> Result<Vec<Layer>, Ended> {
    let bake = &known.recipe.bake;
    if region.spacing.to_bits() != bake.spacing.to_bits() {
        let message =
            format!("stages depend on the spacing, so {} would be another field; allowed: the recipe's, {}", region.spacing, bake.spacing);
        return Err(Refusal::bad(message).into());
    }
    // Water is traced in the world of each level; other measurements apply to all levels.
    let (level, inside) = if known.is_bounded() { (region.level, nearest(region, &known.world(region.level))) } else { (0, *region) };
    let pipeline = measured(engine, known, level, waits)?;
    allow(engine.estimate(&pipeline, names, &inside)?.terms as f64)?;
    let mut job = engine.job(&pipeline, names, &inside)?;
    while !job.advance(LOOK)? {
        waits.check()?;
    }
    let found = job.finish()?;
    Ok(if inside == *region { found } else { found.into_iter().map(|layer| spread(&layer, region)).collect() })
}

/// The part of a region inside a world; outside it, the nearest samples of the world.
fn nearest(region: &Region, world: &Region) -> Region {
    let mut inside = *region;
    for axis in 0..2 {
        let (first, end) = (world.origin[axis], world.origin[axis].saturating_add(i64::from(world.size[axis])));
        let low = region.origin[axis].clamp(first, end - 1);
        let high = region.origin[axis].saturating_add(i64::from(region.size[axis])).clamp(low + 1, end);
        (inside.origin[axis], inside.size[axis]) = (low, u32::try_from(high - low).unwrap_or(u32::MAX));
    }
    inside
}

/// A layer on a larger region: beyond its edge, the nearest sample is repeated.
fn spread(layer: &Layer, region: &Region) -> Layer {
    let inside = &layer.region;
    let at = |axis: usize, i: u32| {
        let along = region.origin[axis] + i64::from(i) - inside.origin[axis];
        along.clamp(0, i64::from(inside.size[axis]) - 1) as usize
    };
    let mut values = Vec::with_capacity(region.samples() as usize * layer.channels);
    for y in 0..region.size[1] {
        let row = at(1, y) * inside.size[0] as usize;
        for x in 0..region.size[0] {
            let first = (row + at(0, x)) * layer.channels;
            values.extend_from_slice(&layer.values[first..first + layer.channels]);
        }
    }
    Layer { name: layer.name.clone(), region: *region, channels: layer.channels, values }
}

/// Refuses work that would block other requests.
pub(crate) fn allow(evaluations: f64) -> Result<(), Refusal> {
    let refused = || too_much(&format!("{evaluations:.1e} evaluations"), &format!("{MOST_EVALUATIONS:.0e} at a time; look at less of it"));
    if evaluations > MOST_EVALUATIONS { Err(refused()) } else { Ok(()) }
}

/// A recipe's pipeline with whole-world measurements over the recipe's tiles at a level, as a bake of that level measures them.
pub(crate) fn measured(engine: &Engine, known: &OpenRecipe, level: u32, waits: &Waits) -> Result<Pipeline, Ended> {
    // The first request measures. Others poll whether it has finished, and whether their own client still waits.
    let mut found = loop {
        match known.measured.try_lock() {
            Ok(found) => break found,
            Err(TryLockError::Poisoned(found)) => break found.into_inner(),
            Err(TryLockError::WouldBlock) => waits.check()?,
        }
        std::thread::sleep(LOOK);
    };
    let found = match found.entry(level) {
        Entry::Occupied(found) => found.get().clone(),
        Entry::Vacant(place) => {
            let measured = match world(engine, known, level) {
                Err(reason) => Err(reason),
                Ok((outputs, world)) => match engine.stopped_by(waits.stop()).measure(&known.recipe.pipeline, &outputs, &[world]) {
                    // The next request tries again.
                    Err(LayersError::Engine(error @ (EngineError::Gpu(_) | EngineError::Stopped))) => return Err(error.into()),
                    measured => measured.map_err(Reason::new),
                },
            };
            place.insert(measured).clone()
        }
    };
    found.map_err(|reason| Refusal { status: Refusal::TOO_MUCH, reason }.into())
}

/// Measures a recipe over its world, if that does not take too long.
fn world<'a>(engine: &Engine, known: &'a OpenRecipe, level: u32) -> Result<(Vec<&'a String>, Region), Reason> {
    let (pipeline, world) = (&known.recipe.pipeline, known.world(level));
    let needed = pipeline.unmeasured();
    within_limit(engine, pipeline, &needed, &world)?;
    Ok((pipeline.stage.keys().collect(), world))
}

/// Refuses stages whose evaluation over the whole world takes too long.
fn within_limit(engine: &Engine, pipeline: &Pipeline, stages: &[&str], world: &Region) -> Result<(), Reason> {
    let mut evaluations = 0.0;
    for stage in stages {
        evaluations += engine.estimate(pipeline, &[stage], world).map_err(Reason::new)?.terms as f64;
    }
    if evaluations > MOST_MEASURED {
        let message = format!(
            "'{}' is measured over the whole world, which takes {evaluations:.1e} evaluations; allowed here: {MOST_MEASURED:.0e}: \
             fewer tiles in [bake], or `measured` in the recipe",
            stages.join("', '")
        );
        return Err(Reason::new(message));
    }
    Ok(())
}

/// Refuses stages whose evaluation over the whole world takes too long, with the status of too much work.
pub(crate) fn allow_world(engine: &Engine, pipeline: &Pipeline, stages: &[&str], world: &Region) -> Result<(), Refusal> {
    within_limit(engine, pipeline, stages, world).map_err(|reason| Refusal { status: Refusal::TOO_MUCH, reason })
}

/// The values of layers, one layer after the other, and the number of channels of each.
pub(crate) fn several(
    engine: &Engine,
    known: &OpenRecipe,
    names: &[&str],
    block: &Block,
    waits: &Waits,
) -> Result<(Vec<usize>, Vec<u8>), Ended> {
    if names.len() > MOST_LAYERS {
        return Err(Refusal::bad(format!("{} layers are not allowed; allowed: up to {MOST_LAYERS} at a time", names.len())).into());
    }
    let found = layers(engine, known, names, &block.region(known), waits)?;
    let channels = found.iter().map(|layer| layer.channels).collect();
    Ok((channels, found.iter().flat_map(|layer| &layer.values).flat_map(|value| value.to_le_bytes()).collect()))
}

/// A point.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct At {
    x: f64,
    y: f64,
    z: Option<f64>,
}

/// The value at a point.
#[derive(Debug, Serialize)]
pub struct Probe {
    value: Vec<f64>,
    gradient: Option<[f64; 3]>,
    octaves: Vec<Octave>,
}

#[derive(Debug, Serialize)]
struct Octave {
    name: String,
    value: f64,
}

/// The value of a layer at a point; of a stage, at the nearest sample.
pub(crate) fn probe(engine: &Engine, known: &OpenRecipe, name: &str, At { x, y, z }: At, waits: &Waits) -> Result<Probe, Ended> {
    let bake = &known.recipe.bake;
    let point = [x, y, z.unwrap_or(bake.z)];
    if known.is_noise(name) {
        let noise = known.prepared(engine, name)?;
        let gradient = if noise.noise().has_gradient() { Gradient::With } else { Gradient::Without };
        let sample = noise.sample(&[point], gradient)?.remove(0);
        return Ok(Probe { value: vec![sample.value], gradient: sample.gradient, octaves: octaves(engine, known, name, point)? });
    }
    let origin = [x, y].map(|x| (x / bake.spacing).round() as i64);
    let region =
        Region { origin: [origin[0], origin[1], 0], size: [1, 1, 1], level: 0, spacing: bake.spacing, anchor: [0.0, 0.0, point[2]] };
    let found = layer(engine, known, name, &region, waits)?;
    Ok(Probe { value: found.values.into_iter().map(f64::from).collect(), gradient: None, octaves: Vec::new() })
}

/// The contribution of each octave of a fractal at a point: the difference between successive partial sums.
fn octaves(engine: &Engine, known: &OpenRecipe, layer: &str, point: [f64; 3]) -> Result<Vec<Octave>, Ended> {
    let path = format!("{layer}.octaves");
    let mut noise = known.recipe.pipeline.noise_of(layer).map_err(Refusal::missing)?;
    let Ok(Some(orogen::Setting::Integer(count))) = noise.get(&path) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let mut before = 0.0;
    for octaves in 1..=count {
        if noise.set(&path, octaves).is_err() {
            return Ok(Vec::new());
        }
        let value = engine.sample(&noise, &[point], Gradient::Without)?.remove(0).value;
        found.push(Octave { name: format!("octave {octaves}"), value: value - before });
        before = value;
    }
    Ok(found)
}

/// The number of samples that differ between a block and its quarters.
#[derive(Debug, Serialize)]
pub struct Seams {
    samples: u64,
    different: u64,
}

/// Compares a block with its quarters.
pub(crate) fn seams(engine: &Engine, known: &OpenRecipe, name: &str, block: &Block, waits: &Waits) -> Result<Seams, Ended> {
    let whole = block.region(known);
    let [width, height, _] = whole.size;
    let all = layer(engine, known, name, &whole, waits)?;
    let halves = |size: u32| [(0, size / 2), (size / 2, size - size / 2)];
    let mut different = 0;
    for ((top, rows), (left, columns)) in halves(height).into_iter().flat_map(|y| halves(width).map(|x| (y, x))) {
        if rows == 0 || columns == 0 {
            continue;
        }
        let origin = [whole.origin[0] + i64::from(left), whole.origin[1] + i64::from(top), 0];
        let part = layer(engine, known, name, &Region { origin, size: [columns, rows, 1], ..whole }, waits)?;
        let run = columns as usize * part.channels;
        for (row, own) in part.values.chunks_exact(run).enumerate() {
            let from = ((top as usize + row) * width as usize + left as usize) * part.channels;
            let same = own.iter().zip(&all.values[from..from + run]);
            different += same.filter(|(a, b)| a.to_bits() != b.to_bits()).count() as u64;
        }
    }
    Ok(Seams { samples: whole.samples(), different })
}
