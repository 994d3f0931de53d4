//! OpenSimplex2 and OpenSimplex2S over a block, each vector by itself.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice, each_sample, four as coordinates_4};
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
    let OnLattice { simd, constants, coordinates } = on;
    let FourthCoordinate { constants: along, coordinates: fourth } = fourth;
    macro_rules! each {
        ($smooth:literal) => {
            vectorised!(R, simd, plain: PERIODIC, wide: false, token => {
                let (columns, across, key) = (constants.columns(token), along.splat(token), constants.key::<_, PERIODIC>(token));
                for_vectors!(R, token, at => {
                    let (cell, fraction) = coordinates_4::<R, _>(token, coordinates, fourth, at);
                    let noise = open_simplex::four::<_, $smooth, GRADIENT, PERIODIC>(cell, fraction, key);
                    out.store::<_, GRADIENT>(token, at, frame::world_4::<_, GRADIENT>(&columns, &across, noise));
                });
            })
        };
    }
    if smooth { each!(true) } else { each!(false) }
}
