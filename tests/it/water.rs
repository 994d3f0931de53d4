//! Drainage: one flood over the whole world, and the same bits for any cut of it.

use crate::stages::{hills, outputs};
use crate::support::{Scratch, command, cpu, expect, gpu, oracle, path, run, text};
use orogen::bake::check::{Finding, Wrong};
use orogen::bake::folder::{World, bake};
use orogen::bake::manifest::Product;
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Folder, Object, Store, Unmeasured, root};
use orogen::bake::{Format, Sharded, Tiles};
use orogen::node::Input;
use orogen::stage::{Drainage, Gaussian, Mask, Pipeline, Thermal};
use orogen::{Backend, DrainageCheck, Engine, EngineOptions, Layer, Region};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Larger than the squares in which water is traced, across no round number.
fn world() -> Region {
    Region { origin: [-301, 40, 0], spacing: 2.0, ..Region::plane(1100, 560) }
}

fn rivers(drainage: Drainage) -> Pipeline {
    Pipeline::from(hills()).named("rivers", drainage)
}

/// Every output of a stage, and the heights.
fn traced(engine: &Engine, pipeline: &Pipeline, world: &Region) -> Vec<Layer> {
    let names: Vec<String> = outputs(pipeline).into_iter().chain(["hills".to_owned()]).collect();
    engine.layers(pipeline, &names, world).expect("layers")
}

pub fn assert_same(found: &Layer, expected: &[f32], what: &str) {
    let other = found.values.iter().zip(expected).position(|(a, b)| a.to_bits() != b.to_bits());
    assert_eq!(other.map(|i| (i, found.values[i], expected[i])), None, "{what}, {}", found.name);
}

#[test]
fn drainage_is_that_of_one_flood_over_the_whole_world() {
    let world = world();
    let [width, height] = [world.size[0] as i64, world.size[1] as i64];
    let count = (width * height) as usize;
    for drainage in [
        Drainage::default(),
        Drainage { sea: Some(-3.0), ..Default::default() },
        Drainage { edge: false, sea: Some(-5.5), ..Default::default() },
    ] {
        let layers = traced(&cpu(), &rivers(drainage.clone()), &world);
        let [filled, depth, area, orders, basin, distance, x, y, bed, discharge, heights] = &layers[..] else { panic!("eleven layers") };
        let neighbours = |i: usize| {
            let (x, y) = (i as i64 % width, i as i64 / width);
            let around = (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy))).filter(|step| *step != (0, 0));
            let inside = move |(dx, dy): &(i64, i64)| (0..width).contains(&(x + dx)) && (0..height).contains(&(y + dy));
            around.filter(inside).map(move |(dx, dy)| ((y + dy) * width + x + dx) as usize)
        };
        let is_outlet = |i: usize| {
            let (x, y) = (i as i64 % width, i as i64 / width);
            let edge = drainage.edge && (x == 0 || y == 0 || x + 1 == width || y + 1 == height);
            edge || drainage.sea.is_some_and(|sea| heights.values[i] <= sea as f32)
        };
        // A flood from all outlets, the lowest first.
        let (mut levels, mut queue) = (vec![None; count], BinaryHeap::new());
        let order = |level: f32| if level.total_cmp(&0.0).is_lt() { !level.to_bits() } else { level.to_bits() | 1 << 31 };
        for i in (0..count).filter(|i| is_outlet(*i)) {
            levels[i] = Some(heights.values[i]);
            queue.push(Reverse((order(heights.values[i]), i)));
        }
        while let Some(Reverse((_, i))) = queue.pop() {
            for next in neighbours(i) {
                if levels[next].is_none() {
                    let level = heights.values[next].max(levels[i].expect("reached"));
                    levels[next] = Some(level);
                    queue.push(Reverse((order(level), next)));
                }
            }
        }
        let levels: Vec<f32> = levels.into_iter().map(|level| level.expect("every sample is reached")).collect();
        assert_same(filled, &levels, "the flood");
        let depths: Vec<f32> = levels.iter().zip(&heights.values).map(|(level, height)| level - height).collect();
        assert_same(depth, &depths, "the flood");
        assert!(depths.iter().any(|depth| *depth > 0.0), "there are lakes");
        assert_same(bed, &heights.values, "no pass is cut");
        // Along the water.
        let steps: Vec<(i64, i64)> = x
            .values
            .iter()
            .zip(&y.values)
            .map(|(x, y)| (x.signum() as i64 * i64::from(*x != 0.0), y.signum() as i64 * i64::from(*y != 0.0)))
            .collect();
        let next = |i: usize| (steps[i] != (0, 0)).then(|| (i as i64 + steps[i].1 * width + steps[i].0) as usize);
        let mut donors = vec![0; count];
        for i in 0..count {
            assert_eq!(next(i).is_none(), is_outlet(i), "sample {i}");
            if let Some(next) = next(i) {
                donors[next] += 1;
                assert!(levels[next] <= levels[i], "water rises at {i}");
                assert_eq!(basin.values[i], basin.values[next]);
                let slope = x.values[i].powi(2) + y.values[i].powi(2);
                assert!((slope - 1.0).abs() < 1e-6, "{slope}");
            }
        }
        let mut order: Vec<usize> = (0..count).filter(|i| donors[*i] == 0).collect();
        let (mut cells, mut done) = (vec![1_u64; count], 0);
        while let Some(&i) = order.get(done) {
            done += 1;
            if let Some(next) = next(i) {
                cells[next] += cells[i];
                donors[next] -= 1;
                if donors[next] == 0 {
                    order.push(next);
                }
            }
        }
        assert_eq!(order.len(), count, "water runs in circles");
        let areas: Vec<f32> = cells.iter().map(|cells| (*cells as f64 * 4.0) as f32).collect();
        assert_same(area, &areas, "the sums");
        assert_same(discharge, &areas, "a rain of 1");
        let mut arriving = vec![[0_u8; 2]; count];
        for &i in &order {
            let [first, second] = arriving[i];
            let own = if first == 0 { 1 } else { first + u8::from(first == second) };
            assert_eq!(orders.values[i], f32::from(own), "the order of sample {i}");
            if let Some(next) = next(i) {
                let mut all = [arriving[next][0], arriving[next][1], own];
                all.sort_unstable_by(|a, b| b.cmp(a));
                arriving[next] = [all[0], all[1]];
            }
        }
        let outlets: u64 = (0..count).filter(|i| is_outlet(*i)).map(|i| cells[i]).sum();
        assert_eq!(outlets, count as u64);
        let mut lengths = vec![0_u64; count];
        for &i in order.iter().rev() {
            if let Some(next) = next(i) {
                lengths[i] = lengths[next] + if steps[i].0 != 0 && steps[i].1 != 0 { 92_682 } else { 65_536 };
            }
        }
        let lengths: Vec<f32> = lengths.iter().map(|length| (*length as f64 * (2.0 / 65_536.0)) as f32).collect();
        assert_same(distance, &lengths, "the lengths");
    }
}

/// The samples of a region.
fn part(whole: &Layer, region: &Region) -> Vec<f32> {
    let [x, y] = [0, 1].map(|axis| (region.origin[axis] - whole.region.origin[axis]) as usize);
    let [width, height] = [0, 1].map(|axis| region.size[axis] as usize);
    let row = |row: usize| &whole.values[(y + row) * whole.region.size[0] as usize + x..][..width];
    (0..height).flat_map(|y| row(y).iter().copied()).collect()
}

/// Water with cuts, outlets and rain, without them, and a stage with a halo over it.
pub fn chain() -> Pipeline {
    let node = |name: &str| Input::Node(name.to_owned());
    let eroded = Pipeline::from(hills()).named("eroded", Thermal { iterations: 3, talus: 0.3, ..Default::default() });
    let sinks = eroded.named("sinks", Mask { of: node("hills"), from: -5.0, to: -7.0 });
    let (of, outlets, rain) = (node("eroded"), node("sinks"), node("hills"));
    let traced = sinks.named("cut", Drainage { of, breach: 0.4, outlets, rain, edge: false, seed: 7, ..Default::default() });
    let traced = traced.named("rivers", Drainage { of: node("eroded"), seed: 7, ..Default::default() });
    traced.named("soft", Gaussian { of: Input::Node("rivers.distance".to_owned()), sigma: 2.0 })
}

pub const LAYERS: [&str; 8] = ["soft", "rivers", "rivers.area", "rivers.basin", "rivers.order", "cut", "cut.bed", "cut.discharge"];

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn water_has_the_same_bits_for_any_tile_memory_and_engine() {
    let (pipeline, world) = (chain(), world());
    let engine = |backend, memory, threads| {
        Engine::open(&EngineOptions { backend, memory: Some(memory), threads, ..Default::default() }).expect("an engine")
    };
    let whole = cpu().layers(&pipeline, &LAYERS, &world).expect("layers");
    let small = engine(Backend::Cpu, 1 << 22, orogen::Threads::Caller);
    let engines = [("the CPU", cpu()), ("little memory", small), ("a GPU", gpu().clone())];
    for (what, engine) in &engines {
        let measured = engine.measure(&pipeline, &LAYERS, &[world]).expect("a measured pipeline");
        assert!(measured.unmeasured().is_empty() && !pipeline.unmeasured().is_empty());
        for (tile, [x, y]) in [(8, [508, 300]), (8, [0, 0]), (100, [450, 460]), (512, [588, 48]), (560, [100, 0])] {
            let region = Region { origin: [world.origin[0] + x, world.origin[1] + y, 0], size: [tile, tile, 1], ..world };
            let layers = engine.layers(&measured, &LAYERS, &region).expect("layers");
            for (layer, whole) in layers.iter().zip(&whole) {
                assert_same(layer, &part(whole, &region), &format!("{what}, {tile}² at {x}, {y}"));
            }
        }
        // A job, and an engine that has not traced the world itself.
        let region = Region { size: [700, 90, 1], ..world };
        let layers = engine.job(&measured, &LAYERS, &region).expect("a job").finish().expect("layers");
        let other = cpu().layers(&measured, &LAYERS, &region).expect("layers");
        for (layer, other) in layers.iter().zip(&other) {
            assert_same(layer, &other.values, what);
        }
    }
    // Stages on a field of the caller's.
    let heights = cpu().layer(&Pipeline::from(hills()), &world).expect("heights");
    let field = orogen::Field { region: world, values: heights.values, gradients: None };
    let brought =
        Pipeline::source(orogen::stage::Given {}).named("rivers", Drainage::default()).then(Gaussian { sigma: 1.5, ..Default::default() });
    let names = ["gaussian", "rivers.area", "rivers.distance"];
    let applied = cpu().apply(&brought, &names, &field).expect("layers");
    let own = rivers(Drainage::default()).then(Gaussian { sigma: 1.5, ..Default::default() });
    for (layer, own) in applied.iter().zip(cpu().layers(&own, &names, &world).expect("layers")).skip(1) {
        assert_same(layer, &own.values, "a field of the caller's");
    }
    // Other samples than the world's are refused, with what is allowed.
    let measured = cpu().measure(&pipeline, &LAYERS, &[world]).expect("a measured pipeline");
    for (region, told) in [
        (
            Region { origin: [world.origin[0] - 1, 41, 0], size: [8, 8, 1], ..world },
            "are not part of the world whose water is traced; allowed: part of its 1100 × 560",
        ),
        (Region { spacing: 1.0, size: [8, 8, 1], ..world }, "spacing 1"),
        (Region { level: 1, size: [8, 8, 1], ..world }, "level 1"),
    ] {
        let error = cpu().layers(&measured, &LAYERS, &region).expect_err("refused").to_string();
        assert!(["cut", "rivers"].iter().any(|stage| error.contains(&format!("stage '{stage}'"))) && error.contains(told), "{error}");
    }
    // f64 computes the same water from other heights.
    let exact = oracle().layers(&pipeline, &["rivers"], &Region { size: [40, 30, 1], ..world }).expect("layers");
    assert_eq!(exact[0].values.len(), 1200);
}

#[test]
fn a_breach_cuts_shallow_passes_and_keeps_deep_lakes() {
    let world = world();
    let of = |breach: f64| {
        cpu().layers(&rivers(Drainage { breach, ..Default::default() }), &["rivers", "rivers.depth", "rivers.bed", "rivers.area"], &world)
    };
    let [none, some, all] = [0.0, 4.0, 1e9].map(|breach| of(breach).expect("layers"));
    let wet = |layers: &[Layer]| layers[1].values.iter().filter(|depth| **depth > 0.0).count();
    println!("samples under water: {} without cuts, {} with some, {} with all", wet(&none), wet(&some), wet(&all));
    assert!(wet(&none) > wet(&some) && wet(&some) > 0 && wet(&all) == 0);
    let deepest = |layers: &[Layer]| layers[1].extent()[1];
    assert!(deepest(&none) >= deepest(&some) && deepest(&some) > 4.0);
    for layers in [&some, &all] {
        assert_same(&layers[3], &none[3].values, "areas");
        let (surface, bed, height) = (&layers[0].values, &layers[2].values, &none[2].values);
        assert!((0..surface.len()).all(|i| bed[i] <= height[i] && bed[i] <= surface[i] && surface[i] <= none[0].values[i]));
        assert!(bed.iter().zip(height).any(|(bed, height)| bed < height));
    }
}

#[test]
fn rain_is_summed_exactly_and_masks_are_outlets() {
    let world = world();
    let node = |name: &str| Input::Node(name.to_owned());
    // Half of the samples have no rain.
    let drainage = Drainage { edge: false, outlets: node("sinks"), rain: node("hills"), ..Default::default() };
    let sinks = Pipeline::from(hills()).named("sinks", Mask { of: node("hills"), from: -5.0, to: -7.0 });
    let pipeline = sinks.named("rivers", Drainage { of: node("hills"), ..drainage });
    let names = ["rivers.discharge", "rivers.flow_x", "rivers.flow_y", "hills", "sinks"];
    let layers = cpu().layers(&pipeline, &names, &world).expect("layers");
    let [discharge, x, y, rain, sinks] = &layers[..] else { panic!("five layers") };
    let width = world.size[0] as usize;
    let mut sums: Vec<u64> = rain.values.iter().map(|rain| (f64::from(rain.max(0.0)) * 65_536.0).round() as u64).collect();
    let fallen: u64 = sums.iter().sum();
    let next = |i: usize| {
        let [dx, dy] = [x, y].map(|along| (along.values[i] > 0.0) as isize - (along.values[i] < 0.0) as isize);
        (dx != 0 || dy != 0).then(|| i.wrapping_add_signed(dy * width as isize + dx))
    };
    let mut donors = vec![0; sums.len()];
    (0..sums.len()).filter_map(next).for_each(|to| donors[to] += 1);
    let mut order: Vec<usize> = (0..sums.len()).filter(|i| donors[*i] == 0).collect();
    let mut done = 0;
    while let Some(&i) = order.get(done) {
        done += 1;
        let Some(to) = next(i) else { continue };
        (sums[to], donors[to]) = (sums[to] + sums[i], donors[to] - 1);
        if donors[to] == 0 {
            order.push(to);
        }
    }
    let outlets = || (0..sums.len()).filter(|i| next(*i).is_none());
    assert!(outlets().all(|i| sinks.values[i] > 0.5) && outlets().count() == sinks.values.iter().filter(|sink| **sink > 0.5).count());
    assert_eq!(outlets().map(|i| sums[i]).sum::<u64>(), fallen);
    let expected: Vec<f32> = sums.iter().map(|sum| (*sum as f64 / 65_536.0 * 4.0) as f32).collect();
    assert_same(discharge, &expected, "the sums");
    // Even rain is a number.
    let even = |rain| rivers(Drainage { rain: Input::Value(rain), ..Default::default() });
    let of = |rain| cpu().layers(&even(rain), &["rivers.discharge", "rivers.area"], &Region::plane(40, 30)).expect("layers");
    let [dry, wet] = [0.0, 2.5].map(of);
    assert!(dry[0].values.iter().all(|rain| *rain == 0.0));
    assert!(wet[0].values.iter().zip(&wet[1].values).all(|(rain, area)| *rain == area * 2.5));
}

#[test]
fn worlds_without_drainage_are_refused() {
    let flat = orogen::Noise::constant(0.5);
    let refused = |drainage: Drainage| {
        let pipeline = rivers(drainage).with("flat", &flat).expect("a free name");
        cpu().layers(&pipeline, &["rivers"], &Region::plane(30, 20)).expect_err("refused").to_string()
    };
    for (drainage, told) in [
        (Drainage { edge: false, ..Default::default() }, "stage 'rivers': edge = false is not allowed; allowed: true, or a sea level"),
        (
            Drainage { edge: false, sea: Some(-1e6), ..Default::default() },
            "stage 'rivers': no sample of the world is an outlet; allowed: `edge = true`",
        ),
        (
            Drainage { of: Input::Value(3.0), ..Default::default() },
            "stage 'rivers': of = 3 is not allowed; allowed: the name of a stage or node",
        ),
        (Drainage { breach: -0.5, ..Default::default() }, "stage 'rivers': breach = -0.5 is not allowed; allowed: 0 to 1e15"),
        (
            Drainage { edge: false, outlets: Input::Node("flat".to_owned()), ..Default::default() },
            "stage 'rivers': no sample of the world is an outlet; allowed: `edge = true`",
        ),
        (
            Drainage { outlets: Input::Value(1.0), ..Default::default() },
            "stage 'rivers': outlets = 1 is not allowed; allowed: the name of a stage or node",
        ),
        (Drainage { rain: Input::Value(-1.0), ..Default::default() }, "stage 'rivers': rain = -1 is not allowed; allowed: 0 to 65535"),
        (Drainage { rain: Input::Value(f64::NAN), ..Default::default() }, "stage 'rivers': rain = NaN is not allowed"),
        (Drainage { measured: Some(vec![0.0; 9]), ..Default::default() }, "stage 'rivers': measured"),
        (Drainage { measured: Some(vec![1.0; 3]), ..Default::default() }, "stage 'rivers': measured"),
    ] {
        let error = refused(drainage);
        assert!(error.contains(told), "{error}");
    }
    // With a sea above everything, every sample is an outlet.
    let all =
        cpu().layers(&rivers(Drainage { sea: Some(1e6), ..Default::default() }), &["rivers.area"], &Region::plane(30, 20)).expect("layers");
    assert!(all[0].values.iter().all(|area| *area == 1.0));
    let error = cpu().job(&rivers(Drainage::default()), &["rivers"], &Region::plane(30, 20)).expect_err("refused").to_string();
    assert!(error.contains("stage 'rivers' depends on the whole world"), "{error}");
}

#[test]
fn shards_trace_the_water_of_one_process() {
    shards_have_the_root_of_one_process(&chain(), &LAYERS, 4, "water");
}

/// Bakes by 1, 7 and 37 shards, with a process for each part of each of `phases`.
pub fn shards_have_the_root_of_one_process(pipeline: &Pipeline, layers: &[&str], phases: u32, name: &str) {
    // Squares of 512² samples in two groups, which have parts of their own.
    let plan = Plan { tile: 128, tiles: Tiles { x: 0..18, y: 0..3 }, overlap: 1, level: 0, spacing: 2.0, z: 0.0 };
    let products: Vec<Product> = layers.iter().map(|&layer| Product { layer: layer.into(), format: Format::Npy, range: None }).collect();
    let scratch = Scratch::new(name);
    let size = [2304_u64, 384];
    let extent = Region { size: [size[0] as u32, size[1] as u32, 1], spacing: plan.spacing, ..Region::plane(1, 1) };
    let measured = cpu().measure(pipeline, layers, &[extent]).expect("a measured pipeline");
    let report = bake(&cpu(), &World::new(&measured, &plan, &products), &scratch.0.join("alone"), &()).expect("bake");
    let expected = root(&report.manifest).expect("a whole world");
    for shards in [1, 7, 37] {
        let place = scratch.0.join(format!("{shards}"));
        let unmeasured = Unmeasured { size, ranges: Vec::new() };
        let store = || Arc::new(Folder::new(&place));
        let sharded =
            Sharded::plan_unmeasured(store(), &cpu(), &World::new(pipeline, &plan, &products), shards, unmeasured).expect("a plan");
        assert_eq!(sharded.phases().expect("phases"), phases);
        for phase in 0..phases {
            for shard in (0..shards).rev() {
                let sharded = Sharded::open(store()).expect("the plan");
                sharded.measure(&cpu(), shard, Some(phase), &()).expect("a part");
            }
        }
        for shard in 0..shards {
            sharded.bake(&cpu(), shard, &()).expect("a shard");
        }
        assert_eq!(sharded.seal(&()).expect("a whole world").root, expected, "{shards} shards");
    }
}

/// A store that lists the answers which are read.
struct Reading {
    folder: Folder,
    answers: Mutex<BTreeSet<String>>,
}

impl Reading {
    fn new(place: &Path) -> Arc<Self> {
        Arc::new(Reading { folder: Folder::new(place), answers: Mutex::default() })
    }

    /// The answers of groups that were read since the last call: their phases and numbers.
    fn taken(&self) -> Vec<(u32, u32)> {
        let names = std::mem::take(&mut *self.answers.lock().expect("no panic"));
        let group = |name: &String| {
            let mut words = name.strip_prefix("measured/")?.strip_suffix(".answer")?.split('/');
            let phase = words.next()?.parse().ok()?;
            Some((phase, words.nth(1)?.parse().ok()?))
        };
        names.iter().filter_map(group).collect()
    }
}

impl Store for Reading {
    fn path(&self) -> PathBuf {
        self.folder.path()
    }

    fn read(&self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        if name.ends_with(".answer") {
            self.answers.lock().expect("no panic").insert(name.to_owned());
        }
        self.folder.read(name)
    }

    fn size(&self, name: &str) -> std::io::Result<Option<u64>> {
        self.folder.size(name)
    }

    fn names(&self, folder: &str) -> std::io::Result<Vec<String>> {
        self.folder.names(folder)
    }

    fn make(&self, objects: &[Object]) -> std::io::Result<Vec<bool>> {
        self.folder.make(objects)
    }

    fn remove(&self, name: &str) -> std::io::Result<()> {
        self.folder.remove(name)
    }

    fn tidy(&self, folder: &str) -> std::io::Result<()> {
        self.folder.tidy(folder)
    }
}

#[test]
fn shards_read_the_answers_around_their_tiles_alone() {
    // Four groups of squares in a row, and a shard for each of eight columns of tiles.
    let pipeline = rivers(Drainage { breach: 0.2, ..Default::default() });
    let plan = Plan { tile: 128, tiles: Tiles { x: 0..56, y: 0..1 }, overlap: 1, level: 0, spacing: 2.0, z: 0.0 };
    let products = ["rivers", "rivers.area"].map(|layer| Product { layer: layer.into(), format: Format::Npy, range: None });
    let (scratch, shards, groups) = (Scratch::new("water-reads"), 7_u32, 4_u32);
    let store = || Reading::new(&scratch.0);
    let unmeasured = Unmeasured { size: [56 * 128, 128], ranges: Vec::new() };
    Sharded::plan_unmeasured(store(), &cpu(), &World::new(&pipeline, &plan, &products), shards, unmeasured).expect("a plan");
    let measured = |shard: u32, phase: u32| {
        let store = store();
        Sharded::open(store.clone()).expect("the plan").measure(&cpu(), shard, Some(phase), &()).expect("a part");
        store.taken()
    };
    let of_shard = |shard: u32| groups * shard / shards..groups * (shard + 1) / shards;
    for shard in 0..shards {
        assert_eq!(measured(shard, 0), [], "the passes of shard {shard}");
    }
    for shard in 0..shards {
        let own: Vec<(u32, u32)> = of_shard(shard).map(|group| (0, group)).collect();
        assert_eq!(measured(shard, 1), own, "the flow of shard {shard}");
    }
    // The samples of eight tiles, of one more for the overlap, and the groups that they lie in.
    for shard in 0..shards {
        let store = store();
        Sharded::open(store.clone()).expect("the plan").bake(&cpu(), shard, &()).expect("a shard");
        let around = shard * 1024 / 2048..((shard + 1) * 1024).min(56 * 128 - 1) / 2048 + 1;
        let expected: Vec<(u32, u32)> = (0..2).flat_map(|phase| around.clone().map(move |group| (phase, group))).collect();
        assert_eq!(store.taken(), expected, "the tiles of shard {shard}");
    }
    let world = Sharded::open(store()).expect("the plan");
    let root = world.seal(&()).expect("a whole world").root;
    // Damage of a group's part or answer is named and mended, and no tile is baked from it.
    for name in ["measured/1/0/2.answer", "measured/0/0/3.answer", "measured/0/0/1.part"] {
        let file = scratch.0.join(name);
        let whole = std::fs::read(&file).expect("it is there");
        let mut damaged = whole.clone();
        *damaged.last_mut().expect("bytes") ^= 1;
        for bytes in [Some(damaged), None] {
            std::fs::remove_file(&file).expect("there");
            let lost = bytes.is_none();
            if let Some(bytes) = bytes {
                std::fs::write(&file, bytes).expect("written");
            }
            let world = Sharded::open(store()).expect("the plan");
            let findings = world.check(None, &()).expect("a check").findings;
            let is = |found: &Finding| found.file == name && found.wrong == if lost { Wrong::Missing } else { Wrong::Damaged };
            assert!(matches!(&findings[..], [found] if is(found)), "{findings:?}");
            if name.ends_with(".answer") {
                let tile = scratch.0.join("tiles");
                std::fs::rename(&tile, scratch.0.join("hidden")).expect("tiles");
                let refused = world.bake(&cpu(), 5, &()).expect_err("it is not there").to_string();
                assert!(refused.contains(name) && refused.contains("orogen measure"), "{refused}");
                let _ = std::fs::remove_dir_all(&tile);
                std::fs::rename(scratch.0.join("hidden"), &tile).expect("tiles");
            }
            let world = Sharded::open(store()).expect("the plan");
            world.measure_all(&cpu(), &()).expect("mended");
            assert!(std::fs::read(&file).expect("made again") == whole, "{name}");
            assert_eq!(world.check(None, &()).expect("a check").findings, []);
        }
    }
    assert_eq!(world.seal(&()).expect("a whole world").root, root);
}

const RECIPE: &str = r#"
output = "cut"

[node.waves]
kind = "simplex"
wavelength = 60.0

[node.hills]
kind = "fractal"
of = "waves"
octaves = 4

[stage.rivers]
kind = "drainage"
of = "hills"

[stage.cut]
kind = "drainage"
of = "hills"
breach = 0.2
rain = "waves"

[bake]
tile = 96
tiles = [8, 6]
layers = ["cut", "cut.discharge"]
"#;

/// A bake by one process whose memory is too small for the records of all squares, and one that holds them.
#[test]
fn bakes_with_records_in_temporary_files_have_the_same_root() {
    let scratch = Scratch::new("records");
    let recipe = scratch.file("water.toml", RECIPE);
    let root = |memory: &str, name: &str| {
        let out = scratch.0.join(name);
        let bake = || {
            let output = run(&["bake", path(&recipe), "--format", "npy", "--memory", memory, "--backend", "cpu", "--out", path(&out)], "");
            expect(&output, 0, &[]);
            (text(&output.stdout), text(&output.stderr))
        };
        let (said, _) = bake();
        let root = said.lines().find(|line| line.contains("root")).unwrap_or_else(|| panic!("{said}")).to_owned();
        // Records in memory are in the answers, so a later run does not trace the water again.
        assert_eq!(bake().1.contains("measuring"), name == "small", "{name}");
        let checked = run(&["check", path(&out), "--recompute", "0.1", "--memory", memory, "--backend", "cpu", "--json"], "");
        let said = text(&checked.stdout);
        assert!(said.contains("\"broken\": []") && said.contains("\"findings\": []"), "{said}");
        // The records of the flow exceed the small memory, so their answer lacks those of the squares.
        let size = std::fs::metadata(out.join("measured.1.answer")).expect("an answer").len();
        assert_eq!(size < 1000, name == "small", "{name}: {size}");
        root
    };
    assert_eq!(root("1", "small"), root("512", "large"));
}

#[test]
fn a_temporary_file_that_cannot_be_created_is_an_error_of_storage() {
    let scratch = Scratch::new("no-folder");
    let (recipe, missing) = (scratch.file("water.toml", RECIPE), scratch.0.join("missing"));
    let mut bake = command(&["bake", path(&recipe), "--memory", "1", "--backend", "cpu", "--out", path(&scratch.0.join("out"))]);
    let output = bake.env("TMPDIR", &missing).output().expect("the command ends");
    expect(&output, 74, &["stage 'cut': records in a temporary file", "allowed: a folder for temporary files with enough space"]);
}

#[test]
fn commands_check_the_rules_of_drainage() {
    let scratch = Scratch::new("rules");
    let recipe = scratch.file("water.toml", RECIPE);
    let (recipe, out) = (path(&recipe), scratch.0.join("out"));
    let ran = |args: &[&str]| {
        let output = run(&[args, &["--backend", "cpu"]].concat(), "");
        expect(&output, 0, &[]);
        (text(&output.stdout), text(&output.stderr))
    };
    // All stages, over the first 640 samples along each axis.
    let (said, _) = ran(&["verify", recipe]);
    for stage in ["rivers", "cut"] {
        let line = format!("ok   drainage of '{stage}': 368640 samples drain to 2428 outlets, and no water rises");
        assert!(said.contains(&line), "{said}");
    }
    let measuring = "measuring the flow over 'hills', 'waves', for 'cut', with values";
    let (_, said) = ran(&["bake", recipe, "--format", "npy", "--out", path(&out)]);
    assert!(said.contains(&format!("{measuring} kept in memory")), "{said}");
    let (_, said) = ran(&["bake", recipe, "--format", "npy", "--memory", "4", "--out", path(&scratch.0.join("small"))]);
    assert!(said.contains(&format!("{measuring} evaluated again")), "{said}");
    let place = path(&scratch.0.join("world")).to_owned();
    ran(&["plan", recipe, "--format", "npy", "--shards", "3", "--out", &place]);
    ran(&["measure", &place]);
    for shard in ["0/3", "1/3", "2/3"] {
        ran(&["bake", &place, "--shard", shard]);
    }
    expect(&run(&["seal", &place], ""), 0, &[]);
    for world in [path(&out), &place] {
        let (said, _) = ran(&["check", world, "--recompute", "0.05", "--json"]);
        assert!(said.contains("\"broken\": []") && said.contains("\"findings\": []"), "{said}");
    }
    // From Rust: a stage without a world is left out, or traced over a given one.
    let pipeline = rivers(Drainage { breach: 0.3, ..Default::default() });
    assert_eq!(cpu().check_drainage(&pipeline, None).expect("a check"), []);
    let checks = cpu().check_drainage(&pipeline, Some(&world())).expect("a check");
    let [DrainageCheck { stage, samples: 616_000, outlets: 3316, broken: None, at: None }] = &checks[..] else { panic!("{checks:?}") };
    assert_eq!(stage, "rivers");
}

#[test]
fn tiles_beyond_a_traced_world_are_refused_before_anything_is_written() {
    let scratch = Scratch::new("water-beyond");
    let (recipe, out) = (scratch.file("r.toml", RECIPE), scratch.0.join("out"));
    let place = ["--out", path(&out), "--backend", "cpu"];
    let (plan, bake) = ([&["plan", path(&recipe), "--shards", "2"], &place[..]].concat(), [&["bake", path(&recipe)], &place[..]].concat());
    for command in [&plan, &bake] {
        for (flags, told) in [
            (
                &["--tiles", "0..9,0..6"][..],
                "beyond the 768 × 576 samples at level 0 whose water is traced is not allowed; allowed: within --tiles 0..8,0..6",
            ),
            (&["--tiles", "-1..2,0..6"], "allowed: within --tiles 0..8,0..6"),
            (
                &["--level", "2"],
                "beyond the 192 × 144 samples at level 2 whose water is traced is not allowed; allowed: within --tiles 0..2,0..1",
            ),
            (&["--level", "3"], "allowed: within --tile 72 --tiles 0..1,0..1"),
        ] {
            expect(&run(&[command, flags].concat(), ""), 2, &[told]);
            assert!(!out.exists(), "{flags:?}");
        }
    }
    expect(&run(&[&bake[..], &["--level", "2", "--tiles", "0..2,0..1"]].concat(), ""), 0, &[]);
}
