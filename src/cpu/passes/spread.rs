//! Results on the coarser grid, spread over a block.

use super::CpuRun;
use crate::cpu::simd::Real;
use crate::cpu::threads::Pool;
use crate::schedule::{CoarserSource, SampleBlock, Schedule};
use rayon::prelude::*;

impl<R: Real> CpuRun<R> {
    /// A run of a schedule on the coarser grid, with memory from the same pool.
    pub fn begin_coarser(&self, pool: &Pool, schedule: &Schedule, block: &SampleBlock) -> Self {
        CpuRun::new(pool, &self.spare, schedule, block, self.often)
    }

    /// Takes the results of a run on the coarser grid. Each sample has the value of the coarser sample at or before it along both axes.
    pub fn spread(&mut self, from: CpuRun<R>, source: &CoarserSource) {
        let found: Vec<Vec<R>> = from.outputs(&source.schedule).into_iter().flatten().collect();
        let odd = self.block.odd().map(|odd| odd as usize);
        let width = source.block.needed(0).1[0] as usize;
        for (id, values) in source.planes.iter().zip(&found) {
            let mut plane = self.plane();
            let row = |(y, to): (usize, &mut [R])| {
                let from = &values[((y + odd[1]) >> 1) * width..][..width];
                to.iter_mut().enumerate().for_each(|(x, to)| *to = from[(x + odd[0]) >> 1]);
            };
            let rows = (self.block.region.size[0] as usize).max(1);
            if self.parallel {
                plane.par_chunks_exact_mut(rows).enumerate().for_each(row);
            } else {
                plane.chunks_exact_mut(rows).enumerate().for_each(row);
            }
            self.planes[id.0] = plane;
        }
        self.spare.keep(found.into_iter());
    }
}
