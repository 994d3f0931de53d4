//! Phasor and Gabor noise.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::curl::{frames, have_gradients};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::interval::Interval;
use crate::params::{Input, row, short};
use crate::program::lattice::Lattice;
use crate::program::{Axis, Curve, GraphError, Op, PHASOR_FASTEST, PhasorProfile, ProgramError, Reg};

row! {
    /// Phasor noise: waves with a direction and a length that vary from place to place, all of the same height. For dunes, ripples,
    /// wood, strata and cloth; signed.
    ///
    /// The points of a lattice each contribute a wave with a phase of its own; the noise is a profile of the phase of their sum.
    /// Direction and frequency may be other noises. Their gradients bend the waves around each point, so crests curve without
    /// breaks if directions change by less than a third of a turn over a cell. The noise itself then has no gradient. Waves along
    /// a gradient do not bend so: there, directions should change little over a cell. Crests end and fork where the phases of
    /// neighbours differ; there the waves become 0. With the profile `gabor`, the noise is the sum of the waves instead, and its
    /// height varies; few values are beyond ±0.7.
    ///
    /// Sources: Tricard et al., "Procedural phasor noise", 2019; Lagae et al., "Procedural noise using sparse Gabor convolution",
    /// 2009.
    ///
    /// The cost is that of nine points with a sine each in 2D, of 27 in 3D.
    Phasor {
        /// Number of dimensions: 2 (reads x and y) or 3.
        dimensions: u32 = 2, [dimensions 2 to 3], Unitless;
        /// The shape of the waves.
        profile: PhasorProfile = PhasorProfile::Sine, [structural];
        /// Length of a wave, in world units.
        wavelength: f64 = 20.0, [WAVELENGTH], World;
        /// Edge of a lattice cell, in world units. Crests are about as long; at most 64 waves lie in a cell.
        size: f64 = 60.0, [WAVELENGTH], World;
        /// Steepness of the profiles `square` and `saw`: 0 gives a sine and a triangle. At 1, a saw falls within 1 % of a wave.
        sharpness: f64 = 0.75, [SHARE], Unitless;
        /// Direction of the waves, across their crests: degrees from the x axis towards y.
        rotation: Input = Input::Value(0.0) => Slope;
        /// Direction of the waves: degrees from the plane of x and y towards z. Read in 3D, without `along`.
        elevation: Input = Input::Value(0.0) => Slope;
        /// Factor of the number of waves, limited to 0 to 16.
        frequency: Input = Input::Value(1.0) => Slope;
        /// If a node: waves run along its gradient, up and down its slopes, turned by `rotation`. Requires a gradient; the noise
        /// itself then has none.
        along: Input = Input::Value(0.0) => Slope;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Phasor noise.
    pub fn phasor(params: Phasor) -> Self {
        Self::source(params)
    }

    /// Phasor noise in this direction, in degrees: a noise whose values turn the waves of `params`.
    pub fn phasor_rotation(self, mut params: Phasor) -> Self {
        self.then(|rotation| {
            params.rotation = rotation;
            params
        })
    }

    /// Phasor noise whose waves run along the gradient of this noise.
    pub fn phasor_along(self, mut params: Phasor) -> Self {
        self.then(|along| {
            params.along = along;
            params
        })
    }
}

/// Most waves in a cell.
const MOST_WAVES: f64 = 64.0;
/// 1 / the root of the share of squared weights that is added to the square of the sum of waves.
const PER_CALM_ROOT: f64 = 8.0;

/// Bounds for the weights of points at the places nearest and farthest from points, per dimension.
struct Weights {
    /// Bound of `Σ|∇w| / √Σw²`, per cell.
    slopes: f64,
    /// Bound of `Σw / √Σw²`: the root of the number of points.
    weights: f64,
}

impl NodeKind for Phasor {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        if self.size > MOST_WAVES * self.wavelength {
            let allowed = format!("at most {MOST_WAVES} wavelengths, {}", short(MOST_WAVES * self.wavelength));
            return at.refuse("size", short(self.size), allowed);
        }
        have_gradients(at, &[("along", &self.along)])
    }

    /// All profiles lie within it, and the mean of waves does.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(-1.0, 1.0)
    }

    /// With the sum of waves `G`, the sum of squared weights `S`, and `N = |G|² + S/64`, the sine is `Im G / √N`. Its gradient is
    /// at most `|∇G| / √N + Σ w|∇w| / S`. A weight `w = t³` has `|∇w| ≤ 6 w^(2/3) / reach`, and the means of powers bound
    /// `Σ w^(2/3)` by `n^(2/3) S^(1/3)` for `n` points. The other profiles are functions of the same.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let Weights { slopes, weights } = self.weights();
        let fastest = rule.range(&self.frequency).hi.clamp(0.0, PHASOR_FASTEST);
        let per_cell = self.size / self.wavelength;
        let turning = 2.0 * std::f64::consts::PI * per_cell * fastest;
        let [factor, up, down] = self.numbers();
        let sum = |scale: f64| scale * PER_CALM_ROOT;
        let own = match self.profile {
            // `|∇(G / √S)| ≤ |∇G| / √S + |G| Σ w|∇w| / S^(3/2)`.
            PhasorProfile::Gabor => slopes + turning * weights + weights * slopes,
            PhasorProfile::Sine => sum(slopes + turning * weights) + slopes,
            PhasorProfile::Square => 1.5 * factor * (sum(slopes + turning * weights) + slopes),
            PhasorProfile::Saw => {
                let steep = 1.0 + up.max(down) / (2.0 * std::f64::consts::PI);
                steep * sum(slopes + turning * weights) + slopes
            }
        };
        // Second derivatives are not computed.
        rule.basis(if self.has_gradient() { own / self.size } else { f64::INFINITY })
    }

    fn precision(&self) -> Precision {
        let own = Precision::of_lattice(2e-5 * (1.0 + self.size / self.wavelength), self.size);
        if self.has_gradient() { own } else { Precision { fast: fast::SLOPES, ..own } }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let along = if self.follows() { self.along_gradient(site)? } else { self.direction(site)? };
        let frequency = site.input(&self.frequency)?;
        let slopes = if self.varies() { Some(self.slopes(site, along, frequency)?) } else { None };
        let lattice = Lattice::cubic(self.dimensions, self.size, self.seed, self.offset);
        let frames = site.lattice_frames(&lattice)?;
        let [a, b, c] = self.numbers();
        let numbers = site.numbers([self.size / self.wavelength, a, b, c]);
        Ok(Op::Phasor { dimensions: self.dimensions, profile: self.profile, frames, along, frequency, slopes, numbers })
    }
}

impl Phasor {
    /// Whether the direction is a gradient.
    fn follows(&self) -> bool {
        matches!(self.along, Input::Node(_))
    }

    /// Whether direction or frequency are noises.
    fn varies(&self) -> bool {
        let inputs = [&self.rotation, &self.elevation, &self.frequency];
        let read = if self.dimensions < 3 || self.follows() { [true, false, true] } else { [true; 3] };
        inputs.into_iter().zip(read).any(|(input, read)| read && matches!(input, Input::Node(_)))
    }

    /// Whether its gradient is known: it is not if waves depend on gradients of inputs.
    pub(super) fn has_gradient(&self) -> bool {
        !self.follows() && !self.varies()
    }

    /// Half the derivatives of the direction's components and of the frequency, per cell.
    fn slopes(&self, site: &mut NodeSite<'_, '_>, [x, y, z]: [Reg; 3], frequency: Reg) -> Result<[[Reg; 3]; 4], ProgramError> {
        let (frames, zero) = (frames(site)?, constant(site, 0.0)?);
        let mut slope = |x: Reg, axis: Axis| {
            let derivative = site.push(Op::Derivative { x, axis, frames })?;
            let half = Op::ScaleOffset { x: derivative, scale: site.scalar(0.5 * self.size), offset: site.scalar(0.0) };
            site.push(half)
        };
        let flat = self.dimensions < 3;
        let mut all = [[zero; 3]; 4];
        for (row, of) in all.iter_mut().zip([x, y, z, frequency]) {
            if flat && of == z {
                continue;
            }
            for (to, axis) in row.iter_mut().zip([Axis::X, Axis::Y, Axis::Z]) {
                if !flat || axis != Axis::Z {
                    *to = slope(of, axis)?;
                }
            }
        }
        Ok(all)
    }

    fn weights(&self) -> Weights {
        let flat = self.dimensions < 3;
        let (points, reach, spread): (f64, f64, f64) = if flat { (9.0, 1.25, 0.25) } else { (27.0, 1.3, 0.2) };
        let farthest = (0.5 + spread) * libm::sqrt(f64::from(self.dimensions));
        // The own cell's point has at least the weight t³, and S^(−1/6) ≤ 1/t.
        let t = 1.0 - farthest * farthest / (reach * reach);
        Weights { slopes: 6.0 / reach * libm::cbrt(points * points) / t, weights: libm::sqrt(points) }
    }

    /// The numbers of the profile: the factor of a square; the share of a saw's rise, and its slopes per turn.
    fn numbers(&self) -> [f64; 3] {
        let sharp = 0.98 * self.sharpness;
        let rise = 0.5 + 0.5 * sharp;
        match self.profile {
            PhasorProfile::Square => [1.0 / (1.0 - sharp), 0.0, 0.0],
            PhasorProfile::Saw => [rise, 2.0 / rise, 2.0 / (1.0 - rise)],
            PhasorProfile::Sine | PhasorProfile::Gabor => [0.0; 3],
        }
    }

    /// The direction by its angles.
    fn direction(&self, site: &mut NodeSite<'_, '_>) -> Result<[Reg; 3], ProgramError> {
        let [cosine, sine] = circle(site, &self.rotation)?;
        if self.dimensions < 3 {
            return Ok([cosine, sine, constant(site, 0.0)?]);
        }
        let [level, up] = circle(site, &self.elevation)?;
        Ok([site.push(Op::Multiply(cosine, level))?, site.push(Op::Multiply(sine, level))?, up])
    }

    /// The gradient, turned in the plane.
    fn along_gradient(&self, site: &mut NodeSite<'_, '_>) -> Result<[Reg; 3], ProgramError> {
        let frames = frames(site)?;
        let x = site.input(&self.along)?;
        let mut part = |axis| site.push(Op::Derivative { x, axis, frames });
        let (x, y) = (part(Axis::X)?, part(Axis::Y)?);
        let z = if self.dimensions < 3 { constant(site, 0.0)? } else { part(Axis::Z)? };
        let [cosine, sine] = circle(site, &self.rotation)?;
        let mut product = |a, b| site.push(Op::Multiply(a, b));
        let (xx, xy, yx, yy) = (product(x, cosine)?, product(x, sine)?, product(y, cosine)?, product(y, sine)?);
        let negative = Op::ScaleOffset { x: yy, scale: site.scalar(-1.0), offset: site.scalar(0.0) };
        let negative = site.push(negative)?;
        Ok([site.push(Op::Add(xx, negative))?, site.push(Op::Add(xy, yx))?, z])
    }
}

fn constant(site: &mut NodeSite<'_, '_>, value: f64) -> Result<Reg, ProgramError> {
    let value = site.scalar(value);
    site.push(Op::Constant(value))
}

/// Cosine and sine of an angle in degrees. Those of a number are computed here.
fn circle(site: &mut NodeSite<'_, '_>, degrees: &Input) -> Result<[Reg; 2], ProgramError> {
    match degrees {
        Input::Node(_) => {
            let per_degree = 1.0 / 360.0;
            let cosine = site.curve(Curve::Sine, degrees, [per_degree, 0.25, 0.0, 0.0])?;
            let sine = site.curve(Curve::Sine, degrees, [per_degree, 0.0, 0.0, 0.0])?;
            Ok([site.push(cosine)?, site.push(sine)?])
        }
        Input::Value(_) | Input::Missing => {
            let turns = if let Input::Value(x) = degrees { (x / 360.0).rem_euclid(1.0) } else { 0.0 };
            let (sine, cosine) = libm::sincos(turns * 2.0 * std::f64::consts::PI);
            Ok([constant(site, cosine)?, constant(site, sine)?])
        }
    }
}
