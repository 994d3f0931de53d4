//! The directions of 2D simplex noise around cells, hashed once for the cells around a vector, and kept for the next row.

use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::simplex::directions_2;
use crate::cpu::simd::lanes::{Aligned, CHUNK, CHUNKS};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::permute::{Lookup, WORDS};
use crate::cpu::simd::real::{BitsOf, width};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, unrolled};

/// Cells of a table along each axis.
const EXTENTS: [u32; 2] = [4, WORDS as u32 / 4];

/// The cells around the samples of a vector.
struct KnownCells {
    /// Whether the words are known.
    known: bool,
    first: [u32; 2],
    words: Aligned<u32, WORDS>,
}

/// The cells around the vectors of a block, by the vectors' numbers.
pub struct Directions {
    /// The lattice whose directions are kept.
    of: Option<HashKey<u32, false>>,
    cells: Vec<KnownCells>,
}

/// The steps from the first cell to those of a table.
const STEPS: [[u32; WORDS]; 2] = steps();

const fn steps() -> [[u32; WORDS]; 2] {
    let mut all = [[0; WORDS]; 2];
    let mut place = 0;
    while place < WORDS {
        (all[0][place], all[1][place]) = (place as u32 % EXTENTS[0], place as u32 / EXTENTS[0]);
        place += 1;
    }
    all
}

/// Whether vectors read such tables: a permutation of whole registers does.
#[inline(always)]
pub fn are_known<R: Real, T: Token>(token: T) -> bool {
    width::<R, T>(token) == CHUNK && token.register() == CHUNK
}

/// The first cell along an axis for the cells of a vector, given the first one before; `None` if they are too far apart.
#[inline(always)]
fn begin(before: u32, cells: [u32; CHUNK], extent: u32) -> Option<u32> {
    let (mut low, mut high) = (0, 0);
    for cell in cells {
        let step = cell.wrapping_sub(cells[0]) as i32;
        (low, high) = (low.min(step), high.max(step));
    }
    let across = high.wrapping_sub(low) as u32;
    if across >= extent {
        return None;
    }
    let low = cells[0].wrapping_add(low as u32);
    let ahead = low.wrapping_sub(before);
    if ahead < extent && ahead + across < extent {
        return Some(before);
    }
    // The next row probably lies further on in the same direction.
    Some(if (ahead as i32) < 0 { low.wrapping_add(across).wrapping_sub(extent - 1) } else { low })
}

impl KnownCells {
    /// The steps from the first cell to those of a vector; `None` if not all are in the table.
    #[inline(always)]
    fn steps<B: Bits>(&self, cells: [B; 2]) -> Option<[B; 2]> {
        let steps = [cells[0].minus(cells[0].constant(self.first[0])), cells[1].minus(cells[1].constant(self.first[1]))];
        let inside = [steps[0].less_than(steps[0].constant(EXTENTS[0])), steps[1].less_than(steps[1].constant(EXTENTS[1]))];
        if B::any(B::not(B::both(inside[0], inside[1]))) { None } else { Some(steps) }
    }

    /// Finds the directions around other cells. `None` if they are too far apart.
    #[inline(always)]
    fn find<R: Real, T: Token, const PERIODIC: bool>(
        &mut self,
        token: T,
        cells: [BitsOf<R, T>; 2],
        key: HashKey<BitsOf<R, T>, PERIODIC>,
    ) -> Option<()> {
        let mut first = self.first;
        unrolled!(axis in 0..2 => {
            let mut lanes = [0; CHUNK];
            cells[axis].store(&mut lanes, 0);
            first[axis] = begin(first[axis], lanes, EXTENTS[axis])?;
        });
        (self.known, self.first) = (true, first);
        let from = [R::Vector::<T>::splat_bits(token, first[0]), R::Vector::<T>::splat_bits(token, first[1])];
        unrolled!(vector in 0..(WORDS / CHUNK) => {
            let at = vector * CHUNK;
            let steps = [R::Vector::<T>::load_bits(token, &STEPS[0], at), R::Vector::<T>::load_bits(token, &STEPS[1], at)];
            directions_2([from[0].plus(steps[0]), from[1].plus(steps[1])], key).store(&mut self.words[..], at);
        });
        Some(())
    }
}

impl Directions {
    pub fn new() -> Self {
        Directions { of: None, cells: Vec::new() }
    }

    /// Prepares for a block of a lattice. Its directions are still known if it was the last one.
    pub fn begin(&mut self, of: HashKey<u32, false>) {
        if self.of == Some(of) {
            return;
        }
        self.of = Some(of);
        self.cells.resize_with(CHUNKS, || KnownCells { known: false, first: [0; 2], words: Aligned::of(0) });
        for cells in &mut self.cells {
            cells.known = false;
        }
    }

    /// The words of the cells of the vector at a lane; `None` if they are too far apart.
    #[inline(always)]
    pub fn around<R: Real, T: Token, const PERIODIC: bool>(
        &mut self,
        token: T,
        at: usize,
        cells: [BitsOf<R, T>; 2],
        key: HashKey<BitsOf<R, T>, PERIODIC>,
    ) -> Option<BitsOf<R, T>> {
        let around = self.cells.get_mut(at / CHUNK)?;
        let steps = match around.steps(cells) {
            Some(steps) if around.known => steps,
            _ => {
                around.find::<R, T, PERIODIC>(token, cells, key)?;
                around.steps(cells)?
            }
        };
        Some(R::Vector::<T>::word(&around.words, steps[0].plus(steps[1].times(EXTENTS[0]))))
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Directions, HashKey, Token, are_known, directions_2};
    use crate::cpu::simd::number::Bits;
    use crate::cpu::simd::vector::SimdVector;
    use crate::cpu::simd::{Dispatch, Real, level, vectorised};

    #[inline(always)]
    fn words<T: Token>(token: T, around: &mut Directions, cells: &[[u32; CHUNK]; 2], key: HashKey<u32, false>) -> Option<[u32; CHUNK]> {
        type Vector<T> = <f32 as Real>::Vector<T>;
        if !are_known::<f32, _>(token) {
            return None;
        }
        let vectors = [Vector::<T>::load_bits(token, &cells[0], 0), Vector::<T>::load_bits(token, &cells[1], 0)];
        let key = HashKey { seed: Vector::<T>::splat_bits(token, key.seed), period: key.period };
        let mut words = [0; CHUNK];
        around.around::<f32, _, false>(token, 0, vectors, key)?.store(&mut words, 0);
        Some(words)
    }

    /// Cells begin at the first of a table that was never filled, and the second lattice has the cells of the first.
    #[test]
    fn words_are_those_of_their_cells() {
        let (simd, mut around, mut found) = (Dispatch::new(level()), Directions::new(), 0);
        for seed in [7, 8] {
            let key = HashKey { seed, period: [0; 4] };
            around.begin(key);
            for row in 0..60u32 {
                // Up, and then down again.
                let from = row.min(59 - row) / 2;
                let lanes: [u32; CHUNK] = std::array::from_fn(|lane| lane as u32);
                let cells = [lanes.map(|lane| (lane / 5 + from / 3).wrapping_sub(from % 3)), lanes.map(|lane| lane * 7 % 5 + from)];
                let words = vectorised!(f32, simd, token => words(token, &mut around, &cells, key));
                let expected: [u32; CHUNK] = std::array::from_fn(|lane| directions_2([cells[0][lane], cells[1][lane]], key));
                assert!(words.is_none_or(|words| words == expected), "row {row} of the lattice with seed {seed}");
                found += usize::from(words.is_some());
            }
        }
        assert!(found > 100 || !simd.is_wide(), "{found} of 120 rows were found");
    }
}
