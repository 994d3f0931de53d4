//! Twin of `shaders/lib/spline.wgsl` (the piece) and of `table_spline` in `shaders/lib/tables.wgsl` (the search).

use crate::cpu::lib::jet::{Jet, through};
use crate::cpu::simd::Real;
use crate::cpu::simd::number::{Bits, Number, max, min};
use crate::cpu::simd::permute::Lookup;

/// A control point in the backend's number type; see [`crate::program::SplinePoint`].
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint<R> {
    pub at: R,
    pub value: R,
    pub anchor: R,
    pub inverse_width: R,
}

/// The piece from `lower` to a point of this value, at x; `inside` is false beyond the curve's ends, where it is flat.
#[inline(always)]
fn piece<V: Number>(lower: CurvePoint<V>, upper: V, x: Jet<V>, inside: V::Mask) -> Jet<V> {
    let number = |k: f64| lower.at.constant(k);
    let t = min(max((x.value - lower.at) * lower.inverse_width, number(0.0)), number(1.0));
    let rise = lower.anchor - lower.value;
    let fall = upper - lower.anchor;
    let a = lower.value + t * rise;
    let b = lower.anchor + t * fall;
    let slope = number(2.0) * (rise + t * (fall - rise)) * lower.inverse_width;
    through(a + t * (b - a), V::select(number(0.0), slope, inside), x)
}

/// Whether a guess precedes the search of a curve with at least this number of points. Not in a browser, where a page loads the code.
const GUESSES: bool = !cfg!(target_family = "wasm");
const MANY: usize = 16;

/// The piece that begins at a point, and where it ends: the values of `lower` and the value of `upper` for [`piece`].
#[inline(always)]
fn found<R: Real, V: Lookup<Entry = R>>(points: &[CurvePoint<R>], low: V::Bits) -> (CurvePoint<V>, [V; 2]) {
    let [at, value, anchor, inverse_width, upper, end] = V::found(
        [low],
        #[inline(always)]
        |[i]| {
            let (lower, upper) = (points[i as usize], points[(i as usize + 1).min(points.len() - 1)]);
            [lower.at, lower.value, lower.anchor, lower.inverse_width, upper.value, upper.at]
        },
    );
    (CurvePoint { at, value, anchor, inverse_width }, [upper, end])
}

/// The last point that is not above x, or the first: by halves. All lanes take the same number of steps, so some search on among
/// points above and do not move.
#[inline(always)]
fn search<R: Real, V: Lookup<Entry = R>>(points: &[CurvePoint<R>], x: V) -> V::Bits {
    let mut low = x.to_signed().constant(0);
    let mut left = points.len() - 1;
    while left > 1 {
        let half = left >> 1;
        let middle = low.plus(low.constant(half as u32));
        let [at] = V::found(
            [middle],
            #[inline(always)]
            |[i]| [points[i as usize].at],
        );
        low = V::Bits::select(middle, low, x.less_than(at));
        left -= half;
    }
    low
}

/// The curve at x: the piece after the last point that is not above.
#[inline(always)]
pub fn spline<R: Real, V: Lookup<Entry = R>>(points: &[CurvePoint<R>], x: Jet<V>) -> Jet<V> {
    let last = points.len() - 1;
    let number = |k: R| x.value.constant(k.wide());
    let inside = V::Bits::both(x.value.at_least(number(points[0].at)), number(points[last].at).at_least(x.value));
    if GUESSES && points.len() >= MANY {
        // Points of long curves are often evenly spaced.
        let steps = (x.value - number(points[0].at)) * number(points[0].inverse_width);
        let final_piece = R::of_i32(last as i32 - 1);
        let low = max(min(steps, number(final_piece)), x.value.constant(0.0)).small_to_signed();
        let (lower, [upper, end]) = found(points, low);
        let after = V::Bits::either(low.equals(low.constant(0)), x.value.at_least(lower.at));
        let before = V::Bits::either(low.equals(low.constant(last as u32 - 1)), x.value.less_than(end));
        if !V::Bits::any(V::Bits::not(V::Bits::both(after, before))) {
            return piece(lower, upper, x, inside);
        }
    }
    let (lower, [upper, _]) = found(points, search(points, x.value));
    piece(lower, upper, x, inside)
}
