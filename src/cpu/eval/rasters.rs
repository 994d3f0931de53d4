//! Rasters over a block, and blends of their parts. They are rare, so they are compiled once, with gradients and periods.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::example::{ExampleNumbers, blend};
use crate::cpu::lib::frame::world;
use crate::cpu::lib::raster::{RasterLookup, raster as at};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, for_vectors, vectorised};

/// Looks up a raster for every vector.
// Not inlined, since it has one version for scopes with and without gradients.
#[inline(never)]
pub fn raster<R: Real>(on: OnLattice<'_, R>, place: RasterLookup<'_, R>, out: &mut JetBlock<R>) {
    let OnLattice { simd, constants, coordinates } = on;
    vectorised!(R, simd, plain: true, wide: false, token => {
        let columns = constants.columns(token);
        for_vectors!(R, token, lane => {
            let ([x, y, _], [along, across, _]) = coordinates.vectors::<_, 2>(token, lane);
            out.store::<_, true>(token, lane, world::<_, true>(&columns, at(place, [x, y], [along, across])));
        });
    });
}

/// Blends parts of a raster for every vector. The numbers are those of [`ExampleNumbers`], in its order.
// Not inlined, as above.
#[inline(never)]
pub fn example<R: Real>(on: OnLattice<'_, R>, place: RasterLookup<'_, R>, numbers: [[R; 4]; 2], out: &mut JetBlock<R>) {
    let OnLattice { simd, constants, coordinates } = on;
    vectorised!(R, simd, plain: true, wide: false, token => {
        let splat = |x: R| R::Vector::splat(token, x);
        let ([a, b, c, d], [e, f, turned, exponent]) = (numbers[0], numbers[1]);
        let numbers = ExampleNumbers {
            per_edge: [splat(a), splat(b)],
            first: [splat(c), splat(d)],
            places: [splat(e), splat(f)],
            turned: splat(turned),
            exponent: splat(exponent),
        };
        let (columns, key) = (constants.columns(token), constants.key::<_, true>(token));
        for_vectors!(R, token, lane => {
            let ([x, y, _], [along, across, _]) = coordinates.vectors::<_, 2>(token, lane);
            let noise = blend(place, [x, y], [along, across], key, &numbers);
            out.store::<_, true>(token, lane, world::<_, true>(&columns, noise));
        });
    });
}
