//! Whether a client still waits, and how urgent its request is.

use crate::refusal::Refusal;
use orogen::Stop;

/// Priority of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Before all others.
    #[default]
    Normal,
    /// Small pictures, and prefetching.
    Low,
}

/// Whether the client still waits.
#[derive(Clone, Debug, Default)]
pub struct Waits(Stop);

impl Waits {
    /// Stops long work when the client disconnects.
    pub fn stop(&self) -> &Stop {
        &self.0
    }

    /// Returns an error if the client disconnected.
    ///
    /// # Errors
    /// Status 408.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.0.is_stopped() { Err(Refusal::new(Refusal::TIMEOUT, "the client has disconnected")) } else { Ok(()) }
    }
}
