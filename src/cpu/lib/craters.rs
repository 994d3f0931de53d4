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

/// A crater around a sample.
#[derive(Clone, Copy)]
struct Crater<R: Transcendental> {
    /// Lanes that it reaches.
    here: R::Mask,
    /// From 0, the oldest, to 1.
    age: R,
    /// 1 / radius², for the largest of the class.
    squares: R,
    /// The squared distance from its middle, in radii, and the slope of that.
    t: R,
    slope: [R; 2],
    /// The share of the surface that it covers; 0 where it does not reach.
    cover: Sloped<R>,
}

/// The most craters of a class around a sample.
const AROUND: usize = 9;

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
    let (mut height, mut surface) = (flat, flat);
    let mut scale = zero.constant(1.0);
    let mut own = HashKey::<R::Bits, PERIODIC> { period: [key.period[0], key.period[1], 0, 0], ..key };
    for k in 0..sizes {
        let seed = own.seed ^ part(2, x.constant(k as u32));
        let ([a, b, c], [d, e, f]) = (around(&own, 0, x), around(&own, 1, y));
        let (columns, rows) = ([fold(a ^ seed), fold(b ^ seed), fold(c ^ seed)], [fold(d), fold(e), fold(f)]);
        let mut all: [Option<Crater<R>>; AROUND] = [None; AROUND];
        let mut count = 0;
        for j in 0..3 {
            for i in 0..3 {
                let from = [(along, i), (across, j)];
                let crater = crater(mixed(columns[i] ^ rows[j]), from, numbers.frequent[k], scale, &numbers);
                if R::Bits::any(crater.here) {
                    all[count] = Some(crater);
                    count += 1;
                }
            }
        }
        // The youth of the surface of coarser classes.
        let (ground, found) = (surface, &all[..count]);
        for (at, crater) in found.iter().enumerate() {
            let Some(crater) = crater else { break };
            let mut share = crater.cover;
            for (other_at, other) in found.iter().enumerate() {
                let Some(other) = other else { break };
                share = under(share, crater, other, other_at > at);
            }
            height = added(height, share, seen(crater, ground, profile(crater, &numbers)));
            surface = added(surface, share, younger(crater, ground));
        }
        (x, along) = finer(x, along);
        (y, across) = finer(y, across);
        let [x_cells, y_cells, ..] = own.period;
        own.period = [x_cells.wrapping_add(x_cells), y_cells.wrapping_add(y_cells), 0, 0];
        numbers.depth = zero.constant(0.5) * numbers.depth;
        scale = scale + scale;
        numbers.peak = zero;
    }
    let Sloped { value, slope: [a, b] } = if shape.youth { surface } else { height };
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
fn crater<R: Transcendental>(h: R::Bits, [x, y]: [(R, usize); 2], frequent: R, scale: R, n: &Numbers<R>) -> Crater<R> {
    let number = |x: f64| scale.constant(x);
    let (zero, one, three) = (number(0.0), number(1.0), number(3.0));
    let word = mix(h);
    let step = number(STEP_16);
    let (x, y) = (from(h, x), from(h << 16, y));
    let squares = three * (R::of_signed(word >> 16) * step) + one;
    let pull = n.edge * squares;
    let t = pull * (x * x + y * y);
    let factor = (number(-2.0) * pull) * scale;
    let slope = [factor * x, factor * y];
    let some = R::of_signed(word & word.constant(0xffff)).less_than(frequent);
    let here = R::Bits::both(some, t.less_than(n.edge));
    let age = R::of_signed(mix(word) >> 8) * number(STEP_24);
    let inside = t.less_than(one);
    let y = n.per_ejecta * (t - one);
    let z = max(one - y, zero);
    let fade = (z * z) * (three - (z + z));
    let fade_slope = (number(-6.0) * (z * y)) * n.per_ejecta;
    let mut cover = Sloped { value: R::select(zero, R::select(fade, one, inside), here), slope };
    unrolled!(axis in 0..2 => {
        cover.slope[axis] = R::select(zero, R::select(fade_slope * slope[axis], zero, inside), here);
    });
    Crater { here, age, squares, t, slope, cover }
}

/// The share of a crater, less the part that a younger one covers. The second of two of the same age is the younger.
#[inline(always)]
fn under<R: Transcendental>(share: Sloped<R>, older: &Crater<R>, other: &Crater<R>, second: bool) -> Sloped<R> {
    let younger = if second { other.age.at_least(older.age) } else { older.age.less_than(other.age) };
    let covers = R::Bits::both(younger, other.here);
    let rest = share.value.constant(1.0) - other.cover.value;
    let mut left = share;
    left.value = R::select(share.value, share.value * rest, covers);
    unrolled!(axis in 0..2 => {
        left.slope[axis] = R::select(share.slope[axis], share.slope[axis] * rest - share.value * other.cover.slope[axis], covers);
    });
    left
}

/// A sum with one more share of a value.
#[inline(always)]
fn added<R: Transcendental>(mut sum: Sloped<R>, share: Sloped<R>, x: Sloped<R>) -> Sloped<R> {
    sum.value = sum.value + share.value * x.value;
    unrolled!(axis in 0..2 => {
        sum.slope[axis] = sum.slope[axis] + (share.value * x.slope[axis] + x.value * share.slope[axis]);
    });
    sum
}

/// The height of a crater over the ground.
#[inline(always)]
fn profile<R: Transcendental>(crater: &Crater<R>, n: &Numbers<R>) -> Sloped<R> {
    let Crater { age, squares, t, slope: dt, .. } = *crater;
    let number = |x: f64| t.constant(x);
    let (zero, one, three) = (number(0.0), number(1.0), number(3.0));
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

    let slope = R::select(blanket_slope, bowl_slope, inside);
    Sloped { value: R::select(blanket, bowl, inside), slope: [slope * dt[0], slope * dt[1]] }
}

/// The visible part of a height on the surface of coarser classes: 0 on one that is younger by a quarter.
#[inline(always)]
fn seen<R: Transcendental>(crater: &Crater<R>, ground: Sloped<R>, mut height: Sloped<R>) -> Sloped<R> {
    let number = |x: f64| ground.value.constant(x);
    let (zero, one, three) = (number(0.0), number(1.0), number(3.0));
    let p = max(min(number(4.0) * (crater.age - ground.value) + one, one), zero);
    let seen = (p * p) * (three - (p + p));
    let seen_slope = number(-24.0) * (p * (one - p));
    unrolled!(axis in 0..2 => {
        height.slope[axis] = seen * height.slope[axis] + (height.value * seen_slope) * ground.slope[axis];
    });
    height.value = seen * height.value;
    height
}

/// By how much a crater is younger than the surface of coarser classes; 0 if it is older, with a rounded bend.
#[inline(always)]
fn younger<R: Transcendental>(crater: &Crater<R>, ground: Sloped<R>) -> Sloped<R> {
    let number = |x: f64| ground.value.constant(x);
    let younger = max(crater.age - ground.value, number(0.0));
    let small = younger.less_than(number(0.125));
    let gain = R::select(younger - number(0.0625), number(4.0) * (younger * younger), small);
    let rate = -R::select(number(1.0), number(8.0) * younger, small);
    Sloped { value: gain, slope: [rate * ground.slope[0], rate * ground.slope[1]] }
}
