//! Rasters: heights that come in, from files and from memory.

use crate::nodes::heights;
use crate::support::{Scratch, cpu, oracle, root, run, text};
use orogen::node::{Heights, HeightsError, Outside, Raster, Sampling};
use orogen::{Engine, Gradient, Noise, Pipeline, Recipe, Region, Saved};
use std::io::Write;

fn values(engine: &Engine, noise: &Noise, positions: &[[f64; 3]]) -> Vec<f32> {
    engine.sample(noise, positions, Gradient::Without).expect("samples").into_iter().map(|sample| sample.value as f32).collect()
}

fn base(sampling: Sampling, outside: Outside) -> Raster {
    Raster { heights: heights(13, 9), position: [-40.0, 17.0], spacing: [8.0, -4.0], sampling, outside, ..Default::default() }
}

#[test]
fn it_passes_through_its_samples() {
    let given = heights(13, 9);
    let given = given.values().expect("in memory");
    let at: Vec<[f64; 3]> = (0..9 * 13).map(|i| [-40.0 + 8.0 * f64::from(i % 13), 17.0 - 4.0 * f64::from(i / 13), 5.0]).collect();
    for sampling in Sampling::ALL {
        for outside in Outside::ALL {
            let found = values(&cpu(), &Noise::raster(base(*sampling, *outside)), &at);
            for (i, (found, given)) in found.iter().zip(given).enumerate() {
                assert!((found - given).abs() < 3e-6, "{sampling} {outside}: sample {i} is {found} for {given}");
            }
        }
    }
}

/// Values outside, computed by another method: at a position inside.
#[test]
fn beyond_the_edges_lies_what_was_asked_for() {
    let [columns, rows] = [13.0, 9.0];
    let positions: Vec<[f64; 2]> = (0..400).map(|i| [f64::from(i % 20) * 2.31 - 17.02, f64::from(i / 20) * 1.93 - 14.02]).collect();
    let world = |[x, y]: [f64; 2]| [-40.0 + 8.0 * x, 17.0 - 4.0 * y, 0.0];
    let mirrored = |x: f64, n: f64| {
        let lap = x.rem_euclid(2.0 * (n - 1.0));
        lap.min(2.0 * (n - 1.0) - lap)
    };
    for sampling in Sampling::ALL {
        for outside in Outside::ALL {
            let noise = Noise::raster(Raster { fill: 0.5, ..base(*sampling, *outside) });
            let inside = |[x, y]: [f64; 2]| match outside {
                Outside::Clamp => Some([x.clamp(0.0, columns - 1.0), y.clamp(0.0, rows - 1.0)]),
                Outside::Mirror => Some([mirrored(x, columns), mirrored(y, rows)]),
                Outside::Repeat => Some([x.rem_euclid(columns), y.rem_euclid(rows)]),
                _ => ((0.0..=columns - 1.0).contains(&x) && (0.0..=rows - 1.0).contains(&y)).then_some([x, y]),
            };
            let found = values(&cpu(), &noise, &positions.iter().map(|&at| world(at)).collect::<Vec<_>>());
            for (&at, found) in positions.iter().zip(found) {
                let expected = inside(at).map_or(0.5, |at| values(&cpu(), &noise, &[world(at)])[0]);
                assert!((found - expected).abs() < 2e-5, "{sampling} {outside} at {at:?}: {found} for {expected}");
            }
        }
    }
}

#[test]
fn a_smooth_one_has_no_creases() {
    // Across sample lines, values, slopes and their changes are the same from both sides.
    for outside in [Outside::Repeat, Outside::Mirror, Outside::Clamp] {
        let noise = Noise::raster(base(Sampling::Cubic, outside));
        let engine = oracle();
        let slope = |x: f64| {
            let sample = engine.sample(&noise, &[[x, 3.3, 0.0]], Gradient::With).expect("a sample")[0];
            sample.gradient.expect("a gradient")[0]
        };
        for column in 1..12 {
            let (x, h) = (-40.0 + 8.0 * f64::from(column), 1e-3);
            let curvatures = [(slope(x) - slope(x - h)) / h, (slope(x + h) - slope(x)) / h];
            assert!((curvatures[0] - curvatures[1]).abs() < 2e-4, "{outside}, column {column}: {curvatures:?}");
        }
    }
}

#[test]
fn it_is_exact_at_any_distance() {
    for outside in [Outside::Repeat, Outside::Mirror] {
        let noise = Noise::raster(base(Sampling::Cubic, outside));
        // Whole periods of both kinds away.
        let periods = f64::from(312 * 144) * 1e7;
        let (across, down) = (8.0 * periods, 4.0 * periods);
        let near: Vec<[f64; 3]> = (0..64).map(|i| [f64::from(i) * 2.5 - 60.0, f64::from(i % 7) * 3.25, 0.0]).collect();
        let far: Vec<[f64; 3]> = near.iter().map(|&[x, y, z]| [x + across, y + down, z]).collect();
        assert_eq!(values(&cpu(), &noise, &near), values(&cpu(), &noise, &far), "{outside}");
        let tile = |x: i64| cpu().field(&noise, &Region::tile(x, 0, 64)).expect("a tile").values;
        assert_eq!(tile(0), tile(312 * 144 * 1_000_000), "{outside}");
    }
    let noise = Noise::raster(base(Sampling::Cubic, Outside::Clamp));
    let edge = values(&cpu(), &noise, &[[56.0, -15.0, 0.0], [-40.0, 17.0, 0.0]]);
    for far in [1e6, 4e9, 1e10, 1e12, 1e15] {
        assert_eq!(values(&cpu(), &noise, &[[far, -far, 0.0], [-far, far, 0.0]]), edge, "{far:e}");
    }
    // A region from the one side to the other, and one far out, from which 32 bits would come back.
    let wide = cpu().field(&noise, &Region { spacing: 1e6, ..Region::tile(0, -1, 64) }).expect("wide");
    assert_eq!(wide.values[63], edge[0]);
    let out = cpu().field(&noise, &Region::tile((8 << 32) / 64, 0, 64)).expect("2³² samples out");
    for (y, row) in out.values.chunks(64).enumerate() {
        let beyond = values(&cpu(), &noise, &[[56.0, y as f64, 0.0]]);
        assert!(row.iter().all(|value| *value == beyond[0]), "row {y}: {row:?} are not all {beyond:?}");
    }
    // Half of what a warp may move it by, from where the integers would end.
    let moved = noise.clone().warp([Noise::constant(3.9e9), Noise::constant(0.0), Noise::constant(0.0)], 1.0);
    let wide = Region { spacing: 65_536.0 * 1024.0, origin: [127, 0, 0], ..Region::plane(120, 1) };
    let far = cpu().field(&moved, &wide).expect("wide").values;
    let right = values(&cpu(), &noise, &[[1e12, 0.0, 0.0]]);
    assert!(far.iter().all(|value| *value == right[0]), "{far:?} are not all {right:?}");
    let error = cpu().field(&noise, &Region { spacing: 1e9, ..Region::tile(0, 0, 64) }).expect_err("too wide");
    assert!(error.to_string().contains("node 'raster'") && error.to_string().contains("per region"), "{error}");
}

#[test]
fn levels_and_tiles_share_samples() {
    let noise = Noise::raster(base(Sampling::Cubic, Outside::Mirror)).add(Noise::raster(base(Sampling::Linear, Outside::Repeat)));
    let fine = cpu().field(&noise, &Region::plane(128, 128)).expect("fine");
    let coarse = cpu().field(&noise, &Region { level: 2, ..Region::plane(32, 32) }).expect("coarse");
    for (i, value) in coarse.values.iter().enumerate() {
        assert_eq!(*value, fine.values[(i / 32) * 4 * 128 + (i % 32) * 4], "sample {i}");
    }
    let right = cpu().field(&noise, &Region::tile(1, 1, 64)).expect("a tile");
    assert!((0..64).all(|row| right.values[row * 64..][..64] == fine.values[(64 + row) * 128 + 64..][..64]));
}

#[test]
fn what_an_engine_computed_is_sampled_anywhere() {
    let hills = Noise::simplex(Default::default());
    let field = cpu().field(&hills, &Region::plane(64, 64)).expect("a field");
    let copy = Noise::raster(Raster { heights: Heights::from_field(&field).expect("heights"), ..Default::default() });
    let again = cpu().field(&copy, &Region::plane(64, 64)).expect("a field");
    let worst = field.values.iter().zip(&again.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-6, "{worst}");
    let deep = cpu().field(&hills, &Region { size: [4, 4, 2], ..Region::plane(4, 4) }).expect("a field");
    assert!(matches!(Heights::from_field(&deep), Err(HeightsError::Format(_))));
}

/// A file: its name, its bytes, columns and rows, and what it holds.
type File = (&'static str, Vec<u8>, [u32; 2], Vec<f32>);

/// Files of one ramp.
fn files() -> Vec<File> {
    let steps: Vec<u16> = (0..12).map(|i| i * 5000).collect();
    let words: Vec<u8> = steps.iter().flat_map(|step| step.to_le_bytes()).collect();
    let units: Vec<f32> = steps.iter().map(|&step| (f64::from(step) / 65535.0) as f32).collect();
    let floats: Vec<f32> = steps.iter().map(|&step| f32::from(step) * 0.25 - 7.0).collect();
    let bytes: Vec<u8> = floats.iter().flat_map(|x| x.to_le_bytes()).collect();
    let array = |word: &str, data: &[u8]| {
        let mut header = format!("{{'descr': '{word}', 'fortran_order': False, 'shape': (3, 4), }}");
        header.push_str(&" ".repeat(117 - header.len()));
        header.push('\n');
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(data);
        file
    };
    let mut png = Vec::new();
    let picture = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(4, 3, steps.clone()).expect("a picture");
    picture.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).expect("PNG");
    let doubles: Vec<u8> = floats.iter().flat_map(|&x| f64::from(x).to_le_bytes()).collect();
    vec![
        ("a.png", png, [4, 3], units.clone()),
        ("a.npy", array("<u2", &words), [4, 3], units.clone()),
        ("b.npy", array("<f4", &bytes), [4, 3], floats.clone()),
        ("c.npy", array("<f8", &doubles), [4, 3], floats.clone()),
        ("A.R16", words[..18].to_vec(), [3, 3], units[..9].to_vec()),
        ("a.r32", bytes[..36].to_vec(), [3, 3], floats[..9].to_vec()),
    ]
}

#[test]
fn files_hold_what_their_formats_say() {
    for (name, bytes, size, expected) in files() {
        let heights = Heights::from_bytes(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((heights.size(), heights.values()), (Some(size), Some(&expected[..])), "{name}");
        // A truncated file is refused without a panic.
        for end in 0..bytes.len() {
            let cut = Heights::from_bytes(name, &bytes[..end]);
            let whole = |cut: &Heights| cut.values() == Some(&expected[..]);
            let square = name.ends_with("R16") || name.ends_with("r32");
            assert!(cut.is_err() || square || cut.is_ok_and(|cut| whole(&cut)), "{name}: {end} bytes of {}", bytes.len());
        }
    }
    for (name, bytes, says) in [
        ("a.r16", vec![0; 10], "are not a square"),
        ("a.r32", vec![0; 0], "are not a square"),
        ("a.r32", f32::INFINITY.to_le_bytes().to_vec(), "finite"),
        ("a.r32", 1e16f32.to_le_bytes().to_vec(), "1e15"),
        ("a.bmp", vec![0; 10], "allowed: npy, r16, r32, raw, hgt, asc, png, jpg, jpeg, exr, tif, tiff"),
        ("a", vec![], "no known format"),
    ] {
        let error = Heights::from_bytes(name, &bytes).expect_err(name).to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
    assert!(matches!(Heights::new(vec![0.0; 5], [2, 2]), Err(HeightsError::Size { .. })));
    assert!(matches!(Heights::new(vec![0.0; 20_000], [20_000, 1]), Err(HeightsError::Size { .. })));
    assert!(matches!(Heights::new(vec![0.0, f32::INFINITY], [2, 1]), Err(HeightsError::Value { column: 1, row: 0, .. })));
}

/// Files written by the command are read back: OpenEXR, NumPy arrays and raw numbers bit for bit.
#[test]
fn what_a_bake_writes_comes_in_again() {
    let scratch = Scratch::new("raster-again");
    let hills = root().join("recipes/hills.toml").display().to_string();
    let hills = hills.as_str();
    let path = |name: &str| scratch.0.join(name).display().to_string();
    for format in ["exr", "npy", "r32", "png16", "r16"] {
        let out = path(format);
        let baked =
            run(&["bake", hills, "--out", &out, "--tile", "64", "--tiles", "0..1,0..1", "--format", format, "--backend", "cpu"], "");
        assert!(baked.status.success(), "{}", text(&baked.stderr));
        let ending = format.trim_end_matches("16");
        let ending = if format == "r16" { "r16" } else { ending };
        let heights = Heights::read(scratch.0.join(format).join(format!("x0_y0.{ending}"))).expect(format);
        let manifest: serde_json::Value =
            serde_json::from_slice(&std::fs::read(scratch.0.join(format).join("manifest.json")).expect("a manifest")).expect("JSON");
        let noise = Recipe::load(hills).expect("hills").noise().expect("a noise");
        let field = cpu().field(&noise, &Region::tile(0, 0, 64)).expect("a tile");
        let values = heights.values().expect("read");
        if matches!(format, "png16" | "r16") {
            let range =
                manifest.pointer("/products/0/range").or_else(|| manifest.pointer("/layers/0/range")).unwrap_or(&serde_json::Value::Null);
            let (lo, hi) = (range["lo"].as_f64().unwrap_or(f64::NAN), range["hi"].as_f64().unwrap_or(f64::NAN));
            let worst =
                values.iter().zip(&field.values).map(|(v, h)| (lo + (hi - lo) * f64::from(*v) - f64::from(*h)).abs()).fold(0.0, f64::max);
            assert!(worst <= 0.51 * (hi - lo) / 65535.0, "{format}: {worst}, {manifest}");
        } else {
            assert_eq!(values, &field.values[..], "{format}");
        }
    }
}

fn recipe_text(extra: &str) -> String {
    format!(
        "output = 'scan'\n[node.scan]\nkind = 'raster'\nheights = 'scan.r32'\nspacing = [10.0, 10.0]\n{extra}\n[bake]\ntile = 32\ntiles = [2, 2]\n"
    )
}

fn written(scratch: &Scratch, name: &str, bytes: &[u8]) {
    std::fs::File::create(scratch.0.join(name)).and_then(|mut file| file.write_all(bytes)).expect("written");
}

fn scan(seed: u32) -> Vec<u8> {
    (0..25u32).flat_map(|i| (((i * 7 + seed) % 11) as f32).to_le_bytes()).collect()
}

#[test]
fn a_recipe_reads_the_files_beside_it_and_knows_them_again() {
    let scratch = Scratch::new("raster-recipe");
    let path = scratch.0.join("scan.toml");
    written(&scratch, "scan.toml", recipe_text("").as_bytes());
    let error = Recipe::load(&path).expect_err("no file").to_string();
    assert!(
        error.contains("scan.toml:4") && error.contains("node 'scan': heights = \"scan.r32\"") && error.contains("file of heights"),
        "{error}"
    );
    written(&scratch, "scan.r32", &scan(1));
    let recipe = Recipe::load(&path).expect("a recipe");
    // As text it has the file's hash, with which another file is refused.
    let pinned = recipe.to_toml().expect("TOML");
    assert!(pinned.contains("sha256 = \""), "{pinned}");
    written(&scratch, "pinned.toml", pinned.as_bytes());
    assert_eq!(Recipe::load(scratch.0.join("pinned.toml")).expect("the same"), recipe);
    written(&scratch, "scan.r32", &scan(2));
    let error = Recipe::load(scratch.0.join("pinned.toml")).expect_err("another file").to_string();
    assert!(error.contains("sha256") && error.contains("has changed"), "{error}");
    assert!(Recipe::load(&path).is_ok());
    // A recipe read from text has no files: evaluation reports that, checking does not.
    let unread = Recipe::from_toml(&recipe_text(""), "text").expect("a recipe");
    let error = cpu().field(&unread.noise().expect("a noise"), &Region::plane(4, 4)).expect_err("not read").to_string();
    assert!(error.contains("node 'scan': heights = \"scan.r32\"") && error.contains("read without its files"), "{error}");
    for (extra, says) in
        [("sha256 = 'abc'", "64 hexadecimal digits"), ("sampling = 'bicubic'", "nearest, linear, cubic"), ("fill = inf", "fill")]
    {
        let error = Recipe::from_toml(&recipe_text(extra), "text").expect_err(extra).to_string();
        assert!(error.contains("node 'scan'") && error.contains(says), "{extra}: {error}");
    }
    let error = Recipe::from_toml(&recipe_text("").replace("10.0, 10.0", "0.0, 10.0"), "text").expect_err("no spacing").to_string();
    assert!(error.contains("spacing") && error.contains("1e-9"), "{error}");
}

#[test]
fn worlds_are_baked_of_files_and_shards_need_none() {
    let scratch = Scratch::new("raster-world");
    written(&scratch, "scan.toml", recipe_text("").as_bytes());
    written(&scratch, "scan.r32", &scan(3));
    let path = |name: &str| scratch.0.join(name).display().to_string();
    let done = |args: &[&str]| {
        let output = run(args, "");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let (recipe, one, many) = (path("scan.toml"), path("one"), path("many"));
    let flags = ["--backend", "cpu", "--format", "npy"];
    done(&[&["bake", &recipe, "--out", &one][..], &flags].concat());
    let again = done(&[&["bake", &recipe, "--out", &one][..], &flags].concat());
    assert!(again.contains("0 tiles written"), "{again}");
    done(&[&["plan", &recipe, "--out", &many, "--shards", "2"][..], &flags].concat());
    // Another machine has the world and not the file.
    std::fs::remove_file(scratch.0.join("scan.r32")).expect("removed");
    for shard in ["0/2", "1/2"] {
        done(&["bake", &many, "--shard", shard, "--backend", "cpu"]);
    }
    done(&["seal", &many]);
    done(&["check", &many]);
    written(&scratch, "many/files/foreign.npy", b"?");
    let output = run(&["check", &many], "");
    assert!(output.status.code() == Some(4) && text(&output.stdout).contains("foreign: files/foreign.npy"), "{}", text(&output.stdout));
    let tile = |folder: &str, name: &str| std::fs::read(scratch.0.join(folder).join(name)).expect(name);
    for name in ["x0_y0.npy", "x1_y1.npy"] {
        assert_eq!(tile("one", name), tile("many/tiles/0_0/0_0", name), "{name}");
    }
    // Another file is another world.
    written(&scratch, "scan.r32", &scan(4));
    let output = run(&[&["bake", &recipe, "--out", &one][..], &flags].concat(), "");
    assert!(!output.status.success() && text(&output.stderr).contains("recipe"), "{}", text(&output.stderr));
}

#[test]
fn it_is_a_stage_input_like_any_noise() {
    let noise = Noise::raster(base(Sampling::Cubic, Outside::Mirror)).named("scan");
    let pipeline = Pipeline::from(noise).then(orogen::stage::Thermal { iterations: 4, ..Default::default() });
    let [left, wide] =
        [Region::plane(32, 32), Region::plane(64, 32)].map(|region| cpu().layers(&pipeline, &["thermal"], &region).expect("layers"));
    assert_eq!(left[0].values[..32], wide[0].values[..32]);
}

#[test]
fn large_ones_are_bound_or_refused() {
    let edge = 1024;
    let noise = Noise::raster(Raster { heights: heights(edge, edge), ..Default::default() });
    let error = orogen::export::export(&noise, &Default::default()).expect_err("as text").to_string();
    assert!(error.contains("1048576") && error.contains("buffer"), "{error}");
    let options = orogen::export::ExportOptions { storage: orogen::export::Storage::Buffer, ..Default::default() };
    let exported = orogen::export::export(&noise, &options).expect("as a buffer");
    let table = exported.tables.iter().find(|table| table.name.ends_with("heights")).expect("a binding");
    assert_eq!(table.words.len(), 1024 * 1024);
}

/// A recipe's heights from memory become files that it pins; the name of a file stays where it leads to the same bytes.
#[test]
fn a_recipe_is_saved_with_its_heights() {
    let (scratch, other) = (Scratch::new("saved-heights"), Scratch::new("saved-heights-elsewhere"));
    let heights = Heights::new((0..12_u8).map(f32::from).collect(), [4, 3]).expect("heights");
    let raster = |heights: &Heights| Noise::raster(Raster { heights: heights.clone(), ..Raster::default() });
    let recipe = Recipe::new(raster(&heights).add(raster(&heights)));
    let Saved { recipe: saved, files } = recipe.to_save(&scratch.0);
    let [(name, bytes)] = &files[..] else { panic!("one array for both nodes, not {}", files.len()) };
    written(&scratch, name, bytes);
    written(&scratch, "a.toml", saved.to_toml().expect("a recipe").as_bytes());
    let loaded = Recipe::load(scratch.0.join("a.toml")).expect("the recipe and its array");
    assert_eq!(loaded, saved);
    let bits = |recipe: &Recipe| Engine::new().expect("an engine").field(&recipe.noise().expect("a noise"), &Region::plane(9, 9));
    assert_eq!(bits(&loaded).expect("a field").values, bits(&recipe).expect("a field").values);
    // Existing files are not written again, unless they are in another folder or have other bytes.
    assert!(loaded.to_save(&scratch.0).files.is_empty() && recipe.to_save(&scratch.0).files.is_empty());
    assert_eq!(loaded.to_save(&other.0).files.len(), 1);
    let mut changed = bytes.clone();
    changed.pop();
    written(&scratch, name, &changed);
    assert_eq!(loaded.to_save(&scratch.0).files.len(), 1);
    // Without a hash before, and what was never read.
    let text = "output = 'a'\n[node.a]\nkind = 'raster'\nheights = 'no.npy'\n";
    let unread = Recipe::from_toml(text, "a.toml").expect("a recipe");
    assert_eq!(unread.to_save(&scratch.0), Saved { recipe: unread, files: Vec::new() });
}
