//! Where heights come from.

use orogen::{Engine, Layer, Pipeline, Prepared, Region};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why there are no heights.
pub type GroundError = Box<dyn Error + Send + Sync>;

/// Heights of any region: a noise, a noise with stages after it, or a function of yours. Clones are the same ground.
#[derive(Clone)]
pub struct Ground(Arc<dyn Fn(&Region) -> Result<Layer, GroundError> + Send + Sync>);

impl Ground {
    /// Heights that a function gives, on Bevy's threads for tasks: values on just the region that it is asked for. So that chunks meet, a
    /// sample's height may depend on its place only.
    pub fn new(heights: impl Fn(&Region) -> Result<Layer, GroundError> + Send + Sync + 'static) -> Self {
        Ground(Arc::new(heights))
    }

    /// The heights of a pipeline's output: eroded ground. Every chunk costs its halo too, so chunks should be large; what stages find out of
    /// the whole world is measured before, by [`Engine::measure`].
    pub fn pipeline(engine: Engine, pipeline: Pipeline) -> Self {
        Ground::new(move |region| Ok(engine.layer(&pipeline, region)?))
    }

    /// The heights of a region.
    ///
    /// # Errors
    /// What the noise, the pipeline or the function says; or heights of another region.
    pub fn heights(&self, region: &Region) -> Result<Layer, GroundError> {
        let heights = (self.0)(region)?;
        if heights.region != *region {
            return Err(format!("the ground of {region:?} was asked for, that of {:?} was given", heights.region).into());
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
