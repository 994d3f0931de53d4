//! Simplex noise over a block, each vector by itself.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::constants::LaneConstants;
use crate::cpu::eval::displaced::{Ahead, PlaneCoordinates};
use crate::cpu::eval::on_lattice::{OnLattice, each_sample};
use crate::cpu::lib::{frame, simplex};
use crate::cpu::simd::{Dispatch, Real, WIDE, for_vectors, vectorised};

/// Simplex noise in 2D. With an amplitude, the noise is added to the block's values.
pub fn plane<R: Real, S: PlaneCoordinates<R>, const GRADIENT: bool, const PERIODIC: bool>(
    simd: Dispatch,
    constants: LaneConstants<'_, R>,
    coordinates: S,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    vectorised!(R, simd, plain: PERIODIC, wide: WIDE && !PERIODIC, token => {
        let (mut coordinates, amplitude) = (Ahead::new(token, coordinates), amplitude);
        let (columns, key) = (constants.columns(token), constants.key::<_, PERIODIC>(token));
        for_vectors!(R, token, at => {
            let (cell, fraction) = coordinates.vectors(at);
            let noise = simplex::simplex_2::<_, GRADIENT, PERIODIC>(cell, fraction, key);
            out.add_or_store::<_, GRADIENT>(token, at, amplitude, frame::world::<_, GRADIENT>(&columns, noise));
        });
    });
}

/// Simplex noise in 3D.
pub fn space<R: Real, const GRADIENT: bool, const PERIODIC: bool>(on: OnLattice<'_, R>, out: &mut JetBlock<R>) {
    each_sample!(R, GRADIENT, PERIODIC, 3, on, out, (cell, fraction, key) => {
        simplex::simplex_3::<_, GRADIENT, PERIODIC>(cell, fraction, key)
    });
}
