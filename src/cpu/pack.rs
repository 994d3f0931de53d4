//! Neighbouring numbers as one [`Number`]: sixteen f32 in registers of the instruction set at hand, or one after the other.

use super::block::CHUNK;
use super::lookup;
use super::number::{self, Bits, Number};
use super::real::Real;
use super::turn;
use crate::program::narrow;
use fearless_simd::{
    ExtractToken, Select, Simd, SimdBase, SimdCvtFloat, SimdCvtTruncate, SimdFloat, SimdFrom, f32x16, i32x16, mask32x16, u32x16,
};
use std::ops::{Add, BitAnd, BitXor, Mul, Neg, Shl, Shr, Sub};

/// What chunks are computed with.
pub trait Machine: Copy {
    type Single: Pack<f32, Self>;
}

/// An instruction set.
#[derive(Clone, Copy)]
pub struct Vector<S>(pub S);

impl<S: Simd> Machine for Vector<S> {
    type Single = Singles<S>;
}

/// Any machine, one number after the other. For the oracle, which need not be fast, and for processors that have no instruction set
/// worth code of its own.
#[derive(Clone, Copy)]
pub struct Plain;

impl Machine for Plain {
    type Single = f32;
}

/// Neighbouring numbers of a block: `at` is the first one's lane.
pub trait Pack<R, M>: Number {
    /// How many.
    const WIDTH: usize;
    /// The same in every lane.
    fn splat(machine: M, x: R) -> Self;
    fn load(machine: M, from: &[R], at: usize) -> Self;
    fn store(self, to: &mut [R], at: usize);
    /// `table[index]` for every lane of a table of [`WINDOW`](lookup::WINDOW).
    fn lookup(machine: M, table: &[R], index: Self::Bits) -> Self;
    /// A fraction from the 64 bits below its point, in halves.
    fn fraction(high: Self::Bits, low: Self::Bits) -> Self;
    fn splat_bits(machine: M, x: u32) -> Self::Bits;
    fn load_bits(machine: M, from: &[u32], at: usize) -> Self::Bits;
}

/// As many words.
pub type BitsOf<R, M> = <<R as Real>::Pack<M> as Number>::Bits;

/// Lattice coordinates: cells and fractions.
pub type Position<R, M, const N: usize> = ([BitsOf<R, M>; N], [<R as Real>::Pack<M>; N]);

/// Sixteen f32.
#[derive(Clone, Copy)]
pub struct Singles<S: Simd>(f32x16<S>);

/// Sixteen words.
#[derive(Clone, Copy)]
pub struct Words<S: Simd>(u32x16<S>);

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
operators!(Singles: Add add, Sub sub, Mul mul);
operators!(Words: BitXor bitxor, BitAnd bitand);

impl<S: Simd> Neg for Singles<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Singles(-self.0)
    }
}

impl<S: Simd> Shl<u32> for Words<S> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Words(self.0 << bits)
    }
}

impl<S: Simd> Shr<u32> for Words<S> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Words(self.0 >> bits)
    }
}

impl<S: Simd> Number for Singles<S> {
    type Mask = mask32x16<S>;
    type Bits = Words<S>;
    #[inline(always)]
    fn like(self, x: f64) -> Self {
        Singles(f32x16::splat(self.0.token(), narrow(x)))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Singles(SimdFloat::floor(self.0))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Singles(SimdBase::abs(self.0))
    }
    #[inline(always)]
    fn flipped(self, by: Words<S>) -> Self {
        let bits: u32x16<S> = fearless_simd::Bytes::bitcast(self.0);
        Singles(fearless_simd::Bytes::bitcast(bits ^ (by & by.like(1 << 31)).0))
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self::Mask {
        self.0.simd_lt(other.0)
    }
    #[inline(always)]
    fn reaches(self, other: Self) -> Self::Mask {
        self.0.simd_ge(other.0)
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
        Singles(mask.select(t.0, f.0))
    }
    // One instruction with just this meaning, also for zeros and what is no number.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn smaller(a: Self, b: Self) -> Self {
        Singles(SimdBase::min(a.0, b.0))
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn larger(a: Self, b: Self) -> Self {
        Singles(SimdBase::max(a.0, b.0))
    }
    #[inline(always)]
    fn of_signed(bits: Words<S>) -> Self {
        let signed: i32x16<S> = fearless_simd::Bytes::bitcast(bits.0);
        Singles(f32x16::float_from(signed))
    }
    #[inline(always)]
    fn to_signed(self) -> Words<S> {
        let held = number::min(number::max(self, self.like(-2_147_483_648.0)), self.like(2_147_483_520.0));
        Words(fearless_simd::Bytes::bitcast(i32x16::truncate_from(held.0)))
    }
    #[inline(always)]
    fn half_turns(self) -> (Self, Self) {
        turn::half(self)
    }
    #[inline(always)]
    fn of_sixteen(table: &[f64; 16], index: Words<S>) -> Self {
        let mut singles = [0.0; CHUNK];
        for i in 0..CHUNK {
            singles[i] = narrow(table[i]);
        }
        Singles(lookup::sixteen(index.0.token(), &singles, index.0))
    }
}

impl<S: Simd> Bits for Words<S> {
    type Mask = mask32x16<S>;
    #[inline(always)]
    fn like(self, x: u32) -> Self {
        Words(u32x16::splat(self.0.token(), x))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Words(self.0 + other.0)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Words(self.0 - other.0)
    }
    #[inline(always)]
    fn times(self, factor: u32) -> Self {
        Words(self.0 * factor)
    }
    #[inline(always)]
    fn rotate(self, bits: u32) -> Self {
        // The halves have no bit in common.
        Words((self.0 << bits) | (self.0 >> (32 - bits)))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        self.0.simd_lt(other.0)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> Self::Mask {
        self.0.simd_eq(other.0)
    }
    #[inline(always)]
    fn bit(self, bit: u32) -> Self::Mask {
        let mask = self.like(1 << bit);
        (self & mask).equals(mask)
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
        Words(mask.select(t.0, f.0))
    }
    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize) {
        self.0.store_slice(&mut to[at..at + CHUNK]);
    }
    #[inline(always)]
    fn laps(self, period: i32) -> Self {
        let lanes: [u32; CHUNK] = self.0.into();
        Words(u32x16::simd_from(self.0.token(), lanes.map(|x| x.laps(period))))
    }
    #[inline(always)]
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & b
    }
    #[inline(always)]
    fn not(a: Self::Mask) -> Self::Mask {
        !a
    }
}

impl<S: Simd> Pack<f32, Vector<S>> for Singles<S> {
    const WIDTH: usize = CHUNK;
    #[inline(always)]
    fn splat(Vector(simd): Vector<S>, x: f32) -> Self {
        Singles(f32x16::splat(simd, x))
    }
    #[inline(always)]
    fn load(Vector(simd): Vector<S>, from: &[f32], at: usize) -> Self {
        Singles(f32x16::from_slice(simd, &from[at..at + CHUNK]))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], at: usize) {
        self.0.store_slice(&mut to[at..at + CHUNK]);
    }
    #[inline(always)]
    fn lookup(Vector(simd): Vector<S>, table: &[f32], index: Words<S>) -> Self {
        Singles(lookup::window(simd, table, index.0))
    }
    #[inline(always)]
    fn fraction(high: Words<S>, _low: Words<S>) -> Self {
        let fraction = Self::of_signed(high >> 8);
        fraction * fraction.like(1.0 / 16_777_216.0)
    }
    #[inline(always)]
    fn splat_bits(Vector(simd): Vector<S>, x: u32) -> Words<S> {
        Words(u32x16::splat(simd, x))
    }
    #[inline(always)]
    fn load_bits(Vector(simd): Vector<S>, from: &[u32], at: usize) -> Words<S> {
        Words(u32x16::from_slice(simd, &from[at..at + CHUNK]))
    }
}

macro_rules! scalar {
    ($real:ident) => {
        impl<M> Pack<$real, M> for $real {
            const WIDTH: usize = 1;
            #[inline(always)]
            fn splat(_machine: M, x: $real) -> Self {
                x
            }
            #[inline(always)]
            fn load(_machine: M, from: &[$real], at: usize) -> Self {
                from[at]
            }
            #[inline(always)]
            fn store(self, to: &mut [$real], at: usize) {
                to[at] = self;
            }
            #[inline(always)]
            fn lookup(_machine: M, table: &[$real], index: u32) -> Self {
                table[index as usize]
            }
            #[inline(always)]
            fn fraction(high: u32, low: u32) -> Self {
                <$real as Real>::fraction(high, low)
            }
            #[inline(always)]
            fn splat_bits(_machine: M, x: u32) -> u32 {
                x
            }
            #[inline(always)]
            fn load_bits(_machine: M, from: &[u32], at: usize) -> u32 {
                from[at]
            }
        }
    };
}
scalar!(f32);
scalar!(f64);
