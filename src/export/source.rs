//! Shader source as declarations and tokens, to remove unused ones and to prefix every name.
//!
//! Works on text, because exported WGSL keeps the library's own names and comments, which parsers drop.

use std::collections::{BTreeSet, HashMap};

/// A piece of source text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SourceToken<'a> {
    /// An identifier.
    Name(&'a str),
    /// An identifier after a dot.
    Member(&'a str),
    /// Anything else: comments, numbers, blanks, signs.
    Other(&'a str),
}

/// Splits text into tokens; joined, they give the text again.
pub fn tokens(text: &str) -> Vec<SourceToken<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut after_dot = false;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first.is_ascii_digit() {
            // The sign of an exponent becomes a separate token, which is harmless: it is not a name.
            rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len())
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        let named = is_word(first) && !first.is_ascii_digit();
        tokens.push(match (named, after_dot) {
            (true, false) => SourceToken::Name(piece),
            (true, true) => SourceToken::Member(piece),
            (false, _) => SourceToken::Other(piece),
        });
        after_dot = piece == ".";
        rest = after;
    }
    tokens
}

/// The text with names replaced by the results of `new`.
pub fn renamed(text: &str, new: impl Fn(&str) -> Option<String>) -> String {
    let replace = |token| match token {
        SourceToken::Name(name) => new(name).unwrap_or_else(|| name.to_owned()),
        SourceToken::Member(piece) | SourceToken::Other(piece) => piece.to_owned(),
    };
    tokens(text).into_iter().map(replace).collect()
}

/// The members that a text accesses.
pub fn members(text: &str) -> impl Iterator<Item = String> {
    tokens(text).into_iter().filter_map(|token| match token {
        SourceToken::Member(name) => Some(name.to_owned()),
        SourceToken::Name(_) | SourceToken::Other(_) => None,
    })
}

/// A function, structure or variable of a module, with the comment above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The keyword: `fn`, `struct`, `var` or `const`.
    pub kind: String,
    /// The declared name.
    pub name: String,
    /// The whole text, up to the end of its last line.
    pub text: String,
}

impl Declaration {
    fn parse(text: String) -> Option<Self> {
        let mut names = tokens(&text).into_iter().filter_map(|token| match token {
            SourceToken::Name(name) => Some(name.to_owned()),
            SourceToken::Member(_) | SourceToken::Other(_) => None,
        });
        // Attributes and their arguments come first.
        let kind = names.find(|name| matches!(name.as_str(), "fn" | "struct" | "var" | "const"))?;
        let name = names.find(|name| !matches!(name.as_str(), "storage" | "read" | "read_write" | "uniform" | "private"))?;
        Some(Declaration { kind, name, text })
    }
}

/// The declarations of a WGSL module in the layout of `shaders/lib`: each begins and ends at the start of a line.
pub fn declarations(source: &str) -> Vec<Declaration> {
    let mut all = Vec::new();
    let mut open = String::new();
    for line in source.lines() {
        let begins_inside = line.starts_with(' ');
        if line.is_empty() {
            // A comment before an empty line belongs to the file, not to the next declaration.
            open.clear();
            continue;
        }
        open.push_str(line);
        open.push('\n');
        let ends = !begins_inside && !line.starts_with("//") && (line.starts_with('}') || line.ends_with(';'));
        if ends {
            all.extend(Declaration::parse(std::mem::take(&mut open)));
        }
    }
    all
}

/// The declarations that the roots need, including themselves, in order.
pub fn reachable(all: &[Declaration], roots: &[&str]) -> Vec<Declaration> {
    let index: HashMap<&str, usize> = all.iter().enumerate().map(|(i, declaration)| (declaration.name.as_str(), i)).collect();
    let mut needed = BTreeSet::new();
    let mut open: Vec<usize> = roots.iter().filter_map(|root| index.get(root).copied()).collect();
    while let Some(i) = open.pop() {
        if needed.insert(i) {
            open.extend(tokens(&all[i].text).into_iter().filter_map(|token| match token {
                SourceToken::Name(name) => index.get(name).copied(),
                SourceToken::Member(_) | SourceToken::Other(_) => None,
            }));
        }
    }
    needed.into_iter().map(|i| all[i].clone()).collect()
}

/// A structure without the members that `keep` refuses, and without their comments.
pub fn with_members(structure: &str, keep: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let mut comment = String::new();
    let mut below_comment = false;
    for line in structure.lines() {
        let inside = line.trim_start();
        if line.starts_with(' ') && inside.starts_with("//") {
            if below_comment {
                comment.clear();
            }
            below_comment = false;
            comment.push_str(line);
            comment.push('\n');
            continue;
        }
        if line.starts_with(' ') {
            below_comment = true;
            if !inside.split(':').next().is_some_and(&keep) {
                continue;
            }
            text.push_str(&std::mem::take(&mut comment));
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::export::source::*;

    const SOURCE: &str = "// About the file.
// requires: nothing

struct Frame {
    // Steps.
    step_x: vec3<u32>,
    step_y: vec3<u32>,
    // Seeds.
    seed: u32,
}

@group(0) @binding(3) var<storage, read> frames: array<Frame>;

// What frames say.
fn frame_first(seed: u32) -> u32 {
    return frames[0].seed + seed;
}

fn unused() -> u32 {
    return frame_first(1u);
}
";

    #[test]
    fn text_is_its_tokens() {
        let joined: String = tokens(SOURCE)
            .into_iter()
            .map(|token| match token {
                SourceToken::Name(piece) | SourceToken::Member(piece) | SourceToken::Other(piece) => piece,
            })
            .collect();
        assert_eq!(joined, SOURCE);
        assert_eq!(
            tokens("a.b 1.5e3f"),
            [
                SourceToken::Name("a"),
                SourceToken::Other("."),
                SourceToken::Member("b"),
                SourceToken::Other(" "),
                SourceToken::Other("1.5e3f")
            ]
        );
    }

    #[test]
    fn only_what_is_reached_is_kept_and_comments_follow() {
        let kept = reachable(&declarations(SOURCE), &["frame_first"]);
        assert_eq!(kept.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["Frame", "frames", "frame_first"]);
        assert!(kept[2].text.starts_with("// What frames say.\nfn "));
        assert_eq!(kept.iter().map(|d| d.kind.as_str()).collect::<Vec<_>>(), ["struct", "var", "fn"]);
    }

    #[test]
    fn names_change_and_members_do_not() {
        let new = renamed("seed(a.seed, 1seed) // seed", |name| (name == "seed").then(|| "x".to_owned()));
        assert_eq!(new, "x(a.seed, 1seed) // seed");
    }

    #[test]
    fn members_go_with_their_comments() {
        let structure = &declarations(SOURCE)[0].text;
        assert_eq!(with_members(structure, |name| name == "seed"), "struct Frame {\n    // Seeds.\n    seed: u32,\n}\n");
        assert_eq!(with_members(structure, |name| name == "step_y"), "struct Frame {\n    // Steps.\n    step_y: vec3<u32>,\n}\n");
    }
}
