//! Shared argument handling: the engine, a recipe and its noise, layers and sizes.

use super::args::{ArithmeticArg, BackendArg, ChangeArgs, EngineArgs, WaterArg};
use super::exit::{DATA, Failure, USAGE};
use super::out::say;
use orogen::stage::StageError;
use orogen::stats::Band;
use orogen::{Arithmetic, Backend, Engine, EngineError, EngineOptions, Field, LayersError, Noise, Recipe, Region, Threads, Water};
use std::path::Path;

/// A noise on a region, with gradients if it has them.
pub fn jets(engine: &Engine, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
    if noise.has_gradient() { engine.field_with_gradient(noise, region) } else { engine.field(noise, region) }
}

/// Opens the requested engine.
pub fn engine(args: &EngineArgs) -> Result<Engine, Failure> {
    let options = EngineOptions {
        backend: match args.backend {
            BackendArg::Auto => Backend::Auto,
            BackendArg::Gpu => Backend::Gpu,
            BackendArg::Cpu => Backend::Cpu,
            BackendArg::Oracle => Backend::Oracle,
        },
        adapter: args.adapter.clone(),
        arithmetic: args.arithmetic.map(|a| match a {
            ArithmeticArg::Exact => Arithmetic::Exact,
            ArithmeticArg::Fast => Arithmetic::Fast,
        }),
        cache: None,
        memory: args.memory.map(|mib| mib << 20),
        threads: args.threads.map_or(Threads::Shared, Threads::Own),
        water: match args.trace_water {
            WaterArg::Cpu => Water::Cpu,
            WaterArg::Gpu => Water::Gpu,
        },
    };
    let engine = Engine::open(&options)?;
    if args.verbose {
        say(engine.summary());
        if let Some(why) = engine.describe().gpu_refused {
            say(format_args!("not on a GPU: {why}"));
        }
    }
    Ok(engine)
}

/// A recipe and its noise.
pub fn recipe(path: &Path, changes: &ChangeArgs) -> Result<(Noise, Recipe), Failure> {
    let recipe = changes.load(path)?;
    Ok((noise(path, &recipe)?, recipe))
}

/// A recipe's noise. Prints a note if the recipe's output is a stage.
pub fn noise(path: &Path, recipe: &Recipe) -> Result<Noise, Failure> {
    let (pipeline, output) = (&recipe.pipeline, &recipe.pipeline.output);
    let Some(node) = pipeline.underneath() else {
        let message = format!("{}: '{output}' does not depend on a noise; allowed: recipes with a node", path.display());
        return Err(Failure::message(DATA, message));
    };
    if pipeline.has_stages() {
        say(format_args!("note: '{output}' is a stage or reads one; using its noise, '{node}'"));
    }
    pipeline.noise_of(node).map_err(|error| Failure::message(DATA, format!("{}: {error}", path.display())))
}

/// The layer that `--layer` names, or the recipe's output.
pub fn layer<'a>(recipe: &'a Recipe, named: &'a Option<String>) -> Result<&'a str, Failure> {
    let Some(name) = named else { return Ok(&recipe.pipeline.output) };
    match recipe.pipeline.channels(name) {
        Ok(_) => Ok(name),
        Err(StageError::Unknown { known, .. }) => Err(Failure::message(USAGE, format!("--layer {name} names no stage or node; {known}"))),
        Err(error) => Err(LayersError::from(error).into()),
    }
}

/// Parses `W,H` in pixels, each at least `least`.
pub fn size(text: &str, least: u32) -> Result<[u32; 2], Failure> {
    let number = |t: &str| t.trim().parse::<u32>().ok().filter(|n| (least..=4096).contains(n));
    let parsed = text.split_once(',').and_then(|(w, h)| Some([number(w)?, number(h)?]));
    parsed.ok_or_else(|| Failure::message(USAGE, format!("--size {text} is not allowed; allowed: W,H from {least} to 4096 pixels each")))
}

/// Number of samples along each edge of the square to measure.
pub fn edge(size: u32) -> Result<u32, Failure> {
    let allowed = (64..=2048).contains(&size).then_some(size);
    allowed.ok_or_else(|| Failure::message(USAGE, format!("--size {size} is not allowed; allowed: 64 to 2048 samples")))
}

/// `LO,HI` in cycles per sample. The default is from four cycles per edge, below which a few features dominate, to half of the
/// Nyquist frequency.
pub fn band(text: Option<&str>, edge: u32) -> Result<Band, Failure> {
    let Some(text) = text else { return Ok(Band::new(4.0 / f64::from(edge), 0.25)) };
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|f| (0.0..=0.5).contains(f));
    let parsed = text.split_once(',').and_then(|(lo, hi)| Some((number(lo)?, number(hi)?))).filter(|(lo, hi)| lo < hi);
    let wrong = || Failure::message(USAGE, format!("--band {text} is not allowed; allowed: LO,HI from 0 to 0.5 cycles per sample"));
    parsed.map(|(lo, hi)| Band::new(lo, hi)).ok_or_else(wrong)
}
