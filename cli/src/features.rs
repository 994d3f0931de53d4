//! Features of the build that are visible in the command line, and a hint for words that need one which this build lacks.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// A word that clap accepts only in builds with a feature.
struct Optional {
    word: &'static str,
    feature: &'static str,
    built: bool,
}

const OPTIONAL: [Optional; 2] = [
    Optional { word: "zarr", feature: "zarr", built: cfg!(feature = "zarr") },
    Optional { word: "serve", feature: "serve", built: cfg!(feature = "serve") },
];

/// The feature that a refused value or verb needs, as a line below clap's message; `None` if it needs none, or this build has it.
pub fn hint(error: &clap::Error) -> Option<String> {
    hint_among(&OPTIONAL, error)
}

fn hint_among(optional: &[Optional], error: &clap::Error) -> Option<String> {
    let kind = match error.kind() {
        ErrorKind::InvalidValue => ContextKind::InvalidValue,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return None,
    };
    let Some(ContextValue::String(given)) = error.get(kind) else { return None };
    let Optional { word, feature, .. } = optional.iter().find(|one| one.word == given && !one.built)?;
    Some(format!(
        "note: '{word}' needs a build with the feature {feature}: cargo build --release --package orogen-cli --features {feature}"
    ))
}

#[cfg(test)]
mod tests {
    use super::{Optional, hint_among};
    use crate::args::Args;
    use clap::Parser;

    #[test]
    fn a_word_of_a_missing_feature_names_the_feature() {
        let hint = |built, words: &str| {
            let optional = ["tapestry", "weave"].map(|word| Optional { word, feature: "loom", built });
            let error = Args::try_parse_from(words.split(' ')).expect_err("no such word");
            hint_among(&optional, &error)
        };
        let note = "needs a build with the feature loom: cargo build --release --package orogen-cli --features loom";
        for (words, word) in [
            ("orogen bake r.toml --out world --format tapestry", "tapestry"),
            ("orogen map world --out map --format tapestry", "tapestry"),
            ("orogen weave r.toml", "weave"),
        ] {
            assert_eq!(hint(false, words), Some(format!("note: '{word}' {note}")), "{words}");
            assert_eq!(hint(true, words), None, "{words}");
        }
        assert_eq!(hint(false, "orogen bake r.toml --out world --format felt"), None);
        assert_eq!(hint(false, "orogen bake r.toml --tapestry"), None);
    }
}
