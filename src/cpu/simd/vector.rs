//! Adjacent numbers as one [`Number`]: sixteen f32 in registers of the available instruction set, or one number at a time.

use crate::cpu::lib::exact::Exact;
use crate::cpu::simd::lanes::{CHUNK, LANES};
use crate::cpu::simd::number::{Bits, Number, Single, Transcendental};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::{laps, number, permute};
use fearless_simd::{Bytes, Simd, SimdFrom, SimdMask, f32x16, i32x16, mask32x16, u32x16};

/// A token for making vectors: an instruction set, or none.
pub trait Token: Copy {
    /// A vector of adjacent f32.
    type F32: SimdVector<f32, Self>;
    /// Lanes of a block to compute, in whole vectors.
    fn lanes(self) -> usize;
    /// Lanes to compute in loops that the compiler vectorises.
    fn every_lane(self) -> usize;
    /// Lanes that a register holds.
    fn register(self) -> usize;
}

/// An instruction set, and the number of lanes to compute.
#[derive(Clone, Copy)]
pub struct SimdToken<S> {
    pub set: S,
    pub lanes: usize,
}

impl<S: Simd> Token for SimdToken<S> {
    type F32 = f32x16<S>;
    #[inline(always)]
    fn lanes(self) -> usize {
        // Never more than that, but the compiler has to see it, or it checks every load and store.
        self.lanes.min(LANES)
    }
    #[inline(always)]
    fn every_lane(self) -> usize {
        self.lanes.min(LANES)
    }
    #[inline(always)]
    fn register(self) -> usize {
        permute::register(self.set)
    }
}

/// No instruction set: one number at a time.
#[derive(Clone, Copy)]
pub struct ScalarToken {
    pub lanes: usize,
}

impl Token for ScalarToken {
    type F32 = f32;
    #[inline(always)]
    fn lanes(self) -> usize {
        self.lanes
    }
    #[inline(always)]
    fn every_lane(self) -> usize {
        self.lanes
    }
    #[inline(always)]
    fn register(self) -> usize {
        CHUNK
    }
}

/// Adjacent numbers of a block; `at` is the lane of the first.
pub trait SimdVector<R, T>: Transcendental + Exact + Lookup<Entry = R> {
    /// The number of lanes.
    const WIDTH: usize;
    /// A vector of one number in every lane.
    fn splat(token: T, x: R) -> Self;
    fn load(token: T, from: &[R], at: usize) -> Self;
    fn store(self, to: &mut [R], at: usize);
    /// Numbers from a table. Each part of the vector that a register holds has its own start in `from`. Indices are below the
    /// number of lanes in a register.
    fn look_up(token: T, table: &[R], from: [usize; 2], index: Self::Bits) -> Self;
    /// A fraction from the halves of its 64 bits.
    fn fraction(high: Self::Bits, low: Self::Bits) -> Self;
    fn splat_bits(token: T, x: u32) -> Self::Bits;
    fn load_bits(token: T, from: &[u32], at: usize) -> Self::Bits;
}

/// The numbers of a vector from a lane on.
#[inline(always)]
pub fn chunk<R, const WIDTH: usize>(from: &[R], at: usize) -> &[R; WIDTH] {
    match from[at..at + WIDTH].first_chunk() {
        Some(chunk) => chunk,
        None => unreachable!("invariant: blocks hold whole vectors"),
    }
}

/// The same, for writing.
#[inline(always)]
pub fn chunk_mut<R, const WIDTH: usize>(to: &mut [R], at: usize) -> &mut [R; WIDTH] {
    match to[at..at + WIDTH].first_chunk_mut() {
        Some(chunk) => chunk,
        None => unreachable!("invariant: blocks hold whole vectors"),
    }
}

/// Implements numbers, words and vectors for the types of a width. `$laps`, `$rotate` and `$look_up` are
/// [`Bits::laps`], [`Bits::rotate`] and [`SimdVector::look_up`] for an instruction set.
///
/// It uses the instruction set's own methods where a vector's method would be another call, since every formula calls these and
/// compile time grows.
macro_rules! vector {
    (
        $f32:ident, $i32:ident, $u32:ident, $mask:ident, $token:ident, $width:expr, $laps:path, $look_up:path, $rotate:path;
        $splat:ident, $floor:ident, $abs:ident, $less:ident, $at_least:ident, $select:ident, $smaller:ident, $larger:ident;
        $from_signed:ident, $to_signed:ident;
        $splat_words:ident, $product:ident, $signed_down:ident, $less_words:ident, $equals:ident, $select_words:ident $(,)?
    ) => {
        impl<S: Simd> Number for $f32<S> {
            type Mask = $mask<S>;
            type Bits = $u32<S>;
            #[inline(always)]
            fn constant(self, x: f64) -> Self {
                self.simd.$splat($crate::program::narrow(x))
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self.simd.$floor(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.simd.$abs(self)
            }
            #[inline(always)]
            fn xor_sign(self, by: $u32<S>) -> Self {
                Self::of_bits(self.bits() ^ (by & by.constant(1 << 31)))
            }
            #[inline(always)]
            fn less_than(self, other: Self) -> Self::Mask {
                self.simd.$less(self, other)
            }
            #[inline(always)]
            fn at_least(self, other: Self) -> Self::Mask {
                self.simd.$at_least(self, other)
            }
            #[inline(always)]
            fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
                t.simd.$select(mask, t, f)
            }
            #[inline(always)]
            fn masked(self, mask: Self::Mask) -> Self {
                if permute::register(self.simd) == CHUNK {
                    return Self::select(self.constant(0.0), self, mask);
                }
                // A mask is a word of ones or zeros for each lane, which the compiler does not know of every comparison.
                let ones: $u32<S> = mask.to_vector().bitcast();
                Self::of_bits(self.bits() & ones)
            }
            // A single instruction has exactly this meaning, also for zeros and NaN.
            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn smaller(a: Self, b: Self) -> Self {
                a.simd.$smaller(a, b)
            }
            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn larger(a: Self, b: Self) -> Self {
                a.simd.$larger(a, b)
            }
            #[inline(always)]
            fn of_signed(bits: $u32<S>) -> Self {
                let signed: $i32<S> = bits.bitcast();
                signed.simd.$from_signed(signed)
            }
            #[inline(always)]
            fn to_signed(self) -> $u32<S> {
                // This instruction set converts numbers that are too small, and NaN, to the smallest integer.
                #[cfg(target_arch = "x86_64")]
                let held = number::min(self.constant(2_147_483_520.0), self);
                #[cfg(not(target_arch = "x86_64"))]
                let held = number::min(number::max(self, self.constant(-2_147_483_648.0)), self.constant(2_147_483_520.0));
                held.small_to_signed()
            }
            #[inline(always)]
            fn small_to_signed(self) -> $u32<S> {
                self.simd.$to_signed(self).bitcast()
            }
        }

        impl<S: Simd> Single for $f32<S> {
            #[inline(always)]
            fn bits(self) -> $u32<S> {
                self.bitcast()
            }
            #[inline(always)]
            fn of_bits(bits: $u32<S>) -> Self {
                bits.bitcast()
            }
        }

        impl<S: Simd> Bits for $u32<S> {
            type Mask = $mask<S>;
            #[inline(always)]
            fn constant(self, x: u32) -> Self {
                self.simd.$splat_words(x)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn times(self, factor: u32) -> Self {
                self.simd.$product(self, self.constant(factor))
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self.simd.$product(self, other)
            }
            #[inline(always)]
            fn signed_down(self, bits: u32) -> Self {
                let signed: $i32<S> = self.bitcast();
                signed.simd.$signed_down(signed, bits).bitcast()
            }
            #[inline(always)]
            fn rotate(self, bits: u32) -> Self {
                $rotate(self, bits)
            }
            #[inline(always)]
            fn less_than(self, other: Self) -> Self::Mask {
                self.simd.$less_words(self, other)
            }
            #[inline(always)]
            fn equals(self, other: Self) -> Self::Mask {
                self.simd.$equals(self, other)
            }
            #[inline(always)]
            fn bit(self, bit: u32) -> Self::Mask {
                let mask = self.constant(1 << bit);
                (self & mask).equals(mask)
            }
            #[inline(always)]
            fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
                t.simd.$select_words(mask, t, f)
            }
            #[inline(always)]
            fn choose(self, otherwise: u32, then: u32, mask: Self::Mask) -> Self {
                if permute::register(self.simd) == CHUNK {
                    return Self::select(self.constant(otherwise), self.constant(then), mask);
                }
                self.constant(otherwise).plus(self.constant(then.wrapping_sub(otherwise)).masked(mask))
            }
            #[inline(always)]
            fn masked(self, mask: Self::Mask) -> Self {
                if permute::register(self.simd) == CHUNK {
                    return Self::select(self.constant(0), self, mask);
                }
                let ones: Self = mask.to_vector().bitcast();
                self & ones
            }
            #[inline(always)]
            fn one_more(self, mask: Self::Mask) -> Self {
                if permute::register(self.simd) == CHUNK {
                    return Self::select(self, self + self.constant(1), mask);
                }
                let ones: Self = mask.to_vector().bitcast();
                self - ones
            }
            #[inline(always)]
            fn store(self, to: &mut [u32], at: usize) {
                *$crate::cpu::simd::vector::chunk_mut(to, at) = self.into();
            }
            #[inline(always)]
            fn laps(self, period: i32) -> Self {
                $laps(self, period)
            }
            #[inline(always)]
            fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                a & b
            }
            #[inline(always)]
            fn any(a: Self::Mask) -> bool {
                a.any_true()
            }
            #[inline(always)]
            fn first_lane(a: Self::Mask) -> usize {
                (a.to_bitmask() | 1 << $width).trailing_zeros() as usize
            }
            #[inline(always)]
            fn first(self) -> u32 {
                let [first, ..]: [u32; $width] = self.into();
                first
            }
            #[inline(always)]
            fn lanes(a: Self::Mask) -> u32 {
                a.to_bitmask() as u32
            }
            #[inline(always)]
            fn not(a: Self::Mask) -> Self::Mask {
                !a
            }
        }

        impl<S: Simd> SimdVector<f32, $token<S>> for $f32<S> {
            const WIDTH: usize = $width;
            #[inline(always)]
            fn splat($token { set: simd, .. }: $token<S>, x: f32) -> Self {
                simd.$splat(x)
            }
            #[inline(always)]
            fn load($token { set: simd, .. }: $token<S>, from: &[f32], at: usize) -> Self {
                $f32::simd_from(simd, *$crate::cpu::simd::vector::chunk(from, at))
            }
            #[inline(always)]
            fn store(self, to: &mut [f32], at: usize) {
                *$crate::cpu::simd::vector::chunk_mut(to, at) = self.into();
            }
            #[inline(always)]
            fn look_up($token { set: simd, .. }: $token<S>, table: &[f32], from: [usize; 2], index: $u32<S>) -> Self {
                $look_up(simd, table, from, index)
            }
            #[inline(always)]
            fn fraction(high: $u32<S>, _low: $u32<S>) -> Self {
                let fraction = Self::of_signed(high >> 8);
                fraction * fraction.constant(1.0 / 16_777_216.0)
            }
            #[inline(always)]
            fn splat_bits($token { set: simd, .. }: $token<S>, x: u32) -> $u32<S> {
                simd.$splat_words(x)
            }
            #[inline(always)]
            fn load_bits($token { set: simd, .. }: $token<S>, from: &[u32], at: usize) -> $u32<S> {
                $u32::simd_from(simd, *$crate::cpu::simd::vector::chunk(from, at))
            }
        }
    };
}
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use vector;

vector! {
    f32x16, i32x16, u32x16, mask32x16, SimdToken, CHUNK, laps, permute::look_up, permute::rotate;
    splat_f32x16, floor_f32x16, abs_f32x16, simd_lt_f32x16, simd_ge_f32x16, select_f32x16, min_f32x16, max_f32x16;
    cvt_f32_i32x16, cvt_i32_f32x16;
    splat_u32x16, mul_u32x16, shr_i32x16, simd_lt_u32x16, simd_eq_u32x16, select_u32x16,
}

#[inline(always)]
pub(super) fn laps<S: Simd>(words: u32x16<S>, period: i32) -> u32x16<S> {
    let (low, high) = words.simd.widen_u32x16(words);
    let [low, high] = [laps::whole_periods(low, period), laps::whole_periods(high, period)];
    low.simd.narrow_u64x8(low, high)
}
