//! The predicted work and memory of a call, and the limits that catch a mistyped number.

use crate::bake::BakeError;
use crate::engine::Engine;
use crate::error::LayersError;
use crate::error::Widest;
use crate::region::Region;
use crate::stage::Pipeline;

/// Evaluations beyond which a call is refused: a core computes some hundred millions a second, so these are hours.
const MOST_EVALUATIONS: f64 = 1e13;
/// Bytes held in memory at once beyond which a call is refused.
const MOST_BYTES: f64 = 16e9;

/// Predicted work and memory.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Evaluations: samples times the octaves, sines and the like of their noise, and once for each pass of a stage.
    pub evaluations: f64,
    /// Bytes held in memory at once.
    pub bytes: f64,
    /// The stage with the widest halo, where memory exceeds the limit.
    pub widest: Option<Widest>,
}

impl Cost {
    /// The cost of layers of a region.
    ///
    /// # Errors
    /// As [`Engine::estimate`].
    pub fn of_layers(engine: &Engine, pipeline: &Pipeline, layers: &[&str], region: &Region) -> Result<Self, LayersError> {
        let estimate = engine.estimate(pipeline, layers, region)?;
        let held = region.samples() as f64 * 4.0 * layers.len() as f64;
        let bytes = held + estimate.memory as f64;
        let widest = if bytes > MOST_BYTES { engine.widest_stage(pipeline, layers, region) } else { None };
        Ok(Cost { evaluations: estimate.terms as f64, bytes, widest })
    }

    /// The cost of `count` such calls in sequence.
    #[must_use]
    pub fn times(self, count: u64) -> Self {
        Cost { evaluations: self.evaluations * count as f64, ..self }
    }

    /// Mebibytes held in memory at once.
    pub fn mebibytes(&self) -> f64 {
        self.bytes / 1_048_576.0
    }

    /// Refuses more than 1e13 evaluations or 16 GB of memory.
    ///
    /// # Errors
    /// [`BakeError::TooMuch`].
    pub fn check(&self) -> Result<(), BakeError> {
        if self.evaluations > MOST_EVALUATIONS {
            let takes = format!("{:.1e} evaluations", self.evaluations);
            return Err(BakeError::TooMuch { takes, allowed: format!("{MOST_EVALUATIONS:.0e}") });
        }
        if self.bytes > MOST_BYTES {
            let because = self.widest.as_ref().map_or_else(String::new, |widest| format!(", as {widest}"));
            let takes = format!("{:.0} MiB of memory{because}", self.mebibytes());
            return Err(BakeError::TooMuch { takes, allowed: format!("{:.0}", MOST_BYTES / 1_048_576.0) });
        }
        Ok(())
    }
}
