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

pub(crate) mod cellular;
pub(crate) mod columns;
pub(crate) mod cubic;
pub(crate) mod simplex;

use crate::cpu::eval::cellular::{numbers, squares};
use crate::cpu::eval::coordinates::{Linear, Ramp, Track};
use crate::cpu::lib::frame::{self, Columns};
use crate::cpu::lib::jet::Jet;
use crate::cpu::simd::block::{Block, LANES};
use crate::cpu::simd::number::Number;
use crate::cpu::simd::{Dispatch, Real};
use crate::frame::{Fixed, Grid};
use crate::graph::WorleyOutput;
use crate::program::{Basis, Scalar, WorleyShape};
use columns::{COLUMNS, NEAR, WINDOW};

/// One lattice along a row of a region.
#[derive(Clone, Copy)]
pub struct Row<'a, R> {
    pub grid: &'a Grid,
    pub ramp: &'a Ramp,
    pub linear: &'a Linear<R>,
    /// The row's first sample.
    pub index: [u32; 3],
}

impl<'a, R: Real> Row<'a, R> {
    /// Of a frame, if its lattice is such that rows share what is computed along `dimensions` axes.
    fn new(basis: Basis, grid: &'a Grid, track: &'a Track, linear: &'a Linear<R>, index: [u32; 3]) -> Option<Self> {
        let dimensions = basis.dimensions() as u32;
        let row = Row { grid, ramp: &track.ramps[0], linear, index };
        (dimensions <= track.coherent && dimensions <= 3 && step_of(grid) <= densest(basis)?).then_some(row)
    }
}

/// A lattice noise with its gradient per world unit. Where lattice axes are the world's, what falls away are products with 0.
#[inline(always)]
fn world<V: Number>(diagonal: bool, columns: &Columns<V>, noise: Jet<V>) -> Jet<V> {
    if !diagonal {
        return frame::world(columns, noise);
    }
    let [x, y, z] = noise.gradient;
    Jet { value: noise.value, gradient: [columns[0][0] * x, columns[1][1] * y, columns[2][2] * z] }
}

/// Cells along x to a sample, which is the steepest that rows are made of.
fn densest(basis: Basis) -> Option<Fixed> {
    match basis {
        Basis::Value(..) | Basis::Perlin(..) => Some((((COLUMNS - WINDOW - 3) as Fixed) << 64) / LANES as Fixed),
        // Points lie two units apart.
        Basis::Simplex2 | Basis::Simplex3 => Some(2 * NEAR),
        Basis::Worley(shape, _) if distances(shape) => Some(NEAR),
        _ => None,
    }
}

/// Whether cellular noise is what rows are made of.
fn distances(shape: WorleyShape) -> bool {
    shape.output == WorleyOutput::Distance && shape.dimensions > 1 && squares(shape) && shape.nearest <= 2
}

/// What the blocks of a strip of rows share in one frame.
pub enum Strip<R> {
    Cubic(Box<cubic::Strip<R>>),
    Simplex(Box<simplex::Strip<R>>),
    Cellular(Box<cellular::Strip<R>>),
}

impl<R: Real> Strip<R> {
    /// Makes room for another region.
    pub fn forget(&mut self) {
        match self {
            Strip::Cubic(strip) => strip.forget(),
            Strip::Simplex(strip) => strip.forget(),
            Strip::Cellular(strip) => strip.forget(),
        }
    }
}

/// What a frame's rows have kept, made where there is nothing yet.
macro_rules! kept {
    ($strip:expr, $kind:ident, $new:expr) => {
        match $strip.get_or_insert_with(|| Strip::$kind(Box::new($new))) {
            Strip::$kind(strip) => strip,
            _ => unreachable!("invariant: a frame belongs to one basis"),
        }
    };
}

/// Fills a block of a lattice noise; false if there is no code for its rows.
pub fn block<R: Real, const G: bool>(
    simd: Dispatch,
    basis: Basis,
    (grid, track, linear, scalars): (&Grid, &Track, &Linear<R>, &[R]),
    index: [u32; 3],
    strip: &mut Option<Strip<R>>,
    out: &mut Block<R>,
) -> bool {
    let Some(row) = Row::new(basis, grid, track, linear, index) else { return false };
    match basis {
        Basis::Value(dimensions, kind) | Basis::Perlin(dimensions, kind) => {
            let sloped = matches!(basis, Basis::Perlin(..));
            cubic::block::<R, G>(simd, row, (dimensions, kind, sloped), kept!(strip, Cubic, cubic::Strip::new()), out);
        }
        Basis::Simplex2 => simplex::block::<R, G, 2>(simd, row, kept!(strip, Simplex, simplex::Strip::new(2)), out),
        Basis::Simplex3 => simplex::block::<R, G, 3>(simd, row, kept!(strip, Simplex, simplex::Strip::new(3)), out),
        Basis::Worley(shape, Scalar(first)) if !G => {
            let numbers = numbers(&scalars[first as usize..][..shape.numbers()]);
            cellular::block(simd, row, shape, numbers, kept!(strip, Cellular, cellular::Strip::new(shape.dimensions)), out);
        }
        _ => return false,
    }
    true
}

/// Cells along x from a sample to the next.
fn step_of(grid: &Grid) -> Fixed {
    grid.step[0][0].checked_abs().unwrap_or(Fixed::MAX)
}

/// Of a lattice of how many of its axes, from the first on, rows share work: those that stand still along a row, and none if samples along
/// x depend on more than their x, or lie too far apart for any noise.
pub fn coherent(grid: &Grid) -> u32 {
    if grid.samples != [0; 3] || grid.step[1][0] != 0 || grid.step[2][0] != 0 || step_of(grid) > 2 * NEAR {
        return 0;
    }
    1 + grid.step[0][1..].iter().take_while(|&&step| step == 0).count() as u32
}
