//! Sums of sines: hill noise, and noise with a given spectrum.

use crate::frame::Frame;
use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::computed::{ComputedKind, computed};
use crate::graph::lower::distribution::distribution_of_sines;
use crate::graph::lower::steep::{Rule, Steep, steepest_piece};
use crate::graph::node::choices::Uniform;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::{row, short};
use crate::program::instance::{Instance, rows};
use crate::program::lattice::{PeriodMismatch, Periods};
use crate::program::{Curve, GraphError, Op, ProgramError, Seed, SplinePoint};
use glam::DVec3;
use std::f64::consts::TAU;
use std::sync::Arc;

row! {
    /// Hill noise: a sum of sines whose heights are proportional to their lengths, remapped to a uniform distribution. `uniform
    /// = "none"` gives the plain sum divided by the sum of sizes.
    ///
    /// Each sine is `size · sin(x / size + offset)`. In 2D it is a pair along two axes, turned by multiples of the golden
    /// ratio. In 3D it is a triple along an orthonormal basis whose direction follows the golden ratio over the sphere, with
    /// sizes shuffled as in the article on hill noise. The article's sigma is wrong and its 3D angles are exchanged; this node
    /// implements its intended formulas.
    ///
    /// Uniform by the exact distribution of a sum of sines with independent phases (its characteristic function is a product of
    /// Bessel functions J0). Signed: `2u − 1` for the article's u in [0, 1]. The noise does not repeat in practice.
    ///
    /// Phases are independent if no two sines move together. In 1D, sizes in the ratio of small whole numbers do; values are
    /// then uniform over all seeds, not along one line.
    Hill {
        /// Number of dimensions: 1 (reads x), 2 (x and y) or 3.
        dimensions: u32 = 2, [dimensions 1 to 3], Unitless;
        /// Number of sines (pairs, triples), if `sizes` is omitted.
        sines: u32 = 30, [1 to 1024], Unitless;
        /// Spread of the sizes: sine i of N has size `((i + 1/2) / (N + 1))^(−ln smoothness)`. At 1 all sizes are equal; near 0
        /// there are few large and many small ones.
        smoothness: f64 = 0.5, [0.001 to 1], Unitless;
        /// The sizes, instead of those derived from `sines` and `smoothness`.
        sizes: Option<Vec<f64>> = None, [each 0.000001 to 1000000], Unitless;
        /// Phases in radians, `dimensions` for each sine, instead of those derived from the seed.
        offsets: Option<Vec<f64>> = None, [each -1000000 to 1000000], Radians;
        /// For 2D: degrees over which the multiples of the golden ratio turn the pairs. A pair looks the same after 90 degrees,
        /// so 90 spreads its directions evenly. The article's code has 360, where every second pair nearly shares its axes.
        spread: f64 = 90.0, [1 to 360], Degrees;
        /// World units per 1.0 of size. A hill of size 1 repeats after 2π times this.
        unit: f64 = 50.0, [WAVELENGTH], World;
        /// Distribution of the values over [−1, 1].
        uniform: Uniform = Uniform::Exact, [structural];
        /// Seed of the phases. Noises of the same sizes are the same waves with other phases, so their values correlate: by
        /// about 0.16 in 1D, 0.1 in 2D and 0.07 in 3D at 30 sines. To avoid that, give them different sizes, for example by
        /// another `smoothness`.
        seed: u64 = 0, [seed], Unitless;
    }

    /// Noise with a given spectrum: a weighted sum of sines along x, `Σ aₖ · sin(2π fₖ x / length + phaseₖ)`, with amplitudes
    /// `f^exponent` or from a list.
    ///
    /// Exponent −2 is called red noise, −1 pink, 0 white, +1 blue, +2 violet. Physics names colours by power instead: red is −1.
    Spectral {
        /// Number of frequencies, 1 to this many per `length`, if `frequencies` is omitted.
        count: u32 = 30, [1 to 4096], Unitless;
        /// Exponent of the amplitudes.
        exponent: f64 = -1.0, [-8 to 8], Unitless;
        /// Frequencies, in sines per `length`.
        frequencies: Option<Vec<f64>> = None, [each 0.000001 to 1000000], CyclesPerLength;
        /// Amplitudes, one per frequency, instead of those derived from `exponent`.
        amplitudes: Option<Vec<f64>> = None, [each -1000000 to 1000000], Value;
        /// Phases in radians, one per frequency, instead of those derived from the seed.
        phases: Option<Vec<f64>> = None, [each -1000000 to 1000000], Radians;
        /// World units after which integer frequencies repeat.
        length: f64 = 1000.0, [WAVELENGTH], World;
        /// Whether to divide by the sum of the amplitudes' magnitudes, so that values stay within [−1, 1].
        normalise: bool = true;
        /// Seed of the phases.
        seed: u64 = 0, [seed], Unitless;
    }
}

impl Noise {
    /// Hill noise.
    pub fn hill(params: Hill) -> Self {
        Self::source(params)
    }

    /// A sum of sines along x with a given spectrum.
    pub fn spectral(params: Spectral) -> Self {
        Self::source(params)
    }
}

impl NodeKind for Hill {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        let mut sizes = self.all_sizes();
        let sines = sizes.len();
        if self.dimensions == 1 && self.uniform == Uniform::Exact {
            sizes.sort_by(f64::total_cmp);
            if let Some(twice) = sizes.windows(2).find(|pair| pair[0] == pair[1]) {
                let allowed = "sizes that differ, in 1D (a smoothness below 1): equal ones move together and are not uniform";
                return at.refuse("sizes", format!("{} twice", short(twice[0])), allowed);
            }
        }
        if sines > 1024 {
            return at.refuse("sizes", format!("{sines} sizes"), "at most 1024");
        }
        let phases = sines * self.dimensions as usize;
        if let Some(given) = self.offsets.as_ref().filter(|given| given.len() != phases) {
            let allowed = format!("{phases}, one for each of {sines} sines and {} dimension(s)", self.dimensions);
            return at.refuse("offsets", format!("{} offsets", given.len()), allowed);
        }
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        match self.uniform {
            Uniform::None => sines_range(&self.amplitudes().repeat(self.dimensions as usize)),
            Uniform::Normal | Uniform::Exact => Interval::new(-1.0, 1.0).widened(8.0),
        }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let amplitudes = self.amplitudes();
        let shortest = self.all_sizes().into_iter().fold(f64::INFINITY, f64::min);
        let plain = sines_slope(&amplitudes, std::iter::repeat(1.0 / (TAU * shortest * self.unit)), self.dimensions);
        let curve = match self.uniform {
            Uniform::None => 1.0,
            // The normal distribution is steepest in the middle.
            Uniform::Normal => {
                let square = amplitudes.iter().map(|a| a * a).sum::<f64>() * f64::from(self.dimensions) / 2.0;
                1.0 / square.sqrt()
            }
            Uniform::Exact => steepest_piece(&self.distribution(&amplitudes)),
        };
        rule.basis(plain * curve)
    }

    /// Sines are polynomials; with one sine, the distribution is steep at both ends.
    fn precision(&self) -> Precision {
        Precision::of_values(1e-5)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let largest = self.all_sizes().into_iter().fold(0.0, f64::max);
        fit_waves(site, TAU * largest * self.unit, self.dimensions)?;
        let amplitudes = self.amplitudes();
        let frames = site.frames(false, |instance| self.frames(instance))?;
        let sines = Op::Sines { dimensions: self.dimensions, frames, amplitudes: site.series(amplitudes.clone()) };
        match self.uniform {
            Uniform::None => Ok(sines),
            Uniform::Normal => {
                let deviation = (amplitudes.iter().map(|a| a * a).sum::<f64>() * f64::from(self.dimensions) / 2.0).sqrt();
                let x = site.push(sines)?;
                Ok(Op::Curve { curve: Curve::Normal, x, numbers: site.numbers([1.0 / deviation, 0.0, 0.0, 0.0]) })
            }
            Uniform::Exact => {
                let x = site.push(sines)?;
                Ok(Op::Spline { x, points: site.points(&self.distribution(&amplitudes)) })
            }
        }
    }
}

impl Hill {
    /// The curve that maps the sum of sines to a uniform distribution.
    fn distribution(&self, amplitudes: &[f64]) -> Arc<[SplinePoint]> {
        computed(ComputedKind::Sines(self.dimensions), amplitudes, || distribution_of_sines(amplitudes, self.dimensions))
    }

    /// The size of every sine.
    fn all_sizes(&self) -> Vec<f64> {
        let count = f64::from(self.sines);
        let exponent = -libm::log(self.smoothness);
        let size = |i: u32| libm::pow((f64::from(i) + 0.5) / (count + 1.0), exponent);
        self.sizes.clone().unwrap_or_else(|| (0..self.sines).map(size).collect())
    }

    /// The amplitude of every sine, repeated for each dimension. They sum to 1.
    fn amplitudes(&self) -> Vec<f64> {
        let order = self.order();
        let sizes = self.all_sizes();
        let total = sizes.iter().sum::<f64>() * f64::from(self.dimensions);
        order.iter().map(|&i| sizes[i] / total).collect()
    }

    /// The size of each direction: shuffled in 3D, so that neighbouring directions have different sizes (Schretter, Kobbelt and
    /// Dehaye 2012, as used in the article).
    fn order(&self) -> Vec<usize> {
        let count = self.all_sizes().len();
        if self.dimensions < 3 {
            return (0..count).collect();
        }
        let golden = (5f64.sqrt() + 1.0) / 2.0;
        let index = (libm::log((count as f64 - 1.0) * 5f64.sqrt() + 0.5) / libm::log(golden)).floor();
        let down = (0.5 + libm::pow(golden, index) / 5f64.sqrt()).floor() as usize;
        let up = (0.5 + down as f64 / golden).floor() as usize;
        let mut j = 0;
        let step = |_| {
            if j >= down {
                j -= down;
            } else {
                j += up;
                if j >= count {
                    j -= down;
                }
            }
            j
        };
        (0..count).map(step).collect()
    }

    /// The frames of one instance, sine by sine.
    fn frames(&self, instance: &Instance) -> Vec<Frame> {
        let seed = instance.seed.with(self.seed);
        let sizes = self.all_sizes();
        let wave = |(i, &j): (usize, &usize)| {
            let per_unit = 1.0 / (TAU * sizes[j] * self.unit);
            let mut phases = phases(self.offsets.as_ref(), i, self.dimensions as usize, seed);
            if self.dimensions == 3 {
                // The article's third form takes cosines.
                phases += DVec3::splat(0.25);
            }
            Wave { axes: directions(self.dimensions, i, j, self.spread / 360.0).map(|axis| axis * per_unit), phases }.frame(instance)
        };
        self.order().iter().enumerate().map(wave).collect()
    }
}

/// The axes of sine i: the x axis in 1D, an axis turned by the golden ratio in 2D. In 3D it is a basis around a direction that
/// follows the golden ratio over the sphere, with the polar angle from j. (The article's 3D code exchanges the two angles where it
/// forms the basis.)
fn directions(dimensions: u32, i: usize, j: usize, spread: f64) -> [DVec3; 3] {
    let golden = (5f64.sqrt() + 1.0) / 2.0;
    let turns = |k: usize| (k as f64 * golden).fract();
    let angle = TAU * turns(i) * if dimensions == 2 { spread } else { 1.0 };
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    match dimensions {
        1 => [DVec3::X, DVec3::ZERO, DVec3::ZERO],
        2 => [DVec3::new(cos, -sin, 0.0), DVec3::new(-sin, -cos, 0.0), DVec3::ZERO],
        _ => {
            let height = -1.0 + 2.0 * turns(j);
            let across = (1.0 - height * height).sqrt();
            let outward = DVec3::new(across * cos, across * sin, height);
            let down = DVec3::new(height * cos, height * sin, -across);
            [outward, down, outward.cross(down)]
        }
    }
}

impl NodeKind for Spectral {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        let count = self.all_frequencies().len();
        if count > 4096 {
            return at.refuse("frequencies", format!("{count} frequencies"), "at most 4096");
        }
        for (param, list) in [("amplitudes", &self.amplitudes), ("phases", &self.phases)] {
            if let Some(given) = list.as_ref().filter(|given| given.len() != count) {
                return at.refuse(param, format!("{} numbers", given.len()), format!("{count}, one for each frequency"));
            }
        }
        Ok(())
    }

    fn range(&self, _: &InputRanges<'_>) -> Interval {
        sines_range(&self.all_amplitudes())
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(sines_slope(&self.all_amplitudes(), self.all_frequencies().into_iter().map(|f| f / self.length), 1))
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let lowest = self.all_frequencies().into_iter().fold(f64::INFINITY, f64::min);
        fit_waves(site, self.length / lowest, 1)?;
        let frames = site.frames(false, |instance| self.frames(instance))?;
        Ok(Op::Sines { dimensions: 1, frames, amplitudes: site.series(self.all_amplitudes()) })
    }
}

impl Spectral {
    /// The frequency of every sine.
    fn all_frequencies(&self) -> Vec<f64> {
        self.frequencies.clone().unwrap_or_else(|| (1..=self.count).map(f64::from).collect())
    }

    /// The amplitude of every sine, including normalisation.
    fn all_amplitudes(&self) -> Vec<f64> {
        let power = |f: f64| libm::pow(f, self.exponent);
        let plain = self.amplitudes.clone().unwrap_or_else(|| self.all_frequencies().into_iter().map(power).collect());
        let total: f64 = plain.iter().map(|a| a.abs()).sum();
        let divide = self.normalise && total > 0.0;
        plain.into_iter().map(|a| if divide { a / total } else { a }).collect()
    }

    /// The frames of one instance, sine by sine.
    fn frames(&self, instance: &Instance) -> Vec<Frame> {
        let seed = instance.seed.with(self.seed);
        let wave = |(i, f): (usize, f64)| {
            let phases = phases(self.phases.as_ref(), i, 1, seed);
            Wave { axes: [DVec3::X * (f / self.length), DVec3::ZERO, DVec3::ZERO], phases: DVec3::new(phases.x, 0.0, 0.0) }.frame(instance)
        };
        self.all_frequencies().into_iter().enumerate().map(wave).collect()
    }
}

/// Sines reach ±1 within a few ulps; sums of them round once per term.
fn sines_range(amplitudes: &[f64]) -> Interval {
    let total: f64 = amplitudes.iter().map(|a| a.abs()).sum();
    Interval::new(-total, total).widened(4.0 + amplitudes.len() as f64)
}

/// The steepest slope of a sum of sines, each with an amplitude and turns per unit along each of its axes.
fn sines_slope(amplitudes: &[f64], turns: impl Iterator<Item = f64>, dimensions: u32) -> f64 {
    let each = amplitudes.iter().zip(turns).map(|(amplitude, turns)| amplitude.abs() * TAU * turns);
    each.sum::<f64>() * f64::from(dimensions).sqrt()
}

/// One sine, or a pair or triple along the axes of an orthonormal basis: its frame counts turns.
struct Wave {
    /// Turns per world unit along each of its axes; 0 for an unused axis.
    axes: [DVec3; 3],
    /// Turns at the origin.
    phases: DVec3,
}

impl Wave {
    /// With a period, every wave vector is moved to the nearest that repeats: whole turns along each periodic axis.
    fn frame(&self, instance: &Instance) -> Frame {
        let snapped = self.axes.map(|axis| {
            let turns =
                |a: usize| if instance.period[a] > 0.0 { (axis[a] * instance.period[a]).round() / instance.period[a] } else { axis[a] };
            DVec3::from([0, 1, 2].map(turns))
        });
        instance.frame(rows(snapped), self.phases, 0)
    }
}

/// Maximum length of a period.
const LONGEST: f64 = 1e12;

/// Phases in radians, given or derived from the seed.
fn phases(given: Option<&Vec<f64>>, i: usize, dimensions: usize, seed: Seed) -> DVec3 {
    match given {
        Some(radians) => DVec3::from(std::array::from_fn(|d| if d < dimensions { radians[i * dimensions + d] / TAU } else { 0.0 })),
        None => DVec3::from(seed.with(i as u64).offset(1.0)),
    }
}

/// Refuses sines whose longest wave does not fit into the period.
fn fit_waves(site: &NodeSite<'_, '_>, longest: f64, dimensions: u32) -> Result<(), ProgramError> {
    let mismatch = site.context.instances.iter().find_map(|instance| too_short(instance, longest, dimensions));
    mismatch.map_or(Ok(()), |mismatch| Err(site.period_mismatch(mismatch)))
}

/// The axis along which even the longest of some waves, of these world units, does not fit into the period.
fn too_short(instance: &Instance, longest: f64, dimensions: u32) -> Option<PeriodMismatch> {
    let short = |&axis: &usize| instance.period[axis].is_nan() || (instance.period[axis] > 0.0 && instance.period[axis] < longest);
    let axis = (0..dimensions as usize).find(short)?;
    let least = longest * instance.asked[axis] / instance.period[axis];
    let allowed = if instance.period[axis].is_nan() { Periods::None } else { Periods::Between(least, LONGEST) };
    Some(PeriodMismatch { axis, asked: instance.asked[axis], allowed })
}
