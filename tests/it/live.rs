//! Numbers are live: changing any of them compiles nothing. Shape is structural: changing it does.

use crate::nodes;
use crate::support::own_gpu;
use orogen::{Allowed, Noise, Recipe, Region};

const RECIPE: &str = r#"
output = "height"
[node.basis]
kind = "simplex"
wavelength = 31.0
seed = 1
[node.raw]
kind = "fractal"
of = "basis"
octaves = 3
[node.push]
kind = "coordinate"
unit = 5000.0
[node.bent]
kind = "warp"
of = "raw"
x = "push"
strength = 2.0
[node.shaped]
kind = "power"
of = "bent"
exponent = 1.5
[node.held]
kind = "clamp"
of = "shaped"
low = -0.9
high = 0.9
[node.mixed]
kind = "blend"
a = "held"
b = 0.25
mask = "raw"
[node.scaled]
kind = "scale_offset"
of = "mixed"
scale = 2.0
offset = 0.5
[node.height]
kind = "spline"
of = "scaled"
points = [{ at = 0.0, value = 0.0 }, { at = 1.0, value = 1.0 }]
"#;

#[test]
fn changing_any_number_compiles_no_kernel() {
    let Some(gpu) = own_gpu("changing_any_number_compiles_no_kernel", None) else { return };
    let render = |text: &str, region: Region| {
        let recipe = Recipe::from_toml(text, "live.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        gpu.field(&Noise::from(recipe.graph), &region).expect("field").values
    };
    let plane = Region::plane(16, 16);
    let before = render(RECIPE, plane);
    assert_eq!(gpu.compilations(), 1, "one kernel for the first field");
    let edits = [
        ("wavelength = 31.0", "wavelength = 29.5"),
        ("seed = 1", "seed = 2"),
        ("seed = 1", "offset = [1.0, 2.0, 3.0]"),
        ("octaves = 3", "octaves = 7"),
        ("octaves = 3", "octaves = 3\nlacunarity = 2.5"),
        ("octaves = 3", "octaves = 3\ngain = 0.7"),
        ("octaves = 3", "octaves = 3\nseed = 9"),
        ("octaves = 3", "octaves = 3\nrotation = 20.0"),
        ("octaves = 3", "octaves = 3\nrotation = 20.0\naxis = [1.0, 1.0, 0.0]"),
        ("octaves = 3", "octaves = 3\nnormalise = false"),
        ("octaves = 3", "octaves = 3\noffset = [3.0, 0.0, 0.0]"),
        ("octaves = 3", "octaves = 3\noffsets = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]"),
        ("unit = 5000.0", "unit = 4.0"),
        ("strength = 2.0", "strength = -8.0"),
        ("exponent = 1.5", "exponent = 0.5"),
        ("low = -0.9", "low = 0.1"),
        ("high = 0.9", "high = 0.2"),
        ("b = 0.25", "b = -3.0"),
        ("scale = 2.0", "scale = 1.1"),
        ("offset = 0.5", "offset = 0.4"),
        ("value = 1.0 }]", "value = 2.0 }]"),
        ("value = 1.0 }]", "value = 1.0, slope_in = 3.0 }]"),
        ("value = 1.0 }]", "value = 1.0 }, { at = 2.0, value = 0.5 }, { at = 3.0, value = 9.0 }]"),
    ];
    for (from, to) in edits {
        assert!(RECIPE.contains(from), "{from}");
        let after = render(&RECIPE.replacen(from, to, 1), plane);
        assert_eq!(gpu.compilations(), 1, "'{from}' → '{to}' compiled a kernel");
        assert_ne!(after, before, "'{from}' → '{to}' changed nothing: is the number read at all?");
    }
    for region in [
        Region { origin: [1_000_000, -7, 0], ..plane },
        Region { level: 3, ..plane },
        Region { spacing: 0.3, anchor: [0.0, 0.0, 4.0], ..plane },
        Region { size: [5, 6, 7], ..plane },
    ] {
        render(RECIPE, region);
        assert_eq!(gpu.compilations(), 1, "{region:?} compiled a kernel");
    }
    render(&RECIPE.replacen("x = \"push\"", "y = \"push\"", 1), plane);
    let same_shape = gpu.compilations();
    render(&RECIPE.replacen("kind = \"simplex\"", "kind = \"simplex\"\ndimensions = 3", 1), plane);
    assert_eq!(gpu.compilations(), same_shape + 1, "another basis is another kernel");
}

#[test]
fn every_numeric_parameter_of_every_node_is_live() {
    let Some(gpu) = own_gpu("every_numeric_parameter_of_every_node_is_live", None) else { return };
    let region = Region::plane(8, 8);
    for row in orogen::Node::TABLE {
        let noise = nodes::of_kind(row.kind).remove(0);
        gpu.field(&noise, &region).expect(row.kind);
        let compiled = gpu.compilations();
        for param in row.params.iter().filter(|p| p.name != "dimensions") {
            let Allowed::Between(_, highest) = param.allowed else { continue };
            let json = Recipe::new(noise.graph().clone()).to_json().expect("JSON");
            let mut tree: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            let output = noise.graph().output.clone();
            let value = &mut tree["node"][output.as_str()][param.name];
            *value = match value.as_u64() {
                Some(n) => (n + 1).into(),
                None if param.name == "seed" => 1.into(),
                None => {
                    let was = value.as_f64().unwrap_or(1.0);
                    let more = was * 1.25 + 0.0625;
                    if more <= highest { more } else { was * 0.75 }.into()
                }
            };
            let edited =
                Recipe::from_json(&tree.to_string(), "edited").unwrap_or_else(|error| panic!("{}.{}: {error}", row.kind, param.name));
            gpu.field(&Noise::from(edited.graph), &region).expect(row.kind);
            assert_eq!(gpu.compilations(), compiled, "{}.{} compiled a kernel", row.kind, param.name);
        }
    }
}
