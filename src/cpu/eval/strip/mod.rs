//! Coherence along rows: where a lattice is neither turned nor displaced, what depends on x alone is computed once for a strip of rows,
//! lattice points are hashed once for many of them, and what depends on y and z alone once for a row. The same operations in the same
//! order as lane by lane, so the same bits.
//!
//! | file | holds |
//! |---|---|
//! | `columns` | which lattice points along x a block's samples lie at |
//! | `cubic` | value and Perlin noise: columns of lattice points blended along y and z |
//! | `cellular` | distances to the nearest points of lattice rows |
//! | `simplex` | simplex noise: the lines of lattice points that a row passes |
//! | `dense` | the same noises, but for cellular ones, where every sample has lattice points of its own |

pub(crate) mod cellular;
pub(crate) mod columns;
pub(crate) mod cubic;
pub(crate) mod dense;
pub(crate) mod simplex;

use crate::cpu::eval::cellular::numbers;
use crate::cpu::eval::coordinates::{Linear, Ramp, Track};
use crate::cpu::lib::frame::{self, Columns};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::worley::squared;
use crate::cpu::simd::block::{Block, CHUNK, LANES, boxed};
use crate::cpu::simd::number::Number;
use crate::cpu::simd::vector::Token;
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::{Fixed, Grid};
use crate::node::WorleyOutput;
use crate::program::{Basis, Scalar, WorleyShape};

/// One lattice along a row of a region.
#[derive(Clone, Copy)]
pub struct Row<'a, R> {
    pub grid: &'a Grid,
    pub ramp: &'a Ramp,
    pub linear: &'a Linear<R>,
    /// The row's first sample.
    pub index: [u32; 3],
    /// Where it lies in its block.
    pub lane: usize,
    /// Given: its samples are added to those that the block holds, times this, and lattice axes are the world's.
    pub amplitude: Option<R>,
}

impl<'a, R: Real> Row<'a, R> {
    /// Of a frame, if along its lattice's first `dimensions` axes rows share what they compute.
    fn new(dimensions: u32, grid: &'a Grid, track: &'a Track, linear: &'a Linear<R>, index: [u32; 3]) -> Option<Self> {
        (dimensions <= track.coherent && dimensions <= 3).then_some(Row {
            grid,
            ramp: track.along_row(),
            linear,
            index,
            lane: 0,
            amplitude: None,
        })
    }

    /// Hands over its lattice noise of `N` dimensions from a sample on, with its gradient per cell. Where lattice axes are the world's, what falls
    /// away are products with 0.
    #[inline(always)]
    fn put<T: Token, const G: bool, const N: usize>(
        self,
        token: T,
        at: usize,
        columns: &Columns<R::Vector<T>>,
        noise: Jet<R::Vector<T>>,
        out: &mut Block<R>,
    ) {
        let at = self.lane + at;
        match self.amplitude {
            Some(amplitude) => out.add::<_, G, N>(token, at, amplitude, along_axes(columns, noise)),
            None if G && self.linear.diagonal => out.store::<_, G>(token, at, along_axes(columns, noise)),
            None => out.store::<_, G>(token, at, frame::world::<_, G>(columns, noise)),
        }
    }
}

/// A lattice noise with its gradient per world unit, where lattice axes are the world's.
#[inline(always)]
fn along_axes<V: Number>(columns: &Columns<V>, noise: Jet<V>) -> Jet<V> {
    let [x, y, z] = noise.gradient;
    Jet { value: noise.value, gradient: [columns[0][0] * x, columns[1][1] * y, columns[2][2] * z] }
}

/// Rows of a block, each below the one before.
#[derive(Clone, Copy)]
pub struct Rows<'a, R> {
    first: Row<'a, R>,
    pub count: usize,
    width: usize,
}

impl<'a, R: Real> Rows<'a, R> {
    #[inline(always)]
    pub fn row(&self, number: usize) -> Row<'a, R> {
        let [x, y, z] = self.first.index;
        Row { index: [x, y + number as u32, z], lane: self.first.lane + number * self.width, ..self.first }
    }
}

/// Cells from a sample to the next up to which the lattice points of a row are computed once and looked up from then on. Then as many samples
/// as a register holds lie at as many neighbouring points; beyond, looking up would take longer than computing.
const SPARSE: Fixed = 1 << 64;

/// Whether cellular noise is what rows are made of.
fn distances(shape: WorleyShape) -> bool {
    shape.output == WorleyOutput::Distance && shape.dimensions > 1 && squared(shape.metric) && shape.nearest <= 2
}

/// What the blocks of a strip of rows share in one frame.
pub enum Strip<R> {
    Cubic(Box<cubic::Strip<R>>),
    Simplex(Box<simplex::Strip<R>>),
    Cellular(Box<cellular::Strip<R>>),
    Dense(Box<dense::Strip<R>>),
}

impl<R: Real> Strip<R> {
    /// Makes room for another region.
    pub fn forget(&mut self) {
        match self {
            Strip::Cubic(strip) => strip.forget(),
            Strip::Simplex(strip) => strip.forget(),
            Strip::Cellular(strip) => strip.forget(),
            Strip::Dense(strip) => strip.forget(),
        }
    }
}

/// What a frame's rows have kept; anew where there is nothing yet, or something of a region whose samples lay at other distances.
macro_rules! kept {
    ($strip:expr, $kind:ident, $new:expr) => {{
        if !matches!($strip, Some(Strip::$kind(_))) {
            *$strip = Some(Strip::$kind(boxed(|| $new)));
        }
        match $strip {
            Some(Strip::$kind(strip)) => strip,
            _ => unreachable!("invariant: it has just been made"),
        }
    }};
}

/// Fills a block of a lattice noise; nothing if there is no code for its rows. They are computed one after the other, each in whole vectors: the
/// next one overwrites what is too much. With an amplitude, adds it to the block, or not, if that cannot be done.
pub fn block<R: Real, const G: bool>(
    simd: Dispatch,
    basis: Basis,
    (grid, track, linear, scalars): (&Grid, &Track, &Linear<R>, &[R]),
    index: [u32; 3],
    strip: &mut Option<Strip<R>>,
    amplitude: Option<R>,
    out: &mut Block<R>,
) -> Option<bool> {
    let first = Row::new(basis.dimensions() as u32, grid, track, linear, index)?;
    let (count, simd) = if track.width < LANES { (simd.lanes / track.width, simd.row::<R>(track.width)) } else { (1, simd) };
    if amplitude.is_some() && (!linear.diagonal || count > 1 && !track.width.is_multiple_of(CHUNK)) {
        // What is too much of a row would be added to the next one.
        return Some(false);
    }
    let rows = Rows { first: Row { amplitude, ..first }, count, width: track.width };
    let sloped = matches!(basis, Basis::Perlin(..));
    match (basis, step_of(grid) > SPARSE) {
        (Basis::Value(dimensions, kind) | Basis::Perlin(dimensions, kind), false) => {
            cubic::block::<R, G>(simd, rows, (dimensions, kind, sloped), kept!(strip, Cubic, cubic::Strip::new()), out);
        }
        (Basis::Value(dimensions @ 2..=3, kind) | Basis::Perlin(dimensions @ 2..=3, kind), true) => {
            dense::cubic::<R, G>(simd, rows, (dimensions, kind, sloped), kept!(strip, Dense, dense::Strip::new()), out);
        }
        (Basis::Simplex2, false) => simplex::block::<R, G, 2>(simd, rows, kept!(strip, Simplex, simplex::Strip::new(2)), out),
        (Basis::Simplex3, false) => simplex::block::<R, G, 3>(simd, rows, kept!(strip, Simplex, simplex::Strip::new(3)), out),
        (Basis::Simplex2, true) => dense::simplex::<R, G, 2>(simd, rows, kept!(strip, Dense, dense::Strip::new()), out),
        (Basis::Simplex3, true) => dense::simplex::<R, G, 3>(simd, rows, kept!(strip, Dense, dense::Strip::new()), out),
        (Basis::Worley(shape, Scalar(first)), false) if !G && distances(shape) => {
            if amplitude.is_some() {
                return Some(false);
            }
            let numbers = numbers(&scalars[first as usize..][..shape.numbers()]);
            cellular::block(simd, rows, shape, numbers, kept!(strip, Cellular, cellular::Strip::new(shape.dimensions)), out);
        }
        _ => return None,
    }
    Some(true)
}

/// Cells along x from a sample to the next.
fn step_of(grid: &Grid) -> Fixed {
    grid.step[0][0].checked_abs().unwrap_or(Fixed::MAX)
}

/// Of a lattice of how many of its axes, from the first on, rows share work: those that stand still along a row, and none if samples along
/// x depend on more than their x.
pub fn coherent(grid: &Grid) -> u32 {
    if grid.samples != [0; 3] || grid.step[1][0] != 0 || grid.step[2][0] != 0 {
        return 0;
    }
    1 + grid.step[0][1..].iter().take_while(|&&step| step == 0).count() as u32
}

/// Whether rows of any noise on a lattice share its points.
pub fn shares_points(grid: &Grid) -> bool {
    coherent(grid) > 0 && step_of(grid) <= SPARSE
}
