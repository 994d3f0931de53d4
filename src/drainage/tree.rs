//! The tree of water that has entered a square, and the network of the trees of all squares.
//!
//! The water of a cell may depend on water that enters the square upstream of it. So the record of a square is a tree. Each cell
//! of the rim is a node, and so is each cell where water of several of them meets. Other water joins on the way between two nodes.

use super::flow::{Downstream, Flow};
use super::grid::{Grid, Rect};
use super::passes::on_rim;

/// In place of a node: no cell of the rim drains to the cell.
const NONE: u32 = u32::MAX;

/// The tree of a square. The nodes of the rim come first, in its order.
pub(crate) struct Tree {
    /// Of each cell the node that it is, or that its water comes from.
    nodes: Vec<u32>,
    /// Of each cell the number of donors whose water comes from the rim, plus `RIM` for cells of the rim.
    from_rim: Vec<u8>,
    /// Of each node the next one downstream in the square.
    pub into: Vec<Option<u32>>,
}

const RIM: u8 = 16;

impl Tree {
    pub fn new(rect: &Rect, down: &Downstream, directions: &[u8], offsets: [isize; 8]) -> Self {
        let next = |cell: usize| offsets.get(usize::from(directions[cell])).map(|offset| cell.wrapping_add_signed(*offset));
        let (mut nodes, mut from_rim) = (vec![NONE; directions.len()], vec![0_u8; directions.len()]);
        (0..rect.rim()).for_each(|at| from_rim[rect.rim_cell(at) as usize] = RIM);
        // Of each node the last cell before the next one.
        let mut last = vec![0_u32; rect.rim() as usize];
        for &cell in &down.order {
            let at = cell as usize;
            match from_rim[at] {
                0 => continue,
                1 => (),
                _ => {
                    nodes[at] = rect.rim_of(cell).unwrap_or(last.len() as u32);
                    if nodes[at] as usize == last.len() {
                        last.push(cell);
                    }
                }
            }
            last[nodes[at] as usize] = cell;
            if let Some(next) = next(at) {
                from_rim[next] += 1;
                nodes[next] = nodes[at];
            }
        }
        let into = last.iter().map(|cell| next(*cell as usize).map(|next| nodes[next])).collect();
        Tree { nodes, from_rim, into }
    }

    /// The node that a cell is, or that its water comes from.
    pub fn node(&self, cell: usize) -> Option<usize> {
        (self.nodes[cell] != NONE).then_some(self.nodes[cell] as usize)
    }

    /// Whether a cell is a node.
    pub fn is_node(&self, cell: usize) -> bool {
        self.from_rim[cell] > 1
    }
}

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
