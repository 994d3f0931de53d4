//! Passes over blocks on the CPU: f32 is the GPU's twin, f64 the oracle.
//!
//! Every file beside this one that has a namesake in `shaders/passes/` holds the same functions in the same order of operations:
//! `hydraulic::flow` is the twin of `hydraulic_flow`. Which of them is which pass follows from the table of passes.

mod adjacent;
mod colour;
mod fourier;
mod gully;
mod hydraulic;
mod lattice;
mod point;
mod rows;
mod stencil;
mod surface;
mod thermal;
mod window;

use crate::cpu::simd::Real;
use crate::cpu::threads::Pool;
use crate::schedule::{Block, PlaneId, Schedule, Source, Step};
use rows::{Over, Part, run_pass};

/// A schedule on its way: its planes, as far as they are computed. Everything runs on the threads that [`Pool::install`] has put it on.
pub struct Run<R> {
    block: Block,
    place: Vec<usize>,
    planes: Vec<Vec<R>>,
    /// Samples beyond the wanted ones that each step computes.
    margins: Vec<u32>,
    parallel: bool,
}

impl<R: Real> Run<R> {
    pub fn new(pool: &Pool, schedule: &Schedule, block: &Block) -> Self {
        let (place, places) = schedule.places(false);
        let planes = vec![Vec::new(); places];
        Run { block: *block, place, planes, margins: schedule.step_margins(), parallel: pool.is_parallel() }
    }

    /// Takes the planes of a source.
    pub fn source(&mut self, source: &Source, planes: Vec<Vec<R>>) {
        let ids = match source {
            Source::Given { plane, .. } | Source::Values { plane, .. } => vec![*plane],
            Source::Jets { planes, .. } => planes.to_vec(),
        };
        for (id, values) in ids.iter().zip(planes) {
            self.planes[self.place[id.0]] = values;
        }
    }

    /// Runs a step, number `i` of the schedule, when all before it have run.
    pub fn step(&mut self, i: usize, step: &Step) {
        let count = self.block.region.samples() as usize;
        let mut written: Vec<Vec<R>> = step.writes.iter().map(|plane| std::mem::take(&mut self.planes[self.place[plane.0]])).collect();
        for plane in &mut written {
            // The standard library asks the system for zeros; a plane that is used again keeps what it has.
            if plane.len() != count {
                *plane = vec![R::default(); count];
            }
        }
        let read: Vec<&[R]> = step.reads.iter().map(|read| &self.planes[self.place[read.plane.0]][..]).collect();
        let (first, size) = self.block.needed(self.margins[i]);
        let over = Over {
            read: &read,
            written: &mut written,
            size: [0, 1].map(|a| self.block.region.size[a]),
            part: Part { first, size },
            index: self.block.index(),
            level: self.block.region.level,
            parallel: self.parallel,
        };
        run_pass(step, over);
        for (plane, values) in step.writes.iter().zip(written) {
            self.planes[self.place[plane.0]] = values;
        }
    }

    /// What comes out in the end: for each output, for each channel, the wanted samples.
    pub fn outputs(&self, schedule: &Schedule) -> Vec<Vec<Vec<R>>> {
        let crop = |plane: &PlaneId| cropped(&self.planes[self.place[plane.0]], &self.block);
        schedule.outputs.iter().map(|channels| channels.iter().map(crop).collect()).collect()
    }
}

/// The wanted samples of a plane.
fn cropped<R: Copy>(values: &[R], block: &Block) -> Vec<R> {
    let (first, size) = block.needed(0);
    let width = block.region.size[0] as usize;
    let rows = values.chunks_exact(width).skip(first[1] as usize).take(size[1] as usize);
    rows.flat_map(|row| &row[first[0] as usize..][..size[0] as usize]).copied().collect()
}

#[cfg(test)]
mod names {
    macro_rules! files {
        ($( $file:ident { $($entry:tt)* } )+) => {
            /// Every file of the table of passes, its shader and its twin.
            const FILES: &[(&str, &str, &str)] = &[ $( (
                stringify!($file),
                include_str!(concat!("../../../shaders/passes/", stringify!($file), ".wgsl")),
                include_str!(concat!(stringify!($file), ".rs")),
            ) ),+ ];
        };
    }
    crate::schedule::passes::passes!(files);

    #[test]
    fn every_function_of_a_shader_has_a_twin_of_its_name() {
        for (file, shader, twin) in FILES {
            for (function, _) in shader.lines().filter_map(|line| line.strip_prefix("fn ")?.split_once('(')) {
                let name = function.strip_prefix(file).and_then(|name| name.strip_prefix('_')).expect(function);
                // The shader looks for a median by keys, where the twin sorts.
                let found =
                    function == "window_key" || [format!("fn {name}<"), format!("fn {name}(")].iter().any(|name| twin.contains(name));
                assert!(found, "{function} has no twin '{name}' in src/cpu/passes/{file}.rs");
            }
        }
    }
}
