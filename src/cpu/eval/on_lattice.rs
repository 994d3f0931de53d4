//! The inputs of lattice noises whose vectors share nothing.

use crate::cpu::eval::constants::{LaneConstants, LatticeConstants};
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::simd::real::Position;
use crate::cpu::simd::vector::Token;
use crate::cpu::simd::{Dispatch, Real};

/// Lanes of a block with their stored coordinates.
#[derive(Clone, Copy)]
pub struct OnLattice<'a, R> {
    pub simd: Dispatch,
    pub constants: LaneConstants<'a, R>,
    pub coordinates: &'a LatticeCoordinates<R>,
}

/// The fourth coordinate of those lanes, which has its own frame.
#[derive(Clone, Copy)]
pub struct FourthCoordinate<'a, R> {
    pub constants: &'a LatticeConstants<R>,
    pub coordinates: &'a LatticeCoordinates<R>,
}

/// Three coordinates from a lane on, and the fourth.
#[inline(always)]
pub fn four<R: Real, T: Token>(token: T, first: &LatticeCoordinates<R>, fourth: &LatticeCoordinates<R>, at: usize) -> Position<R, T, 4> {
    let ([x, y, z], [fx, fy, fz]) = first.vectors::<_, 3>(token, at);
    let ([w, ..], [fw, ..]) = fourth.vectors::<_, 1>(token, at);
    ([x, y, z, w], [fx, fy, fz, fw])
}

/// `out = noise`, given its place on a lattice, for every vector of a block. Code for one number at a time is compiled with
/// periods only, and then also serves lattices without periods.
macro_rules! each_sample {
    ($R:ty, $GRADIENT:ident, $PERIODIC:ident, $DIMENSIONS:tt, $on:expr, $out:expr, ($cell:ident, $fraction:ident, $key:ident) => $noise:expr) => {{
        let OnLattice { simd, constants, coordinates } = $on;
        vectorised!($R, simd, plain: $PERIODIC, wide: $crate::cpu::simd::WIDE && !$PERIODIC, token => {
            let (columns, $key) = (constants.columns(token), constants.key::<_, $PERIODIC>(token));
            for_vectors!($R, token, at => {
                let ($cell, $fraction) = coordinates.vectors::<_, $DIMENSIONS>(token, at);
                $out.store::<_, $GRADIENT>(token, at, frame::world::<_, $GRADIENT>(&columns, $noise));
            });
        })
    }};
}
pub(crate) use each_sample;

/// The same in 4D, for noise whose gradient has four components.
macro_rules! each_in_four {
    ($R:ty, $GRADIENT:ident, $PERIODIC:ident, wide: $wide:expr, $on:expr, $fourth:expr, $out:expr, ($cell:ident, $fraction:ident, $key:ident) => $noise:expr) => {{
        let OnLattice { simd, constants, coordinates } = $on;
        let FourthCoordinate { constants: along, coordinates: fourth } = $fourth;
        vectorised!($R, simd, plain: $PERIODIC, wide: $wide, token => {
            let (columns, across, $key) = (constants.columns(token), along.splat(token), constants.key::<_, $PERIODIC>(token));
            for_vectors!($R, token, at => {
                let ($cell, $fraction) = $crate::cpu::eval::on_lattice::four::<$R, _>(token, coordinates, fourth, at);
                $out.store::<_, $GRADIENT>(token, at, frame::world_4::<_, $GRADIENT>(&columns, &across, $noise));
            });
        })
    }};
}
pub(crate) use each_in_four;
