//! Blocks of samples as structure of arrays: what every operation reads and writes.

use crate::cpu::lib::jet::Jet;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, unrolled};
use std::ops::{Deref, DerefMut};

/// Samples in a block: enough that an operation's loop dwarfs the cost of choosing it, few enough to stay in cache.
pub const LANES: usize = 512;
/// Lanes that are looked at together: one register of the widest instruction set.
pub const CHUNK: usize = 16;
/// Chunks in a block.
pub const CHUNKS: usize = LANES / CHUNK;

/// Memory for something large, made apart: whatever function made it in its own place would have room for it on its stack, and touch that page
/// by page in every call.
#[cold]
#[inline(never)]
pub fn boxed<T>(new: impl FnOnce() -> T) -> Box<T> {
    Box::new(new())
}

/// An array that begins where a line of the cache does: none of its vectors lies in two of them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Aligned<T, const N: usize>([T; N]);

impl<T: Copy, const N: usize> Aligned<T, N> {
    /// The same number everywhere.
    #[inline(always)]
    pub const fn of(x: T) -> Self {
        Aligned([x; N])
    }

    /// What a function makes of each.
    #[inline(always)]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Aligned<U, N> {
        Aligned(self.0.map(f))
    }
}

impl<T, const N: usize> Deref for Aligned<T, N> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Aligned<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// One number per sample.
pub type Lanes<R> = Aligned<R, LANES>;

/// How many lanes a token computes at once.
#[inline(always)]
pub fn width<R: Real, T: Token>(_token: T) -> usize {
    <R::Vector<T> as SimdVector<R, T>>::WIDTH
}

/// One jet per sample.
#[derive(Clone)]
pub struct Block<R> {
    pub value: Lanes<R>,
    pub gradient: [Lanes<R>; 3],
}

impl<R: Real> Block<R> {
    pub fn new() -> Self {
        Block { value: Lanes::of(R::default()), gradient: [Lanes::of(R::default()); 3] }
    }

    /// With `G` false the gradient is 0 to the compiler, and whatever would be computed from it falls away.
    #[inline(always)]
    pub fn get<const G: bool>(&self, lane: usize) -> Jet<R> {
        let gradient = if G { [self.gradient[0][lane], self.gradient[1][lane], self.gradient[2][lane]] } else { [R::default(); 3] };
        Jet { value: self.value[lane], gradient }
    }

    /// The jets from a lane on.
    #[inline(always)]
    pub fn load<T: Token, const G: bool>(&self, token: T, at: usize) -> Jet<R::Vector<T>> {
        let part = |lanes: &Lanes<R>| R::Vector::load(token, lanes, at);
        let value = part(&self.value);
        let gradient =
            if G { [part(&self.gradient[0]), part(&self.gradient[1]), part(&self.gradient[2])] } else { [value.constant(0.0); 3] };
        Jet { value, gradient }
    }

    #[inline(always)]
    pub fn store<T: Token, const G: bool>(&mut self, _token: T, at: usize, jet: Jet<R::Vector<T>>) {
        jet.value.store(&mut self.value, at);
        if G {
            unrolled!(axis in 0..3 => {
                jet.gradient[axis].store(&mut self.gradient[axis], at);
            });
        }
    }

    /// Adds jets, times an amplitude, to those from a lane on. `N`: axes after which gradients are 0.
    #[inline(always)]
    pub fn add<T: Token, const G: bool, const N: usize>(&mut self, token: T, at: usize, amplitude: R, jet: Jet<R::Vector<T>>) {
        let amplitude = R::Vector::splat(token, amplitude);
        macro_rules! add {
            ($sum:expr, $more:expr) => {
                (R::Vector::load(token, &$sum, at) + amplitude * $more).store(&mut $sum, at)
            };
        }
        add!(self.value, jet.value);
        unrolled!(axis in 0..(if G { N } else { 0 }) => add!(self.gradient[axis], jet.gradient[axis]));
    }

    /// Adds jets, if there is an amplitude; else stores them.
    #[inline(always)]
    pub fn put<T: Token, const G: bool>(&mut self, token: T, at: usize, amplitude: Option<R>, jet: Jet<R::Vector<T>>) {
        match amplitude {
            Some(amplitude) => self.add::<_, G, 3>(token, at, amplitude, jet),
            None => self.store::<_, G>(token, at, jet),
        }
    }

    #[inline(always)]
    pub fn set<const G: bool>(&mut self, lane: usize, jet: Jet<R>) {
        self.value[lane] = jet.value;
        if G {
            unrolled!(axis in 0..3 => {
                self.gradient[axis][lane] = jet.gradient[axis];
            });
        }
    }
}

/// `out[lane] = jet` for every lane, in loops that the compiler vectorises, with all but the widest instruction set. A macro and not a
/// function with a closure: a closure too large to be inlined would be compiled once, without vector instructions.
macro_rules! each_lane {
    ($simd:expr, $G:ident, plain: $plain:expr, $out:expr, $lane:ident => $jet:expr) => {
        $crate::cpu::simd::vectorised!(R, $simd, plain: $plain, wide: false, token => {
            for $lane in 0..$crate::cpu::simd::vector::Token::every_lane(token) {
                $out.set::<$G>($lane, $jet);
            }
        })
    };
    ($simd:expr, $G:ident, $out:expr, $lane:ident => $jet:expr) => {
        $crate::cpu::simd::block::each_lane!($simd, $G, plain: $G, $out, $lane => $jet)
    };
}
pub(crate) use each_lane;

/// `out = jet` for every vector of a block, for formulas that are generic over [`Number`]. `wide: false`: not compiled for the widest
/// instruction set.
macro_rules! each_vector {
    ($simd:expr, $G:ident, wide: $wide:expr, $out:expr, $token:ident, $at:ident => $jet:expr) => {
        $crate::cpu::simd::vectorised!(R, $simd, plain: $G, wide: $wide, $token => {
            $crate::cpu::simd::block::for_vectors!(R, $token, $at => $out.store::<_, $G>($token, $at, $jet));
        })
    };
    ($simd:expr, $G:ident, $out:expr, $token:ident, $at:ident => $jet:expr) => {
        $crate::cpu::simd::block::each_vector!($simd, $G, wide: true, $out, $token, $at => $jet)
    };
}
pub(crate) use each_vector;

/// Statements for every vector of a block.
macro_rules! for_vectors {
    ($R:ty, $token:ident, $at:ident => $statements:expr) => {{
        let width = $crate::cpu::simd::block::width::<$R, _>($token);
        for vector in 0..$crate::cpu::simd::vector::Token::lanes($token) / width {
            let $at = vector * width;
            $statements;
        }
    }};
}
pub(crate) use for_vectors;
