//! Points that keep their distance: Poisson-disk samples of the whole plane, of which any part can be had.
//!
//! Darts are thrown cell by cell, in nine rounds: cells of one round lie too far apart for their points to meet, so the order within a
//! round does not matter, and what a cell gets depends on cells up to sixteen away and no further. Positions are integers, 2⁻²⁴ of a
//! cell fine, and so is the test of distances: no rounding decides what is too near.

use crate::engine::{Engine, EngineError};
use crate::graph::Noise;
use crate::program::Seed;
use rayon::prelude::*;
use std::collections::HashMap;

/// Points a distance apart, thinned by a density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poisson {
    /// World units that any two points are apart at least.
    pub distance: f64,
    /// Seed of where they lie.
    pub seed: u64,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Where, in world units.
    pub position: [f64; 2],
    /// The density at which this point appears, 0 to 1: those that appear below a smaller density lie further apart.
    pub threshold: f64,
    /// A random number from 0 to 1 of its own: a size, a rotation, a kind.
    pub random: f64,
}

/// Why there are no points.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PoissonError {
    /// A number is not allowed.
    #[error("{what} = {value} is not allowed; allowed: {allowed}")]
    Number {
        /// Which.
        what: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// The density could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Default for Poisson {
    fn default() -> Self {
        Poisson { distance: 10.0, seed: 0 }
    }
}

/// Bits of a position inside a cell.
const FINE: u32 = 24;
/// Darts for each cell.
const DARTS: u64 = 32;
/// Cells that a cell depends on to either side: two for each of the eight rounds before its own.
const HALO: i64 = 16;
/// How often the distance is doubled: sets of points, each part of the next.
const COARSEST: u32 = 4;
/// Cells along each edge of what one thread does.
const BLOCK: i64 = 128;
/// Largest magnitude of a cell's number: positions in finest cells still fit 64 bits with their fraction.
const FARTHEST: f64 = 2_147_483_648.0;
/// Most cells of an area.
const MOST: f64 = 1e9;

/// A point as integers: in finest cells, with a fraction of [`FINE`] bits.
type Point = [i64; 2];

impl Poisson {
    /// All points of a rectangle, half open: `[x, y]` of its lowest corner, `[x, y]` of its highest. Rectangles side by side have every
    /// point once.
    ///
    /// # Errors
    /// A distance or rectangle that is none, or too large to number its points.
    pub fn points(&self, low: [f64; 2], high: [f64; 2]) -> Result<Vec<Place>, PoissonError> {
        let refuse = |what, value: String, allowed| Err(PoissonError::Number { what, value, allowed });
        if !(self.distance >= 1e-6 && self.distance <= 1e12) {
            return refuse("distance", self.distance.to_string(), "1e-6 to 1e12 world units");
        }
        let cell = self.cell();
        let inside = |x: f64| (x / cell).abs() < FARTHEST;
        if !low.iter().chain(&high).all(|&x| inside(x)) || low[0] > high[0] || low[1] > high[1] {
            return refuse("area", format!("{low:?} to {high:?}"), "corners in order, within 1.5e9 distances of the origin");
        }
        let [columns, rows] = [0, 1].map(|a| (high[a] - low[a]) / cell);
        if columns * rows > MOST {
            return refuse("area", format!("{low:?} to {high:?}"), "at most 5e8 squares of the distance at a time");
        }
        let [first, last] = [low, high].map(|corner| corner.map(|x| (x / cell).floor() as i64));
        let blocks: Vec<[i64; 2]> = (first[1].div_euclid(BLOCK)..=last[1].div_euclid(BLOCK))
            .flat_map(|y| (first[0].div_euclid(BLOCK)..=last[0].div_euclid(BLOCK)).map(move |x| [x * BLOCK, y * BLOCK]))
            .collect();
        let found: Vec<Vec<Place>> = blocks.par_iter().map(|&block| self.block(block)).collect();
        let here = |place: &Place| (0..2).all(|a| place.position[a] >= low[a] && place.position[a] < high[a]);
        Ok(found.into_iter().flatten().filter(here).collect())
    }

    /// The points of a rectangle that a density lets appear: as many as `density` (held between 0 and 1) times those of full density,
    /// further apart where it is low.
    ///
    /// # Errors
    /// As [`points`](Self::points), or the density cannot be evaluated.
    pub fn scatter(&self, engine: &Engine, density: &Noise, low: [f64; 2], high: [f64; 2], z: f64) -> Result<Vec<Place>, PoissonError> {
        let all = self.points(low, high)?;
        let positions: Vec<[f64; 3]> = all.iter().map(|place| [place.position[0], place.position[1], z]).collect();
        let densities = engine.sample(density, &positions, false)?;
        Ok(all.into_iter().zip(densities).filter(|(place, density)| place.threshold < density.value).map(|(place, _)| place).collect())
    }

    /// World units along each edge of a finest cell: its diagonal is the distance, so no cell holds two points.
    fn cell(&self) -> f64 {
        self.distance * std::f64::consts::FRAC_1_SQRT_2
    }

    /// The points of a block of finest cells, in an order of their own.
    fn block(&self, first: [i64; 2]) -> Vec<Place> {
        let mut coarser: Vec<(Point, u32)> = Vec::new();
        for level in (0..=COARSEST).rev() {
            // Points of this level that the finer ones can meet: each level brings a halo of its own.
            let reach = (0..level).map(|finer| (HALO + 4) << finer).sum::<i64>();
            let low = first.map(|x| (x - reach) >> level);
            let high = first.map(|x| ((x + BLOCK + reach) >> level) + 1);
            let more = self.level(level, low, high, &coarser);
            coarser.extend(more.into_iter().map(|point| (point, level)));
        }
        let inside = |point: &Point| (0..2).all(|a| (first[a]..first[a] + BLOCK).contains(&(point[a] >> FINE)));
        let place = |(point, level): (Point, u32)| {
            let random = |salt: u64| Seed::default().with(self.seed).with(salt).with(point[0] as u64).with(point[1] as u64).bits();
            let [share, random] = [1, 2].map(|salt| f64::from(random(salt)) / 4_294_967_296.0);
            // A level has a quarter of the points of the next finer one.
            let (from, to) = (if level == COARSEST { 0.0 } else { density(level + 1) }, density(level));
            Place { position: point.map(|x| x as f64 / f64::from(1 << FINE) * self.cell()), threshold: from + share * (to - from), random }
        };
        coarser.into_iter().filter(|(point, _)| inside(point)).map(place).collect()
    }

    /// The points that a level adds to the coarser ones, of cells of its own size.
    fn level(&self, level: u32, low: [i64; 2], high: [i64; 2], coarser: &[(Point, u32)]) -> Vec<Point> {
        let (low, high) = (low.map(|x| x - HALO), high.map(|x| x + HALO));
        let width = (high[0] - low[0]) as usize;
        let at = |[x, y]: [i64; 2]| (y - low[1]) as usize * width + (x - low[0]) as usize;
        let within = |[x, y]: [i64; 2]| x >= low[0] && x < high[0] && y >= low[1] && y < high[1];
        // A coarser point fills its cell; several can share one only if they are of this level, which are not there yet.
        let mut cells: Vec<Option<Point>> = vec![None; width * (high[1] - low[1]) as usize];
        let mut taken = vec![false; cells.len()];
        for (point, _) in coarser {
            let cell = point.map(|x| x >> (FINE + level));
            if within(cell) {
                cells[at(cell)] = Some(*point);
                taken[at(cell)] = true;
            }
        }
        // The distance is the diagonal of a cell: its square is twice that of the edge.
        let least = 2_i128 << (2 * (FINE + level));
        let seeds = Seed::default().with(self.seed).with(1000 + u64::from(level));
        let mut added = Vec::new();
        for round in 0..9 {
            let start = |axis: usize, wanted: i64| low[axis] + (wanted - low[axis]).rem_euclid(3);
            for y in (start(1, round / 3)..high[1]).step_by(3) {
                for x in (start(0, round % 3)..high[0]).step_by(3) {
                    if taken[at([x, y])] {
                        continue;
                    }
                    let seed = seeds.with(x as u64).with(y as u64);
                    for dart in 0..DARTS {
                        let bits = seed.with(dart);
                        let [fx, fy] = [0, 1].map(|axis| i64::from(bits.with(axis).bits() >> (32 - FINE)));
                        let point = [((x << FINE) + fx) << level, ((y << FINE) + fy) << level];
                        let near = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| [x + dx, y + dy])).filter(|&cell| within(cell));
                        let meets = |other: Point| {
                            let [dx, dy] = [0, 1].map(|a| i128::from(other[a] - point[a]));
                            dx * dx + dy * dy < least
                        };
                        if !near.filter_map(|cell| cells[at(cell)]).any(meets) {
                            cells[at([x, y])] = Some(point);
                            added.push((point, [x, y]));
                            break;
                        }
                    }
                }
            }
        }
        // What lies near the edge of the window was decided without its neighbours.
        let sure = |[x, y]: [i64; 2]| x >= low[0] + HALO && x < high[0] - HALO && y >= low[1] + HALO && y < high[1] - HALO;
        added.into_iter().filter(|(_, cell)| sure(*cell)).map(|(point, _)| point).collect()
    }
}

/// The share of all points that have this level or a coarser one.
fn density(level: u32) -> f64 {
    f64::powi(0.25, level as i32)
}

/// Pairs of points nearer than a distance: none, if all is well. For tests and for those who want to be sure.
#[doc(hidden)]
pub fn violations(places: &[Place], distance: f64) -> usize {
    let cell = |place: &Place| place.position.map(|x| (x / distance).floor() as i64);
    let mut cells: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    for (i, place) in places.iter().enumerate() {
        cells.entry(cell(place)).or_default().push(i);
    }
    let near = |i: usize, place: &Place| {
        let [x, y] = cell(place);
        let around = (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| [x + dx, y + dy]));
        let others = around.filter_map(|cell| cells.get(&cell)).flatten();
        others
            .filter(|&&j| j > i && (places[j].position[0] - place.position[0]).hypot(places[j].position[1] - place.position[1]) < distance)
            .count()
    };
    places.iter().enumerate().map(|(i, place)| near(i, place)).sum()
}
