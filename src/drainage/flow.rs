//! What flows through a square: sums down the water, and lengths up it.
//!
//! All sums are integers, so their order has no influence.

use super::grid::{Grid, OUTLET, Rect, is_diagonal};
use super::passes::on_rim;
use super::surface::EXIT;

/// The length of a step along an axis. Distances are sums of such steps.
pub(crate) const STRAIGHT: u64 = 1 << 16;
/// The length of a diagonal step: √2 times as long, rounded.
pub(crate) const DIAGONAL: u64 = 92_682;

/// The length of a step.
pub(crate) fn step(direction: u8) -> u64 {
    if is_diagonal(direction) { DIAGONAL } else { STRAIGHT }
}

/// The cells of a square from the springs downwards.
pub(crate) struct Downstream {
    /// Every cell, after all cells whose water it receives.
    pub order: Vec<u32>,
}

impl Downstream {
    /// From directions in a square.
    pub fn new(directions: &[u8], offsets: [isize; 8]) -> Self {
        let mut donors = vec![0_u8; directions.len()];
        for (cell, code) in directions.iter().enumerate() {
            if let Some(offset) = offsets.get(usize::from(*code)) {
                donors[cell.wrapping_add_signed(*offset)] += 1;
            }
        }
        let mut order = Vec::with_capacity(directions.len());
        for first in 0..directions.len() {
            let mut at = first;
            // 0 only once: a cell that is done has 255.
            while donors[at] == 0 {
                donors[at] = u8::MAX;
                order.push(at as u32);
                let Some(offset) = offsets.get(usize::from(directions[at])) else { break };
                at = at.wrapping_add_signed(*offset);
                donors[at] -= 1;
            }
        }
        Downstream { order }
    }

    /// Adds the value of each cell to its receiver's.
    pub fn accumulate(&self, directions: &[u8], offsets: [isize; 8], values: &mut [u64]) {
        for &cell in &self.order {
            let cell = cell as usize;
            if let Some(offset) = offsets.get(usize::from(directions[cell])) {
                values[cell.wrapping_add_signed(*offset)] += values[cell];
            }
        }
    }
}

/// A cell of the rim, as other squares need it to find out how much flows through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RimFlow {
    /// The direction in which its water leaves the square.
    pub exit: Option<u8>,
    /// The number of the cells of the square whose water passes it; 0 if it is no exit.
    pub area: u64,
    /// Where its water ends in the square: the local number of an exit or an outlet.
    pub end: u32,
    /// The distance to there.
    pub distance: u64,
}

/// What other squares need of a square to find out how much flows through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flow {
    /// The cells of the rim, in its order.
    pub rim: Vec<RimFlow>,
    /// The number of its cells whose water ends at its own outlets.
    pub drained: u64,
}

/// Where the water of each cell of a square ends, and the distance to there.
pub(crate) fn ends(down: &Downstream, directions: &[u8], offsets: [isize; 8]) -> (Vec<u32>, Vec<u64>) {
    let (mut ends, mut distances) = (vec![0_u32; directions.len()], vec![0_u64; directions.len()]);
    for &cell in down.order.iter().rev() {
        let (cell, code) = (cell as usize, directions[cell as usize]);
        (ends[cell], distances[cell]) = match offsets.get(usize::from(code)) {
            Some(offset) => {
                let next = cell.wrapping_add_signed(*offset);
                (ends[next], distances[next] + step(code))
            }
            None => (cell as u32, 0),
        };
    }
    (ends, distances)
}

impl Flow {
    /// From the directions of a square.
    pub fn new(rect: &Rect, directions: &[u8], offsets: [isize; 8]) -> Self {
        let down = Downstream::new(directions, offsets);
        let mut areas = vec![1; directions.len()];
        down.accumulate(directions, offsets, &mut areas);
        let (ends, distances) = ends(&down, directions, offsets);
        let rim = (0..rect.rim()).map(|at| {
            let local = rect.rim_cell(at) as usize;
            let exit = directions[local].checked_sub(EXIT);
            RimFlow { exit, area: if exit.is_some() { areas[local] } else { 0 }, end: ends[local], distance: distances[local] }
        });
        let outlets = directions.iter().zip(&areas).filter(|(code, _)| **code == OUTLET);
        Flow { rim: rim.collect(), drained: outlets.map(|(_, area)| area).sum() }
    }
}

/// What enters a square, and where its water goes after it has left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Through {
    /// Cells of the rim with the number of cells of other squares whose water enters there, ascending.
    pub enters: Vec<(u32, u64)>,
    /// Of the exits, in the order of the rim.
    pub leaves: Vec<Leaving>,
}

/// Where water goes that leaves a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaving {
    /// The exit, as a cell of the rim.
    pub at: u32,
    /// The distance to the outlet.
    pub distance: u64,
    /// The index of the outlet in the world.
    pub outlet: u64,
}

/// Joins the records of all squares, in their order.
pub(crate) fn join(grid: &Grid, squares: &[Flow]) -> Vec<Through> {
    // Nodes are the exits of all squares.
    struct Exit {
        square: u32,
        at: u32,
        /// The square and the place on its rim that the water enters.
        into: (u32, u32),
        /// The next exit, or `NONE`.
        next: u32,
        donors: u32,
        area: u64,
    }
    const NONE: u32 = u32::MAX;
    let (mut exits, mut numbers): (Vec<Exit>, Vec<Vec<u32>>) = (Vec::new(), Vec::with_capacity(squares.len()));
    for (square, flow) in (0..).zip(squares) {
        let rect = grid.square(square);
        let mut of_square = vec![NONE; flow.rim.len()];
        for (at, cell) in (0..).zip(&flow.rim) {
            let Some(direction) = cell.exit else { continue };
            let position = rect.position(rect.rim_cell(at));
            let next = grid.neighbour(position, direction).expect("invariant: an exit leads to a cell");
            of_square[at as usize] = exits.len() as u32;
            exits.push(Exit { square, at, into: on_rim(grid, next), next: NONE, donors: 0, area: cell.area });
        }
        numbers.push(of_square);
    }
    for number in 0..exits.len() {
        let (square, at) = exits[number].into;
        let end = squares[square as usize].rim[at as usize].end;
        let next = grid.square(square).rim_of(end).map_or(NONE, |at| numbers[square as usize][at as usize]);
        exits[number].next = next;
        if let Some(next) = exits.get_mut(next as usize) {
            next.donors += 1;
        }
    }
    let mut order: Vec<u32> = (0..exits.len() as u32).filter(|number| exits[*number as usize].donors == 0).collect();
    let mut done = 0;
    while let Some(&number) = order.get(done) {
        done += 1;
        let Exit { next, area, .. } = exits[number as usize];
        if let Some(exit) = exits.get_mut(next as usize) {
            exit.area += area;
            exit.donors -= 1;
            if exit.donors == 0 {
                order.push(next);
            }
        }
    }
    debug_assert_eq!(order.len(), exits.len(), "water does not run in circles");
    let mut throughs = vec![Through::default(); squares.len()];
    for exit in &exits {
        let (square, at) = exit.into;
        throughs[square as usize].enters.push((at, exit.area));
    }
    let mut after = vec![(0, 0); exits.len()];
    for &number in order.iter().rev() {
        let exit = &exits[number as usize];
        let (square, at) = exit.into;
        let entered = &squares[square as usize].rim[at as usize];
        let (distance, outlet) = match after.get(exit.next as usize) {
            Some(&(distance, outlet)) => (distance, outlet),
            None => (0, grid.index(grid.square(square).position(entered.end))),
        };
        let direction = squares[exit.square as usize].rim[exit.at as usize].exit.unwrap_or(0);
        after[number as usize] = (step(direction) + entered.distance + distance, outlet);
    }
    for (exit, (distance, outlet)) in exits.iter().zip(after) {
        throughs[exit.square as usize].leaves.push(Leaving { at: exit.at, distance, outlet });
    }
    for through in &mut throughs {
        through.enters.sort_unstable();
        // Several exits may lead to one cell.
        through.enters.dedup_by(|from, into| {
            let same = from.0 == into.0;
            if same {
                into.1 += from.1;
            }
            same
        });
    }
    throughs
}
