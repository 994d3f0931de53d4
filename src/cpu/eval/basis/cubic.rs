//! Value and Perlin noise over a block.

use super::{each_sample, four};
use crate::cpu::eval::abreast::Linears;
use crate::cpu::eval::coordinates::Cells;
use crate::cpu::lib::interpolate::interpolated;
use crate::cpu::lib::{frame, lattice};
use crate::cpu::simd::block::{Block, for_vectors};
use crate::cpu::simd::{Dispatch, Real, unrolled, vectorised};
use crate::node::Interpolation;

/// Value noise, or with `SLOPED` Perlin noise.
pub fn block<R: Real, const G: bool, const W: bool, const N: usize, const SLOPED: bool>(
    simd: Dispatch,
    linears: Linears<'_, R>,
    at: &Cells<R>,
    kind: Interpolation,
    out: &mut Block<R>,
) {
    each_sample!(R, G, W, N, simd, linears, at, out, (cells, fractions, key) => {
        let (mut cell, mut f) = ([cells[0]; N], [fractions[0]; N]);
        unrolled!(d in 1..N => {
            (cell[d], f[d]) = (cells[d], fractions[d]);
        });
        lattice::noise::<_, N, SLOPED, G, W>(cell, f, key, interpolated(kind, f))
    });
}

/// Value or Perlin noise in four dimensions, compiled with gradients only.
pub fn tesseract<R: Real, const W: bool>(
    simd: Dispatch,
    (linears, cells): (Linears<'_, R>, &Cells<R>),
    fourth: &Cells<R>,
    (kind, sloped): (Interpolation, bool),
    out: &mut Block<R>,
) {
    vectorised!(R, simd, plain: W, wide: !W, token => {
        let (columns, key) = (linears.columns(token), linears.key::<_, W>(token));
        for_vectors!(R, token, at => {
            let (cell, f) = four::<R, _>(token, cells, fourth, at);
            let weights = interpolated(kind, f);
            let noise = if sloped {
                lattice::noise::<_, 4, true, true, W>(cell, f, key, weights)
            } else {
                lattice::noise::<_, 4, false, true, W>(cell, f, key, weights)
            };
            out.store::<_, true>(token, at, frame::world::<_, true>(&columns, noise));
        });
    });
}
