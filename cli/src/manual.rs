//! Manual pages and shell completions, generated from the arguments in `args`.

use super::args::Args;
use super::exit::Failure;
use super::out;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use std::path::Path;

/// Prints the completion script of a shell: `orogen completions`.
pub fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "orogen", &mut script);
    out::print(String::from_utf8_lossy(&script).trim_end())
}

/// Writes one manual page for each command: `orogen manual`.
pub fn pages(directory: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(directory, &error);
    std::fs::create_dir_all(directory).map_err(failed)?;
    let orogen = command();
    for command in std::iter::once(&orogen).chain(orogen.get_subcommands()) {
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut page).map_err(failed)?;
        out::write(&directory.join(format!("{}.1", name(command))), page)?;
    }
    Ok(())
}

/// The command with all its subcommands, without the `help` that clap adds.
fn command() -> Command {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    command
}

/// The name of a command's page: `orogen-bake` for `orogen bake`.
fn name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;
    use std::fmt::Write;

    /// The page docs/reference/command.md.
    fn reference() -> String {
        let orogen = command();
        let mut page = "# The command `orogen`\n\nGenerated from the command's own arguments by the test \
            `manual::tests::the_reference_is_that_of_the_arguments`; do not edit.\n\n"
            .to_owned();
        page += orogen.get_after_help().expect("exit codes").to_string().trim();
        page += "\n\n";
        for command in orogen.get_subcommands() {
            let name = command.get_name();
            writeln!(page, "- [`{name}`](#orogen-{name}): {}", about(command)).expect("text");
        }
        for command in orogen.get_subcommands() {
            let usage = command.clone().render_usage().to_string();
            let usage = usage.trim_start_matches("Usage: ");
            write!(page, "\n## orogen {}\n\n{}.\n\n```text\n{usage}\n```\n\n", command.get_name(), about(command)).expect("text");
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                writeln!(page, "- {}: {}", names(argument), description(argument)).expect("text");
            }
        }
        page
    }

    fn about(command: &Command) -> String {
        command.get_about().expect("each command has a description").to_string()
    }

    /// An argument as it is typed, with the name of its value.
    fn names(argument: &Arg) -> String {
        let values = argument.get_value_names().unwrap_or_default().join(" ");
        let takes_value = argument.get_action().takes_values();
        let names = [argument.get_short().map(|short| format!("-{short}")), argument.get_long().map(|long| format!("--{long}"))];
        let names: Vec<String> = names.into_iter().flatten().collect();
        match (names.is_empty(), takes_value) {
            (true, _) => format!("`<{values}>`"),
            (false, true) => format!("`{} <{values}>`", names.join(", ")),
            (false, false) => format!("`{}`", names.join(", ")),
        }
    }

    /// What an argument does, its default and its choices.
    fn description(argument: &Arg) -> String {
        let mut text = argument.get_help().map(ToString::to_string).unwrap_or_default().replace('<', "&lt;");
        let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        if argument.get_action().takes_values() && !defaults.is_empty() {
            write!(text, " [default: `{}`]", defaults.join(" ")).expect("text");
        }
        let choices = argument.get_possible_values();
        if argument.get_action().takes_values() && !choices.is_empty() {
            let choices: Vec<String> = choices.iter().map(|choice| format!("`{}`", choice.get_name())).collect();
            write!(text, " [choices: {}]", choices.join(", ")).expect("text");
        }
        text
    }

    #[test]
    #[cfg(feature = "serve")]
    fn the_reference_is_that_of_the_arguments() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/command.md");
        let page = reference();
        if std::env::var_os("OROGEN_FREEZE").is_some() {
            std::fs::write(file, &page).expect("the page is written");
        }
        let written = std::fs::read_to_string(file).unwrap_or_default();
        assert!(written == page, "docs/reference/command.md is out of date: OROGEN_FREEZE=1 writes it");
    }

    #[test]
    fn every_command_has_a_page_that_names_its_arguments() {
        let directory = tempfile::tempdir().expect("a directory");
        pages(directory.path()).expect("pages are written");
        let orogen = command();
        for command in orogen.get_subcommands() {
            let page = std::fs::read_to_string(directory.path().join(format!("{}.1", name(command)))).expect("the command has a page");
            for argument in command.get_arguments().filter_map(Arg::get_long) {
                assert!(page.contains(&argument.replace('-', "\\-")), "{}: --{argument} is missing", command.get_name());
            }
        }
        assert!(directory.path().join("orogen.1").is_file());
        assert_eq!(orogen.render_version(), format!("orogen {}\n", env!("CARGO_PKG_VERSION")));
    }
}
