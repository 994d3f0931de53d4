//! Live events for pages and renderers.

use super::Studio;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use orogen_studio::{LARGEST, Waits, lock};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender};

/// Queue length per subscriber; a slower subscriber misses the oldest messages.
const WAITING: usize = 256;

/// The subscribers.
pub struct Live {
    sender: Sender<Arc<str>>,
    pages: AtomicU64,
}

/// Identifies the page that caused an event: the number from its greeting, in the header `X-Orogen-Page`.
pub type Page = Option<u64>;

/// The page that sent a request.
pub fn page(headers: &HeaderMap) -> Page {
    headers.get("x-orogen-page")?.to_str().ok()?.parse().ok()
}

impl Live {
    pub fn new() -> Self {
        Live { sender: Sender::new(WAITING), pages: AtomicU64::new(0) }
    }

    /// Sends a message to all subscribers.
    pub fn send(&self, message: &Value) {
        // There may be no subscribers.
        let _ = self.sender.send(message.to_string().into());
    }
}

#[derive(Debug, Deserialize)]
pub struct Asked {
    /// For a renderer: sends the current recipe first.
    #[serde(default)]
    follow: bool,
}

/// `GET /live`.
pub async fn live(State(studio): State<Arc<Studio>>, Query(Asked { follow }): Query<Asked>, upgrade: WebSocketUpgrade) -> Response {
    let messages = studio.live.sender.subscribe();
    upgrade.max_message_size(3 * LARGEST).on_upgrade(move |socket| talk(studio, socket, messages, follow))
}

async fn talk(studio: Arc<Studio>, mut socket: WebSocket, mut messages: Receiver<Arc<str>>, follow: bool) {
    let page = studio.live.pages.fetch_add(1, Ordering::Relaxed);
    if !follow && socket.send(Message::Text(json!({ "hello": { "page": page } }).to_string().into())).await.is_err() {
        return;
    }
    let work = lock(&studio.work).as_ref().map(|work| work.told(None)).filter(|_| follow);
    if let Some(told) = work
        && socket.send(Message::Text(told.to_string().into())).await.is_err()
    {
        return;
    }
    loop {
        let sent = tokio::select! {
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => {
                    // A recipe may read files.
                    tokio::task::block_in_place(|| hear(&studio, text.as_str(), page));
                    Ok(())
                }
                Some(Ok(_)) => Ok(()),
                Some(Err(_)) | None => return,
            },
            message = messages.recv() => match message {
                Ok(text) => socket.send(Message::Text(text.as_ref().into())).await,
                Err(RecvError::Lagged(_)) => Ok(()),
                Err(RecvError::Closed) => return,
            },
        };
        if sent.is_err() {
            return;
        }
    }
}

/// A page's recipe changed.
fn hear(studio: &Studio, text: &str, page: u64) {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return };
    if let Some(text) = message["work"]["text"].as_str()
        && let Ok(known) = studio.read(text, &Waits::default())
    {
        studio.works_on(&known, text, &[], Some(page));
    }
}
