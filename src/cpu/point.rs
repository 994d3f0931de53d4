//! Twin of `shaders/lib/point.wgsl` and, with `W`, of `shaders/lib/point_periodic.wgsl`: the hash of a lattice point.

use super::hash::{hash_1, hash_2, hash_3, hash_4};
use super::number::Bits;

/// What the points of one lattice are hashed with. `W`: whether there are periods.
#[derive(Clone, Copy, Debug)]
pub struct Key<const W: bool> {
    pub seed: u32,
    /// Cells after which the lattice repeats along each axis; 0 for never.
    pub period: [i32; 3],
}

#[inline(always)]
fn wrapped<B: Bits>(x: B, period: i32) -> B {
    x.minus(x.laps(period).times(period as u32))
}

/// One axis of the body-centred lattice: a period of n (a multiple of 3) is 4n/3 along the point's own axis and n/3 along the
/// others.
#[inline(always)]
fn body_centred<B: Bits>(p: [B; 3], axis: usize, period: i32) -> [B; 3] {
    // Six times the Cartesian coordinate.
    let sum = p[0].plus(p[1]).plus(p[2]);
    let laps = p[axis].times(6).minus(sum).laps(period.wrapping_mul(6));
    let third = laps.times((period / 3) as u32);
    let mut moved = [p[0].minus(third), p[1].minus(third), p[2].minus(third)];
    moved[axis] = moved[axis].minus(third.times(3));
    moved
}

/// One axis of the 4D lattice skewed by a third of the sum: a period of n (a multiple of 3) is 4n/3 along the point's own axis and n/3
/// along the others.
#[inline(always)]
fn skewed_by_a_third<B: Bits>(p: [B; 4], axis: usize, period: i32) -> [B; 4] {
    // Seven times the Cartesian coordinate.
    let sum = p[0].plus(p[1]).plus(p[2]).plus(p[3]);
    let laps = p[axis].times(7).minus(sum).laps(period.wrapping_mul(7));
    let third = laps.times((period / 3) as u32);
    let mut moved = [p[0].minus(third), p[1].minus(third), p[2].minus(third), p[3].minus(third)];
    moved[axis] = moved[axis].minus(third.times(3));
    moved
}

impl<const W: bool> Key<W> {
    /// The cell that stands for all its repetitions.
    #[inline(always)]
    pub fn cell<B: Bits>(&self, axis: usize, cell: B) -> B {
        if W { wrapped(cell, self.period[axis]) } else { cell }
    }

    /// On the cubic lattice; nothing repeats along the fourth axis.
    #[inline(always)]
    pub fn cubic<B: Bits, const N: usize>(&self, p: [B; N]) -> B {
        let seed = p[0].like(self.seed);
        match N {
            1 => hash_1(self.cell(0, p[0]), seed),
            2 => hash_2(self.cell(0, p[0]), self.cell(1, p[1]), seed),
            3 => hash_3(self.cell(0, p[0]), self.cell(1, p[1]), self.cell(2, p[2]), seed),
            _ => hash_4(self.cell(0, p[0]), self.cell(1, p[1]), self.cell(2, p[2]), p[N - 1], seed),
        }
    }

    /// On the skewed 2D lattice; with periods, rows half a cell apart: x = i − j/2, y = j. A period along y is an even number of
    /// rows.
    #[inline(always)]
    pub fn simplex_2<B: Bits>(&self, i: B, j: B) -> B {
        let [i, j] = self.staggered(i, j);
        hash_2(i, j, i.like(self.seed))
    }

    /// The point that stands for all its repetitions there.
    #[inline(always)]
    pub fn staggered<B: Bits>(&self, i: B, j: B) -> [B; 2] {
        if !W {
            return [i, j];
        }
        let [x, y, _] = self.period;
        let laps = j.laps(y);
        [wrapped(i.minus(laps.times((y / 2) as u32)), x), j.minus(laps.times(y as u32))]
    }

    /// The point that stands for all repetitions of a point of the skewed 3D lattice.
    #[inline(always)]
    pub fn representative<B: Bits>(&self, p: [B; 3]) -> [B; 3] {
        if !W {
            return p;
        }
        let p = body_centred(p, 0, self.period[0]);
        let p = body_centred(p, 1, self.period[1]);
        body_centred(p, 2, self.period[2])
    }

    /// On the skewed 4D lattice; nothing repeats along the fourth axis.
    #[inline(always)]
    pub fn simplex_4<B: Bits>(&self, p: [B; 4]) -> B {
        let mut p = p;
        if W {
            p = skewed_by_a_third(p, 0, self.period[0]);
            p = skewed_by_a_third(p, 1, self.period[1]);
            p = skewed_by_a_third(p, 2, self.period[2]);
        }
        let [x, y, z, w] = p;
        hash_4(x, y, z, w, x.like(self.seed))
    }

    /// On the skewed 3D lattice.
    #[inline(always)]
    pub fn simplex_3<B: Bits>(&self, p: [B; 3]) -> B {
        let [x, y, z] = self.representative(p);
        hash_3(x, y, z, x.like(self.seed))
    }
}
