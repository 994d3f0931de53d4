//! Twin of `shaders/lib/fastnoise_warp.wgsl`: FastNoiseLite's domain warps. Positions are jets, whose gradients are those of the
//! warped coordinates.

use crate::cpu::lib::fastnoise::{
    PRIMES, Space, between, floor, hash_2, hash_3, hermite, into_space, out_of_space, primed, pull, slope_2, slope_3, vector_2, vector_3,
    within, within_reach,
};
use crate::cpu::lib::fastnoise_simplex::{SECOND, Skewed, cube, far_2, middle_2, neighbour, rest_2, rest_far, second, skewed};
use crate::cpu::lib::jet::{Jet, add, composed, constant, each_axis, through};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::permute::Lookup;
use crate::program::FastnoiseWarp;

const SCALE_2: f64 = 38.283_688f32 as f64;
const SCALE_3: f64 = 32.694_283f32 as f64;
const REDUCED_2: f64 = 16.0;
const REDUCED_3: f64 = 7.716_049f32 as f64;

/// The structural part of a warp.
#[derive(Clone, Copy)]
pub struct Warp {
    pub dimensions: u32,
    pub kind: FastnoiseWarp,
    pub space: Space,
    /// See [`neighbour`].
    pub by_distance: bool,
}

/// The contribution of a point: a random vector times `t⁴`, and times the slope along a direction unless it is reduced.
#[inline(always)]
fn add_point<R: Number>(sum: [Jet<R>; 3], t: R, slope: Jet<R>, along: [R; 3], d: [R; 3], reduced: bool) -> [Jet<R>; 3] {
    let t = within_reach(t);
    let pulled = pull(t, if reduced { constant(t.constant(1.0)) } else { slope }, d);
    let square = t * t;
    let t4 = square * square;
    each_axis!(i => {
        // The original multiplies the slope and the vector first.
        let value = if reduced { t4 * along[i] } else { t4 * (slope.value * along[i]) };
        add(sum[i], Jet { value, gradient: each_axis!(k => pulled.gradient[k] * along[i]) })
    })
}

#[inline(always)]
fn point_2<R: Lookup>(sum: [Jet<R>; 3], t: R, hash: R::Bits, d: [R; 2], reduced: bool, vectors: &[R::Entry]) -> [Jet<R>; 3] {
    let along = vector_2::<R>(vectors, if reduced { hash >> 1 } else { hash >> 8 });
    add_point(sum, t, slope_2((hash >> 1) & hash.constant(127), d), along, [d[0], d[1], t.constant(0.0)], reduced)
}

#[inline(always)]
fn point_3<R: Lookup>(sum: [Jet<R>; 3], t: R, hash: R::Bits, d: [R; 3], reduced: bool, vectors: &[R::Entry]) -> [Jet<R>; 3] {
    let along = vector_3::<R>(vectors, if reduced { hash >> 2 } else { hash >> 8 });
    add_point(sum, t, slope_3((hash >> 2) & hash.constant(63), d), along, d, reduced)
}

#[inline(always)]
fn simplex_2<R: Lookup>(seed: R::Bits, at: [R; 3], reduced: bool, vectors: &[R::Entry]) -> [Jet<R>; 3] {
    let Skewed { corner, t, offset, .. } = skewed(at);
    let mut sum = [constant(t.constant(0.0)); 3];
    let reach = t.constant(0.5);
    let a = rest_2(reach, offset);
    sum = point_2(sum, a, hash_2(seed, corner), offset, reduced, vectors);
    let (point, d) = far_2(corner, offset);
    sum = point_2(sum, rest_far(a, t), hash_2(seed, point), d, reduced, vectors);
    let (point, d) = middle_2(corner, offset);
    point_2(sum, rest_2(reach, d), hash_2(seed, point), d, reduced, vectors)
}

#[inline(always)]
fn simplex_3<R: Lookup>(seed: R::Bits, at: [R; 3], by_distance: bool, reduced: bool, vectors: &[R::Entry]) -> [Jet<R>; 3] {
    let first = cube(at);
    let mut sum = [constant(at[0].constant(0.0)); 3];
    for (seed, c) in [(seed, first), (seed.plus(seed.constant(SECOND)), second(&first, false))] {
        sum = point_3(sum, c.rest, hash_3(seed, c.point), c.offset, reduced, vectors);
        let (point, offset, rest) = neighbour(&c, by_distance);
        sum = point_3(sum, rest, hash_3(seed, point), offset, reduced, vectors);
    }
    sum
}

/// The random vector of a cell's corner, whose steps along the axes are the bits of `k`.
#[inline(always)]
fn grid_corner<R: Lookup>(seed: R::Bits, low: [R::Bits; 3], k: u32, flat: bool, vectors: &[R::Entry]) -> [R; 3] {
    let [x, y, z] = each_axis!(i => if (k >> i) & 1 == 1 { low[i].plus(seed.constant(PRIMES[i])) } else { low[i] });
    if flat { vector_2::<R>(vectors, hash_2(seed, [x, y]) >> 1) } else { vector_3::<R>(vectors, hash_3(seed, [x, y, z]) >> 2) }
}

/// Between the vectors of a square's corners.
#[inline(always)]
fn grid_square<R: Number>([a, b, c, d]: [[R; 3]; 4], [x, y]: [(R, R); 2]) -> [Jet<R>; 3] {
    each_axis!(i => {
        let (near, far) = (between(constant(a[i]), constant(b[i]), x, 0), between(constant(c[i]), constant(d[i]), x, 0));
        between(near, far, y, 1)
    })
}

/// Random vectors at the corners of a cell, interpolated.
#[inline(always)]
fn grid<R: Lookup>(seed: R::Bits, at: [R; 3], flat: bool, vectors: &[R::Entry]) -> [Jet<R>; 3] {
    let whole = each_axis!(i => floor(at[i]));
    let [x, y, z] = each_axis!(i => hermite(at[i] - R::of_signed(whole[i])));
    let low = primed(whole);
    macro_rules! corner {
        ($k:literal) => {
            grid_corner(seed, low, $k, flat, vectors)
        };
    }
    let near = grid_square([corner!(0), corner!(1), corner!(2), corner!(3)], [x, y]);
    if flat {
        return near;
    }
    let far = grid_square([corner!(4), corner!(5), corner!(6), corner!(7)], [x, y]);
    each_axis!(i => between(near[i], far[i], z, 2))
}

/// The displaced position `to`, by a warp at the position `at`.
#[inline(always)]
pub fn displaced<R: Lookup>(
    shape: Warp,
    seed: R::Bits,
    [amplitude, frequency]: [R; 2],
    at: [Jet<R>; 3],
    to: [Jet<R>; 3],
    vectors: &[R::Entry],
) -> [Jet<R>; 3] {
    let flat = shape.dimensions == 2;
    let x = into_space(shape.space, [at[0].value, at[1].value, at[2].value]);
    let x = within(each_axis!(i => x[i] * frequency));
    let reduced = shape.kind == FastnoiseWarp::OpenSimplex2Reduced;
    let (amplitude, found) = match shape.kind {
        FastnoiseWarp::BasicGrid => (amplitude, grid(seed, x, flat, vectors)),
        _ if flat => {
            let scale = if reduced { REDUCED_2 } else { SCALE_2 };
            (amplitude * amplitude.constant(scale), simplex_2(seed, x, reduced, vectors))
        }
        _ => {
            let scale = if reduced { REDUCED_3 } else { SCALE_3 };
            (amplitude * amplitude.constant(scale), simplex_3(seed, x, shape.by_distance, reduced, vectors))
        }
    };
    each_axis!(i => {
        let own = out_of_space(shape.space, found[i]);
        let off = through(own.value * amplitude, amplitude * frequency, own);
        add(to[i], composed(off, at))
    })
}
