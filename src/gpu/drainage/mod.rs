//! Drainage of a square on the device, with the CPU's bits: receivers, basins, the tree of their lowest passes, and sums down the water.
//!
//! All decisions are comparisons in the order of `src/drainage/order.rs`, and all sums are sums of integers. So no result depends on the
//! order in which invocations run. Slopes are the only numbers of f32; the engine's arithmetic is exact.

mod kernels;
mod square;
#[cfg(test)]
mod tests;

pub(crate) use kernels::WaterKernel;
pub use kernels::water_kernels;

use crate::drainage::down::{Amounts, Sums, step};
use crate::drainage::grid::{Grid, OUTLET, PIT, Rect};
use crate::drainage::square::Found;
use crate::drainage::surface::{EXIT, Outlets};
use crate::gpu::{Context, Failure, GpuError};
use glam::UVec2;
use kernels::{EDGE, MASK, SEA, WaterHead};
use square::{Bound, Work};
use std::iter::repeat_n;

/// `HEAD_NONE` of `head.wgsl`.
const NONE: u32 = u32::MAX;
/// `ENDS_STEPS` of `ends.wgsl`.
const STEPS: u64 = 64;
/// `SUMS_END` of `sums.wgsl`.
const END: u32 = 1 << 31;
/// Rounds of doubling before the device is asked whether any are left. Then further rounds follow in smaller numbers.
const ROUNDS: [u32; 2] = [8, 3];

/// Dispatches of `ends.wgsl` that shorten chains of this length to a single step.
fn dispatches(length: u64) -> usize {
    (1..).find(|count| STEPS.saturating_pow(*count) >= length).unwrap_or(1) as usize
}

/// The error of numbers that no invocation wrote, or of wrong ones.
fn unwritten(count: usize, of: usize) -> Failure {
    GpuError::Unwritten { count: count.max(1), of }.into()
}

impl Context {
    /// The basins of a square and the tree of their lowest passes, from the heights and the mask of the square with its halo.
    ///
    /// The mask, if there is one, names further outlets.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub(crate) fn find_basins(
        &self,
        grid: &Grid,
        rect: &Rect,
        (heights, mask): (&[f32], Option<&[f32]>),
        outlets: &Outlets,
    ) -> Result<Found, Failure> {
        let mut work = Work::new(self, head(grid, rect, mask.is_some(), outlets))?;
        let heights = work.uploaded(bytemuck::cast_slice(heights))?;
        let mask = mask.map(|mask| work.uploaded(bytemuck::cast_slice(mask))).transpose()?;
        let [directions, keys, hashes, edges, ends] = all(|| work.buffer(1))?;
        let heads: [_; 2] = all(|| work.buffer(1))?;
        let lowest: [_; 3] = all(|| work.buffer(1))?;
        let counts = work.sized(8)?;

        let found = [&heights, mask.as_ref().unwrap_or(&heights), &directions, &heads[0], &keys, &hashes, &edges];
        let receivers = work.bind(WaterKernel::Receivers, &found)?;
        let [first, second] = [(&heads[0], &heads[1]), (&heads[1], &heads[0])];
        // A round reads groups, and writes them to the other buffer.
        let round = |(from, to): (&wgpu::Buffer, &wgpu::Buffer)| -> Result<[Bound; 6], GpuError> {
            let of_lowest = [from, &keys, &hashes, &lowest[0], &lowest[1], &lowest[2]];
            Ok([
                work.bind(WaterKernel::LowestUnknown, &of_lowest)?,
                work.bind(WaterKernel::LowestKey, &of_lowest)?,
                work.bind(WaterKernel::LowestHash, &of_lowest)?,
                work.bind(WaterKernel::LowestCell, &of_lowest)?,
                work.bind(WaterKernel::Join, &[from, &keys, &hashes, &lowest[2], to, &edges, &counts])?,
                work.bind(WaterKernel::Ends, &[to])?,
            ])
        };
        let rounds = [round(first)?, round(second)?];

        let cells = rect.cells() as u64;
        let mut encoder = work.encoder();
        encoder.clear_buffer(&directions, 0, None);
        // The second round's last kernel shortens the chains of the first buffer.
        work.run(&mut encoder, std::iter::once(&receivers).chain(repeat_n(&rounds[1][5], dispatches(cells + 1))));
        encoder.copy_buffer_to_buffer(&heads[0], 0, &ends, 0, 4 * cells);
        // Each round leaves at most half of the groups.
        let mut groups = cells + 1;
        for round in rounds.iter().cycle() {
            encoder.clear_buffer(&counts, 0, None);
            let [lowest @ .., shorten] = round;
            work.run(&mut encoder, lowest.iter().chain(repeat_n(shorten, dispatches(groups + 1))));
            let counts = work.read(encoder, &[(&counts, 2)])?.concat();
            let (open, joined) = (u64::from(counts[0]), u64::from(counts[1]));
            encoder = work.encoder();
            if joined > open || open > groups || (joined == 0 && open > 0) {
                return Err(unwritten(1, 2));
            }
            groups = open - joined;
            if groups <= 1 {
                break;
            }
        }
        let read = work.read(encoder, &[(&directions, cells), (&ends, cells), (&edges, cells + 1)])?;
        let [directions, ends, edges] = read.try_into().map_err(|_| unwritten(1, 3))?;
        check(rect, &directions, ends, &edges)
    }

    /// Sums of amounts down the water of a square, the ends of the water, and the distances to there.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub(crate) fn sum_downwards(&self, size: [u32; 2], directions: &[u8], amounts: &Amounts) -> Result<Sums, Failure> {
        let Amounts { areas, rains } = amounts;
        let cells = directions.len();
        let planes = 1 + u32::from(!rains.is_empty());
        let rect = Rect { first: [0; 2], size };
        let offsets = rect.offsets();
        let next = |(cell, code): (usize, &u8)| match offsets.get(usize::from(*code)) {
            Some(offset) => (cell.wrapping_add_signed(*offset) as u32, step(*code)),
            None => (cell as u32 | END, 0),
        };
        let (nexts, lengths): (Vec<u32>, Vec<u64>) = directions.iter().enumerate().map(next).unzip();
        let both: Vec<u64> = areas.iter().chain(rains).copied().collect();

        let mut work = Work::new(self, WaterHead { size: size.into(), sums: planes, ..WaterHead::default() })?;
        let nexts = [work.uploaded(bytemuck::cast_slice(&nexts))?, work.buffer(1)?];
        let sums = [work.uploaded(bytemuck::cast_slice(&words(&both)))?, work.sized(8 * both.len() as u64)?];
        let distances = [work.uploaded(bytemuck::cast_slice(&words(&lengths)))?, work.buffer(2)?];
        let open = work.sized(8)?;
        let round = |from: usize, to: usize| {
            work.bind(WaterKernel::Sums, &[&nexts[from], &nexts[to], &sums[from], &sums[to], &distances[from], &distances[to], &open])
        };
        let rounds = [round(0, 1)?, round(1, 0)?];
        let (mut from, mut done) = (0, 0_u32);
        let mut next = ROUNDS[0];
        loop {
            let mut encoder = work.encoder();
            for _ in 0..next {
                encoder.clear_buffer(&open, 0, None);
                encoder.copy_buffer_to_buffer(&sums[from], 0, &sums[1 - from], 0, 8 * both.len() as u64);
                work.run(&mut encoder, [&rounds[from]]);
                from = 1 - from;
            }
            done += next;
            next = ROUNDS[1];
            if work.read(encoder, &[(&open, 1)])?.concat() == [0] {
                break;
            }
            // 2³² steps: no way is longer.
            if done > 32 {
                return Err(unwritten(1, cells));
            }
        }
        let n = cells as u64;
        let read = work.read(work.encoder(), &[(&nexts[from], n), (&sums[from], 2 * both.len() as u64), (&distances[from], 2 * n)])?;
        let [nexts, sums, distances] = read.try_into().map_err(|_| unwritten(1, 3))?;
        let ends: Vec<u32> = nexts.iter().map(|next| next & !END).collect();
        let mut sums = longs(&sums);
        let rains_after = sums.split_off(cells.min(sums.len()));
        // The water of every cell ends once.
        let is_end = |cell: &usize| directions[*cell] >= PIT;
        let ended =
            |sums: &[u64]| (0..cells).filter(is_end).filter_map(|cell| sums.get(cell)).fold(0_u64, |sum, own| sum.wrapping_add(*own));
        let whole = |own: &[u64]| own.iter().fold(0_u64, |sum, own| sum.wrapping_add(*own));
        let is_whole = ended(&sums) == whole(areas) && ended(&rains_after) == whole(rains);
        let lost =
            nexts.iter().zip(&ends).filter(|(next, end)| **next < END || directions.get(**end as usize).is_none_or(|code| *code < PIT));
        let lost = lost.count();
        if lost > 0 || !is_whole {
            return Err(unwritten(lost, cells));
        }
        Ok(Sums { amounts: Amounts { areas: sums, rains: rains_after }, ends, distances: longs(&distances) })
    }
}

/// Several buffers, made one after the other.
fn all<const N: usize>(mut make: impl FnMut() -> Result<wgpu::Buffer, GpuError>) -> Result<[wgpu::Buffer; N], GpuError> {
    let made = (0..N).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    Ok(made.try_into().expect("invariant: N buffers were made"))
}

fn head(grid: &Grid, rect: &Rect, has_mask: bool, outlets: &Outlets) -> WaterHead {
    let around = rect.with_halo(grid);
    let index = grid.index(around.first);
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    WaterHead {
        size: rect.size.into(),
        offset: UVec2::from(rect.first) - UVec2::from(around.first),
        around: around.size.into(),
        index: UVec2::new(index as u32, (index >> 32) as u32),
        width: grid.size[0],
        seed: grid.seed,
        sea: outlets.sea.unwrap_or(0.0),
        flags: flag(outlets.edge, EDGE) | flag(outlets.sea.is_some(), SEA) | flag(has_mask, MASK),
        sums: 0,
    }
}

/// Checks what came back, so that no number leads out of the square.
fn check(rect: &Rect, directions: &[u32], ends: Vec<u32>, edges: &[u32]) -> Result<Found, Failure> {
    let cells = rect.cells();
    // Directions are stored plus 1: 0 marks a cell that no invocation wrote.
    let code = |stored: &u32| {
        let code = u8::try_from(stored.checked_sub(1)?).ok()?;
        matches!(code, 0..=OUTLET | EXIT..24).then_some(code)
    };
    let directions: Vec<u8> = directions.iter().filter_map(code).collect();
    let edge = |stored: &u32| {
        let (high, low) = (stored / 8, rect.neighbour(stored / 8, (stored % 8) as u8));
        low.map(|low| [high, low])
    };
    let joined: Vec<&u32> = edges.iter().filter(|edge| **edge != NONE).collect();
    let edges: Vec<[u32; 2]> = joined.iter().filter_map(|stored| edge(stored)).collect();
    let wrong = cells - directions.len() + joined.len() - edges.len();
    if wrong > 0 { Err(unwritten(wrong, cells)) } else { Ok(Found { directions, ends, edges }) }
}

/// Numbers of 64 bits as pairs of words, the low word first.
fn words(longs: &[u64]) -> Vec<[u32; 2]> {
    longs.iter().map(|long| [*long as u32, (*long >> 32) as u32]).collect()
}

/// The numbers of such pairs.
fn longs(words: &[u32]) -> Vec<u64> {
    words.as_chunks().0.iter().map(|[low, high]| u64::from(*low) | u64::from(*high) << 32).collect()
}
