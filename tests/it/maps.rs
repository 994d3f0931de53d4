//! Maps, read by the formulas that their specifications give, written here once more: heights, places and levels come out of the files.

use crate::support::{RECIPE, Scratch, expect, path, run, text};
use image::RgbImage;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Hills from below the sea to above it, and their slopes as colours; four tiles around a corner of the world.
const HILLS: &str = r#"output = "hills"
[node.s]
kind = "simplex"
wavelength = 150.0
[node.n]
kind = "fractal"
of = "s"
[node.hills]
kind = "scale_offset"
of = "n"
scale = 80.0
offset = 35.0
[stage.normals]
kind = "normal"
of = "hills"
[stage.worn]
kind = "thermal"
of = "hills"
iterations = 4
[bake]
tile = 256
tiles = [2, 2]
spacing = 30.0
"#;

/// A map, and the heights that it is of: `[y][x]` over the tiles -1 to 1.
struct Mapped {
    _scratch: Scratch,
    recipe: PathBuf,
    out: PathBuf,
}

const TILES: &str = "-1..1,0..2";
const EDGE: usize = 512;

impl Mapped {
    fn new(name: &str, flags: &[&str]) -> Self {
        let scratch = Scratch::new(&format!("map-{name}"));
        let recipe = scratch.file("r.toml", HILLS);
        let out = scratch.0.join("out");
        let mapped = Mapped { _scratch: scratch, recipe, out };
        expect(&mapped.bake(flags), 0, &[]);
        mapped
    }

    fn bake(&self, flags: &[&str]) -> std::process::Output {
        let args = ["bake", path(&self.recipe), "--out", path(&self.out), "--backend", "cpu", "--tiles", TILES];
        run(&[&args, flags].concat(), "")
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.out.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_slice(&self.read(file)).expect("JSON")
    }

    fn png(&self, file: &str) -> RgbImage {
        image::load_from_memory(&self.read(file)).expect("a picture").into_rgb8()
    }

    /// The samples of `--format npy`, the smallest y first.
    fn heights(&self, layer: &str) -> Vec<Vec<f32>> {
        let out = self.out.with_file_name(format!("npy-{layer}"));
        let args =
            ["bake", path(&self.recipe), "--out", path(&out), "--backend", "cpu", "--tiles", TILES, "--format", "npy", "--layers", layer];
        expect(&run(&args, ""), 0, &[]);
        let mut all = vec![vec![0.0; EDGE]; EDGE];
        for (tx, ty) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let bytes = std::fs::read(out.join(format!("x{}_y{ty}.npy", tx as i64 - 1))).expect("npy");
            let values =
                bytes[bytes.len() - 256 * 256 * 4..].chunks(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            for (i, value) in values.enumerate() {
                all[ty * 256 + i / 256][tx * 256 + i % 256] = value;
            }
        }
        all
    }
}

/// Tilezen's documentation of Terrarium.
fn terrarium([r, g, b]: [u8; 3]) -> f64 {
    f64::from(r) * 256.0 + f64::from(g) + f64::from(b) / 256.0 - 32768.0
}

/// Mapbox's documentation of Terrain-RGB.
fn mapbox([r, g, b]: [u8; 3]) -> f64 {
    -10000.0 + (f64::from(r) * 256.0 * 256.0 + f64::from(g) * 256.0 + f64::from(b)) * 0.1
}

#[test]
fn every_pixel_of_every_zoom_is_a_sample_within_half_a_step() {
    type Case<'a> = (&'a str, fn([u8; 3]) -> f64, f64, &'a [&'a str]);
    let cases: [Case; 3] = [
        ("terrarium", terrarium, 1.0 / 256.0, &[]),
        ("mapbox-rgb", mapbox, 0.1, &[]),
        ("terrarium", terrarium, 1.0 / 256.0, &["--origin", "-71.3,45.98", "--tile-format", "webp"]),
    ];
    for (format, decode, step, flags) in cases {
        let mapped = Mapped::new(format, &[&["--format", format], flags].concat());
        let picture = if flags.is_empty() { "png" } else { "webp" };
        let world = mapped.heights("hills");
        let lowest = f64::from(world.iter().flatten().copied().fold(f32::INFINITY, f32::min));
        let json = mapped.json("tiles.json");
        let (shallowest, deepest) = (json["minzoom"].as_u64().expect("minzoom"), json["maxzoom"].as_u64().expect("maxzoom"));
        // 2π · 6378137 m around the equator, in pixels of 30 m: zoom 12.35.
        assert_eq!((shallowest, deepest), (9, 12));
        assert_eq!(json["tilejson"], "3.0.0");
        assert_eq!(json["format"], picture);
        // The stated origin, in pixels of the deepest zoom. It is near the requested place, at a whole number of pixels of the
        // shallowest zoom.
        let origin: [f64; 2] = std::array::from_fn(|axis| json["orogen"]["origin"][axis].as_f64().expect("degrees"));
        let around = 256.0 * f64::from(1 << deepest);
        let shift =
            [origin[0] / 360.0, (45.0 + origin[1] / 2.0).to_radians().tan().ln() / std::f64::consts::TAU].map(|turns| turns * around);
        assert!(shift.iter().all(|at| (at - at.round()).abs() < 1e-5 && at.round() as i64 % 8 == 0), "{shift:?}");
        let shift = shift.map(|at| at.round() as i64);
        if !flags.is_empty() {
            assert!((origin[0] + 71.3).abs() < 8.0 / around * 180.0 && (origin[1] - 45.98).abs() < 8.0 / around * 180.0, "{origin:?}");
            // A circle of latitude is shorter than the equator.
            let stretch = 40_075_016.685_578_49 * 45.98_f64.to_radians().cos() / (around * 30.0);
            assert!((json["orogen"]["stretch"].as_f64().expect("a number") - stretch).abs() < 1e-9);
        }
        assert_eq!(json["encoding"], if format == "terrarium" { "terrarium" } else { "mapbox" });
        let mut seen = 0;
        for zoom in shallowest..=deepest {
            let stride = 1_i64 << (deepest - zoom);
            let middle = 128_i64 << zoom;
            for x in std::fs::read_dir(mapped.out.join(format!("tiles/{zoom}"))).expect("columns").flatten() {
                let column: i64 = text(x.file_name().as_encoded_bytes()).parse().expect("a number");
                for y in std::fs::read_dir(x.path()).expect("rows").flatten() {
                    let row: i64 =
                        text(y.file_name().as_encoded_bytes()).trim_end_matches(&format!(".{picture}")).parse().expect("a number");
                    let png = mapped.png(&format!("tiles/{zoom}/{column}/{row}.{picture}"));
                    assert_eq!(png.dimensions(), (256, 256));
                    for (px, py, pixel) in png.enumerate_pixels() {
                        // East and north of the middle, in samples; the world lies from -256 to 256 and from 0 to 512.
                        let east = (column * 256 + i64::from(px) - middle) * stride - shift[0] + 256;
                        let north = (middle - 1 - row * 256 - i64::from(py)) * stride - shift[1];
                        if (0..512).contains(&east) && (0..512).contains(&north) {
                            let height = f64::from(world[north as usize][east as usize]);
                            let found = decode(pixel.0);
                            assert!((found - height).abs() <= step / 2.0 + 1e-9, "{zoom}/{column}/{row} {px},{py}: {found}, not {height}");
                            seen += 1;
                        } else {
                            assert!((decode(pixel.0) - lowest).abs() <= step / 2.0 + 1e-9, "{zoom}/{column}/{row} {px},{py}");
                        }
                    }
                }
            }
        }
        assert_eq!(seen, 512 * 512 + 256 * 256 + 128 * 128 + 64 * 64);
    }
}

#[test]
fn levels_are_true_ones_after_stages_too() {
    let mapped = Mapped::new("levels", &["--format", "terrarium", "--layers", "worn,normals", "--relief", "--pixels", "512"]);
    let (deepest, shallowest) = (mapped.json("tiles.json")["maxzoom"].as_u64(), mapped.json("tiles.json")["minzoom"].as_u64());
    assert_eq!((shallowest, deepest), (Some(9), Some(11)));
    // 512 pixels on either side of the meridian.
    let (west, east) = (mapped.png("tiles/11/1023/1023.png"), mapped.png("tiles/11/1024/1023.png"));
    let world = mapped.heights("worn");
    for (i, row) in world.iter().enumerate() {
        let y = 511 - i as u32;
        assert!((terrarium(west.get_pixel(256, y).0) - f64::from(row[0])).abs() <= 0.5 / 256.0 + 1e-9);
        assert!((terrarium(east.get_pixel(0, y).0) - f64::from(row[256])).abs() <= 0.5 / 256.0 + 1e-9);
    }
    for name in ["tiles.relief", "tiles.normals"] {
        assert_eq!(mapped.json(&format!("{name}.json"))["tiles"][0], format!("{name}/{{z}}/{{x}}/{{y}}.png"));
        let drawn = image::load_from_memory(&mapped.read(&format!("{name}/11/1023/1023.png"))).expect("PNG").into_rgba8();
        // The world begins in the middle of the tile; what lies beyond it is clear.
        assert_eq!((drawn.get_pixel(255, 300).0[3], drawn.get_pixel(256, 300).0[3]), (0, 255));
    }
    let mapped = Mapped::new("zooms", &["--format", "terrarium", "--zoom", "14"]);
    assert_eq!(mapped.json("tiles.json")["minzoom"], 11);
    let (coarse, fine) = (mapped.png("tiles/13/4096/4095.png"), mapped.png("tiles/14/8192/8191.png"));
    for (x, y) in (0..128).flat_map(|y| (0..128).map(move |x| (x, y))) {
        // South-west of four pixels.
        assert_eq!(coarse.get_pixel(x, 128 + y), fine.get_pixel(2 * x, 2 * y + 1));
    }
}

#[test]
fn a_map_is_whole_or_made_anew_and_touches_nothing_else() {
    let mapped = Mapped::new("whole", &["--format", "terrarium"]);
    let flags = ["--format", "terrarium"];
    let check = || run(&["check", path(&mapped.out), "--backend", "cpu", "--recompute", "1"], "");
    expect(&check(), 0, &[]);
    assert!(text(&mapped.bake(&flags).stdout).contains("there already, whole"));
    let (tile, before) = ("tiles/12/2048/2047.png", mapped.read("tiles/12/2048/2047.png"));
    std::fs::write(mapped.out.join(tile), b"damaged").expect("write");
    expect(&check(), 4, &[]);
    assert!(text(&mapped.bake(&flags).stdout).contains("written"));
    assert_eq!(mapped.read(tile), before);
    expect(&check(), 0, &[]);
    // Of another map, and of a bake, the folder is not.
    expect(&mapped.bake(&["--format", "mapbox-rgb"]), 2, &["the map differs"]);
    expect(&mapped.bake(&["--format", "png16"]), 2, &["holds a map"]);
    expect(&check(), 0, &[]);
    // Files of others stay.
    let own = mapped.out.join("tiles/12/mine.txt");
    std::fs::write(&own, "mine").expect("write");
    std::fs::remove_file(mapped.out.join(tile)).expect("remove");
    expect(&mapped.bake(&flags), 2, &["mine.txt"]);
    assert!(own.exists());
    // The remains of a killed process do not prevent a new map.
    std::fs::remove_file(own).expect("remove");
    std::fs::create_dir_all(mapped.out.join(".orogen.map.partial/levels")).expect("dir");
    std::fs::write(mapped.out.join(".orogen.map.partial/levels/level-0-1"), "half").expect("write");
    expect(&mapped.bake(&flags), 0, &[]);
    assert_eq!(mapped.read(tile), before);
    expect(&check(), 0, &[]);
    assert!(!mapped.out.join(".orogen.map.partial").exists());
}

#[test]
fn what_a_map_cannot_hold_is_refused_and_nothing_is_written() {
    let scratch = Scratch::new("map-refused");
    let recipe = scratch.file("r.toml", HILLS);
    let high = scratch.file("high.toml", &HILLS.replace("scale = 80.0", "scale = 60000.0"));
    let normals = scratch.file("normals.toml", &HILLS.replace("output = \"hills\"", "output = \"normals\""));
    let out = scratch.0.join("out");
    let thin = scratch.file("thin.toml", &HILLS.replace("tile = ", "tile = 1 # "));
    let cases: [(&Path, &[&str], i32, &str); 21] = [
        (&high, &["--format", "terrarium"], 2, "-32768 to 32767.996"),
        (&high, &["--format", "mapbox-rgb"], 2, "-10000 to"),
        (&normals, &["--format", "terrarium"], 2, "heights first"),
        (&recipe, &["--format", "terrarium", "--pixels", "300"], 2, "256, 512"),
        (&recipe, &["--format", "terrarium", "--zoom", "25"], 2, "2 to 24"),
        (&recipe, &["--format", "terrarium", "--tiles", "0..1,9000000..9000001"], 2, "zoom"),
        (&recipe, &["--format", "terrarium", "--overlap", "1"], 2, "overlap"),
        (&recipe, &["--format", "terrarium", "--range", "0,1"], 2, "--range"),
        (&recipe, &["--format", "terrarium", "--crs", "EPSG:3857"], 2, "--crs"),
        (&recipe, &["--format", "terrarium", "--origin", "181,0"], 2, "degrees east from -180 to 180"),
        (&recipe, &["--format", "terrarium", "--origin", "179.99,0", "--zoom", "12"], 2, "17 to 24, where the world lies"),
        (&recipe, &["--format", "cog", "--tile-format", "webp"], 2, "--tile-format"),
        (&recipe, &["--format", "cog", "--relief"], 2, "--relief"),
        (&recipe, &["--format", "cog", "--crs", "EPSG:1"], 2, "EPSG:1"),
        (&recipe, &["--format", "cog", "--crs", "EPSG:4326"], 2, "not projected"),
        (&recipe, &["--format", "cog", "--pixels", "500"], 2, "multiples of 16"),
        (&recipe, &["--format", "cog", "--step", "0"], 2, "step = 0"),
        (&thin, &["--format", "glb", "--tiles", "0..1,0..64"], 2, "samples = 1"),
        (&recipe, &["--format", "png16", "--zoom", "3"], 2, "--zoom"),
        (&recipe, &["--format", "cog", "--for", "unity"], 2, "unity"),
        (&recipe, &["--format", "terrarium", "--layers", "hills,worn,worn"], 2, "different"),
    ];
    for (recipe, flags, code, part) in cases {
        let args = ["bake", path(recipe), "--out", path(&out), "--backend", "cpu"];
        expect(&run(&[&args, flags].concat(), ""), code, &[part]);
        assert!(!out.exists(), "{flags:?} has written something");
    }
    let planned = run(&["plan", path(&recipe), "--out", path(&out), "--shards", "2", "--format", "cog", "--backend", "cpu"], "");
    expect(&planned, 2, &["a map"]);
    assert!(!out.exists());
}

/// The fields of a TIFF directory by their tags, as *TIFF Revision 6.0* has them, and where the next one is.
fn directory(file: &[u8], at: usize) -> (Vec<(u16, Vec<f64>)>, usize) {
    let short = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
    let long = |at: usize| u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
    let count = usize::from(short(at));
    let entry = |i: usize| {
        let at = at + 2 + 12 * i;
        let (kind, count) = (short(at + 2), long(at + 4) as usize);
        let size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8][usize::from(kind)];
        let from = if size * count <= 4 { at + 8 } else { long(at + 8) as usize };
        let number = |k: usize| match kind {
            2 => f64::from(file[from + k]),
            3 => f64::from(short(from + 2 * k)),
            4 => f64::from(long(from + 4 * k)),
            12 => f64::from_le_bytes(file[from + 8 * k..from + 8 * k + 8].try_into().expect("8 bytes")),
            _ => panic!("type {kind}"),
        };
        (short(at), (0..count).map(number).collect())
    };
    ((0..count).map(entry).collect(), long(at + 2 + 12 * count) as usize)
}

fn of(fields: &[(u16, Vec<f64>)], tag: u16) -> &[f64] {
    fields.iter().find(|(found, _)| *found == tag).map_or(&[], |(_, values)| values)
}

/// The samples of a directory's tiles, the northernmost row first: inflated, and added up as Adobe's notes on predictors 2 and 3 say.
fn pixels(file: &[u8], fields: &[(u16, Vec<f64>)]) -> Vec<Vec<f64>> {
    use std::io::Read;
    let one = |tag| of(fields, tag)[0] as usize;
    let (width, height, edge, float) = (one(256), one(257), one(322), one(339) == 3);
    let mut all = vec![vec![0.0; width]; height];
    for (number, (offset, count)) in of(fields, 324).iter().zip(of(fields, 325)).enumerate() {
        let packed = &file[*offset as usize..(*offset + *count) as usize];
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(packed).read_to_end(&mut bytes).expect("zlib");
        let size = if float { 4 } else { 2 };
        assert_eq!(bytes.len(), edge * edge * size);
        let across = width.div_ceil(edge);
        for (y, row) in bytes.chunks(edge * size).enumerate() {
            let mut sum = 0_u8;
            let planes: Vec<u8> = row
                .iter()
                .map(|byte| {
                    sum = sum.wrapping_add(*byte);
                    sum
                })
                .collect();
            let mut word = 0_u16;
            for x in 0..edge {
                let value = if float {
                    f64::from(f32::from_be_bytes([0, 1, 2, 3].map(|plane| planes[plane * edge + x])))
                } else {
                    word = word.wrapping_add(u16::from_le_bytes([row[2 * x], row[2 * x + 1]]));
                    f64::from(word)
                };
                let (px, py) = (number % across * edge + x, number / across * edge + y);
                if px < width && py < height {
                    all[py][px] = value;
                }
            }
        }
    }
    all
}

#[test]
fn geotiffs_hold_the_samples_bit_for_bit_with_true_overviews_before_them() {
    let place = ["--crs", "EPSG:25832", "--origin", "500000,5200000", "--step", "10", "--pixels", "128"];
    for format in ["cog", "cog16"] {
        let mapped = Mapped::new(format, &[&["--format", format][..], &place].concat());
        let world = mapped.heights("hills");
        let file = mapped.read("world.tif");
        assert_eq!(file[..4], [b'I', b'I', 42, 0]);
        let (mut at, mut directories) = (u32::from_le_bytes([file[4], file[5], file[6], file[7]]) as usize, Vec::new());
        while at != 0 {
            let (fields, next) = directory(&file, at);
            assert!(fields.windows(2).all(|two| two[0].0 < two[1].0), "tags in order");
            assert!(next == 0 || next > at);
            directories.push(fields);
            at = next;
        }
        // 512, 256 and 128 samples: the pixels of small ones come first.
        assert_eq!(directories.len(), 3);
        assert!(directories.windows(2).all(|two| of(&two[0], 324)[0] > of(&two[1], 324)[0]));
        let main = &directories[0];
        // The world's lowest x is -256, its highest y 511; the middle of a pixel is its sample's place.
        assert_eq!(of(main, 33550), [10.0, 10.0, 0.0]);
        assert_eq!(of(main, 33922), [0.0, 0.0, 0.0, 500000.0 - 2560.0, 5200000.0 + 5110.0, 0.0]);
        assert_eq!(of(main, 34735)[..16], [1.0, 1.0, 0.0, 3.0, 1024.0, 0.0, 1.0, 1.0, 1025.0, 0.0, 1.0, 2.0, 3072.0, 0.0, 1.0, 25832.0]);
        let (lo, scale) = if format == "cog16" {
            let xml: String = of(main, 42112).iter().map(|&byte| byte as u8 as char).collect();
            let number = |role: &str| {
                let after = xml.split(&format!("role=\"{role}\">")).nth(1).expect(role);
                after.split('<').next().expect("a number").parse::<f64>().expect("a number")
            };
            (number("offset"), number("scale"))
        } else {
            (0.0, 1.0)
        };
        for (level, fields) in directories.iter().enumerate() {
            let found = pixels(&file, fields);
            assert_eq!((found.len(), found[0].len()), (EDGE >> level, EDGE >> level));
            for (y, row) in found.iter().rev().enumerate() {
                for (x, value) in row.iter().enumerate() {
                    let height = f64::from(world[y << level][x << level]);
                    let off = (lo + scale * value - height).abs();
                    let allowed = if format == "cog16" { scale / 2.0 + 1e-9 } else { 0.0 };
                    assert!(off <= allowed, "level {level}, {x} {y}: {value}, not {height}");
                }
            }
        }
    }
}

/// Out of tiles of another format; `arrays` has worlds that are baked as arrays.
#[test]
#[cfg(feature = "zarr")]
fn zarr_arrays_hold_the_samples_bit_for_bit_on_every_level() {
    let mapped = Mapped::new("zarr", &["--format", "npy", "--layers", "normals,worn"]);
    let out = mapped.out.with_file_name("map");
    let map = |pixels: &str| run(&["map", path(&mapped.out), "--format", "zarr", "--pixels", pixels, "--out", path(&out)], "");
    expect(&map("64"), 0, &[]);
    let read = crate::arrays::Read::new(&crate::arrays::files(&out));
    let world = mapped.heights("worn");
    for level in 0..=3_usize {
        let edge = EDGE >> level;
        let (shape, values) = read.array::<f32>(&format!("/{level}/worn"));
        assert_eq!(shape, [edge as u64; 2]);
        let expected = |i: usize| world[(i / edge) << level][(i % edge) << level];
        let wrong: Vec<usize> = (0..edge * edge).filter(|&i| values[i].to_bits() != expected(i).to_bits()).collect();
        let first = wrong.first().map(|&i| (i, values[i], expected(i)));
        assert!(wrong.is_empty(), "level {level}: {} of {} differ, the first {first:?}", wrong.len(), values.len());
        let (shape, normals) = read.array::<f32>(&format!("/{level}/normals"));
        assert_eq!(shape, [edge as u64, edge as u64, 3]);
        let length = |n: &[f32]| n.iter().map(|x| x * x).sum::<f32>().sqrt();
        let first = normals.chunks(3).position(|n| (length(n) - 1.0).abs() > 1e-5);
        assert!(first.is_none(), "level {level}: {first:?} is {:?}", first.map(|i| &normals[3 * i..3 * i + 3]));
        // Tiles -1 and 0 along x, 0 and 1 along y, 30 units from sample to sample.
        for (axis, first) in [("x", -256.0 * 30.0), ("y", 0.0)] {
            let (_, found) = read.array::<f64>(&format!("/{level}/{axis}"));
            let step = f64::from(30 << level);
            assert!((0..edge).map(|i| first + i as f64 * step).eq(found), "{axis} of level {level}");
        }
    }
    assert!(read.open("/4/worn").is_none(), "the last level is one chunk");
    expect(&run(&["check", path(&out)], ""), 0, &[]);
    expect(&map("8"), 2, &["16 to 1024"]);
}

/// The same bytes for tiles of any origin.
#[test]
fn a_map_of_a_sealed_world_is_that_of_one_process() {
    let mapped = Mapped::new("of-one", &["--format", "cog", "--layers", "worn,normals"]);
    let (world, out) = (mapped.out.with_file_name("world"), mapped.out.with_file_name("of-shards"));
    let map = || run(&["map", path(&world), "--format", "cog", "--out", path(&out)], "");
    let plan = [
        "plan",
        path(&mapped.recipe),
        "--out",
        path(&world),
        "--shards",
        "3",
        "--tile",
        "128",
        "--tiles",
        "-2..2,0..4",
        "--backend",
        "cpu",
    ];
    expect(&run(&[&plan[..], &["--format", "npy", "--layers", "worn,normals"]].concat(), ""), 0, &[]);
    for shard in ["2/3", "0/3"] {
        expect(&run(&["bake", path(&world), "--shard", shard, "--backend", "cpu"], ""), 0, &[]);
    }
    expect(&map(), 74, &["orogen seal"]);
    expect(&run(&["bake", path(&world), "--shard", "1/3", "--backend", "cpu"], ""), 0, &[]);
    expect(&run(&["seal", path(&world)], ""), 0, &[]);
    assert!(!out.exists());
    expect(&map(), 0, &[]);
    for file in ["world.tif", "world.normals.tif"] {
        assert_eq!(std::fs::read(out.join(file)).expect("a map"), mapped.read(file), "{file}");
    }
    assert!(text(&map().stdout).contains("there already, whole"));
    expect(&run(&["check", path(&out)], ""), 0, &[]);
    // A part of it, and of a bake by one process.
    let part = mapped.out.with_file_name("part");
    let samples = mapped.out.join("samples");
    let args = ["map", path(&samples), "--format", "cog", "--tiles", "0..1,1..2", "--out", path(&part)];
    expect(&run(&args, ""), 0, &[]);
    assert!(part.join("world.tif").is_file() && !part.join("samples").exists());
    let nowhere = world.join("x");
    expect(&run(&["map", path(&part), "--format", "cog", "--out", path(&nowhere)], ""), 2, &["holds no bake"]);
}

#[test]
fn a_small_world_without_a_place_is_a_map_too() {
    let scratch = Scratch::new("map-small");
    let recipe = scratch.file("r.toml", RECIPE);
    for format in ["cog", "cog16", "terrarium"] {
        let out = scratch.0.join(format);
        let args =
            ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--tile", "7", "--tiles=-3..2,-1..1", "--format", format];
        expect(&run(&args, ""), 0, &[]);
        expect(&run(&["check", path(&out)], ""), 0, &[]);
    }
}
