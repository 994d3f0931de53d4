//! Text at the end of a bake or a map: the command that continues it, the files that were damaged, and how to open arrays.

use super::exit::{Failure, TRANSIENT};
use super::out::say;
use super::quote;
use orogen::bake::BakeError;

/// Maximum number of names in a warning.
pub const SAID: usize = 10;

/// The error of a bake, with the command that continues it if it was stopped.
pub fn to_go_on(error: BakeError) -> Failure {
    let typed = || std::env::args_os().map(|word| quote::word(&word.to_string_lossy())).collect::<Vec<_>>().join(" ");
    match error {
        BakeError::Stopped => Failure::message(TRANSIENT, format_args!("{error}; to go on: {}", typed())),
        error => error.into(),
    }
}

/// Reports files that differed from their records.
pub fn mended(damaged: &[String]) {
    for file in damaged.iter().take(SAID) {
        say(format_args!("warning: {file} was missing or damaged"));
    }
    if damaged.len() > SAID {
        say(format_args!("warning: {} more files were missing or damaged", damaged.len() - SAID));
    }
}

/// The command that opens the arrays.
pub fn opened(out: &dyn std::fmt::Display) -> String {
    format!("to open it: xarray.open_zarr(\"{out}/world.zarr\", group=\"0\", consolidated=False)")
}
