//! `orogen bake`.

use super::args::{AnyFormat, BakeArgs};
use super::cost;
use super::counted::Counted;
use super::exit::Failure;
use super::finished::{SAID, mended, opened, to_go_on};
use super::job;
use super::map;
use super::out::{print, say};
use super::progress::Shown;
use super::shard;
use orogen::bake::Outcome;
use orogen::bake::folder::Report;
use orogen::bake::request::Resolved;
use orogen::bake::shard::{Sealed, root};
use std::path::Path;
use std::time::Duration;

pub fn run(args: &BakeArgs) -> Result<(), Failure> {
    if args.variations.is_some() {
        return args.each()?.iter().try_for_each(run);
    }
    if let Some(shard) = &args.shard {
        args.map.allow(&[])?;
        return shard::bake(args, shard);
    }
    if args.dry_run {
        return cost::dry_run(args);
    }
    if let Some(AnyFormat::Map(format)) = args.format {
        return map::run(args, format);
    }
    let out = args.out()?;
    let request = args.request()?;
    warn_of_unused(&args.recipe, &request.resolve()?);
    let engine = job::engine(&args.engine)?;
    let shown = Shown::of_request(&engine, &args.engine);
    let outcome = request.bake(&engine, out, &shown);
    drop(shown);
    let outcome = outcome.map_err(to_go_on)?;
    if let Some(destination) = request.options.destination.or(request.recipe.bake.destination) {
        say(format_args!("{}: instructions for {destination}", out.join("IMPORT.md").display()));
    }
    let Outcome { written, report, sealed, .. } = &outcome;
    if let Some(Sealed { root, tiles, bytes, .. }) = sealed {
        if args.json {
            let report = serde_json::json!({ "root": root, "tiles": tiles, "bytes": bytes, "written": written });
            return print(format_args!("{report:#}"));
        }
        print(format_args!("{} written, {} there already, in {}\nroot {root}", Counted(*written, "tile"), tiles - written, out.display()))?;
        let arrays = outcome.products.iter().any(|product| product.format.is_array());
        return if arrays { print(opened(&out.display())) } else { Ok(()) };
    }
    let Some(report) = report else { return Ok(()) };
    for warning in report.warnings() {
        say(format_args!("warning: {warning}"));
    }
    mended(&report.damaged);
    if args.json { print(format_args!("{:#}", json(report))) } else { print(text(out, report)) }
}

/// Warns of nodes and stages that no written layer needs.
fn warn_of_unused(recipe: &Path, Resolved { unused, .. }: &Resolved) {
    if unused.is_empty() {
        return;
    }
    let (some, more) = unused.split_at(unused.len().min(SAID));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    say(format_args!("warning: {}: neither the output nor a layer needs '{}'{more}", recipe.display(), some.join("', '")));
}

fn text(out: &Path, report: &Report) -> String {
    let seconds = |d: Duration| d.as_secs_f64();
    let wall = seconds(report.wall).max(1e-9);
    let share = |d: Duration, workers: usize| 100.0 * seconds(d) / (wall * workers as f64);
    let halo = report.halo.filter(|halo| halo.samples > 0).map_or(String::new(), |halo| {
        format!(
            "\nhalo of {}: {:.0} % of the samples in {}",
            Counted(halo.samples, "sample"),
            100.0 * halo.share,
            Counted(halo.blocks, "block")
        )
    });
    let root = root(&report.manifest).map_or_else(String::new, |root| format!("\nroot {root}"));
    format!(
        "{} written, {} there already, in {}\n{:.2} s: evaluating {:.0} %, encoding {:.0} %, writing {:.0} % of the time of {}; overview {:.2} s{halo}{root}",
        Counted(report.written, "tile"),
        report.resumed,
        out.display(),
        wall,
        share(report.evaluate, 1),
        share(report.encode, report.encoders),
        share(report.write, report.encoders),
        Counted(report.encoders, "encoder"),
        seconds(report.overview),
    )
}

fn json(report: &Report) -> serde_json::Value {
    serde_json::json!({
        "written": report.written, "resumed": report.resumed, "backend": report.manifest.backend, "adapter": report.manifest.adapter,
        "root": root(&report.manifest), "damaged": report.damaged, "range": report.manifest.setting.products.first().map(|product| product.range), "encoders": report.encoders,
        "halo": report.halo.map(|halo| serde_json::json!({ "samples": halo.samples, "share": halo.share, "blocks": halo.blocks })),
        "seconds": {
            "wall": report.wall.as_secs_f64(), "evaluate": report.evaluate.as_secs_f64(),
            "encode": report.encode.as_secs_f64(), "write": report.write.as_secs_f64(),
            "overview": report.overview.as_secs_f64(),
        },
    })
}
