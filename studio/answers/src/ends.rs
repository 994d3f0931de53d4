//! Line ends and the byte order mark of an edited text: unchanged lines keep theirs, byte for byte.

use crate::clock::Instant;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::Duration;

/// The byte order mark, which Windows programs write before UTF-8 text.
const MARK: char = '\u{feff}';
/// Time limit for comparing the lines of two texts. Lines not compared by then count as changed.
const PATIENCE: Duration = Duration::from_millis(500);

/// Applies the byte order mark and the line ends of the old text to the new one. Unchanged lines end as before, a changed line
/// like the line it replaces, an added line like the previous one. The end of the last line is that of the new text.
pub fn keep(old: &str, new: &str) -> String {
    let mark = old.starts_with(MARK);
    let (old, new) = (lines(old), lines(new));
    let deadline = Instant::now().checked_add(PATIENCE);
    let mut out = if mark { MARK.to_string() } else { String::new() };
    let mut push = |at: usize, to: usize| {
        let line = &new[to];
        let end = match (line.end, line_ending(&old, at)) {
            // Only the last line can lack a line end.
            ("", _) => "",
            (own, "") => own,
            (_, kept) => kept,
        };
        out += line.text;
        out += end;
    };
    for change in capture_diff_slices_deadline(Algorithm::Myers, &texts(&old), &texts(&new), deadline) {
        match change {
            DiffOp::Equal { old_index, new_index, len } => (0..len).for_each(|i| push(old_index + i, new_index + i)),
            DiffOp::Delete { .. } => (),
            DiffOp::Insert { old_index, new_index, new_len } => {
                (0..new_len).for_each(|i| push(old_index.saturating_sub(1), new_index + i));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                (0..new_len).for_each(|i| push(old_index + i.min(old_len.saturating_sub(1)), new_index + i));
            }
        }
    }
    out
}

/// Whether two texts differ only in line ends and the byte order mark.
pub fn same(a: &str, b: &str) -> bool {
    lines(a).iter().map(|line| (line.text, line.end.is_empty())).eq(lines(b).iter().map(|line| (line.text, line.end.is_empty())))
}

/// A line and its end, which is empty, `\n` or `\r\n`.
struct Line<'a> {
    text: &'a str,
    end: &'a str,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let line = |line: &'_ str| -> usize {
        let text = line.strip_suffix('\n').unwrap_or(line);
        if text.len() < line.len() { text.strip_suffix('\r').unwrap_or(text).len() } else { line.len() }
    };
    text.strip_prefix(MARK)
        .unwrap_or(text)
        .split_inclusive('\n')
        .map(|whole| {
            let (text, end) = whole.split_at(line(whole));
            Line { text, end }
        })
        .collect()
}

/// Lines without their ends.
fn texts<'a>(lines: &[Line<'a>]) -> Vec<&'a str> {
    lines.iter().map(|line| line.text).collect()
}

/// The end of a line, or of the line before it if it has none.
fn line_ending<'a>(lines: &[Line<'a>], at: usize) -> &'a str {
    let upto = &lines[..lines.len().min(at + 1)];
    upto.iter().rev().map(|line| line.end).find(|end| !end.is_empty()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_keep_their_ends() {
        for (old, new, expected) in [
            // As returned by the page's editor, which normalises line ends.
            ("\u{feff}a\r\nb\r\n", "a\nb\n", "\u{feff}a\r\nb\r\n"),
            ("a\nb\r\nc\n", "a\nb\nc\n", "a\nb\r\nc\n"),
            ("a\r\nb", "a\nb", "a\r\nb"),
            // Changed, added and removed lines.
            ("a\nb\r\nc\n", "a\nB\nc\n", "a\nB\r\nc\n"),
            ("a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"),
            ("a\r\nb\r\n", "new\na\nb\n", "new\r\na\r\nb\r\n"),
            ("a\r\nb\nc\r\n", "a\nc\n", "a\r\nc\r\n"),
            ("a\r\nb", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
            // The last line's end is the new text's, and so are all others if the old text has no line end.
            ("a\r\nb\r\n", "a\nb", "a\r\nb"),
            ("a", "a\r\nb\n", "a\r\nb\n"),
            ("", "a\nb\r\n", "a\nb\r\n"),
            ("a\r\n", "", ""),
            // A carriage return within a line is not a line end.
            ("a\rb\r\n", "a\rb\nc\n", "a\rb\r\nc\r\n"),
        ] {
            assert_eq!(keep(old, new), expected, "{old:?} → {new:?}");
            assert_eq!(keep(old, old), old);
        }
        assert!(same("\u{feff}a\r\nb", "a\nb") && !same("a\n", "a") && !same("a\nb", "a b"));
    }

    #[test]
    fn large_texts_of_many_changes_are_compared_in_time() {
        let old: String = (0..100_000).map(|i| format!("line {i}\r\n")).collect();
        let new: String = (0..100_000).map(|i| format!("line {}\n", i * 7 % 100_003)).collect();
        let start = Instant::now();
        let kept = keep(&old, &new);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        assert!(same(&kept, &new) && kept.lines().count() == 100_000 && kept.matches("\r\n").count() == 100_000);
    }
}
