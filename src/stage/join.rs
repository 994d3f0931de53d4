//! Joining pipelines: parts that both contain are shared.

use crate::graph::Graph;
use crate::graph::names::{Renamed, free_name, shared, take_in_all};
use crate::params::Input;
use crate::stage::{Pipeline, stem};

impl Pipeline {
    /// Adds another pipeline with all its parts, and returns the name that its output got. The output of this pipeline does not
    /// change.
    ///
    /// Nodes and stages keep their names if these are free. A part that is already here under the same name is shared. So are
    /// equal parts with automatic names, those of their kinds. A number is appended to a name that stands for something else
    /// here.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::Perlin;
    /// use orogen::stage::{Combine, Hillshade, Pipeline, Slope, Thermal};
    /// let settled = Pipeline::from(Noise::perlin(Perlin::default())).then(Thermal::default());
    /// let mut light = settled.clone().then(Hillshade::default());
    /// let steep = light.join(&settled.then(Slope::default()));
    /// let both = light.then(Combine { b: steep.into(), ..Default::default() });
    /// assert_eq!(both.stage.keys().collect::<Vec<_>>(), ["thermal", "hillshade", "slope", "combine"]);
    /// # assert_eq!(both.check(), Ok(()));
    /// ```
    pub fn join(&mut self, other: &Pipeline) -> String {
        let renamed = self.take_in_all(other);
        called(&other.output, &renamed)
    }

    /// Adds all parts of another pipeline, inputs first, and returns their names in this one.
    pub(crate) fn take_in_all<'a>(&mut self, other: &'a Pipeline) -> Renamed<'a> {
        let graph = Graph { output: String::new(), node: other.noises() };
        let nodes = take_in_all(&mut self.node, &graph, |name| self.stage.contains_key(name));
        let mut renamed: Renamed<'a> =
            other.node.keys().filter_map(|name| Some((name.as_str(), nodes.get(name.as_str())?.clone()))).collect();
        for name in other.steps() {
            let is_taken = |name: &str| self.stage.contains_key(name) || self.node.contains_key(name);
            let new = if let Some(node) = other.node.get(name) {
                let mut node = node.clone();
                call(node.inputs_mut(), &renamed);
                let same = shared(&self.node, name, &node, node.info().kind, false).map(str::to_owned);
                let new = same.unwrap_or_else(|| free_name(name, is_taken));
                self.node.entry(new.clone()).or_insert(node);
                new
            } else {
                let mut stage = other.stage[name].clone();
                call(stage.inputs_mut(), &renamed);
                let same = shared(&self.stage, name, &stage, stage.info().kind, false).map(str::to_owned);
                let new = same.unwrap_or_else(|| free_name(name, is_taken));
                self.stage.entry(new.clone()).or_insert(stage);
                new
            };
            renamed.insert(name, new);
        }
        renamed
    }
}

/// The name that a node, a stage or one of its outputs got when it was added.
pub(crate) fn called(name: &str, renamed: &Renamed<'_>) -> String {
    match (renamed.get(name), renamed.get(stem(name))) {
        (Some(new), _) => new.clone(),
        (None, Some(new)) => format!("{new}{}", &name[stem(name).len()..]),
        (None, None) => name.to_owned(),
    }
}

/// Gives inputs the new names.
fn call(inputs: Vec<&mut Input>, renamed: &Renamed<'_>) {
    for input in inputs {
        if let Input::Node(target) = input {
            *target = called(target, renamed);
        }
    }
}
