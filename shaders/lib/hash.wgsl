// Integer hash of a cell and a seed. A test compares these numbers with the CPU's.

// Multipliers of coordinates along x, y and z, and the number of bits by which the products are rotated.
const HASH_X: u32 = 501125321u;
const HASH_Y: u32 = 1136930381u;
const HASH_Z: u32 = 1720413743u;
const HASH_TURN_Y: u32 = 11u;
const HASH_TURN_Z: u32 = 22u;

// Of Wellons' "lowbias32".
const HASH_MIX_1: u32 = 0x7feb352du;
const HASH_MIX_2: u32 = 0x846ca68bu;

// Two rounds of xor-shift-multiply: bias 0.17 of 2^32.
fn hash_mix(h: u32) -> u32 {
    return hash_mixed(hash_fold(h));
}

// The same where only the upper 16 bits are wanted.
fn hash_mix_upper(h: u32) -> u32 {
    return hash_mixed_upper(hash_fold(h));
}

// The first step. It is linear: folding joined words equals joining folded words, so parts that points or samples share are folded
// once.
fn hash_fold(h: u32) -> u32 {
    return h ^ (h >> 16u);
}

// The remaining steps.

fn hash_mixed(folded: u32) -> u32 {
    let b = hash_mixed_upper(folded);
    return b ^ (b >> 16u);
}

fn hash_mixed_upper(folded: u32) -> u32 {
    let a = folded * HASH_MIX_1;
    return (a ^ (a >> 15u)) * HASH_MIX_2;
}

// The products are turned against each other: the upper bits of one meet the lower ones of the next. Otherwise cells that lie
// 2^31 apart along two axes would have the same hash, and half of those 2^30 apart.

fn hash_turn(x: u32, by: u32) -> u32 {
    return (x << by) | (x >> (32u - by));
}

// The contribution of a coordinate along each axis. The one along x joins last, because samples of a thread share the others.

fn hash_part_x(x: u32, seed: u32) -> u32 {
    return (x * HASH_X) ^ seed;
}

fn hash_part_y(y: u32) -> u32 {
    return hash_turn(y * HASH_Y, HASH_TURN_Y);
}

fn hash_part_z(z: u32) -> u32 {
    return hash_turn(z * HASH_Z, HASH_TURN_Z);
}

fn hash_1(x: u32, seed: u32) -> u32 {
    return hash_mix(hash_part_x(x, seed));
}

// The joint contribution of all coordinates, folded.

fn hash_parts_2(x: u32, y: u32, seed: u32) -> u32 {
    return hash_fold(hash_part_x(x, seed)) ^ hash_fold(hash_part_y(y));
}

fn hash_parts_3(x: u32, y: u32, z: u32, seed: u32) -> u32 {
    let yz = hash_fold(hash_part_y(y) ^ hash_part_z(z));
    return yz ^ hash_fold(hash_part_x(x, seed));
}

fn hash_2(x: u32, y: u32, seed: u32) -> u32 {
    return hash_mixed(hash_parts_2(x, y, seed));
}

fn hash_3(x: u32, y: u32, z: u32, seed: u32) -> u32 {
    return hash_mixed(hash_parts_3(x, y, z, seed));
}

// The fourth coordinate goes into the seed, through a mix of its own.
fn hash_4(x: u32, y: u32, z: u32, w: u32, seed: u32) -> u32 {
    return hash_3(x, y, z, hash_1(w, seed));
}

// A hash as a number in [-1, 1], short of the ends by 1e-6 for the rounding of what is made of it.
fn hash_signed(h: u32) -> f32 {
    return f32(h >> 8u) * 1.1920917605768523e-7 - 0.9999990463256836;
}
