//! Coastlines in polar form, edges made noisy, noise as movement.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::{Gradient, Sample};
use crate::graph::Noise;
use crate::program::Seed;

/// A closed line around a point: at each of `count` evenly spaced angles, the radius is `radius + amplitude · noise` (the
/// article's radial coastline).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coastline {
    /// The centre, in world units.
    pub centre: [f64; 2],
    /// The z at which the noise is sampled.
    pub z: f64,
    /// Distance from the centre to the line where the noise is 0, in world units.
    pub radius: f64,
    /// World units per 1.0 of the noise.
    pub amplitude: f64,
    /// Radius in world units of the circle around the centre on which the noise is sampled. The circle makes the line close
    /// without a seam.
    pub circle: f64,
    /// Number of points of the line, without the last, which repeats the first.
    pub count: u32,
}

impl Default for Coastline {
    fn default() -> Self {
        Coastline { centre: [0.0; 2], z: 0.0, radius: 100.0, amplitude: 50.0, circle: 100.0, count: 1024 }
    }
}

impl Coastline {
    /// Computes the line for a noise; its last point is its first. Points with a negative radius are moved to the centre, so
    /// successive points may be equal.
    ///
    /// # Errors
    /// Returns an error if the noise or a position is invalid.
    pub fn line(&self, engine: &Engine, noise: &Noise) -> Result<Vec<[f64; 2]>, EngineError> {
        let Coastline { centre, z, radius, amplitude, circle, count } = *self;
        let directions: Vec<[f64; 2]> = (0..count)
            .map(|i| {
                let angle = f64::from(i) / f64::from(count) * std::f64::consts::TAU;
                [libm::cos(angle), libm::sin(angle)]
            })
            .collect();
        let positions: Vec<[f64; 3]> = directions.iter().map(|[x, y]| [centre[0] + x * circle, centre[1] + y * circle, z]).collect();
        let samples = engine.sample(noise, &positions, Gradient::Without)?;
        let out = |(direction, sample): (&[f64; 2], &Sample)| {
            // A negative radius would turn the line inside out.
            let radius = (radius + amplitude * sample.value).max(0.0);
            [centre[0] + direction[0] * radius, centre[1] + direction[1] * radius]
        };
        let mut line: Vec<[f64; 2]> = directions.iter().zip(&samples).map(out).collect();
        line.extend(line.first().copied());
        Ok(line)
    }
}

/// A noisy edge that stays in its place (Patel's noisy edges): a line from one point to another inside the quadrilateral `from`,
/// `left`, `to`, `right`. Noisy edges with disjoint quadrilaterals never cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyEdge {
    /// First point of the line.
    pub from: [f64; 2],
    /// Last point of the line.
    pub to: [f64; 2],
    /// The corner to its left.
    pub left: [f64; 2],
    /// The corner to its right.
    pub right: [f64; 2],
    /// Length below which parts are no longer halved, in world units.
    pub finest: f64,
    /// Deviation to the side, from 0 (halved in the middle) to 0.5.
    pub share: f64,
    /// Seed of the positions at which parts are halved.
    pub seed: u64,
}

impl Default for NoisyEdge {
    fn default() -> Self {
        NoisyEdge { from: [0.0; 2], to: [1.0, 0.0], left: [0.5, 0.5], right: [0.5, -0.5], finest: 0.01, share: 0.3, seed: 0 }
    }
}

impl NoisyEdge {
    /// The points of the line, including both ends. If the ends are equal, the line is that point twice.
    pub fn line(&self) -> Vec<[f64; 2]> {
        // Deeper than any length in f64 can be halved.
        const DEEPEST: u32 = 24;
        let NoisyEdge { from, to, left, right, finest, share, seed } = *self;
        let mut line = vec![from];
        let spread = 1.2 * share.clamp(0.0, 0.5);
        halve([from, left, to, right], finest.max(1e-9), spread, Seed::default().with(seed), DEEPEST, &mut line);
        line.push(to);
        line
    }
}

/// A quadrilateral with a line from one corner to the opposite one: `[from, left, to, right]`.
type Quadrilateral = [[f64; 2]; 4];

fn between(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// Finds the line's middle, near the middle of the quadrilateral, then the middles of its halves, each in the quarter between its
/// end and the middle.
fn halve([from, left, to, right]: Quadrilateral, finest: f64, spread: f64, seed: Seed, depth: u32, line: &mut Vec<[f64; 2]>) {
    let length = libm::hypot(to[0] - from[0], to[1] - from[1]);
    if depth == 0 || length.is_nan() || length <= finest {
        return;
    }
    let random = |salt: u64| 0.5 + spread * (f64::from(seed.with(salt).bits()) / 4_294_967_296.0 - 0.5);
    let (u, v) = (random(1), random(2));
    let (along_left, along_right) = (between(from, left, u), between(from, right, v));
    let (past_left, past_right) = (between(left, to, v), between(right, to, u));
    let middle = between(along_left, past_right, v);
    halve([from, along_left, middle, along_right], finest, spread, seed.with(3), depth - 1, line);
    line.push(middle);
    halve([middle, past_left, to, past_right], finest, spread, seed.with(4), depth - 1, line);
}

/// Noise as movement: running sums of a noise's values at `start`, `start + step`, `start + 2 step` and so on; the first sum is
/// the first value. Sums are in f64, so partial sums depend on the start.
///
/// # Errors
/// Returns an error if the noise or a position is invalid.
pub fn running_sum(engine: &Engine, noise: &Noise, start: [f64; 3], step: [f64; 3], count: u32) -> Result<Vec<f64>, EngineError> {
    let positions: Vec<[f64; 3]> = (0..count).map(|i| std::array::from_fn(|a| start[a] + step[a] * f64::from(i))).collect();
    let samples = engine.sample(noise, &positions, Gradient::Without)?;
    Ok(samples
        .iter()
        .scan(0.0, |sum, sample| {
            *sum += sample.value;
            Some(*sum)
        })
        .collect())
}
