//! The lattice noises over a block: which code runs for which basis.

use crate::cpu::eval::coordinates::{Cells, Coordinates, Linear, Site};
use crate::cpu::eval::evaluate::{Call, Evaluator, Registers};
use crate::cpu::eval::{cellular, strip};
use crate::cpu::lib::interpolate::{interpolate, interpolated};
use crate::cpu::lib::{frame, hexagonal, lattice, permutation289, simplex, skewed, white};
use crate::cpu::simd::block::{Block, each_lane, each_vector};
use crate::cpu::simd::vector::{Position, Token};
use crate::cpu::simd::{Dispatch, Real};
use crate::graph::Interpolation;
use crate::program::{Basis, OneLiner, Scalar};

impl<R: Real> Evaluator<'_, R> {
    /// A noise along a row in which nothing but x changes; false if this is none.
    fn row<const G: bool>(&self, basis: Basis, call: Call<'_, R>, frame: usize, registers: &mut Registers<R>, out: &mut Block<R>) -> bool {
        let (Site::Region { grids, tracks, index }, None, false) = (*call.site, call.displacement, call.simd.is_plain::<R>()) else {
            return false;
        };
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
        let linear = &self.numbers.frames[frame];
        let key = linear.hash_key::<W>();
        let position = self.coordinates(call, frame, basis.dimensions().min(3), registers);
        match basis {
            Basis::Simplex1 => each_vector!(simd, G, wide: !W, out, token, at => {
                let (cell, fraction) = position.vectors::<_, 1>(token, at);
                frame::world(&linear.splat(token), simplex::simplex_1([cell[0]], [fraction[0]], key))
            }),
            Basis::Simplex2 => each_vector!(simd, G, wide: !W, out, token, at => {
                let (cell, fraction) = position.vectors::<_, 2>(token, at);
                frame::world(&linear.splat(token), simplex::simplex_2(cell, fraction, key))
            }),
            Basis::Simplex3 => each_vector!(simd, G, wide: !W, out, token, at => {
                let (cell, fraction) = position.vectors::<_, 3>(token, at);
                frame::world(&linear.splat(token), simplex::simplex_3(cell, fraction, key))
            }),
            Basis::Simplex4 => {
                let (along, fourth) = (&self.numbers.frames[frame + 1], self.coordinates(call, frame + 1, 1, registers));
                each_vector!(simd, G, wide: !W, out, token, at => {
                    let (cell, fraction) = four(token, &position, &fourth, at);
                    frame::world_4(&linear.splat(token), &along.splat(token), skewed::simplex_4(cell, fraction, key))
                });
            }
            Basis::Value(4, kind) | Basis::Perlin(4, kind) => {
                let (fourth, sloped) = (self.coordinates(call, frame + 1, 1, registers), matches!(basis, Basis::Perlin(..)));
                tesseract::<R, W>(simd, linear, (&position, &fourth), (kind, sloped), out);
            }
            Basis::Value(1, kind) => cubic::<R, G, W, 1, false>(simd, linear, &position, kind, out),
            Basis::Value(2, kind) => cubic::<R, G, W, 2, false>(simd, linear, &position, kind, out),
            Basis::Value(_, kind) => cubic::<R, G, W, 3, false>(simd, linear, &position, kind, out),
            Basis::Perlin(1, kind) => cubic::<R, G, W, 1, true>(simd, linear, &position, kind, out),
            Basis::Perlin(2, kind) => cubic::<R, G, W, 2, true>(simd, linear, &position, kind, out),
            Basis::Perlin(_, kind) => cubic::<R, G, W, 3, true>(simd, linear, &position, kind, out),
            Basis::Worley(shape, Scalar(first)) => {
                let numbers = cellular::numbers(&self.numbers.scalars[first as usize..][..shape.numbers()]);
                cellular::block::<R, G, W>(simd, &position, linear, shape, numbers, out);
            }
            _ => {
                let at = registers.stored(position, simd, basis.dimensions());
                self.lanewise::<G, W>(simd, basis, linear, &at, out);
                registers.cells.push(at);
                return;
            }
        }
        registers.recycle(position);
    }

    /// Those noises that are written for one lane, or for a block as a whole.
    fn lanewise<const G: bool, const W: bool>(&self, simd: Dispatch, basis: Basis, linear: &Linear<R>, at: &Cells<R>, out: &mut Block<R>) {
        let key = linear.hash_key::<W>();
        match basis {
            Basis::Permutation289 => {
                each_lane!(simd, G, out, l => frame::world(&linear.columns, permutation289::simplex(at.cell(l), at.fraction(l), key)));
            }
            Basis::OneLiner(form, dimensions) => each_lane!(simd, G, out, l => {
                let cell = white::cell(at.cell(l), dimensions, key);
                match form {
                    OneLiner::Sine => white::sine(cell),
                    OneLiner::NestedSine => white::nested_sine(cell, dimensions),
                    OneLiner::NestedInteger => white::nested_integer(cell, dimensions),
                }
            }),
            Basis::Hexagonal => each_lane!(simd, G, out, l => hexagonal::hashed(at.cell(l), at.fraction(l), key)),
            Basis::HexagonalTables(span) => {
                let (start, count) = self.span(span);
                let tables = &self.numbers.series[start as usize..(start + count) as usize];
                each_lane!(simd, G, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
            }
            Basis::ValueTable(kind, span) => {
                let (start, count) = self.span(span);
                let table = &self.numbers.series[start as usize..(start + count) as usize];
                each_lane!(simd, G, out, l => {
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

/// Value noise, or with `SLOPED` Perlin noise.
fn cubic<R: Real, const G: bool, const W: bool, const N: usize, const SLOPED: bool>(
    simd: Dispatch,
    linear: &Linear<R>,
    position: &Coordinates<'_, R>,
    kind: Interpolation,
    out: &mut Block<R>,
) {
    let key = linear.hash_key::<W>();
    each_vector!(simd, G, wide: !W, out, token, at => {
        let (cells, fractions) = position.vectors::<_, N>(token, at);
        let (mut cell, mut f) = ([cells[0]; N], [fractions[0]; N]);
        for d in 1..N {
            (cell[d], f[d]) = (cells[d], fractions[d]);
        }
        frame::world(&linear.splat(token), lattice::noise::<_, N, SLOPED, W>(cell, f, key, interpolated(kind, f)))
    });
}

/// Value or Perlin noise in four dimensions, compiled with gradients only.
fn tesseract<R: Real, const W: bool>(
    simd: Dispatch,
    linear: &Linear<R>,
    (position, fourth): (&Coordinates<'_, R>, &Coordinates<'_, R>),
    (kind, sloped): (Interpolation, bool),
    out: &mut Block<R>,
) {
    const G: bool = true;
    let key = linear.hash_key::<W>();
    each_vector!(simd, G, wide: !W, out, token, at => {
        let (cell, f) = four(token, position, fourth, at);
        let weights = interpolated(kind, f);
        let noise = if sloped {
            lattice::noise::<_, 4, true, W>(cell, f, key, weights)
        } else {
            lattice::noise::<_, 4, false, W>(cell, f, key, weights)
        };
        frame::world(&linear.splat(token), noise)
    });
}

/// The coordinates from a lane on, the last from a frame of its own.
#[inline(always)]
fn four<R: Real, T: Token>(token: T, position: &Coordinates<'_, R>, fourth: &Coordinates<'_, R>, at: usize) -> Position<R, T, 4> {
    let (([x, y, z], [fx, fy, fz]), ([w, ..], [fw, ..])) = (position.vectors::<_, 3>(token, at), fourth.vectors::<_, 1>(token, at));
    ([x, y, z, w], [fx, fy, fz, fw])
}
