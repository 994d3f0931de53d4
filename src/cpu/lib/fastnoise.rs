//! Twin of `shaders/lib/fastnoise.wgsl`: the hash of FastNoiseLite, its gradients, its coordinates and its sums of octaves, for one
//! sample or for the lanes of a vector.
//!
//! FastNoiseLite (Jordan Peck, MIT) defines these operations and their order, on f32 coordinates. Slopes are not in the original.
//! Directions come from its tables by arithmetic, since vectors have no large tables.

use crate::cpu::lib::jet::{Jet, constant, each_axis, through};
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::permute::{Eight, Lookup};

/// Factors of lattice coordinates.
pub const PRIMES: [u32; 3] = [501_125_321, 1_136_930_381, 1_720_413_743];
/// Multiplier of the hash.
const MIX: u32 = 0x27d4_eb2d;
/// `(√3 − 1) / 2` in f32, as are the other constants here.
const SKEW: f64 = 0.366_025_4f32 as f64;
/// `(3 − √3) / 6` and `√3 / 3`: the rotations of 3D coordinates.
const PLANE: f64 = 0.211_324_87f32 as f64;
const DEPTH: f64 = 0.577_350_26f32 as f64;
const TWO_THIRDS: f64 = 0.666_666_7f32 as f64;

#[inline(always)]
pub fn hash_2<B: Bits>(seed: B, [x, y]: [B; 2]) -> B {
    (seed ^ x ^ y).times(MIX)
}

#[inline(always)]
pub fn hash_3<B: Bits>(seed: B, [x, y, z]: [B; 3]) -> B {
    (seed ^ x ^ y ^ z).times(MIX)
}

/// Coordinates end at 2³⁰ cells.
const FAR: f64 = 1_073_741_824.0;

/// Within the coordinates that have cells.
#[inline(always)]
pub fn within<R: Number>(x: [R; 3]) -> [R; 3] {
    each_axis!(i => max(min(x[i], x[i].constant(FAR)), x[i].constant(-FAR)))
}

/// The integer below; one less for negative integers.
#[inline(always)]
pub fn floor<R: Number>(x: R) -> R::Bits {
    let i = x.small_to_signed();
    R::Bits::select(i.minus(i.constant(1)), i, x.at_least(x.constant(0.0)))
}

/// The nearest integer.
#[inline(always)]
pub fn round<R: Number>(x: R) -> R::Bits {
    (x + R::select(x.constant(-0.5), x.constant(0.5), x.at_least(x.constant(0.0)))).small_to_signed()
}

/// The multiplied coordinates of a point.
#[inline(always)]
pub fn primed<B: Bits>(point: [B; 3]) -> [B; 3] {
    each_axis!(i => point[i].times(PRIMES[i]))
}

/// The number of a lattice point: −1 to 1.
#[inline(always)]
pub fn value<R: Number>(hash: R::Bits) -> R {
    let square = hash.product(hash);
    // The shader adds two halves, since devices may convert large integers otherwise.
    let number = R::of_signed(square ^ (square << 19));
    number * number.constant(4.656_612_873_077_393e-10)
}

/// Sines, from the least to the greatest and back, of the odd multiples of 7.5 degrees up to 82.5. The directions of a quadrant
/// are at places 0, 1, 2, 4, 5 and 6.
const fn quadrant(backwards: bool) -> Eight {
    const SINES: [f32; 6] = [0.130_526_19, 0.382_683_43, 0.608_761_4, 0.793_353_3, 0.923_879_5, 0.991_444_9];
    let mut all = [0.0; 8];
    let mut k = 0;
    while k < 6 {
        all[k * 8 / 6] = SINES[if backwards { 5 - k } else { k }] as f64;
        k += 1;
    }
    Eight::new(all)
}
const QUADRANT: [Eight; 2] = [quadrant(false), quadrant(true)];

/// The direction with this index, 0 to 127: 24 directions repeated, then every third of them.
#[inline(always)]
pub fn direction_2<R: Lookup>(index: R::Bits) -> [R; 2] {
    let last = index.constant(119).less_than(index);
    let index = R::Bits::select(index, index.times(3).minus(index.constant(239)), last);
    // A 24th of the whole range of integers: the upper two bits are the quadrant, and the next three the place in it.
    let turn = index.times(178_956_971);
    let (sine, cosine) = (R::permute8(&QUADRANT[0], turn >> 27), R::permute8(&QUADRANT[1], turn >> 27));
    let across = turn.bit(30);
    [R::select(sine, cosine, across).xor_sign(turn), R::select(cosine, sine, across).xor_sign(turn ^ (turn << 1))]
}

/// The last four directions in 3D are those with these indices.
const LAST: Eight = Eight::new([0.0, 0.0, 0.0, 0.0, 8.0, 1.0, 9.0, 3.0]);

/// The index of a point's direction, from its hash.
#[inline(always)]
pub fn index_2<B: Bits>(hash: B) -> B {
    ((hash ^ (hash >> 15)) >> 1) & hash.constant(127)
}

#[inline(always)]
pub fn index_3<B: Bits>(hash: B) -> B {
    ((hash ^ (hash >> 15)) >> 2) & hash.constant(63)
}

/// The slope along the direction with this index: its value at an offset from the point, and its gradient.
#[inline(always)]
pub fn slope_2<R: Lookup>(index: R::Bits, d: [R; 2]) -> Jet<R> {
    let [x, y] = direction_2::<R>(index);
    Jet { value: d[0] * x + d[1] * y, gradient: [x, y, x.constant(0.0)] }
}

/// In 3D: one of the twelve edges of a cube, with index 0 to 63. Of a direction's coordinates one is 0, and the others are 1 or −1.
#[inline(always)]
pub fn slope_3<R: Lookup>(index: R::Bits, [x, y, z]: [R; 3]) -> Jet<R> {
    let last = index.constant(59).less_than(index);
    let index = R::Bits::select(index, R::permute8(&LAST, index).small_to_signed(), last);
    // A third of the whole range of integers for each group of four.
    let third = (index >> 2).times(0x5555_5556);
    let (no_x, no_z) = (third.less_than(index.constant(1 << 30)), third.bit(31));
    let signs = [index << 31, index << 30];
    let value = R::select(x, y, no_x).xor_sign(signs[0]) + R::select(z, y, no_z).xor_sign(signs[1]);
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let (first, second) = (one.xor_sign(signs[0]), one.xor_sign(signs[1]));
    let y = R::select(R::select(zero, second, no_z), first, no_x);
    Jet { value, gradient: [R::select(first, zero, no_x), y, R::select(second, zero, no_z)] }
}

/// The random unit vector with this index, by its lower eight bits. The tables of the plane and of the space follow each other.
#[inline(always)]
pub fn vector_2<R: Lookup>(tables: &[R::Entry], index: R::Bits) -> [R; 3] {
    let [x, y] = R::row(rows(tables), index);
    [x, y, x.constant(0.0)]
}

#[inline(always)]
pub fn vector_3<R: Lookup>(tables: &[R::Entry], index: R::Bits) -> [R; 3] {
    R::row(rows(&tables[512..]), index)
}

/// The first 256 rows of a table.
#[inline(always)]
fn rows<E, const N: usize>(table: &[E]) -> &[[E; N]; 256] {
    table.as_chunks().0.first_chunk().expect("invariant: noises that read random vectors have tables of 256")
}

/// 0 for a point beyond its reach, which then has no pull.
#[inline(always)]
pub fn within_reach<R: Number>(t: R) -> R {
    max(t, t.constant(0.0))
}

/// `t⁴` times a slope, where `t` is a constant less the squared offset from the point.
#[inline(always)]
pub fn pull<R: Number>(t: R, slope: Jet<R>, d: [R; 3]) -> Jet<R> {
    let square = t * t;
    let t4 = square * square;
    let k = t.constant(-8.0) * (square * t) * slope.value;
    Jet { value: t4 * slope.value, gradient: each_axis!(i => t4 * slope.gradient[i] + k * d[i]) }
}

/// `a + t · (b − a)`.
#[inline(always)]
pub fn lerp<R: Number>(a: R, b: R, t: R) -> R {
    a + t * (b - a)
}

/// [`lerp`] between two jets. The weight changes along one axis, with this slope.
#[inline(always)]
pub fn between<R: Number>(a: Jet<R>, b: Jet<R>, (t, slope): (R, R), axis: usize) -> Jet<R> {
    let across = slope * (b.value - a.value);
    let gradient = each_axis!(i => {
        let g = lerp(a.gradient[i], b.gradient[i], t);
        if i == axis { g + across } else { g }
    });
    Jet { value: lerp(a.value, b.value, t), gradient }
}

/// `3t² − 2t³` and its slope.
#[inline(always)]
pub fn hermite<R: Number>(t: R) -> (R, R) {
    (t * t * (t.constant(3.0) - t.constant(2.0) * t), t.constant(6.0) * (t - t * t))
}

/// `6t⁵ − 15t⁴ + 10t³` and its slope.
#[inline(always)]
pub fn quintic<R: Number>(t: R) -> (R, R) {
    let rest = t * t - t;
    let value = t * t * t * (t * (t * t.constant(6.0) - t.constant(15.0)) + t.constant(10.0));
    (value, t.constant(30.0) * (rest * rest))
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
pub fn into_space<R: Number>(space: Space, [x, y, z]: [R; 3]) -> [R; 3] {
    match space {
        Space::Same => [x, y, z],
        Space::Skewed => {
            let t = (x + y) * x.constant(SKEW);
            [x + t, y + t, z]
        }
        Space::Mirrored => {
            let r = (x + y + z) * x.constant(TWO_THIRDS);
            [r - x, r - y, r - z]
        }
        Space::Xy => {
            let xy = x + y;
            let s = xy * x.constant(-PLANE);
            let depth = z * x.constant(DEPTH);
            [x + (s - depth), y + s - depth, depth + xy * x.constant(DEPTH)]
        }
        Space::Xz => {
            let xz = x + z;
            let s = xz * x.constant(-PLANE);
            let depth = y * x.constant(DEPTH);
            [x + (s - depth), depth + xz * x.constant(DEPTH), z + (s - depth)]
        }
    }
}

/// A gradient in the space → before it.
#[inline(always)]
pub fn out_of_space<R: Number>(space: Space, noise: Jet<R>) -> Jet<R> {
    let [x, y, z] = noise.gradient;
    let gradient = match space {
        Space::Same | Space::Skewed => [x, y, z],
        Space::Mirrored => {
            let r = (x + y + z) * x.constant(TWO_THIRDS);
            [r - x, r - y, r - z]
        }
        Space::Xy => {
            let plane = (x + y) * x.constant(-PLANE) + z * x.constant(DEPTH);
            [x + plane, y + plane, (z - x - y) * x.constant(DEPTH)]
        }
        Space::Xz => {
            let plane = (x + z) * x.constant(-PLANE) + y * x.constant(DEPTH);
            [x + plane, (y - x - z) * x.constant(DEPTH), z + plane]
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
pub fn sum<R: Number>(amplitude: R) -> Sum<R> {
    Sum { total: constant(amplitude.constant(0.0)), amplitude: constant(amplitude) }
}

/// Adds `term · amplitude`, then multiplies the amplitude by `1 + strength · (weight − 1)` and by the gain.
#[inline(always)]
fn add<R: Number>(s: Sum<R>, term: Jet<R>, weight: Jet<R>, strength: R, gain: R) -> Sum<R> {
    let (t, a) = (s.total, s.amplitude);
    let total = Jet {
        value: t.value + term.value * a.value,
        gradient: each_axis!(i => t.gradient[i] + (term.gradient[i] * a.value + term.value * a.gradient[i])),
    };
    let factor = lerp(gain.constant(1.0), weight.value, strength);
    let amplitude = Jet {
        value: a.value * factor * gain,
        gradient: each_axis!(i => (a.gradient[i] * factor + a.value * (strength * weight.gradient[i])) * gain),
    };
    Sum { total, amplitude }
}

/// An octave of plain noise. In 2D, weights are at most 1.
#[inline(always)]
pub fn add_plain<R: Number>(s: Sum<R>, noise: Jet<R>, limited: bool, strength: R, gain: R) -> Sum<R> {
    let (half, two) = (gain.constant(0.5), gain.constant(2.0));
    let above = noise.value + gain.constant(1.0);
    let weight = if limited {
        let high = above.at_least(two);
        through(R::select(above, two, high) * half, R::select(half, gain.constant(0.0), high), noise)
    } else {
        through(above * half, half, noise)
    };
    add(s, noise, weight, strength, gain)
}

/// An octave of ridges.
#[inline(always)]
pub fn add_ridged<R: Number>(s: Sum<R>, noise: Jet<R>, strength: R, gain: R) -> Sum<R> {
    let one = gain.constant(1.0);
    let low = noise.value.less_than(gain.constant(0.0));
    let (value, sign) = (noise.value.abs(), R::select(one, -one, low));
    let term = through(value * gain.constant(-2.0) + one, gain.constant(-2.0) * sign, noise);
    add(s, term, through(one - value, -sign, noise), strength, gain)
}

/// An octave folded back and forth.
#[inline(always)]
pub fn add_folded<R: Number>(s: Sum<R>, noise: Jet<R>, folds: R, strength: R, gain: R) -> Sum<R> {
    let (half, two) = (gain.constant(0.5), gain.constant(2.0));
    let t = (noise.value + gain.constant(1.0)) * folds;
    let t = t - R::of_signed((t * half).to_signed()) * two;
    let rising = t.less_than(gain.constant(1.0));
    let folded = through(R::select(two - t, t, rising), R::select(-folds, folds, rising), noise);
    let term = through((folded.value - half) * two, two, folded);
    add(s, term, folded, strength, gain)
}

#[cfg(test)]
mod tests {
    use super::{direction_2, slope_3};

    /// The tables of the original, as their rules give them.
    #[test]
    fn directions_are_those_of_the_tables() {
        for index in 0..128u32 {
            let k = if index < 120 { index % 24 } else { 3 * index - 359 };
            let angle = f64::from(2 * k + 1) * 7.5f64.to_radians();
            let [x, y] = direction_2::<f64>(index);
            assert!((x - libm::sin(angle)).abs() < 1e-7 && (y - libm::cos(angle)).abs() < 1e-7, "{index}: {x}, {y}");
            assert_eq!(direction_2::<f32>(index).map(f64::from), [x, y]);
        }
        for index in 0..64u32 {
            let k = if index < 60 { index % 12 } else { [8, 1, 9, 3][index as usize - 60] };
            let [first, second] = [k & 1, k >> 1 & 1].map(|negative| 1.0 - 2.0 * f64::from(negative));
            let expected = [[0.0, first, second], [first, 0.0, second], [first, second, 0.0]][k as usize >> 2];
            let found = slope_3::<f64>(index, [3.0, 5.0, 11.0]);
            assert_eq!((found.gradient, found.value), (expected, 3.0 * expected[0] + 5.0 * expected[1] + 11.0 * expected[2]), "{index}");
        }
    }
}
