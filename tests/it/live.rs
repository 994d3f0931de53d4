//! Numbers are live: changing any of them compiles nothing. Shape is structural: changing it does.

use crate::nodes;
use crate::support::own_gpu;
use orogen::node::{Allowed, ControlPoint, ParamInfo, ParamType, QuantilePoint};
use orogen::{EngineError, Noise, Recipe, Region, SetError, Setting};

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
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn changing_any_number_compiles_no_kernel() {
    let gpu = own_gpu(None);
    let render = |text: &str, region: Region| {
        let recipe = Recipe::from_toml(text, "live.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
        gpu.field(&recipe.noise().expect("a noise"), &region).expect("field").values
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

/// Another value for a parameter, not far from the one it has.
fn other(setting: &Setting, param: &ParamInfo) -> Setting {
    let most = if let Allowed::Between(_, most) | Allowed::Each(_, most) | Allowed::List(_, _, most) = param.allowed { most } else { 1e9 };
    let number = |x: f64| if x * 1.25 + 0.0625 <= most { x * 1.25 + 0.0625 } else { x * 0.75 };
    match setting {
        Setting::Number(x) => number(*x).into(),
        Setting::Integer(x) if (x + 1) as f64 > most => (x - 1).into(),
        Setting::Integer(x) => (x + 1).into(),
        Setting::Flag(x) => (!x).into(),
        Setting::Numbers(x) => x.iter().map(|&x| number(x)).collect::<Vec<_>>().into(),
        Setting::Vectors(x) => x.iter().map(|v| v.map(number)).collect::<Vec<_>>().into(),
        Setting::Word(x) => param.words().iter().find(|word| *word != x).map_or(setting.clone(), |word| (*word).into()),
        Setting::Points(x) => x.iter().map(|p| ControlPoint { value: number(p.value), ..*p }).collect::<Vec<_>>().into(),
        Setting::Quantiles(x) => x.iter().map(|p| QuantilePoint { value: p.value + 1.0, ..*p }).collect::<Vec<_>>().into(),
        _ => panic!("{}: no other value of {setting}", param.name),
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_parameter_that_can_be_set_is_live() {
    let gpu = own_gpu(None);
    let region = Region::plane(8, 8);
    let mut set = 0;
    for row in orogen::node::Node::TABLE {
        for noise in nodes::of_kind(row.kind) {
            gpu.field(&noise, &region).expect(row.kind);
            let compiled = gpu.compilations();
            let mut all = noise.graph().node.iter();
            let (node, _) = all.find(|(_, node)| node.info().kind == row.kind).expect(row.kind);
            for param in row.params {
                let path = format!("{node}.{}", param.name);
                let Some(before) = noise.get(&path).expect(&path) else { continue };
                if param.param_type == ParamType::Input && matches!(before, Setting::Word(_)) {
                    // To read another node is to be another noise.
                    assert!(matches!(noise.clone().set(&path, 1.0), Err(SetError::Shape { .. })), "{path}");
                    continue;
                }
                let mut edited = noise.clone();
                match edited.set(&path, other(&before, param)) {
                    Ok(()) => (),
                    Err(SetError::Shape { .. } | SetError::Value { .. }) if matches!(param.allowed, Allowed::Dimensions(..)) => continue,
                    Err(SetError::Shape { .. }) if param.allowed == Allowed::Structural => continue,
                    Err(error) => panic!("{path}: {error}"),
                }
                assert_ne!(edited.get(&path), noise.get(&path), "{path} was set");
                match gpu.field(&edited, &region) {
                    Ok(_) => set += 1,
                    // Numbers that do not go together are found out later: a period that no lattice can hold.
                    Err(EngineError::Program(_)) => (),
                    Err(error) => panic!("{path}: {error}"),
                }
                assert_eq!(gpu.compilations(), compiled, "{path} compiled a kernel");
            }
        }
    }
    assert!(set > 250, "only {set} parameters were set");
}

#[test]
fn what_cannot_be_set_says_why() {
    let mut noise = nodes::of_kind("fractal").remove(0).scale_offset(2.0, 1.0).named("height.above sea");
    let before = noise.clone();
    let refuse = |noise: &mut Noise, path: &str, value: Setting| noise.set(path, value).expect_err(path).to_string();
    for (path, value, told) in [
        (
            "nowhere.gain",
            1.0.into(),
            "'nowhere.gain' does not exist: a path is NAME.PARAMETER, with the name of a node or stage; allowed: simplex, fractal",
        ),
        ("gain", 1.0.into(), "does not exist"),
        ("fractal.gian", 1.0.into(), "node 'fractal' has no parameter 'gian'; did you mean 'gain'? allowed: of, octaves"),
        ("fractal.octaves", 3.5.into(), "octaves = 3.5 is not allowed; allowed: a whole number"),
        ("fractal.octaves", (-3).into(), "octaves = -3 is not allowed; allowed: a whole number of 0 or more"),
        ("fractal.octaves", 1_000_000.into(), "octaves = 1000000 is not allowed; allowed: 1 to "),
        ("fractal.gain", f64::NAN.into(), "gain = NaN is not allowed"),
        ("fractal.gain", true.into(), "gain = true is not allowed; allowed: a number"),
        ("fractal.offset", vec![1.0].into(), "offset = 1 number(s) is not allowed; allowed: 3 numbers"),
        ("fractal.of", 1.0.into(), "of shapes the kernel and is not live"),
        ("fractal.accumulate", 1.0.into(), "accumulate shapes the kernel"),
        ("simplex.dimensions", 3.into(), "dimensions shapes the kernel"),
    ] {
        let message = refuse(&mut noise, path, value);
        assert!(message.contains(told), "{path}: {message}");
    }
    assert_eq!(noise, before, "a refused call changes nothing");
    noise.set("height.above sea.offset", 7).expect("names of nodes may hold points");
    assert_eq!(noise.get("height.above sea.offset"), Ok(Some(Setting::Number(7.0))));
    noise.set("simplex.seed", u32::MAX).expect("a seed that was not given");
    assert!(noise.set("fractal.gain", f32::MIN_POSITIVE).is_ok());
}
