//! Ground and water as surfaces over a grid, and the places where rays meet them.
//!
//! A cell is the bilinear patch between four samples. A pyramid of maxima skips empty space: a ray descends into a square of cells
//! only if it comes below the highest place in it (Tevs, Ihrke and Seidel 2008).

use rayon::prelude::*;
use std::cell::Cell;

/// Heights in sample units over a grid of samples, with the water on it.
#[derive(Debug)]
pub(super) struct Surface {
    /// Number of samples along x and y, 2 or more.
    pub size: [usize; 2],
    /// Height of the ground at every sample.
    pub ground: Vec<f32>,
    /// Level of the water at every sample in or next to it, elsewhere −∞. Empty: no water.
    pub water: Vec<f32>,
    /// Maxima over squares of cells, the finest first.
    pyramid: Vec<Maxima>,
}

/// The highest places of squares of 2ᵏ × 2ᵏ cells.
#[derive(Debug)]
struct Maxima {
    columns: usize,
    top: Vec<f32>,
}

/// A ray or a line of sight in sample units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub origin: [f64; 3],
    /// The length is 1.
    pub direction: [f64; 3],
}

/// The kind of surface that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ground,
    Water,
    /// The side of the block, below its ground.
    GroundWall,
    /// The side of the block, between ground and water.
    WaterWall,
}

/// The place where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// Distance from the origin of the ray.
    pub distance: f64,
    pub kind: Kind,
}

impl Ray {
    pub(super) fn at(&self, distance: f64) -> [f64; 3] {
        std::array::from_fn(|a| self.origin[a] + distance * self.direction[a])
    }
}

/// The first place in 0 to 1 where a quadratic, given at 0, ½ and 1, is 0 or less.
fn first_below([start, middle, end]: [f64; 3]) -> Option<f64> {
    if start <= 0.0 {
        return Some(0.0);
    }
    let a = 2.0 * (start + end - 2.0 * middle);
    let b = end - start - a;
    let root = if a.abs() <= 1e-12 * b.abs() {
        -start / b
    } else {
        let inside = b * b - 4.0 * a * start;
        if inside < 0.0 {
            return None;
        }
        // The smaller positive root, without cancellation.
        let q = -0.5 * (b + inside.sqrt().copysign(b));
        let (one, other) = (q / a, start / q);
        match (one > 0.0, other > 0.0) {
            (true, true) => one.min(other),
            (true, false) => one,
            (false, true) => other,
            (false, false) => return None,
        }
    };
    // A change of sign is a hit even if rounding puts the root outside.
    if (0.0..=1.0).contains(&root) { Some(root) } else { (end <= 0.0).then_some(1.0) }
}

impl Surface {
    /// Builds the pyramid. `water` is empty or has as many levels as there are samples.
    pub(super) fn new(size: [usize; 2], ground: Vec<f32>, water: Vec<f32>) -> Surface {
        let [columns, rows] = size.map(|samples| samples - 1);
        let top = |at: usize| water.get(at).map_or(ground[at], |level| level.max(ground[at]));
        let cell = |j: usize, i: usize| [0, 1, size[0], size[0] + 1].map(|k| top(j * size[0] + i + k)).into_iter().fold(f32::MIN, f32::max);
        let finest: Vec<f32> =
            (0..rows).into_par_iter().flat_map_iter(|j| (0..columns).map(move |i| (j, i))).map(|(j, i)| cell(j, i)).collect();
        let mut pyramid = vec![Maxima { columns, top: finest }];
        let mut shape = [columns, rows];
        while shape != [1, 1] {
            let below = &pyramid[pyramid.len() - 1];
            let next = shape.map(|n| n.div_ceil(2));
            let mut top = vec![f32::MIN; next[0] * next[1]];
            for (at, value) in below.top.iter().enumerate() {
                let to = &mut top[at / shape[0] / 2 * next[0] + at % shape[0] / 2];
                *to = to.max(*value);
            }
            pyramid.push(Maxima { columns: next[0], top });
            shape = next;
        }
        Surface { size, ground, water, pyramid }
    }

    /// The highest place of ground and water.
    pub(super) fn top(&self) -> f64 {
        f64::from(self.pyramid[self.pyramid.len() - 1].top[0])
    }

    /// The cell that contains a position, and the position in it from 0 to 1.
    pub(super) fn cell(&self, x: f64, y: f64) -> (usize, [f64; 2]) {
        let [i, j] = [(x, self.size[0]), (y, self.size[1])].map(|(x, n)| (x.max(0.0) as usize).min(n - 2));
        (j * self.size[0] + i, [(x - i as f64).clamp(0.0, 1.0), (y - j as f64).clamp(0.0, 1.0)])
    }

    /// A grid between its samples.
    fn between(&self, grid: &[f32], x: f64, y: f64) -> f64 {
        let (at, [u, v]) = self.cell(x, y);
        let [a, b, c, d] = [at, at + 1, at + self.size[0], at + self.size[0] + 1].map(|at| f64::from(grid[at]));
        let (upper, lower) = (a + u * (b - a), c + u * (d - c));
        upper + v * (lower - upper)
    }

    /// The height of the ground.
    pub(super) fn height(&self, x: f64, y: f64) -> f64 {
        self.between(&self.ground, x, y)
    }

    /// The level of the water; −∞ away from it.
    pub(super) fn level(&self, x: f64, y: f64) -> f64 {
        if self.water.is_empty() {
            return f64::NEG_INFINITY;
        }
        let (at, _) = self.cell(x, y);
        let corners = [at, at + 1, at + self.size[0], at + self.size[0] + 1];
        // −∞ times 0 is not a number.
        if corners.iter().all(|at| self.water[*at] > f32::NEG_INFINITY) { self.between(&self.water, x, y) } else { f64::NEG_INFINITY }
    }

    /// Follows a line over the grid, as distances along it from `reach[0]` to `reach[1]`, which lie inside. `skips` decides by the
    /// highest place of a square of cells and the two distances at its borders; `leaf` looks at single cells.
    fn walk<R>(
        &self,
        [x, y]: [f64; 2],
        [dx, dy]: [f64; 2],
        reach: [f64; 2],
        skips: impl Fn(f64, [f64; 2]) -> bool,
        mut leaf: impl FnMut([usize; 2], [f64; 2]) -> Option<R>,
    ) -> Option<R> {
        let cells = [self.size[0] - 1, self.size[1] - 1];
        let clamped = |at: f64, low: usize, high: usize| (at.max(0.0) as usize).clamp(low, high);
        let inverse = [1.0 / dx, 1.0 / dy];
        let [mut from, end] = reach;
        let mut cell = [clamped(x + from * dx, 0, cells[0] - 1), clamped(y + from * dy, 0, cells[1] - 1)];
        let mut level = self.pyramid.len() - 1;
        loop {
            let [i, j] = cell.map(|c| c >> level);
            // Distances at which the line leaves the square.
            let leaves = |start: f64, d: f64, inverse: f64, index: usize| match d {
                d if d > 0.0 => (((index + 1) << level) as f64 - start) * inverse,
                d if d < 0.0 => ((index << level) as f64 - start) * inverse,
                _ => f64::INFINITY,
            };
            let (across, along) = (leaves(x, dx, inverse[0], i), leaves(y, dy, inverse[1], j));
            let to = across.min(along).min(end).max(from);
            let maxima = &self.pyramid[level];
            if !skips(f64::from(maxima.top[j * maxima.columns + i]), [from, to]) {
                if level > 0 {
                    level -= 1;
                    continue;
                }
                if let Some(found) = leaf(cell, [from, to]) {
                    return Some(found);
                }
            }
            if to >= end {
                return None;
            }
            from = to;
            // The next square, by integers: every step moves on.
            let next = |index: usize, d: f64| if d > 0.0 { Some((index + 1) << level) } else { (index << level).checked_sub(1) };
            let last = |index: usize, cells: usize| (((index + 1) << level) - 1).min(cells - 1);
            let old = [i, j];
            if across <= along {
                cell[0] = next(i, dx)?;
                cell[1] = clamped(y + from * dy, j << level, last(j, cells[1]));
            } else {
                cell[1] = next(j, dy)?;
                cell[0] = clamped(x + from * dx, i << level, last(i, cells[0]));
            }
            if cell[0] >= cells[0] || cell[1] >= cells[1] {
                return None;
            }
            let is_other_parent = (0..2).any(|a| (cell[a] >> level) >> 1 != old[a] >> 1);
            if is_other_parent && level + 1 < self.pyramid.len() {
                level += 1;
            }
        }
    }

    /// The distances between which a ray is over the grid.
    fn inside(&self, ray: &Ray) -> Option<[f64; 2]> {
        let mut reach = [0.0_f64, f64::INFINITY];
        for a in 0..2 {
            let (start, d, last) = (ray.origin[a], ray.direction[a], (self.size[a] - 1) as f64);
            if d == 0.0 {
                if !(0.0..=last).contains(&start) {
                    return None;
                }
                continue;
            }
            let (one, other) = (-start / d, (last - start) / d);
            reach = [reach[0].max(one.min(other)), reach[1].min(one.max(other))];
        }
        (reach[0] < reach[1]).then_some(reach)
    }

    /// The first place where a ray meets ground, water, or a side of the block above `base`. The ray begins above the surface or
    /// outside the block.
    pub(super) fn cast(&self, ray: &Ray, base: f64) -> Option<Hit> {
        let [enters, leaves] = self.inside(ray)?;
        if enters > 0.0 {
            let [x, y, z] = ray.at(enters);
            let ground = self.height(x, y);
            if z < ground.max(self.level(x, y)) {
                let kind = if z < ground { Kind::GroundWall } else { Kind::WaterWall };
                return (z >= base).then_some(Hit { distance: enters, kind });
            }
        }
        let (z, dz) = (ray.origin[2], ray.direction[2]);
        // Distance to the highest place.
        let meets = (self.top() - z) / dz;
        let reach = match dz {
            dz if dz < 0.0 => [enters.max(meets), leaves],
            dz if dz > 0.0 => [enters, leaves.min(meets)],
            _ => [enters, leaves],
        };
        if reach[0].is_nan() || reach[0] > reach[1] {
            return None;
        }
        let [x, y, _] = ray.origin;
        let [dx, dy, _] = ray.direction;
        if dx == 0.0 && dy == 0.0 {
            return self.straight_down(ray);
        }
        let skips = |top: f64, [from, to]: [f64; 2]| z + dz * from > top && z + dz * to > top;
        self.walk([x, y], [dx, dy], reach, skips, |[i, j], [from, to]| {
            let corner = j * self.size[0] + i;
            let corners = [corner, corner + 1, corner + self.size[0], corner + self.size[0] + 1];
            let above = |grid: &[f32]| {
                let [a, b, c, d] = corners.map(|at| f64::from(grid[at]));
                [from, 0.5 * (from + to), to].map(|distance| {
                    let (u, v) = (x + dx * distance - i as f64, y + dy * distance - j as f64);
                    let (upper, lower) = (a + u * (b - a), c + u * (d - c));
                    z + dz * distance - (upper + v * (lower - upper))
                })
            };
            let ground = first_below(above(&self.ground)).map(|share| (share, Kind::Ground));
            let is_wet = !self.water.is_empty() && corners.iter().all(|at| self.water[*at] > f32::NEG_INFINITY);
            let water = is_wet.then(|| first_below(above(&self.water))).flatten().map(|share| (share, Kind::Water));
            let (share, kind) = match (ground, water) {
                // Next to water its level is below the ground.
                (Some(ground), Some(water)) => {
                    if water.0 < ground.0 {
                        water
                    } else {
                        ground
                    }
                }
                (ground, water) => ground.or(water)?,
            };
            Some(Hit { distance: from + share * (to - from), kind })
        })
    }

    fn straight_down(&self, ray: &Ray) -> Option<Hit> {
        let [x, y, z] = ray.origin;
        let (ground, level) = (self.height(x, y), self.level(x, y));
        let kind = if level > ground { Kind::Water } else { Kind::Ground };
        (ray.direction[2] < 0.0).then_some(Hit { distance: (z - ground.max(level)).max(0.0), kind })
    }

    /// The tangent of the elevation of the horizon, as seen from a sample in a horizontal direction of length 1, clamped to a range.
    pub(super) fn horizon(&self, [x, y]: [usize; 2], [dx, dy]: [f64; 2], [low, high]: [f64; 2]) -> f64 {
        let at = y * self.size[0] + x;
        let z = f64::from(self.water.get(at).map_or(self.ground[at], |level| level.max(self.ground[at])));
        let place = [x as f64, y as f64];
        let Some([_, leaves]) = self.inside(&Ray { origin: [place[0], place[1], z], direction: [dx, dy, 0.0] }) else {
            return low;
        };
        let steepest = Cell::new(low);
        // No line of sight to the height `top` at either end is steeper.
        let skips = |top: f64, [from, to]: [f64; 2]| top - z <= steepest.get() * from && top - z <= steepest.get() * to;
        let reached = self.walk(place, [dx, dy], [0.0, leaves], skips, |_, [from, to]| {
            for distance in [0.5 * (from + to), to].into_iter().filter(|distance| *distance > 0.5) {
                let (x, y) = (place[0] + dx * distance, place[1] + dy * distance);
                steepest.set(steepest.get().max((self.height(x, y).max(self.level(x, y)) - z) / distance));
            }
            (steepest.get() >= high).then_some(high)
        });
        reached.unwrap_or(steepest.get())
    }
}
