//! `orogen check`.

use super::args::CheckArgs;
use super::exit::{Failure, MISMATCH, USAGE};
use super::job;
use super::map;
use super::out::{print, say};
use super::progress::Shown;
use super::shard;
use orogen::bake::{Checked, Finding, Place, Recompute, Wrong, check};
use std::time::{SystemTime, UNIX_EPOCH};

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
    let checked = if shard::is_planned(&args.directory) {
        shard::open(&args.directory)?.check(recompute.as_ref(), &shown)?
    } else if map::is_map(&args.directory) {
        map::check(&args.directory, recompute.as_ref(), &shown)?
    } else {
        check(&Place::reading(&args.directory)?, recompute.as_ref(), &shown)?
    };
    drop(shown);
    if args.json {
        print(format_args!("{:#}", json(&checked, seed)))?;
    } else {
        for Finding { file, wrong } in &checked.findings {
            print(format_args!("{}: {file}", word(*wrong)))?;
        }
        let Checked { files, bytes, recomputed, unfinished, findings } = &checked;
        let anew = if *recomputed > 0 { format!(", {recomputed} tiles computed anew (--seed {seed})") } else { String::new() };
        print(format_args!("{files} files of {bytes} bytes{anew}: {} wrong", findings.len()))?;
        if args.recompute.is_some() && *recomputed == 0 {
            say("note: no tile was computed anew: there is no whole record of the recipe, or of any tile");
        }
        if *unfinished {
            say("note: the bake is not finished; orogen bake goes on");
        }
    }
    let foreign = checked.findings.iter().filter(|found| found.wrong == Wrong::Foreign).count();
    let what_helps = match (checked.findings.len() - foreign, foreign) {
        (0, 0) => return Ok(()),
        (_, 0) => "orogen bake makes its own anew",
        (0, _) => "foreign ones are left alone, and are yours to remove",
        (_, _) => "orogen bake makes its own anew; foreign ones are left alone, and are yours to remove",
    };
    Err(Failure::message(MISMATCH, format_args!("{} files are not what they should be; {what_helps}", checked.findings.len())))
}

fn word(wrong: Wrong) -> &'static str {
    match wrong {
        Wrong::Missing => "missing",
        Wrong::Damaged => "damaged",
        Wrong::Foreign => "foreign",
        Wrong::Different => "different from the recipe",
        _ => "wrong",
    }
}

fn json(checked: &Checked, seed: u64) -> serde_json::Value {
    let Checked { files, bytes, recomputed, unfinished, findings } = checked;
    let findings: Vec<_> = findings.iter().map(|f| serde_json::json!({ "file": f.file, "wrong": word(f.wrong) })).collect();
    serde_json::json!({ "files": files, "bytes": bytes, "recomputed": recomputed, "seed": seed, "unfinished": unfinished, "findings": findings })
}
