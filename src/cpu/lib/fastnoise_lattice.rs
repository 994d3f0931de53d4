//! Twin of `shaders/lib/fastnoise_lattice.wgsl`: FastNoiseLite's Perlin, value and cubic value noise.

use crate::cpu::lib::fastnoise::{
    PRIMES, between, direction_2, direction_3, floor, hash_2, hash_3, hermite, index_2, index_3, number, quintic, slope_2, slope_3, value,
};
use crate::cpu::lib::jet::{Jet, constant, through};
use crate::cpu::simd::Real;

const PERLIN_2: f32 = 1.424_769_2;
const PERLIN_3: f32 = 0.964_921_4;

/// The multiplied coordinates of a cell's lower corner, and the fractions.
#[inline(always)]
fn cell<R: Real>(at: [R; 3]) -> ([i32; 3], [R; 3]) {
    let whole = at.map(floor);
    ([0, 1, 2].map(|i| whole[i].wrapping_mul(PRIMES[i])), [0, 1, 2].map(|i| at[i] - number(whole[i])))
}

/// The corner of a cell whose steps along the axes are the bits of `k`.
#[inline(always)]
fn corner(low: [i32; 3], k: i32) -> [i32; 3] {
    [0, 1, 2].map(|i| low[i].wrapping_add(PRIMES[i].wrapping_mul((k >> i) & 1)))
}

#[inline(always)]
fn offset<R: Real>(fraction: [R; 3], k: i32) -> [R; 3] {
    [0, 1, 2].map(|i| if (k >> i) & 1 == 1 { fraction[i] - R::of(1.0) } else { fraction[i] })
}

#[inline(always)]
fn perlin_corner_2<R: Real>(seed: i32, low: [i32; 3], fraction: [R; 3], k: i32) -> Jet<R> {
    let ([x, y, _], [dx, dy, _]) = (corner(low, k), offset(fraction, k));
    slope_2(direction_2(index_2(hash_2(seed, x, y))), [dx, dy])
}

#[inline(always)]
fn perlin_corner_3<R: Real>(seed: i32, low: [i32; 3], fraction: [R; 3], k: i32) -> Jet<R> {
    let [x, y, z] = corner(low, k);
    slope_3(direction_3(index_3(hash_3(seed, x, y, z))), offset(fraction, k))
}

/// Between the corners of a square.
#[inline(always)]
fn square<R: Real>(corners: [Jet<R>; 4], [(x, x_slope), (y, y_slope)]: [(R, R); 2]) -> Jet<R> {
    let [a, b, c, d] = corners;
    between(between(a, b, x, x_slope, 0), between(c, d, x, x_slope, 0), y, y_slope, 1)
}

/// Perlin noise in 2D.
#[inline(always)]
pub fn perlin_2<R: Real>(seed: i32, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    let sum = square([0, 1, 2, 3].map(|k| perlin_corner_2(seed, low, f, k)), [quintic(f[0]), quintic(f[1])]);
    through(sum.value * R::exactly(PERLIN_2), R::exactly(PERLIN_2), sum)
}

/// Perlin noise in 3D.
#[inline(always)]
pub fn perlin_3<R: Real>(seed: i32, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    let weights = [quintic(f[0]), quintic(f[1])];
    let near = square([0, 1, 2, 3].map(|k| perlin_corner_3(seed, low, f, k)), weights);
    let far = square([4, 5, 6, 7].map(|k| perlin_corner_3(seed, low, f, k)), weights);
    let (z, z_slope) = quintic(f[2]);
    let sum = between(near, far, z, z_slope, 2);
    through(sum.value * R::exactly(PERLIN_3), R::exactly(PERLIN_3), sum)
}

#[inline(always)]
fn value_corner_2<R: Real>(seed: i32, low: [i32; 3], k: i32) -> Jet<R> {
    let [x, y, _] = corner(low, k);
    constant(value(hash_2(seed, x, y)))
}

#[inline(always)]
fn value_corner_3<R: Real>(seed: i32, low: [i32; 3], k: i32) -> Jet<R> {
    let [x, y, z] = corner(low, k);
    constant(value(hash_3(seed, x, y, z)))
}

/// Value noise in 2D.
#[inline(always)]
pub fn value_2<R: Real>(seed: i32, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    square([0, 1, 2, 3].map(|k| value_corner_2(seed, low, k)), [hermite(f[0]), hermite(f[1])])
}

/// Value noise in 3D.
#[inline(always)]
pub fn value_3<R: Real>(seed: i32, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    let weights = [hermite(f[0]), hermite(f[1])];
    let near = square([0, 1, 2, 3].map(|k| value_corner_3(seed, low, k)), weights);
    let far = square([4, 5, 6, 7].map(|k| value_corner_3(seed, low, k)), weights);
    let (z, z_slope) = hermite(f[2]);
    between(near, far, z, z_slope, 2)
}

/// The cubic curve through four numbers, and its slope.
#[inline(always)]
fn cubic<R: Real>([a, b, c, d]: [R; 4], t: R) -> (R, R) {
    let p = (d - c) - (a - b);
    let q = (a - b) - p;
    let value = t * t * t * p + t * t * q + t * (c - a) + b;
    (value, R::of(3.0) * (t * t) * p + R::of(2.0) * (t * q) + (c - a))
}

/// The curve through four jets.
#[inline(always)]
fn cubic_between<R: Real>(jets: [Jet<R>; 4], t: R, axis: usize) -> Jet<R> {
    let (value, slope) = cubic(jets.map(|jet| jet.value), t);
    let gradient = [0, 1, 2].map(|i| if i == axis { slope } else { cubic(jets.map(|jet| jet.gradient[i]), t).0 });
    Jet { value, gradient }
}

/// Cubic value noise in 2D.
#[inline(always)]
pub fn cubic_2<R: Real>(seed: i32, at: [R; 3], scale: R) -> Jet<R> {
    let ([x, y, _], f) = cell(at);
    let along = |origin: i32, prime: i32, k: i32| origin.wrapping_add(prime.wrapping_mul(k));
    let row = |j: i32| {
        let y = along(y, PRIMES[1], j);
        cubic_between([-1, 0, 1, 2].map(|k| constant(value(hash_2(seed, along(x, PRIMES[0], k), y)))), f[0], 0)
    };
    let sum = cubic_between([-1, 0, 1, 2].map(row), f[1], 1);
    through(sum.value * scale, scale, sum)
}

/// Cubic value noise in 3D.
#[inline(always)]
pub fn cubic_3<R: Real>(seed: i32, at: [R; 3], scale: R) -> Jet<R> {
    let ([x, y, z], f) = cell(at);
    let along = |origin: i32, prime: i32, k: i32| origin.wrapping_add(prime.wrapping_mul(k));
    let plane = |l: i32| {
        let z = along(z, PRIMES[2], l);
        let row = |j: i32| {
            let y = along(y, PRIMES[1], j);
            cubic_between([-1, 0, 1, 2].map(|k| constant(value(hash_3(seed, along(x, PRIMES[0], k), y, z)))), f[0], 0)
        };
        cubic_between([-1, 0, 1, 2].map(row), f[1], 1)
    };
    let sum = cubic_between([-1, 0, 1, 2].map(plane), f[2], 2);
    through(sum.value * scale, scale, sum)
}
