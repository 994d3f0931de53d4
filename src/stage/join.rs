//! Pipelines that come together: what both have is there once.

use crate::graph::Graph;
use crate::graph::names::{Renamed, free_name, shared, take_in_all};
use crate::params::Input;
use crate::stage::{Pipeline, order, stem};

impl Pipeline {
    /// Takes another pipeline in with all that is in it, and returns the name that its output got; this one's output stays what it is.
    ///
    /// Nodes and stages keep their names where those are free. One that is here already, under the same name, is shared; so are equal ones
    /// that nobody named, which bear the names of their kinds. One whose name stands for something else here gets a number appended.
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

    /// Takes in all that another pipeline has, inputs first: what each is called here.
    pub(crate) fn take_in_all<'a>(&mut self, other: &'a Pipeline) -> Renamed<'a> {
        let graph = Graph { output: String::new(), node: other.node.clone() };
        let nodes = take_in_all(&mut self.node, &graph, |name| self.stage.contains_key(name));
        let mut renamed: Renamed<'a> = other.node.keys().map(|name| (name.as_str(), nodes[name.as_str()].clone())).collect();
        for name in other.stage.keys() {
            // What has no order is taken as it stands: its error is found when it is used.
            for name in order(other, name).unwrap_or_else(|_| vec![name]) {
                if renamed.contains_key(name) {
                    continue;
                }
                let mut stage = other.stage[name].clone();
                for input in stage.inputs_mut() {
                    if let Input::Node(target) = input {
                        *target = called(target, &renamed);
                    }
                }
                let new = match shared(&self.stage, name, &stage, stage.info().kind, false) {
                    Some(same) => same.to_owned(),
                    None => free_name(name, |name| self.stage.contains_key(name) || self.node.contains_key(name)),
                };
                self.stage.entry(new.clone()).or_insert(stage);
                renamed.insert(name, new);
            }
        }
        renamed
    }
}

/// What a node, a stage or one of its outputs is called after it was taken in.
pub(crate) fn called(name: &str, renamed: &Renamed<'_>) -> String {
    match (renamed.get(name), renamed.get(stem(name))) {
        (Some(new), _) => new.clone(),
        (None, Some(new)) => format!("{new}{}", &name[stem(name).len()..]),
        (None, None) => name.to_owned(),
    }
}
