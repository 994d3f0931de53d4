//! The two number types of the CPU backend: f32, the GPU's twin bit for bit, and f64, the oracle.

use std::ops::{Add, Mul, Neg, Sub};

/// f32 or f64. Only operations that mean one thing everywhere: no division, no fused multiply-add, nothing from libm
/// except in the oracle.
pub trait Real:
    Copy + Default + PartialOrd + Send + Sync + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Rounds a table's number; no finite number becomes an infinity.
    fn of(x: f64) -> Self;
    /// To f64, exactly.
    fn wide(self) -> f64;
    /// To f32, rounded.
    fn single(self) -> f32;
    /// Exact for magnitudes up to 2²⁴.
    fn of_i32(i: i32) -> Self;
    /// Largest integer not above.
    fn floor(self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
    /// Without its fraction; held in the range of i32 as far as f32 can represent it, which is what WGSL's conversion does.
    fn to_i32(self) -> i32;
    /// The fraction of a lattice coordinate from the 64 bits below its point: 24 of them for f32, 53 for f64.
    fn fraction(bits: u64) -> Self;
    /// Logarithm to base 2 of a positive normal number.
    fn log2(self) -> Self;
    /// 2 to this power.
    fn exp2(self) -> Self;
    /// Sine and cosine of π times a number in [−1/2, 1/2].
    fn half_turns(self) -> (Self, Self);
    /// Square root; 0 for numbers below 2⁻¹⁰⁰.
    fn root(self) -> Self;
    /// 1 / square root; 0 for numbers below 2⁻¹⁰⁰.
    fn inverse_root(self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn of(x: f64) -> Self {
        crate::program::narrow(x)
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn single(self) -> f32 {
        self
    }
    #[inline(always)]
    fn of_i32(i: i32) -> Self {
        i as f32
    }
    #[inline(always)]
    fn floor(self) -> Self {
        self.floor()
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        self.clamp(-2_147_483_648.0, 2_147_483_520.0) as i32
    }
    #[inline(always)]
    fn fraction(bits: u64) -> Self {
        // Through i32, for which every SIMD instruction set has a conversion.
        (bits >> 40) as i32 as f32 * (1.0 / 16_777_216.0)
    }
    #[inline(always)]
    fn log2(self) -> Self {
        super::power::log2(self)
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        super::power::exp2(self)
    }
    #[inline(always)]
    fn half_turns(self) -> (Self, Self) {
        super::turn::half(self)
    }
    #[inline(always)]
    fn root(self) -> Self {
        super::root::sqrt(self)
    }
    #[inline(always)]
    fn inverse_root(self) -> Self {
        super::root::inverse(self)
    }
}

impl Real for f64 {
    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn single(self) -> f32 {
        self as f32
    }
    #[inline(always)]
    fn of_i32(i: i32) -> Self {
        f64::from(i)
    }
    #[inline(always)]
    fn floor(self) -> Self {
        self.floor()
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        self.clamp(-2_147_483_648.0, 2_147_483_520.0) as i32
    }
    #[inline(always)]
    fn fraction(bits: u64) -> Self {
        (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
    #[inline(always)]
    fn log2(self) -> Self {
        libm::log2(self)
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        libm::exp2(self)
    }
    #[inline(always)]
    fn half_turns(self) -> (Self, Self) {
        let turn = std::f64::consts::PI * self;
        (libm::sin(turn), libm::cos(turn))
    }
    #[inline(always)]
    fn root(self) -> Self {
        libm::sqrt(self)
    }
    #[inline(always)]
    fn inverse_root(self) -> Self {
        select(1.0 / libm::sqrt(self), 0.0, self < 7.888_609_052_210_118e-31)
    }
}

/// Zero without its sign. Drivers treat the sign of zero as they like, and nothing a kernel computes depends on it; so it
/// is dropped where a number leaves the kernel.
#[inline(always)]
pub fn unsigned_zero<R: Real>(x: R) -> R {
    select(x, R::default(), x == R::default())
}

/// `t` if `condition`, else `f`: reads like WGSL's `select` and compiles to one.
#[inline(always)]
pub fn select<T>(f: T, t: T, condition: bool) -> T {
    if condition { t } else { f }
}

/// The smaller; `b` when they are equal.
#[inline(always)]
pub fn min<R: Real>(a: R, b: R) -> R {
    select(b, a, a < b)
}

/// The larger; `b` when they are equal.
#[inline(always)]
pub fn max<R: Real>(a: R, b: R) -> R {
    select(b, a, a > b)
}
