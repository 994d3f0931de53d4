//! Edits of a recipe's text that keep everything else unchanged: comments, order, number formats, line ends.

use super::ends;
use super::refusal::ErrorResponse;
use axum::http::StatusCode;
use orogen::node::{Allowed, KindInfo, Node, ParamType};
use orogen::stage::Stage;
use orogen::{Recipe, Setting};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// One change.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Sets a parameter; without a value, resets it to its default.
    Set { table: Which, name: String, param: String, value: Json },
    /// Adds a node or stage.
    Add {
        table: Which,
        name: String,
        kind: String,
        #[serde(default)]
        params: serde_json::Map<String, Json>,
    },
    /// Removes a node or stage; inputs that read it become 0.
    Remove { table: Which, name: String },
    /// Renames a node or stage and all references to it.
    Rename { table: Which, name: String, to: String },
    /// Sets the output.
    Output { name: String },
    /// Sets a field of the bake.
    Bake { param: String, value: Json },
    /// Replaces every seed, as `--variation` does.
    Vary { by: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    Node,
    Stage,
}

impl Which {
    const ALL: [Which; 2] = [Which::Node, Which::Stage];

    fn name(self) -> &'static str {
        match self {
            Which::Node => "node",
            Which::Stage => "stage",
        }
    }

    fn kinds(self) -> &'static [KindInfo] {
        match self {
            Which::Node => Node::TABLE,
            Which::Stage => Stage::TABLE,
        }
    }
}

/// Maximum number of points of a list on one line.
const ON_A_LINE: usize = 3;

/// Applies all edits in order and returns the text.
///
/// # Errors
/// Returns an error if the text is not TOML or an edit is invalid; then no edit is applied.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, ErrorResponse> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| match Recipe::from_toml(text, "recipe") {
        // A readable message with the position.
        Err(wrong) => ErrorResponse { status: StatusCode::BAD_REQUEST, reason: wrong.into() },
        Ok(_) => ErrorResponse::bad(error.message()),
    })?;
    for edit in edits {
        one(&mut document, edit)?;
    }
    let mut new = document.to_string();
    // The printer ends the last line and normalises line ends.
    if !text.ends_with('\n') && new.ends_with('\n') {
        new.pop();
    }
    Ok(ends::keep(text, &new))
}

fn one(document: &mut DocumentMut, edit: &Edit) -> Result<(), ErrorResponse> {
    match edit {
        Edit::Set { table, name, param, value } => set(row(document, *table, name)?, param, value),
        Edit::Bake { param, value } => {
            let bake = document.entry("bake").or_insert_with(|| Item::Table(Table::new()));
            set(bake.as_table_like_mut().ok_or_else(|| ErrorResponse::bad("bake is not a table"))?, param, value)
        }
        Edit::Output { name } => set(document.as_table_mut(), "output", &Json::String(name.clone())),
        Edit::Add { table, name, kind, params } => add(document, *table, name, kind, params),
        Edit::Remove { table, name } => remove(document, *table, name),
        Edit::Rename { table, name, to } => rename(document, *table, name, to),
        Edit::Vary { by } => vary(document, *by),
    }
}

/// The table of all nodes or all stages.
fn rows(document: &mut DocumentMut, which: Which) -> Option<&mut dyn TableLike> {
    document.get_mut(which.name())?.as_table_like_mut()
}

fn row<'a>(document: &'a mut DocumentMut, which: Which, name: &str) -> Result<&'a mut dyn TableLike, ErrorResponse> {
    let found = rows(document, which).and_then(|rows| rows.get_mut(name)?.as_table_like_mut());
    found.ok_or_else(|| ErrorResponse::bad(format!("there is no {} '{name}'", which.name())))
}

/// Sets the value of a key and keeps the comments around the old value.
fn set(table: &mut dyn TableLike, key: &str, json: &Json) -> Result<(), ErrorResponse> {
    if json.is_null() {
        table.remove(key);
        return Ok(());
    }
    let float = table.get(key).is_some_and(Item::is_float) || is_number(table, key);
    let mut value = value(json, float)?;
    match table.get_mut(key) {
        Some(item) => {
            if let Some(old) = item.as_value() {
                *value.decor_mut() = old.decor().clone();
            }
            *item = Item::Value(value);
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(())
}

/// Whether a row's parameter is a real number.
fn is_number(row: &dyn TableLike, param: &str) -> bool {
    let kind = row.get("kind").and_then(Item::as_str);
    let info = Which::ALL.iter().flat_map(|which| which.kinds()).find(|info| Some(info.kind) == kind);
    let held = info.and_then(|info| info.param(param)).map(|param| param.param_type);
    !matches!(held, Some(ParamType::Whole) | None)
}

/// Converts a JSON value to TOML; with `float`, integers are written as real numbers.
fn value(json: &Json, float: bool) -> Result<Value, ErrorResponse> {
    Ok(match json {
        Json::Null => return Err(ErrorResponse::bad("null is not allowed within a list")),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), _, _) if !float => Value::from(whole),
            // TOML integers are at most 2^63 − 1; a larger seed is text.
            (None, Some(seed), _) if !float => Value::from(seed.to_string()),
            (_, _, Some(real)) => Value::from(real),
            (_, _, None) => return Err(ErrorResponse::bad(format!("{number} is not a 64-bit number"))),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            let mut array: Array = items.iter().map(|item| value(item, float)).collect::<Result<_, _>>()?;
            if items.len() > ON_A_LINE && items.iter().any(Json::is_object) {
                array.iter_mut().for_each(|item| item.decor_mut().set_prefix("\n    "));
                array.set_trailing_comma(true);
                array.set_trailing("\n");
            }
            Value::Array(array)
        }
        Json::Object(fields) => {
            let mut table = InlineTable::new();
            for (key, field) in fields.iter().filter(|(_, field)| !field.is_null()) {
                table.insert(key, value(field, float)?);
            }
            Value::InlineTable(table)
        }
    })
}

/// Checks a name: it must be usable as a key of a table and in the path of a parameter.
fn check_name(document: &mut DocumentMut, name: &str) -> Result<(), ErrorResponse> {
    if name.is_empty() || name.contains('.') || name.chars().any(char::is_control) {
        return Err(ErrorResponse::bad(format!("name '{name}' is not allowed; allowed: one or more characters without a dot")));
    }
    let taken = Which::ALL.iter().any(|&which| rows(document, which).is_some_and(|rows| rows.contains_key(name)));
    if taken { Err(ErrorResponse::bad(format!("name '{name}' is taken"))) } else { Ok(()) }
}

fn add(
    document: &mut DocumentMut,
    which: Which,
    name: &str,
    kind: &str,
    params: &serde_json::Map<String, Json>,
) -> Result<(), ErrorResponse> {
    check_name(document, name)?;
    let mut row = Table::new();
    row.insert("kind", toml_edit::value(kind));
    for (param, value) in params {
        set(&mut row, param, value)?;
    }
    row.decor_mut().set_prefix("\n");
    let implicit = || {
        let mut rows = Table::new();
        rows.set_implicit(true);
        Item::Table(rows)
    };
    // Inserted after the last row of its table, or after the last table except the bake's.
    let nodes = last_position(document, Which::Node);
    let after = last_position(document, which).or(nodes);
    make_room(document, after);
    row.set_position(Some(after.map_or(0, |at| at + 1)));
    let rows = document.entry(which.name()).or_insert_with(implicit);
    let rows = rows.as_table_like_mut().ok_or_else(|| ErrorResponse::bad(format!("{} is not a table", which.name())))?;
    rows.insert(name, Item::Table(row));
    Ok(())
}

/// Position after the last row of a table.
fn last_position(document: &DocumentMut, which: Which) -> Option<isize> {
    let rows = document.get(which.name())?.as_table_like()?;
    rows.iter().filter_map(|(_, row)| row.as_table()?.position()).max()
}

/// Moves all tables after a position down by one.
fn make_room(document: &mut DocumentMut, after: Option<isize>) {
    fn shift(table: &mut Table, from: isize) {
        if let Some(at) = table.position().filter(|&at| at >= from) {
            table.set_position(Some(at + 1));
        }
        for (_, item) in table.iter_mut() {
            if let Item::Table(inner) = item {
                shift(inner, from);
            }
        }
    }
    shift(document.as_table_mut(), after.map_or(0, |at| at + 1));
}

fn remove(document: &mut DocumentMut, which: Which, name: &str) -> Result<(), ErrorResponse> {
    row(document, which, name)?;
    let named = naming(document, which, name);
    rows(document, which).expect("invariant: the row was found in it").remove(name);
    each_reference(document, |reference| named(reference).then(|| Value::from(0.0)));
    if let Some(layers) = layers(document) {
        layers.retain(|layer| !layer.as_str().is_some_and(&named));
    }
    Ok(())
}

fn rename(document: &mut DocumentMut, which: Which, name: &str, to: &str) -> Result<(), ErrorResponse> {
    if name == to {
        return Ok(());
    }
    row(document, which, name)?;
    check_name(document, to)?;
    let rows = rows(document, which).expect("invariant: the row was found in it");
    let moved = rows.remove(name).expect("invariant: the row was found in it");
    rows.insert(to, moved);
    let named = naming(document, which, name);
    let renamed = |reference: &str| named(reference).then(|| format!("{to}{}", &reference[name.len()..]));
    each_reference(document, |reference| renamed(reference).map(Value::from));
    if let Some(new) = document.get("output").and_then(Item::as_str).and_then(renamed) {
        set(document.as_table_mut(), "output", &Json::String(new))?;
    }
    if let Some(layers) = layers(document) {
        for layer in layers.iter_mut() {
            if let Some(new) = layer.as_str().and_then(renamed) {
                let decor = layer.decor().clone();
                *layer = Value::from(new);
                *layer.decor_mut() = decor;
            }
        }
    }
    Ok(())
}

/// Writes the seeds of a variation of the recipe.
fn vary(document: &mut DocumentMut, by: u64) -> Result<(), ErrorResponse> {
    let recipe = Recipe::from_toml(&document.to_string(), "recipe")
        .map_err(|error| ErrorResponse { status: StatusCode::BAD_REQUEST, reason: error.into() })?;
    let mut pipeline = recipe.pipeline;
    pipeline.vary(by);
    for which in Which::ALL {
        for (name, row) in rows(document, which).into_iter().flat_map(|rows| rows.iter_mut()) {
            let Some(row) = row.as_table_like_mut() else { continue };
            let kind = row.get("kind").and_then(Item::as_str);
            let Some(info) = which.kinds().iter().find(|info| Some(info.kind) == kind) else { continue };
            for param in info.params.iter().filter(|param| param.allowed == Allowed::Seed) {
                // A seed that is not given stays so.
                if let Ok(Some(Setting::Integer(seed))) = pipeline.get(&format!("{}.{}", name.get(), param.name)) {
                    set(row, param.name, &json!(u64::try_from(seed).expect("invariant: seeds have 64 bits")))?;
                }
            }
        }
    }
    Ok(())
}

/// Decides whether a reference is to the row of this name, or to one of a stage's outputs. The name of a node may contain a
/// dot.
fn naming(document: &mut DocumentMut, which: Which, name: &str) -> impl Fn(&str) -> bool + use<> {
    let nodes: HashSet<String> =
        rows(document, Which::Node).into_iter().flat_map(|rows| rows.iter()).map(|(node, _)| node.to_owned()).collect();
    let name = name.to_owned();
    move |reference| match reference.strip_prefix(&name) {
        Some("") => true,
        Some(rest) => which == Which::Stage && rest.starts_with('.') && !nodes.contains(reference),
        None => false,
    }
}

fn layers(document: &mut DocumentMut) -> Option<&mut Array> {
    document.get_mut("bake")?.as_table_like_mut()?.get_mut("layers")?.as_array_mut()
}

/// Replaces the values of inputs for which `new` returns one.
fn each_reference(document: &mut DocumentMut, new: impl Fn(&str) -> Option<Value>) {
    for which in Which::ALL {
        for (_, row) in rows(document, which).into_iter().flat_map(|rows| rows.iter_mut()) {
            let Some(row) = row.as_table_like_mut() else { continue };
            let kind = row.get("kind").and_then(Item::as_str);
            let Some(info) = which.kinds().iter().find(|info| Some(info.kind) == kind) else { continue };
            for param in info.params.iter().filter(|param| param.param_type == ParamType::Input) {
                let Some(item) = row.get_mut(param.name) else { continue };
                if let Some(mut value) = item.as_str().and_then(&new) {
                    if let Some(old) = item.as_value() {
                        *value.decor_mut() = old.decor().clone();
                    }
                    *item = Item::Value(value);
                }
            }
        }
    }
}
