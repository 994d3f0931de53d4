//! Describes the difference between two bakes: the setting, or the node and its parameter, with both values.

use serde_json::{Map, Value};

/// Most differences that are named; the rest are counted.
const NAMED: usize = 3;
/// Most characters of a value that are shown.
const SHOWN: usize = 60;

/// A property with two values.
pub(super) fn between(what: &str, here: &Value, there: &Value) -> String {
    format!("{what} differs: {} here, {} there", shown(here), shown(there))
}

/// The differences between two recipes. Each is the JSON of a [`Pipeline`](crate::stage::Pipeline).
pub(super) fn of_recipes(here: &Value, there: &Value) -> String {
    if here == there {
        return "the recipe's world differs, which its stages read as a whole: the tiles, the tile size, the level, the spacing or z"
            .to_owned();
    }
    let mut all = Vec::new();
    let empty = Map::new();
    let table = |of: &Value, name: &str| of.get(name).and_then(Value::as_object).unwrap_or(&empty).clone();
    for group in ["node", "stage"] {
        of_tables(group, &table(here, group), &table(there, group), &mut all);
    }
    let output = |of: &Value| of.get("output").cloned().unwrap_or_default();
    if output(here) != output(there) {
        all.push(format!("output is {} here, {} there", shown(&output(here)), shown(&output(there))));
    }
    // The content of a file is not part of the recipe's text.
    let (files, rest): (Vec<String>, Vec<String>) = all.into_iter().partition(|one| one.starts_with(FILE));
    if rest.is_empty() && !files.is_empty() {
        return listed(&files);
    }
    if rest.is_empty() { "the recipe differs".to_owned() } else { format!("the recipe differs: {}", listed(&[rest, files].concat())) }
}

/// The start of the sentence about a file with other content.
const FILE: &str = "the file ";

fn of_tables(group: &str, here: &Map<String, Value>, there: &Map<String, Value>, all: &mut Vec<String>) {
    let only = |a: &Map<String, Value>, b: &Map<String, Value>, place: &str| {
        let names = a.keys().filter(|name| !b.contains_key(*name)).map(|name| format!("{group} '{name}' is only {place}"));
        names.collect::<Vec<_>>()
    };
    all.extend(only(here, there, "here"));
    all.extend(only(there, here, "there"));
    let empty = Map::new();
    for (name, (a, b)) in here.iter().filter_map(|(name, a)| Some((name, (a, there.get(name)?)))) {
        let (a, b) = (a.as_object().unwrap_or(&empty), b.as_object().unwrap_or(&empty));
        let same_file = a.get("heights") == b.get("heights");
        let mut params: Vec<&String> = a.keys().chain(b.keys()).collect();
        params.sort_unstable();
        params.dedup();
        for param in params.into_iter().filter(|param| a.get(*param) != b.get(*param)) {
            let [x, y] = [a, b].map(|of| of.get(param).map_or("not given".to_owned(), shown));
            all.push(match param.as_str() {
                "sha256" if same_file => {
                    let file = a.get("heights").map_or(String::new(), shown);
                    format!("{FILE}{file} that {group} '{name}' reads has changed: its SHA-256 is {x} here, {y} there")
                }
                param => format!("{group} '{name}': {param} is {x} here, {y} there"),
            });
        }
    }
}

fn listed(all: &[String]) -> String {
    let named = all[..all.len().min(NAMED)].join("; ");
    if all.len() > NAMED { format!("{named}; and {} more", all.len() - NAMED) } else { named }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > SHOWN { text.chars().take(SHOWN).chain(['…']).collect() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_name_node_parameter_and_both_values() {
        let one = json!({ "output": "n", "node": { "n": { "kind": "simplex", "wavelength": 40.0, "seed": 1 } } });
        let with = |of: Value| json!({ "output": "n", "node": { "n": of } });
        let of = |two: &Value| of_recipes(&one, two);
        assert_eq!(
            of(&with(json!({ "kind": "simplex", "wavelength": 50.0, "seed": 1 }))),
            "the recipe differs: node 'n': wavelength is 40.0 here, 50.0 there"
        );
        assert!(of(&with(json!({ "kind": "simplex", "wavelength": 40.0 }))).contains("seed is 1 here, not given there"));
        assert!(of(&json!({ "output": "m", "node": {} })).contains("node 'n' is only here; output is \"n\" here, \"m\" there"));
        let raster = |sha256: &str| with(json!({ "kind": "raster", "heights": "h.png", "sha256": sha256 }));
        let changed = of_recipes(&raster("a"), &raster("b"));
        assert_eq!(changed, "the file \"h.png\" that node 'n' reads has changed: its SHA-256 is \"a\" here, \"b\" there");
        let many = |x: f64| json!({ "node": { "n": { "a": x, "b": x, "c": x, "d": x, "e": vec![x; 90] } } });
        assert!(of_recipes(&many(1.0), &many(2.0)).ends_with("; and 2 more"));
    }
}
