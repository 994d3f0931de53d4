//! Eight adjacent f32 in a register of AVX2, for formulas with many numbers: sixteen, as in `vector`, would be in two registers
//! each, and most of them in memory.

use crate::cpu::simd::lanes::{Aligned, CHUNK, LANES};
use crate::cpu::simd::number;
use crate::cpu::simd::number::{Bits, Number, Single};
use crate::cpu::simd::permute::{self, Eight, Lookup, WORDS, columns, x86};
use crate::cpu::simd::vector;
use crate::cpu::simd::vector::{SimdVector, Token, vector};
use fearless_simd::{Bytes, Level, Simd, SimdFrom, SimdInto, SimdMask, f32x8, i32x8, mask32x8, u32x8};

const WIDTH: usize = 8;

/// The instruction set, and the number of lanes to compute: whole chunks.
#[derive(Clone, Copy)]
pub struct OctToken<S> {
    pub set: S,
    pub lanes: usize,
}

impl<S: Simd> Token for OctToken<S> {
    type F32 = f32x8<S>;
    #[inline(always)]
    fn lanes(self) -> usize {
        self.lanes.min(LANES)
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
    f32x8, i32x8, u32x8, mask32x8, OctToken, WIDTH, laps, look_up, rotate;
    splat_f32x8, floor_f32x8, abs_f32x8, simd_lt_f32x8, simd_ge_f32x8, select_f32x8, min_f32x8, max_f32x8;
    cvt_f32_i32x8, cvt_i32_f32x8;
    splat_u32x8, mul_u32x8, shr_i32x8, simd_lt_u32x8, simd_eq_u32x8, select_u32x8,
}

#[inline(always)]
fn laps<S: Simd>(words: u32x8<S>, period: i32) -> u32x8<S> {
    let twice = vector::laps(words.simd.combine_u32x8(words, words), period);
    words.simd.split_u32x16(twice).0
}

#[inline(always)]
fn rotate<S: Simd>(words: u32x8<S>, bits: u32) -> u32x8<S> {
    // The two halves have no bit in common.
    (words << bits) | (words >> (32 - bits))
}

#[inline(always)]
fn look_up<S: Simd>(_simd: S, table: &[f32], [from, _]: [usize; 2], index: u32x8<S>) -> f32x8<S> {
    first_eight(&table[from..], index)
}

/// The entries of a table by the lower three bits of the indices.
#[inline(always)]
fn first_eight<S: Simd>(table: &[f32], index: u32x8<S>) -> f32x8<S> {
    let lanes: [u32; WIDTH] = index.into();
    let found = match index.simd.level() {
        Level::Avx2(avx2) => x86::eight(avx2, table, lanes),
        _ => lanes.map(|i| table[i as usize % 8]),
    };
    found.simd_into(index.simd)
}

impl<S: Simd> Lookup for f32x8<S> {
    type Entry = f32;
    #[inline(always)]
    fn permute8(table: &Eight, index: u32x8<S>) -> Self {
        first_eight(&table.single, index)
    }
    #[inline(always)]
    fn word(table: &Aligned<u32, WORDS>, index: u32x8<S>) -> u32x8<S> {
        let lanes: [u32; WIDTH] = index.into();
        lanes.map(|i| table[i as usize % WORDS]).simd_into(index.simd)
    }
    #[inline(always)]
    fn among(table: &Aligned<f32, 32>, index: u32x8<S>) -> Self {
        let lanes: [u32; WIDTH] = index.into();
        lanes.map(|i| table[i as usize % 32]).simd_into(index.simd)
    }
    #[inline(always)]
    fn eight(table: &Aligned<f32, 32>, index: u32x8<S>) -> Self {
        first_eight(table, index)
    }
    #[inline(always)]
    fn byte(table: &Aligned<u8, 32>, index: u32x8<S>) -> u32x8<S> {
        let lanes: [u32; WIDTH] = index.into();
        let found = match index.simd.level() {
            Level::Avx2(avx2) => x86::bytes(avx2, table, lanes),
            _ => lanes.map(|i| u32::from(table[i as usize % 32])),
        };
        found.simd_into(index.simd)
    }
    #[inline(always)]
    fn has_bytes(like: u32x8<S>) -> bool {
        permute::has_bytes(like.simd)
    }
    #[inline(always)]
    fn row<const N: usize>(table: &[[f32; N]; 256], index: u32x8<S>) -> [Self; N] {
        Self::found(
            [index],
            #[inline(always)]
            |[index]| table[index as usize % 256],
        )
    }
    #[inline(always)]
    fn found<const K: usize, const N: usize>(at: [u32x8<S>; K], find: impl Fn([u32; K]) -> [f32; N]) -> [Self; N] {
        let mut words = [[0; WIDTH]; K];
        for k in 0..K {
            words[k] = at[k].into();
        }
        let (simd, columns) = (at[0].simd, columns(words, find));
        let mut all = [simd.splat_f32x8(0.0); N];
        for k in 0..N {
            all[k] = columns[k].simd_into(simd);
        }
        all
    }
}
