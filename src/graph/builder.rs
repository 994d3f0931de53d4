//! The chain that builds a graph: `Noise::simplex(…).fractal(…).spline(…)`, one named parameter struct per step.

use crate::graph::Graph;
use crate::graph::names::{free_name, take_in};
use crate::graph::node::Node;
use crate::interval::Interval;
use crate::params::{Input, Owner, ParamType, SetError, Setting};
use crate::program::{GraphError, RangeError};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A noise: a graph with methods that extend it. Cloning is cheap compared with evaluation; a noise used twice shares its nodes.
///
/// Every step names its node after its kind, with a number appended if the name is taken. [`named`](Self::named) gives the last
/// node a name of your own. Names are kept when noises are joined: equal nodes with different given names remain two. If the
/// other noise uses a name for something else, a number is appended. As text a noise is its [`Graph`].
///
/// ```
/// use orogen::Noise;
/// use orogen::node::{Fractal, Simplex};
/// let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() })
///     .fractal(Fractal { octaves: 8, ..Default::default() })
///     .scale_offset(60.0, 60.0);
/// let range = hills.range()?;
/// assert!(range.lo >= -0.001 && range.hi <= 120.001);
/// # Ok::<(), orogen::RangeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Noise {
    graph: Graph,
}

impl From<Graph> for Noise {
    fn from(graph: Graph) -> Self {
        Noise { graph }
    }
}

impl From<f64> for Noise {
    fn from(value: f64) -> Self {
        Noise::constant(value)
    }
}

impl Noise {
    /// The graph so far. Its numbers are not checked until it is evaluated or [checked](Graph::check).
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn node_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.graph.node.get_mut(name)
    }

    /// Checks every node; see [`Graph::check`]. A table passes although it has no values, because other noises may read it.
    ///
    /// # Errors
    /// Returns the first error found.
    pub fn check(&self) -> Result<(), GraphError> {
        self.graph.check_nodes()
    }

    /// Proven bounds; see [`Graph::range`].
    ///
    /// # Errors
    /// Returns an error if the graph is invalid, or if f32 cannot hold its values.
    pub fn range(&self) -> Result<Interval, RangeError> {
        self.graph.range()
    }

    /// Whether it has a gradient. `curl`, `cross_gradients` and `advect`, which are computed from gradients, and noises that read them,
    /// have none.
    pub fn has_gradient(&self) -> bool {
        self.graph.without_gradient().is_none()
    }

    /// Gives the output node a name, for recipes, messages and [`set`](Self::set). If the name is taken, a number is appended
    /// (`hills_2`).
    pub fn named(mut self, name: &str) -> Self {
        if self.graph.output != name {
            let old = self.graph.output.clone();
            let free = free_name(name, |name| self.graph.node.contains_key(name));
            self.graph.rename(&old, &free);
        }
        self
    }

    /// Adds a node of any kind over noises, each given with the name of its input. This does the same as the other methods, for a
    /// kind that is only known at run time. The nodes of the first noise keep their names.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Max, Node, Simplex};
    /// let hills = Noise::simplex(Simplex::default());
    /// let node = Node::of_kind("max").ok_or("no such kind")?;
    /// let land = Noise::join(node, &[("a", &hills), ("b", &Noise::constant(0.0))])?;
    /// assert_eq!(land, hills.max(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the name is not a parameter of the node, or is not an input. Missing inputs are reported by
    /// [`check`](Self::check).
    pub fn join(node: impl Into<Node>, inputs: &[(&str, &Noise)]) -> Result<Self, SetError> {
        let mut node = node.into();
        let mut noise = inputs.first().map_or_else(Self::nothing, |(_, first)| (*first).clone());
        for (index, (param, input)) in inputs.iter().enumerate() {
            let name = if index == 0 { noise.graph.output.clone() } else { noise.absorb(input) };
            if let Some(info) = node.info().param(param)
                && info.param_type != ParamType::Input
            {
                let (node, param) = (node.info().kind.to_owned(), (*param).to_owned());
                let expected = info.param_type.to_string();
                return Err(SetError::Kind { what: Owner::Node, node, param, value: Setting::Word(name), expected });
            }
            node.set(param, name)?;
        }
        Ok(noise.push(node))
    }

    fn nothing() -> Self {
        Noise { graph: Graph { output: String::new(), node: IndexMap::new() } }
    }

    pub(crate) fn source(node: impl Into<Node>) -> Self {
        Self::nothing().push(node)
    }

    pub(crate) fn then<N: Into<Node>>(self, step: impl FnOnce(Input) -> N) -> Self {
        let of = Input::Node(self.graph.output.clone());
        self.push(step(of))
    }

    pub(crate) fn with<N: Into<Node>>(mut self, other: &Noise, step: impl FnOnce(Input, Input) -> N) -> Self {
        let a = Input::Node(self.graph.output.clone());
        let b = Input::Node(self.absorb(other));
        self.push(step(a, b))
    }

    pub(crate) fn push(mut self, node: impl Into<Node>) -> Self {
        let node = node.into();
        let name = free_name(node.info().kind, |name| self.graph.node.contains_key(name));
        self.graph.node.insert(name.clone(), node);
        self.graph.output = name;
        self
    }

    /// Adds another noise's nodes and returns the name of its output; [`names`](super::names) describes which nodes are shared.
    pub(crate) fn absorb(&mut self, other: &Noise) -> String {
        take_in(&mut self.graph.node, &other.graph, None, |_| false)
    }
}
