//! Selecting or mixing two values by a mask.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{INTERPOLATION, Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::{GraphError, Op, ProgramError};

row! {
    /// Linear blend: `a + mask · (b − a)`, with the mask clamped to 0 to 1.
    Blend {
        /// The value where the mask is 0.
        a: Input => Here;
        /// The value where the mask is 1.
        b: Input => Here;
        /// The share of `b`, from 0 to 1.
        mask: Input => Here;
    }

    /// `a` where a mask is low, `b` where it is high, with a smooth transition.
    Select {
        /// The value where the mask is low.
        a: Input => Here;
        /// The value where the mask is high.
        b: Input => Here;
        /// The mask.
        mask: Input => Here;
        /// Value of the mask at which `a` and `b` count equally.
        at: f64 = 0.0, [FINITE], Value;
        /// Half the width of the transition, in values of the mask.
        falloff: f64 = 0.1, [0 to 1e15], Value;
    }
}

impl Noise {
    /// This noise where `mask` is 0 or less, `other` where it is 1 or more, and a linear blend in between.
    pub fn blend(mut self, other: impl Into<Noise>, mask: impl Into<Noise>) -> Self {
        let a = self.graph().output.clone();
        let b = self.absorb(&other.into());
        let mask = self.absorb(&mask.into());
        self.push(Blend { a: Input::Node(a), b: Input::Node(b), mask: Input::Node(mask) })
    }

    /// This noise where `mask` is below `at`, `other` where it is above, with a smooth transition within `falloff` of `at`.
    pub fn select(mut self, other: impl Into<Noise>, mask: impl Into<Noise>, at: f64, falloff: f64) -> Self {
        let a = self.graph().output.clone();
        let b = self.absorb(&other.into());
        let mask = self.absorb(&mask.into());
        self.push(Select { a: Input::Node(a), b: Input::Node(b), mask: Input::Node(mask), at, falloff })
    }
}

impl NodeKind for Blend {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let mask = inputs.of(&self.mask);
        let mask = Interval { lo: mask.lo.clamp(0.0, 1.0), hi: mask.hi.clamp(0.0, 1.0) };
        Interval::lerp(inputs.of(&self.a), inputs.of(&self.b), mask)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.blend([&self.a, &self.b], &self.mask, 1.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let (a, b) = (site.input(&self.a)?, site.input(&self.b)?);
        Ok(Op::Blend { a, b, mask: site.input(&self.mask)? })
    }
}

impl NodeKind for Select {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        Interval::lerp(inputs.of(&self.a), inputs.of(&self.b), Interval::new(0.0, 1.0))
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.blend([&self.a, &self.b], &self.mask, INTERPOLATION * (0.5 / self.falloff).min(1e18))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        Rounds { largest: 0.0, argument: Some(("mask", inputs.of(&self.mask) + self.at.abs() + self.falloff)) }
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let (a, b, mask) = (site.input(&self.a)?, site.input(&self.b)?, site.input(&self.mask)?);
        let mask = site.smoothstep(mask, self.at - self.falloff, self.at + self.falloff);
        Ok(Op::Blend { a, b, mask: site.push(mask)? })
    }
}
