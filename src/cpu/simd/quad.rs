//! Four adjacent f32 in a register of WebAssembly, for long formulas: with sixteen, as in `vector`, every operation would be four
//! instructions, and the module that much larger.

use crate::cpu::simd::lanes::LANES;
use crate::cpu::simd::number::{Bits, Number, Single};
use crate::cpu::simd::permute::{Eight, Lookup};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::program::narrow;
use fearless_simd::{Bytes, Simd, SimdInto, SimdMask, f32x4, i32x4, mask32x4, u32x4};

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

/// The numbers of a vector from a lane on.
#[inline(always)]
fn four<X: Copy>(from: &[X], at: usize) -> [X; WIDTH] {
    let four = &from[at..at + WIDTH];
    [four[0], four[1], four[2], four[3]]
}

/// Out of line, since formulas call it for every coordinate of every point.
#[inline(never)]
fn laps(lanes: [u32; WIDTH], period: i32) -> [u32; WIDTH] {
    lanes.map(|x| x.laps(period))
}

impl<S: Simd> Number for f32x4<S> {
    type Mask = mask32x4<S>;
    type Bits = u32x4<S>;
    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        self.simd.splat_f32x4(narrow(x))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        self.simd.floor_f32x4(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.simd.abs_f32x4(self)
    }
    #[inline(always)]
    fn xor_sign(self, by: u32x4<S>) -> Self {
        Self::of_bits(self.bits() ^ (by & by.constant(1 << 31)))
    }
    #[inline(always)]
    fn less_than(self, other: Self) -> Self::Mask {
        self.simd.simd_lt_f32x4(self, other)
    }
    #[inline(always)]
    fn at_least(self, other: Self) -> Self::Mask {
        self.simd.simd_ge_f32x4(self, other)
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
        t.simd.select_f32x4(mask, t, f)
    }
    #[inline(always)]
    fn of_signed(bits: u32x4<S>) -> Self {
        let signed: i32x4<S> = bits.bitcast();
        signed.simd.cvt_f32_i32x4(signed)
    }
    #[inline(always)]
    fn to_signed(self) -> u32x4<S> {
        let raised = Self::larger(self, self.constant(-2_147_483_648.0));
        Self::smaller(raised, self.constant(2_147_483_520.0)).small_to_signed()
    }
    #[inline(always)]
    fn small_to_signed(self) -> u32x4<S> {
        self.simd.cvt_i32_f32x4(self).bitcast()
    }
}

impl<S: Simd> Single for f32x4<S> {
    #[inline(always)]
    fn bits(self) -> u32x4<S> {
        self.bitcast()
    }
    #[inline(always)]
    fn of_bits(bits: u32x4<S>) -> Self {
        bits.bitcast()
    }
}

impl<S: Simd> Bits for u32x4<S> {
    type Mask = mask32x4<S>;
    #[inline(always)]
    fn constant(self, x: u32) -> Self {
        self.simd.splat_u32x4(x)
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
        self.simd.mul_u32x4(self, self.constant(factor))
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        self.simd.mul_u32x4(self, other)
    }
    #[inline(always)]
    fn signed_down(self, bits: u32) -> Self {
        let signed: i32x4<S> = self.bitcast();
        signed.simd.shr_i32x4(signed, bits).bitcast()
    }
    #[inline(always)]
    fn rotate(self, bits: u32) -> Self {
        (self << bits) | (self >> (32 - bits))
    }
    #[inline(always)]
    fn less_than(self, other: Self) -> Self::Mask {
        self.simd.simd_lt_u32x4(self, other)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> Self::Mask {
        self.simd.simd_eq_u32x4(self, other)
    }
    #[inline(always)]
    fn bit(self, bit: u32) -> Self::Mask {
        let mask = self.constant(1 << bit);
        (self & mask).equals(mask)
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self {
        t.simd.select_u32x4(mask, t, f)
    }
    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize) {
        let lanes: [u32; WIDTH] = self.into();
        to[at..at + WIDTH].copy_from_slice(&lanes);
    }
    #[inline(always)]
    fn laps(self, period: i32) -> Self {
        // Most lattices have no period.
        if period == 0 { self.constant(0) } else { laps(self.into(), period).simd_into(self.simd) }
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
        (a.to_bitmask() | 1 << WIDTH).trailing_zeros() as usize
    }
    #[inline(always)]
    fn first(self) -> u32 {
        let [first, ..]: [u32; WIDTH] = self.into();
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

impl<S: Simd> Lookup for f32x4<S> {
    type Entry = f32;
    #[inline(always)]
    fn permute8(table: &Eight, index: u32x4<S>) -> Self {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| table.single[i as usize % 8];
        [entry(a), entry(b), entry(c), entry(d)].simd_into(index.simd)
    }
    #[inline(always)]
    fn row<const N: usize>(table: &[[f32; N]; 256], index: u32x4<S>) -> [Self; N] {
        let lanes: [u32; WIDTH] = index.into();
        let mut all = [index.simd.splat_f32x4(0.0); N];
        for k in 0..N {
            let entry = |lane: usize| table[lanes[lane] as usize % 256][k];
            all[k] = [entry(0), entry(1), entry(2), entry(3)].simd_into(index.simd);
        }
        all
    }
}

impl<S: Simd> SimdVector<f32, QuadToken<S>> for f32x4<S> {
    const WIDTH: usize = WIDTH;
    #[inline(always)]
    fn splat(QuadToken { set: simd, .. }: QuadToken<S>, x: f32) -> Self {
        simd.splat_f32x4(x)
    }
    #[inline(always)]
    fn load(QuadToken { set: simd, .. }: QuadToken<S>, from: &[f32], at: usize) -> Self {
        four(from, at).simd_into(simd)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], at: usize) {
        let lanes: [f32; WIDTH] = self.into();
        to[at..at + WIDTH].copy_from_slice(&lanes);
    }
    #[inline(always)]
    fn look_up(QuadToken { set: simd, .. }: QuadToken<S>, table: &[f32], [from, _]: [usize; 2], index: u32x4<S>) -> Self {
        let [a, b, c, d]: [u32; WIDTH] = index.into();
        let entry = |i: u32| table[from + i as usize];
        [entry(a), entry(b), entry(c), entry(d)].simd_into(simd)
    }
    #[inline(always)]
    fn fraction(high: u32x4<S>, _low: u32x4<S>) -> Self {
        let fraction = Self::of_signed(high >> 8);
        fraction * fraction.constant(1.0 / 16_777_216.0)
    }
    #[inline(always)]
    fn splat_bits(QuadToken { set: simd, .. }: QuadToken<S>, x: u32) -> u32x4<S> {
        simd.splat_u32x4(x)
    }
    #[inline(always)]
    fn load_bits(QuadToken { set: simd, .. }: QuadToken<S>, from: &[u32], at: usize) -> u32x4<S> {
        four(from, at).simd_into(simd)
    }
}
