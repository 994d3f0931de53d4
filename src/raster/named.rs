//! The name of heights in a recipe: a file, the storage of its numbers, and its hash.

use super::{Heights, HeightsError};
use crate::codec::{Declared, HeightEncoding, HeightsFacts};
use crate::params::{Allowed, Param, ParamType, Setting};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::path::Path;

/// A file of heights that a node names, and the storage of its numbers if the file does not state it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HeightsFile {
    /// The name in the recipe.
    pub name: String,
    /// The storage of the numbers.
    pub encoding: HeightEncoding,
    /// Samples per row of a file without a header; `None` for a square.
    pub columns: Option<u32>,
}

impl HeightsFile {
    /// A file whose format determines the storage of its numbers.
    pub fn new(name: impl Into<String>) -> Self {
        HeightsFile { name: name.into(), encoding: HeightEncoding::File, columns: None }
    }

    /// Checks the name's ending and the encoding, without reading the file.
    ///
    /// # Errors
    /// Returns an error if the ending of the name is unknown, or if the encoding does not suit it.
    pub fn check(&self) -> Result<(), HeightsError> {
        HeightsFacts::of(&self.name).and_then(|format| format.check(self.declared())).map_err(HeightsError::Format)
    }

    /// Reads the file from a folder. An absolute name does not depend on the folder.
    ///
    /// # Errors
    /// Returns an error if:
    /// - the ending of the name is unknown, or the encoding does not suit it
    /// - the file cannot be read, or is not a regular file
    /// - the file is larger than [`limits::HEIGHTS`](crate::limits::HEIGHTS)
    /// - the file does not hold heights
    pub fn read(&self, folder: impl AsRef<Path>) -> Result<Heights, HeightsError> {
        Heights::load(&folder.as_ref().join(&self.name), self.declared())
    }

    /// Reads heights from the bytes of the file.
    ///
    /// # Errors
    /// Returns an error if the ending of the name is unknown, the encoding does not suit it, or the bytes do not hold heights.
    pub fn decode(&self, bytes: &[u8]) -> Result<Heights, HeightsError> {
        Heights::decode(&self.name, bytes, self.declared())
    }

    /// [`Heights::key`] of a file with this hash.
    #[cfg(feature = "bake")]
    pub(crate) fn key(&self, digest: Digest) -> String {
        super::key(digest, self.declared())
    }

    pub(super) fn declared(&self) -> Declared {
        Declared { encoding: self.encoding, columns: self.columns }
    }
}

/// The SHA-256 hash of a file, or of numbers from memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    pub(super) fn of(hash: impl Into<[u8; 32]>) -> Self {
        Digest(hash.into())
    }
}

impl Serialize for Heights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Heights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(if name.is_empty() { Heights::default() } else { Heights::file(name) })
    }
}

impl Param for Heights {
    const TYPE: ParamType = ParamType::File;

    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        let Setting::Word(name) = setting else { return None };
        Some(if name.is_empty() { Heights::default() } else { Heights::file(name.clone()) })
    }
    fn setting(&self) -> Option<Setting> {
        (!self.is_missing()).then(|| Setting::Word(self.name()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is not a hash");
        let digits =
            Some(text.as_bytes()).filter(|digits| digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit)).ok_or_else(wrong)?;
        let digit = |byte: u8| char::from(byte).to_digit(16).expect("invariant: all bytes are hexadecimal digits") as u8;
        let mut digest = [0; 32];
        for (byte, two) in digest.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(two[0]) << 4 | digit(two[1]);
        }
        Ok(Digest(digest))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Param for Digest {
    const TYPE: ParamType = ParamType::Hash;

    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        if let Setting::Word(word) = setting { word.parse().ok() } else { None }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Word(self.to_string()))
    }
}

/// Their type in the JSON Schema: text.
#[cfg(feature = "schema")]
mod schema {
    use super::{Digest, Heights};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for Heights {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Heights".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string" })
        }
    }

    impl JsonSchema for Digest {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            "Digest".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "pattern": "^[0-9a-fA-F]{64}$" })
        }
    }
}
