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
mod stencil;
mod surface;
mod thermal;
mod window;

use crate::cpu::simd::real::unsigned_zero;
use crate::cpu::simd::{Dispatch, Real, level, vectorised};
use crate::cpu::threads::Pool;
use crate::schedule::pass::{self, Pass, PassInfo, ReadIndex};
use crate::schedule::passes::passes;
use crate::schedule::{Block, NUMBERS, PlaneId, Schedule, Source, Step, WRITES};
use rayon::prelude::*;
use stencil::{EdgeStencil, InnerStencil, PassInputs, Plane, Stencil};

/// The numbers of a pass, as many as any can have.
fn numbers<R: Real>(step: &Step) -> [R; NUMBERS] {
    std::array::from_fn(|i| step.numbers.get(i).map_or(R::default(), |&x| R::of(x)))
}

/// A pass as a function of a sample, of N planes into M.
trait Twin<R: Real, const N: usize, const M: usize> {
    /// Whether rows of it are computed from slices of its neighbours.
    const CLOSE: bool;
    fn of(at: impl Stencil<R>) -> [R; M];
}

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
        let over = Over { read: &read, written: &mut written, block: &self.block, margin: self.margins[i], parallel: self.parallel };
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

/// What a pass works on.
struct Over<'a, R> {
    read: &'a [&'a [R]],
    written: &'a mut [Vec<R>],
    block: &'a Block,
    margin: u32,
    parallel: bool,
}

/// Which function is which pass: that of its name, with the pass's own struct of planes and numbers.
macro_rules! twins {
    ($( $file:ident { $( $(#[doc = $doc:literal])* $pass:ident = $function:ident { $($entry:tt)* } )+ } )+) => {
        /// Runs one pass over a block.
        fn run_pass<R: Real>(step: &Step, over: Over<'_, R>) {
            match step.pass { $($(
                Pass::$pass => {
                    const INFO: PassInfo = Pass::$pass.info();
                    struct Of;
                    impl<R: Real> Twin<R, { INFO.reads.len() }, { INFO.writes.len() }> for Of {
                        const CLOSE: bool = INFO.close();
                        #[inline(always)]
                        fn of(at: impl Stencil<R>) -> [R; INFO.writes.len()] {
                            let inputs = at.inputs();
                            $file::$function(at, pass::$pass::of(ReadIndex, |k| inputs.numbers[k], || inputs.table)).into()
                        }
                    }
                    rows(step, over, row::<R, Of, { INFO.reads.len() }, { INFO.writes.len() }>)
                }
            )+)+ }
        }
    };
}
passes!(twins);

/// A row of a pass: what it reads, and where it writes.
struct Row<'a, R> {
    planes: &'a [Plane<'a, R>],
    inputs: &'a PassInputs<'a, R>,
    size: [usize; 2],
    /// The columns that are needed.
    from: usize,
    to: usize,
    y: usize,
    simd: Dispatch,
}

/// A row of every plane that a pass writes; what is left over is empty.
type Written<'a, R> = [&'a mut [R]; WRITES];

/// Runs a pass over the rows that are needed, in parallel if there are threads. Not generic over passes: what runs threads would be compiled for each.
fn rows<R: Real>(step: &Step, over: Over<'_, R>, run: fn(&Row<'_, R>, Written<'_, R>)) {
    let Over { read, written, block, margin, parallel } = over;
    let size @ [width, height] = [0, 1].map(|a| block.region.size[a] as usize);
    let ([x, y], [columns, lines]) = block.needed(margin);
    let (from, to) = (x as usize, (x + columns) as usize);
    let info = step.pass.info().reads;
    let planes: Vec<Plane<'_, R>> = read.iter().zip(info).map(|(&values, info)| Plane { values, zero: info.zero }).collect();
    let reach: Vec<u32> = info.iter().map(|info| info.reach.samples(&step.numbers).unwrap_or(u32::MAX)).collect();
    let table: Vec<R> = step.table.iter().flat_map(|table| table.iter().map(|&x| R::of(x))).collect();
    let inputs = PassInputs {
        pass: step.pass,
        reach: &reach,
        numbers: &numbers(step),
        table: &table,
        index: block.index(),
        level: block.region.level,
    };
    let mut all: Vec<_> = written.iter_mut().map(|plane| plane.chunks_exact_mut(width)).collect();
    let mut next = |i: usize| all.get_mut(i).and_then(Iterator::next).map_or(&mut [][..], |row| &mut row[from..to]);
    let out: Vec<Written<'_, R>> = (0..height).map(|_| std::array::from_fn(&mut next)).collect();
    let simd = Dispatch::new(level());
    let row = |(y, out)| run(&Row { planes: &planes, inputs: &inputs, size, from, to, y, simd }, out);
    if parallel {
        out.into_par_iter().enumerate().skip(y as usize).take(lines as usize).for_each(row);
    } else {
        out.into_iter().enumerate().skip(y as usize).take(lines as usize).for_each(row);
    }
}

/// One row of a pass.
fn row<R: Real, T: Twin<R, N, M>, const N: usize, const M: usize>(row: &Row<'_, R>, written: Written<'_, R>) {
    let &Row { inputs, size: [width, height], from, to, y, simd, .. } = row;
    let planes: [Plane<'_, R>; N] = std::array::from_fn(|i| row.planes[i]);
    let mut written = written.into_iter();
    let mut out: [&mut [R]; M] = std::array::from_fn(|_| written.next().expect("invariant: no pass writes more planes than that"));
    let size = [width as i32, height as i32];
    let anywhere = |x: usize, out: &mut [&mut [R]; M]| {
        let found = T::of(EdgeStencil { planes: &planes, size, at: [x as i32, y as i32], inputs });
        for (out, value) in out.iter_mut().zip(found) {
            out[x - from] = unsigned_zero(value);
        }
    };
    let (first, last) = (from.max(1), to.min(width.saturating_sub(1)));
    let inner = const { T::CLOSE && size_of::<R>() == 4 } && !simd.is_plain::<R>() && y != 0 && y + 1 < height && last >= first + CHUNK;
    // One loop for both ends: the pass is compiled once for them.
    let mut x = from;
    while x < to {
        if inner && x == first {
            x = last;
            continue;
        }
        anywhere(x, &mut out);
        x += 1;
    }
    if const { T::CLOSE && size_of::<R>() == 4 } {
        if !inner {
            return;
        }
        let around: [[&[R]; 9]; N] = std::array::from_fn(|plane| {
            std::array::from_fn(|k| &planes[plane].values[(y + k / 3 - 1) * width + first + k % 3 - 1..][..last - first])
        });
        let mut out = out.map(|row| &mut row[first - from..last - from]);
        let first = [first as i32, y as i32];
        vectorised!(R, simd, plain: false, wide: true, _token => inside::<R, T, N, M>(&around, first, inputs, &mut out));
    }
}

/// Samples that are computed before any is stored: results lie where nothing else can, so the compiler need not fear that a store
/// changes what is read next.
const CHUNK: usize = 64;

/// A row of [`CHUNK`] and more samples none of whose neighbours lies outside.
#[inline(always)]
fn inside<R: Real, T: Twin<R, N, M>, const N: usize, const M: usize>(
    around: &[[&[R]; 9]; N],
    first: [i32; 2],
    inputs: &PassInputs<'_, R>,
    out: &mut [&mut [R]; M],
) {
    let count = out.first().map_or(0, |row| row.len());
    let mut start = 0;
    while start < count {
        // The last chunk goes back, and computes some samples once more.
        let from = start.min(count.saturating_sub(CHUNK));
        let mut near = *around;
        for plane in &mut near {
            for row in plane {
                // The compiler has to see that all slices are as long as the loop.
                *row = &row[from..][..CHUNK];
            }
        }
        let mut found = [[R::default(); CHUNK]; M];
        for i in 0..CHUNK {
            let sample = T::of(InnerStencil { around: &near, i, first: [first[0] + from as i32, first[1]], inputs });
            for k in 0..M {
                found[k][i] = unsigned_zero(sample[k]);
            }
        }
        for k in 0..M {
            out[k][from..][..CHUNK].copy_from_slice(&found[k]);
        }
        start = from + CHUNK;
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use crate::region::Region;

    /// A wrong twin of [`Pass::Thermal`], which may read one sample away.
    struct TooFar;

    impl Twin<f32, 1, 1> for TooFar {
        const CLOSE: bool = Pass::Thermal.info().close();
        #[inline(always)]
        fn of(at: impl Stencil<f32>) -> [f32; 1] {
            [at.field(ReadIndex(0), 0, 2)]
        }
    }

    /// Runs it on a block of that size.
    fn run(size: [u32; 2]) {
        let mut schedule = Schedule::default();
        let height = schedule.plane();
        schedule.run(pass::Thermal { height, straight: 0.0, diagonal: 0.0, rate: 0.0 });
        let block = Block { region: Region::plane(size[0], size[1]), halo: 0 };
        let plane = vec![0.0; block.region.samples() as usize];
        let over = Over { read: &[&plane], written: &mut [plane.clone()], block: &block, margin: 0, parallel: true };
        rows(&schedule.steps[0], over, row::<f32, TooFar, 1, 1>);
    }

    #[test]
    #[should_panic = "Thermal reads 'height' (0, 2) samples away; the table of passes says: up to 1"]
    fn a_pass_that_reads_further_than_its_table_says_is_found_at_the_edges() {
        run([8, 1]);
    }

    #[test]
    #[should_panic = "Thermal reads 'height' (0, 2) samples away; the table of passes says: up to 1"]
    fn a_pass_that_reads_further_than_its_table_says_is_found_in_rows_of_neighbours() {
        let plane = [0.0; CHUNK];
        let around = [[&plane[..]; 9]];
        let numbers = [0.0; NUMBERS];
        let inputs = PassInputs { pass: Pass::Thermal, reach: &[1], numbers: &numbers, table: &[], index: [0; 2], level: 0 };
        let mut written = [0.0; CHUNK];
        inside::<f32, TooFar, 1, 1>(&around, [1, 1], &inputs, &mut [&mut written]);
    }
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
