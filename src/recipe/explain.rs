//! Messages about values of the wrong type.

use crate::params::{ParamType, meant, seed_advice};
use serde_json::Value;

/// Maximum number of characters of a value in a message.
const SHOWN: usize = 60;

/// Text for a value of a kind's parameter that is not allowed, with the reason if it is not only the type: `"300" is not allowed
/// (numbers stand without quotes)`.
pub(super) fn wrong(shown: &str, value: &Value, (kind, param): (&str, &str), holds: ParamType) -> String {
    let why = match (holds, value) {
        (ParamType::Number | ParamType::Whole | ParamType::Input, Value::String(text))
            if param != "seed" && text.trim().parse::<f64>().is_ok() =>
        {
            Some("numbers stand without quotes".to_owned())
        }
        (ParamType::Whole, Value::Number(number)) => number.as_f64().and_then(|x| seed_advice(kind, param, x)),
        (ParamType::Choice { words, .. }, Value::String(word)) => {
            let told = meant::instead(word, words.iter().copied());
            told.split_once("? allowed").map(|(question, _)| format!("{question}?"))
        }
        (ParamType::Pair | ParamType::Vector, Value::Array(items)) => Some(format!("{} values", items.len())),
        (_, Value::Array(items)) => fields(holds).and_then(|names| items.iter().enumerate().find_map(|(i, item)| point(i, item, names))),
        (_, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => None,
    };
    format!("{} is not allowed{}", cut(shown), why.map_or_else(String::new, |why| format!(" ({why})")))
}

/// The fields of a point, and the number of required ones.
fn fields(holds: ParamType) -> Option<(&'static [&'static str], usize)> {
    match holds {
        ParamType::ControlPoints => Some((&["at", "value", "slope_in", "slope_out"], 2)),
        ParamType::QuantilePoints => Some((&["probability", "value"], 2)),
        ParamType::ColourStops => Some((&["at", "colour"], 2)),
        ParamType::RadialPoints => Some((&["frequency", "amplitude"], 2)),
        ParamType::Number
        | ParamType::Whole
        | ParamType::Flag
        | ParamType::Pair
        | ParamType::Vector
        | ParamType::Numbers
        | ParamType::Vectors
        | ParamType::Input
        | ParamType::File
        | ParamType::Hash
        | ParamType::Choice { .. } => None,
    }
}

/// The error in a point of a list; `None` if the point is valid.
fn point(index: usize, item: &Value, (names, needed): (&[&str], usize)) -> Option<String> {
    let (first, second) = (names[0], names[1]);
    let fits = |name: &str, value: &Value| if name == "colour" { value.is_string() } else { value.is_number() };
    let kind = |name: &str| if name == "colour" { "a colour, \"#RRGGBB\"" } else { "a number" };
    let wrong = |name: &str, value: &Value| format!("point {index}: {name} = {} is not {}", cut(&value.to_string()), kind(name));
    match item {
        Value::Array(pair) => match &pair[..] {
            [a, _] if !fits(first, a) => Some(wrong(first, a)),
            [_, b] if !fits(second, b) => Some(wrong(second, b)),
            [_, _] => None,
            _ => Some(format!("point {index} has {} values; allowed: [{first}, {second}] or {}", pair.len(), table(names, needed))),
        },
        Value::Object(given) => {
            if let Some(name) = given.keys().find(|name| !names.contains(&name.as_str())) {
                return Some(format!("point {index}: unknown field '{name}'; {}", meant::instead(name, names.iter().copied())));
            }
            if let Some(name) = names[..needed].iter().find(|name| !given.contains_key(**name)) {
                return Some(format!("point {index}: {name} is missing"));
            }
            given.iter().find(|(name, value)| !fits(name, value)).map(|(name, value)| wrong(name, value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Some(format!("point {index} is {}; allowed: [{first}, {second}] or {}", cut(&item.to_string()), table(names, needed)))
        }
    }
}

/// A point as a table: `{ at, value, slope_in, slope_out }`.
fn table(names: &[&str], needed: usize) -> String {
    let optional = if needed < names.len() { format!(" ({} may be left out)", names[needed..].join(" and ")) } else { String::new() };
    format!("{{ {} }}{optional}", names.join(", "))
}

/// A value on one line, truncated if it is too long.
pub(super) fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain("…".chars()).collect() }
}

/// An error of the TOML parser in plain words.
pub(super) fn toml(message: &str) -> String {
    const VALUE: &str = "a number, true, false, \"text in quotes\", [a, list] or { a = \"table\" }; there is no arithmetic";
    // Removes the parser's list of expected tokens.
    let what = message.split_once(", expected ").map_or(message, |(what, _)| what);
    match what {
        "duplicate key" => "this name stands here twice; allowed: once".to_owned(),
        "string values must be quoted" => format!("not a value; allowed: {VALUE}"),
        "invalid key-value pair" | "key with no value" | "invalid unquoted key" => {
            "not a line of TOML; allowed: name = value, [a.table] or # a comment".to_owned()
        }
        "missing value for key" | "missing value" => format!("a value is missing; allowed: {VALUE}"),
        "unclosed array" => "the list is not closed; allowed: ] at its end".to_owned(),
        "unclosed table" | "unclosed array table" => "the name of the table is not closed; allowed: [name]".to_owned(),
        "unclosed inline table" => "the table is not closed; allowed: } at its end".to_owned(),
        "missing comma between array elements" => "a comma is missing in the list; allowed: [1, 2, 3]".to_owned(),
        "extra comma in array" => "a comma too many in the list; allowed: [1, 2, 3]".to_owned(),
        "missing opening quote" => "a quote is missing; allowed: \"text\"".to_owned(),
        "carriage return must be followed by newline" => {
            "a carriage return stands alone; allowed: lines that end with LF or CR LF".to_owned()
        }
        "invalid boolean" | "invalid value" => format!("not a value; allowed: {VALUE}"),
        what if what.starts_with("invalid") && what.ends_with("string") => {
            "text in quotes with a character that cannot stand there; allowed: \\n, \\t, \\\" and \\u00e4 for such characters".to_owned()
        }
        "unexpected leading zero" => "a number begins with a zero too many; allowed: 1 or 0.1".to_owned(),
        "unexpected sign" => "a sign too many; allowed: -1 or +1".to_owned(),
        what => what.to_owned(),
    }
}

/// An error of the JSON parser in plain words, without its place.
pub(super) fn json(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.rsplit_once(" at line ").map_or(&message[..], |(what, _)| what);
    match what {
        "expected value" => "a value is missing here; allowed: a number, true, false, \"text\", [a list] or { a table }".to_owned(),
        "expected ident" => "not a value; allowed: a number, true, false, \"text\", [a list] or { a table }".to_owned(),
        "trailing characters" => "something follows the end of the recipe; allowed: nothing".to_owned(),
        "trailing comma" => "a comma too many".to_owned(),
        "key must be a string" => "a name without quotes; allowed: \"name\": value".to_owned(),
        "recursion limit exceeded" => "tables lie too deep in each other".to_owned(),
        what if error.is_eof() => {
            format!("the text ends too early{}", what.strip_prefix("EOF while parsing").map_or("", |_| ": something is not closed"))
        }
        what => what.strip_prefix("expected ").map_or(what.to_owned(), |mark| format!("something is missing here; allowed: {mark}")),
    }
}
