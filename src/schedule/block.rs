//! Blocks of samples, on which a schedule runs.

use crate::region::Region;

/// A block of samples: the wanted ones, with a halo.
#[derive(Clone, Copy, Debug)]
pub struct SampleBlock {
    /// The whole block: the wanted samples and the halo around them.
    pub region: Region,
    /// Width of the halo in samples.
    pub halo: u32,
}

impl SampleBlock {
    /// The block around a region.
    pub fn around(wanted: &Region, halo: u32) -> Self {
        let [x, y, z] = wanted.origin;
        let shift = i64::from(halo);
        let [width, height, depth] = wanted.size;
        let size = [width.saturating_add(2 * halo), height.saturating_add(2 * halo), depth];
        SampleBlock { region: Region { origin: [x.saturating_sub(shift), y.saturating_sub(shift), z], size, ..*wanted }, halo }
    }

    /// First sample and size of the part with this many samples around the wanted ones: `[x, y]` each.
    pub fn needed(&self, margin: u32) -> ([u32; 2], [u32; 2]) {
        let margin = margin.min(self.halo);
        let inset = self.halo - margin;
        ([inset; 2], [0, 1].map(|a| self.region.size[a] - 2 * inset))
    }

    /// The index of the first sample, wrapping.
    pub fn index(&self) -> [u32; 2] {
        [0, 1].map(|a| self.region.origin[a] as u32)
    }
}
