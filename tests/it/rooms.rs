//! Imports between the rooms of the library: ARCHITECTURE.md lists them, and the source agrees.

use crate::support::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The rooms that each room imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The room of a source file: its folder in `src/`, or its name.
fn room(file: &Path) -> String {
    let inside = file.strip_prefix(root().join("src")).expect("a source file");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.strip_suffix(".rs").map_or(first.clone(), str::to_owned)
}

/// Every file with an ending below a folder.
fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The source without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.find("#[cfg(test)]\nmod tests {").or(text.find("#[cfg(all(test")).map_or(text, |end| &text[..end]);
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The imports in the source.
fn imports() -> Imports {
    let mut sources = Vec::new();
    files(&root().join("src"), &mut sources);
    let is_tests = |file: &Path| file.file_name().is_some_and(|name| name == "tests.rs");
    let sources: Vec<_> =
        sources.into_iter().filter(|file| !is_tests(file) && !["lib", "testing"].contains(&room(file).as_str())).collect();
    let rooms: BTreeSet<String> = sources.iter().map(|file| room(file)).collect();
    let mut imports: Imports = rooms.iter().map(|room| (room.clone(), BTreeSet::new())).collect();
    for file in &sources {
        let code = code(&std::fs::read_to_string(file).expect("text"));
        let own = room(file);
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            // `use crate::{cpu, gpu};`
            let names = if let Some(list) = rest.strip_prefix('{') { list.split('}').next().unwrap_or_default() } else { rest };
            let names = if rest.starts_with('{') {
                names
            } else {
                names.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
            };
            for name in names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty() && *name != own) {
                // An import through the root would hide the room that it comes from.
                assert!(rooms.contains(name), "{}: crate::{name} is not a room", file.display());
                imports.get_mut(&own).expect("a room").insert(name.to_owned());
            }
        }
    }
    imports
}

/// The rooms that can be reached from one.
fn reached<'a>(imports: &'a Imports, from: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(room) = open.pop() {
        open.extend(imports[room].iter().map(String::as_str).filter(|next| found.insert(*next)));
    }
    found
}

/// The text in ARCHITECTURE.md: a line for each room, then the rooms of each circle.
fn stated(imports: &Imports) -> String {
    let mut text = String::new();
    for (room, of) in imports {
        let of: Vec<_> = of.iter().map(String::as_str).collect();
        writeln!(text, "{room}: {}", if of.is_empty() { "-".to_owned() } else { of.join(" ") }).expect("memory");
    }
    let in_circle = |room: &String| reached(imports, room).contains(room.as_str());
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for room in imports.keys().filter(|room| in_circle(room)) {
        let with = |other: &str| reached(imports, other).contains(room.as_str()) && reached(imports, room).contains(other);
        match circles.iter_mut().find(|circle| with(circle[0])) {
            Some(circle) => circle.push(room),
            None => circles.push(vec![room]),
        }
    }
    for circle in circles {
        writeln!(text, "circle: {}", circle.join(" ")).expect("memory");
    }
    text
}

#[test]
fn rooms_import_what_the_architecture_states() {
    let page = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (before, rest) = text.split_once("```text rooms\n").expect("a block of rooms");
    let (found, after) = rest.split_once("```").expect("a block ends");
    let now = stated(&imports());
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(&page, format!("{before}```text rooms\n{now}```{after}")).expect("writable");
        return;
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (new, old): (Vec<_>, Vec<_>) =
        (lines(&now).difference(&lines(found)).cloned().collect(), lines(found).difference(&lines(&now)).cloned().collect());
    assert!(
        new.is_empty() && old.is_empty(),
        "a room imports other rooms than ARCHITECTURE.md states\nnow: {new:#?}\nstated: {old:#?}\nan import that is meant: OROGEN_FREEZE=1 states it"
    );
}

#[test]
fn no_rooms_import_each_other_in_a_circle() {
    let stated = stated(&imports());
    let circles: Vec<&str> = stated.lines().filter(|line| line.starts_with("circle: ")).collect();
    assert!(circles.is_empty(), "rooms import each other: {circles:?}");
}

#[test]
fn circles_are_found() {
    let of = |text: &str| -> Imports {
        let line = |line: &str| {
            let (room, of) = line.split_once(": ").expect("a room");
            (room.to_owned(), of.split(' ').filter(|name| *name != "-").map(str::to_owned).collect())
        };
        text.lines().map(line).collect()
    };
    let text = "a: b\nb: c\nc: a d\nd: -\ne: f\nf: e\n";
    assert_eq!(stated(&of(text)), format!("{text}circle: a b c\ncircle: e f\n"));
    assert_eq!(stated(&of("a: b\nb: -\n")), "a: b\nb: -\n");
}

/// The modules and types of the library, as far as its text shows them.
struct Library {
    /// The code of each module, by its path.
    modules: BTreeMap<Vec<String>, String>,
}

/// An import, `pub` or not: the path, and the name that it gets.
struct Import {
    public: bool,
    path: Vec<String>,
    name: String,
}

/// The paths of a tree such as `a::{b, c::{d, e as f}}`.
fn leaves(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inside = &rest[..rest.rfind('}').expect("a closed tree")];
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (i, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let branch = inside[start..i].trim();
                all.extend(leaves(branch).into_iter().filter(|leaf| !leaf.is_empty()).map(|leaf| format!("{}{leaf}", prefix.trim())));
                start = i + 1;
            }
            _ => {}
        }
    }
    all
}

/// The body of every call of a macro at the left margin.
fn bodies<'a>(code: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!("\n{name}! {{\n");
    code.match_indices(&begin)
        .map(move |(at, begin)| code[at + begin.len()..].split("\n}").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The word at the start of a text.
fn word(text: &str) -> &str {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

impl Library {
    fn read() -> Self {
        let mut sources = Vec::new();
        files(&root().join("src"), &mut sources);
        let modules = sources.into_iter().map(|file| {
            let inside = file.strip_prefix(root().join("src")).expect("a source file").with_extension("");
            let mut path: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            path.pop_if(|last| last == "mod" || last == "lib");
            (path, format!("\n{}", code(&std::fs::read_to_string(&file).expect("text"))))
        });
        Library { modules: modules.collect() }
    }

    /// The types that a module defines, those of macros included.
    fn types(&self, module: &[String], public: bool) -> BTreeSet<&str> {
        let code = &self.modules[module];
        let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
        let defined = code.lines().filter_map(|line| {
            let visible = line.strip_prefix("pub ");
            let line = if public { visible? } else { visible.or(line.strip_prefix("pub(crate) ")).unwrap_or(line) };
            kinds.iter().find_map(|kind| line.strip_prefix(kind)).map(word)
        });
        let own_line = |line: &'_ str| line.starts_with("    ") && line[4..].starts_with(char::is_uppercase);
        let in_macros = ["choice", "row"].into_iter().flat_map(|name| bodies(code, name)).flat_map(str::lines);
        let in_macros = in_macros.filter(move |line| own_line(line) && line.contains('{')).map(|line| word(line.trim_start()));
        defined.chain(in_macros).filter(|name| !name.is_empty()).collect()
    }

    fn imports(&self, module: &[String]) -> Vec<Import> {
        let code = &self.modules[module];
        let mut all = Vec::new();
        for (at, _) in code.match_indices("use ") {
            let line = code[..at].rsplit('\n').next().unwrap_or_default().trim_start();
            if !["", "pub ", "pub(crate) ", "pub(super) "].contains(&line) {
                continue;
            }
            let tree = code[at + 4..].split(';').next().unwrap_or_default();
            all.extend(leaves(tree).into_iter().map(|leaf| (line == "pub ", leaf)));
        }
        // Kinds of nodes and stages are public.
        let kinds = bodies(code, "kinds").flat_map(str::lines).filter_map(|line| line.split_once(" = ")).map(|(path, _)| path.trim());
        all.extend(kinds.map(|path| (true, path.to_owned())));
        let import = |(public, leaf): (bool, String)| {
            let (path, name) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
            let path: Vec<String> = path.split("::").map(str::to_owned).collect();
            let name = if name.is_empty() { path.last().expect("a name").clone() } else { name.to_owned() };
            Import { public, path, name }
        };
        all.into_iter().map(import).collect()
    }

    /// The module that a path from a module means; `None` outside the library.
    fn module(&self, from: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut at = from.to_vec();
        for part in path {
            match part.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => at.push(part.clone()),
            }
        }
        self.modules.contains_key(&at).then_some(at)
    }

    /// The module that defines a type of this name, as a module sees it. A module that only passes it on is followed.
    fn home(&self, module: &[String], name: &str, depth: usize) -> Option<Vec<String>> {
        if self.types(module, false).contains(name) {
            return Some(module.to_vec());
        }
        if depth == 0 {
            return None;
        }
        self.imports(module).into_iter().filter(|import| import.name == name || import.name == "*").find_map(|import| {
            let (last, path) = import.path.split_last()?;
            let from = self.module(module, path)?;
            self.home(&from, if last == "*" { name } else { last }, depth - 1)
        })
    }

    /// Notes the types that can be reached from a module, each with the module that defines it.
    fn public(&self, module: &[String], found: &mut BTreeMap<String, BTreeSet<String>>) {
        let mut note = |name: &str, home: &[String]| {
            found.entry(name.to_owned()).or_default().insert(home.join("::"));
        };
        self.types(module, true).into_iter().for_each(|name| note(name, module));
        let enums = bodies(&self.modules[module], "kinds")
            .filter_map(|body| body.lines().find(|line| line.trim_start().starts_with(char::is_uppercase)));
        enums.for_each(|line| note(word(line.trim_start()), module));
        let mut whole = Vec::new();
        for import in self.imports(module).into_iter().filter(|import| import.public) {
            let (last, path) = import.path.split_last().expect("a path");
            let from = self.module(module, path);
            if last == "*" {
                whole.extend(from);
            } else if import.name.starts_with(char::is_uppercase) && import.name.contains(char::is_lowercase) {
                // Types that other macros make have no line of their own: their module is the one that the path names.
                let home = from.and_then(|from| self.home(&from, last, 4).or(Some(from)));
                home.into_iter().for_each(|home| note(&import.name, &home));
            }
        }
        for line in self.modules[module].lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
            whole.extend(self.module(module, &[line.to_owned()]));
        }
        whole.iter().for_each(|module| self.public(module, found));
    }
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut found = BTreeMap::new();
    Library::read().public(&[], &mut found);
    for known in ["Engine", "Simplex", "EqualiseWorld", "HeightEncoding", "Tiles", "RowOrder", "NotAllowed", "Node"] {
        assert!(found.contains_key(known), "{known} is public, and the walk does not reach it");
    }
    let shared: Vec<_> = found.iter().filter(|(_, homes)| homes.len() > 1).collect();
    assert!(shared.is_empty(), "public types share a name: {shared:#?}");
}
