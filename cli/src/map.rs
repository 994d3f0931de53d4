//! `orogen bake --format terrarium|mapbox-rgb|cog|cog16|glb|ply`: bakes into a subfolder of the map and makes the map from it.

use super::args::{BakeArgs, MapFormat, MapVerbArgs};
use super::counted::Counted;
use super::exit::{Failure, USAGE};
#[cfg(feature = "zarr")]
use super::finished::opened;
use super::finished::{mended, to_go_on};
use super::job;
use super::out::print;
use super::progress::Shown;
use super::quote;
use super::shard;
use orogen::bake::check::{CheckReport, Finding, Recompute};
use orogen::bake::folder::{BakeFolder, Report};
use orogen::bake::read::Baked;
use orogen::bake::{Address, Progress, RangeChoice, Step};
use orogen::map::{Map, MapReport, Placed, SAMPLES, bake as bake_map, make};
use std::path::Path;

pub fn run(args: &BakeArgs, format: MapFormat) -> Result<(), Failure> {
    let out = args.out()?;
    let request = args.map_request()?;
    let map = args.map.map(format, request.resolve()?.plan.step(), declared(args.range, format)?)?;
    let engine = job::engine(&args.engine)?;
    let shown = Shown::of_request(&engine, &args.engine);
    let result = bake_map(&map, &request, &engine, out, &shown);
    drop(shown);
    let (outcome, made) = result.map_err(to_go_on)?;
    let Some(report) = outcome.report else { return Ok(()) };
    mended(&report.damaged);
    if args.json {
        return print(format_args!("{:#}", json(&report, &made)));
    }
    print(format_args!("{} baked, {} there already", Counted(report.written, "tile"), report.resumed))?;
    tell(out, &map, &made)
}

/// `orogen map BAKE --format …`: makes a map from an existing bake.
pub fn run_verb(args: &MapVerbArgs) -> Result<(), Failure> {
    let range = declared(args.range, args.format)?;
    let baked = if Address::of(&args.bake).is_planned() { shard::open(&args.bake)?.baked()? } else { Baked::open(&args.bake)? };
    let tiles =
        args.tiles.clone().or(baked.tiles()).ok_or_else(|| Failure::message(USAGE, format!("{}: holds no tiles", args.bake.display())))?;
    let map = args.map.map(args.format, baked.plan(tiles.clone()).step(), range)?;
    let shown = Shown::new("parts of the map");
    shown.step(&Step::Mapping);
    let result = make(&map, &baked, &tiles, &args.out, &shown);
    drop(shown);
    let made = result.map_err(to_go_on)?;
    if args.json {
        return print(format_args!("{:#}", serde_json::json!({ "map": map_json(&made) })));
    }
    tell(&args.out, &map, &made)
}

/// The declared range of integers.
fn declared(range: Option<RangeChoice>, format: MapFormat) -> Result<Option<[f64; 2]>, Failure> {
    match (range, format) {
        (None, _) => Ok(None),
        (Some(RangeChoice::Declared(lo, hi)), MapFormat::Cog16) => Ok(Some([lo, hi])),
        (Some(RangeChoice::Measured), MapFormat::Cog16) => Ok(None),
        (Some(_), MapFormat::Cog16) => {
            Err(Failure::message(USAGE, "--range proven is not allowed with --format cog16; allowed: LO,HI, measured"))
        }
        (Some(_), _) => {
            Err(Failure::message(USAGE, "--range is not allowed with this format, whose steps are fixed; allowed: --format cog16"))
        }
    }
}

fn tell(out: &Path, map: &Map, made: &MapReport) -> Result<(), Failure> {
    mended(&made.aside);
    let state = if made.found { "there already, whole".to_owned() } else { format!("written in {:.2} s", made.wall.as_secs_f64()) };
    print(format_args!("{} of the map, {}, {state}", Counted(made.files, "file"), Counted(made.bytes, "byte")))?;
    if let Some(Placed { zooms: [shallowest, deepest], stretch, origin: [east, north], .. }) = made.placed {
        print(format_args!(
            "zooms {shallowest} to {deepest}; at {east:.6}° east, {north:.6}° north the world appears {stretch:.3} times as large as it is"
        ))?;
    }
    let typed = quote::word(&out.to_string_lossy());
    let out = out.display();
    match map {
        Map::Pyramid(_) => print(format_args!("to view it: python3 -m http.server --directory {typed} 8000, then http://localhost:8000/")),
        Map::Cog(_) => print(format_args!("{out}/world.tif")),
        Map::Meshes(_) => print(format_args!("{out}/meshes/meshes.json: positions of the meshes")),
        #[cfg(feature = "zarr")]
        Map::Zarr(_) => print(format_args!("{}", opened(&out))),
        _ => Ok(()),
    }
}

fn json(report: &Report, made: &MapReport) -> serde_json::Value {
    serde_json::json!({
        "written": report.written, "resumed": report.resumed, "damaged": report.damaged, "backend": report.manifest.backend,
        "map": map_json(made),
    })
}

fn map_json(made: &MapReport) -> serde_json::Value {
    serde_json::json!({
        "files": made.files, "bytes": made.bytes, "found": made.found, "range": made.range, "seconds": made.wall.as_secs_f64(),
        "zooms": made.placed.map(|placed| placed.zooms), "stretch": made.placed.map(|placed| placed.stretch), "origin": made.placed.map(|placed| placed.origin),
    })
}

/// Compares the map with its record, and the bake that it was made from with its own.
///
/// # Errors
/// Returns the errors of both checks.
pub fn check(folder: &Path, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<CheckReport, Failure> {
    // A map of a bake in another folder has no samples of its own.
    let samples = match folder.join(SAMPLES).is_dir() {
        true => orogen::bake::check::check(&BakeFolder::reading(&folder.join(SAMPLES))?, recompute, progress)?,
        false => CheckReport::default(),
    };
    let map = orogen::map::check(folder, progress)?;
    let below = samples.findings.into_iter().map(|found| Finding { file: format!("{SAMPLES}/{}", found.file), ..found });
    Ok(CheckReport {
        files: map.files + samples.files,
        bytes: map.bytes + samples.bytes,
        recomputed: samples.recomputed,
        unfinished: map.unfinished || samples.unfinished,
        findings: map.findings.into_iter().chain(below).collect(),
        broken: samples.broken,
        aside: map.aside.into_iter().chain(samples.aside.into_iter().map(|name| format!("{SAMPLES}/{name}"))).collect(),
    })
}
