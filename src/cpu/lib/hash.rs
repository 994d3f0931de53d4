//! Twin of `shaders/lib/hash.wgsl`: integer hash of a cell and a seed.

use crate::cpu::simd::number::{Bits, Number};

/// Factors of coordinates along x, y and z. A test compares them with the shader's.
pub const FACTORS: [u32; 3] = [501_125_321, 1_136_930_381, 1_720_413_743];
/// Bits by which the products are rotated.
pub const TURNS: [u32; 3] = [0, 11, 22];
/// The multipliers of Wellons' "lowbias32".
pub const MIX: [u32; 2] = [0x7feb_352d, 0x846c_a68b];

/// Two rounds of xor-shift-multiply.
#[inline(always)]
pub fn mix<B: Bits>(h: B) -> B {
    mixed(fold(h))
}

/// The same if only the upper 16 bits are needed.
#[inline(always)]
pub fn mix_upper<B: Bits>(h: B) -> B {
    mixed_upper(fold(h))
}

/// The first step of [`mix`]. Folding commutes with xor, so parts that points or samples have in common are folded once.
#[inline(always)]
pub fn fold<B: Bits>(h: B) -> B {
    h ^ (h >> 16)
}

/// The remaining steps of [`mix`].
#[inline(always)]
pub fn mixed<B: Bits>(folded: B) -> B {
    let b = mixed_upper(folded);
    b ^ (b >> 16)
}

/// The remaining steps of [`mix_upper`].
#[inline(always)]
pub fn mixed_upper<B: Bits>(folded: B) -> B {
    let a = folded.times(MIX[0]);
    (a ^ (a >> 15)).times(MIX[1])
}

// The products are rotated against each other, so that the upper bits of one meet the lower bits of the next. Otherwise cells 2³¹
// apart along two axes would have the same hash, and half of those 2³⁰ apart.

/// The contribution of a coordinate along one of the first three axes.
#[inline(always)]
pub fn part<B: Bits>(axis: usize, x: B) -> B {
    turned(axis, x.times(FACTORS[axis]))
}

/// The same for a coordinate that is already multiplied.
#[inline(always)]
pub fn turned<B: Bits>(axis: usize, product: B) -> B {
    if axis == 0 { product } else { product.rotate(TURNS[axis]) }
}

#[inline(always)]
pub fn hash_1<B: Bits>(x: B, seed: B) -> B {
    mix(part(0, x) ^ seed)
}

#[inline(always)]
pub fn hash_2<B: Bits>(x: B, y: B, seed: B) -> B {
    mix(part(0, x) ^ part(1, y) ^ seed)
}

#[inline(always)]
pub fn hash_3<B: Bits>(x: B, y: B, z: B, seed: B) -> B {
    mix(part(0, x) ^ (part(1, y) ^ part(2, z)) ^ seed)
}

/// The hash in four dimensions: the fourth coordinate is mixed into the seed.
#[inline(always)]
pub fn hash_4<B: Bits>(x: B, y: B, z: B, w: B, seed: B) -> B {
    hash_3(x, y, z, hash_1(w, seed))
}

/// A hash as a number in [−1, 1], 1e-6 short of the ends to allow for rounding in later operations.
#[inline(always)]
pub fn signed<R: Number>(h: R::Bits) -> R {
    let number = R::of_signed(h >> 8);
    number * number.constant(1.192_091_760_576_852_3e-7) - number.constant(0.999_999_046_325_683_6)
}
