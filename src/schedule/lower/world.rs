//! Stages that know the whole world, as measured.

use crate::schedule::lower::{Lowering, Outputs, ScheduleError, single};
use crate::schedule::pass::{Ocean as Sea, Rank, Stretch, Tile};
use crate::stage::{Equalise, Frequency, Normalise, Ocean, StageError};
use std::sync::Arc;

fn unmeasured(name: &str) -> ScheduleError {
    StageError::parameter(name, "measured", "none", "what Engine::measure finds for the whole world").into()
}

/// Parts of a guide.
const PARTS: usize = 8192;

/// Where to begin to look for a value among quantiles, by the part of the way from the first to the last in which it lies.
struct Guide {
    first: f64,
    per_part: f64,
    steps: f64,
    parts: Vec<f64>,
}

impl Guide {
    /// Part k has the last quantile at or below the start of part k − 1: rounding may put a value into a neighbouring part, and the search only goes
    /// upwards.
    fn new(quantiles: &[f64]) -> Self {
        let (first, end) = (quantiles[0], quantiles[quantiles.len() - 1]);
        let none = Guide { first, per_part: 0.0, steps: f64::from(u16::MAX), parts: vec![0.0; PARTS] };
        let part = (end - first) / PARTS as f64;
        // Numbers of 32 bits tell parts from each other.
        if part.is_nan() || part <= first.abs().max(end.abs()) / 1_048_576.0 || part < 1e-30 {
            return none;
        }
        // What a value reaches at the beginning of each part, one before the first and two after the last.
        let (mut rank, last) = (0, quantiles.len().saturating_sub(2));
        let reached: Vec<usize> = (0..PARTS + 3)
            .map(|k| {
                let beginning = first + (k as f64 - 1.0) * part;
                while rank < last && quantiles[rank + 1] <= beginning {
                    rank += 1;
                }
                // Beyond the last quantile is all that is larger.
                if k < PARTS + 1 { rank } else { last }
            })
            .collect();
        let steps = reached.windows(4).map(|near| near[3] - near[0]).max().unwrap_or(0);
        Guide { first, per_part: 1.0 / part, steps: steps as f64, parts: reached[..PARTS].iter().map(|&rank| rank as f64).collect() }
    }
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
        let Guide { first, per_part, steps, parts } = Guide::new(&n.measured);
        let last_part = (parts.len() - 1) as f64;
        let table = Arc::new(n.measured.iter().copied().chain(ways).chain(parts).collect());
        Ok(single([self
            .run(Rank { value, last, step: (n.high - n.low) / last, start: n.low, first, per_part, last_part, steps, table })
            .value]))
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
