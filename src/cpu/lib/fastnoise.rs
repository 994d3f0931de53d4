//! Twin of `shaders/lib/fastnoise.wgsl`: the hash of FastNoiseLite, its gradients, its coordinates and its sums of octaves.
//!
//! FastNoiseLite (Jordan Peck, MIT) defines these operations and their order, on f32 coordinates. Slopes are not in the original.

use crate::cpu::lib::jet::{Jet, axes, constant, through};
use crate::cpu::simd::Real;

/// Factors of lattice coordinates.
pub const PRIMES: [i32; 3] = [501_125_321, 1_136_930_381, 1_720_413_743];
/// Multiplier of the hash.
const MIX: i32 = 0x27d4_eb2d;
/// Sines of the odd multiples of 7.5 degrees up to 82.5.
const SINES: [f32; 6] = [0.130_526_19, 0.382_683_43, 0.608_761_4, 0.793_353_3, 0.923_879_5, 0.991_444_9];
/// `(√3 − 1) / 2` in f32.
const SKEW: f32 = 0.366_025_4;
/// `(3 − √3) / 6` and `√3 / 3` in f32: the rotations of 3D coordinates.
const PLANE: f32 = 0.211_324_87;
const DEPTH: f32 = 0.577_350_26;
const TWO_THIRDS: f32 = 0.666_666_7;

#[inline(always)]
pub fn hash_2(seed: i32, x: i32, y: i32) -> i32 {
    (seed ^ x ^ y).wrapping_mul(MIX)
}

#[inline(always)]
pub fn hash_3(seed: i32, x: i32, y: i32, z: i32) -> i32 {
    (seed ^ x ^ y ^ z).wrapping_mul(MIX)
}

/// An integer as a number, rounded once.
#[inline(always)]
pub fn number<R: Real>(i: i32) -> R {
    // The shader adds two halves, since devices may convert large integers otherwise.
    R::of_i32(i)
}

/// Coordinates end at 2³⁰ cells.
const FAR: f64 = 1_073_741_824.0;

/// Within the coordinates that have cells.
#[inline(always)]
pub fn within<R: Real>(x: [R; 3]) -> [R; 3] {
    let below = x.map(|x| if x < R::of(FAR) { x } else { R::of(FAR) });
    below.map(|x| if x > R::of(-FAR) { x } else { R::of(-FAR) })
}

/// The integer below; one less for negative integers.
#[inline(always)]
pub fn floor<R: Real>(x: R) -> i32 {
    let i = x.small_to_signed() as i32;
    if x >= R::of(0.0) { i } else { i.wrapping_sub(1) }
}

/// The nearest integer.
#[inline(always)]
pub fn round<R: Real>(x: R) -> i32 {
    (x + R::of(if x >= R::of(0.0) { 0.5 } else { -0.5 })).small_to_signed() as i32
}

/// The number of a lattice point: −1 to 1.
#[inline(always)]
pub fn value<R: Real>(hash: i32) -> R {
    let square = hash.wrapping_mul(hash);
    number::<R>(square ^ (square << 19)) * R::of(4.656_612_873_077_393e-10)
}

/// 24 directions repeated, then eight of them.
const DIRECTIONS_2: [[f32; 2]; 128] = {
    let mut all = [[0.0; 2]; 128];
    let mut index = 0;
    while index < 128 {
        let k = if index < 120 { index % 24 } else { 3 * index - 359 };
        let (sine, cosine) = (SINES[k % 6], SINES[5 - k % 6]);
        all[index] = match k / 6 {
            0 => [sine, cosine],
            1 => [cosine, -sine],
            2 => [-sine, -cosine],
            _ => [-cosine, sine],
        };
        index += 1;
    }
    all
};

/// The twelve edges of a cube repeated, then four of them.
const DIRECTIONS_3: [[f32; 3]; 64] = {
    let mut all = [[0.0; 3]; 64];
    let mut index = 0;
    while index < 64 {
        let k = if index < 60 { index % 12 } else { [8, 1, 9, 3][index - 60] };
        let (first, second) = (if k & 1 == 0 { 1.0 } else { -1.0 }, if k & 2 == 0 { 1.0 } else { -1.0 });
        all[index] = match k >> 2 {
            0 => [0.0, first, second],
            1 => [first, 0.0, second],
            _ => [first, second, 0.0],
        };
        index += 1;
    }
    all
};

/// The direction with this index, 0 to 127.
#[inline(always)]
pub fn direction_2<R: Real>(index: i32) -> [R; 2] {
    let [x, y] = DIRECTIONS_2[index as usize & 127];
    [R::exactly(x), R::exactly(y)]
}

/// The direction with this index, 0 to 63.
#[inline(always)]
pub fn direction_3<R: Real>(index: i32) -> [R; 3] {
    let [x, y, z] = DIRECTIONS_3[index as usize & 63];
    [R::exactly(x), R::exactly(y), R::exactly(z)]
}

/// The index of a point's direction, from its hash.
#[inline(always)]
pub fn index_2(hash: i32) -> i32 {
    ((hash ^ (hash >> 15)) >> 1) & 127
}

#[inline(always)]
pub fn index_3(hash: i32) -> i32 {
    ((hash ^ (hash >> 15)) >> 2) & 63
}

/// The slope along a direction: its value at an offset from the point, and its gradient.
#[inline(always)]
pub fn slope_2<R: Real>(g: [R; 2], d: [R; 2]) -> Jet<R> {
    Jet { value: d[0] * g[0] + d[1] * g[1], gradient: [g[0], g[1], R::of(0.0)] }
}

#[inline(always)]
pub fn slope_3<R: Real>(g: [R; 3], d: [R; 3]) -> Jet<R> {
    Jet { value: d[0] * g[0] + d[1] * g[1] + d[2] * g[2], gradient: g }
}

/// `t⁴` times a slope, where `t` is a constant less the squared offset from the point.
#[inline(always)]
pub fn pull<R: Real>(t: R, slope: Jet<R>, d: [R; 3]) -> Jet<R> {
    let square = t * t;
    let t4 = square * square;
    let k = R::of(-8.0) * (square * t) * slope.value;
    Jet { value: t4 * slope.value, gradient: axes(|i| t4 * slope.gradient[i] + k * d[i]) }
}

/// `a + t · (b − a)`.
#[inline(always)]
pub fn lerp<R: Real>(a: R, b: R, t: R) -> R {
    a + t * (b - a)
}

/// [`lerp`] between two jets. The weight changes along one axis, with this slope.
#[inline(always)]
pub fn between<R: Real>(a: Jet<R>, b: Jet<R>, t: R, slope: R, axis: usize) -> Jet<R> {
    let across = slope * (b.value - a.value);
    let gradient = axes(|i| {
        let g = lerp(a.gradient[i], b.gradient[i], t);
        if i == axis { g + across } else { g }
    });
    Jet { value: lerp(a.value, b.value, t), gradient }
}

/// `3t² − 2t³` and its slope.
#[inline(always)]
pub fn hermite<R: Real>(t: R) -> (R, R) {
    (t * t * (R::of(3.0) - R::of(2.0) * t), R::of(6.0) * (t - t * t))
}

/// `6t⁵ − 15t⁴ + 10t³` and its slope.
#[inline(always)]
pub fn quintic<R: Real>(t: R) -> (R, R) {
    let rest = t * t - t;
    (t * t * t * (t * (t * R::of(6.0) - R::of(15.0)) + R::of(10.0)), R::of(30.0) * (rest * rest))
}

/// The position in the coordinates of a noise, and back for its gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Space {
    /// As they are.
    Same,
    /// Skewed along the diagonal of the plane. Noises in this space return gradients of the space before it.
    Skewed,
    /// Mirrored along the diagonal of the space.
    Mirrored,
    /// Turned, so that planes along x and y look best.
    Xy,
    /// Turned, so that planes along x and z look best.
    Xz,
}

#[inline(always)]
pub fn into_space<R: Real>(space: Space, [x, y, z]: [R; 3]) -> [R; 3] {
    match space {
        Space::Same => [x, y, z],
        Space::Skewed => {
            let t = (x + y) * R::exactly(SKEW);
            [x + t, y + t, z]
        }
        Space::Mirrored => {
            let r = (x + y + z) * R::exactly(TWO_THIRDS);
            [r - x, r - y, r - z]
        }
        Space::Xy => {
            let xy = x + y;
            let s = xy * R::exactly(-PLANE);
            let depth = z * R::exactly(DEPTH);
            [x + (s - depth), y + s - depth, depth + xy * R::exactly(DEPTH)]
        }
        Space::Xz => {
            let xz = x + z;
            let s = xz * R::exactly(-PLANE);
            let depth = y * R::exactly(DEPTH);
            [x + (s - depth), depth + xz * R::exactly(DEPTH), z + (s - depth)]
        }
    }
}

/// A gradient in the space → before it.
#[inline(always)]
pub fn out_of_space<R: Real>(space: Space, noise: Jet<R>) -> Jet<R> {
    let [x, y, z] = noise.gradient;
    let gradient = match space {
        Space::Same | Space::Skewed => [x, y, z],
        Space::Mirrored => {
            let r = (x + y + z) * R::exactly(TWO_THIRDS);
            [r - x, r - y, r - z]
        }
        Space::Xy => {
            let plane = (x + y) * R::exactly(-PLANE) + z * R::exactly(DEPTH);
            [x + plane, y + plane, (z - x - y) * R::exactly(DEPTH)]
        }
        Space::Xz => {
            let plane = (x + z) * R::exactly(-PLANE) + y * R::exactly(DEPTH);
            [x + plane, (y - x - z) * R::exactly(DEPTH), z + plane]
        }
    };
    Jet { value: noise.value, gradient }
}

/// A sum of octaves: the sum so far, and the amplitude of the next octave.
#[derive(Clone, Copy)]
pub struct Sum<R> {
    pub total: Jet<R>,
    pub amplitude: Jet<R>,
}

#[inline(always)]
pub fn sum<R: Real>(amplitude: R) -> Sum<R> {
    Sum { total: constant(R::of(0.0)), amplitude: constant(amplitude) }
}

/// Adds `term · amplitude`, then multiplies the amplitude by `1 + strength · (weight − 1)` and by the gain.
#[inline(always)]
fn add<R: Real>(s: Sum<R>, term: Jet<R>, weight: Jet<R>, strength: R, gain: R) -> Sum<R> {
    let (t, a) = (s.total, s.amplitude);
    let total = Jet {
        value: t.value + term.value * a.value,
        gradient: axes(|i| t.gradient[i] + (term.gradient[i] * a.value + term.value * a.gradient[i])),
    };
    let factor = lerp(R::of(1.0), weight.value, strength);
    let amplitude = Jet {
        value: a.value * factor * gain,
        gradient: axes(|i| (a.gradient[i] * factor + a.value * (strength * weight.gradient[i])) * gain),
    };
    Sum { total, amplitude }
}

/// An octave of plain noise. In 2D, weights are at most 1.
#[inline(always)]
pub fn add_plain<R: Real>(s: Sum<R>, noise: Jet<R>, limited: bool, strength: R, gain: R) -> Sum<R> {
    let above = noise.value + R::of(1.0);
    let high = limited && above >= R::of(2.0);
    let weight = if high { R::of(2.0) } else { above } * R::of(0.5);
    add(s, noise, through(weight, if high { R::of(0.0) } else { R::of(0.5) }, noise), strength, gain)
}

/// An octave of ridges.
#[inline(always)]
pub fn add_ridged<R: Real>(s: Sum<R>, noise: Jet<R>, strength: R, gain: R) -> Sum<R> {
    let low = noise.value < R::of(0.0);
    let value = noise.value.abs();
    let sign = if low { R::of(-1.0) } else { R::of(1.0) };
    let term = through(value * R::of(-2.0) + R::of(1.0), R::of(-2.0) * sign, noise);
    add(s, term, through(R::of(1.0) - value, -sign, noise), strength, gain)
}

/// An octave folded back and forth.
#[inline(always)]
pub fn add_folded<R: Real>(s: Sum<R>, noise: Jet<R>, folds: R, strength: R, gain: R) -> Sum<R> {
    let t = (noise.value + R::of(1.0)) * folds;
    let t = t - number::<R>((t * R::of(0.5)).to_i32()) * R::of(2.0);
    let rising = t < R::of(1.0);
    let folded = through(if rising { t } else { R::of(2.0) - t }, if rising { folds } else { -folds }, noise);
    let term = through((folded.value - R::of(0.5)) * R::of(2.0), R::of(2.0), folded);
    add(s, term, folded, strength, gain)
}
