//! Pipelines on the engine: layers of a region, computed in blocks of any size.

use crate::engine::Engine;
use crate::engine::join::{check_plane, not_finite};
use crate::engine::measured::{Measured, check_inside};
use crate::engine::sources::{Blocks, Brought};
use crate::error::LayersError;
use crate::field::{Field, Layer};
use crate::region::{Region, RegionError};
use crate::stage::Pipeline;
use crate::world::one::{Checkpoint, answer_all};

/// The layers whose ranges are used by default.
const NO_RANGES: [&str; 0] = [];
impl Engine {
    /// Evaluates layers of a pipeline on a region: stages (`eroded`), other outputs of stages (`eroded.water`) or nodes.
    ///
    /// Stages that depend on the whole world and have not been [measured](Self::measure) use the region as the world. The region
    /// is computed in blocks with halos, as large as [`EngineOptions::memory`](crate::EngineOptions::memory) allows; the bits do
    /// not depend on that.
    ///
    /// # Errors
    /// Returns an error if the pipeline or the region is invalid, if a halo is too wide for the memory, or if the device failed.
    pub fn layers(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], region: &Region) -> Result<Vec<Layer>, LayersError> {
        region.check()?;
        let measured = self.measured(pipeline, outputs, &[*region])?;
        check_inside(&measured.prepared, region)?;
        self.measured_layers(&measured, outputs, region)
    }

    /// The pipeline's output on a region.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers).
    pub fn layer(&self, pipeline: &Pipeline, region: &Region) -> Result<Layer, LayersError> {
        let mut layers = self.layers(pipeline, &[&pipeline.output], region)?;
        Ok(layers.remove(0))
    }

    /// Runs the stages of a pipeline on a field of the caller, which replaces [`Given`](crate::stage::Given). There is nothing
    /// beyond its edges: no water flows out, and filters use the nearest sample.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers). It also fails if a value of the field is not finite, if the number of
    /// values differs from that of the region's samples, or if the field exceeds the memory. The field is one block.
    pub fn apply(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], field: &Field) -> Result<Vec<Layer>, LayersError> {
        check_plane(&field.region)?;
        if field.values.len() as u64 != field.region.samples() {
            let value = format!("{} values on {:?}", field.values.len(), field.region.size);
            return Err(RegionError::new("size", value, "one value per sample").into());
        }
        if let Some(index) = not_finite(&field.values, &self.pool) {
            return Err(LayersError::NotFinite { what: "the given field".to_owned(), index });
        }
        let mut questions = self.questions(pipeline.clone(), outputs, &NO_RANGES);
        questions.set_world(&[field.region]);
        let mut source = Brought::new(self, field);
        answer_all(&self.pool, &mut questions, &mut source, &mut (), &())?;
        let measured = source.into_measured(questions, outputs)?;
        self.in_place(&measured, outputs, field)
    }

    /// A pipeline in which the whole-world measurements of every stage are filled in, so that tiles can be computed in any order
    /// and by any process. `world` lists the regions that make it up, with each sample once.
    ///
    /// # Errors
    /// Returns the errors of [`layers`](Self::layers), and an error if there are no regions but one is needed.
    pub fn measure(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], world: &[Region]) -> Result<Pipeline, LayersError> {
        self.measure_noting(pipeline, outputs, world, &mut ())
    }

    /// [`measure`](Self::measure) with a checkpoint, which stores the answers and how far the next one is.
    ///
    /// # Errors
    /// Returns the errors of [`measure`](Self::measure).
    pub fn measure_noting(
        &self,
        pipeline: &Pipeline,
        outputs: &[impl AsRef<str>],
        world: &[Region],
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Pipeline, LayersError> {
        Ok(self.measured_noting(pipeline, outputs, world, checkpoint)?.pipeline)
    }

    pub(crate) fn measured(&self, pipeline: &Pipeline, outputs: &[impl AsRef<str>], world: &[Region]) -> Result<Measured, LayersError> {
        self.measured_noting(pipeline, outputs, world, &mut ())
    }

    /// As [`measured`](Self::measured), with a checkpoint.
    pub(crate) fn measured_noting(
        &self,
        pipeline: &Pipeline,
        outputs: &[impl AsRef<str>],
        world: &[Region],
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Measured, LayersError> {
        world.iter().try_for_each(check_plane)?;
        let mut questions = self.questions(pipeline.clone(), outputs, &NO_RANGES);
        questions.set_world(world);
        let mut source = Blocks::new(self, world, &[]);
        answer_all(&self.pool, &mut questions, &mut source, checkpoint, &())?;
        source.into_measured(questions, outputs)
    }
}
