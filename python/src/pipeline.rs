//! Pipelines.

use crate::argument::Argument;
use crate::error::{raised, refused, refused_because, refused_value};
use crate::noise::{self, Noise};
use crate::{heights, setting};
use orogen::node::{KindInfo, Node, ParamType};
use orogen::stage::Stage;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};
use std::sync::{PoisonError, RwLock};

/// Noises and stages, without the methods generated from the table of stages; programs use `orogen.Pipeline`.
#[pyclass(frozen, subclass, name = "PipelineBase", module = "orogen._orogen")]
pub(crate) struct Pipeline(RwLock<orogen::Pipeline>);

/// The Python object of a pipeline.
pub(crate) fn to_python(py: Python<'_>, pipeline: orogen::Pipeline) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "orogen", "Pipeline")?.call1((Pipeline::over(pipeline),))
}

/// A noise or a pipeline, as a pipeline.
pub(crate) fn of_python(what: &str, value: &Bound<'_, PyAny>) -> PyResult<orogen::Pipeline> {
    if let Ok(pipeline) = value.cast::<Pipeline>() {
        return Ok(pipeline.get().get());
    }
    let noise = value.cast::<Noise>().map_err(|_| refused_value(what, value, "a noise or a pipeline"))?;
    Ok(noise.get().get().into())
}

/// An empty pipeline, for stages without inputs.
fn nothing() -> orogen::Pipeline {
    orogen::Pipeline { output: String::new(), node: Default::default(), stage: Default::default() }
}

impl Pipeline {
    fn over(pipeline: orogen::Pipeline) -> Self {
        Pipeline(RwLock::new(pipeline))
    }

    /// A copy of the current pipeline.
    pub(crate) fn get(&self) -> orogen::Pipeline {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A stage, or a node that reads stages.
enum Step {
    Stage(Stage),
    Node(Node),
}

impl Step {
    fn of_kind(kind: &str) -> Option<Self> {
        let node = || Node::of_kind(kind).filter(|node| node.info().reads_stages()).map(Step::Node);
        Stage::of_kind(kind).map(Step::Stage).or_else(node)
    }

    fn info(&self) -> &'static KindInfo {
        match self {
            Step::Stage(stage) => stage.info(),
            Step::Node(node) => node.info(),
        }
    }

    fn set(&mut self, param: &str, value: orogen::Setting) -> Result<(), orogen::SetError> {
        match self {
            Step::Stage(stage) => stage.set(param, value),
            Step::Node(node) => node.set(param, value),
        }
    }
}

/// A stage, or a node that reads stages, of any kind over pipelines, with settings by name. Inputs are pipelines, noises, numbers, or
/// names of parts of the first pipeline. `name` is its own name, by default its kind. None means omitted.
#[pyfunction]
#[pyo3(signature = (kind, /, *, name = None, **settings))]
pub(crate) fn stage_of_kind<'py>(
    py: Python<'py>,
    kind: &str,
    name: Option<&str>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(mut step) = Step::of_kind(kind) else {
        let nodes = Node::TABLE.iter().filter(|row| row.reads_stages());
        let kinds: Vec<_> = Stage::TABLE.iter().chain(nodes).map(|row| row.kind).collect();
        return Err(refused("kind", format!("'{kind}'"), &kinds.join(", ")));
    };
    let settings = settings.map_or_else(|| PyDict::new(py), Clone::clone);
    // The parts of the first pipeline keep their names.
    let first = settings.iter().find_map(|(param, value)| Some((param, value.cast::<Pipeline>().ok()?.get().get())));
    let mut base = first.as_ref().map_or_else(nothing, |(_, pipeline)| pipeline.clone());
    for (param, value) in &settings {
        let is_first = first.as_ref().is_some_and(|(first, _)| first.is(&param));
        let param: String = param.extract()?;
        let what = format!("{} '{kind}': {param}", if matches!(step, Step::Stage(_)) { "stage" } else { "node" });
        let info = step.info().param(&param);
        let is_input = info.is_some_and(|info| info.param_type == ParamType::Input);
        let taken = if is_first {
            Some(base.output.clone())
        } else if let Ok(pipeline) = value.cast::<Pipeline>() {
            Some(base.join(&pipeline.get().get()))
        } else {
            value.cast::<Noise>().ok().map(|noise| base.take_in(&noise.get().get()))
        };
        let given: orogen::Setting = match taken {
            Some(_) if info.is_some() && !is_input => {
                let allowed = info.map(|info| info.param_type.to_string());
                return Err(refused_value(&what, &value, &allowed.unwrap_or_default()));
            }
            Some(name) => {
                // Without a pipeline, the first noise becomes one.
                if base.output.is_empty() {
                    base.output.clone_from(&name);
                }
                name.into()
            }
            None if value.is_none() && info.is_some_and(|info| info.optional || is_input) => continue,
            None => setting::of_parameter(&what, &value, &info.map(setting::allowed).unwrap_or_default())?,
        };
        step.set(&param, given).map_err(raised)?;
    }
    let name = name.unwrap_or(kind);
    let pipeline = match step {
        Step::Stage(stage) => base.named(name, stage),
        Step::Node(node) => base.named_node(name, node),
    };
    pipeline.check().map_err(raised)?;
    to_python(py, pipeline)
}

#[pymethods]
impl Pipeline {
    #[new]
    #[pyo3(signature = (noise, /))]
    fn new(noise: &Bound<'_, PyAny>) -> PyResult<Self> {
        of_python("noise", noise).map(Pipeline::over)
    }

    /// Adds a noise under a name, for stages to refer to. The output does not change.
    fn with_noise<'py>(&self, py: Python<'py>, name: &str, noise: Argument<'py, Noise>) -> PyResult<Bound<'py, PyAny>> {
        let pipeline = self.get().with(name, &noise.get()).map_err(raised)?;
        pipeline.check().map_err(raised)?;
        to_python(py, pipeline)
    }

    /// Adds the parts of other pipelines and noises as further layers. The output does not change.
    #[pyo3(signature = (*others))]
    fn with_layers<'py>(&self, py: Python<'py>, others: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let mut pipeline = self.get();
        for other in &others {
            pipeline.join(&of_python("others", other)?);
        }
        pipeline.check().map_err(raised)?;
        to_python(py, pipeline)
    }

    /// This pipeline with another output: a stage, one of its outputs (`hydraulic.water`), or a node.
    fn with_output<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let pipeline = self.get().output(name);
        pipeline.check().map_err(raised)?;
        to_python(py, pipeline)
    }

    /// The noise whose output is the given node; without a name, that of the first node under the output, along first inputs.
    #[pyo3(signature = (name = None))]
    fn noise_of<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let pipeline = self.get();
        let name = name.or_else(|| pipeline.underneath()).unwrap_or(&pipeline.output);
        noise::to_python(py, pipeline.noise_of(name).map_err(raised)?)
    }

    /// Changes a live parameter by its path, `stage.parameter` or `node.parameter`, in place.
    fn set(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let setting = setting::of_python(path, value)?;
        let mut pipeline = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = pipeline.clone();
        changed.set(path, setting).map_err(raised)?;
        changed.check().map_err(raised)?;
        *pipeline = changed;
        Ok(())
    }

    /// Another pipeline of the same kind: every seed depends on `variation`, too, as with `--variation` of the command. 0 changes nothing.
    fn varied<'py>(&self, py: Python<'py>, variation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let mut pipeline = self.get();
        pipeline.vary(crate::region::whole("variation", variation)?);
        to_python(py, pipeline)
    }

    /// The value of a parameter by its path; `None` if it is not set.
    #[pyo3(name = "get")]
    fn get_setting<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let setting = self.get().get(path).map_err(raised)?;
        setting.map(|setting| setting::to_python(py, &setting)).transpose()
    }

    /// The names of all stages, with the kind of each.
    #[getter]
    fn stages(&self) -> Vec<(String, &'static str)> {
        self.get().stage.iter().map(|(name, stage)| (name.clone(), stage.info().kind)).collect()
    }

    /// The names of all nodes, with the kind of each.
    #[getter]
    fn nodes(&self) -> Vec<(String, &'static str)> {
        self.get().node.iter().map(|(name, node)| (name.clone(), node.info().kind)).collect()
    }

    /// The output: a stage, an output of a stage, or a node.
    #[getter]
    fn output(&self) -> String {
        self.get().output
    }

    /// All layers: nodes, stages, and the further outputs of stages.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        let pipeline = self.get();
        let named = |(name, stage): (&String, &Stage)| {
            let name = name.clone();
            stage
                .outputs()
                .iter()
                .map(move |o| if o.name.is_empty() { name.clone() } else { format!("{name}.{}", o.name) })
                .collect::<Vec<_>>()
        };
        pipeline.node.keys().cloned().chain(pipeline.stage.iter().flat_map(named)).collect()
    }

    /// Number of channels of an output, by default the pipeline's: 1, 3 for a normal, 4 for a colour.
    #[pyo3(signature = (name = None))]
    fn channels(&self, name: Option<&str>) -> PyResult<usize> {
        let pipeline = self.get();
        pipeline.channels(name.unwrap_or(&pipeline.output)).map_err(raised)
    }

    /// The stages whose whole-world measurements are missing; `Engine.measure` computes them.
    #[getter]
    fn unmeasured(&self) -> Vec<String> {
        self.get().unmeasured().into_iter().map(str::to_owned).collect()
    }

    /// The pipeline as JSON, which `from_json` reads.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let pipeline = self.get();
        heights::hash(py, pipeline.node.iter())?;
        serde_json::to_string(&pipeline).map_err(raised)
    }

    /// The heights that its nodes have read, which are pickled in addition to the JSON.
    #[getter]
    fn _heights<'py>(&self, py: Python<'py>) -> PyResult<Vec<heights::Kept<'py>>> {
        heights::kept(py, self.get().node.iter())
    }

    /// The hashes of the heights that nodes have read.
    #[getter]
    fn _digests(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        heights::digests(py, self.get().node.iter())
    }

    /// A pipeline from JSON: `{"output": …, "node": {…}, "stage": {…}}`. Files that it names are not read.
    #[staticmethod]
    #[pyo3(signature = (text, _heights = Vec::new()))]
    fn from_json<'py>(py: Python<'py>, text: &str, _heights: Vec<heights::Kept<'py>>) -> PyResult<Bound<'py, PyAny>> {
        let mut pipeline: orogen::Pipeline = serde_json::from_str(text).map_err(raised)?;
        heights::restore(pipeline.node.iter_mut(), &_heights)?;
        pipeline.check().map_err(raised)?;
        to_python(py, pipeline)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Pipeline>() else { return Ok(false) };
        let (here, there) = (self.get(), other.get().get());
        heights::hash(py, here.node.iter().chain(&there.node))?;
        Ok(here == there)
    }

    fn __hash__(&self) -> u64 {
        crate::hash::hash(&self.get())
    }

    fn __repr__(&self) -> String {
        let pipeline = self.get();
        let kinds: Vec<_> = pipeline.stage.values().map(|stage| stage.info().kind).collect();
        format!("<orogen.Pipeline '{}': {} nodes → {}>", pipeline.output, pipeline.node.len(), kinds.join(" → "))
    }
}

impl Pipeline {
    /// The requested names: one string, or several.
    pub(crate) fn names(outputs: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        if outputs.is_instance_of::<PyString>() {
            return Ok(vec![outputs.extract()?]);
        }
        let names: Vec<String> = outputs.extract().map_err(|reason| refused_because(reason, "outputs", outputs, "names"))?;
        if names.is_empty() { Err(refused("outputs", "[]", "one or more names")) } else { Ok(names) }
    }
}
