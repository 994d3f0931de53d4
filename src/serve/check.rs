//! What a text means, or what is wrong with it.

use super::Studio;
use super::document::{LARGEST, Text};
use super::edit::{self, Edit};
use super::known::{Known, LayerInfo, lock};
use super::live::{Page, page};
use super::refusal::{Reason, Refusal};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use orogen::Setting;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// What pages are told.
#[derive(Debug, Serialize)]
pub struct Checked {
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
}

#[derive(Debug, Serialize)]
pub struct Edited {
    text: String,
    checked: Checked,
}

/// The recipe that pages work on.
pub struct Work {
    known: Arc<Known>,
    text: String,
}

impl Work {
    pub fn new(known: Arc<Known>, text: &str) -> Self {
        Work { known, text: text.to_owned() }
    }

    /// As those are told who follow.
    pub fn told(&self, by: Page) -> Value {
        json!({ "recipe": { "text": self.text, "id": self.known.id }, "by": by })
    }
}

impl Studio {
    /// Reads a text and keeps what it means.
    pub fn read(&self, text: &str) -> Result<Arc<Known>, Reason> {
        self.shelf.read(text, self.file.name().as_deref().unwrap_or("recipe"))
    }

    fn checked(&self, text: &str) -> Checked {
        let read = self.read(text).and_then(|known| {
            let recipe = serde_json::to_value(&known.recipe).map_err(Reason::new)?;
            Ok(Rest::Read { id: known.id.clone(), recipe, layers: known.layers(&self.compute.engine()) })
        });
        match read {
            Ok(rest) => Checked { ok: true, rest },
            Err(error) => Checked { ok: false, rest: Rest::Wrong { error } },
        }
    }

    /// The recipe in work is another one, which those who follow are told.
    pub fn works_on(&self, text: &str, by: Page) {
        let Ok(known) = self.read(text) else { return };
        let now = Work::new(known, text);
        let (told, id) = (now.told(by), now.known.id.clone());
        let before = lock(&self.work).replace(now);
        if before.is_none_or(|before| before.known.id != id) {
            self.live.send(&told);
        }
    }

    /// The same after edits: where live parameters are all that is new, they are told one by one.
    fn works_on_edited(&self, text: &str, edits: &[Edit], by: Page) {
        let before = lock(&self.work).as_ref().map(|work| Arc::clone(&work.known));
        let (Ok(known), Some(before)) = (self.read(text), before) else { return self.works_on(text, by) };
        let mut pipeline = before.recipe.pipeline.clone();
        let live: Option<Vec<(String, &Value)>> = edits
            .iter()
            .map(|edit| {
                let Edit::Set { name, param, value, .. } = edit else { return None };
                let path = format!("{name}.{param}");
                let setting = serde_json::from_value::<Setting>(value.clone()).ok()?;
                pipeline.set(&path, setting).ok()?;
                Some((path, value))
            })
            .collect();
        match live {
            Some(live) if pipeline == known.recipe.pipeline => {
                *lock(&self.work) = Some(Work::new(known, text));
                for (name, value) in live {
                    self.live.send(&json!({ "set": { "name": name, "value": value, "text": text }, "by": by }));
                }
            }
            _ => self.works_on(text, by),
        }
    }
}

fn size(text: &str) -> Result<(), Refusal> {
    let allowed = || format!("a recipe of {} bytes is not allowed; allowed: up to {LARGEST}", text.len());
    if text.len() > LARGEST { Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, allowed())) } else { Ok(()) }
}

/// `POST /api/check`.
pub async fn check(State(studio): State<Arc<Studio>>, Json(Text { text }): Json<Text>) -> Result<Json<Checked>, Refusal> {
    size(&text)?;
    studio.thought(move |studio| Ok(Json(studio.checked(&text)))).await
}

/// `POST /api/edit`.
pub async fn edit(
    State(studio): State<Arc<Studio>>,
    headers: HeaderMap,
    Json(Edits { text, edits }): Json<Edits>,
) -> Result<Json<Edited>, Refusal> {
    size(&text)?;
    let by = page(&headers);
    studio
        .thought(move |studio| {
            let text = edit::apply(&text, &edits)?;
            studio.works_on_edited(&text, &edits, by);
            Ok(Json(Edited { checked: studio.checked(&text), text }))
        })
        .await
}
