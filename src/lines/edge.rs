//! Coastlines in polar form, edges made noisy, noise as movement.

use crate::engine::{Engine, EngineError};
use crate::field::{Gradient, Sample};
use crate::graph::Noise;
use crate::program::Seed;

/// A closed line around a point: at each of `count` even angles, `radius + amplitude · noise` (the article's radial coastline).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coastline {
    /// The point, in world units.
    pub centre: [f64; 2],
    /// Where along z the noise is taken.
    pub z: f64,
    /// World units from it to the line where the noise is 0.
    pub radius: f64,
    /// World units for each unit of the noise.
    pub amplitude: f64,
    /// Radius in world units of the circle around the centre on which the noise is sampled: it closes without a seam.
    pub circle: f64,
    /// How many points the line has before it closes.
    pub count: u32,
}

impl Default for Coastline {
    fn default() -> Self {
        Coastline { centre: [0.0; 2], z: 0.0, radius: 100.0, amplitude: 50.0, circle: 100.0, count: 1024 }
    }
}

impl Coastline {
    /// The line of a noise; its last point is its first. Where the radius would be less than 0, points are the centre, so that several in a row
    /// may be equal.
    ///
    /// # Errors
    /// An invalid noise or position.
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
            // A radius below nothing would turn the line inside out.
            let radius = (radius + amplitude * sample.value).max(0.0);
            [centre[0] + direction[0] * radius, centre[1] + direction[1] * radius]
        };
        let mut line: Vec<[f64; 2]> = directions.iter().zip(&samples).map(out).collect();
        line.extend(line.first().copied());
        Ok(line)
    }
}

/// An edge made noisy without leaving its place (Patel's noisy edges): a line from one point to another inside the quadrilateral
/// `from`, `left`, `to`, `right`. Noisy edges whose quadrilaterals do not overlap never cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyEdge {
    /// Where the line begins.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
    /// The corner to its left.
    pub left: [f64; 2],
    /// The corner to its right.
    pub right: [f64; 2],
    /// World units: it is halved until no part is longer.
    pub finest: f64,
    /// How far to the side it goes, from 0 (halved in the middle) to 0.5.
    pub share: f64,
    /// Seed of where it is halved.
    pub seed: u64,
}

impl Default for NoisyEdge {
    fn default() -> Self {
        NoisyEdge { from: [0.0; 2], to: [1.0, 0.0], left: [0.5, 0.5], right: [0.5, -0.5], finest: 0.01, share: 0.3, seed: 0 }
    }
}

impl NoisyEdge {
    /// The line, both ends included. If these are the same point, the line is that point twice.
    pub fn line(&self) -> Vec<[f64; 2]> {
        // Deeper than any length in f64 can be halved usefully.
        const DEEPEST: u32 = 24;
        let NoisyEdge { from, to, left, right, finest, share, seed } = *self;
        let mut line = vec![from];
        let spread = 1.2 * share.clamp(0.0, 0.5);
        halve([from, left, to, right], finest.max(1e-9), spread, Seed::default().with(seed), DEEPEST, &mut line);
        line.push(to);
        line
    }
}

/// A quadrilateral in which a line runs from one corner to the opposite one: `[from, left, to, right]`.
type Quadrilateral = [[f64; 2]; 4];

fn between(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// The line's middle, anywhere near the quadrilateral's; then its halves, each in the quarter between its end and the middle.
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

/// Noise as movement: sums of a noise's values at `start`, `start + step`, `start + 2 step` and so on, the first being the first value
/// itself. Sums are in f64; what a part of them is depends on where they start.
///
/// # Errors
/// An invalid noise or position.
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
