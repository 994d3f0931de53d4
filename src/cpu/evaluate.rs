//! The evaluator: a program's operations over one block of samples.

use super::block::{Block, LANES, Lanes, each};
use super::frame::{self, Cells, Linear, Site};
use super::interpolate::interpolate;
use super::real::{Real, unsigned_zero};
use super::shift::Shift;
use super::{curve, fractal, hexagonal, jet, lattice, permutation289, polar, power, row, simplex, sine, spline, white, worley};
use crate::graph::{Accumulate, Interpolation};
use crate::program::{Basis, Op, Program, Reg, Scalar, Scope, ScopeId, Span, Structure};
use fearless_simd::{Level, dispatch};

/// A program's tables in the backend's own numbers.
struct Numbers<R> {
    scalars: Vec<R>,
    frames: Vec<Linear<R>>,
    series: Vec<R>,
    points: Vec<spline::Point<R>>,
}

/// A program ready to run on the CPU.
pub(super) struct Evaluator<'a, R> {
    structure: &'a Structure,
    spans: &'a [[u32; 2]],
    numbers: Numbers<R>,
    level: Level,
}

/// Registers of every scope, kept from block to block.
pub(super) type Registers<R> = Vec<Vec<Block<R>>>;

/// Where a scope is evaluated.
#[derive(Clone, Copy)]
struct Place<'a, R> {
    row: u32,
    site: &'a Site<'a>,
    displacement: Option<&'a [Lanes<R>; 3]>,
}

impl<'a, R: Real> Evaluator<'a, R> {
    pub fn new(program: &'a Program) -> Self {
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
        Evaluator { structure: &program.structure, spans: &tables.spans, numbers, level: Level::new() }
    }

    pub fn registers(&self) -> Registers<R> {
        self.structure.scopes.iter().map(|scope| vec![Block::new(); scope.ops.len()]).collect()
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
        let out = match gradients {
            None => {
                self.scope::<false>(root, here, registers);
                self.result(root, registers)
            }
            Some(gradients) => {
                self.scope::<true>(root, here, registers);
                let out = self.result(root, registers);
                for (lane, gradient) in gradients.iter_mut().enumerate() {
                    *gradient = out.get::<true>(lane).gradient.map(unsigned_zero);
                }
                out
            }
        };
        for (value, computed) in values.iter_mut().zip(&out.value) {
            *value = unsigned_zero(*computed);
        }
    }

    fn result<'r>(&self, id: ScopeId, registers: &'r Registers<R>) -> &'r Block<R> {
        let Reg(result) = self.structure.scopes[id.0 as usize].result;
        &registers[id.0 as usize][result as usize]
    }

    /// Runs one scope for a block; its result stays in its registers.
    fn scope<const G: bool>(&self, id: ScopeId, here: Place<'_, R>, registers: &mut Registers<R>) {
        let Scope { ops, .. } = &self.structure.scopes[id.0 as usize];
        // A scope never calls itself, so its registers can be taken out while it runs.
        let mut own = std::mem::take(&mut registers[id.0 as usize]);
        for (index, op) in ops.iter().enumerate() {
            let (done, rest) = own.split_at_mut(index);
            self.op::<G>(op, done, &mut rest[0], here, registers);
        }
        registers[id.0 as usize] = own;
    }

    fn op<const G: bool>(&self, op: &Op, done: &[Block<R>], out: &mut Block<R>, here: Place<'_, R>, registers: &mut Registers<R>) {
        let Place { row, displacement, .. } = here;
        let level = self.level;
        let x = |Reg(r): Reg| &done[r as usize];
        let number = |Scalar(s): Scalar| self.numbers.scalars[s as usize];
        match *op {
            Op::Constant(value) => each!(level, G, out, lane => jet::constant(number(value))),
            Op::Coordinate(span) => {
                let frame = (self.span(span).0 + row) as usize;
                let linear = &self.numbers.frames[frame];
                let cells = self.cells(here, frame, 1);
                each!(level, G, out, l => frame::coordinate(linear, cells.cell[0][l], cells.fraction[0][l]));
            }
            Op::Lattice(basis, span) => {
                let (first, per_row) = self.span(span);
                let frame = (first + row * per_row) as usize;
                if self.structure.periodic {
                    self.lattice::<G, true>(basis, here, frame, out);
                } else {
                    self.lattice::<G, false>(basis, here, frame, out);
                }
            }
            Op::ScaleOffset { x: a, scale, offset } => {
                let (a, scale, offset) = (x(a), number(scale), number(offset));
                each!(level, G, out, l => jet::scale_offset(a.get::<G>(l), scale, offset));
            }
            Op::Clamp { x: a, low, high } => {
                let (a, low, high) = (x(a), number(low), number(high));
                each!(level, G, out, l => jet::clamp(a.get::<G>(l), low, high));
            }
            Op::Abs(a) => {
                let a = x(a);
                each!(level, G, out, l => jet::abs(a.get::<G>(l)));
            }
            Op::Power { x: a, exponent } => {
                let (a, exponent) = (x(a), number(exponent));
                each!(level, G, out, l => power::signed(a.get::<G>(l), exponent));
            }
            Op::Add(a, b) => each!(level, G, out, l => jet::add(x(a).get::<G>(l), x(b).get::<G>(l))),
            Op::Multiply(a, b) => each!(level, G, out, l => jet::multiply(x(a).get::<G>(l), x(b).get::<G>(l))),
            Op::Min(a, b) => each!(level, G, out, l => jet::min_jet(x(a).get::<G>(l), x(b).get::<G>(l))),
            Op::Max(a, b) => each!(level, G, out, l => jet::max_jet(x(a).get::<G>(l), x(b).get::<G>(l))),
            Op::Blend { a, b, mask } => {
                let (a, b, mask) = (x(a), x(b), x(mask));
                each!(level, G, out, l => jet::blend(a.get::<G>(l), b.get::<G>(l), mask.get::<G>(l)));
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
                let cells = self.cells(here, frame, 3);
                each!(level, G, out, l => {
                    let at = std::array::from_fn(|d| frame::number(cells.cell[d][l], cells.fraction[d][l]));
                    frame::world(linear, polar::polar(kind, at))
                });
            }
            Op::Sines { dimensions, frames, amplitudes } => match dimensions {
                1 => self.sines::<G, 1>(frames, amplitudes, here, out),
                2 => self.sines::<G, 2>(frames, amplitudes, here, out),
                _ => self.sines::<G, 3>(frames, amplitudes, here, out),
            },
            Op::Fractal { body, octaves, accumulate, numbers } => {
                let (start, count) = self.span(octaves);
                let mut total = Block::new();
                let mut weight = Block::new();
                each!(level, G, weight, _l => jet::constant(R::of(1.0)));
                let [bias, sharpness, share, folds] = self.four(numbers);
                let p = fractal::Numbers { level: bias, sharpness, weight: share, folds };
                for k in 0..count {
                    self.scope::<G>(body, Place { row: row * count + k, ..here }, registers);
                    let octave = self.result(body, registers);
                    let amplitude = self.numbers.series[(start + k) as usize];
                    // A loop for each kind: the compiler does not take a choice of seven out of one.
                    macro_rules! accumulate {
                        ($kind:expr) => {
                            dispatch!(level, _simd => {
                                let (amplitude, p) = (amplitude, p);
                                for l in 0..LANES {
                                    let sum = fractal::Sum { total: total.get::<G>(l), weight: weight.get::<G>(l) };
                                    let sum = fractal::accumulate($kind, sum, octave.get::<G>(l), amplitude, p);
                                    total.set::<G>(l, sum.total);
                                    weight.set::<G>(l, sum.weight);
                                }
                            })
                        };
                    }
                    match accumulate {
                        Accumulate::Sum => {
                            each!(level, G, total, l => jet::accumulate_sum(total.get::<G>(l), octave.get::<G>(l), amplitude));
                        }
                        Accumulate::Lerp => {
                            each!(level, G, total, l => jet::accumulate_lerp(total.get::<G>(l), octave.get::<G>(l), amplitude));
                        }
                        Accumulate::Weighted => accumulate!(Accumulate::Weighted),
                        Accumulate::Billow => accumulate!(Accumulate::Billow),
                        Accumulate::Ridged => accumulate!(Accumulate::Ridged),
                        Accumulate::Pingpong => accumulate!(Accumulate::Pingpong),
                        Accumulate::Multifractal => accumulate!(Accumulate::Multifractal),
                        Accumulate::Hybrid => accumulate!(Accumulate::Hybrid),
                        Accumulate::Heterogeneous => accumulate!(Accumulate::Heterogeneous),
                    }
                }
                *out = total;
            }
            Op::Warp { body, by, frames } => {
                let linear = &self.numbers.frames[(self.span(frames).0 + row) as usize];
                let by = by.map(x);
                let moved = self.displacement(linear, by, displacement);
                self.scope::<G>(body, Place { displacement: Some(&moved), ..here }, registers);
                let inner = self.result(body, registers);
                each!(level, G, out, l => {
                    let inner = inner.get::<G>(l);
                    jet::displaced(inner, frame::gradient(linear, inner.gradient), by.map(|b| b.get::<G>(l)))
                });
            }
            Op::Turbulence { body, by, frames } => self.turbulence::<G>(body, by, frames, here, out, registers),
            Op::Transform { body } => {
                self.scope::<G>(body, here, registers);
                out.clone_from(self.result(body, registers));
            }
            Op::Slice { body, frames } => {
                let linear = &self.numbers.frames[(self.span(frames).0 + row) as usize];
                let own = displacement.map(|outer| self.each_lane(|l| frame::linear(linear, outer.each_ref().map(|d| d[l]))));
                self.scope::<G>(body, Place { displacement: own.as_ref(), ..here }, registers);
                let inner = self.result(body, registers);
                each!(level, G, out, l => frame::world(linear, inner.get::<G>(l)));
            }
            Op::Mirror { body, frames } => {
                let cells = self.cells(here, (self.span(frames).0 + row) as usize, 1);
                let near = |l: usize| cells.cell[0][l] < 0;
                for side in 0..2 {
                    if (0..LANES).any(|l| near(l) == (side == 1)) {
                        self.scope::<G>(body, Place { row: row * 2 + side, ..here }, registers);
                        let inner = self.result(body, registers);
                        for l in (0..LANES).filter(|&l| near(l) == (side == 1)) {
                            out.set::<G>(l, inner.get::<G>(l));
                        }
                    }
                }
            }
            Op::Quantise { body, frames } => {
                let frame = (self.span(frames).0 + row) as usize;
                let (cells, key) = (self.cells(here, frame, 3), self.numbers.frames[frame].key::<true>());
                let index = std::array::from_fn(|axis| cells.cell[axis].map(|cell| key.cell(axis, cell) ^ 0x8000_0000));
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
    fn sines<const G: bool, const N: usize>(&self, frames: Span, amplitudes: Span, here: Place<'_, R>, out: &mut Block<R>) {
        let ((first, count), (start, _)) = (self.span(frames), self.span(amplitudes));
        let mut total = Block::new();
        for k in 0..count {
            let frame = (first + here.row * count + k) as usize;
            let linear = &self.numbers.frames[frame];
            let at = self.cells(here, frame, N);
            let amplitude = self.numbers.series[(start + k) as usize];
            each!(self.level, G, total, l => {
                jet::accumulate_sum(total.get::<G>(l), frame::world(linear, sine::sine::<R, N>(at.fraction(l))), amplitude)
            });
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
                dispatch!(self.level, _simd => {
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

    /// A vector per lane.
    #[inline(always)]
    fn each_lane(&self, vector: impl Fn(usize) -> [R; 3]) -> [Lanes<R>; 3] {
        let mut all = [[R::default(); LANES]; 3];
        dispatch!(self.level, _simd => {
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

    fn span(&self, Span(span): Span) -> (u32, u32) {
        let [start, count] = self.spans[span as usize];
        (start, count)
    }

    #[inline(always)]
    fn cells(&self, Place { site, displacement, .. }: Place<'_, R>, frame: usize, dimensions: usize) -> Cells<R> {
        let mut cells = Cells::new();
        let linear = &self.numbers.frames[frame];
        dispatch!(self.level, _simd => {
            cells.fill(site, frame, dimensions);
            if let Some(displacement) = displacement {
                cells.displace(linear, displacement, dimensions);
            }
        });
        cells
    }

    /// Value or Perlin noise along a row in which nothing but x changes; false if this is none.
    fn row<const G: bool, const SLOPED: bool>(
        &self,
        (dimensions, kind): (u32, Interpolation),
        Place { site, displacement, .. }: Place<'_, R>,
        frame: usize,
        out: &mut Block<R>,
    ) -> bool {
        let (Site::Region { grids, index }, None) = (*site, displacement) else { return false };
        let (grid, linear) = (&grids[frame], &self.numbers.frames[frame]);
        match dimensions {
            1 => row::block::<R, G, 1, 1, SLOPED>(self.level, grid, index, linear, kind, out),
            2 if G => row::block::<R, G, 2, 2, SLOPED>(self.level, grid, index, linear, kind, out),
            2 => row::block::<R, G, 2, 1, SLOPED>(self.level, grid, index, linear, kind, out),
            3 if G => row::block::<R, G, 3, 3, SLOPED>(self.level, grid, index, linear, kind, out),
            3 => row::block::<R, G, 3, 1, SLOPED>(self.level, grid, index, linear, kind, out),
            _ => false,
        }
    }

    fn lattice<const G: bool, const W: bool>(&self, basis: Basis, here: Place<'_, R>, frame: usize, out: &mut Block<R>) {
        let coherent = match basis {
            Basis::Value(dimensions, kind) if !W => self.row::<G, false>((dimensions, kind), here, frame, out),
            Basis::Perlin(dimensions, kind) if !W => self.row::<G, true>((dimensions, kind), here, frame, out),
            _ => false,
        };
        if coherent {
            return;
        }
        let linear = &self.numbers.frames[frame];
        let at = self.cells(here, frame, basis.dimensions().min(3));
        let level = self.level;
        let key = linear.key::<W>();
        match basis {
            Basis::Simplex2 => each!(level, G, out, l => frame::world(linear, simplex::simplex_2(at.cell(l), at.fraction(l), key))),
            Basis::Simplex3 => each!(level, G, out, l => frame::world(linear, simplex::simplex_3(at.cell(l), at.fraction(l), key))),
            Basis::Simplex4 => {
                let (along, fourth) = (&self.numbers.frames[frame + 1], self.cells(here, frame + 1, 1));
                each!(level, G, out, l => {
                    let ([x, y, z], [fx, fy, fz]) = (at.cell(l).map(|c| c as u32), at.fraction(l));
                    let n = simplex::simplex_4([x, y, z, fourth.cell[0][l] as u32], [fx, fy, fz, fourth.fraction[0][l]], key);
                    frame::world_4(linear, along, n)
                });
            }
            Basis::Permutation289 => {
                each!(level, G, out, l => frame::world(linear, permutation289::simplex(at.cell(l), at.fraction(l), key)));
            }
            Basis::Value(dimensions, interpolation) => match dimensions {
                1 => self.cubic::<G, W, 1>(linear, &at, interpolation, false, out),
                2 => self.cubic::<G, W, 2>(linear, &at, interpolation, false, out),
                3 => self.cubic::<G, W, 3>(linear, &at, interpolation, false, out),
                _ => self.cubic_4::<G, W>(linear, &at, &self.cells(here, frame + 1, 1), interpolation, false, out),
            },
            Basis::Perlin(dimensions, interpolation) => match dimensions {
                1 => self.cubic::<G, W, 1>(linear, &at, interpolation, true, out),
                2 => self.cubic::<G, W, 2>(linear, &at, interpolation, true, out),
                3 => self.cubic::<G, W, 3>(linear, &at, interpolation, true, out),
                _ => self.cubic_4::<G, W>(linear, &at, &self.cells(here, frame + 1, 1), interpolation, true, out),
            },
            Basis::SineHash(1) => each!(level, G, out, l => white::sine::<R, 1, W>(at.cell(l), key)),
            Basis::SineHash(2) => each!(level, G, out, l => white::sine::<R, 2, W>(at.cell(l), key)),
            Basis::SineHash(_) => each!(level, G, out, l => white::sine::<R, 3, W>(at.cell(l), key)),
            Basis::Hexagonal => each!(level, G, out, l => hexagonal::hashed(at.cell(l), at.fraction(l), key)),
            Basis::HexagonalTables(span) => {
                let (start, count) = self.span(span);
                let tables = &self.numbers.series[start as usize..(start + count) as usize];
                each!(level, G, out, l => hexagonal::tabled(at.cell(l), at.fraction(l), tables, key));
            }
            Basis::Worley(shape, Scalar(first)) => {
                worley::block::<R, G, W>(level, &at, linear, shape, &self.numbers.scalars[first as usize..][..shape.numbers()], out);
            }
        }
    }

    /// Value or Perlin noise.
    fn cubic<const G: bool, const W: bool, const N: usize>(
        &self,
        linear: &Linear<R>,
        at: &Cells<R>,
        kind: Interpolation,
        perlin: bool,
        out: &mut Block<R>,
    ) {
        macro_rules! noise {
            ($noise:path, $kind:expr) => {
                each!(self.level, G, out, l => {
                    let f: [R; N] = std::array::from_fn(|d| at.fraction[d][l]);
                    let cell = std::array::from_fn(|d| at.cell[d][l]);
                    frame::world(linear, $noise(cell, f, linear.key::<W>(), f.map(|f| interpolate($kind, f))))
                })
            };
        }
        // The usual interpolation compiled on its own; the others choose theirs inside the loop.
        match (perlin, kind) {
            (true, Interpolation::Quintic) => noise!(lattice::perlin, Interpolation::Quintic),
            (true, kind) => noise!(lattice::perlin, kind),
            (false, Interpolation::Quintic) => noise!(lattice::value_noise, Interpolation::Quintic),
            (false, kind) => noise!(lattice::value_noise, kind),
        }
    }

    /// Value or Perlin noise in 4D.
    fn cubic_4<const G: bool, const W: bool>(
        &self,
        linear: &Linear<R>,
        at: &Cells<R>,
        fourth: &Cells<R>,
        kind: Interpolation,
        perlin: bool,
        out: &mut Block<R>,
    ) {
        let key = linear.key::<W>();
        each!(self.level, G, out, l => {
            let ([x, y, z], [fx, fy, fz]) = (at.cell(l), at.fraction(l));
            let (cell, f) = ([x, y, z, fourth.cell[0][l]], [fx, fy, fz, fourth.fraction[0][l]]);
            let weights = f.map(|f| interpolate(kind, f));
            frame::world(linear, if perlin { lattice::perlin(cell, f, key, weights) } else { lattice::value_noise(cell, f, key, weights) })
        });
    }

    /// The displacement inside a warp: what comes from further out, plus the warp's own.
    fn displacement(&self, linear: &Linear<R>, by: [&Block<R>; 3], outer: Option<&[Lanes<R>; 3]>) -> [Lanes<R>; 3] {
        self.each_lane(|lane| {
            let own = frame::linear(linear, by.map(|b| b.value[lane]));
            jet::axes(|axis| outer.map_or(own[axis], |outer| outer[axis][lane] + own[axis]))
        })
    }
}
