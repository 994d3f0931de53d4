//! Twin of `shaders/lib/gradient.wgsl`: the directions of lattice points, by their hashes. The tables of a noise contain the
//! directions times the noise's scale along each axis.
//!
//! In 2D and 3D only the upper 16 bits of a hash are read.

use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::{Eight, Lookup};
use crate::cpu::simd::unrolled;

/// x and y of half of the 16 directions, which are evenly spaced from 11.25 degrees on; the others are their opposites. Bits of
/// the index from the highest: steep, x and y swapped, y negative.
pub const fn sixteen(scale: [f64; 2]) -> [Eight; 2] {
    let long = [0.980_785_280_403_230_4, 0.831_469_612_302_545_2];
    let short = [0.195_090_322_016_128_25, 0.555_570_233_019_602_2];
    let mut all = [[0.0; 8]; 2];
    let mut i = 0;
    while i < 8 {
        let steep = i >> 2;
        let (x, y) = if i >> 1 & 1 == 1 { (short[steep], long[steep]) } else { (long[steep], short[steep]) };
        all[0][i] = x * scale[0];
        all[1][i] = if i & 1 == 1 { -y * scale[1] } else { y * scale[1] };
        i += 1;
    }
    [Eight::new(all[0]), Eight::new(all[1])]
}

/// One of 16 directions without its sign, which is that of the hash.
#[inline(always)]
pub fn unsigned_2<R: Lookup>(h: R::Bits, table: &[Eight; 2]) -> [R; 2] {
    let index = h >> 28;
    [R::permute8(&table[0], index), R::permute8(&table[1], index)]
}

/// One of 16 directions.
#[inline(always)]
pub fn gradient_2<R: Lookup>(h: R::Bits, table: &[Eight; 2]) -> [R; 2] {
    if R::has_signed8(h) {
        return [R::signed8(&table[0], h >> 28), R::signed8(&table[1], h >> 28)];
    }
    let [x, y] = unsigned_2::<R>(h, table);
    [x.xor_sign(h), y.xor_sign(h)]
}

/// The number of one of 16 directions, in four bits.
#[inline(always)]
pub fn number_2<B: Bits>(h: B) -> B {
    h >> 28
}

/// The direction with a number.
#[inline(always)]
pub fn numbered_2<R: Lookup>(number: R::Bits, table: &[Eight; 2]) -> [R; 2] {
    let sign = number << 28;
    [R::permute8(&table[0], number).xor_sign(sign), R::permute8(&table[1], number).xor_sign(sign)]
}

/// The permutations of (1, 1 + √2, 1 + 2√2), normalised. The index selects the axis with the longest component, and whether the
/// others are swapped.
pub const fn permutations(scale: [f64; 3]) -> [Eight; 3] {
    let (long, middle, short) = (0.825_942_591_020_956_2, 0.520_840_998_146_611_3, 0.215_739_405_272_266_48);
    let mut all = [[0.0; 8]; 3];
    let mut axis = 0;
    while axis < 3 {
        let mut i = 0;
        while i < 6 {
            let (longest, swap) = (i / 2, i % 2 == 1);
            // The first of the other axes has the middle component unless they are swapped.
            let first = axis == if longest == 0 { 1 } else { 0 };
            let part = if axis == longest {
                long
            } else if first != swap {
                middle
            } else {
                short
            };
            all[axis][i] = part * scale[axis];
            i += 1;
        }
        axis += 1;
    }
    [Eight::new(all[0]), Eight::new(all[1]), Eight::new(all[2])]
}

/// One of 48 directions: the permutations with all signs.
#[inline(always)]
pub fn gradient_3<R: Lookup>(h: R::Bits, table: &[Eight; 3]) -> [R; 3] {
    let index = permutation(h);
    [
        R::permute8(&table[0], index).xor_sign(h),
        R::permute8(&table[1], index).xor_sign(h << 1),
        R::permute8(&table[2], index).xor_sign(h << 2),
    ]
}

/// The index of a permutation, below 6.
#[inline(always)]
fn permutation<B: Bits>(h: B) -> B {
    (h << 3 >> 19).times(6) >> 13
}

/// The number of one of 48 directions, in six bits: the signs, and then the index of the permutation.
#[inline(always)]
pub fn number_3<B: Bits>(h: B) -> B {
    (h >> 29 << 3).plus(permutation(h))
}

/// The direction with a number.
#[inline(always)]
pub fn numbered_3<R: Lookup>(number: R::Bits, table: &[Eight; 3]) -> [R; 3] {
    [
        R::permute8(&table[0], number).xor_sign(number << 26),
        R::permute8(&table[1], number).xor_sign(number << 27),
        R::permute8(&table[2], number).xor_sign(number << 28),
    ]
}

/// One of 32 directions, times a scale: (0, ±1, ±1, ±1) with the 0 in any place, normalised.
#[inline(always)]
pub fn gradient_4<R: Number>(h: R::Bits, scale: f64) -> [R; 4] {
    let empty = h >> 30;
    let third = R::of_signed(h).constant(0.577_350_269_189_625_8 * scale);
    let zero = third.constant(0.0);
    macro_rules! part {
        ($axis:literal, $signed:expr) => {
            R::select($signed, zero, empty.equals(h.constant($axis)))
        };
    }
    // There are three signs for four axes, one of which is 0: the last axis takes the sign of that axis.
    let mut signed = [third; 3];
    unrolled!(bit in 0..3 => signed[bit] = R::select(third, -third, h.bit(bit as u32)));
    let last = R::select(R::select(signed[0], signed[1], empty.equals(h.constant(1))), signed[2], empty.equals(h.constant(2)));
    [part!(0, signed[0]), part!(1, signed[1]), part!(2, signed[2]), part!(3, last)]
}
