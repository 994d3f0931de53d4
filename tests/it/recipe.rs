//! Bad recipes: every error names file, line, node, parameter, value and what is allowed; no input panics.

use crate::nodes;
use orogen::node::{Allowed, Node, ParamType};
use orogen::stage::{Gaussian, Thermal, Voss};
use orogen::{Bake, Noise, Pipeline, Recipe, Setting, StageError};

const GOOD: &str = r#"
output = "height"

[node.basis]
kind = "simplex"
wavelength = 300.0

[node.raw]
kind = "fractal"
of = "basis"
octaves = 4

[node.height]
kind = "spline"
of = "raw"
points = [
    { at = 0.0, value = 0.0 },
    { at = 1.0, value = 120.0 },
]
"#;

fn error(text: &str) -> String {
    match Recipe::from_toml(text, "alps.toml") {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_good_recipe_is_read() {
    let recipe = Recipe::from_toml(GOOD, "alps.toml").expect("good");
    assert_eq!(recipe.pipeline.output, "height");
    assert_eq!(recipe.pipeline.node.len(), 3);
}

#[test]
fn errors_name_place_node_value_and_what_is_allowed() {
    // A replacement in the recipe, the position in the message, and parts of its text.
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("\"simplex\"", "\"simplx\"", "alps.toml:5:1", &["node 'basis'", "'simplx'", "did you mean 'simplex'?"]),
        ("kind = \"simplex\"\n", "", "alps.toml:4:", &["node 'basis'", "kind is missing"]),
        (
            "wavelength = 300.0",
            "wavelenght = 300.0",
            "alps.toml:6:1",
            &["node 'basis'", "'wavelenght'", "dimensions, w, gradients, w_period, hash"],
        ),
        ("wavelength = 300.0", "wavelength = 0.0", "alps.toml:6:1", &["node 'basis'", "wavelength = 0", "0.000001 to 1e12"]),
        ("wavelength = 300.0", "wavelength = -5.0", "alps.toml:6:1", &["node 'basis'", "wavelength = -5"]),
        ("wavelength = 300.0", "wavelength = nan", "alps.toml:6:1", &["node 'basis'", "wavelength = NaN"]),
        ("wavelength = 300.0", "wavelength = inf", "alps.toml:6:1", &["node 'basis'", "wavelength = inf"]),
        (
            "wavelength = 300.0",
            "wavelength = \"long\"",
            "alps.toml:6:1",
            &["node 'basis'", "wavelength = \"long\" is not allowed", "0.000001 to 1e12"],
        ),
        ("wavelength = 300.0", "hash = \"md5\"", "alps.toml:6:1", &["node 'basis'", "md5", "allowed: integer, permutation289"]),
        ("wavelength = 300.0", "dimensions = 5", "alps.toml:6:1", &["node 'basis'", "dimensions = 5", "1 to 4"]),
        ("wavelength = 300.0", "hash = \"permutation289\"", "alps.toml:", &["node 'basis'", "dimensions = 2", "3 with hash"]),
        ("wavelength = 300.0", "seed = -1", "alps.toml:6:1", &["node 'basis'", "seed"]),
        ("octaves = 4", "octaves = 0", "alps.toml:11:1", &["node 'raw'", "octaves = 0", "1 to 32"]),
        ("octaves = 4", "octaves = 4000000000", "alps.toml:11:1", &["node 'raw'", "octaves = 4000000000", "1 to 32"]),
        ("octaves = 4", "octaves = 4.5", "alps.toml:11:1", &["node 'raw'", "octaves"]),
        ("octaves = 4", "offsets = [[1.0, 2.0, 3.0]]", "alps.toml:11:1", &["node 'raw'", "offsets = 1 offsets", "one per octave"]),
        ("octaves = 4", "octaves = 4\naxis = [0.0, 0.0, 0.0]", "alps.toml:12:1", &["node 'raw'", "axis"]),
        ("of = \"basis\"", "of = \"bassis\"", "alps.toml:10:1", &["node 'raw'", "of", "no node 'bassis'", "basis, raw, height"]),
        ("of = \"basis\"\n", "", "alps.toml:8:", &["node 'raw'", "input of is missing"]),
        ("of = \"basis\"", "of = true", "alps.toml:10:1", &["node 'raw'", "of", "a number or the name of a node"]),
        ("of = \"basis\"", "of = \"height\"", "alps.toml:", &["cycle", "height → raw → height"]),
        ("of = \"basis\"", "of = inf", "alps.toml:10:1", &["node 'raw'", "of = inf"]),
        ("output = \"height\"", "output = \"depth\"", "alps.toml:2:1", &["output", "no node 'depth'"]),
        ("output = \"height\"", "", "alps.toml:1:1", &["output", "is missing"]),
        (
            "output = \"height\"",
            "output = \"height\"\nextra = 1",
            "alps.toml:3:1",
            &["unknown field 'extra'", "output, variables, node, stage, bake"],
        ),
        ("{ at = 1.0, value = 120.0 },", "", "alps.toml:16:1", &["node 'height'", "points = 1 point(s)", "at least two"]),
        ("at = 1.0", "at = 0.0", "alps.toml:16:1", &["node 'height'", "strictly increasing"]),
        ("at = 1.0", "at = -1.0", "alps.toml:16:1", &["node 'height'", "at = -1 after at = 0"]),
        ("value = 120.0", "value = nan", "alps.toml:16:1", &["node 'height'", "value = NaN in point 1"]),
        ("value = 120.0", "valeu = 120.0", "alps.toml:16:1", &["node 'height'", "valeu"]),
        ("[node.raw]", "[node.basis]", "alps.toml:8:", &["stands here twice"]),
        ("octaves = 4", "octaves = ", "alps.toml:11:", &[]),
        ("[node.basis]", "[bake]\ntile = 0\n[node.basis]", "alps.toml:5:1", &["tile = 0", "1 to 16384"]),
        ("[node.basis]", "[bake]\ntiles = [65536, 65536]\n[node.basis]", "alps.toml:5:1", &["tiles", "16777216"]),
        ("[node.basis]", "[bake]\ntile = 8\ntiles = [0, -1]\n[node.basis]", "alps.toml:6:1", &["bake: tiles", "-1", "16777216"]),
        ("[node.basis]", "[bake]\ntile = 1.5\n[node.basis]", "alps.toml:5:1", &["bake: tile", "1.5", "1 to 16384"]),
        ("wavelength = 300.0", "seed = 99999999999999999999", "alps.toml:6:8", &["integer", "9223372036854775807"]),
        (
            "[node.basis]",
            "[node.hill]\nkind = \"hill\"\nsizes = []\n[node.basis]",
            "alps.toml:6:1",
            &["sizes = an empty list", "at least one number is required"],
        ),
        ("[node.basis]", "[bake]\nspacing = -1.0\n[node.basis]", "alps.toml:5:1", &["spacing = -1"]),
        ("[node.basis]", "[bake]\nz = inf\n[node.basis]", "alps.toml:5:1", &["z = inf"]),
        ("[node.basis]", "[bake]\nsize = 3\n[node.basis]", "alps.toml:5:1", &["bake: unknown field 'size'", "allowed: tile, tiles"]),
        ("[node.basis]", "[bake]\nlayers = [\"depth\"]\n[node.basis]", "alps.toml:5:1", &["layers", "'depth'"]),
        (
            "[node.basis]",
            "[stage.soft]\nkind = \"gausian\"\n[node.basis]",
            "alps.toml:5:1",
            &["stage 'soft'", "'gausian'", "did you mean 'gaussian'?"],
        ),
        ("[node.basis]", "[stage.soft]\nkind = \"gaussian\"\n[node.basis]", "alps.toml:4:", &["stage 'soft'", "input of is missing"]),
        (
            "[node.basis]",
            "[stage.soft]\nkind = \"gaussian\"\nof = \"height\"\nsigma = 0\n[node.basis]",
            "alps.toml:7:1",
            &["stage 'soft'", "sigma = 0", "0.1 to 256"],
        ),
        (
            "[node.basis]",
            "[stage.c]\nkind = \"colour\"\nby = \"raw\"\nstops = [{ at = 1, colour = \"#000000\" }, { at = 0, colour = \"#ffffff\" }]\n[node.basis]",
            "alps.toml:7:1",
            &["stage 'c'", "at = 0 after at = 1", "never decreasing"],
        ),
        ("[node.basis]", "[stage.raw]\nkind = \"voss\"\n[node.basis]", "alps.toml:", &["stage 'raw'", "'raw' is the name of a node"]),
        (
            "[node.basis]",
            "[stage.er]\nkind = \"hydraulic\"\nof = \"raw\"\n[node.\"er.water\"]\nkind = \"simplex\"\n[node.basis]",
            "alps.toml:5:1",
            &["stage 'er'", "'er.water' is the name of a node"],
        ),
        ("[node.basis]", "[stage.\"e.r\"]\nkind = \"voss\"\n[node.basis]", "alps.toml:", &["stage 'e.r'", "no dot"]),
    ];
    for (from, to, place, parts) in cases {
        assert!(GOOD.contains(from), "{from}");
        let message = error(&GOOD.replacen(from, to, 1));
        for part in parts.iter().chain([place]) {
            assert!(message.contains(part), "'{from}' → '{to}': '{part}' is not in: {message}");
        }
    }
}

#[test]
fn json_errors_know_their_line_too() {
    let json = Recipe::from_toml(GOOD, "good").expect("good").to_json().expect("JSON");
    let line = |needle: &str| json.lines().position(|l| l.contains(needle)).expect("there") + 1;
    let check = |from: &str, to: &str, line: usize, part: &str| {
        let message = Recipe::from_json(&json.replacen(from, to, 1), "alps.json").expect_err("bad").to_string();
        assert!(message.contains(&format!("alps.json:{line}:")) && message.contains(part), "{message}");
    };
    check("\"wavelength\": 300.0", "\"wavelength\": -1", line("wavelength"), "wavelength = -1");
    check("\"octaves\": 4", "\"octaves\": \"four\"", line("octaves"), "octaves");
    check("\"octaves\": 4,", "\"octaves\": 4, \"octave\": 4,", line("octaves"), "unknown field 'octave'");
    check("\"octaves\": 4,", "\"octaves\": 4 5,", line("octaves"), "");
}

#[test]
fn every_parameter_of_a_stage_refuses_what_lies_outside_its_range() {
    for (name, pipeline) in crate::stages::examples() {
        let stage = &pipeline.stage[&pipeline.output];
        let json = Recipe::new(pipeline.clone()).to_json().expect("JSON");
        let again = Recipe::from_json(&json, "again.json").unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.pipeline, pipeline, "{name}");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        for param in stage.info().params {
            let bad: Vec<serde_json::Value> = match param.allowed {
                Allowed::Between(lo, hi) if param.name != "range" && param.name != "measured" => {
                    vec![(lo - lo.abs() * 0.5 - 1.0).into(), (hi * 1.5).into(), "x".into()]
                }
                Allowed::Each(_, hi) => vec![vec![hi * 2.0, 0.0, 0.0].into(), vec![0.0].into(), 7.into()],
                Allowed::Told(_) => {
                    vec![serde_json::json!([{ "at": 0 }]), serde_json::json!([{ "frequency": 2, "amplitude": 1 }]), 7.into()]
                }
                // A flag takes `true`, and nothing else does.
                _ => vec![serde_json::json!({}), if param.param_type == ParamType::Flag { 7.into() } else { true.into() }],
            };
            for value in bad {
                let mut tree = json.clone();
                tree["stage"][pipeline.output.as_str()][param.name] = value.clone();
                let message = match Recipe::from_json(&tree.to_string(), "bad.json") {
                    Ok(_) => panic!("{name}: {} = {value} was accepted", param.name),
                    Err(error) => error.to_string(),
                };
                let named = message.contains(&format!("stage '{}'", pipeline.output))
                    && message.contains(param.name)
                    && message.contains("allowed");
                assert!(named, "{name}: {} = {value}: {message}", param.name);
            }
        }
    }
}

#[test]
fn every_parameter_refuses_what_lies_outside_its_range() {
    for row in Node::TABLE {
        let noise = nodes::of_kind(row.kind).remove(0);
        let output = noise.graph().output.clone();
        let json: serde_json::Value = serde_json::from_str(&Recipe::new(noise.graph().clone()).to_json().expect("JSON")).expect("JSON");
        for param in row.params {
            let bad: Vec<serde_json::Value> = match param.allowed {
                Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi) => {
                    vec![(lo - lo.abs() * 0.5 - 1.0).into(), (hi * 1.5).into(), "x".into()]
                }
                Allowed::Each(_, hi) => vec![vec![hi * 2.0, 0.0, 0.0].into(), vec![0.0].into(), 7.into()],
                Allowed::List(most, _, hi) | Allowed::Terms(most, _, hi) => {
                    vec![serde_json::json!([]), vec![0.0; most + 1].into(), vec![0.0, hi * 2.0].into(), serde_json::json!(["x"]), 7.into()]
                }
                Allowed::Increasing => vec![serde_json::json!([]), serde_json::json!([{ "at": 0, "value": 0 }]), 7.into()],
                Allowed::Ascending => {
                    vec![serde_json::json!([1.0]), serde_json::json!([1.0, 0.5]), serde_json::json!([2.0, 2.0]), 7.into()]
                }
                Allowed::Quantiles => vec![
                    serde_json::json!([{ "probability": 0, "value": 0 }]),
                    serde_json::json!([{ "probability": 0, "value": 1 }, { "probability": 1, "value": 0 }]),
                    7.into(),
                ],
                // Any text may be the name of a file.
                _ if param.param_type == ParamType::File => vec![serde_json::json!({}), 7.into(), "".into()],
                _ => vec![serde_json::json!({}), serde_json::json!("no such thing")],
            };
            for value in bad {
                let mut tree = json.clone();
                tree["node"][output.as_str()][param.name] = value.clone();
                let message = match Recipe::from_json(&tree.to_string(), "bad.json") {
                    Ok(_) => panic!("{}.{} = {value} was accepted", row.kind, param.name),
                    Err(error) => error.to_string(),
                };
                let named = message.contains(&format!("node '{output}'")) && message.contains(param.name) && message.contains("allowed");
                assert!(named, "{}.{} = {value}: {message}", row.kind, param.name);
            }
        }
        // The builder does not check; evaluating does. NaN cannot be written in JSON.
        if let Some(param) = row.params.iter().find(|p| p.name == "scale") {
            let error = Noise::constant(1.0).scale_offset(f64::NAN, 0.0).range().expect_err("NaN");
            assert!(error.to_string().contains(param.name));
        }
    }
}

#[test]
fn garbage_is_an_error_and_no_panic() {
    for text in
        ["", "output", "\u{0}", "output = 3", "node = 1\noutput = \"a\"", "[node]\na = 1", "output = \"a\"\n[node.a]\nkind = 3", "🌋 = 1"]
    {
        let _ = error(text);
        let _ = Recipe::from_json(text, "x").expect_err("no JSON either");
    }
    // A chain of 20,000 nodes must not exhaust the stack, nor may a cycle of them.
    let mut text = String::from("output = \"n20000\"\n[node.n0]\nkind = \"constant\"\n");
    for i in 1..=20_000 {
        text.push_str(&format!("[node.n{i}]\nkind = \"abs\"\nof = \"n{}\"\n", i - 1));
    }
    let recipe = Recipe::from_toml(&text, "long").expect("long, but right");
    let error = crate::support::cpu().field(&recipe.noise().expect("a noise"), &orogen::Region::plane(1, 1)).expect_err("too long");
    assert!(error.to_string().contains("at most 4096"), "{error}");
    let cycle = text.replacen("kind = \"constant\"", "kind = \"abs\"\nof = \"n20000\"", 1);
    assert!(Recipe::from_toml(&cycle, "cycle").expect_err("cycle").to_string().contains("cycle"));
}

#[test]
fn graphs_that_unfold_without_end_are_refused() {
    let mut noise = Noise::simplex(Default::default());
    for _ in 0..40 {
        let by = noise.clone();
        noise = noise.warp([by, Noise::constant(0.0), Noise::constant(0.0)], 1.0);
    }
    let error = crate::support::cpu().field(&noise, &orogen::Region::plane(1, 1)).expect_err("2^40 scopes");
    assert!(error.to_string().contains("unfolds to"), "{error}");
    let deep = (0..5).fold(Noise::simplex(Default::default()), |n, _| {
        n.fractal(orogen::node::Fractal { octaves: 32, lacunarity: 1.01, ..Default::default() })
    });
    let error = crate::support::cpu().field(&deep, &orogen::Region::plane(1, 1)).expect_err("32^5 octaves");
    assert!(error.to_string().contains("octaves"), "{error}");
    let huge = (0..8).fold(Noise::constant(1e15), |n, _| n.clone().multiply(n));
    assert!(huge.range().expect_err("overflow").to_string().contains("1e30"));
    let fine = Noise::simplex(orogen::node::Simplex { wavelength: 1e-6, ..Default::default() })
        .fractal(orogen::node::Fractal { octaves: 32, ..Default::default() });
    let error = crate::support::cpu().field(&fine, &orogen::Region::plane(1, 1)).expect_err("2^31 cells per sample");
    assert!(error.to_string().contains("cells per sample"), "{error}");
}

/// The schema contains the fields' documentation, like rustdoc: meaning, default, range and unit from the table.
fn assert_documented(kind: &str, param: &orogen::node::ParamInfo, description: &str) {
    let what = format!("{kind}.{}: {description}", param.name);
    let (meaning, facts) = description.rsplit_once("\n\n").unwrap_or_else(|| panic!("{what}"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(meaning), words(param.doc), "{what}");
    // The default in Rust.
    match (param.default_value(), facts.strip_prefix("Default: `").and_then(|rest| rest.split_once('`'))) {
        (None, None) => assert!(facts.starts_with("Required.") && !param.optional, "{what}"),
        (None, Some((default, _))) => assert!(default == "None" && param.optional || default == "Heights::default()", "{what}"),
        (Some(Setting::Number(x)), Some((default, _))) => {
            let number = default.trim_start_matches("Input::Value(").trim_end_matches(')');
            assert_eq!(number.parse(), Ok(x), "{what}");
        }
        (Some(Setting::Integer(x)), Some((default, _))) => assert_eq!(default.parse(), Ok(x), "{what}"),
        (Some(Setting::Flag(x)), Some((default, _))) => assert_eq!(default.parse(), Ok(x), "{what}"),
        (Some(Setting::Word(x)), Some((default, _))) if !param.words().is_empty() => {
            let variant = default.rsplit("::").next().expect("a variant").to_lowercase();
            assert_eq!(variant, x.replace(['_', '-'], ""), "{what}");
        }
        (Some(_), Some((default, _))) => assert!(!default.is_empty(), "{what}"),
        (Some(_), None) => panic!("{what}"),
    }
    // The range, as messages have it: the same words, and numbers of the same value.
    let range = param.allowed.to_string();
    let same = |a: &str, b: &str| {
        let number = |x: &str| x.trim_end_matches(['.', ';', ',']).parse::<f64>();
        a == b || a.trim_end_matches('.') == b || matches!((number(a), number(b)), (Ok(a), Ok(b)) if a == b)
    };
    let structural = matches!(param.allowed, Allowed::Structural | Allowed::Dimensions(..));
    assert_eq!(facts.contains(" Structural: "), structural, "{what}");
    match facts.split_once(" Allowed: ") {
        None => assert!(matches!(param.allowed, Allowed::Any | Allowed::Structural), "{what}"),
        Some((_, told)) => {
            let told: Vec<&str> = told.split_whitespace().take(range.split_whitespace().count()).collect();
            let all = told.len() == range.split_whitespace().count() && told.iter().zip(range.split_whitespace()).all(|(a, b)| same(a, b));
            assert!(all, "{what}, but messages say: {range}");
        }
    }
    // The unit: of numbers, and of nothing else.
    let is_numbers = matches!(
        param.param_type,
        ParamType::Number | ParamType::Whole | ParamType::Pair | ParamType::Vector | ParamType::Numbers | ParamType::Vectors
    );
    assert_eq!(param.unit.is_some(), is_numbers, "{what}");
    assert_eq!(facts.split_once(" Unit: ").map(|(_, unit)| unit), param.unit.map(|unit| format!("{unit}.")).as_deref(), "{what}");
}

#[test]
fn the_schema_knows_every_kind_parameter_and_range() {
    let schema = orogen::schema();
    let text = schema.to_string();
    let stages = orogen::stage::Stage::TABLE.iter().map(|row| (row, "/$defs/Stage/oneOf"));
    for (row, table) in Node::TABLE.iter().map(|row| (row, "/$defs/Node/oneOf")).chain(stages) {
        assert!(text.contains(&format!("\"const\":\"{}\"", row.kind)), "{}", row.kind);
        let variants = schema.pointer(table).and_then(|v| v.as_array()).expect("rows");
        let variant = variants.iter().find(|v| v.pointer("/properties/kind/const") == Some(&row.kind.into())).expect(row.kind);
        for param in row.params {
            let property = variant.pointer(&format!("/properties/{}", param.name)).unwrap_or_else(|| panic!("{}.{}", row.kind, param.name));
            assert_documented(row.kind, param, property["description"].as_str().unwrap_or_else(|| panic!("{}.{}", row.kind, param.name)));
            if let Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi) = param.allowed {
                let told = ["minimum", "maximum"].map(|end| property[end].as_f64());
                assert_eq!(told, [Some(lo), Some(hi)], "{}.{}", row.kind, param.name);
            }
            if param.allowed == Allowed::Seed {
                let types = serde_json::json!(["integer", "string", "null"]);
                let types = &types.as_array().expect("a list")[..if param.optional { 3 } else { 2 }];
                assert_eq!(property["type"].as_array().map(Vec::as_slice), Some(types), "{}.{}", row.kind, param.name);
                assert_eq!([property["minimum"].as_u64(), property["maximum"].as_u64()], [Some(0), Some(u64::MAX)]);
            }
        }
    }
}

#[test]
fn a_number_that_an_input_refuses_is_told_its_range() {
    let text = "output = \"h\"\n[node.b]\nkind = \"simplex\"\n[node.h]\nkind = \"add\"\na = \"b\"\nb = 1e16\n";
    let error = Recipe::from_toml(text, "bad.toml").expect_err("too large").to_string();
    assert!(error.contains("node 'h': b = 1e16 is not allowed; allowed: -1e15 to 1e15"), "{error}");
}

#[test]
fn what_is_written_can_be_read_again() {
    let seeded = |seed| Noise::perlin(orogen::node::Perlin { seed, ..Default::default() });
    let bad_bake = |bake| Recipe { bake, ..Recipe::new(seeded(1)) };
    for (recipe, told) in [
        (Recipe::new(seeded(1).scale_offset(f64::NAN, 0.0)), "scale = NaN"),
        (bad_bake(Bake { tile: 0, ..Default::default() }), "bake: tile = 0 is not allowed; allowed: a whole number from 1 to 16384"),
        (bad_bake(Bake { z: f64::INFINITY, ..Default::default() }), "bake: z = inf"),
        (bad_bake(Bake { layers: vec!["nowhere".to_owned()], ..Default::default() }), "layers: there is no stage or node 'nowhere'"),
    ] {
        for error in [recipe.to_toml().expect_err(told).to_string(), recipe.to_json().expect_err(told).to_string()] {
            assert!(error.contains(told), "{error}");
        }
    }
}

#[test]
fn a_recipe_whose_output_is_a_stage_is_no_noise() {
    let hills = Noise::simplex(Default::default()).named("hills");
    assert_eq!(Recipe::new(&hills).noise(), Ok(hills.clone()));
    let staged = Recipe::new(Pipeline::from(&hills).then(Thermal::default()).then(Gaussian::default()));
    let error = staged.noise().expect_err("a stage");
    assert_eq!(
        error.to_string(),
        "'gaussian' is a stage or reads one, so it is not a function of position; allowed: a node (it begins with 'hills')"
    );
    assert_eq!(staged.pipeline.noise_of("hills"), Ok(hills));
    let synthesis = Recipe::new(Pipeline::source(Voss::default()));
    assert_eq!(
        synthesis.noise().expect_err("a stage").to_string(),
        "'voss' is a stage or reads one, so it is not a function of position; allowed: a node"
    );
    assert!(matches!(synthesis.pipeline.noise_of("hills"), Err(StageError::Unknown { .. })));
}
