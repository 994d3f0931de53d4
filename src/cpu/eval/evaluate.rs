//! The evaluator: a program's operations over one block of samples.

use crate::cpu::Out;
use crate::cpu::eval::abreast::{Abreast, Neighbours};
use crate::cpu::eval::coordinates::{Cells, Kept, Linear, Site};
use crate::cpu::eval::displaced::Displaced;
use crate::cpu::eval::strip::Strip;
use crate::cpu::eval::{basis, octaves};
use crate::cpu::lib::shift::Shift;
use crate::cpu::lib::{curve, fractal, frame, jet, polar, power, raster, sine, spline};
use crate::cpu::simd::Dispatch;
use crate::cpu::simd::block::{Block, CHUNK, Lanes, boxed, each_lane, each_vector, for_vectors, width};
use crate::cpu::simd::real::unsigned_zero;
use crate::cpu::simd::vector::{SimdVector, Token};
use crate::cpu::simd::{Real, vectorised};
use crate::program::{Basis, Op, Part, Polar, Reg, Scalar, Scope, ScopeId, Span, Structure, Tables};
use crate::raster::Surface;

/// A program's tables in the backend's own numbers.
pub(crate) struct Numbers<R> {
    pub(crate) scalars: Vec<R>,
    pub(crate) frames: Vec<Linear<R>>,
    pub(crate) neighbours: Neighbours<R>,
    pub(crate) series: Vec<R>,
    points: Vec<spline::Point<R>>,
    rasters: Vec<Surface>,
}

/// A program ready to run on the CPU.
pub(crate) struct Evaluator<'a, R> {
    pub(crate) structure: &'a Structure,
    pub(crate) spans: &'a [[u32; 2]],
    pub(crate) numbers: &'a Numbers<R>,
    /// The results of the last scope that are asked for.
    pub(crate) outputs: &'a [Reg],
}

/// What is kept from block to block.
pub(crate) struct Registers<R> {
    /// Of every scope.
    scopes: Vec<Vec<Block<R>>>,
    /// Of every frame.
    pub(crate) strips: Vec<Option<Strip<R>>>,
    kept: Vec<Kept<R>>,
    /// To be used again.
    pub(crate) cells: Vec<Box<Cells<R>>>,
    displacements: Vec<Box<[Lanes<R>; 3]>>,
    shifts: Vec<Box<Shift<R>>>,
    pub(crate) blocks: Vec<Box<Block<R>>>,
}

/// Where a scope is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a, R> {
    pub(crate) simd: Dispatch,
    pub(crate) instance: u32,
    pub(crate) site: &'a Site<'a>,
    pub(crate) displacement: Option<&'a [Lanes<R>; 3]>,
    /// Whether lanes are not the site's samples but instances, from this one on, of one of them.
    pub(crate) abreast: Option<Abreast>,
    /// Whether anybody reads gradients. Code for one number at a time computes them in any case.
    pub(crate) gradient: bool,
}

/// The lanes that there is room for.
#[inline(always)]
fn write<R: Real, T: Token>(token: T, lanes: &Lanes<R>, out: &mut [R]) {
    let width = width::<R, T>(token);
    let whole = out.len() / width * width;
    for at in (0..whole).step_by(width) {
        // The sum of two zeros of different signs has none.
        (R::Vector::load(token, lanes, at) + R::Vector::splat(token, R::default())).store(out, at);
    }
    for at in whole..out.len() {
        out[at] = unsigned_zero(lanes[at]);
    }
}

/// Vectors of three from a plane each, likewise.
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

impl<R: Real> Numbers<R> {
    pub fn new(tables: &Tables) -> Self {
        let all = |numbers: &[f64]| numbers.iter().map(|&x| R::of(x)).collect();
        let linear = |frame: &crate::frame::Frame| {
            let columns = [frame.local.x_axis, frame.local.y_axis, frame.local.z_axis].map(|column| column.to_array().map(R::of));
            let diagonal = (0..9).all(|i| i % 4 == 0 || frame.local.to_cols_array()[i] == 0.0);
            Linear { columns, seed: frame.seed, period: frame.period, diagonal }
        };
        let point = |p: &crate::program::SplinePoint| spline::Point {
            at: R::of(p.at),
            value: R::of(p.value),
            anchor: R::of(p.anchor),
            inverse_width: R::of(p.inverse_width),
        };
        let frames: Vec<Linear<R>> = tables.frames.iter().map(linear).collect();
        Numbers {
            scalars: all(&tables.scalars),
            neighbours: Neighbours::of(&frames),
            frames,
            series: all(&tables.series),
            points: tables.points.iter().map(point).collect(),
            rasters: tables.rasters.clone(),
        }
    }
}

impl<R: Real> Registers<R> {
    /// A displacement with anything in it.
    fn displacement(&mut self) -> Box<[Lanes<R>; 3]> {
        self.displacements.pop().unwrap_or_else(|| boxed(|| [Lanes::of(R::default()); 3]))
    }

    /// A displacement of nothing, with its derivatives.
    fn shift(&mut self) -> Box<Shift<R>> {
        let mut shift = self.shifts.pop().unwrap_or_else(|| boxed(Shift::none));
        shift.forget();
        shift
    }

    /// A block with anything in it.
    pub(crate) fn block(&mut self) -> Box<Block<R>> {
        self.blocks.pop().unwrap_or_else(|| boxed(Block::new))
    }

    /// Forgets what was kept of another region.
    pub fn begin(&mut self) {
        for strip in self.strips.iter_mut().flatten() {
            strip.forget();
        }
        for kept in &mut self.kept {
            kept.forget();
        }
    }
}

impl<R: Real> Evaluator<'_, R> {
    pub fn registers(&self) -> Registers<R> {
        Registers {
            scopes: self.structure.scopes.iter().map(|scope| vec![Block::new(); scope.ops.len()]).collect(),
            strips: self.numbers.frames.iter().map(|_| None).collect(),
            kept: self.numbers.frames.iter().map(|_| Kept::new()).collect(),
            cells: Vec::new(),
            displacements: Vec::new(),
            shifts: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Evaluates a block; `displacement` is what an anchored program takes, and no other. Of several outputs, those of a sample follow each other.
    pub fn block(
        &self,
        simd: Dispatch,
        registers: &mut Registers<R>,
        site: &Site<'_>,
        displacement: Option<&[Lanes<R>; 3]>,
        Out { values, gradients }: Out<'_, R>,
    ) {
        let root = ScopeId(self.structure.scopes.len() as u32 - 1);
        let call = Call { simd, instance: 0, site, displacement, abreast: None, gradient: gradients.is_some() };
        // What computes one number at a time is compiled with gradients only: whoever is in a hurry has vectors, or octaves abreast.
        if const { size_of::<R>() == 4 } && gradients.is_none() && !simd.is_plain::<R>() {
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

    pub(crate) fn result<'r>(&self, id: ScopeId, registers: &'r Registers<R>) -> &'r Block<R> {
        let Reg(result) = self.structure.scopes[id.0 as usize].result;
        &registers.scopes[id.0 as usize][result as usize]
    }

    /// Runs one scope for a block; its result stays in its registers.
    pub(crate) fn scope<const G: bool>(&self, id: ScopeId, call: Call<'_, R>, registers: &mut Registers<R>) {
        let Scope { ops, .. } = &self.structure.scopes[id.0 as usize];
        // A scope never calls itself, so its registers can be taken out while it runs.
        let mut own = std::mem::take(&mut registers.scopes[id.0 as usize]);
        match ops[..] {
            // What most octaves are: not worth looking through all that an operation may be.
            [Op::Lattice(basis, span)] => {
                self.lattice_of::<G>(basis, span, call, registers, None, &mut own[0]);
            }
            _ => self.ops::<G>(ops, &mut own, call, registers),
        }
        registers.scopes[id.0 as usize] = own;
    }

    // Not inlined: what it takes on the stack, every octave would.
    #[inline(never)]
    fn ops<const G: bool>(&self, ops: &[Op], own: &mut [Block<R>], call: Call<'_, R>, registers: &mut Registers<R>) {
        for (index, op) in ops.iter().enumerate() {
            let (done, rest) = own.split_at_mut(index);
            self.op::<G>(op, done, &mut rest[0], call, registers);
        }
    }

    /// A lattice noise in the frame of an instance; with an amplitude, added to what the block holds, or false if there is no code for that.
    #[inline(always)]
    pub(crate) fn lattice_of<const G: bool>(
        &self,
        noise: Basis,
        span: Span,
        call: Call<'_, R>,
        registers: &mut Registers<R>,
        amplitude: Option<R>,
        out: &mut Block<R>,
    ) -> bool {
        let (first, per_instance) = self.span(span);
        let frame = (first + call.instance * per_instance) as usize;
        if const { size_of::<R>() != 4 } || self.structure.periodic || call.simd.is_plain::<R>() {
            // Compiled with gradients only, as all that is seldom asked for. One number at a time goes here, too, whose branches cost little
            // where nothing repeats: none of the noises is compiled twice for that.
            basis::lattice::<R, true, true>(self, noise, call, frame, registers, amplitude, out)
        } else {
            basis::lattice::<R, G, false>(self, noise, call, frame, registers, amplitude, out)
        }
    }

    fn op<const G: bool>(&self, op: &Op, done: &[Block<R>], out: &mut Block<R>, call: Call<'_, R>, registers: &mut Registers<R>) {
        let Call { instance, .. } = call;
        let simd = call.simd;
        let x = |Reg(r): Reg| &done[r as usize];
        let number = |Scalar(s): Scalar| self.numbers.scalars[s as usize];
        match *op {
            Op::Constant(value) => {
                let value = number(value);
                each_vector!(simd, G, out, token, _at => jet::constant(R::Vector::splat(token, value)));
            }
            Op::Coordinate(part, span) => {
                let frame = (self.span(span).0 + instance) as usize;
                let linear = &self.numbers.frames[frame];
                let cells = self.cells(call, frame, 1, registers);
                each_lane!(simd, G, out, l => match part {
                    Part::Whole => frame::coordinate(&linear.columns, cells.cell[0][l], cells.fraction[0][l]),
                    Part::Fraction => frame::fraction(&linear.columns, cells.fraction[0][l]),
                });
                registers.cells.push(cells);
            }
            Op::Lattice(basis, span) => {
                self.lattice_of::<G>(basis, span, call, registers, None, out);
            }
            Op::ScaleOffset { x: a, scale, offset } => {
                let (a, scale, offset) = (x(a), number(scale), number(offset));
                each_vector!(simd, G, out, token, at => {
                    jet::scale_offset(a.load::<_, G>(token, at), R::Vector::splat(token, scale), R::Vector::splat(token, offset))
                });
            }
            Op::Clamp { x: a, low, high } => {
                let (a, low, high) = (x(a), number(low), number(high));
                each_vector!(simd, G, out, token, at => {
                    jet::clamp(a.load::<_, G>(token, at), R::Vector::splat(token, low), R::Vector::splat(token, high))
                });
            }
            Op::Abs(a) => {
                let a = x(a);
                each_vector!(simd, G, out, token, at => jet::abs(a.load::<_, G>(token, at)));
            }
            Op::Power { x: a, exponent } => {
                let (a, exponent) = (x(a), number(exponent));
                each_vector!(simd, G, out, token, at => power::signed(a.load::<_, G>(token, at), R::Vector::splat(token, exponent)));
            }
            Op::Add(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, G, out, token, at => jet::add(a.load::<_, G>(token, at), b.load::<_, G>(token, at)));
            }
            Op::Multiply(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, G, out, token, at => jet::multiply(a.load::<_, G>(token, at), b.load::<_, G>(token, at)));
            }
            Op::Min(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, G, out, token, at => jet::min_jet(a.load::<_, G>(token, at), b.load::<_, G>(token, at)));
            }
            Op::Max(a, b) => {
                let (a, b) = (x(a), x(b));
                each_vector!(simd, G, out, token, at => jet::max_jet(a.load::<_, G>(token, at), b.load::<_, G>(token, at)));
            }
            Op::Blend { a, b, mask } => {
                let (a, b, mask) = (x(a), x(b), x(mask));
                each_vector!(simd, G, out, token, at => {
                    jet::blend(a.load::<_, G>(token, at), b.load::<_, G>(token, at), mask.load::<_, G>(token, at))
                });
            }
            Op::Spline { x: a, points } => {
                let (start, count) = self.span(points);
                let (a, points) = (x(a), &self.numbers.points[start as usize..(start + count) as usize]);
                each_lane!(simd, G, out, l => spline::spline(points, a.get::<G>(l)));
            }
            Op::Curve { curve: kind, x: a, numbers } => {
                let (a, p) = (x(a), self.four(numbers));
                each_lane!(simd, G, out, l => curve::curve(kind, a.get::<G>(l), p));
            }
            Op::Raster { raster, sampling, outside, frames, fill, .. } => {
                let place = raster::Place { surface: &self.numbers.rasters[raster as usize], sampling, outside, fill: number(fill) };
                let frame = (self.span(frames).0 + instance) as usize;
                let linear = &self.numbers.frames[frame];
                let cells = self.cells(call, frame, 2, registers);
                each_lane!(simd, G, out, l => {
                    let cell = [cells.cell[0][l] as i32, cells.cell[1][l] as i32];
                    frame::world::<_, G>(&linear.columns, raster::raster(place, cell, [cells.fraction[0][l], cells.fraction[1][l]]))
                });
                registers.cells.push(cells);
            }
            Op::Polar(kind, span) => self.polar::<G>(kind, span, call, registers, out),
            Op::Sines { dimensions, frames, amplitudes } => match dimensions {
                1 => self.sines::<G, 1>((frames, amplitudes), call, registers, out),
                2 => self.sines::<G, 2>((frames, amplitudes), call, registers, out),
                _ => self.sines::<G, 3>((frames, amplitudes), call, registers, out),
            },
            Op::Fractal { body, octaves, accumulate, numbers } => {
                let [level, sharpness, weight, folds] = self.four(numbers);
                let (start, count) = self.span(octaves);
                let amplitudes = &self.numbers.series[start as usize..(start + count) as usize];
                let sum = octaves::Octaves { kind: accumulate, amplitudes, numbers: fractal::Numbers { level, sharpness, weight, folds } };
                self.fractal::<G>(body, sum, call, registers, out);
            }
            Op::Warp { body, by, frames } => self.warp::<G>(body, by.map(x), frames, call, registers, out),
            Op::Turbulence { body, by, frames } => self.turbulence::<G>(body, by, frames, call, out, registers),
            Op::Transform { body } => {
                self.scope::<G>(body, call, registers);
                let inner = self.result(body, registers);
                each_vector!(simd, G, out, token, at => inner.load::<_, G>(token, at));
            }
            Op::Slice { body, frames } => self.slice::<G>(body, frames, call, registers, out),
            Op::Mirror { body, frames } => self.mirror::<G>(body, frames, call, registers, out),
            Op::Quantise { body, frames } => self.quantise::<G>(body, frames, call, registers, out),
            Op::At { body, by } => self.at::<G>(body, by.map(x), call, registers, out),
        }
    }

    /// A polar coordinate.
    fn polar<const G: bool>(&self, kind: Polar, span: Span, call: Call<'_, R>, registers: &mut Registers<R>, out: &mut Block<R>) {
        let Call { simd, instance, .. } = call;
        let frame = (self.span(span).0 + instance) as usize;
        let linear = &self.numbers.frames[frame];
        let cells = self.cells(call, frame, 3, registers);
        each_lane!(simd, G, out, l => {
            let at = std::array::from_fn(|d| frame::number(cells.cell[d][l] as i32, cells.fraction[d][l]));
            frame::world::<_, G>(&linear.columns, polar::polar(kind, at))
        });
        registers.cells.push(cells);
    }

    /// A scope, displaced by three values.
    fn warp<const G: bool>(
        &self,
        body: ScopeId,
        by: [&Block<R>; 3],
        frames: Span,
        call: Call<'_, R>,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        let Call { simd, instance, .. } = call;
        let linear = &self.numbers.frames[(self.span(frames).0 + instance) as usize];
        let mut moved = registers.displacement();
        self.displacement(call, linear, by, &mut moved);
        self.scope::<G>(body, Call { displacement: Some(&moved), ..call }, registers);
        registers.displacements.push(moved);
        let inner = self.result(body, registers);
        each_vector!(simd, G, out, token, at => {
            let inner = inner.load::<_, G>(token, at);
            let by = [by[0].load::<_, G>(token, at), by[1].load::<_, G>(token, at), by[2].load::<_, G>(token, at)];
            jet::displaced(inner, frame::gradient(&linear.splat(token), inner.gradient), by)
        });
    }

    /// A scope at positions that three values are.
    fn at<const G: bool>(&self, body: ScopeId, by: [&Block<R>; 3], call: Call<'_, R>, registers: &mut Registers<R>, out: &mut Block<R>) {
        let simd = call.simd;
        let mut at = registers.displacement();
        for axis in 0..3 {
            at[axis][..simd.lanes].copy_from_slice(&by[axis].value[..simd.lanes]);
        }
        self.scope::<G>(body, Call { displacement: Some(&at), ..call }, registers);
        registers.displacements.push(at);
        let inner = self.result(body, registers);
        each_lane!(simd, G, out, l => jet::composed(inner.get::<G>(l), by.map(|b| b.get::<G>(l))));
    }

    /// A scope in a space of its own.
    // Not inlined: what it takes on the stack, every operation would.
    #[inline(never)]
    fn slice<const G: bool>(&self, body: ScopeId, frames: Span, call: Call<'_, R>, registers: &mut Registers<R>, out: &mut Block<R>) {
        let Call { simd, instance, displacement, .. } = call;
        let linear = &self.numbers.frames[(self.span(frames).0 + instance) as usize];
        let own = displacement.map(|outer| self.each_lane(call.simd, |l| frame::linear(&linear.columns, outer.each_ref().map(|d| d[l]))));
        self.scope::<G>(body, Call { displacement: own.as_ref(), ..call }, registers);
        let inner = self.result(body, registers);
        each_lane!(simd, G, out, l => frame::world::<_, G>(&linear.columns, inner.get::<G>(l)));
    }

    /// A scope as it is, and mirrored.
    fn mirror<const G: bool>(&self, body: ScopeId, frames: Span, call: Call<'_, R>, registers: &mut Registers<R>, out: &mut Block<R>) {
        let Call { simd, instance, .. } = call;
        let cells = self.cells(call, (self.span(frames).0 + instance) as usize, 1, registers);
        let near = |l: usize| (cells.cell[0][l] as i32) < 0;
        for side in 0..2 {
            if (0..simd.lanes).any(|l| near(l) == (side == 1)) {
                self.scope::<G>(body, Call { instance: instance * 2 + side, ..call }, registers);
                let inner = self.result(body, registers);
                for l in (0..simd.lanes).filter(|&l| near(l) == (side == 1)) {
                    out.set::<G>(l, inner.get::<G>(l));
                }
            }
        }
        registers.cells.push(cells);
    }

    /// A scope at the centres of cells.
    // Not inlined: what it takes on the stack, every operation would.
    #[inline(never)]
    fn quantise<const G: bool>(&self, body: ScopeId, frames: Span, call: Call<'_, R>, registers: &mut Registers<R>, out: &mut Block<R>) {
        let Call { simd, instance, .. } = call;
        let frame = (self.span(frames).0 + instance) as usize;
        let (cells, key) = (self.cells(call, frame, 3, registers), self.numbers.frames[frame].hash_key::<true>());
        let index = std::array::from_fn(|axis| cells.cell[axis].map(|cell| key.cell(axis, cell) ^ 0x8000_0000));
        registers.cells.push(cells);
        let site = Site::Cells { grids: call.site.grids(), index: &index };
        self.scope::<G>(body, Call { site: &site, displacement: None, ..call }, registers);
        let inner = self.result(body, registers);
        each_lane!(simd, G, out, l => jet::constant(inner.value[l]));
    }

    /// Sum of sines, one frame each.
    fn sines<const G: bool, const N: usize>(
        &self,
        (frames, amplitudes): (Span, Span),
        call: Call<'_, R>,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        let ((first, count), (start, _)) = (self.span(frames), self.span(amplitudes));
        let mut total = registers.block();
        vectorised!(R, call.simd, token => {
            let zero = jet::constant(R::Vector::splat(token, R::default()));
            for_vectors!(R, token, at => total.store::<_, G>(token, at, zero));
        });
        for k in 0..count {
            let frame = (first + call.instance * count + k) as usize;
            let linear = &self.numbers.frames[frame];
            let at = self.cells(call, frame, N, registers);
            let amplitude = self.numbers.series[(start + k) as usize];
            each_lane!(call.simd, G, total, l => {
                jet::accumulate_sum(total.get::<G>(l), frame::world::<_, G>(&linear.columns, sine::sine::<R, N>(at.fraction(l))), amplitude)
            });
            registers.cells.push(at);
        }
        each_vector!(call.simd, G, out, token, at => total.load::<_, G>(token, at));
        registers.blocks.push(total);
    }

    // Not inlined: what it takes on the stack, every operation would.
    #[inline(never)]
    fn turbulence<const G: bool>(
        &self,
        body: ScopeId,
        by: ScopeId,
        frames: Span,
        call: Call<'_, R>,
        out: &mut Block<R>,
        registers: &mut Registers<R>,
    ) {
        let (first, count) = self.span(frames);
        // Not on the stack: there may be a turbulence in each of 64 scopes.
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
                self.scope::<G>(by, Call { instance: 3 * own + axis, displacement: Some(&displacement), ..call }, registers);
                let inner = self.result(by, registers);
                each_lane!(call.simd, G, step, l => shift.jet(l, inner.get::<G>(l)));
            }
            let linear = &self.numbers.frames[(first + own) as usize];
            let [x, y, z] = &steps;
            vectorised!(R, call.simd, token => {
                for l in 0..token.every_lane() {
                    shift.add::<G>(l, linear, [x.get::<G>(l), y.get::<G>(l), z.get::<G>(l)]);
                }
            });
        }
        moved(&shift, &mut displacement);
        self.scope::<G>(body, Call { displacement: Some(&displacement), ..call }, registers);
        let inner = self.result(body, registers);
        each_lane!(call.simd, G, out, l => shift.jet(l, inner.get::<G>(l)));
        registers.blocks.extend(steps);
        registers.displacements.push(displacement);
        registers.shifts.push(shift);
    }

    /// The first `dimensions` coordinates of every lane in a frame.
    pub(crate) fn cells(&self, call: Call<'_, R>, frame: usize, dimensions: usize, registers: &mut Registers<R>) -> Box<Cells<R>> {
        let mut cells = registers.cells.pop().unwrap_or_else(|| boxed(Cells::new));
        cells.fill(call, (frame, self.linears(call, frame)), dimensions, &mut registers.kept[frame]);
        cells
    }

    /// Those of a displaced row, if they can be computed where they are needed.
    pub(crate) fn displaced<'r>(&self, call: Call<'r, R>, frame: usize, registers: &'r mut Registers<R>) -> Option<Displaced<'r, R>> {
        Displaced::of(call, (frame, self.linears(call, frame)), &mut registers.kept[frame])
    }

    /// A vector per lane.
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

    fn four(&self, Scalar(first): Scalar) -> [R; 4] {
        std::array::from_fn(|i| self.numbers.scalars[first as usize + i])
    }

    pub(crate) fn span(&self, Span(span): Span) -> (u32, u32) {
        let [start, count] = self.spans[span as usize];
        (start, count)
    }

    /// The displacement inside a warp: what comes from further out, plus the warp's own.
    fn displacement(&self, call: Call<'_, R>, linear: &Linear<R>, by: [&Block<R>; 3], all: &mut [Lanes<R>; 3]) {
        let Call { simd, displacement: outer, .. } = call;
        vectorised!(R, simd, token => {
            let columns = linear.splat(token);
            for_vectors!(R, token, at => {
                let by = [by[0].load::<_, false>(token, at), by[1].load::<_, false>(token, at), by[2].load::<_, false>(token, at)];
                let by = [by[0].value, by[1].value, by[2].value];
                // Products with 0 and their sums change no bit of what is displaced.
                let own = if linear.diagonal { jet::axes(|axis| columns[axis][axis] * by[axis]) } else { frame::linear(&columns, by) };
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
