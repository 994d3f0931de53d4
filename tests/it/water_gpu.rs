//! Water that a GPU traces: the bits of the CPU, and no silent change of the device.

use crate::support::{Scratch, cpu, expect, path, run};
use crate::water::{LAYERS, assert_same, chain};
use orogen::bake::folder::{World, bake};
use orogen::bake::manifest::Product;
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Folder, Unmeasured, root};
use orogen::bake::{Format, Sharded, Tiles};
use orogen::{Arithmetic, Backend, Engine, EngineOptions, Region, Water};
use std::sync::Arc;

fn open(backend: Backend, arithmetic: Option<Arithmetic>, water: Water) -> Result<Engine, orogen::EngineError> {
    Engine::open(&EngineOptions { backend, arithmetic, water, ..Default::default() })
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn bakes_with_water_on_a_gpu_have_the_root_of_those_on_the_cpu() {
    let [on_gpu, on_cpu] = [Water::Gpu, Water::Cpu].map(|water| open(Backend::Gpu, None, water).expect("an exact adapter"));
    let pipeline = chain();
    // Squares of 512² samples and smaller ones.
    let plan = Plan { tile: 96, tiles: Tiles { x: 0..6, y: 0..2 }, overlap: 1, level: 0, spacing: 2.0, z: 0.0 };
    let products: Vec<Product> = LAYERS.map(|layer| Product { layer: layer.into(), format: Format::Npy, range: None }).to_vec();
    let size = [576, 192];
    let extent = Region { size: [size[0], size[1], 1], spacing: plan.spacing, ..Region::plane(1, 1) };
    let scratch = Scratch::new("water_gpu");
    let of = |engine: &Engine, name: &str| {
        let measured = engine.measure(&pipeline, &LAYERS, &[extent]).expect("a measured pipeline");
        let report = bake(engine, &World::new(&measured, &plan, &products), &scratch.0.join(name), &()).expect("bake");
        root(&report.manifest).expect("a whole world")
    };
    let expected = of(&cpu(), "cpu");
    assert_eq!(of(&on_gpu, "gpu"), expected);
    let layers = |engine: &Engine| engine.layers(&pipeline, &LAYERS, &extent).expect("layers");
    for (found, expected) in layers(&on_gpu).iter().zip(layers(&on_cpu)) {
        assert_same(found, &expected.values, "water on a GPU");
    }
    let (traced, plain) = (on_gpu.compilations(), on_cpu.compilations());
    assert_eq!(traced, plain + 8, "eight kernels trace water");
    // The parts of shards.
    let place = scratch.0.join("shards");
    let unmeasured = Unmeasured { size: size.map(u64::from), ranges: Vec::new() };
    let world = World::new(&pipeline, &plan, &products);
    let sharded = Sharded::plan_unmeasured(Arc::new(Folder::new(&place)), &on_gpu, &world, 2, unmeasured).expect("a plan");
    for phase in 0..sharded.phases().expect("phases") {
        let engine = open(Backend::Gpu, None, Water::Gpu).expect("an exact adapter");
        let _ = [0, 1].map(|shard| sharded.measure(&engine, shard, Some(phase), &()).expect("a part"));
        // The receivers, at least.
        let kernels = engine.compilations();
        assert!(kernels >= 8, "{kernels} kernels");
    }
    let _ = [0, 1].map(|shard| sharded.bake(&on_gpu, shard, &()).expect("a shard"));
    assert_eq!(sharded.seal(&()).expect("a whole world").root, expected);
}

/// Slopes below 2⁻¹²⁶, which lavapipe rounds to 0.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn tiny_heights_drain_as_on_the_cpu() {
    let tiny = orogen::Noise::simplex(Default::default()).fractal(Default::default()).scale_offset(1e-37, 0.0).named("tiny");
    let pipeline = orogen::stage::Pipeline::from(tiny).named("rivers", orogen::stage::Drainage::default());
    let of = |water| {
        let engine = open(Backend::Gpu, None, water).expect("an exact adapter");
        engine.layers(&pipeline, &["rivers.area", "rivers.flow_x"], &Region::plane(70, 50)).expect("layers")
    };
    for (found, expected) in of(Water::Gpu).iter().zip(of(Water::Cpu)) {
        assert_same(found, &expected.values, "tiny heights");
    }
}

#[test]
fn engines_without_an_exact_gpu_refuse_to_trace_on_it() {
    for backend in [Backend::Cpu, Backend::Oracle] {
        let error = open(backend, None, Water::Gpu).expect_err("refused").to_string();
        assert!(error.starts_with("water = gpu is not allowed; allowed: cpu") && error.contains("no GPU"), "{error}");
    }
    expect(&run(&["info", "--backend", "cpu", "--trace-water", "gpu"], ""), 2, &["water = gpu is not allowed; allowed: cpu"]);
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn the_command_traces_on_a_gpu_where_it_is_asked_to() {
    let scratch = Scratch::new("water_command");
    let text = "output = \"rivers.area\"\n[node.hills]\nkind = \"simplex\"\nwavelength = 40.0\n\
                [stage.rivers]\nkind = \"drainage\"\nof = \"hills\"\n[bake]\ntile = 64\ntiles = [2, 2]\n";
    let recipe = scratch.file("water.toml", text);
    let [gpu, cpu] = ["gpu", "cpu"].map(|water| {
        let out = scratch.0.join(water);
        let args = ["bake", path(&recipe), "--format", "npy", "--backend", "gpu", "--trace-water", water, "--out", path(&out)];
        expect(&run(&args, ""), 0, &[]);
        let mut files: Vec<_> = std::fs::read_dir(out.join("0")).or_else(|_| std::fs::read_dir(&out)).expect("a bake").flatten().collect();
        files.retain(|file| file.file_name().to_string_lossy().ends_with(".npy"));
        files.sort_by_key(std::fs::DirEntry::file_name);
        files.into_iter().map(|file| (file.file_name(), std::fs::read(file.path()).expect("a tile"))).collect::<Vec<_>>()
    });
    assert!(gpu.len() == 4 && gpu == cpu, "{} tiles", gpu.len());
    let refused = run(&["info", "--backend", "gpu", "--arithmetic", "fast", "--trace-water", "gpu"], "");
    expect(&refused, 2, &["water = gpu is not allowed", "fast arithmetic was requested"]);
}
