//! What nodes and stages may be called. Names come from files of anyone's, and go into other files, kernels' comments and terminals.

/// What [`is_name`] allows.
pub(crate) const NAMES: &str = "1 to 128 bytes of text without '/', '\\', ',', control characters, line breaks or marks of direction";

/// Bytes of the longest.
pub(crate) const LONGEST_NAME: usize = 128;

/// Whether a node or stage may be called so.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && !name.contains(|c| is_harmful(c) || c == '/' || c == ',')
}

/// Whether a character can end a comment, control a terminal, or make text look like another.
pub(crate) fn is_harmful(c: char) -> bool {
    let breaks = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\\');
    // Invisible characters and those that turn the direction of writing.
    let turns = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    c.is_control() || breaks || turns
}
