//! The lattice noises over a block: which code runs for which basis. These are functions and not methods of [`Evaluator`]: the compiler takes
//! all methods of a type together, and a change of one formula would compile every operation anew.

mod cubic;
mod simplex;
mod single;

use crate::cpu::eval::coordinates::{Cells, Site};
use crate::cpu::eval::displaced::Source;
use crate::cpu::eval::evaluate::{Call, Evaluator, Registers};
use crate::cpu::eval::{cellular, shared, strip};
use crate::cpu::simd::Real;
use crate::cpu::simd::block::Block;
use crate::cpu::simd::vector::{Position, Token};
use crate::program::{Basis, Scalar};

/// `out = noise`, given its place on a lattice, for every vector of a block. One number at a time is computed with periods only, of which there
/// may be none.
macro_rules! each_sample {
    ($R:ty, $G:ident, $W:ident, $N:tt, $simd:expr, $linears:expr, $cells:expr, $out:expr, ($cell:ident, $fraction:ident, $key:ident) => $noise:expr) => {
        vectorised!($R, $simd, plain: $W, wide: !$W, token => {
            let (columns, $key) = ($linears.columns(token), $linears.key::<_, $W>(token));
            for_vectors!($R, token, at => {
                let ($cell, $fraction) = $cells.vectors::<_, $N>(token, at);
                $out.store::<_, $G>(token, at, frame::world::<_, $G>(&columns, $noise));
            });
        })
    };
}
use each_sample;

/// Lattices beyond which none keeps what its rows share: that is some 150 KB for each of them and each thread.
const MOST_STRIPS: usize = 2048;

/// A noise along a row in which nothing but x changes, as [`strip::block`] has it; nothing if there is no code for that.
fn row<R: Real, const G: bool>(
    evaluator: &Evaluator<'_, R>,
    basis: Basis,
    call: Call<'_, R>,
    frame: usize,
    registers: &mut Registers<R>,
    amplitude: Option<R>,
    out: &mut Block<R>,
) -> Option<bool> {
    let (Site::Region { grids, tracks, index }, None, None) = (*call.site, call.displacement, call.abreast) else {
        return None;
    };
    let numbers = evaluator.numbers;
    if call.simd.is_plain::<R>() || numbers.frames.len() > MOST_STRIPS {
        return None;
    }
    let source = (&grids[frame], &tracks[frame], &numbers.frames[frame], &numbers.scalars[..]);
    strip::block::<R, G>(call.simd, basis, source, index, &mut registers.strips[frame], amplitude, out)
}

/// A noise on the lattice of this frame; with an amplitude, added to what the block holds, or false if there is no code for that.
pub fn lattice<R: Real, const G: bool, const W: bool>(
    evaluator: &Evaluator<'_, R>,
    basis: Basis,
    call: Call<'_, R>,
    frame: usize,
    registers: &mut Registers<R>,
    amplitude: Option<R>,
    out: &mut Block<R>,
) -> bool {
    if const { !W }
        && let Some(done) = row::<R, G>(evaluator, basis, call, frame, registers, amplitude, out)
    {
        return done;
    }
    if amplitude.is_some() && basis != Basis::Simplex2 {
        return false;
    }
    let simd = call.simd;
    let linears = evaluator.linears(call, frame);
    // Known when this is compiled: where nothing is displaced in vectors, no code is made for it.
    if const { !W && size_of::<R>() == 4 }
        && basis == Basis::Simplex2
        && !simd.is_plain::<R>()
        && let Some(displaced) = evaluator.displaced(call, frame, registers)
    {
        plane::<R, _, G, W>(evaluator, (call, frame), displaced, amplitude, out);
        return true;
    }
    let cells = evaluator.cells(call, frame, basis.dimensions().min(3), registers);
    match basis {
        Basis::Simplex1 => simplex::line::<R, G, W>(simd, linears, &cells, out),
        Basis::Simplex2 => plane::<R, _, G, W>(evaluator, (call, frame), &*cells, amplitude, out),
        Basis::Simplex3 => simplex::space::<R, G, W>(simd, linears, &cells, out),
        Basis::Permutation289 => simplex::document::<R, G, W>(simd, linears, &cells, out),
        Basis::Simplex4 | Basis::Value(4, _) | Basis::Perlin(4, _) => {
            let fourth = evaluator.cells(call, frame + 1, 1, registers);
            match basis {
                Basis::Value(_, kind) => cubic::tesseract::<R, W>(simd, (linears, &cells), &fourth, (kind, false), out),
                Basis::Perlin(_, kind) => cubic::tesseract::<R, W>(simd, (linears, &cells), &fourth, (kind, true), out),
                _ => simplex::four::<R, G, W>(simd, (linears, &cells), (&evaluator.numbers.frames[frame + 1], &fourth), out),
            }
            registers.cells.push(fourth);
        }
        Basis::Value(1, kind) => cubic::block::<R, G, W, 1, false>(simd, linears, &cells, kind, out),
        Basis::Value(2, kind) => cubic::block::<R, G, W, 2, false>(simd, linears, &cells, kind, out),
        Basis::Value(_, kind) => cubic::block::<R, G, W, 3, false>(simd, linears, &cells, kind, out),
        Basis::Perlin(1, kind) => cubic::block::<R, G, W, 1, true>(simd, linears, &cells, kind, out),
        Basis::Perlin(2, kind) => cubic::block::<R, G, W, 2, true>(simd, linears, &cells, kind, out),
        Basis::Perlin(_, kind) => cubic::block::<R, G, W, 3, true>(simd, linears, &cells, kind, out),
        Basis::Worley(shape, Scalar(first)) => {
            let numbers = cellular::numbers(&evaluator.numbers.scalars[first as usize..][..shape.numbers()]);
            cellular::block::<R, G, W>(cellular::Over { simd, cells: &cells, linears, shape, numbers, out });
        }
        _ => single::block::<R, G, W>(evaluator, call, basis, frame, &cells, out),
    }
    registers.cells.push(cells);
    true
}

/// Simplex noise in 2D, wherever its coordinates come from.
fn plane<R: Real, S: Source<R>, const G: bool, const W: bool>(
    evaluator: &Evaluator<'_, R>,
    (call, frame): (Call<'_, R>, usize),
    source: S,
    amplitude: Option<R>,
    out: &mut Block<R>,
) {
    if shared::is_worth_it(call, frame) {
        shared::block::<R, _, G, W>(call.simd, &evaluator.numbers.frames[frame], source, amplitude, out);
    } else {
        simplex::plane::<R, _, G, W>(call.simd, evaluator.linears(call, frame), source, amplitude, out);
    }
}

/// The coordinates from a lane on, the last from a frame of its own.
#[inline(always)]
fn four<R: Real, T: Token>(token: T, cells: &Cells<R>, fourth: &Cells<R>, at: usize) -> Position<R, T, 4> {
    let ([x, y, z], [fx, fy, fz]) = cells.vectors::<_, 3>(token, at);
    let ([w, ..], [fw, ..]) = fourth.vectors::<_, 1>(token, at);
    ([x, y, z, w], [fx, fy, fz, fw])
}
