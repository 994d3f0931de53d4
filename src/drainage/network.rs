//! The network of the [trees](super::tree) of all squares.

use super::grid::Grid;
use super::passes::on_rim;
use super::record::Flow;

/// The rest of the way of water from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// No other node is downstream.
    End,
    /// A node of the same square.
    Inside(usize),
    /// A cell of another square's rim, in this direction.
    Across(usize, u8),
}

/// The trees of all squares.
pub(crate) struct Network {
    /// The first node of each square.
    pub begins: Vec<usize>,
    /// Of each node the next one.
    pub next: Vec<Next>,
    /// Every node, after all nodes whose water it receives.
    pub order: Vec<u32>,
    /// Of each square the cells of the rim with donors in other squares, ascending.
    pub entered: Vec<Vec<u32>>,
}

impl Network {
    pub fn new(grid: &Grid, squares: &[Flow]) -> Self {
        let (mut begins, mut next) = (Vec::with_capacity(squares.len()), Vec::new());
        for flow in squares {
            let begin = next.len();
            begins.push(begin);
            next.extend(flow.branches.iter().map(|branch| branch.into.map_or(Next::End, |into| Next::Inside(begin + into as usize))));
        }
        let mut entered = vec![Vec::new(); squares.len()];
        for (square, flow) in squares.iter().enumerate() {
            let rect = grid.square(square as u32);
            for (at, cell) in flow.rim.iter().enumerate() {
                let Some(direction) = cell.exit else { continue };
                let Some(to) = grid.neighbour(rect.position(rect.rim_cell(at as u32)), direction) else { continue };
                let (into, place) = on_rim(grid, to);
                next[begins[square] + at] = Next::Across(begins[into as usize] + place as usize, direction);
                entered[into as usize].push(place);
            }
        }
        for places in &mut entered {
            places.sort_unstable();
            places.dedup();
        }
        let order = order(&next);
        Network { begins, next, order, entered }
    }
}

/// Every node, after all nodes that lead to it.
fn order(next: &[Next]) -> Vec<u32> {
    let mut waits = vec![0_u32; next.len()];
    let to = |next: Next| match next {
        Next::End => None,
        Next::Inside(to) | Next::Across(to, _) => Some(to),
    };
    next.iter().filter_map(|next| to(*next)).for_each(|to| waits[to] += 1);
    let mut order: Vec<u32> = (0..next.len() as u32).filter(|node| waits[*node as usize] == 0).collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        let Some(to) = to(next[node as usize]) else { continue };
        waits[to] -= 1;
        if waits[to] == 0 {
            order.push(to as u32);
        }
    }
    order
}
