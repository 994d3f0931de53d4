//! Lines on the ground: roads, dikes, ditches and canals.

mod pieces;

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::pass::{self, PolylineBed, PolylineNearest, made};
use crate::stage::StageError;
use crate::stage::choices::{LineBy, LineProfile};
use crate::stage::kind::{SHARE, StageKind, about};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, flag, single};
use pieces::Pieces;

row! {
    /// Lines on the ground, such as roads, dikes, ditches and canals: a bed along each line, and banks on both sides of it.
    ///
    /// The distance is the Euclidean distance to the nearest point of the lines, whose points are rounded to 1/64 of the distance between
    /// samples. Further outputs: `distance`, at most that to the end of the banks, and `share`: 1 on the bed, 0 beyond the banks. A curve
    /// of `distance` gives banks of any other shape.
    ///
    /// The cost grows with the number of pieces of the lines near a sample. Channels of rivers are the stage `channel`, and the distance to
    /// a coast is the stage `distance`.
    Line -> &[OutputInfo::main(1), OutputInfo::further("distance"), OutputInfo::further("share")], {
        /// The heights of the ground.
        of: Input;
        /// The points of the lines: x and y in world units, and a height for `by = "level"`. A point that is repeated ends its line, and
        /// the next point begins another.
        points: Vec<[f64; 3]> = Vec::new(), [POSITION], World;
        /// Rounds of cutting corners (Chaikin 1974), which turn straight parts into a curve inside of them. Each doubles the points.
        smoothing: u32 = 0, [0 to 8], Unitless;
        /// The height of the bed.
        by: LineBy = LineBy::Offset;
        /// Height that is added to the bed: negative for ditches.
        height: f64 = -4.0, [FINITE], Value;
        /// Width of the bed, in world units.
        width: f64 = 8.0, [0 to 1e12], World;
        /// Width of each bank, in world units.
        bank: f64 = 16.0, [WAVELENGTH], World;
        /// The shape of the banks.
        profile: LineProfile = LineProfile::Smooth;
        /// For `by = "ground"`: the distance along which the ground is evened out, in world units. 0 takes the ground as it is.
        even: f64 = 0.0, [0 to 1e12], World;
        /// The largest height that is filled up or cut off.
        limit: f64 = 1e12, [0 to 1e12], Value;
    }
}

/// The largest reach in samples.
const MOST: f64 = 16_384.0;

impl Line {
    /// The distance to the end of the banks.
    fn reach(&self) -> f64 {
        0.5 * self.width + self.bank
    }
}

impl StageKind for Line {
    fn check(&self, name: &str) -> Result<(), StageError> {
        let count = self.points.len();
        let most = pieces::MOST_POINTS >> self.smoothing;
        if !(2..=most).contains(&count) {
            let allowed = format!("2 to {most} points");
            return Err(StageError::parameter(name, "points", format!("{count} point(s)"), allowed));
        }
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let change = self.height.clamp(-self.limit, self.limit);
        let changed = |ground: Interval| Interval { lo: ground.lo + change.min(0.0), hi: ground.hi + change.max(0.0) }.widened(8.0);
        let main = match self.by {
            LineBy::Offset => of(&self.of).map(changed),
            LineBy::Level | LineBy::Ground => None,
        };
        vec![main, about(0.0, self.reach(), 2.0), Some(SHARE)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        Some("bank")
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let step = lowering.step;
        // A little more than the reach, where rounding would leave a share.
        let samples = 1.001 * self.reach() / step;
        let even = self.even / step;
        for (param, given, samples) in [("bank", self.bank, samples), ("even", self.even, even)] {
            if samples > MOST {
                let allowed = format!("at most {MOST} distances between samples");
                return Err(StageError::parameter(name, param, given.to_string(), allowed).into());
            }
        }
        let Pieces { shift, columns, table } = Pieces::of(name, &self.points, self.smoothing, lowering.block, samples)?;
        let nearest = PolylineNearest { columns, shift, most: samples * samples, table };
        let made::PolylineNearest { square, x, y, level } = lowering.run(nearest);
        let level = match self.by {
            LineBy::Offset | LineBy::Level => level,
            LineBy::Ground => {
                // Half of the weight of this Gaussian lies within a third of its deviation.
                let value = if even > 0.0 { lowering.blurred(height, even / 3.0) } else { height };
                let reach = libm::ceil(samples) + 1.0;
                lowering.run(pass::Displace { value, x, y, per_step: -1.0, most: samples, reach }).value
            }
        };
        let bed = PolylineBed {
            height,
            square,
            level,
            step,
            reach: self.reach(),
            half: 0.5 * self.width,
            per_bank: 1.0 / self.bank,
            profile: f64::from(self.profile as u32),
            raise: self.height,
            limit: self.limit,
            absolute: flag(self.by != LineBy::Offset),
        };
        let made::PolylineBed { height, distance, share } = lowering.run(bed);
        Ok(single([height, distance, share]))
    }
}
