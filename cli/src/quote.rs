//! Quotes text as a literal in the languages of submissions: any text stays one word.

/// A word of bash.
pub fn shell(text: &str) -> String {
    if !text.contains(|c: char| c.is_control()) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    // Standard output replaces control characters, so they are written as escapes.
    let mut quoted = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| quoted += &format!("\\x{byte:02x}")),
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

/// A word of a command line, quoted if necessary.
pub fn word(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c));
    if plain { text.to_owned() } else { shell(text) }
}

/// A string of YAML, and of Python, in printable ASCII.
pub fn escaped(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            // Both languages have these escapes; the surrogate pairs of JSON are not valid in YAML.
            _ => {
                quoted += &match u32::from(c) {
                    code @ ..=0xff => format!("\\x{code:02x}"),
                    code @ ..=0xffff => format!("\\u{code:04x}"),
                    code => format!("\\U{code:08x}"),
                }
            }
        }
    }
    quoted + "\""
}

/// A word of a container's command for Kubernetes, which expands `$(NAME)` itself and replaces `$$` by `$`.
pub fn kubernetes(text: &str) -> String {
    escaped(&text.replace('$', "$$"))
}

/// A string of JSON.
pub fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
