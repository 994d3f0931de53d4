//! The evaluator: a program's operations over one block of samples.

use super::block::{Block, LANES, Lanes, each, for_packs, packs, width};
use super::frame::{self, Cells, Coordinates, Linear, Site};
use super::level::vectorised;
use super::octaves;
use super::pack::{Machine, Pack};
use super::real::{Real, unsigned_zero};
use super::row::Strip;
use super::shift::Shift;
use super::{curve, fractal, jet, polar, power, sine, spline};
use crate::program::{Op, Program, Reg, Scalar, Scope, ScopeId, Span, Structure};
use fearless_simd::Level;

/// A program's tables in the backend's own numbers.
pub(super) struct Numbers<R> {
    pub(super) scalars: Vec<R>,
    pub(super) frames: Vec<Linear<R>>,
    pub(super) series: Vec<R>,
    points: Vec<spline::Point<R>>,
}

/// A program ready to run on the CPU.
pub(super) struct Evaluator<'a, R> {
    pub(super) structure: &'a Structure,
    spans: &'a [[u32; 2]],
    pub(super) numbers: Numbers<R>,
    pub(super) level: Level,
}

/// What is kept from block to block.
pub(super) struct Registers<R> {
    /// Of every scope.
    scopes: Vec<Vec<Block<R>>>,
    /// Of every frame.
    pub(super) strips: Vec<Option<Box<Strip<R>>>>,
    /// To be used again.
    pub(super) cells: Vec<Box<Cells<R>>>,
}

/// Where a scope is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Place<'a, R> {
    pub(super) row: u32,
    pub(super) site: &'a Site<'a>,
    pub(super) displacement: Option<&'a [Lanes<R>; 3]>,
}

/// The lanes that there is room for.
#[inline(always)]
fn write<R: Real, M: Machine>(machine: M, lanes: &Lanes<R>, out: &mut [R]) {
    let width = width::<R, M>(machine);
    let whole = out.len() / width * width;
    for at in (0..whole).step_by(width) {
        // The sum of two zeros of different signs has none.
        (R::Pack::load(machine, lanes, at) + R::Pack::splat(machine, R::default())).store(out, at);
    }
    for at in whole..out.len() {
        out[at] = unsigned_zero(lanes[at]);
    }
}

impl<'a, R: Real> Evaluator<'a, R> {
    pub fn new(level: Level, program: &'a Program) -> Self {
        let tables = &program.tables;
        let all = |numbers: &[f64]| numbers.iter().map(|&x| R::of(x)).collect();
        let linear = |frame: &crate::frame::Frame| {
            let columns = [frame.local.x_axis, frame.local.y_axis, frame.local.z_axis].map(|column| column.to_array().map(R::of));
            Linear { columns, seed: frame.seed, period: frame.period }
        };
        let point = |p: &crate::program::SplinePoint| spline::Point {
            at: R::of(p.at),
            value: R::of(p.value),
            anchor: R::of(p.anchor),
            inverse_width: R::of(p.inverse_width),
        };
        let numbers = Numbers {
            scalars: all(&tables.scalars),
            frames: tables.frames.iter().map(linear).collect(),
            series: all(&tables.series),
            points: tables.points.iter().map(point).collect(),
        };
        Evaluator { structure: &program.structure, spans: &tables.spans, numbers, level }
    }

    pub fn registers(&self) -> Registers<R> {
        Registers {
            scopes: self.structure.scopes.iter().map(|scope| vec![Block::new(); scope.ops.len()]).collect(),
            strips: self.numbers.frames.iter().map(|_| None).collect(),
            cells: Vec::new(),
        }
    }

    /// Evaluates a block; `displacement` is what an anchored program takes, and no other.
    pub fn block(
        &self,
        registers: &mut Registers<R>,
        site: &Site<'_>,
        displacement: Option<&[Lanes<R>; 3]>,
        values: &mut [R],
        gradients: Option<&mut [[R; 3]]>,
    ) {
        let root = ScopeId(self.structure.scopes.len() as u32 - 1);
        let here = Place { row: 0, site, displacement };
        match gradients {
            None => self.scope::<false>(root, here, registers),
            Some(_) => self.scope::<true>(root, here, registers),
        }
        let out = self.result(root, registers);
        vectorised!(R, self.level, machine => {
            write(machine, &out.value, values);
            if let Some(gradients) = gradients {
                for (lane, gradient) in gradients.iter_mut().enumerate() {
                    *gradient = out.get::<true>(lane).gradient.map(unsigned_zero);
                }
            }
        });
    }

    pub(super) fn result<'r>(&self, id: ScopeId, registers: &'r Registers<R>) -> &'r Block<R> {
        let Reg(result) = self.structure.scopes[id.0 as usize].result;
        &registers.scopes[id.0 as usize][result as usize]
    }

    /// Runs one scope for a block; its result stays in its registers.
    pub(super) fn scope<const G: bool>(&self, id: ScopeId, here: Place<'_, R>, registers: &mut Registers<R>) {
        let Scope { ops, .. } = &self.structure.scopes[id.0 as usize];
        // A scope never calls itself, so its registers can be taken out while it runs.
        let mut own = std::mem::take(&mut registers.scopes[id.0 as usize]);
        for (index, op) in ops.iter().enumerate() {
            let (done, rest) = own.split_at_mut(index);
            self.op::<G>(op, done, &mut rest[0], here, registers);
        }
        registers.scopes[id.0 as usize] = own;
    }

    fn op<const G: bool>(&self, op: &Op, done: &[Block<R>], out: &mut Block<R>, here: Place<'_, R>, registers: &mut Registers<R>) {
        let Place { row, displacement, .. } = here;
        let level = self.level;
        let x = |Reg(r): Reg| &done[r as usize];
        let number = |Scalar(s): Scalar| self.numbers.scalars[s as usize];
        match *op {
            Op::Constant(value) => {
                let value = number(value);
                packs!(level, G, out, machine, _at => jet::constant(R::Pack::splat(machine, value)));
            }
            Op::Coordinate(span) => {
                let frame = (self.span(span).0 + row) as usize;
                let linear = &self.numbers.frames[frame];
                let cells = self.cells(here, frame, 1, registers);
                each!(level, G, out, l => frame::coordinate(linear, cells.cell[0][l], cells.fraction[0][l]));
                registers.cells.push(cells);
            }
            Op::Lattice(basis, span) => {
                let (first, per_row) = self.span(span);
                let frame = (first + row * per_row) as usize;
                if self.structure.periodic {
                    self.lattice::<G, true>(basis, here, frame, registers, out);
                } else {
                    self.lattice::<G, false>(basis, here, frame, registers, out);
                }
            }
            Op::ScaleOffset { x: a, scale, offset } => {
                let (a, scale, offset) = (x(a), number(scale), number(offset));
                packs!(level, G, out, machine, at => {
                    jet::scale_offset(a.load::<_, G>(machine, at), R::Pack::splat(machine, scale), R::Pack::splat(machine, offset))
                });
            }
            Op::Clamp { x: a, low, high } => {
                let (a, low, high) = (x(a), number(low), number(high));
                packs!(level, G, out, machine, at => {
                    jet::clamp(a.load::<_, G>(machine, at), R::Pack::splat(machine, low), R::Pack::splat(machine, high))
                });
            }
            Op::Abs(a) => {
                let a = x(a);
                packs!(level, G, out, machine, at => jet::abs(a.load::<_, G>(machine, at)));
            }
            Op::Power { x: a, exponent } => {
                let (a, exponent) = (x(a), number(exponent));
                each!(level, G, out, l => power::signed(a.get::<G>(l), exponent));
            }
            Op::Add(a, b) => {
                let (a, b) = (x(a), x(b));
                packs!(level, G, out, machine, at => jet::add(a.load::<_, G>(machine, at), b.load::<_, G>(machine, at)));
            }
            Op::Multiply(a, b) => {
                let (a, b) = (x(a), x(b));
                packs!(level, G, out, machine, at => jet::multiply(a.load::<_, G>(machine, at), b.load::<_, G>(machine, at)));
            }
            Op::Min(a, b) => {
                let (a, b) = (x(a), x(b));
                packs!(level, G, out, machine, at => jet::min_jet(a.load::<_, G>(machine, at), b.load::<_, G>(machine, at)));
            }
            Op::Max(a, b) => {
                let (a, b) = (x(a), x(b));
                packs!(level, G, out, machine, at => jet::max_jet(a.load::<_, G>(machine, at), b.load::<_, G>(machine, at)));
            }
            Op::Blend { a, b, mask } => {
                let (a, b, mask) = (x(a), x(b), x(mask));
                packs!(level, G, out, machine, at => {
                    jet::blend(a.load::<_, G>(machine, at), b.load::<_, G>(machine, at), mask.load::<_, G>(machine, at))
                });
            }
            Op::Spline { x: a, points } => {
                let (start, count) = self.span(points);
                let (a, points) = (x(a), &self.numbers.points[start as usize..(start + count) as usize]);
                each!(level, G, out, l => spline::spline(points, a.get::<G>(l)));
            }
            Op::Curve { curve: kind, x: a, numbers } => {
                let (a, p) = (x(a), self.four(numbers));
                each!(level, G, out, l => curve::curve(kind, a.get::<G>(l), p));
            }
            Op::Polar(kind, span) => {
                let frame = (self.span(span).0 + row) as usize;
                let linear = &self.numbers.frames[frame];
                let cells = self.cells(here, frame, 3, registers);
                each!(level, G, out, l => {
                    let at = std::array::from_fn(|d| frame::number(cells.cell[d][l] as i32, cells.fraction[d][l]));
                    frame::world(&linear.columns, polar::polar(kind, at))
                });
                registers.cells.push(cells);
            }
            Op::Sines { dimensions, frames, amplitudes } => match dimensions {
                1 => self.sines::<G, 1>((frames, amplitudes), here, registers, out),
                2 => self.sines::<G, 2>((frames, amplitudes), here, registers, out),
                _ => self.sines::<G, 3>((frames, amplitudes), here, registers, out),
            },
            Op::Fractal { body, octaves, accumulate, numbers } => {
                let [bias, sharpness, share, folds] = self.four(numbers);
                let sum = octaves::Sum {
                    kind: accumulate,
                    amplitudes: {
                        let (start, count) = self.span(octaves);
                        &self.numbers.series[start as usize..(start + count) as usize]
                    },
                    numbers: fractal::Numbers { level: bias, sharpness, weight: share, folds },
                };
                self.fractal::<G>(body, sum, here, registers, out);
            }
            Op::Warp { body, by, frames } => {
                let linear = &self.numbers.frames[(self.span(frames).0 + row) as usize];
                let by = by.map(x);
                let moved = self.displacement(linear, by, displacement);
                self.scope::<G>(body, Place { displacement: Some(&moved), ..here }, registers);
                let inner = self.result(body, registers);
                packs!(level, G, out, machine, at => {
                    let inner = inner.load::<_, G>(machine, at);
                    let by = [by[0].load::<_, G>(machine, at), by[1].load::<_, G>(machine, at), by[2].load::<_, G>(machine, at)];
                    jet::displaced(inner, frame::gradient(&linear.packs(machine), inner.gradient), by)
                });
            }
            Op::Turbulence { body, by, frames } => self.turbulence::<G>(body, by, frames, here, out, registers),
            Op::Transform { body } => {
                self.scope::<G>(body, here, registers);
                out.clone_from(self.result(body, registers));
            }
            Op::Slice { body, frames } => {
                let linear = &self.numbers.frames[(self.span(frames).0 + row) as usize];
                let own = displacement.map(|outer| self.each_lane(|l| frame::linear(&linear.columns, outer.each_ref().map(|d| d[l]))));
                self.scope::<G>(body, Place { displacement: own.as_ref(), ..here }, registers);
                let inner = self.result(body, registers);
                each!(level, G, out, l => frame::world(&linear.columns, inner.get::<G>(l)));
            }
            Op::Mirror { body, frames } => {
                let cells = self.cells(here, (self.span(frames).0 + row) as usize, 1, registers);
                let near = |l: usize| (cells.cell[0][l] as i32) < 0;
                for side in 0..2 {
                    if (0..LANES).any(|l| near(l) == (side == 1)) {
                        self.scope::<G>(body, Place { row: row * 2 + side, ..here }, registers);
                        let inner = self.result(body, registers);
                        for l in (0..LANES).filter(|&l| near(l) == (side == 1)) {
                            out.set::<G>(l, inner.get::<G>(l));
                        }
                    }
                }
                registers.cells.push(cells);
            }
            Op::Quantise { body, frames } => {
                let frame = (self.span(frames).0 + row) as usize;
                let (cells, key) = (self.cells(here, frame, 3, registers), self.numbers.frames[frame].key::<true>());
                let index = std::array::from_fn(|axis| cells.cell[axis].map(|cell| key.cell(axis, cell) ^ 0x8000_0000));
                registers.cells.push(cells);
                let site = Site::Cells { grids: here.site.grids(), index: &index };
                self.scope::<G>(body, Place { row, site: &site, displacement: None }, registers);
                let inner = self.result(body, registers);
                each!(level, G, out, l => jet::constant(inner.value[l]));
            }
            Op::At { body, by } => {
                let by = by.map(x);
                let at = by.map(|b| b.value);
                self.scope::<G>(body, Place { displacement: Some(&at), ..here }, registers);
                let inner = self.result(body, registers);
                each!(level, G, out, l => jet::composed(inner.get::<G>(l), by.map(|b| b.get::<G>(l))));
            }
        }
    }

    /// Sum of sines, one frame each.
    fn sines<const G: bool, const N: usize>(
        &self,
        (frames, amplitudes): (Span, Span),
        here: Place<'_, R>,
        registers: &mut Registers<R>,
        out: &mut Block<R>,
    ) {
        let ((first, count), (start, _)) = (self.span(frames), self.span(amplitudes));
        let mut total = Block::new();
        for k in 0..count {
            let frame = (first + here.row * count + k) as usize;
            let linear = &self.numbers.frames[frame];
            let at = self.cells(here, frame, N, registers);
            let amplitude = self.numbers.series[(start + k) as usize];
            each!(self.level, G, total, l => {
                jet::accumulate_sum(total.get::<G>(l), frame::world(&linear.columns, sine::sine::<R, N>(at.fraction(l))), amplitude)
            });
            registers.cells.push(at);
        }
        *out = total;
    }

    fn turbulence<const G: bool>(
        &self,
        body: ScopeId,
        by: ScopeId,
        frames: Span,
        here: Place<'_, R>,
        out: &mut Block<R>,
        registers: &mut Registers<R>,
    ) {
        let (first, count) = self.span(frames);
        let mut shift = Shift::none();
        let moved = |shift: &Shift<R>| match here.displacement {
            Some(outer) => self.each_lane(|l| jet::axes(|a| outer[a][l] + shift.value[a][l])),
            None => shift.value,
        };
        let mut steps = [const { None }; 3];
        for own in here.row * count..here.row * count + count {
            let displacement = moved(&shift);
            for (axis, step) in (0..3).zip(&mut steps) {
                self.scope::<G>(by, Place { row: 3 * own + axis, displacement: Some(&displacement), ..here }, registers);
                let inner = self.result(by, registers);
                let step = step.get_or_insert_with(Block::new);
                each!(self.level, G, step, l => shift.jet(l, inner.get::<G>(l)));
            }
            let linear = &self.numbers.frames[(first + own) as usize];
            if let [Some(x), Some(y), Some(z)] = &steps {
                vectorised!(R, self.level, _simd => {
                    for l in 0..LANES {
                        shift.add::<G>(l, linear, [x.get::<G>(l), y.get::<G>(l), z.get::<G>(l)]);
                    }
                });
            }
        }
        let displacement = moved(&shift);
        self.scope::<G>(body, Place { displacement: Some(&displacement), ..here }, registers);
        let inner = self.result(body, registers);
        each!(self.level, G, out, l => shift.jet(l, inner.get::<G>(l)));
    }

    /// The first `dimensions` coordinates of a block in a frame.
    pub(super) fn coordinates<'r>(&'r self, here: Place<'r, R>, frame: usize, dimensions: usize) -> Coordinates<'r, R> {
        Coordinates::new(here.site, frame, &self.numbers.frames[frame], here.displacement, dimensions)
    }

    /// The same, of every lane.
    fn cells(&self, here: Place<'_, R>, frame: usize, dimensions: usize, registers: &mut Registers<R>) -> Box<Cells<R>> {
        self.stored(&self.coordinates(here, frame, dimensions), dimensions, registers)
    }

    /// The first `dimensions` of these coordinates, of every lane.
    pub(super) fn stored(&self, position: &Coordinates<'_, R>, dimensions: usize, registers: &mut Registers<R>) -> Box<Cells<R>> {
        let mut cells = registers.cells.pop().unwrap_or_else(|| Box::new(Cells::new()));
        position.store(self.level, dimensions, &mut cells);
        cells
    }

    /// A vector per lane.
    #[inline(always)]
    fn each_lane(&self, vector: impl Fn(usize) -> [R; 3]) -> [Lanes<R>; 3] {
        let mut all = [[R::default(); LANES]; 3];
        vectorised!(R, self.level, _simd => {
            for lane in 0..LANES {
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

    pub(super) fn span(&self, Span(span): Span) -> (u32, u32) {
        let [start, count] = self.spans[span as usize];
        (start, count)
    }

    /// The displacement inside a warp: what comes from further out, plus the warp's own.
    fn displacement(&self, linear: &Linear<R>, by: [&Block<R>; 3], outer: Option<&[Lanes<R>; 3]>) -> [Lanes<R>; 3] {
        let mut all = [[R::default(); LANES]; 3];
        vectorised!(R, self.level, machine => {
            let columns = linear.packs(machine);
            for_packs!(R, machine, at => {
                let by = [by[0].load::<_, false>(machine, at), by[1].load::<_, false>(machine, at), by[2].load::<_, false>(machine, at)];
                let own = frame::linear(&columns, [by[0].value, by[1].value, by[2].value]);
                for axis in 0..3 {
                    let moved = match outer {
                        Some(outer) => R::Pack::load(machine, &outer[axis], at) + own[axis],
                        None => own[axis],
                    };
                    moved.store(&mut all[axis], at);
                }
            });
        });
        all
    }
}
