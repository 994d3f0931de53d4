//! Which lattice points along x the samples of a block lie at: columns are counted from the leftmost one, a sample has one of its own, and
//! numbers that are kept for every column are spread over the samples.

use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::{Aligned, CHUNK, CHUNKS, LANES, Lanes};
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};

/// Columns that a block may span.
pub const COLUMNS: usize = 2 * LANES;

/// Numbers of lanes.
pub const FIRST_LANES: [u32; CHUNK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A number for every column, and more that are read and not used.
pub type PerColumn<R> = Aligned<R, { COLUMNS + CHUNK }>;

/// Chunks next to each other: either all samples of each lie at one column, or each half of a chunk looks from a column of its own on.
#[derive(Clone, Copy)]
pub struct ChunkRun {
    pub first: usize,
    pub end: usize,
    pub one: bool,
}

/// Chunks put together.
pub struct ChunkRuns(Vec<ChunkRun>);

impl ChunkRuns {
    pub fn new() -> Self {
        ChunkRuns(Vec::with_capacity(CHUNKS))
    }

    /// Of so many chunks, given which of them lie at one column.
    #[inline(always)]
    pub fn set(&mut self, chunks: usize, is_one: impl Fn(usize) -> bool) {
        self.0.clear();
        for chunk in 0..chunks {
            let one = is_one(chunk);
            match self.0.last_mut() {
                Some(run) if run.one == one => run.end += 1,
                _ => self.0.push(ChunkRun { first: chunk, end: chunk + 1, one }),
            }
        }
    }

    pub fn all(&self) -> &[ChunkRun] {
        &self.0
    }
}

/// The columns of a block's samples.
pub struct SampleColumns {
    /// In use, in whole chunks.
    pub used: usize,
    /// At which columns the two halves of every chunk look, and whether both at the same.
    bases: [[u32; 2]; CHUNKS],
    one: [bool; CHUNKS],
    /// For every sample, how far above the column from which it is looked for.
    above: Lanes<u32>,
}

impl SampleColumns {
    pub fn new() -> Self {
        SampleColumns { used: 0, bases: [[0; 2]; CHUNKS], one: [false; CHUNKS], above: Lanes::of(0) }
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
                bases[part] = base;
            }
            (self.bases[chunk], self.one[chunk]) = (bases, column[first] == column[first + CHUNK - 1]);
        }
        let highest = column[0].max(column[lanes - 1]) as usize;
        self.used = (highest + more + 1).next_multiple_of(CHUNK).min(COLUMNS);
    }

    /// The columns at which the two halves of a chunk look: below `columns`, a power of two.
    #[inline(always)]
    pub fn bases(&self, chunk: usize, columns: usize) -> [usize; 2] {
        self.bases[chunk % CHUNKS].map(|base| base as usize % columns)
    }

    /// Whether all of a chunk looks at one column.
    #[inline(always)]
    pub fn is_one(&self, chunk: usize) -> bool {
        self.one[chunk % CHUNKS]
    }

    /// How far above, from a lane on.
    #[inline(always)]
    pub fn above<R: Real, T: Token>(&self, token: T, at: usize) -> BitsOf<R, T> {
        R::Vector::<T>::load_bits(token, &self.above, at)
    }
}
