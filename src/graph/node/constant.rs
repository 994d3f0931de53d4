//! A constant.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::{GraphError, Op, ProgramError};

row! {
    /// The same number everywhere.
    Constant {
        /// The number.
        value: f64 = 0.0, [FINITE], Value;
    }
}

impl Noise {
    /// The same number everywhere.
    pub fn constant(value: f64) -> Self {
        Self::source(Constant { value })
    }
}

impl NodeKind for Constant {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(self.value, self.value).outward()
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(0.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Constant(site.scalar(self.value)))
    }
}
