//! The coefficients of a cubic B-spline surface that passes through samples and has continuous curvature (Unser, Aldroubi and
//! Eden, "B-spline signal processing", 1993).

/// The pole of the filter, √3 − 2.
const POLE: f64 = -0.267_949_192_431_122_7;
/// Number of powers of the pole. Higher ones are below the precision of f64.
const HORIZON: usize = 32;
/// Columns per pass, so that the parts of rows fit into the cache.
const STRIP: usize = 64;

/// Coefficients for samples in rows; `size` is columns and rows. Beyond the edges the surface is mirrored, or repeats.
pub fn coefficients(values: &[f32], size: [u32; 2], repeats: bool) -> Vec<f32> {
    let [columns, rows] = size.map(|edge| edge as usize);
    let mut all = values.to_vec();
    let mut line = vec![0.0; columns];
    for row in all.chunks_exact_mut(columns) {
        line.iter_mut().zip(&*row).for_each(|(x, &value)| *x = f64::from(value));
        filter(&mut line, repeats);
        row.iter_mut().zip(&line).for_each(|(value, &x)| *value = x as f32);
    }
    for first in (0..columns).step_by(STRIP) {
        let strip = first..columns.min(first + STRIP);
        let mut lines = vec![vec![0.0; rows]; strip.len()];
        for (y, row) in all.chunks_exact(columns).enumerate() {
            lines.iter_mut().zip(&row[strip.clone()]).for_each(|(line, &value)| line[y] = f64::from(value));
        }
        lines.iter_mut().for_each(|line| filter(line, repeats));
        for (y, row) in all.chunks_exact_mut(columns).enumerate() {
            row[strip.clone()].iter_mut().zip(&lines).for_each(|(value, line)| *value = line[y] as f32);
        }
    }
    all
}

/// Bounds of the surface at and between its samples: those of the Bézier points of its patches. They are narrower than the bounds
/// of the coefficients.
pub fn bounds(coefficients: &[f32], [columns, rows]: [u32; 2], repeats: bool) -> [f32; 2] {
    let [columns, rows] = [columns, rows].map(|edge| edge as usize);
    let after = |i: usize, n: usize| match i + 1 {
        next if next < n => next,
        _ if repeats => 0,
        _ => n.saturating_sub(2),
    };
    let before = |i: usize, n: usize| if i > 0 { i - 1 } else { beyond(1, n, repeats) };
    // The Bézier points at a sample and at the next two thirds of the way to its neighbour.
    let three = |[a, b, c]: [f64; 3]| [(a + 4.0 * b + c) / 6.0, (2.0 * b + c) / 3.0, (b + 2.0 * c) / 3.0];
    let row = |y: usize| -> Vec<[f64; 3]> {
        let row = &coefficients[y * columns..][..columns];
        (0..columns).map(|x| three([before(x, columns), x, after(x, columns)].map(|x| f64::from(row[x])))).collect()
    };
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut above, mut here) = (row(before(0, rows)), row(0));
    for y in 0..rows {
        let below = row(after(y, rows));
        for ((a, b), c) in above.iter().zip(&here).zip(&below) {
            for point in (0..3).flat_map(|k| three([a[k], b[k], c[k]])) {
                (lo, hi) = (lo.min(point), hi.max(point));
            }
        }
        (above, here) = (here, below);
    }
    [lo as f32, hi as f32]
}

/// Converts a line of samples to coefficients, in place.
fn filter(line: &mut [f64], repeats: bool) {
    let n = line.len();
    if n == 1 {
        return;
    }
    let powers = || std::iter::successors(Some(1.0), |power| Some(power * POLE)).take(HORIZON);
    // A recursion in each direction. Its first value includes the samples beyond the edge.
    line[0] = powers().enumerate().map(|(k, power)| power * line[beyond(k, n, repeats)]).sum();
    for i in 1..n {
        line[i] += POLE * line[i - 1];
    }
    line[n - 1] = if repeats {
        -POLE * powers().enumerate().map(|(k, power)| power * line[(n - 1 + k) % n]).sum::<f64>()
    } else {
        POLE / (POLE * POLE - 1.0) * (line[n - 1] + POLE * line[n - 2])
    };
    for i in (0..n - 1).rev() {
        line[i] = POLE * (line[i + 1] - line[i]);
    }
    line.iter_mut().for_each(|x| *x *= 6.0);
}

/// The index of the sample that continues the line `k` samples before the first one.
fn beyond(k: usize, n: usize, repeats: bool) -> usize {
    if n == 1 {
        return 0;
    }
    if repeats {
        return (n - k % n) % n;
    }
    let within = k % (2 * (n - 1));
    within.min(2 * (n - 1) - within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surface_passes_through_the_samples() {
        for n in [1usize, 2, 3, 5, 40, 200] {
            for repeats in [false, true] {
                let samples: Vec<f64> = (0..n).map(|i| ((i * i * 7 + 3 * i) % 11) as f64 - 4.0).collect();
                let mut line = samples.clone();
                filter(&mut line, repeats);
                let at = |i: isize| {
                    let n = n as isize;
                    let i = if repeats {
                        i.rem_euclid(n)
                    } else {
                        i.rem_euclid((2 * (n - 1)).max(1)).min((2 * (n - 1)).max(1) - i.rem_euclid((2 * (n - 1)).max(1)))
                    };
                    line[i as usize]
                };
                for (i, &sample) in (0isize..).zip(&samples) {
                    let found = (at(i - 1) + 4.0 * at(i) + at(i + 1)) / 6.0;
                    assert!((found - sample).abs() < 1e-12, "{n} {repeats} {i}: {found} {sample}");
                }
            }
        }
    }
}
