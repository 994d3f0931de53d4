//! What a command will take, before it takes it: said with -v, and refused where it is so much that a slip of the hand is likelier.

use super::args::EngineArgs;
use super::exit::{Failure, USAGE};
use super::out::say;
use orogen::stage::Pipeline;
use orogen::{Engine, Noise, Region, Widest};

/// Evaluations that need `--force`: a processor does some hundred millions a second, so these are hours.
const MOST_EVALUATIONS: f64 = 1e13;
/// Bytes that need it, of what is held in memory at once.
const MOST_BYTES: f64 = 16e9;

/// A prediction.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Samples, each as often as the noise has octaves, sines and the like, and once for each pass over it.
    pub evaluations: f64,
    /// What is held in memory at once.
    pub bytes: f64,
    /// The stage that reaches furthest, where that takes too much memory.
    pub widest: Option<Widest>,
}

impl Cost {
    /// Of so many samples of a noise, with so many bytes for each.
    pub fn of(engine: &Engine, noise: &Noise, samples: f64, bytes: f64) -> Result<Self, Failure> {
        Ok(Cost { evaluations: samples * engine.prepare(noise)?.terms() as f64, bytes: samples * bytes, widest: None })
    }

    /// Of layers of a region.
    pub fn of_layers(engine: &Engine, pipeline: &Pipeline, layers: &[&str], region: &Region) -> Result<Self, Failure> {
        let estimate = engine.estimate(pipeline, layers, region)?;
        let held = region.samples() as f64 * 4.0 * layers.len() as f64;
        let bytes = held + estimate.memory as f64;
        let widest = if bytes > MOST_BYTES { engine.widest_stage(pipeline, layers, region) } else { None };
        Ok(Cost { evaluations: estimate.terms as f64, bytes, widest })
    }

    /// So many times, one after the other.
    pub fn times(self, count: u64) -> Self {
        Cost { evaluations: self.evaluations * count as f64, ..self }
    }

    /// Says it with `-v`, and refuses what is too much.
    pub fn allow(&self, args: &EngineArgs) -> Result<(), Failure> {
        if args.verbose {
            say(format_args!("predicted: {:.1e} evaluations, {:.0} MiB of memory", self.evaluations, self.mib()));
        }
        self.within(args)
    }

    fn mib(&self) -> f64 {
        self.bytes / 1_048_576.0
    }

    /// Refuses what is too much without `--force`.
    pub fn within(&self, args: &EngineArgs) -> Result<(), Failure> {
        if args.force {
            return Ok(());
        }
        let (evaluations, mib) = (self.evaluations, self.mib());
        let refuse =
            |what: String, allowed: String| Err(Failure::message(USAGE, format!("this takes {what}; allowed without --force: {allowed}")));
        if evaluations > MOST_EVALUATIONS {
            return refuse(format!("{evaluations:.1e} evaluations"), format!("{MOST_EVALUATIONS:.0e}"));
        }
        if self.bytes > MOST_BYTES {
            let because = self.widest.as_ref().map_or_else(String::new, |widest| format!(", as {widest}"));
            return refuse(format!("{mib:.0} MiB of memory{because}"), format!("{:.0}", MOST_BYTES / 1_048_576.0));
        }
        Ok(())
    }
}
