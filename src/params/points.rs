//! Points of curves: of splines, distributions, colour ramps and spectra.

use super::{Allowed, LARGEST, Param, ParamType, Setting, outside, short};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A control point of a spline: position, value, and the slopes of the curve before and after it. Recipes also accept `[at,
/// value]`, with slopes of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = or_pair, rename = "ControlPoint"))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ControlPoint {
    /// Input value of this point.
    pub at: f64,
    /// Output value of this point.
    pub value: f64,
    /// Slope of the curve before this point (output per input).
    #[serde(default)]
    pub slope_in: f64,
    /// Slope of the curve after this point (output per input).
    #[serde(default)]
    pub slope_out: f64,
}

/// A point of a distribution: the probability of a value at or below this one. Recipes also accept `[probability, value]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = or_pair, rename = "QuantilePoint"))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct QuantilePoint {
    /// The probability, from 0 to 1.
    pub probability: f64,
    /// The value.
    pub value: f64,
}

/// A colour and the value at which it applies. Recipes also accept `[at, colour]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = or_pair, rename = "ColourStop"))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ColourStop {
    /// The value.
    pub at: f64,
    /// sRGB as `#RRGGBB`, or `#RRGGBBAA` with opacity.
    pub colour: String,
}

impl ColourStop {
    /// The colour `#RRGGBB` or `#RRGGBBAA` at a value.
    pub fn new(at: f64, colour: impl Into<String>) -> Self {
        ColourStop { at, colour: colour.into() }
    }

    /// Red, green, blue and opacity from 0 to 1, in sRGB.
    pub(crate) fn srgb(&self) -> Option<[f64; 4]> {
        let digits = self.colour.strip_prefix('#').filter(|d| matches!(d.len(), 6 | 8) && d.bytes().all(|c| c.is_ascii_hexdigit()))?;
        let channel = |i: usize| digits.get(2 * i..2 * i + 2).and_then(|d| u8::from_str_radix(d, 16).ok());
        Some([0, 1, 2, 3].map(|i| f64::from(channel(i).unwrap_or(255)) / 255.0))
    }
}

/// An amplitude and the frequency at which it applies. Recipes also accept `[frequency, amplitude]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = or_pair, rename = "RadialPoint"))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RadialPoint {
    /// The frequency, in cycles per sample.
    pub frequency: f64,
    /// The amplitude.
    pub amplitude: f64,
}

/// Reads a point as a table of its fields, or as the pair of its first two: `{ at = 0.0, value = 1.0 }` or `[0.0, 1.0]`. A list
/// of another length is refused, because the meaning of a third number differs between programs.
macro_rules! pairs {
    ($($point:ident { $first:ident, $second:ident $(, $rest:ident)* })+) => { $(
        impl Serialize for $point {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                // The derived function, which does not belong to a trait.
                $point::serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $point {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Written;
                impl<'de> Visitor<'de> for Written {
                    type Value = $point;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("a table, or [", stringify!($first), ", ", stringify!($second), "]"))
                    }
                    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<$point, A::Error> {
                        $point::deserialize(MapAccessDeserializer::new(fields))
                    }
                    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<$point, A::Error> {
                        match (list.next_element()?, list.next_element()?, list.next_element::<IgnoredAny>()?) {
                            (Some($first), Some($second), None) => Ok($point { $first, $second $(, $rest: Default::default())* }),
                            _ => Err(A::Error::custom("a point as a list has two values")),
                        }
                    }
                }
                deserializer.deserialize_any(Written)
            }
        }
    )+ };
}

pairs! {
    ControlPoint { at, value, slope_in, slope_out }
    QuantilePoint { probability, value }
    ColourStop { at, colour }
    RadialPoint { frequency, amplitude }
}

/// Adds the pair of the first two fields to the schema of a table of fields.
#[cfg(feature = "schema")]
fn or_pair(schema: &mut schemars::Schema) {
    let table = schema.clone();
    let types = |name: &str| table.pointer(&format!("/properties/{name}/type")).cloned().unwrap_or_else(|| "number".into());
    let second = if table.pointer("/properties/colour").is_some() { types("colour") } else { types("value") };
    let pair =
        serde_json::json!({ "type": "array", "prefixItems": [{ "type": "number" }, { "type": second }], "minItems": 2, "maxItems": 2 });
    *schema = schemars::json_schema!({ "description": table.get("description"), "anyOf": [table, pair] });
}

/// Makes a list of points a parameter: its type, its setting, and the check of such a list.
macro_rules! points {
    ($point:ty, $type:ident, $setting:ident, $refuse:ident) => {
        impl Param for Vec<$point> {
            const TYPE: ParamType = ParamType::$type;

            fn refuse(&self, allowed: Allowed) -> Option<String> {
                $refuse(self, allowed)
            }
            fn of_setting(setting: &Setting) -> Option<Self> {
                match setting {
                    Setting::$setting(points) => Some(points.clone()),
                    setting => setting.is_empty_list().then(Vec::new),
                }
            }
            fn setting(&self) -> Option<Setting> {
                Some(Setting::$setting(self.clone()))
            }
        }
    };
}

points!(ControlPoint, ControlPoints, Points, control_points);
points!(QuantilePoint, QuantilePoints, Quantiles, quantiles);
points!(ColourStop, ColourStops, Stops, stops);
points!(RadialPoint, RadialPoints, Radial, radial);

/// The points of a spline, or those of a table, which contains the points of several splines in sequence.
fn control_points(points: &[ControlPoint], allowed: Allowed) -> Option<String> {
    if points.len() == 1 && allowed == Allowed::Increasing {
        return Some("1 point(s)".to_owned());
    }
    for (i, p) in points.iter().enumerate() {
        for (name, x) in [("at", p.at), ("value", p.value), ("slope_in", p.slope_in), ("slope_out", p.slope_out)] {
            if let Some(text) = outside(x, -LARGEST, LARGEST) {
                return Some(format!("{name} = {text} in point {i}"));
            }
        }
    }
    let pair = points.windows(2).position(|w| w[1].at <= w[0].at).filter(|_| allowed == Allowed::Increasing)?;
    Some(format!("at = {} after at = {} (points {} and {})", short(points[pair + 1].at), short(points[pair].at), pair, pair + 1))
}

fn quantiles(points: &[QuantilePoint], _: Allowed) -> Option<String> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return None };
    let wrong = |p: &QuantilePoint| outside(p.probability, 0.0, 1.0).or(outside(p.value, -LARGEST, LARGEST)).is_some();
    if let Some(i) = points.iter().position(wrong) {
        return Some(format!("probability = {}, value = {} in point {i}", short(points[i].probability), short(points[i].value)));
    }
    if first.probability != 0.0 || last.probability != 1.0 {
        return Some(format!("probabilities {} to {}", short(first.probability), short(last.probability)));
    }
    let i = points.windows(2).position(|w| w[1].probability <= w[0].probability || w[1].value < w[0].value)?;
    let (p, q) = (points[i], points[i + 1]);
    let point = |p: QuantilePoint| format!("({}, {})", short(p.probability), short(p.value));
    Some(format!("{} after {} (points {i} and {})", point(q), point(p), i + 1))
}

/// Maximum number of stops of a colour ramp.
const MOST_STOPS: usize = 256;

fn stops(stops: &[ColourStop], _: Allowed) -> Option<String> {
    if stops.len() > MOST_STOPS {
        return Some(format!("{} stops", stops.len()));
    }
    if let Some((i, stop)) = stops.iter().enumerate().find(|(_, stop)| stop.srgb().is_none()) {
        return Some(format!("colour \"{}\" in stop {i}", stop.colour));
    }
    if let Some((i, text)) = stops.iter().enumerate().find_map(|(i, stop)| outside(stop.at, -LARGEST, LARGEST).map(|text| (i, text))) {
        return Some(format!("at = {text} in stop {i}"));
    }
    let i = stops.windows(2).position(|pair| pair[1].at < pair[0].at)?;
    Some(format!("at = {} after at = {} (stops {i} and {})", short(stops[i + 1].at), short(stops[i].at), i + 1))
}

fn radial(points: &[RadialPoint], _: Allowed) -> Option<String> {
    let wrong = |p: &RadialPoint| outside(p.frequency, 0.0, 1.0).is_some() || outside(p.amplitude, -LARGEST, LARGEST).is_some();
    if let Some(i) = points.iter().position(wrong) {
        return Some(format!("frequency = {}, amplitude = {} in point {i}", short(points[i].frequency), short(points[i].amplitude)));
    }
    let i = points.windows(2).position(|pair| pair[1].frequency <= pair[0].frequency)?;
    Some(format!("frequency {} after {} (points {i} and {})", short(points[i + 1].frequency), short(points[i].frequency), i + 1))
}

impl ControlPoint {
    /// The middle anchor of the quadratic Bézier from here to `next`: the mean of the two tangents' ends.
    pub(crate) fn anchor(self, next: ControlPoint) -> f64 {
        let width = next.at - self.at;
        ((self.value + self.slope_out * width) + (next.value - next.slope_in * width)) * 0.5
    }
}
