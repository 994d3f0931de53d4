//! Stamps over a block: another scope at positions in discs, one disc after the other.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::call::ScopeCall;
use crate::cpu::eval::constants::LatticeConstants;
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::eval::evaluate::Evaluator;
use crate::cpu::eval::memory::Registers;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::lib::stamps::{Numbers, Stamps, combine, disc};
use crate::cpu::simd::lanes::Lanes;
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Dispatch, Real, for_vectors, vectorised};
use crate::program::{Scalar, ScopeId, Span, StampCombine};

/// The numbers in every lane.
macro_rules! splat {
    ($token:ident, $numbers:ident) => {{
        let [step, frequent, smaller, turns, unit, per_radius, lift, per_fade] = $numbers.map(
            #[inline(always)]
            |x| R::Vector::splat($token, x),
        );
        Numbers { step, frequent, smaller, turns, unit, per_radius, lift, per_fade }
    }};
}

/// The stamps of an operation.
#[derive(Clone, Copy)]
pub struct StampsOp {
    pub body: ScopeId,
    pub combine: StampCombine,
    pub frames: Span,
    pub numbers: Scalar,
}

/// Lanes of a block on the lattice of stamps.
#[derive(Clone, Copy)]
struct Placing<'a, R> {
    simd: Dispatch,
    constants: &'a LatticeConstants<R>,
    coordinates: &'a LatticeCoordinates<R>,
    numbers: [R; 8],
    kind: StampCombine,
}

impl<R: Real> Evaluator<'_, R> {
    // Not inlined, since its stack frame would be part of every operation's.
    #[inline(never)]
    pub fn stamps<const GRADIENT: bool>(&self, op: StampsOp, call: ScopeCall<'_, R>, registers: &mut Registers<R>, out: &mut JetBlock<R>) {
        match self.structure.periodic {
            true => self.stamped::<GRADIENT, true>(op, call, registers, out),
            false => self.stamped::<GRADIENT, false>(op, call, registers, out),
        }
    }

    fn stamped<const GRADIENT: bool, const PERIODIC: bool>(
        &self,
        StampsOp { body, combine, frames, numbers: Scalar(first) }: StampsOp,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let frame = (self.numbers.span(frames).0 + call.instance) as usize;
        let coordinates = registers.coordinates(call, frame, 2, self.numbers);
        let numbers = std::array::from_fn(|k| self.numbers.scalars[first as usize + k]);
        let placing =
            Placing { simd: call.simd, constants: &self.numbers.lattices[frame], coordinates: &coordinates, numbers, kind: combine };
        let discs =
            (1..=4).filter(|&lattices| R::of(9.0 * f64::from(lattices)) <= self.numbers.scalars[first as usize + 8]).count() as u32 * 9;
        let mut at = registers.displacement();
        let (mut heights, mut top) = (registers.block(), registers.block());
        placing.begin([&mut heights, &mut top]);
        for number in 0..discs {
            if !placing.positions::<PERIODIC>(number, &mut at) {
                continue;
            }
            self.scope::<GRADIENT>(body, ScopeCall { displacement: Some(&at), ..call }, registers);
            let inner = registers.result(self.structure, body);
            placing.add::<GRADIENT, PERIODIC>(number, inner, [&mut heights, &mut top]);
        }
        placing.end::<GRADIENT>(&heights, out);
        registers.keep_blocks([heights, top]);
        registers.keep_displacement(at);
        registers.keep_coordinates(coordinates);
    }
}

impl<R: Real> Placing<'_, R> {
    fn begin(self, blocks: [&mut JetBlock<R>; 2]) {
        let [heights, top] = blocks;
        vectorised!(R, self.simd, token => {
            let zero = constant(R::Vector::splat(token, R::default()));
            for_vectors!(R, token, at => {
                heights.store::<_, true>(token, at, zero);
                top.store::<_, true>(token, at, zero);
            });
        });
    }

    /// The positions in a disc, the stamp's origin for lanes that it does not cover. Returns whether it covers any.
    fn positions<const PERIODIC: bool>(self, number: u32, to: &mut [Lanes<R>; 3]) -> bool {
        let Placing { simd, constants, coordinates, numbers, .. } = self;
        let mut any = false;
        vectorised!(R, simd, plain: true, wide: false, token => {
            let (key, numbers) = (constants.key::<_, PERIODIC>(token), splat!(token, numbers));
            for_vectors!(R, token, at => {
                let (cell, fraction) = coordinates.vectors::<_, 2>(token, at);
                let stamp = disc::<_, PERIODIC>(cell, fraction, key, number, &numbers);
                let zero = R::Vector::splat(token, R::default());
                any |= <R::Vector<_> as Number>::Bits::any(stamp.covers);
                for axis in 0..2 {
                    <R::Vector<_> as Number>::select(zero, stamp.at[axis], stamp.covers).store(&mut to[axis], at);
                }
                zero.store(&mut to[2], at);
            });
        });
        any
    }

    /// Adds the stamp in a disc.
    fn add<const GRADIENT: bool, const PERIODIC: bool>(self, number: u32, inner: &JetBlock<R>, blocks: [&mut JetBlock<R>; 2]) {
        let Placing { simd, constants, coordinates, numbers, kind } = self;
        let [heights, top] = blocks;
        vectorised!(R, simd, plain: true, wide: false, token => {
            let (key, numbers) = (constants.key::<_, PERIODIC>(token), splat!(token, numbers));
            for_vectors!(R, token, at => {
                let (cell, fraction) = coordinates.vectors::<_, 2>(token, at);
                let stamp = disc::<_, PERIODIC>(cell, fraction, key, number, &numbers);
                let before = Stamps { heights: heights.load::<_, GRADIENT>(token, at), top: top.load::<_, GRADIENT>(token, at) };
                let after = combine(kind, before, &stamp, inner.load::<_, GRADIENT>(token, at));
                heights.store::<_, GRADIENT>(token, at, after.heights);
                top.store::<_, GRADIENT>(token, at, after.top);
            });
        });
    }

    fn end<const GRADIENT: bool>(self, heights: &JetBlock<R>, out: &mut JetBlock<R>) {
        let Placing { simd, constants, .. } = self;
        vectorised!(R, simd, token => {
            let columns = constants.splat(token);
            for_vectors!(R, token, at => {
                let all: Jet<_> = heights.load::<_, GRADIENT>(token, at);
                out.store::<_, GRADIENT>(token, at, world::<_, GRADIENT>(&columns, all));
            });
        });
    }
}
