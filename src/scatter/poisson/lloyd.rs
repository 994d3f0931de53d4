//! Lloyd's relaxation (Lloyd 1982; the article on noise and maps names it among methods for even points): every point moves to
//! the centroid of its Voronoi cell, repeatedly.
//!
//! A point considers neighbours within [`REACH`] only, so its result depends on nearby points, and any part of the plane has the
//! points of the whole. Positions are integers relative to the point, and neighbours are taken in the order of their distance, so
//! no rounding depends on the requested part.

use super::FINE;
use super::sheet::FinePoint;
use crate::stop::{PIECE, Stop, Stopped};

/// Search radius for neighbours, in cells; the distance is √2. In a maximal set, where no position is farther than the distance
/// from a point, the points that bound a Voronoi cell are within two distances; after relaxation slightly more.
const REACH: f64 = 4.25;
/// Number of cells around a point that contain everything within reach.
const AROUND: i64 = 5;
/// Half the edge of the square that limits a Voronoi cell if no neighbour does.
const END: f64 = REACH / 2.0;
/// Margin in cells: to know the points of an area after a step, all points within this margin must be known before it. A point
/// comes from at most the corner of such a square, and depends on points up to the same distance beyond.
pub(super) const MARGIN: i64 = 8;

/// A point that has moved.
#[derive(Clone, Copy)]
pub(super) struct MovedPoint {
    /// Its original position, which identifies it.
    pub from: FinePoint,
    pub level: u32,
    pub to: FinePoint,
}

/// The points after some steps. Points within [`MARGIN`] cells of the outer edge per step are invalid.
pub(super) fn relaxed(points: Vec<(FinePoint, u32)>, steps: u32, stop: &Stop) -> Result<Vec<MovedPoint>, Stopped> {
    let mut all: Vec<MovedPoint> = points.into_iter().map(|(point, level)| MovedPoint { from: point, level, to: point }).collect();
    for _ in 0..steps {
        let bins = Bins::new(&all);
        let mut next: Vec<FinePoint> = Vec::with_capacity(all.len());
        for from in (0..all.len()).step_by(PIECE / 64) {
            stop.check()?;
            let piece = from..all.len().min(from + PIECE / 64);
            next.extend(piece.map(|i| centroid(all[i].to, &bins.around(&all, i))));
        }
        for (point, to) in all.iter_mut().zip(next) {
            point.to = to;
        }
    }
    Ok(all)
}

fn cell([x, y]: FinePoint) -> [i64; 2] {
    [x >> FINE, y >> FINE]
}

/// Points by the cells that contain them.
struct Bins {
    low: [i64; 2],
    size: [i64; 2],
    /// The index in `order` at which the points of each cell begin, and the end.
    start: Vec<u32>,
    order: Vec<u32>,
}

impl Bins {
    fn new(all: &[MovedPoint]) -> Self {
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for point in all {
            for (a, x) in cell(point.to).into_iter().enumerate() {
                (low[a], high[a]) = (low[a].min(x), high[a].max(x));
            }
        }
        let size = if all.is_empty() { [0; 2] } else { [0, 1].map(|a| high[a] - low[a] + 1) };
        let mut bins = Bins { low, size, start: vec![0; (size[0] * size[1]) as usize + 1], order: vec![0; all.len()] };
        for point in all {
            let index = bins.index(cell(point.to));
            bins.start[index + 1] += 1;
        }
        for i in 1..bins.start.len() {
            bins.start[i] += bins.start[i - 1];
        }
        let mut next = bins.start.clone();
        for (i, point) in all.iter().enumerate() {
            let index = bins.index(cell(point.to));
            bins.order[next[index] as usize] = i as u32;
            next[index] += 1;
        }
        bins
    }

    fn index(&self, [x, y]: [i64; 2]) -> usize {
        ((y - self.low[1]) * self.size[0] + x - self.low[0]) as usize
    }

    /// The points within reach of a point, relative to it, nearest first.
    fn around(&self, all: &[MovedPoint], i: usize) -> Vec<[f64; 2]> {
        let here = all[i].to;
        let [column, row] = cell(here);
        let [left, top] = [column, row].map(|x| x - AROUND);
        let (left, right) = (left.max(self.low[0]), (column + AROUND).min(self.low[0] + self.size[0] - 1));
        let mut found = Vec::new();
        for y in top.max(self.low[1])..=(row + AROUND).min(self.low[1] + self.size[1] - 1) {
            let (from, to) = (self.start[self.index([left, y])], self.start[self.index([right, y]) + 1]);
            for &j in &self.order[from as usize..to as usize] {
                let other = all[j as usize].to;
                let (x, y) = ((other[0] - here[0]) as f64 / f64::from(1 << FINE), (other[1] - here[1]) as f64 / f64::from(1 << FINE));
                let square = x * x + y * y;
                if square > 0.0 && square < REACH * REACH {
                    found.push((square, [x, y]));
                }
            }
        }
        found.sort_unstable_by(|(a, p), (b, q)| a.total_cmp(b).then(p[0].total_cmp(&q[0])).then(p[1].total_cmp(&q[1])));
        found.into_iter().map(|(_, point)| point).collect()
    }
}

/// The centroid of a point's Voronoi cell, from its neighbours.
fn centroid(here: FinePoint, neighbours: &[[f64; 2]]) -> FinePoint {
    let mut corners = vec![[-END, -END], [END, -END], [END, END], [-END, END]];
    let mut clipped = Vec::with_capacity(12);
    for &neighbour in neighbours {
        let farthest = corners.iter().fold(0.0_f64, |m, [x, y]| m.max(x * x + y * y));
        let square = neighbour[0] * neighbour[0] + neighbour[1] * neighbour[1];
        // Once the bisector passes by all corners, so do those of all farther neighbours.
        if square >= 4.0 * farthest {
            break;
        }
        // Positive beyond the bisector.
        let side = |[x, y]: [f64; 2]| (x * neighbour[0] + y * neighbour[1]) - 0.5 * square;
        clipped.clear();
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let (sa, sb) = (side(a), side(b));
            if sa <= 0.0 {
                clipped.push(a);
            }
            if (sa <= 0.0) != (sb <= 0.0) {
                let t = sa / (sa - sb);
                clipped.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
            }
        }
        std::mem::swap(&mut corners, &mut clipped);
    }
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for (i, &[ax, ay]) in corners.iter().enumerate() {
        let [bx, by] = corners[(i + 1) % corners.len()];
        let cross = ax * by - bx * ay;
        area += cross;
        sum = [sum[0] + (ax + bx) * cross, sum[1] + (ay + by) * cross];
    }
    // Twice the area. Points that nearly coincide have no area, and stay.
    if area < 1e-12 {
        return here;
    }
    [0, 1].map(|a| here[a] + (sum[a] / (3.0 * area) * f64::from(1 << FINE)).round() as i64)
}
