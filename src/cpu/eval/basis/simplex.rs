//! Simplex noise over a block, where its rows share nothing.

use super::{each_sample, four as places};
use crate::cpu::eval::abreast::Linears;
use crate::cpu::eval::coordinates::{Cells, Linear};
use crate::cpu::eval::displaced::{Ahead, Source};
use crate::cpu::lib::{frame, permutation289, simplex, skewed};
use crate::cpu::simd::block::{Block, for_vectors};
use crate::cpu::simd::{Dispatch, Real, vectorised};

/// In one dimension.
pub fn line<R: Real, const G: bool, const W: bool>(simd: Dispatch, linears: Linears<'_, R>, cells: &Cells<R>, out: &mut Block<R>) {
    each_sample!(R, G, W, 1, simd, linears, cells, out, (cell, fraction, key) => simplex::simplex_1::<_, G, W>([cell[0]], [fraction[0]], key));
}

/// In two; with an amplitude, added to what the block holds.
pub fn plane<R: Real, S: Source<R>, const G: bool, const W: bool>(
    simd: Dispatch,
    linears: Linears<'_, R>,
    source: S,
    amplitude: Option<R>,
    out: &mut Block<R>,
) {
    vectorised!(R, simd, plain: W, wide: !W, token => {
        let (mut coordinates, amplitude) = (Ahead::new(token, source), amplitude);
        let (columns, key) = (linears.columns(token), linears.key::<_, W>(token));
        for_vectors!(R, token, at => {
            let (cell, fraction) = coordinates.vectors(at);
            let noise = simplex::simplex_2::<_, G, W>(cell, fraction, key);
            out.put::<_, G>(token, at, amplitude, frame::world::<_, G>(&columns, noise));
        });
    });
}

/// In three.
pub fn space<R: Real, const G: bool, const W: bool>(simd: Dispatch, linears: Linears<'_, R>, cells: &Cells<R>, out: &mut Block<R>) {
    each_sample!(R, G, W, 3, simd, linears, cells, out, (cell, fraction, key) => simplex::simplex_3::<_, G, W>(cell, fraction, key));
}

/// The terrain shader's, in three.
pub fn document<R: Real, const G: bool, const W: bool>(simd: Dispatch, linears: Linears<'_, R>, cells: &Cells<R>, out: &mut Block<R>) {
    each_sample!(R, G, W, 3, simd, linears, cells, out, (cell, fraction, key) => permutation289::simplex::<_, G, W>(cell, fraction, key));
}

/// In four, the last from a frame of its own.
pub fn four<R: Real, const G: bool, const W: bool>(
    simd: Dispatch,
    (linears, cells): (Linears<'_, R>, &Cells<R>),
    (along, fourth): (&Linear<R>, &Cells<R>),
    out: &mut Block<R>,
) {
    vectorised!(R, simd, plain: W, wide: !W, token => {
        let (columns, across, key) = (linears.columns(token), along.splat(token), linears.key::<_, W>(token));
        for_vectors!(R, token, at => {
            let (cell, fraction) = places::<R, _>(token, cells, fourth, at);
            out.store::<_, G>(token, at, frame::world_4::<_, G>(&columns, &across, skewed::simplex_4::<_, G, W>(cell, fraction, key)));
        });
    });
}
