//! Regions against single points. A region is computed in vectors, in which neighbours share work, and a point one number at a time.

use crate::nodes;
use crate::support::{cpu, jets};
use orogen::node::{HexHash, Hexagonal};
use orogen::{Noise, Region};

/// Compares all samples of a region.
fn assert_single(name: &str, noise: &Noise, region: &Region) {
    let (engine, what) = (cpu(), format!("{name}, spacing {}", region.spacing));
    let (fields, prepared) = ([jets(&engine, noise, region), engine.field(noise, region)], engine.prepare(noise).expect(&what));
    let [jets, values] = fields.map(|field| field.expect(&what));
    let all = (0..region.size[1]).flat_map(|y| (0..region.size[0]).map(move |x| [x, y, 0]));
    for (i, index) in all.enumerate() {
        let at = region.position(index);
        let value = prepared.value(at).expect(&what);
        assert_eq!([jets.values[i], values.values[i]].map(f64::from), [value; 2], "{what}: sample {index:?}");
        if let Some(gradients) = &jets.gradients {
            let (_, gradient) = prepared.value_with_gradient(at).expect(&what);
            assert_eq!(gradients[i].map(f64::from), gradient, "{what}: gradient of sample {index:?}");
        }
    }
}

#[test]
fn samples_of_a_region_are_those_of_single_points() {
    // In a region that repeats, coordinates do so exactly. Those of points may then differ in the last bit.
    for (name, noise) in nodes::all().into_iter().filter(|(name, _)| !name.starts_with("periodic")) {
        // Features of many samples and of few, in rows that end within a vector. Positions are exact, and on no edge of cells.
        for spacing in [0.5, 8.0] {
            let anchor = [0.375, -0.21875, 0.125];
            assert_single(&name, &noise, &Region { origin: [-70, -4, 0], spacing, anchor, ..Region::plane(150, 9) });
        }
    }
}

/// Vectors take the value of the sample before. Here each vector of a row fills a hexagon, or a vector is a row, across slanted edges.
#[test]
fn hexagons_end_with_vectors_and_within() {
    for &hash in HexHash::ALL {
        let noise = Noise::hexagonal(Hexagonal { hash, wavelength: 4.0, ..Default::default() });
        let region = Region { spacing: 0.25, anchor: [0.0625, 0.03125, 0.125], ..Region::plane(48, 3) };
        assert_single("filled", &noise, &Region { origin: [-8, 0, 0], ..region });
        assert_single("crossed", &noise, &Region { size: [16, 40, 1], ..region });
    }
}
