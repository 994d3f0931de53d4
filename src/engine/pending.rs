//! Fields that are evaluated while the caller does other work.

use super::at::PreparedAt;
use super::{Engine, EngineError, Inner};
use crate::cpu::threads::ThreadsError;
use crate::field::{Field, Gradient, Samples};
use crate::gpu::PendingRegion;
use crate::graph::Noise;
use crate::region::Region;
use crate::stop::Stop;
use std::sync::mpsc;

/// A field that is being evaluated. Ask [`is_done`](Self::is_done) between other work, such as once a frame, then call
/// [`finish`](Self::finish). Dropping it cancels the work.
///
/// ```
/// use orogen::prelude::*;
/// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
/// let (hills, region) = (engine.prepare(&Noise::simplex(Simplex::default()).fractal(Fractal::default()))?, Region::plane(256, 256));
/// let mut field = hills.start_field(&region, Gradient::Without)?;
/// while !field.is_done()? {
///     // A frame.
/// }
/// assert_eq!(field.finish()?.values, hills.field(&region)?.values);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "dropping it cancels the evaluation"]
pub struct PendingField {
    engine: Engine,
    region: Region,
    work: Work,
}

/// The evaluation, on the device or on a thread.
enum Work {
    Device(Box<PendingRegion>),
    Thread {
        result: mpsc::Receiver<Result<Field, EngineError>>,
        /// The result, once it was looked at.
        arrived: Option<Result<Field, EngineError>>,
        /// Stops the thread when the work is dropped.
        stop: StopOnDrop,
    },
}

/// Stops the work when it is dropped.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl std::fmt::Debug for PendingField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingField").field("region", &self.region).finish_non_exhaustive()
    }
}

impl Engine {
    /// Starts the evaluation of a noise on a region, and returns while it continues. For many calls with one noise,
    /// [`prepare`](Self::prepare) it.
    ///
    /// # Errors
    /// Returns the errors of [`Prepared::start_field`](crate::Prepared::start_field), and an error if the noise is invalid.
    pub fn start_field(&self, noise: &Noise, region: &Region, gradient: Gradient) -> Result<PendingField, EngineError> {
        self.prepare(noise)?.start_field(region, gradient)
    }
}

impl PreparedAt<'_> {
    /// Starts the evaluation on a region; see [`Prepared::start_field`](crate::Prepared::start_field).
    ///
    /// # Errors
    /// Returns the errors of [`Prepared::start_field`](crate::Prepared::start_field), and an error if the fourth coordinate is out
    /// of range.
    pub fn start_field(&self, region: &Region, gradient: Gradient) -> Result<PendingField, EngineError> {
        region.check()?;
        self.noise.check_gradients(gradient)?;
        let (engine, w) = (&self.noise.engine, self.w()?);
        if let Inner::Gpu(context) = &*engine.inner {
            let pending = PendingRegion::start(context, self.program()?.into_owned(), region, gradient.is_wanted())?;
            return Ok(PendingField { engine: engine.clone(), region: *region, work: Work::Device(Box::new(pending)) });
        }
        let stop = engine.pool.stop().child();
        let (sender, result) = mpsc::channel();
        let (theirs, noise, on) = (engine.stopped_by(&stop), self.noise.noise().clone(), *region);
        let work = move || {
            let field = theirs.prepare(&noise).and_then(|noise| match gradient {
                Gradient::Without => noise.at(w).field(&on),
                Gradient::With => noise.at(w).field_with_gradient(&on),
            });
            // The receiver is gone if the caller dropped the field.
            let _ = sender.send(field);
        };
        std::thread::Builder::new()
            .name("orogen field".to_owned())
            .spawn(work)
            .map_err(|error| ThreadsError { count: 1, reason: format!(": {error}") })?;
        let work = Work::Thread { result, arrived: None, stop: StopOnDrop(stop) };
        Ok(PendingField { engine: engine.clone(), region: *region, work })
    }
}

impl PendingField {
    /// Whether [`finish`](Self::finish) would return at once. Does not wait. On a GPU this polls the device, copies parts that have
    /// arrived (at most 2048² samples each), and dispatches further parts of a larger region.
    ///
    /// # Errors
    /// Returns an error if the device failed.
    pub fn is_done(&mut self) -> Result<bool, EngineError> {
        match &mut self.work {
            Work::Device(pending) => Ok(pending.advance()?),
            Work::Thread { result, arrived, .. } => {
                if arrived.is_none() {
                    *arrived = match result.try_recv() {
                        Ok(field) => Some(field),
                        Err(mpsc::TryRecvError::Empty) => None,
                        Err(mpsc::TryRecvError::Disconnected) => Some(Err(EngineError::Stopped)),
                    };
                }
                Ok(arrived.is_some())
            }
        }
    }

    /// Waits for the field and returns it. The bits are those of [`Engine::field`].
    ///
    /// # Errors
    /// Returns an error if the region is out of range for the noise, if the device failed, or if the engine was stopped.
    pub fn finish(self) -> Result<Field, EngineError> {
        let PendingField { engine, region, work } = self;
        let field = match work {
            Work::Device(pending) => {
                let Samples { values, gradients } = pending.finish()?;
                Field { region, values, gradients }
            }
            Work::Thread { arrived: Some(field), .. } => field?,
            Work::Thread { result, arrived: None, stop } => {
                let field = result.recv().unwrap_or(Err(EngineError::Stopped));
                drop(stop);
                field?
            }
        };
        engine.go_on().map(|()| field)
    }
}
