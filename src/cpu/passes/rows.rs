//! Runs a pass over the rows of a block.

use super::around::PaddedPart;
use super::spare::SparePlanes;
use super::stencil::{PassInputs, Plane};
use crate::cpu::simd::{Dispatch, Real, level};
use crate::schedule::pass::ReadInfo;
use crate::schedule::{NUMBERS, PassStep, WRITES};
use rayon::prelude::*;

/// A part of a block: its first sample and its size, `[x, y]` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPart {
    pub first: [u32; 2],
    pub size: [u32; 2],
}

impl BlockPart {
    /// The part, enlarged by a margin on each side along x and y, but not beyond `all`.
    pub fn grown(&self, margin: [u32; 2], all: &BlockPart) -> BlockPart {
        let first = [0, 1].map(|a| self.first[a].saturating_sub(margin[a]).max(all.first[a]));
        let end = [0, 1].map(|a| (self.first[a] + self.size[a]).saturating_add(margin[a]).min(all.first[a] + all.size[a]));
        BlockPart { first, size: [0, 1].map(|a| end[a].saturating_sub(first[a])) }
    }

    /// The number of its samples.
    pub fn samples(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }
}

/// The inputs and outputs of a pass: planes that hold a part of a block.
pub struct PassPlanes<'a, R> {
    pub read: &'a [&'a [R]],
    pub written: &'a mut [Vec<R>],
    /// The table of the pass, if it has one.
    pub table: &'a [R],
    /// The part of the block that the planes hold.
    pub window: BlockPart,
    /// The samples of the block to compute.
    pub part: BlockPart,
    /// The index of the block's first sample, wrapping.
    pub index: [u32; 2],
    /// The level of detail.
    pub level: u32,
    /// Whether rows are divided among threads.
    pub parallel: bool,
    /// The pool for temporary memory.
    pub spare: &'a SparePlanes<R>,
}

/// A row of a pass, with the planes that it reads.
pub struct PassRow<'a, R> {
    pub planes: &'a [&'a [R]],
    pub inputs: &'a PassInputs<'a, R>,
    pub size: [i32; 2],
    /// Its first sample, and the number of samples.
    pub first: [i32; 2],
    pub count: usize,
    /// Its reach to the left and right. Planes that a pass reads anywhere do not count.
    pub reach: usize,
    pub simd: Dispatch,
}

/// A row of every plane that a pass writes; unused entries are empty.
pub type WrittenRows<'a, R> = [&'a mut [R]; WRITES];

/// Runs a pass over the rows that are needed. It is not generic over passes, which would compile the threading code for each.
pub fn rows<R: Real>(step: &PassStep, over: PassPlanes<'_, R>, run: fn(&PassRow<'_, R>, WrittenRows<'_, R>)) {
    let PassPlanes { read, written, table, window, part, index, level: detail, parallel, spare } = over;
    // Steps of a batch have different margins, so a tile can lie completely outside the samples that a step is needed for.
    if part.samples() == 0 {
        return;
    }
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
    // The reach along x and y. Planes that a pass reads anywhere do not count.
    let furthest = [0, 1].map(|a| reach.iter().map(|reach| reach[a]).filter(|&reach| reach != u32::MAX).max().unwrap_or(0));
    let around = PaddedPart {
        size: window.size.map(|x| x as usize),
        first: [from, line],
        part: part.size.map(|x| x as usize),
        margin: if step.pass.info().is_close() { [0; 2] } else { furthest.map(|reach| reach as usize) },
    };
    let far = around.margin != [0; 2];
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
    let row = |(y, out): (i32, WrittenRows<'_, R>)| {
        run(&PassRow { planes, inputs: &inputs, size, first: [first[0], y], count, reach: furthest[0] as usize, simd }, out);
    };
    if parallel {
        out.collect::<Vec<_>>().into_par_iter().for_each(row);
    } else {
        out.for_each(row);
    }
    spare.keep(padded.into_iter());
}
