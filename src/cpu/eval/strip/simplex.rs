//! Simplex noise along rows: lattice points lie on lines along x, and a sample is in reach of at most one point of each, the nearest. A row
//! adds up the lines that it passes within reach, three or four in 2D, two to six in 3D; points that are no corners contribute 0.

use super::Row;
use super::columns::{Columns, FIRST_LANES, Look};
use crate::cpu::eval::coordinates::start;
use crate::cpu::lib::gradient::{gradient_2, gradient_3};
use crate::cpu::lib::hash::{FACTORS, mix_upper, part};
use crate::cpu::lib::jet::{self, Jet};
use crate::cpu::lib::simplex::{DIRECTIONS_2, DIRECTIONS_3, Offset, in_units, per_three, point, reach};
use crate::cpu::simd::block::{Aligned, Block, CHUNK, LANES, Lanes, for_vectors, width};
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, vectorised};

/// Lines that may be in reach, in 3D.
pub(super) const MOST: usize = 6;
/// Columns that a block may span: as many as it has samples.
const COLUMNS: usize = LANES;

/// A number for every column, and more that are read and not used.
type PerColumn<R> = Aligned<R, { COLUMNS + CHUNK }>;

/// The points of a line: which line, their gradients, and what the row's y and z add to the product of gradient and offset.
struct Line<R> {
    at: Option<[u32; 2]>,
    gradients: [PerColumn<R>; 3],
    rest: PerColumn<R>,
}

/// A line within reach of a row.
#[derive(Clone, Copy)]
pub(super) struct Near<R> {
    /// Which line, and whether its points along x are odd numbers.
    pub at: [u32; 2],
    pub odd: usize,
    /// From the line to the row, and what that leaves of the reach.
    pub offsets: [Offset<R>; 2],
    pub left: R,
}

impl<R> Near<R> {
    /// Where its points are kept: in 3D a layer has at most two lines within reach, three apart.
    fn slot<const N: usize>(&self) -> usize {
        let [j, k] = self.at;
        (if N == 2 { j & 3 } else { (k & 7) * 2 + (j & 1) }) as usize
    }
}

/// The lines within reach of a row, in the order in which corners are added up, and how many.
#[inline(always)]
pub(super) fn near<R: Real, const N: usize>(row: Row<'_, R>) -> ([Near<R>; MOST], usize) {
    let coordinate = |d: usize| {
        let q = start(row.grid, d, row.index);
        ((q >> 64) as u32, R::fraction((q >> 32) as u32, q as u32))
    };
    let zero = R::default();
    let nothing = Offset { along: zero, pull: zero };
    let mut near = [Near { at: [0; 2], odd: 0, offsets: [nothing; 2], left: zero }; MOST];
    let mut count = 0;
    let mut add = |at: [u32; 2], offsets, left| {
        if left > R::default() {
            *near.get_mut(count).expect("invariant: no row has more lines within reach") =
                Near { at, odd: (at[0] & 1) as usize, offsets, left };
            count += 1;
        }
    };
    if N == 2 {
        let (j, y) = coordinate(1);
        for line in [0, 1, -1, 2] {
            let y = Offset::new(1, y - R::of_i32(line));
            add([j.wrapping_add(line as u32), 0], [y, nothing], y.left(reach(zero)));
        }
    } else {
        let ((cj, y), (ck, z)) = (coordinate(1), coordinate(2));
        let ((j, sy, y), (k, sz, z)) = (in_units(cj, y), in_units(ck, z));
        let apart = sz.to_i32() - sy.to_i32();
        for layer in -2..=3 {
            let z = Offset::new(2, z - R::of_i32(layer));
            let left = z.left(reach(zero));
            // The first line of the layer from −1 on.
            let first = (apart + layer + 7) % 3 - 1;
            for line in [first, first + 3] {
                let y = Offset::new(1, y - R::of_i32(line));
                add([j.wrapping_add(line as u32), k.wrapping_add(layer as u32)], [y, z], y.left(left));
            }
        }
    }
    (near, count)
}

/// Of the ends of a sample's cell, the one that is a point of lines of even or of odd points: 0 for the lower one, or 1.
#[inline(always)]
pub(super) fn nearer(cell: u32, odd: usize) -> u32 {
    (cell ^ odd as u32) & 1
}

/// What a line brings to the hashes of its points.
#[inline(always)]
pub(super) fn hash_rest<const N: usize>([j, k]: [u32; 2], seed: u32) -> u32 {
    part(1, j) ^ seed ^ if N == 3 { part(2, k) } else { 0 }
}

/// What the blocks of a strip of rows share in one frame.
pub struct Strip<R> {
    /// The index along x of the first sample.
    first: Option<u32>,
    /// For lines of even and of odd points: the first point, from the nearest points to the samples, and which those are.
    lowest: [u32; 2],
    offset: [Lanes<R>; 2],
    columns: [Columns; 2],
    lines: Box<[Line<R>]>,
}

impl<R: Real> Strip<R> {
    /// In 2 or 3 dimensions.
    pub fn new(dimensions: u32) -> Self {
        let columns = PerColumn::of(R::default());
        let line = || Line { at: None, gradients: [columns; 3], rest: columns };
        Strip {
            first: None,
            lowest: [0; 2],
            offset: [Lanes::of(R::default()); 2],
            columns: [Columns::new(), Columns::new()],
            lines: (0..if dimensions == 2 { 4 } else { 16 }).map(|_| line()).collect(),
        }
    }

    /// Makes room for another region.
    pub fn forget(&mut self) {
        self.first = None;
    }

    /// Everything that depends on x alone.
    #[inline(always)]
    fn along_x<T: Token>(&mut self, token: T, row: Row<'_, R>) {
        let mut cell = Lanes::of(0);
        let mut fractions = Lanes::of(R::default());
        let first = start(row.grid, 0, row.index);
        for_vectors!(R, token, at => {
            let (cells, fraction) = row.ramp.vectors::<R, T>(token, first, at);
            cells.store(&mut cell, at);
            fraction.store(&mut fractions, at);
        });
        for odd in 0..2 {
            let nearest = |lane: usize| cell[lane].wrapping_add(nearer(cell[lane], odd));
            let lowest = if row.grid.step[0][0] >= 0 { nearest(0) } else { nearest(token.lanes() - 1) };
            let mut column = Lanes::of(0);
            for lane in 0..token.lanes() {
                column[lane] = nearest(lane).wrapping_sub(lowest) >> 1;
                self.offset[odd][lane] = fractions[lane] - R::of_i32(nearer(cell[lane], odd) as i32);
            }
            self.columns[odd].set(token, &column, 0);
            self.lowest[odd] = lowest;
        }
        self.first = Some(row.index[0]);
        for line in &mut self.lines {
            line.at = None;
        }
    }

    /// The points of the lines within reach of a row.
    #[inline(always)]
    fn points<T: Token, const N: usize>(&mut self, token: T, row: Row<'_, R>, near: &[Near<R>]) {
        if self.first != Some(row.index[0]) {
            self.along_x(token, row);
        }
        for line in near {
            self.line::<T, N>(token, row.linear.seed, line);
        }
    }

    /// A line's points, and what the row's offsets from it add.
    #[inline(always)]
    fn line<T: Token, const N: usize>(&mut self, token: T, seed: u32, near: &Near<R>) {
        let Near { at, odd, offsets, .. } = *near;
        let (lowest, used) = (self.lowest[odd], self.columns[odd].used);
        let line = &mut self.lines[near.slot::<N>()];
        let width = width::<R, T>(token);
        if line.at != Some(at) {
            line.at = Some(at);
            let rest = R::Vector::<T>::splat_bits(token, hash_rest::<N>(at, seed));
            let lanes = (R::Vector::<T>::load_bits(token, &FIRST_LANES, 0) << 1).plus(R::Vector::<T>::splat_bits(token, lowest));
            let mut along = lanes.times(FACTORS[0]);
            for vector in 0..used / width {
                let h = mix_upper(along ^ rest);
                along = along.plus(along.constant(FACTORS[0].wrapping_mul(2 * width as u32)));
                if N == 2 {
                    let [x, y]: [R::Vector<T>; 2] = gradient_2(h, &DIRECTIONS_2);
                    x.store(&mut line.gradients[0], vector * width);
                    y.store(&mut line.gradients[1], vector * width);
                } else {
                    let g: [R::Vector<T>; 3] = gradient_3(h, &DIRECTIONS_3);
                    for axis in 0..3 {
                        g[axis].store(&mut line.gradients[axis], vector * width);
                    }
                }
            }
        }
        let (y, z) = (R::Vector::splat(token, offsets[0].along), R::Vector::splat(token, offsets[1].along));
        for vector in 0..used / width {
            let g = |axis: usize| R::Vector::load(token, &line.gradients[axis], vector * width);
            let rest = if N == 2 { g(1) * y } else { g(1) * y + g(2) * z };
            rest.store(&mut line.rest, vector * width);
        }
    }

    /// The row's noise, from so many lines. `SIDES`: in 2D, where that is known beforehand, a bit for every line whose points are odd where
    /// those of the first are even.
    #[inline(always)]
    fn sum<T: Token, const G: bool, const N: usize, const M: usize, const L: usize, const SIDES: usize>(
        &self,
        token: T,
        near: &[Near<R>; MOST],
        row: Row<'_, R>,
        out: &mut Block<R>,
    ) {
        let columns = row.linear.splat(token);
        let mut lines = [&self.lines[0]; L];
        for i in 0..L {
            lines[i] = &self.lines[near[i].slot::<N>()];
        }
        let splat = |x: R| R::Vector::splat(token, x);
        let first = if N == 2 { near[0].odd % 2 } else { 0 };
        let (offset, columns_of) = ([&self.offset[first], &self.offset[1 - first]], [&self.columns[first], &self.columns[1 - first]]);
        for_vectors!(R, token, at => {
            let offsets = [R::Vector::load(token, offset[0], at), R::Vector::load(token, offset[1], at)];
            macro_rules! total {
                ($numbers:ident, $odd:ident => $look:expr) => {{
                    let mut total = jet::constant(splat(R::default()));
                    for i in 0..L {
                        let Near { odd, left, offsets: others, .. } = near[i];
                        let $odd = if N == 2 { SIDES >> i & 1 } else { odd % 2 };
                        let zero = splat(R::default());
                        let mut gradient = [zero; 3];
                        for axis in 0..if G { N } else { 1 } {
                            let $numbers = &lines[i].gradients[axis];
                            gradient[axis] = $look;
                        }
                        let $numbers = &lines[i].rest;
                        let rest = $look;
                        let mut along = [Offset { along: zero, pull: zero }; M];
                        for axis in 0..M {
                            along[axis] = Offset { along: zero, pull: splat(others[axis].pull) };
                        }
                        let x = offsets[$odd];
                        let more = point(splat(left), (x, along), gradient, gradient[0] * x + rest);
                        total = if i == 0 { more } else { jet::add(total, more) };
                    }
                    total
                }};
            }
            let noise: Jet<R::Vector<T>> = match [columns_of[0].look(at), columns_of[1].look(at)] {
                [Look::One(one), Look::One(other)] => {
                    let bases = [one % COLUMNS, other % COLUMNS];
                    total!(numbers, side => splat(numbers[bases[side]]))
                }
                looks => {
                    let bases = looks.map(|look| look.near(COLUMNS));
                    let above = [columns_of[0].above::<R, T>(token, at), columns_of[1].above::<R, T>(token, at)];
                    total!(numbers, side => R::Vector::near(token, numbers, bases[side], above[side]))
                }
            };
            out.store::<_, G>(token, row.lane + at, super::world(row.linear.diagonal, &columns, if N == 3 { per_three(noise) } else { noise }));
        });
    }
}

/// Fills a block of simplex noise in `N` dimensions.
pub fn block<R: Real, const G: bool, const N: usize>(simd: Dispatch, row: Row<'_, R>, strip: &mut Strip<R>, out: &mut Block<R>) {
    vectorised!(R, simd, plain: false, wide: true, token => {
        let (near, count) = near::<R, N>(row);
        strip.points::<_, N>(token, row, &near[..count]);
        // In 2D the third corner lies on the line below, on the one above, or on either. In 3D, lines that are missing leave nothing of the
        // reach.
        match (N, count) {
            (2, ..=3) if near[2].odd == near[0].odd => strip.sum::<_, G, N, 1, 3, 0b010>(token, &near, row, out),
            (2, ..=3) => strip.sum::<_, G, N, 1, 3, 0b110>(token, &near, row, out),
            (2, _) => strip.sum::<_, G, N, 1, 4, 0b0110>(token, &near, row, out),
            (_, ..=4) => strip.sum::<_, G, N, 2, 4, 0>(token, &near, row, out),
            (_, 5) => strip.sum::<_, G, N, 2, 5, 0>(token, &near, row, out),
            _ => strip.sum::<_, G, N, 2, MOST, 0>(token, &near, row, out),
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::cpu::eval::strip::simplex::*;

    #[test]
    fn at_most_six_lines_are_within_reach() {
        let mut most = 0;
        for (y, z, apart) in (0..600).flat_map(|y| (0..600).flat_map(move |z| (0..3).map(move |apart| (y, z, apart)))) {
            let (y, z) = (y as f32 / 600.0, z as f32 / 600.0);
            let lines = (-3..=4).flat_map(|layer| (-4..=5).map(move |line: i32| (layer, line)));
            let reached = lines.filter(|&(layer, line)| {
                let left = Offset::new(1, y - line as f32).left(Offset::new(2, z - layer as f32).left(reach(0.0f32)));
                (line - layer - apart).rem_euclid(3) == 0 && left > 0.0
            });
            most = most.max(reached.count());
        }
        assert_eq!(most, MOST);
    }
}
