//! Twin of `shaders/lib/white.wgsl`: white noise by the one-line hashes of shaders.

use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::turn;
use crate::cpu::simd::Real;

/// The cell along the axes that are used; 0 along the others.
#[inline(always)]
pub fn cell<const PERIODIC: bool>(cell: [u32; 3], dimensions: u32, key: HashKey<u32, PERIODIC>) -> [u32; 3] {
    [0, 1, 2].map(|axis| if axis < dimensions as usize { key.cell(axis, cell[axis]) } else { 0 })
}

/// `2 · fract(sin(12.9898 x + 78.233 y + 37.719 z) · 43758.5453) − 1` for whole x, y, z. It is always computed in f32. Its values
/// are the rounding errors of the sine, so in f64 it would be another noise.
#[inline(always)]
pub fn sine<R: Real>([x, y, z]: [u32; 3]) -> Jet<R> {
    let turns = x.wrapping_mul(289_441_625).wrapping_add(y.wrapping_mul(1_937_754_652)).wrapping_add(z.wrapping_mul(13_594_853));
    signed(fract(turn::whole(counted(turns)).0 * 43_758.547))
}

/// `2 · rand(rand(x) + rand(y)) − 1` with `rand(x) = fract(sin(x) · 43758.5453123)`, also in f32; z is added to the result of x
/// and y.
#[inline(always)]
pub fn nested_sine<R: Real>([x, y, z]: [u32; 3], dimensions: u32) -> Jet<R> {
    let mut found = random(x);
    if dimensions > 1 {
        found = again(found + random(y));
    }
    if dimensions > 2 {
        found = again(found + random(z));
    }
    signed(found)
}

/// The same with `rand(x) = (x ^ (x >> 16)) · 0x85ebca6b` of wrapping integers, over 2³².
#[inline(always)]
pub fn nested_integer<R: Real>([x, y, z]: [u32; 3], dimensions: u32) -> Jet<R> {
    let mut found = shifted(x);
    if dimensions > 1 {
        found = shifted(found.wrapping_add(shifted(y)));
    }
    if dimensions > 2 {
        found = shifted(found.wrapping_add(shifted(z)));
    }
    signed(counted(found))
}

/// The first 24 bits of turns in units of 2⁻³², in which whole multiples wrap by themselves.
#[inline(always)]
fn counted(turns: u32) -> f32 {
    (turns >> 8) as i32 as f32 * 5.960_464_5e-8
}

#[inline(always)]
fn fract(x: f32) -> f32 {
    x - x.floor()
}

/// `rand` of a whole number, in radians.
#[inline(always)]
fn random(x: u32) -> f32 {
    fract(turn::whole(counted(x.wrapping_mul(683_565_276))).0 * 43_758.547)
}

/// `rand` of a number from 0 to 2.
#[inline(always)]
fn again(x: f32) -> f32 {
    fract(turn::whole(x * 0.159_154_94).0 * 43_758.547)
}

#[inline(always)]
fn shifted(x: u32) -> u32 {
    (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b)
}

#[inline(always)]
fn signed<R: Real>(x: f32) -> Jet<R> {
    constant(R::of(f64::from(2.0 * x - 1.0)))
}
