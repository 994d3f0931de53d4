//! Allowed names of nodes and stages. Names come from untrusted files, and go into other files, comments of kernels and
//! terminals.

/// Description of the names accepted by [`is_name`].
pub(crate) const NAMES: &str = "1 to 128 bytes of text without '/', '\\', ',', control characters, line breaks or direction marks";

/// Maximum length in bytes.
pub(crate) const LONGEST_NAME: usize = 128;

/// Whether a name is allowed.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && !name.contains(|c| is_harmful(c) || c == '/' || c == ',')
}

/// Whether a character can end a comment, control a terminal, or imitate other text.
pub(crate) fn is_harmful(c: char) -> bool {
    let breaks = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\\');
    // Invisible characters, and those that change the writing direction.
    let turns = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    c.is_control() || breaks || turns
}
