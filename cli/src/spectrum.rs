//! `orogen spectrum`.

use super::args::SpectrumArgs;
use super::cost::Limited;
use super::counted::Counted;
use super::exit::{Failure, USAGE};
use super::job;
use super::out::{print, write};
use super::output;
use super::report::spectrum_chart;
use orogen::Region;
use orogen::bake::request::Cost;
use orogen::stats::{Band, Fit, Periodogram, Spectrum, Window};
use std::fmt::Write;

/// A layer's name, its spectrum, the fit and its band, as a file.
type Encode = fn(&str, &Spectrum, Option<&Fit>, Band) -> String;

const OUTPUTS: [(&str, Encode); 3] = [
    ("csv", |_, spectrum, _, _| csv(spectrum)),
    ("json", |name, spectrum, fit, _| format!("{:#}\n", json(name, spectrum, fit))),
    ("svg", |_, spectrum, fit, band| spectrum_chart(spectrum, fit, band)),
];

pub fn run(args: &SpectrumArgs) -> Result<(), Failure> {
    let recipe = args.changes.load(&args.recipe)?;
    let encode = output::format(&args.output, OUTPUTS)?;
    let edge = job::edge(args.size)?;
    let band = job::band(args.band.as_deref(), edge)?;
    let engine = job::engine(&args.engine)?;
    let name = job::layer(&recipe, &args.layer)?;
    let anchor = [0.0, 0.0, recipe.bake.z];
    let region = Region { origin: [0; 3], size: [edge, edge, 1], level: 0, spacing: recipe.bake.spacing, anchor };
    Cost::of_layers(&engine, &recipe.pipeline, &[name], &region)?.allow(&args.engine)?;
    let layer = engine.layers(&recipe.pipeline, &[name], &region)?.remove(0);
    if layer.channels != 1 {
        let message = format!("'{name}' has {} channels; allowed: a layer of one", layer.channels);
        return Err(Failure::message(USAGE, message));
    }
    let window = if args.periodic { Window::Rectangle } else { Window::Hann };
    let spectrum = Periodogram::of(&layer.values, edge as usize, window).map(|periodogram| periodogram.radial());
    let spectrum = spectrum.ok_or_else(|| Failure::message(USAGE, format!("--size {edge} is too small")))?;
    let fit = spectrum.fit(band);
    write(&args.output, encode(name, &spectrum, fit.as_ref(), band))?;
    let found = match fit {
        Some(fit) => format!("power falls as f^{:.3} ± {:.3} ({})", fit.slope, fit.error, Counted(fit.rings, "ring")),
        None => "no power in the band".to_owned(),
    };
    print(format_args!("{}: {found}", args.output.display()))
}

fn csv(spectrum: &Spectrum) -> String {
    let mut text = "frequency,power,bins\n".to_owned();
    for ring in &spectrum.rings {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{},{},{}", ring.frequency, ring.power, ring.bins);
    }
    text
}

fn json(name: &str, spectrum: &Spectrum, fit: Option<&Fit>) -> serde_json::Value {
    let fit = fit.map(|fit| serde_json::json!({ "slope": fit.slope, "error": fit.error, "amplitude_exponent": fit.amplitude_exponent() }));
    let rings: Vec<_> = spectrum.rings.iter().map(|ring| [ring.frequency, ring.power]).collect();
    serde_json::json!({ "layer": name, "fit": fit, "rings": rings })
}
