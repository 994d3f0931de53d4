//! Descriptions of kinds and parameters, for schemas, editors, documentation and tests.

use super::{Allowed, Role, Setting, Unit, meant, short};
use serde::{Serialize, Serializer};
use std::fmt;

/// A row of the table of nodes or stages.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct KindInfo {
    /// Its `kind` in recipes.
    pub kind: &'static str,
    /// The Rust type of its parameters, such as `Simplex`.
    pub type_name: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// Its parameters, in order.
    pub params: &'static [ParamInfo],
    /// Its outputs, the main one first. A node has one value, or no output if it is a table for other nodes.
    pub outputs: &'static [OutputInfo],
}

impl KindInfo {
    /// The names of this kind in other libraries, for searches: `voronoi` for `worley`.
    pub fn synonyms(&self) -> Vec<&'static str> {
        meant::synonyms(self.kind).collect()
    }

    /// Whether a node of this kind may read stages: it reads the values of all its inputs at its own position, or displaces them by a
    /// known distance (`warp`). `equalise` may not, because the stage of that name measures stages, nor `beds`, for which there is the
    /// stage `strata`. For stages: always.
    pub fn reads_stages(&self) -> bool {
        let inputs = || self.params.iter().filter(|param| param.param_type == ParamType::Input);
        let is_elsewhere = |param: &ParamInfo| matches!(param.role, Some(Role::Elsewhere | Role::Slope));
        match self.kind {
            "warp" => true,
            "beds" => false,
            "equalise" => inputs().all(|param| param.role.is_none()),
            _ => inputs().next().is_some() && !inputs().any(is_elsewhere),
        }
    }

    /// The parameter with this name.
    pub fn param(&self, name: &str) -> Option<&'static ParamInfo> {
        self.params.iter().find(|param| param.name == name)
    }
}

/// A parameter of a row.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct ParamInfo {
    /// Name in recipes and in the parameter struct.
    pub name: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    pub param_type: ParamType,
    /// Whether it may be omitted.
    pub optional: bool,
    /// The allowed values.
    pub allowed: Allowed,
    /// The unit of its numbers; `None` for parameters without numbers (words, inputs) and for points, whose numbers have separate
    /// units.
    pub unit: Option<Unit>,
    /// The way a node reads it; `None` if it is not an input of a node.
    #[serde(skip)]
    pub(crate) role: Option<Role>,
    #[serde(serialize_with = "default_setting")]
    pub(crate) default: fn() -> Option<Setting>,
}

impl ParamInfo {
    /// Its default; `None` for parameters that are not set by default, and for required inputs.
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

    /// Its words; empty if it is not a choice.
    pub fn words(&self) -> &'static [&'static str] {
        if let ParamType::Choice { words, .. } = self.param_type { words } else { &[] }
    }
}

fn default_setting<S: Serializer>(default: &fn() -> Option<Setting>, serializer: S) -> Result<S::Ok, S::Error> {
    default().serialize(serializer)
}

/// The type of a parameter, which determines the [`Setting`] that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParamType {
    /// A number.
    Number,
    /// A whole number of 0 or more.
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
    /// The name of a node (for a stage's input, of a stage or node), or a number as a constant.
    Input,
    /// The control points of a spline.
    ControlPoints,
    /// The points of a distribution.
    QuantilePoints,
    /// The stops of a colour ramp.
    ColourStops,
    /// Amplitudes by frequency.
    RadialPoints,
    /// The name of a file, relative to the recipe.
    File,
    /// A SHA-256 hash: 64 hexadecimal digits.
    Hash,
    /// One of a few words.
    Choice {
        /// The Rust type, such as `Metric`.
        name: &'static str,
        /// The words.
        words: &'static [&'static str],
    },
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParamType::Number => "a number",
            ParamType::Whole => "a whole number of 0 or more",
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

/// An output of a stage: its name and number of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct OutputInfo {
    /// The name after the dot; empty for the main output.
    pub name: &'static str,
    /// Numbers per sample.
    pub channels: usize,
}

impl OutputInfo {
    /// The main output, with this many numbers per sample.
    pub(crate) const fn main(channels: usize) -> Self {
        OutputInfo { name: "", channels }
    }

    /// A further output, with one number per sample.
    pub(crate) const fn further(name: &'static str) -> Self {
        OutputInfo { name, channels: 1 }
    }
}
