//! SIGINT and SIGTERM: the first lets tiles, maps and shards in hand be finished, the second ends at once; so does the first
//! where nothing of that kind goes on.

use super::exit::{Failure, UNEXPECTED};
use super::out::say;
use std::sync::atomic::{AtomicBool, Ordering};

/// A bake is going on, which looks whether it is to stop.
static BAKES: AtomicBool = AtomicBool::new(false);
static STOPS: AtomicBool = AtomicBool::new(false);

/// From here on signals end the command with a code of its own.
///
/// # Errors
/// The system has no room for a handler.
pub fn watch(code: u8) -> Result<(), Failure> {
    let handler = move || {
        let again = STOPS.swap(true, Ordering::SeqCst);
        if again || !BAKES.load(Ordering::SeqCst) {
            say("orogen: stopped");
            std::process::exit(i32::from(code));
        }
        say("orogen: stopping; a second signal ends at once");
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(UNEXPECTED, error))
}

/// A bake begins or ends.
pub fn bakes(now: bool) {
    BAKES.store(now, Ordering::SeqCst);
}

/// Whether it is to stop.
pub fn stops() -> bool {
    STOPS.load(Ordering::SeqCst)
}
