//! The points around cells, hashed once for all samples of a cell, and the cells of a vector's lanes.

use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::smooth_cells::{Numbers, Point, cells_in_reach, points_in_reach};
use crate::cpu::lib::worley::Search;
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::{Real, unrolled};
use crate::program::WorleyShape;

/// Cells whose points are kept: those of a strip of rows, if cells are at least four samples wide.
const CELLS: usize = 128;

/// The noise whose points are kept.
#[derive(Clone, Copy, PartialEq)]
pub struct PointsOf<R> {
    pub seed: u32,
    pub period: [i32; 4],
    pub shape: WorleyShape,
    pub jitter: R,
    pub variation: R,
    pub reach: R,
}

/// A cell, and the points that may lie within the reach of its samples.
struct Around<R> {
    cell: Option<[u32; 3]>,
    points: Vec<Point<R>>,
}

/// The points around some cells of a lattice.
pub struct NearPoints<R> {
    of: Option<PointsOf<R>>,
    /// The steps from a cell to those whose points are near.
    steps: Vec<[i32; 3]>,
    cells: Vec<Around<R>>,
}

impl<R: Real> PointsOf<R> {
    /// A search for a sample of a cell.
    fn search<const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
        &self,
        cell: [u32; 3],
    ) -> Search<R, DIMENSIONS, KEYS, PERIODIC> {
        let key = HashKey { seed: self.seed, period: self.period };
        Search::new(cell, [R::default(); 3], key, self.shape, self.jitter)
    }

    fn numbers(&self) -> Numbers<R> {
        Numbers { variation: self.variation, reach: self.reach, exponent: R::default() }
    }
}

impl<R: Real> NearPoints<R> {
    pub fn new() -> Self {
        NearPoints { of: None, steps: Vec::new(), cells: Vec::new() }
    }

    /// Prepares for a noise. Its points are still known if it was the last one.
    pub fn begin<const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(&mut self, of: PointsOf<R>) {
        if self.of == Some(of) {
            return;
        }
        self.of = Some(of);
        self.steps = cells_in_reach::<R, DIMENSIONS, KEYS, PERIODIC>(&of.search([0; 3]), of.numbers());
        self.cells.resize_with(CELLS, || Around { cell: None, points: Vec::new() });
        for around in &mut self.cells {
            around.cell = None;
        }
    }

    /// The points around a cell.
    pub fn of<const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(&mut self, cell: [u32; 3]) -> &[Point<R>] {
        let [i, j, k] = cell;
        // Along a row the cells differ in x, or on a rotated lattice in y or z as well.
        let slot = i.wrapping_add(j.wrapping_mul(5)).wrapping_add(k.wrapping_mul(25)) as usize % CELLS;
        let around = &mut self.cells[slot];
        if around.cell != Some(cell) {
            around.cell = Some(cell);
            let of = self.of.expect("invariant: it has begun");
            points_in_reach::<R, DIMENSIONS, KEYS, PERIODIC>(&of.search(cell), &self.steps, of.numbers(), &mut around.points);
        }
        &around.points
    }
}

/// Most cells of a vector's lanes for which it takes less time to compute the vector once for each.
const MOST: usize = 3;

/// The first lanes of a vector that lie in other cells than the lanes before them, and their number; `None` if there are too many.
#[inline(always)]
pub fn first_lanes<B: Bits, const DIMENSIONS: usize>(
    cells: [B; 3],
    width: usize,
    cell: impl Fn(usize) -> [u32; 3],
) -> Option<([usize; MOST], usize)> {
    let (mut firsts, mut count, mut left) = ([0; MOST], 0, u32::MAX >> (32 - width));
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        *firsts.get_mut(count)? = lane;
        count += 1;
        left &= !B::lanes(inside::<B, DIMENSIONS>(cells, cell(lane)));
    }
    Some((firsts, count))
}

/// Whether lanes lie in a cell.
#[inline(always)]
pub fn inside<B: Bits, const DIMENSIONS: usize>(cells: [B; 3], cell: [u32; 3]) -> B::Mask {
    let mut all = cells[0].equals(cells[0].constant(cell[0]));
    unrolled!(i in 1..DIMENSIONS => {
        all = B::both(all, cells[i].equals(cells[i].constant(cell[i])));
    });
    all
}

/// The jets `t` where the mask holds, and `f` elsewhere.
#[inline(always)]
pub fn select<R: Number>(f: Jet<R>, t: Jet<R>, mask: R::Mask) -> Jet<R> {
    let ([fx, fy, fz], [tx, ty, tz]) = (f.gradient, t.gradient);
    let gradient = [R::select(fx, tx, mask), R::select(fy, ty, mask), R::select(fz, tz, mask)];
    Jet { value: R::select(f.value, t.value, mask), gradient }
}
