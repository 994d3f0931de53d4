//! The named numbers of a recipe, and expressions of them.

use super::expression::{Expression, ExpressionError, Named, is_variable};
use super::include;
use super::raw::Raw;
use super::read::RecipeText;
use super::{RecipeError, explain};
use crate::params::{ParamType, Setting, meant, short};
use indexmap::IndexMap;
use std::collections::HashSet;

/// Maximum number of variables of a recipe.
const MOST: usize = 256;
/// The largest whole number that an expression can result in: larger ones are not exact.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;
/// The forms of a variable, for messages.
const FORMS: &str = "allowed: a number, an expression in quotes, or { value, range, description }";

/// A named number of a recipe, for the expressions of its numbers.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Variable {
    /// The value.
    pub value: f64,
    /// The smallest and the largest allowed value; `None` for any number.
    pub range: Option<[f64; 2]>,
    /// A description for people.
    pub description: String,
    /// The expression of other variables that the value comes from.
    pub expression: Option<String>,
}

/// Values given to variables from outside, by name.
pub(super) type Given = IndexMap<String, Setting>;

/// Given values that no variable takes.
#[derive(Default)]
pub(super) struct NotTaken {
    /// Names of variables that do not accept theirs, with messages.
    pub refused: Vec<(String, String)>,
    /// Names that are not those of variables.
    pub unknown: Vec<String>,
}

/// The variables that expressions can name.
#[derive(Default)]
pub(super) struct Scope {
    /// `None`: a variable with an error.
    variables: IndexMap<String, Option<Variable>>,
    /// Names of rows that begin with `=`, which are not expressions.
    rows: HashSet<String>,
}

/// A parameter's value after its expressions.
pub(super) enum Evaluated {
    /// Without expressions.
    AsWritten(Raw),
    /// With numbers for its expressions, and the text of the expression if it is one as a whole.
    Numbers(Raw, Option<String>),
    /// It depends on a variable with an error.
    Faulty,
}

/// A variable as written.
struct Entry {
    source: Source,
    range: Option<[f64; 2]>,
    description: String,
}

enum Source {
    Number(f64),
    Expression(String, Expression),
    Faulty,
}

impl Entry {
    fn faulty() -> Self {
        Entry { source: Source::Faulty, range: None, description: String::new() }
    }
}

impl RecipeText<'_> {
    /// Reads the table of variables. `given` replaces values; those that are not taken are returned.
    pub(super) fn variables(&self, table: Option<Raw>, given: &Given, wrong: &mut Vec<RecipeError>) -> (Scope, NotTaken) {
        let mut mistake = |name: &str, message: String| self.push(wrong, &["variables", name], || message);
        let rows = match table.map(Raw::table) {
            None => Vec::new(),
            Some(Ok(table)) => table.into_entries(),
            Some(Err(value)) => {
                mistake("", format!("variables = {} is not allowed; allowed: a table, [variables]", explain::cut(&value.shown())));
                Vec::new()
            }
        };
        if rows.len() > MOST {
            mistake("", format!("{} variables; allowed: up to {MOST}", rows.len()));
        }
        let mut entries = IndexMap::new();
        for (name, value) in rows.into_iter().take(MOST) {
            let entry = if !is_variable(&name) || name == "kind" || include::FIELDS.contains(&name.as_str()) {
                mistake(
                    &name,
                    format!(
                        "a variable cannot be called '{name}'; allowed: a letter, then up to 63 letters, digits and _, other than names of \
                         functions, pi, kind, {}",
                        include::FIELDS.join(", ")
                    ),
                );
                Entry::faulty()
            } else {
                entry(&name, value).unwrap_or_else(|message| {
                    mistake(&name, message);
                    Entry::faulty()
                })
            };
            entries.insert(name, entry);
        }
        let mut not_taken = NotTaken::default();
        let refused = &mut not_taken.refused;
        for (name, setting) in given {
            let Some(entry) = entries.get_mut(name) else {
                not_taken.unknown.push(name.clone());
                continue;
            };
            entry.source = given_source(name, setting).unwrap_or_else(|message| {
                refused.push((name.clone(), message));
                Source::Faulty
            });
        }
        let scope = resolve(&entries, &mut |name, message| {
            if given.contains_key(name) { refused.push((name.to_owned(), message)) } else { mistake(name, message) }
        });
        (scope, not_taken)
    }
}

/// A variable as written; or a message.
fn entry(name: &str, value: Raw) -> Result<Entry, String> {
    let mut fields = match value.table() {
        Ok(fields) => fields,
        Err(value) => return Ok(Entry { source: source(name, &value)?, range: None, description: String::new() }),
    };
    let Some(value) = fields.remove("value") else { return Err(format!("variable '{name}': value is missing; {FORMS}")) };
    let source = source(name, &value)?;
    let range = match fields.remove("range") {
        None => None,
        Some(range) => {
            let read = range.read::<[f64; 2]>().filter(|[lo, hi]| lo.is_finite() && hi.is_finite() && lo <= hi);
            let shown = || explain::cut(&range.shown());
            Some(read.ok_or_else(|| format!("variable '{name}': range = {} is not allowed; allowed: [smallest, largest]", shown()))?)
        }
    };
    let description = match fields.remove("description") {
        None => String::new(),
        Some(text) => text.read().ok_or_else(|| {
            format!("variable '{name}': description = {} is not allowed; allowed: text in quotes", explain::cut(&text.shown()))
        })?,
    };
    match fields.keys().first() {
        Some(extra) => {
            let instead = meant::instead(extra, ["value", "range", "description"]);
            Err(format!("variable '{name}': unknown field '{extra}'; {instead}"))
        }
        None => Ok(Entry { source, range, description }),
    }
}

/// The value of a variable as written.
fn source(name: &str, value: &Raw) -> Result<Source, String> {
    match (value.read::<f64>().filter(|x| x.is_finite()), value.text()) {
        (Some(x), _) => Ok(Source::Number(x)),
        (None, Some(text)) => expression(name, text),
        (None, None) => Err(format!("variable '{name}' = {} is not allowed; {FORMS}", explain::cut(&value.shown()))),
    }
}

fn expression(name: &str, text: &str) -> Result<Source, String> {
    let refused = |why: String| format!("variable '{name}' = {:?} is not allowed ({why})", explain::cut(text));
    if is_number(text) {
        return Err(refused("numbers stand without quotes".to_owned()));
    }
    Ok(Source::Expression(text.to_owned(), Expression::parse(text).map_err(|error| refused(error.to_string()))?))
}

/// The value of a variable as given from outside.
fn given_source(name: &str, setting: &Setting) -> Result<Source, String> {
    match setting {
        Setting::Number(x) if x.is_finite() => Ok(Source::Number(*x)),
        Setting::Integer(x) => Ok(Source::Number(*x as f64)),
        Setting::Word(text) => expression(name, text),
        other => Err(format!("variable '{name}' = {other:?} is not allowed; allowed: a number, or an expression in quotes")),
    }
}

/// Whether text is a number in quotes.
fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok()
}

/// Computes every variable, those first that others name.
fn resolve(entries: &IndexMap<String, Entry>, mistake: &mut dyn FnMut(&str, String)) -> Scope {
    let mut left: Vec<&str> = entries.keys().map(String::as_str).collect();
    let mut scope = Scope::default();
    while !left.is_empty() {
        let waits = |scope: &Scope, name: &str| match &entries[name].source {
            Source::Expression(_, expression) => {
                expression.names().find(|named| entries.contains_key(*named) && !scope.variables.contains_key(*named)).map(str::to_owned)
            }
            Source::Number(_) | Source::Faulty => None,
        };
        let before = left.len();
        left.retain(|name| {
            if waits(&scope, name).is_some() {
                return true;
            }
            let variable = compute(&scope, name, &entries[*name]).unwrap_or_else(|message| {
                mistake(name, message);
                None
            });
            scope.variables.insert((*name).to_owned(), variable);
            false
        });
        if left.len() == before {
            // Each waits for another one, so following them leads into a circle.
            let mut circle = vec![left[0].to_owned()];
            while let Some(next) = circle.last().and_then(|last| waits(&scope, last)) {
                let start = circle.iter().position(|name| *name == next);
                circle.push(next);
                if let Some(start) = start {
                    circle.drain(..start);
                    break;
                }
            }
            mistake(&circle[0], format!("variables depend on each other: {}", circle.join(" → ")));
            scope.variables.extend(left.iter().map(|name| ((*name).to_owned(), None)));
            break;
        }
    }
    scope.variables.sort_by_key(|name, _| entries.get_index_of(name));
    scope
}

/// A variable's value; `None` if it depends on one with an error.
fn compute(scope: &Scope, name: &str, entry: &Entry) -> Result<Option<Variable>, String> {
    let (value, text) = match &entry.source {
        Source::Faulty => return Ok(None),
        Source::Number(x) => (*x, None),
        Source::Expression(text, expression) => {
            let refused = |error: ExpressionError| format!("variable '{name}' = {:?} is not allowed ({error})", explain::cut(text));
            match expression.value(|named| scope.named(named)).map_err(refused)? {
                Some(x) => (x, Some(text.clone())),
                None => return Ok(None),
            }
        }
    };
    if let Some([lo, hi]) = entry.range.filter(|[lo, hi]| !(*lo..=*hi).contains(&value)) {
        return Err(format!("variable '{name}' = {} is not allowed; allowed: {} to {}", short(value), short(lo), short(hi)));
    }
    Ok(Some(Variable { value, range: entry.range, description: entry.description.clone(), expression: text }))
}

impl Scope {
    /// The variables without errors.
    pub(super) fn into_variables(self) -> IndexMap<String, Variable> {
        self.variables.into_iter().filter_map(|(name, variable)| Some((name, variable?))).collect()
    }

    /// Rows of these names can be inputs, although a name begins with `=`.
    pub(super) fn add_rows(&mut self, names: Vec<String>) {
        self.rows.extend(names.into_iter().filter(|name| is_marked(name)));
    }

    fn named(&self, name: &str) -> Named {
        match self.variables.get(name) {
            Some(Some(variable)) => Named::Value(variable.value),
            Some(None) => Named::Faulty,
            None if self.variables.is_empty() => Named::Unknown("the recipe has no [variables]".to_owned()),
            None => Named::Unknown(meant::instead(name, self.variables.keys().map(String::as_str))),
        }
    }

    /// The value of an expression; `None` if it depends on a variable with an error.
    fn number(&self, text: &str) -> Result<Option<f64>, ExpressionError> {
        Expression::parse(text)?.value(|name| self.named(name))
    }

    /// A parameter's value with numbers in place of its expressions; or a message.
    pub(super) fn evaluate(&self, mut value: Raw, holds: ParamType) -> Result<Evaluated, String> {
        let whole = match holds {
            ParamType::Number => false,
            ParamType::Whole => true,
            // Other text is the name of a row.
            ParamType::Input if value.text().is_some_and(|text| is_marked(text) && !self.rows.contains(text)) => false,
            ParamType::Pair
            | ParamType::Vector
            | ParamType::Numbers
            | ParamType::Vectors
            | ParamType::ControlPoints
            | ParamType::QuantilePoints
            | ParamType::RadialPoints
            | ParamType::ColourStops
                if value.text().is_none() =>
            {
                return self.evaluate_list(value, holds == ParamType::ColourStops);
            }
            _ => return Ok(Evaluated::AsWritten(value)),
        };
        // Numbers in quotes have a message of their own, and digits are seeds.
        let Some(text) = value.text().filter(|text| !is_number(text)).map(str::to_owned) else { return Ok(Evaluated::AsWritten(value)) };
        let refused = |why: String| format!("{:?} is not allowed ({why})", explain::cut(&text));
        let Some(x) = self.number(&text).map_err(|error| refused(error.to_string()))? else { return Ok(Evaluated::Faulty) };
        if whole && !(x.fract() == 0.0 && x.abs() <= LARGEST_WHOLE) {
            return Err(refused(format!("it is {}, which is not a whole number; round(), floor() and ceil() make one", short(x))));
        }
        value = value.number(x, whole);
        Ok(Evaluated::Numbers(value, Some(text)))
    }

    /// A list with numbers in place of its expressions. In lists that also hold text, these begin with `=`.
    fn evaluate_list(&self, mut value: Raw, holds_text: bool) -> Result<Evaluated, String> {
        let (mut is_faulty, mut found) = (false, false);
        value.replace_texts(&mut |text| {
            // Numbers in quotes have a message of their own.
            if is_number(text) || (holds_text && !is_marked(text)) {
                return Ok(None);
            }
            found = true;
            let x = self.number(text).map_err(|error| format!("{:?} is not allowed ({error})", explain::cut(text)))?;
            is_faulty |= x.is_none();
            Ok::<_, String>(x)
        })?;
        Ok(if is_faulty {
            Evaluated::Faulty
        } else if found {
            Evaluated::Numbers(value, None)
        } else {
            Evaluated::AsWritten(value)
        })
    }
}

/// Whether text begins as an expression in the place of a name.
fn is_marked(text: &str) -> bool {
    text.trim_start().starts_with('=')
}
