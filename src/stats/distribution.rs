//! Distributions of values.

use crate::stop::{PIECE, Stop, Stopped};

/// The empirical distribution of a set of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    sorted: Vec<f32>,
    mean: f64,
    deviation: f64,
}

impl Distribution {
    /// The distribution of all finite values; `None` if there are none. Time and memory are proportional to their number: 8 bytes
    /// each during the computation, 4 afterwards.
    pub fn of(values: &[f32]) -> Option<Self> {
        Self::of_until(values, &Stop::default()).expect("invariant: it is not stopped")
    }

    /// As [`of`](Self::of), with cancellation.
    ///
    /// # Errors
    /// Returns an error a few milliseconds after cancellation.
    pub fn of_until(values: &[f32], stop: &Stop) -> Result<Option<Self>, Stopped> {
        let sorted = sorted(values, stop)?;
        if sorted.is_empty() {
            return Ok(None);
        }
        let count = sorted.len() as f64;
        let mean = sum(&sorted, |x| x, stop)? / count;
        let variance = sum(&sorted, |x| (x - mean).powi(2), stop)? / count;
        Ok(Some(Distribution { sorted, mean, deviation: variance.sqrt() }))
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Their standard deviation, for a whole population.
    pub fn deviation(&self) -> f64 {
        self.deviation
    }

    /// Smallest and largest.
    pub fn extent(&self) -> [f64; 2] {
        [self.quantile(0.0), self.quantile(1.0)]
    }

    /// The smallest value that at least this share of the values does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let rank = (share.clamp(0.0, 1.0) * self.sorted.len() as f64).ceil() as usize;
        f64::from(self.sorted[rank.clamp(1, self.sorted.len()) - 1])
    }

    /// The share of values that are at most `x`: the empirical distribution function.
    pub fn cdf(&self, x: f64) -> f64 {
        self.sorted.partition_point(|&v| f64::from(v) <= x) as f64 / self.sorted.len() as f64
    }

    /// The number of values in each of `bins` equal parts of `lo..=hi`; values outside are not counted. An interval without width
    /// has all values at `lo` in its first part.
    pub fn histogram(&self, lo: f64, hi: f64, bins: usize) -> Vec<u64> {
        let mut counts = vec![0; bins];
        let Some(last) = bins.checked_sub(1) else { return counts };
        let scale = if hi > lo { bins as f64 / (hi - lo) } else { 0.0 };
        for x in self.sorted.iter().map(|&x| f64::from(x)).filter(|x| (lo..=hi).contains(x)) {
            counts[(((x - lo) * scale) as usize).min(last)] += 1;
        }
        counts
    }

    /// Kolmogorov–Smirnov distance from the uniform distribution on `lo..=hi`: the largest difference of the distribution
    /// functions, 0 to 1. For independent uniform values it stays below 1.63/√count with a probability of 99 %; the samples
    /// of a smooth noise are not independent.
    pub fn ks_uniform(&self, lo: f64, hi: f64) -> f64 {
        let count = self.sorted.len() as f64;
        if hi <= lo {
            // All values in one place form a step, which the distances on either side miss.
            let below = self.sorted.partition_point(|&v| f64::from(v) < lo) as f64 / count;
            return below.max(1.0 - self.cdf(lo));
        }
        let distance = |(i, &x): (usize, &f32)| {
            let uniform = ((f64::from(x) - lo) / (hi - lo)).clamp(0.0, 1.0);
            ((i + 1) as f64 / count - uniform).max(uniform - i as f64 / count)
        };
        self.sorted.iter().enumerate().map(distance).fold(0.0, f64::max)
    }
}

/// Number of values up to which the standard library's sort takes negligible time.
const FEW: usize = 1 << 14;
/// Number of values of one digit of a key.
const DIGITS: usize = 1 << 8;

/// The finite values in the order of `total_cmp`, by a radix sort, whose loops can be stopped.
fn sorted(values: &[f32], stop: &Stop) -> Result<Vec<f32>, Stopped> {
    let finite = |piece: &[f32]| piece.iter().copied().filter(|x| x.is_finite()).collect::<Vec<f32>>();
    if values.len() <= FEW {
        let mut all = finite(values);
        all.sort_unstable_by(f32::total_cmp);
        return Ok(all);
    }
    let mut keys: Vec<u32> = Vec::with_capacity(values.len());
    let mut counts = [[0_usize; DIGITS]; 4];
    for piece in values.chunks(PIECE) {
        stop.check()?;
        for key in finite(piece).into_iter().map(key) {
            keys.push(key);
            for (digit, counts) in counts.iter_mut().enumerate() {
                counts[key.to_le_bytes()[digit] as usize] += 1;
            }
        }
    }
    let mut ordered = vec![0; keys.len()];
    for (digit, counts) in counts.iter().enumerate() {
        if counts.contains(&keys.len()) {
            continue;
        }
        let mut next = [0; DIGITS];
        for i in 1..DIGITS {
            next[i] = next[i - 1] + counts[i - 1];
        }
        for piece in keys.chunks(PIECE) {
            stop.check()?;
            for &key in piece {
                let place = &mut next[key.to_le_bytes()[digit] as usize];
                ordered[*place] = key;
                *place += 1;
            }
        }
        std::mem::swap(&mut keys, &mut ordered);
    }
    drop(ordered);
    stop.map(&keys, |&key| f32::from_bits(if key >> 31 == 0 { !key } else { key ^ 1 << 31 }))
}

/// An integer that sorts in the order of `total_cmp`.
fn key(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 0 { bits ^ 1 << 31 } else { !bits }
}

/// The sum of a term for each value, in order.
fn sum(values: &[f32], term: impl Fn(f64) -> f64, stop: &Stop) -> Result<f64, Stopped> {
    // The initial value of the standard library's sum.
    let mut sum = -0.0;
    for piece in values.chunks(PIECE) {
        stop.check()?;
        sum = piece.iter().fold(sum, |sum, &x| sum + term(f64::from(x)));
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use crate::stats::distribution::*;

    #[test]
    fn many_are_sorted_as_few_are() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits((state >> 32) as u32)
        };
        let mut values: Vec<f32> = (0..8 * FEW).map(|_| random()).chain([0.0, -0.0, f32::NAN, f32::INFINITY, -0.0, 0.0]).collect();
        let found = sorted(&values, &Stop::default()).expect("not stopped");
        values.retain(|x| x.is_finite());
        values.sort_unstable_by(f32::total_cmp);
        assert!(found.iter().map(|x| x.to_bits()).eq(values.iter().map(|x| x.to_bits())) && found.len() > 7 * FEW);
        let d = Distribution::of(&values).expect("values");
        let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / values.len() as f64;
        assert_eq!(d.mean().to_bits(), mean.to_bits());
        let same = sorted(&vec![1.5; 2 * FEW], &Stop::default()).expect("not stopped");
        assert!(same.len() == 2 * FEW && same.iter().all(|&x| x == 1.5));
        let stop = Stop::default();
        stop.stop();
        assert_eq!(Distribution::of_until(&values, &stop), Err(Stopped));
    }

    #[test]
    fn moments_quantiles_and_counts() {
        let d = Distribution::of(&[3.0, 1.0, f32::NAN, 2.0, 2.0]).expect("values");
        assert_eq!((d.count(), d.mean(), d.extent()), (4, 2.0, [1.0, 3.0]));
        assert!((d.deviation() - 0.5f64.sqrt()).abs() < 1e-12);
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(|q| d.quantile(q)), [1.0, 1.0, 2.0, 2.0, 3.0]);
        assert_eq!([0.9, 1.0, 2.0, 3.0].map(|x| d.cdf(x)), [0.0, 0.25, 0.75, 1.0]);
        assert_eq!(d.histogram(1.0, 3.0, 2), [1, 3]);
        assert_eq!(d.histogram(2.0, 2.0, 2), [2, 0]);
        assert!(d.histogram(1.0, 3.0, 0).is_empty());
        assert_eq!(Distribution::of(&[f32::NAN]), None);
    }

    #[test]
    fn distance_from_uniform() {
        let even: Vec<f32> = (0..100).map(|i| (i as f32 + 0.5) / 100.0).collect();
        let d = Distribution::of(&even).expect("values");
        assert!((d.ks_uniform(0.0, 1.0) - 0.005).abs() < 1e-6);
        assert!((d.ks_uniform(0.0, 2.0) - 0.5).abs() < 0.01, "half the interval is empty");
        assert!((d.ks_uniform(0.5, 1.0) - 0.5).abs() < 0.01, "half the values are outside");
        let one = Distribution::of(&[0.25; 9]).expect("values");
        assert_eq!((one.deviation(), one.ks_uniform(0.25, 0.25), one.ks_uniform(0.0, 0.0)), (0.0, 0.0, 1.0));
        assert_eq!(one.ks_uniform(0.0, 1.0), 0.75);
    }
}
