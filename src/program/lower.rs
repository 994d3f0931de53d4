//! Graph → program: one arm per node, scopes for what is sampled elsewhere, frames for every instance. `curves` has those of one value.

mod curves;

use crate::frame::{Ends, Frame};
use crate::graph::{
    Axis, COORDINATE, Fractal, Graph, GraphError, Hash, HexHash, Hill, Interpolation, Interval, Metric, Node, Polar as PolarNode,
    PolarForm, Raster, Uniform, ValueHash, WhiteHash, Worley, WorleyOutput,
};
use crate::params::Input;
use crate::program::affine::{Exact, local_inputs};
use crate::program::computed::{Kind, computed};
use crate::program::distribution::distribution_of_sines;
use crate::program::fourth::Fourth;
use crate::program::instance::{Instance, absolute, along, around, coordinate_frame, rows};
use crate::program::lattice::{Lattice, Misfit, Periods};
use crate::program::raster::{FARTHEST_SAMPLES, MOST_RASTER_SAMPLES};
use crate::program::reach::{Bounds, CoordinateFrames, around_circle};
use crate::program::{
    Basis, Curve, OneLiner, Op, Part, Polar, Program, ProgramError, Reg, Scalar, Scope, ScopeId, Span, Structure, Tables, WorleyShape,
};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// Limits against graphs that unfold without end (a warp of a warp of a warp, each used twice).
const MOST_OPS: usize = 4096;
const MOST_FRAMES: usize = 1 << 16;
const MOST_POINTS: usize = 1 << 21;
const DEEPEST: usize = 64;
/// World units of the coordinate whose sign tells the sides of a mirror apart: it ends at 2³⁰ of them.
const MIRROR_UNIT: f64 = 1024.0;
/// Cells by which a warp may move a lattice: beyond, f32 arithmetic might overflow to infinities.
const FARTHEST_CELLS: f64 = 1e30;

/// The error of a lattice that is moved by more cells than it holds.
pub(super) fn too_far(node: &str, cells: f64) -> ProgramError {
    ProgramError::Displacement { node: node.to_owned(), cells, allowed: FARTHEST_CELLS }
}

/// What lies around a scope.
struct Context {
    instances: Vec<Instance>,
    displaced: bool,
    quantised: bool,
    depth: usize,
}

impl Context {
    /// A scope inside, with other instances.
    fn inner(&self, instances: Vec<Instance>) -> Context {
        Context { instances, displaced: self.displaced, quantised: self.quantised, depth: self.depth + 1 }
    }

    /// A scope inside that is displaced.
    fn displaced(&self, instances: Vec<Instance>) -> Context {
        Context { displaced: true, ..self.inner(instances) }
    }

    /// A scope inside, with as many instances.
    fn each(&self, instance: impl Fn(&Instance) -> Instance) -> Vec<Instance> {
        self.instances.iter().map(instance).collect()
    }
}

/// A scope being filled.
#[derive(Default)]
struct Open {
    ops: Vec<Op>,
    done: HashMap<String, Reg>,
}

struct Lowering<'a> {
    graph: &'a Graph,
    bounds: Bounds<'a>,
    scopes: Vec<Scope>,
    tables: Tables,
    /// Where the points of tables that splines share begin.
    point_tables: HashMap<&'a str, usize>,
    owners: Vec<(usize, String)>,
    coordinates: Vec<CoordinateFrames>,
    fourths: Vec<Fourth>,
    ops: usize,
    periodic: bool,
    /// The periodic node whose sub-graph is being lowered.
    repeating: Option<&'a str>,
}

impl Program {
    /// Lowers a graph.
    ///
    /// # Errors
    /// The graph is invalid, overflows, or unfolds into too much.
    pub fn new(graph: &Graph) -> Result<Program, ProgramError> {
        Program::lower(graph, false, Bounds::everywhere(graph)?)
    }

    /// Lowers nodes of a graph to be evaluated together: what they share is computed once. There is one node at least.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn several(graph: &Graph, outputs: &[String]) -> Result<Program, ProgramError> {
        Program::lower_all(graph, outputs, false, Bounds::of_all(graph, outputs)?)
    }

    /// Lowers a graph for positions that are displacements from an anchor, in f32.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn anchored(graph: &Graph) -> Result<Program, ProgramError> {
        Program::lower(graph, true, Bounds::everywhere(graph)?)
    }

    /// Lowers a checked graph whose nodes stay within these bounds.
    pub(super) fn lower<'a>(graph: &'a Graph, displaced: bool, bounds: Bounds<'a>) -> Result<Program, ProgramError> {
        Program::lower_all(graph, std::slice::from_ref(&graph.output), displaced, bounds)
    }

    fn lower_all<'a>(graph: &'a Graph, outputs: &[String], displaced: bool, bounds: Bounds<'a>) -> Result<Program, ProgramError> {
        let mut lowering = Lowering {
            graph,
            bounds,
            scopes: Vec::new(),
            tables: Tables::default(),
            point_tables: HashMap::new(),
            owners: Vec::new(),
            coordinates: Vec::new(),
            fourths: Vec::new(),
            ops: 0,
            periodic: false,
            repeating: None,
        };
        let context = Context { instances: vec![Instance::root()], displaced, quantised: false, depth: 0 };
        let mut open = Open::default();
        let outputs = outputs.iter().map(|name| lowering.sub_graph(name, &mut open, &context)).collect::<Result<Vec<Reg>, _>>()?;
        lowering.close(open, outputs[0], &context);
        let range = lowering.bounds.ranges[graph.output.as_str()];
        let structure = Arc::new(Structure::new(lowering.scopes, lowering.periodic));
        let Lowering { tables, owners, coordinates, fourths, .. } = lowering;
        Ok(Program { structure, tables, range, owners, coordinates, fourths, outputs })
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
        let result = self.sub_graph(name, &mut open, context)?;
        Ok(self.close(open, result, context))
    }

    /// A scope that is complete.
    fn close(&mut self, open: Open, result: Reg, context: &Context) -> ScopeId {
        self.scopes.push(Scope { ops: open.ops, result, displaced: context.displaced, quantised: context.quantised });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Lowers the sub-graph of a node into a scope, but for what is there already.
    fn sub_graph(&mut self, name: &str, open: &mut Open, context: &Context) -> Result<Reg, ProgramError> {
        // Inputs before users with an explicit stack: a long chain of nodes must not exhaust the thread's.
        let mut stack = vec![name.to_owned()];
        while let Some(name) = stack.last().cloned() {
            if open.done.contains_key(&name) {
                stack.pop();
                continue;
            }
            let node = &self.graph.node[&name];
            let waiting = local_inputs(self.graph, node).into_iter().find_map(|input| match input {
                Input::Node(target) if !open.done.contains_key(target) => Some(target.clone()),
                Input::Node(_) | Input::Missing | Input::Value(_) => None,
            });
            if let Some(target) = waiting {
                stack.push(target);
                continue;
            }
            let op = self.node(&name, node, open, context)?;
            let reg = self.push(open, op, &name)?;
            open.done.insert(name, reg);
            stack.pop();
        }
        Ok(open.done[name])
    }

    fn push(&mut self, open: &mut Open, op: Op, name: &str) -> Result<Reg, ProgramError> {
        self.ops += 1;
        if self.ops > MOST_OPS {
            return Err(ProgramError::TooLarge { node: name.to_owned(), what: "operations", value: self.ops, allowed: MOST_OPS });
        }
        let points = self.tables.points.len();
        if points > MOST_POINTS {
            return Err(ProgramError::TooLarge { node: name.to_owned(), what: "control points", value: points, allowed: MOST_POINTS });
        }
        open.ops.push(op);
        Ok(Reg(open.ops.len() as u32 - 1))
    }

    /// One arm for each kind, most of a line or two: long, but a table that the compiler keeps complete.
    fn node(&mut self, name: &str, node: &Node, open: &mut Open, context: &Context) -> Result<Op, ProgramError> {
        if matches!(node, Node::Coordinate(_) | Node::Radius(_) | Node::Polar(_) | Node::Raster(_)) {
            self.never_repeats(name, context)?;
        }
        if let Some(exact) = Exact::of(self.graph, node) {
            return self.exact(name, exact, open, context);
        }
        Ok(match node {
            Node::Constant(n) => Op::Constant(self.scalar(n.value)),
            Node::Periodic(n) => {
                let allowed = "outside rotations, quantised and other periodic nodes only";
                let rows = context.instances.iter().map(|instance| instance.repeated(n.period)).collect::<Option<Vec<Instance>>>();
                let rows = rows.ok_or_else(|| GraphError::parameter(name, "period", format!("{:?}", n.period), allowed))?;
                self.periodic = true;
                // Periodic nodes do not nest, so no outer node is periodic.
                self.repeating = self.graph.node.get_key_value(name).map(|(name, _)| name.as_str());
                let body = self.body(&n.of, &context.inner(rows), name)?;
                self.repeating = None;
                Op::Transform { body }
            }
            Node::Coordinate(n) => {
                Op::Coordinate(Part::Whole, self.frames(name, context, true, |instance| [coordinate_frame(n, instance)])?)
            }
            Node::Simplex(n) => {
                let basis = match (n.hash, n.dimensions) {
                    (Hash::Permutation289, _) => Basis::Permutation289,
                    (Hash::Integer, 1) => Basis::Simplex1,
                    (Hash::Integer, 2) => Basis::Simplex2,
                    (Hash::Integer, 4) => Basis::Simplex4,
                    (Hash::Integer, _) => Basis::Simplex3,
                };
                self.lattice(basis, &Lattice::simplex(n), name, context)?
            }
            Node::Value(n) => {
                let lattice = Lattice { fourth: n.w, ..Lattice::cubic(n.dimensions, n.wavelength, n.seed, n.offset) };
                let basis = match n.hash {
                    ValueHash::Integer => Basis::Value(n.dimensions, n.interpolation),
                    ValueHash::Table => Basis::ValueTable(n.interpolation, self.series(n.table())),
                };
                self.lattice(basis, &lattice, name, context)?
            }
            Node::Perlin(n) => {
                let lattice = Lattice { fourth: n.w, ..Lattice::cubic(n.dimensions, n.wavelength, n.seed, n.offset) };
                self.lattice(Basis::Perlin(n.dimensions, n.interpolation), &lattice, name, context)?
            }
            Node::Worley(n) => self.worley(name, n, context)?,
            Node::White(n) => {
                let lattice = Lattice::cubic(n.dimensions, n.wavelength, n.seed, n.offset);
                let basis = match n.hash {
                    WhiteHash::Integer => Basis::Value(n.dimensions, Interpolation::Truncated),
                    WhiteHash::Sine => Basis::OneLiner(OneLiner::Sine, n.dimensions),
                    WhiteHash::NestedSine => Basis::OneLiner(OneLiner::NestedSine, n.dimensions),
                    WhiteHash::NestedInteger => Basis::OneLiner(OneLiner::NestedInteger, n.dimensions),
                };
                self.lattice(basis, &lattice, name, context)?
            }
            Node::Hexagonal(n) => {
                let basis = match n.hash {
                    HexHash::Integer => Basis::Hexagonal,
                    HexHash::Tables => Basis::HexagonalTables(self.series(n.tables())),
                };
                self.lattice(basis, &Lattice::hexagonal(n), name, context)?
            }
            Node::Hill(n) => self.hill(name, n, open, context)?,
            Node::Spectral(n) => {
                let lowest = n.all_frequencies().into_iter().fold(f64::INFINITY, f64::min);
                self.fit_waves(name, context, n.length / lowest, 1)?;
                let frames = self.frames(name, context, false, |instance| n.frames(instance))?;
                Op::Sines { dimensions: 1, frames, amplitudes: self.series(n.all_amplitudes()) }
            }
            Node::Radius(n) => {
                let scale = DVec3::from(n.axes) / n.unit;
                Op::Polar(Polar::Radius, self.frames(name, context, true, |instance| [around(n.centre, scale, instance)])?)
            }
            Node::Raster(n) => self.raster(name, n, context)?,
            Node::Fractal(n) => self.fractal(name, n, context)?,
            Node::Spline(n) => {
                let x = self.input(&n.of, open, name)?;
                Op::Spline { x, points: self.control_points(n) }
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
            Node::OctaveTable(_) | Node::PointTable(_) => unreachable!("invariant: nothing samples a table"),
            Node::Select(n) => {
                let (a, b, mask) = (self.input(&n.a, open, name)?, self.input(&n.b, open, name)?, self.input(&n.mask, open, name)?);
                let mask = self.smoothstep(mask, n.at - n.falloff, n.at + n.falloff);
                Op::Blend { a, b, mask: self.push(open, mask, name)? }
            }
            Node::Smoothstep(n) => {
                let x = self.input(&n.of, open, name)?;
                self.smoothstep(x, n.low, n.high)
            }
            Node::Terrace(n) => {
                let numbers = [n.height, 1.0 / n.height, 1.0 - n.slope, 1.0 / n.slope];
                self.curve(Curve::Terrace, &n.of, numbers, open, name)?
            }
            Node::Threshold(n) => self.curve(Curve::Threshold, &n.of, [n.at, n.below, n.above, 0.0], open, name)?,
            Node::Bias(n) => {
                let held = Op::Clamp { x: self.input(&n.of, open, name)?, low: self.scalar(0.0), high: self.scalar(1.0) };
                Op::Power { x: self.push(open, held, name)?, exponent: self.scalar(n.exponent()) }
            }
            Node::Gain(n) => self.curve(Curve::Gain, &n.of, [n.exponent(), 0.0, 0.0, 0.0], open, name)?,
            Node::Sine(n) => self.curve(Curve::Sine, &n.of, [n.frequency, n.least_phase(), 0.0, 0.0], open, name)?,
            Node::Quantile(n) => self.quantile(name, n, open)?,
            Node::Equalise(n) => self.equalise(name, n, open)?,
            Node::Transform(n) => {
                let inner = context.inner(context.each(|instance| instance.transformed(n)));
                Op::Transform { body: self.body(&n.of, &inner, name)? }
            }
            Node::Slice(n) => {
                let frames = self.frames(name, context, false, |instance| [instance.matrix(instance.sliced(n.axis, n.at).1)])?;
                let inner = context.inner(context.each(|instance| instance.sliced(n.axis, n.at).0));
                Op::Slice { body: self.body(&n.of, &inner, name)?, frames }
            }
            Node::Mirror(n) => {
                let frames = self.frames(name, context, true, |instance| [along(n.axis, n.at, MIRROR_UNIT, instance)])?;
                let both = |instance: &Instance| [*instance, instance.mirrored(n.axis, n.at)];
                let inner = context.inner(context.instances.iter().flat_map(both).collect());
                Op::Mirror { body: self.body(&n.of, &inner, name)?, frames }
            }
            Node::Quantise(n) => {
                for instance in &context.instances {
                    instance.fit_cells(n.size).map_err(|misfit| misfit.error(self.repeating.unwrap_or(name), name))?;
                }
                let (owner, coordinates) = (self.owners.len(), self.coordinates.len());
                let frames = self.frames(name, context, false, |instance| [instance.cells(n.size)])?;
                let inner =
                    Context { displaced: false, quantised: true, ..context.inner(context.each(|instance| instance.quantised(n.size))) };
                let body = self.body(&n.of, &inner, name)?;
                if self.coordinates.len() > coordinates {
                    // Lattices begin anew after 2³² cells. What has a place must not.
                    let reached = context.instances.iter().map(|instance| instance.reached(&instance.cells(n.size))).collect();
                    self.coordinates.push(CoordinateFrames { owner, reached });
                }
                Op::Quantise { body, frames }
            }
            Node::Domain(n) => {
                let (by, reach) = self.inputs([&n.x, &n.y, &n.z], open, name)?;
                self.at(&n.of, by, context.each(|instance| instance.placed(DVec3::ZERO, reach)), context, name)?
            }
            Node::Polar(n) => self.polar(name, n, open, context)?,
            Node::Warp(n) => {
                let (by, reach) = self.inputs([&n.x, &n.y, &n.z], open, name)?;
                // The displacement is given in the scope's own units; `local` takes it back to what displacements are measured in.
                let back = |instance: &Instance| instance.local.inverse() * n.strength;
                let frames = self.frames(name, context, false, |instance| [instance.matrix(back(instance))])?;
                let inner = context
                    .displaced(context.each(|instance| Instance { reach: instance.reach + absolute(back(instance)) * reach, ..*instance }));
                Op::Warp { body: self.body(&n.of, &inner, name)?, by, frames }
            }
            Node::Turbulence(n) => {
                let range = self.range(&n.by);
                let largest = DVec3::splat(range.lo.abs().max(range.hi.abs()));
                let strengths: Vec<f64> = std::iter::successors(Some(n.strength), |s| Some(s * n.gain)).take(n.octaves as usize).collect();
                let back = |instance: &Instance, strength: f64| instance.local.inverse() * strength;
                let frames = self.frames(name, context, false, |instance| {
                    strengths.iter().map(|&s| instance.matrix(back(instance, s))).collect::<Vec<_>>()
                })?;
                let total: f64 = strengths.iter().map(|s| s.abs()).sum();
                let moved =
                    |instance: &Instance| Instance { reach: instance.reach + absolute(back(instance, total)) * largest, ..*instance };
                self.count_instances(name, context.instances.len() * 3 * n.octaves as usize)?;
                let by = context.displaced(context.instances.iter().flat_map(|instance| moved(instance).displacements(n)).collect());
                let by = self.body(&n.by, &by, name)?;
                let body = self.body(&n.of, &context.displaced(context.each(moved)), name)?;
                Op::Turbulence { body, by, frames }
            }
        })
    }

    /// A node whose coordinates are taken exactly.
    fn exact(&mut self, name: &str, exact: Exact<'_>, open: &mut Open, context: &Context) -> Result<Op, ProgramError> {
        self.never_repeats(name, context)?;
        Ok(match exact {
            Exact::Sum(sum) => {
                let mean = Op::Coordinate(Part::Whole, self.frames(name, context, true, |instance| [sum.mean(instance)])?);
                let x = self.push(open, mean, name)?;
                Op::ScaleOffset { x, scale: self.scalar(sum.weight), offset: self.scalar(sum.constant) }
            }
            Exact::Sine(turns) => {
                // A fraction of a turn ends nowhere.
                let fraction = Op::Coordinate(Part::Fraction, self.frames(name, context, false, |instance| [turns.frame(instance)])?);
                let mut x = self.push(open, fraction, name)?;
                for (factor, input) in turns.rest {
                    let scaled =
                        Op::ScaleOffset { x: self.input(input, open, name)?, scale: self.scalar(factor), offset: self.scalar(0.0) };
                    let scaled = self.push(open, scaled, name)?;
                    x = self.push(open, Op::Add(x, scaled), name)?;
                }
                Op::Curve { curve: Curve::Sine, x, numbers: self.numbers([1.0, 0.0, 0.0, 0.0]) }
            }
            Exact::Domain(position, of) => {
                let matrix = rows(position.each_ref().map(|sum| sum.linear));
                let offset = DVec3::from(position.each_ref().map(|sum| sum.constant));
                let frames = self.frames(name, context, false, |instance| [instance.matrix(matrix * instance.local)])?;
                let inner = context.inner(context.each(|instance| instance.moved(matrix, offset)));
                Op::Slice { body: self.body(of, &inner, name)?, frames }
            }
        })
    }

    fn lattice(&mut self, basis: Basis, lattice: &Lattice, name: &str, context: &Context) -> Result<Op, ProgramError> {
        for instance in &context.instances {
            lattice.fit(instance).map_err(|misfit| misfit.error(self.repeating.unwrap_or(name), name))?;
        }
        // The polynomial repeats after 289 cells, which 2³² are no multiple of.
        let again = |instance: &Instance| basis == Basis::Permutation289 && !instance.is_periodic();
        let ends = |instance: &Instance| if again(instance) { Ends::Again([289; 3]) } else { Ends::Endless };
        let first = self.tables.frames.len();
        let frames = self.frames(name, context, false, |instance| {
            std::iter::once(Frame { ends: ends(instance), ..lattice.frame(instance) })
                .chain((basis.dimensions() == 4).then(|| lattice.fourth(instance)))
        })?;
        if basis.dimensions() == 4 {
            let firsts = (first..).step_by(2);
            self.fourths.extend(firsts.zip(&context.instances).map(|(first, &instance)| Fourth {
                first,
                lattice: lattice.clone(),
                instance,
            }));
        }
        Ok(Op::Lattice(basis, frames))
    }

    /// Refuses sines whose longest does not fit into the period.
    fn fit_waves(&self, name: &str, context: &Context, longest: f64, dimensions: u32) -> Result<(), ProgramError> {
        let misfit = context.instances.iter().find_map(|instance| instance.too_short(longest, dimensions));
        misfit.map_or(Ok(()), |misfit| Err(misfit.error(self.repeating.unwrap_or(name), name)))
    }

    /// Refuses nodes that never repeat where something should.
    fn never_repeats(&self, name: &str, context: &Context) -> Result<(), ProgramError> {
        let Some(instance) = context.instances.iter().find(|instance| instance.is_periodic()) else { return Ok(()) };
        let axis = (0..3).find(|&axis| instance.asked[axis] != 0.0).unwrap_or(0);
        Err(Misfit { axis, asked: instance.asked[axis], allowed: Periods::None }.error(self.repeating.unwrap_or(name), name))
    }

    fn worley(&mut self, name: &str, n: &Worley, context: &Context) -> Result<Op, ProgramError> {
        let lattice = Lattice::cubic(n.dimensions, n.wavelength, n.seed, n.offset);
        let weights = if n.output == WorleyOutput::Distance { &n.weights[..] } else { &[] };
        let nearest = weights.len().max(1) as u32;
        // In steps of 2⁻²⁰, so that no offset of a point is too small for f32 to be normal.
        let numbers = self.scalar((n.jitter * 1_048_576.0).round() / 1_048_576.0);
        for &weight in weights {
            self.scalar(weight);
        }
        let metric = if n.dimensions == 1 && n.metric != Metric::Squared { Metric::Euclidean } else { n.metric };
        let shape = WorleyShape { dimensions: n.dimensions, metric, output: n.output, nearest };
        self.lattice(Basis::Worley(shape, numbers), &lattice, name, context)
    }

    fn hill(&mut self, name: &str, n: &Hill, open: &mut Open, context: &Context) -> Result<Op, ProgramError> {
        let largest = n.all_sizes().into_iter().fold(0.0, f64::max);
        self.fit_waves(name, context, std::f64::consts::TAU * largest * n.unit, n.dimensions)?;
        let amplitudes = n.amplitudes();
        let frames = self.frames(name, context, false, |instance| n.frames(instance))?;
        let sines = Op::Sines { dimensions: n.dimensions, frames, amplitudes: self.series(amplitudes.clone()) };
        match n.uniform {
            Uniform::None => Ok(sines),
            Uniform::Normal => {
                let deviation = (amplitudes.iter().map(|a| a * a).sum::<f64>() * f64::from(n.dimensions) / 2.0).sqrt();
                let x = self.push(open, sines, name)?;
                Ok(Op::Curve { curve: Curve::Normal, x, numbers: self.numbers([1.0 / deviation, 0.0, 0.0, 0.0]) })
            }
            Uniform::Exact => {
                let x = self.push(open, sines, name)?;
                let curve = computed(Kind::Sines(n.dimensions), &amplitudes, || distribution_of_sines(&amplitudes, n.dimensions));
                Ok(Op::Spline { x, points: self.points(&curve) })
            }
        }
    }

    fn polar(&mut self, name: &str, n: &PolarNode, open: &mut Open, context: &Context) -> Result<Op, ProgramError> {
        // Everything in units of the size, so that the centre may be as far away as a coordinate of that unit.
        let flat = DVec3::new(1.0, 1.0, 0.0) / n.size;
        let frames = self.frames(name, context, true, |instance| [around(n.centre, flat, instance)])?;
        let height = self.frames(name, context, true, |instance| [along(Axis::Z, 0.0, n.size, instance)])?;
        let reach = self.bounds.polar.get(name).copied().unwrap_or_else(|| around_circle(n.form, 2.0 * COORDINATE, COORDINATE));
        let (first, second) = match n.form {
            PolarForm::Circle => (Polar::Cosine, Polar::Sine),
            PolarForm::Strip => (Polar::Angle, Polar::Radius),
        };
        let mut by = [Reg(0); 3];
        for (reg, op) in by.iter_mut().zip([Op::Polar(first, frames), Op::Polar(second, frames), Op::Coordinate(Part::Whole, height)]) {
            let x = self.push(open, op, name)?;
            let scale = Op::ScaleOffset { x, scale: self.scalar(n.size), offset: self.scalar(0.0) };
            *reg = self.push(open, scale, name)?;
        }
        let inner = context.each(|instance| instance.placed(DVec3::new(n.centre[0], n.centre[1], 0.0), reach * n.size));
        self.at(&n.of, by, inner, context, name)
    }

    /// A scope at a position given by values.
    fn at(&mut self, of: &Input, by: [Reg; 3], inner: Vec<Instance>, context: &Context, name: &str) -> Result<Op, ProgramError> {
        let inner = Context { quantised: false, ..context.displaced(inner) };
        Ok(Op::At { body: self.body(of, &inner, name)?, by })
    }

    /// Three values, and the largest magnitude that each can have.
    fn inputs(&mut self, inputs: [&Input; 3], open: &mut Open, name: &str) -> Result<([Reg; 3], DVec3), ProgramError> {
        let mut by = [Reg(0); 3];
        let mut reach = DVec3::ZERO;
        for (axis, input) in inputs.into_iter().enumerate() {
            by[axis] = self.input(input, open, name)?;
            let range = self.range(input);
            reach[axis] = range.lo.abs().max(range.hi.abs());
        }
        Ok((by, reach))
    }

    fn raster(&mut self, name: &str, n: &Raster, context: &Context) -> Result<Op, ProgramError> {
        let surface = n.surface().expect("invariant: ranges refuse rasters that have not been read");
        let (raster, first) = self.tables.raster(&surface);
        let all = first + surface.values.len();
        if all > MOST_RASTER_SAMPLES {
            let what = "samples of rasters";
            return Err(ProgramError::TooLarge { node: name.to_owned(), what, value: all, allowed: MOST_RASTER_SAMPLES });
        }
        for instance in &context.instances {
            let cells = (absolute(n.frame(&surface, instance).local) * instance.reach).max_element();
            if cells >= FARTHEST_SAMPLES {
                return Err(ProgramError::Displacement { node: name.to_owned(), cells, allowed: FARTHEST_SAMPLES });
            }
        }
        let frames = self.frames(name, context, true, |instance| [n.frame(&surface, instance)])?;
        let [columns, rows] = surface.size.map(|edge| edge as usize);
        let numbers = [self.span(first, surface.values.len()), self.span(columns, rows)];
        let (sampling, outside, fill) = (n.sampling, n.outside, self.scalar(n.fill));
        Ok(Op::Raster { raster: raster as u32, sampling, outside, frames, numbers, fill })
    }

    fn fractal(&mut self, name: &str, n: &Fractal, context: &Context) -> Result<Op, ProgramError> {
        self.count_instances(name, context.instances.len() * n.octaves as usize)?;
        let inner = context.inner(context.instances.iter().flat_map(|instance| instance.octaves(n, self.graph.offsets(n))).collect());
        let octaves = self.series(n.amplitudes());
        let numbers = self.numbers([n.level, n.sharpness, n.weight, n.folds]);
        Ok(Op::Fractal { body: self.body(&n.of, &inner, name)?, octaves, accumulate: n.accumulate, numbers })
    }

    /// Refuses more rows than a scope should have.
    fn count_instances(&self, name: &str, rows: usize) -> Result<(), ProgramError> {
        let what = "octaves, nested ones multiplied";
        if rows > MOST_FRAMES {
            return Err(ProgramError::TooLarge { node: name.to_owned(), what, value: rows, allowed: MOST_FRAMES });
        }
        Ok(())
    }

    /// The scope of an input that is sampled elsewhere.
    fn body(&mut self, input: &Input, context: &Context, user: &str) -> Result<ScopeId, ProgramError> {
        if let Input::Node(name) = input {
            return self.scope(&name.clone(), context);
        }
        let mut open = Open::default();
        let result = self.input(input, &mut open, user)?;
        Ok(self.close(open, result, context))
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
            Input::Node(name) => self.bounds.ranges[name.as_str()],
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

    /// Four numbers that stand together.
    fn numbers(&mut self, numbers: [f64; 4]) -> Scalar {
        self.tables.scalars.extend(numbers);
        Scalar(self.tables.scalars.len() as u32 - 4)
    }

    fn series(&mut self, numbers: Vec<f64>) -> Span {
        let start = self.tables.series.len();
        let count = numbers.len();
        self.tables.series.extend(numbers);
        self.span(start, count)
    }

    /// The frames of every instance of the scope, as many for each.
    fn frames<F: IntoIterator<Item = Frame>>(
        &mut self,
        name: &str,
        context: &Context,
        coordinate: bool,
        of_instance: impl Fn(&Instance) -> F,
    ) -> Result<Span, ProgramError> {
        let start = self.tables.frames.len();
        let mut reached = Vec::new();
        for instance in &context.instances {
            for frame in of_instance(instance) {
                let cells = (absolute(frame.local) * instance.reach).max_element();
                let finite = frame.offset.is_finite() && frame.linear.is_finite() && frame.local.is_finite();
                if cells >= FARTHEST_CELLS || !finite {
                    return Err(too_far(name, cells));
                }
                if coordinate {
                    reached.push(instance.reached(&frame));
                }
                self.tables.frames.push(frame);
            }
            let frames = self.tables.frames.len();
            if frames > MOST_FRAMES {
                return Err(ProgramError::TooLarge { node: name.to_owned(), what: "lattice frames", value: frames, allowed: MOST_FRAMES });
            }
        }
        if coordinate {
            self.coordinates.push(CoordinateFrames { owner: self.owners.len(), reached });
        }
        self.owners.push((start, name.to_owned()));
        Ok(self.span(start, (self.tables.frames.len() - start) / context.instances.len()))
    }
}
