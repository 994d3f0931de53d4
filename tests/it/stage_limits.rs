//! Limits of stages: ranges, parameters, sizes, measurements, and the messages of refusals.

use crate::stages::{brought, field, hash, hills, node};
use crate::support::{cpu, device, own_gpu};
use orogen::node::Input;
use orogen::stage::{
    Channel, Colour, ColourMap, ColourStop, Combine, DiamondSquare, Dropoff, EqualiseWorld, Frequency, Gaussian, Hydraulic, Mask, Normal,
    Normalise, Ocean, Pipeline, Slope, Stage, Thermal,
};
use orogen::{Backend, Engine, EngineOptions, Field, Noise, Recipe, Region};

#[test]
fn diamonds_reach_beyond_1_and_not_beyond_their_range() {
    for (cell, roughness) in [(2, 1.0), (4, 1.0), (64, 0.5)] {
        let pipeline = Pipeline::source(DiamondSquare { cell, roughness, seed: 1 });
        let range = pipeline.range("diamond_square").expect("a range");
        let [lo, hi] = cpu().layer(&pipeline, &Region::plane(600, 600)).expect("layer").extent().map(f64::from);
        assert!(range.lo <= lo && hi <= range.hi, "{lo} to {hi} of {range:?}");
        assert!(cell != 2 || hi > 1.0, "{hi} would have been in −1 to 1");
    }
}

#[test]
fn an_island_may_be_anywhere_and_of_any_size() {
    let of = |radius, width| Pipeline::from(hills()).then(Dropoff { radius, width, floor: -3.0, ..Default::default() });
    let layers = |pipeline: &Pipeline, x: i64| {
        let region = Region { origin: [x, 0, 0], ..Region::plane(16, 4) };
        let found = cpu().layers(pipeline, &["dropoff", "dropoff.mask"], &region).unwrap_or_else(|error| panic!("{x}: {error}"));
        found.into_iter().map(|layer| layer.values).collect::<Vec<_>>()
    };
    // Far beyond there is the floor, as right behind the end.
    let island = of(100.0, 100.0);
    for x in [200, 201, 1_000_000, 2_000_000_000, 1_000_000_000_000] {
        assert!(layers(&island, x)[0].iter().all(|value| *value == -3.0) && layers(&island, x)[1].iter().all(|mask| *mask == 0.0), "{x}");
    }
    assert!(layers(&island, -300)[1].iter().all(|mask| *mask == 0.0) && layers(&island, -50)[1].iter().all(|mask| *mask == 1.0));
    // As large as a continent in micrometres, and away from its middle.
    let large = of(1e11, 1e10);
    for (x, expected) in [(0, 1.0), (99_000_000_000, 1.0), (-105_000_000_000, 0.5), (112_000_000_000, 0.0)] {
        assert!(layers(&large, x)[1].iter().all(|mask| (mask - expected).abs() < 1e-3), "{x}: {:?}", layers(&large, x)[1]);
    }
    let told = of(1e12, 1e-5).check().expect_err("no width").to_string();
    assert!(told.contains("stage 'dropoff'") && told.contains("width"), "{told}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn what_cannot_be_done_is_refused_with_the_figure() {
    let region = Region::plane(256, 256);
    let message = |engine: &Engine, pipeline: &Pipeline| engine.layer(pipeline, &region).expect_err("refused").to_string();
    let small =
        |memory| Engine::open(&EngineOptions { backend: Backend::Cpu, memory: Some(memory), ..Default::default() }).expect("the CPU");
    let erosion = Pipeline::from(hills()).then(Hydraulic { iterations: 4000, ..Default::default() });
    let told = message(&small(64 << 20), &erosion);
    assert!(told.contains("stage 'hydraulic': iterations = 4000 reaches 8000 samples"), "{told}");
    assert!(told.contains("halo of 8000 samples") && told.contains("16064²") && told.contains("allowed: 64.0 MiB"), "{told}");
    // The square of a synthesis is one block for any region.
    let square = Pipeline::source(Frequency { size: 1024, ..Default::default() });
    let told = message(&small(8 << 20), &square);
    assert!(told.contains("stage 'frequency': size = 1024") && told.contains("allowed: powers of two up to 512"), "{told}");
    // Its cost is predicted without it.
    small(8 << 20).estimate(&square, &["frequency"], &region).expect("an estimate");
    {
        // One that binds no more than every device does.
        let (device, queue) = device(|_| ());
        let options = EngineOptions { backend: Backend::Gpu, memory: Some(1 << 40), ..Default::default() };
        let engine = Engine::from_device(&device, &queue, &options).expect("the same GPU");
        let told = message(&engine, &Pipeline::source(Frequency { size: 8192, ..Default::default() }));
        assert!(told.contains("stage 'frequency': size = 8192") && told.contains("--memory, and the device"), "{told}");
    }
    let node_stage = |pipeline: &Pipeline, parts: &[&str]| {
        let told = message(&cpu(), pipeline);
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    };
    let base = Pipeline::from(hills());
    let stops = vec![ColourStop::new(1.0, "#ffffff"), ColourStop::new(0.5, "#000000")];
    node_stage(
        &base.clone().then(Colour { stops, ..Default::default() }),
        &["stage 'colour'", "stops", "at = 0.5 after at = 1 (stops 0 and 1)", "allowed"],
    );
    node_stage(&base.clone().then(Colour { stops: vec![ColourStop::new(0.0, "white")], ..Default::default() }), &["\"white\"", "#RRGGBB"]);
    node_stage(&base.clone().then(Colour::default()), &["stops = []"]);
    let far = Channel { of: node("hills"), surface: node("hills"), area: node("hills"), reach: 1e9, ..Default::default() };
    node_stage(&base.clone().then(far), &["stage 'channel'", "reach = 1000000000", "2^20"]);
    let map = || Colour { map: Some(ColourMap::Greys), ..Default::default() };
    node_stage(&base.clone().then(Colour { under: Input::Value(0.5), ..map() }), &["under = 0.5", "the name of a colour stage"]);
    node_stage(&base.clone().then(Colour { mask: node("hills"), ..map() }), &["mask = a mask with nothing under it", "`under`"]);
    node_stage(&Pipeline::source(Frequency { size: 100, ..Default::default() }), &["size = 100", "power of two"]);
    node_stage(&Pipeline::source(Frequency { size: 16384, ..Default::default() }), &["size = 16384", "2 to 8192"]);
    node_stage(&base.clone().then(Gaussian { of: node("nobody"), ..Default::default() }), &["stage 'gaussian'", "'nobody'", "hills"]);
    node_stage(&base.clone().then(Gaussian { of: node("gaussian"), ..Default::default() }), &["cycle", "gaussian → gaussian"]);
    node_stage(&base.clone().then(Normal::default()).then(Slope::default()), &["'normal' has 3 channels", "fields of 1"]);
    node_stage(&base.clone().output("hills.water"), &["'hills.water'"]);
    node_stage(&base.clone().then(Mask { from: 1.0, to: 1.0, ..Default::default() }), &["to = 1"]);
    node_stage(&brought(Slope::default()), &["stage 'given'", "Engine::apply"]);
    node_stage(&base.clone().named("hills.x", Slope::default()).then(Slope::default()), &["stage 'hills.x'"]);
    let nothing = cpu().measure(&base.clone().then(EqualiseWorld::default()), &["equalise"], &[]).expect_err("no world").to_string();
    assert!(nothing.contains("stage 'equalise'") && nothing.contains("one or more tiles"), "{nothing}");
    let mut field = field(&Region::plane(8, 8));
    field.values[13] = f32::NAN;
    let told = cpu().apply(&brought(Slope::default()), &["slope"], &field).expect_err("NaN").to_string();
    assert!(told.contains("sample 13 is not a finite number"), "{told}");
    let volume = Region { size: [4, 4, 4], ..Region::plane(4, 4) };
    let planes = |told: String| assert!(told.contains("stages work on planes"), "{told}");
    planes(cpu().layer(&base.clone().then(Slope::default()), &volume).expect_err("a volume").to_string());
    // Nor is one measured.
    let even = base.then(Normalise::default());
    planes(cpu().measure(&even, &["normalise"], &[volume]).expect_err("a volume").to_string());
    let none = Region { size: [0, 8, 1], ..volume };
    let told = cpu().measure(&even, &["normalise"], &[none]).expect_err("no region").to_string();
    assert!(told.contains("size") && told.contains("allowed"), "{told}");
    // A field that is brought along is one block.
    let field = Field { region: Region::plane(512, 512), values: vec![0.5; 512 * 512], gradients: None };
    let told = small(1 << 20).apply(&brought(Thermal::default()), &["thermal"], &field).expect_err("memory").to_string();
    assert!(told.contains("512²") && told.contains("allowed: 1.0 MiB"), "{told}");
}

#[test]
fn what_was_measured_is_accepted() {
    let region = Region::plane(40, 30);
    let large = hills().scale_offset(1e12, 0.0).scale_offset(1e8, 1e15);
    let ocean = Ocean { share: Some(0.3), ..Default::default() };
    for (what, noise) in [("the same everywhere", Noise::constant(2.0)), ("beyond what a number in a recipe may be", large)] {
        for stage in [Stage::from(EqualiseWorld::default()), Normalise::default().into(), ocean.clone().into()] {
            let pipeline = Pipeline::from(&noise).named("even", stage);
            let at_once = cpu().layers(&pipeline, &["even"], &region).unwrap_or_else(|error| panic!("{what}: {error}"));
            let measured = cpu().measure(&pipeline, &["even"], &[region]).expect(what);
            measured.check().unwrap_or_else(|error| panic!("{what}: {error}"));
            let text = Recipe::new(measured.clone()).to_toml().expect("a recipe");
            assert_eq!(Recipe::from_toml(&text, "r.toml").expect("a recipe").pipeline, measured, "{what}");
            assert_eq!(hash(&cpu().layers(&measured, &["even"], &region).expect(what)), hash(&at_once), "{what}");
        }
    }
}

#[test]
fn a_range_is_found_of_each_stage_once() {
    let mut pipeline = Pipeline::from(&Noise::constant(1.0).named("s0"));
    for i in 1..=60 {
        let below = || node(&format!("s{}", i - 1));
        pipeline = pipeline.named(&format!("s{i}"), Combine { a: below(), b: below(), ..Default::default() });
    }
    let range = pipeline.range("s60").expect("a range");
    assert_eq!([range.lo, range.hi], [2f64.powi(60); 2]);
    let circle = pipeline.output("s1").named("s0", Gaussian { of: node("s60"), ..Default::default() });
    let _ = circle.range("s60");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn parameters_of_stages_are_live() {
    let mut pipeline = Pipeline::from(hills()).then(Thermal::default());
    pipeline.set("thermal.talus", 0.25).expect("live");
    pipeline.set("hills.scale", 3.0).expect("live");
    assert_eq!(pipeline.get("thermal.talus"), Ok(Some(orogen::Setting::Number(0.25))));
    assert!(pipeline.set("thermal.talus", -1.0).expect_err("range").to_string().contains("talus = -1"));
    assert!(pipeline.set("thermal.slope", 1.0).expect_err("name").to_string().contains("of, talus, iterations, rate"));
    assert!(pipeline.set("nobody.slope", 1.0).expect_err("name").to_string().contains("thermal, "));
    // Separate engines, because others would compile at the same time.
    let gpu = own_gpu(None);
    let region = Region::plane(16, 16);
    gpu.layer(&pipeline, &region).expect("layer");
    let before = gpu.compilations();
    pipeline.set("thermal.iterations", 7).expect("live");
    gpu.layer(&pipeline, &region).expect("layer");
    assert_eq!(gpu.compilations(), before);
}
