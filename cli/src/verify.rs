//! `orogen verify`: compares the results of a recipe across backends, tilings and levels of detail.

use super::args::{BackendArg, EngineArgs, VerifyArgs};
use super::cost::{self, Limited};
use super::counted::Counted;
use super::exit::{Failure, MISMATCH};
use super::job;
use super::out::print;
use orogen::bake::request::Cost;
use orogen::stage::Stage;
use orogen::{DrainageCheck, Engine, EngineError, Field, Gradient, Noise, Parity, Recipe, Region, f32_bounds, fast_bounds};
use std::time::{Duration, Instant};

/// Tile edge of the parity regions: small enough for a software adapter to finish in seconds.
const EDGE: u32 = 128;

/// Edge of the regions in which bounds are computed, which takes several hundred evaluations.
const BOUNDED: u32 = 48;

/// Time limit for the tiles of stages, so that a software adapter finishes in half a minute. One tile is always computed.
const TILES: Duration = Duration::from_secs(10);

/// The largest part of a recipe's world over which water is traced: larger than the squares in which it is.
const TRACED: u32 = 640;

/// Share of the largest magnitude above which rounding makes a comparison of f32 and f64 meaningless.
const SHAKY: f64 = 0.1;

/// One line of the report.
struct VerifiedLine {
    name: String,
    /// The verdict of a check; `None` for a measurement without a bound.
    holds: Option<bool>,
    found: String,
}

pub fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe, &args.changes)?;
    let engine = job::engine(&args.engine)?;
    let EngineArgs { memory, threads, .. } = args.engine;
    let plain = |backend| job::engine(&EngineArgs { backend, memory, threads, ..EngineArgs::default() });
    let cpu = plain(BackendArg::Cpu)?;
    let oracle = plain(BackendArg::Oracle)?;
    // Three positions, on up to three backends, with several tilings.
    cost::estimate(&engine, &noise, 40.0 * f64::from(EDGE * EDGE), 64.0)?.allow(&args.engine)?;
    let mut checks = Vec::new();
    for (place, tile) in [("at the origin", [0, 0]), ("at tile -3, 5", [-3, 5]), ("at tile ±10⁶", [1_000_000, -1_000_000])] {
        let region = region(&recipe, tile, EDGE);
        // A noise may not extend that far.
        if let Err(error @ (EngineError::Program(_) | EngineError::Region(_))) = cpu.field(&noise, &region)
            && tile != [0; 2]
        {
            checks.push(VerifiedLine { name: format!("not looked at, {place}"), holds: None, found: error.to_string() });
            continue;
        }
        if engine.gpu().is_some() {
            checks.push(parity(&engine, &cpu, &noise, &region, place)?);
        }
        checks.push(against_oracle(&cpu, &oracle, &noise, &region, place)?);
        checks.push(tilings(&engine, &noise, &recipe, tile, place)?);
        checks.push(levels(&engine, &noise, &region, place)?);
        checks.push(points(&engine, &noise, &region, place)?);
    }
    checks.push(range(&engine, &noise, &recipe)?);
    if recipe.pipeline.has_stages() {
        checks.extend(stages(args, &engine, &cpu, &recipe)?);
        checks.extend(drainage(args, &cpu, &recipe)?);
    }
    report(args, &engine, &checks)
}

fn region(recipe: &Recipe, [x, y]: [i64; 2], size: u32) -> Region {
    Region { spacing: recipe.bake.spacing, anchor: [0.0, 0.0, recipe.bake.z], ..Region::tile(x, y, size) }
}

/// Compares the bits of values and gradients, and finds the largest difference of each relative to its largest magnitude.
struct Difference {
    samples: usize,
    components: usize,
    values: usize,
    gradients: usize,
    value: f64,
    gradient: f64,
}

fn compare(a: &Field, b: &Field) -> Difference {
    let none = Vec::new();
    let (ga, gb) = (a.gradients.as_ref().unwrap_or(&none), b.gradients.as_ref().unwrap_or(&none));
    let bits = |a: &[f32], b: &[f32]| a.iter().zip(b).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let relative = |a: &[f32], b: &[f32]| {
        let largest = b.iter().fold(f32::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let furthest = a.iter().zip(b).fold(0.0f32, |m, (a, b)| m.max((a - b).abs()));
        f64::from(furthest) / f64::from(largest)
    };
    let (fa, fb) = (ga.as_flattened(), gb.as_flattened());
    Difference {
        samples: a.values.len(),
        components: fa.len(),
        values: bits(&a.values, &b.values),
        gradients: bits(fa, fb),
        value: relative(&a.values, &b.values),
        gradient: relative(fa, fb),
    }
}

fn parity(engine: &Engine, cpu: &Engine, noise: &Noise, region: &Region, place: &str) -> Result<VerifiedLine, EngineError> {
    let d = compare(&job::jets(engine, noise, region)?, &job::jets(cpu, noise, region)?);
    let exact = engine.describe().parity == Some(Parity::Exact);
    let [value, gradient] = fast_bounds(noise);
    let ok = if exact { d.values + d.gradients == 0 } else { d.value <= value && d.gradient <= gradient };
    let found = format!(
        "{} of {} values and {} of {} gradient components differ; largest difference {:.1e} and {:.1e} of the largest magnitude",
        d.values, d.samples, d.gradients, d.components, d.value, d.gradient
    );
    let name = format!("GPU against CPU, {}, {place}", if exact { "bits" } else { "bounded" });
    // Some noises differ in fast arithmetic: that is measured, without a bound.
    Ok(VerifiedLine { name, holds: (exact || value.is_finite()).then_some(ok), found })
}

/// Compares f32 with f64, within the bound that rounding in every node allows. The bound depends on the steepness of the
/// recipe's curves and on how far from the origin it reads coordinates. If it exceeds most values, f32 is not held to it.
/// Gradients are measured, and must be finite.
fn against_oracle(cpu: &Engine, oracle: &Engine, noise: &Noise, region: &Region, place: &str) -> Result<VerifiedLine, EngineError> {
    let region = Region { size: [BOUNDED, BOUNDED, 1], ..*region };
    let (single, double) = (job::jets(cpu, noise, &region)?, job::jets(oracle, noise, &region)?);
    let bounds = f32_bounds(noise, &region)?;
    let d = compare(&single, &double);
    let off = single.values.iter().zip(&double.values).map(|(a, b)| f64::from((a - b).abs()));
    // Written so that NaN counts as exceeding the bound.
    let within = off.zip(&bounds).filter(|(off, bound)| off <= bound).count();
    let largest = f64::from(double.values.iter().fold(f32::MIN_POSITIVE, |m, x| m.max(x.abs())));
    let bound = bounds.iter().fold(0.0_f64, |m, &bound| m.max(bound)) / largest;
    let shaky = bounds.iter().filter(|&&bound| bound > SHAKY * largest).count();
    let mut found = format!(
        "{} of {} values beyond their bound; values within {:.1e} (bounds up to {bound:.1e}), gradients within {:.1e} of the largest magnitude",
        bounds.len() - within,
        bounds.len(),
        d.value,
        d.gradient
    );
    let ill_conditioned = 2 * shaky > bounds.len();
    if ill_conditioned {
        found += &format!("; ill-conditioned here: rounding may change {shaky} values by more than {SHAKY} of the largest magnitude");
    }
    let finite = d.gradient.is_finite();
    let holds = if ill_conditioned && finite { None } else { Some(within == bounds.len() && finite) };
    Ok(VerifiedLine { name: format!("f32 against f64, {place}"), holds, found })
}

/// A square as one tile and as four: the halves share an edge.
fn tilings(engine: &Engine, noise: &Noise, recipe: &Recipe, [x, y]: [i64; 2], place: &str) -> Result<VerifiedLine, EngineError> {
    let whole = region(recipe, [x, y], EDGE);
    let one = engine.field(noise, &whole)?;
    let half = EDGE / 2;
    let mut differing = 0;
    for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        // One sample of overlap, where the whole square has one.
        let size = [half + u32::from(i == 0), half + u32::from(j == 0), 1];
        let part = Region { size, ..region(recipe, [2 * x + i64::from(i), 2 * y + i64::from(j)], half) };
        let quarter = engine.field(noise, &part)?;
        for (k, value) in quarter.values.iter().enumerate() {
            let (column, row) = (k as u32 % size[0] + i * half, k as u32 / size[0] + j * half);
            differing += usize::from(one.values[(row * EDGE + column) as usize].to_bits() != value.to_bits());
        }
    }
    let found = format!("{differing} of {} samples differ between one tile of {EDGE} and four of {half} with overlap", EDGE * EDGE);
    Ok(VerifiedLine { name: format!("tilings, {place}"), holds: Some(differing == 0), found })
}

fn levels(engine: &Engine, noise: &Noise, region: &Region, place: &str) -> Result<VerifiedLine, EngineError> {
    let fine = engine.field(noise, region)?;
    let mut differing = 0;
    for level in [1u32, 3] {
        let edge = EDGE >> level;
        let coarse = Region { origin: region.origin.map(|i| i >> level), size: [edge, edge, 1], level, ..*region };
        for (k, value) in engine.field(noise, &coarse)?.values.iter().enumerate() {
            let at = ((k as u32 / edge) << level) * EDGE + ((k as u32 % edge) << level);
            differing += usize::from(fine.values[at as usize].to_bits() != value.to_bits());
        }
    }
    Ok(VerifiedLine {
        name: format!("levels of detail, {place}"),
        holds: Some(differing == 0),
        found: format!("{differing} samples of levels 1 and 3 differ from level 0"),
    })
}

/// Compares point queries with the tile's samples: equal up to the rounding of positions. A recipe may be so steep that this
/// rounding, 2⁻⁵² of a position, changes its values; the report then states that.
fn points(engine: &Engine, noise: &Noise, region: &Region, place: &str) -> Result<VerifiedLine, EngineError> {
    let field = job::jets(engine, noise, region)?;
    let at: Vec<[u32; 3]> = (0..EDGE).map(|i| [i, (i * 37) % EDGE, 0]).collect();
    let positions: Vec<[f64; 3]> = at.iter().map(|&index| region.position(index)).collect();
    let samples = engine.sample(noise, &positions, Gradient::Without)?;
    let largest = field.values.iter().fold(f32::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let furthest =
        at.iter().zip(&samples).fold(0.0f64, |m, ([x, y, _], s)| m.max((f64::from(field.values[(y * EDGE + x) as usize]) - s.value).abs()));
    let steepest = field.gradients.iter().flatten().flatten().fold(0.0f64, |m, g| m.max(f64::from(g.abs())));
    let furthest_out = positions.iter().flatten().fold(region.step(), |m, x| m.max(x.abs()));
    // The change of a value by rounding of its position along three axes, in the arithmetic of the sample and of the point.
    let rounding = furthest_out * f64::EPSILON;
    // Gradients do not show jumps; evaluating the same points with that displacement does.
    let mut jump = 0.0_f64;
    for by in [-2.0 * rounding, 2.0 * rounding] {
        let moved: Vec<[f64; 3]> = positions.iter().map(|p| p.map(|x| x + by)).collect();
        let there = engine.sample(noise, &moved, Gradient::Without)?;
        jump = samples.iter().zip(&there).fold(jump, |m, (a, b)| m.max((a.value - b.value).abs()));
    }
    let conditioned = (6.0 * steepest * rounding).max(jump) / f64::from(largest);
    let relative = furthest / f64::from(largest);
    let mut found = format!("values within {relative:.1e} of the largest magnitude");
    if conditioned > SHAKY {
        found += &format!(
            "; ill-conditioned here: a position is rounded by {rounding:.0e} units, and values change by up to {steepest:.0e} a unit"
        );
    }
    let holds = (conditioned <= SHAKY).then_some(relative <= 1e-4 + conditioned);
    Ok(VerifiedLine { name: format!("points against tiles, {place}"), holds, found })
}

fn range(engine: &Engine, noise: &Noise, recipe: &Recipe) -> Result<VerifiedLine, Failure> {
    let proven = noise.range()?;
    let [lo, hi] = engine.field(noise, &region(recipe, [0, 0], 4 * EDGE))?.extent();
    let ok = proven.contains(f64::from(lo)) && proven.contains(f64::from(hi));
    Ok(VerifiedLine {
        name: "range".to_owned(),
        holds: Some(ok),
        found: format!("proven {} to {}, found {lo} to {hi}", proven.lo, proven.hi),
    })
}

/// Compares the stages' output as one piece, as four tiles (or fewer if time is short), and on the CPU. Whole-world statistics of
/// the stages are measured there, too.
fn stages(args: &VerifyArgs, engine: &Engine, cpu: &Engine, recipe: &Recipe) -> Result<Vec<VerifiedLine>, Failure> {
    let whole = region(recipe, [0, 0], EDGE);
    let names = [recipe.pipeline.output.as_str()];
    Cost::of_layers(engine, &recipe.pipeline, &names, &whole)?.times(3).allow(&args.engine)?;
    let pipeline = cpu.measure(&recipe.pipeline, &names, &[whole])?;
    let one = engine.layers(&pipeline, &names, &whole)?.remove(0);
    let half = EDGE / 2;
    let (start, mut tiles, mut compared, mut differing) = (Instant::now(), 0, 0, 0);
    for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        // Stops if the next tile would exceed the limit, at the pace of the previous ones.
        if start.elapsed() * (tiles + 1) > TILES * tiles && tiles > 0 {
            break;
        }
        tiles += 1;
        let quarter = engine.layers(&pipeline, &names, &region(recipe, [i, j], half))?.remove(0);
        let [across, along] = [EDGE, half].map(|edge| edge as usize * one.channels);
        compared += quarter.values.len();
        for (k, value) in quarter.values.iter().enumerate() {
            let (column, row) = (k % along + i as usize * along, k / along + j as usize * half as usize);
            differing += usize::from(one.values[row * across + column].to_bits() != value.to_bits());
        }
    }
    let cut = if tiles < 4 { format!(" ({tiles} computed: all would take longer than {} s)", TILES.as_secs()) } else { String::new() };
    let found = format!("{differing} of {compared} numbers of '{}' differ between one tile of {EDGE} and four of {half}{cut}", names[0]);
    let mut checks = vec![VerifiedLine { name: "tilings of the stages".to_owned(), holds: Some(differing == 0), found }];
    if engine.gpu().is_some() {
        let other = cpu.layers(&pipeline, &names, &whole)?.remove(0);
        let differing = one.values.iter().zip(&other.values).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let largest = other.values.iter().fold(f32::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let furthest = one.values.iter().zip(&other.values).fold(0.0_f32, |m, (a, b)| m.max((a - b).abs())) / largest;
        let exact = engine.describe().parity == Some(Parity::Exact);
        let found = format!("{differing} of {} numbers differ, by at most {furthest:.1e} of the largest magnitude", one.values.len());
        // Erosion amplifies small differences, so fast arithmetic has no bound.
        let holds = exact.then_some(differing == 0);
        checks.push(VerifiedLine { name: "stages, GPU against CPU".to_owned(), holds, found });
    }
    Ok(checks)
}

/// Checks the rules of drainage over the beginning of the recipe's world. Its bits are the same on all backends.
fn drainage(args: &VerifyArgs, cpu: &Engine, recipe: &Recipe) -> Result<Vec<VerifiedLine>, Failure> {
    let size = recipe.bake.tiles.map(|tiles| tiles.saturating_mul(recipe.bake.tile).min(TRACED));
    let world = Region { size: [size[0], size[1], 1], ..region(recipe, [0, 0], TRACED) };
    let stages = recipe.pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::Drainage(_)));
    let names: Vec<&str> = stages.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    Cost::of_layers(cpu, &recipe.pipeline, &names, &world)?.times(3).allow(&args.engine)?;
    let line = |DrainageCheck { stage, samples, outlets, broken, .. }: DrainageCheck| VerifiedLine {
        name: format!("drainage of '{stage}'"),
        holds: Some(broken.is_none()),
        found: broken.unwrap_or_else(|| format!("{samples} samples drain to {}, and no water rises", Counted(outlets, "outlet"))),
    };
    Ok(cpu.check_drainage(&recipe.pipeline, Some(&world))?.into_iter().map(line).collect())
}

fn report(args: &VerifyArgs, engine: &Engine, checks: &[VerifiedLine]) -> Result<(), Failure> {
    if args.json {
        let list: Vec<_> = checks.iter().map(|c| serde_json::json!({ "check": c.name, "ok": c.holds, "found": c.found })).collect();
        print(format_args!("{:#}", serde_json::json!({ "engine": engine.summary(), "checks": list })))?;
    } else {
        print(format_args!("{}", engine.summary()))?;
        if engine.gpu().is_none() {
            print(format_args!("no GPU: parity between GPU and CPU was not checked (--backend gpu also accepts a software adapter)"))?;
        }
        for VerifiedLine { name, holds, found } in checks {
            let word = match holds {
                Some(true) => "ok  ",
                Some(false) => "FAIL",
                None => "info",
            };
            print(format_args!("{word} {name}: {found}"))?;
        }
    }
    let verdicts: Vec<bool> = checks.iter().filter_map(|line| line.holds).collect();
    let failed = verdicts.iter().filter(|holds| !**holds).count();
    if failed > 0 {
        return Err(Failure::message(MISMATCH, format!("{failed} of {} checks failed", verdicts.len())));
    }
    Ok(())
}
