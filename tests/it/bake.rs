//! Bakes through the library: formats read back, resuming, refusing other bakes, bounded memory.

use crate::nodes;
use crate::support::{Scratch, bits, cpu, gpu};
use orogen::bake::folder::{Report, World, bake, measure_ranges};
use orogen::bake::manifest::{Manifest, Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::{BakeError, Format, Progress, Tiles};
use orogen::stage::{Colour, ColourMap, Hydraulic, Normalise, Pipeline};
use orogen::{Backend, Engine, EngineOptions, Noise, Region};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn plan(tile: u32, x: std::ops::Range<i64>, y: std::ops::Range<i64>) -> Plan {
    Plan { tile, tiles: Tiles { x, y }, overlap: 0, level: 0, spacing: 1.0, z: 0.0 }
}

fn noise() -> Noise {
    nodes::of_kind("fractal").remove(0)
}

fn proven(noise: &Noise) -> RangeRecord {
    let range = noise.range().expect("range");
    RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Proven }
}

fn product(format: Format) -> Product {
    Product { layer: noise().graph().output.clone(), format, range: Some(proven(&noise())) }
}

fn run(engine: &Engine, plan: &Plan, format: Format, out: &Path) -> Result<Report, BakeError> {
    let world = Pipeline::from(noise());
    bake(engine, &World { overview: false, ..World::new(&world, plan, &[product(format)]) }, out, &())
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

#[test]
fn every_format_holds_the_fields_values() {
    let plan = Plan { overlap: 1, ..plan(40, -2..1, 5..6) };
    let expected = cpu().field(&noise(), &plan.region((-1, 5))).expect("field").values;
    let range = proven(&noise());
    let steps: Vec<u16> = expected.iter().map(|v| ((f64::from(*v) - range.lo) / (range.hi - range.lo) * 65535.0).round() as u16).collect();
    let read = |format: Format| {
        let scratch = Scratch::new(&format!("format-{format:?}"));
        let report = run(&cpu(), &plan, format, &scratch.0).expect("bake");
        assert_eq!((report.written, report.resumed), (3, 0));
        let bytes = std::fs::read(scratch.0.join(format!("x-1_y5.{}", format.extension()))).expect("tile");
        let sidecar = std::fs::read_to_string(scratch.0.join(format!("x-1_y5.{}.json", format.extension()))).ok();
        (bytes, sidecar)
    };
    let (png, none) = read(Format::Png16);
    assert!(none.is_none());
    let decoded = image::load_from_memory(&png).expect("PNG");
    assert_eq!(decoded.color(), image::ColorType::L16);
    assert_eq!(decoded.into_luma16().into_raw(), steps);
    let (raw, sidecar) = read(Format::R16);
    assert_eq!(raw.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)).collect::<Vec<_>>(), steps);
    let sidecar: serde_json::Value = serde_json::from_str(&sidecar.expect("a sidecar")).expect("JSON");
    assert_eq!((sidecar["width"].as_u64(), sidecar["type"].as_str()), (Some(41), Some("u16")));
    let (raw, sidecar) = read(Format::R32);
    assert_eq!(bits(&floats(&raw)), bits(&expected));
    assert!(sidecar.expect("a sidecar").contains("\"f32\""));
    let (npy, _) = read(Format::Npy);
    let header = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    assert_eq!((&npy[..8], header % 64), (&b"\x93NUMPY\x01\x00"[..], 0));
    assert!(String::from_utf8_lossy(&npy[10..header]).contains("'shape': (41, 41)"));
    assert_eq!(bits(&floats(&npy[header..])), bits(&expected));
    let (exr, _) = read(Format::Exr);
    use exr::prelude::{ReadChannels, ReadLayers};
    let reader = exr::prelude::read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = reader.from_buffered(std::io::Cursor::new(exr)).expect("EXR");
    let channel = &image.layer_data.channel_data.list[0];
    assert_eq!(bits(&channel.sample_data.values_as_f32().collect::<Vec<_>>()), bits(&expected));
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn cpu_and_gpu_bake_the_same_files() {
    let gpu = gpu();
    let (a, b) = (Scratch::new("bake-cpu"), Scratch::new("bake-gpu"));
    let plan = plan(64, -1..3, 0..2);
    let on_cpu = run(&cpu(), &plan, Format::Png16, &a.0).expect("cpu").manifest;
    let on_gpu = run(gpu, &plan, Format::Png16, &b.0).expect("gpu").manifest;
    assert_eq!(on_cpu.tiles, on_gpu.tiles);
    assert_eq!(on_cpu.tiles.len(), 8);
    assert_eq!((on_cpu.backend.as_str(), on_gpu.backend.as_str()), ("cpu", "gpu"));
}

#[test]
fn manifest_and_files_agree() {
    use sha2::Digest;
    let scratch = Scratch::new("manifest");
    run(&cpu(), &plan(32, 0..2, -1..1), Format::Png16, &scratch.0).expect("bake");
    let manifest: Manifest =
        serde_json::from_str(&std::fs::read_to_string(scratch.0.join("manifest.json")).expect("manifest")).expect("JSON");
    for tile in &manifest.tiles {
        let file = &tile.files[0];
        let bytes = std::fs::read(scratch.0.join(&file.is.file)).expect("tile");
        let hash: String = sha2::Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!((hash, bytes.len() as u64), (file.is.sha256.clone(), file.is.size), "{}", file.is.file);
        assert!(file.min < file.max && file.clipped == 0);
    }
    let measured =
        measure_ranges(&cpu(), &Pipeline::from(noise()), &[&noise().graph().output], &plan(32, 0..2, -1..1), &mut ()).expect("measure")[0];
    let extent = manifest
        .tiles
        .iter()
        .map(|t| &t.files[0])
        .fold((f64::MAX, f64::MIN), |(lo, hi), t| (lo.min(f64::from(t.min)), hi.max(f64::from(t.max))));
    assert_eq!((measured.lo, measured.hi), extent);
}

#[test]
fn a_bake_resumes_where_it_stopped() {
    let (whole, cut) = (Scratch::new("whole"), Scratch::new("cut"));
    let plan = plan(32, 0..4, 0..3);
    let expected = run(&cpu(), &plan, Format::Png16, &whole.0).expect("bake").manifest;
    run(&cpu(), &Plan { tiles: Tiles { x: 0..4, y: 0..1 }, ..plan.clone() }, Format::Png16, &cut.0).expect("first row");
    std::fs::remove_file(cut.0.join("x2_y0.png")).expect("there");
    let report = run(&cpu(), &plan, Format::Png16, &cut.0).expect("resume");
    assert_eq!((report.written, report.resumed), (9, 3));
    assert_eq!(report.manifest.tiles, expected.tiles);
    let again = run(&cpu(), &plan, Format::Png16, &cut.0).expect("nothing to do");
    assert_eq!((again.written, again.resumed), (0, 12));
}

#[test]
fn a_directory_with_another_bake_is_left_alone() {
    let scratch = Scratch::new("other");
    let plan = plan(16, 0..1, 0..1);
    run(&cpu(), &plan, Format::Png16, &scratch.0).expect("bake");
    let before = std::fs::read(scratch.0.join("x0_y0.png")).expect("tile");
    let other = Pipeline::from(Noise::constant(0.5));
    for (result, what) in [
        (
            bake(&cpu(), &World::new(&other, &plan, &[Product { layer: other.output.clone(), ..product(Format::Png16) }]), &scratch.0, &()),
            "the recipe differs: ",
        ),
        (run(&cpu(), &Plan { tile: 17, ..plan.clone() }, Format::Png16, &scratch.0), "the tile size differs: 17 here, 16 there"),
        (run(&cpu(), &Plan { level: 1, ..plan.clone() }, Format::Png16, &scratch.0), "the level differs: 1 here, 0 there"),
        (run(&cpu(), &plan, Format::R16, &scratch.0), "a format differs: \"r16\" here, \"png16\" there"),
    ] {
        match result {
            Err(BakeError::OtherBake { what: differs, .. }) => assert!(differs.starts_with(what), "{differs}"),
            other => panic!("{what}: {other:?}"),
        }
    }
    assert_eq!(std::fs::read(scratch.0.join("x0_y0.png")).expect("tile"), before);
}

#[test]
fn one_bake_at_a_time_writes_into_a_directory() {
    let scratch = Scratch::new("busy");
    let held = orogen::bake::folder::BakeFolder::open(&scratch.0).expect("free");
    let result = run(&cpu(), &plan(16, 0..1, 0..1), Format::Png16, &scratch.0);
    assert!(matches!(result, Err(BakeError::Busy { .. })), "{result:?}");
    drop(held);
    run(&cpu(), &plan(16, 0..1, 0..1), Format::Png16, &scratch.0).expect("the lock is gone");
}

#[test]
fn values_outside_the_declared_range_are_clipped_and_counted() {
    let scratch = Scratch::new("clip");
    let range = RangeRecord { lo: -0.1, hi: 0.1, kind: RangeKind::Declared };
    let report = bake(
        &cpu(),
        &World::new(&Pipeline::from(noise()), &plan(64, 0..1, 0..1), &[Product { range: Some(range), ..product(Format::Png16) }]),
        &scratch.0,
        &(),
    )
    .expect("bake");
    let values = cpu().field(&noise(), &Region::plane(64, 64)).expect("field").values;
    let outside = values.iter().filter(|v| v.abs() > 0.1 * (1.0 + 1.0 / 65535.0)).count() as u64;
    assert!(outside > 100);
    assert_eq!(report.manifest.tiles[0].files[0].clipped, outside);
}

#[test]
fn plans_that_make_no_sense_are_refused_before_anything_is_written() {
    let scratch = Scratch::new("plans");
    let out = scratch.0.join("never");
    for (plan, part) in [
        (plan(0, 0..1, 0..1), "tile = 0"),
        (plan(20_000, 0..1, 0..1), "tile = 20000"),
        (plan(16, 0..0, 0..1), "tiles"),
        (plan(16, std::ops::Range { start: 5, end: 2 }, 0..1), "tiles"),
        (plan(16, 0..65_536, 0..32_768), "16777216"),
        (plan(16, -(1 << 62)..1 << 62, 0..1), "16777216"),
        (Plan { overlap: 17, ..plan(16, 0..1, 0..1) }, "overlap = 17"),
        (Plan { z: f64::NAN, ..plan(16, 0..1, 0..1) }, "z = NaN"),
        (Plan { spacing: 0.0, ..plan(16, 0..1, 0..1) }, "spacing = 0"),
        (Plan { spacing: f64::INFINITY, ..plan(16, 0..1, 0..1) }, "spacing = inf"),
        (Plan { level: 41, ..plan(16, 0..1, 0..1) }, "level = 41"),
        (plan(16_384, 1 << 52..(1 << 52) + 1, 0..1), "2^53"),
        (Plan { spacing: 1e9, level: 3, ..plan(16, 0..1, 0..1) }, "cells per sample"),
    ] {
        let error = run(&cpu(), &plan, Format::Png16, &out).expect_err(part).to_string();
        assert!(error.contains(part), "{part}: {error}");
        assert!(!out.exists(), "{part}: something was written");
    }
}

/// Eroded hills, normalised over the world, with their water and colours.
fn eroded() -> (Pipeline, Vec<Product>) {
    let base = Pipeline::from(noise()).named("eroded", Hydraulic { iterations: 10, ..Default::default() });
    let even = base.named("even", Normalise { high: 100.0, ..Default::default() });
    let pipeline = even.named("colours", Colour { map: Some(ColourMap::Viridis), range: [0.0, 100.0], ..Default::default() });
    let product = |layer: &str, format| Product { layer: layer.to_owned(), format, range: None };
    let even = Product { range: Some(RangeRecord { lo: 0.0, hi: 100.0, kind: RangeKind::Proven }), ..product("even", Format::Png16) };
    (pipeline, vec![even, product("eroded.water", Format::R32), product("colours", Format::Png8), product("colours", Format::Exr)])
}

#[test]
fn an_overview_is_the_tiles_own_samples_and_the_same_after_a_resume() {
    let png = |scratch: &Scratch| std::fs::read(scratch.0.join("overview.png")).expect("an overview");
    let picture = |bytes: &[u8]| image::load_from_memory(bytes).expect("PNG").into_rgb8();
    // Tiles whose borders lie inside of pixels, and one that has fewer samples than a picture could have pixels.
    let wide = Plan { overlap: 1, ..plan(301, -3..2, 1..3) };
    let value =
        |format| Product { layer: "simplex".into(), format, range: Some(RangeRecord { lo: -1.0, hi: 1.0, kind: RangeKind::Proven }) };
    let pipeline = Pipeline::from(Noise::simplex(orogen::node::Simplex { wavelength: 300.0, ..Default::default() }));
    for format in [Format::Png16, Format::Png8, Format::Exr, Format::Npy, Format::R16, Format::R32] {
        let scratch = Scratch::new("overview");
        let products = [value(format)];
        bake(&cpu(), &World::new(&pipeline, &wide, &products), &scratch.0, &()).expect("bake");
        let first = png(&scratch);
        assert_eq!(picture(&first).dimensions(), (376, 151), "{format:?}");
        for lost in ["x-3_y1", "x0_y2"] {
            std::fs::remove_file(scratch.0.join(format!("{lost}.{}", format.extension()))).expect("there");
        }
        std::fs::remove_file(scratch.0.join("overview.png")).expect("there");
        let report = bake(&cpu(), &World::new(&pipeline, &wide, &products), &scratch.0, &()).expect("bake");
        assert_eq!((report.written, report.resumed), (2, 8));
        assert!(png(&scratch) == first, "{format:?}: another overview after a resume");
        // Lost after all else was done.
        std::fs::remove_file(scratch.0.join("overview.png")).expect("there");
        let report = bake(&cpu(), &World::new(&pipeline, &wide, &products), &scratch.0, &()).expect("bake");
        assert!(report.written == 0 && png(&scratch) == first, "{format:?}: another overview when all was there");
    }
    let (pipeline, products) = eroded();
    let colours = [Product { format: Format::Png16, ..products[2].clone() }];
    let small = plan(24, 0..2, 0..1);
    let scratch = Scratch::new("overview-colours");
    bake(&cpu(), &World::new(&pipeline, &small, &colours), &scratch.0, &()).expect("bake");
    let drawn = picture(&png(&scratch));
    assert_eq!(drawn.dimensions(), (48, 24));
    let tile = image::open(scratch.0.join("x0_y0.png")).expect("a tile").into_rgb8();
    for (x, y, pixel) in tile.enumerate_pixels() {
        assert!((0..3).all(|c| pixel.0[c].abs_diff(drawn.get_pixel(x, y).0[c]) <= 1), "a sample for each pixel, as it is");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn stages_bake_the_same_tiles_whatever_their_blocks_and_backend() {
    let (pipeline, products) = eroded();
    let plan = Plan { overlap: 1, ..plan(32, -2..2, 3..7) };
    let bake_with = |engine: &Engine, name: &str| {
        let scratch = Scratch::new(name);
        let report = bake(engine, &World::new(&pipeline, &plan, &products), &scratch.0, &()).expect("bake");
        assert!(scratch.0.join("overview.png").is_file());
        (report, scratch)
    };
    let (whole, there) = bake_with(&cpu(), "stages-whole");
    // So little memory that every tile is a block of its own.
    let small = Engine::open(&EngineOptions { backend: Backend::Cpu, memory: Some(920_000), ..Default::default() }).expect("the CPU");
    let (tiles, _) = bake_with(&small, "stages-tiles");
    assert_eq!(whole.manifest.tiles, tiles.manifest.tiles);
    let halo = |report: &Report| report.halo.expect("stages have a halo");
    assert_eq!((halo(&whole).samples, halo(&whole).blocks, halo(&tiles).blocks), (20, 1, 16));
    assert!(halo(&whole).share < 0.45 && halo(&tiles).share > 0.7, "{:?}", halo(&tiles));
    {
        let gpu = gpu();
        assert_eq!(bake_with(gpu, "stages-gpu").0.manifest.tiles, whole.manifest.tiles);
    }
    // The files hold what the library gives for the world in one piece.
    let world = Region { origin: [-64, 96, 0], ..Region::plane(128, 128) };
    let layers = cpu().layers(&pipeline, &["even", "eroded.water", "colours"], &world).expect("layers");
    let water = floats(&std::fs::read(there.0.join("x-1_y4.eroded.water.r32")).expect("water"));
    assert_eq!(water[..33], layers[1].values[(32 * 128 + 32)..][..33]);
    let colours = image::load_from_memory(&std::fs::read(there.0.join("x-2_y3.colours.png")).expect("colours")).expect("PNG").into_rgba8();
    assert_eq!((colours.width(), colours.get_pixel(0, 0).0[3]), (33, 255));
    assert!(
        (
            whole.manifest.tiles.iter().map(|t| t.files[0].min).fold(f32::MAX, f32::min),
            whole.manifest.tiles.iter().map(|t| t.files[0].max).fold(0.0, f32::max)
        ) == (0.0, 100.0)
    );
}

#[test]
fn integers_without_a_range_are_refused_and_names_become_names_of_files() {
    let (pipeline, scratch) = (Pipeline::from(noise().named(".. a b")), Scratch::new("names"));
    let product = |format, range| Product { layer: ".. a b".to_owned(), format, range };
    let (out, plan) = (scratch.0.join("inside"), plan(16, 0..1, 0..1));
    let error = bake(&cpu(), &World::new(&pipeline, &plan, &[product(Format::Png16, None)]), &out, &()).expect_err("no range").to_string();
    assert!(error.contains("range = none for '.. a b'") && !out.exists(), "{error}");
    let both = [product(Format::R32, None), product(Format::Npy, None)];
    let report = bake(&cpu(), &World::new(&pipeline, &plan, &both), &out, &()).expect("bake");
    assert_eq!(report.manifest.tiles[0].files[1].is.file, "x0_y0..._a_b.npy");
    assert!(out.join("x0_y0..._a_b.npy").is_file());
}

#[test]
fn a_bake_of_stages_resumes_with_the_same_tiles() {
    let (pipeline, products) = eroded();
    let (whole, cut) = (Scratch::new("stages-once"), Scratch::new("stages-again"));
    let plan = plan(24, 0..3, 0..2);
    let expected = bake(&cpu(), &World::new(&pipeline, &plan, &products), &whole.0, &()).expect("bake").manifest;
    bake(&cpu(), &World::new(&pipeline, &plan, &products), &cut.0, &()).expect("bake");
    std::fs::remove_file(cut.0.join("x1_y1.eroded.water.r32")).expect("there");
    let report = bake(&cpu(), &World::new(&pipeline, &plan, &products), &cut.0, &()).expect("resume");
    assert_eq!((report.written, report.resumed), (1, 5));
    assert_eq!(report.manifest, expected);
    // A world of other tiles has another smallest value, so it is another bake.
    let more = Plan { tiles: Tiles { x: 0..9, y: 0..9 }, ..plan };
    assert!(matches!(
        bake(&cpu(), &World::new(&pipeline, &more, &products), &cut.0, &()),
        Err(BakeError::OtherBake { what, .. }) if what.starts_with("the recipe")
    ));
}

#[test]
fn a_bake_that_panics_or_is_stopped_ends_with_an_error_and_goes_on_later() {
    struct Panics;
    impl Progress for Panics {
        fn tile(&self, _: u64, _: u64) {
            panic!("on purpose");
        }
    }
    struct Stops(AtomicU64);
    impl Progress for Stops {
        fn tile(&self, done: u64, _: u64) {
            self.0.store(done, Ordering::Relaxed);
        }
        fn stops(&self) -> bool {
            true
        }
    }
    let (scratch, pipeline, plan) = (Scratch::new("panics"), Pipeline::from(noise()), plan(256, 0..16, 0..16));
    let products = [product(Format::R32)];
    let world = World { patience: Duration::ZERO, ..World::new(&pipeline, &plan, &products) };
    let result = bake(&cpu(), &world, &scratch.0, &Panics);
    assert!(matches!(&result, Err(BakeError::Panicked { message }) if message == "on purpose"), "{result:?}");
    let stops = Stops(AtomicU64::new(0));
    let result = bake(&cpu(), &world, &scratch.0, &stops);
    assert!(matches!(result, Err(BakeError::Stopped)), "{result:?}");
    let kept = stops.0.load(Ordering::Relaxed);
    assert!(kept > 0 && kept < 256, "{kept} tiles");
    let report = bake(&cpu(), &world, &scratch.0, &()).expect("the rest");
    assert_eq!((report.resumed, report.written), (kept, 256 - kept));
    assert!(report.damaged.is_empty());
}

#[test]
fn damage_outside_of_the_tiles_that_are_baked_is_said_and_kept_on_record() {
    let (scratch, all) = (Scratch::new("elsewhere"), plan(16, 0..4, 0..1));
    let few = Plan { tiles: Tiles { x: 0..2, y: 0..1 }, ..all.clone() };
    let whole = run(&cpu(), &all, Format::R32, &scratch.0).expect("bake").manifest;
    let (damaged, gone) = (scratch.0.join("x3_y0.r32"), scratch.0.join("x1_y0.r32"));
    let bytes = std::fs::read(&damaged).expect("a tile");
    std::fs::write(&damaged, &bytes[1..]).expect("writable");
    std::fs::remove_file(&gone).expect("there");
    let report = run(&cpu(), &few, Format::R32, &scratch.0).expect("the rest is as it was");
    assert_eq!((report.written, report.resumed, report.damaged.len()), (1, 1, 2), "{:?}", report.damaged);
    assert_eq!(report.manifest.tiles, whole.tiles);
    assert_eq!(std::fs::read(&damaged).expect("there").len(), bytes.len() - 1);
    let report = run(&cpu(), &all, Format::R32, &scratch.0).expect("bake");
    assert_eq!((report.written, report.damaged), (1, vec!["x3_y0.r32".to_owned()]));
    assert_eq!(std::fs::read(&damaged).expect("there"), bytes);
}

#[test]
fn a_damaged_overview_that_is_not_wanted_any_more_is_nobody_elses() {
    let (scratch, plan, pipeline) = (Scratch::new("unwanted"), plan(16, 0..2, 0..1), Pipeline::from(noise()));
    let products = [product(Format::R32)];
    let with = World::new(&pipeline, &plan, &products);
    let picture = scratch.0.join("overview.png");
    bake(&cpu(), &with, &scratch.0, &()).expect("bake");
    let bytes = std::fs::read(&picture).expect("an overview");
    std::fs::write(&picture, &bytes[1..]).expect("writable");
    let report = bake(&cpu(), &World { overview: false, ..with.clone() }, &scratch.0, &()).expect("no overview");
    assert_eq!((report.written, report.damaged), (0, vec!["overview.png".to_owned()]));
    assert!(!picture.exists() && report.manifest.overview.is_none());
    bake(&cpu(), &with, &scratch.0, &()).expect("an overview again");
    assert_eq!(std::fs::read(&picture).expect("an overview"), bytes);
}
