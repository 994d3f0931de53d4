//! The evaluator: a program's operations over one block of samples.

use crate::cpu::eval::basis;
use crate::cpu::eval::block::{JetBlock, each_lane, each_vector};
use crate::cpu::eval::call::{Out, SampleSource, ScopeCall};
use crate::cpu::eval::constants::LatticeConstants;
use crate::cpu::eval::memory::Registers;
use crate::cpu::eval::numbers::ProgramNumbers;
use crate::cpu::eval::octaves::Octaves;
use crate::cpu::eval::on_lattice::OnLattice;
use crate::cpu::eval::phasor::{self, Waves};
use crate::cpu::eval::rasters;
use crate::cpu::eval::route::{self, LatticeCall, OctavesRoute};
use crate::cpu::eval::stamps::StampsOp;
use crate::cpu::lib::fractal::FractalNumbers;
use crate::cpu::lib::raster::RasterLookup;
use crate::cpu::lib::shift::Shift;
use crate::cpu::lib::{curve, frame, jet, polar, power, sine, spline};
use crate::cpu::simd::lanes::{CHUNK, Lanes};
use crate::cpu::simd::real::{unsigned_zero, width};
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, for_vectors, vectorised};
use crate::program::{Basis, CoordinatePart, Op, Outside, Polar, Reg, Scalar, Scope, ScopeId, Span, Structure};

/// A program ready to run on the CPU.
pub struct Evaluator<'a, R> {
    pub structure: &'a Structure,
    pub numbers: &'a ProgramNumbers<R>,
    /// The results of the last scope to return.
    pub outputs: &'a [Reg],
}

/// Writes lanes until `out` is full.
#[inline(always)]
fn write<R: Real, T: Token>(token: T, lanes: &Lanes<R>, out: &mut [R]) {
    let width = width::<R, T>(token);
    let whole = out.len() / width * width;
    for at in (0..whole).step_by(width) {
        // Adding +0 turns −0 into +0.
        (R::Vector::load(token, lanes, at) + R::Vector::splat(token, R::default())).store(out, at);
    }
    for at in whole..out.len() {
        out[at] = unsigned_zero(lanes[at]);
    }
}

/// Writes vectors of three, one component from each plane, in the same way.
#[inline(always)]
fn write_triples<R: Real, T: Token>(token: T, planes: &[Lanes<R>; 3], out: &mut [[R; 3]]) {
    let width = width::<R, T>(token);
    let (whole, rest) = out.split_at_mut(out.len() / width * width);
    let mut vector = [[R::default(); CHUNK]; 3];
    for (index, out) in whole.chunks_exact_mut(width).enumerate() {
        for axis in 0..3 {
            (R::Vector::load(token, &planes[axis], index * width) + R::Vector::splat(token, R::default())).store(&mut vector[axis], 0);
        }
        for (lane, triple) in out.iter_mut().enumerate() {
            *triple = [vector[0][lane], vector[1][lane], vector[2][lane]];
        }
    }
    for (lane, triple) in rest.iter_mut().enumerate() {
        *triple = [0, 1, 2].map(|axis| unsigned_zero(planes[axis][whole.len() + lane]));
    }
}

impl<R: Real> Evaluator<'_, R> {
    pub fn registers(&self) -> Registers<R> {
        Registers::new(self.structure, self.numbers.lattices.len())
    }

    /// Evaluates a block. Only an anchored program takes a `displacement`. If there are several outputs, those of a sample are
    /// adjacent.
    pub fn block(
        &self,
        simd: Dispatch,
        registers: &mut Registers<R>,
        source: &SampleSource<'_>,
        displacement: Option<&[Lanes<R>; 3]>,
        Out { values, gradients }: Out<'_, R>,
    ) {
        let root = ScopeId(self.structure.scopes.len() as u32 - 1);
        let call = ScopeCall { simd, instance: 0, source, displacement, abreast: None, gradient: gradients.is_some() };
        // The first condition is constant: the oracle has no code without gradients.
        if const { size_of::<R>() == 4 } && route::skips_gradients::<R>(simd, gradients.is_some()) {
            self.scope::<false>(root, call, registers);
        } else {
            self.scope::<true>(root, call, registers);
        }
        if let [Reg(output)] = *self.outputs {
            let out = &registers.scopes[root.0 as usize][output as usize];
            vectorised!(R, call.simd, token => write(token, &out.value, values));
            if let Some(gradients) = gradients {
                vectorised!(R, call.simd, token => write_triples(token, &out.gradient, gradients));
            }
            return;
        }
        let (count, mut gradients) = (self.outputs.len(), gradients);
        for (k, &Reg(output)) in self.outputs.iter().enumerate() {
            let out = &registers.scopes[root.0 as usize][output as usize];
            for (lane, value) in values[k..].iter_mut().step_by(count).enumerate() {
                *value = unsigned_zero(out.value[lane]);
            }
            let triples = gradients.as_deref_mut().into_iter().flat_map(|all| all[k..].iter_mut().step_by(count));
            for (lane, triple) in triples.enumerate() {
                *triple = [0, 1, 2].map(|axis| unsigned_zero(out.gradient[axis][lane]));
            }
        }
    }

    /// Runs one scope for a block; its result stays in its registers.
    pub fn scope<const GRADIENT: bool>(&self, id: ScopeId, call: ScopeCall<'_, R>, registers: &mut Registers<R>) {
        let Scope { ops, sloped, .. } = &self.structure.scopes[id.0 as usize];
        // A scope never calls itself, so its registers can be taken out while it runs.
        let mut own = std::mem::take(&mut registers.scopes[id.0 as usize]);
        match ops[..] {
            // Most octaves are a single lattice noise; this case skips the match over all operations.
            [Op::Lattice(basis, span)] => {
                self.lattice::<GRADIENT>(basis, span, call, registers, &mut own[0]);
            }
            _ => self.ops::<GRADIENT>(ops, sloped, &mut own, call, registers),
        }
        registers.scopes[id.0 as usize] = own;
    }

    // Not inlined, since its stack frame would be part of every octave's.
    #[inline(never)]
    fn ops<const GRADIENT: bool>(
        &self,
        ops: &[Op],
        sloped: &[bool],
        own: &mut [JetBlock<R>],
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
    ) {
        for (index, op) in ops.iter().enumerate() {
            let (done, rest) = own.split_at_mut(index);
            // Derivatives read gradients even if only values are wanted.
            if sloped[index] {
                self.op::<true>(op, done, &mut rest[0], ScopeCall { gradient: true, ..call }, registers);
            } else {
                self.op::<GRADIENT>(op, done, &mut rest[0], call, registers);
            }
        }
    }

    /// A lattice noise in the frame of an instance.
    #[inline(always)]
    fn lattice<const GRADIENT: bool>(
        &self,
        basis: Basis,
        span: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let lattice = LatticeCall::new(self.structure, self.numbers, basis, span, &call, GRADIENT);
        basis::run::<R, GRADIENT>(&lattice, lattice.route(), registers, None, out);
    }

    fn op<const GRADIENT: bool>(
        &self,
        op: &Op,
        done: &[JetBlock<R>],
        out: &mut JetBlock<R>,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
    ) {
        let ScopeCall { instance, .. } = call;
        let simd = call.simd;
        let x = |Reg(r): Reg| &done[r as usize];
        let number = |scalar: Scalar| self.numbers.scalar(scalar);
        match *op {
            Op::Constant(value) => {
                let value = number(value);
                each_vector!(simd, GRADIENT, out, token, _at => jet::constant(R::Vector::splat(token, value)));
            }
            Op::Coordinate(part, span) => {
                let frame = (self.numbers.span(span).0 + instance) as usize;
                let constants = &self.numbers.lattices[frame];
                let cells = registers.coordinates(call, frame, 1, self.numbers);
                each_lane!(simd, GRADIENT, out, l => match part {
                    CoordinatePart::Whole => frame::coordinate(&constants.columns, cells.cell[0][l], cells.fraction[0][l]),
                    CoordinatePart::Fraction => frame::fraction(&constants.columns, cells.fraction[0][l]),
                });
                registers.keep_coordinates(cells);
            }
            Op::Lattice(basis, span) => {
                self.lattice::<GRADIENT>(basis, span, call, registers, out);
            }
            Op::Derivative { x: a, axis, frames } => {
                let (a, axis) = (x(a), axis as usize);
                let constants = &self.numbers.lattices[(self.numbers.span(frames).0 + instance) as usize];
                each_vector!(simd, GRADIENT, out, token, at => {
                    jet::constant(frame::derivatives(&constants.splat(token), a.load::<_, true>(token, at))[axis])
                });
            }
            Op::ScaleOffset { x: a, scale, offset } => {
                let (a, scale, offset) = (x(a), number(scale), number(offset));
                each_vector!(simd, GRADIENT, out, token, at => {
                    jet::scale_offset(a.load::<_, GRADIENT>(token, at), R::Vector::splat(token, scale), R::Vector::splat(token, offset))
                });
            }
            Op::Clamp { x: a, low, high } => {
                let (a, low, high) = (x(a), number(low), number(high));
                each_vector!(simd, GRADIENT, out, token, at => {
                    jet::clamp(a.load::<_, GRADIENT>(token, at), R::Vector::splat(token, low), R::Vector::splat(token, high))
                });
            }
            Op::Abs(a) => {
                let a = x(a);
                each_vector!(simd, GRADIENT, out, token, at => jet::abs(a.load::<_, GRADIENT>(token, at)));
            }
            Op::Power { x: a, exponent } => {
                let (a, exponent) = (x(a), number(exponent));
                each_vector!(simd, GRADIENT, out, token, at => power::signed(a.load::<_, GRADIENT>(token, at), R::Vector::splat(token, exponent)));
            }
            Op::Add(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, GRADIENT, out, token, at => jet::add(a.load::<_, GRADIENT>(token, at), b.load::<_, GRADIENT>(token, at)));
            }
            Op::Multiply(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, GRADIENT, out, token, at => jet::multiply(a.load::<_, GRADIENT>(token, at), b.load::<_, GRADIENT>(token, at)));
            }
            Op::Min(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, GRADIENT, out, token, at => jet::min_jet(a.load::<_, GRADIENT>(token, at), b.load::<_, GRADIENT>(token, at)));
            }
            Op::Max(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, GRADIENT, out, token, at => jet::max_jet(a.load::<_, GRADIENT>(token, at), b.load::<_, GRADIENT>(token, at)));
            }
            Op::Blend { a, b, mask } => {
                let (a, b, mask) = (x(a), x(b), x(mask));
                each_vector!(simd, GRADIENT, out, token, at => {
                    jet::blend(a.load::<_, GRADIENT>(token, at), b.load::<_, GRADIENT>(token, at), mask.load::<_, GRADIENT>(token, at))
                });
            }
            Op::Spline { x: a, points } => {
                let (a, points) = (x(a), self.numbers.points(points));
                each_vector!(simd, GRADIENT, wide: false, out, token, at => spline::spline(points, a.load::<_, GRADIENT>(token, at)));
            }
            Op::Curve { curve: kind, x: a, numbers } => {
                let (a, p) = (x(a), self.numbers.four(numbers));
                each_lane!(simd, GRADIENT, out, l => curve::curve(kind, a.get::<GRADIENT>(l), p));
            }
            Op::Raster { raster, sampling, outside, frames, fill, .. } => {
                let place = RasterLookup { surface: &self.numbers.rasters[raster as usize], sampling, outside, fill: number(fill) };
                let frame = (self.numbers.span(frames).0 + instance) as usize;
                let coordinates = registers.coordinates(call, frame, 2, self.numbers);
                let on = OnLattice { simd, constants: self.numbers.lanes(frame, None), coordinates: &coordinates };
                rasters::raster(on, place, out);
                registers.keep_coordinates(coordinates);
            }
            Op::Example { raster, sampling, frames, numbers: Scalar(first), .. } => {
                let surface = &self.numbers.rasters[raster as usize];
                let place = RasterLookup { surface, sampling, outside: Outside::Clamp, fill: R::default() };
                let frame = (self.numbers.span(frames).0 + instance) as usize;
                let coordinates = registers.coordinates(call, frame, 2, self.numbers);
                let on = OnLattice { simd, constants: self.numbers.lanes(frame, None), coordinates: &coordinates };
                let numbers = [self.numbers.four(Scalar(first)), self.numbers.four(Scalar(first + 4))];
                rasters::example(on, place, numbers, out);
                registers.keep_coordinates(coordinates);
            }
            Op::Phasor { dimensions, profile, frames, along, frequency, slopes, numbers } => {
                let frame = (self.numbers.span(frames).0 + instance) as usize;
                let coordinates = registers.coordinates(call, frame, dimensions as usize, self.numbers);
                let on = OnLattice { simd, constants: self.numbers.lanes(frame, call.abreast), coordinates: &coordinates };
                let slopes = slopes.map(|slopes| slopes.map(|slope| slope.map(x)));
                let waves = Waves { profile, along: along.map(x), frequency: x(frequency), slopes, numbers: self.numbers.four(numbers) };
                phasor::block::<R, GRADIENT>(on, dimensions, self.structure.periodic, waves, out);
                registers.keep_coordinates(coordinates);
            }
            Op::Polar(kind, span) => self.polar::<GRADIENT>(kind, span, call, registers, out),
            Op::Sines { dimensions, frames, amplitudes } => match dimensions {
                1 => self.sines::<GRADIENT, 1>(frames, amplitudes, call, registers, out),
                2 => self.sines::<GRADIENT, 2>(frames, amplitudes, call, registers, out),
                _ => self.sines::<GRADIENT, 3>(frames, amplitudes, call, registers, out),
            },
            Op::Fractal { body, octaves, accumulate, numbers } => {
                let [level, sharpness, weight, folds] = self.numbers.four(numbers);
                let (amplitudes, parameters) = (self.numbers.series(octaves), FractalNumbers { level, sharpness, weight, folds });
                let octaves = Octaves { structure: self.structure, numbers: self.numbers, body, kind: accumulate, amplitudes, parameters };
                self.fractal::<GRADIENT>(octaves, call, registers, out);
            }
            Op::Warp { body, by, frames } => self.warp::<GRADIENT>(body, by.map(x), frames, call, registers, out),
            Op::Turbulence { body, by, frames } => self.turbulence::<GRADIENT>(body, by, frames, call, out, registers),
            Op::Transform { body } => {
                self.scope::<GRADIENT>(body, call, registers);
                let inner = registers.result(self.structure, body);
                each_vector!(simd, GRADIENT, out, token, at => inner.load::<_, GRADIENT>(token, at));
            }
            Op::Slice { body, frames } => self.slice::<GRADIENT>(body, frames, call, registers, out),
            Op::Mirror { body, frames } => self.mirror::<GRADIENT>(body, frames, call, registers, out),
            Op::Quantise { body, frames } => self.quantise::<GRADIENT>(body, frames, call, registers, out),
            Op::Stamps { body, combine, priority, frames, numbers } => {
                self.stamps::<GRADIENT>(StampsOp { body, combine, priority, frames, numbers }, call, registers, out);
            }
            Op::At { body, by } => self.at::<GRADIENT>(body, by.map(x), call, registers, out),
        }
    }

    /// The sum of a scope's octaves.
    fn fractal<const GRADIENT: bool>(
        &self,
        octaves: Octaves<'_, R>,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let body = octaves.body;
        let route = route::octaves::<R>(self.structure, body, octaves.amplitudes.len(), call.simd);
        #[cfg(test)]
        registers.trace.push(route::ChosenRoute::Octaves(route));
        match route {
            OctavesRoute::Abreast => {
                // The condition is constant: no code is generated where octaves are never abreast.
                if const { size_of::<R>() == 4 } {
                    match call.gradient {
                        true => octaves.abreast::<true>(call, registers, out, |call, registers| self.scope::<true>(body, call, registers)),
                        false => {
                            octaves.abreast::<false>(call, registers, out, |call, registers| self.scope::<false>(body, call, registers));
                        }
                    }
                } else {
                    unreachable!("invariant: the oracle takes octaves in turn");
                }
            }
            OctavesRoute::InTurn => {
                octaves.in_turn::<GRADIENT>(call, registers, out, |call, registers| self.scope::<GRADIENT>(body, call, registers));
            }
        }
    }

    /// A polar coordinate.
    fn polar<const GRADIENT: bool>(
        &self,
        kind: Polar,
        span: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let ScopeCall { simd, instance, .. } = call;
        let frame = (self.numbers.span(span).0 + instance) as usize;
        let constants = &self.numbers.lattices[frame];
        let cells = registers.coordinates(call, frame, 3, self.numbers);
        each_lane!(simd, GRADIENT, out, l => {
            let at = std::array::from_fn(|d| frame::number(cells.cell[d][l], cells.fraction[d][l]));
            frame::world::<_, GRADIENT>(&constants.columns, polar::polar(kind, at))
        });
        registers.keep_coordinates(cells);
    }

    /// A scope, displaced by three values.
    fn warp<const GRADIENT: bool>(
        &self,
        body: ScopeId,
        by: [&JetBlock<R>; 3],
        frames: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let ScopeCall { simd, instance, .. } = call;
        let constants = &self.numbers.lattices[(self.numbers.span(frames).0 + instance) as usize];
        let mut moved = registers.displacement();
        self.displacement(call, constants, by, &mut moved);
        self.scope::<GRADIENT>(body, ScopeCall { displacement: Some(&moved), ..call }, registers);
        registers.keep_displacement(moved);
        let inner = registers.result(self.structure, body);
        each_vector!(simd, GRADIENT, out, token, at => {
            let inner = inner.load::<_, GRADIENT>(token, at);
            let by = [by[0].load::<_, GRADIENT>(token, at), by[1].load::<_, GRADIENT>(token, at), by[2].load::<_, GRADIENT>(token, at)];
            jet::displaced(inner, frame::gradient(&constants.splat(token), inner.gradient), by)
        });
    }

    /// A scope at the positions that three values give.
    fn at<const GRADIENT: bool>(
        &self,
        body: ScopeId,
        by: [&JetBlock<R>; 3],
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let simd = call.simd;
        let mut at = registers.displacement();
        for axis in 0..3 {
            at[axis][..simd.lanes].copy_from_slice(&by[axis].value[..simd.lanes]);
        }
        self.scope::<GRADIENT>(body, ScopeCall { displacement: Some(&at), ..call }, registers);
        registers.keep_displacement(at);
        let inner = registers.result(self.structure, body);
        each_lane!(simd, GRADIENT, out, l => jet::composed(inner.get::<GRADIENT>(l), by.map(|b| b.get::<GRADIENT>(l))));
    }

    /// Not inlined, since its stack frame would be part of every operation's.
    // Not inlined: what it takes on the stack, every operation would.
    #[inline(never)]
    fn slice<const GRADIENT: bool>(
        &self,
        body: ScopeId,
        frames: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let ScopeCall { simd, instance, displacement, .. } = call;
        let constants = &self.numbers.lattices[(self.numbers.span(frames).0 + instance) as usize];
        let own =
            displacement.map(|outer| self.each_lane(call.simd, |l| frame::linear(&constants.columns, outer.each_ref().map(|d| d[l]))));
        self.scope::<GRADIENT>(body, ScopeCall { displacement: own.as_ref(), ..call }, registers);
        let inner = registers.result(self.structure, body);
        each_lane!(simd, GRADIENT, out, l => frame::world::<_, GRADIENT>(&constants.columns, inner.get::<GRADIENT>(l)));
    }

    /// A scope as it is, and mirrored.
    fn mirror<const GRADIENT: bool>(
        &self,
        body: ScopeId,
        frames: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let ScopeCall { simd, instance, .. } = call;
        let cells = registers.coordinates(call, (self.numbers.span(frames).0 + instance) as usize, 1, self.numbers);
        let near = |l: usize| (cells.cell[0][l] as i32) < 0;
        for side in 0..2 {
            if (0..simd.lanes).any(|l| near(l) == (side == 1)) {
                self.scope::<GRADIENT>(body, ScopeCall { instance: instance * 2 + side, ..call }, registers);
                let inner = registers.result(self.structure, body);
                for l in (0..simd.lanes).filter(|&l| near(l) == (side == 1)) {
                    out.set::<GRADIENT>(l, inner.get::<GRADIENT>(l));
                }
            }
        }
        registers.keep_coordinates(cells);
    }

    /// A scope at the centres of cells.
    // Not inlined, since its stack frame would be part of every operation's.
    #[inline(never)]
    fn quantise<const GRADIENT: bool>(
        &self,
        body: ScopeId,
        frames: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let ScopeCall { simd, instance, .. } = call;
        let frame = (self.numbers.span(frames).0 + instance) as usize;
        let (cells, key) = (registers.coordinates(call, frame, 3, self.numbers), self.numbers.lattices[frame].hash_key::<true>());
        let index = std::array::from_fn(|axis| cells.cell[axis].map(|cell| key.cell(axis, cell) ^ 0x8000_0000));
        registers.keep_coordinates(cells);
        let source = SampleSource::CellCentres { grids: call.source.grids(), index: &index };
        self.scope::<GRADIENT>(body, ScopeCall { source: &source, displacement: None, ..call }, registers);
        let inner = registers.result(self.structure, body);
        each_lane!(simd, GRADIENT, out, l => jet::constant(inner.value[l]));
    }

    /// Sum of sines, one frame each.
    fn sines<const GRADIENT: bool, const DIMENSIONS: usize>(
        &self,
        frames: Span,
        amplitudes: Span,
        call: ScopeCall<'_, R>,
        registers: &mut Registers<R>,
        out: &mut JetBlock<R>,
    ) {
        let ((first, count), amplitudes) = (self.numbers.span(frames), self.numbers.series(amplitudes));
        let mut total = registers.block();
        vectorised!(R, call.simd, token => {
            let zero = jet::constant(R::Vector::splat(token, R::default()));
            for_vectors!(R, token, at => total.store::<_, GRADIENT>(token, at, zero));
        });
        for k in 0..count {
            let frame = (first + call.instance * count + k) as usize;
            let constants = &self.numbers.lattices[frame];
            let at = registers.coordinates(call, frame, DIMENSIONS, self.numbers);
            let amplitude = amplitudes[k as usize];
            each_lane!(call.simd, GRADIENT, total, l => {
                jet::accumulate_sum(total.get::<GRADIENT>(l), frame::world::<_, GRADIENT>(&constants.columns, sine::sine::<R, DIMENSIONS>(at.fraction(l))), amplitude)
            });
            registers.keep_coordinates(at);
        }
        each_vector!(call.simd, GRADIENT, out, token, at => total.load::<_, GRADIENT>(token, at));
        registers.keep_blocks([total]);
    }

    // Not inlined, since its stack frame would be part of every operation's.
    #[inline(never)]
    fn turbulence<const GRADIENT: bool>(
        &self,
        body: ScopeId,
        by: ScopeId,
        frames: Span,
        call: ScopeCall<'_, R>,
        out: &mut JetBlock<R>,
        registers: &mut Registers<R>,
    ) {
        let (first, count) = self.numbers.span(frames);
        // Kept off the stack, since each of 64 scopes may have a turbulence.
        let mut shift = registers.shift();
        let mut displacement = registers.displacement();
        let mut steps = [registers.block(), registers.block(), registers.block()];
        let moved = |shift: &Shift<R>, displacement: &mut [Lanes<R>; 3]| match call.displacement {
            Some(outer) => *displacement = self.each_lane(call.simd, |l| jet::axes(|a| outer[a][l] + shift.value[a][l])),
            None => displacement.clone_from(&shift.value),
        };
        for own in call.instance * count..call.instance * count + count {
            moved(&shift, &mut displacement);
            for (axis, step) in (0..3).zip(&mut steps) {
                self.scope::<GRADIENT>(by, ScopeCall { instance: 3 * own + axis, displacement: Some(&displacement), ..call }, registers);
                let inner = registers.result(self.structure, by);
                each_lane!(call.simd, GRADIENT, step, l => shift.jet(l, inner.get::<GRADIENT>(l)));
            }
            let constants = &self.numbers.lattices[(first + own) as usize];
            let [x, y, z] = &steps;
            vectorised!(R, call.simd, token => {
                for l in 0..token.every_lane() {
                    shift.add::<GRADIENT>(l, &constants.columns, [x.get::<GRADIENT>(l), y.get::<GRADIENT>(l), z.get::<GRADIENT>(l)]);
                }
            });
        }
        moved(&shift, &mut displacement);
        self.scope::<GRADIENT>(body, ScopeCall { displacement: Some(&displacement), ..call }, registers);
        let inner = registers.result(self.structure, body);
        each_lane!(call.simd, GRADIENT, out, l => shift.jet(l, inner.get::<GRADIENT>(l)));
        registers.keep_blocks(steps);
        registers.keep_displacement(displacement);
        registers.keep_shift(shift);
    }

    /// Computes a vector for each lane.
    #[inline(always)]
    fn each_lane(&self, simd: Dispatch, vector: impl Fn(usize) -> [R; 3]) -> [Lanes<R>; 3] {
        let mut all = [Lanes::of(R::default()); 3];
        vectorised!(R, simd, token => {
            for lane in 0..token.every_lane() {
                let v = vector(lane);
                for axis in 0..3 {
                    all[axis][lane] = v[axis];
                }
            }
        });
        all
    }

    /// The displacement inside a warp: the outer displacement plus the warp's own.
    fn displacement(&self, call: ScopeCall<'_, R>, constants: &LatticeConstants<R>, by: [&JetBlock<R>; 3], all: &mut [Lanes<R>; 3]) {
        let ScopeCall { simd, displacement: outer, .. } = call;
        vectorised!(R, simd, token => {
            let columns = constants.splat(token);
            for_vectors!(R, token, at => {
                let by = [by[0].load::<_, false>(token, at), by[1].load::<_, false>(token, at), by[2].load::<_, false>(token, at)];
                let by = [by[0].value, by[1].value, by[2].value];
                // Products with 0 and their sums change no bit of the displaced coordinates.
                let own = if constants.diagonal { jet::axes(|axis| columns[axis][axis] * by[axis]) } else { frame::linear(&columns, by) };
                for axis in 0..3 {
                    let moved = match outer {
                        Some(outer) => R::Vector::load(token, &outer[axis], at) + own[axis],
                        None => own[axis],
                    };
                    moved.store(&mut all[axis], at);
                }
            });
        });
    }
}
