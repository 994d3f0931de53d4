//! The distribution of a layer's values: how many lie in each of 65536 equal bins between their extremes.

use super::encoding::{put, take};
use super::extremes::Extremes;
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::error::LayersError;
use crate::field::Layer;

/// Bins of a histogram.
const BINS: usize = 1 << 16;

/// The reduction: values by bin, between extremes that are known. Values below the lowest are not allowed.
pub(crate) struct Counting {
    lo: f64,
    hi: f64,
    scale: f64,
}

impl Counting {
    pub fn new(extremes: &Extremes) -> Self {
        let [lo, hi] = extremes.ends();
        Counting { lo, hi, scale: if hi > lo { BINS as f64 / (hi - lo) } else { 0.0 } }
    }
}

impl Reduction for Counting {
    type Part = Vec<u64>;
    type Answer = Histogram;

    fn empty(&self) -> Vec<u64> {
        vec![0; BINS]
    }

    fn gather(&self, bins: &mut Vec<u64>, block: &[Layer], pool: &Pool) -> Result<(), LayersError> {
        let (lo, scale) = (self.lo, self.scale);
        for Layer { values, .. } in block {
            if values.len() <= BINS || !pool.is_parallel() {
                each_bin(values, lo, scale, |bin| bins[bin] += 1);
                continue;
            }
            let counted = |values: &[f32]| {
                let mut bins = vec![0_u32; BINS];
                each_bin(values, lo, scale, |bin| bins[bin] += 1);
                bins
            };
            for part in pool.parts(values, counted) {
                bins.iter_mut().zip(part).for_each(|(own, more)| *own += u64::from(more));
            }
        }
        Ok(())
    }

    fn join(&self, bins: &mut Vec<u64>, other: Vec<u64>) -> Result<(), LayersError> {
        bins.iter_mut().zip(other).for_each(|(own, more)| *own += more);
        Ok(())
    }

    fn answer(&self, mut bins: Vec<u64>) -> Result<Histogram, LayersError> {
        let mut sum = 0;
        // In place: half a megabyte of new memory would take longer than the sums.
        for bin in &mut bins {
            sum += *bin;
            *bin = sum;
        }
        Ok(Histogram { lo: self.lo, hi: self.hi, below: bins })
    }

    /// Bins that hold values, each after the number of empty ones before it.
    fn encode(&self, bins: &Vec<u64>) -> Vec<u8> {
        let (mut bytes, mut empty) = (Vec::new(), 0);
        for &count in bins {
            if count == 0 {
                empty += 1;
            } else {
                put(&mut bytes, empty);
                put(&mut bytes, count);
                empty = 0;
            }
        }
        bytes
    }

    fn decode(&self, mut bytes: &[u8]) -> Option<Vec<u64>> {
        let (mut bins, mut next, mut sum) = (self.empty(), 0_usize, 0_u64);
        while !bytes.is_empty() {
            next = next.checked_add(usize::try_from(take(&mut bytes)?).ok()?)?;
            let count = take(&mut bytes)?;
            sum = sum.checked_add(count)?;
            *bins.get_mut(next)? = count;
            next += 1;
        }
        Some(bins)
    }

    /// As the part that it is the answer of.
    fn encode_answer(&self, answer: &Histogram) -> Vec<u8> {
        let mut before = 0;
        let counts = answer.below.iter().map(|&below| below - std::mem::replace(&mut before, below));
        self.encode(&counts.collect())
    }

    fn decode_answer(&self, bytes: &[u8]) -> Option<Histogram> {
        self.decode(bytes).and_then(|bins| self.answer(bins).ok())
    }
}

/// Calls `count` with the bin of each value. Bins are computed in vectors before they are counted. No value is below the lowest.
fn each_bin(values: &[f32], lo: f64, scale: f64, mut count: impl FnMut(usize)) {
    let mut bins = [0_i32; 64];
    for values in values.chunks(64) {
        for (bin, &x) in bins.iter_mut().zip(values) {
            *bin = ((f64::from(x) - lo) * scale).min((BINS - 1) as f64) as i32;
        }
        bins[..values.len()].iter().for_each(|bin| count(*bin as usize % BINS));
    }
}

/// Values by size.
pub(crate) struct Histogram {
    lo: f64,
    hi: f64,
    /// The number of values below the end of each bin; empty if only the extremes are known.
    below: Vec<u64>,
}

impl Histogram {
    /// The extremes alone, with values spread evenly between them.
    pub fn even([lo, hi]: [f64; 2]) -> Self {
        Histogram { lo, hi, below: Vec::new() }
    }

    /// The value below which a share of them lies, on a straight line through its bin.
    pub fn quantile(&self, share: f64) -> f64 {
        if share <= 0.0 {
            return self.lo;
        }
        if share >= 1.0 {
            return self.hi;
        }
        let Some(&total) = self.below.last() else { return self.lo + share * (self.hi - self.lo) };
        let wanted = share * total as f64;
        let bin = self.below.partition_point(|&below| (below as f64) < wanted);
        if bin >= BINS {
            return self.hi;
        }
        let before = if bin == 0 { 0 } else { self.below[bin - 1] } as f64;
        let inside = (wanted - before) / (self.below[bin] as f64 - before).max(1.0);
        self.lo + (bin as f64 + inside) * (self.hi - self.lo) / BINS as f64
    }
}
