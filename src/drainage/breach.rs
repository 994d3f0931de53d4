//! Passes that are cut: the bed of the water, and the level at which water stands on it.
//!
//! Water leaves a pit by *climbing* to its pass, against the slope. If the water above a pit is shallower than `breach`, its climb is
//! *cut*. The bed stays at the height of the pit, or lower, up to the pass and behind it, until the ground is lower. So each cell has a
//! *cut*, a minimum along the water:
//!
//! - Cells on a climb that is not cut have no cut. Water stands there.
//! - On a climb that is cut, it is the lower of the pit's height and the lowest cut that the cell receives.
//! - Elsewhere it is the lowest cut that the cell receives.
//!
//! A cell receives the cuts of its donors that are below its height. Its bed is the lower of its height and its cut. The water stands at
//! the highest bed between a cell and its outlet. Beds rise along the water only on climbs that are not cut.
//!
//! The record of a square holds a few numbers for each node of its [tree](Tree), which replace its cells. A cut that enters a node has
//! an effect up to the first climb that is not cut. On this way the bed never rises, so its highest part is the first one. The square
//! that contains the pit knows whether a climb is cut. Other squares learn it from the cut that enters them along the climb.
//!
//! The record of a group of squares follows from theirs ([`chains`]).

mod chains;

pub(crate) use chains::Chains;

use super::down::Downstream;
use super::grid::PIT;
use super::group::Group;
use super::network::{Network, Next};
use super::order::height;
use super::record::{DRY, Flow, Reach, Through, UNCUT};
use super::route::Routed;
use super::surface::EXIT;
use super::tree::Tree;

/// The way of the water at a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Descends,
    /// It climbs, and the climb is cut at this height or lower.
    Cut(f32),
    /// It climbs, and the climb is not cut.
    Stands,
    /// It climbs from a pit in another square.
    Entered,
}

/// The cuts of the cells of a square.
struct Cuts<'a> {
    routed: &'a Routed<'a>,
    offsets: [isize; 8],
    heights: Vec<f32>,
    ways: Vec<Way>,
    cuts: Vec<f32>,
}

impl<'a> Cuts<'a> {
    /// With the cuts of its own pits. `entered` is the cut that enters by a cell of the rim along a climb, if it is known.
    fn new(routed: &'a Routed<'_>, breach: f32, entered: impl Fn(u32) -> Option<f32>) -> Self {
        let Routed { square, directions, spills } = routed;
        let heights: Vec<f32> = square.surface.rows().flatten().copied().collect();
        let climb = |(end, spill): (&u32, &u32)| {
            let pit = heights[*end as usize];
            match (square.directions[*end as usize], entered(*end)) {
                (PIT, _) if height(*spill) - pit < breach => Way::Cut(pit),
                (PIT, _) => Way::Stands,
                (_, None) => Way::Entered,
                (_, Some(cut)) if cut < UNCUT => Way::Cut(cut),
                (_, Some(_)) => Way::Stands,
            }
        };
        // No water of basin 0 climbs.
        let climbs: Vec<Way> = std::iter::once(Way::Descends).chain(square.ends.iter().zip(spills).skip(1).map(climb)).collect();
        let way = |(cell, direction): (usize, &u8)| {
            let is_reversed = *direction != square.directions[cell];
            let ahead = if *direction >= EXIT { direction - EXIT } else { *direction };
            let climbs_here = is_reversed && !square.surface.descends(cell as u32, ahead);
            if climbs_here { climbs[square.basins[cell] as usize] } else { Way::Descends }
        };
        let ways: Vec<Way> = directions.iter().enumerate().map(way).collect();
        let cut = |way: &Way| if let Way::Cut(cut) = way { *cut } else { UNCUT };
        let cuts = ways.iter().map(cut).collect();
        Cuts { routed, offsets: square.surface.offsets(), heights, ways, cuts }
    }

    /// The receiver of a cell in the square.
    fn next(&self, cell: usize) -> Option<usize> {
        self.offsets.get(usize::from(self.routed.directions[cell])).map(|offset| cell.wrapping_add_signed(*offset))
    }

    /// The height below which a cell receives cuts.
    fn limit(&self, cell: usize) -> f32 {
        match self.ways[cell] {
            Way::Descends | Way::Cut(_) | Way::Entered => self.heights[cell],
            Way::Stands => DRY,
        }
    }

    /// Hands a cut to a cell.
    fn hand(&mut self, cut: f32, cell: usize) {
        if cut < self.limit(cell) {
            self.cuts[cell] = self.cuts[cell].min(cut);
        }
    }

    fn bed(&self, cell: usize) -> f32 {
        self.heights[cell].min(self.cuts[cell])
    }

    /// Whether a cell and its receiver lie on the same climb from another square.
    fn is_same_climb(&self, from: usize, to: usize) -> bool {
        let basins = &self.routed.square.basins;
        [from, to].iter().all(|cell| self.ways[*cell] == Way::Entered) && basins[from] == basins[to]
    }
}

/// The reaches of the nodes of a square.
pub(crate) fn reaches(routed: &Routed<'_>, breach: f32, down: &Downstream, tree: &Tree) -> Vec<Reach> {
    let mut cuts = Cuts::new(routed, breach, |_| None);
    let mut reaches = vec![Reach::UNKNOWN; tree.into.len()];
    // Whether the last cell of each node so far lies on its climb.
    let mut climbs = vec![false; reaches.len()];
    for &cell in &down.order {
        let cell = cell as usize;
        let next = cuts.next(cell);
        let Some(node) = tree.node(cell) else {
            if let Some(next) = next {
                cuts.hand(cuts.cuts[cell], next);
            }
            continue;
        };
        let (reach, way, height) = (&mut reaches[node], cuts.ways[cell], cuts.heights[cell]);
        if tree.is_node(cell) {
            *reach = Reach { limit: cuts.limit(cell), own: std::mem::replace(&mut cuts.cuts[cell], UNCUT), ..Reach::UNKNOWN };
            if way == Way::Stands {
                reach.rest = height;
            } else {
                (reach.passes, reach.crest) = (true, height);
            }
            if way == Way::Entered {
                (reach.climbs, climbs[node]) = (true, true);
                reach.climbs_from = routed.square.directions[cell].checked_sub(EXIT);
            }
        } else if way == Way::Entered {
            reach.adds = reach.adds.min(std::mem::replace(&mut cuts.cuts[cell], UNCUT));
            reach.crest = reach.crest.max(height);
        } else {
            reach.passes &= way != Way::Stands;
            if !reach.passes {
                reach.rest = reach.rest.max(cuts.bed(cell));
            } else if std::mem::replace(&mut climbs[node], false) {
                // From here on, beds do not rise.
                reach.crest = reach.crest.max(cuts.bed(cell));
            }
        }
        let Some(next) = next else { continue };
        if tree.is_node(next) {
            reach.hands = cuts.cuts[cell];
            reach.climbs_on = cuts.is_same_climb(cell, next);
        } else {
            cuts.hand(cuts.cuts[cell], next);
        }
    }
    reaches
}

/// Of a square the cuts that enter it at the cells of [`Network::entered`], and the levels behind its exits, in the order of the rim.
pub(crate) struct Crossing {
    pub cuts: Vec<f32>,
    pub levels: Vec<f32>,
}

/// Joins the reaches of a group's squares, with what enters and leaves the group.
pub(crate) fn join(network: &Network, group: &Group, squares: &[Flow], through: &Through) -> Vec<Crossing> {
    let reaches: Vec<&Reach> = squares.iter().flat_map(|flow| &flow.reaches).collect();
    let mut cuts: Vec<f32> = reaches.iter().map(|reach| reach.own).collect();
    // The cuts that arrive along climbs, and those that arrive from other squares.
    let (mut climbing, mut outside) = (vec![UNCUT; reaches.len()], vec![UNCUT; reaches.len()]);
    for (&node, entering) in network.enters.iter().zip(&through.enters) {
        if leads_out(group, entering.at, reaches[node].climbs_from) {
            climbing[node] = entering.cut;
        } else {
            cuts[node] = cuts[node].min(entering.cut);
        }
        outside[node] = entering.cut;
    }
    for &node in &network.order {
        let node = node as usize;
        if reaches[node].climbs {
            cuts[node] = if climbing[node] < UNCUT { cuts[node].min(climbing[node]) } else { UNCUT };
            if reaches[node].climbs_from.is_some() && climbing[node] == UNCUT {
                outside[node] = UNCUT;
            }
        }
        let (next, cut) = (network.next[node], reaches[node].hands(cuts[node]));
        let Some(to) = next.node() else { continue };
        if climbs(&reaches, node, next) {
            climbing[to] = cut;
        } else if cut < reaches[to].limit {
            cuts[to] = cuts[to].min(cut);
        } else {
            continue;
        }
        if let Next::Across(..) = next {
            outside[to] = outside[to].min(cut);
        }
    }
    // Beyond exits of the group stand the levels that are given.
    let mut beyond = vec![DRY; if through.leaves.is_empty() { 0 } else { reaches.len() }];
    for leaving in &through.leaves {
        beyond[network.of_rim(group, leaving.at)] = leaving.level;
    }
    let behind = |levels: &[f32], node: usize| match network.next[node].node() {
        None => beyond.get(node).copied().unwrap_or(DRY),
        Some(to) => levels[to],
    };
    let mut levels = vec![DRY; reaches.len()];
    for &node in network.order.iter().rev() {
        let node = node as usize;
        levels[node] = reaches[node].highest(cuts[node]).max(behind(&levels, node));
    }
    let crossing = |(square, flow): (usize, &Flow)| {
        let begin = network.begins[square];
        let exits = flow.rim.iter().enumerate().filter(|(_, cell)| cell.exit.is_some());
        Crossing {
            cuts: network.entered[square].iter().map(|place| outside[begin + *place as usize]).collect(),
            levels: exits.map(|(at, _)| behind(&levels, begin + at)).collect(),
        }
    };
    squares.iter().enumerate().map(crossing).collect()
}

/// Whether a climb that enters at a cell of the group's rim comes from outside of the group.
fn leads_out(group: &Group, at: u32, climbs_from: Option<u8>) -> bool {
    climbs_from.is_some_and(|from| group.neighbour(group.rect.rim_position(at), from).is_none())
}

/// Whether the water from a node to the next one stays on a climb.
fn climbs(reaches: &[&Reach], node: usize, next: Next) -> bool {
    match next {
        Next::End => false,
        Next::Inside(_) => reaches[node].climbs_on,
        Next::Across(to, direction) => reaches[to].climbs_from(direction),
    }
}

/// The beds and the levels of the water of a square.
pub(crate) fn beds(routed: &Routed<'_>, breach: f32, down: &Downstream, through: &Through) -> (Vec<f32>, Vec<f32>) {
    let rect = &routed.square.surface.rect;
    let entered = |cell: u32| {
        let nth = rect.rim_of(cell).and_then(|at| through.enters.binary_search_by_key(&at, |entering| entering.at).ok());
        Some(nth.map_or(UNCUT, |nth| through.enters[nth].cut))
    };
    let mut cuts = Cuts::new(routed, breach, entered);
    for entering in through.enters.iter().filter(|entering| entering.at < rect.rim()) {
        let cell = rect.rim_cell(entering.at) as usize;
        cuts.hand(entering.cut, cell);
    }
    let mut levels = vec![DRY; cuts.heights.len()];
    for leaving in through.leaves.iter().filter(|leaving| leaving.at < rect.rim()) {
        levels[rect.rim_cell(leaving.at) as usize] = leaving.level;
    }
    for &cell in &down.order {
        if let Some(next) = cuts.next(cell as usize) {
            cuts.hand(cuts.cuts[cell as usize], next);
        }
    }
    for &cell in down.order.iter().rev() {
        let cell = cell as usize;
        let behind = cuts.next(cell).map_or(levels[cell], |next| levels[next]);
        levels[cell] = cuts.bed(cell).max(behind);
    }
    let beds = (0..levels.len()).map(|cell| cuts.bed(cell)).collect();
    (beds, levels)
}
