//! Graphs: a noise as a directed acyclic graph of named nodes.
//!
//! `recipe text | builder chain → Graph → (checked) → program`. This module is independent of how and where a graph is evaluated.
//!
//! | module | holds |
//! |---|---|
//! | `builder`, `names` | the chain that builds a graph, and names when graphs are joined |
//! | `check`, `shared` | checks of a graph and of its tables |
//! | `live` | changes of numbers by name |
//! | `node` | kinds of nodes |
//! | `range` | proven bounds of values |
//! | `lower` | graph → program |

mod builder;
mod check;
mod live;
pub(crate) mod lower;
pub(crate) mod names;
pub mod node;
mod range;
mod shared;

pub use builder::Noise;

pub(crate) use check::{evaluation_order, order_of_all, reads};
pub(crate) use range::{COORDINATE, LARGEST_VALUE, ranges, ranges_within};

use crate::graph::node::Node;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Named nodes with an output. Node names are free text; the order of nodes has no meaning.
///
/// Using a graph checks it. [`check`](Self::check) does so without evaluation, for graphs that are built, read from text or
/// composed by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// The name of the output node.
    pub output: String,
    /// The nodes by name.
    pub node: IndexMap<String, Node>,
}
