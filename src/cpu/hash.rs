//! Twin of `shaders/lib/hash.wgsl`: integer hash of a cell and a seed.

use super::real::{Real, select};

/// Two rounds of xor-shift-multiply with the constants of Wellons' "lowbias32".
#[inline(always)]
pub fn mix(h: u32) -> u32 {
    let a = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
    let b = (a ^ (a >> 15)).wrapping_mul(0x846c_a68b);
    b ^ (b >> 16)
}

// The products are turned against each other: the upper bits of one meet the lower ones of the next. Otherwise cells that lie
// 2³¹ apart along two axes would have the same hash, and half of those 2³⁰ apart.

#[inline(always)]
pub fn hash_1(x: u32, seed: u32) -> u32 {
    mix(x.wrapping_mul(501_125_321) ^ seed)
}

#[inline(always)]
pub fn hash_2(x: u32, y: u32, seed: u32) -> u32 {
    mix(x.wrapping_mul(501_125_321) ^ y.wrapping_mul(1_136_930_381).rotate_left(11) ^ seed)
}

#[inline(always)]
pub fn hash_3(x: u32, y: u32, z: u32, seed: u32) -> u32 {
    let yz = y.wrapping_mul(1_136_930_381).rotate_left(11) ^ z.wrapping_mul(1_720_413_743).rotate_left(22);
    mix(x.wrapping_mul(501_125_321) ^ yz ^ seed)
}

/// The fourth coordinate goes into the seed, through a mix of its own.
#[inline(always)]
pub fn hash_4(x: u32, y: u32, z: u32, w: u32, seed: u32) -> u32 {
    hash_3(x, y, z, hash_1(w, seed))
}

/// `x` with its sign flipped where the given bit of `h` is set.
#[inline(always)]
pub fn sign<R: Real>(x: R, h: u32, bit: u32) -> R {
    select(x, -x, (h >> bit) & 1 != 0)
}
