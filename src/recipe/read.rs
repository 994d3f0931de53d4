//! Reads a recipe's text field by field, so that errors have positions, and one error does not hide the next.

use super::include::{self, Includes, RecipeUse};
use super::raw::{Raw, RecipeTable};
use super::variables::{Evaluated, Given, NotTaken, Scope, Variable};
use super::{Bake, Destination, Location, Recipe, RecipeError, explain, location, unique};
use crate::graph::Graph;
use crate::graph::node::Node;
use crate::params::{FieldError, Fields, Kinds, Param, ParamInfo, ReadParam, meant};
use crate::program::GraphError;
use crate::raster::{Heights, HeightsError, HeightsFile};
use crate::stage::{Pipeline, Stage, StageError};
use crate::text::MARK;
use indexmap::IndexMap;
use std::collections::HashSet;
use std::path::Path;

/// Maximum number of reported errors in a text.
const MOST: usize = 3;

/// Number of errors after which variables and recipes in a recipe add none.
const ENOUGH: usize = 4 * MOST;

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

/// Reads the heights of a file.
pub(super) type ReadHeights<'a> = dyn FnMut(&HeightsFile) -> Result<Heights, HeightsError> + 'a;

/// The text being read: finds the positions of fields.
pub(super) struct RecipeText<'a> {
    file: &'a str,
    text: &'a str,
    language: RecipeLanguage,
}

/// A recipe as read, with the other parts of its text.
pub(super) struct RecipeTree {
    pub recipe: Recipe,
    pub variables: IndexMap<String, Variable>,
    pub expressions: Vec<WrittenExpression>,
    pub uses: IndexMap<String, RecipeUse>,
    /// Given values that are not taken. With a dot: paths that lead to no recipe in this one.
    pub not_taken: NotTaken,
    /// Nodes and stages that come from other recipes.
    pub added: HashSet<String>,
}

/// A number of a node or stage that is written as an expression.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct WrittenExpression {
    /// `node` or `stage`.
    pub table: &'static str,
    /// The name of the node or stage.
    pub name: String,
    /// The parameter.
    pub param: String,
    /// The expression; `None` for a list that contains some.
    pub text: Option<String>,
}

/// The rows of a table. A default row replaces one that could not be read.
struct ReadRows<T> {
    all: IndexMap<String, T>,
    unread: HashSet<String>,
}

/// A row with the variables that its expressions can name.
struct Row<'a> {
    fields: RecipeTable,
    /// Its kind; empty before it is read.
    kind: &'static str,
    scope: &'a Scope,
    /// The parameters that are expressions.
    expressions: Vec<(String, Option<String>)>,
    /// Whether a parameter depends on a variable with an error.
    is_faulty: bool,
}

impl Fields for Row<'_> {
    fn take<T: Param>(&mut self, name: &str) -> Option<Result<T, String>> {
        let value = self.fields.remove(name)?;
        let read = read_value(self.scope, value, (self.kind, name), &mut self.expressions);
        self.is_faulty |= read.is_none();
        read
    }
}

/// Reads a value after its expressions, which are added to the list. `None` if it depends on a variable with an error.
pub(super) fn read_value<T: Param>(
    scope: &Scope,
    value: Raw,
    (kind, name): (&str, &str),
    expressions: &mut Vec<(String, Option<String>)>,
) -> Option<Result<T, String>> {
    let value = match scope.evaluate(value, T::TYPE) {
        Ok(Evaluated::AsWritten(value)) => value,
        Ok(Evaluated::Numbers(value, text)) => {
            expressions.push((name.to_owned(), text));
            value
        }
        Ok(Evaluated::Faulty) => return None,
        Err(message) => return Some(Err(message)),
    };
    Some(value.read().map(|ReadParam(value)| value).ok_or_else(|| explain::wrong(&value.shown(), &value.json(), (kind, name), T::TYPE)))
}

impl<'a> RecipeText<'a> {
    pub(super) fn new(file: &'a str, text: &'a str, language: RecipeLanguage) -> Self {
        // Windows programs put a byte order mark before UTF-8 text.
        RecipeText { file, text: text.strip_prefix(MARK).unwrap_or(text), language }
    }

    /// Reads the text, the recipes that it names, and the files that these name if `files` is given.
    pub(super) fn read(
        &self,
        given: &Given,
        includes: &mut Includes<'_, '_>,
        files: Option<&mut ReadHeights<'_>>,
    ) -> Result<RecipeTree, RecipeError> {
        let mut tree = self.read_tree(self.parse()?, given, includes)?;
        if let Some((name, message)) = tree.not_taken.refused.first() {
            return Err(self.wrong(&["variables", name], message.clone()));
        }
        let RecipeTree { recipe: Recipe { pipeline, bake }, added, .. } = &mut tree;
        include::prune(pipeline, &bake.layers, added);
        if let Some(files) = files {
            pipeline.read_files(files).map_err(|error| self.graph_error(error))?;
        }
        Ok(tree)
    }

    /// Reads a table as a recipe. Files of heights stay unread.
    pub(super) fn read_tree(
        &self,
        mut root: RecipeTable,
        given: &Given,
        includes: &mut Includes<'_, '_>,
    ) -> Result<RecipeTree, RecipeError> {
        let mut wrong = Vec::new();
        let output = self.output(&mut root, &mut wrong);
        let (of_variables, of_uses): (Given, Given) = given.clone().into_iter().partition(|(name, _)| !name.contains('.'));
        let (mut scope, not_taken) = self.variables(root.remove("variables"), &of_variables, &mut wrong);
        let uses = include::take(&mut root);
        scope.add_rows(root.keys_of(&["node", "stage"]));
        let mut expressions = Vec::new();
        let nodes = self.rows::<Node>(&mut root, "node", &scope, &mut expressions, &mut wrong);
        let stages = self.rows::<Stage>(&mut root, "stage", &scope, &mut expressions, &mut wrong);
        let bake = root.remove("bake").map_or_else(Bake::default, |table| self.bake(table, &mut wrong));
        const FIELDS: [&str; 5] = ["output", "variables", "node", "stage", "bake"];
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
        let mut tree = RecipeTree {
            recipe: Recipe { pipeline, bake },
            variables: IndexMap::new(),
            expressions,
            uses: IndexMap::new(),
            not_taken,
            added: HashSet::new(),
        };
        tree.not_taken.unknown.extend(of_uses.keys().cloned());
        for (name, fields) in uses {
            self.expand(&name, fields, &of_uses, &scope, includes, &mut tree, &mut unread, &mut wrong);
        }
        wrong.extend(self.mistakes(&tree, &unread));
        if wrong.is_empty() {
            wrong.extend(tree.recipe.unknown_layer().map(|message| self.wrong(&["bake", "layers"], message)));
        }
        tree.variables = scope.into_variables();
        if wrong.is_empty() { Ok(tree) } else { Err(several(wrong)) }
    }

    /// Adds the recipe that a node names.
    #[expect(clippy::too_many_arguments, reason = "the state of reading a recipe, in one place")]
    fn expand(
        &self,
        name: &str,
        mut fields: RecipeTable,
        given: &Given,
        scope: &Scope,
        includes: &mut Includes<'_, '_>,
        tree: &mut RecipeTree,
        unread: &mut HashSet<String>,
        wrong: &mut Vec<RecipeError>,
    ) {
        for (path, setting) in given {
            if let Some((_, field)) = path.rsplit_once('.').filter(|(row, _)| *row == name) {
                fields.set(field, setting);
                tree.not_taken.unknown.retain(|left| left != path);
            }
        }
        let mut refuse = |field: Option<&str>, message: String| {
            let path: Vec<&str> = ["node", name].into_iter().chain(field).collect();
            self.push(wrong, &path, || format!("node '{name}': {message}"));
        };
        let mut expressions = Vec::new();
        let joined = include::expand(name, fields, scope, includes, &mut expressions, &mut refuse).and_then(|(used, inner)| {
            tree.uses.insert(name.to_owned(), used);
            include::join(&mut tree.recipe.pipeline, name, inner, &mut tree.added).map_err(|message| refuse(None, message)).ok()
        });
        tree.expressions.extend(written("node", name, expressions));
        if joined.is_none() {
            // Rows that refer to it must find something.
            unread.insert(name.to_owned());
            tree.recipe.pipeline.node.entry(name.to_owned()).or_insert_with(unreadable);
        }
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
    fn mistakes(&self, tree: &RecipeTree, unread: &HashSet<String>) -> Vec<RecipeError> {
        let pipeline = &tree.recipe.pipeline;
        let errors: Vec<RecipeError> = if pipeline.stage.is_empty() {
            // Errors of a recipe without stages mention only nodes.
            let graph = Graph { output: pipeline.output.clone(), node: pipeline.node.clone() };
            graph.mistakes(unread, MOST).into_iter().map(|error| self.graph_error(error)).collect()
        } else {
            pipeline.mistakes(unread, MOST).into_iter().map(|error| self.stage_error(error)).collect()
        };
        errors.into_iter().map(|error| with_expression(error, &tree.expressions)).collect()
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
    fn rows<T: Kinds>(
        &self,
        root: &mut RecipeTable,
        table: &'static str,
        scope: &Scope,
        expressions: &mut Vec<WrittenExpression>,
        wrong: &mut Vec<RecipeError>,
    ) -> ReadRows<T> {
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
                Ok(fields) => {
                    let mut fields = Row { fields, kind: "", scope, expressions: Vec::new(), is_faulty: false };
                    let row = read_row(&mut fields, &mut |field, message| {
                        is_right = false;
                        match field {
                            Some(field) => found(&[table, &name, field], format!("{table} '{name}': {message}")),
                            None => found(&[table, &name], format!("{table} '{name}': {message}")),
                        }
                    });
                    is_right &= !fields.is_faulty;
                    expressions.extend(written(table, &name, fields.expressions));
                    row
                }
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
            rows.all.insert(name, row.unwrap_or_else(unreadable));
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
        let mut right = table.empty();
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
                    Some(program) => meant::instead(&program, Destination::ALL.iter().map(|one| one.name())),
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

    pub(super) fn parse(&self) -> Result<RecipeTable, RecipeError> {
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

    /// Adds an error, unless there are enough: every position is searched in the whole text.
    pub(super) fn push(&self, wrong: &mut Vec<RecipeError>, path: &[&str], message: impl FnOnce() -> String) {
        if wrong.len() < ENOUGH {
            wrong.push(self.wrong(path, message()));
        }
    }

    fn wrong(&self, path: &[&str], message: String) -> RecipeError {
        RecipeError::Text { at: self.locate(path), message }
    }

    fn graph_error(&self, error: GraphError) -> RecipeError {
        let at = match error.site() {
            ("", param) => self.locate(&[param]),
            (node, param) => self.locate_row("node", node, param),
        };
        RecipeError::Graph { at, error }
    }

    fn stage_error(&self, error: StageError) -> RecipeError {
        let at = match error.site() {
            Some(("", param)) => self.locate(&[param]),
            Some((stage, param)) => self.locate_row("stage", stage, param),
            None => Location::start(self.file).into(),
        };
        match error {
            StageError::Graph(error) => self.graph_error(error),
            error => RecipeError::Stage { at, error },
        }
    }

    /// The position of a parameter; for a row that comes from another recipe, of the node that names it.
    fn locate_row(&self, table: &str, row: &str, param: &str) -> Box<Location> {
        let at = self.locate(&[table, row, param]);
        let owner = include::owner(row).filter(|_| self.offset(&[table, row]) == self.offset(&[table]));
        owner.map_or(at, |owner| self.locate(&["node", owner]))
    }

    fn offset(&self, path: &[&str]) -> Option<usize> {
        match self.language {
            RecipeLanguage::Toml => location::in_toml(self.text, path),
            RecipeLanguage::Json => location::in_json(self.text, path),
        }
    }

    /// The position of the field at `path`, or of its innermost existing table.
    pub(super) fn locate(&self, path: &[&str]) -> Box<Location> {
        let offset = self.offset(path);
        let path = path.iter().filter(|name| !name.is_empty()).map(|&name| name.to_owned()).collect();
        Box::new(Location { path, ..Location::of(self.file, self.text, offset.unwrap_or(0)) })
    }
}

/// Reads a row by its kind, as far as possible. Errors are reported with the field, if they concern one.
fn read_row<T: Kinds>(row_of: &mut Row<'_>, wrong: &mut dyn FnMut(Option<&str>, String)) -> Option<T> {
    let fields = &mut row_of.fields;
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
    if kind == include::KIND {
        wrong(Some("kind"), "a recipe is not a stage; allowed: [node.NAME], also if its result is a stage".to_owned());
        return None;
    }
    let Some(mut row) = T::from_kind(&kind) else {
        wrong(Some("kind"), format!("unknown kind '{kind}'; {}", meant::kind_instead(&kind, T::ALL)));
        return None;
    };
    let info = row.info_of();
    row_of.kind = info.kind;
    for FieldError { param, value } in row.read(row_of) {
        let allowed = info.param(param).map_or_else(String::new, ParamInfo::what_is_allowed);
        wrong(Some(param), format!("{param} = {value}; allowed: {allowed}"));
    }
    for extra in row_of.fields.keys() {
        wrong(Some(&extra), format!("unknown field '{extra}' of kind '{kind}'; {}", meant::param_instead(&extra, info.params)));
    }
    Some(row)
}

/// A row in the place of one that could not be read.
fn unreadable<T: Kinds>() -> T {
    T::from_kind(T::ALL[0].kind).expect("invariant: every kind of a table can be made")
}

/// The expressions of a row.
fn written(table: &'static str, name: &str, all: Vec<(String, Option<String>)>) -> impl Iterator<Item = WrittenExpression> {
    all.into_iter().map(move |(param, text)| WrittenExpression { table, name: name.to_owned(), param, text })
}

/// An error in the value of an expression, with the expression.
fn with_expression(error: RecipeError, expressions: &[WrittenExpression]) -> RecipeError {
    let (RecipeError::Graph { at, .. } | RecipeError::Stage { at, .. }) = &error else { return error };
    let is_it = |written: &&WrittenExpression| at.path == [written.table, &written.name, &written.param];
    let Some(text) = expressions.iter().find(is_it).and_then(|written| written.text.as_ref()) else { return error };
    let message = match &error {
        RecipeError::Graph { error, .. } => error.to_string(),
        RecipeError::Stage { error, .. } => error.to_string(),
        _ => return error,
    };
    RecipeError::Text { at: at.clone(), message: format!("{message} (the value of {:?})", explain::cut(text)) }
}

/// The first errors, in the order of the text.
fn several(mut mistakes: Vec<RecipeError>) -> RecipeError {
    mistakes.sort_by_key(|mistake| mistake.location().map(|at| (at.line, at.column)));
    mistakes.truncate(MOST);
    if mistakes.len() == 1 { mistakes.remove(0) } else { RecipeError::Several { mistakes } }
}
