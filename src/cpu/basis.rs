//! The lattice noises over a block: which code runs for which basis.

use super::block::{Block, each, packs};
use super::evaluate::{Evaluator, Place, Registers};
use super::frame::{self, Cells, Coordinates, Linear, Site};
use super::interpolate::interpolated;
use super::pack::{Machine, Position};
use super::real::Real;
use super::{hexagonal, lattice, octaves, permutation289, row, simplex, white, worley};
use crate::graph::Interpolation;
use crate::program::{Basis, Op, Scalar, ScopeId};
use fearless_simd::Level;

/// Compiled for every number of dimensions, and whether lattice points have slopes; the second number is how many functions a
/// column has.
macro_rules! by_shape {
    ($shape:expr, $G:ident, $run:ident) => {
        match $shape {
            (1, false) => $run!(1, 1, false),
            (1, true) => $run!(1, 1, true),
            (2, false) if $G => $run!(2, 2, false),
            (2, false) => $run!(2, 1, false),
            (2, true) if $G => $run!(2, 2, true),
            (2, true) => $run!(2, 1, true),
            (_, false) if $G => $run!(3, 3, false),
            (_, false) => $run!(3, 1, false),
            (_, true) if $G => $run!(3, 3, true),
            (_, true) => $run!(3, 1, true),
        }
    };
}

impl<R: Real> Evaluator<'_, R> {
    /// Value or Perlin noise along a row in which nothing but x changes; false if this is none.
    fn row<const G: bool>(&self, basis: Basis, here: Place<'_, R>, frame: usize, registers: &mut Registers<R>, out: &mut Block<R>) -> bool {
        let Some((rows, shape)) = self.rows(basis, here, frame, 1) else { return false };
        let strip = &mut registers.strips[frame];
        macro_rules! block {
            ($n:literal, $p:literal, $sloped:literal) => {
                row::block::<R, G, $n, $p, $sloped>(self.level, rows, strip, out)
            };
        }
        by_shape!(shape, G, block);
        true
    }

    /// The first of so many octaves that are such rows: their sum is in `out`, what they leave to the next in `weight`.
    pub(super) fn octave_rows<const G: bool>(
        &self,
        (body, count): (ScopeId, usize),
        sum: octaves::Sum<'_, R>,
        here: Place<'_, R>,
        registers: &mut Registers<R>,
        (out, weight): (&mut Block<R>, &mut Option<Block<R>>),
    ) -> usize {
        // The oracle need not be fast.
        if const { size_of::<R>() > 4 } {
            return 0;
        }
        let [Op::Lattice(basis, span)] = self.structure.scopes[body.0 as usize].ops[..] else { return 0 };
        if self.structure.periodic {
            return 0;
        }
        let first = self.span(span).0 as usize + here.row as usize * count;
        let Some((rows, shape)) = self.rows(basis, here, first, count) else { return 0 };
        let strips = &mut registers.strips[first..first + rows.grids.len()];
        macro_rules! octaves {
            ($n:literal, $p:literal, $sloped:literal) => {
                row::octaves::<R, G, $n, $p, $sloped>(self.level, rows, strips, sum, out, weight)
            };
        }
        by_shape!(shape, G, octaves);
        rows.grids.len()
    }

    /// The first of so many frames whose rows share what is computed, at least one.
    fn rows<'r>(
        &'r self,
        basis: Basis,
        Place { site, displacement, .. }: Place<'r, R>,
        frame: usize,
        count: usize,
    ) -> Option<(row::Rows<'r, R>, (u32, bool))> {
        let (Site::Region { grids, tracks, index }, None) = (*site, displacement) else { return None };
        let (dimensions, kind, sloped) = match basis {
            Basis::Value(dimensions @ 1..=3, kind) => (dimensions, kind, false),
            Basis::Perlin(dimensions @ 1..=3, kind) => (dimensions, kind, true),
            _ => return None,
        };
        let all = frame..frame + count;
        let coherent = tracks[all].iter().take_while(|track| track.coherent >= dimensions).count();
        let those = frame..frame + coherent;
        let rows =
            row::Rows { grids: &grids[those.clone()], tracks: &tracks[those.clone()], frames: &self.numbers.frames[those], kind, index };
        (coherent > 0).then_some((rows, (dimensions, sloped)))
    }

    pub(super) fn lattice<const G: bool, const W: bool>(
        &self,
        basis: Basis,
        here: Place<'_, R>,
        frame: usize,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        if !W && self.row::<G>(basis, here, frame, registers, out) {
            return;
        }
        let level = self.level;
        let linear = &self.numbers.frames[frame];
        let key = linear.key::<W>();
        let position = self.coordinates(here, frame, basis.dimensions().min(3));
        match basis {
            Basis::Simplex2 => packs!(level, G, out, machine, at => {
                let (cell, fraction) = position.packs::<_, 2>(machine, at);
                frame::world(&linear.packs(machine), simplex::simplex_2(cell, fraction, key))
            }),
            Basis::Simplex3 => packs!(level, G, out, machine, at => {
                let (cell, fraction) = position.packs::<_, 3>(machine, at);
                frame::world(&linear.packs(machine), simplex::simplex_3(cell, fraction, key))
            }),
            Basis::Simplex4 => {
                let (along, fourth) = (&self.numbers.frames[frame + 1], self.coordinates(here, frame + 1, 1));
                packs!(level, G, out, machine, at => {
                    let (cell, fraction) = four(machine, &position, &fourth, at);
                    frame::world_4(&linear.packs(machine), &along.packs(machine), simplex::simplex_4(cell, fraction, key))
                });
            }
            Basis::Value(4, kind) | Basis::Perlin(4, kind) => {
                let (fourth, sloped) = (self.coordinates(here, frame + 1, 1), matches!(basis, Basis::Perlin(..)));
                packs!(level, G, out, machine, at => {
                    let (cell, f) = four(machine, &position, &fourth, at);
                    let weights = interpolated(kind, f);
                    let noise = if sloped {
                        lattice::noise::<_, 4, true, W>(cell, f, key, weights)
                    } else {
                        lattice::noise::<_, 4, false, W>(cell, f, key, weights)
                    };
                    frame::world(&linear.packs(machine), noise)
                });
            }
            Basis::Value(1, kind) => cubic::<R, G, W, 1, false>(level, linear, &position, kind, out),
            Basis::Value(2, kind) => cubic::<R, G, W, 2, false>(level, linear, &position, kind, out),
            Basis::Value(_, kind) => cubic::<R, G, W, 3, false>(level, linear, &position, kind, out),
            Basis::Perlin(1, kind) => cubic::<R, G, W, 1, true>(level, linear, &position, kind, out),
            Basis::Perlin(2, kind) => cubic::<R, G, W, 2, true>(level, linear, &position, kind, out),
            Basis::Perlin(_, kind) => cubic::<R, G, W, 3, true>(level, linear, &position, kind, out),
            _ => {
                let at = self.stored(&position, basis.dimensions(), registers);
                self.lanewise::<G, W>(basis, linear, &at, out);
                registers.cells.push(at);
            }
        }
    }

    /// Those noises that are written for one lane, or for a block as a whole.
    fn lanewise<const G: bool, const W: bool>(&self, basis: Basis, linear: &Linear<R>, at: &Cells<R>, out: &mut Block<R>) {
        let (level, key) = (self.level, linear.key::<W>());
        match basis {
            Basis::Permutation289 => {
                each!(level, G, out, l => frame::world(&linear.columns, permutation289::simplex(at.cell(l), at.fraction(l), key)));
            }
            Basis::SineHash(1) => each!(level, G, out, l => white::sine::<R, 1, W>(at.cell(l), key)),
            Basis::SineHash(2) => each!(level, G, out, l => white::sine::<R, 2, W>(at.cell(l), key)),
            Basis::SineHash(_) => each!(level, G, out, l => white::sine::<R, 3, W>(at.cell(l), key)),
            Basis::Hexagonal => each!(level, G, out, l => hexagonal::hashed(at.cell(l), at.fraction(l), key)),
            Basis::HexagonalTables(span) => {
                let (start, count) = self.span(span);
                let tables = &self.numbers.series[start as usize..(start + count) as usize];
                each!(level, G, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
            }
            Basis::Worley(shape, Scalar(first)) => {
                worley::block::<R, G, W>(level, at, linear, shape, &self.numbers.scalars[first as usize..][..shape.numbers()], out);
            }
            // The others are evaluated pack by pack.
            Basis::Simplex2 | Basis::Simplex3 | Basis::Simplex4 | Basis::Value(..) | Basis::Perlin(..) => {}
        }
    }
}

/// Value noise, or with `SLOPED` Perlin noise.
fn cubic<R: Real, const G: bool, const W: bool, const N: usize, const SLOPED: bool>(
    level: Level,
    linear: &Linear<R>,
    position: &Coordinates<'_, R>,
    kind: Interpolation,
    out: &mut Block<R>,
) {
    let key = linear.key::<W>();
    packs!(level, G, out, machine, at => {
        let (cells, fractions) = position.packs::<_, N>(machine, at);
        let (mut cell, mut f) = ([cells[0]; N], [fractions[0]; N]);
        for d in 1..N {
            (cell[d], f[d]) = (cells[d], fractions[d]);
        }
        frame::world(&linear.packs(machine), lattice::noise::<_, N, SLOPED, W>(cell, f, key, interpolated(kind, f)))
    });
}

/// The coordinates from a lane on, the last from a frame of its own.
#[inline(always)]
fn four<R: Real, M: Machine>(machine: M, position: &Coordinates<'_, R>, fourth: &Coordinates<'_, R>, at: usize) -> Position<R, M, 4> {
    let (([x, y, z], [fx, fy, fz]), ([w, ..], [fw, ..])) = (position.packs::<_, 3>(machine, at), fourth.packs::<_, 1>(machine, at));
    ([x, y, z, w], [fx, fy, fz, fw])
}
