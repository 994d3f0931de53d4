//! The camera: where it stands, and the ray through a place of the picture.

use super::surface::{Ray, Surface};

/// A camera without distortion, in sample units.
#[derive(Clone, Debug)]
pub(super) struct Camera {
    pub origin: [f64; 3],
    forward: [f64; 3],
    right: [f64; 3],
    up: [f64; 3],
    /// Half the width and height of the picture at distance 1.
    half: [f64; 2],
}

/// Share of the picture's edge that stays free when the block is fitted into it.
const MARGIN: f64 = 0.04;
/// Height of a camera above the ground that it would otherwise be below, in samples.
const CLEARANCE: f64 = 1.5;

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The unit vector in a direction: azimuth clockwise from north (up in a map, where y runs down), elevation above the horizon, in
/// degrees.
pub(super) fn direction(azimuth: f64, elevation: f64) -> [f64; 3] {
    let ((sin, cos), (rise, run)) = (azimuth.to_radians().sin_cos(), elevation.to_radians().sin_cos());
    [sin * run, -cos * run, rise]
}

impl Camera {
    /// A camera that looks in the direction of `azimuth`, `pitch` degrees below the horizon.
    pub(super) fn new(azimuth: f64, pitch: f64, field_of_view: f64, size: [u32; 2]) -> Camera {
        let half_width = (0.5 * field_of_view.to_radians()).tan();
        Camera {
            origin: [0.0; 3],
            forward: direction(azimuth, -pitch),
            right: direction(azimuth + 90.0, 0.0),
            up: direction(azimuth, 90.0 - pitch),
            half: [half_width, half_width * f64::from(size[1]) / f64::from(size[0])],
        }
    }

    /// Moves the camera so that a point is in the middle of the picture, at a distance.
    pub(super) fn look_at(&mut self, target: [f64; 3], distance: f64) {
        self.origin = std::array::from_fn(|a| target[a] - distance * self.forward[a]);
    }

    /// Moves the camera as close as possible so that the surface, and the sides of the block down to `base`, are in the picture.
    pub(super) fn fit(&mut self, surface: &Surface, base: f64) {
        let [width, height] = surface.size;
        let middle = [0.5 * (width - 1) as f64, 0.5 * (height - 1) as f64];
        // The camera stands at (across, along, −distance): |x − across| ≤ half · (depth + distance) for every sample. For each of the
        // two pairs of planes the nearest position follows from the largest intercepts.
        let half = self.half.map(|half| half * (1.0 - 2.0 * MARGIN));
        let mut ends = [[f64::NEG_INFINITY; 2]; 2];
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (fx, fy) = (x as f64, y as f64);
            let is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
            for z in [surface.height(fx, fy).max(surface.level(fx, fy)), base].into_iter().take(1 + usize::from(is_edge)) {
                // Along the camera's axes, from the middle of the block.
                let point = [fx - middle[0], fy - middle[1], z];
                let [right, up, depth] = [self.right, self.up, self.forward].map(|axis| dot(point, axis));
                for (end, (at, half)) in ends.iter_mut().zip([(right, half[0]), (up, half[1])]) {
                    *end = [end[0].max(at - half * depth), end[1].max(-at - half * depth)];
                }
            }
        }
        let distance = (0..2).map(|axis| (ends[axis][0] + ends[axis][1]) / (2.0 * half[axis])).fold(f64::NEG_INFINITY, f64::max);
        let [across, along] = ends.map(|[positive, negative]| 0.5 * (positive - negative));
        let at: [f64; 3] = std::array::from_fn(|a| across * self.right[a] + along * self.up[a] - distance * self.forward[a]);
        self.origin = [at[0] + middle[0], at[1] + middle[1], at[2]];
    }

    /// Lifts a camera that is below the ground or the sea to just above it.
    pub(super) fn rise(&mut self, surface: &Surface, sea: Option<f64>) {
        let [x, y, z] = self.origin;
        let last = surface.size.map(|n| (n - 1) as f64);
        let is_inside = (0.0..=last[0]).contains(&x) && (0.0..=last[1]).contains(&y);
        let ground = if is_inside { surface.height(x, y).max(surface.level(x, y)) } else { f64::NEG_INFINITY };
        self.origin[2] = z.max(ground.max(sea.unwrap_or(f64::NEG_INFINITY)) + CLEARANCE);
    }

    /// The ray through a place of the picture: from 0 to 1 to the right and down.
    pub(super) fn ray(&self, [x, y]: [f64; 2]) -> Ray {
        let (across, along) = ((2.0 * x - 1.0) * self.half[0], (1.0 - 2.0 * y) * self.half[1]);
        let through: [f64; 3] = std::array::from_fn(|a| self.forward[a] + across * self.right[a] + along * self.up[a]);
        let length = dot(through, through).sqrt();
        Ray { origin: self.origin, direction: through.map(|x| x / length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fitted picture shows every sample, also a needle between others, and is not larger than that needs.
    #[test]
    fn a_fitted_camera_sees_every_sample() {
        let size = [301, 217];
        for (pitch, azimuth) in [(35.0, 0.0), (20.0, 140.0), (80.0, -75.0)] {
            let mut ground = vec![0.0; size[0] * size[1]];
            ground[53 * size[0] + 37] = 400.0;
            let surface = Surface::new(size, ground, Vec::new());
            let mut camera = Camera::new(azimuth, pitch, 40.0, [900, 525]);
            camera.fit(&surface, -10.0);
            let mut most = 0.0_f64;
            for (x, y) in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y))) {
                let (x, y) = (x as f64, y as f64);
                let point = [x - camera.origin[0], y - camera.origin[1], surface.height(x, y) - camera.origin[2]];
                let depth = dot(point, camera.forward);
                assert!(depth > 0.0, "{x}, {y} is behind the camera");
                let [across, along] =
                    [(camera.right, camera.half[0]), (camera.up, camera.half[1])].map(|(axis, half)| dot(point, axis) / depth / half);
                most = most.max(across.abs()).max(along.abs());
            }
            assert!((1.0 - 3.0 * MARGIN..=1.0).contains(&most), "{most} of half the picture at {pitch}°, {azimuth}°");
        }
    }
}
