//! One square by itself: its basins, the lowest passes between them, and the record that other squares need of it.
//!
//! A basin is a set of cells whose water ends in the same pit, or leaves the square by the same cell. All cells whose water reaches an
//! outlet are one basin, number 0. Basins that own a cell of the rim, and basin 0, are *terminals*: other squares may refer to them.

use super::forest::{NO_TERMINAL, Pair, contract, forest_of, lowest_pairs, minimum_forest};
use super::grid::{Grid, OUTLET, PIT, Rect};
use super::order::key;
use super::surface::{EXIT, Outlets, Surface};

/// A cell of the rim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RimCell {
    /// The key of its height.
    pub key: u32,
    /// The terminal that it belongs to.
    pub terminal: u32,
    /// The direction in which its water leaves the square.
    pub exit: Option<u8>,
}

/// The lowest pass between two terminals, or between groups of basins that they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub terminals: [u32; 2],
    /// The higher and the lower cell of the pass: key and number in the world.
    pub high: (u32, u64),
    pub low: (u32, u64),
}

/// The record of a square that other squares need to route their water.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passes {
    /// The cells of the rim, in its order.
    pub rim: Vec<RimCell>,
    /// The number of terminals.
    pub terminals: u32,
    /// A tree of edges between all terminals, from the lowest to the highest.
    pub edges: Vec<Edge>,
}

/// A square with its basins and passes.
pub(crate) struct Square<'a> {
    pub surface: Surface<'a>,
    /// The directions of receivers; see [`Surface::receivers`].
    pub directions: Vec<u8>,
    /// The basin of each cell.
    pub basins: Vec<u32>,
    /// The pit of each basin, or the cell by which its water leaves the square. That of basin 0 has no meaning.
    pub ends: Vec<u32>,
    /// The minimum spanning tree of the basins, by weight.
    pub tree: Vec<Pair>,
    /// The edges of the tree that connect terminals, and these terminals.
    pub connections: Vec<(u32, [u32; 2])>,
    /// The terminal of each basin, or [`NO_TERMINAL`].
    pub terminals: Vec<u32>,
    /// The number of terminals.
    pub terminal_count: u32,
}

impl<'a> Square<'a> {
    /// From the heights of a square with its halo, in rows, and a mask of further outlets.
    pub fn new(grid: &'a Grid, rect: Rect, heights: &[f32], mask: Option<&[f32]>, outlets: &Outlets) -> Self {
        let surface = Surface::new(grid, rect, heights);
        let mut directions = surface.receivers(outlets);
        if let Some(mask) = mask {
            surface.mark_outlets(mask, &mut directions);
        }
        let (basins, ends) = basins(&directions, surface.offsets());
        let tree = minimum_forest(&surface, lowest_pairs(&surface, &basins), ends.len());
        Square::with_tree(surface, directions, (basins, ends), tree)
    }

    /// From what a device found; `None` if that is not a forest of basins.
    pub fn from_found(surface: Surface<'a>, found: Found) -> Option<Self> {
        let Found { directions, ends, edges } = found;
        let (basins, ends) = numbered(&directions, &ends)?;
        let tree = forest_of(&surface, &basins, ends.len(), &edges)?;
        Some(Square::with_tree(surface, directions, (basins, ends), tree))
    }

    fn with_tree(surface: Surface<'a>, directions: Vec<u8>, (basins, ends): (Vec<u32>, Vec<u32>), tree: Vec<Pair>) -> Self {
        let (terminals, terminal_count) = terminals(&surface.rect, &basins, ends.len());
        let ends_of = |number: usize| [tree[number].high, tree[number].low].map(|cell| basins[cell as usize]);
        let connections = contract(tree.len(), ends_of, &terminals);
        Square { surface, directions, basins, ends, tree, connections, terminals, terminal_count }
    }

    /// Its record.
    pub fn passes(&self) -> Passes {
        let rect = &self.surface.rect;
        let rim = (0..rect.rim()).map(|at| {
            let local = rect.rim_cell(at);
            let [basin, code] = [self.basins[local as usize], u32::from(self.directions[local as usize])];
            let exit = code.checked_sub(u32::from(EXIT)).map(|direction| direction as u8);
            RimCell { key: key(self.surface.height(local)), terminal: self.terminals[basin as usize], exit }
        });
        let edges = self.connections.iter().map(|&(edge, terminals)| {
            let pair = &self.tree[edge as usize];
            let cell = |local: u32| (key(self.surface.height(local)), self.surface.grid.index(rect.position(local)));
            Edge { terminals, high: cell(pair.high), low: cell(pair.low) }
        });
        Passes { rim: rim.collect(), terminals: self.terminal_count, edges: edges.collect() }
    }
}

/// The basins of a square and the lowest passes between them, in any order.
pub(crate) struct Found {
    /// The directions of receivers; see [`Surface::receivers`].
    pub directions: Vec<u8>,
    /// Of each cell the end of its water: a cell, or the number of cells for an outlet.
    pub ends: Vec<u32>,
    /// The neighbouring cells of each pass of the minimum spanning tree.
    pub edges: Vec<[u32; 2]>,
}

/// As [`basins`], from the end of each cell; `None` if these are not ends.
fn numbered(directions: &[u8], ends: &[u32]) -> Option<(Vec<u32>, Vec<u32>)> {
    const UNKNOWN: u32 = u32::MAX;
    let mut numbers = vec![UNKNOWN; ends.len()];
    numbers.push(0);
    let (mut basins, mut all) = (Vec::with_capacity(ends.len()), vec![UNKNOWN]);
    for &end in ends {
        let number = numbers.get_mut(end as usize)?;
        if *number == UNKNOWN {
            if directions.get(end as usize).is_some_and(|code| *code < PIT || *code == OUTLET) {
                return None;
            }
            *number = all.len() as u32;
            all.push(end);
        }
        basins.push(*number);
    }
    Some((basins, all))
}

/// The basin of each cell, and the end of each basin.
pub(crate) fn basins(directions: &[u8], offsets: [isize; 8]) -> (Vec<u32>, Vec<u32>) {
    const UNKNOWN: u32 = u32::MAX;
    let (mut basins, mut ends) = (vec![UNKNOWN; directions.len()], vec![UNKNOWN]);
    for first in 0..directions.len() {
        if basins[first] != UNKNOWN {
            continue;
        }
        let mut at = first;
        let basin = loop {
            let code = directions[at];
            if code >= PIT {
                let basin = if code == OUTLET { 0 } else { ends.len() as u32 };
                if code != OUTLET {
                    ends.push(at as u32);
                }
                basins[at] = basin;
                break basin;
            }
            at = at.wrapping_add_signed(offsets[usize::from(code)]);
            if basins[at] != UNKNOWN {
                break basins[at];
            }
        };
        at = first;
        while basins[at] == UNKNOWN {
            basins[at] = basin;
            at = at.wrapping_add_signed(offsets[usize::from(directions[at])]);
        }
    }
    (basins, ends)
}

/// The terminal of each basin, in the order of the rim after basin 0, and their number.
fn terminals(rect: &Rect, basins: &[u32], count: usize) -> (Vec<u32>, u32) {
    let (mut terminals, mut next) = (vec![NO_TERMINAL; count], 1);
    terminals[0] = 0;
    for at in 0..rect.rim() {
        let terminal = &mut terminals[basins[rect.rim_cell(at) as usize] as usize];
        if *terminal == NO_TERMINAL {
            *terminal = next;
            next += 1;
        }
    }
    (terminals, next)
}
