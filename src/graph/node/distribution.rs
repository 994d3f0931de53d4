//! Curves that map a uniform distribution to another, and back.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::computed::{ComputedKind, computed};
use crate::graph::lower::distribution::{pieces_of_quantiles, pieces_of_table};
use crate::graph::lower::steep::{Rule, Steep, steepest_power};
use crate::graph::node::choices::QuantileDistribution;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::{Input, QuantilePoint, row};
use crate::program::{Curve, GraphError, Op, ProgramError, SplinePoint};
use std::sync::Arc;

row! {
    /// Inverse-transform sampling: gives a uniform noise in [−1, 1] (`hill`, `equalise`) another distribution. An input v
    /// stands for the probability `(v + 1) / 2`, clamped to 2⁻²⁰ from 0 and 1.
    Quantile {
        /// The uniform noise.
        of: Input => Here;
        /// The distribution.
        distribution: QuantileDistribution = QuantileDistribution::Normal, [structural];
        /// For `weibull` the scale (the article's alpha), for `exponential` the mean, for `normal` the standard deviation.
        scale: f64 = 1.0, [0.000001 to 1e12], Value;
        /// For `weibull`: the shape (the article's beta).
        shape: f64 = 2.0, [0.25 to 16], Unitless;
        /// For `normal` the mean; for `weibull` and `exponential` the smallest value.
        location: f64 = 0.0, [FINITE], Value;
        /// For `table`: probabilities from 0 to 1, each with the value below which that share of the values lies. Joined by
        /// straight lines.
        table: Vec<QuantilePoint> = Vec::new(), [quantiles];
    }

    /// Makes the values of any sub-graph uniform over [−1, 1], by its measured distribution. The command `orogen equalise`
    /// measures it once and writes the quantiles into the recipe; in Rust, `Engine::equalise` does.
    Equalise {
        /// The sub-graph.
        of: Input => Here;
        /// Quantiles of the sub-graph at evenly spaced probabilities from 0 to 1, in ascending order.
        quantiles: Vec<f64> = Vec::new(), [ascending], Value;
    }
}

impl Noise {
    /// Gives this uniform noise another distribution.
    pub fn quantile(self, params: Quantile) -> Self {
        self.then(|of| Quantile { of, ..params })
    }

    /// Makes this noise uniform by its quantiles; [`Engine::equalise`](crate::Engine::equalise) measures them.
    pub fn equalise(self, quantiles: Vec<f64>) -> Self {
        self.then(|of| Equalise { of, quantiles })
    }
}

/// Distance from 0 and 1 to which probabilities are clamped.
const TAIL: f64 = 1.0 / 1_048_576.0;

impl NodeKind for Quantile {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        match self.distribution {
            QuantileDistribution::Table if self.table.is_empty() => {
                at.refuse("table", "none", format!("two and more points with distribution = \"{}\"", QuantileDistribution::Table))
            }
            QuantileDistribution::Table
            | QuantileDistribution::Normal
            | QuantileDistribution::Weibull
            | QuantileDistribution::Exponential => Ok(()),
        }
    }

    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let (n, x) = (self, inputs.of(&self.of));
        let tail = |p: f64| p.clamp(TAIL, 1.0 - TAIL);
        let p = Interval { lo: (x.lo + 1.0) * 0.5, hi: (x.hi + 1.0) * 0.5 };
        let weibull = |p: f64, shape: f64, outward: f64| {
            let v = n.scale * libm::pow(-libm::log1p(-tail(p)), 1.0 / shape);
            // Near 0, the logarithm of a probability is as coarse as the probability is in f32.
            n.location + v + outward * (v * 2e-5 + n.scale * 1e-5)
        };
        let normal = |p: f64, outward: f64| {
            let v = normal_quantile(tail(p));
            n.location + n.scale * v + outward * n.scale * (1e-4 + 2e-5 * v.abs())
        };
        match n.distribution {
            QuantileDistribution::Normal => Interval { lo: normal(p.lo, -1.0), hi: normal(p.hi, 1.0) }.widened(4.0),
            QuantileDistribution::Weibull => {
                Interval { lo: weibull(p.lo, n.shape, -1.0).max(n.location), hi: weibull(p.hi, n.shape, 1.0) }.widened(4.0)
            }
            QuantileDistribution::Exponential => {
                Interval { lo: weibull(p.lo, 1.0, -1.0).max(n.location), hi: weibull(p.hi, 1.0, 1.0) }.widened(4.0)
            }
            QuantileDistribution::Table => {
                let ends = n.table.first().zip(n.table.last()).map_or((0.0, 0.0), |(a, b)| (a.value, b.value));
                Interval::new(ends.0, ends.1).widened(8.0)
            }
        }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        match self.distribution {
            // Probabilities are clamped to 2⁻²⁰ from 0 and 1, where the densities are at least these.
            QuantileDistribution::Normal => rule.curve(&self.of, 2e5 * self.scale),
            QuantileDistribution::Exponential => rule.curve(&self.of, 1e6 * self.scale),
            QuantileDistribution::Weibull => {
                let slope = steepest_power(1.0 / self.shape, Interval::new(5e-7, 14.0));
                rule.curve(&self.of, 1e6 * self.scale * slope)
            }
            QuantileDistribution::Table => rule.points(&self.of, &self.table_curve()),
        }
    }

    /// Logarithms and roots are polynomials.
    fn precision(&self) -> Precision {
        Precision::of_values(1e-5)
    }

    /// A probability.
    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        inputs.argument(&self.of, 1.0)
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        match self.distribution {
            QuantileDistribution::Normal => site.curve(Curve::NormalQuantile, &self.of, [self.location, self.scale, 0.0, 0.0]),
            QuantileDistribution::Weibull => {
                site.curve(Curve::WeibullQuantile, &self.of, [self.location, self.scale, 1.0 / self.shape, 0.0])
            }
            QuantileDistribution::Exponential => site.curve(Curve::WeibullQuantile, &self.of, [self.location, self.scale, 1.0, 0.0]),
            QuantileDistribution::Table => {
                let x = site.input(&self.of)?;
                Ok(Op::Spline { x, points: site.points(&self.table_curve()) })
            }
        }
    }
}

impl Quantile {
    fn table_curve(&self) -> Arc<[SplinePoint]> {
        let numbers: Vec<f64> = self.table.iter().flat_map(|point| [point.probability, point.value]).collect();
        computed(ComputedKind::Table, &numbers, || pieces_of_table(&self.table))
    }
}

/// Φ⁻¹ by bisection of the error function: slow, and accurate enough for bounds.
fn normal_quantile(p: f64) -> f64 {
    let (mut lo, mut hi) = (-8.0f64, 8.0f64);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if 0.5 * libm::erfc(-middle * std::f64::consts::FRAC_1_SQRT_2) < p { lo = middle } else { hi = middle }
    }
    0.5 * (lo + hi)
}

impl NodeKind for Equalise {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(-1.0, 1.0).widened(8.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.points(&self.of, &self.curve())
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, inputs: &Magnitudes<'_>) -> Rounds {
        inputs.argument(&self.of, self.quantiles.iter().fold(0.0, |m: f64, x| m.max(x.abs())))
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        if self.quantiles.is_empty() {
            let allowed = "measured ones: `orogen equalise RECIPE` writes them into the recipe";
            return Err(GraphError::parameter(site.name, "quantiles", "none", allowed).into());
        }
        let x = site.input(&self.of)?;
        Ok(Op::Spline { x, points: site.points(&self.curve()) })
    }
}

impl Equalise {
    fn curve(&self) -> Arc<[SplinePoint]> {
        computed(ComputedKind::Quantiles, &self.quantiles, || pieces_of_quantiles(&self.quantiles))
    }
}
