//! Craters over a block, each vector by itself. They are rare, so they are compiled with gradients only.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::craters::{Numbers, craters};
use crate::cpu::lib::frame::world;
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::{CraterShape, MOST_CRATER_SIZES};

/// Computes the noise for every vector. Its numbers are those of [`Numbers`], with one for each class of size.
// Not inlined, since it is the same for scopes with and without gradients.
#[inline(never)]
pub fn block<R: Real, const PERIODIC: bool>(on: OnLattice<'_, R>, shape: CraterShape, numbers: &[R], out: &mut JetBlock<R>) {
    let OnLattice { simd, constants, coordinates } = on;
    let sizes = (0..MOST_CRATER_SIZES).filter(|&k| R::of(k as f64) < numbers[6]).count();
    vectorised!(R, simd, plain: PERIODIC, wide: WIDE && !PERIODIC, token => {
        let number = |k: usize| R::Vector::splat(token, numbers[k]);
        let (columns, key) = (constants.columns(token), constants.key::<_, PERIODIC>(token));
        let numbers = Numbers {
            depth: number(0),
            rim: number(1),
            edge: number(2),
            per_ejecta: number(3),
            wear: number(4),
            peak: number(5),
            frequent: [number(7), number(8), number(9), number(10), number(11), number(12), number(13)],
        };
        for_vectors!(R, token, at => {
            let (cell, fraction) = coordinates.vectors::<_, 2>(token, at);
            let noise = craters::<_, PERIODIC>(cell, fraction, key, sizes, shape, numbers);
            out.store::<_, true>(token, at, world::<_, true>(&columns, noise));
        });
    });
}
