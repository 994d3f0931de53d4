//! Intervals: arithmetic on bounds.

use serde::{Deserialize, Serialize};

/// All values lie in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// Lower bound.
    pub lo: f64,
    /// Upper bound.
    pub hi: f64,
}

impl Interval {
    /// The interval between two numbers, in either order.
    pub fn new(a: f64, b: f64) -> Self {
        Interval { lo: a.min(b), hi: a.max(b) }
    }

    /// `hi − lo`.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// Whether `x` is inside.
    pub fn contains(self, x: f64) -> bool {
        x >= self.lo && x <= self.hi
    }

    /// Clamped to two numbers.
    pub(crate) fn clamped(self, low: f64, high: f64) -> Self {
        Interval { lo: self.lo.clamp(low, high), hi: self.hi.clamp(low, high) }
    }

    pub(crate) fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Rounds the ends outward to f32.
    pub(crate) fn outward(self) -> Self {
        let down = self.lo as f32;
        let up = self.hi as f32;
        Interval {
            lo: f64::from(if f64::from(down) > self.lo { down.next_down() } else { down }),
            hi: f64::from(if f64::from(up) < self.hi { up.next_up() } else { up }),
        }
    }

    /// Widened by `ulps` f32 ulps of the larger end.
    pub(crate) fn widened(self, ulps: f64) -> Self {
        self.loosened(ulps, self.magnitude())
    }

    /// Widened by `ulps` f32 ulps of a number involved in the operation.
    pub(crate) fn loosened(self, ulps: f64, magnitude: f64) -> Self {
        let slack = magnitude * ulps * f64::from(f32::EPSILON);
        Interval { lo: self.lo - slack, hi: self.hi + slack }.outward()
    }

    pub(crate) fn hull(self, other: Self) -> Self {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        Interval { lo: self.lo + other.lo, hi: self.hi + other.hi }.outward()
    }

    pub(crate) fn multiply(self, other: Self) -> Self {
        let ends = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        Interval { lo: ends.into_iter().fold(f64::INFINITY, f64::min), hi: ends.into_iter().fold(f64::NEG_INFINITY, f64::max) }.outward()
    }

    pub(crate) fn scale(self, factor: f64) -> Self {
        // The factor reaches the kernel rounded to f32.
        self.multiply(Interval::new(factor, factor).outward())
    }

    pub(crate) fn squared(self) -> Self {
        self.abs().multiply(self.abs())
    }

    pub(crate) fn abs(self) -> Self {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            Interval { lo: -self.hi, hi: -self.lo }
        } else {
            Interval { lo: 0.0, hi: self.magnitude() }
        }
    }

    pub(crate) fn power(self, exponent: f64) -> Self {
        // The f32 power is exact at 0 and 1; elsewhere its relative error grows with exponent · log2, up to this. It is never
        // smaller than the smallest normal number, and keeps its sign.
        let end = |x: f64, outward: f64| {
            let exact = libm::pow(x.abs(), exponent).copysign(x);
            // Numbers below 2⁻⁴⁰ count as 0, for which the power is 0.
            let tiny = x.abs() < 1e-12 && x != 0.0;
            if tiny && x * outward < 0.0 {
                0.0
            } else if x == 0.0 || x.abs() == 1.0 {
                exact
            } else {
                let relative = 1e-6 * (2.0 + exponent * libm::log2(x.abs()).abs());
                let end = exact + outward * (exact.abs() * relative + f64::from(f32::MIN_POSITIVE));
                if x > 0.0 { end.max(0.0) } else { end.min(0.0) }
            }
        };
        Interval { lo: end(self.lo, -1.0), hi: end(self.hi, 1.0) }.outward()
    }

    /// `a + t·(b − a)` for t in `by`; rounding may leave the hull by an ulp or two.
    pub(crate) fn lerp(a: Self, b: Self, by: Self) -> Self {
        if by.lo >= 0.0 && by.hi <= 1.0 {
            // At 0 and 1, as in the first octave, every step is exact.
            if by == Interval::new(1.0, 1.0) && a == Interval::new(0.0, 0.0) { b } else { a.hull(b).widened(4.0) }
        } else {
            a.add(by.multiply(b.add(a.scale(-1.0)))).widened(4.0)
        }
    }
}
