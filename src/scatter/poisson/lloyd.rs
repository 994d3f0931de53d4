//! Lloyd's relaxation (Lloyd 1982; its name among ways to even points is the article's on noise and maps): every point moves to the centroid
//! of what is nearer to it than to any other, again and again.
//!
//! A point looks no further than [`REACH`], so what it comes to depends on points near it alone, and any part of the plane has the points
//! of the whole. Positions are integers, seen from the point, and neighbours are taken in the order of their distance: no rounding depends
//! on which part was asked for.

use super::FINE;
use super::sheet::FinePoint;
use crate::stop::{PIECE, Stop, Stopped};

/// How far a point looks for neighbours, in cells, of which the distance is √2. Of a maximal set, whose points are no further than the distance
/// from any position, those that bound a point's part of the plane are within two of it; relaxed ones a little further.
const REACH: f64 = 4.25;
/// Cells around a point that hold all it looks at.
const AROUND: i64 = 5;
/// Where a part of the plane ends if no neighbour ends it, from the point.
const END: f64 = REACH / 2.0;
/// Cells around an area in which points must be known before a step, so that they are known in it after: a point comes from no further than the
/// corner of such an end, and looks as far again.
pub(super) const MARGIN: i64 = 8;

/// A point that has moved.
#[derive(Clone, Copy)]
pub(super) struct MovedPoint {
    /// Where it was, which names it.
    pub from: FinePoint,
    pub level: u32,
    pub to: FinePoint,
}

/// The points after some steps. What is within [`MARGIN`] cells of the edge of all for each step is not to be used.
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

/// Points by the cells in which they lie.
struct Bins {
    low: [i64; 2],
    size: [i64; 2],
    /// Where the points of each cell begin in `order`, and the end.
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

    /// The points within reach of one, as seen from it, nearest first.
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

/// The centroid of what is nearer to a point than to its neighbours.
fn centroid(here: FinePoint, neighbours: &[[f64; 2]]) -> FinePoint {
    let mut corners = vec![[-END, -END], [END, -END], [END, END], [-END, END]];
    let mut clipped = Vec::with_capacity(12);
    for &neighbour in neighbours {
        let farthest = corners.iter().fold(0.0_f64, |m, [x, y]| m.max(x * x + y * y));
        let square = neighbour[0] * neighbour[0] + neighbour[1] * neighbour[1];
        // The line half-way to it passes by all corners, and so do those of all that are further.
        if square >= 4.0 * farthest {
            break;
        }
        // Beyond the line where this is positive.
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
    // Twice the area. Points that have all but met leave none, and stay.
    if area < 1e-12 {
        return here;
    }
    [0, 1].map(|a| here[a] + (sum[a] / (3.0 * area) * f64::from(1 << FINE)).round() as i64)
}
