//! Bakes for a destination, read by the formulas of its manual, which are written here a second time. They give heights, places
//! and edges from the files and the numbers of `import.json`.

use crate::support::{Scratch, cpu, expect, path, run, text};
use exr::prelude::{ReadChannels, ReadLayers};
use orogen::{Recipe, Region};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Hills from below the sea to above it, two metres from sample to sample, and a mask with a name that Unreal would misread.
const HILLS: &str = r#"output = "hills"
[node.s]
kind = "simplex"
wavelength = 90.0
[node.n]
kind = "fractal"
of = "s"
[node.hills]
kind = "scale_offset"
of = "n"
scale = 80.0
offset = 35.0
[node.mix2]
kind = "smoothstep"
of = "n"
[bake]
tile = 64
tiles = [2, 2]
spacing = 2.0
"#;
const STEP: f64 = 2.0;

/// Two masks more, one of them below 0 here and there, and normals.
const MORE: &str = r#"
[node.rock]
kind = "scale_offset"
of = "s"
scale = 3.0
[node.snow]
kind = "scale_offset"
of = "n"
scale = -0.7
offset = 0.1
[stage.normals]
kind = "normal"
of = "hills"
"#;

/// A bake for a destination.
struct Baked {
    _scratch: Scratch,
    out: PathBuf,
    note: Value,
    page: String,
}

impl Baked {
    fn new(destination: &str, flags: &[&str]) -> Self {
        let scratch = Scratch::new(&format!("for-{destination}-{}", flags.concat().replace([',', '.'], "_")));
        // A recipe without more than it needs is what earlier releases had.
        let recipe = scratch.file("r.toml", &if flags.contains(&"--layers") { [HILLS, MORE].concat() } else { HILLS.to_owned() });
        let out = scratch.0.join("out");
        let args = ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--for", destination];
        expect(&run(&[&args, flags].concat(), ""), 0, &["IMPORT.md"]);
        let note = serde_json::from_slice(&std::fs::read(out.join("import.json")).expect("import.json")).expect("JSON");
        let page = std::fs::read_to_string(out.join("IMPORT.md")).expect("IMPORT.md");
        expect(&run(&["check", path(&out), "--recompute", "1", "--backend", "cpu"], ""), 0, &[]);
        Baked { _scratch: scratch, out, note, page }
    }

    /// A number to enter, which the page contains, too.
    fn number(&self, key: &str) -> f64 {
        let value = &self.note["values"][key];
        let number = value.as_f64().unwrap_or_else(|| panic!("{key}: {value}"));
        assert!(self.page.contains(&format!("| {number} |")), "{number} is not in {}", self.page);
        number
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        self.note["values"][key].as_array().unwrap_or_else(|| panic!("{key}")).iter().map(|x| x.as_f64().expect("a number")).collect()
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.out.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Names of the files that are tiles.
    fn tiles(&self) -> Vec<String> {
        let names = std::fs::read_dir(&self.out).expect("dir").flatten().map(|file| file.file_name().to_string_lossy().into_owned());
        let other = |name: &String| {
            ["manifest.json", "overview.png", "IMPORT.md", "import.json", "import.py", ".orogen.lock"].contains(&name.as_str())
        };
        let mut names: Vec<String> = names.filter(|name| !other(name)).collect();
        names.sort();
        names
    }
}

/// Heights of tiles 0 to 2 along both axes and a sample beyond, as the noise has them: `[y][x]`.
fn expected(edge: usize) -> Vec<Vec<f64>> {
    let noise = Recipe::from_toml(HILLS, "hills").expect("a recipe").noise().expect("a noise");
    let region = Region { spacing: STEP, ..Region::plane(edge as u32, edge as u32) };
    let values = cpu().field(&noise, &region).expect("field").values;
    assert!(values.iter().any(|&h| h < -10.0) && values.iter().any(|&h| h > 50.0), "above and below the sea");
    values.chunks(edge).map(|row| row.iter().map(|&h| f64::from(h)).collect()).collect()
}

fn words(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks(2).map(|two| f64::from(u16::from_le_bytes([two[0], two[1]]))).collect()
}

fn png(bytes: &[u8]) -> Vec<f64> {
    let image = image::load_from_memory(bytes).expect("PNG");
    assert_eq!(image.color(), image::ColorType::L16);
    image.into_luma16().into_raw().into_iter().map(f64::from).collect()
}

/// The one channel of an EXR, which must be of 32-bit floats.
fn exr(bytes: &[u8]) -> Vec<f64> {
    let reader = exr::prelude::read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = reader.from_buffered(std::io::Cursor::new(bytes)).expect("EXR");
    let channels = &image.layer_data.channel_data.list;
    assert_eq!(channels.len(), 1);
    assert!(matches!(channels[0].sample_data, exr::prelude::FlatSamples::F32(_)));
    channels[0].sample_data.values_as_f32().map(f64::from).collect()
}

/// Fails where a tile's rows, the smallest y first, are not the noise's within an error in metres.
fn assert_tile(rows: &[f64], (x, y): (usize, usize), tile: usize, edge: usize, world: &[Vec<f64>], error: f64) {
    assert_eq!(rows.len(), edge * edge);
    for (i, height) in rows.iter().enumerate() {
        let expected = world[y * tile + i / edge][x * tile + i % edge];
        assert!((height - expected).abs() <= error, "tile {x} {y}, sample {i}: {height} m, not {expected} m; allowed: {error} m off");
    }
}

/// Matches of Unreal's `[xyuv](-?\d+)`, in any case.
fn tokens(name: &str) -> Vec<(char, i64)> {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let mut found = Vec::new();
    for (i, letter) in letters.iter().enumerate().filter(|(_, letter)| "xyuv".contains(**letter)) {
        let rest: String = letters[i + 1..].iter().collect();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].chars().take_while(char::is_ascii_digit).count();
        if digits > 0 {
            found.push((*letter, rest[..sign + digits].parse().expect("an integer")));
        }
    }
    found
}

/// Unreal's conversion of a word: (word − 32768) / 128 centimetres, times Z scale.
fn unreal(word: f64, baked: &Baked) -> f64 {
    let (scale, location) = (baked.numbers("scale"), baked.numbers("location"));
    ((word - 32768.0) / 128.0 * scale[2] + location[2]) / 100.0
}

/// Half a step of Unreal's heights, and what f32 and f64 round.
fn unreal_error(baked: &Baked) -> f64 {
    baked.numbers("scale")[2] / 128.0 / 100.0 * 0.5 + 1e-9
}

#[test]
fn unreal_reads_one_landscape_out_of_tiles() {
    let world = expected(129);
    for (flags, decode) in [(&[][..], png as fn(&[u8]) -> Vec<f64>), (&["--format", "r16"], words)] {
        let baked = Baked::new("unreal", &[&["--layers", "hills,mix2"], flags].concat());
        let extension = if flags.is_empty() { "png" } else { "r16" };
        for name in baked.tiles() {
            let found = tokens(&name);
            assert!(matches!(found[..], [('x', _), ('y', _)]), "{name}: {found:?}");
        }
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let heights: Vec<f64> =
                decode(&baked.read(&format!("hills_x{x}_y{y}.{extension}"))).into_iter().map(|word| unreal(word, &baked)).collect();
            // One sample per unit of the tile's width: nothing is duplicated.
            assert_tile(&heights, (x, y), 64, 64, &world, unreal_error(&baked));
            assert_eq!(image::load_from_memory(&baked.read(&format!("mix_2_x{x}_y{y}.png"))).expect("PNG").color(), image::ColorType::L8);
        }
        assert_eq!(unreal(32768.0, &baked), 0.0);
        assert_eq!(baked.numbers("scale")[..2], [200.0, 200.0]);
        assert_eq!(baked.numbers("samples"), [128.0, 128.0]);
        // The manual's rule: Z scale is the range in metres · 100 · 0.001953125, of all 65536 words.
        let range =
            baked.note["layers"][0]["range"].as_array().expect("a range").iter().map(|x| x.as_f64().expect("f64")).collect::<Vec<_>>();
        let metres = (range[1] - range[0]) * 65536.0 / 65535.0;
        assert!((baked.numbers("scale")[2] - metres * 100.0 * 0.001953125).abs() < 1e-9 * metres);
        // The smallest such range: one end is the proven one.
        let proven = Recipe::from_toml(HILLS, "hills").expect("a recipe").noise().expect("a noise").range().expect("a range");
        assert!(range[0] <= proven.lo + 1e-9 && range[1] >= proven.hi - 1e-9);
        assert!((range[0] - proven.lo).abs() < 1e-9 || (range[1] - proven.hi).abs() < 1e-9);
    }
}

#[test]
fn unreal_takes_a_declared_range_with_its_place() {
    let baked = Baked::new("unreal", &["--range", "-200,500"]);
    assert_eq!(baked.note["layers"][0]["range"], serde_json::json!([-200.0, 500.0]));
    let world = expected(129);
    let heights: Vec<f64> = png(&baked.read("hills_x1_y0.png")).into_iter().map(|word| unreal(word, &baked)).collect();
    assert_tile(&heights, (1, 0), 64, 64, &world, unreal_error(&baked));
    let measured = Baked::new("unreal", &["--range", "measured"]);
    assert_eq!(unreal(32768.0, &measured), 0.0);
    let heights: Vec<f64> = png(&measured.read("hills_x1_y0.png")).into_iter().map(|word| unreal(word, &measured)).collect();
    assert_tile(&heights, (1, 0), 64, 64, &world, unreal_error(&measured));
    let far = Baked::new("unreal", &["--tiles", "-2..0,3..4"]);
    assert_eq!(far.numbers("location")[..2], [-2.0 * 128.0 * 100.0, 3.0 * 128.0 * 100.0]);
    assert_eq!(tokens("hills_x-2_y3.png"), [('x', -2), ('y', 3)]);
    assert_eq!(far.tiles(), ["hills_x-1_y3.png", "hills_x-2_y3.png"]);
}

#[test]
fn world_composition_reads_tiles_that_share_an_edge() {
    let baked = Baked::new("unreal-composition", &["--tile", "126"]);
    let world = expected(253);
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let heights: Vec<f64> = png(&baked.read(&format!("hills_x{x}_y{y}.png"))).into_iter().map(|word| unreal(word, &baked)).collect();
        assert_tile(&heights, (x, y), 126, 127, &world, unreal_error(&baked));
    }
    let (left, right) = (png(&baked.read("hills_x0_y0.png")), png(&baked.read("hills_x1_y0.png")));
    assert!((0..127).all(|row| left[row * 127 + 126] == right[row * 127]));
    assert_eq!(baked.note["values"]["flip_tile_y"], Value::Bool(false));
    assert_eq!(baked.numbers("resolution"), [127.0, 127.0]);
}

#[test]
fn unity_reads_rows_from_the_other_end() {
    let baked = Baked::new("unity", &[]);
    let world = expected(129);
    let size = baked.numbers("terrain_size");
    assert_eq!((size[0], size[2]), (128.0, 128.0));
    assert_eq!((baked.number("resolution"), baked.note["values"]["byte_order"].as_str()), (65.0, Some("Windows")));
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let file = words(&baked.read(&format!("x{x}_y{y}.raw")));
        assert_eq!(file.len(), 65 * 65);
        // Import Raw: a word over 65536, times the terrain's height; row after row along Z from the terrain's position on.
        let at = [x as f64 * size[0], -(y as f64 + 1.0) * size[2]];
        for (i, word) in file.iter().enumerate() {
            let height = baked.number("position_y") + word / 65536.0 * size[1];
            let (east, z) = (at[0] + (i % 65) as f64 * STEP, at[1] + (i / 65) as f64 * STEP);
            let expected = world[(-z / STEP) as usize][(east / STEP) as usize];
            assert!((height - expected).abs() <= size[1] / 65536.0 * 0.5 + 1e-9, "{x} {y} {i}: {height}, not {expected}");
        }
    }
    let (near, far) = (words(&baked.read("x0_y0.raw")), words(&baked.read("x0_y1.raw")));
    assert_eq!(near[..65], far[64 * 65..], "the first row of one is the last of the next");
    assert!(text(&baked.read("x0_y0.raw.json")).contains("largest y"));
}

#[test]
fn terrain3d_reads_regions_in_metres() {
    let world = expected(129);
    let baked = Baked::new("terrain3d", &[]);
    let (offset, scale) = (baked.number("offset"), baked.number("scale"));
    assert_eq!((baked.number("region_size"), baked.number("vertex_spacing")), (64.0, STEP));
    for (x, y) in [(0, 0), (1, 1)] {
        let heights: Vec<f64> = exr(&baked.read(&format!("x{x}_y{y}.exr"))).into_iter().map(|h| h * scale + offset).collect();
        assert_tile(&heights, (x, y), 64, 64, &world, 0.0);
    }
    let baked = Baked::new("terrain3d", &["--format", "r16"]);
    let range = baked.numbers("r16_range");
    let heights: Vec<f64> =
        words(&baked.read("x1_y0.r16")).into_iter().map(|word| range[0] + word / 65535.0 * (range[1] - range[0])).collect();
    assert_tile(&heights, (1, 0), 64, 64, &world, (range[1] - range[0]) / 65535.0 * 0.5 + 1e-9);
}

#[test]
fn hterrain_reads_little_endian_words_between_whole_heights() {
    let baked = Baked::new("hterrain", &["--tile", "512", "--tiles", "0..1,0..1"]);
    let (lo, hi) = (baked.number("min_height"), baked.number("max_height"));
    assert!(lo.fract() == 0.0 && hi.fract() == 0.0 && lo < 0.0, "{lo} {hi}");
    let heights: Vec<f64> = words(&baked.read("x0_y0.raw")).into_iter().map(|word| lo + word / 65535.0 * (hi - lo)).collect();
    assert_tile(&heights, (0, 0), 512, 513, &expected(513), (hi - lo) / 65535.0 * 0.5 + 1e-9);
    assert_eq!(baked.note["values"]["raw_endianess"], "Little Endian");
}

#[test]
fn those_that_read_floats_get_metres() {
    let world = expected(129);
    let godot = Baked::new("godot", &[]);
    let heights: Vec<f64> = exr(&godot.read("x1_y1.exr")).into_iter().map(|h| h * godot.number("height_scale")).collect();
    assert_tile(&heights, (1, 1), 64, 65, &world, 0.0);
    assert_eq!(godot.numbers("map_size"), [65.0, 65.0]);

    let blender = Baked::new("blender", &["--layers", "hills,mix2"]);
    // Displace: strength · (texture − midlevel).
    let displace = |h: f64| blender.number("strength") * (h - blender.number("mid_level"));
    let heights: Vec<f64> = exr(&blender.read("x0_y1.exr")).into_iter().map(displace).collect();
    assert_tile(&heights, (0, 1), 64, 65, &world, 0.0);
    assert_eq!(blender.numbers("size"), [128.0, 128.0]);
    assert!(text(&blender.read("import.py")).contains("import bpy"));
    assert_eq!(exr(&blender.read("x0_y1.mix2.exr")).len(), 65 * 65);

    let houdini = Baked::new("houdini", &[]);
    let heights: Vec<f64> = exr(&houdini.read("x1_y0.exr")).into_iter().map(|h| h * houdini.number("height_scale")).collect();
    assert_tile(&heights, (1, 0), 64, 64, &world, 0.0);
    assert_eq!((houdini.number("grid_spacing"), houdini.number("tile_distance")), (STEP, 128.0));

    for (destination, flags) in [("raw", &[][..]), ("houdini", &["--format", "r32", "--overlap", "1"]), ("raw", &["--overlap", "1"])] {
        let baked = Baked::new(destination, flags);
        let edge = if flags.is_empty() { 64 } else { 65 };
        let floats: Vec<f64> =
            baked.read("x1_y0.r32").chunks(4).map(|four| f64::from(f32::from_le_bytes([four[0], four[1], four[2], four[3]]))).collect();
        assert_tile(&floats, (1, 0), 64, edge, &world, 0.0);
        let sidecar: Value = serde_json::from_slice(&baked.read("x1_y0.r32.json")).expect("JSON");
        assert_eq!((sidecar["width"].as_u64(), sidecar["byte_order"].as_str()), (Some(edge as u64), Some("little")));
    }
}

#[test]
fn what_a_destination_cannot_take_is_refused_with_the_nearest_that_it_can() {
    let scratch = Scratch::new("for-refused");
    let recipe = scratch.file("r.toml", HILLS);
    let colours =
        scratch.file("c.toml", &HILLS.replace("output = \"hills\"", "output = \"c\"\n[stage.c]\nkind = \"normal\"\nof = \"hills\""));
    let out = scratch.0.join("out");
    let bake = |recipe: &Path, destination: &str, flags: &[&str]| {
        let args = ["bake", path(recipe), "--out", path(&out), "--backend", "cpu", "--for", destination];
        run(&[&args, flags].concat(), "")
    };
    for (destination, flags, parts) in [
        ("unity", &["--tile", "1000"][..], &["tile = 1000", "unity", "513", "--tile 512", "1025", "--tile 1024"][..]),
        ("unity", &["--tile", "5000"], &["tile = 5000", "4097"]),
        ("unity", &["--format", "png16"], &["format = png16", "unity", "r16"]),
        ("unity", &["--overlap", "0"], &["overlap = 0", "allowed: 1"]),
        ("unreal", &["--overlap", "1"], &["overlap = 1", "unreal", "allowed: 0"]),
        ("unreal", &["--format", "exr"], &["format = exr", "png16, r16"]),
        ("unreal", &["--tile", "1000", "--tiles", "0..1,0..1"], &["tile = 1000", "505", "1009"]),
        ("unreal", &["--tile", "4096", "--tiles", "0..8,0..8"], &["tiles = 0..8,0..8", "1024 components", "3 by 3"]),
        ("unreal-composition", &["--tile", "1000"], &["tile = 1000", "505", "1009 samples (--tile 1008)"]),
        ("unreal-composition", &["--tile", "126", "--tiles", "-1..1,0..1"], &["tiles = -1..1,0..1", "from 0"]),
        ("terrain3d", &["--tile", "1000"], &["tile = 1000", "512", "1024"]),
        ("terrain3d", &["--format", "png16"], &["format = png16", "exr, r16"]),
        ("terrain3d", &["--tiles", "0..17,0..1"], &["tiles = 0..17,0..1", "-16 to 15"]),
        ("hterrain", &[], &["tile = 64", "513"]),
        ("hterrain", &["--tile", "512", "--range", "-0.5,90"], &["range = -0.5,90", "whole numbers"]),
        ("hterrain", &["--tile", "512", "--format", "r32"], &["format = r32", "r16, exr"]),
        ("godot", &["--format", "png16"], &["format = png16", "exr"]),
        ("raw", &["--format", "npy"], &["format = npy", "r32"]),
        ("doom", &[], &["doom", "unity"]),
    ] {
        let output = bake(&recipe, destination, flags);
        expect(&output, 2, parts);
        assert!(!out.exists(), "{destination} {flags:?} wrote something");
    }
    expect(&bake(&colours, "unity", &[]), 2, &["layers = 'c'", "3 channels", "allowed"]);
    let plan = run(&["plan", path(&recipe), "--out", path(&out), "--shards", "2", "--backend", "cpu", "--for", "unity"], "");
    expect(&plan, 2, &["for = unity", "shards", "allowed"]);
    // Another program's page stays.
    std::fs::create_dir(&out).expect("writable");
    std::fs::write(out.join("IMPORT.md"), "mine").expect("writable");
    let refused = bake(&recipe, "unity", &[]);
    assert_ne!(refused.status.code(), Some(0));
    assert!(text(&refused.stderr).contains("IMPORT.md"), "{}", text(&refused.stderr));
    assert_eq!(std::fs::read_to_string(out.join("IMPORT.md")).expect("there"), "mine");
}

#[test]
fn a_recipe_says_what_it_is_for_and_a_bake_goes_on() {
    let scratch = Scratch::new("for-recipe");
    let recipe = scratch.file("r.toml", &format!("{HILLS}for = \"unity\"\n"));
    let out = scratch.0.join("out");
    let bake = |flags: &[&str]| run(&[&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--json"], flags].concat(), "");
    let report = |output: &std::process::Output| serde_json::from_slice::<Value>(&output.stdout).expect("JSON");
    let whole = bake(&[]);
    expect(&whole, 0, &["unity"]);
    std::fs::remove_file(out.join("x0_y0.raw")).expect("there");
    std::fs::remove_file(out.join("overview.png")).expect("there");
    let again = bake(&[]);
    expect(&again, 0, &["x0_y0.raw was missing"]);
    assert_eq!(report(&again)["written"], 1);
    assert_eq!(report(&again)["root"], report(&whole)["root"]);
    // The overview is drawn out of files that begin with the other row.
    let other = scratch.0.join("other");
    let fresh = run(&["bake", path(&recipe), "--out", path(&other), "--backend", "cpu"], "");
    expect(&fresh, 0, &[]);
    let picture = |folder: &Path| std::fs::read(folder.join("overview.png")).expect("there");
    assert_eq!(picture(&out), picture(&other));
    // The flag is stronger than the recipe, and a folder holds the bake of one destination.
    expect(&bake(&["--for", "unreal"]), 2, &["other settings"]);
    let wrong = scratch.file("w.toml", &format!("{HILLS}for = \"doom\"\n"));
    expect(&run(&["bake", path(&wrong), "--out", path(&out), "--backend", "cpu"], ""), 65, &["doom", "unity"]);
}

#[test]
fn bakes_for_nobody_in_particular_are_what_they_were() {
    let scratch = Scratch::new("for-nobody");
    let recipe = scratch.file("r.toml", HILLS);
    let bake = |name: &str, flags: &[&str]| {
        let out = scratch.0.join(name);
        let output = run(&[&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--json"], flags].concat(), "");
        expect(&output, 0, &[]);
        assert!(!out.join("IMPORT.md").exists());
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["root"].as_str().expect("a root").to_owned()
    };
    // Their records hold `BITS`: these roots change with it.
    assert_eq!(bake("png", &[]), "576552f3bf4393fab16073a1dc92708268de959a922e78f4d050cd9df7a5ce92");
    assert_eq!(
        bake("r16", &["--format", "r16", "--layers", "hills,mix2", "--overlap", "1"]),
        "8163c1c958a57bd1cb4eff1d5b1e856acbd634b544dd2e9bfcde68de6ece90f1"
    );
}

#[test]
fn weights_are_shares_of_255_that_add_up_to_it() {
    let masks = ["mix2", "rock", "snow"];
    let baked = Baked::new("unity", &["--layers", "hills,mix2+rock+snow"]);
    let layer = &baked.note["layers"][1];
    assert_eq!(layer["weights"], serde_json::json!(masks));
    assert!(
        baked.page.contains("weights that add up to 255: red mix2, green rock, blue snow; the first row has the smallest y"),
        "{}",
        baked.page
    );
    let plain = baked.out.with_file_name("plain");
    let recipe = baked.out.with_file_name("r.toml");
    let layers = format!("hills,{}", masks.join(","));
    let args = ["bake", path(&recipe), "--out", path(&plain), "--backend", "cpu", "--format", "npy", "--overlap", "1", "--layers", &layers];
    expect(&run(&args, ""), 0, &[]);
    let file = |x: i64, y: i64| layer["files"].as_str().expect("a pattern").replace("{x}", &x.to_string()).replace("{y}", &y.to_string());
    let (mut most, mut none) = ([0_u8; 3], 0);
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let picture = image::open(baked.out.join(file(x, y))).expect("a picture");
        assert_eq!(picture.color(), image::ColorType::Rgba8);
        let values = masks.map(|mask| {
            let bytes = std::fs::read(plain.join(format!("x{x}_y{y}.{mask}.npy"))).expect("npy");
            let numbers =
                bytes[bytes.len() - 65 * 65 * 4..].as_chunks::<4>().0.iter().map(|four| f64::from(f32::from_le_bytes(*four)).max(0.0));
            numbers.collect::<Vec<f64>>()
        });
        for (i, pixel) in picture.into_rgba8().pixels().enumerate() {
            assert_eq!(pixel.0.iter().map(|&share| u32::from(share)).sum::<u32>(), 255);
            let whole: f64 = values.iter().map(|of| of[i]).sum();
            if whole == 0.0 {
                none += 1;
                assert_eq!(pixel.0, [255, 0, 0, 0]);
                continue;
            }
            for k in 0..3 {
                assert!((f64::from(pixel.0[k]) - values[k][i] / whole * 255.0).abs() < 1.0);
                most[k] = most[k].max(pixel.0[k]);
            }
        }
    }
    assert!(most.iter().all(|&share| share > 200) && none < 65 * 65, "{most:?}, {none} with nothing");
    // Masks without a place, or invalid ones.
    let refused: [(&[&str], &str); 7] = [
        (&["--layers", "mix2+rock"], "which comes first"),
        (&["--layers", "hills,mix2+nothing"], "'nothing'"),
        (&["--layers", "hills,mix2+normals"], "two to four layers of one channel"),
        (&["--layers", "hills,mix2+rock+snow+n+s"], "two to four layers of one channel"),
        (&["--layers", "hills,mix2+"], "no stage or node ''"),
        (&["--layers", "hills,mix2+rock", "--format", "terrarium"], "no stage or node 'mix2+rock'"),
        (&["--layers", "hills,mix2+rock", "--format", "zarr"], "one file for each tile"),
    ];
    let out = baked.out.with_file_name("refused");
    for (flags, part) in refused {
        let told = run(&[&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu"], flags].concat(), "");
        assert!(!told.status.success(), "{flags:?}");
        assert!(text(&told.stderr).contains(part), "{flags:?}: {}", text(&told.stderr));
        assert!(!out.exists(), "{flags:?} has written something");
    }
    let map = run(&["map", path(&baked.out), "--out", path(&out), "--format", "terrarium"], "");
    assert!(text(&map.stderr).contains("'mix2+rock+snow', weights") || text(&map.stderr).contains("overlap"), "{}", text(&map.stderr));
}

#[test]
fn weights_of_shards_are_those_of_one_process() {
    let scratch = Scratch::new("weights-shards");
    let recipe = scratch.file("r.toml", &[HILLS, MORE].concat());
    let (alone, many) = (scratch.0.join("alone"), scratch.0.join("many"));
    let flags = ["--backend", "cpu", "--layers", "hills,mix2+rock+snow", "--format", "r32"];
    let baked = run(&[&["bake", path(&recipe), "--out", path(&alone), "--json"], &flags[..]].concat(), "");
    expect(&baked, 0, &[]);
    expect(&run(&[&["plan", path(&recipe), "--out", path(&many), "--shards", "2"], &flags[..]].concat(), ""), 0, &[]);
    for shard in ["1/2", "0/2"] {
        expect(&run(&["bake", path(&many), "--shard", shard, "--backend", "cpu"], ""), 0, &[]);
    }
    let sealed = run(&["seal", path(&many)], "");
    expect(&sealed, 0, &[]);
    let report: Value = serde_json::from_slice(&baked.stdout).expect("JSON");
    assert!(text(&sealed.stdout).contains(report["root"].as_str().expect("a root")), "{}", text(&sealed.stdout));
    let map = run(&["map", path(&many), "--out", path(&scratch.0.join("map")), "--format", "cog"], "");
    expect(&map, 2, &["'mix2+rock+snow', weights"]);
}

/// Green above the middle: the ground faces the picture's upper edge where that points up, its lower edge where it points down.
#[test]
fn the_green_of_normals_points_as_each_destination_reads_it() {
    for (destination, flags, up) in [
        ("unity", &["--layers", "hills,normals"][..], true),
        ("unreal", &["--layers", "hills,normals", "--tile", "127", "--tiles", "0..1,0..1"], false),
        ("godot", &["--layers", "hills,normals"], true),
    ] {
        let baked = Baked::new(destination, flags);
        assert_eq!(baked.note["green_of_normals"], if up { "up" } else { "down" });
        let file = |k: usize| {
            baked.out.join(baked.note["layers"][k]["files"].as_str().expect("a pattern").replace("{x}", "0").replace("{y}", "0"))
        };
        let normals = image::open(file(1)).expect("normals").into_rgb8();
        let edge = normals.width();
        let recipe = Recipe::load(baked.out.with_file_name("r.toml")).expect("the recipe");
        let region = Region { spacing: STEP, ..Region::plane(edge, edge) };
        let heights = cpu().field(&recipe.pipeline.noise_of("hills").expect("a noise"), &region).expect("heights");
        let mut seen = 0;
        for (x, y, pixel) in normals.enumerate_pixels().filter(|(_, y, _)| (1..edge - 1).contains(y)) {
            let at = |y: u32| heights.values[(y * edge + x) as usize];
            // Ground that rises downwards in the picture faces its upper edge.
            let rise = at(y + 1) - at(y - 1);
            if rise.abs() > 0.5 {
                assert_eq!(pixel.0[1] > 127, (rise > 0.0) == up, "{destination} {x},{y}: {} where it rises by {rise}", pixel.0[1]);
                seen += 1;
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}

#[test]
fn the_commands_of_the_page_bake() {
    let page = |name: &str| std::fs::read_to_string(format!("{}/../docs/guide/{name}", env!("CARGO_MANIFEST_DIR"))).expect("the page");
    let pages = page("destinations.md") + &page("maps.md");
    let commands =
        pages.lines().filter(|line| line.starts_with("orogen bake ") || line.starts_with("cargo run ") && line.contains(" -- bake "));
    let mut count = 0;
    for (index, command) in commands.enumerate() {
        let scratch = Scratch::new(&format!("page-{index}"));
        let out = scratch.0.join("out");
        let words: Vec<&str> = command.split_whitespace().collect();
        let from = words.iter().position(|&word| word == "bake").expect("the verb bake");
        // As it is written, but for where it goes and how much of the world it makes.
        let mut args = vec!["--backend", "cpu", "--tiles", "0..1,0..1", "--out", path(&out)];
        let mut rest = words[from..].iter().copied();
        while let Some(word) = rest.next() {
            match word {
                "--tiles" | "--out" => drop(rest.next()),
                word => args.push(word),
            }
        }
        args.rotate_left(6);
        let output = run(&args, "");
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        assert!(std::fs::read_dir(&out).is_ok_and(|mut files| files.next().is_some()), "{command}");
        count += 1;
    }
    assert!(count >= 12, "{count} commands are on the page");
}

/// Layers whose names differ in letters that Unreal's names cannot have are files of their own; others are refused by the names of both.
#[test]
fn unreal_has_a_file_for_every_layer_whatever_its_letters() {
    let scratch = Scratch::new("for-letters");
    let names = ["草地", "岩石", "é", "è", "x1", "X1y2", "a b"];
    let nodes: String = names.iter().map(|name| format!("[node.\"{name}\"]\nkind = \"simplex\"\n")).collect();
    let recipe =
        scratch.file("r.toml", &format!("output = \"h\"\n[node.h]\nkind = \"simplex\"\n{nodes}[bake]\ntile = 127\ntiles = [1, 1]\n"));
    let bake = |layers: &str, out: &str| {
        let out = scratch.0.join(out);
        run(&["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--for", "unreal", "--layers", layers], "")
    };
    expect(&bake(&format!("h,{}", names.join(",")), "out"), 0, &[]);
    let found =
        std::fs::read_dir(scratch.0.join("out")).expect("dir").flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    let tiles: Vec<String> = found.filter(|name| name.ends_with("_x0_y0.png")).collect();
    assert_eq!(tiles.len(), names.len() + 1, "{tiles:?}");
    for name in &tiles {
        assert!(name.is_ascii() && matches!(tokens(name)[..], [('x', 0), ('y', 0)]), "{name}");
    }
    let page = std::fs::read_to_string(scratch.0.join("out/IMPORT.md")).expect("a page");
    assert!(page.contains("| 草地 | `layer_cca5bb81_x{x}_y{y}.png` |"), "{page}");
    let twice = scratch.file("t.toml", &std::fs::read_to_string(&recipe).expect("there").replace("a b", "a_b").replace("X1y2", "a.b"));
    let no = scratch.0.join("no");
    let args = ["bake", path(&twice), "--out", path(&no), "--backend", "cpu", "--for", "unreal", "--layers", "h,a_b,a.b"];
    expect(&run(&args, ""), 2, &["layers = 'a_b' and 'a.b', whose files would both be called a_b_x0_y0.png, is not allowed"]);
    assert!(!no.exists());
}

/// Land above 0 takes all words, and stands where it is; what is typed has no digits that rounding has left.
#[test]
fn unreal_loses_no_bit_below_the_sea() {
    let hills = |offset: &str| HILLS.replace("offset = 35.0", &format!("offset = {offset}"));
    let world = expected(129);
    for (offset, high) in [("335.0", 300.0), ("-765.0", -800.0), ("35.0", 0.0)] {
        let scratch = Scratch::new(&format!("for-high-{offset}"));
        let (recipe, out) = (scratch.file("r.toml", &hills(offset)), scratch.0.join("out"));
        let args = ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--for", "unreal", "--range", "measured"];
        expect(&run(&args, ""), 0, &[]);
        let note = serde_json::from_slice(&std::fs::read(out.join("import.json")).expect("import.json")).expect("JSON");
        let page = std::fs::read_to_string(out.join("IMPORT.md")).expect("IMPORT.md");
        let baked = Baked { _scratch: scratch, out, note, page };
        let words: Vec<f64> =
            ["x0_y0", "x1_y0", "x0_y1", "x1_y1"].iter().flat_map(|at| png(&baked.read(&format!("hills_{at}.png")))).collect();
        let (lo, hi) = words.iter().fold((f64::MAX, 0.0), |(lo, hi): (f64, f64), w| (lo.min(*w), hi.max(*w)));
        assert!(high == 0.0 || (lo, hi) == (0.0, 65535.0), "{offset}: words {lo} to {hi}");
        let heights: Vec<f64> = words[..64 * 64].iter().map(|word| unreal(*word, &baked) - high).collect();
        assert_tile(&heights, (0, 0), 64, 64, &world, unreal_error(&baked) + 1e-4);
        let typed = baked.page.lines().filter(|line| line.starts_with("| ")).flat_map(|line| line.split(['|', ' ', ',', '`']));
        for number in typed.filter(|word| word.parse::<f64>().is_ok()) {
            let digits = number.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count();
            assert!(digits <= 12 && !number.contains("000000"), "{offset}: {number} in {}", baked.page);
        }
    }
}
