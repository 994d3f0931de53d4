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
