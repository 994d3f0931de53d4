//! Checks and edits of a recipe's text, and the recipe that pages edit.

use super::Studio;
use super::document::Text;
use super::heights::recipe_text;
use super::live::{Page, page};
use super::refusal::ErrorResponse;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use orogen::{RecipeReader, Setting};
use orogen_studio::{CheckAnswer, Edit, Edits, OpenRecipe, Reason, Waits, Written, apply, checked, lock};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;

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
        Ok(self.read_written(text, waits)?.0)
    }

    fn read_written(&self, text: &str, waits: &Waits) -> Result<(Arc<OpenRecipe>, Written), Reason> {
        let (name, folder) = (self.file.name(), self.file.folder());
        let reader = RecipeReader::new().heights(|file| self.heights(&folder, file, waits)).recipes(|name| recipe_text(&folder, name));
        self.shelf.read(text, name.as_deref().unwrap_or("recipe"), reader)
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

/// `POST /api/check`.
pub async fn check(State(studio): State<Arc<Studio>>, Json(Text { text }): Json<Text>) -> Result<Json<CheckAnswer>, ErrorResponse> {
    Edits::allow(&text)?;
    studio.blocking(move |studio, waits| Ok(Json(checked(studio.read_written(&text, waits), &studio.compute.engine())))).await
}

/// `POST /api/edit`.
pub async fn edit(
    State(studio): State<Arc<Studio>>,
    headers: HeaderMap,
    Json(Edits { text, edits, preview }): Json<Edits>,
) -> Result<Json<Edited>, ErrorResponse> {
    Edits::allow(&text)?;
    let by = page(&headers);
    studio
        .blocking(move |studio, waits| {
            let folder = studio.file.folder();
            let text = apply(&text, &edits, &|name| recipe_text(&folder, name))?;
            let read = studio.read_written(&text, waits);
            if let Ok((known, _)) = &read
                && !preview
            {
                studio.works_on(known, &text, &edits, by);
            }
            Ok(Json(Edited { checked: checked(read, &studio.compute.engine()), text }))
        })
        .await
}
