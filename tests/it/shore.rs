//! `beach` and `cliff` against what their pages say.

use crate::stages::node;
use crate::support::{bits, cpu};
use orogen::node::{Axis, Coordinate, Fractal, Simplex};
use orogen::stage::{Beach, Cliff, Pipeline};
use orogen::{Layer, Noise, Region};

fn layers(pipeline: &Pipeline, names: &[&str], region: &Region) -> Vec<Layer> {
    cpu().layers(pipeline, names, region).expect("layers")
}

/// Land that rises to the east from the sea at x = 100.
fn ramp(slope: f64) -> Pipeline {
    let east = Noise::coordinate(Coordinate { axis: Axis::X, unit: 1.0 });
    Pipeline::from(east.scale_offset(slope, -100.0 * slope).named("ground"))
}

const REGION: Region = Region { origin: [0, 0, 0], size: [200, 5, 1], level: 0, spacing: 1.0, anchor: [0.0; 3] };

fn row(layer: &Layer) -> Vec<f64> {
    layer.values[2 * 200..3 * 200].iter().map(|&x| f64::from(x)).collect()
}

#[test]
fn a_beach_rises_evenly_from_the_shore_and_steep_coasts_have_none() {
    let beach = Beach { width: 20.0, slope: 0.05, steep: 0.5, ..Default::default() };
    let gentle = layers(&ramp(0.3).then(beach.clone()), &["beach", "beach.sand", "ground"], &REGION);
    let [height, sand, ground] = [0, 1, 2].map(|k| row(&gentle[k]));
    assert_eq!(sand[100], 1.0);
    // At the shore it has its own slope, which is that of the ground no more.
    let slope = (height[102] - height[98]) / 4.0;
    assert!((slope - 0.05).abs() < 0.015, "{slope}");
    for x in 0..200 {
        let inland = x as f64 - 100.0;
        assert!((height[x] - (ground[x] + sand[x] * (0.05 * inland - ground[x]))).abs() < 1e-4, "{x}");
        if inland.abs() > 20.0 {
            assert_eq!((height[x], sand[x]), (ground[x], 0.0), "{x}");
        }
    }
    assert!(height.windows(2).all(|pair| pair[1] >= pair[0]), "a beach has no ditch");
    let steep = layers(&ramp(1.2).then(beach), &["beach", "beach.sand", "ground"], &REGION);
    assert_eq!(bits(&steep[0].values), bits(&steep[2].values));
    assert!(steep[1].values.iter().all(|&x| x == 0.0));
}

#[test]
fn a_cliff_stands_behind_its_platform() {
    let cliff = Cliff { retreat: 16.0, slope: 0.05, face: 4.0, height: 40.0, ..Default::default() };
    let found = layers(&ramp(0.8).then(cliff), &["cliff", "cliff.cut", "ground"], &REGION);
    let [height, cut, ground] = [0, 1, 2].map(|k| row(&found[k]));
    for x in 0..200 {
        let inland = x as f64 - 100.0;
        if inland <= 0.0 || inland >= 26.0 {
            assert_eq!((height[x], cut[x]), (ground[x], 0.0), "{x}");
        } else if inland <= 16.0 {
            assert!((height[x] - 0.05 * inland).abs() < 1e-3, "{x}: {}", height[x]);
        }
        assert!((height[x] + cut[x] - ground[x]).abs() < 1e-4 && cut[x] >= 0.0, "{x}");
    }
    // The face: the ground reaches its own height again, 13 units, within a few units behind the platform.
    let steepest = height.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!((steepest - 4.0).abs() < 0.1, "{steepest}");
    assert!(height.windows(2).all(|pair| pair[1] >= pair[0] - 1e-4));
    // Land beyond the height of the cliff keeps its height at the end of the reach.
    let high = layers(&ramp(3.5).then(Cliff { height: 10.0, ..Default::default() }), &["cliff", "ground"], &REGION);
    let [height, ground] = [0, 1].map(|k| row(&high[k]));
    assert_eq!(height[120..], ground[120..]);
    assert!(height[115] < 2.0, "{}", height[115]);
}

#[test]
fn shores_are_alike_at_any_spacing() {
    let hills = Noise::simplex(Simplex { wavelength: 200.0, seed: Some(3), ..Default::default() })
        .fractal(Fractal { octaves: 3, ..Default::default() })
        .scale_offset(30.0, 0.0)
        .named("ground");
    let pipeline = Pipeline::from(hills).then(Cliff::default()).then(Beach { of: node("cliff"), ..Default::default() });
    let at = |spacing: f64, edge: u32| {
        let region = Region { spacing, ..Region::plane(edge, edge) };
        let found = layers(&pipeline, &["beach.sand", "cliff.cut"], &region);
        found.iter().map(|layer| layer.values.iter().map(|&x| f64::from(x)).sum::<f64>() / layer.values.len() as f64).collect::<Vec<_>>()
    };
    for (fine, coarse) in at(1.0, 512).iter().zip(at(2.0, 256)) {
        assert!(*fine > 0.01 && (fine - coarse).abs() < 0.05 * fine, "{fine} {coarse}");
    }
}
