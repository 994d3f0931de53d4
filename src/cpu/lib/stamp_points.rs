//! Twin of `shaders/lib/stamp_points.wgsl`: the points of stamps, and those of them that stay. On the CPU, cells are tested rather than
//! samples.

use crate::cpu::lib::hash::mix;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::number::Bits;
use crate::program::StampPriority;

/// The cell with this number, nine in each lattice, around another one.
#[inline(always)]
pub fn around<B: Bits>([x, y]: [B; 2], number: u32) -> [B; 3] {
    let moved = |c: B, o: u32| c.plus(c.constant(o.wrapping_sub(1)));
    [moved(x, number % 3), moved(y, number % 9 / 3), x.constant(number / 9)]
}

/// The rank of a stamp. No two points have the same, unless their places in their cells are the same.
#[inline(always)]
pub fn rank<B: Bits>(word: B, priority: StampPriority) -> B {
    match priority {
        StampPriority::Random => mix(mix(word)),
        StampPriority::Largest => word ^ word.constant(u32::MAX),
        StampPriority::Smallest => word,
    }
}

/// The points of lattices that have a minimum distance.
#[derive(Clone, Copy)]
pub struct StampPoints<const PERIODIC: bool> {
    pub key: HashKey<u32, PERIODIC>,
    pub priority: StampPriority,
    /// The number of cells around a sample, in all lattices.
    pub discs: u32,
    /// The random numbers of 16 bits below which a cell has a point.
    pub frequent: u32,
    /// The jitter in steps of 2⁻¹⁶.
    pub jitter: i32,
    /// The minimum distance in steps of 2⁻¹⁴ cells, squared.
    pub squared: u32,
}

/// A point of a lattice.
#[derive(Clone, Copy)]
struct Point {
    cell: [u32; 2],
    /// Its place from the middle of the cell, in steps of 2⁻¹⁴.
    at: [i32; 2],
    rank: u32,
    exists: bool,
}

impl<const PERIODIC: bool> StampPoints<PERIODIC> {
    /// Whether the point with this number around a cell stays: all its rivals yield to others.
    pub fn stays(&self, cell: [u32; 2], number: u32) -> bool {
        self.rivals(self.point(around(cell, number))).all(|rival| self.yields(rival))
    }

    /// Whether a point has a rival without rivals.
    fn yields(&self, point: Point) -> bool {
        self.rivals(point).any(|rival| self.rivals(rival).next().is_none())
    }

    /// The points with priority over a point that are nearer than the minimum distance.
    fn rivals(&self, own: Point) -> impl Iterator<Item = Point> {
        (0..self.discs).filter_map(move |number| {
            let other = self.point(around(own.cell, number));
            let away = |axis: usize, o: u32| (o.wrapping_sub(1) << 14).wrapping_add((other.at[axis] - own.at[axis]) as u32);
            let (dx, dy) = (away(0, number % 3), away(1, number % 9 / 3));
            let near = dx.wrapping_mul(dx).wrapping_add(dy.wrapping_mul(dy)) < self.squared;
            (near && other.exists && own.rank < other.rank).then_some(other)
        })
    }

    /// The point of a cell.
    fn point(&self, cell: [u32; 3]) -> Point {
        let h = self.key.cubic(cell);
        let at = [h, h << 16].map(|h| (h as i32 >> 16).wrapping_mul(self.jitter) >> 18);
        let word = mix(h);
        Point { cell: [cell[0], cell[1]], at, rank: rank(word, self.priority), exists: word & 0xffff < self.frequent }
    }
}
