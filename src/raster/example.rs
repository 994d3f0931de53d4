//! An exemplar for noise by example: the samples, replaced by numbers with a normal distribution in the same order, and the way
//! back. Source: Heitz and Neyret, "High-performance by-example noise using a histogram-preserving blending operator", 2018.

use std::f64::consts::FRAC_1_SQRT_2;

/// Number of intervals of the tables of the normal distribution.
const FINE: usize = 4096;
/// Number of intervals of the table from normal numbers to values.
const QUANTILES: usize = 256;
/// Largest magnitude of a normal number: one in 8,000 would be larger.
pub(crate) const LARGEST: f64 = 3.84;

/// The share of a normal distribution below `x`.
fn below(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// Values with a normal distribution, in the order of the samples; and the samples' values at evenly spaced normal numbers from
/// −[`LARGEST`] to [`LARGEST`]. Equal samples have equal numbers, the mean of their ranks.
pub(super) fn normal(values: &[f32]) -> (Vec<f32>, Vec<f64>) {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let shares: Vec<f64> = (0..=FINE).map(|i| below(LARGEST * (2.0 * i as f64 / FINE as f64 - 1.0))).collect();
    let mut normal = vec![0.0; values.len()];
    let (mut first, mut at) = (0, 0);
    while first < order.len() {
        let value = values[order[first] as usize];
        let count = order[first..].iter().take_while(|&&i| values[i as usize] == value).count();
        let share = ((first as f64 + 0.5 * count as f64) / order.len() as f64).clamp(shares[0], shares[FINE]);
        while at + 1 < FINE && shares[at + 1] < share {
            at += 1;
        }
        let between = (share - shares[at]) / (shares[at + 1] - shares[at]);
        let number = LARGEST * (2.0 * (at as f64 + between) / FINE as f64 - 1.0);
        for &i in &order[first..first + count] {
            normal[i as usize] = number as f32;
        }
        first += count;
    }
    let last = order.len() - 1;
    let sample = |rank: usize| f64::from(values[order[rank.min(last)] as usize]);
    let mut quantiles: Vec<f64> = (0..=QUANTILES)
        .map(|i| {
            let share = below(LARGEST * (2.0 * i as f64 / QUANTILES as f64 - 1.0));
            let rank = (share * order.len() as f64 - 0.5).clamp(0.0, last as f64);
            let lower = sample(rank as usize);
            lower + (rank - rank.floor()) * (sample(rank as usize + 1) - lower)
        })
        .collect();
    (quantiles[0], quantiles[QUANTILES]) = (sample(0), sample(last));
    (normal, quantiles)
}
