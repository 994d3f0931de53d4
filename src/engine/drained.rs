//! Planes of drainage: the squares that a region touches, each from its heights and from the answers about the world.

use crate::cpu::threads::Pool;
use crate::drainage::down::STRAIGHT;
use crate::drainage::downward::Planes;
use crate::drainage::grid::{Rect, STEPS, is_diagonal};
use crate::drainage::order::hash;
use crate::engine::Engine;
use crate::engine::latest::Latest;
use crate::engine::measured::Measured;
use crate::engine::run::TracedPlanes;
use crate::error::LayersError;
use crate::gpu::lock;
use crate::region::Region;
use crate::schedule::DrainedPlane;
use crate::stage::{Answers, Drained, DrainedWorld, SQUARE};
use crate::world::tracer::{Traced, Tracer};
use std::sync::{Arc, Mutex};

/// Traced worlds, latest first.
#[derive(Clone, Default)]
pub(crate) struct DrainedCache(Arc<Mutex<Vec<Arc<Drained>>>>);

impl DrainedCache {
    /// The latest world that is as wanted.
    pub fn find(&self, is_wanted: impl Fn(&Drained) -> bool) -> Option<Arc<Drained>> {
        lock(&self.0).iter().find(|drained| is_wanted(drained)).cloned()
    }
}

/// The squares that were computed last, by world and number.
pub(crate) type DrainedSquares = Latest<(u64, u32), Planes>;

/// The largest number of squares that are traced at a time.
const AT_ONCE: u64 = 8;
/// Bytes per square that is traced, about.
const TRACED: u64 = 64 * SQUARE as u64 * SQUARE as u64;

impl Engine {
    /// Keeps the given worlds for later calls, and earlier ones up to half of the memory. Without a new world nothing is dropped:
    /// the kept ones may be in use, whatever their size.
    pub(crate) fn keep_drained(&self, worlds: &[Arc<Drained>]) {
        if worlds.is_empty() {
            return;
        }
        let mut kept = lock(&self.drained.0);
        for world in worlds {
            kept.retain(|other| other.id() != world.id());
            kept.insert(0, Arc::clone(world));
        }
        let (mut bytes, most, mut count) = (0, self.memory() / 2, 0);
        kept.retain(|world| {
            bytes += world.bytes();
            count += 1;
            bytes <= most || count <= worlds.len()
        });
    }

    /// The number of squares that are traced at a time. They fit a quarter of the memory.
    pub(crate) fn squares_at_once(&self) -> usize {
        (self.memory() / 4 / TRACED).clamp(1, AT_ONCE) as usize
    }

    /// Squares by their numbers, as kept or computed.
    pub(crate) fn squares_of(&self, drained: &Drained, numbers: &[u32]) -> Result<Vec<Arc<Planes>>, LayersError> {
        let found: Vec<Option<Arc<Planes>>> = numbers.iter().map(|number| self.drained_squares.find(&(drained.id(), *number))).collect();
        let missing: Vec<u32> = numbers.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(number, _)| *number).collect();
        let mut computed = planes_of((&self.pool, &*self.tracer()), drained, &missing, &self.layers_of(drained, &missing)?)?.into_iter();
        let mut squares = Vec::new();
        for (number, found) in numbers.iter().zip(found) {
            let square = found.or_else(|| computed.next()).expect("invariant: a square that is not kept is computed");
            self.drained_squares.keep((drained.id(), *number), &square, self.memory() / 4, Planes::bytes);
            squares.push(square);
        }
        Ok(squares)
    }

    /// The layers of squares, with the samples around them that are read.
    pub(super) fn layers_of(&self, drained: &Drained, numbers: &[u32]) -> Result<Vec<Vec<f32>>, LayersError> {
        let grid = &drained.world.grid;
        let around = |number: &u32| drained.world.cells(*number, drained.answers.around());
        if let Some(given) = drained.given.get() {
            let window = |number: &u32, layer: &[f32]| -> Vec<f32> {
                let Rect { first: [x, y], size: [width, height] } = around(number);
                (y..y + height).flat_map(|y| layer[grid.index([x, y]) as usize..][..width as usize].iter().copied()).collect()
            };
            return Ok(numbers.iter().flat_map(|number| given.iter().map(|layer| window(number, layer))).collect());
        }
        let prepared = drained.prepared.get().expect("invariant: a traced world is prepared when it is asked for").clone();
        let measured = Measured { pipeline: drained.inputs.clone(), prepared };
        let regions: Vec<Region> = numbers.iter().map(|number| drained.world.samples(&around(number))).collect();
        let layers = self.layers_of_squares(&measured, &drained.names, &regions)?;
        Ok(layers.into_iter().map(|layer| layer.values).collect())
    }
}

impl TracedPlanes for Engine {
    fn planes(&self, drained: &Drained, holds: &[DrainedPlane], region: &Region) -> Result<Vec<Vec<f32>>, LayersError> {
        let DrainedWorld { grid, region: world, .. } = &drained.world;
        if !drained.world.shares_samples(region) {
            let at = |region: &Region| format!("level {}, spacing {}, position {:?}", region.level, region.spacing, region.anchor);
            let reason = format!("samples at {} are not those of its world; allowed: {}", at(region), at(world));
            return Err(LayersError::World { stage: drained.stage.clone(), reason });
        }
        // The cell of the world for each column and row.
        let cells = |axis: usize| -> Vec<u32> {
            let last = i128::from(grid.size[axis]) - 1;
            let first = i128::from(region.origin[axis]) - i128::from(world.origin[axis]);
            (0..i128::from(region.size[axis])).map(|i| (first + i).clamp(0, last) as u32).collect()
        };
        let [columns, rows] = [cells(0), cells(1)];
        let range = |cells: &[u32]| cells.first().copied().unwrap_or(0) / grid.edge..cells.last().copied().unwrap_or(0) / grid.edge + 1;
        let along = grid.squares()[0];
        let numbers: Vec<u32> = range(&rows).flat_map(|y| range(&columns).map(move |x| y * along + x)).collect();
        let width = columns.len();
        let mut planes = vec![vec![0.0; width * rows.len()]; holds.len()];
        let mut spread = |number: u32, values: &[Value<'_>]| {
            let rect = grid.square(number);
            let [xs, ys] = [(0, &columns), (1, &rows)].map(|(axis, cells)| {
                let [begin, end] = [rect.first[axis], rect.first[axis] + rect.size[axis]];
                cells.partition_point(|cell| *cell < begin)..cells.partition_point(|cell| *cell < end)
            });
            for (plane, value) in planes.iter_mut().zip(values) {
                for y in ys.clone() {
                    let row = ((rows[y] - rect.first[1]) * rect.size[0]) as usize;
                    for x in xs.clone() {
                        plane[y * width + x] = value(row + (columns[x] - rect.first[0]) as usize);
                    }
                }
            }
        };
        for numbers in numbers.chunks(self.squares_at_once()) {
            if let Answers::Grade { grading, behind } = &drained.answers {
                for (number, heights) in numbers.iter().zip(self.graded_squares(drained, (*grading, behind), numbers)?) {
                    let values: Vec<Value<'_>> = holds.iter().map(|_| Box::new(|cell| heights[cell]) as Value<'_>).collect();
                    spread(*number, &values);
                }
                continue;
            }
            for (number, square) in numbers.iter().zip(self.squares_of(drained, numbers)?) {
                let values: Vec<Value<'_>> = holds.iter().map(|holds| value(drained, &square, *holds)).collect();
                spread(*number, &values);
            }
        }
        Ok(planes)
    }
}

/// The planes of squares, from the layers of each.
fn planes_of(
    (pool, tracer): (&Pool, &dyn Tracer),
    drained: &Drained,
    numbers: &[u32],
    layers: &[Vec<f32>],
) -> Result<Vec<Arc<Planes>>, LayersError> {
    let Drained { stage, world, answers, .. } = drained;
    let Answers::Water { routings, throughs } = answers else { return Err(LayersError::Nothing { stage: stage.clone() }) };
    let share = |number: &u32| Ok((routings.of(*number)?, throughs.of(*number)?));
    let shares = numbers.iter().map(share).collect::<Result<Vec<_>, String>>();
    let shares = shares.map_err(|reason| LayersError::Storage { stage: stage.clone(), reason })?;
    let of_square = world.tracing.layers();
    let planes = pool.map(numbers.len(), |k| {
        let (routing, through) = (shares[k].0.as_deref()?, shares[k].1.as_deref()?);
        let layers = world.tracing.of_square(layers.get(k * of_square..)?.iter().map(|layer| &layer[..]))?;
        Some(Traced { tracer, world, number: numbers[k], layers }.planes(routing, through).map(Arc::new))
    });
    let planes = planes.into_iter().collect::<Option<Result<Vec<_>, _>>>();
    planes.ok_or_else(|| LayersError::Nothing { stage: stage.clone() })?
}

/// The value of a plane at a cell of a square.
type Value<'a> = Box<dyn Fn(usize) -> f32 + 'a>;

/// The values of a plane of drainage.
fn value<'a>(drained: &'a Drained, square: &'a Planes, holds: DrainedPlane) -> Value<'a> {
    let step = drained.world.region.step();
    let (area, length, seed) = (step * step, step / STRAIGHT as f64, drained.world.grid.seed);
    let along = |axis: usize| {
        move |cell: usize| {
            let direction = square.directions[cell];
            let Some(step) = STEPS.get(usize::from(direction)) else { return 0.0 };
            step[axis] as f32 * if is_diagonal(direction) { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 }
        }
    };
    match holds {
        DrainedPlane::Filled => Box::new(|cell| square.filled[cell]),
        DrainedPlane::Depth => Box::new(|cell| square.depth(cell)),
        DrainedPlane::Area => Box::new(move |cell| (square.areas[cell] as f64 * area) as f32),
        DrainedPlane::Order => Box::new(|cell| f32::from(square.orders[cell])),
        // 24 bits, which f32 holds exactly.
        DrainedPlane::Basin => Box::new(move |cell| (hash(seed, square.outlets[cell]) >> 8) as f32 / 16_777_216.0),
        DrainedPlane::Distance => Box::new(move |cell| (square.distances[cell] as f64 * length) as f32),
        DrainedPlane::FlowX => Box::new(along(0)),
        DrainedPlane::FlowY => Box::new(along(1)),
        DrainedPlane::Bed => Box::new(|cell| square.beds[cell]),
        DrainedPlane::Graded => unreachable!("invariant: the answers of `grade` are not about water"),
        DrainedPlane::Discharge => Box::new(move |cell| (square.discharge(cell, drained.world.tracing.rain) * area) as f32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Backend, EngineOptions};
    use crate::graph::Noise;
    use crate::node::Simplex;
    use crate::stage::{Drainage, Pipeline};

    #[test]
    #[cfg(feature = "bake")]
    fn records_in_temporary_files_give_the_planes_of_those_in_memory() {
        let hills = Noise::simplex(Simplex { wavelength: 90.0, ..Default::default() });
        let pipeline = Pipeline::from(&hills).named("water", Drainage { breach: 0.2, ..Default::default() });
        let names = ["water", "water.area", "water.basin", "water.distance"];
        // Squares in two groups, and in several rows.
        let region = Region::plane(2100, 530);
        let traced = |memory: u64| {
            let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, memory: Some(memory), ..Default::default() });
            let engine = engine.expect("an engine");
            let layers = engine.layers(&pipeline, &names, &region).expect("layers");
            let kept = lock(&engine.drained.0);
            let shares = kept.iter().map(|world| match &world.answers {
                Answers::Water { routings, throughs } => (routings, throughs),
                Answers::Grade { .. } => panic!("a stage `grade`"),
            });
            let is_held = shares.clone().all(|(routings, throughs)| routings.held().is_some() && throughs.held().is_some());
            let on_disk: u64 = shares.map(|(routings, throughs)| routings.on_disk().min(throughs.on_disk())).sum();
            (layers, is_held, on_disk)
        };
        let (held, read) = (traced(1 << 30), traced(1 << 20));
        assert!(held.1 && held.2 == 0, "records in memory");
        assert!(!read.1 && read.2 > 0, "records in temporary files");
        assert!(held.0 == read.0, "the planes differ");
    }

    /// A bake gives its engine the answers about a world, and then prepares layers that bring no new world.
    #[test]
    fn a_world_larger_than_half_of_the_memory_is_traced_once() {
        let options = EngineOptions { backend: Backend::Cpu, memory: Some(1 << 15), ..Default::default() };
        let engine = Engine::open(&options).expect("an engine");
        let hills = Noise::simplex(Default::default()).fractal(Default::default());
        let pipeline = Pipeline::from(&hills).named("water", Drainage::default());
        engine.measure(&pipeline, &["water"], &[Region::plane(600, 600)]).expect("a measured pipeline");
        let kept = || lock(&engine.drained.0).iter().map(|world| world.id()).collect::<Vec<_>>();
        let before = kept();
        assert!(before.len() == 1 && lock(&engine.drained.0)[0].bytes() > engine.memory() / 2, "{before:?}");
        engine.keep_drained(&[]);
        assert_eq!(kept(), before);
    }
}
