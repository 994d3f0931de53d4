//! Rivers, lakes and basins as lines: the same for any memory and engine, and as files.

use crate::stages::hills;
use crate::support::{Scratch, cpu, expect, gpu, path, root, run, text};
use orogen::node::Input;
use orogen::rivers::{RiverOptions, RiverSegment, Rivers};
use orogen::stage::{Drainage, Gaussian, Pipeline};
use orogen::{Backend, Engine, EngineOptions, Recipe, Region, Stop};
use serde_json::Value;

fn water() -> Pipeline {
    Pipeline::from(hills()).named("water", Drainage { sea: Some(-4.0), ..Default::default() })
}

/// More than one square.
fn world() -> Region {
    Region { origin: [-301, 40, 0], spacing: 2.0, ..Region::plane(700, 560) }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn lines_are_the_same_for_any_memory_and_engine() {
    let options = RiverOptions::new(1000.0);
    let expected = cpu().rivers(&water(), "water", &world(), &options).expect("rivers");
    assert!(expected.segments.len() > 50 && expected.lakes.len() > 10 && expected.basins.len() > 10, "{}", expected.segments.len());
    let open = |memory, threads| EngineOptions { backend: Backend::Cpu, memory: Some(memory), threads, ..Default::default() };
    let small = Engine::open(&open(1 << 22, orogen::Threads::Caller)).expect("an engine");
    for (what, engine) in [("little memory", &small), ("a GPU", gpu())] {
        assert!(engine.rivers(&water(), "water", &world(), &options).expect("rivers") == expected, "{what}");
        // A measured pipeline has its own world, and stages behind it change nothing.
        let chain = water().then(Gaussian { sigma: 2.0, ..Default::default() });
        let measured = engine.measure(&chain, &["gaussian"], &[world()]).expect("a measured pipeline");
        let part = Region { size: [20, 20, 1], ..world() };
        assert!(engine.rivers(&measured, "water", &part, &options).expect("rivers") == expected, "{what}, measured");
    }
    // Everything lies in the world.
    assert_eq!((expected.low, expected.high), ([-603.0, 79.0], [797.0, 1199.0]));
    let inside = |[x, y]: [f64; 2]| (-603.0..=797.0).contains(&x) && (79.0..=1199.0).contains(&y);
    assert!(expected.segments.iter().flat_map(|segment| &segment.points).all(|[x, y, _]| inside([*x, *y])));
    let outlines = expected.lakes.iter().flat_map(|lake| &lake.polygons).chain(expected.basins.iter().flat_map(|basin| &basin.polygons));
    assert!(outlines.flat_map(|polygon| &polygon.outer).all(|at| inside(*at)));
}

#[test]
fn rivers_that_cannot_be_found_are_refused() {
    let good = RiverOptions::new(100.0);
    let refused = |pipeline: &Pipeline, stage: &str, world: &Region, options: &RiverOptions| {
        cpu().rivers(pipeline, stage, world, options).expect_err("refused").to_string()
    };
    let small = Region::plane(30, 20);
    assert!(
        refused(&water(), "water", &small, &RiverOptions { area: -1.0, ..good }).starts_with("area = -1 is not allowed; allowed: above 0")
    );
    for name in ["", "hills", "no such stage"] {
        let told = refused(&water(), name, &small, &good);
        assert!(told.starts_with(&format!("stage = {name} is not allowed; allowed: the name of a stage with kind")), "{told}");
    }
    let dry = Pipeline::from(hills()).named("water", Drainage { edge: false, sea: Some(-1e6), ..Default::default() });
    assert!(refused(&dry, "water", &small, &good).contains("no sample of the world is an outlet"));
    assert!(refused(&water(), "water", &Region { size: [3, 3, 3], ..small }, &good).contains("allowed"));
    let stop = Stop::default();
    stop.stop();
    assert!(cpu().stopped_by(&stop).rivers(&water(), "water", &small, &good).expect_err("stopped").to_string().contains("stopped"));
    // A sea above everything: nothing flows.
    let sea = Pipeline::from(hills()).named("water", Drainage { sea: Some(1e6), ..Default::default() });
    let Rivers { segments, lakes, .. } = cpu().rivers(&sea, "water", &small, &good).expect("rivers");
    assert_eq!((segments.len(), lakes.len()), (0, 0));
}

const RECIPE: &str = "output = \"hills\"\n[node.s]\nkind = \"simplex\"\nwavelength = 40.0\n[node.hills]\nkind = \"fractal\"\nof = \"s\"\noctaves = 5\n\
                      [bake]\ntile = 48\ntiles = [3, 2]\nspacing = 2.0\n";

#[test]
fn the_command_draws_the_rivers_of_a_world() {
    let scratch = Scratch::new("rivers");
    let heights = scratch.file("heights.toml", RECIPE);
    let traced =
        scratch.file("traced.toml", &RECIPE.replace("[bake]", "[stage.w]\nkind = \"drainage\"\nof = \"hills\"\nsea = -0.4\n[bake]"));
    let out = scratch.0.join("out.geojson");
    let features = |args: &[&str]| -> Vec<Value> {
        let output = run(&[&["rivers"], args, &["-o", path(&out), "--backend", "cpu"]].concat(), "");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        let json: Value = serde_json::from_slice(&std::fs::read(&out).expect("a file")).expect("JSON");
        assert_eq!(json["type"], "FeatureCollection");
        json["features"].as_array().expect("features").clone()
    };
    let count = |features: &[Value], kind: &str| features.iter().filter(|feature| feature["properties"]["kind"] == kind).count();
    // Heights are traced up to a sea of one's own, as by a stage of the recipe.
    let found = features(&[path(&traced)]);
    assert_eq!(found, features(&[path(&heights), "--sea=-0.4"]));
    assert_ne!(found, features(&[path(&heights)]));
    for kind in ["river", "lake", "basin"] {
        assert!(count(&found, kind) > 0, "no {kind}");
    }
    for feature in &found {
        let shape = if feature["properties"]["kind"] == "river" { "LineString" } else { "MultiPolygon" };
        assert_eq!(feature["geometry"]["type"], shape);
    }
    // The library's, over the tiles of the bake.
    let recipe = orogen::Recipe::load(&traced).expect("a recipe");
    let world = Region { spacing: 2.0, ..Region::plane(144, 96) };
    let options = RiverOptions { width: 0.5, smoothing: 0, basin: f64::INFINITY, ..RiverOptions::new(200.0) };
    let own = cpu().rivers(&recipe.pipeline, "w", &world, &options).expect("rivers");
    let found = features(&[path(&traced), "--area", "200", "--width", "0.5", "--smoothing", "0", "--basin", "inf"]);
    assert_eq!((count(&found, "river"), count(&found, "lake"), count(&found, "basin")), (own.segments.len(), own.lakes.len(), 0));
    let river = found.iter().find(|feature| feature["properties"]["kind"] == "river").expect("a river");
    let first = &own.segments[0];
    assert_eq!(serde_json::from_value::<Vec<[f64; 3]>>(river["geometry"]["coordinates"].clone()).expect("points"), first.points);
    let properties = serde_json::json!({
        "kind": "river", "id": first.id, "into": first.into, "river": first.river, "order": first.order, "area": first.area, "width": first.width
    });
    assert_eq!(river["properties"], properties);
    assert!(count(&features(&[path(&traced), "--size", "60,50", "--area", "200"]), "river") < own.segments.len());
    // A picture.
    let picture = scratch.0.join("out.svg");
    let output = run(&["rivers", path(&traced), "-o", path(&picture), "--area", "200", "--backend", "cpu"], "");
    expect(&output, 0, &[]);
    assert!(
        text(&output.stdout).contains(&format!("in {} segments, {} lakes", own.segments.len(), own.lakes.len())),
        "{}",
        text(&output.stdout)
    );
    let svg = text(&std::fs::read(&picture).expect("a picture"));
    assert!(svg.starts_with("<svg ") && svg.contains("viewBox=\"-1 -1 288 192\""), "{}", &svg[..200]);
    assert_eq!(svg.matches("stroke-linecap").count(), 1);
    assert_eq!(
        svg.matches("<path data-id").count(),
        own.segments.len() + own.lakes.len() + svg.split("</g>").next().expect("basins").matches("<path").count()
    );
    // Refused, and nothing is written.
    std::fs::remove_file(&out).expect("removed");
    let two = scratch.file(
        "two.toml",
        &RECIPE.replace("[bake]", "[stage.w]\nkind = \"drainage\"\nof = \"hills\"\n[stage.v]\nkind = \"drainage\"\nof = \"hills\"\n[bake]"),
    );
    for (args, told) in [
        (
            &[path(&traced), "--sea", "0"][..],
            "--sea 0 is not allowed; allowed: only with heights as --layer, because 'w' has its own sea level",
        ),
        (&[path(&traced), "--area", "0"], "'0' is not allowed; allowed: a finite number above 0"),
        (&[path(&traced), "--basin=-1"], "'-1' is not allowed; allowed: 0 or more, or inf"),
        (&[path(&traced), "--width=-1"], "width = -1 is not allowed; allowed: 0 to 1000000"),
        (&[path(&traced), "--smoothing", "65"], "65"),
        (&[path(&traced), "--size", "0,5"], "--size 0,5 is not allowed"),
        (&[path(&traced), "--layer", "x"], "--layer x names no stage or node"),
        (&[path(&two)], "--layer is missing; allowed: one of the stages 'w', 'v'"),
    ] {
        expect(&run(&[&["rivers"], args, &["-o", path(&out), "--backend", "cpu"]].concat(), ""), 2, &[told]);
        assert!(!out.exists(), "{args:?} wrote a file");
    }
}

/// A map with rivers differs from the map only where rivers and lakes are, and these lie where the library has them.
#[test]
fn a_map_is_drawn_with_its_rivers() {
    let scratch = Scratch::new("rivers-map");
    let heights = scratch.file("heights.toml", RECIPE);
    let draw = |args: &[&str]| -> image::RgbImage {
        let out = scratch.0.join("map.png");
        let output =
            run(&[&["preview", path(&heights), "-o", path(&out), "--fit", "--size", "288,192", "--backend", "cpu"], args].concat(), "");
        expect(&output, 0, &[]);
        image::open(&out).expect("a picture").to_rgb8()
    };
    let (plain, wet) = (draw(&[]), draw(&["--rivers=4000"]));
    let recipe = orogen::Recipe::load(&heights).expect("a recipe");
    let traced = Pipeline { output: "w".to_owned(), ..recipe.pipeline.clone() };
    let traced =
        Pipeline { stage: [("w".to_owned(), Drainage { of: Input::from("hills"), ..Default::default() }.into())].into(), ..traced };
    let world = Region { spacing: 2.0, ..Region::plane(144, 96) };
    let options = RiverOptions { basin: f64::INFINITY, ..RiverOptions::new(4000.0) };
    let found = cpu().rivers(&traced, "w", &world, &options).expect("rivers");
    // A pixel is a world unit, and the first sample lies in the middle of two.
    let near = |x: u32, y: u32, reach: i64| {
        let around = |at: u32, most: u32| (i64::from(at) - reach).max(0) as u32..(i64::from(at) + reach + 1).min(i64::from(most)) as u32;
        around(y, 192).flat_map(|y| around(x, 288).map(move |x| (x, y))).any(|(x, y)| plain.get_pixel(x, y) != wet.get_pixel(x, y))
    };
    for segment in &found.segments {
        for [x, y, _] in &segment.points {
            let at = [x + 1.0, y + 1.0].map(|x| x as u32);
            assert!(near(at[0].min(287), at[1].min(191), 0), "no river at {x}, {y}");
        }
    }
    // Nothing else is drawn over: a changed pixel lies at a river or in a lake.
    let depth = cpu().layers(&traced, &["w.depth"], &world).expect("a layer").remove(0).values;
    let is_lake = |x: u32, y: u32| {
        let around = |at: u32, most: u32| (at / 2).saturating_sub(1)..(at / 2 + 2).min(most);
        around(y, 96).any(|j| around(x, 144).any(|i| depth[(j * 144 + i) as usize] > 0.0))
    };
    let points: Vec<[f64; 2]> = found.segments.iter().flat_map(|segment| &segment.points).map(|[x, y, _]| [x + 1.0, y + 1.0]).collect();
    let is_river = |x: u32, y: u32| points.iter().any(|at| (at[0] - f64::from(x) - 0.5).hypot(at[1] - f64::from(y) - 0.5) < 4.0);
    let changed: Vec<(u32, u32)> =
        plain.enumerate_pixels().filter(|(x, y, was)| wet.get_pixel(*x, *y) != *was).map(|(x, y, _)| (x, y)).collect();
    assert!(changed.len() > 500, "{} pixels", changed.len());
    assert_eq!(changed.iter().find(|(x, y)| !is_lake(*x, *y) && !is_river(*x, *y)), None, "a pixel without water is drawn over");
    for (args, why) in [(&["--rivers=-1"][..], "above 0"), (&["--rivers", "--relief"], "cannot be used with")] {
        let output = run(&[&["preview", path(&heights), "-o", path(&scratch.0.join("no.png"))], args].concat(), "");
        expect(&output, 2, &[why]);
    }
}

/// Whether two pieces of a line cross, each inside the other.
fn cross([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let side = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

#[test]
fn the_river_of_a_plain_winds_without_crossing_itself() {
    let recipe = Recipe::load(root().join("recipes/meanders.toml")).expect("the recipe");
    let world = Region { spacing: recipe.bake.spacing, ..Region::plane(1024, 1024) };
    let found = cpu().rivers(&recipe.pipeline, "water", &world, &RiverOptions::new(4000.0)).expect("rivers");
    let next = |segment: &RiverSegment| segment.into.and_then(|into| found.segments.iter().find(|next| next.id == into));
    // From the western edge of the plain to the eastern edge of the world.
    let spring = found.segments.iter().find(|segment| {
        let [x, y, _] = segment.points[0];
        x < 100.0 && (740.0..830.0).contains(&y)
    });
    let line: Vec<[f64; 3]> = std::iter::successors(spring, |segment| next(segment)).flat_map(|segment| segment.points.clone()).collect();
    assert!(line.last().expect("a river")[0] > 2040.0, "{:?}", line.last());
    assert!(line.windows(2).all(|pair| pair[1][2] <= pair[0][2]), "its level rises");
    let mut line: Vec<[f64; 2]> = line.iter().map(|[x, y, _]| [*x, *y]).collect();
    line.dedup();
    let distance = |[a, b]: [[f64; 2]; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let pieces: Vec<[[f64; 2]; 2]> = line.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let winding = pieces.iter().map(|piece| distance(*piece)).sum::<f64>() / distance([line[0], line[line.len() - 1]]);
    assert!((1.5..2.0).contains(&winding), "{winding} times as long as the way from end to end");
    for (i, piece) in pieces.iter().enumerate() {
        assert!(pieces[i + 1..].iter().skip(1).all(|other| !cross(*piece, *other)), "it crosses itself at {piece:?}");
    }
}
