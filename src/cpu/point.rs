//! Twin of `shaders/lib/point.wgsl` and, with `W`, of `shaders/lib/point_periodic.wgsl`: the hash of a lattice point.

use super::hash::{hash_1, hash_2, hash_3, hash_4};

/// What the points of one lattice are hashed with. `W`: whether there are periods.
#[derive(Clone, Copy, Debug)]
pub struct Key<const W: bool> {
    pub seed: u32,
    /// Cells after which the lattice repeats along each axis; 0 for never.
    pub period: [i32; 3],
}

/// How many whole periods lie below x; 0 without a period.
#[inline(always)]
fn laps(x: i32, period: i32) -> i32 {
    if period == 0 { 0 } else { x.wrapping_div_euclid(period) }
}

#[inline(always)]
fn wrapped(x: u32, period: i32) -> u32 {
    x.wrapping_sub(laps(x as i32, period).wrapping_mul(period) as u32)
}

/// One axis of the body-centred lattice: a period of n (a multiple of 3) is 4n/3 along the point's own axis and n/3 along the
/// others.
#[inline(always)]
fn body_centred(p: [i32; 3], axis: usize, period: i32) -> [i32; 3] {
    // Six times the Cartesian coordinate.
    let sum = p[0].wrapping_add(p[1]).wrapping_add(p[2]);
    let laps = laps(p[axis].wrapping_mul(6).wrapping_sub(sum), period.wrapping_mul(6));
    let third = laps.wrapping_mul(period / 3);
    std::array::from_fn(|a| p[a].wrapping_sub(third).wrapping_sub(if a == axis { third.wrapping_mul(3) } else { 0 }))
}

/// One axis of the 4D lattice skewed by a third of the sum: a period of n (a multiple of 3) is 4n/3 along the point's own axis and n/3
/// along the others.
#[inline(always)]
fn skewed_by_a_third(p: [u32; 4], axis: usize, period: i32) -> [u32; 4] {
    // Seven times the Cartesian coordinate.
    let sum = p[0].wrapping_add(p[1]).wrapping_add(p[2]).wrapping_add(p[3]);
    let laps = laps(p[axis].wrapping_mul(7).wrapping_sub(sum) as i32, period.wrapping_mul(7));
    let third = laps.wrapping_mul(period / 3) as u32;
    std::array::from_fn(|a| p[a].wrapping_sub(third).wrapping_sub(if a == axis { third.wrapping_mul(3) } else { 0 }))
}

impl<const W: bool> Key<W> {
    /// The cell that stands for all its repetitions.
    #[inline(always)]
    pub fn cell(&self, axis: usize, cell: i32) -> u32 {
        if W { wrapped(cell as u32, self.period[axis]) } else { cell as u32 }
    }

    /// One coordinate of the point that stands for all its repetitions.
    #[inline(always)]
    fn at<const N: usize>(&self, p: [u32; N], axis: usize) -> u32 {
        if W { wrapped(p[axis], self.period[axis]) } else { p[axis] }
    }

    /// On the cubic lattice; nothing repeats along the fourth axis.
    #[inline(always)]
    pub fn cubic<const N: usize>(&self, p: [u32; N]) -> u32 {
        match N {
            1 => hash_1(self.at(p, 0), self.seed),
            2 => hash_2(self.at(p, 0), self.at(p, 1), self.seed),
            3 => hash_3(self.at(p, 0), self.at(p, 1), self.at(p, 2), self.seed),
            _ => hash_4(self.at(p, 0), self.at(p, 1), self.at(p, 2), p[N - 1], self.seed),
        }
    }

    /// On the skewed 2D lattice; with periods, rows half a cell apart: x = i − j/2, y = j. A period along y is an even number of
    /// rows.
    #[inline(always)]
    pub fn simplex_2(&self, i: u32, j: u32) -> u32 {
        let [i, j] = self.staggered(i, j);
        hash_2(i, j, self.seed)
    }

    /// The point that stands for all its repetitions there.
    #[inline(always)]
    pub fn staggered(&self, i: u32, j: u32) -> [u32; 2] {
        if !W {
            return [i, j];
        }
        let [x, y, _] = self.period;
        let laps = laps(j as i32, y);
        let i = i.wrapping_sub(laps.wrapping_mul(y / 2) as u32);
        [wrapped(i, x), j.wrapping_sub(laps.wrapping_mul(y) as u32)]
    }

    /// The point that stands for all repetitions of a point of the skewed 3D lattice.
    #[inline(always)]
    pub fn representative(&self, p: [i32; 3]) -> [i32; 3] {
        if W { (0..3).fold(p, |p, axis| body_centred(p, axis, self.period[axis])) } else { p }
    }

    /// On the skewed 4D lattice; nothing repeats along the fourth axis.
    #[inline(always)]
    pub fn simplex_4(&self, p: [u32; 4]) -> u32 {
        let [x, y, z, w] = if W { (0..3).fold(p, |p, axis| skewed_by_a_third(p, axis, self.period[axis])) } else { p };
        hash_4(x, y, z, w, self.seed)
    }

    /// On the skewed 3D lattice.
    #[inline(always)]
    pub fn simplex_3(&self, p: [u32; 3]) -> u32 {
        let [x, y, z] = if W { self.representative(p.map(|c| c as i32)).map(|c| c as u32) } else { p };
        hash_3(x, y, z, self.seed)
    }
}
