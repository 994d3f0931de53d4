//! Twin of `shaders/lib/fastnoise_warp.wgsl`: FastNoiseLite's domain warps. Positions are jets, whose gradients are those of the
//! warped coordinates.

use crate::cpu::lib::fastnoise::{
    PRIMES, Space, between, direction_2, direction_3, floor, hash_2, hash_3, hermite, into_space, number, out_of_space, pull, slope_2,
    slope_3, within,
};
use crate::cpu::lib::fastnoise_simplex::{SECOND, Skewed, cube, far_2, middle_2, neighbour, rest_2, rest_far, second, skewed, step_2};
use crate::cpu::lib::jet::{Jet, add, axes, composed, constant, through};
use crate::cpu::simd::Real;
use crate::program::FastnoiseWarp;

const SCALE_2: f32 = 38.283_688;
const SCALE_3: f32 = 32.694_283;
const REDUCED_2: f32 = 16.0;
const REDUCED_3: f32 = 7.716_049;

/// The structural part of a warp.
#[derive(Clone, Copy)]
pub struct Warp {
    pub dimensions: u32,
    pub kind: FastnoiseWarp,
    pub space: Space,
    /// See [`neighbour`].
    pub by_distance: bool,
}

/// The random unit vector with this index.
#[inline(always)]
fn vector_2<R: Real>(vectors: &[R], index: i32) -> [R; 3] {
    let at = (index & 255) as usize * 2;
    [vectors[at], vectors[at + 1], R::of(0.0)]
}

#[inline(always)]
fn vector_3<R: Real>(vectors: &[R], index: i32) -> [R; 3] {
    let at = 512 + (index & 255) as usize * 3;
    [vectors[at], vectors[at + 1], vectors[at + 2]]
}

/// The contribution of a point: a random vector times `t⁴`, and times the slope along a direction unless it is reduced.
#[inline(always)]
fn add_point<R: Real>(sum: [Jet<R>; 3], t: R, slope: Jet<R>, along: [R; 3], d: [R; 3], reduced: bool) -> [Jet<R>; 3] {
    let one = constant(R::of(1.0));
    let pulled = pull(t, if reduced { one } else { slope }, d);
    let square = t * t;
    let t4 = square * square;
    [0, 1, 2].map(|i| {
        // The original multiplies the slope and the vector first.
        let value = if reduced { t4 * along[i] } else { t4 * (slope.value * along[i]) };
        add(sum[i], Jet { value, gradient: axes(|k| pulled.gradient[k] * along[i]) })
    })
}

#[inline(always)]
fn point_2<R: Real>(sum: [Jet<R>; 3], t: R, hash: i32, d: [R; 2], reduced: bool, vectors: &[R]) -> [Jet<R>; 3] {
    if t > R::of(0.0) {
        let along = vector_2(vectors, if reduced { hash >> 1 } else { hash >> 8 });
        add_point(sum, t, slope_2(direction_2((hash >> 1) & 127), d), along, [d[0], d[1], R::of(0.0)], reduced)
    } else {
        sum
    }
}

#[inline(always)]
fn point_3<R: Real>(sum: [Jet<R>; 3], t: R, hash: i32, d: [R; 3], reduced: bool, vectors: &[R]) -> [Jet<R>; 3] {
    if t > R::of(0.0) {
        let along = vector_3(vectors, if reduced { hash >> 2 } else { hash >> 8 });
        add_point(sum, t, slope_3(direction_3((hash >> 2) & 63), d), along, d, reduced)
    } else {
        sum
    }
}

#[inline(always)]
fn simplex_2<R: Real>(seed: i32, at: [R; 3], reduced: bool, vectors: &[R]) -> [Jet<R>; 3] {
    let Skewed { corner, t, offset, .. } = skewed(at);
    let hash = |[i, j]: [i32; 2]| hash_2(seed, i, j);
    let mut sum = [constant(R::of(0.0)); 3];
    let a = rest_2(R::of(0.5), offset);
    sum = point_2(sum, a, hash(corner), offset, reduced, vectors);
    sum = point_2(sum, rest_far(a, t), hash(step_2(corner, [1, 1])), far_2(offset), reduced, vectors);
    let (step, d) = middle_2(offset);
    point_2(sum, rest_2(R::of(0.5), d), hash(step_2(corner, step)), d, reduced, vectors)
}

#[inline(always)]
fn simplex_3<R: Real>(seed: i32, at: [R; 3], by_distance: bool, reduced: bool, vectors: &[R]) -> [Jet<R>; 3] {
    let first = cube(at);
    let mut sum = [constant(R::of(0.0)); 3];
    for (seed, c) in [(seed, first), (seed.wrapping_add(SECOND), second(&first, false))] {
        let hash = |[i, j, k]: [i32; 3]| hash_3(seed, i, j, k);
        sum = point_3(sum, c.rest, hash(c.point), c.offset, reduced, vectors);
        let (point, offset, rest) = neighbour(&c, by_distance);
        sum = point_3(sum, rest, hash(point), offset, reduced, vectors);
    }
    sum
}

/// Random vectors at the corners of a cell, interpolated.
#[inline(always)]
fn grid<R: Real>(seed: i32, at: [R; 3], flat: bool, vectors: &[R]) -> [Jet<R>; 3] {
    let whole = at.map(floor);
    let weights = [0, 1, 2].map(|i| hermite(at[i] - number(whole[i])));
    let corner = |k: i32| {
        let [x, y, z] = [0, 1, 2].map(|i| whole[i].wrapping_mul(PRIMES[i]).wrapping_add(PRIMES[i].wrapping_mul((k >> i) & 1)));
        if flat { vector_2(vectors, hash_2(seed, x, y) >> 1) } else { vector_3(vectors, hash_3(seed, x, y, z) >> 2) }
    };
    let square = |corners: [[R; 3]; 4], i: usize| {
        let [a, b, c, d] = corners.map(|corner| constant(corner[i]));
        let ((x, x_slope), (y, y_slope)) = (weights[0], weights[1]);
        between(between(a, b, x, x_slope, 0), between(c, d, x, x_slope, 0), y, y_slope, 1)
    };
    let near = [0, 1, 2, 3].map(corner);
    if flat {
        return [0, 1, 2].map(|i| square(near, i));
    }
    let far = [4, 5, 6, 7].map(corner);
    let (z, z_slope) = weights[2];
    [0, 1, 2].map(|i| between(square(near, i), square(far, i), z, z_slope, 2))
}

/// The displaced position `to`, by a warp at the position `at`.
#[inline(always)]
pub fn displaced<R: Real>(
    shape: Warp,
    seed: i32,
    [amplitude, frequency]: [R; 2],
    at: [Jet<R>; 3],
    to: [Jet<R>; 3],
    vectors: &[R],
) -> [Jet<R>; 3] {
    let flat = shape.dimensions == 2;
    let x = within(into_space(shape.space, at.map(|jet| jet.value)).map(|x| x * frequency));
    let reduced = shape.kind == FastnoiseWarp::OpenSimplex2Reduced;
    let (amplitude, found) = match shape.kind {
        FastnoiseWarp::BasicGrid => (amplitude, grid(seed, x, flat, vectors)),
        _ if flat => (amplitude * R::exactly(if reduced { REDUCED_2 } else { SCALE_2 }), simplex_2(seed, x, reduced, vectors)),
        _ => {
            let scale = if reduced { REDUCED_3 } else { SCALE_3 };
            (amplitude * R::exactly(scale), simplex_3(seed, x, shape.by_distance, reduced, vectors))
        }
    };
    [0, 1, 2].map(|i| {
        let own = out_of_space(shape.space, found[i]);
        let off = through(own.value * amplitude, amplitude * frequency, own);
        add(to[i], composed(off, at))
    })
}
