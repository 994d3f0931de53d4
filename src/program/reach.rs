//! The spaces in which coordinates are read, and how far a region's samples reach in them.

use super::Program;
use crate::region::Region;
use glam::{DAffine3, DVec3};
use std::collections::HashMap;

/// The positions of samples in a space: `map` of their positions, plus or minus `off`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reached {
    pub map: DAffine3,
    pub off: DVec3,
}

impl Reached {
    /// The largest distance from 0 of a region's samples, which is at a corner. At least one, because a frame resolves shares of
    /// its unit.
    fn farthest(&self, region: &Region) -> f64 {
        let at = |position: [f64; 3]| (self.map.transform_point3(DVec3::from(position)).abs() + self.off).length();
        region.corners().map(at).into_iter().fold(1.0, f64::max)
    }
}

/// The frames of a coordinate, with their owner and the spaces in which they are read.
#[derive(Clone, Debug)]
pub(crate) struct CoordinateFrames {
    /// Index into the program's owners.
    pub owner: usize,
    pub reached: Vec<Reached>,
}

impl Program {
    /// For each node that reads coordinates, the largest distance from 0 of a region's samples in its frames, one frame after
    /// another.
    pub(crate) fn farthest(&self, region: &Region) -> HashMap<&str, Vec<f64>> {
        let mut all: HashMap<&str, Vec<f64>> = HashMap::new();
        for CoordinateFrames { owner, reached } in &self.coordinates {
            let farthest = reached.iter().map(|reached| reached.farthest(region)).fold(0.0, f64::max);
            all.entry(&self.owners[*owner].1).or_default().push(farthest);
        }
        all
    }
}
