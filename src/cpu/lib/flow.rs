//! Twin of `shaders/lib/flow.wgsl`: flow noise (Perlin and Neyret 2001), which is simplex and Perlin noise whose gradients turn.
//!
//! All gradients turn together, once in each turn `t`. In 2D they have the same plane. In 3D each turns in a plane of its own
//! (Gustavson and McEwan 2022), which contains the direction and one at right angles to it along its two longer parts. So every
//! gradient keeps its length, and a noise of unit gradients keeps its bound.

use crate::cpu::lib::gradient::{gradient_2, gradient_3, permutations, sixteen};
use crate::cpu::lib::interpolate::Weight;
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::lattice::{self, AxisAffine, Contributions};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::simplex::{self, Corners, Gradients, PER_CELL};
use crate::cpu::lib::turn;
use crate::cpu::simd::number::Transcendental;
use crate::cpu::simd::permute::{Eight, Lookup};

/// The directions are turned before they are scaled.
pub const PARTS_2: [Eight; 2] = sixteen([1.0; 2]);
pub const PARTS_3: [Eight; 3] = permutations([1.0; 3]);
/// Between the middle and the short part of a direction.
pub const SHORT: f64 = 0.4;
/// 1 / the length of a direction without its short part.
pub const ACROSS: f64 = 1.024_116_954_487_576_6;
/// 1 / the largest sum of three unit gradients of any direction, 99.204, reduced by 1e-3 for rounding. It is divided by 16, since
/// distances are measured in units of the reach.
const SCALE_2: f64 = 99.1 / 16.0;
/// 1 / the largest sum of four of them, 107.653, in the same way.
const SCALE_3: f64 = 107.54 / 16.0;
pub const SCALES_2: [f64; 2] = [SCALE_2 / PER_CELL[0], SCALE_2 / PER_CELL[1]];
pub const SCALES_3: [f64; 3] = [SCALE_3 / PER_CELL[0], SCALE_3 / PER_CELL[1], SCALE_3 / PER_CELL[2]];

/// A turn of all gradients.
#[derive(Clone, Copy)]
pub struct Turn<R> {
    pub sine: R,
    pub cosine: R,
}

impl<R: Lookup> Turn<R> {
    /// The turn t, from 0 to 1.
    #[inline(always)]
    pub fn new(t: R) -> Self
    where
        R: Transcendental,
    {
        let (sine, cosine) = turn::whole(t);
        Turn { sine, cosine }
    }

    /// The direction with this hash, turned.
    #[inline(always)]
    fn direction_2(self, h: R::Bits) -> [R; 2] {
        let [x, y] = gradient_2::<R>(h, &PARTS_2);
        [x * self.cosine - y * self.sine, y * self.cosine + x * self.sine]
    }

    #[inline(always)]
    fn direction_3(self, h: R::Bits) -> [R; 3] {
        let [x, y, z] = gradient_3::<R>(h, &PARTS_3);
        let (zero, short) = (x.constant(0.0), x.constant(SHORT));
        let (short_x, short_y) = (x.abs().less_than(short), y.abs().less_than(short));
        let across = [
            R::select(R::select(-y, z, short_y), zero, short_x),
            R::select(R::select(x, zero, short_y), -z, short_x),
            R::select(R::select(zero, -x, short_y), y, short_x),
        ];
        let sine = self.sine * x.constant(ACROSS);
        [x * self.cosine + across[0] * sine, y * self.cosine + across[1] * sine, z * self.cosine + across[2] * sine]
    }

    /// The direction in 2 or 3 dimensions, times a scale along each axis.
    #[inline(always)]
    fn scaled<const DIMENSIONS: usize>(self, h: R::Bits, scales: [f64; 3]) -> [R; 3] {
        if DIMENSIONS == 2 {
            let [x, y] = self.direction_2(h);
            return [x * x.constant(scales[0]), y * x.constant(scales[1]), x.constant(0.0)];
        }
        let [x, y, z] = self.direction_3(h);
        [x * x.constant(scales[0]), y * x.constant(scales[1]), z * x.constant(scales[2])]
    }

    /// The slopes of the point with this hash in Perlin noise of 2 or 3 dimensions.
    #[inline(always)]
    pub fn perlin<const DIMENSIONS: usize>(self, h: R::Bits) -> [R; 3] {
        self.scaled::<DIMENSIONS>(h, [lattice::SCALES[DIMENSIONS - 1]; 3])
    }

    /// The gradient of the point with this hash in simplex noise of 2 or 3 dimensions.
    #[inline(always)]
    pub fn simplex<const DIMENSIONS: usize>(self, h: R::Bits) -> [R; 3] {
        self.scaled::<DIMENSIONS>(h, if DIMENSIONS == 2 { [SCALES_2[0], SCALES_2[1], 0.0] } else { SCALES_3 })
    }
}

impl<R: Lookup> Contributions<R, 2> for Turn<R> {
    #[inline(always)]
    fn of(self, h: R::Bits) -> AxisAffine<R, 2> {
        let [x, y, _] = self.perlin::<2>(h);
        AxisAffine::sloped([x, y])
    }
}

impl<R: Lookup> Contributions<R, 3> for Turn<R> {
    #[inline(always)]
    fn of(self, h: R::Bits) -> AxisAffine<R, 3> {
        AxisAffine::sloped(self.perlin::<3>(h))
    }
}

impl<R: Lookup> Gradients<R> for Turn<R> {
    #[inline(always)]
    fn of(self, h: R::Bits) -> [R; 3] {
        self.simplex::<3>(h)
    }
}

/// Perlin noise with turning gradients.
#[inline(always)]
pub fn perlin_2<R: Lookup + Transcendental, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 2],
    f: [R; 2],
    t: R,
    key: HashKey<R::Bits, PERIODIC>,
    w: [Weight<R>; 2],
) -> Jet<R> {
    lattice::sloped::<R, _, 2, GRADIENT, PERIODIC>(Turn::new(t), cell, f, key, w)
}

#[inline(always)]
pub fn perlin_3<R: Lookup + Transcendental, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 3],
    f: [R; 3],
    t: R,
    key: HashKey<R::Bits, PERIODIC>,
    w: [Weight<R>; 3],
) -> Jet<R> {
    lattice::sloped::<R, _, 3, GRADIENT, PERIODIC>(Turn::new(t), cell, f, key, w)
}

#[inline(always)]
fn in_plane<R>([x, y, _]: [R; 3]) -> [R; 2] {
    [x, y]
}

/// Simplex noise with turning gradients.
#[inline(always)]
pub fn simplex_2<R: Lookup + Transcendental, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 3],
    fraction: [R; 3],
    t: R,
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    let turn = Turn::new(t);
    let (h, from) = simplex::corners_2::<R, PERIODIC>(cell, fraction, key);
    let gradients = [in_plane(turn.simplex::<2>(h[0])), in_plane(turn.simplex::<2>(h[1])), in_plane(turn.simplex::<2>(h[2]))];
    Corners { from, gradients, signs: None }.sum::<GRADIENT>()
}

#[inline(always)]
pub fn simplex_3<R: Lookup + Transcendental, const GRADIENT: bool, const PERIODIC: bool>(
    cell: [R::Bits; 3],
    fraction: [R; 3],
    t: R,
    key: HashKey<R::Bits, PERIODIC>,
) -> Jet<R> {
    simplex::with_gradients_3::<R, _, GRADIENT, PERIODIC>(Turn::new(t), cell, fraction, key)
}
