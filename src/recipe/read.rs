//! Reads a recipe's text field by field, so that errors have positions, and one error does not hide the next.

use super::{Bake, Destination, Location, Recipe, RecipeError, explain, location, unique};
use crate::graph::Graph;
use crate::graph::node::Node;
use crate::params::{FieldError, Fields, Kinds, Param, ParamInfo, ReadParam, meant};
use crate::program::GraphError;
use crate::raster::{Heights, HeightsError, HeightsFile};
use crate::stage::{Pipeline, Stage, StageError};
use crate::text::MARK;
use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::path::Path;

/// Maximum number of reported errors in a text.
const MOST: usize = 3;

/// The two languages a recipe can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecipeLanguage {
    Toml,
    Json,
}

impl RecipeLanguage {
    /// The language of a file, by its name.
    pub(super) fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) { RecipeLanguage::Json } else { RecipeLanguage::Toml }
    }
}

/// A value of either language.
enum Raw {
    Toml(toml::Value),
    Json(serde_json::Value),
}

impl Raw {
    /// The value; `None` if it is of another type.
    fn read<T: DeserializeOwned>(&self) -> Option<T> {
        match self {
            Raw::Toml(value) => T::deserialize(value.clone()).ok(),
            Raw::Json(value) => T::deserialize(value).ok(),
        }
    }

    fn table(self) -> Result<RecipeTable, Raw> {
        match self {
            Raw::Toml(toml::Value::Table(table)) => Ok(RecipeTable::Toml(table)),
            Raw::Json(serde_json::Value::Object(map)) => Ok(RecipeTable::Json(map)),
            other => Err(other),
        }
    }

    /// Its text, on one line.
    fn shown(&self) -> String {
        match self {
            Raw::Toml(value) => value.to_string(),
            Raw::Json(value) => value.to_string(),
        }
    }

    /// The value as JSON, for inspection.
    fn json(&self) -> serde_json::Value {
        match self {
            Raw::Toml(value) => serde_json::to_value(value).unwrap_or_default(),
            Raw::Json(value) => value.clone(),
        }
    }
}

/// A table of either language, as far as the reader needs it.
enum RecipeTable {
    Toml(toml::Table),
    Json(serde_json::Map<String, serde_json::Value>),
}

impl RecipeTable {
    fn remove(&mut self, name: &str) -> Option<Raw> {
        match self {
            RecipeTable::Toml(table) => table.remove(name).map(Raw::Toml),
            RecipeTable::Json(map) => map.shift_remove(name).map(Raw::Json),
        }
    }

    /// Every entry, in order.
    fn into_entries(self) -> Vec<(String, Raw)> {
        match self {
            RecipeTable::Toml(table) => table.into_iter().map(|(name, value)| (name, Raw::Toml(value))).collect(),
            RecipeTable::Json(map) => map.into_iter().map(|(name, value)| (name, Raw::Json(value))).collect(),
        }
    }

    fn keys(&self) -> Vec<String> {
        match self {
            RecipeTable::Toml(table) => table.keys().cloned().collect(),
            RecipeTable::Json(map) => map.keys().cloned().collect(),
        }
    }

    /// The whole table as a pipeline.
    fn read<T: DeserializeOwned>(self) -> Option<T> {
        match self {
            RecipeTable::Toml(table) => T::deserialize(table).ok(),
            RecipeTable::Json(map) => T::deserialize(serde_json::Value::Object(map)).ok(),
        }
    }

    /// A table of one entry, of the same language.
    fn one(name: &str, value: &Raw) -> RecipeTable {
        match value {
            Raw::Toml(value) => RecipeTable::Toml([(name.to_owned(), value.clone())].into_iter().collect()),
            Raw::Json(value) => RecipeTable::Json([(name.to_owned(), value.clone())].into_iter().collect()),
        }
    }

    fn insert(&mut self, name: String, value: Raw) {
        match (self, value) {
            (RecipeTable::Toml(table), Raw::Toml(value)) => drop(table.insert(name, value)),
            (RecipeTable::Json(map), Raw::Json(value)) => drop(map.insert(name, value)),
            (RecipeTable::Toml(_), Raw::Json(_)) | (RecipeTable::Json(_), Raw::Toml(_)) => (),
        }
    }
}

impl Fields for RecipeTable {
    fn take<T: Param>(&mut self, name: &str) -> Option<Result<T, String>> {
        let value = self.remove(name)?;
        Some(value.read().map(|ReadParam(value)| value).ok_or_else(|| explain::wrong(&value.shown(), &value.json(), name, T::TYPE)))
    }
}

/// Reads the heights of a file.
pub(super) type ReadHeights<'a> = dyn FnMut(&HeightsFile) -> Result<Heights, HeightsError> + 'a;

/// The text being read: finds the positions of fields.
pub(super) struct RecipeText<'a> {
    file: &'a str,
    text: &'a str,
    language: RecipeLanguage,
}

/// The rows of a table. A default row replaces one that could not be read.
struct ReadRows<T> {
    all: IndexMap<String, T>,
    unread: HashSet<String>,
}

impl<'a> RecipeText<'a> {
    pub(super) fn new(file: &'a str, text: &'a str, language: RecipeLanguage) -> Self {
        // Windows programs put a byte order mark before UTF-8 text.
        RecipeText { file, text: text.strip_prefix(MARK).unwrap_or(text), language }
    }

    /// Reads the text, and the files that it names if `files` is given.
    pub(super) fn read(&self, files: Option<&mut ReadHeights<'_>>) -> Result<Recipe, RecipeError> {
        let mut root = self.parse()?;
        let mut wrong = Vec::new();
        let output = self.output(&mut root, &mut wrong);
        let nodes = self.rows::<Node>(&mut root, "node", &mut wrong);
        let stages = self.rows::<Stage>(&mut root, "stage", &mut wrong);
        let bake = root.remove("bake").map_or_else(Bake::default, |table| self.bake(table, &mut wrong));
        const FIELDS: [&str; 4] = ["output", "node", "stage", "bake"];
        for extra in root.keys().iter().take(MOST) {
            wrong.push(self.wrong(&[extra], format!("unknown field '{extra}'; {}", meant::instead(extra, FIELDS))));
        }
        if let Some((param, message)) = bake.refused() {
            wrong.push(self.wrong(&["bake", param], message));
        }
        let mut unread = nodes.unread;
        unread.extend(stages.unread);
        let has_output = output.is_some();
        let pipeline = Pipeline { output: output.unwrap_or_default(), node: nodes.all, stage: stages.all };
        if !has_output {
            unread.insert(String::new());
        }
        wrong.extend(self.mistakes(&pipeline, &unread));
        let mut recipe = Recipe { pipeline, bake };
        if wrong.is_empty() {
            wrong.extend(recipe.unknown_layer().map(|message| self.wrong(&["bake", "layers"], message)));
        }
        if wrong.is_empty()
            && let Some(files) = files
        {
            recipe.pipeline.read_files(files).map_err(|error| self.graph_error(error))?;
        }
        if wrong.is_empty() { Ok(recipe) } else { Err(several(wrong)) }
    }

    /// Reads the text as the settings of a bake alone.
    pub(super) fn read_bake(&self) -> Result<Bake, RecipeError> {
        let mut wrong = Vec::new();
        let table = match self.parse()? {
            RecipeTable::Toml(table) => Raw::Toml(toml::Value::Table(table)),
            RecipeTable::Json(map) => Raw::Json(serde_json::Value::Object(map)),
        };
        let bake = self.bake(table, &mut wrong);
        if wrong.is_empty() { Ok(bake) } else { Err(several(wrong)) }
    }

    /// Errors of the pipeline as a whole.
    fn mistakes(&self, pipeline: &Pipeline, unread: &HashSet<String>) -> Vec<RecipeError> {
        if pipeline.stage.is_empty() {
            // Errors of a recipe without stages mention only nodes.
            let graph = Graph { output: pipeline.output.clone(), node: pipeline.node.clone() };
            graph.mistakes(unread, MOST).into_iter().map(|error| self.graph_error(error)).collect()
        } else {
            pipeline.mistakes(unread, MOST).into_iter().map(|error| self.stage_error(error)).collect()
        }
    }

    fn output(&self, root: &mut RecipeTable, wrong: &mut Vec<RecipeError>) -> Option<String> {
        const ALLOWED: &str = "allowed: the name of a node or stage, in quotes";
        let message = match root.remove("output") {
            None => format!("output is missing; {ALLOWED}"),
            Some(value) => match value.read() {
                Some(name) => return Some(name),
                None => format!("output = {} is not allowed; {ALLOWED}", explain::cut(&value.shown())),
            },
        };
        wrong.push(self.wrong(&["output"], message));
        None
    }

    /// All rows of a table of tables: nodes or stages.
    fn rows<T: Kinds>(&self, root: &mut RecipeTable, table: &'static str, wrong: &mut Vec<RecipeError>) -> ReadRows<T> {
        let mut rows = ReadRows { all: IndexMap::new(), unread: HashSet::new() };
        let entries = match root.remove(table).map(Raw::table) {
            None => return rows,
            Some(Ok(table)) => table.into_entries(),
            Some(Err(value)) => {
                let message = format!("{table} = {} is not allowed; allowed: tables, [{table}.NAME]", explain::cut(&value.shown()));
                wrong.push(self.wrong(&[table], message));
                return rows;
            }
        };
        // Every position is searched in the whole text.
        let most = wrong.len() + MOST;
        let mut found = |path: &[&str], message: String| {
            if wrong.len() < most {
                wrong.push(self.wrong(path, message));
            }
        };
        for (name, value) in entries {
            let mut is_right = true;
            let row = match value.table() {
                Ok(fields) => read_row(fields, &mut |field, message| {
                    is_right = false;
                    match field {
                        Some(field) => found(&[table, &name, field], format!("{table} '{name}': {message}")),
                        None => found(&[table, &name], format!("{table} '{name}': {message}")),
                    }
                }),
                Err(value) => {
                    is_right = false;
                    let message =
                        format!("{table} '{name}' = {} is not allowed; allowed: a table, [{table}.{name}]", explain::cut(&value.shown()));
                    found(&[table, &name], message);
                    None
                }
            };
            if !is_right {
                rows.unread.insert(name.clone());
            }
            // Rows that refer to an unreadable row must find something.
            let row = row.or_else(|| T::from_kind(T::ALL[0].kind)).expect("invariant: every kind of a table can be made");
            rows.all.insert(name, row);
        }
        rows
    }

    /// The settings of a bake, one after the other.
    fn bake(&self, value: Raw, wrong: &mut Vec<RecipeError>) -> Bake {
        let table = match value.table() {
            Ok(table) => table,
            Err(value) => {
                let message = format!("bake = {} is not allowed; allowed: a table, [bake]", explain::cut(&value.shown()));
                wrong.push(self.wrong(&["bake"], message));
                return Bake::default();
            }
        };
        let mut right = match &table {
            RecipeTable::Toml(_) => RecipeTable::Toml(toml::Table::new()),
            RecipeTable::Json(_) => RecipeTable::Json(serde_json::Map::new()),
        };
        let most = wrong.len() + MOST;
        for (name, value) in table.into_entries() {
            let message = if !Bake::FIELDS.contains(&&name[..]) {
                format!("bake: unknown field '{name}'; {}", meant::instead(&name, Bake::FIELDS))
            } else if RecipeTable::one(&name, &value).read::<Bake>().is_some() {
                right.insert(name, value);
                continue;
            } else {
                let shown = explain::cut(&value.shown());
                let allowed = match value.read::<String>().filter(|_| name == "for") {
                    Some(program) => meant::instead(&program, Destination::ALL.map(Destination::name)),
                    None => format!("allowed: {}", Bake::allowed(&name)),
                };
                format!("bake: {name} = {shown} is not allowed; {allowed}")
            };
            if wrong.len() < most {
                wrong.push(self.wrong(&["bake", &name], message));
            }
        }
        right.read().expect("invariant: every setting by itself was read")
    }

    fn parse(&self) -> Result<RecipeTable, RecipeError> {
        let mistake = |at: Location, message: String| RecipeError::Text { at: at.into(), message };
        let begins = self.text.trim_start().chars().next();
        match self.language {
            RecipeLanguage::Toml => toml::from_str(self.text).map(RecipeTable::Toml).map_err(|first: toml::de::Error| {
                if begins == Some('{') {
                    let message = "this is JSON; allowed: TOML, as in output = \"name\" (the name of a file of JSON ends in .json)";
                    return mistake(Location::start(self.file), message.to_owned());
                }
                if first.message() == "u64 value was too large" || first.message().ends_with("as i128, expected any valid TOML value") {
                    // An integer beyond i64, which the parser passes to serde as u64 or i128.
                    let message = format!(
                        "an integer that is not allowed; allowed: {} to {}; write larger seeds as text, in quotes",
                        i64::MIN,
                        i64::MAX
                    );
                    return mistake(self.at(first.span()), message);
                }
                // The first error of each line, because later ones are often consequences.
                let mut all: Vec<RecipeError> = Vec::new();
                for error in std::iter::once(first).chain(toml::de::DeTable::parse_recoverable(self.text).1) {
                    let at = self.at(error.span());
                    if all.len() < MOST && all.iter().all(|known| known.location().is_none_or(|known| known.line != at.line)) {
                        all.push(mistake(at, explain::toml(error.message())));
                    }
                }
                several(all)
            }),
            RecipeLanguage::Json => {
                serde_json::from_str(self.text).map(|unique::UniqueObject(map)| RecipeTable::Json(map)).map_err(|error| {
                    if begins.is_some_and(|first| !"{[\"".contains(first)) {
                        let message = "this is not JSON; allowed: { \"output\": … } (the name of a file of TOML ends in .toml)";
                        return mistake(Location::start(self.file), message.to_owned());
                    }
                    mistake(Location { line: error.line(), column: error.column(), ..Location::start(self.file) }, explain::json(&error))
                })
            }
        }
    }

    fn at(&self, span: Option<std::ops::Range<usize>>) -> Location {
        Location::of(self.file, self.text, span.map_or(0, |span| span.start))
    }

    fn wrong(&self, path: &[&str], message: String) -> RecipeError {
        RecipeError::Text { at: self.locate(path), message }
    }

    fn graph_error(&self, error: GraphError) -> RecipeError {
        let at = match error.site() {
            ("", param) => self.locate(&[param]),
            (node, param) => self.locate(&["node", node, param]),
        };
        RecipeError::Graph { at, error }
    }

    fn stage_error(&self, error: StageError) -> RecipeError {
        let at = match error.site() {
            Some(("", param)) => self.locate(&[param]),
            Some((stage, param)) => self.locate(&["stage", stage, param]),
            None => Location::start(self.file).into(),
        };
        match error {
            StageError::Graph(error) => self.graph_error(error),
            error => RecipeError::Stage { at, error },
        }
    }

    /// The position of the field at `path`, or of its innermost existing table.
    pub(super) fn locate(&self, path: &[&str]) -> Box<Location> {
        let offset = match self.language {
            RecipeLanguage::Toml => location::in_toml(self.text, path),
            RecipeLanguage::Json => location::in_json(self.text, path),
        };
        let path = path.iter().filter(|name| !name.is_empty()).map(|&name| name.to_owned()).collect();
        Box::new(Location { path, ..Location::of(self.file, self.text, offset.unwrap_or(0)) })
    }
}

/// Reads a row by its kind, as far as possible. Errors are reported with the field, if they concern one.
fn read_row<T: Kinds>(mut fields: RecipeTable, wrong: &mut dyn FnMut(Option<&str>, String)) -> Option<T> {
    let Some(kind) = fields.remove("kind") else {
        let keys = fields.keys();
        let (field, also) = match keys.iter().find(|key| meant::is_kind(key)) {
            Some(key) => (Some(&key[..]), format!("did you mean 'kind' instead of '{key}'? ")),
            None => (None, String::new()),
        };
        wrong(field, format!("kind is missing; {also}allowed: {}", meant::all_kinds(T::ALL)));
        return None;
    };
    let Some(kind) = kind.read::<String>() else {
        let shown = explain::cut(&kind.shown());
        wrong(Some("kind"), format!("kind = {shown} is not allowed; allowed: {}", meant::all_kinds(T::ALL)));
        return None;
    };
    let Some(mut row) = T::from_kind(&kind) else {
        wrong(Some("kind"), format!("unknown kind '{kind}'; {}", meant::kind_instead(&kind, T::ALL)));
        return None;
    };
    let info = row.info_of();
    for FieldError { param, value } in row.read(&mut fields) {
        let allowed = info.param(param).map_or_else(String::new, ParamInfo::what_is_allowed);
        wrong(Some(param), format!("{param} = {value}; allowed: {allowed}"));
    }
    for extra in fields.keys() {
        wrong(Some(&extra), format!("unknown field '{extra}' of kind '{kind}'; {}", meant::param_instead(&extra, info.params)));
    }
    Some(row)
}

/// The first errors, in the order of the text.
fn several(mut mistakes: Vec<RecipeError>) -> RecipeError {
    mistakes.sort_by_key(|mistake| mistake.location().map(|at| (at.line, at.column)));
    mistakes.truncate(MOST);
    if mistakes.len() == 1 { mistakes.remove(0) } else { RecipeError::Several { mistakes } }
}
