//! Runs work for requests: at most one job per processor, none for disconnected clients, and on the CPU after a GPU was lost.

use super::Studio;
use super::refusal::ErrorResponse;
use axum::http::StatusCode;
use orogen::{Backend, Engine, EngineOptions};
use orogen_studio::{Ended, Priority, Waits, lock};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// The engine, and the number of concurrent jobs.
pub struct Compute {
    engine: Mutex<Engine>,
    /// The reason why the engine is not the requested one.
    why: Mutex<Option<String>>,
    places: Arc<Semaphore>,
    /// The places for work that is not urgent.
    spare: Arc<Semaphore>,
}

/// Dropped with the request's future.
#[derive(Default)]
pub struct Gone(Waits);

impl Gone {
    /// The handle that cancels the work of the request.
    pub fn waits(&self) -> Waits {
        self.0.clone()
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.stop().stop();
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

    /// The engine, as described in `About`.
    pub fn describe(&self) -> serde_json::Value {
        let is = self.engine().describe();
        serde_json::json!({ "backend": is.backend.name(), "adapter": is.adapter, "why": *lock(&self.why) })
    }

    /// Switches to the CPU.
    fn fall_back(&self, why: &str) -> Result<Engine, ErrorResponse> {
        let options = EngineOptions { backend: Backend::Cpu, ..Default::default() };
        let engine = Engine::open(&options).map_err(|error| ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, error))?;
        *lock(&self.engine) = engine.clone();
        *lock(&self.why) = Some(why.to_owned());
        Ok(engine)
    }
}

impl Studio {
    /// Runs work on a separate thread as soon as a place is free.
    ///
    /// # Errors
    /// Returns the errors of the work.
    pub async fn compute<T: Send + 'static>(
        self: &Arc<Self>,
        priority: Priority,
        work: impl Fn(&Engine, &Waits) -> Result<T, Ended> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let closed = "invariant: places are never closed";
        let _spare = match priority {
            Priority::Normal => None,
            Priority::Low => Some(Arc::clone(&self.compute.spare).acquire_owned().await.expect(closed)),
        };
        let place = Arc::clone(&self.compute.places).acquire_owned().await.expect(closed);
        let gone = Gone::default();
        let (waits, studio) = (gone.waits(), Arc::clone(self));
        let done = tokio::task::spawn_blocking(move || {
            // Released when the work ends, not when the client disconnects.
            let _place = place;
            match work(&studio.compute.engine(), &waits) {
                Ok(done) => Ok(done),
                Err(Ended::Refused(refusal)) => Err(refusal.into()),
                Err(Ended::Lost(why)) => {
                    let engine = studio.compute.fall_back(&why)?;
                    studio.live.send(&serde_json::json!({ "engine": studio.compute.describe() }));
                    work(&engine, &waits).map_err(|ended| match ended {
                        Ended::Refused(refusal) => refusal.into(),
                        Ended::Lost(why) => ErrorResponse::new(StatusCode::SERVICE_UNAVAILABLE, why),
                    })
                }
            }
        })
        .await;
        done.unwrap_or_else(|error| Err(ErrorResponse::new(StatusCode::INTERNAL_SERVER_ERROR, format!("a bug in Orogen: {error}"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::Options;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn studio() -> Arc<Studio> {
        let engine = Engine::open(&EngineOptions { backend: Backend::Oracle, ..Default::default() }).expect("the oracle");
        let options = Options { recipe: None, port: 0, out: None, open: false, timings: false };
        Studio::new(engine, 1, options).expect("a studio")
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime").block_on(future)
    }

    #[test]
    fn a_lost_device_is_replaced_and_what_was_asked_is_done_again() {
        let studio = studio();
        let backends = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&backends);
        let done = run(studio.compute(Priority::Normal, move |engine, _| {
            lock(&seen).push(engine.describe().backend);
            // Stands in for the first engine's device.
            if engine.describe().backend == Backend::Oracle { Err(Ended::Lost("it fell out".to_owned())) } else { Ok(7) }
        }));
        assert!(matches!(done, Ok(7)));
        assert_eq!(*lock(&backends), [Backend::Oracle, Backend::Cpu]);
        let told = studio.compute.describe();
        assert_eq!((&told["backend"], &told["why"]), (&serde_json::json!("cpu"), &serde_json::json!("it fell out")));
    }

    #[test]
    fn who_goes_away_is_not_computed_for_and_gives_the_place_back() {
        let studio = studio();
        let (started, looked) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let counts = (Arc::clone(&started), Arc::clone(&looked));
        run(async {
            for _ in 0..8 {
                let (started, looked) = (Arc::clone(&started), Arc::clone(&looked));
                let request = studio.compute(Priority::Normal, move |_, waits| {
                    started.fetch_add(1, Ordering::Relaxed);
                    loop {
                        if let Err(refusal) = waits.check() {
                            looked.fetch_add(1, Ordering::Relaxed);
                            return Err::<(), Ended>(refusal.into());
                        }
                        std::thread::sleep(std::time::Duration::from_millis(1));
                    }
                });
                // Disconnects after a while.
                let _ = tokio::time::timeout(std::time::Duration::from_millis(20), request).await;
            }
            // A place is free again; the runtime is dropped after running work has ended.
            let done = studio.compute(Priority::Normal, |_, _| Ok(3)).await;
            assert!(matches!(done, Ok(3)));
        });
        let [started, looked] = [counts.0, counts.1].map(|count| count.load(Ordering::Relaxed));
        assert!(started >= 1 && started == looked, "{started} began, {looked} have ended");
    }

    #[test]
    fn a_panic_is_an_answer() {
        let done = run(studio().compute::<()>(Priority::Low, |_, _| panic!("on purpose")));
        assert_eq!(done.err().map(|refusal| refusal.status), Some(StatusCode::INTERNAL_SERVER_ERROR));
    }
}
