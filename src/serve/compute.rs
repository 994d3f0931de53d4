//! Work for requests: as much at a time as there are processors, none for those who went away, on the processor where a GPU was lost.

use super::Studio;
use super::known::lock;
use super::refusal::Refusal;
use axum::http::StatusCode;
use orogen::{Backend, Engine, EngineError, EngineOptions, GpuError, LayersError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// Evaluations that one request may ask for: some seconds of two processors.
pub const MOST_EVALUATIONS: f64 = 8e9;

/// Who computes, and how many at a time.
pub struct Compute {
    engine: Mutex<Engine>,
    /// Why the engine is not the one that was asked for.
    why: Mutex<Option<String>>,
    places: Arc<Semaphore>,
    /// Of these, the places for what is not urgent.
    spare: Arc<Semaphore>,
}

/// What is looked at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    #[default]
    Normal,
    /// Small pictures, and what comes soon.
    Low,
}

/// Whether who asked still waits.
#[derive(Clone, Default)]
pub struct Waits(Arc<AtomicBool>);

impl Waits {
    /// Refused once nobody waits.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.0.load(Ordering::Relaxed) { Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "nobody waits for it any more")) } else { Ok(()) }
    }
}

/// Dropped with the request's future.
struct Gone(Waits);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Compute {
    pub fn new(engine: Engine) -> Self {
        let places = std::thread::available_parallelism().map_or(2, usize::from);
        let why = engine.describe().gpu_refused;
        Compute {
            engine: Mutex::new(engine),
            why: Mutex::new(why),
            places: Arc::new(Semaphore::new(places)),
            spare: Arc::new(Semaphore::new((places / 2).max(1))),
        }
    }

    pub fn engine(&self) -> Engine {
        lock(&self.engine).clone()
    }

    /// What it is, as `About` says it.
    pub fn describe(&self) -> serde_json::Value {
        let is = self.engine().describe();
        serde_json::json!({ "backend": is.backend.name(), "adapter": is.adapter, "why": *lock(&self.why) })
    }

    /// From here on the processor computes.
    fn fall_back(&self, why: &str) -> Result<Engine, Refusal> {
        let options = EngineOptions { backend: Backend::Cpu, ..Default::default() };
        let engine = Engine::open(&options).map_err(|error| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error))?;
        *lock(&self.engine) = engine.clone();
        *lock(&self.why) = Some(why.to_owned());
        Ok(engine)
    }
}

/// What an evaluation ends with.
pub enum Ended {
    /// The device is lost: on another engine it may succeed.
    Lost(String),
    Refused(Refusal),
}

impl From<Refusal> for Ended {
    fn from(refusal: Refusal) -> Self {
        Ended::Refused(refusal)
    }
}

impl From<EngineError> for Ended {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Gpu(GpuError::Lost(why)) => Ended::Lost(why),
            error => Ended::Refused(crate::cli::exit::Failure::from(error).into()),
        }
    }
}

impl From<LayersError> for Ended {
    fn from(error: LayersError) -> Self {
        match error {
            LayersError::Engine(error) => error.into(),
            error => Ended::Refused(crate::cli::exit::Failure::from(error).into()),
        }
    }
}

impl Studio {
    /// Computes something on a thread of its own, as soon as there is a place.
    ///
    /// # Errors
    /// As the work's.
    pub async fn compute<T: Send + 'static>(
        self: &Arc<Self>,
        priority: Priority,
        work: impl Fn(&Engine, &Waits) -> Result<T, Ended> + Send + 'static,
    ) -> Result<T, Refusal> {
        let closed = "invariant: places are never closed";
        let _spare = match priority {
            Priority::Normal => None,
            Priority::Low => Some(Arc::clone(&self.compute.spare).acquire_owned().await.expect(closed)),
        };
        let place = Arc::clone(&self.compute.places).acquire_owned().await.expect(closed);
        let gone = Gone(Waits::default());
        let (waits, studio) = (gone.0.clone(), Arc::clone(self));
        let done = tokio::task::spawn_blocking(move || {
            // Given back when the work ends, and not when nobody waits for it.
            let _place = place;
            match work(&studio.compute.engine(), &waits) {
                Ok(done) => Ok(done),
                Err(Ended::Refused(refusal)) => Err(refusal),
                Err(Ended::Lost(why)) => {
                    let engine = studio.compute.fall_back(&why)?;
                    studio.live.send(&serde_json::json!({ "engine": studio.compute.describe() }));
                    work(&engine, &waits).map_err(|ended| match ended {
                        Ended::Refused(refusal) => refusal,
                        Ended::Lost(why) => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why),
                    })
                }
            }
        })
        .await;
        done.unwrap_or_else(|error| Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("a bug of Orogen's: {error}"))))
    }
}
