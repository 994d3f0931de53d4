//! The lattice noises over a block, by the routes that were chosen for them. These are functions rather than methods of the
//! evaluator. The compiler puts all methods of a type into one unit, so a change of one formula would recompile every operation.

mod craters;
mod cubic;
mod fastnoise;
mod flow;
mod hexagonal;
pub(super) mod open_simplex;
mod pointwise;
mod simplex;
mod smooth_cells;

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::cellular::{self, CellularBlock, CellularNumbers};
use crate::cpu::eval::directions::Directions;
use crate::cpu::eval::displaced::{Displaced, PlaneCoordinates};
use crate::cpu::eval::lists::ListsOf;
use crate::cpu::eval::memory::Registers;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice};
#[cfg(test)]
use crate::cpu::eval::route;
use crate::cpu::eval::route::{EachRoute, LatticeCall, ONE_VERSION, PlaneRoute, RareRoute, Route, WorleyNoise};
use crate::cpu::eval::{shared, strip};
use crate::cpu::simd::Real;
use crate::cpu::simd::lanes::LANES;

/// Fills a block with a noise, by its [route](LatticeCall::route). With an amplitude it adds to the block's values, which the
/// route must support ([`LatticeCall::adds`]). `GRADIENT`: whether the scope computes gradients.
#[inline(always)]
pub fn run<R: Real, const GRADIENT: bool>(
    lattice: &LatticeCall<'_, R>,
    route: Route,
    registers: &mut Registers<R>,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    #[cfg(test)]
    registers.trace.push(route::ChosenRoute::Lattice { route, added: amplitude.is_some() });
    // The first condition is constant, so the oracle has no second version.
    if const { size_of::<R>() != 4 } || lattice.is_general() {
        block::<R, true, true>(lattice, route, registers, amplitude, out);
    } else {
        block::<R, GRADIENT, false>(lattice, route, registers, amplitude, out);
    }
}

fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    lattice: &LatticeCall<'_, R>,
    route: Route,
    registers: &mut Registers<R>,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    match route {
        // The condition is constant: no code is generated for rows that are never chosen.
        Route::Rows(route) => {
            if const { !PERIODIC } {
                strip::block::<R, GRADIENT>(lattice, route, &mut registers.strips[lattice.frame], amplitude, out);
            } else {
                unreachable!("invariant: general code does not go by rows");
            }
        }
        Route::Plane(route) => plane::<R, GRADIENT, PERIODIC>(lattice, route, registers, amplitude, out),
        Route::Each(route) => each::<R, GRADIENT, PERIODIC>(lattice, route, registers, out),
    }
}

/// Simplex noise in 2D, with computed or stored coordinates.
fn plane<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    lattice: &LatticeCall<'_, R>,
    route: PlaneRoute,
    registers: &mut Registers<R>,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    if route.computed {
        if const { !PERIODIC } {
            let displaced = Displaced::new(*lattice.call, lattice.frame, lattice.constants(), &mut registers.row_caches[lattice.frame]);
            let coordinates = displaced.expect("invariant: this route is chosen for displaced rows of a region");
            plane_at::<R, _, GRADIENT, PERIODIC>(lattice, route, coordinates, &mut registers.directions[lattice.frame], amplitude, out);
        } else {
            unreachable!("invariant: general code stores coordinates");
        }
        return;
    }
    let coordinates = registers.coordinates(*lattice.call, lattice.frame, 2, lattice.numbers);
    plane_at::<R, _, GRADIENT, PERIODIC>(lattice, route, &*coordinates, &mut registers.directions[lattice.frame], amplitude, out);
    registers.keep_coordinates(coordinates);
}

fn plane_at<R: Real, S: PlaneCoordinates<R>, const GRADIENT: bool, const PERIODIC: bool>(
    lattice: &LatticeCall<'_, R>,
    route: PlaneRoute,
    coordinates: S,
    directions: &mut Directions,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    let simd = lattice.call.simd;
    if route.shared {
        shared::block::<R, _, GRADIENT, PERIODIC>(simd, lattice.constants(), coordinates, directions, amplitude, out);
    } else {
        simplex::plane::<R, _, GRADIENT, PERIODIC>(simd, lattice.lane_constants(), coordinates, amplitude, out);
    }
}

/// Noises whose samples share nothing.
fn each<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    lattice: &LatticeCall<'_, R>,
    route: EachRoute,
    registers: &mut Registers<R>,
    out: &mut JetBlock<R>,
) {
    let LatticeCall { basis, frame, call, numbers, .. } = *lattice;
    let coordinates = registers.coordinates(*call, frame, basis.dimensions().min(3), numbers);
    let on = OnLattice { simd: call.simd, constants: lattice.lane_constants(), coordinates: &coordinates };
    match route {
        EachRoute::Simplex3 => simplex::space::<R, GRADIENT, PERIODIC>(on, out),
        EachRoute::Cubic(noise) => cubic::block::<R, GRADIENT, PERIODIC>(on, noise, out),
        EachRoute::Nearest(noise) => {
            if const { !PERIODIC } {
                listed(lattice, noise, on, registers, out, cellular::nearest::<R, GRADIENT>);
            } else {
                unreachable!("invariant: general code searches for any shape");
            }
        }
        EachRoute::Rare(route) => {
            if const { ONE_VERSION } {
                rare::<R, true, true>(lattice, route, on, registers, out);
            } else {
                rare::<R, GRADIENT, PERIODIC>(lattice, route, on, registers, out);
            }
        }
    }
    registers.keep_coordinates(coordinates);
}

/// The rarer of them.
fn rare<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    lattice: &LatticeCall<'_, R>,
    route: RareRoute,
    on: OnLattice<'_, R>,
    registers: &mut Registers<R>,
    out: &mut JetBlock<R>,
) {
    match route {
        RareRoute::Pointwise(noise) => pointwise::block::<R, GRADIENT, PERIODIC>(lattice, noise, on, registers, out),
        RareRoute::Cubic4(noise) => with_fourth(lattice, registers, |fourth| cubic::four::<R, PERIODIC>(on, fourth, noise, out)),
        RareRoute::TurningSimplex(dimensions) => {
            with_fourth(lattice, registers, |fourth| flow::simplex::<R, GRADIENT, PERIODIC>(on, fourth, dimensions, out));
        }
        RareRoute::TurningPerlin(dimensions, kind) => {
            with_fourth(lattice, registers, |fourth| flow::perlin::<R, GRADIENT, PERIODIC>(on, fourth, (dimensions, kind), out));
        }
        RareRoute::Cellular(noise) => {
            listed(lattice, noise, on, registers, out, cellular::any::<R, PERIODIC>);
        }
    }
}

/// Cellular noise from lists of points, as far as its vectors lie in few cells, and the rest by a search.
fn listed<R: Real>(
    lattice: &LatticeCall<'_, R>,
    noise: WorleyNoise,
    on: OnLattice<'_, R>,
    registers: &mut Registers<R>,
    out: &mut JetBlock<R>,
    search: impl FnOnce(CellularBlock<'_, R>),
) {
    let (numbers, shape, mut done) = (CellularNumbers::new(noise, &lattice.numbers.scalars), noise.shape, [false; LANES]);
    let mut over = CellularBlock { on, shape, numbers, out, done: &mut done };
    if const { size_of::<R>() == 4 } && lattice.shares_lists(shape) {
        let of = ListsOf { key: lattice.constants().hash_key(), shape, jitter: numbers.jitter };
        cellular::listed::block(&mut over, &mut registers.lists[lattice.frame], of, lattice.gradient);
    }
    search(over);
}

/// Calls a function with the fourth coordinate of a noise.
fn with_fourth<R: Real>(lattice: &LatticeCall<'_, R>, registers: &mut Registers<R>, block: impl FnOnce(FourthCoordinate<'_, R>)) {
    let (frame, numbers) = (lattice.frame + 1, lattice.numbers);
    let coordinates = registers.coordinates(*lattice.call, frame, 1, numbers);
    block(FourthCoordinate { constants: &numbers.lattices[frame], coordinates: &coordinates });
    registers.keep_coordinates(coordinates);
}
