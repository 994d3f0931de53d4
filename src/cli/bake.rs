//! `orogen bake`.

use super::args::BakeArgs;
use super::exit::Failure;
use super::job;
use indicatif::{ProgressBar, ProgressStyle};
use orogen::bake::{Progress, RangeRecord, Report, bake, overview};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Below this share of the declared range used, half of an integer format's bits are idle.
const LITTLE: f64 = 1.0 / 256.0;

/// A bar on a terminal, a line per tenth elsewhere.
enum Shown {
    Bar(ProgressBar),
    Lines,
}

impl Progress for Shown {
    fn tile(&self, done: u64, total: u64) {
        match self {
            Shown::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            Shown::Lines => {
                if done * 10 / total != (done - 1) * 10 / total || done == total {
                    eprintln!("{done} of {total} tiles");
                }
            }
        }
    }
}

pub fn run(args: &BakeArgs) -> Result<(), Failure> {
    let (noise, recipe) = job::recipe(&args.recipe)?;
    let plan = job::plan(&recipe, args)?;
    let engine = job::engine(&args.engine)?;
    eprintln!("baking {} tiles of {}² samples on {}", plan.count(), plan.tile + plan.overlap, job::describe(&engine));
    let range = job::range(&engine, &noise, &plan, args.range)?;
    let shown = if std::io::stderr().is_terminal() { Shown::Bar(bar(plan.count())) } else { Shown::Lines };
    let report = bake(&engine, &noise, &plan, args.format, range, &args.out, &shown)?;
    if let Shown::Bar(bar) = &shown {
        bar.finish_and_clear();
    }
    let start = Instant::now();
    overview(&engine, &noise, &plan, &args.out)?;
    let overview = start.elapsed();
    warn(args, &report, range);
    if args.json {
        println!("{:#}", json(&report, overview));
    } else {
        println!("{}", text(args, &report, overview));
    }
    Ok(())
}

fn bar(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} tiles, {per_sec}, {eta} left");
    ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What an integer format loses is said, never silent.
fn warn(args: &BakeArgs, report: &Report, range: RangeRecord) {
    if !args.format.is_integer() {
        return;
    }
    let tiles = &report.manifest.tiles;
    let clipped: u64 = tiles.iter().map(|tile| tile.clipped).sum();
    if clipped > 0 {
        eprintln!("warning: {clipped} samples lay outside the declared range {},{} and were clipped to it", range.lo, range.hi);
    }
    let lo = tiles.iter().map(|tile| tile.min).fold(f32::INFINITY, f32::min);
    let hi = tiles.iter().map(|tile| tile.max).fold(f32::NEG_INFINITY, f32::max);
    let used = f64::from(hi - lo) / (range.hi - range.lo);
    if hi > lo && used < LITTLE {
        eprintln!(
            "warning: values {lo} to {hi} use {:.3} % of the declared range {},{}; consider --range measured",
            used * 100.0,
            range.lo,
            range.hi
        );
    }
}

fn text(args: &BakeArgs, report: &Report, overview: Duration) -> String {
    let seconds = |d: Duration| d.as_secs_f64();
    let wall = seconds(report.wall).max(1e-9);
    let share = |d: Duration, workers: usize| 100.0 * seconds(d) / (wall * workers as f64);
    format!(
        "{} tiles written, {} there already, in {}\n{:.2} s: evaluating {:.0} %, encoding {:.0} %, writing {:.0} % of the time of {} encoders; overview {:.2} s",
        report.written,
        report.resumed,
        args.out.display(),
        wall,
        share(report.evaluate, 1),
        share(report.encode, report.encoders),
        share(report.write, report.encoders),
        report.encoders,
        seconds(overview),
    )
}

fn json(report: &Report, overview: Duration) -> serde_json::Value {
    serde_json::json!({
        "written": report.written, "resumed": report.resumed, "backend": report.manifest.backend, "adapter": report.manifest.adapter,
        "range": report.manifest.setting.range, "encoders": report.encoders,
        "seconds": {
            "wall": report.wall.as_secs_f64(), "evaluate": report.evaluate.as_secs_f64(),
            "encode": report.encode.as_secs_f64(), "write": report.write.as_secs_f64(),
            "overview": overview.as_secs_f64(),
        },
    })
}
