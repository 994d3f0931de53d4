//! The engine.

use crate::argument::{Argument, Named};
use crate::error::{OrogenError, raised, refused, refused_value};
use crate::heights;
use crate::noise::{self, Noise};
use crate::pieces::{abandonable, watched};
use crate::prepared::Prepared;
use crate::process;
use crate::region::Region;
use crate::several::PreparedSeveral;
use orogen::{Arithmetic, Backend, EngineOptions, Parity, Threads, Water};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;

/// Evaluates noise. Every method may be called from any thread and releases the interpreter, so share one engine. Engines with
/// the same options are one object per process; unpickling an engine gives that of the current process.
///
/// `backend`: "auto" (the best hardware GPU, else the CPU), "gpu" (including software adapters), "cpu", or "oracle" (the CPU in
/// f64: slow). `adapter`: part of the name of the GPU to use. `arithmetic`: "exact" (the CPU's bits) or "fast"; by default
/// exact if the adapter supports it. `cache`: a folder for compiled GPU pipelines. `memory`: limit in bytes for stages, by
/// default 1 GiB. `threads`: number of CPU threads for long calls, 1 to 1024, or "caller" for the calling thread only; by
/// default one per core. `water`: the device that traces water for stages `drainage`, "cpu" or "gpu"; no bit depends on it.
#[pyclass(frozen, module = "orogen")]
pub(crate) struct Engine {
    options: EngineOptions,
    process: u32,
    engine: orogen::Engine,
}

impl Named for Engine {
    const SHOWN: &'static str = "an Engine";
}

impl Engine {
    /// The engine with these options in this process.
    pub(crate) fn open(py: Python<'_>, options: EngineOptions) -> PyResult<Self> {
        let engine = match process::opened(&options) {
            Some(engine) => engine,
            // A driver may take long to open.
            None => {
                let options = options.clone();
                abandonable(py, move || process::engine(&options))?.map_err(raised)?
            }
        };
        Ok(Engine { options, process: process::id(), engine })
    }

    /// The library's engine, in this process.
    pub(crate) fn get(&self) -> PyResult<orogen::Engine> {
        if self.process == process::id() { Ok(self.engine.clone()) } else { process::again(&self.engine, &self.options) }
    }
}

fn threads(value: &Bound<'_, PyAny>) -> PyResult<Threads> {
    if let Ok(word) = value.cast::<PyString>() {
        return if word == "caller" { Ok(Threads::Caller) } else { Err(refused_value("threads", value, "1 to 1024, or \"caller\"")) };
    }
    Ok(Threads::Own(crate::region::whole("threads", value)?))
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (backend = "auto", *, adapter = None, arithmetic = None, cache = None, memory = None, threads = None, water = "cpu"))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn new(
        py: Python<'_>,
        backend: &str,
        adapter: Option<String>,
        arithmetic: Option<&str>,
        cache: Option<PathBuf>,
        memory: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        water: &str,
    ) -> PyResult<Self> {
        let backends = [Backend::Auto, Backend::Gpu, Backend::Cpu, Backend::Oracle];
        let Some(backend) = backends.into_iter().find(|known| known.name() == backend) else {
            return Err(refused("backend", format!("\"{backend}\""), &backends.map(Backend::name).join(", ")));
        };
        let arithmetic = match arithmetic {
            None => None,
            Some("exact") => Some(Arithmetic::Exact),
            Some("fast") => Some(Arithmetic::Fast),
            Some(other) => return Err(refused("arithmetic", format!("\"{other}\""), "exact, fast")),
        };
        let memory = memory.map(|memory| crate::region::whole("memory", memory)).transpose()?;
        let threads = threads.map_or(Ok(Threads::Shared), self::threads)?;
        let water = match water {
            "cpu" => Water::Cpu,
            "gpu" => Water::Gpu,
            other => return Err(refused("water", format!("\"{other}\""), "cpu, gpu")),
        };
        let options = EngineOptions { backend, adapter, arithmetic, cache, memory, threads, water };
        Engine::open(py, options)
    }

    /// The device that evaluates: "gpu", "cpu" or "oracle".
    #[getter]
    fn backend(&self) -> &'static str {
        self.engine.describe().backend.name()
    }

    /// The adapter's name, or the CPU's instruction set.
    #[getter]
    fn adapter(&self) -> String {
        self.engine.describe().adapter
    }

    /// The parity of its bits with the CPU's: "exact", "bounded", or None for the oracle, which uses f64.
    #[getter]
    fn parity(&self) -> Option<&'static str> {
        self.engine.describe().parity.map(|parity| match parity {
            Parity::Exact => "exact",
            Parity::Bounded => "bounded",
        })
    }

    /// The number of GPU kernels it has compiled. Changing a number compiles none.
    #[getter]
    fn compilations(&self) -> usize {
        self.engine.compilations()
    }

    /// Prepares a noise once, for many calls.
    fn prepare(slf: &Bound<'_, Self>, noise: Argument<'_, Noise>) -> PyResult<Prepared> {
        let (py, engine, noise) = (slf.py(), slf.get().get()?, noise.get());
        heights::smooth(py, noise.graph().node.iter())?;
        let prepared = py.detach(|| engine.prepare(&noise)).map_err(raised)?;
        Ok(Prepared::new(prepared, slf.get().options.clone(), slf.clone().into_any().unbind()))
    }

    /// Prepares several noises together, for many calls: shared parts are computed once.
    fn prepare_several(slf: &Bound<'_, Self>, noises: Vec<Argument<'_, Noise>>) -> PyResult<PreparedSeveral> {
        let (py, engine) = (slf.py(), slf.get().get()?);
        let noises: Vec<orogen::Noise> = noises.iter().map(|noise| noise.get()).collect();
        for noise in &noises {
            heights::smooth(py, noise.graph().node.iter())?;
        }
        let prepared = py.detach(|| engine.prepare_several(&noises.iter().collect::<Vec<_>>())).map_err(raised)?;
        Ok(PreparedSeveral::new(prepared, slf.get().options.clone(), slf.clone().into_any().unbind()))
    }

    /// Values of a noise on a region: a float32 array of the region's `shape`, (rows, columns), or (z, y, x) for a volume. With
    /// `gradient=True` a pair; the second array has shape (…, 3), per world unit. `out`: an array to write to, or a pair of
    /// arrays.
    #[pyo3(signature = (noise, region, *, gradient = false, out = None))]
    fn field<'py>(
        slf: &Bound<'py, Self>,
        noise: Argument<'py, Noise>,
        region: Argument<'py, Region>,
        gradient: bool,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Engine::prepare(slf, noise)?.field(slf.py(), region, gradient, 0.0, out)
    }

    /// Values of a noise at positions, an array of shape (n, 2) or (n, 3) in world units, or (n, 4) with a fourth coordinate: a
    /// float32 array of shape (n,). With `gradient=True` a pair, the second of shape (n, 3).
    #[pyo3(signature = (noise, points, *, gradient = false, out = None))]
    fn sample<'py>(
        slf: &Bound<'py, Self>,
        noise: Argument<'py, Noise>,
        points: &Bound<'py, PyAny>,
        gradient: bool,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Engine::prepare(slf, noise)?.sample(slf.py(), points, gradient, 0.0, out)
    }

    /// The noise with the missing quantiles of its `equalise` nodes filled in, measured over the cube from −extent to extent.
    fn equalise<'py>(&self, py: Python<'py>, noise: Argument<'py, Noise>, extent: f64) -> PyResult<Bound<'py, PyAny>> {
        if !(extent > 0.0 && extent.is_finite()) {
            return Err(refused("extent", extent, "a number above 0"));
        }
        let (engine, noise) = (self.get()?, noise.get());
        heights::smooth(py, noise.graph().node.iter())?;
        noise::to_python(py, watched(py, &engine, |engine| engine.equalise(&noise, extent))?)
    }

    fn __repr__(&self) -> String {
        let is = self.engine.describe();
        format!("<orogen.Engine on {}: {}>", is.backend, is.adapter)
    }

    /// The options of the constructor, by name.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&'static str,), Bound<'py, pyo3::types::PyDict>)> {
        let (o, named) = (&self.options, pyo3::types::PyDict::new(py));
        named.set_item("adapter", &o.adapter)?;
        named.set_item(
            "arithmetic",
            o.arithmetic.map(|arithmetic| match arithmetic {
                Arithmetic::Exact => "exact",
                Arithmetic::Fast => "fast",
            }),
        )?;
        named.set_item("cache", &o.cache)?;
        named.set_item("memory", o.memory)?;
        match o.threads {
            Threads::Own(count) => named.set_item("threads", count)?,
            Threads::Caller => named.set_item("threads", "caller")?,
            Threads::Shared => (),
            _ => return Err(OrogenError::new_err("these threads cannot be pickled")),
        }
        match o.water {
            Water::Cpu => (),
            Water::Gpu => named.set_item("water", "gpu")?,
            _ => return Err(OrogenError::new_err("this device for water cannot be pickled")),
        }
        Ok(((o.backend.name(),), named))
    }
}
