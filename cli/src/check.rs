//! `orogen check`.

use super::args::CheckArgs;
use super::counted::Counted;
use super::exit::{Failure, MISMATCH, USAGE};
use super::job;
use super::map;
use super::out::{print, say};
use super::progress::Shown;
use super::quote;
use super::shard;
use orogen::bake::Address;
use orogen::bake::check::{CheckReport, Finding, Recompute, Wrong};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Most shards that a message names.
const SHARDS: usize = 16;

pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    if !(args.recompute.is_none_or(|share| (0.0..=1.0).contains(&share))) {
        let message = format!("--recompute {} is not allowed; allowed: a share of the tiles, 0 to 1", args.recompute.unwrap_or_default());
        return Err(Failure::message(USAGE, message));
    }
    let engine = args.recompute.map(|_| job::engine(&args.engine)).transpose()?;
    // Microseconds: JSON readers keep numbers below 2^53.
    let seed = args.seed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64));
    let recompute = engine.as_ref().zip(args.recompute).map(|(engine, share)| Recompute { engine, share, seed });
    let shown = Shown::new("checked");
    let address = Address::of(&args.directory);
    let planned = address.is_planned();
    let checked = if !planned && orogen::map::is_map(&args.directory) {
        map::check(&args.directory, recompute.as_ref(), &shown)?
    } else {
        address.check(recompute.as_ref(), &shown)?
    };
    drop(shown);
    if args.json {
        print(format_args!("{:#}", json(&checked, seed)))?;
    } else {
        for Finding { file, wrong } in &checked.findings {
            print(format_args!("{}: {file}", word(*wrong)))?;
        }
        let CheckReport { files, bytes, recomputed, unfinished, findings, aside, broken } = &checked;
        for sentence in broken {
            print(format_args!("broken: {sentence}"))?;
        }
        let anew = if *recomputed > 0 { format!(", {} recomputed (--seed {seed})", Counted(*recomputed, "tile")) } else { String::new() };
        print(format_args!("{} of {}{anew}: {} wrong", Counted(*files, "file"), Counted(*bytes, "byte"), findings.len()))?;
        if args.recompute.is_some() && *recomputed == 0 {
            say(
                "note: no tile was recomputed: the record of the recipe, or of every tile, or an answer about the whole world is missing or damaged",
            );
        }
        if *unfinished {
            say("note: the bake is not finished; run orogen bake again to continue");
        }
        for name in aside {
            say(format_args!("note: {name} was set aside; you may remove it"));
        }
    }
    let anew = if planned { shards_anew(&args.directory, &checked.findings) } else { "orogen bake rewrites its own files".to_owned() };
    if !checked.broken.is_empty() && checked.findings.is_empty() {
        let message = "a rule of drainage is broken, although the files are those of the recipe; please report it";
        return Err(Failure::message(MISMATCH, message));
    }
    let foreign = checked.findings.iter().filter(|found| found.wrong == Wrong::Foreign).count();
    let left = "foreign files are never touched; remove them yourself";
    let what_helps = match (checked.findings.len() - foreign, foreign) {
        (0, 0) => return Ok(()),
        (_, 0) => anew,
        (0, _) => left.to_owned(),
        (_, _) => format!("{anew}; {left}"),
    };
    Err(Failure::message(MISMATCH, format_args!("{} missing, damaged or foreign; {what_helps}", Counted(checked.findings.len(), "file"))))
}

/// The commands that rewrite files of a world of shards.
fn shards_anew(folder: &Path, findings: &[Finding]) -> String {
    let world = quote::word(&folder.to_string_lossy());
    let any = |is: &dyn Fn(&str) -> bool| findings.iter().any(|found| found.wrong != Wrong::Foreign && is(&found.file));
    let starts = |name: &str, folders: &[&str]| folders.iter().any(|folder| name.starts_with(folder));
    let mut steps = Vec::new();
    if any(&|name| name == "plan.json" || name.starts_with("files/")) {
        steps.push("orogen plan with the same recipe and flags".to_owned());
    }
    if any(&|name| name.starts_with("measured/")) {
        steps.push(format!("orogen measure {world}"));
    }
    if any(&|name| starts(name, &["tiles/", "records/", "world.zarr/"])) {
        // The plan may be damaged, and arrays name no tiles.
        let sharded = shard::open(folder).ok();
        let of = |found: &Finding| sharded.as_ref().and_then(|sharded| Some((sharded.shard_of(&found.file)?, sharded.shards())));
        let shards: BTreeSet<(u32, u32)> = findings.iter().filter(|found| found.wrong != Wrong::Foreign).filter_map(of).collect();
        let (some, more) = (shards.iter().take(SHARDS), if shards.len() > SHARDS { ", …" } else { "" });
        let some: Vec<String> = some.map(|(shard, of)| format!("{shard}/{of}")).collect();
        let named = if some.is_empty() { "I/N of their shards".to_owned() } else { format!("{}{more}", some.join(", ")) };
        steps.push(format!("orogen bake {world} --shard {named}"));
    }
    if any(&|name| name == "manifest.json" || name == "overview.png" || starts(name, &["parts/", "records/", "tiles/", "world.zarr/"])) {
        steps.push(format!("orogen seal {world}"));
    }
    format!("to rewrite them: {}", steps.join(", then "))
}

fn word(wrong: Wrong) -> &'static str {
    match wrong {
        Wrong::Missing => "missing",
        Wrong::Damaged => "damaged",
        Wrong::Foreign => "foreign",
        Wrong::Different => "different from the recipe",
        Wrong::Unrecorded => "without a whole record",
        _ => "wrong",
    }
}

fn json(checked: &CheckReport, seed: u64) -> serde_json::Value {
    let CheckReport { files, bytes, recomputed, unfinished, findings, aside, broken } = checked;
    let findings: Vec<_> = findings.iter().map(|f| serde_json::json!({ "file": f.file, "wrong": word(f.wrong) })).collect();
    serde_json::json!({ "files": files, "bytes": bytes, "recomputed": recomputed, "seed": seed, "unfinished": unfinished, "findings": findings, "aside": aside, "broken": broken })
}
