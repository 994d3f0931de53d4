//! Positions in a recipe's text.

use indexmap::IndexMap;
use std::fmt;

/// The position of an error in a recipe's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The name of the file, as given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The path of the part: `["node", "hills", "octaves"]`, `["bake", "tile"]`, `["output"]`. Empty outside of tables.
    pub path: Vec<String>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Location {
    /// The first character.
    pub(super) fn start(file: &str) -> Self {
        Location { file: file.to_owned(), line: 1, column: 1, path: Vec::new() }
    }

    /// The character at an offset in bytes.
    pub(super) fn of(file: &str, text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Location { line, column, ..Location::start(file) }
    }
}

/// The byte range to which a path leads in TOML; if it does not exist completely, of its longest existing part.
pub(super) fn in_toml(text: &str, path: &[&str]) -> Option<usize> {
    let root = toml::de::DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    let mut found = None;
    for name in path {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else { break };
        found = Some(key.span().start);
        let Some(inner) = value.get_ref().as_table() else { break };
        table = inner;
    }
    found
}

/// The same in JSON.
pub(super) fn in_json(text: &str, path: &[&str]) -> Option<usize> {
    // Raw values borrow from the text, so their addresses give their positions.
    let mut inner = text;
    let mut found = None;
    for name in path {
        let fields: IndexMap<String, &serde_json::value::RawValue> = serde_json::from_str(inner).ok()?;
        let Some(value) = fields.get(*name) else { break };
        inner = value.get();
        found = Some(inner.as_ptr() as usize - text.as_ptr() as usize);
    }
    found
}
