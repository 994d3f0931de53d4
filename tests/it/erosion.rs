//! `erosion`: the same world at any spacing, level and division into tiles, at a cost that grows with the area.

use crate::stages::{brought, hills, node};
use crate::support::{bits, cpu, gpu};
use orogen::node::{Fractal, Simplex};
use orogen::stage::{Drainage, Erosion, Pipeline, Thermal};
use orogen::{Backend, Engine, EngineOptions, Field, Layer, Noise, Region};
use std::time::Duration;

/// Hills some 150 units wide, 90 high.
fn rough() -> Noise {
    let simplex = Noise::simplex(Simplex { wavelength: 300.0, seed: Some(5), ..Default::default() });
    simplex.fractal(Fractal { octaves: 7, gain: 0.47, ..Default::default() }).scale_offset(90.0, 0.0).named("ground")
}

/// A range of mountains with sharp crests, 300 units high.
fn mountains() -> Noise {
    let crest = Noise::simplex(Simplex { wavelength: 420.0, seed: Some(12), ..Default::default() }).abs().scale_offset(-1.0, 1.0);
    let fractal = Fractal { octaves: 7, gain: 0.42, rotation: 37.0, seed: 4, ..Default::default() };
    crest.fractal(fractal).scale_offset(300.0, 0.0).named("ground")
}

/// Both, eroded in valleys that need three grids coarser than samples 4 units apart.
fn worlds() -> [(&'static str, Pipeline); 2] {
    let eroded = |ground: Noise| Pipeline::from(ground).then(Erosion { size: 512.0, ..Default::default() });
    [("hills", eroded(rough())), ("mountains", eroded(mountains()))]
}

/// 512 × 512 world units with samples this far apart.
fn square(spacing: f64, level: u32) -> Region {
    let size = (512.0 / (spacing * f64::from(1 << level))) as u32;
    Region { spacing, level, ..Region::plane(size, size) }
}

/// One layer of a pipeline.
fn layer(engine: &Engine, pipeline: &Pipeline, name: &str, region: &Region) -> Layer {
    engine.layers(pipeline, &[name], region).unwrap_or_else(|error| panic!("{name}: {error}")).remove(0)
}

/// How much lower the ground is than before.
fn wear(pipeline: &Pipeline, region: &Region) -> Vec<f64> {
    let [before, after] = ["ground", "erosion"].map(|name| layer(&cpu(), pipeline, name, region).values);
    before.iter().zip(&after).map(|(before, after)| f64::from(*before) - f64::from(*after)).collect()
}

/// The numbers of a part of a layer.
fn part(layer: &Layer, part: &Region) -> Vec<f32> {
    let [x, y] = [0, 1].map(|a| (part.origin[a] - layer.region.origin[a]) as usize);
    let [width, count] = [layer.region.size[0], part.size[0]].map(|size| size as usize);
    let rows = layer.values.chunks_exact(width).skip(y).take(part.size[1] as usize);
    rows.flat_map(|row| &row[x..x + count]).copied().collect()
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
    sum / f64::from(count)
}

/// The correlation of two lists.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let [x, y] = [a, b].map(|list| mean(list.iter().copied()));
    let product = |a: &[f64], x: f64, b: &[f64], y: f64| mean(a.iter().zip(b).map(|(a, b)| (a - x) * (b - y)));
    product(a, x, b, y) / (product(a, x, a, x) * product(b, y, b, y)).sqrt()
}

#[test]
fn wear_is_alike_at_any_spacing_and_level() {
    for (name, pipeline) in worlds() {
        let fine = wear(&pipeline, &square(1.0, 0));
        let total = mean(fine.iter().copied());
        assert!(total > 3.0, "{name}: {total}");
        for times in [2, 4] {
            let apart = square(f64::from(times), 0);
            let coarse = wear(&pipeline, &apart);
            let level = Region { spacing: 1.0, level: times / 2, ..apart };
            assert_eq!(wear(&pipeline, &level), coarse, "{name}: level {} is not spacing {times}", times / 2);
            let off = (mean(coarse.iter().copied()) / total - 1.0).abs();
            assert!(off < 0.05, "{name}: at {times} units, mean wear is {:.1} % off", off * 100.0);
            let (width, step) = (apart.size[0] as usize, times as usize);
            let same: Vec<f64> = (0..width * width).map(|i| fine[(i / width * step) * width * step + i % width * step]).collect();
            let found = correlation(&same, &coarse);
            assert!(found > 0.95, "{name}: at {times} units, the correlation is {found:.4}");
        }
    }
}

#[test]
fn hydraulic_erosion_is_not_alike_at_any_spacing() {
    // The test above tells the two apart.
    let pipeline = Pipeline::from(rough()).named("erosion", orogen::stage::Hydraulic { iterations: 60, ..Default::default() });
    let [one, four] = [1.0, 4.0].map(|spacing| mean(wear(&pipeline, &square(spacing, 0)).into_iter()));
    assert!((four / one - 1.0).abs() > 0.3, "{one} and {four}");
}

#[test]
fn blocks_of_any_size_and_place_are_windows_of_one_field() {
    let (_, pipeline) = &worlds()[0];
    let outputs = ["erosion", "erosion.wear", "erosion.deposit", "erosion.flow"];
    let whole = Region { origin: [-37, 21, 0], ..Region::plane(150, 140) };
    let all = cpu().layers(pipeline, &outputs, &whole).expect("layers");
    for ([x, y], [width, height]) in [([0, 0], [1, 1]), ([13, 8], [64, 33]), ([64, 64], [65, 65]), ([149, 139], [1, 1]), ([1, 2], [3, 100])]
    {
        let region = Region { origin: [x - 37, y + 21, 0], size: [width, height, 1], ..whole };
        for (layer, whole) in cpu().layers(pipeline, &outputs, &region).expect("layers").iter().zip(&all) {
            assert_eq!(bits(&layer.values), bits(&part(whole, &region)), "{} at {x}, {y}", layer.name);
        }
    }
    let estimate = cpu().estimate(pipeline, &outputs, &whole).expect("an estimate");
    // Too small for the region as one block.
    let small = EngineOptions { backend: Backend::Cpu, memory: Some(estimate.memory - 1), ..Default::default() };
    let small = Engine::open(&small).expect("the CPU");
    assert!(small.estimate(pipeline, &outputs, &whole).expect("an estimate").blocks > 1);
    for (a, b) in small.layers(pipeline, &outputs, &whole).expect("layers").iter().zip(&all) {
        assert_eq!(bits(&a.values), bits(&b.values), "{}", a.name);
    }
}

#[test]
fn jobs_advance_on_every_grid() {
    let (_, pipeline) = &worlds()[1];
    let region = Region::plane(40, 40);
    let whole = layer(&cpu(), pipeline, "erosion", &region);
    let mut job = cpu().job(pipeline, &["erosion"], &region).expect("a job");
    let mut steps = vec![job.progress()];
    while !job.advance(Duration::ZERO).expect("a step") {
        steps.push(job.progress());
    }
    assert!(steps.is_sorted() && steps.len() > 40, "{steps:?}");
    let largest = steps.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!(largest < 0.1, "a step of {largest}: {steps:?}");
    assert_eq!(bits(&job.finish().expect("layers")[0].values), bits(&whole.values));
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn jobs_on_the_device_have_the_bits_of_layers() {
    let (_, pipeline) = &worlds()[1];
    let region = Region::plane(48, 40);
    let whole = layer(&cpu(), pipeline, "erosion", &region);
    assert_eq!(bits(&layer(gpu(), pipeline, "erosion", &region).values), bits(&whole.values));
    for _ in 0..2 {
        let mut job = gpu().job(pipeline, &["erosion"], &region).expect("a job");
        while !job.advance(Duration::ZERO).expect("a step") {}
        assert_eq!(bits(&job.finish().expect("layers")[0].values), bits(&whole.values));
        // Dropped on the coarsest grid.
        let mut cancelled = gpu().job(pipeline, &["erosion"], &region).expect("a job");
        cancelled.advance(Duration::ZERO).expect("a step");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn layers_are_recorded_with_all_their_grids() {
    let (_, pipeline) = &worlds()[0];
    let region = Region { origin: [-9, 14, 0], ..Region::plane(48, 33) };
    let found = gpu().texture(&Noise::constant(1.0), &region, &Default::default()).expect("a texture");
    let target = gpu().target(&found, &Default::default()).expect("a target");
    let (device, queue) = gpu().device().expect("a device");
    let mut encoder = device.create_command_encoder(&Default::default());
    gpu().encode_layers(&mut encoder, pipeline, &[("erosion", &target)], &region).expect("recorded");
    // Work of the engine between recording and submission.
    layer(gpu(), &worlds()[1].1, "erosion", &region);
    queue.submit([encoder.finish()]);
    let found = bytemuck::pod_collect_to_vec::<u8, f32>(&gpu().read_texture(&found, 0).expect("texels"));
    assert_eq!(bits(&found), bits(&layer(&cpu(), pipeline, "erosion", &region).values));
}

#[test]
fn the_cost_grows_with_the_area_and_not_with_the_size_of_valleys() {
    let work = |size, edge| {
        let pipeline = Pipeline::from(rough()).then(Erosion { size, ..Default::default() });
        let estimate = cpu().estimate(&pipeline, &["erosion"], &Region::plane(edge, edge)).expect("an estimate");
        estimate.work as f64 / f64::from(edge).powi(2)
    };
    let (small, large) = (work(100.0, 1024), work(100_000.0, 1024));
    assert!(large < 1.2 * small, "{small} and {large} per sample");
    assert!(work(1000.0, 4096) < 45.0, "{} per sample", work(1000.0, 4096));
}

#[test]
fn a_field_of_the_caller_is_eroded_on_every_grid() {
    let region = Region { origin: [3, -5, 0], ..Region::plane(370, 360) };
    let field = cpu().field(&rough(), &region).expect("a field");
    let pipeline = brought(Erosion { size: 40.0, ..Default::default() });
    let found = cpu().apply(&pipeline, &["erosion"], &field).expect("layers").remove(0);
    // Out of sight of the edge, it is the noise itself on both grids.
    let noise = Pipeline::from(rough()).then(Erosion { size: 40.0, ..Default::default() });
    let middle = Region { origin: [170, 160, 0], ..Region::plane(30, 20) };
    assert_eq!(bits(&part(&found, &middle)), bits(&layer(&cpu(), &noise, "erosion", &middle).values));
    let edge = Region { origin: [3, -5, 0], ..middle };
    assert!(part(&found, &edge) != layer(&cpu(), &noise, "erosion", &edge).values, "the edge is in sight");
    let flat = Field { values: vec![4.0; region.samples() as usize], gradients: None, region };
    for layer in cpu().apply(&pipeline, &["erosion", "erosion.wear", "erosion.deposit"], &flat).expect("layers") {
        let expected = if layer.name == "erosion" { 4.0 } else { 0.0 };
        assert!(layer.values.iter().all(|x| *x == expected), "{}: flat ground stays as it is", layer.name);
    }
}

#[test]
fn rivers_branch_cut_and_fill() {
    let (_, pipeline) = &worlds()[1];
    let region = square(2.0, 0);
    let all = cpu().layers(pipeline, &["erosion.flow", "erosion.wear", "erosion.deposit"], &region).expect("layers");
    let [flow, worn, laid] = [0, 1, 2].map(|i| &all[i].values);
    // Most ground drains little, and some samples drain more than a hectare.
    let share = |least: f32| flow.iter().filter(|x| **x > least).count() as f64 / flow.len() as f64;
    assert!(share(1e4) > 0.001 && share(1e3) < 0.25 && share(1e3) > 0.01, "{} and {}", share(1e4), share(1e3));
    assert!(worn.iter().chain(laid).all(|x| *x >= 0.0) && worn.iter().zip(laid).all(|(a, b)| *a == 0.0 || *b == 0.0));
    // Water finds its way: most pits are gone.
    let width = region.size[0] as usize;
    let pits = |name: &str| {
        let heights = layer(&cpu(), pipeline, name, &region).values;
        let is_pit = |i: &usize| {
            let around = [i - width, *i, i + width].into_iter().flat_map(|middle| middle - 1..middle + 2);
            around.into_iter().all(|other| heights[other] >= heights[*i])
        };
        let inside = (width..heights.len() - width).filter(|i| (1..width - 1).contains(&(i % width)));
        inside.filter(is_pit).count()
    };
    let [before, after] = ["ground", "erosion"].map(pits);
    assert!(before > 300 && after < before / 3, "{before} pits before, {after} after");
    assert!(laid.iter().any(|x| *x > 1.0));
    // Rock stays.
    let rock =
        Pipeline::from(mountains()).then(Erosion { size: 512.0, hardness: 1.0.into(), talus: 1e6, deposition: 0.0, ..Default::default() });
    assert!(layer(&cpu(), &rock, "erosion.wear", &region).values.iter().all(|x| *x < 1e-3));
    let dry = Pipeline::from(mountains()).then(Erosion { size: 512.0, rain: 0.0.into(), talus: 1e6, ..Default::default() });
    assert!(layer(&cpu(), &dry, "erosion.wear", &region).values.iter().all(|x| *x < 1e-3));
}

#[test]
fn what_has_one_grid_or_too_many_is_refused() {
    let traced = Pipeline::from(hills()).named("lakes", Drainage::default());
    let pipeline = traced.then(Erosion { of: node("lakes"), size: 100.0, ..Default::default() });
    let told = cpu().layers(&pipeline, &["erosion"], &Region::plane(32, 32)).expect_err("one grid").to_string();
    assert!(told.contains("stage 'lakes'") && told.contains("are not those of its world"), "{told}");
    let pipeline = Pipeline::from(hills()).then(Erosion { size: 1e11, ..Default::default() });
    let told = cpu().layers(&pipeline, &["erosion"], &Region::plane(32, 32)).expect_err("too many").to_string();
    assert!(told.contains("stage 'erosion'") && told.contains("size = 100000000000"), "{told}");
    // Stages before and after are lowered on each grid.
    let pipeline =
        Pipeline::from(rough()).then(Thermal { iterations: 3, ..Default::default() }).then(Erosion::default()).then(Thermal::default());
    cpu().layers(&pipeline, &[pipeline.output.as_str()], &Region::plane(16, 16)).expect("layers");
}
