//! Steps that run one after the other over one tile of a block, and then over the next: while a tile lies in the cache, memory is not
//! what limits them. What lies between two tiles is computed for each of them.

use super::rows::BlockPart;
use crate::schedule::{PassStep, PlaneId, PlaneRead, PlaneSource, SampleBlock, Schedule};
use std::collections::BTreeSet;
use std::ops::Range;

/// Samples around a tile that its steps may compute besides.
const HALO: u32 = 8;
/// Steps in a batch, at most: of what runs to the end, and of what is to return often.
pub const STEPS: [usize; 2] = [64, 4];
/// Edges of tiles: such that a dozen planes lie in the cache of a core, and no less than keeps the halo small beside them.
const EDGES: [u32; 2] = [64, 128];
/// Anywhere along an axis.
const ANYWHERE: u32 = u32::MAX;

/// A few steps in a row.
#[derive(Debug)]
pub struct StepBatch {
    /// Which of the schedule.
    pub steps: Range<usize>,
    /// Planes that are there before, and are read; the first ones of its own schedule, in this order.
    pub reads: Vec<PlaneId>,
    /// Planes that are written for what comes afterwards.
    pub writes: Vec<PlaneId>,
    /// Planes that nothing reads afterwards.
    pub done: Vec<PlaneId>,
    /// The steps as a schedule of their own, whose sources and outputs are those planes.
    pub own: Schedule,
    /// In which of a tile's planes each plane of its own schedule lies, and how many those are.
    pub places: (Vec<usize>, usize),
    /// How far around a tile each step computes, along x and y.
    margins: Vec<[u32; 2]>,
    /// How far around a tile the planes are read, along x and y.
    reach: [u32; 2],
}

impl StepBatch {
    /// A schedule as batches of so many steps at most, in order.
    pub fn all(schedule: &Schedule, most: usize) -> Vec<StepBatch> {
        let last = schedule.last_reads();
        ranges(schedule, most).into_iter().map(|range| StepBatch::new(schedule, &last, range)).collect()
    }

    /// The most planes that are there at a time.
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
        // A step by itself writes whole planes, wanted or not.
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

    /// The samples of a block that are wanted of it: what any of its outputs needs.
    pub fn wanted(&self, block: &SampleBlock, step_margins: &[u32]) -> BlockPart {
        let of_outputs = self.steps.clone().zip(&self.own.steps);
        let of_outputs = of_outputs.filter(|(_, step)| step.writes.iter().any(|plane| self.own.outputs.iter().any(|out| out[0] == *plane)));
        let margin = of_outputs.map(|(i, _)| step_margins[i]).max().unwrap_or(0);
        let (first, size) = block.needed(margin);
        BlockPart { first, size }
    }

    /// Where tiles begin and end along x and y, for so many threads.
    pub fn cuts(&self, wanted: &BlockPart, threads: u32) -> [Vec<Range<u32>>; 2] {
        let samples = u64::from(wanted.size[0]) * u64::from(wanted.size[1]);
        // Some tiles for each thread, if there is enough for them.
        let edge = ((samples / (4 * u64::from(threads.max(1)))).isqrt() as u32).clamp(EDGES[0], EDGES[1]);
        [0, 1].map(|axis| {
            let (first, size) = (wanted.first[axis], wanted.size[axis]);
            let most = match self.reach {
                reach if reach[axis] == ANYWHERE => size,
                // Whole lines: as many as make two tiles, for what goes along lines has few planes, and each row of a tile takes its time.
                reach if reach[1 - axis] == ANYWHERE => (2 * edge * edge / wanted.size[1 - axis].max(1)).max(16),
                _ => edge,
            };
            let count = size.div_ceil(most.max(1)).max(1);
            (0..count).map(|i| first + cut(size, i, count)..first + cut(size, i + 1, count)).collect()
        })
    }

    /// What a step computes for a tile.
    pub fn part(&self, step: usize, tile: &BlockPart, block: &SampleBlock, step_margin: u32) -> BlockPart {
        let (first, size) = block.needed(step_margin);
        tile.grown(self.margins[step], &BlockPart { first, size })
    }

    /// What is read for a tile.
    pub fn window(&self, tile: &BlockPart, block: &SampleBlock) -> BlockPart {
        tile.grown(self.reach, &BlockPart { first: [0; 2], size: [block.region.size[0], block.region.size[1]] })
    }
}

/// The beginning of one of so many parts; whole vectors from one to the next.
fn cut(size: u32, part: u32, parts: u32) -> u32 {
    if part == parts { size } else { (u64::from(size) * u64::from(part) / u64::from(parts)) as u32 & !15 }
}

/// Which steps are put together: as long as tiles are worth what they compute twice.
fn ranges(schedule: &Schedule, most: usize) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut first = 0;
    // How far around a tile each plane is needed, of what the steps that are looked at read and write.
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

/// How far around what is wanted every step computes, and how far the planes are read. `needed`: 0 for each plane.
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
