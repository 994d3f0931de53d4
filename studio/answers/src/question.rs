//! Requests for values, as the protocol writes them, and their answers as bytes.

use crate::export::{Translate, exported};
use crate::measure::measure;
use crate::open_recipe::{OpenRecipe, Shelf};
use crate::places::{Ruled, Spread, ruled, spread};
use crate::refusal::{Ended, Reason, Refusal};
use crate::rivers::{self, rivers};
use crate::rules::drainage;
use crate::samples::{At, Block, probe, seams, several};
use crate::surface::{Cube, surface};
use crate::waits::{Priority, Waits};
use orogen::Engine;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A request for values or text: everything that needs a recipe or an engine, and changes nothing.
#[derive(Debug)]
pub enum Question {
    /// About a recipe, which is named by its identifier.
    Of(String, What),
    /// About places, which need no recipe.
    Places(Spread),
}

/// A request about a recipe.
#[derive(Debug)]
pub enum What {
    /// The samples of layers.
    Layers(Vec<String>, Block),
    /// The value of a layer at a point.
    Probe(String, At),
    /// Statistics of a layer.
    Measure(String, Block),
    /// A comparison of a block with its quarters.
    Seams(String, Block),
    /// Rivers and lakes of a stage.
    Rivers(String, rivers::Asked),
    /// The check of all stages of kind `drainage`.
    Drainage,
    /// Places by rules.
    Places(Ruled),
    /// The surface of a volume.
    Surface(String, Cube),
    /// A node's noise as source code.
    Export(String, String),
    /// The recipe in another language.
    Code(String),
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// The media type.
    pub kind: &'static str,
    /// The number of channels of each layer, for samples.
    pub channels: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
}

const BYTES: &str = "application/octet-stream";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";

#[derive(Debug, Deserialize)]
struct Names {
    layers: String,
}

#[derive(Debug, Deserialize)]
struct Target {
    target: String,
}

#[derive(Debug, Deserialize)]
struct As {
    r#as: String,
}

/// The values of a query.
fn given<T: DeserializeOwned>(query: &str) -> Result<T, Refusal> {
    serde_urlencoded::from_str(query).map_err(|error| Refusal::bad(format!("?{query}: {error}")))
}

impl Question {
    /// Reads a request: its path and what follows the question mark. `None`: the path is not that of a question.
    ///
    /// # Errors
    /// Status 400, if a value is missing or invalid.
    pub fn read(path: &str, query: &str) -> Result<Option<Question>, Refusal> {
        let decoded = path.trim_start_matches('/').split('/').map(|part| percent_decode_str(part).decode_utf8());
        let parts: Vec<_> = decoded.collect::<Result<_, _>>().map_err(|_| Refusal::bad(format!("{path} is not UTF-8")))?;
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        let of = |id: &str, what| Question::Of(id.to_owned(), what);
        Ok(Some(match parts[..] {
            ["api", "samples", id, layer] => of(id, What::Layers(vec![layer.to_owned()], given(query)?)),
            ["api", "layers", id] => {
                let Names { layers } = given(query)?;
                of(id, What::Layers(layers.split(',').map(str::to_owned).collect(), given(query)?))
            }
            ["api", "probe", id, layer] => of(id, What::Probe(layer.to_owned(), given(query)?)),
            ["api", "measure", id, layer] => of(id, What::Measure(layer.to_owned(), given(query)?)),
            ["api", "seams", id, layer] => of(id, What::Seams(layer.to_owned(), given(query)?)),
            ["api", "rivers", id, stage] => of(id, What::Rivers(stage.to_owned(), given(query)?)),
            ["api", "drainage", id] => of(id, What::Drainage),
            ["api", "surface", id, layer] => of(id, What::Surface(layer.to_owned(), given(query)?)),
            ["api", "export", id, layer] => {
                let Target { target } = given(query)?;
                of(id, What::Export(layer.to_owned(), target))
            }
            ["api", "code", id] => {
                let As { r#as } = given(query)?;
                of(id, What::Code(r#as))
            }
            ["api", "places"] => Question::Places(given(query)?),
            _ => return Ok(None),
        }))
    }

    /// Reads a request with a body. `None`: the path is not that of a question.
    ///
    /// # Errors
    /// Status 400, if a value is missing or invalid.
    pub fn posted(path: &str, body: &str) -> Result<Option<Question>, Refusal> {
        let Some(id) = path.strip_prefix("/api/places/") else { return Ok(None) };
        let asked = serde_json::from_str(body).map_err(Refusal::bad)?;
        Ok(Some(Question::Of(id.to_owned(), What::Places(asked))))
    }

    /// The identifier of its recipe.
    pub fn recipe(&self) -> Option<&str> {
        if let Question::Of(id, _) = self { Some(id) } else { None }
    }

    /// Its priority.
    pub fn priority(&self) -> Priority {
        match self {
            Question::Of(_, What::Layers(_, block) | What::Measure(_, block)) => block.priority,
            Question::Of(_, What::Probe(..) | What::Surface(..) | What::Export(..) | What::Code(_)) => Priority::Normal,
            Question::Of(_, What::Seams(..) | What::Rivers(..) | What::Drainage | What::Places(_)) | Question::Places(_) => Priority::Low,
        }
    }

    /// Answers it. `translate` writes exports.
    ///
    /// # Errors
    /// Status 410 if the recipe is no longer cached, otherwise the errors of the work.
    pub fn answer(&self, shelf: &Shelf, engine: &Engine, translate: Translate<'_>, waits: &Waits) -> Result<Answer, Ended> {
        match self {
            Question::Of(id, what) => what.answer(&*shelf.get(id)?, engine, translate, waits),
            Question::Places(asked) => Answer::json(&spread(asked)?),
        }
    }
}

impl What {
    fn answer(&self, known: &OpenRecipe, engine: &Engine, translate: Translate<'_>, waits: &Waits) -> Result<Answer, Ended> {
        match self {
            What::Layers(names, block) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let (channels, bytes) = several(engine, known, &names, block, waits)?;
                let channels = channels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
                Ok(Answer { kind: BYTES, channels: Some(channels), bytes })
            }
            What::Probe(layer, at) => Answer::json(&probe(engine, known, layer, *at, waits)?),
            What::Measure(layer, block) => Answer::json(&measure(engine, known, layer, block, waits)?),
            What::Seams(layer, block) => Answer::json(&seams(engine, known, layer, block, waits)?),
            What::Rivers(stage, asked) => Ok(Answer::of("application/geo+json", rivers(engine, known, stage, *asked, waits)?)),
            What::Drainage => Answer::json(&drainage(engine, known, waits)?),
            What::Places(asked) => ruled(engine, known, asked, waits),
            What::Surface(layer, cube) => Ok(Answer::of(BYTES, surface(engine, known, layer, *cube, waits)?)),
            What::Export(layer, target) => Ok(Answer::of(TEXT, exported(known, layer, target, translate)?)),
            What::Code(language) => Ok(Answer::of(TEXT, code(known, language)?)),
        }
    }
}

impl Answer {
    pub(crate) fn of(kind: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Answer { kind, channels: None, bytes: bytes.into() }
    }

    pub(crate) fn json(value: &impl Serialize) -> Result<Self, Ended> {
        let text = serde_json::to_vec(value).map_err(|error| Refusal::new(Refusal::UNEXPECTED, error))?;
        Ok(Answer::of(JSON, text))
    }
}

/// A recipe in another language.
fn code(known: &OpenRecipe, language: &str) -> Result<String, Refusal> {
    match language {
        "json" => known.recipe.to_json().map_err(|error| Reason::from(error).into()),
        "python" => Ok(known.recipe.to_python()),
        "rust" => Ok(known.recipe.to_rust()),
        "toml" => known.recipe.to_toml().map_err(|error| Reason::from(error).into()),
        other => Err(Refusal::bad(format!("'{other}' is not allowed; allowed: python, rust, json, toml"))),
    }
}
