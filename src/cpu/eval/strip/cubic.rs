//! Value and Perlin noise along rows: columns of lattice points are blended along y and z once per row rather than once per
//! sample.

use super::columns::{COLUMNS, ChunkRuns, FIRST_LANES, PerColumn, SampleColumns};
use super::rows::{BlockRows, LatticeRow};
use crate::cpu::eval::advance::start;
use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::route::CubicNoise;
use crate::cpu::lib::interpolate::{Weight, interpolate};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::lattice::{Column, column_of, joined, point_of};
use crate::cpu::simd::lanes::{CHUNK, CHUNKS, Lanes};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::width;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, unrolled, vectorised};
use crate::program::Interpolation;

/// A row of lattice points, and its coordinates along y and z.
struct Points<R> {
    at: Option<[u32; 2]>,
    parts: [PerColumn<R>; 3],
}

/// The number of functions of a column: the value, and with gradients its derivatives along every axis but x.
const fn functions<const GRADIENT: bool>(dimensions: usize) -> usize {
    if GRADIENT { dimensions } else { 1 }
}

/// Data that the blocks of a strip of rows share in one frame.
pub struct CubicStrip<R> {
    /// The index along x of the first sample.
    first: Option<u32>,
    /// Lattice coordinate of the first column.
    lowest: u32,
    columns: SampleColumns,
    runs: ChunkRuns,
    fraction: Lanes<R>,
    weight: Lanes<R>,
    slope: Lanes<R>,
    /// Rows of lattice points, indexed by whether their y and z are odd, so that new rows replace those that were passed.
    points: [Points<R>; 4],
    /// The row's columns: slope and constant of the value, and of its derivatives along y and z.
    slopes: [PerColumn<R>; 3],
    constants: [PerColumn<R>; 3],
}

impl<R: Real> CubicStrip<R> {
    pub fn new() -> Self {
        let (columns, lanes) = (PerColumn::of(R::default()), Lanes::of(R::default()));
        CubicStrip {
            first: None,
            lowest: 0,
            columns: SampleColumns::new(),
            runs: ChunkRuns::new(),
            fraction: lanes,
            weight: lanes,
            slope: lanes,
            points: std::array::from_fn(|_| Points { at: None, parts: [columns; 3] }),
            slopes: [columns; 3],
            constants: [columns; 3],
        }
    }

    /// Clears the data for another region.
    pub fn forget(&mut self) {
        self.first = None;
    }

    /// Computes everything that depends on x alone.
    #[inline(always)]
    fn along_x<T: Token>(&mut self, token: T, row: LatticeRow<'_, R>, kind: Interpolation) {
        let mut cell = Lanes::of(0);
        let first = start(row.grid, 0, row.index);
        for_vectors!(R, token, at => {
            let (cells, fraction) = row.lane_offsets.vectors::<R, T>(token, first, at);
            cells.store(&mut cell, at);
            fraction.store(&mut self.fraction, at);
            let weight = interpolate(kind, fraction);
            weight.u.store(&mut self.weight, at);
            weight.slope.store(&mut self.slope, at);
        });
        let lowest = if row.grid.step[0][0] >= 0 { cell[0] } else { cell[token.lanes() - 1] };
        self.columns.set(token, &cell.map(|cell| cell.wrapping_sub(lowest)), 1);
        let columns = &self.columns;
        self.runs.set(token.lanes() / CHUNK, |chunk| columns.is_one(chunk));
        (self.first, self.lowest) = (Some(row.index[0]), lowest);
        for points in &mut self.points {
            points.at = None;
        }
    }

    /// Computes the row's columns. `SLOPED`: Perlin noise rather than value noise.
    #[inline(always)]
    fn row<T: Token, const DIMENSIONS: usize, const GRADIENT: bool, const SLOPED: bool>(
        &mut self,
        token: T,
        row: LatticeRow<'_, R>,
        kind: Interpolation,
    ) {
        if self.first != Some(row.index[0]) {
            self.along_x(token, row, kind);
        }
        let mut cell = [0; DIMENSIONS];
        let zero = R::Vector::splat(token, R::default());
        let mut fraction = [zero; DIMENSIONS];
        let mut weights = [Weight { u: zero, slope: zero }; DIMENSIONS];
        unrolled!(d in 1..DIMENSIONS => {
            let q = start(row.grid, d, row.index);
            let below = R::fraction((q >> 32) as u32, q as u32);
            let weight = interpolate(kind, below);
            (cell[d], fraction[d]) = ((q >> 64) as u32, R::Vector::splat(token, below));
            weights[d] = Weight { u: R::Vector::splat(token, weight.u), slope: R::Vector::splat(token, weight.slope) };
        });
        let mut slots = [0; 4];
        for corner in 0..1 << (DIMENSIONS - 1) {
            let mut at = [0; 2];
            unrolled!(d in 1..DIMENSIONS => at[d - 1] = cell[d].wrapping_add(corner >> (d - 1) & 1));
            let slot = (at[0] & 1 | (at[1] & 1) << 1) as usize;
            slots[corner as usize] = slot;
            if self.points[slot].at != Some(at) {
                self.points::<T, DIMENSIONS, SLOPED>(token, slot, at, row);
            }
        }
        let width = width::<R, T>(token);
        for vector in 0..self.columns.used / width {
            let at = vector * width;
            let mut points = [[zero; 3]; 4];
            unrolled!(corner in 0..(1 << (DIMENSIONS - 1)) => {
                let parts = &self.points[slots[corner]].parts;
                unrolled!(part in 0..(if SLOPED { DIMENSIONS } else { 1 }) => {
                    points[corner][part] = R::Vector::load(token, &parts[part], at);
                });
            });
            let column = column_of::<_, DIMENSIONS, SLOPED, GRADIENT>(points, fraction, weights);
            unrolled!(part in 0..functions::<GRADIENT>(DIMENSIONS) => {
                if SLOPED {
                    column[part][0].store(&mut self.slopes[part], at);
                }
                column[part][1].store(&mut self.constants[part], at);
            });
        }
    }

    /// Computes a row of lattice points. Returns its slot.
    #[inline(always)]
    fn points<T: Token, const DIMENSIONS: usize, const SLOPED: bool>(
        &mut self,
        token: T,
        slot: usize,
        at: [u32; 2],
        of: LatticeRow<'_, R>,
    ) {
        let (key, turn) = (of.constants.key::<_, false>(token), of.splat_turn(token));
        let mut point = [R::Vector::<T>::load_bits(token, &FIRST_LANES, 0); DIMENSIONS];
        unrolled!(d in 1..DIMENSIONS => {
            point[d] = R::Vector::<T>::splat_bits(token, at[d - 1]);
        });
        let row = &mut self.points[slot];
        row.at = Some(at);
        let width = width::<R, T>(token);
        for vector in 0..self.columns.used / width {
            let first = self.lowest.wrapping_add((vector * width) as u32);
            let mut at_point = point;
            at_point[0] = point[0].plus(R::Vector::<T>::splat_bits(token, first));
            let h = key.cubic(at_point);
            let parts: [R::Vector<T>; 3] = match turn {
                Some(turn) if const { SLOPED && DIMENSIONS > 1 } => turn.perlin::<DIMENSIONS>(h),
                _ => point_of::<_, DIMENSIONS, SLOPED>(h),
            };
            unrolled!(part in 0..(if SLOPED { DIMENSIONS } else { 1 }) => {
                parts[part].store(&mut row.parts[part], vector * width);
            });
        }
    }

    /// The row's noise from a lane on, for a chunk at one column or several.
    #[inline(always)]
    fn noise<T: Token, const DIMENSIONS: usize, const GRADIENT: bool, const SLOPED: bool>(
        &self,
        token: T,
        at: usize,
        one: bool,
    ) -> Jet<R::Vector<T>> {
        let lanes = |lanes: &Lanes<R>| R::Vector::load(token, lanes, at);
        let (f, weight) = (lanes(&self.fraction), Weight { u: lanes(&self.weight), slope: lanes(&self.slope) });
        let above = self.columns.above::<R, T>(token, at);
        macro_rules! joined {
            ($numbers:ident, $shift:ident => $look:expr) => {{
                let mut ends: [Column<R::Vector<T>>; 2] = [[[f.constant(0.0); 2]; 3]; 2];
                unrolled!($shift in 0..2 => {
                    unrolled!(part in 0..functions::<GRADIENT>(DIMENSIONS) => {
                        if SLOPED {
                            let $numbers = &self.slopes[part];
                            ends[$shift][part][0] = $look;
                        }
                        let $numbers = &self.constants[part];
                        ends[$shift][part][1] = $look;
                    });
                });
                joined::<_, DIMENSIONS, SLOPED, GRADIENT>(ends[0], ends[1], f, weight)
            }};
        }
        let bases = self.columns.bases(at / CHUNK, COLUMNS);
        if one {
            joined!(numbers, shift => R::Vector::splat(token, numbers[bases[0] + shift]))
        } else {
            joined!(numbers, shift => R::Vector::look_up(token, numbers, [bases[0] + shift, bases[1] + shift], above))
        }
    }

    /// Writes the row's noise, run by run.
    #[inline(always)]
    fn give<T: Token, const DIMENSIONS: usize, const GRADIENT: bool, const SLOPED: bool>(
        &self,
        token: T,
        row: LatticeRow<'_, R>,
        out: &mut JetBlock<R>,
    ) {
        let columns = row.constants.splat(token);
        for run in self.runs.all() {
            macro_rules! chunks {
                ($one:literal) => {
                    for chunk in run.first..run.end {
                        for part in 0..CHUNK / width::<R, T>(token) {
                            let at = chunk % CHUNKS * CHUNK + part * width::<R, T>(token);
                            row.store::<_, GRADIENT, DIMENSIONS>(
                                token,
                                at,
                                &columns,
                                self.noise::<_, DIMENSIONS, GRADIENT, SLOPED>(token, at, $one),
                                out,
                            );
                        }
                    }
                };
            }
            if run.one {
                chunks!(true);
            } else {
                chunks!(false);
            }
        }
    }
}

/// Fills a block of value or Perlin noise.
pub fn block<R: Real, const GRADIENT: bool>(
    simd: Dispatch,
    rows: BlockRows<'_, R>,
    noise: CubicNoise,
    strip: &mut CubicStrip<R>,
    out: &mut JetBlock<R>,
) {
    let kind = noise.interpolation;
    macro_rules! run {
        ($n:literal, $sloped:literal) => {
            vectorised!(R, simd, plain: false, wide: true, token => for row in 0..rows.count {
                let row = rows.row(row);
                strip.row::<_, $n, GRADIENT, $sloped>(token, row, kind);
                // Loops of values alone are so short that a check inside them would take a twentieth of their time.
                if GRADIENT || row.amplitude.is_some() {
                    strip.give::<_, $n, GRADIENT, $sloped>(token, row, out);
                } else {
                    strip.give::<_, $n, GRADIENT, $sloped>(token, LatticeRow { amplitude: None, ..row }, out);
                }
            })
        };
    }
    match (noise.dimensions, noise.sloped) {
        (1, false) => run!(1, false),
        (1, true) => run!(1, true),
        (2, false) => run!(2, false),
        (2, true) => run!(2, true),
        (_, false) => run!(3, false),
        (_, true) => run!(3, true),
    }
}
