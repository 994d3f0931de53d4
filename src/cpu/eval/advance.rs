//! How lattice coordinates advance along the rows of a region, and which rows share work.

use crate::cpu::lib::jet::axes;
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::{CHUNK, LANES, Lanes, boxed};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::frame::{Fixed, RegionGrid};

/// How far the lanes of a block lie from its first one along a lattice axis, as limbs of 32 bits: cells, and the halves of the
/// fraction.
pub struct LaneOffsets {
    limbs: [Lanes<u32>; 3],
}

impl LaneOffsets {
    /// Of lanes in rows of so many, given what one more along x and along y adds.
    pub fn new([x, y]: [Fixed; 2], width: usize) -> Self {
        let mut limbs = [Lanes::of(0); 3];
        let mut row: Fixed = 0;
        for first in (0..LANES).step_by(width.max(1)) {
            let mut far = row;
            for lane in first..LANES.min(first + width) {
                let [cell, high, low] = split(far);
                (limbs[0][lane], limbs[1][lane], limbs[2][lane]) = (cell, high, low);
                far = far.wrapping_add(x);
            }
            row = row.wrapping_add(y);
        }
        LaneOffsets { limbs }
    }

    /// `start + step · lane` for one lane.
    #[inline(always)]
    pub fn lane(&self, start: Fixed, lane: usize) -> Fixed {
        let [cell, high, low] = axes(|limb| Fixed::from(self.limbs[limb][lane]));
        start.wrapping_add(cell << 64 | high << 32 | low)
    }

    /// `start + step · lane` from a lane on: limbs with carries, so that it is plain arithmetic of 32 bits.
    #[inline(always)]
    pub fn vectors<R: Real, T: Token>(&self, token: T, start: Fixed, at: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        let [cells, highs, lows] = axes(|limb| R::Vector::<T>::load_bits(token, &self.limbs[limb], at));
        let start = split(start);
        let [c, h, l] = axes(|limb| R::Vector::<T>::splat_bits(token, start[limb]));
        let low = lows.plus(l);
        let partial = highs.plus(h);
        let high = one_more(partial, low.less_than(l));
        // At most one of the two additions can have carried.
        let cell = one_more(one_more(cells.plus(c), partial.less_than(h)), high.less_than(partial));
        (cell, R::Vector::<T>::fraction(high, low))
    }
}

/// How a frame's lattice coordinates advance along the rows of a region.
pub struct RowAdvance {
    steps: [[Fixed; 2]; 3],
    /// Lanes in a row of a block.
    pub width: usize,
    pub lane_offsets: [LaneOffsets; 3],
    /// Of several rows in a block, what the first lane_offsets is for one of them.
    row: Option<Box<LaneOffsets>>,
    /// Axes along which all lanes of a block are at one place.
    pub still: [bool; 3],
    /// Axes along which those of a row are, and vectors hold lanes of one row.
    pub rows: [bool; 3],
    /// Axes along which they move with x alone.
    pub columns: [bool; 3],
    /// How many of the lattice's axes, from the first on, make a lattice of which rows share columns.
    pub coherent: u32,
    /// Whether the samples of a row lie so far apart that each has lattice points of its own.
    pub dense: bool,
}

impl RowAdvance {
    fn new() -> Self {
        RowAdvance {
            steps: [[0; 2]; 3],
            still: [true; 3],
            rows: [false; 3],
            columns: [false; 3],
            width: LANES,
            lane_offsets: [0; 3].map(|_| LaneOffsets::new([0; 2], LANES)),
            row: None,
            coherent: 0,
            dense: false,
        }
    }

    /// One for every frame of a region of that width. Those of frames that advance as before stay as they are. How many rows of the region
    /// make a block: several where they are narrow.
    pub fn update(all: &mut Vec<Self>, grids: &[RegionGrid], width: usize) -> usize {
        all.resize_with(grids.len(), RowAdvance::new);
        let narrow = 2 * width <= LANES && grids.iter().all(|grid| grid.samples == [0; 3]);
        let shared = grids.iter().any(shares_points);
        // Rows of at most a vector are packed into full vectors, and share nothing. Wider ones are computed row by row in whole vectors: the block keeps
        // room for what hangs over the end of the last row.
        let by_rows = shared && width > CHUNK;
        let end = if by_rows && !width.is_multiple_of(CHUNK) { CHUNK } else { 0 };
        let rows = if narrow { (LANES - end) / width } else { 1 };
        let width = if rows > 1 { width } else { LANES };
        for (advance, grid) in all.iter_mut().zip(grids) {
            for d in 0..3 {
                // A row does not know of the one below.
                let steps = [grid.step[0][d], if rows > 1 { grid.step[1][d] } else { 0 }];
                if (advance.steps[d], advance.width) != (steps, width) {
                    if d == 0 {
                        advance.row = None;
                    }
                    (advance.steps[d], advance.lane_offsets[d], advance.still[d]) =
                        (steps, LaneOffsets::new(steps, width), steps == [0; 2]);
                }
            }
            advance.width = width;
            advance.rows = axes(|d| grid.step[0][d] == 0 && width.is_multiple_of(CHUNK));
            advance.columns = axes(|d| !advance.still[d] && grid.step[1][d] == 0 && grid.step[2][d] == 0);
            advance.coherent = if rows > 1 && !by_rows { 0 } else { coherent(grid) };
            advance.dense = is_dense(grid);
            if rows > 1 && advance.coherent > 0 {
                advance.row.get_or_insert_with(|| boxed(|| LaneOffsets::new([grid.step[0][0], 0], LANES)));
            }
        }
        rows
    }

    /// How many whole rows a block of so many lanes holds.
    #[inline(always)]
    pub fn rows_in(&self, lanes: usize) -> usize {
        if self.width < LANES { lanes / self.width } else { 1 }
    }

    /// How far the samples of one row lie from its first along the first axis of the lattice.
    #[inline(always)]
    pub fn along_row(&self) -> &LaneOffsets {
        self.row.as_deref().unwrap_or(&self.lane_offsets[0])
    }
}

/// The lattice coordinate of a sample of a region, without periods.
#[inline(always)]
pub fn start(grid: &RegionGrid, d: usize, index: [u32; 3]) -> Fixed {
    let along = |axis: usize| grid.step[axis][d].wrapping_mul(i128::from(index[axis]));
    grid.origin[d].wrapping_add(along(0)).wrapping_add(along(1)).wrapping_add(along(2))
}

/// Whether the samples of a row lie so far apart that each has lattice points of its own.
fn is_dense(grid: &RegionGrid) -> bool {
    step_of(grid) > SPARSE
}

/// Cells from a sample to the next up to which the lattice points of a row are computed once and looked up from then on. Then as many samples
/// as a register holds lie at as many neighbouring points; beyond, looking up would take longer than computing.
const SPARSE: Fixed = 1 << 64;

/// Cells along x from a sample to the next.
fn step_of(grid: &RegionGrid) -> Fixed {
    grid.step[0][0].checked_abs().unwrap_or(Fixed::MAX)
}

/// Of a lattice of how many of its axes, from the first on, rows share work: those that stand still along a row, and none if samples along
/// x depend on more than their x.
fn coherent(grid: &RegionGrid) -> u32 {
    if grid.samples != [0; 3] || grid.step[1][0] != 0 || grid.step[2][0] != 0 {
        return 0;
    }
    1 + grid.step[0][1..].iter().take_while(|&&step| step == 0).count() as u32
}

/// Whether rows of any noise on a lattice share its points.
fn shares_points(grid: &RegionGrid) -> bool {
    coherent(grid) > 0 && !is_dense(grid)
}

/// One more where the mask holds.
#[inline(always)]
fn one_more<B: Bits>(x: B, mask: B::Mask) -> B {
    B::select(x, x.plus(x.constant(1)), mask)
}

/// Cell, upper and lower half of the fraction.
#[inline(always)]
pub fn split(q: Fixed) -> [u32; 3] {
    [(q >> 64) as u32, (q >> 32) as u32, q as u32]
}
