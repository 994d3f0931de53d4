//! `strata` against its documentation, and the erosion that obeys it.

use crate::stages::{assert_part, node, outputs};
use crate::support::{bits, cpu, gpu};
use orogen::node::{Axis, Coordinate, Fractal, Input, Simplex};
use orogen::stage::{Erosion, Gaussian, Hydraulic, Pipeline, Slope, Strata};
use orogen::{Layer, Noise, Region};

fn layers(pipeline: &Pipeline, names: &[&str], region: &Region) -> Vec<Layer> {
    cpu().layers(pipeline, names, region).expect("layers")
}

/// Ground whose height is the position along x.
fn ramp() -> Pipeline {
    Pipeline::from(Noise::coordinate(Coordinate { axis: Axis::X, unit: 1.0 }).named("ground"))
}

/// Equal layers with sharp boundaries.
fn even() -> Strata {
    Strata { thickness: 10.0, irregular: 0.0, soft: 0.2, hard: 0.8, variation: 0.0, blend: 0.001, ..Default::default() }
}

#[test]
fn layers_alternate_and_descend_in_their_direction() {
    let region = Region { anchor: [0.5, 0.5, 0.0], ..Region::plane(100, 60) };
    let hardness = |strata: Strata| layers(&ramp().then(strata), &["strata"], &region).remove(0).values;
    let expected = |number: &dyn Fn(f64, f64) -> f64| -> Vec<f32> {
        let at = |i: usize| ((i % 100) as f64 + 0.5, (i / 100) as f64 + 0.5);
        (0..6000).map(|i| if number(at(i).0, at(i).1).floor() % 2.0 == 0.0 { 0.8 } else { 0.2 }).collect()
    };
    let same = |found: &[f32], expected: &[f32]| found.iter().zip(expected).filter(|(a, b)| (*a - *b).abs() < 1e-6).count();
    assert_eq!(same(&hardness(even()), &expected(&|x, _| x / 10.0)), 6000);
    // Layers that descend to the east are met earlier there, and those that descend to the south farther down in a picture.
    let east = hardness(Strata { dip: 0.37, direction: 90.0, ..even() });
    assert!(same(&east, &expected(&|x, _| (x + 0.37 * x) / 10.0)) > 5990);
    let south = hardness(Strata { dip: 0.37, direction: 180.0, ..even() });
    assert!(same(&south, &expected(&|x, y| (x + 0.37 * y) / 10.0)) > 5990);
    let raised = hardness(Strata { fold: Input::Value(10.0), ..even() });
    assert_eq!(same(&raised, &expected(&|x, _| (x + 10.0) / 10.0)), 6000);
}

#[test]
fn irregular_layers_keep_their_mean_thickness_and_no_two_are_alike() {
    let strata = Strata { irregular: 0.9, variation: 1.0, soft: 0.0, hard: 1.0, blend: 0.001, ..even() };
    let region = Region { spacing: 0.125, ..Region::plane(80_000, 1) };
    let found = layers(&ramp().then(strata), &["strata", "strata.layer"], &region);
    let mut lengths = vec![1];
    for pair in found[1].values.windows(2) {
        match pair[0] == pair[1] {
            true => *lengths.last_mut().expect("the first") += 1,
            false => lengths.push(1),
        }
    }
    let long: Vec<f64> = lengths.iter().filter(|&&n| n > 2).map(|&n| f64::from(n) * 0.125).collect();
    assert!((900..=1010).contains(&long.len()), "{} layers of 1000", long.len());
    let (least, most) = long.iter().fold((f64::MAX, 0.0_f64), |(lo, hi), &x| (lo.min(x), hi.max(x)));
    assert!(least < 3.0 && most > 17.0 && most < 20.0, "from {least} to {most}");
    let [lo, hi] = found[0].extent();
    assert!((0.0..0.02).contains(&lo) && hi <= 1.0 && hi > 0.98, "hardness from {lo} to {hi}");
    // Hard and soft layers alternate, so half of the ground is hard.
    let mean = found[0].values.iter().map(|&x| f64::from(x)).sum::<f64>() / 80_000.0;
    assert!((mean - 0.5).abs() < 0.02, "{mean}");
}

#[test]
fn layers_are_exact_far_from_the_origin() {
    // The same ground and the same tilt, a whole number of layers farther east.
    let strata = Strata { dip: 0.25, thickness: 8.0, ..even() };
    let flat = Pipeline::from(Noise::constant(3.0).named("ground")).then(strata);
    let at = |x: i64| Region { origin: [x, 0, 0], ..Region::plane(160, 4) };
    // 0.25 a unit: 64 units are two layers.
    let (here, far) = (layers(&flat, &["strata"], &at(0)).remove(0), layers(&flat, &["strata"], &at(80_000_000_000)).remove(0));
    assert_eq!(bits(&here.values), bits(&far.values));
    assert!(here.extent()[1] - here.extent()[0] > 0.5);
}

fn upland() -> Pipeline {
    let simplex = Noise::simplex(Simplex { wavelength: 260.0, seed: Some(8), ..Default::default() });
    let fractal = simplex.fractal(Fractal { octaves: 5, gain: 0.45, ..Default::default() });
    Pipeline::from(fractal.scale_offset(90.0, 120.0).named("ground"))
}

/// The mean slope of hard ground divided by that of soft ground, where the layers are those at the height of the ground.
fn scarps(eroded: &Pipeline, name: &str, strata: &Strata) -> f64 {
    let pipeline = eroded.clone().named("rock_now", Strata { of: node(name), ..strata.clone() });
    let pipeline = pipeline.named("slope", Slope { of: node(name), ..Default::default() });
    let region = Region { spacing: 2.0, ..Region::plane(200, 200) };
    let found = layers(&pipeline, &["rock_now", "slope"], &region);
    let mut sums = [[0.0; 2]; 2];
    for (&hardness, &slope) in found[0].values.iter().zip(&found[1].values) {
        let kind = usize::from(hardness > 0.5);
        sums[kind] = [sums[kind][0] + f64::from(slope), sums[kind][1] + 1.0];
    }
    let [soft, hard] = sums.map(|[slope, count]| slope / count);
    hard / soft
}

#[test]
fn erosion_leaves_hard_layers_as_scarps_at_the_height_they_have_now() {
    let strata = Strata { thickness: 24.0, irregular: 0.3, variation: 0.2, blend: 0.2, dip: 0.08, ..Default::default() };
    let base = upland().named("rock", strata.clone());
    // Through another stage, the hardness is that of the ground before.
    let still = base.clone().named("still", Gaussian { of: node("rock"), sigma: 0.3 });
    let hydraulic = |rock: &str| Hydraulic {
        of: node("ground"),
        hardness: node(rock),
        iterations: 150,
        dissolve: 0.5,
        capacity: 10.0,
        deposit: 0.01,
        ..Default::default()
    };
    let erosion = |rock: &str| Erosion { of: node("ground"), hardness: node(rock), size: 300.0, strength: 1.0, ..Default::default() };
    let before = scarps(&base, "ground", &strata);
    let followed = [
        scarps(&base.clone().named("worn", hydraulic("rock")), "worn", &strata),
        scarps(&base.named("worn", erosion("rock")), "worn", &strata),
    ];
    let fixed = [
        scarps(&still.clone().named("worn", hydraulic("still")), "worn", &strata),
        scarps(&still.named("worn", erosion("still")), "worn", &strata),
    ];
    println!(
        "slopes of hard layers relative to soft ones: before {before:.3}, after {followed:.3?}, with the hardness of before {fixed:.3?}"
    );
    assert!((before - 1.0).abs() < 0.1, "{before}");
    assert!(followed.iter().all(|&scarps| scarps > 1.15), "{followed:?}");
    assert!(followed.iter().zip(&fixed).all(|(followed, fixed)| followed > fixed), "{followed:?} and {fixed:?}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn erosion_by_layers_has_the_same_bits_on_the_gpu_and_in_tiles() {
    let strata = Strata { thickness: 9.0, variation: 0.2, blend: 0.4, dip: 0.1, ..Default::default() };
    let erosion = Erosion { of: node("ground"), hardness: node("rock"), size: 40.0, ..Default::default() };
    let pipeline = upland().named("rock", strata).named("worn", erosion);
    let names = outputs(&pipeline);
    let whole = Region { spacing: 2.0, ..Region::plane(96, 64) };
    let expected = cpu().layers(&pipeline, &names, &whole).expect("layers");
    let got = gpu().layers(&pipeline, &names, &whole).expect("layers");
    for (name, (got, expected)) in names.iter().zip(got.iter().zip(&expected)) {
        assert_eq!(bits(&got.values), bits(&expected.values), "{name}");
    }
    let tile = Region { origin: [40, 24, 0], size: [32, 16, 1], ..whole };
    for (part, expected) in cpu().layers(&pipeline, &names, &tile).expect("layers").iter().zip(&expected) {
        assert_part(part, expected, "a tile");
    }
    let plain = Erosion { of: node("ground"), size: 40.0, ..Default::default() };
    let plain = cpu().layers(&upland().named("worn", plain), &["worn"], &whole).expect("layers");
    assert_ne!(bits(&plain[0].values), bits(&expected[0].values), "the layers change nothing");
}
