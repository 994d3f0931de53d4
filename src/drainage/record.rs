//! Records of squares: what other squares need of one, and what they give it in return.

use super::grid::opposite;

/// In place of a cut: above every height.
pub(crate) const UNCUT: f32 = f32::INFINITY;
/// The level beyond an outlet: below every height.
pub(crate) const DRY: f32 = f32::NEG_INFINITY;

/// A cell of the rim, as other squares need it to find out how much flows through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RimFlow {
    /// The direction in which its water leaves the square.
    pub exit: Option<u8>,
    /// The number of the cells of the square whose water passes it; 0 if it is not an exit.
    pub area: u64,
    /// The rain on these cells in [parts](super::rain); 0 if it is even.
    pub rain: u64,
    /// The end of its water in the square: the number in the world of an exit or an outlet.
    pub end: u64,
    /// The distance to there.
    pub distance: u64,
}

/// The record of a square that other squares need for areas, distances, orders and levels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flow {
    /// The cells of the rim, in its order.
    pub rim: Vec<RimFlow>,
    /// The number of its cells whose water ends at its own outlets.
    pub drained: u64,
    /// The tree of the rim, along which orders of streams change.
    pub branches: Vec<Branch>,
    /// Of each branch the beds; empty if no pass is cut.
    pub reaches: Vec<Reach>,
}

/// The donors of a cell: the largest of their orders, and how many have it, up to 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Donors {
    pub largest: u8,
    pub count: u8,
}

impl Donors {
    /// Adds a donor.
    pub fn add(&mut self, order: u8) {
        self.join(Donors { largest: order, count: 1 });
    }

    /// Adds donors.
    pub fn join(&mut self, other: Donors) {
        match self.largest.cmp(&other.largest) {
            std::cmp::Ordering::Less => *self = other,
            std::cmp::Ordering::Equal => self.count = self.count.saturating_add(other.count).min(2),
            std::cmp::Ordering::Greater => (),
        }
    }

    /// The order of the cell.
    pub fn order(self) -> u8 {
        match self.count {
            0 => 1,
            1 => self.largest,
            _ => self.largest.saturating_add(1),
        }
    }
}

/// A node of the [tree](Tree) of a square.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The donors that no cell of the rim drains to.
    pub own: Donors,
    /// The next node downstream in the square.
    pub into: Option<u32>,
    /// The orders that arrive there, for orders 1, 2, … of this node. Larger orders arrive unchanged.
    pub through: Vec<u8>,
}

impl Branch {
    /// The order that arrives at the next node.
    pub fn arrives(&self, order: u8) -> u8 {
        let at = usize::from(order).checked_sub(1);
        at.and_then(|at| self.through.get(at)).copied().unwrap_or(order)
    }

    /// Lets the water flow on along another branch.
    pub fn follow(&mut self, next: &Branch) {
        while self.through.len() < next.through.len() {
            self.through.push(self.through.len() as u8 + 1);
        }
        self.through.iter_mut().for_each(|order| *order = next.arrives(*order));
    }

    /// Lets the water flow through a cell with other donors.
    pub fn pass(&mut self, donors: Donors) {
        while self.through.len() < usize::from(donors.largest) {
            self.through.push(self.through.len() as u8 + 1);
        }
        for order in &mut self.through {
            let mut all = donors;
            all.add(*order);
            *order = all.order();
        }
    }
}

/// The cuts and beds from a node to the next one in its square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// Whether the node lies on a climb from another square. Then it has a cut only if one arrives along the climb.
    pub climbs: bool,
    /// The direction in which the climb enters the square, if it does at the node.
    pub climbs_from: Option<u8>,
    /// Whether the next node lies on the same climb.
    pub climbs_on: bool,
    /// Whether the cut of the node reaches the next one.
    pub passes: bool,
    /// The node receives cuts below this height.
    pub limit: f32,
    /// The cut that it has in any case, or that adds to the one of its climb.
    pub own: f32,
    /// The cut that reaches the next node in any case.
    pub hands: f32,
    /// The cut that reaches it, too, if the node has one.
    pub adds: f32,
    /// The highest bed where the cut of the node matters, if it has none. If it has one, that is the highest bed there.
    pub crest: f32,
    /// The highest bed of the other cells.
    pub rest: f32,
}

impl Reach {
    /// Of a node without water.
    pub const UNKNOWN: Reach = Reach {
        climbs: false,
        climbs_from: None,
        climbs_on: false,
        passes: false,
        limit: DRY,
        own: UNCUT,
        hands: UNCUT,
        adds: UNCUT,
        crest: DRY,
        rest: DRY,
    };

    /// The cut that reaches the next node.
    pub fn hands(&self, cut: f32) -> f32 {
        if self.passes && cut < UNCUT { cut.min(self.adds).min(self.hands) } else { self.hands }
    }

    /// The highest bed.
    pub fn highest(&self, cut: f32) -> f32 {
        cut.min(self.crest).max(self.rest)
    }

    /// Whether water that flows into the square in a direction climbs to the node.
    pub fn climbs_from(&self, direction: u8) -> bool {
        self.climbs_from == Some(opposite(direction))
    }
}

/// Water that enters a square, and the rest of the way of water that leaves it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Through {
    /// Cells of the rim that are entered, ascending.
    pub enters: Vec<Entering>,
    /// Of the exits, in the order of the rim.
    pub leaves: Vec<Leaving>,
}

impl Through {
    /// The water that leaves by a cell of the rim.
    pub fn leaving(&self, at: u32) -> Option<&Leaving> {
        self.leaves.binary_search_by_key(&at, |leaving| leaving.at).ok().map(|nth| &self.leaves[nth])
    }
}

/// Water that enters a square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entering {
    /// The cell of the rim.
    pub at: u32,
    /// The number of cells of other squares whose water enters there.
    pub area: u64,
    /// The rain on these cells in parts; 0 if it is even.
    pub rain: u64,
    /// The donors in other squares.
    pub donors: Donors,
    /// The cut that the cell receives of them; [`UNCUT`] if it receives none.
    pub cut: f32,
}

/// The rest of the way of water that leaves a square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leaving {
    /// The exit, as a cell of the rim.
    pub at: u32,
    /// The distance to the outlet.
    pub distance: u64,
    /// The index of the outlet in the world.
    pub outlet: u64,
    /// The level of the water behind the exit; [`DRY`] if no pass is cut.
    pub level: f32,
}
