//! Whole-world measurements by shards: the same as by one process, in any order and by any process.

use crate::nodes;
use crate::support::{Random, Scratch, cpu, expect, gpu, path, run, text};
use orogen::Region;
use orogen::bake::folder::{World, bake, measure_ranges};
use orogen::bake::manifest::{Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Folder, Phase, Unmeasured, root};
use orogen::bake::{BakeError, Format, Progress, Sharded, Tiles};
use orogen::stage::{EqualiseWorld, Hydraulic, Normalise, Ocean, Pipeline};
use std::sync::{Arc, Mutex};

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
    for name in ["measured/3/0/7.part", "measured/2.part", "overview.png"] {
        let whole = std::fs::read(place.join(name)).expect("a file");
        let mut other = whole.clone();
        other[whole.len() / 2] ^= 1;
        std::fs::write(place.join(name), other).expect("written");
        let found: Vec<String> = sharded.check(None, &()).expect("a check").findings.into_iter().map(|found| found.file).collect();
        assert_eq!(found, [name]);
        std::fs::write(place.join(name), whole).expect("written");
    }
    // Another size of the world is another plan.
    let other = Unmeasured { size: [100, 76], ..unmeasured() };
    let other = Sharded::plan_unmeasured(store(), &cpu(), &World::new(&pipeline, &plan, &unknown), 11, other);
    let told = other.expect_err("another plan").to_string();
    assert!(told.contains("what is to be measured differs"), "{told}");
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
