//! Rows whose samples share lattice points on the GPU: the same bits, however far apart samples lie.

use crate::support::{as_it_is, assert_same_bits, bits, cpu, own_gpu};
use orogen::node::{Fractal, Interpolation, Perlin, Simplex, Transform, Value, Worley};
use orogen::texture::KernelKind;
use orogen::{Engine, Field, Gradient, Noise, Region, testing};

/// Samples between lattice points of the widest octave.
const WAVELENGTH: f64 = 28.0;

/// Changes of kernels by which rows that are not close are taken for close ones, and by which cellular noise takes other columns of points.
const STEPS: (&str, &str) = ("step_x.upper.x <= most", "step_x.upper.x >= 0u");
const COLUMNS: (&str, &str) = ("WorleyLayer(layer.middle, layer.right", "WorleyLayer(layer.left, layer.right");

/// Noises that share points, as octaves whose rows are close at first and later not.
fn noises() -> Vec<(String, Noise)> {
    let sum = |noise: Noise| noise.fractal(Fractal { octaves: 5, ..Default::default() });
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        let wavelength = WAVELENGTH;
        let simplex = Noise::simplex(Simplex { dimensions, wavelength, ..Default::default() });
        let interpolation = Interpolation::Cubic;
        all.push((format!("simplex {dimensions}D"), sum(simplex)));
        all.push((format!("Perlin {dimensions}D"), sum(Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() }))));
        all.push((
            format!("value {dimensions}D"),
            sum(Noise::value(Value { dimensions, wavelength, interpolation, ..Default::default() })),
        ));
    }
    let wavelength = WAVELENGTH;
    all.push(("Perlin 4D".to_owned(), sum(Noise::perlin(Perlin { dimensions: 4, w: 9.3, wavelength, ..Default::default() }))));
    all.push(("value 4D".to_owned(), sum(Noise::value(Value { dimensions: 4, w: -70.1, wavelength, ..Default::default() }))));
    // A period of samples, and one that ends between samples unless they are a whole number of units apart.
    for (period, (name, noise)) in [84.0, 168.0].into_iter().cycle().zip(all.clone()) {
        all.push((format!("{name}, repeated"), noise.periodic([period, 84.0, 0.0])));
    }
    for (dimensions, weights) in [(2, vec![-1.0, 1.0]), (3, vec![1.0])] {
        let cellular = Noise::worley(Worley { dimensions, weights, wavelength: WAVELENGTH, ..Default::default() });
        all.push((format!("cellular {dimensions}D"), sum(cellular.clone())));
        all.push((format!("one octave of cellular {dimensions}D"), cellular));
    }
    // Two noises in an octave, one much wider than the other, and octaves of octaves.
    let wide = Noise::perlin(Perlin { wavelength: 900.0, ..Default::default() });
    all.push(("two".to_owned(), sum(wide.add(Noise::simplex(Simplex { wavelength: WAVELENGTH, ..Default::default() })))));
    let inner = Fractal { octaves: 2, ..Default::default() };
    all.push(("twice".to_owned(), sum(Noise::simplex(Simplex { wavelength: WAVELENGTH, ..Default::default() }).fractal(inner))));
    all
}

/// The kernel of all counts, with gradients, then the specialised one, without.
fn on_both(gpu: &Engine, noise: &Noise, region: &Region, what: &str) {
    let expected = cpu().field_with_gradient(noise, region).expect(what);
    assert_same_bits(&gpu.field_with_gradient(noise, region).expect(what), &expected, what);
    gpu.specialise(noise, KernelKind::field(Gradient::Without)).expect(what);
    assert_same_bits(&gpu.field(noise, region).expect(what), &Field { gradients: None, ..expected }, what);
}

/// Steps around those at which rows are no longer close (two cells in seven steps, one in three), whole cells, and one that is no
/// number of bits.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn rows_have_the_same_bits_whether_or_not_they_are_close() {
    for (gpu, adapter) in [(own_gpu(None), "as on a GPU"), (as_it_is(None), "as it is")] {
        for (name, noise) in noises() {
            for spacing in [0.37, 8.0, 8.0 + 1e-9, 28.0, 28.0 / 3.0] {
                for far in [-11, 1_000_000_000_000] {
                    let region = Region { origin: [far, 5 - far, 3], spacing, ..Region::plane(45, 7) };
                    on_both(&gpu, &noise, &region, &format!("{name}, {adapter}, spacing {spacing}, from {far}"));
                }
            }
        }
    }
}

/// Rows that lie otherwise: backwards, turned by a quarter, and turned.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn rows_that_lie_otherwise_have_the_same_bits() {
    let gpu = own_gpu(None);
    // Nothing repeats inside a rotation.
    for (name, noise) in noises().into_iter().filter(|(name, _)| !name.contains("repeated")) {
        let mirrored = Transform { scale: [-1.0, 1.0, 1.0], ..Default::default() };
        let quarter = Transform { rotation: 90.0, ..Default::default() };
        let turned = Transform { rotation: 30.0, axis: [1.0, 2.0, 3.0], ..Default::default() };
        for (how, transform) in [("mirrored", mirrored), ("by a quarter", quarter), ("turned", turned)] {
            let region = Region { origin: [-11, 4, 3], ..Region::plane(45, 7) };
            on_both(&gpu, &noise.clone().transform(transform), &region, &format!("{name}, {how}"));
        }
    }
}

/// Coordinates start anew where a period ends, also within a row, close or not.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn periods_end_within_rows() {
    let gpu = own_gpu(None);
    let region = Region { origin: [-10, 4, 3], ..Region::plane(190, 7) };
    // Lattice points lie at the ends of periods, to which two sevenths of a cell, rounded, do not add up.
    let (wavelength, offset) = (3.5, Some([0.0; 3]));
    let simplex = Noise::simplex(Simplex { wavelength, offset, ..Default::default() });
    let perlin = Noise::perlin(Perlin { dimensions: 3, wavelength, offset, ..Default::default() });
    for noise in [simplex, perlin].map(|noise| noise.fractal(Fractal { octaves: 1, ..Default::default() }).periodic([84.0, 84.0, 0.0])) {
        let expected = cpu().field(&noise, &region).expect("cpu");
        let found = || gpu.field(&noise, &region).expect("gpu");
        testing::sabotage(&gpu, "never in a kernel", "");
        assert_same_bits(&found(), &expected, "untouched");
        testing::sabotage(&gpu, "step_x.upper.x <= most", "step_x.upper.x <= 0u");
        assert_same_bits(&found(), &expected, "no row is close");
        // A period that begins a sample late.
        testing::sabotage(&gpu, "if place == 0u", "if place == 1u");
        assert!(bits(&found().values) != bits(&expected.values), "a period that begins late went unnoticed");
    }
}

/// Points outside the cells around a sample are the nearest ones for few samples: those are found, too.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn points_further_away_are_found() {
    let gpu = own_gpu(None);
    let region = Region { spacing: 20.0, ..Region::plane(400, 400) };
    let noise = Noise::worley(Worley { weights: vec![-1.0, 1.0], wavelength: WAVELENGTH, ..Default::default() });
    let expected = cpu().field_with_gradient(&noise, &region).expect("cpu");
    let found = || gpu.field_with_gradient(&noise, &region).expect("gpu");
    assert_same_bits(&found(), &expected, "untouched");
    for (from, to) in [("|= select(0u, 1u <<", "|= select(0u, 0u <<"), ("0x1f8c63fu", "0x1f8863fu")] {
        testing::sabotage(&gpu, from, to);
        assert!(bits(&found().values) != bits(&expected.values), "'{from}' → '{to}' went unnoticed");
    }
}

/// That close rows are computed by what is tested here: where it is broken, the bits are others.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn broken_sharing_gives_other_bits() {
    let gpu = own_gpu(None);
    let region = Region { origin: [-11, 4, 3], spacing: 2.3, ..Region::plane(45, 7) };
    let differ =
        |noise: &Noise| bits(&gpu.field(noise, &region).expect("gpu").values) != bits(&cpu().field(noise, &region).expect("cpu").values);
    for (name, noise) in noises() {
        testing::sabotage(&gpu, "never in a kernel", "");
        assert!(!differ(&noise), "{name}: untouched, the bits are the CPU's");
        let points = name.contains("Perlin") || name.contains("value");
        let last = if points { ("lower0_3 = point0_1;", "lower0_3 = point0_0;") } else { ("point0_3 = second0;", "point0_3 = first0;") };
        let broken = match name.as_str() {
            "two" => vec![STEPS],
            "cellular 2D" => vec![COLUMNS, ("step_x.cell.x == 0u", "step_x.cell.x <= 1u")],
            _ if name.contains("cellular") => vec![COLUMNS],
            _ => vec![STEPS, last],
        };
        for (from, to) in broken {
            testing::sabotage(&gpu, from, to);
            assert!(differ(&noise), "{name}: '{from}' → '{to}' went unnoticed");
        }
    }
}
