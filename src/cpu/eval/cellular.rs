//! Cellular noise over a block. Vectors whose lanes lie in few cells share lists of points; each of the others searches.

pub mod listed;

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::eval::route::WorleyNoise;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::worley::{BORDERS, BORDERS_BY_METRIC, BY_METRIC, SQUARES, Search, edge, ratio, squared, value};
use crate::cpu::simd::lanes::LANES;
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::{Scalar, WorleyOutput, WorleyShape};

/// The numbers of a noise besides its lattice.
#[derive(Clone, Copy)]
pub struct CellularNumbers<R> {
    pub jitter: R,
    /// Weights of the distances to the nearest points.
    pub weights: [R; 4],
}

impl<R: Real> CellularNumbers<R> {
    /// The numbers of a noise, from a program's scalars.
    pub fn new(WorleyNoise { shape, numbers: Scalar(first) }: WorleyNoise, scalars: &[R]) -> Self {
        let all = &scalars[first as usize..][..shape.numbers()];
        CellularNumbers { jitter: all[0], weights: std::array::from_fn(|k| all.get(k + 1).copied().unwrap_or_default()) }
    }
}

/// Computes a noise from a search for every vector of a block. `$plain`: whether it is compiled for one number at a time. `$wide`:
/// whether it is compiled for the widest instruction set.
macro_rules! each_search {
    ($plain:expr, $wide:expr, $n:literal, $key:expr, $GRADIENT:ident, $PERIODIC:tt, $over:expr, $search:ident, $weights:ident => $noise:expr) => {{
        let CellularBlock { on: OnLattice { simd, constants, coordinates }, shape, numbers: CellularNumbers { jitter, weights }, out, done } = $over;
        vectorised!(R, simd, plain: $plain, wide: $wide, token => {
            let splat = |x: R| R::Vector::splat(token, x);
            let (columns, key, jitter) = (constants.columns(token), constants.key::<_, $PERIODIC>(token), splat(jitter));
            let $weights = [splat(weights[0]), splat(weights[1]), splat(weights[2]), splat(weights[3])];
            for_vectors!(R, token, at => {
                if done[at] {
                    continue;
                }
                let (cell, fraction) = coordinates.vectors::<_, $n>(token, at);
                let $search = Search::<_, $n, { $key }, $PERIODIC>::new(cell, fraction, key, shape, jitter);
                out.store::<_, $GRADIENT>(token, at, world::<_, $GRADIENT>(&columns, $noise));
            });
        })
    }};
}

/// The parameters of a noise over a block, and its output.
pub struct CellularBlock<'a, R> {
    pub on: OnLattice<'a, R>,
    pub shape: WorleyShape,
    pub numbers: CellularNumbers<R>,
    pub out: &'a mut JetBlock<R>,
    /// Whether the vector from a lane on is computed.
    pub done: &'a mut [bool; LANES],
}

/// Distances to one or two points in 2D or 3D, compared by squares. Each combination is compiled separately.
pub fn nearest<R: Real, const GRADIENT: bool>(over: CellularBlock<'_, R>) {
    macro_rules! nearest {
        ($dimensions:literal, $nearest:literal) => {
            each_search!(false, WIDE, $dimensions, SQUARES, GRADIENT, false, over, search, weights => {
                search.weighted(&search.run::<$nearest, GRADIENT>(), weights)
            })
        };
    }
    match (over.shape.dimensions, over.shape.nearest) {
        (2, 1) => nearest!(2, 1),
        (2, _) => nearest!(2, 2),
        (_, 1) => nearest!(3, 1),
        (_, _) => nearest!(3, 2),
    }
}

/// Any combination. It searches more points than necessary, with gradients, and is not compiled for the widest instruction set.
pub fn any<R: Real, const PERIODIC: bool>(over: CellularBlock<'_, R>) {
    const GRADIENT: bool = true;
    macro_rules! rare {
        ($n:literal, $key:expr, $search:ident, $weights:ident => $noise:expr) => {
            each_search!(PERIODIC, false, $n, $key, GRADIENT, PERIODIC, over, $search, $weights => $noise)
        };
    }
    let shape = over.shape;
    match (shape.output, shape.dimensions) {
        // In 1D all metrics that are not squared equal the Euclidean one.
        (WorleyOutput::Distance, 1) => rare!(1, SQUARES, search, weights => search.weighted(&search.run::<4, true>(), weights)),
        (WorleyOutput::Cell, 1) => rare!(1, SQUARES, search, _weights => value(&search)),
        (WorleyOutput::Ratio, 1) => rare!(1, SQUARES, search, _weights => ratio(&search)),
        (WorleyOutput::Edge | WorleyOutput::Border, 1) => rare!(1, SQUARES, search, _weights => edge::<_, 1, SQUARES, BORDERS, _>(&search)),
        (WorleyOutput::Distance, 2) => rare!(2, BY_METRIC, search, weights => search.weighted(&search.run::<4, true>(), weights)),
        (WorleyOutput::Cell, 2) => rare!(2, BY_METRIC, search, _weights => value(&search)),
        (WorleyOutput::Ratio, 2) => rare!(2, BY_METRIC, search, _weights => ratio(&search)),
        (WorleyOutput::Edge | WorleyOutput::Border, 2) if squared(shape.metric) => {
            rare!(2, SQUARES, search, _weights => edge::<_, 2, SQUARES, BORDERS, _>(&search));
        }
        (WorleyOutput::Edge | WorleyOutput::Border, 2) => {
            rare!(2, BY_METRIC, search, _weights => edge::<_, 2, BY_METRIC, BORDERS_BY_METRIC, _>(&search));
        }
        (WorleyOutput::Distance, _) => rare!(3, BY_METRIC, search, weights => search.weighted(&search.run::<4, true>(), weights)),
        (WorleyOutput::Cell, _) => rare!(3, BY_METRIC, search, _weights => value(&search)),
        (WorleyOutput::Ratio, _) => rare!(3, BY_METRIC, search, _weights => ratio(&search)),
        (WorleyOutput::Edge | WorleyOutput::Border, _) if squared(shape.metric) => {
            rare!(3, SQUARES, search, _weights => edge::<_, 3, SQUARES, BORDERS, _>(&search));
        }
        (WorleyOutput::Edge | WorleyOutput::Border, _) => {
            rare!(3, BY_METRIC, search, _weights => edge::<_, 3, BY_METRIC, BORDERS_BY_METRIC, _>(&search));
        }
    }
}
