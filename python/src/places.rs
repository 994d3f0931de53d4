//! Points with a minimum distance.

use crate::argument::Argument;
use crate::array;
use crate::engine::Engine;
use crate::error::raised;
use crate::heights;
use crate::noise::Noise;
use crate::pieces::stoppable;
use crate::process;
use crate::region::whole;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use orogen::Stop;
use orogen::scatter::{Point, Poisson, PoissonError};
use pyo3::prelude::*;

/// Positions (n, 2), thresholds (n,), random numbers (n,).
type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Edge of the area that is searched at a time, in distances.
const EDGE: f64 = 500.0;
/// Bytes per point in an area of one distance squared, including temporary copies.
const BYTES: f64 = 120.0;

/// The points of a rectangle, part by part: adjacent rectangles contain every point once.
fn in_parts(
    py: Python<'_>,
    distance: f64,
    [low, high]: [[f64; 2]; 2],
    find: impl Fn([f64; 2], [f64; 2], &Stop) -> Result<Vec<Point>, PoissonError> + Sync,
) -> PyResult<Vec<Point>> {
    let edges = [0, 1].map(|axis| (high[axis] - low[axis]) / distance);
    let squares = edges[0] * edges[1];
    // The search itself refuses an invalid or too large rectangle.
    let parts = if edges.iter().all(|&edge| edge > 0.0) && squares < 5e8 {
        array::check_memory("area", &format!("{low:?} to {high:?}"), (squares * BYTES) as u64)?;
        edges.map(|edge| (edge / EDGE).ceil().max(1.0))
    } else {
        [1.0; 2]
    };
    let border = |axis: usize, part: f64| match part {
        0.0 => low[axis],
        part if part >= parts[axis] => high[axis],
        part => low[axis] + (high[axis] - low[axis]) * (part / parts[axis]),
    };
    stoppable(py, |stop| {
        let mut all = Vec::new();
        for (y, x) in (0..parts[1] as u32).flat_map(|y| (0..parts[0] as u32).map(move |x| (y, x))) {
            let corner = |step: u32| [border(0, f64::from(x + step)), border(1, f64::from(y + step))];
            let found = process::with_threads(|| find(corner(0), corner(1), stop)).map_err(|error| error.to_string())?;
            all.extend(found.map_err(|error| error.to_string())?);
        }
        Ok::<_, String>(all)
    })
}

fn arrays(py: Python<'_>, points: Vec<Point>) -> PyResult<Arrays<'_>> {
    let positions: Vec<f64> = points.iter().flat_map(|point| point.position).collect();
    let thresholds: Vec<f64> = points.iter().map(|point| point.threshold).collect();
    let random: Vec<f64> = points.iter().map(|point| point.random).collect();
    Ok((positions.into_pyarray(py).reshape([points.len(), 2])?, thresholds.into_pyarray(py), random.into_pyarray(py)))
}

/// A seed: any 64-bit unsigned integer.
fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    orogen::seed(&whole::<i128>("seed", value)?.to_string()).map_err(raised)
}

/// All points of a rectangle, half-open.
#[pyfunction]
pub(crate) fn places<'py>(
    py: Python<'py>,
    distance: f64,
    seed: &Bound<'py, PyAny>,
    relax: &Bound<'py, PyAny>,
    low: [f64; 2],
    high: [f64; 2],
) -> PyResult<Arrays<'py>> {
    let poisson = Poisson { distance, seed: self::seed(seed)?, relax: whole("relax", relax)? };
    arrays(py, in_parts(py, distance, [low, high], |low, high, stop| poisson.points_until(low, high, stop))?)
}

/// The points of a rectangle that a density keeps.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each argument of the library")]
pub(crate) fn scatter<'py>(
    py: Python<'py>,
    engine: Argument<'py, Engine>,
    density: Argument<'py, Noise>,
    distance: f64,
    seed: &Bound<'py, PyAny>,
    relax: &Bound<'py, PyAny>,
    low: [f64; 2],
    high: [f64; 2],
    z: f64,
) -> PyResult<Arrays<'py>> {
    let poisson = Poisson { distance, seed: self::seed(seed)?, relax: whole("relax", relax)? };
    let (engine, density) = (engine.get()?, density.get());
    heights::smooth(py, density.graph().node.iter())?;
    arrays(py, in_parts(py, distance, [low, high], |low, high, stop| poisson.scatter(&engine.stopped_by(stop), &density, low, high, z))?)
}
