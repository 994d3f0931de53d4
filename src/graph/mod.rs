//! What noise is meant: a directed acyclic graph of named nodes.
//!
//! `recipe text | builder chain → Graph → (checked) → program`. Knows nothing of how or where it is evaluated.

mod builder;
mod check;
pub(crate) mod choices;
mod live;
mod range;
pub(crate) mod table;

pub use builder::Noise;
pub use check::GraphError;
pub use choices::{Accumulate, Axis, Distribution, Hash, HexHash, Interpolation, Metric, PolarForm, Uniform, WhiteHash, WorleyOutput};
pub use range::{Interval, RangeError};
pub use table::*;

pub(crate) use check::evaluation_order;
pub(crate) use range::{COORDINATE, ranges};

use indexmap::IndexMap;
use serde::Serialize;

/// Named nodes and which of them is the result. Node names are free text; the order of nodes has no meaning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Graph {
    /// The node whose value is the result.
    pub output: String,
    /// The nodes by name.
    pub node: IndexMap<String, Node>,
}
