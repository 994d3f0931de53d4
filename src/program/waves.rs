//! Where sines lie: a frame for every wave, which counts turns.

use super::instance::{Instance, rows};
use super::lattice::{Misfit, Periods};
use super::seed::Seed;
use crate::frame::Frame;
use crate::graph::{Hill, Sine, Spectral};
use glam::DVec3;
use std::f64::consts::TAU;

impl Sine {
    /// The phase without whole turns, which change nothing but would cost f32 its digits. A phase within a turn is used as it is.
    pub(crate) fn least_phase(&self) -> f64 {
        if self.phase.abs() <= 1.0 { self.phase } else { self.phase % 1.0 }
    }
}

/// One sine, or a pair or triple along the axes of an orthonormal basis: its frame counts turns.
struct Wave {
    /// Turns per world unit along each of its axes; 0 where it has none.
    axes: [DVec3; 3],
    /// Turns at the origin.
    phases: DVec3,
}

impl Wave {
    /// Under a period every wave vector is moved to the nearest that repeats: whole turns along each axis that does.
    fn frame(&self, instance: &Instance) -> Frame {
        let snapped = self.axes.map(|axis| {
            let turns =
                |a: usize| if instance.period[a] > 0.0 { (axis[a] * instance.period[a]).round() / instance.period[a] } else { axis[a] };
            DVec3::from([0, 1, 2].map(turns))
        });
        instance.frame(rows(snapped), self.phases, 0)
    }
}

/// What a period may be at most.
const LONGEST: f64 = 1e12;

impl Instance {
    /// The axis along which even the longest of some waves, of these world units, does not fit into the period.
    pub fn too_short(&self, longest: f64, dimensions: u32) -> Option<Misfit> {
        let short = |&axis: &usize| self.period[axis].is_nan() || (self.period[axis] > 0.0 && self.period[axis] < longest);
        let axis = (0..dimensions as usize).find(short)?;
        let least = longest * self.asked[axis] / self.period[axis];
        let allowed = if self.period[axis].is_nan() { Periods::None } else { Periods::Between(least, LONGEST) };
        Some(Misfit { axis, asked: self.asked[axis], allowed })
    }
}

/// Phases as they are given, in radians, or as the seed has them.
fn phases(given: Option<&Vec<f64>>, i: usize, dimensions: usize, seed: Seed) -> DVec3 {
    match given {
        Some(radians) => DVec3::from(std::array::from_fn(|d| if d < dimensions { radians[i * dimensions + d] / TAU } else { 0.0 })),
        None => DVec3::from(seed.with(i as u64).offset(1.0)),
    }
}

impl Hill {
    /// The size of every sine.
    pub(crate) fn all_sizes(&self) -> Vec<f64> {
        let count = f64::from(self.sines);
        let exponent = -libm::log(self.smoothness);
        let size = |i: u32| libm::pow((f64::from(i) + 0.5) / (count + 1.0), exponent);
        self.sizes.clone().unwrap_or_else(|| (0..self.sines).map(size).collect())
    }

    /// The amplitude of every sine, of which each dimension has as many: together they reach 1.
    pub(crate) fn amplitudes(&self) -> Vec<f64> {
        let order = self.order();
        let sizes = self.all_sizes();
        let total = sizes.iter().sum::<f64>() * f64::from(self.dimensions);
        order.iter().map(|&i| sizes[i] / total).collect()
    }

    /// Which size each direction takes: shuffled in 3D, so that neighbouring directions have different sizes (Schretter, Kobbelt
    /// and Dehaye 2012, as the article uses it).
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
    pub(super) fn frames(&self, instance: &Instance) -> Vec<Frame> {
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

/// The axes of sine i: x; or turned by the golden ratio; or a basis around a direction that follows it over the sphere, with
/// the polar angle from j. (The article's 3D code exchanges the two angles where it forms the basis.)
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

impl Spectral {
    /// The frequency of every sine.
    pub(crate) fn all_frequencies(&self) -> Vec<f64> {
        self.frequencies.clone().unwrap_or_else(|| (1..=self.count).map(f64::from).collect())
    }

    /// The amplitude of every sine, normalisation included.
    pub(crate) fn all_amplitudes(&self) -> Vec<f64> {
        let power = |f: f64| libm::pow(f, self.exponent);
        let plain = self.amplitudes.clone().unwrap_or_else(|| self.all_frequencies().into_iter().map(power).collect());
        let total: f64 = plain.iter().map(|a| a.abs()).sum();
        let divide = self.normalise && total > 0.0;
        plain.into_iter().map(|a| if divide { a / total } else { a }).collect()
    }

    /// The frames of one instance, sine by sine.
    pub(super) fn frames(&self, instance: &Instance) -> Vec<Frame> {
        let seed = instance.seed.with(self.seed);
        let wave = |(i, f): (usize, f64)| {
            let phases = phases(self.phases.as_ref(), i, 1, seed);
            Wave { axes: [DVec3::X * (f / self.length), DVec3::ZERO, DVec3::ZERO], phases: DVec3::new(phases.x, 0.0, 0.0) }.frame(instance)
        };
        self.all_frequencies().into_iter().enumerate().map(wave).collect()
    }
}
