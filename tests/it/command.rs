//! The command: its contract with scripts (exit codes, formats, streams), killed bakes, bounded memory.

use crate::support::{RECIPE, Scratch, command, cpu, expect, limited, path, run, text};
use orogen::{Recipe, Region};
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn bake_writes_tiles_manifest_and_overview_and_says_where() {
    let scratch = Scratch::new("cli-bake");
    let recipe = scratch.file("r.toml", RECIPE);
    let out = scratch.0.join("out");
    let output = run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu"], "");
    expect(&output, 0, &["baking 4 tiles", "on cpu", "4 of 4 tiles"]);
    for file in ["x0_y0.png", "x1_y0.png", "x0_y1.png", "x1_y1.png", "manifest.json", "overview.png"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    assert!(out.join(".orogen.lock").is_file());
    assert_eq!(std::fs::read_dir(&out).expect("dir").count(), 7, "and nothing else");
    let json = run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--json"], "");
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((report["written"].as_u64(), report["resumed"].as_u64()), (Some(0), Some(4)));
    let clipped = run(&["bake", path(&recipe), "--out", path(&scratch.0.join("c")), "--backend", "cpu", "--range", "-0.1,0.1"], "");
    expect(&clipped, 0, &["warning", "clipped"]);
    let wide = run(&["bake", path(&recipe), "--out", path(&scratch.0.join("w")), "--backend", "cpu", "--range", "-1e6,1e6"], "");
    expect(&wide, 0, &["warning", "consider a measured range"]);
    let measured = run(
        &["bake", path(&recipe), "--out", path(&scratch.0.join("m")), "--backend", "cpu", "--range", "measured", "--tiles", "-1..1,-2..0"],
        "",
    );
    expect(&measured, 0, &[]);
    assert!(scratch.0.join("m/x-1_y-2.png").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_gpu_the_cpu_is_taken_unless_one_is_demanded() {
    let scratch = Scratch::new("cli-auto");
    let recipe = scratch.file("r.toml", RECIPE);
    let nowhere = |args: &[&str]| {
        // No Vulkan driver at all, as on a bare machine.
        command(args).env("VK_DRIVER_FILES", "/nonexistent.json").env("VK_ICD_FILENAMES", "/nonexistent.json").output().expect("runs")
    };
    let out = scratch.0.join("out");
    expect(&nowhere(&["bake", path(&recipe), "--out", path(&out)]), 0, &["on cpu"]);
    expect(
        &nowhere(&["bake", path(&recipe), "--out", path(&scratch.0.join("no")), "--backend", "gpu"]),
        69,
        &["no adapter", "apt-get install"],
    );
    assert!(!scratch.0.join("no").exists(), "nothing is written without an adapter");
    let named = command(&["info"]).env("OROGEN_ADAPTER", "no such adapter").output().expect("runs");
    expect(&named, 69, &["no such adapter", "found"]);
}

#[test]
fn bad_input_has_its_exit_code() {
    let scratch = Scratch::new("cli-bad");
    let recipe = scratch.file("r.toml", RECIPE);
    let bad = scratch.file("bad.toml", &RECIPE.replace("40.0", "-40.0"));
    let out = scratch.0.join("out");
    let bake = |recipe: &Path, more: &[&str]| run(&[&["bake", path(recipe), "--out", path(&out), "--backend", "cpu"], more].concat(), "");
    expect(&bake(&bad, &[]), 65, &["bad.toml:4:1", "node 's'", "wavelength = -40", "allowed"]);
    expect(&bake(&scratch.0.join("none.toml"), &[]), 74, &["none.toml"]);
    let binary = scratch.0.join("binary.toml");
    std::fs::write(&binary, [0xff, 0xfe]).expect("writable");
    expect(&bake(&binary, &[]), 65, &["binary.toml:1:1", "UTF-8"]);
    for flags in [
        &["--tile", "0"][..],
        &["--tile", "-5"],
        &["--tile", "99999999999"],
        &["--tiles", "0..2"],
        &["--tiles", "0..0,0..1"],
        &["--tiles", "0..65536,0..32768"],
        &["--tiles", "0..99999999999999999999,0..1"],
        &["--level", "64"],
        &["--overlap", "33"],
        &["--range", "1,0"],
        &["--range", "nan,1"],
        &["--range", "some"],
        &["--z", "inf"],
        &["--z", "1e300"],
        &["--format", "bmp"],
        &["--backend", "tpu"],
        &["--tiles", "9007199254740991..9007199254740992,0..1"],
    ] {
        let output = bake(&recipe, flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {}", text(&output.stderr));
        assert!(!out.exists(), "{flags:?} wrote something");
    }
    expect(&run(&["preview", path(&recipe), "-o", "x.png", "--size", "0,5"], ""), 2, &["--size"]);
    expect(&run(&["preview", path(&recipe), "-o", "x.jpg", "--size", "8,8"], ""), 2, &["x.jpg", "allowed: .png"]);
    expect(&run(&["contours", path(&recipe), "-o", "x.svg", "--size", "8,1"], ""), 2, &["--size 8,1", "W,H from 2 to 4096"]);
    expect(&run(&["frobnicate"], ""), 2, &[]);
    expect(&run(&["bake", path(&recipe), "--backend", "cpu", "--out", "/proc/no/such/place"], ""), 74, &["/proc/no"]);
    expect(&run(&["preview", path(&recipe), "--backend", "cpu", "-o", "/proc/x.png", "--size", "8,8"], ""), 74, &["/proc/x.png"]);
    for (points, part) in [("1 2\n", "-:1"), ("0 0 0\n1 2 x\n", "-:2"), ("nan 0 0\n", "-:1"), ("1e300 0 0\n", "2^53"), ("1 2 3 4\n", "-:1")]
    {
        expect(&run(&["sample", path(&recipe), "--points", "-", "--backend", "cpu"], points), 65, &[part, "allowed"]);
    }
    expect(&run(&["sample", path(&recipe), "--points", "/nonexistent", "--backend", "cpu"], ""), 74, &["/nonexistent"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_io_error_that_names_the_file() {
    let scratch = Scratch::new("cli-full");
    let recipe = scratch.file("r.toml", RECIPE);
    expect(
        &run(&["preview", path(&recipe), "--backend", "cpu", "-o", "/dev/full", "--size", "8,8"], ""),
        74,
        &["/dev/full", "No space left"],
    );
    // A tile that does not fit: files may grow to 8 KiB.
    let out = scratch.0.join("out");
    let output = limited("-f 16", &["bake", path(&recipe), "--backend", "cpu", "--tile", "128", "--out", path(&out)]);
    expect(&output, 74, &["x", ".png", "File too large"]);
    let left: Vec<String> = std::fs::read_dir(&out).expect("dir").flatten().map(|f| f.file_name().to_string_lossy().into_owned()).collect();
    let left: std::collections::BTreeSet<&str> = left.iter().map(String::as_str).collect();
    assert_eq!(left, [".orogen.lock", "tiles.jsonl"].into(), "no half tile, no manifest");
}

#[test]
fn sample_prints_one_line_per_point_with_its_digits() {
    let scratch = Scratch::new("cli-sample");
    let recipe = scratch.file("r.toml", RECIPE);
    let points = "0 0 0\n-1.5 2e6 3\n\n7,8,9\n";
    let of = |more: &[&str]| text(&run(&[&["sample", path(&recipe), "--points", "-"], more].concat(), points).stdout);
    let oracle = of(&["--backend", "oracle"]);
    assert_eq!(oracle.lines().count(), 3);
    let digits = |line: &str| line.split('e').next().expect("a number").chars().filter(char::is_ascii_digit).count();
    assert!(oracle.lines().all(|line| digits(line) == 17), "{oracle}");
    let single = of(&["--backend", "cpu"]);
    assert!(single.lines().all(|line| digits(line) == 9), "{single}");
    assert!(of(&["--backend", "cpu", "--gradient"]).lines().all(|line| line.split(' ').count() == 4));
    let json = of(&["--backend", "cpu", "--gradient", "--json"]);
    assert!(json.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["gradient"].is_array()));
}

#[test]
fn arguments_change_the_recipe() {
    let scratch = Scratch::new("cli-changes");
    let recipe = scratch.file("r.toml", RECIPE);
    let of = |recipe: &Path, more: &[&str]| {
        let output = run(&[&["sample", path(recipe), "--points", "-", "--backend", "cpu"], more].concat(), "7 8 9\n10 20 30\n");
        expect(&output, 0, &[]);
        text(&output.stdout)
    };
    let (own, longer) = (of(&recipe, &[]), scratch.file("longer.toml", &RECIPE.replace("40.0", "55.5")));
    assert_eq!(of(&recipe, &["--set", "s.wavelength=55.5"]), of(&longer, &[]));
    assert_eq!(of(&recipe, &["--set", "s.wavelength = 55.5", "--set", "s.wavelength=40"]), own, "the last one counts");
    assert_eq!(of(&recipe, &["--variation", "0"]), own);
    let variations = ["1", "2"].map(|n| of(&recipe, &["--variation", n]));
    assert!(variations[0] != own && variations[1] != own && variations[0] != variations[1], "{variations:?}");
    // A bake stores the recipe as it is changed.
    let [changed, written] = ["changed", "written"].map(|name| scratch.0.join(name));
    for (recipe, out, more) in [(&recipe, &changed, &["--set", "s.wavelength=55.5"][..]), (&longer, &written, &[])] {
        let bake = ["bake", path(recipe), "--out", path(out), "--tile", "32", "--tiles", "0..2,0..1", "--backend", "cpu"];
        expect(&run(&[&bake, more].concat(), ""), 0, &[]);
    }
    let identity = |out: &Path| {
        let manifest: serde_json::Value =
            serde_json::from_slice(&std::fs::read(out.join("manifest.json")).expect("a manifest")).expect("JSON");
        (manifest["recipe_sha256"].clone(), manifest["tiles"].clone())
    };
    assert!(identity(&changed).0.is_string());
    assert_eq!(identity(&changed), identity(&written));
    expect(&run(&["check", path(&changed), "--recompute", "1", "--backend", "cpu"], ""), 0, &[]);
    // Several variations at once are those of single bakes.
    let [many, alone] = ["many", "alone"].map(|name| scratch.0.join(name));
    let bake = |out: &Path, more: &[&str]| {
        let plain = ["bake", path(&recipe), "--out", path(out), "--tile", "32", "--tiles", "0..2,0..1", "--backend", "cpu"];
        run(&[&plain, more].concat(), "")
    };
    expect(&bake(&many, &["--variation", "3", "--variations", "2"]), 0, &[]);
    expect(&bake(&alone, &["--variation", "4"]), 0, &[]);
    assert_eq!(identity(&many.join("variation-4")), identity(&alone));
    assert_ne!(identity(&many.join("variation-3")).1, identity(&alone).1);
    assert_eq!(std::fs::read_dir(&many).expect("a folder").count(), 2);
    expect(&bake(&many, &["--variation", "18446744073709551615", "--variations", "2"]), 2, &["allowed", "18446744073709551615"]);
    expect(&bake(&many, &["--variations", "0"]), 2, &["1..=1000000"]);
    for (set, parts) in [
        ("s.wavelength=-4", &["--set s.wavelength", "wavelength = -4", "allowed"][..]),
        ("s.wavelengh=4", &["did you mean 'wavelength'"]),
        ("t.wavelength=4", &["'t.wavelength' does not exist", "allowed"]),
        ("s.wavelength", &["has no '='"]),
        ("s.wavelength=wide", &["wavelength = \"wide\" is not allowed"]),
    ] {
        expect(&run(&["sample", path(&recipe), "--points", "-", "--set", set], ""), 2, parts);
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn preview_info_schema_and_verify_work() {
    let scratch = Scratch::new("cli-rest");
    let recipe = scratch.file("r.toml", RECIPE);
    let picture = scratch.0.join("p.png");
    expect(&run(&["preview", path(&recipe), "--backend", "cpu", "-o", path(&picture), "--size", "40,30"], ""), 0, &[]);
    let decoded = image::open(&picture).expect("PNG").into_rgb8();
    assert_eq!(decoded.dimensions(), (40, 30));
    let first = *decoded.get_pixel(0, 0);
    assert!(decoded.pixels().any(|p| *p != first), "an empty picture");
    assert!(text(&run(&["info"], "").stdout).contains("chosen:"));
    let _: serde_json::Value = serde_json::from_slice(&run(&["info", "--json"], "").stdout).expect("JSON");
    let _: serde_json::Value = serde_json::from_slice(&run(&["schema"], "").stdout).expect("JSON");
    let verified = run(&["verify", path(&recipe), "--backend", "cpu"], "");
    expect(&verified, 0, &[]);
    assert!(text(&verified.stdout).contains("ok   tilings") && text(&verified.stdout).contains("no GPU"));
    let verified = run(&["verify", path(&recipe), "--backend", "gpu", "--json"], "");
    expect(&verified, 0, &[]);
    assert!(text(&verified.stdout).contains("GPU against CPU"));
}

#[test]
fn a_killed_bake_leaves_only_whole_tiles_and_resumes() {
    let scratch = Scratch::new("cli-kill");
    let recipe = scratch.file("r.toml", RECIPE);
    let out = scratch.0.join("out");
    let args = ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--tile", "128", "--tiles", "0..40,0..40"];
    let mut child = command(&args).stderr(std::process::Stdio::null()).spawn().expect("starts");
    let tiles = || std::fs::read_dir(&out).map_or(0, |d| d.flatten().filter(|f| f.file_name().to_string_lossy().ends_with(".png")).count());
    let start = Instant::now();
    while tiles() < 20 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("still running");
    child.wait().expect("ends");
    assert!(!out.join("manifest.json").exists(), "the bake was over before it was killed");
    let found = tiles();
    assert!(found >= 20);
    for file in std::fs::read_dir(&out).expect("dir").flatten().filter(|f| f.file_name().to_string_lossy().ends_with(".png")) {
        image::open(file.path()).unwrap_or_else(|error| panic!("{}: {error}", file.path().display()));
    }
    let resumed = run(&[&args[..], &["--json"]].concat(), "");
    expect(&resumed, 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&resumed.stdout).expect("JSON");
    assert_eq!(report["written"].as_u64().expect("count") + report["resumed"].as_u64().expect("count"), 1600);
    assert!(report["resumed"].as_u64().expect("count") + 3 >= found as u64, "{report}");
}

/// Peak resident memory of a command, in KiB, from the kernel's own account.
#[cfg(target_os = "linux")]
fn peak(args: &[&str]) -> u64 {
    let mut child = command(args).stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().expect("starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("waits").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        peak = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().expect("ends").success());
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_tiles() {
    let scratch = Scratch::new("cli-memory");
    let recipe = scratch.file("r.toml", RECIPE);
    let bake = |tiles: &str| {
        let out = scratch.0.join(tiles.replace([',', '.'], "_"));
        // An overview is the larger the more tiles there are, up to 1024 pixels.
        let flags = ["--backend", "cpu", "--tile", "64", "--tiles", tiles, "--format", "r16", "--no-overview"];
        peak(&[&["bake", path(&recipe), "--out", path(&out)][..], &flags].concat())
    };
    let (few, many) = (bake("0..20,0..20"), bake("0..100,0..100"));
    // 9,600 more tiles may add their records (about 200 bytes each, and their share of the manifest's text), not their data
    // (16 KiB each as floats: 150 MiB).
    println!("peak memory: 400 tiles {few} KiB, 10,000 tiles {many} KiB");
    assert!(few > 0 && many < few + 20 * 1024, "400 tiles: {few} KiB, 10,000 tiles: {many} KiB");
}

/// A dry run predicts the size of the files exactly, the work as the library does, and writes nothing.
#[test]
fn a_dry_run_predicts_and_writes_nothing() {
    let scratch = Scratch::new("dry-run");
    let recipe = scratch.file("land.toml", RECIPE);
    let out = scratch.0.join("out");
    let args = ["bake", path(&recipe), "--format", "r32", "--layers", "n", "--backend", "cpu", "--json"];
    let output = run(&[&args[..], &["--out", path(&out), "--dry-run"]].concat(), "");
    expect(&output, 0, &[]);
    assert!(!out.exists(), "a dry run writes nothing");
    let predicted: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let read = Recipe::load(&recipe).expect("a recipe");
    let region = Region { spacing: read.bake.spacing, ..Region::plane(64, 64) };
    let work = cpu().estimate(&read.pipeline, &["n"], &region).expect("an estimate").terms;
    assert_eq!(predicted["evaluations"].as_f64(), Some(work as f64));
    assert!(predicted["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{predicted}");
    expect(&run(&[&args[..], &["--out", path(&out)]].concat(), ""), 0, &[]);
    let tiles: Vec<u64> = std::fs::read_dir(&out)
        .expect("a folder")
        .filter_map(|file| file.ok().filter(|file| file.path().extension().is_some_and(|ending| ending == "r32")))
        .map(|file| file.metadata().expect("a size").len())
        .collect();
    assert_eq!(
        (predicted["files"].as_u64(), predicted["bytes"].as_f64()),
        (Some(tiles.len() as u64), Some(tiles.iter().sum::<u64>() as f64))
    );
    // Without a folder for the files, and as text.
    let output = run(&["bake", path(&recipe), "--backend", "cpu", "--dry-run"], "");
    expect(&output, 0, &[]);
    assert!(["evaluations", "MiB of memory", "about"].iter().all(|part| text(&output.stdout).contains(part)), "{}", text(&output.stdout));
}
