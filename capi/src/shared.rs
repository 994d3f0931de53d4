//! A value that threads read while another changes it.

use crate::status::Fault;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Readers take the value as it stands and keep it for as long as they need it; a change makes another one, and waits for no reader.
pub(crate) struct Shared<T> {
    value: RwLock<Arc<T>>,
    /// Whoever changes it: one after the other.
    changing: Mutex<()>,
}

impl<T: Clone> Shared<T> {
    pub fn new(value: T) -> Self {
        Shared { value: RwLock::new(Arc::new(value)), changing: Mutex::new(()) }
    }

    /// The value as it stands.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.value.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another one in its place, unless that fails.
    pub fn change(&self, change: impl FnOnce(&mut T) -> Result<(), Fault>) -> Result<(), Fault> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut value = T::clone(&self.get());
        change(&mut value)?;
        *self.value.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
        Ok(())
    }
}
