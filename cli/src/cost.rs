//! The predicted cost of a command: printed with -v, and refused above the limits unless --force is given. A mistyped number
//! usually exceeds the limits.

use super::args::EngineArgs;
use super::exit::Failure;
use super::out::say;
use orogen::bake::Step;
use orogen::bake::request::Cost;
use orogen::{Engine, Noise};

/// The cost of `samples` samples of a noise that take `bytes` bytes each.
pub fn estimate(engine: &Engine, noise: &Noise, samples: f64, bytes: f64) -> Result<Cost, Failure> {
    Ok(Cost { evaluations: samples * engine.prepare(noise)?.terms() as f64, bytes: samples * bytes, ..Cost::default() })
}

/// Limits of a cost, from the command's flags.
pub trait Limited {
    /// Prints the cost with `-v`, and refuses one above the limits without `--force`.
    fn allow(&self, args: &EngineArgs) -> Result<(), Failure>;

    /// Refuses a cost above the limits without `--force`.
    fn within(&self, args: &EngineArgs) -> Result<(), Failure>;
}

impl Limited for Cost {
    fn allow(&self, args: &EngineArgs) -> Result<(), Failure> {
        if args.verbose {
            say(Step::Predicted(self.clone()));
        }
        self.within(args)
    }

    fn within(&self, args: &EngineArgs) -> Result<(), Failure> {
        if args.force { Ok(()) } else { Ok(self.check()?) }
    }
}
