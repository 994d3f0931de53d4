//! Joins the passes of all squares to the minimum spanning tree of the world's basins, rooted at the outlets, and tells each square its part of it.

use super::forest::Sets;
use super::grid::{Grid, Rect, opposite};
use super::order::{Rank, Weight};
use super::square::Passes;

/// Why a world has no drainage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undrained {
    /// Water of some cells reaches no outlet.
    NoOutlet,
    /// There are too many terminals to number.
    TooLarge,
}

/// Where the water of a piece of a square's tree goes. Pieces are what is left of the tree without the dropped edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Root {
    /// The terminal by which the piece is left.
    pub terminal: u32,
    /// The key of the height up to which water stands there: that of the highest pass on the way to the outlet.
    pub spill: u32,
    /// The cell of the rim by which the water leaves against the slope, and the direction; `None` where it follows the slope.
    pub leaves: Option<(u32, u8)>,
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

/// Where an edge comes from.
#[derive(Clone, Copy)]
enum From {
    /// From the tree of a square: the square and the number of the edge.
    Inside(u32, u32),
    /// From a pass between two squares: a square, a cell of its rim, and the direction to the other cell. The first node is that of this cell.
    Across(u32, u32, u8),
}

/// Joins the records of all squares, in their order.
///
/// # Errors
/// A world without an outlet; too many terminals.
pub(crate) fn join(grid: &Grid, squares: &[Passes]) -> Result<Vec<Routing>, Undrained> {
    let rects: Vec<Rect> = (0..grid.count()).map(|number| grid.square(number)).collect();
    // The first node of each square, less one: terminal 0 is node 0 in all of them.
    let (mut before, mut count) = (Vec::with_capacity(squares.len()), 0_u32);
    for passes in squares {
        before.push(count);
        count = count.checked_add(passes.terminals - 1).filter(|count| *count < u32::MAX).ok_or(Undrained::TooLarge)?;
    }
    let world = World { grid, squares, rects, before };
    let (forced, mut candidates) = world.candidates();
    candidates.sort_unstable_by_key(|candidate| candidate.weight);
    let mut routings = vec![Routing::default(); squares.len()];
    let mut sets = Sets::new(count as usize + 1);
    let mut tree: Vec<([u32; 2], From, u32)> = Vec::new();
    for (nodes, from) in forced {
        let [a, b] = nodes.map(|node| sets.head(node));
        debug_assert_ne!(a, b, "ranks fall along receivers");
        sets.join(a, b);
        tree.push((nodes, from, 0));
    }
    for Candidate { weight, nodes, from } in candidates {
        let [a, b] = nodes.map(|node| sets.head(node));
        if a != b {
            sets.join(a, b);
            tree.push((nodes, from, weight.high.key));
        } else if let From::Inside(square, edge) = from {
            routings[square as usize].dropped.push(edge);
        }
    }
    world.orient(&tree, count as usize + 1, &mut routings)?;
    for routing in &mut routings {
        routing.dropped.sort_unstable();
        routing.roots.sort_unstable();
    }
    Ok(routings)
}

struct World<'a> {
    grid: &'a Grid,
    squares: &'a [Passes],
    rects: Vec<Rect>,
    before: Vec<u32>,
}

impl World<'_> {
    fn node(&self, square: u32, terminal: u32) -> u32 {
        if terminal == 0 { 0 } else { self.before[square as usize] + terminal }
    }

    /// The terminals that receivers connect across squares, and the edges that may connect others.
    fn candidates(&self) -> (Vec<([u32; 2], From)>, Vec<Candidate>) {
        let (mut forced, mut candidates) = (Vec::new(), Vec::new());
        for (square, (passes, rect)) in (0..).zip(self.squares.iter().zip(&self.rects)) {
            candidates.extend((0..).zip(&passes.edges).map(|(number, edge)| {
                let rank = |(key, local)| self.grid.rank(rect.position(local), key);
                let weight = Weight { high: rank(edge.high), low: rank(edge.low) };
                Candidate { weight, nodes: edge.terminals.map(|terminal| self.node(square, terminal)), from: From::Inside(square, number) }
            }));
            for (at, cell) in (0..).zip(&passes.rim) {
                let position = rect.position(rect.rim_cell(at));
                let rank = self.grid.rank(position, cell.key);
                for direction in 0..8 {
                    let Some(next) = self.grid.neighbour(position, direction).filter(|next| rect.local(*next).is_none()) else { continue };
                    let (other, other_rank) = self.rim_cell(next);
                    let nodes = [self.node(square, cell.terminal), other];
                    let from = From::Across(square, at, direction);
                    if cell.exit == Some(direction) {
                        forced.push((nodes, from));
                    } else if other_rank < rank && nodes[0] != nodes[1] {
                        // The higher cell's square adds the pass.
                        candidates.push(Candidate { weight: Weight { high: rank, low: other_rank }, nodes, from });
                    }
                }
            }
        }
        (forced, candidates)
    }

    /// The node and the rank of a cell of some square's rim.
    fn rim_cell(&self, position: [u32; 2]) -> (u32, Rank) {
        let (square, at) = self.on_rim(position);
        let cell = self.squares[square as usize].rim[at as usize];
        (self.node(square, cell.terminal), self.grid.rank(position, cell.key))
    }

    fn on_rim(&self, position: [u32; 2]) -> (u32, u32) {
        on_rim(self.grid, position)
    }

    /// Walks the tree from the outlets, and records where each piece of a square is left.
    fn orient(&self, tree: &[([u32; 2], From, u32)], count: usize, routings: &mut [Routing]) -> Result<(), Undrained> {
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
        let mut open = vec![0_u32];
        let mut found = 1;
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
        let cell = self.squares[square as usize].rim[at as usize];
        if from_cell {
            let leaves = if cell.exit == Some(direction) { None } else { Some((at, direction)) };
            return (square, Root { terminal: cell.terminal, spill, leaves });
        }
        let rect = &self.rects[square as usize];
        let position = rect.position(rect.rim_cell(at));
        let next = self.grid.neighbour(position, direction).expect("invariant: the edge leads to a cell");
        let (other, other_at) = self.on_rim(next);
        let terminal = self.squares[other as usize].rim[other_at as usize].terminal;
        (other, Root { terminal, spill, leaves: Some((other_at, opposite(direction))) })
    }
}

/// The square of a cell on a rim, and its place there.
pub(crate) fn on_rim(grid: &Grid, position: [u32; 2]) -> (u32, u32) {
    let square = grid.holder(position);
    let rect = grid.square(square);
    let at = rect.local(position).and_then(|local| rect.rim_of(local)).expect("invariant: a neighbour in another square lies on its rim");
    (square, at)
}
