//! Kinds of places that keep apart, where layers allow them.

use crate::stages::{hills, node};
use crate::support::{Scratch, cpu, run, text};
use orogen::Region;
use orogen::scatter::{Place, PlaceRules};
use orogen::stage::{Drainage, Hydraulic, Mask, Pipeline, Slope};
use std::collections::BTreeSet;

/// Eroded hills with a slope, and a forest on the upper ones.
fn land() -> Pipeline {
    let eroded = Pipeline::from(hills()).named("ground", Hydraulic { iterations: 5, rain: 0.02, ..Default::default() });
    let steep = eroded.named("steep", Slope { of: node("ground"), ..Default::default() });
    steep.named("forest", Mask { of: node("ground"), from: -2.0, to: 3.0 })
}

const RULES: &str = "
    [oak]
    density = 'forest'
    distance = 9.0
    radius = 3.0
    scale = [0.8, 1.5]
    limits = { steep = [0.0, 0.8, 0.2] }

    [birch]
    distance = 5.0
    radius = 1.5
    limits = { ground = [-1.0, 4.0] }

    [stone]
    distance = 3.0
    radius = 0.5
";

const GRID: Region = Region { origin: [0; 3], size: [1, 1, 1], level: 0, spacing: 1.0, anchor: [0.25, -0.5, 0.0] };

fn places(low: [f64; 2], high: [f64; 2]) -> Vec<Place> {
    let rules = PlaceRules::from_toml(RULES).expect("rules");
    rules.places(&cpu(), &land(), &GRID, "ground", low, high).expect("places")
}

fn bits(places: &[Place]) -> BTreeSet<[u64; 6]> {
    let of = |place: &Place| {
        let [x, y] = place.position.map(f64::to_bits);
        [x, y, place.id, place.height.to_bits(), place.rotation.to_bits(), place.scale.to_bits()]
    };
    places.iter().map(of).collect()
}

#[test]
fn places_are_the_same_for_any_cut() {
    let (low, high) = ([-60.0, 200.0], [180.0, 380.0]);
    let whole = places(low, high);
    // Parts narrower than the room between kinds, and wide ones.
    let xs = [-60.0, -58.5, -57.0, 31.0, 180.0];
    let ys = [200.0, 201.0, 290.5, 380.0];
    let mut parts = Vec::new();
    for y in ys.windows(2) {
        for x in xs.windows(2) {
            parts.extend(places([x[0], y[0]], [x[1], y[1]]));
        }
    }
    assert_eq!(parts.len(), whole.len());
    assert_eq!(bits(&parts), bits(&whole));
    let ids: BTreeSet<u64> = whole.iter().map(|place| place.id).collect();
    assert_eq!(ids.len(), whole.len());
}

#[test]
fn kinds_keep_apart_and_within_their_limits() {
    let all = places([0.0; 2], [400.0, 300.0]);
    let radius = [3.0, 1.5, 0.5];
    let distance = [9.0, 5.0, 3.0];
    let count = |kind: usize| all.iter().filter(|place| place.kind == kind).count();
    assert!((0..3).all(|kind| count(kind) > 100), "{:?}", [0, 1, 2].map(count));
    for (i, a) in all.iter().enumerate() {
        for b in &all[..i] {
            let far = libm::hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]);
            let least = if a.kind == b.kind { distance[a.kind] } else { radius[a.kind] + radius[b.kind] };
            assert!(far >= least * (1.0 - 1e-9), "{a:?} and {b:?}: {far}");
        }
    }
    let birches = || all.iter().filter(|place| place.kind == 1);
    assert!(birches().all(|place| (-1.0..=4.0).contains(&place.height)), "limits without a width are sharp");
    assert!(all.iter().any(|place| place.height > 5.0) && all.iter().any(|place| place.height < -2.0));
    let oaks = || all.iter().filter(|place| place.kind == 0);
    assert!(oaks().all(|place| place.height > -2.0 && (0.8..=1.5).contains(&place.scale)));
    let turned: Vec<usize> = (0..4).map(|k| all.iter().filter(|p| (p.rotation / 90.0) as usize == k).count()).collect();
    assert!(turned.iter().all(|&n| n * 5 > all.len()), "{turned:?}");
    // Stones, the last, give way: without the others there are more of them.
    let alone = PlaceRules::from_toml("[stone]\ndistance = 3.0").expect("rules");
    let alone = alone.places(&cpu(), &land(), &GRID, "ground", [0.0; 2], [400.0, 300.0]).expect("places");
    assert!(alone.len() > count(2) + 500, "{} and {}", alone.len(), count(2));
    let stones: BTreeSet<u64> = alone.iter().map(|place| place.id).collect();
    assert!(all.iter().filter(|place| place.kind == 2).all(|place| stones.contains(&place.id)), "a place keeps its id");
}

/// Hills whose water is traced in a world of 96 × 80 samples, smaller than the squares in which layers are evaluated.
fn watered() -> (Pipeline, Region) {
    let traced = Pipeline::from(hills()).named("water", Drainage { of: node("hills"), ..Default::default() });
    (traced, Region { spacing: 2.0, ..Region::plane(96, 80) })
}

#[test]
fn traced_water_limits_places_up_to_the_edge_of_its_world() {
    let (land, world) = watered();
    let engine = cpu();
    let measured = engine.measure(&land, &["water.area"], &[world]).expect("measured");
    let dry = "[tree]\ndistance = 4.0\nlimits = { 'water.area' = [0.0, 60.0] }";
    let rules = |text: &str| PlaceRules::from_toml(text).expect("rules");
    let find = |text: &str, low, high| rules(text).places(&engine, &measured, &world, "water.area", low, high).expect("places");
    let (low, high) = ([0.0; 2], [192.0, 160.0]);
    let (some, all) = (find(dry, low, high), find("[tree]\ndistance = 4.0", low, high));
    assert!(some.len() > 300 && some.len() + 100 < all.len(), "{} of {}", some.len(), all.len());
    // As between four samples of the whole world, whose last ones are repeated beyond it.
    let area = &engine.layers(&measured, &["water.area"], &world).expect("a layer")[0].values;
    for place in &all {
        let at = place.position.map(|x| x / 2.0);
        let value = |dx: usize, dy: usize| f64::from(area[(at[1] as usize + dy).min(79) * 96 + (at[0] as usize + dx).min(95)]);
        let mean = |dy| value(0, dy) * (1.0 - at[0].fract()) + value(1, dy) * at[0].fract();
        assert_eq!(place.height.to_bits(), (mean(0) * (1.0 - at[1].fract()) + mean(1) * at[1].fract()).to_bits(), "{place:?}");
        assert_eq!(some.iter().any(|dry| dry.id == place.id), place.height <= 60.0, "{place:?}");
    }
    assert!(all.iter().any(|place| place.position[0] > 190.0), "between the last samples and the world's edge");
    let mut parts = find(dry, low, [77.0, 160.0]);
    parts.extend(find(dry, [77.0, 0.0], high));
    assert_eq!(bits(&parts), bits(&some));
    assert!(!find("[tree]", [-500.0; 2], [-400.0; 2]).is_empty(), "places outside of the world have the values at its edge");
}

#[test]
fn rules_that_are_not_allowed_are_explained() {
    for (rules, told) in [
        ("", "0 kinds are not allowed"),
        ("[oak]\nradius = -1.0", "place kind 'oak': radius = -1 is not allowed; allowed: 0 to 1000000 world units"),
        ("[oak]\ndistance = 0.0", "place kind 'oak': distance = 0"),
        ("[oak]\nscale = [2.0, 1.0]", "scale = [2.0, 1.0]"),
        ("[oak]\nlimits = { ground = [2.0] }", "limits = ground = [2.0]"),
        ("[oak]\nlimits = { ground = [2.0, 1.0] }", "LEAST at most MOST"),
        ("[oak]\nsize = 1.0", "unknown field `size`"),
    ] {
        let error = PlaceRules::from_toml(rules).expect_err(rules).to_string();
        assert!(error.contains(told), "{rules:?}: {error}");
    }
    let unknown = PlaceRules::from_toml("[oak]\ndensity = 'forst'").expect("rules");
    let error = unknown.places(&cpu(), &land(), &GRID, "ground", [0.0; 2], [9.0; 2]).expect_err("unknown").to_string();
    assert!(error.contains("place kind 'oak'") && error.contains("forst") && error.contains("forest"), "{error}");
}

#[test]
fn lists_have_the_axes_of_their_engines() {
    let scratch = Scratch::new("place_rules");
    let path = |name: &str| scratch.0.join(name).to_string_lossy().into_owned();
    std::fs::write(path("land.toml"), orogen::Recipe::new(land().output("ground")).to_toml().expect("a recipe")).expect("a file");
    std::fs::write(path("rules.toml"), RULES).expect("a file");
    let write = |name: &str, more: &[&str]| {
        let (recipe, rules, out) = (path("land.toml"), path("rules.toml"), path(name));
        let area = ["--area", "-20,10,60,90", "--backend", "cpu"];
        let all: Vec<&str> =
            ["places", &recipe, "--rules", &rules, "-o", &out].into_iter().chain(area).chain(more.iter().copied()).collect();
        let output = run(&all, "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read_to_string(out).expect("a file")
    };
    let table = write("places.csv", &[]);
    let first: Vec<&str> = table.lines().nth(1).expect("a place").split(',').collect();
    assert_eq!((table.lines().next(), first[0]), (Some("kind,id,x,y,height,rotation,scale"), "oak"));
    let number = |k: usize| first[k].parse::<f64>().expect("a number");
    let [x, y, height, rotation, scale] = [2, 3, 4, 5, 6].map(number);
    let near = |found: &serde_json::Value, expected: f64| (found.as_f64().expect("a number") - expected).abs() < 1e-3;
    let json = |name: &str, more: &[&str]| serde_json::from_str::<serde_json::Value>(&write(name, more)).expect("JSON");
    let map = json("places.geojson", &[]);
    let feature = &map["features"][0];
    assert!(feature["id"] == first[1] && feature["properties"]["kind"] == "oak" && near(&feature["geometry"]["coordinates"][2], height));
    assert_eq!(map["features"].as_array().expect("features").len() + 1, table.lines().count());
    let unreal = write("unreal.csv", &["--for", "unreal"]);
    let row = format!("{},oak,\"(X={:.3},Y={:.3},Z={:.3})\",{rotation:.4},{scale:.6}", first[1], 100.0 * x, 100.0 * y, 100.0 * height);
    assert_eq!(unreal.lines().nth(1), Some(&row[..]));
    let unity = &json("unity.json", &["--for", "unity"])["instances"][0];
    let at = &unity["position"];
    assert!(near(&at["x"], x) && near(&at["y"], height) && near(&at["z"], -y) && near(&unity["rotation"], rotation), "{unity}");
    let godot = &json("godot.json", &["--for", "godot"])["instances"][0];
    let at = &godot["position"];
    assert!(near(&at[0], x) && near(&at[1], height) && near(&at[2], y) && near(&godot["rotation"], -rotation.to_radians()), "{godot}");
    let output = run(&["places", &path("land.toml"), "--rules", &path("rules.toml"), "-o", &path("p.json"), "--backend", "cpu"], "");
    assert!(text(&output.stderr).contains("allowed: .csv, .geojson"), "{}", text(&output.stderr));
}
