//! Objects that depend only on results and records of shards. A missing one is created, an existing one is compared, and a damaged
//! one is replaced.

use super::Sharded;
use crate::bake::BakeError;
use crate::bake::hash::hex;
use crate::bake::object::Object;

/// Whether an object, by its name and bytes, is intact. If an intact object has other content, that is an error; a damaged one is
/// replaced.
pub(super) type IsSound<'a> = dyn Fn(&str, &[u8]) -> bool + 'a;

impl Sharded {
    /// Writes an object that must be the same from every writer. A damaged one is replaced.
    ///
    /// # Errors
    /// [`BakeError::Different`] if an intact object with other content exists, and errors of the store.
    pub(super) fn keep(&self, object: &Object, is_sound: &IsSound<'_>) -> Result<(), BakeError> {
        self.keep_all(std::slice::from_ref(object), is_sound)
    }

    /// As above, for several objects at once.
    pub(super) fn keep_all(&self, objects: &[Object], is_sound: &IsSound<'_>) -> Result<(), BakeError> {
        let made = self.make(objects)?;
        for (object, _) in objects.iter().zip(made).filter(|(_, made)| !made) {
            let there = self.read(&object.name)?.unwrap_or_default();
            if there == object.bytes {
                continue;
            }
            if is_sound(&object.name, &there) {
                return Err(self.different(&object.name, &there, &object.bytes, "by the records"));
            }
            self.replace(object)?;
        }
        Ok(())
    }

    /// Replaces a damaged object. Another process may do the same.
    pub(super) fn replace(&self, object: &Object) -> Result<(), BakeError> {
        self.remove(&object.name)?;
        if self.make(std::slice::from_ref(object))?.iter().all(|made| *made) {
            return Ok(());
        }
        let there = self.read(&object.name)?.unwrap_or_default();
        if there == object.bytes { Ok(()) } else { Err(self.different(&object.name, &there, &object.bytes, "by the records")) }
    }

    pub(super) fn different(&self, name: &str, there: &[u8], here: &[u8], by: &str) -> BakeError {
        let (one, other) = (format!("{} in the file", hex(there)), format!("{} {by}", hex(here)));
        BakeError::Different { path: self.store.path().join(name), one, other }
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), BakeError> {
        self.store.remove(name).map_err(|error| self.failed(name, error))
    }
}
