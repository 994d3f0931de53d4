//! Those noises that are written for one sample, over a block.

use crate::cpu::eval::coordinates::Cells;
use crate::cpu::eval::evaluate::{Call, Evaluator};
use crate::cpu::lib::interpolate::interpolate;
use crate::cpu::lib::{frame, hexagonal, lattice, white};
use crate::cpu::simd::Real;
use crate::cpu::simd::block::{Block, each_lane};
use crate::program::{Basis, OneLiner};

/// A noise for every sample.
pub fn block<R: Real, const G: bool, const W: bool>(
    evaluator: &Evaluator<'_, R>,
    call: Call<'_, R>,
    basis: Basis,
    frame: usize,
    at: &Cells<R>,
    out: &mut Block<R>,
) {
    let (simd, linear) = (call.simd, &evaluator.numbers.frames[frame]);
    let key = linear.hash_key::<W>();
    match basis {
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
            let (start, count) = evaluator.span(span);
            let tables = &evaluator.numbers.series[start as usize..(start + count) as usize];
            each_lane!(simd, G, plain: W, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
        }
        Basis::ValueTable(kind, span) => {
            let (start, count) = evaluator.span(span);
            let table = &evaluator.numbers.series[start as usize..(start + count) as usize];
            each_lane!(simd, G, plain: W, out, l => {
                let ([cell, ..], [f, ..]) = (at.cell(l), at.fraction(l));
                frame::world::<_, G>(&linear.columns, lattice::tabled(cell, f, key, table, interpolate(kind, f)))
            });
        }
        // The others are evaluated vector by vector.
        Basis::Simplex1 | Basis::Simplex2 | Basis::Simplex3 | Basis::Simplex4 | Basis::Permutation289 => {}
        Basis::Value(..) | Basis::Perlin(..) | Basis::Worley(..) => {}
    }
}
