//! Nodes of FastNoise2 that are several nodes here.

use orogen::Noise;
use orogen::node::{Axis, Coordinate, Transform};
use std::f64::consts::TAU;

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// A product over the first axes.
fn product(dimensions: u32, along: impl Fn(Axis) -> Noise) -> Noise {
    let axes = AXES.into_iter().take(dimensions as usize);
    axes.map(along).reduce(Noise::multiply).expect("invariant: a tree has two dimensions or three")
}

/// The product of the sines of coordinates, whose angles are in radians.
pub fn sine_wave(dimensions: u32, scale: f64) -> Noise {
    product(dimensions, |axis| Noise::coordinate(Coordinate { axis, unit: scale }).sine(1.0 / TAU, 0.0))
}

/// −1 and 1 in cells around the multiples of a scale, −1 around the origin.
pub fn checkerboard(dimensions: u32, scale: f64) -> Noise {
    // The cosine of half a turn for each cell changes its sign in the middle between the multiples.
    product(dimensions, |axis| Noise::coordinate(Coordinate { axis, unit: scale }).sine(0.5, 0.25)).threshold(0.0, 1.0, -1.0)
}

/// `min(a, b) − k h³ / 6`, with `h = max(1 − |a − b| / k, 0)`.
pub fn smooth_min(a: Noise, b: Noise, k: f64) -> Noise {
    if k == 0.0 {
        return a.min(b);
    }
    let apart = a.clone().add(b.clone().scale_offset(-1.0, 0.0)).abs();
    let h = apart.scale_offset(-1.0 / k, 1.0).clamp(0.0, 1.0);
    let cube = h.clone().multiply(h.clone()).multiply(h);
    a.min(b).add(cube.scale_offset(-k / 6.0, 0.0))
}

/// A noise at positions that are turned about z (yaw), y (pitch) and x (roll), in radians.
pub fn rotated(noise: Noise, [yaw, pitch, roll]: [f64; 3]) -> Noise {
    let turn = |noise: Noise, axis, angle: f64| match angle {
        0.0 => noise,
        _ => noise.transform(Transform { rotation: (angle % TAU).to_degrees(), axis, ..Default::default() }),
    };
    let yawed = turn(noise, [0.0, 0.0, 1.0], yaw);
    turn(turn(yawed, [0.0, 1.0, 0.0], pitch), [1.0, 0.0, 0.0], roll)
}
