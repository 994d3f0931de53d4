//! Minimum spanning forests of basins, and what is left of them between terminals.

use super::order::{Weight, key};
use super::surface::Surface;
use std::cmp::Ordering;

/// Of a basin that is not a terminal.
pub(crate) const NO_TERMINAL: u32 = u32::MAX;

/// Two neighbouring cells of different basins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// The key of the higher cell's height.
    key: u32,
    /// The local number of the cell of higher rank.
    pub high: u32,
    /// The local number of the cell of lower rank.
    pub low: u32,
    /// Their basins, or the groups of basins that they belong to.
    groups: [u32; 2],
}

impl Pair {
    /// A pair of two cells of basins that it joins.
    fn new(surface: &Surface<'_>, [a, b]: [u32; 2], groups: [u32; 2]) -> Self {
        let [ka, kb] = [a, b].map(|cell| key(surface.height(cell)));
        let a_is_higher = ka.cmp(&kb).then_with(|| surface.rank(a).cmp(&surface.rank(b))) == Ordering::Greater;
        let (high, low) = if a_is_higher { (a, b) } else { (b, a) };
        Pair { key: ka.max(kb), high, low, groups }
    }

    /// The key of the pass.
    pub fn key(&self) -> u32 {
        self.key
    }

    fn compare(&self, other: &Pair, surface: &Surface<'_>) -> Ordering {
        self.key.cmp(&other.key).then_with(|| self.weight(surface).cmp(&other.weight(surface)))
    }

    fn weight(&self, surface: &Surface<'_>) -> Weight {
        Weight { high: surface.rank(self.high), low: surface.rank(self.low) }
    }
}

/// Places to remember pairs of basins in: most neighbouring cells lie in the same two basins as others before them.
const REMEMBERED: usize = 1 << 12;

/// Pairs of neighbouring cells of different basins: for each two basins at least the lowest.
pub(crate) fn lowest_pairs(surface: &Surface<'_>, basins: &[u32]) -> Vec<Pair> {
    let (mut pairs, mut remembered): (Vec<Pair>, _) = (Vec::new(), vec![u32::MAX; REMEMBERED]);
    let width = surface.rect.size[0] as usize;
    let mut add = |a: usize, b: usize| {
        let groups = [basins[a].min(basins[b]), basins[a].max(basins[b])];
        let pair = Pair::new(surface, [a as u32, b as u32], groups);
        let place =
            &mut remembered[(groups[0].wrapping_mul(0x9e37_79b1) ^ groups[1].wrapping_mul(0x85eb_ca6b)) as usize >> 3 & (REMEMBERED - 1)];
        match pairs.get_mut(*place as usize) {
            Some(known) if known.groups == groups => {
                if pair.compare(known, surface) == Ordering::Less {
                    *known = pair;
                }
            }
            Some(_) | None => {
                *place = pairs.len() as u32;
                pairs.push(pair);
            }
        }
    };
    for (y, row) in basins.chunks_exact(width).enumerate() {
        let next = basins.get((y + 1) * width..).filter(|rest| !rest.is_empty()).map(|rest| &rest[..width]);
        for x in 0..width {
            let (own, at) = (row[x], y * width + x);
            if x + 1 < width && row[x + 1] != own {
                add(at, at + 1);
            }
            let Some(next) = next else { continue };
            for column in x.saturating_sub(1)..(x + 2).min(width) {
                if next[column] != own {
                    add(at, (y + 1) * width + column);
                }
            }
        }
    }
    pairs
}

/// Sets that are joined: the parent of each, itself for the head of a set.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    pub fn new(count: usize) -> Self {
        Sets((0..count as u32).collect())
    }

    /// The head of the set of a member.
    pub fn head(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let above = self.0[self.0[member as usize] as usize];
            self.0[member as usize] = above;
            member = above;
        }
        member
    }

    /// Joins two sets by their heads; the smaller number is the head of both.
    pub fn join(&mut self, a: u32, b: u32) -> u32 {
        let (head, other) = (a.min(b), a.max(b));
        self.0[other as usize] = head;
        head
    }
}

/// The minimum spanning forest of the given number of basins, by weight. Each of Borůvka's rounds joins every group of basins with a
/// neighbour.
pub(crate) fn minimum_forest(surface: &Surface<'_>, mut pairs: Vec<Pair>, basins: usize) -> Vec<Pair> {
    const NONE: u32 = u32::MAX;
    let (mut sets, mut lowest, mut forest) = (Sets::new(basins), vec![NONE; basins], Vec::new());
    while !pairs.is_empty() {
        for (number, pair) in pairs.iter().enumerate() {
            for group in pair.groups {
                let lowest = &mut lowest[group as usize];
                if pairs.get(*lowest as usize).is_none_or(|other| pair.compare(other, surface) == Ordering::Less) {
                    *lowest = number as u32;
                }
            }
        }
        for pair in &pairs {
            for group in pair.groups {
                let found = std::mem::replace(&mut lowest[group as usize], NONE);
                let Some(found) = pairs.get(found as usize) else { continue };
                let [a, b] = found.groups.map(|group| sets.head(group));
                // Two groups may have the same lowest pair.
                if a != b {
                    sets.join(a, b);
                    forest.push(*found);
                }
            }
        }
        pairs.retain_mut(|pair| {
            pair.groups = pair.groups.map(|group| sets.head(group));
            pair.groups[0] != pair.groups[1]
        });
    }
    forest.sort_unstable_by(|a, b| a.compare(b, surface));
    forest
}

/// The forest with these pairs of cells, if they form one that joins all basins that have cells; `None` otherwise.
pub(crate) fn forest_of(surface: &Surface<'_>, basins: &[u32], count: usize, edges: &[[u32; 2]]) -> Option<Vec<Pair>> {
    let (mut sets, mut forest) = (Sets::new(count), Vec::with_capacity(edges.len()));
    for &edge in edges {
        let groups = edge.map(|cell| basins[cell as usize]);
        let [a, b] = groups.map(|basin| sets.head(basin));
        if a == b {
            return None;
        }
        sets.join(a, b);
        forest.push(Pair::new(surface, edge, groups));
    }
    forest.sort_unstable_by(|a, b| a.compare(b, surface));
    // Basin 0 has no cells if the square has no outlet.
    let first = sets.head(*basins.first()?);
    basins.iter().all(|basin| sets.head(*basin) == first).then_some(forest)
}

/// The edges of a forest that connect terminals, from the lowest to the highest: the number of each in the forest, and its two terminals.
/// `ends` are the basins of an edge.
///
/// An edge connects terminals if both sides have one, counting what is connected below its weight. If a side has none, the edge is
/// in the world's tree for any other squares. The other edges leave pieces with a single terminal each, which stands for
/// its piece.
pub(crate) fn contract(edges: usize, ends: impl Fn(usize) -> [u32; 2], terminals: &[u32]) -> Vec<(u32, [u32; 2])> {
    let mut has_terminal: Vec<bool> = terminals.iter().map(|terminal| *terminal != NO_TERMINAL).collect();
    let (mut sets, mut pieces, mut kept) = (Sets::new(terminals.len()), Sets::new(terminals.len()), Vec::new());
    for number in 0..edges {
        let [a, b] = ends(number).map(|basin| sets.head(basin));
        let sides = [a, b].map(|head| has_terminal[head as usize]);
        if sides == [true; 2] {
            kept.push(number);
        } else {
            let [a, b] = ends(number).map(|basin| pieces.head(basin));
            pieces.join(a, b);
        }
        let head = sets.join(a, b);
        has_terminal[head as usize] = sides[0] || sides[1];
    }
    let mut stands_for = vec![NO_TERMINAL; terminals.len()];
    for (basin, terminal) in (0..).zip(terminals).filter(|(_, terminal)| **terminal != NO_TERMINAL) {
        stands_for[pieces.head(basin) as usize] = *terminal;
    }
    kept.into_iter().map(|number| (number as u32, ends(number).map(|basin| stands_for[pieces.head(basin) as usize]))).collect()
}
