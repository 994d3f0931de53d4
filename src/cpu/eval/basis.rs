//! The lattice noises over a block: which code runs for which basis.

use crate::cpu::eval::abreast::Linears;
use crate::cpu::eval::coordinates::{Cells, Linear, Site};
use crate::cpu::eval::evaluate::{Call, Evaluator, Registers};
use crate::cpu::eval::{cellular, shared, strip};
use crate::cpu::lib::interpolate::{interpolate, interpolated};
use crate::cpu::lib::{frame, hexagonal, lattice, permutation289, simplex, skewed, white};
use crate::cpu::simd::block::{Block, each_lane, for_vectors};
use crate::cpu::simd::vector::{Position, Token};
use crate::cpu::simd::{Dispatch, Real, vectorised};
use crate::graph::Interpolation;
use crate::program::{Basis, OneLiner, Scalar};

impl<R: Real> Evaluator<'_, R> {
    /// A noise along a row in which nothing but x changes; false if this is none.
    fn row<const G: bool>(&self, basis: Basis, call: Call<'_, R>, frame: usize, registers: &mut Registers<R>, out: &mut Block<R>) -> bool {
        let (Site::Region { grids, tracks, index }, None, None) = (*call.site, call.displacement, call.abreast) else {
            return false;
        };
        if call.simd.is_plain::<R>() {
            return false;
        }
        let source = (&grids[frame], &tracks[frame], &self.numbers.frames[frame], &self.numbers.scalars[..]);
        strip::block::<R, G>(call.simd, basis, source, index, &mut registers.strips[frame], out)
    }

    pub(crate) fn lattice<const G: bool, const W: bool>(
        &self,
        basis: Basis,
        call: Call<'_, R>,
        frame: usize,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        if const { !W } && self.row::<G>(basis, call, frame, registers, out) {
            return;
        }
        let simd = call.simd;
        let linears = self.linears(call, frame);
        let cells = self.cells(call, frame, basis.dimensions().min(3), registers);
        match basis {
            Basis::Simplex1 => each_sample!(R, G, W, 1, simd, linears, cells, out, (cell, fraction, key) => {
                simplex::simplex_1([cell[0]], [fraction[0]], key)
            }),
            Basis::Simplex2 if shared::is_worth_it(call, frame) => shared::block::<R, G, W>(simd, &self.numbers.frames[frame], &cells, out),
            Basis::Simplex2 => each_sample!(R, G, W, 2, simd, linears, cells, out, (cell, fraction, key) => {
                simplex::simplex_2(cell, fraction, key)
            }),
            Basis::Simplex3 => each_sample!(R, G, W, 3, simd, linears, cells, out, (cell, fraction, key) => {
                simplex::simplex_3(cell, fraction, key)
            }),
            Basis::Simplex4 => {
                let (along, fourth) = (&self.numbers.frames[frame + 1], self.cells(call, frame + 1, 1, registers));
                vectorised!(R, simd, plain: W, wide: !W, token => {
                    let (columns, across, key) = (linears.columns(token), along.splat(token), linears.key::<_, W>(token));
                    for_vectors!(R, token, at => {
                        let (cell, fraction) = four::<R, _>(token, &cells, &fourth, at);
                        out.store::<_, G>(token, at, frame::world_4(&columns, &across, skewed::simplex_4(cell, fraction, key)));
                    });
                });
                registers.cells.push(fourth);
            }
            Basis::Value(4, kind) | Basis::Perlin(4, kind) => {
                let fourth = self.cells(call, frame + 1, 1, registers);
                let sloped = matches!(basis, Basis::Perlin(..));
                tesseract::<R, W>(simd, (linears, &cells), &fourth, (kind, sloped), out);
                registers.cells.push(fourth);
            }
            Basis::Value(1, kind) => cubic::<R, G, W, 1, false>(simd, linears, &cells, kind, out),
            Basis::Value(2, kind) => cubic::<R, G, W, 2, false>(simd, linears, &cells, kind, out),
            Basis::Value(_, kind) => cubic::<R, G, W, 3, false>(simd, linears, &cells, kind, out),
            Basis::Perlin(1, kind) => cubic::<R, G, W, 1, true>(simd, linears, &cells, kind, out),
            Basis::Perlin(2, kind) => cubic::<R, G, W, 2, true>(simd, linears, &cells, kind, out),
            Basis::Perlin(_, kind) => cubic::<R, G, W, 3, true>(simd, linears, &cells, kind, out),
            Basis::Worley(shape, Scalar(first)) => {
                let numbers = cellular::numbers(&self.numbers.scalars[first as usize..][..shape.numbers()]);
                cellular::block::<R, G, W>(cellular::Over { simd, cells: &cells, linears, shape, numbers, out });
            }
            _ => self.lanewise::<G, W>(simd, basis, &self.numbers.frames[frame], &cells, out),
        }
        registers.cells.push(cells);
    }

    /// Those noises that are written for one lane, or for a block as a whole.
    fn lanewise<const G: bool, const W: bool>(&self, simd: Dispatch, basis: Basis, linear: &Linear<R>, at: &Cells<R>, out: &mut Block<R>) {
        let key = linear.hash_key::<W>();
        match basis {
            Basis::Permutation289 => {
                each_lane!(simd, G, plain: W, out, l => frame::world(&linear.columns, permutation289::simplex(at.cell(l), at.fraction(l), key)));
            }
            Basis::OneLiner(form, dimensions) => each_lane!(simd, G, plain: W, out, l => {
                let cell = white::cell(at.cell(l), dimensions, key);
                match form {
                    OneLiner::Sine => white::sine(cell),
                    OneLiner::NestedSine => white::nested_sine(cell, dimensions),
                    OneLiner::NestedInteger => white::nested_integer(cell, dimensions),
                }
            }),
            Basis::Hexagonal => each_lane!(simd, G, plain: W, out, l => hexagonal::hashed(at.cell(l), at.fraction(l), key)),
            Basis::HexagonalTables(span) => {
                let (start, count) = self.span(span);
                let tables = &self.numbers.series[start as usize..(start + count) as usize];
                each_lane!(simd, G, plain: W, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
            }
            Basis::ValueTable(kind, span) => {
                let (start, count) = self.span(span);
                let table = &self.numbers.series[start as usize..(start + count) as usize];
                each_lane!(simd, G, plain: W, out, l => {
                    let ([cell, ..], [f, ..]) = (at.cell(l), at.fraction(l));
                    frame::world(&linear.columns, lattice::tabled(cell, f, key, table, interpolate(kind, f)))
                });
            }
            // The others are evaluated vector by vector.
            Basis::Simplex1 | Basis::Simplex2 | Basis::Simplex3 | Basis::Simplex4 => {}
            Basis::Value(..) | Basis::Perlin(..) | Basis::Worley(..) => {}
        }
    }
}

/// `out = noise`, given its place on a lattice, for every vector of a block. One number at a time is computed with periods only, of which there
/// may be none.
macro_rules! each_sample {
    ($R:ty, $G:ident, $W:ident, $N:tt, $simd:expr, $linears:expr, $cells:expr, $out:expr, ($cell:ident, $fraction:ident, $key:ident) => $noise:expr) => {
        vectorised!($R, $simd, plain: $W, wide: !$W, token => {
            let (columns, $key) = ($linears.columns(token), $linears.key::<_, $W>(token));
            for_vectors!($R, token, at => {
                let ($cell, $fraction) = $cells.vectors::<_, $N>(token, at);
                $out.store::<_, $G>(token, at, frame::world(&columns, $noise));
            });
        })
    };
}
use each_sample;

/// Value noise, or with `SLOPED` Perlin noise.
fn cubic<R: Real, const G: bool, const W: bool, const N: usize, const SLOPED: bool>(
    simd: Dispatch,
    linears: Linears<'_, R>,
    at: &Cells<R>,
    kind: Interpolation,
    out: &mut Block<R>,
) {
    each_sample!(R, G, W, N, simd, linears, at, out, (cells, fractions, key) => {
        let (mut cell, mut f) = ([cells[0]; N], [fractions[0]; N]);
        for d in 1..N {
            (cell[d], f[d]) = (cells[d], fractions[d]);
        }
        lattice::noise::<_, N, SLOPED, W>(cell, f, key, interpolated(kind, f))
    });
}

/// Value or Perlin noise in four dimensions, compiled with gradients only.
fn tesseract<R: Real, const W: bool>(
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
                lattice::noise::<_, 4, true, W>(cell, f, key, weights)
            } else {
                lattice::noise::<_, 4, false, W>(cell, f, key, weights)
            };
            out.store::<_, true>(token, at, frame::world(&columns, noise));
        });
    });
}

/// The coordinates from a lane on, the last from a frame of its own.
#[inline(always)]
fn four<R: Real, T: Token>(token: T, cells: &Cells<R>, fourth: &Cells<R>, at: usize) -> Position<R, T, 4> {
    let ([x, y, z], [fx, fy, fz]) = cells.vectors::<_, 3>(token, at);
    let ([w, ..], [fw, ..]) = fourth.vectors::<_, 1>(token, at);
    ([x, y, z, w], [fx, fy, fz, fw])
}
