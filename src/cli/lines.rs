//! `orogen contours` and `orogen coast`.

use super::args::{CoastArgs, ContoursArgs};
use super::exit::{Failure, USAGE};
use super::job;
use orogen::lines::{Coastline, contours, geojson, svg};
use orogen::{Recipe, Region};
use std::path::Path;

/// Lines of a plan, each of a height.
type Lines = Vec<(f64, Vec<Vec<[f64; 2]>>)>;

/// Most lines that an interval may ask for.
const MOST: f64 = 10_000.0;

pub fn contour(args: &ContoursArgs) -> Result<(), Failure> {
    let recipe = Recipe::load(&args.recipe)?;
    let kind = job::extension(&args.output, &["svg", "geojson"])?;
    let [width, height] = job::size(&args.size)?;
    let engine = job::engine(&args.engine)?;
    let anchor = [0.0, 0.0, recipe.bake.z];
    let region = Region { origin: [0; 3], size: [width, height, 1], level: 0, spacing: recipe.bake.spacing, anchor };
    let name = args.layer.as_ref().unwrap_or(&recipe.pipeline.output);
    let layer = engine.layers(&recipe.pipeline, &[name], &region)?.remove(0);
    let levels = levels(args, layer.extent().map(f64::from))?;
    let found = contours(&layer, &levels).map_err(|error| Failure::new(USAGE, error))?;
    let lines: Lines = found.into_iter().map(|contour| (contour.level, contour.lines)).collect();
    let high = region.position([width - 1, height - 1, 0]);
    write(&args.output, kind, &lines, [0.0; 2], [high[0], high[1]])
}

fn levels(args: &ContoursArgs, [lo, hi]: [f64; 2]) -> Result<Vec<f64>, Failure> {
    if !args.levels.is_empty() {
        return Ok(args.levels.clone());
    }
    let interval = args.interval.unwrap_or((hi - lo) / 10.0);
    if args.interval.is_some() && (interval.is_nan() || interval <= 0.0 || (hi - lo) / interval > MOST) {
        let message = format!("--interval {interval} is not allowed; allowed: above 0, and no more than 10000 lines from {lo} to {hi}");
        return Err(Failure::message(USAGE, message));
    }
    let first = if interval > 0.0 { (lo / interval).floor() as i64 + 1 } else { 1 };
    Ok((first..).map(|i| i as f64 * interval).take_while(|level| *level < hi && interval > 0.0).collect())
}

pub fn coast(args: &CoastArgs) -> Result<(), Failure> {
    let (noise, _) = job::recipe(&args.recipe)?;
    let kind = job::extension(&args.output, &["svg", "geojson"])?;
    let engine = job::engine(&args.engine)?;
    let [x, y, _] = args.centre.0;
    let circle = args.circle.unwrap_or(args.radius);
    let line =
        Coastline { centre: [x, y], radius: args.radius, amplitude: args.amplitude, circle, count: args.points }.line(&engine, &noise)?;
    let farthest = line.iter().fold(0.0_f64, |m, [px, py]| m.max((px - x).abs()).max((py - y).abs())) * 1.05;
    write(&args.output, kind, &vec![(0.0, vec![line])], [x - farthest, y - farthest], [x + farthest, y + farthest])
}

fn write(path: &Path, kind: &str, lines: &Lines, low: [f64; 2], high: [f64; 2]) -> Result<(), Failure> {
    let width = (high[0] - low[0]).max(high[1] - low[1]) / 800.0;
    let text = if kind == "svg" { svg(lines, low, high, width) } else { geojson(lines) };
    std::fs::write(path, text).map_err(|error| Failure::file(path, &error))?;
    let count: usize = lines.iter().map(|(_, lines)| lines.len()).sum();
    println!("{}: {count} lines of {} levels", path.display(), lines.len());
    Ok(())
}
