//! How values are distributed.

/// The empirical distribution of a set of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    sorted: Vec<f32>,
    mean: f64,
    deviation: f64,
}

impl Distribution {
    /// Of all finite values; `None` if there is none.
    pub fn of(values: &[f32]) -> Option<Self> {
        let mut sorted: Vec<f32> = values.iter().copied().filter(|x| x.is_finite()).collect();
        if sorted.is_empty() {
            return None;
        }
        sorted.sort_unstable_by(f32::total_cmp);
        let count = sorted.len() as f64;
        let mean = sorted.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
        let variance = sorted.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / count;
        Some(Distribution { sorted, mean, deviation: variance.sqrt() })
    }

    /// How many values.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Their standard deviation, as of a whole population.
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

    /// How many values fall into each of `bins` equal parts of `lo..=hi`; those outside into none. An interval without width
    /// has everything at `lo` in its first part.
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
            // All of it at one place: a step, missed by what lies on either side.
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

#[cfg(test)]
mod tests {
    use crate::stats::distribution::*;

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
