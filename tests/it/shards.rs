//! Worlds baked by shards. There is one root hash for any way of baking, kills, faults and power cuts lose nothing, and all damage
//! is found.

use crate::drill::{Drill, FAULTS, Fault, rounds};
use crate::nodes;
use crate::support::{RECIPE, Random, Scratch, command, cpu, expect, gpu, path, run, text};
use orogen::Noise;
use orogen::bake::check::{CheckReport, Finding, Recompute, Wrong};
use orogen::bake::folder::{World, bake};
use orogen::bake::manifest::{Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Folder, Object, Store, root};
use orogen::bake::{BakeError, Format, Progress, Sharded, Tiles};
use orogen::node::{Heights, Raster};
use orogen::stage::{Hydraulic, Normalise, Pipeline};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

/// Erosion, a stage that reads the whole world, two layers, one of them with additional files.
fn world() -> (Pipeline, Plan, Vec<Product>) {
    let hills = nodes::of_kind("fractal").remove(0).scale_offset(40.0, 0.0);
    let base = Pipeline::from(hills).named("eroded", Hydraulic { iterations: 6, ..Default::default() });
    let pipeline = base.named("even", Normalise { high: 100.0, ..Default::default() });
    let plan = Plan { tile: 16, tiles: Tiles { x: -9..12, y: 3..23 }, overlap: 1, level: 0, spacing: 4.0, z: 0.0 };
    let range = Some(RangeRecord { lo: 0.0, hi: 100.0, kind: RangeKind::Proven });
    let even = Product { layer: "even".into(), format: Format::Png16, range };
    (pipeline, plan, vec![even, Product { layer: "eroded.water".into(), format: Format::R32, range: None }])
}

/// A world of few tiles, without stages.
pub fn small() -> (Pipeline, Plan, Vec<Product>) {
    let (_, plan, mut products) = world();
    products.truncate(1);
    products[0] =
        Product { layer: "n".into(), range: Some(RangeRecord { lo: -2.0, hi: 2.0, kind: RangeKind::Declared }), ..products[0].clone() };
    let pipeline = Pipeline::from(nodes::of_kind("fractal").remove(0).named("n"));
    (pipeline, Plan { tile: 8, tiles: Tiles { x: -1..2, y: 14..18 }, ..plan }, products)
}

fn planned(
    store: impl Store + 'static,
    (pipeline, plan, products): &(Pipeline, Plan, Vec<Product>),
    shards: u32,
) -> Result<Sharded, BakeError> {
    Sharded::plan(Arc::new(store), &cpu(), &World::new(pipeline, plan, products), shards)
}

fn shuffled(count: u32, random: &mut Random) -> Vec<u32> {
    let mut all: Vec<u32> = (0..count).collect();
    for i in (1..all.len()).rev() {
        all.swap(i, random.bits() as usize % (i + 1));
    }
    all
}

/// Every file under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn one_process_shards_in_any_order_twice_at_once_and_on_a_gpu_give_one_hash() {
    let world = world();
    let (pipeline, plan, products) = &world;
    let alone = Scratch::new("shards-alone");
    let report = bake(&cpu(), &World::new(pipeline, plan, products), &alone.0, &()).expect("bake");
    let expected = root(&report.manifest).expect("a whole world");
    let scratch = Scratch::new("shards-many");
    let sharded = planned(Folder::new(&scratch.0), &world, 37).expect("a plan");
    assert_eq!((0..37).map(|shard| sharded.tiles_of(shard)).sum::<u64>(), 21 * 20);
    let mut random = Random(0x51a2);
    let order = shuffled(37, &mut random);
    // Two processes at once, where each bakes the same shards as the other; every third shard is baked on the device.
    let worker = |order: Vec<u32>| {
        let sharded = Sharded::open(Arc::new(Folder::new(&scratch.0))).expect("the plan");
        for shard in order {
            let gpu = (shard % 3 == 0).then(gpu);
            sharded.bake(gpu.unwrap_or(&cpu()), shard, &()).expect("a shard");
        }
    };
    std::thread::scope(|scope| {
        let backwards = order.iter().rev().copied().collect();
        scope.spawn(|| worker(order.clone()));
        scope.spawn(|| worker(backwards));
    });
    let sealed = sharded.seal(&()).expect("a whole world");
    assert_eq!((sealed.root.as_str(), sealed.tiles), (expected.as_str(), 420));
    assert_eq!(sharded.seal(&()).expect("sealed again"), sealed);
    let again = sharded.bake(&cpu(), order[0], &()).expect("a shard that is done");
    assert_eq!(again.written, 0, "work is not done twice");
    let status = sharded.status().expect("status");
    assert_eq!((status.done, status.missing.len(), status.root), (420, 0, Some(expected)));
    let checked = sharded.check(Some(&Recompute { engine: &cpu(), share: 0.1, seed: 1 }), &()).expect("a check");
    assert_eq!((checked.findings, checked.files, checked.unfinished), (Vec::new(), 420 * 3 + 1, false));
    assert!(checked.recomputed >= 37 && files(&scratch.0).iter().all(|file| !file.to_string_lossy().ends_with(".unfinished")));
    // The same plan may be made again; another is refused, and so is a bake by one process.
    planned(Folder::new(&scratch.0), &world, 37).expect("the same plan");
    let other = planned(Folder::new(&scratch.0), &world, 36).expect_err("other shards").to_string();
    assert!(other.contains("number of shards"), "{other}");
    let (mut pipeline, plan, products) = world.clone();
    pipeline.set("eroded.iterations", 7).expect("a parameter");
    let other = planned(Folder::new(&scratch.0), &(pipeline, plan, products), 37).expect_err("another recipe").to_string();
    assert!(other.contains("the recipe differs"), "{other}");
}

/// Unfinished files in an incomplete world may belong to a running process.
#[test]
fn sealing_too_early_disturbs_nobody() {
    let scratch = Scratch::new("shards-early");
    let world = small();
    let sharded = planned(Folder::new(&scratch.0), &world, 2).expect("a plan");
    sharded.bake(&cpu(), 0, &()).expect("a shard");
    let begun = files(&scratch.0.join("tiles"))[0].with_file_name(".somebody-0.unfinished");
    std::fs::write(&begun, "half").expect("written");
    assert!(matches!(sharded.seal(&()), Err(BakeError::Missing { count: 1, .. })));
    assert!(begun.exists());
    sharded.bake(&cpu(), 1, &()).expect("a shard");
    sharded.seal(&()).expect("a whole world");
    assert!(!begun.exists());
    // There is no third.
    assert_eq!([2, u32::MAX].map(|shard| sharded.tiles_of(shard)), [0, 0]);
}

/// A refused plan leaves nothing in a world that another process planned.
#[test]
fn what_another_plan_names_is_not_brought() {
    let scratch = Scratch::new("shards-other");
    let (_, plan, products) = small();
    let of = |height: f32| {
        let heights = Heights::new(vec![height, 1.0, 2.0, 3.0], [2, 2]).expect("heights");
        (Pipeline::from(Noise::raster(Raster { heights, ..Default::default() }).named("n")), plan.clone(), products.clone())
    };
    planned(Folder::new(&scratch.0), &of(0.0), 2).expect("a plan");
    let before = files(&scratch.0);
    assert!(
        matches!(planned(Folder::new(&scratch.0), &of(0.5), 2), Err(BakeError::OtherBake { what, .. }) if what.starts_with("the recipe"))
    );
    assert_eq!(files(&scratch.0), before);
}

/// 10⁹ tiles: planned at once, and a shard far inside costs what it has.
#[test]
fn a_world_of_a_thousand_million_tiles_is_baked_shard_by_shard() {
    let (pipeline, _, products) = small();
    let plan = Plan { tile: 8, tiles: Tiles { x: -16_000..15_623, y: 0..31_623 }, overlap: 0, level: 0, spacing: 4.0, z: 0.0 };
    let scratch = Scratch::new("shards-thousand-million");
    let shards = 1_000_000;
    let world = World { overview: false, ..World::new(&pipeline, &plan, &products) };
    let sharded = Sharded::plan(Arc::new(Folder::new(&scratch.0)), &cpu(), &world, shards).expect("a plan");
    let shard = 730_001;
    let report = sharded.bake(&cpu(), shard, &()).expect("a shard");
    assert_eq!((report.written, sharded.tiles_of(shard)), (1000, 1000));
    assert_eq!(sharded.bake(&cpu(), shard, &()).expect("a shard that is done").written, 0);
    // A tile of it is the tile of any other bake.
    let png = files(&scratch.0).into_iter().find(|file| file.extension().is_some_and(|kind| kind == "png")).expect("a tile");
    let name = png.file_name().and_then(|name| name.to_str()).expect("a name");
    let at = |axis: char| name.split(['_', '.']).find_map(|part| part.strip_prefix(axis)?.parse::<i64>().ok()).expect("a number");
    let (alone, one) = (Scratch::new("shards-one-tile"), |from: i64| from..from + 1);
    let one = Plan { tiles: Tiles { x: one(at('x')), y: one(at('y')) }, ..plan.clone() };
    bake(&cpu(), &World::new(&pipeline, &one, &products), &alone.0, &()).expect("bake");
    assert_eq!(std::fs::read(&png).expect("a tile"), std::fs::read(alone.0.join(name)).expect("the same tile"));
    // Sizes that one process would have to hold or read are refused.
    let refused = Sharded::plan(Arc::new(Folder::new(&alone.0.join("o"))), &cpu(), &World::new(&pipeline, &plan, &products), shards);
    expect_part(&refused.expect_err("an overview").to_string(), "16777216");
    expect_part(&bake(&cpu(), &world, &alone.0.join("b"), &()).expect_err("one process").to_string(), "16777216");
    assert!(!alone.0.join("o").exists() && !alone.0.join("b").exists());
}

fn expect_part(message: &str, part: &str) {
    assert!(message.contains(part), "{part}: {message}");
}

#[test]
fn no_fault_and_no_power_cut_loses_anything() {
    nothing_is_lost(&small(), 3);
}

/// Faults at some calls of the disk, or at every one where time is given, each with a power cut after it: the same world in the end.
pub fn nothing_is_lost(world: &(Pipeline, Plan, Vec<Product>), some: usize) {
    let bake_on = |disk: &Drill| {
        let sharded = planned(Folder::on(Arc::new(disk.clone()), Path::new("/world")), world, 3)?;
        for shard in 0..3 {
            sharded.bake(&cpu(), shard, &())?;
        }
        sharded.seal(&())
    };
    let clean = Drill::default();
    let expected = bake_on(&clean).expect("a bake").root;
    let calls = clean.begin(None);
    let mut random = Random(0x77);
    let mut tried = 0;
    for fault in FAULTS {
        for at in (1..=calls).step_by(if rounds() > 1 { 1 } else { some }) {
            let disk = Drill::default();
            for fault in [(at, fault), (1 + random.bits() % calls, Fault::Power)] {
                disk.begin(Some(fault));
                let _ = bake_on(&disk);
                disk.restart(&mut random, fault.1 == Fault::Power);
                disk.begin(None);
                tried += 1;
            }
            let sealed = bake_on(&disk).unwrap_or_else(|error| panic!("{fault:?} at {at}: cannot go on: {error}"));
            assert_eq!(sealed.root, expected, "{fault:?} at {at}");
            disk.restart(&mut random, true);
            let sharded = Sharded::open(Arc::new(Folder::on(Arc::new(disk.clone()), Path::new("/world")))).expect("the plan");
            let checked = sharded.check(None, &()).expect("a check");
            assert_eq!((checked.findings, checked.unfinished), (Vec::new(), false), "{fault:?} at {at}: lost after success");
            let left: Vec<String> = disk.files().into_keys().filter(|name| name.ends_with(".unfinished")).collect();
            assert!(left.is_empty(), "{fault:?} at {at}: {left:?}");
        }
    }
    println!("{tried} faults, at {calls} calls");
}

/// The findings of a check after changes to the files.
fn checked_after(scratch: &Scratch, change: impl FnOnce()) -> Vec<Finding> {
    change();
    let sharded = Sharded::open(Arc::new(Folder::new(&scratch.0))).expect("the plan");
    let CheckReport { findings, .. } = sharded.check(None, &()).expect("a check");
    findings
}

#[test]
fn every_damage_is_found_and_named() {
    let scratch = Scratch::new("shards-damage");
    let world = small();
    let sharded = planned(Folder::new(&scratch.0), &world, 2).expect("a plan");
    for shard in 0..2 {
        sharded.bake(&cpu(), shard, &()).expect("a shard");
    }
    sharded.seal(&()).expect("a whole world");
    let mut random = Random(0xf11b);
    let tiles: Vec<PathBuf> = files(&scratch.0.join("tiles"));
    assert_eq!(tiles.len(), 12);
    let name = |path: &Path| path.strip_prefix(&scratch.0).expect("within").to_string_lossy().into_owned();
    let found = |path: &Path, wrong| vec![Finding { file: name(path), wrong }];
    for _ in 0..100 {
        let tile = &tiles[random.bits() as usize % tiles.len()];
        let whole = std::fs::read(tile).expect("a tile");
        let mut flipped = whole.clone();
        let at = random.bits() as usize % whole.len();
        flipped[at] ^= 1 << (random.bits() % 8);
        assert_eq!(checked_after(&scratch, || std::fs::write(tile, &flipped).expect("written")), found(tile, Wrong::Damaged));
        std::fs::write(tile, whole).expect("written");
    }
    let (tile, other) = (&tiles[5], &tiles[6]);
    let whole = std::fs::read(tile).expect("a tile");
    // A bake computes the tile of a damaged file anew, and replaces the file as the record agrees.
    let flipped: Vec<u8> = whole.iter().enumerate().map(|(i, byte)| if i == 50 { byte ^ 1 } else { *byte }).collect();
    std::fs::write(tile, &flipped).expect("written");
    let reports = [0, 1].map(|shard| sharded.bake(&cpu(), shard, &()).expect("mended"));
    assert_eq!(reports.iter().map(|report| (report.written, report.mended)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)), (1, 1));
    assert_eq!(std::fs::read(tile).expect("a tile"), whole);
    assert_eq!(checked_after(&scratch, || std::fs::write(tile, &whole[..40]).expect("written")), found(tile, Wrong::Damaged));
    assert_eq!(checked_after(&scratch, || assert!(std::fs::copy(other, tile).is_ok())), found(tile, Wrong::Damaged));
    assert_eq!(checked_after(&scratch, || std::fs::remove_file(tile).expect("removed")), found(tile, Wrong::Missing));
    // Missing tiles are baked again, and nothing else.
    let again: u64 = (0..2).map(|shard| sharded.bake(&cpu(), shard, &()).expect("a shard").written).sum();
    assert_eq!((again, std::fs::read(tile).expect("a tile")), (1, whole.clone()));
    let foreign = tile.with_file_name("x99_y99.png");
    assert_eq!(checked_after(&scratch, || std::fs::write(&foreign, b"?").expect("written")), found(&foreign, Wrong::Foreign));
    std::fs::remove_file(foreign).expect("removed");
    assert_eq!(checked_after(&scratch, || ()), []);
    // So is a manifest in which a digit of the hash was changed.
    let manifest = scratch.0.join("manifest.json");
    let sealed = std::fs::read_to_string(&manifest).expect("a manifest");
    let edited = sealed.replacen("\"root\": \"", "\"root\": \"0", 1);
    assert_eq!(checked_after(&scratch, || std::fs::write(&manifest, &edited).expect("written")), found(&manifest, Wrong::Damaged));
    std::fs::write(&manifest, sealed).expect("written");
    assert_eq!(checked_after(&scratch, || ()), []);
    // A tile that is there with other bits is an alarm, and is left as it is.
    for record in files(&scratch.0.join("records")) {
        std::fs::remove_file(record).expect("removed");
    }
    std::fs::write(tile, b"of another world").expect("written");
    let told = (0..2).find_map(|shard| sharded.bake(&cpu(), shard, &()).err()).expect("an alarm");
    assert!(matches!(told, BakeError::Different { .. }), "{told}");
    assert!(told.to_string().contains("x") && told.to_string().contains("remove what is wrong"), "{told}");
    assert_eq!(std::fs::read(tile).expect("a tile"), b"of another world");
    // An edited plan is invalid.
    let plan = scratch.0.join("plan.json");
    let text = std::fs::read_to_string(&plan).expect("a plan");
    std::fs::write(&plan, text.replace("\"spacing\": 4.0", "\"spacing\": 5.0")).expect("written");
    let told = Sharded::open(Arc::new(Folder::new(&scratch.0))).expect_err("an edited plan").to_string();
    assert!(told.contains("plan.json: is not what was written"), "{told}");
}

/// Stops after some tiles.
struct After(std::sync::atomic::AtomicU64);

impl Progress for After {
    fn tile(&self, _: u64, _: u64) {}

    fn stops(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) == 1
    }
}

#[test]
fn a_shard_that_is_stopped_keeps_what_is_done_and_what_cannot_be_is_refused() {
    let (scratch, world) = (Scratch::new("shards-stopped"), small());
    let sharded = planned(Folder::new(&scratch.0), &world, 1).expect("a plan");
    let stopped = sharded.bake(&cpu(), 0, &After(5.into()));
    assert!(matches!(stopped, Err(BakeError::Stopped)), "{stopped:?}");
    let told = sharded.seal(&()).expect_err("not whole").to_string();
    assert!(told.contains("shards that lack tiles (1 in all): 0"), "{told}");
    let report = sharded.bake(&cpu(), 0, &()).expect("the rest");
    assert_eq!((report.resumed, report.written), (5, 7));
    for shards in [0, 1_000_001] {
        let told = planned(Folder::new(&scratch.0.join("none")), &world, shards).expect_err("a number of shards").to_string();
        assert!(told.contains("1 to 1000000"), "{told}");
    }
    assert!(!scratch.0.join("none").exists() && sharded.bake(&cpu(), 1, &()).is_err());
    assert!(
        matches!(sharded.bake(&crate::support::oracle(), 0, &()), Err(BakeError::OtherBake { what, .. }) if what.contains("the backend's parity"))
    );
    // Objects are made once.
    let store = Folder::new(&scratch.0);
    let object = |bytes: &[u8]| [Object { name: "a/b".to_owned(), bytes: bytes.to_vec() }];
    assert_eq!(store.make(&object(b"first")).expect("made"), [true]);
    assert_eq!(store.make(&object(b"second")).expect("not made"), [false]);
    assert_eq!(store.read("a/b").expect("read").as_deref(), Some(&b"first"[..]));
}

#[test]
fn killed_processes_leave_a_world_that_goes_on_to_the_same_hash() {
    let scratch = Scratch::new("shards-killed");
    let recipe = scratch.file("r.toml", RECIPE);
    let (alone, many) = (scratch.0.join("alone"), scratch.0.join("many"));
    let flags = ["--tile", "64", "--tiles", "-7..9,0..25", "--format", "r32", "--backend", "cpu"];
    let baked = run(&[&["bake", path(&recipe), "--out", path(&alone), "--json", "--no-overview"], &flags[..]].concat(), "");
    expect(&baked, 0, &[]);
    let expected = serde_json::from_slice::<serde_json::Value>(&baked.stdout).expect("JSON")["root"].clone();
    expect(&run(&[&["plan", path(&recipe), "--out", path(&many), "--shards", "5"], &flags[..]].concat(), ""), 0, &[]);
    let start = |shard: u32| {
        let shard = format!("{shard}/5");
        let args = ["bake", path(&many), "--shard", &shard, "--backend", "cpu"];
        command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
    };
    // Pairs of processes, often of the same shard, killed at random times.
    let mut random = Random(0x9111);
    for _ in 0..10 * rounds() {
        let mut both = [start((random.bits() % 5) as u32), start((random.bits() % 5) as u32)];
        for child in &mut both {
            std::thread::sleep(Duration::from_millis(random.bits() % 60));
            let _ = child.kill();
            child.wait().expect("it ends");
        }
    }
    let status = run(&["status", path(&many), "--json"], "");
    expect(&status, 0, &[]);
    for shard in shuffled(5, &mut random) {
        expect(&run(&["bake", path(&many), "--shard", &shard.to_string(), "--backend", "cpu"], ""), 0, &[]);
    }
    let sealed = run(&["seal", path(&many), "--json"], "");
    expect(&sealed, 0, &[]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&sealed.stdout).expect("JSON")["root"], expected);
    expect(&run(&["check", path(&many)], ""), 0, &[]);
    assert!(files(&many).iter().all(|file| !file.to_string_lossy().ends_with(".unfinished")));
}

#[test]
fn the_command_takes_the_schedulers_word_and_refuses_what_cannot_be_meant() {
    let scratch = Scratch::new("shards-command");
    let (recipe, out) = (scratch.file("r.toml", RECIPE), scratch.0.join("world"));
    expect(&run(&["bake", path(&out), "--shard", "0/2"], ""), 2, &["holds no plan"]);
    expect(&run(&["plan", path(&recipe), "--out", path(&out), "--shards", "2", "--backend", "cpu"], ""), 0, &[]);
    for (scheduler, part) in [("slurm", "step orogen-bake 0-1 bake\n"), ("kubernetes", "completions: 2\n"), ("dask", "SHARDS = [0, 1]\n")] {
        let jobs = run(&["jobs", scheduler, path(&out)], "");
        expect(&jobs, 0, &[]);
        assert!(text(&jobs.stdout).contains(part), "{}", text(&jobs.stdout));
    }
    expect(
        &run(&["jobs", "aws-batch", path(&out)], ""),
        2,
        &["other machines cannot access this folder; allowed: a world in object storage"],
    );
    let by = |name: &str, value: &str| {
        let output = command(&["bake", path(&out), "--shard", "auto", "--backend", "cpu"]).env(name, value).output();
        output.expect("the command ends")
    };
    expect(&by("SLURM_ARRAY_TASK_ID", "1"), 0, &["shard 1 by SLURM_ARRAY_TASK_ID (Slurm)"]);
    expect(&run(&["seal", path(&out)], ""), 4, &["shards that lack tiles (1 in all): 0"]);
    let status = run(&["status", path(&out)], "");
    assert!(text(&status.stdout).contains("baking: 2 of 4 tiles, 1 of 2 shards\nmissing: --array=0\n"), "{}", text(&status.stdout));
    expect(&by("JOB_COMPLETION_INDEX", "2"), 2, &["there is no shard 2; allowed: 0 to 1"]);
    expect(&by("SGE_TASK_ID", "1"), 0, &["shard 0 by SGE_TASK_ID (Grid Engine)"]);
    expect(&by("NOTHING", "1"), 2, &["no scheduler variable is set"]);
    expect(&run(&["bake", path(&out), "--shard", "1/3"], ""), 2, &["1/3 has another number of shards; allowed: I/2"]);
    expect(&run(&["bake", path(&out), "--shard", "1/2", "--tile", "9"], ""), 2, &["cannot be used with"]);
    expect(&run(&["bake", path(&recipe), "--out", path(&out)], ""), 2, &["holds the plan of a world of shards"]);
    let sealed = run(&["seal", path(&out)], "");
    expect(&sealed, 0, &[]);
    expect(&run(&["jobs", "slurm", path(&out)], ""), 2, &["no shard is missing"]);
    let status = run(&["status", path(&out)], "");
    assert!(text(&status.stdout).starts_with("sealed: 4 of 4 tiles, 2 of 2 shards\n"), "{}", text(&status.stdout));
}
