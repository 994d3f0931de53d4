//! Stages: the same bits for all tiles, blocks and backends, and their documented properties.

use crate::support::{cpu, gpu, oracle, own_gpu, text};
use orogen::node::{Fractal, Input, Perlin, Sampling};
use orogen::stage::{
    Adjacent, AdjacentFilter, AngleUnit, Axes, Beach, Channel, Cliff, Colour, ColourMap, ColourSpace, ColourStop, Combine, CombineBy,
    ControlPoint, Curvature, CurvatureForm, Curve, Debris, DiamondSquare, Displace, Distance, Drainage, Dropoff, EqualiseWorld, Erosion,
    Frequency, Gaussian, Given, Gully, Hillshade, Hydraulic, Incise, Line, LineBy, LineProfile, Mask, Median, Midpoint, Normal, Normalise,
    Occlusion, Ocean, Pipeline, RadialPoint, Slope, Snow, Stage, Strata, StreamPower, Thermal, Voss, Wetness,
};
use orogen::stats::{Band, Periodogram, Spectrum, Window};
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
    all.push(light.then(Colour {
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
    let layered = base.named("rock", Strata { variation: 0.2, ..strata });
    let (of, hardness) = (node("hills"), node("rock"));
    all.push(layered.then(Hydraulic { of, hardness, iterations: 6, rain: 0.02, ..Default::default() }));
    let water = Pipeline::from(hills()).named("water", Drainage { breach: 100.0, ..Default::default() });
    let (of, area) = (node("hills"), node("water.area"));
    let incise = Incise { of, area: area.clone(), erodibility: Input::Value(0.6), time: 2.0, reach: 6.0, ..Default::default() };
    all.push(water.clone().then(Incise { diffusion: 0.05, sea: Some(-2.0), ..incise.clone() }));
    let (of, uplift, erodibility) = (node("water.bed"), node("hills"), node("hills"));
    all.push(water.then(Incise { of, erodibility, uplift, diffusion: 0.3, concavity: 0.6, deposition: 4.0, time: 0.5, ..incise }));
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

/// Sum of a layer's numbers.
fn sum(values: &[f32]) -> f64 {
    values.iter().map(|&x| f64::from(x)).sum()
}

pub fn brought(stage: impl Into<Stage>) -> Pipeline {
    Pipeline::source(Given {}).then(stage)
}

pub fn field(region: &Region) -> Field {
    cpu().field(&hills(), region).expect("a field")
}

/// Potential energy of heights, in units of their own.
fn energy(values: &[f32]) -> f64 {
    values.iter().map(|&x| 0.5 * f64::from(x) * f64::from(x)).sum()
}

#[test]
fn thermal_erosion_conserves_material_and_ends_at_the_talus() {
    let region = Region { spacing: 0.5, ..Region::plane(64, 56) };
    let field = field(&region);
    let steepest = |values: &[f32]| {
        let at = |x: usize, y: usize| values[y * 64 + x];
        let along = (0..56).flat_map(|y| (0..63).map(move |x| (at(x + 1, y) - at(x, y)).abs()));
        along.fold(0.0, f32::max) / 0.5
    };
    for (iterations, holds) in [(1, f32::MAX), (20, f32::MAX), (4000, 0.31)] {
        let stage = Thermal { iterations, talus: 0.3, rate: 1.0, ..Default::default() };
        let eroded = cpu().apply(&brought(stage), &["thermal"], &field).expect("layers").remove(0).values;
        let (before, after) = (sum(&field.values), sum(&eroded));
        let share = (after - before).abs() / field.values.iter().map(|x| f64::from(x.abs())).sum::<f64>();
        // Every iteration rounds every sample once more, by up to 6·10⁻⁸ of it.
        assert!(share < 3e-8 * f64::from(iterations), "{iterations} iterations: {share:e} of the material");
        assert!(steepest(&eroded) <= holds, "{iterations} iterations: slope {}", steepest(&eroded));
        assert!(energy(&eroded) < energy(&field.values), "{iterations} iterations: material went uphill");
    }
    assert!(steepest(&field.values) > 1.0);
}

#[test]
fn hydraulic_erosion_conserves_soil_and_water() {
    let region = Region::plane(96, 80);
    let field = field(&region);
    let all = ["hydraulic", "hydraulic.sediment", "hydraulic.water"];
    let volume: f64 = field.values.iter().map(|x| f64::from(x.abs())).sum();
    for iterations in [1, 2, 10, 100] {
        let stage = Hydraulic { iterations, rain: 0.01, evaporation: 0.02, ..Default::default() };
        let layers = cpu().apply(&brought(stage.clone()), &all, &field).expect("layers");
        let [soil, sediment, water] = [0, 1, 2].map(|i| sum(&layers[i].values));
        let lost = (soil + sediment - sum(&field.values)).abs() / volume;
        assert!(lost < 3e-8 * f64::from(iterations), "{iterations} iterations: {lost:e} of the soil lost");
        // All water comes as rain and leaves as vapour, a share of what there is in every iteration.
        let (rain, kept) = (0.01 * 96.0 * 80.0, 1.0 - 0.02);
        let expected = rain * (f64::powi(kept, iterations as i32) + (0..iterations).map(|i| f64::powi(kept, i as i32)).sum::<f64>());
        assert!((water / expected - 1.0).abs() < 1e-6 * f64::from(iterations), "{iterations} iterations: {water} of {expected} water");
        assert!(layers[1].values.iter().chain(&layers[2].values).all(|&x| x >= 0.0), "less than nothing");
        // Dissolved soil counts where it is carried: including it, the ground has sunk, never risen.
        let ground: Vec<f32> = layers[0].values.iter().zip(&layers[1].values).map(|(soil, sediment)| soil + sediment).collect();
        assert!(energy(&ground) <= energy(&field.values) * (1.0 + 1e-7), "{iterations} iterations: soil went uphill");
        if iterations == 100 {
            let moved: f64 = layers[0].values.iter().zip(&field.values).map(|(a, b)| f64::from((a - b).abs())).sum();
            assert!(moved / volume > 0.02, "next to nothing was eroded: {}", moved / volume);
        }
    }
}

#[test]
fn hardness_one_erodes_nothing_and_rain_falls_where_it_is_told() {
    let region = Region::plane(64, 64);
    let rock = brought(Hydraulic { iterations: 30, hardness: Input::Value(1.0), ..Default::default() });
    let layers = cpu().apply(&rock, &["hydraulic", "hydraulic.sediment"], &field(&region)).expect("layers");
    assert_eq!(layers[0].values, field(&region).values);
    assert!(layers[1].values.iter().all(|&x| x == 0.0));
    let dry = brought(Hydraulic { iterations: 30, rain_on: Input::Value(0.0), ..Default::default() });
    let layers = cpu().apply(&dry, &["hydraulic", "hydraulic.water"], &field(&region)).expect("layers");
    assert!(layers[0].values == field(&region).values && layers[1].values.iter().all(|&x| x == 0.0));
}

/// The largest distance between the distribution of values and the even one from `lo` to `hi`.
fn kolmogorov(values: &[f32], lo: f64, hi: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let count = sorted.len() as f64;
    let even = |x: f32| (f64::from(x) - lo) / (hi - lo);
    sorted
        .iter()
        .enumerate()
        .fold(0.0, |m, (i, &x)| m.max((even(x) - i as f64 / count).abs()).max((even(x) - (i + 1) as f64 / count).abs()))
}

#[test]
fn whole_world_stages_do_what_they_say() {
    let region = Region::plane(300, 200);
    let field = field(&region);
    let even = cpu()
        .apply(&brought(EqualiseWorld { low: 2.0, high: 6.0, ..Default::default() }), &["equalise"], &field)
        .expect("layers")
        .remove(0);
    let distance = kolmogorov(&even.values, 2.0, 6.0);
    assert!(distance < 0.0005, "Kolmogorov-Smirnov distance {distance}");
    let normal =
        cpu().apply(&brought(Normalise { low: -1.0, high: 3.0, ..Default::default() }), &["normalise"], &field).expect("layers").remove(0);
    assert_eq!(normal.extent(), [-1.0, 3.0]);
    let clipped = cpu().apply(&brought(Normalise { clip: 0.1, ..Default::default() }), &["normalise"], &field).expect("layers").remove(0);
    let ends = [0.0, 1.0].map(|end| clipped.values.iter().filter(|&&x| x == end).count() as f64 / clipped.values.len() as f64);
    assert!(ends.iter().all(|share| (share - 0.1).abs() < 0.001), "{ends:?}");
    for share in [0.0, 0.3, 0.85, 1.0] {
        let layers =
            cpu().apply(&brought(Ocean { share: Some(share), ..Default::default() }), &["ocean.mask", "ocean", "ocean.depth"], &field);
        let layers = layers.expect("layers");
        let covered = sum(&layers[0].values) / layers[0].values.len() as f64;
        assert!((covered - share).abs() < 0.0005, "{covered} covered of {share}");
        let rebuilt = layers[1].values.iter().zip(&layers[2].values).map(|(surface, depth)| surface - depth);
        assert!(rebuilt.zip(&field.values).all(|(a, b)| (a - b).abs() < 2e-6), "surface − depth is the ground");
    }
}

#[test]
fn adjacent_filters_are_the_articles() {
    // adjacent_min([1, 5, 2]) = [1, 2], smoother and rougher likewise; the last sample, which has no neighbour here, is left out.
    let given = Field { region: Region::plane(3, 1), values: vec![1.0, 5.0, 2.0], gradients: None };
    let run = |filter, times| {
        let stage = AdjacentFilter { filter, times, axes: Axes::X, ..Default::default() };
        cpu().apply(&brought(stage), &["adjacent"], &given).expect("layers").remove(0).values
    };
    assert_eq!(run(Adjacent::Minimum, 1)[..2], [1.0, 2.0]);
    assert_eq!(run(Adjacent::Minimum, 2)[..1], [1.0]);
    assert_eq!(run(Adjacent::Maximum, 1)[..2], [5.0, 5.0]);
    assert_eq!(run(Adjacent::Mean, 1)[..2], [3.0, 3.5]);
    assert_eq!(run(Adjacent::Difference, 1)[..2], [-2.0, 1.5]);
}

/// The exponent of the amplitudes of a periodic square, over frequencies that enough waves have.
fn exponent(values: &[f32], edge: usize) -> f64 {
    let spectrum = Periodogram::of(values, edge, Window::Rectangle).expect("a square").radial();
    spectrum.fit(Band::new(4.0 / edge as f64, 0.45)).expect("rings").amplitude_exponent()
}

#[test]
fn frequency_synthesis_has_the_exponent_that_was_asked_for() {
    for wanted in [-3.0, -2.0, -1.0, -0.5, 0.0, 1.0, 2.0] {
        for seed in [0, 7] {
            let pipeline = Pipeline::source(Frequency { size: 256, exponent: wanted, seed, ..Default::default() });
            let layer = cpu().layer(&pipeline, &Region::plane(256, 256)).expect("layer");
            let found = exponent(&layer.values, 256);
            assert!((found - wanted).abs() < 0.05, "f^{wanted}, seed {seed}: measured f^{found}");
            let mean = sum(&layer.values) / 65536.0;
            let square = layer.values.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>() / 65536.0;
            assert!(mean.abs() < 1e-5 && (square - 1.0).abs() < 1e-5, "mean {mean}, mean square {square}");
        }
    }
    // It repeats, bit for bit, on both sides of the origin.
    let pipeline = Pipeline::source(Frequency { size: 64, ..Default::default() });
    let [here, there] = [[0, 0], [-640, 64 << 40]]
        .map(|[x, y]| cpu().layer(&pipeline, &Region { origin: [x, y, 0], ..Region::plane(64, 64) }).expect("layer").values);
    assert_eq!(here, there);
}

#[test]
fn the_fourier_passes_are_a_fourier_transform() {
    // A table that lets one ring through: what comes out has no other frequencies, as rustfft finds.
    let radial = [0.0, 0.1, 0.11, 0.12, 0.13, 0.8].iter().zip([0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let radial = radial.map(|(&frequency, amplitude)| RadialPoint { frequency, amplitude }).collect();
    let pipeline = Pipeline::source(Frequency { size: 128, radial, ..Default::default() });
    let layer = cpu().layer(&pipeline, &Region::plane(128, 128)).expect("layer");
    let spectrum = Periodogram::of(&layer.values, 128, Window::Rectangle).expect("a square").radial();
    let inside = |ring: &orogen::stats::Ring| ring.frequency > 0.09 && ring.frequency < 0.14;
    let power =
        |wanted: bool| spectrum.rings.iter().filter(|ring| inside(ring) == wanted).map(|ring| ring.power * ring.bins as f64).sum::<f64>();
    assert!(power(false) < 1e-9 * power(true), "{:e} of {:e} lies outside", power(false), power(true));
}

#[test]
fn smoothing_makes_noise_red_and_differences_blue() {
    let edge = 256;
    let noise = cpu().field(&Noise::white(orogen::node::White::default()), &Region::plane(edge, edge)).expect("white noise");
    let run = |filter| {
        let stage = AdjacentFilter { filter, ..Default::default() };
        exponent(&cpu().apply(&brought(stage), &["adjacent"], &noise).expect("layers").remove(0).values, edge as usize)
    };
    let plain = exponent(&noise.values, edge as usize);
    assert!(plain.abs() < 0.05 && run(Adjacent::Mean) < -0.4 && run(Adjacent::Difference) > 0.8);
    // Voss's sum of rows is pink: 1/f in power, −1/2 in amplitude.
    let voss = Pipeline::source(Voss { rows: 14, ..Default::default() });
    let rows = cpu().layer(&voss, &Region { origin: [5, 0, 0], ..Region::plane(1 << 18, 1) }).expect("layer");
    let fit = Spectrum::of_rows(&rows.values, 1 << 14, Window::Hann).expect("rows").fit(Band::new(0.001, 0.1)).expect("rings");
    assert!((fit.amplitude_exponent() + 0.5).abs() < 0.05, "Voss: f^{}", fit.amplitude_exponent());
}

#[test]
fn surfaces_of_known_shapes_are_measured_right() {
    // A paraboloid: z = (x² + 2y²) / 200 about the middle.
    let region = Region { spacing: 0.5, ..Region::plane(41, 41) };
    let at = |i: u32| f64::from(i) * 0.5 - 10.0;
    let height = |x: f64, y: f64| (x * x + 2.0 * y * y) / 200.0;
    let values = (0..41).flat_map(|y| (0..41).map(move |x| height(at(x), at(y)) as f32)).collect();
    let field = Field { region, values, gradients: None };
    let one = |stage: Stage| {
        let pipeline = brought(stage);
        cpu().apply(&pipeline, &[&pipeline.output], &field).expect("layers").remove(0).values
    };
    let close = |found: f32, wanted: f64, what: &str| assert!((f64::from(found) - wanted).abs() < 2e-4, "{what}: {found} of {wanted}");
    let (x, y) = (at(30), at(12));
    let (p, q) = (x / 100.0, y / 50.0);
    let i = 12 * 41 + 30;
    let steep = p.hypot(q);
    close(one(Slope::default().into())[i], steep, "slope");
    close(one(Slope { unit: AngleUnit::Degrees, ..Default::default() }.into())[i], steep.atan().to_degrees(), "degrees");
    close(one(Curvature::default().into())[i], -(0.01 + 0.02) / 2.0, "mean");
    let profile = -(0.01 * p * p + 0.02 * q * q) / (p * p + q * q);
    close(one(Curvature { form: CurvatureForm::Profile, ..Default::default() }.into())[i], profile, "profile");
    let plan = -(0.01 * q * q + 0.02 * p * p) / (p * p + q * q);
    close(one(Curvature { form: CurvatureForm::Plan, ..Default::default() }.into())[i], plan, "plan");
    let length = (1.0 + steep * steep).sqrt();
    let normal = one(Normal::default().into());
    for (found, wanted) in normal[3 * i..3 * i + 3].iter().zip([-p / length, -q / length, 1.0 / length]) {
        close(*found, wanted, "normal");
    }
    // Light from the east, 30 degrees high.
    let light = [30.0_f64.to_radians().cos(), 0.0, 30.0_f64.to_radians().sin()];
    let lit = (-p * light[0] + light[2]) / length;
    close(one(Hillshade { azimuth: 90.0, altitude: 30.0, ..Default::default() }.into())[i], lit, "hillshade");
    // In the middle of the bowl the sky ends, in each direction, where the bowl's edge stands.
    let open = one(Occlusion { radius: 20, ..Default::default() }.into())[20 * 41 + 20];
    assert!(open > 0.85 && open < 0.93, "{open}");
    // The median of a 3 × 3 square, by sorting.
    let median = one(Median::default().into())[i];
    let mut square: Vec<f32> = (11..14).flat_map(|y| (29..32).map(move |x| (x, y))).map(|(x, y)| field.values[y * 41 + x]).collect();
    square.sort_by(f32::total_cmp);
    assert_eq!(median, square[4]);
}

#[test]
fn halvings_pass_through_their_corners_and_keep_their_range() {
    for stage in [
        Stage::from(DiamondSquare { cell: 64, roughness: 0.9, seed: 2 }),
        Midpoint { cell: 64, roughness: 0.9, ..Default::default() }.into(),
    ] {
        let pipeline = Pipeline::source(stage);
        let fine = cpu().layer(&pipeline, &Region::plane(129, 129)).expect("layer");
        assert!(fine.values.iter().all(|x| x.abs() <= 1.0));
        // A coarser level has the same samples, where they meet: levels only leave halvings out.
        let coarse = cpu().layer(&pipeline, &Region { level: 2, ..Region::plane(33, 33) }).expect("layer");
        for (i, x) in coarse.values.iter().enumerate() {
            assert_eq!(*x, fine.values[i / 33 * 4 * 129 + i % 33 * 4], "{}", pipeline.output);
        }
    }
}
