//! Lattice coordinates of any positions, computed in registers and still exact.
//!
//! A coordinate is the sum of an offset and a product for each axis, each rounded to 2⁻⁶⁴ of a cell. An f32 result is the cell and
//! the first 24 bits of the fraction. [`Frame::coordinate`] computes it in 128-bit integers. This module computes it in f64, and
//! repeats every sum whose bits might differ, with more precision:
//!
//! 1. The sum as one f64. The rounding error is bounded by the distance of the positions. Up to 2¹⁶ cells from the origin, at most
//!    one sum in a thousand is too close to a change of the bits.
//! 2. The sum as two f64, a rounded one and its rounding error (Dekker 1971, Knuth's TwoSum). Their error is less than 2⁻⁴⁸ of a
//!    cell. One sum in a million is too close. Sums without any rounding end here at any distance.
//! 3. Integers. They are also used if a number is too large.
//!
//! Without a fused multiply-add, positions take the first step one by one, with a wider bound, and then integers.

use crate::cpu::eval::coordinates::{AxisCoordinates, LatticeCoordinates};
use crate::cpu::simd::lanes::{CHUNK, LANES, Lanes};
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::{AddressMode, Frame, fixed};
#[allow(unused_imports, reason = "a target without such an instruction set has no level to match")]
use fearless_simd::Level;
use fearless_simd::{Bytes, Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, f64x4, u32x8};

/// The positions of a block.
pub struct Positions {
    /// The coordinates along each axis; lanes beyond the last position hold arbitrary numbers.
    axes: [Lanes<f64>; 3],
    count: usize,
    /// The largest magnitude along each axis.
    farthest: [f64; 3],
}

impl Positions {
    /// No positions.
    pub fn new() -> Self {
        Positions { axes: [Lanes::of(0.0); 3], count: 0, farthest: [0.0; 3] }
    }

    /// Sets the number of lanes. In new positions, all lanes have the origin.
    pub fn repeat(&mut self, lanes: usize) {
        self.count = lanes.min(LANES);
    }

    /// Sets the positions; those beyond the number of lanes in a block are ignored.
    pub fn set(&mut self, positions: &[[f64; 3]]) {
        (self.count, self.farthest) = (positions.len().min(LANES), [0.0; 3]);
        for (lane, position) in positions.iter().take(LANES).enumerate() {
            for axis in 0..3 {
                self.axes[axis][lane] = position[axis];
                let far = position[axis].abs();
                self.farthest[axis] = if far > self.farthest[axis] { far } else { self.farthest[axis] };
            }
        }
    }

    pub fn get(&self, lane: usize) -> [f64; 3] {
        [self.axes[0][lane], self.axes[1][lane], self.axes[2][lane]]
    }
}

/// Largest magnitude of an offset and of a product. So a sum of four stays below 2⁵¹. There an f64 still resolves a quarter of a
/// cell, and adding 1.5 · 2⁵² rounds it to an integer.
const LARGEST: f64 = 562_949_953_421_312.0; // 2⁴⁹
/// Sums that are closer than this to a change of the 24th bit are left to integers. In units of that bit.
const NEAR: f64 = 1.0 / 16_777_216.0;
/// 1.5 · 2⁵²: after adding a whole number up to 2⁵¹ in magnitude, the lowest 32 bits of the f64 are that number's.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// 1.5 · 2²⁸: adding and subtracting it rounds an f64 to 24 bits of fraction. For magnitudes up to 2²⁷.
const GRID: f64 = 402_653_184.0;
/// Half a unit of the 24th bit: 2⁻²⁵.
const HALF: f64 = 1.0 / 33_554_432.0;
/// Cells from the origin up to which the first step is used: beyond, one sum in 32 or more would be repeated.
const QUICK: f64 = 2_097_152.0; // 2²¹
/// Largest error of a sum in one f64, per cell of the sum of its terms' magnitudes: four roundings of 2⁻⁵³.
const LOST: f64 = 1.0 / 2_251_799_813_685_248.0; // 2⁻⁵¹

/// That error without a fused multiply-add. Products are then rounded, too: eight roundings of 2⁻⁵³.
const LOST_UNFUSED: f64 = 1.0 / 1_125_899_906_842_624.0; // 2⁻⁵⁰

/// Lanes per vector of f64.
const WIDTH: usize = 4;

/// One lattice axis as a function of position.
#[derive(Clone, Copy, Debug)]
pub struct LatticeAxis {
    offset: f64,
    /// The offset in two parts, as [`quick`] uses them: whole cells modulo 2³² plus [`WHOLE`], and the fraction minus [`HALF`].
    cells: f64,
    rest: f64,
    /// Cells per world unit along the world axes on which it depends.
    factors: [(usize, f64); 3],
    /// The number of these factors. `None` if the axis repeats, ends or is cut into cells, which is rare and left to integers.
    count: Option<usize>,
    /// Cells per world unit along every world axis.
    linear: [f64; 3],
}

impl LatticeAxis {
    /// The axes of a frame.
    pub fn of_axes(frame: &Frame) -> [LatticeAxis; 3] {
        [0, 1, 2].map(|d| {
            let columns = [frame.linear.x_axis, frame.linear.y_axis, frame.linear.z_axis];
            let axes = (0..3).filter(|&axis| columns[axis][d] != 0.0);
            let offset = fixed(frame.offset[d]);
            let (cells, rest) = (WHOLE + f64::from((offset >> 64) as u32), offset as u64 as f64 / 18_446_744_073_709_551_616.0 - HALF);
            let mut line = LatticeAxis {
                offset: frame.offset[d],
                cells,
                rest,
                factors: [(0, 0.0); 3],
                linear: columns.map(|column| column[d]),
                count: None,
            };
            if frame.quantum.is_none() && frame.address_mode == AddressMode::Unbounded && axes.clone().all(|axis| frame.repeat[axis] == 0.0)
            {
                line.count = Some(axes.clone().count());
                line.factors.iter_mut().zip(axes).for_each(|(factor, axis)| *factor = (axis, columns[axis][d]));
            }
            line
        })
    }

    /// The cell and the fraction at a position by a sum of one f64, without a fused multiply-add. `None` if the bits might be wrong.
    #[inline(always)]
    fn quick(&self, position: [f64; 3]) -> Option<(u32, f32)> {
        let (mut sum, mut farthest) = (self.rest, 1.0);
        for &(axis, factor) in &self.factors[..self.count?] {
            let product = factor * position[axis];
            sum += product;
            farthest += product.abs();
        }
        self.cut(sum, farthest)
    }

    /// The cell and the fraction at a position, without a loop: world axes that the coordinate does not depend on add zeros.
    #[inline(always)]
    fn quick_of_three(&self, [x, y, z]: &[f64; 3]) -> Option<(u32, f32)> {
        let products = [self.linear[0] * x, self.linear[1] * y, self.linear[2] * z];
        let sum = self.rest + products[0] + products[1] + products[2];
        let farthest = 1.0 + products[0].abs() + products[1].abs() + products[2].abs();
        self.cut(sum, farthest).filter(|_| self.count.is_some())
    }

    /// The cell and the fraction of a sum, given the sum of its terms' magnitudes.
    #[inline(always)]
    fn cut(&self, sum: f64, farthest: f64) -> Option<(u32, f32)> {
        let cut = (sum + GRID) - GRID;
        let whole = cut.floor();
        let sure = farthest < QUICK && (sum - cut).abs() < HALF - farthest * LOST_UNFUSED;
        sure.then(|| ((whole + self.cells).to_bits() as u32, (cut - whole) as f32))
    }

    /// An upper bound for the sum of its products in cells, given the largest magnitude of the positions along each axis.
    #[inline(always)]
    fn farthest(&self, positions: [f64; 3]) -> f64 {
        self.factors.iter().map(|&(axis, factor)| factor.abs() * positions[axis]).sum()
    }
}

/// Runs statements for every axis with an instruction set that has a fused multiply-add, or `others` without one. The oracle uses
/// `others`: it needs 53 bits, which two f64 cannot guarantee.
macro_rules! exactly {
    ($R:ty, $simd:expr, $d:ident in $dimensions:expr, $set:ident => $statements:expr, else $others:expr) => {{
        #[allow(unused_macros, reason = "a target without such an instruction set")]
        macro_rules! with {
            ($level:expr) => {{
                let $set = $level;
                $set.vectorize(
                    #[inline(always)]
                    || {
                        for $d in 0..$dimensions {
                            $statements
                        }
                    },
                )
            }};
        }
        match $simd.whole().level().filter(|_| size_of::<$R>() == 4) {
            #[cfg(target_arch = "x86_64")]
            Some(Level::Avx512(level)) => with!(level),
            #[cfg(target_arch = "x86_64")]
            Some(Level::Avx2(level)) => with!(level),
            #[cfg(target_arch = "aarch64")]
            Some(Level::Neon(level)) => with!(level),
            _ => (0..$dimensions).for_each(|$d| $others),
        }
    }};
}

/// The lattice axes of all frames.
pub struct Lines {
    pub of_frames: Vec<[LatticeAxis; 3]>,
    /// The same by axis, with neighbouring frames adjacent.
    abreast: [Axis; 3],
}

/// One axis of all frames. Zeros follow the last frame, to fill a vector.
struct Axis {
    cells: Vec<f64>,
    /// Not a number if integers must decide.
    rest: Vec<f64>,
    factors: [Vec<f64>; 3],
}

impl Axis {
    /// The terms of a position's coordinates in the frames from this one on.
    #[inline(always)]
    fn terms<S: Simd>(&self, set: S, first: usize, position: [f64; 3]) -> Terms<S, 3> {
        let (splat, zero) = (|x: f64| f64x4::splat(set, x), f64x4::splat(set, 0.0));
        let (mut products, mut farthest) = ([[zero; 2]; 3], splat(1.0));
        for axis in 0..3 {
            let factor = f64x4::from_slice(set, &self.factors[axis][first..first + WIDTH]);
            products[axis] = [factor, splat(position[axis])];
            farthest = factor.abs().mul_add(splat(position[axis].abs()), farthest);
        }
        let from = |numbers: &[f64]| f64x4::from_slice(set, &numbers[first..first + WIDTH]);
        Terms { cells: from(&self.cells), rest: from(&self.rest), products, sure: splat(HALF) - farthest * splat(LOST) }
    }
}

impl Lines {
    pub fn new(frames: &[Frame]) -> Self {
        let of_frames: Vec<[LatticeAxis; 3]> = frames.iter().map(LatticeAxis::of_axes).collect();
        let abreast = [0, 1, 2].map(|d| {
            let followed = |number: &dyn Fn(usize) -> f64| (0..of_frames.len()).map(number).chain([0.0; CHUNK]).collect();
            Axis {
                cells: followed(&|frame| of_frames[frame][d].cells),
                rest: followed(&|frame| if of_frames[frame][d].count.is_some() { of_frames[frame][d].rest } else { f64::NAN }),
                factors: [0, 1, 2].map(|axis| followed(&|frame| frames[frame].linear.col(axis)[d])),
            }
        });
        Lines { of_frames, abreast }
    }

    /// The coordinate of one position in a frame along an axis: cell and fraction.
    #[inline(always)]
    pub fn one<R: Real>(&self, frame: usize, frames: &[Frame], d: usize, position: &[f64; 3]) -> (u32, R) {
        match self.of_frames[frame][d].quick_of_three(position) {
            Some((cell, fraction)) => (cell, R::exactly(fraction)),
            None => in_integers(&frames[frame], d, *position),
        }
    }

    /// Sets the offset of a frame that a call has moved.
    pub fn set(&mut self, index: usize, frame: &Frame) {
        self.of_frames[index] = LatticeAxis::of_axes(frame);
        for (axis, line) in self.abreast.iter_mut().zip(&self.of_frames[index]) {
            axis.cells[index] = line.cells;
            axis.rest[index] = if line.count.is_some() { line.rest } else { f64::NAN };
        }
    }
}

/// Neighbouring frames, also given as lines; `first` is the index of the first.
#[derive(Clone, Copy)]
pub struct NeighbourFrames<'a> {
    pub frames: &'a [Frame],
    pub lines: &'a Lines,
    pub first: usize,
}

impl NeighbourFrames<'_> {
    /// Computes one position's coordinates along their first `dimensions` axes: a lane for each frame.
    pub fn fill<R: Real>(self, simd: Dispatch, dimensions: usize, position: [f64; 3], coordinates: &mut LatticeCoordinates<R>) {
        let NeighbourFrames { frames, lines, first } = self;
        let count = frames.len();
        exactly!(R, simd, d in dimensions, set => {
            let (axis, mut out) = (&lines.abreast[d], coordinates.axis(d));
            for lane in (0..count).step_by(2 * WIDTH) {
                let (low, high) = (axis.terms(set, first + lane, position), axis.terms(set, first + lane + WIDTH, position));
                let doubtful = quick(set, low, high, lane, &mut out);
                if doubtful != 0 {
                    (lane..count.min(lane + 2 * WIDTH))
                        .filter(|i| doubtful >> (i - lane) & 1 != 0)
                        .for_each(|lane| one(&frames[lane], d, position, lane, &mut out));
                }
            }
        }, else (0..count).for_each(|lane| {
            unfused(&lines.of_frames[first + lane][d], &frames[lane], d, position, lane, &mut coordinates.axis(d));
        }));
    }
}

/// Computes one coordinate without a fused multiply-add. The oracle needs 53 bits, which one f64 cannot guarantee.
#[inline(always)]
fn unfused<R: Real>(line: &LatticeAxis, frame: &Frame, d: usize, position: [f64; 3], lane: usize, out: &mut AxisCoordinates<'_, R>) {
    match if size_of::<R>() == 4 { line.quick(position) } else { None } {
        Some((cell, fraction)) => (out.cell[lane], out.fraction[lane]) = (cell, R::exactly(fraction)),
        None => one(frame, d, position, lane, out),
    }
}

/// One coordinate in integers: its cell and its fraction.
#[inline(never)]
fn in_integers<R: Real>(frame: &Frame, d: usize, position: [f64; 3]) -> (u32, R) {
    let exact = frame.coordinate(d, position);
    ((exact >> 64) as u32, R::fraction((exact >> 32) as u32, exact as u32))
}

/// Computes one coordinate in integers.
#[inline(never)]
fn one<R: Real>(frame: &Frame, d: usize, position: [f64; 3], lane: usize, out: &mut AxisCoordinates<'_, R>) {
    out.set(lane, frame.coordinate(d, position));
}

/// The terms of the coordinates of some lanes.
struct Terms<S: Simd, const TERMS: usize> {
    /// As in [`LatticeAxis`].
    cells: f64x4<S>,
    rest: f64x4<S>,
    products: [[f64x4<S>; 2]; TERMS],
    /// The largest distance of a sum from the middle between two changes of the 24th bit.
    sure: f64x4<S>,
}

// Functions rather than closures, which would be compiled without vector instructions if they are not inlined.
impl<S: Simd, const TERMS: usize> Terms<S, TERMS> {
    /// Cells, fractions, and a bit for each lane that may be wrong.
    #[inline(always)]
    fn sums(self, set: S) -> (f64x4<S>, f64x4<S>, u64) {
        let (grid, mut sum) = (f64x4::splat(set, GRID), self.rest);
        for i in 0..TERMS {
            let [factor, x] = self.products[i];
            sum = factor.mul_add(x, sum);
        }
        // Rounding to nearest equals the integers' truncation, since half a unit was subtracted before.
        let cut = (sum + grid) - grid;
        let whole = cut.floor();
        (whole + self.cells, cut - whole, (!(sum - cut).abs().simd_lt(self.sure)).to_bitmask())
    }
}

/// Computes `2 · WIDTH` lanes as sums of one f64. Returns a bit for each lane that may be wrong.
#[inline(always)]
fn quick<S: Simd, R: Real, const TERMS: usize>(
    set: S,
    low: Terms<S, TERMS>,
    high: Terms<S, TERMS>,
    first: usize,
    out: &mut AxisCoordinates<'_, R>,
) -> u64 {
    let (low, high) = (low.sums(set), high.sums(set));
    let cells = low.0.bitcast::<u32x8<S>>().unzip_low(high.0.bitcast::<u32x8<S>>());
    cells.store_slice(&mut out.cell[first..first + 2 * WIDTH]);
    let fractions = <[f32; 2 * WIDTH]>::from(low.1.narrow(high.1));
    for lane in 0..2 * WIDTH {
        out.fraction[first + lane] = R::exactly(fractions[lane]);
    }
    low.2 | high.2 << WIDTH
}

/// Positions in a frame, which is also given as lines.
#[derive(Clone, Copy)]
pub struct FramedPositions<'a> {
    pub frame: &'a Frame,
    pub lines: &'a [LatticeAxis; 3],
    pub positions: &'a Positions,
}

impl FramedPositions<'_> {
    /// Computes the positions' coordinates along the first `dimensions` axes of the frame.
    pub fn fill<R: Real>(self, simd: Dispatch, dimensions: usize, coordinates: &mut LatticeCoordinates<R>) {
        let count = self.positions.count.min(LANES);
        exactly!(R, simd, d in dimensions, set => {
            let mut out = coordinates.axis(d);
            match self.lines[d].count {
                Some(0 | 1) => self.in_registers::<_, R, 1>(set, d, count, &mut out),
                Some(2) => self.in_registers::<_, R, 2>(set, d, count, &mut out),
                Some(_) => self.in_registers::<_, R, 3>(set, d, count, &mut out),
                None => self.in_integers(d, 0..count, &mut out),
            }
        }, else {
            let mut out = coordinates.axis(d);
            (0..count).for_each(|lane| unfused(&self.lines[d], self.frame, d, self.positions.get(lane), lane, &mut out));
        });
    }

    #[inline(always)]
    fn in_integers<R: Real>(self, d: usize, lanes: impl Iterator<Item = usize>, out: &mut AxisCoordinates<'_, R>) {
        lanes.for_each(|lane| one(self.frame, d, self.positions.get(lane), lane, out));
    }

    /// Computes the first `count` lanes, in whole vectors.
    #[inline(always)]
    fn in_registers<S: Simd, R: Real, const TERMS: usize>(self, set: S, d: usize, count: usize, out: &mut AxisCoordinates<'_, R>) {
        let doubtful = self.quickly::<_, R, TERMS>(set, d, count, out);
        for first in (0..count).step_by(WIDTH).filter(|first| doubtful >> (first / (2 * WIDTH)) & 1 != 0) {
            let doubtful = self.careful::<_, R, TERMS>(set, d, first, out);
            if doubtful != 0 {
                self.in_integers(d, (first..first + WIDTH).filter(|lane| doubtful >> (lane - first) & 1 != 0), out);
            }
        }
    }

    /// Computes the first `count` lanes as sums of one f64. Returns a bit for every eight lanes, set if any of them may be wrong.
    #[inline(always)]
    fn quickly<S: Simd, R: Real, const TERMS: usize>(self, set: S, d: usize, count: usize, out: &mut AxisCoordinates<'_, R>) -> u64 {
        let line = &self.lines[d];
        let farthest = line.farthest(self.positions.farthest);
        if farthest >= QUICK || farthest.is_nan() {
            return u64::MAX;
        }
        let splat = |x: f64| f64x4::splat(set, x);
        let (cells, rest, sure) = (splat(line.cells), splat(line.rest), splat(HALF - (farthest + 1.0) * LOST));
        let (mut factors, mut positions) = ([splat(0.0); TERMS], [&self.positions.axes[0]; TERMS]);
        for i in 0..TERMS {
            let (axis, factor) = line.factors[i];
            (factors[i], positions[i]) = (splat(factor), &self.positions.axes[axis]);
        }
        let mut doubtful = 0;
        for eight in 0..count.div_ceil(2 * WIDTH).min(LANES / (2 * WIDTH)) {
            let first = eight * 2 * WIDTH;
            let mut products = [[[cells; 2]; TERMS]; 2];
            for i in 0..TERMS {
                products[0][i] = [factors[i], f64x4::from_slice(set, &positions[i][first..first + WIDTH])];
                products[1][i] = [factors[i], f64x4::from_slice(set, &positions[i][first + WIDTH..first + 2 * WIDTH])];
            }
            let [low, high] = products;
            let terms = (Terms { cells, rest, products: low, sure }, Terms { cells, rest, products: high, sure });
            doubtful |= u64::from(quick(set, terms.0, terms.1, first, out) != 0) << eight;
        }
        doubtful
    }

    /// Computes the lanes from this one on as sums of two f64. Returns a bit for each lane that is left to integers.
    #[inline(always)]
    fn careful<S: Simd, R: Real, const TERMS: usize>(self, set: S, d: usize, first: usize, out: &mut AxisCoordinates<'_, R>) -> u64 {
        let splat = |x: f64| f64x4::splat(set, x);
        let LatticeAxis { offset, factors, .. } = self.lines[d];
        let (mut sum, mut rest, mut left_out, mut largest) = (splat(offset), splat(0.0), splat(0.0), splat(offset.abs()));
        for &(axis, factor) in &factors[..TERMS] {
            let factor = splat(factor);
            let positions = f64x4::from_slice(set, &self.positions.axes[axis][first..first + WIDTH]);
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
        // The low words of these sums, those of the cells first.
        let words = |number: f64x4<S>| (number + splat(WHOLE)).bitcast::<u32x8<S>>();
        let words = <[u32; 2 * WIDTH]>::from(words(whole + carry).unzip_low(words(bits)));
        out.cell[first..first + WIDTH].copy_from_slice(&words[..WIDTH]);
        for (fraction, &bits) in out.fraction[first..first + WIDTH].iter_mut().zip(&words[WIDTH..]) {
            *fraction = R::fraction(bits << 8, 0);
        }
        // A sum without rounding errors is exact up to the rounding to 2⁻⁶⁴, which does not change whole bits.
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

    const SCALES: [f64; 11] = [0.0, 1e-300, 1e-18, 1e-9, 1.0, 100.0, 1e4, 1e6, 1e9, 1e12, 9e15];

    /// Frames of all kinds.
    fn frames() -> [Frame; 8] {
        let still = |linear, offset| Frame {
            linear,
            offset,
            local: DMat3::IDENTITY,
            quantum: None,
            repeat: DVec3::ZERO,
            period: [0; 4],
            seed: 0,
            address_mode: AddressMode::Unbounded,
        };
        let turned = DMat3::from_cols(DVec3::new(0.01, 0.02, -0.3), DVec3::new(0.013, -0.7, 0.02), DVec3::new(1e-9, 3.0, 0.11));
        [
            still(turned, DVec3::new(0.1, -7e5, 3e8)),
            // Frames whose sums are whole numbers, or nearly.
            still(DMat3::from_diagonal(DVec3::new(0.01, 0.25, 1.0)), DVec3::ZERO),
            still(DMat3::from_diagonal(DVec3::new(1.0 / 3.0, 1e-12, 0.0)), DVec3::new(-1e-20, 1e-25, 1e20)),
            still(DMat3::from_diagonal(DVec3::new(1024.0, 1e9, 0.1)), DVec3::new(0.5, 0.5, 1e15)),
            Frame { repeat: DVec3::new(100.0, 0.0, 0.0), ..still(DMat3::from_diagonal(DVec3::splat(0.01)), DVec3::splat(0.3)) },
            Frame { address_mode: AddressMode::Clamped, ..still(turned, DVec3::splat(0.3)) },
            Frame { address_mode: AddressMode::Wrapped([5, 12, 1]), ..still(turned, DVec3::splat(0.3)) },
            Frame { quantum: Some(DVec3::splat(7.0)), ..still(turned, DVec3::splat(0.3)) },
        ]
    }

    /// Positions up to this magnitude, whole numbers or not.
    fn positions(scale: f64, whole: bool, salt: usize) -> Vec<[f64; 3]> {
        let at = |axis: usize, lane: usize| {
            let x = scale * (2.0 * random(lane as u64, axis as u64 + 10 * salt as u64) - 1.0);
            if whole { x.round() } else { x }
        };
        (0..LANES).map(|lane| [0, 1, 2].map(|axis| at(axis, lane))).collect()
    }

    /// This machine's instruction set, and one without a fused multiply-add.
    fn levels() -> [Level; 2] {
        [Level::new(), Level::baseline()]
    }

    /// The cell and the fraction in f32.
    fn exact(frame: &Frame, d: usize, position: [f64; 3]) -> (u32, f32) {
        let exact = frame.coordinate(d, position);
        ((exact >> 64) as u32, f32::fraction((exact >> 32) as u32, exact as u32))
    }

    #[test]
    fn frames_abreast_have_the_bits_of_integers() {
        // Twice, so that there are more than one vector's.
        let frames = frames().repeat(2);
        let (lines, mut cells) = (Lines::new(&frames), LatticeCoordinates::<f32>::new());
        for (salt, (scale, level)) in SCALES.into_iter().flat_map(|scale| levels().map(|level| (scale, level))).enumerate() {
            let simd = Dispatch::new(level);
            for whole in [false, true] {
                for position in positions(scale, whole, salt) {
                    NeighbourFrames { frames: &frames[1..], lines: &lines, first: 1 }.fill(simd, 3, position, &mut cells);
                    for (lane, frame) in frames[1..].iter().enumerate() {
                        for d in 0..3 {
                            let found = (cells.cell[d][lane], cells.fraction[d][lane]);
                            assert_eq!(found, exact(frame, d, position), "lane {lane}, axis {d}, {position:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn registers_have_the_bits_of_integers() {
        let (mut doubtful, mut all) = (0, 0);
        for (number, frame) in frames().iter().enumerate() {
            for scale in SCALES {
                for whole in [false, true] {
                    let list = positions(scale, whole, number);
                    let (mut cells, lines, mut positions) =
                        (LatticeCoordinates::<f32>::new(), LatticeAxis::of_axes(frame), Positions::new());
                    positions.set(&list);
                    for level in levels() {
                        FramedPositions { frame, lines: &lines, positions: &positions }.fill(Dispatch::new(level), 3, &mut cells);
                        for (d, lane) in (0..3).flat_map(|d| (0..LANES).map(move |lane| (d, lane))) {
                            let found = (cells.cell[d][lane], cells.fraction[d][lane]);
                            assert_eq!(found, exact(frame, d, list[lane]), "frame {number}, axis {d}, scale {scale:e}, lane {lane}");
                        }
                    }
                    for d in 0..3 {
                        if number == 0 && (1.0..=1e12).contains(&scale) {
                            let all_of = FramedPositions { frame, lines: &lines, positions: &positions };
                            #[cfg(target_arch = "x86_64")]
                            if let Some(set) = Level::new().as_avx2() {
                                let mut out = cells.axis(d);
                                let vector = |first| set.vectorize(|| all_of.careful::<_, f32, 3>(set, d, first, &mut out));
                                doubtful += (0..LANES).step_by(WIDTH).map(vector).map(u64::count_ones).sum::<u32>() as usize;
                            }
                            all += LANES;
                        }
                    }
                }
            }
        }
        // Otherwise registers would compute nothing.
        assert!(doubtful * 100 < all, "{doubtful} of {all} are left to integers");
    }

    #[test]
    fn near_positions_need_no_integers() {
        let line = &LatticeAxis::of_axes(&frames()[0])[0];
        let near = positions(1e3, false, 0);
        assert!(near.iter().all(|position| line.quick(*position).is_some()));
    }
}
