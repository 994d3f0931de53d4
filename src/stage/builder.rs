//! The chain that builds a pipeline: `Pipeline::from(noise).then(Thermal { .. }).then(Hydraulic { .. })`.

use crate::graph::names::{free_name, take_in};
use crate::graph::node::Node;
use crate::graph::{Graph, Noise};
use crate::params::{Change, Input, Owner, SetError, Setting, meant, unknown_parameter};
use crate::program::Seed;
use crate::stage::{Pipeline, Stage, StageError};
use indexmap::IndexMap;

impl From<Graph> for Pipeline {
    fn from(graph: Graph) -> Self {
        Pipeline { output: graph.output, node: graph.node, stage: IndexMap::new() }
    }
}

impl From<Noise> for Pipeline {
    fn from(noise: Noise) -> Self {
        Pipeline::from(noise.graph().clone())
    }
}

impl From<&Noise> for Pipeline {
    fn from(noise: &Noise) -> Self {
        Pipeline::from(noise.clone())
    }
}

impl Pipeline {
    /// A pipeline that begins with a stage without inputs, such as [`Frequency`](crate::stage::Frequency).
    pub fn source(stage: impl Into<Stage>) -> Self {
        Pipeline { output: String::new(), node: IndexMap::new(), stage: IndexMap::new() }.then(stage)
    }

    /// Appends a stage, which becomes the output. Its first input, if omitted, is the previous output. The stage is named after
    /// its kind, with a number appended if that name is taken.
    #[must_use]
    pub fn then(self, stage: impl Into<Stage>) -> Self {
        let stage = stage.into();
        let kind = stage.info().kind;
        self.named(kind, stage)
    }

    /// As [`then`](Self::then), with a name by which other stages can refer to the stage. If the name is taken, a number is
    /// appended.
    #[must_use]
    pub fn named(mut self, name: &str, stage: impl Into<Stage>) -> Self {
        let mut stage = stage.into();
        if let Some(first) = stage.inputs_mut().into_iter().next()
            && *first == Input::Missing
        {
            *first = Input::Node(self.output.clone());
        }
        let name = free_name(name, |name| self.stage.contains_key(name) || self.node.contains_key(name));
        self.stage.insert(name.clone(), stage);
        self.output = name;
        self
    }

    /// Appends a node over the stages, which becomes the output: a curve, a blend, or any other kind that reads its inputs at its own
    /// position, and `warp`. Its first input, if omitted, is the previous output. The node is named after its kind, with a number
    /// appended if that name is taken.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Perlin, Terrace};
    /// use orogen::stage::{Pipeline, Slope, Thermal};
    /// let steps = Pipeline::from(Noise::perlin(Perlin::default()))
    ///     .then(Thermal::default())
    ///     .then_node(Terrace { height: 0.25, ..Default::default() })
    ///     .then(Slope::default());
    /// assert_eq!(steps.check(), Ok(()));
    /// ```
    #[must_use]
    pub fn then_node(self, node: impl Into<Node>) -> Self {
        let node = node.into();
        let kind = node.info().kind;
        self.named_node(kind, node)
    }

    /// As [`then_node`](Self::then_node), with a name by which nodes and stages can refer to the node. If the name is taken, a number is
    /// appended.
    #[must_use]
    pub fn named_node(mut self, name: &str, node: impl Into<Node>) -> Self {
        let mut node = node.into();
        if let Some(first) = node.inputs_mut().into_iter().next()
            && *first == Input::Missing
        {
            *first = Input::Node(self.output.clone());
        }
        let name = free_name(name, |name| self.stage.contains_key(name) || self.node.contains_key(name));
        self.node.insert(name.clone(), node);
        self.output = name;
        self
    }

    /// Adds a noise under this name, so that stages can refer to it. The output of the pipeline does not change.
    ///
    /// The nodes that the noise needs are added with it and keep their names if these are free. A number is appended to the
    /// name of a node if the name is `name` itself or stands for something else in this pipeline. A node that is already here
    /// under the same name is shared.
    ///
    /// ```
    /// use orogen::stage::{Hydraulic, Pipeline};
    /// use orogen::node::{Fractal, Perlin, Simplex};
    /// use orogen::Noise;
    /// let hardness = Noise::simplex(Simplex::default()).fractal(Fractal::default());
    /// let pipeline = Pipeline::from(Noise::perlin(Perlin::default()))
    ///     .with("hardness", &hardness)?
    ///     .then(Hydraulic { hardness: "hardness".into(), ..Default::default() });
    /// assert!(pipeline.node.contains_key("hardness"));
    /// # Ok::<(), orogen::StageError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the name already stands for something else, which stages would read instead.
    pub fn with(mut self, name: &str, noise: &Noise) -> Result<Self, StageError> {
        let got = take_in(&mut self.node, noise.graph(), Some(name), |name| self.stage.contains_key(name));
        if got == name { Ok(self) } else { Err(StageError::Taken { name: name.to_owned() }) }
    }

    /// Adds a noise, so that stages can refer to it, and returns the name of its output: its own name if that is free. The
    /// output of the pipeline does not change. [`with`](Self::with) does the same under a given name.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Perlin, Simplex};
    /// use orogen::stage::{Combine, Pipeline};
    /// let mut pipeline = Pipeline::from(Noise::perlin(Perlin::default()));
    /// let name = pipeline.take_in(&Noise::simplex(Simplex::default()));
    /// let pipeline = pipeline.then(Combine { b: name.into(), ..Default::default() });
    /// assert_eq!(pipeline.check(), Ok(()));
    /// ```
    pub fn take_in(&mut self, noise: &Noise) -> String {
        take_in(&mut self.node, noise.graph(), None, |name| self.stage.contains_key(name))
    }

    /// Changes a parameter of a stage or node by its path, `stage.parameter`, as [`Noise::set`] does. No kernel is compiled.
    ///
    /// # Errors
    /// Returns an error if the path is unknown, if the value is of another type or out of range, or if the parameter is not
    /// live.
    pub fn set(&mut self, path: &str, value: impl Into<Setting>) -> Result<(), SetError> {
        self.assign(path, &value.into(), Change::Live)
    }

    /// As [`set`](Self::set), also for parameters that are not live. Only [`check`](Self::check) finds values that do not fit those of
    /// other parameters.
    ///
    /// # Errors
    /// Returns an error if the path is unknown, or if the value is of another type or out of range.
    pub fn change(&mut self, path: &str, value: impl Into<Setting>) -> Result<(), SetError> {
        self.assign(path, &value.into(), Change::Any)
    }

    fn assign(&mut self, path: &str, value: &Setting, change: Change) -> Result<(), SetError> {
        let (name, param) = path.rsplit_once('.').unwrap_or((path, ""));
        let (found, what, info) = match (self.stage.get_mut(name), self.node.get_mut(name)) {
            (Some(stage), _) => (stage.change(param, value, change), Owner::Stage, stage.info()),
            (None, Some(node)) => (node.change(param, value, change), Owner::Node, node.info()),
            (None, None) => {
                let known = meant::instead(name, self.stage.keys().chain(self.node.keys()).map(String::as_str));
                return Err(SetError::Node { path: path.to_owned(), known });
            }
        };
        found.map_err(|unset| unset.named((what, name), param, value.clone(), Some(info)))
    }

    /// Another world of the same kind: replaces every seed by one that depends on it and on `variation`. Equal seeds stay equal. 0
    /// changes nothing.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::Perlin;
    /// use orogen::stage::{Hydraulic, Pipeline};
    /// let hills = Noise::perlin(Perlin { seed: 7, ..Default::default() });
    /// let pipeline = Pipeline::from(hills).then(Hydraulic::default());
    /// let mut other = pipeline.clone();
    /// other.vary(0);
    /// assert_eq!(other, pipeline);
    /// other.vary(1);
    /// assert_ne!(other, pipeline);
    /// ```
    pub fn vary(&mut self, variation: u64) {
        if variation == 0 {
            return;
        }
        let varied = |seed| Seed::default().with(seed).with(variation).bits();
        self.node.values_mut().for_each(|node| node.map_seeds(varied));
        self.stage.values_mut().for_each(|stage| stage.map_seeds(varied));
    }

    /// The value of a parameter by its path, `stage.parameter`, as [`Noise::get`] returns it; `None` for one that is not set.
    ///
    /// # Errors
    /// Returns an error if the path is unknown.
    pub fn get(&self, path: &str) -> Result<Option<Setting>, SetError> {
        let (name, param) = path.rsplit_once('.').unwrap_or((path, ""));
        let (found, what, params) = match (self.stage.get(name), self.node.get(name)) {
            (Some(stage), _) => (stage.setting(param), Owner::Stage, stage.info().params),
            (None, Some(node)) => (node.setting(param), Owner::Node, node.info().params),
            (None, None) => {
                let known = meant::instead(name, self.stage.keys().chain(self.node.keys()).map(String::as_str));
                return Err(SetError::Node { path: path.to_owned(), known });
            }
        };
        found.ok_or_else(|| unknown_parameter((what, name), param, params))
    }

    /// Sets the output.
    #[must_use]
    pub fn output(mut self, name: &str) -> Self {
        name.clone_into(&mut self.output);
        self
    }
}
