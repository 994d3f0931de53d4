//! Stages: the same bits whatever the tiles, the blocks and the backend; and what each of them promises.

use crate::support::{cpu, gpu, oracle};
use orogen::stage::{
    Adjacent, AdjacentFilter, AngleUnit, Axes, Colour, ColourMap, ColourSpace, ColourStop, Combine, CombineBy, Curvature, CurvatureForm,
    DiamondSquare, Dropoff, Equalise, Frequency, Gaussian, Given, Gully, Hillshade, Hydraulic, Mask, Median, Midpoint, Normal, Normalise,
    Occlusion, Ocean, Pipeline, RadialPoint, Slope, Stage, Thermal, Voss,
};
use orogen::{Engine, Fractal, Input, Layer, Noise, Perlin, Region};

fn node(name: &str) -> Input {
    Input::Node(name.to_owned())
}

/// Hills some ten samples wide and five high.
fn hills() -> Noise {
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
    add(Equalise { low: -1.0, high: 1.0, ..Default::default() }.into());
    add(Ocean { level: 0.5, width: 2.0, ..Default::default() }.into());
    add(Ocean { share: Some(0.4), width: 3.0, ..Default::default() }.into());
    add(Dropoff { centre: [750_000_028.0, -10.0, 0.0], radius: 10.0, width: 25.0, floor: -8.0, ..Default::default() }.into());
    add(Mask { from: 2.0, to: -1.0, ..Default::default() }.into());
    for by in [CombineBy::Add, CombineBy::Subtract, CombineBy::Multiply, CombineBy::Minimum, CombineBy::Maximum, CombineBy::Blend] {
        add(Combine { b: Input::Value(0.75), by, ..Default::default() }.into());
    }
    for filter in [Adjacent::Minimum, Adjacent::Maximum, Adjacent::Mean, Adjacent::Difference] {
        add(AdjacentFilter { filter, times: 3, ..Default::default() }.into());
    }
    add(AdjacentFilter { times: 2, axes: Axes::X, ..Default::default() }.into());
    add(AdjacentFilter { times: 2, axes: Axes::Y, ..Default::default() }.into());
    add(Gaussian { sigma: 1.7, ..Default::default() }.into());
    add(Median { radius: 1, ..Default::default() }.into());
    add(Median { radius: 3, ..Default::default() }.into());
    add(Slope::default().into());
    add(Slope { unit: AngleUnit::Degrees, ..Default::default() }.into());
    for form in [CurvatureForm::Mean, CurvatureForm::Plan, CurvatureForm::Profile] {
        add(Curvature { form, ..Default::default() }.into());
    }
    add(Normal { exaggeration: 2.0, ..Default::default() }.into());
    add(Occlusion { radius: 7, exaggeration: 1.5, ..Default::default() }.into());
    add(Hillshade::default().into());
    add(Thermal { iterations: 9, talus: 0.3, ..Default::default() }.into());
    add(Hydraulic { iterations: 12, rain: 0.02, dissolve: 0.1, ..Default::default() }.into());
    add(Gully { wavelength: 11.0, ..Default::default() }.into());
    let stops = vec![ColourStop::new(-2.0, "#103060"), ColourStop::new(0.0, "#80c0d0"), ColourStop::new(0.0, "#d0c080"), ColourStop::new(4.0, "#ffffff80")];
    add(Colour { stops: stops.clone(), ..Default::default() }.into());
    add(Colour { stops, space: ColourSpace::Linear, ..Default::default() }.into());
    add(Colour { map: Some(ColourMap::Magma), range: [-3.0, 6.0], ..Default::default() }.into());
    // Gullies on what is no node, and colours over colours.
    all.push(base.clone().then(Gaussian { sigma: 0.8, ..Default::default() }).then(Gully { wavelength: 9.0, octaves: 2, ..Default::default() }));
    let under = base.clone().named("under", Colour { map: Some(ColourMap::Viridis), range: [-3.0, 6.0], ..Default::default() });
    let shaded = under.named("slope", Slope { of: node("hills"), ..Default::default() });
    let light = shaded.named("light", Hillshade { of: node("hills"), ..Default::default() });
    let stops = vec![ColourStop::new(0.0, "#405020")];
    all.push(light.then(Colour { by: node("hills"), stops, under: node("under"), mask: node("slope"), light: node("light"), ..Default::default() }));
    // A chain with several passes over the world.
    let chain = base.clone().then(Normalise { high: 9.0, ..Default::default() }).then(Thermal { iterations: 3, talus: 0.2, ..Default::default() });
    all.push(chain.then(Equalise::default()).then(Slope::default()));
    for source in [
        Stage::from(Frequency { size: 32, seed: 5, ..Default::default() }),
        Frequency { size: 16, radial: vec![RadialPoint { frequency: 0.1, amplitude: 0.0 }, RadialPoint { frequency: 0.2, amplitude: 1.0 }], ..Default::default() }.into(),
        DiamondSquare { cell: 32, ..Default::default() }.into(),
        Midpoint { cell: 16, ..Default::default() }.into(),
        Midpoint { cell: 64, dimensions: 1, ..Default::default() }.into(),
        Voss::default().into(),
        Voss { dimensions: 2, rows: 6, seed: 9 }.into(),
    ] {
        all.push(Pipeline::source(source));
    }
    let name = |(i, pipeline): (usize, Pipeline)| (format!("{i}: {}", pipeline.output), pipeline);
    all.into_iter().enumerate().map(name).collect()
}

/// All outputs of a pipeline's last stage, by name.
fn outputs(pipeline: &Pipeline) -> Vec<String> {
    let full = |name: &str| if name.is_empty() { pipeline.output.clone() } else { format!("{}.{name}", pipeline.output) };
    pipeline.stage[&pipeline.output].outputs().iter().map(|output| full(output.name)).collect()
}

fn layers(engine: &Engine, pipeline: &Pipeline, region: &Region) -> Vec<Layer> {
    engine.layers(pipeline, &outputs(pipeline), region).unwrap_or_else(|error| panic!("{}: {error}", pipeline.output))
}

/// Fails where a tile's numbers are not those of the same samples of the whole.
fn assert_part(tile: &Layer, whole: &Layer, what: &str) {
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

/// Four by four tiles somewhere far out, across no round number.
fn world() -> Region {
    Region { origin: [1_000_000_007, -35, 0], spacing: 0.75, anchor: [0.3, -0.1, 2.0], ..Region::plane(64, 64) }
}

fn tiles(world: &Region, edge: u32) -> impl Iterator<Item = Region> + Clone + use<> {
    let (world, count) = (*world, world.size[0] / edge);
    (0..count * count).map(move |i| {
        let at = [i % count, i / count].map(|k| i64::from(k * edge));
        Region { origin: [world.origin[0] + at[0], world.origin[1] + at[1], 0], size: [edge, edge, 1], ..world }
    })
}

#[test]
fn every_kind_of_stage_has_an_example() {
    let mut kinds: Vec<&str> = examples().iter().flat_map(|(_, p)| p.stage.values().map(|stage| stage.info().kind).collect::<Vec<_>>()).collect();
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
        let measured = engine.measure(&pipeline, &outputs(&pipeline), tiles(&world, 16)).expect("a world");
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
fn tiles_are_windows_of_one_field_on_the_gpu_and_have_the_cpus_bits() {
    let Some(gpu) = gpu("stages") else { return };
    for (name, pipeline) in examples() {
        let world = world();
        let on_cpu = layers(&cpu(), &pipeline, &world);
        let on_gpu = layers(gpu, &pipeline, &world);
        for (a, b) in on_gpu.iter().zip(&on_cpu) {
            assert_part(a, b, &name);
        }
        let measured = gpu.measure(&pipeline, &outputs(&pipeline), tiles(&world, 32)).expect("a world");
        assert_eq!(measured, cpu().measure(&pipeline, &outputs(&pipeline), tiles(&world, 16)).expect("a world"), "{name}");
        for region in tiles(&world, 32) {
            for (tile, whole) in layers(gpu, &measured, &region).iter().zip(&on_cpu) {
                assert_part(tile, whole, &name);
            }
        }
    }
}

#[test]
fn f32_is_near_the_oracle() {
    for (name, pipeline) in examples() {
        let world = world();
        let measured = cpu().measure(&pipeline, &outputs(&pipeline), std::iter::once(world)).expect("a world");
        let (exact, single) = (layers(&oracle(), &measured, &world), layers(&cpu(), &measured, &world));
        for (a, b) in exact.iter().zip(&single) {
            let largest = a.values.iter().fold(1e-6_f32, |m, x| m.max(x.abs()));
            let off = a.values.iter().zip(&b.values).fold(0.0_f32, |m, (a, b)| m.max((a - b).abs())) / largest;
            println!("{name}, {}: {off:e}", a.name);
        }
    }
}
