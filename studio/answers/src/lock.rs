//! Locks of the studio's state.

use std::sync::{Mutex, PoisonError};

/// Data under these locks is consistent even if a thread panicked, because no change is made in several steps.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
