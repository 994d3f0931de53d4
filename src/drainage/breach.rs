//! Passes that are cut: the bed of the water, and the level at which water stands on it.
//!
//! A pit is *cut* if the water above it is shallower than `breach`. Then its bed goes on at the height of the pit, along the climb to
//! its pass and behind the pass, until the ground is lower. This height is the *cut* that a cell hands to its receiver:
//!
//! - A pit that is cut hands on its height.
//! - A cell whose water climbs lies on the way from a pit to its pass. It has the cut of this pit alone.
//! - Any other cell has the lowest cut that it receives, if that is below its height.
//!
//! The bed is the lower of the height and the cut. The water stands at the highest bed between a cell and its outlet.
//!
//! A cut is a minimum along the water, and a level is a maximum against it. So a square needs only a few numbers of each node of its
//! [tree](super::tree): a cut that enters a node changes neither the cuts nor the beds of other water before the next node.

use super::flow::{Downstream, Flow, Through};
use super::grid::{PIT, opposite};
use super::order::height;
use super::route::Routed;
use super::surface::EXIT;
use super::tree::{Network, Next, Tree};

/// The cut of water that has none: it is above every height.
pub(crate) const UNCUT: f32 = f32::INFINITY;
/// The level beyond an outlet: it is below every height.
pub(crate) const DRY: f32 = f32::NEG_INFINITY;

/// The donors whose cuts a cell receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Donor {
    /// All, if their cuts are below its height.
    All,
    /// The cell before it on the climb from a pit.
    Before(u32),
    /// The same, but the cell lies in another square, in this direction.
    Across(u8),
    /// The cell is a pit.
    Pit,
}

/// The cuts of the cells of a square.
struct Cuts<'a> {
    heights: Vec<f32>,
    donors: Vec<Donor>,
    cuts: Vec<f32>,
    directions: &'a [u8],
    offsets: [isize; 8],
}

impl<'a> Cuts<'a> {
    /// With the cuts of pits.
    fn new(routed: &'a Routed<'_>, breach: f32) -> Self {
        let Routed { square, directions, spills } = routed;
        let offsets = square.surface.offsets();
        let heights: Vec<f32> = square.surface.rows().flatten().copied().collect();
        let donor = |(cell, (way, slope)): (usize, (&u8, &u8))| {
            let direction = if *way >= EXIT { way - EXIT } else { *way };
            if way == slope || square.surface.descends(cell as u32, direction) {
                Donor::All
            } else if *slope >= EXIT {
                Donor::Across(slope - EXIT)
            } else {
                let before = offsets.get(usize::from(*slope));
                before.map_or(Donor::Pit, |offset| Donor::Before(cell.wrapping_add_signed(*offset) as u32))
            }
        };
        let donors = directions.iter().zip(&square.directions).enumerate().map(donor).collect();
        let mut cuts = vec![UNCUT; heights.len()];
        for (end, spill) in square.ends.iter().zip(spills).skip(1) {
            let pit = *end as usize;
            if square.directions[pit] == PIT && height(*spill) - heights[pit] < breach {
                cuts[pit] = heights[pit];
            }
        }
        Cuts { heights, donors, cuts, directions, offsets }
    }

    /// The receiver of a cell in the square.
    fn next(&self, cell: usize) -> Option<usize> {
        self.offsets.get(usize::from(self.directions[cell])).map(|offset| cell.wrapping_add_signed(*offset))
    }

    /// The heights below which a cell receives cuts of a donor in the square.
    fn limit(&self, from: usize, to: usize) -> f32 {
        match self.donors[to] {
            Donor::All => self.heights[to],
            Donor::Before(before) if before as usize == from => f32::INFINITY,
            Donor::Before(_) | Donor::Across(_) | Donor::Pit => f32::NEG_INFINITY,
        }
    }

    /// Hands the cut of a cell to its receiver.
    fn hand(&mut self, from: usize, to: usize) {
        if self.cuts[from] < self.limit(from, to) {
            self.cuts[to] = self.cuts[to].min(self.cuts[from]);
        }
    }

    fn bed(&self, cell: usize) -> f32 {
        self.heights[cell].min(self.cuts[cell])
    }
}

/// The cuts and beds from a node to the next one in its square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// Whether the node receives cuts from other squares.
    pub admits: Admits,
    /// It receives cuts below this height.
    pub limit: f32,
    /// Its own cut: that of donors to which no cell of the rim drains.
    pub own: f32,
    /// Cuts below this height reach the next node.
    pub passes: f32,
    /// The cut that reaches the next node in any case.
    pub hands: f32,
    /// The highest bed where the cut matters, if there is none. A lower cut is the highest bed there.
    pub crest: f32,
    /// The highest bed of the other cells.
    pub rest: f32,
}

/// The squares from which a node receives cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admits {
    Any,
    /// From the one in this direction.
    From(u8),
    Nothing,
}

impl Reach {
    /// The cut that the next node receives, if the node has this one.
    fn hands(&self, cut: f32) -> f32 {
        if cut < self.passes { cut.min(self.hands) } else { self.hands }
    }

    /// The highest bed.
    fn highest(&self, cut: f32) -> f32 {
        cut.min(self.crest).max(self.rest)
    }

    /// Whether it receives a cut of water that flows into its square in a direction.
    fn admits(&self, direction: u8) -> bool {
        match self.admits {
            Admits::Any => true,
            Admits::From(from) => from == opposite(direction),
            Admits::Nothing => false,
        }
    }
}

/// The reaches of the nodes of a square.
pub(crate) fn reaches(routed: &Routed<'_>, breach: f32, down: &Downstream, tree: &Tree) -> Vec<Reach> {
    const UNKNOWN: Reach = Reach { admits: Admits::Nothing, limit: DRY, own: UNCUT, passes: DRY, hands: UNCUT, crest: DRY, rest: DRY };
    let mut cuts = Cuts::new(routed, breach);
    let mut reaches = vec![UNKNOWN; tree.into.len()];
    // Whether the cut of a node matters up to its last cell, and the water has climbed so far.
    let (mut matters, mut climbs) = (vec![false; reaches.len()], vec![false; reaches.len()]);
    for &cell in &down.order {
        let cell = cell as usize;
        let next = cuts.next(cell);
        let Some(node) = tree.node(cell) else {
            if let Some(next) = next {
                cuts.hand(cell, next);
            }
            continue;
        };
        let (reach, donor, height) = (&mut reaches[node], cuts.donors[cell], cuts.heights[cell]);
        let descends = donor == Donor::All;
        if tree.is_node(cell) {
            let admits = match donor {
                Donor::All => Admits::Any,
                Donor::Across(direction) => Admits::From(direction),
                Donor::Before(_) | Donor::Pit => Admits::Nothing,
            };
            let limit = if descends { height } else { f32::INFINITY };
            *reach = Reach { admits, limit, own: cuts.cuts[cell], passes: limit, hands: UNCUT, crest: height, rest: DRY };
            (matters[node], climbs[node]) = (true, !descends);
            cuts.cuts[cell] = UNCUT;
        } else if matters[node] {
            if descends {
                reach.passes = height;
                // Beyond the first cell behind the climb, beds do not rise.
                if std::mem::replace(&mut climbs[node], false) {
                    reach.crest = reach.crest.max(cuts.bed(cell));
                }
            } else {
                reach.crest = reach.crest.max(height);
            }
        } else {
            reach.rest = reach.rest.max(cuts.bed(cell));
        }
        let Some(next) = next else { continue };
        let limit = cuts.limit(cell, next);
        if limit == f32::NEG_INFINITY {
            matters[node] = false;
        }
        if tree.is_node(next) {
            let reach = &mut reaches[node];
            reach.hands = if cuts.cuts[cell] < limit { cuts.cuts[cell] } else { UNCUT };
            if !matters[node] {
                reach.passes = DRY;
            }
        } else {
            cuts.hand(cell, next);
        }
    }
    reaches
}

/// Of a square the cuts that enter it at the cells of [`Network::entered`], and the levels behind its exits, in the order of the rim.
pub(crate) struct Crossing {
    pub cuts: Vec<f32>,
    pub levels: Vec<f32>,
}

/// Joins the reaches of all squares.
pub(crate) fn join(network: &Network, squares: &[Flow]) -> Vec<Crossing> {
    let reaches: Vec<&Reach> = squares.iter().flat_map(|flow| &flow.reaches).collect();
    let mut cuts: Vec<f32> = reaches.iter().map(|reach| reach.own).collect();
    let mut outside = vec![UNCUT; reaches.len()];
    for &node in &network.order {
        let node = node as usize;
        let (to, across) = match network.next[node] {
            Next::End => continue,
            Next::Inside(to) => (to, None),
            Next::Across(to, direction) => (to, Some(direction)),
        };
        let cut = reaches[node].hands(cuts[node]);
        if cut < reaches[to].limit && across.is_none_or(|direction| reaches[to].admits(direction)) {
            cuts[to] = cuts[to].min(cut);
            if across.is_some() {
                outside[to] = outside[to].min(cut);
            }
        }
    }
    let mut levels = vec![DRY; reaches.len()];
    let behind = |levels: &[f32], node: usize| match network.next[node] {
        Next::End => DRY,
        Next::Inside(to) | Next::Across(to, _) => levels[to],
    };
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

/// The beds and the levels of the water of a square.
pub(crate) fn beds(routed: &Routed<'_>, breach: f32, down: &Downstream, through: &Through) -> (Vec<f32>, Vec<f32>) {
    let rect = &routed.square.surface.rect;
    let mut cuts = Cuts::new(routed, breach);
    for entering in through.enters.iter().filter(|entering| entering.at < rect.rim()) {
        let cut = &mut cuts.cuts[rect.rim_cell(entering.at) as usize];
        *cut = cut.min(entering.cut);
    }
    let mut levels = vec![DRY; cuts.heights.len()];
    for leaving in through.leaves.iter().filter(|leaving| leaving.at < rect.rim()) {
        levels[rect.rim_cell(leaving.at) as usize] = leaving.level;
    }
    for &cell in &down.order {
        if let Some(next) = cuts.next(cell as usize) {
            cuts.hand(cell as usize, next);
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
