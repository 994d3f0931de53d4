//! Frequency synthesis as passes: white noise, its Fourier transform, shaped, and back.

use crate::schedule::lower::seed;
use crate::schedule::pass::{Fill, Fourier, Spectrum, White, made};
use crate::schedule::{PlaneId, Schedule};
use crate::stage::{Frequency, RadialPoint};
use std::sync::Arc;

/// The passes that make the square of a frequency synthesis, as one block without a halo.
pub fn synthesis(n: &Frequency) -> Schedule {
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
    let shape = Arc::new(shape(n));
    let mut shaped = |value| schedule.run(Spectrum { value, edge: f64::from(edge), table: Arc::clone(&shape) }).value;
    (re, im) = (shaped(re), shaped(im));
    (re, _) = transform(&mut schedule, re, im, -1.0);
    schedule.outputs = vec![vec![re]];
    schedule
}

/// Amplitudes by frequency, the rows of half of the square: 0 at 0, and such that no number grows out of proportion.
fn shape(n: &Frequency) -> Vec<f64> {
    let half = n.size / 2;
    let of_all = libm::pow(f64::from(half), -n.exponent.max(0.0));
    let amplitude = |x: u32, y: u32| {
        let waves = libm::hypot(f64::from(x), f64::from(y));
        match &n.radial[..] {
            _ if waves == 0.0 => 0.0,
            [] => libm::pow(waves, n.exponent) * of_all,
            points => interpolated(points, waves / f64::from(n.size)),
        }
    };
    let scale = 1.0 / f64::from(n.size);
    let mut all = vec![0.0; (half as usize + 1) * n.size as usize];
    // The same along both axes, and on either side of the middle.
    for (x, y) in (0..=half).flat_map(|y| (0..=y).map(move |x| (x, y))) {
        let amplitude = amplitude(x, y) * scale;
        for (x, y) in [(x, y), (y, x)] {
            for x in [x, (n.size - x) % n.size] {
                all[(y * n.size + x) as usize] = amplitude;
            }
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
