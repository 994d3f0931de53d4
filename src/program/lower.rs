//! Graph → program: one arm per node, scopes for what is sampled elsewhere, frames for every row.

use super::seed::Seed;
use super::{Basis, Op, Program, ProgramError, Reg, Scalar, Scope, ScopeId, Span, SplinePoint, Structure, Tables, WorleyShape};
use crate::frame::Frame;
use crate::graph::{Axis, Coordinate, Fractal, Graph, Hash, Input, Interval, Node, Perlin, Simplex, Value, Worley, WorleyOutput, ranges};
use glam::{DAffine3, DMat3, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Limits against graphs that unfold without end (a warp of a warp of a warp, each used twice).
const MOST_OPS: usize = 4096;
const MOST_FRAMES: usize = 1 << 16;
const DEEPEST: usize = 64;
/// Cells by which a warp may move a lattice: beyond, f32 arithmetic might overflow to infinities.
const FARTHEST_CELLS: f64 = 1e30;
/// Seeded lattice offsets, in cells, and seeded octave offsets, in world units: powers of two, so that they stay exact.
const LATTICE_REACH: f64 = 4096.0;
const OCTAVE_REACH: f64 = 131_072.0;

/// One row of a scope: where its positions lie in the world, and what its seeds depend on.
#[derive(Clone, Copy)]
struct Row {
    /// World position → the scope's own position.
    map: DAffine3,
    seed: Seed,
    /// Bound of the displacement by warps further out, in world units.
    reach: DVec3,
}

/// What lies around a scope.
struct Context {
    rows: Vec<Row>,
    displaced: bool,
    depth: usize,
}

/// A scope being filled.
#[derive(Default)]
struct Open {
    ops: Vec<Op>,
    done: HashMap<String, Reg>,
}

struct Lowering<'a> {
    graph: &'a Graph,
    ranges: HashMap<&'a str, Interval>,
    scopes: Vec<Scope>,
    tables: Tables,
    owners: Vec<(usize, String, bool)>,
    ops: usize,
}

impl Program {
    /// Lowers a graph.
    ///
    /// # Errors
    /// The graph is invalid, overflows, or unfolds into too much.
    pub fn new(graph: &Graph) -> Result<Program, ProgramError> {
        graph.check()?;
        let ranges = ranges(graph)?;
        let mut lowering = Lowering { graph, ranges, scopes: Vec::new(), tables: Tables::default(), owners: Vec::new(), ops: 0 };
        let root = Row { map: DAffine3::IDENTITY, seed: Seed::default(), reach: DVec3::ZERO };
        lowering.scope(&graph.output, &Context { rows: vec![root], displaced: false, depth: 0 })?;
        let structure = Arc::new(Structure { scopes: lowering.scopes });
        Ok(Program { structure, tables: lowering.tables, owners: lowering.owners })
    }
}

impl Lowering<'_> {
    /// Lowers the sub-graph of a node as a scope of its own.
    fn scope(&mut self, name: &str, context: &Context) -> Result<ScopeId, ProgramError> {
        if context.depth > DEEPEST {
            return Err(ProgramError::TooLarge {
                node: name.to_owned(),
                what: "nested fractals and warps",
                value: context.depth,
                allowed: DEEPEST,
            });
        }
        let mut open = Open::default();
        // Inputs before users with an explicit stack: a long chain of nodes must not exhaust the thread's.
        let mut stack = vec![name.to_owned()];
        while let Some(name) = stack.last().cloned() {
            if open.done.contains_key(&name) {
                stack.pop();
                continue;
            }
            let node = &self.graph.node[&name];
            let waiting = local_inputs(node).into_iter().find_map(|input| match input {
                Input::Node(target) if !open.done.contains_key(target) => Some(target.clone()),
                _ => None,
            });
            if let Some(target) = waiting {
                stack.push(target);
                continue;
            }
            let op = self.node(&name, node, &mut open, context)?;
            let reg = self.push(&mut open, op, &name)?;
            open.done.insert(name, reg);
            stack.pop();
        }
        let result = open.done[name];
        self.scopes.push(Scope { ops: open.ops, result, displaced: context.displaced });
        Ok(ScopeId(self.scopes.len() as u32 - 1))
    }

    fn push(&mut self, open: &mut Open, op: Op, name: &str) -> Result<Reg, ProgramError> {
        self.ops += 1;
        if self.ops > MOST_OPS {
            return Err(ProgramError::TooLarge { node: name.to_owned(), what: "operations", value: self.ops, allowed: MOST_OPS });
        }
        open.ops.push(op);
        Ok(Reg(open.ops.len() as u32 - 1))
    }

    /// One arm per node.
    fn node(&mut self, name: &str, node: &Node, open: &mut Open, context: &Context) -> Result<Op, ProgramError> {
        Ok(match node {
            Node::Constant(n) => Op::Constant(self.scalar(n.value)),
            Node::Coordinate(n) => Op::Coordinate(self.frames(name, context, true, |row| coordinate_frame(n, row))?),
            Node::Simplex(n) => {
                let basis = match (n.hash, n.dimensions) {
                    (Hash::Permutation289, _) => Basis::Permutation289,
                    (Hash::Integer, 2) => Basis::Simplex2,
                    (Hash::Integer, _) => Basis::Simplex3,
                };
                Op::Lattice(basis, self.frames(name, context, false, |row| simplex_place(n).frame(row))?)
            }
            Node::Value(Value { dimensions, interpolation, wavelength, seed, offset }) => {
                let place = Place { skew: cubic(*dimensions), wavelength: *wavelength, seed: Some(*seed), offset: *offset };
                Op::Lattice(Basis::Value(*dimensions, *interpolation), self.frames(name, context, false, |row| place.frame(row))?)
            }
            Node::Perlin(Perlin { dimensions, interpolation, wavelength, seed, offset }) => {
                let place = Place { skew: cubic(*dimensions), wavelength: *wavelength, seed: Some(*seed), offset: *offset };
                Op::Lattice(Basis::Perlin(*dimensions, *interpolation), self.frames(name, context, false, |row| place.frame(row))?)
            }
            Node::Worley(Worley { dimensions, metric, output, weights, jitter, wavelength, seed, offset }) => {
                let place = Place { skew: cubic(*dimensions), wavelength: *wavelength, seed: Some(*seed), offset: *offset };
                let frames = self.frames(name, context, false, |row| place.frame(row))?;
                let weights = if *output == WorleyOutput::Distance { &weights[..] } else { &[] };
                let nearest = weights.len().max(1) as u32;
                // In steps of 2⁻²⁰, so that no offset of a point is too small for f32 to be normal.
                let numbers = self.scalar((jitter * 1_048_576.0).round() / 1_048_576.0);
                for &weight in weights {
                    self.scalar(weight);
                }
                let shape = WorleyShape { dimensions: *dimensions, metric: *metric, output: *output, nearest };
                Op::Lattice(Basis::Worley(shape, numbers), frames)
            }
            Node::Fractal(n) => self.fractal(name, n, open, context)?,
            Node::Spline(n) => {
                let start = self.tables.points.len();
                self.tables.points.extend(SplinePoint::pieces(&n.points));
                let points = self.span(start, n.points.len());
                Op::Spline { x: self.input(&n.of, open, name)?, points }
            }
            Node::ScaleOffset(n) => {
                Op::ScaleOffset { x: self.input(&n.of, open, name)?, scale: self.scalar(n.scale), offset: self.scalar(n.offset) }
            }
            Node::Clamp(n) => Op::Clamp { x: self.input(&n.of, open, name)?, low: self.scalar(n.low), high: self.scalar(n.high) },
            Node::Abs(n) => Op::Abs(self.input(&n.of, open, name)?),
            Node::Power(n) => Op::Power { x: self.input(&n.of, open, name)?, exponent: self.scalar(n.exponent) },
            Node::Add(n) => Op::Add(self.input(&n.a, open, name)?, self.input(&n.b, open, name)?),
            Node::Multiply(n) => Op::Multiply(self.input(&n.a, open, name)?, self.input(&n.b, open, name)?),
            Node::Min(n) => Op::Min(self.input(&n.a, open, name)?, self.input(&n.b, open, name)?),
            Node::Max(n) => Op::Max(self.input(&n.a, open, name)?, self.input(&n.b, open, name)?),
            Node::Blend(n) => {
                let (a, b) = (self.input(&n.a, open, name)?, self.input(&n.b, open, name)?);
                Op::Blend { a, b, mask: self.input(&n.mask, open, name)? }
            }
            Node::Warp(n) => {
                let mut by = [Reg(0); 3];
                let mut reach = DVec3::ZERO;
                for (axis, input) in [&n.x, &n.y, &n.z].into_iter().enumerate() {
                    by[axis] = self.input(input, open, name)?;
                    let range = self.range(input);
                    reach[axis] = range.lo.abs().max(range.hi.abs());
                }
                // The displacement is given in the scope's own units; `linear` takes it back to world units.
                let back = |row: &Row| row.map.matrix3.inverse() * n.strength;
                let frames = self.frames(name, context, false, |row| Frame { linear: back(row), offset: DVec3::ZERO, seed: 0 })?;
                let rows = context.rows.iter().map(|row| Row { reach: row.reach + absolute(back(row)) * reach, ..*row }).collect();
                let inner = Context { rows, displaced: true, depth: context.depth + 1 };
                Op::Warp { body: self.body(&n.of, &inner, name)?, by, frames }
            }
        })
    }

    fn fractal(&mut self, name: &str, n: &Fractal, open: &mut Open, context: &Context) -> Result<Op, ProgramError> {
        let rows = context.rows.len() * n.octaves as usize;
        if rows > MOST_FRAMES {
            return Err(ProgramError::TooLarge {
                node: name.to_owned(),
                what: "octaves, nested ones multiplied",
                value: rows,
                allowed: MOST_FRAMES,
            });
        }
        let turn = DMat3::from_axis_angle(DVec3::from(n.axis).normalize_or(DVec3::Z), n.rotation.to_radians());
        let mut octaves = Vec::new();
        let mut matrix = DMat3::IDENTITY;
        for k in 0..n.octaves as usize {
            let seed = Seed::default().with(n.seed).with(k as u64);
            let offset = n.offsets.as_ref().map_or_else(|| seed.offset(OCTAVE_REACH), |offsets| offsets[k]);
            octaves.push(DAffine3::from_mat3(matrix) * DAffine3::from_translation(DVec3::from(offset) + DVec3::from(n.offset)));
            // Without a turn the matrix stays exactly diagonal.
            let next = if n.rotation == 0.0 { matrix } else { turn * matrix };
            matrix = next * n.lacunarity;
        }
        let rows = context.rows.iter().flat_map(|row| {
            octaves.iter().enumerate().map(move |(k, octave)| Row {
                map: *octave * row.map,
                seed: row.seed.with(n.seed).with(k as u64),
                ..*row
            })
        });
        let inner = Context { rows: rows.collect(), displaced: context.displaced, depth: context.depth + 1 };
        let start = self.tables.octaves.len();
        self.tables.octaves.extend(n.amplitudes());
        let octaves = self.span(start, n.octaves as usize);
        let _ = open;
        Ok(Op::Fractal { body: self.body(&n.of, &inner, name)?, octaves, accumulate: n.accumulate })
    }

    /// The scope of an input that is sampled elsewhere.
    fn body(&mut self, input: &Input, context: &Context, user: &str) -> Result<ScopeId, ProgramError> {
        if let Input::Node(name) = input {
            return self.scope(&name.clone(), context);
        }
        let mut open = Open::default();
        let result = self.input(input, &mut open, user)?;
        self.scopes.push(Scope { ops: open.ops, result, displaced: context.displaced });
        Ok(ScopeId(self.scopes.len() as u32 - 1))
    }

    fn input(&mut self, input: &Input, open: &mut Open, user: &str) -> Result<Reg, ProgramError> {
        match input {
            Input::Node(name) => Ok(open.done[name]),
            Input::Value(x) => {
                let op = Op::Constant(self.scalar(*x));
                self.push(open, op, user)
            }
            Input::Missing => {
                let op = Op::Constant(self.scalar(0.0));
                self.push(open, op, user)
            }
        }
    }

    fn range(&self, input: &Input) -> Interval {
        match input {
            Input::Node(name) => self.ranges[name.as_str()],
            Input::Value(x) => Interval::new(*x, *x),
            Input::Missing => Interval::new(0.0, 0.0),
        }
    }

    fn scalar(&mut self, x: f64) -> Scalar {
        self.tables.scalars.push(x);
        Scalar(self.tables.scalars.len() as u32 - 1)
    }

    fn span(&mut self, start: usize, count: usize) -> Span {
        self.tables.spans.push([start as u32, count as u32]);
        Span(self.tables.spans.len() as u32 - 1)
    }

    /// One frame per row of the scope.
    fn frames(&mut self, name: &str, context: &Context, coordinate: bool, frame: impl Fn(&Row) -> Frame) -> Result<Span, ProgramError> {
        let start = self.tables.frames.len();
        let end = start + context.rows.len();
        if end > MOST_FRAMES {
            return Err(ProgramError::TooLarge { node: name.to_owned(), what: "lattice frames", value: end, allowed: MOST_FRAMES });
        }
        for row in &context.rows {
            let frame = frame(row);
            let cells = (absolute(frame.linear) * row.reach).max_element();
            if cells >= FARTHEST_CELLS || !frame.offset.is_finite() || !frame.linear.is_finite() {
                return Err(ProgramError::Displacement { node: name.to_owned(), cells });
            }
            self.tables.frames.push(frame);
        }
        self.owners.push((start, name.to_owned(), coordinate));
        Ok(self.span(start, context.rows.len()))
    }
}

/// The inputs that are sampled at the node's own position.
fn local_inputs(node: &Node) -> Vec<&Input> {
    match node {
        Node::Fractal(_) => Vec::new(),
        Node::Warp(n) => vec![&n.x, &n.y, &n.z],
        _ => node.inputs().into_iter().map(|(_, input)| input).collect(),
    }
}

fn absolute(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

fn coordinate_frame(n: &Coordinate, row: &Row) -> Frame {
    let pick = match n.axis {
        Axis::X => DVec3::X,
        Axis::Y => DVec3::Y,
        Axis::Z => DVec3::Z,
    };
    // The axis becomes the first lattice axis; the others stay 0.
    let pick = DMat3::from_cols(pick, DVec3::ZERO, DVec3::ZERO).transpose() * (1.0 / n.unit);
    Frame { linear: pick * row.map.matrix3, offset: pick * row.map.translation, seed: 0 }
}

/// Where a basis has its lattice in its own scope.
struct Place {
    /// Cartesian → lattice axes; rows that the basis does not read are 0.
    skew: DMat3,
    wavelength: f64,
    /// Seed of hash and lattice offset; without one the lattice lies at the origin.
    seed: Option<u64>,
    /// World units, instead of the seed's offset.
    offset: Option<[f64; 3]>,
}

impl Place {
    fn frame(&self, row: &Row) -> Frame {
        let seed = row.seed.with(self.seed.unwrap_or(0));
        let to_lattice = self.skew * (1.0 / self.wavelength);
        let world = self.offset.map_or(DVec3::ZERO, DVec3::from);
        let cells = match (self.offset, self.seed) {
            (None, Some(_)) => DVec3::from(seed.offset(LATTICE_REACH)),
            _ => DVec3::ZERO,
        };
        // Only the axes that the basis reads carry an offset.
        let read = DVec3::from([0, 1, 2].map(|axis| if self.skew.row(axis) == DVec3::ZERO { 0.0 } else { 1.0 }));
        let offset = to_lattice * (row.map.translation + world) + cells * read;
        Frame { linear: to_lattice * row.map.matrix3, offset, seed: seed.bits() }
    }
}

fn simplex_place(n: &Simplex) -> Place {
    // The permutation polynomial has no seed: a seed that is given acts through the offset only.
    let seed = if n.hash == Hash::Integer { Some(n.seed.unwrap_or(0)) } else { n.seed };
    Place { skew: skew(n.dimensions), wavelength: n.wavelength, seed, offset: n.offset }
}

/// The first axes as they are.
fn cubic(dimensions: u32) -> DMat3 {
    DMat3::from_diagonal(DVec3::from([0, 1, 2].map(|axis| if axis < dimensions { 1.0 } else { 0.0 })))
}

/// Cartesian → simplex lattice: every axis gains the sum of the axes times F = (√(n+1) − 1) / n (Gustavson 2005).
fn skew(dimensions: u32) -> DMat3 {
    let sum = |f: f64, axes: DVec3| DMat3::from_cols(axes * f * axes.x, axes * f * axes.y, axes * f * axes.z) + DMat3::from_diagonal(axes);
    match dimensions {
        2 => sum((3f64.sqrt() - 1.0) / 2.0, DVec3::new(1.0, 1.0, 0.0)),
        _ => sum(1.0 / 3.0, DVec3::ONE),
    }
}
