//! `line` against its documentation.

use crate::stages::{hills, node};
use crate::support::{Scratch, bits, cpu, run, text};
use orogen::lines::from_geojson;
use orogen::node::{Axis, Coordinate};
use orogen::stage::{Line, LineBy, LineProfile, Pipeline};
use orogen::{Layer, Noise, Recipe, Region};

fn layers(pipeline: &Pipeline, names: &[&str], region: &Region) -> Vec<Layer> {
    cpu().layers(pipeline, names, region).expect("layers")
}

/// The distance from a point to a straight line between two others.
fn distance([x, y]: [f64; 2], [a, b]: [[f64; 3]; 2]) -> f64 {
    let (along, way) = ([b[0] - a[0], b[1] - a[1]], [x - a[0], y - a[1]]);
    let t = ((way[0] * along[0] + way[1] * along[1]) / (along[0] * along[0] + along[1] * along[1])).clamp(0.0, 1.0);
    (way[0] - t * along[0]).hypot(way[1] - t * along[1])
}

#[test]
fn distances_are_those_to_the_nearest_piece() {
    // Two lines, one of them far longer than a piece, on samples of three spacings.
    let points = vec![
        [-2000.0, 31.3, 0.0],
        [40.2, 33.7, 0.0],
        [61.9, 120.1, 0.0],
        [61.9, 120.1, 0.0],
        [130.5, 20.25, 0.0],
        [131.0, 90.0, 0.0],
        [190.75, 141.5, 0.0],
    ];
    let pairs = [[0, 1], [1, 2], [4, 5], [5, 6]].map(|ends| ends.map(|i: usize| points[i]));
    let line = Line { points: points.clone(), width: 10.0, bank: 25.0, ..Default::default() };
    let pipeline = Pipeline::from(hills()).then(line);
    for (spacing, level) in [(1.0, 0), (0.75, 1), (0.4, 0)] {
        let step = spacing * f64::from(1 << level);
        let region = Region { spacing, level, anchor: [0.3, -7.0, 0.0], ..Region::plane((200.0 / step) as u32, (160.0 / step) as u32) };
        let found = layers(&pipeline, &["line.distance"], &region).remove(0);
        let mut near = 0;
        for (i, &value) in found.values.iter().enumerate() {
            let [x, y, _] = region.position([i as u32 % region.size[0], i as u32 / region.size[0], 0]);
            let least = pairs.iter().map(|&pair| distance([x, y], pair)).fold(30.0, f64::min);
            assert!((f64::from(value) - least).abs() < 0.013 * step, "{value} instead of {least} at {x}, {y}, {step}");
            near += usize::from(least < 30.0);
        }
        assert!(near > found.values.len() / 3);
    }
}

/// A plane that rises to the south.
fn slope() -> Pipeline {
    Pipeline::from(Noise::coordinate(Coordinate { axis: Axis::Y, unit: 1.0 }).scale_offset(0.5, 0.0).named("ground"))
}

const REGION: Region = Region { origin: [0, 0, 0], size: [120, 100, 1], level: 0, spacing: 1.0, anchor: [0.0; 3] };

fn across(points: [[f64; 3]; 2]) -> Line {
    Line { points: points.to_vec(), height: -6.0, width: 10.0, bank: 20.0, ..Default::default() }
}

#[test]
fn banks_have_their_profile_and_end_where_they_end() {
    let line = across([[-50.0, 40.0, 0.0], [200.0, 40.0, 0.0]]);
    for (profile, half) in [(LineProfile::Smooth, 0.5), (LineProfile::Straight, 0.5), (LineProfile::Round, 0.75)] {
        let found = layers(&slope().then(Line { profile, ..line.clone() }), &["line", "line.share", "ground"], &REGION);
        let at = |k: usize, y: usize| f64::from(found[k].values[y * 120 + 60]);
        for y in 0..100 {
            let away = (y as f64 - 40.0).abs();
            if away <= 5.0 {
                assert!((at(0, y) - (at(2, y) - 6.0)).abs() < 1e-5 && at(1, y) == 1.0, "{profile} at {y}");
            } else if away >= 25.0 {
                assert_eq!((at(0, y).to_bits(), at(1, y)), (at(2, y).to_bits(), 0.0), "{profile} at {y}");
            }
            assert!((at(0, y) - (at(2, y) - 6.0 * at(1, y))).abs() < 1e-5);
        }
        assert!((at(1, 55) - half).abs() < 1e-5 && at(1, 53) > at(1, 57), "{profile}: {}", at(1, 55));
    }
}

#[test]
fn a_bed_has_the_level_of_its_points_or_of_the_ground() {
    let line = across([[-80.0, 40.0, 10.0], [200.0, 40.0, 80.0]]);
    let level = Line { by: LineBy::Level, height: 0.0, ..line.clone() };
    let found = layers(&slope().then(level.clone()), &["line", "ground"], &REGION);
    for (x, y) in [(0, 40), (31, 38), (119, 44)] {
        let expected = 10.0 + 0.25 * (x as f64 + 80.0);
        assert!((f64::from(found[0].values[y * 120 + x]) - expected).abs() < 1e-3, "{x}, {y}");
    }
    // A road along a hillside is level across. A limit keeps it near the ground.
    let road = Line { by: LineBy::Ground, height: 1.0, ..line };
    let found = layers(&slope().then(road.clone()), &["line", "ground"], &REGION);
    for y in 35..=45 {
        assert!((found[0].values[y * 120 + 60] - 21.0).abs() < 1e-4, "{y}: {}", found[0].values[y * 120 + 60]);
    }
    for limited in [Line { limit: 1.5, ..level }, Line { limit: 1.5, ..road }] {
        let found = layers(&slope().then(limited), &["line", "ground"], &REGION);
        let most = found[0].values.iter().zip(&found[1].values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!((most - 1.5).abs() < 1e-4, "{most}");
    }
}

#[test]
fn a_road_over_hills_is_evened_out() {
    let road = Line { by: LineBy::Ground, height: 0.0, width: 6.0, bank: 6.0, ..across([[-50.0, 40.0, 0.0], [200.0, 52.0, 0.0]]) };
    let along = |even: f64| {
        let found = layers(&Pipeline::from(hills()).then(Line { even, ..road.clone() }), &["line"], &REGION).remove(0);
        let at: Vec<f64> =
            (5..115).map(|x| f64::from(found.values[(40.0 + 12.0 * (x as f64 + 50.0) / 250.0).round() as usize * 120 + x])).collect();
        at.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>()
    };
    let [rough, even] = [along(0.0), along(30.0)];
    assert!(even < 0.5 * rough, "{even} of {rough}");
}

#[test]
fn corners_are_rounded_within_the_line() {
    let line = Line { points: vec![[20.0, 20.0, 0.0], [60.0, 80.0, 0.0], [100.0, 20.0, 0.0]], ..across([[0.0; 3]; 2]) };
    let distance = |smoothing: u32, [x, y]: [usize; 2]| {
        let found = layers(&slope().then(Line { smoothing, ..line.clone() }), &["line.distance"], &REGION).remove(0);
        f64::from(found.values[y * 120 + x])
    };
    assert_eq!(distance(0, [60, 80]), 0.0);
    // The first cut is a quarter of the way on both sides, so its middle lies a quarter of the height below the corner.
    assert!((distance(1, [60, 80]) - 15.0).abs() < 0.1 && distance(1, [60, 65]) < 0.1, "{}", distance(1, [60, 80]));
    // The limit is a parabola through the middle between that and the chord.
    assert!((distance(5, [60, 65]) - 0.0).abs() < 0.3 && distance(5, [20, 20]) == 0.0 && distance(5, [100, 20]) == 0.0);
    // A ring is rounded everywhere.
    let ring = vec![[20.0, 20.0, 0.0], [100.0, 20.0, 0.0], [100.0, 80.0, 0.0], [20.0, 80.0, 0.0], [20.0, 20.0, 0.0]];
    let ring = Line { points: ring, smoothing: 1, ..line.clone() };
    let found = layers(&slope().then(ring), &["line.distance"], &REGION).remove(0);
    let corners = [[20, 20], [100, 20], [100, 80], [20, 80]].map(|[x, y]: [usize; 2]| found.values[y * 120 + x]);
    assert!(corners.iter().all(|&x| (x - 12.0).abs() < 0.1), "{corners:?}");
}

#[test]
fn lines_without_a_length_change_nothing() {
    let ground = layers(&slope(), &["ground"], &REGION).remove(0);
    for points in [vec![[40.0, 40.0, 0.0]; 2], vec![[40.0, 40.0, 0.0], [40.001, 40.0, 0.0]], vec![[1e12, 1e12, 0.0], [1e12, -1e12, 0.0]]] {
        let found = layers(&slope().then(Line { points, ..Default::default() }), &["line"], &REGION).remove(0);
        assert_eq!(bits(&found.values), bits(&ground.values));
    }
}

#[test]
fn a_line_without_points_or_out_of_reach_is_refused() {
    let refused = |line: Line| cpu().layers(&slope().then(line), &["line"], &REGION).expect_err("refused").to_string();
    let error = refused(Line::default());
    assert!(error.contains("'line'") && error.contains("0 point(s)") && error.contains("2 to 65536 points"), "{error}");
    let line = across([[0.0; 3], [9.0, 9.0, 0.0]]);
    let error = refused(Line { points: vec![[3.0; 3]], of: node("ground"), ..line.clone() });
    assert!(error.contains("1 point(s)"), "{error}");
    let error = refused(Line { bank: 1e6, of: node("ground"), ..line.clone() });
    assert!(error.contains("bank") && error.contains("16384 distances between samples"), "{error}");
    let near = Region { spacing: 1e-3, ..REGION };
    let far = Line { points: vec![[0.0; 3], [1e12, 0.0, 0.0]], bank: 1e-2, width: 0.0, ..line };
    let error = cpu().layers(&slope().then(far), &["line"], &near).expect_err("refused").to_string();
    assert!(error.contains("points") && error.contains("2^40 distances between samples"), "{error}");
}

#[test]
fn lines_come_from_geojson() {
    let map = r#"{ "type": "FeatureCollection", "features": [
        { "type": "Feature", "properties": {}, "geometry": { "type": "LineString", "coordinates": [[1, 2, 3], [1, 2], [4, 5]] } },
        { "type": "Feature", "properties": null, "geometry": null },
        { "type": "Feature", "geometry": { "type": "Point", "coordinates": [9, 9] } },
        { "type": "Feature", "geometry": { "type": "Polygon", "coordinates": [[[0, 0], [8, 0], [8, 8], [0, 0]]] } }
    ] }"#;
    let points = from_geojson(map).expect("lines");
    let expected = [[1, 2, 3], [4, 5, 0], [4, 5, 0], [0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 0, 0], [0, 0, 0]];
    assert_eq!(points, expected.map(|point| point.map(f64::from)));
    for (wrong, told) in [
        ("{", "GeoJSON: EOF"),
        (r#"{ "type": "Point", "coordinates": [1, 2] }"#, "there is no line"),
        (r#"{ "type": "LineString", "coordinates": [[1], [2, 3]] }"#, "position [1] is not allowed"),
        (r#"{ "type": "LineString", "coordinates": [[1e13, 0], [2, 3]] }"#, "magnitude up to 1e12"),
        (r#"{ "type": "Topology" }"#, "type 'Topology' is not allowed"),
    ] {
        let error = from_geojson(wrong).expect_err(wrong).to_string();
        assert!(error.contains(told), "{wrong}: {error}");
    }
    // The command takes the lines of a file, such as those that `edge` writes.
    let scratch = Scratch::new("geojson");
    let path = |name: &str| scratch.0.join(name).to_string_lossy().into_owned();
    let recipe = Recipe::new(slope().then(across([[0.0, 5.0, 0.0], [9.0, 5.0, 0.0]])));
    std::fs::write(path("land.toml"), recipe.to_toml().expect("a recipe")).expect("a file");
    let good = |args: &[&str]| {
        let output = run(args, "");
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    good(&["edge", "--through", "3,4", "--through", "60,40", "--roughness", "0.1", "-o", &path("road.geojson")]);
    let set = format!("line.points=@{}", path("road.geojson"));
    good(&["preview", &path("land.toml"), "-o", &path("road.png"), "--size", "32,32", "--backend", "cpu", "--set", &set]);
    good(&["preview", &path("land.toml"), "-o", &path("plain.png"), "--size", "32,32", "--backend", "cpu"]);
    let read = |name: &str| std::fs::read(path(name)).expect("a picture");
    assert_ne!(read("road.png"), read("plain.png"));
    let output = run(&["preview", &path("land.toml"), "-o", &path("road.png"), "--set", "line.points=@nothing.geojson"], "");
    assert!(text(&output.stderr).contains("nothing.geojson"), "{}", text(&output.stderr));
}
