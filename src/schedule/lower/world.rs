//! Stages that know the whole world, as measured.

use crate::schedule::lower::{Lowering, Outputs, ScheduleError, single};
use crate::schedule::pass::{Ocean as Sea, Rank, Stretch, Tile};
use crate::stage::{Equalise, Frequency, Normalise, Ocean, StageError};
use std::sync::Arc;

fn unmeasured(name: &str) -> ScheduleError {
    StageError::parameter(name, "measured", "none", "what Engine::measure finds for the whole world").into()
}

impl Lowering<'_> {
    pub fn normalise(&mut self, name: &str, n: &Normalise) -> Result<Outputs, ScheduleError> {
        let value = self.plane(name, "of", &n.of)?;
        let [lo, hi] = n.measured.ok_or_else(|| unmeasured(name))?;
        // A hair too large, so that the largest value is held at its end and not rounded to something just below.
        let scale = if hi > lo { (n.high - n.low) / (hi - lo) * (1.0 + 2.384_185_791_015_625e-7) } else { 0.0 };
        let stretch = Stretch { value, from: lo, scale, to: n.low, low: n.low.min(n.high), high: n.low.max(n.high) };
        Ok(single([self.run(stretch).value]))
    }

    pub fn equalise(&mut self, name: &str, n: &Equalise) -> Result<Outputs, ScheduleError> {
        let value = self.plane(name, "of", &n.of)?;
        let last = n.measured.len().checked_sub(1).ok_or_else(|| unmeasured(name))? as f64;
        let ways = n.measured.windows(2).map(|pair| if pair[1] > pair[0] { 1.0 / (pair[1] - pair[0]) } else { 0.0 });
        let table = Arc::new(n.measured.iter().copied().chain(ways).collect());
        Ok(single([self.run(Rank { value, last, step: (n.high - n.low) / last, start: n.low, table }).value]))
    }

    pub fn ocean(&mut self, name: &str, n: &Ocean) -> Result<Outputs, ScheduleError> {
        let height = self.plane(name, "of", &n.of)?;
        let level = if n.share.is_some() { n.measured.ok_or_else(|| unmeasured(name))? } else { n.level };
        Ok(single(self.run(Sea { height, level, per_width: 1.0 / n.width }).into()))
    }

    /// A square that was computed before.
    pub fn frequency(&mut self, name: &str, n: &Frequency) -> Result<Outputs, ScheduleError> {
        let table = Arc::clone(self.prepared.tiles.get(name).ok_or_else(|| unmeasured(name))?);
        Ok(single([self.run(Tile { size: f64::from(n.size), table }).value]))
    }
}
