//! Cellular noise over a block: which code runs for which shape.

use crate::cpu::eval::abreast::Linears;
use crate::cpu::eval::coordinates::Cells;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::worley::{BY_METRIC, SQUARES, Search, edge, squared, value};
use crate::cpu::simd::block::{Block, for_vectors};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Dispatch, Real, vectorised};
use crate::node::WorleyOutput;
use crate::program::WorleyShape;

/// The jitter and the weights.
pub type Numbers<R> = (R, [R; 4]);

/// Those that a shape reads.
pub fn numbers<R: Real>(all: &[R]) -> Numbers<R> {
    (all[0], std::array::from_fn(|k| all.get(k + 1).copied().unwrap_or_default()))
}

/// A noise for every vector of a block, out of a search. `$plain`, `$wide`: whether it is compiled one number at a time, and for the widest
/// instruction set.
macro_rules! each_search {
    ($plain:expr, $wide:literal, $n:literal, $key:expr, $G:ident, $W:ident, $over:expr, $search:ident, $weights:ident => $noise:expr) => {{
        let Over { simd, cells, linears, shape, numbers: (jitter, weights), out } = $over;
        vectorised!(R, simd, plain: $plain, wide: $wide, token => {
            let splat = |x: R| R::Vector::splat(token, x);
            let (columns, key, jitter) = (linears.columns(token), linears.key::<_, $W>(token), splat(jitter));
            let $weights = [splat(weights[0]), splat(weights[1]), splat(weights[2]), splat(weights[3])];
            for_vectors!(R, token, at => {
                let (cell, fraction) = cells.vectors::<_, $n>(token, at);
                let $search = Search::<_, $n, { $key }, $W>::new(cell, fraction, key, shape, jitter);
                out.store::<_, $G>(token, at, world::<_, $G>(&columns, $noise));
            });
        })
    }};
}

/// What is computed, and where.
pub struct Over<'a, R> {
    pub simd: Dispatch,
    pub cells: &'a Cells<R>,
    pub linears: Linears<'a, R>,
    pub shape: WorleyShape,
    pub numbers: Numbers<R>,
    pub out: &'a mut Block<R>,
}

/// Cellular noise for a block. Usual combinations are compiled on their own.
pub fn block<R: Real, const G: bool, const W: bool>(over: Over<'_, R>) {
    macro_rules! usual {
        ($n:literal, $k:literal) => {
            each_search!(false, true, $n, SQUARES, G, W, over, search, weights => search.weighted(&search.run::<$k, G>(), weights))
        };
    }
    let shape = over.shape;
    if const { !W } && !over.simd.is_plain::<R>() {
        match (shape.output, shape.dimensions, squared(shape.metric), shape.nearest) {
            (WorleyOutput::Distance, 2, true, 1) => return usual!(2, 1),
            (WorleyOutput::Distance, 2, true, 2) => return usual!(2, 2),
            (WorleyOutput::Distance, 3, true, 1) => return usual!(3, 1),
            (WorleyOutput::Distance, 3, true, 2) => return usual!(3, 2),
            _ => {}
        }
    }
    rare::<R, W>(over);
}

/// Rarer combinations look for more than they need, with gradients, and not for the widest instruction set.
fn rare<R: Real, const W: bool>(over: Over<'_, R>) {
    const GRADIENT: bool = true;
    macro_rules! rare {
        ($n:literal, $key:expr, $search:ident, $weights:ident => $noise:expr) => {
            each_search!(W, false, $n, $key, GRADIENT, W, over, $search, $weights => $noise)
        };
    }
    let shape = over.shape;
    match (shape.output, shape.dimensions) {
        // In 1D all metrics that are not squared are the Euclidean one.
        (WorleyOutput::Distance, 1) => rare!(1, SQUARES, search, weights => search.weighted(&search.run::<4, true>(), weights)),
        (WorleyOutput::Cell, 1) => rare!(1, SQUARES, search, _weights => value(&search)),
        (WorleyOutput::Edge, 1) => rare!(1, SQUARES, search, _weights => edge(&search)),
        (WorleyOutput::Distance, 2) => rare!(2, BY_METRIC, search, weights => search.weighted(&search.run::<4, true>(), weights)),
        (WorleyOutput::Cell, 2) => rare!(2, BY_METRIC, search, _weights => value(&search)),
        (WorleyOutput::Edge, 2) => rare!(2, SQUARES, search, _weights => edge(&search)),
        (WorleyOutput::Distance, _) => rare!(3, BY_METRIC, search, weights => search.weighted(&search.run::<4, true>(), weights)),
        (WorleyOutput::Cell, _) => rare!(3, BY_METRIC, search, _weights => value(&search)),
        (WorleyOutput::Edge, _) => rare!(3, SQUARES, search, _weights => edge(&search)),
    }
}
