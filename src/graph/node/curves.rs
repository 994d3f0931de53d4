//! Curves of one value, described by a few numbers.

use crate::graph::Noise;
use crate::graph::lower::steep::{INTERPOLATION, Rule, Steep, steepest_power};
use crate::graph::lower::{NodeSite, added_turns};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::{Input, row, short};
use crate::program::{Curve, GraphError, Op, ProgramError};
use std::f64::consts::TAU;

row! {
    /// 0 below one edge, 1 above another, and `6t⁵ − 15t⁴ + 10t³` in between.
    Smoothstep {
        /// The input value.
        of: Input => Here;
        /// Input at which the curve leaves 0.
        low: f64 = 0.0, [FINITE], Value;
        /// Input at which the curve reaches 1; above `low`.
        high: f64 = 1.0, [FINITE], Value;
    }

    /// Steps: each is flat, then rises smoothly to the next.
    Terrace {
        /// The input value.
        of: Input => Here;
        /// Height of a step.
        height: f64 = 0.25, [0.000001 to 1e15], Value;
        /// Share of each step that rises.
        slope: f64 = 0.3, [0.001 to 1], Unitless;
    }

    /// `below` where the input is less than `at`, else `above`. The gradient is 0.
    Threshold {
        /// The input value.
        of: Input => Here;
        /// Input at which the value jumps.
        at: f64 = 0.0, [FINITE], Value;
        /// Value for inputs below `at`.
        below: f64 = 0.0, [FINITE], Value;
        /// Value for inputs of `at` and more.
        above: f64 = 1.0, [FINITE], Value;
    }

    /// Perlin's bias (Perlin and Hoffert 1989): a power that maps 1/2 to `bias` and keeps 0 and 1. The input is clamped to 0 to
    /// 1.
    Bias {
        /// The input value, from 0 to 1.
        of: Input => Here;
        /// The value that 1/2 is mapped to.
        bias: f64 = 0.5, [0.001 to 0.9375], Unitless;
    }

    /// Perlin's gain (Perlin and Hoffert 1989): moves values away from 1/2 if `gain` is above 1/2, or towards it if below, and
    /// keeps 0, 1/2 and 1. The input is clamped to 0 to 1.
    Gain {
        /// The input value, from 0 to 1.
        of: Input => Here;
        /// Strength: 1/4 is mapped to `(1 − gain) / 2`, so 1/2 changes nothing.
        gain: f64 = 0.5, [0.0625 to 0.999], Unitless;
    }

    /// `sin(2π · (frequency · of + phase))`.
    Sine {
        /// The input value.
        of: Input => Here;
        /// Turns per 1.0 of the input.
        frequency: f64 = 1.0, [-1000000 to 1000000], TurnsPerOne;
        /// Phase at input 0, in turns.
        phase: f64 = 0.0, [-1000000 to 1000000], Turns;
    }
}

impl Noise {
    /// Rises from 0 at `low` to 1 at `high`.
    pub fn smoothstep(self, low: f64, high: f64) -> Self {
        self.then(|of| Smoothstep { of, low, high })
    }

    /// Steps of this height; `slope` is the share of each step that rises.
    pub fn terrace(self, height: f64, slope: f64) -> Self {
        self.then(|of| Terrace { of, height, slope })
    }

    /// `below` where this noise is less than `at`, else `above`.
    pub fn threshold(self, at: f64, below: f64, above: f64) -> Self {
        self.then(|of| Threshold { of, at, below, above })
    }

    /// Perlin's bias on [0, 1].
    pub fn bias(self, bias: f64) -> Self {
        self.then(|of| Bias { of, bias })
    }

    /// Perlin's gain on [0, 1].
    pub fn gain(self, gain: f64) -> Self {
        self.then(|of| Gain { of, gain })
    }

    /// `sin(2π · (frequency · self + phase))`.
    pub fn sine(self, frequency: f64, phase: f64) -> Self {
        self.then(|of| Sine { of, frequency, phase })
    }
}

/// A rising function over an interval, widened by `slack` for rounding of its ends.
fn monotonic(x: Interval, slack: f64, f: impl Fn(f64) -> f64) -> Interval {
    Interval { lo: f(x.lo - slack), hi: f(x.hi + slack) }.outward()
}

/// One ulp of f32 of the larger number.
fn ulps(a: f64, b: f64) -> f64 {
    a.abs().max(b.abs()) * f64::from(f32::EPSILON)
}

fn smoothstep(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

impl NodeKind for Smoothstep {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        if self.high <= self.low {
            return at.refuse("high", short(self.high), format!("more than low = {}", short(self.low)));
        }
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        // The kernel's factor is at most 10¹⁸.
        let edge = |x: f64| smoothstep((x - self.low) / (self.high - self.low).max(1e-18));
        // Near its upper end, the quintic rounds more than once.
        monotonic(inputs.of(&self.of), 4.0 * ulps(self.low, self.high), edge).loosened(16.0, 1.0).clamped(0.0, 1.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, INTERPOLATION * (1.0 / (self.high - self.low)).min(1e18))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        inputs.argument(&self.of, self.low.abs().max(self.high.abs()))
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let x = site.input(&self.of)?;
        Ok(site.smoothstep(x, self.low, self.high))
    }
}

impl NodeKind for Terrace {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let x = inputs.of(&self.of);
        monotonic(x, 4.0 * ulps(x.lo, x.hi), |x| self.terrace(x)).widened(4.0).loosened(16.0, self.height)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, INTERPOLATION / self.slope)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    /// Shares of a step are rounded relative to a whole step, however small the range of values.
    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        Rounds { largest: self.height, ..inputs.argument(&self.of, self.height) }
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let numbers = [self.height, 1.0 / self.height, 1.0 - self.slope, 1.0 / self.slope];
        site.curve(Curve::Terrace, &self.of, numbers)
    }
}

impl Terrace {
    fn terrace(&self, x: f64) -> f64 {
        let t = x / self.height;
        let rise = (t - t.floor() - (1.0 - self.slope)) / self.slope;
        (t.floor() + smoothstep(rise)) * self.height
    }
}

impl NodeKind for Threshold {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let (x, at) = (inputs.of(&self.of), Interval::new(self.at, self.at).outward());
        let (below, above) = (Interval::new(self.below, self.below).outward(), Interval::new(self.above, self.above).outward());
        if x.hi < at.lo {
            below
        } else if x.lo >= at.hi {
            above
        } else {
            below.hull(above)
        }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, 0.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        inputs.argument(&self.of, self.at.abs())
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.curve(Curve::Threshold, &self.of, [self.at, self.below, self.above, 0.0])
    }
}

impl NodeKind for Bias {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        inputs.of(&self.of).clamped(0.0, 1.0).power(self.exponent())
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, steepest_power(self.exponent(), rule.range(&self.of).clamped(0.0, 1.0)))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let held = Op::Clamp { x: site.input(&self.of)?, low: site.scalar(0.0), high: site.scalar(1.0) };
        Ok(Op::Power { x: site.push(held)?, exponent: site.scalar(self.exponent()) })
    }
}

impl Bias {
    /// The exponent that maps 1/2 to the bias.
    fn exponent(&self) -> f64 {
        -libm::log2(self.bias)
    }
}

impl NodeKind for Gain {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let x = inputs.of(&self.of).clamped(0.0, 1.0);
        // Near 1, `2x − 1` is rounded to the step of f32 there: near the ends a large share of the remaining distance.
        let far = Interval { lo: 2.0 * x.lo - 1.0 - f64::from(f32::EPSILON), hi: 2.0 * x.hi - 1.0 + f64::from(f32::EPSILON) };
        let far = far.clamped(-1.0, 1.0);
        // 1 − m^e for the distance m from the nearer end, with the sign of the distance from the middle.
        let end = |t: f64, outward: f64| 0.5 + (0.5 - 0.5 * libm::pow(1.0 - t.abs(), self.exponent())).copysign(t) + outward * 2e-6;
        Interval { lo: end(far.lo, -1.0), hi: end(far.hi, 1.0) }.outward().clamped(0.0, 1.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, steepest_power(self.exponent(), Interval::new(0.0, 1.0)))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    /// Bias as a share.
    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        inputs.argument(&self.of, 1.0)
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.curve(Curve::Gain, &self.of, [self.exponent(), 0.0, 0.0, 0.0])
    }
}

impl Gain {
    /// The power of the distance from the nearer end.
    fn exponent(&self) -> f64 {
        -libm::log2(1.0 - self.gain)
    }
}

impl NodeKind for Sine {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(-1.0, 1.0).widened(4.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.curve(&self.of, TAU * self.frequency.abs())
    }

    /// Sines are polynomials.
    fn precision(&self) -> Precision {
        Precision::of_values(1e-5)
    }

    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        if self.frequency == 0.0 {
            return Rounds::VALUES;
        }
        match added_turns(inputs.graph, self) {
            // A fraction of a turn, and numbers.
            Some(added) => {
                let turns = 1.0 + added.into_iter().map(|(factor, input)| factor.abs() * inputs.of(input)).sum::<f64>();
                Rounds { largest: 0.0, argument: Some(("of", turns / self.frequency.abs())) }
            }
            None => inputs.argument(&self.of, (self.least_phase() / self.frequency).abs()),
        }
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.curve(Curve::Sine, &self.of, [self.frequency, self.least_phase(), 0.0, 0.0])
    }
}

impl Sine {
    /// The phase without whole turns, which change nothing but would cost f32 its digits. A phase within a turn is used as it is.
    fn least_phase(&self) -> f64 {
        if self.phase.abs() <= 1.0 { self.phase } else { self.phase % 1.0 }
    }
}
