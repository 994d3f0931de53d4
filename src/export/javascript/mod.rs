//! Writes an export as a module of JavaScript, from naga's form of its WGSL.
//!
//! Every number is one number of JavaScript: a vector or structure becomes one variable per number, so nothing is allocated.
//! `Math.fround` rounds each operation on f32 as a processor does, so the bits are those of the CPU.
//!
//! | WGSL | JavaScript |
//! |---|---|
//! | a function | a function with one argument per number |
//! | a result of several numbers | the numbers in the array `results`, read right after the call |
//! | a table | an array of words, and views of it as f32, u32 or i32 |

mod body;
mod value;

use crate::export::Table;
use body::Written;
use naga::valid::ModuleInfo;
use naga::{Function, Handle, Module, Scalar, ScalarKind, Type, TypeInner};
use std::collections::HashMap;
use std::fmt::Write;

/// A module of the functions `PREFIX_value(x, y, z)` and `PREFIX_jet(x, y, z)`.
///
/// # Errors
/// Returns the name of what it does not translate: a bug in Orogen.
pub fn to_javascript(module: &Module, info: &ModuleInfo, tables: &[Table], prefix: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut most_results = 4;
    let mut read = HashMap::new();
    // Functions come after those that they call.
    for (handle, function) in module.functions.iter() {
        if let Some(result) = &function.result {
            most_results = most_results.max(scalars(module, result.ty)?.len());
        }
        let context = Context { module, tables, prefix, read: &read };
        let written = Written::new(context, function, &info[handle])?;
        text.push_str(&written.text);
        read.insert(handle, written.read);
    }
    let mut head = PRELUDE.replace("COUNT", &most_results.to_string());
    for table in tables {
        head.push('\n');
        head.push_str(&of_table(table, prefix, &text));
    }
    let copied: String = (0..4).map(|i| format!("    jet[{i}] = results[{i}];\n")).collect();
    let rounded = "fround(x), fround(y), fround(z)";
    Ok(format!(
        "{head}\n{text}\
         /** The noise at a position. @type {{(x: number, y: number, z: number) => number}} */\n\
         export function {prefix}_value(x, y, z) {{\n    return {prefix}_value_of({rounded});\n}}\n\n\
         /** The noise and its gradient, written to the first four elements of `jet`. */\n\
         export function {prefix}_jet(x, y, z, jet = [0, 0, 0, 0]) {{\n    {prefix}_jet_of({rounded});\n\
         {copied}    return jet;\n}}\n"
    ))
}

/// The data that all functions share.
#[derive(Clone, Copy)]
struct Context<'a> {
    module: &'a Module,
    tables: &'a [Table],
    prefix: &'a str,
    /// For each number of a function's arguments, whether it reads it. Calls pass no others.
    read: &'a HashMap<Handle<Function>, Vec<bool>>,
}

/// Whether a function is one that is exported. Those of WGSL take vectors, so others call them.
fn is_exported(function: &Function, prefix: &str) -> bool {
    let rest = function.name.as_deref().and_then(|name| name.strip_prefix(prefix));
    matches!(rest, Some("_value" | "_jet"))
}

/// The name of a function within the module.
fn inner_name(function: &Function, prefix: &str) -> Result<String, String> {
    let name = function.name.as_deref().ok_or("a function has no name")?;
    Ok(if is_exported(function, prefix) { format!("{name}_of") } else { name.to_owned() })
}

/// The numbers of a value, in order.
fn scalars(module: &Module, ty: Handle<Type>) -> Result<Vec<Scalar>, String> {
    scalars_of(module, &module.types[ty].inner)
}

fn scalars_of(module: &Module, inner: &TypeInner) -> Result<Vec<Scalar>, String> {
    match inner {
        TypeInner::Scalar(scalar) => Ok(vec![*scalar]),
        TypeInner::Vector { size, scalar } => Ok(vec![*scalar; *size as usize]),
        TypeInner::Struct { members, .. } => {
            let each: Result<Vec<_>, _> = members.iter().map(|member| scalars(module, member.ty)).collect();
            Ok(each?.concat())
        }
        other => Err(format!("a value of type {other:?}")),
    }
}

/// A view of a table's words as numbers of this kind.
fn view(prefix: &str, table: &str, kind: ScalarKind) -> Result<String, String> {
    let ending = match kind {
        ScalarKind::Float => "floats",
        ScalarKind::Uint => "words",
        ScalarKind::Sint => "integers",
        other => return Err(format!("a table of {other:?}")),
    };
    Ok(format!("{prefix}_{table}_{ending}"))
}

/// The declaration of a table, and of those of its views that `text` reads.
fn of_table(table: &Table, prefix: &str, text: &str) -> String {
    let mut declared = format!("const {prefix}_{}_words = /* @__PURE__ */ new Uint32Array([", table.name);
    let words: Vec<String> = table.words.iter().map(u32::to_string).collect();
    for line in words.chunks(12) {
        let _ = write!(declared, "\n    {},", line.join(", "));
    }
    declared.push_str("\n]);\n");
    for (ending, array) in [("floats", "Float32Array"), ("integers", "Int32Array")] {
        let name = format!("{prefix}_{}_{ending}", table.name);
        if text.contains(&format!("{name}[")) {
            let _ = writeln!(declared, "const {name} = /* @__PURE__ */ viewed({array}, {prefix}_{}_words);", table.name);
        }
    }
    declared
}

/// Declarations that the functions use. `COUNT` is the largest number of results.
const PRELUDE: &str = include_str!("prelude.js");
