//! Long work in pieces, between which Python may interrupt it. No bit depends on how it is cut.

use crate::error::raised;
use orogen::{Gradient, Prepared, Region};
use pyo3::prelude::*;

/// Lattices times samples of one piece: a tenth of a second's work or so.
const TERMS: u64 = 1 << 25;

/// Runs Python's signal handlers: Ctrl-C becomes the error it is. For threads that have let go of the interpreter.
pub(crate) fn interrupt() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// A region cut along its slowest axes, so that the pieces follow each other in memory.
fn pieces(region: &Region, terms: u64) -> impl Iterator<Item = Region> {
    let region = *region;
    let [width, height, depth] = region.size;
    let rows = (TERMS / terms.max(1) / u64::from(width).max(1)).clamp(1, u64::from(u32::MAX)) as u32;
    let (rows, layers) = if rows >= height { (height, (rows / height.max(1)).max(1)) } else { (rows, 1) };
    (0..depth).step_by(layers as usize).flat_map(move |z| {
        (0..height).step_by(rows as usize).map(move |y| Region {
            origin: [region.origin[0], region.origin[1] + i64::from(y), region.origin[2] + i64::from(z)],
            size: [width, rows.min(height - y), layers.min(depth - z)],
            ..region
        })
    })
}

/// Values on a region, and gradients where there is a place for them, into memory that holds as many.
pub(crate) fn field(
    py: Python<'_>,
    noise: &Prepared,
    region: &Region,
    values: &mut [f32],
    gradients: Option<&mut [[f32; 3]]>,
) -> PyResult<()> {
    py.detach(|| {
        let (mut values, mut gradients) = (values, gradients);
        let mut first = true;
        for piece in pieces(region, noise.terms()) {
            if !std::mem::take(&mut first) {
                interrupt()?;
            }
            let count = (piece.samples() as usize).min(values.len());
            let (here, rest) = values.split_at_mut(count);
            values = rest;
            match gradients.take() {
                None => noise.field_into(&piece, here).map_err(raised)?,
                Some(all) => {
                    let (along, rest) = all.split_at_mut(count.min(all.len()));
                    gradients = Some(rest);
                    noise.field_with_gradient_into(&piece, here, along).map_err(raised)?;
                }
            }
        }
        Ok(())
    })
}

/// Positions as NumPy has them.
#[derive(Clone, Copy)]
pub(crate) enum Positions<'a> {
    /// (x, y), at z = 0.
    Plane(&'a [[f64; 2]]),
    /// (x, y, z).
    Space(&'a [[f64; 3]]),
}

impl Positions<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Positions::Plane(points) => points.len(),
            Positions::Space(points) => points.len(),
        }
    }
}

/// Values at positions, and gradients where there is a place for them.
pub(crate) fn sample(
    py: Python<'_>,
    noise: &Prepared,
    positions: Positions<'_>,
    values: &mut [f32],
    mut gradients: Option<&mut [[f32; 3]]>,
) -> PyResult<()> {
    py.detach(|| {
        let most = (TERMS / 4 / noise.terms().max(1)).max(1) as usize;
        let mut widened: Vec<[f64; 3]> = Vec::new();
        for (first, values) in (0..positions.len()).step_by(most).zip(values.chunks_mut(most)) {
            if first > 0 {
                interrupt()?;
            }
            let here = first..first + values.len();
            let points = match positions {
                Positions::Space(points) => &points[here.clone()],
                Positions::Plane(points) => {
                    widened.clear();
                    widened.extend(points[here.clone()].iter().map(|&[x, y]| [x, y, 0.0]));
                    &widened[..]
                }
            };
            match &mut gradients {
                None => noise.sample_into(points, values).map_err(|error| at(first, error))?,
                Some(gradients) => {
                    let samples = noise.sample(points, Gradient::With).map_err(|error| at(first, error))?;
                    for ((value, gradient), sample) in values.iter_mut().zip(&mut gradients[here]).zip(samples) {
                        *value = sample.value as f32;
                        *gradient = sample.gradient.unwrap_or_default().map(|x| x as f32);
                    }
                }
            }
        }
        Ok(())
    })
}

/// An error in a piece, which counts points from its own first.
fn at(first: usize, error: orogen::EngineError) -> PyErr {
    match error {
        orogen::EngineError::Point { index, value } => raised(orogen::EngineError::Point { index: first + index, value }),
        error => raised(error),
    }
}
