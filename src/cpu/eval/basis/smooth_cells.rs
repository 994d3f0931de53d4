//! Smooth cells over a block. The points around a cell are read by all vectors of which some lanes lie in it. Vectors whose lanes lie
//! in many cells hash the points of each lane.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::near::{NearPoints, PointsOf, first_lanes, inside, select};
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::smooth_cells::{Numbers, noise, noise_near};
use crate::cpu::lib::worley::{BY_METRIC, SQUARES, Search};
use crate::cpu::simd::real::{BitsOf, width};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::{SmoothShape, WorleyOutput, WorleyShape};

/// Computes the noise for every vector. Its numbers are jitter, variation, reach and exponent.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    shape: SmoothShape,
    numbers: [R; 4],
    key: HashKey<u32, PERIODIC>,
    near: &mut NearPoints<R>,
    out: &mut JetBlock<R>,
) {
    let OnLattice { simd, constants, coordinates } = on;
    let SmoothShape { dimensions, metric, .. } = shape;
    let points = WorleyShape { dimensions, metric, output: WorleyOutput::Distance, nearest: 1 };
    let [jitter, variation, reach, exponent] = numbers;
    let HashKey { seed, period } = key;
    let of = PointsOf { seed, period, shape: points, jitter, variation, reach };
    macro_rules! each {
        ($n:literal, $keys:expr) => {
            vectorised!(R, simd, plain: PERIODIC, wide: WIDE && !PERIODIC, token => {
                let splat = |x: R| R::Vector::splat(token, x);
                let (columns, key, jitter) = (constants.columns(token), constants.key::<_, PERIODIC>(token), splat(jitter));
                let numbers = Numbers { variation: splat(variation), reach: splat(reach), exponent: splat(exponent) };
                // A few samples do not share enough.
                let shared = width::<R, _>(token) > 1 && !simd.is_few::<R>();
                if shared {
                    near.begin::<$n, { $keys }, PERIODIC>(of);
                }
                for_vectors!(R, token, at => {
                    let (cells, fraction) = coordinates.vectors::<_, $n>(token, at);
                    let cell = |lane: usize| coordinates.first::<$n>(at + lane);
                    let firsts = if shared { first_lanes::<BitsOf<R, _>, $n>(cells, width::<R, _>(token), cell) } else { None };
                    let search = Search::<_, $n, { $keys }, PERIODIC>::new(cells, fraction, key, points, jitter);
                    let mean = match firsts {
                        Some((firsts, count)) => {
                            let mut mean = jet::constant(splat(R::default()));
                            for &lane in &firsts[..count] {
                                let points = near.of::<$n, { $keys }, PERIODIC>(cell(lane));
                                let own = noise_near::<R, _, $n, { $keys }, PERIODIC, GRADIENT>(token, &search, points, shape, numbers);
                                mean = select(mean, own, inside::<BitsOf<R, _>, $n>(cells, cell(lane)));
                            }
                            mean
                        }
                        None => noise::<_, $n, { $keys }, PERIODIC, GRADIENT>(&search, shape, numbers),
                    };
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
