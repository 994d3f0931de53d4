//! File formats: those of tiles, and those of volumes and arrays.

use crate::bake::PlanError;
use crate::bake::product::Product;
use crate::codec::{Quantisation, Samples, Shape};
pub use crate::codec::{VolumeFormat, npy::encode as npy};
use crate::field::{Field, Layer};

/// Encodes a field, plane or volume, as a file of 32-bit floats.
pub fn volume(field: &Field, format: VolumeFormat) -> Vec<u8> {
    let [x, y, z] = field.region.size.map(|n| n as usize);
    format.encode(&[z, y, x], &field.values)
}

/// The samples of a layer, as formats encode them.
pub(super) fn samples(layer: &Layer) -> Samples<'_> {
    let [columns, rows, _] = layer.region.size;
    Samples { shape: Shape { size: [columns, rows], channels: layer.channels }, values: &layer.values }
}

impl Product {
    /// The declared range; `None` if it has none.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, or if the range is reversed.
    pub(super) fn quantisation(&self) -> Result<Option<Quantisation>, PlanError> {
        Ok(self.range.map(|range| Quantisation::new(range.lo, range.hi)).transpose()?)
    }
}
