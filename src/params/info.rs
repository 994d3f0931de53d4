//! What a table of kinds says about itself: for schemas, editors, documentation and tests.

use super::{Allowed, Role, Setting, Unit, short};
use serde::{Serialize, Serializer};
use std::fmt;

/// One row of the table of nodes, or of stages.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct KindInfo {
    /// `kind` in recipes.
    pub kind: &'static str,
    /// The Rust type of its parameters: `Simplex`.
    pub type_name: &'static str,
    /// What it computes.
    pub doc: &'static str,
    /// Its parameters, in order.
    pub params: &'static [ParamInfo],
    /// What comes out, the main one first. Of a node one value, or nothing: a table that others take entries of.
    pub outputs: &'static [OutputInfo],
}

impl KindInfo {
    /// The parameter of this name.
    pub fn param(&self, name: &str) -> Option<&'static ParamInfo> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// One parameter of a row.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct ParamInfo {
    /// Name in recipes and in the parameter struct.
    pub name: &'static str,
    /// Meaning and source.
    pub doc: &'static str,
    /// What it holds.
    #[serde(rename = "type")]
    pub param_type: ParamType,
    /// Whether it can be not given.
    pub optional: bool,
    /// The values it may take.
    pub allowed: Allowed,
    /// The unit of its numbers; `None` for what is not made of numbers (words, inputs) and for points, whose numbers have units of their own.
    pub unit: Option<Unit>,
    /// How a node reads it; `None` of what is no node's input.
    #[serde(skip)]
    pub(crate) role: Option<Role>,
    #[serde(serialize_with = "default_setting")]
    pub(crate) default: fn() -> Option<Setting>,
}

impl ParamInfo {
    /// What it is unless told otherwise; `None` for what is not given then, and for inputs that have to be.
    pub fn default_value(&self) -> Option<Setting> {
        (self.default)()
    }

    /// The allowed values, for a message about a value of another type: its words, or its type and range.
    pub(crate) fn what_is_allowed(&self) -> String {
        if !self.words().is_empty() {
            return self.words().join(", ");
        }
        let what = self.param_type;
        match (what, self.allowed) {
            (_, Allowed::Seed) => format!("a whole number from {}", self.allowed),
            (ParamType::Whole, Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi)) => {
                format!("a whole number from {} to {}", short(lo), short(hi))
            }
            (ParamType::Input, Allowed::Any | Allowed::Structural | Allowed::Between(..)) | (_, Allowed::Any | Allowed::Structural) => {
                what.to_string()
            }
            (_, Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi)) => format!("{what} from {} to {}", short(lo), short(hi)),
            (ParamType::Input, allowed) | (_, allowed @ (Allowed::List(..) | Allowed::Terms(..))) => allowed.to_string(),
            (_, allowed) => format!("{what}: {allowed}"),
        }
    }

    /// The words that it may be; none where it is no choice.
    pub fn words(&self) -> &'static [&'static str] {
        if let ParamType::Choice { words, .. } = self.param_type { words } else { &[] }
    }
}

fn default_setting<S: Serializer>(default: &fn() -> Option<Setting>, serializer: S) -> Result<S::Ok, S::Error> {
    default().serialize(serializer)
}

/// What a parameter holds, and so which [`Setting`] it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParamType {
    /// A number.
    Number,
    /// A whole number that is not negative.
    Whole,
    /// True or false.
    Flag,
    /// Two numbers.
    Pair,
    /// Three numbers.
    Vector,
    /// A list of numbers.
    Numbers,
    /// A list of vectors of three numbers.
    Vectors,
    /// The name of a node (of a stage's input: of a stage or node), or a number that stands for a constant.
    Input,
    /// The control points of a spline.
    ControlPoints,
    /// The points of a distribution.
    QuantilePoints,
    /// The stops of a colour ramp.
    ColourStops,
    /// Amplitudes by frequency.
    RadialPoints,
    /// The name of a file, beside the recipe.
    File,
    /// A SHA-256 hash: 64 hexadecimal digits.
    Hash,
    /// One of a few words.
    Choice {
        /// The Rust type: `Metric`, say.
        name: &'static str,
        /// The words.
        words: &'static [&'static str],
    },
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParamType::Number => "a number",
            ParamType::Whole => "a whole number that is not negative",
            ParamType::Flag => "true or false",
            ParamType::Pair => "2 numbers",
            ParamType::Vector => "3 numbers",
            ParamType::Numbers => "a list of numbers",
            ParamType::Vectors => "a list of vectors of 3 numbers",
            ParamType::Input => "a number or the name of a node",
            ParamType::ControlPoints => "a list of control points",
            ParamType::QuantilePoints => "a list of points of a distribution",
            ParamType::ColourStops => "a list of colour stops",
            ParamType::RadialPoints => "a list of amplitudes by frequency",
            ParamType::File => "the name of a file",
            ParamType::Hash => "a SHA-256 hash of 64 hexadecimal digits",
            ParamType::Choice { words, .. } => return write!(f, "one of the words {}", words.join(", ")),
        })
    }
}

/// An output of a stage: its name and how many numbers a sample has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct OutputInfo {
    /// What comes after the dot; empty for the main one.
    pub name: &'static str,
    /// Numbers of a sample.
    pub channels: usize,
}

impl OutputInfo {
    /// The main output: this many numbers for each sample.
    pub(crate) const fn main(channels: usize) -> Self {
        OutputInfo { name: "", channels }
    }

    /// A further output: one number for each sample.
    pub(crate) const fn further(name: &'static str) -> Self {
        OutputInfo { name, channels: 1 }
    }
}
