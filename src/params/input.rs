//! Inputs of nodes.

use super::{Allowed, FINITE, LARGEST, Param, ParamType, Setting, outside};
use serde::de;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// An input: the name of a node or of a stage, or a number as a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Input {
    /// Not set. The builder fills it in; in a recipe it is an error.
    #[default]
    Missing,
    /// The value of the node with this name.
    Node(String),
    /// A constant, with gradient 0.
    Value(f64),
}

impl From<f64> for Input {
    fn from(value: f64) -> Self {
        Input::Value(value)
    }
}

impl From<&str> for Input {
    fn from(name: &str) -> Self {
        Input::Node(name.to_owned())
    }
}

impl From<String> for Input {
    fn from(name: String) -> Self {
        Input::Node(name)
    }
}

impl Param for Input {
    const TYPE: ParamType = ParamType::Input;

    fn refuse(&self, _: Allowed) -> Option<String> {
        match self {
            Input::Value(x) => outside(*x, -LARGEST, LARGEST),
            Input::Missing | Input::Node(_) => None,
        }
    }
    // Only numbers are refused here.
    fn told(_: Allowed) -> Allowed {
        FINITE
    }
    fn input(&self) -> Option<&Input> {
        Some(self)
    }
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(self)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        match setting {
            Setting::Word(name) => Some(Input::Node(name.clone())),
            setting => f64::of_setting(setting).map(Input::Value),
        }
    }
    fn setting(&self) -> Option<Setting> {
        match self {
            Input::Missing => None,
            Input::Node(name) => Some(Setting::Word(name.clone())),
            Input::Value(x) => Some(Setting::Number(*x)),
        }
    }
    /// A number may change to another one; a change between number and node needs another kernel.
    fn same_shape(&self, other: &Self, _: Allowed) -> bool {
        self == other || matches!((self, other), (Input::Value(_), Input::Value(_)))
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
            fn visit_unit<E: de::Error>(self) -> Result<Input, E> {
                Ok(Input::Missing)
            }
            fn visit_f64<E: de::Error>(self, x: f64) -> Result<Input, E> {
                Ok(Input::Value(x))
            }
            // Recipes write `0` for `0.0`; f64 represents every integer in practical use.
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

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Input {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Input".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The name of another node or of a stage, or a number that stands for a constant.",
            "type": ["string", "number"]
        })
    }
}
