//! Flows without divergence: components of `curl` and `cross_gradients` against differences of their potentials, and what they
//! promise.

use crate::support::{cpu, gpu, oracle};
use orogen::node::{Axis, ControlPoint, Fractal, Input, Perlin, Radius, Simplex, Transform, White};
use orogen::stage::{Combine, Gully, Pipeline};
use orogen::texture::{Content, KernelKind, TexelEncoding, TextureOptions, wgsl};
use orogen::wgpu::TextureFormat;
use orogen::{Engine, Gradient, Noise, Region};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

fn simplex(seed: u64) -> Noise {
    Noise::simplex(Simplex { dimensions: 3, wavelength: 40.0, seed: Some(seed), ..Default::default() })
}

fn perlin(seed: u64) -> Noise {
    Noise::perlin(Perlin { dimensions: 3, wavelength: 30.0, seed, ..Default::default() })
}

fn octaves(noise: Noise) -> Noise {
    noise.fractal(Fractal { octaves: 3, rotation: 20.0, ..Default::default() })
}

/// Three different potentials, one of them in octaves.
fn potentials() -> [Noise; 3] {
    [simplex(1).scale_offset(9.0, 0.0), octaves(perlin(2)), octaves(simplex(3)).multiply(perlin(4)).scale_offset(20.0, 0.0)]
}

/// The components of a flow.
fn flow(component: impl Fn(Axis) -> Noise) -> [Noise; 3] {
    AXES.map(component)
}

/// Each kind of flow.
fn flows() -> Vec<(&'static str, [Noise; 3])> {
    let [x, y, z] = potentials();
    vec![
        ("plane", flow(|axis| z.clone().curl(axis))),
        ("space", flow(|axis| z.clone().curl_3d([x.clone(), y.clone()], axis))),
        ("cross", flow(|axis| x.clone().cross_gradients(z.clone(), axis))),
    ]
}

fn positions() -> Vec<[f64; 3]> {
    (0..200).map(|i| [f64::from(i) * 7.31 - 500.0, f64::from(i * i % 97) * 5.17, f64::from(i % 13) * 9.7 - 40.0]).collect()
}

fn values(engine: &Engine, noise: &Noise, at: &[[f64; 3]]) -> Vec<f64> {
    engine.sample(noise, at, Gradient::Without).expect("samples").iter().map(|sample| sample.value).collect()
}

/// The derivative along an axis, from four values of the oracle: the error is of fourth order in the step.
fn derivative(noise: &Noise, axis: usize, at: &[[f64; 3]]) -> Vec<f64> {
    const STEP: f64 = 0.001;
    let beside = |steps: f64| {
        let moved: Vec<[f64; 3]> =
            at.iter().map(|&at| std::array::from_fn(|a| at[a] + if a == axis { steps * STEP } else { 0.0 })).collect();
        values(&oracle(), noise, &moved)
    };
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(beside);
    (0..at.len()).map(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * STEP)).collect()
}

fn gradient(noise: &Noise, at: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let along = [0, 1, 2].map(|axis| derivative(noise, axis, at));
    (0..at.len()).map(|i| std::array::from_fn(|axis| along[axis][i])).collect()
}

fn largest<'a>(all: impl IntoIterator<Item = &'a f64>) -> f64 {
    all.into_iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// The formulas, with derivatives that are differences of the potentials' values.
#[test]
fn components_are_the_formulas() {
    let at = positions();
    let [a, b, c] = potentials().map(|potential| gradient(&potential, &at));
    let of = |formula: &dyn Fn(usize) -> [f64; 3]| (0..at.len()).map(formula).collect::<Vec<_>>();
    let expected = [
        of(&|i| [c[i][1], -c[i][0], 0.0]),
        of(&|i| [c[i][1] - b[i][2], a[i][2] - c[i][0], b[i][0] - a[i][1]]),
        of(&|i| glam::DVec3::from(a[i]).cross(c[i].into()).into()),
    ];
    for ((name, flow), expected) in flows().iter().zip(&expected) {
        let scale = largest(expected.as_flattened());
        for (axis, component) in flow.iter().enumerate() {
            // f64 within the error of differences; f32 within its rounding.
            for (engine, bound) in [(oracle(), 1e-7), (cpu(), 2e-5)] {
                let off = values(&engine, component, &at).iter().zip(expected).map(|(v, e)| v - e[axis]).collect::<Vec<_>>();
                assert!(largest(&off) <= bound * scale, "{name}, component {axis}: off by {:e} of {scale}", largest(&off));
            }
        }
        assert!(scale > 0.1, "{name}: {scale}");
    }
}

/// The sum of three differences of the field in f64 is as small as their error; single terms are not.
#[test]
fn the_divergence_is_zero() {
    let at = positions();
    for (name, flow) in flows() {
        let along: Vec<Vec<f64>> = flow.iter().enumerate().map(|(axis, component)| derivative(component, axis, &at)).collect();
        let divergence: Vec<f64> = (0..at.len()).map(|i| along[0][i] + along[1][i] + along[2][i]).collect();
        let (found, terms) = (largest(&divergence), largest(along.iter().flatten()));
        println!("{name}: divergence {found:e}, terms up to {terms:e}");
        assert!(terms > 1e-3 && found <= 1e-7 * terms, "{name}: divergence {found:e}, terms up to {terms:e}");
    }
}

/// Inside a transform, derivatives are those in the node's own space: moving a flow's positions moves its values.
#[test]
fn components_keep_their_values_under_transforms_and_octaves() {
    let turned =
        Transform { scale: [2.0, 0.5, 3.0], rotation: 40.0, axis: [1.0, 2.0, 0.5], offset: [3.0, -8.0, 1.0], ..Default::default() };
    let at = positions();
    // The transform of positions as nodes give it.
    let coordinate = |axis| Noise::coordinate(orogen::node::Coordinate { axis, unit: 1.0 }).transform(turned.clone());
    let [x, y, z] = AXES.map(|axis| values(&oracle(), &coordinate(axis), &at));
    let moved: Vec<[f64; 3]> = (0..at.len()).map(|i| [x[i], y[i], z[i]]).collect();
    for (name, flow) in flows() {
        for component in flow {
            let inside = values(&oracle(), &component.clone().transform(turned.clone()), &at);
            let there = values(&oracle(), &component, &moved);
            let off: Vec<f64> = inside.iter().zip(&there).map(|(a, b)| a - b).collect();
            assert!(largest(&off) <= 1e-8 * largest(&there).max(1e-3), "{name}: off by {:e} of {:e}", largest(&off), largest(&there));
            // An octave of double frequency is as strong as the first.
            let range = component.range().expect("a range");
            let sum = component.fractal(Fractal { octaves: 4, normalise: true, ..Default::default() }).range().expect("a range");
            assert!((sum.hi - range.hi).abs() <= 1e-4 * range.hi, "{name}: {sum:?} for {range:?}");
        }
    }
}

/// The distance from a ball or a circle at the origin, over the distance at which its influence ends.
fn ramp(axes: [f64; 3]) -> Noise {
    let distance = Noise::radius(Radius { axes, ..Default::default() }).scale_offset(1.0 / REACH, -RADIUS / REACH);
    let point = |at, value, slope_in, slope_out| ControlPoint { at, value, slope_in, slope_out };
    distance.spline(vec![point(-1.0, 0.0, 0.0, 0.0), point(0.0, 0.0, 0.0, 1.875), point(1.0, 1.0, 0.0, 0.0)])
}

const RADIUS: f64 = 50.0;
const REACH: f64 = 30.0;

/// Directions from the origin.
fn directions(flat: bool) -> Vec<glam::DVec3> {
    let direction = |i: i32| {
        let (turn, up) = (f64::from(i) * 2.399, if flat { 0.0 } else { f64::from(i) / 50.0 - 1.0 });
        let across = (1.0 - up * up).sqrt();
        glam::DVec3::new(turn.cos() * across, turn.sin() * across, up)
    };
    (0..100).map(direction).collect()
}

/// The largest velocity through a ball or circle, and along it.
fn through(flow: &[Noise; 3], flat: bool) -> [f64; 2] {
    let directions = directions(flat);
    // Just outside: on the border itself, the ramp's slope may be that of either side.
    let at: Vec<[f64; 3]> = directions.iter().map(|n| (*n * (RADIUS + 1e-6)).into()).collect();
    let along = flow.each_ref().map(|component| values(&oracle(), component, &at));
    let velocity = |i: usize| glam::DVec3::new(along[0][i], along[1][i], along[2][i]);
    let [mut out, mut slip] = [0.0_f64; 2];
    for (i, n) in directions.iter().enumerate() {
        let v = velocity(i);
        (out, slip) = (out.max(v.dot(*n).abs()), slip.max(v.length()));
    }
    [out, slip]
}

/// A potential times a ramp that is 0 at an obstacle gives a flow along it (Bridson, Hourihan, Nordenstam 2007). With two
/// potentials, one becomes the distance near the obstacle.
#[test]
fn no_flow_crosses_an_obstacle() {
    let [x, y, z] = potentials();
    let around = |potential: &Noise, axes| potential.clone().multiply(ramp(axes));
    let (flat, ball) = ([1.0, 1.0, 0.0], [1.0; 3]);
    let distance = Noise::radius(Radius { axes: ball, ..Default::default() });
    let free = [
        ("plane", true, flow(|axis| z.clone().curl(axis))),
        ("space", false, flow(|axis| z.clone().curl_3d([x.clone(), y.clone()], axis))),
        ("cross", false, flow(|axis| x.clone().cross_gradients(z.clone(), axis))),
    ];
    let held = [
        flow(|axis| around(&z, flat).curl(axis)),
        flow(|axis| around(&z, ball).curl_3d([around(&x, ball), around(&y, ball)], axis)),
        flow(|axis| x.clone().cross_gradients(distance.clone().blend(z.clone(), ramp(ball).smoothstep(0.0, 1.0)), axis)),
    ];
    for ((name, is_flat, free), held) in free.into_iter().zip(held) {
        let ([out, _], [held_out, slip]) = (through(&free, is_flat), through(&held, is_flat));
        println!("{name}: {out:e} through without the obstacle; {held_out:e} through, {slip:e} along it");
        assert!(out > 0.1 && held_out <= 1e-6 * slip && slip > 0.01, "{name}: {out:e} without it, {held_out:e} of {slip:e} with it");
    }
}

/// A stream around a rock: nothing that drifts enters it, and nothing settles.
#[test]
fn what_drifts_stays_outside() {
    let [_, _, z] = potentials();
    let ramp = ramp([1.0, 1.0, 0.0]);
    let potential = z.multiply(ramp);
    let noises = [Axis::X, Axis::Y].map(|axis| potential.clone().curl(axis));
    let both = oracle().prepare_several(&[&noises[0], &noises[1]]).expect("a flow");
    let velocity = |at: &[[f64; 3]]| {
        let mut found = vec![0.0; 2 * at.len()];
        both.sample_into(at, &mut found).expect("samples");
        found.chunks_exact(2).map(|v| [f64::from(v[0]), f64::from(v[1])]).collect::<Vec<_>>()
    };
    let mut at: Vec<[f64; 3]> = directions(true).iter().map(|n| (*n * (RADIUS + 3.0)).into()).collect();
    for _ in 0..200 {
        let half: Vec<[f64; 3]> = at.iter().zip(velocity(&at)).map(|(p, v)| [p[0] + 0.5 * v[0], p[1] + 0.5 * v[1], 0.0]).collect();
        for (p, v) in at.iter_mut().zip(velocity(&half)) {
            *p = [p[0] + v[0], p[1] + v[1], 0.0];
        }
    }
    let nearest = at.iter().map(|p| p[0].hypot(p[1])).fold(f64::INFINITY, f64::min);
    assert!(nearest > RADIUS, "{nearest}");
}

/// Components of one potential compute it once, in one kernel.
#[test]
fn components_share_their_potentials() {
    let potential = octaves(simplex(1)).named("potential");
    let calls = |noise: &Noise| {
        let kernel = wgsl(noise, KernelKind::field(Gradient::Without)).expect("a kernel");
        kernel.matches("= scope_0(").count() + kernel.matches("= close_0(").count()
    };
    let [x, y] = [Axis::X, Axis::Y].map(|axis| potential.clone().curl(axis));
    let one = calls(&x);
    assert!(one > 0 && calls(&x.clone().add(y.clone())) == one);
    // Of equal potentials with different names nothing is known.
    assert_eq!(calls(&x.clone().add(octaves(simplex(2)).curl(Axis::Y))), one);
    // As a displacement, too.
    let warped = perlin(2).warp([x, y, Noise::constant(0.0)], 5.0);
    assert_eq!(calls(&warped), one);
    assert_eq!(warped.graph().node.keys().filter(|name| name.starts_with("potential")).count(), 1);
}

/// Components in the channels of one texture: the bytes of the CPU, in one dispatch.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_texture_has_a_component_in_each_channel() {
    let [_, _, z] = potentials();
    let flow = flow(|axis| z.clone().curl(axis));
    let region = Region { origin: [-20, 31, 0], ..Region::plane(45, 33) };
    let encoding = TexelEncoding::from(Content::Several);
    for (count, format) in [
        (2, TextureFormat::Rg32Float),
        (2, TextureFormat::Rgba32Float),
        (3, TextureFormat::Rgba16Float),
        (1, TextureFormat::Rgba8Unorm),
        (3, TextureFormat::Rgba8Unorm),
    ] {
        let noises: Vec<&Noise> = flow.iter().take(count).collect();
        let texels = cpu().prepare_several(&noises).expect("a flow").texels(&region, format, &encoding).expect("texels");
        let several = gpu().prepare_several(&noises).expect("a flow");
        let texture = several.texture(&region, &TextureOptions { format, encoding, ..Default::default() }).expect("a texture");
        assert!(gpu().read_texture(&texture, 0).expect("bytes") == texels, "{count}, {format:?}");
        if format == TextureFormat::Rgba32Float {
            let numbers: Vec<f32> = texels.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            let [x, y] = [0, 1].map(|axis| cpu().field(&flow[axis], &region).expect("a field").values);
            for (i, texel) in numbers.chunks_exact(4).enumerate() {
                assert_eq!(texel, [x[i], y[i], 0.0, 1.0]);
            }
        }
    }
    let all: Vec<&Noise> = flow.iter().collect();
    let several = cpu().prepare_several(&all).expect("a flow");
    let narrow = several.texels(&region, TextureFormat::Rg32Float, &encoding).expect_err("three in two").to_string();
    assert!(narrow.contains("number of noises = 3 is not allowed") && narrow.contains("up to 2"), "{narrow}");
    let grey = several.texels(&region, TextureFormat::Rgba8Unorm, &TexelEncoding::default()).expect_err("a content").to_string();
    assert!(grey.contains("Content::Several"), "{grey}");
}

#[test]
fn potentials_without_a_gradient_are_refused() {
    let told = |noise: &Noise| noise.check().expect_err("it is refused").to_string();
    let twice = told(&simplex(1).curl(Axis::X).named("vx").scale_offset(2.0, 0.0).curl(Axis::Y));
    assert!(twice.contains("node 'curl': of = 'scale_offset' is not allowed"), "{twice}");
    assert!(twice.contains("noises with a gradient: 'vx' is computed from gradients"), "{twice}");
    let across = told(&simplex(1).cross_gradients(simplex(2).curl(Axis::X), Axis::Z));
    assert!(across.contains("node 'cross_gradients': b = 'curl'"), "{across}");
    let jumps = told(&Noise::white(White::default()).curl(Axis::X));
    assert!(jumps.contains("node 'curl': of = 'white'") && jumps.contains("constant in each cell"), "{jumps}");
    let unmeasured =
        cpu().field(&simplex(1).equalise(Vec::new()).curl(Axis::X), &Region::plane(2, 2)).expect_err("no quantiles").to_string();
    assert!(unmeasured.contains("node 'equalise': quantiles = none") && unmeasured.contains("allowed: measured ones"), "{unmeasured}");
    let over =
        Pipeline::from(simplex(1)).then(Combine { b: Input::Value(0.0), ..Default::default() }).then_node(orogen::node::Curl::default());
    let stages = over.check().expect_err("stages have no gradients").to_string();
    assert!(stages.contains("node 'curl'") && stages.contains("reads gradients, which stages do not have"), "{stages}");
}

/// A component is refused by name if its own gradient is needed; other uses work.
#[test]
fn its_own_gradient_is_refused() {
    let flow = simplex(1).curl(Axis::X).named("vx");
    let warped = perlin(2).warp([flow.clone(), Noise::constant(0.0), Noise::constant(0.0)], 3.0);
    let region = Region::plane(8, 8);
    for noise in [&flow, &warped] {
        assert!(!noise.has_gradient());
        for error in [
            cpu().field_with_gradient(noise, &region).expect_err("no gradient").to_string(),
            cpu().sample(noise, &[[0.0; 3]], Gradient::With).expect_err("no gradient").to_string(),
            orogen::mesh::surface(&cpu(), noise, &Region { size: [4, 4, 4], ..region }, 0.0)
                .map(|_| ())
                .expect_err("no gradient")
                .to_string(),
        ] {
            assert!(error.contains("node 'vx' has no gradient") && error.contains("allowed"), "{error}");
        }
        assert_eq!(cpu().field(noise, &region).expect("values").values.len(), 64);
    }
    assert!(simplex(1).has_gradient());
    // A stage that reads exact slopes of a noise.
    let gully = Pipeline::from(flow).then(Gully::default());
    let error = cpu().layers(&gully, &["gully"], &region).expect_err("no gradient").to_string();
    assert!(error.contains("'vx' has no gradient"), "{error}");
}

/// The range follows the steepest gradient.
#[test]
fn ranges_follow_the_wavelength_and_the_strength() {
    let range = |wavelength, strength| {
        let potential = Noise::simplex(Simplex { wavelength, ..Default::default() }).scale_offset(strength, 0.0);
        potential.curl(Axis::X).range().expect("a range").hi
    };
    assert!((range(100.0, 1.0) / range(50.0, 1.0) - 0.5).abs() < 1e-6 && (range(100.0, 8.0) / range(100.0, 1.0) - 8.0).abs() < 1e-6);
    // Octaves so fine that their slopes do not fit.
    let steep = simplex(1).fractal(Fractal { octaves: 32, lacunarity: 64.0, ..Default::default() }).curl(Axis::X);
    let error = steep.range().expect_err("too steep").to_string();
    assert!(error.contains("node 'curl'") && error.contains("1e30"), "{error}");
}
