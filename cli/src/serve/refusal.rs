//! Error answers.

use crate::exit::{DATA, Failure, IO, TRANSIENT, UNAVAILABLE, USAGE};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use orogen::RecipeError;
use serde::Serialize;
use std::ops::Deref;

/// The reason for an error, as text and position in the recipe.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Reason(Box<Said>);

#[derive(Clone, Debug, Default, Serialize)]
pub struct Said {
    pub message: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub table: Option<String>,
    pub name: Option<String>,
    pub param: Option<String>,
}

impl Deref for Reason {
    type Target = Said;

    fn deref(&self) -> &Said {
        &self.0
    }
}

impl Reason {
    #[expect(clippy::needless_pass_by_value, reason = "the signature that `map_err` expects")]
    pub fn new(message: impl ToString) -> Self {
        Reason(Box::new(Said { message: message.to_string(), ..Said::default() }))
    }
}

impl From<RecipeError> for Reason {
    /// The position of the first error; further ones are on their own lines.
    fn from(error: RecipeError) -> Self {
        let Some(at) = error.location() else { return Reason::new(error) };
        let (line, column) = (Some(at.line), Some(at.column));
        let mut path = at.path.iter().cloned();
        // `["output"]` and the like stand in no row of a table.
        let (table, name, param) = if path.len() > 2 { (path.next(), path.next(), path.next()) } else { (path.next(), None, path.next()) };
        // The position is sent separately from the message.
        let told = |mistake: &RecipeError| {
            let message = mistake.to_string();
            let place = mistake.location().map(|at| format!("{at}: ")).unwrap_or_default();
            message.strip_prefix(&place).map_or(message.clone(), str::to_owned)
        };
        let mut message = String::new();
        for mistake in error.mistakes() {
            match mistake.location().filter(|_| !message.is_empty()) {
                Some(at) => message += &format!("\nline {}: {}", at.line, told(mistake)),
                None => message += &told(mistake),
            }
        }
        Reason(Box::new(Said { message, line, column, table, name, param }))
    }
}

/// A reason and its status.
#[derive(Debug)]
pub struct ErrorResponse {
    pub status: StatusCode,
    pub reason: Reason,
}

impl ErrorResponse {
    pub fn new(status: StatusCode, message: impl ToString) -> Self {
        ErrorResponse { status, reason: Reason::new(message) }
    }

    /// The requested item does not exist.
    pub fn missing(message: impl ToString) -> Self {
        ErrorResponse::new(StatusCode::NOT_FOUND, message)
    }

    /// The request is invalid.
    pub fn bad(message: impl ToString) -> Self {
        ErrorResponse::new(StatusCode::BAD_REQUEST, message)
    }
}

impl From<Reason> for ErrorResponse {
    fn from(reason: Reason) -> Self {
        ErrorResponse { status: StatusCode::UNPROCESSABLE_ENTITY, reason }
    }
}

impl From<Failure> for ErrorResponse {
    fn from(failure: Failure) -> Self {
        let status = match failure.code {
            DATA | USAGE => StatusCode::UNPROCESSABLE_ENTITY,
            TRANSIENT | UNAVAILABLE => StatusCode::SERVICE_UNAVAILABLE,
            IO => StatusCode::FORBIDDEN,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ErrorResponse::new(status, failure)
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        (self.status, axum::Json(serde_json::json!({ "error": self.reason }))).into_response()
    }
}
