//! Strahler orders: 1 at springs; where streams meet, the largest order, or one more if several streams have it (Strahler 1957).
//!
//! The order of a cell depends on the streams that enter the square upstream of it. Between two nodes of a square's [tree](Tree), other
//! streams change an order by a function, which is a short table.

use super::flow::{Downstream, Flow};
use super::grid::Rect;
use super::tree::{Network, Next, Tree};

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
    fn arrives(&self, order: u8) -> u8 {
        let at = usize::from(order).checked_sub(1);
        at.and_then(|at| self.through.get(at)).copied().unwrap_or(order)
    }

    /// Lets the water flow through a cell with other donors.
    fn pass(&mut self, donors: Donors) {
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

/// The nodes of a square's tree.
pub(crate) fn branches(tree: &Tree, down: &Downstream, directions: &[u8], offsets: [isize; 8]) -> Vec<Branch> {
    let mut branches: Vec<Branch> = tree.into.iter().map(|into| Branch { into: *into, ..Branch::default() }).collect();
    let mut donors = vec![Donors::default(); directions.len()];
    for &cell in &down.order {
        let cell = cell as usize;
        match tree.node(cell) {
            Some(node) if tree.is_node(cell) => branches[node].own = donors[cell],
            Some(node) => branches[node].pass(donors[cell]),
            None => {
                if let Some(offset) = offsets.get(usize::from(directions[cell])) {
                    let order = donors[cell].order();
                    donors[cell.wrapping_add_signed(*offset)].add(order);
                }
            }
        }
    }
    branches
}

/// Of each square the donors in other squares of the cells in [`Network::entered`].
pub(crate) fn join(network: &Network, squares: &[Flow]) -> Vec<Vec<Donors>> {
    let branches: Vec<&Branch> = squares.iter().flat_map(|flow| &flow.branches).collect();
    let mut donors: Vec<Donors> = branches.iter().map(|branch| branch.own).collect();
    let mut outside = vec![Donors::default(); branches.len()];
    for &node in &network.order {
        let node = node as usize;
        let order = donors[node].order();
        match network.next[node] {
            Next::End => (),
            Next::Inside(next) => donors[next].add(branches[node].arrives(order)),
            Next::Across(next, _) => {
                donors[next].add(order);
                outside[next].add(order);
            }
        }
    }
    let of_square = |(places, begin): (&Vec<u32>, &usize)| places.iter().map(|place| outside[begin + *place as usize]).collect();
    network.entered.iter().zip(&network.begins).map(of_square).collect()
}

/// The orders of the cells of a square.
pub(crate) fn orders(
    rect: &Rect,
    down: &Downstream,
    directions: &[u8],
    offsets: [isize; 8],
    entered: impl Iterator<Item = (u32, Donors)>,
) -> Vec<u8> {
    let mut donors = vec![Donors::default(); directions.len()];
    for (at, outside) in entered.filter(|(at, _)| *at < rect.rim()) {
        donors[rect.rim_cell(at) as usize] = outside;
    }
    let mut orders = vec![0; directions.len()];
    for &cell in &down.order {
        let cell = cell as usize;
        orders[cell] = donors[cell].order();
        if let Some(offset) = offsets.get(usize::from(directions[cell])) {
            donors[cell.wrapping_add_signed(*offset)].add(orders[cell]);
        }
    }
    orders
}
