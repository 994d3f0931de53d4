//! The chain that builds a pipeline: `Pipeline::from(noise).then(Thermal { .. }).then(Hydraulic { .. })`.

use crate::graph::Noise;
use crate::params::{Input, SetError, Setting, unknown_parameter};
use crate::stage::{Pipeline, Stage};
use indexmap::IndexMap;

impl From<Noise> for Pipeline {
    fn from(noise: Noise) -> Self {
        let graph = noise.graph().clone();
        Pipeline { output: graph.output, node: graph.node, stage: IndexMap::new() }
    }
}

impl From<&Noise> for Pipeline {
    fn from(noise: &Noise) -> Self {
        Pipeline::from(noise.clone())
    }
}

impl Pipeline {
    /// A pipeline that begins with a stage that needs no input: [`Frequency`](crate::stage::Frequency), say.
    pub fn source(stage: impl Into<Stage>) -> Self {
        Pipeline { output: String::new(), node: IndexMap::new(), stage: IndexMap::new() }.then(stage)
    }

    /// One more stage, which becomes the output. Its first input, where it is not given, is the output so far. It is named after
    /// its kind, with a number where that is taken.
    #[must_use]
    pub fn then(self, stage: impl Into<Stage>) -> Self {
        let stage = stage.into();
        let kind = stage.info().kind;
        self.named(kind, stage)
    }

    /// As [`then`](Self::then), with a name by which other stages can refer to it.
    #[must_use]
    pub fn named(mut self, name: &str, stage: impl Into<Stage>) -> Self {
        let mut stage = stage.into();
        if let Some(first) = stage.inputs_mut().into_iter().next()
            && *first == Input::Missing
        {
            *first = Input::Node(self.output.clone());
        }
        let taken = |name: &str| self.stage.contains_key(name) || self.node.contains_key(name);
        let free = if taken(name) { (2..).map(|n| format!("{name}_{n}")).find(|name| !taken(name)) } else { None };
        let name = free.unwrap_or_else(|| name.to_owned());
        self.stage.insert(name.clone(), stage);
        self.output = name;
        self
    }

    /// Takes a noise in, for stages to refer to, under this name; the output stays what it is. Nodes of the same name are taken to be
    /// the same.
    #[must_use]
    pub fn with(mut self, name: &str, noise: &Noise) -> Self {
        let renamed = noise.clone().named(name);
        for (name, node) in &renamed.graph().node {
            self.node.entry(name.clone()).or_insert_with(|| node.clone());
        }
        self
    }

    /// Changes a parameter of a stage or node by its name, `stage.parameter`, as [`Noise::set`] does; no kernel is compiled for it.
    ///
    /// # Errors
    /// An unknown name, a value of another type or out of range, or a parameter that is not live.
    pub fn set(&mut self, path: &str, value: impl Into<Setting>) -> Result<(), SetError> {
        let value = value.into();
        let (name, param) = path.rsplit_once('.').unwrap_or((path, ""));
        let (found, params) = match (self.stage.get_mut(name), self.node.get_mut(name)) {
            (Some(stage), _) => (stage.set(param, &value), stage.info().params),
            (None, Some(node)) => (node.set(param, &value), node.info().params),
            (None, None) => {
                let known = self.stage.keys().chain(self.node.keys()).map(String::as_str).collect::<Vec<_>>().join(", ");
                return Err(SetError::Node { path: path.to_owned(), known });
            }
        };
        found.map_err(|unset| unset.named(name, param, value, params))
    }

    /// A live parameter's value by its name, `stage.parameter`; `None` for one that is not given or not live.
    ///
    /// # Errors
    /// An unknown name.
    pub fn get(&self, path: &str) -> Result<Option<Setting>, SetError> {
        let (name, param) = path.rsplit_once('.').unwrap_or((path, ""));
        let (found, params) = match (self.stage.get(name), self.node.get(name)) {
            (Some(stage), _) => (stage.get(param), stage.info().params),
            (None, Some(node)) => (node.get(param), node.info().params),
            (None, None) => {
                let known = self.stage.keys().chain(self.node.keys()).map(String::as_str).collect::<Vec<_>>().join(", ");
                return Err(SetError::Node { path: path.to_owned(), known });
            }
        };
        found.ok_or_else(|| unknown_parameter(name, param, params))
    }

    /// With another output.
    #[must_use]
    pub fn output(mut self, name: &str) -> Self {
        name.clone_into(&mut self.output);
        self
    }
}
