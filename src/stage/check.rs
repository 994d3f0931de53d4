//! Checks of a pipeline: inputs exist and have the right number of channels, numbers are in range, and there are no cycles.

use crate::graph::{Graph, reads};
use crate::not_allowed::NotAllowed;
use crate::params::{Allowed, Input, NAMES, is_name, meant};
use crate::program::GraphError;
use crate::stage::{OutputInfo, Pipeline, Stage, stem};
use std::collections::HashSet;

/// The reason why a pipeline is invalid. Every message contains the stage, the parameter, its value and the allowed values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StageError {
    /// A number outside its range.
    #[error("stage '{stage}': {wrong}")]
    Parameter {
        /// Name of the stage.
        stage: String,
        /// The parameter and its value.
        wrong: NotAllowed,
    },
    /// A required input is missing.
    #[error("stage '{stage}': input {param} is missing; allowed: the name of a stage or node, or a number")]
    MissingInput {
        /// Name of the stage.
        stage: String,
        /// Name of the input.
        param: &'static str,
    },
    /// An input (or the output) names nothing that exists.
    #[error("{}: there is no stage or node '{name}'; {known}", place(stage, param))]
    Unknown {
        /// Name of the stage that refers to it; empty for the pipeline's output.
        stage: String,
        /// Name of the input.
        param: &'static str,
        /// The name that is not found.
        name: String,
        /// The closest names, and the stages and nodes that exist.
        known: String,
    },
    /// An input has the wrong number of channels.
    #[error("stage '{stage}': {param} = '{name}' has {channels} channels; allowed: fields of {wanted}")]
    Channels {
        /// Name of the stage.
        stage: String,
        /// Name of the input.
        param: &'static str,
        /// The name that the input refers to.
        name: String,
        /// Its number of channels.
        channels: usize,
        /// The required number of channels.
        wanted: usize,
    },
    /// A stage depends on itself.
    #[error("stage '{stage}': {param} closes a cycle: {path}; allowed: pipelines without cycles")]
    Cycle {
        /// A stage of the cycle.
        stage: String,
        /// The input through which it closes.
        param: &'static str,
        /// The stages of the cycle in order.
        path: String,
    },
    /// A stage, or one of its outputs, has a node's name.
    #[error("stage '{stage}': '{name}' is the name of a node; allowed: a name of its own, without a dot")]
    Name {
        /// Name of the stage.
        stage: String,
        /// The name that the node also has.
        name: String,
    },
    /// A stage has an invalid name.
    #[error("stage '{}': the name is not allowed; allowed: {NAMES}, and no dot", stage.escape_default())]
    NoName {
        /// The name.
        stage: String,
    },
    /// A noise is to be added under a name that stands for something else.
    #[error("'{name}' is taken by another node or stage; allowed: a name of its own")]
    Taken {
        /// The name.
        name: String,
    },
    /// A noise is requested, but the output is a stage, or a node that reads one.
    #[error("'{name}' is a stage or reads one, so it is not a function of position; allowed: a node{}", under.as_ref().map_or_else(String::new, |under| format!(" (it begins with '{under}')")))]
    NotNoise {
        /// The requested name.
        name: String,
        /// The first node that the stage reads, along first inputs, if there is one.
        under: Option<String>,
    },
    /// A noise that the stages read is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// The name of an output of a stage.
fn full(stage: &str, output: &OutputInfo) -> String {
    if output.name.is_empty() { stage.to_owned() } else { format!("{stage}.{}", output.name) }
}

fn place(stage: &str, param: &str) -> String {
    if stage.is_empty() { param.to_owned() } else { format!("stage '{stage}': {param}") }
}

impl StageError {
    /// The stage and the parameter at fault. The stage is empty for the pipeline's `output`. `None` for a node, and for errors
    /// of a call instead of the pipeline.
    pub fn site(&self) -> Option<(&str, &'static str)> {
        match self {
            StageError::Parameter { stage, wrong } => Some((stage, wrong.what)),
            StageError::MissingInput { stage, param }
            | StageError::Unknown { stage, param, .. }
            | StageError::Channels { stage, param, .. }
            | StageError::Cycle { stage, param, .. } => Some((stage, param)),
            StageError::Name { stage, .. } | StageError::NoName { stage } => Some((stage, "kind")),
            StageError::Taken { .. } | StageError::NotNoise { .. } | StageError::Graph(_) => None,
        }
    }

    pub(crate) fn parameter(stage: &str, param: &'static str, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        StageError::Parameter { stage: stage.to_owned(), wrong: NotAllowed::new(param, value.into(), allowed.into()) }
    }
}

impl Pipeline {
    /// Checks every node and stage, including those that the output does not need.
    ///
    /// # Errors
    /// Returns the first error found, nodes first.
    pub fn check(&self) -> Result<(), StageError> {
        if let Some(noises) = self.all_noises() {
            noises.check().map_err(|error| self.with_stages(error))?;
        }
        for name in self.nodes_over_in_order() {
            self.check_over(name, &self.node[name])?;
        }
        for (name, stage) in &self.stage {
            self.check_row(name, stage)?;
        }
        self.find("", "output", &self.output)?;
        order(self, &self.output).map(|_| ())
    }

    /// The nodes that read no stage, as a graph; `None` if the pipeline has no such node.
    fn all_noises(&self) -> Option<Graph> {
        let node = self.noises();
        let first = node.keys().next()?;
        let output = self.underneath().filter(|name| node.contains_key(*name)).unwrap_or(first).to_owned();
        Some(Graph { output, node })
    }

    /// The first errors, up to the given number, nodes first. Rows that could not be read, and rows that refer to them, are not
    /// reported.
    pub(crate) fn mistakes(&self, unread: &HashSet<String>, most: usize) -> Vec<StageError> {
        let mut all = Vec::new();
        if let Some(noises) = self.all_noises() {
            all.extend(noises.mistakes(unread, most).into_iter().map(|error| self.with_stages(error).into()));
        }
        for name in self.nodes_over_in_order() {
            let node = &self.node[name];
            if all.len() < most && !reads(name, &node.inputs(), unread) {
                all.extend(self.check_over(name, node).err());
            }
        }
        let wrong =
            |(name, stage): (&String, &Stage)| if reads(name, &stage.inputs(), unread) { None } else { self.check_row(name, stage).err() };
        all.extend(self.stage.iter().filter_map(wrong).take(most));
        if !reads(&self.output, &[], unread) {
            all.extend(self.find("", "output", &self.output).err());
        }
        if all.is_empty() && unread.is_empty() {
            all.extend(self.check().err());
        }
        all
    }

    /// Resolves a name: `None` for a node, else the stage and the index of its output.
    pub(crate) fn find(&self, by: &str, param: &'static str, name: &str) -> Result<Option<(&Stage, usize)>, StageError> {
        if self.node.contains_key(name) {
            return Ok(None);
        }
        let found = self.stage.get(stem(name)).and_then(|stage| {
            let wanted = name.split_once('.').map_or("", |(_, output)| output);
            stage.outputs().iter().position(|output| output.name == wanted).map(|index| (stage, index))
        });
        found.map(Some).ok_or_else(|| StageError::Unknown {
            stage: by.to_owned(),
            param,
            name: name.to_owned(),
            known: meant::instead(name, self.names().iter().map(String::as_str)),
        })
    }

    /// Everything that an input can name.
    pub(crate) fn names(&self) -> Vec<String> {
        let stages = self.stage.iter().flat_map(|(name, stage)| stage.outputs().iter().map(move |output| full(name, output)));
        stages.chain(self.node.keys().cloned()).collect()
    }

    /// Number of channels of the node, stage or output with this name.
    ///
    /// # Errors
    /// Returns an error if the name does not exist.
    pub fn channels(&self, name: &str) -> Result<usize, StageError> {
        Ok(self.find("", "output", name)?.map_or(1, |(stage, index)| stage.outputs()[index].channels))
    }

    fn check_row(&self, name: &str, stage: &Stage) -> Result<(), StageError> {
        let mut own = stage.outputs().iter().map(|output| full(name, output));
        if let Some(taken) = own.find(|own| self.node.contains_key(own)) {
            return Err(StageError::Name { stage: name.to_owned(), name: taken });
        }
        // A dot separates the stage from its output.
        if name.contains('.') || !is_name(name) {
            return Err(StageError::NoName { stage: name.to_owned() });
        }
        if let Some(wrong) = stage.refusal() {
            return Err(StageError::Parameter { stage: name.to_owned(), wrong });
        }
        for (param, input) in stage.inputs() {
            match input {
                Input::Missing => return Err(StageError::MissingInput { stage: name.to_owned(), param }),
                Input::Value(_) => (),
                Input::Node(target) => {
                    let channels = self.find(name, param, target)?.map_or(1, |(stage, index)| stage.outputs()[index].channels);
                    let wanted = match stage.info().param(param).map(|info| info.allowed) {
                        Some(Allowed::Channels(channels)) => channels,
                        Some(_) | None => 1,
                    };
                    if channels != wanted {
                        return Err(StageError::Channels { stage: name.to_owned(), param, name: target.clone(), channels, wanted });
                    }
                }
            }
        }
        if let Stage::Grade(grade) = stage {
            grade.water(name, self)?;
        }
        stage.as_kind().check(name)
    }
}

/// The stages, and the nodes over stages, that an output needs, inputs before users.
///
/// # Errors
/// Returns an error for a cycle or an unknown name.
pub(crate) fn order<'a>(pipeline: &'a Pipeline, output: &'a str) -> Result<Vec<&'a str>, StageError> {
    // An explicit stack, so that a very long chain in a recipe cannot overflow the thread's stack.
    let (mut order, mut done) = (Vec::new(), HashSet::new());
    pipeline.find("", "output", output)?;
    let over = pipeline.nodes_over();
    let step =
        |name: &'a str| if pipeline.node.contains_key(name) { Some(name).filter(|name| over.contains(name)) } else { Some(stem(name)) };
    let mut path: Vec<(&str, usize)> = step(output).map(|name| (name, 0)).into_iter().collect();
    let mut open: HashSet<&str> = path.iter().map(|(name, _)| *name).collect();
    while let Some(&mut (name, ref mut next)) = path.last_mut() {
        let inputs = match (pipeline.node.get(name), pipeline.stage.get(name)) {
            _ if done.contains(name) => None,
            (Some(node), _) => Some(node.inputs()),
            (None, stage) => stage.map(Stage::inputs),
        };
        let Some(inputs) = inputs else {
            open.remove(name);
            path.pop();
            continue;
        };
        let input = inputs.get(*next);
        *next += 1;
        match input {
            None => {
                done.insert(name);
                order.push(name);
            }
            Some((param, Input::Node(target))) => {
                pipeline.find(name, param, target)?;
                let Some(target) = step(target) else { continue };
                if !open.insert(target) {
                    let start = path.iter().position(|(open, _)| *open == target).unwrap_or(0);
                    let mut names: Vec<&str> = path[start..].iter().map(|(open, _)| *open).collect();
                    names.push(target);
                    let (own, path) = (name.to_owned(), names.join(" → "));
                    return Err(match pipeline.stage.contains_key(name) {
                        true => StageError::Cycle { stage: own, param, path },
                        false => GraphError::Cycle { node: own, param, path }.into(),
                    });
                }
                path.push((target, 0));
            }
            Some((_, Input::Missing | Input::Value(_))) => (),
        }
    }
    Ok(order)
}
