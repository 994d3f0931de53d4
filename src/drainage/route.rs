//! The final directions of a square's water, and up to where water stands: its part of the world's tree applied to it.
//!
//! Water in a basin leaves it by its lowest pass towards the outlet. The way from the pit to that pass is *carved*: along it the directions are reversed.
//! So every receiver is a neighbour, and a river goes on through a lake.

use super::grid::{PIT, opposite};
use super::passes::Routing;
use super::square::Square;
use super::surface::EXIT;

/// A square whose water finds its way.
pub(crate) struct Routed<'a> {
    pub square: Square<'a>,
    /// Of each cell the direction of its water, with [`EXIT`] if that leads out of the square, or [`OUTLET`](super::grid::OUTLET).
    pub directions: Vec<u8>,
    /// Of each basin the key of the height up to which water stands.
    pub spills: Vec<u32>,
}

/// Of a basin whose piece no root reached.
const DRY: u32 = 0;

impl<'a> Routed<'a> {
    pub fn new(square: Square<'a>, routing: &Routing) -> Self {
        let count = square.ends.len();
        let adjacent = Adjacent::new(&square, routing);
        let (mut spills, mut reached) = (vec![DRY; count], vec![false; count]);
        let mut directions = square.directions.clone();
        let mut basin_of = vec![0_u32; square.terminal_count as usize];
        for (basin, terminal) in (0..).zip(&square.terminals) {
            if let Some(of) = basin_of.get_mut(*terminal as usize) {
                *of = basin;
            }
        }
        let offsets = square.surface.offsets();
        let mut open = vec![0_u32];
        reached[0] = true;
        for root in &routing.roots {
            let Some(&basin) = basin_of.get(root.terminal as usize) else { continue };
            reached[basin as usize] = true;
            spills[basin as usize] = root.spill;
            if let Some((at, direction)) = root.leaves {
                let local = square.surface.rect.rim_cell(at);
                reverse(&mut directions, offsets, local as usize, direction + EXIT);
            }
            open.push(basin);
        }
        while let Some(basin) = open.pop() {
            for &edge in adjacent.edges(basin) {
                let pair = &square.tree[edge as usize];
                let [a, b] = [pair.high, pair.low];
                let (own, other) = if square.basins[a as usize] == basin { (a, b) } else { (b, a) };
                let next = square.basins[other as usize] as usize;
                if std::mem::replace(&mut reached[next], true) {
                    continue;
                }
                spills[next] = spills[basin as usize].max(pair.key());
                reverse(&mut directions, offsets, other as usize, square.surface.rect.direction(other, own));
                open.push(next as u32);
            }
        }
        Routed { square, directions, spills }
    }
}

/// Lets the water of a basin leave it from a cell in a direction: reverses the directions from there to the basin's end.
fn reverse(directions: &mut [u8], offsets: [isize; 8], mut at: usize, mut leaves: u8) {
    loop {
        let before = std::mem::replace(&mut directions[at], leaves);
        if before >= PIT {
            return;
        }
        at = at.wrapping_add_signed(offsets[usize::from(before)]);
        leaves = opposite(before);
    }
}

/// The edges of each basin that are kept.
struct Adjacent {
    begins: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacent {
    fn new(square: &Square<'_>, routing: &Routing) -> Self {
        let mut kept = vec![true; square.tree.len()];
        for &dropped in &routing.dropped {
            if let Some((edge, _)) = square.connections.get(dropped as usize) {
                kept[*edge as usize] = false;
            }
        }
        let kept = || (0_u32..).zip(&square.tree).filter(|(edge, _)| kept[*edge as usize]);
        let basins = |pair: &super::forest::Pair| [pair.high, pair.low].map(|cell| square.basins[cell as usize] as usize);
        let mut begins = vec![0_u32; square.ends.len() + 1];
        for (_, pair) in kept() {
            basins(pair).into_iter().for_each(|basin| begins[basin] += 1);
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let mut edges = vec![0; sum as usize];
        for (edge, pair) in kept() {
            for basin in basins(pair) {
                begins[basin] -= 1;
                edges[begins[basin] as usize] = edge;
            }
        }
        Adjacent { begins, edges }
    }

    fn edges(&self, basin: u32) -> &[u32] {
        let [begin, end] = [basin, basin + 1].map(|basin| self.begins[basin as usize] as usize);
        &self.edges[begin..end]
    }
}
