//! Blocks of samples as structure of arrays: what every operation reads and writes.

use super::jet::Jet;
use super::real::Real;

/// Samples in a block: enough that an operation's loop dwarfs the cost of choosing it, few enough to stay in cache.
pub const LANES: usize = 64;

/// One number per sample.
pub type Lanes<R> = [R; LANES];

/// One jet per sample.
#[derive(Clone)]
pub struct Block<R> {
    pub value: Lanes<R>,
    pub gradient: [Lanes<R>; 3],
}

impl<R: Real> Block<R> {
    pub fn new() -> Self {
        Block { value: [R::default(); LANES], gradient: [[R::default(); LANES]; 3] }
    }

    /// With `G` false the gradient is 0 to the compiler, and whatever would be computed from it falls away.
    #[inline(always)]
    pub fn get<const G: bool>(&self, lane: usize) -> Jet<R> {
        let gradient = if G { [self.gradient[0][lane], self.gradient[1][lane], self.gradient[2][lane]] } else { [R::default(); 3] };
        Jet { value: self.value[lane], gradient }
    }

    #[inline(always)]
    pub fn set<const G: bool>(&mut self, lane: usize, jet: Jet<R>) {
        self.value[lane] = jet.value;
        if G {
            for axis in 0..3 {
                self.gradient[axis][lane] = jet.gradient[axis];
            }
        }
    }
}

/// `out[lane] = jet` for every lane, compiled for each instruction set. A macro and not a function with a closure: a
/// closure too large to be inlined would be compiled once, without vector instructions.
macro_rules! each {
    ($level:expr, $G:ident, $out:expr, $lane:ident => $jet:expr) => {
        fearless_simd::dispatch!($level, _simd => {
            for $lane in 0..LANES {
                $out.set::<$G>($lane, $jet);
            }
        })
    };
}
pub(super) use each;
