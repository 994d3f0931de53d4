//! Twin of `shaders/passes/gully.wgsl`: gullies, octaves of stripes that run down the slope, each carved into what the ones before
//! have left.

use crate::cpu::lib::hash::hash_2;
use crate::cpu::lib::turn;
use crate::cpu::passes::stencil::Stencil;
use crate::cpu::simd::Real;
use crate::cpu::simd::real::max;
use crate::schedule::pass::{AtSample, Gully, made};

/// An entry of the table that counts.
#[inline(always)]
fn limb<R: Real>(table: &[R], k: usize) -> u32 {
    table[k].to_i32() as u32
}

/// A lattice coordinate, Q32.32, from limbs of 16 bits in the table: first + index · step, wrapping.
#[inline(always)]
fn place<R: Real>(table: &[R], first: usize, step: usize, index: u32) -> (u32, u32) {
    let of = |k: usize| (0..4).fold(0, |all, i| all | u64::from(limb(table, k + i)) << (16 * i));
    let q = of(first).wrapping_add(of(step).wrapping_mul(u64::from(index)));
    ((q >> 32) as u32, q as u32)
}

/// Cosine and sine of stripes across a direction, from the random points of the sixteen cells around: each brings waves of its own,
/// and their sum is brought to nearly length 1, to less where they disagree.
#[inline(always)]
fn stripes<R: Real>(cell: [u32; 2], f: [R; 2], across: [R; 2], seed: u32) -> [R; 2] {
    let (zero, one) = (R::of(0.0), R::of(1.0));
    let (unit, half) = (R::of(0.000_015_258_789_062_5), R::of(0.5));
    let radius = R::of(f64::from(0.444_444_4_f32));
    let (mut cosines, mut sines) = (zero, zero);
    for j in -1..=2 {
        for i in -1..=2 {
            let h = hash_2(cell[0].wrapping_add_signed(i), cell[1].wrapping_add_signed(j), seed);
            let x = (f[0] - R::of_i32(i)) + (R::of_i32((h >> 16) as i32) * unit - half);
            let y = (f[1] - R::of_i32(j)) + (R::of_i32((h & 0xffff) as i32) * unit - half);
            let near = max(one - (x * x + y * y) * radius, zero);
            let weight = near * near;
            let turns = x * across[0] + y * across[1];
            let (sine, cosine) = turn::whole(turns - turns.floor());
            cosines = cosines + cosine * weight;
            sines = sines + sine * weight;
        }
    }
    let i = ((cosines * cosines + sines * sines) + R::of(0.5)).inverse_root();
    [cosines * i, sines * i]
}

#[inline(always)]
pub fn carve<R: Real>(at: impl Stencil<R>, pass: Gully<AtSample<'_, R>>) -> made::Gully<R> {
    let Gully { height, slope_x, slope_y, octaves, onset_squared, table } = pass;
    let (half, one) = (R::of(0.5), R::of(1.0));
    let mut height = at.here(height);
    let mut slope = [at.here(slope_x), at.here(slope_y)];
    let (mut ridge, mut total) = (R::of(0.0), R::of(0.0));
    let [column, line] = at.at().map(|i| i as u32);
    for k in 0..octaves.to_i32() as usize {
        let row = k * 16;
        let (cell_x, x) = place(table, row, row + 8, column);
        let (cell_y, y) = place(table, row + 4, row + 8, line);
        let f = [R::fraction(x, 0), R::fraction(y, 0)];
        let square = slope[0] * slope[0] + slope[1] * slope[1];
        let i = square.inverse_root();
        let across = [-(slope[1] * i), slope[0] * i];
        let seed = limb(table, row + 13) << 16 | limb(table, row + 12);
        let [cosine, sine] = stripes([cell_x, cell_y], f, across, seed);
        let r = (square + onset_squared).inverse_root();
        let fade = (square * r) * r;
        let depth = table[row + 14];
        height = height + (half * (cosine - one)) * (fade * depth);
        let push = (half * sine) * (fade * table[row + 15]);
        slope = [slope[0] - push * across[0], slope[1] - push * across[1]];
        ridge = ridge + (cosine * fade) * depth;
        total = total + depth;
    }
    let j = total.inverse_root();
    made::Gully { height, ridge: (ridge * j) * j }
}
