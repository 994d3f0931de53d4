//! The CPU backend: the program's operations over blocks of samples, in f32 (the GPU's twin, SIMD) and f64 (the oracle).
//!
//! Every file beside this one that has a namesake in `shaders/lib/` holds the same functions in the same order of
//! operations, generic over [`Real`]. Plain scalar code in loops over lanes; the compiler vectorises it once per
//! instruction set.

mod block;
mod frame;
mod hash;
mod interpolate;
mod jet;
mod lattice;
mod permutation289;
mod power;
mod real;
mod root;
mod simplex;
mod spline;
mod worley;

pub use real::Real;
use real::unsigned_zero;

use crate::graph::{Accumulate, Interpolation};
use crate::program::{Basis, Op, Program, ProgramError, Reg, Scalar, Scope, ScopeId, Span, Structure};
use crate::region::Region;
use block::{Block, LANES, Lanes, each};
use fearless_simd::{Level, dispatch};
use frame::{Cells, Linear, Site};
use interpolate::interpolate;
use rayon::prelude::*;

/// Values, and gradients if they were asked for, in memory order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples<R> {
    /// One value per sample.
    pub values: Vec<R>,
    /// One gradient per sample, per world unit.
    pub gradients: Option<Vec<[R; 3]>>,
}

/// A program's tables in the backend's own numbers.
struct Numbers<R> {
    scalars: Vec<R>,
    frames: Vec<Linear<R>>,
    octaves: Vec<R>,
    points: Vec<spline::Point<R>>,
}

/// A program ready to run on the CPU.
struct Evaluator<'a, R> {
    structure: &'a Structure,
    spans: &'a [[u32; 2]],
    numbers: Numbers<R>,
    level: Level,
}

/// Registers of every scope, kept from block to block.
type Registers<R> = Vec<Vec<Block<R>>>;

/// The instruction set that the block loops run with on this machine.
pub fn instruction_set() -> String {
    format!("{:?}", Level::new()).split('(').next().unwrap_or("scalar").to_owned()
}

/// Evaluates a region, rows in parallel.
///
/// # Errors
/// The region does not suit the program's lattices.
pub fn field<R: Real>(program: &Program, region: &Region, gradient: bool) -> Result<Samples<R>, ProgramError> {
    let grids = program.grids(region)?;
    let evaluator = Evaluator::<R>::new(program);
    let (width, height) = (region.size[0] as usize, region.size[1]);
    let count = region.samples() as usize;
    let mut samples = Samples { values: vec![R::default(); count], gradients: gradient.then(|| vec![[R::default(); 3]; count]) };
    let row_index = |row: usize| [0, row as u32 % height, row as u32 / height];
    let fill = |registers: &mut Registers<R>, row: usize, values: &mut [R], mut gradients: Option<&mut [[R; 3]]>| {
        for start in (0..width).step_by(LANES) {
            let end = width.min(start + LANES);
            let [_, y, z] = row_index(row);
            let site = Site::Region { grids: &grids, index: [start as u32, y, z] };
            let part = gradients.as_deref_mut().map(|g| &mut g[start..end]);
            evaluator.block(registers, &site, &mut values[start..end], part);
        }
    };
    match &mut samples.gradients {
        None => samples
            .values
            .par_chunks_mut(width)
            .enumerate()
            .for_each_init(|| evaluator.registers(), |registers, (row, values)| fill(registers, row, values, None)),
        Some(gradients) => {
            samples.values.par_chunks_mut(width).zip(gradients.par_chunks_mut(width)).enumerate().for_each_init(
                || evaluator.registers(),
                |registers, (row, (values, gradients))| fill(registers, row, values, Some(gradients)),
            );
        }
    }
    Ok(samples)
}

/// Evaluates any positions.
///
/// # Errors
/// A position does not suit the program's lattices.
pub fn points<R: Real>(program: &Program, positions: &[[f64; 3]], gradient: bool) -> Result<Samples<R>, ProgramError> {
    positions.iter().try_for_each(|&position| program.check_coordinates(position))?;
    let evaluator = Evaluator::<R>::new(program);
    let mut samples =
        Samples { values: vec![R::default(); positions.len()], gradients: gradient.then(|| vec![[R::default(); 3]; positions.len()]) };
    let mut registers = evaluator.registers();
    for (block, positions) in positions.chunks(LANES).enumerate() {
        let range = block * LANES..block * LANES + positions.len();
        let site = Site::Points { frames: &program.tables.frames, positions };
        let gradients = samples.gradients.as_deref_mut().map(|g| &mut g[range.clone()]);
        evaluator.block(&mut registers, &site, &mut samples.values[range.clone()], gradients);
    }
    Ok(samples)
}

impl<'a, R: Real> Evaluator<'a, R> {
    fn new(program: &'a Program) -> Self {
        let tables = &program.tables;
        let all = |numbers: &[f64]| numbers.iter().map(|&x| R::of(x)).collect();
        let linear = |frame: &crate::frame::Frame| {
            let columns = [frame.linear.x_axis, frame.linear.y_axis, frame.linear.z_axis].map(|column| column.to_array().map(R::of));
            Linear { columns, seed: frame.seed }
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
            octaves: all(&tables.octaves),
            points: tables.points.iter().map(point).collect(),
        };
        Evaluator { structure: &program.structure, spans: &tables.spans, numbers, level: Level::new() }
    }

    fn registers(&self) -> Registers<R> {
        self.structure.scopes.iter().map(|scope| vec![Block::new(); scope.ops.len()]).collect()
    }

    fn block(&self, registers: &mut Registers<R>, site: &Site<'_>, values: &mut [R], gradients: Option<&mut [[R; 3]]>) {
        let root = ScopeId(self.structure.scopes.len() as u32 - 1);
        let out = match gradients {
            None => {
                self.scope::<false>(root, 0, site, None, registers);
                self.result(root, registers)
            }
            Some(gradients) => {
                self.scope::<true>(root, 0, site, None, registers);
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
    fn scope<const G: bool>(
        &self,
        id: ScopeId,
        row: u32,
        site: &Site<'_>,
        displacement: Option<&[Lanes<R>; 3]>,
        registers: &mut Registers<R>,
    ) {
        let Scope { ops, result: _, displaced: _ } = &self.structure.scopes[id.0 as usize];
        // A scope never calls itself, so its registers can be taken out while it runs.
        let mut own = std::mem::take(&mut registers[id.0 as usize]);
        for (index, op) in ops.iter().enumerate() {
            let (done, rest) = own.split_at_mut(index);
            self.op::<G>(op, done, &mut rest[0], row, site, displacement, registers);
        }
        registers[id.0 as usize] = own;
    }

    #[expect(clippy::too_many_arguments, reason = "an operation's whole surroundings; a struct of them would be built per operation")]
    fn op<const G: bool>(
        &self,
        op: &Op,
        done: &[Block<R>],
        out: &mut Block<R>,
        row: u32,
        site: &Site<'_>,
        displacement: Option<&[Lanes<R>; 3]>,
        registers: &mut Registers<R>,
    ) {
        let level = self.level;
        let x = |Reg(r): Reg| &done[r as usize];
        let number = |Scalar(s): Scalar| self.numbers.scalars[s as usize];
        match *op {
            Op::Constant(value) => each!(level, G, out, lane => jet::constant(number(value))),
            Op::Coordinate(span) => {
                let frame = (self.span(span).0 + row) as usize;
                let linear = &self.numbers.frames[frame];
                let cells = self.cells(site, frame, 1, displacement);
                each!(level, G, out, l => frame::coordinate(linear, cells.cell[0][l], cells.fraction[0][l]));
            }
            Op::Lattice(basis, span) => {
                let frame = (self.span(span).0 + row) as usize;
                self.lattice::<G>(basis, site, frame, displacement, out);
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
            Op::Fractal { body, octaves, accumulate } => {
                let (start, count) = self.span(octaves);
                let mut total = Block::new();
                for k in 0..count {
                    self.scope::<G>(body, row * count + k, site, displacement, registers);
                    let octave = self.result(body, registers);
                    let amplitude = self.numbers.octaves[(start + k) as usize];
                    match accumulate {
                        Accumulate::Sum => {
                            each!(level, G, total, l => jet::accumulate_sum(total.get::<G>(l), octave.get::<G>(l), amplitude));
                        }
                        Accumulate::Lerp => {
                            each!(level, G, total, l => jet::accumulate_lerp(total.get::<G>(l), octave.get::<G>(l), amplitude));
                        }
                    }
                }
                *out = total;
            }
            Op::Warp { body, by, frames } => {
                let linear = &self.numbers.frames[(self.span(frames).0 + row) as usize];
                let by = by.map(x);
                let moved = self.displacement(linear, by, displacement);
                self.scope::<G>(body, row, site, Some(&moved), registers);
                let inner = self.result(body, registers);
                each!(level, G, out, l => {
                    let inner = inner.get::<G>(l);
                    jet::displaced(inner, frame::gradient(linear, inner.gradient), by.map(|b| b.get::<G>(l)))
                });
            }
        }
    }

    fn span(&self, Span(span): Span) -> (u32, u32) {
        let [start, count] = self.spans[span as usize];
        (start, count)
    }

    #[inline(always)]
    fn cells(&self, site: &Site<'_>, frame: usize, dimensions: usize, displacement: Option<&[Lanes<R>; 3]>) -> Cells<R> {
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

    fn lattice<const G: bool>(
        &self,
        basis: Basis,
        site: &Site<'_>,
        frame: usize,
        displacement: Option<&[Lanes<R>; 3]>,
        out: &mut Block<R>,
    ) {
        let linear = &self.numbers.frames[frame];
        let at = self.cells(site, frame, basis.dimensions(), displacement);
        let level = self.level;
        match basis {
            Basis::Simplex2 => each!(level, G, out, l => frame::world(linear, simplex::simplex_2(at.cell(l), at.fraction(l), linear.seed))),
            Basis::Simplex3 => each!(level, G, out, l => frame::world(linear, simplex::simplex_3(at.cell(l), at.fraction(l), linear.seed))),
            Basis::Permutation289 => each!(level, G, out, l => frame::world(linear, permutation289::simplex(at.cell(l), at.fraction(l)))),
            Basis::Value(dimensions, interpolation) => match dimensions {
                1 => self.cubic::<G, 1>(linear, &at, interpolation, false, out),
                2 => self.cubic::<G, 2>(linear, &at, interpolation, false, out),
                _ => self.cubic::<G, 3>(linear, &at, interpolation, false, out),
            },
            Basis::Perlin(dimensions, interpolation) => match dimensions {
                1 => self.cubic::<G, 1>(linear, &at, interpolation, true, out),
                2 => self.cubic::<G, 2>(linear, &at, interpolation, true, out),
                _ => self.cubic::<G, 3>(linear, &at, interpolation, true, out),
            },
            Basis::Worley(shape, Scalar(first)) => {
                worley::block::<R, G>(level, &at, linear, shape, &self.numbers.scalars[first as usize..][..shape.numbers()], out);
            }
        }
    }

    /// Value or Perlin noise.
    fn cubic<const G: bool, const N: usize>(
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
                    frame::world(linear, $noise(cell, f, linear.seed, f.map(|f| interpolate($kind, f))))
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

    /// The displacement inside a warp: what comes from further out, plus the warp's own.
    fn displacement(&self, linear: &Linear<R>, by: [&Block<R>; 3], outer: Option<&[Lanes<R>; 3]>) -> [Lanes<R>; 3] {
        let mut total = [[R::default(); LANES]; 3];
        dispatch!(self.level, _simd => {
            for lane in 0..LANES {
                let own = frame::linear(linear, by.map(|b| b.value[lane]));
                for axis in 0..3 {
                    total[axis][lane] = outer.map_or(own[axis], |outer| outer[axis][lane] + own[axis]);
                }
            }
        });
        total
    }
}
