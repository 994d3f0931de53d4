//! What a parameter may be: one trait for every type a node row can name, one enum for the ranges it can state.

use super::live::{Setting, Unset};
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The largest magnitude a plain number in a recipe may have: beyond it f32 arithmetic would overflow to infinity.
pub const LARGEST: f64 = 1e15;

/// The values a parameter may take; printed in error messages and written into the JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// Whatever its type can hold (booleans, choices, axes).
    Any,
    /// A finite number with `lo <= x <= hi`.
    Between(f64, f64),
    /// A whole number of dimensions, `lo` to `hi`: it shapes the kernel.
    Dimensions(f64, f64),
    /// A list of one to so many finite numbers with `lo <= x <= hi`, whose length shapes the kernel.
    Terms(usize, f64, f64),
    /// A list whose items are finite with `lo <= x <= hi` in every component.
    Each(f64, f64),
    /// A list of one to so many finite numbers with `lo <= x <= hi`.
    List(usize, f64, f64),
    /// At least two control points whose `at` strictly increases.
    Increasing,
    /// Nothing, or two and more finite numbers that never decrease, the last above the first.
    Ascending,
    /// Nothing, or two and more quantiles: probabilities that strictly increase from 0 to 1, values that never decrease.
    Quantiles,
    /// What these words say.
    Told(&'static str),
}

/// Any finite number a recipe may hold.
pub const FINITE: Allowed = Allowed::Between(-LARGEST, LARGEST);

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::Any => write!(f, "any value of its type"),
            Allowed::Told(words) => write!(f, "{words}"),
            Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi) => write!(f, "{} to {}", short(*lo), short(*hi)),
            Allowed::Each(lo, hi) => write!(f, "every number {} to {}", short(*lo), short(*hi)),
            Allowed::List(most, lo, hi) | Allowed::Terms(most, lo, hi) => {
                write!(f, "a list of 1 to {most} numbers, each {} to {}", short(*lo), short(*hi))
            }
            Allowed::Increasing => write!(f, "at least two points, `at` strictly increasing, every number finite and at most 1e15"),
            Allowed::Ascending => {
                write!(f, "none, or 2 to 65536 numbers that do not decrease, the last above the first, of magnitude at most 1e15")
            }
            Allowed::Quantiles => {
                write!(
                    f,
                    "none, or two and more points: `probability` strictly increasing from 0 to 1, `value` not decreasing, at most 1e15"
                )
            }
        }
    }
}

/// A number as a person would write it: `0.001`, `300`, `1e15`.
pub(crate) fn short(x: f64) -> String {
    let plain = format!("{x}");
    if plain.len() <= 12 { plain } else { format!("{x:e}") }
}

/// A type that can stand in a node row.
pub(crate) trait Param: Serialize + DeserializeOwned {
    /// `None` when the value is allowed, else the offending value as text.
    fn refuse(&self, allowed: Allowed) -> Option<String>;
    /// The value that a setting stands for; `current` is what the parameter holds.
    fn of_setting(current: Option<&Self>, setting: &Setting) -> Result<Self, Unset>;
    /// The setting that stands for this value; `None` where it is not given or not live.
    fn setting(&self) -> Option<Setting>;
    /// The inputs this parameter holds.
    fn inputs(&self) -> Vec<&Input> {
        Vec::new()
    }
    /// The inputs this parameter holds, to be rewired.
    fn inputs_mut(&mut self) -> Vec<&mut Input> {
        Vec::new()
    }
}

pub(crate) fn outside(x: f64, lo: f64, hi: f64) -> Option<String> {
    // Written so that NaN, which compares false with everything, is refused.
    if x >= lo && x <= hi { None } else { Some(short(x)) }
}

fn numbers(values: &[f64], allowed: Allowed) -> Option<String> {
    let (Allowed::Between(lo, hi)
    | Allowed::Dimensions(lo, hi)
    | Allowed::Each(lo, hi)
    | Allowed::List(_, lo, hi)
    | Allowed::Terms(_, lo, hi)) = allowed
    else {
        return None;
    };
    values.iter().find_map(|&x| outside(x, lo, hi))
}

impl Param for f64 {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(&[*self], allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        match setting {
            Setting::Number(x) => Ok(*x),
            Setting::Integer(x) => Ok(*x as f64),
            _ => Err(Unset::Kind("a number")),
        }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Number(*self))
    }
}

/// A whole number as the type that holds it.
fn whole<T: TryFrom<i64>>(setting: &Setting) -> Result<T, Unset> {
    let Setting::Integer(x) = setting else { return Err(Unset::Kind("a whole number")) };
    T::try_from(*x).map_err(|_| Unset::Kind("a whole number that is not negative and not too large"))
}

impl Param for u32 {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(&[f64::from(*self)], allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        whole(setting)
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Integer(i64::from(*self)))
    }
}

impl Param for u64 {
    fn refuse(&self, _: Allowed) -> Option<String> {
        // TOML integers are 64-bit signed: a larger seed could not be saved.
        (i64::try_from(*self).is_err()).then(|| self.to_string())
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        whole(setting)
    }
    fn setting(&self) -> Option<Setting> {
        i64::try_from(*self).ok().map(Setting::Integer)
    }
}

impl Param for bool {
    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Flag(x) = setting { Ok(*x) } else { Err(Unset::Kind("true or false")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Flag(*self))
    }
}

impl Param for [f64; 3] {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self, allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        let Setting::Numbers(x) = setting else { return Err(Unset::Kind("3 numbers")) };
        <[f64; 3]>::try_from(&x[..]).map_err(|_| Unset::Kind("3 numbers"))
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.to_vec()))
    }
}

impl Param for [f64; 2] {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self, allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        let Setting::Numbers(x) = setting else { return Err(Unset::Kind("2 numbers")) };
        <[f64; 2]>::try_from(&x[..]).map_err(|_| Unset::Kind("2 numbers"))
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.to_vec()))
    }
}

impl Param for Vec<f64> {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        if allowed != Allowed::Ascending {
            let most = if let Allowed::List(most, ..) | Allowed::Terms(most, ..) = allowed { most } else { usize::MAX };
            return if self.is_empty() || self.len() > most { Some(format!("{} number(s)", self.len())) } else { numbers(self, allowed) };
        }
        let (Some(first), Some(last)) = (self.first(), self.last()) else { return None };
        if let Some(text) = numbers(self, FINITE) {
            return Some(text);
        }
        if let Some(i) = self.windows(2).position(|w| w[1] < w[0]) {
            return Some(format!("{} after {} (numbers {i} and {})", short(self[i + 1]), short(self[i]), i + 1));
        }
        let enough = self.len() >= 2 && self.len() <= 65_536 && last > first;
        (!enough).then(|| format!("{} number(s) from {} to {}", self.len(), short(*first), short(*last)))
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Numbers(x) = setting { Ok(x.clone()) } else { Err(Unset::Kind("a list of numbers")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.clone()))
    }
}

impl Param for Vec<[f64; 3]> {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self.as_flattened(), allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Vectors(x) = setting { Ok(x.clone()) } else { Err(Unset::Kind("a list of vectors of 3 numbers")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Vectors(self.clone()))
    }
}

impl<T: Param> Param for Option<T> {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        self.as_ref().and_then(|value| value.refuse(allowed))
    }
    fn of_setting(current: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        T::of_setting(current.and_then(Option::as_ref), setting).map(Some)
    }
    fn setting(&self) -> Option<Setting> {
        self.as_ref().and_then(Param::setting)
    }
}

/// A node's input: the name of another node, or a plain number that stands for a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Input {
    /// Not given. The builder fills it in; in a recipe it is an error.
    #[default]
    Missing,
    /// The value of the node with this name.
    Node(String),
    /// The same number everywhere, with gradient 0.
    Value(f64),
}

impl From<f64> for Input {
    fn from(value: f64) -> Self {
        Input::Value(value)
    }
}

impl Param for Input {
    fn refuse(&self, _: Allowed) -> Option<String> {
        match self {
            Input::Value(x) => outside(*x, -LARGEST, LARGEST),
            Input::Missing | Input::Node(_) => None,
        }
    }
    fn inputs(&self) -> Vec<&Input> {
        vec![self]
    }
    fn inputs_mut(&mut self) -> Vec<&mut Input> {
        vec![self]
    }
    /// A plain number may become another one; to become a node, or a node a number, is to change the shape.
    fn of_setting(current: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        match current {
            Some(Input::Value(x)) => f64::of_setting(Some(x), setting).map(Input::Value),
            Some(Input::Node(_) | Input::Missing) | None => Err(Unset::Shape),
        }
    }
    fn setting(&self) -> Option<Setting> {
        if let Input::Value(x) = self { Some(Setting::Number(*x)) } else { None }
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Input::Missing => serializer.serialize_none(),
            Input::Node(name) => serializer.serialize_str(name),
            Input::Value(x) => serializer.serialize_f64(*x),
        }
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Input;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the name of a node, or a number")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Input, E> {
                Ok(Input::Node(name.to_owned()))
            }
            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Input, E> {
                Ok(Input::Value(x))
            }
            // Recipes write `0` for `0.0`; f64 holds every integer a person types.
            fn visit_i64<E: de::Error>(self, x: i64) -> Result<Input, E> {
                Ok(Input::Value(x as f64))
            }
            fn visit_u64<E: de::Error>(self, x: u64) -> Result<Input, E> {
                Ok(Input::Value(x as f64))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(feature = "cli")]
impl schemars::JsonSchema for Input {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Input".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The name of another node, or a number that stands for a constant.",
            "type": ["string", "number"]
        })
    }
}

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

/// A parameter that is one of a few words.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$word_doc])* $word),+ }

        impl $crate::graph::rows_prelude::Param for $name {
            fn refuse(&self, _: $crate::graph::rows_prelude::Allowed) -> Option<String> {
                None
            }
            fn of_setting(_: Option<&Self>, _: &$crate::graph::rows_prelude::Setting) -> Result<Self, $crate::graph::rows_prelude::Unset> {
                Err($crate::graph::rows_prelude::Unset::Shape)
            }
            fn setting(&self) -> Option<$crate::graph::rows_prelude::Setting> {
                None
            }
        }
    };
}

choice! {
    /// How a lattice basis turns a cell into a gradient.
    Hash {
        /// A 32-bit integer hash of cell and seed: no repetition short of 2³² cells.
        #[default]
        Integer,
        /// The permutation polynomial `(34x + 1)x mod 289` of McEwan and Gustavson: repeats every 289 cells, has no seed.
        Permutation289,
    }
}

choice! {
    /// How white noise turns a cell into a number.
    WhiteHash {
        /// A 32-bit integer hash of cell and seed.
        #[default]
        Integer,
        /// The fraction of a large multiple of a sine.
        Sine,
    }
}

choice! {
    /// How hexagonal noise turns a hexagon into a gradient.
    HexHash {
        /// A 32-bit integer hash of hexagon and seed.
        #[default]
        Integer,
        /// A permutation and a table of gradients.
        Tables,
    }
}

choice! {
    /// How lattice noises go from one lattice point to the next.
    Interpolation {
        /// Not at all: every cell has the value of its lower corner.
        Truncated,
        /// Straight lines; the grid shows.
        Linear,
        /// `3t² − 2t³` (Perlin 1985): smooth slopes.
        Cubic,
        /// `6t⁵ − 15t⁴ + 10t³` (Perlin 2002): smooth curvature.
        #[default]
        Quintic,
        /// `(1 − cos πt) / 2`.
        Cosine,
    }
}

choice! {
    /// How a Worley noise measures distances.
    Metric {
        /// `√(x² + y² + z²)`.
        #[default]
        Euclidean,
        /// `x² + y² + z²`.
        Squared,
        /// `|x| + |y| + |z|`.
        Manhattan,
        /// `max(|x|, |y|, |z|)`.
        Chebyshev,
    }
}

choice! {
    /// What a Worley noise computes.
    WorleyOutput {
        /// Distances to the nearest points, weighted.
        #[default]
        Distance,
        /// A number in [−1, 1] that is the same wherever the same point is the nearest, with gradient 0.
        Cell,
        /// The distance to the nearest border of that region, its Voronoi cell.
        Edge,
    }
}

choice! {
    /// How a fractal adds its octaves up.
    Accumulate {
        /// `Σ gainᵏ·vₖ`, divided by `Σ gainᵏ` when normalised: fractional Brownian motion.
        #[default]
        Sum,
        /// `h ← lerp(h, (vₖ + 1)/2, gainᵏ)`, as in the terrain shader's `GetRawNoise`.
        Lerp,
        /// Like `sum`, but an octave counts less where the one before is low.
        Weighted,
        /// `2·|v| − 1`: rounded hills between creases.
        Billow,
        /// Musgrave's ridged multifractal: `(level − |v|)²`, let through where the octave before is high.
        Ridged,
        /// Values folded back and forth: bands.
        Pingpong,
        /// Musgrave's multifractal: the product of `v·gainᵏ + level`.
        Multifractal,
        /// Musgrave's hybrid multifractal: valleys stay smooth.
        Hybrid,
        /// Musgrave's heterogeneous terrain: what is high is rough.
        Heterogeneous,
    }
}

choice! {
    /// How hill noise spreads its values.
    Uniform {
        /// Evenly, by the exact distribution of its sum of sines.
        #[default]
        Exact,
        /// Nearly evenly, by the article's approximation of a normal distribution.
        Normal,
        /// Not at all: the sum over the sum of sizes.
        None,
    }
}

choice! {
    /// A distribution to sample by its quantiles.
    Distribution {
        /// `location + scale · Φ⁻¹(p)`.
        #[default]
        Normal,
        /// `location + scale · (−ln(1 − p))^(1/shape)`.
        Weibull,
        /// `location − scale · ln(1 − p)`.
        Exponential,
        /// The points of `table`, joined by lines.
        Table,
    }
}

choice! {
    /// Where a polar domain is sampled.
    PolarForm {
        /// On a circle around the centre: the same value along every ray, no seam.
        #[default]
        Circle,
        /// At (angle · size, distance): straight lines become spokes, with a seam to the left unless `of` repeats after `size`.
        Strip,
    }
}

choice! {
    /// A world axis.
    Axis {
        /// East.
        #[default]
        X,
        /// Down the rows.
        Y,
        /// Up.
        Z,
    }
}

pub(crate) use choice;
