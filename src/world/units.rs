//! Questions whose world is divided into *units*. Each unit has a part and an answer of its own, as objects of a store. Parts are joined
//! without holding all of them, and answers are read where they are needed.

/// The objects of a question's units.
pub(crate) trait Units {
    type Error;

    /// Reads the part of a unit.
    ///
    /// # Errors
    /// It is missing, or the store fails.
    fn part(&self, unit: u32) -> Result<Vec<u8>, Self::Error>;

    /// Stores the answer of a unit.
    ///
    /// # Errors
    /// The store fails.
    fn keep(&self, unit: u32, answer: &[u8]) -> Result<(), Self::Error>;

    /// The error about a unit whose part is of another kind.
    fn refuse(&self, unit: u32) -> Self::Error;
}

/// Reads the answer of a unit as bytes. An error is a reason, with what is allowed.
pub(crate) type ReadUnit = Box<dyn Fn(u32) -> Result<Vec<u8>, String> + Send + Sync>;
