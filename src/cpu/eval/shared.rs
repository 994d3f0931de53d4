//! Simplex noise in 2D on a rotated or displaced lattice, whose rows share nothing. In a wide lattice, neighbours still often lie
//! in the same cell, whose points are then hashed once for all of them. With AVX-512, those around several cells are. The operations
//! are those of separate samples, so the bits are the same.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::constants::LatticeConstants;
use crate::cpu::eval::directions::{Directions, are_known};
use crate::cpu::eval::displaced::{Ahead, PlaneCoordinates};
use crate::cpu::lib::frame::world;
use crate::cpu::lib::simplex::{LINES_2, directed_2, next_to_2, simplex_2, within_2};
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, WIDE, for_vectors, vectorised};

/// The gradients at the points around a cell.
struct CellGradients<V> {
    cell: Option<[u32; 2]>,
    odd: V,
    gradients: [[V; 2]; 4],
}

impl<V: Number> CellGradients<V> {
    /// No points yet.
    #[inline(always)]
    fn none(zero: V) -> Self {
        CellGradients { cell: None, odd: zero, gradients: [[zero; 2]; 4] }
    }

    /// Hashes the points around a cell.
    #[inline(always)]
    fn find<R: Real<Vector<T> = V>, T: Token, const PERIODIC: bool>(&mut self, token: T, cell: [u32; 2], constants: &LatticeConstants<R>)
    where
        V: SimdVector<R, T>,
    {
        let mut lines = [0; CHUNK];
        lines[..LINES_2.len()].copy_from_slice(&LINES_2);
        let [i, j] = [V::splat_bits(token, cell[0]), V::splat_bits(token, cell[1])];
        let mut gradients = [[R::default(); CHUNK]; 2];
        let [x, y] = next_to_2::<V, PERIODIC>([i, j], V::load_bits(token, &lines, 0), constants.key(token));
        x.store(&mut gradients[0], 0);
        y.store(&mut gradients[1], 0);
        for (line, gradient) in self.gradients.iter_mut().enumerate() {
            *gradient = [V::splat(token, gradients[0][line]), V::splat(token, gradients[1][line])];
        }
        self.odd = V::of_signed((i ^ j) & i.constant(1));
        self.cell = Some(cell);
    }
}

/// Whether all lanes of a vector lie in the cell of its first lane.
#[inline(always)]
fn is_one<B: Bits>([i, j]: [B; 2], first: [u32; 2]) -> bool {
    !B::any(B::not(B::both(i.equals(i.constant(first[0])), j.equals(j.constant(first[1])))))
}

/// Fills a block, or adds to it with an amplitude.
pub fn block<R: Real, S: PlaneCoordinates<R>, const GRADIENT: bool, const PERIODIC: bool>(
    simd: Dispatch,
    constants: &LatticeConstants<R>,
    coordinates: S,
    directions: &mut Directions,
    amplitude: Option<R>,
    out: &mut JetBlock<R>,
) {
    vectorised!(R, simd, plain: false, wide: WIDE && !PERIODIC, token => {
        let (mut coordinates, amplitude) = (Ahead::new(token, coordinates), amplitude);
        let (columns, key) = (constants.splat(token), constants.key::<_, PERIODIC>(token));
        let mut around = CellGradients::none(R::Vector::splat(token, R::default()));
        let known = are_known::<R, _>(token);
        if known {
            directions.begin(constants.hash_key());
        }
        for_vectors!(R, token, at => {
            let ([i, j, k], [x, y, z]) = coordinates.vectors(at);
            let simplex = simplex_2::<_, GRADIENT, PERIODIC>;
            let noise = if known {
                match directions.around::<R, _, PERIODIC>(token, at, [i, j], key) {
                    Some(found) => directed_2::<_, GRADIENT>([i, j], [x, y], found),
                    None => simplex([i, j, k], [x, y, z], key),
                }
            } else {
                let first = [i.first(), j.first()];
                if is_one([i, j], first) {
                    if around.cell != Some(first) {
                        around.find::<R, _, PERIODIC>(token, first, constants);
                    }
                    within_2::<_, GRADIENT>([x, y], around.odd, around.gradients)
                } else {
                    simplex([i, j, k], [x, y, z], key)
                }
            };
            out.add_or_store::<_, GRADIENT>(token, at, amplitude, world::<_, GRADIENT>(&columns, noise));
        });
    });
}
