//! Noises that are prepared once, for many calls.

use crate::argument::Argument;
use crate::array;
use crate::error::{raised, refused, refused_value};
use crate::kept::Kept;
use crate::noise;
use crate::pieces::{self, Positions};
use crate::process;
use crate::region::Region;
use crate::setting;
use numpy::{PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use orogen::EngineOptions;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyTuple};
use std::sync::Arc;

/// A noise on an engine, prepared once for many calls. Created by `Engine.prepare`. Every method may be called from any thread.
#[pyclass(frozen, module = "orogen")]
pub(crate) struct Prepared {
    options: EngineOptions,
    /// The engine as an object, for pickling.
    engine: Py<PyAny>,
    noise: Kept<orogen::Prepared>,
}

impl Prepared {
    pub(crate) fn new(noise: orogen::Prepared, options: EngineOptions, engine: Py<PyAny>) -> Self {
        Prepared { options, engine, noise: Kept::new(noise) }
    }

    /// A noise of another process, prepared in this one.
    fn anew(&self, there: &orogen::Prepared) -> PyResult<orogen::Prepared> {
        process::again(there.engine(), &self.options)?.prepare(there.noise()).map_err(raised)
    }

    /// The noise, in this process.
    fn get(&self) -> PyResult<Arc<orogen::Prepared>> {
        self.noise.get(|there| self.anew(there))
    }
}

/// Names and values of parameters that change together.
pub(crate) fn changes(changes: &Bound<'_, PyMapping>) -> PyResult<Vec<(String, orogen::Setting)>> {
    let pairs = changes.items()?;
    pairs
        .iter()
        .map(|pair| {
            let (path, value): (String, Bound<'_, PyAny>) = pair.extract()?;
            let setting = setting::of_python(&path, &value)?;
            Ok((path, setting))
        })
        .collect()
}

/// Value and gradient at a position.
type ValueAndGradient = (f64, (f64, f64, f64));

/// The result of `value`.
#[derive(IntoPyObject)]
enum Found {
    Value(f64),
    Both(ValueAndGradient),
}

/// The arrays for results, new or the caller's: the object returned to Python, and its memory.
pub(crate) struct Results<'py> {
    values: PyReadwriteArrayDyn<'py, f32>,
    gradients: Option<PyReadwriteArrayDyn<'py, f32>>,
}

impl<'py> Results<'py> {
    /// Creates or checks the arrays before the computation.
    pub(crate) fn of(py: Python<'py>, shape: &[usize], gradient: bool, out: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
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
    pub(crate) fn filled(
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
    /// Values on a region; see `Engine.field`. `w` is a fourth coordinate, such as time: it is added to the parameter `w` of
    /// every 4D node, without preparing the noise again.
    #[pyo3(signature = (region, *, gradient = false, w = 0.0, out = None))]
    pub(crate) fn field<'py>(
        &self,
        py: Python<'py>,
        region: Argument<'py, Region>,
        gradient: bool,
        w: f64,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let noise = self.get()?;
        let results = Results::of(py, &region.shape(), gradient, out.as_ref())?;
        results.filled(py, |values, gradients| pieces::field(py, &noise, w, &region.samples, values, gradients))
    }

    /// Values at positions; see `Engine.sample`. `w` is a fourth coordinate for all positions, as in `field`. Points of shape
    /// (n, 4) have their own fourth coordinate. Sort them by it if possible: neighbours with equal ones are computed together.
    #[pyo3(signature = (points, *, gradient = false, w = 0.0, out = None))]
    pub(crate) fn sample<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        gradient: bool,
        w: f64,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let noise = self.get()?;
        let points = array::positions(points, &[2, 3, 4])?;
        let numbers = points.as_slice().map_err(|_| array::misaligned("points"))?;
        let positions = match points.shape()[1] {
            2 => Positions::Plane(numbers.as_chunks().0),
            3 => Positions::Space(numbers.as_chunks().0),
            _ => Positions::Time(numbers.as_chunks().0),
        };
        if matches!(positions, Positions::Time(_)) && (gradient || w != 0.0) {
            let allowed = "shape (n, 2) or (n, 3) together with gradient=True or w";
            return Err(refused("points", format!("an array of shape {:?}", points.shape()), allowed));
        }
        let results = Results::of(py, &[positions.len()], gradient, out.as_ref())?;
        results.filled(py, |values, gradients| pieces::sample(py, &noise, w, positions, values, gradients))
    }

    /// The value at one position, in f64 from the oracle. With `gradient=True` a pair: the value, and its gradient (x, y, z)
    /// per world unit. `w` is a fourth coordinate, as in `field`.
    #[pyo3(signature = (x, y, z = 0.0, *, gradient = false, w = 0.0))]
    fn value(&self, x: f64, y: f64, z: f64, gradient: bool, w: f64) -> PyResult<Found> {
        let noise = self.get()?;
        if !gradient {
            return Ok(Found::Value(noise.at(w).value([x, y, z]).map_err(raised)?));
        }
        let (value, [x, y, z]) = noise.at(w).value_with_gradient([x, y, z]).map_err(raised)?;
        Ok(Found::Both((value, (x, y, z))))
    }

    /// Changes a live parameter by its path, `node.parameter`, for later calls. Compiles nothing; takes a few microseconds per
    /// node.
    fn set(&self, path: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let setting = setting::of_python(path, value)?;
        self.noise.change(|there| self.anew(there), |noise| noise.set(path, setting).map_err(raised))
    }

    /// Changes several live parameters, given as a mapping of paths to values, and prepares the noise once. After an error the
    /// noise is unchanged.
    fn set_all(&self, changes: &Bound<'_, PyMapping>) -> PyResult<()> {
        let changes = self::changes(changes)?;
        self.noise.change(|there| self.anew(there), |noise| noise.set_all(changes).map_err(raised))
    }

    /// A copy of the current noise.
    #[getter]
    fn noise<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        noise::to_python(py, self.get()?.noise().clone())
    }

    /// Proven lower and upper bounds of all values.
    fn range(&self) -> PyResult<(f64, f64)> {
        let range = self.get()?.range();
        Ok((range.lo, range.hi))
    }

    /// Unpickling prepares the noise again, on the engine of the current process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        Ok((self.engine.bind(py).getattr("prepare")?, (self.noise(py)?,)))
    }

    /// The cost of a sample, as a number of lattices.
    #[getter]
    fn terms(&self) -> PyResult<u64> {
        Ok(self.get()?.terms())
    }
}
