//! Worlds as Zarr arrays: files written by shards are identical in any order, and are read back by the crate's own reader.
//! `python/tests/test_zarr.py` reads with zarr-python and xarray.

use crate::nodes;
use crate::support::{Random, Scratch, cpu, expect, path, run, text};
use orogen::bake::check::{Finding, Recompute, Wrong};
use orogen::bake::folder::{World, bake};
use orogen::bake::manifest::Product;
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Folder, Sealed, Store};
use orogen::bake::{BakeError, Format, Sharded, Tiles};
use orogen::stage::{Colour, ColourMap, Normal, Pipeline, Thermal};
use orogen::{Engine, Region};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use zarrs::array::Array;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits};

/// Files by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Every file in a folder of a store.
fn files_of(store: &dyn Store, folder: &str) -> Files {
    let mut all = Files::new();
    for name in store.names(folder).expect("names") {
        let name = format!("{folder}/{name}");
        match store.size(&name).expect("a size") {
            Some(_) => drop(all.insert(name.clone(), store.read(&name).expect("read").expect("there"))),
            None => all.extend(files_of(store, &name)),
        }
    }
    all
}

/// Every file of the arrays in a folder.
pub fn files(folder: &Path) -> Files {
    files_of(&Folder::new(folder), "world.zarr")
}

/// Those files, for the crate's reader.
pub struct Read(Arc<MemoryStore>);

impl Read {
    pub fn new(files: &Files) -> Self {
        let store = MemoryStore::new();
        for (name, bytes) in files {
            let key = StoreKey::new(name.strip_prefix("world.zarr/").expect("in the folder")).expect("a key");
            store.set(&key, bytes.clone().into()).expect("stored");
        }
        Read(Arc::new(store))
    }

    pub fn open(&self, name: &str) -> Option<Array<MemoryStore>> {
        Array::open(Arc::clone(&self.0), name).ok()
    }

    pub fn array<T: zarrs::array::ElementOwned>(&self, name: &str) -> (Vec<u64>, Vec<T>) {
        let array = self.open(name).unwrap_or_else(|| panic!("there is no {name}"));
        (array.shape().to_vec(), array.retrieve_array_subset_elements::<T>(&array.subset_all()).expect("elements"))
    }
}

/// Worn hills, their normals and colours: one, three and four channels, over tiles on both sides of 0.
fn world() -> (Pipeline, Plan, Vec<Product>) {
    let hills = nodes::of_kind("fractal").remove(0).scale_offset(40.0, 0.0);
    let worn = Pipeline::from(hills).named("worn", Thermal { iterations: 3, ..Default::default() });
    let normals = worn.named("normals", Normal::default());
    let colours = Colour { by: "worn".into(), map: Some(ColourMap::Viridis), range: [-40.0, 40.0], ..Default::default() };
    let pipeline = normals.named("colours", colours);
    let plan = Plan { tile: 16, tiles: Tiles { x: -3..4, y: -1..4 }, overlap: 0, level: 0, spacing: 4.0, z: 0.0 };
    let product = |layer: &str| Product { layer: layer.into(), format: Format::Zarr, range: None };
    (pipeline, plan, vec![product("worn"), product("normals"), product("colours")])
}

fn planned(store: Arc<dyn Store>, (pipeline, plan, products): &(Pipeline, Plan, Vec<Product>), shards: u32) -> Result<Sharded, BakeError> {
    Sharded::plan(store, &cpu(), &World::new(pipeline, plan, products), shards)
}

/// Baked in these orders of shards at once, sealed twice and checked, by this many threads: the result must not depend on the
/// order in which chunks finish.
fn baked(store: &Arc<dyn Store>, shards: u32, orders: &[Vec<u32>], threads: usize) -> Sealed {
    let sharded = planned(Arc::clone(store), &world(), shards).expect("a plan");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let bake = |order: &[u32]| order.iter().for_each(|&shard| assert!(sharded.bake(&cpu(), shard, &()).is_ok()));
    std::thread::scope(|scope| {
        for order in orders {
            scope.spawn(|| pool.install(|| bake(order)));
        }
    });
    let sealed = pool.install(|| sharded.seal(&())).expect("a whole world");
    assert_eq!(sharded.seal(&()).expect("sealed again"), sealed);
    let checked = sharded.check(Some(&Recompute { engine: &cpu(), share: 0.2, seed: 1 }), &()).expect("a check");
    assert_eq!((checked.findings, checked.unfinished), (Vec::new(), false));
    sealed
}

/// The world's samples, by the library.
fn samples(engine: &Engine) -> Vec<(&'static str, usize, Vec<f32>)> {
    let (pipeline, plan, _) = world();
    let [width, height] = plan.samples().map(|size| size as u32);
    let region = Region { size: [width, height, 1], ..plan.region((plan.tiles.x.start, plan.tiles.y.start)) };
    let names = ["worn", "normals", "colours"];
    let layers = engine.layers(&pipeline, &names, &region).expect("layers");
    names.into_iter().zip(layers).map(|(name, layer)| (name, layer.channels, layer.values)).collect()
}

#[test]
fn one_process_and_shards_in_any_order_twice_at_once_write_the_same_files() {
    let alone = Scratch::new("arrays-alone");
    let folder: Arc<dyn Store> = Arc::new(Folder::new(&alone.0));
    let expected = baked(&folder, 1, &[vec![0]], 1);
    // The bytes of every earlier release: a change of them is a change of the output, as one of frozen values is. Records hold `BITS`,
    // so this root changes with it.
    assert_eq!(expected.root, ROOT);
    let written = files(&alone.0);
    // 7 × 5 tiles; levels of 56 × 40, 28 × 20, 14 × 10, 7 × 5, 4 × 3 and 2 × 2 samples.
    assert_eq!(written.keys().filter(|name| name.contains("/worn/c/")).count(), 7 * 5 + 4 * 3 + 2 * 2 + 4);
    let mut random = Random(0x2a77);
    let scratch = Scratch::new("arrays-shards");
    let many: Arc<dyn Store> = Arc::new(Folder::new(&scratch.0));
    let mut order: Vec<u32> = (0..7).collect();
    for i in (1..7).rev() {
        order.swap(i, random.bits() as usize % (i + 1));
    }
    let backwards = order.iter().rev().copied().collect();
    let orders = [order, backwards];
    let found = baked(&many, 7, &orders, 8);
    assert_eq!((&found, found.tiles), (&expected, 35));
    let again = files(&scratch.0);
    assert!(written.keys().eq(again.keys()), "other files");
    let differs: Vec<&String> = written.iter().filter(|(name, bytes)| again[*name] != **bytes).map(|(name, _)| name).collect();
    assert!(differs.is_empty(), "{differs:?}");
    #[cfg(feature = "cloud")]
    {
        let memory = Arc::new(object_store::memory::InMemory::new());
        let bucket =
            orogen::bake::shard::Bucket::on(memory, object_store::path::Path::from("worlds/one"), "memory://worlds/one").expect("a bucket");
        let bucket: Arc<dyn Store> = Arc::new(bucket);
        assert_eq!(baked(&bucket, 7, &orders, 3), expected);
        assert!(files_of(&*bucket, "world.zarr") == written, "other files in object storage");
    }
}

/// The root hash of the world of these tests.
const ROOT: &str = "da21c8cd0fabaa1250b6a9b9e254567894b0501af92a6ecc022039a87fe4ad99";

#[test]
fn every_sample_of_every_level_is_the_librarys_bit_for_bit() {
    let scratch = Scratch::new("arrays-samples");
    let store: Arc<dyn Store> = Arc::new(Folder::new(&scratch.0));
    baked(&store, 3, &[vec![2, 0, 1]], 2);
    let read = Read::new(&files(&scratch.0));
    let [width, height] = world().1.samples().map(|size| size as usize);
    for (name, channels, whole) in samples(&cpu()) {
        for level in 0..=6 {
            let step = 1 << level;
            let [columns, rows] = [width, height].map(|size| size.div_ceil(step));
            let (shape, values) = read.array::<f32>(&format!("/{level}/{name}"));
            let deep = (channels > 1).then_some(channels as u64);
            assert_eq!(shape, [rows as u64, columns as u64].into_iter().chain(deep).collect::<Vec<_>>());
            let expected = |i: usize| {
                let (sample, channel) = (i / channels, i % channels);
                whole[(sample / columns * step * width + sample % columns * step) * channels + channel]
            };
            let wrong = (0..values.len()).find(|&i| values[i].to_bits() != expected(i).to_bits());
            assert!(wrong.is_none(), "level {level} of {name}: number {wrong:?}");
        }
        assert!(read.open(&format!("/7/{name}")).is_none(), "the last level is one chunk");
    }
    for level in 0..=6 {
        for (axis, first, size) in [("x", -48.0 * 4.0, width), ("y", -16.0 * 4.0, height)] {
            let (_, found) = read.array::<f64>(&format!("/{level}/{axis}"));
            let step = f64::from(4 << level);
            assert!((0..size.div_ceil(1 << level)).map(|i| first + i as f64 * step).eq(found), "{axis} of level {level}");
        }
    }
    let worn = read.open("/1/worn").expect("an array");
    let attributes = worn.attributes();
    assert_eq!((&attributes["spacing"], &attributes["units"]), (&8.0.into(), &"world units".into()));
    let extent = samples(&cpu())[0].2.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], x| [lo.min(*x), hi.max(*x)]);
    assert_eq!(attributes["range"], serde_json::json!(extent));
    let group = zarrs::group::Group::open(Arc::clone(&read.0), "/").expect("a group");
    assert_eq!(group.attributes()["orogen"]["recipe"]["output"], "colours");
    assert_eq!(group.attributes()["multiscales"][0]["datasets"][2], serde_json::json!({ "path": "2", "spacing": 16.0 }));
    // Maps and pictures are made from the same samples.
    let baked = Sharded::open(store).expect("the plan").baked().expect("a bake");
    let (normals, whole) = (baked.tile((-2, 3), 1).expect("a tile"), &samples(&cpu())[1].2);
    let row = |y: usize| &whole[((4 * 16 + y) * width + 16) * 3..][..16 * 3];
    assert!((0..16).all(|y| normals.values[y * 48..][..48] == *row(y)));
}

#[test]
fn a_flipped_bit_a_file_that_is_missing_and_one_that_is_foreign_are_named() {
    let scratch = Scratch::new("arrays-damaged");
    let store: Arc<dyn Store> = Arc::new(Folder::new(&scratch.0));
    baked(&store, 2, &[vec![0, 1]], 2);
    let sharded = Sharded::open(Arc::clone(&store)).expect("the plan");
    let findings = || sharded.check(None, &()).expect("a check").findings;
    let found = |file: &str, wrong| vec![Finding { file: file.to_owned(), wrong }];
    let all = files(&scratch.0);
    let mut random = Random(0x1b);
    let named = ["0/worn/c/2/6", "0/normals/c/4/0/0", "3/worn/c/0/0", "1/colours/c/0/1/0", "zarr.json", "2/worn/zarr.json", "0/x/c/0"];
    for name in named.map(|name| format!("world.zarr/{name}")) {
        let (file, mut bytes) = (scratch.0.join(&name), all[&name].clone());
        let at = random.bits() as usize % bytes.len();
        bytes[at] ^= 1 << (random.bits() % 8);
        std::fs::write(&file, &bytes).expect("written");
        assert_eq!(findings(), found(&name, Wrong::Damaged));
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(findings(), found(&name, Wrong::Missing));
        std::fs::write(&file, &all[&name]).expect("written");
    }
    for name in ["0/worn/c/5", "0/worn/c/2/7", "0/normals/c/4/0/1", "0/slopes", "1/x/c/1", "7", "c", "0/worn/c/02"] {
        let name = format!("world.zarr/{name}");
        std::fs::write(scratch.0.join(&name), b"?").expect("written");
        assert_eq!(findings(), found(&name, Wrong::Foreign));
        std::fs::remove_file(scratch.0.join(&name)).expect("removed");
    }
    std::fs::write(scratch.0.join("parts/arrays.jsonl"), b"").expect("written");
    assert_eq!(findings(), found("parts/arrays.jsonl", Wrong::Damaged));
    sharded.seal(&()).expect("sealed again");
    assert_eq!(findings(), []);
    // A damaged file that a shard made is not used for a level, and its shard replaces it. A damaged file that sealing made is
    // replaced by sealing.
    let damage = |name: &str| {
        let (file, mut bytes) = (scratch.0.join(name), all[name].clone());
        bytes[3] ^= 1;
        std::fs::write(&file, &bytes).expect("written");
    };
    damage("world.zarr/3/worn/c/0/0");
    sharded.seal(&()).expect("mended");
    assert!(files(&scratch.0) == all);
    damage("world.zarr/0/worn/c/2/6");
    let told = sharded.seal(&()).expect_err("an alarm").to_string();
    assert!(told.contains("world.zarr/0/worn/c/2/6"), "{told}");
    assert_eq!((0..2).map(|shard| sharded.bake(&cpu(), shard, &()).expect("mended").mended).sum::<u64>(), 1);
    assert!(files(&scratch.0) == all);
    // A tile that is gone is baked again, and a level that is gone made again, with the same bits.
    for name in ["world.zarr/0/worn/c/2/6", "world.zarr/3/worn/c/0/0"] {
        std::fs::remove_file(scratch.0.join(name)).expect("removed");
    }
    assert!(matches!(sharded.seal(&()), Err(BakeError::Missing { .. })));
    let again: u64 = (0..2).map(|shard| sharded.bake(&cpu(), shard, &()).expect("a shard").written).sum();
    sharded.seal(&()).expect("sealed again");
    assert!(again == 1 && files(&scratch.0) == all);
    // Files that lead out of themselves are refused, not followed.
    for cut in [0, 3, 1000, all["world.zarr/0/worn/c/0/0"].len() - 1] {
        std::fs::write(scratch.0.join("world.zarr/0/worn/c/0/0"), &all["world.zarr/0/worn/c/0/0"][..cut]).expect("written");
        assert!(sharded.seal(&()).is_err() && sharded.baked().expect("records").tile((-3, -1), 0).is_err());
    }
}

#[test]
fn no_fault_and_no_power_cut_loses_anything() {
    let (pipeline, plan, products) = crate::shards::small();
    let heights = Product { format: Format::Zarr, range: None, ..products[0].clone() };
    crate::shards::nothing_is_lost(&(pipeline, Plan { overlap: 0, tiles: Tiles { x: -1..1, y: 3..5 }, ..plan }, vec![heights]), 11);
}

#[test]
fn what_no_array_can_be_is_refused_and_nothing_is_written() {
    let (pipeline, plan, products) = world();
    let scratch = Scratch::new("arrays-refused");
    let out = scratch.0.join("out");
    let heights = &products[..1];
    let png = [products[0].clone(), Product { format: Format::Png8, ..products[2].clone() }];
    let wide = Plan { tile: 16384, tiles: Tiles { x: 0..65_537, y: 0..1 }, ..plan.clone() };
    let cases: [(Plan, &[Product], &str); 4] = [
        (Plan { tile: 100, ..plan.clone() }, heights, "tile = 100 for arrays is not allowed; allowed: a multiple of 8 samples"),
        (Plan { overlap: 1, ..plan.clone() }, heights, "overlap = 1 for arrays is not allowed; allowed: 0"),
        (wide, heights, "at most 2^30 samples along each axis"),
        (plan.clone(), &png, "format = png8 of 'colours' with zarr is not allowed; allowed: zarr for all layers"),
    ];
    for (plan, products, part) in cases {
        let told = planned(Arc::new(Folder::new(&out)), &(pipeline.clone(), plan, products.to_vec()), 2).expect_err(part).to_string();
        assert!(told.contains(part), "{told}");
    }
    for name in ["x", "y", "__worn"] {
        let named = Pipeline::from(nodes::of_kind("fractal").remove(0)).named(name, Thermal::default());
        let product = [Product { layer: name.into(), ..products[0].clone() }];
        let told = planned(Arc::new(Folder::new(&out)), &(named, plan.clone(), product.to_vec()), 2).expect_err(name).to_string();
        assert!(told.contains("layers = ") && told.contains(name), "{told}");
    }
    let other = Plan { tiles: Tiles { x: 0..1, y: 0..1 }, ..plan.clone() };
    let world = World { plan: &plan, ..World::new(&pipeline, &other, heights) };
    let told = Sharded::plan(Arc::new(Folder::new(&out)), &cpu(), &world, 2).expect_err("another world's names").to_string();
    assert!(told.contains("layout = ") && told.contains("World::new"), "{told}");
    let told = bake(&cpu(), &World::new(&pipeline, &plan, heights), &out, &()).expect_err("a single folder").to_string();
    assert!(told.contains("format = zarr is not allowed"), "{told}");
    let recipe = scratch.file("r.toml", crate::support::RECIPE);
    let args = ["bake", path(&recipe), "--out", path(&out), "--backend", "cpu", "--format", "zarr"];
    for (flags, part) in [
        (&["--tile", "12"][..], "a multiple of 8"),
        (&["--pixels", "64"], "--pixels is not allowed here"),
        (&["--for", "unity"], "unity"),
        (&["--overlap", "1"], "overlap"),
    ] {
        expect(&run(&[&args, flags].concat(), ""), 2, &[part]);
    }
    assert!(!out.exists());
}

#[test]
fn the_command_bakes_arrays_alone_as_by_shards_and_makes_maps_of_them() {
    let scratch = Scratch::new("arrays-command");
    let recipe = scratch.file("r.toml", crate::support::RECIPE);
    let [alone, many, other, map] = ["alone", "many", "other", "map"].map(|name| scratch.0.join(name));
    let flags = ["--format", "zarr", "--tiles=-2..3,1..4", "--backend", "cpu"];
    let bake = || run(&[&["bake", path(&recipe), "--out", path(&alone)], &flags[..]].concat(), "");
    let first = bake();
    expect(&first, 0, &[]);
    assert!(
        text(&first.stdout).contains("15 tiles written") && text(&first.stdout).contains("xarray.open_zarr"),
        "{}",
        text(&first.stdout)
    );
    assert!(text(&bake().stdout).contains("0 tiles written, 15 there already"));
    expect(&run(&["check", path(&alone), "--recompute", "1", "--backend", "cpu"], ""), 0, &[]);
    expect(&run(&[&["plan", path(&recipe), "--out", path(&many), "--shards", "7"], &flags[..]].concat(), ""), 0, &[]);
    for shard in [3, 6, 0, 5, 1, 4, 2] {
        expect(&run(&["bake", path(&many), "--shard", &format!("{shard}/7"), "--backend", "cpu"], ""), 0, &[]);
    }
    expect(&run(&["seal", path(&many)], ""), 0, &[]);
    assert!(files(&alone) == files(&many), "other files than by shards");
    // Out of tiles of another format and size come the same samples.
    let npy = ["--format", "npy", "--tile", "16", "--tiles=-4..6,2..8", "--backend", "cpu"];
    expect(&run(&[&["bake", path(&recipe), "--out", path(&other)], &npy[..]].concat(), ""), 0, &[]);
    expect(&run(&["map", path(&other), "--format", "zarr", "--pixels", "16", "--out", path(&map)], ""), 0, &[]);
    let (tiles, mapped) = (Read::new(&files(&alone)), Read::new(&files(&map)));
    for level in 0..=3 {
        for name in ["n", "x", "y"].map(|name| format!("/{level}/{name}")) {
            if name.ends_with('n') {
                assert_eq!(tiles.array::<f32>(&name), mapped.array::<f32>(&name), "{name}");
            } else {
                assert_eq!(tiles.array::<f64>(&name), mapped.array::<f64>(&name), "{name}");
            }
        }
    }
    // And maps come out of arrays.
    let [of_arrays, of_tiles] = ["of-arrays", "of-tiles"].map(|name| scratch.0.join(name));
    for (world, out) in [(&many, &of_arrays), (&other, &of_tiles)] {
        expect(&run(&["map", path(world), "--format", "cog", "--out", path(out)], ""), 0, &[]);
    }
    assert!(std::fs::read(of_arrays.join("world.tif")).expect("a map") == std::fs::read(of_tiles.join("world.tif")).expect("a map"));
    // A map's folder is not a world's.
    let args = ["bake", path(&recipe), "--out", path(&map), "--format", "zarr", "--backend", "cpu"];
    expect(&run(&args, ""), 2, &["holds a map"]);
}
