//! Rows of samples share work if a lattice lies along the world's axes. The bits are those of separate samples, for any
//! wavelength, distance from the origin, and direction along the lattice.

use crate::support::{bits, cpu};
use orogen::node::{Accumulate, Fractal, Gradients, Metric, Perlin, Simplex, Transform, Value, Worley};
use orogen::{Field, Gradient, Noise, Recipe, Region, testing};

/// Every noise that has rows.
fn noises(wavelength: f64) -> Vec<(String, Noise)> {
    let mut all = Vec::new();
    for dimensions in [2, 3] {
        let mut add = |name: &str, noise| all.push((format!("{name} {dimensions}D, wavelength {wavelength}"), noise));
        add("simplex", Noise::simplex(Simplex { dimensions, wavelength, ..Default::default() }));
        add("value", Noise::value(Value { dimensions, wavelength, ..Default::default() }));
        add("Perlin", Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() }));
        for (gradients, w, seed) in [(Gradients::Turning, 0.17, 3), (Gradients::Turning, -1e6 - 0.6, 1 << 40)] {
            let simplex = Simplex { dimensions, wavelength, gradients, w, seed: Some(seed), ..Default::default() };
            add("simplex, turned", Noise::simplex(simplex));
            add("Perlin, turned", Noise::perlin(Perlin { dimensions, wavelength, gradients, w, seed, ..Default::default() }));
        }
        let worley = Worley { dimensions, wavelength, ..Default::default() };
        add("F1", Noise::worley(worley.clone()));
        add("F2 - F1", Noise::worley(Worley { weights: vec![-1.0, 1.0], metric: Metric::Squared, jitter: 0.8, ..worley.clone() }));
        let mirrored = Transform { scale: [-1.0, 1.0, -1.0], ..Default::default() };
        add("simplex, backwards", Noise::simplex(Simplex { dimensions, wavelength, ..Default::default() }).transform(mirrored.clone()));
        add("F1, backwards", Noise::worley(worley).transform(mirrored));
    }
    all
}

/// The same samples in columns of this width; 5 is so narrow that no row shares anything.
fn in_columns(of: usize, noise: &Noise, region: &Region, gradient: bool) -> Field {
    let mut all = field(noise, region, gradient);
    let [width, height, depth] = region.size.map(|size| size as usize);
    for first in (0..width).step_by(of) {
        let count = of.min(width - first);
        let [x, y, z] = region.origin;
        let part = Region { origin: [x + first as i64, y, z], size: [count as u32, height as u32, depth as u32], ..*region };
        let part = field(noise, &part, gradient);
        for row in 0..height * depth {
            all.values[row * width + first..][..count].copy_from_slice(&part.values[row * count..][..count]);
            if let (Some(all), Some(part)) = (&mut all.gradients, &part.gradients) {
                all[row * width + first..][..count].copy_from_slice(&part[row * count..][..count]);
            }
        }
    }
    all
}

fn field(noise: &Noise, region: &Region, gradient: bool) -> Field {
    if gradient { cpu().field_with_gradient(noise, region) } else { cpu().field(noise, region) }.expect("a field")
}

#[test]
fn rows_have_the_bits_of_single_samples() {
    let mut compared = 0;
    for wavelength in [0.4, 0.72, 0.97, 1.3, 3.1, 17.0, 50.0, 2048.0] {
        for (what, noise) in noises(wavelength) {
            for origin in [[-140, -3, -1], [1_000_000_000_007, -3_000_000_011, 77_000_000_001], [(1 << 31) - 100, 1 << 30, -7]] {
                let region = Region { origin, size: [300, 9, 4], ..Region::plane(1, 1) };
                for gradient in [false, true] {
                    let rows = field(&noise, &region, gradient);
                    // One sample after the other; several rows in a block, in whole vectors and not.
                    for of in [5, 47, 128] {
                        let part = in_columns(of, &noise, &region, gradient);
                        let what = format!("{what}, from {origin:?}, gradient {gradient}, in columns of {of}");
                        assert!(bits(&rows.values) == bits(&part.values), "{what}: values differ");
                        let both = [&rows, &part].map(|field| bits(field.gradients.as_deref().unwrap_or_default().as_flattened()));
                        assert!(both[0] == both[1], "{what}: gradients differ");
                        compared += rows.values.len();
                    }
                }
            }
        }
    }
    assert!(compared > 15_000_000, "{compared}");
}

#[test]
fn displaced_samples_have_the_same_bits_however_many_rows_make_a_block() {
    for dimensions in [2, 3] {
        let by = |seed| Noise::simplex(Simplex { dimensions, wavelength: 90.0, seed: Some(seed), ..Default::default() });
        let octaves = Fractal { octaves: 5, ..Default::default() };
        let simplex = Noise::simplex(Simplex { dimensions, wavelength: 333.0, ..Default::default() }).fractal(octaves.clone());
        let perlin = Noise::perlin(Perlin { dimensions, wavelength: 33.3, ..Default::default() }).fractal(octaves);
        let worley = Noise::worley(Worley { dimensions, wavelength: 20.0, ..Default::default() });
        for (what, noise) in [("simplex", simplex), ("Perlin", perlin), ("F1", worley)] {
            let noise = noise.warp([by(1), by(2), by(3)], 30.0);
            for origin in [[-140, -3, -1], [1_000_000_000_007, -3_000_000_011, 77_000_000_001]] {
                let region = Region { origin, size: [300, 11, 3], ..Region::plane(1, 1) };
                for gradient in [false, true] {
                    let rows = field(&noise, &region, gradient);
                    // Vectors that hold one row each, and those that do not.
                    for of in [5, 16, 47, 128, 240] {
                        let part = in_columns(of, &noise, &region, gradient);
                        let what = format!("{what} {dimensions}D, from {origin:?}, gradient {gradient}, in columns of {of}");
                        assert!(bits(&rows.values) == bits(&part.values), "{what}: values differ");
                        let both = [&rows, &part].map(|field| bits(field.gradients.as_deref().unwrap_or_default().as_flattened()));
                        assert!(both[0] == both[1], "{what}: gradients differ");
                    }
                }
            }
        }
    }
}

#[test]
fn sums_have_the_bits_of_single_points_whether_octaves_are_held_back_or_not() {
    let region = Region::plane(64, 3);
    for accumulate in [Accumulate::Weighted, Accumulate::Billow, Accumulate::Pingpong] {
        for weight in [0.0, 0.25] {
            let fractal = Fractal { accumulate, weight, octaves: 6, ..Default::default() };
            let noise = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() }).fractal(fractal);
            let (rows, prepared) = (field(&noise, &region, true), cpu().prepare(&noise).expect("a noise"));
            // One point is computed in another way: its octaves abreast.
            let mut single = Vec::new();
            for (y, x) in (0..3).flat_map(|y| (0..64).map(move |x| (y, x))) {
                single.extend(prepared.sample(&[[f64::from(x), f64::from(y), 0.0]], Gradient::With).expect("a point"));
            }
            let values: Vec<f32> = single.iter().map(|sample| sample.value as f32).collect();
            let gradients: Vec<f32> = single.iter().flat_map(|sample| sample.gradient.expect("a gradient").map(|x| x as f32)).collect();
            assert!(bits(&rows.values) == bits(&values), "{accumulate:?}, weight {weight}: values differ");
            let all = rows.gradients.as_deref().unwrap_or_default().as_flattened();
            assert!(bits(all) == bits(&gradients), "{accumulate:?}, weight {weight}: gradients differ");
        }
    }
}

#[test]
fn octaves_have_the_same_sum_whether_they_are_added_as_they_are_computed_or_afterwards() {
    let mut compared = 0;
    for wavelength in [2.8, 40.0, 700.0] {
        let mut noises = noises(wavelength);
        noises.push(("simplex 1D".to_owned(), Noise::simplex(Simplex { dimensions: 1, wavelength, ..Default::default() })));
        noises.push(("value 1D".to_owned(), Noise::value(Value { dimensions: 1, wavelength, ..Default::default() })));
        for (what, noise) in noises {
            for rotation in [0.0, 30.0] {
                let of = |accumulate| {
                    let sum = Fractal { octaves: 4, accumulate, weight: 0.0, rotation, ..Default::default() };
                    let plain = noise.clone().fractal(sum);
                    let by = |seed| Noise::simplex(Simplex { wavelength: 90.0, seed: Some(seed), ..Default::default() });
                    [plain.clone(), plain.clone().periodic([2800.0; 3]), plain.warp([by(1), by(2), by(3)], 30.0)]
                };
                // Without suppression it is the same sum, and always added up afterwards.
                for (kind, (sum, other)) in of(Accumulate::Sum).into_iter().zip(of(Accumulate::Weighted)).enumerate() {
                    for (width, gradient) in [5, 33, 128, 300].into_iter().flat_map(|width| [(width, false), (width, true)]) {
                        let region = Region { origin: [-140, -3, -1], size: [width, 5, 2], ..Region::plane(1, 1) };
                        // A noise rotated by such an angle does not repeat.
                        if kind == 1 && rotation != 0.0 {
                            assert!(cpu().field(&sum, &region).is_err());
                            continue;
                        }
                        let what = format!("{what} turned by {rotation}, kind {kind}, {width} wide, gradient {gradient}");
                        let [a, b] = [&sum, &other].map(|noise| field(noise, &region, gradient));
                        assert!(bits(&a.values) == bits(&b.values), "{what}: values differ");
                        let both = [&a, &b].map(|field| bits(field.gradients.as_deref().unwrap_or_default().as_flattened()));
                        assert!(both[0] == both[1], "{what}: gradients differ");
                        compared += a.values.len();
                    }
                }
            }
        }
    }
    assert!(compared > 1_000_000, "{compared}");
}

#[test]
fn instruction_sets_agree_bit_for_bit() {
    let recipes = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../recipes")).expect("recipes");
    let recipes = recipes.map(|entry| entry.expect("a recipe").path()).filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let mut all: Vec<(String, Noise)> = recipes
        .map(|path| {
            let pipeline = Recipe::load(&path).expect("a recipe").pipeline;
            let under = pipeline.underneath().expect("a node");
            (path.display().to_string(), pipeline.noise_of(under).expect("a noise"))
        })
        .collect();
    assert!(all.len() > 20);
    // Cells smaller than a sample to much larger than a block: each has another way of looking its columns up.
    for (dimensions, wavelength) in (1..=3).flat_map(|d| [0.55, 0.7, 1.1, 1.7, 3.0, 20.0, 500.0].map(|w| (d, w))) {
        let name = format!("{dimensions}D, wavelength {wavelength}");
        let value = Noise::value(Value { dimensions, wavelength, ..Default::default() });
        let perlin = Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() });
        all.extend([value, perlin].map(|noise| (name.clone(), noise)));
        if dimensions > 1 {
            let (gradients, w) = (Gradients::Turning, 0.3);
            let perlin = Noise::perlin(Perlin { dimensions, wavelength, gradients, w, ..Default::default() });
            let simplex = Noise::simplex(Simplex { dimensions, wavelength, gradients, w, ..Default::default() });
            all.extend([perlin, simplex].map(|noise| (format!("{name}, turned"), noise)));
        }
    }
    for (name, noise) in all {
        // Wider than a block, and no multiple of a chunk; far from the origin, where cells are large.
        let region = Region { origin: [1_000_003, -7, 0], ..Region::plane(150, 5) };
        let sets = testing::on_every_instruction_set(&noise, &region).expect("values");
        let beside: Vec<Vec<u32>> = sets
            .iter()
            .map(|[alone, both]| {
                assert_eq!(bits(&alone.values), bits(&both.values), "{name}");
                let gradients = both.gradients.as_ref().expect("gradients").as_flattened();
                both.values.iter().chain(gradients).map(|x| x.to_bits()).collect()
            })
            .collect();
        assert!(beside.len() >= 2 && beside.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
    }
}
