//! The value at a single position, one number at a time and without a block, for programs of simplex noise, octaves and sums. A block
//! would cost several times as much as the noise itself.

use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::eval::positions::Lines;
use crate::cpu::lib::fractal::{Accumulator, FractalNumbers, accumulate};
use crate::cpu::lib::jet::{Jet, add, constant, multiply, scale_offset};
use crate::cpu::lib::simplex::{simplex_2, simplex_3};
use crate::cpu::simd::Real;
use crate::cpu::simd::real::unsigned_zero;
use crate::frame::Frame;
use crate::program::{Accumulate, Basis, Op, Program, Reg, Scope, ScopeId, Span, Structure};

/// Most operations of such a program.
const MOST: usize = 8;

/// A simplex noise: its dimensions, the frame of the first octave, and the frames per octave.
#[derive(Clone, Copy, Debug)]
struct Simplex {
    solid: bool,
    first: usize,
    per_octave: usize,
}

/// An operation.
#[derive(Clone, Copy)]
enum Step<R> {
    Simplex(Simplex),
    Octaves { of: Simplex, kind: Accumulate, series: Span, parameters: FractalNumbers<R> },
    ScaleOffset { x: usize, scale: R, offset: R },
    Add(usize, usize),
    Multiply(usize, usize),
}

/// A program whose value at a single position has code of its own.
pub struct SingleProgram<R> {
    steps: Vec<Step<R>>,
    result: usize,
}

impl<R: Real> SingleProgram<R> {
    /// `None` for programs with other operations, with periods, with several outputs, or of displacements; and for the oracle.
    pub fn new(program: &Program, numbers: &ProgramNumbers<R>) -> Option<Self> {
        let Program { structure, outputs, .. } = program;
        let root = structure.scopes.last()?;
        let [Reg(result)] = outputs[..] else { return None };
        let is_usual = size_of::<R>() == 4 && !structure.periodic && !root.displaced && !root.quantised && root.ops.len() <= MOST;
        let steps = || root.ops.iter().map(|op| step(structure, numbers, op)).collect::<Option<Vec<_>>>();
        let steps = is_usual.then(steps).flatten()?;
        Some(SingleProgram { steps, result: result as usize })
    }

    /// The value at a position.
    pub fn value(&self, numbers: &ProgramNumbers<R>, lines: &Lines, frames: &[Frame], position: [f64; 3]) -> R {
        let noise = |of: Simplex, octave: usize| {
            let at = of.first + octave * of.per_octave;
            let (cell, fraction) = lines.one::<R>(at, frames, if of.solid { 3 } else { 2 }, position);
            let key = numbers.lattices[at].hash_key::<false>();
            if of.solid { simplex_3::<R, false, false>(cell, fraction, key) } else { simplex_2::<R, false, false>(cell, fraction, key) }
        };
        let mut done = [constant(R::default()); MOST];
        for (index, step) in self.steps.iter().enumerate() {
            done[index] = match *step {
                Step::Simplex(of) => noise(of, 0),
                Step::Octaves { of, kind, series, parameters } => {
                    let octaves = numbers.series(series).iter().enumerate();
                    let all = octaves.fold(Accumulator::start(R::default()), |so_far, (k, &amplitude)| {
                        values(accumulate(kind, so_far, noise(of, k), amplitude, parameters))
                    });
                    all.total
                }
                Step::ScaleOffset { x, scale, offset } => scale_offset(done[x], scale, offset),
                Step::Add(a, b) => add(done[a], done[b]),
                Step::Multiply(a, b) => multiply(done[a], done[b]),
            };
        }
        unsigned_zero(done[self.result].value)
    }
}

/// Without gradients, which nothing reads.
fn values<R: Real>(Accumulator { total, weight }: Accumulator<R>) -> Accumulator<R> {
    let value = |jet: Jet<R>| constant(jet.value);
    Accumulator { total: value(total), weight: value(weight) }
}

fn step<R: Real>(structure: &Structure, numbers: &ProgramNumbers<R>, op: &Op) -> Option<Step<R>> {
    let simplex = |op: &Op| {
        let Op::Lattice(basis @ (Basis::Simplex2 | Basis::Simplex3), frames) = *op else { return None };
        let (first, per_octave) = numbers.span(frames);
        Some(Simplex { solid: basis == Basis::Simplex3, first: first as usize, per_octave: per_octave as usize })
    };
    let at = |Reg(r): Reg| r as usize;
    match *op {
        Op::Lattice(..) => simplex(op).map(Step::Simplex),
        Op::Fractal { body: ScopeId(body), octaves, accumulate, numbers: four } => {
            let Scope { ops, displaced: false, quantised: false, .. } = &structure.scopes[body as usize] else { return None };
            let [op] = &ops[..] else { return None };
            let [level, sharpness, weight, folds] = numbers.four(four);
            let parameters = FractalNumbers { level, sharpness, weight, folds };
            Some(Step::Octaves { of: simplex(op)?, kind: accumulate, series: octaves, parameters })
        }
        Op::ScaleOffset { x, scale, offset } => {
            Some(Step::ScaleOffset { x: at(x), scale: numbers.scalar(scale), offset: numbers.scalar(offset) })
        }
        Op::Add(a, b) => Some(Step::Add(at(a), at(b))),
        Op::Multiply(a, b) => Some(Step::Multiply(at(a), at(b))),
        _ => None,
    }
}
