//! Twin of `shaders/lib/point.wgsl` and, with `PERIODIC`, of `shaders/lib/point_periodic.wgsl`: the hash of a lattice point.

use crate::cpu::lib::hash::{FACTORS, hash_1, hash_2, hash_3, hash_4, mix, part, turned};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::unrolled;

/// The key that hashes the points of a lattice, in every lane. `PERIODIC`: whether there are periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HashKey<B, const PERIODIC: bool> {
    pub seed: B,
    /// Period of the lattice in cells along each axis; 0 if it does not repeat.
    pub period: [i32; 4],
}

/// The hashes of the corners of a simplex on the skewed lattice. Corners share the contributions of their coordinates. (On the
/// GPU, drivers find this optimisation.)
pub struct Skewed<B, const PERIODIC: bool> {
    key: HashKey<B, PERIODIC>,
    cell: [B; 4],
    lower: [B; 4],
    upper: [B; 4],
}

impl<B: Bits, const PERIODIC: bool> Skewed<B, PERIODIC> {
    /// The hash of the corner a step away along some axes.
    #[inline(always)]
    pub fn at(&self, steps: [B::Mask; 4]) -> B {
        if PERIODIC {
            let mut p = self.cell;
            unrolled!(axis in 0..4 => {
                p[axis] = B::select(p[axis], p[axis].plus(p[axis].constant(1)), steps[axis]);
            });
            return self.key.skewed_4(p);
        }
        let mut parts = self.lower;
        unrolled!(axis in 0..4 => {
            parts[axis] = B::select(self.lower[axis], self.upper[axis], steps[axis]);
        });
        Self::mixed(parts)
    }

    /// The hash of the cell itself, or of the corner a step away along every axis.
    #[inline(always)]
    pub fn end(&self, last: bool) -> B {
        if PERIODIC {
            let mut p = self.cell;
            unrolled!(axis in 0..4 => {
                p[axis] = p[axis].plus(p[axis].constant(u32::from(last)));
            });
            return self.key.skewed_4(p);
        }
        Self::mixed(if last { self.upper } else { self.lower })
    }

    #[inline(always)]
    fn mixed([x, y, z, w]: [B; 4]) -> B {
        mix(x ^ y ^ z ^ w)
    }
}

/// The hashes of the corners of a cell of the cubic lattice, which share contributions, too.
#[derive(Clone, Copy)]
pub struct Cubic<B> {
    /// Contributions along each of the first three axes, of the cell and of the next one.
    parts: [[B; 2]; 3],
    /// The seed, mixed with the fourth coordinate if there is one.
    seeds: [B; 2],
}

impl<B: Bits> Cubic<B> {
    /// The hash of a corner: one bit of its index for each of `DIMENSIONS` axes.
    #[inline(always)]
    pub fn at<const DIMENSIONS: usize>(&self, index: usize) -> B {
        let mut h = self.seeds[index >> 3];
        // These loops and those of `corners` are not unrolled by hand: periodic Perlin noise would take 3 % more instructions.
        for axis in (0..3).rev() {
            if axis < DIMENSIONS {
                h = self.parts[axis][index >> axis & 1] ^ h;
            }
        }
        mix(h)
    }
}

#[inline(always)]
fn wrapped<B: Bits>(x: B, period: i32) -> B {
    x.minus(x.laps(period).times(period as u32))
}

/// Wraps one axis of the body-centred lattice. A period of n (a multiple of 3) is 4n/3 along the point's own axis and n/3 along
/// the others.
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

/// Wraps one axis of the 4D lattice skewed by a third of the sum. A period of n (a multiple of 3) is 4n/3 along the point's own
/// axis and n/3 along the others.
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

impl<B: Bits, const PERIODIC: bool> HashKey<B, PERIODIC> {
    /// The cell that represents all its repetitions.
    #[inline(always)]
    pub fn cell(&self, axis: usize, cell: B) -> B {
        if PERIODIC { wrapped(cell, self.period[axis]) } else { cell }
    }

    /// The representative of the cell after a representative. It saves a second division.
    #[inline(always)]
    pub fn after(&self, axis: usize, cell: B) -> B {
        let next = cell.plus(cell.constant(1));
        if PERIODIC { B::select(next, next.constant(0), next.equals(next.constant(self.period[axis] as u32))) } else { next }
    }

    /// The hash of a point of the cubic lattice, in up to three dimensions.
    #[inline(always)]
    pub fn cubic<const DIMENSIONS: usize>(&self, p: [B; DIMENSIONS]) -> B {
        const { assert!(DIMENSIONS <= 3, "points of four dimensions are corners of a cell") };
        let seed = self.seed;
        match DIMENSIONS {
            1 => hash_1(self.cell(0, p[0]), seed),
            2 => hash_2(self.cell(0, p[0]), self.cell(1, p[1]), seed),
            _ => hash_3(self.cell(0, p[0]), self.cell(1, p[1]), self.cell(2, p[2]), seed),
        }
    }

    /// The contributions of the corners of a cell of the cubic lattice to their hashes.
    #[inline(always)]
    pub fn corners<const DIMENSIONS: usize>(&self, cell: [B; DIMENSIONS]) -> Cubic<B> {
        let mut all = Cubic { parts: [[self.seed; 2]; 3], seeds: [self.seed; 2] };
        for axis in 0..DIMENSIONS {
            if axis < 3 {
                let own = self.cell(axis, cell[axis]);
                all.parts[axis] = [part(axis, own), part(axis, self.after(axis, own))];
            } else {
                let next = cell[axis].plus(cell[axis].constant(1));
                all.seeds = [hash_1(self.cell(3, cell[axis]), self.seed), hash_1(self.cell(3, next), self.seed)];
            }
        }
        all
    }

    /// The hashes of the corners of a simplex of the skewed lattice.
    #[inline(always)]
    pub fn skewed(self, cell: [B; 4]) -> Skewed<B, PERIODIC> {
        let (mut lower, mut upper) = (cell, cell);
        unrolled!(axis in 0..3 => {
            (lower[axis], upper[axis]) = (part(axis, cell[axis]), part(axis, cell[axis].plus(cell[axis].constant(1))));
        });
        // The fourth coordinate is mixed into the seed.
        (lower[3], upper[3]) = (hash_1(cell[3], self.seed), hash_1(cell[3].plus(cell[3].constant(1)), self.seed));
        Skewed { key: self, cell, lower, upper }
    }

    // The corners of a simplex are a few steps from the sample's cell, with the steps chosen for each lane. Without periods,
    // coordinates are multiplied for the hash once, and so are steps.

    /// A coordinate, prepared for adding steps.
    #[inline(always)]
    pub fn begin(&self, axis: usize, cell: B) -> B {
        if PERIODIC { cell } else { cell.times(FACTORS[axis]) }
    }

    /// A number of steps, in the same form.
    #[inline(always)]
    pub fn steps(axis: usize, count: i32) -> u32 {
        if PERIODIC { count as u32 } else { FACTORS[axis].wrapping_mul(count as u32) }
    }

    /// The contribution of the coordinate to the hash.
    #[inline(always)]
    pub fn end(&self, axis: usize, coordinate: B) -> B {
        if PERIODIC { part(axis, wrapped(coordinate, self.period[axis])) } else { turned(axis, coordinate) }
    }

    /// The hash of a point of a hexagonal map: rows are shifted by half a cell, x = i − j/2, y = j. A period along y is an even
    /// number of rows.
    #[inline(always)]
    pub fn hexagon(&self, i: B, j: B) -> B {
        let [i, j] = self.staggered(i, j);
        hash_2(i, j, self.seed)
    }

    /// The representative of a point of a hexagonal map.
    #[inline(always)]
    pub fn staggered(&self, i: B, j: B) -> [B; 2] {
        let [x, y, ..] = self.period;
        // Checked here as well, since rare noises have only the code for periods.
        if !PERIODIC || (x, y) == (0, 0) {
            return [i, j];
        }
        let laps = j.laps(y);
        [wrapped(i.minus(laps.times((y / 2) as u32)), x), j.minus(laps.times(y as u32))]
    }

    /// The representative of a point of the skewed 3D lattice.
    #[inline(always)]
    pub fn representative(&self, p: [B; 3]) -> [B; 3] {
        if !PERIODIC {
            return p;
        }
        let p = body_centred(p, 0, self.period[0]);
        let p = body_centred(p, 1, self.period[1]);
        body_centred(p, 2, self.period[2])
    }

    /// The hash of a point of the skewed 4D lattice, by its coordinates along rows.
    #[inline(always)]
    pub fn rows_4(&self, [x, y, z, w]: [B; 4]) -> B {
        let xy = x.plus(y);
        let xyz = xy.plus(z);
        let (a, b) = (self.cell(0, x.minus(y)), self.cell(1, xy.minus(z.times(2))));
        let (c, d) = (self.cell(2, xyz.minus(w.times(3))), self.cell(3, xyz.plus(w)));
        hash_4(a, b, c, d, self.seed)
    }

    /// The hash of a point of the skewed 4D lattice.
    #[inline(always)]
    pub fn skewed_4(&self, p: [B; 4]) -> B {
        let mut p = p;
        if PERIODIC {
            p = skewed_by_a_third(p, 0, self.period[0]);
            p = skewed_by_a_third(p, 1, self.period[1]);
            p = skewed_by_a_third(p, 2, self.period[2]);
            p = skewed_by_a_third(p, 3, self.period[3]);
        }
        let [x, y, z, w] = p;
        hash_4(x, y, z, w, self.seed)
    }
}
