//! Strahler orders: 1 at springs; where streams meet, the largest order, or one more if several streams have it (Strahler 1957).
//!
//! The order of a cell depends on the streams that enter the square upstream of it. Between two nodes of a square's [tree](Tree), other
//! streams change an order by a function, which is a short table.

use super::down::Downstream;
use super::grid::Rect;
use super::network::{Network, Next};
use super::record::{Branch, Donors, Entering, Flow};
use super::tree::Tree;

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

/// Of each square the donors in other squares of the cells in [`Network::entered`], with the water that enters the group.
pub(crate) fn join(network: &Network, squares: &[Flow], enters: &[Entering]) -> Vec<Vec<Donors>> {
    let branches: Vec<&Branch> = squares.iter().flat_map(|flow| &flow.branches).collect();
    let mut donors: Vec<Donors> = branches.iter().map(|branch| branch.own).collect();
    let mut outside = vec![Donors::default(); branches.len()];
    for (node, entering) in network.enters.iter().zip(enters) {
        donors[*node].join(entering.donors);
        outside[*node].join(entering.donors);
    }
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
