//! Long work that ends early when another thread wants it to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends the long work of an engine, from any thread. Clones are the same.
///
/// ```
/// use orogen::{Backend, Engine, EngineError, EngineOptions, LayersError, Recipe, Region, Stop};
/// let pipeline = Recipe::load(std::path::Path::new("recipes/watershed.toml"))?.pipeline;
/// let stop = Stop::default();
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?.stopped_by(&stop);
/// // Another thread, a button, a signal.
/// stop.stop();
/// let ended = engine.layer(&pipeline, &Region::tile(0, 0, 256));
/// assert!(matches!(ended, Err(LayersError::Engine(EngineError::Stopped))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on long work ends. There is no way back: for other work there is another one.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been said.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
