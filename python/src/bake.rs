//! Bakes: requests carried out into folders, and worlds of shards.

use crate::engine::Engine;
use crate::error::{OrogenError, of_file, raised};
use crate::heights;
use crate::pieces::stoppable;
use crate::recipe::Recipe;
use orogen::NotAllowed;
use orogen::Stop;
use orogen::bake::check::{CheckReport, Recompute};
use orogen::bake::plan::PlanError;
use orogen::bake::{Address, BakeError, Options, Outcome, Progress, Request, Sharded, Step};
use pyo3::prelude::*;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Reports progress to a Python function, and stops for an interrupt or for that function's errors.
struct Teller<'a> {
    call: Option<&'a Py<PyAny>>,
    stop: &'a Stop,
    step: Mutex<&'static str>,
    /// Held during a call, so that calls do not overlap. Stores the first error.
    failed: Mutex<Option<PyErr>>,
}

impl<'a> Teller<'a> {
    fn new(call: Option<&'a Py<PyAny>>, stop: &'a Stop) -> Self {
        Teller { call, stop, step: Mutex::default(), failed: Mutex::default() }
    }

    /// Calls the function with the number of finished pieces of the step and their total.
    fn tell(&self, done: u64, total: u64) {
        let Some(call) = self.call.filter(|_| !self.stop.is_stopped()) else { return };
        let step = *self.step.lock().unwrap_or_else(PoisonError::into_inner);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_some() {
            return;
        }
        if let Err(error) = Python::attach(|py| call.call1(py, (done, total, step)).map(drop)) {
            *failed = Some(error);
            self.stop.stop();
        }
    }
}

impl Progress for Teller<'_> {
    fn tile(&self, done: u64, total: u64) {
        self.tell(done, total);
    }

    fn step(&self, step: &Step) {
        let name = match step {
            Step::Measuring { .. } => "measuring",
            Step::Baking { .. } => "baking",
            Step::Sealing => "sealing",
            _ => return,
        };
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    fn stops(&self) -> bool {
        self.stop.is_stopped()
    }
}

/// Runs a bake on a separate thread: Ctrl-C and errors of `progress` end it, and complete tiles are kept.
fn run<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Stop, &dyn Progress) -> Result<T, BakeError> + Send,
) -> PyResult<T> {
    let outcome = stoppable(py, |stop| {
        let teller = Teller::new(progress.as_ref(), stop);
        let outcome = work(stop, &teller);
        Ok::<_, Infallible>((outcome, teller.failed.into_inner().unwrap_or_else(PoisonError::into_inner)))
    })?;
    match outcome {
        (_, Some(error)) => Err(error),
        (Ok(found), None) => Ok(found),
        (Err(error), None) => Err(failed(py, &error)),
    }
}

/// Converts an error of a bake: file errors become Python's own, all others the package's.
fn failed(py: Python<'_>, error: &BakeError) -> PyErr {
    match error {
        BakeError::File { path, error: system } if system.raw_os_error().is_some() => of_file(py, path, system),
        // The names of Python's arguments.
        BakeError::Plan(PlanError::NotAllowed(wrong)) if wrong.what == "for" => {
            OrogenError::new_err(NotAllowed::new("destination", &wrong.value, wrong.allowed.clone()).to_string())
        }
        BakeError::TooMuch { takes, allowed } => OrogenError::new_err(format!("this takes {takes}; allowed without force=True: {allowed}")),
        error => raised(error),
    }
}

/// A request from a recipe and its options as JSON.
fn request(py: Python<'_>, recipe: &Recipe, options: &str) -> PyResult<Request> {
    let options = Options::from_json(options).map_err(|error| failed(py, &error.into()))?;
    let recipe = recipe.get().clone();
    heights::smooth(py, recipe.pipeline.node.iter())?;
    Ok(Request { recipe, options })
}

/// Root, tiles, tiles written, warnings, damaged files.
type Baked = (Option<String>, u64, u64, Vec<String>, Vec<String>);

/// Bakes a recipe into a folder.
#[pyfunction]
pub(crate) fn bake(
    py: Python<'_>,
    engine: &Engine,
    recipe: &Recipe,
    options: &str,
    out: PathBuf,
    progress: Option<Py<PyAny>>,
) -> PyResult<Baked> {
    let (request, engine) = (request(py, recipe, options)?, engine.get()?);
    let bake = |stop: &Stop, progress: &dyn Progress| request.bake(&engine.stopped_by(stop), &out, progress);
    let Outcome { root, tiles, written, report, .. } = run(py, progress, bake)?;
    let (warnings, damaged) = report.map(|report| (report.warnings(), report.damaged)).unwrap_or_default();
    Ok((root, tiles, written, warnings, damaged))
}

/// A world of shards in a folder: planned once, then baked by any number of processes.
#[pyclass(frozen, module = "orogen._orogen")]
pub(crate) struct Shards {
    world: Sharded,
}

/// The next measurement, tiles, finished tiles, missing shards, tiles by machine, tiles per second, damaged files, root.
type State = (Option<String>, u64, u64, Vec<u32>, Vec<(String, u64)>, f64, Vec<String>, Option<String>);

/// A phase: its number, the number of phases, the measurement, the shards that have not finished it.
type Next = (u32, u32, String, Vec<u32>);

#[pymethods]
impl Shards {
    /// Writes the plan of a world in `shards` pieces.
    #[staticmethod]
    fn plan(py: Python<'_>, engine: &Engine, recipe: &Recipe, options: &str, out: PathBuf, shards: u32) -> PyResult<Self> {
        let (request, engine) = (request(py, recipe, options)?, engine.get()?);
        let world = run(py, None, |stop, _| Ok(request.plan(&engine.stopped_by(stop), &out, shards)?.sharded))?;
        Ok(Shards { world })
    }

    /// Opens a planned world.
    #[staticmethod]
    fn open(py: Python<'_>, world: PathBuf) -> PyResult<Self> {
        Ok(Shards { world: run(py, None, |_, _| Sharded::open(Address::of(&world).store()?))? })
    }

    #[getter]
    fn shards(&self) -> u32 {
        self.world.shards()
    }

    /// The next phase: its number, the number of phases, the measurement, and the shards that have not finished it.
    fn phase(&self, py: Python<'_>) -> PyResult<Option<Next>> {
        let phase = py.detach(|| self.world.phase()).map_err(|error| failed(py, &error))?;
        Ok(phase.map(|phase| (phase.number, phase.of, phase.what, phase.missing)))
    }

    /// Measures a shard's part of the next phase, or without a shard all missing parts.
    fn measure(&self, py: Python<'_>, engine: &Engine, shard: Option<u32>, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let engine = engine.get()?;
        run(py, progress, |stop, progress| {
            let engine = engine.stopped_by(stop);
            let Some(shard) = shard else { return self.world.measure_all(&engine, progress) };
            self.world.mend_parts(&engine, Some(shard), progress)?;
            self.world.measure(&engine, shard, None, progress).map(drop)
        })
    }

    /// Bakes a shard: tiles written, and tiles that already existed.
    fn bake(&self, py: Python<'_>, engine: &Engine, shard: u32, progress: Option<Py<PyAny>>) -> PyResult<(u64, u64)> {
        let engine = engine.get()?;
        let report = run(py, progress, |stop, progress| self.world.bake(&engine.stopped_by(stop), shard, progress))?;
        Ok((report.written, report.resumed))
    }

    /// Checks that every tile exists, and writes the manifest: root, tiles, bytes.
    fn seal(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<(String, u64, u64)> {
        let sealed = run(py, progress, |_, progress| self.world.seal(progress))?;
        Ok((sealed.root, sealed.tiles, sealed.bytes))
    }

    fn status(&self, py: Python<'_>) -> PyResult<State> {
        let status = run(py, None, |_, _| self.world.status())?;
        let machines = status.machines.into_iter().collect();
        let phase = status.phase.map(|phase| phase.what);
        Ok((phase, status.tiles, status.done, status.missing, machines, status.rate, status.damaged, status.root))
    }
}

/// Files, bytes, recomputed tiles, whether it is unfinished, findings as (file, problem).
type Found = (u64, u64, u64, bool, Vec<(String, &'static str)>, Vec<String>);

/// Reads every file of a bake, or of a world of shards, and compares it with its record.
#[pyfunction]
pub(crate) fn check_bake(
    py: Python<'_>,
    world: PathBuf,
    engine: Option<&Engine>,
    recompute: f64,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Found> {
    let engine = engine.map(Engine::get).transpose()?;
    let checked = run(py, progress, |stop, progress| {
        let engine = engine.map(|engine| engine.stopped_by(stop));
        let recompute = engine.as_ref().map(|engine| Recompute { engine, share: recompute, seed });
        Address::of(&world).check(recompute.as_ref(), progress)
    })?;
    let CheckReport { files, bytes, recomputed, unfinished, findings, broken, .. } = checked;
    let findings = findings.into_iter().map(|finding| (finding.file, finding.wrong.name())).collect();
    Ok((files, bytes, recomputed, unfinished, findings, broken))
}
