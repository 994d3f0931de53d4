//! Changing a parameter by its name, typed and checked.

use super::{Allowed, ControlPoint, Param, ParamInfo, QuantilePoint, Refusal};
use std::fmt;

/// A value for a parameter. Numbers, booleans, vectors, lists and control points all convert into one.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// A whole number; it will do wherever a number does.
    Integer(i64),
    /// Yes or no.
    Flag(bool),
    /// A vector, or a list of numbers.
    Numbers(Vec<f64>),
    /// A list of vectors.
    Vectors(Vec<[f64; 3]>),
    /// The control points of a spline.
    Points(Vec<ControlPoint>),
    /// The points of a distribution.
    Quantiles(Vec<QuantilePoint>),
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
    i32 => Integer(i64::from);
    u32 => Integer(i64::from);
    i64 => Integer(i64::from);
    bool => Flag(bool::from);
    [f64; 3] => Numbers(Vec::from);
    Vec<f64> => Numbers(Vec::from);
    Vec<[f64; 3]> => Vectors(Vec::from);
    Vec<ControlPoint> => Points(Vec::from);
    Vec<QuantilePoint> => Quantiles(Vec::from);
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Number(x) => write!(f, "{x:?}"),
            Setting::Integer(x) => write!(f, "{x}"),
            Setting::Flag(x) => write!(f, "{x}"),
            Setting::Numbers(x) => write!(f, "{} number(s)", x.len()),
            Setting::Vectors(x) => write!(f, "{} vector(s)", x.len()),
            Setting::Points(x) => write!(f, "{} control point(s)", x.len()),
            Setting::Quantiles(x) => write!(f, "{} point(s) of a distribution", x.len()),
        }
    }
}

/// Why a parameter was not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetError {
    /// No node of that name.
    #[error("'{path}' names no node; allowed: NODE.PARAMETER, with one of the nodes {known}")]
    Node {
        /// What was given.
        path: String,
        /// The nodes there are.
        known: String,
    },
    /// No parameter of that name.
    #[error("node '{node}' has no parameter '{param}'; allowed: {known}")]
    Parameter {
        /// The node.
        node: String,
        /// What was given.
        param: String,
        /// The parameters it has.
        known: String,
    },
    /// A value of another type.
    #[error("node '{node}': {param} = {value} is not allowed; allowed: {expected}")]
    Kind {
        /// The node.
        node: String,
        /// The parameter.
        param: String,
        /// What was given.
        value: Setting,
        /// What it takes.
        expected: &'static str,
    },
    /// A value out of range.
    #[error("node '{node}': {param} = {value} is not allowed; allowed: {allowed}")]
    Value {
        /// The node.
        node: String,
        /// The parameter.
        param: String,
        /// What of it is out of range.
        value: String,
        /// The range.
        allowed: String,
    },
    /// A parameter that shapes the kernel.
    #[error("node '{node}': {param} shapes the kernel and is not live: build another noise")]
    Shape {
        /// The node.
        node: String,
        /// The parameter.
        param: String,
    },
}

/// What a parameter says to a setting.
pub(crate) enum Unset {
    /// It takes something else.
    Kind(&'static str),
    /// It is none of those that are live.
    Shape,
    /// Not this one.
    Value(Refusal),
    /// There is no such parameter.
    Unknown,
}

/// Gives a parameter another value, if that is one for it.
pub(crate) fn assign<T: Param>(slot: &mut T, param: &'static str, setting: &Setting, allowed: Allowed) -> Result<(), Unset> {
    let new = T::of_setting(Some(slot), setting)?;
    if let Some(value) = new.refuse(allowed) {
        return Err(Unset::Value(Refusal { param, value, allowed }));
    }
    let shapes = match allowed {
        Allowed::Dimensions(..) => true,
        Allowed::Terms(..) => new.setting().map(|s| s.len()) != slot.setting().map(|s| s.len()),
        _ => false,
    };
    if shapes {
        return Err(Unset::Shape);
    }
    *slot = new;
    Ok(())
}

impl Setting {
    fn len(&self) -> usize {
        match self {
            Setting::Number(_) | Setting::Integer(_) | Setting::Flag(_) => 1,
            Setting::Numbers(x) => x.len(),
            Setting::Vectors(x) => x.len(),
            Setting::Points(x) => x.len(),
            Setting::Quantiles(x) => x.len(),
        }
    }
}

pub(crate) fn unknown_parameter(node: &str, param: &str, params: &[ParamInfo]) -> SetError {
    let known = params.iter().map(|param| param.name).collect::<Vec<_>>().join(", ");
    SetError::Parameter { node: node.to_owned(), param: param.to_owned(), known }
}

impl Unset {
    /// The error, of a node or stage that has these parameters.
    pub(crate) fn named(self, node: &str, param: &str, value: Setting, params: &[ParamInfo]) -> SetError {
        let (node, param) = (node.to_owned(), param.to_owned());
        match self {
            Unset::Kind(expected) => SetError::Kind { node, param, value, expected },
            Unset::Shape => SetError::Shape { node, param },
            Unset::Value(Refusal { value, allowed, .. }) => SetError::Value { node, param, value, allowed: allowed.to_string() },
            Unset::Unknown => unknown_parameter(&node, &param, params),
        }
    }
}
