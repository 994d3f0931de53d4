//! Variables of recipes, and numbers as expressions of them.

use crate::support::{Scratch, expect, path, run, text};
use orogen::{ReadRecipe, Recipe, RecipeReader, Setting};

/// Expressions in every place that takes a number.
const WRITTEN: &str = r##"
output = "ground"

[variables]
width = 300.0
double = "width * 2"
detail = { value = 5, range = [1, 12], description = "Octaves" }
snow = { value = "double + 100", range = [0.0, 5000.0] }

[node.basis]
kind = "simplex"
wavelength = "double / 4"
seed = "detail + 2"
offset = ["width", "-width", 0.0]

[node.hills]
kind = "fractal"
of = "basis"
octaves = "detail + 1"

[node.ground]
kind = "spline"
of = "hills"
points = [["-1", 0.0], { at = "sin(90)", value = "double", slope_in = "min(width, 20)" }]

[node.lifted]
kind = "add"
a = "ground"
b = "= width / 3"

[stage.slope]
kind = "slope"
of = "lifted"

[stage.map]
kind = "colour"
by = "ground"
stops = [{ at = 0.0, colour = "#808080" }, { at = "=snow", colour = "#ffffff" }]
"##;

/// The same with its numbers.
const COMPUTED: &str = r##"
output = "ground"

[node.basis]
kind = "simplex"
wavelength = 150.0
seed = 7
offset = [300.0, -300.0, 0.0]

[node.hills]
kind = "fractal"
of = "basis"
octaves = 6

[node.ground]
kind = "spline"
of = "hills"
points = [[-1.0, 0.0], { at = 1.0, value = 600.0, slope_in = 20.0 }]

[node.lifted]
kind = "add"
a = "ground"
b = 100.0

[stage.slope]
kind = "slope"
of = "lifted"

[stage.map]
kind = "colour"
by = "ground"
stops = [{ at = 0.0, colour = "#808080" }, { at = 700.0, colour = "#ffffff" }]
"##;

fn read(text: &str) -> ReadRecipe {
    RecipeReader::new().toml(text, "r.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn told(text: &str) -> String {
    Recipe::from_toml(text, "r.toml").map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

/// A recipe with these variables and this wavelength.
fn with(variables: &str, wavelength: &str) -> String {
    format!("output = 'n'\n[variables]\n{variables}\n[node.n]\nkind = 'simplex'\nwavelength = {wavelength}\n")
}

#[test]
fn a_recipe_of_expressions_is_the_one_of_its_numbers() {
    // Numbers in quotes stay errors, so "-1" is one.
    let written = WRITTEN.replace("\"-1\"", "\"-1 * 1\"");
    let (read, computed) = (read(&written), Recipe::from_toml(COMPUTED, "r.toml").expect("good"));
    assert_eq!(read.recipe, computed);
    assert_eq!(read.recipe.to_toml().expect("TOML"), computed.to_toml().expect("TOML"));
    assert_eq!(read.variables["snow"].value, 700.0);
    assert_eq!((read.variables["snow"].range, read.variables["snow"].expression.as_deref()), (Some([0.0, 5000.0]), Some("double + 100")));
    assert_eq!((read.variables["detail"].description.as_str(), read.variables["detail"].expression.as_deref()), ("Octaves", None));
    assert_eq!(read.variables.keys().collect::<Vec<_>>(), ["width", "double", "detail", "snow"]);
    let found: Vec<_> = read.expressions.iter().map(|e| (e.table, &*e.name, &*e.param, e.text.as_deref())).collect();
    for expected in [
        ("node", "basis", "wavelength", Some("double / 4")),
        ("node", "basis", "offset", None),
        ("node", "ground", "points", None),
        ("node", "lifted", "b", Some("= width / 3")),
        ("stage", "map", "stops", None),
    ] {
        assert!(found.contains(&expected), "{expected:?} is not in {found:?}");
    }
    assert!(told(WRITTEN).contains("node 'ground': points = "), "{}", told(WRITTEN));
}

#[test]
fn json_has_expressions_too() {
    let json = r#"{ "output": "n", "variables": { "w": 8.0 }, "node": { "n": { "kind": "fractal", "of": "b", "octaves": "w / 2" }, "b": { "kind": "simplex" } } }"#;
    let recipe = Recipe::from_json(json, "r.json").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(recipe.pipeline.get("n.octaves").expect("a parameter"), Some(Setting::Integer(4)));
}

#[test]
fn errors_name_the_parameter_the_expression_and_the_column() {
    for (variables, wavelength, expected) in [
        (
            "width = 3",
            "'widht * 2'",
            "r.toml:6:1: node 'n': wavelength = \"widht * 2\" is not allowed (column 1: there is no variable 'widht'; did you mean 'width'?",
        ),
        ("", "'width'", "there is no variable 'width'; the recipe has no [variables]"),
        ("width = 3", "'width *'", "column 8: something is missing at the end"),
        ("width = 3", "'1 / (width - 3)'", "column 3: 1 is divided by zero"),
        ("width = 3", "'width - 5'", "node 'n': wavelength = -2 is not allowed; allowed: 0.000001 to 1e12 (the value of \"width - 5\")"),
        ("width = 3", "'300'", "(numbers stand without quotes)"),
        ("a = 'b'\nb = 'c + 1'\nc = 'a'", "1.0", "r.toml:3:1: variables depend on each other: a → b → c → a"),
        ("a = 'a'", "1.0", "variables depend on each other: a → a"),
        ("a = 'nowhere'", "1.0", "variable 'a' = \"nowhere\" is not allowed (column 1: there is no variable 'nowhere'"),
        ("a = '1 / 0'", "'a'", "variable 'a' = \"1 / 0\" is not allowed (column 3: 1 is divided by zero)"),
        ("a = inf", "1.0", "variable 'a' = inf is not allowed; allowed: a number, an expression in quotes"),
        ("a = true", "1.0", "variable 'a' = true is not allowed"),
        ("min = 1", "1.0", "a variable cannot be called 'min'"),
        ("'a b' = 1", "1.0", "a variable cannot be called 'a b'"),
        ("file = 1", "1.0", "a variable cannot be called 'file'"),
        ("a = { value = 9, range = [0, 5] }", "1.0", "variable 'a' = 9 is not allowed; allowed: 0 to 5"),
        ("a = { value = 9, range = [5, 0] }", "1.0", "variable 'a': range = [5, 0] is not allowed; allowed: [smallest, largest]"),
        ("a = { range = [0, 5] }", "1.0", "variable 'a': value is missing"),
        ("a = { value = 1, rnage = [0, 5] }", "1.0", "variable 'a': unknown field 'rnage'; did you mean 'range'?"),
    ] {
        let told = told(&with(variables, wavelength));
        assert!(told.contains(expected), "{variables}, {wavelength}: {told}");
        // An error in a variable is reported once, not where it is used.
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    let whole = "output = 'f'\n[node.f]\nkind = 'fractal'\nof = 'b'\noctaves = '5 / 2'\n[node.b]\nkind = 'simplex'\n";
    assert!(told(whole).contains("octaves = \"5 / 2\" is not allowed (it is 2.5, which is not a whole number; round()"), "{}", told(whole));
    let many: String = (0..300).map(|i| format!("v{i} = 1\n")).collect();
    assert!(told(&with(&many, "1.0")).contains("300 variables; allowed: up to 256"));
}

#[test]
fn chains_of_variables_are_short_work() {
    let chain: String = (0..255).map(|i| format!("v{i} = 'v{} + 1'\n", i + 1)).collect();
    let read = read(&with(&(chain + "v255 = 0"), "'v0'"));
    assert_eq!(read.variables["v0"].value, 255.0);
}

#[test]
fn a_node_may_begin_with_an_equals_sign() {
    let text = "output = 'n'\n[node.\"=b\"]\nkind = 'simplex'\n[node.n]\nkind = 'abs'\nof = '=b'\n";
    let recipe = Recipe::from_toml(text, "r.toml").expect("good");
    assert_eq!(Recipe::from_toml(&recipe.to_toml().expect("TOML"), "again").expect("good"), recipe);
}

#[test]
fn variables_are_set_from_outside() {
    let text = with("width = { value = 3, range = [1, 10] }\nheight = 'width * 2'", "'height'");
    let wavelength = |read: &ReadRecipe| read.recipe.pipeline.get("n.wavelength").expect("a parameter");
    let set = |name: &str, value: Setting| RecipeReader::new().variable(name, value).toml(&text, "r.toml");
    assert_eq!(wavelength(&set("width", 5.into()).expect("good")), Some(10.0.into()));
    assert_eq!(wavelength(&set("height", "width + 1".into()).expect("good")), Some(4.0.into()));
    let refused = set("width", 50.into()).expect_err("too wide").to_string();
    assert_eq!(refused, "r.toml:3:1: variable 'width' = 50 is not allowed; allowed: 1 to 10");
    let other = set("n.seed", 4.into()).expect("left to the caller");
    assert_eq!(other.unknown, ["n.seed"]);
}

#[test]
fn the_command_sets_variables_and_parameters() {
    let scratch = Scratch::new("variables-set");
    let recipe = scratch.file("r.toml", &with("width = 50.0", "'width * 2'"));
    let sample = |sets: &[&str], code: i32, parts: &[&str]| {
        let mut args = vec!["sample", path(&recipe), "--points", "-", "--backend", "cpu"];
        args.extend(sets.iter().flat_map(|set| ["--set", set]));
        let output = run(&args, "10 20 0\n");
        expect(&output, code, parts);
        text(&output.stdout)
    };
    let plain = sample(&[], 0, &[]);
    assert_ne!(sample(&["width=60"], 0, &[]), plain);
    assert_eq!(sample(&["width=60"], 0, &[]), sample(&["n.wavelength=120.0"], 0, &[]));
    assert_eq!(sample(&["width=25 + 5^2"], 0, &[]), plain);
    sample(&["height=60"], 2, &["--set height: there is no such variable; allowed: NAME.PARAM, or a variable (width)"]);
    sample(&["width=wdith"], 65, &["variable 'width' = \"wdith\" is not allowed"]);
}
