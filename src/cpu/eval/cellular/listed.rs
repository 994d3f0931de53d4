//! Cellular noise from lists of points, for vectors whose lanes lie in few cells. All other vectors search.

use crate::cpu::eval::cellular::CellularBlock;
use crate::cpu::eval::lists::{CellLists, ListsOf};
use crate::cpu::eval::near::{first_lanes, inside, select};
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::cells::{self, Bordered, nearest_of};
use crate::cpu::lib::frame::world;
use crate::cpu::lib::jet;
use crate::cpu::lib::worley::{BY_METRIC, SQUARES, Search, quotient, squared, total};
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::{BitsOf, width};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, WIDE, for_vectors, unrolled, vectorised};
use crate::program::WorleyOutput;

/// Most points inside whose borders a vector is computed.
const MOST_INSIDE: usize = 6;

/// Computes vectors whose lanes lie in few cells, and marks them. `gradient`: whether gradients are stored.
pub fn block<R: Real>(over: &mut CellularBlock<'_, R>, lists: &mut CellLists<R>, of: ListsOf<R>, gradient: bool) {
    lists.begin(of);
    match (of.shape.output, of.shape.dimensions, of.shape.nearest) {
        (WorleyOutput::Edge | WorleyOutput::Border, 2, _) if squared(of.shape.metric) => edges::<R, 2, SQUARES>(over, lists, gradient),
        (WorleyOutput::Edge | WorleyOutput::Border, 2, _) => edges::<R, 2, BY_METRIC>(over, lists, gradient),
        (WorleyOutput::Edge | WorleyOutput::Border, ..) if squared(of.shape.metric) => edges::<R, 3, SQUARES>(over, lists, gradient),
        (WorleyOutput::Edge | WorleyOutput::Border, ..) => edges::<R, 3, BY_METRIC>(over, lists, gradient),
        (_, 2, 1..=2) => distances::<R, 2, 2>(over, lists, gradient),
        (_, 2, _) => distances::<R, 2, 4>(over, lists, gradient),
        (_, _, 1..=2) => distances::<R, 3, 2>(over, lists, gradient),
        (..) => distances::<R, 3, 4>(over, lists, gradient),
    }
}

/// Distances to borders.
fn edges<R: Real, const DIMENSIONS: usize, const KEYS: u8>(over: &mut CellularBlock<'_, R>, lists: &mut CellLists<R>, gradient: bool) {
    let CellularBlock { on: OnLattice { simd, constants, coordinates }, shape, numbers, out, done } = over;
    vectorised!(R, *simd, plain: false, wide: WIDE, token => {
        let (columns, key) = (constants.columns(token), constants.key::<_, false>(token));
        let (jitter, zero) = (R::Vector::splat(token, numbers.jitter), R::Vector::splat(token, R::default()));
        for_vectors!(R, token, at => 'vector: {
            let (own_cells, fraction) = coordinates.vectors::<_, DIMENSIONS>(token, at);
            let search = Search::<_, DIMENSIONS, KEYS, false>::new(own_cells, fraction, key, *shape, jitter);
            let Some((firsts, count)) = first_lanes::<BitsOf<R, _>, DIMENSIONS>(own_cells, width::<R, _>(token), |lane| {
                coordinates.first::<DIMENSIONS>(at + lane)
            }) else { break 'vector };
            let (mut nearest, mut id) = (zero, own_cells[0]);
            for &lane in &firsts[..count] {
                let cell = coordinates.first::<DIMENSIONS>(at + lane);
                let Some(points) = lists.points::<DIMENSIONS, KEYS>(cell) else { break 'vector };
                let own = nearest_of::<R, _, DIMENSIONS, KEYS, false, 1>(token, &search, points);
                let mask = inside::<BitsOf<R, _>, DIMENSIONS>(own_cells, cell);
                nearest = R::Vector::select(nearest, own.key[0], mask);
                id = BitsOf::<R, _>::select(id, own.id[0], mask);
            }
            // The cells of the nearest points.
            let (mut steps, mut cells, mut each) = (search.at, own_cells, [[0; CHUNK]; 3]);
            let o = search.steps(id);
            unrolled!(i in 0..DIMENSIONS => {
                (steps[i], cells[i]) = (R::Vector::of_signed(o[i]), own_cells[i].plus(o[i]));
                cells[i].store(&mut each[i], 0);
            });
            let mut samples = Bordered::new(search.at, nearest, steps);
            let mut left = u32::MAX >> (32 - width::<R, _>(token));
            for _ in 0..MOST_INSIDE {
                let lane = left.trailing_zeros() as usize % CHUNK;
                let cell = [each[0][lane], each[1][lane], each[2][lane]];
                let Some(borders) = lists.borders::<DIMENSIONS, KEYS>(cell) else { break 'vector };
                let mask = inside::<BitsOf<R, _>, DIMENSIONS>(cells, cell);
                let is_found = match KEYS {
                    SQUARES => samples.find::<R, _>(token, borders, mask),
                    _ => samples.find_by_metric::<R, _>(token, shape.metric, borders, mask),
                };
                if !is_found {
                    break 'vector;
                }
                left &= !BitsOf::<R, _>::lanes(mask);
                if left == 0 {
                    break;
                }
            }
            if left != 0 {
                break 'vector;
            }
            let border = samples.measure::<KEYS>(shape.metric);
            if gradient {
                out.store::<_, true>(token, at, world::<_, true>(&columns, border));
            } else {
                out.store::<_, false>(token, at, border);
            }
            done[at] = true;
        });
    });
}

/// All other outputs, from up to `NEAREST` nearest points.
fn distances<R: Real, const DIMENSIONS: usize, const NEAREST: usize>(
    over: &mut CellularBlock<'_, R>,
    lists: &mut CellLists<R>,
    gradient: bool,
) {
    let CellularBlock { on: OnLattice { simd, constants, coordinates }, shape, numbers, out, done } = over;
    vectorised!(R, *simd, plain: false, wide: WIDE, token => {
        let (columns, key) = (constants.columns(token), constants.key::<_, false>(token));
        let (jitter, zero) = (R::Vector::splat(token, numbers.jitter), R::Vector::splat(token, R::default()));
        let [a, b, c, d] = numbers.weights;
        // Distances that are read; others have the weight 0.
        let measures = if shape.output == WorleyOutput::Cell { 0 } else { shape.nearest as usize };
        let weights = [R::Vector::splat(token, a), R::Vector::splat(token, b), R::Vector::splat(token, c), R::Vector::splat(token, d)];
        for_vectors!(R, token, at => 'vector: {
            let (own_cells, fraction) = coordinates.vectors::<_, DIMENSIONS>(token, at);
            let search = Search::<_, DIMENSIONS, BY_METRIC, false>::new(own_cells, fraction, key, *shape, jitter);
            let Some((firsts, count)) = first_lanes::<BitsOf<R, _>, DIMENSIONS>(own_cells, width::<R, _>(token), |lane| {
                coordinates.first::<DIMENSIONS>(at + lane)
            }) else { break 'vector };
            let mut noise = jet::constant(zero);
            for &lane in &firsts[..count] {
                let cell = coordinates.first::<DIMENSIONS>(at + lane);
                let Some(points) = lists.points::<DIMENSIONS, BY_METRIC>(cell) else { break 'vector };
                let found = nearest_of::<R, _, DIMENSIONS, BY_METRIC, false, NEAREST>(token, &search, points);
                let mut measured = [jet::constant(zero); NEAREST];
                unrolled!(k in 0..NEAREST => {
                    measured[k] = if k >= measures {
                        jet::constant(zero)
                    } else if gradient {
                        search.measured(found.key[k], cells::offset_of(token, search.at, points, found.id[k]))
                    } else {
                        jet::constant(search.distance(found.key[k]))
                    };
                });
                let own = match shape.output {
                    WorleyOutput::Cell => jet::constant(cells::number_of(token, points, found.id[0])),
                    WorleyOutput::Ratio => quotient(measured[0], measured[1]),
                    WorleyOutput::Distance | WorleyOutput::Edge | WorleyOutput::Border => total(&measured, weights),
                };
                noise = select(noise, own, inside::<BitsOf<R, _>, DIMENSIONS>(own_cells, cell));
            }
            if gradient {
                out.store::<_, true>(token, at, world::<_, true>(&columns, noise));
            } else {
                out.store::<_, false>(token, at, noise);
            }
            done[at] = true;
        });
    });
}
