//! Light on a surface: slopes, the visible share of the sun and of the sky, at every sample.

use super::surface::Surface;
use rayon::prelude::*;

/// Light at every sample of a surface.
#[derive(Debug)]
pub(super) struct Light {
    /// Rise of the ground along x and y.
    pub gradient: Vec<[f32; 2]>,
    /// The share of the sun that is not hidden behind the horizon, without the slope of the ground itself.
    pub sun: Vec<f32>,
    /// The share of the sky that is visible, from 0 to 1.
    pub sky: Vec<f32>,
}

/// Half the angle over which the sun sets behind a ridge, in degrees. The real sun's is 0.27; a larger one makes softer shadows.
const PENUMBRA: f64 = 1.1;
/// Directions in which the horizon is searched for the light of the sky.
const DIRECTIONS: usize = 16;
/// Distances of the search, in pairs of samples.
const STEPS: [f32; 10] = [1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 18.0, 27.0, 40.0, 60.0];

impl Light {
    /// Light from a sun at an elevation, in degrees, in the horizontal direction `[dx, dy]` of length 1.
    pub(super) fn new(surface: &Surface, to_sun: [f64; 2], elevation: f64) -> Light {
        let [width, height] = surface.size;
        let gradient = |y: usize, x: usize| {
            let z = |x: usize, y: usize| surface.ground[y * width + x];
            let [(left, right), (above, below)] = [(x, width), (y, height)].map(|(at, n)| (at.saturating_sub(1), (at + 1).min(n - 1)));
            [(z(right, y) - z(left, y)) / (right - left) as f32, (z(x, below) - z(x, above)) / (below - above) as f32]
        };
        // Horizons outside this range hide all or nothing of the sun.
        let range = [elevation - PENUMBRA, elevation + PENUMBRA].map(|angle| angle.clamp(-89.0, 89.0).to_radians().tan());
        let sun = |y: usize, x: usize| {
            let horizon = surface.horizon([x, y], to_sun, range).atan().to_degrees();
            let share = ((elevation - horizon) / (2.0 * PENUMBRA) + 0.5).clamp(0.0, 1.0);
            (share * share * (3.0 - 2.0 * share)) as f32
        };
        Light { gradient: each(surface.size, gradient), sun: each(surface.size, sun), sky: sky(surface) }
    }
}

/// A number for every sample of a grid.
fn each<T: Send>([width, height]: [usize; 2], number: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    (0..height).into_par_iter().flat_map_iter(|y| (0..width).map(move |x| (y, x))).map(|(y, x)| number(y, x)).collect()
}

/// The visible share of the sky, 1 − sin(horizon) on average. It varies slowly, so every fourth sample is enough.
fn sky(surface: &Surface) -> Vec<f32> {
    let [width, height] = surface.size;
    let half = [width.div_ceil(2), height.div_ceil(2)];
    let top = |at: usize| surface.water.get(at).map_or(surface.ground[at], |level| level.max(surface.ground[at]));
    // Means of four samples, and the distance between two of them as the unit.
    let coarse = each(half, |y, x| {
        let across = |at: usize, n: usize| [2 * at, (2 * at + 1).min(n - 1)];
        let places = across(y, height).into_iter().flat_map(|y| across(x, width).map(|x| y * width + x));
        places.map(top).sum::<f32>() * 0.125
    });
    let directions: [[f32; 2]; DIRECTIONS] = std::array::from_fn(|i| {
        let (sin, cos) = (std::f32::consts::TAU * (i as f32 + 0.5) / DIRECTIONS as f32).sin_cos();
        [cos, sin]
    });
    let share = each(half, |y, x| {
        let z = coarse[y * half[0] + x];
        let hidden = directions.iter().map(|[dx, dy]| {
            let mut tangent = 0.0_f32;
            for distance in STEPS {
                let (i, j) = (x as f32 + dx * distance + 0.5, y as f32 + dy * distance + 0.5);
                if i < 0.0 || j < 0.0 || i as usize >= half[0] || j as usize >= half[1] {
                    break;
                }
                tangent = tangent.max((coarse[j as usize * half[0] + i as usize] - z) / distance);
            }
            tangent / (1.0 + tangent * tangent).sqrt()
        });
        1.0 - hidden.sum::<f32>() / DIRECTIONS as f32
    });
    each(surface.size, |y, x| {
        let at = |at: usize, n: usize| {
            let place = (0.5 * at as f32 - 0.25).clamp(0.0, (n - 1) as f32);
            let first = (place as usize).min(n.saturating_sub(2));
            (first, (first + 1).min(n - 1), place - first as f32)
        };
        let ((left, right, u), (above, below, v)) = (at(x, half[0]), at(y, half[1]));
        let row = |y: usize| share[y * half[0] + left] * (1.0 - u) + share[y * half[0] + right] * u;
        row(above) * (1.0 - v) + row(below) * v
    })
}
