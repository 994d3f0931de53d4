//! Cellular noise.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::{Basis, GraphError, Metric, Op, ProgramError, WorleyOutput, WorleyShape};

row! {
    /// Cellular noise (Worley 1996): the distances to the nearest of a set of random points, one in each cell.
    ///
    /// Distances are exact, in cells: no nearer point is missed, for any metric. The range is proven for every metric and
    /// jitter; with the defaults it is 0 to √2.
    Worley {
        /// Number of dimensions: 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// The metric, also of distances to borders. (These are Euclidean for `squared`.) In 1D all except `squared` are the same.
        metric: Metric = Metric::Euclidean, [structural];
        /// The quantity: distances, their ratio, a value per nearest point, or the distance to the border of its cell.
        output: WorleyOutput = WorleyOutput::Distance, [structural];
        /// Factors of the distances F1, F2, F3, F4 to the nearest points: `[1]` gives F1, `[-1, 1]` gives F2 − F1. Only
        /// `distance` reads them. The numbers are live; their count is structural.
        weights: Vec<f64> = vec![1.0], [terms 4 of -1e15 to 1e15], Unitless;
        /// Maximum displacement of points from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
        jitter: f64 = 1.0, [SHARE], Unitless;
        /// Width of a border, in world units. Only `border` reads it.
        width: f64 = 4.0, [0 to 1e12], World;
        /// Width of the slope on each side of a border, in world units; 0.000001 is sharp. Only `border` reads it.
        bevel: f64 = 4.0, [WAVELENGTH], World;
        /// Edge of a cell, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Cellular noise.
    pub fn worley(params: Worley) -> Self {
        Self::source(params)
    }
}

/// Bounds of the Euclidean distances F1 to F4, by dimensions (1 to 3), without and with full jitter.
///
/// A point lies within jitter/2 of the middle of its cell along every axis. So along each axis its distance from the sample is at
/// most that of the cell's middle, plus jitter/2. Let M be the distance with these largest components. F_k is at most the k-th
/// smallest M of all cells, and the bound is its maximum over samples, rounded up to what branch and bound proves in the tests.
///
/// - In 1D, at a ≤ 1/2 from the middle of its cell: a, 1 − a, 1 + a, 2 − a, and half the jitter.
/// - In 2D, squared: 1/2 1 5/4 25/18 without jitter and 2 5/2 13/4 169/50 with it.
/// - In 3D, squared: 3/4 1 5/4 5/4 and 3 3 7/2 7/2. The maxima are at a corner of the cell, its middle, the middle of a side, or
///   in between.
const EUCLIDEAN: [[[f64; 4]; 2]; 3] = [
    [[0.5, 1.0, 1.5, 2.0], [1.0, 1.5, 2.0, 2.5]],
    [[0.7073, 1.0002, 1.1183, 1.1787], [1.4144, 1.5813, 1.8030, 1.8387]],
    [[0.8662, 1.0002, 1.1183, 1.1183], [1.7323, 1.7323, 1.8711, 1.8711]],
];
/// Bounds for the metrics where M grows linearly with the jitter: without jitter.
///
/// Chebyshev: the sample's own cell is within 1/2, the others of the 2ⁿ nearest within 1.
///
/// Manhattan: let 0 ≤ a ≤ b (≤ c) ≤ 1/2 be the sample's distances from the middle of its cell along the axes.
///
/// - In 2D the cells (0, 0), (0, 1), (1, 0) are at a + b ≤ 1, 1 + a − b ≤ 1 and 1 + b − a ≤ 3/2. Of (1, 1) at 2 − a − b and (−1,
///   0) at 1 + a + b, one is at 3/2 or less.
/// - In 3D the cells (0, 0, 0), (0, 0, 1) and (0, 1, 0) are at a + b + c, 1 + a + b − c and 1 + a − b + c. Of (1, 0, 0) at 1 − a +
///   b + c and (0, 1, 1) at 2 + a − b − c, one is the fourth. All four are at most at 3/2.
const MANHATTAN: [[f64; 4]; 3] = [[0.5, 1.0, 1.5, 2.0], [1.0, 1.0, 1.5, 1.5], [1.5; 4]];
const CHEBYSHEV: [[f64; 4]; 3] = [[0.5, 1.0, 1.5, 2.0], [0.5, 1.0, 1.0, 1.0], [0.5, 1.0, 1.0, 1.0]];

/// The largest factor by which F1 / F2 is steeper than F1: the kernel's quotient is 0 if F2 is below 2⁻⁵⁰.
const STEEPEST_QUOTIENT: f64 = (1_u64 << 50) as f64;

impl NodeKind for Worley {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    /// A weighted sum of distances 0 ≤ F1 ≤ F2 ≤ … whose bounds grow likewise. It is linear, so its extremes are at vertices,
    /// where every F_k equals either the previous one or its bound.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        let bounds = self.furthest();
        match self.output {
            WorleyOutput::Cell => return Interval::new(-1.0, 1.0),
            WorleyOutput::Ratio | WorleyOutput::Border => return Interval::new(0.0, 1.0),
            // If no border were nearer, the place opposite the nearest point at this distance would be farther from all points than
            // the bound of F1.
            WorleyOutput::Edge => return Interval::new(0.0, bounds[0]).outward(),
            WorleyOutput::Distance => (),
        }
        let mut total = Interval::new(0.0, 0.0);
        for corner in 0..1u32 << self.weights.len() {
            let (mut sum, mut distance) = (0.0, 0.0);
            for (k, weight) in self.weights.iter().enumerate() {
                distance = if corner >> k & 1 == 1 { bounds[k] } else { distance };
                sum += weight * distance;
            }
            total = total.hull(Interval::new(sum, sum));
        }
        // One term is monotonic. Sums of several are rounded, and roots of nearly equal numbers may change order.
        let terms: f64 = self.weights.iter().zip(bounds).map(|(weight, bound)| weight.abs() * bound).sum();
        let count = self.weights.iter().filter(|weight| **weight != 0.0).count();
        let slack = if count > 1 { terms * 8.0 * f64::from(f32::EPSILON) } else { 0.0 };
        // Distances are not negative after rounding.
        let lo = if self.weights.iter().all(|weight| *weight >= 0.0) { 0.0 } else { total.lo - slack };
        Interval { lo, hi: total.hi + slack }.outward()
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let weights: f64 = self.weights.iter().map(|w| w.abs()).sum();
        let slope = match (self.output, self.metric) {
            (WorleyOutput::Cell, _) => 0.0,
            // Distances by a metric are as steep as the metric itself.
            (WorleyOutput::Edge, _) => self.slope_of_borders(),
            (WorleyOutput::Border, _) => self.slope_of_borders() * self.rise(),
            (WorleyOutput::Ratio, Metric::Squared) => 12.0 * STEEPEST_QUOTIENT,
            (WorleyOutput::Ratio, _) => 4.0 * STEEPEST_QUOTIENT,
            (WorleyOutput::Distance, Metric::Euclidean | Metric::Chebyshev) => weights,
            (WorleyOutput::Distance, Metric::Manhattan) => 3_f64.sqrt() * weights,
            // Twice the distance to one of the four nearest points, which is less than 3.
            (WorleyOutput::Distance, Metric::Squared) => 6.0 * weights,
        };
        rule.basis(slope / self.wavelength)
    }

    fn precision(&self) -> Precision {
        let rise = if self.output == WorleyOutput::Border { self.rise().max(1.0) } else { 1.0 };
        // No two values of a border differ by more than 1.
        Precision::of_lattice((2e-6 * rise).min(1.0), self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lattice = Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset);
        let weights = if self.output == WorleyOutput::Distance { &self.weights[..] } else { &[] };
        let nearest = if self.output == WorleyOutput::Ratio { 2 } else { weights.len().max(1) as u32 };
        // In steps of 2⁻²⁰, so that no offset of a point is subnormal in f32.
        let numbers = site.scalar((self.jitter * 1_048_576.0).round() / 1_048_576.0);
        for &weight in weights {
            site.scalar(weight);
        }
        let metric = self.metric();
        let output = if self.output == WorleyOutput::Border { WorleyOutput::Edge } else { self.output };
        let shape = WorleyShape { dimensions: self.dimensions, metric, output, nearest };
        let noise = site.lattice(Basis::Worley(shape, numbers), &lattice)?;
        if self.output != WorleyOutput::Border {
            return Ok(noise);
        }
        let (edge, offset) = (site.push(noise)?, -0.5 * self.width / self.bevel);
        let bevel = Op::ScaleOffset { x: edge, scale: site.scalar(self.rise()), offset: site.scalar(offset) };
        Ok(Op::Clamp { x: site.push(bevel)?, low: site.scalar(0.0), high: site.scalar(1.0) })
    }
}

impl Worley {
    /// The metric that is computed.
    fn metric(&self) -> Metric {
        let borders = matches!(self.output, WorleyOutput::Edge | WorleyOutput::Border);
        match self.metric {
            Metric::Squared if !borders => Metric::Squared,
            Metric::Manhattan | Metric::Chebyshev if self.dimensions > 1 => self.metric,
            _ => Metric::Euclidean,
        }
    }

    /// The largest slope of distances to borders, per cell.
    fn slope_of_borders(&self) -> f64 {
        if self.metric() == Metric::Manhattan { libm::sqrt(f64::from(self.dimensions)) } else { 1.0 }
    }

    /// The slope of a bevel, per cell.
    fn rise(&self) -> f64 {
        self.wavelength / self.bevel
    }

    /// Bounds of the distances F1 to F4.
    fn furthest(&self) -> [f64; 4] {
        let row = self.dimensions as usize - 1;
        let n = f64::from(self.dimensions);
        // Rounding of coordinates, sums and roots, and of the jitter itself.
        let slack = 1e-5;
        std::array::from_fn(|k| {
            let [rest, full] = EUCLIDEAN[row].map(|bounds| bounds[k]);
            // Every M, and so the bound, grows with the jitter, by √n/2 at most (the triangle inequality).
            let euclidean = full.min(rest + 0.5 * self.jitter * n.sqrt()) + slack;
            match self.metric() {
                Metric::Euclidean => euclidean,
                Metric::Squared => euclidean * euclidean,
                Metric::Manhattan => MANHATTAN[row][k] + 0.5 * self.jitter * n + slack,
                Metric::Chebyshev => CHEBYSHEV[row][k] + 0.5 * self.jitter + slack,
            }
        })
    }
}
