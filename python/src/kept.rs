//! Prepared values: one thread may change a value while others use it, and a forked process prepares it again.

use crate::process;
use pyo3::PyResult;
use std::sync::{Arc, PoisonError, RwLock};

/// A prepared value. Calls take a snapshot, which later changes do not affect.
pub(crate) struct Kept<T>(RwLock<Snapshot<T>>);

struct Snapshot<T> {
    process: u32,
    value: Arc<T>,
}

impl<T> Snapshot<T> {
    fn here(value: T) -> Self {
        Snapshot { process: process::id(), value: Arc::new(value) }
    }
}

impl<T: Clone> Kept<T> {
    pub(crate) fn new(value: T) -> Self {
        Kept(RwLock::new(Snapshot::here(value)))
    }

    /// The value in this process. `anew` prepares the value of another process again.
    pub(crate) fn get(&self, anew: impl FnOnce(&T) -> PyResult<T>) -> PyResult<Arc<T>> {
        let there = {
            let snapshot = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if snapshot.process == process::id() {
                return Ok(Arc::clone(&snapshot.value));
            }
            Arc::clone(&snapshot.value)
        };
        let here = Snapshot::here(anew(&there)?);
        let value = Arc::clone(&here.value);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = here;
        Ok(value)
    }

    /// Changes the value for later calls; after an error it is unchanged.
    pub(crate) fn change(&self, anew: impl FnOnce(&T) -> PyResult<T>, change: impl FnOnce(&mut T) -> PyResult<()>) -> PyResult<()> {
        self.get(anew)?;
        let mut snapshot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut value = T::clone(&snapshot.value);
        change(&mut value)?;
        *snapshot = Snapshot::here(value);
        Ok(())
    }
}
