//! Filters: what samples become by themselves and beside their neighbours.

use crate::graph::Noise;
use crate::node::Radius;
use crate::schedule::PlaneId;
use crate::schedule::lower::{Lowering, Outputs, ScheduleError, single};
use crate::schedule::pass;
use crate::stage::{
    Adjacent, AdjacentFilter, AngleUnit, Axes, Combine, CombineBy, Curvature, CurvatureForm, Dropoff, Gaussian, Hillshade, Mask, Median,
    Normal, Occlusion, Slope,
};
use std::sync::Arc;

/// Directions in which the sky is looked for.
const DIRECTIONS: u32 = 16;

impl Lowering<'_> {
    pub fn dropoff(&mut self, name: &str, n: &Dropoff) -> Result<Outputs, ScheduleError> {
        let b = self.plane(name, "of", &n.of)?;
        let end = n.radius + n.width;
        let mask = if self.nearest(n.centre, n.axes) > 1.001 * end {
            // Where coordinates may be too far out for a distance.
            self.fill(0.0)
        } else {
            // Distances are counted in units of which a frame holds enough.
            let unit = if end < 268_435_456.0 { 1.0 } else { libm::exp2(libm::log2(end).ceil() - 20.0) };
            let distance = Radius { centre: n.centre, axes: n.axes, unit };
            let far = || Noise::radius(distance).smoothstep(n.radius / unit, end / unit);
            self.noise(name, || far().scale_offset(-1.0, 1.0))?
        };
        let a = self.fill(n.floor);
        Ok(single([self.run(pass::Blend { a, b, mask }).value, mask]))
    }

    /// How near to a point samples of the block may lie, along stretched axes.
    fn nearest(&self, centre: [f64; 3], axes: [f64; 3]) -> f64 {
        let corners = self.block.corners();
        let square = |axis: usize| {
            let along = corners.map(|corner| corner[axis] - centre[axis]);
            let (lo, hi) = along.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &x| (lo.min(x), hi.max(x)));
            let nearest = if lo > 0.0 { lo } else { (-hi).max(0.0) } * axes[axis].abs();
            nearest * nearest
        };
        libm::sqrt(square(0) + square(1) + square(2))
    }

    pub fn mask(&mut self, name: &str, n: &Mask) -> Result<Outputs, ScheduleError> {
        let value = self.plane(name, "of", &n.of)?;
        Ok(single([self.run(pass::Mask { value, from: n.from, per_way: 1.0 / (n.to - n.from) }).mask]))
    }

    pub fn combine(&mut self, name: &str, n: &Combine) -> Result<Outputs, ScheduleError> {
        let a = self.plane(name, "a", &n.a)?;
        let b = self.plane(name, "b", &n.b)?;
        let value = match n.by {
            CombineBy::Add => self.run(pass::Add { a, b }).value,
            CombineBy::Subtract => self.run(pass::Subtract { a, b }).value,
            CombineBy::Multiply => self.run(pass::Multiply { a, b }).value,
            CombineBy::Minimum => self.run(pass::Minimum { a, b }).value,
            CombineBy::Maximum => self.run(pass::Maximum { a, b }).value,
            CombineBy::Blend => {
                let mask = self.plane(name, "mask", &n.mask)?;
                self.run(pass::Blend { a, b, mask }).value
            }
        };
        Ok(single([value]))
    }

    pub fn adjacent(&mut self, name: &str, n: &AdjacentFilter) -> Result<Outputs, ScheduleError> {
        let mut value = self.plane(name, "of", &n.of)?;
        for _ in 0..n.times {
            for (skipped, x, y) in [(Axes::Y, 1.0, 0.0), (Axes::X, 0.0, 1.0)] {
                if n.axes == skipped {
                    continue;
                }
                value = match n.filter {
                    Adjacent::Minimum => self.run(pass::AdjacentMinimum { value, x, y }).value,
                    Adjacent::Maximum => self.run(pass::AdjacentMaximum { value, x, y }).value,
                    Adjacent::Mean => self.run(pass::AdjacentMean { value, x, y }).value,
                    Adjacent::Difference => self.run(pass::AdjacentDifference { value, x, y }).value,
                };
            }
        }
        Ok(single([value]))
    }

    pub fn gaussian(&mut self, name: &str, n: &Gaussian) -> Result<Outputs, ScheduleError> {
        let mut value = self.plane(name, "of", &n.of)?;
        let radius = libm::ceil(3.0 * n.sigma) as u32;
        let weight = |i: u32| libm::exp(-0.5 * (f64::from(i) / n.sigma) * (f64::from(i) / n.sigma));
        let sum = 1.0 + 2.0 * (1..=radius).map(weight).sum::<f64>();
        let table = Arc::new((0..=radius).map(|i| weight(i) / sum).collect::<Vec<_>>());
        for [x, y] in [[1.0, 0.0], [0.0, 1.0]] {
            value = self.run(pass::Gaussian { value, x, y, radius: f64::from(radius), table: Arc::clone(&table) }).value;
        }
        Ok(single([value]))
    }

    pub fn median(&mut self, name: &str, n: &Median) -> Result<Outputs, ScheduleError> {
        let value = self.plane(name, "of", &n.of)?;
        Ok(single([self.run(pass::Median { value, radius: f64::from(n.radius) }).value]))
    }

    /// 1 / (2 · distance between samples).
    pub fn per_two_steps(&self) -> f64 {
        0.5 / self.step
    }

    pub fn slope(&mut self, name: &str, n: &Slope) -> Result<Outputs, ScheduleError> {
        let (height, per_two_steps) = (self.plane(name, "of", &n.of)?, self.per_two_steps());
        let plane = match n.unit {
            AngleUnit::Ratio => self.run(pass::Slope { height, per_two_steps }).slope,
            AngleUnit::Degrees => self.run(pass::SlopeDegrees { height, per_two_steps }).degrees,
        };
        Ok(single([plane]))
    }

    pub fn curvature(&mut self, name: &str, n: &Curvature) -> Result<Outputs, ScheduleError> {
        let (height, per_two_steps) = (self.plane(name, "of", &n.of)?, self.per_two_steps());
        let per_step_squared = 1.0 / (self.step * self.step);
        let plane = match n.form {
            CurvatureForm::Mean => self.run(pass::CurvatureMean { height, per_step_squared }).curvature,
            CurvatureForm::Plan => self.run(pass::CurvaturePlan { height, per_two_steps, per_step_squared }).curvature,
            CurvatureForm::Profile => self.run(pass::CurvatureProfile { height, per_two_steps, per_step_squared }).curvature,
        };
        Ok(single([plane]))
    }

    pub fn normal(&mut self, name: &str, n: &Normal) -> Result<Outputs, ScheduleError> {
        let height = self.plane(name, "of", &n.of)?;
        let made = self.run(pass::Normal { height, per_two_steps: self.per_two_steps() * n.exaggeration });
        Ok(vec![<[PlaneId; 3]>::from(made).to_vec()])
    }

    pub fn hillshade(&mut self, name: &str, n: &Hillshade) -> Result<Outputs, ScheduleError> {
        let height = self.plane(name, "of", &n.of)?;
        let (azimuth, altitude) = (n.azimuth.to_radians(), n.altitude.to_radians());
        let shaded = pass::Hillshade {
            height,
            per_two_steps: self.per_two_steps() * n.exaggeration,
            light_x: libm::sin(azimuth) * libm::cos(altitude),
            light_y: -libm::cos(azimuth) * libm::cos(altitude),
            light_z: libm::sin(altitude),
        };
        Ok(single([self.run(shaded).light]))
    }

    pub fn occlusion(&mut self, name: &str, n: &Occlusion) -> Result<Outputs, ScheduleError> {
        let mut height = self.plane(name, "of", &n.of)?;
        if n.exaggeration != 1.0 {
            height = self.scaled(height, n.exaggeration);
        }
        let mut table = Vec::new();
        for d in 0..DIRECTIONS {
            let angle = f64::from(d) / f64::from(DIRECTIONS) * std::f64::consts::TAU;
            for s in 1..=n.radius {
                let [x, y] = [libm::cos(angle), libm::sin(angle)].map(|c| libm::round(c * f64::from(s)));
                table.extend([x, y, 1.0 / (libm::hypot(x, y) * self.step)]);
            }
        }
        let occlusion = pass::Occlusion {
            height,
            directions: f64::from(DIRECTIONS),
            steps: f64::from(n.radius),
            per_direction: 1.0 / f64::from(DIRECTIONS),
            table: Arc::new(table),
        };
        Ok(single([self.run(occlusion).open]))
    }
}
