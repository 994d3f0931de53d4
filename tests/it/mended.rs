//! Every file that a command writes, damaged in every way: `check` names it, the same command mends it, and `check` is clean.

use crate::support::{Scratch, expect, path, run, text};
use std::collections::BTreeMap;
use std::path::Path;

/// Files under a folder by their names, `/` between parts, but for locks.
pub type Tree = BTreeMap<String, Vec<u8>>;

pub fn tree(folder: &Path) -> Tree {
    let mut all = Tree::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if !name.ends_with(".orogen.lock") {
                all.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    all
}

/// Makes a folder hold these files and no others.
fn restore(folder: &Path, tree: &Tree) {
    for name in self::tree(folder).keys().filter(|name| !tree.contains_key(*name)) {
        std::fs::remove_file(folder.join(name)).expect("ours");
    }
    for (name, bytes) in tree {
        let path = folder.join(name);
        if std::fs::read(&path).ok().as_ref() != Some(bytes) {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            std::fs::write(path, bytes).expect("writable");
        }
    }
}

/// Ways in which a file is not what was written.
pub const DAMAGES: [&str; 5] = ["flipped", "cut", "emptied", "missing", "somebody's"];

pub fn damage(path: &Path, how: &str) {
    let mut bytes = std::fs::read(path).expect("there");
    let middle = bytes.len() / 2;
    match how {
        "flipped" => bytes[middle] ^= 1,
        "cut" => bytes.truncate(middle),
        "emptied" => bytes.clear(),
        "missing" => return std::fs::remove_file(path).expect("there"),
        _ => bytes = b"These lines are mine.\n".to_vec(),
    }
    std::fs::write(path, bytes).expect("writable");
}

/// The cases of a sweep.
pub struct Sweep<'a> {
    pub out: &'a Path,
    /// The commands that make it.
    pub commands: &'a [Vec<String>],
    /// The files that are damaged.
    pub wanted: &'a dyn Fn(&str) -> bool,
    /// Records with names that others use, too: a file in their place that is not a record stays.
    pub refused: &'a dyn Fn(&str) -> bool,
    /// Files whose bytes depend on who makes them, and when.
    pub varies: &'a dyn Fn(&str) -> bool,
}

impl Sweep<'_> {
    fn make(&self, what: &str) {
        for command in self.commands {
            let args: Vec<&str> = command.iter().map(String::as_str).collect();
            let output = run(&args, "");
            assert_eq!(output.status.code(), Some(0), "{what}: {args:?}: {}", text(&output.stderr));
        }
    }

    /// A record of another program's file is never touched, and no file is created next to it.
    fn refuse(&self, name: &str, what: &str) {
        let before = tree(self.out);
        assert!(!self.makes_beside(name, what) && tree(self.out) == before, "{what}");
    }

    /// Whether all commands run, except one that may refuse a file by its name.
    fn makes_beside(&self, name: &str, what: &str) -> bool {
        self.commands.iter().all(|command| {
            let output = run(&command.iter().map(String::as_str).collect::<Vec<_>>(), "");
            let refused = output.status.code() == Some(2) && text(&output.stderr).contains(name);
            assert!(output.status.code() == Some(0) || refused, "{what}: {}", text(&output.stderr));
            !refused
        })
    }

    fn check(&self, code: i32, names: &[&str], what: &str) {
        let output = run(&["check", path(self.out)], "");
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{what}: {said}{}", text(&output.stderr));
        for name in names {
            assert!(said.lines().any(|line| line.ends_with(&format!(": {name}"))), "{what}: {name} is not named: {said}");
        }
    }

    /// The number of damages tried.
    pub fn run(&self) -> usize {
        self.make("at first");
        self.check(0, &[], "at first");
        let whole = tree(self.out);
        let mut tried = 0;
        for name in whole.keys().filter(|name| (self.wanted)(name)) {
            let name_of = name.as_str();
            for how in DAMAGES {
                let what = format!("{} {how}", self.out.join(name).display());
                restore(self.out, &whole);
                damage(&self.out.join(name), how);
                if std::fs::read(self.out.join(name)).ok().as_ref() == whole.get(name) {
                    continue;
                }
                // Nothing but a record of a shard names it: its tiles are named.
                let lost = how == "missing" && name.starts_with("records/");
                self.check(4, if lost { &[] } else { std::slice::from_ref(&name_of) }, &what);
                if how == "somebody's" && (self.refused)(name) {
                    self.refuse(name, &what);
                    continue;
                }
                let damaged = tree(self.out).remove(name);
                self.make(&what);
                self.check(0, &[], &what);
                let mut mended = tree(self.out);
                let aside: Vec<String> =
                    mended.keys().filter(|name| name.ends_with(".damaged") || name.ends_with(".changed")).cloned().collect();
                let aside: Vec<Vec<u8>> = aside.iter().filter_map(|name| mended.remove(name)).collect();
                assert!(aside.iter().all(|bytes| Some(bytes) == damaged.as_ref()), "{what}: other things were set aside");
                let kept = |tree: &Tree| {
                    tree.iter().filter(|(name, _)| !(self.varies)(name)).map(|(n, b)| (n.clone(), b.clone())).collect::<Tree>()
                };
                let (mended, expected) = (kept(&mended), kept(&whole));
                assert!(mended.keys().eq(expected.keys()), "{what}: {:?}, not {:?}", mended.keys(), expected.keys());
                let differs: Vec<&String> =
                    mended.iter().filter(|(name, bytes)| expected[*name] != **bytes).map(|(name, _)| name).collect();
                assert!(differs.is_empty(), "{what}: {differs:?} are not what they were");
                tried += 1;
            }
        }
        // In every folder, a file that no record names.
        let mut folders: Vec<&Path> = whole.keys().map(|name| Path::new(name).parent().expect("a folder")).collect();
        folders.sort_unstable();
        folders.dedup();
        restore(self.out, &whole);
        for folder in folders {
            let stranger = folder.join("stranger");
            let name = stranger.to_string_lossy().into_owned();
            std::fs::write(self.out.join(&stranger), "mine").expect("writable");
            self.check(4, &[&name], &name);
            self.makes_beside("stranger", &name);
            assert_eq!(std::fs::read(self.out.join(&stranger)).expect("still there"), b"mine");
            self.check(4, &[&name], &name);
            std::fs::remove_file(self.out.join(&stranger)).expect("there");
            tried += 1;
        }
        self.check(0, &[], "at the end");
        tried
    }
}

fn records(name: &str) -> bool {
    name.ends_with("manifest.json") || ["map.json", "plan.json"].contains(&name)
}

pub fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

const RECIPE: &str =
    "output = \"h\"\n[node.h]\nkind = \"simplex\"\n[node.m]\nkind = \"smoothstep\"\nof = \"h\"\n[bake]\ntile = 16\ntiles = [1, 1]\n";

#[test]
fn bakes_in_a_folder() {
    let scratch = Scratch::new("mended-bakes");
    let recipe = scratch.file("r.toml", RECIPE);
    let mut tried = 0;
    for (name, flags) in [
        ("plain", &["--layers", "h,m"][..]),
        ("described", &["--format", "r32", "--tiles", "0..2,0..1"]),
        ("unreal", &["--for", "unreal", "--tile", "127"]),
        ("unreal-composition", &["--for", "unreal-composition", "--tile", "126"]),
        ("unity", &["--for", "unity", "--tile", "32", "--layers", "h,m"]),
        ("terrain3d", &["--for", "terrain3d", "--tile", "64"]),
        ("hterrain", &["--for", "hterrain", "--tile", "512"]),
        ("godot", &["--for", "godot"]),
        ("blender", &["--for", "blender"]),
        ("houdini", &["--for", "houdini"]),
        ("raw", &["--for", "raw"]),
    ] {
        let out = scratch.0.join(name);
        let command = words(&[&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu"], flags].concat());
        tried += Sweep { out: &out, commands: &[command], wanted: &|_| true, refused: &records, varies: &|_| false }.run();
    }
    println!("{tried} damages of bakes, each found and mended");
    assert!(tried > 200);
}

/// Answers about the whole world are files of the bake, which have records as tiles have.
#[test]
fn bakes_whose_stages_read_the_whole_world() {
    let scratch = Scratch::new("mended-answers");
    let recipe = RECIPE.replace("\"h\"\n[node.h]", "\"even\"\n[stage.even]\nkind = \"equalise\"\nof = \"m\"\n[node.h]");
    let (recipe, out) = (scratch.file("r.toml", &recipe), scratch.0.join("out"));
    let command = words(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--range", "measured"]);
    let tried = Sweep { out: &out, commands: &[command], wanted: &|_| true, refused: &records, varies: &|_| false }.run();
    assert!(tree(&out).keys().filter(|name| name.ends_with(".answer")).eq(["measured.0.answer", "measured.1.answer", "measured.2.answer"]));
    println!("{tried} damages of a bake with answers, each found and mended");
    assert!(tried > 25);
}

/// A reader's own lines are kept by the next bake.
#[test]
fn notes_with_lines_of_their_readers_are_kept() {
    let scratch = Scratch::new("mended-notes");
    let (recipe, out) = (scratch.file("r.toml", RECIPE), scratch.0.join("out"));
    let bake =
        |flags: &[&str]| run(&[&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--for", "blender"], flags].concat(), "");
    expect(&bake(&[]), 0, &[]);
    let page = out.join("IMPORT.md");
    let written = std::fs::read_to_string(&page).expect("a page");
    let own = format!("{written}Imported on Tuesday.\n");
    std::fs::write(&page, &own).expect("writable");
    expect(&bake(&[]), 0, &["IMPORT.md (now IMPORT.md.changed) was missing or damaged"]);
    assert_eq!(std::fs::read_to_string(out.join("IMPORT.md.changed")).expect("kept"), own);
    assert_eq!(std::fs::read_to_string(&page).expect("a page"), written);
    // More tiles give another page, which replaces an unchanged one; a second, changed page is kept next to the first.
    expect(&bake(&["--tiles", "0..2,0..1"]), 0, &[]);
    assert!(std::fs::read_to_string(&page).expect("a page").contains("Tiles 0..2,0..1") && !out.join("IMPORT.md.changed.2").exists());
    std::fs::write(&page, &own).expect("writable");
    expect(&bake(&["--tiles", "0..2,0..1"]), 0, &["IMPORT.md (now IMPORT.md.changed.2)"]);
    let output = run(&["check", path(&out)], "");
    expect(&output, 0, &["IMPORT.md.changed was set aside", "IMPORT.md.changed.2 was set aside"]);
    // A file of that name that no bake has written is refused, and the folder stays as it was.
    let foreign = scratch.0.join("foreign");
    std::fs::create_dir(&foreign).expect("writable");
    std::fs::write(foreign.join("IMPORT.md"), "orogen bake it").expect("writable");
    let args = ["bake", path(&recipe), "--out", path(&foreign), "--backend", "cpu", "--for", "blender"];
    expect(&run(&args, ""), 2, &["IMPORT.md: is not this bake's"]);
    assert_eq!(std::fs::read_dir(&foreign).expect("dir").count(), 1);
}

/// Files that are under way have names that others may use, too.
#[test]
fn unfinished_files_of_others_are_left_alone() {
    let scratch = Scratch::new("mended-partial");
    let (recipe, out) = (scratch.file("r.toml", RECIPE), scratch.0.join("out"));
    let bake = |tiles: &str| run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--tiles", tiles], "");
    std::fs::create_dir(&out).expect("writable");
    std::fs::write(out.join(".x0_y0.png.partial"), "mine").expect("writable");
    expect(&bake("0..1,0..1"), 2, &[".x0_y0.png.partial: is not this bake's"]);
    assert_eq!(tree(&out), [(".x0_y0.png.partial".to_owned(), b"mine".to_vec())].into());
    expect(&bake("1..2,0..1"), 0, &[]);
    std::fs::write(out.join(".x1_y0.png.partial"), "mine").expect("writable");
    expect(&bake("1..3,0..1"), 2, &[".x1_y0.png.partial"]);
    std::fs::remove_file(out.join(".x1_y0.png.partial")).expect("there");
    expect(&bake("1..3,0..1"), 0, &[]);
    assert_eq!(std::fs::read(out.join(".x0_y0.png.partial")).expect("there"), b"mine");
    // If records are lost, tiles with other bits count as foreign.
    std::fs::remove_file(out.join("manifest.json")).expect("there");
    std::fs::write(out.join("x2_y0.png"), "mine").expect("writable");
    expect(&bake("1..3,0..1"), 2, &["x2_y0.png: is not this bake's"]);
    assert_eq!(std::fs::read(out.join("x2_y0.png")).expect("there"), b"mine");
    std::fs::remove_file(out.join("x2_y0.png")).expect("there");
    expect(&bake("1..3,0..1"), 0, &[]);
}

#[test]
fn what_is_refused_or_only_read_leaves_nothing() {
    let scratch = Scratch::new("mended-nothing");
    let recipe = scratch.file("r.toml", RECIPE);
    let empty = scratch.0.join("empty");
    std::fs::create_dir(&empty).expect("writable");
    expect(&run(&["check", path(&empty)], ""), 2, &["holds no bake"]);
    let map = scratch.0.join("map");
    expect(&run(&["map", path(&empty), "--format", "cog", "--out", path(&map)], ""), 2, &["holds no bake"]);
    assert!(std::fs::read_dir(&empty).expect("dir").next().is_none() && !map.exists());
    // Refused once it is evaluated, and only then: the lattice advances too far from sample to sample.
    let deep = "output = \"b\"\n[node.s]\nkind = \"simplex\"\n[node.a]\nkind = \"fractal\"\nof = \"s\"\noctaves = 32\n[node.b]\nkind = \"fractal\"\nof = \"a\"\noctaves = 32\n[bake]\ntile = 16\ntiles = [1, 1]\n";
    let deep = scratch.file("deep.toml", deep);
    for flags in [&[][..], &["--for", "raw"], &["--format", "cog"]] {
        let out = scratch.0.join("a/b/out");
        let output = run(&[&["bake", path(&deep), "--out", path(&out), "--backend", "cpu", "--force"], flags].concat(), "");
        assert_ne!(output.status.code(), Some(0));
        assert!(!scratch.0.join("a").exists(), "{flags:?}: {}", text(&output.stderr));
    }
    // A bake without its lock is read, and has none afterwards.
    let out = scratch.0.join("out");
    expect(&run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu"], ""), 0, &[]);
    std::fs::remove_file(out.join(".orogen.lock")).expect("there");
    expect(&run(&["check", path(&out)], ""), 0, &[]);
    assert!(!out.join(".orogen.lock").exists());
}

#[test]
fn what_differs_is_named_with_both_values() {
    let scratch = Scratch::new("mended-differs");
    let out = scratch.0.join("out");
    let heights = scratch.0.join("h.npy");
    std::fs::write(&heights, orogen::bake::format::npy(&[2, 2], &[0.0, 1.0, 2.0, 3.0])).expect("writable");
    let text = |more: &str| {
        format!(
            "output = \"s\"\n[node.r]\nkind = \"raster\"\nheights = \"h.npy\"\n[node.s]\nkind = \"add\"\na = \"r\"\n{more}\n[bake]\ntile = 16\ntiles = [1, 1]\n"
        )
    };
    let bake = |more: &str| {
        let recipe = scratch.file("r.toml", &text(more));
        run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", "r32"], "")
    };
    expect(&bake("b = 1.0"), 0, &[]);
    expect(&bake("b = 2.0"), 2, &["the recipe differs: node 's': b is 2.0 here, 1.0 there"]);
    std::fs::write(&heights, orogen::bake::format::npy(&[2, 2], &[0.0, 1.0, 2.0, 4.0])).expect("writable");
    let changed = bake("b = 1.0");
    expect(&changed, 2, &["h.npy\" that node 'r' reads has changed: its SHA-256 is"]);
    assert!(!crate::support::text(&changed.stderr).contains("the recipe differs"));
}

/// The remains of a killed command are removed when the next file is written next to them; files that another command is writing
/// stay.
#[test]
fn unfinished_files_of_killed_commands_go() {
    let scratch = Scratch::new("mended-killed");
    let recipe = scratch.file("r.toml", RECIPE);
    let picture = scratch.0.join("p.png");
    let mut preview = crate::support::command(&["preview", path(&recipe), "-o", path(&picture), "--size", "2048,2048", "--backend", "cpu"]);
    let unfinished = |name: &str| name.starts_with(".orogen-") && name.ends_with(".partial");
    let names = || std::fs::read_dir(&scratch.0).expect("dir").flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    // Killed while it writes, if it can be met there; what it would leave, else.
    let mut child = preview.spawn().expect("starts");
    while child.try_wait().expect("waits").is_none() {
        if names().any(|name| unfinished(&name)) {
            child.kill().expect("still running");
        }
    }
    scratch.file(".orogen-aB3dE6.partial", "half");
    let kept = [
        scratch.file(".orogen-f00bar.partial", "under way"),
        scratch.file(".orogen-notes.partial", "mine"),
        scratch.file(".orogen-mine.txt", "mine"),
    ];
    let held = std::fs::File::open(&kept[0]).expect("there");
    held.lock().expect("free");
    let args = ["preview", path(&recipe), "-o", path(&picture), "--size", "8,8", "--backend", "cpu"];
    expect(&run(&args, ""), 0, &[]);
    let mut left: Vec<String> = names().filter(|name| name.starts_with(".orogen-")).collect();
    left.sort_unstable();
    assert_eq!(left, [".orogen-f00bar.partial", ".orogen-mine.txt", ".orogen-notes.partial"]);
    drop(held);
    expect(&run(&args, ""), 0, &[]);
    assert!(!kept[0].exists() && kept[1].exists());
}

#[test]
fn maps_of_every_format() {
    let scratch = Scratch::new("mended-maps");
    let recipe = scratch.file("r.toml", &RECIPE.replace("tile = 16", "tile = 64"));
    let mut tried = 0;
    let formats: &[(&str, &[&str])] = &[
        ("terrarium", &["--zoom", "8"]),
        ("mapbox-rgb", &["--zoom", "8", "--layers", "h,m"]),
        ("cog", &["--layers", "h,m"]),
        ("cog16", &[]),
        ("glb", &[]),
        ("ply", &[]),
    ];
    for (format, flags) in formats {
        let out = scratch.0.join(format);
        let command = words(&[&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", format], *flags].concat());
        // One tile of each pyramid, and one file of the page, stand for all.
        let wanted = |name: &str| match name.split('/').next() {
            Some("viewer") => name.ends_with("map.js"),
            Some("tiles" | "tiles.m") => name.contains("/8/"),
            _ => true,
        };
        tried += Sweep { out: &out, commands: &[command], wanted: &wanted, refused: &records, varies: &|_| false }.run();
    }
    // Of a bake that lies elsewhere.
    let (baked, out) = (scratch.0.join("baked"), scratch.0.join("of"));
    expect(&run(&["bake", path(&recipe), "--out", path(&baked), "--backend", "cpu"], ""), 0, &[]);
    let command = words(&["map", path(&baked), "--format", "cog", "--out", path(&out)]);
    tried += Sweep { out: &out, commands: &[command], wanted: &|_| true, refused: &records, varies: &|_| false }.run();
    println!("{tried} damages of maps, each found and mended");
}

/// A link in the place of a folder leads somewhere else, which is not written to.
#[cfg(unix)]
#[test]
fn linked_folders_are_not_written_through() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("mended-links");
    let recipe = scratch.file("r.toml", RECIPE);
    let elsewhere = scratch.0.join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("writable");
    let link = |out: &str, name: &str| {
        let out = scratch.0.join(out);
        std::fs::create_dir_all(&out).expect("writable");
        symlink(&elsewhere, out.join(name)).expect("a link");
        out
    };
    for format in ["cog", "terrarium"] {
        for name in ["samples", "tiles"] {
            let out = link(&format!("{format}-{name}"), name);
            let output = run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", format], "");
            let refused = name == "samples" || format == "terrarium";
            assert_eq!(output.status.code(), Some(if refused { 2 } else { 0 }), "{format} {name}: {}", text(&output.stderr));
            assert!(std::fs::read_dir(&elsewhere).expect("dir").next().is_none(), "{format} {name}");
        }
    }
    for name in ["tiles", "records", "parts"] {
        let out = link(&format!("shards-{name}"), name);
        expect(&run(&["plan", path(&recipe), "--out", path(&out), "--shards", "1", "--backend", "cpu"], ""), 0, &[]);
        let baked = run(&["bake", path(&out), "--shard", "0/1", "--backend", "cpu"], "");
        let sealed = run(&["seal", path(&out)], "");
        assert_ne!((baked.status.code(), sealed.status.code()), (Some(0), Some(0)), "{name}");
        assert!(std::fs::read_dir(&elsewhere).expect("dir").next().is_none(), "{name}");
    }
}

/// A world that shards measure, bake and seal, with a file that a node reads.
#[test]
fn worlds_of_shards() {
    let scratch = Scratch::new("mended-shards");
    std::fs::write(scratch.0.join("h.npy"), orogen::bake::format::npy(&[2, 2], &[0.0, 1.0, 2.0, 3.0])).expect("writable");
    let recipe = "output = \"even\"\n[node.s]\nkind = \"simplex\"\n[node.r]\nkind = \"raster\"\nheights = \"h.npy\"\n[node.h]\nkind = \"add\"\na = \"s\"\nb = \"r\"\n\
        [stage.even]\nkind = \"equalise\"\nof = \"h\"\n[bake]\ntile = 16\ntiles = [2, 1]\n";
    let (recipe, out) = (scratch.file("r.toml", recipe), scratch.0.join("world"));
    let cpu = ["--backend", "cpu"];
    let commands = [
        words(&[&["plan", path(&recipe), "--out", path(&out), "--shards", "2"][..], &cpu].concat()),
        words(&[&["measure", path(&out)][..], &cpu].concat()),
        words(&[&["bake", path(&out), "--shard", "0/2"][..], &cpu].concat()),
        words(&[&["bake", path(&out), "--shard", "1/2"][..], &cpu].concat()),
        words(&["seal", path(&out)]),
    ];
    let tried =
        Sweep { out: &out, commands: &commands, wanted: &|_| true, refused: &records, varies: &|name| name.starts_with("records/") }.run();
    println!("{tried} damages of a world of shards, each found and mended");
    assert!(tried > 60);
    // The advice is printed.
    damage(&out.join("measured/0.answer"), "flipped");
    damage(&out.join("plan.json"), "missing");
    expect(&run(&["check", path(&out)], ""), 4, &["to rewrite them: orogen plan with the same recipe and flags"]);
    expect(
        &run(&["plan", path(&recipe), "--out", path(&out), "--shards", "3", "--backend", "cpu"], ""),
        2,
        &["its manifest.json is of another plan"],
    );
}

#[cfg(feature = "zarr")]
#[test]
fn worlds_of_arrays() {
    let scratch = Scratch::new("mended-arrays");
    let recipe = RECIPE.replace("tile = 16", "tile = 128").replace("tiles = [1, 1]", "tiles = [2, 1]");
    let (recipe, out) = (scratch.file("r.toml", &recipe), scratch.0.join("world"));
    let command = words(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", "zarr"]);
    let tried =
        Sweep { out: &out, commands: &[command], wanted: &|_| true, refused: &records, varies: &|name| name.starts_with("records/") }.run();
    println!("{tried} damages of a world of arrays, each found and mended");
}
