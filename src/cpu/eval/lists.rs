//! Lists of points around cells, and of borders around points, kept for all samples that read them.

use crate::cpu::lib::cells::{Borders, NearPoint, list_borders, list_points};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::worley::Search;
use crate::cpu::simd::Real;
use crate::program::{WorleyOutput, WorleyShape};

/// Lists that are kept of either kind. Neighbouring cells have different slots.
const SLOTS: usize = 512;

/// The noise whose points are listed.
#[derive(Clone, Copy, PartialEq)]
pub struct ListsOf<R> {
    pub key: HashKey<u32, true>,
    pub shape: WorleyShape,
    pub jitter: R,
}

impl<R: Real> ListsOf<R> {
    /// A search for a sample of a cell.
    fn search<const DIMENSIONS: usize, const KEYS: u8>(&self, cell: [u32; 3]) -> Search<R, DIMENSIONS, KEYS, true> {
        Search::new(cell, [R::default(); 3], self.key, self.shape, self.jitter)
    }
}

/// The last cell that was asked for in a slot, and its list. A list takes as long as some vectors without lists, so it is made only
/// for a cell that is asked for in two blocks.
struct Slot<L> {
    cell: [u32; 3],
    /// The block that asked first; 0 if none did.
    asked: u32,
    list: Option<L>,
    /// Memory of an earlier list.
    spare: Option<L>,
}

impl<L> Slot<L> {
    const EMPTY: Self = Slot { cell: [0; 3], asked: 0, list: None, spare: None };

    #[inline(always)]
    fn get(slots: &mut [Self], block: u32, cell: [u32; 3], fill: impl FnOnce(Option<L>) -> L) -> Option<&L> {
        let [i, j, k] = cell;
        let slot = &mut slots[i.wrapping_add(j.wrapping_mul(128)).wrapping_add(k.wrapping_mul(32)) as usize % SLOTS];
        if slot.cell == cell && slot.list.is_some() {
            return slot.list.as_ref();
        }
        slot.make(block, cell, fill)
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, block: u32, cell: [u32; 3], fill: impl FnOnce(Option<L>) -> L) -> Option<&L> {
        if self.cell != cell || self.asked == 0 {
            (self.cell, self.asked) = (cell, block);
            self.spare = self.list.take().or(self.spare.take());
        }
        if self.asked == block {
            return None;
        }
        self.list = Some(fill(self.spare.take()));
        self.list.as_ref()
    }
}

/// The lists of a lattice.
pub struct CellLists<R> {
    of: Option<ListsOf<R>>,
    /// The number of the present block.
    block: u32,
    points: Vec<Slot<Vec<NearPoint<R>>>>,
    borders: Vec<Slot<Borders<R>>>,
}

impl<R: Real> CellLists<R> {
    pub fn new() -> Self {
        CellLists { of: None, block: 0, points: Vec::new(), borders: Vec::new() }
    }

    /// Prepares for a block of a noise. Its lists are kept if it was the last one.
    pub fn begin(&mut self, of: ListsOf<R>) {
        let has_borders = matches!(of.shape.output, WorleyOutput::Edge | WorleyOutput::Border);
        self.block = self.block.wrapping_add(1).max(1);
        if self.of != Some(of) {
            self.of = Some(of);
            self.points.clear();
            self.points.resize_with(SLOTS, || Slot::EMPTY);
            self.borders.clear();
            self.borders.resize_with(if has_borders { SLOTS } else { 0 }, || Slot::EMPTY);
        }
    }

    /// The points that may be among the nearest of a cell's samples; `None` for the first block that asks.
    #[inline(always)]
    pub fn points<const DIMENSIONS: usize, const KEYS: u8>(&mut self, cell: [u32; 3]) -> Option<&[NearPoint<R>]> {
        let list = Slot::get(&mut self.points, self.block, cell, |spare| {
            let (of, mut points) = (self.of.expect("invariant: it has begun"), spare.unwrap_or_default());
            list_points::<R, DIMENSIONS, KEYS>(&of.search(cell), of.shape, &mut points);
            points
        });
        list.map(Vec::as_slice)
    }

    /// The borders of the point of a cell; `None` for the first block that asks.
    #[inline(always)]
    pub fn borders<const DIMENSIONS: usize, const KEYS: u8>(&mut self, cell: [u32; 3]) -> Option<&Borders<R>> {
        Slot::get(&mut self.borders, self.block, cell, |spare| {
            let (of, mut borders) = (self.of.expect("invariant: it has begun"), spare.unwrap_or_else(Borders::none));
            list_borders::<R, DIMENSIONS, KEYS>(&of.search(cell), &mut borders);
            borders
        })
    }
}
