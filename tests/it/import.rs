//! `orogen import`: resources of Godot, and node trees of FastNoise2.

use crate::support::{Random, Scratch, cpu, expect, oracle, path, run, text};
use fastnoise_lite as crate_;
use orogen::node::{
    FastnoiseDistance, FastnoiseFractal, FastnoiseLite, FastnoiseType, FastnoiseWarp, FastnoiseWarpFractal, Node, OpenSimplexVariant,
    WorleyOutput,
};
use orogen::{Gradient, Recipe};

const RESOURCE: &str = r#"[gd_resource type="FastNoiseLite" format=3 uid="uid://c8n4w3vx1c2ab"]

[resource]
noise_type = 3
seed = -5
frequency = 0.0123
offset = Vector3(10.5, -3, 0)
fractal_octaves = 4
fractal_gain = 0.45
domain_warp_enabled = true
domain_warp_amplitude = 12.0
domain_warp_fractal_lacunarity = 2.5
"#;

const SCENE: &str = r#"[gd_scene load_steps=5 format=3 uid="uid://b1"]

[ext_resource type="Script" path="res://a.gd" id="1_x"]

[sub_resource type="FastNoiseLite" id="FastNoiseLite_one"]
noise_type = 2
cellular_return_type = 6
metadata/note = "brackets [ and \" quotes
on two lines"

[sub_resource type="Gradient" id="Gradient_1"]
offsets = PackedFloat32Array(0,
0.5, 1)

[sub_resource type="FastNoiseLite" id="FastNoiseLite_two"]
fractal_type = 0

[sub_resource type="NoiseTexture2D" id="NoiseTexture2D_1"]
seamless = true
noise = SubResource("FastNoiseLite_one")

[node name="Root" type="Node3D"]
script = ExtResource("1_x")
"#;

fn node(recipe: &Recipe) -> FastnoiseLite {
    let found = recipe.pipeline.node.values().find_map(|node| if let Node::FastnoiseLite(of) = node { Some(of.clone()) } else { None });
    found.expect("a node")
}

#[test]
fn a_resource_becomes_a_recipe_with_the_values_of_its_engine() {
    let scratch = Scratch::new("import-godot");
    let (file, out) = (scratch.file("noise.tres", RESOURCE), scratch.0.join("noise.toml"));
    let output = run(&["import", path(&file), "-o", path(&out)], "");
    expect(&output, 0, &[]);
    assert!(!text(&output.stderr).contains("warning"), "{}", text(&output.stderr));
    let recipe = Recipe::load(&out).expect("a recipe");
    let of = node(&recipe);
    assert_eq!((of.noise, of.fractal, of.octaves, of.seed), (FastnoiseType::Perlin, FastnoiseFractal::Fbm, 4, 4_294_967_291));
    assert_eq!((of.warp, of.warp_fractal, of.warp_octaves), (FastnoiseWarp::OpenSimplex2, FastnoiseWarpFractal::Progressive, 5));
    let mut noise = crate_::FastNoiseLite::with_seed(-5);
    noise.set_noise_type(Some(crate_::NoiseType::Perlin));
    noise.set_frequency(Some(0.0123));
    noise.set_fractal_type(Some(crate_::FractalType::FBm));
    noise.set_fractal_octaves(Some(4));
    noise.set_fractal_gain(Some(0.45));
    let mut warp = crate_::FastNoiseLite::with_seed(-5);
    warp.set_frequency(Some(0.05));
    warp.set_domain_warp_amp(Some(12.0));
    warp.set_fractal_type(Some(crate_::FractalType::DomainWarpProgressive));
    warp.set_fractal_octaves(Some(5));
    warp.set_fractal_lacunarity(Some(2.5));
    warp.set_fractal_gain(Some(0.5));
    let noise_of = recipe.noise().expect("a noise");
    for (x, y) in [(0.0f32, 0.0f32), (17.25, -3.5), (-812.0, 4096.75), (3.125, 99.0)] {
        let (a, b) = warp.domain_warp_2d(x + 10.5, y - 3.0);
        let sample = cpu().sample(&noise_of, &[[f64::from(x), f64::from(y), 0.0]], Gradient::Without).expect("a sample");
        assert_eq!(sample[0].value as f32, noise.get_noise_2d(a, b), "at {x}, {y}");
    }
}

#[test]
fn a_scene_has_several_and_names_what_it_cannot_import() {
    let scratch = Scratch::new("import-scene");
    let file = scratch.file("level.tscn", SCENE);
    expect(&run(&["import", path(&file)], ""), 2, &["several", "FastNoiseLite_one, FastNoiseLite_two"]);
    expect(&run(&["import", path(&file), "--resource", "Gradient_1"], ""), 2, &["'Gradient_1'", "allowed: FastNoiseLite_one"]);
    let output = run(&["import", path(&file), "--resource", "FastNoiseLite_one", "--dimensions", "3"], "");
    expect(&output, 0, &["metadata/note", "NoiseTexture2D_1", "seamless = true is not imported"]);
    let of = node(&Recipe::from_toml(&text(&output.stdout), "level").expect("a recipe"));
    assert_eq!((of.dimensions, of.noise, of.distance), (3, FastnoiseType::Cellular, FastnoiseDistance::Euclidean));
    assert_eq!(of.warp, FastnoiseWarp::None);
    let output = run(&["import", path(&file), "--resource", "FastNoiseLite_two"], "");
    expect(&output, 0, &[]);
    assert_eq!(node(&Recipe::from_toml(&text(&output.stdout), "level").expect("a recipe")).fractal, FastnoiseFractal::None);
}

#[test]
fn invalid_files_and_values_are_named() {
    let scratch = Scratch::new("import-bad");
    let cases = [
        ("noise = 1\n", "neither a section nor a property"),
        ("[project]\n", "not a text file of Godot"),
        ("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n", "no FastNoiseLite resource"),
        ("[gd_resource type=\"FastNoiseLite\" format=3]\n\n[resource]\nnoise_type = 6\n", "noise_type = 6 is not allowed; allowed: 0 to 5"),
        ("[gd_resource type=\"FastNoiseLite\" format=3]\n\n[resource]\nfrequency = inf\n", "frequency = inf is not allowed"),
        ("[gd_resource type=\"FastNoiseLite\" format=3]\n\n[resource]\nseed = 1.5\n", "seed = 1.5"),
        ("[gd_resource type=\"FastNoiseLite\" format=3]\n\n[resource]\noffset = Vector3(1, 2)\n", "Vector3(x, y, z)"),
        ("[gd_resource type=\"FastNoiseLite\" format=3]\n\n[resource]\nfractal_octaves = 40\n", "octaves"),
        ("[gd_resource type=\"FastNoiseLite\" format=3]\n\n[resource]\nname = \"open\n", "does not end"),
    ];
    for (contents, message) in cases {
        let file = scratch.file("bad.tres", contents);
        expect(&run(&["import", path(&file)], ""), 65, &[message]);
    }
    expect(&run(&["import", path(&scratch.0.join("none.tres"))], ""), 74, &["none.tres"]);
}

/// A writer of encoded node trees, for tests.
fn encoded(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().enumerate().fold(0u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        for i in 0..4 {
            text.push(if i <= three.len() { char::from(DIGITS[(word >> (18 - 6 * i)) as usize & 63]) } else { '=' });
        }
    }
    text
}

/// A member with a number.
fn with(mut node: Vec<u8>, member: u8, index: u8, word: u32) -> Vec<u8> {
    node.push(member | index << 3);
    node.extend(word.to_le_bytes());
    node
}

#[test]
fn an_encoded_tree_becomes_a_recipe() {
    let scratch = Scratch::new("import-tree");
    // FBm of simplex, as in FastNoise2's own documentation.
    let file = scratch.file("tree.txt", "DQkGDA==\n");
    let output = run(&["import", path(&file)], "");
    expect(&output, 0, &["Simplex: approximated"]);
    let recipe = Recipe::from_toml(&text(&output.stdout), "tree").expect("a recipe");
    let fractal = recipe.pipeline.node.values().find_map(|node| if let Node::Fractal(of) = node { Some(of.clone()) } else { None });
    let fractal = fractal.expect("a fractal");
    assert_eq!((fractal.octaves, fractal.lacunarity, fractal.gain), (3, 2.0, 0.5));
    // Standard input gives the same recipe as a file.
    assert_eq!(text(&run(&["import", "-"], "DQkGDA==").stdout), text(&output.stdout));

    // Remap of a Perlin noise with a scale, from -1..1 to 10..30; the scale of 512 has a run of zeros.
    let perlin = with(vec![8], 0, 0, 512f32.to_bits());
    let mut remap = vec![41, 1 | 1 << 3];
    remap.extend(perlin);
    remap.push(4);
    let remap = with(with(remap, 3, 2, 10f32.to_bits()), 3, 3, 30f32.to_bits());
    let tree = encoded(&[remap, vec![4]].concat());
    let output = run(&["import", "-"], &tree);
    expect(&output, 0, &["Perlin: approximated"]);
    let recipe = Recipe::from_toml(&text(&output.stdout), "tree").expect("a recipe");
    let perlin = recipe.pipeline.node.values().find_map(|node| if let Node::Perlin(of) = node { Some(of.clone()) } else { None });
    assert_eq!(perlin.expect("a noise").wavelength, 512.0);
    let range = recipe.noise().expect("a noise").range().expect("a range");
    assert!((range.lo - 10.0).abs() < 0.01 && (range.hi - 30.0).abs() < 0.01, "{range:?}");
}

/// The values of an encoded tree at some positions, by the f64 reference.
fn values(tree: &[u8], dimensions: u32, at: &[[f64; 3]]) -> Vec<f64> {
    let output = run(&["import", "-", "--dimensions", &dimensions.to_string()], &encoded(tree));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let noise = Recipe::from_toml(&text(&output.stdout), "tree").expect("a recipe").noise().expect("a noise");
    oracle().sample(&noise, at, Gradient::Without).expect("samples").iter().map(|sample| sample.value).collect()
}

/// A node with a source, and the numbers of some variables.
fn over(id: u8, source: &[u8], variables: &[f32]) -> Vec<u8> {
    let mut node = vec![id, 1 | 1 << 3];
    node.extend(source);
    for (at, x) in variables.iter().enumerate() {
        node = with(node, 0, at as u8, x.to_bits());
    }
    node.push(4);
    node
}

/// `x · a + y · b + z · c`.
fn gradient(factors: [f32; 3]) -> Vec<u8> {
    let mut node = vec![4];
    for (at, x) in factors.into_iter().enumerate() {
        node = with(node, 0, at as u8, x.to_bits());
    }
    node.push(4);
    node
}

#[test]
fn nodes_of_a_formula_have_its_values() {
    let mut random = Random(3);
    let at: Vec<[f64; 3]> = (0..200).map(|_| [0; 3].map(|_| random.between(-300.0, 300.0))).collect();
    let compare = |what: &str, tree: &[u8], dimensions, expected: &dyn Fn([f64; 3]) -> f64| {
        for (at, value) in at.iter().zip(values(tree, dimensions, &at)) {
            assert!((value - expected(*at)).abs() < 1e-4, "{what} at {at:?}: {value} is not {}", expected(*at));
        }
    };
    compare("SineWave", &[3, 4], 2, &|[x, y, _]| (x / 100.0).sin() * (y / 100.0).sin());
    let odd = |x: f64| (x / 100.0).round() as i64;
    compare("Checkerboard", &[2, 4], 3, &|[x, y, z]| if (odd(x) ^ odd(y) ^ odd(z)) & 1 == 1 { 1.0 } else { -1.0 });

    let [x, y] = [gradient([0.01, 0.0, 0.0]), gradient([0.0, 0.01, 0.0])];
    for (id, sign) in [(28, 1.0), (29, -1.0)] {
        let mut tree = vec![id, 1 | 1 << 3];
        tree.extend(&x);
        tree.push(2);
        tree.extend(&y);
        let tree = [with(tree, 3, 1, 0.5f32.to_bits()), vec![4]].concat();
        compare("MinSmooth", &tree, 2, &|[x, y, _]| {
            let (a, b) = (sign * 0.01 * x, sign * 0.01 * y);
            let h = (0.5 - (a - b).abs()).max(0.0) / 0.5;
            sign * (a.min(b) - h * h * h * 0.5 / 6.0)
        });
    }

    // A yaw, a pitch and a roll, as the matrix of FastNoise2.
    let angles = [0.7f64, -0.4, 2.5];
    let [(ys, yc), (ps, pc), (rs, rc)] = angles.map(f64::sin_cos);
    let rows = [
        [yc * pc, yc * ps * rs - ys * rc, yc * ps * rc + ys * rs],
        [ys * pc, ys * ps * rs + yc * rc, ys * ps * rc - yc * rs],
        [-ps, pc * rs, pc * rc],
    ];
    for (axis, row) in rows.into_iter().enumerate() {
        let along = gradient(std::array::from_fn(|i| if i == axis { 0.01 } else { 0.0 }));
        compare("DomainRotate", &over(35, &along, &angles.map(|x| x as f32)), 3, &|[x, y, z]| {
            0.01 * (row[0] * x + row[1] * y + row[2] * z)
        });
    }

    // Steps of 1/4, sharp ones.
    for (at, value) in at.iter().zip(values(&over(42, &x, &[4.0]), 2, &at)) {
        let t = 0.04 * at[0];
        if (t - t.floor() - 0.5).abs() > 0.002 {
            assert!((value - t.round() / 4.0).abs() < 1e-4, "Terrace at {at:?}: {value}");
        }
    }
}

#[test]
fn noises_of_a_tree_are_the_nearest_ones() {
    let nodes = |tree: &[u8]| -> Vec<Node> {
        let output = run(&["import", "-"], &encoded(tree));
        expect(&output, 0, &["approximated"]);
        Recipe::from_toml(&text(&output.stdout), "tree").expect("a recipe").pipeline.node.values().cloned().collect()
    };
    let smooth = |node: &Node| matches!(node, Node::OpenSimplex2(of) if of.variant == OpenSimplexVariant::Smooth);
    assert!(nodes(&[6, 4]).iter().any(|node| matches!(node, Node::Simplex(_))));
    assert!(nodes(&[7, 4]).iter().any(smooth));
    assert_eq!(nodes(&over(17, &[0, 4], &[])).iter().filter(|node| smooth(node)).count(), 2);
    // F1 / F2.
    let quotient = [with(vec![11], 0, 7, 4), vec![4]].concat();
    assert!(nodes(&quotient).iter().any(|node| matches!(node, Node::Worley(of) if of.output == WorleyOutput::Ratio)));
}

#[test]
fn trees_name_the_node_without_an_equivalent() {
    // Runs of A are shortened: a constant of 0 is 00 00 00 00 00 00 04 in hexadecimal.
    expect(&run(&["import", "-"], "@FE"), 65, &["its length"]);
    let zero = encoded(&[0, 0, 0, 0, 0, 0, 4]);
    assert_eq!(zero, "AAAAAAAABA==");
    expect(&run(&["import", "-"], "@FBA=="), 0, &[]);
    let cases = [
        (encoded(&[14, 1 | 1 << 3, 6, 4 | 1 << 3]), "PingPong: no equivalent"),
        (encoded(&[1, 4]), "White: no equivalent"),
        (encoded(&[200, 4]), "kind 200 is unknown"),
        (encoded(&[13, 1 | 1 << 3, 6]), "ends early"),
        (encoded(&[13, 1 | 1 << 3, 255, 9, 0]), "reference 9"),
        (encoded(&[6, 4, 4]), "continues after its end"),
        ("DQkG*".to_owned(), "not a text file of Godot"),
    ];
    for (tree, message) in cases {
        let output = run(&["import", "-"], &tree);
        if message.starts_with("not a text") {
            expect(&output, 65, &[]);
        } else {
            expect(&output, 65, &[message]);
        }
    }
}
