//! Flow through squares: sums of areas down the water, and lengths up it.
//!
//! All sums are integers, so their order has no influence. A group of squares has a record of the same kind as one square
//! ([`contract`]), and what enters and leaves it is divided among its squares ([`expand`]).

use super::breach::{self, reaches};
use super::down::{Amounts, Downstream, Sums, step};
use super::grid::OUTLET;
use super::group::Group;
use super::network::{self, Network};
use super::rain::parts;
use super::record::{DRY, Entering, Flow, Leaving, RimFlow, Through, UNCUT};
use super::route::Routed;
use super::strahler::{self, branches};
use super::surface::EXIT;
use super::tree::Tree;

impl Flow {
    /// From the sums down the water of a square. Passes of pits below `breach` are cut.
    pub fn new(routed: &Routed<'_>, down: &Downstream, sums: &Sums, breach: f32) -> Self {
        let Routed { square, directions, .. } = routed;
        let (rect, offsets) = (&square.surface.rect, square.surface.offsets());
        let Sums { amounts: Amounts { areas, rains }, ends, distances } = sums;
        let rim = (0..rect.rim()).map(|at| {
            let local = rect.rim_cell(at) as usize;
            let exit = directions[local].checked_sub(EXIT);
            let passes = |values: &[u64]| exit.and(values.get(local)).copied().unwrap_or(0);
            let end = square.surface.grid.index(rect.position(ends[local]));
            RimFlow { exit, area: passes(areas), rain: passes(rains), end, distance: distances[local] }
        });
        let outlets = directions.iter().zip(areas).filter(|(code, _)| **code == OUTLET);
        let tree = Tree::new(rect, down, directions, offsets);
        let branches = branches(&tree, down, directions, offsets);
        let reaches = if breach > 0.0 { reaches(routed, breach, down, &tree) } else { Vec::new() };
        Flow { rim: rim.collect(), drained: outlets.map(|(_, area)| area).sum(), branches, reaches }
    }
}

/// The amounts that each cell of a square adds, with those that enter it. `rain` falls on the square with its halo.
pub(crate) fn amounts(routed: &Routed<'_>, rain: Option<&[f32]>, enters: &[Entering]) -> Amounts {
    let (rect, grid) = (&routed.square.surface.rect, routed.square.surface.grid);
    let mut areas = vec![1_u64; rect.cells()];
    let mut rains: Vec<u64> = rain.map_or_else(Vec::new, |rain| rect.inner(grid, rain).map(|rain| parts(rain.into()).into()).collect());
    for entering in enters.iter().filter(|entering| entering.at < rect.rim()) {
        let cell = rect.rim_cell(entering.at) as usize;
        areas[cell] += entering.area;
        if let Some(rain) = rains.get_mut(cell) {
            *rain += entering.rain;
        }
    }
    Amounts { areas, rains }
}

/// In place of an exit.
const NONE: u32 = u32::MAX;

/// A cell by which water leaves a square.
struct Exit {
    square: u32,
    at: u32,
    direction: u8,
    /// The square and the place on its rim that the water enters; `None` if it leaves the group.
    into: Option<(u32, u32)>,
    /// The next exit, or `NONE`.
    next: u32,
    donors: u32,
    area: u64,
    rain: u64,
}

/// The exits of all squares of a group.
struct Exits<'a> {
    group: &'a Group,
    squares: &'a [Flow],
    exits: Vec<Exit>,
    /// Of each square and place on its rim the number of the exit.
    numbers: Vec<Vec<u32>>,
    /// Every exit, after all exits whose water it receives.
    order: Vec<u32>,
    /// Cells whose water reaches outlets without a further exit.
    drained: u64,
}

impl<'a> Exits<'a> {
    /// With the water that enters the group; `None` if the records are not those of one world.
    fn new(group: &'a Group, squares: &'a [Flow], enters: &[Entering]) -> Option<Self> {
        let (rects, mut exits, mut numbers) = (group.rects(), Vec::new(), Vec::with_capacity(squares.len()));
        for (square, (flow, rect)) in (0..).zip(squares.iter().zip(&rects)) {
            let mut of_square = vec![NONE; flow.rim.len()];
            for (at, cell) in (0..).zip(&flow.rim) {
                let Some(direction) = cell.exit else { continue };
                let into = group.neighbour(rect.rim_position(at), direction).map(|next| group.on_rim(next));
                of_square[at as usize] = exits.len() as u32;
                exits.push(Exit { square, at, direction, into, next: NONE, donors: 0, area: cell.area, rain: cell.rain });
            }
            numbers.push(of_square);
        }
        let drained = squares.iter().map(|flow| flow.drained).sum();
        let mut all = Exits { group, squares, exits, numbers, order: Vec::new(), drained };
        for number in 0..all.exits.len() {
            let Some(into) = all.exits[number].into else { continue };
            let next = all.end(into);
            all.exits[number].next = next;
            if let Some(next) = all.exits.get_mut(next as usize) {
                next.donors += 1;
            }
        }
        for entering in enters {
            let end = all.end(group.of_rim(entering.at));
            match all.exits.get_mut(end as usize) {
                Some(exit) => (exit.area, exit.rain) = (exit.area + entering.area, exit.rain + entering.rain),
                None => all.drained += entering.area,
            }
        }
        all.sort();
        // Every cell drains once: to an outlet, or out of the group.
        let last = all.exits.iter().filter(|exit| exit.next == NONE).map(|exit| exit.area).sum::<u64>();
        let cells = group.rect.size.map(u64::from).iter().product::<u64>() + enters.iter().map(|entering| entering.area).sum::<u64>();
        (all.order.len() == all.exits.len() && all.drained + last == cells).then_some(all)
    }

    /// The exit by which water leaves a square that is at a cell of its rim, or `NONE` if it reaches an outlet.
    fn end(&self, (square, at): (u32, u32)) -> u32 {
        let end = self.group.grid.position(self.squares[square as usize].rim[at as usize].end);
        if !self.group.rect.holds(end) || self.group.grid.holder(end) != self.group.number(square) {
            return NONE;
        }
        self.group.grid.square(self.group.number(square)).rim_at(end).map_or(NONE, |at| self.numbers[square as usize][at as usize])
    }

    /// Finds the order, and adds areas and rain down the water.
    fn sort(&mut self) {
        self.order = (0..self.exits.len() as u32).filter(|number| self.exits[*number as usize].donors == 0).collect();
        let mut done = 0;
        while let Some(&number) = self.order.get(done) {
            done += 1;
            let Exit { next, area, rain, .. } = self.exits[number as usize];
            if let Some(exit) = self.exits.get_mut(next as usize) {
                (exit.area, exit.rain) = (exit.area + area, exit.rain + rain);
                exit.donors -= 1;
                if exit.donors == 0 {
                    self.order.push(next);
                }
            }
        }
    }

    /// Of each exit the distance to the end of its water and that end, a number in the world. `beyond` are those of exits that lead
    /// out of the group.
    fn ends(&self, beyond: impl Fn(&Exit) -> (u64, u64)) -> Vec<(u64, u64)> {
        let mut after = vec![(0, 0); self.exits.len()];
        for &number in self.order.iter().rev() {
            let exit = &self.exits[number as usize];
            after[number as usize] = match exit.into {
                None => beyond(exit),
                Some((square, at)) => {
                    let entered = &self.squares[square as usize].rim[at as usize];
                    let (distance, end) = after.get(exit.next as usize).copied().unwrap_or((0, entered.end));
                    (step(exit.direction) + entered.distance + distance, end)
                }
            };
        }
        after
    }

    fn position(&self, exit: &Exit) -> [u32; 2] {
        self.group.grid.square(self.group.number(exit.square)).rim_position(exit.at)
    }
}

/// The record of a group, from those of its squares; `None` if they are not those of one world.
pub(crate) fn contract(group: &Group, squares: &[Flow]) -> Option<Flow> {
    let exits = Exits::new(group, squares, &[])?;
    let after = exits.ends(|exit| (0, group.grid.index(exits.position(exit))));
    let rim = (0..group.rect.rim()).map(|at| {
        let (square, place) = group.of_rim(at);
        let cell = &squares[square as usize].rim[place as usize];
        let own = exits.exits.get(exits.numbers[square as usize][place as usize] as usize).filter(|exit| exit.into.is_none());
        let (distance, end) = after.get(exits.end((square, place)) as usize).copied().unwrap_or((0, cell.end));
        let [area, rain] = own.map_or([0; 2], |exit| [exit.area, exit.rain]);
        RimFlow { exit: own.map(|exit| exit.direction), area, rain, end, distance: cell.distance + distance }
    });
    let at_outlets = exits.exits.iter().filter(|exit| exit.into.is_some() && exit.next == NONE).map(|exit| exit.area);
    let drained = exits.drained + at_outlets.sum::<u64>();
    let network = Network::new(group, squares, &[]);
    let (branches, reaches) = network::contract(&network, group, squares);
    Some(Flow { rim: rim.collect(), drained, branches, reaches })
}

/// The water that enters and leaves the squares of a group, from that of the group. `through` is empty if the group is a whole world.
/// `None` if the records are not those of one world.
pub(crate) fn expand(group: &Group, squares: &[Flow], through: &Through) -> Option<Vec<Through>> {
    let exits = Exits::new(group, squares, &through.enters)?;
    let mut entered: Vec<Vec<(u32, [u64; 2])>> = vec![Vec::new(); squares.len()];
    for exit in &exits.exits {
        let Some((square, at)) = exit.into else { continue };
        entered[square as usize].push((at, [exit.area, exit.rain]));
    }
    for entering in &through.enters {
        let (square, at) = group.of_rim(entering.at);
        entered[square as usize].push((at, [entering.area, entering.rain]));
    }
    let network = Network::new(group, squares, &through.enters);
    let donors = strahler::join(&network, squares, &through.enters);
    let crossings =
        if squares.iter().any(|flow| !flow.reaches.is_empty()) { breach::join(&network, group, squares, through) } else { Vec::new() };
    let mut throughs = vec![Through::default(); squares.len()];
    for (square, (of_square, (mut sums, donors))) in throughs.iter_mut().zip(entered.into_iter().zip(donors)).enumerate() {
        sums.sort_unstable();
        // Several exits may lead to one cell: all lists hold it once.
        let of_cells = sums.chunk_by(|a, b| a.0 == b.0).zip(donors).enumerate();
        let cut = |nth: usize| crossings.get(square).and_then(|crossing| crossing.cuts.get(nth)).copied().unwrap_or(UNCUT);
        for (nth, (of_cell, donors)) in of_cells {
            let [area, rain] = [0, 1].map(|what| of_cell.iter().map(|(_, sums)| sums[what]).sum());
            of_square.enters.push(Entering { at: of_cell[0].0, area, rain, donors, cut: cut(nth) });
        }
    }
    let after = exits.ends(|exit| {
        let leaving = group.rect.rim_at(exits.position(exit)).and_then(|at| through.leaving(at));
        leaving.map_or((0, 0), |leaving| (leaving.distance, leaving.outlet))
    });
    for (exit, (distance, outlet)) in exits.exits.iter().zip(after) {
        let leaves = &mut throughs[exit.square as usize].leaves;
        let levels = crossings.get(exit.square as usize).map(|crossing| &crossing.levels);
        let level = levels.and_then(|levels| levels.get(leaves.len())).copied().unwrap_or(DRY);
        leaves.push(Leaving { at: exit.at, distance, outlet, level });
    }
    Some(throughs)
}
