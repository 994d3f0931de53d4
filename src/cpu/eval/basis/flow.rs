//! Flow noise over a block, each vector by itself.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice};
use crate::cpu::lib::interpolate::interpolated;
use crate::cpu::lib::{flow, frame};
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::Interpolation;

/// As `each_sample!`, with the turn as well.
macro_rules! each_turned {
    ($R:ty, $GRADIENT:ident, $PERIODIC:ident, $DIMENSIONS:tt, $on:expr, $fourth:expr, $out:expr,
     ($cell:ident, $fraction:ident, $turn:ident, $key:ident) => $noise:expr) => {{
        let OnLattice { simd, constants, coordinates } = $on;
        vectorised!($R, simd, plain: $PERIODIC, wide: WIDE && !$PERIODIC, token => {
            let (columns, $key) = (constants.columns(token), constants.key::<_, $PERIODIC>(token));
            for_vectors!($R, token, at => {
                let ($cell, $fraction) = coordinates.vectors::<_, $DIMENSIONS>(token, at);
                let (_, $turn) = $fourth.coordinates.vector(token, 0, at);
                $out.store::<_, $GRADIENT>(token, at, frame::world::<_, $GRADIENT>(&columns, $noise));
            });
        })
    }};
}

/// Simplex noise in two or three dimensions.
pub fn simplex<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    fourth: FourthCoordinate<'_, R>,
    dimensions: u32,
    out: &mut JetBlock<R>,
) {
    match dimensions {
        2 => each_turned!(R, GRADIENT, PERIODIC, 2, on, fourth, out, (cell, fraction, turn, key) => {
            flow::simplex_2::<_, GRADIENT, PERIODIC>(cell, fraction, turn, key)
        }),
        _ => each_turned!(R, GRADIENT, PERIODIC, 3, on, fourth, out, (cell, fraction, turn, key) => {
            flow::simplex_3::<_, GRADIENT, PERIODIC>(cell, fraction, turn, key)
        }),
    }
}

/// Perlin noise in two or three dimensions.
pub fn perlin<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    fourth: FourthCoordinate<'_, R>,
    (dimensions, kind): (u32, Interpolation),
    out: &mut JetBlock<R>,
) {
    match dimensions {
        2 => each_turned!(R, GRADIENT, PERIODIC, 2, on, fourth, out, (cell, fraction, turn, key) => {
            let ([i, j, _], [x, y, _]) = (cell, fraction);
            flow::perlin_2::<_, GRADIENT, PERIODIC>([i, j], [x, y], turn, key, interpolated(kind, [x, y]))
        }),
        _ => each_turned!(R, GRADIENT, PERIODIC, 3, on, fourth, out, (cell, fraction, turn, key) => {
            flow::perlin_3::<_, GRADIENT, PERIODIC>(cell, fraction, turn, key, interpolated(kind, fraction))
        }),
    }
}
