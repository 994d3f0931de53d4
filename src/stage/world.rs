//! Stages that depend on a measurement of the whole world.

use crate::interval::Interval;
use crate::params::{Input, OutputInfo, row};
use crate::schedule::pass::{Ocean as Sea, Rank, Stretch};
use crate::stage::StageError;
use crate::stage::kind::{SHARE, StageKind, about, between};
use crate::stage::lower::{Outputs, ScheduleError, ScheduleLowering, single};
use std::sync::Arc;

row! {
    /// Stretches values linearly, so that the whole world ranges from `low` to `high`.
    ///
    /// The minimum and maximum of the whole world are measured in a separate pass. Values outside of them (in a world that was
    /// not measured) are clamped.
    Normalise {
        /// The values.
        of: Input;
        /// The value that the minimum is mapped to.
        low: f64 = 0.0, [FINITE], Value;
        /// The value that the maximum is mapped to.
        high: f64 = 1.0, [FINITE], Value;
        /// Share of the samples to cut off at either end, so that a few peaks do not flatten the rest.
        clip: f64 = 0.0, [0 to 0.49], Unitless;
        /// Minimum and maximum, as measured. If omitted, they are measured over the requested world.
        measured: Option<[f64; 2]> = None, [SAMPLE], Value;
    }

    /// Redistributes values uniformly from `low` to `high`, by the distribution of the whole world's values.
    EqualiseWorld {
        /// The values.
        of: Input;
        /// The value that the minimum is mapped to.
        low: f64 = 0.0, [FINITE], Value;
        /// The value that the maximum is mapped to.
        high: f64 = 1.0, [FINITE], Value;
        /// Quantiles at evenly spaced probabilities, as measured. If omitted, they are measured over the requested world.
        measured: Vec<f64> = Vec::new(), [sorted], Value;
    }

    /// The sea: `of` with everything below the sea level raised to it.
    ///
    /// Further outputs: `depth` (0 on land), `mask` (1 in water, 0 on land) and `shore` (1 at the waterline, falling to 0
    /// within `width` on both sides).
    Ocean -> &[OutputInfo::main(1), OutputInfo::further("depth"), OutputInfo::further("mask"), OutputInfo::further("shore")], {
        /// The heights.
        of: Input;
        /// The sea level.
        level: f64 = 0.0, [FINITE], Value;
        /// Share of the world to cover, instead of a level, which is then measured in a pass over the world.
        share: Option<f64> = None, [SHARE], Unitless;
        /// Height above and depth below the sea level over which `shore` falls to 0.
        width: f64 = 10.0, [0.000000001 to 1e15], Value;
        /// The sea level for `share`, as measured.
        measured: Option<f64> = None, [SAMPLE], Value;
    }
}

/// The error for a stage without its measurement of the whole world.
pub(super) fn unmeasured(name: &str) -> ScheduleError {
    StageError::parameter(name, "measured", "missing", "a measurement of the whole world (Engine::measure)").into()
}

/// Number of parts of a guide.
const PARTS: usize = 8192;

/// Index at which to begin the search for a value among quantiles, by its position between the first and the last.
struct Guide {
    first: f64,
    per_part: f64,
    steps: f64,
    parts: Vec<f64>,
}

impl Guide {
    /// Part k holds the last quantile at or below the start of part k − 1: rounding may put a value into a neighbouring part,
    /// and the search only goes upwards.
    fn new(quantiles: &[f64]) -> Self {
        let (first, end) = (quantiles[0], quantiles[quantiles.len() - 1]);
        let none = Guide { first, per_part: 0.0, steps: f64::from(u16::MAX), parts: vec![0.0; PARTS] };
        let part = (end - first) / PARTS as f64;
        // f32 must distinguish the parts.
        if part.is_nan() || part <= first.abs().max(end.abs()) / 1_048_576.0 || part < 1e-30 {
            return none;
        }
        // The values at the beginning of each part, from one before the first to two after the last.
        let (mut rank, last) = (0, quantiles.len().saturating_sub(2));
        let reached: Vec<usize> = (0..PARTS + 3)
            .map(|k| {
                let beginning = first + (k as f64 - 1.0) * part;
                while rank < last && quantiles[rank + 1] <= beginning {
                    rank += 1;
                }
                // All larger values lie beyond the last quantile.
                if k < PARTS + 1 { rank } else { last }
            })
            .collect();
        let steps = reached.windows(4).map(|near| near[3] - near[0]).max().unwrap_or(0);
        Guide { first, per_part: 1.0 / part, steps: steps as f64, parts: reached[..PARTS].iter().map(|&rank| rank as f64).collect() }
    }
}

impl StageKind for Normalise {
    fn check(&self, name: &str) -> Result<(), StageError> {
        if self.measured.is_some_and(|[lo, hi]| lo > hi) {
            return Err(StageError::parameter(name, "measured", format!("{:?}", self.measured), "[LO, HI] with LO at most HI"));
        }
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        vec![between(self.low, self.high)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        let [lo, hi] = self.measured.ok_or_else(|| unmeasured(name))?;
        // Slightly too large, so that the maximum is clamped to its end and not rounded to just below it.
        let scale = if hi > lo { (self.high - self.low) / (hi - lo) * (1.0 + 2.384_185_791_015_625e-7) } else { 0.0 };
        let stretch = Stretch { value, from: lo, scale, to: self.low, low: self.low.min(self.high), high: self.low.max(self.high) };
        Ok(single([lowering.run(stretch).value]))
    }
}

impl StageKind for EqualiseWorld {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, _: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        // The sum of a product is not clamped.
        vec![about(self.low, self.high, 4.0)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let value = lowering.plane(name, "of", &self.of)?;
        let last = self.measured.len().checked_sub(1).ok_or_else(|| unmeasured(name))? as f64;
        let ways = self.measured.windows(2).map(|pair| if pair[1] > pair[0] { 1.0 / (pair[1] - pair[0]) } else { 0.0 });
        let Guide { first, per_part, steps, parts } = Guide::new(&self.measured);
        let last_part = (parts.len() - 1) as f64;
        let table = Arc::new(self.measured.iter().copied().chain(ways).chain(parts).collect());
        Ok(single([lowering
            .run(Rank { value, last, step: (self.high - self.low) / last, start: self.low, first, per_part, last_part, steps, table })
            .value]))
    }
}

impl StageKind for Ocean {
    fn check(&self, _: &str) -> Result<(), StageError> {
        Ok(())
    }

    fn ranges(&self, of: &dyn Fn(&Input) -> Option<Interval>) -> Vec<Option<Interval>> {
        let main = match (self.share, self.measured) {
            // A measured level lies within the values.
            (Some(_), None) => of(&self.of),
            (share, measured) => {
                let level = measured.filter(|_| share.is_some()).unwrap_or(self.level);
                of(&self.of).zip(between(level, level)).map(|(r, level)| Interval { lo: r.lo.max(level.lo), hi: r.hi.max(level.hi) })
            }
        };
        vec![main, None, Some(SHARE), Some(SHARE)]
    }

    fn reach_parameter(&self) -> Option<&'static str> {
        None
    }

    fn lower(&self, name: &str, lowering: &mut ScheduleLowering<'_>) -> Result<Outputs, ScheduleError> {
        let height = lowering.plane(name, "of", &self.of)?;
        let level = if self.share.is_some() { self.measured.ok_or_else(|| unmeasured(name))? } else { self.level };
        Ok(single(lowering.run(Sea { height, level, per_width: 1.0 / self.width }).into()))
    }
}
