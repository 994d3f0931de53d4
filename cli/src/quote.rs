//! A text as a literal of the languages that submissions are written in: whatever it holds, it stays one word.

/// A word of bash.
pub fn shell(text: &str) -> String {
    if !text.contains(|c: char| c.is_control()) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    // Standard output replaces what would control a terminal: here it is written in escapes.
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

/// A word of a command line, quoted where it has to be.
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
            // Both languages have these escapes; JSON's pairs of surrogates are not in YAML.
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

/// A word of a container's command, as Kubernetes takes it: it replaces `$(NAME)` itself, and `$$` by `$`.
pub fn kubernetes(text: &str) -> String {
    escaped(&text.replace('$', "$$"))
}

/// A string of JSON.
pub fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
