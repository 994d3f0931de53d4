//! The CPU backend: a program's operations over blocks of samples, in f32 (the GPU's twin, SIMD) and f64 (the oracle).
//!
//! | room | contents |
//! |---|---|
//! | [`simd`] | numbers, one or sixteen at a time, and compilation for each instruction set |
//! | [`lib`] | formulas: the **twins** of `shaders/lib/`, operation for operation |
//! | [`eval`] | operations of a program over a block of samples |
//! | [`passes`] | passes over planes: the **twins** of `shaders/passes/` |
//! | [`threads`] | the threads of all of these |
//!
//! [`Evaluation`] is a program in this backend's number type; the engine holds it.

mod eval;
pub(crate) mod lib;
pub(crate) mod passes;
pub(crate) mod simd;
pub(crate) mod threads;

pub(crate) use eval::call::Out;

use crate::field::Samples;
use crate::frame::{Frame, RegionGrid};
use crate::program::{Program, ProgramError};
use crate::region::Region;
use eval::RowAdvance;
use eval::call::SampleSource;
use eval::evaluate::Evaluator;
use eval::memory::Registers;
use eval::numbers::ProgramNumbers;
use eval::positions::{Lines, Positions};
use eval::single::SingleProgram;
use fearless_simd::Level;
use rayon::prelude::*;
use simd::lanes::{LANES, Lanes, boxed};
use simd::{Dispatch, Real, level};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use threads::Pool;

/// The instruction set of this machine.
pub fn instruction_set() -> String {
    format!("{:?}", level()).split('(').next().unwrap_or("scalar").to_owned()
}

/// Samples times evaluations of nodes up to which a call stays on its thread: it ends before other threads have woken up.
const ALONE: u64 = 1 << 15;

/// A program on this backend: its numbers, and the memory for evaluating it. Creating one costs a few allocations. Evaluating
/// allocates only the results, once the largest number of concurrent callers has called.
pub struct Evaluation<R> {
    program: Arc<Program>,
    numbers: ProgramNumbers<R>,
    /// The frames' integers for points, which have their own positions.
    point_grids: Result<Vec<RegionGrid>, ProgramError>,
    lines: Lines,
    /// The program for single positions, if it has such code.
    direct: Option<SingleProgram<R>>,
    simd: Dispatch,
    pool: Pool,
    /// The cost of one sample, in nodes and octaves.
    cost: u64,
    scratch: Mutex<Vec<Box<ThreadScratch<R>>>>,
}

/// The memory of one thread. It is boxed, so that lending it moves only a pointer.
struct ThreadScratch<R> {
    registers: Registers<R>,
    grids: Vec<RegionGrid>,
    advances: Vec<RowAdvance>,
    positions: Positions,
    /// The frames of the last call with a fourth coordinate.
    moved: Option<MovedFrames>,
}

/// The frames with every `w` increased by a number, and their data for points.
struct MovedFrames {
    by: f64,
    frames: Vec<Frame>,
    lines: Lines,
    point_grids: Vec<RegionGrid>,
}

impl MovedFrames {
    /// Updates the frames. It allocates only the first time, and does nothing if `by` is unchanged.
    fn update(place: &mut Option<MovedFrames>, program: &Program, by: f64) -> Result<(), ProgramError> {
        if place.as_ref().is_some_and(|moved| moved.by == by) {
            return Ok(());
        }
        // After a failure the frames are built anew.
        let mut moved = place.take().unwrap_or_else(|| {
            let frames = program.tables.frames.clone();
            MovedFrames { by, lines: Lines::new(&frames), frames, point_grids: Vec::new() }
        });
        for frame in program.moved_frames(by) {
            let (index, frame) = frame?;
            moved.lines.set(index, &frame);
            moved.frames[index] = frame;
        }
        program.point_grids_of(&moved.frames, &mut moved.point_grids)?;
        moved.by = by;
        *place = Some(moved);
        Ok(())
    }
}

/// Memory on loan; dropping it returns it.
struct Loan<'a, R> {
    from: &'a Mutex<Vec<Box<ThreadScratch<R>>>>,
    scratch: Option<Box<ThreadScratch<R>>>,
}

impl<R> Deref for Loan<'_, R> {
    type Target = ThreadScratch<R>;
    fn deref(&self) -> &ThreadScratch<R> {
        self.scratch.as_ref().expect("invariant: it is given back when the loan ends")
    }
}

impl<R> DerefMut for Loan<'_, R> {
    fn deref_mut(&mut self) -> &mut ThreadScratch<R> {
        self.scratch.as_mut().expect("invariant: it is given back when the loan ends")
    }
}

impl<R> Drop for Loan<'_, R> {
    fn drop(&mut self) {
        let mut free = self.from.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(self.scratch.take());
    }
}

impl<R> std::fmt::Debug for Evaluation<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluation").field("simd", &self.simd).field("cost", &self.cost).finish_non_exhaustive()
    }
}

impl<R: Real> Evaluation<R> {
    /// The evaluation of a program on these threads.
    pub fn new(program: Arc<Program>, pool: Pool) -> Self {
        Evaluation::with_level(level(), program, pool)
    }

    /// The evaluation with a given instruction set.
    fn with_level(level: Level, program: Arc<Program>, pool: Pool) -> Self {
        let ops: usize = program.structure.scopes.iter().map(|scope| scope.ops.len()).sum();
        let cost = (program.tables.frames.len() + ops) as u64;
        let (numbers, point_grids) = (ProgramNumbers::new(&program.tables), program.point_grids());
        let lines = Lines::new(&program.tables.frames);
        let (direct, simd) = (SingleProgram::new(&program, &numbers), Dispatch::new(level));
        Evaluation { numbers, point_grids, lines, direct, simd, pool, cost, scratch: Mutex::default(), program }
    }

    fn evaluator(&self) -> Evaluator<'_, R> {
        let Program { structure, outputs, .. } = &*self.program;
        Evaluator { structure, numbers: &self.numbers, outputs }
    }

    fn scratch(&self) -> Loan<'_, R> {
        let free = self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || {
            let registers = self.evaluator().registers();
            boxed(|| ThreadScratch { registers, grids: Vec::new(), advances: Vec::new(), positions: Positions::new(), moved: None })
        };
        Loan { from: &self.scratch, scratch: Some(free.unwrap_or_else(new)) }
    }

    /// Memory without data of another region.
    fn fresh(&self) -> Loan<'_, R> {
        let mut loan = self.scratch();
        loan.registers.begin();
        loan
    }

    /// Whether this number of samples is worth using other threads.
    fn is_worth_threads(&self, samples: usize) -> bool {
        self.pool.is_parallel() && (samples as u64).saturating_mul(self.cost) > ALONE
    }

    /// Evaluates a region, rows in parallel if that is worthwhile. If the pool is stopped, the remaining samples are left
    /// unchanged; the caller must check for that.
    ///
    /// # Errors
    /// Returns an error if the region does not suit the program's lattices.
    pub fn field(&self, region: &Region, gradient: bool) -> Result<Samples<R>, ProgramError> {
        self.field_at(region, 0.0, gradient)
    }

    /// Evaluates a region with every `w` increased by `w`.
    ///
    /// # Errors
    /// The errors of [`field`](Self::field).
    pub fn field_at(&self, region: &Region, w: f64, gradient: bool) -> Result<Samples<R>, ProgramError> {
        let mut samples = Samples::of(region.samples() as usize * self.program.outputs.len(), gradient);
        self.field_into(region, w, samples.out())?;
        Ok(samples)
    }

    /// Whether a call has to move frames for a fourth coordinate.
    fn moves(&self, w: f64) -> bool {
        w != 0.0 && self.program.has_fourth()
    }

    /// Evaluates a region with every `w` increased by `w`, into slices with one element per sample. If there are several outputs,
    /// those of a sample are adjacent.
    ///
    /// # Errors
    /// Returns an error if the region does not suit the program's lattices.
    pub fn field_into(&self, region: &Region, w: f64, Out { values, gradients }: Out<'_, R>) -> Result<(), ProgramError> {
        let mut scratch = self.scratch();
        let ThreadScratch { registers, grids, advances, moved, .. } = &mut *scratch;
        if self.moves(w) {
            MovedFrames::update(moved, &self.program, w)?;
        }
        let frames = moved.as_ref().filter(|_| self.moves(w)).map_or(&self.program.tables.frames, |moved| &moved.frames);
        self.program.grids_of(frames, region, grids)?;
        let outputs = self.program.outputs.len();
        let (width, height) = (region.size[0] as usize, region.size[1] as usize);
        let together = RowAdvance::update(advances, grids, width);
        registers.begin();
        let (evaluator, simd) = (self.evaluator(), self.simd);
        let (grids, advances): (&[RegionGrid], &[RowAdvance]) = (grids, advances);
        // First down a strip as wide as a block, then the next strip: neighbouring rows share values that depend on x alone.
        let fill = |registers: &mut Registers<R>, first: usize, values: &mut [R], mut gradients: Option<&mut [[R; 3]]>| {
            let rows = values.len() / (width * outputs);
            let mut block = |x: usize, row: usize, lanes: usize| {
                let index = [x, (first + row) % height, (first + row) / height].map(|i| i as u32);
                let (source, start) = (SampleSource::Region { grids, advances, index }, (row * width + x) * outputs);
                let part = start..start + lanes * outputs;
                let gradients = gradients.as_deref_mut().map(|g| &mut g[part.clone()]);
                evaluator.block(simd.row::<R>(lanes), registers, &source, None, Out { values: &mut values[part], gradients });
            };
            if together == 1 {
                for x in (0..width).step_by(LANES) {
                    for row in (0..rows).take_while(|_| !self.pool.is_stopped()) {
                        block(x, row, LANES.min(width - x));
                    }
                }
                return;
            }
            let mut row = 0;
            while row < rows && !self.pool.is_stopped() {
                // Rows of one plane.
                let count = together.min(rows - row).min(height - (first + row) % height);
                block(0, row, count * width);
                row += count;
            }
        };
        if !self.is_worth_threads(values.len() / outputs) {
            let rows = MOST_ROWS.next_multiple_of(together);
            let count = rows.saturating_mul(width * outputs);
            let mut gradients = gradients.map(|gradients| gradients.chunks_mut(count));
            for (job, values) in values.chunks_mut(count).enumerate() {
                fill(registers, job * rows, values, gradients.as_mut().and_then(Iterator::next));
            }
            return Ok(());
        }
        self.pool.install(|| {
            let rows = rows_per_job(region.size).next_multiple_of(together);
            let jobs = values.par_chunks_mut(rows * width * outputs).enumerate();
            match gradients {
                None => jobs.for_each_init(|| self.fresh(), |own, (job, values)| fill(&mut own.registers, job * rows, values, None)),
                Some(gradients) => jobs.zip(gradients.par_chunks_mut(rows * width * outputs)).for_each_init(
                    || self.fresh(),
                    |own, ((job, values), gradients)| fill(&mut own.registers, job * rows, values, Some(gradients)),
                ),
            }
        });
        Ok(())
    }

    /// Evaluates any positions, with every `w` increased by `w`.
    ///
    /// # Errors
    /// Returns an error if a position does not suit the program's lattices.
    pub fn points(&self, positions: &[[f64; 3]], w: f64, gradient: bool) -> Result<Samples<R>, ProgramError> {
        let mut samples = Samples::of(positions.len() * self.program.outputs.len(), gradient);
        self.points_into(positions, w, samples.out())?;
        Ok(samples)
    }

    /// Evaluates any positions with every `w` increased by `w`, into slices with one element per position. If there are several
    /// outputs, those of a position are adjacent.
    ///
    /// # Errors
    /// Returns an error if a position does not suit the program's lattices.
    pub fn points_into(&self, positions: &[[f64; 3]], w: f64, out: Out<'_, R>) -> Result<(), ProgramError> {
        self.program.check_positions(positions)?;
        let mut scratch = self.scratch();
        if !self.moves(w) {
            let grids = self.point_grids.as_ref().map_err(Clone::clone)?;
            self.points_in(&mut scratch, (grids, &self.program.tables.frames, &self.lines), positions, out);
            return Ok(());
        }
        MovedFrames::update(&mut scratch.moved, &self.program, w)?;
        // Taken out of the scratch memory, since all threads read it.
        let moved = scratch.moved.take().expect("invariant: it was updated");
        self.points_in(&mut scratch, (&moved.point_grids, &moved.frames, &moved.lines), positions, out);
        scratch.moved = Some(moved);
        Ok(())
    }

    /// The value at one position, with the bits of [`points_into`](Self::points_into); `None` if that has to compute it.
    #[inline]
    pub fn direct(&self, position: [f64; 3]) -> Option<R> {
        self.direct.as_ref().map(|program| program.value(&self.numbers, &self.lines, &self.program.tables.frames, &position))
    }

    fn points_in(
        &self,
        scratch: &mut ThreadScratch<R>,
        (grids, frames, lines): (&[RegionGrid], &[Frame], &Lines),
        positions: &[[f64; 3]],
        out: Out<'_, R>,
    ) {
        let evaluator = self.evaluator();
        self.blocks(scratch, positions, out, |ThreadScratch { registers, positions: lanes, .. }, positions, out| {
            lanes.set(positions);
            let source = SampleSource::Points { grids, frames, lines, positions: lanes };
            evaluator.block(self.simd.points::<R>(positions.len()), registers, &source, None, out);
        });
    }

    /// Evaluates an anchored program at displacements from its anchor.
    ///
    /// # Errors
    /// Returns an error if the anchor does not suit the program's lattices.
    pub fn anchored(&self, anchor: [f64; 3], displacements: &[[f32; 3]], gradient: bool) -> Result<Samples<R>, ProgramError> {
        let mut samples = Samples::of(displacements.len(), gradient);
        self.anchored_into(anchor, displacements, samples.out())?;
        Ok(samples)
    }

    /// Evaluates an anchored program at displacements, into slices with one element per displacement.
    ///
    /// # Errors
    /// Returns an error if the anchor does not suit the program's lattices.
    pub fn anchored_into(&self, anchor: [f64; 3], displacements: &[[f32; 3]], out: Out<'_, R>) -> Result<(), ProgramError> {
        let mut scratch = self.scratch();
        let (mut grids, mut advances) = (std::mem::take(&mut scratch.grids), std::mem::take(&mut scratch.advances));
        self.program.anchored_grids_into(anchor, &mut grids)?;
        RowAdvance::update(&mut advances, &grids, LANES);
        let evaluator = self.evaluator();
        let source = SampleSource::Region { grids: &grids, advances: &advances, index: [0; 3] };
        self.blocks(&mut scratch, displacements, out, |ThreadScratch { registers, .. }, displacements, out| {
            let mut lanes = [Lanes::of(R::default()); 3];
            for (lane, displacement) in displacements.iter().enumerate() {
                for axis in 0..3 {
                    lanes[axis][lane] = R::of(f64::from(displacement[axis]));
                }
            }
            evaluator.block(self.simd.points::<R>(displacements.len()), registers, &source, Some(&lanes), out);
        });
        (scratch.grids, scratch.advances) = (grids, advances);
        Ok(())
    }

    /// Evaluates a list block by block, in parallel if that is worthwhile.
    fn blocks<P: Sync>(
        &self,
        scratch: &mut ThreadScratch<R>,
        positions: &[P],
        Out { values, gradients }: Out<'_, R>,
        fill: impl Fn(&mut ThreadScratch<R>, &[P], Out<'_, R>) + Sync,
    ) {
        let fill = |own: &mut ThreadScratch<R>, positions: &[P], out: Out<'_, R>| {
            if !self.pool.is_stopped() {
                fill(own, positions, out);
            }
        };
        let chunk = LANES * self.program.outputs.len();
        if !self.is_worth_threads(positions.len()) {
            let mut gradients = gradients;
            for (block, (values, positions)) in values.chunks_mut(chunk).zip(positions.chunks(LANES)).enumerate() {
                let part = gradients.as_deref_mut().map(|g| &mut g[block * chunk..][..values.len()]);
                fill(scratch, positions, Out { values, gradients: part });
            }
            return;
        }
        self.pool.install(|| {
            let values = values.par_chunks_mut(chunk).zip(positions.par_chunks(LANES));
            match gradients {
                None => values
                    .for_each_init(|| self.scratch(), |own, (values, positions)| fill(own, positions, Out { values, gradients: None })),
                Some(gradients) => values.zip(gradients.par_chunks_mut(chunk)).for_each_init(
                    || self.scratch(),
                    |own, ((values, positions), gradients)| fill(own, positions, Out { values, gradients: Some(gradients) }),
                ),
            }
        });
    }
}

impl<R: Real> Samples<R> {
    /// Copies them to slices of the same lengths, in f32.
    pub(crate) fn copy_to(&self, values: &mut [f32], gradients: Option<&mut [[f32; 3]]>) {
        values.iter_mut().zip(&self.values).for_each(|(to, value)| *to = value.single());
        let gradients = gradients.into_iter().flatten().zip(self.gradients.iter().flatten());
        gradients.for_each(|(to, gradient)| *to = gradient.map(R::single));
    }

    /// Samples with value 0.
    fn of(count: usize, gradient: bool) -> Self {
        Samples { values: vec![R::default(); count], gradients: gradient.then(|| vec![[R::default(); 3]; count]) }
    }

    fn out(&mut self) -> Out<'_, R> {
        Out { values: &mut self.values, gradients: self.gradients.as_deref_mut() }
    }
}

/// Most rows per job: successive rows lie on different pages of memory, and a processor caches the addresses of about a thousand
/// pages.
const MOST_ROWS: usize = 256;

/// Rows per job: many, since neighbours share work, but several jobs for each thread.
fn rows_per_job(size: [u32; 3]) -> usize {
    let rows = size[1] as usize * size[2] as usize;
    (rows / (4 * rayon::current_num_threads())).clamp(1, MOST_ROWS)
}

/// Evaluates a region of a program once.
///
/// # Errors
/// Returns an error if the region does not suit the program's lattices.
pub fn field<R: Real>(pool: &Pool, program: &Arc<Program>, region: &Region, gradient: bool) -> Result<Samples<R>, ProgramError> {
    Evaluation::new(Arc::clone(program), pool.clone()).field(region, gradient)
}

/// Evaluates a region on every instruction set of this machine, including none: values alone, and values with gradients.
///
/// # Errors
/// Returns an error if the region does not suit the program's lattices.
pub fn on_every_instruction_set(program: &Arc<Program>, region: &Region) -> Result<Vec<[Samples<f32>; 2]>, ProgramError> {
    let level = Level::new();
    #[cfg(target_arch = "x86_64")]
    let lower = [level.as_avx2().map(Level::Avx2), level.as_sse2().map(Level::Sse2)];
    #[cfg(not(target_arch = "x86_64"))]
    let lower = [None::<Level>; 2];
    let on = |level| {
        let evaluation = Evaluation::<f32>::with_level(level, Arc::clone(program), Pool::caller());
        Ok([evaluation.field(region, false)?, evaluation.field(region, true)?])
    };
    lower.into_iter().flatten().chain([level]).map(on).collect()
}
