//! Noises whose formulas are written for one sample, over a block.

use crate::cpu::eval::block::{JetBlock, each_lane};
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::eval::route::{LaneNoise, LatticeCall};
use crate::cpu::lib::interpolate::interpolate;
use crate::cpu::lib::{frame, hexagonal, lattice, white};
use crate::cpu::simd::Real;
use crate::program::OneLiner;

/// Computes a noise for every sample.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    of: &LatticeCall<'_, R>,
    noise: LaneNoise,
    at: &LatticeCoordinates<R>,
    out: &mut JetBlock<R>,
) {
    let (simd, constants) = (of.call.simd, of.constants());
    let key = constants.hash_key::<PERIODIC>();
    match noise {
        LaneNoise::OneLiner(form, dimensions) => each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => {
            let cell = white::cell(at.cell(l), dimensions, key);
            match form {
                OneLiner::Sine => white::sine(cell),
                OneLiner::NestedSine => white::nested_sine(cell, dimensions),
                OneLiner::NestedInteger => white::nested_integer(cell, dimensions),
            }
        }),
        LaneNoise::Hexagonal => {
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => hexagonal::hashed(at.cell(l), at.fraction(l), key));
        }
        LaneNoise::HexagonalTables(tables) => {
            let tables = of.numbers.series(tables);
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
        }
        LaneNoise::ValueTable(kind, table) => {
            let table = of.numbers.series(table);
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => {
                let ([cell, ..], [f, ..]) = (at.cell(l), at.fraction(l));
                frame::world::<_, GRADIENT>(&constants.columns, lattice::tabled(cell, f, key, table, interpolate(kind, f)))
            });
        }
    }
}
