//! A fourth coordinate for a call or a point: the bits of a noise whose `w` is set, without lowering it anew.

use crate::nodes;
use crate::support::{assert_same_bits, cpu, gpu, oracle};
use orogen::node::{Axis, Fractal, Perlin, Simplex, Transform, Turbulence, Value};
use orogen::{Engine, EngineError, Gradient, Noise, Region, Setting};

/// Coordinates, one after the other in no order, so that none is what the call before has left.
const W: [f64; 6] = [0.25, 0.0, -3.7, 1e6 + 0.5, 0.25, -9e11];

fn simplex(w: f64) -> Noise {
    Noise::simplex(Simplex { dimensions: 4, wavelength: 31.0, w, seed: Some(3), ..Default::default() })
}

/// Examples that read a fourth coordinate, and everything that such a node may lie in.
fn noises() -> Vec<(String, Noise)> {
    let reads_it = |noise: &Noise| {
        let is = |name: &str, param, value: Setting| noise.get(&format!("{name}.{param}")) == Ok(Some(value));
        noise.graph().node.keys().any(|name| is(name, "dimensions", 4.into()) || is(name, "gradients", "turning".into()))
    };
    let mut all: Vec<(String, Noise)> = nodes::all().into_iter().filter(|(_, noise)| reads_it(noise)).collect();
    let offset = Some([1.5, -2.0, 1e7]);
    let perlin = Noise::perlin(Perlin { dimensions: 4, wavelength: 16.0, w: 5.5, ..Default::default() });
    let value = Noise::value(Value { dimensions: 4, wavelength: 9.0, w: -2.25, offset, ..Default::default() });
    let fractal = Fractal { octaves: 5, rotation: 21.0, ..Default::default() };
    let turbulence = Turbulence { octaves: 2, strength: 7.0, ..Default::default() };
    let mut add = |name: &str, noise: Noise| all.push((name.to_owned(), noise));
    add("octaves", simplex(0.0).fractal(fractal.clone()));
    add("octaves of octaves", value.clone().fractal(Fractal { octaves: 2, ..Default::default() }).fractal(fractal));
    add("two with a `w` of their own", simplex(4.0).add(perlin.clone()).multiply(value.clone()));
    add("warp", simplex(1.0).warp([perlin.clone(), value.clone(), 0.0.into()], 12.0));
    add("turbulence", perlin.clone().turbulence(simplex(0.5), turbulence));
    add("quantise", value.clone().quantise([4.0, 8.0, 3.0]));
    add("slice", simplex(0.0).slice(Axis::X, 3.5));
    add("transform", perlin.clone().transform(Transform { rotation: 33.0, scale: [2.0, 0.5, -1.0], ..Default::default() }));
    add("periodic", simplex(0.0).fractal(Fractal { octaves: 3, ..Default::default() }).periodic([93.0 * 4.0, 93.0 * 3.0, 0.0]));
    add("domain", value.domain([perlin, simplex(9.0), 2.5.into()]));
    add("none in 4D", Noise::simplex(Simplex::default()));
    all
}

/// The noise with every `w` of a 4D node larger by so much.
fn with_w(noise: &Noise, by: f64) -> Noise {
    let mut noise = noise.clone();
    for name in noise.graph().node.keys().cloned().collect::<Vec<_>>() {
        let path = format!("{name}.w");
        if let Ok(Some(Setting::Number(own))) = noise.get(&path) {
            noise.set(&path, own + by).expect(&path);
        }
    }
    noise
}

fn same<T: PartialEq + std::fmt::Debug>(a: &[T], b: &[T], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    let other = a.iter().zip(b).position(|(a, b)| a != b);
    assert!(other.is_none(), "{what}: sample {other:?}: {:?} against {:?}", a[other.unwrap_or(0)], b[other.unwrap_or(0)]);
}

fn positions() -> Vec<[f64; 3]> {
    (0..700).map(f64::from).map(|i| [i * 1.7 - 300.0, 55.5 - i * 0.3, (i * 0.77) % 40.0]).collect()
}

fn agree(engine: &Engine, noises: Vec<(String, Noise)>) -> usize {
    let regions = [Region::plane(40, 3), Region { origin: [-7, 1_000_000, 2], size: [5, 3, 4], ..Region::plane(1, 1) }];
    let positions = positions();
    let mut compared = 0;
    for (name, noise) in noises {
        let Ok(prepared) = engine.prepare(&noise) else { panic!("{name} is a noise") };
        for by in W {
            let what = format!("{name}, w + {by}");
            let (now, set) = (prepared.at(by), engine.prepare(&with_w(&noise, by)).expect(&what));
            for region in &regions {
                assert_same_bits(&now.field(region).expect(&what), &set.field(region).expect(&what), &what);
                let (a, b) = (now.field_with_gradient(region).expect(&what), set.field_with_gradient(region).expect(&what));
                assert_same_bits(&a, &b, &what);
                let (mut values, mut slopes) = (vec![0.0; a.values.len()], vec![[0.0; 3]; a.values.len()]);
                now.field_with_gradient_into(region, &mut values, &mut slopes).expect(&what);
                same(&values, &b.values, &what);
                same(&slopes, b.gradients.as_ref().expect("gradients"), &what);
            }
            let found = set.sample(&positions, Gradient::With).expect(&what);
            same(&now.sample(&positions, Gradient::With).expect(&what), &found, &what);
            let (mut values, mut slopes) = (vec![0.0; positions.len()], vec![[0.0; 3]; positions.len()]);
            now.sample_with_gradient_into(&positions, &mut values, &mut slopes).expect(&what);
            same(&values, &found.iter().map(|s| s.value as f32).collect::<Vec<_>>(), &what);
            same(&slopes, &found.iter().map(|s| s.gradient.expect("gradients").map(|x| x as f32)).collect::<Vec<_>>(), &what);
            let mut alone = vec![0.0; positions.len()];
            now.sample_into(&positions, &mut alone).expect(&what);
            same(&alone, &values, &what);
            for &position in &positions[..5] {
                assert_eq!(now.value(position), set.value(position), "{what}");
                assert_eq!(now.value_with_gradient(position), set.value_with_gradient(position), "{what}");
            }
            compared += 1;
        }
        // A coordinate for each point, in runs and alone.
        let w = |i: usize| W[if i < 600 { i / 200 } else { i % 6 }];
        let own: Vec<[f64; 4]> = positions.iter().enumerate().map(|(i, &[x, y, z])| [x, y, z, w(i)]).collect();
        let mut values = vec![0.0; own.len()];
        prepared.sample_4d_into(&own, &mut values).expect(&name);
        let mut each = vec![0.0; own.len()];
        for (i, to) in each.iter_mut().enumerate() {
            prepared.at(w(i)).sample_into(&positions[i..=i], std::slice::from_mut(to)).expect(&name);
        }
        same(&values, &each, &name);
    }
    compared
}

#[test]
fn a_fourth_coordinate_of_a_call_is_that_of_the_nodes() {
    let all = noises();
    assert!(all.len() > 15, "{} noises", all.len());
    assert_eq!(agree(&cpu(), noises()), all.len() * W.len());
    assert_eq!(agree(&oracle(), noises()), all.len() * W.len());
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_fourth_coordinate_of_a_call_is_that_of_the_nodes_on_a_gpu() {
    let few =
        noises().into_iter().filter(|(name, _)| ["octaves", "two with a `w` of their own", "none in 4D"].contains(&&name[..])).collect();
    assert_eq!(agree(gpu(), few), 3 * W.len());
}

#[test]
fn large_fields_share_threads_at_every_fourth_coordinate() {
    let noise = simplex(0.0).fractal(Fractal { octaves: 4, ..Default::default() });
    let (engine, region) = (cpu(), Region::plane(300, 200));
    let prepared = engine.prepare(&noise).expect("a noise");
    let positions: Vec<[f64; 3]> = (0..20_000).map(|i| [f64::from(i) * 0.7, f64::from(i % 97), 0.0]).collect();
    for by in W {
        let set = engine.prepare(&with_w(&noise, by)).expect("a noise");
        assert_same_bits(&prepared.at(by).field(&region).expect("a field"), &set.field(&region).expect("a field"), &by.to_string());
        let points = |of: Vec<orogen::Sample>| of.iter().map(|sample| sample.value).collect::<Vec<_>>();
        let found = prepared.at(by).sample(&positions, Gradient::Without).expect("points");
        same(&points(found), &points(set.sample(&positions, Gradient::Without).expect("points")), &by.to_string());
    }
}

#[test]
fn a_fourth_coordinate_that_is_none_is_refused() {
    let prepared = cpu().prepare(&simplex(0.0)).expect("a noise");
    for w in [f64::NAN, f64::INFINITY, -1.1e12] {
        for told in [prepared.at(w).value([0.0; 3]).map(|_| ()), prepared.sample_4d_into(&[[0.0, 0.0, 0.0, w]], &mut [0.0])] {
            let error = told.expect_err("no coordinate");
            assert!(matches!(&error, EngineError::Region(of) if of.0.what == "w") && error.to_string().contains("1e12"), "{error}");
        }
    }
    let far = [[0.0; 4], [0.0; 4], [0.0, f64::NAN, 0.0, 1.0]];
    assert!(matches!(prepared.sample_4d_into(&far, &mut [0.0; 3]), Err(EngineError::Point { index: 2, .. })));
    assert!(prepared.sample_4d_into(&far, &mut [0.0; 2]).is_err(), "a slice of another length");
}
