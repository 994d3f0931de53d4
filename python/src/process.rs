//! One engine of a kind in a process, and none from before a fork: threads and devices do not survive one.

use crate::error::{OrogenError, raised};
use orogen::{Backend, Engine, EngineError, EngineOptions, Threads};
use pyo3::PyResult;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// What has been opened: in which process, with which options.
static OPENED: Mutex<Vec<(u32, EngineOptions, Engine)>> = Mutex::new(Vec::new());
/// The threads for what no engine does.
static THREADS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// This process: another one after a fork.
pub(crate) fn id() -> u32 {
    std::process::id()
}

/// As many as rayon would take.
fn cores() -> u32 {
    let told = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok()).filter(|count| *count > 0);
    told.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get() as u32)).min(1024)
}

/// An engine with these options: the one that this process has, if it has one.
pub(crate) fn engine(options: &EngineOptions) -> Result<Engine, EngineError> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, _, engine)) = opened.iter().find(|(process, with, _)| *process == id() && with == options) {
        return Ok(engine.clone());
    }
    // The pool that rayon has for the whole process would be dead after a fork, and could not be started anew.
    let threads = if options.threads == Threads::Shared { Threads::Own(cores()) } else { options.threads };
    let engine = Engine::open(&EngineOptions { threads, ..options.clone() })?;
    opened.push((id(), options.clone(), engine.clone()));
    Ok(engine)
}

/// The engine with these options, if this process has one and no other thread is opening one.
pub(crate) fn opened(options: &EngineOptions) -> Option<Engine> {
    let opened = OPENED.try_lock().ok()?;
    opened.iter().find(|(process, with, _)| *process == id() && with == options).map(|(_, _, engine)| engine.clone())
}

/// An engine that was opened in another process, here.
pub(crate) fn again(engine: &Engine, options: &EngineOptions) -> PyResult<Engine> {
    if engine.describe().backend == Backend::Gpu {
        return Err(OrogenError::new_err(
            "this engine is another process's: a GPU's engine does not survive a fork; allowed: to open one in each process, or to start \
             processes by spawning",
        ));
    }
    self::engine(options).map_err(raised)
}

/// Does something that no engine does with threads of this process.
///
/// # Errors
/// The system starts no threads.
pub(crate) fn with_threads<T: Send>(something: impl FnOnce() -> T + Send) -> Result<T, ThreadPoolBuildError> {
    let pool = {
        let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        match &*threads {
            Some((process, pool)) if *process == id() => Arc::clone(pool),
            _ => {
                let pool = Arc::new(ThreadPoolBuilder::new().num_threads(cores() as usize).build()?);
                // What another process had is left alone: it has no threads here that could be told to end.
                std::mem::forget(threads.replace((id(), Arc::clone(&pool))));
                pool
            }
        }
    };
    Ok(pool.install(something))
}
