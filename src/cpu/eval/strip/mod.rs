//! Coherence along rows, on lattices that are neither rotated nor displaced. Values that depend on x alone are computed once for a
//! strip of rows. Lattice points are hashed once for many rows, and values that depend on y and z alone are computed once per row.
//! The operations and their order are those of separate samples, so the bits are the same.
//!
//! | file | contents |
//! |---|---|
//! | `rows` | the rows of a block |
//! | `columns` | the lattice points along x of a block's samples |
//! | `cubic` | value and Perlin noise: columns of lattice points blended along y and z |
//! | `cellular` | distances to the nearest points of lattice rows |
//! | `simplex` | simplex noise: the lines of lattice points near a row |
//! | `dense` | value, Perlin and simplex noise whose samples all have their own lattice points |

pub(crate) mod cellular;
mod columns;
pub(crate) mod cubic;
pub(crate) mod dense;
mod rows;
pub(crate) mod simplex;

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::call::SampleSource;
use crate::cpu::eval::cellular::CellularNumbers;
use crate::cpu::eval::route::{LatticeCall, PlaneOrSpace, RowsRoute};
use crate::cpu::lib::flow::Turn;
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::boxed;
use rows::BlockRows;

/// Data that the blocks of a strip of rows share in one frame.
pub enum Strip<R> {
    Cubic(Box<cubic::CubicStrip<R>>),
    Simplex(Box<simplex::SimplexStrip<R>>),
    Cellular(Box<cellular::CellularStrip<R>>),
    Dense(Box<dense::DenseStrip<R>>),
}

impl<R: Real> Strip<R> {
    /// Clears the data for another region.
    pub fn forget(&mut self) {
        match self {
            Strip::Cubic(strip) => strip.forget(),
            Strip::Simplex(strip) => strip.forget(),
            Strip::Cellular(strip) => strip.forget(),
            Strip::Dense(strip) => strip.forget(),
        }
    }
}

/// The data of a frame's rows, created if the frame has none of this kind.
macro_rules! strip_of {
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

/// Fills a block, or adds to it with an amplitude. Rows are computed in sequence.
pub fn block<R: Real, const GRADIENT: bool>(
    lattice: &LatticeCall<'_, R>,
    route: RowsRoute,
    strip: &mut Option<Strip<R>>,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    let LatticeCall { call, frame, numbers, .. } = *lattice;
    let SampleSource::Region { grids, advances, index } = *call.source else {
        unreachable!("invariant: rows are chosen for regions only");
    };
    let turn = lattice.turn().map(Turn::new);
    let rows = BlockRows::new(call.simd.lanes, &grids[frame], &advances[frame], lattice.constants(), turn, index, amplitude);
    let simd = rows.dispatch(call.simd);
    match route {
        RowsRoute::Cubic(noise) => cubic::block::<R, GRADIENT>(simd, rows, noise, strip_of!(strip, Cubic, cubic::CubicStrip::new()), out),
        RowsRoute::DenseCubic(noise) => {
            dense::cubic::<R, GRADIENT>(simd, rows, noise, strip_of!(strip, Dense, dense::DenseStrip::new()), out);
        }
        RowsRoute::Simplex(PlaneOrSpace::Plane) => {
            simplex::block::<R, GRADIENT, 2>(simd, rows, strip_of!(strip, Simplex, simplex::SimplexStrip::new(2)), out);
        }
        RowsRoute::Simplex(PlaneOrSpace::Space) => {
            simplex::block::<R, GRADIENT, 3>(simd, rows, strip_of!(strip, Simplex, simplex::SimplexStrip::new(3)), out);
        }
        RowsRoute::DenseSimplex(PlaneOrSpace::Plane) => {
            dense::simplex::<R, GRADIENT, 2>(simd, rows, strip_of!(strip, Dense, dense::DenseStrip::new()), out);
        }
        RowsRoute::DenseSimplex(PlaneOrSpace::Space) => {
            dense::simplex::<R, GRADIENT, 3>(simd, rows, strip_of!(strip, Dense, dense::DenseStrip::new()), out);
        }
        RowsRoute::Cellular(noise) => {
            let strip = strip_of!(strip, Cellular, cellular::CellularStrip::new(noise.shape.dimensions));
            cellular::block(simd, rows, noise.shape, CellularNumbers::new(noise, &numbers.scalars), strip, out);
        }
    }
}
