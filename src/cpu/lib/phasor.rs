//! Twin of `shaders/lib/phasor.wgsl`: waves around the points of a lattice, each with a phase and a weight of its own.

use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet::{self, Jet, each_axis};
use crate::cpu::lib::point::HashKey;
use crate::cpu::lib::polar::angle;
use crate::cpu::lib::turn::whole;
use crate::cpu::simd::number::{Bits, Transcendental, max, min};
use crate::program::{PHASOR_FASTEST, PhasorProfile};

/// In 2D and 3D: 1 / reach², with reaches of 1.25 and 1.3 cells.
const REACH: [f64; 2] = [0.64, 0.591_715_991_497_039_8];
/// Greatest distance of a point from the middle of its cell along an axis.
const SPREAD: [f64; 2] = [0.25, 0.2];
/// The share of the squares of weights that takes waves to 0 where they cancel each other.
const CALM: f64 = 0.015625;
/// 2π and its inverse, as f32.
const TURN: f64 = 6.283_185_482_025_146_5;
const PER_TURN: f64 = 0.159_154_936_671_257_02;
/// Largest component of a direction, so that its square is finite.
const LONGEST: f64 = 1e15;

/// 1 / the largest ratio of the sum of weights to the root of the sum of their squares that a search found: √6 in 2D, √12 in 3D.
const EVEN: [f64; 2] = [0.408_248_305_320_739_75, 0.288_675_129_413_604_74];

/// Sums over points: of waves as complex numbers, and of squares of weights. Then their derivatives by the sample's position; for
/// waves: without those of their phases.
#[derive(Clone, Copy)]
struct Sums<R> {
    wave: [R; 2],
    squares: R,
    real_slope: [R; 3],
    imaginary_slope: [R; 3],
    squares_slope: [R; 3],
}

/// A value, and its derivatives by the sums.
struct Profile<R> {
    value: R,
    by_wave: [R; 2],
    by_squares: R,
}

/// The waves at a sample.
#[derive(Clone, Copy)]
pub struct Waves<R> {
    /// Their direction, of any length.
    pub direction: [R; 3],
    /// The factor of their frequency.
    pub frequency: R,
    /// The number of waves per cell, for a factor of 1.
    pub per_cell: R,
    /// If they vary: half the derivatives of the direction's components and of the factor, per cell.
    pub slopes: Option<[[R; 3]; 4]>,
}

/// The wave vector, in waves per cell. Without a direction it is 0.
#[inline(always)]
fn vector<R: Transcendental>(direction: [R; 3], frequency: R, per_cell: R) -> [R; 3] {
    let (longest, zero) = (per_cell.constant(LONGEST), per_cell.constant(0.0));
    let d = each_axis!(i => max(min(direction[i], longest), -longest));
    let inverse = dot(d, d).inverse_root();
    let factor = min(max(frequency, zero), per_cell.constant(PHASOR_FASTEST)) * per_cell;
    each_axis!(i => factor * (d[i] * inverse))
}

#[inline(always)]
fn dot<R: Transcendental>(a: [R; 3], b: [R; 3]) -> R {
    a[0] * b[0] + (a[1] * b[1] + a[2] * b[2])
}

/// The wave vector halfway to a place at this offset.
#[inline(always)]
fn halfway<R: Transcendental>(w: &Waves<R>, [x, y, z, frequency]: [[R; 3]; 4], v: [R; 3]) -> [R; 3] {
    let turned = [w.direction[0] + dot(x, v), w.direction[1] + dot(y, v), w.direction[2] + dot(z, v)];
    vector(turned, w.frequency + dot(frequency, v), w.per_cell)
}

/// The hash of a cell near another.
#[inline(always)]
fn hash<B: Bits, const DIMENSIONS: usize, const PERIODIC: bool>(cell: [B; 3], o: [i32; 3], key: HashKey<B, PERIODIC>) -> B {
    let [x, y, z] = each_axis!(axis => cell[axis].plus(cell[axis].constant(o[axis] as u32)));
    if DIMENSIONS > 2 { key.cubic([x, y, z]) } else { key.cubic([x, y]) }
}

/// Adds the wave around the point of a cell.
#[inline(always)]
fn add<R: Transcendental, const DIMENSIONS: usize, const PERIODIC: bool, const GRADIENT: bool>(
    s: Sums<R>,
    (cell, f): ([R::Bits; 3], [R; 3]),
    o: [i32; 3],
    key: HashKey<R::Bits, PERIODIC>,
    (w, own): (&Waves<R>, [R; 3]),
) -> Sums<R> {
    let number = |x: f64| f[0].constant(x);
    let h = hash::<_, DIMENSIONS, PERIODIC>(cell, o, key);
    let second = mix(h);
    let third = mix(second);
    let spread = number(SPREAD[DIMENSIONS - 2]);
    let inverse = number(REACH[DIMENSIONS - 2]);
    let middle = each_axis!(axis => number(f64::from(o[axis])) + number(0.5) - f[axis]);
    let v = [
        middle[0] + spread * signed(h),
        middle[1] + spread * signed(second),
        if DIMENSIONS > 2 { middle[2] + spread * signed(mix(third)) } else { number(0.0) },
    ];
    let k = if let Some(slopes) = w.slopes { halfway(w, slopes, v) } else { own };
    let rest = max(number(1.0) - dot(v, v) * inverse, number(0.0));
    let square = rest * rest;
    let weight = square * rest;
    let phase = R::of_signed(third >> 8) * number(5.960_464_477_539_063e-8);
    let turns = phase - dot(k, v);
    let (sine, cosine) = whole(turns - turns.floor());
    let sums = Sums { wave: [s.wave[0] + weight * cosine, s.wave[1] + weight * sine], squares: s.squares + weight * weight, ..s };
    if !GRADIENT {
        return sums;
    }
    let pulled = (number(6.0) * inverse) * square;
    let pull = each_axis!(axis => pulled * v[axis]);
    let twice = weight + weight;
    Sums {
        real_slope: each_axis!(axis => s.real_slope[axis] + cosine * pull[axis]),
        imaginary_slope: each_axis!(axis => s.imaginary_slope[axis] + sine * pull[axis]),
        squares_slope: each_axis!(axis => s.squares_slope[axis] + twice * pull[axis]),
        ..sums
    }
}

/// The sine of the phase; it falls to 0 where waves cancel.
#[inline(always)]
fn sine<R: Transcendental>(s: &Sums<R>) -> Profile<R> {
    let [x, y] = s.wave;
    let one = x.constant(1.0);
    let norm = x * x + y * y;
    let i = (norm + x.constant(CALM) * s.squares).inverse_root();
    let (a, b) = (y * i, x * i);
    Profile { value: a, by_wave: [-(i * (a * b)), i * (one - a * a)], by_squares: -x.constant(0.5 * CALM) * (a * (i * i)) }
}

/// The sine times a factor, cut off at −1 and 1 with a smooth bend.
#[inline(always)]
fn square<R: Transcendental>(s: &Sums<R>, factor: R) -> Profile<R> {
    let sine = sine(s);
    let (half, more) = (factor.constant(0.5), factor.constant(1.5));
    let one = factor.constant(1.0);
    let x = max(min(sine.value * factor, one), -one);
    let slope = (more - more * (x * x)) * factor;
    Profile {
        value: x * (more - half * (x * x)),
        by_wave: [slope * sine.by_wave[0], slope * sine.by_wave[1]],
        by_squares: slope * sine.by_squares,
    }
}

/// A line that rises over a share of each turn and falls over the rest, times the magnitude of the wave.
#[inline(always)]
fn saw<R: Transcendental>(s: &Sums<R>, [rise, up, down]: [R; 3]) -> Profile<R> {
    let [x, y] = s.wave;
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let norm = x * x + y * y;
    let calm = x.constant(CALM) * s.squares;
    let i = (norm + calm).inverse_root();
    let magnitude = norm.root() * i;
    let inverse = norm.inverse_root();
    let turn = angle([x, y, zero]).value + x.constant(0.5);
    let rises = turn.less_than(rise);
    let line = R::select(one - down * (turn - rise), up * turn - one, rises);
    let slope = x.constant(PER_TURN) * (R::select(-down, up, rises) * (inverse * i));
    let steep = (line * (calm * (inverse * i))) * (i * i);
    Profile {
        value: line * magnitude,
        by_wave: [steep * x - slope * y, steep * y + slope * x],
        by_squares: -x.constant(0.5 * CALM) * ((line * magnitude) * (i * i)),
    }
}

/// The sum of the waves, of the same variance everywhere.
#[inline(always)]
fn gabor<R: Transcendental>(s: &Sums<R>, even: R) -> Profile<R> {
    let (zero, one) = (even.constant(0.0), even.constant(1.0));
    let inverse = s.squares.inverse_root();
    let scale = even * inverse;
    let sum = s.wave[1] * scale;
    Profile { value: max(min(sum, one), -one), by_wave: [zero, scale], by_squares: even.constant(-0.5) * (sum * (inverse * inverse)) }
}

/// The noise at a sample, and its gradient by the position in cells. `n`: the factor of a square; the share of a saw's rise, and its
/// slopes. The gradient is that of waves which do not vary.
#[inline(always)]
pub fn noise<R: Transcendental, const DIMENSIONS: usize, const PERIODIC: bool, const GRADIENT: bool>(
    at: ([R::Bits; 3], [R; 3]),
    key: HashKey<R::Bits, PERIODIC>,
    profile: PhasorProfile,
    w: &Waves<R>,
    n: [R; 3],
) -> Jet<R> {
    let zero = w.per_cell.constant(0.0);
    let none = [zero; 3];
    let k = vector(w.direction, w.frequency, w.per_cell);
    let mut s = Sums { wave: [zero; 2], squares: zero, real_slope: none, imaginary_slope: none, squares_slope: none };
    let depth = if DIMENSIONS > 2 { 1 } else { 0 };
    for z in -depth..=depth {
        for y in -1..=1 {
            for x in -1..=1 {
                s = add::<R, DIMENSIONS, PERIODIC, GRADIENT>(s, at, [x, y, z], key, (w, k));
            }
        }
    }
    let p = match profile {
        PhasorProfile::Sine => sine(&s),
        PhasorProfile::Square => square(&s, n[0]),
        PhasorProfile::Saw => saw(&s, n),
        PhasorProfile::Gabor => gabor(&s, zero.constant(EVEN[DIMENSIONS - 2])),
    };
    if !GRADIENT {
        return jet::constant(p.value);
    }
    let full = zero.constant(TURN);
    let turning = each_axis!(axis => full * k[axis]);
    let gradient = each_axis!(axis => {
        let real = s.real_slope[axis] - s.wave[1] * turning[axis];
        let imaginary = s.imaginary_slope[axis] + s.wave[0] * turning[axis];
        (p.by_wave[0] * real + p.by_wave[1] * imaginary) + p.by_squares * s.squares_slope[axis]
    });
    Jet { value: p.value, gradient }
}
