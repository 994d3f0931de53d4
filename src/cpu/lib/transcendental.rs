//! Functions that are not exact. In f32 they are polynomials and Newton's method, so that GPU and CPU agree. In the oracle they
//! are libm's, which measures the error of those.

use crate::cpu::lib::{power, root, turn};
use crate::cpu::simd::number::Transcendental;
use fearless_simd::{Simd, f32x16};

macro_rules! single {
    ($($set:ident)?, $number:ty) => {
        impl$(<$set: Simd>)? Transcendental for $number {
            #[inline(always)]
            fn root(self) -> Self {
                root::sqrt(self)
            }
            #[inline(always)]
            fn inverse_root(self) -> Self {
                root::inverse(self)
            }
            #[inline(always)]
            fn sin_cos_pi(self) -> (Self, Self) {
                turn::half(self)
            }
            #[inline(always)]
            fn log2(self) -> Self {
                power::log2(self)
            }
            #[inline(always)]
            fn exp2(self) -> Self {
                power::exp2(self)
            }
        }
    };
}
single!(, f32);
single!(S, f32x16<S>);
#[cfg(target_arch = "x86_64")]
single!(S, fearless_simd::f32x8<S>);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
single!(S, fearless_simd::f32x4<S>);

impl Transcendental for f64 {
    #[inline(always)]
    fn root(self) -> Self {
        libm::sqrt(self)
    }
    #[inline(always)]
    fn inverse_root(self) -> Self {
        if self < root::SMALLEST { 0.0 } else { 1.0 / libm::sqrt(self) }
    }
    #[inline(always)]
    fn sin_cos_pi(self) -> (Self, Self) {
        let turn = std::f64::consts::PI * self;
        (libm::sin(turn), libm::cos(turn))
    }
    #[inline(always)]
    fn log2(self) -> Self {
        libm::log2(self)
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        libm::exp2(self)
    }
}
