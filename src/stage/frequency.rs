//! Frequency synthesis as passes: white noise, its Fourier transform, shaped, and back.

use crate::schedule::pass::{Fill, Fourier, Spectrum, White, made};
use crate::schedule::{PlaneId, Schedule};
use crate::stage::lower::seed;
use crate::stage::{Frequency, RadialPoint};
use std::sync::Arc;

/// The passes that make the square of a frequency synthesis, as one block without a halo. `amplitudes`: those of [`amplitudes`],
/// rows from 0 to the middle.
pub fn synthesis(n: &Frequency, amplitudes: &[Vec<f64>]) -> Schedule {
    let mut schedule = Schedule::default();
    let edge = n.size;
    let [seed_low, seed_high] = seed(n.seed);
    let mut re = schedule.run(White { seed_low, seed_high }).value;
    let mut im = schedule.run(Fill { value: 0.0 }).value;
    let turn = |i: u32| f64::from(i) / f64::from(edge) * std::f64::consts::TAU;
    // One round's after the other's, each in order: neighbours find theirs next to each other.
    let turns = || (0..edge.ilog2()).flat_map(|k| (0..1 << k).map(move |i| turn(i * (edge >> (k + 1)))));
    let waves = Arc::new(turns().map(libm::cos).chain(turns().map(libm::sin)).collect::<Vec<_>>());
    let transform = |schedule: &mut Schedule, mut re: PlaneId, mut im: PlaneId, direction: f64| {
        for along_x in [1.0, 0.0] {
            for k in 0..edge.ilog2() {
                let half = 1_u32 << k;
                let table = Arc::clone(&waves);
                made::Fourier { re, im } =
                    schedule.run(Fourier { re, im, along_x, edge: f64::from(edge), half: f64::from(half), direction, table });
            }
        }
        (re, im)
    };
    (re, im) = transform(&mut schedule, re, im, 1.0);
    let shape = Arc::new(shape(n, amplitudes));
    let mut shaped = |value| schedule.run(Spectrum { value, edge: f64::from(edge), table: Arc::clone(&shape) }).value;
    (re, im) = (shaped(re), shaped(im));
    (re, _) = transform(&mut schedule, re, im, -1.0);
    schedule.outputs = vec![vec![re]];
    schedule
}

/// The amplitudes of frequencies (x, y), for x from 0 to y: 0 at 0, and such that no number grows out of proportion.
pub fn amplitudes(n: &Frequency, y: u32) -> Vec<f64> {
    let half = f64::from(n.size / 2);
    let of_all = libm::pow(half, -n.exponent.max(0.0));
    let scale = 1.0 / f64::from(n.size);
    let amplitude = |x: u32| {
        let waves = libm::hypot(f64::from(x), f64::from(y));
        let amplitude = match &n.radial[..] {
            _ if waves == 0.0 => 0.0,
            [] => libm::pow(waves, n.exponent) * of_all,
            points => interpolated(points, waves / f64::from(n.size)),
        };
        amplitude * scale
    };
    (0..=y).map(amplitude).collect()
}

/// The amplitudes of the rows up to the middle of the square: the same along both axes, and on either side of the middle.
fn shape(n: &Frequency, amplitudes: &[Vec<f64>]) -> Vec<f64> {
    let mut all = Vec::with_capacity((n.size as usize / 2 + 1) * n.size as usize);
    for (y, row) in amplitudes.iter().enumerate() {
        all.extend_from_slice(row);
        all.extend(amplitudes[y + 1..].iter().map(|further| further[y]));
        // Back from before the middle.
        let from = all.len() - amplitudes.len();
        for x in (1..n.size as usize / 2).rev() {
            all.push(all[from + x]);
        }
    }
    all
}

fn interpolated(points: &[RadialPoint], frequency: f64) -> f64 {
    let next = points.partition_point(|point| point.frequency <= frequency);
    match (next.checked_sub(1).map(|i| points[i]), points.get(next)) {
        (None, None) => 0.0,
        (None, Some(only)) => only.amplitude,
        (Some(last), None) => last.amplitude,
        (Some(a), Some(b)) => a.amplitude + (b.amplitude - a.amplitude) * (frequency - a.frequency) / (b.frequency - a.frequency),
    }
}
