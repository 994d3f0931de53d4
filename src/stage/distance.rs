//! Distances.

use crate::interval::Interval;
use crate::params::{Input, row};
use crate::schedule::PlaneId;
use crate::schedule::pass::{Crossings, CrossingsAlong, DistanceEnvelope, SignedDistance, made};
use crate::stage::StageError;
use crate::stage::kind::{StageKind, about};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};

row! {
    /// The distance to the line where values have a level, such as a coast or the edge of a mask. It is negative where values are
    /// above the level.
    ///
    /// The line is known where it crosses the rows and columns of samples, by linear interpolation. The result is the Euclidean
    /// distance to the nearest crossing. Farther than one sample from the line, it is at most 0.12 samples larger than the
    /// distance to the line that connects the crossings. The method is the separable lower envelope of Felzenszwalb and
    /// Huttenlocher (2012), first along columns, then along rows, and once the other way.
    ///
    /// The cost grows with the smaller of `reach` and the distance.
    Distance {
        /// The values.
        of: Input;
        /// The level.
        level: f64 = 0.5, [SAMPLE], Value;
        /// The largest distance, in world units. Farther samples have this one.
        reach: f64 = 32.0, [WAVELENGTH], World;
    }
}

impl StageKind for Distance {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![about(-self.reach, self.reach, 1.0)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("reach")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        Ok(single([signed_distance(lowering, value, self.level, self.reach)]))
    }
}

/// The distance to a level in world units, at most `most`; negative above the level.
pub(super) fn signed_distance(lowering: &mut ScheduleLowering<'_>, value: PlaneId, level: f64, most: f64) -> PlaneId {
    let step = lowering.step;
    let reach = reach_in_samples(most, step);
    let made::Crossings { x, y } = lowering.run(Crossings { value, level });
    let [a, b] = [(y, [0.0, 1.0]), (x, [1.0, 0.0])].map(|(crossing, [x, y])| {
        let square = lowering.run(CrossingsAlong { crossing, x, y, reach }).square;
        lowering.run(DistanceEnvelope { square, x: y, y: x, reach }).square
    });
    lowering.run(SignedDistance { value, a, b, level, step, most }).distance
}

/// The samples within which everything up to a distance lies, and the crossing after the last one.
pub(super) fn reach_in_samples(reach: f64, step: f64) -> f64 {
    libm::ceil(reach / step) + 1.0
}
