//! Progress of long work: a bar on a terminal, a line per tenth elsewhere.

use super::args::EngineArgs;
use super::out::say;
use super::signal;
use indicatif::{ProgressBar, ProgressStyle};
use orogen::Engine;
use orogen::bake::{Progress, Step};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

/// Shows progress on standard error.
pub struct Shown {
    /// The noun after the numbers, as in "3 of 4 tiles".
    what: Mutex<&'static str>,
    bar: Option<ProgressBar>,
    /// The engine that evaluates, for the line that begins a bake.
    on: String,
    verbose: bool,
}

impl Shown {
    /// Progress of a single step that counts `what`.
    pub fn new(what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {per_sec}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = || ProgressBar::new(0).with_style(style).with_message(what);
        Shown { what: Mutex::new(what), bar: std::io::stderr().is_terminal().then(bar), on: String::new(), verbose: false }
    }

    /// Progress of a request, whose steps are shown as well.
    pub fn of_request(engine: &Engine, args: &EngineArgs) -> Self {
        let mut shown = Shown::new("tiles");
        (shown.on, shown.verbose) = (format!(" on {}", engine.summary()), args.verbose);
        shown
    }

    /// Counts another unit from here on.
    fn counts(&self, what: &'static str) {
        *self.what.lock().unwrap_or_else(PoisonError::into_inner) = what;
        if let Some(bar) = &self.bar {
            bar.set_message(what);
            bar.reset();
        }
    }
}

impl Progress for Shown {
    fn tile(&self, done: u64, total: u64) {
        let what = *self.what.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        } else if done > 0 && (done * 10 / total != (done - 1) * 10 / total || done == total) {
            say(format_args!("{done} of {total} {what}"));
        }
    }

    fn step(&self, step: &Step) {
        match step {
            Step::Predicted(_) if self.verbose => say(step),
            Step::Predicted(_) => (),
            Step::Measuring { .. } => {
                say(step);
                self.counts("pieces");
            }
            Step::Baking { .. } => {
                say(format_args!("{step}{}", self.on));
                self.counts("tiles");
            }
            Step::Sealing => self.counts("sealed"),
            Step::Mapping => self.counts("parts of the map"),
            // Later steps may have a line as well.
            step => say(step),
        }
        // Measurements record their progress, so a signal may end them at once.
        signal::bakes(matches!(step, Step::Baking { .. } | Step::Sealing | Step::Mapping));
    }

    fn stops(&self) -> bool {
        signal::stops()
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        signal::bakes(false);
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
