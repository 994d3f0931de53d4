//! Schedules: the passes of a pipeline over planes of a block, in single-assignment form, with the reach of each.
//!
//! A schedule is data, made by stages (`src/stage/lower.rs`). Both backends run the same schedule. A pass computes planes from samples of other planes, including neighbours.
//!
//! | file | holds |
//! |---|---|
//! | `passes` | the one table of passes |
//! | `pass` | generated from it: structs with the planes and numbers of each pass by name |
//! | `block` | blocks, on which a schedule runs |

mod block;
pub(crate) mod pass;
pub(crate) mod passes;

pub(crate) use block::SampleBlock;
pub(crate) use pass::Pass;
#[cfg(feature = "gpu")]
pub(crate) use pass::PassInfo;

use crate::program::Program;
use pass::{PassArguments, PassCall};
use std::sync::Arc;

/// One number per sample of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaneId(pub usize);

/// A plane as an input of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneRead {
    pub plane: PlaneId,
    /// Maximum distance of the samples that are read.
    pub reach: u32,
}

/// The source of the first planes.
#[derive(Clone, Debug)]
pub enum PlaneSource {
    /// A field supplied by the caller.
    Given { stage: String, plane: PlaneId },
    /// The values of a noise.
    Values { program: Arc<Program>, plane: PlaneId },
    /// The values of a noise and their gradient along x and y.
    Jets { program: Arc<Program>, planes: [PlaneId; 3] },
    /// Results on the grid of twice the step. Each sample has the value of the coarser sample at or before it along both axes.
    Coarser(CoarserSource),
    /// The traced world of a stage: of each plane what it holds.
    Drained { stage: String, holds: Vec<DrainedPlane>, planes: Vec<PlaneId> },
}

/// A schedule on the grid of twice the step, whose outputs of one channel each fill planes.
#[derive(Clone, Debug)]
pub struct CoarserSource {
    pub schedule: Arc<Schedule>,
    /// The block on which it runs: its wanted samples enclose the finer block.
    pub block: SampleBlock,
    pub planes: Vec<PlaneId>,
}

/// A plane that drainage fills, or heights along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrainedPlane {
    /// The surface of the water, or the ground.
    Filled,
    /// The depth of the water.
    Depth,
    /// The area that drains through a sample, in world units².
    Area,
    /// The Strahler order of the stream.
    Order,
    /// A number from 0 to 1 for each outlet.
    Basin,
    /// The distance along the water to the outlet, in world units.
    Distance,
    /// The direction of the water along x: a unit vector's.
    FlowX,
    /// Along y.
    FlowY,
    /// The ground, with passes cut.
    Bed,
    /// The rain that passes a sample, times its area.
    Discharge,
    /// The height that slopes along the water give.
    Graded,
}

impl PlaneSource {
    /// The planes that it fills.
    pub fn planes(&self) -> &[PlaneId] {
        match self {
            PlaneSource::Given { plane, .. } | PlaneSource::Values { plane, .. } => std::slice::from_ref(plane),
            PlaneSource::Jets { planes, .. } => planes,
            PlaneSource::Drained { planes, .. } | PlaneSource::Coarser(CoarserSource { planes, .. }) => planes,
        }
    }
}

/// One pass over a block.
#[derive(Clone, Debug, PartialEq)]
pub struct PassStep {
    pub pass: Pass,
    pub reads: Vec<PlaneRead>,
    pub writes: Vec<PlaneId>,
    /// In the order of the table of passes.
    pub numbers: Vec<f64>,
    /// A list of numbers, if the pass has one.
    pub table: Option<Arc<Vec<f64>>>,
}

impl PassStep {
    /// The planes that it reads and writes.
    pub fn planes(&self) -> impl Iterator<Item = PlaneId> {
        self.reads.iter().map(|read| read.plane).chain(self.writes.iter().copied())
    }
}

/// Maximum number of numbers of a pass besides its table.
pub const NUMBERS: usize = 16;
/// Maximum number of planes that a pass writes: the shader returns them as one vector.
pub const WRITES: usize = 4;

/// Sources, then steps in order, and the outputs.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    pub planes: usize,
    pub sources: Vec<PlaneSource>,
    pub steps: Vec<PassStep>,
    /// Planes of every output, one per channel.
    pub outputs: Vec<Vec<PlaneId>>,
}

impl Schedule {
    pub fn plane(&mut self) -> PlaneId {
        self.planes += 1;
        PlaneId(self.planes - 1)
    }

    /// Adds a pass and returns the planes that it writes.
    pub fn run<C: PassCall>(&mut self, call: C) -> C::Made {
        let PassArguments { reads, numbers, table } = call.parts();
        let mut writes = Vec::new();
        let made = C::made(|| {
            let plane = self.plane();
            writes.push(plane);
            plane
        });
        // A pass that may read any sample runs on a whole field, which is one block without a halo.
        let reach = |info: &pass::ReadInfo| info.reach.samples(&numbers).unwrap_or(0);
        let reads = C::PASS.info().reads.iter().zip(reads).map(|(info, plane)| PlaneRead { plane, reach: reach(info) }).collect();
        self.steps.push(PassStep { pass: C::PASS, reads, writes, numbers, table });
        made
    }

    /// The margin in samples, beyond the wanted ones, in which every plane is needed; `None` for planes that are not needed. It is the
    /// larger of those along x and y: a blur along each axis in turn needs its radius once. Steps compute it along both axes. Samples
    /// that are needed along neither may lack theirs, and no needed sample reads them.
    pub fn margins(&self) -> Vec<Option<u32>> {
        let mut margins: Vec<Option<[u32; 2]>> = vec![None; self.planes];
        for plane in self.outputs.iter().flatten() {
            margins[plane.0] = Some([0; 2]);
        }
        let larger = |a: [u32; 2], b: [u32; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        for step in self.steps.iter().rev() {
            let Some(margin) = step.writes.iter().filter_map(|plane| margins[plane.0]).reduce(larger) else { continue };
            for (read, info) in step.reads.iter().zip(step.pass.info().reads) {
                // A pass that may read any sample runs on a whole field, which is one block without a halo.
                let reach = info.reach.along(&step.numbers).map(Option::unwrap_or_default);
                let needed = [0, 1].map(|axis| margin[axis].saturating_add(reach[axis]));
                margins[read.plane.0] = Some(margins[read.plane.0].map_or(needed, |margin| larger(margin, needed)));
            }
        }
        margins.into_iter().map(|margin| margin.map(|[x, y]| x.max(y))).collect()
    }

    /// The margin in samples, beyond the wanted ones, that each step computes.
    pub fn step_margins(&self) -> Vec<u32> {
        let margins = self.margins();
        let widest = |step: &PassStep| step.writes.iter().filter_map(|plane| margins[plane.0]).max().unwrap_or(0);
        self.steps.iter().map(widest).collect()
    }

    /// The largest margin in samples, beyond the wanted ones, of any plane.
    pub fn halo(&self) -> u32 {
        self.margins().into_iter().flatten().max().unwrap_or(0)
    }

    /// The schedules on the grid of twice the step that it reads.
    pub fn coarser(&self) -> impl Iterator<Item = &CoarserSource> {
        self.sources.iter().filter_map(|source| match source {
            PlaneSource::Coarser(coarser) => Some(coarser),
            PlaneSource::Given { .. } | PlaneSource::Values { .. } | PlaneSource::Jets { .. } | PlaneSource::Drained { .. } => None,
        })
    }

    /// This schedule and all on coarser grids that it reads, each with the size of its block, if that of this one is `size`.
    pub fn grids(&self, size: [u64; 2]) -> Vec<(&Schedule, [u64; 2])> {
        let mut all = vec![(self, size)];
        for CoarserSource { schedule, .. } in self.coarser() {
            all.extend(schedule.grids(size.map(|count| count / 2 + 1 + 2 * u64::from(schedule.halo()))));
        }
        all
    }

    /// The number of sources and steps, those on coarser grids included.
    pub fn tasks(&self) -> usize {
        self.sources.len() + self.steps.len() + self.coarser().map(|coarser| coarser.schedule.tasks()).sum::<usize>()
    }

    /// The first stage that stands for a field of the caller.
    pub fn given(&self) -> Option<&str> {
        self.sources.iter().find_map(|source| match source {
            PlaneSource::Given { stage, .. } => Some(stage.as_str()),
            PlaneSource::Coarser(coarser) => coarser.schedule.given(),
            PlaneSource::Values { .. } | PlaneSource::Jets { .. } | PlaneSource::Drained { .. } => None,
        })
    }

    /// Memory of sources besides their planes, in planes.
    pub fn beside(&self) -> usize {
        if self.sources.iter().any(|source| matches!(source, PlaneSource::Jets { .. })) { 4 } else { 0 }
    }

    /// Drops the steps and sources with unused results.
    pub fn prune(&mut self) {
        let margins = self.margins();
        let needed = |plane: &PlaneId| margins[plane.0].is_some();
        self.steps.retain(|step| step.writes.iter().any(needed));
        self.sources.retain(|source| source.planes().iter().any(needed));
        for source in &mut self.sources {
            if let PlaneSource::Drained { holds, planes, .. } = source {
                let kept: Vec<bool> = planes.iter().map(needed).collect();
                let mut kept = [kept.clone().into_iter(), kept.into_iter()];
                holds.retain(|_| kept[0].next() == Some(true));
                planes.retain(|_| kept[1].next() == Some(true));
            }
        }
    }

    /// The step that reads each plane last; outputs are kept to the end.
    pub fn last_reads(&self) -> Vec<usize> {
        let mut last = vec![0; self.planes];
        for (i, step) in self.steps.iter().enumerate() {
            for plane in step.planes() {
                last[plane.0] = i;
            }
        }
        for plane in self.outputs.iter().flatten() {
            last[plane.0] = usize::MAX;
        }
        last
    }

    /// Assigns every plane to a slot of memory, which is reused after the plane's last read. Returns the slot of each plane, and
    /// the number of slots. `in_place` lets a pass write to a plane that it reads, if it supports that.
    pub fn places(&self, in_place: bool) -> (Vec<usize>, usize) {
        const NONE: usize = usize::MAX;
        let last = self.last_reads();
        let (mut place, mut free, mut count) = (vec![NONE; self.planes], Vec::new(), 0);
        let mut take = |free: &mut Vec<usize>| {
            free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            })
        };
        for plane in self.sources.iter().flat_map(PlaneSource::planes) {
            place[plane.0] = take(&mut free);
        }
        for (i, step) in self.steps.iter().enumerate() {
            let mut kept = Vec::new();
            if in_place {
                for (read, write) in step.pass.info().overwrites() {
                    let from = step.reads[read].plane;
                    let once = step.reads.iter().filter(|other| other.plane == from).count() == 1;
                    if last[from.0] == i && once {
                        place[step.writes[write].0] = place[from.0];
                        kept.push(from);
                    }
                }
            }
            for plane in &step.writes {
                if place[plane.0] == NONE {
                    place[plane.0] = take(&mut free);
                }
            }
            let mut done: Vec<PlaneId> = step.planes().collect();
            done.sort_unstable();
            done.dedup();
            free.extend(done.iter().filter(|plane| last[plane.0] == i && !kept.contains(plane)).map(|plane| place[plane.0]));
        }
        (place, count)
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::Noise;
    use crate::schedule::pass::{Add, Gaussian, Median, Thermal};
    use crate::schedule::*;

    #[test]
    fn margins_along_different_axes_do_not_add_up() {
        let mut schedule = Schedule::default();
        let first = schedule.plane();
        let table = Arc::new(vec![0.5, 0.25, 0.1, 0.05]);
        let blur = |value, [x, y]: [f64; 2], radius| Gaussian { value, x, y, radius, table: Arc::clone(&table) };
        let along_x = schedule.run(blur(first, [1.0, 0.0], 3.0)).value;
        let along_y = schedule.run(blur(along_x, [0.0, 1.0], 2.0)).value;
        let again = schedule.run(blur(along_y, [0.0, 1.0], 3.0)).value;
        schedule.outputs = vec![vec![again]];
        let margins = schedule.margins();
        assert_eq!([first, along_x, along_y, again].map(|plane| margins[plane.0]), [Some(5), Some(5), Some(3), Some(0)]);
        assert_eq!(schedule.halo(), 5);
    }

    #[test]
    fn margins_add_up_along_the_longest_way_and_places_are_used_again() {
        let mut schedule = Schedule::default();
        let first = schedule.plane();
        let program = Arc::new(Program::new(Noise::constant(0.0).graph()).expect("a constant"));
        schedule.sources.push(PlaneSource::Values { program, plane: first });
        let thermal = |height: PlaneId| Thermal { height, straight: 0.0, diagonal: 0.0, rate: 0.0 };
        let mut last = first;
        for _ in 0..5 {
            last = schedule.run(thermal(last)).height;
        }
        let middle = schedule.run(Median { value: first, radius: 3.0 }).value;
        let sum = schedule.run(Add { a: last, b: middle }).value;
        let _unused = schedule.run(thermal(sum));
        schedule.outputs = vec![vec![sum]];
        schedule.prune();
        assert_eq!((schedule.steps.len(), schedule.halo()), (7, 5));
        assert_eq!((schedule.margins()[last.0], schedule.margins()[first.0]), (Some(0), Some(5)));
        assert_eq!(schedule.steps[5].reads, [PlaneRead { plane: first, reach: 3 }], "the distance that the number gives");
        let (place, count) = schedule.places(true);
        assert_eq!(count, 3);
        assert_ne!(place[first.0], place[last.0]);
    }
}
