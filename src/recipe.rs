//! A pipeline as text: TOML or JSON, with errors that know their line and column.

mod destination;
mod location;
mod python;
mod rust;
mod unique;

pub use destination::Destination;
pub use location::Location;

use crate::graph::{Graph, GraphError, Node, Noise};
use crate::limits;
#[cfg(feature = "cli")]
use crate::params::Allowed;
use crate::params::{FieldError, Fields, Kinds, Param, ParamInfo, Read};
use crate::raster::{Heights, HeightsError};
use crate::region::{FARTHEST, LARGEST_TILE, MOST_TILES, SPACING};
use crate::stage::{Pipeline, Stage, StageError};
use indexmap::IndexMap;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// A pipeline, and how it is baked unless told otherwise.
///
/// As text the two are one table: `output`, `node`, `stage` and `bake`. Reading text by serde's traits checks nothing, as building does
/// not; [`from_toml`](Self::from_toml) and [`from_json`](Self::from_json) do, and say where in the text something is wrong.
///
/// ```
/// use orogen::{Bake, Noise, Recipe};
/// use orogen::node::{Fractal, Simplex};
/// let hills = Noise::simplex(Simplex::default()).fractal(Fractal::default()).named("hills");
/// let recipe = Recipe { bake: Bake { tile: 256, ..Default::default() }, ..Recipe::new(hills) };
/// let text = recipe.to_toml()?;
/// assert_eq!(Recipe::from_toml(&text, "hills.toml")?, recipe);
/// # Ok::<(), orogen::RecipeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Text")]
pub struct Recipe {
    /// The nodes, the stages after them, and which of them is the result.
    pub pipeline: Pipeline,
    /// Defaults of `orogen bake` and `orogen preview`.
    pub bake: Bake,
}

/// A recipe as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    output: String,
    #[serde(default)]
    node: IndexMap<String, Node>,
    #[serde(default)]
    stage: IndexMap<String, Stage>,
    #[serde(default)]
    bake: Bake,
}

impl From<Text> for Recipe {
    fn from(Text { output, node, stage, bake }: Text) -> Self {
        Recipe { pipeline: Pipeline { output, node, stage }, bake }
    }
}

impl Serialize for Recipe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Recipe { pipeline: Pipeline { output, node, stage }, bake } = self;
        let mut recipe = serializer.serialize_struct("Recipe", 4)?;
        recipe.serialize_field("output", output)?;
        recipe.serialize_field("node", node)?;
        if stage.is_empty() {
            recipe.skip_field("stage")?;
        } else {
            recipe.serialize_field("stage", stage)?;
        }
        recipe.serialize_field("bake", bake)?;
        recipe.end()
    }
}

/// Defaults of a bake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Bake {
    /// Samples along each edge of a tile, 1 to 16384.
    pub tile: u32,
    /// How many tiles along x and y, starting at tile 0, 0.
    pub tiles: [u32; 2],
    /// World units from sample to sample at level 0.
    pub spacing: f64,
    /// World units above the plane z = 0.
    pub z: f64,
    /// What is written for every tile beside the output: nodes, stages, outputs of stages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// The program it is made for, which decides formats, names and what is allowed.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
}

impl Default for Bake {
    fn default() -> Self {
        Bake { tile: 512, tiles: [4, 4], spacing: 1.0, z: 0.0, layers: Vec::new(), destination: None }
    }
}

impl Bake {
    /// Reads an object of settings as JSON: those of a recipe's table `bake`. `file` is the name used in messages. Numbers that are not allowed
    /// are refused where a recipe with them is used or written.
    ///
    /// # Errors
    /// No object, a name that is none of a bake's, or a value of another type: with its name, and what is allowed.
    pub fn from_json(text: &str, file: &str) -> Result<Self, RecipeError> {
        let source = Source { file, text, language: Language::Json };
        source.bake(Ok(source.parse()?))
    }

    /// The first number that is not allowed: its parameter and its value.
    fn refusal(&self) -> Option<(&'static str, String)> {
        if !(1..=LARGEST_TILE).contains(&self.tile) {
            return Some(("tile", self.tile.to_string()));
        }
        if self.tiles.contains(&0) || self.tiles.iter().map(|&n| u64::from(n)).product::<u64>() > MOST_TILES {
            return Some(("tiles", format!("{:?}", self.tiles)));
        }
        if !(SPACING.0..=SPACING.1).contains(&self.spacing) {
            return Some(("spacing", self.spacing.to_string()));
        }
        if !self.z.is_finite() || self.z.abs() > FARTHEST {
            return Some(("z", self.z.to_string()));
        }
        None
    }

    /// What a parameter may be, as the end of a message.
    fn told(param: &str) -> &'static str {
        match param {
            "tile" => "; allowed: 1 to 16384",
            "tiles" => "; allowed: 1 or more along each axis, at most 16777216 in all",
            "spacing" => "; allowed: 1e-9 to 1e9",
            "z" => "; allowed: magnitudes up to 2^53",
            "layers" => "; allowed: a list of names of nodes, stages and outputs of stages",
            // An unknown field and an unknown program are told what there is by those who find them.
            _ => "",
        }
    }
}

/// Why a recipe could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The file could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The text is no recipe.
    #[error("{at}: {message}")]
    Text {
        /// Where.
        at: Box<Location>,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// The graph means nothing.
    #[error("{at}: {error}")]
    Graph {
        /// Where.
        at: Box<Location>,
        /// What is wrong with it.
        error: GraphError,
    },
    /// The stages mean nothing.
    #[error("{at}: {error}")]
    Stage {
        /// Where.
        at: Box<Location>,
        /// What is wrong with them.
        error: StageError,
    },
    /// The recipe cannot be written: it could not be read again.
    #[error("{message}")]
    Write {
        /// What of it is not allowed, or cannot be held by the language.
        message: String,
    },
}

/// The two languages a recipe can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Toml,
    Json,
}

/// A tree of either language, as far as the reader needs it.
enum Table {
    Toml(toml::Table),
    Json(serde_json::Map<String, serde_json::Value>),
}

impl Table {
    fn remove<T: for<'de> Deserialize<'de>>(&mut self, name: &str) -> Option<Result<T, String>> {
        match self {
            Table::Toml(table) => Some(T::deserialize(table.remove(name)?).map_err(|e| e.message().to_owned())),
            Table::Json(map) => Some(T::deserialize(map.shift_remove(name)?).map_err(|e| e.to_string())),
        }
    }

    fn remove_table(&mut self, name: &str) -> Option<Result<Table, String>> {
        match self {
            Table::Toml(_) => self.remove::<toml::Table>(name).map(|t| t.map(Table::Toml)),
            Table::Json(_) => self.remove::<serde_json::Map<String, serde_json::Value>>(name).map(|t| t.map(Table::Json)),
        }
    }

    /// A table of one of its entries.
    fn only(&self, name: &str) -> Table {
        match self {
            Table::Toml(table) => Table::Toml(table.get_key_value(name).map(|(k, v)| (k.clone(), v.clone())).into_iter().collect()),
            Table::Json(map) => Table::Json(map.get_key_value(name).map(|(k, v)| (k.clone(), v.clone())).into_iter().collect()),
        }
    }

    /// What the whole table means.
    fn into<T: for<'de> Deserialize<'de>>(self) -> Result<T, String> {
        match self {
            Table::Toml(table) => T::deserialize(table).map_err(|e| e.message().to_owned()),
            Table::Json(map) => T::deserialize(serde_json::Value::Object(map)).map_err(|e| e.to_string()),
        }
    }

    /// Every entry as a table, in order.
    fn into_tables(self) -> Vec<(String, Result<Table, String>)> {
        match self {
            Table::Toml(table) => table
                .into_iter()
                .map(|(name, row)| (name, row.try_into().map(Table::Toml).map_err(|e: toml::de::Error| e.message().to_owned())))
                .collect(),
            Table::Json(map) => map
                .into_iter()
                .map(|(name, row)| match row {
                    serde_json::Value::Object(row) => (name, Ok(Table::Json(row))),
                    _ => (name, Err("is not a table".to_owned())),
                })
                .collect(),
        }
    }

    fn keys(&self) -> Vec<String> {
        match self {
            Table::Toml(table) => table.keys().cloned().collect(),
            Table::Json(map) => map.keys().cloned().collect(),
        }
    }
}

impl Fields for Table {
    fn take<T: Param>(&mut self, name: &str) -> Option<Result<T, String>> {
        self.remove(name).map(|read| read.map(|Read(value)| value))
    }
}

/// What gives the heights that a name means.
type Files<'a> = dyn FnMut(&str) -> Result<Heights, HeightsError> + 'a;

/// The text being read: knows where in the file a field stands.
struct Source<'a> {
    file: &'a str,
    text: &'a str,
    language: Language,
}

impl Recipe {
    /// A recipe of a pipeline, a noise or a graph, with default bake settings.
    pub fn new(pipeline: impl Into<Pipeline>) -> Self {
        Recipe { pipeline: pipeline.into(), bake: Bake::default() }
    }

    /// The output as a noise, where it is a node. Of a recipe with stages, [`Pipeline::noise_of`] has the noise of any node.
    ///
    /// # Errors
    /// The output is a stage, which is no function of position; or it names nothing.
    pub fn noise(&self) -> Result<Noise, StageError> {
        self.pipeline.noise_of(&self.pipeline.output)
    }

    /// Checks the pipeline, the layers and every number of the bake.
    ///
    /// # Errors
    /// The first thing found to be wrong, as a message.
    fn check(&self) -> Result<(), String> {
        self.pipeline.check().map_err(|error| error.to_string())?;
        self.refusal().map_or(Ok(()), |(_, message)| Err(message))
    }

    /// The first parameter of the bake whose value is not allowed, with a message.
    fn refusal(&self) -> Option<(&'static str, String)> {
        if let Some((param, value)) = self.bake.refusal() {
            return Some((param, format!("bake: {param} = {value} is not allowed{}", Bake::told(param))));
        }
        let unknown = |layer: &String| self.pipeline.find("", "layers", layer).err();
        self.bake.layers.iter().find_map(unknown).map(|error| ("layers", format!("bake: {error}")))
    }

    /// Reads and checks a file: JSON if its name ends in `.json`, else TOML; and the files that its nodes name, which lie beside it. The recipe may
    /// come out of a pipe; the files that it names must be regular files. [`limits`](crate::limits) has the largest sizes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too large, is not a recipe, or its graph is invalid; or if a file that it names cannot be
    /// read or has changed.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, RecipeError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let wrong = |message: String| RecipeError::Text { at: Location::start(&file).into(), message };
        let bytes = limits::read_stream(path, limits::RECIPE).map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => wrong(error.to_string()),
            _ => RecipeError::Read { path: path.to_owned(), error },
        })?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8 text".to_owned()))?;
        let language = if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) { Language::Json } else { Language::Toml };
        let folder = path.parent().unwrap_or(Path::new(""));
        Source { file: &file, text: &text, language }.read_with(Some(&mut |name| Heights::read(folder.join(name))))
    }

    /// Reads and checks TOML. `file` is the name used in messages.
    ///
    /// # Errors
    /// The text is no recipe, or its graph means nothing.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, RecipeError> {
        Source { file, text, language: Language::Toml }.read()
    }

    /// Reads and checks TOML and the files that its nodes name; `files` gives what a name means. `file` is the name used in messages.
    ///
    /// # Errors
    /// As [`from_toml`](Self::from_toml); or a file that cannot be read or has changed.
    pub fn from_toml_with(
        text: &str,
        file: &str,
        mut files: impl FnMut(&str) -> Result<Heights, HeightsError>,
    ) -> Result<Self, RecipeError> {
        Source { file, text, language: Language::Toml }.read_with(Some(&mut files))
    }

    /// Reads and checks JSON. `file` is the name used in messages.
    ///
    /// # Errors
    /// The text is no recipe, or its graph means nothing.
    pub fn from_json(text: &str, file: &str) -> Result<Self, RecipeError> {
        Source { file, text, language: Language::Json }.read()
    }

    /// Reads and checks JSON and the files that its nodes name; see [`from_toml_with`](Self::from_toml_with).
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json); or a file that cannot be read or has changed.
    pub fn from_json_with(
        text: &str,
        file: &str,
        mut files: impl FnMut(&str) -> Result<Heights, HeightsError>,
    ) -> Result<Self, RecipeError> {
        Source { file, text, language: Language::Json }.read_with(Some(&mut files))
    }

    /// The recipe as TOML, which [`from_toml`](Self::from_toml) reads as the same recipe. Seeds beyond 2⁵³ − 1 are written as text of digits.
    ///
    /// # Errors
    /// Something in the recipe is not allowed: a number that is not finite, say.
    pub fn to_toml(&self) -> Result<String, RecipeError> {
        self.check().map_err(|message| RecipeError::Write { message })?;
        toml::to_string_pretty(self).map_err(|error| RecipeError::Write { message: error.to_string() })
    }

    /// The recipe as JSON, which [`from_json`](Self::from_json) reads as the same recipe. Seeds beyond 2⁵³ − 1 are written as text of digits,
    /// since many readers of JSON round larger numbers.
    ///
    /// # Errors
    /// Something in the recipe is not allowed: a number that is not finite, say.
    pub fn to_json(&self) -> Result<String, RecipeError> {
        self.check().map_err(|message| RecipeError::Write { message })?;
        serde_json::to_string_pretty(self).map_err(|error| RecipeError::Write { message: error.to_string() })
    }
}

impl RecipeError {
    /// Where in a recipe's text the error is; `None` where there is no text.
    pub fn location(&self) -> Option<&Location> {
        match self {
            RecipeError::Text { at, .. } | RecipeError::Graph { at, .. } | RecipeError::Stage { at, .. } => Some(at),
            RecipeError::Read { .. } | RecipeError::Write { .. } => None,
        }
    }
}

impl Source<'_> {
    fn read(&self) -> Result<Recipe, RecipeError> {
        self.read_with(None)
    }

    /// Reads the text, and the files that it names where it is said how.
    fn read_with(&self, files: Option<&mut Files<'_>>) -> Result<Recipe, RecipeError> {
        let mut root = self.parse()?;
        let output = self.required::<String>(&mut root, "output", "the name of a node or stage")?;
        let node = self.rows::<Node>(&mut root, "node")?;
        let stage = self.rows::<Stage>(&mut root, "stage")?;
        let bake = root.remove_table("bake").map_or(Ok(Bake::default()), |table| self.bake(table))?;
        if let Some(extra) = root.keys().first() {
            return Err(self.wrong(&[extra], format!("unknown field '{extra}'; allowed: output, node, stage, bake")));
        }
        let pipeline = Pipeline { output, node, stage };
        if pipeline.stage.is_empty() {
            // Of a recipe without stages, errors speak of nodes only.
            let graph = Graph { output: pipeline.output.clone(), node: pipeline.node.clone() };
            graph.check().map_err(|error| self.graph_error(error))?;
        } else {
            pipeline.check().map_err(|error| self.stage_error(error))?;
        }
        let mut recipe = Recipe { pipeline, bake };
        if let Some(files) = files {
            recipe.pipeline.read_files(files).map_err(|error| self.graph_error(error))?;
        }
        match recipe.refusal() {
            Some((param, message)) => Err(self.wrong(&["bake", param], message)),
            None => Ok(recipe),
        }
    }

    /// All rows of a table of tables: nodes or stages.
    fn rows<T: Kinds>(&self, root: &mut Table, table: &'static str) -> Result<IndexMap<String, T>, RecipeError> {
        let rows = root.remove_table(table).unwrap_or(Ok(Table::Toml(toml::Table::new())));
        let rows = rows.map_err(|m| self.wrong(&[table], m))?;
        let mut all = IndexMap::new();
        for (name, fields) in rows.into_tables() {
            let fields = fields.map_err(|m| self.wrong(&[table, &name], format!("{table} '{name}': {m}")))?;
            let row = self.read_row(table, &name, fields)?;
            all.insert(name, row);
        }
        Ok(all)
    }

    fn read_row<T: Kinds>(&self, table: &str, name: &str, mut fields: Table) -> Result<T, RecipeError> {
        let kinds = || T::ALL.iter().map(|row| row.kind).collect::<Vec<_>>().join(", ");
        let kind = match fields.remove::<String>("kind") {
            Some(Ok(kind)) => kind,
            Some(Err(m)) => {
                return Err(self.wrong(&[table, name, "kind"], format!("{table} '{name}': kind: {m}; allowed: {}", kinds())));
            }
            None => return Err(self.wrong(&[table, name], format!("{table} '{name}': kind is missing; allowed: {}", kinds()))),
        };
        let Some(mut row) = T::from_kind(&kind) else {
            return Err(self.wrong(&[table, name, "kind"], format!("{table} '{name}': unknown kind '{kind}'; allowed: {}", kinds())));
        };
        let info = row.info_of();
        row.read(&mut fields).map_err(|FieldError { param, message }| {
            let allowed = info.param(param).map_or_else(String::new, ParamInfo::what_is_allowed);
            self.wrong(&[table, name, param], format!("{table} '{name}': {param}: {message}; allowed: {allowed}"))
        })?;
        if let Some(extra) = fields.keys().first() {
            let known = info.params.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
            return Err(
                self.wrong(&[table, name, extra], format!("{table} '{name}': unknown field '{extra}' of kind '{kind}'; allowed: {known}"))
            );
        }
        Ok(row)
    }

    /// The bake's settings, one after the other, so that what is wrong has a name.
    fn bake(&self, table: Result<Table, String>) -> Result<Bake, RecipeError> {
        let table = table.map_err(|m| self.wrong(&["bake"], format!("bake: {m}")))?;
        for name in table.keys() {
            let wrong = |m| self.wrong(&["bake", &name], format!("bake: {name}: {m}{}", Bake::told(&name)));
            table.only(&name).into::<Bake>().map_err(wrong)?;
        }
        table.into::<Bake>().map_err(|m| self.wrong(&["bake"], format!("bake: {m}")))
    }

    fn required<T: for<'de> Deserialize<'de>>(&self, table: &mut Table, name: &str, what: &str) -> Result<T, RecipeError> {
        let read = table.remove(name).unwrap_or_else(|| Err(format!("is missing; allowed: {what}")));
        read.map_err(|m| self.wrong(&[name], format!("{name}: {m}")))
    }

    fn parse(&self) -> Result<Table, RecipeError> {
        match self.language {
            Language::Toml => toml::from_str(self.text).map(Table::Toml).map_err(|error: toml::de::Error| {
                let offset = error.span().map_or(0, |span| span.start);
                let message = match error.message() {
                    // An integer beyond i64, which the parser hands to serde as one of u64 or i128.
                    message if message == "u64 value was too large" || message.ends_with("as i128, expected any valid TOML value") => {
                        format!("an integer that is not allowed; allowed: {} to {}; larger seeds as text, in quotes", i64::MIN, i64::MAX)
                    }
                    message => message.to_owned(),
                };
                RecipeError::Text { at: Location::of(self.file, self.text, offset).into(), message }
            }),
            Language::Json => serde_json::from_str(self.text).map(|unique::Object(map)| Table::Json(map)).map_err(|error| {
                let at = Box::new(Location { line: error.line(), column: error.column(), ..Location::start(self.file) });
                RecipeError::Text { at, message: error.to_string() }
            }),
        }
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

    /// Where the field at `path` starts; if it is not there, the innermost table that is.
    fn locate(&self, path: &[&str]) -> Box<Location> {
        let offset = match self.language {
            Language::Toml => location::in_toml(self.text, path),
            Language::Json => location::in_json(self.text, path),
        };
        let path = path.iter().filter(|name| !name.is_empty()).map(|&name| name.to_owned()).collect();
        Box::new(Location { path, ..Location::of(self.file, self.text, offset.unwrap_or(0)) })
    }
}

/// The JSON Schema of recipes, with the ranges of the node table written in.
#[cfg(feature = "cli")]
pub fn schema() -> serde_json::Value {
    #[derive(schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Recipe {
        /// The node, stage or output of a stage (`stage.water`) that is the result.
        output: String,
        /// The nodes by name.
        node: std::collections::BTreeMap<String, Node>,
        /// The stages by name.
        #[schemars(default)]
        stage: std::collections::BTreeMap<String, Stage>,
        /// Defaults of a bake.
        #[schemars(default)]
        bake: Bake,
    }
    let mut schema = schemars::schema_for!(Recipe).to_value();
    for (rows, table) in [("/$defs/Node/oneOf", Node::TABLE), ("/$defs/Stage/oneOf", Stage::TABLE)] {
        let variants = schema.pointer_mut(rows).and_then(|v| v.as_array_mut());
        for (variant, info) in variants.into_iter().flatten().zip(table) {
            for param in info.params {
                let Some(property) = variant.pointer_mut(&format!("/properties/{}", param.name)).and_then(|p| p.as_object_mut()) else {
                    continue;
                };
                if let Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi) = param.allowed {
                    property.insert("minimum".into(), lo.into());
                    property.insert("maximum".into(), hi.into());
                }
                if param.allowed == Allowed::Seed {
                    let types = ["integer", "string", "null"];
                    property.insert("type".into(), types[..if param.optional { 3 } else { 2 }].into());
                    property.insert("minimum".into(), 0.into());
                    property.insert("maximum".into(), u64::MAX.into());
                    property.insert("pattern".into(), "^[0-9]+$".into());
                }
            }
        }
    }
    schema
}
