//! Runs the function of a pass over the samples of a row.

use super::rows::{PassPlanes, PassRow, WrittenRows, rows};
use super::stencil::{AtSample, CloseStencil, Each, PassInputs, Plane, RowStencil, Stencil};
use crate::cpu::simd::lanes::CHUNK;
use crate::cpu::simd::number::Number;
use crate::cpu::simd::real::width;
use crate::cpu::simd::vector::{ScalarToken, SimdVector, Token};
use crate::cpu::simd::{Real, vectorised};
use crate::schedule::PassStep;
use crate::schedule::pass::{self, Pass, PassInfo, ReadIndex};
use crate::schedule::passes::passes;
use std::ops::Range;

/// Most samples at an edge that are computed one by one; more are computed as a vector with gathered inputs.
const FEW: usize = 3;

/// A pass as a function of adjacent samples, from N planes to M.
trait Twin<R: Real, const N: usize, const M: usize> {
    /// The pass's entry in the table.
    const INFO: PassInfo;
    fn of<S: Stencil<Real = R>>(at: S) -> [Each<S>; M];

    /// One row of a pass.
    fn row(row: &PassRow<'_, R>, written: WrittenRows<'_, R>) {
        let planes: [Plane<'_, R>; N] = std::array::from_fn(|i| Plane { values: row.planes[i], zero: Self::INFO.reads[i].zero });
        let mut written = written.into_iter();
        let mut out: [&mut [R]; M] = std::array::from_fn(|_| written.next().expect("invariant: no pass writes more planes than that"));
        if row.simd.is_plain::<R>() || row.count < CHUNK {
            return Self::one_by_one(row, &planes, 0..row.count, &mut out);
        }
        if const { size_of::<R>() == 4 } {
            vectorised!(R, row.simd, plain: false, wide: true, token => Self::vectors(token, row, &planes, &mut out));
        }
    }

    /// Computes samples of a row without vectors.
    #[inline(never)]
    fn one_by_one(row: &PassRow<'_, R>, planes: &[Plane<'_, R>; N], range: Range<usize>, out: &mut [&mut [R]; M]) {
        for i in range {
            Self::anywhere(ScalarToken { lanes: 1 }, row, planes, i, out);
        }
    }

    /// Computes a row by vectors. A vector that would exceed the row begins earlier, and computes some samples again.
    #[inline(always)]
    fn vectors<T: Token>(token: T, row: &PassRow<'_, R>, planes: &[Plane<'_, R>; N], out: &mut [&mut [R]; M]) {
        let (reach, first, width) = (row.reach, row.first[0] as usize, row.size[0] as usize);
        // Between these samples, nothing is read beyond the left and right edges.
        let from = reach.saturating_sub(first).min(row.count);
        let to = width.saturating_sub(reach).saturating_sub(first).min(row.count);
        if from + CHUNK > to {
            return Self::at_edge(row, planes, 0..row.count, out);
        }
        // Most rows of a pass that reads anywhere have no edge.
        if from > 0 {
            Self::at_edge(row, planes, 0..from, out);
        }
        // Copies, which no store can change, so the compiler loads them once.
        let (own, numbers) = (*planes, *row.inputs.numbers);
        let inputs = &PassInputs { numbers: &numbers, ..*row.inputs };
        let (size, y) = (row.size, row.first[1]);
        if const { Self::INFO.is_close() } {
            let beyond = y == 0 || y + 1 == size[1];
            let zeros = vec![R::default(); if beyond { width } else { 0 }];
            let mut lines = [[&zeros[..]; 3]; N];
            for (lines, plane) in lines.iter_mut().zip(&own) {
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
                keep::<R, _, M>(Self::of(CloseStencil { lines: &lines, x: first + at, y, inputs, token }), at, out);
            }
        } else {
            for i in (from..to).step_by(CHUNK) {
                let at = i.min(to - CHUNK);
                let first = [row.first[0] + at as i32, y];
                keep::<R, _, M>(Self::of(RowStencil::<'_, R, T, N, true> { planes: &own, size, first, inputs, token }), at, out);
            }
        }
        if to < row.count {
            Self::at_edge(row, planes, to..row.count, out);
        }
    }

    /// Computes samples at the left or right edge.
    #[inline(never)]
    fn at_edge(row: &PassRow<'_, R>, planes: &[Plane<'_, R>; N], range: Range<usize>, out: &mut [&mut [R]; M]) {
        if range.len() <= FEW {
            return Self::one_by_one(row, planes, range, out);
        }
        vectorised!(R, row.simd, plain: false, wide: false, token => {
            let (mut i, width) = (range.start, width::<R, _>(token));
            while i < range.end {
                let at = i.min(row.count - width);
                Self::anywhere(token, row, planes, at, out);
                i = at + width;
            }
        });
    }

    /// Computes a vector of a row's samples, or one sample, at any place.
    #[inline(always)]
    fn anywhere<T: Token>(token: T, row: &PassRow<'_, R>, planes: &[Plane<'_, R>; N], from: usize, out: &mut [&mut [R]; M]) {
        let first = [row.first[0] + from as i32, row.first[1]];
        keep::<R, T, M>(Self::of(RowStencil::<'_, R, T, N, false> { planes, size: row.size, first, inputs: row.inputs, token }), from, out);
    }
}

/// Stores results. Adding +0 removes the sign of zero, which drivers do not define.
#[inline(always)]
fn keep<R: Real, T: Token, const M: usize>(found: [R::Vector<T>; M], from: usize, out: &mut [&mut [R]; M]) {
    for k in 0..M {
        (found[k] + found[k].constant(0.0)).store(out[k], from);
    }
}

/// Assigns functions to passes: each pass has the function of its name, which receives the pass's struct of planes and numbers.
macro_rules! twins {
    ($( $file:ident { $( $(#[doc = $doc:literal])* $pass:ident = $function:ident { $($entry:tt)* } )+ } )+) => {
        /// The passes, each in a module named like its file. The compiler compiles a module as a unit, so a change of one file
        /// does not recompile the passes of the others.
        mod of { $(
            pub mod $file {
                use super::super::super::$file;
                use super::super::{AtSample, Each, Pass, PassInfo, ReadIndex, Real, Stencil, Twin, pass};
                $(
                    pub struct $pass;

                    impl<R: Real> Twin<R, { Pass::$pass.info().reads.len() }, { Pass::$pass.info().writes.len() }> for $pass {
                        const INFO: PassInfo = Pass::$pass.info();
                        #[inline(always)]
                        fn of<S: Stencil<Real = R>>(at: S) -> [Each<S>; Pass::$pass.info().writes.len()] {
                            let inputs = *at.inputs();
                            let mut numbers = [at.constant(0.0); Pass::$pass.info().numbers.len()];
                            for i in 0..numbers.len() {
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
                )+
            }
        )+ }

        /// Runs one pass.
        pub fn run_pass<R: Real>(step: &PassStep, over: PassPlanes<'_, R>) {
            match step.pass { $($( Pass::$pass => rows(step, over, of::$file::$pass::row), )+)+ }
        }
    };
}
passes!(twins);

#[cfg(all(test, feature = "checks"))]
mod tests {
    use super::super::rows::BlockPart;
    use super::super::spare::SparePlanes;
    use super::*;
    use crate::schedule::Schedule;

    /// A wrong twin of [`Pass::Thermal`], which may only read adjacent samples.
    struct TooFar;

    impl Twin<f32, 1, 1> for TooFar {
        const INFO: PassInfo = Pass::Thermal.info();
        #[inline(always)]
        fn of<S: Stencil<Real = f32>>(at: S) -> [Each<S>; 1] {
            [at.field(ReadIndex(0), 0, 2)]
        }
    }

    /// Runs it on a block of this size.
    fn run(size: [u32; 2]) {
        let mut schedule = Schedule::default();
        let height = schedule.plane();
        schedule.run(pass::Thermal { height, straight: 0.0, diagonal: 0.0, rate: 0.0 });
        let plane = vec![0.0; (size[0] * size[1]) as usize];
        let part = BlockPart { first: [0; 2], size };
        let over = PassPlanes {
            read: &[&plane],
            written: &mut [plane.clone()],
            table: &[],
            window: part,
            part,
            index: [0; 2],
            level: 0,
            parallel: false,
            spare: &SparePlanes::default(),
        };
        rows(&schedule.steps[0], over, TooFar::row);
    }

    #[test]
    #[should_panic = "Thermal reads 'height' (0, 2) samples away; the table of passes allows up to [1, 1]"]
    fn a_pass_that_reads_further_than_its_table_says_is_found_sample_by_sample() {
        run([8, 1]);
    }

    #[test]
    #[should_panic = "Thermal reads 'height' (0, 2) samples away; the table of passes allows up to [1, 1]"]
    fn a_pass_that_reads_further_than_its_table_says_is_found_in_vectors() {
        run([64, 8]);
    }
}
