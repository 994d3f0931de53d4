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
    let text = text.find("#[cfg(test)]\nmod tests").or(text.find("#[cfg(all(test")).map_or(text, |end| &text[..end]);
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The imports in the source.
fn imports() -> Imports {
    let mut sources = Vec::new();
    files(&root().join("src"), &mut sources);
    let sources: Vec<_> = sources.into_iter().filter(|file| !["lib", "testing"].contains(&room(file).as_str())).collect();
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
            for name in names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| rooms.contains(*name) && *name != own) {
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
