//! A value that threads read while another changes it.

use crate::status::Fault;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Readers take a snapshot and keep it as long as they need it. A change replaces the value and does not wait for readers.
pub(crate) struct Shared<T> {
    value: RwLock<Arc<T>>,
    /// Held during a change, so that changes run one after the other.
    changing: Mutex<()>,
}

impl<T: Clone> Shared<T> {
    pub fn new(value: T) -> Self {
        Shared { value: RwLock::new(Arc::new(value)), changing: Mutex::new(()) }
    }

    /// A snapshot of the value.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.value.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the value by a changed copy, unless the change fails.
    pub fn change(&self, change: impl FnOnce(&mut T) -> Result<(), Fault>) -> Result<(), Fault> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut value = T::clone(&self.get());
        change(&mut value)?;
        *self.value.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
        Ok(())
    }
}
