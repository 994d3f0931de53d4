//! Cancellation of long work from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of elements between checks in a long loop.
pub(crate) const PIECE: usize = 1 << 16;

/// Long work ended early because [`Stop::stop`] was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before completion")]
pub struct Stopped;

/// Stops the long work of an engine, from any thread. Clones share the state.
///
/// ```
/// use orogen::{Backend, Engine, EngineError, EngineOptions, LayersError, Recipe, Region, Stop};
/// let pipeline = Recipe::load(std::path::Path::new("recipes/watershed.toml"))?.pipeline;
/// let stop = Stop::default();
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?.stopped_by(&stop);
/// // From another thread, a button or a signal handler.
/// stop.stop();
/// let ended = engine.layer(&pipeline, &Region::tile(0, 0, 256));
/// assert!(matches!(ended, Err(LayersError::Engine(EngineError::Stopped))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop {
    own: Arc<AtomicBool>,
    /// A parent, which stops this one as well.
    parent: Option<Arc<Stop>>,
}

impl Stop {
    /// Stops long work from now on. This cannot be undone; use another `Stop` for other work.
    pub fn stop(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// A child handle, which is stopped separately, or together with this one.
    #[must_use]
    pub fn child(&self) -> Stop {
        Stop { own: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    /// Whether [`stop`](Self::stop) has been called, on this handle or on one that it is a [child](Self::child) of.
    pub fn is_stopped(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_stopped())
    }

    /// Ends a function of the caller's if [`stop`](Self::stop) has been called.
    ///
    /// # Errors
    /// Returns an error if it has been called.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// Computes a result for each of many elements.
    #[cfg(any(feature = "stats", feature = "mesh"))]
    pub(crate) fn map<T, U>(&self, all: &[T], find: impl Fn(&T) -> U) -> Result<Vec<U>, Stopped> {
        let mut found = Vec::with_capacity(all.len());
        for piece in all.chunks(PIECE) {
            self.check()?;
            found.extend(piece.iter().map(&find));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_stop_with_their_parent_and_not_the_other_way_round() {
        let parent = Stop::default();
        let (first, second) = (parent.child(), parent.child().child());
        first.stop();
        assert_eq!([&first, &parent, &second].map(Stop::is_stopped), [true, false, false]);
        parent.stop();
        assert!(second.is_stopped());
    }
}
