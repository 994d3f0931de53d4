//! Every stage joined with every other, and every plane input fed by every stage: the same bits on CPU and GPU, and the values of
//! the parts.
//!
//! `OROGEN_DRILLS=100` runs all combinations at all sizes; without it each combination runs at one of them.

use crate::drill::rounds;
use crate::stages::{bound, examples, hills, node};
use crate::support::{cpu, gpu, oracle};
use orogen::node::Input;
use orogen::stage::{Combine, Given, Pipeline, Stage};
use orogen::{Engine, Field, Layer, Region};

/// One sample, less than a vector, and more than a tile of a batch.
const SIZES: [[u32; 2]; 3] = [[1, 1], [17, 9], [150, 70]];
/// Samples around a region that every example of a consumer can do with.
const MARGIN: u32 = 26;
/// Samples around a region whose values count for the size of the values in it.
const NEAR: u32 = 2;

fn region([x, y]: [u32; 2]) -> Region {
    Region { origin: [1_000_000_007, -35, 0], spacing: 0.75, anchor: [0.3, -0.1, 2.0], ..Region::plane(x, y) }
}

fn grown(region: &Region, margin: u32) -> Region {
    let [x, y, z] = region.origin;
    let size = [region.size[0] + 2 * margin, region.size[1] + 2 * margin, 1];
    Region { origin: [x - i64::from(margin), y - i64::from(margin), z], size, ..*region }
}

/// The sizes at which the `i`th combination is tried.
fn sizes(i: usize) -> Vec<[u32; 2]> {
    if rounds() > 1 { SIZES.to_vec() } else { vec![SIZES[i % SIZES.len()]] }
}

/// An example of every kind: the last of those with the most stages as inputs, which for combinations is a blend.
fn of_each_kind() -> Vec<(&'static str, Pipeline)> {
    let mut all: Vec<(&'static str, Pipeline)> = Vec::new();
    let named = |p: &Pipeline| p.stage[&p.output].inputs().into_iter().filter(|(_, input)| matches!(input, Input::Node(_))).count();
    for (_, pipeline) in examples() {
        let kind = pipeline.stage[&pipeline.output].info().kind;
        // A chain is taken only for the inputs that a colour has. Drainage traces a finite world: larger regions leave it, and a world
        // of one sample may lack an outlet. `water` has its tests.
        if (pipeline.stage.len() > 1 && !kind.starts_with("colour")) || kind == "drainage" {
            continue;
        }
        match all.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) if named(&pipeline) >= named(known) => *known = pipeline,
            Some(_) => (),
            None => all.push((kind, pipeline)),
        }
    }
    all
}

/// The inputs of the last stage that take one channel.
fn plane_inputs(pipeline: &Pipeline) -> Vec<&'static str> {
    let stage = &pipeline.stage[&pipeline.output];
    let params = stage.inputs().into_iter().map(|(param, _)| param);
    params.filter(|param| !(stage.info().kind.starts_with("colour") && *param == "under")).collect()
}

/// The last stage of a pipeline, on the nodes that all examples share.
fn last(pipeline: &Pipeline) -> Stage {
    pipeline.stage[&pipeline.output].clone()
}

fn layer(engine: &Engine, pipeline: &Pipeline, output: &str, region: &Region, what: &str) -> Layer {
    engine.layers(pipeline, &[output], region).unwrap_or_else(|error| panic!("{what}: {error}")).remove(0)
}

fn largest(values: &[f32]) -> f32 {
    values.iter().fold(1e-6, |m, x| m.max(x.abs()))
}

fn assert_bits(a: &[f32], b: &[f32], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    if let Some(i) = a.iter().zip(b).position(|(a, b)| a.to_bits() != b.to_bits()) {
        panic!("{what}: number {i}: {:e} against {:e}", a[i], b[i]);
    }
}

/// The sum of two stages is the sum of their values, on each engine.
fn sums(on_gpu: bool) {
    let kinds: Vec<_> = of_each_kind().into_iter().filter(|(_, p)| p.stage[&p.output].outputs()[0].channels == 1).collect();
    let (cpu, oracle) = (cpu(), oracle());
    let mut combination = 0;
    for (i, (a_kind, a)) in kinds.iter().enumerate() {
        for (b_kind, b) in &kinds[i..] {
            let both = Pipeline::from(hills()).named("a", last(a)).named("b", last(b));
            let sum = both.then(Combine { a: node("a"), b: node("b"), ..Default::default() });
            combination += 1;
            for size in sizes(combination) {
                let (region, what) = (region(size), format!("{a_kind} + {b_kind}, {size:?}"));
                let sum = cpu.measure(&sum, &[&sum.output], &[region]).unwrap_or_else(|error| panic!("{what}: {error}"));
                let single = layer(&cpu, &sum, &sum.output, &region, &what).values;
                if on_gpu {
                    assert_bits(&layer(gpu(), &sum, &sum.output, &region, &what).values, &single, &what);
                    continue;
                }
                let parts = ["a", "b"].map(|part| layer(&cpu, &sum, part, &region, &what).values);
                let expected: Vec<f32> = parts[0].iter().zip(&parts[1]).map(|(a, b)| a + b + 0.0).collect();
                assert_bits(&single, &expected, &what);
                // Of a few values each is a quantile: next to one, rounding decides between ranks.
                if [a_kind, b_kind].contains(&&"equalise") && region.samples() < 1000 {
                    continue;
                }
                let exact = layer(&oracle, &sum, &sum.output, &region, &what).values;
                let allowed = bound(a_kind) * largest(&parts[0]) + bound(b_kind) * largest(&parts[1]);
                let off = single.iter().zip(&exact).fold(0.0_f32, |m, (a, b)| m.max((a - b).abs()));
                assert!(off <= allowed, "{what}: {off:e} of {allowed:e} from the oracle");
            }
        }
    }
    println!("{combination} sums");
}

#[test]
fn any_two_stages_add_up_to_the_sum_of_their_values() {
    sums(false);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn any_two_stages_add_up_to_the_same_bits_on_the_gpu() {
    sums(true);
}

/// The pipeline with another stage's output as one of its last stage's inputs.
fn fed(pipeline: &Pipeline, param: &str, name: &str) -> Pipeline {
    let mut json = serde_json::to_value(pipeline).expect("a pipeline");
    json["stage"][&pipeline.output][param] = name.into();
    serde_json::from_value(json).expect("a pipeline")
}

/// Every input of every kind, fed by every output of every kind.
fn feeds(mut check: impl FnMut(&Pipeline, &str, &str, &Region, &str)) {
    let kinds = of_each_kind();
    let mut combination = 0;
    // A landscape reads its inputs on a grid of its own, which a caller's field does not have. `landscape` has its tests.
    for (kind, consumer) in kinds.iter().filter(|(kind, _)| *kind != "stream_power") {
        for param in plane_inputs(consumer) {
            for (_, producer) in kinds.iter().filter(|(_, producer)| producer.stage.len() == 1) {
                let mut both = consumer.clone();
                both.stage.insert("source".to_owned(), last(producer));
                for output in last(producer).outputs().iter().filter(|output| output.channels == 1) {
                    let source = if output.name.is_empty() { "source".to_owned() } else { format!("source.{}", output.name) };
                    let pipeline = fed(&both, param, &source);
                    combination += 1;
                    for size in sizes(combination) {
                        let what = format!("{} {} as {param} of {kind}, {size:?}", producer.output, output.name);
                        check(&pipeline, &source, param, &region(size), &what);
                    }
                }
            }
        }
    }
    println!("{combination} feeds");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn any_input_takes_any_stage_with_the_same_bits_on_the_gpu() {
    let cpu = cpu();
    feeds(|pipeline, _, _, region, what| {
        let [on_gpu, on_cpu] = [gpu(), &cpu].map(|engine| layer(engine, pipeline, &pipeline.output, region, what).values);
        assert_bits(&on_gpu, &on_cpu, what);
    });
}

/// A stage computes the same from another stage's values as from a field of the same numbers. From that field f64 computes the
/// same as f32, within the kind's bound.
#[test]
fn any_input_takes_any_stage_as_it_takes_a_field() {
    let (cpu, oracle) = (cpu(), oracle());
    feeds(|pipeline, source, param, region, what| {
        let kind = pipeline.stage[&pipeline.output].info().kind;
        // Erosion reads its inputs on coarser grids, too, where another stage has other values. `erosion` compares it with a field.
        if kind == "erosion" {
            return;
        }
        let measured = cpu.measure(pipeline, &[&pipeline.output], &[*region]).unwrap_or_else(|error| panic!("{what}: {error}"));
        let chain = layer(&cpu, &measured, &measured.output, region, what);
        let wide = grown(region, MARGIN);
        let values = layer(&cpu, &measured, source, &wide, what).values;
        let field = Field { region: wide, values, gradients: None };
        let mut brought = fed(&measured, param, "brought");
        brought.stage.insert("brought".to_owned(), Stage::from(Given {}));
        let run = |engine: &Engine| {
            engine.apply(&brought, &[&brought.output], &field).unwrap_or_else(|error| panic!("{what}: {error}")).remove(0)
        };
        assert_bits(&chain.values, &cropped(&run(&cpu), region), what);
        let all = run(&oracle);
        let exact = cropped(&all, region);
        // Bounds are shares of the largest value. A region of one sample may hold a small one next to large ones.
        let near = cropped(&all, &grown(region, NEAR));
        // Rain and hardness are shares: beyond, erosion is another process, in which small differences grow.
        let [lo, hi] = field.extent();
        if matches!(param, "rain_on" | "hardness") && (lo < 0.0 || hi > 1.0) {
            return;
        }
        let off = chain.values.iter().zip(&exact).fold(0.0_f32, |m, (a, b)| m.max((a - b).abs()));
        let allowed = bound(kind) * largest(&near) + rank(&measured);
        assert!(off <= allowed, "{what}: {off:e} of {allowed:e} from the oracle");
    });
}

/// The resolution between two ranks of an equalised field: close quantiles are the same number in f32.
fn rank(pipeline: &Pipeline) -> f32 {
    match last(pipeline) {
        Stage::EqualiseWorld(n) => (2.0 * (n.high - n.low).abs() / (n.measured.len() as f64 - 1.0)) as f32,
        _ => 0.0,
    }
}

/// The samples of a layer that a region within it has.
fn cropped(layer: &Layer, region: &Region) -> Vec<f32> {
    let [width, row] = [layer.region.size[0], region.size[0]].map(|x| x as usize * layer.channels);
    let [x, y] = [0, 1].map(|a| (region.origin[a] - layer.region.origin[a]) as usize);
    layer
        .values
        .chunks_exact(width)
        .skip(y)
        .take(region.size[1] as usize)
        .flat_map(|line| &line[x * layer.channels..][..row])
        .copied()
        .collect()
}
