//! Smooth cells over a block, each vector by itself.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::smooth_cells::{Numbers, noise};
use crate::cpu::lib::worley::{BY_METRIC, SQUARES, Search};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, for_vectors, vectorised};
use crate::program::{SmoothShape, WorleyOutput, WorleyShape};

/// Computes the noise for every vector. Its numbers are jitter, variation, reach and exponent.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    shape: SmoothShape,
    numbers: [R; 4],
    out: &mut JetBlock<R>,
) {
    let OnLattice { simd, constants, coordinates } = on;
    let SmoothShape { dimensions, metric, .. } = shape;
    let points = WorleyShape { dimensions, metric, output: WorleyOutput::Distance, nearest: 1 };
    macro_rules! each {
        ($n:literal, $keys:expr) => {
            vectorised!(R, simd, plain: PERIODIC, wide: false, token => {
                let splat = |x: R| R::Vector::splat(token, x);
                let (columns, key, jitter) = (constants.columns(token), constants.key::<_, PERIODIC>(token), splat(numbers[0]));
                let numbers = Numbers { variation: splat(numbers[1]), reach: splat(numbers[2]), exponent: splat(numbers[3]) };
                for_vectors!(R, token, at => {
                    let (cell, fraction) = coordinates.vectors::<_, $n>(token, at);
                    let search = Search::<_, $n, { $keys }, PERIODIC>::new(cell, fraction, key, points, jitter);
                    let mean = noise::<_, $n, { $keys }, PERIODIC, GRADIENT>(&search, shape, numbers);
                    out.store::<_, GRADIENT>(token, at, world::<_, GRADIENT>(&columns, mean));
                });
            })
        };
    }
    match dimensions {
        // In 1D all metrics that are not squared equal the Euclidean one.
        1 => each!(1, SQUARES),
        2 => each!(2, BY_METRIC),
        _ => each!(3, BY_METRIC),
    }
}
