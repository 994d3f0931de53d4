//! Craters.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::Lattice;
use crate::program::{Basis, CraterOutput, CraterShape, GraphError, MOST_CRATER_SIZES, Op, Pointwise, ProgramError};

row! {
    /// Craters of all sizes, each a bowl with a raised rim and a blanket of ejecta: a surface like the Moon's.
    ///
    /// Each class of size has a lattice of its own, with a crater in some of its cells. The radii of a class vary by a factor of 2, and
    /// continue in the next class. So the number of craters larger than `r` grows with `r^-exponent`. Depths are proportional to radii.
    ///
    /// Every crater has an age. Of the craters of a class, the younger ones lie over the older ones: a bowl hides what is below it, and
    /// ejecta thin out. A crater also buries older ones of finer classes. Younger ones of finer classes are added to it. Older craters are
    /// shallower, with flat floors and worn rims. Slopes are continuous everywhere.
    ///
    /// Heights are relative to the ground, and 0 between craters. To cover ground with craters, add them to its heights. A `warp` or
    /// `turbulence` makes the rims irregular.
    Craters {
        /// The quantity: heights, or how young the surface is, for colours.
        output: CraterOutput = CraterOutput::Height, [structural];
        /// Number of classes of size. Each next class has half the radii and depths of the previous one. The cost grows with it.
        classes: u32 = 5, [1 to 7], Unitless;
        /// Share of cells with a crater in the class of the largest.
        density: f64 = 0.7, [SHARE], Unitless;
        /// Exponent of the law of sizes: 2 covers the same area in each class, more gives more small craters. No class has more than one
        /// crater in a cell.
        exponent: f64 = 1.8, [0 to 6], Unitless;
        /// Depth of the largest and youngest craters, below the ground.
        depth: f64 = 1.0, [0 to 1e12], Value;
        /// Height of rims above the ground, as a share of the depth.
        rim: f64 = 0.25, [SHARE], Unitless;
        /// Distance from the middle of a crater at which its ejecta end, in radii. The largest radius is `wavelength / ejecta`.
        ejecta: f64 = 2.2, [1.2 to 4], Unitless;
        /// Differences between ages: with 0 all craters are fresh, with 1 the oldest are flat.
        degradation: f64 = 0.8, [SHARE], Unitless;
        /// Height of the peaks in the middle of the largest craters, as a share of the depth; 0 at half the largest radius.
        peak: f64 = 0.3, [SHARE], Unitless;
        /// Edge of the largest cells, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Craters.
    pub fn craters(params: Craters) -> Self {
        Self::source(params)
    }
}

/// Random numbers of 16 bits.
const RANDOM: f64 = 65_536.0;

impl NodeKind for Craters {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    /// Heights of a class are those of craters by shares that add up to at most 1. So they stay between the lowest floor and the highest
    /// rim. Classes are added, each with half the heights of the previous one.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        match self.output {
            CraterOutput::Youth => Interval::new(0.0, 1.0).outward(),
            CraterOutput::Height => {
                let all = self.depth * self.scales();
                Interval::new(-all, self.rim * all).loosened(64.0, all)
            }
        }
    }

    /// A class has the heights `Σ s v q`, with a crater's height `q`, its share `s` of the surface and the visible part `v`. Shares are
    /// products of covers `w` and of `1 − w` of younger craters, so `Σ|∇s| ≤ 2 Σ|∇w|`. The slope is at most the largest `|∇q|`, plus
    /// `Σ|∇s|` and `|∇v|` times the largest difference.
    ///
    /// Let `e` be the squared extent of ejecta. With `t` as squared distance in radii, per cell of the class:
    ///
    /// - In the bowl, `|∇t| ≤ 2√e / radius` and `|dq/dt| ≤ 1.5 (depth + rim)`; at a peak, `|∇t| ≤ √e / (2 radius)` and `dq/dt` is 32 times
    ///   its height more. Depths are proportional to radii.
    /// - Outside, `|∇t| ≤ 2e / radius`, radii are 1/2 or more, and `|∇w| ≤ W = 6e / (e − 1)`. `|dq/dt|` is at most 4.2 rims over `e − 1`.
    /// - Up to nine craters of each class overlap. Youth rises by at most `2W` with each, and `v` by 6 times as much as youth.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        const AROUND: f64 = 9.0;
        let edge = self.ejecta * self.ejecta;
        let weight = 6.0 * edge / (edge - 1.0);
        // The slopes of youth double from class to class, and so do all before together.
        let youth = |class: i32| 2.0 * (2.0 * AROUND * weight) * libm::exp2(f64::from(class));
        let last = self.classes as i32 - 1;
        if self.output == CraterOutput::Youth {
            return rule.basis(youth(last) / self.wavelength);
        }
        let bowl = self.ejecta * (2.0 * 1.5 * (1.0 + self.rim) + 16.0 * self.peak);
        let blanket = 4.2 * self.rim / (edge - 1.0) * 2.0 * edge;
        let class = |k: i32| {
            let cells = libm::exp2(f64::from(k));
            (bowl + blanket) + (2.0 * AROUND * weight * cells + 6.0 * youth(k)) * (1.0 + self.rim) / cells
        };
        rule.basis(times(self.depth, (0..=last).map(class).sum::<f64>()) / self.wavelength)
    }

    fn precision(&self) -> Precision {
        Precision::of_lattice(2e-5, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let edge = self.ejecta * self.ejecta;
        let numbers = site.scalar(self.depth);
        for number in [self.rim, edge, 1.0 / (edge - 1.0), self.degradation, self.peak, f64::from(self.classes)] {
            site.scalar(number);
        }
        for class in 0..MOST_CRATER_SIZES as u32 {
            let share = (self.density * libm::exp2((self.exponent - 2.0) * f64::from(class))).min(1.0);
            // Halfway between two random numbers, so that f32 and f64 agree on which cells have a crater.
            site.scalar((share * RANDOM).round() - 0.5);
        }
        let shape = CraterShape { youth: self.output == CraterOutput::Youth };
        site.lattice(Basis::Pointwise(Pointwise::Craters(shape, numbers)), &Lattice::cubic(2, self.wavelength, self.seed, self.offset))
    }
}

impl Craters {
    /// The sum of the sizes of all classes, where the first has 1.
    fn scales(&self) -> f64 {
        2.0 - libm::exp2(1.0 - f64::from(self.classes))
    }
}
