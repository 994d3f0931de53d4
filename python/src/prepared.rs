//! Noises that are lowered once, for many calls.

use crate::argument::Argument;
use crate::array;
use crate::engine::Engine;
use crate::error::{raised, refused_value};
use crate::noise;
use crate::pieces::{self, Positions};
use crate::process;
use crate::region::Region;
use crate::setting;
use numpy::{PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use orogen::EngineOptions;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, PoisonError, RwLock};

/// A noise on an engine, lowered once: for programs that ask about one noise many times. `Engine.prepare` makes it. Every method may be
/// called from any thread.
#[pyclass(frozen, module = "orogen")]
pub(crate) struct Prepared {
    options: EngineOptions,
    state: RwLock<Arc<State>>,
}

struct State {
    process: u32,
    noise: orogen::Prepared,
}

impl Prepared {
    pub(crate) fn new(noise: orogen::Prepared, options: EngineOptions) -> Self {
        Prepared { options, state: RwLock::new(Arc::new(State { process: process::id(), noise })) }
    }

    /// The noise, in this process.
    fn get(&self) -> PyResult<Arc<State>> {
        let state = Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner));
        if state.process == process::id() {
            return Ok(state);
        }
        let engine = process::again(state.noise.engine(), &self.options)?;
        let noise = engine.prepare(state.noise.noise()).map_err(raised)?;
        let here = Arc::new(State { process: process::id(), noise });
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&here);
        Ok(here)
    }
}

/// Where results go: arrays of one's own, or the caller's. What Python gets in the end, and the memory behind it.
struct Results<'py> {
    values: PyReadwriteArrayDyn<'py, f32>,
    gradients: Option<PyReadwriteArrayDyn<'py, f32>>,
}

impl<'py> Results<'py> {
    /// Makes arrays, or checks those that are given, before anything is computed.
    fn of(py: Python<'py>, shape: &[usize], gradient: bool, out: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let deeper = gradient.then(|| [shape, &[3]].concat());
        let (values, gradients) = match (out, &deeper) {
            (None, _) => {
                let samples = shape.iter().fold(1, |n: u64, &s| n.saturating_mul(s as u64));
                array::check_room(shape, samples.saturating_mul(if gradient { 4 } else { 1 }))?;
                let new = |shape: &[usize]| Ok::<_, PyErr>(array::blank(py, shape)?.try_readwrite()?);
                (new(shape)?, deeper.as_deref().map(new).transpose()?)
            }
            (Some(out), None) => (array::destination("out", out, shape)?, None),
            (Some(out), Some(deeper)) => {
                let pair = out.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
                let pair = pair.ok_or_else(|| refused_value("out", out, "with gradient=True a pair of arrays"))?;
                let values = array::destination("out[0]", &pair.get_item(0)?, shape)?;
                (values, Some(array::destination("out[1]", &pair.get_item(1)?, deeper)?))
            }
        };
        Ok(Results { values, gradients })
    }

    /// Fills them.
    fn filled(
        mut self,
        py: Python<'py>,
        fill: impl FnOnce(&mut [f32], Option<&mut [[f32; 3]]>) -> PyResult<()>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values = self.values.as_slice_mut().map_err(|_| array::misaligned("out"))?;
        let gradients = self.gradients.as_mut().map(PyReadwriteArrayDyn::as_slice_mut).transpose();
        let gradients = gradients.map_err(|_| array::misaligned("out[1]"))?;
        fill(values, gradients.map(|numbers| numbers.as_chunks_mut::<3>().0))?;
        let values = self.values.as_any().clone();
        match self.gradients {
            None => Ok(values),
            Some(gradients) => Ok(PyTuple::new(py, [values, gradients.as_any().clone()])?.into_any()),
        }
    }
}

#[pymethods]
impl Prepared {
    /// Values on a region; see `Engine.field`.
    #[pyo3(signature = (region, *, gradient = false, out = None))]
    pub(crate) fn field<'py>(
        &self,
        py: Python<'py>,
        region: Argument<'py, Region>,
        gradient: bool,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = self.get()?;
        let results = Results::of(py, &region.shape(), gradient, out.as_ref())?;
        results.filled(py, |values, gradients| pieces::field(py, &state.noise, &region.samples, values, gradients))
    }

    /// Values at positions; see `Engine.sample`.
    #[pyo3(signature = (points, *, gradient = false, out = None))]
    pub(crate) fn sample<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        gradient: bool,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = self.get()?;
        let points = array::positions(points)?;
        let numbers = points.as_slice().map_err(|_| array::misaligned("points"))?;
        let positions =
            if points.shape()[1] == 2 { Positions::Plane(numbers.as_chunks().0) } else { Positions::Space(numbers.as_chunks().0) };
        let results = Results::of(py, &[positions.len()], gradient, out.as_ref())?;
        results.filled(py, |values, gradients| pieces::sample(py, &state.noise, positions, values, gradients))
    }

    /// The value at one position, in f64 from the oracle.
    #[pyo3(signature = (x, y, z = 0.0))]
    fn value(&self, x: f64, y: f64, z: f64) -> PyResult<f64> {
        self.get()?.noise.value([x, y, z]).map_err(raised)
    }

    /// Changes a live parameter by its name, `node.parameter`, for the calls that follow. Compiles nothing; takes some microseconds for each
    /// node.
    fn set(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let setting = setting::of_python(path, value)?;
        self.get()?;
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let mut noise = state.noise.clone();
        noise.set(path, setting).map_err(raised)?;
        *state = Arc::new(State { process: process::id(), noise });
        Ok(())
    }

    /// The noise as it stands.
    #[getter]
    fn noise<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        noise::to_python(py, self.get()?.noise.noise().clone())
    }

    /// The smallest and the largest number that no value leaves.
    fn range(&self) -> PyResult<(f64, f64)> {
        let range = self.get()?.noise.range();
        Ok((range.lo, range.hi))
    }

    /// Pickled, it is prepared anew on the engine that the other process has.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let engine = Bound::new(py, Engine::open(py, self.options.clone())?)?;
        Ok((engine.getattr("prepare")?, (self.noise(py)?,)))
    }

    /// What a sample costs, in lattices.
    #[getter]
    fn terms(&self) -> PyResult<u64> {
        Ok(self.get()?.noise.terms())
    }
}
