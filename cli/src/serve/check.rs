//! Checks of a recipe's text: its meaning, or its errors.

use super::Studio;
use super::compute::Waits;
use super::document::{LARGEST, Text};
use super::edit::{self, Edit};
use super::live::{Page, page};
use super::lock::lock;
use super::open_recipe::{LayerInfo, OpenRecipe};
use super::refusal::{ErrorResponse, Reason};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use orogen::Setting;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The answer to pages.
#[derive(Debug, Serialize)]
pub struct CheckAnswer {
    ok: bool,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Rest {
    Read { id: String, recipe: Value, layers: Vec<LayerInfo> },
    Wrong { error: Reason },
}

#[derive(Debug, Deserialize)]
pub struct Edits {
    text: String,
    edits: Vec<Edit>,
    /// The text is only looked at: the recipe in work stays as it is.
    #[serde(default)]
    preview: bool,
}

#[derive(Debug, Serialize)]
pub struct Edited {
    text: String,
    checked: CheckAnswer,
}

/// The recipe that pages edit.
pub struct Work {
    known: Arc<OpenRecipe>,
    text: String,
}

impl Work {
    pub fn new(known: Arc<OpenRecipe>, text: &str) -> Self {
        Work { known, text: text.to_owned() }
    }

    /// The message for subscribers.
    pub fn told(&self, by: Page) -> Value {
        json!({ "recipe": { "text": self.text, "id": self.known.id }, "by": by })
    }
}

impl Studio {
    /// Parses a text and keeps the result.
    pub fn read(&self, text: &str, waits: &Waits) -> Result<Arc<OpenRecipe>, Reason> {
        self.shelf.read(text, self.file.name().as_deref().unwrap_or("recipe"), &self.file.folder(), waits)
    }

    fn checked(&self, read: Result<Arc<OpenRecipe>, Reason>) -> CheckAnswer {
        let told = read.and_then(|known| {
            let recipe = serde_json::to_value(&known.recipe).map_err(Reason::new)?;
            Ok(Rest::Read { id: known.id.clone(), recipe, layers: known.layers(&self.compute.engine()) })
        });
        match told {
            Ok(rest) => CheckAnswer { ok: true, rest },
            Err(error) => CheckAnswer { ok: false, rest: Rest::Wrong { error } },
        }
    }

    /// Replaces the current recipe and informs subscribers. If the edits changed only live parameters, each of them is sent
    /// separately.
    pub fn works_on(&self, known: &Arc<OpenRecipe>, text: &str, edits: &[Edit], by: Page) {
        let now = Work::new(Arc::clone(known), text);
        let told = now.told(by);
        let before = lock(&self.work).replace(now).map(|work| work.known);
        match before.as_ref().and_then(|before| moved(before, known, edits)) {
            Some(moved) => {
                for (name, value) in moved {
                    self.live.send(&json!({ "set": { "name": name, "value": value, "text": text }, "by": by }));
                }
            }
            None if before.is_some_and(|before| before.id == known.id) => (),
            None => self.live.send(&told),
        }
    }
}

/// The live parameters that edits set, if they are the only difference between the recipes.
fn moved<'a>(before: &OpenRecipe, now: &OpenRecipe, edits: &'a [Edit]) -> Option<Vec<(String, &'a Value)>> {
    let mut pipeline = before.recipe.pipeline.clone();
    let mut moved = Vec::new();
    for edit in edits {
        let Edit::Set { name, param, value, .. } = edit else { return None };
        let path = format!("{name}.{param}");
        pipeline.set(&path, serde_json::from_value::<Setting>(value.clone()).ok()?).ok()?;
        moved.push((path, value));
    }
    (!moved.is_empty() && pipeline == now.recipe.pipeline).then_some(moved)
}

fn size(text: &str) -> Result<(), ErrorResponse> {
    let allowed = || format!("a recipe of {} bytes is not allowed; allowed: up to {LARGEST}", text.len());
    if text.len() > LARGEST { Err(ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, allowed())) } else { Ok(()) }
}

/// `POST /api/check`.
pub async fn check(State(studio): State<Arc<Studio>>, Json(Text { text }): Json<Text>) -> Result<Json<CheckAnswer>, ErrorResponse> {
    size(&text)?;
    studio.blocking(move |studio, waits| Ok(Json(studio.checked(studio.read(&text, waits))))).await
}

/// `POST /api/edit`.
pub async fn edit(
    State(studio): State<Arc<Studio>>,
    headers: HeaderMap,
    Json(Edits { text, edits, preview }): Json<Edits>,
) -> Result<Json<Edited>, ErrorResponse> {
    size(&text)?;
    let by = page(&headers);
    studio
        .blocking(move |studio, waits| {
            let text = edit::apply(&text, &edits)?;
            let read = studio.read(&text, waits);
            if let Ok(known) = &read
                && !preview
            {
                studio.works_on(known, &text, &edits, by);
            }
            Ok(Json(Edited { checked: studio.checked(read), text }))
        })
        .await
}
