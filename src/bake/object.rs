//! Objects: names with contents.

/// An object to write.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name, with the folders before it.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}
