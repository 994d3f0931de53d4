//! The names of the files in a bake's folder.

/// The record of a whole bake.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The record of an unfinished bake.
pub(crate) const JOURNAL: &str = "tiles.jsonl";
/// The picture of the whole world.
pub(super) const OVERVIEW: &str = "overview.png";
/// Notes for the bake's destination: for readers, for programs, and for Blender.
pub(super) const NOTES: [&str; 3] = ["IMPORT.md", "import.json", "import.py"];
/// The command, as the notes name it.
pub(super) const NOTE_MARK: &str = "orogen bake";
/// The state of a measurement. Answers to earlier questions have this name and a number.
pub(super) const MEASURING: &str = ".orogen.measuring";
pub(crate) const LOCK: &str = ".orogen.lock";
/// The folder of a world's arrays.
#[cfg(any(feature = "zarr", feature = "maps"))]
pub(crate) const ARRAYS: &str = "world.zarr";
/// The record of a map.
pub(crate) const MAP_RECORD: &str = "map.json";
/// The folder of an unfinished map.
pub(crate) const MAP_DRAFT: &str = ".orogen.map.partial";
/// Names that show that a bake or a map was written to a folder.
pub(super) const TRACES: [&str; 4] = [MANIFEST, JOURNAL, MAP_RECORD, MAP_DRAFT];
/// The ending of the names of damaged records.
pub(crate) const DAMAGED: &str = ".damaged";
/// The ending of the names of notes that a reader has changed.
pub(crate) const CHANGED: &str = ".changed";

/// Whether a name is that of a record or note that was renamed to keep it.
pub(super) fn is_aside(name: &str) -> bool {
    let number = |end: &str| end.is_empty() || end.strip_prefix('.').is_some_and(|n| n.parse::<u32>().is_ok());
    let ends = |records: &[&str], ending: &str| {
        records.iter().any(|record| name.strip_prefix(record).and_then(|rest| rest.strip_prefix(ending)).is_some_and(number))
    };
    ends(&[MANIFEST, JOURNAL], DAMAGED) || ends(&NOTES, CHANGED)
}

/// The name of a file until it is complete.
pub(super) fn unfinished(name: &str) -> String {
    format!(".{name}.partial")
}

/// The final name of a file, from its unfinished name.
pub(super) fn finished(name: &str) -> Option<&str> {
    name.strip_prefix('.')?
        .strip_suffix(".partial")
        .filter(|name| [MANIFEST, JOURNAL, OVERVIEW].contains(name) || is_measuring(name) || is_beside(name) || tile_of(name).is_some())
}

/// Whether a name is that of a note or an answer.
pub(super) fn is_beside(name: &str) -> bool {
    NOTES.contains(&name) || is_answer(name)
}

/// The ending of the names of answers about the whole world.
pub(super) const ANSWER: &str = ".answer";

/// The file of an answer in a bake by one process.
pub(super) fn answer(number: u32) -> String {
    format!("measured.{number}{ANSWER}")
}

/// Whether a file has the name of an answer in a bake by one process.
fn is_answer(name: &str) -> bool {
    let number = name.strip_prefix("measured.").and_then(|name| name.strip_suffix(ANSWER)?.parse::<u32>().ok());
    number.is_some_and(|number| answer(number) == name)
}

/// Whether a name is that of a measurement in progress.
pub(super) fn is_measuring(name: &str) -> bool {
    let rest = name.strip_prefix(MEASURING);
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(|number| number.parse::<u32>().is_ok()))
}

/// The tile in a file's name: `x3_y-1.png`, `alps_x3_y-1.png`.
pub(super) fn tile_of(name: &str) -> Option<(i64, i64)> {
    parts(name).map(|(_, at, _)| at)
}

/// A file's name without its tile.
pub(super) fn beside_tile(name: &str) -> Option<String> {
    parts(name).map(|(before, _, after)| format!("{before}.{after}"))
}

/// A file name's text before the tile, the tile, and the text after it.
fn parts(name: &str) -> Option<(&str, (i64, i64), &str)> {
    let (stem, after) = name.split_once('.')?;
    let (rest, y) = stem.rsplit_once("_y")?;
    let (before, x) = rest.rsplit_once('x')?;
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| n.to_string() == text);
    (before.is_empty() || before.ends_with('_')).then_some((before, (number(x)?, number(y)?), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_whole_numbers() {
        assert!(["measured.0.answer", "measured.12.answer"].iter().all(|name| is_answer(name)));
        assert!(["measured.01.answer", "measured..answer", "measured.x.answer", "measured.1.answer.2"].iter().all(|name| !is_answer(name)));
    }
}
