//! Distributions and spectra of arrays.

use crate::array;
use crate::error::{raised, refused};
use crate::pieces::{abandonable, stoppable};
use crate::region::{held, whole};
use numpy::{IntoPyArray, PyArray1, PyUntypedArrayMethods};
use orogen::stats::{self, Band, Periodogram, Window};
use orogen::{Stop, Stopped};
use pyo3::prelude::*;
use std::sync::Arc;

/// Number of values visited before Python may interrupt.
const LARGE: usize = 1 << 18;
/// Maximum number of parts of a histogram, and of sectors of a circle.
const MOST: usize = 1 << 20;

/// The distribution of an array's finite values.
#[pyclass(frozen, module = "orogen.stats")]
pub(crate) struct Distribution(Arc<stats::Distribution>);

impl Distribution {
    /// A step that visits every value.
    fn look<T: Send + 'static>(&self, py: Python<'_>, find: impl FnOnce(&stats::Distribution) -> T + Send + 'static) -> PyResult<T> {
        let distribution = Arc::clone(&self.0);
        if distribution.count() > LARGE { abandonable(py, move || find(&distribution)) } else { Ok(find(&distribution)) }
    }
}

#[pymethods]
impl Distribution {
    #[new]
    fn new(py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let values = array::values(values, "values")?;
        let values = values.as_slice().map_err(|_| array::misaligned("values"))?;
        let found = stoppable(py, |stop| stats::Distribution::of_until(values, stop))?;
        let found = found.ok_or_else(|| refused("values", "an array without finite numbers", "one or more finite numbers"))?;
        Ok(Distribution(Arc::new(found)))
    }

    /// The number of values.
    #[getter]
    fn count(&self) -> usize {
        self.0.count()
    }

    /// Their mean.
    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean()
    }

    /// Their standard deviation, for a whole population.
    #[getter]
    fn deviation(&self) -> f64 {
        self.0.deviation()
    }

    /// Smallest and largest.
    #[getter]
    fn extent(&self) -> (f64, f64) {
        self.0.extent().into()
    }

    /// The smallest value that at least this share of the values (0 to 1) does not exceed.
    fn quantile(&self, share: f64) -> PyResult<f64> {
        if (0.0..=1.0).contains(&share) { Ok(self.0.quantile(share)) } else { Err(refused("share", share, "0 to 1")) }
    }

    /// The share of values that are at most `x`.
    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x)
    }

    /// The number of values in each of `bins` equal parts of low to high.
    fn histogram<'py>(&self, py: Python<'py>, low: f64, high: f64, bins: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let bins: usize = whole("bins", bins)?;
        if !(1..=MOST).contains(&bins) {
            return Err(refused("bins", bins, "1 to 1048576"));
        }
        Ok(self.look(py, move |found| found.histogram(low, high, bins))?.into_pyarray(py))
    }

    /// Kolmogorov–Smirnov distance from the uniform distribution on low to high, 0 to 1.
    fn ks_uniform(&self, py: Python<'_>, low: f64, high: f64) -> PyResult<f64> {
        self.look(py, move |found| found.ks_uniform(low, high))
    }

    fn __repr__(&self) -> String {
        let [low, high] = self.0.extent();
        let (count, mean, deviation) = (self.0.count(), self.0.mean(), self.0.deviation());
        format!("<orogen.stats.Distribution of {count} values: {mean:.4} ± {deviation:.4} within [{low:.4}, {high:.4}]>")
    }
}

/// Power density by frequency: rings of rising frequency.
#[pyclass(frozen, module = "orogen.stats")]
pub(crate) struct Spectrum(stats::Spectrum);

#[pymethods]
impl Spectrum {
    /// Mean frequency of each ring, in cycles per sample.
    #[getter]
    fn frequency<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.rings.iter().map(|ring| ring.frequency).collect::<Vec<_>>().into_pyarray(py)
    }

    /// Mean power density of each ring.
    #[getter]
    fn power<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.rings.iter().map(|ring| ring.power).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The best-fitting power law between two frequencies, in cycles per sample: slope, its standard error, and the power
    /// density at one cycle per sample. None with fewer than three rings in the band, or without power.
    fn fit(&self, low: f64, high: f64) -> Option<(f64, f64, f64)> {
        self.0.fit(Band::new(low, high)).map(|fit| (fit.slope, fit.error, fit.factor))
    }
}

fn window(word: &str) -> PyResult<Window> {
    match word {
        "hann" => Ok(Window::Hann),
        "rectangle" => Ok(Window::Rectangle),
        _ => Err(refused("window", format!("\"{word}\""), "hann, rectangle")),
    }
}

/// Results from the power spectrum of a square array.
fn in_power<T: Send>(
    py: Python<'_>,
    values: &Bound<'_, PyAny>,
    window: &str,
    find: impl FnOnce(&Periodogram, &Stop) -> Result<T, Stopped> + Send,
) -> PyResult<T> {
    let window = self::window(window)?;
    let array = array::values(values, "values")?;
    let &[rows, columns] = array.shape() else {
        return Err(refused("values", format!("an array of shape {:?}", array.shape()), "a square array of 4² values or more"));
    };
    let values = array.as_slice().map_err(|_| array::misaligned("values"))?;
    if rows != columns || rows < 4 {
        return Err(refused("values", format!("an array of shape [{rows}, {columns}]"), "a square array of 4² values or more"));
    }
    let found = stoppable(py, |stop| {
        let mut pieces = values.chunks(LARGE).take_while(|_| !stop.is_stopped());
        if !pieces.all(|piece| piece.iter().all(|x| x.is_finite())) {
            return Ok(None);
        }
        Periodogram::of_until(values, rows, window, stop)?.map(|power| find(&power, stop)).transpose()
    })?;
    found.ok_or_else(|| refused("values", "an array with numbers that are not finite", "finite numbers"))
}

/// The power spectrum of a square array, the mean over rings of equal frequency. `window`: "hann", or "rectangle" for periodic
/// fields.
#[pyfunction]
#[pyo3(signature = (values, *, window = "hann"))]
pub(crate) fn spectrum(py: Python<'_>, values: &Bound<'_, PyAny>, window: &str) -> PyResult<Spectrum> {
    Ok(Spectrum(in_power(py, values, window, |power, stop| power.radial_until(stop))?))
}

/// Power by direction of a square array between two frequencies, in cycles per sample: the relative power of equal sectors of
/// the half circle, their relative standard deviation, and the deviation expected by chance.
#[pyfunction]
#[pyo3(signature = (values, low, high, *, sectors = 12, window = "hann"))]
pub(crate) fn isotropy<'py>(
    py: Python<'py>,
    values: &Bound<'py, PyAny>,
    low: f64,
    high: f64,
    sectors: i128,
    window: &str,
) -> PyResult<(Bound<'py, PyArray1<f64>>, f64, f64)> {
    let sectors: usize = held("sectors", sectors)?;
    if !(1..=MOST).contains(&sectors) {
        return Err(refused("sectors", sectors, "1 to 1048576"));
    }
    let found = in_power(py, values, window, |power, stop| power.isotropy_until(sectors, Band::new(low, high), stop))?;
    let found = found.ok_or_else(|| {
        raised(format!("no power in {sectors} sectors between {low} and {high} cycles per sample; allowed: a wider band, fewer sectors"))
    })?;
    Ok((found.sectors.into_pyarray(py), found.deviation, found.chance))
}
