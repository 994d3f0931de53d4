//! The cells of every level, each computed on demand. The result of a cell depends on few others, anywhere in the plane.

use super::COARSEST;
use super::gap::{FINE, Gap, Near};
use crate::cpu::lib::hash::hash_3;
use crate::cpu::simd::{Dispatch, level};
use crate::program::Seed;
use crate::stop::{Stop, Stopped};

/// Margin in cells around a block that is usually sufficient. Dependencies are unbounded, but chains of falling ranks end after
/// some twenty cells.
const USUAL: i64 = 24;

/// A point as integers: in finest cells relative to the base, with a fraction of [`FINE`] bits.
pub(super) type FinePoint = [i64; 2];

/// The state of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CellState {
    #[default]
    Nothing,
    /// Its rank is known, and it contains no point of a coarser level.
    Rank,
    /// It contains a point of a coarser level.
    Filled { level: u8 },
    /// It has been searched, and may contain a point.
    Thrown,
}

#[derive(Clone, Copy, Default)]
struct ThrowCell {
    known: CellState,
    /// Whether it contains a point of any level.
    occupied: bool,
    rank: u32,
    /// The position of that point in the cell.
    at: [u32; 2],
}

/// The cells of one level near a block, relative to a base.
struct LevelCells {
    /// The base, in the plane's cells of this level.
    base: [i64; 2],
    low: [i64; 2],
    size: [usize; 2],
    seed: u32,
    cells: Vec<ThrowCell>,
}

impl LevelCells {
    #[inline(always)]
    fn index(&self, [x, y]: [i64; 2]) -> usize {
        (y - self.low[1]) as usize * self.size[0] + (x - self.low[0]) as usize
    }

    /// Whether all cells that affect a cell are included.
    fn surrounds(&self, cell: [i64; 2]) -> bool {
        (0..2).all(|a| (2..self.size[a] as i64 - 2).contains(&(cell[a] - self.low[a])))
    }

    /// The hash input of a cell: its number in the plane, and a seed that includes the bits of that number beyond 32.
    fn named(&self, cell: [i64; 2]) -> ([u32; 2], u32) {
        let number = [0, 1].map(|a| self.base[a] + cell[a]);
        let [x, y] = number.map(|x| (x + (1 << 31)) >> 32);
        // Cells near the origin have the unmodified seed.
        let seed = if (x, y) == (0, 0) { self.seed } else { hash_3(x as u32, y as u32, 0, self.seed) };
        (number.map(|x| x as u32), seed)
    }
}

/// Edge of the neighbourhood that affects a cell, with the cell in the middle.
const AROUND: usize = 5;
const MIDDLE: usize = AROUND * AROUND / 2;
/// The neighbours of a cell, those whose points cover more of it first; the four corners are too far away to matter.
const NEAREST_FIRST: [usize; 20] = [7, 11, 13, 17, 6, 8, 16, 18, 2, 10, 14, 22, 1, 3, 5, 9, 15, 19, 21, 23];

impl ThrowCell {
    /// The point of this cell, one of those [around](NEAREST_FIRST) another, relative to that cell's corner.
    #[inline(always)]
    fn seen(&self, k: usize) -> [i32; 2] {
        [(k % AROUND, self.at[0]), (k / AROUND, self.at[1])].map(|(cells, at)| ((cells as i32 - 2) << FINE) + at as i32)
    }
}

/// The cells of all levels near a block.
pub(super) struct PoissonCells {
    levels: Vec<LevelCells>,
    simd: Dispatch,
    /// Whether a cell beyond the halo was needed.
    left: bool,
}

impl PoissonCells {
    /// The points in a block of finest cells, from `first` to before `end`, with the level of each, row by row. All are relative
    /// to a base, which is a multiple of the coarsest cells.
    ///
    /// # Errors
    /// Returns an error if it was stopped.
    pub fn points(seed: u64, base: [i64; 2], first: [i64; 2], end: [i64; 2], stop: &Stop) -> Result<Vec<(FinePoint, u32)>, Stopped> {
        // If a cell depends on one beyond the halo, everything is repeated with a wider halo.
        let mut halos = std::iter::successors(Some(USUAL), |halo| Some(2 * halo));
        let found = halos.find_map(|halo| PoissonCells::new(seed, base, first, end, halo).all(first, end, stop).transpose());
        found.expect("invariant: the halo grows until it suffices")
    }

    /// With a halo of this many cells around the requested ones.
    fn new(seed: u64, base: [i64; 2], first: [i64; 2], end: [i64; 2], halo: i64) -> Self {
        let (mut low, mut high) = (first, end);
        let mut levels = Vec::new();
        for level in 0..=COARSEST {
            (low, high) = (low.map(|x| x - halo - 2), high.map(|x| x + halo + 2));
            let size = [0, 1].map(|a| (high[a] - low[a]) as usize);
            let seed = Seed::default().with(seed).with(1000 + u64::from(level)).bits();
            levels.push(LevelCells {
                base: base.map(|x| x >> level),
                low,
                size,
                seed,
                cells: vec![ThrowCell::default(); size[0] * size[1]],
            });
            // Each of these needs the coarser cell that contains it.
            (low, high) = (low.map(|x| x >> 1), high.map(|x| (x >> 1) + 1));
        }
        PoissonCells { levels, simd: Dispatch::new(level()), left: false }
    }

    /// The points of a block; `None` if the halo was too small.
    fn all(mut self, first: [i64; 2], end: [i64; 2], stop: &Stop) -> Result<Option<Vec<(FinePoint, u32)>>, Stopped> {
        let mut points = Vec::new();
        for y in first[1]..end[1] {
            stop.check()?;
            points.extend((first[0]..end[0]).filter_map(|x| self.occupant(0, [x, y])));
        }
        Ok((!self.left).then_some(points))
    }

    /// The point in a cell of a level, and the level that it belongs to.
    fn occupant(&mut self, level: u32, cell: [i64; 2]) -> Option<(FinePoint, u32)> {
        if self.ranked(level, cell).known == CellState::Rank {
            self.thrown(level, cell);
        }
        let sheet = &self.levels[level as usize];
        let ThrowCell { known, occupied, at, .. } = sheet.cells[sheet.index(cell)];
        let point = [0, 1].map(|a| ((cell[a] << FINE) + i64::from(at[a])) << level);
        let of = if let CellState::Filled { level } = known { u32::from(level) } else { level };
        occupied.then_some((point, of))
    }

    /// Initialises a cell.
    #[inline(always)]
    fn ranked(&mut self, level: u32, cell: [i64; 2]) -> ThrowCell {
        let sheet = &self.levels[level as usize];
        let known = sheet.cells[sheet.index(cell)];
        if known.known == CellState::Nothing { self.rank(level, cell) } else { known }
    }

    #[inline(never)]
    fn rank(&mut self, level: u32, cell: [i64; 2]) -> ThrowCell {
        // A point of a coarser level fills the cell that contains it.
        let coarser = if level < COARSEST { self.occupant(level + 1, cell.map(|x| x >> 1)) } else { None };
        let own = coarser.filter(|(point, _)| point.map(|x| x >> (FINE + level)) == cell);
        let sheet = &mut self.levels[level as usize];
        let now = match own {
            Some((point, of)) => {
                let at = [0, 1].map(|a| ((point[a] >> level) - (cell[a] << FINE)) as u32);
                ThrowCell { known: CellState::Filled { level: of as u8 }, occupied: true, rank: 0, at }
            }
            None => {
                let ([x, y], seed) = sheet.named(cell);
                ThrowCell { known: CellState::Rank, occupied: false, rank: hash_3(x, y, 0, seed) | 1, at: [0; 2] }
            }
        };
        let i = sheet.index(cell);
        sheet.cells[i] = now;
        now
    }

    /// Searches a cell without a coarser point for room, after the cells nearby that outrank it.
    fn thrown(&mut self, level: u32, cell: [i64; 2]) {
        let l = level as usize;
        if !self.levels[l].surrounds(cell) {
            self.left = true;
            return;
        }
        let sheet = &self.levels[l];
        let (middle, width) = (sheet.index(cell), sheet.size[0]);
        let own = sheet.cells[middle].rank;
        // All indices are valid, because the sheet surrounds the cell.
        let index = |k: usize| middle + k / AROUND * width + k % AROUND - (2 * width + 2);
        let (mut near, mut added) = (Near::none(), 0_u32);
        for &k in &NEAREST_FIRST {
            let other = &sheet.cells[index(k)];
            if other.occupied {
                near.add(other.seen(k));
                added |= 1 << k;
                if near.is_full() {
                    break;
                }
            }
        }
        for &k in &NEAREST_FIRST {
            if near.is_full() {
                break;
            }
            if added >> k & 1 != 0 {
                continue;
            }
            let at = [cell[0] + (k % AROUND) as i64 - 2, cell[1] + (k / AROUND) as i64 - 2];
            let mut other = self.levels[l].cells[index(k)];
            if other.known == CellState::Nothing {
                other = self.rank(level, at);
            }
            // Ties of ranks, which are rare, go to the first cell.
            if other.known == CellState::Rank && (other.rank > own || (other.rank == own && k < MIDDLE)) {
                self.thrown(level, at);
                other = self.levels[l].cells[index(k)];
            }
            if other.occupied {
                near.add(other.seen(k));
            }
        }
        let sheet = &mut self.levels[l];
        let at = if near.is_full() { None } else { Gap::new(self.simd, sheet.named(cell), &near).place() };
        sheet.cells[middle] = ThrowCell { known: CellState::Thrown, occupied: at.is_some(), rank: own, at: at.unwrap_or_default() };
    }
}
