//! `snow`, `debris` and `displace` against what their pages say.

use crate::stages::{hills, node};
use crate::support::{bits, cpu};
use orogen::node::{Axis, Coordinate, Fractal, Input, Radius, Simplex};
use orogen::stage::{Combine, CombineBy, Debris, Displace, Given, Hillshade, Pipeline, Slope, Snow};
use orogen::{Field, Layer, Noise, Region};

fn layers(pipeline: &Pipeline, names: &[&str], region: &Region) -> Vec<Layer> {
    cpu().layers(pipeline, names, region).expect("layers")
}

/// Mountains 200 units high.
fn mountains() -> Noise {
    let simplex = Noise::simplex(Simplex { wavelength: 300.0, seed: Some(5), ..Default::default() });
    simplex.fractal(Fractal { octaves: 6, gain: 0.47, ..Default::default() }).scale_offset(200.0, 0.0).named("ground")
}

fn sum(layer: &Layer) -> f64 {
    layer.values.iter().map(|&x| f64::from(x)).sum()
}

/// The correlation of two lists.
fn correlation(a: &[f32], b: &[f32]) -> f64 {
    let mean = |all: &[f32]| all.iter().map(|&x| f64::from(x)).sum::<f64>() / all.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sums = a.iter().zip(b).fold([0.0; 3], |[both, aa, bb], (&a, &b)| {
        let (a, b) = (f64::from(a) - mean_a, f64::from(b) - mean_b);
        [both + a * b, aa + a * a, bb + b * b]
    });
    sums[0] / (sums[1] * sums[2]).sqrt()
}

#[test]
fn debris_has_the_volume_of_the_rock_and_rests_below_the_cliff() {
    // A cliff of 40 units around a tower, in the middle of a field without neighbours.
    let tower =
        Noise::radius(Radius { centre: [100.0, 100.0, 0.0], ..Default::default() }).smoothstep(38.0, 42.0).scale_offset(-40.0, 40.0);
    let region = Region::plane(201, 201);
    let of = layers(&Pipeline::from(tower), &["scale_offset"], &region).remove(0);
    let field = Field { region, values: of.values.clone(), gradients: None };
    let debris = Debris { of: node("given"), cliff: 1.2, wear: 3.0, talus: 0.6, reach: 120.0 };
    let pipeline = Pipeline::source(Given::default()).then(debris);
    let found = cpu().apply(&pipeline, &["debris", "debris.depth"], &field).expect("layers");
    let [height, depth] = &found[..] else { panic!("two layers") };
    assert!(sum(depth) > 500.0, "{}", sum(depth));
    assert!((sum(height) - sum(&of)).abs() < 1e-5 * sum(&of), "{} of {}", sum(height), sum(&of));
    let at = |layer: &Layer, x: usize| f64::from(layer.values[100 * 201 + x]);
    // The plain far away and the top of the tower are bare.
    assert_eq!((at(depth, 100), at(depth, 2)), (0.0, 0.0));
    // The foot of the cliff lies under a scree, whose surface is not steeper than debris can be. The tower has become narrower.
    assert!(at(depth, 56) > 1.0, "{}", at(depth, 56));
    let steepest = (10..56).map(|x| at(height, x + 1) - at(height, x)).fold(0.0, f64::max);
    assert!(steepest > 0.3 && steepest < 0.62, "{steepest}");
    assert!(depth.values.iter().all(|&x| x >= 0.0));
}

#[test]
fn debris_is_alike_at_any_spacing_and_level() {
    let pipeline = Pipeline::from(mountains()).then(Debris { cliff: 0.8, ..Default::default() });
    let region = |spacing: f64, level: u32| {
        let size = (256.0 / (spacing * f64::from(1 << level))) as u32;
        Region { spacing, level, ..Region::plane(size, size) }
    };
    let depth = |spacing, level| layers(&pipeline, &["debris.depth"], &region(spacing, level)).remove(0).values;
    let (coarse, fine) = (depth(2.0, 0), depth(1.0, 0));
    assert_eq!(bits(&depth(1.0, 1)), bits(&coarse));
    let every_second: Vec<f32> = fine.chunks_exact(256).step_by(2).flat_map(|row| row.iter().step_by(2).copied()).collect();
    let mean = |all: &[f32]| all.iter().map(|&x| f64::from(x)).sum::<f64>() / all.len() as f64;
    let (ratio, alike) = (mean(&every_second) / mean(&coarse), correlation(&every_second, &coarse));
    println!("debris at 1 and 2 units: mean {ratio:.3}, correlation {alike:.4}");
    assert!((ratio - 1.0).abs() < 0.15 && alike > 0.9, "mean {ratio}, correlation {alike}");
}

#[test]
fn snow_lies_high_on_gentle_slopes_and_longest_in_the_shade() {
    let snow = Snow { fall: 3.0, line: 0.0, band: 40.0, melt: 0.6, azimuth: 90.0, talus: 0.5, reach: 20.0, ..Default::default() };
    let pipeline = Pipeline::from(mountains()).named("snow", snow);
    let pipeline = pipeline.named("slope", Slope { of: node("ground"), ..Default::default() });
    let pipeline = pipeline.named("sun", Hillshade { of: node("ground"), azimuth: 90.0, altitude: 35.0, ..Default::default() });
    let found = layers(&pipeline, &["ground", "snow", "snow.depth", "slope", "sun"], &Region::plane(300, 300));
    let [ground, surface, depth, slope, sun] = [0, 1, 2, 3, 4].map(|i| &found[i].values[..]);
    let mean = |is_wanted: &dyn Fn(usize) -> bool| {
        let chosen: Vec<f64> = (0..depth.len()).filter(|&i| is_wanted(i)).map(|i| f64::from(depth[i])).collect();
        assert!(chosen.len() > 100, "{} samples", chosen.len());
        chosen.iter().sum::<f64>() / chosen.len() as f64
    };
    for i in 0..depth.len() {
        assert_eq!(surface[i].to_bits(), (ground[i] + depth[i] + 0.0).to_bits());
        assert!(depth[i] >= 0.0);
        // Slides reach no farther below the line than the ground falls within 20 units.
        assert!(ground[i] > -110.0 || depth[i] < 1e-6, "{} of snow at {}", depth[i], ground[i]);
    }
    let high = |i: usize| ground[i] > 25.0;
    let (gentle, steep) = (mean(&|i| high(i) && slope[i] < 0.4), mean(&|i| high(i) && slope[i] > 1.0));
    assert!(steep < 0.5 * gentle, "{steep} on steep, {gentle} on gentle slopes");
    let (light, shade) = (mean(&|i| high(i) && slope[i] < 0.5 && sun[i] > 0.7), mean(&|i| high(i) && slope[i] < 0.5 && sun[i] < 0.5));
    assert!(light < 0.85 * shade, "{light} in the sun, {shade} in the shade");
}

#[test]
fn displacements_by_whole_samples_move_the_field() {
    let region = Region { origin: [-7, 500_000_000, 0], spacing: 0.5, ..Region::plane(70, 40) };
    let moved = |x: f64, y: f64| {
        let displace = Displace { x: Input::Value(x), y: Input::Value(y), reach: 6.0, ..Default::default() };
        layers(&Pipeline::from(hills()).then(displace), &["displace"], &region).remove(0)
    };
    let from = |x: i64, y: i64| {
        let region = Region { origin: [region.origin[0] + x, region.origin[1] + y, 0], ..region };
        layers(&Pipeline::from(hills()), &["hills"], &region).remove(0)
    };
    for ([x, y], [columns, rows]) in [([0.0; 2], [0; 2]), ([1.5, -2.0], [3, -4]), ([6.0, -6.0], [12, -12]), ([1e9, -1e15], [12, -12])] {
        assert_eq!(bits(&moved(x, y).values), bits(&from(columns, rows).values), "by {x}, {y}");
    }
    let halves = moved(0.25, 0.0);
    let means = from(0, 0).values.into_iter().zip(from(1, 0).values).map(|(a, b)| a * 0.5 + b * 0.5);
    assert_eq!(bits(&halves.values), bits(&means.collect::<Vec<f32>>()));
}

#[test]
fn displacements_follow_a_field_at_every_level() {
    // A plane along x shows the displaced position itself.
    let along = Noise::coordinate(Coordinate { axis: Axis::X, ..Default::default() }).named("along");
    let mut pipeline = Pipeline::from(along);
    let way = pipeline.join(&Pipeline::from(hills()));
    let pipeline = pipeline.named("moved", Displace { x: node(&way), y: node(&way), reach: 40.0, ..Default::default() });
    let pipeline = pipeline.named("way", Combine { a: node("moved"), b: node("along"), by: CombineBy::Subtract, ..Default::default() });
    for level in [0, 2] {
        let region = Region { origin: [10, -3, 0], level, ..Region::plane(50, 50) };
        let found = layers(&pipeline, &["way", &way], &region);
        for (way, expected) in found[0].values.iter().zip(&found[1].values) {
            assert!((way - expected).abs() < 2e-5 * expected.abs().max(10.0), "{way} of {expected}");
        }
    }
}
