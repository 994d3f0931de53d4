//! Writes the TypeScript of all kinds of nodes and stages from the tables, or compares it: `OROGEN_FREEZE=1` writes.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise")]

use orogen::node::{KindInfo, Node};
use orogen::stage::Stage;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// A name of the tables in camel case: `scale_offset` is `scaleOffset`.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

/// A line of documentation.
fn doc(text: &str, indent: &str) -> String {
    let lines = text.trim().lines().map(|line| format!("{indent} * {}", line.trim()).trim_end().to_owned());
    format!("{indent}/**\n{}\n{indent} */\n", lines.collect::<Vec<_>>().join("\n"))
}

/// The TypeScript type of a parameter.
fn type_of(row: &Value, input: &str) -> String {
    if let Some(choice) = row["type"].get("choice") {
        let words = choice["words"].as_array().unwrap().iter().map(ToString::to_string);
        return words.collect::<Vec<_>>().join(" | ");
    }
    let name = row["type"].as_str().unwrap();
    match name {
        "number" => "number",
        "whole" => "number | bigint",
        "flag" => "boolean",
        "pair" => "readonly [number, number]",
        "vector" => "readonly [number, number, number]",
        "numbers" => "readonly number[]",
        "vectors" => "readonly (readonly [number, number, number])[]",
        "control_points" => "readonly ControlPoint[]",
        "quantile_points" => "readonly QuantilePoint[]",
        "colour_stops" => "readonly ColourStop[]",
        "radial_points" => "readonly RadialPoint[]",
        "file" | "hash" => "string",
        "input" => input,
        other => panic!("no TypeScript for parameters of type {other}"),
    }
    .to_owned()
}

struct Param {
    key: String,
    is_input: bool,
    is_required: bool,
    /// Its line in an interface, with documentation.
    line: String,
}

fn params(info: &KindInfo, input: &str) -> Vec<Param> {
    let rows = serde_json::to_value(info).unwrap();
    let rows = rows["params"].as_array().unwrap().clone();
    let param = |(row, param): (&Value, &orogen::node::ParamInfo)| {
        let (default, is_input) = (&row["default"], row["type"] == "input");
        let is_required = default.is_null() && !param.optional;
        let mut facts = vec![format!("Allowed: {}.", param.allowed)];
        facts.retain(|range| range != "Allowed: any value of its type." && row["type"].get("choice").is_none());
        facts.extend(row["unit"].as_str().filter(|unit| *unit != "none").map(|unit| format!("Unit: {unit}.")));
        facts.extend((!default.is_null()).then(|| format!("Default: {default}.")));
        let facts = if facts.is_empty() { String::new() } else { format!("\n\n{}", facts.join(" ")) };
        let mark = if is_required { "" } else { "?" };
        let line =
            format!("{}  {}{mark}: {};\n", doc(&format!("{}{facts}", param.doc.trim()), "  "), camel(param.name), type_of(row, input));
        Param { key: param.name.to_owned(), is_input, is_required, line }
    };
    rows.iter().zip(info.params).map(param).collect()
}

/// The functions of kinds without an input, and the methods of the others.
fn kinds(table: &[KindInfo], result: &str, input: &str, steps: &str, named: bool) -> String {
    let (mut interfaces, mut methods, mut sources) = (String::new(), String::new(), String::new());
    for info in table {
        let all = params(info, input);
        let first = all.iter().position(|param| param.is_input);
        let shown: Vec<&Param> = all.iter().enumerate().filter(|(i, _)| Some(*i) != first).map(|(_, param)| param).collect();
        writeln!(interfaces, "{}export interface {} {{", doc(&format!("Parameters of `{}`.", info.kind), ""), info.type_name).unwrap();
        shown.iter().for_each(|param| interfaces.push_str(&param.line));
        if named {
            interfaces.push_str("  /** Name by which other stages refer to it; by default its kind. */\n  name?: string;\n");
        }
        interfaces.push_str("}\n\n");
        let given = if shown.iter().any(|param| param.is_required) { "" } else { " = {}" };
        let (kind, name, type_name) = (info.kind, camel(info.kind), info.type_name);
        match first {
            None => {
                writeln!(sources, "{}export function {name}(params: {type_name}{given}): {result} {{", doc(info.doc, "")).unwrap();
                write!(sources, "  return make{result}(\"{kind}\", params);\n}}\n\n").unwrap();
            }
            Some(first) => {
                writeln!(methods, "{}  {name}(params: {type_name}{given}): {result} {{", doc(info.doc, "  ")).unwrap();
                let key = &all[first].key;
                write!(methods, "    return make{result}(\"{kind}\", params, \"{key}\", this as unknown as {result});\n  }}\n\n").unwrap();
            }
        }
    }
    format!(
        "{interfaces}/** One method for every kind with an input. */\nexport abstract class {steps} {{\n{}}}\n\n{}",
        methods.trim_end().to_owned() + "\n",
        sources.trim_end().to_owned() + "\n"
    )
}

const HEAD: &str = "// Written by tests/kinds.rs from the library's tables. Do not edit.\n";

fn held(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("lib").join(file);
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "web/lib/{file} differs from the tables: set OROGEN_FREEZE=1 and run this test again");
}

/// The text of a file, with what it imports.
fn with_imports(result: &str, text: &str) -> String {
    let mut imports = format!("import {{ make{result} }} from \"./make.js\";\n");
    let uses = |name: &&str| text.contains(&format!("{name}[]")) || text.contains(&format!("{name} |"));
    let types = ["Noise", "Pipeline"].into_iter().filter(|name| *name == result || uses(name));
    types.for_each(|name| imports += &format!("import type {{ {name} }} from \"./{}.js\";\n", name.to_lowercase()));
    let points: Vec<_> = ["ColourStop", "ControlPoint", "QuantilePoint", "RadialPoint"].into_iter().filter(uses).collect();
    imports += &format!("import type {{ {} }} from \"./points.js\";\n", points.join(", "));
    format!("{HEAD}{imports}\n{text}")
}

#[test]
fn every_kind_has_its_typescript() {
    let nodes = kinds(Node::TABLE, "Noise", "Noise | number", "NodeSteps", false);
    held("nodes.ts", &with_imports("Noise", &nodes));
    let stages = kinds(Stage::TABLE, "Pipeline", "Pipeline | Noise | number | string", "StageSteps", true);
    held("stages.ts", &with_imports("Pipeline", &stages));
}

#[test]
fn names_are_unique_in_javascript() {
    for table in [Node::TABLE, Stage::TABLE] {
        for info in table {
            let mut names: Vec<_> = info.params.iter().map(|param| camel(param.name)).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), info.params.len(), "{}", info.kind);
        }
    }
}
