//! What noise is meant: a directed acyclic graph of named nodes.
//!
//! `recipe text | builder chain → Graph → (checked) → program`. Knows nothing of how or where it is evaluated.

mod builder;
mod check;
mod fractal;
mod live;
mod node;
mod param;
mod range;
mod table;
mod worley;

pub use builder::Noise;
pub use check::GraphError;
pub use live::{SetError, Setting};
pub use node::{NodeInfo, ParamInfo};
pub use param::{
    Accumulate, Allowed, Axis, ControlPoint, Distribution, Hash, HexHash, Input, Interpolation, Metric, PolarForm, QuantilePoint, Uniform,
    WhiteHash, WorleyOutput,
};
pub use range::{Interval, RangeError};
pub use table::*;

pub(crate) use check::evaluation_order;
pub(crate) use param::{LARGEST, short};
pub(crate) use range::{COORDINATE, ranges};

/// What a table of rows is written with: here that of nodes, in [`crate::stage`] that of stages.
pub(crate) mod rows_prelude {
    pub(crate) use super::live::{Setting, Unset, assign, unknown_parameter};
    pub(crate) use super::node::{FieldError, Fields, NodeInfo, ParamInfo, Refusal, Row, rows};
    pub(crate) use super::param::{Allowed, FINITE, Input, LARGEST, Param, choice, outside, short};
}

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
