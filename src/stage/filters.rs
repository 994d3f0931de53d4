//! Filters: samples combined with their neighbours.

use crate::interval::Interval;
use crate::params::{Input, row};
use crate::schedule::{PlaneId, pass};
use crate::stage::StageError;
use crate::stage::choices::{Adjacent, Axes};
use crate::stage::kind::{StageKind, between};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use std::sync::Arc;

row! {
    /// The minimum, maximum, mean or half the difference of neighbouring samples, repeated (the article's `adjacent_min`,
    /// `smoother` and `rougher`). Each repetition looks one sample ahead along each axis, so it shifts the result by half a
    /// sample.
    AdjacentFilter {
        /// The values.
        of: Input;
        /// The operation on neighbours.
        filter: Adjacent = Adjacent::Mean;
        /// Number of repetitions.
        times: u32 = 1, [ITERATIONS], Unitless;
        /// Axes of the filter; a single axis makes it the article's filter of sequences.
        axes: Axes = Axes::Both;
    }

    /// Gaussian blur, cut off at three standard deviations.
    Gaussian {
        /// The values.
        of: Input;
        /// Standard deviation in samples.
        sigma: f64 = 2.0, [0.1 to 256], Samples;
    }

    /// The median of a square around each sample: removes specks and keeps edges.
    Median {
        /// The values.
        of: Input;
        /// Samples to either side: 1 gives a square of 3 × 3, 7 the largest, of 15 × 15.
        radius: u32 = 1, [1 to 7], Samples;
    }
}

impl StageKind for AdjacentFilter {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let range = |of: Interval| match self.filter {
            Adjacent::Minimum | Adjacent::Maximum | Adjacent::Mean => Some(of),
            // Half the difference of numbers that lie within a width. From the second repetition on, values lie around 0.
            Adjacent::Difference => {
                let half = of.add(of.scale(-1.0)).scale(0.5).magnitude();
                if self.times > 0 { between(-half, half) } else { None }
            }
        };
        vec![of(&self.of).and_then(range)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("times")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let mut value = lowering.plane(name, "of", &self.of)?;
        for _ in 0..self.times {
            for (skipped, x, y) in [(Axes::Y, 1.0, 0.0), (Axes::X, 0.0, 1.0)] {
                if self.axes == skipped {
                    continue;
                }
                value = match self.filter {
                    Adjacent::Minimum => lowering.run(pass::AdjacentMinimum { value, x, y }).value,
                    Adjacent::Maximum => lowering.run(pass::AdjacentMaximum { value, x, y }).value,
                    Adjacent::Mean => lowering.run(pass::AdjacentMean { value, x, y }).value,
                    Adjacent::Difference => lowering.run(pass::AdjacentDifference { value, x, y }).value,
                };
            }
        }
        Ok(single([value]))
    }
}

impl StageKind for Gaussian {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Each of two sums rounds once per weight.
        vec![of(&self.of).map(|r| r.widened(3.0 * self.sigma + 4.0))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("sigma")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        Ok(single([lowering.blurred(value, self.sigma)]))
    }
}

impl ScheduleLowering<'_> {
    /// A plane after Gaussian blur with a standard deviation in samples.
    pub(super) fn blurred(&mut self, mut value: PlaneId, sigma: f64) -> PlaneId {
        let radius = libm::ceil(3.0 * sigma) as u32;
        let weight = |i: u32| libm::exp(-0.5 * (f64::from(i) / sigma) * (f64::from(i) / sigma));
        let sum = 1.0 + 2.0 * (1..=radius).map(weight).sum::<f64>();
        let table = Arc::new((0..=radius).map(|i| weight(i) / sum).collect::<Vec<_>>());
        for [x, y] in [[1.0, 0.0], [0.0, 1.0]] {
            value = self.run(pass::Gaussian { value, x, y, radius: f64::from(radius), table: Arc::clone(&table) }).value;
        }
        value
    }
}

impl StageKind for Median {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![of(&self.of)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("radius")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        Ok(single([lowering.run(pass::Median { value, radius: f64::from(self.radius) }).value]))
    }
}
