//! Periodic squares of frequency syntheses: computed once, and kept for later calls.

use crate::engine::Engine;
use crate::engine::layers::LayersError;
use crate::gpu::lock;
use crate::region::Region;
use crate::schedule::{SampleBlock, amplitudes, synthesis};
use crate::stage::Frequency;
use std::sync::{Arc, Mutex};

/// Samples in rows.
type Square = Arc<Vec<f64>>;

/// The most recently computed squares, latest first.
#[derive(Clone, Default)]
pub(crate) struct SquareCache(Arc<Mutex<Vec<(Frequency, Square)>>>);

impl SquareCache {
    fn find(&self, n: &Frequency) -> Option<Square> {
        let kept = lock(&self.0);
        kept.iter().find(|(of, _)| of == n).map(|(_, square)| Arc::clone(square))
    }

    /// Stores a square. Earlier squares are removed until all fit in `most` bytes.
    fn keep(&self, n: &Frequency, square: &Square, most: u64) {
        let mut kept = lock(&self.0);
        kept.retain(|(of, _)| of != n);
        kept.insert(0, (n.clone(), Arc::clone(square)));
        let mut bytes = 0;
        kept.retain(|(_, square)| {
            bytes += size_of_val(&square[..]) as u64;
            bytes <= most
        });
    }
}

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
        let mut found = self.block(&schedule, &block, None)?;
        let values = found.remove(0).remove(0);
        // Summed in the order of samples, since another order has other bits. The square is one block, so the order does not
        // depend on how a world is cut.
        let mean = values.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>() / values.len() as f64;
        let scale = if mean > 0.0 { 1.0 / mean.sqrt() } else { 0.0 };
        let square = Arc::new(values.iter().map(|&x| f64::from(x) * scale).collect());
        self.squares.keep(n, &square, self.memory / 2);
        Ok(square)
    }
}
