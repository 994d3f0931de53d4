//! `orogen bake --format terrarium|mapbox-rgb|cog|cog16|glb|ply`: the bake itself, into a folder of the map's, and the map that is made from it.

use super::args::{BakeArgs, MapFormat, MapVerbArgs, RangeArg};
use super::bake;
use super::cost::Cost;
use super::exit::{Failure, TRANSIENT, USAGE};
use super::job;
use super::out::{print, say};
use super::progress::Shown;
use super::quote;
use super::shard;
use super::signal;
use orogen::bake::{BakeError, Baked, Checked, Finding, Place, Plan, Progress, Recompute, Report, measure_ranges};
use orogen::map::{Made, Map, Placed, SAMPLES, make};
use orogen::{Engine, LayersError, Recipe};
use std::path::Path;
use std::time::Instant;

pub fn run(args: &BakeArgs, format: MapFormat) -> Result<(), Failure> {
    let out = args.out()?;
    if shard::url(out).is_some() || shard::is_planned(out) {
        return Err(Failure::message(
            USAGE,
            format!("--out {} is not allowed for a map; allowed: a directory that holds nothing else", out.display()),
        ));
    }
    let recipe = Recipe::load(&args.recipe)?;
    if let Some(destination) = args.destination.or(recipe.bake.destination) {
        let message = format!("--for {destination} is not allowed with the format of a map; allowed: one of both");
        return Err(Failure::message(USAGE, message));
    }
    let plan = job::plan(&recipe, args)?;
    let layers = job::layers(&recipe, args);
    let map = args.map.map(format, plan.step(), declared(args.range, format)?)?;
    let channels = |layer: &String| recipe.pipeline.channels(layer).map_err(LayersError::from);
    let channels = layers.iter().map(channels).collect::<Result<Vec<usize>, _>>()?;
    let named: Vec<(&str, usize)> = layers.iter().map(String::as_str).zip(channels).collect();
    map.check(&plan, &named, out)?;
    if out.join(SAMPLES).is_symlink() {
        return Err(BakeError::NotOurs { path: out.join(SAMPLES) }.into());
    }
    let engine = job::engine(&args.engine)?;
    let named: Vec<&str> = layers.iter().map(String::as_str).collect();
    let tile = plan.region((plan.tiles.x.start, plan.tiles.y.start));
    Cost::of_layers(&engine, &recipe.pipeline, &named, &tile)?.times(plan.count()).within(&args.engine)?;
    // Once a bake has begun there, its heights have been found to fit, or its own records will tell.
    if !out.join(SAMPLES).exists() {
        check_heights(&engine, &recipe, &map, &plan, &layers[0])?;
    }
    // What is declared is the map's; the bake holds the samples as they are.
    let baked = BakeArgs { out: Some(out.join(SAMPLES)), range: None, no_overview: true, ..args.clone() };
    let shown = Shown::new("tiles");
    let (report, _) = bake::world(&engine, &recipe, &baked, &shown)?;
    drop(shown);
    bake::mended(&report.damaged);
    let shown = Shown::new("parts of the map");
    let start = Instant::now();
    signal::bakes(true);
    let result = Baked::open(&out.join(SAMPLES)).and_then(|baked| make(&map, &baked, &plan.tiles, out, &shown));
    signal::bakes(false);
    drop(shown);
    let made = made(result)?;
    let wall = start.elapsed().as_secs_f64();
    if args.json {
        return print(format_args!("{:#}", json(&report, &made, wall)));
    }
    print(format_args!("{} tiles baked, {} there already", report.written, report.resumed))?;
    tell(out, &map, &made, wall)
}

/// `orogen map BAKE --format …`: a map out of a bake that is there.
pub fn of(args: &MapVerbArgs) -> Result<(), Failure> {
    let range = declared(args.range, args.format)?;
    let planned = shard::is_planned(&args.bake);
    let baked = if planned { shard::open(&args.bake)?.baked()? } else { Baked::open(&args.bake)? };
    let tiles =
        args.tiles.clone().or(baked.tiles()).ok_or_else(|| Failure::message(USAGE, format!("{}: holds no tiles", args.bake.display())))?;
    let map = args.map.map(args.format, baked.plan(tiles.clone()).step(), range)?;
    let shown = Shown::new("parts of the map");
    let start = Instant::now();
    signal::bakes(true);
    let result = make(&map, &baked, &tiles, &args.out, &shown);
    signal::bakes(false);
    drop(shown);
    let made = made(result)?;
    let wall = start.elapsed().as_secs_f64();
    if args.json {
        return print(format_args!("{:#}", serde_json::json!({ "map": map_json(&made, wall) })));
    }
    tell(&args.out, &map, &made, wall)
}

/// What came of a map.
fn made(result: Result<Made, BakeError>) -> Result<Made, Failure> {
    result.map_err(|error| match error {
        BakeError::Stopped => {
            Failure::message(TRANSIENT, "stopped before the map was made; the same command makes it from the bake that is there")
        }
        error => error.into(),
    })
}

/// The range that was declared for integers.
fn declared(range: Option<RangeArg>, format: MapFormat) -> Result<Option<[f64; 2]>, Failure> {
    match (range, format) {
        (None, _) => Ok(None),
        (Some(RangeArg::Declared(lo, hi)), MapFormat::Cog16) => Ok(Some([lo, hi])),
        (Some(RangeArg::Measured), MapFormat::Cog16) => Ok(None),
        (Some(_), MapFormat::Cog16) => {
            Err(Failure::message(USAGE, "--range proven is not allowed with --format cog16; allowed: LO,HI, measured"))
        }
        (Some(_), _) => {
            Err(Failure::message(USAGE, "--range is not allowed with this format, whose steps are fixed; allowed: --format cog16"))
        }
    }
}

/// Refuses heights that the map cannot hold before anything is baked: by what is proven of them, or else by what they are.
fn check_heights(engine: &Engine, recipe: &Recipe, map: &Map, plan: &Plan, layer: &str) -> Result<(), Failure> {
    let pipeline = &recipe.pipeline;
    let proven = match pipeline.node.contains_key(layer) {
        true => pipeline.noise_of(layer).ok().and_then(|noise| noise.range().ok()),
        false => pipeline.range(layer),
    };
    if map.holds().is_none() || proven.is_some_and(|range| map.check_heights([range.lo, range.hi]).is_ok()) {
        return Ok(());
    }
    say(format_args!("measuring the heights first, in a pass of its own: nothing proves that they fit"));
    let pipeline = job::measured(engine, recipe, plan, &[layer], &mut ())?;
    let found = measure_ranges(engine, &pipeline, &[layer], plan, &mut ())?;
    Ok(found.first().map_or(Ok(()), |range| map.check_heights([range.lo, range.hi]))?)
}

fn tell(out: &Path, map: &Map, made: &Made, wall: f64) -> Result<(), Failure> {
    bake::mended(&made.aside);
    let state = if made.found { "there already, whole".to_owned() } else { format!("written in {wall:.2} s") };
    print(format_args!("{} files of the map, {} bytes, {state}", made.files, made.bytes))?;
    if let Some(Placed { zooms: [shallowest, deepest], stretch, origin: [east, north], .. }) = made.placed {
        print(format_args!(
            "zooms {shallowest} to {deepest}; at {east:.6}° east, {north:.6}° north the world appears {stretch:.3} times as large as it is"
        ))?;
    }
    let typed = quote::word(&out.to_string_lossy());
    let out = out.display();
    match map {
        Map::Pyramid(_) => {
            print(format_args!("to look at it: python3 -m http.server --directory {typed} 8000, then http://localhost:8000/"))
        }
        Map::Cog(_) => print(format_args!("{out}/world.tif")),
        Map::Meshes(_) => print(format_args!("{out}/meshes/meshes.json says where each lies")),
        #[cfg(feature = "zarr")]
        Map::Zarr(_) => print(format_args!("{}", opened(&out))),
    }
}

/// How arrays are opened.
pub fn opened(out: &dyn std::fmt::Display) -> String {
    format!("to open it: xarray.open_zarr(\"{out}/world.zarr\", group=\"0\", consolidated=False)")
}

fn json(report: &Report, made: &Made, wall: f64) -> serde_json::Value {
    serde_json::json!({
        "written": report.written, "resumed": report.resumed, "damaged": report.damaged, "backend": report.manifest.backend,
        "map": map_json(made, wall),
    })
}

fn map_json(made: &Made, wall: f64) -> serde_json::Value {
    serde_json::json!({
        "files": made.files, "bytes": made.bytes, "found": made.found, "range": made.range, "seconds": wall,
        "zooms": made.placed.map(|placed| placed.zooms), "stretch": made.placed.map(|placed| placed.stretch), "origin": made.placed.map(|placed| placed.origin),
    })
}

/// What is done there, before any bake goes into the same folder.
///
/// # Errors
/// There is a map.
pub fn refuse_map(folder: &Path) -> Result<(), Failure> {
    if folder.join(orogen::map::MAP).is_file() {
        let message = format!("{}: holds a map; allowed: an empty directory, or the format of that map", folder.display());
        return Err(Failure::message(super::exit::IO, message));
    }
    Ok(())
}

/// The map against its record, and the bake that it was made from against its own.
///
/// # Errors
/// As those of both.
pub fn check(folder: &Path, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<Checked, Failure> {
    // A map of another folder's bake has none of its own.
    let samples = match folder.join(SAMPLES).is_dir() {
        true => orogen::bake::check(&Place::reading(&folder.join(SAMPLES))?, recompute, progress)?,
        false => Checked::default(),
    };
    let map = orogen::map::check(folder, progress)?;
    let below = samples.findings.into_iter().map(|found| Finding { file: format!("{SAMPLES}/{}", found.file), ..found });
    Ok(Checked {
        files: map.files + samples.files,
        bytes: map.bytes + samples.bytes,
        recomputed: samples.recomputed,
        unfinished: map.unfinished || samples.unfinished,
        findings: map.findings.into_iter().chain(below).collect(),
        aside: map.aside.into_iter().chain(samples.aside.into_iter().map(|name| format!("{SAMPLES}/{name}"))).collect(),
    })
}
