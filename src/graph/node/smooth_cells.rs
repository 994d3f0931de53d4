//! Smooth cells.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::{Basis, GraphError, Metric, Op, Pointwise, ProgramError, SmoothOutput, SmoothShape};

row! {
    /// Cellular noise without creases: a weighted mean over the points around a sample (Quilez, "Voronoise", 2014). It is the mean of
    /// their distances, which is a smooth minimum, or of their values.
    ///
    /// The points are those of `worley` with the same seed, jitter and wavelength. A point has the weight
    /// `((r − d) / (r − F1))^e`, with its distance `d`, the distance `F1` to the nearest point, a reach `r` and an exponent `e`.
    /// For the Euclidean and squared metrics, `r`, `d` and `F1` are squares. The weight falls to 0 at the reach, and every point
    /// within the reach is found, so there are no seams between cells. `r` is 1 more than `F1` can be, in cells.
    ///
    /// `softness` gives the exponent `e = 2 + 62 · (1 − softness)⁴`: 64 is close to `worley`, 2 is the softest. Slopes are
    /// continuous except at the points themselves, and for the Manhattan and Chebyshev metrics along lines through the points.
    /// Some 27 times the cost of `worley` in 2D and 33 times in 3D; less with little jitter, most in 3D with the Manhattan metric.
    SmoothCells {
        /// Number of dimensions: 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// The metric. In 1D all except `squared` are the same.
        metric: Metric = Metric::Euclidean, [structural];
        /// The quantity that is mixed: the distances to the points, or a value per point.
        output: SmoothOutput = SmoothOutput::Distance, [structural];
        /// The width of the transition between cells, from sharp (0) to soft (1).
        softness: f64 = 0.5, [SHARE], Unitless;
        /// Maximum displacement of points from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
        jitter: f64 = 1.0, [SHARE], Unitless;
        /// Differences in size: distances to a point are multiplied by a random factor, from 1 to `1 + variation`. (For the
        /// Euclidean metric, their squares are.) Points with a large factor have small, rounded cells.
        variation: f64 = 0.0, [SHARE], Unitless;
        /// Edge of a cell, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Smooth cells.
    pub fn smooth_cells(params: SmoothCells) -> Self {
        Self::source(params)
    }
}

/// More than rounding can add to a distance or its square.
const SLACK: f64 = 1e-4;

impl NodeKind for SmoothCells {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    /// A mean lies between the smallest and the largest of its terms. Those with a weight are within the reach.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        match self.output {
            SmoothOutput::Cell => Interval::new(-1.0, 1.0),
            SmoothOutput::Distance => Interval::new(0.0, self.longest() + SLACK),
        }
    }

    /// The gradient of a mean of `v` is `Σ w ∇v / Σ w + Σ ∇w (v − mean) / Σ w`. The first sum is at most the steepest `∇v`.
    ///
    /// Weights are `tᵉ` with `t ≤ 1`, and `|∇w| ≤ e tᵉ⁻¹ |∇key|`, since `r − F1 ≥ 1`. By Hölder's inequality, `n` points have
    /// `Σ tᵉ⁻¹ ≤ n^(1/e) (Σ tᵉ)^(1 − 1/e)`, and `Σ tᵉ ≥ 1`. So the second sum is at most `e n^(1/e)` times the largest `|∇key|`
    /// and the largest difference of values.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let sizes = 1.0 + self.variation;
        let key = match self.metric() {
            Metric::Euclidean | Metric::Squared => 2.0 * libm::sqrt(sizes * self.reach()),
            Metric::Manhattan => libm::sqrt(f64::from(self.dimensions)) * sizes,
            Metric::Chebyshev => sizes,
        };
        let (own, difference) = match (self.output, self.metric()) {
            (SmoothOutput::Cell, _) => (0.0, 2.0),
            (SmoothOutput::Distance, Metric::Euclidean) => (libm::sqrt(sizes), self.longest()),
            (SmoothOutput::Distance, _) => (key, self.longest()),
        };
        // Points within the reach lie in cells that touch a cube of twice the reach and a cell.
        let span = 2.0 * libm::ceil(self.longest()) + 3.0;
        let points = libm::pow(span, f64::from(self.dimensions));
        let e = self.exponent();
        rule.basis((own + e * libm::pow(points, 1.0 / e) * key * difference) / self.wavelength)
    }

    fn precision(&self) -> Precision {
        Precision::of_lattice(2e-5, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lattice = Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset);
        // In steps of 2⁻²⁰, so that no offset of a point is subnormal in f32.
        let numbers = site.scalar((self.jitter * 1_048_576.0).round() / 1_048_576.0);
        site.scalar(self.variation);
        site.scalar(self.reach());
        site.scalar(self.exponent());
        let shape = SmoothShape { dimensions: self.dimensions, metric: self.metric(), output: self.output };
        site.lattice(Basis::Pointwise(Pointwise::SmoothCells(shape, numbers)), &lattice)
    }
}

impl SmoothCells {
    /// The metric that is computed.
    fn metric(&self) -> Metric {
        if self.dimensions == 1 && self.metric != Metric::Squared { Metric::Euclidean } else { self.metric }
    }

    /// The reach, squared for the Euclidean and squared metrics: 1 more than the nearest point can be away. A sample is at most 1/2
    /// from the middle of its cell along every axis, and the point of that cell at most half the jitter.
    fn reach(&self) -> f64 {
        let along = 0.5 + 0.5 * self.jitter;
        let n = f64::from(self.dimensions);
        let nearest = match self.metric() {
            Metric::Euclidean | Metric::Squared => n * along * along,
            Metric::Manhattan => n * along,
            Metric::Chebyshev => along,
        };
        nearest * (1.0 + self.variation) + 1.0
    }

    /// The largest distance within the reach.
    fn longest(&self) -> f64 {
        if self.metric() == Metric::Euclidean { libm::sqrt(self.reach()) } else { self.reach() }
    }

    /// The exponent of weights.
    fn exponent(&self) -> f64 {
        let sharp = 1.0 - self.softness;
        2.0 + 62.0 * (sharp * sharp) * (sharp * sharp)
    }
}
