//! C++ and C# offer what the C header declares: every function, structure, choice and number.

use std::collections::BTreeMap;
use std::path::Path;

/// A function as the header declares it.
struct Function {
    result: String,
    name: String,
    /// Types and names.
    parameters: Vec<(String, String)>,
}

impl Function {
    fn is_free(&self) -> bool {
        self.name.ends_with("_free")
    }

    /// Whether it is more than a constant or a number of plain arguments: a binding has to call it.
    fn must_be_called(&self) -> bool {
        self.is_free() || self.parameters.iter().any(|(c_type, _)| c_type == "OrogenError *")
    }
}

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file of this package")
}

/// All sources of the library for C#.
fn csharp() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("csharp/Orogen");
    let names = std::fs::read_dir(folder).expect("the library's sources").map(|entry| entry.expect("a file").file_name());
    let names = names.collect::<std::collections::BTreeSet<_>>();
    names.iter().map(|name| file(&format!("csharp/Orogen/{}", name.to_str().expect("a name in ASCII")))).collect()
}

/// The header's declarations: no comments, no lines of the preprocessor, one space between words, no words that only C needs.
fn declarations() -> String {
    let mut text = file("include/orogen.h");
    while let Some(start) = text.find("/*") {
        let end = start + text[start..].find("*/").expect("a comment ends") + 2;
        text.replace_range(start..end, "");
    }
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.contains("extern \"C\""));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).filter(|word| !["struct", "enum"].contains(word)).collect();
    words.join(" ").replace("(struct ", "(")
}

/// Splits `const char *path` into type and name.
fn declared(text: &str) -> (String, String) {
    let at = text.rfind([' ', '*']).expect("a type and a name") + 1;
    (text[..at].trim().to_owned(), text[at..].to_owned())
}

fn functions() -> Vec<Function> {
    let text = declarations();
    let found: Vec<Function> = text
        .split(';')
        .filter_map(|statement| {
            // `typedef int32_t (*OrogenProgress)(…)` is a type.
            let (head, rest) = statement.trim().split_once('(').filter(|(head, _)| !head.starts_with("typedef"))?;
            let (result, name) = declared(head);
            let list = rest.strip_suffix(')').expect("a list of parameters");
            let parameters = if list == "void" { Vec::new() } else { list.split(", ").map(declared).collect() };
            Some(Function { result, name, parameters })
        })
        .collect();
    assert!(found.len() >= 40 && found.iter().all(|function| function.name.starts_with("orogen_")), "{} functions were found", found.len());
    found
}

/// The text between braces after the first occurrence of `head`.
fn block<'a>(text: &'a str, head: &str) -> &'a str {
    let start = text.find(head).expect(head);
    let open = start + text[start..].find('{').expect("a block begins") + 1;
    let close = open + text[open..].find('}').expect("a block ends");
    &text[open..close]
}

/// `value_count` as `valueCount`, `ValueCount` where the first word is capital as well.
fn camel(name: &str, first: bool) -> String {
    let words = name.split('_').enumerate().map(|(at, word)| match word.split_at_checked(1) {
        Some((letter, rest)) if at > 0 || first => letter.to_uppercase() + rest,
        _ => word.to_owned(),
    });
    words.collect()
}

/// The C# declaration of a parameter with a C type, or of a result, which has no name.
fn csharp_type(c_type: &str, name: &str, function: &Function) -> String {
    let plain = match c_type {
        "double" => "double",
        "uint32_t" => "uint",
        "int32_t" | "OrogenStatus" => "int",
        "int64_t" => "long",
        "uint64_t" => "ulong",
        "size_t" => "UIntPtr",
        "const char *" => "byte[]",
        "char *" | "uint8_t *" => "[Out] byte[]",
        "uint32_t *" => "[Out] uint[]",
        "size_t *" => "out UIntPtr",
        "uint64_t *" => "out ulong",
        // Three numbers or none, or a list.
        "double *" if ["gradient", "points", "corners"].contains(&name) => "ref double",
        "double *" => "out double",
        "float *" | "const float *" => "ref float",
        "const double *" => "ref double",
        "OrogenRegion" => "Region",
        "const OrogenRegion *" => "ref Region",
        "OrogenRegion *" => "out Region",
        "OrogenRiverOptions" => "RiverOptions",
        "const OrogenRiverOptions *" => "ref RiverOptions",
        "OrogenRiverCounts *" => "out RiverCounts",
        "OrogenRiverSegment *" => "[Out] RiverSegment[]",
        "OrogenLake *" => "[Out] Lake[]",
        "OrogenBasin *" => "[Out] Basin[]",
        "OrogenRing *" => "[Out] Ring[]",
        "const OrogenLayer *" => "NativeLayer[]",
        "const OrogenNumber *" => "NativeNumber[]",
        "const char *const *" => "IntPtr[]",
        "OrogenError *" => "out Error",
        "OrogenEngineOptions" => "NativeEngineOptions",
        "const OrogenEngineOptions *" => "ref NativeEngineOptions",
        "OrogenExportOptions" => "NativeExportOptions",
        "const OrogenExportOptions *" => "ref NativeExportOptions",
        _ => {
            let (handle, pointer) = c_type.trim_start_matches("const ").split_once(' ').expect("a pointer to a handle");
            let handle = handle.strip_prefix("Orogen").expect("a handle");
            return match pointer {
                "*" if function.is_free() => "IntPtr".to_owned(),
                "*" => format!("{handle}Handle"),
                _ => format!("out {handle}Handle"),
            };
        }
    };
    plain.to_owned()
}

#[test]
fn csharp_declares_every_function_of_the_header() {
    let text = csharp();
    let found: BTreeMap<&str, String> = text
        .lines()
        .filter_map(|line| line.split_once("internal static extern "))
        .map(|(attribute, declaration)| {
            assert_eq!(attribute.trim(), "[DllImport(Library, CallingConvention = C)]");
            let name = declaration[..declaration.find('(').expect("a list")].rsplit(' ').next().expect("a name");
            (name, declaration.to_owned())
        })
        .collect();
    // C# evaluates recipes and does not bake them.
    let wanted: Vec<Function> = functions().into_iter().filter(|function| !function.name.starts_with("orogen_bake")).collect();
    for function in &wanted {
        let Function { name, parameters, .. } = function;
        // Text that lives as long as the library and must not be freed.
        let result = if function.result == "const char *" { "IntPtr".to_owned() } else { csharp_type(&function.result, "", function) };
        let parameters: Vec<String> =
            parameters.iter().map(|(c_type, name)| format!("{} {}", csharp_type(c_type, name, function), camel(name, false))).collect();
        let declaration = format!("{result} {name}({});", parameters.join(", "));
        assert_eq!(found.get(name.as_str()), Some(&declaration), "{name} in C#");
        assert!(!function.must_be_called() || text.contains(&format!("Native.{name}(")), "nothing in C# calls {name}");
    }
    assert_eq!(found.len(), wanted.len(), "C# declares other functions than those of the header");
}

#[test]
fn cpp_calls_every_function_of_the_header() {
    let text = file("include/orogen.hpp");
    for function in functions().iter().filter(|function| function.must_be_called()) {
        let name = &function.name;
        let called = text.match_indices(name).any(|(at, _)| text[at + name.len()..].starts_with([',', '(']));
        assert!(called, "nothing in orogen.hpp calls {name}");
    }
}

#[test]
fn csharp_has_the_structures_of_the_header() {
    let (header, text) = (declarations(), csharp());
    for (c_name, name) in [
        ("OrogenEngineOptions", "NativeEngineOptions"),
        ("OrogenRegion", "Region"),
        ("OrogenLayer", "NativeLayer"),
        ("OrogenNumber", "NativeNumber"),
        ("OrogenExportOptions", "NativeExportOptions"),
        ("OrogenRiverOptions", "RiverOptions"),
        ("OrogenRiverCounts", "RiverCounts"),
        ("OrogenRiverSegment", "RiverSegment"),
        ("OrogenLake", "Lake"),
        ("OrogenBasin", "Basin"),
        ("OrogenRing", "Ring"),
    ] {
        let wanted: Vec<String> = block(&header, &format!("typedef {c_name} {{"))
            .trim()
            .split_terminator(';')
            .flat_map(|field| {
                let (c_type, name) = declared(field.trim());
                let c_type = match c_type.as_str() {
                    "float *" | "const char *" => "IntPtr",
                    "int32_t" => "int",
                    "uint32_t" => "uint",
                    "int64_t" => "long",
                    "uint64_t" => "ulong",
                    "size_t" => "UIntPtr",
                    "double" => "double",
                    other => other,
                };
                let axes: &[&str] = if name.ends_with("[3]") { &["X", "Y", "Z"] } else { &["X", "Y"] };
                match name.split_once('[') {
                    Some((name, _)) => axes.iter().map(|axis| format!("{c_type} {}{axis}", camel(name, true))).collect(),
                    None => vec![format!("{c_type} {}", camel(&name, true))],
                }
            })
            .collect();
        let head = text.find(&format!("struct {name}\n")).expect(name);
        assert!(text[..head].lines().rev().nth(1).is_some_and(|line| line.contains("LayoutKind.Sequential")), "layout of {name}");
        let found: Vec<String> = text[head..text[head..].find("\n    }\n").expect("a struct ends") + head]
            .lines()
            .filter_map(|line| line.trim().strip_suffix(';'))
            .filter_map(|line| line.strip_prefix("public ").or_else(|| line.strip_prefix("internal ")))
            .filter(|line| !line.contains(['(', '=']))
            .flat_map(|line| {
                let (kind, names) = line.split_once(' ').expect("a type and names");
                names.split(", ").map(move |name| format!("{kind} {name}"))
            })
            .collect();
        assert_eq!(found, wanted, "fields of {name} in C#");
    }
    let size: usize = 8 + number(&file("include/orogen.h"), "#define OROGEN_MESSAGE_SIZE ") as usize;
    let error = format!("[StructLayout(LayoutKind.Sequential, Size = {size})]\n    internal struct Error\n");
    assert!(text.contains(&error), "OrogenError has {size} bytes");
}

/// The number after some words.
fn number(text: &str, words: &str) -> u64 {
    let at = text.find(words).expect(words) + words.len();
    let digits: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[test]
fn csharp_has_the_choices_and_numbers_of_the_header() {
    let (header, declared, text) = (file("include/orogen.h"), declarations(), csharp());
    for name in ["Status", "Backend", "Water", "Language", "Storage"] {
        let prefix = format!("OROGEN_{}_", name.to_uppercase());
        let wanted: Vec<String> = block(&declared, &format!("typedef Orogen{name} {{"))
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(|word| {
                let (word, number) = word.split_once(" = ").expect("a word and its number");
                format!("{} = {number}", camel(&word.strip_prefix(&prefix).expect("the prefix").to_lowercase(), true))
            })
            .collect();
        let found: Vec<&str> = block(&text, &format!("public enum {name}")).split(',').map(str::trim).collect();
        assert_eq!(found, wanted, "{name} in C#");
    }
    for (c_name, name) in [
        ("OROGEN_ABI_VERSION", "uint AbiVersion"),
        ("OROGEN_THREADS_SHARED", "uint SharedThreads"),
        ("OROGEN_THREADS_CALLER", "uint CallerThread"),
    ] {
        assert_eq!(number(&header, &format!("#define {c_name} ")), number(&text, &format!("{name} = ")), "{c_name}");
    }
}
