//! Lattices that are finer than the samples: neither neighbours nor rows share lattice points. The shared values are stored. Along
//! x these are fractions, weights, and the hash contributions of the points on both sides of each sample. Along y and z they are
//! the values of a row.

use super::rows::{BlockRows, LatticeRow};
use super::simplex::{LineInReach, MOST, hash_rest, lines_in_reach, nearer};
use crate::cpu::eval::advance::start;
use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::route::CubicNoise;
use crate::cpu::lib::gradient::{gradient_3, unsigned_2};
use crate::cpu::lib::hash::{fold, mixed, mixed_upper, part};
use crate::cpu::lib::interpolate::{Weight, interpolate};
use crate::cpu::lib::jet;
use crate::cpu::lib::lattice::{Column, column_of, joined, point_of};
use crate::cpu::lib::simplex::{DIRECTIONS_2, DIRECTIONS_3, Offset, per_three, point};
use crate::cpu::simd::lanes::Lanes;
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, unrolled, vectorised};
use crate::program::Interpolation;

/// Data that the blocks of a strip of rows share in one frame.
pub struct DenseStrip<R> {
    /// The index along x of the first sample.
    first: Option<u32>,
    /// Folded hash contributions of the points on both sides of each sample: below and above it, or for simplex noise even and
    /// odd.
    parts: [Lanes<u32>; 2],
    /// Offsets from these points to the sample. For points below and above, only the first is used.
    offsets: [Lanes<R>; 2],
    weight: Lanes<R>,
    slope: Lanes<R>,
}

impl<R: Real> DenseStrip<R> {
    pub fn new() -> Self {
        let lanes = Lanes::of(R::default());
        DenseStrip { first: None, parts: [Lanes::of(0); 2], offsets: [lanes; 2], weight: lanes, slope: lanes }
    }

    /// Clears the data for another region.
    pub fn forget(&mut self) {
        self.first = None;
    }

    /// Computes everything that depends on x alone, for value and Perlin noise.
    #[inline(always)]
    fn along_cubes<T: Token>(&mut self, token: T, row: LatticeRow<'_, R>, kind: Interpolation) {
        if self.first.replace(row.index[0]) == Some(row.index[0]) {
            return;
        }
        let first = start(row.grid, 0, row.index);
        for_vectors!(R, token, at => {
            let (cell, fraction) = row.lane_offsets.vectors::<R, T>(token, first, at);
            fold(part(0, cell)).store(&mut self.parts[0], at);
            fold(part(0, cell.plus(cell.constant(1)))).store(&mut self.parts[1], at);
            fraction.store(&mut self.offsets[0], at);
            let weight = interpolate(kind, fraction);
            weight.u.store(&mut self.weight, at);
            weight.slope.store(&mut self.slope, at);
        });
    }

    /// Computes everything that depends on x alone, for simplex noise.
    #[inline(always)]
    fn along_lines<T: Token>(&mut self, token: T, row: LatticeRow<'_, R>) {
        if self.first.replace(row.index[0]) == Some(row.index[0]) {
            return;
        }
        let (mut cells, mut fractions) = (Lanes::of(0), Lanes::of(R::default()));
        let first = start(row.grid, 0, row.index);
        for_vectors!(R, token, at => {
            let (cell, fraction) = row.lane_offsets.vectors::<R, T>(token, first, at);
            cell.store(&mut cells, at);
            fraction.store(&mut fractions, at);
        });
        for odd in 0..2 {
            for lane in 0..token.lanes() {
                let up = nearer(cells[lane], odd);
                self.parts[odd][lane] = fold(part(0, cells[lane].wrapping_add(up)));
                self.offsets[odd][lane] = fractions[lane] - R::of_i32(up as i32);
            }
        }
    }
}

/// Computes a row of value or Perlin noise.
#[inline(always)]
fn between<R: Real, T: Token, const GRADIENT: bool, const DIMENSIONS: usize, const SLOPED: bool>(
    token: T,
    row: LatticeRow<'_, R>,
    kind: Interpolation,
    strip: &mut DenseStrip<R>,
    out: &mut JetBlock<R>,
) {
    strip.along_cubes(token, row, kind);
    let columns = row.constants.splat(token);
    let zero = R::Vector::splat(token, R::default());
    let mut cell = [0; DIMENSIONS];
    let mut fraction = [zero; DIMENSIONS];
    let mut weights = [Weight { u: zero, slope: zero }; DIMENSIONS];
    unrolled!(d in 1..DIMENSIONS => {
        let q = start(row.grid, d, row.index);
        let below = R::fraction((q >> 32) as u32, q as u32);
        let weight = interpolate(kind, below);
        (cell[d], fraction[d]) = ((q >> 64) as u32, R::Vector::splat(token, below));
        weights[d] = Weight { u: R::Vector::splat(token, weight.u), slope: R::Vector::splat(token, weight.slope) };
    });
    let mut rests = [R::Vector::<T>::splat_bits(token, 0); 4];
    unrolled!(corner in 0..(1 << (DIMENSIONS - 1)) => {
        let along = |d: usize| part(d, cell[d].wrapping_add((corner >> (d - 1) & 1) as u32));
        let mut rest = row.constants.seed;
        unrolled!(d in 1..DIMENSIONS => {
            rest ^= along(d);
        });
        rests[corner] = R::Vector::<T>::splat_bits(token, fold(rest));
    });
    for_vectors!(R, token, at => {
        let mut ends: [Column<R::Vector<T>>; 2] = [[[zero; 2]; 3]; 2];
        for side in 0..2 {
            let along = R::Vector::<T>::load_bits(token, &strip.parts[side], at);
            let mut points = [[zero; 3]; 4];
            unrolled!(corner in 0..(1 << (DIMENSIONS - 1)) => {
                points[corner] = point_of::<R::Vector<T>, DIMENSIONS, SLOPED>(mixed(along ^ rests[corner]));
            });
            ends[side] = column_of::<_, DIMENSIONS, SLOPED, GRADIENT>(points, fraction, weights);
        }
        let lanes = |lanes: &Lanes<R>| R::Vector::load(token, lanes, at);
        let weight = Weight { u: lanes(&strip.weight), slope: lanes(&strip.slope) };
        let noise = joined::<_, DIMENSIONS, SLOPED, GRADIENT>(ends[0], ends[1], lanes(&strip.offsets[0]), weight);
        row.store::<_, GRADIENT, DIMENSIONS>(token, at, &columns, noise, out);
    });
}

/// Fills a block of value or Perlin noise.
pub fn cubic<R: Real, const GRADIENT: bool>(
    simd: Dispatch,
    rows: BlockRows<'_, R>,
    noise: CubicNoise,
    strip: &mut DenseStrip<R>,
    out: &mut JetBlock<R>,
) {
    let kind = noise.interpolation;
    vectorised!(R, simd, plain: false, wide: true, token => for row in 0..rows.count {
        let row = rows.row(row);
        match (noise.dimensions, noise.sloped) {
            (2, false) => between::<R, _, GRADIENT, 2, false>(token, row, kind, strip, out),
            (2, true) => between::<R, _, GRADIENT, 2, true>(token, row, kind, strip, out),
            (_, false) => between::<R, _, GRADIENT, 3, false>(token, row, kind, strip, out),
            (_, true) => between::<R, _, GRADIENT, 3, true>(token, row, kind, strip, out),
        }
    });
}

/// Fills a block of simplex noise in `DIMENSIONS` dimensions.
pub fn simplex<R: Real, const GRADIENT: bool, const DIMENSIONS: usize>(
    simd: Dispatch,
    rows: BlockRows<'_, R>,
    strip: &mut DenseStrip<R>,
    out: &mut JetBlock<R>,
) {
    vectorised!(R, simd, plain: false, wide: true, token => for row in 0..rows.count {
        let (row, mut near) = (rows.row(row), [LineInReach::none(); MOST]);
        strip.along_lines(token, row);
        let count = lines_in_reach::<R, _, DIMENSIONS>(token, row, &mut near);
        // A missing line has no reach left, so it contributes 0.
        match (DIMENSIONS, count) {
            (2, ..=3) => beside::<R, _, GRADIENT, DIMENSIONS, 3>(token, row, &near, strip, out),
            (_, ..=4) => beside::<R, _, GRADIENT, DIMENSIONS, 4>(token, row, &near, strip, out),
            _ => beside::<R, _, GRADIENT, DIMENSIONS, MOST>(token, row, &near, strip, out),
        }
    });
}

/// Computes a row of simplex noise with this number of lines within reach.
#[inline(always)]
fn beside<R: Real, T: Token, const GRADIENT: bool, const DIMENSIONS: usize, const COUNT: usize>(
    token: T,
    row: LatticeRow<'_, R>,
    near: &[LineInReach<R>; MOST],
    strip: &DenseStrip<R>,
    out: &mut JetBlock<R>,
) {
    let columns = row.constants.splat(token);
    let splat = |x: R| R::Vector::splat(token, x);
    let zero = splat(R::default());
    let nothing = Offset { along: zero, pull: zero };
    let mut rests = [R::Vector::<T>::splat_bits(token, 0); COUNT];
    let mut lefts = [zero; COUNT];
    let mut others = [[nothing; 2]; COUNT];
    for i in 0..COUNT {
        let LineInReach { at, offsets, left, .. } = near[i];
        rests[i] = R::Vector::<T>::splat_bits(token, fold(hash_rest::<DIMENSIONS>(at, row.constants.seed)));
        lefts[i] = splat(left);
        unrolled!(axis in 0..(DIMENSIONS - 1) => {
            others[i][axis] = Offset { along: splat(offsets[axis].along), pull: splat(offsets[axis].pull) };
        });
    }
    for_vectors!(R, token, at => {
        let mut noise = jet::constant(zero);
        for i in 0..COUNT {
            let odd = near[i].odd % 2;
            let x = R::Vector::load(token, &strip.offsets[odd], at);
            let h = mixed_upper(R::Vector::<T>::load_bits(token, &strip.parts[odd], at) ^ rests[i]);
            let [y, z] = others[i];
            let more = if DIMENSIONS == 2 {
                let [gx, gy]: [R::Vector<T>; 2] = unsigned_2(h, &DIRECTIONS_2);
                let slope = (gx * x + gy * y.along).xor_sign(h);
                point::<_, 1, GRADIENT>(lefts[i], (x, [y]), [gx.xor_sign(h), gy.xor_sign(h), zero], slope)
            } else {
                let g: [R::Vector<T>; 3] = gradient_3(h, &DIRECTIONS_3);
                point::<_, 2, GRADIENT>(lefts[i], (x, [y, z]), g, g[0] * x + (g[1] * y.along + g[2] * z.along))
            };
            noise = if i == 0 { more } else { jet::add(noise, more) };
        }
        let noise = if GRADIENT && DIMENSIONS == 3 { per_three(noise) } else { noise };
        row.store::<_, GRADIENT, DIMENSIONS>(token, at, &columns, noise, out);
    });
}
