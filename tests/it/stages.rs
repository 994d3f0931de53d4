//! Stages: examples of all kinds, and the same bits for all tiles, blocks and backends.

use crate::support::{cpu, gpu, oracle, own_gpu, text};
use orogen::node::{Fractal, Input, Perlin, Sampling};
use orogen::stage::{
    Adjacent, AdjacentFilter, AngleUnit, Axes, Beach, Channel, Cliff, Colour, ColourChannels, ColourMap, ColourSpace, ColourStop, Combine,
    CombineBy, ControlPoint, Curvature, CurvatureForm, Curve, Debris, DiamondSquare, Displace, Distance, Drainage, Dropoff, EqualiseWorld,
    Erosion, Frequency, Gaussian, Given, Grade, Gully, Hillshade, Hydraulic, Incise, Line, LineBy, LineProfile, Mask, Median, Midpoint,
    Normal, Normalise, Occlusion, Ocean, Pipeline, RadialPoint, Slope, Snow, Stage, Strata, StreamPower, Thermal, Voss, Wetness,
};
use orogen::{Engine, Field, Layer, Noise, Region, testing};
use std::fmt::Write;

const FROZEN: &str = include_str!("frozen_stages.txt");

pub fn node(name: &str) -> Input {
    Input::Node(name.to_owned())
}

/// Hills some ten samples wide and five high.
pub fn hills() -> Noise {
    let perlin = Noise::perlin(Perlin { wavelength: 24.0, seed: 3, ..Default::default() });
    perlin.fractal(Fractal { octaves: 5, ..Default::default() }).scale_offset(12.0, 1.0).named("hills")
}

/// At least one pipeline for every kind of stage, with all its outputs.
pub fn examples() -> Vec<(String, Pipeline)> {
    let base = Pipeline::from(hills());
    let mut all: Vec<Pipeline> = Vec::new();
    let mut add = |stage: Stage| all.push(base.clone().then(stage));
    add(Normalise::default().into());
    add(Normalise { low: -3.0, high: 5.0, clip: 0.02, ..Default::default() }.into());
    add(EqualiseWorld { low: -1.0, high: 1.0, ..Default::default() }.into());
    add(Ocean { level: 0.5, width: 2.0, ..Default::default() }.into());
    add(Ocean { share: Some(0.4), width: 3.0, ..Default::default() }.into());
    add(Dropoff { centre: [750_000_028.0, -10.0, 0.0], radius: 10.0, width: 25.0, floor: -8.0, ..Default::default() }.into());
    add(Mask { from: 2.0, to: -1.0, ..Default::default() }.into());
    for &by in CombineBy::ALL {
        add(Combine { b: Input::Value(0.75), by, ..Default::default() }.into());
    }
    for &filter in Adjacent::ALL {
        add(AdjacentFilter { filter, times: 3, ..Default::default() }.into());
    }
    add(AdjacentFilter { times: 2, axes: Axes::X, ..Default::default() }.into());
    add(AdjacentFilter { times: 2, axes: Axes::Y, ..Default::default() }.into());
    add(Gaussian { sigma: 1.7, ..Default::default() }.into());
    add(Median { radius: 1, ..Default::default() }.into());
    add(Median { radius: 3, ..Default::default() }.into());
    add(Slope::default().into());
    add(Slope { unit: AngleUnit::Degrees, ..Default::default() }.into());
    for &form in CurvatureForm::ALL {
        add(Curvature { form, ..Default::default() }.into());
    }
    add(Normal { exaggeration: 2.0, ..Default::default() }.into());
    add(Occlusion { radius: 7, exaggeration: 1.5, ..Default::default() }.into());
    add(Hillshade::default().into());
    add(Thermal { iterations: 9, talus: 0.3, ..Default::default() }.into());
    add(Hydraulic { iterations: 12, rain: 0.02, dissolve: 0.1, ..Default::default() }.into());
    add(Gully { wavelength: 11.0, ..Default::default() }.into());
    let stops = vec![
        ColourStop::new(-2.0, "#103060"),
        ColourStop::new(0.0, "#80c0d0"),
        ColourStop::new(0.0, "#d0c080"),
        ColourStop::new(4.0, "#ffffff80"),
    ];
    add(Colour { stops: stops.clone(), ..Default::default() }.into());
    add(Colour { stops, space: ColourSpace::Linear, ..Default::default() }.into());
    for &map in ColourMap::ALL {
        add(Colour { map: Some(map), range: [-3.0, 6.0], ..Default::default() }.into());
    }
    // Gullies on a field instead of a node, and colours over colours.
    all.push(base.clone().then(Gaussian { sigma: 0.8, ..Default::default() }).then(Gully {
        wavelength: 9.0,
        octaves: 2,
        ..Default::default()
    }));
    let under = base.clone().named("under", Colour { map: Some(ColourMap::Viridis), range: [-3.0, 6.0], ..Default::default() });
    let shaded = under.named("slope", Slope { of: node("hills"), ..Default::default() });
    let light = shaded.named("light", Hillshade { of: node("hills"), ..Default::default() });
    let stops = vec![ColourStop::new(0.0, "#405020")];
    all.push(light.clone().then(Colour {
        by: node("hills"),
        stops,
        under: node("under"),
        mask: node("slope"),
        light: node("light"),
        ..Default::default()
    }));
    // A chain with several passes over the world.
    let chain =
        base.clone().then(Normalise { high: 9.0, ..Default::default() }).then(Thermal { iterations: 3, talus: 0.2, ..Default::default() });
    all.push(chain.then(EqualiseWorld::default()).then(Slope::default()));
    for source in [
        Stage::from(Frequency { size: 32, seed: 5, ..Default::default() }),
        Frequency {
            size: 16,
            radial: vec![RadialPoint { frequency: 0.1, amplitude: 0.0 }, RadialPoint { frequency: 0.2, amplitude: 1.0 }],
            ..Default::default()
        }
        .into(),
        DiamondSquare { cell: 32, ..Default::default() }.into(),
        Midpoint { cell: 16, ..Default::default() }.into(),
        Midpoint { cell: 64, dimensions: 1, ..Default::default() }.into(),
        Voss::default().into(),
        Voss { dimensions: 2, rows: 6, seed: 9 }.into(),
    ] {
        all.push(Pipeline::source(source));
    }
    all.push(base.clone().then(Drainage::default()));
    all.push(base.clone().then(Drainage { edge: false, sea: Some(-2.0), seed: 4, ..Default::default() }));
    let cut =
        StreamPower { position: [750_000_000.0, -30.0], spacing: 0.6, columns: 100, rows: 90, crest: 1.5, seed: 3, ..Default::default() };
    for &sampling in Sampling::ALL {
        let erodibility = Input::Value(0.4);
        all.push(base.clone().then(StreamPower { erodibility, base: node("hills"), sampling, ..cut.clone() }));
    }
    let water = base.clone().named("water", Drainage::default());
    let (of, surface, area) = (node("hills"), node("water"), node("water.area"));
    all.push(water.clone().then(Channel {
        of: of.clone(),
        surface,
        area: area.clone(),
        from: 20.0,
        width: 1.5,
        depth: 0.3,
        bank: 2.0,
        reach: 9.0,
        ..Default::default()
    }));
    all.push(water.then(Wetness { of, area, ..Default::default() }));
    let points = [(-3.0, -2.0, 0.0), (0.0, -1.0, 0.5), (2.0, 4.0, 0.0), (7.0, 5.0, 1.0)].map(|(at, value, slope)| ControlPoint {
        at,
        value,
        slope_in: slope,
        slope_out: slope,
    });
    all.push(base.clone().then(Curve { points: points.to_vec(), ..Default::default() }));
    all.push(base.clone().then(Distance { level: 1.0, reach: 7.0, ..Default::default() }));
    // Three grids, with rain and rock from a node.
    all.push(base.clone().then(Erosion { size: 60.0, ..Default::default() }));
    let wet = base.clone().named("wet", Mask { from: -2.0, to: 2.0, ..Default::default() });
    let (rain, hardness) = (node("wet"), node("wet"));
    all.push(wet.then(Erosion { of: node("hills"), size: 30.0, rain, hardness, talus: 0.4, deposition: 20.0, ..Default::default() }));
    all.push(base.clone().then(Drainage { breach: 0.8, seed: 2, ..Default::default() }));
    all.push(base.clone().then(Drainage { edge: false, outlets: node("hills"), rain: node("hills"), breach: 0.3, ..Default::default() }));
    all.push(base.clone().then(Displace { x: node("hills"), y: Input::Value(-3.25), reach: 5.5, ..Default::default() }));
    all.push(base.clone().then(Snow { line: 1.0, band: 6.0, talus: 0.4, reach: 6.0, ..Default::default() }));
    all.push(base.clone().then(Debris { cliff: 0.5, wear: 1.5, talus: 0.4, reach: 5.0, ..Default::default() }));
    all.push(base.clone().then(Beach { level: -1.0, width: 6.0, slope: 0.1, steep: 0.6, ..Default::default() }));
    all.push(base.clone().then(Cliff { level: -1.0, retreat: 2.5, face: 1.2, height: 4.0, ..Default::default() }));
    let (x, y) = (750_000_000.0, -26.0);
    let points = vec![[x - 400.0, y, -1.0], [x + 20.0, y + 9.0, 2.0], [x + 41.0, y + 30.0, 5.0], [x + 41.0, y + 30.0, 0.0]];
    let points: Vec<[f64; 3]> =
        points.into_iter().chain([[x + 30.0, y + 40.0, 1.0], [x + 5.0, y + 31.0, 1.0], [x + 9.0, y, 1.0]]).collect();
    let line = Line { points, width: 2.0, bank: 5.0, ..Default::default() };
    all.push(base.clone().then(Line { profile: LineProfile::Round, ..line.clone() }));
    all.push(base.clone().then(Line { by: LineBy::Level, height: 0.5, profile: LineProfile::Straight, limit: 3.0, ..line.clone() }));
    all.push(base.clone().then(Line { by: LineBy::Ground, even: 6.0, smoothing: 2, ..line }));
    let strata = Strata { thickness: 1.7, blend: 0.5, dip: 0.31, direction: 70.0, seed: 4, ..Default::default() };
    all.push(base.clone().named("fold", Mask::default()).then(Strata { of: node("hills"), fold: node("fold"), ..strata.clone() }));
    let layered = base.clone().named("rock", Strata { variation: 0.2, ..strata });
    let (of, hardness) = (node("hills"), node("rock"));
    all.push(layered.then(Hydraulic { of, hardness, iterations: 6, rain: 0.02, ..Default::default() }));
    let water = Pipeline::from(hills()).named("water", Drainage { breach: 100.0, ..Default::default() });
    let (of, area) = (node("hills"), node("water.area"));
    let incise = Incise { of, area: area.clone(), erodibility: Input::Value(0.6), time: 2.0, reach: 6.0, ..Default::default() };
    all.push(water.clone().then(Incise { diffusion: 0.05, sea: Some(-2.0), ..incise.clone() }));
    let (of, uplift, erodibility) = (node("water.bed"), node("hills"), node("hills"));
    all.push(water.then(Incise { of, erodibility, uplift, diffusion: 0.3, concavity: 0.6, deposition: 4.0, time: 0.5, ..incise }));
    let water = Pipeline::from(hills()).named("water", Drainage { sea: Some(-2.0), breach: 0.5, ..Default::default() });
    all.push(water.clone().then(Grade { of: node("water"), slope: Some(0.7), ..Default::default() }));
    let again = water.then(Grade { of: node("water"), steepness: node("hills"), concavity: 0.3, ..Default::default() });
    let streams = again.named("streams", Drainage::default());
    all.push(streams.then(Grade { of: node("streams"), concavity: 0.0, ..Default::default() }));
    let channels = ColourChannels { second: Input::Value(0.75), third: node("hills"), ..Default::default() };
    all.push(base.clone().then(channels.clone()));
    all.push(base.then(ColourChannels { space: ColourSpace::Linear, opacity: node("hills"), ..channels.clone() }));
    let (first, under, mask) = (node("hills"), node("under"), node("slope"));
    all.push(light.then(ColourChannels { first, under, mask, light: node("light"), ..channels }));
    let name = |(i, pipeline): (usize, Pipeline)| (format!("{i}: {}", pipeline.output), pipeline);
    all.into_iter().enumerate().map(name).collect()
}

/// All outputs of a pipeline's last stage, by name.
pub fn outputs(pipeline: &Pipeline) -> Vec<String> {
    let full = |name: &str| if name.is_empty() { pipeline.output.clone() } else { format!("{}.{name}", pipeline.output) };
    pipeline.stage[&pipeline.output].outputs().iter().map(|output| full(output.name)).collect()
}

fn layers(engine: &Engine, pipeline: &Pipeline, region: &Region) -> Vec<Layer> {
    engine.layers(pipeline, &outputs(pipeline), region).unwrap_or_else(|error| panic!("{}: {error}", pipeline.output))
}

/// Fails where a tile's numbers are not those of the same samples of the whole.
pub fn assert_part(tile: &Layer, whole: &Layer, what: &str) {
    assert_eq!((tile.channels, &tile.name), (whole.channels, &whole.name));
    let [x, y] = [0, 1].map(|a| (tile.region.origin[a] - whole.region.origin[a]) as usize * if a == 0 { whole.channels } else { 1 });
    let [width, part] = [whole, tile].map(|layer| layer.region.size[0] as usize * layer.channels);
    for (j, row) in tile.values.chunks_exact(part).enumerate() {
        let same = &whole.values[(y + j) * width + x..][..part];
        let first = row.iter().zip(same).position(|(a, b)| a.to_bits() != b.to_bits());
        if let Some(i) = first {
            panic!("{what}, {}: row {j}, number {i}: {:e} against {:e}", tile.name, row[i], same[i]);
        }
    }
}

#[test]
fn a_curve_after_stages_is_the_spline_of_nodes() {
    let points = [(-4.0, -1.0, 0.0), (-0.5, 1.0, 2.0), (0.25, 1.5, -1.0), (6.0, 9.0, 0.0)].map(|(at, value, slope)| ControlPoint {
        at,
        value,
        slope_in: slope,
        slope_out: 0.5 * slope,
    });
    let region = Region::plane(80, 50);
    let before = Pipeline::from(hills().spline(points).named("splined"));
    let after = Pipeline::from(hills()).then(Curve { points: points.to_vec(), ..Default::default() });
    let before = cpu().layers(&before, &["splined"], &region).expect("a layer").remove(0);
    let after = cpu().layers(&after, &["curve"], &region).expect("a layer").remove(0);
    assert_eq!(before.values, after.values);
    let [lo, hi] = after.extent();
    assert!(lo < 0.0 && hi > 5.0, "{lo} to {hi}: more than one piece");
}

/// Four by four tiles somewhere far out, across no round number.
fn world() -> Region {
    Region { origin: [1_000_000_007, -35, 0], spacing: 0.75, anchor: [0.3, -0.1, 2.0], ..Region::plane(64, 64) }
}

fn tiles(world: &Region, edge: u32) -> Vec<Region> {
    let (world, count) = (*world, world.size[0] / edge);
    let all = (0..count * count).map(|i| {
        let at = [i % count, i / count].map(|k| i64::from(k * edge));
        Region { origin: [world.origin[0] + at[0], world.origin[1] + at[1], 0], size: [edge, edge, 1], ..world }
    });
    all.collect()
}

#[test]
fn every_kind_of_stage_has_an_example() {
    let mut kinds: Vec<&str> =
        examples().iter().flat_map(|(_, p)| p.stage.values().map(|stage| stage.info().kind).collect::<Vec<_>>()).collect();
    kinds.push(Stage::from(Given {}).info().kind);
    for row in Stage::TABLE {
        assert!(kinds.contains(&row.kind), "{} has no example", row.kind);
    }
}

/// The whole as one piece, and as tiles of two sizes; on the CPU with blocks too small for a tile.
fn seamless(engine: &Engine, small: Option<&Engine>) {
    for (name, pipeline) in examples() {
        let world = world();
        let whole = layers(engine, &pipeline, &world);
        let measured = engine.measure(&pipeline, &outputs(&pipeline), &tiles(&world, 16)).expect("a world");
        for edge in [16, 32] {
            for region in tiles(&world, edge) {
                for (tile, whole) in layers(small.unwrap_or(engine), &measured, &region).iter().zip(&whole) {
                    assert_part(tile, whole, &format!("{name}, tiles of {edge}"));
                }
            }
        }
    }
}

#[test]
fn tiles_are_windows_of_one_field_on_the_cpu() {
    seamless(&cpu(), None);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn tiles_are_windows_of_one_field_on_the_gpu_and_have_the_cpus_bits() {
    let gpu = gpu();
    for (name, pipeline) in examples() {
        let world = world();
        let on_cpu = layers(&cpu(), &pipeline, &world);
        let on_gpu = layers(gpu, &pipeline, &world);
        for (a, b) in on_gpu.iter().zip(&on_cpu) {
            assert_part(a, b, &name);
        }
        let measured = gpu.measure(&pipeline, &outputs(&pipeline), &tiles(&world, 32)).expect("a world");
        assert_eq!(measured, cpu().measure(&pipeline, &outputs(&pipeline), &tiles(&world, 16)).expect("a world"), "{name}");
        for region in tiles(&world, 32) {
            for (tile, whole) in layers(gpu, &measured, &region).iter().zip(&on_cpu) {
                assert_part(tile, whole, &name);
            }
        }
    }
}

/// FNV-1a over the bits of layers.
pub fn hash(layers: &[Layer]) -> u64 {
    let bits = layers.iter().flat_map(|layer| &layer.values).flat_map(|x| x.to_bits().to_le_bytes());
    bits.fold(0xcbf2_9ce4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Kinds that have gained outputs, with the number of outputs before. Lines at the end have the bits of the others.
const FIRST: [(&str, usize); 1] = [("drainage", 8)];

/// The bits of every example: as a tile, with the field brought along (so that edges lie in sight), and in f64. A number that is
/// wrong in both twins of a pass shows here and nowhere else. A difference is a change of output and belongs in the CHANGELOG; then
/// `OROGEN_FREEZE=1 cargo test --test it stages` writes the file anew.
#[test]
fn layers_are_what_they_were() {
    if std::env::var_os(NARROW).is_some() {
        testing::narrow();
    }
    let (mut now, mut later) = (String::new(), String::new());
    for (name, pipeline) in examples() {
        let outputs = outputs(&pipeline);
        let kind = pipeline.stage[&pipeline.output].info().kind;
        let first = FIRST.iter().find(|first| first.0 == kind).map_or(outputs.len(), |first| first.1);
        let mut edges = pipeline.clone();
        // A landscape has a grid of its own, on which a caller's field has no values.
        if !edges.stage.values().any(|stage| matches!(stage, Stage::StreamPower(_))) {
            edges.node.clear();
            edges.stage.insert("hills".to_owned(), Given {}.into());
        }
        let field = field(&world());
        let [tile, edges, exact] = [
            layers(&cpu(), &pipeline, &world()),
            cpu().apply(&edges, &outputs, &field).unwrap_or_else(|error| panic!("{name}: {error}")),
            layers(&oracle(), &pipeline, &world()),
        ]
        .map(|layers| [hash(&layers[..first]), hash(&layers[first..])]);
        let _ = writeln!(now, "{name:20} {:016x} {:016x} {:016x}", tile[0], edges[0], exact[0]);
        if first < outputs.len() {
            let _ = writeln!(later, "{name:18} + {:016x} {:016x} {:016x}", tile[1], edges[1], exact[1]);
        }
    }
    now += &later;
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/it/frozen_stages.txt"), &now).expect("the source tree is writable");
        return;
    }
    for (was, is) in FROZEN.lines().zip(now.lines()) {
        assert_eq!(was, is, "a frozen layer changed");
    }
    assert_eq!(FROZEN.lines().count(), now.lines().count(), "freeze the new examples: OROGEN_FREEZE=1");
}

/// Asks a process of its own to leave AVX-512 alone.
const NARROW: &str = "OROGEN_TEST_NARROW";

/// The same bits where registers hold eight samples, which machines with wider ones would never see.
#[test]
fn layers_are_the_same_without_the_widest_instruction_set() {
    let mut again = std::process::Command::new(std::env::current_exe().expect("this program"));
    let again = again.args(["--exact", "stages::layers_are_what_they_were"]).env(NARROW, "").env_remove("OROGEN_FREEZE");
    let output = again.output().expect("it starts");
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", text(&output.stderr));
}

/// Bounds of the difference between f32 and f64, relative to the largest magnitude. They are twice the largest found, or ten times
/// if a slope or a phase is computed from small differences.
pub fn bound(kind: &str) -> f32 {
    match kind {
        "gully" => 2e-4,
        // `strata` changes over a part of a layer.
        // `beach`, `debris`, `incise` and `snow` depend on slopes, and `cliff`, `line` and `displace` on positions between samples.
        "curvature" | "adjacent" | "equalise" | "normal" | "slope" | "wetness" | "hydraulic" | "debris" | "incise" | "snow"
        | "displace" | "beach" | "cliff" | "line" | "strata" => 6e-5,
        _ => 6e-6,
    }
}

#[test]
fn f32_is_near_the_oracle() {
    for (name, pipeline) in examples() {
        let world = world();
        let measured = cpu().measure(&pipeline, &outputs(&pipeline), &[world]).expect("a world");
        let (exact, single) = (layers(&oracle(), &measured, &world), layers(&cpu(), &measured, &world));
        let bound = bound(pipeline.stage[&pipeline.output].info().kind);
        for (a, b) in exact.iter().zip(&single) {
            let largest = a.values.iter().fold(1e-6_f32, |m, x| m.max(x.abs()));
            assert!(a.values.iter().chain(&b.values).all(|value| value.is_finite()), "{name}, {}", a.name);
            let off = a.values.iter().zip(&b.values).fold(0.0_f32, |m, (a, b)| m.max((a - b).abs())) / largest;
            assert!(off <= bound, "{name}, {}: {off:e} of {bound:e}", a.name);
            // A field that is the same everywhere would prove nothing.
            let [lo, hi] = b.extent();
            assert!(hi > lo, "{name}, {}: {lo} everywhere", b.name);
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn wrong_kernels_do_not_have_the_cpus_bits() {
    let gpu = own_gpu(None);
    let stages: [(&str, &str, Stage); 4] = [
        (
            "real_max(abs(higher) - holds, 0.0)",
            "real_max(abs(higher) - holds, 0.001)",
            Thermal { iterations: 2, talus: 0.1, ..Default::default() }.into(),
        ),
        ("0.9999", "0.9998", Hydraulic { iterations: 6, gravity: 0.25, ..Default::default() }.into()),
        ("head.count.x ||", "head.count.x - 1u ||", Gaussian::default().into()),
        (
            "i32(field_to(at)) == back",
            "i32(field_to(at)) != back",
            Incise { area: Input::Value(50.0), time: 1.0, reach: 4.0, ..Default::default() }.into(),
        ),
    ];
    for (from, to, stage) in stages {
        let pipeline = Pipeline::from(hills()).then(stage);
        let region = Region::plane(40, 24);
        let right = layers(&gpu, &pipeline, &region);
        testing::sabotage(&gpu, from, to);
        let wrong = gpu.layers(&pipeline, &outputs(&pipeline), &region);
        assert!(wrong.is_err() || wrong.is_ok_and(|wrong| wrong != right), "{from} → {to} went unnoticed");
        testing::sabotage(&gpu, "never in a kernel", "");
        assert_eq!(layers(&gpu, &pipeline, &region), right);
    }
}

pub fn brought(stage: impl Into<Stage>) -> Pipeline {
    Pipeline::source(Given {}).then(stage)
}

pub fn field(region: &Region) -> Field {
    cpu().field(&hills(), region).expect("a field")
}
