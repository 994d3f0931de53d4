//! Messages for invalid recipes and commands: plain words, the position, all of the first errors, and suggestions.

use crate::nodes;
use crate::support::{RECIPE, Scratch, command, expect, path, run, text};
use orogen::node::{ControlPoint, Node, QuantilePoint};
use orogen::stage::{ColourStop, RadialPoint};
use orogen::{GpuError, Noise, Recipe, RecipeError, Setting};
use serde_json::{Value, json};

const GOOD: &str = "output = \"h\"\n[node.b]\nkind = \"simplex\"\nwavelength = 300.0\n[node.h]\nkind = \"fractal\"\nof = \"b\"\n";

/// Words of Rust, of parsers and of serialisation.
const FOREIGN: &[&str] = &[
    "f64",
    "f32",
    "u32",
    "u64",
    "i64",
    "i128",
    "usize",
    "bool",
    "invalid type",
    "invalid value",
    "invalid length",
    "unknown variant",
    "missing field",
    " expected",
    "sequence",
    "tuple",
    "struct",
    "newtype",
    "EOF",
    "literal",
    "serde",
    "Option",
    "deserial",
];

fn told(toml: &str) -> String {
    Recipe::from_toml(toml, "hills.toml").map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

fn assert_plain(message: &str, what: &str) {
    for word in FOREIGN {
        assert!(!message.contains(word), "{what}: '{word}' in: {message}");
    }
    // No list of forty words.
    for line in message.lines() {
        assert!(line.matches(", ").count() <= 24 && line.len() < 700, "{what}: {line}");
    }
}

#[test]
fn mistakes_are_told_in_words_that_a_modder_knows() {
    for (from, to, parts) in [
        (
            "kind = \"fractal\"",
            "type = \"fractal\"",
            &["hills.toml:6:1: node 'h': kind is missing; did you mean 'kind' instead of 'type'?"][..],
        ),
        (
            "300.0",
            "\"300\"",
            &[
                "hills.toml:4:1: node 'b': wavelength = \"300\" is not allowed (numbers stand without quotes); allowed: a number from 0.000001 to 1e12",
            ],
        ),
        (
            "wavelength",
            "seed = -1\nwavelength",
            &[
                "hills.toml:4:1: node 'b': seed = -1 is not allowed (a seed only distinguishes noises: use any other number",
                "; allowed: a whole number",
            ],
        ),
        ("[node.h]", "[node.b]", &["hills.toml:5:7: this name stands here twice; allowed: once"]),
        ("of = \"b\"\n", "", &["hills.toml:5:7: node 'h': input of is missing"]),
        (GOOD, "{ \"output\": \"h\" }", &["hills.toml:1:1: this is JSON"]),
        ("300.0", "3 * 100", &["hills.toml:4:", "not a value; allowed: a number", "no arithmetic"]),
        ("300.0", "true", &["wavelength = true is not allowed; allowed: a number"]),
        (
            "wavelength",
            "frequency",
            &[
                "hills.toml:4:1: node 'b': unknown field 'frequency' of kind 'simplex'; did you mean 'wavelength' (wavelength = 1 / frequency",
            ],
        ),
        ("of = \"b\"", "of = \"b\"\npersistence = 0.5", &["hills.toml:8:1", "did you mean 'gain'?"]),
        ("wavelength", "amplitude", &["a node of the kind 'scale_offset'"]),
        ("\"fractal\"", "\"fbm\"", &["hills.toml:6:1: node 'h': unknown kind 'fbm'; did you mean 'fractal'?", "orogen schema"]),
        ("\"simplex\"", "\"voronoi\"", &["did you mean 'worley'?"]),
        ("of = \"b\"", "of = \"B\"", &["hills.toml:7:1: node 'h': of: there is no node 'B'; did you mean 'b'? allowed: b, h"]),
        ("\"h\"", "3", &["hills.toml:1:1: output = 3 is not allowed; allowed: the name of a node or stage, in quotes"]),
        (
            "[node.b]",
            "[bake]\nfor = \"unrael\"\n[node.b]",
            &["hills.toml:3:1: bake: for = \"unrael\" is not allowed; did you mean 'unreal'? allowed: unreal, "],
        ),
        ("[node.b]", "[bake]\ntil = 5\n[node.b]", &["bake: unknown field 'til'; did you mean 'tile'?"]),
        ("\"simplex\"", "\"strata\"", &["did you mean 'beds'?"]),
        ("\"simplex\"", "\"flow_noise\"", &["did you mean 'simplex' (or perlin, with gradients = \"turning\")?"]),
        ("\"simplex\"", "\"psrdnoise\"", &["did you mean 'simplex' (or perlin, with gradients = \"turning\")?"]),
        ("\"simplex\"", "\"hex_tile\"", &["did you mean 'by_example'?"]),
        ("\"simplex\"", "\"histogram_blend\"", &["did you mean 'by_example'?"]),
        ("\"simplex\"", "\"veins\"", &["did you mean 'worley'?"]),
        (
            "kind = \"simplex\"",
            "kind = \"simplex\"\ndimensions = 3\nhash = \"permutation289\"\ngradients = \"turning\"",
            &["gradients = \"turning\" is not allowed; allowed: \"still\""],
        ),
        (
            "kind = \"simplex\"",
            "kind = \"simplex\"\nhash = \"integre\"",
            &["hash = \"integre\" is not allowed (did you mean 'integer'?); allowed: integer, permutation289"],
        ),
        ("of = \"b\"", "of = \"b\"\noctaves = 4.5", &["octaves = 4.5 is not allowed; allowed: a whole number from 1 to 32"]),
        ("of = \"b\"", "of = true", &["of = true is not allowed; allowed: a number or the name of a node"]),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let message = told(&GOOD.replacen(from, to, 1));
        for part in parts {
            assert!(message.contains(part), "'{from}' → '{to}': '{part}' is not in: {message}");
        }
        assert_plain(&message, to);
    }
}

#[test]
fn the_first_three_mistakes_are_told_in_the_order_of_the_text() {
    let places =
        |error: &RecipeError| error.mistakes().iter().filter_map(|one| one.location()).map(|at| (at.line, at.column)).collect::<Vec<_>>();
    let bad = GOOD.replace("wavelength", "wavelenght").replace("\"fractal\"", "\"fractl\"");
    let error = Recipe::from_toml(&bad, "hills.toml").expect_err("two mistakes");
    assert_eq!(places(&error), [(4, 1), (6, 1)]);
    let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
    assert!(lines.len() == 2 && lines[0].starts_with("hills.toml:4:1: ") && lines[1].starts_with("hills.toml:6:1: "), "{lines:?}");
    // Independent mistakes of every kind are reported. No mistake is reported about the unreadable node's contents, nor about its
    // readers.
    let bad = concat!(
        "output = \"nowhere\"\n[bake]\ntile = 0\n[node.a]\nkind = \"perlin\"\nseed = \"x\"\n[node.c]\nkind = \"abs\"\nof = \"a\"\n",
        "[node.d]\nkind = \"abs\"\nof = \"z\"\n[node.e]\nkind = \"clamp\"\nof = \"c\"\nlow = 2e15\n"
    );
    let error = Recipe::from_toml(bad, "hills.toml").expect_err("five mistakes");
    assert_eq!(places(&error), [(1, 1), (3, 1), (6, 1)], "{error}");
    let error = Recipe::from_toml(&bad.replace("nowhere", "d").replace("tile = 0", "tile = 8"), "hills.toml").expect_err("three mistakes");
    assert_eq!(places(&error), [(6, 1), (12, 1), (16, 1)], "{error}");
    assert_eq!(error.location().map(|at| at.line), Some(6));
    // Three lines that are not TOML.
    let error =
        Recipe::from_toml(&GOOD.replace("\"simplex\"", "simplex").replace("300.0", "").replace("\"fractal\"", "[1 2"), "hills.toml")
            .expect_err("no TOML");
    assert_eq!(places(&error).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 7], "{error}");
    assert_plain(&error.to_string(), "no TOML");
    // JSON, and stages.
    let bad = "{\"output\": \"s\",\n\"node\": {\"a\": {\"kind\": \"simplx\"}},\n\"stage\": {\"s\": {\"kind\": \"gaussian\",\n\"of\": \"a\",\n\"sigma\": 0, \"x\": 1}}}";
    let error = Recipe::from_json(bad, "hills.json").expect_err("two mistakes");
    assert_eq!(places(&error).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 5], "{error}");
    // Thousands of mistakes take no longer than one.
    let many: String = (0..20_000).map(|i| format!("[node.n{i}]\nkind = \"abs\"\nof = \"m{i}\"\nextra = 1\n")).collect();
    let start = std::time::Instant::now();
    let error = Recipe::from_toml(&format!("output = \"n0\"\n{many}"), "many.toml").expect_err("many mistakes");
    assert_eq!(error.mistakes().len(), 3);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn no_value_of_a_parameter_is_refused_in_words_of_rust() {
    let bad = [
        json!(null),
        json!(true),
        json!("text"),
        json!("1"),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!([]),
        json!([true]),
        json!([[1]]),
        json!([[1, 2, 3]]),
        json!([["a", "b"]]),
        json!({}),
        json!({ "x": 1 }),
        json!([{}]),
        json!([{ "at": "x" }]),
        json!([{ "valeu": 1 }]),
        json!([1, 2, 3, 4, 5]),
        json!(["a"]),
    ];
    let (mut refused, mut tried) = (0, 0);
    let mut check = |table: &str, name: &str, tree: &Value, param: &str| {
        for value in &bad {
            let mut tree = tree.clone();
            tree[table][name][param] = value.clone();
            let in_toml = toml_of(&tree).map(|text| Recipe::from_toml(&text, "bad.toml"));
            for read in [Some(Recipe::from_json(&tree.to_string(), "bad.json")), in_toml].into_iter().flatten() {
                tried += 1;
                if let Err(error) = read {
                    refused += 1;
                    let what = format!("{table} {name}.{param} = {value}");
                    assert_plain(&error.to_string(), &what);
                    assert!(error.location().is_some() && error.to_string().contains(param), "{what}: {error}");
                }
            }
        }
    };
    for row in Node::TABLE {
        let graph = nodes::of_kind(row.kind).remove(0).graph().clone();
        let (output, json) = (graph.output.clone(), Recipe::new(graph).to_json().expect("JSON"));
        let tree: Value = serde_json::from_str(&json).expect("JSON");
        row.params.iter().for_each(|param| check("node", &output, &tree, param.name));
    }
    for (_, pipeline) in crate::stages::examples() {
        let (stage, json) = (pipeline.stage[&pipeline.output].clone(), Recipe::new(pipeline.clone()).to_json().expect("JSON"));
        let tree: Value = serde_json::from_str(&json).expect("JSON");
        stage.info().params.iter().for_each(|param| check("stage", &pipeline.output, &tree, param.name));
    }
    let tree = json!({ "output": "n", "node": { "n": { "kind": "simplex" } }, "bake": { "n": {} } });
    for name in ["tile", "tiles", "spacing", "z", "layers", "for"] {
        for value in &bad {
            let mut tree = tree.clone();
            tree["bake"] = json!({ name: value });
            if let Err(error) = Recipe::from_json(&tree.to_string(), "bad.json") {
                assert_plain(&error.to_string(), &format!("bake.{name} = {value}"));
            }
        }
    }
    println!("{refused} of {tried} values were refused");
    assert!(refused > 5000, "{refused} of {tried} values were refused");
}

/// The same as TOML, which has no null.
fn toml_of(tree: &Value) -> Option<String> {
    let has_null = |tree: &Value| tree.to_string().contains("null");
    if has_null(tree) { None } else { toml::to_string(tree).ok() }
}

#[test]
fn text_that_is_neither_toml_nor_json_is_refused_in_plain_words() {
    let toml = [
        "output = ",
        "output",
        "= 3",
        "[node",
        "[[node]",
        "output = \"n",
        "output = [1, 2",
        "output = [1 2]",
        "output = [1,, 2]",
        "output = {a = 1",
        "output = {a 1}",
        "output = 1__0",
        "output = 0x",
        "output = 01",
        "output = +-1",
        "output = 1e",
        "output = 2024-13-01",
        "a.b = 1\na = 2",
        "output = 'a' 'b'",
        "output = \"\\q\"",
        "output = \"\"\"a",
        "\u{1}",
        "output = \"a\u{1}\"",
        "[a]\n[a]",
        "a = 1\r b = 2",
        "output = 99999999999999999999",
        "output = tru",
        "output = nul",
        "🌋 = 1",
        "[]",
        "\"\" = 1",
        "output = .5",
        "output = 1.",
        "x = {a = 1, a = 2}",
        "output: n",
        "node.n:\n  kind: simplex",
    ];
    for text in toml {
        let message = told(text);
        assert!(message.starts_with("hills.toml:"), "{text:?}: {message}");
        assert_plain(&message, text);
    }
    let json = [
        "",
        "{",
        "{\"output\"",
        "{\"output\":",
        "{\"output\": \"n",
        "{\"output\": [1, 2",
        "{\"output\": \"n\",}",
        "{output: \"n\"}",
        "{\"output\": n}",
        "{\"output\": 'n'}",
        "[]",
        "3",
        "{\"output\": 01}",
        "{\"output\": 1e999}",
        "{\"output\": \"n\"} x",
        "{\"output\": \"\\q\"}",
        "{\"output\": \"a\nb\"}",
        "{\"a\": 1, \"a\": 2}",
        "output = \"n\"",
        "{\"output\": .5}",
        "{\"output\": nul}",
        "{\"output\" \"n\"}",
        "{\"output\": \"\\ud800\"}",
    ];
    for text in json.into_iter().map(str::to_owned).chain(["[".repeat(1000)]) {
        let error = Recipe::from_json(&text, "hills.json").expect_err(&text).to_string();
        assert!(error.starts_with("hills.json:"), "{text:?}: {error}");
        assert_plain(&error, &text);
        assert!(!error.contains(" at line "), "{text:?}: {error}");
    }
}

#[test]
fn a_point_is_a_table_or_a_pair_and_nothing_else() {
    let spline = |points: &str| GOOD.replace("\"h\"", "\"s\"") + &format!("[node.s]\nkind = \"spline\"\nof = \"h\"\npoints = {points}\n");
    let read = |points: &str| Recipe::from_toml(&spline(points), "hills.toml").map_err(|error| error.to_string());
    let tables = read("[{ at = -1.0, value = 0.0 }, { at = 1, value = 9.0 }]").expect("tables");
    assert_eq!(read("[[-1.0, 0.0], [1, 9.0]]").expect("pairs"), tables);
    assert_eq!(read("[[-1.0, 0.0], { at = 1, value = 9.0, slope_in = 0 }]").expect("both"), tables);
    for points in ["[[-1.0, 0.0, 5.0], [1.0, 9.0]]", "[[-1.0, 0.0, 5.0, 5.0], [1.0, 9.0]]", "[[-1.0], [1.0, 9.0]]", "[[], [1.0, 9.0]]"] {
        let error = read(points).expect_err(points);
        let allowed = "allowed: [at, value] or { at, value, slope_in, slope_out } (slope_in and slope_out may be left out)";
        assert!(
            error.contains("hills.toml:11:1: node 's': points = [[") && error.contains("(point 0 has ") && error.contains(allowed),
            "{error}"
        );
    }
    for (points, part) in [
        ("[[-1.0, 0.0], [\"1.0\", 9.0]]", "point 1: at = \"1.0\" is not a number"),
        ("[[-1.0, 0.0], [\"a\", 9.0]]", "points = \"a\" is not allowed (column 1: there is no variable 'a'"),
        ("[[-1.0, 0.0], { at = 1.0 }]", "point 1: value is missing"),
        (
            "[[-1.0, 0.0], { at = 1.0, valeu = 2 }]",
            "point 1: unknown field 'valeu'; did you mean 'value'? allowed: at, value, slope_in, slope_out",
        ),
        ("[[-1.0, 0.0], 3]", "point 1 is 3; allowed: [at, value] or"),
        ("[[1.0, 0.0], [-1.0, 9.0]]", "at = -1 after at = 1"),
    ] {
        let error = read(points).expect_err(points);
        assert!(error.contains(part), "{points}: {error}");
    }
    // Every kind of point, and as a setting.
    let json = |text: &str| serde_json::from_str::<Vec<Value>>(text).expect("JSON").len();
    assert_eq!(serde_json::from_str::<Vec<QuantilePoint>>("[[0, 1], [1, 2]]").expect("pairs").len(), json("[0, 1]"));
    assert_eq!(serde_json::from_str::<ColourStop>("[0.5, \"#ff0000\"]").expect("a pair"), ColourStop::new(0.5, "#ff0000"));
    assert_eq!(serde_json::from_str::<RadialPoint>("[0.25, 3]").expect("a pair"), RadialPoint { frequency: 0.25, amplitude: 3.0 });
    assert!(serde_json::from_str::<QuantilePoint>("[0, 1, 2]").is_err() && serde_json::from_str::<ControlPoint>("[0, 1, 2]").is_err());
    let point = ControlPoint { at: 1.0, value: 2.0, ..Default::default() };
    assert_eq!(serde_json::from_str::<ControlPoint>(&serde_json::to_string(&point).expect("JSON")).expect("read"), point);
    assert_eq!(serde_json::from_str::<Setting>("[[0, 1], [1, 2]]").expect("points").to_string(), "2 control point(s)");
    let mut noise = Noise::simplex(Default::default()).spline(vec![point, ControlPoint { at: 3.0, ..point }]);
    let triples = serde_json::from_str::<Setting>("[[0, 1, 5], [1, 2, 5]]").expect("vectors");
    let error = noise.set("spline.points", triples).expect_err("triples").to_string();
    assert!(error.contains("allowed: a list of control points"), "{error}");
    let schema = orogen::schema();
    let pair = schema.pointer("/$defs/ControlPoint/anyOf/1").unwrap_or_else(|| panic!("{}", schema["$defs"]["ControlPoint"]));
    assert_eq!((&pair["minItems"], &pair["prefixItems"][1]["type"]), (&json!(2), &json!("number")));
    assert_eq!(schema.pointer("/$defs/ColourStop/anyOf/1/prefixItems/1/type"), Some(&json!("string")));
}

#[test]
fn recipes_are_read_as_windows_writes_them() {
    let (toml, json) = (RECIPE.to_owned(), Recipe::from_toml(RECIPE, "r").expect("good").to_json().expect("JSON"));
    let scratch = Scratch::new("messages-bom");
    for (name, text) in [("r.toml", toml), ("r.json", json)] {
        let plain = Recipe::load(scratch.file(name, &text)).expect("plain");
        for text in [format!("\u{feff}{text}"), text.replace('\n', "\r\n"), format!("\u{feff}{}", text.replace('\n', "\r\n"))] {
            assert_eq!(Recipe::load(scratch.file(name, &text)).expect("as Windows writes it"), plain, "{name}");
        }
        // The mark takes no column.
        let bad = format!("\u{feff}{}", text.replacen("output", "outptu", 1));
        let error = Recipe::load(scratch.file(name, &bad)).expect_err("a mistake");
        let column = if name == "r.toml" { 1 } else { error.location().expect("a place").column };
        assert!(error.mistakes().iter().any(|one| one.location().is_some_and(|at| at.column == column)), "{error}");
        let bytes: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(scratch.0.join(name), bytes).expect("written");
        let output = run(&["sample", path(&scratch.0.join(name)), "--points", "-", "--backend", "cpu"], "0 0 0\n");
        expect(&output, 65, &[&format!("{name}:1:1: is UTF-16 text; allowed: UTF-8")]);
    }
}

#[test]
fn points_are_read_as_other_programs_write_them() {
    let scratch = Scratch::new("messages-points");
    let recipe = scratch.file("r.toml", &RECIPE.replace("tile = 32", "tile = 32\nz = 3.5"));
    let sample = |points: &str, input: &str| run(&["sample", path(&recipe), "--points", points, "--backend", "cpu"], input);
    let values = |points: &str, input: &str| {
        let output = sample(points, input);
        expect(&output, 0, &[]);
        text(&output.stdout)
    };
    let three = values("-", "1 2 3\n4 5 6\n");
    for input in ["\u{feff}1,2,3\r\n4,5,6\r\n", "x;y;z\n1;2;3\n4;5;6\n", "# here\nx y z\n1 2 3\n4 5 6\n"] {
        assert_eq!(values("-", input), three, "{input:?}");
    }
    // The command's own output.
    let (places, hexes) = (scratch.0.join("p.csv"), scratch.0.join("h.csv"));
    expect(
        &run(&["places", path(&recipe), "-o", path(&places), "--distance", "9", "--density", "none", "--area", "0,0,60,60"], ""),
        0,
        &[],
    );
    expect(&run(&["hexmap", path(&recipe), "-o", path(&hexes), "--q", "0..4", "--r", "0..3", "--backend", "oracle"], ""), 0, &[]);
    let rows =
        |file: &std::path::Path| std::fs::read_to_string(file).expect("a table").lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(path(&places), "").lines().count(), rows(&places).len());
    let found = text(&run(&["sample", path(&recipe), "--points", path(&hexes), "--backend", "oracle"], "").stdout);
    for (row, value) in rows(&hexes).iter().zip(found.lines()) {
        let own: f64 = row.rsplit(',').next().and_then(|value| value.parse().ok()).expect("a value");
        assert_eq!(value.parse::<f64>().expect("a value").to_bits(), own.to_bits(), "{row}");
    }
    assert_eq!(found.lines().count(), 12);
    // Input that is not text, and input without end.
    let binary = scratch.0.join("p.txt");
    std::fs::write(&binary, b"1 2 3\n\xe9 1 2\n").expect("written");
    expect(&sample(path(&binary), ""), 65, &["p.txt:2: is not UTF-8 text"]);
    std::fs::write(&binary, b"\xff\xfe1\0 \x002\0 \x003\0\n\0").expect("written");
    expect(&sample(path(&binary), ""), 65, &["p.txt:1: is UTF-16 text"]);
    #[cfg(target_os = "linux")]
    for (device, part) in [("/dev/zero", "allowed"), ("/dev/urandom", "allowed")] {
        expect(&sample(device, ""), 65, &[&format!("{device}:"), part]);
    }
}

/// Mesa looks for a Wayland display, and prints a message on standard error if there is no directory for it.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_driver_says_nothing_of_a_missing_runtime_directory() {
    let scratch = Scratch::new("messages-xdg");
    let recipe = scratch.file("r.toml", RECIPE);
    for args in [&["info"][..], &["preview", path(&recipe), "-o", path(&scratch.0.join("p.png")), "--size", "8,8", "--backend", "gpu"]] {
        for (name, value) in [("XDG_RUNTIME_DIR", None), ("XDG_RUNTIME_DIR", Some("")), ("XDG_RUNTIME_DIR", Some("relative"))] {
            let mut command = command(args);
            command.env_remove("WAYLAND_DISPLAY").env_remove(name);
            value.map(|value| command.env(name, value));
            let output = command.output().expect("runs");
            expect(&output, 0, &[]);
            assert!(!text(&output.stderr).contains("XDG_RUNTIME_DIR"), "{args:?}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn no_adapter_is_not_the_same_as_a_software_adapter() {
    let none = GpuError::NoAdapter { wanted: None, found: String::new() }.to_string();
    assert_eq!(none, "no adapter; found: none; a software adapter: apt-get install mesa-vulkan-drivers libvulkan1");
    let named = GpuError::NoAdapter { wanted: Some("radeon".to_owned()), found: "llvmpipe".to_owned() }.to_string();
    assert_eq!(named, "no adapter with 'radeon' in its name; found: llvmpipe");
    let software = GpuError::OnlySoftware { found: "llvmpipe".to_owned() }.to_string();
    assert!(software.starts_with("no hardware GPU; found: llvmpipe, a software adapter, which is used on request only: "), "{software}");
    // The adapters of this machine.
    let adapters = orogen::list_adapters();
    let refused = orogen::Engine::new().expect("an engine").describe().gpu_refused;
    if std::env::var_os("OROGEN_ADAPTER").is_none() && adapters.iter().all(|adapter| adapter.kind == "software") {
        let refused = refused.expect("a reason");
        let says = if adapters.is_empty() { "no adapter; found: none" } else { "no hardware GPU; found: " };
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn a_bake_names_what_nothing_needs() {
    let scratch = Scratch::new("messages-unused");
    let with = RECIPE.replace("[bake]", "[node.seen]\nkind = \"white\"\n[node.forgotten]\nkind = \"abs\"\nof = \"lost\"\n[node.lost]\nkind = \"white\"\n[bake]\nlayers = [\"seen\"]");
    let bake = |name: &str, text: &str| {
        let recipe = scratch.file(&format!("{name}.toml"), text);
        let output = run(&["bake", path(&recipe), "--out", path(&scratch.0.join(name)), "--backend", "cpu"], "");
        expect(&output, 0, &[]);
        crate::support::text(&output.stderr)
    };
    let said = bake("with", &with);
    assert!(said.contains("with.toml: neither the output nor a layer needs 'forgotten', 'lost'"), "{said}");
    assert!(!bake("without", RECIPE).contains("needs"));
}
