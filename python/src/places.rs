//! Points that keep their distance.

use crate::array;
use crate::engine::Engine;
use crate::error::raised;
use crate::noise::Noise;
use crate::pieces::interrupt;
use crate::process;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use orogen::scatter::{Point, Poisson, PoissonError};
use pyo3::prelude::*;

/// Positions (n, 2), thresholds (n,), random numbers (n,).
type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Squares of the distance that are worked on before Python is asked whether it wants to interrupt.
const PIECE: f64 = 250_000.0;
/// Bytes that a square of the distance may come to, with what is on the way.
const BYTES: f64 = 120.0;

/// The points of a rectangle, strip by strip: rectangles side by side have every point once.
fn in_strips(
    py: Python<'_>,
    poisson: Poisson,
    [low, high]: [[f64; 2]; 2],
    find: impl Fn([f64; 2], [f64; 2]) -> Result<Vec<Point>, PoissonError> + Sync,
) -> PyResult<Vec<Point>> {
    let [width, height] = [0, 1].map(|axis| (high[axis] - low[axis]) / poisson.distance);
    let squares = width * height;
    // What is no rectangle is refused by the search itself.
    let strips = if squares.is_finite() && squares > PIECE && squares < 1e9 {
        array::check_memory("area", &format!("{low:?} to {high:?}"), (squares * BYTES) as u64)?;
        // None thinner than what one distance needs around it.
        (squares / PIECE).min(height / 64.0).floor().max(1.0)
    } else {
        1.0
    };
    let border = |strip: f64| if strip >= strips { high[1] } else { low[1] + (high[1] - low[1]) * (strip / strips) };
    py.detach(|| {
        let mut all = Vec::new();
        for strip in 0..strips as u32 {
            let [from, to] = [strip, strip + 1].map(|strip| border(f64::from(strip)));
            let from = if strip == 0 { low[1] } else { from };
            all.extend(process::with_threads(|| find([low[0], from], [high[0], to]))?.map_err(raised)?);
            interrupt()?;
        }
        Ok(all)
    })
}

fn arrays(py: Python<'_>, points: Vec<Point>) -> PyResult<Arrays<'_>> {
    let positions: Vec<f64> = points.iter().flat_map(|point| point.position).collect();
    let thresholds: Vec<f64> = points.iter().map(|point| point.threshold).collect();
    let random: Vec<f64> = points.iter().map(|point| point.random).collect();
    Ok((positions.into_pyarray(py).reshape([points.len(), 2])?, thresholds.into_pyarray(py), random.into_pyarray(py)))
}

/// All points of a rectangle, half open.
#[pyfunction]
pub(crate) fn places(py: Python<'_>, distance: f64, seed: u64, low: [f64; 2], high: [f64; 2]) -> PyResult<Arrays<'_>> {
    let poisson = Poisson { distance, seed };
    arrays(py, in_strips(py, poisson, [low, high], |low, high| poisson.points(low, high))?)
}

/// The points of a rectangle that a density lets appear.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each number that the library takes")]
pub(crate) fn scatter<'py>(
    py: Python<'py>,
    engine: &Engine,
    density: &Noise,
    distance: f64,
    seed: u64,
    low: [f64; 2],
    high: [f64; 2],
    z: f64,
) -> PyResult<Arrays<'py>> {
    let (poisson, engine, density) = (Poisson { distance, seed }, engine.get()?, density.get());
    arrays(py, in_strips(py, poisson, [low, high], |low, high| poisson.scatter(&engine, &density, low, high, z))?)
}
