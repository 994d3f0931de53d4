//! The studio's requests, answered in a worker of its static page. A request and its answer are those of `studio/PROTOCOL.md`.

use crate::disk::{Page, PageDisk};
use crate::engine::Engine;
use crate::files;
use js_sys::Function;
use orogen::Noise;
use orogen::bake::folder::BakeFolder;
use orogen_studio::{
    Answer, BakeForm, Edits, Ended, OpenRecipe, Question, Reason, Refusal, Shelf, TARGETS, Teller, Waits, Written, apply, checked,
    destinations, formats, kinds, presets,
};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// The studio of a page: its recently used recipes, and an engine.
#[wasm_bindgen]
pub struct Studio {
    engine: Engine,
    shelf: Shelf,
    /// Returns the bytes of a file by its name, or `undefined`.
    bytes: Function,
    /// Writes a noise, which is JSON, in a language.
    export: Function,
}

/// An answer.
#[wasm_bindgen]
pub struct StudioAnswer {
    status: u16,
    answer: Answer,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[wasm_bindgen]
impl Studio {
    /// Opens a studio. `bytes` returns the bytes of a file that a recipe names, or `undefined`. `export` returns the text of a noise, or
    /// throws an error. It receives the noise as JSON, a `Map` with the files of heights that the JSON names, a language, and a name.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Function, export: Function) -> Result<Studio, JsError> {
        Ok(Studio { engine: Engine::new("cpu", None)?, shelf: Shelf::default(), bytes, export })
    }

    /// Answers a request: its path, what follows the question mark, and its body.
    pub fn answer(&self, method: &str, path: &str, query: &str, body: &str) -> StudioAnswer {
        self.answered(method, path, query, body).map_or_else(StudioAnswer::refused, |answer| StudioAnswer { status: 200, answer })
    }

    /// Bakes the recipe in the body of `POST /api/bake`, until the end. `file` receives the name and the bytes of each finished file,
    /// or a name alone if that file is removed again. `message` receives the text of each message that a server sends to its pages.
    /// Returns the answer if the request is refused.
    pub fn bake(&self, body: &str, file: Function, message: Function) -> Option<StudioAnswer> {
        self.baked(body, Page { file, message }).err().map(StudioAnswer::refused)
    }
}

impl Studio {
    fn baked(&self, body: &str, page: Page) -> Result<(), Refusal> {
        let form: BakeForm = read(body)?;
        form.check_folder()?;
        let request = form.request(&self.opened(&form.text)?.recipe)?;
        page.serve(|| {
            let teller = Teller::new(|message| Page::tell(&message.to_string()), || false);
            let folder = BakeFolder::on(Arc::new(PageDisk::default()), Path::new(&form.folder));
            let outcome = folder.and_then(|folder| request.bake_in(&self.engine.0, &folder, &teller));
            teller.end(&form.folder, outcome.map_err(Reason::from));
        });
        Ok(())
    }

    fn answered(&self, method: &str, path: &str, query: &str, body: &str) -> Result<Answer, Refusal> {
        match (method, path) {
            ("GET", "/api/about") => self.about(),
            ("POST", "/api/check") => {
                let Text { text } = read(body)?;
                Edits::allow(&text)?;
                json(&self.checked(&text))
            }
            ("POST", "/api/edit") => {
                let Edits { text, edits, .. } = read(body)?;
                Edits::allow(&text)?;
                let text = apply(&text, &edits, &|name| files::text(&self.bytes, name, missing))?;
                let checked = self.checked(&text);
                json(&serde_json::json!({ "text": text, "checked": checked }))
            }
            ("POST", "/api/bake/plan") => {
                let form: BakeForm = read(body)?;
                json(&form.plan(&self.opened(&form.text)?.recipe)?)
            }
            ("GET", _) => self.of(Question::read(path, query)?.ok_or_else(|| elsewhere(path))?),
            ("POST", _) => self.of(Question::posted(path, body)?.ok_or_else(|| elsewhere(path))?),
            _ => Err(elsewhere(path)),
        }
    }

    fn of(&self, question: Question) -> Result<Answer, Refusal> {
        let translate = |noise: &Noise, target: &str, name: &str| self.translated(noise, target, name);
        question.answer(&self.shelf, &self.engine.0, &translate, &Waits::default()).map_err(|ended| match ended {
            Ended::Refused(refusal) => refusal,
            Ended::Lost(why) => Refusal::new(Refusal::UNAVAILABLE, why),
        })
    }

    fn translated(&self, noise: &Noise, target: &str, name: &str) -> Result<String, String> {
        let (json, files) = files::portable_noise(noise)?;
        let text = self.export.apply(&JsValue::UNDEFINED, &js_sys::Array::of4(&json.into(), &files, &target.into(), &name.into()));
        let text = text.map_err(|thrown| {
            thrown.dyn_into::<js_sys::Error>().map_or_else(|other| format!("{other:?}"), |error| error.message().into())
        })?;
        text.as_string().ok_or_else(|| "the export is not text".to_owned())
    }

    fn about(&self) -> Result<Answer, Refusal> {
        json(&serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "engine": { "backend": "cpu", "adapter": self.engine.adapter(), "why": "this page computes with WebAssembly, without a GPU" },
            "file": null,
            "out": null,
            "kinds": kinds(),
            "presets": presets(),
            "targets": TARGETS,
            "formats": formats(),
            "destinations": destinations(),
        }))
    }

    fn checked(&self, text: &str) -> orogen_studio::CheckAnswer {
        checked(self.read(text), &self.engine.0)
    }

    fn read(&self, text: &str) -> Result<(Arc<OpenRecipe>, Written), Reason> {
        self.shelf.read(text, "recipe", files::reader(&self.bytes, missing))
    }

    fn opened(&self, text: &str) -> Result<Arc<OpenRecipe>, Refusal> {
        Edits::allow(text)?;
        Ok(self.read(text)?.0)
    }
}

/// The message about a file that the page does not have.
fn missing(name: &str) -> String {
    format!("this page has no file '{name}'; allowed: files of the gallery")
}

#[wasm_bindgen]
impl StudioAnswer {
    /// The status, one of HTTP's.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The media type.
    pub fn kind(&self) -> String {
        self.answer.kind.to_owned()
    }

    /// The number of channels of each layer, for samples.
    pub fn channels(&self) -> Option<String> {
        self.answer.channels.clone()
    }

    /// The content. Leaves the answer empty.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.answer.bytes)
    }
}

impl StudioAnswer {
    fn refused(Refusal { status, reason }: Refusal) -> Self {
        let bytes = serde_json::json!({ "error": reason }).to_string().into_bytes();
        StudioAnswer { status, answer: Answer { kind: "application/json", channels: None, bytes } }
    }
}

/// The refusal of requests that only a server can answer.
fn elsewhere(path: &str) -> Refusal {
    Refusal::missing(format!("{path} is not available in a page without a server; run `orogen serve` for it"))
}

fn read<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Refusal> {
    serde_json::from_str(body).map_err(Refusal::bad)
}

fn json(value: &impl Serialize) -> Result<Answer, Refusal> {
    let bytes = serde_json::to_vec(value).map_err(|error| Refusal::new(Refusal::UNEXPECTED, error))?;
    Ok(Answer { kind: "application/json", channels: None, bytes })
}
