//! Twin of `shaders/lib/white.wgsl`: white noise by the fraction of a large multiple of a sine.

use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::turn;
use crate::cpu::simd::Real;

/// `2 · fract(sin(12.9898 x + 78.233 y + 37.719 z) · 43758.5453) − 1` for whole x, y, z. Always in f32: what it gives is the rounding
/// of its sine, so in f64 it would be another noise.
#[inline(always)]
pub fn sine<R: Real, const N: usize, const W: bool>(cell: [u32; 3], key: HashKey<W>) -> Jet<R> {
    let factors = [289441625u32, 1937754652, 13594853];
    let mut turns = 0u32;
    for axis in 0..N {
        turns = turns.wrapping_add(key.cell(axis, cell[axis]).wrapping_mul(factors[axis]));
    }
    let scaled = turn::whole((turns >> 8) as i32 as f32 * 5.960_464_5e-8).0 * 43_758.547;
    constant(R::of(f64::from(2.0 * (scaled - scaled.floor()) - 1.0)))
}
