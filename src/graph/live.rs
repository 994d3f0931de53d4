//! Live parameters: changes of a noise's numbers by the names of node and parameter.

use super::Noise;
use crate::graph::node::Node;
use crate::params::{Change, NotSet, Owner, ParamInfo, SetError, Setting, meant, unknown_parameter};

impl Noise {
    /// Changes a live parameter by its path, `node.parameter`: any number, boolean or table, and inputs that are plain numbers.
    /// No kernel is compiled; the next evaluation uses the new value. Nodes are named by [`named`](Self::named) or in recipes;
    /// others have the name of their kind. Structural parameters, which shape the kernel (most choices, dimensions, the node that
    /// an input reads), are refused here: [`Node::set`](crate::node::Node::set) changes them in a [`Graph`](crate::Graph).
    ///
    /// The value is checked against the range of the parameter; the graph as a whole is checked when it is evaluated.
    ///
    /// ```
    /// use orogen::{Noise, SetError};
    /// use orogen::node::{Fractal, Simplex};
    /// let mut hills = Noise::simplex(Simplex::default()).fractal(Fractal::default()).named("hills");
    /// hills.set("hills.gain", 0.6)?;
    /// hills.set("hills.octaves", 5)?;
    /// hills.set("simplex.wavelength", 250.0)?;
    /// assert!(matches!(hills.set("hills.gain", 1e9), Err(SetError::Value { .. })));
    /// assert!(matches!(hills.set("simplex.dimensions", 3), Err(SetError::Shape { .. })));
    /// # Ok::<(), SetError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the path is unknown, if the value is of another type or out of range, or if the parameter shapes the
    /// kernel.
    pub fn set(&mut self, path: &str, value: impl Into<Setting>) -> Result<(), SetError> {
        let (name, param) = self.find(path)?;
        let (node, param, value) = (name.to_owned(), param.to_owned(), value.into());
        let found = self.node_mut(&node).map_or(Err(NotSet::Unknown), |found| found.change(&param, &value, Change::Live));
        found.map_err(|unset| unset.named((Owner::Node, &node), &param, value, self.graph().node.get(&node).map(Node::info)))
    }

    /// The value of a parameter by its path, `node.parameter`, live or not: the word of a choice, the name for an input that is a
    /// node. `None` for a parameter that is not set.
    ///
    /// # Errors
    /// Returns an error if the path is unknown.
    pub fn get(&self, path: &str) -> Result<Option<Setting>, SetError> {
        let (name, param) = self.find(path)?;
        let found = self.graph().node.get(name).and_then(|node| node.setting(param));
        found.ok_or_else(|| unknown_parameter((Owner::Node, name), param, self.parameters(name)))
    }

    /// Splits a path at its last point: names of nodes may contain points, names of parameters may not.
    fn find<'a>(&self, path: &'a str) -> Result<(&'a str, &'a str), SetError> {
        let found = path.rsplit_once('.').filter(|(node, _)| self.graph().node.contains_key(*node));
        found.ok_or_else(|| {
            let name = path.rsplit_once('.').map_or(path, |(name, _)| name);
            let known = meant::instead(name, self.graph().node.keys().map(String::as_str));
            SetError::Node { path: path.to_owned(), known }
        })
    }

    fn parameters(&self, node: &str) -> &'static [ParamInfo] {
        self.graph().node.get(node).map_or(&[][..], |node: &Node| node.info().params)
    }
}
