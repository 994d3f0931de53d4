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

#[cfg(all(test, feature = "mesh", feature = "stats"))]
mod tests {
    use super::*;
    use crate::field::Layer;
    use crate::mesh::{MeshError, Terrain, terrain, terrain_chunk, terrain_until};
    use crate::scatter::{Poisson, PoissonError};
    use crate::stats::{Band, Periodogram, Window};
    use crate::{Engine, EngineError, Noise};

    #[test]
    fn children_stop_with_their_parent_and_not_the_other_way_round() {
        let parent = Stop::default();
        let (first, second) = (parent.child(), parent.child().child());
        first.stop();
        assert_eq!([&first, &parent, &second].map(Stop::is_stopped), [true, false, false]);
        parent.stop();
        assert!(second.is_stopped());
    }

    #[test]
    fn what_is_stopped_ends_and_what_is_not_is_the_same() {
        let (stop, going) = (Stop::default(), Stop::default());
        stop.stop();
        let region = terrain_chunk([0, 0], 16);
        let values: Vec<f32> = (0..19 * 19_u32).map(|i| (i * 7919 % 101) as f32).collect();
        let heights = Layer { name: String::new(), region, channels: 1, values };
        for error in [0.0, 20.0] {
            let how = Terrain { error, skirt: 1.0 };
            assert!(matches!(terrain_until(&heights, &how, &stop), Err(MeshError::Engine(EngineError::Stopped))));
            assert_eq!(terrain_until(&heights, &how, &going).ok(), terrain(&heights, &how).ok());
        }
        let poisson = Poisson { relax: 1, ..Default::default() };
        let (low, high) = ([0.0; 2], [500.0; 2]);
        assert_eq!(poisson.points_until(low, high, &stop), Err(PoissonError::Engine(EngineError::Stopped)));
        assert_eq!(poisson.points_until(low, high, &going), poisson.points(low, high));
        let engine = Engine::new().expect("an engine").stopped_by(&stop);
        assert!(poisson.scatter(&engine, &Noise::constant(1.0), low, high, 0.0).is_err());
        let square = &heights.values[..256];
        assert_eq!(Periodogram::of_until(square, 16, Window::Hann, &stop), Err(Stopped));
        let power = Periodogram::of(square, 16, Window::Hann).expect("a square");
        assert_eq!((power.radial_until(&stop), power.isotropy_until(2, Band::new(0.0, 0.5), &stop)), (Err(Stopped), Err(Stopped)));
        assert_eq!(power.radial_until(&going), Ok(power.radial()));
    }
}
