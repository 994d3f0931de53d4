//! Proven bounds by interval arithmetic through the graph.
//!
//! Bounds hold for every exact backend and the oracle. f32 rounding is monotonic. So an end point that is computed exactly and
//! then rounded outward to f32 bounds the f32 result of every operation that is monotonic in each operand (sum, product, minimum,
//! …). Other operations (lerp, Bézier, power) are widened by a stated number of ulps.

use super::{Graph, evaluation_order};
use crate::graph::node::Node;
use crate::graph::node::kind::InputRanges;
use crate::interval::Interval;
use crate::params::Input;
use crate::program::{GraphError, RangeError};
use std::collections::HashMap;

/// Magnitude above which a proven bound counts as overflow: f32 ends at 3.4e38, and gradients need a margin above values.
pub(crate) const LARGEST_VALUE: f64 = 1e30;
/// Largest coordinate in units: the lattice frame has 32 bits of cell, and a displaced one may wrap (2³¹ + 2¹⁵).
pub(crate) const COORDINATE: f64 = 2_147_516_416.0;

impl Graph {
    /// Proven bounds of the output: exact backends and the oracle never return a value outside, at any position. (An adapter of
    /// parity [`Bounded`](crate::Parity::Bounded) may exceed them by its own bound.)
    ///
    /// # Errors
    /// Returns an error if the graph is invalid, or if f32 cannot hold its values.
    pub fn range(&self) -> Result<Interval, RangeError> {
        self.check()?;
        let all = ranges(self)?;
        Ok(all[self.output.as_str()])
    }
}

/// Bounds of every node that the output needs, for a checked graph.
pub(crate) fn ranges(graph: &Graph) -> Result<HashMap<&str, Interval>, RangeError> {
    ranges_within(graph, &HashMap::new())
}

/// As above, with narrower bounds for some nodes.
pub(crate) fn ranges_within<'a>(graph: &'a Graph, known: &HashMap<&str, Interval>) -> Result<HashMap<&'a str, Interval>, RangeError> {
    let mut all: HashMap<&str, Interval> = HashMap::new();
    for name in evaluation_order(graph)? {
        let node = &graph.node[name];
        let of = |input: &Input| match input {
            Input::Node(target) => all[target.as_str()],
            Input::Value(x) => Interval::new(*x, *x).outward(),
            Input::Missing => Interval::new(0.0, 0.0),
        };
        if let Node::Raster(raster) = node {
            if raster.heights.size().is_none() {
                let allowed = "the name of a file that has been read; this recipe was read without its files";
                return Err(GraphError::parameter(name, "heights", format!("{:?}", raster.heights.name()), allowed).into());
            }
            raster.check_heights(name, &raster.heights)?;
        }
        if node.is_table() {
            continue;
        }
        let everywhere = node.as_kind().range(&InputRanges { graph, ranges: &of });
        let interval = known.get(name).map_or(everywhere, |known| everywhere.clamped(known.lo, known.hi));
        if interval.magnitude() > LARGEST_VALUE || interval.magnitude().is_nan() {
            return Err(RangeError::TooLarge { node: name.to_owned(), value: interval.magnitude() });
        }
        all.insert(name, interval);
    }
    Ok(all)
}
