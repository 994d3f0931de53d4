//! The rules that every drainage keeps, checked square by square.
//!
//! All of them concern a cell and its receiver, except for the sum of areas. Distances to the outlet decrease along the water, by one
//! step at a time. So a cell whose receivers all keep this rule reaches an outlet.

use super::down::step;
use super::downward::Planes;
use super::grid::{Grid, OUTLET, PIT, Rect};
use std::collections::BTreeMap;
use std::fmt;

/// The squares of a world so far. Memory: the rims of two rows of squares.
#[derive(Default)]
pub(crate) struct Rules {
    /// The first row of cells of the latest squares.
    row: u32,
    /// The cells on the rims of squares, by their index: those of this row of squares and of the one before.
    rims: BTreeMap<u64, Water>,
    /// Those whose receiver is not known yet.
    exits: Vec<Exit>,
    /// The sum of the areas of all outlets.
    drained: u64,
    pub outlets: u64,
    /// The first rule that a cell was found to break, and the index of this cell.
    broken: Option<(u64, Broken)>,
}

/// A cell whose water leaves its square, with its direction and receiver.
type Exit = (u64, Water, u8, u64);

/// A rule that a cell breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Broken {
    /// Its water does not reach the outlet that its planes name.
    Lost,
    /// The surface of the water is below its bed.
    Dug { filled: f32, bed: f32 },
    /// The surface of the water rises towards its receiver.
    Rises { from: f32, to: f32 },
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kept {
    /// All rules, by all cells.
    All,
    /// The cell with this index breaks a rule.
    But(u64, Broken),
    /// The areas of all outlets do not add up to the world.
    Sum { drained: u64, cells: u64 },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Lost => write!(f, "its water does not reach its outlet"),
            Broken::Dug { filled, bed } => write!(f, "the surface of its water, {filled}, is below its bed, {bed}"),
            Broken::Rises { from, to } => write!(f, "its water rises, from {from} to {to}"),
        }
    }
}

/// The values of a cell that the rules compare with its receiver's.
#[derive(Clone, Copy)]
struct Water {
    filled: f32,
    distance: u64,
    outlet: u64,
}

impl Water {
    fn of(planes: &Planes, cell: usize) -> Self {
        Water { filled: planes.filled[cell], distance: planes.distances[cell], outlet: planes.outlets[cell] }
    }

    /// The rule that a cell breaks whose water flows in a direction to a receiver.
    fn broken(&self, direction: u8, to: &Water) -> Option<Broken> {
        if to.distance.checked_add(step(direction)) != Some(self.distance) || to.outlet != self.outlet {
            Some(Broken::Lost)
        } else if to.filled <= self.filled {
            None
        } else {
            Some(Broken::Rises { from: self.filled, to: to.filled })
        }
    }
}

impl Rules {
    fn note(&mut self, cell: u64, broken: Option<Broken>) {
        if self.broken.is_none() {
            self.broken = broken.map(|broken| (cell, broken));
        }
    }

    /// Compares cells whose water leaves their square with receivers before a row of cells.
    fn compare(&mut self, grid: &Grid, before: u32) {
        let end = grid.index([0, before]);
        let known: Vec<Exit> = self.exits.extract_if(.., |(.., to)| *to < end).collect();
        for (index, own, direction, to) in known {
            let broken = self.rims.get(&to).map_or(Some(Broken::Lost), |to| own.broken(direction, to));
            self.note(index, broken);
        }
    }

    /// Adds a square, after those of the rows before.
    pub fn add(&mut self, grid: &Grid, rect: &Rect, planes: &Planes) {
        if rect.first[1] > self.row {
            self.compare(grid, rect.first[1]);
            // Water of this row may enter the one before, but none above it.
            self.rims = self.rims.split_off(&grid.index([0, self.row]));
            self.row = rect.first[1];
        }
        for cell in 0..rect.cells() {
            let (at, own) = (rect.position(cell as u32), Water::of(planes, cell));
            let (index, bed, direction) = (grid.index(at), planes.beds[cell], planes.directions[cell]);
            if rect.rim_of(cell as u32).is_some() {
                self.rims.insert(index, own);
            }
            // Written so that NaN breaks it.
            let dug = if own.filled >= bed { None } else { Some(Broken::Dug { filled: own.filled, bed }) };
            self.note(index, dug);
            if direction == OUTLET {
                (self.outlets, self.drained) = (self.outlets + 1, self.drained.saturating_add(planes.areas[cell]));
                self.note(index, (own.outlet != index || own.distance != 0).then_some(Broken::Lost));
                continue;
            }
            let to = Some(direction).filter(|direction| *direction < PIT).and_then(|direction| grid.neighbour(at, direction));
            match to.map(|to| (rect.local(to), grid.index(to))) {
                None => self.note(index, Some(Broken::Lost)),
                Some((Some(local), _)) => self.note(index, own.broken(direction, &Water::of(planes, local as usize))),
                Some((None, to)) => self.exits.push((index, own, direction, to)),
            }
        }
    }

    /// The number of cells in memory.
    #[cfg(test)]
    pub fn held(&self) -> usize {
        self.rims.len() + self.exits.len()
    }

    /// The result, once all squares of a world are added.
    pub fn finish(mut self, grid: &Grid) -> Kept {
        self.compare(grid, grid.size[1]);
        let cells = u64::from(grid.size[0]) * u64::from(grid.size[1]);
        match self.broken {
            Some((cell, broken)) => Kept::But(cell, broken),
            None if self.drained != cells => Kept::Sum { drained: self.drained, cells },
            None => Kept::All,
        }
    }
}
