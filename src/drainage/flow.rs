//! Flow through squares: sums of areas down the water, and lengths up it.
//!
//! All sums are integers, so their order has no influence.

use super::breach::{self, reaches};
use super::down::{Downstream, ends, step};
use super::grid::{Grid, OUTLET};
use super::network::Network;
use super::passes::on_rim;
use super::rain::parts;
use super::record::{DRY, Entering, Flow, Leaving, RimFlow, Through, UNCUT};
use super::route::Routed;
use super::strahler::{self, branches};
use super::surface::EXIT;
use super::tree::Tree;

impl Flow {
    /// From the directions of a square. Passes of pits below `breach` are cut. `rain` falls on the square with its halo.
    pub fn new(routed: &Routed<'_>, breach: f32, rain: Option<&[f32]>) -> Self {
        let Routed { square, directions, .. } = routed;
        let (rect, offsets) = (&square.surface.rect, square.surface.offsets());
        let down = Downstream::new(directions, offsets);
        let mut areas = vec![1; directions.len()];
        down.accumulate(directions, offsets, &mut areas);
        let rains = rain.map(|rain| rains(routed, &down, rain, &[]));
        let (ends, distances) = ends(&down, directions, offsets);
        let rim = (0..rect.rim()).map(|at| {
            let local = rect.rim_cell(at) as usize;
            let exit = directions[local].checked_sub(EXIT);
            let passes = |values: &[u64]| if exit.is_some() { values[local] } else { 0 };
            let rain = rains.as_deref().map_or(0, passes);
            RimFlow { exit, area: passes(&areas), rain, end: ends[local], distance: distances[local] }
        });
        let outlets = directions.iter().zip(&areas).filter(|(code, _)| **code == OUTLET);
        let tree = Tree::new(rect, &down, directions, offsets);
        let branches = branches(&tree, &down, directions, offsets);
        let reaches = if breach > 0.0 { reaches(routed, breach, &down, &tree) } else { Vec::new() };
        Flow { rim: rim.collect(), drained: outlets.map(|(_, area)| area).sum(), branches, reaches }
    }
}

/// The rain in parts that passes each cell of a square, with that which enters it.
pub(crate) fn rains(routed: &Routed<'_>, down: &Downstream, rain: &[f32], enters: &[Entering]) -> Vec<u64> {
    let Routed { square, directions, .. } = routed;
    let (rect, grid) = (&square.surface.rect, square.surface.grid);
    let mut rains: Vec<u64> = rect.inner(grid, rain).map(|rain| parts(rain.into()).into()).collect();
    for entering in enters.iter().filter(|entering| entering.at < rect.rim()) {
        rains[rect.rim_cell(entering.at) as usize] += entering.rain;
    }
    down.accumulate(directions, square.surface.offsets(), &mut rains);
    rains
}

/// Joins the records of all squares, in their order; `None` if they are not those of one world.
pub(crate) fn join(grid: &Grid, squares: &[Flow]) -> Option<Vec<Through>> {
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
        rain: u64,
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
            exits.push(Exit { square, at, into: on_rim(grid, next), next: NONE, donors: 0, area: cell.area, rain: cell.rain });
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
        let Exit { next, area, rain, .. } = exits[number as usize];
        if let Some(exit) = exits.get_mut(next as usize) {
            exit.area += area;
            exit.rain += rain;
            exit.donors -= 1;
            if exit.donors == 0 {
                order.push(next);
            }
        }
    }
    // Every cell drains to an outlet, once.
    let last = exits.iter().filter(|exit| exit.next == NONE).map(|exit| exit.area).sum::<u64>();
    let drained = squares.iter().map(|flow| flow.drained).sum::<u64>() + last;
    if order.len() != exits.len() || drained != u64::from(grid.size[0]) * u64::from(grid.size[1]) {
        return None;
    }
    let mut entered: Vec<Vec<(u32, [u64; 2])>> = vec![Vec::new(); squares.len()];
    for exit in &exits {
        let (square, at) = exit.into;
        entered[square as usize].push((at, [exit.area, exit.rain]));
    }
    let network = Network::new(grid, squares);
    let donors = strahler::join(&network, squares);
    let crossings = if squares.iter().any(|flow| !flow.reaches.is_empty()) { breach::join(&network, squares) } else { Vec::new() };
    let mut throughs = vec![Through::default(); squares.len()];
    for (square, (through, (mut sums, donors))) in throughs.iter_mut().zip(entered.into_iter().zip(donors)).enumerate() {
        sums.sort_unstable();
        // Several exits may lead to one cell: all lists hold it once.
        let of_cells = sums.chunk_by(|a, b| a.0 == b.0).zip(donors).enumerate();
        let cut = |nth: usize| crossings.get(square).and_then(|crossing| crossing.cuts.get(nth)).copied().unwrap_or(UNCUT);
        for (nth, (of_cell, donors)) in of_cells {
            let [area, rain] = [0, 1].map(|what| of_cell.iter().map(|(_, sums)| sums[what]).sum());
            through.enters.push(Entering { at: of_cell[0].0, area, rain, donors, cut: cut(nth) });
        }
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
        let leaves = &mut throughs[exit.square as usize].leaves;
        let levels = crossings.get(exit.square as usize).map(|crossing| &crossing.levels);
        let level = levels.and_then(|levels| levels.get(leaves.len())).copied().unwrap_or(DRY);
        leaves.push(Leaving { at: exit.at, distance, outlet, level });
    }
    Some(throughs)
}
