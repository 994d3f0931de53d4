//! A value for any parameter.

use super::{ColourStop, ControlPoint, QuantilePoint, RadialPoint};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A value for a parameter. Numbers, booleans, words, vectors, lists and points all convert into one. As text it is what a recipe
/// has for the parameter: a number, a word, a list. Only seeds differ: here every whole number is written as a number, whereas
/// recipes have large seeds as words of digits. Both are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Setting {
    /// A boolean.
    Flag(bool),
    /// A whole number, also accepted for a number.
    Integer(#[serde(with = "integer")] i128),
    /// A number.
    Number(f64),
    /// The word of a choice, or the name of a node for an input.
    Word(String),
    /// A vector, or a list of numbers.
    Numbers(Vec<f64>),
    /// A list of vectors.
    Vectors(Vec<[f64; 3]>),
    /// The control points of a spline.
    Points(Vec<ControlPoint>),
    /// The points of a distribution.
    Quantiles(Vec<QuantilePoint>),
    /// The stops of a colour ramp.
    Stops(Vec<ColourStop>),
    /// Amplitudes by frequency.
    Radial(Vec<RadialPoint>),
}

/// Whole numbers as text: the formats hold 64 bits.
mod integer {
    use serde::{Deserialize, Deserializer, Serializer, ser::Error};

    pub fn serialize<S: Serializer>(x: &i128, serializer: S) -> Result<S::Ok, S::Error> {
        match (i64::try_from(*x), u64::try_from(*x)) {
            (Ok(x), _) => serializer.serialize_i64(x),
            (Err(_), Ok(x)) => serializer.serialize_u64(x),
            (Err(_), Err(_)) => Err(S::Error::custom(format!("{x} has more than 64 bits"))),
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Whole {
        Signed(i64),
        Unsigned(u64),
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i128, D::Error> {
        Ok(match Whole::deserialize(deserializer)? {
            Whole::Signed(x) => i128::from(x),
            Whole::Unsigned(x) => i128::from(x),
        })
    }
}

macro_rules! settings {
    ($($type:ty => $variant:ident($convert:expr);)+) => {
        $(impl From<$type> for Setting {
            fn from(value: $type) -> Self {
                Setting::$variant($convert(value))
            }
        })+
    };
}

settings! {
    f64 => Number(f64::from);
    f32 => Number(f64::from);
    i8 => Integer(i128::from);
    i16 => Integer(i128::from);
    i32 => Integer(i128::from);
    i64 => Integer(i128::from);
    i128 => Integer(i128::from);
    isize => Integer(|x| x as i128);
    u8 => Integer(i128::from);
    u16 => Integer(i128::from);
    u32 => Integer(i128::from);
    u64 => Integer(i128::from);
    usize => Integer(|x| x as i128);
    bool => Flag(bool::from);
    &str => Word(str::to_owned);
    String => Word(String::from);
    [f64; 2] => Numbers(Vec::from);
    [f64; 3] => Numbers(Vec::from);
    [f32; 2] => Numbers(|x: [f32; 2]| x.map(f64::from).to_vec());
    [f32; 3] => Numbers(|x: [f32; 3]| x.map(f64::from).to_vec());
    &[f64] => Numbers(<[f64]>::to_vec);
    Vec<f64> => Numbers(Vec::from);
    Vec<[f64; 3]> => Vectors(Vec::from);
    Vec<ControlPoint> => Points(Vec::from);
    Vec<QuantilePoint> => Quantiles(Vec::from);
    Vec<ColourStop> => Stops(Vec::from);
    Vec<RadialPoint> => Radial(Vec::from);
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Flag(x) => write!(f, "{x}"),
            Setting::Integer(x) => write!(f, "{x}"),
            Setting::Number(x) => write!(f, "{x:?}"),
            Setting::Word(x) => write!(f, "\"{x}\""),
            Setting::Numbers(x) => write!(f, "{} number(s)", x.len()),
            Setting::Vectors(x) => write!(f, "{} vector(s)", x.len()),
            Setting::Points(x) => write!(f, "{} control point(s)", x.len()),
            Setting::Quantiles(x) => write!(f, "{} point(s) of a distribution", x.len()),
            Setting::Stops(x) => write!(f, "{} colour stop(s)", x.len()),
            Setting::Radial(x) => write!(f, "{} amplitude(s) by frequency", x.len()),
        }
    }
}

impl Setting {
    pub(super) fn len(&self) -> usize {
        match self {
            Setting::Flag(_) | Setting::Integer(_) | Setting::Number(_) | Setting::Word(_) => 1,
            Setting::Numbers(x) => x.len(),
            Setting::Vectors(x) => x.len(),
            Setting::Points(x) => x.len(),
            Setting::Quantiles(x) => x.len(),
            Setting::Stops(x) => x.len(),
            Setting::Radial(x) => x.len(),
        }
    }

    /// Whether it is an empty list, which has no element type when read from text.
    pub(super) fn is_empty_list(&self) -> bool {
        *self == Setting::Numbers(Vec::new())
    }
}
