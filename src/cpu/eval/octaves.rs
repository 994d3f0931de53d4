//! Sums of a scope's octaves: in turn, or abreast in the lanes of a block.

use crate::cpu::eval::basis;
use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::call::{Abreast, ScopeCall};
use crate::cpu::eval::memory::Registers;
use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::eval::route::LatticeCall;
use crate::cpu::lib::fractal::{Accumulator, FractalNumbers, accumulate, weighted};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, for_vectors, vectorised};
use crate::program::{Accumulate, Op, ScopeId, Structure};

/// The octaves of a scope.
#[derive(Clone, Copy)]
pub struct Octaves<'a, R> {
    pub structure: &'a Structure,
    pub numbers: &'a ProgramNumbers<R>,
    pub body: ScopeId,
    /// The formula of the sum.
    pub kind: Accumulate,
    pub amplitudes: &'a [R],
    pub parameters: FractalNumbers<R>,
}

impl<R: Real> Octaves<'_, R> {
    /// Sums octaves in turn; `scope` runs a body that is more than one lattice noise.
    pub fn in_turn<const GRADIENT: bool>(
        self,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
        scope: impl Fn(ScopeCall<'_, R>, &mut Registers<R>),
    ) {
        // Weights are stored only for sums that read them.
        let mut weight = weighted(self.kind, self.parameters.weight).then(|| registers.block());
        vectorised!(R, call.simd, plain: GRADIENT, wide: true, token => {
            let start = Accumulator::start(R::Vector::splat(token, R::default()));
            for_vectors!(R, token, at => out.store::<_, GRADIENT>(token, at, start.total));
            if let Some(weight) = &mut weight {
                for_vectors!(R, token, at => weight.store::<_, GRADIENT>(token, at, start.weight));
            }
        });
        // The lattice noise, if the body is a single one.
        let lone = match self.structure.scopes[self.body.0 as usize].ops[..] {
            [Op::Lattice(basis, frames)] => Some((basis, frames)),
            _ => None,
        };
        let count = self.amplitudes.len() as u32;
        for (k, &amplitude) in self.amplitudes.iter().enumerate() {
            let call = ScopeCall { instance: call.instance * count + k as u32, ..call };
            if let Some((basis, frames)) = lone {
                let lattice = LatticeCall::new(self.structure, self.numbers, basis, frames, &call, GRADIENT);
                let route = lattice.route();
                if self.kind == Accumulate::Sum && lattice.adds(route) {
                    // Adding during the computation saves storing and loading the noise.
                    basis::run::<R, GRADIENT>(&lattice, route, registers, Some(amplitude), out);
                    continue;
                }
                let mut own = std::mem::take(&mut registers.scopes[self.body.0 as usize]);
                basis::run::<R, GRADIENT>(&lattice, route, registers, None, &mut own[0]);
                registers.scopes[self.body.0 as usize] = own;
            } else {
                scope(call, registers);
            }
            let octave = registers.result(self.structure, self.body);
            vectorised!(R, call.simd, plain: GRADIENT, wide: true, token => {
                let (amplitude, parameters) = (R::Vector::splat(token, amplitude), self.parameters.splat(token));
                let start = Accumulator::start(R::Vector::splat(token, R::default()));
                macro_rules! add {
                    ($kind:expr) => {
                        match &mut weight {
                            None => for_vectors!(R, token, at => {
                                let so_far = Accumulator { total: out.load::<_, GRADIENT>(token, at), ..start };
                                let more = accumulate($kind, so_far, octave.load::<_, GRADIENT>(token, at), amplitude, parameters);
                                out.store::<_, GRADIENT>(token, at, more.total);
                            }),
                            Some(weight) => for_vectors!(R, token, at => {
                                let so_far = Accumulator {
                                    total: out.load::<_, GRADIENT>(token, at),
                                    weight: weight.load::<_, GRADIENT>(token, at),
                                };
                                let more = accumulate($kind, so_far, octave.load::<_, GRADIENT>(token, at), amplitude, parameters);
                                out.store::<_, GRADIENT>(token, at, more.total);
                                weight.store::<_, GRADIENT>(token, at, more.weight);
                            }),
                        }
                    };
                }
                // The usual kinds are compiled separately; the others are chosen inside the loop.
                match self.kind {
                    Accumulate::Sum => add!(Accumulate::Sum),
                    Accumulate::Billow => add!(Accumulate::Billow),
                    Accumulate::Ridged => add!(Accumulate::Ridged),
                    kind => add!(kind),
                }
            });
        }
        registers.keep_blocks(weight);
    }

    /// Sums octaves for each of a few points. The body is computed once per point for all octaves at once, each in its own frame.
    /// The sum then adds them in the usual order.
    pub fn abreast<const GRADIENT: bool>(
        self,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
        scope: impl Fn(ScopeCall<'_, R>, &mut Registers<R>),
    ) {
        let count = self.amplitudes.len();
        let abreast = ScopeCall { simd: call.simd.abreast::<R>(count), instance: call.instance * count as u32, ..call };
        for sample in 0..call.simd.lanes {
            scope(ScopeCall { abreast: Some(Abreast { sample, count }), ..abreast }, registers);
            let octaves = registers.result(self.structure, self.body);
            let octaves = self.amplitudes.iter().enumerate().map(|(k, &amplitude)| (octaves.get::<GRADIENT>(k), amplitude));
            let all = octaves.fold(Accumulator::start(R::default()), |so_far, (octave, amplitude)| {
                accumulate(self.kind, so_far, octave, amplitude, self.parameters)
            });
            out.set::<true>(sample, all.total);
        }
    }
}
