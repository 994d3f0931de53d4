//! Which lattice points along x the samples of a block lie at: columns are counted from the leftmost one, a sample has one of its own, and
//! numbers that are kept for every column are spread over the samples.

use crate::cpu::simd::Real;
use crate::cpu::simd::block::{Aligned, CHUNK, CHUNKS, LANES, Lanes};
use crate::cpu::simd::vector::{BitsOf, SimdVector, Token};

/// Columns that a block may span.
pub const COLUMNS: usize = 2 * LANES;

/// Numbers of lanes.
pub const FIRST_LANES: [u32; CHUNK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A number for every column, and more that are read and not used.
pub type PerColumn<R> = Aligned<R, { COLUMNS + CHUNK }>;

/// Where the samples of a chunk find their columns.
#[derive(Clone, Copy)]
pub enum Look {
    /// All at one.
    One(usize),
    /// Each part of the chunk that a register holds from a column of its own on.
    Near([usize; 2]),
}

impl Look {
    /// From which columns the parts of the chunk look: below `columns`, a power of two, and the compiler is to see
    /// that.
    #[inline(always)]
    pub fn near(self, columns: usize) -> [usize; 2] {
        let [low, high] = match self {
            Look::One(base) => [base; 2],
            Look::Near(bases) => bases,
        };
        [low % columns, high % columns]
    }
}

/// The columns of a block's samples.
pub struct Columns {
    /// In use, in whole chunks.
    pub used: usize,
    look: [Look; CHUNKS],
    /// For every sample, how far above the column from which it is looked for.
    above: Lanes<u32>,
}

impl Columns {
    pub fn new() -> Self {
        Columns { used: 0, look: [Look::One(0); CHUNKS], above: Lanes::of(0) }
    }

    /// Of these columns, which rise or fall by at most one from lane to lane, and `more` columns above a sample's own.
    #[inline(always)]
    pub fn set<T: Token>(&mut self, token: T, column: &Lanes<u32>, more: usize) {
        let (lanes, group) = (token.lanes(), token.register());
        for chunk in 0..lanes / CHUNK {
            let first = chunk * CHUNK;
            let lowest = |from: usize, count: usize| column[from].min(column[from + count - 1]);
            let mut bases = [0; 2];
            for part in 0..CHUNK / group {
                let base = lowest(first + part * group, group);
                for lane in first + part * group..first + (part + 1) * group {
                    self.above[lane] = column[lane] - base;
                }
                bases[part] = base as usize;
            }
            let one = column[first] == column[first + CHUNK - 1];
            self.look[chunk] = if one { Look::One(bases[0]) } else { Look::Near(bases) };
        }
        let highest = column[0].max(column[lanes - 1]) as usize;
        self.used = (highest + more + 1).next_multiple_of(CHUNK).min(COLUMNS);
    }

    /// Where the chunk of a lane looks.
    #[inline(always)]
    pub fn look(&self, at: usize) -> Look {
        self.look[at / CHUNK % CHUNKS]
    }

    /// How far above, from a lane on.
    #[inline(always)]
    pub fn above<R: Real, T: Token>(&self, token: T, at: usize) -> BitsOf<R, T> {
        R::Vector::<T>::load_bits(token, &self.above, at)
    }
}
