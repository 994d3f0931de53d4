//! The heights of a square and of the cells around it, and the steepest way down from each of its cells.

use super::grid::{Grid, OUTLET, PIT, Rect, is_diagonal};
use super::order::{Rank, key};

/// The outlets of a world.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Outlets {
    /// Whether every cell on the edge of the world is an outlet.
    pub edge: bool,
    /// Cells at or below this height are outlets.
    pub sea: Option<f32>,
}

/// Added to a direction that leads out of the square.
pub(crate) const EXIT: u8 = 16;

/// Cells around the square: one on each side, whether the world has them or not.
const HALO: usize = 1;

/// The heights of a square, with one cell around it.
pub(crate) struct Surface<'a> {
    pub grid: &'a Grid,
    pub rect: Rect,
    /// In rows of `stride`, from the cell above and left of the first. Infinite beyond the edge of the world, and never −0.
    heights: Vec<f32>,
    stride: usize,
}

impl<'a> Surface<'a> {
    /// From the heights of the square [with its halo](Rect::with_halo), which are finite, in rows.
    pub fn new(grid: &'a Grid, rect: Rect, values: &[f32]) -> Self {
        let (around, stride) = (rect.with_halo(grid), rect.size[0] as usize + 2 * HALO);
        let mut heights = vec![f32::INFINITY; stride * (rect.size[1] as usize + 2 * HALO)];
        let [left, top] = [0, 1].map(|axis| (HALO as u32 - (rect.first[axis] - around.first[axis])) as usize);
        for (from, to) in values.chunks_exact(around.size[0] as usize).zip(heights.chunks_exact_mut(stride).skip(top)) {
            to[left..].iter_mut().zip(from).for_each(|(to, height)| *to = height + 0.0);
        }
        Surface { grid, rect, heights, stride }
    }

    fn padded(&self, local: u32) -> usize {
        let width = self.rect.size[0];
        ((local / width) as usize + HALO) * self.stride + (local % width) as usize + HALO
    }

    /// The height of a cell of the square.
    pub fn height(&self, local: u32) -> f32 {
        self.heights[self.padded(local)]
    }

    /// The rows of the square.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        let width = self.rect.size[0] as usize;
        self.heights.chunks_exact(self.stride).skip(HALO).take(self.rect.size[1] as usize).map(move |row| &row[HALO..][..width])
    }

    /// The rank of a cell of the square.
    pub fn rank(&self, local: u32) -> Rank {
        self.grid.rank(self.rect.position(local), key(self.height(local)))
    }

    /// Whether the neighbour of a cell in a direction has a lower rank.
    pub fn descends(&self, local: u32, direction: u8) -> bool {
        let Some(neighbour) = self.grid.neighbour(self.rect.position(local), direction) else { return true };
        let height = self.heights[self.padded(local).wrapping_add_signed(self.padded_offsets()[usize::from(direction)])];
        self.grid.rank(neighbour, key(height)) < self.rank(local)
    }

    /// The offset to the local number of a neighbour, for each direction.
    pub fn offsets(&self) -> [isize; 8] {
        self.rect.offsets()
    }

    /// The direction of the receiver of each cell, plus [`EXIT`] if that lies outside the square. Cells without a receiver have [`PIT`]
    /// or [`OUTLET`].
    ///
    /// The receiver is the neighbour of lower rank to which the slope is steepest, and of these the one of the lowest rank.
    pub fn receivers(&self, outlets: &Outlets) -> Vec<u8> {
        let [width, height] = self.rect.size.map(|size| size as usize);
        let mut codes = vec![0; width * height];
        for (y, row) in codes.chunks_exact_mut(width).enumerate() {
            let [above, own, below] = [0, 1, 2].map(|dy| &self.heights[(y + dy) * self.stride..][..width + 2 * HALO]);
            steepest(above, own, below, row);
            for (x, code) in row.iter_mut().enumerate() {
                *code = if code.is_power_of_two() { code.trailing_zeros() as u8 } else { self.among(x, y, *code) };
            }
            if let Some(sea) = outlets.sea {
                let own = &own[HALO..];
                row.iter_mut().zip(own).filter(|(_, height)| **height <= sea).for_each(|(code, _)| *code = OUTLET);
            }
        }
        self.mark_rim(outlets, &mut codes);
        codes
    }

    /// Turns cells into outlets where a mask is above 0.5: the values of the square with its halo.
    pub fn mark_outlets(&self, mask: &[f32], codes: &mut [u8]) {
        codes.iter_mut().zip(self.rect.inner(self.grid, mask)).filter(|(_, value)| *value > 0.5).for_each(|(code, _)| *code = OUTLET);
    }

    /// The direction of the neighbour of the lowest rank, among a set of directions. If the set is empty: among neighbours of the same
    /// height.
    fn among(&self, x: usize, y: usize, set: u8) -> u8 {
        let at = (y + HALO) * self.stride + x + HALO;
        let own = self.heights[at];
        let position = [self.rect.first[0] + x as u32, self.rect.first[1] + y as u32];
        let (mut best, mut lowest) = (PIT, if set == 0 { self.grid.rank(position, key(own)) } else { HIGHEST });
        for (direction, offset) in self.padded_offsets().into_iter().enumerate() {
            let (direction, height) = (direction as u8, self.heights[at.wrapping_add_signed(offset)]);
            let is_candidate = if set == 0 { height == own } else { set >> direction & 1 == 1 };
            if let (true, Some(neighbour)) = (is_candidate, self.grid.neighbour(position, direction)) {
                let rank = self.grid.rank(neighbour, key(height));
                if rank < lowest {
                    (best, lowest) = (direction, rank);
                }
            }
        }
        best
    }

    fn padded_offsets(&self) -> [isize; 8] {
        let stride = self.stride as isize;
        [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1]
    }

    /// Outlets on the edge of the world, and exits.
    fn mark_rim(&self, outlets: &Outlets, codes: &mut [u8]) {
        for local in (0..self.rect.rim()).map(|at| self.rect.rim_cell(at)) {
            let (position, code) = (self.rect.position(local), &mut codes[local as usize]);
            if outlets.edge && [0, 1].into_iter().any(|axis| position[axis] == 0 || position[axis] + 1 == self.grid.size[axis]) {
                *code = OUTLET;
            } else if *code < PIT && self.grid.neighbour(position, *code).is_some_and(|next| self.rect.local(next).is_none()) {
                *code += EXIT;
            }
        }
    }
}

/// Above every rank.
const HIGHEST: Rank = Rank { key: u32::MAX, hash: u32::MAX, index: u64::MAX };

/// 1/√2: a diagonal step is longer.
const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Of each cell the set of directions of the steepest slope downwards, a bit each; empty if no neighbour is lower.
fn steepest(above: &[f32], own: &[f32], below: &[f32], sets: &mut [u8]) {
    let width = sets.len();
    // Slices of the same length, so that the loop is compiled to vectors.
    let neighbours = [(above, 0), (above, 1), (above, 2), (own, 0), (own, 2), (below, 0), (below, 1), (below, 2)];
    let neighbours = neighbours.map(|(row, first)| &row[first..][..width]);
    let centre = &own[1..][..width];
    for x in 0..width {
        let mut slopes = [0.0_f32; 8];
        for (direction, slope) in slopes.iter_mut().enumerate() {
            let drop = centre[x] - neighbours[direction][x];
            *slope = if is_diagonal(direction as u8) { drop * DIAGONAL } else { drop };
        }
        let best = slopes.iter().fold(0.0, |best: f32, slope| if *slope > best { *slope } else { best });
        let mut set = 0;
        for (direction, slope) in slopes.iter().enumerate() {
            set |= u8::from(*slope == best && *slope > 0.0) << direction;
        }
        sets[x] = set;
    }
}
