//! `orogen plan`, `bake --shard`, `status` and `seal`: a world that many processes bake.

use super::args::{BakeArgs, MeasureArgs, PlanArgs, SealArgs, StatusArgs};
use super::cost::Cost;
use super::exit::{Failure, TRANSIENT, USAGE};
use super::job;
use super::out::{print, say};
use super::progress::Shown;
use super::quote;
use super::scheduler;
use super::signal;
use orogen::bake::{
    BakeError, Checked, Folder, Format, PLAN, Phase, Plan, Product, Progress, Recompute, Sealed, ShardReport, Sharded, Status, Store,
    World, check_world,
};
use orogen::stage::Pipeline;
use orogen::{Engine, Recipe};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Where a world lies: a folder, or a place in object storage.
fn store(path: &Path) -> Result<Arc<dyn Store>, Failure> {
    let Some(url) = bucket(path) else { return Ok(Arc::new(Folder::new(folder(path)))) };
    #[cfg(feature = "cloud")]
    return Ok(Arc::new(orogen::bake::Bucket::open(url).map_err(|error| Failure::message(USAGE, format!("{url}: {error}")))?));
    #[cfg(not(feature = "cloud"))]
    Err(Failure::message(USAGE, format!("{url}: this command was built without object storage; allowed: one with the feature cloud")))
}

/// The text of what is no path.
pub fn url(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.contains("://"))
}

/// The folder that a path or a URL of this machine's files names.
pub fn folder(path: &Path) -> &Path {
    url(path).and_then(|url| url.strip_prefix("file://")).map_or(path, Path::new)
}

/// The text of a URL of object storage.
pub fn bucket(path: &Path) -> Option<&str> {
    url(path).filter(|url| !url.starts_with("file://"))
}

/// Opens a world whose plan is there.
pub fn open(path: &Path) -> Result<Sharded, Failure> {
    Ok(Sharded::open(store(path)?)?)
}

/// Checks a world, whose plan may be missing or damaged.
pub fn check(path: &Path, recompute: Option<&Recompute<'_>>, progress: &dyn Progress) -> Result<Checked, Failure> {
    Ok(check_world(store(path)?, recompute, progress)?)
}

/// Whether a place has a plan, or has had one.
pub fn is_planned(path: &Path) -> bool {
    url(path).is_some()
        || path.join(PLAN).is_file()
        || Sharded::has_traces(&(Arc::new(Folder::new(path)) as Arc<dyn Store>)).unwrap_or(false)
}

/// A world as the arguments plan it.
struct Planned {
    sharded: Sharded,
    engine: Engine,
    recipe: Recipe,
    plan: Plan,
    products: Vec<Product>,
    /// Of all tiles, without what is measured first.
    cost: Cost,
}

/// Plans a world, or finds the same plan there.
fn planned(bake: &BakeArgs, shards: Option<u32>) -> Result<Planned, Failure> {
    bake.tile_format()?;
    let recipe = Recipe::load(&bake.recipe)?;
    if let Some(destination) = bake.destination.or(recipe.bake.destination) {
        let message = format!(
            "--for {destination} (or for in the recipe's [bake]) is not allowed for a world of shards, whose files lie in many folders; allowed: \
             a bake by one process into a folder, orogen bake RECIPE --for {destination} --out DIR"
        );
        return Err(Failure::message(USAGE, message));
    }
    let plan = job::plan(&recipe, bake)?;
    let wanted = job::wanted(&recipe.pipeline, &job::layers(&recipe, bake), bake, None)?;
    let engine = job::engine(&bake.engine)?;
    let out = bake.out()?;
    super::map::refuse_map(out)?;
    if url(out).is_none() && out.join("manifest.json").exists() && !is_planned(out) {
        let message = format!("{}: holds the bake of one process; allowed: an empty directory", out.display());
        return Err(Failure::message(USAGE, message));
    }
    let names: Vec<String> = wanted.iter().flat_map(job::Wanted::parts).map(str::to_owned).collect();
    let asked = job::asked(&engine, &recipe, &plan, &wanted, None);
    let (products, unmeasured) = job::unmeasured(&recipe, &plan, wanted);
    let world = World { overview: !bake.no_overview, asked: Some(asked), ..World::new(&recipe.pipeline, &plan, &products) };
    let tile = plan.region((plan.tiles.x.start, plan.tiles.y.start));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let cost = Cost::of_layers(&engine, &recipe.pipeline, &names, &tile)?.times(plan.count());
    // What many machines bake may take hours.
    if shards.is_none() {
        cost.allow(&bake.engine)?;
    }
    let shards = shards.unwrap_or_else(|| plan.count().div_ceil(TILES_ALONE) as u32);
    let sharded = Sharded::plan_unmeasured(store(out)?, &engine, &world, shards, unmeasured)?;
    Ok(Planned { sharded, engine, recipe, plan, products, cost })
}

/// Tiles of a shard where one process bakes all: records of so many are held at a time.
const TILES_ALONE: u64 = 4096;

/// `orogen bake RECIPE --out URL`, or of arrays: all shards by one process.
pub fn alone(args: &BakeArgs) -> Result<(), Failure> {
    let Planned { sharded, engine, plan, products, .. } = planned(args, None)?;
    say(format_args!("baking {} tiles of {}² samples on {}", plan.count(), sharded.edge(), job::describe(&engine)));
    signal::bakes(true);
    let result = all(&sharded, &engine);
    signal::bakes(false);
    let (sealed, written) = result.map_err(|error| match error {
        BakeError::Stopped => Failure::message(TRANSIENT, format_args!("{error}; the same command goes on")),
        error => error.into(),
    })?;
    let out = args.out()?.display();
    if args.json {
        let report = serde_json::json!({ "root": sealed.root, "tiles": sealed.tiles, "bytes": sealed.bytes, "written": written });
        return print(format_args!("{report:#}"));
    }
    print(format_args!("{written} tiles written, {} there already, in {out}\nroot {}", sealed.tiles - written, sealed.root))?;
    let arrays = products.iter().any(|product| product.format.is_array());
    if arrays { print(format_args!("{}", super::map::opened(&out))) } else { Ok(()) }
}

/// Measures, bakes and seals.
fn all(sharded: &Sharded, engine: &Engine) -> Result<(Sealed, u64), BakeError> {
    mend(sharded, engine, None)?;
    while let Some(Phase { number, what, missing, .. }) = sharded.phase()? {
        say(format_args!("measuring {what}"));
        for shard in missing {
            sharded.measure(engine, shard, Some(number), &Shown::new("pieces"))?;
        }
    }
    let mut written = 0;
    for shard in 0..sharded.shards() {
        written += sharded.bake(engine, shard, &Shown::new("tiles"))?.written;
    }
    Ok((sharded.seal(&Shown::new("sealed"))?, written))
}

/// Measures again what was measured and is missing or damaged: by one shard, or all.
fn mend(sharded: &Sharded, engine: &Engine, one: Option<u32>) -> Result<(), BakeError> {
    for (phase, shard) in sharded.parts_to_mend()?.into_iter().filter(|(_, shard)| one.is_none_or(|one| one == *shard)) {
        say(format_args!("measuring again what shard {shard} has found in phase {}", phase + 1));
        sharded.measure(engine, shard, Some(phase), &Shown::new("pieces"))?;
    }
    Ok(())
}

pub fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let bake = &args.bake;
    let Planned { sharded, recipe, plan, products, cost, .. } = planned(bake, Some(args.shards))?;
    let (out, phases) = (bake.out()?, sharded.phases()?);
    let most = (0..sharded.shards()).map(|shard| sharded.tiles_of(shard)).max().unwrap_or(0);
    let share = cost.evaluations * most as f64 / plan.count().max(1) as f64;
    if bake.json {
        let plan = serde_json::json!({
            "tiles": plan.count(), "shards": sharded.shards(), "phases": phases, "largest_shard": most, "evaluations": cost.evaluations,
            "evaluations_of_a_shard": share,
        });
        return print(format_args!("{plan:#}"));
    }
    let bytes = plan.count() as f64
        * f64::from(sharded.edge()).powi(2)
        * products.iter().map(|product| bytes_of(product, &recipe.pipeline)).sum::<f64>();
    print(format_args!(
        "{}: {} tiles of {}² samples in {} shards of up to {most}; at most {:.1e} bytes\n{:.1e} evaluations, {share:.1e} a shard",
        out.display(),
        plan.count(),
        sharded.edge(),
        sharded.shards(),
        bytes,
        cost.evaluations,
    ))?;
    let (world, shards) = (quote::word(&out.to_string_lossy()), sharded.shards());
    if let Some(Phase { what, .. }) = sharded.phase()? {
        print(format_args!("{phases} phases come first, the first of them {what}: orogen measure {world} --shard 0/{shards}, …"))?;
    }
    print(format_args!("next: orogen bake {world} --shard 0/{shards}, … ; then: orogen seal {world}"))
}

/// Bytes of a sample of a product, before they are compressed.
fn bytes_of(product: &Product, pipeline: &Pipeline) -> f64 {
    let channels = pipeline.channels(&product.layer).unwrap_or(1) as f64;
    match product.format {
        Format::Weights => 4.0,
        Format::Png8 => channels,
        Format::Png16 | Format::R16 => 2.0 * channels,
        _ => 4.0 * channels,
    }
}

/// How often it is looked whether what is waited for is done.
const LOOK: Duration = Duration::from_secs(2);

/// Waits until a phase is next, or all are done.
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
    mend(&sharded, &engine, one)?;
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
            print(format_args!("phase {} of {of}: {} shards are missing", number + 1, missing.len()))
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
    say(format_args!("shard {shard} of {}: {} tiles on {}", sharded.shards(), sharded.tiles_of(shard), job::describe(&engine)));
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
        say(format_args!("warning: {mended} files or records were damaged, and are made anew"));
    }
    let met = if met > 0 { format!("; {met} files were there, with the same bits") } else { String::new() };
    print(format_args!("shard {shard}: {written} tiles written, {resumed} there already, {:.2} s{met}", wall.as_secs_f64()))
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
        print(format_args!("measuring: phase {} of {of}, {what}; {done} of {} shards", number + 1, sharded.shards()))?;
        return print(format_args!("missing: --array={}", status.array()));
    }
    print(format_args!("{phase}: {done} of {tiles} tiles, {} of {} shards", sharded.shards() as usize - missing.len(), sharded.shards()))?;
    if done < tiles {
        print(format_args!("missing: --array={}", status.array()))?;
    }
    if done < tiles && *rate > 0.0 {
        print(format_args!("{rate:.1} tiles/s, {left:.0} s left at that rate"))?;
    }
    for (machine, tiles) in machines {
        print(format_args!("{machine}: {tiles} tiles"))?;
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
    print(format_args!("sealed: {} tiles, {} bytes\nroot {}", sealed.tiles, sealed.bytes, sealed.root))
}
