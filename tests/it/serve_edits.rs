//! The studio's server: edits of a recipe's text.

use crate::serve::{STAGES, Server};
use crate::support::{Scratch, path};
use orogen::Recipe;
use serde_json::{Value, json};

#[test]
fn edits_leave_the_rest_of_the_text_as_it_is() {
    let server = Server::start(&[]);
    let edited = |edits: Value| server.edit(STAGES, &edits).json()["text"].as_str().expect("a text").to_owned();
    let set = |table: &str, name: &str, param: &str, value: Value| json!({ "op": "set", "table": table, "name": name, "param": param, "value": value });
    assert_eq!(edited(json!([])), STAGES);
    // Whole where the parameter is, and a real number where it is one, however JSON writes it.
    let text = edited(json!([set("node", "hills", "wavelength", json!(50)), set("node", "land", "octaves", json!(6))]));
    assert_eq!(text, STAGES.replace("wavelength = 40.0 #", "wavelength = 50.0 #").replace("octaves = 5", "octaves = 6"));
    assert_eq!(edited(json!([set("node", "land", "octaves", Value::Null)])), STAGES.replace("octaves = 5\n", ""));
    assert_eq!(edited(json!([set("node", "land", "gain", json!(1))])), STAGES.replace("octaves = 5\n", "octaves = 5\ngain = 1.0\n"));
    // References follow a name, in inputs, layers and the output.
    let text = edited(json!([{ "op": "rename", "table": "node", "name": "land", "to": "ground" }]));
    assert_eq!(text, STAGES.replace("node.land", "node.ground").replace("\"land\"", "\"ground\""));
    let text =
        edited(json!([{ "op": "rename", "table": "stage", "name": "high", "to": "top" }, { "op": "bake", "param": "tile", "value": 64 }]));
    assert_eq!(text, STAGES.replace("stage.high", "stage.top").replace("\"high\"", "\"top\"").replace("tile = 32", "tile = 64"));
    // A node's name may begin as another's.
    let dotted = STAGES.replace("\"land\"", "\"hills.raw\"").replace("node.land", "node.\"hills.raw\"");
    let dotted = |edit: Value| server.edit(&dotted, &json!([edit])).json()["text"].as_str().expect("a text").to_owned();
    let text = dotted(json!({ "op": "rename", "table": "node", "name": "hills", "to": "new" }));
    assert!(text.contains("of = \"new\"\n") && text.contains("of = \"hills.raw\"\n"), "{text}");
    let text = dotted(json!({ "op": "remove", "table": "node", "name": "hills" }));
    assert!(text.contains("of = 0.0\n") && text.contains("of = \"hills.raw\"\n"), "{text}");
    let text = edited(json!([{ "op": "remove", "table": "node", "name": "hills" }]));
    assert!(text.contains("of = 0.0\noctaves") && !text.contains("hills") && text.contains("# On top of it."), "{text}");
    // New rows follow those of their kind.
    let added = json!([{ "op": "add", "table": "node", "name": "more", "kind": "spline", "params": { "of": "land", "points": [{ "at": 0, "value": 1 }, { "at": 1, "value": 2 }] } }]);
    let text = edited(added);
    let row = "\n[node.more]\nkind = \"spline\"\nof = \"land\"\npoints = [{ at = 0.0, value = 1.0 }, { at = 1.0, value = 2.0 }]\n\n[stage.eroded]";
    assert!(text.contains(row), "{text}");
    Recipe::from_toml(&text, "text").expect("a recipe");
    let empty = server.edit("output = \"a\"\n", &json!([{ "op": "add", "table": "node", "name": "a", "kind": "white" }])).json();
    assert_eq!(empty["checked"]["ok"], true, "{empty}");
    // Impossible edits are refused with the reason.
    for (edit, why) in [
        (json!({ "op": "rename", "table": "node", "name": "land", "to": "eroded" }), "'eroded' is taken"),
        (json!({ "op": "rename", "table": "node", "name": "land", "to": "a.b" }), "without a dot"),
        (set("node", "nobody", "seed", json!(1)), "there is no node 'nobody'"),
        (json!({ "op": "add", "table": "node", "name": "", "kind": "white" }), "is not allowed"),
    ] {
        server.edit(STAGES, &json!([edit])).refused(400, why);
    }
    server.edit("output = ", &json!([])).refused(400, "");
    // An error is reported with its position.
    let wrong = server.ask("POST", "/api/check", &json!({ "text": STAGES.replace("octaves = 5", "octaves = 99") })).json();
    let place = json!([false, 13, 1, "node", "land", "octaves"]);
    let is = &wrong["error"];
    assert_eq!(json!([wrong["ok"], is["line"], is["column"], is["table"], is["name"], is["param"]]), place, "{wrong}");
}

/// A recipe with variables, expressions, and other recipes.
const NESTED: &str = r#"output = "sum"

[variables]
size = 300.0 # metres
high = { value = 90.0, range = [0.0, 900.0] }

[node.peak] # a comment that stays
kind = "recipe"
preset = "mountain"
height = "high * 2"

[node.own]
kind = "recipe"
file = "hill.toml"
inputs = { ground = "peak" }

[node.base]
kind = "simplex"
wavelength = "size / 2"
seed = 3

[node.sum]
kind = "add"
a = "own"
b = "= high"
"#;

#[test]
fn recipes_in_a_recipe_are_one_card_each() {
    let scratch = Scratch::new("serve-nested");
    let hill = "output = 'h'\n[variables]\nscale = 2.0\n[node.ground]\nkind = 'white'\n[node.h]\nkind = 'scale_offset'\nof = 'ground'\nscale = 'scale'\n";
    scratch.file("hill.toml", hill);
    let server = Server::start(&[path(&scratch.file("r.toml", NESTED))]);
    let checked = server.ask("POST", "/api/check", &json!({ "text": NESTED })).json();
    assert_eq!(checked["ok"], true, "{checked}");
    let names: Vec<&str> = checked["recipe"]["node"].as_object().expect("nodes").keys().map(String::as_str).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    let peak = &checked["recipe"]["node"]["peak"];
    assert_eq!(
        (&peak["kind"], &peak["preset"], &peak["height"], &peak["seed"]),
        (&json!("recipe"), &json!("mountain"), &json!(180.0), &json!(0))
    );
    let params: Vec<&str> = peak["uses"]["params"].as_array().expect("params").iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(params.contains(&"height") && params.contains(&"roughness") && params.contains(&"seed"), "{params:?}");
    assert_eq!(checked["recipe"]["node"]["own"]["inputs.ground"], "peak");
    let layers: Vec<&str> = checked["layers"].as_array().expect("layers").iter().filter_map(|layer| layer["layer"].as_str()).collect();
    assert!(layers.iter().all(|layer| !layer.contains(':')) && layers.contains(&"peak"), "{layers:?}");
    assert_eq!(
        checked["variables"][1],
        json!({ "name": "high", "value": 90.0, "range": [0.0, 900.0], "description": "", "expression": null })
    );
    let expected = json!({ "table": "node", "name": "base", "param": "wavelength", "text": "size / 2" });
    assert!(checked["expressions"].as_array().expect("a list").contains(&expected), "{}", checked["expressions"]);
    // Edits keep what they do not touch.
    let edited = |edits: Value| server.edit(NESTED, &edits).json()["text"].as_str().expect("a text").to_owned();
    let set =
        |name: &str, param: &str, value: Value| json!([{ "op": "set", "table": "node", "name": name, "param": param, "value": value }]);
    assert_eq!(edited(set("peak", "height", json!("high * 3"))), NESTED.replace("high * 2", "high * 3"));
    assert_eq!(edited(set("base", "wavelength", json!(80))), NESTED.replace("\"size / 2\"", "80.0"));
    assert_eq!(edited(set("own", "inputs.ground", json!("base"))), NESTED.replace("ground = \"peak\"", "ground = \"base\""));
    assert_eq!(edited(json!([{ "op": "variable", "name": "size", "value": 40 }])), NESTED.replace("300.0 #", "40.0 #"));
    assert_eq!(
        edited(json!([{ "op": "variable", "name": "high", "value": "size / 4" }])),
        NESTED.replace("value = 90.0", "value = \"size / 4\"")
    );
    let text = edited(json!([{ "op": "rename", "table": "node", "name": "peak", "to": "top" }]));
    assert_eq!(text, NESTED.replace("node.peak", "node.top").replace("\"peak\"", "\"top\""));
    let text = edited(json!([{ "op": "vary", "by": 2 }]));
    assert!(text.contains("height = \"high * 2\"\nseed = 2\n") && !text.contains("seed = 3\n"), "{text}");
    let added = json!([{ "op": "add", "table": "node", "name": "dunes", "kind": "recipe", "params": { "preset": "dunes" } }]);
    assert!(edited(added).contains("[node.dunes]\nkind = \"recipe\"\npreset = \"dunes\"\n"));
    server.edit(NESTED, &json!([{ "op": "variable", "name": "width", "value": 1 }])).refused(400, "there is no variable 'width'");
    // Files outside of the folder are not read.
    for name in ["../secret.toml", "/etc/hostname"] {
        let wrong = server.ask("POST", "/api/check", &json!({ "text": NESTED.replace("hill.toml", name) })).json();
        let told = wrong["error"]["message"].as_str().unwrap_or_default();
        assert!(told.contains("the studio only reads files within the recipe's folder"), "{wrong}");
    }
}

/// Pages get and give every seed; JavaScript rounds numbers from 2^53 on, so that those are text.
#[test]
fn edits_keep_every_bit_of_a_seed() {
    let server = Server::start(&[]);
    for seed in crate::seeds::SEEDS {
        for given in [json!(seed), json!(seed.to_string())] {
            let edit = json!([{ "op": "set", "table": "node", "name": "hills", "param": "seed", "value": given }]);
            let edited = server.edit(STAGES, &edit).json();
            let back = &edited["checked"]["recipe"]["node"]["hills"]["seed"];
            assert_eq!(*back, if seed < 1 << 53 { json!(seed) } else { json!(seed.to_string()) }, "{given}: {edited}");
            let recipe = Recipe::from_toml(edited["text"].as_str().expect("a text"), "edited").expect("a recipe");
            assert_eq!(recipe.pipeline.get("hills.seed"), Ok(Some(seed.into())), "{given}");
            // The text stays one that the editor reads.
            assert_eq!(server.edit(edited["text"].as_str().expect("a text"), &json!([])).json()["text"], edited["text"]);
        }
    }
}

/// A variation in the studio is that of the command: the recipe after the edit means what `vary` makes of it.
#[test]
fn a_variation_in_the_text_is_that_of_the_command() {
    let server = Server::start(&[]);
    for by in [0, 1, 3, (1 << 53) - 1] {
        let mut wanted = Recipe::from_toml(STAGES, "text").expect("a recipe");
        wanted.pipeline.vary(by);
        let edited = server.edit(STAGES, &json!([{ "op": "vary", "by": by }])).json();
        let text = edited["text"].as_str().expect("a text");
        assert_eq!(Recipe::from_toml(text, "edited").expect("a recipe").pipeline, wanted.pipeline, "variation {by}");
        // Comments stay.
        assert!(text.contains("# On top of it."), "{text}");
    }
    server.edit("output = \"a\"\n", &json!([{ "op": "vary", "by": 1 }])).refused(400, "");
}
