//! One pass over the rows of a block.

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
    /// With so many samples more to either side along x and y, as far as `all` goes.
    pub fn grown(&self, margin: [u32; 2], all: &BlockPart) -> BlockPart {
        let first = [0, 1].map(|a| self.first[a].saturating_sub(margin[a]).max(all.first[a]));
        let end = [0, 1].map(|a| (self.first[a] + self.size[a]).saturating_add(margin[a]).min(all.first[a] + all.size[a]));
        BlockPart { first, size: [0, 1].map(|a| end[a].saturating_sub(first[a])) }
    }

    /// How many samples it has.
    pub fn samples(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }
}

/// What a pass works on: planes that hold a part of a block.
pub struct PassPlanes<'a, R> {
    pub read: &'a [&'a [R]],
    pub written: &'a mut [Vec<R>],
    /// The table of the pass, if it has one.
    pub table: &'a [R],
    /// What the planes hold.
    pub window: BlockPart,
    /// The samples that are needed, of the block.
    pub part: BlockPart,
    /// The index of the block's first sample, wrapping.
    pub index: [u32; 2],
    /// The level of detail.
    pub level: u32,
    /// Whether rows are shared out among threads.
    pub parallel: bool,
    /// Where memory for a while comes from.
    pub spare: &'a SparePlanes<R>,
}

/// A row of a pass: what it reads, and where.
pub struct PassRow<'a, R> {
    pub planes: &'a [&'a [R]],
    pub inputs: &'a PassInputs<'a, R>,
    pub size: [i32; 2],
    /// Where its first sample is, and how many there are.
    pub first: [i32; 2],
    pub count: usize,
    /// How far left and right it reads. What reads anywhere looks after itself.
    pub reach: usize,
    pub simd: Dispatch,
}

/// A row of every plane that a pass writes; what is left over is empty.
pub type WrittenRows<'a, R> = [&'a mut [R]; WRITES];

/// Runs a pass over the rows that are needed. Not generic over passes: what runs threads would be compiled for each.
pub fn rows<R: Real>(step: &PassStep, over: PassPlanes<'_, R>, run: fn(&PassRow<'_, R>, WrittenRows<'_, R>)) {
    let PassPlanes { read, written, table, window, part, index, level: detail, parallel, spare } = over;
    // Steps of one batch may be needed by different margins: a tile can lie wholly outside what this step is needed for.
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
    // How far is read along x and y. What reads anywhere looks after itself.
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
