//! Collects the squares of a traced world one after the other, and converts the result to world units.

use super::lakes::LakeParts;
use super::outline::{Outline, Sides, add_sides, outlines};
use super::segments::{Channel, Segment, channels, segments};
use super::{Basin, Lake, Polygon, RiverOptions, RiverSegment, Rivers};
use crate::drainage::downward::Planes;
use crate::drainage::grid::{OUTLET, Rect};
use crate::stage::DrainedWorld;
use std::collections::BTreeMap;

/// The squares of a world so far.
pub(super) struct Survey<'a> {
    world: &'a DrainedWorld,
    options: &'a RiverOptions,
    channels: Vec<Channel>,
    lakes: LakeParts,
    /// Of parts of lakes.
    shores: Sides,
    /// Areas of basins that are large enough, by the index of their outlet.
    outlets: BTreeMap<u64, u64>,
    /// Of basins.
    divides: Sides,
}

impl<'a> Survey<'a> {
    pub fn new(world: &'a DrainedWorld, options: &'a RiverOptions) -> Self {
        let (lakes, shores, outlets, divides) = Default::default();
        Survey { world, options, channels: Vec::new(), lakes, shores, outlets, divides }
    }

    /// The number of samples in an area: at least one.
    fn least(&self, area: f64) -> u64 {
        (area / self.cell()).ceil().max(1.0) as u64
    }

    /// The area of a sample.
    fn cell(&self) -> f64 {
        self.world.region.step() * self.world.region.step()
    }

    /// Adds a square.
    pub fn add(&mut self, rect: &Rect, planes: &Planes) {
        let grid = &self.world.grid;
        self.channels.extend(channels(grid, rect, planes, self.least(self.options.area)));
        if self.options.lake.is_finite() {
            let numbers = self.lakes.add(grid, rect, planes);
            add_sides(&mut self.shores, rect, |cell| numbers[cell]);
        }
        if self.options.basin.is_finite() {
            let least = self.least(self.options.basin);
            let outlets = planes.directions.iter().zip(&planes.areas).enumerate().filter(|(_, (direction, _))| **direction == OUTLET);
            let (large, small): (Vec<_>, Vec<_>) = outlets.map(|(cell, (_, area))| (cell, *area)).partition(|(_, area)| *area >= least);
            let index = |cell: usize| grid.index(rect.position(cell as u32));
            self.outlets.extend(large.iter().map(|(cell, area)| (index(*cell), *area)));
            add_sides(&mut self.divides, rect, |cell| Some(planes.outlets[cell]));
            // Most of the others end here as well.
            small.iter().for_each(|(cell, _)| drop(self.divides.remove(&index(*cell))));
        }
    }

    /// The rivers, lakes and basins of all squares.
    pub fn finish(self) -> Rivers {
        let Survey { world, options, .. } = self;
        let (cell, least) = (self.cell(), self.least(options.lake));
        let place = Place { world, cell };
        let segments = segments(&world.grid, self.channels).into_iter().map(|segment| place.segment(segment, options)).collect();
        let (lakes, of_parts) = self.lakes.join(&world.grid);
        let mut shores = Sides::new();
        for (part, mut sides) in self.shores {
            shores.entry(of_parts[part as usize]).or_default().append(&mut sides);
        }
        let lakes = lakes.into_iter().filter(|(_, lake)| lake.count >= least).map(|(id, lake)| Lake {
            id,
            level: lake.level.into(),
            depth: lake.depth.into(),
            area: lake.count as f64 * cell,
            polygons: place.polygons(shores.remove(&id).unwrap_or_default()),
        });
        let lakes = lakes.collect();
        let mut divides = self.divides;
        let basins = self.outlets.into_iter().map(|(id, area)| {
            let [x, y] = world.grid.position(id);
            Basin {
                id,
                outlet: place.sample([x, y]),
                area: area as f64 * cell,
                polygons: place.polygons(divides.remove(&id).unwrap_or_default()),
            }
        });
        let basins = basins.collect();
        Rivers { segments, lakes, basins, low: place.corner([0; 2]), high: place.corner(world.grid.size) }
    }
}

/// From samples to world units.
struct Place<'a> {
    world: &'a DrainedWorld,
    /// The area of a sample.
    cell: f64,
}

impl Place<'_> {
    /// The position of a sample.
    fn sample(&self, [x, y]: [u32; 2]) -> [f64; 2] {
        let [x, y, _] = self.world.region.position([x, y, 0]);
        [x, y]
    }

    /// The position of the corner of a sample: half a step before it.
    fn corner(&self, at: [u32; 2]) -> [f64; 2] {
        self.sample(at).map(|x| x - self.world.region.step() / 2.0)
    }

    fn polygons(&self, sides: Vec<super::outline::Side>) -> Vec<Polygon> {
        let closed = |ring: Vec<[u32; 2]>| {
            let first = ring.first().copied();
            ring.into_iter().chain(first).map(|at| self.corner(at)).collect()
        };
        let polygon = |Outline { outer, holes }| Polygon { outer: closed(outer), holes: holes.into_iter().map(closed).collect() };
        outlines(sides).into_iter().map(polygon).collect()
    }

    fn segment(&self, segment: Segment, options: &RiverOptions) -> RiverSegment {
        let Segment { id, into, river, order, area, cells } = segment;
        let area = area as f64 * self.cell;
        let point = |(index, level): &(u64, f32)| {
            let [x, y] = self.sample(self.world.grid.position(*index));
            [x, y, f64::from(*level)]
        };
        let mut points: Vec<[f64; 3]> = cells.iter().map(point).collect();
        (0..options.smoothing).for_each(|_| smooth(&mut points));
        RiverSegment { id, into, river, order, area, width: options.width * area.sqrt(), points }
    }
}

/// Replaces points by the means of themselves and their neighbours, weighted 1 : 2 : 1. Ends stay.
fn smooth(points: &mut [[f64; 3]]) {
    let Some(mut before) = points.first().copied() else { return };
    for i in 1..points.len().saturating_sub(1) {
        let (own, after) = (points[i], points[i + 1]);
        points[i] = std::array::from_fn(|a| (before[a] + 2.0 * own[a] + after[a]) / 4.0);
        before = own;
    }
}
