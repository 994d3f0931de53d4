//! Access control: only pages of this server and programs with its token are allowed. Otherwise, a page of another site could
//! send requests through the user's browser, and a host name that resolves to this machine (DNS rebinding) could read the
//! answers.

use super::Studio;
use super::refusal::ErrorResponse;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderMap, HeaderValue, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use orogen_studio::{LARGEST, hex};
use std::sync::Arc;
use std::time::Duration;

/// Content security policy: a page may load from and connect to this server only. Inline styles are allowed because the page's
/// editors use them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; \
    connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Time limit for the body of a request.
const BODY: Duration = Duration::from_secs(10);
/// Maximum size of a body. JSON may need several bytes per character of a recipe.
const LARGEST_BODY: usize = 3 * LARGEST;

/// The secret in the URL.
pub struct Token {
    text: String,
    cookie: String,
}

impl Token {
    /// Creates a token from the system's randomness.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub fn random(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        let text = hex(&bytes);
        // Cookies ignore ports, so each studio uses its own cookie name.
        Ok(Token { text, cookie: format!("orogen_{port}") })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Compares in constant time.
    fn is(&self, given: &str) -> bool {
        let (own, given) = (self.text.as_bytes(), given.as_bytes());
        own.len() == given.len() && own.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }

    fn in_url(&self, uri: &Uri) -> bool {
        uri.query()
            .into_iter()
            .flat_map(|query| query.split('&'))
            .filter_map(|pair| pair.strip_prefix("token="))
            .any(|given| self.is(given))
    }

    fn in_headers(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|all| all.split(';'));
        let mut cookies = cookies.filter_map(|pair| pair.trim().split_once('='));
        let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix("Bearer "));
        cookies.any(|(name, given)| name == self.cookie && self.is(given)) || bearer.is_some_and(|given| self.is(given))
    }
}

/// Admits requests from this machine with the token, and adds the content security policy to each answer.
pub async fn guard(State(studio): State<Arc<Studio>>, request: Request, next: Next) -> Response {
    let by_url = studio.token.in_url(request.uri());
    let is_page = request.uri().path() == "/";
    let mut response = match check(&studio, &request, by_url) {
        Ok(()) => match whole(request).await {
            Ok(request) => next.run(request).await,
            Err(refusal) => refusal.into_response(),
        },
        Err(message) if is_page => (StatusCode::FORBIDDEN, Html(page(message))).into_response(),
        Err(message) => ErrorResponse::new(StatusCode::FORBIDDEN, message).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if by_url && is_page && response.status() == StatusCode::OK {
        let Token { text, cookie } = &studio.token;
        let cookie = format!("{cookie}={text}; HttpOnly; SameSite=Strict; Path=/");
        response.headers_mut().insert(SET_COOKIE, cookie.parse().expect("invariant: a token is of hexadecimal digits"));
    }
    response
}

fn check(studio: &Studio, request: &Request, by_url: bool) -> Result<(), &'static str> {
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(HOST).unwrap_or_default();
    let own = ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", studio.port));
    if !own {
        return Err("this host is not allowed; allowed: 127.0.0.1 and localhost, with the port that the command printed");
    }
    if text(ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
        return Err("this origin is not allowed; allowed: the studio's own page");
    }
    if !by_url && !studio.token.in_headers(request.headers()) {
        return Err("the token is missing or not this server's; allowed: the URL that `orogen serve` printed when it started");
    }
    Ok(())
}

/// Reads the body of a request, within its limits of size and time.
async fn whole(request: Request) -> Result<Request, ErrorResponse> {
    let (parts, body) = request.into_parts();
    let too_large = || {
        let message = format!("the body is incomplete or too large; allowed: up to {LARGEST_BODY} bytes");
        ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    // A body with too large a declared size is refused before it arrives.
    if body.size_hint().lower() > LARGEST_BODY as u64 {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => {
            let message = format!("the body did not arrive in time; allowed: {} s", BODY.as_secs());
            Err(ErrorResponse::new(StatusCode::REQUEST_TIMEOUT, message))
        }
    }
}

/// The page for a request without the token.
fn page(message: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Orogen</title><body><h1>Access denied</h1><p>{message}.</p></body></html>"
    )
}
