//! Twin of `shaders/lib/spline.wgsl` (the piece) and of `table_spline` in `shaders/lib/tables.wgsl` (the search).

use crate::cpu::lib::jet::{Jet, through};
use crate::cpu::simd::Real;
use crate::cpu::simd::real::{max, min, select};

/// A control point in the backend's number type; see [`crate::program::SplinePoint`].
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint<R> {
    pub at: R,
    pub value: R,
    pub anchor: R,
    pub inverse_width: R,
}

/// The piece from `lower` to `upper`, at x; `inside` is false beyond the curve's ends, where it is flat.
#[inline(always)]
fn piece<R: Real>(lower: CurvePoint<R>, upper: CurvePoint<R>, x: Jet<R>, inside: bool) -> Jet<R> {
    let t = min(max((x.value - lower.at) * lower.inverse_width, R::of(0.0)), R::of(1.0));
    let rise = lower.anchor - lower.value;
    let fall = upper.value - lower.anchor;
    let a = lower.value + t * rise;
    let b = lower.anchor + t * fall;
    let slope = R::of(2.0) * (rise + t * (fall - rise)) * lower.inverse_width;
    through(a + t * (b - a), select(R::of(0.0), slope, inside), x)
}

/// The curve at x: a binary search for the last point that is not above, then its piece.
#[inline(always)]
pub fn spline<R: Real>(points: &[CurvePoint<R>], x: Jet<R>) -> Jet<R> {
    let last = points.len() - 1;
    let (mut low, mut high) = (0, last);
    while high - low > 1 {
        let middle = (low + high) >> 1;
        if x.value < points[middle].at {
            high = middle;
        } else {
            low = middle;
        }
    }
    let inside = x.value >= points[0].at && x.value <= points[last].at;
    piece(points[low], points[high], x, inside)
}
