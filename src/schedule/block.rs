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

    /// The block on the grid of twice the step, whose wanted samples enclose a region: sample `i` of that grid is sample `2i` of the
    /// region's.
    pub fn coarser(fine: &Region, halo: u32) -> Self {
        let first = [0, 1].map(|a| fine.origin[a] >> 1);
        let last = [0, 1].map(|a| fine.origin[a].saturating_add(i64::from(fine.size[a].saturating_sub(1))) >> 1);
        let size = [0, 1].map(|a| (last[a] - first[a]) as u32 + 1);
        // A plane between two planes of the coarser grid is sample 0 of a grid of its own.
        let anchor = [fine.anchor[0], fine.anchor[1], fine.position([0; 3])[2]];
        let region = Region {
            origin: [first[0], first[1], 0],
            size: [size[0], size[1], fine.size[2]],
            level: fine.level.saturating_add(1),
            spacing: fine.spacing,
            anchor,
        };
        SampleBlock::around(&region, halo)
    }

    /// First sample and size of the part with this many samples around the wanted ones: `[x, y]` each.
    pub fn needed(&self, margin: u32) -> ([u32; 2], [u32; 2]) {
        let margin = margin.min(self.halo);
        let inset = self.halo - margin;
        ([inset; 2], [0, 1].map(|a| self.region.size[a] - 2 * inset))
    }

    /// Whether the first index of a block is odd, along x and y. Its sample `i` lies at or after the wanted sample `(i + odd) / 2` of the
    /// [coarser](Self::coarser) block.
    pub fn odd(&self) -> [u32; 2] {
        [0, 1].map(|a| (self.region.origin[a] & 1) as u32)
    }

    /// The index of the first sample, wrapping.
    pub fn index(&self) -> [u32; 2] {
        [0, 1].map(|a| self.region.origin[a] as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarser_block_encloses_the_finer_one_with_samples_at_the_same_places() {
        for origin in -4..4 {
            for size in 1..6 {
                let fine =
                    Region { origin: [origin, -origin, 3], size: [size, size + 1, 1], level: 2, spacing: 0.75, anchor: [0.3, 9.0, -2.0] };
                let block = SampleBlock { region: fine, halo: 0 };
                let coarse = SampleBlock::coarser(&fine, 5);
                assert_eq!((coarse.region.level, coarse.halo), (3, 5));
                let (first, wanted) = coarse.needed(0);
                assert_eq!(first, [5; 2]);
                for axis in 0..2 {
                    let odd = block.odd()[axis];
                    assert_eq!((fine.size[axis] - 1 + odd) / 2, wanted[axis] - 1, "no more than is needed");
                    for i in 0..fine.size[axis] {
                        let mut at = [0; 3];
                        at[axis] = i;
                        let here = fine.position(at);
                        at[axis] = 5 + (i + odd) / 2;
                        let there = coarse.region.position(at);
                        let beyond = (i + odd) % 2;
                        assert!((here[axis] - there[axis] - f64::from(beyond) * fine.step()).abs() < 1e-12, "{origin}, {size}, {i}");
                        assert_eq!(here[2], there[2], "the same plane");
                    }
                }
            }
        }
    }
}
