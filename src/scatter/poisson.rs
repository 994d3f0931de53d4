//! Poisson-disk samples of the whole plane: points with a minimum distance, for any part of the plane.
//!
//! The plane is divided into cells of at most one point. Every cell has a random rank, and searches for room once all nearby cells
//! of higher rank are done. So the order is random, but the result of a cell depends only on cells near it. A cell stays empty
//! only if it has no room, so the points are maximal: no other fits between them. Positions are integers in units of 2⁻²⁴ of a
//! cell, and so is the test of distances: rounding never decides it. Positions are relative to a cell near the requested part, at
//! any distance from the origin; only the results are numbers in world units.

mod gap;
mod lloyd;
mod sheet;

use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::Gradient;
use crate::graph::Noise;
use crate::not_allowed::NotAllowed;
use crate::program::Seed;
use crate::region::FARTHEST;
use crate::stop::{Stop, Stopped};
use gap::FINE;
use lloyd::{MARGIN, MovedPoint, relaxed};
use rayon::prelude::*;
use sheet::PoissonCells;
use std::collections::HashMap;

/// Points at a minimum distance, thinned by a density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poisson {
    /// Minimum distance between any two points, in world units.
    pub distance: f64,
    /// Seed of the points.
    pub seed: u64,
    /// Steps of Lloyd's relaxation, up to 64: each moves every point to the centroid of its Voronoi cell. More steps make the
    /// points more even, towards a honeycomb. The points still do not depend on the requested part of the plane, but their
    /// distance is no longer guaranteed. For 66,000 points the smallest distance was 0.88 of it. The mean distance to the nearest
    /// neighbour grew from 1.03 to 1.07, 1.10 and 1.13 after 1, 4 and 16 steps.
    pub relax: u32,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Position in world units.
    pub position: [f64; 2],
    /// The density above which this point appears, 0 to 1. Points that appear at a smaller density are farther apart.
    pub threshold: f64,
    /// A random number from 0 to 1 for a size, a rotation or a kind.
    pub random: f64,
}

/// The reason why there are no points.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoissonError {
    /// A value is not allowed.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The density could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Default for Poisson {
    fn default() -> Self {
        Poisson { distance: 10.0, seed: 0, relax: 0 }
    }
}

/// Number of times the distance is doubled: sets of points, each a subset of the next.
const COARSEST: u32 = 4;
/// Edge of the block that one thread computes, in cells.
const BLOCK: i64 = 256;
/// Maximum number of relaxation steps; each needs points from a larger surrounding.
const MOST_STEPS: u32 = 64;
/// Maximum number of cells in an area.
const MOST: f64 = 1e9;

impl Poisson {
    /// All points of a half-open rectangle: `[x, y]` of its lowest corner, `[x, y]` of its highest. Adjacent rectangles contain
    /// every point once. The order is unspecified. Without relaxation, every position of the plane is within the distance of a
    /// point, so no further point fits.
    ///
    /// The plane ends 2⁵³ world units and 2⁵³ distances from the origin. Positions are rounded to f64, so far out two points may
    /// be nearer than the distance, by less than 0.001 of it within 2⁴⁰ distances of the origin.
    ///
    /// The cost is proportional to the area, including a border of some seven distances around it: 0.9 ms for 340 points, 0.2 ms
    /// for one. Each step of relaxation enlarges the border by some six distances. Rectangles of more than 180 distances per side
    /// are shared among the threads of rayon's global pool; smaller ones are computed on the calling thread.
    ///
    /// # Errors
    /// Returns an error if the distance or the rectangle is invalid, or too large to number its points.
    pub fn points(&self, low: [f64; 2], high: [f64; 2]) -> Result<Vec<Point>, PoissonError> {
        self.points_until(low, high, &Stop::default())
    }

    /// As [`points`](Self::points), with cancellation.
    ///
    /// # Errors
    /// Returns the errors of [`points`](Self::points), and [`EngineError::Stopped`] a few milliseconds after cancellation.
    pub fn points_until(&self, low: [f64; 2], high: [f64; 2], stop: &Stop) -> Result<Vec<Point>, PoissonError> {
        let [first, last] = self.cells(low, high)?;
        let steps = |axis: usize| (first[axis]..=last[axis]).step_by(BLOCK as usize);
        let blocks: Vec<[i64; 2]> = steps(1).flat_map(|y| steps(0).map(move |x| [x, y])).collect();
        let here = |place: &Point| (0..2).all(|a| place.position[a] >= low[a] && place.position[a] < high[a]);
        let block = |&from: &[i64; 2]| -> Result<Vec<Point>, Stopped> {
            let found = self.block(from, [0, 1].map(|a| (from[a] + BLOCK).min(last[a] + 1)), stop)?;
            // Only a few points of a narrow rectangle are kept.
            Ok(found.into_iter().filter(here).collect())
        };
        // Waking other threads takes longer than one block.
        let found: Result<Vec<Vec<Point>>, Stopped> =
            if blocks.len() == 1 { blocks.iter().map(block).collect() } else { blocks.par_iter().map(block).collect() };
        let found = found.map_err(EngineError::from)?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Checks every number, and those of a rectangle.
    ///
    /// # Errors
    /// Returns the errors of [`points`](Self::points).
    pub fn check(&self, low: [f64; 2], high: [f64; 2]) -> Result<(), PoissonError> {
        self.cells(low, high).map(|_| ())
    }

    /// The finest cells that contain a rectangle's corners.
    fn cells(&self, low: [f64; 2], high: [f64; 2]) -> Result<[[i64; 2]; 2], PoissonError> {
        let refuse = |what, value: String, allowed: &'static str| Err(NotAllowed::new(what, value, allowed).into());
        if !(self.distance >= 1e-6 && self.distance <= 1e12) {
            return refuse("distance", self.distance.to_string(), "1e-6 to 1e12 world units");
        }
        if self.relax > MOST_STEPS {
            return refuse("relax", self.relax.to_string(), "0 to 64 steps");
        }
        let farthest = FARTHEST * self.distance.min(1.0);
        if !low.iter().chain(&high).all(|x| x.abs() <= farthest) || low[0] > high[0] || low[1] > high[1] {
            return refuse("area", format!("{low:?} to {high:?}"), "ordered corners within 2^53 units and 2^53 distances of the origin");
        }
        if 2.0 * self.squares(low, high) > MOST {
            let allowed = "at most 5e8 squares of the distance at a time, including a border of seven distances, plus six for each step of relaxation";
            return refuse("area", format!("{low:?} to {high:?}"), allowed);
        }
        // Positions and the quotient here are rounded: far out a point may lie a few cells from its own.
        let cell = |x: f64, sign: f64| {
            let cells = x / self.cell();
            (cells + sign * 4.0 * f64::EPSILON * cells.abs()).floor() as i64
        };
        Ok([low.map(|x| cell(x, -1.0)), high.map(|x| cell(x, 1.0))])
    }

    /// Number of squares of the distance that the search for the points of a rectangle covers, including its border. The cost is
    /// proportional to it.
    pub fn squares(&self, low: [f64; 2], high: [f64; 2]) -> f64 {
        let around = 7.0 + 6.0 * f64::from(self.relax);
        [0, 1].map(|a| (high[a] - low[a]) / self.distance + 2.0 * around).into_iter().product()
    }

    /// The points of a rectangle that a density keeps: the share `density` (clamped to 0 to 1) of those at full density, farther
    /// apart where it is low.
    ///
    /// # Errors
    /// Returns the errors of [`points`](Self::points), and an error if the density cannot be evaluated.
    pub fn scatter(&self, engine: &Engine, density: &Noise, low: [f64; 2], high: [f64; 2], z: f64) -> Result<Vec<Point>, PoissonError> {
        let all = self.points_until(low, high, engine.stop())?;
        let positions: Vec<[f64; 3]> = all.iter().map(|place| [place.position[0], place.position[1], z]).collect();
        let densities = engine.sample(density, &positions, Gradient::Without)?;
        Ok(all.into_iter().zip(densities).filter(|(place, density)| place.threshold < density.value).map(|(place, _)| place).collect())
    }

    /// World units along each edge of a finest cell: its diagonal is the distance, so no cell contains two points.
    fn cell(&self) -> f64 {
        self.distance * std::f64::consts::FRAC_1_SQRT_2
    }

    /// The points of a half-open range of finest cells, row by row.
    fn block(&self, first: [i64; 2], end: [i64; 2], stop: &Stop) -> Result<Vec<Point>, Stopped> {
        // Cells are counted from here on: a multiple of every level's cells.
        let base = first.map(|x| x >> COARSEST << COARSEST);
        let [first, end] = [first, end].map(|corner| [0, 1].map(|a| corner[a] - base[a]));
        let point_at = |MovedPoint { from, level, to }: MovedPoint| {
            // The hash of its original position, which identifies it after relaxation. Only points 2⁴⁰ cells apart have the same
            // low bits.
            let named = [0, 1].map(|a| (base[a] << FINE).wrapping_add(from[a]) as u64);
            let random = |salt: u64| Seed::default().with(self.seed).with(salt).with(named[0]).with(named[1]).bits();
            let [share, random] = [1, 2].map(|salt| f64::from(random(salt)) / 4_294_967_296.0);
            // A level has a quarter of the points of the next finer one.
            let (least, most) = (if level == COARSEST { 0.0 } else { density(level + 1) }, density(level));
            let cells = |a: usize| ((i128::from(base[a]) << FINE) + i128::from(to[a])) as f64 / f64::from(1 << FINE);
            Point { position: [0, 1].map(|a| cells(a) * self.cell()), threshold: least + share * (most - least), random }
        };
        let margin = MARGIN * i64::from(self.relax);
        let points = PoissonCells::points(self.seed, base, first.map(|x| x - margin), end.map(|x| x + margin), stop)?;
        let here = |point: &MovedPoint| (0..2).all(|a| (first[a] << FINE..end[a] << FINE).contains(&point.to[a]));
        Ok(relaxed(points, self.relax, stop)?.into_iter().filter(here).map(point_at).collect())
    }
}

/// The share of all points that have this level or a coarser one.
fn density(level: u32) -> f64 {
    libm::ldexp(1.0, -2 * level as i32)
}

/// Pairs of points nearer than a distance, which should be empty. For tests and verification.
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
            .filter(|&&j| {
                j > i && libm::hypot(places[j].position[0] - place.position[0], places[j].position[1] - place.position[1]) < distance
            })
            .count()
    };
    places.iter().enumerate().map(|(i, place)| near(i, place)).sum()
}
