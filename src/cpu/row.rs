//! Coherence along a row: where a frame's other coordinates stand still, cubic lattices are blended along them once per column of
//! lattice points instead of once per sample. The same operations in the same order, so the same bits.

use super::block::{Block, LANES, Lanes};
use super::frame::{self, Linear, advance};
use super::interpolate::{Weight, interpolate};
use super::lattice::{Column, column_at, joined};
use super::real::Real;
use crate::frame::{Fixed, Grid};
use crate::graph::Interpolation;
use fearless_simd::{Level, dispatch};

/// Columns that a block may span: a power of two, so that indices can be masked instead of checked.
const COLUMNS: usize = 128;
/// Lanes that are looked at together: those within one cell share their columns.
const CHUNK: usize = 16;

/// Columns as structure of arrays, in chunks: slope and constant of the value, and with `P` above 1 of its derivatives.
struct Table<R, const P: usize> {
    slope: [[[R; CHUNK]; COLUMNS / CHUNK]; P],
    constant: [[[R; CHUNK]; COLUMNS / CHUNK]; P],
}

impl<R: Real, const P: usize> Table<R, P> {
    #[inline(always)]
    fn get(&self, index: usize) -> Column<R> {
        let index = index & (COLUMNS - 1);
        let mut column = [[R::default(); 2]; 3];
        column[0] = [self.slope[0].as_flattened()[index], self.constant[0].as_flattened()[index]];
        if P > 1 {
            column[1] = [self.slope[1].as_flattened()[index], self.constant[1].as_flattened()[index]];
        }
        if P > 2 {
            column[2] = [self.slope[2].as_flattened()[index], self.constant[2].as_flattened()[index]];
        }
        column
    }
}

/// Fills a block of value noise (`SLOPED` false) or Perlin noise; false if its samples are no such row, or too far apart.
///
/// `P`: how many functions a column has, 1 for the value and with gradients (`G`) one for each axis but x.
pub fn block<R: Real, const G: bool, const N: usize, const P: usize, const SLOPED: bool>(
    level: Level,
    grid: &Grid,
    index: [u32; 3],
    linear: &Linear<R>,
    kind: Interpolation,
    out: &mut Block<R>,
) -> bool {
    let step = grid.step[0][0];
    let spanned = step.unsigned_abs().checked_mul(LANES as u128 - 1).map_or(u128::MAX, |cells| cells >> 64);
    if grid.samples != [0; 3] || (1..N).any(|d| grid.step[0][d] != 0) || spanned + 3 > COLUMNS as u128 {
        return false;
    }
    let start = |d: usize| -> Fixed {
        let along = |axis: usize| grid.step[axis][d].wrapping_mul(i128::from(index[axis]));
        grid.origin[d].wrapping_add(along(0)).wrapping_add(along(1)).wrapping_add(along(2))
    };
    let mut cell = [0i32; N];
    let mut fraction = [R::default(); N];
    for d in 1..N {
        let q = start(d);
        (cell[d], fraction[d]) = ((q >> 64) as i32, R::fraction(q as u64));
    }
    let none = Weight { u: R::default(), slope: R::default() };
    let mut weights = [none; N];
    for d in 1..N {
        weights[d] = interpolate(kind, fraction[d]);
    }
    let mut along = [0i32; LANES];
    let mut fractions: Lanes<R> = [R::default(); LANES];
    let none = [[R::default(); CHUNK]; COLUMNS / CHUNK];
    let mut table = Table { slope: [none; P], constant: [none; P] };
    let key = linear.key::<false>();
    let start = start(0);
    dispatch!(level, _simd => {
        // Copies: behind the references that a closure holds, anything might change from lane to lane.
        let (cell, fraction, weights, key) = (cell, fraction, weights, key);
        advance(start, step, &mut along, &mut fractions);
        let (first, last) = (along[0], along[LANES - 1]);
        // One more column than cells.
        let (lowest, count) = if step >= 0 { (first, last.wrapping_sub(first)) } else { (last, first.wrapping_sub(last)) };
        for chunk in 0..(count as usize + 2).div_ceil(CHUNK).min(COLUMNS / CHUNK) {
            // Arrays of their own, so that the loop over a chunk has nothing to check.
            let mut columns = [[[R::default(); CHUNK]; 2]; P];
            for i in 0..CHUNK {
                let mut at = cell;
                at[0] = lowest.wrapping_add((chunk * CHUNK + i) as i32);
                let column = column_at::<R, N, SLOPED>(at, fraction, key, weights);
                (columns[0][0][i], columns[0][1][i]) = (column[0][0], column[0][1]);
                if P > 1 {
                    (columns[1][0][i], columns[1][1][i]) = (column[1][0], column[1][1]);
                }
                if P > 2 {
                    (columns[2][0][i], columns[2][1][i]) = (column[2][0], column[2][1]);
                }
            }
            for part in 0..P {
                table.slope[part][chunk] = columns[part][0];
                table.constant[part][chunk] = columns[part][1];
            }
        }
        for lane in &mut along {
            *lane = lane.wrapping_sub(lowest);
        }
    });
    macro_rules! join {
        ($kind:expr) => {
            dispatch!(level, _simd => {
                for chunk in 0..LANES / CHUNK {
                    let at = chunk * CHUNK;
                    let (f, along) = (&fractions.as_chunks::<CHUNK>().0[chunk], &along.as_chunks::<CHUNK>().0[chunk]);
                    let mut noise = [[R::default(); CHUNK]; 4];
                    let (first, last) = (along[0] as usize, along[CHUNK - 1] as usize);
                    if first == last {
                        let (low, high) = (table.get(first), table.get(first + 1));
                        for i in 0..CHUNK {
                            let jet = frame::world(linear, joined::<R, N, SLOPED>(low, high, f[i], interpolate($kind, f[i])));
                            noise[0][i] = jet.value;
                            if G {
                                (noise[1][i], noise[2][i], noise[3][i]) = (jet.gradient[0], jet.gradient[1], jet.gradient[2]);
                            }
                        }
                    } else {
                        for i in 0..CHUNK {
                            let column = along[i] as usize;
                            let (low, high) = (table.get(column), table.get(column + 1));
                            let jet = frame::world(linear, joined::<R, N, SLOPED>(low, high, f[i], interpolate($kind, f[i])));
                            noise[0][i] = jet.value;
                            if G {
                                (noise[1][i], noise[2][i], noise[3][i]) = (jet.gradient[0], jet.gradient[1], jet.gradient[2]);
                            }
                        }
                    }
                    out.value[at..at + CHUNK].copy_from_slice(&noise[0]);
                    if G {
                        for axis in 0..3 {
                            out.gradient[axis][at..at + CHUNK].copy_from_slice(&noise[axis + 1]);
                        }
                    }
                }
            })
        };
    }
    // The usual interpolation compiled on its own; the others choose theirs inside the loop.
    match kind {
        Interpolation::Quintic => join!(Interpolation::Quintic),
        kind => join!(kind),
    }
    true
}
