//! Recipes used as nodes of other recipes, and the recipes that come with the program.

use crate::support::{Random, Scratch, bits, cpu, expect, path, run, text};
use orogen::{ReadRecipe, Recipe, RecipePreset, RecipeReader, Region};
use std::collections::HashMap;

const HILL: &str = "
output = 'high'
[variables]
height = { value = 100.0, range = [0.0, 500.0], description = 'Height' }
width = 60.0
[node.ground]
kind = 'simplex'
wavelength = 'width'
seed = 3
[node.high]
kind = 'scale_offset'
of = 'ground'
scale = 'height'
[stage.worn]
kind = 'thermal'
of = 'high'
iterations = 3
";

/// Reads a recipe among files.
fn read(files: &[(&str, &str)], text: &str) -> Result<ReadRecipe, String> {
    let files: HashMap<&str, &str> = files.iter().copied().collect();
    let find = |name: &str| files.get(name).map(|text| (*text).to_owned()).ok_or_else(|| format!("there is no {name}"));
    RecipeReader::new().recipes(find).toml(text, "r.toml").map_err(|error| error.to_string())
}

fn good(files: &[(&str, &str)], text: &str) -> Recipe {
    read(files, text).unwrap_or_else(|error| panic!("{error}")).recipe
}

#[test]
fn a_recipe_in_a_recipe_is_the_same_written_by_hand() {
    let text = "
output = 'sum'
[variables]
size = 40.0
[node.a]
kind = 'recipe'
file = 'sub/hill.toml'
height = 'size * 2'
[node.b]
kind = 'recipe'
file = 'sub/hill.toml'
output = 'worn'
inputs = { ground = 'a' }
[node.sum]
kind = 'add'
a = 'a'
b = 'b'
";
    let by_hand = "
output = 'sum'
[node.'a:ground']
kind = 'simplex'
wavelength = 60.0
seed = 3
[node.a]
kind = 'scale_offset'
of = 'a:ground'
scale = 80.0
[node.'b:high']
kind = 'scale_offset'
of = 'a'
scale = 100.0
[stage.b]
kind = 'thermal'
of = 'b:high'
iterations = 3
[node.sum]
kind = 'add'
a = 'a'
b = 'b'
";
    let (nested, plain) = (good(&[("sub/hill.toml", HILL)], text), good(&[], by_hand));
    assert_eq!(nested, plain);
    let region = Region { origin: [1_000, -70, 0], ..Region::plane(33, 21) };
    let values = |recipe: &Recipe| bits(&cpu().layers(&recipe.pipeline, &["sum"], &region).expect("layers")[0].values);
    assert_eq!(values(&nested), values(&plain));
    // The expanded recipe is what is written.
    assert_eq!(Recipe::from_toml(&nested.to_toml().expect("TOML"), "again").expect("good"), nested);
}

#[test]
fn an_output_of_a_stage_can_be_the_result() {
    let water = HILL.replace("kind = 'thermal'\nof = 'high'\niterations = 3", "kind = 'hydraulic'\nof = 'high'\niterations = 3");
    let recipe = good(&[("w.toml", &water)], "output = 'w'\n[node.w]\nkind = 'recipe'\nfile = 'w.toml'\noutput = 'worn.water'\n");
    let region = Region::plane(24, 17);
    let nested = cpu().layers(&recipe.pipeline, &["w"], &region).expect("layers").remove(0).values;
    let plain = cpu().layers(&good(&[], &water).pipeline, &["worn.water"], &region).expect("layers").remove(0).values;
    assert_eq!(bits(&nested), bits(&plain));
    assert!(plain.iter().any(|x| *x != 0.0));
}

#[test]
fn a_seed_is_a_variation() {
    let with = |seed: u64| good(&[("h.toml", HILL)], &format!("output = 'h'\n[node.h]\nkind = 'recipe'\nfile = 'h.toml'\nseed = {seed}\n"));
    let mut varied = good(&[], HILL).pipeline;
    varied.vary(7);
    assert_eq!(with(7).pipeline.get("h:ground.seed").expect("a seed"), varied.get("ground.seed").expect("a seed"));
    assert_eq!(with(0).pipeline.get("h:ground.seed").expect("a seed"), Some(3.into()));
}

#[test]
fn only_what_is_needed_comes_in() {
    let recipe = good(&[("h.toml", HILL)], "output = 'h'\n[node.h]\nkind = 'recipe'\nfile = 'h.toml'\n");
    assert!(recipe.pipeline.stage.is_empty());
    let ground = "output = 'h'\n[node.h]\nkind = 'recipe'\nfile = 'h.toml'\noutput = 'ground'\n";
    assert_eq!(good(&[("h.toml", HILL)], ground).pipeline.node.keys().collect::<Vec<_>>(), ["h"]);
    let layer = "output = 'h'\n[node.h]\nkind = 'recipe'\nfile = 'h.toml'\n[bake]\nlayers = ['h:worn']\n";
    assert_eq!(good(&[("h.toml", HILL)], layer).pipeline.stage.keys().collect::<Vec<_>>(), ["h:worn"]);
}

#[test]
fn files_are_found_from_the_folder_of_each_recipe() {
    let scan = "output = 's'\n[node.s]\nkind = 'raster'\nheights = 'scan.npy'\n";
    let middle = "output = 'm'\n[node.m]\nkind = 'recipe'\nfile = '../b/scan.toml'\n";
    let recipe =
        good(&[("a/middle.toml", middle), ("b/scan.toml", scan)], "output = 'n'\n[node.n]\nkind = 'recipe'\nfile = './a/middle.toml'\n");
    assert!(recipe.to_json().expect("JSON").contains("\"b/scan.npy\""), "{}", recipe.to_json().expect("JSON"));
    // On disk, with a folder's files.
    let scratch = Scratch::new("nested-files");
    std::fs::create_dir_all(scratch.0.join("sub")).expect("a folder");
    scratch.file("sub/hill.toml", HILL);
    let outer = scratch.file("outer.toml", "output = 'h'\n[node.h]\nkind = 'recipe'\nfile = 'sub/hill.toml'\nheight = 20\n");
    assert_eq!(Recipe::load(&outer).expect("good").pipeline.get("h.scale").expect("a parameter"), Some(20.0.into()));
    let sample = |set: &str, code: i32, parts: &[&str]| {
        expect(&run(&["sample", path(&outer), "--points", "-", "--backend", "cpu", "--set", set], "10 20 0\n"), code, parts);
    };
    sample("h.height=30", 0, &[]);
    sample("h:ground.wavelength=30", 0, &[]);
    sample("h.height=600", 65, &["node 'h': variable 'height' = 600 is not allowed; allowed: 0 to 500"]);
}

#[test]
fn errors_name_the_node_and_the_recipe() {
    let outer = |rest: &str| format!("output = 'h'\n[node.h]\nkind = 'recipe'\n{rest}\n");
    let loops = "output = 'x'\n[node.x]\nkind = 'recipe'\nfile = 'loop.toml'\n";
    let broken = "output = 'x'\n[node.x]\nkind = 'simplex'\nwavelength = -5\n";
    let files = [("hill.toml", HILL), ("loop.toml", loops), ("broken.toml", broken), ("no.toml", "output =")];
    for (rest, expected) in [
        ("file = 'nowhere.toml'", "r.toml:4:1: node 'h': file = \"nowhere.toml\" is not allowed (there is no nowhere.toml)"),
        ("", "node 'h': preset or file is missing; allowed: preset = one of archipelago, canyon"),
        ("preset = 'mountian'", "unknown preset 'mountian'; did you mean 'mountain'?"),
        ("preset = 'mountain'\nfile = 'hill.toml'", "preset and file are both given; allowed: one of them"),
        ("preset = 3", "preset = 3 is not allowed; allowed: the name of a preset, in quotes"),
        ("file = 'loop.toml'", "recipes contain each other: loop.toml → loop.toml"),
        ("file = 'broken.toml'", "node 'h': broken.toml:4:1: node 'x': wavelength = -5 is not allowed"),
        ("file = 'no.toml'", "node 'h': no.toml:1:9: "),
        ("file = 'hill.toml'\nhieght = 3", "r.toml:5:1: node 'h': unknown field 'hieght' of hill.toml; did you mean 'height'?"),
        ("file = 'hill.toml'\nheight = 'x'", "node 'h': height = \"x\" is not allowed (column 1: there is no variable 'x'"),
        ("file = 'hill.toml'\nheight = true", "node 'h': height = true is not allowed; allowed: a number"),
        ("file = 'hill.toml'\nheight = 900", "node 'h': variable 'height' = 900 is not allowed; allowed: 0 to 500"),
        ("file = 'hill.toml'\nwidth = -1", "node 'ground': wavelength = -1 is not allowed"),
        ("file = 'hill.toml'\noutput = 'low'", "there is no stage or node 'low'"),
        ("file = 'hill.toml'\nseed = -1", "seed = -1 is not allowed"),
        ("file = 'hill.toml'\ninputs = { groud = 1 }", "inputs: the recipe has no node 'groud'; did you mean 'ground'?"),
        ("file = 'hill.toml'\ninputs = { high = 1 }", "inputs: 'high' is the result of the recipe"),
        ("file = 'hill.toml'\ninputs = { ground = 'gone' }", "gone"),
        ("file = 'hill.toml'\ninputs = 3", "inputs = 3 is not allowed"),
        ("file = 'hill.toml'\n[node.'h:ground']\nkind = 'simplex'", "node 'h': the name 'h:ground' is taken"),
    ] {
        let told = read(&files, &outer(rest)).map_or_else(|error| error, |_| "accepted".to_owned());
        assert!(told.contains(expected), "{rest}: {told}");
    }
    let told = Recipe::from_toml(&outer("file = 'hill.toml'"), "r.toml").expect_err("no files").to_string();
    assert!(told.contains("recipes of files cannot be read here; allowed: preset"), "{told}");
    let stage = "output = 's'\n[stage.s]\nkind = 'recipe'\npreset = 'mountain'\n";
    let told = Recipe::from_toml(stage, "r.toml").expect_err("a stage").to_string();
    assert!(told.contains("stage 's': a recipe is not a stage; allowed: [node.NAME]"), "{told}");
}

#[test]
fn recipes_in_recipes_are_bounded() {
    // Each names the next one ten times.
    let level = |next: usize| -> String {
        let rows: String = (0..10).map(|i| format!("[node.n{i}]\nkind = 'recipe'\nfile = 'l{next}.toml'\n")).collect();
        format!("output = 'n0'\n{rows}")
    };
    let texts: Vec<(String, String)> = (0..7).map(|i| (format!("l{i}.toml"), level(i + 1))).collect();
    let mut files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.push(("l7.toml", "output = 'x'\n[node.x]\nkind = 'simplex'\n"));
    let start = std::time::Instant::now();
    let told = read(&files, &level(0)).expect_err("too many");
    assert!(told.contains("more than 4096 nodes and stages come from other recipes"), "{told}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    let deep: Vec<(String, String)> =
        (0..12).map(|i| (format!("d{i}.toml"), format!("output = 'x'\n[node.x]\nkind = 'recipe'\nfile = 'd{}.toml'\n", i + 1))).collect();
    let files: Vec<(&str, &str)> = deep.iter().map(|(name, text)| (&**name, &**text)).collect();
    let told = read(&files, "output = 'x'\n[node.x]\nkind = 'recipe'\nfile = 'd0.toml'\n").expect_err("too deep");
    assert!(told.contains("recipes lie in each other; allowed: 8 deep"), "{told}");
}

#[test]
fn presets_are_whole_and_described() {
    for preset in RecipePreset::ALL {
        let recipe = preset.recipe();
        assert!(recipe.noise().is_ok(), "{}: other noises can be made of it", preset.name);
        assert!(preset.description().ends_with('.') && preset.description().len() > 20, "{}", preset.name);
        let variables = preset.variables();
        assert!(variables.len() >= 3, "{}", preset.name);
        for (name, variable) in &variables {
            assert!(!variable.description.is_empty(), "{}.{name}", preset.name);
            // At each end of its range, with the others as they are.
            for value in variable.range.into_iter().flatten() {
                let read = RecipeReader::new().variable(name.clone(), value).toml(preset.text, preset.name);
                // A large crater needs a large volcano.
                let related =
                    (preset.name, name.as_str()) == ("volcano", "crater") || (preset.name, name.as_str()) == ("volcano", "radius");
                assert!(read.is_ok() || related, "{}: {name} = {value}: {}", preset.name, read.expect_err("an error"));
            }
        }
    }
    let listed = |args: &[&str]| text(&run(args, "").stdout);
    let all = listed(&["presets"]);
    assert!(all.contains("mountain: ") && all.contains("  height = 1200 (1 to 20000): "), "{all}");
    assert_eq!(listed(&["presets", "dunes"]), RecipePreset::find("dunes").expect("a preset").text);
    assert!(listed(&["presets", "--json"]).contains("\"variables\""));
    expect(&run(&["presets", "dune"], ""), 2, &["unknown preset 'dune'"]);
}

#[test]
fn no_text_of_pieces_panics() {
    const PIECES: [&str; 24] = [
        "kind = 'recipe'\n",
        "preset = 'mountain'\n",
        "preset = 'island'\n",
        "height = 'a'\n",
        "a = 'b'\n",
        "b = 'a + 1'\n",
        "[variables]\n",
        "[node.n]\n",
        "[node.m]\n",
        "output = 'n'\n",
        "output = 'height'\n",
        "inputs = { crease = 'm' }\n",
        "inputs = { crease = '=a' }\n",
        "seed = '1 + 1'\n",
        "seed = 99999999999999999999\n",
        "kind = 'simplex'\n",
        "wavelength = 'a * '\n",
        "wavelength = '((((((('\n",
        "a = { value = 1 }\n",
        "a = 1e308\n",
        "of = 'n'\n",
        "kind = 'abs'\n",
        "[stage.n]\n",
        "file = 'x'\n",
    ];
    let mut random = Random(5);
    for _ in 0..4000 {
        let count = 1 + random.bits() % 12;
        let text: String = (0..count).map(|_| PIECES[(random.bits() % PIECES.len() as u64) as usize]).collect();
        if let Ok(recipe) = RecipeReader::new().recipes(|_| Ok(HILL.to_owned())).toml(&text, "r.toml") {
            let again = recipe.recipe.to_toml().unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(Recipe::from_toml(&again, "again").expect("read again"), recipe.recipe, "{text}");
        }
    }
}
