//! Stages, the steps after the noise: a directed acyclic graph of named stages, each a field computed from other fields.
//!
//! `recipe text | builder → Pipeline → (checked) → plan`. This module is independent of how and where a pipeline is evaluated.
//!
//! A noise is a function of position. A stage is not: its samples depend on neighbouring samples, those within its *halo*. An
//! engine evaluates a pipeline on a region and the halo around it. So the result for every region is, bit for bit, a window of one
//! field: tiles have no seams, even eroded ones. Most stages work on the samples of a region's spacing and level, so two levels are two
//! fields. [`Erosion`] computes coarser samples first and is alike at any level. [`Pipeline`] has an example.

mod builder;
mod channel;
mod check;
mod choices;
mod colour;
mod colour_channels;
mod displace;
mod distance;
mod drained;
mod erosion;
mod files;
mod filters;
mod frequency;
mod given;
mod grade;
mod grading;
mod incise;
mod join;
mod kind;
mod line;
mod loose;
mod lower;
mod multiscale;
mod over;
mod range;
mod relief;
mod samples;
mod shore;
mod strata;
mod stream_power;
mod syntheses;
#[cfg(test)]
mod traffic;
mod water;
mod whole;
mod world;

pub use crate::params::{ColourStop, ControlPoint, OutputInfo, RadialPoint};
pub use check::StageError;
pub use choices::{Adjacent, AngleUnit, Axes, ColourMap, ColourSpace, CombineBy, CurvatureForm, LineBy, LineProfile};

pub(crate) use check::order;
pub(crate) use drained::{Answers, Around, Drained, DrainedWorld, SQUARE, SquareLayers, Tracing};
pub(crate) use frequency::{amplitudes, synthesis};
pub(crate) use grading::Grading;
pub(crate) use join::called;
pub(crate) use lower::{PreparedPipeline, ScheduleError, lower};
pub(crate) use stream_power::LandscapeTables;
pub(crate) use whole::{Asks, Found};

use crate::graph::node::Node;
use crate::graph::{Graph, Noise};
use crate::params::{Input, kinds};
use indexmap::IndexMap;
use kind::StageKind;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

kinds! {
    /// One stage of a pipeline: its kind and its parameters.
    Stage: StageKind;

    given::Given = "given",
    world::Normalise = "normalise",
    world::EqualiseWorld = "equalise",
    world::Ocean = "ocean",
    samples::Dropoff = "dropoff",
    samples::Mask = "mask",
    samples::Curve = "curve",
    samples::Combine = "combine",
    filters::AdjacentFilter = "adjacent",
    filters::Gaussian = "gaussian",
    filters::Median = "median",
    distance::Distance = "distance",
    shore::Beach = "beach",
    shore::Cliff = "cliff",
    line::Line = "line",
    displace::Displace = "displace",
    relief::Slope = "slope",
    relief::Curvature = "curvature",
    relief::Normal = "normal",
    relief::Occlusion = "occlusion",
    relief::Hillshade = "hillshade",
    erosion::Thermal = "thermal",
    erosion::Hydraulic = "hydraulic",
    multiscale::Erosion = "erosion",
    erosion::Gully = "gully",
    loose::Debris = "debris",
    loose::Snow = "snow",
    strata::Strata = "strata",
    stream_power::StreamPower = "stream_power",
    water::Drainage = "drainage",
    grade::Grade = "grade",
    incise::Incise = "incise",
    channel::Channel = "channel",
    channel::Wetness = "wetness",
    colour::Colour = "colour",
    colour_channels::ColourChannels = "colour_channels",
    syntheses::Frequency = "frequency",
    syntheses::DiamondSquare = "diamond_square",
    syntheses::Midpoint = "midpoint",
    syntheses::Voss = "voss",
}

/// Noises and the stages after them.
///
/// ```
/// use orogen::stage::{Hydraulic, Normalise, Pipeline, Thermal};
/// use orogen::{Backend, Engine, EngineOptions, Noise, Region};
/// use orogen::node::{Fractal, Perlin};
///
/// let hills = Noise::perlin(Perlin { wavelength: 60.0, ..Default::default() }).fractal(Fractal::default()).scale_offset(20.0, 0.0);
/// let eroded = Pipeline::from(hills)
///     .then(Hydraulic { iterations: 8, ..Default::default() })
///     .then(Thermal { iterations: 4, ..Default::default() });
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let [left, right] = [0, 1].map(|x| engine.layers(&eroded, &["hydraulic"], &Region::tile(x, 0, 32)));
/// let wide = engine.layers(&eroded, &["hydraulic"], &Region::plane(64, 32))?;
/// assert_eq!(wide[0].values[..32], left?[0].values[..32]);
/// assert_eq!(wide[0].values[32..64], right?[0].values[..32]);
/// # Ok::<(), orogen::LayersError>(())
/// ```
///
/// Using a pipeline checks it. [`check`](Self::check) does so without evaluation, for pipelines that are built, read from text
/// or composed by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// The name of the stage (or of one of its outputs, as `stage.water`) or node that is the result.
    pub output: String,
    /// The nodes by name.
    #[serde(default)]
    pub node: IndexMap<String, Node>,
    /// The stages by name; empty for a noise alone.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub stage: IndexMap<String, Stage>,
}

impl Pipeline {
    /// The noise whose output is the given node.
    pub(crate) fn noise(&self, node: &str) -> Noise {
        Noise::from(Graph { output: node.to_owned(), node: self.noises() })
    }

    /// The noise whose output is the given node.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or that of a stage or of a node that reads one.
    pub fn noise_of(&self, name: &str) -> Result<Noise, StageError> {
        match self.find("", "output", name)? {
            None if self.is_noise(name) => Ok(self.noise(name)),
            None | Some(_) => Err(StageError::NotNoise { name: name.to_owned(), under: self.under(name).map(str::to_owned) }),
        }
    }

    /// The pipeline of an output alone: all nodes, and the stages that it needs.
    ///
    /// # Errors
    /// Returns an error for a cycle or an unknown name.
    pub(crate) fn needed_by(&self, outputs: &[String]) -> Result<Pipeline, StageError> {
        let mut needed =
            Pipeline { output: outputs.first().cloned().unwrap_or_default(), node: self.node.clone(), stage: Default::default() };
        for output in outputs {
            let stages = order(self, output)?.into_iter().filter_map(|name| self.stage.get_key_value(name));
            needed.stage.extend(stages.map(|(name, stage)| (name.clone(), stage.clone())));
        }
        Ok(needed)
    }

    /// The first node that the output reads, along first inputs: the output itself if that is a node. `None` if there is no
    /// node.
    pub fn underneath(&self) -> Option<&str> {
        self.under(&self.output)
    }

    fn under<'a>(&'a self, mut name: &'a str) -> Option<&'a str> {
        let over = self.nodes_over();
        // The number of stages and nodes limits the steps, because an invalid pipeline may contain a cycle.
        for _ in 0..=self.stage.len() + self.node.len() {
            let inputs = match (self.node.get_key_value(name), self.stage.get(stem(name))) {
                (Some((name, _)), _) if !over.contains(name.as_str()) => return Some(name),
                (Some((_, node)), _) => node.inputs(),
                (None, Some(stage)) => stage.inputs(),
                (None, None) => return None,
            };
            match inputs.first() {
                Some((_, Input::Node(next))) => name = next,
                Some((_, Input::Missing | Input::Value(_))) | None => return None,
            }
        }
        None
    }

    /// The nodes and stages that neither the output nor the given layers need, in order, nodes first.
    pub fn unused<'a>(&'a self, layers: &'a [String]) -> Vec<&'a str> {
        let mut open: Vec<&str> = std::iter::once(&self.output).chain(layers).map(String::as_str).collect();
        let mut used = HashSet::new();
        while let Some(name) = open.pop() {
            let (own, inputs) = match (self.node.get_key_value(name), self.stage.get_key_value(stem(name))) {
                (Some((own, node)), _) => (own, node.inputs()),
                (None, Some((own, stage))) => (own, stage.inputs()),
                (None, None) => continue,
            };
            if used.insert(own.as_str()) {
                open.extend(
                    inputs.into_iter().filter_map(|(_, input)| if let Input::Node(name) = input { Some(name.as_str()) } else { None }),
                );
            }
        }
        self.node.keys().chain(self.stage.keys()).map(String::as_str).filter(|name| !used.contains(name)).collect()
    }

    /// Whether the output is a stage, or reads one.
    pub fn has_stages(&self) -> bool {
        if self.node.contains_key(&self.output) { self.is_over(&self.output) } else { self.stage.contains_key(stem(&self.output)) }
    }
}

/// The stage in the name of an output: `eroded` for `eroded.water`.
pub(crate) fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stage, _)| stage)
}

impl Stage {
    /// The outputs, the main one first.
    pub fn outputs(&self) -> &'static [OutputInfo] {
        self.info().outputs
    }
}
