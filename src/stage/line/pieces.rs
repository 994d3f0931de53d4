//! The pieces of lines near a block of samples.
//!
//! Points are rounded to 1/64 of the distance between samples, and lines are cut into pieces no longer than [`LONGEST`]. So the numbers
//! of a piece relative to a sample are exact in f32, and equal in every block.

use crate::region::Region;
use crate::stage::StageError;
use std::sync::Arc;

/// The largest number of points.
pub const MOST_POINTS: usize = 65_536;
/// Parts of the distance between samples.
const PARTS: f64 = 64.0;
/// The length of a piece in parts.
const LONGEST: f64 = 64.0 * PARTS;
/// Binary logarithm of the edge of the squares of samples that share a list of pieces.
const SHIFT: u32 = 5;
/// The largest index that f32 represents exactly.
const MOST_ENTRIES: usize = 1 << 24;
/// The largest number of samples between a point and the anchor.
const FARTHEST: f64 = 1_099_511_627_776.0;
/// Numbers of a piece in the table.
const NUMBERS: usize = 7;

/// The pieces of lines near a block.
pub struct Pieces {
    /// Binary logarithm of the edge of a square of samples.
    pub shift: f64,
    /// Squares in a row.
    pub columns: f64,
    /// The first entry and the number of entries of each square, then the entries, then the pieces.
    pub table: Arc<Vec<f64>>,
}

/// A piece, in samples relative to the first of the block.
struct Piece {
    from: [f64; 2],
    along: [f64; 2],
    levels: [f64; 2],
}

impl Piece {
    /// The square of the distance to a point.
    fn square(&self, at: [f64; 2]) -> f64 {
        let way = [0, 1].map(|a| at[a] - self.from[a]);
        let length = self.along[0] * self.along[0] + self.along[1] * self.along[1];
        let t = ((way[0] * self.along[0] + way[1] * self.along[1]) / length).clamp(0.0, 1.0);
        let [x, y] = [0, 1].map(|a| way[a] - t * self.along[a]);
        x * x + y * y
    }
}

impl Pieces {
    /// The pieces of these lines within `reach` samples of a block.
    pub fn of(name: &str, points: &[[f64; 3]], smoothing: u32, block: &Region, reach: f64) -> Result<Self, StageError> {
        let far = |point: &&[f64; 3]| (0..2).any(|a| ((point[a] - block.anchor[a]) / block.step()).abs() > FARTHEST);
        if let Some([x, y, _]) = points.iter().find(far) {
            let given = format!("a point at {x}, {y}");
            return Err(StageError::parameter(name, "points", given, "up to 2^40 distances between samples from the anchor"));
        }
        let pieces = pieces(&lines(points, smoothing), block, reach);
        let [columns, rows] = [0, 1].map(|a| (block.size[a] as usize).div_ceil(1 << SHIFT).max(1));
        let edge = f64::from(1_u32 << SHIFT);
        let around = std::f64::consts::FRAC_1_SQRT_2 * edge;
        let mut lists = vec![Vec::new(); columns * rows];
        let mut near: Vec<(usize, f64)> = Vec::new();
        for (i, list) in lists.iter_mut().enumerate() {
            let middle = [i % columns, i / columns].map(|k| (k as f64 + 0.5) * edge);
            near.clear();
            near.extend(pieces.iter().enumerate().filter_map(|(k, piece)| {
                let most = reach + around;
                let outside = |a: usize| {
                    let (p, q) = (piece.from[a], piece.from[a] + piece.along[a]);
                    middle[a] + most < p.min(q) || middle[a] - most > p.max(q)
                };
                let distance = if outside(0) || outside(1) { f64::INFINITY } else { libm::sqrt(piece.square(middle)) };
                (distance <= most).then_some((k, distance))
            }));
            // A piece that is farther from every sample of the square than another piece is nearest to none.
            let least = near.iter().map(|(_, distance)| *distance).fold(f64::INFINITY, f64::min);
            list.extend(near.iter().filter(|(_, distance)| distance - around <= least + around + 0.01).map(|(k, _)| *k));
        }
        let entries: usize = lists.iter().map(Vec::len).sum();
        let first_piece = 2 * lists.len() + entries;
        let all = first_piece + NUMBERS * pieces.len();
        if all > MOST_ENTRIES {
            let given = format!("{} pieces near a block", pieces.len());
            return Err(StageError::parameter(name, "points", given, "fewer points, or a smaller reach"));
        }
        let mut table = Vec::with_capacity(all);
        let mut next = 2 * lists.len();
        for list in &lists {
            table.extend([next as f64, list.len() as f64]);
            next += list.len();
        }
        table.extend(lists.iter().flatten().map(|k| (first_piece + NUMBERS * k) as f64));
        for Piece { from: [x, y], along: [along_x, along_y], levels: [from, to] } in pieces {
            table.extend([x, y, along_x, along_y, 1.0 / (along_x * along_x + along_y * along_y), from, to - from]);
        }
        Ok(Pieces { shift: f64::from(SHIFT), columns: columns as f64, table: Arc::new(table) })
    }
}

/// The lines, each of which ends where a point is repeated, with rounded corners.
fn lines(points: &[[f64; 3]], smoothing: u32) -> Vec<Vec<[f64; 3]>> {
    let mut all = vec![Vec::new()];
    for &point in points {
        let line = all.last_mut().expect("invariant: there is a line");
        if line.last().is_some_and(|last: &[f64; 3]| last[..2] == point[..2]) {
            all.push(Vec::new());
        } else {
            line.push(point);
        }
    }
    all.into_iter().map(|line| (0..smoothing).fold(line, |line, _| rounded(&line))).collect()
}

/// A line whose corners are cut at a quarter of the way on both sides (Chaikin 1974). The ends of an open line stay.
fn rounded(line: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let ([first, .., last], 3..) = (line, line.len()) else { return line.to_vec() };
    let is_closed = first[..2] == last[..2];
    let mut all = Vec::with_capacity(2 * line.len() + 2);
    if !is_closed {
        all.push(*first);
    }
    for pair in line.windows(2) {
        let between = |t: f64| [0, 1, 2].map(|a| pair[0][a] + (pair[1][a] - pair[0][a]) * t);
        all.extend([between(0.25), between(0.75)]);
    }
    all.push(if is_closed { all[0] } else { *last });
    all
}

/// The pieces whose box is within `reach` samples of a block, in the order of the lines.
fn pieces(lines: &[Vec<[f64; 3]>], block: &Region, reach: f64) -> Vec<Piece> {
    let step = block.step();
    // In parts, on the grid of all samples.
    let place = |point: [f64; 3]| [0, 1].map(|a| libm::round((point[a] - block.anchor[a]) / step * PARTS) as i64);
    let first = [0, 1].map(|a| block.origin[a] as f64 * PARTS);
    let low = first.map(|x| x - (reach + 1.0) * PARTS);
    let high = [0, 1].map(|a| first[a] + (f64::from(block.size[a]) + reach + 1.0) * PARTS);
    let mut all = Vec::new();
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        let [from, to] = [place(pair[0]), place(pair[1])];
        if from == to {
            continue;
        }
        let way = [0, 1].map(|a| (to[a] - from[a]) as f64);
        let count = libm::ceil(libm::hypot(way[0], way[1]) / LONGEST).max(1.0);
        // The part of the line in the box, from one end (0) to the other (1).
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for a in 0..2 {
            let [t, u] = [low[a], high[a]].map(|side| (side - from[a] as f64) / way[a]);
            if way[a] != 0.0 {
                (begin, end) = (begin.max(t.min(u)), end.min(t.max(u)));
            } else if (from[a] as f64) < low[a] || (from[a] as f64) > high[a] {
                end = -1.0;
            }
        }
        if begin > end {
            continue;
        }
        let [begin, end] = [libm::floor(begin * count) - 1.0, libm::ceil(end * count) + 1.0].map(|k| k.clamp(0.0, count) as i64);
        let count = count as i64;
        let at = |k: i64| {
            let part = |a: usize| from[a] + (i128::from(to[a] - from[a]) * i128::from(k)).div_euclid(i128::from(count)) as i64;
            ([part(0), part(1)], pair[0][2] + (pair[1][2] - pair[0][2]) * (k as f64 / count as f64))
        };
        for k in begin..end {
            let ((from, low), (to, high)) = (at(k), at(k + 1));
            let samples = |a: usize, x: i64| (i128::from(x) - i128::from(block.origin[a]) * PARTS as i128) as f64 / PARTS;
            let from = [samples(0, from[0]), samples(1, from[1])];
            let to = [samples(0, to[0]), samples(1, to[1])];
            all.push(Piece { from, along: [to[0] - from[0], to[1] - from[1]], levels: [low, high] });
        }
    }
    all
}
