//! The format of an output file, by the ending of its name. Each verb has one list of its endings.

use super::exit::{Failure, USAGE};
use std::path::Path;

/// The format that an ending stands for, out of a verb's list of endings and formats.
///
/// # Errors
/// Another ending, or none: the message names it and the allowed ones.
pub fn format<T>(path: &Path, formats: impl IntoIterator<Item = (&'static str, T)>) -> Result<T, Failure> {
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_ascii_lowercase());
    let mut allowed = Vec::new();
    for (name, format) in formats {
        if name == ending {
            return Ok(format);
        }
        allowed.push(format!(".{name}"));
    }
    let ending = if ending.is_empty() { "a name without an ending".to_owned() } else { format!("the ending .{ending}") };
    let allowed = allowed.join(", ");
    Err(Failure::message(USAGE, format!("-o {}: {ending} is not allowed; allowed: {allowed}", path.display())))
}
