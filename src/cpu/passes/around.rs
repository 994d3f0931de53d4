//! Planes with what lies around them: a pass that reads far then finds all of it in place, without asking for each sample whether it is
//! there.

use super::stencil::Plane;
use crate::cpu::simd::Real;
use rayon::prelude::*;

/// Which part of a plane, and how much around it.
#[derive(Clone, Copy, Debug)]
pub struct PaddedPart {
    /// Of the plane.
    pub size: [usize; 2],
    /// Where in it the part lies.
    pub first: [usize; 2],
    pub part: [usize; 2],
    /// Samples to either side, and above and below.
    pub margin: [usize; 2],
}

impl PaddedPart {
    /// Samples along x and y with all that is around.
    pub fn padded(&self) -> [usize; 2] {
        [0, 1].map(|a| self.part[a] + 2 * self.margin[a])
    }

    /// The part with what lies around it in the plane, and beyond its edges what the plane is there: 0, or as it ends. It is written to memory
    /// of so many samples, whatever it holds.
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
