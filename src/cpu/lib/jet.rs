//! Twin of `shaders/lib/jet.wgsl`: a value and its gradient with respect to world position.

use crate::cpu::simd::number::{Bits, Number, max, min};

/// A value and its gradient.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet<R> {
    /// The value.
    pub value: R,
    /// Its change per world unit along x, y and z.
    pub gradient: [R; 3],
}

/// Calls `f` for each axis.
#[inline(always)]
pub fn axes<R>(f: impl Fn(usize) -> R) -> [R; 3] {
    [f(0), f(1), f(2)]
}

/// An expression for each axis. Unlike [`axes`], it is part of the surrounding code however large it is: a closure that is not
/// inlined is compiled without the instruction set.
macro_rules! each_axis {
    ($i:ident => $x:expr) => {
        [
            {
                let $i: usize = 0;
                $x
            },
            {
                let $i: usize = 1;
                $x
            },
            {
                let $i: usize = 2;
                $x
            },
        ]
    };
}
pub(crate) use each_axis;

#[inline(always)]
pub fn constant<R: Number>(value: R) -> Jet<R> {
    Jet { value, gradient: [value.constant(0.0); 3] }
}

/// Chain rule: a function of x with the given value and slope.
#[inline(always)]
pub fn through<R: Number>(value: R, slope: R, x: Jet<R>) -> Jet<R> {
    Jet { value, gradient: each_axis!(i => slope * x.gradient[i]) }
}

#[inline(always)]
pub fn scale_offset<R: Number>(x: Jet<R>, scale: R, offset: R) -> Jet<R> {
    through(x.value * scale + offset, scale, x)
}

#[inline(always)]
pub fn clamp<R: Number>(x: Jet<R>, low: R, high: R) -> Jet<R> {
    let inside = R::Bits::both(x.value.at_least(low), high.at_least(x.value));
    through(min(max(x.value, low), high), R::select(low.constant(0.0), low.constant(1.0), inside), x)
}

#[inline(always)]
pub fn abs<R: Number>(x: Jet<R>) -> Jet<R> {
    let (zero, one) = (x.value.constant(0.0), x.value.constant(1.0));
    through(x.value.abs(), R::select(one, -one, x.value.less_than(zero)), x)
}

#[inline(always)]
pub fn add<R: Number>(a: Jet<R>, b: Jet<R>) -> Jet<R> {
    Jet { value: a.value + b.value, gradient: axes(|i| a.gradient[i] + b.gradient[i]) }
}

#[inline(always)]
pub fn multiply<R: Number>(a: Jet<R>, b: Jet<R>) -> Jet<R> {
    Jet { value: a.value * b.value, gradient: axes(|i| b.value * a.gradient[i] + a.value * b.gradient[i]) }
}

#[inline(always)]
pub fn min_jet<R: Number>(a: Jet<R>, b: Jet<R>) -> Jet<R> {
    pick(b, a, a.value.less_than(b.value))
}

#[inline(always)]
pub fn max_jet<R: Number>(a: Jet<R>, b: Jet<R>) -> Jet<R> {
    pick(b, a, b.value.less_than(a.value))
}

/// `t` where the condition holds, and `f` elsewhere. Component by component, so that it compiles to selects rather than a branch.
#[inline(always)]
pub fn pick<R: Number>(f: Jet<R>, t: Jet<R>, condition: R::Mask) -> Jet<R> {
    Jet { value: R::select(f.value, t.value, condition), gradient: axes(|i| R::select(f.gradient[i], t.gradient[i], condition)) }
}

#[inline(always)]
pub fn lerp<R: Number>(a: Jet<R>, b: Jet<R>, t: R) -> Jet<R> {
    Jet { value: a.value + t * (b.value - a.value), gradient: axes(|i| a.gradient[i] + t * (b.gradient[i] - a.gradient[i])) }
}

#[inline(always)]
pub fn blend<R: Number>(a: Jet<R>, b: Jet<R>, mask: Jet<R>) -> Jet<R> {
    let m = clamp(mask, mask.value.constant(0.0), mask.value.constant(1.0));
    let mixed = lerp(a, b, m.value);
    Jet { value: mixed.value, gradient: axes(|i| mixed.gradient[i] + (b.value - a.value) * m.gradient[i]) }
}

/// Adds one octave of a normalised or plain sum.
#[inline(always)]
pub fn accumulate_sum<R: Number>(total: Jet<R>, octave: Jet<R>, amplitude: R) -> Jet<R> {
    Jet { value: total.value + amplitude * octave.value, gradient: axes(|i| total.gradient[i] + amplitude * octave.gradient[i]) }
}

/// Adds one octave of the terrain shader's `GetRawNoise`: lerp towards `(octave + 1) / 2`.
#[inline(always)]
pub fn accumulate_lerp<R: Number>(total: Jet<R>, octave: Jet<R>, amplitude: R) -> Jet<R> {
    lerp(total, scale_offset(octave, amplitude.constant(0.5), amplitude.constant(0.5)), amplitude)
}

/// Chain rule through a displacement by `S·(x, y, z)`: gradient + Jacobian-transpose of (x, y, z) times `pulled = Sᵀ·gradient`.
#[inline(always)]
pub fn displaced<R: Number>(inner: Jet<R>, pulled: [R; 3], [x, y, z]: [Jet<R>; 3]) -> Jet<R> {
    let g = inner.gradient;
    Jet {
        value: inner.value,
        gradient: each_axis!(i => g[i] + (pulled[0] * x.gradient[i] + (pulled[1] * y.gradient[i] + pulled[2] * z.gradient[i]))),
    }
}

/// Chain rule through a position (x, y, z).
#[inline(always)]
pub fn composed<R: Number>(inner: Jet<R>, [x, y, z]: [Jet<R>; 3]) -> Jet<R> {
    let g = inner.gradient;
    Jet { value: inner.value, gradient: axes(|i| g[0] * x.gradient[i] + (g[1] * y.gradient[i] + g[2] * z.gradient[i])) }
}
