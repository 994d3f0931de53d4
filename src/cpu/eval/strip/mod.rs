//! Coherence along rows: where a lattice is neither turned nor displaced, what depends on x alone is computed once for a strip of rows,
//! lattice points are hashed once for many of them, and what depends on y and z alone once for a row. The same operations in the same
//! order as lane by lane, so the same bits.
//!
//! | file | holds |
//! |---|---|
//! | `rows` | the rows of a block |
//! | `columns` | which lattice points along x a block's samples lie at |
//! | `cubic` | value and Perlin noise: columns of lattice points blended along y and z |
//! | `cellular` | distances to the nearest points of lattice rows |
//! | `simplex` | simplex noise: the lines of lattice points that a row passes |
//! | `dense` | the same noises, but for cellular ones, where every sample has lattice points of its own |

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
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::boxed;
use rows::BlockRows;

/// What the blocks of a strip of rows share in one frame.
pub enum Strip<R> {
    Cubic(Box<cubic::CubicStrip<R>>),
    Simplex(Box<simplex::SimplexStrip<R>>),
    Cellular(Box<cellular::CellularStrip<R>>),
    Dense(Box<dense::DenseStrip<R>>),
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

/// What a frame's rows share; anew where there is nothing yet, or something of a region whose samples lay at other distances.
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

/// Fills a block, or with an amplitude, adds to one. Rows are computed one after the other.
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
    let rows = BlockRows::new(call.simd.lanes, &grids[frame], &advances[frame], lattice.constants(), index, amplitude);
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
