//! Formats of volumes of samples.

use super::VolumeFormat;

/// The encoder of a format of volumes. It takes a shape, whose last axis is fastest, and the numbers.
pub(crate) type VolumeFacts = fn(&[usize], &[f32]) -> Vec<u8>;

impl VolumeFormat {
    /// Writes numbers as a file. The last axis of the shape is fastest.
    pub(crate) fn encode(self, shape: &[usize], values: &[f32]) -> Vec<u8> {
        self.facts()(shape, values)
    }
}
