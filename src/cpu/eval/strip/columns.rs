//! Columns: the lattice points along x at which the samples of a block lie. Columns are counted from the leftmost one. Numbers
//! that are stored for each column are looked up by the samples.

use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::{Aligned, CHUNK, CHUNKS, LANES, Lanes};
use crate::cpu::simd::real::BitsOf;
use crate::cpu::simd::vector::{SimdVector, Token};

/// Most columns of a block.
pub const COLUMNS: usize = 2 * LANES;

/// The numbers of lanes.
pub const FIRST_LANES: [u32; CHUNK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A number for each column, with padding that is read and not used.
pub type PerColumn<R> = Aligned<R, { COLUMNS + CHUNK }>;

/// Adjacent chunks of the same kind: either all samples of each chunk lie at one column, or each half of a chunk looks up columns
/// from its own base.
#[derive(Clone, Copy)]
pub struct ChunkRun {
    pub first: usize,
    pub end: usize,
    pub one: bool,
}

/// The chunks of a block, in runs.
pub struct ChunkRuns(Vec<ChunkRun>);

impl ChunkRuns {
    pub fn new() -> Self {
        ChunkRuns(Vec::with_capacity(CHUNKS))
    }

    /// Builds the runs of `chunks` chunks; `is_one` is true for those at a single column.
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
    /// Columns in use, in whole chunks.
    pub used: usize,
    /// The base columns of the two halves of each chunk, and whether all of the chunk lies at one column.
    bases: [[u32; 2]; CHUNKS],
    one: [bool; CHUNKS],
    /// For each sample, its column relative to its base.
    above: Lanes<u32>,
}

impl SampleColumns {
    pub fn new() -> Self {
        SampleColumns { used: 0, bases: [[0; 2]; CHUNKS], one: [false; CHUNKS], above: Lanes::of(0) }
    }

    /// Sets the columns of lanes, which rise or fall by at most one from lane to lane. `more` is the number of further columns
    /// that a sample reads above its own.
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

    /// The base columns of the two halves of a chunk, less than `columns`, a power of two.
    #[inline(always)]
    pub fn bases(&self, chunk: usize, columns: usize) -> [usize; 2] {
        self.bases[chunk % CHUNKS].map(|base| base as usize % columns)
    }

    /// Whether all samples of a chunk lie at one column.
    #[inline(always)]
    pub fn is_one(&self, chunk: usize) -> bool {
        self.one[chunk % CHUNKS]
    }

    /// The columns relative to their bases, from a lane on.
    #[inline(always)]
    pub fn above<R: Real, T: Token>(&self, token: T, at: usize) -> BitsOf<R, T> {
        R::Vector::<T>::load_bits(token, &self.above, at)
    }
}
