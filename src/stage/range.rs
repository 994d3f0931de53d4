//! What values can come out, where that can be said beforehand.

use crate::graph::Interval;
use crate::params::Input;
use crate::stage::{Adjacent, AdjacentFilter, AngleUnit, CombineBy, Pipeline, Slope, Stage, stem};

/// No field is wider.
const DEEPEST: usize = 4096;

impl Pipeline {
    /// Bounds that a layer's values cannot leave, up to rounding; `None` where none are known beforehand: of erosion, slopes,
    /// curvatures, syntheses.
    pub fn range(&self, layer: &str) -> Option<Interval> {
        self.range_within(layer, 0)
    }

    fn range_within(&self, name: &str, depth: usize) -> Option<Interval> {
        if depth > DEEPEST {
            return None;
        }
        if self.node.contains_key(name) {
            return self.noise(name).range().ok();
        }
        let stage = self.stage.get(stem(name))?;
        let output = name.split_once('.').map_or("", |(_, output)| output);
        let of = |input: &Input| match input {
            Input::Node(name) => self.range_within(name, depth + 1),
            Input::Value(x) => Some(Interval { lo: *x, hi: *x }),
            Input::Missing => None,
        };
        let between = |a: f64, b: f64| Some(Interval { lo: a.min(b), hi: a.max(b) });
        match (stage, output) {
            (Stage::Normalise(n), _) => between(n.low, n.high),
            (Stage::Equalise(n), _) => between(n.low, n.high),
            (Stage::Ocean(_), "mask" | "shore") | (Stage::Dropoff(_), "mask") => between(0.0, 1.0),
            (Stage::Mask(_) | Stage::Hillshade(_) | Stage::Occlusion(_), _) => between(0.0, 1.0),
            (Stage::Slope(Slope { unit: AngleUnit::Degrees, .. }), _) => between(0.0, 90.0),
            (Stage::Gully(_), "ridge") | (Stage::Normal(_), _) => between(-1.0, 1.0),
            (Stage::DiamondSquare(_) | Stage::Midpoint(_) | Stage::Voss(_), _) => between(-1.0, 1.0),
            (Stage::Ocean(n), "") if n.share.is_none() => of(&n.of).map(|r| Interval { lo: r.lo.max(n.level), hi: r.hi.max(n.level) }),
            (Stage::Ocean(n), "") => of(&n.of),
            (Stage::Dropoff(n), "") => of(&n.of).map(|r| Interval { lo: r.lo.min(n.floor), hi: r.hi.max(n.floor) }),
            (Stage::Gaussian(n), _) => of(&n.of),
            (Stage::Median(n), _) => of(&n.of),
            (Stage::Thermal(n), _) => of(&n.of),
            (Stage::AdjacentFilter(AdjacentFilter { of: input, filter: Adjacent::Difference, times, .. }), _) => {
                // Half the difference of numbers a width apart; from then on around 0.
                let half = of(input).map(|r| 0.5 * (r.hi - r.lo));
                half.filter(|_| *times > 0).and_then(|half| between(-half, half))
            }
            (Stage::AdjacentFilter(n), _) => of(&n.of),
            (Stage::Combine(n), _) => {
                let (a, b) = (of(&n.a)?, of(&n.b)?);
                match n.by {
                    CombineBy::Add => Some(Interval { lo: a.lo + b.lo, hi: a.hi + b.hi }),
                    CombineBy::Subtract => Some(Interval { lo: a.lo - b.hi, hi: a.hi - b.lo }),
                    CombineBy::Multiply => {
                        let all = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
                        between(all.into_iter().fold(f64::MAX, f64::min), all.into_iter().fold(f64::MIN, f64::max))
                    }
                    CombineBy::Minimum => Some(Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }),
                    CombineBy::Maximum => Some(Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }),
                    CombineBy::Blend => Some(Interval { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }),
                }
            }
            _ => None,
        }
    }
}
