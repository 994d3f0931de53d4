//! One engine per set of options and process. Threads and devices do not survive a fork.

use crate::error::{OrogenError, raised};
use orogen::{Backend, Engine, EngineError, EngineOptions, Threads};
use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The open engines of a process, by options.
static OPENED: Mutex<Vec<(u32, EngineOptions, Engine)>> = Mutex::new(Vec::new());
/// The thread pool for work without an engine.
static THREADS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The current process, which changes after a fork.
pub(crate) fn id() -> u32 {
    std::process::id()
}

/// The default number of threads of rayon.
fn cores() -> u32 {
    let told = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok()).filter(|count| *count > 0);
    told.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get() as u32)).min(1024)
}

/// The engine with these options: an existing one of this process, or a new one.
pub(crate) fn engine(options: &EngineOptions) -> Result<Engine, EngineError> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, _, engine)) = opened.iter().find(|(process, with, _)| *process == id() && with == options) {
        return Ok(engine.clone());
    }
    // Rayon's global pool would be dead after a fork and cannot be restarted.
    let threads = if options.threads == Threads::Shared { Threads::Own(cores()) } else { options.threads };
    let engine = Engine::open(&EngineOptions { threads, ..options.clone() })?;
    opened.push((id(), options.clone(), engine.clone()));
    Ok(engine)
}

/// The engine with these options, if it exists in this process and no other thread is opening one.
pub(crate) fn opened(options: &EngineOptions) -> Option<Engine> {
    let opened = OPENED.try_lock().ok()?;
    opened.iter().find(|(process, with, _)| *process == id() && with == options).map(|(_, _, engine)| engine.clone())
}

/// The engine of another process, opened in this one.
pub(crate) fn again(engine: &Engine, options: &EngineOptions) -> PyResult<Engine> {
    if engine.describe().backend == Backend::Gpu {
        return Err(OrogenError::new_err(
            "this engine is another process's: a GPU's engine does not survive a fork; allowed: to open one in each process, or to start \
             processes by spawning",
        ));
    }
    self::engine(options).map_err(raised)
}

/// Runs work without an engine on threads of this process.
///
/// # Errors
/// Returns an error if the system cannot start threads.
pub(crate) fn with_threads<T: Send>(something: impl FnOnce() -> T + Send) -> Result<T, ThreadPoolBuildError> {
    let pool = {
        let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        match &*threads {
            Some((process, pool)) if *process == id() => Arc::clone(pool),
            _ => {
                let pool = Arc::new(ThreadPoolBuilder::new().num_threads(cores() as usize).build()?);
                // Objects of another process are leaked: their threads do not exist here and cannot be stopped.
                std::mem::forget(threads.replace((id(), Arc::clone(&pool))));
                pool
            }
        }
    };
    Ok(pool.install(something))
}
