//! The chain that builds a pipeline: `Pipeline::from(noise).then(Thermal { .. }).then(Hydraulic { .. })`.

use super::{Pipeline, Stage};
use crate::graph::{Input, Noise};
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
    /// A pipeline that begins with a stage that needs no input: [`Frequency`](super::Frequency), say.
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

    /// With another output.
    #[must_use]
    pub fn output(mut self, name: &str) -> Self {
        name.clone_into(&mut self.output);
        self
    }
}
