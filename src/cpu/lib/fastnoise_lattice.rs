//! Twin of `shaders/lib/fastnoise_lattice.wgsl`: FastNoiseLite's Perlin, value and cubic value noise.

use crate::cpu::lib::fastnoise::{
    PRIMES, between, floor, hash_2, hash_3, hermite, index_2, index_3, primed, quintic, slope_2, slope_3, value,
};
use crate::cpu::lib::jet::{Jet, constant, each_axis, through};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::Lookup;

const PERLIN_2: f64 = 1.424_769_2f32 as f64;
const PERLIN_3: f64 = 0.964_921_4f32 as f64;

/// An expression for each of four numbers, as part of the surrounding code.
macro_rules! four {
    ($k:ident in [$($number:literal),*] => $x:expr) => {
        [$({
            let $k = $number;
            $x
        }),*]
    };
}

/// The multiplied coordinates of a cell's lower corner, and the fractions.
#[inline(always)]
fn cell<R: Number>(at: [R; 3]) -> ([R::Bits; 3], [R; 3]) {
    let whole = each_axis!(i => floor(at[i]));
    (primed(whole), each_axis!(i => at[i] - R::of_signed(whole[i])))
}

/// The corner of a cell whose steps along the axes are the bits of `k`.
#[inline(always)]
fn corner<B: Bits>(low: [B; 3], k: u32) -> [B; 3] {
    each_axis!(i => if (k >> i) & 1 == 1 { low[i].plus(low[i].constant(PRIMES[i])) } else { low[i] })
}

#[inline(always)]
fn offset<R: Number>(fraction: [R; 3], k: u32) -> [R; 3] {
    each_axis!(i => if (k >> i) & 1 == 1 { fraction[i] - fraction[i].constant(1.0) } else { fraction[i] })
}

#[inline(always)]
fn perlin_corner_2<R: Lookup>(seed: R::Bits, low: [R::Bits; 3], fraction: [R; 3], k: u32) -> Jet<R> {
    let ([x, y, _], [dx, dy, _]) = (corner(low, k), offset(fraction, k));
    slope_2(index_2(hash_2(seed, [x, y])), [dx, dy])
}

#[inline(always)]
fn perlin_corner_3<R: Lookup>(seed: R::Bits, low: [R::Bits; 3], fraction: [R; 3], k: u32) -> Jet<R> {
    slope_3(index_3(hash_3(seed, corner(low, k))), offset(fraction, k))
}

/// Between the corners of a square.
#[inline(always)]
fn square<R: Number>([a, b, c, d]: [Jet<R>; 4], [x, y]: [(R, R); 2]) -> Jet<R> {
    between(between(a, b, x, 0), between(c, d, x, 0), y, 1)
}

/// Perlin noise in 2D.
#[inline(always)]
pub fn perlin_2<R: Lookup>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    let sum = square(four!(k in [0, 1, 2, 3] => perlin_corner_2(seed, low, f, k)), [quintic(f[0]), quintic(f[1])]);
    let scale = f[0].constant(PERLIN_2);
    through(sum.value * scale, scale, sum)
}

/// Perlin noise in 3D.
#[inline(always)]
pub fn perlin_3<R: Lookup>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    let weights = [quintic(f[0]), quintic(f[1])];
    let near = square(four!(k in [0, 1, 2, 3] => perlin_corner_3(seed, low, f, k)), weights);
    let far = square(four!(k in [4, 5, 6, 7] => perlin_corner_3(seed, low, f, k)), weights);
    let sum = between(near, far, quintic(f[2]), 2);
    let scale = f[0].constant(PERLIN_3);
    through(sum.value * scale, scale, sum)
}

#[inline(always)]
fn value_corner_2<R: Number>(seed: R::Bits, low: [R::Bits; 3], k: u32) -> Jet<R> {
    let [x, y, _] = corner(low, k);
    constant(value(hash_2(seed, [x, y])))
}

#[inline(always)]
fn value_corner_3<R: Number>(seed: R::Bits, low: [R::Bits; 3], k: u32) -> Jet<R> {
    constant(value(hash_3(seed, corner(low, k))))
}

/// Value noise in 2D.
#[inline(always)]
pub fn value_2<R: Number>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    square(four!(k in [0, 1, 2, 3] => value_corner_2(seed, low, k)), [hermite(f[0]), hermite(f[1])])
}

/// Value noise in 3D.
#[inline(always)]
pub fn value_3<R: Number>(seed: R::Bits, at: [R; 3]) -> Jet<R> {
    let (low, f) = cell(at);
    let weights = [hermite(f[0]), hermite(f[1])];
    let near = square(four!(k in [0, 1, 2, 3] => value_corner_3(seed, low, k)), weights);
    let far = square(four!(k in [4, 5, 6, 7] => value_corner_3(seed, low, k)), weights);
    between(near, far, hermite(f[2]), 2)
}

/// The cubic curve through four numbers, and its slope.
#[inline(always)]
fn cubic<R: Number>([a, b, c, d]: [R; 4], t: R) -> (R, R) {
    let p = (d - c) - (a - b);
    let q = (a - b) - p;
    let value = t * t * t * p + t * t * q + t * (c - a) + b;
    (value, t.constant(3.0) * (t * t) * p + t.constant(2.0) * (t * q) + (c - a))
}

/// The curve through four jets.
#[inline(always)]
fn cubic_between<R: Number>([a, b, c, d]: [Jet<R>; 4], t: R, axis: usize) -> Jet<R> {
    let (value, slope) = cubic([a.value, b.value, c.value, d.value], t);
    let across = each_axis!(i => cubic([a.gradient[i], b.gradient[i], c.gradient[i], d.gradient[i]], t).0);
    Jet { value, gradient: each_axis!(i => if i == axis { slope } else { across[i] }) }
}

/// The four lattice coordinates around a cell's lower one.
#[inline(always)]
fn around<B: Bits>(low: B, axis: usize) -> [B; 4] {
    let prime = low.constant(PRIMES[axis]);
    let next = low.plus(prime);
    [low.minus(prime), low, next, next.plus(prime)]
}

/// The curve along x, given the points of a row and the part of the hash that they share.
#[inline(always)]
fn row<R: Number>(x: [R::Bits; 4], rest: R::Bits, t: R) -> Jet<R> {
    // Factors are the last step of the hash, and the order of its other operations does not matter.
    cubic_between(four!(k in [0, 1, 2, 3] => constant(value(hash_2(rest, [x[k], rest.constant(0)])))), t, 0)
}

/// The curve along y through four rows.
#[inline(always)]
fn plane<R: Number>(x: [R::Bits; 4], y: [R::Bits; 4], rest: R::Bits, f: [R; 3]) -> Jet<R> {
    cubic_between(four!(k in [0, 1, 2, 3] => row(x, rest ^ y[k], f[0])), f[1], 1)
}

/// Cubic value noise in 2D.
#[inline(always)]
pub fn cubic_2<R: Number>(seed: R::Bits, at: [R; 3], scale: R) -> Jet<R> {
    let ([x, y, _], f) = cell(at);
    let sum = plane(around(x, 0), around(y, 1), seed, f);
    through(sum.value * scale, scale, sum)
}

/// Cubic value noise in 3D.
#[inline(always)]
pub fn cubic_3<R: Number>(seed: R::Bits, at: [R; 3], scale: R) -> Jet<R> {
    let ([x, y, z], f) = cell(at);
    let (x, y, z) = (around(x, 0), around(y, 1), around(z, 2));
    let mut planes = [constant(scale.constant(0.0)); 4];
    for k in 0..4 {
        planes[k] = plane(x, y, seed ^ z[k], f);
    }
    let sum = cubic_between(planes, f[2], 2);
    through(sum.value * scale, scale, sum)
}
