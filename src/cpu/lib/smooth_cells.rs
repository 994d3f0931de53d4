//! Twin of `shaders/lib/smooth_cells.wgsl`: a weighted mean over the points of cellular noise within a reach.
//!
//! Cells are visited in the shader's order, each for all lanes at once. A cell beyond the reach of a lane adds 0 to its sums, so
//! skipping cells never changes a result. For the same reason, the points around a cell may be kept for all samples in it.

use crate::cpu::lib::hash::{mix, signed};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::power;
use crate::cpu::lib::worley::{FAR, SLACK, Search, first_of, squared};
use crate::cpu::simd::number::{Bits, Number, Transcendental, max, min};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, unrolled};
use crate::program::{Metric, SmoothOutput, SmoothShape};

/// The ring at which searches end: no reach leads there.
const RINGS: i32 = 8;

/// The numbers of a noise.
#[derive(Clone, Copy)]
pub struct Numbers<R> {
    /// The sizes of points are from 1 to 1 + this.
    pub variation: R,
    /// The key from which on points have no weight.
    pub reach: R,
    /// The exponent of weights.
    pub exponent: R,
}

/// Sums over points: of weights, of weights times values, and of the gradients of both.
#[derive(Clone, Copy)]
struct Sums<R, const DIMENSIONS: usize> {
    weight: R,
    value: R,
    weight_slope: [R; DIMENSIONS],
    value_slope: [R; DIMENSIONS],
}

impl<R: Transcendental, const DIMENSIONS: usize> Sums<R, DIMENSIONS> {
    #[inline(always)]
    fn none(like: R) -> Self {
        let zero = like.constant(0.0);
        Sums { weight: zero, value: zero, weight_slope: [zero; DIMENSIONS], value_slope: [zero; DIMENSIONS] }
    }
}

/// 1 / the difference of the reach and the nearest key.
#[inline(always)]
fn scale<R: Transcendental>(numbers: Numbers<R>, nearest: R) -> R {
    let root = (numbers.reach - nearest).inverse_root();
    root * root
}

/// The mean around a sample.
#[inline(always)]
pub fn noise<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool, const GRADIENT: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
    shape: SmoothShape,
    numbers: Numbers<R>,
) -> Jet<R> {
    let scale = scale(numbers, nearest(search, numbers.variation));
    let mut sums = Sums::none(scale);
    for ring in 1..RINGS {
        if ring > 1 && !R::Bits::any(search.ring_gap(ring).less_than(numbers.reach)) {
            break;
        }
        for o in cells::<DIMENSIONS>(ring) {
            if ring == 1 || R::Bits::any(search.gap(o).less_than(numbers.reach)) {
                let (h, v) = search.seen(o);
                let word = mix(h);
                let point = (size(word, numbers.variation), signed(word));
                sums = add::<R, DIMENSIONS, KEYS, PERIODIC, GRADIENT>(search, sums, v, point, shape, numbers, scale);
            }
        }
    }
    mean(sums, shape)
}

/// The mean from its sums.
#[inline(always)]
fn mean<R: Transcendental, const DIMENSIONS: usize>(sums: Sums<R, DIMENSIONS>, shape: SmoothShape) -> Jet<R> {
    let (zero, one) = (sums.weight.constant(0.0), sums.weight.constant(1.0));
    let inverse_root = sums.weight.inverse_root();
    let inverse = inverse_root * inverse_root;
    let mean = sums.value * inverse;
    let mut gradient = [zero; 3];
    unrolled!(i in 0..DIMENSIONS => {
        gradient[i] = (sums.value_slope[i] - mean * sums.weight_slope[i]) * inverse;
    });
    // Rounding must not leave the range.
    let value = if shape.output == SmoothOutput::Cell { max(min(mean, one), -one) } else { mean };
    Jet { value, gradient }
}

/// The cells of a ring, in the shader's order. The first ring is a whole block.
#[inline(always)]
fn cells<const DIMENSIONS: usize>(ring: i32) -> impl Iterator<Item = [i32; DIMENSIONS]> {
    let (height, depth) = (if DIMENSIONS > 1 { ring } else { 0 }, if DIMENSIONS > 2 { ring } else { 0 });
    (-depth..=depth).flat_map(move |z| {
        (-height..=height).flat_map(move |y| {
            // Rows inside the faces of a ring have only their ends in common with it.
            let whole = ring == 1 || y.abs() == ring || z.abs() == ring;
            (-ring..=ring).step_by(if whole { 1 } else { 2 * ring as usize }).map(move |x| first_of([x, y, z]))
        })
    })
}

/// The smallest key of all points.
#[inline(always)]
fn nearest<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
    variation: R,
) -> R {
    let mut nearest = variation.constant(FAR);
    for ring in 1..RINGS {
        if ring > 1 && !R::Bits::any(search.ring_gap(ring).less_than(nearest)) {
            break;
        }
        for o in cells::<DIMENSIONS>(ring) {
            if ring == 1 || R::Bits::any(search.gap(o).less_than(nearest)) {
                let (h, v) = search.seen(o);
                nearest = min(size(mix(h), variation) * search.length(v), nearest);
            }
        }
    }
    nearest
}

/// The size of a point, given the word of its value.
#[inline(always)]
fn size<R: Transcendental>(word: R::Bits, variation: R) -> R {
    let half = variation.constant(0.5);
    variation.constant(1.0) + variation * (half * signed::<R>(mix(word)) + half)
}

/// A point near a cell.
#[derive(Clone, Copy)]
pub struct Point<R> {
    /// The steps to its own cell, and its place relative to the middle of that cell.
    steps: [R; 3],
    place: [R; 3],
    size: R,
    /// Its value in [−1, 1].
    number: R,
}

/// The steps to the cells whose points may lie within the reach of a sample, in the shader's order.
pub fn cells_in_reach<R: Real, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
    numbers: Numbers<R>,
) -> Vec<[i32; 3]> {
    let mut all = Vec::new();
    for ring in 1..RINGS {
        let before = all.len();
        for o in cells::<DIMENSIONS>(ring) {
            let (mut steps, mut middle) = ([0; 3], [R::default(); DIMENSIONS]);
            unrolled!(i in 0..DIMENSIONS => {
                (steps[i], middle[i]) = (o[i], R::of_i32(o[i]));
            });
            if search.least(middle, search.reach) < numbers.reach {
                all.push(steps);
            }
        }
        if all.len() == before {
            break;
        }
    }
    all
}

/// Finds the points that may lie within the reach of a sample of the search's cell, among those of these cells.
pub fn points_in_reach<R: Real, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
    cells: &[[i32; 3]],
    numbers: Numbers<R>,
    points: &mut Vec<Point<R>>,
) {
    points.clear();
    for &o in cells {
        let (h, in_cell) = search.placed(first_of(o));
        let word = mix(h);
        let size = size(word, numbers.variation);
        let (steps, mut place, mut from) = (o.map(R::of_i32), [R::default(); 3], in_cell);
        unrolled!(i in 0..DIMENSIONS => {
            place[i] = in_cell[i];
            from[i] = in_cell[i] + steps[i];
        });
        if size * search.least(from, R::of(SLACK)) < numbers.reach {
            points.push(Point { steps, place, size, number: signed(word) });
        }
    }
}

/// [`noise`], given the [`points_in_reach`] of the samples' cell.
#[inline(always)]
pub fn noise_near<R: Real, T: Token, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool, const GRADIENT: bool>(
    token: T,
    search: &Search<R::Vector<T>, DIMENSIONS, KEYS, PERIODIC>,
    points: &[Point<R>],
    shape: SmoothShape,
    numbers: Numbers<R::Vector<T>>,
) -> Jet<R::Vector<T>> {
    macro_rules! seen {
        ($point:ident) => {{
            let mut v = search.at;
            unrolled!(i in 0..DIMENSIONS => {
                v[i] = R::Vector::splat(token, $point.place[i]) - (v[i] - R::Vector::splat(token, $point.steps[i]));
            });
            (v, R::Vector::splat(token, $point.size))
        }};
    }
    let mut nearest = numbers.reach.constant(FAR);
    for point in points {
        let (v, size) = seen!(point);
        nearest = min(size * search.length(v), nearest);
    }
    let scale = scale(numbers, nearest);
    let mut sums = Sums::none(scale);
    for point in points {
        let (v, size) = seen!(point);
        let of = (size, R::Vector::splat(token, point.number));
        sums = add::<R::Vector<T>, DIMENSIONS, KEYS, PERIODIC, GRADIENT>(search, sums, v, of, shape, numbers, scale);
    }
    mean(sums, shape)
}

/// Adds a point at an offset, with its size and its value. A point beyond the reach of all lanes would add 0.
#[inline(always)]
fn add<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool, const GRADIENT: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
    mut sums: Sums<R, DIMENSIONS>,
    v: [R; DIMENSIONS],
    (size, number): (R, R),
    shape: SmoothShape,
    numbers: Numbers<R>,
    scale: R,
) -> Sums<R, DIMENSIONS> {
    let key = size * search.length(v);
    if !R::Bits::any(key.less_than(numbers.reach)) {
        return sums;
    }
    let rest = max((numbers.reach - key) * scale, key.constant(0.0));
    let (weight, steep) = power::positive(rest, numbers.exponent);
    let value = match (shape.output, shape.metric) {
        (SmoothOutput::Cell, _) => number,
        (SmoothOutput::Distance, Metric::Euclidean) => key.root(),
        (SmoothOutput::Distance, Metric::Squared | Metric::Manhattan | Metric::Chebyshev) => key,
    };
    sums.weight = sums.weight + weight;
    sums.value = sums.value + weight * value;
    if !GRADIENT {
        return sums;
    }
    let slope = slope(search, v, size, shape.metric);
    let pulled = -(steep * scale);
    let half = key.constant(0.5) * key.inverse_root();
    unrolled!(i in 0..DIMENSIONS => {
        let pull = pulled * slope[i];
        let gradient = match (shape.output, shape.metric) {
            (SmoothOutput::Cell, _) => key.constant(0.0),
            (SmoothOutput::Distance, Metric::Euclidean) => half * slope[i],
            (SmoothOutput::Distance, Metric::Squared | Metric::Manhattan | Metric::Chebyshev) => slope[i],
        };
        sums.weight_slope[i] = sums.weight_slope[i] + pull;
        sums.value_slope[i] = sums.value_slope[i] + (value * pull + weight * gradient);
    });
    sums
}

/// The gradient of a point's key.
#[inline(always)]
fn slope<R: Transcendental, const DIMENSIONS: usize, const KEYS: u8, const PERIODIC: bool>(
    search: &Search<R, DIMENSIONS, KEYS, PERIODIC>,
    v: [R; DIMENSIONS],
    size: R,
    metric: Metric,
) -> [R; DIMENSIONS] {
    let mut slope = v;
    if squared(metric) {
        let twice = size.constant(-2.0) * size;
        unrolled!(i in 0..DIMENSIONS => {
            slope[i] = twice * v[i];
        });
        return slope;
    }
    let by_metric = search.slope(v);
    unrolled!(i in 0..DIMENSIONS => {
        slope[i] = size * by_metric[i];
    });
    slope
}
