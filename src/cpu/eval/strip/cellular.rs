//! Cellular noise along rows. The points of a lattice row are hashed once for many rows of samples. The contribution of y and z to
//! a distance is computed once per row. Lattice rows are visited in order of distance, as long as one may contain a relevant
//! point. Samples that may need a point more than a cell away continue like samples without rows.

use super::columns::{FIRST_LANES, SampleColumns};
use super::rows::{BlockRows, LatticeRow};
use crate::cpu::eval::advance::start;
use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::cellular::CellularNumbers;
use crate::cpu::lib::hash::{FACTORS, mix, part};
use crate::cpu::lib::jet;
use crate::cpu::lib::worley::{NearestKeys, SLACK, SQUARES, Search, from_middle, length_of, random, step};
use crate::cpu::simd::lanes::{Aligned, CHUNK, LANES, Lanes};
use crate::cpu::simd::number::{Bits, Number, max};
use crate::cpu::simd::real::{BitsOf, width};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, unrolled, vectorised};
use crate::program::WorleyShape;

/// Most columns of a block: one for each sample, and one on either side.
const COLUMNS: usize = LANES;

/// A number for each column, with padding that is read and not used.
type CellularColumns<R> = Aligned<R, { COLUMNS + 2 * CHUNK }>;

/// The points of a lattice row: the row's index, the points' places in their cells, and the contribution of y and z to the squared
/// distance.
struct PointLine<R> {
    at: Option<[u32; 2]>,
    points: [CellularColumns<R>; 3],
    rest: CellularColumns<R>,
}

/// Data that the blocks of a strip of rows share in one frame.
pub struct CellularStrip<R> {
    /// The index along x of the first sample.
    first: Option<u32>,
    /// The lattice coordinate of the first column, one cell before that of the first sample.
    lowest: u32,
    columns: SampleColumns,
    cell: Lanes<u32>,
    fraction: Lanes<R>,
    /// The offset of each sample from the middle of its cell along x.
    at: Lanes<R>,
    lines: Box<[PointLine<R>]>,
}

/// The coordinate of a row's samples along y or z.
#[derive(Clone, Copy)]
struct Across<R> {
    cell: u32,
    fraction: R,
    at: R,
}

/// A lattice row near a row of samples: the slot of its points, and a lower bound for the contribution of y and z to squared
/// distances.
#[derive(Clone, Copy, Default)]
struct NearRow<R> {
    slot: usize,
    gap: R,
}

impl<R: Real> CellularStrip<R> {
    /// Data for 2 or 3 dimensions.
    pub fn new(dimensions: u32) -> Self {
        let (columns, lanes) = (CellularColumns::of(R::default()), Lanes::of(R::default()));
        let line = || PointLine { at: None, points: [columns; 3], rest: columns };
        CellularStrip {
            first: None,
            lowest: 0,
            columns: SampleColumns::new(),
            cell: Lanes::of(0),
            fraction: lanes,
            at: lanes,
            lines: (0..if dimensions == 2 { 4 } else { 16 }).map(|_| line()).collect(),
        }
    }

    /// Clears the data for another region.
    pub fn forget(&mut self) {
        self.first = None;
    }

    /// Computes everything that depends on x alone.
    #[inline(always)]
    fn along_x<T: Token, const DIMENSIONS: usize>(&mut self, token: T, row: LatticeRow<'_, R>, jitter: R) {
        let first = start(row.grid, 0, row.index);
        let step = R::Vector::splat(token, step::<R, DIMENSIONS>(jitter));
        for_vectors!(R, token, at => {
            let (cells, fraction) = row.lane_offsets.vectors::<R, T>(token, first, at);
            cells.store(&mut self.cell, at);
            fraction.store(&mut self.fraction, at);
            from_middle(fraction, step).store(&mut self.at, at);
        });
        let end = if row.grid.step[0][0] >= 0 { self.cell[0] } else { self.cell[token.lanes() - 1] };
        self.lowest = end.wrapping_sub(1);
        self.columns.set(token, &self.cell.map(|cell| cell.wrapping_sub(end)), 2);
        self.first = Some(row.index[0]);
        for line in &mut self.lines {
            line.at = None;
        }
    }

    /// The coordinate of a row along y or z.
    #[inline(always)]
    fn across<const DIMENSIONS: usize>(row: LatticeRow<'_, R>, d: usize, jitter: R) -> Across<R> {
        let q = start(row.grid, d, row.index);
        let fraction = R::fraction((q >> 32) as u32, q as u32);
        Across { cell: (q >> 64) as u32, fraction, at: from_middle(fraction, step::<R, DIMENSIONS>(jitter)) }
    }

    /// Prepares the points of a lattice row, seen from a row at these offsets. Returns the slot.
    #[inline(always)]
    fn line<T: Token, const DIMENSIONS: usize>(&mut self, token: T, seed: u32, [j, k]: [u32; 2], offsets: [R; 2], step: R) -> usize {
        let slot = (j & 3) as usize + if DIMENSIONS == 3 { 4 * (k & 3) as usize } else { 0 };
        let line = &mut self.lines[slot];
        let width = width::<R, T>(token);
        if line.at != Some([j, k]) {
            line.at = Some([j, k]);
            let rest = part(1, j) ^ seed ^ if DIMENSIONS == 3 { part(2, k) } else { 0 };
            let (rest, step) = (R::Vector::<T>::splat_bits(token, rest), R::Vector::splat(token, step));
            let lanes = R::Vector::<T>::load_bits(token, &FIRST_LANES, 0).plus(R::Vector::<T>::splat_bits(token, self.lowest));
            let mut along = lanes.times(FACTORS[0]);
            for vector in 0..self.columns.used / width {
                let h = mix(along ^ rest);
                along = along.plus(along.constant(FACTORS[0].wrapping_mul(width as u32)));
                unrolled!(axis in 0..DIMENSIONS => {
                    (random::<R::Vector<T>, DIMENSIONS>(h, axis) * step).store(&mut line.points[axis], vector * width);
                });
            }
        }
        let offsets = [R::Vector::splat(token, offsets[0]), R::Vector::splat(token, offsets[1])];
        for vector in 0..self.columns.used / width {
            let y = R::Vector::load(token, &line.points[1], vector * width) - offsets[0];
            let mut rest = y * y;
            if DIMENSIONS == 3 {
                let z = R::Vector::load(token, &line.points[2], vector * width) - offsets[1];
                rest = rest + z * z;
            }
            rest.store(&mut line.rest, vector * width);
        }
        slot
    }

    /// The lattice rows around a row of samples, nearest first.
    #[inline(always)]
    fn nearest_rows<T: Token, const DIMENSIONS: usize>(
        &mut self,
        token: T,
        row: LatticeRow<'_, R>,
        across: [Across<R>; 2],
        jitter: R,
    ) -> [NearRow<R>; 9] {
        let mut all = [NearRow::default(); 9];
        let reach = R::of(0.5) * jitter + R::of(SLACK);
        let depth = i32::from(DIMENSIONS > 2);
        let mut count = 0;
        for z in -depth..=depth {
            for y in -1..=1 {
                let offsets = [across[0].at - R::of_i32(y), across[1].at - R::of_i32(z)];
                let at = [across[0].cell.wrapping_add(y as u32), across[1].cell.wrapping_add(z as u32)];
                let gap = |offset: R| max(offset.abs() - reach, R::default());
                let (along_y, along_z) = (gap(offsets[0]), if DIMENSIONS == 3 { gap(offsets[1]) } else { R::default() });
                let slot = self.line::<T, DIMENSIONS>(token, row.constants.seed, at, offsets, step::<R, DIMENSIONS>(jitter));
                // Insertion sort.
                let near = NearRow { slot, gap: along_y * along_y + along_z * along_z };
                let mut place = count;
                while place > 0 && near.gap < all[place - 1].gap {
                    all[place] = all[place - 1];
                    place -= 1;
                }
                all[place] = near;
                count += 1;
            }
        }
        all
    }

    /// Fills a block with the weighted sum of the distances to the `NEAREST` nearest points.
    #[inline(always)]
    fn fill<T: Token, const DIMENSIONS: usize, const NEAREST: usize>(
        &mut self,
        token: T,
        row: LatticeRow<'_, R>,
        shape: WorleyShape,
        CellularNumbers { jitter, weights }: CellularNumbers<R>,
        out: &mut JetBlock<R>,
    ) {
        if self.first != Some(row.index[0]) {
            self.along_x::<T, DIMENSIONS>(token, row, jitter);
        }
        let y = Self::across::<DIMENSIONS>(row, 1, jitter);
        let z = if DIMENSIONS == 3 { Self::across::<DIMENSIONS>(row, 2, jitter) } else { y };
        let near = self.nearest_rows::<T, DIMENSIONS>(token, row, [y, z], jitter);
        let lines = near.map(|near| &self.lines[near.slot]);
        let splat = |x: R| R::Vector::splat(token, x);
        let rest = if DIMENSIONS == 3 { max(y.at.abs(), z.at.abs()) } else { y.at.abs() };
        let (rest, reach, one, two) = (splat(rest), splat(R::of(0.5) * jitter + R::of(SLACK)), splat(R::of(1.0)), splat(R::of(2.0)));
        for_vectors!(R, token, at => {
            let x = R::Vector::load(token, &self.at, at);
            let steps = [x + one, x, x - one];
            let mut found = NearestKeys::<R::Vector<T>, NEAREST, false>::none(x);
            let above = self.columns.above::<R, T>(token, at);
            macro_rules! visit {
                ($numbers:ident, $more:ident => $look:expr) => {
                    for (i, near) in near[..if DIMENSIONS == 2 { 3 } else { 9 }].iter().enumerate() {
                        if i > 0 && !BitsOf::<R, T>::any(splat(near.gap).less_than(found.key[NEAREST - 1])) {
                            break;
                        }
                        let line = lines[i];
                        unrolled!($more in 0..3 => {
                            let $numbers = &line.points[0];
                            let d = $look - steps[$more];
                            let $numbers = &line.rest;
                            found = found.insert(d * d + $look, 0);
                        });
                    }
                };
            }
            let chunk = at / CHUNK;
            let bases = self.columns.bases(chunk, COLUMNS);
            if self.columns.is_one(chunk) {
                visit!(numbers, more => splat(numbers[bases[0] + more]));
            } else {
                visit!(numbers, more => R::Vector::look_up(token, numbers, [bases[0] + more, bases[1] + more], above));
            }
            // A point two cells away may be nearer.
            let gap = (two - max(x.abs(), rest)) - reach;
            if BitsOf::<R, T>::any((gap * gap).less_than(found.key[NEAREST - 1])) {
                let bits = |x: u32| R::Vector::<T>::splat_bits(token, x);
                let cell = [R::Vector::<T>::load_bits(token, &self.cell, at), bits(y.cell), bits(z.cell)];
                let fraction = [R::Vector::load(token, &self.fraction, at), splat(y.fraction), splat(z.fraction)];
                let search: Search<_, DIMENSIONS, SQUARES, false> = Search::new(cell, fraction, row.constants.key(token), shape, splat(jitter));
                found = search.rings(found);
            }
            let mut total = length_of(shape.metric, found.key[0]) * splat(weights[0]);
            unrolled!(k in 1..NEAREST => {
                total = total + length_of(shape.metric, found.key[k]) * splat(weights[k]);
            });
            out.store::<_, false>(token, row.lane + at, jet::constant(total));
        });
    }
}

/// Fills a block with cellular noise: distances to one or two points, compared by squares.
pub fn block<R: Real>(
    simd: Dispatch,
    rows: BlockRows<'_, R>,
    shape: WorleyShape,
    numbers: CellularNumbers<R>,
    strip: &mut CellularStrip<R>,
    out: &mut JetBlock<R>,
) {
    vectorised!(R, simd, plain: false, wide: true, token => for row in 0..rows.count {
        let row = rows.row(row);
        match (shape.dimensions, shape.nearest) {
            (2, 1) => strip.fill::<_, 2, 1>(token, row, shape, numbers, out),
            (2, _) => strip.fill::<_, 2, 2>(token, row, shape, numbers, out),
            (_, 1) => strip.fill::<_, 3, 1>(token, row, shape, numbers, out),
            _ => strip.fill::<_, 3, 2>(token, row, shape, numbers, out),
        }
    });
}
