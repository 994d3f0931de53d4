//! A pipeline as text, TOML or JSON, with errors that include line and column.

mod destination;
mod explain;
mod location;
mod python;
mod read;
mod rust;
mod save;
mod unique;

pub use destination::Destination;
pub use location::Location;
pub use save::Saved;

use crate::graph::Noise;
use crate::graph::node::Node;
use crate::limits;
#[cfg(feature = "schema")]
use crate::params::Allowed;
use crate::program::GraphError;
use crate::raster::{Heights, HeightsError, HeightsFile};
use crate::region::{FARTHEST, LARGEST_TILE, MOST_TILES, SPACING};
use crate::stage::{Pipeline, Stage, StageError};
use crate::text;
use indexmap::IndexMap;
use read::{RecipeLanguage, RecipeText};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// A pipeline with the defaults of its bake.
///
/// As text, both are one table with `output`, `node`, `stage` and `bake`. Deserialising by serde's traits performs no checks;
/// [`from_toml`](Self::from_toml) and [`from_json`](Self::from_json) do, and report the position of errors.
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
    /// The nodes, the stages, and the output.
    pub pipeline: Pipeline,
    /// Defaults of `orogen bake` and `orogen preview`.
    pub bake: Bake,
}

/// A recipe in its written form.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Bake {
    /// Samples along each edge of a tile, 1 to 16384.
    pub tile: u32,
    /// Number of tiles along x and y, starting at tile 0, 0.
    pub tiles: [u32; 2],
    /// World units between samples at level 0.
    pub spacing: f64,
    /// Height of the plane above z = 0, in world units.
    pub z: f64,
    /// Further layers to write for every tile, in addition to the output: nodes, stages, outputs of stages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// The program that imports the tiles, which determines formats, names and allowed values.
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
}

impl Default for Bake {
    fn default() -> Self {
        Bake { tile: 512, tiles: [4, 4], spacing: 1.0, z: 0.0, layers: Vec::new(), destination: None }
    }
}

impl Bake {
    /// Reads an object of settings as JSON, as in the table `bake` of a recipe. `file` is the name used in messages. Numbers out
    /// of range are refused when the recipe is used or written.
    ///
    /// # Errors
    /// Returns an error if the JSON is not an object, or for an unknown name or a value of another type, with the name and the
    /// allowed values.
    pub fn from_json(text: &str, file: &str) -> Result<Self, RecipeError> {
        RecipeText::new(file, text, RecipeLanguage::Json).read_bake()
    }

    /// The first number out of range: its parameter, and a message.
    fn refused(&self) -> Option<(&'static str, String)> {
        let (param, value) = if !(1..=LARGEST_TILE).contains(&self.tile) {
            ("tile", self.tile.to_string())
        } else if self.tiles.contains(&0) || self.tiles.iter().map(|&n| u64::from(n)).product::<u64>() > MOST_TILES {
            ("tiles", format!("{:?}", self.tiles))
        } else if !(SPACING.0..=SPACING.1).contains(&self.spacing) {
            ("spacing", self.spacing.to_string())
        } else if !self.z.is_finite() || self.z.abs() > FARTHEST {
            ("z", self.z.to_string())
        } else {
            return None;
        };
        Some((param, format!("bake: {param} = {value} is not allowed; allowed: {}", Bake::allowed(param))))
    }

    /// The names of its settings.
    const FIELDS: [&'static str; 6] = ["tile", "tiles", "spacing", "z", "layers", "for"];

    /// The allowed values of a setting, for messages.
    fn allowed(field: &str) -> &'static str {
        match field {
            "tile" => "a whole number from 1 to 16384",
            "tiles" => "[x, y], whole numbers of 1 or more, with a product of at most 16777216",
            "spacing" => "a number from 1e-9 to 1e9",
            "z" => "a number of magnitude up to 2^53",
            "layers" => "a list of names of nodes, stages and outputs of stages",
            _ => "the name of a program",
        }
    }
}

/// The reason why a recipe could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The file could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The text is not a recipe.
    #[error("{at}: {message}")]
    Text {
        /// Position of the error.
        at: Box<Location>,
        /// The error and the allowed values.
        message: String,
    },
    /// The graph is invalid.
    #[error("{at}: {error}")]
    Graph {
        /// Position of the error.
        at: Box<Location>,
        /// The error in the graph.
        error: GraphError,
    },
    /// The stages are invalid.
    #[error("{at}: {error}")]
    Stage {
        /// Position of the error.
        at: Box<Location>,
        /// The error in the stages.
        error: StageError,
    },
    /// Several errors in one text.
    #[error("{}", mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Several {
        /// The first three errors, in the order of the text; each has its [`location`](Self::location).
        mistakes: Vec<RecipeError>,
    },
    /// The recipe cannot be written, because it could not be read back.
    #[error("{message}")]
    Write {
        /// The part that is not allowed, or that the language cannot represent.
        message: String,
    },
}

impl Recipe {
    /// A recipe of a pipeline, a noise or a graph, with default bake settings.
    pub fn new(pipeline: impl Into<Pipeline>) -> Self {
        Recipe { pipeline: pipeline.into(), bake: Bake::default() }
    }

    /// The output as a noise, if it is a node. For a recipe with stages, [`Pipeline::noise_of`] returns the noise of any node.
    ///
    /// # Errors
    /// Returns an error if the output is a stage, which is not a function of position, or an unknown name.
    pub fn noise(&self) -> Result<Noise, StageError> {
        self.pipeline.noise_of(&self.pipeline.output)
    }

    /// Checks the pipeline, the layers and every number of the bake.
    ///
    /// # Errors
    /// Returns the first error found, as a message.
    fn check(&self) -> Result<(), String> {
        self.pipeline.check().map_err(|error| error.to_string())?;
        let wrong = self.bake.refused().map(|(_, message)| message).or_else(|| self.unknown_layer());
        wrong.map_or(Ok(()), Err)
    }

    /// A message about the first unknown layer.
    fn unknown_layer(&self) -> Option<String> {
        let unknown = |layer: &String| self.pipeline.find("", "layers", layer).err();
        self.bake.layers.iter().find_map(unknown).map(|error| format!("bake: {error}"))
    }

    /// Reads and checks a file (JSON if its name ends in `.json`, else TOML) and the files that its nodes name, relative to it.
    /// The recipe may be a pipe; the files that it names must be regular files. [`limits`](crate::limits) lists the maximum
    /// sizes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too large, is not a recipe, or its graph is invalid; or if a file that it
    /// names cannot be read or has changed.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, RecipeError> {
        Self::load_with(path, |file, folder| file.read(folder))
    }

    /// As [`load`](Self::load); `files` returns the heights in a file of a folder.
    ///
    /// # Errors
    /// Returns the errors of [`load`](Self::load).
    pub fn load_with(
        path: impl AsRef<Path>,
        mut files: impl FnMut(&HeightsFile, &Path) -> Result<Heights, HeightsError>,
    ) -> Result<Self, RecipeError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let wrong = |message: String| RecipeError::Text { at: Location::start(&file).into(), message };
        let bytes = limits::read_stream(path, limits::RECIPE).map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => wrong(error.to_string()),
            _ => RecipeError::Read { path: path.to_owned(), error },
        })?;
        let text = text::decode(&bytes).map_err(|why| wrong(why.to_owned()))?;
        let language = RecipeLanguage::of(path);
        let folder = path.parent().unwrap_or(Path::new(""));
        RecipeText::new(&file, text, language).read(Some(&mut |file| files(file, folder)))
    }

    /// The position of a part of a recipe's file, for messages about errors found later: of a parameter for `["node", "hills",
    /// "octaves"]`, or of the innermost existing table. `None` if the file cannot be read again, like a pipe.
    pub fn locate(path: impl AsRef<Path>, names: &[&str]) -> Option<Location> {
        let path = path.as_ref();
        let text = limits::read_text(path, limits::RECIPE).ok()?;
        Some(*RecipeText::new(&path.display().to_string(), &text, RecipeLanguage::of(path)).locate(names))
    }

    /// Reads and checks TOML. `file` is the name used in messages.
    ///
    /// # Errors
    /// Returns an error if the text is not a recipe, or if its graph is invalid.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, RecipeError> {
        RecipeText::new(file, text, RecipeLanguage::Toml).read(None)
    }

    /// Reads and checks TOML and the files that its nodes name; `files` returns the heights in a file. `file` is the name used in
    /// messages.
    ///
    /// # Errors
    /// Returns the errors of [`from_toml`](Self::from_toml), and an error for a file that cannot be read or has changed.
    pub fn from_toml_with(
        text: &str,
        file: &str,
        mut files: impl FnMut(&HeightsFile) -> Result<Heights, HeightsError>,
    ) -> Result<Self, RecipeError> {
        RecipeText::new(file, text, RecipeLanguage::Toml).read(Some(&mut files))
    }

    /// Reads and checks JSON. `file` is the name used in messages.
    ///
    /// # Errors
    /// Returns an error if the text is not a recipe, or if its graph is invalid.
    pub fn from_json(text: &str, file: &str) -> Result<Self, RecipeError> {
        RecipeText::new(file, text, RecipeLanguage::Json).read(None)
    }

    /// Reads and checks JSON and the files that its nodes name; see [`from_toml_with`](Self::from_toml_with).
    ///
    /// # Errors
    /// Returns the errors of [`from_json`](Self::from_json), and an error for a file that cannot be read or has changed.
    pub fn from_json_with(
        text: &str,
        file: &str,
        mut files: impl FnMut(&HeightsFile) -> Result<Heights, HeightsError>,
    ) -> Result<Self, RecipeError> {
        RecipeText::new(file, text, RecipeLanguage::Json).read(Some(&mut files))
    }

    /// The recipe as TOML, which [`from_toml`](Self::from_toml) reads back unchanged. Seeds beyond 2⁵³ − 1 are written as text.
    ///
    /// # Errors
    /// Returns an error if a value is not allowed, for example a number that is not finite.
    pub fn to_toml(&self) -> Result<String, RecipeError> {
        self.check().map_err(|message| RecipeError::Write { message })?;
        toml::to_string_pretty(self).map_err(|error| RecipeError::Write { message: error.to_string() })
    }

    /// The recipe as JSON, which [`from_json`](Self::from_json) reads back unchanged. Seeds beyond 2⁵³ − 1 are written as text,
    /// because many readers of JSON round larger numbers.
    ///
    /// # Errors
    /// Returns an error if a value is not allowed, for example a number that is not finite.
    pub fn to_json(&self) -> Result<String, RecipeError> {
        self.check().map_err(|message| RecipeError::Write { message })?;
        serde_json::to_string_pretty(self).map_err(|error| RecipeError::Write { message: error.to_string() })
    }
}

impl RecipeError {
    /// The position of the error in a recipe's text (of the first, if there are several); `None` without a text.
    pub fn location(&self) -> Option<&Location> {
        match self {
            RecipeError::Text { at, .. } | RecipeError::Graph { at, .. } | RecipeError::Stage { at, .. } => Some(at),
            RecipeError::Several { mistakes } => mistakes.first()?.location(),
            RecipeError::Read { .. } | RecipeError::Write { .. } => None,
        }
    }

    /// The errors in the text: the error itself, or those of [`Several`](Self::Several).
    pub fn mistakes(&self) -> &[RecipeError] {
        if let RecipeError::Several { mistakes } = self { mistakes } else { std::slice::from_ref(self) }
    }
}

/// The JSON Schema of recipes, including the ranges in the table of nodes.
#[cfg(feature = "schema")]
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
            let doc: Vec<&str> = info.doc.lines().map(str::trim).collect();
            variant["description"] = doc.join("\n").into();
            variant["x-reads-stages"] = info.reads_stages().into();
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
