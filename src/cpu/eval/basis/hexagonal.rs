//! Maps of hexagons over a block. All samples in a hexagon have its value, so neighbours share it. These noises are rare, so they are
//! compiled once, with gradients and periods.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::lib::hexagonal::{self, hexagon};
use crate::cpu::lib::jet::constant;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::Bits;
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::real::{BitsOf, width};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, for_vectors, vectorised};
use std::cell::Cell;

/// Whether all lanes have the same two words.
#[inline(always)]
fn all<B: Bits>([x, y]: [B; 2], words: [u32; 2]) -> bool {
    let same = B::both(x.equals(x.constant(words[0])), y.equals(y.constant(words[1])));
    !B::any(B::not(same))
}

/// Values by the hash. A vector in the hexagon of the sample before it has that sample's value.
// Not inlined, since it is the same for scopes with and without gradients.
#[inline(never)]
pub fn hashed<R: Real>(on: OnLattice<'_, R>, out: &mut JetBlock<R>) {
    let OnLattice { simd, constants, coordinates } = on;
    vectorised!(R, simd, plain: true, wide: false, token => {
        let key = constants.key::<_, true>(token);
        let mut before = None;
        for_vectors!(R, token, at => {
            let ([x, y, _], [along, across, _]) = coordinates.vectors::<_, 2>(token, at);
            let hexagons = hexagon([x, y], [along, across]);
            let first = [hexagons[0].first(), hexagons[1].first()];
            let shared = all(hexagons, first);
            let value = match before {
                Some((hexagon, value)) if shared && hexagon == first => value,
                _ => hexagonal::hashed(hexagons, key),
            };
            before = Some(if shared { (first, value) } else { last::<R, _>(token, hexagons, value) });
            out.store::<_, true>(token, at, constant(value));
        });
    });
}

/// The hexagon of the last lane, and its value in every lane.
#[inline(always)]
fn last<R: Real, T: Token>(token: T, [x, y]: [BitsOf<R, T>; 2], value: R::Vector<T>) -> ([u32; 2], R::Vector<T>) {
    let (mut words, mut values) = ([[0; CHUNK]; 2], [R::default(); CHUNK]);
    x.store(&mut words[0], 0);
    y.store(&mut words[1], 0);
    value.store(&mut values, 0);
    let lane = width::<R, T>(token) - 1;
    ([words[0][lane], words[1][lane]], R::Vector::splat(token, values[lane]))
}

/// Values by tables. A sample in the hexagon of the one before has its value.
// Not inlined, as above.
#[inline(never)]
pub fn tabled<R: Real>(on: OnLattice<'_, R>, key: HashKey<u32, true>, tables: &[R], out: &mut JetBlock<R>) {
    let OnLattice { simd, coordinates, .. } = on;
    let before: Cell<Option<([u32; 2], R)>> = Cell::new(None);
    let value = |hexagon: [u32; 2]| {
        let value = match before.get() {
            Some((last, value)) if last == hexagon => value,
            _ => hexagonal::tabled(hexagon, tables, key),
        };
        before.set(Some((hexagon, value)));
        [value]
    };
    vectorised!(R, simd, plain: true, wide: false, token => {
        for_vectors!(R, token, at => {
            let ([x, y, _], [along, across, _]) = coordinates.vectors::<_, 2>(token, at);
            let [value] = R::Vector::found(hexagon([x, y], [along, across]), value);
            out.store::<_, true>(token, at, constant(value));
        });
    });
}
