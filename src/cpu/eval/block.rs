//! Blocks of samples as structures of arrays, which every operation reads and writes.

use crate::cpu::lib::jet::Jet;
use crate::cpu::simd::lanes::Lanes;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, unrolled};

/// A jet (value and gradient) for each sample.
#[derive(Clone)]
pub struct JetBlock<R> {
    pub value: Lanes<R>,
    pub gradient: [Lanes<R>; 3],
}

impl<R: Real> JetBlock<R> {
    pub fn new() -> Self {
        JetBlock { value: Lanes::of(R::default()), gradient: [Lanes::of(R::default()); 3] }
    }

    /// With `GRADIENT` false the gradient is the constant 0, and the compiler removes all computations with it.
    #[inline(always)]
    pub fn get<const GRADIENT: bool>(&self, lane: usize) -> Jet<R> {
        let gradient = if GRADIENT { [self.gradient[0][lane], self.gradient[1][lane], self.gradient[2][lane]] } else { [R::default(); 3] };
        Jet { value: self.value[lane], gradient }
    }

    /// The jets from a lane on.
    #[inline(always)]
    pub fn load<T: Token, const GRADIENT: bool>(&self, token: T, at: usize) -> Jet<R::Vector<T>> {
        let part = |lanes: &Lanes<R>| R::Vector::load(token, lanes, at);
        let value = part(&self.value);
        let gradient =
            if GRADIENT { [part(&self.gradient[0]), part(&self.gradient[1]), part(&self.gradient[2])] } else { [value.constant(0.0); 3] };
        Jet { value, gradient }
    }

    #[inline(always)]
    pub fn store<T: Token, const GRADIENT: bool>(&mut self, _token: T, at: usize, jet: Jet<R::Vector<T>>) {
        jet.value.store(&mut self.value, at);
        if GRADIENT {
            unrolled!(axis in 0..3 => {
                jet.gradient[axis].store(&mut self.gradient[axis], at);
            });
        }
    }

    /// Adds jets, times an amplitude, to those from a lane on. Gradients are 0 along axes from `DIMENSIONS` on.
    #[inline(always)]
    pub fn add<T: Token, const GRADIENT: bool, const DIMENSIONS: usize>(
        &mut self,
        token: T,
        at: usize,
        amplitude: R,
        jet: Jet<R::Vector<T>>,
    ) {
        let amplitude = R::Vector::splat(token, amplitude);
        macro_rules! add {
            ($sum:expr, $more:expr) => {
                (R::Vector::load(token, &$sum, at) + amplitude * $more).store(&mut $sum, at)
            };
        }
        add!(self.value, jet.value);
        unrolled!(axis in 0..(if GRADIENT { DIMENSIONS } else { 0 }) => add!(self.gradient[axis], jet.gradient[axis]));
    }

    /// Adds jets, if there is an amplitude; else stores them.
    #[inline(always)]
    pub fn add_or_store<T: Token, const GRADIENT: bool>(&mut self, token: T, at: usize, amplitude: Option<R>, jet: Jet<R::Vector<T>>) {
        match amplitude {
            Some(amplitude) => self.add::<_, GRADIENT, 3>(token, at, amplitude, jet),
            None => self.store::<_, GRADIENT>(token, at, jet),
        }
    }

    #[inline(always)]
    pub fn set<const GRADIENT: bool>(&mut self, lane: usize, jet: Jet<R>) {
        self.value[lane] = jet.value;
        if GRADIENT {
            unrolled!(axis in 0..3 => {
                self.gradient[axis][lane] = jet.gradient[axis];
            });
        }
    }
}

/// `out[lane] = jet` for every lane, in loops that the compiler vectorises, for all instruction sets but the widest. It is a macro
/// because a closure that is too large to be inlined would be compiled once, without vector instructions.
macro_rules! each_lane {
    ($simd:expr, $GRADIENT:ident, plain: $plain:expr, $out:expr, $lane:ident => $jet:expr) => {
        $crate::cpu::simd::vectorised!(R, $simd, plain: $plain, wide: false, token => {
            for $lane in 0..$crate::cpu::simd::vector::Token::every_lane(token) {
                $out.set::<$GRADIENT>($lane, $jet);
            }
        })
    };
    ($simd:expr, $GRADIENT:ident, $out:expr, $lane:ident => $jet:expr) => {
        $crate::cpu::eval::block::each_lane!($simd, $GRADIENT, plain: $GRADIENT, $out, $lane => $jet)
    };
}
pub(crate) use each_lane;

/// `out = jet` for every vector of a block, for formulas that are generic over [`Number`]. `wide: false` excludes the widest
/// instruction set.
macro_rules! each_vector {
    ($simd:expr, $GRADIENT:ident, wide: $wide:expr, $out:expr, $token:ident, $at:ident => $jet:expr) => {
        $crate::cpu::simd::vectorised!(R, $simd, plain: $GRADIENT, wide: $wide, $token => {
            $crate::cpu::simd::for_vectors!(R, $token, $at => $out.store::<_, $GRADIENT>($token, $at, $jet));
        })
    };
    ($simd:expr, $GRADIENT:ident, $out:expr, $token:ident, $at:ident => $jet:expr) => {
        $crate::cpu::eval::block::each_vector!($simd, $GRADIENT, wide: $crate::cpu::simd::WIDE, $out, $token, $at => $jet)
    };
}
pub(crate) use each_vector;
