//! Twin of `shaders/lib/hexagonal.wgsl` and of `table_hexagonal_gradient` in `shaders/lib/tables.wgsl`: noise of a hexagonal map.

use crate::cpu::lib::gradient::{gradient_3, permutations};
use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::Real;
use crate::cpu::simd::permute::Eight;

/// The hexagon that contains a position. Cubic coordinates are rounded, and the one with the largest change follows from the
/// others.
#[inline(always)]
fn hexagon<R: Real>(cell: [u32; 3], f: [R; 3]) -> [i32; 2] {
    let s = -f[0] - f[1];
    let half = R::of(0.5);
    let (mut q, mut r, t) = ((f[0] + half).floor(), (f[1] + half).floor(), (s + half).floor());
    let (dq, dr, dt) = ((q - f[0]).abs(), (r - f[1]).abs(), (t - s).abs());
    if dq > dr && dq > dt {
        q = -r - t;
    } else if dr > dt {
        r = -q - t;
    }
    [(cell[0] as i32).wrapping_add(q.to_i32()), (cell[1] as i32).wrapping_add(r.to_i32())]
}

const DIRECTIONS: [Eight; 3] = permutations([1.0; 3]);

/// The steps from a hexagon to its neighbours: first to the right, then onwards around, first downwards.
const NEIGHBOURS: [[i32; 2]; 6] = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]];

/// Sums the products of the neighbours' gradients with (hexagon − neighbour), over 7.
#[inline(always)]
fn around<R: Real>(h: [i32; 2], gradient: impl Fn(i32, i32) -> [R; 3]) -> Jet<R> {
    let [a, b, c, d, e, f] = NEIGHBOURS.map(|[q, r]| gradient(h[0].wrapping_add(q), h[1].wrapping_add(r)));
    let sum = ((a[1] - a[0]) + (b[2] - b[0])) + (((c[2] - c[1]) + (d[0] - d[1])) + ((e[0] - e[2]) + (f[1] - f[2])));
    constant(sum * R::of(1.0 / 7.0))
}

#[inline(always)]
pub fn hashed<R: Real, const PERIODIC: bool>(cell: [u32; 3], f: [R; 3], key: HashKey<u32, PERIODIC>) -> Jet<R> {
    // In the point's coordinates, successive rows are shifted by half a cell.
    around(hexagon(cell, f), |q, r| gradient_3(key.hexagon(q.wrapping_add(r) as u32, r as u32), &DIRECTIONS))
}

#[inline(always)]
pub fn tabled<R: Real, const PERIODIC: bool>(cell: [u32; 3], f: [R; 3], tables: &[R], key: HashKey<u32, PERIODIC>) -> Jet<R> {
    let permuted = |i: u32| tables[(i % 256) as usize].to_i32() as u32;
    around(hexagon(cell, f), |q, r| {
        let [i, r] = key.staggered(q.wrapping_add(r) as u32, r as u32).map(|c| c as i32);
        let [p, o, n] = [i.wrapping_sub(r), r, i.wrapping_neg()].map(|c| c.unsigned_abs() % 521);
        let a = permuted(n);
        let b = permuted(o + a);
        let c = permuted(p + b);
        let at = 256 + 3 * (permuted(c) % 32) as usize;
        [tables[at], tables[at + 1], tables[at + 2]]
    })
}
