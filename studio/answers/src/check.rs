//! The meaning of a recipe's text, or its errors.

use crate::edit::Edit;
use crate::open_recipe::{LayerInfo, OpenRecipe};
use crate::refusal::{Reason, Refusal};
use crate::written::Written;
use orogen::Engine;
use orogen::limits;
use orogen::node::{KindInfo, Node};
use orogen::stage::Stage;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// Largest text of a recipe, in bytes.
pub const LARGEST: usize = limits::RECIPE as usize;

/// The meaning of a text, or its errors.
#[derive(Debug, Serialize)]
pub struct CheckAnswer {
    ok: bool,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Rest {
    Read(Box<Meaning>),
    Wrong { error: Reason },
}

#[derive(Debug, Serialize)]
struct Meaning {
    id: String,
    recipe: Value,
    layers: Vec<LayerInfo>,
    variables: Value,
    expressions: Value,
}

/// A text and changes of it.
#[derive(Debug, Deserialize)]
pub struct Edits {
    /// The text.
    pub text: String,
    /// The changes, in order.
    pub edits: Vec<Edit>,
    /// The text is only looked at: the recipe in work stays as it is.
    #[serde(default)]
    pub preview: bool,
}

impl Edits {
    /// Refuses texts that are too large.
    ///
    /// # Errors
    /// Status 413.
    pub fn allow(text: &str) -> Result<(), Refusal> {
        let allowed = || format!("a recipe of {} bytes is not allowed; allowed: up to {LARGEST}", text.len());
        if text.len() > LARGEST { Err(Refusal::new(Refusal::TOO_MUCH, allowed())) } else { Ok(()) }
    }
}

/// The answer to a text that was read.
pub fn checked(read: Result<(Arc<OpenRecipe>, Written), Reason>, engine: &Engine) -> CheckAnswer {
    let told = read.and_then(|(known, written)| {
        let mut recipe = serde_json::to_value(&known.recipe).map_err(Reason::new)?;
        written.collapse(&mut recipe);
        let layers = written.layers(known.layers(engine));
        let (variables, expressions) = written.facts();
        let (variables, expressions) = (variables.clone(), expressions.clone());
        Ok(Rest::Read(Box::new(Meaning { id: known.id.clone(), recipe, layers, variables, expressions })))
    });
    match told {
        Ok(rest) => CheckAnswer { ok: true, rest },
        Err(error) => CheckAnswer { ok: false, rest: Rest::Wrong { error } },
    }
}

/// A row of the table of nodes or stages, with its names in other libraries, by which the palette finds it.
#[derive(Serialize)]
struct OfferedKind {
    #[serde(flatten)]
    info: &'static KindInfo,
    synonyms: Vec<&'static str>,
    reads_stages: bool,
}

impl OfferedKind {
    fn of(info: &'static KindInfo) -> Self {
        OfferedKind { info, synonyms: info.synonyms(), reads_stages: info.reads_stages() }
    }
}

/// All kinds of nodes and stages, as in `About`.
pub fn kinds() -> Value {
    // A caller's field cannot be part of a recipe.
    let stages: Vec<_> = Stage::TABLE.iter().filter(|info| info.kind != "given").map(OfferedKind::of).collect();
    let nodes: Vec<_> = Node::TABLE.iter().map(OfferedKind::of).collect();
    json!({ "node": nodes, "stage": stages })
}
