//! Octaves of a scope, summed up.

use crate::cpu::eval::evaluate::{Call, Evaluator, Registers};
use crate::cpu::lib::fractal;
use crate::cpu::lib::fractal::accumulate;
use crate::cpu::simd::block::{Block, for_vectors};
use crate::cpu::simd::vector::SimdVector;
use crate::cpu::simd::{Real, vectorised};
use crate::node::Accumulate;
use crate::program::{Op, ScopeId};

/// What octaves are summed up by.
#[derive(Clone, Copy)]
pub struct Octaves<'a, R> {
    pub kind: Accumulate,
    pub amplitudes: &'a [R],
    pub numbers: fractal::Numbers<R>,
}

impl<R: Real> Evaluator<'_, R> {
    /// The sum of a scope's octaves, one after the other.
    pub(crate) fn fractal<const G: bool>(
        &self,
        body: ScopeId,
        sum: Octaves<'_, R>,
        call: Call<'_, R>,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        let count = sum.amplitudes.len();
        // Known when this is compiled: where nothing goes abreast, no code is made for it.
        if const { size_of::<R>() == 4 } && call.simd.is_few::<R>() && self.goes_abreast(body, count) {
            return match call.gradient {
                true => self.octaves_abreast::<true>(body, sum, call, registers, out),
                false => self.octaves_abreast::<false>(body, sum, call, registers, out),
            };
        }
        // Only sums that read weights take the time to store some.
        let mut weight = fractal::weighted(sum.kind, sum.numbers.weight).then(|| registers.block());
        vectorised!(R, call.simd, plain: G, wide: true, token => {
            let none = fractal::Accumulator::none(R::Vector::splat(token, R::default()));
            for_vectors!(R, token, at => out.store::<_, G>(token, at, none.total));
            if let Some(weight) = &mut weight {
                for_vectors!(R, token, at => weight.store::<_, G>(token, at, none.weight));
            }
        });
        for (k, &amplitude) in sum.amplitudes.iter().enumerate() {
            let call = Call { instance: call.instance * count as u32 + k as u32, ..call };
            if sum.kind == Accumulate::Sum && self.adds::<G>(body, call, amplitude, registers, out) {
                continue;
            }
            self.scope::<G>(body, call, registers);
            let octave = self.result(body, registers);
            vectorised!(R, call.simd, plain: G, wide: true, token => {
                let (amplitude, numbers) = (R::Vector::splat(token, amplitude), sum.numbers.splat(token));
                let none = fractal::Accumulator::none(R::Vector::splat(token, R::default()));
                macro_rules! add {
                    ($kind:expr) => {
                        match &mut weight {
                            None => for_vectors!(R, token, at => {
                                let so_far = fractal::Accumulator { total: out.load::<_, G>(token, at), ..none };
                                let more = accumulate($kind, so_far, octave.load::<_, G>(token, at), amplitude, numbers);
                                out.store::<_, G>(token, at, more.total);
                            }),
                            Some(weight) => for_vectors!(R, token, at => {
                                let so_far =
                                    fractal::Accumulator { total: out.load::<_, G>(token, at), weight: weight.load::<_, G>(token, at) };
                                let more = accumulate($kind, so_far, octave.load::<_, G>(token, at), amplitude, numbers);
                                out.store::<_, G>(token, at, more.total);
                                weight.store::<_, G>(token, at, more.weight);
                            }),
                        }
                    };
                }
                // The usual kinds compiled on their own; the others are chosen inside the loop.
                match sum.kind {
                    Accumulate::Sum => add!(Accumulate::Sum),
                    Accumulate::Billow => add!(Accumulate::Billow),
                    Accumulate::Ridged => add!(Accumulate::Ridged),
                    kind => add!(kind),
                }
            });
        }
        registers.blocks.extend(weight);
    }

    /// Adds an octave to a sum while it is computed, which spares storing and loading it; false if there is no code for that.
    fn adds<const G: bool>(
        &self,
        body: ScopeId,
        call: Call<'_, R>,
        amplitude: R,
        registers: &mut Registers<R>,
        sum: &mut Block<R>,
    ) -> bool {
        let [Op::Lattice(basis, span)] = self.structure.scopes[body.0 as usize].ops[..] else { return false };
        self.lattice_of::<G>(basis, span, call, registers, Some(amplitude), sum)
    }
}
