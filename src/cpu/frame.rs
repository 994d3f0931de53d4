//! Twin of `shaders/lib/frame.wgsl`: lattice coordinates of a block of samples.

use super::block::{LANES, Lanes};
use super::jet::{Jet, axes};
use super::point::Key;
use super::real::Real;
use crate::frame::{Fixed, Frame, Grid};

/// The parts of a frame that depend on neither region nor point, in the backend's own numbers.
#[derive(Clone, Copy, Debug)]
pub struct Linear<R> {
    /// Cells per world unit along world x, y and z.
    pub columns: [[R; 3]; 3],
    /// Seed of the lattice's hash.
    pub seed: u32,
    /// Cells after which the lattice repeats along each axis; 0 for never.
    pub period: [i32; 3],
}

impl<R> Linear<R> {
    /// What the lattice's points are hashed with.
    #[inline(always)]
    pub fn key<const W: bool>(&self) -> Key<W> {
        Key { seed: self.seed, period: self.period }
    }
}

/// Which samples a block holds.
#[derive(Clone, Copy)]
pub enum Site<'a> {
    /// Neighbours along x in a region, the first at this index.
    Region { grids: &'a [Grid], index: [u32; 3] },
    /// Any positions, at most as many as a block has lanes.
    Points { grids: &'a [Grid], frames: &'a [Frame], positions: &'a [[f64; 3]] },
    /// Centres of cells, by their numbers plus 2³¹.
    Cells { grids: &'a [Grid], index: &'a [[u32; LANES]; 3] },
}

impl<'a> Site<'a> {
    /// The frames' integers.
    pub fn grids(&self) -> &'a [Grid] {
        match *self {
            Site::Region { grids, .. } | Site::Points { grids, .. } | Site::Cells { grids, .. } => grids,
        }
    }
}

/// Lattice coordinates of a block.
pub struct Cells<R> {
    pub cell: [[i32; LANES]; 3],
    pub fraction: [Lanes<R>; 3],
}

impl<R: Real> Cells<R> {
    pub fn new() -> Self {
        Cells { cell: [[0; LANES]; 3], fraction: [[R::default(); LANES]; 3] }
    }

    #[inline(always)]
    pub fn cell(&self, lane: usize) -> [i32; 3] {
        [self.cell[0][lane], self.cell[1][lane], self.cell[2][lane]]
    }

    #[inline(always)]
    pub fn fraction(&self, lane: usize) -> [R; 3] {
        [self.fraction[0][lane], self.fraction[1][lane], self.fraction[2][lane]]
    }

    /// The first `dimensions` lattice coordinates of every sample in the given frame.
    #[inline(always)]
    pub fn fill(&mut self, site: &Site<'_>, row: usize, dimensions: usize) {
        match *site {
            Site::Region { grids, index } => {
                let grid = &grids[row];
                if grid.samples != [0; 3] {
                    return self.fill_periodic(grid, index, dimensions);
                }
                for d in 0..dimensions {
                    let along = |axis: usize| grid.step[axis][d].wrapping_mul(i128::from(index[axis]));
                    let start = grid.origin[d].wrapping_add(along(0)).wrapping_add(along(1)).wrapping_add(along(2));
                    advance(start, grid.step[0][d], &mut self.cell[d], &mut self.fraction[d]);
                }
            }
            Site::Points { frames, positions, .. } => {
                for (lane, &position) in positions.iter().enumerate() {
                    let origin = frames[row].origin(position);
                    for d in 0..dimensions {
                        self.put(d, lane, origin[d]);
                    }
                }
            }
            Site::Cells { grids, index } => {
                let Grid { origin, step, .. } = grids[row];
                for d in 0..dimensions {
                    for lane in 0..LANES {
                        let along = |axis: usize| step[axis][d].wrapping_mul(i128::from(index[axis][lane]));
                        self.put(d, lane, origin[d].wrapping_add(along(0)).wrapping_add(along(1)).wrapping_add(along(2)));
                    }
                }
            }
        }
    }

    /// Every sample counted within its period.
    fn fill_periodic(&mut self, grid: &Grid, index: [u32; 3], dimensions: usize) {
        let within = |axis: usize, index: u32| match grid.samples[axis] {
            0 => i128::from(index),
            samples => i128::from((u64::from(grid.first[axis]) + u64::from(index)) % u64::from(samples)),
        };
        for d in 0..dimensions {
            let along = |axis: usize, index: u32| grid.step[axis][d].wrapping_mul(within(axis, index));
            let start = grid.origin[d].wrapping_add(along(1, index[1])).wrapping_add(along(2, index[2]));
            for lane in 0..LANES {
                self.put(d, lane, start.wrapping_add(along(0, index[0] + lane as u32)));
            }
        }
    }

    #[inline(always)]
    fn put(&mut self, d: usize, lane: usize, q: Fixed) {
        self.cell[d][lane] = (q >> 64) as i32;
        self.fraction[d][lane] = R::fraction(q as u64);
    }

    /// Moves every sample by a displacement in world units.
    #[inline(always)]
    pub fn displace(&mut self, frame: &Linear<R>, displacement: &[Lanes<R>; 3], dimensions: usize) {
        for d in 0..dimensions {
            for lane in 0..LANES {
                let moved = self.fraction[d][lane] + along(frame, d, axes(|i| displacement[i][lane]));
                let whole = moved.floor();
                self.cell[d][lane] = self.cell[d][lane].wrapping_add(whole.to_i32());
                self.fraction[d][lane] = moved - whole;
            }
        }
    }
}

/// `start + step · lane`, in 96 of its bits: 64 above and 32 below, so that every lane is plain u64 arithmetic.
#[inline(always)]
pub fn advance<R: Real>(start: Fixed, step: Fixed, cell: &mut [i32; LANES], fraction: &mut Lanes<R>) {
    let (above, below) = ((start >> 32) as u64, u64::from(start as u32));
    let (step_above, step_below) = ((step >> 32) as u64, u64::from(step as u32));
    for lane in 0..LANES {
        let low = below + step_below * lane as u64;
        let q = above.wrapping_add(step_above.wrapping_mul(lane as u64)).wrapping_add(low >> 32);
        cell[lane] = (q >> 32) as i32;
        fraction[lane] = R::fraction((q << 32) | (low & 0xffff_ffff));
    }
}

#[inline(always)]
fn along<R: Real>(frame: &Linear<R>, d: usize, v: [R; 3]) -> R {
    frame.columns[0][d] * v[0] + (frame.columns[1][d] * v[1] + frame.columns[2][d] * v[2])
}

/// `linear · v`.
#[inline(always)]
pub fn linear<R: Real>(frame: &Linear<R>, v: [R; 3]) -> [R; 3] {
    axes(|d| along(frame, d, v))
}

/// A gradient per cell → per world unit: transpose of linear.
#[inline(always)]
pub fn gradient<R: Real>(frame: &Linear<R>, g: [R; 3]) -> [R; 3] {
    axes(|axis| {
        let column = frame.columns[axis];
        column[0] * g[0] + (column[1] * g[1] + column[2] * g[2])
    })
}

/// A cell and its fraction as one number. The halves of the cell are exact in f32, and the lower one lies around 0, so that
/// small numbers keep their digits.
#[inline(always)]
pub fn number<R: Real>(cell: i32, fraction: R) -> R {
    let upper = cell.wrapping_add(0x8000) >> 16;
    let lower = cell.wrapping_sub(upper << 16);
    R::of_i32(upper) * R::of(65536.0) + (R::of_i32(lower) + fraction)
}

/// Twin of `table_world`: a lattice noise with its gradient per world unit.
#[inline(always)]
pub fn world<R: Real>(frame: &Linear<R>, noise: Jet<R>) -> Jet<R> {
    Jet { value: noise.value, gradient: gradient(frame, noise.gradient) }
}

/// Twin of `table_world_4`: the same with a fourth lattice coordinate, whose frame's first axis it is.
#[inline(always)]
pub fn world_4<R: Real>(frame: &Linear<R>, along: &Linear<R>, (value, g): (R, [R; 4])) -> Jet<R> {
    let three = gradient(frame, [g[0], g[1], g[2]]);
    Jet { value, gradient: axes(|axis| three[axis] + along.columns[axis][0] * g[3]) }
}

/// Twin of `table_coordinate`.
#[inline(always)]
pub fn coordinate<R: Real>(frame: &Linear<R>, cell: i32, fraction: R) -> Jet<R> {
    world(frame, Jet { value: number(cell, fraction), gradient: [R::of(1.0), R::of(0.0), R::of(0.0)] })
}
