//! Stamps over a block: another scope at positions in discs.
//!
//! Most discs cover few of a block's samples. So the scope is evaluated for *batches* of samples and discs that cover them. Each
//! sample still meets its discs in order. Packing them changes no result, since a position in a disc is all that the scope depends on:
//! its frames do not move with samples.

use crate::cpu::eval::block::JetBlock;
use crate::cpu::eval::call::{SampleSource, ScopeCall};
use crate::cpu::eval::constants::LatticeConstants;
use crate::cpu::eval::coordinates::LatticeCoordinates;
use crate::cpu::eval::evaluate::Evaluator;
use crate::cpu::eval::memory::Registers;
use crate::cpu::eval::positions::Positions;
use crate::cpu::lib::frame::world;
use crate::cpu::lib::jet::{Jet, constant};
use crate::cpu::lib::stamp_points::StampPoints;
use crate::cpu::lib::stamps::{Numbers, Stamps, combine, disc, stamp};
use crate::cpu::simd::lanes::{CHUNK, Lanes, boxed};
use crate::cpu::simd::number::{Bits, Number};
use crate::cpu::simd::real::width;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, vectorised};
use crate::program::{Scalar, ScopeId, Span, StampCombine, StampPriority};

/// The numbers in every lane.
macro_rules! splat {
    ($token:ident, $numbers:ident) => {{
        let [step, frequent, smaller, turns, unit, per_radius, lift, per_fade, thickness] = $numbers.map(
            #[inline(always)]
            |x| R::Vector::splat($token, x),
        );
        Numbers { step, frequent, smaller, turns, unit, per_radius, lift, per_fade, thickness }
    }};
}

/// The stamps of an operation.
#[derive(Clone, Copy)]
pub struct StampsOp {
    pub body: ScopeId,
    pub combine: StampCombine,
    pub priority: StampPriority,
    pub frames: Span,
    pub numbers: Scalar,
}

/// Lanes of a block on the lattice of stamps.
#[derive(Clone, Copy)]
struct Placing<'a, R> {
    simd: Dispatch,
    constants: &'a LatticeConstants<R>,
    coordinates: &'a LatticeCoordinates<R>,
    numbers: [R; 9],
    kind: StampCombine,
    priority: StampPriority,
    /// The number of discs that may cover a sample.
    discs: u32,
    apart: Option<Apart>,
    /// Whether the scope has gradients.
    gradient: bool,
}

/// The minimum distance of points, as for `StampPoints`.
#[derive(Clone, Copy)]
struct Apart {
    jitter: i32,
    squared: u32,
}

/// Lanes of a vector that a disc covers.
#[derive(Clone, Copy)]
pub struct Covered {
    /// The number of the disc.
    number: u32,
    /// The first lane of the vector, and a bit for each lane that is covered.
    at: usize,
    lanes: u32,
    /// The place of the first of them in the batch.
    first: usize,
}

/// Samples and discs for which the scope is evaluated together.
struct Batch<'a, R> {
    covered: &'a mut Vec<Covered>,
    /// Their positions, and their number.
    positions: &'a mut [Lanes<R>; 3],
    count: usize,
}

/// The lanes of a mask, as bits.
fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then_some(mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lane
    })
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
        StampsOp { body, combine, priority, frames, numbers: Scalar(first) }: StampsOp,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let frame = (self.numbers.span(frames).0 + call.instance) as usize;
        let coordinates = registers.coordinates(call, frame, 2, self.numbers);
        let number = |k: usize| self.numbers.scalars[first as usize + k];
        let numbers = [0, 1, 2, 3, 4, 5, 6, 7, 11].map(number);
        let whole = |k: usize| number(k).to_i32();
        let (discs, apart) = (whole(8) as u32, whole(10) as u32);
        let placing = Placing {
            simd: call.simd,
            constants: &self.numbers.lattices[frame],
            coordinates: &coordinates,
            numbers,
            kind: combine,
            priority,
            discs,
            apart: (apart > 0).then_some(Apart { jitter: whole(9), squared: apart * apart }),
            gradient: GRADIENT,
        };
        let (mut positions, mut covered) = (registers.displacement(), std::mem::take(&mut registers.covered));
        let (mut heights, mut top) = (registers.block(), registers.block());
        placing.begin([&mut heights, &mut top]);
        let mut next = (0, 0);
        while next.0 < discs {
            covered.clear();
            let mut batch = Batch { covered: &mut covered, positions: &mut positions, count: 0 };
            next = placing.collect::<PERIODIC>(next, &mut batch);
            let simd = call.simd.row::<R>(batch.count);
            if covered.is_empty() {
                break;
            }
            let mut still = registers.still.take().unwrap_or_else(|| boxed(Positions::new));
            still.repeat(simd.lanes);
            let source = match *call.source {
                SampleSource::Points { grids, frames, lines, .. } => SampleSource::Points { grids, frames, lines, positions: &still },
                source => source,
            };
            self.scope::<GRADIENT>(body, ScopeCall { simd, source: &source, displacement: Some(&positions), ..call }, registers);
            registers.still = Some(still);
            let inner = registers.result(self.structure, body);
            placing.add::<PERIODIC>(&covered, inner, [&mut heights, &mut top]);
        }
        placing.end::<GRADIENT>(&heights, out);
        registers.covered = covered;
        registers.keep_blocks([heights, top]);
        registers.keep_displacement(positions);
        registers.keep_coordinates(coordinates);
    }
}

/// The points that stay, and the last cell and number that were tested.
struct Kept<const PERIODIC: bool> {
    points: StampPoints<PERIODIC>,
    last: Option<([u32; 2], u32, bool)>,
}

impl<const PERIODIC: bool> Kept<PERIODIC> {
    /// The covered lanes whose point with this number stays.
    #[inline(never)]
    fn lanes<R: Real>(&mut self, coordinates: &LatticeCoordinates<R>, at: usize, number: u32, covered: u32) -> u32 {
        lanes(covered).fold(covered, |left, lane| {
            let [x, y, _] = coordinates.cell(at + lane);
            left ^ (u32::from(!self.stays([x, y], number)) << lane)
        })
    }

    /// Whether the point with this number around a cell stays.
    fn stays(&mut self, cell: [u32; 2], number: u32) -> bool {
        match self.last {
            Some((of, tested, stays)) if (of, tested) == (cell, number) => stays,
            _ => {
                let stays = self.points.stays(cell, number);
                self.last = Some((cell, number, stays));
                stays
            }
        }
    }
}

impl<R: Real> Placing<'_, R> {
    /// The points that stay, if they have a minimum distance.
    fn points<const PERIODIC: bool>(self) -> Option<Kept<PERIODIC>> {
        let Placing { constants, numbers, priority, discs, .. } = self;
        self.apart.map(|Apart { jitter, squared }| {
            let frequent = (numbers[1] + R::of(0.5)).to_i32() as u32;
            Kept { points: StampPoints { key: constants.hash_key(), priority, discs, frequent, jitter, squared }, last: None }
        })
    }

    /// No stamps yet.
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

    /// Collects covered samples from a disc and its vector on, while there is room for a vector. Returns the next disc and vector.
    fn collect<const PERIODIC: bool>(self, (mut number, mut vector): (u32, usize), batch: &mut Batch<'_, R>) -> (u32, usize) {
        let Placing { simd, constants, coordinates, numbers, priority, discs, .. } = self;
        let mut kept = self.points::<PERIODIC>();
        vectorised!(R, simd, plain: true, wide: false, token => {
            let (key, numbers) = (constants.key::<_, PERIODIC>(token), splat!(token, numbers));
            let (width, lanes) = (width::<R, _>(token), token.lanes());
            while number < discs && batch.count + width <= lanes {
                let at = vector * width;
                let (cell, fraction) = coordinates.vectors::<_, 2>(token, at);
                let disc = disc::<_, PERIODIC>(cell, fraction, key, number, &numbers);
                let mut covered = <R::Vector<_> as Number>::Bits::lanes(disc.covers);
                if let Some(kept) = &mut kept {
                    covered = kept.lanes(coordinates, at, number, covered);
                }
                if covered != 0 {
                    let stamp = stamp(disc, priority, &numbers);
                    batch.push(Covered { number, at, lanes: covered, first: batch.count }, stored(token, stamp.at));
                }
                vector += 1;
                if vector == lanes / width {
                    (number, vector) = (number + 1, 0);
                }
            }
        });
        // The lanes up to the end of the last vector.
        for axis in 0..3 {
            batch.positions[axis][batch.count..simd.row::<R>(batch.count).lanes].fill(R::default());
        }
        (number, vector)
    }

    /// Adds the stamps in covered lanes.
    fn add<const PERIODIC: bool>(self, all: &[Covered], inner: &JetBlock<R>, blocks: [&mut JetBlock<R>; 2]) {
        let Placing { simd, constants, coordinates, numbers, kind, priority, apart, gradient, .. } = self;
        let [heights, top] = blocks;
        vectorised!(R, simd, plain: true, wide: false, token => {
            let (key, numbers) = (constants.key::<_, PERIODIC>(token), splat!(token, numbers));
            for &Covered { number, at, lanes: covered, first } in all {
                let (cell, fraction) = coordinates.vectors::<_, 2>(token, at);
                let mut stamp = stamp(disc::<_, PERIODIC>(cell, fraction, key, number, &numbers), priority, &numbers);
                let mut found = [[R::default(); CHUNK]; 3];
                let mut here = [R::default(); CHUNK];
                for (k, lane) in lanes(covered).enumerate() {
                    here[lane] = R::of(1.0);
                    found[0][lane] = inner.value[first + k];
                    if gradient {
                        found[1][lane] = inner.gradient[0][first + k];
                        found[2][lane] = inner.gradient[1][first + k];
                    }
                }
                let load = |from: &[R; CHUNK]| R::Vector::load(token, from, 0);
                let zero = R::Vector::splat(token, R::default());
                // The disc of a point that does not stay covers nothing.
                if apart.is_some() {
                    stamp.covers = zero.less_than(load(&here));
                }
                let inner = Jet { value: load(&found[0]), gradient: [load(&found[1]), load(&found[2]), zero] };
                let before = Stamps { heights: heights.load::<_, true>(token, at), top: top.load::<_, true>(token, at) };
                let after = combine(kind, before, &stamp, inner);
                heights.store::<_, true>(token, at, after.heights);
                top.store::<_, true>(token, at, after.top);
            }
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

/// The lanes of three vectors.
#[inline(always)]
fn stored<R: Real, T: Token>(_token: T, [x, y, z]: [R::Vector<T>; 3]) -> [[R; CHUNK]; 3] {
    let mut all = [[R::default(); CHUNK]; 3];
    x.store(&mut all[0], 0);
    y.store(&mut all[1], 0);
    z.store(&mut all[2], 0);
    all
}

impl<R: Real> Batch<'_, R> {
    /// Adds the covered lanes of a vector with these positions.
    #[inline(always)]
    fn push(&mut self, covered: Covered, at: [[R; CHUNK]; 3]) {
        self.covered.push(covered);
        for lane in lanes(covered.lanes) {
            for (axis, at) in at.iter().enumerate() {
                self.positions[axis][self.count] = at[lane];
            }
            self.count += 1;
        }
    }
}
