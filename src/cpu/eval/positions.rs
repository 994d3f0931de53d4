//! Lattice coordinates of any positions, in registers and yet exact.
//!
//! A coordinate is an offset and a product for each axis, each rounded to 2⁻⁶⁴ of a cell; f32 takes the cell and 24 bits of the
//! fraction of their sum. [`Frame::coordinate`] computes it in integers of 128 bits. Here the sum is two f64, a rounded one and what
//! rounding has left out (Dekker 1971, Knuth's TwoSum): together they are off by less than 2⁻⁴⁸ of a cell. Where that could
//! change the bits that are taken, which one sum in a million does, and wherever a number is too large, the integers decide.

use crate::cpu::eval::coordinates::Cells;
use crate::cpu::simd::block::{LANES, Lanes};
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::{Ends, Fixed, Frame};
use fearless_simd::{Bytes, Level, Simd, SimdBase, SimdFloat, SimdMask, f64x4, u32x8};

/// The positions of a block, axis by axis; lanes beyond them hold any numbers.
pub type Positions = [[f64; LANES]; 3];

/// Lattice coordinates along one axis, as many as there are lanes.
pub struct OneAxis<'a, R> {
    pub cell: &'a mut [u32; LANES],
    pub fraction: &'a mut Lanes<R>,
}

impl<R: Real> OneAxis<'_, R> {
    #[inline(always)]
    pub fn put(&mut self, lane: usize, q: Fixed) {
        self.cell[lane] = (q >> 64) as u32;
        self.fraction[lane] = R::fraction((q >> 32) as u32, q as u32);
    }
}

/// Largest magnitude of an offset and of a product: sums of four have bits left for 2⁻² of a cell, which conversions need.
const LARGEST: f64 = 562_949_953_421_312.0; // 2⁴⁹
/// How near to a change of the 24th bit a sum is left to integers, in units of that bit.
const NEAR: f64 = 1.0 / 16_777_216.0;
/// What makes the lowest 32 bits of an f64 those of the whole number that is added, up to 2⁵¹ in magnitude: 1.5 · 2⁵².
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Lanes that are computed together.
const WIDTH: usize = 4;

/// One lattice axis as a function of position.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    offset: f64,
    /// Cells per world unit along those world axes on which it depends.
    factors: [(usize, f64); 3],
    /// How many those are; `None` where it repeats, ends or is cut into cells, which is seldom and left to integers.
    count: Option<usize>,
}

impl Line {
    /// Of every axis of a frame.
    pub fn of(frame: &Frame) -> [Line; 3] {
        [0, 1, 2].map(|d| {
            let columns = [frame.linear.x_axis, frame.linear.y_axis, frame.linear.z_axis];
            let axes = (0..3).filter(|&axis| columns[axis][d] != 0.0);
            let mut line = Line { offset: frame.offset[d], factors: [(0, 0.0); 3], count: None };
            if frame.quantum.is_none() && frame.ends == Ends::Endless && axes.clone().all(|axis| frame.repeat[axis] == 0.0) {
                line.count = Some(axes.clone().count());
                line.factors.iter_mut().zip(axes).for_each(|(factor, axis)| *factor = (axis, columns[axis][d]));
            }
            line
        })
    }
}

/// The coordinates along the first `dimensions` axes of a frame, given as lines too, of the first so many positions.
pub fn fill<R: Real>(
    simd: Dispatch,
    (frame, lines): (&Frame, &[Line; 3]),
    dimensions: usize,
    (positions, count): (&Positions, usize),
    cells: &mut Cells<R>,
) {
    let count = count.min(LANES);
    let all = All { frame, lines, positions };
    macro_rules! with {
        ($set:expr) => {{
            let set = $set;
            set.vectorize(
                #[inline(always)]
                || {
                    for d in 0..dimensions {
                        let mut out = cells.axis(d);
                        match lines[d].count {
                            Some(0 | 1) => all.in_registers::<_, R, 1>(set, d, count, &mut out),
                            Some(2) => all.in_registers::<_, R, 2>(set, d, count, &mut out),
                            Some(_) => all.in_registers::<_, R, 3>(set, d, count, &mut out),
                            None => all.in_integers(d, 0..count, &mut out),
                        }
                    }
                },
            )
        }};
    }
    // The oracle takes 53 bits, of which two f64 cannot be sure.
    match simd.whole().level().filter(|_| size_of::<R>() == 4) {
        #[cfg(target_arch = "x86_64")]
        Some(Level::Avx512(set)) => with!(set),
        #[cfg(target_arch = "x86_64")]
        Some(Level::Avx2(set)) => with!(set),
        #[cfg(target_arch = "aarch64")]
        Some(Level::Neon(set)) => with!(set),
        // Without an instruction that multiplies and adds at once.
        _ => (0..dimensions).for_each(|d| all.in_integers(d, 0..count, &mut cells.axis(d))),
    }
}

/// What coordinates are computed from.
#[derive(Clone, Copy)]
struct All<'a> {
    frame: &'a Frame,
    lines: &'a [Line; 3],
    positions: &'a Positions,
}

impl All<'_> {
    #[inline(never)]
    fn in_integers<R: Real>(self, d: usize, lanes: impl Iterator<Item = usize>, out: &mut OneAxis<'_, R>) {
        for lane in lanes {
            out.put(lane, self.frame.coordinate(d, [self.positions[0][lane], self.positions[1][lane], self.positions[2][lane]]));
        }
    }

    /// The first so many lanes, in whole vectors.
    #[inline(always)]
    fn in_registers<S: Simd, R: Real, const N: usize>(self, set: S, d: usize, count: usize, out: &mut OneAxis<'_, R>) {
        for first in (0..count).step_by(WIDTH) {
            let doubtful = self.vector::<_, R, N>(set, d, first, out);
            if doubtful != 0 {
                self.in_integers(d, (first..first + WIDTH).filter(|lane| doubtful >> (lane - first) & 1 != 0), out);
            }
        }
    }

    /// The lanes from this one on; a bit for each that is to be left to integers.
    #[inline(always)]
    fn vector<S: Simd, R: Real, const N: usize>(self, set: S, d: usize, first: usize, out: &mut OneAxis<'_, R>) -> u64 {
        let splat = |x: f64| f64x4::splat(set, x);
        let Line { offset, factors, .. } = self.lines[d];
        let (mut sum, mut rest, mut left_out, mut largest) = (splat(offset), splat(0.0), splat(0.0), splat(offset.abs()));
        for &(axis, factor) in &factors[..N] {
            let factor = splat(factor);
            let positions = f64x4::from_slice(set, &self.positions[axis][first..first + WIDTH]);
            let product = factor * positions;
            let lost = factor.mul_sub(positions, product);
            let total = sum + product;
            let back = total - sum;
            let error = (sum - (total - back)) + (product - back);
            sum = total;
            rest += error + lost;
            left_out += error.abs() + lost.abs();
            largest = largest.max(product.abs());
        }
        let whole = sum.floor();
        let below = sum - whole;
        let part = below + rest;
        let carry = part.floor();
        let scaled = (part - carry) * splat(16_777_216.0);
        let bits = scaled.floor();
        let above = scaled - bits;
        // The lower halves of these sums, those of the cells first.
        let words = |number: f64x4<S>| (number + splat(WHOLE)).bitcast::<u32x8<S>>();
        let words = <[u32; 2 * WIDTH]>::from(words(whole + carry).unzip_low(words(bits)));
        out.cell[first..first + WIDTH].copy_from_slice(&words[..WIDTH]);
        for (fraction, &bits) in out.fraction[first..first + WIDTH].iter_mut().zip(&words[WIDTH..]) {
            *fraction = R::fraction(bits << 8, 0);
        }
        // A sum that nothing was left out of is what it is, but for the rounding to 2⁻⁶⁴, which leaves whole bits alone.
        let nothing = left_out.simd_eq(splat(0.0)) & (whole + below).simd_eq(sum) & above.simd_eq(splat(0.0));
        let far = above.simd_gt(splat(NEAR)) & above.simd_lt(splat(1.0 - NEAR));
        let sure = (far | nothing) & largest.simd_lt(splat(LARGEST));
        !sure.to_bitmask() & ((1 << WIDTH) - 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::cpu::eval::positions::*;
    use crate::program::Seed;
    use glam::{DMat3, DVec3};

    /// Numbers from 0 to 1.
    fn random(seed: u64, salt: u64) -> f64 {
        f64::from(Seed::default().with(seed).with(salt).bits()) / 4_294_967_296.0
    }

    #[test]
    fn registers_have_the_bits_of_integers() {
        let still = |linear, offset| Frame {
            linear,
            offset,
            local: DMat3::IDENTITY,
            quantum: None,
            repeat: DVec3::ZERO,
            period: [0; 3],
            seed: 0,
            ends: Ends::Endless,
        };
        let turned = DMat3::from_cols(DVec3::new(0.01, 0.02, -0.3), DVec3::new(0.013, -0.7, 0.02), DVec3::new(1e-9, 3.0, 0.11));
        let frames = [
            still(turned, DVec3::new(0.1, -7e5, 3e8)),
            // Where sums are whole numbers, or all but.
            still(DMat3::from_diagonal(DVec3::new(0.01, 0.25, 1.0)), DVec3::ZERO),
            still(DMat3::from_diagonal(DVec3::new(1.0 / 3.0, 1e-12, 0.0)), DVec3::new(-1e-20, 1e-25, 1e20)),
            still(DMat3::from_diagonal(DVec3::new(1024.0, 1e9, 0.1)), DVec3::new(0.5, 0.5, 1e15)),
            Frame { repeat: DVec3::new(100.0, 0.0, 0.0), ..still(DMat3::from_diagonal(DVec3::splat(0.01)), DVec3::splat(0.3)) },
            Frame { ends: Ends::Held, ..still(turned, DVec3::splat(0.3)) },
            Frame { ends: Ends::Again([5, 12, 1]), ..still(turned, DVec3::splat(0.3)) },
            Frame { quantum: Some(DVec3::splat(7.0)), ..still(turned, DVec3::splat(0.3)) },
        ];
        let simd = Dispatch::new(Level::new());
        let (mut doubtful, mut all) = (0, 0);
        for (number, frame) in frames.iter().enumerate() {
            for scale in [0.0, 1e-300, 1e-18, 1e-9, 1.0, 100.0, 1e4, 1e6, 1e9, 1e12, 9e15] {
                for whole in [false, true] {
                    let at = |axis: usize, lane: usize| {
                        let x = scale * (2.0 * random(lane as u64, axis as u64 + 10 * number as u64) - 1.0);
                        if whole { x.round() } else { x }
                    };
                    let positions: Positions = std::array::from_fn(|axis| std::array::from_fn(|lane| at(axis, lane)));
                    let (mut cells, lines) = (Cells::<f32>::new(), Line::of(frame));
                    fill(simd, (frame, &lines), 3, (&positions, LANES), &mut cells);
                    for d in 0..3 {
                        for lane in 0..LANES {
                            let exact = frame.coordinate(d, positions.map(|axis| axis[lane]));
                            let expected = ((exact >> 64) as u32, f32::fraction((exact >> 32) as u32, exact as u32));
                            let found = (cells.cell[d][lane], cells.fraction[d][lane]);
                            assert_eq!(found, expected, "frame {number}, axis {d}, scale {scale:e}, lane {lane}");
                        }
                        if number == 0 && (1.0..=1e12).contains(&scale) {
                            let all_of = All { frame, lines: &lines, positions: &positions };
                            #[cfg(target_arch = "x86_64")]
                            if let Some(set) = Level::new().as_avx2() {
                                let mut out = cells.axis(d);
                                let vector = |first| set.vectorize(|| all_of.vector::<_, f32, 3>(set, d, first, &mut out));
                                doubtful += (0..LANES).step_by(WIDTH).map(vector).map(u64::count_ones).sum::<u32>() as usize;
                            }
                            all += LANES;
                        }
                    }
                }
            }
        }
        // Or registers would compute nothing.
        assert!(doubtful * 100 < all, "{doubtful} of {all} are left to integers");
    }
}
