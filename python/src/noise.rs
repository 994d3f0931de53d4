//! Noises.

use crate::argument::Named;
use crate::error::{raised, refused, refused_because, refused_value};
use crate::{heights, setting};
use orogen::node::{Node, ParamType};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};
use std::sync::{PoisonError, RwLock};

/// A noise, without the methods generated from the table of nodes; programs use `orogen.Noise`.
#[pyclass(frozen, subclass, name = "NoiseBase", module = "orogen._orogen")]
pub(crate) struct Noise(RwLock<orogen::Noise>);

/// The Python object of a noise.
pub(crate) fn to_python(py: Python<'_>, noise: orogen::Noise) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "orogen", "Noise")?.call1((Noise::over(noise),))
}

impl Named for Noise {
    const SHOWN: &'static str = "a Noise";
}

impl Noise {
    fn over(noise: orogen::Noise) -> Self {
        Noise(RwLock::new(noise))
    }

    /// A copy of the current noise.
    pub(crate) fn get(&self) -> orogen::Noise {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A node of any kind over noises, with settings by name; inputs are noises or numbers. None means omitted.
#[pyfunction]
#[pyo3(signature = (kind, /, **settings))]
pub(crate) fn node_of_kind<'py>(py: Python<'py>, kind: &str, settings: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
    let Some(mut node) = Node::of_kind(kind) else {
        let kinds: Vec<_> = Node::TABLE.iter().map(|row| row.kind).collect();
        return Err(refused("kind", format!("'{kind}'"), &kinds.join(", ")));
    };
    let mut inputs: Vec<(String, orogen::Noise)> = Vec::new();
    let mut files = Vec::new();
    for (name, value) in settings.into_iter().flatten() {
        let name: String = name.extract()?;
        let what = format!("node '{kind}': {name}");
        let info = node.info().param(&name);
        let is_input = info.is_some_and(|info| info.param_type == ParamType::Input);
        if info.is_some_and(|info| info.param_type == ParamType::File) {
            files.push((what, value));
        } else if let Ok(noise) = value.cast::<Noise>() {
            inputs.push((name, noise.get().get()));
        } else if is_input && value.is_instance_of::<PyString>() {
            return Err(refused_value(&what, &value, "a noise or a number"));
        } else if !(value.is_none() && info.is_some_and(|info| info.optional || is_input)) {
            let allowed = info.map(setting::allowed).unwrap_or_default();
            node.set(&name, setting::of_parameter(&what, &value, &allowed)?).map_err(raised)?;
        }
    }
    // Files are read last, because other settings declare their format.
    for (what, value) in files {
        heights::set(&mut node, &what, &value)?;
    }
    if let Node::Raster(raster) = &mut node
        && raster.heights.is_from_file()
    {
        raster.sha256 = raster.sha256.or(raster.heights.digest());
    }
    // In the table's order: the first input keeps the names of its nodes.
    let place = |name: &str| node.info().params.iter().position(|param| param.name == name);
    inputs.sort_by_key(|(name, _)| place(name));
    let inputs: Vec<(&str, &orogen::Noise)> = inputs.iter().map(|(name, noise)| (name.as_str(), noise)).collect();
    let noise = orogen::Noise::join(node, &inputs).map_err(raised)?;
    noise.check().map_err(raised)?;
    to_python(py, noise)
}

#[pymethods]
impl Noise {
    #[new]
    #[pyo3(signature = (value, /))]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(noise) = value.cast::<Noise>() {
            return Ok(Noise::over(noise.get().get()));
        }
        let value = value.extract::<f64>().map_err(|reason| refused_because(reason, "value", value, "a noise or a number"))?;
        let noise = orogen::Noise::constant(value);
        noise.check().map_err(raised)?;
        Ok(Noise::over(noise))
    }

    /// Another noise of the same kind: every seed depends on `variation`, too, as with `--variation` of the command. 0 changes nothing.
    fn varied<'py>(slf: &Bound<'py, Self>, variation: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let mut pipeline: orogen::Pipeline = slf.get().get().into();
        pipeline.vary(crate::region::whole("variation", variation)?);
        let noise = pipeline.noise_of(&pipeline.output).map_err(raised)?;
        to_python(slf.py(), noise)
    }

    /// This noise with a name for its last node, for recipes, messages and `set`. If the name is taken, a number is appended.
    fn named<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let noise = slf.get().get().named(name);
        noise.check().map_err(raised)?;
        to_python(slf.py(), noise)
    }

    /// Changes a live parameter by its path, `node.parameter`, in place. Compiles nothing.
    fn set(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let setting = setting::of_python(path, value)?;
        let mut noise = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = noise.clone();
        changed.set(path, setting).map_err(raised)?;
        changed.check().map_err(raised)?;
        *noise = changed;
        Ok(())
    }

    /// The value of a parameter by its path, `node.parameter`; `None` if it is not set.
    #[pyo3(name = "get")]
    fn get_setting<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let setting = self.get().get(path).map_err(raised)?;
        setting.map(|setting| setting::to_python(py, &setting)).transpose()
    }

    /// Proven lower and upper bounds of all values.
    fn range(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        let noise = self.get();
        heights::smooth(py, noise.graph().node.iter())?;
        let range = noise.range().map_err(raised)?;
        Ok((range.lo, range.hi))
    }

    /// The names of all nodes with their kinds, inputs first.
    #[getter]
    fn nodes(&self) -> Vec<(String, &'static str)> {
        self.get().graph().node.iter().map(|(name, node)| (name.clone(), node.info().kind)).collect()
    }

    /// The name of the node that is the noise.
    #[getter]
    fn output(&self) -> String {
        self.get().graph().output.clone()
    }

    /// The noise as JSON, which `from_json` reads.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let noise = self.get();
        heights::hash(py, noise.graph().node.iter())?;
        serde_json::to_string(&noise).map_err(raised)
    }

    /// The heights that its nodes have read, which are pickled in addition to the JSON.
    #[getter]
    fn _heights<'py>(&self, py: Python<'py>) -> PyResult<Vec<heights::Kept<'py>>> {
        heights::kept(py, self.get().graph().node.iter())
    }

    /// The hashes of the heights that nodes have read.
    #[getter]
    fn _digests(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        heights::digests(py, self.get().graph().node.iter())
    }

    /// A noise from JSON: `{"output": …, "node": {…}}`. Files that it names are not read.
    #[staticmethod]
    #[pyo3(signature = (text, _heights = Vec::new()))]
    fn from_json<'py>(py: Python<'py>, text: &str, _heights: Vec<heights::Kept<'py>>) -> PyResult<Bound<'py, PyAny>> {
        let mut graph: orogen::Graph = serde_json::from_str(text).map_err(raised)?;
        heights::restore(graph.node.iter_mut(), &_heights)?;
        let noise = orogen::Noise::from(graph);
        noise.check().map_err(raised)?;
        to_python(py, noise)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Noise>() else { return Ok(false) };
        let (here, there) = (self.get(), other.get().get());
        heights::hash(py, here.graph().node.iter().chain(&there.graph().node))?;
        Ok(here == there)
    }

    fn __hash__(&self) -> u64 {
        crate::hash::hash(&self.get().into())
    }
}
