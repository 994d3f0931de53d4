//! The value at a single position, one number at a time and without a block, for programs of simplex noise, octaves and sums. A block
//! would cost several times as much as the noise itself.

use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::eval::positions::Lines;
use crate::cpu::lib::fractal::{Accumulator, FractalNumbers, accumulate};
use crate::cpu::lib::jet::{accumulate_sum, add, constant, multiply, scale_offset};
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

/// A position, and the program's numbers and frames.
#[derive(Clone, Copy)]
struct At<'a, R> {
    numbers: &'a ProgramNumbers<R>,
    lines: &'a Lines,
    frames: &'a [Frame],
    position: &'a [f64; 3],
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
    #[inline]
    pub fn value(&self, numbers: &ProgramNumbers<R>, lines: &Lines, frames: &[Frame], position: &[f64; 3]) -> R {
        let at = At { numbers, lines, frames, position };
        let value = match self.steps[..] {
            // Without a loop, which would cost half as much again.
            [Step::Simplex(of)] => at.simplex(of, 0),
            [Step::Octaves { of, kind: Accumulate::Sum, series, .. }] => at.sum(of, series),
            _ => self.steps(at),
        };
        unsigned_zero(value)
    }

    #[inline(never)]
    fn steps(&self, at: At<'_, R>) -> R {
        let mut done = [R::default(); MOST];
        for (index, step) in self.steps.iter().enumerate() {
            let value = |x: usize| constant(done[x]);
            done[index] = match *step {
                Step::Simplex(of) => at.simplex(of, 0),
                Step::Octaves { of, kind: Accumulate::Sum, series, .. } => at.sum(of, series),
                Step::Octaves { of, kind, series, parameters } => at.octaves(of, kind, series, parameters),
                Step::ScaleOffset { x, scale, offset } => scale_offset(value(x), scale, offset).value,
                Step::Add(a, b) => add(value(a), value(b)).value,
                Step::Multiply(a, b) => multiply(value(a), value(b)).value,
            };
        }
        done[self.result]
    }
}

impl<R: Real> At<'_, R> {
    /// An octave of simplex noise.
    #[inline(always)]
    fn simplex(self, of: Simplex, octave: usize) -> R {
        let frame = of.first + octave * of.per_octave;
        if of.solid { self.solid(frame) } else { self.plane(frame) }
    }

    /// Simplex noise in 2D.
    #[inline(never)]
    fn plane(self, frame: usize) -> R {
        let At { numbers, lines, frames, position } = self;
        let ((i, x), (j, y)) = (lines.one(frame, frames, 0, position), lines.one(frame, frames, 1, position));
        let key = numbers.lattices[frame].hash_key::<false>();
        simplex_2::<R, false, false>([i, j, 0], [x, y, R::default()], key).value
    }

    /// Simplex noise in 3D.
    #[inline(never)]
    fn solid(self, frame: usize) -> R {
        let At { numbers, lines, frames, position } = self;
        let ((i, x), (j, y)) = (lines.one(frame, frames, 0, position), lines.one(frame, frames, 1, position));
        let (k, z) = lines.one(frame, frames, 2, position);
        let key = numbers.lattices[frame].hash_key::<false>();
        simplex_3::<R, false, false>([i, j, k], [x, y, z], key).value
    }

    /// The plain sum of octaves.
    #[inline(always)]
    fn sum(self, of: Simplex, series: Span) -> R {
        let octaves = self.numbers.series(series).iter().enumerate();
        octaves.fold(R::default(), |sum, (k, &amplitude)| accumulate_sum(constant(sum), constant(self.simplex(of, k)), amplitude).value)
    }

    /// A sum of octaves of any kind.
    #[inline(never)]
    fn octaves(self, of: Simplex, kind: Accumulate, series: Span, parameters: FractalNumbers<R>) -> R {
        let octaves = self.numbers.series(series).iter().enumerate();
        let all = octaves.fold(Accumulator::start(R::default()), |so_far, (k, &amplitude)| {
            let Accumulator { total, weight } = accumulate(kind, so_far, constant(self.simplex(of, k)), amplitude, parameters);
            Accumulator { total: constant(total.value), weight: constant(weight.value) }
        });
        all.total.value
    }
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
