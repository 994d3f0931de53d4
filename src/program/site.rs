//! A node being lowered: the methods with which its kind adds operations, numbers and frames to the program.

use super::lower::{Open, ProgramLowering, ScopeContext};
use crate::frame::{AddressMode, Frame};
use crate::graph::{Graph, Interval};
use crate::node::Node;
use crate::params::Input;
use crate::program::fourth::FourthAxis;
use crate::program::instance::{Instance, absolute};
use crate::program::lattice::{Lattice, PeriodMismatch, Periods};
use crate::program::reach::CoordinateFrames;
use crate::program::{Basis, Curve, Op, ProgramError, Reg, Scalar, ScopeId, Span, SplinePoint};
use crate::raster::Surface;
use glam::DVec3;

/// Limit against graphs that unfold without end.
const MOST_FRAMES: usize = 1 << 16;
/// Cells by which a warp may move a lattice: beyond, f32 arithmetic might overflow to infinities.
const FARTHEST_CELLS: f64 = 1e30;

/// The error of a lattice that is moved by more cells than it holds.
pub(super) fn too_far(node: &str, cells: f64) -> ProgramError {
    ProgramError::Displacement { node: node.to_owned(), cells, allowed: FARTHEST_CELLS }
}

/// A node that is being lowered, and the scope that it goes into.
pub(crate) struct NodeSite<'s, 'a> {
    pub(super) lowering: &'s mut ProgramLowering<'a>,
    /// The node's name.
    pub name: &'s str,
    pub(super) open: &'s mut Open,
    /// What lies around the scope.
    pub context: &'s ScopeContext,
}

impl<'a> NodeSite<'_, 'a> {
    /// The graph that the node is in.
    pub fn graph(&self) -> &'a Graph {
        self.lowering.graph
    }

    /// Bounds of an input's values.
    pub fn range(&self, input: &Input) -> Interval {
        match input {
            Input::Node(name) => self.lowering.bounds.ranges[name.as_str()],
            Input::Value(x) => Interval::new(*x, *x),
            Input::Missing => Interval::new(0.0, 0.0),
        }
    }

    /// How far out the node, which is polar, reads along each axis, in sizes; `None` where nothing is known.
    pub fn polar_reach(&self) -> Option<DVec3> {
        self.lowering.bounds.polar.get(self.name).copied()
    }
}

/// Operations.
impl NodeSite<'_, '_> {
    /// Adds an operation before the node's own.
    pub fn push(&mut self, op: Op) -> Result<Reg, ProgramError> {
        self.lowering.push(self.open, op, self.name)
    }

    /// An input at the node's own position: one whose role is `Here`.
    pub fn input(&mut self, input: &Input) -> Result<Reg, ProgramError> {
        let value = match input {
            Input::Node(name) => return Ok(self.open.done[name]),
            Input::Value(x) => *x,
            Input::Missing => 0.0,
        };
        let op = Op::Constant(self.scalar(value));
        self.push(op)
    }

    /// Three of them, and the largest magnitude that each can have.
    pub fn inputs(&mut self, inputs: [&Input; 3]) -> Result<([Reg; 3], DVec3), ProgramError> {
        let mut by = [Reg(0); 3];
        let mut reach = DVec3::ZERO;
        for (axis, input) in inputs.into_iter().enumerate() {
            by[axis] = self.input(input)?;
            let range = self.range(input);
            reach[axis] = range.lo.abs().max(range.hi.abs());
        }
        Ok((by, reach))
    }

    /// The scope of an input that is sampled elsewhere: one whose role is `Elsewhere`.
    pub fn body(&mut self, input: &Input, context: &ScopeContext) -> Result<ScopeId, ProgramError> {
        if let Input::Node(name) = input {
            return self.lowering.scope(name, context);
        }
        let mut open = Open::default();
        let result = NodeSite { lowering: self.lowering, name: self.name, open: &mut open, context }.input(input)?;
        Ok(self.lowering.close(open, result, context))
    }

    /// Likewise, where everything repeats.
    pub fn repeated(&mut self, input: &Input, context: &ScopeContext) -> Result<ScopeId, ProgramError> {
        self.lowering.periodic = true;
        // Periodic nodes do not nest, so no outer node is periodic.
        self.lowering.repeating = self.lowering.graph.node.get_key_value(self.name).map(|(name, _)| name.as_str());
        let body = self.body(input, context)?;
        self.lowering.repeating = None;
        Ok(body)
    }

    /// A scope at a position given by values.
    pub fn at(&mut self, of: &Input, by: [Reg; 3], inner: Vec<Instance>) -> Result<Op, ProgramError> {
        let inner = self.context.placed(inner);
        Ok(Op::At { body: self.body(of, &inner)?, by })
    }

    /// A curve of an input, with its four numbers.
    pub fn curve(&mut self, curve: Curve, of: &Input, numbers: [f64; 4]) -> Result<Op, ProgramError> {
        Ok(Op::Curve { curve, x: self.input(of)?, numbers: self.numbers(numbers) })
    }

    /// 0 up to an edge, 1 from another on.
    pub fn smoothstep(&mut self, x: Reg, low: f64, high: f64) -> Op {
        // Edges that coincide make a jump; 1e18 keeps products finite.
        let numbers = [low, (1.0 / (high - low)).min(1e18), 0.0, 0.0];
        Op::Curve { curve: Curve::Smoothstep, x, numbers: self.numbers(numbers) }
    }

    /// A noise on a lattice.
    pub fn lattice(&mut self, basis: Basis, lattice: &Lattice) -> Result<Op, ProgramError> {
        let context = self.context;
        for instance in &context.instances {
            lattice.fit(instance).map_err(|mismatch| self.period_mismatch(mismatch))?;
        }
        // The polynomial repeats after 289 cells, which 2³² are no multiple of.
        let again = |instance: &Instance| basis == Basis::Permutation289 && !instance.is_periodic();
        let address_mode = |instance: &Instance| if again(instance) { AddressMode::Wrapped([289; 3]) } else { AddressMode::Unbounded };
        let first = self.lowering.tables.frames.len();
        let frames = self.frames(false, |instance| {
            std::iter::once(Frame { address_mode: address_mode(instance), ..lattice.frame(instance) })
                .chain((basis.dimensions() == 4).then(|| lattice.fourth(instance)))
        })?;
        if basis.dimensions() == 4 {
            let firsts = (first..).step_by(2);
            self.lowering.fourths.extend(firsts.zip(&context.instances).map(|(first, &instance)| FourthAxis {
                first,
                lattice: lattice.clone(),
                instance,
            }));
        }
        Ok(Op::Lattice(basis, frames))
    }
}

/// Numbers.
impl NodeSite<'_, '_> {
    /// One number.
    pub fn scalar(&mut self, x: f64) -> Scalar {
        self.lowering.tables.scalars.push(x);
        Scalar(self.lowering.tables.scalars.len() as u32 - 1)
    }

    /// Four numbers that stand together.
    pub fn numbers(&mut self, numbers: [f64; 4]) -> Scalar {
        self.lowering.tables.scalars.extend(numbers);
        Scalar(self.lowering.tables.scalars.len() as u32 - 4)
    }

    /// Any number of them.
    pub fn series(&mut self, numbers: Vec<f64>) -> Span {
        let start = self.lowering.tables.series.len();
        let count = numbers.len();
        self.lowering.tables.series.extend(numbers);
        self.span(start, count)
    }

    /// The points of a curve.
    pub fn points(&mut self, points: &[SplinePoint]) -> Span {
        let start = self.lowering.tables.points.len();
        self.lowering.tables.points.extend_from_slice(points);
        self.span(start, points.len())
    }

    /// Where the points of the table of this name begin, which stand there once for all that read it; `None` for what is no such table.
    pub fn shared_points(&mut self, table: &str) -> Option<usize> {
        let Some((name, Node::PointTable(table))) = self.lowering.graph.node.get_key_value(table) else { return None };
        let tables = &mut self.lowering.tables;
        let first = self.lowering.point_tables.entry(name).or_insert_with(|| {
            let first = tables.points.len();
            tables.points.extend(SplinePoint::pieces(&table.points));
            first
        });
        Some(*first)
    }

    /// The number of a surface among the rasters, and where its numbers begin among theirs.
    pub fn raster(&mut self, surface: &Surface) -> (usize, usize) {
        self.lowering.tables.raster(surface)
    }

    /// Two numbers as the kernel's table of spans has them: where elements begin, and how many there are.
    pub fn span(&mut self, start: usize, count: usize) -> Span {
        self.lowering.tables.spans.push([start as u32, count as u32]);
        Span(self.lowering.tables.spans.len() as u32 - 1)
    }
}

/// Frames.
impl NodeSite<'_, '_> {
    /// The frames of every instance of the scope, as many for each. `coordinate`: their coordinates are read as numbers, which end.
    pub fn frames<F: IntoIterator<Item = Frame>>(
        &mut self,
        coordinate: bool,
        of_instance: impl Fn(&Instance) -> F,
    ) -> Result<Span, ProgramError> {
        let NodeSite { lowering, name, context, .. } = self;
        let start = lowering.tables.frames.len();
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
                lowering.tables.frames.push(frame);
            }
            let frames = lowering.tables.frames.len();
            if frames > MOST_FRAMES {
                return Err(ProgramError::too_large(name, "lattice frames", frames, MOST_FRAMES));
            }
        }
        if coordinate {
            lowering.coordinates.push(CoordinateFrames { owner: lowering.owners.len(), reached });
        }
        lowering.owners.push((start, (*name).to_owned()));
        let count = (lowering.tables.frames.len() - start) / context.instances.len();
        Ok(self.span(start, count))
    }

    /// How many nodes own frames, and how many of those are coordinates: for [`reach_coordinates`](Self::reach_coordinates).
    pub fn owners(&self) -> [usize; 2] {
        [self.lowering.owners.len(), self.lowering.coordinates.len()]
    }

    /// Makes the node's own frames coordinates if, since there were so many owners, other coordinates have been added.
    pub fn reach_coordinates(&mut self, [owner, coordinates]: [usize; 2], frame: impl Fn(&Instance) -> Frame) {
        if self.lowering.coordinates.len() > coordinates {
            let reached = self.context.instances.iter().map(|instance| instance.reached(&frame(instance))).collect();
            self.lowering.coordinates.push(CoordinateFrames { owner, reached });
        }
    }

    /// Refuses a node that never repeats where something should.
    pub fn never_repeats(&self) -> Result<(), ProgramError> {
        let Some(instance) = self.context.instances.iter().find(|instance| instance.is_periodic()) else { return Ok(()) };
        let axis = (0..3).find(|&axis| instance.asked[axis] != 0.0).unwrap_or(0);
        Err(self.period_mismatch(PeriodMismatch { axis, asked: instance.asked[axis], allowed: Periods::None }))
    }

    /// The error that the node cannot repeat as asked.
    pub fn period_mismatch(&self, mismatch: PeriodMismatch) -> ProgramError {
        mismatch.error(self.lowering.repeating.unwrap_or(self.name), self.name)
    }

    /// Refuses more instances than a scope should have.
    pub fn count_instances(&self, instances: usize) -> Result<(), ProgramError> {
        if instances > MOST_FRAMES { Err(self.too_large("octaves, nested ones multiplied", instances, MOST_FRAMES)) } else { Ok(()) }
    }

    /// The error that the node unfolds to too much of something.
    pub fn too_large(&self, what: &'static str, value: usize, allowed: usize) -> ProgramError {
        ProgramError::too_large(self.name, what, value, allowed)
    }
}
