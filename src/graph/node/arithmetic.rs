//! Arithmetic on values.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, steepest_power, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::{Input, row, short};
use crate::program::{GraphError, Op, ProgramError};

row! {
    /// `of · scale + offset`.
    ScaleOffset {
        /// The input value.
        of: Input => Here;
        /// Factor.
        scale: f64 = 1.0, [FINITE], Unitless;
        /// Number added after scaling.
        offset: f64 = 0.0, [FINITE], Value;
    }

    /// Clamps `of` to the range from `low` to `high`. The gradient is 0 where it clamps.
    Clamp {
        /// The input value.
        of: Input => Here;
        /// Lower bound.
        low: f64 = -1.0, [FINITE], Value;
        /// Upper bound, at least `low`.
        high: f64 = 1.0, [FINITE], Value;
    }

    /// The absolute value of `of`.
    Abs {
        /// The input value.
        of: Input => Here;
    }

    /// A power that keeps the sign: `sign(of) · |of|^exponent`. Magnitudes below 2⁻⁴⁰ give 0.
    Power {
        /// The input value.
        of: Input => Here;
        /// Exponent.
        exponent: f64 = 2.0, [0.0625 to 32], Unitless;
    }

    /// `a + b`.
    Add {
        /// First term.
        a: Input => Here;
        /// Second term.
        b: Input => Here;
    }

    /// `a · b`.
    Multiply {
        /// First factor.
        a: Input => Here;
        /// Second factor.
        b: Input => Here;
    }

    /// The smaller of `a` and `b`, with its gradient.
    Min {
        /// One value.
        a: Input => Here;
        /// The other.
        b: Input => Here;
    }

    /// The larger of `a` and `b`, with its gradient.
    Max {
        /// One value.
        a: Input => Here;
        /// The other.
        b: Input => Here;
    }
}

impl Noise {
    /// `self · scale + offset`.
    pub fn scale_offset(self, scale: f64, offset: f64) -> Self {
        self.then(|of| ScaleOffset { of, scale, offset })
    }

    /// Clamps this noise to the range from `low` to `high`.
    pub fn clamp(self, low: f64, high: f64) -> Self {
        self.then(|of| Clamp { of, low, high })
    }

    /// The absolute value.
    pub fn abs(self) -> Self {
        self.then(|of| Abs { of })
    }

    /// `sign(self) · |self|^exponent`.
    pub fn power(self, exponent: f64) -> Self {
        self.then(|of| Power { of, exponent })
    }

    /// `self + other`.
    #[expect(clippy::should_implement_trait, reason = "a step of the chain; operators would hide that it takes ownership")]
    pub fn add(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Add { a, b })
    }

    /// `self · other`.
    pub fn multiply(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Multiply { a, b })
    }

    /// The smaller of this noise and `other`.
    pub fn min(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Min { a, b })
    }

    /// The larger of this noise and `other`.
    pub fn max(self, other: impl Into<Noise>) -> Self {
        self.with(&other.into(), |a, b| Max { a, b })
    }
}

impl NodeKind for ScaleOffset {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of).scale(self.scale).add(Interval::new(self.offset, self.offset).outward())
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, self.scale.abs())
    }

    fn precision(&self) -> Precision {
        Precision::of_values(4e-7)
    }

    /// The product is rounded, and so is the sum.
    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        Rounds { largest: self.scale.abs() * inputs.of(&self.of), argument: None }
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::ScaleOffset { x: site.input(&self.of)?, scale: site.scalar(self.scale), offset: site.scalar(self.offset) })
    }
}

impl NodeKind for Clamp {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        if self.low > self.high {
            return at.refuse("high", short(self.high), format!("at least low = {}", short(self.low)));
        }
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let x = inputs.of(&self.of);
        // Over stages, ranges of other nodes are computed before their parameters have been checked.
        x.clamped(self.low, self.high.max(self.low)).outward()
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, 1.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(0.0)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Clamp { x: site.input(&self.of)?, low: site.scalar(self.low), high: site.scalar(self.high) })
    }
}

impl NodeKind for Abs {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of).abs()
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, 1.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(0.0)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Abs(site.input(&self.of)?))
    }
}

impl NodeKind for Power {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of).power(self.exponent)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, steepest_power(self.exponent, rule.range(&self.of)))
    }

    /// Roots are steep at 0; high powers multiply the relative error of their base.
    fn precision(&self) -> Precision {
        Precision::of_values(2e-5)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Power { x: site.input(&self.of)?, exponent: site.scalar(self.exponent) })
    }
}

impl NodeKind for Add {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.a).add(inputs.of(&self.b))
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.both(&self.a, &self.b, |a, b| a + b)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(4e-7)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Add(site.input(&self.a)?, site.input(&self.b)?))
    }
}

impl NodeKind for Multiply {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        if self.a == self.b {
            return inputs.of(&self.a).squared();
        }
        inputs.of(&self.a).multiply(inputs.of(&self.b))
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let [a, b] = [&self.a, &self.b].map(|input| rule.magnitude(input));
        rule.both(&self.a, &self.b, |slope_a, slope_b| times(b, slope_a) + times(a, slope_b))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(4e-7)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Multiply(site.input(&self.a)?, site.input(&self.b)?))
    }
}

impl NodeKind for Min {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let (a, b) = (inputs.of(&self.a), inputs.of(&self.b));
        Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.both(&self.a, &self.b, f64::max)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(0.0)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Min(site.input(&self.a)?, site.input(&self.b)?))
    }
}

impl NodeKind for Max {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let (a, b) = (inputs.of(&self.a), inputs.of(&self.b));
        Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.both(&self.a, &self.b, f64::max)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(0.0)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        Ok(Op::Max(site.input(&self.a)?, site.input(&self.b)?))
    }
}
