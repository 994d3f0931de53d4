//! Sources of heights.

use orogen::{Engine, Layer, Pipeline, Prepared, Region};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The reason why there are no heights.
pub type GroundError = Box<dyn Error + Send + Sync>;

/// Heights of any region: a noise, a noise with stages, or a function of yours. Clones are the same ground.
#[derive(Clone)]
pub struct Ground(Arc<dyn Fn(&Region) -> Result<Layer, GroundError> + Send + Sync>);

impl Ground {
    /// Heights computed by a function on Bevy's task threads: values on exactly the requested region. A sample's height may
    /// depend only on its position, so that chunks meet.
    pub fn new(heights: impl Fn(&Region) -> Result<Layer, GroundError> + Send + Sync + 'static) -> Self {
        Ground(Arc::new(heights))
    }

    /// The heights of a pipeline's output, such as eroded ground. Every chunk also computes its halo, so chunks should be large.
    /// Whole-world statistics of stages are measured in advance by [`Engine::measure`].
    pub fn pipeline(engine: Engine, pipeline: Pipeline) -> Self {
        Ground::new(move |region| Ok(engine.layer(&pipeline, region)?))
    }

    /// The heights of a region.
    ///
    /// # Errors
    /// Returns the errors of the noise, the pipeline or the function, and an error for heights of another region.
    pub fn heights(&self, region: &Region) -> Result<Layer, GroundError> {
        let heights = (self.0)(region)?;
        if heights.region != *region {
            return Err(format!("the ground of {region:?} was requested, but that of {:?} was given", heights.region).into());
        }
        Ok(heights)
    }

    /// Whether two are clones of one.
    pub(crate) fn is(&self, other: &Ground) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<Prepared> for Ground {
    fn from(noise: Prepared) -> Self {
        Ground::new(move |region| Ok(noise.field(region)?.into()))
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ground").finish_non_exhaustive()
    }
}
