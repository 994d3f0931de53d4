//! Noises that are prepared together: the bits that each has alone. And parameters that are changed together.

use crate::gallery;
use crate::support::{cpu, gpu, oracle};
use orogen::node::{Fractal, Simplex};
use orogen::{Backend, Engine, EngineError, EngineOptions, Noise, PreparedSetError, Recipe, Region, Threads};

/// All noises of a recipe, its nodes.
fn nodes(recipe: &Recipe) -> Vec<Noise> {
    let pipeline = &recipe.pipeline;
    pipeline
        .node
        .iter()
        .filter(|(name, node)| !node.info().outputs.is_empty() && pipeline.is_noise(name))
        .map(|(name, _)| pipeline.noise_of(name).expect("a node"))
        .collect()
}

fn agree(engine: &Engine, noises: &[Noise], region: &Region, what: &str) {
    let together = engine.prepare_several(&noises.iter().collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let count = together.outputs();
    assert_eq!(count, noises.len());
    let positions: Vec<[f64; 3]> = (0..600).map(f64::from).map(|i| [i * 13.7 - 3000.0, 555.5 - i * 3.1, 0.25]).collect();
    let (mut field, mut points) = (vec![f32::NAN; count * region.samples() as usize], vec![f32::NAN; count * positions.len()]);
    together.field_into(region, &mut field).unwrap_or_else(|error| panic!("{what}: {error}"));
    together.sample_into(&positions, &mut points).unwrap_or_else(|error| panic!("{what}: {error}"));
    for (k, noise) in noises.iter().enumerate() {
        let alone = engine.prepare(noise).expect("a noise");
        let (mut own_field, mut own_points) = (vec![0.0; region.samples() as usize], vec![0.0; positions.len()]);
        alone.field_into(region, &mut own_field).expect("a field");
        alone.sample_into(&positions, &mut own_points).expect("points");
        let bits =
            |values: &[f32], every: usize| values.iter().skip(k.min(every - 1)).step_by(every).map(|x| x.to_bits()).collect::<Vec<_>>();
        assert!(bits(&field, count) == bits(&own_field, 1), "{what}: field of noise {k}");
        assert!(bits(&points, count) == bits(&own_points, 1), "{what}: points of noise {k}");
    }
}

#[test]
fn noises_have_together_the_bits_that_they_have_alone() {
    let region = Region { spacing: 3.0, ..Region::plane(70, 9) };
    let mut all = 0;
    for (name, _, recipe) in gallery::recipes() {
        let noises = nodes(&recipe);
        if noises.is_empty() {
            continue;
        }
        agree(&cpu(), &noises, &region, &name);
        agree(&oracle(), &noises[..noises.len().min(4)], &Region::plane(9, 5), &name);
        all += noises.len();
    }
    assert!(all > 80, "{all} noises");
}

#[test]
fn noises_share_threads_together() {
    let (_, _, alps) = gallery::recipes().into_iter().find(|(name, ..)| name == "alps").expect("alps");
    let own = Engine::open(&EngineOptions { backend: Backend::Cpu, threads: Threads::Own(3), ..Default::default() }).expect("an engine");
    for edge in [1, 31, 200, 600] {
        agree(&own, &nodes(&alps), &Region::plane(edge, edge), "alps");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn noises_have_together_the_bits_that_they_have_alone_on_a_gpu() {
    let hills = Noise::simplex(Simplex::default()).fractal(Fractal { octaves: 3, ..Default::default() });
    agree(gpu(), &[hills.clone(), hills.clone().smoothstep(0.0, 0.5)], &Region::plane(33, 9), "hills and snow");
    agree(gpu(), std::slice::from_ref(&hills), &Region::plane(33, 9), "one noise");
    // With this many noises, a region needs more than one dispatch.
    let many: Vec<Noise> = (0..9).map(|k| hills.clone().scale_offset(1.0 + f64::from(k), 0.5)).collect();
    agree(gpu(), &many, &Region::plane(1400, 3), "nine noises");
    let recipes = gallery::recipes();
    let (_, _, alps) = recipes.iter().find(|(name, ..)| name == "alps").expect("alps");
    agree(gpu(), &nodes(alps), &Region { spacing: 3.0, ..Region::plane(70, 9) }, "alps");
    // Kernels of which each thread computes several samples.
    let rows = Engine::open(&EngineOptions { backend: Backend::Gpu, ..Default::default() }).expect("a device");
    orogen::testing::as_on_a_gpu(&rows);
    agree(&rows, &many, &Region::plane(37, 5), "nine noises in rows");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn noises_together_are_one_kernel_of_a_gpu() {
    let options = EngineOptions { backend: Backend::Gpu, ..Default::default() };
    let engine = Engine::open(&options).expect("a device");
    let hills = Noise::simplex(Simplex::default()).fractal(Fractal::default());
    let noises = [hills.clone(), hills.clone().smoothstep(0.0, 0.5), hills.scale_offset(9.0, 1.0)];
    let together = engine.prepare_several(&noises.iter().collect::<Vec<_>>()).expect("noises");
    let before = engine.compilations();
    together.field_into(&Region::plane(16, 16), &mut vec![0.0; 3 * 256]).expect("fields");
    assert_eq!(engine.compilations() - before, 1, "kernels");
}

#[test]
fn parameters_of_noises_together_are_those_of_each() {
    let engine = cpu();
    let hills = Noise::simplex(Simplex::default()).fractal(Fractal::default()).named("hills");
    let (high, snow) = (hills.clone().scale_offset(30.0, 1.0), hills.smoothstep(0.0, 0.5));
    let mut together = engine.prepare_several(&[&high, &snow]).expect("noises");
    assert_eq!(together.noise().graph().node.len(), 4, "the hills are shared");
    let terms = [&high, &snow].map(|noise| engine.prepare(noise).expect("a noise").terms());
    assert_eq!(terms, [together.terms(); 2], "and so is their cost");
    let before = together.clone();
    together.set_all([("hills.gain", 0.7), ("smoothstep.high", 0.25)]).expect("parameters");
    let changed = |noise: &Noise, path: &str, value: f64| {
        let mut noise = noise.clone();
        noise.set("hills.gain", 0.7).and_then(|()| noise.set(path, value)).expect(path);
        noise
    };
    let (mut values, mut same) = ([0.0; 2 * 64], [0.0; 2 * 64]);
    together.field_into(&Region::plane(8, 8), &mut values).expect("fields");
    let anew = [changed(&high, "scale_offset.scale", 30.0), changed(&snow, "smoothstep.high", 0.25)];
    engine.prepare_several(&[&anew[0], &anew[1]]).expect("noises").field_into(&Region::plane(8, 8), &mut same).expect("fields");
    assert_eq!(values, same);
    before.field_into(&Region::plane(8, 8), &mut same).expect("fields");
    assert_ne!(values, same, "clones stay as they are");
    let own: Vec<Noise> = together.noises().collect();
    engine.prepare_several(&own.iter().collect::<Vec<_>>()).expect("noises").field_into(&Region::plane(8, 8), &mut same).expect("fields");
    assert_eq!(values, same, "the noises as they stand");
    // All or nothing.
    let refused = together.set_all([("hills.gain", 0.1), ("hills.gain", 1e9)]).expect_err("out of range");
    assert!(matches!(refused, PreparedSetError::Set(_)));
    together.field_into(&Region::plane(8, 8), &mut same).expect("fields");
    assert_eq!(values, same);
    // Invalid requests.
    assert!(matches!(together.field_into(&Region::plane(8, 8), &mut [0.0; 64]), Err(EngineError::Region(_))));
    assert!(together.sample_into(&[[0.0; 3]], &mut [0.0]).is_err());
    let none = engine.prepare_several(&[]).expect_err("no noise").to_string();
    assert!(none.contains("no noise is not allowed; allowed: one or more noises"), "{none}");
}

#[test]
fn parameters_changed_together_are_those_changed_one_by_one() {
    let engine = cpu();
    let hills = Noise::simplex(Simplex::default()).fractal(Fractal::default()).named("hills");
    let mut one = engine.prepare(&hills).expect("a noise");
    let mut all = one.clone();
    for (path, value) in [("hills.gain", 0.6), ("hills.lacunarity", 2.25), ("simplex.wavelength", 55.0)] {
        one.set(path, value).expect(path);
    }
    all.set_all([("hills.gain", 0.6), ("hills.lacunarity", 2.25), ("simplex.wavelength", 55.0)]).expect("three numbers");
    assert_eq!(all.noise(), one.noise());
    assert_eq!(all.field(&Region::plane(16, 16)), one.field(&Region::plane(16, 16)));
    // Later ones win, and what is refused changes nothing.
    all.set_all([("hills.octaves", 3), ("hills.octaves", 4)]).expect("octaves");
    assert_eq!(all.noise().get("hills.octaves"), Ok(Some(4.into())));
    let before = all.noise().clone();
    assert!(matches!(all.set_all([("hills.gain", 0.2), ("hills.pain", 0.3)]), Err(PreparedSetError::Set(_))));
    assert_eq!(all.noise(), &before);
}

#[test]
fn a_value_and_its_gradient_are_those_of_a_list() {
    for engine in [cpu(), oracle()] {
        for (name, noise) in crate::nodes::all() {
            let prepared = engine.prepare(&noise).expect("a noise");
            let at = [12.25, -7.5, 3.0];
            let Ok(list) = prepared.sample(&[at], orogen::Gradient::With) else { continue };
            assert_eq!(prepared.value_with_gradient(at), Ok((list[0].value, list[0].gradient.expect("a gradient"))), "{name}");
        }
    }
}
