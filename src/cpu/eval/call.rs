//! What a scope is evaluated for: which samples lie in the lanes of a block, and where results go.

use crate::cpu::eval::advance::RowAdvance;
use crate::cpu::eval::positions::{Lines, Positions};
use crate::cpu::simd::Dispatch;
use crate::cpu::simd::lanes::Lanes;
use crate::frame::{Frame, RegionGrid};

/// Where a block's samples come from.
#[derive(Clone, Copy)]
pub enum SampleSource<'a> {
    /// Neighbours along x in a region, the first at this index; in a narrow one, as many whole rows as `advances` have.
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

/// Lanes that are instances of one sample.
#[derive(Clone, Copy)]
pub struct Abreast {
    /// Which of the source's samples it is.
    pub sample: usize,
    /// How many instances there are.
    pub count: usize,
}

/// Where a scope is evaluated.
#[derive(Clone, Copy)]
pub struct ScopeCall<'a, R> {
    pub simd: Dispatch,
    pub instance: u32,
    pub source: &'a SampleSource<'a>,
    pub displacement: Option<&'a [Lanes<R>; 3]>,
    /// Whether lanes are not the source's samples but instances, from this one on, of one of them.
    pub abreast: Option<Abreast>,
    /// Whether gradients are read. Code for one number at a time computes them in any case.
    pub gradient: bool,
}

/// Where values go, and gradients if they are wanted: one for each sample.
pub struct Out<'a, R> {
    pub values: &'a mut [R],
    pub gradients: Option<&'a mut [[R; 3]]>,
}
