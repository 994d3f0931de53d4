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

/// Sums over points: of waves as complex numbers, of weights and of their squares. Then their derivatives by the sample's position
/// (for waves: without those of their phases) and by the wave vector.
#[derive(Clone, Copy)]
struct Sums<R> {
    wave: [R; 2],
    weight: R,
    squares: R,
    real_slope: [R; 3],
    imaginary_slope: [R; 3],
    weight_slope: [R; 3],
    squares_slope: [R; 3],
    sine_offsets: [R; 3],
    cosine_offsets: [R; 3],
}

/// A value, and its derivatives by the sums.
struct Profile<R> {
    value: R,
    by_wave: [R; 2],
    by_weight: R,
    by_squares: R,
}

/// A value, with its gradient by the position in cells and by the wave vector.
pub struct Phasor<R> {
    /// The value, and its gradient by the position.
    pub own: Jet<R>,
    /// Its gradient by the wave vector.
    pub wave: [R; 3],
}

/// The wave vector along a direction of any length, in waves per cell. Without a direction it is 0.
#[inline(always)]
pub fn wave<R: Transcendental>(direction: [Jet<R>; 3], frequency: Jet<R>, per_cell: R) -> [Jet<R>; 3] {
    let (longest, zero) = (per_cell.constant(LONGEST), per_cell.constant(0.0));
    let d = [
        max(min(direction[0].value, longest), -longest),
        max(min(direction[1].value, longest), -longest),
        max(min(direction[2].value, longest), -longest),
    ];
    let inverse = (d[0] * d[0] + (d[1] * d[1] + d[2] * d[2])).inverse_root();
    let u = [d[0] * inverse, d[1] * inverse, d[2] * inverse];
    let factor = jet::scale_offset(jet::clamp(frequency, zero, per_cell.constant(PHASOR_FASTEST)), per_cell, zero);
    let scale = factor.value * inverse;
    let [x, y, z] = [direction[0].gradient, direction[1].gradient, direction[2].gradient];
    let along = each_axis!(i => u[0] * x[i] + (u[1] * y[i] + u[2] * z[i]));
    [
        Jet { value: factor.value * u[0], gradient: each_axis!(i => u[0] * factor.gradient[i] + scale * (x[i] - u[0] * along[i])) },
        Jet { value: factor.value * u[1], gradient: each_axis!(i => u[1] * factor.gradient[i] + scale * (y[i] - u[1] * along[i])) },
        Jet { value: factor.value * u[2], gradient: each_axis!(i => u[2] * factor.gradient[i] + scale * (z[i] - u[2] * along[i])) },
    ]
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
    k: [R; 3],
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
    let rest = max(number(1.0) - (v[0] * v[0] + (v[1] * v[1] + v[2] * v[2])) * inverse, number(0.0));
    let square = rest * rest;
    let weight = square * rest;
    let phase = R::of_signed(third >> 8) * number(5.960_464_477_539_063e-8);
    let turns = phase - (k[0] * v[0] + (k[1] * v[1] + k[2] * v[2]));
    let (sine, cosine) = whole(turns - turns.floor());
    let sums = Sums {
        wave: [s.wave[0] + weight * cosine, s.wave[1] + weight * sine],
        weight: s.weight + weight,
        squares: s.squares + weight * weight,
        ..s
    };
    if !GRADIENT {
        return sums;
    }
    let pulled = (number(6.0) * inverse) * square;
    let pull = each_axis!(axis => pulled * v[axis]);
    let twice = weight + weight;
    let (of_sine, of_cosine) = (weight * sine, weight * cosine);
    Sums {
        real_slope: each_axis!(axis => s.real_slope[axis] + cosine * pull[axis]),
        imaginary_slope: each_axis!(axis => s.imaginary_slope[axis] + sine * pull[axis]),
        weight_slope: each_axis!(axis => s.weight_slope[axis] + pull[axis]),
        squares_slope: each_axis!(axis => s.squares_slope[axis] + twice * pull[axis]),
        sine_offsets: each_axis!(axis => s.sine_offsets[axis] + of_sine * v[axis]),
        cosine_offsets: each_axis!(axis => s.cosine_offsets[axis] + of_cosine * v[axis]),
        ..sums
    }
}

/// The sine of the phase; it falls to 0 where waves cancel.
#[inline(always)]
fn sine<R: Transcendental>(s: &Sums<R>) -> Profile<R> {
    let [x, y] = s.wave;
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let norm = x * x + y * y;
    let i = (norm + x.constant(CALM) * s.squares).inverse_root();
    let (a, b) = (y * i, x * i);
    Profile { value: a, by_wave: [-(i * (a * b)), i * (one - a * a)], by_weight: zero, by_squares: -x.constant(0.5 * CALM) * (a * (i * i)) }
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
        by_weight: sine.by_weight,
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
        by_weight: zero,
        by_squares: -x.constant(0.5 * CALM) * ((line * magnitude) * (i * i)),
    }
}

/// The weighted mean of the waves.
#[inline(always)]
fn gabor<R: Transcendental>(s: &Sums<R>) -> Profile<R> {
    let (zero, one) = (s.weight.constant(0.0), s.weight.constant(1.0));
    let root = s.weight.inverse_root();
    let inverse = root * root;
    let mean = s.wave[1] * inverse;
    // Rounding must not leave the range.
    Profile { value: max(min(mean, one), -one), by_wave: [zero, inverse], by_weight: -(mean * inverse), by_squares: zero }
}

/// The noise at a sample. `n`: the factor of a square; the share of a saw's rise, and its slopes.
#[inline(always)]
pub fn noise<R: Transcendental, const DIMENSIONS: usize, const PERIODIC: bool, const GRADIENT: bool>(
    at: ([R::Bits; 3], [R; 3]),
    key: HashKey<R::Bits, PERIODIC>,
    profile: PhasorProfile,
    k: [R; 3],
    n: [R; 3],
) -> Phasor<R> {
    let zero = k[0].constant(0.0);
    let none = [zero; 3];
    let mut s = Sums {
        wave: [zero; 2],
        weight: zero,
        squares: zero,
        real_slope: none,
        imaginary_slope: none,
        weight_slope: none,
        squares_slope: none,
        sine_offsets: none,
        cosine_offsets: none,
    };
    let depth = if DIMENSIONS > 2 { 1 } else { 0 };
    for z in -depth..=depth {
        for y in -1..=1 {
            for x in -1..=1 {
                s = add::<R, DIMENSIONS, PERIODIC, GRADIENT>(s, at, [x, y, z], key, k);
            }
        }
    }
    let p = match profile {
        PhasorProfile::Sine => sine(&s),
        PhasorProfile::Square => square(&s, n[0]),
        PhasorProfile::Saw => saw(&s, n),
        PhasorProfile::Gabor => gabor(&s),
    };
    if !GRADIENT {
        return Phasor { own: jet::constant(p.value), wave: none };
    }
    let full = zero.constant(TURN);
    let turning = each_axis!(axis => full * k[axis]);
    let gradient = each_axis!(axis => {
        let real = s.real_slope[axis] - s.wave[1] * turning[axis];
        let imaginary = s.imaginary_slope[axis] + s.wave[0] * turning[axis];
        let position = p.by_wave[0] * real + p.by_wave[1] * imaginary;
        position + (p.by_weight * s.weight_slope[axis] + p.by_squares * s.squares_slope[axis])
    });
    Phasor {
        own: Jet { value: p.value, gradient },
        wave: each_axis!(axis => full * (p.by_wave[0] * s.sine_offsets[axis] - p.by_wave[1] * s.cosine_offsets[axis])),
    }
}
