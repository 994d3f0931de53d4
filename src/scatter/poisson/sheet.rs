//! The cells of every level, each computed when it is asked for: what a cell gets depends on few others, wherever these lie.

use super::COARSEST;
use crate::cpu::lib::hash::hash_3;
use crate::cpu::simd::{Dispatch, number, vectorised};
use crate::program::Seed;
use fearless_simd::Level;

/// Bits of a position inside a cell.
pub(super) const FINE: u32 = 24;
/// Darts for each cell.
const DARTS: usize = 64;
/// Rounds in which cells have their turn.
const ROUNDS: u8 = 18;
/// Cells that a cell's point depends on to either side at most: two for each round.
const HALO: i64 = 2 * ROUNDS as i64;
/// Cells that it depends on to either side all but always.
const USUAL: i64 = 26;

/// A point as integers: in finest cells, with a fraction of [`FINE`] bits.
pub(super) type FinePoint = [i64; 2];

/// What is known of a cell.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Known {
    #[default]
    Nothing,
    /// Its rank, and that no point of a coarser level lies in it.
    Rank,
    /// A point of a coarser level lies in it.
    Filled { level: u8 },
    /// It has thrown its darts in this round, and one may have stayed.
    Thrown { turn: u8, hit: bool },
    /// Its turn does not come.
    Never,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    known: Known,
    /// Whether a point lies in it, of whichever level.
    occupied: bool,
    rank: u32,
    /// Where in it that point lies.
    at: [u32; 2],
}

/// The cells of one level near a block.
struct Sheet {
    low: [i64; 2],
    size: [usize; 2],
    seed: u32,
    cells: Vec<Cell>,
}

impl Sheet {
    #[inline(always)]
    fn index(&self, [x, y]: [i64; 2]) -> usize {
        (y - self.low[1]) as usize * self.size[0] + (x - self.low[0]) as usize
    }

    /// Whether all cells that matter to a cell are among these.
    fn surrounds(&self, cell: [i64; 2]) -> bool {
        (0..2).all(|a| (2..self.size[a] as i64 - 2).contains(&(cell[a] - self.low[a])))
    }

    #[inline(always)]
    fn hash(&self, [x, y]: [i64; 2], salt: u32) -> u32 {
        hash_3(x as u32, y as u32, salt, self.seed)
    }

    /// The cells near enough to matter to one: the 5 × 5 around it, row by row, itself in the middle.
    #[inline(always)]
    fn around(&self, cell: [i64; 2]) -> [&[Cell; AROUND]; AROUND] {
        let first = self.index(cell.map(|x| x - 2));
        std::array::from_fn(|row| self.cells[first + row * self.size[0]..].first_chunk().expect("invariant: the sheet surrounds the cell"))
    }
}

/// Cells along the edge of what matters to one.
const AROUND: usize = 5;

/// Those cells around one of which something holds: a bit for each, without the one in the middle.
#[inline(always)]
fn those<F: Fn(&Cell) -> bool>(around: [&[Cell; AROUND]; AROUND], hold: F) -> impl Iterator<Item = usize> + use<F> {
    let mut bits = 0_u32;
    for (row, cells) in around.into_iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            bits |= u32::from(hold(cell)) << (row * AROUND + column);
        }
    }
    bits &= !(1 << (AROUND * AROUND / 2));
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(next)
    })
}

/// The cells of all levels near a block.
pub(super) struct Sheets {
    levels: Vec<Sheet>,
    simd: Dispatch,
    halo: i64,
    /// Whether a cell was asked for that lies beyond a halo which is not the whole one.
    left: bool,
}

impl Sheets {
    /// The points in a block of finest cells, from `first` to before `end`, with the level of each: row by row.
    pub fn points(seed: u64, first: [i64; 2], end: [i64; 2]) -> Vec<(FinePoint, u32)> {
        // Hardly a cell depends on others as far away as it might: if one does, all is done once more.
        let found = [USUAL, HALO].into_iter().find_map(|halo| Sheets::new(seed, first, end, halo).all(first, end));
        found.expect("invariant: nothing lies beyond the whole halo")
    }

    /// With room for cells that lie so far from those that are asked for.
    fn new(seed: u64, first: [i64; 2], end: [i64; 2], halo: i64) -> Self {
        let (mut low, mut high) = (first, end);
        let mut levels = Vec::new();
        for level in 0..=COARSEST {
            (low, high) = (low.map(|x| x - halo - 2), high.map(|x| x + halo + 2));
            let size = [0, 1].map(|a| (high[a] - low[a]) as usize);
            let seed = Seed::default().with(seed).with(1000 + u64::from(level)).bits();
            levels.push(Sheet { low, size, seed, cells: vec![Cell::default(); size[0] * size[1]] });
            // Any of these asks for the coarser cell it lies in.
            (low, high) = (low.map(|x| x >> 1), high.map(|x| (x >> 1) + 1));
        }
        Sheets { levels, simd: Dispatch::new(Level::new()), halo, left: false }
    }

    /// The points of a block; none if there was not enough room.
    fn all(mut self, first: [i64; 2], end: [i64; 2]) -> Option<Vec<(FinePoint, u32)>> {
        let cells = (first[1]..end[1]).flat_map(|y| (first[0]..end[0]).map(move |x| [x, y]));
        let points = cells.filter_map(|cell| self.occupant(0, cell)).collect();
        (!self.left).then_some(points)
    }

    /// The point in a cell of a level, and the level that it belongs to.
    fn occupant(&mut self, level: u32, cell: [i64; 2]) -> Option<(FinePoint, u32)> {
        let mut known = self.ranked(level, cell).known;
        if known == Known::Rank {
            known = self.thrown(level, cell);
        }
        let sheet = &self.levels[level as usize];
        let at = sheet.cells[sheet.index(cell)].at;
        let point = [0, 1].map(|a| ((cell[a] << FINE) + i64::from(at[a])) << level);
        match known {
            Known::Filled { level } => Some((point, u32::from(level))),
            Known::Thrown { hit: true, .. } => Some((point, level)),
            _ => None,
        }
    }

    /// A cell of which more than nothing is known from now on.
    #[inline(always)]
    fn ranked(&mut self, level: u32, cell: [i64; 2]) -> Cell {
        let sheet = &self.levels[level as usize];
        let known = sheet.cells[sheet.index(cell)];
        if known.known == Known::Nothing { self.rank(level, cell) } else { known }
    }

    #[inline(never)]
    fn rank(&mut self, level: u32, cell: [i64; 2]) -> Cell {
        // A point of a coarser level fills the cell it lies in.
        let coarser = if level < COARSEST { self.occupant(level + 1, cell.map(|x| x >> 1)) } else { None };
        let own = coarser.filter(|(point, _)| point.map(|x| x >> (FINE + level)) == cell);
        let sheet = &mut self.levels[level as usize];
        let now = match own {
            Some((point, of)) => {
                let at = [0, 1].map(|a| ((point[a] >> level) - (cell[a] << FINE)) as u32);
                Cell { known: Known::Filled { level: of as u8 }, occupied: true, rank: 0, at }
            }
            None => Cell { known: Known::Rank, occupied: false, rank: sheet.hash(cell, 0) | 1, at: [0; 2] },
        };
        let i = sheet.index(cell);
        sheet.cells[i] = now;
        now
    }

    /// Has a cell without a coarser point throw its darts, after all that have their turn before it.
    fn thrown(&mut self, level: u32, cell: [i64; 2]) -> Known {
        let l = level as usize;
        if !self.levels[l].surrounds(cell) {
            // With the whole halo it lies further from whatever is asked for than there are rounds: nothing depends on what is said.
            self.left = self.halo < HALO;
            return Known::Thrown { turn: 1, hit: false };
        }
        let at = |k: usize| [cell[0] + (k % AROUND) as i64 - 2, cell[1] + (k / AROUND) as i64 - 2];
        for k in those(self.levels[l].around(cell), |other| other.known == Known::Nothing) {
            self.rank(level, at(k));
        }
        let own = self.levels[l].cells[self.levels[l].index(cell)].rank;
        let mut turn = 1;
        for k in those(self.levels[l].around(cell), |other| other.rank >= own) {
            let Cell { mut known, rank, .. } = self.levels[l].around(cell)[k / AROUND][k % AROUND];
            if known == Known::Rank && rank > own {
                known = self.thrown(level, at(k));
            }
            // Of neighbours with the same rank, which are rare, neither has a turn.
            turn = match known {
                Known::Thrown { turn: before, .. } if rank > own => turn.max(before + 1),
                _ => ROUNDS + 1,
            };
            if turn > ROUNDS {
                break;
            }
        }
        let sheet = &mut self.levels[l];
        let at = if turn <= ROUNDS { sheet.throw(self.simd, cell) } else { None };
        let known = if turn <= ROUNDS { Known::Thrown { turn, hit: at.is_some() } } else { Known::Never };
        let i = sheet.index(cell);
        sheet.cells[i] = Cell { known, occupied: at.is_some(), rank: own, at: at.unwrap_or_default() };
        known
    }
}

impl Sheet {
    /// Where the first dart sticks that is far enough from all points near the cell.
    fn throw(&self, simd: Dispatch, cell: [i64; 2]) -> Option<[u32; 2]> {
        const EDGE: i32 = 1 << FINE;
        // The distance is the diagonal of a cell: its square is twice that of the edge.
        const LEAST: i64 = 2 << (2 * FINE);
        // What f32 is sure of: its squares are off by less than 2⁻²¹ of themselves.
        const TOO_NEAR: f32 = LEAST as f32 * (1.0 - 1e-6);
        const FAR_ENOUGH: f32 = LEAST as f32 * (1.0 + 1e-6);
        let squared = |x: i32, y: i32| i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y);
        let (mut near, mut count) = ([[0; 2]; AROUND * AROUND], 0);
        let around = self.around(cell);
        for k in those(around, |other| other.occupied) {
            let at = around[k / AROUND][k % AROUND].at;
            let [x, y] = [(k % AROUND, at[0]), (k / AROUND, at[1])].map(|(cells, at)| ((cells as i32 - 2) << FINE) + at as i32);
            let squared = |along: fn(i32) -> i32| [x, y].map(|x| along(x) as f32).iter().map(|x| x * x).sum::<f32>();
            // A point that is too near to the whole cell leaves no place in it; one that is far from all of it, every place.
            if squared(|x| x.abs().max((EDGE - 1 - x).abs())) < TOO_NEAR {
                return None;
            }
            near[count] = [x, y];
            count += usize::from(squared(|x| (-x).max(x - (EDGE - 1)).max(0)) < FAR_ENOUGH);
        }
        let near = &near[..count];
        let (mut darts, mut nearest) = ([[0; DARTS]; 2], [f32::MAX; DARTS]);
        vectorised!(f32, simd, plain: true, wide: false, _token => {
            for dart in 0..DARTS {
                darts[0][dart] = self.hash(cell, 2 * dart as u32 + 1) >> (32 - FINE);
                darts[1][dart] = self.hash(cell, 2 * dart as u32 + 2) >> (32 - FINE);
            }
            for &[x, y] in near {
                for dart in 0..DARTS {
                    let (dx, dy) = ((x - darts[0][dart] as i32) as f32, (y - darts[1][dart] as i32) as f32);
                    nearest[dart] = number::min(nearest[dart], dx * dx + dy * dy);
                }
            }
        });
        let exactly = |dart: usize| near.iter().all(|[x, y]| squared(x - darts[0][dart] as i32, y - darts[1][dart] as i32) >= LEAST);
        let sticks = |&dart: &usize| nearest[dart] > TOO_NEAR && (nearest[dart] > FAR_ENOUGH || exactly(dart));
        (0..DARTS).find(sticks).map(|dart| [darts[0][dart], darts[1][dart]])
    }
}
