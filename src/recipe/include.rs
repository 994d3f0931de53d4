//! A recipe used as a node of another one: its nodes and stages, under names that begin with the node's.

use super::presets::RecipePreset;
use super::raw::{Raw, RecipeTable};
use super::read::{RecipeLanguage, RecipeText, read_value};
use super::variables::{Given, Scope, Variable};
use super::{RecipeError, explain};
use crate::graph::node::{Heights, Min, Node};
use crate::limits;
use crate::params::{Input, Setting, meant};
use crate::stage::{Pipeline, Stage, stem};
use indexmap::IndexMap;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// The kind of a node that is a recipe.
pub(super) const KIND: &str = "recipe";
/// Between the name of the node and the name of a node or stage in its recipe.
const BETWEEN: char = ':';
/// Maximum depth of recipes in each other.
const DEEPEST: usize = 8;
/// Maximum number of nodes and stages that come from other recipes.
const MOST_ROWS: usize = 4096;
/// The fields of such a node besides the variables of its recipe. Variables cannot have these names.
pub(super) const FIELDS: [&str; 5] = ["preset", "file", "output", "inputs", "seed"];

/// A node of the kind `recipe`: another recipe with values for its variables.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecipeUse {
    /// The name of the preset, if it is one.
    pub preset: Option<String>,
    /// The name of the file, if it is one.
    pub file: Option<String>,
    /// The node, stage or output of a stage of the other recipe that is the result.
    pub output: String,
    /// The variation of its seeds; 0 is the recipe as it is.
    pub seed: u64,
    /// Nodes of the other recipe, and what replaces each.
    pub inputs: IndexMap<String, Input>,
    /// Its variables with the values they have here.
    pub variables: IndexMap<String, Variable>,
    /// The variables that are given a value here.
    pub given: Vec<String>,
    /// Its nodes, which `inputs` can replace.
    pub nodes: Vec<String>,
}

/// Returns the text of a recipe's file, by its name relative to the outermost recipe.
pub(super) type ReadText<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

/// Recipes that are read for others.
pub(super) struct Includes<'a, 'f> {
    /// `None`: only presets are available.
    read: Option<&'a mut ReadText<'f>>,
    /// The recipes around the one being read: the names of their presets and files.
    chain: Vec<String>,
    /// The folder of the recipe being read, relative to the outermost one.
    folder: PathBuf,
    /// The rest of the limits.
    rows: usize,
    bytes: u64,
}

/// Reports an error in a field, or in the node as a whole.
pub(super) type Wrong<'a> = dyn FnMut(Option<&str>, String) + 'a;

/// The recipe that a node names.
struct Source {
    /// Its name in messages, which also identifies it.
    shown: String,
    text: String,
    language: RecipeLanguage,
    folder: PathBuf,
}

impl<'a, 'f> Includes<'a, 'f> {
    pub(super) fn new(read: Option<&'a mut ReadText<'f>>) -> Self {
        Includes { read, chain: Vec::new(), folder: PathBuf::new(), rows: MOST_ROWS, bytes: limits::RECIPE }
    }

    /// Finds the recipe that a node names.
    fn find(&mut self, preset: Option<&str>, file: Option<&str>) -> Result<Source, (&'static str, String)> {
        let source = match (preset, file) {
            (Some(name), None) => {
                let known = || meant::instead(name, RecipePreset::ALL.iter().map(|preset| preset.name));
                let preset = RecipePreset::find(name).ok_or_else(|| ("preset", format!("unknown preset '{name}'; {}", known())))?;
                let (text, folder) = (preset.text.to_owned(), PathBuf::new());
                Source { shown: format!("preset {name}"), text, language: RecipeLanguage::Toml, folder }
            }
            (None, Some(name)) => {
                let path = self.folder.join(name);
                let shown = plain(&path);
                let refused = |why: String| ("file", format!("file = {:?} is not allowed ({why})", explain::cut(name)));
                // Before the file is read: a circle would never end.
                self.check_circle(&shown).map_err(refused)?;
                let nothing = || refused("recipes of files cannot be read here; allowed: preset".to_owned());
                let text = self.read.as_mut().ok_or_else(nothing)?(&shown).map_err(refused)?;
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                Source { language: RecipeLanguage::of(&path), shown, text, folder }
            }
            (Some(_), Some(_)) => return Err(("file", "preset and file are both given; allowed: one of them".to_owned())),
            (None, None) => {
                let known: Vec<&str> = RecipePreset::ALL.iter().map(|preset| preset.name).collect();
                return Err((
                    "",
                    format!("preset or file is missing; allowed: preset = one of {}, or file = \"name.toml\"", known.join(", ")),
                ));
            }
        };
        let field = if preset.is_some() { "preset" } else { "file" };
        // Before it is read, so that errors do not make reading endless.
        self.rows = self.rows.checked_sub(1).ok_or_else(|| (field, too_many()))?;
        self.check_circle(&source.shown).map_err(|why| (field, why))?;
        let left = self.bytes.checked_sub(source.text.len() as u64);
        self.bytes = left.ok_or_else(|| (field, format!("recipes in recipes of more than {} bytes", limits::RECIPE)))?;
        Ok(source)
    }

    fn check_circle(&self, shown: &str) -> Result<(), String> {
        if let Some(start) = self.chain.iter().position(|known| known == shown) {
            let circle: Vec<&str> = self.chain[start..].iter().map(String::as_str).chain([shown]).collect();
            return Err(format!("recipes contain each other: {}", circle.join(" → ")));
        }
        if self.chain.len() >= DEEPEST { Err(format!("recipes lie in each other; allowed: {DEEPEST} deep")) } else { Ok(()) }
    }

    /// Reads a recipe inside this one.
    fn read(&mut self, source: &Source, values: &Given, wrong: &mut Wrong<'_>) -> Option<(Pipeline, IndexMap<String, Variable>)> {
        let text = RecipeText::new(&source.shown, &source.text, source.language);
        let mut tell = |error: RecipeError| error.mistakes().iter().for_each(|mistake| wrong(None, mistake.to_string()));
        let root = text.parse().map_err(&mut tell).ok()?;
        let outer = std::mem::replace(&mut self.folder, source.folder.clone());
        self.chain.push(source.shown.clone());
        let tree = text.read_tree(root, values, self);
        self.chain.pop();
        self.folder = outer;
        let tree = tree.map_err(tell).ok()?;
        for (variable, message) in &tree.not_taken.refused {
            wrong(Some(variable), message.clone());
        }
        for field in &tree.not_taken.unknown {
            let known = tree.variables.keys().map(String::as_str).chain(FIELDS);
            wrong(Some(field), format!("unknown field '{field}' of {}; {}", source.shown, meant::instead(field, known)));
        }
        if !(tree.not_taken.refused.is_empty() && tree.not_taken.unknown.is_empty()) {
            return None;
        }
        let mut pipeline = tree.recipe.pipeline;
        for (name, node) in &mut pipeline.node {
            // Names of files in deeper recipes are already relative to the outermost one.
            if let Node::Raster(raster) = node
                && !tree.added.contains(name)
                && !tree.uses.contains_key(name)
                && let Some(file) = raster.heights.file_name()
            {
                raster.heights = Heights::file(plain(&source.folder.join(file)));
            }
        }
        let rows = pipeline.node.len() + pipeline.stage.len();
        match self.rows.checked_sub(rows) {
            Some(left) => self.rows = left,
            None => {
                self.rows = 0;
                wrong(None, too_many());
                return None;
            }
        }
        Some((pipeline, tree.variables))
    }
}

fn too_many() -> String {
    format!("more than {MOST_ROWS} nodes and stages come from other recipes")
}

/// A path with `/` between its parts, without `.` and, as far as the names tell, `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => (),
            Component::ParentDir if parts.last().is_some_and(|last| !matches!(&last[..], ".." | "/")) => drop(parts.pop()),
            Component::RootDir => parts.push("/".to_owned()),
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/").replace("//", "/")
}

/// Takes the nodes of the kind `recipe` out of the table of nodes.
pub(super) fn take(root: &mut RecipeTable) -> Vec<(String, RecipeTable)> {
    let nodes = match root.remove("node").map(Raw::table) {
        None => return Vec::new(),
        Some(Ok(nodes)) => nodes,
        Some(Err(other)) => {
            root.insert("node".to_owned(), other);
            return Vec::new();
        }
    };
    let (mut rest, mut taken) = (nodes.empty(), Vec::new());
    for (name, row) in nodes.into_entries() {
        match row.table() {
            Ok(fields) if fields.text_of("kind") == Some(KIND) => taken.push((name, fields)),
            Ok(fields) => rest.insert(name, fields.into_raw()),
            Err(other) => rest.insert(name, other),
        }
    }
    root.insert("node".to_owned(), rest.into_raw());
    taken
}

/// Reads a node of the kind `recipe` and the recipe that it names. Returns the renamed pipeline; its result is the node or stage
/// that has the node's name.
pub(super) fn expand(
    name: &str,
    mut fields: RecipeTable,
    scope: &Scope,
    includes: &mut Includes<'_, '_>,
    expressions: &mut Vec<(String, Option<String>)>,
    wrong: &mut Wrong<'_>,
) -> Option<(RecipeUse, Pipeline)> {
    let mut is_right = true;
    let mut refuse = |field: Option<&str>, message: String| {
        is_right = false;
        wrong(field, message);
    };
    fields.remove("kind");
    let preset = word(&mut fields, "preset", "the name of a preset", &mut refuse);
    let file = word(&mut fields, "file", "the name of a file", &mut refuse);
    let output = word(&mut fields, "output", "the name of a node or stage of the recipe", &mut refuse);
    let mut number = |field: &str, value: Raw, refuse: &mut Wrong<'_>| match read_value::<f64>(scope, value, (KIND, field), expressions) {
        Some(Ok(x)) if x.is_finite() => Some(x),
        Some(Ok(x)) => {
            refuse(Some(field), format!("{field} = {x} is not allowed; allowed: a finite number"));
            None
        }
        Some(Err(why)) => {
            refuse(Some(field), format!("{field} = {why}; allowed: a number"));
            None
        }
        // It depends on a variable with an error, which is reported there.
        None => None,
    };
    let inputs = inputs(&mut fields, scope, &mut refuse);
    let seed = fields.remove("seed");
    let mut values = Given::new();
    for (variable, value) in fields.into_entries() {
        values.extend(number(&variable, value, &mut refuse).map(|x| (variable, Setting::Number(x))));
    }
    let seed = match seed.map(|seed| read_value::<u64>(scope, seed, (KIND, "seed"), expressions)) {
        Some(Some(Ok(seed))) => seed,
        Some(Some(Err(why))) => {
            refuse(Some("seed"), format!("seed = {why}; allowed: a whole number from 0 to 2^64 - 1"));
            0
        }
        Some(None) | None => 0,
    };
    let source = match includes.find(preset.as_deref(), file.as_deref()) {
        Ok(source) => source,
        Err((field, message)) => {
            // An error in one of the names is already reported.
            if is_right || !field.is_empty() {
                wrong(Some(field).filter(|field| !field.is_empty()), message);
            }
            return None;
        }
    };
    let (mut pipeline, variables) = includes.read(&source, &values, &mut refuse)?;
    pipeline.vary(seed);
    if let Some(output) = output {
        if let Err(error) = pipeline.find("", "output", &output) {
            refuse(Some("output"), error.to_string());
        }
        pipeline.output = output;
    }
    for target in inputs.keys() {
        if *target == pipeline.output {
            refuse(Some("inputs"), format!("inputs: '{target}' is the result of the recipe; allowed: other nodes"));
        } else if !pipeline.node.contains_key(target) {
            let known = meant::instead(target, pipeline.node.keys().map(String::as_str));
            refuse(Some("inputs"), format!("inputs: the recipe has no node '{target}'; {known}"));
        }
    }
    if !is_right {
        return None;
    }
    let nodes = pipeline.node.keys().cloned().collect();
    let given = values.into_keys().collect();
    let used = RecipeUse { preset, file, output: pipeline.output.clone(), seed, inputs, variables, given, nodes };
    let renamed = renamed(name, &pipeline, &used.inputs);
    Some((used, renamed))
}

/// The text of a field.
fn word(fields: &mut RecipeTable, field: &str, allowed: &str, refuse: &mut Wrong<'_>) -> Option<String> {
    let value = fields.remove(field)?;
    let text = value.text().map(str::to_owned);
    if text.is_none() {
        refuse(Some(field), format!("{field} = {} is not allowed; allowed: {allowed}, in quotes", explain::cut(&value.shown())));
    }
    text
}

/// The table `inputs`.
fn inputs(fields: &mut RecipeTable, scope: &Scope, refuse: &mut Wrong<'_>) -> IndexMap<String, Input> {
    const ALLOWED: &str = "allowed: { NODE = the name of a node or stage, or a number }, with nodes of the other recipe";
    let mut inputs = IndexMap::new();
    let entries = match fields.remove("inputs").map(Raw::table) {
        None => return inputs,
        Some(Ok(table)) => table.into_entries(),
        Some(Err(value)) => {
            refuse(Some("inputs"), format!("inputs = {} is not allowed; {ALLOWED}", explain::cut(&value.shown())));
            return inputs;
        }
    };
    for (target, value) in entries {
        match read_value::<Input>(scope, value, (KIND, &target), &mut Vec::new()) {
            Some(Ok(input)) => drop(inputs.insert(target, input)),
            Some(Err(why)) => refuse(Some("inputs"), format!("inputs: {target} = {why}; {ALLOWED}")),
            None => (),
        }
    }
    inputs
}

/// The pipeline under the name of a node: its result has this name, and other names begin with it.
fn renamed(name: &str, pipeline: &Pipeline, inputs: &IndexMap<String, Input>) -> Pipeline {
    let inner = |row: &str| if row == pipeline.output { name.to_owned() } else { format!("{name}{BETWEEN}{row}") };
    let new = |reference: &str| -> Input {
        // The name of a node may contain a dot.
        let row = if pipeline.node.contains_key(reference) { reference } else { stem(reference) };
        let rest = &reference[row.len()..];
        match inputs.get(row) {
            Some(Input::Node(outer)) => Input::Node(format!("{outer}{rest}")),
            Some(value) => value.clone(),
            None => Input::Node(inner(row) + rest),
        }
    };
    let call = |all: Vec<&mut Input>| {
        for input in all {
            if let Input::Node(reference) = input {
                *input = new(reference);
            }
        }
    };
    let mut result = Pipeline { output: name.to_owned(), node: IndexMap::new(), stage: IndexMap::new() };
    for (row, node) in &pipeline.node {
        let mut node = node.clone();
        if inputs.contains_key(row) {
            continue;
        }
        call(node.inputs_mut());
        result.node.insert(inner(row), node);
    }
    for (row, stage) in &pipeline.stage {
        let mut stage = stage.clone();
        call(stage.inputs_mut());
        result.stage.insert(inner(row), stage);
    }
    if !result.node.contains_key(name) && !result.stage.contains_key(name) {
        // A further output of a stage has no row. The smaller one of two equal values has the same bits.
        let of = new(&pipeline.output);
        result.node.insert(name.to_owned(), Min { a: of.clone(), b: of }.into());
    }
    result
}

/// Adds the nodes and stages of a recipe to those around it. Returns the first name that is already taken.
pub(super) fn join(pipeline: &mut Pipeline, name: &str, inner: Pipeline, added: &mut HashSet<String>) -> Result<(), String> {
    let taken = |row: &&String| pipeline.node.contains_key(*row) || pipeline.stage.contains_key(*row);
    if let Some(row) = inner.node.keys().chain(inner.stage.keys()).find(taken) {
        return Err(format!("the name '{row}' is taken; allowed: names that do not begin with '{name}{BETWEEN}'"));
    }
    added.extend(inner.node.keys().chain(inner.stage.keys()).filter(|row| *row != name).cloned());
    pipeline.node.extend(inner.node);
    pipeline.stage.extend(inner.stage);
    Ok(())
}

/// The node of the kind `recipe` from which a node or stage comes.
pub(super) fn owner(row: &str) -> Option<&str> {
    row.split_once(BETWEEN).map(|(name, _)| name)
}

/// Removes those of the added nodes and stages that nothing needs.
pub(super) fn prune(pipeline: &mut Pipeline, layers: &[String], added: &HashSet<String>) {
    let mut needed: HashSet<&str> = HashSet::new();
    let own = pipeline.node.keys().chain(pipeline.stage.keys()).filter(|row| !added.contains(*row));
    let mut todo: Vec<&str> = own.chain([&pipeline.output]).chain(layers).map(String::as_str).collect();
    while let Some(reference) = todo.pop() {
        let row = if pipeline.node.contains_key(reference) { reference } else { stem(reference) };
        if !needed.insert(row) {
            continue;
        }
        let inputs = match (pipeline.node.get(row), pipeline.stage.get(row)) {
            (Some(node), _) => node.inputs(),
            (None, Some(stage)) => stage.inputs(),
            (None, None) => continue,
        };
        todo.extend(inputs.into_iter().filter_map(|(_, input)| if let Input::Node(name) = input { Some(name.as_str()) } else { None }));
    }
    let needed: HashSet<String> = needed.into_iter().map(str::to_owned).collect();
    pipeline.node.retain(|row, _| needed.contains(row));
    pipeline.stage.retain(|row: &String, _: &mut Stage| needed.contains(row));
}

/// The JSON Schema of such a node. `number` is that of a number or an expression.
#[cfg(feature = "schema")]
pub(super) fn schema(number: &serde_json::Value) -> serde_json::Value {
    let presets: Vec<&str> = RecipePreset::ALL.iter().map(|preset| preset.name).collect();
    serde_json::json!({
        "type": "object",
        "description": "Another recipe as a node: a preset or a file. Other fields are values of its variables.",
        "required": ["kind"],
        "oneOf": [{ "required": ["preset"] }, { "required": ["file"] }],
        "properties": {
            "kind": { "const": KIND },
            "preset": { "enum": presets, "description": "A recipe that comes with the program." },
            "file": { "type": "string", "description": "The file of a recipe, relative to this one." },
            "output": { "type": "string", "description": "The node or stage that is the result, instead of the recipe's output." },
            "seed": {
                "type": ["integer", "string"], "minimum": 0, "maximum": u64::MAX,
                "description": "Another world of the same kind: 0 is the recipe as it is.",
            },
            "inputs": {
                "type": "object", "additionalProperties": { "type": ["string", "number"] },
                "description": "Nodes of the recipe, and what replaces each.",
            },
        },
        "additionalProperties": number,
        "x-reads-stages": true,
    })
}
