//! `orogen contours`, `orogen coast` and `orogen edge`.

use super::args::{CoastArgs, ContoursArgs, EdgeArgs, Point};
use super::cost::{self, Limited};
use super::counted::Counted;
use super::exit::{DATA, Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use orogen::bake::request::Cost;
use orogen::lines::{Coastline, NoisyEdge, contours, geojson, svg};
use orogen::{EngineError, Region};
use std::path::Path;

/// Contour lines of a plan, one height each.
type Lines = Vec<(f64, Vec<Vec<[f64; 2]>>)>;

/// Lines in a rectangle as a file.
type Encode = fn(&Lines, [f64; 2], [f64; 2]) -> String;

const OUTPUTS: [(&str, Encode); 2] = [
    ("svg", |lines, low, high| svg(lines, low, high, (high[0] - low[0]).max(high[1] - low[1]) / 800.0)),
    ("geojson", |lines, _, _| geojson(lines)),
];

/// Maximum number of lines for an interval: all are held in memory, and each can be as long as the map has samples.
const MOST: f64 = 1000.0;
/// Bytes per point of a line during search and output: as numbers, and twice as text.
const POINT: f64 = 120.0;
/// Maximum number of straight parts of a noisy line.
const MOST_POINTS: f64 = 4e6;

pub fn contour(args: &ContoursArgs) -> Result<(), Failure> {
    let recipe = args.changes.load(&args.recipe)?;
    let encode = output::format(&args.output, OUTPUTS)?;
    // Lines run between samples.
    let [width, height] = job::size(&args.size, 2)?;
    let engine = job::engine(&args.engine)?;
    let anchor = [0.0, 0.0, recipe.bake.z];
    let region = Region { origin: [0; 3], size: [width, height, 1], level: 0, spacing: recipe.bake.spacing, anchor };
    let name = job::layer(&recipe, &args.layer)?;
    Cost::of_layers(&engine, &recipe.pipeline, &[name], &region)?.allow(&args.engine)?;
    let layer = engine.layers(&recipe.pipeline, &[name], &region)?.remove(0);
    let levels = levels(args, layer.extent().map(f64::from))?;
    let points = count_points(&layer.values, width as usize, &levels);
    Cost { bytes: points * POINT, ..Cost::default() }.within(&args.engine)?;
    let found = contours(&layer, &levels).map_err(|error| Failure::new(USAGE, error))?;
    let lines: Lines = found.into_iter().map(|contour| (contour.level, contour.lines)).collect();
    let high = region.position([width - 1, height - 1, 0]);
    draw(&args.output, encode, &lines, [0.0; 2], [high[0], high[1]])
}

/// The number of points of the lines at these levels: one for each level between two neighbours.
fn count_points(values: &[f32], width: usize, levels: &[f64]) -> f64 {
    let mut levels = levels.to_vec();
    levels.sort_unstable_by(f64::total_cmp);
    let below = |value: f32| levels.partition_point(|level| *level < f64::from(value));
    let below: Vec<u32> = values.iter().map(|value| below(*value) as u32).collect();
    let beside = below.chunks_exact(width).flat_map(|row| row.windows(2).map(|pair| pair[0].abs_diff(pair[1])));
    let under = below.iter().zip(&below[width..]).map(|(above, under)| above.abs_diff(*under));
    beside.chain(under).map(f64::from).sum()
}

fn levels(args: &ContoursArgs, [lo, hi]: [f64; 2]) -> Result<Vec<f64>, Failure> {
    if !args.levels.is_empty() {
        return Ok(args.levels.clone());
    }
    let interval = args.interval.unwrap_or((hi - lo) / 10.0);
    if args.interval.is_some() && (interval.is_nan() || interval <= 0.0 || (hi - lo) / interval > MOST) {
        let message = format!("--interval {interval} is not allowed; allowed: above 0, and no more than 1000 lines from {lo} to {hi}");
        return Err(Failure::message(USAGE, message));
    }
    // In floats: a multiple may exceed every integer, where neighbouring multiples are the same number.
    let first = if interval > 0.0 { (lo / interval).floor() + 1.0 } else { 1.0 };
    let levels = (0..=MOST as u32).map(|i| (first + f64::from(i)) * interval).filter(|level| *level > lo && *level < hi && interval > 0.0);
    let mut levels: Vec<f64> = levels.collect();
    levels.dedup();
    Ok(levels)
}

pub fn coast(args: &CoastArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe, &args.changes)?;
    let encode = output::format(&args.output, OUTPUTS)?;
    let engine = job::engine(&args.engine)?;
    let [x, y, z] = args.centre.map_or([0.0, 0.0, recipe.bake.z], |centre| centre.0);
    let circle = args.circle.unwrap_or(args.radius);
    cost::estimate(&engine, &noise, f64::from(args.points), 64.0)?.allow(&args.engine)?;
    let line = Coastline { centre: [x, y], z, radius: args.radius, amplitude: args.amplitude, circle, count: args.points };
    let mut line = line.line(&engine, &noise).map_err(|error| match error {
        EngineError::Point { .. } => {
            let option = if args.circle.is_some() { "--circle" } else { "--radius" };
            Failure::message(USAGE, format!("{option} {circle:e} around {x},{y} is not allowed: {error}"))
        }
        error => error.into(),
    })?;
    // A negative radius is replaced by the centre.
    line.dedup();
    if line.len() < 2 {
        let message =
            format!("the coast has no length: --radius {} + --amplitude {} · the noise is nowhere above 0", args.radius, args.amplitude);
        return Err(Failure::message(DATA, message));
    }
    let farthest = line.iter().fold(0.0_f64, |m, [px, py]| m.max((px - x).abs()).max((py - y).abs())) * 1.05;
    draw(&args.output, encode, &vec![(0.0, vec![line])], [x - farthest, y - farthest], [x + farthest, y + farthest])
}

pub fn edge(args: &EdgeArgs) -> Result<(), Failure> {
    let encode = output::format(&args.output, OUTPUTS)?;
    if args.through.len() < 2 {
        return Err(Failure::message(USAGE, "--through: one point is not allowed; allowed: two or more".to_owned()));
    }
    let parts = || args.through.windows(2).map(|ends| (ends[0].0, ends[1].0));
    let length = |([ax, ay], [bx, by]): ([f64; 2], [f64; 2])| libm::hypot(bx - ax, by - ay);
    let (longest, total) = (parts().map(length).fold(0.0, f64::max), parts().map(length).sum::<f64>());
    if longest == 0.0 {
        return Err(Failure::message(USAGE, "--through: points that are all the same are not allowed; allowed: two that differ or more"));
    }
    let finest = args.finest.unwrap_or(longest / 256.0);
    if finest.is_nan() || finest <= 0.0 || total / finest > MOST_POINTS {
        let message = format!("--finest {finest} is not allowed; allowed: above 0, and no more than 4000000 parts of {total} units");
        return Err(Failure::message(USAGE, message));
    }
    let mut line = Vec::new();
    for (i, (from, to)) in parts().enumerate() {
        let middle = [0, 1].map(|a| f64::midpoint(from[a], to[a]));
        // The deviation is perpendicular to the line and proportional to its length.
        let across = [from[1] - to[1], to[0] - from[0]];
        let corner = |side: f64| [0, 1].map(|a| middle[a] + side * args.width * across[a]);
        let seed = args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(i as u64);
        let edge = NoisyEdge { from, to, left: corner(-1.0), right: corner(1.0), finest, share: args.roughness, seed };
        // Each part begins where the previous one ended.
        line.pop();
        line.extend(edge.line());
    }
    // A point may be repeated.
    line.dedup();
    let end = |pick: fn(f64, f64) -> f64| [0, 1].map(|a| args.through.iter().map(|Point(at)| at[a]).reduce(pick).unwrap_or_default());
    let (low, high, room) = (end(f64::min), end(f64::max), args.width * longest);
    draw(&args.output, encode, &vec![(0.0, vec![line])], low.map(|x| x - room), high.map(|x| x + room))
}

fn draw(path: &Path, encode: Encode, lines: &Lines, low: [f64; 2], high: [f64; 2]) -> Result<(), Failure> {
    write(path, encode(lines, low, high))?;
    let count: usize = lines.iter().map(|(_, lines)| lines.len()).sum();
    print(format_args!("{}: {} of {}", path.display(), Counted(count, "line"), Counted(lines.len(), "level")))?;
    Ok(())
}
