//! Runs long work in pieces, between which Python may interrupt it. The result does not depend on the division.

use crate::error::raised;
use orogen::{Engine, Gradient, Prepared, PreparedSeveral, Region, Stop};
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Target duration of a piece.
const LONG: Duration = Duration::from_millis(50);
/// Size of the first piece, in lattices times samples, and the maximum number of samples of the others.
const FIRST: u64 = 1 << 22;

/// The size of pieces: adjusted from the duration of the previous piece.
struct Pace {
    /// Samples of a piece.
    samples: u64,
    start: Option<Instant>,
}

impl Pace {
    fn new(terms: u64) -> Self {
        Pace { samples: (FIRST / terms.max(1)).max(1), start: None }
    }

    /// Called before a piece: lets Python interrupt, except before the first.
    fn step(&mut self) -> PyResult<u64> {
        if let Some(start) = self.start {
            interrupt()?;
            let factor = LONG.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-6);
            self.samples = ((self.samples as f64 * factor.clamp(0.25, 8.0)) as u64).clamp(1, FIRST);
        }
        self.start = Some(Instant::now());
        Ok(self.samples)
    }
}

/// Runs long work on a separate thread. If Python interrupts, `stop` is called, and the work is awaited.
pub(crate) fn stoppable<T: Send, E: Display + Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> Result<T, E> + Send) -> PyResult<T> {
    let stop = Stop::default();
    py.detach(|| {
        let (done, wait) = mpsc::channel();
        std::thread::scope(|threads| {
            threads.spawn(|| done.send(work(&stop)));
            watch(&wait).inspect_err(|_| stop.stop())?.map_err(raised)
        })
    })
}

/// Runs long work on a separate thread, on an engine that stops when Python interrupts.
pub(crate) fn watched<T: Send, E: Display + Send>(
    py: Python<'_>,
    engine: &Engine,
    work: impl FnOnce(&Engine) -> Result<T, E> + Send,
) -> PyResult<T> {
    stoppable(py, |stop| work(&engine.stopped_by(stop)))
}

/// Runs work that cannot be stopped (reading a file, a driver's compiler) on a separate thread. If Python interrupts, the work
/// continues in the background, and its result is dropped.
pub(crate) fn abandonable<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    py.detach(|| abandoned_on_interrupt(work))
}

/// As `abandonable`, on a thread that has released the interpreter.
fn abandoned_on_interrupt<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let (done, wait) = mpsc::channel();
    std::thread::Builder::new().spawn(move || done.send(work())).map_err(raised)?;
    watch(&wait)
}

/// Waits for a thread's result while Python may interrupt.
fn watch<T>(wait: &mpsc::Receiver<T>) -> PyResult<T> {
    loop {
        match wait.recv_timeout(LONG) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => interrupt()?,
            Err(RecvTimeoutError::Disconnected) => return Err(raised("the work ended without a result")),
        }
    }
}

/// Runs Python's signal handlers: Ctrl-C becomes KeyboardInterrupt. For threads that have released the interpreter.
pub(crate) fn interrupt() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// The samples of a region from row `row` on, counted through all its layers: whole rows of one layer, or whole layers,
/// contiguous in memory. About `samples` of them, and at least one row.
fn piece(region: &Region, row: u64, samples: u64) -> Region {
    let [width, height, depth] = region.size;
    let (y, z) = ((row % u64::from(height)) as u32, (row / u64::from(height)) as u32);
    let rows = (samples / u64::from(width)).max(1);
    let (rows, layers) = if y == 0 && rows >= u64::from(height) {
        (height, (rows / u64::from(height)).min(u64::from(depth - z)) as u32)
    } else {
        (rows.min(u64::from(height - y)) as u32, 1)
    };
    let [i, j, k] = region.origin;
    Region { origin: [i, j + i64::from(y), k + i64::from(z)], size: [width, rows, layers], ..*region }
}

/// Whether an engine has a GPU.
fn is_on_device(engine: &Engine) -> bool {
    engine.arithmetic().is_some()
}

/// A result from a GPU, whose driver cannot be stopped and may compile for long.
fn from_device<N: Clone + Send + 'static, T: Send + 'static>(noise: &N, find: impl FnOnce(&N) -> T + Send + 'static) -> PyResult<T> {
    let noise = noise.clone();
    abandoned_on_interrupt(move || find(&noise))
}

/// Values on a region at a fourth coordinate, and gradients if `gradients` is given, into memory of that size.
pub(crate) fn field(
    py: Python<'_>,
    noise: &Prepared,
    w: f64,
    region: &Region,
    values: &mut [f32],
    gradients: Option<&mut [[f32; 3]]>,
) -> PyResult<()> {
    py.detach(|| {
        // An invalid region has no rows.
        region.check().map_err(raised)?;
        let rows = u64::from(region.size[1]) * u64::from(region.size[2]);
        let (mut values, mut gradients, mut row) = (values, gradients, 0);
        let on_device = is_on_device(noise.engine());
        let mut pace = Pace::new(noise.terms());
        while row < rows {
            let piece = piece(region, row, pace.step()?);
            row += u64::from(piece.size[1]) * u64::from(piece.size[2]);
            let count = (piece.samples() as usize).min(values.len());
            let (here, rest) = values.split_at_mut(count);
            values = rest;
            match gradients.take() {
                None if on_device => {
                    let found = from_device(noise, move |noise| noise.at(w).field(&piece))?.map_err(raised)?;
                    here.copy_from_slice(&found.values);
                }
                None => noise.at(w).field_into(&piece, here).map_err(raised)?,
                Some(all) => {
                    let (along, rest) = all.split_at_mut(count.min(all.len()));
                    gradients = Some(rest);
                    if on_device {
                        let found = from_device(noise, move |noise| noise.at(w).field_with_gradient(&piece))?.map_err(raised)?;
                        here.copy_from_slice(&found.values);
                        along.copy_from_slice(&found.gradients.unwrap_or_default());
                    } else {
                        noise.at(w).field_with_gradient_into(&piece, here, along).map_err(raised)?;
                    }
                }
            }
        }
        Ok(())
    })
}

/// Positions as NumPy arrays.
#[derive(Clone, Copy)]
pub(crate) enum Positions<'a> {
    /// (x, y), at z = 0.
    Plane(&'a [[f64; 2]]),
    /// (x, y, z).
    Space(&'a [[f64; 3]]),
    /// (x, y, z, w).
    Time(&'a [[f64; 4]]),
}

impl Positions<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Positions::Plane(points) => points.len(),
            Positions::Space(points) => points.len(),
            Positions::Time(points) => points.len(),
        }
    }
}

/// Values at positions and a fourth coordinate, and gradients if requested. Positions with their own fourth coordinate have no
/// gradients.
pub(crate) fn sample(
    py: Python<'_>,
    noise: &Prepared,
    w: f64,
    positions: Positions<'_>,
    values: &mut [f32],
    mut gradients: Option<&mut [[f32; 3]]>,
) -> PyResult<()> {
    py.detach(|| {
        let mut widened: Vec<[f64; 3]> = Vec::new();
        let on_device = is_on_device(noise.engine());
        let (mut pace, mut first) = (Pace::new(noise.terms()), 0);
        while first < positions.len() {
            let count = usize::try_from(pace.step()?).unwrap_or(usize::MAX);
            let here = first..first.saturating_add(count).min(positions.len());
            let values = &mut values[here.clone()];
            let points = match positions {
                Positions::Space(points) => &points[here.clone()],
                Positions::Plane(points) => {
                    widened.clear();
                    widened.extend(points[here.clone()].iter().map(|&[x, y]| [x, y, 0.0]));
                    &widened[..]
                }
                Positions::Time(points) => {
                    sample_4d(noise, &points[here.clone()], values)?.map_err(|error| at(first, error))?;
                    first = here.end;
                    continue;
                }
            };
            let found = if on_device {
                let wanted = if gradients.is_some() { Gradient::With } else { Gradient::Without };
                let points = points.to_vec();
                from_device(noise, move |noise| noise.at(w).sample(&points, wanted))?.map(|samples| {
                    for (i, sample) in samples.iter().enumerate() {
                        values[i] = sample.value as f32;
                        if let Some(gradients) = &mut gradients {
                            gradients[first + i] = sample.gradient.unwrap_or_default().map(|x| x as f32);
                        }
                    }
                })
            } else {
                match &mut gradients {
                    None => noise.at(w).sample_into(points, values),
                    Some(gradients) => noise.at(w).sample_with_gradient_into(points, values, &mut gradients[here.clone()]),
                }
            };
            found.map_err(|error| at(first, error))?;
            first = here.end;
        }
        Ok(())
    })
}

/// Values at positions, each with its own fourth coordinate.
fn sample_4d(noise: &Prepared, points: &[[f64; 4]], values: &mut [f32]) -> PyResult<Result<(), orogen::EngineError>> {
    if !is_on_device(noise.engine()) {
        return Ok(noise.sample_4d_into(points, values));
    }
    let points = points.to_vec();
    let found = from_device(noise, move |noise| {
        let mut found = vec![0.0; points.len()];
        noise.sample_4d_into(&points, &mut found).map(|()| found)
    })?;
    Ok(found.map(|found| values.copy_from_slice(&found)))
}

/// Values of several noises on a region; the values of a sample are contiguous.
pub(crate) fn fields(py: Python<'_>, noises: &PreparedSeveral, region: &Region, values: &mut [f32]) -> PyResult<()> {
    py.detach(|| {
        region.check().map_err(raised)?;
        let rows = u64::from(region.size[1]) * u64::from(region.size[2]);
        let (mut values, mut row, mut pace) = (values, 0, Pace::new(noises.terms()));
        while row < rows {
            let piece = piece(region, row, pace.step()?);
            row += u64::from(piece.size[1]) * u64::from(piece.size[2]);
            let count = (piece.samples() as usize * noises.outputs()).min(values.len());
            let (here, rest) = values.split_at_mut(count);
            values = rest;
            if is_on_device(noises.engine()) {
                let found = from_device(noises, move |noises| {
                    let mut found = vec![0.0; count];
                    noises.field_into(&piece, &mut found).map(|()| found)
                })?;
                here.copy_from_slice(&found.map_err(raised)?);
            } else {
                noises.field_into(&piece, here).map_err(raised)?;
            }
        }
        Ok(())
    })
}

/// Values of several noises at positions of two or three numbers each; the values of a position are contiguous.
pub(crate) fn samples(py: Python<'_>, noises: &PreparedSeveral, numbers: &[f64], axes: usize, values: &mut [f32]) -> PyResult<()> {
    py.detach(|| {
        let (count, outputs) = (numbers.len() / axes, noises.outputs());
        let (mut pace, mut first) = (Pace::new(noises.terms()), 0);
        while first < count {
            let end = first.saturating_add(usize::try_from(pace.step()?).unwrap_or(usize::MAX)).min(count);
            let position = |numbers: &[f64]| [numbers[0], numbers[1], if axes == 3 { numbers[2] } else { 0.0 }];
            let points: Vec<[f64; 3]> = numbers[first * axes..end * axes].chunks_exact(axes).map(position).collect();
            let here = &mut values[first * outputs..end * outputs];
            let found = if is_on_device(noises.engine()) {
                let mut found = vec![0.0; here.len()];
                let found = from_device(noises, move |noises| noises.sample_into(&points, &mut found).map(|()| found))?;
                found.map(|found| here.copy_from_slice(&found))
            } else {
                noises.sample_into(&points, here)
            };
            found.map_err(|error| at(first, error))?;
            first = end;
        }
        Ok(())
    })
}

/// An error in a piece, with indices of points relative to that piece.
fn at(first: usize, error: orogen::EngineError) -> PyErr {
    match error {
        orogen::EngineError::Point { index, value } => raised(orogen::EngineError::Point { index: first + index, value }),
        error => raised(error),
    }
}
