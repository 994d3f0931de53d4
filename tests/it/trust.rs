//! The command's behaviour when streams close, disks fill up, signals arrive, and names and numbers are invalid.

use crate::support::{RECIPE, Scratch, command, expect, limited, path, run, text};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Waits, but not for ever.
fn wait(child: &mut Child) -> i32 {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().expect("waits") {
            return status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("still running after a minute");
}

fn tiles(folder: &Path) -> usize {
    let names =
        std::fs::read_dir(folder).map_or(Vec::new(), |d| d.flatten().map(|f| f.file_name().to_string_lossy().into_owned()).collect());
    names.iter().filter(|name| name.starts_with('x') && name.ends_with(".png")).count()
}

/// A square of tiles that takes some seconds to bake.
const TILES: &str = "0..40,0..40";

/// Such a bake, once it has written its first tiles.
fn begun(recipe: &Path, out: &Path, stderr: Stdio) -> Child {
    let args = ["bake", path(recipe), "--out", path(out), "--backend", "cpu", "--tile", "128", "--tiles", TILES];
    let mut child = command(&args).stdout(Stdio::null()).stderr(stderr).spawn().expect("starts");
    let start = Instant::now();
    while tiles(out) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "no tile after a minute");
        assert!(child.try_wait().expect("waits").is_none(), "the bake was over before it could be disturbed");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn a_lost_standard_error_harms_nothing() {
    let scratch = Scratch::new("trust-stderr");
    let (recipe, out) = (scratch.file("r.toml", RECIPE), scratch.0.join("out"));
    let mut child = begun(&recipe, &out, Stdio::piped());
    drop(child.stderr.take());
    assert_eq!(wait(&mut child), 0);
    assert_eq!(tiles(&out), 40 * 40);
}

#[test]
fn a_closed_standard_output_ends_quietly_and_a_full_one_is_an_io_error() {
    let scratch = Scratch::new("trust-stdout");
    let recipe = scratch.file("r.toml", RECIPE);
    let points = scratch.file("points", &"1 2 3\n".repeat(50_000));
    let picture = scratch.0.join("p.png");
    let verbs: &[&[&str]] = &[
        &["schema"],
        &["--help"],
        &["bake", "--help"],
        &["info", "--backend", "cpu"],
        &["sample", path(&recipe), "--points", path(&points), "--backend", "cpu"],
        &["export", path(&recipe), "--lang", "wgsl"],
        &["verify", path(&recipe), "--backend", "cpu"],
        &["preview", path(&recipe), "-o", path(&picture), "--size", "8,8", "--backend", "cpu"],
    ];
    for args in verbs {
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        expect(&output, 0, &[]);
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has one");
        let output = command(args).stdout(full).stderr(Stdio::piped()).output().expect("runs");
        expect(&output, 74, &["standard output", "No space left"]);
    }
}

/// Sends a signal, by the shell's own word: a bare machine has no program for it.
fn signal(child: &Child, name: &str) -> bool {
    let script = format!("kill {name} {}", child.id());
    std::process::Command::new("sh").args(["-c", &script]).status().expect("sh").success()
}

#[test]
fn a_signal_keeps_what_is_done_and_says_how_to_go_on() {
    for name in ["-INT", "-TERM"] {
        let scratch = Scratch::new("trust-signal");
        let (recipe, out) = (scratch.file("r.toml", RECIPE), scratch.0.join("o ut"));
        let child = begun(&recipe, &out, Stdio::piped());
        assert!(signal(&child, name));
        let output = child.wait_with_output().expect("ends");
        expect(&output, 75, &["stopping", "what is done is kept; to go on:", "bake", "'"]);
        let kept = tiles(&out);
        assert!(kept > 0 && !out.join("manifest.json").exists());
        let partial = std::fs::read_dir(&out).expect("dir").flatten().any(|f| f.file_name().to_string_lossy().ends_with(".partial"));
        assert!(!partial, "an unfinished file is left");
        let args = ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--tile", "128", "--tiles", TILES, "--json"];
        let report: serde_json::Value = serde_json::from_slice(&run(&args, "").stdout).expect("JSON");
        assert_eq!(report["resumed"].as_u64(), Some(kept as u64), "every tile that was there is kept");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let scratch = Scratch::new("trust-twice");
    let recipe = scratch.file("r.toml", "output = \"e\"\n[node.s]\nkind = \"simplex\"\n[stage.e]\nkind = \"hydraulic\"\nof = \"s\"\niterations = 400\n[bake]\ntile = 512\ntiles = [2, 2]\n");
    let out = scratch.0.join("out");
    // Nothing is measured first: then one signal would do.
    let args = ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", "r32"];
    let mut child = command(&args).stderr(Stdio::piped()).spawn().expect("starts");
    let mut said = BufReader::new(child.stderr.take().expect("its words")).lines();
    let mut until = |word: &str| said.by_ref().any(|line| line.is_ok_and(|line| line.contains(word)));
    // The block in hand takes many seconds.
    assert!(until("baking"));
    std::thread::sleep(Duration::from_millis(500));
    assert!(signal(&child, "-INT"));
    assert!(until("stopping"));
    assert!(child.try_wait().expect("its state").is_none(), "the first ended it");
    let start = Instant::now();
    assert!(signal(&child, "-INT"));
    assert_eq!(wait(&mut child), 75);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn files_are_whole_or_as_they_were() {
    let scratch = Scratch::new("trust-atomic");
    let text = format!("{RECIPE}# {}\n", "a comment ".repeat(3000))
        .replace("output = \"n\"", "output = \"e\"\n[node.e]\nkind = \"equalise\"\nof = \"n\"");
    let recipe = scratch.file("r.toml", &text);
    let output = limited("-f 1", &["equalise", path(&recipe), "-o", path(&recipe), "--backend", "cpu"]);
    expect(&output, 74, &["r.toml", "File too large"]);
    assert_eq!(std::fs::read_to_string(&recipe).expect("still there"), text);
    assert_eq!(std::fs::read_dir(&scratch.0).expect("dir").count(), 1, "no other file is left");
    // Links lead nowhere else.
    let elsewhere = Scratch::new("trust-elsewhere");
    let precious = elsewhere.file("precious.png", "precious");
    let link = scratch.0.join("p.png");
    std::os::unix::fs::symlink(&precious, &link).expect("a link");
    let preview = |to: &Path| run(&["preview", path(&recipe), "-o", path(to), "--layer", "n", "--size", "8,8", "--backend", "cpu"], "");
    expect(&preview(&link), 2, &["is a link to"]);
    assert_eq!(std::fs::read_to_string(&precious).expect("there"), "precious");
    let near = scratch.0.join("near.png");
    std::os::unix::fs::symlink("a.png", &near).expect("a link");
    expect(&preview(&near), 0, &[]);
    assert!(near.is_symlink() && scratch.0.join("a.png").is_file(), "a link within the folder is followed");
    let pipe = run(&["preview", path(&recipe), "-o", "/dev/stdout", "--layer", "n", "--size", "8,8", "--backend", "cpu"], "");
    assert!(pipe.stdout.starts_with(b"\x89PNG"));
    // Standard output is written to where it is a file, too, after what that holds.
    let held = scratch.file("held", "held");
    let file = std::fs::File::options().append(true).open(&held).expect("writable");
    let drawn = command(&["preview", path(&recipe), "-o", "/dev/stdout", "--layer", "n", "--size", "8,8", "--backend", "cpu"])
        .stdout(file)
        .status();
    assert!(drawn.is_ok_and(|status| status.success()) && Path::new("/dev/stdout").is_symlink());
    assert!(std::fs::read(&held).expect("there").starts_with(b"held\x89PNG"));
}

#[test]
fn a_folder_with_files_of_somebody_elses_is_left_alone() {
    let scratch = Scratch::new("trust-foreign");
    let recipe = scratch.file("r.toml", RECIPE);
    let out = scratch.0.join("out");
    let bake = || run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu"], "");
    for name in ["x0_y0.png", "overview.png", "tiles.jsonl", "manifest.json"] {
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir_all(&out).expect("writable");
        std::fs::write(out.join(name), "somebody's").expect("writable");
        std::fs::write(out.join(".notes.partial"), "notes").expect("writable");
        expect(&bake(), 2, &[name, "is not this bake's"]);
        assert_eq!(std::fs::read_to_string(out.join(name)).expect("there"), "somebody's");
        std::fs::remove_file(out.join(name)).expect("there");
        let precious = scratch.file("precious", "precious");
        std::os::unix::fs::symlink(&precious, out.join(name)).expect("a link");
        expect(&bake(), 2, &[name]);
        assert_eq!(std::fs::read_to_string(&precious).expect("there"), "precious");
        std::fs::remove_file(out.join(name)).expect("there");
        expect(&bake(), 0, &[]);
        assert_eq!(std::fs::read_to_string(out.join(".notes.partial")).expect("not ours to delete"), "notes");
    }
}

#[test]
fn of_two_bakes_at_once_one_is_refused() {
    let scratch = Scratch::new("trust-two");
    let recipes = [scratch.file("a.toml", RECIPE), scratch.file("b.toml", &RECIPE.replace("40.0", "50.0"))];
    for round in 0..4 {
        let out = scratch.0.join(round.to_string());
        let bake = |recipe: &Path| command(&["bake", path(recipe), "--out", path(&out), "--backend", "cpu"]).output().expect("runs");
        let outputs = std::thread::scope(|scope| {
            let both = [&recipes[0], &recipes[1]].map(|recipe| scope.spawn(move || bake(recipe)));
            both.map(|one| one.join().expect("no panic"))
        });
        let mut codes = outputs.each_ref().map(|output| output.status.code());
        codes.sort_unstable();
        assert!(codes[0] == Some(0) && [Some(2), Some(75)].contains(&codes[1]), "{codes:?}");
        expect(&run(&["check", path(&out), "--recompute", "1", "--backend", "cpu"], ""), 0, &[]);
    }
}

#[test]
fn check_names_what_is_wrong_and_bake_mends_it() {
    let scratch = Scratch::new("trust-check");
    let recipe = scratch.file("r.toml", RECIPE);
    let out = scratch.0.join("out");
    let bake = || run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", "r32"], "");
    let check = |more: &[&str]| run(&[&["check", path(&out)], more].concat(), "");
    expect(&check(&[]), 74, &["No such file"]);
    assert!(!out.exists(), "a check makes no folder");
    expect(&bake(), 0, &[]);
    let output = check(&["--recompute", "1", "--backend", "cpu", "--json"]);
    expect(&output, 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((report["files"].as_u64(), report["recomputed"].as_u64()), (Some(9), Some(4)));
    // A wrong value with a right hash: only computing it anew shows that.
    let tile = out.join("x1_y0.r32");
    let mut bytes = std::fs::read(&tile).expect("a tile");
    bytes[5] ^= 1;
    std::fs::write(&tile, &bytes).expect("writable");
    std::fs::remove_file(out.join("x0_y0.r32.json")).expect("there");
    std::fs::write(out.join("stranger"), "").expect("writable");
    let output = check(&[]);
    expect(&output, 4, &["3 files missing, damaged or foreign"]);
    let said = text(&output.stdout);
    for line in ["damaged: x1_y0.r32", "missing: x0_y0.r32.json", "foreign: stranger"] {
        assert!(said.lines().any(|l| l == line), "{line}: {said}");
    }
    expect(&bake(), 0, &["x1_y0.r32 was missing or damaged", "x0_y0.r32.json was"]);
    std::fs::remove_file(out.join("stranger")).expect("there");
    expect(&check(&["--recompute", "0.5", "--backend", "cpu"]), 0, &[]);
    // A truncated manifest is still valid up to its last complete line: one file is wrong, and the tile after that line counts as
    // foreign.
    let manifest = std::fs::read_to_string(out.join("manifest.json")).expect("a manifest");
    let lines: Vec<&str> = manifest.lines().collect();
    std::fs::write(out.join("manifest.json"), lines[..lines.len() - 4].join("\n")).expect("writable");
    let output = check(&["--json"]);
    expect(&output, 4, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let wrong: Vec<&str> = report["findings"].as_array().expect("a list").iter().filter_map(|f| f["file"].as_str()).collect();
    assert_eq!(wrong, ["manifest.json", "overview.png", "x1_y1.r32", "x1_y1.r32.json"]);
    expect(&bake(), 0, &["manifest.json (now manifest.json.damaged) was missing or damaged"]);
    std::fs::remove_file(out.join("manifest.json.damaged")).expect("set aside");
    expect(&check(&[]), 0, &[]);
    expect(&check(&["--recompute", "2", "--backend", "cpu"]), 2, &["--recompute 2"]);
    expect(&check(&["--recompute", "1", "--backend", "oracle"]), 2, &["parity"]);
    expect(&run(&["check", path(&scratch.0)], ""), 2, &["holds no bake"]);
}

#[test]
fn what_was_measured_is_not_measured_again() {
    let scratch = Scratch::new("trust-measured");
    let recipe = scratch.file(
        "r.toml",
        "output = \"even\"\n[node.s]\nkind = \"simplex\"\n[stage.b]\nkind = \"median\"\nof = \"s\"\n[stage.even]\nkind = \"equalise\"\nof = \"b\"\n[bake]\ntile = 32\ntiles = [4, 4]\n",
    );
    let out = scratch.0.join("out");
    let bake = |range: &str| run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--range", range], "");
    expect(&bake("measured"), 0, &["measuring the range"]);
    std::fs::remove_file(out.join("x1_y1.png")).expect("there");
    let again = bake("measured");
    expect(&again, 0, &["16 of 16"]);
    assert!(!text(&again.stderr).contains("measuring"), "{}", text(&again.stderr));
    expect(&bake("0,3"), 2, &["a range differs"]);
}

#[test]
fn names_that_could_harm_are_refused() {
    let scratch = Scratch::new("trust-names");
    for name in ["/../../evil", "a,b", "a\\u001b[31m", "a\\u2028b", "a\\u202eb", "", "\\u0000", &"n".repeat(129)] {
        let recipe = scratch.file("r.toml", &format!("output = \"{name}\"\n[node.\"{name}\"]\nkind = \"simplex\"\n"));
        let output = run(&["bake", path(&recipe), "--out", path(&scratch.0.join("out")), "--backend", "cpu"], "");
        expect(&output, 65, &["the name is not allowed; allowed: 1 to 128 bytes"]);
        assert!(!text(&output.stderr).contains(['\u{1b}', '\u{2028}', '\u{202e}']), "raw in a message");
    }
    let recipe = scratch.file("a\u{2028}fn main() {}\u{1b}.toml", RECIPE);
    let output = run(&["export", path(&recipe), "--lang", "wgsl"], "");
    expect(&output, 0, &[]);
    assert!(!text(&output.stdout).contains(['\u{2028}', '\u{1b}']));
    let output = run(&["preview", path(&recipe), "--backend", "cpu", "--size", "8,8", "-o", path(&scratch.0.join("\u{1b}.png"))], "");
    assert!(!text(&output.stdout).contains('\u{1b}') && text(&output.stdout).contains("\\u001b"));
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let scratch = Scratch::new("trust-numbers");
    let recipe = scratch.file("r.toml", RECIPE);
    let out = scratch.0.join("out.svg");
    let on = |args: &[&str]| run(&[args, &["--backend", "cpu"]].concat(), "");
    let r = path(&recipe);
    for (args, said) in [
        (&["places", r, "-o", path(&out), "--distance", "0", "--force"][..], "distance = 0 is not allowed; allowed: 1e-6 to 1e12"),
        (&["coast", r, "-o", path(&out), "--radius", "1e300"], "--radius 1e300 around 0,0 is not allowed: point 0"),
        (&["coast", r, "-o", path(&out), "--circle", "1e16"], "--circle 1e16 around 0,0 is not allowed: point 0"),
        (&["hexmap", r, "-o", path(&out), "--q", "1000000000..1000000003"], "from -16777216 to 16777216"),
        (&["bake", r, "--out", path(&out), "--layers", "m"], "'m' names no stage or node; allowed: s, n"),
        (&["contours", r, "-o", path(&out), "--layer", "m"], "--layer m names no stage or node; allowed: s, n"),
    ] {
        expect(&on(args), 2, &[said]);
    }
    for args in [
        &["bake", r, "--out", path(&out), "--range=5,5"][..],
        &["coast", r, "-o", path(&out), "--amplitude", "nan"],
        &["coast", r, "-o", path(&out), "--amplitude", "inf"],
        &["coast", r, "-o", path(&out), "--radius", "inf"],
        &["contours", r, "-o", path(&out), "--levels", "inf"],
        &["contours", r, "-o", path(&out), "--levels", "0.5,nan"],
        &["contours", r, "-o", path(&out), "--interval", "nan"],
        &["preview", r, "-o", path(&scratch.0.join("p.png")), "--sea", "nan"],
        &["volume", r, "-o", path(&scratch.0.join("v.npy")), "--spacing", "inf"],
        &["volume", r, "-o", path(&scratch.0.join("v.npy")), "--size", "4,4,4", "--at", "0.5"],
    ] {
        let output = on(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
    }
    assert!(!out.exists());
    let json = scratch.file("r.json", r#"{ "output": "s", "node": { "s": { "kind": "simplex", "seed": 1, "seed": 2 } } }"#);
    expect(&on(&["preview", path(&json), "-o", path(&scratch.0.join("p.png"))]), 65, &["r.json:1:", "'seed' stands here twice"]);
}

#[test]
fn what_takes_very_long_or_very_much_is_said_and_refused_without_force() {
    let scratch = Scratch::new("trust-cost");
    let recipe = scratch.file("r.toml", RECIPE);
    let volume = scratch.0.join("v.npy");
    let output = run(&["volume", path(&recipe), "-o", path(&volume), "--size", "1024,1024,4096", "--backend", "cpu"], "");
    expect(&output, 2, &["MiB of memory; allowed without --force"]);
    // Fractals of fractals of fractals: 32768 lattices a sample.
    let deep = "output = \"c\"\n[node.s]\nkind = \"simplex\"\n[node.a]\nkind = \"fractal\"\nof = \"s\"\noctaves = 32\n[node.b]\nkind = \"fractal\"\nof = \"a\"\noctaves = 32\n[node.c]\nkind = \"fractal\"\nof = \"b\"\noctaves = 32\n[bake]\ntile = 1024\ntiles = [64, 64]\n";
    let deep = scratch.file("deep.toml", deep);
    let output = run(&["bake", path(&deep), "--out", path(&scratch.0.join("out")), "--backend", "cpu"], "");
    expect(&output, 2, &["evaluations; allowed without --force"]);
    assert!(!scratch.0.join("out").exists());
    // Forced, it begins: here only to find that octaves of octaves are too fine for their lattices.
    let output = run(&["bake", path(&deep), "--out", path(&scratch.0.join("forced")), "--backend", "cpu", "--force"], "");
    expect(&output, 65, &["the lattice advances"]);
    let output = run(&["bake", path(&recipe), "--out", path(&scratch.0.join("out")), "--backend", "cpu", "-v"], "");
    expect(&output, 0, &["predicted: 2.5e4 evaluations"]);
}

/// Repeated unfolding is counted before memory is allocated.
#[test]
fn curves_that_unfold_into_too_many_points_are_refused() {
    let quantiles = (0..65_536).map(|i| f64::from(i) / 65_536.0).collect();
    let mut noise = orogen::Noise::simplex(Default::default()).equalise(quantiles);
    for _ in 0..7 {
        noise = noise.clone().warp([noise, orogen::Noise::constant(0.0), orogen::Noise::constant(0.0)], 1.0);
    }
    let told = orogen::Engine::prepare(&crate::support::cpu(), &noise).expect_err("too many").to_string();
    assert!(told.contains("control points = 2162688 is not allowed; allowed: at most 2097152"), "{told}");
}

#[test]
fn a_long_chain_is_read_in_linear_time() {
    let chain = |count: u32| {
        let nodes: String = (1..count).map(|i| format!("[node.n{i}]\nkind = \"add\"\na = \"n{}\"\nb = 1.0\n", i - 1)).collect();
        format!("output = \"n{}\"\n[node.n0]\nkind = \"simplex\"\n{nodes}", count - 1)
    };
    let time = |count| {
        let text = chain(count);
        let start = Instant::now();
        orogen::Recipe::from_toml(&text, "chain").expect("a recipe");
        start.elapsed()
    };
    // The least of three: a virtual machine may stand still meanwhile.
    let least = |count| (0..3).map(|_| time(count)).min().expect("three");
    let (short, long) = (least(2_000), least(32_000));
    // Sixteen times as long; a quadratic reader takes 256 times.
    assert!(long < 60 * short.max(Duration::from_millis(5)), "{short:?} for 2,000 nodes, {long:?} for 32,000");
}

#[test]
fn ill_conditioned_recipes_are_no_mismatch() {
    let scratch = Scratch::new("trust-shaky");
    for (wavelength, shaky) in [("1e-6", true), ("40.0", false)] {
        let recipe = scratch.file("r.toml", &RECIPE.replace("40.0", wavelength));
        let output = run(&["verify", path(&recipe), "--backend", "cpu"], "");
        expect(&output, 0, &[]);
        assert_eq!(text(&output.stdout).contains("ill-conditioned"), shaky, "{}", text(&output.stdout));
    }
    // A distance of 10⁸, where f32 has eight digits, and a sine with a period of fifty.
    let distance = "output = \"sine\"\n[node.distance]\nkind = \"radius\"\nunit = 1.0\n\
        [node.sine]\nkind = \"sine\"\nof = \"distance\"\nfrequency = 0.02\n";
    let output = run(&["verify", path(&scratch.file("r.toml", distance)), "--backend", "cpu"], "");
    expect(&output, 0, &[]);
    let stdout = text(&output.stdout);
    let of = |place| stdout.lines().find(|line| line.contains("f32 against f64") && line.contains(place)).expect("a line").to_owned();
    assert!(of("at the origin").starts_with("ok "), "{stdout}");
    assert!(of("±10⁶").starts_with("info ") && of("±10⁶").contains("ill-conditioned"), "{stdout}");
    // Noises with a smaller range are not evaluated there.
    let output = run(&["verify", path(&scratch.file("r.toml", &format!("{distance}[bake]\nspacing = 10.0\n"))), "--backend", "cpu"], "");
    expect(&output, 0, &[]);
    let stdout = text(&output.stdout);
    assert!(stdout.contains("not looked at, at tile ±10⁶") && stdout.contains("at tile -3, 5"), "{stdout}");
}

#[test]
fn memory_that_runs_out_has_an_exit_code() {
    let scratch = Scratch::new("trust-memory");
    let (recipe, picture) = (scratch.file("r.toml", RECIPE), scratch.0.join("p.png"));
    let preview = ["preview", path(&recipe), "-o", path(&picture), "--size", "4096,4096", "--backend", "cpu", "--threads", "1"];
    let output = limited("-v 400000", &preview);
    expect(&output, 75, &["out of memory"]);
    assert!(!picture.exists());
}
