//! What happens, told as it happens to pages and renderers.

use super::Studio;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender};

/// Messages that may wait for one who is slow; beyond them he misses the oldest.
const WAITING: usize = 256;

/// Those who listen.
pub struct Live(Sender<Arc<str>>);

impl Live {
    pub fn new() -> Self {
        Live(Sender::new(WAITING))
    }

    /// Tells everybody.
    pub fn send(&self, message: &Value) {
        // Nobody may be listening.
        let _ = self.0.send(message.to_string().into());
    }
}

/// `GET /live`.
pub async fn live(State(studio): State<Arc<Studio>>, upgrade: WebSocketUpgrade) -> Response {
    let messages = studio.live.0.subscribe();
    upgrade.max_message_size(1 << 22).on_upgrade(move |socket| talk(studio, socket, messages))
}

async fn talk(studio: Arc<Studio>, mut socket: WebSocket, mut messages: Receiver<Arc<str>>) {
    loop {
        let sent = tokio::select! {
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => {
                    hear(&studio, text.as_str());
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
fn hear(studio: &Studio, text: &str) {
    let Ok(message) = serde_json::from_str::<Value>(text) else { return };
    if let Some(text) = message.pointer("/work/text").and_then(Value::as_str) {
        studio.works_on(text);
    }
}
