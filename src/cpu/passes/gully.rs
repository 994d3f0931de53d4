//! Twin of `shaders/passes/gully.wgsl`: gullies. Octaves of stripes run down the slope, and each is carved into the result of the
//! octaves before.

use crate::cpu::lib::hash::{mix, part};
use crate::cpu::lib::turn;
use crate::cpu::passes::stencil::{AtSample, Each, Stencil, WordEach};
use crate::cpu::simd::Real;
use crate::cpu::simd::number::{Bits, Number, Transcendental};
use crate::cpu::simd::real::max;
use crate::cpu::simd::unrolled;
use crate::cpu::simd::vector::SimdVector;
use crate::schedule::pass::{Gully, made};

/// An integer entry of the table.
#[inline(always)]
fn limb<R: Real>(table: &[R], k: usize) -> u32 {
    table[k].to_i32() as u32
}

/// A 64-bit number from limbs of 16 bits in the table.
#[inline(always)]
pub fn long<R: Real>(table: &[R], k: usize) -> u64 {
    let mut all = 0;
    for i in 0..4 {
        all |= u64::from(limb(table, k + i)) << (16 * i);
    }
    all
}

/// The lattice coordinate first + index · step of these samples along an axis, in wrapping Q32.32: its cell and its fraction.
#[inline(always)]
pub fn place<S: Stencil>(at: S, first: u64, step: u64, index: WordEach<S>) -> (WordEach<S>, WordEach<S>) {
    let mut limbs = [at.word(0); 4];
    let mut carry = at.word(0);
    for i in 0..4 {
        let [first, step] = [first, step].map(|long| (long >> (16 * i)) as u32 & 0xffff);
        let sum = index.times(step).plus(at.word(first)).plus(carry);
        limbs[i] = sum & at.word(0xffff);
        carry = sum >> 16;
    }
    let [a, b, c, d] = limbs;
    ((d << 16) ^ c, (b << 16) ^ a)
}

/// Cosine and sine of stripes across a direction. The random points of the sixteen cells around each contribute waves. The sum is
/// scaled to nearly length 1, or less if the waves disagree. All samples are in one row of cells.
#[inline(always)]
fn stripes<S: Stencil>(at: S, cell: (WordEach<S>, u32), f: [Each<S>; 2], across: [Each<S>; 2], seed: u32) -> [Each<S>; 2] {
    let (zero, one, half) = (at.constant(0.0), at.constant(1.0), at.constant(0.5));
    let (unit, radius) = (at.constant(1.0 / 65536.0), at.constant(0.444_444_4));
    let (mut cosines, mut sines) = (zero, zero);
    // The contributions of the cells' columns to their hashes, and the offsets of the samples from them.
    let mut columns = [(cell.0, f[0]); 4];
    unrolled!(i in 0..4 => {
        columns[i] = (part(0, cell.0.plus(at.word((i as u32).wrapping_sub(1)))), f[0] - at.constant(i as f32 - 1.0));
    });
    for j in -1..=2_i32 {
        let row = at.word(part(1, cell.1.wrapping_add(j as u32)) ^ seed);
        let below = f[1] - at.constant(j as f32);
        for (column, along) in columns {
            let h = mix(column ^ row);
            let x = along + (Each::<S>::of_signed(h >> 16) * unit - half);
            let y = below + (Each::<S>::of_signed(h & at.word(0xffff)) * unit - half);
            let near = max(one - (x * x + y * y) * radius, zero);
            let weight = near * near;
            let turns = x * across[0] + y * across[1];
            let (sine, cosine) = turn::whole(turns - turns.floor());
            cosines = cosines + cosine * weight;
            sines = sines + sine * weight;
        }
    }
    let i = ((cosines * cosines + sines * sines) + half).inverse_root();
    [cosines * i, sines * i]
}

#[inline(always)]
pub fn carve<S: Stencil>(at: S, pass: Gully<AtSample<'_, S>>) -> made::Gully<Each<S>> {
    let Gully { height, slope_x, slope_y, octaves, onset_squared, table } = pass;
    let (half, one) = (at.constant(0.5), at.constant(1.0));
    let mut height = at.here(height);
    let mut slope = [at.here(slope_x), at.here(slope_y)];
    let (mut ridge, mut total) = (at.constant(0.0), at.constant(0.0));
    let start = at.first().map(|i| i as u32);
    // Relative to the first of these samples, so that its products with limbs fit 32 bits.
    let further = at.at()[0].minus(at.word(start[0]));
    for k in 0..at.count(octaves) as usize {
        let row = k * 16;
        let step = long(table, row + 8);
        let [first_x, first_y] = [0, 1].map(|a| long(table, row + 4 * a).wrapping_add(step.wrapping_mul(u64::from(start[a]))));
        let (cell_x, x) = place(at, first_x, step, further);
        let f = [Each::<S>::fraction(x, at.word(0)), Each::<S>::fraction(at.word(first_y as u32), at.word(0))];
        let square = slope[0] * slope[0] + slope[1] * slope[1];
        let i = square.inverse_root();
        let across = [-(slope[1] * i), slope[0] * i];
        let seed = limb(table, row + 13) << 16 | limb(table, row + 12);
        let [cosine, sine] = stripes(at, (cell_x, (first_y >> 32) as u32), f, across, seed);
        let r = (square + onset_squared).inverse_root();
        let fade = (square * r) * r;
        let (depth, push) = (at.number(table[row + 14]), at.number(table[row + 15]));
        height = height + (half * (cosine - one)) * (fade * depth);
        let push = (half * sine) * (fade * push);
        slope = [slope[0] - push * across[0], slope[1] - push * across[1]];
        ridge = ridge + (cosine * fade) * depth;
        total = total + depth;
    }
    let j = total.inverse_root();
    made::Gully { height, ridge: (ridge * j) * j }
}
