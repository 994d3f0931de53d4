//! A recipe as the Rust code that builds it: a starting point for a program.

use super::Recipe;
use crate::params::{KindInfo, ParamInfo, ParamType, Setting};
use std::fmt::Write;

impl Recipe {
    /// Rust code with a function `pipeline` that returns the recipe's pipeline. Default values are omitted. A comment lists the
    /// settings of the bake.
    ///
    /// ```
    /// use orogen::{Noise, Recipe, node::Simplex};
    /// let hills = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() }).named("hills");
    /// let code = Recipe::new(hills).to_rust();
    /// assert!(code.contains(r#"("hills".into(), node::Simplex { wavelength: 300.0, ..Default::default() }.into())"#), "{code}");
    /// ```
    pub fn to_rust(&self) -> String {
        let Recipe { pipeline, bake } = self;
        let uses = if pipeline.stage.is_empty() { "{Pipeline, node}" } else { "{Pipeline, node, stage}" };
        let mut code = format!(
            "use orogen::{uses};\n\n/// Baked in {} × {} tiles of {}² samples, {} units apart.\npub fn pipeline() -> Pipeline {{\n    Pipeline {{\n        \
             output: {:?}.into(),\n",
            bake.tiles[0], bake.tiles[1], bake.tile, bake.spacing, pipeline.output
        );
        let nodes = pipeline.node.iter().map(|(name, node)| row("node", name, node.info(), |param| node.setting(param).flatten()));
        rows(&mut code, "node", nodes);
        let stages = pipeline.stage.iter().map(|(name, stage)| row("stage", name, stage.info(), |param| stage.setting(param).flatten()));
        rows(&mut code, "stage", stages);
        code + "    }\n}\n"
    }
}

/// A field of the pipeline.
fn rows(code: &mut String, field: &str, rows: impl Iterator<Item = String>) {
    let rows: String = rows.map(|row| format!("            {row},\n")).collect();
    let written = if rows.is_empty() {
        writeln!(code, "        {field}: [].into(),")
    } else {
        writeln!(code, "        {field}: [\n{rows}        ]\n        .into(),")
    };
    written.expect("invariant: text takes any text");
}

/// A node or stage: its name and its struct.
fn row(module: &str, name: &str, info: &KindInfo, setting: impl Fn(&str) -> Option<Setting>) -> String {
    let given = |param: &&ParamInfo| setting(param.name) != param.default_value();
    let fields: Vec<String> =
        info.params.iter().filter(given).map(|param| format!("{}: {}", param.name, value(module, param, setting(param.name)))).collect();
    let rest = if fields.len() == info.params.len() {
        ""
    } else if fields.is_empty() {
        "..Default::default()"
    } else {
        ", ..Default::default()"
    };
    format!("({name:?}.into(), {module}::{} {{ {}{rest} }}.into())", info.type_name, fields.join(", "))
}

/// The expression for a field.
fn value(module: &str, param: &ParamInfo, setting: Option<Setting>) -> String {
    let Some(setting) = setting else { return "None".to_owned() };
    let code = match (setting, param.param_type) {
        (Setting::Word(word), ParamType::Choice { name, .. }) => format!("{module}::{name}::{}", variant(&word)),
        (Setting::Word(name), _) => format!("{name:?}.into()"),
        (Setting::Number(x), ParamType::Input) => format!("{x:?}.into()"),
        (Setting::Integer(x), ParamType::Input) => format!("{x}.0.into()"),
        (Setting::Integer(x), ParamType::Number) => format!("{x}.0"),
        (Setting::Flag(x), _) => x.to_string(),
        (Setting::Integer(x), _) => x.to_string(),
        (Setting::Number(x), _) => format!("{x:?}"),
        (Setting::Numbers(all), ParamType::Pair | ParamType::Vector) => format!("{all:?}"),
        (Setting::Numbers(all), _) => format!("vec!{all:?}"),
        (Setting::Vectors(all), _) => format!("vec!{all:?}"),
        (Setting::Points(all), _) => list("node", &all),
        (Setting::Quantiles(all), _) => list("node", &all),
        (Setting::Radial(all), _) => list("stage", &all),
        (Setting::Stops(all), _) => {
            let stops: Vec<String> = all.iter().map(|stop| format!("stage::ColourStop::new({:?}, {:?})", stop.at, stop.colour)).collect();
            format!("vec![{}]", stops.join(", "))
        }
    };
    if param.optional { format!("Some({code})") } else { code }
}

/// Points, whose debug output only needs other spacing.
fn list<T: std::fmt::Debug>(module: &str, points: &[T]) -> String {
    let points: Vec<String> = points.iter().map(|point| format!("{module}::{point:?}")).collect();
    format!("vec![{}]", points.join(", "))
}

/// The variant of a choice's word: `nested_sine` is `NestedSine`.
fn variant(word: &str) -> String {
    let upper = |part: &str| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>();
    word.split(['_', '-']).map(upper).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::node::Node;
    use crate::stage::Stage;

    #[test]
    fn every_word_names_a_variant() {
        let check = |info: &KindInfo, debug: &dyn Fn(&str, &str) -> String| {
            for param in info.params {
                for word in param.words() {
                    let printed = debug(param.name, word);
                    let (plain, some) = (format!("{}: {}", param.name, variant(word)), format!("{}: Some({})", param.name, variant(word)));
                    assert!(printed.contains(&plain) || printed.contains(&some), "{}.{} = {word}: {printed}", info.kind, param.name);
                }
            }
        };
        for info in Node::TABLE {
            check(info, &|param, word| {
                let mut node = Node::of_kind(info.kind).expect("a kind of the table");
                node.set(param, word).expect("a word of the table");
                format!("{node:?}")
            });
        }
        for info in Stage::TABLE {
            check(info, &|param, word| {
                let mut stage = Stage::of_kind(info.kind).expect("a kind of the table");
                stage.set(param, word).expect("a word of the table");
                format!("{stage:?}")
            });
        }
    }
}
