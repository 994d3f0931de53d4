//! OpenSimplex2 and OpenSimplex2S over a block, each vector by itself.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice, each_in_four, each_sample};
use crate::cpu::lib::{frame, open_simplex};
use crate::cpu::simd::{Real, for_vectors, vectorised};
use crate::program::OpenSimplexShape;

/// The noise in 2D or 3D.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(on: OnLattice<'_, R>, shape: OpenSimplexShape, out: &mut JetBlock<R>) {
    match (shape.dimensions, shape.smooth) {
        (2, false) => each_sample!(R, GRADIENT, PERIODIC, 2, on, out, (cell, fraction, key) => {
            open_simplex::plane::<_, false, GRADIENT, PERIODIC>(cell, fraction, key)
        }),
        (2, true) => each_sample!(R, GRADIENT, PERIODIC, 2, on, out, (cell, fraction, key) => {
            open_simplex::plane::<_, true, GRADIENT, PERIODIC>(cell, fraction, key)
        }),
        (_, false) => each_sample!(R, GRADIENT, PERIODIC, 3, on, out, (cell, fraction, key) => {
            open_simplex::space::<_, false, GRADIENT, PERIODIC>(cell, fraction, key)
        }),
        (_, true) => each_sample!(R, GRADIENT, PERIODIC, 3, on, out, (cell, fraction, key) => {
            open_simplex::space::<_, true, GRADIENT, PERIODIC>(cell, fraction, key)
        }),
    }
}

/// The noise in 4D.
pub fn four<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    fourth: FourthCoordinate<'_, R>,
    smooth: bool,
    out: &mut JetBlock<R>,
) {
    if smooth {
        each_in_four!(R, GRADIENT, PERIODIC, wide: false, on, fourth, out, (cell, fraction, key) => {
            open_simplex::four::<_, true, GRADIENT, PERIODIC>(cell, fraction, key)
        });
    } else {
        each_in_four!(R, GRADIENT, PERIODIC, wide: false, on, fourth, out, (cell, fraction, key) => {
            open_simplex::four::<_, false, GRADIENT, PERIODIC>(cell, fraction, key)
        });
    }
}
