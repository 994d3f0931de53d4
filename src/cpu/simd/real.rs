//! The two number types of the CPU backend: f32, the GPU's twin bit for bit, and f64, the oracle.

use crate::cpu::lib::exact::Exact;
use crate::cpu::simd::number::{Number, Transcendental};
use crate::cpu::simd::permute::Lookup;
use crate::cpu::simd::vector::{SimdVector, Token};

pub use crate::cpu::simd::number::{max, min};

/// f32 or f64. It has only operations with the same result on all machines: division only as [`Exact`] rounds it, no fused
/// multiply-add, and libm only in the oracle.
pub trait Real: Transcendental + Exact + Lookup + Number<Mask = bool, Bits = u32> + Default + PartialOrd + Send + Sync + 'static {
    /// A vector of such numbers.
    type Vector<T: Token>: SimdVector<Self, T>;
    /// Rounds a number of a table; a finite number never becomes infinite.
    fn of(x: f64) -> Self;
    /// The same number.
    fn exactly(x: f32) -> Self;
    /// To f64, exactly.
    fn wide(self) -> f64;
    /// To f32, rounded.
    fn single(self) -> f32;
    /// Exact for magnitudes up to 2²⁴.
    fn of_i32(i: i32) -> Self;
    /// [`to_signed`](Number::to_signed) as an i32.
    #[inline(always)]
    fn to_i32(self) -> i32 {
        self.to_signed() as i32
    }
    /// The fraction of a lattice coordinate, from the halves of its 64 fractional bits: 24 bits for f32, 53 for f64.
    fn fraction(high: u32, low: u32) -> Self;
}

/// The words of a vector.
pub type BitsOf<R, T> = <<R as Real>::Vector<T> as Number>::Bits;

/// Lattice coordinates: cells and fractions.
pub type Position<R, T, const N: usize> = ([BitsOf<R, T>; N], [<R as Real>::Vector<T>; N]);

/// The number of lanes that a token computes at once.
#[inline(always)]
pub fn width<R: Real, T: Token>(_token: T) -> usize {
    <R::Vector<T> as SimdVector<R, T>>::WIDTH
}

impl Real for f32 {
    type Vector<T: Token> = T::F32;
    #[inline(always)]
    fn of(x: f64) -> Self {
        crate::program::narrow(x)
    }
    #[inline(always)]
    fn exactly(x: f32) -> Self {
        x
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
    fn fraction(high: u32, _low: u32) -> Self {
        // Through i32, since every SIMD instruction set has a conversion from it.
        (high >> 8) as i32 as f32 * (1.0 / 16_777_216.0)
    }
}

impl Real for f64 {
    type Vector<T: Token> = f64;
    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn exactly(x: f32) -> Self {
        f64::from(x)
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
    fn fraction(high: u32, low: u32) -> Self {
        let bits = u64::from(high) << 32 | u64::from(low);
        (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

// A single number is a vector of one lane.
macro_rules! scalar {
    ($real:ident) => {
        impl<T> SimdVector<$real, T> for $real {
            const WIDTH: usize = 1;
            #[inline(always)]
            fn splat(_token: T, x: $real) -> Self {
                x
            }
            #[inline(always)]
            fn load(_token: T, from: &[$real], at: usize) -> Self {
                from[at]
            }
            #[inline(always)]
            fn store(self, to: &mut [$real], at: usize) {
                to[at] = self;
            }
            #[inline(always)]
            fn look_up(_token: T, table: &[$real], from: [usize; 2], index: u32) -> Self {
                table[from[0] + index as usize]
            }
            #[inline(always)]
            fn fraction(high: u32, low: u32) -> Self {
                <$real as Real>::fraction(high, low)
            }
            #[inline(always)]
            fn splat_bits(_token: T, x: u32) -> u32 {
                x
            }
            #[inline(always)]
            fn load_bits(_token: T, from: &[u32], at: usize) -> u32 {
                from[at]
            }
        }
    };
}
scalar!(f32);
scalar!(f64);

/// Removes the sign of zero. Drivers differ in the sign of zero, and no kernel result depends on it, so it is removed where a
/// number leaves the kernel.
#[inline(always)]
pub fn unsigned_zero<R: Real>(x: R) -> R {
    select(x, R::default(), x == R::default())
}

/// `t` if `condition`, else `f`. It corresponds to WGSL's `select`, and compiles to one.
#[inline(always)]
pub fn select<T>(f: T, t: T, condition: bool) -> T {
    if condition { t } else { f }
}
