//! Twin of `shaders/lib/hexagonal.wgsl` and of `table_hexagonal_gradient` in `shaders/lib/tables.wgsl`: noise of a hexagonal map.

use crate::cpu::lib::gradient::{gradient_3, permutations};
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::Real;
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::{Eight, Lookup};

/// The hexagon that contains a position. Cubic coordinates are rounded, and the one with the largest change follows from the
/// others.
#[inline(always)]
pub fn hexagon<R: Number>(cell: [R::Bits; 2], f: [R; 2]) -> [R::Bits; 2] {
    let s = -f[0] - f[1];
    let half = s.constant(0.5);
    let (q, r, t) = ((f[0] + half).floor(), (f[1] + half).floor(), (s + half).floor());
    let (dq, dr, dt) = ((q - f[0]).abs(), (r - f[1]).abs(), (t - s).abs());
    let first = R::Bits::both(dr.less_than(dq), dt.less_than(dq));
    let second = R::Bits::both(R::Bits::not(first), dt.less_than(dr));
    let [q, r] = [R::select(q, -r - t, first), R::select(r, -q - t, second)];
    [cell[0].plus(q.small_to_signed()), cell[1].plus(r.small_to_signed())]
}

const DIRECTIONS: [Eight; 3] = permutations([1.0; 3]);

/// The steps from a hexagon to its neighbours: first to the right, then onwards around, first downwards.
const NEIGHBOURS: [[i32; 2]; 6] = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]];

/// The products of the neighbours' gradients with (hexagon − neighbour), over 7.
#[inline(always)]
fn around<R: Number>([a, b, c, d, e, f]: [[R; 3]; 6]) -> R {
    let sum = ((a[1] - a[0]) + (b[2] - b[0])) + (((c[2] - c[1]) + (d[0] - d[1])) + ((e[0] - e[2]) + (f[1] - f[2])));
    sum * sum.constant(1.0 / 7.0)
}

/// The value of a hexagon by the hash.
#[inline(always)]
pub fn hashed<R: Lookup, const PERIODIC: bool>(h: [R::Bits; 2], key: HashKey<R::Bits, PERIODIC>) -> R {
    let zero = R::of_signed(h[0].constant(0));
    let mut all = [[zero; 3]; 6];
    for k in 0..6 {
        let [q, r] = [h[0].plus(h[0].constant(NEIGHBOURS[k][0] as u32)), h[1].plus(h[1].constant(NEIGHBOURS[k][1] as u32))];
        // In the point's coordinates, successive rows are shifted by half a cell.
        all[k] = gradient_3(key.hexagon(q.plus(r), r), &DIRECTIONS);
    }
    around(all)
}

/// The value of a hexagon by tables.
pub fn tabled<R: Real, const PERIODIC: bool>(h: [u32; 2], tables: &[R], key: HashKey<u32, PERIODIC>) -> R {
    let permuted = |i: u32| tables[(i % 256) as usize].to_i32() as u32;
    around(NEIGHBOURS.map(|[q, r]| {
        let [q, r] = [h[0].wrapping_add(q as u32), h[1].wrapping_add(r as u32)];
        let [i, r] = key.staggered(q.wrapping_add(r), r).map(|c| c as i32);
        let [p, o, n] = [i.wrapping_sub(r), r, i.wrapping_neg()].map(|c| c.unsigned_abs() % 521);
        let a = permuted(n);
        let b = permuted(o + a);
        let c = permuted(p + b);
        let at = 256 + 3 * (permuted(c) % 32) as usize;
        [tables[at], tables[at + 1], tables[at + 2]]
    }))
}
