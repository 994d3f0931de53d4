//! Octaves of a scope, summed up.

use super::block::{Block, for_packs};
use super::evaluate::{Evaluator, Place, Registers};
use super::fractal::{self, accumulate};
use super::level::vectorised;
use super::pack::Pack;
use super::real::Real;
use crate::graph::Accumulate;
use crate::program::ScopeId;

/// What octaves are summed up by.
#[derive(Clone, Copy)]
pub struct Sum<'a, R> {
    pub kind: Accumulate,
    pub amplitudes: &'a [R],
    pub numbers: fractal::Numbers<R>,
}

impl<R: Real> Evaluator<'_, R> {
    /// The sum of a scope's octaves, one after the other; as many of the first as are rows of a lattice, chunk by chunk.
    pub(super) fn fractal<const G: bool>(
        &self,
        body: ScopeId,
        sum: Sum<'_, R>,
        here: Place<'_, R>,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        let count = sum.amplitudes.len();
        let mut weight = None;
        let done = self.octave_rows::<G>((body, count), sum, here, registers, (out, &mut weight));
        if done == 0 {
            vectorised!(R, self.level, machine => {
                let none = fractal::Sum::none(R::Pack::splat(machine, R::default()));
                for_packs!(R, machine, at => out.store::<_, G>(machine, at, none.total));
            });
        }
        for k in done..count {
            let weight = weight.get_or_insert_with(|| {
                let mut one = Block::new();
                one.value.fill(R::of(1.0));
                one
            });
            self.scope::<G>(body, Place { row: here.row * count as u32 + k as u32, ..here }, registers);
            let (octave, amplitude) = (self.result(body, registers), sum.amplitudes[k]);
            vectorised!(R, self.level, machine => {
                let (amplitude, numbers) = (R::Pack::splat(machine, amplitude), sum.numbers.packs(machine));
                for_packs!(R, machine, at => {
                    let so_far = fractal::Sum { total: out.load::<_, G>(machine, at), weight: weight.load::<_, G>(machine, at) };
                    let more = accumulate(sum.kind, so_far, octave.load::<_, G>(machine, at), amplitude, numbers);
                    out.store::<_, G>(machine, at, more.total);
                    if fractal::weighted(sum.kind) {
                        weight.store::<_, G>(machine, at, more.weight);
                    }
                });
            });
        }
    }
}
