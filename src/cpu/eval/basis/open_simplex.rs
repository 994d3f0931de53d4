//! OpenSimplex2 and OpenSimplex2S over a block. The lattice points of a vector's samples are hashed together if they are near each
//! other.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::{FourthCoordinate, OnLattice, each_in_four};
use crate::cpu::eval::patches::{Patches, PatchesOf};
use crate::cpu::lib::open_points::HashedPoints;
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::{frame, open_simplex};
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::OpenSimplexShape;

/// The noise in 2D or 3D.
pub fn block<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    shape: OpenSimplexShape,
    HashKey { seed, period }: HashKey<u32, PERIODIC>,
    patches: &mut Patches<R>,
    out: &mut JetBlock<R>,
) {
    let OnLattice { simd, constants, coordinates } = on;
    let of = PatchesOf { seed, period, dimensions: shape.dimensions as usize, smooth: shape.smooth };
    macro_rules! each {
        ($noise:ident, $dimensions:literal, $smooth:literal) => {
            vectorised!(R, simd, plain: PERIODIC, wide: WIDE && !PERIODIC, eight: $dimensions == 3, token => {
                let (columns, key) = (constants.columns(token), constants.key::<_, PERIODIC>(token));
                let hashed = HashedPoints::<_, $smooth, PERIODIC> { key };
                patches.begin(token, of, coordinates);
                for_vectors!(R, token, at => {
                    let (cell, fraction) = coordinates.vectors::<_, $dimensions>(token, at);
                    let patch = patches.around::<_, $dimensions, $smooth, PERIODIC>(token, coordinates, at, (cell, fraction), hashed);
                    let noise = match patch {
                        Some(patch) => open_simplex::$noise::<_, _, $smooth, GRADIENT>(cell, fraction, patch),
                        None => open_simplex::$noise::<_, _, $smooth, GRADIENT>(cell, fraction, hashed),
                    };
                    out.store::<_, GRADIENT>(token, at, frame::world::<_, GRADIENT>(&columns, noise));
                });
            })
        };
    }
    match (shape.dimensions, shape.smooth) {
        (2, false) => each!(plane, 2, false),
        (2, true) => each!(plane, 2, true),
        (_, false) => each!(space, 3, false),
        (_, true) => each!(space, 3, true),
    }
}

/// The noise in 4D.
pub fn four<R: Real, const GRADIENT: bool, const PERIODIC: bool>(
    on: OnLattice<'_, R>,
    fourth: FourthCoordinate<'_, R>,
    smooth: bool,
    out: &mut JetBlock<R>,
) {
    if smooth {
        each_in_four!(R, GRADIENT, PERIODIC, wide: false, on, fourth, out, (cell, fraction, key) => {
            open_simplex::four::<_, true, GRADIENT, PERIODIC>(cell, fraction, key)
        });
    } else {
        each_in_four!(R, GRADIENT, PERIODIC, wide: false, on, fourth, out, (cell, fraction, key) => {
            open_simplex::four::<_, false, GRADIENT, PERIODIC>(cell, fraction, key)
        });
    }
}
