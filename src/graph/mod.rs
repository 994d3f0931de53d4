//! What noise is meant: a directed acyclic graph of named nodes.
//!
//! `recipe text | builder chain → Graph → (checked) → program`. Knows nothing of how or where it is evaluated.

mod builder;
mod check;
mod live;
pub(crate) mod names;
mod range;
mod shared;

pub use builder::Noise;
pub use check::GraphError;
pub use range::{Interval, RangeError};

pub(crate) use check::{evaluation_order, order_of_all, reads};
pub(crate) use range::{COORDINATE, LARGEST_VALUE, ranges, ranges_within};

use crate::node::Node;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Named nodes and which of them is the result. Node names are free text; the order of nodes has no meaning.
///
/// Nothing is checked before it is used, whether it was built, read from text or put together by hand: [`check`](Self::check) does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// The node whose value is the result.
    pub output: String,
    /// The nodes by name.
    pub node: IndexMap<String, Node>,
}
