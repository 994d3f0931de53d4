//! Simplex noise along rows. Lattice points lie on lines along x, and a sample is within reach of at most one point of each line,
//! the nearest. A row sums the lines within its reach: three or four in 2D, two to six in 3D. Points that are not corners
//! contribute 0.

use super::columns::{ChunkRuns, FIRST_LANES, SampleColumns};
use super::rows::{BlockRows, LatticeRow};
use crate::cpu::eval::advance::start;
use crate::cpu::eval::block::JetBlock;
use crate::cpu::lib::hash::{FACTORS, mix_upper, part};
use crate::cpu::lib::jet;
use crate::cpu::lib::simplex::{Offset, gradient_of, in_units, per_three, reach, reached};
use crate::cpu::simd::lanes::{Aligned, CHUNK, CHUNKS, LANES, Lanes};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::{BitsOf, width};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, unrolled, vectorised};

/// Most lines within reach in 3D.
pub(super) const MOST: usize = 6;
/// Most columns of a block: one for each sample.
const COLUMNS: usize = LANES;

/// A number for each column, with padding that is read and not used.
type SimplexColumns<R> = Aligned<R, { COLUMNS + CHUNK }>;

/// The points of a line: the line's coordinates, the points' gradients, and the part of `gradient · offset` from the row's y and
/// z.
struct GradientLine<R> {
    at: Option<[u32; 2]>,
    gradients: [SimplexColumns<R>; 3],
    rest: SimplexColumns<R>,
}

/// A line within reach of a row.
#[derive(Clone, Copy)]
pub(super) struct LineInReach<R> {
    /// The line's coordinates, and 1 if the coordinates of its points along x are odd.
    pub at: [u32; 2],
    pub odd: usize,
    /// The offset from the line to the row, and the reach that remains along x.
    pub offsets: [Offset<R>; 2],
    pub left: R,
}

impl<R> LineInReach<R> {
    /// The slot of its points. In 3D a layer has at most two lines within reach, three apart.
    fn slot<const DIMENSIONS: usize>(&self) -> usize {
        let [j, k] = self.at;
        (if DIMENSIONS == 2 { j & 3 } else { (k & 7) * 2 + (j & 1) }) as usize
    }
}

impl<R: Real> LineInReach<R> {
    /// No line.
    pub fn none() -> Self {
        let zero = R::default();
        LineInReach { at: [0; 2], odd: 0, offsets: [Offset { along: zero, pull: zero }; 2], left: zero }
    }
}

/// The layer along z of each of the twelve candidates among the lines of a 3D lattice: two in each layer from −2 to 3. The last
/// four entries are out of reach.
const LAYERS: [u32; CHUNK] = candidates(None);
/// The candidate's line in its layer, by the difference of the remainders of z and y, from −2 on.
const LINES: [[u32; CHUNK]; 5] =
    [candidates(Some(-2)), candidates(Some(-1)), candidates(Some(0)), candidates(Some(1)), candidates(Some(2))];

const fn candidates(apart: Option<i32>) -> [u32; CHUNK] {
    let mut all = [9; CHUNK];
    let mut i = 0;
    while i < 12 {
        let layer = i / 2 - 2;
        all[i as usize] = match apart {
            None => layer,
            // The first line of the layer from −1 on, and the next one.
            Some(apart) => (apart + layer + 7) % 3 - 1 + i % 2 * 3,
        } as u32;
        i += 1;
    }
    all
}

/// Finds the lines within reach of a row, in the order in which corners are added. Returns their number.
#[inline(always)]
pub(super) fn lines_in_reach<R: Real, T: Token, const DIMENSIONS: usize>(
    token: T,
    row: LatticeRow<'_, R>,
    near: &mut [LineInReach<R>; MOST],
) -> usize {
    let coordinate = |d: usize| {
        let q = start(row.grid, d, row.index);
        ((q >> 64) as u32, R::fraction((q >> 32) as u32, q as u32))
    };
    let mut count = 0;
    let mut add = |at: [u32; 2], offsets, left| {
        *near.get_mut(count).expect("invariant: no row has more lines within reach") =
            LineInReach { at, odd: (at[0] & 1) as usize, offsets, left };
        count += 1;
    };
    let (zero, [_, nothing]) = (R::default(), LineInReach::none().offsets);
    if DIMENSIONS == 2 {
        let (j, y) = coordinate(1);
        for line in [0, 1, -1, 2] {
            let y = Offset::new(1, y - R::of_i32(line));
            let left = y.left(reach(zero));
            if left > zero {
                add([j.wrapping_add(line as u32), 0], [y, nothing], left);
            }
        }
        return count;
    }
    let ((cj, y), (ck, z)) = (coordinate(1), coordinate(2));
    let ((j, sy, y), (k, sz, z)) = (in_units(cj, y), in_units(ck, z));
    let apart = (sz.to_i32() - sy.to_i32() + 2) as usize;
    let lines = LINES.get(apart).expect("invariant: remainders by three differ by two at most");
    let splat = |x: R| R::Vector::splat(token, x);
    let (mut along, mut pull, mut left) = ([[zero; CHUNK]; 2], [[zero; CHUNK]; 2], [zero; CHUNK]);
    let (mut within, width) = (0, width::<R, T>(token));
    for at in (0..CHUNK).step_by(width) {
        let number = |from: &[u32; CHUNK]| R::Vector::<T>::of_signed(R::Vector::<T>::load_bits(token, from, at));
        let (y, z) = (Offset::new(1, splat(y) - number(lines)), Offset::new(2, splat(z) - number(&LAYERS)));
        let rest = y.left(z.left(reach(splat(zero))));
        for (axis, offset) in [y, z].into_iter().enumerate() {
            offset.along.store(&mut along[axis], at);
            offset.pull.store(&mut pull[axis], at);
        }
        rest.store(&mut left, at);
        within |= BitsOf::<R, T>::lanes(splat(zero).less_than(rest)) << at;
    }
    while within != 0 {
        let i = within.trailing_zeros() as usize % CHUNK;
        within &= within - 1;
        let offsets = [0, 1].map(|axis| Offset { along: along[axis][i], pull: pull[axis][i] });
        add([j.wrapping_add(lines[i]), k.wrapping_add(LAYERS[i])], offsets, left[i]);
    }
    count
}

/// The end of a sample's cell that is a point of even or odd lines: 0 for the lower end, 1 for the upper.
#[inline(always)]
pub(super) fn nearer(cell: u32, odd: usize) -> u32 {
    (cell ^ odd as u32) & 1
}

/// The contribution of a line to the hashes of its points.
#[inline(always)]
pub(super) fn hash_rest<const DIMENSIONS: usize>([j, k]: [u32; 2], seed: u32) -> u32 {
    part(1, j) ^ seed ^ if DIMENSIONS == 3 { part(2, k) } else { 0 }
}

/// Data that lines with even points share, or lines with odd points.
struct Side<R> {
    /// The first point.
    lowest: u32,
    /// Offsets from the nearest points to the samples, and their squares.
    offset: Lanes<R>,
    square: Lanes<R>,
    /// The columns of these points.
    columns: SampleColumns,
}

/// Data that the blocks of a strip of rows share in one frame.
pub struct SimplexStrip<R> {
    /// The index along x of the first sample.
    first: Option<u32>,
    sides: [Side<R>; 2],
    runs: ChunkRuns,
    lines: Box<[GradientLine<R>]>,
}

impl<R: Real> SimplexStrip<R> {
    /// Data for 2 or 3 dimensions.
    pub fn new(dimensions: u32) -> Self {
        let columns = SimplexColumns::of(R::default());
        let line = || GradientLine { at: None, gradients: [columns; 3], rest: columns };
        let lanes = Lanes::of(R::default());
        SimplexStrip {
            first: None,
            sides: [0; 2].map(|lowest| Side { lowest, offset: lanes, square: lanes, columns: SampleColumns::new() }),
            runs: ChunkRuns::new(),
            lines: (0..if dimensions == 2 { 4 } else { 16 }).map(|_| line()).collect(),
        }
    }

    /// Clears the data for another region.
    pub fn forget(&mut self) {
        self.first = None;
    }

    /// Computes everything that depends on x alone.
    #[inline(always)]
    fn along_x<T: Token>(&mut self, token: T, row: LatticeRow<'_, R>) {
        let first = start(row.grid, 0, row.index);
        let place = |at: usize| row.lane_offsets.vectors::<R, T>(token, first, at);
        let (mut ends, width) = ([0; CHUNK], width::<R, T>(token));
        let (at, end) = if row.grid.step[0][0] >= 0 { (0, 0) } else { (token.lanes() - width, width - 1) };
        place(at).0.store(&mut ends, 0);
        let end = ends[end];
        for (odd, side) in self.sides.iter_mut().enumerate() {
            side.lowest = end.wrapping_add(nearer(end, odd));
            let lowest = R::Vector::<T>::splat_bits(token, side.lowest);
            let mut column = Lanes::of(0);
            for_vectors!(R, token, at => {
                let (cell, fraction) = place(at);
                let one = cell.constant(1);
                let nearer = (cell ^ cell.constant(odd as u32)) & one;
                ((cell.plus(nearer).minus(lowest)) >> 1).store(&mut column, at);
                let offset = fraction - R::Vector::<T>::of_signed(nearer);
                offset.store(&mut side.offset, at);
                (offset * offset).store(&mut side.square, at);
            });
            side.columns.set(token, &column, 0);
        }
        let sides = &self.sides;
        self.runs.set(token.lanes() / CHUNK, |chunk| sides.iter().all(|side| side.columns.is_one(chunk)));
        self.first = Some(row.index[0]);
        for line in &mut self.lines {
            line.at = None;
        }
    }

    /// Prepares the points of the lines within reach of a row.
    #[inline(always)]
    fn points<T: Token, const DIMENSIONS: usize>(&mut self, token: T, row: LatticeRow<'_, R>, near: &[LineInReach<R>]) {
        if self.first != Some(row.index[0]) {
            self.along_x(token, row);
        }
        for line in near {
            self.line::<T, DIMENSIONS>(token, row, line);
        }
    }

    /// Prepares a line's points, and the contribution of the row's offsets from the line.
    #[inline(always)]
    fn line<T: Token, const DIMENSIONS: usize>(&mut self, token: T, row: LatticeRow<'_, R>, near: &LineInReach<R>) {
        let LineInReach { at, odd, offsets, .. } = *near;
        let Side { lowest, columns: SampleColumns { used, .. }, .. } = self.sides[odd % 2];
        let line = &mut self.lines[near.slot::<DIMENSIONS>()];
        let width = width::<R, T>(token);
        if line.at != Some(at) {
            line.at = Some(at);
            let rest = R::Vector::<T>::splat_bits(token, hash_rest::<DIMENSIONS>(at, row.constants.seed));
            let turn = row.splat_turn(token);
            let lanes = (R::Vector::<T>::load_bits(token, &FIRST_LANES, 0) << 1).plus(R::Vector::<T>::splat_bits(token, lowest));
            let mut along = lanes.times(FACTORS[0]);
            for vector in 0..used / width {
                let h = mix_upper(along ^ rest);
                along = along.plus(along.constant(FACTORS[0].wrapping_mul(2 * width as u32)));
                let g: [R::Vector<T>; 3] = match turn {
                    Some(turn) => turn.simplex::<DIMENSIONS>(h),
                    None => gradient_of::<_, DIMENSIONS>(h),
                };
                unrolled!(axis in 0..DIMENSIONS => {
                    g[axis].store(&mut line.gradients[axis], vector * width);
                });
            }
        }
        let (y, z) = (R::Vector::splat(token, offsets[0].along), R::Vector::splat(token, offsets[1].along));
        for vector in 0..used / width {
            let g = |axis: usize| R::Vector::load(token, &line.gradients[axis], vector * width);
            let rest = if DIMENSIONS == 2 { g(1) * y } else { g(1) * y + g(2) * z };
            rest.store(&mut line.rest, vector * width);
        }
    }

    /// The row's noise from this number of lines. `ODD_LINES` is used in 2D, where it is known beforehand. It has a bit for every
    /// line whose points are odd if those of the first line are even.
    #[inline(always)]
    fn sum<T: Token, const GRADIENT: bool, const DIMENSIONS: usize, const ACROSS: usize, const COUNT: usize, const ODD_LINES: usize>(
        &self,
        token: T,
        near: &[LineInReach<R>; MOST],
        row: LatticeRow<'_, R>,
        out: &mut JetBlock<R>,
    ) {
        let world = row.constants.splat(token);
        let splat = |x: R| R::Vector::splat(token, x);
        let zero = splat(R::default());
        let first = if DIMENSIONS == 2 { near[0].odd % 2 } else { 0 };
        let (mut lines, mut sides) = ([&self.lines[0]; COUNT], [&self.sides[0]; COUNT]);
        for i in 0..COUNT {
            lines[i] = &self.lines[near[i].slot::<DIMENSIONS>()];
            sides[i] = &self.sides[if DIMENSIONS == 2 { first ^ (ODD_LINES >> i & 1) } else { near[i].odd % 2 }];
        }
        macro_rules! chunk {
            ($chunk:ident, $line:ident, $side:ident => $look:expr) => {
                for part in 0..CHUNK / width::<R, T>(token) {
                    let at = $chunk % CHUNKS * CHUNK + part * width::<R, T>(token);
                    let mut total = jet::constant(zero);
                    for i in 0..COUNT {
                        let ($line, $side) = (lines[i], sides[i]);
                        let LineInReach { left, offsets: others, .. } = near[i];
                        let mut gradient = [zero; 3];
                        let look = $look;
                        for axis in 0..if GRADIENT { DIMENSIONS } else { 1 } {
                            gradient[axis] = look(&$line.gradients[axis], at);
                        }
                        let mut along = [Offset { along: zero, pull: zero }; ACROSS];
                        for axis in 0..ACROSS {
                            along[axis] = Offset { along: zero, pull: splat(others[axis].pull) };
                        }
                        let x = R::Vector::load(token, &$side.offset, at);
                        let slope = gradient[0] * x + look(&$line.rest, at);
                        let more = reached::<_, ACROSS, GRADIENT>(
                            splat(left) - R::Vector::load(token, &$side.square, at),
                            (x, along),
                            gradient,
                            slope,
                        );
                        total = if i == 0 { more } else { jet::add(total, more) };
                    }
                    let noise = if GRADIENT && DIMENSIONS == 3 { per_three(total) } else { total };
                    row.store::<_, GRADIENT, DIMENSIONS>(token, at, &world, noise, out);
                }
            };
        }
        for run in self.runs.all() {
            if run.one {
                for chunk in run.first..run.end {
                    chunk!(chunk, line, side => {
                        let [base, _] = side.columns.bases(chunk, COLUMNS);
                        #[inline(always)]
                        move |numbers: &SimplexColumns<R>, _at: usize| splat(numbers[base])
                    });
                }
            } else {
                for chunk in run.first..run.end {
                    chunk!(chunk, line, side => {
                        let bases = side.columns.bases(chunk, COLUMNS);
                        #[inline(always)]
                        move |numbers: &SimplexColumns<R>, at: usize| {
                            R::Vector::look_up(token, numbers, bases, side.columns.above::<R, T>(token, at))
                        }
                    });
                }
            }
        }
    }
}

/// Fills a block of simplex noise in `DIMENSIONS` dimensions.
pub fn block<R: Real, const GRADIENT: bool, const DIMENSIONS: usize>(
    simd: Dispatch,
    rows: BlockRows<'_, R>,
    strip: &mut SimplexStrip<R>,
    out: &mut JetBlock<R>,
) {
    vectorised!(R, simd, plain: false, wide: true, token => for row in 0..rows.count {
        let (row, mut near) = (rows.row(row), [LineInReach::none(); MOST]);
        let count = lines_in_reach::<R, _, DIMENSIONS>(token, row, &mut near);
        strip.points::<_, DIMENSIONS>(token, row, &near[..count]);
        // In 2D the third corner lies on the line below, on the one above, or on either. In 3D a missing line has no reach left.
        match (DIMENSIONS, count) {
            (2, ..=3) if near[2].odd == near[0].odd => strip.sum::<_, GRADIENT, DIMENSIONS, 1, 3, 0b010>(token, &near, row, out),
            (2, ..=3) => strip.sum::<_, GRADIENT, DIMENSIONS, 1, 3, 0b110>(token, &near, row, out),
            (2, _) => strip.sum::<_, GRADIENT, DIMENSIONS, 1, 4, 0b0110>(token, &near, row, out),
            (_, ..=4) => strip.sum::<_, GRADIENT, DIMENSIONS, 2, 4, 0>(token, &near, row, out),
            (_, 5) => strip.sum::<_, GRADIENT, DIMENSIONS, 2, 5, 0>(token, &near, row, out),
            _ => strip.sum::<_, GRADIENT, DIMENSIONS, 2, MOST, 0>(token, &near, row, out),
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
