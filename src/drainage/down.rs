//! The cells of a square down the water, and lengths along it.

use super::grid::is_diagonal;

/// The length of a step along an axis. Distances are sums of such steps.
pub(crate) const STRAIGHT: u64 = 1 << 16;
/// The length of a diagonal step: √2 times as long, rounded.
pub(crate) const DIAGONAL: u64 = 92_682;

/// The length of a step.
pub(crate) fn step(direction: u8) -> u64 {
    if is_diagonal(direction) { DIAGONAL } else { STRAIGHT }
}

/// The cells of a square from the springs downwards.
pub(crate) struct Downstream {
    /// Every cell, after all cells whose water it receives.
    pub order: Vec<u32>,
}

impl Downstream {
    /// From directions in a square.
    pub fn new(directions: &[u8], offsets: [isize; 8]) -> Self {
        let mut donors = vec![0_u8; directions.len()];
        for (cell, code) in directions.iter().enumerate() {
            if let Some(offset) = offsets.get(usize::from(*code)) {
                donors[cell.wrapping_add_signed(*offset)] += 1;
            }
        }
        let mut order = Vec::with_capacity(directions.len());
        for first in 0..directions.len() {
            let mut at = first;
            // 0 only once: a cell that is done has 255.
            while donors[at] == 0 {
                donors[at] = u8::MAX;
                order.push(at as u32);
                let Some(offset) = offsets.get(usize::from(directions[at])) else { break };
                at = at.wrapping_add_signed(*offset);
                donors[at] -= 1;
            }
        }
        Downstream { order }
    }

    /// Adds the value of each cell to its receiver's.
    pub fn accumulate(&self, directions: &[u8], offsets: [isize; 8], values: &mut [u64]) {
        for &cell in &self.order {
            let cell = cell as usize;
            if let Some(offset) = offsets.get(usize::from(directions[cell])) {
                values[cell.wrapping_add_signed(*offset)] += values[cell];
            }
        }
    }
}

/// Sums down the water of a square, and the rest of the way in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    /// The amounts that flow through each cell, its own included.
    pub amounts: Amounts,
    /// The end of each cell's water in the square.
    pub ends: Vec<u32>,
    /// The distance to there.
    pub distances: Vec<u64>,
}

/// Amounts that water carries, for each cell.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Amounts {
    /// Numbers of cells.
    pub areas: Vec<u64>,
    /// Rain in [parts](super::rain); empty if it is even.
    pub rains: Vec<u64>,
}

impl Sums {
    /// Of the amounts that each cell adds.
    pub fn new(down: &Downstream, directions: &[u8], offsets: [isize; 8], mut amounts: Amounts) -> Self {
        down.accumulate(directions, offsets, &mut amounts.areas);
        if !amounts.rains.is_empty() {
            down.accumulate(directions, offsets, &mut amounts.rains);
        }
        let (mut ends, mut distances) = (vec![0_u32; directions.len()], vec![0_u64; directions.len()]);
        for &cell in down.order.iter().rev() {
            let (cell, code) = (cell as usize, directions[cell as usize]);
            (ends[cell], distances[cell]) = match offsets.get(usize::from(code)) {
                Some(offset) => {
                    let next = cell.wrapping_add_signed(*offset);
                    (ends[next], distances[next] + step(code))
                }
                None => (cell as u32, 0),
            };
        }
        Sums { amounts, ends, distances }
    }
}
