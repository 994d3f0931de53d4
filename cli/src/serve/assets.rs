//! The page itself: built by `studio/`, and part of the command.

use super::refusal::ErrorResponse;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;

/// Name, type and content of a file.
type File = (&'static str, &'static str, &'static [u8]);

macro_rules! files {
    ($($name:literal: $kind:literal;)+) => {
        const FILES: &[File] = &[$(($name, $kind, include_bytes!(concat!("assets/", $name))),)+];
    };
}

files! {
    "index.html": "text/html; charset=utf-8";
    "studio.js": "text/javascript; charset=utf-8";
    "studio.css": "text/css; charset=utf-8";
    "relief.js": "text/javascript; charset=utf-8";
    "licences.txt": "text/plain; charset=utf-8";
}

/// A folder whose files are taken in place of the command's own, for those who change the page.
const FOLDER: &str = "OROGEN_STUDIO";

fn file(name: &str) -> Result<Response, ErrorResponse> {
    let found = FILES.iter().find(|(known, ..)| *known == name);
    let &(name, kind, bytes) = found.ok_or_else(|| ErrorResponse::missing(format!("there is no '{name}'")))?;
    let content = match std::env::var_os(FOLDER) {
        Some(folder) => Cow::Owned(std::fs::read(std::path::Path::new(&folder).join(name)).map_err(ErrorResponse::missing)?),
        None => Cow::Borrowed(bytes),
    };
    let headers: [(HeaderName, &str); 2] = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")];
    Ok((headers, content.into_owned()).into_response())
}

/// `GET /`.
pub async fn page() -> Result<Response, ErrorResponse> {
    file("index.html")
}

/// `GET /assets/{name}`.
pub async fn asset(Path(name): Path<String>) -> Result<Response, ErrorResponse> {
    file(&name)
}
