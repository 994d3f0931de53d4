//! Stages that work sample by sample.

use crate::graph::Noise;
use crate::graph::node::{Radius, curve_range};
use crate::interval::Interval;
use crate::params::{ControlPoint, Input, OutputInfo, row};
use crate::program::SplinePoint;
use crate::region::Region;
use crate::schedule::pass;
use crate::stage::StageError;
use crate::stage::choices::CombineBy;
use crate::stage::kind::{SHARE, StageKind, between};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use std::sync::Arc;

row! {
    /// An island: `of` near a point and `floor` far from it, with a smooth transition. A further output is `mask`: 1 near, 0
    /// far.
    Dropoff -> &[OutputInfo::main(1), OutputInfo::further("mask")], {
        /// The heights.
        of: Input;
        /// The centre, in world units.
        centre: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Distance from the centre to the beginning of the transition, in world units.
        radius: f64 = 100.0, [0 to 1e12], World;
        /// Width of the transition, in world units.
        width: f64 = 100.0, [WAVELENGTH], World;
        /// Weight of distances along each axis: (1, 0.5, 0) makes the island twice as long along y.
        axes: [f64; 3] = [1.0, 1.0, 0.0], [each -1000 to 1000], Unitless;
        /// The value far from the centre.
        floor: f64 = 0.0, [FINITE], Value;
    }

    /// A mask: 0 at `from`, 1 at `to`, smooth in between and constant beyond. `from` may be above `to`.
    Mask {
        /// The values.
        of: Input;
        /// Value at which the mask is 0.
        from: f64 = 0.0, [FINITE], Value;
        /// Value at which the mask is 1.
        to: f64 = 1.0, [FINITE], Value;
    }

    /// A curve through control points: heights after erosion, or any other values, remapped as by the node `spline`. Values beyond
    /// the ends give the end values.
    Curve {
        /// The values.
        of: Input;
        /// The control points.
        points: Vec<ControlPoint> = Vec::new(), [increasing];
    }

    /// Combines two fields, sample by sample.
    Combine {
        /// The first field.
        a: Input;
        /// The second field.
        b: Input;
        /// The operation.
        by: CombineBy = CombineBy::Add;
        /// For `blend`: 0 gives `a`, 1 gives `b`.
        mask: Input = Input::Value(0.5);
    }
}

/// Distance from a point within which samples of the block may lie, along stretched axes.
fn nearest(block: &Region, centre: [f64; 3], axes: [f64; 3]) -> f64 {
    let corners = block.corners();
    let square = |axis: usize| {
        let along = corners.map(|corner| corner[axis] - centre[axis]);
        let (lo, hi) = along.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &x| (lo.min(x), hi.max(x)));
        let nearest = if lo > 0.0 { lo } else { (-hi).max(0.0) } * axes[axis].abs();
        nearest * nearest
    };
    libm::sqrt(square(0) + square(1) + square(2))
}

impl StageKind for Dropoff {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if self.radius + self.width <= self.radius * (1.0 + 1e-9) {
            return Err(StageError::parameter(name, "width", self.width.to_string(), "more than 1e-9 of `radius`"));
        }
        if self.axes.iter().all(|a| a.abs() < 1e-6) {
            return Err(StageError::parameter(name, "axes", format!("{:?}", self.axes), "a direction of length 1e-6 or more"));
        }
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let main = of(&self.of).zip(between(self.floor, self.floor)).map(|(r, floor)| Interval::lerp(r, floor, SHARE));
        vec![main, Some(SHARE)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let b = lowering.plane(name, "of", &self.of)?;
        let end = self.radius + self.width;
        let mask = if nearest(lowering.block, self.centre, self.axes) > 1.001 * end {
            // Coordinates may be too far out for a distance.
            lowering.fill(0.0)
        } else {
            // A frame holds enough of these units for the distances.
            let unit = if end < 268_435_456.0 { 1.0 } else { libm::exp2(libm::log2(end).ceil() - 20.0) };
            let distance = Radius { centre: self.centre, axes: self.axes, unit };
            let far = || Noise::radius(distance).smoothstep(self.radius / unit, end / unit);
            lowering.noise(name, || far().scale_offset(-1.0, 1.0))?
        };
        let a = lowering.fill(self.floor);
        Ok(single([lowering.run(pass::Blend { a, b, mask }).value, mask]))
    }
}

impl StageKind for Mask {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if self.from == self.to {
            return Err(StageError::parameter(name, "to", self.to.to_string(), "a value other than `from`"));
        }
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![Some(SHARE)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        Ok(single([lowering.run(pass::Mask { value, from: self.from, per_way: 1.0 / (self.to - self.from) }).mask]))
    }
}

impl StageKind for Curve {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if self.points.is_empty() {
            return Err(StageError::parameter(name, "points", "[]".to_owned(), "two or more control points"));
        }
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // Without bounds of the input, the ends of the curve are bounds.
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return vec![None] };
        vec![Some(curve_range(&self.points, of(&self.of).unwrap_or(Interval { lo: first.at, hi: last.at })))]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        let pieces: Vec<SplinePoint> = SplinePoint::pieces(&self.points).collect();
        let entries = pieces.iter().flat_map(|point| [point.at, point.value, point.anchor, point.inverse_width.min(1e30)]);
        let table = Arc::new(entries.collect::<Vec<_>>());
        Ok(single([lowering.run(pass::Curve { value, pieces: (pieces.len() - 1) as f64, table }).value]))
    }
}

impl StageKind for Combine {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let combined = |(a, b): (Interval, Interval)| match self.by {
            CombineBy::Add => a.add(b),
            CombineBy::Subtract => a.add(b.scale(-1.0)),
            CombineBy::Multiply => a.multiply(b),
            CombineBy::Minimum => Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
            CombineBy::Maximum => Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
            CombineBy::Blend => Interval::lerp(a, b, SHARE),
        };
        vec![of(&self.a).zip(of(&self.b)).map(combined)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let a = lowering.plane(name, "a", &self.a)?;
        let b = lowering.plane(name, "b", &self.b)?;
        let value = match self.by {
            CombineBy::Add => lowering.run(pass::Add { a, b }).value,
            CombineBy::Subtract => lowering.run(pass::Subtract { a, b }).value,
            CombineBy::Multiply => lowering.run(pass::Multiply { a, b }).value,
            CombineBy::Minimum => lowering.run(pass::Minimum { a, b }).value,
            CombineBy::Maximum => lowering.run(pass::Maximum { a, b }).value,
            CombineBy::Blend => {
                let mask = lowering.plane(name, "mask", &self.mask)?;
                lowering.run(pass::Blend { a, b, mask }).value
            }
        };
        Ok(single([value]))
    }
}
