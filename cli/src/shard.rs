//! `orogen plan`, `bake --shard`, `status` and `seal`: a world that several processes bake.

use super::args::{BakeArgs, MeasureArgs, PlanArgs, SealArgs, StatusArgs};
use super::counted::Counted;
use super::exit::{Failure, TRANSIENT};
use super::job;
use super::out::{print, say};
use super::progress::Shown;
use super::quote;
use super::scheduler;
use super::signal;
use orogen::bake::request::PlannedWorld;
use orogen::bake::shard::{Phase, ShardReport, Status};
use orogen::bake::{Address, BakeError, Sharded};
use std::path::Path;
use std::time::Duration;

/// Opens a planned world.
pub fn open(path: &Path) -> Result<Sharded, Failure> {
    Ok(Sharded::open(Address::of(path).store()?)?)
}

pub fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let bake = &args.bake;
    let out = bake.out()?;
    let request = bake.request()?;
    let engine = job::engine(&bake.engine)?;
    let PlannedWorld { sharded, resolved, cost, .. } = request.plan(&engine, out, args.shards)?;
    let (plan, phases) = (&resolved.plan, sharded.phases()?);
    let most = (0..sharded.shards()).map(|shard| sharded.tiles_of(shard)).max().unwrap_or(0);
    let share = cost.evaluations * most as f64 / plan.count().max(1) as f64;
    if bake.json {
        let plan = serde_json::json!({
            "tiles": plan.count(), "shards": sharded.shards(), "phases": phases, "largest_shard": most, "evaluations": cost.evaluations,
            "evaluations_of_a_shard": share,
        });
        return print(format_args!("{plan:#}"));
    }
    print(format_args!(
        "{}: {} of {}² samples in {} of up to {most}; at most {:.1e} bytes\n{:.1e} evaluations, {share:.1e} a shard",
        out.display(),
        Counted(plan.count(), "tile"),
        sharded.edge(),
        Counted(sharded.shards(), "shard"),
        resolved.bytes(&request.recipe.pipeline)?,
        cost.evaluations,
    ))?;
    let (world, shards) = (quote::word(&out.to_string_lossy()), sharded.shards());
    if let Some(Phase { what, .. }) = sharded.phase()? {
        print(format_args!("{phases} phases come first, the first of them {what}: orogen measure {world} --shard 0/{shards}, …"))?;
    }
    print(format_args!("next: orogen bake {world} --shard 0/{shards}, … ; then: orogen seal {world}"))
}

/// Polling interval.
const LOOK: Duration = Duration::from_secs(2);

/// Waits until a phase may start, or until all are complete.
fn wait(sharded: &Sharded, phase: u32) -> Result<(), Failure> {
    while sharded.phase()?.is_some_and(|is| is.number < phase) {
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// `orogen measure WORLD`.
pub fn measure(args: &MeasureArgs) -> Result<(), Failure> {
    let sharded = open(&args.world)?;
    let one = args.shard.as_ref().map(|shard| scheduler::index(shard, sharded.shards())).transpose()?;
    let engine = job::engine(&args.engine)?;
    if let (Some(phase), true) = (args.phase, args.wait) {
        wait(&sharded, phase)?;
    }
    sharded.mend_parts(&engine, one, &Shown::new("pieces"))?;
    let of = sharded.phases()?;
    while let Some(Phase { number, what, missing, .. }) = sharded.phase()? {
        let phase = args.phase.unwrap_or(number);
        for shard in one.map_or(missing, |one| vec![one]) {
            say(format_args!("phase {} of {of}, {what}: shard {shard} of {}", u64::from(phase) + 1, sharded.shards()));
            let shown = Shown::new("pieces");
            signal::bakes(true);
            let result = sharded.measure(&engine, shard, Some(phase), &shown);
            signal::bakes(false);
            drop(shown);
            if !result? {
                say("there already");
            }
        }
        if one.is_some() {
            break;
        }
    }
    match sharded.phase()? {
        None => print("measured: the world can be baked"),
        Some(Phase { number, of, missing, .. }) => {
            print(format_args!("phase {} of {of}: {} to go", number + 1, Counted(missing.len(), "shard")))
        }
    }
}

/// `orogen bake WORLD --shard …`.
pub fn bake(args: &BakeArgs, shard: &str) -> Result<(), Failure> {
    let sharded = open(&args.recipe)?;
    let shard = scheduler::index(shard, sharded.shards())?;
    let engine = job::engine(&args.engine)?;
    if args.wait {
        wait(&sharded, u32::MAX)?;
    }
    say(format_args!("shard {shard} of {}: {} on {}", sharded.shards(), Counted(sharded.tiles_of(shard), "tile"), engine.summary()));
    let shown = Shown::new("tiles");
    signal::bakes(true);
    let result = sharded.bake(&engine, shard, &shown);
    signal::bakes(false);
    drop(shown);
    let ShardReport { written, resumed, met, mended, wall, .. } = result.map_err(|error| match error {
        BakeError::Stopped => {
            let again = format!("orogen bake {} --shard {shard}/{}", quote::word(&args.recipe.to_string_lossy()), sharded.shards());
            Failure::message(TRANSIENT, format_args!("{error}; to go on: {again}"))
        }
        error => error.into(),
    })?;
    if args.json {
        let report = serde_json::json!({ "shard": shard, "written": written, "resumed": resumed, "met": met, "mended": mended, "seconds": wall.as_secs_f64() });
        return print(format_args!("{report:#}"));
    }
    if mended > 0 {
        say(format_args!("warning: damaged files or records rewritten: {mended}"));
    }
    let met = if met > 0 { format!("; {} already existed with the same bits", Counted(met, "file")) } else { String::new() };
    print(format_args!("shard {shard}: {} written, {resumed} there already, {:.2} s{met}", Counted(written, "tile"), wall.as_secs_f64()))
}

pub fn status(args: &StatusArgs) -> Result<(), Failure> {
    let sharded = open(&args.world)?;
    let status = sharded.status()?;
    let Status { tiles, done, missing, machines, rate, damaged, root, .. } = &status;
    let left = if *rate > 0.0 { (tiles - done) as f64 / rate } else { 0.0 };
    let phase = match root {
        _ if status.phase.is_some() => "measuring",
        Some(_) => "sealed",
        None if done == tiles => "to be sealed",
        None => "baking",
    };
    if args.json {
        let status = serde_json::json!({
            "phase": phase, "measuring": status.phase.as_ref().map(|phase| serde_json::json!({ "number": phase.number, "of": phase.of, "what": phase.what, "missing": phase.missing })), "tiles": tiles, "done": done, "shards": sharded.shards(), "missing": missing, "array": status.array(),
            "machines": machines, "tiles_per_second": rate, "seconds_left": left, "damaged": damaged, "root": root,
        });
        return print(format_args!("{status:#}"));
    }
    if let Some(Phase { number, of, what, missing, .. }) = &status.phase {
        let done = sharded.shards() as usize - missing.len();
        print(format_args!("measuring: phase {} of {of}, {what}; {done} of {}", number + 1, Counted(sharded.shards(), "shard")))?;
        return print(format_args!("missing: --array={}", status.array()));
    }
    let (tiles_of, shards) = (Counted(*tiles, "tile"), Counted(sharded.shards(), "shard"));
    print(format_args!("{phase}: {done} of {tiles_of}, {} of {shards}", sharded.shards() as usize - missing.len()))?;
    if done < tiles {
        print(format_args!("missing: --array={}", status.array()))?;
    }
    if done < tiles && *rate > 0.0 {
        print(format_args!("{rate:.1} tiles/s, {left:.0} s left at that rate"))?;
    }
    for (machine, tiles) in machines {
        print(format_args!("{machine}: {}", Counted(*tiles, "tile")))?;
    }
    for name in damaged {
        print(format_args!("damaged: {name}"))?;
    }
    root.as_ref().map_or(Ok(()), |root| print(format_args!("root {root}")))
}

pub fn seal(args: &SealArgs) -> Result<(), Failure> {
    let sharded = open(&args.world)?;
    let shown = Shown::new("tiles");
    let sealed = sharded.seal(&shown);
    drop(shown);
    let sealed = sealed?;
    if args.json {
        let sealed = serde_json::json!({ "root": sealed.root, "tiles": sealed.tiles, "bytes": sealed.bytes });
        return print(format_args!("{sealed:#}"));
    }
    print(format_args!("sealed: {}, {}\nroot {}", Counted(sealed.tiles, "tile"), Counted(sealed.bytes, "byte"), sealed.root))
}
