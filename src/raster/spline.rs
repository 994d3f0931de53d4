//! The coefficients of the cubic B-spline surface through samples: what makes it pass through them and have continuous curvature
//! (Unser, Aldroubi and Eden, "B-spline signal processing", 1993).

/// The pole of the filter, √3 − 2.
const POLE: f64 = -0.267_949_192_431_122_7;
/// Powers of the pole beyond this one change no f64.
const HORIZON: usize = 32;
/// Columns that are filtered at once, so that rows are read in pieces that a cache holds.
const STRIP: usize = 64;

/// Coefficients for samples in rows, of so many columns and rows. The surface goes on beyond the edges mirrored, or repeated.
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

/// One line of samples → coefficients, in place.
fn filter(line: &mut [f64], repeats: bool) {
    let n = line.len();
    if n == 1 {
        return;
    }
    let powers = || std::iter::successors(Some(1.0), |power| Some(power * POLE)).take(HORIZON);
    // There and back, each a recursion that begins with what lies beyond the edge.
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

/// The sample `k` before the first one.
fn beyond(k: usize, n: usize, repeats: bool) -> usize {
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
                    let i = if repeats { i.rem_euclid(n) } else { i.rem_euclid((2 * (n - 1)).max(1)).min((2 * (n - 1)).max(1) - i.rem_euclid((2 * (n - 1)).max(1))) };
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
