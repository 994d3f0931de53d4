//! The network of the [trees](super::tree) of a group's squares, and the tree that is left of it for the group.

use super::breach::Chains;
use super::group::Group;
use super::record::{Branch, Donors, Entering, Flow, Reach};

/// The rest of the way of water from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// No other node is downstream in the group.
    End,
    /// A node of the same square.
    Inside(usize),
    /// A cell of another square's rim, in this direction.
    Across(usize, u8),
}

impl Next {
    pub fn node(self) -> Option<usize> {
        match self {
            Next::End => None,
            Next::Inside(to) | Next::Across(to, _) => Some(to),
        }
    }
}

/// The trees of all squares of a group.
pub(crate) struct Network {
    /// The first node of each square.
    pub begins: Vec<usize>,
    /// Of each node the next one.
    pub next: Vec<Next>,
    /// Every node, after all nodes whose water it receives.
    pub order: Vec<u32>,
    /// Of each square the cells of the rim with donors in other squares, ascending.
    pub entered: Vec<Vec<u32>>,
    /// The nodes at which water enters the group, in the order in which it is given.
    pub enters: Vec<usize>,
}

impl Network {
    pub fn new(group: &Group, squares: &[Flow], enters: &[Entering]) -> Self {
        let (mut begins, mut next) = (Vec::with_capacity(squares.len()), Vec::new());
        for flow in squares {
            let begin = next.len();
            begins.push(begin);
            next.extend(flow.branches.iter().map(|branch| branch.into.map_or(Next::End, |into| Next::Inside(begin + into as usize))));
        }
        let mut entered = vec![Vec::new(); squares.len()];
        for (square, (flow, rect)) in squares.iter().zip(group.rects()).enumerate() {
            for (at, cell) in (0..).zip(&flow.rim) {
                let Some(direction) = cell.exit else { continue };
                let Some(to) = group.neighbour(rect.rim_position(at), direction) else { continue };
                let (into, place) = group.on_rim(to);
                next[begins[square] + at as usize] = Next::Across(begins[into as usize] + place as usize, direction);
                entered[into as usize].push(place);
            }
        }
        let enters = enters.iter().map(|entering| {
            let (into, place) = group.of_rim(entering.at);
            entered[into as usize].push(place);
            begins[into as usize] + place as usize
        });
        let enters = enters.collect();
        for places in &mut entered {
            places.sort_unstable();
            places.dedup();
        }
        let order = order(&next);
        Network { begins, next, order, entered, enters }
    }

    /// The node of a cell of the group's rim.
    pub fn of_rim(&self, group: &Group, at: u32) -> usize {
        let (square, place) = group.of_rim(at);
        self.begins[square as usize] + place as usize
    }
}

/// Every node, after all nodes that lead to it.
fn order(next: &[Next]) -> Vec<u32> {
    let mut waits = vec![0_u32; next.len()];
    next.iter().filter_map(|next| next.node()).for_each(|to| waits[to] += 1);
    let mut order: Vec<u32> = (0..next.len() as u32).filter(|node| waits[*node as usize] == 0).collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        let Some(to) = next[node as usize].node() else { continue };
        waits[to] -= 1;
        if waits[to] == 0 {
            order.push(to as u32);
        }
    }
    order
}

/// In place of a node of the group: no cell of its rim drains to the node.
const NONE: u32 = u32::MAX;
/// Of a cell of the group's rim, in place of a number of donors.
const RIM: u8 = 16;

/// The tree of a group: the cells of its rim come first, in their order, then each node where water of several of them meets. Returns
/// the branches, and their reaches if passes are cut.
pub(crate) fn contract(network: &Network, group: &Group, squares: &[Flow]) -> (Vec<Branch>, Vec<Reach>) {
    let parts: Vec<&Branch> = squares.iter().flat_map(|flow| &flow.branches).collect();
    let mut donors: Vec<Donors> = parts.iter().map(|branch| branch.own).collect();
    // Of each node the node of the group that it is, or that its water comes from, and the number of donors with such water.
    let (mut nodes, mut from_rim) = (vec![NONE; parts.len()], vec![0_u8; parts.len()]);
    let mut branches = vec![Branch::default(); group.rect.rim() as usize];
    // Of each branch the last node before the next one.
    let mut last = vec![0; branches.len()];
    for at in 0..group.rect.rim() {
        let node = network.of_rim(group, at);
        (nodes[node], from_rim[node]) = (at, RIM);
    }
    let mut chains = Chains::new(network, group, squares);
    for &node in &network.order {
        let node = node as usize;
        let next = network.next[node];
        if from_rim[node] == 0 {
            let order = donors[node].order();
            if let Some(to) = next.node() {
                donors[to].add(if let Next::Inside(_) = next { parts[node].arrives(order) } else { order });
            }
            chains.pass(node, None);
            continue;
        }
        if from_rim[node] == 1 {
            branches[nodes[node] as usize].pass(donors[node]);
        } else {
            if from_rim[node] < RIM {
                nodes[node] = branches.len() as u32;
                branches.push(Branch::default());
                last.push(node);
            }
            branches[nodes[node] as usize].own = donors[node];
        }
        let id = nodes[node] as usize;
        branches[id].follow(parts[node]);
        last[id] = node;
        chains.pass(node, Some((id, from_rim[node] > 1)));
        if let Some(to) = next.node() {
            from_rim[to] += 1;
            if from_rim[to] == 1 {
                nodes[to] = id as u32;
            }
        }
    }
    for (branch, last) in branches.iter_mut().zip(last) {
        branch.into = network.next[last].node().map(|to| nodes[to]);
    }
    (branches, chains.reaches)
}
