//! Joins the passes of squares. A group of squares has a record of the same kind as one square ([`contract`]), so that groups are
//! joined as squares are. The whole world's minimum spanning tree is rooted at the outlets, and each square gets its part of it
//! ([`expand`]).

use super::forest::{NO_TERMINAL, Sets, contract as between_terminals};
use super::grid::{Rect, opposite};
use super::group::Group;
use super::order::{Rank, Weight};
use super::square::{Edge, Passes, RimCell};

/// Why a world has no drainage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undrained {
    /// Water of some cells reaches no outlet.
    NoOutlet,
    /// There are too many terminals to number.
    TooLarge,
}

/// The way by which water leaves a piece of a square's tree. Pieces are what is left of the tree without the dropped edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Root {
    /// The terminal by which the piece is left.
    pub terminal: u32,
    /// The key of the height up to which water stands there: that of the highest pass on the way to the outlet.
    pub spill: u32,
    /// The cell of the rim by which the water leaves, and the direction: along the slope or against it.
    pub leaves: (u32, u8),
}

/// A square's part of the tree of the world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Routing {
    /// Numbers of the square's edges that are not in the tree, ascending.
    pub dropped: Vec<u32>,
    /// The pieces but for that of terminal 0, by terminal.
    pub roots: Vec<Root>,
}

/// A candidate for the tree: between two nodes, which are terminals of all squares, the outlets being node 0.
struct Candidate {
    weight: Weight,
    nodes: [u32; 2],
    from: From,
}

/// The origin of an edge.
#[derive(Clone, Copy)]
enum From {
    /// From the tree of a square: the square and the number of the edge.
    Inside(u32, u32),
    /// From a pass between two squares: a square, a cell of its rim, and the direction to the other cell. The first node is that of
    /// this cell.
    Across(u32, u32, u8),
}

/// An edge of a group's tree: its nodes, its origin, and the key of its height; 0 if a receiver leads across.
type Branch = ([u32; 2], From, u32);

/// The record of a group, from those of its squares.
///
/// # Errors
/// Too many terminals.
pub(crate) fn contract(group: &Group, squares: &[Passes]) -> Result<Passes, Undrained> {
    let forest = Forest::new(group, squares)?;
    let (terminals, count) = forest.terminals();
    let rim = (0..group.rect.rim()).map(|at| {
        let (square, place) = group.of_rim(at);
        let RimCell { key, terminal, exit } = forest.squares[square as usize].rim[place as usize];
        let node = forest.basins[forest.node(square, terminal) as usize];
        let leads_out = |exit: &u8| group.neighbour(group.rect.rim_position(at), *exit).is_none();
        RimCell { key, terminal: terminals[node as usize], exit: exit.filter(leads_out) }
    });
    let edges = forest.connections(&terminals).into_iter().map(|(branch, terminals)| {
        let [high, low] = forest.cells(forest.tree[branch as usize].1);
        Edge { terminals, high: (high.key, high.index), low: (low.key, low.index) }
    });
    Ok(Passes { rim: rim.collect(), terminals: count, edges: edges.collect() })
}

/// The parts of the squares of a group, from that of the group. That of a whole world is empty.
///
/// # Errors
/// A world without an outlet; too many terminals.
pub(crate) fn expand(group: &Group, squares: &[Passes], routing: &Routing) -> Result<Vec<Routing>, Undrained> {
    let mut forest = Forest::new(group, squares)?;
    let mut routings = vec![Routing::default(); squares.len()];
    let mut is_dropped = vec![false; forest.tree.len()];
    if !routing.dropped.is_empty() {
        let connections = forest.connections(&forest.terminals().0);
        for (branch, _) in routing.dropped.iter().filter_map(|dropped| connections.get(*dropped as usize)) {
            is_dropped[*branch as usize] = true;
        }
    }
    let mut drop = |from: From| {
        if let From::Inside(square, edge) = from {
            routings[square as usize].dropped.push(edge);
        }
    };
    forest.spare.iter().for_each(|from| drop(*from));
    let mut tree = std::mem::take(&mut forest.forced);
    for (branch, is_dropped) in std::mem::take(&mut forest.tree).into_iter().zip(is_dropped) {
        if is_dropped {
            drop(branch.1);
        } else {
            tree.push(branch);
        }
    }
    forest.orient(&tree, &routing.roots, &mut routings)?;
    for routing in &mut routings {
        routing.dropped.sort_unstable();
        routing.roots.sort_unstable();
    }
    Ok(routings)
}

/// The minimum spanning forest of the terminals of a group's squares.
struct Forest<'a> {
    group: &'a Group,
    squares: &'a [Passes],
    rects: Vec<Rect>,
    /// The first node of each square, less one: terminal 0 is node 0 in all of them.
    before: Vec<u32>,
    /// Of each node the basin that it belongs to, where receivers lead across squares: the smallest of its nodes.
    basins: Vec<u32>,
    /// Receivers that lead across squares.
    forced: Vec<Branch>,
    /// The other edges, from the lowest to the highest.
    tree: Vec<Branch>,
    /// Edges of squares that are not part of it.
    spare: Vec<From>,
}

impl<'a> Forest<'a> {
    fn new(group: &'a Group, squares: &'a [Passes]) -> Result<Self, Undrained> {
        let (mut before, mut count) = (Vec::with_capacity(squares.len()), 0_u32);
        for passes in squares {
            before.push(count);
            count = count.checked_add(passes.terminals - 1).filter(|count| *count < u32::MAX).ok_or(Undrained::TooLarge)?;
        }
        let (rects, basins, forced) = (group.rects(), Vec::new(), Vec::new());
        let mut forest = Forest { group, squares, rects, before, basins, forced, tree: Vec::new(), spare: Vec::new() };
        let mut candidates = forest.candidates();
        candidates.sort_unstable_by_key(|candidate| candidate.weight);
        let mut sets = Sets::new(count as usize + 1);
        for (nodes, ..) in &forest.forced {
            let [a, b] = nodes.map(|node| sets.head(node));
            debug_assert_ne!(a, b, "ranks fall along receivers");
            sets.join(a, b);
        }
        forest.basins = (0..=count).map(|node| sets.head(node)).collect();
        for Candidate { weight, nodes, from } in candidates {
            let [a, b] = nodes.map(|node| sets.head(node));
            if a != b {
                sets.join(a, b);
                forest.tree.push((nodes, from, weight.high.key));
            } else if let From::Inside(..) = from {
                forest.spare.push(from);
            }
        }
        Ok(forest)
    }

    fn node(&self, square: u32, terminal: u32) -> u32 {
        if terminal == 0 { 0 } else { self.before[square as usize] + terminal }
    }

    /// The edges that may connect terminals. Finds the receivers that connect others across squares, too.
    fn candidates(&mut self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (square, passes) in (0..).zip(self.squares) {
            let rect = self.rects[square as usize];
            candidates.extend((0..).zip(&passes.edges).map(|(number, edge)| {
                let from = From::Inside(square, number);
                let [high, low] = self.cells(from);
                Candidate { weight: Weight { high, low }, nodes: edge.terminals.map(|terminal| self.node(square, terminal)), from }
            }));
            for (at, cell) in (0..).zip(&passes.rim) {
                let position = rect.rim_position(at);
                for direction in 0..8 {
                    let Some(next) = self.group.neighbour(position, direction).filter(|next| !rect.holds(*next)) else { continue };
                    let (other, place) = self.group.on_rim(next);
                    let nodes =
                        [self.node(square, cell.terminal), self.node(other, self.squares[other as usize].rim[place as usize].terminal)];
                    let from = From::Across(square, at, direction);
                    if cell.exit == Some(direction) {
                        self.forced.push((nodes, from, 0));
                        continue;
                    }
                    let [high, low] = [self.rank(square, at), self.rank(other, place)];
                    // The higher cell's square adds the pass.
                    if low < high && nodes[0] != nodes[1] {
                        candidates.push(Candidate { weight: Weight { high, low }, nodes, from });
                    }
                }
            }
        }
        candidates
    }

    /// The rank of a cell of a rim.
    fn rank(&self, square: u32, at: u32) -> Rank {
        let position = self.rects[square as usize].rim_position(at);
        self.group.grid.rank(position, self.squares[square as usize].rim[at as usize].key)
    }

    /// The cells of an edge: the higher and the lower one.
    fn cells(&self, from: From) -> [Rank; 2] {
        match from {
            From::Inside(square, edge) => {
                let Edge { high, low, .. } = self.squares[square as usize].edges[edge as usize];
                [high, low].map(|(key, index)| self.group.grid.rank_of(index, key))
            }
            From::Across(square, at, direction) => {
                let (other, place) = self.across(square, at, direction);
                [self.rank(square, at), self.rank(other, place)]
            }
        }
    }

    /// The other cell of an edge across squares.
    fn across(&self, square: u32, at: u32, direction: u8) -> (u32, u32) {
        let next = self.group.grid.neighbour(self.rects[square as usize].rim_position(at), direction);
        self.group.on_rim(next.expect("invariant: the edge leads to a cell"))
    }

    /// The group's terminal of each basin, in the order of its rim after those of outlets, and their number.
    fn terminals(&self) -> (Vec<u32>, u32) {
        let (mut terminals, mut next) = (vec![NO_TERMINAL; self.basins.len()], 1);
        terminals[0] = 0;
        for at in 0..self.group.rect.rim() {
            let (square, place) = self.group.of_rim(at);
            let node = self.node(square, self.squares[square as usize].rim[place as usize].terminal);
            let terminal = &mut terminals[self.basins[node as usize] as usize];
            if *terminal == NO_TERMINAL {
                *terminal = next;
                next += 1;
            }
        }
        (terminals, next)
    }

    /// The edges that the group's record has: their numbers, and the terminals that they connect.
    fn connections(&self, terminals: &[u32]) -> Vec<(u32, [u32; 2])> {
        between_terminals(self.tree.len(), |branch| self.tree[branch].0.map(|node| self.basins[node as usize]), terminals)
    }

    /// Walks the tree from the outlets and from where pieces of the group are left. Records where each piece of a square is left.
    fn orient(&self, tree: &[Branch], roots: &[Root], routings: &mut [Routing]) -> Result<(), Undrained> {
        let count = self.basins.len();
        let mut ends = vec![0_u32; count + 1];
        for ([a, b], ..) in tree {
            ends[*a as usize] += 1;
            ends[*b as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        // Filled from the back, so that `ends` becomes the beginnings.
        let mut edges = vec![0_u32; sum as usize];
        for (number, ([a, b], ..)) in (0..).zip(tree) {
            for node in [a, b] {
                ends[*node as usize] -= 1;
                edges[ends[*node as usize] as usize] = number;
            }
        }
        let (mut spills, mut reached) = (vec![0_u32; count], vec![false; count]);
        reached[0] = true;
        let (mut open, mut found) = (vec![0_u32], 1);
        for &Root { spill, leaves: (at, direction), .. } in roots.iter().filter(|root| root.leaves.0 < self.group.rect.rim()) {
            let (square, place) = self.group.of_rim(at);
            let terminal = self.squares[square as usize].rim[place as usize].terminal;
            let node = self.node(square, terminal);
            if !std::mem::replace(&mut reached[node as usize], true) {
                (spills[node as usize], found) = (spill, found + 1);
                open.push(node);
                routings[square as usize].roots.push(Root { terminal, spill, leaves: (place, direction) });
            }
        }
        while let Some(node) = open.pop() {
            for &edge in &edges[ends[node as usize] as usize..ends[node as usize + 1] as usize] {
                let ([a, b], from, key) = tree[edge as usize];
                let next = if a == node { b } else { a };
                if std::mem::replace(&mut reached[next as usize], true) {
                    continue;
                }
                let spill = spills[node as usize].max(key);
                spills[next as usize] = spill;
                found += 1;
                open.push(next);
                if let From::Across(square, at, direction) = from {
                    let (square, root) = self.root(next == a, (square, at, direction), spill);
                    routings[square as usize].roots.push(root);
                }
            }
        }
        if found == count { Ok(()) } else { Err(Undrained::NoOutlet) }
    }

    /// The root of a piece that is left across the edge of squares: from the cell of the edge, or else from its neighbour.
    fn root(&self, from_cell: bool, (square, at, direction): (u32, u32, u8), spill: u32) -> (u32, Root) {
        let (square, at, direction) = if from_cell {
            (square, at, direction)
        } else {
            let (other, place) = self.across(square, at, direction);
            (other, place, opposite(direction))
        };
        (square, Root { terminal: self.squares[square as usize].rim[at as usize].terminal, spill, leaves: (at, direction) })
    }
}
