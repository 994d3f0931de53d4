//! Lookups of many lanes in a small table. Compilers do not generate these instructions from a plain loop, so this file names them
//! for the instruction sets that have them.

use crate::cpu::simd::lanes::{Aligned, CHUNK};
use crate::cpu::simd::number::Number;
#[allow(unused_imports, reason = "a target without instruction sets has no level to match")]
use fearless_simd::Level;
use fearless_simd::{Simd, SimdInto, f32x16, u32x16};

/// A table of eight numbers.
#[derive(Clone, Copy)]
pub struct Eight {
    pub exact: [f64; 8],
    /// In f32, and twice, since the widest instruction set reads a fourth bit of the index.
    pub single: [f32; CHUNK],
    /// In f32, and then the opposites.
    signed: [f32; CHUNK],
}

impl Eight {
    pub const fn new(exact: [f64; 8]) -> Self {
        let (mut single, mut signed) = ([0.0; CHUNK], [0.0; CHUNK]);
        let mut i = 0;
        while i < CHUNK {
            single[i] = exact[i % 8] as f32;
            signed[i] = if i < 8 { single[i] } else { -single[i] };
            i += 1;
        }
        Eight { exact, single, signed }
    }
}

/// Words of a table: those of two registers of the widest instruction set.
pub const WORDS: usize = 32;

/// Numbers that can be looked up in tables.
pub trait Lookup: Number {
    /// One number of a table.
    type Entry: Copy;
    /// The entry of a table, by the lower three bits of an index.
    fn permute8(table: &Eight, index: Self::Bits) -> Self;
    /// The entry of a table, by the lower three bits of an index, and its opposite if the fourth bit is set.
    #[inline(always)]
    fn signed8(table: &Eight, index: Self::Bits) -> Self {
        Self::permute8(table, index).xor_sign(index << 28)
    }
    /// Whether [`Lookup::signed8`] takes no longer than [`Lookup::permute8`], given a vector.
    #[inline(always)]
    fn has_signed8(_like: Self::Bits) -> bool {
        false
    }
    /// The word of a table, by the lower five bits of an index.
    fn word(table: &Aligned<u32, WORDS>, index: Self::Bits) -> Self::Bits;
    /// The entry of a table, by the lower five bits of an index.
    fn among(table: &Aligned<Self::Entry, 32>, index: Self::Bits) -> Self;
    /// One of the first eight entries of a table, by the lower three bits of an index.
    fn eight(table: &Aligned<Self::Entry, 32>, index: Self::Bits) -> Self;
    /// The byte of a table, by an index below 32.
    fn byte(table: &Aligned<u8, 32>, index: Self::Bits) -> Self::Bits;
    /// Whether [`Lookup::eight`] and [`Lookup::byte`] are a few instructions, given a vector.
    #[inline(always)]
    fn has_bytes(_like: Self::Bits) -> bool {
        false
    }
    /// The row of a table, by the lower eight bits of an index.
    fn row<const N: usize>(table: &[[Self::Entry; N]; 256], index: Self::Bits) -> [Self; N];
    /// The numbers that a function finds for each lane, given words.
    fn found<const K: usize, const N: usize>(at: [Self::Bits; K], find: impl Fn([u32; K]) -> [Self::Entry; N]) -> [Self; N];
}

macro_rules! scalar {
    ($number:ident, $entries:ident) => {
        impl Lookup for $number {
            type Entry = $number;
            #[inline(always)]
            fn permute8(table: &Eight, index: u32) -> Self {
                table.$entries[index as usize % 8]
            }
            #[inline(always)]
            fn word(table: &Aligned<u32, WORDS>, index: u32) -> u32 {
                table[index as usize % WORDS]
            }
            #[inline(always)]
            fn among(table: &Aligned<Self, 32>, index: u32) -> Self {
                table[index as usize % 32]
            }
            #[inline(always)]
            fn eight(table: &Aligned<Self, 32>, index: u32) -> Self {
                table[index as usize % 8]
            }
            #[inline(always)]
            fn byte(table: &Aligned<u8, 32>, index: u32) -> u32 {
                u32::from(table[index as usize % 32])
            }
            #[inline(always)]
            fn row<const N: usize>(table: &[[Self; N]; 256], index: u32) -> [Self; N] {
                table[index as usize % 256]
            }
            #[inline(always)]
            fn found<const K: usize, const N: usize>(at: [u32; K], find: impl Fn([u32; K]) -> [Self; N]) -> [Self; N] {
                find(at)
            }
        }
    };
}
scalar!(f32, single);
scalar!(f64, exact);

impl<S: Simd> Lookup for f32x16<S> {
    type Entry = f32;
    #[inline(always)]
    fn permute8(table: &Eight, index: u32x16<S>) -> Self {
        first_eight(index.simd, &table.single, index)
    }
    #[inline(always)]
    fn signed8(table: &Eight, index: u32x16<S>) -> Self {
        match index.simd.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(avx512) => {
                let lanes: [u32; CHUNK] = index.into();
                x86::wide_sixteen(avx512, &table.signed, lanes).simd_into(index.simd)
            }
            _ => Self::permute8(table, index).xor_sign(index << 28),
        }
    }
    #[inline(always)]
    fn has_signed8(like: u32x16<S>) -> bool {
        register(like.simd) == CHUNK
    }
    #[inline(always)]
    fn word(table: &Aligned<u32, WORDS>, index: u32x16<S>) -> u32x16<S> {
        let lanes: [u32; CHUNK] = index.into();
        let found = match index.simd.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(avx512) => x86::wide_word(avx512, table, lanes),
            _ => lanes.map(|i| table[i as usize % WORDS]),
        };
        found.simd_into(index.simd)
    }
    #[inline(always)]
    fn among(table: &Aligned<f32, 32>, index: u32x16<S>) -> Self {
        let lanes: [u32; CHUNK] = index.into();
        let found = match index.simd.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(avx512) => x86::wide_among(avx512, table, lanes),
            _ => lanes.map(|i| table[i as usize % 32]),
        };
        found.simd_into(index.simd)
    }
    #[inline(always)]
    fn eight(table: &Aligned<f32, 32>, index: u32x16<S>) -> Self {
        first_eight(index.simd, table, index)
    }
    #[inline(always)]
    fn byte(table: &Aligned<u8, 32>, index: u32x16<S>) -> u32x16<S> {
        let lanes: [u32; CHUNK] = index.into();
        let found = match index.simd.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(avx2) => x86::narrow_bytes(avx2, table, lanes),
            _ => lanes.map(|i| u32::from(table[i as usize % 32])),
        };
        found.simd_into(index.simd)
    }
    #[inline(always)]
    fn has_bytes(like: u32x16<S>) -> bool {
        has_bytes(like.simd)
    }
    #[inline(always)]
    fn row<const N: usize>(table: &[[f32; N]; 256], index: u32x16<S>) -> [Self; N] {
        Self::found(
            [index],
            #[inline(always)]
            |[index]| table[index as usize % 256],
        )
    }
    #[inline(always)]
    fn found<const K: usize, const N: usize>(at: [u32x16<S>; K], find: impl Fn([u32; K]) -> [f32; N]) -> [Self; N] {
        let mut words = [[0; CHUNK]; K];
        for k in 0..K {
            words[k] = at[k].into();
        }
        let (simd, columns) = (at[0].simd, columns(words, find));
        let mut all = [simd.splat_f32x16(0.0); N];
        for k in 0..N {
            all[k] = columns[k].simd_into(simd);
        }
        all
    }
}

/// The numbers found for each lane, as columns. Reading numbers one by one takes no longer than the gathering instructions.
#[inline(always)]
pub fn columns<const WIDTH: usize, const K: usize, const N: usize>(
    words: [[u32; WIDTH]; K],
    find: impl Fn([u32; K]) -> [f32; N],
) -> [[f32; WIDTH]; N] {
    let mut columns = [[0.0; WIDTH]; N];
    for lane in 0..WIDTH {
        let mut own = [0; K];
        for k in 0..K {
            own[k] = words[k][lane];
        }
        let row = find(own);
        for k in 0..N {
            columns[k][lane] = row[k];
        }
    }
    columns
}

/// Lanes that a register holds.
#[inline(always)]
pub fn register<S: Simd>(simd: S) -> usize {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => CHUNK,
        _ => CHUNK / 2,
    }
}

/// `table[from + index]` for every lane. If a register holds half of the lanes, each half has its own `from`. Indices are below
/// [`register`].
#[inline(always)]
pub fn look_up<S: Simd>(simd: S, table: &[f32], from: [usize; 2], index: u32x16<S>) -> f32x16<S> {
    let lanes: [u32; CHUNK] = index.into();
    let found = match simd.level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(avx512) => x86::wide_sixteen(avx512, &table[from[0]..from[0] + CHUNK], lanes),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(avx2) => x86::narrow_halves(avx2, table, from, lanes),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::WasmSimd128(_) => wasm::halves([&table[from[0]..from[0] + 8], &table[from[1]..from[1] + 8]], lanes),
        _ => std::array::from_fn(|lane| table[from[lane * 2 / CHUNK] + lanes[lane] as usize]),
    };
    found.simd_into(simd)
}

/// Words, rotated to the left by fewer than 32 bits.
#[inline(always)]
pub fn rotate<S: Simd>(words: u32x16<S>, bits: u32) -> u32x16<S> {
    match words.simd.level() {
        // The compiler would replace the shift of a product by a second product.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(avx512) => x86::wide_rotate(avx512, words.into(), bits).simd_into(words.simd),
        // The two halves have no bit in common.
        _ => (words << bits) | (words >> (32 - bits)),
    }
}

/// `table[index]` for every lane, by the lower three bits of its index. Entries 8 to 15 are those before them, or the instruction
/// set is not the widest.
#[inline(always)]
fn first_eight<S: Simd>(simd: S, table: &[f32], index: u32x16<S>) -> f32x16<S> {
    let lanes: [u32; CHUNK] = index.into();
    let found = match simd.level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(avx512) => x86::wide_sixteen(avx512, table, lanes),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(avx2) => x86::narrow_halves(avx2, table, [0; 2], lanes),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::WasmSimd128(_) => wasm::halves([&table[..8]; 2], lanes.map(|i| i % 8)),
        _ => lanes.map(|i| table[i as usize % 8]),
    };
    found.simd_into(simd)
}

/// Whether bytes of a table are read by a few instructions.
#[inline(always)]
pub fn has_bytes<S: Simd>(simd: S) -> bool {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => true,
        _ => false,
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    use super::{Aligned, CHUNK, WORDS};
    use crate::cpu::simd::unrolled;
    use crate::cpu::simd::vector::{chunk, chunk_mut};
    use fearless_simd::{Avx2, Avx512, SimdBase, SimdCombine, SimdInto, f32x8, f32x16, kernel, u8x16, u32x8, u32x16};
    use std::arch::x86_64::{
        __m256, __m256i, __m512, __m512i, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_permutevar8x32_ps,
        _mm256_shuffle_epi8, _mm256_slli_epi32, _mm512_permutex2var_epi32, _mm512_permutex2var_ps, _mm512_permutexvar_ps,
        _mm512_rolv_epi32,
    };

    kernel!(
        #[inline(always)]
        fn permute(avx512: Avx512, table: __m512, index: __m512i) -> __m512 {
            _mm512_permutexvar_ps(index, table)
        }
    );

    kernel!(
        #[inline(always)]
        fn permute_both(avx512: Avx512, low: __m512, high: __m512, index: __m512i) -> __m512 {
            _mm512_permutex2var_ps(low, index, high)
        }
    );

    kernel!(
        #[inline(always)]
        fn permute_eight(avx2: Avx2, table: __m256, index: __m256i) -> __m256 {
            _mm256_permutevar8x32_ps(table, index)
        }
    );

    kernel!(
        #[inline(always)]
        fn rotate(avx512: Avx512, words: __m512i, bits: __m512i) -> __m512i {
            _mm512_rolv_epi32(words, bits)
        }
    );

    #[inline(always)]
    pub(crate) fn wide_rotate(avx512: Avx512, words: [u32; CHUNK], bits: u32) -> [u32; CHUNK] {
        let (words, bits): (u32x16<Avx512>, u32x16<Avx512>) = (words.simd_into(avx512), u32x16::splat(avx512, bits));
        let rotated: u32x16<Avx512> = rotate(avx512, words.into(), bits.into()).simd_into(avx512);
        rotated.into()
    }

    kernel!(
        #[inline(always)]
        fn permute_words(avx512: Avx512, low: __m512i, high: __m512i, index: __m512i) -> __m512i {
            _mm512_permutex2var_epi32(low, index, high)
        }
    );

    #[inline(always)]
    pub(crate) fn wide_word(avx512: Avx512, table: &Aligned<u32, WORDS>, index: [u32; CHUNK]) -> [u32; CHUNK] {
        let (low, high) = (u32x16::from_slice(avx512, &table[..CHUNK]), u32x16::from_slice(avx512, &table[CHUNK..]));
        let index: u32x16<Avx512> = index.simd_into(avx512);
        let found: u32x16<Avx512> = permute_words(avx512, low.into(), high.into(), index.into()).simd_into(avx512);
        found.into()
    }

    #[inline(always)]
    pub(crate) fn wide_sixteen(avx512: Avx512, table: &[f32], index: [u32; CHUNK]) -> [f32; CHUNK] {
        let (table, index): (f32x16<Avx512>, u32x16<Avx512>) = (f32x16::from_slice(avx512, &table[..CHUNK]), index.simd_into(avx512));
        let found: f32x16<Avx512> = permute(avx512, table.into(), index.into()).simd_into(avx512);
        found.into()
    }

    #[inline(always)]
    pub(crate) fn wide_among(avx512: Avx512, table: &Aligned<f32, 32>, index: [u32; CHUNK]) -> [f32; CHUNK] {
        let (low, high) = (f32x16::from_slice(avx512, &table[..CHUNK]), f32x16::from_slice(avx512, &table[CHUNK..]));
        let index: u32x16<Avx512> = index.simd_into(avx512);
        let found: f32x16<Avx512> = permute_both(avx512, low.into(), high.into(), index.into()).simd_into(avx512);
        found.into()
    }

    /// The entries of a table by the lower three bits of the indices.
    #[inline(always)]
    pub(crate) fn eight(avx2: Avx2, table: &[f32], index: [u32; 8]) -> [f32; 8] {
        let (table, index): (f32x8<Avx2>, u32x8<Avx2>) = (f32x8::from_slice(avx2, &table[..8]), index.simd_into(avx2));
        let found: f32x8<Avx2> = permute_eight(avx2, table.into(), index.into()).simd_into(avx2);
        found.into()
    }

    #[inline(always)]
    pub(crate) fn narrow_halves(avx2: Avx2, table: &[f32], from: [usize; 2], index: [u32; CHUNK]) -> [f32; CHUNK] {
        let mut all = [0.0; CHUNK];
        unrolled!(half in 0..2 => {
            *chunk_mut(&mut all, half * 8) = eight(avx2, &table[from[half]..], *chunk(&index, half * 8));
        });
        all
    }

    kernel!(
        /// The bytes of a table in two registers, each of them twice. The upper bytes of an index, which are 0, select the first byte
        /// of the table.
        #[inline(always)]
        fn shuffle_bytes(avx2: Avx2, low: __m256i, high: __m256i, index: __m256i) -> __m256i {
            let low = _mm256_castsi256_ps(_mm256_shuffle_epi8(low, index));
            let high = _mm256_castsi256_ps(_mm256_shuffle_epi8(high, index));
            let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<27>(index));
            _mm256_castps_si256(_mm256_blendv_ps(low, high, is_high))
        }
    );

    /// The bytes of a table by indices below 32.
    #[inline(always)]
    pub(crate) fn bytes(avx2: Avx2, table: &Aligned<u8, 32>, index: [u32; 8]) -> [u32; 8] {
        let [low, high]: [u8x16<Avx2>; 2] = [u8x16::from_slice(avx2, &table[..16]), u8x16::from_slice(avx2, &table[16..])];
        let index: u32x8<Avx2> = index.simd_into(avx2);
        let found = shuffle_bytes(avx2, low.combine(low).into(), high.combine(high).into(), index.into());
        let found: u32x8<Avx2> = found.simd_into(avx2);
        found.into()
    }

    #[inline(always)]
    pub(crate) fn narrow_bytes(avx2: Avx2, table: &Aligned<u8, 32>, index: [u32; CHUNK]) -> [u32; CHUNK] {
        let mut all = [0; CHUNK];
        unrolled!(half in 0..2 => {
            *chunk_mut(&mut all, half * 8) = bytes(avx2, table, *chunk(&index, half * 8));
        });
        all
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::CHUNK;
    use crate::cpu::simd::unrolled;
    use std::arch::wasm32::{
        f32x4, f32x4_extract_lane, i8x16_shuffle, i8x16_splat, i8x16_sub, i8x16_swizzle, i32x4_add, i32x4_shl, i32x4_splat, u32x4, v128,
        v128_or,
    };

    /// Entries of a table of eight in two registers, by the bytes of each number: a byte that is not in a register gives 0.
    #[inline(always)]
    fn four([low, high]: [v128; 2], index: v128) -> v128 {
        let bytes = i32x4_shl(index, 2);
        let bytes = i8x16_shuffle::<0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12>(bytes, bytes);
        let bytes = i32x4_add(bytes, i32x4_splat(0x0302_0100));
        v128_or(i8x16_swizzle(low, bytes), i8x16_swizzle(high, i8x16_sub(bytes, i8x16_splat(16))))
    }

    /// `tables[half][index]` for every lane of each half; indices are below 8.
    #[inline(always)]
    pub(crate) fn halves(tables: [&[f32]; 2], index: [u32; CHUNK]) -> [f32; CHUNK] {
        let mut all = [0.0; CHUNK];
        unrolled!(half in 0..2 => {
            let table = &tables[half][..8];
            let table = [f32x4(table[0], table[1], table[2], table[3]), f32x4(table[4], table[5], table[6], table[7])];
            unrolled!(quarter in 0..2 => {
                let at = half * 8 + quarter * 4;
                let found = four(table, u32x4(index[at], index[at + 1], index[at + 2], index[at + 3]));
                all[at] = f32x4_extract_lane::<0>(found);
                all[at + 1] = f32x4_extract_lane::<1>(found);
                all[at + 2] = f32x4_extract_lane::<2>(found);
                all[at + 3] = f32x4_extract_lane::<3>(found);
            });
        });
        all
    }
}
