//! Whole-world measurements by shards: the same as by one process, in any order and by any process.

use crate::drill::{Drill, FAULTS, Fault, rounds};
use crate::mended::tree;
use crate::nodes;
use crate::support::{Random, Scratch, command, cpu, expect, gpu, path, run, text};
use orogen::Region;
use orogen::bake::check::Recompute;
use orogen::bake::folder::{World, bake, measure_ranges};
use orogen::bake::manifest::{Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Folder, Phase, Store, Unmeasured, root};
use orogen::bake::{BakeError, Format, Progress, Sharded, Tiles};
use orogen::stage::{EqualiseWorld, Hydraulic, Normalise, Ocean, Pipeline};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Stages that need the whole world, one after the other, and a range that is measured.
fn world() -> (Pipeline, Plan, Vec<Product>) {
    let hills = nodes::of_kind("fractal").remove(0).scale_offset(40.0, 0.0);
    let pipeline = Pipeline::from(hills)
        .named("eroded", Hydraulic { iterations: 4, ..Default::default() })
        .named("spread", Normalise { high: 50.0, ..Default::default() })
        .named("even", Normalise { high: 100.0, clip: 0.02, ..Default::default() })
        .named("flat", EqualiseWorld { high: 10.0, ..Default::default() })
        .named("sea", Ocean { share: Some(0.3), width: 2.0, ..Default::default() });
    let plan = Plan { tile: 16, tiles: Tiles { x: -3..5, y: 2..9 }, overlap: 1, level: 0, spacing: 4.0, z: 0.0 };
    let product = |layer: &str| Product { layer: layer.into(), format: Format::Png16, range: None };
    (pipeline, plan, vec![product("sea"), product("eroded.water"), product("sea.shore")])
}

const SIZE: [u64; 2] = [100, 75];

fn unmeasured() -> Unmeasured {
    Unmeasured { size: SIZE, ranges: vec!["sea".into(), "eroded.water".into(), "sea.shore".into()] }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn shards_measure_what_one_process_does() {
    let (pipeline, plan, mut products) = world();
    let scratch = Scratch::new("phases");
    // By one process.
    let layers: Vec<String> = products.iter().map(|product| product.layer.clone()).collect();
    let extent = Region { size: [SIZE[0] as u32, SIZE[1] as u32, 1], spacing: plan.spacing, ..Region::plane(1, 1) };
    let measured = cpu().measure(&pipeline, &layers, &[extent]).expect("a measured pipeline");
    let ranges = measure_ranges(&cpu(), &measured, &layers, &plan, &mut ()).expect("ranges");
    let unknown = products.clone();
    for (product, range) in products.iter_mut().zip(ranges) {
        product.range = Some(RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Measured });
    }
    let report = bake(&cpu(), &World::new(&measured, &plan, &products), &scratch.0.join("alone"), &()).expect("bake");
    let expected = root(&report.manifest).expect("a whole world");
    // By shards, with several running at a time, some twice, some on the device.
    let place = scratch.0.join("many");
    let store = || Arc::new(Folder::new(&place));
    let planned = || Sharded::plan_unmeasured(store(), &cpu(), &World::new(&pipeline, &plan, &unknown), 11, unmeasured());
    let sharded = planned().expect("a plan");
    assert_eq!(sharded.phases().expect("phases"), 8);
    let told = sharded.bake(&cpu(), 0, &()).expect_err("not measured").to_string();
    assert!(told.contains("phase 1 of 8, which comes first, is not done by shards 0-10"), "{told}");
    assert!(matches!(sharded.seal(&()), Err(BakeError::Unmeasured { .. })));
    let mut random = Random(0x77);
    for number in 0..8 {
        let phase = sharded.phase().expect("a phase").expect("not measured");
        assert_eq!((phase.number, phase.of, phase.missing.len()), (number, 8, 11));
        let later = sharded.measure(&cpu(), 0, Some(number + 1), &()).expect_err("too early");
        assert!(number == 6 || matches!(later, BakeError::Unmeasured { .. }), "{later}");
        let order: Vec<u32> = (0..14).map(|i| if i < 11 { i } else { (random.bits() % 11) as u32 }).collect();
        std::thread::scope(|scope| {
            for (of, order) in [(2, order.clone()), (3, order.into_iter().rev().collect())] {
                scope.spawn(move || {
                    let sharded = Sharded::open(store()).expect("the plan");
                    for shard in order {
                        let engine = if shard % of == 0 { gpu() } else { &cpu() };
                        sharded.measure(engine, shard, Some(number), &()).expect("a part");
                    }
                });
            }
        });
    }
    assert_eq!(sharded.phase().expect("no phase"), None);
    assert!(!sharded.measure(&cpu(), 3, None, &()).expect("all is measured"));
    planned().expect("the same plan");
    for shard in [10, 3, 0, 7, 1, 2, 9, 8, 4, 6, 5] {
        sharded.bake(&cpu(), shard, &()).expect("a shard");
    }
    assert_eq!(sharded.seal(&()).expect("a whole world").root, expected);
    let checked = sharded.check(None, &()).expect("a check");
    assert_eq!((checked.findings.len(), checked.files), (0, 56 * 3 + 1), "{:?}", checked.findings);
    let overview = |place: &std::path::Path| std::fs::read(place.join("overview.png")).expect("an overview");
    assert!(overview(&place) == overview(&scratch.0.join("alone")), "the picture of the whole is that of one process");
    let sharded_again = || Sharded::open(store()).expect("the plan");
    for name in ["measured/3/0/7.part", "measured/2.answer", "overview.png"] {
        let whole = std::fs::read(place.join(name)).expect("a file");
        let mut other = whole.clone();
        other[whole.len() / 2] ^= 1;
        std::fs::write(place.join(name), other).expect("written");
        let before = tree(&place);
        let recompute = Recompute { engine: &cpu(), share: 0.01, seed: 7 };
        let checked = sharded_again().check(Some(&recompute), &()).expect("a check");
        assert_eq!(checked.findings.into_iter().map(|found| found.file).collect::<Vec<_>>(), [name]);
        assert!(tree(&place) == before, "a check changes nothing");
        std::fs::write(place.join(name), whole).expect("written");
    }
    // An answer whose first line has another hash is named, and made anew.
    let answer = place.join("measured/5.answer");
    let whole = std::fs::read(&answer).expect("an answer");
    let parts = std::str::from_utf8(&whole[..160]).expect("a line of text").split(' ').nth(3).expect("four words").to_owned();
    std::fs::write(&answer, replaced(&whole, &parts, &parts.chars().rev().collect::<String>())).expect("written");
    let found: Vec<String> = sharded.check(None, &()).expect("a check").findings.into_iter().map(|found| found.file).collect();
    assert_eq!(found, ["measured/5.answer"]);
    sharded.measure_all(&cpu(), &()).expect("mended");
    assert!(std::fs::read(&answer).expect("an answer") == whole);
    // The plan's recipe is as it was given.
    let written: serde_json::Value = serde_json::from_slice(&std::fs::read(place.join("plan.json")).expect("the plan")).expect("JSON");
    assert_eq!(written["recipe"], serde_json::to_value(&pipeline).expect("JSON"));
    // Another size of the world is another plan.
    let other = Unmeasured { size: [100, 76], ..unmeasured() };
    let other = Sharded::plan_unmeasured(store(), &cpu(), &World::new(&pipeline, &plan, &unknown), 11, other);
    let told = other.expect_err("another plan").to_string();
    assert!(told.contains("the measurements differ"), "{told}");
}

#[test]
fn a_part_that_is_damaged_is_named_and_measured_again() {
    let (pipeline, plan, products) = world();
    let scratch = Scratch::new("phases-damaged");
    let unknown = World::new(&pipeline, &plan, &products);
    let sharded = Sharded::plan_unmeasured(Arc::new(Folder::new(&scratch.0)), &cpu(), &unknown, 2, unmeasured()).expect("a plan");
    sharded.measure(&cpu(), 0, None, &()).expect("a part");
    let file = scratch.0.join("measured/0/0/0.part");
    let whole = std::fs::read(&file).expect("the part");
    std::fs::write(&file, flipped(&whole)).expect("written");
    sharded.measure(&cpu(), 1, None, &()).expect("the other part");
    let phase = sharded.phase().expect("phases").expect("one that is not done");
    assert_eq!((phase.number, phase.missing), (0, vec![0]));
    let findings = sharded.check(None, &()).expect("a check").findings;
    assert!(findings.iter().any(|found| found.file == "measured/0/0/0.part"), "{findings:?}");
    assert!(sharded.measure(&cpu(), 0, None, &()).expect("measured again"));
    assert_eq!(std::fs::read(&file).expect("the part"), whole);
    assert!(matches!(sharded.phase(), Ok(Some(Phase { number: 1, of: 8, .. }))), "{:?}", sharded.phase());
}

/// Bytes with one text in the place of another.
fn replaced(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|window| window == old.as_bytes()).expect("it is there");
    [&bytes[..at], new.as_bytes(), &bytes[at + old.len()..]].concat()
}

/// A part with another number in it, behind its first line.
fn flipped(part: &[u8]) -> Vec<u8> {
    let mut other = part.to_vec();
    *other.last_mut().expect("a part") ^= 1;
    other
}

/// Stops after a number of squares, and records which came first.
struct After {
    squares: u64,
    seen: Mutex<Vec<[u64; 2]>>,
}

impl After {
    fn squares(squares: u64) -> Self {
        After { squares, seen: Mutex::default() }
    }
    fn seen(&self) -> Vec<[u64; 2]> {
        self.seen.lock().expect("no panic").clone()
    }
}

impl Progress for After {
    fn tile(&self, done: u64, total: u64) {
        self.seen.lock().expect("no panic").push([done, total]);
    }
    fn stops(&self) -> bool {
        self.seen().last().is_some_and(|[done, _]| *done >= self.squares)
    }
}

#[test]
fn a_part_goes_on_where_it_was_stopped() {
    let (pipeline, plan, products) = world();
    let scratch = Scratch::new("phases-stopped");
    let planned = |name: &str| {
        let store = Arc::new(Folder::new(&scratch.0.join(name)));
        Sharded::plan_unmeasured(store, &cpu(), &World::new(&pipeline, &plan, &products), 2, unmeasured()).expect("a plan")
    };
    let (at_once, stopped) = (planned("at once"), planned("stopped"));
    let names = |phase: u32| {
        let folder = std::fs::read_dir(scratch.0.join(format!("stopped/measured/{phase}/0"))).expect("a folder");
        let mut names: Vec<String> = folder.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    };
    for phase in 0..8 {
        for shard in 0..2 {
            let total = {
                let all = After::squares(u64::MAX);
                at_once.measure(&cpu(), shard, None, &all).expect("a part");
                all.seen()[0][1]
            };
            assert!(total >= 3, "phase {phase} of shard {shard}: {total}");
            let told = stopped.measure(&cpu(), shard, Some(phase), &After::squares(1)).expect_err("stopped");
            assert!(matches!(told, BakeError::Stopped), "{told}");
            assert!(names(phase).contains(&format!("{shard}.1.part")), "{:?}", names(phase));
            let second = After::squares(2);
            stopped.measure(&cpu(), shard, Some(phase), &second).expect_err("stopped");
            assert_eq!(second.seen(), [[2, total]]);
            assert!(!names(phase).contains(&format!("{shard}.1.part")), "{:?}", names(phase));
            let mut first = 3;
            if phase == 2 {
                // Changed data is not accepted.
                let file = scratch.0.join(format!("stopped/measured/{phase}/0/{shard}.2.part"));
                let bytes = std::fs::read(&file).expect("a file");
                std::fs::write(&file, flipped(&bytes)).expect("written");
                first = 1;
            }
            let rest = After::squares(u64::MAX);
            assert!(stopped.measure(&cpu(), shard, Some(phase), &rest).expect("a part"));
            assert_eq!(rest.seen()[0], [first, total]);
            let part = |place: &str| std::fs::read(scratch.0.join(place).join(format!("measured/{phase}/0/{shard}.part"))).expect("a part");
            assert!(part("at once") == part("stopped"), "phase {phase} of shard {shard}");
        }
        assert_eq!(names(phase), ["0.part", "1.part"]);
    }
    // The seal removes the remains of a process that was killed after another had done its part.
    let left = scratch.0.join("stopped/measured/4/0/1.2.part");
    std::fs::write(&left, "of one that was killed").expect("written");
    for shard in 0..2 {
        stopped.bake(&cpu(), shard, &()).expect("a shard");
    }
    stopped.seal(&()).expect("a whole world");
    assert!(!left.exists());
}

#[test]
fn the_command_measures_by_shards() {
    let scratch = Scratch::new("phases-command");
    let recipe = scratch.file(
        "r.toml",
        "output = \"even\"\n[node.hills]\nkind = \"simplex\"\nwavelength = 20.0\n[stage.even]\nkind = \"normalise\"\nof = \"hills\"\nclip = 0.02\n[bake]\ntile = 32\ntiles = [3, 2]\nlayers = [\"hills\"]\n",
    );
    let (alone, many) = (scratch.0.join("alone"), scratch.0.join("many"));
    let flags = ["--range", "measured", "--backend", "cpu"];
    let baked = run(&[&["bake", path(&recipe), "--out", path(&alone), "--json"], &flags[..]].concat(), "");
    expect(&baked, 0, &[]);
    let plan = run(&[&["plan", path(&recipe), "--out", path(&many), "--shards", "2"], &flags[..]].concat(), "");
    expect(&plan, 0, &[]);
    assert!(
        text(&plan.stdout).contains("3 phases come first, the first of them the extremes of 'hills', for 'even'"),
        "{}",
        text(&plan.stdout)
    );
    expect(&run(&["bake", path(&many), "--shard", "0/2", "--backend", "cpu"], ""), 75, &["phase 1 of 3", "shards 0-1", "orogen measure"]);
    expect(&run(&["measure", path(&many), "--shard", "1/2", "--backend", "cpu"], ""), 0, &["phase 1 of 3"]);
    expect(&run(&["measure", path(&many), "--shard", "1/2", "--phase", "2", "--backend", "cpu"], ""), 75, &["phase 1 of 3"]);
    let status = run(&["status", path(&many)], "");
    let said = "measuring: phase 1 of 3, the extremes of 'hills', for 'even'; 1 of 2 shards\nmissing: --array=0\n";
    assert!(text(&status.stdout).starts_with(said), "{}", text(&status.stdout));
    let jobs = run(&["jobs", "slurm", path(&many)], "");
    let steps = "step orogen-measure-0 0 measure --phase 0\nstep orogen-measure-1 0-1 measure --phase 1\nstep orogen-measure-2 0-1 measure --phase 2\nstep orogen-bake 0-1 bake\n";
    assert!(text(&jobs.stdout).contains(steps), "{}", text(&jobs.stdout));
    expect(&run(&["measure", path(&many), "--backend", "cpu"], ""), 0, &["phase 3 of 3"]);
    for shard in ["0/2", "1/2"] {
        expect(&run(&["bake", path(&many), "--shard", shard, "--backend", "cpu", "--wait"], ""), 0, &[]);
    }
    let sealed = run(&["seal", path(&many), "--json"], "");
    let root = |output: &[u8]| serde_json::from_slice::<serde_json::Value>(output).expect("JSON")["root"].clone();
    assert_eq!(root(&sealed.stdout), root(&baked.stdout));
}

#[test]
fn no_fault_while_shards_measure_loses_anything() {
    let (_, plan, _) = world();
    let plan = Plan { tile: 8, tiles: Tiles { x: 0..2, y: 0..2 }, ..plan };
    let pipeline = Pipeline::from(nodes::of_kind("simplex").remove(0).named("hills")).named("flat", EqualiseWorld::default());
    let products = [Product { layer: "flat".into(), format: Format::Png16, range: None }];
    let unmeasured = || Unmeasured { size: [16, 16], ranges: vec!["flat".into()] };
    let engine = cpu();
    let measured_on = |disk: &Drill| {
        let store = Arc::new(Folder::on(Arc::new(disk.clone()), Path::new("/world")));
        let sharded = Sharded::plan_unmeasured(store, &engine, &World::new(&pipeline, &plan, &products), 2, unmeasured())?;
        sharded.measure_all(&engine, &()).map(|()| sharded)
    };
    let objects = |disk: &Drill| {
        let store = Folder::on(Arc::new(disk.clone()), Path::new("/world"));
        let names = (0..3).flat_map(|phase| {
            [format!("measured/{phase}.answer"), format!("measured/{phase}/0/0.part"), format!("measured/{phase}/0/1.part")]
        });
        names.map(|name| store.read(&name).expect("the disk")).collect::<Vec<_>>()
    };
    let clean = Drill::default();
    measured_on(&clean).expect("answers");
    let (expected, calls) = (objects(&clean), clean.begin(None));
    assert!(expected.iter().all(Option::is_some));
    let (mut random, mut tried) = (Random(0xa17), 0);
    for (i, fault) in FAULTS.into_iter().enumerate() {
        for at in (1 + i as u64..=calls).step_by(if rounds() > 1 { 1 } else { 5 }) {
            let disk = Drill::default();
            for fault in [(at, fault), (1 + random.bits() % calls, Fault::Power)] {
                disk.begin(Some(fault));
                let _ = measured_on(&disk);
                disk.restart(&mut random, fault.1 == Fault::Power);
                disk.begin(None);
                tried += 1;
            }
            measured_on(&disk).unwrap_or_else(|error| panic!("{fault:?} at {at}: cannot go on: {error}"));
            disk.restart(&mut random, true);
            assert!(objects(&disk) == expected, "{fault:?} at {at}: lost after success, or another answer");
            let store = Arc::new(Folder::on(Arc::new(disk.clone()), Path::new("/world")));
            let checked = Sharded::open(store).expect("the plan").check(None, &()).expect("a check");
            assert_eq!(checked.findings, Vec::new(), "{fault:?} at {at}");
        }
    }
    println!("{tried} faults while two shards measure, at {calls} calls");
}

/// Three stages that read the whole world, and a measured range: seven questions.
const QUESTIONS: &str = "output = \"sea\"\n[node.s]\nkind = \"simplex\"\nwavelength = 60.0\n[node.n]\nkind = \"fractal\"\nof = \"s\"\n\
    [stage.even]\nkind = \"normalise\"\nof = \"n\"\nclip = 0.02\n[stage.flat]\nkind = \"equalise\"\nof = \"even\"\n\
    [stage.sea]\nkind = \"ocean\"\nof = \"flat\"\nshare = 0.3\n[bake]\ntile = 64\ntiles = [5, 5]\n";

/// Starts a command, and kills it after a number of milliseconds. Returns whether it was killed.
fn killed(args: &[&str], after: u64) -> bool {
    let mut child = command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    std::thread::sleep(Duration::from_millis(after));
    let _ = child.kill();
    let status = child.wait().expect("it ends");
    assert!(matches!(status.code(), None | Some(0)), "{args:?}: {status}");
    !status.success()
}

/// Files that a measurement keeps for good, by their names.
fn kept(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    // A process may be killed before it makes the folder.
    if !folder.is_dir() {
        return BTreeMap::new();
    }
    let part = |name: &str| name.ends_with(".part") && name.matches('.').count() == 1;
    // In a folder of one process, an answer gets its own name later.
    let answer = |name: &str| name.trim_start_matches(".orogen.").replace("measuring", "measured").trim_end_matches(".answer").to_owned();
    let is_answer = |name: &str| name.ends_with(".answer") || name.starts_with(".orogen.measuring.");
    let found = tree(folder).into_iter().filter(|(name, _)| part(name) || is_answer(name));
    found.map(|(name, bytes)| (answer(&name), bytes)).collect()
}

/// Two stages that trace water, one over another's ground, and a measured range: five questions.
const WATER: &str = "output = \"streams\"\n[node.s]\nkind = \"simplex\"\nwavelength = 60.0\n[node.n]\nkind = \"fractal\"\nof = \"s\"\n\
    [stage.water]\nkind = \"drainage\"\nof = \"n\"\nbreach = 0.1\n\
    [stage.ground]\nkind = \"channel\"\nof = \"n\"\nsurface = \"water\"\narea = \"water.area\"\nfrom = 40.0\ndepth = 0.1\nbank = 0.2\nreach = 6.0\n\
    [stage.streams]\nkind = \"drainage\"\nof = \"ground\"\nrain = \"s\"\n[bake]\ntile = 64\ntiles = [36, 3]\n";

#[test]
fn real_kills_while_the_world_is_measured_lose_nothing() {
    // A part of each shard, and the answer.
    survives_kills("phases-killed", QUESTIONS, 7, 7 * 4);
}

#[test]
fn real_kills_while_water_is_traced_lose_nothing() {
    // The range as above. Squares in two groups have two parts and two answers, and there is the answer of the phase.
    survives_kills("phases-killed-water", WATER, 5, 4 * 5 + 4);
}

/// A bake by one process, and a world of three shards, are killed while they answer questions about the whole world, until they are done.
fn survives_kills(name: &str, text: &str, questions: usize, objects: usize) {
    let scratch = Scratch::new(name);
    let recipe = scratch.file("r.toml", text);
    let flags = ["--range", "measured", "--backend", "cpu"];
    let (alone, many) = (scratch.0.join("alone"), scratch.0.join("many"));
    let bake = |out: &Path| {
        [&["bake", path(&recipe), "--out", path(out), "--json"], &flags[..]]
            .concat()
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let words = |all: &[String]| run(&all.iter().map(String::as_str).collect::<Vec<_>>(), "");
    let plan = |out: &Path| expect(&run(&[&["plan", path(&recipe), "--out", path(out), "--shards", "3"], &flags[..]].concat(), ""), 0, &[]);
    let began = std::time::Instant::now();
    let baked = words(&bake(&alone));
    expect(&baked, 0, &[]);
    let once = began.elapsed().as_millis() as u64;
    plan(&many);
    let measure = |out: &Path| run(&["measure", path(out), "--backend", "cpu"], "");
    expect(&measure(&many), 0, &[]);
    assert_eq!((kept(&alone).len(), kept(&many).len()), (questions, objects));
    let (mut random, mut kills) = (Random(0x91), 0);
    for life in 0..rounds() {
        let (folder, world) = (scratch.0.join(format!("folder{life}")), scratch.0.join(format!("world{life}")));
        plan(&world);
        for (out, args, expected) in [
            (&folder, bake(&folder), kept(&alone)),
            (&world, ["measure", path(&world), "--backend", "cpu"].map(str::to_owned).to_vec(), kept(&many)),
        ] {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut before = BTreeMap::new();
            // Longer and longer, so that it ends.
            for attempt in 1.. {
                let done = !killed(&args, random.bits() % (1 + once * attempt / 6));
                let now = kept(out);
                kills += u64::from(!done);
                // Nothing that was there is lost, and nothing is there that is not right.
                assert!(before.keys().all(|name| now.contains_key(name)), "lost: {:?}, then {:?}", before.keys(), now.keys());
                assert!(now.iter().all(|(name, bytes)| expected.get(name) == Some(bytes)), "other answers: {:?}", now.keys());
                before = now;
                if done {
                    break;
                }
            }
            assert!(before == expected);
        }
        expect(&words(&bake(&folder)), 0, &[]);
        assert!(tree(&folder) == tree(&alone), "{:?}", tree(&folder).keys());
        for shard in ["0/3", "1/3", "2/3"] {
            expect(&run(&["bake", path(&world), "--shard", shard, "--backend", "cpu"], ""), 0, &[]);
        }
        let sealed = run(&["seal", path(&world), "--json"], "");
        let root = |output: &[u8]| serde_json::from_slice::<serde_json::Value>(output).expect("JSON")["root"].clone();
        assert_eq!(root(&sealed.stdout), root(&baked.stdout));
        for out in [&folder, &world] {
            expect(&run(&["check", path(out), "--recompute", "0.1", "--backend", "cpu"], ""), 0, &[]);
        }
        assert!(tree(&world).keys().all(|name| !name.ends_with(".unfinished")), "something unfinished is left");
    }
    println!("{kills} processes killed while they measured: the same answers each time");
    assert!(kills > 1);
}

#[test]
fn a_recipe_stays_as_it_was_written_and_its_answers_are_files() {
    let scratch = Scratch::new("phases-answers");
    let recipe = scratch.file("r.toml", QUESTIONS);
    let bake = |recipe: &Path, out: &Path| {
        run(&["bake", path(recipe), "--out", path(out), "--backend", "cpu", "--range", "measured", "--json"], "")
    };
    let out = scratch.0.join("out");
    let first = bake(&recipe, &out);
    expect(&first, 0, &["measuring the extremes of 'n', for 'even'"]);
    let json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).expect("JSON");
    let manifest = json(&std::fs::read(out.join("manifest.json")).expect("a manifest"));
    let written = orogen::Recipe::load(&recipe).expect("a recipe");
    assert_eq!(manifest["recipe"], serde_json::to_value(&written.pipeline).expect("JSON"));
    // A recipe that has the answers already gives the same root hash, and needs no files.
    let world = Region::plane(320, 320);
    let measured = cpu().measure(&written.pipeline, &["sea"], &[world]).expect("a measured pipeline");
    let given = scratch.file("given.toml", &orogen::Recipe { pipeline: measured, ..written }.to_toml().expect("a recipe"));
    let other = scratch.0.join("given");
    let second = bake(&given, &other);
    expect(&second, 0, &[]);
    assert_eq!(json(&second.stdout)["root"], json(&first.stdout)["root"]);
    // Of seven questions, that of the range is left.
    assert_eq!(kept(&other).into_keys().collect::<Vec<_>>(), ["measured.0"]);
    // An answer to a question of another world is not taken for one of this.
    let whole = tree(&out);
    std::fs::copy(other.join("measured.0.answer"), out.join("measured.0.answer")).expect("copied");
    expect(&run(&["check", path(&out)], ""), 4, &[]);
    let again = bake(&recipe, &out);
    expect(&again, 0, &["measuring the extremes of 'n', for 'even'", "measured.0.answer was missing or damaged"]);
    // It alone is asked for again.
    assert!(!text(&again.stderr).contains("'flat'"), "{}", text(&again.stderr));
    assert!(tree(&out) == whole);
    // Without an answer, no tile is computed anew; the same command mends it.
    std::fs::remove_file(out.join("measured.3.answer")).expect("there");
    let checked = run(&["check", path(&out), "--recompute", "1", "--backend", "cpu", "--json"], "");
    let report = json(&checked.stdout);
    assert_eq!(report["findings"], serde_json::json!([{ "file": "measured.3.answer", "wrong": "missing" }]));
    assert_eq!(report["recomputed"], 0);
    expect(&bake(&recipe, &out), 0, &["measured.3.answer was missing or damaged"]);
    expect(&run(&["check", path(&out), "--recompute", "1", "--backend", "cpu"], ""), 0, &[]);
    assert!(tree(&out) == whole);
    // A bake that is refused leaves the answers of the one that is there.
    let changed = scratch.file("changed.toml", &QUESTIONS.replace("clip = 0.02", "clip = 0.03"));
    expect(&bake(&changed, &out), 2, &["stage 'even': clip is 0.03 here, 0.02 there"]);
    let wider = scratch.file("wider.toml", &QUESTIONS.replace("tiles = [5, 5]", "tiles = [6, 5]"));
    expect(&bake(&wider, &out), 2, &["the recipe's world differs"]);
    expect(&run(&["check", path(&out)], ""), 0, &[]);
}
