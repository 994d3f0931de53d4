//! Octaves abreast: the octaves of one sample in the lanes of a block.
//!
//! Blocks take octave after octave, each for all samples. One point, or a few, would leave most lanes of that empty; so there a fractal's
//! body is computed once a point, for all octaves at once, each in a frame of its own. Their sum goes through them in order, as ever.

use crate::cpu::eval::coordinates::Linear;
use crate::cpu::eval::evaluate::{Call, Evaluator, Registers};
use crate::cpu::eval::octaves::Octaves;
use crate::cpu::lib::fractal::{Accumulator, accumulate};
use crate::cpu::lib::frame::Columns;
use crate::cpu::lib::jet::axes;
use crate::cpu::lib::point::HashKey;
use crate::cpu::simd::Real;
use crate::cpu::simd::block::{Block, CHUNK};
use crate::cpu::simd::vector::{BitsOf, SimdVector, Token};
use crate::program::{Basis, Op, ScopeId};

/// Lanes that are instances of one sample.
#[derive(Clone, Copy)]
pub(crate) struct Abreast {
    /// Which of the site's it is.
    pub sample: usize,
    /// How many instances there are.
    pub count: usize,
}

/// The frames of a block's lanes.
#[derive(Clone, Copy)]
pub(crate) enum Linears<'a, R> {
    /// One for all.
    Same(&'a Linear<R>),
    /// One each, from this one on.
    Each(&'a Neighbours<R>, usize),
}

/// The numbers of all frames, those of neighbours next to each other; a chunk of zeros follows the last.
pub(crate) struct Neighbours<R> {
    columns: [[Vec<R>; 3]; 3],
    seeds: Vec<u32>,
}

impl<R: Real> Neighbours<R> {
    pub fn of(frames: &[Linear<R>]) -> Self {
        fn followed<X: Clone + Default>(all: impl Iterator<Item = X>) -> Vec<X> {
            all.chain(std::iter::repeat_n(X::default(), CHUNK)).collect()
        }
        Neighbours {
            columns: [0, 1, 2].map(|axis| [0, 1, 2].map(|d| followed(frames.iter().map(|frame| frame.columns[axis][d])))),
            seeds: followed(frames.iter().map(|frame| frame.seed)),
        }
    }
}

impl<R: Real> Linears<'_, R> {
    /// The columns of every lane.
    #[inline(always)]
    pub fn columns<T: Token>(self, token: T) -> Columns<R::Vector<T>> {
        match self {
            Linears::Same(linear) => linear.splat(token),
            Linears::Each(all, first) => axes(|axis| axes(|d| R::Vector::load(token, &all.columns[axis][d], first))),
        }
    }

    /// What the points of every lane's lattice are hashed with. Frames abreast have no periods.
    #[inline(always)]
    pub fn key<T: Token, const W: bool>(self, token: T) -> HashKey<BitsOf<R, T>, W> {
        match self {
            Linears::Same(linear) => linear.key(token),
            Linears::Each(all, first) => HashKey { seed: R::Vector::<T>::load_bits(token, &all.seeds, first), period: [0; 3] },
        }
    }

    /// Whether every lattice axis is known to depend on one axis of the world alone, its own.
    #[inline(always)]
    pub fn diagonal(self) -> bool {
        matches!(self, Linears::Same(linear) if linear.diagonal)
    }
}

impl<R: Real> Evaluator<'_, R> {
    /// The frames of a call's lanes.
    pub(crate) fn linears(&self, call: Call<'_, R>, frame: usize) -> Linears<'_, R> {
        match call.abreast {
            None => Linears::Same(&self.numbers.frames[frame]),
            Some(_) => Linears::Each(&self.numbers.neighbours, frame),
        }
    }

    /// Whether so many octaves of a scope can be computed abreast: what it does is the same in all of them, but for the frames of lattices.
    pub(crate) fn goes_abreast(&self, body: ScopeId, octaves: usize) -> bool {
        let same = |op: &Op| match op {
            Op::Lattice(basis, _) => {
                basis.dimensions() < 4
                    && matches!(basis, Basis::Simplex2 | Basis::Simplex3 | Basis::Value(..) | Basis::Perlin(..) | Basis::Worley(..))
            }
            Op::Fractal { .. } | Op::Transform { .. } | Op::At { .. } => false,
            other => other.frames().is_none(),
        };
        (2..=CHUNK).contains(&octaves) && !self.structure.periodic && self.structure.scopes[body.0 as usize].ops.iter().all(same)
    }

    /// The sum of a scope's octaves for each of a few points.
    pub(crate) fn octaves_abreast<const G: bool>(
        &self,
        body: ScopeId,
        sum: Octaves<'_, R>,
        call: Call<'_, R>,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        let count = sum.amplitudes.len();
        let abreast = Call { simd: call.simd.abreast::<R>(count), instance: call.instance * count as u32, ..call };
        for sample in 0..call.simd.lanes {
            self.scope::<G>(body, Call { abreast: Some(Abreast { sample, count }), ..abreast }, registers);
            let (octaves, none) = (self.result(body, registers), Accumulator::none(R::default()));
            let octaves = sum.amplitudes.iter().enumerate().map(|(k, &amplitude)| (octaves.get::<G>(k), amplitude));
            let all = octaves.fold(none, |so_far, (octave, amplitude)| accumulate(sum.kind, so_far, octave, amplitude, sum.numbers));
            out.set::<true>(sample, all.total);
        }
    }
}
