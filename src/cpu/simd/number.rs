//! The number types of formulas: one number, or one for each lane of a chunk. A formula that is generic over [`Number`] runs on
//! either with the same operations in the same order, so with the same bits.

use std::ops::{Add, BitAnd, BitXor, Mul, Neg, Shl, Shr, Sub};

/// Floating-point numbers.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {
    /// The result of comparisons.
    type Mask: Copy;
    /// The same number of 32-bit words.
    type Bits: Bits<Mask = Self::Mask>;
    /// The constant `x` in every lane.
    fn constant(self, x: f64) -> Self;
    /// The largest integer that is not above.
    fn floor(self) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;
    /// The number with its sign flipped in lanes where the highest bit of `by` is set.
    fn xor_sign(self, by: Self::Bits) -> Self;
    /// `self < other`.
    fn less_than(self, other: Self) -> Self::Mask;
    /// `self >= other`.
    fn at_least(self, other: Self) -> Self::Mask;
    /// `t` where the mask holds, and `f` elsewhere.
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self;
    /// The number where the mask holds, and 0 elsewhere.
    #[inline(always)]
    fn masked(self, mask: Self::Mask) -> Self {
        Self::select(self.constant(0.0), self, mask)
    }
    /// [`min`].
    #[inline(always)]
    fn smaller(a: Self, b: Self) -> Self {
        Self::select(b, a, a.less_than(b))
    }
    /// [`max`].
    #[inline(always)]
    fn larger(a: Self, b: Self) -> Self {
        Self::select(b, a, b.less_than(a))
    }
    /// Truncates to a signed integer. It is clamped to the range of i32, as far as f32 represents it, like WGSL's conversion.
    fn to_signed(self) -> Self::Bits;
    /// Truncates a magnitude below 2³¹, without clamping.
    fn small_to_signed(self) -> Self::Bits;
    /// A signed integer; exact for magnitudes up to 2²⁴.
    fn of_signed(bits: Self::Bits) -> Self;
}

/// Functions that are not exact. Numbers and vectors implement them; `lib/transcendental.rs` has the formulas.
pub trait Transcendental: Number {
    /// Square root; 0 for numbers below 2⁻¹⁰⁰.
    fn root(self) -> Self;
    /// 1 / square root; 0 for numbers below 2⁻¹⁰⁰.
    fn inverse_root(self) -> Self;
    /// Sine and cosine of π times a number in [−1/2, 1/2].
    fn sin_cos_pi(self) -> (Self, Self);
    /// Logarithm to base 2 of a positive normal number.
    fn log2(self) -> Self;
    /// 2 to this power.
    fn exp2(self) -> Self;
}

/// 32-bit numbers.
pub trait Single: Number {
    /// The bits of a number.
    fn bits(self) -> Self::Bits;
    /// The number with these bits.
    fn of_bits(bits: Self::Bits) -> Self;
}

/// 32-bit words, with wrapping sums and products.
pub trait Bits: Copy + BitXor<Output = Self> + BitAnd<Output = Self> + Shl<u32, Output = Self> + Shr<u32, Output = Self> {
    /// The result of comparisons.
    type Mask: Copy;
    /// The constant `x` in every lane.
    fn constant(self, x: u32) -> Self;
    /// `self + other`.
    fn plus(self, other: Self) -> Self;
    /// `self − other`.
    fn minus(self, other: Self) -> Self;
    /// `self · factor`.
    fn times(self, factor: u32) -> Self;
    /// `self · other`.
    fn product(self, other: Self) -> Self;
    /// Shifts right as a signed number.
    fn signed_down(self, bits: u32) -> Self;
    /// Rotates to the left by fewer than 32 bits.
    fn rotate(self, bits: u32) -> Self;
    /// `self < other`, unsigned.
    fn less_than(self, other: Self) -> Self::Mask;
    /// Whether they are equal.
    fn equals(self, other: Self) -> Self::Mask;
    /// Whether a bit is set.
    fn bit(self, bit: u32) -> Self::Mask;
    /// `t` where the mask holds, and `f` elsewhere.
    fn select(f: Self, t: Self, mask: Self::Mask) -> Self;
    /// The constant `then` where the mask holds, and `otherwise` elsewhere.
    #[inline(always)]
    fn choose(self, otherwise: u32, then: u32, mask: Self::Mask) -> Self {
        Self::select(self.constant(otherwise), self.constant(then), mask)
    }
    /// The word where the mask holds, and 0 elsewhere.
    #[inline(always)]
    fn masked(self, mask: Self::Mask) -> Self {
        Self::select(self.constant(0), self, mask)
    }
    /// One more where the mask holds.
    #[inline(always)]
    fn one_more(self, mask: Self::Mask) -> Self {
        Self::select(self, self.plus(self.constant(1)), mask)
    }
    /// Stores the words in an array, from a lane on.
    fn store(self, to: &mut [u32], at: usize);
    /// The number of whole periods below the word as a signed number; 0 without a period.
    fn laps(self, period: i32) -> Self;
    /// `a` and `b`.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether the mask holds in any lane.
    fn any(a: Self::Mask) -> bool;
    /// The first lane in which the mask holds; the number of lanes if there is none.
    fn first_lane(a: Self::Mask) -> usize;
    /// The word of the first lane.
    fn first(self) -> u32;
    /// A bit for every lane in which the mask holds.
    fn lanes(a: Self::Mask) -> u32;
    /// Not `a`.
    fn not(a: Self::Mask) -> Self::Mask;
    /// `a` or `b`.
    #[inline(always)]
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        Self::not(Self::both(Self::not(a), Self::not(b)))
    }
}

/// The smaller; `b` when they are equal.
#[inline(always)]
pub fn min<R: Number>(a: R, b: R) -> R {
    R::smaller(a, b)
}

/// The larger; `b` when they are equal.
#[inline(always)]
pub fn max<R: Number>(a: R, b: R) -> R {
    R::larger(a, b)
}

impl Bits for u32 {
    type Mask = bool;
    #[inline(always)]
    fn constant(self, x: u32) -> Self {
        x
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn times(self, factor: u32) -> Self {
        self.wrapping_mul(factor)
    }
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn signed_down(self, bits: u32) -> Self {
        (self as i32 >> bits) as u32
    }
    #[inline(always)]
    fn rotate(self, bits: u32) -> Self {
        self.rotate_left(bits)
    }
    #[inline(always)]
    fn less_than(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn bit(self, bit: u32) -> bool {
        (self >> bit) & 1 != 0
    }
    #[inline(always)]
    fn select(f: Self, t: Self, mask: bool) -> Self {
        if mask { t } else { f }
    }
    #[inline(always)]
    fn store(self, to: &mut [u32], at: usize) {
        to[at] = self;
    }
    #[inline(always)]
    fn laps(self, period: i32) -> Self {
        if period == 0 { 0 } else { (self as i32).wrapping_div_euclid(period) as u32 }
    }
    #[inline(always)]
    fn both(a: bool, b: bool) -> bool {
        a & b
    }
    #[inline(always)]
    fn any(a: bool) -> bool {
        a
    }
    #[inline(always)]
    fn first_lane(a: bool) -> usize {
        usize::from(!a)
    }
    #[inline(always)]
    fn first(self) -> u32 {
        self
    }
    #[inline(always)]
    fn lanes(a: bool) -> u32 {
        u32::from(a)
    }
    #[inline(always)]
    fn not(a: bool) -> bool {
        !a
    }
}

macro_rules! scalar {
    ($real:ident, $bits:ident, $rounded:expr) => {
        impl Number for $real {
            type Mask = bool;
            type Bits = u32;
            #[inline(always)]
            fn constant(self, x: f64) -> Self {
                $rounded(x)
            }
            #[inline(always)]
            fn floor(self) -> Self {
                $real::floor(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $real::abs(self)
            }
            #[inline(always)]
            fn xor_sign(self, by: u32) -> Self {
                let sign = $bits::from(by >> 31) << ($bits::BITS - 1);
                $real::from_bits(self.to_bits() ^ sign)
            }
            #[inline(always)]
            fn less_than(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn at_least(self, other: Self) -> bool {
                self >= other
            }
            #[inline(always)]
            fn select(f: Self, t: Self, mask: bool) -> Self {
                if mask { t } else { f }
            }
            #[inline(always)]
            fn of_signed(bits: u32) -> Self {
                bits as i32 as $real
            }
            #[inline(always)]
            fn to_signed(self) -> u32 {
                self.clamp(-2_147_483_648.0, 2_147_483_520.0) as i32 as u32
            }
            #[inline(always)]
            fn small_to_signed(self) -> u32 {
                self as i32 as u32
            }
        }
    };
}
scalar!(f32, u32, crate::program::narrow);
scalar!(f64, u64, std::convert::identity);

impl Single for f32 {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bits()
    }
    #[inline(always)]
    fn of_bits(bits: u32) -> Self {
        f32::from_bits(bits)
    }
}
