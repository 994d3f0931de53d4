//! Rays against a march in small steps, and against geometry.

use super::surface::{Hit, Kind, Ray, Surface};
use super::{Edge, View, ViewedTerrain, perspective};
use crate::Region;
use crate::draw::Style;
use crate::field::Layer;

/// Numbers from 0 to 1 that look random.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as f64 / f64::from(1_u32 << 31)
}

/// A rough surface, with water at a level.
fn rough(size: [usize; 2], level: f32, state: &mut u64) -> Surface {
    let ground: Vec<f32> = (0..size[0] * size[1]).map(|_| 4.0 * random(state) as f32).collect();
    let water = vec![level; ground.len()];
    Surface::new(size, ground, water)
}

fn ray(origin: [f64; 3], towards: [f64; 3]) -> Ray {
    let length = towards.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ray { origin, direction: towards.map(|x| x / length) }
}

/// The distance to the first place below ground or water, by steps.
fn marched(surface: &Surface, ray: &Ray, step: f64) -> Option<f64> {
    let last = surface.size.map(|n| (n - 1) as f64);
    (0..(80.0 / step) as usize).map(|i| i as f64 * step).find(|distance| {
        let [x, y, z] = ray.at(*distance);
        (0.0..=last[0]).contains(&x) && (0.0..=last[1]).contains(&y) && z >= -1.0 && z < surface.height(x, y).max(surface.level(x, y))
    })
}

#[test]
fn rays_meet_the_surface_where_a_march_does() {
    let mut state = 1;
    let mut met = 0;
    for size in [[2, 2], [2, 9], [7, 3], [17, 16], [33, 20]] {
        let surface = rough(size, 1.5, &mut state);
        for _ in 0..300 {
            let mut place = |low: f64, high: f64| low + (high - low) * random(&mut state);
            let origin = [place(-12.0, 40.0), place(-12.0, 40.0), place(4.1, 12.0)];
            let to = [place(0.0, size[0] as f64 - 1.0), place(0.0, size[1] as f64 - 1.0), place(-1.0, 5.0)];
            let ray = ray(origin, [to[0] - origin[0], to[1] - origin[1], to[2] - origin[2]]);
            let (found, expected) = (surface.cast(&ray, -1.0), marched(&surface, &ray, 0.002));
            match (found, expected) {
                (None, None) => {}
                (Some(Hit { distance, .. }), Some(expected)) => {
                    met += 1;
                    assert!(distance <= expected + 1e-9 && distance > expected - 0.05, "{size:?} {ray:?}: {distance}, marched {expected}");
                }
                // A march may step over the tip of a ridge.
                (Some(Hit { distance, .. }), None) => {
                    let [x, y, z] = ray.at(distance);
                    let top = surface.height(x, y).max(surface.level(x, y));
                    assert!((z - top).abs() < 1e-4, "{size:?} {ray:?}: {distance} is not on the surface");
                }
                (None, Some(expected)) => panic!("{size:?} {ray:?}: missed a surface at {expected}"),
            }
        }
    }
    assert!(met > 700, "only {met} rays met the surface");
}

#[test]
fn a_plane_is_met_at_its_distance_and_a_wall_hides_what_is_behind_it() {
    let size = [64, 8];
    let plane = Surface::new(size, vec![0.0; 512], Vec::new());
    for x in [3.0, 10.5, 40.0, 62.9] {
        let hit = plane.cast(&ray([0.0, 4.0, 2.0], [x, 0.0, -2.0]), -1.0).expect("a hit");
        assert!((hit.distance - (x * x + 4.0_f64).sqrt()).abs() < 1e-9 && hit.kind == Kind::Ground, "{hit:?}");
    }
    let wall: Vec<f32> = (0..512).map(|at| if at % 64 == 20 { 3.0 } else { 0.0 }).collect();
    let wall = Surface::new(size, wall, Vec::new());
    let hit = wall.cast(&ray([0.0, 4.0, 2.0], [40.0, 0.0, -2.0]), -1.0).expect("a hit");
    let x = wall_at(&hit, 40.0);
    assert!((19.0..20.0).contains(&x), "the wall is met at {x}");
    // Above the wall, the plane behind it is visible.
    let hit = wall.cast(&ray([0.0, 4.0, 6.0], [50.0, 0.0, -6.0]), -1.0).expect("a hit");
    assert!((hit.distance - (2500.0 + 36.0_f64).sqrt()).abs() < 1e-9, "{hit:?}");
}

/// The column in which a ray from height 2 to `x` meets something.
fn wall_at(hit: &Hit, x: f64) -> f64 {
    hit.distance * x / (x * x + 4.0_f64).sqrt()
}

#[test]
fn sides_and_water_of_a_block_are_met() {
    let surface = Surface::new([9, 9], vec![1.0; 81], vec![2.0; 81]);
    let level = |z: f64| surface.cast(&ray([-5.0, 4.0, z], [1.0, 0.0, 0.0]), -1.0).map(|hit| hit.kind);
    let expected = [None, Some(Kind::WaterWall), Some(Kind::GroundWall), Some(Kind::GroundWall), None];
    assert_eq!([2.5, 1.5, 0.5, -0.5, -1.5].map(level), expected);
    let hit = surface.cast(&ray([4.0, 4.0, 7.0], [0.0, 0.0, -1.0]), -1.0).expect("a hit");
    assert_eq!(hit, Hit { distance: 5.0, kind: Kind::Water });
}

#[test]
fn horizons_are_those_of_every_place_along_the_line() {
    let wave = |at: usize| (at as f32 * 0.7).sin();
    let ground = (0..24 * 19).map(|at| 2.0 * wave(at % 24) * wave(at / 24 + 3) + wave(at % 24 + 2 * (at / 24))).collect();
    let surface = Surface::new([24, 19], ground, Vec::new());
    for at in 0..24 * 19 {
        let (x, y) = (at % 24, at / 24);
        for direction in [[1.0, 0.0], [0.0, -1.0], [0.6, 0.8], [-0.8, 0.6]] {
            let z = surface.height(x as f64, y as f64);
            let mut expected = -0.2_f64;
            for step in 501..40_000 {
                let distance = f64::from(step) * 0.001;
                let (x, y) = (x as f64 + distance * direction[0], y as f64 + distance * direction[1]);
                if !(0.0..=23.0).contains(&x) || !(0.0..=18.0).contains(&y) {
                    break;
                }
                expected = expected.max((surface.height(x, y) - z) / distance);
            }
            let found = surface.horizon([x, y], direction, [-0.2, 9.0]);
            // Lines of sight end at two places of every cell, half a cell or more away.
            assert!(found <= expected + 1e-3 && found > expected - 0.12, "{x},{y} {direction:?}: {found}, expected {expected}");
        }
    }
}

/// Heights on a square.
fn heights(edge: u32, height: impl Fn(u32, u32) -> f32) -> Layer {
    let values = (0..edge * edge).map(|at| height(at % edge, at / edge)).collect();
    Layer { name: String::new(), region: Region::plane(edge, edge), channels: 1, values }
}

#[test]
fn the_sea_ends_at_the_horizon_of_the_camera() {
    // The camera looks at the horizon: the upper half is sky, the lower half is sea.
    let land = heights(8, |_, _| -5.0);
    let style = Style { sea: Some(0.0), ..Style::default() };
    let view = View {
        size: [8, 64],
        pitch: 0.0,
        distance: Some(3.0),
        edge: Edge::Horizon,
        visibility: Some(f64::INFINITY),
        supersample: 1,
        ..View::default()
    };
    let picture = perspective(&ViewedTerrain::new(&land), &style, &view).expect("a picture");
    let row = |y: usize| &picture.rgb[y * 24 + 12..][..3];
    let jump = |y: usize| (0..3).map(|c| row(y)[c].abs_diff(row(y + 1)[c]) as u32).sum::<u32>();
    let largest = (0..63).max_by_key(|y| jump(*y)).expect("rows");
    assert_eq!(largest, 31, "the horizon is between rows {largest} and {}", largest + 1);
}

#[test]
fn heights_that_are_not_finite_are_refused() {
    for wrong in [f32::NAN, f32::INFINITY, f32::MAX] {
        let land = heights(4, |x, y| if (x, y) == (2, 1) { wrong } else { 0.0 });
        let error = perspective(&ViewedTerrain::new(&land), &Style::default(), &View::default()).expect_err("refused").to_string();
        assert!(error.contains("column 2, row 1") && error.contains("finite"), "{error}");
    }
}
