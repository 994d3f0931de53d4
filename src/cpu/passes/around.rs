//! Planes with a margin. A pass that reads far finds all samples in memory, without checking for each sample whether it exists.

use super::stencil::Plane;
use crate::cpu::simd::Real;
use rayon::prelude::*;

/// A part of a plane with a margin around it.
#[derive(Clone, Copy, Debug)]
pub struct PaddedPart {
    /// Samples of the plane along x and y.
    pub size: [usize; 2],
    /// The first sample of the part.
    pub first: [usize; 2],
    pub part: [usize; 2],
    /// The margin: samples to either side, and above and below.
    pub margin: [usize; 2],
}

impl PaddedPart {
    /// Samples along x and y, including the margin.
    pub fn padded(&self) -> [usize; 2] {
        [0, 1].map(|a| self.part[a] + 2 * self.margin[a])
    }

    /// Copies the part and its margin from the plane to `all`. Beyond the plane's edges the margin is 0, or repeats the edge.
    /// `all` must have that number of samples; its content is overwritten.
    pub fn copy<R: Real>(&self, plane: Plane<'_, R>, mut all: Vec<R>, parallel: bool) -> Vec<R> {
        let width = self.padded()[0];
        let row = |(y, to): (usize, &mut [R])| {
            let held = (self.first[1] + y).saturating_sub(self.margin[1]).min(self.size[1] - 1);
            if plane.zero && held + self.margin[1] != self.first[1] + y {
                return to.fill(R::default());
            }
            let from = &plane.values[held * self.size[0]..][..self.size[0]];
            let beyond = self.margin[0].saturating_sub(self.first[0]);
            let start = self.first[0].saturating_sub(self.margin[0]);
            let count = (width - beyond).min(self.size[0] - start);
            let [left, right] = if plane.zero { [R::default(); 2] } else { [from[0], from[self.size[0] - 1]] };
            to[..beyond].fill(left);
            to[beyond..beyond + count].copy_from_slice(&from[start..start + count]);
            to[beyond + count..].fill(right);
        };
        if parallel {
            all.par_chunks_mut(width).enumerate().for_each(row);
        } else {
            all.chunks_mut(width).enumerate().for_each(row);
        }
        all
    }
}
