//! Products: the layers that a bake writes for every tile.

use crate::bake::Format;
use serde::{Deserialize, Serialize};

/// The origin of a declared range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RangeKind {
    /// Given by hand.
    Declared,
    /// The graph's proven bounds.
    Proven,
    /// Smallest and largest value in this bake's tiles.
    Measured,
}

/// The declared range of a bake.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeRecord {
    /// The value that integer formats write as 0.
    pub lo: f64,
    /// The value that integer formats write as 65535.
    pub hi: f64,
    /// Its origin.
    pub kind: RangeKind,
}

/// A product of a bake: a layer of the pipeline that is written for every tile, and its format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Product {
    /// A stage, one of its outputs (`stage.water`) or a node; for [`Format::Weights`] two to four of them, `grass+rock+snow`.
    pub layer: String,
    /// File format.
    pub format: Format,
    /// The declared range. Integer formats of values require one.
    pub range: Option<RangeRecord>,
}
