//! Blocks of samples as structure of arrays: what every operation reads and writes.

use super::jet::Jet;
use super::number::Number;
use super::pack::{Machine, Pack};
use super::real::Real;

/// Samples in a block: enough that an operation's loop dwarfs the cost of choosing it, few enough to stay in cache.
pub const LANES: usize = 128;
/// Lanes that are looked at together: one register of the widest instruction set.
pub const CHUNK: usize = 16;
/// Chunks in a block.
pub const CHUNKS: usize = LANES / CHUNK;

/// One number per sample.
pub type Lanes<R> = [R; LANES];

/// How many lanes a machine computes at once.
#[inline(always)]
pub fn width<R: Real, M: Machine>(_machine: M) -> usize {
    <R::Pack<M> as Pack<R, M>>::WIDTH
}

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

    /// The jets from a lane on.
    #[inline(always)]
    pub fn load<M: Machine, const G: bool>(&self, machine: M, at: usize) -> Jet<R::Pack<M>> {
        let part = |lanes: &Lanes<R>| R::Pack::load(machine, lanes, at);
        let value = part(&self.value);
        let gradient = if G { [part(&self.gradient[0]), part(&self.gradient[1]), part(&self.gradient[2])] } else { [value.like(0.0); 3] };
        Jet { value, gradient }
    }

    #[inline(always)]
    pub fn store<M: Machine, const G: bool>(&mut self, _machine: M, at: usize, jet: Jet<R::Pack<M>>) {
        jet.value.store(&mut self.value, at);
        if G {
            for axis in 0..3 {
                jet.gradient[axis].store(&mut self.gradient[axis], at);
            }
        }
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
        $crate::cpu::level::vectorised!(R, $level, _simd => {
            for $lane in 0..$crate::cpu::block::LANES {
                $out.set::<$G>($lane, $jet);
            }
        })
    };
}
pub(super) use each;

/// The same for as many lanes at once as the machine computes: for formulas that are generic over
/// [`Number`](super::number::Number).
macro_rules! packs {
    ($level:expr, $G:ident, $out:expr, $machine:ident, $at:ident => $jet:expr) => {
        $crate::cpu::level::vectorised!(R, $level, $machine => {
            $crate::cpu::block::for_packs!(R, $machine, $at => $out.store::<_, $G>($machine, $at, $jet));
        })
    };
}
pub(super) use packs;

/// Statements for every pack of a block.
macro_rules! for_packs {
    ($R:ty, $machine:ident, $at:ident => $statements:expr) => {{
        let width = $crate::cpu::block::width::<$R, _>($machine);
        for pack in 0..$crate::cpu::block::LANES / width {
            let $at = pack * width;
            $statements;
        }
    }};
}
pub(super) use for_packs;
