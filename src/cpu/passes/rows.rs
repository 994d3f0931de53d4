//! One pass over the rows of a block.

use super::around::Around;
use super::spare::Spare;
use super::stencil::{AtSample, CloseStencil, Each, PassInputs, Plane, RowStencil, Stencil};
use super::{adjacent, colour, fourier, gully, hydraulic, lattice, point, surface, thermal, window};
use crate::cpu::simd::block::CHUNK;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::vector::{ScalarToken, SimdVector, Token};
use crate::cpu::simd::{Dispatch, Real, level, vectorised};
use crate::schedule::pass::{self, Pass, PassInfo, ReadIndex, ReadInfo};
use crate::schedule::passes::passes;
use crate::schedule::{NUMBERS, Step, WRITES};
use rayon::prelude::*;
use std::ops::Range;

/// A pass as a function of samples next to each other, of N planes into M.
trait Twin<R: Real, const N: usize, const M: usize> {
    /// What the table says of it.
    const INFO: PassInfo;
    fn of<S: Stencil<Real = R>>(at: S) -> [Each<S>; M];
}

/// A part of a block: its first sample and its size, `[x, y]` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub first: [u32; 2],
    pub size: [u32; 2],
}

impl Part {
    /// With so many samples more to either side along x and y, as far as `all` goes.
    pub fn grown(&self, margin: [u32; 2], all: &Part) -> Part {
        let first = [0, 1].map(|a| self.first[a].saturating_sub(margin[a]).max(all.first[a]));
        let end = [0, 1].map(|a| (self.first[a] + self.size[a]).saturating_add(margin[a]).min(all.first[a] + all.size[a]));
        Part { first, size: [0, 1].map(|a| end[a].saturating_sub(first[a])) }
    }

    /// How many samples it has.
    pub fn samples(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }
}

/// What a pass works on: planes that hold a part of a block.
pub struct Over<'a, R> {
    pub read: &'a [&'a [R]],
    pub written: &'a mut [Vec<R>],
    /// The table of the pass, if it has one.
    pub table: &'a [R],
    /// What the planes hold.
    pub window: Part,
    /// The samples that are needed, of the block.
    pub part: Part,
    /// The index of the block's first sample, wrapping.
    pub index: [u32; 2],
    /// The level of detail.
    pub level: u32,
    /// Whether rows are shared out among threads.
    pub parallel: bool,
    /// Where memory for a while comes from.
    pub spare: &'a Spare<R>,
}

/// Which function is which pass: that of its name, with the pass's own struct of planes and numbers.
macro_rules! twins {
    ($( $file:ident { $( $(#[doc = $doc:literal])* $pass:ident = $function:ident { $($entry:tt)* } )+ } )+) => {
        /// Runs one pass.
        pub fn run_pass<R: Real>(step: &Step, over: Over<'_, R>) {
            match step.pass { $($(
                Pass::$pass => {
                    const INFO: PassInfo = Pass::$pass.info();
                    struct Of;
                    impl<R: Real> Twin<R, { INFO.reads.len() }, { INFO.writes.len() }> for Of {
                        const INFO: PassInfo = INFO;
                        #[inline(always)]
                        fn of<S: Stencil<Real = R>>(at: S) -> [Each<S>; INFO.writes.len()] {
                            let inputs = *at.inputs();
                            let mut numbers = [at.constant(0.0); INFO.numbers.len()];
                            for i in 0..INFO.numbers.len() {
                                numbers[i] = at.number(inputs.numbers[i]);
                            }
                            let pass = pass::$pass::<AtSample<'_, S>>::of(
                                ReadIndex,
                                #[inline(always)]
                                |k| numbers[k],
                                #[inline(always)]
                                || inputs.table,
                            );
                            $file::$function(at, pass).into()
                        }
                    }
                    rows(step, over, row::<R, Of, { INFO.reads.len() }, { INFO.writes.len() }>)
                }
            )+)+ }
        }
    };
}
passes!(twins);

/// A row of a pass: what it reads, and where.
struct Row<'a, R> {
    planes: &'a [&'a [R]],
    inputs: &'a PassInputs<'a, R>,
    size: [i32; 2],
    /// Where its first sample is, and how many there are.
    first: [i32; 2],
    count: usize,
    /// How far left and right it reads. What reads anywhere looks after itself.
    reach: usize,
    simd: Dispatch,
}

/// A row of every plane that a pass writes; what is left over is empty.
type Written<'a, R> = [&'a mut [R]; WRITES];

/// Runs a pass over the rows that are needed. Not generic over passes: what runs threads would be compiled for each.
fn rows<R: Real>(step: &Step, over: Over<'_, R>, run: fn(&Row<'_, R>, Written<'_, R>)) {
    let Over { read, written, table, window, part, index, level: detail, parallel, spare } = over;
    let along = |info: &ReadInfo| info.reach.along(&step.numbers).map(|reach| reach.unwrap_or(u32::MAX));
    let reach: Vec<[u32; 2]> = step.pass.info().reads.iter().map(along).collect();
    let mut numbers = [R::default(); NUMBERS];
    for (to, &from) in numbers.iter_mut().zip(&step.numbers) {
        *to = R::of(from);
    }
    let [from, line] = [0, 1].map(|a| (part.first[a] - window.first[a]) as usize);
    let [width, count] = [window.size[0], part.size[0]].map(|x| x as usize);
    let lines = line..line + part.size[1] as usize;
    let mut all: Vec<_> =
        written.iter_mut().map(|plane| plane[lines.start * width..lines.end * width].chunks_exact_mut(width.max(1))).collect();
    let mut next = |i: usize| all.get_mut(i).and_then(Iterator::next).map_or(&mut [][..], |row| &mut row[from..from + count]);
    // How far is read along x and y. What reads anywhere looks after itself.
    let furthest = [0, 1].map(|a| reach.iter().map(|reach| reach[a]).filter(|&reach| reach != u32::MAX).max().unwrap_or(0));
    let around = Around {
        size: window.size.map(|x| x as usize),
        first: [from, line],
        part: part.size.map(|x| x as usize),
        margin: if step.pass.info().is_close() { [0; 2] } else { furthest.map(|reach| reach as usize) },
    };
    let far = around.margin != [0; 2] && part.samples() > 0;
    let mut padded: Vec<Vec<R>> = Vec::new();
    if far {
        for (values, info) in read.iter().zip(step.pass.info().reads) {
            padded.push(around.copy(Plane { values, zero: info.zero }, spare.plane(around.padded().iter().product()), parallel));
        }
    }
    let around_planes: Vec<&[R]> = padded.iter().map(|plane| &plane[..]).collect();
    let (planes, size, first) = if far { (&around_planes[..], around.padded(), around.margin) } else { (read, around.size, around.first) };
    let [size, first] = [size, first].map(|pair| pair.map(|x| x as i32));
    let origin = [0, 1].map(|a| part.first[a] as i32 - first[a]);
    let inputs = PassInputs { pass: step.pass, reach: &reach, numbers: &numbers, table, index, origin, level: detail };
    let out = (first[1]..).zip(0..lines.len()).map(|(y, _)| (y, std::array::from_fn(&mut next)));
    let simd = Dispatch::new(level());
    let row = |(y, out): (i32, Written<'_, R>)| {
        run(&Row { planes, inputs: &inputs, size, first: [first[0], y], count, reach: furthest[0] as usize, simd }, out);
    };
    if parallel {
        out.collect::<Vec<_>>().into_par_iter().for_each(row);
    } else {
        out.for_each(row);
    }
    spare.keep(padded.into_iter());
}

/// One row of a pass.
fn row<R: Real, P: Twin<R, N, M>, const N: usize, const M: usize>(row: &Row<'_, R>, written: Written<'_, R>) {
    let planes: [Plane<'_, R>; N] = std::array::from_fn(|i| Plane { values: row.planes[i], zero: P::INFO.reads[i].zero });
    let mut written = written.into_iter();
    let mut out: [&mut [R]; M] = std::array::from_fn(|_| written.next().expect("invariant: no pass writes more planes than that"));
    if row.simd.is_plain::<R>() || row.count < CHUNK {
        return one_by_one::<R, P, N, M>(row, &planes, 0..row.count, &mut out);
    }
    if const { size_of::<R>() == 4 } {
        vectorised!(R, row.simd, plain: false, wide: true, token => vectors::<R, _, P, N, M>(token, row, &planes, &mut out));
    }
}

/// Samples of a row without vectors.
#[inline(never)]
fn one_by_one<R: Real, P: Twin<R, N, M>, const N: usize, const M: usize>(
    row: &Row<'_, R>,
    planes: &[Plane<'_, R>; N],
    range: Range<usize>,
    out: &mut [&mut [R]; M],
) {
    for i in range {
        anywhere::<R, _, P, N, M>(ScalarToken { lanes: 1 }, row, planes, i, out);
    }
}

/// Samples at an edge that are computed one by one; more of them are worth a vector whose numbers are gathered.
const FEW: usize = 3;

/// A row, by vectors. One that would go too far goes back, and computes some samples once more.
#[inline(always)]
fn vectors<R: Real, T: Token, P: Twin<R, N, M>, const N: usize, const M: usize>(
    token: T,
    row: &Row<'_, R>,
    planes: &[Plane<'_, R>; N],
    out: &mut [&mut [R]; M],
) {
    let (reach, first, width) = (row.reach, row.first[0] as usize, row.size[0] as usize);
    // From here to there nothing is read beyond the left and right edges.
    let from = reach.saturating_sub(first).min(row.count);
    let to = width.saturating_sub(reach).saturating_sub(first).min(row.count);
    if from + CHUNK > to {
        return at_edge::<R, P, N, M>(row, planes, 0..row.count, out);
    }
    // Most rows of what looks after itself have no edge.
    if from > 0 {
        at_edge::<R, P, N, M>(row, planes, 0..from, out);
    }
    let (inputs, size, y) = (row.inputs, row.size, row.first[1]);
    if const { P::INFO.is_close() } {
        let beyond = y == 0 || y + 1 == size[1];
        let zeros = vec![R::default(); if beyond { width } else { 0 }];
        let mut lines = [[&zeros[..]; 3]; N];
        for (lines, plane) in lines.iter_mut().zip(planes) {
            for (line, y) in lines.iter_mut().zip([y - 1, y, y + 1]) {
                let held = y.clamp(0, size[1] - 1);
                if !(plane.zero && held != y) {
                    *line = &plane.values[held as usize * width..][..width];
                }
            }
        }
        for line in lines.iter_mut().flatten() {
            *line = &line[..width];
        }
        for i in (from..to).step_by(CHUNK) {
            let at = i.min(to - CHUNK);
            keep::<R, _, M>(P::of(CloseStencil { lines: &lines, x: first + at, y, inputs, token }), at, out);
        }
    } else {
        for i in (from..to).step_by(CHUNK) {
            let at = i.min(to - CHUNK);
            let first = [row.first[0] + at as i32, y];
            keep::<R, _, M>(P::of(RowStencil::<'_, R, T, N, true> { planes, size, first, inputs, token }), at, out);
        }
    }
    if to < row.count {
        at_edge::<R, P, N, M>(row, planes, to..row.count, out);
    }
}

/// Samples at the left or right edge.
#[inline(never)]
fn at_edge<R: Real, P: Twin<R, N, M>, const N: usize, const M: usize>(
    row: &Row<'_, R>,
    planes: &[Plane<'_, R>; N],
    range: Range<usize>,
    out: &mut [&mut [R]; M],
) {
    if range.len() <= FEW {
        return one_by_one::<R, P, N, M>(row, planes, range, out);
    }
    vectorised!(R, row.simd, plain: false, wide: false, token => {
        let mut i = range.start;
        while i < range.end {
            let at = i.min(row.count - CHUNK);
            anywhere::<R, _, P, N, M>(token, row, planes, at, out);
            i = at + CHUNK;
        }
    });
}

/// A vector of a row's samples from one on, or one sample, wherever they are.
#[inline(always)]
fn anywhere<R: Real, T: Token, P: Twin<R, N, M>, const N: usize, const M: usize>(
    token: T,
    row: &Row<'_, R>,
    planes: &[Plane<'_, R>; N],
    from: usize,
    out: &mut [&mut [R]; M],
) {
    let first = [row.first[0] + from as i32, row.first[1]];
    keep::<R, T, M>(P::of(RowStencil::<'_, R, T, N, false> { planes, size: row.size, first, inputs: row.inputs, token }), from, out);
}

/// Stores what was found. A zero leaves without its sign, of which drivers think what they like.
#[inline(always)]
fn keep<R: Real, T: Token, const M: usize>(found: [R::Vector<T>; M], from: usize, out: &mut [&mut [R]; M]) {
    for k in 0..M {
        (found[k] + found[k].constant(0.0)).store(out[k], from);
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use crate::schedule::Schedule;

    /// A wrong twin of [`Pass::Thermal`], which may read one sample away.
    struct TooFar;

    impl Twin<f32, 1, 1> for TooFar {
        const INFO: PassInfo = Pass::Thermal.info();
        #[inline(always)]
        fn of<S: Stencil<Real = f32>>(at: S) -> [Each<S>; 1] {
            [at.field(ReadIndex(0), 0, 2)]
        }
    }

    /// Runs it on a block of that size.
    fn run(size: [u32; 2]) {
        let mut schedule = Schedule::default();
        let height = schedule.plane();
        schedule.run(pass::Thermal { height, straight: 0.0, diagonal: 0.0, rate: 0.0 });
        let plane = vec![0.0; (size[0] * size[1]) as usize];
        let part = Part { first: [0; 2], size };
        let over = Over {
            read: &[&plane],
            written: &mut [plane.clone()],
            table: &[],
            window: part,
            part,
            index: [0; 2],
            level: 0,
            parallel: false,
            spare: &Spare::default(),
        };
        rows(&schedule.steps[0], over, row::<f32, TooFar, 1, 1>);
    }

    #[test]
    #[should_panic = "Thermal reads 'height' (0, 2) samples away; the table of passes says: up to [1, 1]"]
    fn a_pass_that_reads_further_than_its_table_says_is_found_sample_by_sample() {
        run([8, 1]);
    }

    #[test]
    #[should_panic = "Thermal reads 'height' (0, 2) samples away; the table of passes says: up to [1, 1]"]
    fn a_pass_that_reads_further_than_its_table_says_is_found_in_vectors() {
        run([64, 8]);
    }
}
