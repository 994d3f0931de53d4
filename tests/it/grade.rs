//! Land graded along the water: walks to the outlet, and the same bits for any cut of the world.

use crate::stages::{hills, node};
use crate::support::{Scratch, cpu, expect, gpu, path, run, text};
use crate::water::{assert_same, shards_have_the_root_of_one_process};
use orogen::node::Input;
use orogen::stage::{Drainage, Gaussian, Given, Grade, Mask, Pipeline};
use orogen::{Backend, Engine, EngineOptions, Field, Layer, Noise, Region, Threads};

/// Larger than the squares in which water is traced, across no round number.
fn world() -> Region {
    Region { origin: [-301, 40, 0], spacing: 2.0, ..Region::plane(1100, 560) }
}

/// Hard and soft rock, and none in places.
fn rocks() -> Noise {
    hills().scale_offset(0.02, 0.06)
}

/// A grade of hills in a sea, and one of what that is.
fn chain() -> Pipeline {
    let wet = Pipeline::from(hills()).named("water", Drainage { sea: Some(-3.0), breach: 0.4, seed: 7, ..Default::default() });
    let wet = wet.with("rocks", &rocks()).expect("a free name");
    let first = wet.named("first", Grade { of: node("water"), steepness: node("rocks"), slope: Some(0.9), ..Default::default() });
    let again = first.named("streams", Drainage { of: node("first"), sea: Some(-3.0), seed: 8, ..Default::default() });
    let second = again.named("second", Grade { of: node("streams"), steepness: node("rocks"), concavity: 0.5, ..Default::default() });
    second.named("soft", Gaussian { of: node("second"), sigma: 2.0 })
}

const LAYERS: [&str; 4] = ["soft", "first", "second", "streams.area"];

fn layers(pipeline: &Pipeline, names: &[&str], world: &Region) -> Vec<Layer> {
    cpu().layers(pipeline, names, world).expect("layers")
}

#[test]
fn heights_are_sums_along_the_way_to_the_outlet() {
    let (world, pipeline) = (world(), chain());
    let width = world.size[0] as usize;
    let names = ["first", "water", "water.flow_x", "water.flow_y", "water.area", "rocks"];
    let found = layers(&pipeline, &names, &world);
    let [first, water, x, y, area, rocks] = &found[..] else { panic!("six layers") };
    let next = |i: usize| {
        let [dx, dy] = [x, y].map(|along| (along.values[i] > 0.0) as isize - (along.values[i] < 0.0) as isize);
        (dx != 0 || dy != 0).then(|| (i.wrapping_add_signed(dy * width as isize + dx), dx != 0 && dy != 0))
    };
    let rise = |i: usize, is_diagonal: bool| {
        let steep = f64::from(rocks.values[i].max(0.0)) / f64::from(area.values[i]).powf(0.45);
        let slope = (steep / (1.0 + (steep / 0.9).powi(2)).sqrt()) as f32;
        (f64::from(slope) * 2.0 * if is_diagonal { 2.0_f64.sqrt() } else { 1.0 } * 1_048_576.0).round()
    };
    let (mut flat, mut in_the_sea) = (0, 0);
    for i in (0..first.values.len()).step_by(13) {
        let (mut at, mut parts) = (i, 0.0);
        while let Some((to, is_diagonal)) = next(at) {
            parts += rise(at, is_diagonal);
            at = to;
        }
        let foot = (f64::from(water.values[at].max(-3.0)) * 1_048_576.0).ceil();
        let expected = if at == i { water.values[i] } else { ((foot + parts) / 1_048_576.0) as f32 };
        // `powf` may differ from the last bit on.
        assert!((first.values[i] - expected).abs() <= expected.abs() * 1e-6 + 1e-4, "sample {i}: {} against {expected}", first.values[i]);
        flat += usize::from(rocks.values[i] < 0.0);
        in_the_sea += usize::from(at == i && water.values[i] < -3.0);
    }
    assert!(flat > 100 && in_the_sea > 100, "{flat} without slope, {in_the_sea} in the sea");
    // Land never falls upstream, so no water stands on it.
    for i in 0..first.values.len() {
        assert!(next(i).is_none_or(|(to, _)| first.values[to] <= first.values[i]), "sample {i}");
    }
    for of in ["first", "second"] {
        let dry = pipeline.clone().named("dry", Drainage { of: node(of), sea: Some(-3.0), seed: 9, ..Default::default() });
        let depth = layers(&dry, &["dry.depth"], &world).remove(0);
        assert_eq!(depth.extent(), [0.0, 0.0], "water stands on '{of}'");
    }
    // With a slope of 1, heights are lengths.
    let of = |drainage: Drainage| {
        let wet = Pipeline::from(Noise::constant(5.0).named("flat")).named("water", drainage);
        let far = wet.then(Grade { of: node("water"), concavity: 0.0, ..Default::default() });
        layers(&far, &["grade", "water.distance"], &Region { size: [90, 70, 1], ..world })
    };
    let [lengths, distances] = &of(Drainage::default())[..] else { panic!("two layers") };
    let differs = |(length, distance): (&f32, &f32)| (length - 5.0 - distance).abs() > distance * 1e-5;
    assert!(lengths.extent()[1] > 70.0 && !lengths.values.iter().zip(&distances.values).any(differs), "{:?}", lengths.extent());
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn grades_have_the_same_bits_for_any_tile_memory_and_engine() {
    let (pipeline, world) = (chain(), world());
    let engine = |memory, threads| {
        Engine::open(&EngineOptions { backend: Backend::Cpu, memory: Some(memory), threads, ..Default::default() }).expect("an engine")
    };
    let whole = layers(&pipeline, &LAYERS, &world);
    let engines = [("the CPU", cpu()), ("little memory", engine(1 << 22, Threads::Caller)), ("a GPU", gpu().clone())];
    for (what, engine) in &engines {
        let measured = engine.measure(&pipeline, &LAYERS, &[world]).expect("a measured pipeline");
        assert!(measured.unmeasured().is_empty() && pipeline.unmeasured() == ["water", "first", "streams", "second"]);
        for (tile, [x, y]) in [(8, [508, 300]), (8, [0, 0]), (100, [450, 460]), (512, [588, 48]), (560, [100, 0])] {
            let region = Region { origin: [world.origin[0] + x, world.origin[1] + y, 0], size: [tile, tile, 1], ..world };
            for (layer, whole) in engine.layers(&measured, &LAYERS, &region).expect("layers").iter().zip(&whole) {
                let row = |row: i64| &whole.values[((y + row) * 1100 + x) as usize..][..tile as usize];
                let part: Vec<f32> = (0..i64::from(tile)).flat_map(|y| row(y).iter().copied()).collect();
                assert_same(layer, &part, &format!("{what}, {tile}² at {x}, {y}"));
            }
        }
        // An engine that has not measured the world itself.
        let region = Region { size: [700, 90, 1], ..world };
        let found = engine.layers(&measured, &LAYERS, &region).expect("layers");
        for (layer, other) in found.iter().zip(cpu().layers(&measured, &LAYERS, &region).expect("layers")) {
            assert_same(layer, &other.values, what);
        }
        let beyond = Region { origin: [world.origin[0] - 1, 41, 0], size: [8, 8, 1], ..world };
        let error = engine.layers(&measured, &["second"], &beyond).expect_err("refused").to_string();
        assert!(error.contains("are not part of the world whose water is traced; allowed: part of its 1100 × 560"), "{error}");
    }
    // A field of the caller's.
    let heights = cpu().layer(&Pipeline::from(hills()), &world).expect("heights");
    let field = Field { region: world, values: heights.values, gradients: None };
    let of = |base: Pipeline| base.named("water", Drainage::default()).then(Grade { of: node("water"), ..Default::default() });
    let applied = cpu().apply(&of(Pipeline::source(Given {})), &["grade"], &field).expect("a layer");
    assert_same(&applied[0], &layers(&of(Pipeline::from(hills())), &["grade"], &world)[0].values, "a field of the caller's");
}

#[test]
fn shards_grade_the_land_of_one_process() {
    shards_have_the_root_of_one_process(&chain(), &LAYERS, 6, "grade");
}

#[test]
fn grades_of_other_things_than_water_are_refused() {
    let region = Region::plane(30, 20);
    let wet = |drainage: Drainage| Pipeline::from(hills()).named("water", drainage);
    let refused = |pipeline: &Pipeline| cpu().layers(pipeline, &["grade"], &region).expect_err("refused").to_string();
    let of = |grade: Grade| wet(Drainage::default()).then(grade);
    let mask = wet(Drainage::default()).named("mask", Mask::default());
    let on = || Grade { of: node("water"), ..Default::default() };
    let drainage = "allowed: the name of a stage `drainage`";
    for (pipeline, told) in [
        (of(Grade { of: node("hills"), ..on() }), &["stage 'grade': of = 'hills' is not allowed", drainage][..]),
        (of(Grade { of: node("water.bed"), ..on() }), &["stage 'grade': of = 'water.bed' is not allowed", drainage]),
        (mask.then(Grade { of: node("mask"), ..on() }), &["stage 'grade': of = 'mask' is not allowed", drainage]),
        (of(Grade { of: Input::Value(2.0), ..on() }), &["stage 'grade': of = 2 is not allowed", drainage]),
        (of(Grade { steepness: Input::Value(-0.5), ..on() }), &["stage 'grade': steepness = -0.5 is not allowed; allowed: 0 to 1e15"]),
        (of(Grade { steepness: Input::Value(f64::NAN), ..on() }), &["stage 'grade': steepness = NaN is not allowed"]),
        (of(Grade { concavity: 1.5, ..on() }), &["stage 'grade': concavity = 1.5 is not allowed; allowed: 0 to 1"]),
        (of(Grade { slope: Some(0.0), ..on() }), &["stage 'grade': slope = 0 is not allowed"]),
        (of(Grade { measured: Some(vec![1.0; 3]), ..on() }), &["stage 'grade': measured"]),
        (
            of(Grade { measured: Some(vec![0.0, 0.0, 31.0, 20.0, 0.0, 1.0, 0.0, 0.0, 0.0]), ..on() }),
            &["stage 'grade': measured", "allowed: the same numbers as in its drainage"],
        ),
        (
            wet(Drainage { sea: Some(2e9), ..Default::default() }).then(on()),
            &["stage 'grade': the height of the outlet at sample 0, 0 is 2000000000; allowed: -1e9 to 1e9"],
        ),
    ] {
        let error = refused(&pipeline);
        assert!(told.iter().all(|told| error.contains(told)), "{error}");
    }
    let endless = cpu().job(&of(on()), &["grade"], &region).expect_err("refused").to_string();
    assert!(endless.contains("depends on the whole world"), "{endless}");
    let mut field = Field { region, values: vec![0.5; 600], gradients: None };
    let brought = Pipeline::source(Given {}).named("water", Drainage { of: Input::Node("flat".to_owned()), ..Default::default() });
    let brought = brought.with("flat", &Noise::constant(1.0)).expect("a free name");
    let brought = brought.then(Grade { steepness: node("given"), ..on() });
    field.values[217] = f32::NAN;
    let error = cpu().apply(&brought, &["grade"], &field).expect_err("NaN").to_string();
    assert!(error.contains("sample 217 is not a finite number"), "{error}");
}

const RECIPE: &str = r#"
output = "second"

[node.waves]
kind = "simplex"
wavelength = 60.0

[node.hills]
kind = "fractal"
of = "waves"
octaves = 4

[stage.water]
kind = "drainage"
of = "hills"
breach = 100.0

[stage.first]
kind = "grade"
of = "water"
steepness = 0.05
slope = 0.8

[stage.streams]
kind = "drainage"
of = "first"

[stage.second]
kind = "grade"
of = "streams"
steepness = 0.05
slope = 0.8

[bake]
tile = 192
tiles = [4, 3]
layers = ["second", "streams.area"]
"#;

/// Bakes of any memory, of one process and of shards, have one root, and the commands that check a bake find nothing.
#[test]
fn bakes_of_grades_have_one_root_and_are_checked() {
    let scratch = Scratch::new("grade-bakes");
    let recipe = scratch.file("grade.toml", RECIPE);
    let ran = |args: &[&str]| {
        let output = run(&[args, &["--backend", "cpu"]].concat(), "");
        expect(&output, 0, &[]);
        text(&output.stdout)
    };
    let root = |said: &str| said.lines().find(|line| line.contains("root")).unwrap_or_else(|| panic!("{said}")).to_owned();
    let mut roots = Vec::new();
    for memory in ["64", "512"] {
        let out = scratch.0.join(memory);
        roots.push(root(&ran(&["bake", path(&recipe), "--format", "npy", "--memory", memory, "--out", path(&out)])));
        let said = ran(&["check", path(&out), "--recompute", "0.1", "--memory", memory, "--json"]);
        assert!(said.contains("\"broken\": []") && said.contains("\"findings\": []"), "{said}");
    }
    assert_eq!(roots[0], roots[1]);
    let place = scratch.0.join("world");
    ran(&["plan", path(&recipe), "--format", "npy", "--shards", "3", "--out", path(&place)]);
    ran(&["measure", path(&place)]);
    for shard in ["0/3", "1/3", "2/3"] {
        ran(&["bake", path(&place), "--shard", shard]);
    }
    let sealed = run(&["seal", path(&place)], "");
    expect(&sealed, 0, &[]);
    let said = ran(&["check", path(&place), "--recompute", "0.1", "--json"]);
    assert!(said.contains("\"broken\": []") && said.contains("\"findings\": []"), "{said}");
    let hex = |text: &str| text.split_whitespace().find(|word| word.len() == 64).map(str::to_owned);
    assert!(hex(&roots[0]).is_some() && hex(&roots[0]) == hex(&text(&sealed.stdout)), "{} {}", roots[0], text(&sealed.stdout));
    let said = ran(&["verify", path(&recipe)]);
    assert!(!said.contains("FAILED") && said.contains("ok   drainage of 'streams'"), "{said}");
}
