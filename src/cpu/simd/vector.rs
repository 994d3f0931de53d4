//! Neighbouring numbers as one [`Number`]: sixteen f32 in registers of the instruction set at hand, or one after the other.

use crate::cpu::lib::{power, root, turn};
use crate::cpu::simd::block::{CHUNK, LANES};
use crate::cpu::simd::number::{Bits, Number, Single};
use crate::cpu::simd::{Real, laps, number, permute};
use crate::program::narrow;
use fearless_simd::{
    ExtractToken, Select, Simd, SimdBase, SimdCvtFloat, SimdCvtTruncate, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, i32x16,
    mask32x16, u32x16,
};
use std::ops::{Add, BitAnd, BitXor, Mul, Neg, Shl, Shr, Sub};

/// What vectors are made with: an instruction set, or none.
pub trait Token: Copy {
    /// Neighbouring f32.
    type F32: SimdVector<f32, Self>;
    /// Lanes of a block to compute, in whole vectors.
    fn lanes(self) -> usize;
    /// Lanes to compute in loops that the compiler vectorises.
    fn every_lane(self) -> usize;
    /// Lanes that a register holds.
    fn register(self) -> usize;
}

/// An instruction set, and how many lanes it is to compute.
#[derive(Clone, Copy)]
pub struct SimdToken<S> {
    pub set: S,
    pub lanes: usize,
}

impl<S: Simd> Token for SimdToken<S> {
    type F32 = F32x16<S>;
    #[inline(always)]
    fn lanes(self) -> usize {
        // Never more; the compiler has to see it, or it checks every load and store.
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

/// No instruction set: one number after the other.
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

/// Neighbouring numbers of a block: `at` is the first one's lane.
pub trait SimdVector<R, T>: Number {
    /// How many.
    const WIDTH: usize;
    /// A vector of one number in every lane.
    fn splat(token: T, x: R) -> Self;
    fn load(token: T, from: &[R], at: usize) -> Self;
    fn store(self, to: &mut [R], at: usize);
    /// Numbers from a table, each part of the vector that a register holds from a place of its own on: indices are below the number of
    /// lanes in a register.
    fn near(token: T, table: &[R], from: [usize; 2], index: Self::Bits) -> Self;
    /// A fraction from the 64 bits below its point, in halves.
    fn fraction(high: Self::Bits, low: Self::Bits) -> Self;
    fn splat_bits(token: T, x: u32) -> Self::Bits;
    fn load_bits(token: T, from: &[u32], at: usize) -> Self::Bits;
}

/// As many words.
pub type BitsOf<R, T> = <<R as Real>::Vector<T> as Number>::Bits;

/// Lattice coordinates: cells and fractions.
pub type Position<R, T, const N: usize> = ([BitsOf<R, T>; N], [<R as Real>::Vector<T>; N]);

/// Sixteen f32.
#[derive(Clone, Copy)]
pub struct F32x16<S: Simd>(f32x16<S>);

/// Sixteen words.
#[derive(Clone, Copy)]
pub struct U32x16<S: Simd>(u32x16<S>);

macro_rules! operators {
    ($type:ident: $($trait:ident $name:ident),*) => {
        $(impl<S: Simd> $trait for $type<S> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                $type(self.0.$name(other.0))
            }
        })*
    };
}
operators!(F32x16: Add add, Sub sub, Mul mul);
operators!(U32x16: BitXor bitxor, BitAnd bitand);

impl<S: Simd> Neg for F32x16<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        F32x16(-self.0)
    }
}

impl<S: Simd> Shl<u32> for U32x16<S> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        U32x16(self.0 << bits)
    }
}

impl<S: Simd> Shr<u32> for U32x16<S> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        U32x16(self.0 >> bits)
    }
}

impl<S: Simd> Number for F32x16<S> {
    type Mask = mask32x16<S>;
    type Bits = U32x16<S>;
    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        F32x16(f32x16::splat(self.0.token(), narrow(x)))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        F32x16(SimdFloat::floor(self.0))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        F32x16(SimdBase::abs(self.0))
    }
    #[inline(always)]
    fn xor_sign(self, by: U32x16<S>) -> Self {
        Self::of_bits(self.bits() ^ (by & by.constant(1 << 31)))
    }
    #[inline(always)]
    fn less_than(self, other: Self) -> Self::Mask {
        self.0.simd_lt(other.0)
    }
    #[inline(always)]
    fn at_least(self, other: Self) -> Self::Mask {
        self.0.simd_ge(other.0)
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
        F32x16(mask.select(t.0, f.0))
    }
    // One instruction with just this meaning, also for zeros and what is no number.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn smaller(a: Self, b: Self) -> Self {
        F32x16(SimdBase::min(a.0, b.0))
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn larger(a: Self, b: Self) -> Self {
        F32x16(SimdBase::max(a.0, b.0))
    }
    #[inline(always)]
    fn of_signed(bits: U32x16<S>) -> Self {
        let signed: i32x16<S> = fearless_simd::Bytes::bitcast(bits.0);
        F32x16(f32x16::float_from(signed))
    }
    #[inline(always)]
    fn to_signed(self) -> U32x16<S> {
        // Whatever is too small, or no number, this instruction set makes the smallest integer itself.
        #[cfg(target_arch = "x86_64")]
        let held = number::min(self.constant(2_147_483_520.0), self);
        #[cfg(not(target_arch = "x86_64"))]
        let held = number::min(number::max(self, self.constant(-2_147_483_648.0)), self.constant(2_147_483_520.0));
        U32x16(fearless_simd::Bytes::bitcast(i32x16::truncate_from(held.0)))
    }
    #[inline(always)]
    fn small_to_signed(self) -> U32x16<S> {
        U32x16(fearless_simd::Bytes::bitcast(i32x16::truncate_from(self.0)))
    }
    #[inline(always)]
    fn sin_cos_pi(self) -> (Self, Self) {
        turn::half(self)
    }
    #[inline(always)]
    fn log2(self) -> Self {
        power::log2(self)
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        power::exp2(self)
    }
    #[inline(always)]
    fn root(self) -> Self {
        root::sqrt(self)
    }
    #[inline(always)]
    fn inverse_root(self) -> Self {
        root::inverse(self)
    }
    #[inline(always)]
    fn permute8(table: &[f64; 8], index: U32x16<S>) -> Self {
        // Twice: the widest instruction set reads a fourth bit of the index.
        let mut singles = [0.0; CHUNK];
        for i in 0..CHUNK {
            singles[i] = narrow(table[i % 8]);
        }
        F32x16(permute::permute8(index.0.token(), &singles, index.0))
    }
}

impl<S: Simd> Single for F32x16<S> {
    #[inline(always)]
    fn bits(self) -> U32x16<S> {
        U32x16(fearless_simd::Bytes::bitcast(self.0))
    }
    #[inline(always)]
    fn of_bits(bits: U32x16<S>) -> Self {
        F32x16(fearless_simd::Bytes::bitcast(bits.0))
    }
}

impl<S: Simd> Bits for U32x16<S> {
    type Mask = mask32x16<S>;
    #[inline(always)]
    fn constant(self, x: u32) -> Self {
        U32x16(u32x16::splat(self.0.token(), x))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        U32x16(self.0 + other.0)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        U32x16(self.0 - other.0)
    }
    #[inline(always)]
    fn times(self, factor: u32) -> Self {
        U32x16(self.0 * factor)
    }
    #[inline(always)]
    fn signed_down(self, bits: u32) -> Self {
        let signed: i32x16<S> = fearless_simd::Bytes::bitcast(self.0);
        U32x16(fearless_simd::Bytes::bitcast(signed >> bits))
    }
    #[inline(always)]
    fn rotate(self, bits: u32) -> Self {
        // The halves have no bit in common.
        U32x16((self.0 << bits) | (self.0 >> (32 - bits)))
    }
    #[inline(always)]
    fn less_than(self, other: Self) -> Self::Mask {
        self.0.simd_lt(other.0)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> Self::Mask {
        self.0.simd_eq(other.0)
    }
    #[inline(always)]
    fn bit(self, bit: u32) -> Self::Mask {
        let mask = self.constant(1 << bit);
        (self & mask).equals(mask)
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
        U32x16(mask.select(t.0, f.0))
    }
    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize) {
        self.0.store_slice(&mut to[at..at + CHUNK]);
    }
    #[inline(always)]
    fn laps(self, period: i32) -> Self {
        let (low, high) = self.0.widen();
        let [low, high] = [laps::of(low, period), laps::of(high, period)];
        U32x16(low.narrow(high))
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
        (a.to_bitmask() | 1 << CHUNK).trailing_zeros() as usize
    }
    #[inline(always)]
    fn first(self) -> u32 {
        let [first, ..]: [u32; CHUNK] = self.0.into();
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

impl<S: Simd> SimdVector<f32, SimdToken<S>> for F32x16<S> {
    const WIDTH: usize = CHUNK;
    #[inline(always)]
    fn splat(SimdToken { set: simd, .. }: SimdToken<S>, x: f32) -> Self {
        F32x16(f32x16::splat(simd, x))
    }
    #[inline(always)]
    fn load(SimdToken { set: simd, .. }: SimdToken<S>, from: &[f32], at: usize) -> Self {
        F32x16(f32x16::from_slice(simd, &from[at..at + CHUNK]))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], at: usize) {
        self.0.store_slice(&mut to[at..at + CHUNK]);
    }
    #[inline(always)]
    fn near(SimdToken { set: simd, .. }: SimdToken<S>, table: &[f32], from: [usize; 2], index: U32x16<S>) -> Self {
        F32x16(permute::near(simd, table, from, index.0))
    }
    #[inline(always)]
    fn fraction(high: U32x16<S>, _low: U32x16<S>) -> Self {
        let fraction = Self::of_signed(high >> 8);
        fraction * fraction.constant(1.0 / 16_777_216.0)
    }
    #[inline(always)]
    fn splat_bits(SimdToken { set: simd, .. }: SimdToken<S>, x: u32) -> U32x16<S> {
        U32x16(u32x16::splat(simd, x))
    }
    #[inline(always)]
    fn load_bits(SimdToken { set: simd, .. }: SimdToken<S>, from: &[u32], at: usize) -> U32x16<S> {
        U32x16(u32x16::from_slice(simd, &from[at..at + CHUNK]))
    }
}

macro_rules! scalar {
    ($real:ident) => {
        impl<T> SimdVector<$real, T> for $real {
            const WIDTH: usize = 1;
            #[inline(always)]
            fn splat(_token: T, x: $real) -> Self {
                x
            }
            #[inline(always)]
            fn load(_token: T, from: &[$real], at: usize) -> Self {
                from[at]
            }
            #[inline(always)]
            fn store(self, to: &mut [$real], at: usize) {
                to[at] = self;
            }
            #[inline(always)]
            fn near(_token: T, table: &[$real], from: [usize; 2], index: u32) -> Self {
                table[from[0] + index as usize]
            }
            #[inline(always)]
            fn fraction(high: u32, low: u32) -> Self {
                <$real as Real>::fraction(high, low)
            }
            #[inline(always)]
            fn splat_bits(_token: T, x: u32) -> u32 {
                x
            }
            #[inline(always)]
            fn load_bits(_token: T, from: &[u32], at: usize) -> u32 {
                from[at]
            }
        }
    };
}
scalar!(f32);
scalar!(f64);
