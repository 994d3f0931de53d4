//! What the arguments mean: recipe and flags joined, engine opened, range decided.

use super::args::{AnyFormat, ArithmeticArg, BackendArg, BakeArgs, EngineArgs, MapFormat, RangeArg};
use super::exit::{DATA, Failure, USAGE};
use super::out::say;
use orogen::bake::{Format, Known, Plan, Preset, Product, RangeKind, RangeRecord, Tiles, Unmeasured, measure_ranges};
use orogen::stage::{Pipeline, StageError};
use orogen::stats::Band;
use orogen::{Arithmetic, Backend, Checkpoint, Engine, EngineOptions, Interval, LayersError, Noise, Parity, Recipe, Region, Threads};
use serde::Serialize;
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
        threads: args.threads.map_or(Threads::Shared, Threads::Own),
    };
    let engine = Engine::open(&options)?;
    if args.verbose {
        say(format_args!("{}", describe(&engine)));
        if let Some(why) = engine.describe().gpu_refused {
            say(format_args!("not on a GPU: {why}"));
        }
    }
    Ok(engine)
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

/// A recipe and its noise.
pub fn recipe(path: &Path) -> Result<(Noise, Recipe), Failure> {
    let recipe = Recipe::load(path)?;
    Ok((noise(path, &recipe)?, recipe))
}

/// A recipe's noise. Says so where the recipe's output is a stage, after the noise.
pub fn noise(path: &Path, recipe: &Recipe) -> Result<Noise, Failure> {
    let (pipeline, output) = (&recipe.pipeline, &recipe.pipeline.output);
    let Some(node) = pipeline.underneath() else {
        let message = format!("{}: there is no noise under '{output}'; allowed: recipes with a node", path.display());
        return Err(Failure::message(DATA, message));
    };
    if pipeline.has_stages() {
        say(format_args!("note: '{output}' is a stage; of noise, this is '{node}', which lies under it"));
    }
    pipeline.noise_of(node).map_err(|error| Failure::message(DATA, format!("{}: {error}", path.display())))
}

/// Which tiles to bake: the recipe's settings, overridden by flags.
pub fn plan(recipe: &Recipe, args: &BakeArgs) -> Result<Plan, Failure> {
    let [columns, rows] = recipe.bake.tiles.map(i64::from);
    let plan = Plan {
        tile: args.tile.unwrap_or(recipe.bake.tile),
        tiles: args.tiles.clone().unwrap_or(Tiles { x: 0..columns, y: 0..rows }),
        overlap: args.overlap.unwrap_or(0),
        level: args.level,
        spacing: recipe.bake.spacing,
        z: args.z.unwrap_or(recipe.bake.z),
    };
    plan.check()?;
    Ok(plan)
}

/// The formats, names and ranges that a destination asks for: the one of the flag `--for`, else the recipe's.
pub fn preset(recipe: &Recipe, args: &BakeArgs, plan: &Plan) -> Result<Option<Preset>, Failure> {
    let destination = args.destination.or(recipe.bake.destination);
    let Some(destination) = destination else { return Ok(None) };
    Ok(Some(Preset::new(destination, plan, args.overlap, args.tile_format()?)?))
}

/// The extent of the recipe's tiles, in samples of the level that is baked.
fn extent(recipe: &Recipe, plan: &Plan) -> [u64; 2] {
    recipe.bake.tiles.map(|tiles| ((u64::from(tiles) * u64::from(recipe.bake.tile)) >> plan.level.min(62)).max(1))
}

/// What is to be written of each layer and what has to be measured for it, where nothing is measured yet.
pub fn unmeasured(recipe: &Recipe, plan: &Plan, wanted: Vec<Wanted>) -> (Vec<Product>, Unmeasured) {
    let mut ranges = Vec::new();
    let product = |Wanted { layer, format, range }: Wanted| {
        let range = match range {
            WantedRange::None => None,
            WantedRange::Known(range) => Some(range),
            WantedRange::Measured => {
                ranges.push(layer.clone());
                None
            }
        };
        Product { layer, format, range }
    };
    let products = wanted.into_iter().map(product).collect();
    (products, Unmeasured { size: extent(recipe, plan), ranges })
}

/// A recipe's pipeline with all that its layers need of the whole world: of the recipe's tiles, whichever are to be baked now.
pub fn measured(
    engine: &Engine,
    recipe: &Recipe,
    plan: &Plan,
    layers: &[&str],
    checkpoint: &mut dyn Checkpoint,
) -> Result<Pipeline, Failure> {
    let [width, height] = extent(recipe, plan).map(|samples| samples as i64);
    let first = Plan { overlap: 0, ..plan.clone() }.region((0, 0));
    // As few regions as there can be: blocks are cut out of each, and those at its edges are smaller for the same halo.
    let strip = ((1 << 32) / width).clamp(1, height);
    let rows = (0..height).step_by(strip as usize).map(|y| Region {
        origin: [0, y, 0],
        size: [width.min(i64::from(u32::MAX)) as u32, strip.min(height - y) as u32, 1],
        ..first
    });
    Ok(engine.measure_noting(&recipe.pipeline, layers, &rows.collect::<Vec<_>>(), checkpoint)?)
}

/// The layer that `--layer` names, or the recipe's output.
pub fn layer<'a>(recipe: &'a Recipe, named: &'a Option<String>) -> Result<&'a str, Failure> {
    let Some(name) = named else { return Ok(&recipe.pipeline.output) };
    known(&recipe.pipeline, "--layer", name)?;
    Ok(name)
}

/// How many channels a layer has that an option names.
fn known(pipeline: &Pipeline, option: &str, name: &str) -> Result<usize, Failure> {
    pipeline.channels(name).map_err(|error| match error {
        StageError::Unknown { known, .. } => Failure::message(USAGE, format!("{option} {name} names no stage or node; {known}")),
        error => LayersError::from(error).into(),
    })
}

/// The layers to bake, the first one that of the recipe or of a flag; of a mesh no further ones.
pub fn layers(recipe: &Recipe, args: &BakeArgs) -> Vec<String> {
    if !args.layers.is_empty() {
        return args.layers.clone();
    }
    let further: &[String] = if meshes(args.format) { &[] } else { &recipe.bake.layers };
    std::iter::once(recipe.pipeline.output.clone()).chain(further.iter().cloned()).collect()
}

/// Whether the heights alone are wanted, as triangles.
fn meshes(format: Option<AnyFormat>) -> bool {
    matches!(format, Some(AnyFormat::Map(MapFormat::Glb | MapFormat::Ply)))
}

/// What is to be written of a layer, before anything is measured.
#[derive(Debug, Serialize)]
pub struct Wanted {
    layer: String,
    format: Format,
    range: WantedRange,
}

impl Wanted {
    /// The layers that it is made of.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let most = if self.format == Format::Weights { usize::MAX } else { 1 };
        self.layer.splitn(most, '+')
    }
}

/// What the studio says of it.
#[cfg(feature = "serve")]
impl Wanted {
    pub fn layer(&self) -> &str {
        &self.layer
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// The range that an integer format declares, where that is known; `None` also where the format declares none.
    pub fn range(&self) -> Option<RangeRecord> {
        match self.range {
            WantedRange::Known(range) if self.format.is_integer() => Some(range),
            WantedRange::Known(_) | WantedRange::None | WantedRange::Measured => None,
        }
    }

    /// Whether the range has to be measured first.
    pub fn is_measured(&self) -> bool {
        matches!(self.range, WantedRange::Measured)
    }
}

/// Where a layer's declared range comes from.
#[derive(Debug, Serialize)]
enum WantedRange {
    None,
    Known(RangeRecord),
    Measured,
}

/// What is to be written of each layer.
pub fn wanted(pipeline: &Pipeline, layers: &[String], args: &BakeArgs, preset: Option<&Preset>) -> Result<Vec<Wanted>, Failure> {
    let mut wanted = Vec::new();
    for (k, layer) in layers.iter().enumerate() {
        if is_weights(pipeline, layer) {
            if matches!(args.format, Some(AnyFormat::Tiles(format)) if format.is_array()) {
                let message = format!(
                    "layer '{layer}' is not allowed with this format; allowed: formats of tiles, beside which weights are 8-bit PNG"
                );
                return Err(Failure::message(USAGE, message));
            }
            Product { layer: layer.clone(), format: Format::Weights, range: None }.check(pipeline, k)?;
            wanted.push(Wanted { layer: layer.clone(), format: Format::Weights, range: WantedRange::None });
            continue;
        }
        let channels = known(pipeline, "--layers", layer)?;
        let values = channels == 1;
        let (format, asked) = match preset {
            // A range that is given is that of heights.
            Some(preset) => (preset.format(k == 0, layer, channels)?, args.range.filter(|_| k == 0)),
            None => (tiles(args.format, values), args.range),
        };
        if preset.is_none() && asked.is_some() && values && !format.is_integer() {
            let message =
                "--range is not allowed with this format, which holds numbers as they are; allowed: with --format png16, png8, r16";
            return Err(Failure::message(USAGE, message));
        }
        let range = if values { range(pipeline, layer, format, asked)? } else { WantedRange::None };
        let range = match (range, preset) {
            (WantedRange::Known(range), Some(preset)) if k == 0 => WantedRange::Known(preset.range(range)?),
            (range, _) => range,
        };
        wanted.push(Wanted { layer: layer.clone(), format, range });
    }
    Ok(wanted)
}

/// Whether a layer is several masks, `grass+rock`, and not one that is called so.
fn is_weights(pipeline: &Pipeline, layer: &str) -> bool {
    layer.contains('+') && pipeline.channels(layer).is_err()
}

/// The format of a layer's tiles. Maps are made from values as they are, and from colours in 8 bits.
fn tiles(format: Option<AnyFormat>, values: bool) -> Format {
    match format {
        Some(AnyFormat::Tiles(format)) => format,
        Some(AnyFormat::Map(_)) if values => Format::Npy,
        None if values => Format::Png16,
        Some(AnyFormat::Map(_)) | None => Format::Png8,
    }
}

/// All that decides what is measured.
pub fn asked(engine: &Engine, recipe: &Recipe, plan: &Plan, wanted: &[Wanted], preset: Option<&Preset>) -> String {
    let Plan { tile, tiles, overlap: _, level, spacing, z } = plan;
    // Ranges are those of the tiles that are baked, all else is of the recipe's.
    let tiles = wanted.iter().any(|wanted| matches!(wanted.range, WantedRange::Measured)).then(|| tiles.to_string());
    let parity = engine.describe().parity.map(|parity| format!("{parity:?}"));
    let all = (&recipe.pipeline, recipe.bake.tiles, recipe.bake.tile, tile, tiles, level, spacing, z, wanted, parity);
    // This text is the key under which measurements are kept. Without a destination it has no word for that, so keys from before there were
    // destinations still hold.
    let text = match preset {
        Some(preset) => serde_json::to_string(&(all, preset.destination)),
        None => serde_json::to_string(&all),
    };
    text.expect("invariant: a recipe that was read has finite numbers")
}

/// Measures what the world is needed for: a pipeline that stands on its own, and products with their ranges.
pub fn measure(
    engine: &Engine,
    recipe: &Recipe,
    plan: &Plan,
    wanted: Vec<Wanted>,
    preset: Option<&Preset>,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Known, Failure> {
    let layers: Vec<&str> = wanted.iter().flat_map(Wanted::parts).collect();
    let pipeline = measured(engine, recipe, plan, &layers, checkpoint)?;
    // One pass for all that have to be measured.
    let measured: Vec<&str> =
        wanted.iter().filter(|wanted| matches!(wanted.range, WantedRange::Measured)).map(|wanted| wanted.layer.as_str()).collect();
    if !measured.is_empty() {
        say(format_args!("measuring the range first, in a pass of its own, of {measured:?}"));
    }
    let mut found = measure_ranges(engine, &pipeline, &measured, plan, checkpoint)?.into_iter();
    let product = |(k, Wanted { layer, format, range })| {
        let range = match range {
            WantedRange::None => None,
            WantedRange::Known(range) => Some(range),
            WantedRange::Measured => {
                let range = found.next().map(|range| RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Measured });
                match (range, preset) {
                    (Some(range), Some(preset)) if k == 0 => Some(preset.range(range)?),
                    (range, _) => range,
                }
            }
        };
        Ok(Product { layer, format, range })
    };
    let products = wanted.into_iter().enumerate().map(product).collect::<Result<_, Failure>>()?;
    Ok(Known { pipeline, products })
}

/// The range that integer formats declare.
fn range(pipeline: &Pipeline, layer: &str, format: Format, wanted: Option<RangeArg>) -> Result<WantedRange, Failure> {
    let proven = |range: Interval| Ok(WantedRange::Known(RangeRecord { lo: range.lo, hi: range.hi, kind: RangeKind::Proven }));
    match wanted {
        Some(RangeArg::Declared(lo, hi)) => Ok(WantedRange::Known(RangeRecord { lo, hi, kind: RangeKind::Declared })),
        Some(RangeArg::Measured) => Ok(WantedRange::Measured),
        // Of a noise, why there is none is said.
        _ if pipeline.node.contains_key(layer) => proven(pipeline.noise_of(layer).map_err(LayersError::from)?.range()?),
        wanted => match (pipeline.range(layer), wanted) {
            (Some(range), _) => proven(range),
            (None, Some(_)) => {
                let message =
                    format!("--range proven: nothing is proven of '{layer}'; allowed: measured, LO,HI, or a normalise stage last");
                Err(Failure::message(USAGE, message))
            }
            (None, None) => Ok(if format.is_integer() { WantedRange::Measured } else { WantedRange::None }),
        },
    }
}

/// What kind of file a name asks for.
pub fn extension(path: &Path, allowed: &[&'static str]) -> Result<&'static str, Failure> {
    let found = path.extension().and_then(|e| e.to_str()).and_then(|e| allowed.iter().find(|kind| kind.eq_ignore_ascii_case(e)));
    let names = || allowed.iter().map(|kind| format!(".{kind}")).collect::<Vec<_>>().join(", ");
    found.copied().ok_or_else(|| Failure::message(USAGE, format!("-o {} is no file of a known kind; allowed: {}", path.display(), names())))
}

/// `W,H` in pixels, no fewer than so many.
pub fn size(text: &str, least: u32) -> Result<[u32; 2], Failure> {
    let number = |t: &str| t.trim().parse::<u32>().ok().filter(|n| (least..=4096).contains(n));
    let parsed = text.split_once(',').and_then(|(w, h)| Some([number(w)?, number(h)?]));
    parsed.ok_or_else(|| Failure::message(USAGE, format!("--size {text} is not allowed; allowed: W,H from {least} to 4096 pixels each")))
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
