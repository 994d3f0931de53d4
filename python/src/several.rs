//! Several noises that are prepared together.

use crate::argument::Argument;
use crate::array;
use crate::error::raised;
use crate::kept::Kept;
use crate::noise;
use crate::pieces;
use crate::prepared::{Results, changes};
use crate::process;
use crate::region::Region;
use numpy::PyUntypedArrayMethods;
use orogen::EngineOptions;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping};
use std::sync::Arc;

/// Several noises on an engine, prepared together: one call gives the values of all of them, and shared parts are computed
/// once. Created by `Engine.prepare_several`. Every method may be called from any thread.
#[pyclass(frozen, module = "orogen")]
pub(crate) struct PreparedSeveral {
    options: EngineOptions,
    /// The engine as an object, for pickling.
    engine: Py<PyAny>,
    noises: Kept<orogen::PreparedSeveral>,
}

impl PreparedSeveral {
    pub(crate) fn new(noises: orogen::PreparedSeveral, options: EngineOptions, engine: Py<PyAny>) -> Self {
        PreparedSeveral { options, engine, noises: Kept::new(noises) }
    }

    /// Noises of another process, prepared in this one.
    fn anew(&self, there: &orogen::PreparedSeveral) -> PyResult<orogen::PreparedSeveral> {
        let noises: Vec<orogen::Noise> = there.noises().collect();
        let engine = process::again(there.engine(), &self.options)?;
        engine.prepare_several(&noises.iter().collect::<Vec<_>>()).map_err(raised)
    }

    fn get(&self) -> PyResult<Arc<orogen::PreparedSeveral>> {
        self.noises.get(|there| self.anew(there))
    }
}

#[pymethods]
impl PreparedSeveral {
    /// Values on a region: a float32 array of the region's `shape` with a last axis over the noises.
    #[pyo3(signature = (region, *, out = None))]
    fn field<'py>(&self, py: Python<'py>, region: Argument<'py, Region>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let noises = self.get()?;
        let shape = [region.shape(), vec![noises.outputs()]].concat();
        Results::of(py, &shape, false, out.as_ref())?.filled(py, |values, _| pieces::fields(py, &noises, &region.samples, values))
    }

    /// Values at positions of shape (n, 2) or (n, 3): a float32 array of n rows, with a column per noise.
    #[pyo3(signature = (points, *, out = None))]
    fn sample<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let noises = self.get()?;
        let points = array::positions(points, &[2, 3])?;
        let numbers = points.as_slice().map_err(|_| array::misaligned("points"))?;
        let axes = points.shape()[1];
        let results = Results::of(py, &[points.shape()[0], noises.outputs()], false, out.as_ref())?;
        results.filled(py, |values, _| pieces::samples(py, &noises, numbers, axes, values))
    }

    /// Changes several live parameters, given as a mapping of paths to values, in all noises that contain the node. After an
    /// error all are unchanged.
    fn set_all(&self, changes: &Bound<'_, PyMapping>) -> PyResult<()> {
        let changes = self::changes(changes)?;
        self.noises.change(|there| self.anew(there), |noises| noises.set_all(changes).map_err(raised))
    }

    /// Copies of the current noises. Each contains the nodes of all, under the names that `set_all` takes.
    #[getter]
    fn noises<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let noises = self.get()?;
        PyList::new(py, noises.noises().map(|noise| noise::to_python(py, noise)).collect::<PyResult<Vec<_>>>()?)
    }

    /// Unpickling prepares them again, on the engine of the current process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyList>,))> {
        Ok((self.engine.bind(py).getattr("prepare_several")?, (self.noises(py)?,)))
    }

    /// The cost of a sample of all noises, as a number of lattices.
    #[getter]
    fn terms(&self) -> PyResult<u64> {
        Ok(self.get()?.terms())
    }
}
