//! Names: what happens to them when noises are joined. A name that a caller gave means that caller's node, and no other.

use crate::support::cpu;
use orogen::node::{Abs, Constant, Fractal, Input, Node, Simplex};
use orogen::stage::{Gaussian, Hydraulic, Slope, Thermal};
use orogen::{Graph, GraphError, Noise, Pipeline, Region, Setting, StageError};

fn simplex(wavelength: f64) -> Noise {
    Noise::simplex(Simplex { wavelength, ..Default::default() })
}

fn values(noise: &Noise) -> Vec<f32> {
    cpu().field(noise, &Region::plane(7, 5)).expect("a field").values
}

/// The values of a node of a pipeline.
fn node_values(pipeline: &Pipeline, name: &str) -> Vec<f32> {
    values(&Noise::from(Graph { output: name.to_owned(), node: pipeline.node.clone() }))
}

fn octaves() -> Fractal {
    Fractal { octaves: 3, ..Default::default() }
}

#[test]
fn a_noise_that_a_pipeline_takes_in_keeps_its_own_nodes() {
    // Both have a node named after its kind, `simplex`.
    let (host, hardness) = (simplex(50.0), simplex(9.0).fractal(octaves()));
    let pipeline = Pipeline::from(host.clone()).with("hardness", &hardness).expect("a free name");
    assert_eq!(node_values(&pipeline, "hardness"), values(&hardness));
    assert_eq!(node_values(&pipeline, "simplex"), values(&host));
}

#[test]
fn a_noise_that_is_taken_in_twice_shares_its_nodes() {
    let hardness = simplex(9.0).fractal(octaves());
    let once = Pipeline::from(simplex(50.0)).with("hardness", &hardness).expect("a free name");
    assert_eq!(once.clone().with("hardness", &hardness).expect("a free name"), once);
    assert_eq!(once.with("rain", &hardness).expect("a free name").node.len(), 4, "only the output has another name");
}

#[test]
fn an_inner_node_does_not_take_the_name_asked_for() {
    let inner = simplex(9.0).named("hardness").fractal(octaves());
    let pipeline = Pipeline::from(simplex(50.0)).with("hardness", &inner).expect("a free name");
    assert_eq!(node_values(&pipeline, "hardness"), values(&inner));
}

#[test]
fn the_callers_own_names_still_work_in_a_pipeline() {
    let inner = simplex(9.0).named("grain").fractal(octaves());
    let mut pipeline = Pipeline::from(simplex(50.0).named("base")).with("hardness", &inner).expect("a free name");
    pipeline.set("grain.wavelength", 4.0).expect("the inner node");
    pipeline.set("hardness.octaves", 2).expect("the output");
    let expected = simplex(4.0).fractal(Fractal { octaves: 2, ..Default::default() });
    assert_eq!(node_values(&pipeline, "hardness"), values(&expected));
    assert_eq!(node_values(&pipeline, "base"), values(&simplex(50.0)));
}

#[test]
fn names_given_to_equal_nodes_stay_apart() {
    let (a, b) = (simplex(20.0).named("a"), simplex(20.0).named("b"));
    let mut sum = a.add(b).named("sum");
    sum.set("a.wavelength", 7.0).expect("a");
    assert_eq!(sum.get("b.wavelength"), Ok(Some(Setting::Number(20.0))), "b is another node");
    assert_eq!(values(&sum), values(&simplex(7.0).add(simplex(20.0))));
    // Nor does a node without a name of its own follow one that has one.
    let mut half = simplex(20.0).named("a").add(simplex(20.0));
    half.set("a.wavelength", 7.0).expect("a");
    assert_eq!(values(&half), values(&simplex(7.0).add(simplex(20.0))));
    let mut half = simplex(20.0).add(simplex(20.0).named("a"));
    half.set("a.wavelength", 7.0).expect("a");
    assert_eq!(values(&half), values(&simplex(20.0).add(simplex(7.0))));
}

#[test]
fn one_noise_used_twice_shares_its_nodes() {
    let base = simplex(20.0).fractal(octaves());
    let sum = base.clone().add(base.clone().abs()).multiply(base);
    assert_eq!(sum.graph().node.len(), 5, "simplex, fractal, abs, add, multiply: {:?}", sum.graph().node.keys());
    let named = simplex(20.0).named("base");
    let sum = named.clone().add(named.clone()).add(named);
    assert_eq!(sum.graph().node.len(), 3);
    // One whose name was taken, too.
    let (here, there) = (simplex(20.0).named("m"), simplex(9.0).named("m"));
    let sum = here.add(there.clone()).add(there);
    assert_eq!(sum.graph().node.len(), 4, "{:?}", sum.graph().node.keys());
}

/// Two nodes, the second of which reads the first, which is the output.
fn output_with_a_user() -> Graph {
    let abs = Abs { of: Input::Node("old".to_owned()) };
    let node = [("old".to_owned(), Node::from(Constant { value: -2.0 })), ("user".to_owned(), abs.into())];
    Graph { output: "old".to_owned(), node: node.into_iter().collect() }
}

#[test]
fn another_name_for_the_output_reaches_all_that_read_it() {
    let noise = Noise::from(output_with_a_user()).named("new");
    noise.check().expect("nothing refers to the old name");
    assert_eq!(noise.graph().output, "new");
    let Node::Abs(abs) = &noise.graph().node["user"] else { panic!("an abs") };
    assert_eq!(abs.of, Input::Node("new".to_owned()));
}

#[test]
fn a_name_that_stands_for_something_else_is_refused() {
    let error = Pipeline::from(simplex(50.0).named("m")).with("m", &simplex(9.0)).expect_err("taken").to_string();
    assert_eq!(error, "'m' is taken by another node or stage; allowed: a name of its own");
    let pipeline = Pipeline::from(simplex(50.0)).with("m", &simplex(9.0)).expect("a free name");
    assert!(matches!(pipeline.with("m", &simplex(7.0)), Err(StageError::Taken { .. })));
    let pipeline = Pipeline::from(simplex(50.0)).then(Thermal::default());
    assert!(matches!(pipeline.with("thermal", &simplex(7.0)), Err(StageError::Taken { .. })));
}

#[test]
fn a_name_that_means_nothing_does_not_come_to_mean_a_node_of_another_noise() {
    let lost = Node::from(Abs { of: "simplex".into() });
    let lost = Noise::from(Graph { output: "lost".to_owned(), node: [("lost".to_owned(), lost)].into_iter().collect() });
    let sum = simplex(20.0).add(lost.clone());
    assert!(sum.check().is_err(), "{:?}", sum.graph());
    let nowhere = Noise::from(Graph { output: "simplex".to_owned(), node: Default::default() });
    assert!(simplex(20.0).add(nowhere.clone()).check().is_err());
    assert_eq!(nowhere.clone().named("somewhere"), nowhere, "there is nothing to name");
    // A cycle stays one.
    let node = |of: &str| Node::from(Abs { of: of.into() });
    let node = [("simplex".to_owned(), node("b")), ("b".to_owned(), node("simplex"))];
    let circle = Noise::from(Graph { output: "b".to_owned(), node: node.into_iter().collect() });
    assert!(matches!(simplex(20.0).max(circle).check(), Err(GraphError::Cycle { .. })));
}

#[test]
fn a_node_of_any_kind_is_joined_as_its_own_method_does() {
    let (base, other) = (simplex(50.0), simplex(9.0).named("grain"));
    let of_kind = |kind: &str| Node::of_kind(kind).expect("a kind");
    let joined = |kind, inputs: &[(&str, &Noise)]| Noise::join(of_kind(kind), inputs).expect("inputs that there are");
    assert_eq!(joined("simplex", &[]), Noise::simplex(Simplex::default()));
    assert_eq!(joined("abs", &[("of", &base)]), base.clone().abs());
    assert_eq!(joined("add", &[("a", &base), ("b", &other)]), base.clone().add(other.clone()));
    // One noise three times is there once.
    let warp = joined("warp", &[("of", &base), ("x", &other), ("y", &other), ("z", &base)]);
    assert_eq!(warp, base.clone().warp([other.clone(), other, base.clone()], 1.0));
    assert_eq!(warp.graph().node.len(), 3);
}

#[test]
fn a_join_refuses_what_is_no_input() {
    let base = simplex(50.0);
    let refusal = |input| Noise::join(Fractal::default(), &[(input, &base)]).expect_err("no input").to_string();
    assert!(refusal("octaves").contains("node 'fractal': octaves"), "{}", refusal("octaves"));
    // This parameter takes a word, but the given value is not one of its words.
    assert!(refusal("accumulate").contains("allowed: one of the words"), "{}", refusal("accumulate"));
    assert!(refusal("under").contains("node 'fractal' has no parameter 'under'"), "{}", refusal("under"));
    let lacking = Noise::join(Fractal::default(), &[]).expect("checked later");
    assert!(matches!(lacking.check(), Err(GraphError::MissingInput { .. })), "{:?}", lacking.check());
}

#[test]
fn a_noise_that_is_taken_in_says_its_name() {
    let mut pipeline = Pipeline::from(simplex(50.0).named("grain"));
    let [mine, grain] = [9.0, 4.0].map(|wavelength| simplex(wavelength).named("grain"));
    let names = [&mine, &grain, &mine].map(|noise| pipeline.take_in(noise));
    assert_eq!(names, ["grain_2", "grain_3", "grain_2"]);
    assert_eq!(pipeline.output, "grain");
    assert_eq!(node_values(&pipeline, "grain_3"), values(&grain));
}

#[test]
fn a_pipeline_that_is_joined_shares_what_both_have_and_renames_the_rest() {
    let eroded = Pipeline::from(simplex(50.0)).named("eroded", Hydraulic { iterations: 2, ..Default::default() });
    let mut here = eroded.clone().named("shape", Slope::default());
    // The same noise under the same erosion; another stage of the same name.
    let other = eroded.output("eroded.water").named("shape", Gaussian::default());
    assert_eq!(here.join(&other), "shape_2");
    assert_eq!(here.stage.keys().collect::<Vec<_>>(), ["eroded", "shape", "shape_2"]);
    assert_eq!(here.get("shape_2.of").expect("an input"), Some("eroded.water".into()));
    // Another noise of the same name, and all that reads it.
    let far = Pipeline::from(simplex(9.0)).named("eroded", Hydraulic::default()).output("eroded.flow");
    assert_eq!(here.join(&far), "eroded_2.flow");
    assert_eq!(here.get("eroded_2.of").expect("an input"), Some("simplex_2".into()));
    assert_eq!((here.output.as_str(), here.node.len(), here.check()), ("shape", 2, Ok(())));
}
