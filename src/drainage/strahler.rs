//! Strahler orders: 1 at springs; where streams meet, the largest order, or one more if several streams have it (Strahler 1957).
//!
//! The order of a cell depends on the streams that enter the square upstream of it. So the record of a square is a tree. Each cell of
//! the rim is a node, and so is each cell where water of several of them meets. Between two nodes, other streams change an order by a
//! function, which is a short table.

use super::flow::{Downstream, Flow};
use super::grid::{Grid, Rect};
use super::passes::on_rim;

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

/// A node of the tree of a square: a cell of its rim, or one where water of several of them meets.
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

/// The tree of a square. The nodes of the rim come first, in its order.
pub(crate) fn branches(rect: &Rect, down: &Downstream, directions: &[u8], offsets: [isize; 8]) -> Vec<Branch> {
    let next = |cell: usize| offsets.get(usize::from(directions[cell])).map(|offset| cell.wrapping_add_signed(*offset));
    // Of each cell the number of donors whose water comes from the rim; `RIM` for cells of the rim.
    const RIM: u8 = 16;
    let mut from_rim = vec![0_u8; directions.len()];
    (0..rect.rim()).for_each(|at| from_rim[rect.rim_cell(at) as usize] = RIM);
    for &cell in &down.order {
        if from_rim[cell as usize] > 0
            && let Some(next) = next(cell as usize)
        {
            from_rim[next] += 1;
        }
    }
    const NONE: u32 = u32::MAX;
    let mut branches = vec![Branch::default(); rect.rim() as usize];
    // Of each cell the node that it is, or that its water comes from.
    let (mut nodes, mut donors) = (vec![NONE; directions.len()], vec![Donors::default(); directions.len()]);
    // The cells of the next nodes.
    let mut meets: Vec<(u32, usize)> = Vec::new();
    for &cell in &down.order {
        let cell = cell as usize;
        let next = next(cell);
        if from_rim[cell] == 0 {
            if let Some(next) = next {
                let order = donors[cell].order();
                donors[next].add(order);
            }
            continue;
        }
        if from_rim[cell] == 1 {
            branches[nodes[cell] as usize].pass(donors[cell]);
        } else {
            nodes[cell] = rect.rim_of(cell as u32).unwrap_or(branches.len() as u32);
            if nodes[cell] as usize == branches.len() {
                branches.push(Branch::default());
            }
            branches[nodes[cell] as usize].own = donors[cell];
        }
        match next {
            Some(next) if from_rim[next] == 1 => nodes[next] = nodes[cell],
            Some(next) => meets.push((nodes[cell], next)),
            None => (),
        }
    }
    for (node, cell) in meets {
        branches[node as usize].into = Some(nodes[cell]);
    }
    branches
}

/// The cells of each square's rim with donors in other squares, ascending, and these donors.
pub(crate) fn join(grid: &Grid, squares: &[Flow]) -> Vec<Vec<(u32, Donors)>> {
    let mut begins = Vec::with_capacity(squares.len());
    let mut count = 0;
    for flow in squares {
        begins.push(count);
        count += flow.branches.len();
    }
    let mut waits = vec![0_u32; count];
    let exits = squares.iter().enumerate().flat_map(|(square, flow)| {
        let rect = grid.square(square as u32);
        let exits = flow.rim.iter().enumerate().filter_map(move |(at, cell)| Some((at, cell.exit?)));
        exits.filter_map(move |(at, exit)| Some((square, at, grid.neighbour(rect.position(rect.rim_cell(at as u32)), exit)?)))
    });
    const NONE: usize = usize::MAX;
    let mut crosses = vec![NONE; count];
    let mut entered: Vec<Vec<(u32, Donors)>> = vec![Vec::new(); squares.len()];
    for (square, at, next) in exits {
        let (into, place) = on_rim(grid, next);
        let node = begins[into as usize] + place as usize;
        crosses[begins[square] + at] = node;
        waits[node] += 1;
        entered[into as usize].push((place, Donors::default()));
    }
    for (flow, begin) in squares.iter().zip(&begins) {
        flow.branches.iter().filter_map(|branch| branch.into).for_each(|into| waits[begin + into as usize] += 1);
    }
    let branches: Vec<(&Branch, usize)> =
        squares.iter().zip(&begins).flat_map(|(flow, begin)| flow.branches.iter().map(move |branch| (branch, *begin))).collect();
    let mut donors: Vec<Donors> = branches.iter().map(|(branch, _)| branch.own).collect();
    let mut outside = vec![Donors::default(); count];
    let mut open: Vec<usize> = (0..count).filter(|node| waits[*node] == 0).collect();
    while let Some(node) = open.pop() {
        let (branch, begin) = branches[node];
        let order = donors[node].order();
        let inside = branch.into.map(|into| (begin + into as usize, branch.arrives(order), false));
        let across = (crosses[node] != NONE).then_some((crosses[node], order, true));
        for (next, order, is_outside) in inside.into_iter().chain(across) {
            donors[next].add(order);
            if is_outside {
                outside[next].add(order);
            }
            waits[next] -= 1;
            if waits[next] == 0 {
                open.push(next);
            }
        }
    }
    for (entered, begin) in entered.iter_mut().zip(begins) {
        entered.sort_unstable();
        entered.dedup();
        entered.iter_mut().for_each(|(place, donors)| *donors = outside[begin + *place as usize]);
    }
    entered
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
