//! `orogen bake`.

use super::args::{AnyFormat, BakeArgs};
use super::cost::Cost;
use super::exit::{Failure, TRANSIENT, USAGE};
use super::job;
use super::map;
use super::out::{print, say};
use super::progress::Shown;
use super::quote;
use super::shard;
use super::signal;
use orogen::bake::{BakeError, Format, Known, Note, Place, Plan, Preset, Product, Progress, Report, TileRecord, World, bake_in, root};
use orogen::{Engine, Recipe};
use std::path::Path;
use std::time::Duration;

/// Below this share of the declared range used, half of an integer format's bits are idle.
const LITTLE: f64 = 1.0 / 256.0;
/// Most names in a warning.
const SAID: usize = 10;

pub fn run(args: &BakeArgs) -> Result<(), Failure> {
    if let Some(shard) = &args.shard {
        args.map.allow(&[])?;
        return shard::bake(args, shard);
    }
    if let Some(AnyFormat::Map(format)) = args.format {
        return map::run(args, format);
    }
    let arrays = args.tile_format()?.is_some_and(Format::is_array);
    let out = args.out()?;
    if arrays || shard::url(out).is_some() {
        return shard::alone(args);
    }
    if shard::is_planned(out) {
        let message = format!("{}: holds the plan of a world in shards; allowed: orogen bake {0} --shard I/N", out.display());
        return Err(Failure::message(USAGE, message));
    }
    let recipe = Recipe::load(&args.recipe)?;
    let layers = job::layers(&recipe, args);
    let unused = recipe.pipeline.unused(&layers);
    if !unused.is_empty() {
        let (some, more) = unused.split_at(unused.len().min(SAID));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        say(format_args!("warning: {}: neither the output nor a layer needs '{}'{more}", args.recipe.display(), some.join("', '")));
    }
    let engine = job::engine(&args.engine)?;
    let shown = Shown::new("tiles");
    let (report, products) = world(&engine, &recipe, args, &shown)?;
    drop(shown);
    for (k, product) in products.iter().enumerate() {
        warn(product, &report, k);
    }
    mended(&report.damaged);
    if args.json { print(format_args!("{:#}", json(&report))) } else { print(text(out, &report)) }
}

/// What a bake is to write, before anything of it is evaluated.
pub struct Planned {
    pub plan: Plan,
    pub preset: Option<Preset>,
    pub wanted: Vec<job::Wanted>,
}

/// What the recipe, the arguments and the destination come to.
pub fn planned(recipe: &Recipe, args: &BakeArgs) -> Result<Planned, Failure> {
    let plan = job::plan(recipe, args)?;
    let preset = job::preset(recipe, args, &plan)?;
    let plan = preset.as_ref().map_or(plan, |preset| preset.plan.clone());
    let wanted = job::wanted(&recipe.pipeline, &job::layers(recipe, args), args, preset.as_ref())?;
    Ok(Planned { plan, preset, wanted })
}

/// Bakes a recipe's world as the arguments say.
pub fn world(engine: &Engine, recipe: &Recipe, args: &BakeArgs, progress: &dyn Progress) -> Result<(Report, Vec<Product>), Failure> {
    let out = args.out()?;
    map::refuse_map(out)?;
    let Planned { plan, preset, wanted } = planned(recipe, args)?;
    say(format_args!("baking {} tiles of {}² samples on {}", plan.count(), plan.tile + plan.overlap, job::describe(engine)));
    let layers: Vec<&str> = wanted.iter().flat_map(job::Wanted::parts).collect();
    // Every tile with a halo of its own: an upper bound.
    let tile = plan.region((plan.tiles.x.start, plan.tiles.y.start));
    Cost::of_layers(engine, &recipe.pipeline, &layers, &tile)?.times(plan.count()).allow(&args.engine)?;
    let place = Place::open(out)?;
    let asked = job::asked(engine, recipe, &plan, &wanted, preset.as_ref());
    let Known { pipeline, products } = match place.known(&asked, &recipe.pipeline)? {
        Some(known) => known,
        None => {
            // Blocks are as large as the memory allows, and what is noted is a number of blocks.
            let by = format!("{asked} {:?} {:?}", args.engine.memory, engine.describe());
            job::measure(engine, recipe, &plan, wanted, preset.as_ref(), &mut place.checkpoint(&by))?
        }
    };
    let layout = preset.as_ref().map(|preset| preset.layout).unwrap_or_default();
    let note = preset.as_ref().map(|preset| Note::new(preset, &products));
    let notes = note.as_ref().map_or(&[][..], Note::files);
    let world = World { layout, notes, overview: !args.no_overview, asked: Some(asked), ..World::new(&pipeline, &plan, &products) };
    signal::bakes(true);
    let result = bake_in(engine, &world, &place, progress);
    signal::bakes(false);
    let report = result.map_err(|error| match error {
        BakeError::Stopped => Failure::message(TRANSIENT, format_args!("{error}; to go on: {}", typed())),
        error => error.into(),
    })?;
    if let Some(preset) = preset {
        say(format_args!("{} says what to type in {}", out.join("IMPORT.md").display(), preset.destination));
    }
    Ok((report, products))
}

/// The command line, as a shell takes it.
fn typed() -> String {
    std::env::args_os().map(|word| quote::word(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Says which files were not what their records say.
pub fn mended(damaged: &[String]) {
    for file in damaged.iter().take(SAID) {
        say(format_args!("warning: {file} was missing or damaged"));
    }
    if damaged.len() > SAID {
        say(format_args!("warning: {} more files were missing or damaged", damaged.len() - SAID));
    }
}

/// What an integer format loses is said, never silent.
fn warn(product: &Product, report: &Report, k: usize) {
    let Some(range) = product.range.filter(|_| product.format.is_integer()) else { return };
    let tiles = &report.manifest.tiles;
    let of = |tile: &TileRecord| tile.files.get(k).map(|file| (file.min, file.max, file.clipped));
    let all = tiles.iter().filter_map(of).fold((f32::INFINITY, f32::NEG_INFINITY, 0), |a, b| (a.0.min(b.0), a.1.max(b.1), a.2 + b.2));
    let (lo, hi, clipped) = all;
    let layer = &product.layer;
    if clipped > 0 {
        say(format_args!(
            "warning: {clipped} samples of '{layer}' lay outside the declared range {},{} and were clipped to it",
            range.lo, range.hi
        ));
    }
    let used = f64::from(hi - lo) / (range.hi - range.lo);
    if hi > lo && used < LITTLE {
        say(format_args!(
            "warning: values {lo} to {hi} of '{layer}' use {:.3} % of the declared range {},{}; consider --range measured",
            used * 100.0,
            range.lo,
            range.hi
        ));
    }
}

fn text(out: &Path, report: &Report) -> String {
    let seconds = |d: Duration| d.as_secs_f64();
    let wall = seconds(report.wall).max(1e-9);
    let share = |d: Duration, workers: usize| 100.0 * seconds(d) / (wall * workers as f64);
    let halo = report.halo.filter(|halo| halo.samples > 0).map_or(String::new(), |halo| {
        format!("\nhalo of {} samples: {:.0} % of what {} blocks held", halo.samples, 100.0 * halo.share, halo.blocks)
    });
    format!(
        "{} tiles written, {} there already, in {}\n{:.2} s: evaluating {:.0} %, encoding {:.0} %, writing {:.0} % of the time of {} encoders; overview {:.2} s{halo}",
        report.written,
        report.resumed,
        out.display(),
        wall,
        share(report.evaluate, 1),
        share(report.encode, report.encoders),
        share(report.write, report.encoders),
        report.encoders,
        seconds(report.overview),
    )
}

fn json(report: &Report) -> serde_json::Value {
    serde_json::json!({
        "written": report.written, "resumed": report.resumed, "backend": report.manifest.backend, "adapter": report.manifest.adapter,
        "root": root(&report.manifest), "damaged": report.damaged, "range": report.manifest.setting.products.first().map(|product| product.range), "encoders": report.encoders,
        "halo": report.halo.map(|halo| serde_json::json!({ "samples": halo.samples, "share": halo.share, "blocks": halo.blocks })),
        "seconds": {
            "wall": report.wall.as_secs_f64(), "evaluate": report.evaluate.as_secs_f64(),
            "encode": report.encode.as_secs_f64(), "write": report.write.as_secs_f64(),
            "overview": report.overview.as_secs_f64(),
        },
    })
}
