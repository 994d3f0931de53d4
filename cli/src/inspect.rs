//! `orogen inspect`: statistics, spectrum, range and cost of a recipe, as a page and as JSON.

use super::args::InspectArgs;
use super::cost::{self, Limited};
use super::exit::Failure;
use super::job;
use super::out::{print, write};
use super::report::{self, Cost, Figures};
use orogen::draw::shade;
use orogen::node::Input;
use orogen::stats::{Band, Distribution, Fit, Isotropy, Periodogram, Spectrum, Window};
use orogen::{Engine, EngineError, Graph, Noise, Recipe, Region, limits};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Maximum number of pixels along an edge of the picture: more only make the page large.
const PICTURE: u32 = 640;
/// Samples along each edge of a pixel.
const SUPERSAMPLE: u32 = 2;
/// Number of distinguished directions over the half circle.
const SECTORS: usize = 16;
/// Minimum and maximum number of timings of a node, and the time after which no further one starts.
const RUNS: (usize, usize) = (3, 15);
const LONG: Duration = Duration::from_millis(200);

pub fn run(args: &InspectArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe, &args.changes)?;
    let edge = job::edge(args.size)?;
    let band = job::band(args.band.as_deref(), edge)?;
    let engine = job::engine(&args.engine)?;
    let spacing = args.spacing.unwrap_or(recipe.bake.spacing);
    let region = Region { spacing, anchor: [0.0, 0.0, recipe.bake.z], ..Region::plane(edge, edge) };
    // Each node is timed many times, and drawn.
    cost::estimate(&engine, &noise, 32.0 * region.samples() as f64, 4.0)?.allow(&args.engine)?;
    let text = source(args, &recipe)?;
    let figures = figures(&engine, &noise, &args.recipe, text, region, band)?;
    if let Some(output) = &args.output {
        write(output, report::page(&figures))?;
    }
    match &args.output {
        _ if args.json => print(format_args!("{:#}", json(&figures)))?,
        Some(output) => print(format_args!("{}: {edge}² samples on {}", output.display(), figures.engine))?,
        None => (),
    }
    Ok(())
}

/// The recipe as it was written, with comments. A recipe in JSON or from a pipe is written as TOML.
fn source(args: &InspectArgs, recipe: &Recipe) -> Result<String, Failure> {
    let path = &args.recipe;
    // A pipe cannot be read twice.
    if !args.changes.is_empty() || !path.is_file() || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        return Ok(recipe.to_toml()?);
    }
    limits::read_text(path, limits::RECIPE).map_err(|error| Failure::file(path, &error))
}

fn figures(engine: &Engine, noise: &Noise, path: &Path, text: String, region: Region, band: Band) -> Result<Figures, Failure> {
    let edge = region.size[0] as usize;
    let field = engine.field(noise, &region)?;
    let finite = || Failure::message(1, "the field contains no finite value");
    let values = Distribution::of(&field.values).ok_or_else(finite)?;
    let periodogram = Periodogram::of(&field.values, edge, Window::Hann).ok_or_else(finite)?;
    let radial = periodogram.radial();
    let (costs, unused) = costs(engine, noise.graph(), &region)?;
    Ok(Figures {
        name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        text,
        engine: engine.summary(),
        picture: picture(engine, noise, &region)?,
        values,
        proven: noise.range()?,
        band,
        fit: radial.fit(band),
        radial,
        along_rows: Spectrum::of_rows(&field.values, edge, Window::Hann).and_then(|spectrum| spectrum.fit(band)),
        isotropy: periodogram.isotropy(SECTORS, band),
        costs,
        unused,
        region,
    })
}

/// The measured square, shaded.
fn picture(engine: &Engine, noise: &Noise, region: &Region) -> Result<Vec<u8>, Failure> {
    let samples = region.size[0].min(PICTURE) * SUPERSAMPLE;
    let spacing = region.spacing * f64::from(region.size[0]) / f64::from(samples);
    let fine = Region { size: [samples, samples, 1], spacing, ..*region };
    let field = job::jets(engine, noise, &fine)?;
    shade(&field, SUPERSAMPLE)?.to_png().map_err(|error| Failure::file(Path::new("the picture"), &error))
}

/// Every node that the output needs, in the recipe's order, timed as if it were the output, and the names of the other nodes.
fn costs(engine: &Engine, graph: &Graph, region: &Region) -> Result<(Vec<Cost>, Vec<String>), Failure> {
    let needed = needed(graph);
    let (used, unused): (Vec<_>, Vec<_>) = graph.node.iter().partition(|(name, _)| needed.contains(name.as_str()));
    let mut costs = Vec::new();
    for (name, node) in used {
        let part = Noise::from(Graph { output: name.clone(), node: graph.node.clone() });
        costs.push(Cost {
            node: name.clone(),
            kind: node.info().kind,
            output: *name == graph.output,
            nanoseconds: nanoseconds(engine, &part, region)?,
            share: None,
        });
    }
    let total = costs.iter().find(|cost| cost.output).and_then(|cost| cost.nanoseconds);
    for cost in &mut costs {
        cost.share = cost.nanoseconds.zip(total).filter(|(_, total)| *total > 0.0).map(|(own, total)| own / total);
    }
    Ok((costs, unused.into_iter().map(|(name, _)| name.clone()).collect()))
}

fn needed(graph: &Graph) -> HashSet<&str> {
    let mut seen = HashSet::new();
    let mut open = vec![graph.output.as_str()];
    while let Some(name) = open.pop() {
        if let Some(node) = graph.node.get(name).filter(|_| seen.insert(name)) {
            open.extend(
                node.inputs()
                    .into_iter()
                    .filter_map(|(_, input)| if let Input::Node(target) = input { Some(target.as_str()) } else { None }),
            );
        }
    }
    seen
}

/// Median time per sample of a region's values, including transfer to the host.
fn nanoseconds(engine: &Engine, noise: &Noise, region: &Region) -> Result<Option<f64>, Failure> {
    // Not counted: compiles the kernel and warms the caches.
    match engine.field(noise, region) {
        // Without the fractal that scales it down, a coordinate may be out of range.
        Err(EngineError::Program(_)) => return Ok(None),
        other => other?,
    };
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < RUNS.0 || (times.len() < RUNS.1 && start.elapsed() < LONG) {
        let begin = Instant::now();
        engine.field(noise, region)?;
        times.push(begin.elapsed());
    }
    times.sort();
    Ok(Some(times[times.len() / 2].as_secs_f64() * 1e9 / region.samples() as f64))
}

fn json(f: &Figures) -> serde_json::Value {
    use serde_json::json;
    let fit =
        |fit: &Fit| json!({ "slope": fit.slope, "error": fit.error, "amplitude_exponent": fit.amplitude_exponent(), "rings": fit.rings });
    let isotropy = |i: &Isotropy| json!({ "sectors": i.sectors, "deviation": i.deviation, "chance": i.chance, "ratio": i.ratio() });
    let cost = |c: &Cost| json!({ "node": c.node, "kind": c.kind, "ns_per_sample": c.nanoseconds, "share": c.share });
    json!({
        "recipe": f.name,
        "engine": f.engine,
        "region": { "size": f.region.size, "spacing": f.region.spacing, "z": f.region.anchor[2] },
        "values": { "count": f.values.count(), "mean": f.values.mean(), "deviation": f.values.deviation() },
        "range": { "proven": [f.proven.lo, f.proven.hi], "measured": f.values.extent(), "used": f.used() },
        "uniform": { "ks_measured": f.ks_measured(), "ks_proven": f.values.ks_uniform(f.proven.lo, f.proven.hi) },
        "spectrum": {
            "band": [f.band.lo, f.band.hi],
            "radial": f.fit.as_ref().map(fit),
            "along_rows": f.along_rows.as_ref().map(fit),
            "rings": f.radial.rings.iter().map(|ring| [ring.frequency, ring.power]).collect::<Vec<_>>(),
        },
        "isotropy": f.isotropy.as_ref().map(isotropy),
        "cost": f.costs.iter().map(cost).collect::<Vec<_>>(),
        "unused": f.unused,
    })
}
