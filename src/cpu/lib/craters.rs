//! Twin of `shaders/lib/craters.wgsl`: craters of several classes of size.
//!
//! Cells are visited in the shader's order, each for all lanes at once. A crater that does not reach a lane has no weight there, so
//! skipping cells never changes a result.

use crate::cpu::lib::hash::{fold, mix, mixed, part};
use crate::cpu::lib::jet::Jet;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::number::{Bits, Transcendental, max, min};
use crate::cpu::simd::unrolled;
use crate::program::{CraterShape, MOST_CRATER_SIZES};

/// The wall of a fresh crater is straight up to this distance, and rounded from there to the crest.
const CREST: f64 = 0.875;
const WALL: f64 = 16.0 / 15.0;
const ROUND: f64 = 64.0 / 15.0;
/// The fresh blanket of ejecta: rounded up to this share of its width, then a fourth power.
const LIP: f64 = 1.0 / 64.0;
const LIP_ROUND: f64 = 2.0 / (LIP * (1.0 + LIP));
const BLANKET: f64 = 1.0 / ((1.0 - LIP) * (1.0 - LIP) * (1.0 - LIP) * (1.0 + LIP));
/// One step of random numbers of 16 and 24 bits.
const STEP_16: f64 = 1.0 / 65_536.0;
const STEP_24: f64 = 1.0 / 16_777_216.0;

/// The numbers of a noise.
#[derive(Clone, Copy)]
pub struct Numbers<R> {
    pub depth: R,
    pub rim: R,
    /// The squared distance at which ejecta end, and `1 / (that − 1)`.
    pub edge: R,
    pub per_ejecta: R,
    pub wear: R,
    pub peak: R,
    /// For each class, the random numbers of 16 bits below which a cell has a crater.
    pub frequent: [R; MOST_CRATER_SIZES],
}

/// A value and its slope.
#[derive(Clone, Copy)]
struct Sloped<R> {
    value: R,
    slope: [R; 2],
}

/// A surface: heights over the ground of coarser classes, and how young it is.
#[derive(Clone, Copy)]
struct Surface<R> {
    height: Sloped<R>,
    youth: Sloped<R>,
}

/// A crater around a sample.
#[derive(Clone, Copy)]
struct Crater<R: Transcendental> {
    /// Random bits.
    word: R::Bits,
    /// 1 / radius², for the largest of the class.
    squares: R,
    /// The squared distance from its middle, in radii, and the slope of that.
    t: R,
    slope: [R; 2],
    /// Lanes that it reaches.
    reaches: R::Mask,
}

/// The craters around a sample.
#[inline(always)]
pub fn craters<R: Transcendental, const PERIODIC: bool>(
    [mut x, mut y, _]: [R::Bits; 3],
    [mut along, mut across, _]: [R; 3],
    key: HashKey<R::Bits, PERIODIC>,
    sizes: usize,
    shape: CraterShape,
    mut numbers: Numbers<R>,
) -> Jet<R> {
    let zero = numbers.depth.constant(0.0);
    let flat = Sloped { value: zero, slope: [zero; 2] };
    let (mut height, mut surface) = (flat, Surface { height: flat, youth: flat });
    let mut scale = zero.constant(1.0);
    let mut own = HashKey::<R::Bits, PERIODIC> { period: [key.period[0], key.period[1], 0, 0], ..key };
    for k in 0..sizes {
        surface.height = flat;
        let seed = own.seed ^ part(2, x.constant(k as u32));
        let ([a, b, c], [d, e, f]) = (around(&own, 0, x), around(&own, 1, y));
        let (columns, rows) = ([fold(a ^ seed), fold(b ^ seed), fold(c ^ seed)], [fold(d), fold(e), fold(f)]);
        for j in 0..3 {
            for i in 0..3 {
                let from = [(along, i), (across, j)];
                let crater = crater(mixed(columns[i] ^ rows[j]), from, numbers.edge, numbers.frequent[k], scale);
                if R::Bits::any(crater.reaches) {
                    surface = add(surface, crater, &numbers);
                }
            }
        }
        height.value = height.value + surface.height.value;
        unrolled!(axis in 0..2 => {
            height.slope[axis] = height.slope[axis] + surface.height.slope[axis];
        });
        (x, along) = finer(x, along);
        (y, across) = finer(y, across);
        let [x_cells, y_cells, ..] = own.period;
        own.period = [x_cells.wrapping_add(x_cells), y_cells.wrapping_add(y_cells), 0, 0];
        numbers.depth = zero.constant(0.5) * numbers.depth;
        scale = scale + scale;
        numbers.peak = zero;
    }
    let Sloped { value, slope: [a, b] } = if shape.youth { surface.youth } else { height };
    Jet { value, gradient: [a, b, zero] }
}

/// The contributions of a coordinate and its neighbours to the hash.
#[inline(always)]
fn around<B: Bits, const PERIODIC: bool>(key: &HashKey<B, PERIODIC>, axis: usize, x: B) -> [B; 3] {
    let (before, after) = (x.minus(x.constant(1)), x.plus(x.constant(1)));
    [part(axis, key.cell(axis, before)), part(axis, key.cell(axis, x)), part(axis, key.cell(axis, after))]
}

/// The coordinate in cells of half the edge.
#[inline(always)]
fn finer<R: Transcendental>(cell: R::Bits, fraction: R) -> (R::Bits, R) {
    let twice = fraction + fraction;
    let steps = twice.floor();
    (cell.plus(cell).plus(steps.small_to_signed()), twice - steps)
}

/// The way to a point along an axis, by the upper 16 bits of a random word.
#[inline(always)]
fn from<R: Transcendental>(random: R::Bits, (fraction, cell): (R, usize)) -> R {
    let away = (fraction - fraction.constant(0.5 + 0.5 * STEP_16)) - fraction.constant(cell as f64 - 1.0);
    R::of_signed(random.signed_down(16)) * fraction.constant(STEP_16) - away
}

/// The crater of a cell, with the sample's fraction and the number of the cell along each axis.
#[inline(always)]
fn crater<R: Transcendental>(h: R::Bits, [x, y]: [(R, usize); 2], edge: R, frequent: R, scale: R) -> Crater<R> {
    let word = mix(h);
    let step = edge.constant(STEP_16);
    let (x, y) = (from(h, x), from(h << 16, y));
    let squares = edge.constant(3.0) * (R::of_signed(word >> 16) * step) + edge.constant(1.0);
    let pull = edge * squares;
    let t = pull * (x * x + y * y);
    let factor = (edge.constant(-2.0) * pull) * scale;
    let some = R::of_signed(word & word.constant(0xffff)).less_than(frequent);
    Crater { word, squares, t, slope: [factor * x, factor * y], reaches: R::Bits::both(some, t.less_than(edge)) }
}

/// The surface with one more crater.
#[inline(always)]
fn add<R: Transcendental>(surface: Surface<R>, crater: Crater<R>, n: &Numbers<R>) -> Surface<R> {
    let Crater { word, squares, t, slope: dt, reaches } = crater;
    let Surface { height, youth } = surface;
    let number = |x: f64| t.constant(x);
    let (zero, one, three) = (number(0.0), number(1.0), number(3.0));
    let age = R::of_signed(mix(word) >> 8) * number(STEP_24);
    let worn = one - age;
    let fresh = one - n.wear * (worn * worn);
    let deep = (n.depth * squares.inverse_root()) * fresh;
    let high = n.rim * deep;
    let inside = t.less_than(one);

    // The bowl.
    let rest = one - t;
    let soft = (t * t) * (three - (t + t));
    let soft_slope = number(6.0) * (t * rest);
    let straight = t.less_than(number(CREST));
    let sharp = R::select(one - number(ROUND) * (rest * rest), number(WALL) * t, straight);
    let sharp_slope = R::select(number(2.0 * ROUND) * rest, number(WALL), straight);
    let wall = soft + fresh * (sharp - soft);
    let wall_slope = soft_slope + fresh * (sharp_slope - soft_slope);
    let relief = deep + high;
    let tall = (n.peak * deep) * (number(4.0 / 3.0) - number(1.0 / 3.0) * squares);
    let left = max(one - number(16.0) * t, zero);
    let bowl = (relief * wall - deep) + tall * (left * left);
    let bowl_slope = relief * wall_slope - (number(32.0) * tall) * left;

    // The ejecta.
    let y = n.per_ejecta * (t - one);
    let z = max(one - y, zero);
    let fade = (z * z) * (three - (z + z));
    let fade_slope = number(-6.0) * (z * y);
    let lip = y.less_than(number(LIP));
    let crest = R::select(number(BLANKET) * ((z * z) * (z * z)), one - number(LIP_ROUND) * (y * y), lip);
    let crest_slope = R::select(number(-4.0 * BLANKET) * (z * (z * z)), number(-2.0 * LIP_ROUND) * y, lip);
    let blanket = high * (fade + fresh * (crest - fade));
    let blanket_slope = (high * (fade_slope + fresh * (crest_slope - fade_slope))) * n.per_ejecta;

    let target = R::select(blanket, bowl, inside);
    let target_slope = R::select(blanket_slope, bowl_slope, inside);
    let weight = R::select(zero, R::select(fade, one, inside), reaches);
    let weight_slope = R::select(zero, R::select(fade_slope * n.per_ejecta, zero, inside), reaches);

    // Nothing shows on a surface that is younger by a quarter.
    let p = max(min(number(4.0) * (age - youth.value) + one, one), zero);
    let seen = (p * p) * (three - (p + p));
    let seen_slope = number(-24.0) * (p * (one - p));
    let m = weight * seen;
    let gap = target - height.value;
    // The larger of two ages, rounded.
    let younger = max(age - youth.value, zero);
    let small = younger.less_than(number(0.125));
    let gain = R::select(younger - number(0.0625), number(4.0) * (younger * younger), small);
    let rate = R::select(one, number(8.0) * younger, small);

    let mut next = surface;
    next.height.value = height.value + m * gap;
    next.youth.value = youth.value + weight * gain;
    let (pull, turn) = (seen * weight_slope, weight * seen_slope);
    let (rise, keep) = (gain * weight_slope, weight * rate);
    unrolled!(axis in 0..2 => {
        let dm = pull * dt[axis] + turn * youth.slope[axis];
        next.height.slope[axis] = height.slope[axis] + (m * (target_slope * dt[axis] - height.slope[axis]) + gap * dm);
        next.youth.slope[axis] = youth.slope[axis] + (rise * dt[axis] - keep * youth.slope[axis]);
    });
    next
}
