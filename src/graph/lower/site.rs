//! A node during lowering: the methods with which its kind adds operations, numbers and frames to the program.

use super::{Open, ProgramLowering, ScopeContext};
use crate::frame::{AddressMode, Frame};
use crate::graph::Graph;
use crate::graph::node::Node;
use crate::interval::Interval;
use crate::params::Input;
use crate::program::fourth::FourthAxis;
use crate::program::instance::{Instance, absolute};
use crate::program::lattice::{Lattice, PeriodMismatch, Periods};
use crate::program::reach::CoordinateFrames;
use crate::program::{Basis, Curve, FARTHEST_CELLS, Op, Pointwise, ProgramError, Reg, Scalar, ScopeId, Span, SplinePoint};
use crate::raster::Surface;
use glam::DVec3;

/// Limit for graphs that unfold exponentially.
const MOST_FRAMES: usize = 1 << 16;

/// A node during lowering, and the scope that it belongs to.
pub(crate) struct NodeSite<'s, 'a> {
    pub(super) lowering: &'s mut ProgramLowering<'a>,
    /// The node's name.
    pub name: &'s str,
    pub(super) open: &'s mut Open,
    /// The context of the scope.
    pub context: &'s ScopeContext,
}

impl<'a> NodeSite<'_, 'a> {
    /// The graph that contains the node.
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

    /// The largest coordinates that a polar node reads along each axis, in sizes; `None` if unknown.
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

    /// An input at the node's own position, with the role `Here`.
    pub fn input(&mut self, input: &Input) -> Result<Reg, ProgramError> {
        let value = match input {
            Input::Node(name) => return Ok(self.open.done[name]),
            Input::Value(x) => *x,
            Input::Missing => 0.0,
        };
        let op = Op::Constant(self.scalar(value));
        self.push(op)
    }

    /// Lowers the sub-graphs of inputs into a scope of the node's own. Then they are inputs at its position.
    pub fn evaluate(&mut self, inputs: [&Input; 3]) -> Result<(), ProgramError> {
        for input in inputs {
            if let Input::Node(name) = input {
                self.lowering.sub_graph(name, self.open, self.context)?;
            }
        }
        Ok(())
    }

    /// Three inputs, and the largest magnitude of each.
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

    /// The scope of an input with the role `Elsewhere`.
    pub fn body(&mut self, input: &Input, context: &ScopeContext) -> Result<ScopeId, ProgramError> {
        if let Input::Node(name) = input {
            return self.lowering.scope(name, context);
        }
        let mut open = Open::default();
        let result = NodeSite { lowering: self.lowering, name: self.name, open: &mut open, context }.input(input)?;
        Ok(self.lowering.close(open, result, context))
    }

    /// A scope with one operation of the node itself.
    pub fn own_scope(
        &mut self,
        context: &ScopeContext,
        lower: impl FnOnce(&mut NodeSite<'_, '_>) -> Result<Op, ProgramError>,
    ) -> Result<ScopeId, ProgramError> {
        let mut open = Open::default();
        let mut inner = NodeSite { lowering: self.lowering, name: self.name, open: &mut open, context };
        let op = lower(&mut inner)?;
        let result = inner.push(op)?;
        Ok(self.lowering.close(open, result, context))
    }

    /// As `body`, for a periodic sub-graph.
    pub fn repeated(&mut self, input: &Input, context: &ScopeContext) -> Result<ScopeId, ProgramError> {
        self.lowering.periodic = true;
        // Periodic nodes do not nest, so no outer node is periodic.
        self.lowering.repeating = self.lowering.graph.node.get_key_value(self.name).map(|(name, _)| name.as_str());
        let body = self.body(input, context)?;
        self.lowering.repeating = None;
        Ok(body)
    }

    /// A scope at a position computed by values.
    pub fn at(&mut self, of: &Input, by: [Reg; 3], inner: Vec<Instance>) -> Result<Op, ProgramError> {
        let inner = self.context.placed(inner);
        Ok(Op::At { body: self.body(of, &inner)?, by })
    }

    /// A curve of an input, with its four parameters.
    pub fn curve(&mut self, curve: Curve, of: &Input, numbers: [f64; 4]) -> Result<Op, ProgramError> {
        Ok(Op::Curve { curve, x: self.input(of)?, numbers: self.numbers(numbers) })
    }

    /// 0 below one edge, 1 above another.
    pub fn smoothstep(&mut self, x: Reg, low: f64, high: f64) -> Op {
        // Equal edges make a jump; 1e18 keeps products finite.
        let numbers = [low, (1.0 / (high - low)).min(1e18), 0.0, 0.0];
        Op::Curve { curve: Curve::Smoothstep, x, numbers: self.numbers(numbers) }
    }

    /// A noise on a lattice.
    pub fn lattice(&mut self, basis: Basis, lattice: &Lattice) -> Result<Op, ProgramError> {
        let context = self.context;
        self.fit(lattice, basis.has_fourth())?;
        // The polynomial repeats after 289 cells, and 2³² is not a multiple of that.
        let again = |instance: &Instance| basis == Basis::Pointwise(Pointwise::Permutation289) && !instance.is_periodic();
        let address_mode = |instance: &Instance| if again(instance) { AddressMode::Wrapped([289; 3]) } else { AddressMode::Unbounded };
        let first = self.lowering.tables.frames.len();
        let frames = self.frames(false, |instance| {
            std::iter::once(Frame { address_mode: address_mode(instance), ..lattice.frame(instance) })
                .chain(basis.has_fourth().then(|| lattice.fourth(instance)))
        })?;
        if basis.has_fourth() {
            let firsts = (first..).step_by(2);
            self.lowering.fourths.extend(firsts.zip(&context.instances).map(|(first, &instance)| FourthAxis {
                first,
                lattice: lattice.clone(),
                instance,
            }));
        }
        Ok(Op::Lattice(basis, frames))
    }

    /// The frames of a lattice in three dimensions or fewer.
    pub fn lattice_frames(&mut self, lattice: &Lattice) -> Result<Span, ProgramError> {
        self.fit(lattice, false)?;
        self.frames(false, |instance| [lattice.frame(instance)])
    }

    /// Checks whether a lattice supports the periods of all instances.
    fn fit(&self, lattice: &Lattice, fourth: bool) -> Result<(), ProgramError> {
        self.context.instances.iter().try_for_each(|instance| {
            let fit = lattice.fit(instance).and_then(|()| if fourth { lattice.fit_fourth(instance) } else { Ok(()) });
            fit.map_err(|mismatch| self.period_mismatch(mismatch))
        })
    }
}

/// Numbers.
impl NodeSite<'_, '_> {
    /// One number.
    pub fn scalar(&mut self, x: f64) -> Scalar {
        self.lowering.tables.scalars.push(x);
        Scalar(self.lowering.tables.scalars.len() as u32 - 1)
    }

    /// Four adjacent numbers.
    pub fn numbers(&mut self, numbers: [f64; 4]) -> Scalar {
        self.lowering.tables.scalars.extend(numbers);
        Scalar(self.lowering.tables.scalars.len() as u32 - 4)
    }

    /// Any number of adjacent numbers.
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

    /// The first index of the points of the table with this name, which is stored once for all readers; `None` if it is not such
    /// a table.
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

    /// The index of a surface among the rasters, and the first index of its samples.
    pub fn raster(&mut self, surface: &Surface) -> (usize, usize) {
        self.lowering.tables.raster(surface)
    }

    /// A pair for the table of spans: the first index and the number of elements.
    pub fn span(&mut self, start: usize, count: usize) -> Span {
        self.lowering.tables.spans.push([start as u32, count as u32]);
        Span(self.lowering.tables.spans.len() as u32 - 1)
    }
}

/// Frames.
impl NodeSite<'_, '_> {
    /// Adds the same number of frames for every instance of the scope. `coordinate`: their coordinates are read as values, which
    /// are limited.
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
                    return Err(ProgramError::too_far(name, cells));
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

    /// The number of nodes that own frames, and the number of coordinates among them, for
    /// [`reach_coordinates`](Self::reach_coordinates).
    pub fn owners(&self) -> [usize; 2] {
        [self.lowering.owners.len(), self.lowering.coordinates.len()]
    }

    /// Marks the node's own frames as coordinates if other coordinates have been added since these counts.
    pub fn reach_coordinates(&mut self, [owner, coordinates]: [usize; 2], frame: impl Fn(&Instance) -> Frame) {
        if self.lowering.coordinates.len() > coordinates {
            let reached = self.context.instances.iter().map(|instance| instance.reached(&frame(instance))).collect();
            self.lowering.coordinates.push(CoordinateFrames { owner, reached });
        }
    }

    /// Refuses a node that never repeats inside a periodic sub-graph.
    pub fn never_repeats(&self) -> Result<(), ProgramError> {
        let Some(instance) = self.context.instances.iter().find(|instance| instance.is_periodic()) else { return Ok(()) };
        let axis = (0..3).find(|&axis| instance.asked[axis] != 0.0).unwrap_or(0);
        Err(self.period_mismatch(PeriodMismatch { axis, asked: instance.asked[axis], allowed: Periods::None }))
    }

    /// The error for a node that does not support the period.
    pub fn period_mismatch(&self, mismatch: PeriodMismatch) -> ProgramError {
        mismatch.error(self.lowering.repeating.unwrap_or(self.name), self.name)
    }

    /// Refuses too many instances.
    pub fn count_instances(&self, instances: usize) -> Result<(), ProgramError> {
        if instances > MOST_FRAMES { Err(self.too_large("octaves, nested ones multiplied", instances, MOST_FRAMES)) } else { Ok(()) }
    }

    /// The error for a node that unfolds too far.
    pub fn too_large(&self, what: &'static str, value: usize, allowed: usize) -> ProgramError {
        ProgramError::too_large(self.name, what, value, allowed)
    }
}
