//! Four adjacent f32 in a register of WebAssembly, for long formulas: with sixteen, as in `vector`, every operation would be four
//! instructions, and the module that much larger.

use crate::cpu::simd::lanes::{Aligned, CHUNK, LANES};
use crate::cpu::simd::number;
use crate::cpu::simd::number::{Bits, Number, Single};
use crate::cpu::simd::permute::{self, Eight, Lookup, WORDS, columns};
use crate::cpu::simd::vector::{SimdVector, Token, vector};
use fearless_simd::{Bytes, Simd, SimdFrom, SimdInto, SimdMask, f32x4, i32x4, mask32x4, u32x4};

const WIDTH: usize = 4;

/// The instruction set, and the number of lanes to compute.
#[derive(Clone, Copy)]
pub struct QuadToken<S> {
    pub set: S,
    pub lanes: usize,
}

impl<S: Simd> Token for QuadToken<S> {
    type F32 = f32x4<S>;
    #[inline(always)]
    fn lanes(self) -> usize {
        self.lanes.next_multiple_of(WIDTH).min(LANES)
    }
    #[inline(always)]
    fn every_lane(self) -> usize {
        self.lanes.min(LANES)
    }
    #[inline(always)]
    fn register(self) -> usize {
        WIDTH
    }
}

vector! {
    f32x4, i32x4, u32x4, mask32x4, QuadToken, WIDTH, laps, look_up, rotate;
    splat_f32x4, floor_f32x4, abs_f32x4, simd_lt_f32x4, simd_ge_f32x4, select_f32x4, min_f32x4, max_f32x4;
    cvt_f32_i32x4, cvt_i32_f32x4;
    splat_u32x4, mul_u32x4, shr_i32x4, simd_lt_u32x4, simd_eq_u32x4, select_u32x4,
}

#[inline(always)]
fn laps<S: Simd>(words: u32x4<S>, period: i32) -> u32x4<S> {
    // Most lattices have no period.
    if period == 0 { words.constant(0) } else { whole_periods(words.into(), period).simd_into(words.simd) }
}

/// Out of line, since formulas call it for every coordinate of every point.
#[inline(never)]
fn whole_periods(lanes: [u32; WIDTH], period: i32) -> [u32; WIDTH] {
    lanes.map(|x| x.laps(period))
}

#[inline(always)]
fn rotate<S: Simd>(words: u32x4<S>, bits: u32) -> u32x4<S> {
    // The two halves have no bit in common.
    (words << bits) | (words >> (32 - bits))
}

#[inline(always)]
fn look_up<S: Simd>(simd: S, table: &[f32], [from, _]: [usize; 2], index: u32x4<S>) -> f32x4<S> {
    let [a, b, c, d]: [u32; WIDTH] = index.into();
    let entry = |i: u32| table[from + i as usize];
    [entry(a), entry(b), entry(c), entry(d)].simd_into(simd)
}

impl<S: Simd> Lookup for f32x4<S> {
    type Entry = f32;
    #[inline(always)]
    fn permute8(table: &Eight, index: u32x4<S>) -> Self {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| table.single[i as usize % 8];
        [entry(a), entry(b), entry(c), entry(d)].simd_into(index.simd)
    }
    #[inline(always)]
    fn word(table: &Aligned<u32, WORDS>, index: u32x4<S>) -> u32x4<S> {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| table[i as usize % WORDS];
        [entry(a), entry(b), entry(c), entry(d)].simd_into(index.simd)
    }
    #[inline(always)]
    fn among(table: &Aligned<f32, 32>, index: u32x4<S>) -> Self {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| table[i as usize % 32];
        [entry(a), entry(b), entry(c), entry(d)].simd_into(index.simd)
    }
    #[inline(always)]
    fn eight(table: &Aligned<f32, 32>, index: u32x4<S>) -> Self {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| table[i as usize % 8];
        [entry(a), entry(b), entry(c), entry(d)].simd_into(index.simd)
    }
    #[inline(always)]
    fn byte(table: &Aligned<u8, 32>, index: u32x4<S>) -> u32x4<S> {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| u32::from(table[i as usize % 32]);
        [entry(a), entry(b), entry(c), entry(d)].simd_into(index.simd)
    }
    #[inline(always)]
    fn row<const N: usize>(table: &[[f32; N]; 256], index: u32x4<S>) -> [Self; N] {
        Self::found([index], |[index]| table[index as usize % 256])
    }
    #[inline(always)]
    fn found<const K: usize, const N: usize>(at: [u32x4<S>; K], find: impl Fn([u32; K]) -> [f32; N]) -> [Self; N] {
        let mut words = [[0; WIDTH]; K];
        for k in 0..K {
            words[k] = at[k].into();
        }
        let (simd, columns) = (at[0].simd, columns(words, find));
        let mut all = [simd.splat_f32x4(0.0); N];
        for k in 0..N {
            all[k] = columns[k].simd_into(simd);
        }
        all
    }
}
