//! How far long work is: a bar on a terminal, a line for each tenth elsewhere.

use super::out::say;
use super::signal;
use indicatif::{ProgressBar, ProgressStyle};
use orogen::bake::Progress;
use std::io::IsTerminal;

/// Shows progress on standard error.
pub struct Shown {
    what: &'static str,
    bar: Option<ProgressBar>,
}

impl Shown {
    /// `what` follows the numbers: 3 of 4 tiles.
    pub fn new(what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {per_sec}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = || ProgressBar::new(0).with_style(style).with_message(what);
        Shown { what, bar: std::io::stderr().is_terminal().then(bar) }
    }
}

impl Progress for Shown {
    fn tile(&self, done: u64, total: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        } else if done > 0 && (done * 10 / total != (done - 1) * 10 / total || done == total) {
            say(format_args!("{done} of {total} {}", self.what));
        }
    }

    fn stops(&self) -> bool {
        signal::stops()
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
