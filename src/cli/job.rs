//! What the arguments mean: recipe and flags joined, engine opened, range decided.

use super::args::{ArithmeticArg, BackendArg, BakeArgs, EngineArgs, RangeArg};
use super::exit::{Failure, USAGE};
use orogen::bake::{Plan, RangeKind, RangeRecord, Tiles, measure};
use orogen::measure::Band;
use orogen::{Arithmetic, Backend, Engine, EngineOptions, Noise, Parity, Recipe};
use std::path::Path;

/// Opens the engine that was asked for.
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
    };
    Ok(Engine::open(&options)?)
}

/// One line that says what an engine runs on.
pub fn describe(engine: &Engine) -> String {
    let is = engine.describe();
    let parity = match (is.parity, engine.arithmetic()) {
        (Some(Parity::Exact), Some(Arithmetic::Exact)) => {
            "f32 in exact arithmetic, the same bits as the CPU (as a dispatch at start-up has shown)"
        }
        (Some(Parity::Exact), Some(Arithmetic::Fast)) => {
            "f32 in fast arithmetic, which gave the same bits as the CPU in a dispatch at start-up"
        }
        (Some(Parity::Exact), None) => "f32, the same bits as every exact backend",
        (Some(Parity::Bounded), _) => "f32 in fast arithmetic, within stated bounds of the CPU",
        (None, _) => "f64",
    };
    format!("{} ({}): {parity}", is.backend, is.adapter)
}

/// A recipe's noise and its bake settings.
pub fn recipe(path: &Path) -> Result<(Noise, Recipe), Failure> {
    let recipe = Recipe::load(path)?;
    Ok((Noise::from(recipe.graph.clone()), recipe))
}

/// Which tiles to bake: the recipe's settings, overridden by flags.
pub fn plan(recipe: &Recipe, args: &BakeArgs) -> Result<Plan, Failure> {
    let [columns, rows] = recipe.bake.tiles.map(i64::from);
    let plan = Plan {
        tile: args.tile.unwrap_or(recipe.bake.tile),
        tiles: args.tiles.clone().unwrap_or(Tiles { x: 0..columns, y: 0..rows }),
        overlap: args.overlap,
        level: args.level,
        spacing: recipe.bake.spacing,
        z: args.z.unwrap_or(recipe.bake.z),
    };
    plan.check()?;
    Ok(plan)
}

/// The range that integer formats declare.
pub fn range(engine: &Engine, noise: &Noise, plan: &Plan, wanted: RangeArg) -> Result<RangeRecord, Failure> {
    Ok(match wanted {
        RangeArg::Declared(lo, hi) => RangeRecord { lo, hi, kind: RangeKind::Declared },
        RangeArg::Proven => {
            let range = noise.range()?;
            RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Proven }
        }
        RangeArg::Measured => {
            let range = measure(engine, noise, plan)?;
            RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Measured }
        }
    })
}

/// `W,H` in pixels.
pub fn size(text: &str) -> Result<[u32; 2], Failure> {
    let number = |t: &str| t.trim().parse::<u32>().ok().filter(|n| (1..=4096).contains(n));
    let parsed = text.split_once(',').and_then(|(w, h)| Some([number(w)?, number(h)?]));
    parsed.ok_or_else(|| Failure::message(USAGE, format!("--size {text} is not allowed; allowed: W,H from 1 to 4096 pixels each")))
}

/// Samples along each edge of a square to measure.
pub fn edge(size: u32) -> Result<u32, Failure> {
    let allowed = (64..=2048).contains(&size).then_some(size);
    allowed.ok_or_else(|| Failure::message(USAGE, format!("--size {size} is not allowed; allowed: 64 to 2048 samples")))
}

/// `LO,HI` in cycles per sample; not given: from four cycles per edge, below which a few features decide, to half the highest
/// frequency that samples can hold.
pub fn band(text: Option<&str>, edge: u32) -> Result<Band, Failure> {
    let Some(text) = text else { return Ok(Band::new(4.0 / f64::from(edge), 0.25)) };
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|f| (0.0..=0.5).contains(f));
    let parsed = text.split_once(',').and_then(|(lo, hi)| Some((number(lo)?, number(hi)?))).filter(|(lo, hi)| lo < hi);
    let wrong = || Failure::message(USAGE, format!("--band {text} is not allowed; allowed: LO,HI from 0 to 0.5 cycles per sample"));
    parsed.map(|(lo, hi)| Band::new(lo, hi)).ok_or_else(wrong)
}
