//! Simplex noise in 2D where a lattice is turned or displaced, so that rows share nothing: neighbours often lie in one cell of a wide lattice
//! still, and its points are hashed once for them. The same operations as for each by itself, so the same bits.

use crate::cpu::eval::coordinates::{Linear, Site};
use crate::cpu::eval::displaced::{Ahead, Source};
use crate::cpu::eval::evaluate::Call;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::simplex::{LINES_2, next_to_2, simplex_2, within_2};
use crate::cpu::simd::block::{Block, CHUNK, for_vectors};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, vectorised};
use crate::frame::Fixed;

/// Cells from a sample to the next up to which chunks look whether they lie in one: displaced, the ends of a chunk are often a cell apart where
/// they were half of one.
const WIDE: Fixed = (1 << 63) / CHUNK as Fixed;

/// Whether vectors of a call may lie in one cell of a frame's lattice often enough.
pub fn is_worth_it<R: Real>(call: Call<'_, R>, frame: usize) -> bool {
    let Site::Region { grids, .. } = *call.site else { return false };
    let grid = &grids[frame];
    let wide = grid.samples == [0; 3] && grid.step[0][..2].iter().all(|step| (-WIDE..=WIDE).contains(step));
    wide && call.abreast.is_none() && !call.simd.is_plain::<R>()
}

/// The points around a cell.
struct Around<V> {
    cell: Option<[u32; 2]>,
    odd: V,
    gradients: [[V; 2]; 4],
}

impl<V: Number> Around<V> {
    /// None yet.
    #[inline(always)]
    fn none(zero: V) -> Self {
        Around { cell: None, odd: zero, gradients: [[zero; 2]; 4] }
    }

    /// Those around a cell.
    #[inline(always)]
    fn find<R: Real<Vector<T> = V>, T: Token, const W: bool>(&mut self, token: T, cell: [u32; 2], linear: &Linear<R>)
    where
        V: SimdVector<R, T>,
    {
        let mut lines = [0; CHUNK];
        lines[..LINES_2.len()].copy_from_slice(&LINES_2);
        let [i, j] = [V::splat_bits(token, cell[0]), V::splat_bits(token, cell[1])];
        let mut gradients = [[R::default(); CHUNK]; 2];
        let [x, y] = next_to_2::<V, W>([i, j], V::load_bits(token, &lines, 0), linear.key(token));
        x.store(&mut gradients[0], 0);
        y.store(&mut gradients[1], 0);
        for (line, gradient) in self.gradients.iter_mut().enumerate() {
            *gradient = [V::splat(token, gradients[0][line]), V::splat(token, gradients[1][line])];
        }
        self.odd = V::of_signed((i ^ j) & i.constant(1));
        self.cell = Some(cell);
    }
}

/// Whether all lanes of a vector are in the cell of its first.
#[inline(always)]
fn is_one<B: Bits>([i, j]: [B; 2], first: [u32; 2]) -> bool {
    !B::any(B::not(B::both(i.equals(i.constant(first[0])), j.equals(j.constant(first[1])))))
}

/// Fills a block, or with an amplitude, adds to one.
pub fn block<R: Real, S: Source<R>, const G: bool, const W: bool>(
    simd: Dispatch,
    linear: &Linear<R>,
    source: S,
    amplitude: Option<R>,
    out: &mut Block<R>,
) {
    vectorised!(R, simd, plain: false, wide: !W, token => {
        let (mut coordinates, amplitude) = (Ahead::new(token, source), amplitude);
        let (columns, key) = (linear.splat(token), linear.key::<_, W>(token));
        let mut around = Around::none(R::Vector::splat(token, R::default()));
        for_vectors!(R, token, at => {
            let ([i, j, k], [x, y, z]) = coordinates.vectors(at);
            let first = [i.first(), j.first()];
            let noise = if is_one([i, j], first) {
                if around.cell != Some(first) {
                    around.find::<R, _, W>(token, first, linear);
                }
                within_2::<_, G>([x, y], around.odd, around.gradients)
            } else {
                simplex_2::<_, G, W>([i, j, k], [x, y, z], key)
            };
            out.put::<_, G>(token, at, amplitude, world::<_, G>(&columns, noise));
        });
    });
}
