//! Batches of steps, which run in sequence over one tile of a block, and then over the next. A tile stays in the cache, so memory
//! does not limit the steps. Samples between two tiles are computed for both.

use super::rows::BlockPart;
use crate::schedule::{PassStep, PlaneId, PlaneRead, PlaneSource, SampleBlock, Schedule};
use std::collections::BTreeSet;
use std::ops::Range;

/// Most samples around a tile that its steps may compute additionally.
const HALO: u32 = 8;
/// Most steps in a batch: if the schedule runs to the end, and if it must return often.
pub const STEPS: [usize; 2] = [64, 4];
/// Edges of tiles. A dozen planes fit the cache of a core, and the halo is small compared with the tile.
const EDGES: [u32; 2] = [64, 128];
/// The reach of a pass that reads anywhere along an axis.
const ANYWHERE: u32 = u32::MAX;

/// Consecutive steps.
#[derive(Debug)]
pub struct StepBatch {
    /// The steps in the schedule.
    pub steps: Range<usize>,
    /// Existing planes that are read: the first ones of its own schedule, in this order.
    pub reads: Vec<PlaneId>,
    /// Planes that are written for later batches.
    pub writes: Vec<PlaneId>,
    /// Planes that no later batch reads.
    pub done: Vec<PlaneId>,
    /// The steps as a schedule of their own, with those planes as sources and outputs.
    pub own: Schedule,
    /// For each plane of its own schedule, the index of the tile's plane that stores it, and the number of the tile's planes.
    pub places: (Vec<usize>, usize),
    /// The margin around a tile that each step computes, along x and y.
    margins: Vec<[u32; 2]>,
    /// The margin around a tile in which planes are read, along x and y.
    reach: [u32; 2],
}

impl StepBatch {
    /// Divides a schedule into batches of at most `most` steps, in order.
    pub fn all(schedule: &Schedule, most: usize) -> Vec<StepBatch> {
        let last = schedule.last_reads();
        ranges(schedule, most).into_iter().map(|range| StepBatch::new(schedule, &last, range)).collect()
    }

    /// The largest number of planes that exist at the same time.
    pub fn most_planes(schedule: &Schedule) -> usize {
        let last = schedule.last_reads();
        let mut there: BTreeSet<PlaneId> = schedule.sources.iter().flat_map(|source| source.planes().iter().copied()).collect();
        let mut most = there.len();
        for range in ranges(schedule, STEPS[0]) {
            let written = schedule.steps[range.clone()].iter().flat_map(|step| step.writes.iter().copied());
            there.extend(written.filter(|plane| last[plane.0] >= range.end || range.len() == 1));
            most = most.max(there.len());
            there.retain(|plane| last[plane.0] >= range.end);
        }
        most
    }

    fn new(schedule: &Schedule, last: &[usize], range: Range<usize>) -> StepBatch {
        let steps = &schedule.steps[range.clone()];
        let mut reads: Vec<PlaneId> = steps.iter().flat_map(|step| step.reads.iter().map(|read| read.plane)).collect();
        reads.sort_unstable();
        reads.dedup();
        let mut writes: Vec<PlaneId> = steps.iter().flat_map(|step| step.writes.iter().copied()).collect();
        reads.retain(|plane| !writes.contains(plane));
        // A step by itself writes whole planes, needed or not.
        writes.retain(|plane| last[plane.0] >= range.end || range.len() == 1);
        let done = reads.iter().chain(&writes).copied().filter(|plane| last[plane.0] < range.end).collect();
        let mut own = Schedule::default();
        let mut names: Vec<(PlaneId, PlaneId)> = Vec::new();
        for &plane in &reads {
            let new = own.plane();
            names.push((plane, new));
            own.sources.push(PlaneSource::Given { stage: String::new(), plane: new });
        }
        let named = |names: &[(PlaneId, PlaneId)], plane: PlaneId| {
            names.iter().find(|name| name.0 == plane).map(|name| name.1).expect("invariant: steps read what is there")
        };
        for step in steps {
            let reads = step.reads.iter().map(|read| PlaneRead { plane: named(&names, read.plane), ..*read }).collect();
            let writes = step.writes.iter().map(|&plane| {
                let new = own.plane();
                names.push((plane, new));
                new
            });
            let writes = writes.collect();
            own.steps.push(PassStep { reads, writes, ..step.clone() });
        }
        own.outputs = writes.iter().map(|&plane| vec![named(&names, plane)]).collect();
        let mut all = vec![[0; 2]; own.steps.len()];
        let reach = margins(&own.steps, &mut vec![[0; 2]; own.planes], |i, margin| all[i] = margin);
        StepBatch { steps: range, reads, writes, done, places: own.places(false), own, margins: all, reach }
    }

    /// The samples of a block that any output of the batch needs.
    pub fn wanted(&self, block: &SampleBlock, step_margins: &[u32]) -> BlockPart {
        let of_outputs = self.steps.clone().zip(&self.own.steps);
        let of_outputs = of_outputs.filter(|(_, step)| step.writes.iter().any(|plane| self.own.outputs.iter().any(|out| out[0] == *plane)));
        let margin = of_outputs.map(|(i, _)| step_margins[i]).max().unwrap_or(0);
        let (first, size) = block.needed(margin);
        BlockPart { first, size }
    }

    /// The ranges of tiles along x and y, for this number of threads.
    pub fn cuts(&self, wanted: &BlockPart, threads: u32) -> [Vec<Range<u32>>; 2] {
        let samples = u64::from(wanted.size[0]) * u64::from(wanted.size[1]);
        // Several tiles per thread, if there are enough samples.
        let edge = ((samples / (4 * u64::from(threads.max(1)))).isqrt() as u32).clamp(EDGES[0], EDGES[1]);
        [0, 1].map(|axis| {
            let (first, size) = (wanted.first[axis], wanted.size[axis]);
            let most = match self.reach {
                reach if reach[axis] == ANYWHERE => size,
                // Whole lines, with the samples of two tiles. Passes along lines have few planes, and each row of a tile has a
                // fixed cost.
                reach if reach[1 - axis] == ANYWHERE => (2 * edge * edge / wanted.size[1 - axis].max(1)).max(16),
                _ => edge,
            };
            let count = size.div_ceil(most.max(1)).max(1);
            (0..count).map(|i| first + cut(size, i, count)..first + cut(size, i + 1, count)).collect()
        })
    }

    /// The part of a block that a step computes for a tile.
    pub fn part(&self, step: usize, tile: &BlockPart, block: &SampleBlock, step_margin: u32) -> BlockPart {
        let (first, size) = block.needed(step_margin);
        tile.grown(self.margins[step], &BlockPart { first, size })
    }

    /// The part of a block that is read for a tile.
    pub fn window(&self, tile: &BlockPart, block: &SampleBlock) -> BlockPart {
        tile.grown(self.reach, &BlockPart { first: [0; 2], size: [block.region.size[0], block.region.size[1]] })
    }
}

/// The start of a part; parts consist of whole vectors.
fn cut(size: u32, part: u32, parts: u32) -> u32 {
    if part == parts { size } else { (u64::from(size) * u64::from(part) / u64::from(parts)) as u32 & !15 }
}

/// Divides the steps into batches. A batch grows while its halo is small enough.
fn ranges(schedule: &Schedule, most: usize) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut first = 0;
    // The margin around a tile in which each plane is needed by the steps of this batch.
    let mut needed = vec![[0; 2]; schedule.planes];
    while first < schedule.steps.len() {
        let mut end = first + 1;
        while end < schedule.steps.len() && end - first < most {
            let steps = &schedule.steps[first..=end];
            for plane in steps.iter().flat_map(PassStep::planes) {
                needed[plane.0] = [0; 2];
            }
            let reach = margins(steps, &mut needed, |_, _| ());
            if reach.into_iter().filter(|&reach| reach != ANYWHERE).max().is_none_or(|reach| reach > HALO) {
                break;
            }
            end += 1;
        }
        all.push(first..end);
        first = end;
    }
    all
}

/// Finds the margin that every step computes, and returns the margin in which planes are read. `needed`: 0 for each plane.
fn margins(steps: &[PassStep], needed: &mut [[u32; 2]], mut found: impl FnMut(usize, [u32; 2])) -> [u32; 2] {
    let mut reach = [0; 2];
    for (i, step) in steps.iter().enumerate().rev() {
        let margin = step.writes.iter().map(|plane| needed[plane.0]).fold([0; 2], larger);
        found(i, margin);
        for (read, info) in step.reads.iter().zip(step.pass.info().reads) {
            let along = info.reach.along(&step.numbers).map(|reach| reach.unwrap_or(ANYWHERE));
            let far = [0, 1].map(|axis| margin[axis].saturating_add(along[axis]));
            needed[read.plane.0] = larger(needed[read.plane.0], far);
            reach = larger(reach, far);
        }
    }
    reach
}

fn larger(a: [u32; 2], b: [u32; 2]) -> [u32; 2] {
    [a[0].max(b[0]), a[1].max(b[1])]
}
