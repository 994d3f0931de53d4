//! Flow through squares: sums of areas down the water, and lengths up it.
//!
//! All sums are integers, so their order has no influence. A group of squares has a record of the same kind as one square
//! ([`contract`]), and what enters and leaves it is divided among its squares ([`expand`]).

use super::breach::{self, reaches};
use super::down::{Amounts, Downstream, Sums, step};
use super::exits::{Exit, Exits, OnRim};
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

impl OnRim for RimFlow {
    fn exit(&self) -> Option<u8> {
        self.exit
    }

    fn end(&self) -> u64 {
        self.end
    }
}

/// The exits of a group with the water that passes them.
struct Carried<'a> {
    exits: Exits<'a, RimFlow>,
    /// The area and the rain of each exit.
    amounts: Vec<[u64; 2]>,
    /// Cells whose water reaches outlets without a further exit.
    drained: u64,
}

impl<'a> Carried<'a> {
    /// With the water that enters the group; `None` if the records are not those of one world.
    fn new(group: &'a Group, squares: &'a [Flow], enters: &[Entering]) -> Option<Self> {
        let exits = Exits::new(group, squares.iter().map(|flow| &flow.rim[..]).collect())?;
        let of_exit = |exit: &Exit| {
            let cell = &squares[exit.square as usize].rim[exit.at as usize];
            [cell.area, cell.rain]
        };
        let mut amounts: Vec<_> = exits.all.iter().map(of_exit).collect();
        let mut drained = squares.iter().map(|flow| flow.drained).sum();
        for entering in enters {
            match exits.end(group.of_rim(entering.at)) {
                Some(exit) => {
                    let [area, rain] = &mut amounts[exit as usize];
                    (*area, *rain) = (*area + entering.area, *rain + entering.rain);
                }
                None => drained += entering.area,
            }
        }
        exits.accumulate(&mut amounts);
        // Every cell drains once: to an outlet, or out of the group.
        let last = exits.all.iter().zip(&amounts).filter(|(exit, _)| exit.next.is_none()).map(|(_, [area, _])| area).sum::<u64>();
        let cells = group.rect.size.map(u64::from).iter().product::<u64>() + enters.iter().map(|entering| entering.area).sum::<u64>();
        (drained + last == cells).then_some(Carried { exits, amounts, drained })
    }

    /// Of each exit the distance to the end of its water and that end, a number in the world. `beyond` are those of exits that lead
    /// out of the group.
    fn ends(&self, beyond: impl Fn(&Exit) -> (u64, u64)) -> Vec<(u64, u64)> {
        self.exits.upwards(beyond, |exit, entered, next| {
            let (distance, end) = next.unwrap_or((0, entered.end));
            (step(exit.direction) + entered.distance + distance, end)
        })
    }
}

/// The record of a group, from those of its squares; `None` if they are not those of one world.
pub(crate) fn contract(group: &Group, squares: &[Flow]) -> Option<Flow> {
    let carried = Carried::new(group, squares, &[])?;
    let Carried { exits, amounts, drained } = &carried;
    let after = carried.ends(|exit| (0, group.grid.index(exits.position(exit))));
    let rim = (0..group.rect.rim()).map(|at| {
        let (square, place) = group.of_rim(at);
        let cell = &squares[square as usize].rim[place as usize];
        let leaves = |number: &u32| exits.all[*number as usize].into.is_none();
        let own = exits.at((square, place)).filter(leaves);
        let (distance, end) = exits.end((square, place)).map_or((0, cell.end), |exit| after[exit as usize]);
        let [area, rain] = own.map_or([0; 2], |exit| amounts[exit as usize]);
        let exit = own.map(|exit| exits.all[exit as usize].direction);
        RimFlow { exit, area, rain, end, distance: cell.distance + distance }
    });
    let ends = |exit: &Exit| exit.into.is_some() && exit.next.is_none();
    let at_outlets = exits.all.iter().zip(amounts).filter(|(exit, _)| ends(exit)).map(|(_, [area, _])| area);
    let drained = drained + at_outlets.sum::<u64>();
    let network = Network::new(group, squares, &[]);
    let (branches, reaches) = network::contract(&network, group, squares);
    Some(Flow { rim: rim.collect(), drained, branches, reaches })
}

/// The water that enters and leaves the squares of a group, from that of the group. `through` is empty if the group is a whole world.
/// `None` if the records are not those of one world.
pub(crate) fn expand(group: &Group, squares: &[Flow], through: &Through) -> Option<Vec<Through>> {
    let carried = Carried::new(group, squares, &through.enters)?;
    let Carried { exits, amounts, .. } = &carried;
    let mut entered: Vec<Vec<(u32, [u64; 2])>> = vec![Vec::new(); squares.len()];
    for (exit, amounts) in exits.all.iter().zip(amounts) {
        let Some((square, at)) = exit.into else { continue };
        entered[square as usize].push((at, *amounts));
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
    let after = carried.ends(|exit| {
        let leaving = group.rect.rim_at(exits.position(exit)).and_then(|at| through.leaving(at));
        leaving.map_or((0, 0), |leaving| (leaving.distance, leaving.outlet))
    });
    for (exit, (distance, outlet)) in exits.all.iter().zip(after) {
        let leaves = &mut throughs[exit.square as usize].leaves;
        let levels = crossings.get(exit.square as usize).map(|crossing| &crossing.levels);
        let level = levels.and_then(|levels| levels.get(leaves.len())).copied().unwrap_or(DRY);
        leaves.push(Leaving { at: exit.at, distance, outlet, level });
    }
    Some(throughs)
}
