//! Coherence along rows: where a lattice is neither turned nor displaced, its columns of lattice points are blended once for a row
//! and not once per sample, lattice points are hashed once for many rows, and what depends on x alone is computed once for a strip
//! of them. The same operations in the same order, so the same bits.

use crate::cpu::eval::coordinates::{Linear, Ramp, Track, start};
use crate::cpu::eval::octaves;
use crate::cpu::lib::frame::Columns;
use crate::cpu::lib::interpolate::{Weight, interpolate};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::lattice::{column_of, joined, point_at};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::{fractal, frame};
use crate::cpu::simd::block::{Block, CHUNK, CHUNKS, LANES, Lanes, for_vectors, width};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::WINDOW;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, vectorised};
use crate::frame::Grid;
use crate::graph::{Accumulate, Interpolation};

/// Columns that a block may span; the last are there to be read by windows, and mean nothing.
const COLUMNS: usize = 256;
/// Numbers of lanes.
const FIRST_LANES: [u32; CHUNK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A number for every column.
type PerColumn<R> = [R; COLUMNS];

/// Lattices along a row of a region.
#[derive(Clone, Copy)]
pub struct Rows<'a, R> {
    pub grids: &'a [Grid],
    pub tracks: &'a [Track],
    pub frames: &'a [Linear<R>],
    pub kind: Interpolation,
    /// The row's first sample.
    pub index: [u32; 3],
}

impl<'a, R> Rows<'a, R> {
    #[inline(always)]
    fn source(&self, k: usize) -> Source<'a, R> {
        Source { grid: &self.grids[k], ramp: &self.tracks[k].ramps[0], linear: &self.frames[k], kind: self.kind }
    }
}

/// One of them.
#[derive(Clone, Copy)]
struct Source<'a, R> {
    grid: &'a Grid,
    ramp: &'a Ramp,
    linear: &'a Linear<R>,
    kind: Interpolation,
}

/// A row of lattice points, and which one.
struct Points<R> {
    at: Option<[u32; 2]>,
    parts: [PerColumn<R>; 3],
}

/// What the blocks of a strip of rows share in one frame.
pub struct Strip<R> {
    /// The index along x of the first sample.
    first: Option<u32>,
    /// Lattice coordinate of the first column.
    lowest: u32,
    /// Columns in use, in whole chunks.
    used: usize,
    /// For every chunk of samples: its lowest column, whether that is the column of all, and how far above it each lies.
    base: [usize; CHUNKS],
    single: [bool; CHUNKS],
    above: [u32; LANES],
    fraction: Lanes<R>,
    weight: Lanes<R>,
    slope: Lanes<R>,
    /// Rows of lattice points, by whether their y and z are odd: as rows go by, new ones take the place of those left behind.
    points: [Points<R>; 4],
    /// The row's columns: slope and constant of the value, and of its derivatives by y and z.
    slopes: [PerColumn<R>; 3],
    constants: [PerColumn<R>; 3],
}

impl<R: Real> Strip<R> {
    fn new() -> Self {
        let (columns, lanes) = ([R::default(); COLUMNS], [R::default(); LANES]);
        Strip {
            first: None,
            lowest: 0,
            used: 0,
            base: [0; CHUNKS],
            single: [false; CHUNKS],
            above: [0; LANES],
            fraction: lanes,
            weight: lanes,
            slope: lanes,
            points: std::array::from_fn(|_| Points { at: None, parts: [columns; 3] }),
            slopes: [columns; 3],
            constants: [columns; 3],
        }
    }

    /// Makes room for another region.
    pub fn forget(&mut self) {
        self.first = None;
    }

    /// Everything that depends on x alone.
    #[inline(always)]
    fn along_x<T: Token>(&mut self, token: T, source: Source<'_, R>, index: [u32; 3]) {
        let mut cell = [0; LANES];
        let first = start(source.grid, 0, index);
        for_vectors!(R, token, at => {
            let (cells, fraction) = source.ramp.vectors::<R, T>(token, first, at);
            cells.store(&mut cell, at);
            fraction.store(&mut self.fraction, at);
            let weight = interpolate(source.kind, fraction);
            weight.u.store(&mut self.weight, at);
            weight.slope.store(&mut self.slope, at);
        });
        let lanes = token.lanes();
        let lowest = if source.grid.step[0][0] >= 0 { cell[0] } else { cell[lanes - 1] };
        for chunk in 0..lanes / CHUNK {
            let (first, last) = (cell[chunk * CHUNK].wrapping_sub(lowest), cell[chunk * CHUNK + CHUNK - 1].wrapping_sub(lowest));
            (self.base[chunk], self.single[chunk]) = (first.min(last) as usize, first == last);
            for lane in chunk * CHUNK..chunk * CHUNK + CHUNK {
                self.above[lane] = cell[lane].wrapping_sub(lowest).wrapping_sub(first.min(last));
            }
        }
        let columns = cell[0].wrapping_sub(lowest).max(cell[lanes - 1].wrapping_sub(lowest)) as usize + 2;
        (self.first, self.lowest, self.used) = (Some(index[0]), lowest, columns.next_multiple_of(CHUNK).min(COLUMNS));
        for points in &mut self.points {
            points.at = None;
        }
    }

    /// The row's columns. `N`: dimensions; `P`: how many functions a column has, 1 for the value and with gradients one for each
    /// axis but x; `SLOPED`: Perlin noise, not value noise.
    #[inline(always)]
    fn row<T: Token, const N: usize, const P: usize, const SLOPED: bool>(&mut self, token: T, source: Source<'_, R>, index: [u32; 3]) {
        if self.first != Some(index[0]) {
            self.along_x(token, source, index);
        }
        let mut cell = [0; N];
        let zero = R::Vector::splat(token, R::default());
        let mut fraction = [zero; N];
        let mut weights = [Weight { u: zero, slope: zero }; N];
        for d in 1..N {
            let q = start(source.grid, d, index);
            let below = R::fraction((q >> 32) as u32, q as u32);
            let weight = interpolate(source.kind, below);
            (cell[d], fraction[d]) = ((q >> 64) as u32, R::Vector::splat(token, below));
            weights[d] = Weight { u: R::Vector::splat(token, weight.u), slope: R::Vector::splat(token, weight.slope) };
        }
        let mut slots = [0; 4];
        for corner in 0..1 << (N - 1) {
            let mut at = [0; 2];
            for d in 1..N {
                at[d - 1] = cell[d].wrapping_add(corner >> (d - 1) & 1);
            }
            let slot = (at[0] & 1 | (at[1] & 1) << 1) as usize;
            slots[corner as usize] = slot;
            if self.points[slot].at != Some(at) {
                self.points::<T, N, SLOPED>(token, slot, at, source.linear.hash_key());
            }
        }
        let width = width::<R, T>(token);
        for vector in 0..self.used / width {
            let at = vector * width;
            let mut points = [[zero; 3]; 4];
            for corner in 0..1 << (N - 1) {
                let parts = &self.points[slots[corner]].parts;
                for part in 0..if SLOPED { N } else { 1 } {
                    points[corner][part] = R::Vector::load(token, &parts[part], at);
                }
            }
            let column = column_of::<_, N, SLOPED>(points, fraction, weights);
            for part in 0..P {
                if SLOPED {
                    column[part][0].store(&mut self.slopes[part], at);
                }
                column[part][1].store(&mut self.constants[part], at);
            }
        }
    }

    /// A row of lattice points.
    #[inline(always)]
    fn points<T: Token, const N: usize, const SLOPED: bool>(&mut self, token: T, slot: usize, at: [u32; 2], key: HashKey<false>) {
        let mut point = [R::Vector::<T>::load_bits(token, &FIRST_LANES, 0); N];
        for d in 1..N {
            point[d] = R::Vector::<T>::splat_bits(token, at[d - 1]);
        }
        let row = &mut self.points[slot];
        row.at = Some(at);
        let width = width::<R, T>(token);
        for vector in 0..self.used / width {
            let first = self.lowest.wrapping_add((vector * width) as u32);
            let mut at_point = point;
            at_point[0] = point[0].plus(R::Vector::<T>::splat_bits(token, first));
            let parts: [R::Vector<T>; 3] = point_at::<_, N, SLOPED>(at_point, key);
            for part in 0..if SLOPED { N } else { 1 } {
                parts[part].store(&mut row.parts[part], vector * width);
            }
        }
    }

    /// The row's noise from a lane on.
    #[inline(always)]
    fn noise<T: Token, const N: usize, const P: usize, const SLOPED: bool>(
        &self,
        token: T,
        at: usize,
        columns: &Columns<R::Vector<T>>,
    ) -> Jet<R::Vector<T>> {
        let lanes = |lanes: &Lanes<R>| R::Vector::load(token, lanes, at);
        let chunk = at / CHUNK;
        let (f, base) = (lanes(&self.fraction), self.base[chunk]);
        let zero = f.constant(0.0);
        let mut ends = [[[zero; 2]; 3]; 2];
        for part in 0..P {
            let numbers = [&self.slopes[part], &self.constants[part]];
            for which in if SLOPED { 0 } else { 1 }..2 {
                let numbers = numbers[which];
                if self.single[chunk] {
                    ends[0][part][which] = R::Vector::splat(token, numbers[base]);
                    ends[1][part][which] = R::Vector::splat(token, numbers[base + 1]);
                } else {
                    let above = R::Vector::<T>::load_bits(token, &self.above, at);
                    ends[0][part][which] = R::Vector::permute32(token, &numbers[base..base + WINDOW], above);
                    ends[1][part][which] = R::Vector::permute32(token, &numbers[base + 1..base + 1 + WINDOW], above);
                }
            }
        }
        let weight = Weight { u: lanes(&self.weight), slope: lanes(&self.slope) };
        frame::world(columns, joined::<_, N, SLOPED>(ends[0], ends[1], f, weight))
    }
}

/// Of a lattice of how many of its axes, from the first on, rows share columns: those that stand still along a row, and none if a
/// block spans too many columns.
pub fn coherent(grid: &Grid) -> u32 {
    let spanned = grid.step[0][0].unsigned_abs().checked_mul(LANES as u128).map_or(u128::MAX, |cells| cells >> 64);
    if grid.samples != [0; 3] || spanned + 3 + WINDOW as u128 > COLUMNS as u128 {
        return 0;
    }
    1 + grid.step[0][1..].iter().take_while(|&&step| step == 0).count() as u32
}

/// Fills a block of value noise (`SLOPED` false) or Perlin noise.
pub fn block<R: Real, const G: bool, const N: usize, const P: usize, const SLOPED: bool>(
    simd: Dispatch,
    rows: Rows<'_, R>,
    strip: &mut Option<Box<Strip<R>>>,
    out: &mut Block<R>,
) {
    let strip = strip.get_or_insert_with(|| Box::new(Strip::new()));
    vectorised!(R, simd, plain: false, wide: true, token => {
        let source = rows.source(0);
        strip.row::<_, N, P, SLOPED>(token, source, rows.index);
        let columns = source.linear.splat(token);
        for_vectors!(R, token, at => out.store::<_, G>(token, at, strip.noise::<_, N, P, SLOPED>(token, at, &columns)));
    });
}

/// Fills a block with the sum of octaves of value or Perlin noise. A chunk of the sum stays in registers until all are in.
pub fn octaves<R: Real, const G: bool, const N: usize, const P: usize, const SLOPED: bool>(
    simd: Dispatch,
    rows: Rows<'_, R>,
    strips: &mut [Option<Box<Strip<R>>>],
    sum: octaves::Octaves<'_, R>,
    out: &mut Block<R>,
    weight: &mut Option<Block<R>>,
) {
    // What is left to the octaves that are no such rows, if there are any.
    let mut weight = (fractal::weighted(sum.kind) && rows.grids.len() < sum.amplitudes.len()).then(|| weight.insert(Block::new()));
    for strip in &mut *strips {
        strip.get_or_insert_with(|| Box::new(Strip::new()));
    }
    vectorised!(R, simd, plain: false, wide: true, token => {
        for (k, strip) in strips.iter_mut().flatten().enumerate() {
            strip.row::<_, N, P, SLOPED>(token, rows.source(k), rows.index);
        }
        let numbers = sum.numbers.splat(token);
        macro_rules! octaves {
            ($kind:expr) => {
                for_vectors!(R, token, at => {
                    let mut total = fractal::Accumulator::none(R::Vector::splat(token, R::default()));
                    for ((strip, linear), &amplitude) in strips.iter().flatten().zip(rows.frames).zip(sum.amplitudes) {
                        let octave = strip.noise::<_, N, P, SLOPED>(token, at, &linear.splat(token));
                        total = fractal::accumulate($kind, total, octave, R::Vector::splat(token, amplitude), numbers);
                    }
                    out.store::<_, G>(token, at, total.total);
                    if let Some(weight) = &mut weight {
                        weight.store::<_, G>(token, at, total.weight);
                    }
                })
            };
        }
        // The usual kinds compiled on their own; the others are chosen inside the loop.
        match sum.kind {
            Accumulate::Sum => octaves!(Accumulate::Sum),
            Accumulate::Billow => octaves!(Accumulate::Billow),
            Accumulate::Ridged => octaves!(Accumulate::Ridged),
            kind => octaves!(kind),
        }
    });
}
