//! Value and Perlin noise over a block, each vector by itself.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice, each_sample, four as places};
use crate::cpu::eval::route::CubicNoise;
use crate::cpu::lib::interpolate::interpolated;
use crate::cpu::lib::{frame, lattice};
use crate::cpu::simd::{Real, WIDE, for_vectors, unrolled, vectorised};
use crate::program::Interpolation;

/// Noise in one to three dimensions.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(on: OnLattice<'_, R>, noise: CubicNoise, out: &mut JetBlock<R>) {
    let kind = noise.interpolation;
    match (noise.dimensions, noise.sloped) {
        (1, false) => each::<R, GRADIENT, PERIODIC, 1, false>(on, kind, out),
        (1, true) => each::<R, GRADIENT, PERIODIC, 1, true>(on, kind, out),
        (2, false) => each::<R, GRADIENT, PERIODIC, 2, false>(on, kind, out),
        (2, true) => each::<R, GRADIENT, PERIODIC, 2, true>(on, kind, out),
        (_, false) => each::<R, GRADIENT, PERIODIC, 3, false>(on, kind, out),
        (_, true) => each::<R, GRADIENT, PERIODIC, 3, true>(on, kind, out),
    }
}

/// Value noise, or with `SLOPED` Perlin noise.
fn each<R: Real, const GRADIENT: bool, const PERIODIC: bool, const DIMENSIONS: usize, const SLOPED: bool>(
    on: OnLattice<'_, R>,
    kind: Interpolation,
    out: &mut JetBlock<R>,
) {
    each_sample!(R, GRADIENT, PERIODIC, DIMENSIONS, on, out, (cells, fractions, key) => {
        let (mut cell, mut f) = ([cells[0]; DIMENSIONS], [fractions[0]; DIMENSIONS]);
        unrolled!(d in 1..DIMENSIONS => {
            (cell[d], f[d]) = (cells[d], fractions[d]);
        });
        lattice::noise::<_, DIMENSIONS, SLOPED, GRADIENT, PERIODIC>(cell, f, key, interpolated(kind, f))
    });
}

/// Noise in four dimensions, compiled with gradients only.
pub fn four<R: Real, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    fourth: FourthCoordinate<'_, R>,
    noise: CubicNoise,
    out: &mut JetBlock<R>,
) {
    let OnLattice { simd, constants, coordinates } = on;
    vectorised!(R, simd, plain: PERIODIC, wide: WIDE && !PERIODIC, token => {
        let (columns, key) = (constants.columns(token), constants.key::<_, PERIODIC>(token));
        for_vectors!(R, token, at => {
            let (cell, f) = places::<R, _>(token, coordinates, fourth.coordinates, at);
            let weights = interpolated(noise.interpolation, f);
            let noise = if noise.sloped {
                lattice::noise::<_, 4, true, true, PERIODIC>(cell, f, key, weights)
            } else {
                lattice::noise::<_, 4, false, true, PERIODIC>(cell, f, key, weights)
            };
            out.store::<_, true>(token, at, frame::world::<_, true>(&columns, noise));
        });
    });
}
