//! The command `orogen`: `args` (arguments) → a verb → `exit` (the exit code), and the studio's server, `serve`. Both use only
//! the library's public interface.
#![deny(unsafe_code)]
// The compiler checks that every task of the studio is `Send`, through the deeply nested types of wgpu that an engine holds.
#![recursion_limit = "256"]
// `println!` panics if the output pipe is closed; functions of `out` do not.
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![expect(clippy::disallowed_methods, reason = "displayed text may differ in a last digit")]

mod args;
mod bake;
mod check;
mod cost;
mod counted;
mod display;
mod equalise;
mod exit;
mod export;
mod features;
mod finished;
mod hexmap;
mod import;
mod inspect;
mod job;
mod jobs;
mod lines;
mod manual;
mod map;
mod memory;
mod out;
mod output;
mod place_rules;
mod places;
mod preview;
mod progress;
mod quote;
mod report;
mod rivers;
mod sample;
mod scheduler;
#[cfg(feature = "serve")]
mod serve;
mod shard;
mod signal;
mod spectrum;
mod tell;
mod verify;
mod volume;

use args::{Args, BackendArg, Verb};
use clap::Parser;
use exit::Failure;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::OrEnd = memory::OrEnd;

/// Parses the arguments, runs the verb and reports the result.
fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version exit with 0, everything else is a usage error. clap chooses the stream.
            let code = if error.use_stderr() { exit::USAGE } else { 0 };
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            if let Some(hint) = features::hint(&error) {
                out::say(hint);
            }
            let failure = printed.err().map(|error| out::stdout_failed(&error)).filter(|_| code == 0);
            return end(failure.map_or(Ok(code), Err));
        }
    };
    if args.verb.may_use_gpu() {
        display::without();
    }
    let run = || run(&args.verb).map_err(|failure| failure.located(args.verb.recipe()));
    end(signal::watch(args.verb.code_of_signals()).and_then(|()| run()).map(|()| 0))
}

fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Bake(args) => bake::run(args),
        Verb::Plan(args) => shard::plan(args),
        Verb::Measure(args) => shard::measure(args),
        Verb::Status(args) => shard::status(args),
        Verb::Jobs(args) => jobs::run(args),
        Verb::Seal(args) => shard::seal(args),
        Verb::Map(args) => map::run_verb(args),
        Verb::Check(args) => check::run(args),
        Verb::Sample(args) => sample::run(args),
        Verb::Preview(args) => preview::run(args),
        Verb::Equalise(args) => equalise::run(args),
        Verb::Hexmap(args) => hexmap::run(args),
        Verb::Inspect(args) => inspect::run(args),
        Verb::Spectrum(args) => spectrum::run(args),
        Verb::Places(args) => places::run(args),
        Verb::Contours(args) => lines::contour(args),
        Verb::Coast(args) => lines::coast(args),
        Verb::Edge(args) => lines::edge(args),
        Verb::Rivers(args) => rivers::run(args),
        Verb::Volume(args) => volume::run(args),
        Verb::Export(args) => export::run(args),
        Verb::Import(args) => import::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Info(args) => tell::info(args),
        Verb::Schema => tell::schema(),
        Verb::Presets(args) => tell::presets(args),
        Verb::Completions(args) => manual::completions(args.shell),
        Verb::Manual(args) => manual::pages(&args.directory),
        #[cfg(feature = "serve")]
        Verb::Serve(args) => serve(args),
    }
}

impl Verb {
    /// Whether the command may search for GPUs.
    fn may_use_gpu(&self) -> bool {
        let engine = match self {
            Verb::Bake(args) => &args.engine,
            Verb::Measure(args) => &args.engine,
            Verb::Check(args) => &args.engine,
            Verb::Sample(args) => &args.engine,
            Verb::Preview(args) => &args.engine,
            Verb::Inspect(args) => &args.engine,
            Verb::Equalise(args) => &args.engine,
            Verb::Hexmap(args) => &args.engine,
            Verb::Spectrum(args) => &args.engine,
            Verb::Places(args) => &args.engine,
            Verb::Contours(args) => &args.engine,
            Verb::Coast(args) => &args.engine,
            Verb::Rivers(args) => &args.engine,
            Verb::Volume(args) => &args.engine,
            Verb::Verify(args) => &args.engine,
            #[cfg(feature = "serve")]
            Verb::Serve(args) => &args.engine,
            Verb::Info(_) | Verb::Plan(_) => return true,
            Verb::Status(_)
            | Verb::Jobs(_)
            | Verb::Seal(_)
            | Verb::Map(_)
            | Verb::Edge(_)
            | Verb::Export(_)
            | Verb::Import(_)
            | Verb::Schema
            | Verb::Presets(_)
            | Verb::Completions(_)
            | Verb::Manual(_) => return false,
        };
        matches!(engine.backend, BackendArg::Auto | BackendArg::Gpu)
    }

    /// The recipe argument, if the verb has one.
    fn recipe(&self) -> Option<&Path> {
        match self {
            Verb::Bake(args) => Some(&args.recipe),
            Verb::Plan(args) => Some(&args.bake.recipe),
            Verb::Sample(args) => Some(&args.recipe),
            Verb::Preview(args) => Some(&args.recipe),
            Verb::Inspect(args) => Some(&args.recipe),
            Verb::Equalise(args) => Some(&args.recipe),
            Verb::Hexmap(args) => Some(&args.recipe),
            Verb::Spectrum(args) => Some(&args.recipe),
            Verb::Places(args) => Some(&args.recipe),
            Verb::Contours(args) => Some(&args.recipe),
            Verb::Coast(args) => Some(&args.recipe),
            Verb::Rivers(args) => Some(&args.recipe),
            Verb::Volume(args) => Some(&args.recipe),
            Verb::Export(args) => Some(&args.recipe),
            Verb::Verify(args) => Some(&args.recipe),
            Verb::Measure(_)
            | Verb::Status(_)
            | Verb::Jobs(_)
            | Verb::Seal(_)
            | Verb::Map(_)
            | Verb::Import(_)
            | Verb::Check(_)
            | Verb::Edge(_)
            | Verb::Info(_)
            | Verb::Schema
            | Verb::Presets(_)
            | Verb::Completions(_)
            | Verb::Manual(_) => None,
            #[cfg(feature = "serve")]
            Verb::Serve(_) => None,
        }
    }

    /// The exit code after a signal.
    fn code_of_signals(&self) -> u8 {
        match self {
            #[cfg(feature = "serve")]
            Verb::Serve(_) => 0,
            _ => exit::TRANSIENT,
        }
    }
}

/// `orogen serve`.
#[cfg(feature = "serve")]
fn serve(args: &args::ServeArgs) -> Result<(), Failure> {
    let args::ServeArgs { recipe, port, out, open, timings, engine } = args;
    if let Some(recipe) = recipe.as_ref().filter(|recipe| !recipe.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))) {
        let message = format!("{}: the studio does not write this file; allowed: a name that ends in .toml", recipe.display());
        return Err(Failure::message(exit::USAGE, message));
    }
    let options = serve::Options { recipe: recipe.clone(), port: *port, out: out.clone(), open: *open, timings: *timings };
    serve::run(job::engine(engine)?, options)
}

/// Reports the failure, if there is one.
fn end(result: Result<u8, Failure>) -> ExitCode {
    ExitCode::from(result.unwrap_or_else(|failure| {
        if failure.code != 0 {
            out::say(format_args!("orogen: {failure}"));
        }
        failure.code
    }))
}
