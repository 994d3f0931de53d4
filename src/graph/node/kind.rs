//! The trait that every kind of node implements, each in its own file. No method has a default: a kind that forgets one does not compile.

use super::Node;
use super::near::{Near, range_near};
use super::precision::{Magnitudes, Precision, Rounds};
use crate::graph::Graph;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::interval::Interval;
use crate::params::{Input, Role};
use crate::program::{GraphError, Op, ProgramError};

/// The computation of a kind of node, and its proven bounds.
pub(crate) trait NodeKind {
    /// Refuses parameters that are valid one by one, but not together or not with the tables that the node reads.
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError>;

    /// Proven bounds of the values, in f32 and in f64, at any position.
    fn range(&self, inputs: &InputRanges<'_>) -> Interval;

    /// An upper bound of the gradient's length, by the chain rule.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a>;

    /// Bounds of the error of its values in f32 and in fast arithmetic, for exact inputs.
    fn precision(&self) -> Precision;

    /// Rounding besides that of its own values: of larger intermediate values, and of a curve's input.
    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds;

    /// Lowers the node to its operation.
    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError>;
}

/// A node that is being checked.
pub(crate) struct CheckedNode<'a> {
    /// The node's name.
    pub name: &'a str,
    /// The graph that contains it. Inputs name nodes that exist.
    pub graph: &'a Graph,
}

impl CheckedNode<'_> {
    /// The error for a parameter with an invalid value.
    pub fn refuse(&self, param: &'static str, value: impl Into<String>, allowed: impl Into<String>) -> Result<(), GraphError> {
        Err(GraphError::parameter(self.name, param, value, allowed))
    }

    /// Refuses a vector that is too short to be a direction.
    pub fn has_direction(&self, param: &'static str, axis: [f64; 3]) -> Result<(), GraphError> {
        if axis.iter().all(|a| a.abs() < 1e-6) {
            return self.refuse(param, format!("{axis:?}"), "a direction of length 1e-6 or more");
        }
        Ok(())
    }
}

/// The ranges of a node's inputs.
pub(crate) struct InputRanges<'a> {
    /// The graph that the node is in.
    pub graph: &'a Graph,
    /// The range of an input.
    pub ranges: &'a dyn Fn(&Input) -> Interval,
}

impl InputRanges<'_> {
    /// The range of an input.
    pub fn of(&self, input: &Input) -> Interval {
        (self.ranges)(input)
    }

    /// The range of an input in a cylinder around the z axis with this radius, from 0 up to this height.
    pub fn within(&self, input: &Input, cylinder: [f64; 2]) -> Interval {
        range_near(self, input, Near::cylinder(cylinder))
    }
}

/// A kind that holds entries for other nodes and has no values. It is never evaluated.
pub(crate) trait EntryTable {}

impl<T: EntryTable> NodeKind for T {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        unreachable!("invariant: tables have no values")
    }

    fn steepness<'a>(&self, _: &Rule<'_, 'a>) -> Steep<'a> {
        unreachable!("invariant: tables have no values")
    }

    fn precision(&self) -> Precision {
        Precision::of_values(0.0)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, _: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        unreachable!("invariant: nothing samples a table")
    }
}

impl Node {
    /// Whether the node is a table, without values of its own.
    pub(crate) fn is_table(&self) -> bool {
        self.info().outputs.is_empty()
    }

    /// Its inputs, each with its name and its role.
    pub(crate) fn roles(&self) -> impl Iterator<Item = (&'static str, &Input, Role)> {
        let params = self.info().params;
        self.inputs().into_iter().map(|(name, input)| {
            let role = params.iter().find(|param| param.name == name).and_then(|param| param.role);
            (name, input, role.expect("invariant: every input has a role"))
        })
    }
}
