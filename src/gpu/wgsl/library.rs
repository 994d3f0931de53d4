//! The hand-written WGSL library: which files there are, and the closure of what a kernel needs.

use std::collections::BTreeSet;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[ $(($name, include_str!(concat!("../../../shaders/lib/", $name, ".wgsl")))),+ ]
    };
}

/// Every library file by name.
pub const FILES: &[(&str, &str)] = files![
    "curve",
    "dispatch",
    "fractal",
    "frame",
    "hash",
    "hexagonal",
    "interpolate",
    "jet",
    "lattice",
    "permutation289",
    "permutation289_periodic",
    "point",
    "point_periodic",
    "polar",
    "power",
    "real",
    "root",
    "shift",
    "simplex",
    "sine",
    "spline",
    "tables",
    "texel",
    "turn",
    "white",
    "worley",
];

/// A library that does not fit together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LibraryError {
    /// A `// requires:` line names no file.
    #[error("shader library: '{by}' requires '{name}', which does not exist")]
    Unknown {
        /// The file that requires it.
        by: String,
        /// What it requires.
        name: String,
    },
    /// Files require each other in a circle.
    #[error("shader library: '{0}' requires itself")]
    Cycle(String),
}

/// The files that `roots` need, themselves included, each once, in alphabetical order: WGSL has no order of declaration.
///
/// With `periodic`, what has a file of that name for kernels with periods is taken from there.
///
/// # Errors
/// An unknown or circular requirement.
pub fn closure(roots: &[&str], periodic: bool) -> Result<String, LibraryError> {
    let files: Vec<(&str, &str)> = FILES
        .iter()
        .map(|&(name, text)| if periodic && name == "point" { (name, find(FILES, "point_periodic").unwrap_or(text)) } else { (name, text) })
        .collect();
    closure_of(&files, roots)
}

fn closure_of(files: &[(&str, &str)], roots: &[&str]) -> Result<String, LibraryError> {
    let mut needed = BTreeSet::new();
    for root in roots {
        visit(files, root, "kernel", &mut Vec::new(), &mut needed)?;
    }
    Ok(needed.into_iter().map(|name| find(files, name).unwrap_or("")).collect::<Vec<_>>().join("\n"))
}

fn find<'a>(files: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn visit<'a>(
    files: &[(&'a str, &'a str)],
    name: &'a str,
    by: &str,
    open: &mut Vec<&'a str>,
    needed: &mut BTreeSet<&'a str>,
) -> Result<(), LibraryError> {
    if open.contains(&name) {
        return Err(LibraryError::Cycle(name.to_owned()));
    }
    let text = find(files, name).ok_or_else(|| LibraryError::Unknown { by: by.to_owned(), name: name.to_owned() })?;
    if needed.contains(name) {
        return Ok(());
    }
    open.push(name);
    for required in text.lines().filter_map(|line| line.strip_prefix("// requires:")).flat_map(str::split_whitespace) {
        visit(files, required, name, open, needed)?;
    }
    open.pop();
    needed.insert(name);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::gpu::wgsl::library::*;

    #[test]
    fn closures_are_sorted_and_hold_every_file_once() {
        let text = closure(&["simplex", "tables", "simplex"], false).expect("the library fits together");
        let at = |line: &str| text.match_indices(line).map(|(i, _)| i).collect::<Vec<_>>();
        assert_eq!(at("fn hash_mix(").len(), 1);
        assert!(at("fn frame_cell(") < at("fn hash_mix(") && at("fn simplex_2(") < at("fn table_cell("));
        assert!(at("fn power_signed(").is_empty());
    }

    #[test]
    fn unknown_and_circular_requirements_are_errors() {
        let files = [("a", "// requires: b\n"), ("b", "// requires: a\n"), ("c", "// requires: nowhere\n")];
        assert_eq!(closure_of(&files, &["a"]), Err(LibraryError::Cycle("a".into())));
        assert_eq!(closure_of(&files, &["c"]), Err(LibraryError::Unknown { by: "c".into(), name: "nowhere".into() }));
    }

    #[test]
    fn names_are_prefixed_by_their_file() {
        for (file, text) in FILES {
            let prefix = file.trim_end_matches('s').trim_end_matches("_periodic");
            for line in text.lines().filter_map(|l| l.strip_prefix("fn ")) {
                assert!(line.starts_with(prefix), "{file}.wgsl: fn {line}");
            }
        }
    }
}
