//! Distributions as curves: of a sum of sines (exact), from measurements, or from a table.

use crate::params::QuantilePoint;
use crate::program::SplinePoint;
use std::f64::consts::PI;

/// Number of values of the cumulative distribution on [0, 1] from which its curve is chosen; a power of two.
const FINE: usize = 1024;
/// Approximate number of pieces of a distribution's curve.
const PIECES: f64 = 192.0;
/// Maximum number of terms of the series, and the size below which they are negligible.
const MOST_TERMS: u32 = 4096;
const SMALL: f64 = 1e-10;

/// `2·F − 1` over [−1, 1], where F is the distribution of `Σ aᵢ · sin(uᵢ)`, each amplitude is repeated `repeats` times, phases
/// are independent and amplitudes sum to 1.
///
/// The characteristic function of one sine is the Bessel function J0; that of the sum is the product φ. The sum lies within [−1,
/// 1], so its density is a Fourier series with period 2, and `F(v) = 1/2 + v/2 + Σₖ φ(πk) · sin(πkv) / (πk)`. This is the integral
/// of the inversion formula, as a sum without truncation error in v. One sine has `F = 1/2 + asin(v)/π`.
pub(crate) fn distribution_of_sines(amplitudes: &[f64], repeats: u32) -> Vec<SplinePoint> {
    let fine: Vec<f64> = if amplitudes.len() * repeats as usize == 1 {
        (0..=FINE).map(|i| 2.0 / PI * libm::asin(i as f64 / FINE as f64)).collect()
    } else {
        series(&weights(amplitudes, repeats))
    };
    let value = |i: isize| if i < 0 { -fine[i.unsigned_abs()] } else { fine[i.unsigned_abs()] };
    // Knots where either the value or its argument has changed enough: dense where the curve is steep, and never far apart. They
    // have even indices, so that every piece has a middle through which its parabola passes.
    let end = FINE as isize;
    let moved = |a: isize, b: isize| (value(b) - value(a)) * 0.25 + (b - a) as f64 / (4 * FINE) as f64;
    let mut knots = vec![-end];
    let mut last = -end;
    for i in (-end + 2..end).step_by(2) {
        if moved(last, i + 2) > 1.0 / PIECES {
            knots.push(i);
            last = i;
        }
    }
    knots.push(end);
    let at = |i: isize| i as f64 / FINE as f64;
    let mut points: Vec<SplinePoint> = knots
        .windows(2)
        .map(|pair| {
            let (low, high) = (value(pair[0]), value(pair[1]));
            let through = 2.0 * value((pair[0] + pair[1]) / 2) - 0.5 * (low + high);
            SplinePoint { at: at(pair[0]), value: low, anchor: through.clamp(low, high), inverse_width: 1.0 / (at(pair[1]) - at(pair[0])) }
        })
        .collect();
    points.push(SplinePoint { at: 1.0, value: 1.0, anchor: 1.0, inverse_width: 0.0 });
    points
}

/// `φ(πk) · 2 / (πk)` for k from 1 on, until it is negligible.
fn weights(amplitudes: &[f64], repeats: u32) -> Vec<f64> {
    let mut weights = Vec::new();
    let mut small = 0;
    for k in 1..=MOST_TERMS {
        let t = PI * f64::from(k);
        let product: f64 = amplitudes.iter().map(|a| libm::j0(a * t)).product();
        let weight = (0..repeats).fold(2.0 / t, |w, _| w * product);
        weights.push(weight);
        // A product of oscillations may be small by chance once or twice, but not many times in a row.
        small = if weight.abs() < SMALL { small + 1 } else { 0 };
        if small == 16 {
            break;
        }
    }
    weights
}

/// `v + Σ wₖ · sin(πkv)` at FINE + 1 places from 0 to 1, clamped to 0 to 1 and never decreasing.
fn series(weights: &[f64]) -> Vec<f64> {
    let mut highest = 0.0f64;
    let value = |i: usize| {
        let v = i as f64 / FINE as f64;
        // Clenshaw's recurrence for a sum of sines.
        let twice = 2.0 * libm::cos(PI * v);
        let (mut b1, mut b2) = (0.0, 0.0);
        for w in weights.iter().rev() {
            let b = w + twice * b1 - b2;
            (b1, b2) = (b, b1);
        }
        highest = highest.max(v + b1 * libm::sin(PI * v)).min(1.0);
        highest
    };
    let mut values: Vec<f64> = (0..=FINE).map(value).collect();
    values[FINE] = 1.0;
    values
}

/// Straight pieces through points whose first number strictly increases.
fn lines(points: &[(f64, f64)]) -> Vec<SplinePoint> {
    let mut pieces: Vec<SplinePoint> = points
        .windows(2)
        .map(|pair| {
            let ((at, value), (next, end)) = (pair[0], pair[1]);
            SplinePoint { at, value, anchor: 0.5 * (value + end), inverse_width: 1.0 / (next - at) }
        })
        .collect();
    if let Some(&(at, value)) = points.last() {
        pieces.push(SplinePoint { at, value, anchor: value, inverse_width: 0.0 });
    }
    pieces
}

/// From quantiles at evenly spaced probabilities p to `2p − 1`. A value shared by several probabilities maps to their mean. No pieces
/// before anything was measured.
pub(crate) fn pieces_of_quantiles(quantiles: &[f64]) -> Vec<SplinePoint> {
    let Some(last) = quantiles.len().checked_sub(1) else { return Vec::new() };
    let last = last as f64;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut start = 0;
    for i in 1..=quantiles.len() {
        // f32 cannot distinguish closer values.
        let apart = |a: f64, b: f64| crate::program::narrow(b) > crate::program::narrow(a);
        if i == quantiles.len() || apart(quantiles[start], quantiles[i]) {
            points.push((quantiles[start], (start + i - 1) as f64 / last - 1.0));
            start = i;
        }
    }
    lines(&points)
}

/// From `2p − 1` to the value of a table.
pub(crate) fn pieces_of_table(table: &[QuantilePoint]) -> Vec<SplinePoint> {
    lines(&table.iter().map(|p| (2.0 * p.probability - 1.0, p.value)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use crate::graph::lower::distribution::*;

    fn value(points: &[SplinePoint], x: f64) -> f64 {
        let i = points.partition_point(|p| p.at <= x).clamp(1, points.len() - 1) - 1;
        let (p, q) = (points[i], points[i + 1]);
        let t = (x - p.at) * p.inverse_width;
        let (a, b) = (p.value + t * (p.anchor - p.value), p.anchor + t * (q.value - p.anchor));
        a + t * (b - a)
    }

    #[test]
    fn one_sine_has_the_arcsine_distribution() {
        let curve = distribution_of_sines(&[1.0], 1);
        for i in -999..1000 {
            let v = f64::from(i) / 1000.0;
            let error = (value(&curve, v) - 2.0 / PI * libm::asin(v)).abs();
            assert!(error < 2e-3, "{v}: {error}");
        }
    }

    #[test]
    fn many_sines_have_nearly_the_normal_distribution() {
        let amplitudes = vec![1.0 / 300.0; 300];
        let curve = distribution_of_sines(&amplitudes, 1);
        let deviation = (0.5f64 / 300.0).sqrt();
        for i in -300..300 {
            let v = f64::from(i) / 1000.0;
            let normal = libm::erf(v / deviation / 2f64.sqrt());
            // The fourth cumulant of a sine leaves this much at 300 of them.
            assert!((value(&curve, v) - normal).abs() < 1e-3, "{v}: {} {normal}", value(&curve, v));
        }
    }

    #[test]
    fn curves_are_monotonic_and_odd() {
        for (amplitudes, repeats) in [(vec![0.5], 2), (vec![0.7, 0.3], 1), (vec![0.1, 0.1, 0.1, 0.0333], 3), (vec![1.0 / 400.0; 200], 2)] {
            let total = amplitudes.iter().sum::<f64>() * f64::from(repeats);
            let curve = distribution_of_sines(&amplitudes.iter().map(|a| a / total).collect::<Vec<_>>(), repeats);
            assert!(curve.len() > 32 && curve.len() < 600, "{} pieces", curve.len());
            assert!(curve.windows(2).all(|w| w[0].at < w[1].at && w[0].value <= w[0].anchor && w[0].anchor <= w[1].value));
            for i in 0..100 {
                let v = f64::from(i) / 100.0;
                assert!((value(&curve, v) + value(&curve, -v)).abs() < 2e-3, "{v}");
            }
        }
    }
}
