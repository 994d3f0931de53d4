//! Error answers over HTTP.

use crate::exit::{DATA, Failure, IO, TRANSIENT, UNAVAILABLE, USAGE};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use orogen_studio::{Reason, Refusal};

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

impl From<Refusal> for ErrorResponse {
    fn from(Refusal { status, reason }: Refusal) -> Self {
        ErrorResponse { status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), reason }
    }
}

impl From<Reason> for ErrorResponse {
    fn from(reason: Reason) -> Self {
        Refusal::from(reason).into()
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
