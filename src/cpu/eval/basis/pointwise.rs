//! The noises that compute every sample by itself, over a block.

use super::with_fourth;
use crate::cpu::eval::basis::simplex::four;
use crate::cpu::eval::block::{JetBlock, each_lane};
use crate::cpu::eval::memory::Registers;
use crate::cpu::eval::on_lattice::{OnLattice, each_sample};
use crate::cpu::eval::route::LatticeCall;
use crate::cpu::lib::interpolate::interpolate;
use crate::cpu::lib::{frame, hexagonal, lattice, permutation289, simplex, white};
use crate::cpu::simd::{Real, for_vectors, vectorised};
use crate::program::{OneLiner, Pointwise};

/// Computes a noise for every sample: by [`each_sample`] if its formula is written for vectors, and by [`each_lane`] if it is
/// written for one sample.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    of: &LatticeCall<'_, R>,
    noise: Pointwise,
    on: OnLattice<'_, R>,
    registers: &mut Registers<R>,
    out: &mut JetBlock<R>,
) {
    let (simd, constants, at) = (on.simd, of.constants(), on.coordinates);
    let key = constants.hash_key::<PERIODIC>();
    match noise {
        Pointwise::Simplex1 => each_sample!(R, GRADIENT, PERIODIC, 1, on, out, (cell, fraction, key) => {
            simplex::simplex_1::<_, GRADIENT, PERIODIC>([cell[0]], [fraction[0]], key)
        }),
        Pointwise::Simplex4 => with_fourth(of, registers, |fourth| four::<R, GRADIENT, PERIODIC>(on, fourth, out)),
        Pointwise::Permutation289 => each_sample!(R, GRADIENT, PERIODIC, 3, on, out, (cell, fraction, key) => {
            permutation289::simplex::<_, GRADIENT, PERIODIC>(cell, fraction, key)
        }),
        Pointwise::ValueTable(kind, table) => {
            let table = of.numbers.series(table);
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => {
                let ([cell, ..], [f, ..]) = (at.cell(l), at.fraction(l));
                frame::world::<_, GRADIENT>(&constants.columns, lattice::tabled(cell, f, key, table, interpolate(kind, f)))
            });
        }
        Pointwise::OneLiner(form, dimensions) => each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => {
            let cell = white::cell(at.cell(l), dimensions, key);
            match form {
                OneLiner::Sine => white::sine(cell),
                OneLiner::NestedSine => white::nested_sine(cell, dimensions),
                OneLiner::NestedInteger => white::nested_integer(cell, dimensions),
            }
        }),
        Pointwise::Hexagonal => {
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => hexagonal::hashed(at.cell(l), at.fraction(l), key));
        }
        Pointwise::HexagonalTables(tables) => {
            let tables = of.numbers.series(tables);
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
        }
    }
}
