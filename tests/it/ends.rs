//! Every parameter of every kind at both ends of its range. Either f32 is within its stated bounds and values are within the
//! proven range, or the refusal names the node or stage. Also ranges of stages, with parameters drawn at random.
//!
//! `OROGEN_DRILLS=100` takes every example instead of one of each kind, runs the command's `verify` for one of each, and draws a
//! hundred times as often.

use crate::drill::rounds;
use crate::nodes;
use crate::stages::{examples, hills, outputs};
use crate::support::{Random, Scratch, command, cpu, gpu, oracle, path, text};
use orogen::node::{Allowed, Fractal, Hash, Input, KindInfo, Node, ParamInfo, ParamType, Polar, Simplex};
use orogen::stage::{Combine, CombineBy, Pipeline, Stage};
use orogen::{Backend, Engine, EngineOptions, Interval, Layer, Noise, Recipe, Region, Setting, f32_bounds};

/// Share of the largest magnitude above which rounding makes a comparison of f32 and f64 meaningless, as in `verify`.
const SHAKY: f64 = 0.1;

/// Values of a parameter at the ends of its range.
fn ends(param: &ParamInfo) -> Vec<Setting> {
    let (length, lo, hi) = match param.allowed {
        Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi) => (1, lo, hi),
        Allowed::Each(lo, hi) => (2, lo, hi),
        Allowed::List(most, lo, hi) => (most, lo, hi),
        Allowed::Terms(_, lo, hi) => (1, lo, hi),
        Allowed::Seed => return [0, u64::MAX].map(|seed| Setting::Integer(i128::from(seed))).into(),
        _ if param.param_type == ParamType::Input => (1, -1e15, 1e15),
        _ => return Vec::new(),
    };
    let setting = |x: f64| match param.param_type {
        ParamType::Number | ParamType::Input => Some(Setting::Number(x)),
        ParamType::Whole => Some(Setting::Integer(x as i128)),
        ParamType::Pair => Some(Setting::Numbers(vec![x; 2])),
        ParamType::Vector => Some(Setting::Numbers(vec![x; 3])),
        ParamType::Numbers => Some(Setting::Numbers(vec![x; length])),
        ParamType::Vectors => Some(Setting::Vectors(vec![[x; 3]; 32])),
        _ => None,
    };
    [lo, hi].into_iter().filter_map(setting).collect()
}

/// The nodes of a noise with one parameter of its output changed; `None` where the setting does not suit it.
fn changed(noise: &Noise, param: &ParamInfo, end: &Setting) -> Option<Noise> {
    let mut graph = noise.graph().clone();
    let output = graph.output.clone();
    graph.node.get_mut(&output)?.set(param.name, end.clone()).ok()?;
    Some(Noise::from(graph))
}

/// NaN is beyond every bound.
fn beyond(off: f32, bound: f64) -> bool {
    off.is_nan() || f64::from(off.abs()) > bound
}

/// The faults of a noise on a region that `verify` would find.
fn wrong(noise: &Noise, region: &Region) -> Option<String> {
    let (single, double) = match (cpu().field(noise, region), oracle().field(noise, region)) {
        (Ok(single), Ok(double)) => (single.values, double.values),
        (Err(single), Err(_)) => {
            let told = single.to_string();
            return (!noise.graph().node.keys().any(|name| told.contains(&format!("'{name}'")))).then(|| format!("no node in: {told}"));
        }
        (single, double) => return Some(format!("refused by one: {:?}, {:?}", single.err(), double.err())),
    };
    let range = noise.range().expect("it was evaluated");
    if let Some(value) = single.iter().chain(&double).find(|value| !range.contains(f64::from(**value))) {
        return Some(format!("{value:e} leaves {range:?}"));
    }
    let bounds = f32_bounds(noise, region).expect("it was evaluated");
    let largest = double.iter().fold(f64::from(f32::MIN_POSITIVE), |m, x| m.max(f64::from(x.abs())));
    let beyond: Vec<usize> = (0..bounds.len()).filter(|&i| beyond(single[i] - double[i], bounds[i])).collect();
    let shaky = bounds.iter().filter(|bound| **bound > SHAKY * largest).count();
    let first = *beyond.first()?;
    let found = format!("{} beyond: {:e} for {:e} ± {:e}", beyond.len(), single[first], double[first], bounds[first]);
    (2 * shaky <= bounds.len()).then_some(found)
}

#[test]
fn every_parameter_of_every_node_keeps_its_bounds_at_both_ends() {
    let (mut tried, mut failed) = (0, Vec::new());
    let scratch = Scratch::new("ends");
    for KindInfo { kind, params, .. } in Node::TABLE {
        let all = nodes::of_kind(kind);
        let count = if rounds() > 1 { all.len() } else { 1 };
        for (i, noise) in all.into_iter().take(count).enumerate() {
            for param in *params {
                for end in ends(param) {
                    let Some(noise) = changed(&noise, param, &end) else { continue };
                    tried += 1;
                    for [x, y] in [[0, 0], [-72, 120], [24_000_000, -24_000_000]] {
                        let region = Region { origin: [x, y, 0], ..Region::plane(24, 24) };
                        if let Some(found) = wrong(&noise, &region) {
                            failed.push(format!("{kind} {i}, {} = {end:?}, at {x}, {y}: {found}", param.name));
                        }
                    }
                    if rounds() > 1
                        && i == 0
                        && let Ok(recipe) = Recipe::new(Pipeline::from(&noise)).to_toml()
                    {
                        let file = scratch.file("r.toml", &recipe);
                        let output = command(&["verify", path(&file), "--backend", "cpu"]).output().expect("the command");
                        if !matches!(output.status.code(), Some(0 | 65)) {
                            let said = text(&output.stdout).lines().filter(|line| line.starts_with("FAIL")).collect::<Vec<_>>().join("; ");
                            failed.push(format!("{kind} {i}, {} = {end:?}: verify {:?}: {said}", param.name, output.status.code()));
                        }
                    }
                }
            }
        }
    }
    println!("{tried} settings");
    assert!(failed.is_empty(), "{} of {tried}:\n{}", failed.len(), failed.join("\n"));
}

/// Steps far above the values, and a position that is small compared with the size of its circles.
#[test]
fn numbers_far_above_the_values_are_within_the_bounds() {
    let noise = || Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() });
    for far in [noise().terrace(123.456, 0.3), noise().polar(Polar { size: 10_000.0, ..Default::default() })] {
        assert_eq!(wrong(&far, &Region::plane(48, 48)), None);
    }
}

/// Noises whose positions f32 does not resolve, and one whose offset leaves f64 no digits for a displacement of a millionth of a cell.
#[test]
fn positions_far_out_are_within_the_bounds() {
    let simplex = |dimensions| Simplex { dimensions, wavelength: 23.0, ..Default::default() };
    let [plain, three] = [2, 3].map(|dimensions| Noise::simplex(simplex(dimensions)));
    let fbm = plain.clone().fractal(Fractal { octaves: 4, ..Default::default() });
    let inner = fbm.clone().warp([three.clone(), plain.clone(), fbm.clone()], 6.0);
    let document = Simplex { hash: Hash::Permutation289, offset: Some([-1e12; 3]), ..simplex(3) };
    let bounds = |noise: &Noise| f32_bounds(noise, &Region::plane(24, 24)).expect("bounds");
    for far in [1e15, -1e15] {
        let warped = inner.clone().warp([Noise::constant(far), fbm.clone(), three.clone()], 5.0);
        let placed = inner.clone().domain([three.clone(), plain.clone(), Noise::constant(far)]);
        for noise in [warped, placed] {
            let [single, double] = [cpu(), oracle()].map(|engine| engine.field(&noise, &Region::plane(24, 24)).expect("values").values);
            let off = single.iter().zip(&double).map(|(a, b)| f64::from((a - b).abs()));
            assert!(off.zip(bounds(&noise)).all(|(off, bound)| off <= bound), "at {far:e}");
        }
        // A plane noise does not read z.
        let plane = plain.clone().domain([three.clone(), three.clone(), Noise::constant(far)]);
        assert!(bounds(&plane).into_iter().all(|bound| bound < 1e-4), "z at {far:e}");
    }
    assert_eq!(wrong(&Noise::simplex(document), &Region { origin: [24_000_000, -24_000_000, 0], ..Region::plane(24, 24) }), None);
}

/// Whole turns change nothing, so that a large phase is as accurate as a small one.
#[test]
fn large_phases_cost_no_accuracy() {
    for phase in [100.3, -100.3, 10_000.3, 1e6] {
        let noise = Noise::simplex(Simplex { wavelength: 40.0, ..Default::default() }).sine(0.5, phase);
        let region = Region::plane(48, 48);
        let [single, double] = [cpu(), oracle()].map(|engine| engine.field(&noise, &region).expect("values").values);
        let off = single.iter().zip(&double).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 4e-6, "phase {phase}: {off:e}");
    }
}

/// An engine whose stages may take little memory, so that what reaches far is refused instead of taking long.
fn small(backend: Backend) -> Engine {
    Engine::open(&EngineOptions { backend, memory: Some(8 << 20), ..Default::default() }).expect("an engine without a GPU always opens")
}

fn contains(range: Interval, layer: &Layer) -> Option<String> {
    let [lo, hi] = layer.extent().map(f64::from);
    let inside = range.contains(lo) && range.contains(hi);
    (!inside).then(|| format!("'{}' from {lo:e} to {hi:e} leaves {range:?}", layer.name))
}

/// All outputs of a pipeline's last stage on a region, held to their ranges; `None` where it was refused, which then names the stage.
fn held(engine: &Engine, pipeline: &Pipeline, region: &Region, failed: &mut Vec<String>) -> Option<Vec<Layer>> {
    let layers = match engine.layers(pipeline, &outputs(pipeline), region) {
        Ok(layers) => layers,
        Err(error) => {
            let told = error.to_string();
            let names = pipeline.stage.keys().chain(pipeline.node.keys());
            let named = names.into_iter().any(|name| told.contains(&format!("'{name}'")));
            if !named {
                failed.push(format!("nothing is named in: {told}"));
            }
            return None;
        }
    };
    for layer in &layers {
        failed.extend(pipeline.range(&layer.name).and_then(|range| contains(range, layer)));
    }
    Some(layers)
}

/// The examples of single stages: of each kind one, or all.
fn single_stages() -> Vec<Pipeline> {
    let mut kinds = Vec::new();
    let mut all: Vec<Pipeline> = examples().into_iter().map(|(_, pipeline)| pipeline).filter(|p| p.stage.len() == 1).collect();
    all.retain(|pipeline| {
        let kind = pipeline.stage[&pipeline.output].info().kind;
        let new = !kinds.contains(&kind);
        kinds.push(kind);
        new || rounds() > 1
    });
    all
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_parameter_of_every_stage_keeps_its_range_at_both_ends() {
    let (mut tried, mut failed) = (0, Vec::new());
    let (single, double) = (small(Backend::Cpu), small(Backend::Oracle));
    let region = Region { spacing: 0.75, ..Region::plane(20, 9) };
    for pipeline in single_stages() {
        let name = pipeline.output.clone();
        for param in pipeline.stage[&name].info().params {
            for end in ends(param) {
                let mut pipeline = pipeline.clone();
                if pipeline.stage[&name].set(param.name, end.clone()).is_err() {
                    continue;
                }
                tried += 1;
                let before = failed.len();
                let on_cpu = held(&single, &pipeline, &region, &mut failed);
                held(&double, &pipeline, &region, &mut failed);
                if let Some(on_cpu) = on_cpu {
                    match gpu().layers(&pipeline, &outputs(&pipeline), &region) {
                        Ok(on_gpu) if on_gpu == on_cpu => (),
                        Ok(_) => failed.push("other bits on the GPU".to_owned()),
                        Err(error) => failed.push(format!("the GPU refuses: {error}")),
                    }
                }
                for line in &mut failed[before..] {
                    *line = format!("{name}, {} = {end:?}: {line}", param.name);
                }
            }
        }
    }
    println!("{tried} settings");
    assert!(failed.is_empty(), "{} of {tried}:\n{}", failed.len(), failed.join("\n"));
}

/// A value within a range, small and large magnitudes alike.
fn drawn(random: &mut Random, lo: f64, hi: f64) -> f64 {
    let most = lo.abs().max(hi.abs()).clamp(1e-3, 1e4);
    let size = most * 10_f64.powf(random.between(-4.0, 0.0));
    let x = if lo < 0.0 && random.between(0.0, 1.0) < 0.5 { -size } else { size };
    x.clamp(lo, hi)
}

/// A stage with numbers drawn at random, small enough to be computed in a moment.
fn random_stage(random: &mut Random, stage: &Stage) -> Stage {
    let mut stage = stage.clone();
    for param in stage.info().params {
        let (Allowed::Between(lo, hi), true) = (param.allowed, random.between(0.0, 1.0) < 0.6) else { continue };
        let setting = match param.param_type {
            ParamType::Number => Setting::Number(drawn(random, lo, hi)),
            ParamType::Whole if param.name == "cell" || param.name == "size" => Setting::Integer(1 << random.between(1.0, 6.0) as u32),
            ParamType::Whole => Setting::Integer(random.between(lo, hi.min(12.0)) as i128),
            _ => continue,
        };
        // A few filters are as wide as their numbers say.
        let wide = matches!(param.name, "sigma") && setting != Setting::Number(drawn(random, lo, 4.0));
        let setting = if wide { Setting::Number(random.between(lo, 4.0)) } else { setting };
        stage.set(param.name, setting).expect("within its range");
    }
    stage
}

#[test]
fn ranges_of_stages_hold_for_numbers_drawn_at_random() {
    let (mut tried, mut failed) = (0, Vec::new());
    let mut random = Random(0x5eed);
    let (single, double) = (small(Backend::Cpu), small(Backend::Oracle));
    for round in 0..24 * rounds() {
        for pipeline in single_stages() {
            let name = pipeline.output.clone();
            let [scale, offset, of] = [0; 3].map(|_| drawn(&mut random, -1e4, 1e4));
            let clamp = random.between(0.0, 1.0) < 0.5;
            // Plateaus meet the ends of ranges exactly.
            let heights = hills().scale_offset(scale, offset);
            let [lo, hi] = [offset - 0.3 * scale.abs(), offset + 0.4 * scale.abs()];
            let heights = if clamp { heights.clamp(lo, hi) } else { heights };
            let stage = random_stage(&mut random, &pipeline.stage[&name]);
            let mut chain = Pipeline::from(heights.named("heights")).named("first", stage);
            if chain.stage["first"].inputs().iter().any(|(_, input)| matches!(input, Input::Node(name) if name == "hills")) {
                let mut json = serde_json::to_value(&chain).expect("a pipeline");
                for (_, value) in json["stage"]["first"].as_object_mut().expect("a stage") {
                    if value == "hills" {
                        *value = "heights".into();
                    }
                }
                chain = serde_json::from_value(json).expect("a pipeline");
            }
            // Every second time a further stage reads the first.
            if round % 2 == 1 && chain.stage["first"].outputs()[0].channels == 1 {
                let combine = Combine { b: of.into(), by: *pick(&mut random, CombineBy::ALL), ..Default::default() };
                chain = chain.then(combine);
            }
            tried += 1;
            let region = Region { origin: [(random.between(-1e4, 1e4)) as i64, 7, 0], spacing: 0.75, ..Region::plane(33, 21) };
            let before = failed.len();
            held(&single, &chain, &region, &mut failed);
            held(&double, &chain, &region, &mut failed);
            for line in &mut failed[before..] {
                *line = format!(
                    "{line}: {:?}, heights {scale:e} · hills + {offset:e}, held: {clamp}",
                    chain.stage.values().collect::<Vec<_>>()
                );
            }
        }
    }
    println!("{tried} pipelines");
    assert!(failed.is_empty(), "{} of {tried}:\n{}", failed.len(), failed[..failed.len().min(20)].join("\n"));
}

fn pick<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    &all[(random.between(0.0, all.len() as f64) as usize).min(all.len() - 1)]
}

#[test]
fn opaque_colours_are_opaque_to_the_last_digit() {
    for (name, pipeline) in examples() {
        if pipeline.stage[&pipeline.output].info().kind != "colour" || serde_json::to_string(&pipeline).expect("JSON").contains("#ffffff80")
        {
            continue;
        }
        for engine in [cpu(), oracle()] {
            let layer = engine.layers(&pipeline, &[&pipeline.output], &Region::plane(90, 70)).expect("a layer").remove(0);
            assert!(layer.values.chunks_exact(4).all(|colour| colour[3].to_bits() == 1.0_f32.to_bits()), "{name}");
        }
    }
}
