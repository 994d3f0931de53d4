//! The predicted cost of a command: printed with -v, and refused above the limits unless --force is given. A mistyped number
//! usually exceeds the limits.

use super::args::{AnyFormat, BakeArgs, EngineArgs};
use super::counted::Counted;
use super::exit::Failure;
use super::job;
use super::out::{print, say};
use orogen::bake::Step;
use orogen::bake::request::{Cost, Resolved};
use orogen::stage::Pipeline;
use orogen::{Engine, Noise, Region};
use std::time::Instant;

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

/// Prints the predicted work, time, memory and size of a bake, without a limit. The time is that of one tile, multiplied by the
/// ratio of the work.
pub fn dry_run(args: &BakeArgs) -> Result<(), Failure> {
    let request = if let Some(AnyFormat::Map(_)) = args.format { args.map_request()? } else { args.request()? };
    let (engine, resolved, pipeline) = (job::engine(&args.engine)?, request.resolve()?, &request.recipe.pipeline);
    let plan = &resolved.plan;
    let tile = plan.region((plan.tiles.x.start, plan.tiles.y.start));
    let of_tile = Cost::of_layers(&engine, pipeline, &resolved.layers(), &tile)?;
    let (cost, bytes) = (whole(&engine, pipeline, &resolved, &tile)?, resolved.bytes(pipeline)?);
    of_tile.within(&args.engine)?;
    let started = Instant::now();
    engine.layers(pipeline, &resolved.layers(), &tile)?;
    let seconds = started.elapsed().as_secs_f64() * cost.evaluations / of_tile.evaluations.max(1.0);
    let (edge, files) = (plan.tile + plan.overlap, resolved.files.len());
    if args.json {
        let report = serde_json::json!({
            "tiles": plan.count(), "edge": edge, "files": plan.count() * files as u64, "bytes": bytes,
            "evaluations": cost.evaluations, "memory": cost.bytes, "seconds": seconds, "engine": engine.summary(),
        });
        return print(format_args!("{report:#}"));
    }
    let (tiles, files) = (plan.count(), plan.count() * files as u64);
    print(format_args!(
        "{} of {edge} × {edge} samples in {}, {} before compression",
        Counted(tiles, "tile"),
        Counted(files, "file"),
        size(bytes)
    ))?;
    print(format_args!("{}", Step::Predicted(cost)))?;
    print(format_args!("about {seconds:.1} s, by the time of one tile on {}", engine.summary()))
}

/// The work of all tiles as one region, whose blocks share halos, and the memory of one tile. Beyond 2³⁴ samples: the work of single
/// tiles.
fn whole(engine: &Engine, pipeline: &Pipeline, resolved: &Resolved, tile: &Region) -> Result<Cost, Failure> {
    match resolved.plan.samples().map(u32::try_from) {
        [Ok(width), Ok(height)] if u64::from(width) * u64::from(height) <= 1 << 34 => {
            let region = Region { size: [width, height, 1], ..*tile };
            let all = Cost::of_layers(engine, pipeline, &resolved.layers(), &region)?;
            Ok(Cost { evaluations: all.evaluations, ..Cost::of_layers(engine, pipeline, &resolved.layers(), tile)? })
        }
        _ => Ok(resolved.cost(engine, pipeline)?),
    }
}

/// A size in bytes, for readers.
fn size(bytes: f64) -> String {
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}
