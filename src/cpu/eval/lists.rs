//! Lists of points around cells, and of borders around points, kept for all samples that read them.

use crate::cpu::lib::cells::{Borders, NearPoint, list_borders, list_points};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::worley::Search;
use crate::cpu::simd::Real;
use crate::program::WorleyShape;

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

/// The last cell that asked for a slot's list, and the list, once it has asked again. A list takes as long as some vectors without
/// lists, so it is made only for cells with several vectors.
struct Slot<L> {
    cell: Option<[u32; 3]>,
    list: Option<L>,
    /// Memory of an earlier list.
    spare: Option<L>,
}

impl<L> Slot<L> {
    const EMPTY: Self = Slot { cell: None, list: None, spare: None };

    fn get(slots: &mut [Self], cell: [u32; 3], new: impl FnOnce() -> L, fill: impl FnOnce(&mut L)) -> Option<&L> {
        let [i, j, k] = cell;
        let slot = &mut slots[i.wrapping_add(j.wrapping_mul(128)).wrapping_add(k.wrapping_mul(32)) as usize % SLOTS];
        if slot.cell != Some(cell) {
            slot.cell = Some(cell);
            slot.spare = slot.list.take().or(slot.spare.take());
            return None;
        }
        if slot.list.is_none() {
            let mut list = slot.spare.take().unwrap_or_else(new);
            fill(&mut list);
            slot.list = Some(list);
        }
        slot.list.as_ref()
    }
}

/// The lists of a lattice.
pub struct CellLists<R> {
    of: Option<ListsOf<R>>,
    points: Vec<Slot<Vec<NearPoint<R>>>>,
    borders: Vec<Slot<Borders<R>>>,
}

impl<R: Real> CellLists<R> {
    pub fn new() -> Self {
        CellLists { of: None, points: Vec::new(), borders: Vec::new() }
    }

    /// Prepares for a noise. Its lists are kept if it was the last one.
    pub fn begin(&mut self, of: ListsOf<R>) {
        if self.of != Some(of) {
            self.of = Some(of);
            self.points.clear();
            self.borders.clear();
        }
    }

    /// The points that may be among the nearest of a cell's samples; `None` the first time.
    pub fn points<const DIMENSIONS: usize, const KEYS: u8>(&mut self, cell: [u32; 3]) -> Option<&[NearPoint<R>]> {
        let of = self.of.expect("invariant: it has begun");
        self.points.resize_with(SLOTS, || Slot::EMPTY);
        let list = Slot::get(&mut self.points, cell, Vec::new, |points| {
            list_points::<R, DIMENSIONS, KEYS>(&of.search(cell), of.shape, points);
        });
        list.map(Vec::as_slice)
    }

    /// The borders of the point of a cell; `None` the first time.
    pub fn borders<const DIMENSIONS: usize>(&mut self, cell: [u32; 3]) -> Option<&Borders<R>> {
        let of = self.of.expect("invariant: it has begun");
        self.borders.resize_with(SLOTS, || Slot::EMPTY);
        Slot::get(&mut self.borders, cell, Borders::none, |borders| list_borders::<R, DIMENSIONS>(&of.search(cell), borders))
    }
}
