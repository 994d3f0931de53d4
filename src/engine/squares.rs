//! Periodic squares of frequency syntheses: computed once, and kept for later calls.

use crate::engine::Engine;
use crate::engine::latest::Latest;
use crate::engine::run::Supplied;
use crate::error::LayersError;
use crate::region::Region;
use crate::schedule::SampleBlock;
use crate::stage::{Frequency, PreparedPipeline, amplitudes, synthesis};
use std::sync::Arc;

/// Samples in rows.
type Square = Arc<Vec<f64>>;

/// The squares that were computed last.
pub(crate) type SquareCache = Latest<Frequency, Vec<f64>>;

impl Engine {
    /// The periodic square of a frequency synthesis: mean 0, mean square 1.
    ///
    /// # Errors
    /// Returns an error if the square, which is one block, exceeds the memory or the device's limits, or if the device failed.
    pub(crate) fn square(&self, stage: &str, n: &Frequency) -> Result<Square, LayersError> {
        if let Some(square) = self.squares.find(n) {
            return Ok(square);
        }
        let block = SampleBlock { region: Region::plane(n.size, n.size), halo: 0 };
        let amplitudes = self.pool.map(n.size as usize / 2 + 1, |y| amplitudes(n, y as u32));
        let schedule = synthesis(n, &amplitudes);
        let most = self.fits(&schedule, 0, 0)?;
        if most < u64::from(n.size) {
            return Err(LayersError::Square { stage: stage.to_owned(), size: n.size, allowed: most.max(2).ilog2() });
        }
        let mut found = self.block(&schedule, &block, Supplied::prepared(self, &PreparedPipeline::default()))?;
        let values = found.remove(0).remove(0);
        // Summed in the order of samples, since another order has other bits. The square is one block, so the order does not
        // depend on how a world is cut.
        let mean = values.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>() / values.len() as f64;
        let scale = if mean > 0.0 { 1.0 / mean.sqrt() } else { 0.0 };
        let square = Arc::new(values.iter().map(|&x| f64::from(x) * scale).collect());
        self.squares.keep(n.clone(), &square, self.memory / 2, |square| size_of_val(&square[..]) as u64);
        Ok(square)
    }
}
