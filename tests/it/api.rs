//! Noises and pipelines in a program without a recipe: listed, read and changed by name, written and read as text, sent to
//! threads.

use crate::nodes;
use crate::support::cpu;
use orogen::node::{
    Allowed, Axis, ControlPoint, Fractal, Hash, Input, KindInfo, Metric, Node, ParamType, QuantilePoint, Simplex, Warp, Worley,
};
use orogen::stage::{Colour, ColourStop, CombineBy, Frequency, Hydraulic, Midpoint, OutputInfo, Pipeline, RadialPoint, Stage};
use orogen::texture::{KernelKind, wgsl};
use orogen::{
    Bake, Destination, EngineError, Gradient, Graph, GraphError, Interval, LayersError, Noise, RangeError, Recipe, Region, SetError,
    Setting, StageError,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// The encoding of a file of heights. No noise or kernel depends on it once the file has been read. tests/it/files.rs reads files
/// of each.
const OF_FILES: &str = "HeightEncoding";

/// Every word of every choice, by the Rust name of the choice, as the tables have them.
fn choices(table: &[KindInfo]) -> BTreeMap<&'static str, &'static [&'static str]> {
    let choice = |param_type| if let ParamType::Choice { name, words } = param_type { Some((name, words)) } else { None };
    table.iter().flat_map(|row| row.params).filter_map(|param| choice(param.param_type)).filter(|(name, _)| *name != OF_FILES).collect()
}

/// Fails for a word of a choice that no example uses.
fn assert_all_used(table: &'static [KindInfo], used: impl Iterator<Item = (&'static str, String)>, file: &str) {
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (choice, word) in used {
        seen.entry(choice).or_default().insert(word);
    }
    let missing = |(choice, words): (&'static str, &[&'static str])| {
        let unused = |word: &&str| !seen.get(choice).is_some_and(|seen| seen.contains(*word));
        words.iter().copied().filter(unused).map(|word| format!("{choice} \"{word}\"")).collect::<Vec<_>>()
    };
    let missing: Vec<String> = choices(table).into_iter().flat_map(missing).collect();
    assert!(missing.is_empty(), "no example in {file} of {}", missing.join(", "));
}

/// The choices of a kind and the words that `get` returns.
fn words(info: &'static KindInfo, get: impl Fn(&str) -> Option<Setting>) -> Vec<(&'static str, String)> {
    let word = |param: &orogen::node::ParamInfo| match (param.param_type, get(param.name)) {
        (ParamType::Choice { name, .. }, Some(Setting::Word(word))) => Some((name, word)),
        _ => None,
    };
    info.params.iter().filter_map(word).collect()
}

#[test]
fn every_word_of_a_nodes_choice_has_an_example() {
    let nodes = nodes::all().into_iter().flat_map(|(_, noise)| noise.graph().node.values().cloned().collect::<Vec<_>>());
    let used = nodes.flat_map(|node| words(node.info(), |param| node.get(param).expect(param)));
    assert_all_used(Node::TABLE, used, "tests/it/nodes.rs");
}

#[test]
fn every_word_of_a_stages_choice_has_an_example() {
    let stages = crate::stages::examples().into_iter().flat_map(|(_, pipeline)| pipeline.stage.into_values());
    let used = stages.flat_map(|stage| words(stage.info(), |param| stage.get(param).expect(param)));
    assert_all_used(Stage::TABLE, used, "tests/it/stages.rs");
}

#[test]
fn a_choice_has_a_word_for_each_of_its_variants() {
    assert_eq!(Metric::ALL.iter().map(|metric| metric.name()).collect::<Vec<_>>(), Metric::WORDS);
    for &metric in Metric::ALL {
        assert_eq!(metric.to_string().parse(), Ok(metric));
        assert_eq!(serde_json::to_value(metric).expect("a word"), metric.name());
    }
    let error = "euclid".parse::<Metric>().expect_err("no such word").to_string();
    assert_eq!(error, "'euclid' is not allowed; allowed: euclidean, squared, manhattan, chebyshev");
}

/// The default of a parameter of every kind, also if the kind's first example has no such parameter.
#[test]
fn every_kind_of_node_has_a_method() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("src/graph/node");
    let files = std::fs::read_dir(folder).expect("the kinds' files").map(|file| file.expect("a file").path());
    let sources: String = files.map(|file| std::fs::read_to_string(file).expect("a source")).collect();
    let missing: Vec<&str> =
        Node::TABLE.iter().map(|row| row.kind).filter(|kind| !sources.contains(&format!("    pub fn {kind}("))).collect();
    assert!(missing.is_empty(), "kinds without a method of Noise in their files: {missing:?}");
}

#[test]
fn every_parameter_can_be_read_set_and_reset_by_name() {
    for row in Node::TABLE {
        let mut node = nodes::of_kind(row.kind)[0].graph().node.values().find(|node| node.info().kind == row.kind).expect(row.kind).clone();
        let fresh = Node::of_kind(row.kind).expect(row.kind);
        for param in row.params {
            let what = format!("{}.{}", row.kind, param.name);
            assert_eq!(fresh.get(param.name), Ok(param.default_value()), "{what}");
            assert!(!param.doc.is_empty() && (param.words().is_empty() || param.words().len() > 1), "{what}");
            if let Some(setting) = node.get(param.name).expect(&what) {
                let before = node.clone();
                node.set(param.name, setting.clone()).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(node, before, "{what}");
                let text = serde_json::to_string(&setting).expect("text");
                let again: Setting = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: {text}: {error}"));
                node.set(param.name, again).unwrap_or_else(|error| panic!("{what}: {text}: {error}"));
                assert_eq!(node, before, "{what} by way of {text}");
            }
            node.reset(param.name).expect(&what);
            assert_eq!(node.get(param.name), Ok(param.default_value()), "{what}");
        }
        assert_eq!(node, fresh);
    }
    for row in Stage::TABLE {
        let mut stage = Stage::of_kind(row.kind).expect(row.kind);
        for param in row.params {
            assert_eq!(stage.get(param.name), Ok(param.default_value()), "{}.{}", row.kind, param.name);
            stage.reset(param.name).expect(row.kind);
        }
        assert_eq!(stage.outputs(), row.outputs);
        assert_eq!(stage.outputs()[0].name, "", "{}: the main output comes first", row.kind);
    }
    let water: Vec<&str> = Stage::from(Hydraulic::default()).outputs().iter().map(|output: &OutputInfo| output.name).collect();
    assert_eq!(water, ["", "water", "sediment", "flow"]);
}

#[test]
fn a_node_by_itself_takes_what_a_live_noise_does_not() {
    let mut node = Node::from(Warp { of: "basis".into(), ..Default::default() });
    node.set("x", "push").expect("a name");
    node.set("y", 2).expect("a number");
    assert_eq!(node.inputs(), [("of", &"basis".into()), ("x", &"push".into()), ("y", &Input::Value(2.0)), ("z", &Input::Value(0.0))]);
    let mut node = Node::from(Simplex::default());
    node.set("dimensions", 3u8).expect("a number");
    node.set("hash", Hash::Permutation289).expect("a word");
    node.set("seed", u64::from(u32::MAX)).expect("a seed");
    node.set("offset", [1.0f32, 2.0, 3.0]).expect("a vector");
    assert_eq!(
        node,
        Simplex { dimensions: 3, hash: Hash::Permutation289, seed: Some(0xffff_ffff), offset: Some([1.0, 2.0, 3.0]), ..Default::default() }
            .into()
    );
    for (param, value, told) in [
        ("hash", Setting::from("sha256"), "hash = \"sha256\" is not allowed; allowed: one of the words integer, permutation289"),
        ("hash", 1.into(), "allowed: one of the words"),
        ("seed", (1_i128 << 64).into(), "seed = 18446744073709551616 is not allowed; allowed: 0 to 18446744073709551615"),
        ("dimensions", usize::MAX.into(), "dimensions = 18446744073709551615 is not allowed; allowed: 1 to 4"),
        ("dimensions", 5.into(), "allowed: 1 to 4"),
        ("dimension", 3.into(), "has no parameter 'dimension'"),
        ("wavelength", "long".into(), "wavelength = \"long\" is not allowed; allowed: a number"),
    ] {
        let message = node.set(param, value).expect_err(param).to_string();
        assert!(message.contains(told), "{message}");
    }
    let mut noise = Noise::simplex(Simplex::default());
    assert!(matches!(noise.set("simplex.hash", "permutation289"), Err(SetError::Shape { .. })));
    assert_eq!(noise.get("simplex.hash"), Ok(Some("integer".into())));
}

/// Words that are called structural do shape the kernel, the others do not: by the text of the kernel itself.
#[test]
fn words_that_shape_the_kernel_are_those_that_the_table_says() {
    let mut wrong = Vec::new();
    for row in Node::TABLE {
        let of_files = |param: &&orogen::node::ParamInfo| matches!(param.param_type, ParamType::Choice { name: OF_FILES, .. });
        for param in row.params.iter().filter(|param| !param.words().is_empty() && !of_files(param)) {
            let (what, mut shapes) = (format!("{}.{}", row.kind, param.name), false);
            for noise in nodes::of_kind(row.kind) {
                let Ok(kernel) = wgsl(&noise, KernelKind::field(Gradient::Without)) else { continue };
                for &word in param.words() {
                    let mut graph = noise.graph().clone();
                    let node = graph.node.values_mut().rfind(|node| node.info().kind == row.kind).expect(&what);
                    node.set(param.name, word).expect(&what);
                    let other = wgsl(&Noise::from(graph), KernelKind::field(Gradient::Without));
                    shapes |= other.is_ok_and(|other| other != kernel);
                }
            }
            if shapes != (param.allowed == Allowed::Structural) {
                wrong.push(what);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}: the table and the kernel allow different values");
}

#[test]
fn words_of_stages_are_live() {
    let mut pipeline = Pipeline::from(Noise::simplex(Simplex::default()))
        .then(orogen::stage::Combine::default())
        .then(Colour { stops: vec![ColourStop::new(0.0, "#000000")], ..Default::default() });
    pipeline.set("combine.by", "multiply").expect("a word");
    pipeline.set("combine.by", CombineBy::Maximum).expect("a choice");
    pipeline.set("colour.stops", vec![ColourStop::new(0.5, "#ff0000"), ColourStop::new(1.0, "#ffffff")]).expect("stops");
    assert_eq!(pipeline.get("combine.by"), Ok(Some("maximum".into())));
    assert!(matches!(pipeline.set("colour.stops", vec![ColourStop::new(0.5, "red")]), Err(SetError::Value { .. })));
    assert!(matches!(pipeline.set("combine.a", "colour"), Err(SetError::Shape { .. })), "another wiring is another pipeline");
    let told = pipeline.set("combine.nothing", 1.0).expect_err("no such parameter").to_string();
    assert!(told.starts_with("stage 'combine' has no parameter 'nothing'"), "{told}");
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("text");
    let again: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&again, value, "{text}");
}

#[test]
fn descriptions_are_the_same_after_text() {
    for (_, noise) in nodes::all() {
        round_trip(&noise);
        round_trip(noise.graph());
        noise.graph().node.values().for_each(round_trip);
        round_trip(&Recipe::new(noise));
    }
    for (_, pipeline) in crate::stages::examples() {
        round_trip(&pipeline);
        pipeline.stage.values().for_each(round_trip);
        let bake = Bake {
            tile: 33,
            tiles: [2, 1],
            spacing: 0.3,
            z: -4.0,
            layers: vec![pipeline.output.clone()],
            destination: Some(Destination::Unity),
        };
        round_trip(&bake);
        round_trip(&Recipe { bake, ..Recipe::new(pipeline) });
    }
    // Also parts that are not filled in yet.
    round_trip(&Node::from(Fractal::default()));
    for row in Node::TABLE {
        round_trip(&Node::of_kind(row.kind).expect(row.kind));
    }
    for row in Stage::TABLE {
        round_trip(&Stage::of_kind(row.kind).expect(row.kind));
    }
    round_trip(&Region { origin: [-3, i64::MAX, 0], anchor: [0.1, -1e300, 5e-324], level: 3, ..Region::chunk(1, 2, 64) });
    round_trip(&Interval::new(-0.1, 1e-30));
    for setting in [
        Setting::from(true),
        (-7).into(),
        u64::MAX.into(),
        0.1.into(),
        "word".into(),
        [1.0, 2.0].into(),
        vec![[0.1, 0.2, 0.3]].into(),
        vec![ControlPoint::default()].into(),
        vec![QuantilePoint::default()].into(),
        vec![ColourStop::new(1.0, "#123456")].into(),
        vec![RadialPoint::default()].into(),
    ] {
        round_trip(&setting);
    }
    let tables = serde_json::json!({ "node": Node::TABLE, "stage": Stage::TABLE });
    assert_eq!(tables["node"][0]["params"][0]["default"], 0.0);
    assert_eq!(tables["stage"][0]["outputs"][0]["channels"], 1);
}

#[test]
fn what_was_read_is_checked_when_it_is_used() {
    let noise: Noise = serde_json::from_str(r#"{"output":"s","node":{"s":{"kind":"simplex","wavelength":-1}}}"#).expect("a noise");
    let error = cpu().field(&noise, &Region::plane(2, 2)).expect_err("a wavelength").to_string();
    assert!(error.contains("node 's': wavelength = -1 is not allowed"), "{error}");
    let pipeline: Pipeline =
        serde_json::from_str(r#"{"output":"g","stage":{"g":{"kind":"gaussian","of":"nothing","sigma":1}}}"#).expect("a pipeline");
    assert!(matches!(cpu().layers(&pipeline, &["g"], &Region::plane(2, 2)), Err(LayersError::Stage(StageError::Unknown { .. }))));
    let region = Region { spacing: f64::NAN, ..Region::plane(2, 2) };
    assert!(matches!(cpu().field(&Noise::constant(1.0), &region), Err(EngineError::Region(_))));
    for wrong in [r#"{"output":"s","node":{},"stages":{}}"#, r#"{"output":"s","node":{"s":{"kind":"simplex","sede":1}}}"#] {
        assert!(serde_json::from_str::<Pipeline>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn descriptions_can_be_cloned_printed_and_sent() {
    fn holds<T: Send + Sync + Clone + Debug + 'static>() {}
    holds::<(Graph, Node, Noise, Input, Setting, Pipeline, Stage, Recipe, Bake, Region, Interval)>();
    holds::<(GraphError, StageError, SetError, RangeError, orogen::RegionError, orogen::node::UnknownWord)>();
    holds::<(KindInfo, orogen::node::ParamInfo, ParamType, OutputInfo, Allowed)>();
    holds::<(ControlPoint, QuantilePoint, ColourStop, RadialPoint, Axis, Metric, CombineBy)>();
    holds::<(Simplex, Fractal, Worley, Frequency, Midpoint)>();
}
