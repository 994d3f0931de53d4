//! Passes over blocks on the CPU: f32 is the GPU's twin, f64 the oracle.
//!
//! Every file in this folder with a namesake in `shaders/passes/` has the same functions with the same order of operations. For
//! example, `hydraulic::flow` is the twin of `hydraulic_flow`. The table of passes assigns functions to passes.

mod adjacent;
mod around;
mod batch;
mod colour;
mod displace;
mod erosion;
mod fourier;
mod gully;
mod hydraulic;
mod incise;
mod lattice;
mod line;
mod loose;
mod node;
mod point;
mod polyline;
mod river;
mod rows;
mod shore;
mod spare;
mod spread;
mod stencil;
mod strata;
mod surface;
mod thermal;
mod twin;
mod window;

use crate::cpu::simd::Real;
use crate::cpu::threads::Pool;
use crate::schedule::{PassStep, PlaneId, PlaneSource, SampleBlock, Schedule};
use crate::stop::{Stop, Stopped};
use batch::StepBatch;
use rayon::prelude::*;
use rows::{BlockPart, PassPlanes};
pub use spare::SparePlanes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use twin::run_pass;

/// The largest number of planes of a block that exist at the same time.
pub fn most_planes(schedule: &Schedule) -> usize {
    StepBatch::most_planes(schedule)
}

/// A schedule in progress: its planes, as far as they are computed. Everything runs on the threads of [`Pool::install`].
pub struct CpuRun<R: Real> {
    block: SampleBlock,
    /// By their number in the schedule; empty if they do not exist yet or any more.
    planes: Vec<Vec<R>>,
    /// Planes whose memory can be reused.
    free: Vec<Vec<R>>,
    /// The pool of planes that they come from and return to.
    spare: SparePlanes<R>,
    batches: Vec<StepBatch>,
    /// The table of each step, if it has one.
    tables: Vec<Arc<[R]>>,
    /// Samples beyond the requested ones that each step computes.
    margins: Vec<u32>,
    /// The batch in progress.
    next: usize,
    /// The planes that it writes, and the number of finished rows of tiles; `None` before it begins.
    begun: Option<(Vec<Vec<R>>, usize)>,
    /// Memory that tiles pass on to later tiles.
    scratch: Mutex<Vec<TileScratch<R>>>,
    often: bool,
    parallel: bool,
}

impl<R: Real> CpuRun<R> {
    /// `often`: [`advance`](Self::advance) returns after a few steps over a few tiles.
    pub fn new(pool: &Pool, spare: &SparePlanes<R>, schedule: &Schedule, block: &SampleBlock, often: bool) -> Self {
        CpuRun {
            block: *block,
            planes: vec![Vec::new(); schedule.planes],
            free: Vec::new(),
            spare: spare.clone(),
            batches: StepBatch::all(schedule, batch::STEPS[usize::from(often)]),
            often,
            tables: tables(schedule),
            margins: schedule.step_margins(),
            next: 0,
            begun: None,
            scratch: Mutex::default(),
            parallel: pool.is_parallel(),
        }
    }

    /// A plane of the block with arbitrary content.
    pub fn plane(&self) -> Vec<R> {
        self.spare.plane(self.block.region.samples() as usize)
    }

    /// Takes the planes of a source.
    pub fn source(&mut self, source: &PlaneSource, planes: Vec<Vec<R>>) {
        for (id, values) in source.planes().iter().zip(planes) {
            self.planes[id.0] = values;
        }
    }

    /// Runs some steps over one row of tiles or all of them, once all sources are set. If stopped, it leaves out the remaining
    /// tiles, and the run is of no further use.
    pub fn advance(&mut self, stop: &Stop) -> Result<(), Stopped> {
        let Some(batch) = self.batches.get(self.next) else { return Ok(()) };
        let count = self.block.region.samples() as usize;
        let (mut written, done) = match self.begun.take() {
            Some(begun) => begun,
            None => {
                // Memory of a large block takes part of a second.
                let plane = |_: &PlaneId| stop.check().map(|()| self.free.pop().unwrap_or_else(|| self.spare.plane(count)));
                (batch.writes.iter().map(plane).collect::<Result<_, _>>()?, 0)
            }
        };
        let read: Vec<&[R]> = batch.reads.iter().map(|plane| &self.planes[plane.0][..]).collect();
        let wanted = batch.wanted(&self.block, &self.margins);
        if let [step] = &batch.own.steps[..] {
            let reads: Vec<&[R]> = step.reads.iter().map(|plane| read[plane.plane.0]).collect();
            let size = [0, 1].map(|a| self.block.region.size[a]);
            run_pass(
                step,
                PassPlanes {
                    read: &reads,
                    written: &mut written,
                    table: &self.tables[batch.steps.start],
                    window: BlockPart { first: [0; 2], size },
                    part: wanted,
                    index: self.block.index(),
                    level: self.block.region.level,
                    parallel: self.parallel,
                    spare: &self.spare,
                },
            );
        } else {
            let threads = if self.parallel { rayon::current_num_threads() as u32 } else { 1 };
            let cuts = batch.cuts(&wanted, threads);
            let until = if self.often { done + 1 } else { cuts[1].len() };
            let tiles = tiles(&cuts, done..until, &mut written, self.block.region.size[0] as usize);
            let run = |(tile, out): (BlockPart, Vec<Vec<&mut [R]>>)| {
                if stop.is_stopped() {
                    return;
                }
                let mut scratch = self.scratch().pop().unwrap_or_default();
                scratch.run(self, batch, &read, &tile, out);
                self.scratch().push(scratch);
            };
            if self.parallel && tiles.len() > 1 {
                tiles.into_par_iter().for_each(run);
            } else {
                tiles.into_iter().for_each(run);
            }
            stop.check()?;
            if until < cuts[1].len() {
                self.begun = Some((written, until));
                return Ok(());
            }
        }
        for (plane, values) in batch.writes.iter().zip(written) {
            self.planes[plane.0] = values;
        }
        for plane in &batch.done {
            self.free.push(std::mem::take(&mut self.planes[plane.0]));
        }
        self.next += 1;
        Ok(())
    }

    fn scratch(&self) -> MutexGuard<'_, Vec<TileScratch<R>>> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps that have run.
    pub fn steps(&self) -> usize {
        self.batches.get(self.next).map_or(self.margins.len(), |batch| batch.steps.start)
    }

    /// The results: for each output and each channel, the requested samples.
    pub fn outputs(mut self, schedule: &Schedule) -> Vec<Vec<Vec<R>>> {
        let wanted: Vec<PlaneId> = schedule.outputs.iter().flatten().copied().collect();
        let mut cropped = wanted.iter().enumerate().map(|(i, plane)| {
            if self.block.halo == 0 && !wanted[i + 1..].contains(plane) {
                return std::mem::take(&mut self.planes[plane.0]);
            }
            cropped(&self.planes[plane.0], &self.block, &self.spare)
        });
        schedule.outputs.iter().map(|channels| cropped.by_ref().take(channels.len()).collect()).collect()
    }
}

impl<R: Real> Drop for CpuRun<R> {
    fn drop(&mut self) {
        let begun = self.begun.take().map(|(planes, _)| planes).unwrap_or_default();
        self.spare.keep(self.free.drain(..).chain(self.planes.drain(..)).chain(begun));
    }
}

/// The tables of all steps; steps share equal tables.
fn tables<R: Real>(schedule: &Schedule) -> Vec<Arc<[R]>> {
    let mut made: HashMap<*const Vec<f64>, Arc<[R]>> = HashMap::new();
    let none: Arc<[R]> = Arc::new([]);
    let table = |step: &PassStep| {
        let Some(table) = &step.table else { return none.clone() };
        made.entry(Arc::as_ptr(table)).or_insert_with(|| table.iter().map(|&x| R::of(x)).collect()).clone()
    };
    schedule.steps.iter().map(table).collect()
}

/// Some rows of tiles, with the rows of samples that each tile writes in every plane.
fn tiles<'a, R>(
    [columns, lines]: &[Vec<std::ops::Range<u32>>; 2],
    wanted: std::ops::Range<usize>,
    planes: &'a mut [Vec<R>],
    width: usize,
) -> Vec<(BlockPart, Vec<Vec<&'a mut [R]>>)> {
    let lines = &lines[wanted];
    let mut all: Vec<(BlockPart, Vec<Vec<&mut [R]>>)> = Vec::new();
    for y in lines {
        for x in columns {
            all.push((BlockPart { first: [x.start, y.start], size: [x.len() as u32, y.len() as u32] }, Vec::new()));
        }
    }
    for plane in planes {
        let mut rows = plane.chunks_exact_mut(width.max(1));
        let mut at = 0;
        for (i, y) in lines.iter().enumerate() {
            let of_line = &mut all[i * columns.len()..(i + 1) * columns.len()];
            for (_, out) in of_line.iter_mut() {
                out.push(Vec::with_capacity(y.len()));
            }
            for row in rows.by_ref().skip((y.start - at) as usize).take(y.len()) {
                let (mut rest, mut from) = (row, 0);
                for (x, (_, out)) in columns.iter().zip(of_line.iter_mut()) {
                    let (_, right) = rest.split_at_mut((x.start - from) as usize);
                    let (own, right) = right.split_at_mut(x.len());
                    out.last_mut().expect("invariant: one was pushed").push(own);
                    (rest, from) = (right, x.end);
                }
            }
            at = y.end;
        }
    }
    all.retain(|(tile, _)| tile.samples() > 0);
    all
}

/// Planes of a tile. Tiles pass their memory on to later tiles.
#[derive(Default)]
struct TileScratch<R> {
    planes: Vec<Vec<R>>,
}

impl<R: Real> TileScratch<R> {
    /// Runs a batch over a tile.
    fn run(&mut self, run: &CpuRun<R>, batch: &StepBatch, read: &[&[R]], tile: &BlockPart, out: Vec<Vec<&mut [R]>>) {
        let block = &run.block;
        let window = batch.window(tile, block);
        let (count, width, stride) = (window.samples(), window.size[0] as usize, block.region.size[0] as usize);
        let (place, places) = &batch.places;
        self.planes.resize_with((*places).max(self.planes.len()), Vec::new);
        for (plane, values) in batch.own.sources.iter().flat_map(PlaneSource::planes).zip(read) {
            let to = &mut self.planes[place[plane.0]];
            to.clear();
            let rows = values.chunks_exact(stride.max(1)).skip(window.first[1] as usize).take(window.size[1] as usize);
            rows.for_each(|row| to.extend_from_slice(&row[window.first[0] as usize..][..width]));
        }
        for (i, (step, at)) in batch.own.steps.iter().zip(batch.steps.clone()).enumerate() {
            let mut written: Vec<Vec<R>> = step.writes.iter().map(|plane| std::mem::take(&mut self.planes[place[plane.0]])).collect();
            written.iter_mut().for_each(|plane| plane.resize(count, R::default()));
            let read: Vec<&[R]> = step.reads.iter().map(|read| &self.planes[place[read.plane.0]][..]).collect();
            let over = PassPlanes {
                read: &read,
                written: &mut written,
                table: &run.tables[at],
                window,
                part: batch.part(i, tile, block, run.margins[at]),
                index: block.index(),
                level: block.region.level,
                parallel: false,
                spare: &run.spare,
            };
            run_pass(step, over);
            for (plane, values) in step.writes.iter().zip(written) {
                self.planes[place[plane.0]] = values;
            }
        }
        let skipped = [0, 1].map(|a| (tile.first[a] - window.first[a]) as usize);
        for (plane, rows) in batch.own.outputs.iter().zip(out) {
            let from = self.planes[place[plane[0].0]].chunks_exact(width.max(1)).skip(skipped[1]);
            for (to, from) in rows.into_iter().zip(from) {
                let count = to.len();
                to.copy_from_slice(&from[skipped[0]..][..count]);
            }
        }
    }
}

/// The requested samples of a plane, in spare memory.
fn cropped<R: Real>(values: &[R], block: &SampleBlock, spare: &SparePlanes<R>) -> Vec<R> {
    let (first, size) = block.needed(0);
    let ([x, y], [count, rows]) = (first.map(|x| x as usize), size.map(|x| x as usize));
    let mut wanted = spare.plane(count * rows);
    let from = values.chunks_exact((block.region.size[0] as usize).max(1)).skip(y);
    for (to, from) in wanted.chunks_exact_mut(count.max(1)).zip(from) {
        to.copy_from_slice(&from[x..][..count]);
    }
    wanted
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
                // The shader finds a median by its bits, the twin by sorting.
                let found =
                    function == "window_key" || [format!("fn {name}<"), format!("fn {name}(")].iter().any(|name| twin.contains(name));
                assert!(found, "{function} has no twin '{name}' in src/cpu/passes/{file}.rs");
            }
        }
    }
}
