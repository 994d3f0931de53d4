//! Phasor noise over a block, each vector by itself: a noise on a lattice that also reads values.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::eval::route::ONE_VERSION;
use crate::cpu::lib::jet::each_axis;
use crate::cpu::lib::{frame, phasor};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, WIDE, for_vectors, vectorised};
use crate::program::PhasorProfile;

/// The inputs of phasor noise.
#[derive(Clone, Copy)]
pub struct Waves<'a, R> {
    pub profile: PhasorProfile,
    /// The direction.
    pub along: [&'a JetBlock<R>; 3],
    /// The factor of the frequency.
    pub frequency: &'a JetBlock<R>,
    /// Half the derivatives of these, per cell, if they vary.
    pub slopes: Option<[[&'a JetBlock<R>; 3]; 4]>,
    /// The waves per cell, and the numbers of the profile.
    pub numbers: [R; 4],
}

/// Computes the noise for every vector of a block. With periods it always has gradients, as it is rare.
pub fn block<R: Real, const GRADIENT: bool>(
    on: OnLattice<'_, R>,
    dimensions: u32,
    periodic: bool,
    waves: Waves<'_, R>,
    out: &mut JetBlock<R>,
) {
    match (dimensions, periodic || ONE_VERSION) {
        (2, false) => each::<R, 2, false, GRADIENT>(on, waves, out),
        (2, true) => each::<R, 2, true, true>(on, waves, out),
        (_, false) => each::<R, 3, false, GRADIENT>(on, waves, out),
        (_, true) => each::<R, 3, true, true>(on, waves, out),
    }
}

fn each<R: Real, const DIMENSIONS: usize, const PERIODIC: bool, const GRADIENT: bool>(
    on: OnLattice<'_, R>,
    waves: Waves<'_, R>,
    out: &mut JetBlock<R>,
) {
    let OnLattice { simd, constants, coordinates } = on;
    let Waves { profile, along, frequency, slopes, numbers } = waves;
    vectorised!(R, simd, plain: GRADIENT, wide: WIDE && !PERIODIC, token => {
        let (columns, key) = (constants.columns(token), constants.key::<_, PERIODIC>(token));
        let splat = |x: R| R::Vector::splat(token, x);
        let [per_cell, a, b, c] = [splat(numbers[0]), splat(numbers[1]), splat(numbers[2]), splat(numbers[3])];
        for_vectors!(R, token, at => {
            macro_rules! load {
                ($blocks:expr) => {
                    each_axis!(i => $blocks[i].load::<_, false>(token, at).value)
                };
            }
            let mut vary = None;
            if let Some([x, y, z, f]) = slopes {
                vary = Some([load!(x), load!(y), load!(z), load!(f)]);
            }
            let frequency = frequency.load::<_, false>(token, at).value;
            let waves = phasor::Waves { direction: load!(along), frequency, per_cell, slopes: vary };
            let place = coordinates.vectors::<_, DIMENSIONS>(token, at);
            let noise = phasor::noise::<_, DIMENSIONS, PERIODIC, GRADIENT>(place, key, profile, &waves, [a, b, c]);
            out.store::<_, GRADIENT>(token, at, frame::world::<_, GRADIENT>(&columns, noise));
        });
    });
}
