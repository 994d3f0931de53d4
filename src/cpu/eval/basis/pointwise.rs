//! The noises that compute every sample by itself, or share little, over a block.

use crate::cpu::eval::basis::{craters, fastnoise, hexagonal, open_simplex, smooth_cells, with_fourth};
use crate::cpu::eval::block::{JetBlock, each_lane};
use crate::cpu::eval::memory::Registers;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice, each_in_four, each_sample};
use crate::cpu::eval::route::LatticeCall;
use crate::cpu::lib::interpolate::interpolate;
use crate::cpu::lib::{beds, frame, lattice, permutation289, simplex, skewed, white};
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::{BedOutput, FastnoiseNumber, OneLiner, Pointwise, Scalar};

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
        Pointwise::Simplex4 => with_fourth(of, registers, |fourth| simplex_4::<R, GRADIENT, PERIODIC>(on, fourth, out)),
        Pointwise::OpenSimplex(shape) if shape.dimensions == 4 => {
            with_fourth(of, registers, |fourth| open_simplex::four::<R, GRADIENT, PERIODIC>(on, fourth, shape.smooth, out));
        }
        Pointwise::OpenSimplex(shape) => {
            open_simplex::block::<R, GRADIENT, PERIODIC>(on, shape, key, &mut registers.patches[of.frame], out);
        }
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
        Pointwise::SmoothCells(shape, Scalar(first)) => {
            let numbers = std::array::from_fn(|k| of.numbers.scalars[first as usize + k]);
            smooth_cells::block::<R, GRADIENT, PERIODIC>(on, shape, numbers, key, &mut registers.near[of.frame], out);
        }
        Pointwise::Craters(shape, Scalar(first)) => {
            let numbers = &of.numbers.scalars[first as usize..][..shape.numbers()];
            craters::block::<R, PERIODIC>(on, shape, numbers, out);
        }
        Pointwise::Beds(output, numbers) => {
            let [irregular, per_blend, variation, _] = of.numbers.four(numbers);
            let hardness = output == BedOutput::Hardness;
            each_lane!(simd, GRADIENT, plain: PERIODIC, out, l => {
                let ([cell, ..], [f, ..]) = (at.cell(l), at.fraction(l));
                let noise = beds::beds(cell, f, key, beds::Numbers { irregular, per_blend, variation }, hardness);
                frame::world::<_, GRADIENT>(&constants.columns, noise)
            });
        }
        Pointwise::Fastnoise(shape, Scalar(first), vectors) => {
            let first = first as usize;
            let scalars = &of.numbers.scalars[first..first + FastnoiseNumber::COUNT];
            let numbers = fastnoise::Numbers { scalars, vectors: of.numbers.series(vectors) };
            fastnoise::block::<R, GRADIENT, PERIODIC>(on, shape, numbers, out);
        }
        Pointwise::Hexagonal => hexagonal::hashed(on, out),
        Pointwise::HexagonalTables(tables) => hexagonal::tabled(on, constants.hash_key(), of.numbers.series(tables), out),
    }
}

fn simplex_4<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    fourth: FourthCoordinate<'_, R>,
    out: &mut JetBlock<R>,
) {
    each_in_four!(R, GRADIENT, PERIODIC, wide: WIDE && !PERIODIC, on, fourth, out, (cell, fraction, key) => {
        skewed::simplex_4::<_, GRADIENT, PERIODIC>(cell, fraction, key)
    });
}
