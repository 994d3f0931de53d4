//! Points that keep their distance: Poisson-disk samples of the whole plane, of which any part can be had.
//!
//! The plane is cut into cells of at most one point. Every cell has a random rank, and throws its darts when all cells near enough to
//! matter that outrank it have thrown theirs: so the order is random, and yet what a cell gets depends on cells near it alone, two
//! further away for each round. A cell whose turn does not come within the rounds stays empty; hardly one does. Positions are
//! integers, 2⁻²⁴ of a cell fine, and so is the test of distances: no rounding decides what is too near.

use crate::cpu::lib::hash::hash_3;
use crate::engine::{Engine, EngineError};
use crate::field::Gradient;
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
pub struct Point {
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
const DARTS: u32 = 64;
/// Rounds in which cells have their turn.
const ROUNDS: i64 = 18;
/// Cells that a cell depends on to either side.
const HALO: i64 = 2 * ROUNDS;
/// How often the distance is doubled: sets of points, each part of the next.
const COARSEST: u32 = 4;
/// Cells along each edge of what one thread does.
const BLOCK: i64 = 256;
/// Largest magnitude of a cell's number: positions in finest cells still fit 64 bits with their fraction.
const FARTHEST: f64 = 2_147_483_648.0;
/// Most cells of an area.
const MOST: f64 = 1e9;

/// A point as integers: in finest cells, with a fraction of [`FINE`] bits.
type FinePoint = [i64; 2];

impl Poisson {
    /// All points of a rectangle, half open: `[x, y]` of its lowest corner, `[x, y]` of its highest. Rectangles side by side have every
    /// point once.
    ///
    /// # Errors
    /// A distance or rectangle that is none, or too large to number its points.
    pub fn points(&self, low: [f64; 2], high: [f64; 2]) -> Result<Vec<Point>, PoissonError> {
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
        let found: Vec<Vec<Point>> = blocks.par_iter().map(|&block| self.block(block)).collect();
        let here = |place: &Point| (0..2).all(|a| place.position[a] >= low[a] && place.position[a] < high[a]);
        Ok(found.into_iter().flatten().filter(here).collect())
    }

    /// The points of a rectangle that a density lets appear: as many as `density` (held between 0 and 1) times those of full density,
    /// further apart where it is low.
    ///
    /// # Errors
    /// As [`points`](Self::points), or the density cannot be evaluated.
    pub fn scatter(&self, engine: &Engine, density: &Noise, low: [f64; 2], high: [f64; 2], z: f64) -> Result<Vec<Point>, PoissonError> {
        let all = self.points(low, high)?;
        let positions: Vec<[f64; 3]> = all.iter().map(|place| [place.position[0], place.position[1], z]).collect();
        let densities = engine.sample(density, &positions, Gradient::Without)?;
        Ok(all.into_iter().zip(densities).filter(|(place, density)| place.threshold < density.value).map(|(place, _)| place).collect())
    }

    /// World units along each edge of a finest cell: its diagonal is the distance, so no cell holds two points.
    fn cell(&self) -> f64 {
        self.distance * std::f64::consts::FRAC_1_SQRT_2
    }

    /// The points of a block of finest cells, in an order of their own.
    fn block(&self, first: [i64; 2]) -> Vec<Point> {
        let mut coarser: Vec<(FinePoint, u32)> = Vec::new();
        for level in (0..=COARSEST).rev() {
            // Points of this level that the finer ones can meet: each level brings a halo of its own.
            let reach = (0..level).map(|finer| (HALO + 4) << finer).sum::<i64>();
            let low = first.map(|x| (x - reach) >> level);
            let high = first.map(|x| ((x + BLOCK + reach) >> level) + 1);
            let more = self.level(level, low, high, &coarser);
            coarser.extend(more.into_iter().map(|point| (point, level)));
        }
        let inside = |point: &FinePoint| (0..2).all(|a| (first[a]..first[a] + BLOCK).contains(&(point[a] >> FINE)));
        let point_at = |(point, level): (FinePoint, u32)| {
            let random = |salt: u64| Seed::default().with(self.seed).with(salt).with(point[0] as u64).with(point[1] as u64).bits();
            let [share, random] = [1, 2].map(|salt| f64::from(random(salt)) / 4_294_967_296.0);
            // A level has a quarter of the points of the next finer one.
            let (from, to) = (if level == COARSEST { 0.0 } else { density(level + 1) }, density(level));
            Point { position: point.map(|x| x as f64 / f64::from(1 << FINE) * self.cell()), threshold: from + share * (to - from), random }
        };
        coarser.into_iter().filter(|(point, _)| inside(point)).map(point_at).collect()
    }

    /// The points that a level adds to the coarser ones, of cells of its own size.
    fn level(&self, level: u32, low: [i64; 2], high: [i64; 2], coarser: &[(FinePoint, u32)]) -> Vec<FinePoint> {
        // Two cells more, whose turn never comes, so that every cell that throws has all its neighbours.
        let (low, high) = (low.map(|x| x - HALO - 2), high.map(|x| x + HALO + 2));
        let [width, height] = [0, 1].map(|a| (high[a] - low[a]) as usize);
        let at = |[x, y]: [i64; 2]| (y - low[1]) as usize * width + (x - low[0]) as usize;
        let cell_at = |i: usize| [low[0] + (i % width) as i64, low[1] + (i / width) as i64];
        let mut cells: Vec<Option<FinePoint>> = vec![None; width * height];
        let seed = Seed::default().with(self.seed).with(1000 + u64::from(level)).bits();
        let hash = |[x, y]: [i64; 2], salt: u32| hash_3(x as u32, y as u32, salt, seed);
        // 0 is a cell that has had its turn. Of neighbours with the same rank, which are rare, neither has one.
        let mut ranks: Vec<u32> = (0..cells.len()).map(|i| hash(cell_at(i), 0) | 1).collect();
        for (point, _) in coarser {
            let cell = point.map(|x| x >> (FINE + level));
            if (0..2).all(|a| (low[a]..high[a]).contains(&cell[a])) {
                // A coarser point fills its cell.
                cells[at(cell)] = Some(*point);
                ranks[at(cell)] = 0;
            }
        }
        // The distance is the diagonal of a cell: its square is twice that of the edge.
        let least = 2_i64 << (2 * (FINE + level));
        let inner = (2..height - 2).flat_map(|y| (2..width - 2).map(move |x| y * width + x));
        let mut waiting: Vec<usize> = inner.filter(|&i| ranks[i] > 0).collect();
        let rows = |i: usize| (0..5).map(move |dy| i + dy * width - 2 * width - 2);
        let mut added = Vec::new();
        for _ in 0..ROUNDS {
            let first = |&i: &usize| {
                let above = |row: usize| ranks[row..row + 5].iter().filter(|&&rank| rank >= ranks[i]).count();
                rows(i).map(above).sum::<usize>() == 1
            };
            let (turn, rest): (Vec<usize>, Vec<usize>) = waiting.into_iter().partition(first);
            waiting = rest;
            for i in turn {
                ranks[i] = 0;
                let (mut near, mut count) = ([[0; 2]; 24], 0);
                for point in rows(i).flat_map(|row| &cells[row..row + 5]).flatten() {
                    near[count] = *point;
                    count += 1;
                }
                let cell = cell_at(i);
                let throw = |dart: u32| -> FinePoint {
                    let fine = [1, 2].map(|axis| i64::from(hash(cell, 2 * dart + axis) >> (32 - FINE)));
                    [0, 1].map(|a| ((cell[a] << FINE) + fine[a]) << level)
                };
                let apart = |point: &FinePoint| {
                    near[..count].iter().all(|other| {
                        let [dx, dy] = [other[0] - point[0], other[1] - point[1]];
                        dx * dx + dy * dy >= least
                    })
                };
                if let Some(point) = (0..DARTS).map(throw).find(apart) {
                    cells[i] = Some(point);
                    added.push((point, cell));
                }
            }
        }
        // What lies near the edge of the window was decided without all that matters.
        let edge = HALO + 2;
        let sure = |cell: [i64; 2]| (0..2).all(|a| (low[a] + edge..high[a] - edge).contains(&cell[a]));
        added.into_iter().filter(|(_, cell)| sure(*cell)).map(|(point, _)| point).collect()
    }
}

/// The share of all points that have this level or a coarser one.
fn density(level: u32) -> f64 {
    f64::powi(0.25, level as i32)
}

/// Pairs of points nearer than a distance: none, if all is well. For tests and for those who want to be sure.
#[doc(hidden)]
pub fn violations(places: &[Point], distance: f64) -> usize {
    let cell = |place: &Point| place.position.map(|x| (x / distance).floor() as i64);
    let mut cells: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    for (i, place) in places.iter().enumerate() {
        cells.entry(cell(place)).or_default().push(i);
    }
    let near = |i: usize, place: &Point| {
        let [x, y] = cell(place);
        let around = (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| [x + dx, y + dy]));
        let others = around.filter_map(|cell| cells.get(&cell)).flatten();
        others
            .filter(|&&j| j > i && (places[j].position[0] - place.position[0]).hypot(places[j].position[1] - place.position[1]) < distance)
            .count()
    };
    places.iter().enumerate().map(|(i, place)| near(i, place)).sum()
}
