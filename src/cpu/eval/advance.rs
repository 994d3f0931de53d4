//! The advance of lattice coordinates along the rows of a region, and the rows that share work.

use crate::cpu::lib::jet::axes;
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::{CHUNK, LANES, Lanes, boxed};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::frame::{Fixed, RegionGrid};

/// The offsets of a block's lanes from its first one along a lattice axis, as limbs of 32 bits: cells, and the two halves of the
/// fraction.
pub struct LaneOffsets {
    limbs: [Lanes<u32>; 3],
}

impl LaneOffsets {
    /// The offsets of lanes in rows of `width`, from the steps along x and along y.
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

    /// The exact coordinate `start + step · lane` of one lane.
    #[inline(always)]
    pub fn lane(&self, start: Fixed, lane: usize) -> Fixed {
        let [cell, high, low] = axes(|limb| Fixed::from(self.limbs[limb][lane]));
        start.wrapping_add(cell << 64 | high << 32 | low)
    }

    /// The exact coordinates `start + step · lane` from a lane on. Limbs with carries need only 32-bit arithmetic.
    #[inline(always)]
    pub fn vectors<R: Real, T: Token>(&self, token: T, start: Fixed, at: usize) -> (BitsOf<R, T>, R::Vector<T>) {
        let [cells, highs, lows] = axes(|limb| R::Vector::<T>::load_bits(token, &self.limbs[limb], at));
        let start = split(start);
        let [c, h, l] = axes(|limb| R::Vector::<T>::splat_bits(token, start[limb]));
        let low = lows.plus(l);
        let partial = highs.plus(h);
        let high = partial.one_more(low.less_than(l));
        // At most one of the two additions can have carried.
        let cell = cells.plus(c).one_more(partial.less_than(h)).one_more(high.less_than(partial));
        (cell, R::Vector::<T>::fraction(high, low))
    }
}

/// The advance of a frame's lattice coordinates along the rows of a region.
pub struct RowAdvance {
    steps: [[Fixed; 2]; 3],
    /// Lanes in a row of a block.
    pub width: usize,
    pub lane_offsets: [LaneOffsets; 3],
    /// The offsets within a single row, if a block holds several rows; otherwise `lane_offsets[0]` holds them.
    row: Option<Box<LaneOffsets>>,
    /// Axes along which all lanes of a block have the same coordinate.
    pub still: [bool; 3],
    /// Axes along which all lanes of a row have the same coordinate, and each vector lies in one row.
    pub rows: [bool; 3],
    /// Axes whose coordinates depend on x alone.
    pub columns: [bool; 3],
    /// The number of leading lattice axes along which rows share columns.
    pub coherent: u32,
    /// Whether the samples of a row are so far apart that each has its own lattice points.
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

    /// Updates the advances to a region of this width, one for each frame. Advances with unchanged steps keep their tables.
    /// Returns the number of rows of the region per block: several if they are narrow.
    pub fn update(all: &mut Vec<Self>, grids: &[RegionGrid], width: usize) -> usize {
        all.resize_with(grids.len(), RowAdvance::new);
        let narrow = 2 * width <= LANES && grids.iter().all(|grid| grid.samples == [0; 3]);
        let shared = grids.iter().any(shares_points);
        // Rows of at most one vector are packed into full vectors and share nothing. Wider ones are computed row by row in whole
        // vectors, so the block reserves space for the end of the last row's last vector.
        let by_rows = shared && width > CHUNK;
        let end = if by_rows && !width.is_multiple_of(CHUNK) { CHUNK } else { 0 };
        let rows = if narrow { (LANES - end) / width } else { 1 };
        let width = if rows > 1 { width } else { LANES };
        for (advance, grid) in all.iter_mut().zip(grids) {
            for d in 0..3 {
                // A block of a single row needs no step along y.
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

    /// The number of whole rows in a block of this number of lanes.
    #[inline(always)]
    pub fn rows_in(&self, lanes: usize) -> usize {
        if self.width < LANES { lanes / self.width } else { 1 }
    }

    /// The offsets of a row's samples from its first one, along the first axis of the lattice.
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

/// Whether the samples of a row are so far apart that each has its own lattice points.
fn is_dense(grid: &RegionGrid) -> bool {
    step_of(grid) > SPARSE
}

/// The largest step along x, in cells, for which a row's lattice points are computed once and looked up. Up to this step the
/// samples of a register lie at no more lattice points than it has lanes. Beyond it a lookup takes longer than computing the
/// points.
const SPARSE: Fixed = 1 << 64;

/// Cells along x from a sample to the next.
fn step_of(grid: &RegionGrid) -> Fixed {
    grid.step[0][0].checked_abs().unwrap_or(Fixed::MAX)
}

/// The number of leading lattice axes along which rows share work, that is those that are constant along a row. 0 if the first
/// coordinate of a sample depends on more than its x.
fn coherent(grid: &RegionGrid) -> u32 {
    if grid.samples != [0; 3] || grid.step[1][0] != 0 || grid.step[2][0] != 0 {
        return 0;
    }
    1 + grid.step[0][1..].iter().take_while(|&&step| step == 0).count() as u32
}

/// Whether rows share the points of any lattice noise in this frame.
fn shares_points(grid: &RegionGrid) -> bool {
    coherent(grid) > 0 && !is_dense(grid)
}

/// The cell, and the upper and lower half of the fraction.
#[inline(always)]
pub fn split(q: Fixed) -> [u32; 3] {
    [(q >> 64) as u32, (q >> 32) as u32, q as u32]
}
