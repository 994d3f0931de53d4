//! The recipe's file: reads it, saves it without overwriting changes by others, watches it, and keeps a draft of unsaved text
//! next to it.

use super::Studio;
use super::refusal::ErrorResponse;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use orogen::limits;
use orogen::node::Node;
use orogen_studio::{OpenRecipe, Waits, hash, keep, lock, same};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Polling interval for changes of the file.
const WATCHED: Duration = Duration::from_millis(300);

/// The initial recipe of a studio that is started without one.
const EMPTY: &str = include_str!("empty.toml");

/// The recipe's file, if there is one.
pub struct DocumentFile {
    path: Option<PathBuf>,
    /// The hash that pages last received.
    told: Mutex<Option<String>>,
    /// The text that was last read for tiles, with the parsed recipe.
    last: Mutex<Option<(String, Arc<OpenRecipe>)>>,
}

/// The current document.
#[derive(Debug, Serialize)]
pub struct Document {
    name: Option<String>,
    pub text: String,
    pub saved: Option<String>,
    draft: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Save {
    text: String,
    over: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Text {
    pub text: String,
}

/// A file's text; `None` where there is no file.
fn read(path: &Path) -> Result<Option<String>, ErrorResponse> {
    match limits::read_text(path, limits::RECIPE) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ErrorResponse::new(StatusCode::FORBIDDEN, format!("{}: {error}", path.display()))),
    }
}

impl DocumentFile {
    pub fn new(path: Option<PathBuf>) -> Self {
        DocumentFile { path, told: Mutex::default(), last: Mutex::default() }
    }

    /// The name shown in messages.
    pub fn name(&self) -> Option<String> {
        Some(self.path.as_ref()?.file_name()?.to_string_lossy().into_owned())
    }

    /// Distinguishes it from files of the same name in other folders.
    pub fn id(&self) -> Option<String> {
        let path = std::path::absolute(self.path.as_ref()?).ok()?;
        Some(hash(&path.to_string_lossy()))
    }

    /// The folder against which file names in the recipe are resolved.
    pub fn folder(&self) -> PathBuf {
        self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).to_owned()
    }

    /// Whether it can be saved.
    pub fn is_writable(&self) -> bool {
        let Some(path) = &self.path else { return false };
        match std::fs::metadata(path) {
            Ok(is) => !is.permissions().readonly() && std::fs::File::options().write(true).open(path).is_ok(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }

    /// The draft's path next to the recipe, where the next start finds it.
    fn draft(&self) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        let name = path.file_name()?.to_string_lossy();
        Some(path.with_file_name(format!(".{name}.draft")))
    }

    /// The file's text; `None` if there is no file yet.
    fn text(&self) -> Result<Option<String>, ErrorResponse> {
        Ok(self.path.as_deref().map(read).transpose()?.flatten())
    }

    /// The current document.
    pub fn document(&self) -> Result<Document, ErrorResponse> {
        let text = self.text()?;
        let saved = text.as_deref().map(hash);
        let text = text.unwrap_or_else(|| EMPTY.to_owned());
        let draft = self.draft().map(|path| read(&path)).transpose()?.flatten().filter(|draft| !same(draft, &text));
        Ok(Document { name: self.name(), text, saved, draft })
    }

    /// Saves a text over the version with hash `over`, and keeps that version's line ends. Returns the text now in the file and
    /// its hash, or `None` if the file has changed.
    fn save(&self, Save { text, over }: &Save) -> Result<Option<(String, String)>, ErrorResponse> {
        let Some(path) = &self.path else {
            return Err(ErrorResponse::bad("there is no file to save to; start the server with the name of a recipe"));
        };
        // Serialises saves by two pages.
        let mut told = lock(&self.told);
        let before = read(path)?;
        if before.as_deref().map(hash) != *over {
            return Ok(None);
        }
        if !self.is_writable() {
            return Err(ErrorResponse::new(StatusCode::FORBIDDEN, format!("{}: is read-only", path.display())));
        }
        // A page's editor normalises line ends.
        let text = before.map_or_else(|| text.clone(), |before| keep(&before, text));
        crate::out::write(path, &text)?;
        self.forget()?;
        let saved = hash(&text);
        *told = Some(saved.clone());
        Ok(Some((text, saved)))
    }

    fn forget(&self) -> Result<(), ErrorResponse> {
        let Some(path) = self.draft() else { return Ok(()) };
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(ErrorResponse::new(StatusCode::FORBIDDEN, format!("{}: {error}", path.display())))
            }
            _ => Ok(()),
        }
    }
}

/// Informs pages when another program has written the file. The content decides, so a changed timestamp alone is ignored.
pub async fn watch(studio: Arc<Studio>) {
    let mut ticks = tokio::time::interval(WATCHED);
    loop {
        ticks.tick().await;
        let looked = Arc::clone(&studio);
        let change = tokio::task::spawn_blocking(move || {
            // Read under the lock of saves, so that a save is not mistaken for another program's change.
            let mut told = lock(&looked.file.told);
            let text = looked.file.text().ok()??;
            let saved = hash(&text);
            let before = told.replace(saved.clone());
            (before.is_some_and(|before| before != saved)).then_some((text, saved))
        });
        if let Ok(Some((text, saved))) = change.await {
            studio.live.send(&serde_json::json!({ "file": { "text": text, "saved": saved } }));
        }
    }
}

impl Studio {
    /// The saved recipe, parsed again only if the file's text has changed.
    pub fn saved(&self, waits: &Waits) -> Result<Arc<OpenRecipe>, ErrorResponse> {
        let text = self.file.text()?.unwrap_or_else(|| EMPTY.to_owned());
        let mut last = lock(&self.file.last);
        // The files that it names may also have changed; they are read again only then.
        let names_files = |known: &OpenRecipe| {
            let is_raster = known.recipe.pipeline.node.values().any(|node| matches!(node, Node::Raster(_)));
            // The field of a recipe in the recipe.
            is_raster || text.contains("file")
        };
        if let Some((_, known)) = last.as_ref().filter(|(known, of)| *known == text && !names_files(of)) {
            return Ok(Arc::clone(known));
        }
        let known = self.read(&text, waits)?;
        *last = Some((text, Arc::clone(&known)));
        Ok(known)
    }
}

/// `GET /api/document`.
pub async fn get(State(studio): State<Arc<Studio>>) -> Result<Json<Document>, ErrorResponse> {
    studio.blocking(|studio, _| studio.file.document().map(Json)).await
}

/// `PUT /api/document`.
pub async fn save(State(studio): State<Arc<Studio>>, Json(save): Json<Save>) -> Result<Response, ErrorResponse> {
    studio
        .blocking(move |studio, _| match studio.file.save(&save)? {
            Some((text, saved)) => {
                studio.live.send(&serde_json::json!({ "file": { "text": text, "saved": saved } }));
                Ok(Json(serde_json::json!({ "saved": saved })).into_response())
            }
            None => Ok((StatusCode::CONFLICT, Json(studio.file.document()?)).into_response()),
        })
        .await
}

/// `PUT /api/draft`.
pub async fn save_draft(State(studio): State<Arc<Studio>>, Json(Text { text }): Json<Text>) -> Result<StatusCode, ErrorResponse> {
    studio
        .blocking(move |studio, _| {
            if let Some(path) = studio.file.draft() {
                crate::out::write(&path, text)?;
            }
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

/// `DELETE /api/draft`.
pub async fn delete_draft(State(studio): State<Arc<Studio>>) -> Result<StatusCode, ErrorResponse> {
    studio.blocking(|studio, _| studio.file.forget().map(|()| StatusCode::NO_CONTENT)).await
}
