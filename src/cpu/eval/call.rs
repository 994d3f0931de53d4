//! The call of a scope: the samples in the lanes of a block, and the destination of results.

use crate::cpu::eval::advance::RowAdvance;
use crate::cpu::eval::positions::{Lines, Positions};
use crate::cpu::simd::Dispatch;
use crate::cpu::simd::lanes::Lanes;
use crate::frame::{Frame, RegionGrid};

/// The source of a block's samples.
#[derive(Clone, Copy)]
pub enum SampleSource<'a> {
    /// Neighbours along x in a region, beginning at this index. In a narrow region the block has several whole rows, as `advances`
    /// defines.
    Region { grids: &'a [RegionGrid], advances: &'a [RowAdvance], index: [u32; 3] },
    /// Any positions.
    Points { grids: &'a [RegionGrid], frames: &'a [Frame], lines: &'a Lines, positions: &'a Positions },
    /// Centres of cells, by their numbers plus 2³¹.
    CellCentres { grids: &'a [RegionGrid], index: &'a [Lanes<u32>; 3] },
}

impl<'a> SampleSource<'a> {
    /// The frames' integers.
    pub fn grids(&self) -> &'a [RegionGrid] {
        match *self {
            SampleSource::Region { grids, .. } | SampleSource::Points { grids, .. } | SampleSource::CellCentres { grids, .. } => grids,
        }
    }
}

/// A call whose lanes are instances (octaves) of one sample.
#[derive(Clone, Copy)]
pub struct Abreast {
    /// The index of the sample in the source.
    pub sample: usize,
    /// The number of instances.
    pub count: usize,
}

/// The call of a scope.
#[derive(Clone, Copy)]
pub struct ScopeCall<'a, R> {
    pub simd: Dispatch,
    pub instance: u32,
    pub source: &'a SampleSource<'a>,
    pub displacement: Option<&'a [Lanes<R>; 3]>,
    /// If set, lanes are instances of one of the source's samples, beginning at `instance`.
    pub abreast: Option<Abreast>,
    /// Whether gradients are read. Code for one number at a time computes them in any case.
    pub gradient: bool,
}

/// The destination of values, and of gradients if they are requested: one for each sample.
pub struct Out<'a, R> {
    pub values: &'a mut [R],
    pub gradients: Option<&'a mut [[R; 3]]>,
}
