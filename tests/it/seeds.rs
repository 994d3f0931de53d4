//! Every `u64` is a seed: through every kind that has one, every way in and every way out.

use crate::support::cpu;
use crate::{nodes, stages};
use orogen::node::{Allowed, Heights, KindInfo, Node, Raster};
use orogen::stage::{Pipeline, Stage};
use orogen::{Noise, Recipe, Region, Setting};
use std::collections::HashSet;

/// The ends, and both sides of what numbers of JavaScript and integers of TOML hold.
pub const SEEDS: [u64; 8] = [0, 1, (1 << 53) - 1, 1 << 53, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, u64::MAX];

/// The parameters of a kind that are seeds.
fn seeds_of(info: &'static KindInfo) -> impl Iterator<Item = &'static str> {
    info.params.iter().filter(|param| param.allowed == Allowed::Seed).map(|param| param.name)
}

/// A recipe for every kind that has a seed, and the path of that seed.
fn seeded() -> Vec<(Recipe, String)> {
    let mut all = Vec::new();
    for info in Node::TABLE {
        for param in seeds_of(info) {
            let noise = nodes::of_kind(info.kind).remove(0);
            let of_kind = |(_, node): &(&String, &Node)| node.info().kind == info.kind;
            let (name, _) = noise.graph().node.iter().find(of_kind).expect(info.kind);
            let path = format!("{name}.{param}");
            all.push((Recipe::new(noise), path));
        }
    }
    for info in Stage::TABLE {
        for param in seeds_of(info) {
            let (_, pipeline) =
                stages::examples().into_iter().find(|(_, p)| p.stage[&p.output].info().kind == info.kind).expect("an example");
            let path = format!("{}.{param}", pipeline.output);
            all.push((Recipe::new(pipeline), path));
        }
    }
    all
}

fn with_seed(recipe: &Recipe, path: &str, seed: impl Into<Setting>) -> Recipe {
    let mut recipe = recipe.clone();
    recipe.pipeline.set(path, seed).expect(path);
    recipe
}

#[test]
fn every_kind_takes_every_seed_by_every_way_in_and_out() {
    let all = seeded();
    assert_eq!(all.len(), 26, "kinds with a seed");
    for (recipe, path) in all {
        let (name, param) = path.rsplit_once('.').expect("a path");
        let table = if recipe.pipeline.node.contains_key(name) { "node" } else { "stage" };
        for seed in SEEDS {
            let what = format!("{path} = {seed}");
            let made = with_seed(&recipe, &path, seed);
            assert_eq!(made.pipeline.get(&path), Ok(Some(seed.into())), "{what}");
            assert_eq!(with_seed(&recipe, &path, seed.to_string()), made, "{what}: as text");
            // Settings as text.
            let setting: Setting = serde_json::from_str(&serde_json::to_string(&Setting::from(seed)).expect("text")).expect("a setting");
            assert_eq!(with_seed(&recipe, &path, setting), made, "{what}: a setting by way of JSON");
            // Recipes as text: a number where all readers keep it.
            let (toml, json) = (made.to_toml().expect(&what), made.to_json().expect(&what));
            let written = if seed < 1 << 53 { seed.to_string() } else { format!("\"{seed}\"") };
            assert!(toml.contains(&format!("{param} = {written}\n")) || seed == 0, "{what}: {toml}");
            let tree: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            assert_eq!(tree[table][name][param].to_string(), written, "{what}");
            assert_eq!(Recipe::from_toml(&toml, "t").expect(&what), made);
            assert_eq!(Recipe::from_json(&json, "j").expect(&what), made);
            // By serde's traits.
            assert_eq!(serde_json::from_value::<Recipe>(tree.clone()).expect(&what), made);
            assert_eq!(toml::from_str::<Recipe>(&toml::to_string(&made).expect(&what)).expect(&what), made);
            // Other ways to write the same: numbers as far as the language has them, text of digits.
            for other in [seed.into(), seed.to_string().into()] {
                let mut tree = tree.clone();
                tree[table][name][param] = other;
                assert_eq!(Recipe::from_json(&tree.to_string(), "j").expect(&what), made, "{what}: {tree}");
            }
            if i64::try_from(seed).is_ok() {
                let plain = toml.replace(&format!("{param} = {written}\n"), &format!("{param} = {seed}\n"));
                assert_eq!(Recipe::from_toml(&plain, "t").expect(&what), made, "{what}");
            }
            // Programs.
            let default = tree_default(&made, name, param);
            let (rust, python) = (made.to_rust(), made.to_python());
            assert!(
                default == Some(seed.into())
                    || rust.contains(&format!("{param}: {seed},"))
                    || rust.contains(&format!("{param}: {seed} "))
                    || rust.contains(&format!("{param}: Some({seed})")),
                "{what}: {rust}"
            );
            assert!(default == Some(seed.into()) || python.contains(&format!("{param}={seed}")), "{what}: {python}");
        }
        // An invalid seed is refused with a message.
        for no_seed in
            [Setting::from(-1), Setting::from(1_i128 << 64), 0.5.into(), "-1".into(), "+1".into(), "".into(), "18446744073709551616".into()]
        {
            let error = recipe.pipeline.clone().set(&path, no_seed.clone()).expect_err(&path).to_string();
            assert!(error.contains(&path.replace('.', "': ")) || error.contains(param), "{path} = {no_seed}: {error}");
            let explained = error.contains("such as its magnitude") || error.contains("FastNoiseLite's seed -1 is 4294967295 here");
            assert_eq!(explained, no_seed == Setting::from(-1) || no_seed == "-1".into(), "{path} = {no_seed}: {error}");
            let mut tree: serde_json::Value = serde_json::from_str(&recipe.to_json().expect("JSON")).expect("JSON");
            let Ok(value) = serde_json::to_value(&no_seed) else { continue };
            tree[table][name][param] = value;
            let error = Recipe::from_json(&tree.to_string(), "bad.json").expect_err(&path).to_string();
            assert!(error.contains(name) && error.contains(param) && error.contains("18446744073709551615"), "{path} = {no_seed}: {error}");
        }
    }
}

fn tree_default(recipe: &Recipe, name: &str, param: &str) -> Option<Setting> {
    let pipeline: &Pipeline = &recipe.pipeline;
    let info = pipeline.node.get(name).map(Node::info).or_else(|| pipeline.stage.get(name).map(Stage::info)).expect(name);
    info.param(param).expect(param).default_value()
}

/// Numbers for noise by example, which reads nothing else.
fn raster() -> Noise {
    let heights = Heights::new((0..256).map(|i| (i * 37 % 101) as f32).collect(), [16, 16]).expect("heights");
    Noise::raster(Raster { heights, ..Default::default() })
}

/// No two of them are the same noise: no bit is lost on the way to the lattice. A prepared noise that is set agrees with one that is built.
#[test]
fn every_seed_is_another_noise() {
    let engine = cpu();
    let region = Region { spacing: 7.3, ..Region::plane(16, 16) };
    for info in Node::TABLE {
        for param in seeds_of(info) {
            let base = match Node::of_kind(info.kind).expect(info.kind) {
                node if node.inputs().is_empty() => Noise::join(node, &[]),
                node => {
                    let body = if info.kind == "by_example" { raster() } else { Noise::perlin(Default::default()) };
                    let inputs: Vec<_> =
                        node.inputs().iter().filter(|(name, _)| ["of", "by"].contains(name)).map(|(name, _)| (*name, &body)).collect();
                    Noise::join(node.clone(), &inputs)
                }
            };
            let base = base.expect(info.kind).named("n");
            let mut prepared = engine.prepare(&base).expect(info.kind);
            let mut seen = HashSet::new();
            for seed in SEEDS {
                let mut noise = base.clone();
                noise.set(&format!("n.{param}"), seed).expect(info.kind);
                let values = engine.field(&noise, &region).expect(info.kind).values;
                prepared.set(&format!("n.{param}"), seed).expect(info.kind);
                assert_eq!(prepared.field(&region).expect(info.kind).values, values, "{}: {seed}", info.kind);
                assert!(
                    seen.insert(values.iter().map(|x| x.to_bits()).collect::<Vec<_>>()),
                    "{}: {seed} is another seed's noise",
                    info.kind
                );
            }
        }
    }
}

/// Integers of TOML end at 2^63 − 1: the message for larger ones explains how to write them.
#[test]
fn a_seed_that_toml_does_not_hold_is_told_how_it_is_written() {
    for seed in ["9223372036854775808", "18446744073709551615", "0xffff_ffff_ffff_ffff", "99999999999999999999"] {
        let text = format!("output = \"n\"\n[node.n]\nkind = \"perlin\"\nseed = {seed}\n");
        let error = Recipe::from_toml(&text, "t.toml").expect_err("beyond").to_string();
        assert!(error.starts_with("t.toml:4:") && error.contains("9223372036854775807") && error.contains("in quotes"), "{error}");
    }
}

#[test]
fn every_seed_is_exported() {
    use orogen::export::{ExportOptions, Language, export};
    let mut seen = HashSet::new();
    for seed in SEEDS {
        let noise = Noise::perlin(orogen::node::Perlin { seed, ..Default::default() });
        let options = ExportOptions { language: Language::Wgsl, ..Default::default() };
        let exported = export(&noise, &options).expect("an export");
        assert!(seen.insert(exported.text().expect("text").to_owned()), "{seed} is another seed's export");
    }
}
