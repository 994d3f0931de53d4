//! Nodes over stages: nodes that read a stage's output.

use crate::nodes;
use crate::stages::{assert_part, hills, node};
use crate::support::{bits, cpu, gpu, oracle, own_gpu};
use orogen::node::{
    Add, Blend, Clamp, ControlPoint, Coordinate, Fractal, Input, Multiply, Node, Perlin, ScaleOffset, Simplex, Spline, Terrace, Transform,
    Warp,
};
use orogen::stage::{
    Combine, CombineBy, Curve, Displace, Erosion, Gaussian, Hydraulic, Normal, Normalise, Pipeline, Slope, Stage, Thermal,
};
use orogen::{Engine, Interval, Layer, Noise, Recipe, Region, testing};

fn layers(engine: &Engine, pipeline: &Pipeline, names: &[&str], region: &Region) -> Vec<Layer> {
    engine.layers(pipeline, names, region).unwrap_or_else(|error| panic!("{names:?}: {error}"))
}

fn far() -> Region {
    Region { origin: [1_000_003, -35, 0], spacing: 0.75, anchor: [0.3, -0.1, 2.0], ..Region::plane(70, 45) }
}

/// A noise whose last node reads each of its inputs through a stage that changes nothing.
fn held(noise: &Noise) -> Pipeline {
    let mut pipeline = Pipeline::from(noise.clone());
    let last = pipeline.output.clone();
    let inputs: Vec<(String, String)> = pipeline.node[&last]
        .inputs()
        .into_iter()
        .filter_map(|(param, input)| match input {
            Input::Node(name) if param != "table" && param != "offsets" => Some((param.to_owned(), name.clone())),
            _ => None,
        })
        .collect();
    for (param, input) in inputs {
        let name = format!("held_{param}");
        pipeline.stage.insert(name.clone(), Combine { a: node(&input), b: Input::Value(0.0), ..Default::default() }.into());
        pipeline.node.get_mut(&last).expect("the last node").set(&param, name.as_str()).expect("an input");
    }
    pipeline
}

/// Kinds that read their inputs at their own position.
const POINTWISE: [&str; 18] = [
    "spline",
    "scale_offset",
    "clamp",
    "abs",
    "power",
    "add",
    "multiply",
    "min",
    "max",
    "blend",
    "smoothstep",
    "terrace",
    "threshold",
    "bias",
    "gain",
    "sine",
    "quantile",
    "select",
];

#[test]
fn nodes_over_stages_have_the_bits_of_nodes_over_noises() {
    for row in Node::TABLE {
        for (i, noise) in nodes::of_kind(row.kind).iter().enumerate() {
            let (what, over) = (format!("{} {i}", row.kind), held(noise));
            if over.stage.is_empty() || row.kind == "warp" || over.node[&over.output].info().kind != row.kind {
                continue;
            }
            if !POINTWISE.contains(&row.kind) {
                let error = over.check().expect_err(&what).to_string();
                let way = match row.kind {
                    "equalise" => "the stage `equalise`",
                    "beds" => "the stage `strata`",
                    "phasor" => "values at positions",
                    "by_example" => "a node raster",
                    "curl" | "cross_gradients" => "reads gradients",
                    _ => "the stage `displace`",
                };
                assert!(error.contains(&format!("node '{}'", over.output)) && error.contains(way), "{error}");
                continue;
            }
            assert_eq!(over.check(), Ok(()), "{what}");
            assert!(!over.is_noise(&over.output) && over.has_stages() && over.noise_of(&over.output).is_err(), "{what}");
            for engine in [cpu(), oracle()] {
                let [plain, over] = [Pipeline::from(noise.clone()), over.clone()]
                    .map(|pipeline| layers(&engine, &pipeline, &[&pipeline.output], &far()).remove(0));
                assert_eq!(bits(&plain.values), bits(&over.values), "{what}");
                let range = noise.range().expect("a range");
                assert!(over.values.iter().all(|&x| range.contains(f64::from(x))), "{what}");
            }
            let known = over.range(&over.output).expect("a range");
            let plain = noise.range().expect("a range");
            // A square is not known to be one if its factors are two stages.
            let largest = |range: Interval| range.lo.abs().max(range.hi.abs());
            assert!(known.contains(plain.lo) && known.contains(plain.hi), "{what}: {known:?}, {plain:?}");
            assert!(largest(known) <= largest(plain) * 1.0001, "{what}: {known:?}, {plain:?}");
        }
    }
}

/// Terraces of noisy strength over eroded hills, bent, and read by further stages.
fn chain() -> Pipeline {
    let bends = Noise::simplex(Simplex { wavelength: 17.0, seed: Some(2), ..Default::default() });
    let rock = Noise::perlin(Perlin { wavelength: 40.0, seed: 8, ..Default::default() }).scale_offset(0.8, 0.5);
    let mut pipeline = Pipeline::from(hills()).then(Hydraulic { iterations: 6, ..Default::default() });
    let (bends, rock) = (pipeline.take_in(&bends), pipeline.take_in(&rock));
    pipeline
        .then_node(Terrace { height: 1.5, slope: 0.6, ..Default::default() })
        .then_node(Blend { a: node("hydraulic"), b: node("terrace"), mask: node(&rock) })
        .then_node(Warp { x: node(&bends), y: Input::Value(0.4), strength: 2.5, ..Default::default() })
        .then(Gaussian { sigma: 0.7, ..Default::default() })
        .then_node(Add { a: node("gaussian"), b: node("hydraulic.water") })
        .then(Slope::default())
        .then_node(ScaleOffset { scale: 2.0, offset: -0.5, ..Default::default() })
}

const NAMES: [&str; 7] = ["terrace", "blend", "warp", "gaussian", "add", "slope", "scale_offset_2"];

#[test]
fn tiles_are_windows_and_all_backends_agree() {
    let pipeline = chain();
    assert_eq!(pipeline.check(), Ok(()));
    let whole = layers(&cpu(), &pipeline, &NAMES, &far());
    let part = Region { origin: [far().origin[0] + 13, far().origin[1] + 7, 0], size: [21, 17, 1], ..far() };
    let tile = layers(&cpu(), &pipeline, &NAMES, &part);
    for (whole, tile) in whole.iter().zip(&tile) {
        assert_part(tile, whole, "a tile");
    }
    let exact = layers(&oracle(), &pipeline, &NAMES, &far());
    for (f32s, f64s) in whole.iter().zip(&exact).take(4) {
        let largest = f64s.values.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
        let far = f32s.values.iter().zip(&f64s.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(far <= 1e-3 * largest, "{}: {far} of {largest}", f32s.name);
    }
    // Level 1 is a field of its own, as that of every stage.
    let coarse = Region { level: 1, ..Region::plane(20, 20) };
    let alone = layers(&cpu(), &pipeline, &["scale_offset_2"], &coarse).remove(0);
    let corner = layers(&cpu(), &pipeline, &["scale_offset_2"], &Region { size: [9, 20, 1], ..coarse }).remove(0);
    assert_part(&corner, &alone, "level 1");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn gpus_have_the_cpus_bits() {
    let pipeline = chain();
    for (a, b) in layers(gpu(), &pipeline, &NAMES, &far()).iter().zip(layers(&cpu(), &pipeline, &NAMES, &far())) {
        assert_eq!(bits(&a.values), bits(&b.values), "{}", a.name);
    }
    for kind in POINTWISE {
        for (i, noise) in nodes::of_kind(kind).iter().enumerate() {
            let over = held(noise);
            let [a, b] = [gpu(), &cpu()].map(|engine| layers(engine, &over, &[&over.output], &far()).remove(0));
            assert_eq!(bits(&a.values), bits(&b.values), "{kind} {i}");
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn wrong_kernels_are_noticed() {
    let gpu = own_gpu(None);
    let over = held(&nodes::of_kind("terrace")[0]);
    let right = layers(&gpu, &over, &[&over.output], &far());
    testing::sabotage(&gpu, "(step + real_min(w.x, 1.0))", "(step + real_min(w.x, 0.999))");
    assert_ne!(gpu.layers(&over, &[&over.output], &far()).ok(), Some(right));
}

#[test]
fn they_are_the_stages_that_mean_the_same() {
    let eroded = Pipeline::from(hills()).then(Thermal { iterations: 4, talus: 0.2, ..Default::default() });
    let points: Vec<ControlPoint> =
        [(-6.0, -1.0), (0.0, 1.0), (2.0, 4.0), (9.0, 5.0)].map(|(at, value)| ControlPoint { at, value, ..Default::default() }).into();
    let (a, b) = (node("thermal"), node("hills"));
    let both = |by| Stage::from(Combine { a: a.clone(), b: b.clone(), by, ..Default::default() });
    let pairs: Vec<(Stage, Node)> = vec![
        (Curve { points: points.clone(), ..Default::default() }.into(), Spline { points, ..Default::default() }.into()),
        (both(CombineBy::Add), Add { a: a.clone(), b: b.clone() }.into()),
        (both(CombineBy::Multiply), Multiply { a: a.clone(), b: b.clone() }.into()),
        (
            Displace { x: b.clone(), y: Input::Value(-1.25), reach: 40.0, ..Default::default() }.into(),
            Warp { x: b.clone(), y: Input::Value(-1.25), ..Default::default() }.into(),
        ),
    ];
    for (stage, node) in pairs {
        let kind = node.info().kind;
        let [a, b] = [eroded.clone().then(stage), eroded.clone().then_node(node)]
            .map(|pipeline| layers(&cpu(), &pipeline, &[&pipeline.output], &far()).remove(0));
        assert_eq!(bits(&a.values), bits(&b.values), "{kind}");
    }
}

#[test]
fn numbers_are_live_and_stages_that_read_the_world_measure_them() {
    let mut pipeline = Pipeline::from(hills())
        .then(Thermal { iterations: 3, talus: 0.2, ..Default::default() })
        .then_node(ScaleOffset { scale: 2.0, ..Default::default() })
        .then(Normalise::default());
    let values = |pipeline: &Pipeline, name: &str| layers(&cpu(), pipeline, &[name], &far()).remove(0).values;
    let before = values(&pipeline, "scale_offset");
    pipeline.set("scale_offset.scale", 4.0).expect("a live number");
    let after = values(&pipeline, "scale_offset");
    assert!(before.iter().zip(&after).all(|(a, b)| 2.0 * a == *b));
    let normal = values(&pipeline, "normalise");
    let ends = normal.iter().fold([1.0_f32, 0.0], |[lo, hi], x| [lo.min(*x), hi.max(*x)]);
    assert_eq!(ends, [0.0, 1.0]);
    // Erosion lowers its inputs again on coarser grids, nodes over stages among them.
    let eroded = pipeline.then(Erosion { of: node("scale_offset"), size: 60.0, ..Default::default() });
    let whole = layers(&cpu(), &eroded, &["erosion"], &far()).remove(0);
    let part = Region { origin: [far().origin[0] + 30, far().origin[1] + 20, 0], size: [16, 16, 1], ..far() };
    assert_part(&layers(&cpu(), &eroded, &["erosion"], &part)[0], &whole, "over coarser grids");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let eroded = || Pipeline::from(hills()).then(Thermal::default());
    let refused = |pipeline: Pipeline, parts: &[&str]| {
        let error = pipeline.check().expect_err("refused").to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        assert!(cpu().layers(&pipeline, &[&pipeline.output], &Region::plane(4, 4)).is_err(), "{error}");
    };
    refused(eroded().then_node(Fractal::default()), &["node 'fractal_2': of = 'thermal'", "the node `warp` or the stage `displace`"]);
    refused(eroded().then_node(Transform::default()), &["node 'transform': of = 'thermal'"]);
    refused(eroded().then_node(Warp { z: Input::Value(1.0), ..Default::default() }), &["node 'warp': z", "allowed: 0"]);
    let wild = Warp { of: node("hills"), x: node("slope"), ..Default::default() };
    refused(eroded().then(Slope::default()).then_node(wild), &["node 'warp': x = 'slope'", "clamp"]);
    refused(eroded().then(Normal::default()).then_node(Terrace::default()), &["node 'terrace': of = 'normal'", "3"]);
    refused(eroded().then_node(Add { a: node("thermal"), b: node("termal") }), &["node 'add': b", "'thermal'"]);
    let mut cycle = eroded().then_node(Terrace::default()).then(Gaussian::default());
    cycle.node.insert("terrace".to_owned(), Terrace { of: node("gaussian"), ..Default::default() }.into());
    refused(cycle, &["cycle", "terrace → "]);
    let clamped = eroded().then(Slope::default()).then_node(Clamp { low: -2.0, high: 2.0, ..Default::default() });
    assert_eq!(clamped.then_node(Warp { of: node("hills"), x: node("clamp"), ..Default::default() }).check(), Ok(()));
    // Without stages, an unknown name is that of a node.
    let text = "output = \"a\"\n[node.a]\nkind = \"abs\"\nof = \"b\"\n";
    assert!(Recipe::from_toml(text, "a.toml").expect_err("no such node").to_string().contains("there is no node 'b'"));
}

#[test]
fn recipes_hold_them_and_pipelines_join_them() {
    let pipeline = chain();
    let text = Recipe::new(pipeline.clone()).to_toml().expect("a recipe");
    let again = Recipe::from_toml(&text, "chain.toml").expect("the same recipe").pipeline;
    assert_eq!(again, pipeline);
    let mut both = Pipeline::from(Noise::coordinate(Coordinate::default()));
    let got = both.join(&pipeline);
    assert_eq!(both.join(&pipeline), got, "equal parts are shared");
    let (a, b) = (layers(&cpu(), &pipeline, &[&pipeline.output], &far()), layers(&cpu(), &both, &[&got], &far()));
    assert_eq!(bits(&a[0].values), bits(&b[0].values));
    assert_eq!(pipeline.underneath(), Some("hills"));
    assert_eq!(pipeline.unused(&[]), Vec::<&str>::new());
    let at = Recipe::from_toml(&text.replace("\"hydraulic.water\"", "\"hydraulic.watre\""), "chain.toml").expect_err("no such output");
    assert!(at.location().is_some_and(|at| at.line > 1) && at.to_string().contains("hydraulic.water"), "{at}");
}
