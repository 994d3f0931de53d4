//! Recipes generated from the tables, sensible and not. Every recipe that can be read is valid or refused, and every valid one has
//! finite values in its range. `scripts/drills` tries many more.

use crate::support::{Random, Scratch, cpu, jets, run};
use orogen::export::{ExportOptions, Language};
use orogen::node::{Allowed, KindInfo, Node, ParamInfo, ParamType};
use orogen::stage::Stage;
use orogen::{Field, Gradient, Layer, Noise, Recipe, Region};
use std::collections::BTreeSet;
use std::fmt::Write;

/// More lattices a sample than these take too long to be tried often.
const MOST_TERMS: u64 = 400;

struct Generator {
    random: Random,
    text: String,
    /// Names that inputs may have.
    names: Vec<String>,
}

impl Generator {
    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[(self.random.bits() % list.len() as u64) as usize]
    }

    fn chance(&mut self, share: f64) -> bool {
        self.random.between(0.0, 1.0) < share
    }

    /// A number: mostly one that is allowed, often an end of what is.
    fn number(&mut self, allowed: Allowed, whole: bool) -> String {
        let (lo, hi) = match allowed {
            Allowed::Between(lo, hi)
            | Allowed::Dimensions(lo, hi)
            | Allowed::Each(lo, hi)
            | Allowed::List(_, lo, hi)
            | Allowed::Terms(_, lo, hi) => (lo, hi),
            _ => (-100.0, 100.0),
        };
        let x = match self.random.bits() % 12 {
            0 => lo,
            1 => hi,
            2 => *self.one_of(&[0.0, -0.0, 1.0, -1.0, 0.5, 1e-9, 1e9, 1e15, 4e18, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE]),
            3 => self.random.between(lo, hi),
            _ => self.random.between(lo.max(-4.0), hi.min(4.0 + lo.max(0.0))),
        };
        if whole {
            format!("{}", x.clamp(-3.0, 1e18).round() as i64)
        } else if x.is_finite() {
            format!("{x:?}")
        } else {
            format!("{x}").to_lowercase()
        }
    }

    fn list(&mut self, count: u64, item: impl Fn(&mut Self) -> String) -> String {
        let items: Vec<String> = (0..count).map(|_| item(self)).collect();
        format!("[{}]", items.join(", "))
    }

    /// Points whose first number mostly rises.
    fn points(&mut self, first: &str, others: &[&str]) -> String {
        let mut at = self.random.between(-1.0, 0.5);
        let mut items = Vec::new();
        for _ in 0..self.random.bits() % 5 {
            let mut fields = vec![format!("{first} = {at:?}")];
            for name in others {
                fields.push(format!("{name} = {:?}", self.random.between(-2.0, 2.0)));
            }
            items.push(format!("{{ {} }}", fields.join(", ")));
            at += if self.chance(0.95) { self.random.between(0.01, 1.0) } else { 0.0 };
        }
        format!("[{}]", items.join(", "))
    }

    fn value(&mut self, param: &ParamInfo) -> String {
        match param.param_type {
            ParamType::Number => self.number(param.allowed, false),
            ParamType::Whole if param.allowed == Allowed::Seed && self.chance(0.2) => {
                format!("\"{}\"", self.one_of(&["18446744073709551615", "9007199254740993", "18446744073709551616", "-1", "x"]))
            }
            ParamType::Whole => self.number(param.allowed, true),
            ParamType::Flag => (*self.one_of(&["true", "false"])).to_owned(),
            ParamType::Pair => self.list(2, |g| g.number(param.allowed, false)),
            ParamType::Vector => self.list(3, |g| g.number(param.allowed, false)),
            ParamType::Numbers => {
                let count = self.random.bits() % 5;
                self.list(count, |g| g.number(param.allowed, false))
            }
            ParamType::Vectors => {
                let count = self.random.bits() % 4;
                self.list(count, |g| g.list(3, |g| g.number(param.allowed, false)))
            }
            ParamType::Input => {
                if self.names.is_empty() || self.chance(0.1) {
                    self.number(Allowed::Between(-10.0, 10.0), false)
                } else {
                    let near = self.names.len().saturating_sub(3);
                    let name = if self.chance(0.7) {
                        self.names[near + (self.random.bits() as usize) % (self.names.len() - near)].clone()
                    } else {
                        let names = self.names.clone();
                        self.one_of(&names).clone()
                    };
                    format!("{name:?}")
                }
            }
            ParamType::ControlPoints => self.points("at", &["value", "slope_in", "slope_out"]),
            ParamType::QuantilePoints => self.points("probability", &["value"]),
            ParamType::ColourStops => self.points("at", &["colour"]),
            ParamType::File => "\"no such file.png\"".to_owned(),
            ParamType::Hash => format!("\"{}\"", "0f".repeat(32)),
            ParamType::RadialPoints => self.points("frequency", &["amplitude"]),
            ParamType::Choice { words, .. } => format!("{:?}", if self.chance(0.97) { *self.one_of(words) } else { "no such word" }),
            _ => "0".to_owned(),
        }
    }

    fn row(&mut self, table: &str, name: &str, kind: &str, params: &[ParamInfo]) {
        let _ = write!(self.text, "[{table}.{name}]\nkind = \"{kind}\"\n");
        for param in params {
            let needed = param.default_value().is_none() && !param.optional;
            // Folding makes graphs grow fast.
            let rarely = ["octaves", "iterations", "sines", "count", "size", "radius"].contains(&param.name);
            if needed || self.chance(if rarely { 0.1 } else { 0.35 }) {
                let value = self.value(param);
                let _ = writeln!(self.text, "{} = {value}", param.name);
            }
        }
    }

    fn recipe(&mut self, seed: u64) -> String {
        self.random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        self.text.clear();
        self.names.clear();
        let (nodes, stages) = (1 + self.random.bits() % 6, if self.chance(0.3) { 1 + self.random.bits() % 3 } else { 0 });
        let over = if stages > 0 { self.random.bits() % 3 } else { 0 };
        let may_read_stages: Vec<KindInfo> = Node::TABLE.iter().copied().filter(KindInfo::reads_stages).collect();
        for (table, prefix, count) in [("node", 'n', nodes), ("stage", 's', stages), ("node", 'o', over), ("stage", 't', over / 2)] {
            for i in 0..count {
                let name = format!("{prefix}{i}");
                let kinds = match prefix {
                    'n' => Node::TABLE,
                    'o' => &may_read_stages,
                    _ => Stage::TABLE,
                };
                let row = *self.one_of(kinds);
                self.row(table, &name, row.kind, row.params);
                self.names.push(name);
            }
        }
        let output = self.names.last().cloned().unwrap_or_default();
        format!("output = \"{output}\"\n{}[bake]\nspacing = {:?}\n", self.text, self.random.between(0.01, 20.0))
    }
}

/// The outcome of a recipe.
#[derive(Default, Debug)]
struct Tally {
    refused: u32,
    evaluated: u32,
    not_there: u32,
    large: u32,
    /// Of those that were evaluated: drawn, traced, sampled, meshed and exported, too.
    used: u32,
}

/// The result of the command's other verbs for a noise: success or an error with a message, and never a panic.
fn other_uses(noise: &Noise, field: &Field, what: &dyn Fn() -> String) {
    let engine = cpu();
    let said = |result: Result<(), String>| {
        if let Err(error) = result {
            assert!(!error.is_empty(), "{}", what());
        }
    };
    let [lo, hi] = field.extent().map(f64::from);
    let lines =
        orogen::lines::contours(&Layer::from(field.clone()), &[lo, f64::midpoint(lo, hi), hi]).expect("a field of more than one row");
    assert!(lines.iter().flat_map(|c| &c.lines).flatten().flatten().all(|x| x.is_finite()), "{}", what());
    said(orogen::draw::draw(field, 1, &Default::default()).map(|_| ()).map_err(|error| error.to_string()));
    let positions = [[0.0, 0.0, 0.0], [-1e6, 1e9, 3.5], [1e12, -1e12, 0.25]];
    said(engine.sample(noise, &positions, Gradient::With).map(|_| ()).map_err(|error| error.to_string()));
    let volume = Region { size: [5, 4, 3], ..field.region };
    said(orogen::mesh::surface(&engine, noise, &volume, f64::midpoint(lo, hi)).map(|_| ()).map_err(|error| error.to_string()));
    let options = ExportOptions { language: Language::Wgsl, ..Default::default() };
    said(orogen::export::export(noise, &options).map(|_| ()).map_err(|error| error.to_string()));
}

fn attempt(text: &str, seed: u64, tally: &mut Tally) {
    let what = || format!("recipe {seed}:\n{text}");
    let recipe = match Recipe::from_toml(text, "r.toml") {
        Ok(recipe) => recipe,
        Err(error) => {
            let error = error.to_string();
            assert!(error.starts_with("r.toml:") && error.len() > 12, "{error}: {}", what());
            tally.refused += 1;
            return;
        }
    };
    let toml = recipe.to_toml().unwrap_or_else(|error| panic!("{error}: {}", what()));
    let json = recipe.to_json().unwrap_or_else(|error| panic!("{error}: {}", what()));
    for again in [Recipe::from_toml(&toml, "again"), Recipe::from_json(&json, "again")] {
        assert!(again.as_ref().is_ok_and(|again| *again == recipe), "{again:?}: {}", what());
    }
    let engine = cpu();
    let far = if seed.is_multiple_of(3) { 1_000_000_007 } else { -5 };
    let region = Region { origin: [far, -far, 0], size: [17, 5, 1], level: 0, spacing: recipe.bake.spacing, anchor: [0.5, 0.0, 1.0] };
    if let Ok(noise) = recipe.noise() {
        let Ok(prepared) = engine.prepare(&noise) else {
            tally.refused += 1;
            return;
        };
        if prepared.terms() > MOST_TERMS {
            tally.large += 1;
            return;
        }
        let range = prepared.range();
        assert!(range.lo <= range.hi && range.lo.is_finite() && range.hi.is_finite(), "{range:?}: {}", what());
        match jets(&engine, &noise, &region) {
            Ok(field) => {
                for &x in &field.values {
                    assert!(x.is_finite() && range.contains(f64::from(x)), "{x} is not in {range:?}: {}", what());
                }
                assert!(field.gradients.iter().flatten().flatten().all(|g| !g.is_nan()), "{}", what());
                tally.evaluated += 1;
                if seed.is_multiple_of(16) {
                    other_uses(&noise, &field, &what);
                    tally.used += 1;
                }
            }
            Err(error) => {
                assert!(error.to_string().contains("allowed"), "{error}: {}", what());
                tally.not_there += 1;
            }
        }
        return;
    }
    let outputs = [recipe.pipeline.output.as_str()];
    match engine.estimate(&recipe.pipeline, &outputs, &region) {
        Ok(estimate) if estimate.terms > 4_000_000 => tally.large += 1,
        Ok(_) => match engine.layers(&recipe.pipeline, &outputs, &region) {
            Ok(layers) => {
                assert!(layers[0].values.iter().all(|x| x.is_finite()), "{}", what());
                if let Some(range) = recipe.pipeline.range(outputs[0]) {
                    // Of stages, ranges hold up to rounding.
                    let rounding = 1e-6 * range.lo.abs().max(range.hi.abs()) + f64::from(f32::MIN_POSITIVE);
                    let inside = |x: &f32| (range.lo - rounding..=range.hi + rounding).contains(&f64::from(*x));
                    assert!(layers[0].values.iter().all(inside), "{:?} is not in {range:?}: {}", layers[0].extent(), what());
                }
                tally.evaluated += 1;
            }
            Err(_) => tally.not_there += 1,
        },
        Err(_) => tally.refused += 1,
    }
}

/// The command's verbs on a recipe, sound or not: an exit code that is documented, and never a panic. Those that end well.
fn verbs(text: &str, scratch: &Scratch) -> BTreeSet<String> {
    let mut ended_well = BTreeSet::new();
    let recipe = scratch.file("r.toml", text);
    let points = scratch.file("points", "0 0 0\n1e6 -5 2\n");
    let name = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let (r, points, out) = (name(&recipe), name(&points), |file: &str| name(&scratch.0.join(file)));
    let _ = std::fs::remove_dir_all(scratch.0.join("world"));
    let all: [&[&str]; 13] = [
        &["bake", &r, "--out", &out("world"), "--tile", "8", "--tiles", "0..2,0..2"],
        &["sample", &r, "--points", &points, "--gradient"],
        &["preview", &r, "-o", &out("p.png"), "--size", "16,16"],
        &["inspect", &r, "--json", "--size", "64"],
        &["equalise", &r, "-o", &out("e.toml")],
        &["hexmap", &r, "-o", &out("h.csv"), "--q", "0..4", "--r", "0..4"],
        &["spectrum", &r, "-o", &out("s.csv"), "--size", "64"],
        &["places", &r, "-o", &out("p.csv"), "--area=0,0,50,50"],
        &["contours", &r, "-o", &out("c.svg"), "--size", "32,32"],
        &["coast", &r, "-o", &out("c.svg"), "--points", "64"],
        &["rivers", &r, "-o", &out("r.svg"), "--size", "32,32"],
        &["volume", &r, "-o", &out("v.glb"), "--size", "8,8,8"],
        &["verify", &r],
    ];
    for args in all {
        let output = run(&[args, &["--backend", "cpu"]].concat(), "");
        let said = crate::support::text(&output.stderr);
        assert!(!said.contains("panicked"), "{args:?}: {said}\n{text}");
        assert!([0, 2, 65, 74].contains(&output.status.code().unwrap_or(-1)), "{args:?}: {:?} {said}\n{text}", output.status);
        if output.status.success() {
            ended_well.insert(args[0].to_owned());
        }
    }
    let output = run(&["export", &r, "--lang", "hlsl"], "");
    assert!([0, 65].contains(&output.status.code().unwrap_or(-1)), "{}\n{text}", crate::support::text(&output.stderr));
    ended_well
}

#[test]
fn no_verb_panics_on_a_generated_recipe() {
    let mut generator = Generator { random: Random(1), text: String::new(), names: Vec::new() };
    let scratch = Scratch::new("fuzz-verbs");
    let (mut tried, mut ended_well) = (0, BTreeSet::new());
    for seed in 1..=40 * rounds() {
        let text = generator.recipe(seed.wrapping_mul(7919));
        // Large noises would take long in each of the verbs.
        let small = |recipe: &Recipe| recipe.noise().is_ok_and(|noise| cpu().prepare(&noise).is_ok_and(|p| p.terms() < 50));
        if Recipe::from_toml(&text, "r.toml").as_ref().map_or(seed.is_multiple_of(4), small) {
            ended_well.extend(verbs(&text, &scratch));
            tried += 1;
        }
    }
    println!("{tried} recipes through 14 verbs");
    // A volume may have no surface.
    ended_well.remove("volume");
    assert!(tried > 5 && ended_well.len() == 12, "{tried} recipes; verbs that never end well are missing: {ended_well:?}");
}

fn rounds() -> u64 {
    std::env::var("OROGEN_DRILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

#[test]
fn generated_recipes_are_refused_or_have_values_in_their_range() {
    let mut generator = Generator { random: Random(1), text: String::new(), names: Vec::new() };
    let mut tally = Tally::default();
    let count = 1500 * rounds();
    for seed in 1..=count {
        let text = generator.recipe(seed);
        attempt(&text, seed, &mut tally);
        // The same with a piece of it changed, gone or twice.
        let mut random = Random(seed | 1);
        let lines: Vec<&str> = text.lines().collect();
        let (i, j) = (random.bits() as usize % lines.len(), random.bits() as usize % lines.len());
        let mut changed = lines.clone();
        match random.bits() % 4 {
            0 => drop(changed.remove(i)),
            1 => changed.insert(i, lines[j]),
            2 => changed.swap(i, j),
            _ => changed[i] = &lines[i][..random.bits() as usize % (lines[i].len() + 1)],
        }
        attempt(&changed.join("\n"), seed, &mut tally);
    }
    println!("{count} recipes and the same number of damaged ones: {tally:?}");
    assert!(u64::from(tally.evaluated) > count / 5, "{tally:?}");
}
