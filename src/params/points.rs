//! Points of curves: of splines, and of distributions.

use super::{Allowed, LARGEST, Param, Setting, Unset, outside, short};
use serde::{Deserialize, Serialize};

/// One control point of a spline: where, how high, and the slopes with which the curve arrives and leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ControlPoint {
    /// Input value at which this point stands.
    pub at: f64,
    /// Output value there.
    pub value: f64,
    /// Slope with which the curve arrives (output per input).
    #[serde(default)]
    pub slope_in: f64,
    /// Slope with which the curve leaves (output per input).
    #[serde(default)]
    pub slope_out: f64,
}

impl Param for Vec<ControlPoint> {
    fn refuse(&self, _: Allowed) -> Option<String> {
        if self.len() < 2 {
            return Some(format!("{} point(s)", self.len()));
        }
        for (i, p) in self.iter().enumerate() {
            for (name, x) in [("at", p.at), ("value", p.value), ("slope_in", p.slope_in), ("slope_out", p.slope_out)] {
                if let Some(text) = outside(x, -LARGEST, LARGEST) {
                    return Some(format!("{name} = {text} in point {i}"));
                }
            }
        }
        let pair = self.windows(2).position(|w| w[1].at <= w[0].at)?;
        Some(format!("at = {} after at = {} (points {} and {})", short(self[pair + 1].at), short(self[pair].at), pair, pair + 1))
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Points(x) = setting { Ok(x.clone()) } else { Err(Unset::Kind("a list of control points")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Points(self.clone()))
    }
}

/// One point of a distribution: how probable it is to stay at or below a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct QuantilePoint {
    /// From 0 to 1.
    pub probability: f64,
    /// The value.
    pub value: f64,
}

impl Param for Vec<QuantilePoint> {
    fn refuse(&self, _: Allowed) -> Option<String> {
        let (Some(first), Some(last)) = (self.first(), self.last()) else { return None };
        if let Some(i) = self.iter().position(|p| outside(p.probability, 0.0, 1.0).or(outside(p.value, -LARGEST, LARGEST)).is_some()) {
            return Some(format!("probability = {}, value = {} in point {i}", short(self[i].probability), short(self[i].value)));
        }
        if first.probability != 0.0 || last.probability != 1.0 {
            return Some(format!("probabilities {} to {}", short(first.probability), short(last.probability)));
        }
        let i = self.windows(2).position(|w| w[1].probability <= w[0].probability || w[1].value < w[0].value)?;
        let (p, q) = (self[i], self[i + 1]);
        let point = |p: QuantilePoint| format!("({}, {})", short(p.probability), short(p.value));
        Some(format!("{} after {} (points {i} and {})", point(q), point(p), i + 1))
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Quantiles(x) = setting { Ok(x.clone()) } else { Err(Unset::Kind("a list of points of a distribution")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Quantiles(self.clone()))
    }
}
