//! Velocities without divergence, computed from the gradients of potentials. A node is one component of the vector: nodes have one
//! value each, and components of the same potentials share them in a kernel.

use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::lower::{NodeSite, input_slope};
use crate::graph::node::Node;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::graph::{Graph, Noise};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::{Axis, GraphError, Interpolation, Op, ProgramError, Reg, Sampling, Span, WorleyOutput};
use std::collections::HashSet;

row! {
    /// One component of the curl of a potential: a flow that turns but neither gathers nor spreads (Bridson, Hourihan, Nordenstam,
    /// "Curl-noise for procedural fluid flow", 2007).
    ///
    /// In 2D the potential is `of`: the velocity `(∂of/∂y, −∂of/∂x)` follows its contours, faster where they are closer. In 3D the
    /// potential is the vector `(x, y, of)`, of three different noises, and the velocity is `∇ × (x, y, of)`. Its divergence is 0
    /// apart from rounding.
    ///
    /// Values are in units of the potential per world unit. Their magnitude is at most the steepest gradient of `of` in 2D, and
    /// the sum of those of the two potentials that a component reads in 3D. Nodes for other components of the same
    /// potentials compute them only once. A component has no gradient of its own. To keep the flow out of an obstacle, multiply
    /// the potential by a curve that is 0 at its border.
    Curl {
        /// The potential in 2D; its third component in 3D. Requires a gradient.
        of: Input => Slope;
        /// First component of the potential in 3D. Requires a gradient.
        x: Input = Input::Value(0.0) => Slope;
        /// Second component of the potential in 3D. Requires a gradient.
        y: Input = Input::Value(0.0) => Slope;
        /// The component of the velocity.
        axis: Axis = Axis::X, [structural];
    }

    /// One component of `∇a × ∇b`, the cross product of two gradients: a flow in 3D along the lines on which both `a` and `b` are
    /// constant (DeWolf, "Divergence-free noise", 2005). It reads two potentials, where `curl` in 3D reads three.
    ///
    /// Its divergence is 0 apart from rounding. Values are in units of `a` times units of `b` per square of a world unit; their
    /// magnitude is at most the product of the steepest gradients. Nodes for other components of the same potentials compute them
    /// only once. A component has no gradient of its own. Flow stays on the surfaces `b` = constant, so with the distance from
    /// an obstacle as `b`, it goes around it.
    CrossGradients {
        /// The first potential. Requires a gradient.
        a: Input => Slope;
        /// The second potential. Requires a gradient.
        b: Input => Slope;
        /// The component of the velocity.
        axis: Axis = Axis::X, [structural];
    }
}

impl Noise {
    /// A component of the curl of this potential in the plane.
    pub fn curl(self, axis: Axis) -> Self {
        self.then(|of| Curl { of, axis, ..Default::default() })
    }

    /// A component of the curl of the vector potential `(x, y, self)`.
    pub fn curl_3d(mut self, [x, y]: [impl Into<Noise>; 2], axis: Axis) -> Self {
        let of = Input::Node(self.graph().output.clone());
        let [x, y] = [x.into(), y.into()].map(|noise| Input::Node(self.absorb(&noise)));
        self.push(Curl { of, x, y, axis })
    }

    /// A component of the cross product of this potential's gradient and another's.
    pub fn cross_gradients(self, other: impl Into<Noise>, axis: Axis) -> Self {
        self.with(&other.into(), |a, b| CrossGradients { a, b, axis })
    }
}

/// f32 ulps by which computed gradients may exceed their bounds: each operation under a node rounds a few times, relative to the
/// bound.
const ROUNDING: f64 = 1000.0;

/// The two axes that follow an axis in turn.
fn others(axis: Axis) -> [Axis; 2] {
    match axis {
        Axis::X => [Axis::Y, Axis::Z],
        Axis::Y => [Axis::Z, Axis::X],
        Axis::Z => [Axis::X, Axis::Y],
    }
}

impl Graph {
    /// A node that the output needs and that has no gradient.
    pub(crate) fn without_gradient(&self) -> Option<&str> {
        self.without_gradient_under(&self.output)
    }

    fn without_gradient_under<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        let (mut open, mut seen) = (vec![name], HashSet::new());
        while let Some(name) = open.pop() {
            let Some(node) = self.node.get(name).filter(|_| seen.insert(name)) else { continue };
            if matches!(node, Node::Curl(_) | Node::CrossGradients(_) | Node::Advect(_))
                || matches!(node, Node::Phasor(node) if !node.has_gradient())
            {
                return Some(name);
            }
            open.extend(node.inputs().into_iter().filter_map(|(_, input)| match input {
                Input::Node(name) => Some(name.as_str()),
                Input::Value(_) | Input::Missing => None,
            }));
        }
        None
    }
}

/// Whether a node has the same value all over a cell, so that its gradient is 0 and its curl, too.
fn has_jumps_only(node: &Node) -> bool {
    match node {
        Node::White(_) | Node::Hexagonal(_) | Node::Quantise(_) | Node::Threshold(_) => true,
        Node::Worley(node) => node.output == WorleyOutput::Cell,
        Node::Raster(node) => node.sampling == Sampling::Nearest,
        Node::Value(node) => node.interpolation == Interpolation::Truncated,
        _ => false,
    }
}

/// Refuses potentials without a gradient.
pub(super) fn have_gradients(at: &CheckedNode<'_>, potentials: &[(&'static str, &Input)]) -> Result<(), GraphError> {
    for (param, potential) in potentials {
        let Input::Node(name) = potential else { continue };
        if let Some(without) = at.graph.without_gradient_under(name) {
            let allowed = format!("noises with a gradient: '{without}' is computed from gradients and has none");
            return at.refuse(param, format!("'{name}'"), allowed);
        }
        if at.graph.node.get(name).is_some_and(has_jumps_only) {
            return at.refuse(param, format!("'{name}'"), "noises with a gradient: this one is constant in each cell");
        }
    }
    Ok(())
}

/// The frames of a node's derivatives.
pub(super) fn frames(site: &mut NodeSite<'_, '_>) -> Result<Span, ProgramError> {
    site.frames(false, |instance| [instance.matrix(instance.local.inverse())])
}

/// Adds the operations for `first − second`, each of which may be 0.
fn difference(site: &mut NodeSite<'_, '_>, first: Option<Op>, second: Option<Op>) -> Result<Op, ProgramError> {
    let second = match second {
        Some(op) => Some(Op::ScaleOffset { x: site.push(op)?, scale: site.scalar(-1.0), offset: site.scalar(0.0) }),
        None => None,
    };
    Ok(match (first, second) {
        (Some(first), Some(second)) => Op::Add(site.push(first)?, site.push(second)?),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => Op::Constant(site.scalar(0.0)),
    })
}

impl NodeKind for Curl {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        have_gradients(at, &[("of", &self.of), ("x", &self.x), ("y", &self.y)])
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        self.flow().range(inputs.graph, self.axis)
    }

    /// Second derivatives are not computed.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(f64::INFINITY)
    }

    fn precision(&self) -> Precision {
        Precision { fast: fast::SLOPES, ..Precision::of_values(1e-5) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let frames = frames(site)?;
        self.flow().component(site, self.axis, frames)
    }
}

impl Curl {
    fn flow(&self) -> Flow<'_> {
        Flow([&self.x, &self.y, &self.of])
    }
}

/// A flow: the curl of these three components of a potential.
pub(super) struct Flow<'a>(pub [&'a Input; 3]);

impl Flow<'_> {
    /// The component of the potential along an axis.
    fn potential(&self, axis: Axis) -> &Input {
        self.0[axis as usize]
    }

    /// The range of a component of the velocity.
    pub fn range(&self, graph: &Graph, axis: Axis) -> Interval {
        let [next, last] = others(axis).map(|axis| input_slope(graph, self.potential(axis)));
        Interval::new(-(next + last), next + last).widened(ROUNDING)
    }

    /// The operation of a component of the velocity, before which others are added. `frames` are those of the node's derivatives.
    pub fn component(&self, site: &mut NodeSite<'_, '_>, axis: Axis, frames: Span) -> Result<Op, ProgramError> {
        let [next, last] = others(axis);
        let mut derivative = |potential: &Input, axis| match potential {
            Input::Node(_) => Ok(Some(Op::Derivative { x: site.input(potential)?, axis, frames })),
            Input::Value(_) | Input::Missing => Ok::<_, ProgramError>(None),
        };
        let (first, second) = (derivative(self.potential(last), next)?, derivative(self.potential(next), last)?);
        difference(site, first, second)
    }
}

impl NodeKind for CrossGradients {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        have_gradients(at, &[("a", &self.a), ("b", &self.b)])
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let [a, b] = [&self.a, &self.b].map(|input| input_slope(inputs.graph, input));
        let most = if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        Interval::new(-most, most).widened(ROUNDING)
    }

    /// Second derivatives are not computed.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(f64::INFINITY)
    }

    fn precision(&self) -> Precision {
        Precision { fast: fast::SLOPES, ..Precision::of_values(1e-5) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let frames = frames(site)?;
        let [a, b] = [site.input(&self.a)?, site.input(&self.b)?];
        let mut product = |[of_a, of_b]: [Axis; 2]| {
            let mut derivative = |x: Reg, axis| site.push(Op::Derivative { x, axis, frames });
            Ok::<_, ProgramError>(Op::Multiply(derivative(a, of_a)?, derivative(b, of_b)?))
        };
        let [next, last] = others(self.axis);
        let (first, second) = (product([next, last])?, product([last, next])?);
        difference(site, Some(first), Some(second))
    }
}
